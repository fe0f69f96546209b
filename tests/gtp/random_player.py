#!/usr/bin/env python3
"""A Fangqi player for GTP that plays at random, with rules written down once more and independently of the engine's.

usage: random_player.py [SEED]
"""
import random
import sys

SIZE = 7
HAND = 20
OTHER = {"b": "w", "w": "b"}


class Game:
    """Stones as a dict from (file, rank), counted from 0, to colour."""

    def __init__(self):
        self.stones = {}
        self.hand = {"b": HAND, "w": HAND}
        self.turn = "b"
        self.past = []

    def over(self):
        # FQ-6, FQ-7; the board cannot fill up.
        bare = self.hand[OTHER[self.turn]] == 0 and OTHER[self.turn] not in self.stones.values()
        return self.hand[self.turn] == 0 or bare

    def free(self):
        return [(f, r) for r in range(SIZE) for f in range(SIZE) if (f, r) not in self.stones]

    def play(self, color, point):
        """Places a stone, or notes a pass (point None) once the game is over; False when that is illegal."""
        before = (dict(self.stones), dict(self.hand), self.turn)
        if point is None:
            if not self.over():
                return False
        else:
            if self.over() or point in self.stones or self.hand[color] == 0:
                return False
            self.stones[point] = color
            self.hand[color] -= 1
            for taken in self.captures(color, point):
                del self.stones[taken]
            self.turn = OTHER[color]
        self.past.append(before)
        return True

    def captures(self, color, point):
        """FQ-3: what the squares take that the stone on `point` completes."""
        taken = set()
        for left in (point[0] - 1, point[0]):
            for low in (point[1] - 1, point[1]):
                square = [(left, low), (left + 1, low), (left, low + 1), (left + 1, low + 1)]
                if any(self.stones.get(corner) != color for corner in square):
                    continue
                for f, r in square:
                    beside = [(f - 1, r), (f + 1, r), (f, r - 1), (f, r + 1)]
                    taken |= {p for p in beside if self.stones.get(p) == OTHER[color]}
        return taken

    def undo(self):
        if not self.past:
            return False
        self.stones, self.hand, self.turn = self.past.pop()
        return True

    def score(self):
        counts = {c: sum(1 for s in self.stones.values() if s == c) for c in "bw"}
        lead = counts["b"] - counts["w"]
        return "0" if lead == 0 else f"B+{lead}" if lead > 0 else f"W+{-lead}"


COMMANDS = "boardsize clear_board final_score genmove komi known_command list_commands name play protocol_version quit undo version"


def vertex(point):
    return "pass" if point is None else "ABCDEFG"[point[0]] + str(point[1] + 1)


def read_turn(words):
    """Colour and point, or None for what is neither."""
    if len(words) != 2 or words[0].lower() not in ("b", "w", "black", "white"):
        return None
    color, text = words[0][0].lower(), words[1].lower()
    if text == "pass":
        return color, None
    if len(text) != 2 or text[0] not in "abcdefg" or text[1] not in "1234567":
        return None
    return color, ("abcdefg".index(text[0]), int(text[1]) - 1)


def answer(state, chance, name, words):
    """The reply to a command, as (success, text)."""
    game = state["game"]
    if name in ("boardsize", "clear_board"):
        if name == "boardsize" and words != [str(SIZE)]:
            return False, "unacceptable size"
        state["game"] = Game()
        return True, ""
    if name == "play":
        turn = read_turn(words)
        if turn is None:
            return False, "invalid color or coordinate"
        return (True, "") if game.play(*turn) else (False, "illegal move")
    if name == "genmove":
        color = words[0][0].lower() if words else ""
        if color not in ("b", "w"):
            return False, "invalid color"
        point = None if game.over() else chance.choice(game.free())
        return (True, vertex(point)) if game.play(color, point) else (False, "illegal move")
    if name == "undo":
        return (True, "") if game.undo() else (False, "cannot undo")
    if name == "final_score":
        return (True, game.score()) if game.over() else (False, "cannot score")
    if name == "known_command":
        return True, str(bool(words) and words[0] in COMMANDS.split()).lower()
    fixed = {"protocol_version": "2", "name": "Random Fangqi", "version": "1", "komi": "", "quit": ""}
    fixed["list_commands"] = COMMANDS.replace(" ", "\n")
    return (True, fixed[name]) if name in fixed else (False, "unknown command")


def main():
    chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    state = {"game": Game()}
    for line in sys.stdin:
        words = line.split("#")[0].split()
        if not words:
            continue
        number = words.pop(0) if words[0].isdigit() else ""
        name = words.pop(0) if words else ""
        good, text = answer(state, chance, name, words)
        print(f"{'=' if good else '?'}{number} {text}\n", flush=True)
        if name == "quit":
            break


if __name__ == "__main__":
    main()
