"""XBoard as a client of `sanqi-adapter ics`, on a display of its own: fangqi with a capture of eight stones, yangqi with king swaps and a
promotion, supply2 with both boards to their ends, in a window each.

    python3 tests/py/ics_xboard.py PATH_OF_ADAPTER PATH_OF_SANQI [--keep FOLDER]

Needs xboard, Xvfb, xdotool and xclip. The lines that make XBoard move are typed into its standard input, as a user of its console does; its
opponents are scripted clients, or the engine. What XBoard has understood is held against the rules that the engine knows: each move of the
PGN that it saves has to be the one that was played, and each of its positions, from the first to the last, the true one: board, reserves,
side to move. It says its positions itself: after the game its keys lead it through the moves, and copy each position as FEN. What XBoard
cannot say: its FEN has no en passant, and a board that has ended takes what falls to its reserves (SX-2) no more.
A game fails as well when XBoard found a move or a board that it could not read.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from desk import Client, Failure, Screen, eventually
from uci import Engine, setup

BOARD = ["-boardWidth", "9", "-boardHeight", "10", "-pieceToCharTable"]
XIANGQI = "PN.R.AB..K.C..........pn.r.ab..k.c.........."
# As in protocol-docs/ics.md.
XBOARD = {
    "fangqi": ["-boardWidth", "7", "-boardHeight", "7", "-holdingsSize", "1", "-pieceToCharTable", "P.................p................."],
    "yangqi": [*BOARD, "PNBR...V...C.........Kpnbr...v...c.........k", "-holdingsSize", "0"],
    "supply2": [*BOARD, XIANGQI, "-holdingsSize", "7"],
}
# White surrounds itself with a square that is completed last.
FANGQI = "d4 c3 c4 d3 c5 b4 a1 e4 g7 b5 g1 e5 a7 c6 d1 d6 d5".split()
# Two swaps of each side, and then a pawn that has lost a vao promotes to it.
YANGQI = (
    "g3g5 e10d10 e1f1 d10e10 f1e1 h10f9 d4d5 b10d9 f1h3 h9h4 d1a4 g8g6 i3i4 h4h2 d5d6 e8e7 e3e4 h2i2 d6e7 f10d8 e7e8 b9b4 "
    "h3g4 b4b1 a4d1 b1d1 e8e9 d1g1 e9d10v"
).split()
RESULTS = {"red": "1-0", "black": "0-1", "draw": "1/2-1/2"}
RESULT = re.compile(r"\} (1-0|0-1|1/2-1/2)\n")
SAN = re.compile(r"([KRNBVCAP]?)([a-i]?)([0-9]?)[x-]?([a-i])([0-9])(?:=([A-Z]))?[+#]?$")


class XBoard:
    """A running XBoard, on a display of its own."""

    def __init__(self, port, name, game, folder, *commands):
        self.pgn, self.fen, self.debug = (folder / f"{name}.{end}" for end in ("pgn", "fen", "debug"))
        logon = folder / f"{name}.logon"
        logon.write_text("".join(line + "\n" for line in (name, *commands)))
        # XBoard also reads the settings of the account: all that matters is said here.
        settings = {
            "icshost": "127.0.0.1",
            "icsport": port,
            "icslogon": logon,
            "testLegality": "false",
            "getMoveList": "false",
            "zippyPlay": "false",
            "autoFlipView": "true",
            "saveSettingsOnExit": "false",
            "startupMessage": "",
            "soundProgram": "true",
            "saveGameFile": self.pgn,
            "savePositionFile": self.fen,
            "nameOfDebugFile": self.debug,
        }
        command = ["xboard", "-ics", "-debug", "-xanimate", *XBOARD[game]]
        command += [str(word) for name, value in settings.items() for word in (f"-{name}", value)]
        self.screen = Screen()
        self.log = open(folder / f"{name}.log", "w")
        self.process = subprocess.Popen(
            command, env=self.screen.environment, stdin=subprocess.PIPE, stdout=self.log, stderr=self.log
        )

    def type(self, line):
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError as error:
            raise Failure(f"XBoard does not read: {error}") from error

    def saved(self):
        """The tags and moves of the first game it saved, and the last position, once both are there."""
        eventually("XBoard saves its game", self.has_saved, 0.1)
        text = self.pgn.read_text()
        first = re.split(r"(?m)^(?=\[Event )", text)[1]
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', first, re.MULTILINE))
        body = re.sub(r"\{[^}]*\}|^\[.*\]$", " ", first, flags=re.MULTILINE)
        moves = [word for word in body.split() if not re.fullmatch(r"\d+\.*|1-0|0-1|1/2-1/2|\*", word)]
        return tags, moves, self.fen.read_text()

    def complaints(self):
        """What it could not read."""
        text = self.debug.read_text(errors="replace")
        return [line for line in text.splitlines() if re.search(r"Illegal move from ICS|Failed to parse board|Ambiguous move", line)]

    def has_saved(self):
        return self.fen.exists() and self.pgn.exists() and RESULT.search(self.pgn.read_text())

    def positions(self, plies):
        """The positions of its game, as it holds them."""
        return self.screen.positions(self.screen.windows(".")[0], plies)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.screen.close()
        self.log.close()


def squares(fen):
    """Pieces of a FEN's board by point, ranks from 1."""
    rows = fen.split()[0].split("[")[0].split("/")
    found = {}
    for rank, row in zip(range(len(rows), 0, -1), rows):
        file = 0
        for part in re.findall(r"\d+|[A-Za-z]", row):
            if part.isdigit():
                file += int(part)
            else:
                found[f"{'abcdefghi'[file]}{rank}"] = part
                file += 1
    return found


