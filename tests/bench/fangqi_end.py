"""Counts the half points that a player gave away in the last placements of fangqi games, by the exact solver.

    python3 tests/bench/fangqi_end.py target/release/sanqi GAMES.pgn --name NAME [--left 12] [--games 200] [--hash 64] [--threads 1]

NAME is the player as the PGN file has it. Every position with at most --left placements to come is solved; where a move of the player
makes the result worse for it, the move is told. The exit status is 1 if there was one.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import common
from uci import Engine, setup

ADAPTER = common.TESTS.parent / "target" / "release" / "sanqi-adapter"
START = common.recorded("fangqi")[0][0]
SOLVING = 600_000  # milliseconds, more than any of these positions needs


def games(adapter, path):
    """Tags, and moves as UCI has them, of every game in a PGN file."""
    convert = [adapter, "pgn", "convert", "--to", "uci", path]
    text = subprocess.run(convert, stdout=subprocess.PIPE, text=True, check=True).stdout
    for game in re.split(r"(?m)^(?=\[Event )", text)[1:]:
        tags, moves = game.split("\n\n", 1)
        yield dict(re.findall(r'^\[(\w+) "(.*)"\]$', tags, re.M)), re.findall(r"[Pp]@\w+", re.sub(r"\{[^}]*\}", "", moves))


def solved(engine, fen, moves):
    """The result for the side to move with best play: 1, 0 or -1."""
    engine.send(f"position fen {fen} moves {' '.join(moves)}")
    lines = engine.ask(f"go movetime {SOLVING}", "bestmove", SOLVING / 1000)
    score = [re.search(r"score (cp|mate) (-?\d+)", line) for line in lines if " score " in line][-1]
    over = lines[-1] == "bestmove (none)"
    if not over and "info string exact" not in lines:
        raise SystemExit(f"not solved: {fen} moves {' '.join(moves)}")
    kind, number = score[1], int(score[2])
    if kind == "cp":
        return 0
    return 1 if number > 0 else -1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("pgn", type=pathlib.Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--left", type=int, default=12)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--adapter", default=str(ADAPTER))
    arguments = parser.parse_args()
    played = checked = lost = 0
    with Engine(arguments.engine) as engine:
        setup(engine, "fangqi", Hash=arguments.hash, Threads=arguments.threads)
        for tags, moves in games(arguments.adapter, arguments.pgn):
            if arguments.name not in (tags["White"], tags["Black"]):
                continue
            fen = tags.get("FEN", START)
            turn = 0 if (fen.split()[1] == "w") == (tags["White"] == arguments.name) else 1
            reserve = len(fen[fen.index("[") + 1 : fen.index("]")])
            first = max(0, reserve - arguments.left)
            results = [solved(engine, fen, moves[:ply]) for ply in range(first, len(moves) + 1)]
            for ply, (before, after) in enumerate(zip(results, results[1:]), first):
                if ply % 2 != turn:
                    continue
                checked += 1
                if -after < before:
                    lost += 1
                    told = f"round {tags['Round']}: {before:+} to {-after:+} by {moves[ply]}, {reserve - ply} left"
                    print(f"{told}: {fen} moves {' '.join(moves[:ply])}", flush=True)
            played += 1
            if played == arguments.games:
                break
            if played % 20 == 0:
                print(f"{played} games, {checked} moves, {lost} half points or points lost", file=sys.stderr, flush=True)
    print(f"{played} games, {checked} moves with at most {arguments.left} placements to come, {lost} made the result worse")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
