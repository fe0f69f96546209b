//! The rules of xiangqi one by one: SX-1 and SX-9, which it shares with Supply Xiangqi, and XQ-1 to XQ-3; its move text and notation.
use sanqi::board::Color;
use sanqi::games::position::Repetition;
use sanqi::games::record::{Judgement, Past, judge_repetition};
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::{FenError, MoveError, Notation, Outcome, Position, RankBase, Reason, Record};

fn position(fen: &str) -> Xiangqi {
    Xiangqi::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Targets of the piece on `from`, in the order of their names.
fn targets(fen: &str, from: &str) -> String {
    let position = position(fen);
    let mut found: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|&mv| position.move_text(mv, RankBase::One))
        .filter_map(|text| text.strip_prefix(from).map(str::to_owned))
        .collect();
    found.sort();
    found.join(" ")
}

fn play(fen: &str, moves: &str) -> Record<Xiangqi> {
    let mut game = Record::new(position(fen));
    for word in moves.split_whitespace() {
        assert_eq!(game.result().outcome, Outcome::Ongoing, "before {word}");
        game.push_text(word, RankBase::One).unwrap_or_else(|e| panic!("{e}"));
    }
    game
}

/// SX-1: how each piece moves.
#[test]
fn sx_1_pieces() {
    let cases = [
        // General and Advisors stay in the palace.
        ("3k5/9/9/9/9/9/9/4KA3/9/9 w - - 0 1", "e3", "e2"),
        ("3k5/9/9/9/9/9/9/4KA3/9/9 w - - 0 1", "f3", "e2"),
        ("3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "e2", "d1 d3 f1 f3"),
        // Elephants stay on their half, the eye must be free.
        ("3k5/9/9/9/9/2B6/9/9/9/4K4 w - - 0 1", "c5", "a3 e3"),
        ("3k5/9/9/9/9/2B6/3p5/9/9/4K4 w - - 0 1", "c5", "a3"),
        ("3k5/9/4b4/9/9/9/9/9/9/4K4 b - - 0 1", "e8", "c10 c6 g10 g6"),
        // The leg of a Horse: the piece on d5 takes two of its eight targets.
        ("3k5/9/9/9/9/2N6/9/9/9/4K4 w - - 0 1", "c5", "a4 a6 b3 b7 d3 d7 e4 e6"),
        ("3k5/9/9/9/9/2Np5/9/9/9/4K4 w - - 0 1", "c5", "a4 a6 b3 b7 d3 d7"),
        ("3k5/9/9/9/9/N8/9/9/9/4K4 w - - 0 1", "a5", "b3 b7 c4 c6"),
        // A Chariot captures what it meets.
        ("3k5/9/9/9/9/p1R1P4/9/2p6/9/4K4 w - - 0 1", "c5", "a5 b5 c10 c3 c4 c6 c7 c8 c9 d5"),
        // A Cannon moves like it, but captures beyond exactly one screen.
        ("3k5/9/9/9/9/p1C1P1pp1/9/2p6/2p6/4K4 w - - 0 1", "c5", "b5 c10 c2 c4 c6 c7 c8 c9 d5 g5"),
        ("3k5/2r6/2n6/2n6/9/2C6/9/9/9/4K4 w - - 0 1", "c5", "a5 b5 c1 c2 c3 c4 c6 c8 d5 e5 f5 g5 h5 i5"),
        // Soldiers forward; past the river sideways too, never back.
        ("3k5/9/9/9/9/2P6/9/9/9/4K4 w - - 0 1", "c5", "c6"),
        ("3k5/9/9/9/2P6/9/9/9/9/4K4 w - - 0 1", "c6", "b6 c7 d6"),
        ("P2k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "a10", "b10"),
        ("3k5/9/9/9/9/8p/9/9/9/4K4 b - - 0 1", "i5", "h5 i4"),
        ("3k5/9/9/8p/9/9/9/9/9/4K4 b - - 0 1", "i7", "i6"),
    ];
    for (fen, from, expected) in cases {
        assert_eq!(targets(fen, from), expected, "{fen}");
    }
}

/// SX-1: what may not be done because it would leave the General attacked.
#[test]
fn sx_1_safety_of_the_general() {
    let cases = [
        // Facing Generals: neither the step nor uncovering the file.
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "d1", "d2"),
        ("4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1", "e6", ""),
        // Pinned by a Chariot: along the line only.
        ("3k5/4r4/9/9/4R4/9/9/9/9/4K4 w - - 0 1", "e6", "e2 e3 e4 e5 e7 e8 e9"),
        // Two pieces before a Cannon: neither may leave, nor take the other.
        ("3k5/4c4/9/9/4R4/4p4/9/9/9/4K4 w - - 0 1", "e6", "e7 e8 e9"),
        ("3k5/4c4/9/9/4R4/4P4/9/9/9/4K4 w - - 0 1", "e5", ""),
        // Nobody steps between the General and a Cannon that has no screen.
        ("5k3/4c4/9/9/9/9/9/9/3N5/4K4 w - - 0 1", "d2", "b1 b3 c4 f1 f3"),
        ("3k5/4c4/9/9/R8/9/9/9/9/4K4 w - - 0 1", "a6", "a1 a10 a2 a3 a4 a5 a7 a8 a9 b6 c6 d6 f6 g6 h6 i6"),
        // The leg that holds back a Horse.
        ("5k3/9/9/9/9/9/9/3n5/3N5/4K4 w - - 0 1", "d2", ""),
        ("5k3/9/9/9/9/9/9/5n3/5N3/4K4 w - - 0 1", "e1", "d1 e2 f1"),
        // The screen of a checking Cannon answers by leaving the line, others by a second screen.
        ("3k5/4c4/9/9/4R4/9/9/9/9/4K4 w - - 0 1", "e6", "a6 b6 c6 d6 e9 f6 g6 h6 i6"),
        ("3k5/4c4/9/9/4p4/9/R8/9/9/4K4 w - - 0 1", "a4", "e4"),
        // A checking Horse is answered at its leg.
        ("3k5/9/9/9/9/9/9/3n5/1R7/4K4 w - - 0 1", "b2", "d2"),
        // A Soldier beside or before the General.
        ("3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 0 1", "e1", "e2 f1"),
    ];
    for (fen, from, expected) in cases {
        assert_eq!(targets(fen, from), expected, "{fen}");
    }
    let blocked = position("3k5/9/9/9/9/9/9/4p4/9/3NK4 w - - 0 1");
    assert!(!blocked.in_check(), "a Soldier two points away attacks nothing");
}

/// XQ-1: who cannot move has lost, in check or not.
#[test]
fn xq_1_no_move_loses() {
    let mated = position("3k5/9/9/9/4r4/9/9/9/9/3rK4 w - - 0 1");
    assert_eq!((mated.result().outcome, mated.result().reason), (Outcome::Win(Color::Black), Reason::Checkmate));
    let stuck = position("3k5/9/9/9/9/9/9/3r5/5r3/4K4 w - - 0 1");
    assert!(!stuck.in_check());
    assert_eq!((stuck.result().outcome, stuck.result().reason), (Outcome::Win(Color::Black), Reason::Stalemate));
}

const CHARIOT_CHASE: &str = "4k4/9/9/9/9/R8/9/9/9/3K5 w - - 0 1";

/// XQ-2: perpetual check loses.
#[test]
fn xq_2_perpetual_check() {
    let game = play(CHARIOT_CHASE, "a5e5 e10f10 e5f5 f10e10 f5e5 e10f10 e5f5 f10e10");
    assert_eq!(game.result().outcome, Outcome::Ongoing);
    let game = play(CHARIOT_CHASE, "a5e5 e10f10 e5f5 f10e10 f5e5 e10f10 e5f5 f10e10 f5e5");
    let result = game.result();
    assert_eq!((result.outcome, result.reason), (Outcome::Win(Color::Black), Reason::PerpetualCheck));
    // The same with the other colour, and completed by the side that is checked.
    let mirrored = "3k5/9/9/9/r8/9/9/9/9/4K4 b - - 0 1";
    let game = play(mirrored, "a6e6 e1f1 e6f6 f1e1 f6e6 e1f1 e6f6 f1e1 f6e6");
    assert_eq!(game.result().outcome, Outcome::Win(Color::White));
    // A check before the first occurrence counts for nothing either way.
    let game = play(CHARIOT_CHASE, "a5a6 e10f10 a6f6 f10e10 f6e6 e10f10 e6f6 f10e10 f6e6 e10f10 e6f6");
    assert_eq!(game.result().outcome, Outcome::Win(Color::Black));
}

/// XQ-2: any other third occurrence draws.
#[test]
fn xq_2_other_repetitions_draw() {
    // Every second move of Red gives no check.
    let game = play(CHARIOT_CHASE, "a5e5 e10f10 e5a5 f10e10 a5e5 e10f10 e5a5 f10e10");
    assert_eq!((game.result().outcome, game.result().reason), (Outcome::Draw, Reason::Repetition));
    let game = play(CHARIOT_CHASE, "a5a6 e10e9 a6a5 e9e10 a5a6 e10e9 a6a5");
    assert_eq!(game.result().outcome, Outcome::Ongoing, "the start position has occurred twice");
}

/// XQ-2: both sides give check with every move; and the two verdicts from either side's view.
#[test]
fn xq_2_judgement() {
    let line = |checks: [bool; 4]| -> Vec<Past> {
        // A cycle of four plies, gone through twice; the first position is in check by a move that does not count.
        let mut line = vec![Past { key: 0, check: true }];
        for _ in 0..2 {
            line.extend([1, 2, 3, 0].into_iter().zip(checks).map(|(key, check)| Past { key, check }));
        }
        line
    };
    let judge = |checks| judge_repetition(Repetition::PerpetualCheckLoses, &line(checks), 3);
    // Plies 1 and 3 are moves of the side to move at the ends, 2 and 4 those of its opponent.
    assert_eq!(judge([true, false, true, false]), Some(Judgement::MoverLoses));
    assert_eq!(judge([false, true, false, true]), Some(Judgement::MoverWins));
    assert_eq!(judge([true, true, true, true]), Some(Judgement::Draw));
    assert_eq!(judge([true, false, false, false]), Some(Judgement::Draw));
    assert_eq!(judge([false, true, false, false]), Some(Judgement::Draw));
    let twice = &line([true, false, true, false])[..5];
    assert_eq!(judge_repetition(Repetition::PerpetualCheckLoses, twice, 3), None);
    assert_eq!(judge_repetition(Repetition::PerpetualCheckLoses, twice, 2), Some(Judgement::MoverLoses));
    assert_eq!(judge_repetition(Repetition::Ignored, &line([true; 4]), 3), None);
}

/// XQ-3: 120 half-moves without capture draw, unless the last one mates.
#[test]
fn xq_3_move_count() {
    let fen = "3k5/9/9/9/2p6/9/2P6/1r7/r8/4K4 b - - 119 80";
    let game = play(fen, "b3b4");
    assert_eq!((game.result().outcome, game.result().reason), (Outcome::Draw, Reason::MoveCount));
    assert_eq!(play(fen, "b3b1").result().outcome, Outcome::Win(Color::Black), "the last one mates");
    assert_eq!(play(fen, "c6c5").result().outcome, Outcome::Draw, "a Soldier's move counts on");
    let fen = "3k5/9/9/9/2p6/9/R1P6/1r7/r8/4K4 b - - 119 80";
    let game = play(fen, "a2a4");
    assert_eq!((game.result().outcome, game.position().halfmove()), (Outcome::Ongoing, 0), "a capture resets");
    assert_eq!(play(&fen.replace("119", "118"), "b3b4").result().outcome, Outcome::Ongoing);
}

/// SX-9: what a set-up position must satisfy, and that the message says what is wrong.
#[test]
fn sx_9_set_up() {
    let cases = [
        ("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", "Red has 0 Generals"),
        ("4k4/9/9/9/9/9/9/9/9/3KK4 w - - 0 1", "Red has 2 Generals"),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w - - 0 1", "Red General on c1"),
        ("9/9/9/4k4/9/9/9/9/9/3K5 w - - 0 1", "Black General on e7"),
        ("4k4/9/9/9/9/9/9/9/9/3KA4 w - - 0 1", "Red Advisor on e1"),
        ("4k4/9/4a4/9/9/9/9/9/9/3K5 w - - 0 1", "Black Advisor on e8"),
        ("4k4/9/9/9/9/9/B8/9/9/3K5 w - - 0 1", "Red Elephant on a4"),
        ("4k4/9/9/9/2B6/9/9/9/9/3K5 w - - 0 1", "Red Elephant on c6"),
        ("4k4/9/9/9/9/9/1P7/9/9/3K5 w - - 0 1", "Red Soldier on b4"),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w - - 0 1", "Red Soldier on a3"),
        ("4k4/9/p8/9/9/9/9/9/9/3K5 w - - 0 1", "Black Soldier on a8"),
        ("4k4/9/9/RRR6/9/9/9/9/9/3K5 w - - 0 1", "Red has 3 Chariots, at most 2"),
        ("4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w - - 0 1", "Red has 6 Soldiers, at most 5"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "face each other"),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w - - 0 1", "Black is not to move but in check from R on e6"),
        ("4k4/9/9/9/9/9/9/9/3r5/3K5 b - - 0 1", "Red is not to move but in check from r on d2"),
    ];
    for (fen, expected) in cases {
        match Xiangqi::from_fen(fen) {
            Err(FenError::Setup { rule: "SX-9", why }) => assert!(why.contains(expected), "{fen}: {why}"),
            other => panic!("{fen}: {other:?}"),
        }
    }
    position("P3k4/9/9/p1p1p1p1p/9/9/P1P1P1P2/9/9/3K5 w - - 0 1");
}

/// FENs in the forms that other programs write, and those that nobody may write.
#[test]
fn fens() {
    let start = Xiangqi::start().fen();
    for other in [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[-] w - -",
    ] {
        assert_eq!(position(other).fen(), start);
    }
    for (broken, word) in [
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNX w - - 0 1", "X"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[R] w - - 0 1", "no reserves"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/RNBAKABNR w - - 0 1", "9 ranks"),
    ] {
        let error = Xiangqi::from_fen(broken).expect_err(broken).to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn move_text() {
    let start = Xiangqi::start();
    let cannon = start.parse_move("h3e3", RankBase::One).expect("legal");
    assert_eq!(start.parse_move("h2e2", RankBase::Zero), Ok(cannon));
    assert_eq!(start.parse_move("H3E3", RankBase::One), Ok(cannon));
    assert_eq!(start.move_text(cannon, RankBase::Zero), "h2e2");
    let last = position("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1");
    let to_the_end = last.parse_move("a1a10", RankBase::One).expect("legal");
    assert_eq!(last.move_text(to_the_end, RankBase::One), "a1a10");
    assert_eq!(last.move_text(to_the_end, RankBase::Zero), "a0a9");
    assert_eq!(start.parse_move("h3h11", RankBase::One), Err(MoveError::Syntax("h3h11".to_owned())));
    for syntax in ["", "h3", "h3e3e", "j1j2", "h3e3r", "P@", "@e3", "PP@e5", "K@e2"] {
        assert!(matches!(start.parse_move(syntax, RankBase::One), Err(MoveError::Syntax(_))), "{syntax}");
    }
    for illegal in ["h3h10h", "h3i4", "h8e8", "P@e5", "a1a1"] {
        assert!(start.parse_move(illegal, RankBase::One).is_err(), "{illegal}");
    }
}

fn wxf(fen: &str, text: &str) -> String {
    let position = position(fen);
    let mv = position.parse_move(text, RankBase::One).unwrap_or_else(|e| panic!("{fen}: {e}"));
    position.san(mv, Notation::Native)
}

/// The notation of the World Xiangqi Federation, its rules for tandem pieces included.
#[test]
fn wxf_notation() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    for (side, text, expected) in [
        ("w", "h3e3", "C2=5"),
        ("w", "h1g3", "H2+3"),
        ("w", "c4c5", "P7+1"),
        ("w", "g1e3", "E3+5"),
        ("w", "d1e2", "A6+5"),
        ("w", "e1e2", "K5+1"),
        ("w", "i1i3", "R1+2"),
        ("w", "b3b10", "C8+7"),
        ("b", "h8e8", "C8=5"),
        ("b", "b10c8", "H2+3"),
        ("b", "a10a8", "R1+2"),
    ] {
        assert_eq!(wxf(&format!("{start} {side} - - 0 1"), text), expected);
    }
    let two = "3k5/9/9/6R2/9/6R2/9/9/9/4K4 w - - 0 1";
    assert_eq!(wxf(two, "g7f7"), "R+=4");
    assert_eq!(wxf(two, "g5g4"), "R--1");
    assert_eq!(wxf("4k4/9/9/6r2/9/6r2/9/9/9/3K5 b - - 0 1", "g5g4"), "R++1");
    // Advisors and Elephants need no mark.
    assert_eq!(wxf("3k5/9/9/9/9/9/9/5A3/9/4KA3 w - - 0 1", "f3e2"), "A4-5");
    let soldiers = |ranks: [&str; 5]| format!("3k5/{}/9/9/9/4K4 w - - 0 1", ranks.join("/"));
    let three = soldiers(["9", "6P2", "6P2", "6P2", "9"]);
    for (text, expected) in [("g8f8", "P+=4"), ("g7f7", "P3=4"), ("g6f6", "P-=4")] {
        assert_eq!(wxf(&three, text), expected);
    }
    let four = soldiers(["6P2", "6P2", "6P2", "6P2", "9"]);
    for (text, expected) in [("g9f9", "++=4"), ("g8f8", "P+=4"), ("g7f7", "P-=4"), ("g6f6", "--=4")] {
        assert_eq!(wxf(&four, text), expected);
    }
    let five = "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1";
    for (text, expected) in [("g10f10", "++=4"), ("g9f9", "P+=4"), ("g8f8", "P3=4"), ("g7f7", "P-=4"), ("g6f6", "--=4")]
    {
        assert_eq!(wxf(five, text), expected);
    }
    let two_files = soldiers(["9", "6P2", "2P3P2", "2P3P2", "9"]);
    for (text, expected) in [("g8f8", "3+=4"), ("g7f7", "33=4"), ("g6f6", "3-=4"), ("c7d7", "7+=6"), ("c6d6", "7-=6")] {
        assert_eq!(wxf(&two_files, text), expected);
    }
}

#[test]
fn iccs_notation() {
    let start = Xiangqi::start();
    let mv = start.parse_move("h3e3", RankBase::One).expect("legal");
    assert_eq!(start.san(mv, Notation::Iccs), "H2-E2");
}
