//! Replays that are broken in one way each: the checker names the place on one line, and nothing panics.
use sanqi_tests::binary::adapter;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, away from the sources.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn replay(arguments: &[&str], file: &Path) -> Output {
    Command::new(adapter()).arg("replay").args(arguments).arg(file).output().expect("the adapter runs")
}

/// The one line on the standard error, without the name of the file; the exit code is 1 and the standard output empty.
fn complaint(arguments: &[&str], file: &Path) -> String {
    let output = replay(arguments, file);
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{}: {error}", file.display());
    assert_eq!(output.stdout, b"", "{}", file.display());
    let line = error.strip_suffix('\n').unwrap_or_else(|| panic!("{}: no line: {error}", file.display()));
    assert!(!line.contains(['\n', '\r']), "{}: {error}", file.display());
    assert!(line.len() < 2_000, "{}: {} bytes", file.display(), line.len());
    let named = format!("{}: ", file.display());
    line.strip_prefix(&named).unwrap_or_else(|| panic!("the line does not name {named}: {line}")).to_owned()
}

/// A good replay with everything in it: captures, drops, clocks, a resignation and an agreed draw.
fn good() -> Value {
    let event = |number: u64,
                 board: u64,
                 side: &str,
                 ply: u64,
                 piece: &str,
                 from: Option<&str>,
                 to: &str,
                 captured: Option<&str>,
                 after: [&str; 2]| {
        let mut event = json!({
            "number": number, "kind": if from.is_some() { "move" } else { "drop" }, "board": board,
            "seat": format!("{side}{board}"), "side": side, "ply": ply, "piece": piece, "to": to,
            "reservesAfter": { "board1": after[0], "board2": after[1] },
            "clockMs": 300_000 - 1000 * number, "timeMs": 1000 * number,
        });
        if let Some(from) = from {
            event["from"] = json!(from);
        }
        if let Some(captured) = captured {
            event["captured"] = json!(captured);
        }
        event
    };
    let supply = |event: u64, change: &str, board: u64, side: &str, piece: &str, reserve: &str| {
        json!({
            "event": event, "change": change, "board": board, "seat": format!("{side}{board}"), "side": side,
            "piece": piece, "reserve": reserve, "timeMs": 1000 * event,
        })
    };
    json!({
        "format": "wonghongwei-supply-xiangqi-replay",
        "version": 1,
        "series": { "name": "Test", "match": 3 },
        "startedAt": "2026-11-29T12:00:00.000Z",
        "exportedAt": "2026-11-29T12:05:00.000Z",
        "seats": { "red1": { "name": "Ann", "rating": 1800 }, "black2": { "name": "Bo" } },
        "timeControl": { "initialMs": 300_000, "incrementMs": 0 },
        "result": {
            "match": "team1",
            "board1": { "outcome": "red", "reason": "resignation", "afterEvent": 8, "timeMs": 9000 },
            "board2": { "outcome": "draw", "reason": "agreement", "afterEvent": 9, "timeMs": 9500 },
        },
        "score": { "team1": 1, "team2": 0 },
        "events": [
            event(1, 1, "red", 1, "C", Some("h3"), "h10", Some("n"), ["", "n"]),
            event(2, 2, "red", 1, "C", Some("h3"), "h10", Some("n"), ["n", "n"]),
            event(3, 1, "black", 2, "r", Some("i10"), "h10", Some("C"), ["n", "Cn"]),
            event(4, 2, "black", 2, "r", Some("i10"), "h10", Some("C"), ["Cn", "Cn"]),
            event(5, 1, "red", 3, "C", None, "a2", None, ["n", "Cn"]),
            event(6, 1, "black", 4, "n", None, "c6", None, ["", "Cn"]),
            event(7, 2, "red", 3, "C", None, "a2", None, ["", "n"]),
            event(8, 2, "black", 4, "n", None, "c6", None, ["", ""]),
            event(9, 2, "red", 5, "P", Some("e4"), "e5", None, ["", ""]),
        ],
        "supplyTimeline": [
            supply(1, "received", 2, "black", "n", "n"),
            supply(2, "received", 1, "black", "n", "n"),
            supply(3, "received", 2, "red", "C", "C"),
            supply(4, "received", 1, "red", "C", "C"),
            supply(5, "dropped", 1, "red", "C", ""),
            supply(6, "dropped", 1, "black", "n", ""),
            supply(7, "dropped", 2, "red", "C", ""),
            supply(8, "dropped", 2, "black", "n", ""),
        ],
    })
}

