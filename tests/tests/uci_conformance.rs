//! What clients of UCI engines have complained about, one test a complaint, against the built engine.
use sanqi::games::{Game, RankBase, Variant};
use sanqi_tests::session::{Session, field, pv};

const VARIANTS: [Variant; 4] = [Variant::Xiangqi, Variant::Supply, Variant::Yangqi, Variant::Fangqi];
/// Xiangqi: the black king is mated.
const MATED: &str = "R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";
/// Yáng Qí: the black king is stalemated.
const STALEMATED: &str = "k8/7R1/9/9/9/9/9/9/9/1R5K1 b - - 0 1";

#[test]
fn a_limit_of_zero_or_less_answers_at_once_with_a_legal_move() {
    for variant in VARIANTS {
        let mut session = Session::playing(variant.name());
        let legal = session.legal();
        for limit in [
            "movetime 0",
            "movetime 0.9",
            "movetime -1",
            "movetime x",
            "movetime",
            "wtime 0 btime 0",
            "wtime -500 btime -500",
            "wtime x",
            "btime 1000",
            "depth 0",
            "depth -1",
            "nodes 0",
            "nodes 1",
            "mate 0",
            "depth 99999999999999999999 movetime 1",
            "wtime 1 btime 1 winc 0 binc 0 movestogo 0",
            "wtime 50 btime 0",
            "infinite movetime 0",
        ] {
            let search = session.go(&format!("go {limit}"));
            assert!(legal.iter().any(|mv| mv == search.bestmove()), "{variant} go {limit}: {:?}", search.0);
            assert!(search.infos().next().is_some(), "{variant} go {limit}: an answer without a score");
        }
    }
}

#[test]
fn end_of_input_finishes_finite_searches_and_stops_endless_ones() {
    let (lines, code) = {
        let mut session = Session::start(&[]);
        session.send("go depth 6\ngo infinite\ngo ponder wtime 100000 btime 100000\ngo\ngo movetime 30");
        session.close()
    };
    assert_eq!(code, Some(0));
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 5, "{lines:#?}");
    let first: Vec<&String> = lines.iter().take_while(|line| !line.starts_with("bestmove")).collect();
    assert!(first.iter().any(|line| field(line, "depth") == Some("6")), "the first search was cut short: {first:#?}");
}

#[test]
fn end_of_input_needs_no_line_end() {
    let mut session = Session::start(&[]);
    session.send_bytes(b"go depth 2");
    let (lines, code) = session.close();
    assert_eq!(code, Some(0));
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:#?}");
}

#[test]
fn a_bad_position_is_refused_whole_until_a_good_one_comes() {
    let mut session = Session::playing("xiangqi");
    for (bad, token) in [
        ("position fen 9/9/9/9/9/9/9/9/9/9 w - - 0 1", ""),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBXKABNR w - - 0 1", "X"),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w - - 0 1", ""),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR q", "q"),
        ("position startpos moves h3e3 h3e3", "h3e3"),
        ("position startpos moves h3e3 zz", "zz"),
        ("position startpos h3e3", "h3e3"),
        ("position fen", ""),
        ("position", ""),
    ] {
        session.send(bad);
        let said = session.ready();
        assert_eq!(said.len(), 1, "{bad}: {said:?}");
        assert!(said[0].starts_with("info string error ") && said[0].contains(token), "{bad}: {said:?}");
        let search = session.go("go depth 3");
        assert_eq!(search.0, ["info depth 0 score cp 0", "bestmove (none)"], "{bad}");
        for command in ["legal", "d", "eval", "result", "san h3e3"] {
            let answer = session.ask(command, "info string error");
            assert_eq!(answer.len(), 1, "{bad}, {command}: {answer:?}");
        }
    }
    session.send("position startpos moves h3e3");
    assert_eq!(session.ready(), [""; 0]);
    assert_ne!(session.go("go depth 1").bestmove(), "(none)");
}

