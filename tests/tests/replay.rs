//! Replays of two-board matches: written while they are played, checked, turned into BPGN and back, shown, and what
//! `protocol-docs/replay/` says about all of it.
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove};
use sanqi::games::{Outcome, Position, RankBase};
use sanqi_adapter::replay::format::{EventKind, Player, Series};
use sanqi_adapter::replay::values::{EndReason, Moment, Seat};
use sanqi_adapter::replay::{Playback, Replay, ReplayBuilder, ReplayError, bpgn, check};
use sanqi_tests::binary::adapter;
use sanqi_tests::random::Random;
use sanqi_tests::session::Session;
use serde_json::{Value, json};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../protocol-docs/replay")
}

fn moment(text: &str) -> Moment {
    Moment::try_from(text.to_owned()).expect("a time")
}

fn good<T>(result: Result<T, ReplayError>, context: impl std::fmt::Display) -> T {
    result.unwrap_or_else(|error| panic!("{error}\n{context}"))
}

/// Plays a random match, captures and drops preferred, with an end from outside now and then, and with or without clocks, times, names,
/// comments and a start position.
fn random_match(seed: u64) -> Replay {
    let mut random = Random::new(seed);
    let series = Series {
        name: format!("Random {seed} \"x\\y\" 象棋"),
        number: NonZeroU32::new(random.below(3) as u32),
        site: (random.below(2) == 0).then(|| "nowhere".to_owned()),
        ..Series::default()
    };
    let started = moment("2026-11-29T12:00:00.125+08:00");
    let mut builder = if random.below(3) == 0 {
        // Black begins on board 2, reserves are not empty, and the count is near its end.
        let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4[Rp] w - - 99 60 | 3k1r3/9/9/p7p/9/9/9/9/9/4K3R[Np] b - - 3 9";
        ReplayBuilder::from_position(series, started, fen).expect("a position")
    } else {
        ReplayBuilder::new(series, started)
    };
    for seat in Seat::ALL {
        if random.below(2) == 0 {
            let rating = (random.below(2) == 0).then_some(1500);
            builder.seat(seat, Player { name: format!("Player of {seat}"), rating, ..Player::default() });
        }
    }
    let clocks = random.below(2) == 0;
    let times = random.below(2) == 0;
    if clocks {
        builder.time_control(Duration::from_secs(300), Duration::from_millis(random.below(2) as u64 * 80));
    }
    if random.below(2) == 0 {
        builder.comment("Before the first turn: {braces}".replace(['{', '}'], "|"));
    }
    let mut now = Duration::ZERO;
    for _ in 0..40 + random.below(160) {
        let Some(running) = builder.game().first_running() else { break };
        let other = running.other();
        let board = if !builder.game().has_ended(other) && random.below(2) == 0 { other } else { running };
        now += Duration::from_micros(random.below(3_000_000) as u64);
        let time = times.then_some(now);
        if random.below(60) == 0 {
            let (outcome, reason) = match random.below(4) {
                0 => (Outcome::Draw, EndReason::Agreement),
                1 => (Outcome::Draw, EndReason::Adjudication),
                2 => (Outcome::Win(Color::Black), EndReason::Flag),
                _ => (Outcome::Win(Color::White), EndReason::IllegalMove),
            };
            good(builder.end(board, outcome, reason, time), "a running board");
            continue;
        }
        let position = builder.game().position(board);
        let moves = position.legal_moves();
        let busy: Vec<_> = moves
            .iter()
            .copied()
            .filter(|&mv| position.captured(mv) > 0 || position.move_text(mv, RankBase::One).contains('@'))
            .collect();
        let mv = if random.below(3) > 0 { random.pick(&busy) } else { None }.or_else(|| random.pick(&moves));
        let played = TeamMove { board, mv: *mv.expect("a running board has a move") };
        let clock = clocks.then(|| Duration::from_millis(random.below(300_000) as u64));
        builder.push(played, clock, time).expect("a legal move");
        if random.below(10) == 0 {
            builder.comment(format!("comment {}", random.below(10)));
        }
    }
    builder.finish(moment("2026-11-29T13:00:00Z"))
}

