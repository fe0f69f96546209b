"""The match runner beside fastchess: the same rulings on a misbehaving engine, and plies a second at one node a move.

    python3 tests/bench/match_runner.py target/release/sanqi-adapter target/release/mock_engine --fastchess PATH
        [--games 40] [--runs 5] [--only rulings|speed]

Both tools drive the same mock engine, which plays a recorded game: xiangqi here, chess there, 200 plies each. fastchess is built
from its public source (`make`). Ends with status 1 when a ruling differs that is not meant to.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
PLIES = 200
# Faults at the second move of the first player, and more options.
FAULTS = [
    ("illegal=2", []),
    ("none=2", []),
    ("null=2", []),
    ("empty=2", []),
    ("upper=2", []),
    ("square=2", []),
    ("resign=2", []),
    ("late=2", ["tc=0.5"]),
    ("slow=2", ["tc=0.5"]),
    ("hang=2", ["tc=0.5"]),
    ("exit=2", []),
    ("signal=2", []),
    ("unready=2", ["-ping-ms", "1000"]),
    ("twice=2", []),
    ("garbage=2", []),
    ("crlf", []),
    ("mute", ["-startup-ms", "1000"]),
]
# fastchess takes the carriage return for a part of the move, and any line that begins with `bestmove` for a move.
ON_PURPOSE = {"crlf", "garbage"}


class Tool:
    """One of the two runners."""

    def __init__(self, name, command, mock, script):
        self.name, self.command, self.mock, self.script = name, command, mock, DATA / script

    def run(self, folder, fault, options, limits):
        """Plays; gives exit status, output, PGN and seconds."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        command = list(self.command)
        for name, what in (("A", fault), ("B", "-")):
            command += ["-engine", f"cmd={self.mock}", f"name={name}", f"args={what} {self.script}"]
        each = [option for option in options if "=" in option and not option.startswith("-")]
        rest = [option for option in options if option not in each]
        command += ["-each", *limits, *each, *rest, "-maxmoves", str(PLIES // 2), "-pgnout", "file=games.pgn"]
        began = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, errors="replace")
        seconds = time.perf_counter() - began
        pgn = folder / "games.pgn"
        return done.returncode, done.stdout + done.stderr, pgn.read_text(errors="replace") if pgn.exists() else "", seconds

    def ruling(self, folder, fault, options):
        """Exit status, result, text and termination of a game with a fault."""
        options = ["-rounds", "1", "-games", "1", "-recover", *options]
        status, output, pgn, _ = self.run(folder, fault, options, ["tc=5"])
        line = re.search(r"Finished game 1 \(A vs B\): (\S+) \{(.*)\}", output)
        result, text = line.groups() if line else ("-", "-")
        termination = re.search(r'\[Termination "(.*)"\]', pgn)
        return status, result, re.sub(r"\d+ms", "Nms", text), termination.group(1) if termination else "-"

    def speed(self, folder, games):
        """Plies a second over some games."""
        options = ["-rounds", str(games // 2), "-games", "2", "-repeat", "-concurrency", "1", "-ratinginterval", "0"]
        status, output, _, seconds = self.run(folder, "-", options, ["nodes=1"])
        finished = output.count("Finished game")
        if status != 0 or finished != games:
            sys.exit(f"{self.name}: status {status}, {finished} games\n{output[-2000:]}")
        return games * PLIES / seconds


def rulings(tools, folder):
    """Prints what each tool rules; the number of differences that are not meant."""
    faults = 0
    for fault, options in FAULTS:
        ours, theirs = (tool.ruling(folder, fault, options) for tool in tools)
        same = "same" if ours == theirs else "on purpose" if fault.split("=")[0] in ON_PURPOSE else "DIFFERS"
        faults += same == "DIFFERS"
        print(f"{fault:10} {same:10} here {ours}" + ("" if same == "same" else f"\n{'':21} there {theirs}"), flush=True)
    return faults


def speeds(tools, folder, games, runs):
    """Prints plies a second of both tools, in turn, and the ratio."""
    found = {tool.name: [] for tool in tools}
    for _ in range(runs):
        for tool in tools:
            found[tool.name].append(tool.speed(folder, games))
    for name, values in found.items():
        print(f"{name:14} {statistics.median(values):8.0f} plies/s ({min(values):.0f}–{max(values):.0f}, n = {runs})")
    ours, theirs = (statistics.median(found[tool.name]) for tool in tools)
    print(f"ratio          {ours / theirs:8.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", type=pathlib.Path)
    parser.add_argument("mock", type=pathlib.Path)
    parser.add_argument("--fastchess", type=pathlib.Path, required=True)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", choices=["rulings", "speed"])
    arguments = parser.parse_args()
    mock = arguments.mock.resolve()
    tools = [
        Tool("sanqi-adapter", [arguments.adapter.resolve(), "match", "-variant", "xiangqi"], mock, "script_xiangqi.txt"),
        Tool("fastchess", [arguments.fastchess.resolve(), "-variant", "standard"], mock, "script_chess.txt"),
    ]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        if arguments.only != "speed":
            faults = rulings(tools, folder)
        if arguments.only != "rulings":
            speeds(tools, folder, arguments.games, arguments.runs)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
