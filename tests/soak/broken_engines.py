"""Matches of engines that misbehave at random moves, in every protocol, on one board and two: each match comes to an end, every game
is in the journal once, what was written can be read, and no engine is left behind.

    python3 tests/soak/broken_engines.py ADAPTER MOCK_ENGINE --folder FOLDER [--minutes 10] [--seed N]

MOCK_ENGINE is `mock_engine` of `cargo build --workspace --bins`. A match that fails keeps its folder; the command is in
`command.txt` there.
"""

import argparse
import json
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import time

# What the mock engine can do wrong: while it thinks, in its answer, or in between.
FAULTS = ["exit", "hang", "signal", "late", "flood", "garbage", "illegal", "upper", "square", "none", "null", "empty", "resign", "unready", "twice",
          "talk", "mate", "crlf", "slow", "mute", "deaf"]
XBOARD_FAULTS = ["refuse", "claim"]
VARIANTS = ["fangqi", "supply", "supply2", "supply2", "yangqi", "yangqinoswap", "xiangqi"]
# No match here has more to do than this, in seconds, on a slow machine.
PATIENCE = 120


def engine(rng, mock, variant, option, name):
    protocols = ["uci", "xboard"] + (["ucci"] if variant in ("xiangqi", "supply") else [])
    protocol = rng.choice(protocols)
    fault = "" if rng.random() < 0.3 else rng.choice(FAULTS + (XBOARD_FAULTS if protocol == "xboard" else []))
    if fault:
        fault += f"={rng.choice([0, 1, 1, 2, 3, rng.randrange(4, 30)])}"
    return [option, f"cmd={mock}", f"name={name}", f"proto={protocol}", f"args={fault}"]


def command(rng, adapter, mock):
    """A match at random; the words, and how many games it has."""
    variant = rng.choice(VARIANTS)
    rounds = rng.choice([1, 1, 2])
    words = [adapter, "match", "-variant", variant, "-rounds", str(rounds), "-games", "2", "-concurrency", rng.choice("12"), "-force-concurrency"]
    for name in "AB":
        words += engine(rng, mock, variant, "-engine", name)
        if variant == "supply2" and rng.random() < 0.5:
            words += engine(rng, mock, variant, "-partner", name.lower())
    words += ["-each", rng.choice(["tc=0.3+0.01", "st=0.05", "tc=5/0.5", "nodes=1 tc=0.5"])]
    words[-1:] = words[-1].split() + [f"timemargin={rng.choice([0, 50, 300])}"]
    words += ["-openings", "random", f"plies={rng.choice([0, 2, 6])}", "-srand", str(rng.randrange(1000)), "-pgnout", "file=games.pgn"]
    words += ["-startup-ms", "2000", "-ping-ms", "400"]
    for chance, more in [(0.8, ["-recover"]), (0.3, ["-maxmoves", "20"]), (0.3, ["-log", "file=wire.log", "engine=true"])]:
        words += more if rng.random() < chance else []
    if variant == "supply2":
        words += ["-replayout", "dir=replays"] + (["-lockstep"] if rng.random() < 0.3 else [])
    return words, 2 * rounds


def left_behind(mock, folder):
    """Processes of the engine that work in the folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (process / "exe").resolve() == mock and (process / "cwd").resolve() == folder:
                found.append(int(process.name))
        except OSError:
            pass  # it has just ended
    return found


def check(adapter, folder, words, games, status):
    """What is wrong with a match that has ended."""
    path = folder / "config.games.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    numbers = sorted(entry["number"] for entry in entries if entry["entry"] == "game")
    if len(set(numbers)) < len(numbers):
        yield f"games twice: {numbers}"
    if "-recover" in words and status == 0 and numbers != list(range(1, games + 1)):
        yield f"games {numbers} of {games}"
    if status not in (0, 1):
        yield f"exit status {status}"
    files = [["pgn", "check", "games.pgn"]] + [["replay", "check", str(path)] for path in folder.glob("replays/*.json")]
    for file in files:
        if (folder / file[-1]).exists() and (folder / file[-1]).stat().st_size:
            done = subprocess.run([adapter, *file], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                yield f"{shlex.join(file)}: {done.stdout}{done.stderr}"
    if "panicked" in (folder / "output.txt").read_text(errors="replace"):
        yield "a panic"


def play(rng, arguments, folder):
    """One match; gives what was wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    adapter, mock = str(arguments.adapter.resolve()), arguments.mock.resolve()
    words, games = command(rng, adapter, str(mock))
    (folder / "command.txt").write_text(shlex.join(words) + "\n")
    with open(folder / "output.txt", "w") as out:
        process = subprocess.Popen(words, cwd=folder, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return ["it does not end"]
    wrong = list(check(adapter, folder, words, games, status))
    time.sleep(0.05)
    if left_behind(mock, folder):
        wrong.append("engines are left behind")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", type=pathlib.Path)
    parser.add_argument("mock", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    end = time.monotonic() + 60 * arguments.minutes
    played = failed = 0
    while time.monotonic() < end:
        folder = (arguments.folder / f"match{played}").resolve()
        wrong = play(rng, arguments, folder)
        played += 1
        failed += bool(wrong)
        for text in wrong:
            print(f"{folder}: {text}", flush=True)
        if not wrong:
            shutil.rmtree(folder)
    print(f"{played} matches, {failed} with something wrong")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