/// A replay of two boards on which the rules end: mate in one on board 1, the hundredth turn on board 2.
fn ended_by_rule() -> Value {
    json!({
        "format": "wonghongwei-supply-xiangqi-replay",
        "version": 1,
        "series": { "name": "Ends" },
        "startedAt": "2026-11-29T12:00:00Z",
        "exportedAt": "2026-11-29T12:00:00Z",
        "startPosition": "3k5/R8/1R7/9/9/9/9/9/9/4K4[] w - - 0 1 | 3k5/9/9/9/9/9/9/9/9/4K4[] w - - 99 60",
        "result": {
            "match": "team1",
            "board1": { "outcome": "red", "reason": "checkmate", "afterEvent": 1 },
            "board2": { "outcome": "draw", "reason": "moveCount", "afterEvent": 2 },
        },
        "score": { "team1": 1, "team2": 0 },
        "events": [
            { "number": 1, "kind": "move", "board": 1, "seat": "red1", "side": "red", "ply": 1, "piece": "R", "from": "b8",
              "to": "b10", "reservesAfter": { "board1": "", "board2": "" } },
            { "number": 2, "kind": "move", "board": 2, "seat": "red2", "side": "red", "ply": 1, "piece": "K", "from": "e1",
              "to": "e2", "reservesAfter": { "board1": "", "board2": "" } },
        ],
        "supplyTimeline": [],
    })
}

/// A way to break a replay: its name, what it does to the text, and what the complaint begins with and contains.
struct Break {
    name: String,
    text: Vec<u8>,
    begins: String,
    contains: String,
}

struct Breaks(Vec<Break>);

impl Breaks {
    fn bytes(&mut self, name: &str, text: impl Into<Vec<u8>>, begins: &str, contains: &str) {
        let (begins, contains) = (begins.to_owned(), contains.to_owned());
        self.0.push(Break { name: name.to_owned(), text: text.into(), begins, contains });
    }

    /// Sets the field at a JSON pointer, or removes it when the value is `None`.
    fn set(&mut self, mut replay: Value, pointer: &str, value: Option<Value>, begins: &str, contains: &str) {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let parent = replay.pointer_mut(parent).unwrap_or_else(|| panic!("no {pointer}"));
        let name = format!("{pointer} {}", value.as_ref().map_or("removed".to_owned(), Value::to_string));
        match (parent, value) {
            (Value::Object(fields), Some(value)) => drop(fields.insert(key.to_owned(), value)),
            (Value::Object(fields), None) => drop(fields.shift_remove(key).unwrap_or_else(|| panic!("no {pointer}"))),
            (Value::Array(list), Some(value)) => list[key.parse::<usize>().expect("an index")] = value,
            (Value::Array(list), None) => drop(list.remove(key.parse::<usize>().expect("an index"))),
            (other, _) => panic!("{pointer} is in {other}"),
        }
        self.bytes(&name, replay.to_string(), begins, contains);
    }
}

