"""Time until a fangqi position is solved (`info string exact …`), by the number of placements left.

    python3 tests/bench/fangqi_exact.py target/release/sanqi [--left 10-20] [--positions 20] [--limit 10] [--hash 64] [--threads 1]

The positions come from seeded games: ten random placements, then the engine against itself at few nodes.
"""

import argparse
import random
import statistics
import time

import common
from uci import Engine, EngineError, setup

PLACEMENTS = 40  # of a whole game (FQ-7)
RANDOM = 10


def opening(engine, left, rng):
    """Moves of a game with `left` placements to come."""
    moves = []
    while len(moves) < PLACEMENTS - left:
        engine.send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
        if len(moves) < RANDOM:
            legal = engine.ask("legal", "info string legal")[-1].split()[3:]
            moves.append(rng.choice(legal))
        else:
            best = engine.ask("go nodes 300", "bestmove")[-1].split()[1]
            if best == "(none)":
                return opening(engine, left, rng)
            moves.append(best)
    return moves


def solve(engine, moves, limit):
    """Seconds until the position is solved, `None` beyond `limit`."""
    engine.send("ucinewgame", f"position startpos moves {' '.join(moves)}")
    engine.ready()
    began = time.perf_counter()
    engine.send("go infinite")
    seconds = None
    try:
        while seconds is None:
            if engine.line(max(0.0, began + limit - time.perf_counter())).startswith("info string exact"):
                seconds = time.perf_counter() - began
    except EngineError:
        if engine.process.poll() is not None:
            raise
    engine.ask("stop", "bestmove")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--left", default="10-20", help="placements left, from-to")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds per position")
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    first, last = (int(number) for number in arguments.left.split("-"))
    with Engine(arguments.engine) as engine:
        setup(engine, "fangqi", Hash=arguments.hash, Threads=arguments.threads)
        for left in range(first, last + 1):
            rng = random.Random(f"{arguments.seed} {left}")
            times = []
            for _ in range(arguments.positions):
                times.append(solve(engine, opening(engine, left, rng), arguments.limit))
            solved = [seconds for seconds in times if seconds is not None]
            line = f"{left:2} left: {len(solved):3} of {len(times)} solved within {arguments.limit:g} s"
            if solved:
                p90 = common.percentile(solved, 0.9)
                line += f", median {statistics.median(solved):7.3f} s, 90 % {p90:7.3f} s, slowest {max(solved):7.3f} s"
            print(line, flush=True)
            if not solved:
                break


if __name__ == "__main__":
    main()
