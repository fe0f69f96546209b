"""A match at a terminal: the progress bar keeps to the width, lines stay whole, and Ctrl-C ends it after saving.

    python3 tests/py/match_terminal.py PATH_OF_SANQI PATH_OF_ADAPTER
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

COLUMNS = (48, 100)
PATIENCE = 60
# What moves the cursor to the beginning of a line, up, or clears; nothing else may be sent.
CONTROL = re.compile(r"\x1b\[(\d*)([A-Za-z])|\x1b\[\?25[lh]")
GAMES = re.compile(r"(\d+)/(\d+) games")


def own_terminal():
    """In the child: its standard input is the terminal that Ctrl-C comes from."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def at_terminal(command, folder, columns, interrupt_at=None):
    """Runs a command with all three streams at a terminal; presses Ctrl-C once so many games have finished. What it showed, and its status."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = os.environ | {"TERM": "xterm"}
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, preexec_fn=own_terminal)
    os.close(theirs)
    shown, deadline = b"", time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the other side has closed: how Linux ends a terminal
                break
            if not chunk:
                break
            shown += chunk
        if interrupt_at is not None and shown.count(b"Finished game") >= interrupt_at:
            os.write(ours, b"\x03")
            interrupt_at = None
    else:
        process.kill()
        sys.exit(f"{command}: no end within {PATIENCE} s; it showed {shown[-500:]!r}")
    os.close(ours)
    return shown.decode(), process.wait(PATIENCE)


def match(sanqi, adapter, rounds):
    words = [adapter, "match", "-variant", "fangqi", "-rounds", str(rounds), "-ratinginterval", "0", "-pgnout", "file=games.pgn"]
    for name in ("A", "B"):
        words += ["-engine", f"cmd={sanqi}", f"name={name}"]
    return words + ["-each", "nodes=2000"]


def check(condition, what):
    if not condition:
        sys.exit(f"match_terminal: {what}")


def check_screen(shown, columns):
    """Pieces between line ends and cursor movements are what stands on one line of the screen."""
    bars = 0
    # The terminal itself shows the key that was pressed.
    for piece in re.split(r"[\r\n]+", CONTROL.sub("\r", shown.replace("^C", ""))):
        check("\x1b" not in piece, f"an unknown control sequence in {piece!r}")
        if GAMES.search(piece):
            bars += 1
            check(len(piece) <= columns, f"the bar has {len(piece)} columns of {columns}: {piece!r}")
            check("Finished" not in piece and "Started" not in piece, f"the bar and a line in one: {piece!r}")
    check(bars > 0, f"no progress bar in {shown[-500:]!r}")


def main():
    sanqi, adapter = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    for columns in COLUMNS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shown, status = at_terminal(match(sanqi, adapter, 4), folder, columns)
            check(status == 0, f"exit status {status}: {shown[-500:]!r}")
            check_screen(shown, columns)
            check(shown.count("Finished game") == 8, "not every game has its line")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shown, status = at_terminal(match(sanqi, adapter, 5000), folder, COLUMNS[0], interrupt_at=2)
        check(status == 1, f"exit status {status} after Ctrl-C: {shown[-500:]!r}")
        check_screen(shown, COLUMNS[0])
        check("-config file=config.json" in shown, f"no word of how to go on: {shown[-500:]!r}")
        saved = json.loads((folder / "config.json").read_text())
        check(saved["rounds"] == 5000, "the settings were not saved")
        finished = shown.count("Finished game")
        games = [line for line in (folder / "config.games.jsonl").read_text().splitlines() if json.loads(line)["entry"] == "game"]
        written = (folder / "games.pgn").read_text().count("\n[Result ")
        check(len(games) == written == finished, f"{finished} games shown, {len(games)} saved, {written} written")
        check(subprocess.run([adapter, "pgn", "check", "games.pgn"], cwd=folder, capture_output=True).returncode == 0, "faulty PGN")
    print("match at a terminal: the bar keeps to its width, Ctrl-C saves")


if __name__ == "__main__":
    main()
