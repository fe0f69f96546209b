"""What `sanqi-adapter analyse` costs: nodes per second against bare engine processes, memory, and optionally a NATS server in between.

    python3 tests/bench/analyse.py target/release/sanqi-adapter target/release/sanqi
        [--positions 10000] [--nodes 2000] [--concurrency 2] [--rounds 3] [--gigabytes 1] [--nats]

Every run searches the same positions with the same commands (`ucinewgame`, `position`, `go nodes N`), in turn with the bare engines, so the nodes are
the same and the ratio is that of the times: of the wall, and of the processor time of all processes together, which is the one to
look at on a machine where others are at work. `--nats` needs `nats-server` and compares with the local run instead.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import common

sys.path.insert(0, str(common.TESTS / "py"))
from nats import Server, worker  # noqa: E402


def positions(count):
    """FENs of the openings of this repository with their games, over and over with other counters, so that all differ."""
    books = [(name, [line for line in (common.TESTS.parent / "adapter/openings" / f"{name}.epd").read_text().splitlines() if line])
             for name in ("xiangqi", "supply", "yangqi", "fangqi")]
    out = []
    for number in range(count):
        name, lines = books[number % len(books)]
        fields = lines[number // len(books) % len(lines)].split()[:4]
        out.append((name, " ".join(fields) + f" 0 {1 + number // len(books) // len(lines)}"))
    # By game, as a user would have them: changing the game costs an engine its table.
    return sorted(out)


def usage():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(run):
    """Seconds of wall and of processor that a function's child processes took."""
    cpu, wall = usage(), time.perf_counter()
    run()
    return time.perf_counter() - wall, usage() - cpu


def bare(arguments, scripts):
    """Engines that read their commands from files."""
    processes = [subprocess.Popen([arguments.engine], stdin=open(script, "rb"), stdout=subprocess.DEVNULL) for script in scripts]
    for process in processes:
        if process.wait() != 0:
            sys.exit("an engine failed")


