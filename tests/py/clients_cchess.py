"""Whole games of plain xiangqi with the two engine drivers of the PyPI library cchess, whose board is the referee.

    python3 tests/py/clients_cchess.py PATH_OF_SANQI [--games N] [--seed S]

Half of the games go through `UcciEngine`, half through `UciEngine`. The engine plays against random moves, with either colour,
and in every fifth game against itself. A game ends at mate, when a position has come three times, or after 300 plies. It fails
on an illegal move, on a search that gives nothing for ten seconds, on "no move" where there is one, and on a game that is lost
to random moves. The handshake must be at most 40 lines: this library takes in five lines a second and gives up after 50.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter

from cchess import FULL_INIT_FEN, ChessBoard, EngineStatus, UcciEngine, UciEngine, pos2iccs

DRIVERS = {"ucci": UcciEngine, "uci": UciEngine}
LONGEST_HANDSHAKE = 40
LONGEST_GAME = 300
PATIENCE = 10.0


class Failure(Exception):
    """What the engine did wrong."""


def legal_moves(board):
    """The moves of the side to move that do not leave its king in check."""
    return [(a, b) for a, b in board.create_moves() if board.is_valid_move(a, b) and not board.is_checked_move(a, b)]


def start(path, driver):
    """An engine that has been greeted, and the number of lines in which it answered."""
    engine = driver()
    if not engine.load(path):
        raise Failure("the library cannot start the engine")
    # Once it has been greeted, everything before the last word is in one of these.
    if not engine.wait_for_ready(10) or engine.engine_status != EngineStatus.READY:
        raise Failure("no greeting")
    return engine, len(engine.ids) + len(engine.options) + 1


def ask(engine, fen, limits):
    """The move the engine answers, `None` if it sees none."""
    engine.go_from(fen, limits)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        action = engine.get_action()
        if action is None:
            time.sleep(0.001)
        elif action["action"] == "bestmove":
            return action["move"]
        elif action["action"] == "dead":
            return None
        elif action["action"] == "draw":
            raise Failure(f"a draw in place of a move in {fen}")
    raise Failure(f"no answer within {PATIENCE} s in {fen}")


def play(engine, limits, engine_sides, rng):
    """One game. Gives its result from red's view, the way it ended, and its plies."""
    board = ChessBoard(FULL_INIT_FEN)
    seen = Counter()
    for ply in range(LONGEST_GAME):
        fen = board.to_fen()
        seen[fen] += 1
        if seen[fen] == 3:
            return "1/2-1/2", "third repetition", ply
        red_to_move = ply % 2 == 0
        moves = legal_moves(board)
        if "wb"[ply % 2] in engine_sides:
            iccs = ask(engine, fen, limits)
            if (iccs is None) != (not moves):
                raise Failure(f"answered {iccs} where there are {len(moves)} moves: {fen}")
        elif moves:
            iccs = pos2iccs(*rng.choice(moves))
        if not moves:
            return ("0-1" if red_to_move else "1-0"), "no move", ply
        if iccs not in {pos2iccs(*move) for move in moves} or board.move_iccs(iccs) is None:
            raise Failure(f"illegal move {iccs} in {fen}")
        board.next_turn()
    return "1/2-1/2", f"{LONGEST_GAME} plies", LONGEST_GAME


def match(path, name, games, rng):
    """The games through one driver; the failures among them."""
    began = time.monotonic()
    engine, handshake = start(path, DRIVERS[name])
    print(f"{name}: {engine.ids.get('name')}, handshake of {handshake} lines")
    failures = []
    if handshake > LONGEST_HANDSHAKE:
        failures.append(f"{handshake} lines before {name}ok")
    engine.set_option("hashsize" if name == "ucci" else "Hash", 8)
    for game in range(1, games + 1):
        sides = "wb" if game % 5 == 0 else "wb"[game % 2]
        limits = {"movetime": 10} if game % 4 == 0 else {"nodes": 2000}
        try:
            result, ending, plies = play(engine, limits, sides, rng)
            print(f"{name} game {game}: sanqi plays {sides}, {result} by {ending}, {plies} plies")
            if result == {"w": "0-1", "b": "1-0"}.get(sides):
                raise Failure("lost to random moves")
        except Failure as failure:
            print(f"{name} game {game}: {failure}")
            failures.append(str(failure))
            # The library's reader spins at the end of the output unless it is told to stop.
            engine.running = False
            engine.process.kill()
            engine, _ = start(path, DRIVERS[name])
    engine.quit()
    engine.running = False
    if engine.process.wait(5) != 0:
        failures.append(f"exit code {engine.process.returncode} after quit")
    print(f"{name}: {games} games, {len(failures)} failures, {time.monotonic() - began:.0f} s")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="path of the sanqi binary")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    path = os.path.abspath(arguments.engine)
    failures = [failure for name in DRIVERS for failure in match(path, name, arguments.games // 2, rng)]
    return 1 if failures else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # The library leaves a thread that reads for ever.
    os._exit(code)
