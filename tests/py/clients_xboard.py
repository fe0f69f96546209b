"""Matches of plain xiangqi in XBoard, through the adapter uci2wb in its UCCI and its UCI-Cyclone mode, against MaxQi.

    python3 tests/py/clients_xboard.py PATH_OF_SANQI [--keep FOLDER]

Needs xboard, xvfb-run, uci2wb and maxqi (Debian: xboard xvfb xauth uci2wb fairymax). XBoard knows the rules, and with test claims
on, as Debian sets them, it forfeits an engine that moves against them or claims what is not so. A match fails when XBoard does
not end by itself, when a game is missing, unfinished or ended by anything but the play, or when Sanqi makes too few points.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

# The mode of uci2wb, what it stands for, the number of games, and the points Sanqi has to make. A game may be drawn by MaxQi's
# perpetual check, which is lost by the rules Sanqi knows and a draw by those of XBoard: two games are too few to ask for a won match.
MATCHES = [("-x", "UCCI", 4, 2.5), ("-c", "UCI-Cyclone", 2, 1)]
PATIENCE = 200
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
# What XBoard writes of a game that was not decided by the play.
BROKEN = re.compile(r"forfeit|illegal|false|time|exit|abort|resign|crash|unfinished", re.IGNORECASE)
TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)
COMMENT = re.compile(r"\{([^}]*)\}")


def xboard(engine, mode, games, folder):
    """Has a match played. Gives the PGN and the complaints about the run."""
    pgn = folder / f"match{mode}.pgn"
    # XBoard also reads the settings of the account: all that matters is said here. Of switches without a value, `-xponder` turns
    # pondering off, and `-xexit` the window that waits at the end for somebody to close it.
    settings = {
        "variant": "xiangqi",
        "saveSettingsOnExit": "false",
        "startupMessage": "",
        "soundProgram": "true",
        "fcp": f"uci2wb {mode} {engine}",
        "fd": str(folder),
        "scp": "maxqi",
        "sd": str(folder),
        "firstProtocolVersion": "2",
        "mg": str(games),
        # Two seconds for ten moves, again and again: on a busy machine XBoard itself takes a tenth of a second a move, which would
        # empty the clock of a whole game.
        "mps": "10",
        "tc": "0:02",
        "inc": "-1",
        "testLegality": "true",
        "testClaims": "true",
        "checkMates": "true",
        "loadGameFile": "",
        "loadPositionFile": "",
        "saveGameFile": str(pgn),
        "nameOfDebugFile": str(folder / f"match{mode}.debug"),
    }
    command = ["xvfb-run", "-a", "xboard", *(word for name, value in settings.items() for word in (f"-{name}", value))]
    command += ["-debug", "-xponder", "-xexit"]
    # Debian keeps games where PATH may not look.
    environment = os.environ | {"PATH": os.environ["PATH"] + ":/usr/games", "LC_ALL": "C.UTF-8"}
    complaints = []
    with open(folder / f"match{mode}.log", "w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            if process.wait(PATIENCE) != 0:
                complaints.append(f"XBoard ended with exit code {process.returncode}")
        except subprocess.TimeoutExpired:
            complaints.append(f"XBoard did not end within {PATIENCE} s")
        finally:
            # Its process group, of which it may have left somebody behind.
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
    return pgn.read_text(errors="replace") if pgn.exists() else "", complaints


def read_games(text):
    """The games of a PGN: tags and move text."""
    parts = re.split(r"(?m)^(?=\[Event )", text)
    return [(dict(TAG.findall(part)), TAG.sub("", part).strip()) for part in parts if part.strip()]


def check_game(tags, body):
    """What is wrong with a game, its plies, and how it ended."""
    complaints = []
    comments = COMMENT.findall(body)
    words = COMMENT.sub(" ", body).split()
    moves = [word for word in words if not re.fullmatch(r"\d+\.*", word) and word not in POINTS]
    if tags.get("Result") not in POINTS:
        complaints.append(f"result {tags.get('Result')}")
    if not words or words[-1] != tags.get("Result"):
        complaints.append(f"the move text does not end with the result: {body[-60:]!r}")
    if len(moves) < 10:
        complaints.append(f"only {len(moves)} plies")
    complaints += [comment for comment in comments if BROKEN.search(comment)]
    return complaints, len(moves), comments[-1].strip() if comments else ""


def match(engine, mode, protocol, games, needed, folder):
    """Plays one match; what was wrong with it."""
    began = time.monotonic()
    text, complaints = xboard(engine, mode, games, folder)
    found = read_games(text)
    if len(found) != games:
        complaints.append(f"{len(found)} games in place of {games}")
    score = 0.0
    for number, (tags, body) in enumerate(found, 1):
        wrong, plies, ending = check_game(tags, body)
        ours = "MaxQi" in tags.get("White", "")
        score += POINTS.get(tags.get("Result"), (0.0, 0.0))[ours]
        complaints += [f"game {number}: {problem}" for problem in wrong]
        print(f"{protocol} game {number}: {tags.get('White')} - {tags.get('Black')} {tags.get('Result')}, {plies} plies, {ending}")
    if score < needed:
        complaints.append(f"{needed:g} points were needed")
    print(f"{protocol}: {score:g} of {games} points, {time.monotonic() - began:.0f} s")
    for complaint in complaints:
        print(f"{protocol}: {complaint}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="path of the sanqi binary")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for PGN and logs; a temporary one without it")
    arguments = parser.parse_args()
    engine = pathlib.Path(arguments.engine).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        complaints = [text for match_settings in MATCHES for text in match(engine, *match_settings, folder.resolve())]
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
