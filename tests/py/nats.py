"""A NATS server and workers of the adapter as child processes, for tests and benchmarks. Needs Debian's `nats-server`."""

import contextlib
import pathlib
import socket
import subprocess
import time


class Server:
    """A server with JetStream on a port of its own, that can be restarted."""

    def __init__(self, folder, *options):
        self.store = pathlib.Path(folder) / f"jetstream{time.monotonic_ns()}"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.options = options
        self.process = None

    def start(self):
        command = ["nats-server", "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", str(self.store), *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            if self.process.poll() is not None:
                raise RuntimeError(f"nats-server ended with status {self.process.returncode}")
            time.sleep(0.05)
        raise RuntimeError("nats-server does not listen")

    def stop(self):
        self.process.terminate()
        self.process.wait(20)

    def kill(self):
        """Ends it without a chance to put anything in order."""
        self.process.kill()
        self.process.wait(20)

    __enter__ = start

    def __exit__(self, *_):
        self.stop()


def start_worker(adapter, engine, url, cores, *options):
    """A worker, as a process."""
    command = [adapter, "worker", "--nats", url, "--engine", engine, "--cores", str(cores), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def worker(adapter, engine, url, cores, *options):
    """A worker that is asked to end at the end, and must do so in order."""
    process = start_worker(adapter, engine, url, cores, *options)
    try:
        yield process
        process.terminate()
        if process.wait(30) != 0:
            raise RuntimeError(f"the worker ended with status {process.returncode}")
    finally:
        process.kill()
        process.wait()
