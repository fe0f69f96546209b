//! BPGN, the bughouse relative of PGN: tags, then the moves of both boards in their order in time, `1A.` Red on board 1, `1a.` Black on
//! board 1, `1B.` and `1b.` on board 2, each followed by the seat's clock in braces.
mod losses;
mod read;
mod tags;
mod write;

use super::format::MatchResult;
use super::values::{EndReason, Seat};
use sanqi::games::Outcome;
use sanqi::games::supply::team::BoardId;

pub use losses::losses;
pub(super) use read::leading_tag;
pub use read::{Reading, is_bpgn, read, read_all, read_one};
pub(super) use write::is_tag_name;
pub use write::write;

/// The letter of a seat: of its board, upper case for Red.
const fn seat_letter(seat: Seat) -> char {
    match seat {
        Seat::Red1 => 'A',
        Seat::Black1 => 'a',
        Seat::Red2 => 'B',
        Seat::Black2 => 'b',
    }
}

/// The name of the tag with the player of a seat.
const fn player_tag(seat: Seat) -> &'static str {
    match seat {
        Seat::Red1 => "WhiteA",
        Seat::Black1 => "BlackA",
        Seat::Red2 => "WhiteB",
        Seat::Black2 => "BlackB",
    }
}

/// The name of the tag with that player's rating.
const fn rating_tag(seat: Seat) -> &'static str {
    match seat {
        Seat::Red1 => "WhiteAElo",
        Seat::Black1 => "BlackAElo",
        Seat::Red2 => "WhiteBElo",
        Seat::Black2 => "BlackBElo",
    }
}

const fn board_letter(board: BoardId) -> char {
    match board {
        BoardId::One => 'A',
        BoardId::Two => 'B',
    }
}

/// `board A 1-0 checkmate`.
fn ending(board: BoardId, outcome: Outcome, reason: EndReason) -> String {
    format!("board {} {outcome} {reason}", board_letter(board))
}

/// What stands in braces before the result.
fn summary(result: &MatchResult) -> String {
    let [one, two] = BoardId::ALL.map(|board| {
        let end = result.board(board);
        ending(board, end.outcome.into(), end.reason)
    });
    format!("{one}, {two}")
}

/// The result of a match from the team of WhiteA, team 1.
fn result_token(result: &MatchResult) -> &'static str {
    use super::values::MatchOutcome;
    match result.outcome {
        MatchOutcome::Team1 => "1-0",
        MatchOutcome::Team2 => "0-1",
        MatchOutcome::Draw => "1/2-1/2",
        MatchOutcome::Unfinished => "*",
    }
}
