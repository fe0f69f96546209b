"""`sanqi-adapter gui VARIANT --run` as a person uses it, on a display of its own: for every game the window appears with the game in its title,
the person's move, typed where the command was started, is played on the server, and the engine answers; on two boards a second window
shows the partner's board beside it. When the command is told to end, all of it ends and the game is stored.

    python3 tests/py/gui_run.py PATH_OF_ADAPTER PATH_OF_SANQI [--screenshots FOLDER]

Needs xboard, Xvfb, xdotool and xclip, and `import` of ImageMagick for screenshots.
"""

import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

from desk import PATIENCE, Client, Failure, Screen, eventually

# A small screen, on which everything has room nevertheless.
WIDTH, HEIGHT = 1366, 768
# A move of the person as he types it, and what the board then says of it.
MOVES = {
    "fangqi": ("d4", "P/@@-d4"),
    "yangqi": ("e0f0", "K/e0-f0"),
    "supply": ("h2e2", "C/h2-e2"),
    "supply2": ("h2h9", "C/h2-h9"),
    "xiangqi": ("h2e2", "C/h2-e2"),
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def connected(port):
    """A client, once the server listens."""
    try:
        return Client(port, "watcher")
    except OSError:
        return None


def play(arguments, screen, folder, variant):
    """A game's first moves; what was seen."""
    port = free_port()
    command = [arguments.adapter, "gui", variant, "--run", "--port", str(port), "--engine", arguments.sanqi, "--nodes", "300"]
    command += ["--files", folder / "files", "--games", folder / "games"]
    # The command itself finds the folder in which Debian keeps games.
    environment = screen.environment | {"PATH": os.environ["PATH"]}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        watcher = eventually("the server listens", lambda: connected(port))
        eventually("the window shows the game", lambda: screen.windows("human.*engine"))
        watcher.ask("observe human", r"^<12> .* W -1 ")
        word, shown = MOVES[variant]
        process.stdin.write(f"{word}\n".encode())
        process.stdin.flush()
        watcher.expect(rf"^<12> .* B -1 .* human engine 0 .* {shown} ")
        answer = watcher.expect(r"^<12> .* W -1 .* human engine 0 .* 2 (\S+) \(")[1]
        if variant == "supply2":
            eventually("a second window shows the partner's board", lambda: screen.windows("engine-engine"))
            # Its guest has been told of the piece that came over.
            watcher.ask("observe 2", r"^<b1> game 2 ")
        frames = sorted(screen.frame(window) for window in screen.windows("."))
        if any(left < 0 or top < 0 or right > WIDTH or end > HEIGHT for left, top, right, end in frames):
            raise Failure(f"windows that do not fit on the screen: {frames}")
        if any(one[2] > two[0] for one, two in zip(frames, frames[1:])):
            raise Failure(f"windows one over the other: {frames}")
        if arguments.screenshots:
            time.sleep(2)
            picture = arguments.screenshots / f"{variant}.png"
            subprocess.run(["import", "-window", "root", picture], env=screen.environment, check=True)
        process.terminate()
        if process.wait(PATIENCE) != 0:
            raise Failure(f"exit code {process.returncode}")
        eventually("the windows close", lambda: not screen.windows("human.*engine|engine-engine"))
        if len(list((folder / "games" / "unfinished").glob("*.json"))) != 1:
            raise Failure("the unfinished game is not stored")
        return f"{variant}: {shown}, answered by {answer}"
    finally:
        process.kill()
        process.wait()


def refuse(arguments, folder):
    """What cannot be: a game that there is not, and an XBoard that fails."""
    run = [arguments.adapter, "gui", "fangqi", "--run", "--port", str(free_port()), "--files", folder / "f", "--games", folder / "g"]
    for command, said in (([arguments.adapter, "gui", "chess"], "supply2"), ([*run, "--xboard", "false"], "false has ended with")):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0 or said not in done.stderr:
            raise Failure(f"{command}: exit code {done.returncode}, {done.stderr!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", help="path of the sanqi-adapter binary")
    parser.add_argument("sanqi", help="path of the sanqi binary")
    parser.add_argument("--screenshots", type=pathlib.Path, help="folder for a picture of each game")
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        refuse(arguments, pathlib.Path(folder))
    with Screen(f"{WIDTH}x{HEIGHT}") as screen:
        for variant in MOVES:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    print(play(arguments, screen, pathlib.Path(folder), variant), flush=True)
                except (Failure, OSError) as error:
                    print(f"{variant}: {error}")
                    return 1
    print(f"gui --run: {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
