//! Fangqi against its data and its rules, FQ-1 … FQ-9 of `protocol-docs/rules/fangqi.md`.
use sanqi::board::Color;
use sanqi::games::fangqi::Fangqi;
use sanqi::games::moves::Generate;
use sanqi::games::{
    FenError, Game, MoveError, MoveList, Notation, Outcome, Position, RankBase, Reason, Record, Variant, perft,
};
use serde::Deserialize;

/// One line of the data files; each file has the fields it needs.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    why: String,
    #[serde(default)]
    variant: String,
    fen: String,
    #[serde(default)]
    after: Vec<String>,
    end_fen: Option<String>,
    moves: Option<Vec<String>>,
    #[serde(default)]
    perft: Vec<u64>,
    result: Option<String>,
}

fn lines(file: &str) -> Vec<Line> {
    let path = format!("{}/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

fn position(fen: &str) -> Fangqi {
    Fangqi::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Plays moves given as points, `d4`.
fn play(fen: &str, points: &[&str]) -> Fangqi {
    let mut record = Record::new(position(fen));
    for point in points {
        record.push_text(&format!("P@{point}"), RankBase::One).unwrap_or_else(|e| panic!("{fen}: {e}"));
    }
    *record.position()
}

fn sorted_moves(position: &Fangqi) -> Vec<String> {
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.move_text(mv, RankBase::One)).collect();
    moves.sort();
    moves
}

fn outcome(fen: &str) -> (Outcome, Reason) {
    let result = position(fen).result();
    (result.outcome, result.reason)
}

/// Moves, the position after a line, perft and result of every line of a file.
fn check(file: &str) {
    for line in lines(file) {
        let name = format!("{} {}", line.why, line.fen);
        let mut record = Record::new(position(&line.fen));
        for word in &line.after {
            record.push_text(word, RankBase::One).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let end = record.position();
        assert_eq!(end.verify(), Ok(()), "{name}");
        if let Some(expected) = &line.end_fen {
            assert_eq!(end.fen(), *expected, "{name}");
        }
        assert_eq!(Some(sorted_moves(end)), line.moves, "{name}");
        for (index, &nodes) in line.perft.iter().enumerate() {
            assert_eq!(perft(end, index as u32 + 1), nodes, "{name}: depth {}", index + 1);
        }
        let expected = line.result.as_deref().unwrap_or("*");
        assert_eq!(record.result().outcome.to_string(), expected, "{name}");
    }
}

#[test]
fn edge_cases() {
    check("fangqi_edge.jsonl");
}

#[test]
fn random_positions() {
    check("fangqi_random.jsonl");
}

#[test]
fn perft_from_the_start() {
    let mut checked = 0;
    for line in lines("perft.jsonl").into_iter().filter(|line| line.variant == "fangqi") {
        for (index, &nodes) in line.perft.iter().enumerate() {
            assert_eq!(perft(&position(&line.fen), index as u32 + 1), nodes, "depth {}", index + 1);
            checked += 1;
        }
    }
    assert!(checked >= 4);
}

#[test]
fn fq_1_board_and_hands() {
    let start = Fangqi::start();
    assert_eq!(start.fen(), "7/7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 1");
    assert_eq!((start.hand(Color::White), start.hand(Color::Black)), (20, 20));
    assert_eq!(start.side(), Color::White);
    let moves = sorted_moves(&start);
    assert_eq!(moves.len(), 49);
    assert_eq!((moves[0].as_str(), moves[48].as_str()), ("P@a1", "P@g7"));
}

#[test]
fn fq_2_a_turn_places_one_stone_on_an_empty_point() {
    let after = play("7/7/7/7/7/7/7[PPpp] w", &["d4"]);
    assert_eq!(after.fen(), "7/7/7/3P3/7/7/7[Ppp] b - - 0 1");
    assert_eq!(after.parse_move("P@d4", RankBase::One), Err(MoveError::Illegal("P@d4".into())));
    // No pass and no moving of stones.
    for word in ["0000", "d4d5", "d4", "@d4", "P@", "P@d", "P@d8", "P@h1", "P@d4x", "P@d0", "R@d5", ""] {
        assert_eq!(after.parse_move(word, RankBase::One), Err(MoveError::Syntax(word.into())));
    }
}

#[test]
fn fq_2_move_text() {
    let start = Fangqi::start();
    let mv = start.parse_move("P@d4", RankBase::One).unwrap();
    assert_eq!(start.parse_move("p@d4", RankBase::One), Ok(mv));
    assert_eq!(start.parse_move("P@d3", RankBase::Zero), Ok(mv));
    assert_eq!(start.move_text(mv, RankBase::One), "P@d4");
    assert_eq!(start.move_text(mv, RankBase::Zero), "P@d3");
    assert_eq!(start.san(mv, Notation::Native), "d4");
    assert!(start.parse_move("P@d7", RankBase::Zero).is_err());
}

#[test]
fn fq_3_eight_points_around_a_square_are_taken_and_diagonal_ones_are_not() {
    // Enemies on all twelve points around the square c3–d4.
    let after = play("7/7/1pppp2/1pPPp2/1p1Pp2/1pppp2/7[Pp] w", &["c3"]);
    assert_eq!(after.fen(), "7/7/1p2p2/2PP3/2PP3/1p2p2/7[p] b - - 0 1");
}

#[test]
fn fq_3_squares_completed_together_capture_together() {
    // d4 completes c3–d4, beside b3, and d4–e5, beside f5.
    let after = play("7/7/3PPp1/2P1P2/1pPP3/7/7[Pp] w", &["d4"]);
    assert_eq!(after.fen(), "7/7/3PP2/2PPP2/2PP3/7/7[p] b - - 0 1");
}

#[test]
fn fq_3_nothing_but_the_new_stone_captures() {
    // White's c3 breaks Black's square c5–d6 and takes all that stands beside c3–d4. The stone on e2 is beside d2 only, which
    // the new square does not hold.
    let after = play("7/2pp3/2pp3/2PP3/3Pp2/3Pp2/7[Pp] w", &["c3"]);
    assert_eq!(after.fen(), "7/2pp3/7/2PP3/2PP3/3Pp2/7[p] b - - 0 1");
}

#[test]
fn fq_3_captured_stones_return_to_no_hand() {
    let after = play("7/7/7/1PPp3/1P5/7/7[Ppp] w", &["c3"]);
    assert_eq!(after.fen(), "7/7/7/1PP4/1PP4/7/7[pp] b - - 0 1");
}

#[test]
fn fq_4_a_standing_square_never_captures_again() {
    // Not when an enemy stone comes to stand beside it, nor when its owner plays elsewhere.
    let after = play("7/7/7/2PP3/2PP3/7/7[PPpp] b", &["e4", "c5"]);
    assert_eq!(after.fen(), "7/7/2P4/2PPp2/2PP3/7/7[Pp] b - - 0 2");
    // Not when a square that shares two of its stones is completed: b3 is beside the old square only.
    let after = play("7/7/2P4/2PP3/1pPP3/7/7[PPpp] w", &["d5"]);
    assert_eq!(after.fen(), "7/7/2PP3/2PP3/1pPP3/7/7[Ppp] b - - 0 1");
    // Beside the new one it is taken.
    let after = play("7/7/2P4/1pPP3/2PP3/7/7[PPpp] w", &["d5"]);
    assert_eq!(after.fen(), "7/7/2PP3/2PP3/2PP3/7/7[Ppp] b - - 0 1");
}

#[test]
fn fq_5_a_captured_point_may_be_used_again() {
    let after = play("7/7/7/1PPp3/1P5/7/7[PPpp] w", &["c3", "d4"]);
    assert_eq!(after.fen(), "7/7/7/1PPp3/1PP4/7/7[Pp] w - - 0 2");
}

#[test]
fn fq_6_a_player_without_any_stone_has_lost() {
    assert_eq!(outcome("7/7/7/7/7/7/P6[P] w"), (Outcome::Win(Color::White), Reason::NoStones));
    assert_eq!(outcome("7/7/7/7/7/7/7[p] w"), (Outcome::Win(Color::Black), Reason::NoStones));
    assert_eq!(outcome("7/7/7/7/7/7/7[P] b"), (Outcome::Win(Color::White), Reason::NoStones));
    assert_eq!(outcome("7/7/7/7/7/7/7[] b"), (Outcome::Draw, Reason::NoStones));
    // The game is over at once: nothing may be placed any more.
    assert!(position("7/7/7/7/7/7/P6[PP] w").legal_moves().is_empty());
    // A stone on the board or in hand is enough to play on.
    assert_eq!(outcome("7/7/7/7/7/7/P6[Pp] w").0, Outcome::Ongoing);
    assert_eq!(outcome("7/7/7/7/7/7/Pp5[P] w").0, Outcome::Ongoing);
    // Black's last placement takes White's last stone.
    let result = play("7/7/7/2ppP2/2p4/7/7[p] b", &["d3"]).result();
    assert_eq!((result.outcome, result.reason), (Outcome::Win(Color::Black), Reason::NoStones));
    // With one more in White's hand the game goes on.
    assert_eq!(play("7/7/7/2ppP2/2p4/7/7[Pp] b", &["d3"]).result().outcome, Outcome::Ongoing);
}

#[test]
fn fq_7_who_cannot_place_ends_the_game_and_more_stones_win() {
    assert_eq!(outcome("7/7/7/7/7/7/PPp4[p] w"), (Outcome::Win(Color::White), Reason::StoneCount));
    assert_eq!(outcome("7/7/7/7/7/7/PPp4[P] b"), (Outcome::Win(Color::White), Reason::StoneCount));
    assert_eq!(outcome("7/7/7/7/7/7/Ppp4[] b"), (Outcome::Win(Color::Black), Reason::StoneCount));
    assert_eq!(outcome("7/7/7/7/7/7/Pp5[] w"), (Outcome::Draw, Reason::StoneCount));
    assert_eq!(outcome("7/7/7/7/7/7/Ppp4[p] b").0, Outcome::Ongoing);
    let full = "PpPpPpP/pPpPpPp/PpPpPpP/pPpPpPp/PpPpPpP/pPpPpPp/PpPpPp";
    assert_eq!(outcome(&format!("{full}P[Pp] w")), (Outcome::Win(Color::White), Reason::StoneCount));
    assert_eq!(outcome(&format!("{full}1[Pp] w")).0, Outcome::Ongoing);
}

#[test]
fn fq_7_a_game_has_forty_placements() {
    let mut record = Record::new(Fangqi::start());
    while let Some(&mv) = record.position().legal_moves().first() {
        assert_eq!(record.result().outcome, Outcome::Ongoing);
        record.push(mv);
    }
    assert_eq!(record.moves().len(), 40);
    assert_eq!(record.result().reason, Reason::StoneCount);
    assert!(record.position().fen().ends_with("[] w - - 0 21"));
}

#[test]
fn fq_8_preview() {
    let game = |fen: &str| Game::from_fen(Variant::Fangqi, fen).unwrap();
    let preview = |fen: &str, word: &str, base: RankBase| {
        let game = game(fen);
        game.preview(game.parse_move(word, base).unwrap(), base).unwrap().to_string()
    };
    // c4 completes the squares b3–c4 and c3–d4; only the first has enemies beside it.
    let two = "7/7/1p5/1P1P3/pPPP3/7/7 w";
    assert_eq!(preview(two, "P@c4", RankBase::One), "squares b3 c3 capturing b3 captures a3 b5");
    assert_eq!(preview(two, "P@c3", RankBase::Zero), "squares b2 c2 capturing b2 captures a2 b4");
    assert_eq!(preview("7/7/7/1PP4/1P5/7/7 w", "P@c3", RankBase::One), "squares b3 capturing - captures -");
    assert_eq!(preview("7/7/7/7/7/7/7 w", "P@c3", RankBase::One), "squares - capturing - captures -");
    // It is a question, not a move, and only legal placements can be asked about.
    let game = game(two);
    let before = game.fen();
    let occupied = Fangqi::placement_on(1 + 2 * 7);
    assert_eq!(game.preview(occupied, RankBase::One), None);
    assert_eq!(game.fen(), before);
    let xiangqi = Game::new(Variant::Xiangqi);
    assert_eq!(xiangqi.preview(Fangqi::placement_on(3), RankBase::One), None);
}

#[test]
fn fq_8_preview_says_what_the_move_then_does() {
    for line in lines("fangqi_random.jsonl") {
        let before = position(&line.fen);
        let enemy = !before.side();
        let mut noisy = MoveList::new();
        before.generate(Generate::Noisy, &mut noisy);
        for &mv in before.legal_moves().iter() {
            let preview = before.preview(mv).unwrap();
            let after = before.after(mv);
            assert_eq!(before.stones(enemy) & !after.stones(enemy), preview.captures, "{} {mv:?}", line.fen);
            assert_eq!(preview.captures != 0, preview.capturing != 0);
            assert_eq!(preview.capturing & !preview.squares, 0);
            assert_eq!(noisy.contains(&mv), preview.captures != 0);
            assert_eq!(before.captured(mv), preview.captures.count_ones() as usize);
        }
    }
}

#[test]
fn fq_9_set_up_positions() {
    // Hands of any size and parity, either side to move, any stones.
    for fen in ["7/7/7/7/7/7/7[PPPpp] b", "PPPPPPP/PPPPPPP/PPPPPPP/PPPPPPP/7/7/7[P] b", "7/7/7/7/7/7/7[] w"] {
        assert!(Fangqi::from_fen(fen).is_ok(), "{fen}");
    }
    let too_many = format!("7/7/7/7/7/7/7[{}] w", "p".repeat(21));
    assert!(matches!(Fangqi::from_fen(&too_many), Err(FenError::Setup { rule: "FQ-9", .. })));
    assert!(matches!(Fangqi::from_fen("7/7/7/7/7/7/7[] w - - 3 1"), Err(FenError::Setup { rule: "FQ-9", .. })));
    for fen in [
        "7/7/7/7/7/7[] w",
        "8/7/7/7/7/7/7[] w",
        "6/7/7/7/7/7/7[] w",
        "7/7/7/3R3/7/7/7[] w",
        "7/7/7/7/7/7/7[PR] w",
        "7/7/7/7/7/7/7[P w",
        "7/7/7/7/7/7/7[P]",
        "7/7/7/7/7/7/7[P] x",
        "",
    ] {
        let error = Fangqi::from_fen(fen).expect_err(fen);
        assert!(!matches!(error, FenError::Setup { .. }), "{fen}: {error}");
    }
}

#[test]
fn fq_9_holdings_in_every_form() {
    let hands = |fen: &str| {
        let position = position(fen);
        (position.hand(Color::White), position.hand(Color::Black))
    };
    assert_eq!(hands("7/7/7/7/7/7/7[pPpPp] w"), (2, 3));
    assert_eq!(hands("7/7/7/7/7/7/7[-] w"), (0, 0));
    assert_eq!(hands("7/7/7/7/7/7/7[] w"), (0, 0));
    // Without brackets: twenty minus the stones on the board, not below none.
    assert_eq!(hands("7/7/7/7/7/7/PPPpp2 w"), (17, 18));
    assert_eq!(hands("PPPPPPP/PPPPPPP/PPPPPPP/7/7/7/p6 w"), (0, 19));
    assert_eq!(position("7/7/7/7/7/7/7[pP] r - - 0 7").fen(), "7/7/7/7/7/7/7[Pp] w - - 0 7");
    assert_eq!(position("7/7/7/7/7/7/7[] b").fen(), "7/7/7/7/7/7/7[] b - - 0 1");
}
