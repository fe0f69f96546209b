//! Matches of Supply Xiangqi on two boards.
use sanqi_tests::binary;
use sanqi_tests::matches::{Finished, Match, folder};

/// What `replay check` says of the replay of every match, in their order.
fn check_replays(name: &str) -> Vec<String> {
    let folder = folder().join(name).join("replays");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("replays").map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let check = |file| {
        let done = std::process::Command::new(binary::adapter()).args(["replay", "check"]).arg(file).output();
        let done = done.expect("the adapter runs");
        let text = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).trim().to_owned();
        text.rsplit_once(".json: ").map_or(text.clone(), |(_, told)| told.to_owned())
    };
    files.into_iter().map(check).collect()
}

/// Every match: no warning, a replay that agrees with the rules, a place in the BPGN file.
fn complete(name: &str, finished: &Finished, matches: usize) {
    assert_eq!((finished.status, finished.games.len()), (0, matches), "{}", finished.output);
    assert!(!finished.output.contains("Warning;"), "{}", finished.output);
    let told = check_replays(name);
    assert_eq!(told.len(), matches);
    for text in told {
        assert!(text.contains(" events, board 1 ") && !text.contains("unfinished"), "{text}");
    }
    assert_eq!(finished.pgn.matches("[WhiteA \"").count(), matches, "{}", finished.pgn);
}

#[test]
fn both_protocols_at_once_and_in_turn() {
    for order in ["", "-lockstep"] {
        let name = format!("teams{order}");
        let finished = Match::new(&name)
            .mock("-engine", "A", "uci", "talk")
            .mock("-engine", "B", "xboard", "talk")
            .options(
                "-variant supply2 -rounds 2 -games 2 -openings random plies=4 -srand 5 -each tc=60 timemargin=1000",
            )
            .options("-replayout dir=replays -log file=wire.log engine=true")
            .options(order)
            .run();
        complete(&name, &finished, 4);
        assert!(finished.output.contains("Games: 4,"), "{}", finished.output);
        let log = std::fs::read_to_string(folder().join(&name).join("wire.log")).expect("the log");
        let parts =
            ["A <--- team need R", "B <--- ptell go", "B <--- partner B", "B <--- variant supply", "B <--- holding ["];
        for part in parts.into_iter().chain([
            "A <--- go board 2 wtime ",
            " wtime2 ",
            "A <--- setoption name UCI_Variant value supply2",
        ]) {
            assert!(log.contains(part), "{part}");
        }
    }
}

#[test]
fn four_engines() {
    let finished = Match::new("four")
        .mock("-engine", "A", "uci", "talk")
        .mock("-partner", "A2", "xboard", "talk")
        .mock("-engine", "B", "xboard", "")
        .mock("-partner", "B2", "uci", "")
        .options(
            "-variant supply2 -rounds 1 -games 2 -each depth=1 -replayout dir=replays -log file=wire.log engine=true",
        )
        .run();
    complete("four", &finished, 2);
    for tags in ["[WhiteA \"A\"]", "[BlackB \"A2\"]", "[BlackA \"B\"]", "[WhiteB \"B2\"]", "[WhiteA \"B\"]"] {
        assert!(finished.pgn.contains(tags), "{tags} in {}", finished.pgn);
    }
    // Words of one protocol in the other.
    let log = std::fs::read_to_string(folder().join("four/wire.log")).expect("the log");
    assert!(log.contains("A2 <--- ptell need R") && log.contains("A <--- team go"));
}