/// Builder, JSON, check, BPGN and back: nothing is lost on the way.
#[test]
fn random_matches_survive_every_form() {
    let mut kinds = [0; 2];
    let mut reasons = Vec::new();
    for seed in 0..150 {
        let replay = random_match(seed);
        let json = replay.to_json();
        good(check(&replay), &json);
        let read = good(Replay::from_json(&json), &json);
        assert_eq!(read, replay, "seed {seed}");
        assert_eq!(read.to_json(), json, "seed {seed}");

        let text = good(bpgn::write(&replay), &json);
        let bpgn::Reading { replay: back, warnings } = good(bpgn::read(&text, moment("2030-01-01T00:00:00Z")), &text);
        assert_eq!(back, replay, "seed {seed}\n{text}");
        assert_eq!(warnings, [], "seed {seed}");
        assert_eq!(good(bpgn::losses(&replay, &text), seed), [], "seed {seed}");
        assert_eq!(good(bpgn::write(&back), &text), text, "seed {seed}");

        for event in &replay.events {
            kinds[usize::from(event.kind == EventKind::Drop)] += 1;
        }
        reasons.extend(BoardId::ALL.map(|board| replay.result.board(board).reason.to_string()));
        assert!(replay.supply_timeline.len() <= replay.events.len());
    }
    // Otherwise the test would not have seen what it is for.
    assert!(kinds.iter().all(|&count| count > 1_000), "{kinds:?}");
    for reason in ["checkmate", "moveCount", "flag", "illegalMove", "agreement", "adjudication", "unfinished"] {
        assert!(reasons.iter().any(|seen| seen == reason), "no {reason}");
    }
}

/// The `position` command brings a reader of the protocol to where the replay is, boards that were ended from outside included.
#[test]
fn the_position_command_leads_to_the_same_position() {
    for seed in 0..40 {
        let replay = random_match(seed);
        let mut playback = good(Playback::start(&replay), seed);
        loop {
            let command = playback.position_command();
            let (start, rest) = match command.strip_prefix("position startpos") {
                Some(rest) => (TeamGame::new().fen(), rest),
                None => {
                    let fen = command.strip_prefix("position fen ").expect("a FEN");
                    let end = fen.find(" moves").or_else(|| fen.find(" over")).unwrap_or(fen.len());
                    (fen[..end].to_owned(), &fen[end..])
                }
            };
            let mut game = TeamGame::from_fen(&start).expect("a position");
            let mut words = rest.split_whitespace();
            while let Some(word) = words.next() {
                match word {
                    "moves" => {}
                    "over" => {
                        let board = BoardId::from_number(words.next().expect("a board")).expect("1 or 2");
                        let outcome = match words.next() {
                            Some("1-0") => Outcome::Win(Color::White),
                            Some("0-1") => Outcome::Win(Color::Black),
                            Some("1/2-1/2") => Outcome::Draw,
                            other => panic!("{command}: result {other:?}"),
                        };
                        game.end(board, outcome).unwrap_or_else(|e| panic!("{command}: {e}"));
                    }
                    word => {
                        let mv = game.parse_move(word, RankBase::One).unwrap_or_else(|e| panic!("{command}: {e}"));
                        game.push(mv).unwrap_or_else(|e| panic!("{command}: {e}"));
                    }
                }
            }
            assert_eq!(game.fen(), playback.game().fen(), "{command}");
            assert_eq!(game.score(), playback.game().score(), "{command}");
            assert_eq!(BoardId::ALL.map(|b| game.has_ended(b)), BoardId::ALL.map(|b| playback.game().has_ended(b)));
            if good(playback.step(), seed).is_none() {
                break;
            }
        }
    }
}

/// The engine takes the command and stands where the replay stands, the end included.
#[test]
fn the_engine_follows_a_replay() {
    let mut engine = Session::playing("supply2");
    let replay = good(Replay::load(&docs().join("example-long.json")), "the example");
    for number in (0..=replay.events.len()).step_by(20).chain([replay.events.len()]) {
        let playback = good(Playback::until(&replay, number), number);
        engine.send(&playback.position_command());
        assert_eq!(engine.fen(), playback.game().fen(), "event {number}");
    }
    let told = engine.ask("result", "info string result");
    let outcomes = BoardId::ALL.map(|board| Outcome::from(replay.result.board(board).outcome));
    let expected = format!("info string result board1 {} board2 {} match 0-1", outcomes[0], outcomes[1]);
    assert_eq!(told.last(), Some(&expected));
    engine.quit();
}

