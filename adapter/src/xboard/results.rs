//! Results as the front claims them. XBoard knows the rules of none of these games to the end, so it is told.
use sanqi::board::Color;
use sanqi::games::{Game, GameResult, Outcome, Reason, Variant};

/// The claim for a game that has ended; `exchanged` when the GUI calls the first player Black. `None` while the game goes on.
pub(super) fn claim(game: &Game, exchanged: bool) -> Option<String> {
    let GameResult { outcome, reason } = game.result();
    let outcome = match outcome {
        Outcome::Win(color) if exchanged => Outcome::Win(!color),
        other => other,
    };
    let (winner, loser) = match outcome {
        Outcome::Ongoing => return None,
        Outcome::Win(color) => (name(color), name(!color)),
        Outcome::Draw => ("", ""),
    };
    let drawn = outcome == Outcome::Draw;
    let why = match reason {
        Reason::Checkmate => format!("{winner} mates"),
        Reason::Stalemate if drawn => "Stalemate".to_owned(),
        Reason::Stalemate => format!("{loser} has no legal move"),
        Reason::Repetition => "Draw by repetition".to_owned(),
        Reason::PerpetualCheck => format!("{loser} has given perpetual check"),
        Reason::MoveCount => match game.variant() {
            Variant::Xiangqi => "120 moves without capture".to_owned(),
            Variant::Supply => "100 turns without capture or drop".to_owned(),
            Variant::Yangqi | Variant::YangqiNoSwap | Variant::Fangqi => "50-move rule".to_owned(),
        },
        Reason::BareKings => "King against king".to_owned(),
        Reason::NoStones if drawn => "No stone is left".to_owned(),
        Reason::NoStones => format!("{loser} has no stone left"),
        Reason::StoneCount => stones(game, exchanged),
        Reason::Adjudicated | Reason::Ongoing => reason.to_string(),
    };
    Some(format!("{outcome} {{{why}}}"))
}

fn stones(game: &Game, exchanged: bool) -> String {
    let Game::Fangqi(record) = game else { return Reason::StoneCount.to_string() };
    let count = |color: Color| record.position().stones(if exchanged { !color } else { color }).count_ones();
    format!("White has {} stones, Black {}", count(Color::White), count(Color::Black))
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variant: Variant, fen: &str, exchanged: bool) -> Option<String> {
        claim(&Game::from_fen(variant, fen).unwrap(), exchanged)
    }

    #[test]
    fn claims() {
        assert_eq!(claim(&Game::new(Variant::Yangqi), false), None);
        let mated = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1";
        assert_eq!(of(Variant::Xiangqi, mated, false).as_deref(), Some("1-0 {White mates}"));
        assert_eq!(of(Variant::Supply, mated, true).as_deref(), Some("0-1 {Black mates}"));
        let stuck = "4k4/9/4P4/4K4/9/9/9/9/9/9 b - - 0 1";
        assert!(of(Variant::Yangqi, stuck, false).is_none());
        let bare = "4k4/9/9/4K4/9/9/9/9/9/9 b - - 0 1";
        assert_eq!(of(Variant::Yangqi, bare, false).as_deref(), Some("1/2-1/2 {King against king}"));
        let counted = "PPP4/7/7/7/7/7/p6[] w - - 0 21";
        assert_eq!(of(Variant::Fangqi, counted, false).as_deref(), Some("1-0 {White has 3 stones, Black 1}"));
        assert_eq!(of(Variant::Fangqi, counted, true).as_deref(), Some("0-1 {White has 1 stones, Black 3}"));
        let gone = "PPP4/7/7/7/7/7/7[P] b - - 0 21";
        assert_eq!(of(Variant::Fangqi, gone, false).as_deref(), Some("1-0 {Black has no stone left}"));
    }
}
