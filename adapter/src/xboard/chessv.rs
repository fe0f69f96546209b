//! Where ChessV plays Yáng Qí by other rules than ours.
use crate::cecp::rank_base;
use sanqi::board::Color;
use sanqi::games::fen::write_board;
use sanqi::games::text::read_square;
use sanqi::games::yangqi::Yangqi;
use sanqi::games::{Game, Position, Variant};

const FILES: usize = 9;
const RANKS: usize = 10;

/// ChessV lets a king change places with a piece beside it while it is in check, which YQ-7 forbids: refusing such a move would
/// end the game there. The position after it, if `text` is one.
pub(super) fn swap_in_check(game: &Game, text: &str) -> Option<Game> {
    let Game::Yangqi(record) = game else { return None };
    let position = record.position();
    let side = position.side();
    let square = |text| read_square(text, FILES, RANKS, rank_base(Variant::Yangqi));
    let (file, rank, rest) = square(text)?;
    let (to_file, to_rank, rest) = square(rest)?;
    let (king, partner) = ((file, rank), (to_file, to_rank));
    let (moved, pushed) = (letter_on(position, king)?, letter_on(position, partner)?);
    let own = |letter: char| letter.is_ascii_uppercase() == (side == Color::White);
    let is_adjacent = file.abs_diff(to_file).max(rank.abs_diff(to_rank)) == 1;
    let is_swap = moved.eq_ignore_ascii_case(&'k') && own(moved) && own(pushed) && !pushed.eq_ignore_ascii_case(&'p');
    if !position.in_check() || !is_adjacent || !is_swap || !rest.is_empty() {
        return None;
    }
    let board = write_board(FILES, RANKS, |file, rank| match (file, rank) {
        square if square == king => Some(pushed),
        square if square == partner => Some(moved),
        square => letter_on(position, square),
    });
    let fen = game.fen();
    let mut counters = fen.split_whitespace().skip(4).map_while(|word| word.parse::<u32>().ok());
    let (half, full) = (counters.next()?, counters.next()?);
    let (next, full) = if side == Color::White { ("b", full) } else { ("w", full + 1) };
    // A king that is still in check is refused here.
    Game::from_fen(Variant::Yangqi, &format!("{board} {next} - - {} {full}", half + 1)).ok()
}

fn letter_on(position: &Yangqi, (file, rank): (usize, usize)) -> Option<char> {
    position.piece_at(u8::try_from(rank * FILES + file).ok()?).map(Yangqi::piece_letter)
}
