//! `sanqi-adapter analyse` with the built engine and with one that misbehaves.
use sanqi::games::{Game, Outcome, Variant};
use sanqi_tests::analyse::{Analysed, finish, folder, run, start};
use sanqi_tests::random::Random;
use std::fs;

/// Searches whose result depends on nothing but the position, short ones and long ones.
const FIXED: &str = "--engine ENGINE --nodes 500 --hash 1 --no-times";
const LONG: &str = "--engine ENGINE --nodes 6000 --hash 1 --no-times";

/// Positions of random games in every variant as JSON lines, with bad ones among them.
fn positions(count: usize) -> String {
    let mut random = Random::new(7);
    let mut lines = String::new();
    let variants = [Variant::Xiangqi, Variant::Supply, Variant::Yangqi, Variant::Fangqi];
    for number in 0..count {
        let mut game = Game::new(variants[number % 4]);
        for _ in 0..random.below(60) {
            let moves = game.legal_moves();
            game.push(moves[random.below(moves.len())]);
            if game.result().outcome != Outcome::Ongoing {
                break;
            }
        }
        let fen = if number % 37 == 36 { "bad w".to_owned() } else { game.fen() };
        lines += &format!("{{\"id\":{number},\"variant\":\"{}\",\"fen\":\"{fen}\"}}\n", game.variant());
    }
    lines
}

fn good(run: Analysed) -> String {
    assert_eq!(run.status, 0, "{}", run.errors);
    run.output
}

