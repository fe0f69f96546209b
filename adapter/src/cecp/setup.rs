//! How an engine defines a variant that XBoard does not know: board, letters, start position, and how the pieces move.
//!
//! The letters stand in the order of XBoard's own piece types (Pawn, Knight, Bishop, Rook, Queen, Advisor, Elephant …, King last),
//! which decides about their pictures. Behind the size of the board stands the number of piece types in hand.
use sanqi::games::{Game, Variant};

/// The `setup` line that follows `variant`; `None` for a variant that XBoard knows by itself.
pub fn setup(variant: Variant) -> Option<String> {
    let (letters, board) = match variant {
        Variant::Xiangqi => return None,
        // Bughouse as the parent: what is captured does not change sides, and drops are known.
        Variant::Supply => ("PN.R.AB..K.C..........pn.r.ab..k.c..........", "9x10+7_bughouse"),
        Variant::Fangqi => ("P.................p.................", "7x7+1_bughouse"),
        // Courier as the parent: pawns promote on the last rank, and there is no castling, so that a king that moves to a piece of
        // its own changes places with it.
        Variant::Yangqi | Variant::YangqiNoSwap => ("PNBR...V...C.........Kpnbr...v...c.........k", "9x10+0_courier"),
    };
    Some(format!("setup ({letters}) {board} {}", Game::new(variant).fen()))
}

/// The `piece` lines behind it, in Betza's notation. Drops (`@`) are ignored by XBoard 4.9 and understood by later ones.
pub fn pieces(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Xiangqi | Variant::Fangqi => &[],
        Variant::Supply => &[
            "piece R& R@10",
            "piece A& F@10",
            "piece C& mRcpR@10",
            "piece P& fsW@10",
            "piece N& nN@10",
            "piece B& nA@10",
            "piece K& W@10",
        ],
        // A destroy-friend move of the king is the swap (YQ-7).
        Variant::Yangqi => &[
            "piece P& fmWfceFifmnD",
            "piece N& N",
            "piece B& B",
            "piece R& R",
            "piece C& mRcpR",
            "piece V& mBcpB",
            "piece K& KdK",
        ],
        Variant::YangqiNoSwap => &[
            "piece P& fmWfceFifmnD",
            "piece N& N",
            "piece B& B",
            "piece R& R",
            "piece C& mRcpR",
            "piece V& mBcpB",
            "piece K& K",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setups_are_what_xboard_accepts() {
        assert_eq!(setup(Variant::Xiangqi), None);
        for variant in Variant::ALL {
            let Some(line) = setup(variant) else { continue };
            let letters = line.split_once('(').and_then(|(_, rest)| rest.split_once(')')).unwrap().0;
            let (white, black) = letters.split_at(letters.len() / 2);
            assert_eq!(white.to_lowercase(), black, "{line}");
            let fen = line.splitn(4, ' ').nth(3).unwrap();
            assert_eq!(Game::from_fen(variant, fen).unwrap().fen(), fen);
            // Every letter of the position has a picture.
            let board = fen.split([' ', '[']).next().unwrap();
            assert!(board.chars().filter(char::is_ascii_alphabetic).all(|c| letters.contains(c)), "{line}");
        }
    }
}
