"""XBoard as a client of `sanqi-adapter ics`, on a display of its own: fangqi with a capture of eight stones, yangqi with king swaps and a
promotion, supply2 with both boards to their ends, in a window each.

    python3 tests/py/ics_xboard.py PATH_OF_ADAPTER PATH_OF_SANQI [--keep FOLDER]

Needs xboard and Xvfb. The lines that make XBoard move are typed into its standard input, as a user of its console does; its opponents
are scripted clients, or the engine. What XBoard has understood is what it saves: each move of its PGN has to be the move that was played, by the rules that the
engine knows, and its final position has to be that of the server. A game fails as well when XBoard found a move or a board that it could not read.
"""

import argparse
import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from uci import Engine, setup

PATIENCE = 100
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
SAN = re.compile(r"([KRNBVCAP]?)([a-i]?)([0-9]?)[x-]?([a-i])([0-9])(?:=([A-Z]))?[+#]?$")


class Failure(Exception):
    """Something is not as it should be."""


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


class XBoard:
    """A running XBoard."""

    def __init__(self, display, port, name, game, folder, *commands):
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
        # Debian keeps games where PATH may not look.
        environment = os.environ | {"DISPLAY": display, "PATH": os.environ["PATH"] + ":/usr/games", "LC_ALL": "C.UTF-8"}
        self.log = open(folder / f"{name}.log", "w")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=self.log, stderr=self.log)

    def type(self, line):
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError as error:
            raise Failure(f"XBoard does not read: {error}") from error

    def saved(self):
        """The tags and moves of the first game it saved, and the last position, once both are there."""
        deadline = time.monotonic() + PATIENCE
        while not (self.pgn.exists() and re.search(r"\} (1-0|0-1|1/2-1/2)\n", self.pgn.read_text()) and self.fen.exists()):
            if time.monotonic() > deadline:
                raise Failure("XBoard has not saved its game")
            time.sleep(0.1)
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

    def close(self):
        self.process.kill()
        self.process.wait()
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


def compare(xboard, engine, words, offset, board=None):
    """Holds what XBoard saved against the moves that were played. Of a match on two boards its own board is looked at."""
    tags, moves, saved = xboard.saved()
    own = 0
    for number, word in enumerate(words):
        if board is not None and word[0] != str(board):
            continue
        fen, legal = position(engine, words[:number], board)
        word = word[1:] if board is not None else word
        pieces = squares(fen)
        if own >= len(moves):
            raise Failure(f"XBoard saved {len(moves)} moves only")
        if word not in legal or not is_written(moves[own], word, pieces, offset):
            raise Failure(f"ply {own + 1}: XBoard saved {moves[own]}, played was {word} in {fen}")
        own += 1
    if own != len(moves):
        raise Failure(f"XBoard saved {len(moves)} moves, {own} were played")
    fen, _ = position(engine, words, board)
    written = [line for line in saved.splitlines() if line.count("/") >= 6]
    if not written or squares(written[0]) != squares(fen):
        raise Failure(f"XBoard's final position {written[:1]}, ours {fen}")
    if complaints := xboard.complaints():
        raise Failure(f"XBoard could not read: {complaints[:3]}")
    return tags, own


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
    second = XBoard(context.display, context.port, "walterb", "supply2", context.games.parent, "pfollow walter")
    try:
        return both_boards(context, xboard, second, engine)
    finally:
        second.close()


def both_boards(context, xboard, second, engine):
    """The same, with both running."""
    context.wait_for("walterb")
    coach = Client(context.port, "coach")
    xboard.type("match engine 0 0 supply2 white")
    game = coach_finds(coach)
    coach.ask(f"observe {game}", r"^<12> ")
    coach.ask(f"observe {game + 1}", r"^<12> ")
    coach.send(f"refresh {game}")
    ended = {}
    while len(ended) < 2:
        found = coach.expect(rf"^<12> .* ([WB]) -1 0 0 0 0 \d+ {game} walter |^\{{Game (\d+) .*\}} (1-0|0-1|1/2-1/2)$")
        if found[2]:
            ended[int(found[2])] = found[3]
        elif found[1] == "W" and game not in ended:
            # A board that has just ended has no position for a move any more.
            reply = coach.ask(f"fen {game}", r"^FEN: (.*)$|^\{Game (\d+) .*\} (1-0|0-1|1/2-1/2)$|^There is no game")
            if reply[2]:
                ended[int(reply[2])] = reply[3]
            if reply[1] and game not in ended:
                engine.send(f"position fen {reply[1]}")
                best = engine.ask("go board 1 nodes 300", "bestmove")[-1].split()[1]
                if best != "(none)":
                    xboard.type(from_zero(best[1:]))
    deadline = time.monotonic() + PATIENCE
    while not (replays := list(context.games.glob("*.json"))):
        if time.monotonic() > deadline:
            raise Failure("the server has not saved the match")
        time.sleep(0.1)
    replay = json.loads(replays[0].read_text())
    words = [f"{e['board']}{e['from'] if 'from' in e else e['piece'].upper() + '@'}{e['to']}" for e in replay["events"]]
    plies = 0
    for board, shown in enumerate((xboard, second)):
        tags, own = compare(shown, engine, words, 1, board=board + 1)
        plies += own
        if tags.get("Result") != ended[game + board]:
            raise Failure(f"result {tags.get('Result')}, that of the server {ended[game + board]}")
    if plies != len(words):
        raise Failure(f"{plies} plies on both boards, {len(words)} in the replay")
    drops = sum("@" in word for word in words)
    result = replay["result"]
    return (
        f"{plies} plies on both boards, {drops} drops; "
        f"boards {result['board1']['outcome']} ({result['board1']['reason']}), {result['board2']['outcome']} ({result['board2']['reason']})"
    )


def coach_finds(coach):
    """The number of XBoard's game, as soon as there is one."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = coach.ask("games", r"^(\d+) walter |games displayed")
        if found[1]:
            coach.expect("games displayed")
            return int(found[1])
        time.sleep(0.2)
    raise Failure("XBoard's game does not begin")


class Context:
    """What the games share."""

    def __init__(self, port, display, games):
        self.port = port
        self.display = display
        self.games = games
        self.capture = False

    def wait_for(self, name):
        """Waits until an XBoard has logged in and has said what it says then."""
        watcher = Client(self.port, f"{name}watch")
        deadline = time.monotonic() + PATIENCE
        while not watcher.ask("who", rf"^{name}, |players displayed")[0].startswith(f"{name}, "):
            if time.monotonic() > deadline:
                raise Failure("XBoard does not log in")
            time.sleep(0.2)
        time.sleep(1)


def run(context, sanqi, name, game, play, folder):
    """Plays one game; its summary, and whether it went well."""
    try:
        with Engine(sanqi) as engine:
            setup(engine, game)
            xboard = XBoard(context.display, context.port, name, game, folder)
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
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            port = int(server.stdout.readline().rsplit(":", 1)[1])
            display = f":{int(screen.stdout.readline())}"
            context = Context(port, display, games)
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
            for process in (server, screen):
                process.terminate()
                process.wait()
        for summary, _ in results:
            print(summary)
        print(f"XBoard as client: {time.monotonic() - began:.0f} s")
        return 0 if all(good for _, good in results) and context.capture else 1


if __name__ == "__main__":
    sys.exit(main())
