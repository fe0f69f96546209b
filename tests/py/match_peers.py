"""Matches of the adapter against engines that other people wrote.

    python3 tests/py/match_peers.py PATH_OF_SANQI PATH_OF_ADAPTER [--keep FOLDER]

Needs fairy-stockfish and hoixiangqi (Debian: fairy-stockfish hoichess). A match fails when a game is missing, when an engine crashed,
stalled, was late or claimed what is not so, when Sanqi made an illegal move, or when the games do not stand the check by the rules.
Who wins does not matter.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FAIRY = "fairy-stockfish"
# Variant, the opponent, its protocol, rounds of two games, the limits.
MATCHES = [
    ("supply", FAIRY, "uci", 1, "tc=2+0.02"),
    ("supply", FAIRY, "xboard", 1, "tc=2+0.02"),
    ("xiangqi", FAIRY, "ucci", 1, "tc=2+0.02"),
    ("xiangqi", FAIRY, "xboard", 1, "tc=2+0.02"),
    ("xiangqi", "hoixiangqi", "xboard", 1, "tc=2+0.02"),
    ("supply2", FAIRY, "xboard", 1, "tc=4+0.02"),
]
PATIENCE = 120


def run(command, folder):
    # Debian keeps games where PATH may not look.
    environment = os.environ | {"PATH": os.environ["PATH"] + ":/usr/games"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)


def complaints_of(variant, done, games, folder, adapter):
    """What is wrong with a match."""
    complaints = []
    if done.returncode != 0:
        complaints.append(f"exit status {done.returncode}: {done.stdout[-500:]} {done.stderr[-2000:]}")
    for game in games:
        reason = game["reason"]
        # Sanqi's side of the boards: its seats are the first player's in the first game, the second's in the second.
        sanqi = "White" if game["white"] == "Sanqi" else "Black"
        other = "Black" if sanqi == "White" else "White"
        if re.search(r"disconnects|stalls|on time|claim|refuses", reason):
            complaints.append(f"game {game['number']}: {reason}")
        illegal = [f"{sanqi} makes an illegal move"]
        if variant == "supply2":
            # Fairy-Stockfish 11.1 knows an older supply, with more points for drops; its own illegal drops are no fault of ours.
            illegal = [f"board 1: {sanqi} makes an illegal", f"board 2: {other} makes an illegal"]
        elif "illegal" in reason:
            complaints.append(f"game {game['number']}: {reason}")
        complaints += [f"game {game['number']}: {reason}" for text in illegal if text in reason]
    if variant == "supply2":
        replays = sorted((folder / "replays").glob("*.json"))
        checked = run([adapter, "replay", "check", *replays], folder)
        if len(replays) != len(games):
            complaints.append(f"{len(replays)} replays")
    else:
        checked = run([adapter, "pgn", "check", "games.pgn"], folder)
    if checked.returncode != 0:
        complaints.append(checked.stdout + checked.stderr)
    return complaints


def match(sanqi, adapter, settings, folder):
    """Plays a match; what was wrong with it."""
    variant, opponent, protocol, rounds, limits = settings
    folder.mkdir(parents=True)
    began = time.monotonic()
    command = [adapter, "match", "-engine", f"cmd={sanqi}", "name=Sanqi", "-engine", f"cmd={opponent}", "name=Peer", f"proto={protocol}"]
    command += ["-each", limits, "timemargin=1000", "-variant", variant, "-rounds", str(rounds), "-repeat", "-recover", "-srand", "1"]
    command += ["-openings", "random", "-concurrency", "2", "-force-concurrency", "-pgnout", "file=games.pgn"]
    command += ["-log", "file=wire.log", "engine=true"]
    command += ["-replayout", "dir=replays"] if variant == "supply2" else []
    done = run(command, folder)
    journal = folder / "config.games.jsonl"
    entries = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    games = sorted((entry for entry in entries if entry["entry"] == "game"), key=lambda game: game["number"])
    complaints = complaints_of(variant, done, games, folder, adapter)
    if len(games) != 2 * rounds:
        complaints.append(f"{len(games)} games in place of {2 * rounds}")
    title = f"{variant} against {opponent} over {protocol}"
    for game in games:
        print(f"{title}: {game['white']} {game['result']} {game['black']}, {game['plies']} plies, {game['reason']}")
    print(f"{title}: {len(games)} games, {time.monotonic() - began:.0f} s")
    for complaint in complaints:
        print(f"{title}: FAULT {complaint}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sanqi", type=pathlib.Path, help="path of the engine")
    parser.add_argument("adapter", type=pathlib.Path, help="path of sanqi-adapter")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for games and logs; a temporary one without it")
    arguments = parser.parse_args()
    sanqi, adapter = arguments.sanqi.resolve(), arguments.adapter.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)).resolve()
        faults = [
            complaint
            for index, settings in enumerate(MATCHES)
            for complaint in match(sanqi, adapter, settings, folder / f"{index}-{settings[0]}-{settings[2]}")
        ]
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
