//! Every option of the UCI handshake, and what it does.
use sanqi_tests::session::{Session, field};

/// Name, type and the rest of each option line.
fn options(session: &mut Session) -> Vec<(String, String, String)> {
    let lines = session.ask("uci", "uciok");
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("option name "))
        .filter_map(|line| {
            let (name, rest) = line.split_once(" type ")?;
            let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((name.to_owned(), kind.to_owned(), rest.to_owned()))
        })
        .collect()
}

#[test]
fn every_option_takes_its_values_and_refuses_others_by_name() {
    let mut session = Session::start(&[]);
    let all = options(&mut session);
    let names: Vec<&str> = all.iter().map(|(name, ..)| name.as_str()).collect();
    for name in [
        "Hash",
        "Clear Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "UCI_Variant",
        "Rank Base",
        "UCI_LimitStrength",
        "UCI_Elo",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "Seed",
        "Variety",
        "Notation",
        "Debug Log File",
    ] {
        assert!(names.contains(&name), "{name} is not offered");
    }
    for (name, kind, rest) in &all {
        let mut set = |value: &str| {
            session.send(&format!("setoption name {name} value {value}"));
            session.ready()
        };
        match kind.as_str() {
            "check" => {
                for value in ["true", "false", "TRUE", "off", "1", "0"] {
                    assert_eq!(set(value), [""; 0], "{name} {value}");
                }
                assert!(set("maybe")[0].contains(name.as_str()));
            }
            "spin" => {
                let bound = |key| field(rest, key).and_then(|n| n.parse::<i64>().ok()).unwrap_or_default();
                let (low, high) = (bound("min"), bound("max"));
                assert!(low <= bound("default") && bound("default") <= high, "{name}");
                assert_eq!(set(&bound("default").to_string()), [""; 0], "{name}");
                assert_eq!(set(&low.to_string()), [""; 0], "{name}");
                assert!(set(&(low - 1).to_string())[0].contains(name.as_str()));
                for bad in ["", "abc", "1.5", "0x10", "--1"] {
                    assert!(set(bad)[0].starts_with(&format!("info string error option {name}:")), "{name} {bad}");
                }
                assert_eq!(set(&bound("default").to_string()), [""; 0], "{name}");
            }
            "combo" => {
                let values: Vec<&str> = rest.split(" var ").skip(1).collect();
                for value in &values {
                    assert_eq!(set(value), [""; 0], "{name} {value}");
                }
                assert_eq!(field(rest, "default"), values.first().copied(), "{name}");
                assert!(set("none of them")[0].contains(name.as_str()));
                assert_eq!(set(values[0]), [""; 0]);
            }
            "button" => {
                session.send(&format!("setoption name {name}"));
                assert_eq!(session.ready(), [""; 0], "{name}");
            }
            "string" => assert_eq!(set("<empty>"), [""; 0], "{name}"),
            _ => panic!("{name}: unknown type {kind}"),
        }
    }
    assert_eq!(options(&mut session), all, "the handshake does not depend on what was set");
    assert_ne!(session.go("go depth 2").bestmove(), "(none)");
}

#[test]
fn unknown_options_are_told_and_harmless() {
    let mut session = Session::start(&[]);
    for line in
        ["setoption name UCI_Chess960 value true", "setoption name Use NNUE value true", "setoption name Skill Level"]
    {
        session.send(line);
        let said = session.ready();
        assert!(said.len() == 1 && said[0].starts_with("info string unknown option "), "{line}: {said:?}");
    }
    session.send("setoption\nsetoption name\nsetoption name value 3\nsetoption value 3");
    let nameless = "info string error setoption: no option, expected name NAME [value VALUE]";
    assert_eq!(session.ready(), [nameless, nameless, nameless, "info string unknown option value"]);
    assert_ne!(session.go("go depth 2").bestmove(), "(none)");
}

#[test]
fn a_table_beyond_memory_is_refused_and_the_old_one_kept() {
    let mut session = Session::greeted("uci");
    session.send("setoption name Hash value 3");
    assert_eq!(session.ready(), [""; 0]);
    let said = session.ask("setoption name Hash value 1048576", "info string error");
    assert!(said[0].contains("Hash") && said[0].contains("3 MiB kept"), "{said:?}");
    assert_ne!(session.go("go depth 3").bestmove(), "(none)");
}

#[test]
fn threads_beyond_the_limit_are_told() {
    let mut session = Session::greeted("uci");
    for value in ["1000000", "-1"] {
        session.send(&format!("setoption name Threads value {value}"));
        assert!(session.ready()[0].contains("Threads"), "{value}");
    }
    session.send("setoption name Threads value 64");
    assert_ne!(session.go("go nodes 20000").bestmove(), "(none)");
}