#[test]
fn rows_say_what_a_search_found() {
    let rows = run("--engine ENGINE --depth 4 --multipv 2 --hash 4", "position startpos moves h3e3\n").rows();
    let row = &rows[0];
    assert_eq!((row["version"].clone(), row["id"].clone()), (1.into(), "stdin:1".into()));
    assert_eq!((row["variant"].clone(), row["result"].clone()), ("xiangqi".into(), "*".into()));
    assert_eq!(row["moves"], serde_json::json!(["h3e3"]));
    assert!(row["fen"].as_str().unwrap().contains(" b ") && row["startfen"].as_str().unwrap().contains(" w "));
    assert_eq!(row["depth"], 4);
    let lines = row["multipv"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["pv"][0], row["bestmove"]);
    assert_eq!(lines[0]["pv"].as_array().unwrap().len(), lines[0]["san"].as_array().unwrap().len());
    assert_eq!(lines[0]["score"]["viewpoint"], "b");
    assert!(lines[0]["score"]["cp"].is_i64() && lines[0]["wdl"].as_array().unwrap().len() == 3);
    assert!(row["engine"]["name"].as_str().unwrap().starts_with("Sanqi ") && row["engine"]["version"].is_string());
    assert_eq!(row["engine"]["options"]["MultiPV"], "2");
    assert!(row["time"].is_u64() && row["nps"].is_u64() && row["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn mates_and_finished_games() {
    let text = "{\"id\":1,\"fen\":\"3k5/R8/1R7/9/9/9/9/9/9/4K4 w\"}\n{\"id\":2,\"fen\":\"R2k5/R8/9/9/9/9/9/9/9/4K4 b\"}\n\
                {\"id\":3,\"variant\":\"fangqi\",\"fen\":\"P3PP1/3pPP1/2PPPp1/1PP1pp1/1PP1ppp/3ppp1/3pp2[PPpp] b\"}\n";
    let rows = run("--engine ENGINE --movetime 60000", text).rows();
    assert_eq!(rows[0]["multipv"][0]["score"]["mate"], 1);
    assert_eq!((rows[1]["result"].clone(), rows[1]["reason"].clone()), ("1-0".into(), "checkmate".into()));
    assert_eq!((rows[1]["multipv"][0]["score"]["mate"].clone(), rows[1]["bestmove"].is_null()), (0.into(), true));
    assert_eq!(rows[2]["exact"], true);
}

/// A position of the team game is asked about once for each board that goes on.
#[test]
fn two_boards() {
    let text = "position startpos moves 1h3h10\nposition startpos moves 1h3h10 over 1 0-1\n";
    let done = run("--variant supply2 --engine ENGINE --nodes 500", text);
    assert_eq!(done.column("board"), [1, 2, 2]);
    assert_eq!(done.column("id"), ["stdin:1", "stdin:1", "stdin:2"]);
    let best: Vec<String> = done.column("bestmove").iter().map(|mv| mv.as_str().unwrap()[..1].to_owned()).collect();
    assert_eq!(best, ["1", "2", "2"]);
    let replay = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol-docs/replay/example-short.json");
    let done = run(&format!("--rules-only --every 3 {replay}"), "");
    assert_eq!(done.status, 0, "{}", done.errors);
    let ids: Vec<String> = done.column("id").iter().map(|id| id.as_str().unwrap().replace(replay, "")).collect();
    assert_eq!(ids[..4], [":0", ":0", ":3", ":3"]);
}

#[test]
fn games_give_every_nth_position() {
    let path = folder().join("games.pgn");
    let text = "\u{feff}; my games\n{and\nmore}\n[Variant \"fangqi\"]\n\n1. d4 c3 2. e5 {a [b] comment\n[not a tag]} a1 *\n\n[Variant \"yangqi\"]\n\n1. e5 *\n\n[Variant \"fangqi\"]\n\n1. d4 d4 *\n";
    fs::write(&path, text).unwrap();
    let done = run("games.pgn --every 2 --rules-only", "");
    let ids = ["games.pgn:1:0", "games.pgn:1:2", "games.pgn:1:4", "games.pgn:2:0", "games.pgn:3"];
    assert_eq!(done.column("id"), ids);
    assert_eq!(done.rows()[1]["moves"], serde_json::json!(["P@d4", "P@c3"]));
    assert!(done.rows()[4]["error"].as_str().unwrap().contains("ply 2"), "{}", done.output);
}

#[test]
fn the_rules_alone() {
    let fen = "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9";
    let text = format!("{{\"variant\":\"fangqi\",\"fen\":\"{fen}\"}}\n{{\"fen\":\"3k5/3R5/9/9/9/9/9/9/9/4K4 b\"}}\n");
    let rows = run("--rules-only --format jsonl", &text).rows();
    let d5 = rows[0]["legal"].as_array().unwrap().iter().find(|mv| mv["san"] == "d5").unwrap();
    assert_eq!(d5["preview"]["capturing"], serde_json::json!(["c4"]));
    assert_eq!(d5["preview"]["captures"].as_array().unwrap().len(), 8);
    assert_eq!(rows[1]["check"], true);
    let legal: Vec<&str> = rows[1]["legal"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect();
    assert!(legal.contains(&"d10d9") && rows[1].get("engine").is_none());
}

/// Fixed nodes, one thread and no times: the same bytes whatever runs side by side, and however often the run is cut off.
#[test]
fn output_does_not_depend_on_the_run() {
    let input = positions(80);
    let one = good(run(&format!("{FIXED} --concurrency 1"), &input));
    assert_eq!(one.lines().count(), 80);
    assert_eq!(one.matches("\"error\"").count(), 2);
    assert!(one == good(run(&format!("{FIXED} --concurrency 3"), &input)), "concurrency changes the output");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let done = good(run(&format!("{FIXED} --concurrency 3 --order done"), &input));
    assert!(sorted(&one) == sorted(&done), "order done has other rows");
    for format in ["jsonl", "csv", "md"] {
        let whole = good(run(&format!("{FIXED} --format {format}"), &input));
        let path = folder().join(format!("cut.{format}"));
        for cut in [0, 10, whole.len() / 3, whole.len() - 5, whole.len()] {
            fs::write(&path, &whole[..cut]).unwrap();
            let resumed = run(&format!("{FIXED} --format {format} --output cut.{format} --resume"), &input);
            assert_eq!(resumed.status, 0, "{}", resumed.errors);
            assert!(fs::read_to_string(&path).unwrap() == whole, "{format} resumed at {cut}");
        }
    }
}

/// Rows of different searches do not get into one file.
#[test]
fn a_run_is_resumed_with_the_same_options() {
    let (path, input) = (folder().join("other.jsonl"), "position startpos\n".repeat(2));
    for file in ["other.jsonl", "other.jsonl.options"] {
        let _ = fs::remove_file(folder().join(file));
    }
    let same = "--engine ENGINE --depth 1 --hash 1 --no-times";
    good(run(&format!("{same} --output other.jsonl"), "position startpos\n"));
    let rows = fs::read_to_string(&path).unwrap();
    for (options, part) in [
        ("--engine ENGINE --depth 6 --multipv 3 --hash 1 --no-times", "(depth 1, now 6; multipv 1, now 3)"),
        ("--rules-only --no-times", "rules_only false, now true"),
        (&format!("{same} --variant yangqi"), "(variant \"xiangqi\", now \"yangqi\")"),
        (&format!("{same} --option Seed=1"), "options"),
        ("--engine ENGINE --depth 1 --hash 1", "(no_times true, now false)"),
    ] {
        let done = run(&format!("{options} --output other.jsonl --resume"), &input);
        assert!(done.status == 1 && done.errors.contains(part), "{options}: {}", done.errors);
        assert_eq!(fs::read_to_string(&path).unwrap(), rows, "{options}");
    }
    good(run(&format!("{same} --concurrency 1 --output other.jsonl --resume"), &input));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    // A file from elsewhere, or of an earlier version.
    fs::remove_file(folder().join("other.jsonl.options")).unwrap();
    good(run("--engine ENGINE --depth 2 --output other.jsonl --resume", &input.repeat(2)));
    assert!(!folder().join("other.jsonl.options").exists());
}

/// A mate that is there is found, and where there is none the search ends all the same.
#[test]
fn a_mate_is_limit_enough() {
    let mates = |mate: i64, positions: &[&str]| {
        let rows = run(&format!("--engine ENGINE --mate {mate} --hash 1"), &(positions.join("\n") + "\n")).rows();
        let found: Vec<_> = rows.iter().map(|row| row["multipv"][0]["score"]["mate"].as_i64()).collect();
        assert!(found.iter().skip(1).all(|found| found.is_some_and(|found| (1..=mate).contains(&found))), "{found:?}");
        (rows[0]["depth"].clone(), found[0])
    };
    let in_two = [
        "position startpos",
        "3k5/R8/1R7/9/9/9/9/9/9/4K4 w",
        "4R4/5k3/9/9/9/2r6/1n3n2P/B8/5R3/3AKA3 w",
        "1rbaka3/9/4b4/R8/8p/P1C6/2Pp4P/9/4K4/2c3r2 b",
        "3aka3/9/2c1r4/9/2b6/3N5/9/5K3/9/9 b",
    ];
    assert_eq!(mates(2, &in_two), (12.into(), None));
    let in_three = [
        "position startpos",
        "3R1a1r1/5k3/9/8R/2P6/4c4/1n6P/2n1B4/4A4/2B1KA3 w",
        "3akaR2/7CR/9/4p3p/5r3/6P2/4P3P/4n1r2/4A4/4KA3 b",
        "3aka3/9/2c6/9/2b6/3N5/4r4/9/5K3/9 b",
    ];
    assert_eq!(mates(3, &in_three), (14.into(), None));
}

/// An output file that holds something else, or is there without `--resume`, is left as it is.
#[test]
fn files_are_not_overwritten() {
    let path = folder().join("notes.txt");
    for (options, why) in [("", "exists already"), ("--resume", "no row"), ("--resume --format csv", "no row")] {
        fs::write(&path, "my notes").unwrap();
        let done = run(&format!("{FIXED} --output notes.txt {options}"), "x w\n");
        assert_eq!((done.status, done.errors.contains(why)), (1, true), "{options}: {}", done.errors);
        assert_eq!(fs::read_to_string(&path).unwrap(), "my notes");
    }
}

#[test]
fn what_is_wrong_with_the_command_is_said_first() {
    for (arguments, part) in [
        ("--engine ENGINE", "never end"),
        ("--engine no-such-engine --nodes 5", "no-such-engine"),
        ("--engine ENGINE --nodes 5 --option Foo=1", "no option Foo"),
        ("--engine ENGINE --nodes 5 --threads 9999", "Threads"),
        ("--engine ENGINE --nodes 5 no-such-file", "no-such-file"),
        ("--engine ENGINE --nodes 0", "--nodes"),
        ("--rules-only --nodes 5", "--rules-only"),
        ("--engine ENGINE --nodes 5 --resume", "--output"),
        ("--engine ENGINE --nodes 5 --variant chess", "chess"),
        ("--engine ENGINE --nodes 5 --option UCI_Variant=yangqi", "--variant"),
    ] {
        let path = folder().join("never.jsonl");
        let output = if arguments.contains("--resume") { "" } else { "--output never.jsonl" };
        let done = run(&format!("{arguments} {output}"), "x w\n");
        assert!(done.status != 0 && done.errors.contains(part), "{arguments}: {done:?}");
        assert!(!path.exists(), "{arguments} has made a file");
    }
}

/// An engine that crashes at every position: each is tried twice and told, and the run goes on.
#[test]
fn engines_that_fail_are_told() {
    let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n";
    for (fault, part) in
        [("exit", "engine failed twice: the process has ended"), ("illegal", "engine plays an illegal move: a1a9")]
    {
        let done = run(&format!("--engine MOCK --engine-arg {fault} --depth 1"), &line.repeat(3));
        assert_eq!((done.status, done.rows().len()), (0, 3), "{}", done.errors);
        let errors = done.column("error");
        assert!(errors.iter().all(|error| error.as_str().is_some_and(|text| text.starts_with(part))), "{errors:?}");
    }
    for fault in ["crlf", "garbage", "twice", "late"] {
        let done = run(&format!("--engine MOCK --engine-arg {fault} --movetime 1"), line);
        assert!(done.rows()[0]["bestmove"].is_string(), "{fault}: {done:?}");
    }
}

/// Engines that are killed while they search are replaced, and nothing of it is to be seen.
#[cfg(target_os = "linux")]
#[test]
fn killed_engines_do_not_hurt() {
    let input = positions(80);
    let whole = good(run(LONG, &input));
    let path = folder().join("killed.jsonl");
    let _ = fs::remove_file(&path);
    let child = start(&format!("{LONG} --concurrency 2 --output killed.jsonl"));
    let id = child.id();
    let killer = std::thread::spawn({
        let path = path.clone();
        move || {
            // Between two kills so many rows come out that no position is hit twice.
            let kills = (0..60).step_by(10).filter(|&rows| {
                while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < rows {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
                kill_an_engine(id)
            });
            kills.count()
        }
    });
    let disturbed = finish(child, &input);
    assert_eq!(disturbed.status, 0, "{}", disturbed.errors);
    assert!(killer.join().unwrap() > 0, "no engine was killed");
    assert!(fs::read_to_string(&path).unwrap() == whole, "a killed engine changes the output");
}

/// Kills a child of a process; any of its threads may have started it.
#[cfg(target_os = "linux")]
fn kill_an_engine(parent: u32) -> bool {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let children: String =
        tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect::<Vec<_>>().concat();
    let Some(engine) = children.split_whitespace().next() else { return false };
    std::process::Command::new("kill").args(["-9", engine]).status().is_ok_and(|status| status.success())
}

/// An interrupt leaves whole rows behind, and a resumed run completes them.
#[cfg(unix)]
#[test]
fn an_interrupted_run_is_resumed() {
    let input = positions(100);
    let whole = good(run(LONG, &input));
    let path = folder().join("interrupted.jsonl");
    let _ = fs::remove_file(&path);
    let child = start(&format!("{LONG} --output interrupted.jsonl"));
    let id = child.id().to_string();
    let killer = std::thread::spawn({
        let path = path.clone();
        move || {
            while fs::metadata(&path).map_or(0, |data| data.len()) == 0 {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            std::process::Command::new("kill").args(["-INT", &id]).status().is_ok_and(|status| status.success())
        }
    });
    let cut = finish(child, &input);
    assert!(killer.join().unwrap());
    assert_eq!((cut.status, cut.errors.contains("interrupted: ")), (130, true), "{}", cut.errors);
    let text = fs::read_to_string(&path).unwrap();
    assert!(whole.starts_with(&text) && text.ends_with('\n') && text.len() < whole.len());
    let resumed = run(&format!("{LONG} --output interrupted.jsonl --resume"), &input);
    assert_eq!(resumed.status, 0, "{}", resumed.errors);
    assert!(fs::read_to_string(&path).unwrap() == whole, "the resumed output differs");
}
