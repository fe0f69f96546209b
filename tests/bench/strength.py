"""Strength of one engine against another, in colour-reversed pairs from the kept openings, by `sanqi-adapter match`.

    python3 tests/bench/strength.py CANDIDATE BASELINE --variants supply,supply-reserves,yangqinoswap,xiangqi \\
        [--games 400] [--tc 1+0.01 | --nodes N] [--sprt ELO0 ELO1] [--concurrency 2] [--threads A,B] [--note TEXT] [--record]

A variant is named as its opening file; `supply-reserves` is supply from openings with pieces in reserve, `yangqinoswap` takes the
openings of yangqi, `supply2` has random ones. Fairy-Stockfish has its seats of supply2 by the XBoard protocol; a game is a match of two
boards there. The state of every match is kept in --logs, so a run that was cut off goes on when the same command is given again.
`--record` appends a row a match to protocol-docs/strength.md. Fairy-Stockfish is recognised by its option VariantPath.
"""

import argparse
import datetime
import pathlib
import re
import subprocess
import sys

import common
from uci import Engine

ROOT = common.TESTS.parent
RECORD = ROOT / "protocol-docs" / "strength.md"
OPENINGS = ROOT / "adapter" / "openings"
FORFEITS = ("loses on time", "illegal move", "disconnects", "stalls")


def game_of(variant):
    """Variant of a name on the command line, and the words for its openings."""
    if variant == "supply2":
        return variant, ["random"]
    name = "yangqi" if variant == "yangqinoswap" else variant
    file = OPENINGS / f"{name}.epd"
    return "supply" if variant == "supply-reserves" else variant, [f"file={file}", "format=epd", "order=random"]


def engine_words(path, name, threads, limit, game):
    """The `-engine` part of the command line."""
    with Engine(path) as engine:
        fairy = any(line.startswith("option name VariantPath") for line in engine.hello())
    words = ["-engine", f"cmd={path}", f"name={name}", limit, "option.Hash=64", f"option.Threads={threads}"]
    if fairy:
        words += ["proto=xboard"] if game == "supply2" else [f"option.VariantPath={common.VARIANTS_FILE}"]
    return words


def play(variant, arguments):
    """Plays one match, or what is left of it; gives the tool's lines."""
    game, openings = game_of(variant)
    stem = f"{arguments.names[0]}-{arguments.names[1]}-{variant}-{arguments.limit.replace('=', '')}".replace("/", "_")
    state = arguments.logs / f"{stem}.json"
    command = [arguments.adapter, "match"]
    if state.exists():
        command += ["-config", f"file={state}", f"outname={state}"]
    else:
        command += ["-variant", game]
        paths = (arguments.candidate, arguments.baseline)
        for path, name, threads in zip(paths, arguments.names, arguments.threads):
            command += engine_words(path, name, threads, arguments.limit, game)
        command += ["-openings", *openings, "-srand", str(arguments.seed)]
        command += ["-rounds", str(arguments.games // 2), "-repeat", "-concurrency", str(arguments.concurrency), "-recover"]
        command += ["-pgnout", f"file={arguments.logs / (stem + '.pgn')}", "-config", f"outname={state}"]
        if arguments.sprt:
            command += ["-sprt", f"elo0={arguments.sprt[0]}", f"elo1={arguments.sprt[1]}", "alpha=0.05", "beta=0.05"]
    lines = []
    with open(arguments.logs / f"{stem}.log", "a", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            log.write(line)
            log.flush()
            lines.append(line.rstrip())
    if process.wait() != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return lines, (arguments.logs / f"{stem}.log").read_text(encoding="utf-8").splitlines()


def result(lines, log):
    """Games, wins, losses, draws, score in per cent, Elo with its error, and forfeits of either side, from the tool's report."""
    text = "\n".join(lines)
    elo = re.findall(r"^Elo: (\S+) \+/- ([^,]+)", text, re.M)[-1]
    counts = re.findall(r"^Games: (\d+), Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: \S+ \(([\d.]+) %\)", text, re.M)[-1]
    forfeits = sum(line.startswith("Finished game") and any(word in line for word in FORFEITS) for line in log)
    return counts, elo, forfeits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("candidate")
    parser.add_argument("baseline")
    parser.add_argument("--variants", default="supply,supply-reserves,yangqinoswap,xiangqi")
    parser.add_argument("--names", default="candidate,baseline")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--tc", default="1+0.01")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"))
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--threads", default="1,1", help="of the candidate and of the baseline")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--adapter", default=str(ROOT / "target" / "release" / "sanqi-adapter"))
    parser.add_argument("--logs", type=pathlib.Path, default=ROOT / "target" / "strength")
    parser.add_argument("--note", default="")
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    arguments.names = arguments.names.split(",")
    arguments.threads = arguments.threads.split(",")
    arguments.limit = f"nodes={arguments.nodes}" if arguments.nodes else f"tc={arguments.tc}"
    arguments.logs.mkdir(parents=True, exist_ok=True)
    for variant in arguments.variants.split(","):
        (games, wins, losses, draws, score), (elo, error), forfeits = result(*play(variant, arguments))
        row = [
            datetime.date.today().isoformat(), variant, *arguments.names, arguments.limit, games,
            f"+{wins} −{losses} ={draws}", f"{score} %", f"{elo} ± {error}", str(forfeits), arguments.note,
        ]
        print(" | ".join(row), flush=True)
        if arguments.record:
            with open(RECORD, "a", encoding="utf-8") as record:
                record.write("| " + " | ".join(row) + " |\n")


if __name__ == "__main__":
    main()
