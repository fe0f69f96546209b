"""Random conversations with the engine, most of them nonsense: it must stay alive, answer every `isready`, give exactly one
`bestmove` for every `go`, and say nothing of a panic.

    python3 tests/py/fuzz.py PATH_OF_SANQI [--talks N] [--seed S]

A talk that fails is printed; the same seed holds it again.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FENS = [json.loads(line)["fen"] for file in sorted(DATA.glob("*.jsonl")) for line in file.read_text().splitlines()]
VARIANTS = ["xiangqi", "supply", "supply2", "yangqi", "fangqi", "yangqinoswap", "chess", ""]
OPTIONS = (
    "Hash,Clear Hash,Threads,MultiPV,Ponder,Move Overhead,Rank Base,UCI_LimitStrength,UCI_Elo,UCI_ShowWDL,UCI_AnalyseMode,"
    "Seed,Variety,Notation,Nonsense,Debug  x"
).split(",")
VALUES = ["0", "1", "2", "3", "16", "-1", "9" * 20, "true", "false", "auto", "é", "", "value", "native", "iccs", "name", "  "]
MOVES = (
    "e2e4 h3e3 P@d4 P@c3 a1a2 1h3e3 2P@a7 0000 (none) e1d1 a9a10r h2e2 b10c8 é a0a1 e1e2e3 R@a1 @ 1 12 P@ a99a1 " + "x" * 50
).split(" ")
NUMBERS = ["0", "1", "5", "20", "-5", "1e3", "x", "", "0.9"]
HUGE = ["9" * 20, "2147483648"]


class Talker:
    """Makes commands, sound ones and broken ones."""

    def __init__(self, rng):
        self.rng = rng

    def fen(self):
        rng, fen = self.rng, self.rng.choice(FENS)
        if rng.random() < 0.3:
            letters = list(fen)
            for _ in range(rng.randint(1, 3)):
                letters[rng.randrange(len(letters))] = rng.choice("KRNBAVCPkrnbavcp/[]0123456789 wb-|é")
            fen = "".join(letters)
        return f"{fen} | {rng.choice(FENS)}" if rng.random() < 0.15 else fen

    def position(self):
        rng = self.rng
        start = ["startpos", f"fen {self.fen()}", f"fen {self.fen()}", "fen", "", "startpos startpos", f"fen {self.fen()} fen"]
        text = f"position {rng.choice(start)}"
        if rng.random() < 0.5:
            text += " moves " + " ".join(rng.choice(MOVES) for _ in range(rng.randint(0, 5)))
        return text + (f" over {rng.choice(['1 1-0', '2 0-1', '3 x', '1'])}" if rng.random() < 0.1 else "")

    def go(self):
        rng = self.rng
        words = {
            "depth": ["1", "3", "0", "-1", "x"],
            "nodes": ["1", "100", "0", "x"],
            "movetime": ["0", "1", "20", "-4"],
            "mate": ["1", "2", "0"],
            "board": ["1", "2", "3", "x"],
            "searchmoves": MOVES,
            **{name: NUMBERS for name in ("wtime", "btime", "winc", "binc")},
            # As a clock these would be a limit, only a very distant one.
            **{name: NUMBERS + HUGE for name in ("movestogo", "wtime2")},
            **{name: [""] for name in ("ponder", "infinite", "garbage")},
        }
        names = [rng.choice(list(words)) for _ in range(rng.randint(0, 4))]
        return " ".join(["go", *(f"{name} {rng.choice(words[name])}" for name in names)])

    def command(self):
        rng = self.rng
        kinds = [
            (22, self.position),
            (20, self.go),
            (10, lambda: f"setoption name {rng.choice(OPTIONS)} value {rng.choice(VALUES)}"),
            (8, lambda: f"setoption name UCI_Variant value {rng.choice(VARIANTS)}"),
            (8, lambda: rng.choice(["stop", "ponderhit", "isready", "ucinewgame", "uci", "debug on", "register later", "flip"])),
            (10, lambda: rng.choice(["d", "eval", "legal", "result", "preview", "san", "team need R", "team avoid x", "team go"])),
            (5, lambda: f"{rng.choice(['san', 'preview', 'joho', 'go perft', 'd d'])} {rng.choice(MOVES)}"),
            (3, lambda: rng.choice(["position", "setoption name", "setoption", "go perft 1", "go perft x", "go perft 2 depth 1"])),
            (4, lambda: "".join(rng.choice("\0\t !Aaé三\x7f") for _ in range(rng.randint(0, 60)))),
            (2, lambda: "position startpos moves " + " ".join(["b1c3"] * rng.randint(1, 5000))),
            (1, lambda: rng.choice("abgp ") * rng.randint(1, 300_000)),
        ]
        command = rng.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0]()
        return f"  {command}\t " if rng.random() < 0.1 else command


def searches(line):
    """A `go` that is answered by a `bestmove`: all but perft, which counts instead."""
    words = line.split()
    return words[:1] == ["go"] and "perft" not in words


def talk(engine, seed):
    """One conversation; what went wrong, or `None`."""
    rng = random.Random(seed)
    talker = Talker(rng)
    lines = ["uci"]
    for _ in range(rng.randint(20, 200)):
        lines.append(talker.command())
        if searches(lines[-1]) and rng.random() < 0.8:
            lines.append("stop")
    # Endless searches end with the input, the others are finished first.
    data = "\n".join([*lines, "isready", ""]).encode()
    with tempfile.TemporaryFile() as errors:
        try:
            done = subprocess.run([engine], input=data, stdout=subprocess.PIPE, stderr=errors, timeout=120)
        except subprocess.TimeoutExpired:
            return lines, "no end within two minutes"
        errors.seek(0)
        complaint = errors.read().decode(errors="replace")
    said = done.stdout.decode(errors="replace").split("\n")
    count = lambda word: sum(line.split()[:1] == [word] for line in said)
    wanted = sum(map(searches, lines)), sum(line.split()[:1] == ["isready"] for line in lines) + 1
    if done.returncode != 0 or complaint:
        return lines, f"exit code {done.returncode}, standard error: {complaint[:2000]}"
    if (count("bestmove"), count("readyok")) != wanted:
        return lines, f"{count('bestmove')} bestmove for {wanted[0]} go, {count('readyok')} readyok for {wanted[1]} isready"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="path of the sanqi binary")
    parser.add_argument("--talks", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.talks):
        if trouble := talk(arguments.engine, seed):
            lines, why = trouble
            failed += 1
            print(f"seed {seed}: {why}")
            print("\n".join(line[:200] for line in lines))
    print(f"{arguments.talks - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
