"""Seeded random games in which pyffish, an independent implementation of the rules, looks over the engine's shoulder.

At every position the legal moves, the check, the position after the move and the end of the game are compared. Run as

    python3 tests/py/referee.py PATH_OF_SANQI [--positions N] [--seed S]

with `pyffish` of requirements.txt. Fangqi and the king swaps of Yang Qi are unknown to pyffish; tests/data and the property tests
stand in for it there.
"""

import argparse
import json
import pathlib
import random
import re
import sys
import time

import pyffish
from uci import Engine, setup

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SUPPLY_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
# Half-moves without progress that draw; pyffish has 100 for each of these games.
MOVE_COUNT = {"xiangqi": 120, "supply": 100, "yangqinoswap": 100}


class Disagreement(Exception):
    """The two see a position differently."""


def board_and_holdings(field):
    """`board[holdings]` taken apart; pyffish writes the holdings in another order."""
    board, _, holdings = field.partition("[")
    return board, sorted(holdings.rstrip("]"))


def end_by_pyffish(variant, fen, moves, legal, side):
    """`*` or the result as the engine would write it, and why."""
    score = {"w": {1: "1-0", -1: "0-1"}, "b": {1: "0-1", -1: "1-0"}}[side]
    if not legal:
        value, why = pyffish.game_result(variant, fen, moves), "no moves"
    else:
        ended, value = pyffish.is_optional_game_end(variant, fen, moves)
        if not ended:
            return "*", "goes on"
        why = "optional"
    return ("1/2-1/2" if value == 0 else score[1 if value > 0 else -1]), why


def compare_end(variant, ours, theirs, halfmove, checked_in_cycle):
    """Raises where the ends differ by more than the rules do."""
    result, reason = ours
    their_result, why = theirs
    if result == their_result:
        return
    if why == "no moves" or reason in ("checkmate", "stalemate"):
        raise Disagreement(f"end: {ours} and {theirs}")
    # Our xiangqi draws at 120 half-moves (XQ-3); pyffish at 100, and it leaves some checks out of the count.
    if variant == "xiangqi" and 100 <= halfmove and (result == "*" or reason == "move count"):
        return
    # SX-7: in supply repetition ends nothing; pyffish applies the rules of xiangqi to it.
    if variant == "supply" and result == "*" and halfmove < MOVE_COUNT["supply"]:
        return
    # XQ-2: chasing is not judged here; pyffish judges it by the rules of the Asian federation. Only where nobody gave check
    # with every move can that be the reason.
    if variant == "xiangqi" and reason == "repetition" and not checked_in_cycle:
        return
    raise Disagreement(f"end: {ours} and {theirs}")


