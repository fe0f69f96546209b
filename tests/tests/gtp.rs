//! The GTP front against the built binaries: dialogues of the documentation, engines that fail, hostile input.
use sanqi_tests::gtp::{Gtp, files};
use sanqi_tests::random::Random;
use std::process::Command;

/// The dialogues of `protocol-docs/gtp.md`: each fenced block marked `gtp` is a session of its own.
#[test]
fn the_documented_dialogues() {
    let page = std::fs::read_to_string(files().join("../../protocol-docs/gtp.md")).unwrap();
    let blocks: Vec<&str> = page.split("```gtp\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    assert!(blocks.len() >= 5, "{} dialogues", blocks.len());
    let mut commands = 0;
    for block in blocks {
        let mut gtp = Gtp::start(&["--nodes", "500"]);
        for exchange in block.split("> ").skip(1) {
            let (command, expected) = exchange.split_once('\n').unwrap();
            let reply = gtp.ask(command);
            // A success without text is a sign and a blank, which no editor keeps.
            let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned();
            assert_eq!(trimmed(&reply), trimmed(expected), "{command}");
            commands += 1;
        }
    }
    assert!(commands >= 40, "{commands} commands");
}

#[test]
fn pipelined_commands_are_answered_in_order() {
    let mut gtp = Gtp::start(&["--nodes", "200"]);
    gtp.send_bytes(
        b"1 boardsize 7\r\n\r\n# nothing\n2 genmove b\n3 genmove w # comment\n\t4\tgogui-rules_side_to_move\nquit\n",
    );
    assert_eq!(gtp.reply(), "=1 ");
    assert!(gtp.reply().starts_with("=2 "));
    assert!(gtp.reply().starts_with("=3 "));
    assert_eq!((gtp.reply(), gtp.reply()), ("=4 black".to_owned(), "= ".to_owned()));
    let ending = gtp.finish();
    assert!(ending.status.success() && ending.lines.is_empty(), "{ending:?}");
}

#[test]
fn the_end_of_the_input_is_quit() {
    let mut gtp = Gtp::start(&["--nodes", "200"]);
    gtp.send_bytes(b"genmove b\nname");
    let ending = gtp.finish();
    assert!(ending.status.success());
    assert_eq!(ending.lines.len(), 4, "{:?}", ending.lines);
    assert_eq!(ending.lines[2], "= Sanqi");
}

#[test]
fn no_engine_before_a_move_is_asked_for() {
    let mut gtp = Gtp::start(&["--nodes", "200"]);
    for command in ["list_commands", "boardsize 7", "play b d4", "gogui-rules_legal_moves", "gogui-rules_board", "undo"]
    {
        gtp.ok(command);
    }
    assert_eq!(gtp.engines(), Vec::<u32>::new());
    gtp.ok("genmove b");
    assert_eq!(gtp.engines().len(), 1);
    let engine = gtp.engines();
    gtp.ok("genmove w");
    assert_eq!(gtp.engines(), engine);
}

#[test]
fn a_game_to_its_end() {
    let mut gtp = Gtp::start(&["--nodes", "100", "--seed", "3", "--variety", "50"]);
    for ply in 0..40 {
        let color = ["b", "w"][ply % 2];
        let legal = gtp.ok("gogui-rules_legal_moves");
        let point = gtp.ok(&format!("genmove {color}"));
        assert!(legal.split(' ').any(|p| p == point), "{point} is not among {legal}");
        // GoGui sends what has just been played once more.
        assert_eq!(gtp.ask(&format!("play {color} {point}")), "? illegal move");
    }
    assert_eq!(gtp.ok("gogui-rules_legal_moves"), "");
    let score = gtp.ok("final_score");
    assert_eq!((gtp.ok("genmove b"), gtp.ok("play w pass")), ("pass".into(), String::new()));
    assert_eq!(gtp.ok("final_score"), score);
    let alive = gtp.ok("final_status_list alive").lines().count();
    let board = gtp.ok("gogui-rules_board");
    assert_eq!(alive, board.chars().filter(|c| "XO".contains(*c)).count());
    let captured: usize = gtp.ok("gogui-rules_captured_count").split(' ').map(|n| n.parse::<usize>().unwrap()).sum();
    assert_eq!(alive + captured, 40);
}

#[test]
fn seeds_decide_games_and_games_of_a_session_differ() {
    let play = |seed: &str| {
        let mut gtp = Gtp::start(&["--nodes", "100", "--variety", "100", "--seed", seed]);
        let mut games = Vec::new();
        for _ in 0..2 {
            gtp.ok("clear_board");
            let moves: Vec<String> = (0..8).map(|ply| gtp.ok(["genmove b", "genmove w"][ply % 2])).collect();
            games.push(moves);
        }
        games
    };
    let (one, again, other) = (play("1"), play("1"), play("500"));
    assert_eq!(one, again);
    assert_ne!(one[0], one[1]);
    assert_ne!(one[0], other[0]);
}

#[test]
fn an_interrupted_search_answers() {
    // Without the interrupt the move would take a day.
    let mut gtp = Gtp::start(&["--movetime", "86400000"]);
    gtp.send("7 genmove b");
    gtp.send("# interrupt");
    let reply = gtp.reply();
    assert!(reply.starts_with("=7 ") && reply.len() == 5, "{reply}");
    gtp.send("fangqi-variation w");
    gtp.send("# interrupt");
    assert!(gtp.reply().starts_with("= "));
    // An interrupt that comes after a reply is for that one, not for the next command.
    gtp.send("# interrupt");
    gtp.ok("gogui-param_time milliseconds 0");
    gtp.ok("gogui-param_time nodes 300");
    assert_eq!(gtp.ok("genmove w").len(), 2);
}

#[test]
fn live_graphics_while_thinking() {
    let mut gtp = Gtp::start(&["--nodes", "2000"]);
    let point = gtp.ok("genmove b");
    let errors = gtp.finish().errors;
    let pictures: Vec<&str> = errors.split("\n\n").collect();
    assert!(pictures.len() > 2, "{errors}");
    assert!(pictures[0].starts_with("gogui-gfx:\nVAR b "), "{errors}");
    assert!(errors.contains(&format!("VAR b {point}")) && errors.trim_end().ends_with("gogui-gfx: CLEAR"), "{errors}");
}

#[test]
fn analysis_of_every_point() {
    let mut gtp = Gtp::start(&["--nodes", "20000"]);
    gtp.ok("gogui-play_sequence b d4 w c4 b e4 w f5 b d5 w d6");
    let map = gtp.ok("fangqi-evaluation b");
    assert_eq!(map.lines().filter(|line| line.starts_with("COLOR #")).count(), 43, "{map}");
    let labels = map.lines().last().and_then(|line| line.strip_prefix("LABEL ")).unwrap();
    let words: Vec<&str> = labels.split(' ').collect();
    let score =
        |point| words.chunks(2).find(|pair| pair[0] == point).map(|pair| pair[1].parse::<f64>().unwrap()).unwrap();
    // Taking three stones is worth more than a corner, whatever the weights.
    assert!(score("E5") > score("A1") + 1.0, "{map}");
    assert!(gtp.ok("fangqi-variation b").contains(" stones, depth "));
    assert_eq!(gtp.ok("gogui-rules_captured_count"), "0 0");
}

#[test]
fn games_as_files() {
    let mut gtp = Gtp::start(&[]);
    gtp.ok("loadsgf capture.sgf");
    assert_eq!(gtp.ok("gogui-rules_captured_count"), "3 0");
    let written = gtp.ok("printsgf");
    let folder = std::env::temp_dir().join(format!("sanqi gtp {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a game.sgf");
    gtp.ok(&format!("printsgf \"{}\"", path.display()));
    gtp.ok("clear_board");
    gtp.ok(&format!("loadsgf \"{}\"", path.display()));
    assert_eq!((gtp.ok("printsgf"), gtp.ok("gogui-rules_captured_count")), (written, "3 0".into()));
    std::fs::write(&path, "(;SZ[19];B[aa])").unwrap();
    let refused = gtp.ask(&format!("loadsgf \"{}\"", path.display()));
    assert_eq!(refused, "? cannot load file: unacceptable size 19");
    assert!(gtp.ask("loadsgf .").starts_with("? cannot load file"));
    assert_eq!(gtp.ok("gogui-rules_captured_count"), "3 0");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A process of `mock_engine` behaves badly at its second move; the process that replaces it starts to count anew.
fn faulty(fault: &str) -> Gtp {
    let mock = env!("CARGO_BIN_EXE_mock_engine");
    let fault = format!("{fault}=2");
    Gtp::start(&["--engine", mock, "--engine-arg", &fault, "--movetime", "200", "--margin", "1500"])
}

#[test]
fn an_engine_that_fails_is_replaced_at_the_right_position() {
    for (fault, message) in [
        ("exit", "? engine failed"),
        ("hang", "? engine hangs"),
        ("unready", "? engine hangs"),
        ("illegal", "? engine played an illegal move: a1a9"),
        ("none", "? engine played an illegal move: (none)"),
        ("null", "? engine played an illegal move: 0000"),
        ("empty", "? engine played an illegal move:"),
        ("resign", "? engine played an illegal move: resign"),
    ] {
        let mut gtp = faulty(fault);
        let first = gtp.ok("genmove b");
        let failed = gtp.ask("genmove w");
        assert!(failed.starts_with(message), "{fault}: {failed}");
        assert_eq!(gtp.ok("gogui-rules_side_to_move"), "white", "{fault}");
        gtp.ok("play w g7");
        // The mock chooses the same point among all at its first move: from the wrong position it would be taken.
        let second = gtp.ok("genmove b");
        assert!(second != first && second != "G7", "{fault}: {first} {second}");
        assert_eq!(gtp.ok("gogui-rules_legal_moves").split(' ').count(), 46, "{fault}");
        assert_eq!(gtp.engines().len(), 1, "{fault}");
    }
}

#[test]
fn an_engine_that_is_merely_odd_plays_on() {
    for fault in ["late", "flood", "garbage", "twice", "crlf"] {
        let mut gtp = faulty(fault);
        for color in ["b", "w", "b"] {
            assert_eq!(gtp.ok(&format!("genmove {color}")).len(), 2, "{fault}");
        }
    }
}

#[test]
fn an_engine_that_never_speaks_or_does_not_exist() {
    let mock = env!("CARGO_BIN_EXE_mock_engine");
    let mut gtp = Gtp::start(&["--engine", mock, "--engine-arg", "mute", "--movetime", "100", "--margin", "300"]);
    assert_eq!(gtp.ask("5 genmove b"), "?5 engine hangs: no move within 400 ms");
    assert_eq!(gtp.ok("gogui-rules_side_to_move"), "black");
    let mut gtp = Gtp::start(&["--engine", "no-such-engine"]);
    assert!(gtp.ask("genmove b").starts_with("? engine failed: cannot start `no-such-engine`"));
    assert_eq!(gtp.ok("play b d4"), "");
}

#[test]
fn a_killed_engine() {
    let mut gtp = Gtp::start(&["--movetime", "86400000"]);
    gtp.send("genmove b");
    let engine = loop {
        match gtp.engines().as_slice() {
            [engine] => break *engine,
            _ => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    assert!(Command::new("kill").args(["-9", &engine.to_string()]).status().unwrap().success());
    let reply = gtp.reply();
    assert!(reply.starts_with("? engine failed"), "{reply}");
    gtp.ok("gogui-param_time milliseconds 50");
    assert_eq!(gtp.ok("genmove b").len(), 2);
    assert_ne!(gtp.engines(), [engine]);
    assert_eq!(gtp.ok("gogui-rules_side_to_move"), "white");
}

#[test]
fn an_engine_that_is_stopped_in_its_tracks() {
    let mut gtp = Gtp::start(&["--movetime", "100", "--margin", "900"]);
    gtp.ok("genmove b");
    let engine = gtp.engines();
    assert!(Command::new("kill").args(["-STOP", &engine[0].to_string()]).status().unwrap().success());
    assert_eq!(gtp.ask("genmove w"), "? engine hangs: no move within 1000 ms");
    assert_eq!(gtp.ok("genmove w").len(), 2);
    assert_eq!(gtp.ok("gogui-rules_legal_moves").split(' ').count(), 47);
    assert_ne!(gtp.engines(), engine);
}

/// One line of nonsense.
fn hostile(random: &mut Random) -> Vec<u8> {
    const WORDS: [&str; 40] = [
        "play",
        "b",
        "w",
        "black",
        "d4",
        "i4",
        "z99",
        "pass",
        "resign",
        "genmove",
        "undo",
        "gg-undo",
        "-1",
        "0",
        "99999999999",
        "boardsize",
        "7",
        "clear_board",
        "komi",
        "nan",
        "time_settings",
        "time_left",
        "4294967296",
        "loadsgf",
        "/dev/zero",
        "/",
        "\"",
        "printsgf /dev/null/x",
        "gogui-setup",
        "gogui-setup_player",
        "gogui-play_sequence",
        "fangqi-preview",
        "known_command",
        "gogui-param_seed",
        "gogui-param_strength",
        "final_status_list",
        "gogui-rules_board_gfx",
        "a1",
        "#",
        "=",
    ];
    let mut line = Vec::new();
    for _ in 0..random.below(9) {
        match random.below(12) {
            0 => line.extend((0..random.below(40)).map(|_| random.below(256) as u8)),
            1 => line.extend("9".repeat(random.below(60)).bytes()),
            2 => line.extend("ü界\u{202e}".bytes()),
            3 if random.below(20) == 0 => line.extend(std::iter::repeat_n(b'x', 200_000)),
            _ => line.extend(WORDS[random.below(WORDS.len())].bytes()),
        }
        line.push([b' ', b'\t', b'\r', 0][random.below(40).min(3)]);
    }
    line.retain(|&byte| byte != b'\n');
    line
}

#[test]
fn three_hundred_hostile_lines() {
    let mut random = Random::new(7);
    // A short leash, since some of the lines ask for moves and set clocks.
    let mut gtp = Gtp::start(&["--nodes", "50", "--movetime", "50"]);
    for number in 0..300 {
        let mut line = hostile(&mut random);
        line.push(b'\n');
        gtp.send_bytes(&line);
        // One reply at most, and then that to a question whose answer is known.
        let marker = format!("{} known_command quit", 1_000_000 + number);
        let mut reply = gtp.ask(&marker);
        let mark = format!("={} true", 1_000_000 + number);
        if reply != mark {
            reply = gtp.reply();
        }
        assert_eq!(reply, mark, "after {}", String::from_utf8_lossy(&line));
    }
    assert_eq!(gtp.ok("clear_board"), "");
    assert_eq!(gtp.ok("gogui-rules_legal_moves").split(' ').count(), 49);
    let ending = gtp.finish();
    assert!(ending.status.success() && !ending.errors.contains("panicked"), "{}", ending.errors);
}