#[test]
fn rank_base_and_variant_decide_how_ranks_are_counted() {
    let mut session = Session::greeted("uci");
    let zero = |s: &mut Session| s.legal().contains(&"a0a1".to_owned());
    let one = |s: &mut Session| s.legal().contains(&"a1a2".to_owned()) && !s.legal().contains(&"a0a1".to_owned());
    assert!(zero(&mut session), "a client that knows no variants");
    session.send("setoption name UCI_Variant value xiangqi");
    assert!(one(&mut session), "a client that knows variants");
    session.send("position startpos moves a1a3 a10a8");
    assert_eq!(session.ready(), [""; 0]);
    session.send("position startpos\nsetoption name Rank Base value 0");
    assert!(zero(&mut session));
    session.send("setoption name UCI_Variant value supply");
    assert!(zero(&mut session), "the option overrules the variant");
    session.send("setoption name Rank Base value 1");
    assert!(one(&mut session));
    session.send("setoption name Rank Base value auto");
    assert!(one(&mut session));
    let mut fresh = Session::greeted("uci");
    fresh.send("setoption name Rank Base value 1");
    assert!(one(&mut fresh));
    assert!(fresh.ask("go depth 1", "bestmove").iter().all(|line| !line.contains('0') || line.starts_with("info")));
}

#[test]
fn chances_are_shown_on_request() {
    let mut session = Session::playing("yangqi");
    assert!(session.go("go depth 2").infos().all(|line| !line.contains(" wdl ")));
    session.send("setoption name UCI_ShowWDL value true");
    let search = session.go("go depth 2");
    for line in search.infos() {
        let after = line.split_once(" wdl ").map(|(_, rest)| rest).unwrap_or_default();
        let sum: u32 = after.split(' ').take(3).filter_map(|n| n.parse::<u32>().ok()).sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play = |seed: u32| {
        let mut session = Session::playing("fangqi");
        session.send(&format!("setoption name Variety value 200\nsetoption name Seed value {seed}"));
        let mut moves = String::new();
        for _ in 0..6 {
            session.send(&format!("position startpos moves{moves}"));
            let search = session.go("go depth 2");
            moves += &format!(" {}", search.bestmove());
        }
        moves
    };
    assert_eq!(play(1), play(1));
    let games: std::collections::HashSet<String> = (0..8).map(play).collect();
    assert!(games.len() > 1, "variety makes no difference");
}

#[test]
fn limited_strength_still_plays_legal_moves() {
    for variant in ["xiangqi", "supply", "yangqi", "fangqi"] {
        let mut session = Session::playing(variant);
        session.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800");
        let legal = session.legal();
        let search = session.go("go movetime 50");
        assert!(legal.iter().any(|mv| mv == search.bestmove()), "{variant}: {:?}", search.0);
    }
}

#[test]
fn the_dialogue_is_logged() {
    let path = std::env::temp_dir().join(format!("sanqi-log-{}.txt", std::process::id()));
    let name = path.to_string_lossy().into_owned();
    let mut session = Session::greeted("uci");
    session.send(&format!("setoption name Debug Log File value {name}"));
    session.ready();
    session.go("go depth 1");
    session.send("setoption name Debug Log File value <empty>");
    session.ready();
    session.go("go depth 2");
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(log.contains("> go depth 1\n") && log.contains("\n< bestmove "), "{log}");
    assert!(!log.contains("go depth 2"), "{log}");
    let refused = session.ask("setoption name Debug Log File value /no/such/folder/log", "info string error");
    assert!(refused[0].contains("Debug Log File"), "{refused:?}");
}

#[test]
fn san_follows_the_notation_option() {
    let mut session = Session::playing("xiangqi");
    let san = |s: &mut Session, word: &str| s.ask(&format!("san {word}"), "info string san").pop().unwrap_or_default();
    assert_eq!(san(&mut session, "h3e3"), "info string san C2=5");
    session.send("setoption name Notation value iccs");
    assert_eq!(san(&mut session, "h3e3"), "info string san H2-E2");
    let mut session = Session::playing("yangqi");
    assert_eq!(san(&mut session, "e1d1"), "info string san Kd1; Ve1");
    assert_eq!(san(&mut session, "b2b3"), "info string san Pb3");
    session.send("setoption name Notation value cannon-c");
    assert_eq!(san(&mut session, "b2b3"), "info string san Cb3");
    assert!(session.ask("san e9e9", "info string error")[0].contains("e9e9"));
}
