//! How squares and moves are written.
use super::error::MoveError;

/// Number of the lowest rank in move text. FENs do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankBase {
    /// Ranks 0–9, as xiangqi programs write them.
    Zero,
    /// Ranks from 1, `a10` included.
    #[default]
    One,
}

impl RankBase {
    /// What is added to a rank counted from 0.
    pub const fn offset(self) -> usize {
        match self {
            RankBase::Zero => 0,
            RankBase::One => 1,
        }
    }
}

/// Which notation `san` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// The game's own: WXF for xiangqi and supply, algebraic for yangqi (P is the cannon), points for fangqi.
    #[default]
    Native,
    /// ICCS (`H2-E2`) for xiangqi and supply; elsewhere as `Native`.
    Iccs,
    /// Yáng Qí with `C` for the cannon; elsewhere as `Native`.
    CannonC,
}

/// The name of a square, file and rank counted from 0.
pub fn square_name(file: usize, rank: usize, base: RankBase) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + base.offset())
}

/// Reads a square at the start of `text`; gives file, rank (from 0) and what follows. With [`RankBase::One`] up to two digits
/// are read, as many as make a rank of the board.
pub fn read_square(text: &str, files: usize, ranks: usize, base: RankBase) -> Option<(usize, usize, &str)> {
    let mut chars = text.chars();
    let letter = chars.next()?.to_ascii_lowercase();
    let file = (letter as usize).checked_sub('a' as usize).filter(|&f| f < files)?;
    let rest = chars.as_str();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    // The longest reading that is on the board: `a10` is rank ten, `a1` followed by a piece letter is rank one.
    for take in (1..=digits.min(2)).rev() {
        let (number, tail) = rest.split_at(take);
        if take > 1 && number.starts_with('0') {
            continue;
        }
        if let Some(rank) = number.parse::<usize>().ok().and_then(|n| n.checked_sub(base.offset()))
            && rank < ranks
        {
            return Some((file, rank, tail));
        }
    }
    None
}

/// A [`MoveError::Syntax`] for `text`.
pub fn syntax(text: &str) -> MoveError {
    MoveError::Syntax(text.to_owned())
}

/// A [`MoveError::Illegal`] for `text`.
pub fn illegal(text: &str) -> MoveError {
    MoveError::Illegal(text.to_owned())
}
