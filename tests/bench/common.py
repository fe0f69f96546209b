"""What the benchmarks share: the way to the UCI client and the positions."""

import json
import pathlib
import statistics
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "py"))
VARIANTS_FILE = TESTS / "data" / "yangqinoswap.ini"
YANGQI_START = "rnbvkvbnr/1c5c1/p1p1p1p1p/1p1p1p1p1/9/9/1P1P1P1P1/P1P1P1P1P/1C5C1/RNBVKVBNR w - - 0 1"


def recorded(variant):
    """The recorded perft positions of a variant: FEN and counts."""
    lines = (json.loads(line) for line in (TESTS / "data" / "perft.jsonl").read_text().splitlines())
    return [(line["fen"], line["perft"]) for line in lines if line["variant"] == variant]


def positions():
    """Name, variant, FEN and perft depth of the benchmark positions; the last one is unknown to other engines."""
    out = [("xiangqi start", "xiangqi", recorded("xiangqi")[0][0], 5)]
    with_reserves = [(fen, counts) for fen, counts in recorded("supply") if "[]" not in fen]
    for number, (fen, counts) in enumerate(with_reserves, 1):
        out.append((f"supply reserves {number}", "supply", fen, len(counts)))
    out.append(("yangqinoswap start", "yangqinoswap", YANGQI_START, 4))
    out.append(("yangqi start", "yangqi", YANGQI_START, 4))
    out.append(("fangqi start", "fangqi", recorded("fangqi")[0][0], 5))
    return out


def offers(lines, variant):
    """Whether the option lines of an engine offer a variant. Sanqi takes yangqinoswap without listing it."""
    combo = next((line for line in lines if line.startswith("option name UCI_Variant ")), "")
    return variant in combo.split()


def summary(values):
    """Median and range, in millions."""
    low, middle, high = min(values) / 1e6, statistics.median(values) / 1e6, max(values) / 1e6
    return f"{middle:8.2f} M/s ({low:.2f}–{high:.2f})"


def percentile(values, part):
    """The value below which `part` (0–1) of the values lie, by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
