"""Search nodes per second: one thread in turn with another UCI engine's one thread, and our two threads in turn with one.

    python3 tests/bench/nps.py target/release/sanqi [--peer PATH] [--rounds 3] [--movetime 2000] [--hash 64] [--cpu]

On a busy machine `--cpu` divides by processor time; then two threads are not compared with one, since only the wall can. It tells too
little of both engines: what they did after their last report is in the time and not in the nodes. A search that ends by a proved mate
compares nothing and is marked so.
"""

import argparse
import statistics

import common
from perft import knows
from uci import Engine, setup


# Only a search that has nothing left to find out gets so deep in a few seconds.
MATE_DEPTH = 80


def search(path, variant, fen, threads, arguments):
    """Nodes per second and depth of one search in a fresh process, from the last line that tells both nodes and time."""
    options = {"Hash": arguments.hash, "Threads": threads}
    with Engine(path) as engine:
        setup(engine, variant, common.VARIANTS_FILE, **options)
        engine.send(f"position fen {fen}")
        engine.ready()
        speed = depth = nodes = 0
        began = engine.cpu_seconds() if arguments.cpu else 0.0
        for line in engine.ask(f"go movetime {arguments.movetime}", "bestmove", arguments.movetime / 1000 + 30):
            words = line.split()
            if "nodes" in words and "time" in words:
                milliseconds = int(words[words.index("time") + 1])
                nodes = int(words[words.index("nodes") + 1])
                speed = nodes * 1000 / max(1, milliseconds)
                depth = int(words[words.index("depth") + 1]) if "depth" in words else depth
        if arguments.cpu:
            speed = nodes / max(0.01, engine.cpu_seconds() - began)
        return speed, depth


def compare(seats, variant, fen, arguments):
    """Speeds and depths of each seat (path, threads), in turn."""
    results = [[] for _ in seats]
    for _ in range(arguments.rounds):
        for result, (path, threads) in zip(results, seats):
            result.append(search(path, variant, fen, threads, arguments))
    return [([speed for speed, _ in result], [depth for _, depth in result]) for result in results]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--peer")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--movetime", type=int, default=2000, help="milliseconds per search")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the wall's (Linux)")
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    arguments = parser.parse_args()
    for name, variant, fen, _ in common.positions():
        one = (arguments.engine, 1)
        if arguments.peer and knows(arguments.peer, variant):
            (ours, depth), (theirs, their_depth) = compare([one, (arguments.peer, 1)], variant, fen, arguments)
            ratio = statistics.median(a / b for a, b in zip(ours, theirs))
            note = "  (mate: not comparable)" if max(depth + their_depth) >= MATE_DEPTH else ""
            depths = f"depth {statistics.median(depth):.0f}, {statistics.median(their_depth):.0f}"
            print(f"{name:20} {common.summary(ours)}  peer {common.summary(theirs)}  ratio {ratio:.2f}  {depths}{note}", flush=True)
        if arguments.cpu:
            continue
        (single, _), (double, _) = compare([one, (arguments.engine, 2)], variant, fen, arguments)
        ratio = statistics.median(b / a for a, b in zip(single, double))
        print(f"{name:20} {common.summary(single)}  two threads {common.summary(double)}  ratio {ratio:.2f}", flush=True)


if __name__ == "__main__":
    main()