#[test]
fn boards_that_take_turns_are_reproducible() {
    let run = |name: &str| {
        let finished = Match::new(name)
            .engines("", "")
            .options("-variant supply2 -rounds 1 -games 2 -openings random -srand 9 -lockstep -each nodes=1 -replayout dir=replays")
            .run();
        complete(name, &finished, 2);
        finished.games.iter().map(|game| game["end"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(run("lockstep-1"), run("lockstep-2"));
}

#[test]
fn a_loss_on_one_board_leaves_the_other_running() {
    let cases = [
        ("illegal=3", "tc=60", "White makes an illegal move: ", "(illegalMove)"),
        ("late=3", "tc=2", "White loses on time (", "(flag)"),
        ("hang=3", "tc=2", "White's connection stalls", "(disconnection)"),
        ("exit=3", "tc=60", "White disconnects", "(disconnection)"),
        ("resign=3", "tc=60", "White resigns", "(resignation)"),
    ];
    for protocol in ["uci", "xboard"] {
        for (fault, limit, text, reason) in cases {
            if protocol == "uci" && fault == "resign=3" {
                continue;
            }
            // A piece that arrives would wake an engine that waits to be told to stop.
            let order = if fault == "late=3" { "-lockstep" } else { "" };
            let name = format!("loss-{protocol}-{fault}");
            // The other seats have time enough for a whole game.
            let finished = Match::new(&name)
                .mock("-engine", "A", protocol, fault)
                .options(limit)
                .mock("-partner", "A2", "uci", "")
                .options("tc=60")
                .mock("-engine", "B", "uci", "")
                .options("tc=60")
                .options(
                    "-variant supply2 -rounds 1 -games 1 -recover -stop-ms 300 -maxmoves 40 -replayout dir=replays",
                )
                .options(order)
                .run();
            assert_eq!((finished.status, finished.games.len()), (0, 1), "{}", finished.output);
            let reason_told = finished.games[0]["reason"].as_str().unwrap();
            let (one, two) = reason_told.split_once(", board 2: ").expect("both boards");
            assert!(one.starts_with(&format!("board 1: {text}")), "{name}: {reason_told}");
            assert!(
                two.ends_with("mates") || two.contains("stalemate") || two == "Draw by adjudication",
                "{reason_told}"
            );
            let told = check_replays(&name);
            assert!(told[0].contains(&format!("board 1 black {reason}")), "{told:?}");
            // The other board was played on for long.
            assert!(finished.games[0]["plies"].as_u64().unwrap() > 30, "{told:?}");
        }
    }
}

#[test]
fn a_resumed_match_plays_what_is_missing() {
    let name = "teams-resumed";
    let options = "-variant supply2 -rounds 1 -games 2 -each nodes=1 -replayout dir=replays";
    let first = Match::new(name).engines("", "").options(options).run();
    assert_eq!(first.games.len(), 2, "{}", first.output);
    let finished = Match::again(name).options("-config file=config.json -rounds 2").run();
    complete(name, &finished, 4);
    // The file has all four for the other tools, too.
    let tool = |arguments: &str| {
        let mut command = std::process::Command::new(binary::adapter());
        command.args(arguments.split_whitespace()).current_dir(folder().join(name)).output().expect("the adapter runs")
    };
    let said = |arguments: &str| {
        let done = tool(arguments);
        String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned()
    };
    assert_eq!(said("pgn check games.pgn"), "games.pgn: 4 games, 0 faulty\n");
    for number in 1..=4 {
        let made = said(&format!("replay from-bpgn games.pgn --match {number} --output {number}.json"));
        assert_eq!(made, "");
        assert!(tool(&format!("replay check {number}.json")).status.success());
    }
    let many = said("replay from-bpgn games.pgn");
    assert!(many.ends_with("another match begins here: choose one of 4 with --match\n"), "{many}");
    assert!(said("replay from-bpgn games.pgn --match 5").ends_with("no match 5: the text has 4\n"));
    assert!(said("pgn convert games.pgn").contains("a match on two boards: `replay from-bpgn` reads it"));
    let elo =
        |page: &str| page.split_once("<tr><td>A</td>").expect("a row").1.split_once("</tr>").unwrap().0.to_owned();
    let (alone, whole) = (said("report games.pgn"), said("report config.json"));
    assert!(alone.contains("<p>4 games of 2 engines: supply2") && elo(&alone) == elo(&whole), "{alone}");
    // A fault is told with its line in the whole file.
    let broken = finished.pgn.replacen("[Round \"2\"]", "[Round]", 1);
    std::fs::write(folder().join(name).join("broken.pgn"), &broken).unwrap();
    let line = broken.lines().position(|line| line == "[Round]").expect("a second match") + 1;
    let told = said("pgn check broken.pgn");
    assert!(told.contains(&format!("line {line}: expected a tag")) && told.contains("4 games, 1 faulty"), "{told}");
}

#[test]
fn options_of_two_boards_are_refused_on_one() {
    for (option, word) in [
        ("-lockstep", "-lockstep"),
        ("-replayout dir=x", "-replayout"),
        ("-openings file=x format=pgn -variant supply2", "openings of two boards"),
    ] {
        let finished =
            Match::new("teams-refused").engines("", "").options("-variant supply -each nodes=1").options(option).run();
        assert_eq!(finished.status, 1);
        assert!(finished.output.contains(word), "{}", finished.output);
    }
}