def from_zero(word):
    """A move as XBoard writes it on ten ranks: counted from 0, a promotion after `=`."""
    point = re.compile(r"([a-i])(\d+)")
    text = point.sub(lambda m: f"{m[1]}{int(m[2]) - 1}", word)
    promotion = re.fullmatch(r"(\w\d\w\d)([a-z])", text)
    return f"{promotion[1]}={promotion[2].upper()}" if promotion else text


def is_written(san, word, board, offset):
    """Whether XBoard's notation says the move `word` (ranks from 1) of a position."""
    if "@" in word:
        piece, point = word.split("@")
        return san.rstrip("+#") == f"{piece}@{point[0]}{int(point[1:]) - offset}"
    start, goal, promotion = re.fullmatch(r"([a-i]\d+)([a-i]\d+)([a-z]?)", word).groups()
    found = SAN.fullmatch(san)
    if not found:
        return False
    piece, file, rank, goal_file, goal_rank, became = found.groups()
    return (
        (piece or "P") == board[start].upper()
        and file in ("", start[0])
        and rank in ("", str(int(start[1:]) - offset))
        and (goal_file, int(goal_rank) + offset) == (goal[0], int(goal[1:]))
        and (became or "") == promotion.upper()
    )


def position(engine, words, board=None):
    """FEN and legal moves after moves; with two boards those of one, without its number."""
    engine.send("position startpos" + (" moves " + " ".join(words) if words else ""))
    fen = next(line for line in engine.ask("d", "Result:") if line.startswith("Fen: "))[5:]
    legal = engine.ask("legal", "info string legal")[-1].split()[3:]
    if board is None:
        return fen, legal
    return fen.split(" | ")[board - 1], [word[1:] for word in legal if word[0] == str(board)]


def held(fen):
    """What a FEN says of a position, as far as XBoard and the engine write it in the same way: board, reserves, side to move."""
    place, side = fen.split()[:2]
    return squares(fen), sorted(place.partition("[")[2].rstrip("]-")), side


