"""Matches between two `sanqi-adapter xboard` in XBoard, in every game, and against HoiXiangqi.

    python3 tests/py/xboard_front.py PATH_OF_SANQI_ADAPTER PATH_OF_SANQI [--keep FOLDER] [--games N]

Needs xboard, xvfb-run and hoixiangqi (Debian: xboard xvfb xauth hoichess). XBoard does not know the rules of these games and is told to
trust what it hears, so the moves of its log are played again by the engine's own rules: every one must be legal, the result must be the
one that XBoard recorded, and XBoard's last board the true one. A match fails when XBoard does not end by itself, when a game is missing, or
when one was ended by anything but the play.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from clients_xboard import BROKEN, COMMENT, read_games
from uci import Engine

GAMES = ["yangqi", "supply", "xiangqi", "fangqi"]
PATIENCE = 150
# A line of XBoard's log in which an engine moves, or in which XBoard begins a game.
MOVE = re.compile(r"^\d+ <(?:first|second)\s*: move (\S+)|^New game \((\d+)\)", re.MULTILINE)


def xboard(variant, first, second, games, folder):
    """Has a match played. Gives the PGN, the log, the last positions, and the complaints about the run."""
    files = {name: folder / f"{folder.name}.{name}" for name in ("pgn", "fen", "debug", "log")}
    # XBoard also reads the settings of the account: all that matters is said here. `-xponder` turns pondering off, `-xexit` the window
    # that waits at the end. The depth decides how long a move takes, the clock is only there to run.
    settings = {
        "variant": variant,
        "saveSettingsOnExit": "false",
        "startupMessage": "",
        "soundProgram": "true",
        "fcp": first,
        "fd": str(folder),
        "scp": second,
        "sd": str(folder),
        "mg": str(games),
        "mps": "0",
        "tc": "5",
        "inc": "0.5",
        "searchDepth": "4",
        "matchPause": "100",
        "autoCallFlag": "true",
        "testLegality": "false",
        "testClaims": "false",
        "checkMates": "false",
        "materialDraws": "false",
        "trivialDraws": "false",
        "ruleMoves": "0",
        "repeatsToDraw": "0",
        "loadGameFile": "",
        "loadPositionFile": "",
        "saveGameFile": str(files["pgn"]),
        "savePositionFile": str(files["fen"]),
        "nameOfDebugFile": str(files["debug"]),
    }
    command = ["xvfb-run", "-a", "xboard", *(word for name, value in settings.items() for word in (f"-{name}", value))]
    command += ["-debug", "-xponder", "-xexit", "-xanimate"]
    # Debian keeps games where PATH may not look.
    environment = os.environ | {"PATH": os.environ["PATH"] + ":/usr/games", "LC_ALL": "C.UTF-8"}
    complaints = []
    with open(files["log"], "w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            if process.wait(PATIENCE) != 0:
                complaints.append(f"XBoard ended with exit code {process.returncode}")
        except subprocess.TimeoutExpired:
            complaints.append(f"XBoard did not end within {PATIENCE} s")
        finally:
            # Its process group, of which it may have left somebody behind.
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
    read = [files[name].read_text(errors="replace") if files[name].exists() else "" for name in ("pgn", "debug", "fen")]
    return *read, complaints


def moves_of(log):
    """The moves of each game, without the passes and shots that take captured stones off the board."""
    games = []
    for move, begun in MOVE.findall(log):
        if begun:
            games.append([])
        elif games and "," not in move and move != "@@@@":
            games[-1].append(move)
    return games


def board_of(fen):
    """Board and hands of a FEN, the pieces in hand in the order of the alphabet."""
    board, _, hand = fen.split()[0].partition("[")
    return board, "".join(sorted(hand.strip("]-")))


def put(fen, square):
    """The board of a FEN with White's or Black's stone on a point, nothing captured, and one fewer in hand."""
    board, hand = board_of(fen)
    stone = "P" if fen.split()[1] == "w" else "p"
    rows = [re.sub(r"\d", lambda digits: "." * int(digits[0]), row) for row in board.split("/")]
    row, file = 7 - int(square[1]), ord(square[0]) - ord("a")
    rows[row] = rows[row][:file] + stone + rows[row][file + 1 :]
    return "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows), hand.replace(stone, "", 1)


class Judge:
    """The engine's own rules."""

    def __init__(self, path, variant):
        self.engine = Engine(path)
        self.variant = variant
        self.engine.send(f"setoption name UCI_Variant value {variant}")
        # XBoard counts the ranks of boards with ten of them from 0.
        self.engine.send(f"setoption name Rank Base value {1 if variant == 'fangqi' else 0}")

    def ask(self, command, start):
        self.engine.send(command)
        while True:
            line = self.engine.line()
            if line.startswith(("info string error", start)):
                return line[len(start) :].strip() if line.startswith(start) else line

    def replay(self, moves, last):
        """The result by the rules, and what is wrong."""
        # A Soldier of Supply Xiangqi is told to stay one on the last rank.
        words = [move[:4] if self.variant == "supply" and "@" not in move else move for move in moves]
        self.engine.send(f"position startpos moves {' '.join(words)}")
        result = self.ask("result", "info string result")
        if "refused" in result:
            return "?", [result]
        fen = self.ask("d", "Fen:")
        expected = board_of(fen)
        if self.variant == "fangqi":
            # What the last stone captured is still on XBoard's board.
            self.engine.send(f"position startpos moves {' '.join(words[:-1])}")
            expected = put(self.ask("d", "Fen:"), words[-1][2:])
            shown = board_of(last)
        else:
            # By way of the engine, because XBoard has letters of its own for xiangqi.
            self.engine.send(f"position fen {last}")
            shown = board_of(self.ask("d", "Fen:"))
        wrong = [] if shown == expected else [f"XBoard's board is {shown}, expected {expected}"]
        return result, wrong


