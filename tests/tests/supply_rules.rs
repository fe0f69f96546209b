//! The rules of one board of Supply Xiangqi one by one: WHW-SXQ-003 to 007, SX-3, 4, 5, 7 and 9.
use sanqi::board::Color;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::{PieceType, piece};
use sanqi::games::{FenError, MoveError, Notation, Outcome, Position, RankBase, Reason, Record};

fn position(fen: &str) -> Supply {
    Supply::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn drops(position: &Supply) -> Vec<String> {
    let texts = position.legal_moves().iter().map(|&mv| position.move_text(mv, RankBase::One)).collect::<Vec<_>>();
    let mut drops: Vec<String> = texts.into_iter().filter(|text| text.contains('@')).collect();
    drops.sort();
    drops
}

fn play(fen: &str, moves: &str) -> Record<Supply> {
    let mut game = Record::new(position(fen));
    for word in moves.split_whitespace() {
        game.push_text(word, RankBase::One).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(game.position().verify(), Ok(()));
    }
    game
}

/// WHW-SXQ-003: a drop is a turn, puts down a piece of the own reserve on an empty point of the own half, and takes it from the reserve.
#[test]
fn whw_sxq_003_a_drop_is_a_turn() {
    let game = play("4k4/9/9/9/9/9/9/9/9/3K5[RRn] w - - 7 20", "R@a5");
    assert_eq!(game.position().fen(), "4k4/9/9/9/9/R8/9/9/9/3K5[Rn] b - - 0 20");
    assert!(game.position().parse_move("R@a6", RankBase::One).is_err(), "Red's reserve is not Black's");
    let start = position("4k4/9/9/9/9/9/9/9/9/3K5[R] w - - 0 1");
    for word in ["R@a6", "R@d1", "N@a5", "P@a4"] {
        assert_eq!(start.parse_move(word, RankBase::One), Err(MoveError::Illegal(word.to_owned())), "{word}");
    }
}

/// WHW-SXQ-004: where each piece may be dropped.
#[test]
fn whw_sxq_004_drop_points() {
    // Chariots and Cannons may not be dropped on lines to the other General, which is why it is well covered here.
    let fen = |reserve: &str| format!("3aka3/4n4/9/9/9/9/9/9/9/3K5[{reserve}] w - - 0 1");
    let points = |reserve: &str| drops(&position(&fen(reserve))).join(" ");
    assert_eq!(points("A"), "A@d3 A@e2 A@f1 A@f3");
    assert_eq!(points("B"), "B@a3 B@c1 B@c5 B@e3 B@g1 B@g5 B@i3");
    assert_eq!(points("P"), "P@a4 P@a5 P@c4 P@c5 P@e4 P@e5 P@g4 P@g5 P@i4 P@i5");
    assert_eq!(drops(&position(&fen("N"))).len(), 44);
    assert_eq!(drops(&position(&fen("R"))).len(), 44);
    let black = position("4k4/9/9/9/9/9/9/9/9/3K5[p] b - - 0 1");
    assert_eq!(drops(&black).join(" "), "P@a6 P@a7 P@c6 P@c7 P@e6 P@e7 P@g6 P@g7 P@i6 P@i7");
    let general = Supply::from_fen("4k4/9/9/9/9/9/9/9/9/3K5[K] w - - 0 1");
    assert!(matches!(general, Err(FenError::Field { field: "holdings", .. })), "a General is never in reserve");
}

/// WHW-SXQ-005 and SX-3: a drop gives no check, neither itself nor as a screen; it may answer one.
#[test]
fn whw_sxq_005_a_drop_gives_no_check() {
    let has = |fen: &str, word: &str| position(fen).parse_move(word, RankBase::One).is_ok();
    let open = "4k4/9/9/9/9/9/9/9/9/3K5[RCN] w - - 0 1";
    assert!(!has(open, "R@e3") && has(open, "R@d3") && has(open, "C@e3") && has(open, "N@e5"));
    // One piece between: the Cannon would give check, the Chariot not.
    let screened = "4k4/4a4/9/9/9/9/9/9/9/3K5[RC] w - - 0 1";
    assert!(has(screened, "R@e3") && !has(screened, "C@e3"));
    let double = "4k4/4a4/9/4p4/9/9/9/9/9/3K5[C] w - - 0 1";
    assert!(has(double, "C@e3"), "two pieces are no screen");
    // SX-3: the dropped piece as screen of a Cannon on the board.
    let cannon = "4k4/9/9/9/9/9/9/9/4C4/3K5[PBA] w - - 0 1";
    assert!(!has(cannon, "P@e4") && !has(cannon, "B@e3") && has(cannon, "P@c4"));
    // Nor may it leave the own General attacked: here it would be the enemy Cannon's screen.
    let own = "3k5/4c4/9/9/9/9/9/9/9/4K4[PB] w - - 0 1";
    assert!(!has(own, "P@e4") && !has(own, "B@e3") && has(own, "P@c4"));
    // It may interpose.
    let check = "3k5/9/9/9/9/9/4r4/9/9/4K4[BP] w - - 0 1";
    assert!(has(check, "B@e3") && !has(check, "B@c1") && !has(check, "P@c4"));
    let horse = "3k5/9/9/9/9/9/9/3n5/9/4K4[RN] w - - 0 1";
    assert_eq!(drops(&position(horse)), ["N@d2", "R@d2"], "at the leg of the Horse");
}

/// WHW-SXQ-006 and SX-4: a board is lost without a legal move or drop only, and then at once, in check or not.
#[test]
fn whw_sxq_006_loss() {
    let mate = "3k5/9/9/4r4/9/9/9/5r3/9/4K4[P] w - - 0 1";
    assert_eq!(position(mate).result().outcome, Outcome::Ongoing);
    let result = position(&mate.replace("[P]", "[p]")).result();
    assert_eq!((result.outcome, result.reason), (Outcome::Win(Color::Black), Reason::Checkmate));
    let stuck = "3k5/9/9/9/9/9/9/3r5/5r3/4K4[P] w - - 0 1";
    assert_eq!(position(stuck).result().outcome, Outcome::Ongoing);
    let result = position(&stuck.replace("[P]", "[]")).result();
    assert_eq!((result.outcome, result.reason), (Outcome::Win(Color::Black), Reason::Stalemate));
}

/// WHW-SXQ-007 and SX-5: the hundredth turn without capture or drop draws, unless it leaves the opponent without an action.
#[test]
fn whw_sxq_007_one_hundred_turns() {
    let fen = "3k5/9/9/9/9/9/9/1r7/r8/4K4[p] b - - 99 60";
    let game = play(fen, "b3b4");
    assert_eq!((game.result().outcome, game.result().reason), (Outcome::Draw, Reason::MoveCount));
    assert_eq!(play(fen, "b3b1").result().outcome, Outcome::Win(Color::Black));
    assert_eq!(play(fen, "P@a6").position().halfmove(), 0);
    assert_eq!(play(&fen.replace("99", "98"), "b3b4").result().outcome, Outcome::Ongoing);
    let capture = play("3k5/9/9/9/9/9/9/1r7/r2R5/4K4[] b - - 99 60", "a2d2");
    assert_eq!((capture.result().outcome, capture.position().halfmove()), (Outcome::Ongoing, 0));
}

/// SX-7: recurrence ends nothing, not even with perpetual check.
#[test]
fn sx_7_repetition_ends_nothing() {
    let cycle = "a5e5 e10f10 e5f5 f10e10 f5e5 e10f10 e5f5 f10e10 f5e5 e10f10 e5f5 f10e10 f5e5";
    assert_eq!(play("4k4/9/9/9/9/R8/9/9/9/3K5[] w - - 0 1", cycle).result().outcome, Outcome::Ongoing);
}

/// SX-9: two sets of each type, the reserve included.
#[test]
fn sx_9_set_up() {
    position("4k4/9/9/RR7/9/9/9/9/9/3K5[RRNNNNBBBBAAAACCCCPPPPPPPPPP] w - - 0 1");
    for (fen, expected) in [
        ("4k4/9/9/RR7/9/9/9/9/9/3K5[RRR] w - - 0 1", "Red has 5 Chariots, at most 4"),
        ("4k4/9/9/9/9/9/9/9/9/3K5[ppppppppppp] w - - 0 1", "Black has 11 Soldiers, at most 10"),
        ("4k4/9/9/9/9/9/9/9/9/4K4[] w - - 0 1", "face each other"),
    ] {
        match Supply::from_fen(fen) {
            Err(FenError::Setup { rule: "SX-9", why }) => assert!(why.contains(expected), "{fen}: {why}"),
            other => panic!("{fen}: {other:?}"),
        }
    }
    // Without brackets the reserves are empty; synonyms and any order are read.
    assert_eq!(position("4k4/9/9/9/9/9/9/9/9/3K5 w").fen(), "4k4/9/9/9/9/9/9/9/9/3K5[] w - - 0 1");
    let fen = position("4k4/9/9/9/9/9/9/9/9/3K5[eHPR] w - - 0 1").fen();
    assert_eq!(fen, "4k4/9/9/9/9/9/9/9/9/3K5[RNPb] w - - 0 1");
}

/// WHW-SXQ-002, this board's part: a piece that arrives counts at once and changes the key.
#[test]
fn whw_sxq_002_receive() {
    let mut board = position("4k4/9/9/9/9/9/9/9/9/3K5[r] w - - 0 1");
    let key = board.key();
    board.receive(piece::code(Color::White, PieceType::Soldier), &mut ()).expect("a Soldier");
    assert_ne!(board.key(), key);
    assert_eq!(board.verify(), Ok(()));
    assert_eq!(board.fen(), "4k4/9/9/9/9/9/9/9/9/3K5[Pr] w - - 0 1");
    assert_eq!(board.key(), position(&board.fen()).key());
    assert_eq!(drops(&board).len(), 10);
    assert!(board.receive(piece::code(Color::Black, PieceType::General), &mut ()).is_err());
    assert!(board.receive(piece::PIECES, &mut ()).is_err());
    for _ in 0..3 {
        board.receive(piece::code(Color::Black, PieceType::Chariot), &mut ()).expect("four in all");
    }
    assert!(board.receive(piece::code(Color::Black, PieceType::Chariot), &mut ()).is_err(), "there is no fifth");
}

#[test]
fn drop_text() {
    let board = position("4k4/9/9/9/9/9/9/9/9/3K5[NBP] w - - 0 1");
    let drop = board.parse_move("N@a5", RankBase::One).expect("legal");
    for word in ["n@a5", "H@A5", "h@a5"] {
        assert_eq!(board.parse_move(word, RankBase::One), Ok(drop), "{word}");
    }
    assert_eq!(board.parse_move("N@a4", RankBase::Zero), Ok(drop));
    assert_eq!(board.move_text(drop, RankBase::Zero), "N@a4");
    assert_eq!(board.san(drop, Notation::Native), "N@a5");
    assert_eq!(board.san(drop, Notation::Iccs), "N@A4");
    let elephant = board.parse_move("E@c1", RankBase::One).expect("legal");
    assert_eq!(board.move_text(elephant, RankBase::One), "B@c1");
}