fn breaks() -> Vec<Break> {
    let mut all = Breaks(Vec::new());
    let text = good().to_string();

    // The file.
    all.bytes("empty", "", "replay: ", "EOF while parsing");
    all.bytes("not JSON", "Dear diary", "replay: ", "expected value at line 1 column 1");
    all.bytes("truncated", &text[..text.len() / 2], "", "EOF while parsing");
    all.bytes("last bracket missing", &text[..text.len() - 1], "replay: ", "EOF while parsing");
    all.bytes("something behind", format!("{text} {{}}"), "replay: ", "trailing characters");
    let mut spoilt = text.clone().into_bytes();
    spoilt[30] = 0xff;
    all.bytes("invalid UTF-8", spoilt, "byte 30: ", "not UTF-8");
    all.bytes(
        "UTF-16",
        text.encode_utf16().flat_map(u16::to_le_bytes).chain([0xff]).collect::<Vec<_>>(),
        "byte ",
        "not UTF-8",
    );
    all.bytes("NUL bytes", vec![0; 1000], "replay: ", "expected value");
    all.bytes("an array", "[]", "replay: ", "invalid length 0");
    all.bytes("a number", "1", "replay: ", "invalid type: integer");
    all.bytes("null", "null", "replay: ", "invalid type: null");
    all.bytes("brackets without end", "[".repeat(100_000), "", "line 1 column");
    all.bytes(
        "nested too deeply",
        text.replace("\"Test\"", &format!("\"Test\",\"x\":{}1{}", "[".repeat(5_000), "]".repeat(5_000))),
        "series",
        "recursion limit",
    );
    all.bytes("raw line end in a string", text.replace("Test", "Te\nst"), "series: ", "control character");
    all.bytes("lone surrogate", text.replace("Test", "\\ud800"), "series.name: ", "hex escape");
    all.bytes("a comma too many", text.replace("\"score\":", ",\"score\":"), "replay: ", "line 1");

    // Fields that must be there.
    for field in
        ["format", "version", "series", "startedAt", "exportedAt", "result", "score", "events", "supplyTimeline"]
    {
        all.set(good(), &format!("/{field}"), None, "replay: ", &format!("missing field `{field}`"));
    }
    for field in ["number", "kind", "board", "seat", "side", "ply", "piece", "to", "reservesAfter"] {
        all.set(good(), &format!("/events/4/{field}"), None, "event 5: ", &format!("missing field `{field}`"));
    }
    all.set(good(), "/events/2/from", None, "event 3, from: ", "a move needs it");
    for field in ["event", "change", "board", "seat", "side", "piece", "reserve"] {
        let place = "supplyTimeline entry 2: ";
        all.set(good(), &format!("/supplyTimeline/1/{field}"), None, place, &format!("missing field `{field}`"));
    }
    all.set(good(), "/series/name", None, "series: ", "missing field `name`");
    all.set(good(), "/result/board1", None, "result: ", "missing field `board1`");
    all.set(good(), "/result/match", None, "result: ", "missing field `match`");
    all.set(good(), "/result/board2/reason", None, "result.board2: ", "missing field `reason`");
    all.set(good(), "/score/team2", None, "score: ", "missing field `team2`");
    all.set(good(), "/timeControl/incrementMs", None, "timeControl: ", "missing field `incrementMs`");

    // Fields that are there twice.
    let twice = |field: &str| text.replacen(&format!("\"{field}\":"), &format!("\"{field}\":null,\"{field}\":"), 1);
    all.bytes(
        "two formats",
        text.replacen("\"format\":", "\"format\":\"wonghongwei-supply-xiangqi-replay\",\"format\":", 1),
        "replay: ",
        "duplicate field `format`",
    );
    all.bytes(
        "two scores",
        text.replacen("\"score\":", "\"score\":{\"team1\":1,\"team2\":0},\"score\":", 1),
        "replay: ",
        "duplicate field `score`",
    );
    all.bytes(
        "two boards of an event",
        text.replacen("\"board\":1", "\"board\":1,\"board\":1", 1),
        "event 1: ",
        "duplicate field `board`",
    );
    all.bytes("null version", twice("version"), "version: ", "invalid type: null");

    // Wrong words, types and numbers.
    all.set(good(), "/format", Some(json!("replay")), "format: ", "wonghongwei-supply-xiangqi-replay");
    all.set(good(), "/version", Some(json!(2)), "version: ", "expected 1, found 2");
    all.set(good(), "/version", Some(json!("1")), "version: ", "invalid type: string");
    all.set(good(), "/version", Some(json!(1.5)), "version: ", "invalid type: floating point");
    all.set(good(), "/version", Some(json!(-1)), "version: ", "-1");
    all.set(good(), "/series", Some(json!("Test")), "series: ", "invalid type: string");
    all.set(good(), "/series/match", Some(json!(0)), "series.match: ", "nonzero");
    all.set(good(), "/startedAt", Some(json!("yesterday")), "startedAt: ", "found `yesterday`");
    all.set(good(), "/startedAt", Some(json!("2026-02-30T12:00:00Z")), "startedAt: ", "2026-02-30");
    all.set(good(), "/startedAt", Some(json!(1_764_417_600)), "startedAt: ", "invalid type: integer");
    all.set(good(), "/exportedAt", Some(json!("2026-11-29T11:59:59Z")), "exportedAt: ", "or later");
    all.set(good(), "/events", Some(json!({})), "events: ", "invalid type: map");
    all.set(good(), "/events/3", Some(json!("2i10h10")), "event 4: ", "invalid type: string");
    all.set(good(), "/events/3", Some(Value::Null), "event 4: ", "invalid type: null");
    all.set(
        good(),
        "/events/4/kind",
        Some(json!("castle")),
        "event 5, kind: ",
        "unknown variant `castle`, expected `move` or `drop`",
    );
    all.set(
        good(),
        "/events/4/kind",
        Some(json!("multi\nline\u{2028}word\r")),
        "event 5, kind: ",
        "unknown variant `multi\\nline",
    );
    all.set(good(), "/events/4/kind", Some(json!("x".repeat(1_000_000))), "event 5, kind: ", "unknown variant `xxx");
    all.set(good(), "/events/4/kind", Some(json!("Drop")), "event 5, kind: ", "unknown variant");
    all.set(good(), "/events/0/board", Some(json!(3)), "event 1, board: ", "expected board 1 or 2, found 3");
    all.set(good(), "/events/0/board", Some(json!("1")), "event 1, board: ", "invalid type");
    all.set(good(), "/events/0/seat", Some(json!("green1")), "event 1, seat: ", "unknown variant");
    all.set(good(), "/events/0/side", Some(json!("white")), "event 1, side: ", "unknown variant");
    all.set(good(), "/events/0/piece", Some(json!("X")), "event 1, piece: ", "found `X`");
    all.set(good(), "/events/0/piece", Some(json!("CC")), "event 1, piece: ", "found `CC`");
    all.set(good(), "/events/0/from", Some(json!("j1")), "event 1, from: ", "a1 to i10");
    all.set(good(), "/events/0/from", Some(Value::Null), "event 1, from: ", "invalid type: null");
    all.set(good(), "/events/0/to", Some(json!("h11")), "event 1, to: ", "found `h11`");
    all.set(good(), "/events/0/clockMs", Some(json!(-5)), "event 1, clockMs: ", "-5");
    all.set(good(), "/events/0/clockMs", Some(json!(u64::MAX)), "event 1, clockMs: ", "at most 9007199254740991");
    all.bytes(
        "a huge whole number",
        text.replacen("299000", &"9".repeat(400), 1),
        "event 1, clockMs: ",
        "number out of range",
    );
    all.bytes("a huge exponent", text.replacen("299000", "1e999", 1), "event 1, clockMs: ", "number out of range");
    all.set(good(), "/events/0/ply", Some(json!(1e30)), "event 1, ply: ", "invalid type: floating point");
    all.set(good(), "/events/0/reservesAfter", Some(json!(["", "n"])), "event 1, reservesAfter", "");
    all.set(
        good(),
        "/events/0/reservesAfter/board2",
        Some(json!(7)),
        "event 1, reservesAfter.board2: ",
        "invalid type",
    );
    all.set(
        good(),
        "/supplyTimeline/5/change",
        Some(json!("lost")),
        "supplyTimeline entry 6, change: ",
        "unknown variant `lost`",
    );
    all.set(good(), "/result/match", Some(json!("1-0")), "result.match: ", "unknown variant");
    all.set(
        good(),
        "/result/board1/reason",
        Some(json!("boredom")),
        "result.board1.reason: ",
        "unknown variant `boredom`",
    );
    all.set(good(), "/score/team1", Some(json!(0.5)), "score.team1: ", "invalid type");
    all.set(good(), "/startPosition", Some(json!("one board only w")), "startPosition: ", "separated by |");
    all.set(good(), "/startPosition", Some(json!("9/9 w | 9/9 w")), "startPosition: ", "board 1");

    // Events that the rules do not allow.
    all.set(good(), "/events/0/to", Some(json!("h9")), "event 1: ", "illegal move `h3h9` on board 1");
    all.set(good(), "/events/0/from", Some(json!("e5")), "event 1, from: ", "no piece on e5");
    all.set(good(), "/events/0/piece", Some(json!("R")), "event 1, piece: ", "expected C, found R");
    all.set(good(), "/events/1/number", Some(json!(7)), "event 2, number: ", "expected 2, found 7");
    all.set(good(), "/events/1", None, "event 2, number: ", "expected 2, found 3");
    all.set(good(), "/events/1/side", Some(json!("black")), "event 2, side: ", "expected red, found black");
    all.set(good(), "/events/1/seat", Some(json!("red1")), "event 2, seat: ", "expected red2, found red1");
    all.set(good(), "/events/2/ply", Some(json!(3)), "event 3, ply: ", "expected 2, found 3");
    all.set(good(), "/events/2/captured", None, "event 3, captured: ", "expected C, found nothing");
    all.set(good(), "/events/2/captured", Some(json!("R")), "event 3, captured: ", "expected C, found R");
    all.set(good(), "/events/8/captured", Some(json!("p")), "event 9, captured: ", "expected nothing, found p");
    all.set(
        good(),
        "/events/4/piece",
        Some(json!("R")),
        "event 5, piece: ",
        "expected a piece of the reserve \"C\", found R",
    );
    all.set(good(), "/events/4/piece", Some(json!("c")), "event 5, piece: ", "found c");
    all.set(good(), "/events/4/piece", Some(json!("K")), "event 5, piece: ", "found K");
    all.set(good(), "/events/4/to", Some(json!("a1")), "event 5: ", "illegal move `C@a1` on board 1");
    all.set(good(), "/events/4/to", Some(json!("a6")), "event 5: ", "illegal move `C@a6`");
    all.set(good(), "/events/4/from", Some(json!("a3")), "event 5, from: ", "nothing for a drop");
    all.set(
        good(),
        "/events/4/reservesAfter/board1",
        Some(json!("Cn")),
        "event 5, reservesAfter.board1: ",
        "expected \"n\", found \"Cn\"",
    );
    all.set(
        good(),
        "/events/3/reservesAfter/board2",
        Some(json!("nC")),
        "event 4, reservesAfter.board2: ",
        "expected \"Cn\", found \"nC\"",
    );
    all.set(good(), "/events/5/timeMs", Some(json!(1)), "event 6, timeMs: ", "expected at least 5000, found 1");
    all.set(
        good(),
        "/result/board1/afterEvent",
        Some(json!(4)),
        "event 5, board: ",
        "board 1 has ended (resignation) after event 4",
    );
    let mut after_mate = ended_by_rule();
    let event = after_mate["events"].as_array_mut().expect("events");
    event.push(
        json!({ "number": 3, "kind": "move", "board": 1, "seat": "black1", "side": "black", "ply": 2, "piece": "k",
        "from": "d10", "to": "d9", "reservesAfter": { "board1": "", "board2": "" } }),
    );
    all.bytes(
        "a move after mate",
        after_mate.to_string(),
        "event 3, board: ",
        "board 1 has ended (checkmate) after event 1",
    );

    // A timeline, a result or a score that the events do not give.
    all.set(good(), "/supplyTimeline/2", None, "supplyTimeline entry 3, event: ", "expected 3, found 4");
    all.set(good(), "/supplyTimeline/7", None, "supplyTimeline entry 8: ", "expected an entry for event 8");
    let mut longer = good();
    let entry = longer["supplyTimeline"][7].clone();
    longer["supplyTimeline"].as_array_mut().expect("entries").push(entry);
    all.bytes("an entry too many", longer.to_string(), "supplyTimeline entry 9: ", "expected the end of the timeline");
    all.set(
        good(),
        "/supplyTimeline/0/change",
        Some(json!("dropped")),
        "supplyTimeline entry 1, change: ",
        "expected received",
    );
    all.set(
        good(),
        "/supplyTimeline/0/board",
        Some(json!(1)),
        "supplyTimeline entry 1, board: ",
        "expected 2, found 1",
    );
    all.set(
        good(),
        "/supplyTimeline/0/seat",
        Some(json!("red2")),
        "supplyTimeline entry 1, seat: ",
        "expected black2, found red2",
    );
    all.set(
        good(),
        "/supplyTimeline/0/side",
        Some(json!("red")),
        "supplyTimeline entry 1, side: ",
        "expected black, found red",
    );
    all.set(
        good(),
        "/supplyTimeline/0/piece",
        Some(json!("r")),
        "supplyTimeline entry 1, piece: ",
        "expected n, found r",
    );
    all.set(
        good(),
        "/supplyTimeline/0/reserve",
        Some(json!("nn")),
        "supplyTimeline entry 1, reserve: ",
        "expected \"n\", found \"nn\"",
    );
    all.set(
        good(),
        "/supplyTimeline/0/timeMs",
        None,
        "supplyTimeline entry 1, timeMs: ",
        "expected 1000, found nothing",
    );
    all.set(good(), "/result/match", Some(json!("team2")), "result.match: ", "expected team1, found team2");
    all.set(good(), "/result/board1/outcome", Some(json!("draw")), "result.board1.outcome: ", "resignation");
    all.set(good(), "/result/board2/outcome", Some(json!("red")), "result.board2.outcome: ", "agreement");
    all.set(good(), "/result/board1/outcome", Some(json!("unfinished")), "result.board1.outcome: ", "resignation");
    all.set(good(), "/result/board1/outcome", Some(json!("black")), "result.match: ", "expected team2, found team1");
    all.set(
        good(),
        "/result/board1/reason",
        Some(json!("checkmate")),
        "result.board1.outcome: ",
        "expected unfinished, found red",
    );
    all.set(good(), "/result/board1/afterEvent", Some(json!(10)), "result.board1.afterEvent: ", "up to 9, found 10");
    all.set(good(), "/result/board1/afterEvent", None, "result.board1.afterEvent: ", "found nothing");
    all.set(good(), "/result/board1/timeMs", Some(json!(7999)), "result.board1.timeMs: ", "at least 8000, found 7999");
    let mut backwards = good();
    backwards["events"][8].as_object_mut().expect("an event").shift_remove("timeMs");
    all.set(
        backwards,
        "/result/board2/timeMs",
        Some(json!(8500)),
        "result.board2.timeMs: ",
        "at least 9000, found 8500",
    );
    all.set(good(), "/score/team1", Some(json!(2)), "score.team1: ", "expected 1, found 2");
    all.set(good(), "/score/team2", Some(json!(1)), "score.team2: ", "expected 0, found 1");
    all.set(
        ended_by_rule(),
        "/result/board1/reason",
        Some(json!("stalemate")),
        "result.board1.reason: ",
        "expected checkmate, found stalemate",
    );
    all.set(
        ended_by_rule(),
        "/result/board1/reason",
        Some(json!("resignation")),
        "result.board1.reason: ",
        "expected checkmate, found resignation",
    );
    all.set(
        ended_by_rule(),
        "/result/board2/afterEvent",
        Some(json!(1)),
        "result.board2.afterEvent: ",
        "expected 2, found 1",
    );
    all.set(
        ended_by_rule(),
        "/result/board2/outcome",
        Some(json!("red")),
        "result.board2.outcome: ",
        "expected draw, found red",
    );
    all.set(
        ended_by_rule(),
        "/result/board2",
        Some(json!({ "outcome": "unfinished", "reason": "unfinished" })),
        "result.board2.outcome: ",
        "expected draw, found unfinished",
    );
    all.0
}

