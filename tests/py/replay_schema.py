"""Holds the published schema against the published examples, and against spoilt copies of them that it must refuse.

usage: replay_schema.py [FOLDER with schema.json and example-*.json]

The library is Python's jsonschema: the maintained Rust one takes minutes to build.
"""
import copy
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

ABSENT = object()

# Path into the short example, and the value that the schema must refuse there (ABSENT: the field is removed).
SPOILT = [
    *[([name], ABSENT) for name in
      "format version series startedAt exportedAt result score events supplyTimeline".split()],
    (["format"], "replay"), (["version"], 2), (["version"], "1"), (["version"], 1.5), (["series"], "x"), (["series", "name"], ABSENT),
    (["series", "match"], 0), (["startedAt"], "yesterday"), (["startedAt"], 0), (["startPosition"], "one board"),
    (["seats", "red1", "name"], ABSENT), (["timeControl", "initialMs"], -1), (["comments"], "x"), (["bpgnTags"], {"x": 1}),
    (["result", "match"], "1-0"), (["result", "board1"], ABSENT), (["result", "board1", "reason"], "boredom"),
    (["result", "board1", "afterEvent"], ABSENT), (["result", "board1", "outcome"], "unfinished"),
    (["score", "team1"], 3), (["score", "team2"], ABSENT), (["events"], {}), (["events", 0], None),
    *[(["events", 0, name], ABSENT) for name in "number kind board seat side ply piece from to reservesAfter".split()],
    (["events", 0, "kind"], "castle"), (["events", 0, "kind"], "drop"), (["events", 0, "board"], 3),
    (["events", 0, "seat"], "red"), (["events", 0, "side"], "white"), (["events", 0, "piece"], "H"),
    (["events", 0, "from"], "h11"), (["events", 0, "to"], "j1"), (["events", 0, "captured"], "K"),
    (["events", 0, "number"], 1e30), (["events", 0, "ply"], 1.5), (["result", "board1", "afterEvent"], 2 ** 53),
    (["events", 0, "reservesAfter", "board1"], "nR"), (["events", 0, "clockMs"], 2 ** 53), (["events", 0, "timeMs"], 0.5),
    *[(["supplyTimeline", 0, name], ABSENT) for name in "event change board seat side piece reserve".split()],
    (["supplyTimeline", 0, "change"], "lost"), (["supplyTimeline", 0, "piece"], "k"),
]


def spoil(replay, path, value):
    spoilt = copy.deepcopy(replay)
    *parents, last = path
    place = spoilt
    for step in parents:
        place = place[step]
    if value is ABSENT:
        del place[last]
    else:
        place[last] = value
    return spoilt


def with_floats(value):
    """The same JSON value with every number as some programs write it: 1.0."""
    match value:
        case dict():
            return {key: with_floats(inner) for key, inner in value.items()}
        case list():
            return [with_floats(inner) for inner in value]
        case int():
            return float(value)
    return value


def main():
    default = pathlib.Path(__file__).resolve().parents[2] / "protocol-docs" / "replay"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    examples = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("example-*.json"))}
    failures = []
    for name, replay in examples.items():
        for error in validator.iter_errors(replay):
            failures.append(f"{name}: {error.json_path}: {error.message[:200]}")
    replay = examples["example-short.json"]
    failures += [f"not refused: {path} {'removed' if value is ABSENT else value!r}" for path, value in SPOILT
                 if validator.is_valid(spoil(replay, path, value))]
    # Fields of others are welcome at every level.
    for path in [["x"], ["series", "x"], ["events", 0, "x"], ["supplyTimeline", 0, "x"], ["result", "board1", "x"]]:
        if not validator.is_valid(spoil(replay, path, {"anything": [1]})):
            failures.append(f"refused: {path}")
    # `sanqi-adapter` reads them too: tests/tests/replay.rs.
    failures += [f"refused with floats: {error.json_path}" for error in validator.iter_errors(with_floats(replay))]
    print(f"{len(examples)} examples, {len(SPOILT)} spoilt replays, {len(failures)} failures")
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures or len(examples) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
