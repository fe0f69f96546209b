"""Many quick games of one variant, killed and resumed on the way: no forfeit, no hang, no game lost or played twice.

    python3 tests/soak/match.py SANQI ADAPTER VARIANT --folder FOLDER [--games 1000] [--kills 2] [--tc 0.2+0.002] [--margin 0]

Games gather in FOLDER: called again, it goes on where it stands until there are as many as asked for. Every call kills the match
`--kills` times (SIGKILL) on its way and resumes it. At the end all games are read by the rules (`pgn check`, `replay check`).
The numbers mean something only on a machine that has nothing else to do: a forfeit may be the machine's.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

# A match of so many games may take so long, with ten times what its clocks allow.
PATIENCE_PER_GAME = 60
FORFEITS = ("on time", "stalls", "disconnects", "illegal", "claim", "refuses")


def journal(folder):
    """The finished games, in the order in which they ended."""
    path = folder / "config.games.jsonl"
    games = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue  # cut off by a kill
        games += [entry] if entry["entry"] == "game" else []
    return games


def command(arguments, resume):
    adapter = str(arguments.adapter.resolve())
    rounds = str(arguments.games // 2)
    if resume:
        return [adapter, "match", "-config", "file=config.json", "-rounds", rounds, "-ratinginterval", "0"]
    words = [adapter, "match", "-variant", arguments.variant, "-rounds", rounds, "-repeat", "-concurrency", "2", "-recover"]
    for name in ("A", "B"):
        words += ["-engine", f"cmd={arguments.sanqi.resolve()}", f"name={name}"]
    words += ["-each", f"tc={arguments.tc}", f"timemargin={arguments.margin}", "option.Hash=16", "option.Threads=1"]
    words += ["-openings", "random", "-srand", "1", "-ratinginterval", "0", "-pgnout", "file=games.pgn"]
    return words + (["-replayout", "dir=replays"] if arguments.variant == "supply2" else [])


def play(arguments):
    """Plays what is missing, with kills; the exit status of the last run, or None for a hang."""
    kills = 0
    while True:
        before = len(journal(arguments.folder))
        if before >= arguments.games:
            return 0
        resume = (arguments.folder / "config.json").exists()
        with open(arguments.folder / "output.txt", "a") as out:
            process = subprocess.Popen(command(arguments, resume), cwd=arguments.folder, stdout=out, stderr=out)
        deadline = time.monotonic() + PATIENCE_PER_GAME * (arguments.games - before)
        # Kills are spread over what is left.
        kill_at = before + max(1, (arguments.games - before) // (arguments.kills - kills + 1)) if kills < arguments.kills else None
        while process.poll() is None:
            time.sleep(0.05)
            if time.monotonic() > deadline:
                process.kill()
                process.wait()
                return None
            if kill_at is not None and len(journal(arguments.folder)) >= kill_at:
                process.kill()
                process.wait()
                kills += 1
                print(f"{arguments.variant}: killed after {len(journal(arguments.folder))} games", flush=True)
                break
        else:
            return process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sanqi", type=pathlib.Path)
    parser.add_argument("adapter", type=pathlib.Path)
    parser.add_argument("variant")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--tc", default="0.2+0.002")
    parser.add_argument("--margin", type=int, default=0, help="milliseconds that an engine may overstep")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    status = play(arguments)
    games = journal(arguments.folder)
    numbers = [game["number"] for game in games]
    twice = [number for number, count in collections.Counter(numbers).items() if count > 1]
    lost = sorted(set(range(1, arguments.games + 1)) - set(numbers))
    forfeits = [game for game in games if any(word in game["reason"] for word in FORFEITS)]
    adapter = str(arguments.adapter.resolve())
    if arguments.variant == "supply2":
        replays = sorted((arguments.folder / "replays").glob("*.json"))
        checks = [[adapter, "replay", "check", *map(str, replays)]]
    else:
        checks = [[adapter, "pgn", "check", str(arguments.folder / "games.pgn")]]
    faulty = [check for check in checks if subprocess.run(check, capture_output=True).returncode != 0]
    written = (arguments.folder / "games.pgn").read_text(errors="replace").count("\n[Result ")
    print(
        f"{arguments.variant}: {len(games)} games, {written} in the file, {len(lost)} lost, {len(twice)} twice, {len(forfeits)} forfeits, "
        f"status {'hang' if status is None else status}, files {'faulty' if faulty else 'good'}, {time.monotonic() - began:.0f} s"
    )
    for game in forfeits[:10]:
        print(f"{arguments.variant}: game {game['number']}: {game['reason']}")
    good = status == 0 and not lost and not twice and not forfeits and not faulty and written == len(games)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
