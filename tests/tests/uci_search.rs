//! Searches as UCI clients ask for them: stop, ponder, lines, root moves; commands sent without waiting.
use sanqi_tests::session::{Search, Session, field, pv};

#[test]
fn one_answer_for_every_go_sent_without_waiting() {
    let mut session = Session::playing("xiangqi");
    let mut text = String::new();
    for round in 0..40 {
        text += "position startpos moves h3e3\n";
        text +=
            ["go infinite\nstop\n", "go depth 2\n", "go ponder movetime 1\nponderhit\n", "go movetime 0\n"][round % 4];
    }
    session.send(text.trim_end());
    for _ in 0..40 {
        assert_ne!(session.answer().bestmove(), "(none)");
    }
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn stop_is_for_the_oldest_search_that_was_not_stopped() {
    let mut session = Session::playing("xiangqi");
    session.send("go infinite\nposition startpos moves a1a2\ngo infinite\nstop");
    session.answer();
    // The second one runs: nobody has stopped it.
    for _ in 0..20 {
        assert!(session.ready().iter().all(|line| !line.starts_with("bestmove")));
    }
    session.send("stop");
    session.answer();
    session.send("stop\nstop");
    assert_eq!(session.ready(), [""; 0], "stop without a search is passed over");
    assert_ne!(session.go("go depth 3").bestmove(), "(none)");
}

#[test]
fn positions_and_searches_keep_their_order() {
    let mut session = Session::playing("fangqi");
    session
        .send("go infinite\nposition startpos moves P@d4\ngo depth 1\nposition startpos moves P@a1 P@b1\nlegal\nstop");
    session.answer();
    session.answer();
    let legal = session.until("info string legal").pop().unwrap_or_default();
    assert!(!legal.contains("P@a1") && !legal.contains("P@b1") && legal.contains("P@d4"), "{legal}");
}

#[test]
fn a_ponder_hit_makes_an_ordinary_search() {
    let mut session = Session::playing("xiangqi");
    session.send("position startpos moves h3e3 h8e8\ngo ponder wtime 200 btime 200 winc 0 binc 0");
    for _ in 0..20 {
        assert!(session.ready().iter().all(|line| !line.starts_with("bestmove")));
    }
    session.send("ponderhit");
    let hit = session.answer();
    assert_ne!(hit.bestmove(), "(none)");
    session.send("ponderhit");
    assert_eq!(session.ready(), [""; 0], "a second hit is for nobody");
    for go in ["go ponder depth 4", "go ponder nodes 100", "go ponder movetime 10", "go ponder wtime 0", "go ponder"] {
        session.send(go);
        session.ready();
        session.send("ponderhit");
        session.answer();
    }
}

#[test]
fn a_ponder_miss_is_answered_too() {
    let mut session = Session::playing("supply");
    session.send("position startpos moves h3e3\ngo ponder wtime 1000 btime 1000\nstop\nposition startpos moves h3e3 b8e8\ngo depth 3");
    session.answer();
    let legal_now = session.answer();
    session.send("position startpos moves h3e3 b8e8");
    assert!(session.legal().iter().any(|mv| mv == legal_now.bestmove()));
}

/// The lines of the deepest depth that has all `count` of them.
fn deepest(search: &Search, count: usize) -> Vec<&str> {
    let of = |depth: &str| -> Vec<&str> { search.infos().filter(|l| field(l, "depth") == Some(depth)).collect() };
    let mut depths: Vec<&str> = search.infos().filter_map(|line| field(line, "depth")).collect();
    depths.dedup();
    depths.into_iter().rev().map(of).find(|lines| lines.len() >= count).unwrap_or_default()
}

#[test]
fn multipv_ranks_different_moves() {
    for variant in ["xiangqi", "supply", "yangqi", "fangqi"] {
        let mut session = Session::playing(variant);
        session.send("setoption name MultiPV value 4");
        let search = session.go("go depth 4");
        let lines = deepest(&search, 4);
        assert_eq!(lines.len(), 4, "{variant}: {:?}", search.0);
        let ranks: Vec<_> = lines.iter().filter_map(|line| field(line, "multipv")).collect();
        assert_eq!(ranks, ["1", "2", "3", "4"], "{variant}");
        let mut first: Vec<&str> = lines.iter().filter_map(|line| pv(line).first().copied()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 4, "{variant}: {lines:?}");
        let scores: Vec<i32> = lines.iter().filter_map(|l| field(l, "cp")?.parse().ok()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{variant}: {lines:?}");
    }
    // More lines than moves.
    let mut session = Session::playing("xiangqi");
    session.send("setoption name MultiPV value 500\nposition fen 4k4/9/9/9/9/9/9/9/9/3K5 w");
    let search = session.go("go depth 2");
    assert_eq!(
        search.infos().filter_map(|l| field(l, "multipv")?.parse::<usize>().ok()).max(),
        Some(session.legal().len())
    );
}

#[test]
fn searchmoves_are_kept_to() {
    for (variant, setup, moves) in [
        ("xiangqi", "startpos", vec!["a1a2", "i1i2"]),
        ("supply", "fen 4k4/9/9/9/9/9/9/9/9/3K5[RNCrnc] w", vec!["R@a1", "N@i5", "d1d2"]),
        ("yangqi", "startpos", vec!["e1d1", "e1f1"]),
        ("fangqi", "startpos", vec!["P@a1", "P@g7"]),
    ] {
        let mut session = Session::playing(variant);
        session.send(&format!("position {setup}"));
        for mv in &moves {
            assert_eq!(session.go(&format!("go searchmoves {mv} depth 3")).bestmove(), *mv, "{variant}");
        }
        let list = moves.join(" ");
        let search = session.go(&format!("go depth 3 searchmoves {list}"));
        assert!(moves.contains(&search.bestmove()), "{variant}: {:?}", search.0);
        for line in search.infos() {
            assert!(moves.contains(&pv(line)[0]), "{variant}: {line}");
        }
        let mixed = session.go(&format!("go searchmoves zz9 {list} depth 2"));
        assert!(moves.contains(&mixed.bestmove()), "{variant}: {:?}", mixed.0);
        assert!(mixed.remarks().any(|line| line.contains("zz9")), "{variant}: {:?}", mixed.0);
        let none = session.go("go searchmoves zz9 depth 1");
        assert!(none.remarks().any(|line| line.contains("zz9")), "{variant}: {:?}", none.0);
        assert_ne!(none.bestmove(), "(none)", "{variant}");
    }
}

#[test]
fn perft_divides_and_can_be_stopped() {
    let mut session = Session::playing("yangqi");
    let legal = session.legal();
    let lines = session.ask("go perft 2", "Nodes searched:");
    let (total, moves) = lines.split_last().unwrap();
    let sum: u64 = moves.iter().filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok()).sum();
    assert_eq!(*total, format!("Nodes searched: {sum}"));
    assert_eq!(moves.len(), legal.len());
    assert_eq!(session.ask("go perft 1", "Nodes searched:").len(), legal.len() + 1);
    assert_eq!(session.ask("go perft 0", "Nodes searched:"), ["Nodes searched: 1"]);
    // Not the count before is stopped, however soon it comes after its answer.
    for _ in 0..100 {
        assert_eq!(session.ask("go perft 0", "Nodes searched:"), ["Nodes searched: 1"]);
        session.send("go perft 99999999999");
        session.send("stop");
        session.until("Nodes searched:");
    }
    assert_eq!(session.ask("go perft x", "info string error").len(), 1);
}

#[test]
fn unknown_words_of_go_are_passed_over() {
    let mut session = Session::playing("xiangqi");
    let search = session.go("go foo depth bar 3 depth 2 baz movestogo 3 board 1");
    assert_ne!(search.bestmove(), "(none)");
}
