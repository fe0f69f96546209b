//! What the evaluation of xiangqi and Supply Xiangqi must get right whatever its weights are.
use sanqi::board::Color;
use sanqi::eval::Evaluate;
use sanqi::games::Position;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::Xiangqi;

/// The value for Red.
fn red<P: Evaluate>(fen: &str) -> i32 {
    let position = P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    let value = position.evaluate(&position.accumulate());
    if position.side() == Color::White { value } else { -value }
}

#[test]
fn material_counts() {
    let start = Xiangqi::start().fen();
    assert!(red::<Xiangqi>(&start).abs() < 60);
    let without = |letter: &str, by: &str| red::<Xiangqi>(&start.replacen(letter, by, 1));
    assert!(without("/1c5c1/", "/1c7/") > 200);
    assert!(without("RNBAKABNR", "1NBAKABNR") < -500);
    assert!(without("RNBAKABNR", "1NBAKABNR") < without("RNBAKABNR", "R1BAKABNR"));
}

/// What cannot win is worth next to nothing, however much of it there is.
#[test]
fn guards_alone_do_not_win() {
    assert!(red::<Xiangqi>("4k4/9/9/9/9/2B6/9/4B4/4A4/3K1A3 w - - 0 1").abs() < 60);
    let lone_horse = red::<Xiangqi>("3aka3/9/4b4/9/4N4/9/9/9/9/3K5 w - - 0 1");
    let with_soldier = red::<Xiangqi>("3aka3/9/4b4/P8/4N4/9/9/9/9/3K5 w - - 0 1");
    assert!(lone_horse.abs() < with_soldier, "{lone_horse} {with_soldier}");
}

/// XQ-3, WHW-SXQ-007: a lead is worth less when the count has nearly run out.
#[test]
fn the_count_of_half_moves_shrinks_a_lead() {
    let at = |count: u32| format!("3k5/9/9/9/9/R8/9/9/9/4K4 w - - {count} 90");
    assert!(red::<Xiangqi>(&at(110)) < red::<Xiangqi>(&at(10)));
    assert!(red::<Supply>(&at(95)) < red::<Supply>(&at(10)));
    assert!(red::<Xiangqi>(&at(119)) > 0);
}

/// Reserves are worth something, in the order of the pieces.
#[test]
fn reserves_count() {
    let with = |reserve: &str| {
        red::<Supply>(&format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[{reserve}] w - - 0 1"))
    };
    for piece in ["R", "N", "B", "A", "C", "P"] {
        assert!(with(piece) > with("") + 15, "{piece}");
        assert!(with(piece) > with(&piece.to_lowercase()) + 30, "{piece}");
    }
    assert!(with("R") > with("N") && with("N") > with("P"));
}
