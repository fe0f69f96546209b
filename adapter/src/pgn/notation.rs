//! Moves in movetext.
use sanqi::games::text::{illegal, syntax};
use sanqi::games::yangqi::SwapText;
use sanqi::games::{Game, Move, MoveError, Notation, RankBase};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveNotation {
    /// The game's own: WXF for xiangqi and supply, algebraic for yangqi, points for fangqi.
    #[default]
    San,
    /// As `san`, but ICCS for xiangqi and supply.
    Iccs,
    /// As `san`, but with the letter C for yangqi's cannon.
    CannonC,
    /// As engines write them, ranks from 1.
    Uci,
}

/// No notation has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown notation `{0}` (known: san, iccs, cannonc, uci)")]
pub struct UnknownNotation(String);

impl FromStr for MoveNotation {
    type Err = UnknownNotation;
    fn from_str(text: &str) -> Result<MoveNotation, UnknownNotation> {
        match text {
            "san" => Ok(MoveNotation::San),
            "iccs" => Ok(MoveNotation::Iccs),
            "cannonc" => Ok(MoveNotation::CannonC),
            "uci" | "lan" => Ok(MoveNotation::Uci),
            _ => Err(UnknownNotation(text.to_owned())),
        }
    }
}

impl MoveNotation {
    /// The library's notation; `None` for engine moves.
    fn native(self) -> Option<Notation> {
        match self {
            MoveNotation::San => Some(Notation::Native),
            MoveNotation::Iccs => Some(Notation::Iccs),
            MoveNotation::CannonC => Some(Notation::CannonC),
            MoveNotation::Uci => None,
        }
    }

    /// A legal move as one word. King swaps take the short form: the semicolon of the full one opens a comment in PGN (YQ-9).
    pub fn write(self, game: &Game, mv: Move) -> String {
        let Some(notation) = self.native() else { return game.move_text(mv, RankBase::One) };
        match game {
            Game::Yangqi(record) => record.position().write_san(mv, notation, SwapText::Short),
            Game::YangqiNoSwap(record) => record.position().write_san(mv, notation, SwapText::Short),
            _ => game.san(mv, notation),
        }
    }
}

/// Reads a move in any of the notations: the game's own first, then as engines write it.
///
/// # Errors
/// No legal move is written so, or more than one.
pub fn read_move(game: &Game, text: &str) -> Result<Move, MoveError> {
    let own = match game {
        Game::Yangqi(record) => record.position().parse_san(text),
        Game::YangqiNoSwap(record) => record.position().parse_san(text),
        Game::Fangqi(_) => game.parse_move(&format!("P@{text}"), RankBase::One),
        Game::Xiangqi(_) | Game::Supply(_) => find_written(game, text),
    };
    own.or_else(|_| game.parse_move(text, RankBase::One))
}

/// The legal move that is written `text` in WXF or ICCS.
fn find_written(game: &Game, text: &str) -> Result<Move, MoveError> {
    // A dot is an old form of the level sign. ICCS must have its dash: without it, it is an engine's move with ranks from 1.
    let plain = |text: &str| text.trim_end_matches(['!', '?']).replace('.', "=").to_ascii_uppercase();
    let wanted = plain(text);
    for notation in [Notation::Native, Notation::Iccs] {
        let mut found = game.legal_moves().into_iter().filter(|&mv| plain(&game.san(mv, notation)) == wanted);
        match (found.next(), found.next()) {
            (Some(mv), None) => return Ok(mv),
            (Some(_), Some(_)) => return Err(illegal(text)),
            (None, _) => {}
        }
    }
    Err(syntax(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::rng::SplitMix64;
    use sanqi::games::{Outcome, Variant};

    #[test]
    fn every_move_of_random_games_is_read_back() {
        let mut rng = SplitMix64::new(4);
        for variant in Variant::ALL {
            for _ in 0..6 {
                let mut game = Game::new(variant);
                while game.result().outcome == Outcome::Ongoing && game.moves().len() < 120 {
                    let moves = game.legal_moves();
                    let mv = moves[rng.below(moves.len())];
                    for notation in [MoveNotation::San, MoveNotation::Iccs, MoveNotation::CannonC, MoveNotation::Uci] {
                        let text = notation.write(&game, mv);
                        assert!(!text.contains([' ', ';', '{']), "{text}");
                        assert_eq!(read_move(&game, &text), Ok(mv), "{variant} {text} in {}", game.fen());
                    }
                    game.push(mv);
                }
            }
        }
    }

    #[test]
    fn other_spellings() {
        let game = Game::new(Variant::Xiangqi);
        for text in ["C2=5", "c2.5", "H2-E2", "h3e3", "C2=5!"] {
            let mv = read_move(&game, text).unwrap();
            assert_eq!(game.move_text(mv, RankBase::One), "h3e3", "{text}");
        }
        assert!(
            read_move(&game, "C2=9?").is_err() && read_move(&game, "").is_err() && read_move(&game, "Nf3").is_err()
        );
    }
}
