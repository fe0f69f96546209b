"""Analysis over a NATS server, disturbed: workers are killed, the server is killed and restarted, and every position comes out once.

usage: analysis_nats.py ADAPTER ENGINE [--positions 600] [--nodes 20000] [--workers 3] [--kill-every 3] [--restart-at 0.4]

The output must be that of an undisturbed local run, byte for byte, and workers that are asked to end must do so in order. Two small parts look at a run
that is killed and resumed, and at passwords and TLS.
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

from nats import Server, start_worker, worker

ROOT = pathlib.Path(__file__).resolve().parents[2]


def positions(count):
    """JSON lines from the books of openings, two of them bad."""
    books = []
    for name in ("xiangqi", "supply", "yangqi", "fangqi"):
        lines = (ROOT / "adapter" / "openings" / f"{name}.epd").read_text(encoding="utf-8").splitlines()
        books.append((name, [" ".join(line.split()[:4]) for line in lines if line]))
    out = []
    for number in range(count):
        name, fens = books[number % len(books)]
        fen = f"{fens[number // len(books) % len(fens)]} 0 {1 + number // len(books) // len(fens)}"
        out.append(json.dumps({"id": number, "variant": name, "fen": "bad" if number in (7, count - 3) else fen}))
    return "\n".join(out) + "\n"


class Killer:
    """Keeps workers running and kills one of them, in turn, every so many seconds."""

    def __init__(self, arguments, url):
        self.start = lambda: start_worker(arguments.adapter, arguments.engine, url, 1)
        self.workers = [self.start() for _ in range(arguments.workers)]
        self.every, self.killed, self.ended = arguments.kill_every, 0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.ended.wait(self.every):
            index = self.killed % len(self.workers)
            self.workers[index].kill()
            self.workers[index].wait()
            self.killed += 1
            self.workers[index] = self.start()

    def close(self):
        self.ended.set()
        self.thread.join()
        # One way to be asked as well as the other.
        for number, process in enumerate(self.workers):
            process.send_signal((signal.SIGTERM, signal.SIGINT)[number % 2])
        return [process.wait(60) for process in self.workers]


def disturbed(arguments, folder):
    """The large run; gives what is wrong with it."""
    file, local, far = folder / "positions.jsonl", folder / "local.jsonl", folder / "far.jsonl"
    file.write_text(positions(arguments.positions), encoding="utf-8")
    options = ["--nodes", str(arguments.nodes), "--hash", "1", "--no-times"]
    began = time.monotonic()
    subprocess.run([arguments.adapter, "analyse", file, *options, "--engine", arguments.engine, "--output", local], check=True)
    undisturbed = time.monotonic() - began
    began = time.monotonic()
    with Server(folder) as server:
        killer = Killer(arguments, server.url)
        run = subprocess.Popen([arguments.adapter, "analyse", file, *options, "--nats", server.url, "--output", far])
        restarted = False
        while run.poll() is None:
            time.sleep(0.1)
            rows = far.read_bytes().count(b"\n") if far.exists() else 0
            if not restarted and rows >= arguments.restart_at * arguments.positions:
                server.kill()
                time.sleep(1)
                server.start()
                restarted = True
        statuses = killer.close()
    seconds = time.monotonic() - began
    rows = far.read_text(encoding="utf-8").splitlines()
    ids = [json.loads(row)["id"] for row in rows]
    print(f"{len(rows)} rows of {arguments.positions} positions, {len(set(ids))} different, {killer.killed} workers killed, "
          f"server restarted: {restarted}; {seconds:.0f} s, the local run {undisturbed:.0f} s")
    failures = []
    if run.returncode != 0:
        failures.append(f"exit status {run.returncode}")
    if not restarted or not killer.killed:
        failures.append("the run was over before it was disturbed; give it more positions")
    if any(statuses):
        failures.append(f"workers that were asked to end did so with {statuses}")
    if far.read_bytes() != local.read_bytes():
        failures.append("the output is not that of the local run")
    return failures


def resumed(arguments, folder):
    """A run whose collector is killed goes on where it was."""
    file, whole, cut = folder / "positions.jsonl", folder / "whole.jsonl", folder / "cut.jsonl"
    file.write_text(positions(60), encoding="utf-8")
    options = ["--nodes", str(arguments.nodes), "--hash", "1", "--no-times"]
    subprocess.run([arguments.adapter, "analyse", file, *options, "--engine", arguments.engine, "--output", whole], check=True)
    with Server(folder) as server, worker(arguments.adapter, arguments.engine, server.url, 1):
        command = [arguments.adapter, "analyse", file, *options, "--nats", server.url, "--output", cut]
        run = subprocess.Popen(command)
        while not cut.exists() or cut.stat().st_size == 0:
            time.sleep(0.01)
        run.kill()
        run.wait()
        subprocess.run([*command, "--resume"], check=True, timeout=120)
    return [] if cut.read_bytes() == whole.read_bytes() else ["a run that was killed and resumed differs"]


def guarded(arguments, folder):
    """A server that wants a password and speaks TLS."""
    certificate, key, credentials = folder / "cert.pem", folder / "key.pem", folder / "password"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
                    "-addext", "basicConstraints=critical,CA:FALSE"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    credentials.write_text("sanqi:a secret\n", encoding="utf-8")
    tls = ["--tls", f"--tlscert={certificate}", f"--tlskey={key}", "--user", "sanqi", "--pass", "a secret"]
    failures = []
    with Server(folder, *tls) as server:
        url = server.url.replace("nats:", "tls:")
        access = ["--nats-creds", credentials, "--nats-ca", certificate]
        command = [arguments.adapter, "analyse", "--rules-only", "--nats", url]
        text = positions(9)
        with worker(arguments.adapter, arguments.engine, url, 1, *access):
            done = subprocess.run([*command, *access], input=text, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
            if done.stdout.count("\n") != 9:
                failures.append(f"over TLS: {done.stdout}")
        for refused in (access[:2], access[2:]):
            done = subprocess.run([*command, *refused], input=text, capture_output=True, text=True, check=False, timeout=60)
            if done.returncode != 1 or "NATS" not in done.stderr:
                failures.append(f"not refused with {refused}: {done.stderr}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter")
    parser.add_argument("engine")
    parser.add_argument("--positions", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--kill-every", type=float, default=3)
    parser.add_argument("--restart-at", type=float, default=0.4, help="part of the rows after which the server is restarted")
    arguments = parser.parse_args()
    arguments.adapter, arguments.engine = (str(pathlib.Path(path).resolve()) for path in (arguments.adapter, arguments.engine))
    failures = []
    for part in (disturbed, resumed, guarded):
        with tempfile.TemporaryDirectory() as folder:
            failures += [f"{part.__name__}: {failure}" for failure in part(arguments, pathlib.Path(folder))]
    print("\n".join(failures) or "no failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