class Game:
    """One random game."""

    def __init__(self, engine, variant, fen, rng):
        self.engine, self.variant, self.fen, self.rng = engine, variant, fen, rng
        self.moves = []
        # pyffish plays a game anew at every question, so it is told only what came after the last capture, drop or pawn move:
        # no position from before can return.
        self.base, self.since = fen, []
        self.checks = []
        self.pending = []

    def ask(self):
        """What the engine says of the position: FEN, check, legal moves, result."""
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        self.engine.send(f"position fen {self.fen}{moves}", "d", "legal", "result", "isready")
        fen = checkers = legal = result = None
        for line in self.engine.until("readyok"):
            if line.startswith("Fen: "):
                fen = line[5:]
            elif line.startswith("Checkers:"):
                checkers = line[9:].split()
            elif line.startswith("info string legal"):
                legal = line.split()[3:]
            elif line.startswith("info string result "):
                result = line[len("info string result ") :].split(" ", 1)
            elif line.startswith("info string error"):
                raise Disagreement(line)
        if None in (fen, checkers, legal, result):
            raise Disagreement(f"no full answer: {fen=} {checkers=} {legal=} {result=}")
        return fen, bool(checkers), legal, tuple(result)

    def compare(self):
        """Compares the position; gives the legal moves and whether the game is over."""
        fen, check, legal, result = self.ask()
        their_fen = pyffish.get_fen(self.variant, self.base, self.since)
        theirs = pyffish.legal_moves(self.variant, self.base, self.since)
        if sorted(legal) != sorted(theirs):
            only = sorted(set(legal) - set(theirs)), sorted(set(theirs) - set(legal))
            raise Disagreement(f"moves of ours only {only[0]}, of pyffish only {only[1]}")
        if check != pyffish.gives_check(self.variant, self.base, self.since):
            raise Disagreement(f"check: {check}")
        ours, other = fen.split(), their_fen.split()
        if board_and_holdings(ours[0]) != board_and_holdings(other[0]) or ours[1:3] + ours[4:] != other[1:3] + other[4:]:
            raise Disagreement(f"FEN {fen} and {their_fen}")
        # The en passant square is written here only when a legal move captures there; pyffish writes it when a pawn stands
        # ready. The legal moves are the same anyhow, as was seen above.
        if ours[3] not in ("-", other[3]):
            raise Disagreement(f"en passant {fen} and {their_fen}")
        self.checks.append(check)
        halfmove = int(ours[4])
        theirs_end = end_by_pyffish(self.variant, self.base, self.since, theirs, ours[1])
        compare_end(self.variant, result, theirs_end, halfmove, self.one_side_checks(halfmove))
        if halfmove == 0:
            self.base, self.since = their_fen, []
        return legal, result[0] != "*" or theirs_end[0] != "*" and self.variant != "supply"

    def one_side_checks(self, halfmove):
        """Since the last capture, one of the sides has given check with each of its last two moves."""
        recent = self.checks[-min(halfmove + 1, 4) :]
        return all(recent[-1::-2]) or all(recent[-2::-2])

    def choose(self, legal):
        """A random move. Now and then both sides step to and fro, since random games hardly ever repeat a position."""
        if self.pending:
            move = self.pending.pop(0)
            if move in legal:
                return move
            self.pending = []
        if len(self.moves) >= 2 and self.rng.random() < 0.06:
            last = [re.fullmatch(r"([a-i]\d+)([a-i]\d+)", move) for move in self.moves[-2:]]
            if all(last):
                there = [match[1] + match[2] for match in last]
                back = [match[2] + match[1] for match in last]
                self.pending = (back + there) * 2
                return self.choose(legal)
        return self.rng.choice(legal)

    def play(self, limit):
        """Plays to the end or to `limit` positions; gives their number."""
        for count in range(1, limit + 1):
            try:
                legal, over = self.compare()
            except Disagreement as error:
                raise Disagreement(f"{self.variant}: {self.fen} moves {' '.join(self.moves)}\n  {error}") from None
            if over or not legal:
                return count
            move = self.choose(sorted(legal))
            self.moves.append(move)
            self.since.append(move)
        return limit


def recorded(name):
    """FENs of a file of test data."""
    return [json.loads(line)["fen"] for line in (DATA / name).read_text().splitlines()]


def random_reserves(rng):
    """A supply start position with up to one set in each reserve."""
    white = "".join(rng.sample("RRNNBBAACCPPPPP", rng.randint(0, 8)))
    black = "".join(rng.sample("rrnnbbaaccppppp", rng.randint(0, 8)))
    return f"{SUPPLY_START}[{white}{black}] {rng.choice('wb')} - - 0 1"


def openings(variant, rng):
    """Endless start positions: the game's own, recorded ones, and ones near the end of the move count."""
    start = pyffish.start_fen(variant)
    files = {"xiangqi": "xiangqi_random.jsonl", "supply": "supply_random.jsonl", "yangqinoswap": "yangqi_random.jsonl"}
    others = recorded(files[variant])
    while True:
        yield start
        if variant == "supply":
            yield random_reserves(rng)
            yield random_reserves(rng)
        yield rng.choice(others)
        fields = rng.choice(others).split()
        fields[-2] = str(MOVE_COUNT[variant] - rng.randint(1, 12))
        yield " ".join(fields)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="path of the sanqi binary")
    parser.add_argument("--positions", type=int, default=1500, help="positions per variant (default 1500)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    variants_file = DATA / "yangqinoswap.ini"
    pyffish.load_variant_config(variants_file.read_text())
    failed = 0
    for variant in MOVE_COUNT:
        rng = random.Random(f"{arguments.seed} {variant}")
        positions = games = 0
        began = time.monotonic()
        with Engine(arguments.engine) as engine:
            setup(engine, variant)
            try:
                for fen in openings(variant, rng):
                    positions += Game(engine, variant, fen, rng).play(min(150, arguments.positions - positions))
                    games += 1
                    if positions >= arguments.positions:
                        break
            except Disagreement as error:
                failed += 1
                print(error)
        seconds = time.monotonic() - began
        print(f"{variant}: {positions} positions of {games} games in {seconds:.1f} s", flush=True)
    print(f"{len(MOVE_COUNT) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