/// Unknown fields stay where they were, in their order, at every level.
#[test]
fn unknown_fields_survive() {
    let mut replay: Value = serde_json::from_str(&random_match(1).to_json()).expect("JSON");
    let extra = json!({ "zebra": 1, "apple": [0.1, -7, 18446744073709551615u64, 1e-300], "mango": { "z": null, "a": "é\u{1}\"" } });
    let places = [
        "",
        "/series",
        "/result",
        "/result/board1",
        "/result/board2",
        "/score",
        "/events/0",
        "/events/3",
        "/events/2/reservesAfter",
        "/supplyTimeline/0",
    ];
    replay["seats"] = json!({ "red1": { "name": "x" } });
    replay["timeControl"] = json!({ "initialMs": 1, "incrementMs": 0 });
    for place in places.iter().chain(&["/seats", "/seats/red1", "/timeControl"]) {
        let fields = replay.pointer_mut(place).and_then(Value::as_object_mut).unwrap_or_else(|| panic!("{place}"));
        fields.insert("zz".to_owned(), extra.clone());
        fields.insert("aa".to_owned(), extra["mango"].clone());
    }
    let read = good(Replay::from_json(&replay.to_string()), "");
    good(check(&read), "");
    let written = read.to_json();
    let back: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(back, replay);
    // Equality of objects does not look at the order.
    let order = |text: &str, words: [&str; 3]| {
        let places = words.map(|word| text.find(word).unwrap_or_else(|| panic!("{word}")));
        places.is_sorted()
    };
    assert!(
        order(&written, ["\"zz\"", "\"zebra\"", "\"apple\""]) && order(&written, ["\"apple\"", "\"mango\"", "\"aa\""])
    );
    assert_eq!(good(Replay::from_json(&written), "").to_json(), written);
}

/// `1.0` is the number 1, for the program as for the schema, in every field that is a whole number.
#[test]
fn whole_numbers_may_have_a_point() {
    fn with_points(value: &Value) -> String {
        match value {
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| format!("{}:{}", json!(name), with_points(value)));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
            }
            Value::Array(list) => format!("[{}]", list.iter().map(with_points).collect::<Vec<_>>().join(",")),
            Value::Number(number) => format!("{number}.0"),
            other => other.to_string(),
        }
    }
    for name in ["example-short.json", "example-long.json"] {
        let text = std::fs::read_to_string(docs().join(name)).expect("an example");
        let mut value: Value = serde_json::from_str(&text).expect("JSON");
        value["seats"]["red1"]["rating"] = json!(1500);
        let points = with_points(&value);
        assert!(points.contains("\"version\":1.0,") && points.contains("\"rating\":1500.0"), "{points}");
        let replay = good(Replay::from_json(&points), name);
        assert_eq!(replay, good(Replay::from_json(&value.to_string()), name), "{name}");
        good(check(&replay), name);
        assert!(replay.to_json().contains("\"version\": 1,"), "{name}");
    }
}

/// A builder does not let a replay arise that the checker refuses.
#[test]
fn the_builder_keeps_order() {
    let mut builder = ReplayBuilder::new(Series::default(), moment("2026-11-29T12:00:00Z"));
    let play = |builder: &mut ReplayBuilder, word: &str, time: u64| {
        let played = builder.game().parse_move(word, RankBase::One).expect("legal");
        builder.push(played, None, Some(Duration::from_secs(time))).expect("legal");
    };
    play(&mut builder, "1h3h10", 9);
    play(&mut builder, "2h3e3", 5);
    for (outcome, reason) in [
        (Outcome::Draw, EndReason::Flag),
        (Outcome::Win(Color::White), EndReason::Agreement),
        (Outcome::Win(Color::White), EndReason::Checkmate),
        (Outcome::Ongoing, EndReason::Adjudication),
        (Outcome::Ongoing, EndReason::Unfinished),
    ] {
        assert!(builder.end(BoardId::One, outcome, reason, None).is_err(), "{outcome} {reason}");
    }
    let end = |builder: &mut ReplayBuilder| {
        builder.end(BoardId::One, Outcome::Win(Color::White), EndReason::Flag, Some(Duration::from_secs(1)))
    };
    good(end(&mut builder), "");
    assert!(end(&mut builder).is_err());
    let mv = builder.game().position(BoardId::One).legal_moves()[0];
    assert!(builder.push(TeamMove { board: BoardId::One, mv }, None, None).is_err());
    // Exported before it began: clocks of machines differ.
    let replay = builder.finish(moment("2026-11-29T11:00:00Z"));
    good(check(&replay), replay.to_json());
    assert_eq!(replay.events.iter().map(|e| e.time_ms.map_or(0, |t| t.get())).collect::<Vec<_>>(), [9_000, 9_000]);
    assert_eq!(replay.result.board1.time_ms.map(|t| t.get()), Some(9_000));
}