#[test]
fn isready_is_answered_during_every_kind_of_search() {
    let mut session = Session::playing("yangqi");
    for go in ["go infinite", "go ponder movetime 1", "go depth 100", "go perft 30"] {
        session.send(go);
        for _ in 0..3 {
            assert!(session.ready().iter().all(|line| !line.starts_with("bestmove")), "{go}");
        }
        session.send("stop");
        session.until(if go.contains("perft") { "Nodes searched:" } else { "bestmove" });
    }
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn an_endless_search_holds_its_answer_back_even_when_nothing_is_left_to_search() {
    let mut session = Session::playing("xiangqi");
    for (setup, go) in [
        ("startpos", "go infinite depth 1"),
        ("startpos", "go ponder depth 1"),
        ("startpos", "go ponder wtime 0 btime 0"),
        ("startpos", "go ponder"),
        ("fen 4k4/9/9/9/9/9/9/9/9/4K3r w", "go infinite"),
        (&format!("fen {MATED}"), "go infinite"),
        (&format!("fen {MATED}"), "go ponder movetime 5"),
        ("fen none", "go infinite"),
    ] {
        session.send(&format!("position {setup}\n{go}"));
        for _ in 0..50 {
            let said = session.ready();
            assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{setup}, {go}: {said:?}");
        }
        session.send("stop");
        session.answer();
        assert_eq!(session.ready(), [""; 0], "{setup}, {go}: more than one answer");
    }
}

#[test]
fn all_limits_apply_together() {
    let mut session = Session::playing("xiangqi");
    let depth = |search: &sanqi_tests::session::Search| {
        search.infos().filter_map(|line| field(line, "depth")?.parse::<u32>().ok()).max().unwrap_or_default()
    };
    let by_depth = session.go("go wtime 9999999 btime 9999999 nodes 999999999 movetime 9999999 depth 3");
    assert_eq!(depth(&by_depth), 3);
    let by_nodes = session.go("go depth 100 movetime 9999999 nodes 2000");
    assert!(
        by_nodes.infos().filter_map(|l| field(l, "nodes")?.parse::<u64>().ok()).all(|n| n < 20_000),
        "{:?}",
        by_nodes.0
    );
    session.go("go depth 100 nodes 99999999999 movetime 20");
    session.go("go movetime 99999999 wtime 20 btime 20");
    session.send("position fen 3k5/9/R8/8R/9/9/9/9/9/4K4 w");
    let mate = session.go("go mate 2 wtime 9999999 btime 9999999");
    assert!(mate.infos().next_back().is_some_and(|line| line.contains(" score mate ")), "{:?}", mate.0);
}

#[test]
fn options_set_during_a_search_wait_for_its_end() {
    let mut session = Session::playing("xiangqi");
    session.send(
        "go infinite\nsetoption name Hash value 2\nsetoption name Threads value 2\nsetoption name MultiPV value 2",
    );
    session.send("setoption name UCI_Variant value fangqi\nposition startpos moves P@d4\nucinewgame\ngo depth 2\nstop");
    assert!(!session.answer().bestmove().contains('@'));
    let second = session.answer();
    assert!(second.bestmove().starts_with("P@"), "{:?}", second.0);
    assert!(second.infos().any(|line| field(line, "multipv") == Some("2")), "{:?}", second.0);
    let (_, code) = session.quit();
    assert_eq!(code, Some(0));
}

#[test]
fn the_handshake_holds_nothing_else() {
    for hello in ["uci", "ucicyclone"] {
        let mut session = Session::start(&[]);
        let lines = session.ask(hello, "uciok");
        assert!(lines.len() <= 40, "{}", lines.len());
        let (last, rest) = lines.split_last().unwrap();
        assert_eq!(last, "uciok");
        for line in rest {
            assert!(line.starts_with("id ") || line.starts_with("option name "), "{line}");
            assert!(line.len() < 1000 && !line.ends_with(' ') && !line.contains("  "), "{line}");
        }
        assert_eq!(session.ask(hello, "uciok"), lines, "a second greeting is answered like the first");
    }
}

#[test]
fn every_line_is_legal_and_begins_with_the_move_played() {
    for variant in VARIANTS {
        for options in ["", "setoption name MultiPV value 3", "setoption name Threads value 2"] {
            let mut session = Session::playing(variant.name());
            session.send(options);
            let mut game = Game::new(variant);
            for ply in 0..8 {
                let moves: Vec<String> = replay(&game);
                session.send(&format!("position startpos moves {}", moves.join(" ")));
                let search = session.go(&format!("go depth {}", 3 + ply % 3));
                for line in search.infos() {
                    let mut copy = game.clone();
                    assert!(!pv(line).is_empty(), "{variant}: {line}");
                    for word in pv(line) {
                        copy.push_text(word, RankBase::One).unwrap_or_else(|e| panic!("{variant}: {e} in {line}"));
                    }
                    assert!(!(pv(line).len() == 1 && line.contains(" score cp 0 ")), "{variant}: {line}");
                }
                let last = search.infos().rfind(|line| field(line, "multipv") == Some("1")).unwrap_or_default();
                assert_eq!(pv(last).first().copied(), Some(search.bestmove()), "{variant}: {:?}", search.0);
                game.push_text(search.bestmove(), RankBase::One).unwrap();
                if let Some(ponder) = field(search.bestmove_line(), "ponder") {
                    game.parse_move(ponder, RankBase::One).unwrap();
                }
            }
        }
    }
}

/// The moves of a game as text.
fn replay(game: &Game) -> Vec<String> {
    let mut copy = Game::new(game.variant());
    let mut words = Vec::new();
    for &mv in game.moves() {
        words.push(copy.move_text(mv, RankBase::One));
        copy.push(mv);
    }
    words
}

#[test]
fn finished_games_are_told_and_have_no_move() {
    for (variant, fen, score) in [
        ("xiangqi", MATED, "mate 0"),
        ("yangqi", STALEMATED, "cp 0"),
        // FQ-7: more stones win, equal stones draw, whoever is to move.
        ("fangqi", "PP5/7/7/7/7/7/p6[] w - - 0 40", "mate 1"),
        ("fangqi", "PP5/7/7/7/7/7/p6[] b - - 0 40", "mate 0"),
        ("fangqi", "P6/7/7/7/7/7/p6[] w - - 0 40", "cp 0"),
    ] {
        let mut session = Session::playing(variant);
        session.send(&format!("position fen {fen}"));
        for go in ["go depth 5", "go movetime 10", "go wtime 100 btime 100", "go movetime 0"] {
            assert_eq!(
                session.go(go).0,
                [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()],
                "{fen}"
            );
        }
    }
}

#[test]
fn draws_by_count_or_repetition_are_told_and_played_on() {
    let mut session = Session::playing("xiangqi");
    session.send("position fen 4k4/9/9/9/9/9/9/9/4A4/3K5 w - - 120 200");
    assert_eq!(session.ask("result", "info string result"), ["info string result 1/2-1/2 move count"]);
    assert!(!session.legal().is_empty());
    assert_ne!(session.go("go depth 2").bestmove(), "(none)");
    let shuffle = "a1a2 a10a9 a2a1 a9a10 ".repeat(2);
    session.send(&format!("position startpos moves {shuffle}"));
    assert_eq!(session.ask("result", "info string result"), ["info string result 1/2-1/2 repetition"]);
    assert_ne!(session.go("go depth 2").bestmove(), "(none)");
}

#[test]
fn choosing_a_variant_sets_up_its_start() {
    let mut session = Session::greeted("uci");
    for variant in VARIANTS {
        session.send(&format!("setoption name UCI_Variant value {variant}"));
        assert_eq!(session.fen(), Game::new(variant).fen());
        let first = session.legal()[0].clone();
        session.send(&format!("position startpos moves {first}"));
        assert_ne!(session.fen(), Game::new(variant).fen());
        session.send(&format!("setoption name uci_variant value {}", variant.name().to_uppercase()));
        assert_eq!(session.fen(), Game::new(variant).fen(), "the same variant again");
    }
    session.send("position fen x\nsetoption name UCI_Variant value yangqinoswap");
    assert_eq!(session.fen(), Game::new(Variant::YangqiNoSwap).fen());
    let before = session.fen();
    assert!(session.ask("setoption name UCI_Variant value chess", "info string error")[0].contains("UCI_Variant"));
    assert_eq!(session.fen(), before);
}

#[test]
fn quit_ends_every_state() {
    for before in ["", "uci", "go infinite", "go ponder depth 1", "go depth 90\ngo infinite", "go perft 30"] {
        let mut session = Session::start(&[]);
        session.send(before);
        let (lines, code) = session.quit();
        assert_eq!(code, Some(0), "{before}");
        let searches = before.matches("go ").count() - before.matches("perft").count();
        assert_eq!(lines.iter().filter(|l| l.starts_with("bestmove")).count(), searches, "{before}: {lines:?}");
    }
}
