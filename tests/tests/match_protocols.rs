//! Engines that speak UCCI and the XBoard protocol in matches on one board.
use sanqi_tests::binary;
use sanqi_tests::matches::{Finished, Match, folder};

fn check_pgn(name: &str) -> String {
    let done = std::process::Command::new(binary::adapter())
        .args(["pgn", "check", "games.pgn"])
        .current_dir(folder().join(name))
        .output()
        .expect("the adapter runs");
    String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned()
}

/// One game of a faulty engine of a protocol (first player) against a well-behaved one.
fn game(protocol: &str, fault: &str, more: &str) -> Finished {
    Match::new(&format!("{protocol}-{fault}"))
        .mock("-engine", "A", protocol, fault)
        .mock("-engine", "B", "uci", "")
        .options("-variant xiangqi -rounds 1 -games 1 -recover -each tc=5 timemargin=50 -log file=wire.log engine=true")
        .options(more)
        .run()
}

#[test]
fn games_of_every_variant_over_the_xboard_protocol() {
    for variant in ["xiangqi", "supply", "yangqi", "fangqi"] {
        let name = format!("xboard-{variant}");
        let finished = Match::new(&name)
            .mock("-engine", "A", "xboard", "")
            .mock("-engine", "B", "uci", "")
            .options(&format!("-variant {variant} -rounds 2 -games 2 -concurrency 2 -force-concurrency -openings random plies=5 -srand 3"))
            .options("-each depth=1")
            .run();
        assert_eq!((finished.status, finished.games.len()), (0, 4), "{}", finished.output);
        assert!(finished.games.iter().all(|game| game["termination"] == "normal"), "{}", finished.output);
        assert!(!finished.output.contains("Warning"), "{}", finished.output);
        assert_eq!(check_pgn(&name), "games.pgn: 4 games, 0 faulty\n");
    }
}

/// Games of the real programs, `A` and `B` in these protocols.
fn played_by_the_programs(name: &str, protocols: [&str; 2], options: &str) -> Finished {
    let mut trial = Match::new(name);
    for (letter, protocol) in ["A", "B"].into_iter().zip(protocols) {
        let engine = match protocol {
            "xboard" => format!("cmd={} arg=xboard depth=2", binary::adapter().display()),
            _ => format!("cmd={} nodes=200", binary::sanqi().display()),
        };
        trial = trial.options(&format!("-engine {engine} name={letter} proto={protocol} timemargin=500"));
    }
    trial.options("-srand 3 -log file=wire.log engine=true").options(options).run()
}

/// Our own XBoard front in fangqi: a capture, which XBoard's board has to be helped with, is a move like others for a runner.
#[test]
fn captures_of_our_own_xboard_front() {
    for protocols in [["uci", "xboard"], ["xboard", "xboard"]] {
        let name = format!("front-{}", protocols.join("-"));
        let options = "-variant fangqi -rounds 1 -repeat -openings random plies=6";
        let finished = played_by_the_programs(&name, protocols, options);
        assert_eq!((finished.status, finished.games.len()), (0, 2), "{}", finished.output);
        assert!(finished.games.iter().all(|game| game["termination"] == "normal"), "{}", finished.output);
        assert!(!finished.output.contains("Warning"), "{}", finished.output);
        assert_eq!(check_pgn(&name), "games.pgn: 2 games, 0 faulty\n");
        let full = |game: &serde_json::Value| {
            let board = game["end"].as_str().unwrap_or_default().split('[').next().unwrap_or_default();
            board.chars().filter(char::is_ascii_alphabetic).count() == 40
        };
        assert!(!finished.games.iter().all(full), "no capture: {:?}", finished.games);
        let log = std::fs::read_to_string(folder().join(&name).join("wire.log")).expect("the log");
        assert!(log.contains("B <--- computer"));
    }
}

/// And a Soldier on the last rank, which XBoard takes for a pawn that promotes.
#[test]
fn a_soldier_of_our_own_xboard_front_stays_one() {
    let book = folder().join("soldier.epd");
    std::fs::create_dir_all(folder()).expect("a folder");
    std::fs::write(&book, "3k4r/8P/9/9/9/9/9/9/9/4K4[] w - - 0 1\n").expect("a file");
    let options = format!("-variant supply -rounds 1 -games 1 -openings file={}", book.display());
    let finished = played_by_the_programs("front-soldier", ["xboard", "uci"], &options);
    assert_eq!((finished.status, finished.games.len()), (0, 1), "{}", finished.output);
    assert_eq!(finished.games[0]["termination"], "normal", "{}", finished.output);
}

