//! Nothing of a replay is lost without a word on its way to BPGN and back, nor of BPGN on its way to a replay.
use sanqi_adapter::replay::values::Moment;
use sanqi_adapter::replay::{Replay, ReplayError, Warning, bpgn, check};
use sanqi_tests::binary::adapter;
use sanqi_tests::random::Random;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

fn moment(text: &str) -> Moment {
    Moment::try_from(text.to_owned()).expect("a time")
}

fn good<T>(result: Result<T, ReplayError>, context: impl std::fmt::Display) -> T {
    result.unwrap_or_else(|error| panic!("{error}\n{context}"))
}

fn example() -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../protocol-docs/replay/example-long.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the example")).expect("JSON")
}

fn texts(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// Tags that a field tells, tags that read back as a field, names that are none, and harmless ones.
const TAGS: [(&str, &str); 27] = [
    ("Annotator", "Ann"),
    ("Lag", "a \"quoted\\ {word}"),
    ("Termination", "two\nlines"),
    ("Event", "another"),
    ("Site", "here"),
    ("Round", "1.2"),
    ("Round", "3"),
    ("Date", "2026.??.??"),
    ("Date", "2025.??.??"),
    ("Date", "2026.11.29"),
    ("Time", "??:??:??"),
    ("Time", "noon"),
    ("Time", "23:59:59"),
    ("WhiteA", "Ann"),
    ("WhiteAElo", "1500"),
    ("BlackAElo", "1500?"),
    ("TimeControl", "40/9000"),
    ("TimeControl", "60"),
    ("Variant", "bughouse"),
    ("SetUp", "1"),
    ("FEN", "nowhere"),
    ("Result", "1-0"),
    ("StartedAt", "today"),
    ("ExportedAt", "today"),
    ("White A", "Ann"),
    ("", "nothing"),
    ("Größe", "x"),
];

/// Names and comments that BPGN holds, and others that it does not.
const WORDS: [&str; 14] = [
    "plain",
    "",
    " blanks ",
    "C: x",
    "298.210",
    "[ts=1.5]",
    "board A 1-0 flag",
    "1-0",
    "\"q\" \\",
    "象棋",
    "?",
    "{braces}",
    "two\nlines",
    "a\ttab",
];

/// A good replay with whatever optional fields chance gives it. Every other one has nothing that BPGN cannot hold.
fn random_replay(seed: u64) -> Value {
    let mut random = Random::new(seed);
    let mut replay = example();
    let unknown = json!({ "a": [1, null], "b": "x" });
    let is_wild = seed % 2 == 1;
    let (words, tags) = if is_wild { (&WORDS[..], &TAGS[..]) } else { (&WORDS[..10], &TAGS[..2]) };
    let chance = |random: &mut Random, of: usize| random.below(of) == 0;
    let word = |random: &mut Random| json!(random.pick(words).expect("words"));
    replay["series"] = json!({ "name": word(&mut random) });
    if chance(&mut random, 2) {
        replay["series"]["match"] = json!(1 + random.below(3));
    }
    if chance(&mut random, 2) {
        replay["series"]["site"] = word(&mut random);
    }
    let starts = ["2026-11-29T12:00:00Z", "2026-11-29T23:30:00.125-08:00", "1999-12-31T00:00:00+00:00"];
    replay["startedAt"] = json!(random.pick(&starts).expect("moments"));
    replay["exportedAt"] = json!("2027-01-01T00:00:00.1234567Z");
    replay["seats"] = json!({});
    for seat in ["red1", "black1", "red2", "black2"] {
        if chance(&mut random, 2) {
            replay["seats"][seat] = json!({ "name": word(&mut random) });
            if chance(&mut random, 2) {
                replay["seats"][seat]["rating"] = json!(random.below(3) * 1500);
            }
            if is_wild && chance(&mut random, 8) {
                replay["seats"][seat]["x"] = unknown.clone();
            }
        }
    }
    replay.as_object_mut().expect("a replay").shift_remove("timeControl");
    if chance(&mut random, 2) {
        let most = (1u64 << 53) - 1;
        let times = [0, 80, 60_000, most];
        let [initial, increment] = [0; 2].map(|_: i32| random.pick(&times).expect("times"));
        replay["timeControl"] = json!({ "initialMs": initial, "incrementMs": increment });
    }
    if chance(&mut random, 3) {
        // The start position, for those that are wild in another spelling.
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w - - 0 1";
        replay["startPosition"] =
            json!(format!("{start} |{}{start}", [" ", "   "][random.below(1 + usize::from(is_wild))]));
    }
    let comments = |random: &mut Random| (0..random.below(3)).map(|_| word(random)).collect::<Value>();
    if chance(&mut random, 2) {
        replay["comments"] = comments(&mut random);
    }
    let tags: Map<_, _> = (0..random.below(5))
        .map(|_| random.pick(tags).expect("tags"))
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    replay["bpgnTags"] = tags.into();
    let (clocks, times) = (chance(&mut random, 2), chance(&mut random, 2));
    for event in replay["events"].as_array_mut().expect("events") {
        let event = event.as_object_mut().expect("an event");
        if clocks && chance(&mut random, 2) {
            event.shift_remove("clockMs");
        }
        if times {
            event.shift_remove("timeMs");
        }
        if chance(&mut random, 40) {
            event.insert("comments".to_owned(), comments(&mut random));
        }
        if is_wild && chance(&mut random, 900) {
            event.insert("x".to_owned(), unknown.clone());
        }
    }
    if times {
        for entry in replay["supplyTimeline"].as_array_mut().expect("entries") {
            entry.as_object_mut().expect("an entry").shift_remove("timeMs");
        }
        for board in ["board1", "board2"] {
            replay["result"][board].as_object_mut().expect("a board").shift_remove("timeMs");
        }
    }
    for place in ["", "/series", "/seats", "/result/board1", "/score", "/events/5/reservesAfter", "/supplyTimeline/2"] {
        if is_wild && chance(&mut random, 12) {
            replay
                .pointer_mut(place)
                .and_then(Value::as_object_mut)
                .expect("an object")
                .insert("x".to_owned(), unknown.clone());
        }
    }
    replay
}

/// The paths of everything that is not, or is another, in `is`, as warnings name it, but without numbers.
fn differences(was: &Value, is: Option<&Value>, path: &str, found: &mut BTreeSet<String>) {
    let below = |name: &str| format!("{path}.{name}");
    match (was, is) {
        (Value::Object(fields), Some(is)) if is.is_object() => {
            fields.iter().for_each(|(name, value)| differences(value, is.get(name), &below(name), found));
        }
        (Value::Array(list), Some(is)) if is.is_array() => {
            list.iter().enumerate().for_each(|(index, value)| differences(value, is.get(index), &below("N"), found));
        }
        (was, is) if is == Some(was) => {}
        // Not written when they are empty.
        (Value::Object(fields), None) if matches!(path, ".seats" | ".bpgnTags") => {
            fields.iter().for_each(|(name, value)| differences(value, None, &below(name), found));
        }
        _ => drop(found.insert(path.to_owned())),
    }
}

/// The place of a warning in the same form.
fn named(warning: &Warning) -> String {
    let mut place = warning.place.to_string();
    for (words, path) in [("event ", "events"), ("supplyTimeline entry ", "supplyTimeline")] {
        if let Some(rest) = place.strip_prefix(words) {
            let field = rest.split_once(", ").map_or("", |(_, field)| field);
            place = format!("{path}.N.{field}");
        }
    }
    let steps = place
        .split('.')
        .map(|step| if step.bytes().all(|b| b.is_ascii_digit()) && !step.is_empty() { "N" } else { step });
    format!(".{}", steps.collect::<Vec<_>>().join("."))
}

/// What does not come back from BPGN is named, and nothing else is; what has come back once comes back again.
#[test]
fn what_bpgn_loses_of_a_replay_is_named() {
    let mut kinds = BTreeSet::new();
    let mut whole = 0;
    for seed in 0..200 {
        let json = random_replay(seed).to_string();
        let replay = good(Replay::from_json(&json), &json);
        good(check(&replay), &json);
        let text = good(bpgn::write(&replay), &json);
        let back = good(bpgn::read(&text, moment("2030-01-01T00:00:00Z")), &text);
        assert_eq!(texts(&back.warnings), [""; 0], "seed {seed}: {text}");
        let losses = good(bpgn::losses(&replay, &text), &text);

        let [was, is] = [&replay, &back.replay].map(|replay| serde_json::to_value(replay).expect("JSON"));
        let mut lost = BTreeSet::new();
        differences(&was, Some(&is), "", &mut lost);
        let told: BTreeSet<String> = losses.iter().map(named).collect();
        assert_eq!(told, lost, "seed {seed}: {:#?}", texts(&losses));
        assert_eq!(losses.is_empty(), back.replay == replay, "seed {seed}: {text}");
        whole += usize::from(losses.is_empty());
        kinds.extend(lost);

        let again = good(bpgn::write(&back.replay), &text);
        assert_eq!(texts(&good(bpgn::losses(&back.replay, &again), &again)), [""; 0], "seed {seed}: {again}");
        assert_eq!(good(bpgn::read(&again, moment("2030-01-01T00:00:00Z")), &again).replay, back.replay, "seed {seed}");
    }
    // Otherwise the test would not have seen what it is for.
    assert!(whole >= 100, "{whole} came back whole");
    for kind in [
        ".bpgnTags.Event",
        ".bpgnTags.Round",
        ".bpgnTags.FEN",
        ".bpgnTags.White A",
        ".bpgnTags.",
        ".bpgnTags.Termination",
        ".comments.N",
        ".events.N.comments.N",
        ".events.N.reservesAfter.x",
        ".events.N.x",
        ".seats.red1",
        ".seats.red1.name",
        ".seats.red1.x",
        ".seats.x",
        ".startPosition",
        ".supplyTimeline.N.x",
        ".x",
    ] {
        assert!(kinds.contains(kind), "no {kind} in {kinds:#?}");
    }
}

/// A rating stays with its seat, also beside an unknown player.
#[test]
fn unknown_players_keep_their_rating() {
    let mut value = example();
    value["seats"] = json!({ "red1": { "name": "?", "rating": 5 }, "black2": { "name": "Bo", "rating": 0 } });
    let replay = good(Replay::from_json(&value.to_string()), "");
    let text = good(bpgn::write(&replay), "");
    assert!(text.contains("[WhiteA \"?\"]\n[WhiteAElo \"5\"]\n"), "{text}");
    assert_eq!(good(bpgn::read(&text, replay.exported_at.clone()), &text).replay, replay);
}

/// What is read of foreign BPGN: the tags, and what is said about them.
#[test]
fn odd_bpgn_is_read_and_its_oddities_named() {
    let started = |replay: &Replay| replay.started_at.text().to_owned();
    let cases: [(&str, &str, Value, &[&str]); 12] = [
        ("[Date \"2004.06.05\"]", "2004-06-05T00:00:00Z", json!({}), &[]),
        (
            "[Date \"2026.??.??\"]",
            "2026-01-01T00:00:00Z",
            json!({ "Date": "2026.??.??" }),
            &["line 1: tag Date: 2026-01-01 is taken for 2026.??.??"],
        ),
        (
            "[Date \"2026.11.??\"]\n[Time \"22:??:??\"]",
            "2026-11-01T22:00:00Z",
            json!({ "Date": "2026.11.??", "Time": "22:??:??" }),
            &[
                "line 1: tag Date: 2026-11-01 is taken for 2026.11.??",
                "line 2: tag Time: 22:00:00 is taken for 22:??:??",
            ],
        ),
        (
            "[Date \"2026.11.29\"]\n[Time \"noon\"]",
            "2026-11-29T00:00:00Z",
            json!({ "Time": "noon" }),
            &["line 2: tag Time: 00:00:00 is taken for noon"],
        ),
        (
            "[StartedAt \"2026-11-29T12:00:00Z\"]\n[Date \"2026.11.30\"]\n[Time \"12:00:01\"]",
            "2026-11-29T12:00:00Z",
            json!({}),
            &[
                "line 2: tag Date: 2026.11.30 is left out, by StartedAt it is 2026.11.29",
                "line 3: tag Time: 12:00:01 is left out, by StartedAt it is 12:00:00",
            ],
        ),
        (
            "[StartedAt \"2026-11-29T12:00:00Z\"]\n[Date \"2026.??.??\"]",
            "2026-11-29T12:00:00Z",
            json!({ "Date": "2026.??.??" }),
            &[],
        ),
        (
            "[Date \"2026.11.29\"]\n[ExportedAt \"2026-11-28T12:00:00Z\"]",
            "2026-11-29T00:00:00Z",
            json!({}),
            &["line 2: tag ExportedAt: 2026-11-28T12:00:00Z is before the start 2026-11-29T00:00:00Z, which is taken"],
        ),
        (
            "[Date \"2026.11.29\"]\n[SetUp \"1\"]",
            "2026-11-29T00:00:00Z",
            json!({}),
            &["line 2: tag SetUp: 1, but there is no tag FEN: the start position is taken"],
        ),
        ("[Date \"2026.11.29\"]\n[SetUp \"0\"]", "2026-11-29T00:00:00Z", json!({}), &[]),
        ("[Date \"2026.11.29\"]\n[Round \"1.2\"]", "2026-11-29T00:00:00Z", json!({ "Round": "1.2" }), &[]),
        (
            "[Date \"2026.11.29\"]\n[WhiteA \"?\"]\n[WhiteAElo \"?\"]",
            "2026-11-29T00:00:00Z",
            json!({ "WhiteAElo": "?" }),
            &[],
        ),
        (
            "[Date \"2026.11.29\"]\n[TimeControl \"40/9000\"]",
            "2026-11-29T00:00:00Z",
            json!({ "TimeControl": "40/9000" }),
            &[],
        ),
    ];
    for (tags, moment_read, kept, warnings) in cases {
        let text = format!("{tags}\n\n1A. h3e3 *\n");
        let reading = good(bpgn::read(&text, moment("2030-01-01T00:00:00Z")), &text);
        assert_eq!(started(&reading.replay), moment_read, "{text}");
        assert_eq!(serde_json::to_value(&reading.replay.bpgn_tags).expect("JSON"), kept, "{text}");
        assert_eq!(texts(&reading.warnings), warnings, "{text}");
        // What was kept comes back.
        let written = good(bpgn::write(&reading.replay), &text);
        assert_eq!(texts(&good(bpgn::losses(&reading.replay, &written), &written)), [""; 0], "{text}");
        for (name, value) in kept.as_object().expect("tags") {
            let line = format!("[{name} {value}]\n");
            assert!(written.contains(&line), "{line}{written}");
        }
    }
    for (control, expected) in [("60", json!([60_000, 0])), ("300+2", json!([300_000, 2_000])), ("-", Value::Null)] {
        let text = format!("[Date \"2026.11.29\"]\n[TimeControl \"{control}\"]\n\n*\n");
        let replay = good(bpgn::read(&text, moment("2030-01-01T00:00:00Z")), &text).replay;
        let found = replay.time_control.as_ref().map(|c| json!([c.initial_ms.get(), c.increment_ms.get()]));
        assert_eq!(found.unwrap_or_default(), expected, "{control}");
        assert_eq!(replay.bpgn_tags.contains_key("TimeControl"), expected.is_null(), "{control}");
    }
}

/// A time that runs backwards is read as the one before it, and the move is named; that file and match of several are told apart.
#[test]
fn times_that_run_backwards_are_named() {
    let text = "[Date \"2026.11.29\"]\n\n1A. h3e3{298} {[ts=9]} 1a. h8e8{299} {[ts=8.5]}\n1B. h3e3 {[ts=9]}\n\
                {board B 1-0 resignation [ts=3]} 2A. h1g3 {[ts=10]} *\n";
    let first = "[Event \"x\"]\n[Date \"2026.11.28\"]\n\n*\n\n";
    let warnings = [
        "1a. h8e8: the time 8.500 is before the 9.000 that went before it, which is taken",
        "the end of board B: the time 3.000 is before the 9.000 that went before it, which is taken",
    ];
    let reading = good(bpgn::read(text, moment("2030-01-01T00:00:00Z")), text);
    good(check(&reading.replay), text);
    assert_eq!(texts(&reading.warnings), [format!("line 3: {}", warnings[0]), format!("line 5: {}", warnings[1])]);
    let times: Vec<_> = reading.replay.events.iter().map(|event| event.time_ms.map(|time| time.get())).collect();
    assert_eq!(times, [Some(9_000), Some(9_000), Some(9_000), Some(10_000)]);

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replay_backwards");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("two.bpgn"), format!("{first}{text}")).expect("written");
    let output = Command::new(adapter())
        .args(["replay", "from-bpgn", "two.bpgn", "--match", "2"])
        .current_dir(&folder)
        .output()
        .expect("the adapter runs");
    let expected = format!("two.bpgn: warning: line 8: {}\ntwo.bpgn: warning: line 10: {}\n", warnings[0], warnings[1]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    assert_eq!(output.status.code(), Some(0));
    good(Replay::from_json(&String::from_utf8_lossy(&output.stdout)), "");
}

/// The command says what it could not keep, and not more than can be read.
#[test]
fn to_bpgn_says_what_it_leaves_out() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replay_losses");
    std::fs::create_dir_all(&folder).expect("a folder");
    let to_bpgn = |replay: &Value| {
        std::fs::write(folder.join("match.json"), replay.to_string()).expect("written");
        let output = Command::new(adapter())
            .args(["replay", "to-bpgn", "match.json"])
            .current_dir(&folder)
            .output()
            .expect("the adapter runs");
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stdout.ends_with(b" 0-1\n"));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let mut replay = example();
    assert_eq!(to_bpgn(&replay), "");
    replay["bpgnTags"] = json!({ "Event": "x", "Bad name": "y", "Annotator": "z", "FEN": "here", "Site": "there" });
    replay["seats"] = json!({ "red1": { "name": "?" } });
    replay["comments"] = json!(["{a}\n"]);
    for event in 0..3 {
        replay["events"][event]["engine"] = json!("x");
    }
    let expected = [
        "seats.red1: left out, ? is for an unknown player",
        "comments.0: becomes \"(a) \"",
        "bpgnTags.Event: left out, a field tells this tag",
        "bpgnTags.Bad name: left out, a tag has a name of letters, digits and underscores",
        "bpgnTags.FEN: left out, a field tells this tag",
        "bpgnTags.Site: comes back as a field of its own",
        "event 1, engine: left out, BPGN has no place for it (and 2 more like it)",
    ];
    assert_eq!(to_bpgn(&replay), expected.map(|line| format!("match.json: warning: {line}\n")).concat());
    replay["bpgnTags"] = (0..100).map(|number| (format!("Tag-{number}"), json!(""))).collect::<Map<_, _>>().into();
    let said = to_bpgn(&replay);
    assert_eq!(said.lines().count(), 21, "{said}");
    assert!(said.ends_with("match.json: warning: and 83 more\n"), "{said}");
}
