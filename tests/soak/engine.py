"""One engine for a long time: every variant, options changed between searches, ponder hits and misses, stops at random times, tables from
tiny to huge, 1 to 8 threads, the end of the input at random moments. No crash, exactly one `bestmove` for every `go`, every
move of every variation legal, and no growth of memory after the first five minutes.

    python3 tests/soak/engine.py target/release/sanqi [--minutes 40] [--seed 1] [--pause FILE]

Memory is that of one process that lives through the run with a table of 16 MiB; a second one, whose table and threads change,
is ended at random and started again. As long as the file of --pause exists nothing is asked, and that time does not count.
"""

import argparse
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "py"))
from uci import Engine, EngineError  # noqa: E402

VARIANTS = ("xiangqi", "supply", "supply2", "yangqi", "fangqi")
SETTLED = 300.0
TOLERANCE = 0.05
# The longest answer to `stop` that is no hang.
PATIENCE = 60.0
# The longest search that is waited for.
LONG = 20.0


class Fault(Exception):
    """The engine has done what it must not do."""


def resident(engine):
    """Kilobytes that the process holds."""
    with open(f"/proc/{engine.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


class Player:
    """Plays random games with an engine."""

    def __init__(self, path, rng, changing):
        self.path, self.rng, self.changing = path, rng, changing
        self.searches = self.moves_checked = self.starts = 0
        self.asked = ""
        self.start()

    def start(self):
        self.engine = Engine(self.path)
        self.engine.hello()
        self.starts += 1
        self.new_game()

    def new_game(self):
        rng = self.rng
        self.variant, self.moves = rng.choice(VARIANTS), []
        self.engine.option("UCI_Variant", self.variant)
        if self.changing:
            self.engine.option("Hash", rng.choice([1, 1, 2, 16, 64, 512, 2048]))
            self.engine.option("Threads", rng.choice([1, 1, 2, 3, 4, 8]))
        else:
            self.engine.option("Hash", 16)
        self.engine.send("ucinewgame")
        self.engine.ready()

    def position(self, moves):
        self.engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def boards(self):
        return [1, 2] if self.variant == "supply2" else [None]

    def legal(self, moves):
        """The legal moves after `moves`, or None when those are refused."""
        self.position(moves)
        lines = self.engine.ask("legal", "info string")
        words = lines[-1].split()
        return None if "error" in words[2:3] else words[3:]

    def options(self):
        rng = self.rng
        name, values = rng.choice(
            [
                ("MultiPV", [1, 1, 2, 5]),
                ("UCI_LimitStrength", ["true", "false", "false"]),
                ("UCI_Elo", [1200, 2000]),
                ("UCI_ShowWDL", ["true", "false"]),
                ("UCI_AnalyseMode", ["true", "false"]),
                ("Variety", [0, 0, 30]),
                ("Move Overhead", [0, 10, 200]),
            ]
        )
        self.engine.option(name, rng.choice(values))

    def go(self):
        """One search; gives its answer and its last variation."""
        rng = self.rng
        board = rng.choice(self.boards())
        head = "go" if board is None else f"go board {board}"
        kind = rng.choice(["depth", "nodes", "movetime", "clock", "infinite", "hit", "miss"])
        clock = "wtime 400 btime 400 winc 5 binc 5"
        ponder = kind in ("hit", "miss") and board is None
        limits = {"depth": f"depth {rng.randint(1, 7)}", "nodes": f"nodes {rng.randint(1, 20000)}"}
        limits |= {"movetime": f"movetime {rng.randint(1, 60)}", "infinite": "infinite"}
        words = limits.get(kind, f"ponder {clock}" if ponder else clock)
        self.asked = f"{head} {words}"
        self.engine.send(self.asked)
        self.searches += 1
        if kind in ("infinite", "miss") or rng.random() < 0.3 or ponder:
            time.sleep(rng.choice([0.0, 0.001, rng.uniform(0, 0.08)]))
            self.engine.send("ponderhit" if ponder and kind == "hit" else "stop")
        # A depth may be far away on a machine that has much to do.
        is_open = kind in ("depth", "nodes")
        try:
            lines = self.engine.until("bestmove", LONG if is_open else PATIENCE)
        except EngineError:
            if not is_open:
                raise
            self.engine.send("stop")
            lines = self.engine.until("bestmove", PATIENCE)
        # `readyok` comes after every line that belongs to the search: a second answer would stand before it.
        rest = self.engine.ask("isready", "readyok", PATIENCE)
        if any(line.startswith("bestmove") for line in rest):
            raise Fault(f"a second answer to {words}: {rest}")
        bad = [line for line in lines + rest if "internal error" in line]
        if bad:
            raise Fault(bad[0])
        variations = [line.split(" pv ", 1)[1].split() for line in lines if line.startswith("info ") and " pv " in line]
        return lines[-1].split()[1], variations

    def turn(self):
        rng = self.rng
        if rng.random() < 0.2:
            self.options()
        self.position(self.moves)
        try:
            best, variations = self.go()
        except (EngineError, Fault) as fault:
            raise Fault(f"{self.variant} after {self.moves}: {self.asked}: {fault}") from fault
        if variations and rng.random() < 0.3:
            line = rng.choice(variations)
            self.moves_checked += len(line)
            if self.legal(self.moves + line) is None:
                raise Fault(f"{self.variant} after {self.moves}: illegal variation {line}")
        if best in ("(none)", "0000") or len(self.moves) > 150:
            self.new_game()
        else:
            self.moves.append(best)
        if self.changing and rng.random() < 0.01:
            self.end()
            self.start()

    def end(self):
        """Ends the input, perhaps in the middle of a search."""
        if self.rng.random() < 0.5:
            self.position(self.moves)
            self.engine.send(self.rng.choice(["go infinite", "go movetime 50", "go ponder wtime 9 btime 9"]))
        self.engine.process.stdin.close()
        said = self.engine.process.stdout.read()
        if (code := self.engine.process.wait(PATIENCE)) != 0:
            raise Fault(f"exit code {code} at the end of input; last words {said[-500:]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=pathlib.Path, default=None, metavar="FILE")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    steady, changing = Player(arguments.engine, rng, False), Player(arguments.engine, rng, True)
    began = told = time.monotonic()
    # The most that was held: right after `ucinewgame` the table is not touched yet, and takes no memory.
    settled = most = 0
    try:
        while (passed := time.monotonic() - began) < arguments.minutes * 60:
            while arguments.pause and arguments.pause.exists():
                time.sleep(1)
                began += time.monotonic() - began - passed
            steady.turn()
            changing.turn()
            memory = resident(steady.engine)
            if passed < SETTLED:
                settled = max(settled, memory)
            most = max(most, memory)
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{passed / 60:5.1f} min: {steady.searches + changing.searches} searches, {resident(steady.engine)} KiB", flush=True)
        steady.end()
        changing.end()
    except (Fault, EngineError) as fault:
        print(f"seed {arguments.seed}, {steady.searches} and {changing.searches} searches: {fault}")
        return 1
    searches, checked = steady.searches + changing.searches, steady.moves_checked + changing.moves_checked
    print(f"{searches} searches, {checked} moves of variations checked, {changing.starts} starts, no fault")
    grown = most / max(settled, 1) - 1
    print(f"memory in the first five minutes up to {settled} KiB, in all up to {most} KiB (+{100 * grown:.1f} %)")
    return 1 if grown > TOLERANCE else 0


if __name__ == "__main__":
    sys.exit(main())
