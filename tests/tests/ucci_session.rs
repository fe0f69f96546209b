//! UCCI 3.0 and UCI-Cyclone as their clients speak them, against the built engine.
use sanqi_tests::session::{Search, Session, field};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
/// The black king is mated.
const MATED: &str = "R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";

fn ucci() -> Session {
    Session::greeted("ucci")
}

/// The lines up to and with the next answer, a move or none.
fn answer(session: &mut Session) -> Search {
    let mut lines = Vec::new();
    loop {
        let line = session.line();
        let found = line == "nobestmove" || line.starts_with("bestmove ");
        lines.push(line);
        if found {
            return Search(lines);
        }
    }
}

fn go(session: &mut Session, words: &str) -> Search {
    session.send(words);
    answer(session)
}

#[test]
fn the_handshake_is_short_and_one_word_a_name() {
    let mut session = Session::start(&[]);
    let lines = session.ask("ucci", "ucciok");
    assert!(lines.len() <= 40);
    assert!(lines.contains(&"option usemillisec type check default true".to_owned()));
    for line in &lines[..lines.len() - 1] {
        assert!(line.starts_with("id ") || line.starts_with("option "), "{line}");
        assert!(line.len() < 1000, "{line}");
        // Some clients search the raw text for these.
        assert!(!["draw", "resign", "bestmove"].iter().any(|word| line.contains(word)), "{line}");
        if let Some(rest) = line.strip_prefix("option ") {
            let mut words = rest.split(' ');
            let name = words.next().unwrap_or_default();
            assert!(name.bytes().all(|b| b.is_ascii_lowercase()), "{line}");
            assert_eq!(words.next(), Some("type"), "{line}");
        }
        if line.contains(" type combo ") {
            assert_eq!(field(line, "var"), field(line, "default"), "the default has to be the first: {line}");
        }
    }
    assert_eq!(session.ask("ucci", "ucciok"), lines, "asked again, answered again");
}

#[test]
fn bounds_of_options_fit_into_32_bits() {
    // uci2wb passes a larger one on to XBoard as -1.
    for (hello, last) in [("ucci", "ucciok"), ("uci", "uciok")] {
        let lines = Session::start(&[]).ask(hello, last);
        for line in lines.iter().filter(|line| line.contains(" type spin ")) {
            for bound in ["min", "default", "max"] {
                assert!(field(line, bound).is_some_and(|value| value.parse::<i32>().is_ok()), "{line}");
            }
        }
    }
}