#[test]
fn the_replays_that_are_broken_above_are_good() {
    let folder = folder("replay_good");
    for (name, replay_value) in [("good.json", good()), ("ended.json", ended_by_rule())] {
        let file = folder.join(name);
        std::fs::write(&file, replay_value.to_string()).expect("written");
        let output = replay(&["check"], &file);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.stdout.iter().filter(|&&b| b == b'\n').count(), 1, "{name}");
    }
}

#[test]
fn every_kind_of_broken_replay_is_named_on_one_line() {
    let folder = folder("replay_broken");
    let breaks = breaks();
    assert!(breaks.len() >= 50, "{} kinds", breaks.len());
    let mut wrong = Vec::new();
    for (index, Break { name, text, begins, contains }) in breaks.iter().enumerate() {
        let file = folder.join(format!("{index}.json"));
        std::fs::write(&file, text).expect("written");
        let line = complaint(&["check"], &file);
        if !line.starts_with(begins.as_str()) || !line.contains(contains.as_str()) {
            let name: String = name.chars().take(80).collect();
            wrong.push(format!("{name}: expected `{begins}…{contains}`, found `{line}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who mixes the formats up is told which command reads what the file is.
#[test]
fn other_formats_are_told_from_broken_ones() {
    let folder = folder("replay_formats");
    let file = folder.join("match");
    let tags = "[Event \"x\"]\n[Date \"2026.11.29\"]\n";
    let bpgn = "BPGN, where JSON is expected: `replay from-bpgn` reads it";
    let pgn = "PGN, where JSON is expected: `pgn check` reads it";
    let one_board = "PGN of one board, where BPGN is expected: `pgn check` reads it";
    let json = "JSON, where BPGN is expected: `replay check` reads it";
    let from_json = ["check", "show", "to-bpgn", "to-uci"];
    for (commands, text, expected) in [
        (&from_json[..], format!("{tags}[WhiteA \"y\"]\n\n1A. h3e3 *"), bpgn),
        (&from_json, format!("\u{feff}\n{tags}\n{{note}} 1A. h3e3 *"), bpgn),
        (&from_json, "1A. h3e3 *".to_owned(), bpgn),
        (&from_json, format!("{tags}[White \"y\"]\n\n1. h3e3 *"), pgn),
        (&from_json, "1. h3e3 *".to_owned(), pgn),
        (&["from-bpgn"], format!("{tags}[White \"y\"]\n[Variant \"xiangqi\"]\n\n1. h3e3 *"), one_board),
        (&["from-bpgn"], "1. h3e3 *".to_owned(), one_board),
        (&["from-bpgn"], good().to_string(), json),
        (&["from-bpgn"], format!("\u{feff}\n{:#}", good()), json),
        // One that is broken as well is still what it looks like.
        (&["from-bpgn"], good().to_string().replace('}', ""), json),
    ] {
        std::fs::write(&file, &text).expect("written");
        for command in commands {
            assert_eq!(complaint(&[command], &file), expected, "{command}: {text}");
        }
    }
    std::fs::write(&file, format!("{{\"Good\" he said}} {tags}\n1A. h3e3 *")).expect("written");
    assert!(complaint(&["from-bpgn"], &file).starts_with("line 1: no tag Date"));
}

/// Also what is only shown or turned into something else is looked at first.
#[test]
fn the_other_commands_complain_likewise() {
    let folder = folder("replay_others");
    let file = folder.join("illegal.json");
    let mut broken = good();
    broken["events"][4]["to"] = json!("a6");
    std::fs::write(&file, broken.to_string()).expect("written");
    for command in ["show", "to-uci", "to-bpgn"] {
        assert!(complaint(&[command], &file).starts_with("event 5: illegal move"), "{command}");
    }
    // What stands before the broken event can be shown.
    assert!(replay(&["show", "--event", "4"], &file).status.success());
    assert!(complaint(&["show", "--event", "5"], &file).starts_with("event 5: "));
    assert_eq!(complaint(&["from-bpgn"], &file), "JSON, where BPGN is expected: `replay check` reads it");
    std::fs::write(&file, good().to_string()).expect("written");
    assert!(complaint(&["show", "--event", "10"], &file).contains("only 9 events"));
}

#[test]
fn what_is_no_file_and_what_is_too_large_is_refused() {
    let folder = folder("replay_files");
    complaint(&["check"], &folder);
    complaint(&["check"], &folder.join("missing.json"));
    let large = folder.join("large.json");
    // 100 MB that take no room on the disk: nothing of them may be read.
    std::fs::File::create(&large).and_then(|file| file.set_len(100 << 20)).expect("a large file");
    for command in ["check", "show", "to-bpgn", "from-bpgn", "to-uci"] {
        assert_eq!(complaint(&[command], &large), "larger than 4194304 bytes, the most that is read", "{command}");
    }
    std::fs::remove_file(&large).expect("removed");
    // Of what does not tell its size no more is read either.
    if cfg!(target_os = "linux") {
        assert!(complaint(&["check"], Path::new("/dev/zero")).starts_with("larger than"));
    }
    // A file that cannot be written leaves nothing behind.
    let file = folder.join("good.json");
    std::fs::write(&file, good().to_string()).expect("written");
    complaint(&["to-bpgn", "--output", "no such folder/x.bpgn"], &file);
    let output = replay(&["to-bpgn", "--output", folder.to_str().expect("UTF-8")], &file);
    assert_eq!(output.status.code(), Some(1));
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(left, ["good.json"]);
}

/// BPGN is text from outside as well.
#[test]
fn broken_bpgn_is_named_with_its_line() {
    let folder = folder("replay_bpgn");
    let head = "[Event \"x\"]\n[Date \"2026.11.29\"]\n\n";
    let good =
        "1A. h3h10{298.21} 1B. h3e3{297} {C: a remark} {board A 1-0 resignation} {board B 1/2-1/2 agreement}\n1-0\n";
    let file = folder.join("match.bpgn");
    std::fs::write(&file, format!("{head}{good}")).expect("written");
    let output = replay(&["from-bpgn"], &file);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let cases: [(&str, String, &str); 22] = [
        ("empty", String::new(), "line 1: no tag Date"),
        ("no date", good.to_owned(), "line 1: no tag Date"),
        ("unknown year", format!("[Date \"????.??.??\"]\n{good}"), "line 1: tag Date: the year is not known"),
        ("no day", format!("[Date \"2026.02.30\"]\n{good}"), "line 1: tag Date: expected a day as in 2026.11.29, or"),
        ("started when", format!("[StartedAt \"2026\"]\n{good}"), "line 1: tag StartedAt: expected a time as in"),
        ("open tag", "[Event \"x\n".to_owned(), "line 1: expected a tag"),
        ("tag twice", format!("{head}[Event \"y\"]\n{good}"), "line 4: a second tag Event"),
        ("late tag", format!("{head}1A. h3e3\n[Site \"y\"]"), "line 5: tag Site among the moves"),
        ("variant", format!("[Variant \"bughouse\"]\n{head}{good}"), "line 1: expected the tag Variant"),
        ("position", format!("[FEN \"x\"]\n{head}{good}"), "line 1: tag FEN"),
        ("no result", format!("{head}1A. h3e3\n"), "line 4: the text ends without a result"),
        (
            "wrong result",
            format!("{head}{}", good.replace("\n1-0", "\n0-1")),
            "line 5: expected the result 1-0, found 0-1",
        ),
        ("wrong tag", format!("[Result \"0-1\"]\n{head}{good}"), "line 1: expected the tag Result to be 1-0"),
        ("a claim without reason", format!("{head}1A. h3e3 1-0"), "line 4: expected the result *, found 1-0"),
        ("text behind", format!("{head}{good}1A. h3e3"), "line 6: something follows"),
        ("brace", format!("{head}1A. h3e3 {{298"), "line 4: a brace that is not closed"),
        ("illegal", format!("{head}\n1A. h3e3 1a. h8h1 *"), "line 5: 1a. h8h1: board 1: illegal move"),
        ("not held", format!("{head}1A. P@a4 *"), "line 4: 1A. P@a4: board 1: illegal move"),
        ("number", format!("{head}2A. h3e3 *"), "line 4: expected 1A. as the next turn"),
        ("seat", format!("{head}1a. h8e8 *"), "line 4: expected 1A. as the next turn on this board, found 1a."),
        ("no move", format!("{head}1A. {{298}} *"), "line 4: no move after 1A."),
        ("ended", format!("{head}{{board A 1-0 flag}} 1A. h3e3 *"), "line 4: 1A. h3e3: board 1 has ended"),
    ];
    for (name, text, expected) in cases {
        std::fs::write(&file, text).expect("written");
        let line = complaint(&["from-bpgn"], &file);
        assert!(line.starts_with(expected), "{name}: {line}");
    }
    std::fs::write(&file, b"[Event \"\xff\"]").expect("written");
    assert!(complaint(&["from-bpgn"], &file).starts_with("byte 8: not UTF-8"));
}

/// Every prefix of a good replay and every change of one byte either passes or is refused in one line; read in this process, where a
/// panic fails the test.
#[test]
fn nothing_panics() {
    let text = good().to_string();
    let look = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        if let Err(error) =
            sanqi_adapter::replay::Replay::from_json(text).and_then(|r| sanqi_adapter::replay::check(&r))
        {
            let line = sanqi_adapter::replay::one_line(&error.to_string());
            assert!(!line.is_empty() && !line.contains('\n'), "{line}");
        }
    };
    (0..text.len()).step_by(7).for_each(|end| look(&text.as_bytes()[..end]));
    let mut random = sanqi_tests::random::Random::new(3);
    let mut spoil = |text: &str| {
        let mut bytes = text.to_owned().into_bytes();
        let (place, with) = (random.below(bytes.len()), *random.pick(b"0129abhCPn\"{}[],:-.e\\").expect("bytes"));
        bytes[place] = with;
        bytes
    };
    (0..3_000).for_each(|_| look(&spoil(&text)));

    let replay = sanqi_adapter::replay::Replay::from_json(&text).expect("a good replay");
    let text = sanqi_adapter::replay::bpgn::write(&replay).expect("a good replay");
    let look = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        // What is read at all is a replay that the checker accepts.
        if let Ok(reading) = sanqi_adapter::replay::bpgn::read(text, replay.exported_at.clone()) {
            sanqi_adapter::replay::check(&reading.replay).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    };
    (0..text.len()).for_each(|end| look(&text.as_bytes()[..end]));
    (0..3_000).for_each(|_| look(&spoil(&text)));
}
