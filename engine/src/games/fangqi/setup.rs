//! FENs of fangqi and what FQ-9 allows to be set up.
use super::geometry::FILES;
use super::{Fangqi, HAND};
use crate::board::Color;
use crate::games::FenError;
use crate::games::fen::{FenFields, write_board};

/// The colour of a stone's letter.
fn stone(letter: char) -> Option<Color> {
    match letter {
        'P' => Some(Color::White),
        'p' => Some(Color::Black),
        _ => None,
    }
}

/// Reads a FEN.
pub(super) fn parse(fen: &str) -> Result<Fangqi, FenError> {
    let fields = FenFields::parse(fen)?;
    let mut stones = [0u64; 2];
    fields.walk_board(FILES, FILES, |letter, file, rank| match stone(letter) {
        Some(color) => {
            stones[color.index()] |= 1 << (rank * FILES + file);
            Ok(())
        }
        None => Err(FenError::field("board", letter, "expected P or p for a stone")),
    })?;
    let mut hand = [0u8; 2];
    match fields.holdings {
        // FQ-9: without brackets the stones that are not on the board are in hand.
        None => hand = stones.map(|set| HAND.saturating_sub(set.count_ones() as u8)),
        Some(holdings) => {
            for letter in holdings.chars() {
                let color = stone(letter).ok_or_else(|| {
                    FenError::field("holdings", holdings, "expected only P and p between the brackets")
                })?;
                let count = &mut hand[color.index()];
                *count += 1;
                if *count > HAND {
                    let why = format!("more than {HAND} stones ({letter}) in hand");
                    return Err(FenError::setup("FQ-9", why));
                }
            }
        }
    }
    if fields.halfmove != 0 {
        let why = format!("the half-move counter is {}, fangqi has none: it must be 0", fields.halfmove);
        return Err(FenError::setup("FQ-9", why));
    }
    Ok(Fangqi::new(stones, hand, fields.side, fields.fullmove))
}

/// Writes a FEN, holdings always included.
pub(super) fn write(position: &Fangqi) -> String {
    let board = write_board(FILES, FILES, |file, rank| {
        let bit = 1u64 << (rank * FILES + file);
        match position.stones {
            [white, _] if white & bit != 0 => Some('P'),
            [_, black] if black & bit != 0 => Some('p'),
            _ => None,
        }
    });
    format!("{board}[{}] {} - - 0 {}", holdings(position), position.side.letter(), position.fullmove)
}

/// The stones in hand as letters, White's first.
pub(super) fn holdings(position: &Fangqi) -> String {
    let [white, black] = position.hand.map(usize::from);
    "P".repeat(white) + &"p".repeat(black)
}
