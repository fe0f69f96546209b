"""Seeded random matches on two boards in which pyffish looks over the engine's shoulder.

pyffish plays `supply` one board at a time, so each board is a position of its own here; what is captured on one is put into the
holdings of the other by hand (WHW-SXQ-002). At every step the legal moves and the positions of both boards are compared. Run as

    python3 tests/py/referee_team.py PATH_OF_SANQI [--games N] [--seed S]
"""

import argparse
import random
import re
import sys
import time

import pyffish
from uci import Engine, setup

MAX_PLIES = 130


def piece_on(fen, square):
    """Letter of the piece on a square, or None."""
    rows = fen.split("[")[0].split("/")
    row = rows[len(rows) - int(square[1:])]
    cells = re.sub(r"\d", lambda gap: "." * int(gap[0]), row)
    piece = cells[ord(square[0]) - ord("a")]
    return None if piece == "." else piece


def with_piece(fen, piece):
    """The FEN with one more piece in its holdings."""
    board, rest = fen.split("]", 1)
    return f"{board}{piece}]{rest}"


def comparable(fen):
    """A FEN with its holdings sorted and without the en passant field."""
    fields = fen.split()
    board, _, holdings = fields[0].partition("[")
    return board, sorted(holdings.rstrip("]")), fields[1], fields[4:]


def ask(engine, moves):
    """What the engine says: both FENs, legal moves by board, result words."""
    text = f" moves {' '.join(moves)}" if moves else ""
    engine.send(f"position startpos{text}", "d", "legal", "result", "isready")
    fens = legal = result = None
    for line in engine.until("readyok"):
        if line.startswith("Fen: "):
            fens = [fen.strip() for fen in line[5:].split("|")]
        elif line.startswith("info string legal"):
            words = line.split()[3:]
            legal = [sorted(word[1:] for word in words if word[0] == board) for board in "12"]
        elif line.startswith("info string result "):
            result = line.split()[3:]
        elif line.startswith("info string error"):
            raise AssertionError(line)
    return fens, legal, {"1": result[1], "2": result[3]}


def play(engine, rng):
    """One match; gives the number of positions compared."""
    fens = [pyffish.start_fen("supply")] * 2
    moves, ended, compared = [], [None, None], 0
    # pyffish takes its time; a board that nothing has happened to is not asked about again.
    known = {}
    while len(moves) < MAX_PLIES:
        ours, legal, results = ask(engine, moves)
        for board in (0, 1):
            compared += 1
            where = f"board {board + 1} after {' '.join(moves)}"
            assert comparable(ours[board]) == comparable(fens[board]), f"{where}: {ours[board]} and {fens[board]}"
            if fens[board] not in known:
                known[fens[board]] = sorted(pyffish.legal_moves("supply", fens[board], []))
            theirs = known[fens[board]]
            halfmove = int(fens[board].split()[4])
            if ended[board] is None and (not theirs or halfmove >= 100):
                # SX-4: lost at once, whatever arrives later. WHW-SXQ-007: a hundred turns draw.
                loser_is_red = fens[board].split()[1] == "w"
                ended[board] = ("0-1" if loser_is_red else "1-0") if not theirs else "1/2-1/2"
            assert results[str(board + 1)] == (ended[board] or "*"), f"{where}: {results} and {ended[board]}"
            expected = theirs if ended[board] is None else []
            assert legal[board] == expected, f"{where}: {set(legal[board]) ^ set(expected)}"
        running = [board for board in (0, 1) if ended[board] is None]
        if not running:
            return compared
        board = rng.choice(running)
        captures = [m for m in legal[board] if "@" not in m and piece_on(fens[board], re.findall(r"[a-i]\d+", m)[1])]
        drops = [m for m in legal[board] if "@" in m]
        # Captures and drops more often than chance would have them, so that reserves fill and empty.
        pool = rng.choice([captures or legal[board], drops or legal[board], legal[board]])
        move = rng.choice(pool)
        captured = None if "@" in move else piece_on(fens[board], re.findall(r"[a-i]\d+", move)[1])
        fens[board] = pyffish.get_fen("supply", fens[board], [move])
        if captured:
            fens[1 - board] = with_piece(fens[1 - board], captured)
        moves.append(f"{board + 1}{move}")
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="path of the sanqi binary")
    parser.add_argument("--games", type=int, default=200, help="matches (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    assert pyffish.two_boards("supply") and not pyffish.captures_to_hand("supply")
    began, compared = time.monotonic(), 0
    engine = Engine(arguments.engine)
    setup(engine, "supply2")
    for game in range(arguments.games):
        try:
            compared += play(engine, random.Random(arguments.seed * 1_000_003 + game))
        except AssertionError as error:
            print(f"supply2, match {game}: {error}", file=sys.stderr)
            return 1
    engine.close()
    print(f"supply2: {arguments.games} matches, {compared} positions agree with pyffish ({time.monotonic() - began:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