def peak_memory(process):
    """Highest resident memory of a process up to now, in MiB."""
    try:
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def adapter(arguments, options, feed=None, looks=True):
    """A run of the adapter; gives its highest resident memory in MiB if it `looks`."""
    command = [arguments.adapter, "analyse", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if feed:
        def write():
            with process.stdin as pipe:
                feed(pipe)
        threading.Thread(target=write, daemon=True).start()
    memory = 0.0
    # To look costs the engines some of their time.
    while looks and process.poll() is None:
        memory = max(memory, peak_memory(process))
        time.sleep(0.02)
    process.wait()
    if process.returncode != 0:
        sys.exit(f"{command}: exit status {process.returncode}")
    return memory


def search(arguments, file, output):
    return [str(file), "--engine", arguments.engine, "--nodes", str(arguments.nodes), "--concurrency",
            str(arguments.concurrency), "--output", str(output)]


def speed(arguments, folder):
    """Against bare engines."""
    wanted = positions(arguments.positions)
    file, output = folder / "positions.jsonl", folder / "rows.jsonl"
    file.write_text("".join(json.dumps({"id": n, "variant": v, "fen": f}) + "\n" for n, (v, f) in enumerate(wanted)))
    scripts = []
    for part in range(arguments.concurrency):
        lines, last = ["uci", "setoption name UCI_AnalyseMode value true", "setoption name UCI_ShowWDL value true"], None
        # Every so-many-th, so that all have the same share of every game.
        for variant, fen in wanted[part::arguments.concurrency]:
            if variant != last:
                lines.append(f"setoption name UCI_Variant value {variant}")
                last = variant
            lines += ["ucinewgame", f"position fen {fen}", f"go nodes {arguments.nodes}"]
        scripts.append(folder / f"script{part}")
        scripts[-1].write_text("\n".join(lines) + "\n")

    def run():
        output.unlink(missing_ok=True)
        adapter(arguments, search(arguments, file, output), looks=False)

    walls, cpus = [], []
    for _ in range(arguments.rounds):
        bare_wall, bare_cpu = measure(lambda: bare(arguments, scripts))
        wall, cpu = measure(run)
        walls.append(bare_wall / wall)
        cpus.append(bare_cpu / cpu)
        print(f"  bare {bare_wall:6.1f} s, processor {bare_cpu:6.1f} s; adapter {wall:6.1f} s, processor {cpu:6.1f} s", flush=True)
    print(f"{len(wanted)} positions, nodes/s of the bare engines' reached: by the wall {statistics.median(walls):.3f}, "
          f"by processor time {statistics.median(cpus):.3f}")
    return file


def memory(arguments, folder, file):
    """Resident memory by the number of positions."""
    few, peaks = folder / "few.jsonl", []
    with open(file, encoding="utf-8") as lines:
        few.write_text("".join(line for number, line in enumerate(lines) if number % 10 == 0))
    for part in (few, file):
        output = folder / "memory.jsonl"
        output.unlink(missing_ok=True)
        peaks.append(adapter(arguments, search(arguments, part, output)))
    print(f"memory {peaks[0]:.1f} MiB at a tenth, {peaks[1]:.1f} MiB at all: ratio {peaks[1] / peaks[0]:.2f}")


def stream(arguments, folder):
    """A large input that is never on the disk."""
    wanted = positions(2000)
    note = "x" * 900

    def feed(pipe):
        written, number = 0, 0
        while written < arguments.gigabytes * 1e9:
            variant, fen = wanted[number % len(wanted)]
            line = json.dumps({"id": number, "variant": variant, "fen": fen, "note": note}).encode() + b"\n"
            pipe.write(line)
            written += len(line)
            number += 1

    output = folder / "stream.csv"
    peak = adapter(arguments, ["--rules-only", "--format", "csv", "--output", str(output)], feed)
    with open(output, "rb") as rows:
        count = sum(1 for _ in rows) - 1
    print(f"{arguments.gigabytes} GB of JSON lines, {count} positions: {peak:.1f} MiB")


def nats(arguments, folder, file):
    """Against the local run."""
    walls, cpus = [], []
    for _ in range(arguments.rounds):
        results = []
        for far in (False, True):
            output = folder / "nats.jsonl"
            output.unlink(missing_ok=True)
            # Server and worker run before and after: a worker that is told to end waits for its last request.
            spent = []

            def timed(options):
                begin = time.perf_counter()
                adapter(arguments, options)
                spent.append(time.perf_counter() - begin)

            def run():
                if not far:
                    timed(search(arguments, file, output))
                    return
                with Server(folder) as server, worker(arguments.adapter, arguments.engine, server.url, arguments.concurrency):
                    timed([str(file), "--nats", server.url, "--nodes", str(arguments.nodes), "--output", str(output)])
            results.append((measure(run)[1], spent[0]))
        (local_cpu, local), (far_cpu, far_wall) = results
        walls.append(local / far_wall)
        cpus.append(local_cpu / far_cpu)
        print(f"  local {local:6.1f} s, processor {local_cpu:6.1f} s; NATS {far_wall:6.1f} s, processor {far_cpu:6.1f} s", flush=True)
    print(f"of the local run's speed reached over NATS: by the wall {statistics.median(walls):.3f}, "
          f"by processor time {statistics.median(cpus):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter")
    parser.add_argument("engine")
    parser.add_argument("--positions", type=int, default=10000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gigabytes", type=float, default=1.0, help="0: no large input")
    parser.add_argument("--nats", action="store_true")
    arguments = parser.parse_args()
    arguments.adapter, arguments.engine = os.path.abspath(arguments.adapter), os.path.abspath(arguments.engine)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = speed(arguments, folder)
        if arguments.nats:
            nats(arguments, folder, file)
            return
        memory(arguments, folder, file)
        if arguments.gigabytes:
            stream(arguments, folder)


if __name__ == "__main__":
    main()