#[test]
fn games_over_ucci() {
    let finished = Match::new("ucci")
        .mock("-engine", "A", "ucci", "")
        .mock("-engine", "B", "xboard", "")
        .options("-variant supply -rounds 1 -games 2 -openings random plies=5 -srand 3 -each tc=20+0.5 option.Hash=8 timemargin=500")
        .options("-log file=wire.log engine=true")
        .run();
    assert_eq!((finished.status, finished.games.len()), (0, 2), "{}", finished.output);
    assert_eq!(check_pgn("ucci"), "games.pgn: 2 games, 0 faulty\n");
    let log = std::fs::read_to_string(folder().join("ucci/wire.log")).expect("the log");
    for part in [
        "A <--- setoption usemillisec true",
        "A <--- setoption variant supply",
        "A <--- go time 20500 increment 500 opptime",
    ] {
        assert!(log.contains(part), "{part}");
    }
    for part in [
        "B <--- variant supply",
        "B <--- memory 8",
        "B <--- level 0 0:20 0.5",
        "B <--- setboard ",
        "B <--- otim ",
        "B <--- result ",
    ] {
        assert!(log.contains(part), "{part}");
    }
}

#[test]
fn openings_as_moves_need_no_set_up_position() {
    let run = |name: &str, options: &str| {
        Match::new(name)
            .mock("-engine", "A", "xboard", "nosetup")
            .mock("-engine", "B", "uci", "")
            .options("-variant xiangqi -rounds 1 -games 2 -each depth=1")
            .options(options)
            .run()
    };
    let first = run("moves-first", "");
    assert_eq!((first.status, first.games.len()), (0, 2), "{}", first.output);
    let book = folder().join("moves-first/games.pgn");
    let finished = run("moves", &format!("-openings file={} format=pgn plies=7", book.display()));
    assert_eq!((finished.status, finished.pgn.matches("{book}").count()), (0, 14), "{}", finished.output);
    let refused = run("positions", "-openings random");
    assert_eq!((refused.status, refused.games.len()), (1, 0), "{}", refused.output);
    assert!(refused.output.contains("Error; engine A: it cannot be given positions"), "{}", refused.output);
}

#[track_caller]
fn ruled(finished: &Finished, result: &str, text: &str, termination: &str) {
    assert_eq!((finished.status, finished.games.len()), (0, 1), "{}", finished.output);
    let game = &finished.games[0];
    assert_eq!((game["result"].as_str(), game["termination"].as_str()), (Some(result), Some(termination)), "{game}");
    assert!(game["reason"].as_str().unwrap().starts_with(text), "{game}");
}

#[test]
fn rulings() {
    for protocol in ["xboard", "ucci"] {
        ruled(&game(protocol, "resign=2", ""), "0-1", "White resigns", "normal");
        ruled(&game(protocol, "illegal=2", ""), "0-1", "White makes an illegal move", "illegal move");
        ruled(&game(protocol, "exit=2", ""), "0-1", "White disconnects", "abandoned");
        ruled(&game(protocol, "late=2", "-each tc=0.3"), "0-1", "White loses on time (", "time forfeit");
        ruled(&game(protocol, "hang=2", "-each tc=0.3 -stop-ms 300"), "0-1", "White's connection stalls", "abandoned");
        ruled(&game(protocol, "unready=2", "-ping-ms 300"), "0-1", "White's connection stalls", "abandoned");
    }
}

#[test]
fn claims_are_not_believed() {
    let finished = game("xboard", "claim=2", "");
    ruled(&finished, "0-1", "White makes a false claim: 1-0 I say so", "rules infraction");
    ruled(&game("xboard", "refuse=2", ""), "0-1", "White refuses a legal move: Illegal move: ", "rules infraction");
}

#[test]
fn a_variant_that_is_not_played_ends_the_match() {
    let finished = Match::new("not-played")
        .mock("-engine", "A", "xboard", "")
        .mock("-engine", "B", "uci", "")
        .options("-variant yangqinoswap -each depth=1")
        .run();
    assert_eq!((finished.status, finished.games.len()), (1, 0));
    assert!(finished.output.contains("Error; engine A: it does not play `yangqinoswap`"), "{}", finished.output);
}
