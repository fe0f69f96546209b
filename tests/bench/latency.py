"""Waiting times of a UCI engine: from start to `uciok`, from `stop` to `bestmove`, `isready` during a search, and `ucinewgame`
after a search until `readyok`. Every size of table goes with every number of threads. Where the system allows it (root), the script runs ahead of
all other programs, so that its own waits for a processor are not taken for the engine's.

    python3 tests/bench/latency.py target/release/sanqi [--stops 200] [--hash 64,…] [--threads 1,…] [--starts 50] [--variants xiangqi,…]
"""

import argparse
import os
import random
import time

import common
from uci import Engine, setup


def tell(name, seconds):
    """One line: median, 99th percentile, maximum in milliseconds."""
    p50, p99, worst = (common.percentile(seconds, part) * 1000 for part in (0.5, 0.99, 1.0))
    print(f"{name:34} p50 {p50:8.2f} ms  p99 {p99:8.2f} ms  max {worst:8.2f} ms  (n = {len(seconds)})", flush=True)


def go_ahead():
    """Has this process, but none that it starts, go ahead of all others where that is allowed."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except (AttributeError, OSError) as error:
        print(f"the script waits for a processor like everybody ({error})")


def start_up(path):
    """Seconds from the start of the process to `uciok`."""
    began = time.perf_counter()
    with Engine(path) as engine:
        engine.hello()
        return time.perf_counter() - began


def stops(arguments, variant, size, threads, rng):
    """Seconds from `stop` to `bestmove`, from `isready` to `readyok`, and from `ucinewgame` to `readyok`, over random games: the answer
    is played after each stop."""
    fens = [f"fen {fen}" for _, other, fen, _ in common.positions() if other == variant] or ["startpos"]
    go = "go board 1 infinite" if variant == "supply2" else "go infinite"
    stopped, ready, renewed = [], [], []
    with Engine(arguments.engine) as engine:
        setup(engine, variant, common.VARIANTS_FILE, Hash=size, Threads=threads)
        fen, moves = rng.choice(fens), []
        for _ in range(arguments.stops):
            engine.send(f"position {fen} moves {' '.join(moves)}" if moves else f"position {fen}", go)
            time.sleep(rng.uniform(0.0, arguments.longest / 1000))
            began = time.perf_counter()
            engine.ask("isready", "readyok")
            ready.append(time.perf_counter() - began)
            began = time.perf_counter()
            best = engine.ask("stop", "bestmove")[-1].split()[1]
            stopped.append(time.perf_counter() - began)
            if best in ("(none)", "0000") or len(moves) > 60:
                fen, moves = rng.choice(fens), []
                began = time.perf_counter()
                engine.send("ucinewgame")
                engine.ready()
                renewed.append(time.perf_counter() - began)
            else:
                moves.append(best)
    return stopped, ready, renewed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--starts", type=int, default=50)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--longest", type=int, default=200, help="longest search before a stop, milliseconds")
    parser.add_argument("--hash", default="64", help="MiB")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--variants", default="xiangqi,supply,supply2,yangqi,fangqi")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    go_ahead()
    tell("start to uciok", [start_up(arguments.engine) for _ in range(arguments.starts)])
    for size in arguments.hash.split(","):
        for threads in arguments.threads.split(","):
            print(f"{size} MiB, threads: {threads}")
            for variant in arguments.variants.split(","):
                stopped, ready, renewed = stops(arguments, variant, size, threads, random.Random(arguments.seed))
                tell(f"{variant}: stop to bestmove", stopped)
                tell(f"{variant}: isready in a search", ready)
                if renewed:
                    tell(f"{variant}: ucinewgame", renewed)


if __name__ == "__main__":
    main()
