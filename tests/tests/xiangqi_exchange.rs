//! Static exchange evaluation in xiangqi: the sign of what a capture or a step gains, with screens and lines that open and close.
use sanqi::games::xiangqi::{PieceType, Xiangqi};
use sanqi::games::{Position, RankBase};

/// The exchange is worth `value`: at least that, and no more.
fn exchange(fen: &str, text: &str, value: i32) {
    let position = Xiangqi::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    let mv = position.parse_move(text, RankBase::One).unwrap_or_else(|e| panic!("{fen}: {e}"));
    assert!(position.see(mv, value), "{fen} {text} is worth {value}");
    assert!(!position.see(mv, value + 1), "{fen} {text} is not worth more than {value}");
}

const R: i32 = PieceType::Chariot.value();
const N: i32 = PieceType::Horse.value();
const C: i32 = PieceType::Cannon.value();
const P: i32 = PieceType::Soldier.value();

#[test]
fn plain_captures() {
    exchange("3k5/9/9/2p6/9/9/2R6/9/9/4K4 w - - 0 1", "c4c7", P);
    // Guarded by a Chariot.
    exchange("3k5/2r6/9/2p6/9/9/2R6/9/9/4K4 w - - 0 1", "c4c7", P - R);
    // A Chariot behind the first makes it a fair exchange.
    exchange("3k5/2r6/9/2p6/9/9/2R6/2R6/9/4K4 w - - 0 1", "c4c7", P);
    // Quiet: stepping where a Soldier captures, and where nothing does.
    exchange("3k5/9/9/2p6/9/9/1N7/9/9/4K4 w - - 0 1", "b4c6", -N);
    exchange("3k5/9/9/2p6/9/9/2N6/9/9/4K4 w - - 0 1", "c4d6", 0);
    exchange("3k5/9/9/9/2p6/9/2N6/9/9/4K4 w - - 0 1", "c4b6", 0);
    exchange("3k5/9/9/9/9/2p6/9/2N6/9/4K4 w - - 0 1", "c3b5", -N);
}

#[test]
fn screens() {
    // The opening capture of a Horse: the Chariot takes back.
    let start = Xiangqi::start().fen();
    exchange(&start, "h3h10", N - C);
    // A Cannon guards over the capturing piece's own square only while a screen is left.
    exchange("3k5/9/2c6/9/2p6/9/2R6/9/9/4K4 w - - 0 1", "c4c6", P);
    // With a screen between it takes back.
    exchange("3k5/2c6/2n6/9/2p6/9/2R6/9/9/4K4 w - - 0 1", "c4c6", P - R);
    // The capturing piece was the screen of the Cannon behind it, which now has none.
    exchange("3k5/2r6/9/2p6/9/9/2R6/2C6/9/4K4 w - - 0 1", "c4c7", P - R);
    // Another screen behind: the Cannon joins in.
    exchange("3k5/2r6/9/2p6/9/2R6/2P6/2C6/9/4K4 w - - 0 1", "c5c7", P);
}

#[test]
fn legs_and_generals() {
    // The Horse on e8 guards c7 with its leg on d8 free.
    exchange("5k3/9/4n4/2p6/9/9/2R6/9/9/4K4 w - - 0 1", "c4c7", P - R);
    exchange("5k3/9/3an4/2p6/9/9/2R6/9/9/4K4 w - - 0 1", "c4c7", P);
    // A General takes back what is not guarded, and only that.
    exchange("4k4/4a4/9/9/9/9/9/9/4R4/3K5 w - - 0 1", "e2e9", PieceType::Advisor.value() - R);
    exchange("4k4/4a4/9/9/9/9/9/4R4/4R4/3K5 w - - 0 1", "e3e9", PieceType::Advisor.value());
}
