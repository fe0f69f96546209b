//! Moves as CECP writes them: coordinates without separators. A board of ten ranks counts them 0–9, any other from 1.
use sanqi::board::Color;
use sanqi::games::supply::Supply;
use sanqi::games::text::read_square;
use sanqi::games::{Game, Move, MoveError, Position, RankBase, Variant};

/// How CECP counts the ranks of a variant's board. Boards of exactly ten ranks count from 0.
pub fn rank_base(variant: Variant) -> RankBase {
    match variant {
        Variant::Fangqi => RankBase::One,
        Variant::Xiangqi | Variant::Supply | Variant::Yangqi | Variant::YangqiNoSwap => RankBase::Zero,
    }
}

/// How one peer writes moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveStyle {
    /// Number of its lowest rank.
    pub base: RankBase,
    /// Its letter for the vao as a promotion of Yáng Qí, in lower case; `a` with ChessV.
    pub vao: char,
    /// It is XBoard, which takes a Soldier of Supply Xiangqi on the last rank for a pawn that promotes: `f8f9p` tells it to leave the
    /// Soldier as it is.
    pub marks_soldiers: bool,
}

impl MoveStyle {
    /// The style of engines.
    pub fn of(variant: Variant) -> MoveStyle {
        MoveStyle { base: rank_base(variant), vao: 'v', marks_soldiers: false }
    }

    /// A legal move of `game` as text: `e2e4`, a promotion `h8h9r`, a drop or stone `P@d4`, a king swap from the king's square to
    /// the partner's.
    pub fn write(self, game: &Game, mv: Move) -> String {
        let text = game.move_text(mv, self.base);
        match text.strip_suffix('v') {
            Some(squares) => format!("{squares}{}", self.vao),
            None if self.marks_soldiers && is_soldier_at_the_end(game, mv) => format!("{text}p"),
            None => text,
        }
    }

    /// Reads a legal move of `game`. Letters may be of either case, a promotion may stand after `=`, the vao may be `v` or `a`, a swap
    /// may name the partner's square first. What XBoard adds to the move of a Soldier to the last rank is passed over.
    ///
    /// # Errors
    /// Not a move, or not a legal one.
    pub fn read(self, game: &Game, text: &str) -> Result<Move, MoveError> {
        let plain = text.trim().trim_end_matches(['+', '#']).replacen('=', "", 1);
        let named = |error| match error {
            MoveError::Syntax(_) => MoveError::Syntax(text.trim().to_owned()),
            MoveError::Illegal(_) => MoveError::Illegal(text.trim().to_owned()),
        };
        let read = game.parse_move(&plain, self.base);
        let soldier = || {
            let mv = game.parse_move(plain.get(..4)?, self.base).ok()?;
            (plain.len() == 5 && is_soldier_at_the_end(game, mv)).then_some(mv)
        };
        read.or_else(|error| soldier().ok_or(error)).map_err(named)
    }
}

/// A Soldier of Supply Xiangqi reaches the last rank, or moves along it.
fn is_soldier_at_the_end(game: &Game, mv: Move) -> bool {
    let Game::Supply(record) = game else { return false };
    let position = record.position();
    let last = if position.side() == Color::White { mv.to() / 9 == 9 } else { mv.to() / 9 == 0 };
    let moving = position.piece_at(mv.from()).map(Supply::piece_letter);
    last && moving.is_some_and(|letter| letter.eq_ignore_ascii_case(&'p'))
}

/// A move word that need not be a move of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveWord<'a> {
    /// `@@@@`: the turn passes, nothing moves.
    Null,
    /// Two legs that end where they began, `d7c6,c6d7`: what stands on the first leg's target disappears. Squares as
    /// `(file, rank)` from 0.
    Shot {
        /// Who shoots.
        from: (usize, usize),
        /// What disappears.
        target: (usize, usize),
    },
    /// Anything else: a move of the game, or nothing at all.
    Move(&'a str),
}