/// A saved replay is there whole or not at all.
#[test]
fn replays_are_saved_whole() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replay_save");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("match.json");
    let (first, second) = (random_match(2), random_match(3));
    for replay in [&first, &second] {
        good(replay.save(&file), "");
        assert_eq!(good(Replay::load(&file), ""), *replay);
    }
    assert!(first.save(&folder.join("missing/match.json")).is_err());
    assert!(first.save(Path::new("/")).is_err());
    let names: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, ["match.json"]);
}

/// The published examples are whole matches, written as this program writes them.
#[test]
fn the_examples_are_good() {
    let mut names: Vec<_> = std::fs::read_dir(docs())
        .expect("the documentation")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| name.ends_with(".json") && name != "schema.json")
        .collect();
    names.sort();
    assert_eq!(names, ["example-long.json", "example-short.json"]);
    for name in &names {
        let text = std::fs::read_to_string(docs().join(name)).expect("an example");
        let replay = good(Replay::from_json(&text), name);
        good(check(&replay), name);
        assert_eq!(replay.to_json(), text, "{name}");
        let drops = |board| replay.events.iter().filter(|e| e.kind == EventKind::Drop && e.board == board).count();
        if name == "example-long.json" {
            assert!(BoardId::ALL.into_iter().all(|board| drops(board) > 0), "{name}");
        }
    }
}

/// Every command of the page is run where the examples lie, and prints what the page shows.
#[test]
fn the_commands_of_the_documentation_print_what_it_shows() {
    let page = std::fs::read_to_string(docs().join("README.md")).expect("the page");
    let mut run = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block");
        for session in block.split("$ sanqi-adapter ").skip(1) {
            let (command, expected) = session.split_once('\n').expect("a command");
            let output = Command::new(adapter())
                .args(command.split_whitespace())
                .current_dir(docs())
                .output()
                .expect("the adapter runs");
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).expect("UTF-8");
            // A line of dots stands for what is left out.
            let matches = match expected.split_once("…\n") {
                None => printed == expected,
                Some((begin, end)) => printed.starts_with(begin) && printed.ends_with(end),
            };
            assert!(matches, "{command}:\n{printed}\nexpected:\n{expected}");
            run += 1;
        }
    }
    assert!(run >= 5, "{run} commands");
    // What it shows of files stands in one.
    let text = std::fs::read_to_string(docs().join("example-short.json")).expect("an example");
    let example: Value = serde_json::from_str(&text).expect("JSON");
    let lists = [&example["events"], &example["supplyTimeline"]].map(|list| list.as_array().expect("a list"));
    for block in page.split("```json\n").skip(1) {
        let shown: Value = serde_json::from_str(block.split("```").next().expect("a block")).expect("JSON");
        assert!(lists.iter().any(|list| list.contains(&shown)), "{shown}");
    }
    // The fields that the page lists are those of the schema, in both directions.
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(docs().join("schema.json")).expect("the schema")).expect("JSON");
    let objects = std::iter::once(&schema).chain(schema["$defs"].as_object().expect("definitions").values());
    for name in objects.filter_map(|object| object["properties"].as_object()).flat_map(|fields| fields.keys()) {
        assert!(page.contains(&format!("`{name}`")), "the page does not explain `{name}`");
    }
}