def compare(xboard, engine, words, offset, board=None):
    """Holds what XBoard has understood against the moves that were played. Of a match on two boards its own board is looked at."""
    tags, moves, saved = xboard.saved()
    own = [number for number, word in enumerate(words) if board is None or word[0] == str(board)]
    if len(moves) != len(own):
        raise Failure(f"XBoard saved {len(moves)} moves, {len(own)} were played")
    shown = xboard.positions(len(own))
    # A position of XBoard's is that before the next move on its board: what the other board has put into reserve by then belongs to it. To
    # a board that has ended XBoard adds nothing more.
    for ply, (number, seen) in enumerate(zip([*own, own[-1] + 1], shown, strict=True)):
        fen, legal = position(engine, words[:number], board)
        if held(seen) != held(fen):
            raise Failure(f"after ply {ply} XBoard has {seen}, ours is {fen}")
        if ply < len(own):
            word = words[number][1:] if board is not None else words[number]
            if word not in legal or not is_written(moves[ply], word, squares(fen), offset):
                raise Failure(f"ply {ply + 1}: XBoard saved {moves[ply]}, played was {word} in {fen}")
    written = [line for line in saved.splitlines() if line.count("/") >= 6]
    if not written or squares(written[0]) != squares(shown[-1]):
        raise Failure(f"XBoard saved the final position {written[:1]}, and has {shown[-1]}")
    if complaints := xboard.complaints():
        raise Failure(f"XBoard could not read: {complaints[:3]}")
    return tags, len(own)


def fangqi(context, xboard, engine):
    """A capture of eight stones, and then to the end."""
    black = Client(context.port, "paula")
    xboard.type("match paula 10 0 fangqi white")
    black.expect("^Challenge:")
    black.ask("accept", "^<12>")
    words = []
    while True:
        _, legal = position(engine, words)
        if not legal:
            break
        # After the script each side takes the points in turn, from one end and from the other.
        word = f"P@{FANGQI[len(words)]}" if len(words) < len(FANGQI) else sorted(legal)[(len(words) * 7) % len(legal)]
        if len(words) % 2:
            black.send(word)
        else:
            xboard.type(word)
        line = black.expect(r"^<12> (.*) [WB] -1 ")[1]
        words.append(word)
        if len(words) == len(FANGQI):
            stones = line.count("p"), line.count("P")
            if stones != (0, 9):
                raise Failure(f"{stones} stones after the capture of eight, expected (0, 9)")
            context.capture = True
    result = black.expect(r"\{Game \d+ \(\w+ vs\. \w+\) (.*)\} (1-0|0-1|1/2-1/2)")
    tags, plies = compare(xboard, engine, words, 0)
    if tags.get("Result") != result[2] or plies != 40:
        raise Failure(f"{plies} plies, result {tags.get('Result')}, that of the server {result[2]}")
    return f"{plies} plies with a capture of eight stones, {result[1]} {result[2]}"


def yangqi(context, xboard, engine):
    """King swaps of both sides, a promotion, and a resignation."""
    black = Client(context.port, "quentin")
    xboard.type("match quentin 10 0 yangqi white")
    black.expect("^Challenge:")
    black.ask("accept", "^<12>")
    for number, word in enumerate(YANGQI):
        if number % 2:
            black.send(from_zero(word))
        else:
            xboard.type(from_zero(word))
        black.expect(r"^<12> .* (\S+) \d \d \d$" if number else "^<12> .* g2g4 ")
    black.send("resign")
    black.expect(r"\{Game .* quentin resigns\} 1-0")
    tags, plies = compare(xboard, engine, YANGQI, 1)
    if tags.get("Result") != "1-0":
        raise Failure(f"result {tags.get('Result')}")
    return f"{plies} plies with swaps of both kings and a promotion to vao"


def supply2(context, xboard, engine):
    """One seat for XBoard, three for the engine; our own copy of the engine tells XBoard's moves. A second XBoard shows the other board."""
    second = XBoard(context.port, "walterb", "supply2", context.games.parent, "pfollow walter")
    try:
        return both_boards(context, xboard, second, engine)
    finally:
        second.close()


