"""A UCI engine as a child process, for the referee and the benchmarks. Standard library only; needs pipes that select() can wait for."""

import os
import select
import subprocess
import time


class EngineError(Exception):
    """The engine died, or did not say what was waited for."""


class Engine:
    """Speaks lines with one engine. Reads in the caller's own thread, so that the time of a line is the time it arrived."""

    def __init__(self, path, arguments=()):
        self.path = path
        self.process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, *lines):
        """Writes lines in one piece."""
        try:
            data = memoryview("".join(line + "\n" for line in lines).encode())
            while data:
                data = data[self.process.stdin.write(data) :]
        except OSError as error:
            raise EngineError(f"{self.path} does not read: {error}") from error

    def line(self, timeout=60.0):
        """The next line, without its end."""
        deadline = time.perf_counter() + timeout
        while b"\n" not in self.buffer:
            left = deadline - time.perf_counter()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise EngineError(f"{self.path} said nothing for {timeout} s; unfinished: {self.buffer!r}")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EngineError(f"{self.path} ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode().rstrip("\r")

    def until(self, prefix, timeout=60.0):
        """The lines up to the first that begins with `prefix`, that one last."""
        lines = []
        deadline = time.perf_counter() + timeout
        while True:
            lines.append(self.line(max(0.0, deadline - time.perf_counter())))
            if lines[-1].startswith(prefix):
                return lines

    def ask(self, line, prefix, timeout=60.0):
        """Sends a line and gives the lines up to the first that begins with `prefix`."""
        self.send(line)
        return self.until(prefix, timeout)

    def hello(self):
        """The lines up to `uciok`."""
        return self.ask("uci", "uciok")

    def option(self, name, value=None):
        """Sets an option."""
        self.send(f"setoption name {name}" if value is None else f"setoption name {name} value {value}")

    def ready(self, timeout=60.0):
        """Waits for `readyok`."""
        self.ask("isready", "readyok", timeout)

    def cpu_seconds(self):
        """Processor time of the engine so far, all threads. Linux only."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        """Asks the engine to leave, and makes it leave if it does not."""
        try:
            self.process.stdin.write(b"quit\n")
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def setup(engine, variant, variants_file=None, **options):
    """Greets the engine and puts it on a variant; `variants_file` teaches it those of an ini file, where it has such an option."""
    lines = engine.hello()
    if variants_file is not None and any(line.startswith("option name VariantPath") for line in lines):
        engine.option("VariantPath", variants_file)
    for name, value in options.items():
        engine.option(name, value)
    engine.option("UCI_Variant", variant)
    engine.ready()
    return lines
