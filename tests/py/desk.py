"""What the tests of the chess server have on their desk: displays, scripted clients, and XBoard's windows, which are worked by their keys.

Needs xboard, Xvfb, xdotool and xclip.
"""

import os
import queue
import re
import socket
import subprocess
import threading
import time

PATIENCE = 100


class Failure(Exception):
    """Something is not as it should be."""


def eventually(what, find, pause=0.2):
    """The first true answer of `find`."""
    deadline = time.monotonic() + PATIENCE
    while not (found := find()):
        if time.monotonic() > deadline:
            raise Failure(f"never: {what}")
        time.sleep(pause)
    return found


class Client:
    """A scripted client. Lines are read by a thread of their own, so that the server is never kept waiting."""

    def __init__(self, port, name):
        self.name = name
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.ask(name, "**** Starting FICS session")

    def read(self):
        with self.socket.makefile("r", encoding="utf-8", errors="replace", newline="\n") as stream:
            for line in stream:
                self.lines.put(line.strip())

    def send(self, line):
        self.socket.sendall(f"{line}\r\n".encode())

    def expect(self, pattern):
        """Skips lines up to one in which the pattern is found; gives the match."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Failure(f"{self.name} waited for {pattern!r} in vain") from None
            if found := re.search(pattern, line):
                return found

    def ask(self, line, pattern):
        self.send(line)
        return self.expect(re.escape(pattern) if pattern.startswith("*") else pattern)


class Screen:
    """A display of its own, with a clipboard of its own."""

    def __init__(self, size="1600x1000"):
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # Debian keeps games where PATH may not look.
        self.environment = os.environ | {"PATH": os.environ["PATH"] + ":/usr/games", "LC_ALL": "C.UTF-8"}
        self.environment["DISPLAY"] = f":{int(self.process.stdout.readline())}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def run(self, *command):
        """The output of a program on this display, whatever its exit code."""
        done = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout

    def windows(self, title):
        """Windows whose title has these words."""
        return self.run("xdotool", "search", "--onlyvisible", "--name", title).split()

    def frame(self, window):
        """The left, top, right and lower end of a window."""
        shell = self.run("xdotool", "getwindowgeometry", "--shell", window)
        x, y, width, height = (int(re.search(rf"^{name}=(-?\d+)$", shell, re.MULTILINE)[1]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
        return x, y, x + width, y + height

    def press(self, window, *keys):
        """Sends keys to a window, with or without the focus."""
        self.run("xdotool", "key", "--window", window, *keys)

    def positions(self, window, plies):
        """The positions that XBoard holds of its game, from the first to the one after so many plies: it is led through them by the keys of
        its menu, and each is what it copies as FEN."""
        found = []
        for ply in range(plies + 1):
            self.press(window, "alt+Right" if ply > 0 else "alt+Home", "ctrl+shift+c")
            former = found[-1] if found else ""
            found.append(eventually(f"XBoard copies its position after ply {ply}", lambda former=former: self.copied(former), 0.01))
        return found

    def copied(self, former):
        """What is in the clipboard, unless it is still what it was. Successive positions differ at least by the side to move."""
        text = self.run("xclip", "-o", "-selection", "clipboard")
        return None if text == former else text