def both_boards(context, xboard, second, engine):
    """The same, with both running."""
    context.wait_for("walterb")
    coach = Client(context.port, "coach")
    coach.ask("follow walter", "^You will watch")
    xboard.type("match engine 0 0 supply2 white")
    game = coach.expect(r"^You are now observing game (\d+)\.")[1]
    end = rf"^\{{Game {game} .*\}} \S+$"
    while (turn := coach.expect(rf"^<12> .* ([WB]) -1 0 0 0 0 \d+ {game} walter |{end}")[1]):
        if turn == "W":
            fen = coach.ask(f"fen {game}", rf"^FEN: (.*)$|{end}")[1]
            if not fen:
                break
            engine.send(f"position fen {fen}")
            best = engine.ask("go board 1 nodes 300", "bestmove")[-1].split()[1]
            if best != "(none)":
                xboard.type(from_zero(best[1:]))
    replays = eventually("the server saves the match", lambda: list(context.games.glob("*.json")), 0.1)
    replay = json.loads(replays[0].read_text())
    words = [f"{e['board']}{e['from'] if 'from' in e else e['piece'].upper() + '@'}{e['to']}" for e in replay["events"]]
    plies = 0
    for board, shown in enumerate((xboard, second)):
        tags, own = compare(shown, engine, words, 1, board=board + 1)
        plies += own
        outcome = replay["result"][f"board{board + 1}"]["outcome"]
        if tags.get("Result") != RESULTS[outcome]:
            raise Failure(f"result {tags.get('Result')}, that of the server {outcome}")
    if plies != len(words):
        raise Failure(f"{plies} plies on both boards, {len(words)} in the replay")
    drops = sum("@" in word for word in words)
    result = replay["result"]
    return (
        f"{plies} plies on both boards, {drops} drops; "
        f"boards {result['board1']['outcome']} ({result['board1']['reason']}), {result['board2']['outcome']} ({result['board2']['reason']})"
    )


class Context:
    """What the games share."""

    def __init__(self, port, games):
        self.port = port
        self.games = games
        self.capture = False

    def wait_for(self, name):
        """Waits until an XBoard has logged in and has said what it says then."""
        watcher = Client(self.port, f"{name}watch")
        eventually(f"{name} logs in", lambda: watcher.ask("who", rf"^{name}, |players displayed")[0].startswith(f"{name}, "))
        time.sleep(1)


def run(context, sanqi, name, game, play, folder):
    """Plays one game; its summary, and whether it went well."""
    try:
        with Engine(sanqi) as engine:
            setup(engine, game)
            xboard = XBoard(context.port, name, game, folder)
            try:
                context.wait_for(name)
                return f"{game}: {play(context, xboard, engine)}", True
            finally:
                xboard.close()
    except Exception as error:  # whatever it is, it is told with the game it belongs to
        return f"{game}: {type(error).__name__}: {error}", False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", help="path of the sanqi-adapter binary")
    parser.add_argument("sanqi", help="path of the sanqi binary")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for PGN, positions and logs; a temporary one without it")
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)).resolve()
        games = folder / "games"
        games.mkdir(parents=True)
        command = [arguments.adapter, "ics", "--port", "0", "--games", games, "--engine", arguments.sanqi, "--nodes", "300"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port = int(server.stdout.readline().rsplit(":", 1)[1])
            context = Context(port, games)
            plan = [("xavier", "fangqi", fangqi), ("yara", "yangqi", yangqi), ("walter", "supply2", supply2)]
            results = [None] * len(plan)

            def work(index):
                results[index] = run(context, arguments.sanqi, *plan[index], folder)

            threads = [threading.Thread(target=work, args=(index,)) for index in range(len(plan))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            server.terminate()
            server.wait()
        for summary, _ in results:
            print(summary)
        print(f"XBoard as client: {time.monotonic() - began:.0f} s")
        return 0 if all(good for _, good in results) and context.capture else 1


if __name__ == "__main__":
    sys.exit(main())
