"""Waiting times of a UCI engine: from start to `uciok`, from `stop` to `bestmove`, and `isready` during a search.

    python3 tests/bench/latency.py target/release/sanqi [--stops 200] [--hash 64] [--threads 1] [--starts 50] [--variants xiangqi,…]
"""

import argparse
import random
import time

import common
from uci import Engine, setup


def tell(name, seconds):
    """One line: median, 99th percentile, maximum in milliseconds."""
    p50, p99, worst = (common.percentile(seconds, part) * 1000 for part in (0.5, 0.99, 1.0))
    print(f"{name:34} p50 {p50:8.2f} ms  p99 {p99:8.2f} ms  max {worst:8.2f} ms  (n = {len(seconds)})", flush=True)


def start_up(path):
    """Seconds from the start of the process to `uciok`."""
    began = time.perf_counter()
    with Engine(path) as engine:
        engine.hello()
        return time.perf_counter() - began


def stops(arguments, variant, rng):
    """Seconds from `stop` to `bestmove` and from `isready` to `readyok`, over random games: a random legal move after each stop."""
    fens = [fen for _, other, fen, _ in common.positions() if other == variant]
    stopped, ready = [], []
    with Engine(arguments.engine) as engine:
        setup(engine, variant, common.VARIANTS_FILE, Hash=arguments.hash, Threads=arguments.threads)
        fen, moves = rng.choice(fens), []
        for _ in range(arguments.stops):
            engine.send(f"position fen {fen} moves {' '.join(moves)}" if moves else f"position fen {fen}", "go infinite")
            time.sleep(rng.uniform(0.0, arguments.longest / 1000))
            began = time.perf_counter()
            engine.ask("isready", "readyok")
            ready.append(time.perf_counter() - began)
            began = time.perf_counter()
            best = engine.ask("stop", "bestmove")[-1].split()[1]
            stopped.append(time.perf_counter() - began)
            if best in ("(none)", "0000") or len(moves) > 60:
                fen, moves = rng.choice(fens), []
            else:
                moves.append(best)
    return stopped, ready


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--starts", type=int, default=50)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--longest", type=int, default=200, help="longest search before a stop, milliseconds")
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--variants", default="xiangqi,supply,yangqi,fangqi")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tell("start to uciok", [start_up(arguments.engine) for _ in range(arguments.starts)])
    for variant in arguments.variants.split(","):
        stopped, ready = stops(arguments, variant, random.Random(arguments.seed))
        tell(f"{variant}: stop to bestmove", stopped)
        tell(f"{variant}: isready in a search", ready)


if __name__ == "__main__":
    main()
