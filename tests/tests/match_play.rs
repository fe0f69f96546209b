//! Whole matches: every game, tests that end early, and matches that are cut off and resumed.
use sanqi::games::Variant;
use sanqi_tests::binary;
use sanqi_tests::matches::{Match, folder};

/// Lets `sanqi-adapter pgn check` look at the games; gives what it says.
fn check_pgn(name: &str) -> (bool, String) {
    let done = std::process::Command::new(binary::adapter())
        .args(["pgn", "check", "games.pgn"])
        .current_dir(folder().join(name))
        .output()
        .expect("the adapter runs");
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn games_of_every_variant_follow_the_rules() {
    for variant in Variant::ALL {
        let name = format!("variant-{variant}");
        let finished = Match::new(&name)
            .engines("", "")
            .options(&format!("-variant {variant} -rounds 2 -games 2 -concurrency 2 -force-concurrency -openings random plies=4 -srand 3"))
            .options("-each nodes=1")
            .run();
        assert_eq!((finished.status, finished.games.len()), (0, 4), "{}", finished.output);
        assert!(!finished.output.contains("Warning"), "{}", finished.output);
        assert_eq!(check_pgn(&name), (true, "games.pgn: 4 games, 0 faulty\n".to_owned()));
        // Both games of a round begin alike, the rounds differ.
        let mut openings: Vec<&str> = finished.games.iter().map(|g| g["opening"].as_str().unwrap()).collect();
        openings.sort_unstable();
        assert!(openings[0] == openings[1] && openings[1] != openings[2] && openings[2] == openings[3], "{openings:?}");
    }
}

#[test]
fn openings_from_a_file_in_both_forms() {
    let fens = [
        "7/7/7/3Pp2/7/7/7[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - 0 2",
        "7/7/7/7/3Pp2/7/7[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - hmvc 0; fmvn 2;",
    ];
    let path = folder().join("openings.epd");
    std::fs::create_dir_all(folder()).unwrap();
    std::fs::write(&path, format!("\u{feff}# two openings\n{}\n\n{}\r\n", fens[0], fens[1])).unwrap();
    let finished = Match::new("book")
        .engines("", "")
        .options("-variant fangqi -rounds 3 -games 2 -each nodes=1 -openings start=2")
        .options(&format!("-openings file={}", path.display()))
        .run();
    assert_eq!(finished.games.len(), 6, "{}", finished.output);
    let opening = |n: u64| {
        let game = finished.games.iter().find(|g| g["number"] == n).expect("the game");
        game["opening"].as_str().unwrap().split(' ').next().unwrap().to_owned()
    };
    let board = |n: usize| fens[n].split(' ').next().unwrap();
    assert_eq!([opening(1), opening(3), opening(5)], [board(1), board(0), board(1)]);
}

#[test]
fn games_as_openings_are_played_on() {
    let first =
        Match::new("pgn-first").engines("", "").options("-variant supply -rounds 1 -games 2 -each nodes=1").run();
    assert_eq!(first.games.len(), 2, "{}", first.output);
    let book = folder().join("pgn-first/games.pgn");
    let finished = Match::new("pgn-book")
        .engines("", "")
        .options("-variant supply -rounds 2 -games 2 -each nodes=1 -openings format=pgn plies=5")
        .options(&format!("-openings file={}", book.display()))
        .run();
    assert_eq!((finished.status, finished.games.len()), (0, 4), "{}", finished.output);
    assert_eq!(finished.pgn.matches("{book}").count(), 4 * 5);
    assert!(check_pgn("pgn-book").0, "{}", check_pgn("pgn-book").1);
}

#[test]
fn an_engine_tries_openings() {
    let openings = |count: &str, score: &str| {
        let done = std::process::Command::new(binary::adapter())
            .args(["openings", "--variant", "fangqi", "--count", count, "--max-score", score, "--engine"])
            .arg(binary::mock_engine())
            .output()
            .expect("the adapter runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("ASCII")
    };
    let (few, more) = (openings("5", "0"), openings("9", "0"));
    assert_eq!(few.lines().count(), 5);
    // The mock engine calls everything even, so nothing is left out, and the same seed gives the same beginning.
    assert!(more.starts_with(&few) && few.lines().all(|line| line.ends_with("; ce 0;")), "{few}");
}

#[test]
fn a_test_ends_when_it_is_decided() {
    let finished = Match::new("sprt")
        .engines("", "illegal=1")
        .options("-variant fangqi -each nodes=1 -openings random plies=2 -srand 1 -rounds 500 -games 2 -recover")
        .options("-sprt elo0=0 elo1=50 -ratinginterval 1")
        .run();
    assert_eq!(finished.status, 0, "{}", finished.output);
    assert!(finished.games.len() < 500, "{} games", finished.games.len());
    assert!(finished.output.contains("SPRT ([0.00, 50.00]) completed - H1 was accepted"), "{}", finished.output);
    // Reports come at whole pairs only: fishtest insists.
    let mut reports = 0;
    for block in finished.output.split("Games: ").skip(1) {
        let games: u64 = block.split(',').next().unwrap().parse().unwrap();
        let bins = block.split_once("Ptnml(0-2): [").unwrap().1.split_once(']').unwrap().0;
        let pairs: u64 = bins.split(", ").map(|n| n.parse::<u64>().unwrap()).sum();
        assert_eq!(games, 2 * pairs);
        reports += 1;
    }
    assert!(reports > 1);
    assert!(finished.output.contains("\nFinished match\n"));
}

#[test]
fn a_killed_match_is_resumed_without_losing_or_repeating_a_game() {
    const GAMES: u64 = 60;
    let first = Match::new("resume")
        .engines("", "exit=9")
        .options("-variant fangqi -each nodes=1 -openings random plies=4 -srand 2 -concurrency 2 -force-concurrency -recover")
        .options(&format!("-rounds {} -games 2 -wait 5", GAMES / 2));
    let mut child = first.start();
    for goal in [5, 20] {
        // A match that is faster than this loop is simply finished.
        while first.journal().len() < goal && child.try_wait().expect("its state").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        if goal == 5 {
            child = Match::again("resume").options("-config file=config.json").start();
        }
    }
    // Half a game and half a line, as a kill may leave them.
    let folder = folder().join("resume");
    for (file, rest) in [("games.pgn", "\n[Event \"half a ga"), ("config.games.jsonl", "{\"entry\":\"game\",\"nu")] {
        use std::io::Write;
        let mut file = std::fs::OpenOptions::new().append(true).open(folder.join(file)).unwrap();
        file.write_all(rest.as_bytes()).unwrap();
    }
    let finished = Match::again("resume").options("-config file=config.json").run();
    assert_eq!(finished.status, 0, "{}", finished.output);
    let mut numbers: Vec<u64> = finished.games.iter().map(|g| g["number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=GAMES).collect::<Vec<_>>());
    assert_eq!(finished.pgn.matches("[Event ").count() as u64, GAMES);
    assert!(check_pgn("resume").0, "{}", check_pgn("resume").1);
    let stats = &finished.config["stats"]["A vs B"];
    let count = |key: &str| stats[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("losses") + count("draws"), GAMES);
}

#[test]
fn a_finished_match_can_be_prolonged() {
    let name = "prolonged";
    let first = Match::new(name).engines("", "").options("-variant fangqi -each nodes=1 -rounds 1 -games 2").run();
    assert_eq!(first.games.len(), 2, "{}", first.output);
    let finished = Match::again(name).options("-config file=config.json -rounds 3").run();
    assert_eq!((finished.status, finished.games.len()), (0, 6), "{}", finished.output);
    assert!(finished.output.contains("Games: 6,"), "{}", finished.output);
}

#[test]
fn what_engines_say_is_logged() {
    let name = "log";
    Match::new(name)
        .engines("", "")
        .options("-variant fangqi -each nodes=1 -rounds 1 -games 1 -log file=wire.log engine=true")
        .run();
    let log = std::fs::read_to_string(folder().join(name).join("wire.log")).expect("the log");
    for part in ["> A <--- go nodes 1", "> B ---> readyok", "> A ---> bestmove P@", "> B <--- quit"] {
        assert!(log.contains(part), "{part} in {log}");
    }
    assert!(log.lines().all(|line| line.starts_with("[Engine] [")), "{log}");
}

#[test]
fn what_happens_is_logged_by_its_gravity() {
    let log = |level: &str| {
        let name = format!("log-{level}");
        let options =
            format!("-variant fangqi -each nodes=1 -rounds 1 -games 1 -recover -log file=m.log level={level}");
        Match::new(&name).engines("exit=2", "").options(&options).run();
        let log = std::fs::read_to_string(folder().join(name).join("m.log")).expect("the log");
        ["Started game", "Finished match", "White disconnects", "leaving"].map(|text| log.contains(text))
    };
    assert_eq!(log("trace"), [true; 4]);
    assert_eq!(log("info"), [false, true, true, true]);
    assert_eq!(log("warn"), [false, false, true, true]);
    assert_eq!(log("fatal"), [false; 4]);
}

#[test]
fn a_compressed_log_is_whole() {
    let to_run = Match::new("log-gz").engines("", "");
    let options =
        "-variant fangqi -each nodes=1 -rounds 1 -games 1 -log file=m compress=true engine=true realtime=false";
    to_run.options(options).run();
    let files = std::fs::read_dir(folder().join("log-gz")).unwrap().map(|entry| entry.unwrap().path());
    let path = files.into_iter().find(|path| path.extension().is_some_and(|e| e == "gz")).expect("a compressed file");
    let done = std::process::Command::new("gzip").arg("-dc").arg(path).output().expect("gzip runs");
    assert!(done.status.success() && String::from_utf8_lossy(&done.stdout).contains("> B <--- quit"));
}

#[test]
fn a_match_goes_on_under_another_name() {
    let name = "outname";
    let first = Match::new(name).engines("", "").options("-variant fangqi -each nodes=1 -rounds 2 -games 2");
    let first = first.options("-config outname=a.json").run();
    assert_eq!(first.status, 0, "{}", first.output);
    let second = Match::again(name).options("-config file=a.json outname=config.json -rounds 3").run();
    assert_eq!((second.status, second.games.len()), (0, 6), "{}", second.output);
    let before = std::fs::read_to_string(folder().join(name).join("a.games.jsonl")).unwrap();
    assert_eq!(before.lines().count(), 5);
    // Settings alone: a match of its own.
    let third = Match::again(name).options("-config file=a.json outname=config.json stats=false -rounds 1").run();
    assert_eq!((third.status, third.games.len()), (0, 2), "{}", third.output);
}

#[test]
fn final_positions_are_epd() {
    let name = "epd";
    let options = "-variant xiangqi -each nodes=1 -rounds 1 -games 2 -maxmoves 3 -epdout file=end.epd";
    let first = Match::new(name).engines("", "").options(options).run();
    let text = std::fs::read_to_string(folder().join(name).join("end.epd")).unwrap();
    assert!(text.lines().count() == 2 && text.lines().all(|line| line.ends_with("; fmvn 4;")), "{text}");
    assert_eq!(first.games.len(), 2);
    let options = "-variant xiangqi -each nodes=1 -rounds 2 -games 1 -maxmoves 1 -openings file=end.epd";
    let second = Match::again(name).engines("", "").options(options).run();
    assert_eq!((second.status, second.games[0]["opening"].clone()), (0, first.games[0]["end"].clone()));
}

#[test]
fn an_interrupt_saves_and_ends_in_order() {
    let name = "interrupt";
    let first = Match::new(name).engines("", "").options("-variant fangqi -each nodes=1 -rounds 100000 -games 2");
    let mut child = first.start();
    while first.journal().len() < 3 && child.try_wait().expect("its state").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let done = child.wait_with_output().expect("it ends");
    let output = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{output}");
    let command = format!("run: {} match -config file=config.json\n", binary::adapter().display());
    assert!(output.contains(&format!("Tournament was interrupted. To resume the tournament, {command}")), "{output}");
    assert!(output.contains("Results of A vs B"), "{output}");
}

#[test]
fn three_engines_make_a_table() {
    let mock = format!("-engine cmd={} name=C", binary::mock_engine().display());
    let finished = Match::new("table")
        .engines("", "illegal=1")
        .options(&mock)
        .options("-variant fangqi -each nodes=1 -rounds 1 -games 2 -recover")
        .run();
    assert_eq!((finished.status, finished.games.len()), (0, 6), "{}", finished.output);
    let lines: Vec<&str> = finished.output.lines().collect();
    let head = lines.iter().rposition(|line| line.starts_with("Rank Name")).expect("a table");
    let (rule, width) = ("-".repeat(50), 4 + 1 + 25 + 7 * 11 + 21);
    assert!(lines[head - 1] == rule && lines[head + 4] == rule, "{}", finished.output);
    assert!(lines[head..head + 4].iter().all(|line| line.len() == width), "{}", finished.output);
    assert!(lines[head + 3].starts_with("   3 B ") && lines[head + 3].contains(" 0.0% "), "{}", finished.output);
    // Whoever has played nobody's crash is not listed.
    assert!(!finished.output.contains("Player: "), "{}", finished.output);
}

#[test]
fn a_wrong_command_line_is_refused_by_name() {
    let finished = Match::new("refused").engines("", "").options("-variant fangqi -each nodes=1 -tb /tables").run();
    assert_eq!(finished.status, 1);
    assert!(finished.output.contains("-tb"), "{}", finished.output);
}
