"""Holds the published schema against rows of the built adapter from every kind of input, and against spoilt rows that it must refuse.

usage: analysis_schema.py ADAPTER ENGINE
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "protocol-docs"
ABSENT = object()

# Positions of every game and kind, good and bad, finished and not.
LINES = """
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1
4k4/9/9/9/9/9/9/9/4A4/3K5 w - - 120 200
bad w
9/9 w - - id "epd id"; ce 3;
position startpos moves h3e3 h8e8
position startpos moves h3e3 h3e3
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w | rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w
{"id": 7, "variant": "fangqi", "fen": "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9"}
{"id": "solved", "variant": "fangqi", "fen": "P3PP1/3pPP1/2PPPp1/1PP1pp1/1PP1ppp/3ppp1/3pp2[PPpp] b - - 0 15"}
{"id": "finished", "variant": "fangqi", "fen": "PP5/7/7/7/7/7/p6[] w - - 0 40"}
{"id": "swap", "variant": "yangqi", "fen": "startpos", "moves": ["e1d1", "e10d10"]}
{"id": "drop", "variant": "supply", "fen": "4k4/9/9/9/9/9/9/9/9/3K5[Rn] w"}
{"id": "ended", "variant": "supply2", "position": "startpos moves 1h3h10 over 1 0-1"}
{"id": "both ended", "variant": "supply2", "position": "startpos over 1 0-1 over 2 1/2-1/2"}
{"id": "one board", "variant": "supply2", "fen": "startpos", "board": 2}
{"id": "no such board", "variant": "supply2", "fen": "startpos", "board": 3}
{"id": 1.5}
{"fen":
"""

PGN = """[Variant "yangqi"]

1. e5 e6 *

[Variant "fangqi"]

1. d4 c3 2. d4 *
"""

# Path into a row of a search, and the value that the schema must refuse there (ABSENT: the field is removed).
SPOILT = [
    (["version"], ABSENT), (["version"], 2), (["id"], ABSENT), (["id"], None), (["id"], 1.5), (["variant"], ABSENT),
    (["variant"], "chess"), (["fen"], ABSENT), (["fen"], 5), (["result"], ABSENT), (["result"], "draw"),
    (["result"], "1-0"), (["reason"], "checkmate"), (["engine"], ABSENT), (["engine", "name"], ABSENT),
    (["engine", "options"], ABSENT), (["engine", "options", "Hash"], 16), (["depth"], -1), (["nodes"], "2000"),
    (["multipv"], []), (["multipv", 0, "score"], ABSENT), (["multipv", 0, "score", "viewpoint"], ABSENT),
    (["multipv", 0, "score", "viewpoint"], "white"), (["multipv", 0, "score", "mate"], 3),
    (["multipv", 0, "score", "cp"], ABSENT), (["multipv", 0, "score", "bound"], "exact"), (["multipv", 0, "pv"], ABSENT),
    (["multipv", 0, "pv", 0], "e2e0"), (["multipv", 0, "pv", 0], "C2=5"), (["multipv", 0, "san"], ABSENT),
    (["multipv", 0, "wdl"], [1, 2]), (["multipv", 0, "wdl", 0], 1001), (["bestmove"], "(none)"), (["exact"], False),
    (["board"], 3), (["check"], True), (["legal"], []), (["startfen"], ABSENT), (["moves"], ABSENT), (["error"], ""),
]


def strict(schema):
    """The schema without room for fields that it does not name."""
    if isinstance(schema, dict):
        schema = {key: strict(value) for key, value in schema.items()}
        if "properties" in schema and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
    elif isinstance(schema, list):
        schema = [strict(value) for value in schema]
    return schema


def spoil(row, path, value):
    spoilt = copy.deepcopy(row)
    *parents, last = path
    place = spoilt
    for step in parents:
        place = place[step]
    if value is ABSENT:
        del place[last]
    else:
        place[last] = value
    return spoilt


def main():
    adapter, engine = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    schema = json.loads((DOCS / "analysis" / "row.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator, exact = Draft202012Validator(schema), Draft202012Validator(strict(schema))
    failures, seen, searched = [], set(), None
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "lines.txt").write_text(LINES, encoding="utf-8")
        (folder / "games.pgn").write_text(PGN, encoding="utf-8")
        inputs = [folder / "lines.txt", folder / "games.pgn", DOCS / "replay" / "example-short.json"]
        (folder / "solved.jsonl").write_text(next(line for line in LINES.splitlines() if '"solved"' in line), encoding="utf-8")
        # A proof is found well within its time, but not by a busy machine within 30 ms.
        runs = [
            (inputs, ["--nodes", "500"]),
            (inputs, ["--depth", "2", "--multipv", "3", "--no-times"]),
            (inputs, ["--movetime", "30"]),
            ([folder / "solved.jsonl"], ["--movetime", "60000"]),
            (inputs, ["--rules-only"]),
        ]
        for files, options in runs:
            command = [adapter, "analyse", *files, *options]
            command += [] if "--rules-only" in options else ["--engine", engine]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True, timeout=300)
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            for row in rows:
                seen |= set(row)
                for error in exact.iter_errors(row):
                    failures.append(f"{options} {row['id']}: {error.json_path}: {error.message[:200]}")
                if row["id"] == "swap" and "cp" in row.get("multipv", [{"score": {}}])[0]["score"]:
                    searched = row
            # A row is a position, too: analysed again it is about the same one.
            good = [row for row in rows if "error" not in row]
            text = "".join(json.dumps(row) + "\n" for row in good)
            again = subprocess.run([adapter, "analyse", "--rules-only"], input=text, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, check=True, timeout=300).stdout.splitlines()
            about = lambda row: [row.get(name) for name in ("id", "variant", "board", "fen", "moves", "over", "result")]
            if [about(json.loads(line)) for line in again] != [about(row) for row in good]:
                failures.append(f"{options}: rows analysed again are about other positions")
    missing = set(schema["properties"]) - seen
    if missing:
        failures.append(f"fields that no row has: {sorted(missing)}")
    failures += [f"not refused: {path} {'removed' if value is ABSENT else value!r}" for path, value in SPOILT
                 if validator.is_valid(spoil(searched, path, value))]
    if not validator.is_valid(spoil(searched, ["new"], 1)):
        failures.append("a field of a later program is refused")
    print(f"{len(runs)} runs, {len(SPOILT)} spoilt rows, {len(failures)} failures")
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
