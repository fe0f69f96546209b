//! What the FENs of all games share: the fields and their lenient forms (see `protocol-docs/uci.md`).
use super::error::FenError;
use crate::board::Color;

/// The fields of a FEN, not yet looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenFields<'a> {
    /// The board without its holdings.
    pub board: &'a str,
    /// The text between the brackets; `None` without brackets. `[-]` gives the empty string.
    pub holdings: Option<&'a str>,
    /// Side to move.
    pub side: Color,
    /// The en passant field as it stands, `None` for `-` or when absent.
    pub en_passant: Option<&'a str>,
    /// Half-move counter, 0 when absent.
    pub halfmove: u32,
    /// Full-move number, at least 1, 1 when absent.
    pub fullmove: u32,
}

/// Largest half-move counter and full-move number that are accepted.
pub const MAX_COUNTER: u32 = 9999;

impl<'a> FenFields<'a> {
    /// Splits a FEN. Accepted are two to six fields: board, side (`w`, `r` or `b`), up to two of castling and en passant
    /// (`--` stands for both dashes), up to two counters.
    ///
    /// # Errors
    /// A missing side, an unknown side letter, a broken bracket, a counter that is no number up to 9999, a field too many.
    pub fn parse(text: &'a str) -> Result<FenFields<'a>, FenError> {
        let mut words = text.split_whitespace();
        let (Some(place), Some(side)) = (words.next(), words.next()) else {
            return Err(FenError::Short(text.trim().to_owned()));
        };
        let (board, holdings) = match place.split_once('[') {
            None => (place, None),
            Some((board, rest)) => match rest.strip_suffix(']') {
                Some("-") => (board, Some("")),
                Some(inner) if !inner.contains(['[', ']']) => (board, Some(inner)),
                _ => {
                    return Err(FenError::field("holdings", format!("[{rest}"), "expected `[pieces]` after the board"));
                }
            },
        };
        let side = match side {
            "w" | "r" | "W" | "R" => Color::White,
            "b" | "B" => Color::Black,
            _ => return Err(FenError::field("side", side, "expected w or b")),
        };
        let mut fields = FenFields { board, holdings, side, en_passant: None, halfmove: 0, fullmove: 1 };
        let is_number = |w: &str| w.starts_with(|c: char| c.is_ascii_digit() || c == '+');
        let rest: Vec<&str> = words.collect();
        let text_fields = rest.iter().take_while(|w| !is_number(w)).count();
        let (texts, numbers) = rest.split_at(text_fields);
        match *texts {
            [] | ["-" | "--"] | ["-", "-"] => {}
            ["-", ep] | [ep] => fields.en_passant = Some(ep),
            [castling, _] => {
                return Err(FenError::field("castling", castling, "no game here has castling, expected -"));
            }
            [_, _, extra, ..] => return Err(FenError::field("half-move counter", extra, "expected a number")),
        }
        if let Some(extra) = numbers.get(2) {
            return Err(FenError::field("end", *extra, "nothing may follow the full-move number"));
        }
        let number = |field, word: &str| match word.parse::<u32>() {
            Ok(n) if n <= MAX_COUNTER => Ok(n),
            _ => Err(FenError::field(field, word, "expected a number from 0 to 9999")),
        };
        if let Some(word) = numbers.first() {
            fields.halfmove = number("half-move counter", word)?;
        }
        if let Some(word) = numbers.get(1) {
            fields.fullmove = number("full-move number", word)?.max(1);
        }
        Ok(fields)
    }

    /// Walks a board field of `files` × `ranks` and calls `put(letter, file, rank)` for each piece, ranks counted from 0 below.
    ///
    /// # Errors
    /// Too few or too many ranks, a rank that does not fill its files, or what `put` refuses.
    pub fn walk_board(
        &self,
        files: usize,
        ranks: usize,
        mut put: impl FnMut(char, usize, usize) -> Result<(), FenError>,
    ) -> Result<(), FenError> {
        let rows = self.board.split('/').count();
        if rows != ranks {
            return Err(FenError::field("board", self.board, format!("has {rows} ranks, expected {ranks}")));
        }
        for (index, row) in self.board.split('/').enumerate() {
            let rank = ranks - 1 - index;
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None if file < files => {
                        put(letter, file, rank)?;
                        file += 1;
                    }
                    None => file += 1,
                }
            }
            if file != files {
                return Err(FenError::field(
                    "board",
                    row,
                    format!("rank {} has {file} files, expected {files}", rank + 1),
                ));
            }
        }
        Ok(())
    }
}

/// Writes the board field: `piece(file, rank)` gives the letter on a square.
pub fn write_board(files: usize, ranks: usize, piece: impl Fn(usize, usize) -> Option<char>) -> String {
    let mut out = String::new();
    for rank in (0..ranks).rev() {
        let mut gap = 0;
        for file in 0..files {
            match piece(file, rank) {
                Some(letter) => {
                    if gap > 0 {
                        out.push_str(&gap.to_string());
                        gap = 0;
                    }
                    out.push(letter);
                }
                None => gap += 1,
            }
        }
        if gap > 0 {
            out.push_str(&gap.to_string());
        }
        if rank > 0 {
            out.push('/');
        }
    }
    out
}