def match(name, variant, first, second, games, judge, folder):
    """Plays one match; what was wrong with it."""
    began = time.monotonic()
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    pgn, log, positions, complaints = xboard(variant, first, second, games, folder)
    recorded, played = read_games(pgn), moves_of(log)
    positions = [line for line in positions.splitlines() if line.strip()]
    if not len(recorded) == len(played) == len(positions) == games:
        complaints.append(f"{len(recorded)} games, {len(played)} begun, {len(positions)} last positions in place of {games}")
    ends = []
    for number, ((tags, body), moves, last) in enumerate(zip(recorded, played, positions), 1):
        result, wrong = judge.replay(moves, last)
        ending = COMMENT.findall(body)[-1].strip() if COMMENT.findall(body) else ""
        if BROKEN.search(ending):
            wrong.append(ending)
        # HoiXiangqi says by its own rules when a game is drawn.
        ours = second.startswith(first.split()[0])
        if (ours or tags.get("Result") != "1/2-1/2") and result.split()[0] != tags.get("Result"):
            wrong.append(f"XBoard recorded {tags.get('Result')} {{{ending}}}, by the rules it is {result}")
        complaints += [f"game {number}: {problem}" for problem in wrong]
        ends.append(f"{tags.get('Result')} in {len(moves)} ({ending})")
    if len({tuple(moves) for moves in played}) != len(played):
        complaints.append("games repeat each other")
    print(f"{name}: {'; '.join(ends)}; {time.monotonic() - began:.0f} s", flush=True)
    for complaint in complaints:
        print(f"{name}: {complaint}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", help="path of the sanqi-adapter binary")
    parser.add_argument("engine", help="path of the sanqi binary")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for PGN and logs; a temporary one without it")
    parser.add_argument("--games", type=int, default=4, help="games of each match between two adapters")
    arguments = parser.parse_args()
    engine = pathlib.Path(arguments.engine).resolve()

    def front(seed):
        return f"{pathlib.Path(arguments.adapter).resolve()} xboard --engine {engine} --option Variety=60 --option Seed={seed}"

    complaints = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)).resolve()
        for variant in GAMES:
            judge = Judge(str(engine), variant)
            complaints += match(variant, variant, front(1), front(1001), arguments.games, judge, folder)
        judge = Judge(str(engine), "xiangqi")
        complaints += match("hoixiangqi", "xiangqi", front(1), "hoixiangqi", 2, judge, folder)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
