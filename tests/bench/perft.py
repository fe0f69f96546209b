"""Leaves per second of `go perft`, alone or in turn with another UCI engine (A B A B …) that counts the same way.

    python3 tests/bench/perft.py target/release/sanqi [--peer PATH] [--rounds 5] [--cpu]

The peer must print `Nodes searched: N` as Stockfish does; `yangqinoswap` reaches it through its option VariantPath.
On a busy machine `--cpu` divides by processor time, to the hundredth of a second, instead of the time on the wall.
"""

import argparse
import statistics
import time

import common
from uci import Engine, setup


def count(path, variant, fen, depth, cpu):
    """Leaves of one count, and leaves per second over at least a second of counting, in a fresh process."""
    with Engine(path) as engine:
        setup(engine, variant, common.VARIANTS_FILE)
        engine.send(f"position fen {fen}")
        engine.ready()
        clock = engine.cpu_seconds if cpu else time.perf_counter
        began = clock()
        total = 0
        while clock() - began < 1.0:
            line = engine.ask(f"go perft {depth}", "Nodes searched", 600)[-1]
            leaves = int(line.split(":")[1])
            total += leaves
        return leaves, total / (clock() - began)


def knows(path, variant):
    """Whether an engine offers a variant."""
    with Engine(path) as engine:
        lines = engine.hello()
        if any(line.startswith("option name VariantPath") for line in lines):
            engine.option("VariantPath", common.VARIANTS_FILE)
            lines = engine.hello()
        return common.offers(lines, variant)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--peer")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the wall's (Linux)")
    arguments = parser.parse_args()
    for name, variant, fen, depth in common.positions():
        paths = [arguments.engine]
        if arguments.peer and knows(arguments.peer, variant):
            paths.append(arguments.peer)
        speeds = {path: [] for path in paths}
        leaves = set()
        for _ in range(arguments.rounds):
            for path in paths:
                count_of_leaves, speed = count(path, variant, fen, depth, arguments.cpu)
                leaves.add(count_of_leaves)
                speeds[path].append(speed)
        line = f"{name:20} depth {depth}  {common.summary(speeds[arguments.engine])}"
        if len(paths) == 2:
            ratio = statistics.median(a / b for a, b in zip(*speeds.values()))
            line += f"  peer {common.summary(speeds[arguments.peer])}  ratio {ratio:.2f}"
        print(line, "" if len(leaves) == 1 else f"  COUNTS DIFFER: {sorted(leaves)}", flush=True)


if __name__ == "__main__":
    main()