#[test]
fn what_is_not_understood_is_passed_over_in_silence() {
    let mut session = ucci();
    session.send("xyzzy\nsetoption nosuchoption 3\nsetoption hashsize abc\nsetoption repetition asianrule\nsetoption batch\n  \nd3");
    session.send("setoption promotion true\nsetoption style risky\nsetoption bookfiles a.dat;b.dat\nsetoption threads 0\nsetoption hashsize 0");
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn positions_in_every_form_that_is_sent() {
    for tail in [
        " w - - 0 1",
        " w",
        " r",
        " r - - 0 1",
        " w -- 0 1",
        " w 0 1",
        " w - - 0 1 moves",
        " w moves",
        " w - - 0 1 moves h2e2",
    ] {
        let mut session = ucci();
        session.send(&format!("position fen {START}{tail}"));
        assert_eq!(session.ready(), [""; 0], "{tail}");
        let best = go(&mut session, "go depth 2");
        assert!(best.bestmove().len() == 4, "{tail}: {:?}", best.0);
    }
    let mut session = ucci();
    session.send("position startpos moves h2e2 h9g7 h0g2\r");
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn a_bad_position_is_refused_until_a_good_one_comes() {
    let mut session = ucci();
    for bad in [
        "position startpos moves h3e3".to_owned(),
        "position startpos moves h2e2 h2e2".to_owned(),
        format!("position fen {START} q"),
        "position fen 9/9/9/9/9/9/9/9/9/9 w".to_owned(),
        "position".to_owned(),
    ] {
        session.send(&bad);
        let said = session.ready();
        assert!(said.len() == 1 && said[0].starts_with("info message "), "{bad}: {said:?}");
        assert_eq!(go(&mut session, "go depth 2").bestmove_line(), "nobestmove", "{bad}");
    }
    session.send("position startpos");
    assert!(go(&mut session, "go depth 2").bestmove_line().starts_with("bestmove "));
}

#[test]
fn go_in_every_form_and_order() {
    let mut session = ucci();
    session.send("position startpos");
    for words in [
        "go depth 3",
        "go nodes 2000",
        "go time 300 increment 0",
        "go time 300",
        "go time 300 opptime 300 movestogo 40",
        "go time 300 movestogo 40 opptime 300 oppmovestogo 40",
        "go time 300 opptime 300 oppincrement 3 increment 3",
        "go time 300 increment 0 opptime 300 oppincrement 0 depth 2",
        "go time 300000 opptime 300000 movetime 30",
        "go draw time 300 increment 0 opptime 300 oppincrement 0",
        "go depth 3 movetime 900",
        "go opptime 0 oppincrement 0 time 200 increment 0",
        "go time 0 increment 0",
        "go time -3",
        "go time",
        "go nodes 0",
        "go movetime 0",
        "go depth 2  ",
        "go junk depth 2 junk",
    ] {
        let search = go(&mut session, words);
        assert!(search.bestmove_line().starts_with("bestmove "), "{words}: {:?}", search.0);
    }
    for words in ["go", "go infinite", "go draw", "go infinite searchmoves h2e2", "go ponder time 100 increment 0"] {
        session.send(words);
        for _ in 0..5 {
            assert!(session.ready().iter().all(|line| !line.contains("bestmove")), "{words}");
        }
        session.send("stop");
        assert!(answer(&mut session).bestmove_line().starts_with("bestmove "), "{words}");
    }
}

#[test]
fn info_lines_are_plain() {
    let mut session = ucci();
    let search = go(&mut session, "go depth 6");
    assert!(search.infos().count() >= 6, "{:?}", search.0);
    for line in search.infos() {
        assert_eq!(line.split(' ').nth(1), Some("depth"), "{line}");
        assert!(field(line, "score").is_some_and(|n| n.parse::<i32>().is_ok()), "a bare integer: {line}");
        assert!(!line.contains(" cp ") && !line.contains("mate") && !line.contains("bound"), "{line}");
        let pv = line.split_once(" pv ").map(|(_, pv)| pv).unwrap_or_default();
        assert!(!pv.is_empty() && pv.split(' ').all(|word| word.len() == 4), "pv is last: {line}");
    }
    session.send("position fen 3k5/9/9/R8/8R/9/9/9/9/5K3 w");
    let mate = go(&mut session, "go depth 6");
    let score = mate.infos().next_back().and_then(|line| field(line, "score")?.parse::<i32>().ok());
    assert_eq!(score, Some(29_997), "two moves are three plies: {:?}", mate.0);
}

#[test]
fn depth_zero_is_a_score_and_no_move() {
    let mut session = ucci();
    let search = go(&mut session, "go depth 0");
    assert_eq!(search.0.len(), 2, "{:?}", search.0);
    assert!(search.0[0].starts_with("info depth 0 score "));
    assert_eq!(search.0[1], "nobestmove");
}

#[test]
fn no_legal_move_is_nobestmove() {
    let mut session = ucci();
    session.send(&format!("position fen {MATED}"));
    assert_eq!(go(&mut session, "go depth 3").0, ["info depth 0 score -30000", "nobestmove"]);
    assert_eq!(go(&mut session, "go time 1000 increment 0").bestmove_line(), "nobestmove");
}

#[test]
fn banned_moves_are_not_answered() {
    let mut session = ucci();
    session.send("position fen 5k3/9/9/9/9/9/9/9/9/3K5 w\nbanmoves d0d1");
    assert_eq!(go(&mut session, "go depth 4").bestmove(), "d0e0");
    session.send("banmoves d0e0 zz9 d0d1");
    // Every move is banned: naming none would be taken for giving up.
    assert!(["d0e0", "d0d1"].contains(&go(&mut session, "go depth 4").bestmove()));
    session.send("position fen 5k3/9/9/9/9/9/9/9/9/3K5 w\nbanmoves d0e0");
    assert_eq!(go(&mut session, "go depth 4").bestmove(), "d0d1", "a new position lifts the ban");
    assert_eq!(go(&mut session, "go nodes 0").bestmove(), "d0d1");
}

#[test]
fn facing_kings_are_illegal() {
    let mut session = ucci();
    session.send("position fen 4k4/9/9/9/9/9/9/9/9/3K5 w moves d0e0");
    assert!(session.ready()[0].starts_with("info message error"));
}

#[test]
fn ponderhit_and_ponder_miss() {
    let mut session = ucci();
    session.send("position startpos moves h2e2 h9g7\ngo ponder time 200 increment 0 opptime 200 oppincrement 0");
    session.ready();
    session.send("ponderhit");
    assert!(answer(&mut session).bestmove_line().starts_with("bestmove "));
    session.send("go ponder time 100000 increment 0\nstop");
    assert!(answer(&mut session).bestmove_line().starts_with("bestmove "), "a miss is answered with a move");
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn an_offer_is_taken_when_we_are_not_better() {
    let mut session = ucci();
    // Black is a chariot ahead, Red to move; then the other way round.
    let worse = "position fen r3k4/9/9/9/9/9/9/9/9/3K5 w";
    let better = "position fen 4k4/9/9/9/9/9/9/9/9/R2K5 w";
    for (setup, taken) in [(worse, true), (better, false)] {
        session.send(setup);
        for offer in ["go draw depth 3", "go depth 3 draw"] {
            let search = go(&mut session, offer);
            assert_eq!(search.bestmove_line().ends_with(" draw"), taken, "{setup}: {:?}", search.0);
        }
        session.send("go ponder depth 3\nponderhit draw");
        assert_eq!(answer(&mut session).bestmove_line().ends_with(" draw"), taken, "{setup}");
        assert!(!go(&mut session, "go depth 3").bestmove_line().contains("draw"), "nobody asked");
    }
}

#[test]
fn lost_games_are_given_up_only_on_request() {
    let lost = "position fen rr2k4/9/9/9/9/9/9/9/9/3K5 w";
    let mut session = ucci();
    session.send(lost);
    for _ in 0..5 {
        assert!(!go(&mut session, "go depth 3").bestmove_line().contains("resign"));
    }
    session.send("setoption newgame\nsetoption concede true");
    session.send(lost);
    let answers: Vec<bool> =
        (0..4).map(|_| go(&mut session, "go depth 3").bestmove_line().ends_with(" resign")).collect();
    assert_eq!(answers, [false, false, true, true]);
}

#[test]
fn offers_are_made_only_on_request() {
    let mut session = ucci();
    let quiet = format!(
        "position fen 3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1 moves{}",
        " f0f1 d9d8 f1f0 d8d9 f0f1 d9d8 f1f0 d8d9".repeat(8)
    );
    session.send(&quiet);
    assert!(!go(&mut session, "go depth 2").bestmove_line().contains("draw"));
    session.send("setoption offers on");
    let search = go(&mut session, "go depth 2");
    assert!(search.bestmove_line().ends_with(" draw"), "{:?}", search.0);
}

#[test]
fn a_stop_without_a_search() {
    let mut session = ucci();
    assert_eq!(session.ask("stop", "nobestmove"), ["nobestmove"]);
    // One that comes right after an answer was meant for that search, and a stale line would lose the next game.
    go(&mut session, "go depth 1");
    session.send("stop\nstop");
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn probe_tells_what_the_table_knows() {
    let mut session = ucci();
    assert_eq!(session.ask("probe startpos", "pophash"), ["pophash"]);
    session.send("position startpos");
    let best = go(&mut session, "go depth 5").bestmove().to_owned();
    let known = session.ask("probe startpos", "pophash").pop().unwrap_or_default();
    assert_eq!(field(&known, "bestmove"), Some(best.as_str()), "{known}");
    assert!(known.contains("bound ") && known.contains(" depth "), "{known}");
    assert_eq!(session.ask("probe startpos moves zz", "pophash"), ["pophash"]);
    session.send("go infinite");
    session.until("info depth 5");
    assert!(session.ask("probe startpos", "pophash").pop().is_some_and(|line| line.contains(" bestmove ")));
    session.send("stop");
    answer(&mut session);
    session.send("setoption newgame");
    assert_eq!(session.ask("probe startpos", "pophash"), ["pophash"], "a new game forgets");
}

/// Also in the first moment of a search, and when the search has no position.
#[test]
fn probe_does_not_wait_for_the_end_of_a_search() {
    let mut session = ucci();
    for (position, answer) in [("position startpos", "bestmove"), ("position startpos moves zz", "nobestmove")] {
        session.send(&format!("{position}\ngo infinite\nprobe startpos"));
        let said = session.until("pophash");
        assert!(!said.iter().any(|line| line.starts_with(answer)), "{position}: {said:?}");
        session.send("stop");
        session.until(answer);
    }
}

#[test]
fn quit_says_bye() {
    for before in ["", "go infinite", "go ponder time 1000 increment 0", "position startpos\ngo depth 60"] {
        let mut session = ucci();
        session.send(before);
        let (lines, code) = session.quit();
        assert_eq!(code, Some(0), "{before}");
        assert_eq!(lines.last().map(String::as_str), Some("bye"), "{before}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), before.matches("go ").count());
    }
}

#[test]
fn batch_reads_no_further_while_it_thinks() {
    let mut session = ucci();
    session.send(
        "setoption batch true\nposition startpos\ngo depth 6\nstop\nisready\nposition startpos moves h2e2\ngo depth 5",
    );
    let (lines, code) = session.quit();
    assert_eq!(code, Some(0));
    let words = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap_or(usize::MAX);
    assert!(lines.iter().any(|line| field(line, "depth") == Some("6")), "the stop did not cut it short: {lines:?}");
    assert!(words("bestmove") < words("readyok"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bye"));
}

#[test]
fn seconds_and_milliseconds() {
    // In milliseconds a budget of 60 is over at once; only the answers are looked at, not the time they take.
    let mut session = ucci();
    assert!(go(&mut session, "go time 60").bestmove_line().starts_with("bestmove "));
    for (word, expect) in [("false", 3000), ("off", 3000), ("0", 3000), ("true", 3), ("on", 3), ("1", 3)] {
        session.send(&format!("setoption usemillisec {word}\ngo ponder time 3 increment 0\nstop"));
        assert!(answer(&mut session).bestmove_line().starts_with("bestmove "), "{word} {expect}");
    }
}

#[test]
fn both_forms_of_setoption() {
    let mut session = ucci();
    session.send("setoption name multipv value 2\nsetoption name usemillisec value true\nsetoption MultiPV 3");
    let search = go(&mut session, "go depth 3");
    assert!(search.infos().any(|line| field(line, "multipv") == Some("3")), "{:?}", search.0);
}

#[test]
fn other_games_by_the_option_variant() {
    for (variant, start) in [("supply", "h2e2"), ("yangqi", "e0d0"), ("fangqi", "P@d3"), ("xiangqi", "h2e2")] {
        let mut session = ucci();
        session.send(&format!("setoption variant {variant}\nposition startpos moves {start}"));
        assert_eq!(session.ready(), [""; 0], "{variant}");
        assert!(go(&mut session, "go depth 2").bestmove_line().starts_with("bestmove "), "{variant}");
    }
}

#[test]
fn the_first_word_decides_and_a_later_one_switches() {
    let mut session = Session::start(&[]);
    session.send("isready");
    session.until("readyok");
    session.ask("ucci", "ucciok");
    assert_eq!(session.ask("stop", "nobestmove"), ["nobestmove"]);
    session.ask("uci", "uciok");
    session.send("stop");
    assert_eq!(session.ready(), [""; 0]);
    assert!(session.go("go depth 2").infos().all(|line| line.contains(" score cp ")));
    session.ask("ucci", "ucciok");
    let search = go(&mut session, "go depth 2");
    assert!(search.infos().all(|line| !line.contains(" cp ")));
    assert_eq!(session.quit().0.last().map(String::as_str), Some("bye"));
}

#[test]
fn a_fixed_protocol_stays() {
    let mut session = Session::start(&["--protocol", "ucci"]);
    session.send("uci\nfen x\nucicyclone");
    assert_eq!(session.ready(), [""; 0]);
    session.ask("ucci", "ucciok");
    let mut session = Session::start(&["--protocol", "uci"]);
    session.send("ucci");
    assert_eq!(session.ready(), ["info string unknown command ucci"]);
    session.send("startpos");
    assert_eq!(session.ready(), ["info string unknown command startpos"]);
    session.ask("uci", "uciok");
    let mut session = Session::start(&["--protocol", "cyclone"]);
    session.ask("uci", "uciok");
    session.send(&format!("fen {START} r moves h2e2"));
    assert_eq!(session.ready(), [""; 0]);
}

#[test]
fn cyclone_is_xiangqi_with_bare_positions() {
    for hello in ["uci", "ucicyclone"] {
        let mut session = Session::start(&[]);
        session.ask(hello, "uciok");
        session.send("ucinewgame\nsetoption name UCI_Variant value xiangqi");
        session.send(&format!("fen {START} r moves h2e2 h9g7"));
        assert_eq!(session.ready(), [""; 0]);
        let search = session.go("go wtime 300 btime 300 winc 0 binc 0");
        assert!(search.infos().all(|line| line.contains(" score cp ") || line.contains(" score mate ")));
        let move_text = search.bestmove().as_bytes();
        assert!(move_text.len() == 4 && move_text[3].is_ascii_digit(), "{:?}", search.0);
        session.send("startpos moves a0a1");
        assert_eq!(session.ready(), [""; 0]);
        session.send("startpos moves a0z1");
        assert!(session.ready()[0].starts_with("info string error"));
        assert_eq!(session.go("go depth 1").bestmove_line(), "bestmove (none)");
    }
    // Whatever was played before.
    let mut session = Session::playing("fangqi");
    session.send("startpos moves h2e2");
    assert_eq!(session.ready(), [""; 0]);
    assert_eq!(session.go("go depth 1").bestmove().len(), 4);
}

#[test]
fn stop_position_go_back_to_back() {
    let mut session = ucci();
    for _ in 0..30 {
        session.send("position startpos\ngo infinite\nstop\nposition startpos moves h2e2\ngo depth 2");
        assert!(answer(&mut session).bestmove_line().starts_with("bestmove "));
        assert!(answer(&mut session).bestmove_line().starts_with("bestmove "));
    }
    assert_eq!(session.ready(), [""; 0]);
}