impl MoveWord<'_> {
    /// Tells what kind of word it is, on a board of `files` × `ranks`.
    pub fn of(text: &str, files: usize, ranks: usize, base: RankBase) -> MoveWord<'_> {
        let text = text.trim();
        if text == "@@@@" {
            return MoveWord::Null;
        }
        let leg = |text| {
            let (file, rank, rest) = read_square(text, files, ranks, base)?;
            let (to_file, to_rank, rest) = read_square(rest, files, ranks, base)?;
            rest.is_empty().then_some(((file, rank), (to_file, to_rank)))
        };
        let legs = text.split_once(',').and_then(|(there, back)| Some((leg(there)?, leg(back)?)));
        match legs {
            Some(((from, target), (again, home))) if again == target && home == from => MoveWord::Shot { from, target },
            _ => MoveWord::Move(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: MoveStyle = MoveStyle { base: RankBase::Zero, vao: 'v', marks_soldiers: false };
    const CHESSV: MoveStyle = MoveStyle { vao: 'a', ..STYLE };
    const XBOARD: MoveStyle = MoveStyle { marks_soldiers: true, ..STYLE };

    fn game(variant: Variant, fen: &str) -> Game {
        Game::from_fen(variant, fen).unwrap()
    }

    /// Every legal move of some positions survives the way there and back, in both rank bases.
    #[test]
    fn there_and_back() {
        let positions = [
            (Variant::Xiangqi, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
            (Variant::Supply, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[RNCPrncp] w - - 0 1"),
            (Variant::Yangqi, "b1b1kc1nr/1P5c1/n8/1p3pp1B/Cv1p2P1P/C2P1P3/2P3V2/P1K6/9/RN5Nv w - - 0 1"),
            (Variant::Yangqi, "3r1c2k/9/p7p/9/5P3/1b7/9/P7P/3BCV3/3RKN3 w - - 0 1"),
            (Variant::Supply, "3ak4/5P3/9/9/9/9/9/9/9/3K5[P] w - - 0 1"),
            (Variant::Fangqi, "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9"),
        ];
        for (variant, fen) in positions {
            let game = game(variant, fen);
            let one = MoveStyle { base: RankBase::One, ..STYLE };
            for style in [MoveStyle::of(variant), CHESSV, XBOARD, one] {
                for mv in game.legal_moves() {
                    let text = style.write(&game, mv);
                    assert_eq!(style.read(&game, &text), Ok(mv), "{text}");
                }
            }
        }
    }

    /// The forms of the table in which XBoard and ChessV write Yáng Qí.
    #[test]
    fn forms_of_yangqi() {
        let start = Game::new(Variant::Yangqi);
        assert!(STYLE.read(&start, "e2e4").is_ok());
        assert_eq!(STYLE.read(&start, "e0f0"), STYLE.read(&start, "f0e0"));
        assert!(STYLE.read(&start, "e1e3").is_err());
        let promoting =
            game(Variant::Yangqi, "b1b1kc1nr/1P5c1/n8/1p3pp1B/Cv1p2P1P/C2P1P3/2P3V2/P1K6/9/RN5Nv w - - 0 1");
        let vao = STYLE.read(&promoting, "b8b9v").unwrap();
        for text in ["b8b9a", "b8b9A", "b8b9=V", " b8b9v+ "] {
            assert_eq!(STYLE.read(&promoting, text), Ok(vao), "{text}");
        }
        assert_eq!((STYLE.write(&promoting, vao), CHESSV.write(&promoting, vao)), ("b8b9v".into(), "b8b9a".into()));
        let one = MoveStyle { base: RankBase::One, ..STYLE };
        assert_eq!(one.write(&promoting, vao), "b9b10v");
        assert_eq!(STYLE.read(&promoting, "b8b9"), Err(MoveError::Illegal("b8b9".into())));
        assert_eq!(STYLE.read(&promoting, "b8b9=="), Err(MoveError::Syntax("b8b9==".into())));
    }

    /// XBoard relays a Soldier's last step with the letter of a Queen, which is `.` where there is none.
    #[test]
    fn soldiers_do_not_promote() {
        let game = game(Variant::Supply, "3ak4/5P3/9/9/9/9/9/9/9/3K5[P] w - - 0 1");
        let step = STYLE.read(&game, "f8f9").unwrap();
        for text in ["f8f9.", "f8f9p", "f8f9=Q"] {
            assert_eq!(STYLE.read(&game, text), Ok(step), "{text}");
        }
        assert_eq!((XBOARD.write(&game, step), STYLE.write(&game, step)), ("f8f9p".into(), "f8f9".into()));
        assert_eq!(XBOARD.write(&game, STYLE.read(&game, "f8g8").unwrap()), "f8g8");
        assert_eq!(STYLE.read(&game, "f8g8."), Err(MoveError::Syntax("f8g8.".into())));
        assert!(STYLE.read(&game, "f8f9pp").is_err() && STYLE.read(&game, "é8f9.").is_err());
    }

    #[test]
    fn words_that_are_no_moves() {
        let of = |text| MoveWord::of(text, 7, 7, RankBase::One);
        assert_eq!(of("@@@@"), MoveWord::Null);
        assert_eq!(of("d7c6,c6d7"), MoveWord::Shot { from: (3, 6), target: (2, 5) });
        for text in ["d7c6,c6d6", "d7c6", "P@d4", "d7c6,", ",", "d8c6,c6d8", "d7c6,c6d7,d7c6", ""] {
            assert_eq!(of(text), MoveWord::Move(text));
        }
    }
}
