"""Runs the snippets of a document, and compares what they print with what it shows.

usage: scripting.py ADAPTER ENGINE [DOCUMENT]

Blocks that open with `sh` or `python` are run, in order and in one folder that is empty at first. A block `output` right behind one is what it
prints; `…` there stands for any text. Needs `jq`, GNU `parallel`, `nats-server`, and pyffish in the Python that runs this.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:```output\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
COMMANDS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}


def fits(expected, found):
    """Whether a line is one in which `…` stands for any text."""
    return re.fullmatch(".*".join(re.escape(part) for part in expected.split("…")), found) is not None


def run(kind, text, expected, folder, environment):
    """Runs a snippet; gives what is wrong with it."""
    done = subprocess.run([*COMMANDS[kind], text], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    lines, wanted = done.stdout.splitlines(), (expected or "").splitlines()
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    if len(lines) != len(wanted) or not all(map(fits, wanted, lines)):
        return f"prints\n{done.stdout}{done.stderr}instead of\n{expected}"
    return None


def main():
    adapter, engine = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    document = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "protocol-docs" / "scripting.md"
    text = document.read_text(encoding="utf-8")
    count, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        programs, work = pathlib.Path(folder, "bin"), pathlib.Path(folder, "work")
        programs.mkdir()
        work.mkdir()
        # Side by side under their own names, whatever they are called here.
        (programs / "sanqi-adapter").symlink_to(adapter)
        (programs / "sanqi").symlink_to(engine)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}:/usr/sbin", "HOME": str(work),
                       "OPENINGS": str(ROOT / "adapter" / "openings"), "REPLAYS": str(ROOT / "protocol-docs" / "replay")}
        for block in BLOCK.finditer(text):
            kind, snippet, expected = block.groups()
            if kind not in COMMANDS:
                continue
            count += 1
            failure = run(kind, snippet, expected, work, environment)
            if failure:
                failures.append(f"{document.name}:{text.count(chr(10), 0, block.start()) + 1}: {failure}")
    print(f"{count} snippets, {len(failures)} failures")
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
