//! The rules of Yáng Qí, one test or more for each id of `protocol-docs/rules/yangqi.md`.
use sanqi::eval::Evaluate;
use sanqi::games::yangqi::{SwapText, Yangqi, YangqiNoSwap};
use sanqi::games::{FenError, Game, Move, Notation, Outcome, Position, RankBase, Reason, Variant};
use sanqi_tests::positions::random_games;
use sanqi_tests::symmetry::{self, View};

const START: &str = "rnbvkvbnr/1c5c1/p1p1p1p1p/1p1p1p1p1/9/9/1P1P1P1P1/P1P1P1P1P/1C5C1/RNBVKVBNR w - - 0 1";
/// Every promotion type of White stands on the board twice.
const FULL_WHITE: &str = "4k4/P8/9/9/9/9/9/2C3C2/R7R/1NBVKVBN1 w - - 0 1";

fn position(fen: &str) -> Yangqi {
    Yangqi::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn find(position: &impl Position, text: &str) -> Move {
    position.parse_move(text, RankBase::One).unwrap_or_else(|error| panic!("{}: {error}", position.fen()))
}

fn play(fen: &str, moves: &str) -> Yangqi {
    let mut position = position(fen);
    for text in moves.split_whitespace() {
        position.make(find(&position, text), &mut ());
    }
    position
}

/// Targets of the piece on `from`, sorted.
fn targets(fen: &str, from: &str) -> String {
    let position = position(fen);
    let texts = position.legal_moves().iter().map(|&mv| position.move_text(mv, RankBase::One)).collect::<Vec<_>>();
    let mut targets: Vec<&str> = texts.iter().filter_map(|text| text.strip_prefix(from)).collect();
    targets.sort_unstable();
    targets.join(" ")
}

fn is_legal(fen: &str, text: &str) -> bool {
    position(fen).parse_move(text, RankBase::One).is_ok()
}

fn result(fen: &str) -> (Outcome, Reason) {
    let result = position(fen).result();
    (result.outcome, result.reason)
}

#[test]
fn start_position() {
    assert_eq!(Yangqi::start().fen(), START);
    assert_eq!(YangqiNoSwap::start().fen(), START);
    assert_eq!(Yangqi::start(), position(START));
    assert_eq!(Yangqi::start().count_legal(), YangqiNoSwap::start().count_legal() + 2, "swaps with d1 and f1");
}

#[test]
fn yq_1_king_steps_one_square_and_never_into_check() {
    assert_eq!(targets("k8/9/9/9/9/4K4/9/9/9/9 w - - 0 1", "e5"), "d4 d5 d6 e4 e6 f4 f5 f6");
    assert_eq!(targets("9/9/2k6/9/4K4/9/9/9/3r5/9 w - - 0 1", "e6"), "e5 e7 f5 f6 f7", "the d-file is a rook's");
    // Kings keep apart, and stepping back along a line of attack does not help.
    assert_eq!(targets("9/9/9/9/9/2k1K4/9/9/9/9 w - - 0 1", "e5"), "e4 e6 f4 f5 f6");
    assert_eq!(targets("k8/9/9/9/9/9/4r4/9/4K4/9 w - - 0 1", "e2"), "d1 d2 d3 f1 f2 f3");
    // There is no castling.
    assert!(!is_legal("4k4/9/9/9/9/9/9/9/9/R3K3R w - - 0 1", "e1g1"));
}

#[test]
fn yq_2_rook_bishop_and_leaping_knight() {
    assert_eq!(targets("k8/9/9/9/9/9/9/1p7/9/1R2K4 w - - 0 1", "b1"), "a1 b2 b3 c1 d1");
    assert_eq!(targets("k8/9/9/9/9/9/3p5/9/1B7/4K4 w - - 0 1", "b2"), "a1 a3 c1 c3 d4");
    assert_eq!(targets("k8/9/9/9/9/9/9/1PP6/BBC6/RNR1K4 w - - 0 1", "b1"), "a3 d2");
}

#[test]
fn yq_3_cannon_and_vao_capture_over_exactly_one_screen() {
    // Beyond the screen e6 the first piece is e8; e9 is out of reach, and the screen itself safe.
    assert_eq!(targets("8k/4r4/4p4/9/4p4/9/4C4/9/9/4K4 w - - 0 1", "e4"), "a4 b4 c4 d4 e2 e3 e5 e8 f4 g4 h4 i4");
    assert_eq!(targets("8k/9/9/6n2/9/4P4/9/2V6/9/4K4 w - - 0 1", "c3"), "a1 a5 b2 b4 d2 d4 g7");
    assert!(!is_legal("8k/9/9/6n2/9/4p4/9/2V6/9/4K4 w - - 0 1", "c3e5"), "no capture without a screen");
    assert!(!is_legal("8k/9/9/6n2/5p3/4p4/9/2V6/9/4K4 w - - 0 1", "c3g7"), "two screens");
    assert!(!is_legal("8k/9/9/6N2/9/4P4/9/2V6/9/4K4 w - - 0 1", "c3g7"), "own piece");
}

#[test]
fn yq_4_pawn_steps_and_captures() {
    assert_eq!(targets("k8/9/9/9/9/9/2p6/3P5/9/4K4 w - - 0 1", "d3"), "c4 d4 d5");
    assert_eq!(targets("k8/9/9/9/9/3p5/9/3P5/9/4K4 w - - 0 1", "d3"), "d4", "both squares must be empty");
    assert_eq!(targets("k8/9/9/9/9/9/3p5/3P5/9/4K4 w - - 0 1", "d3"), "", "forward never captures");
    assert_eq!(targets("k8/9/9/9/9/9/3P5/9/9/4K4 w - - 0 1", "d4"), "d5", "no double step from rank 4");
    assert_eq!(targets("4k4/9/3p5/9/9/9/9/9/9/4K4 b - - 0 1", "d8"), "d6 d7");
    assert_eq!(targets("4k4/9/9/3p5/9/9/9/9/9/4K4 b - - 0 1", "d7"), "d6");
    // A pawn on the edge does not capture around the board.
    assert_eq!(targets("k8/9/9/9/9/8p/p8/P8/9/4K4 w - - 0 1", "a3"), "");
}

#[test]
fn yq_5_en_passant_next_turn_only() {
    let before = "4k4/9/9/9/9/1p7/9/P7P/9/4K4 w - - 0 1";
    let offered = play(before, "a3a5");
    assert_eq!(offered.fen(), "4k4/9/9/9/9/Pp7/9/8P/9/4K4 b - a4 0 1");
    let taken = play(before, "a3a5 b5a4");
    assert_eq!(taken.fen(), "4k4/9/9/9/9/9/p8/8P/9/4K4 w - - 0 2");
    let late = play(before, "a3a5 e10e9 i3i4");
    assert!(late.parse_move("b5a4", RankBase::One).is_err());
    // A capture for which the square on offer is only a neighbour is an ordinary capture.
    assert_eq!(offered.captured(find(&offered, "b5a4")), 1);
    assert_eq!(offered.captured(find(&offered, "b5b4")), 0);
    // A single step offers nothing.
    assert_eq!(play("4k4/9/9/9/1p7/9/9/P8/9/4K4 w - - 0 1", "a3a4").fen(), "4k4/9/9/9/1p7/9/P8/9/9/4K4 b - - 0 1");
}

#[test]
fn yq_5_en_passant_stands_in_fen_and_key_only_when_legal() {
    // Nobody can take, and the taker is pinned: such a square says nothing.
    let nobody = play("4k4/9/9/9/9/9/9/P8/9/4K4 w - - 0 1", "a3a5");
    assert_eq!(nobody.fen(), "4k4/9/9/9/9/P8/9/9/9/4K4 b - - 0 1");
    assert_eq!(nobody.key(), position("4k4/9/9/9/9/P8/9/9/9/4K4 b - a4 0 1").key());
    let pinned = position("1k7/9/9/9/9/Pp7/9/9/9/1R2K4 b - a4 0 1");
    assert_eq!(pinned.fen(), "1k7/9/9/9/9/Pp7/9/9/9/1R2K4 b - - 0 1");
    assert_eq!(pinned.key(), position("1k7/9/9/9/9/Pp7/9/9/9/1R2K4 b - - 0 1").key());
    assert!(pinned.parse_move("b5a4", RankBase::One).is_err());
    // Not a square that a double step can have passed.
    for square in ["a5", "b4", "a7", "i10"] {
        let fen = format!("4k4/9/9/9/9/Pp7/9/9/9/4K4 b - {square} 0 1");
        assert_eq!(position(&fen).fen(), "4k4/9/9/9/9/Pp7/9/9/9/4K4 b - - 0 1");
    }
    let real = position("4k4/9/9/9/9/Pp7/9/9/9/4K4 b - a4 0 1");
    assert_eq!(real.fen(), "4k4/9/9/9/9/Pp7/9/9/9/4K4 b - a4 0 1");
    assert_ne!(real.key(), position("4k4/9/9/9/9/Pp7/9/9/9/4K4 b - - 0 1").key());
    assert!(Yangqi::from_fen("4k4/9/9/9/9/Pp7/9/9/9/4K4 b - zz 0 1").is_err());
}

#[test]
fn yq_6_and_yq_10_promotion_to_a_captured_type_only() {
    assert_eq!(targets(FULL_WHITE, "a9"), "", "nothing is captured");
    let one_rook = FULL_WHITE.replace("R7R", "R8");
    assert_eq!(targets(&one_rook, "a9"), "a10r");
    let without = FULL_WHITE.replace("2C3C2", "9").replace("1NBVKVBN1", "4K4").replace("R7R", "9");
    assert_eq!(targets(&without, "a9"), "a10b a10c a10n a10r a10v");
    assert!(!is_legal(&without, "a9a10"), "promotion is compulsory");
    assert!(!is_legal(&without, "a9a10k") && !is_legal(&without, "a9a10p"));
    // Capturing on the last rank is promotion too.
    let with_prey = one_rook.replace("4k4", "1n2k4");
    assert_eq!(targets(&with_prey, "a9"), "a10r b10r");
    assert_eq!(targets(&FULL_WHITE.replace("4k4", "1n2k4"), "a9"), "");
    let promoted = play(&with_prey, "a9b10r");
    assert_eq!(promoted.fen(), "1R2k4/9/9/9/9/9/9/2C3C2/R8/1NBVKVBN1 b - - 0 1");
    assert_eq!(promoted.verify(), Ok(()));
    // In the first letter's case and A for the vao.
    assert_eq!(
        position(&without).parse_move("a9a10A", RankBase::One),
        position(&without).parse_move("a9a10v", RankBase::One)
    );
}

#[test]
fn yq_10_a_pawn_that_cannot_promote_still_attacks_the_last_rank() {
    let fen = FULL_WHITE.replace("4k4/P8", "4k4/3P5").replace(" w ", " b ");
    assert!(position(&fen).in_check());
    let beside = FULL_WHITE.replace("4k4/P8", "5k3/3P5").replace(" w ", " b ");
    assert!(!position(&beside).in_check());
    assert_eq!(targets(&beside, "f10"), "e9 f9 g10 g9", "not e10");
}

const SWAPS: &str = "k8/9/9/9/9/9/9/3PRP3/3NKB3/3VCN3 w - - 0 1";

#[test]
fn yq_7_and_yq_11_swaps_in_all_directions_but_not_with_pawns() {
    assert_eq!(targets(SWAPS, "e2"), "d1 d2 e1 e3 f1 f2");
    let swapped = play(SWAPS, "e2d1");
    assert_eq!(swapped.fen(), "k8/9/9/9/9/9/9/3PRP3/3NVB3/3KCN3 b - - 1 1", "quiet for the 50-move rule");
    assert_eq!(swapped.verify(), Ok(()));
    // Again and again.
    assert_eq!(play(SWAPS, "e2d1 a10a9 d1e2 a9a10").fen(), SWAPS.replace("0 1", "4 3"));
    // Without the rule there are none.
    let without = YangqiNoSwap::from_fen(SWAPS).expect("a position");
    assert!(without.parse_move("e2d1", RankBase::One).is_err());
    assert_eq!(without.count_legal() + 6, position(SWAPS).count_legal());
}

#[test]
fn yq_7_no_swap_in_check() {
    let fen = "4k4/4r4/9/9/9/9/9/9/9/3BKN3 w - - 0 1";
    assert!(position(fen).in_check());
    assert_eq!(targets(fen, "e1"), "d2 f2");
}

#[test]
fn yq_11_swaps_are_judged_on_the_final_position() {
    // The partner's square is attacked.
    assert!(!is_legal("4k4/3r5/9/9/9/9/9/9/9/3BKN3 w - - 0 1", "e1d1"));
    // The pinned partner takes the king's place behind it: still one piece between.
    assert!(!is_legal("4k4/9/9/4r4/9/9/9/4R4/4K4/9 w - - 0 1", "e2e3"));
    // The former king's square stays occupied, so a rook behind it sees nothing new.
    assert!(is_legal("k8/9/9/9/9/9/9/9/3B5/r1nK5 w - - 0 1", "d1d2"));
    // The square is under fire over one screen; with two it is not.
    assert!(!is_legal("k8/9/9/9/9/9/9/9/9/c1N1BK3 w - - 0 1", "f1e1"));
    assert!(is_legal("k8/9/9/9/9/9/9/9/9/cNN1BK3 w - - 0 1", "f1e1"));
    // The partner may give check from the king's former square, or uncover it.
    assert!(play("4k4/9/9/4p4/9/9/9/9/3CK4/9 w - - 0 1", "e2d2").in_check());
    assert!(play("4k4/9/9/9/9/9/9/9/3RK4/9 w - - 0 1", "e2d2").in_check());
}

#[test]
fn yq_7_swap_text() {
    let position = position(SWAPS);
    let swap = find(&position, "e2d1");
    assert_eq!(find(&position, "d1e2"), swap, "the partner's square may stand first");
    assert_eq!(find(&position, "D1E2"), swap);
    assert_eq!(position.parse_move("e1d0", RankBase::Zero), Ok(swap));
    assert_eq!(position.move_text(swap, RankBase::Zero), "e1d0");
    assert!(position.parse_move("d3e2", RankBase::One).is_err(), "pawns do not swap");
}

#[test]
fn yq_8_mate_stalemate_and_bare_kings() {
    assert_eq!(
        result("k7R/8R/9/9/9/9/9/9/9/4K4 b - - 0 1"),
        (Outcome::Win(sanqi::board::Color::White), Reason::Checkmate)
    );
    assert_eq!(result("k8/2R6/1R7/9/9/9/9/9/9/4K4 b - - 0 1"), (Outcome::Draw, Reason::Stalemate));
    assert_eq!(result("k8/9/9/9/9/9/9/9/9/4K4 b - - 0 1"), (Outcome::Draw, Reason::BareKings));
    assert_eq!(result("k8/9/9/9/9/9/9/9/9/4KV3 b - - 0 1"), (Outcome::Ongoing, Reason::Ongoing));
}

#[test]
fn yq_8_hundred_half_moves() {
    let fen = |count| format!("1k7/9/9/9/9/4P4/9/9/R8/4K4 w - - {count} 80");
    assert_eq!(result(&fen(99)), (Outcome::Ongoing, Reason::Ongoing));
    assert_eq!(result(&fen(100)), (Outcome::Draw, Reason::MoveCount));
    assert_eq!(play(&fen(99), "e1e2").result().reason, Reason::MoveCount);
    assert_eq!(play(&fen(99), "e5e6").halfmove(), 0, "a pawn move");
    assert_eq!(play("k8/9/9/9/9/9/9/9/r8/1K7 w - - 99 80", "b1a2").halfmove(), 0, "a capture");
    // The hundredth half-move mates.
    assert_eq!(play("k8/8R/7R1/9/9/9/9/9/9/4K4 w - - 99 80", "h8h10").result().reason, Reason::Checkmate);
}

#[test]
fn yq_8_third_occurrence() {
    let shuffle = ["a1a2", "a10a9", "a2a1", "a9a10"];
    let mut game = Game::new(Variant::Yangqi);
    for (count, text) in shuffle.iter().cycle().take(8).enumerate() {
        assert_eq!(game.result().reason, Reason::Ongoing, "after {count}");
        game.push_text(text, RankBase::One).expect("a legal move");
    }
    assert_eq!((game.result().outcome, game.result().reason), (Outcome::Draw, Reason::Repetition));
    // The position with an en passant capture is another one.
    let mut game = Game::from_fen(Variant::Yangqi, "k8/9/9/9/9/1p7/9/P8/9/R3K4 w - - 0 1").expect("a position");
    game.push_text("a3a5", RankBase::One).expect("a legal move");
    for text in ["a10b10", "e1e2", "b10a10", "e2e1"].iter().cycle().take(8) {
        game.push_text(text, RankBase::One).expect("a legal move");
    }
    assert_eq!(game.result().reason, Reason::Ongoing, "only the second time without the right to take");
}

fn san(fen: &str, text: &str) -> String {
    let position = position(fen);
    position.san(find(&position, text), Notation::Native)
}

#[test]
fn yq_9_algebraic_notation() {
    assert_eq!(san(START, "a3a5"), "a5");
    assert_eq!(san(START, "b2b7"), "Pxb7", "P is the cannon");
    let start = Yangqi::start();
    assert_eq!(start.san(find(&start, "b2b7"), Notation::CannonC), "Cxb7");
    assert_eq!(san("k8/9/9/9/9/9/2p6/3P5/9/4K4 w - - 0 1", "d3c4"), "dxc4");
    assert_eq!(san("4k4/9/9/9/9/Pp7/9/9/9/4K4 b - a4 0 1", "b5a4"), "bxa4");
    assert_eq!(san("4k4/P8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a10r"), "a10=R+");
    assert_eq!(san("4k4/P8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a10c"), "a10=P");
    assert_eq!(san("1n2k4/P8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9b10n"), "axb10=N");
    assert_eq!(san("k8/8R/7R1/9/9/9/9/9/9/4K4 w - - 0 1", "h8h10"), "Rh10#");
    // Disambiguation by file, by rank, by both.
    assert_eq!(san("1k7/9/9/9/9/9/9/9/9/RK1R5 w - - 0 1", "d1c1"), "Rc1", "the other rook cannot reach it");
    assert_eq!(san("k8/9/9/9/9/9/9/9/1K7/2R3R2 w - - 0 1", "c1d1"), "Rcd1");
    assert_eq!(san("k8/9/9/9/9/6R2/9/9/1K7/6R2 w - - 0 1", "g1g3"), "R1g3");
    assert_eq!(san("7kb/9/9/9/9/9/4p4/9/4K4/9 b - - 0 1", "i10h9"), "Bh9");
}

#[test]
fn yq_9_swaps_in_full_and_in_short() {
    let position = position(SWAPS);
    let swap = find(&position, "e2d1");
    assert_eq!(position.san(swap, Notation::Native), "Kd1; Ve2");
    assert_eq!(position.write_san(swap, Notation::Native, SwapText::Short), "Kd1");
    let cannon = find(&position, "e2e1");
    assert_eq!(position.san(cannon, Notation::Native), "Ke1; Pe2");
    assert_eq!(position.san(cannon, Notation::CannonC), "Ke1; Ce2");
    for text in ["Kd1; Ve2", "Kd1;Ve2", "Kd1", "Kd1 ; Ae2", " Kd1!"] {
        assert_eq!(position.parse_san(text), Ok(swap), "{text}");
    }
    for text in ["Ke1; Pe2", "Ke1;Ce2", "Ke1"] {
        assert_eq!(position.parse_san(text), Ok(cannon), "{text}");
    }
    for text in ["Kd1; Be2", "Kd1; Ve1", "Kd1;", "Kd3", "Ve2", "Kd1; Ve2; Ve2"] {
        assert!(position.parse_san(text).is_err(), "{text}");
    }
    assert_eq!(san("4k4/9/9/9/9/9/9/9/3RK4/9 w - - 0 1", "e2d2"), "Kd2; Re2+");
}

#[test]
fn yq_9_reads_what_it_writes_and_what_others_write() {
    random_games(21, 400, |position: &Yangqi| {
        for &mv in position.legal_moves().iter() {
            for notation in [Notation::Native, Notation::CannonC] {
                for swap_text in [SwapText::Full, SwapText::Short] {
                    let text = position.write_san(mv, notation, swap_text);
                    assert_eq!(position.parse_san(&text), Ok(mv), "{}: {text}", position.fen());
                }
            }
        }
    });
    let pawn = position("1n2k4/P8/9/9/9/9/9/9/9/4K4 w - - 0 1");
    for text in ["axb10=R", "axb10R", "ab10=R", "a9xb10=R+", "a9-b10=R", "axb10=R e.p."] {
        assert_eq!(pawn.parse_san(text).ok(), Some(find(&pawn, "a9b10r")), "{text}");
    }
    for text in
        ["", "=", ";", "x", "K", "Ü1", "a9", "axb10", "axb10=K", "axb10=Q", "O-O", "Ra99999999999999999999", "é"]
    {
        assert!(pawn.parse_san(text).is_err(), "{text}");
    }
}

fn refused(fen: &str) -> String {
    match Yangqi::from_fen(fen) {
        Err(FenError::Setup { rule: "YQ-12", why }) => why,
        other => panic!("{fen}: {other:?}"),
    }
}

#[test]
fn yq_12_each_fault_has_its_message() {
    let faults = [
        ("k8/9/9/9/9/9/9/9/9/9 w - - 0 1", "White has 0 kings"),
        ("k7k/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "Black has 2 kings"),
        ("k8/9/9/9/9/9/9/9/RRR6/4K4 w - - 0 1", "White has 3 of R"),
        ("k8/9/9/PPPPPPPPP/P8/9/9/9/9/4K4 w - - 0 1", "White has 10 of P"),
        ("k8/9/9/9/9/9/9/9/P8/4K4 w - - 0 1", "White pawn on a2"),
        ("k1P6/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "White pawn on c10"),
        ("k8/2p6/9/9/9/9/9/9/9/4K4 w - - 0 1", "Black pawn on c9"),
        ("k8/9/9/9/9/9/9/9/9/p3K4 w - - 0 1", "Black pawn on a1"),
        ("k8/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "White is to move and already attacks"),
        ("4k4/9/4p4/9/9/4C4/9/9/9/3K5 w - - 0 1", "White is to move and already attacks"),
        ("9/9/9/9/9/3kK4/9/9/9/9 b - - 0 1", "Black is to move and already attacks"),
    ];
    for (fen, expected) in faults {
        let why = refused(fen);
        assert!(why.starts_with(expected), "{fen}: {why}");
    }
    let messages: std::collections::BTreeSet<String> = faults[..8].iter().map(|(fen, _)| refused(fen)).collect();
    assert_eq!(messages.len(), 8);
    // The extremes that are allowed.
    for fen in ["k8/2P6/9/9/9/9/2p6/9/2p6/4K4 w - - 0 1", "k8/9/2p6/9/9/9/9/2P6/9/4K4 w - - 0 1"] {
        assert_eq!(position(fen).fen(), fen);
    }
    assert!(Yangqi::from_fen("q8/9/9/9/9/9/9/9/9/4K4 w - - 0 1").is_err());
    assert!(Yangqi::from_fen("k8/9/9/9/9/9/9/9/9/4K4[P] w - - 0 1").is_err());
    assert_eq!(position(&START.replace('v', "a").replace('V', "A")).fen(), START, "A is the vao");
}

#[test]
fn exchanges_know_screens_and_promotions() {
    let see = |fen: &str, text: &str, threshold| {
        let position = position(fen);
        position.see(find(&position, text), threshold)
    };
    // A rook takes a guarded pawn, and a free one.
    assert!(!see("k8/9/9/3p5/2p6/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 0));
    assert!(see("k8/9/9/9/2p6/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 100));
    assert!(!see("k8/9/9/9/2p6/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 101));
    // The cannon c9 guards c6 only over the screen c8.
    assert!(!see("k8/2c6/2n6/9/2p6/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 0));
    assert!(see("k8/2c6/9/9/2p6/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 0));
    // The own rook c2 is the screen of the cannon c1: once it has taken, nothing stands between.
    assert!(!see("k8/9/9/3p5/2n6/9/9/9/2R6/2C1K4 w - - 0 1", "c2c6", 0));
    // A quiet move to a square that a pawn attacks.
    assert!(!see("k8/9/9/3p5/9/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 0));
    assert!(see("k8/9/9/9/9/9/9/9/9/2R1K4 w - - 0 1", "c1c6", 0));
    // Promotion gains a rook less a pawn; on an attacked square it loses the pawn.
    assert!(see("4k4/P8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a10r", 450));
    assert!(!see("4k4/P8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a10r", 451));
    assert!(!see("r3k4/1P7/9/9/9/9/9/9/9/4K4 w - - 0 1", "b9b10r", 0));
    // En passant takes the pawn beside.
    assert!(see("4k4/9/9/9/9/Pp7/9/9/9/4K4 b - a4 0 1", "b5a4", 100));
    // Where the king was not in check its partner is safe.
    assert!(!see("k3r4/9/9/9/9/9/9/4n4/3RK4/9 w - - 0 1", "e2d2", 1));
    assert!(see("k3r4/9/9/9/9/9/9/4n4/3RK4/9 w - - 0 1", "e2d2", 0));
}

#[test]
fn evaluation_is_symmetric_and_kept_correctly() {
    random_games(31, 2000, |position: &Yangqi| {
        let value = position.evaluate(&position.accumulate());
        let turned = Yangqi::from_fen(&symmetry::fen(&position.fen(), View::OtherSide, Yangqi::dimensions()));
        let turned = turned.expect("the position seen from the other side");
        assert_eq!(turned.evaluate(&turned.accumulate()), value, "{}", position.fen());
        for &mv in position.legal_moves().iter() {
            let (mut next, mut sums) = (position.clone(), position.accumulate());
            next.make(mv, &mut sums);
            assert!(sums == next.accumulate(), "{} {}", position.fen(), position.move_text(mv, RankBase::One));
        }
        let groups: usize = Yangqi::GROUPS.last().map_or(0, |group| group.1);
        assert_eq!(groups, Yangqi::WEIGHTS.len());
    });
}
