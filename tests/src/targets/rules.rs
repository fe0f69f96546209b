//! Positions and moves.
use super::text;
use sanqi::games::supply::team::TeamGame;
use sanqi::games::{Game, Outcome, RankBase, Variant};
use sanqi::with_game;
use sanqi_adapter::cecp::{self, MoveStyle};
use sanqi_adapter::pgn::{MoveNotation, notation};

/// Moves of one input that are played.
const MOST_MOVES: usize = 60;

/// A position that was accepted is sound, and the same when it is written and read again.
fn sound(game: &Game) {
    let fen = game.fen();
    with_game!(game, record => {
        use sanqi::games::Position;
        record.position().verify().unwrap_or_else(|e| panic!("{fen}: {e}"));
    });
    let again = Game::from_fen(game.variant(), &fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    assert_eq!(again.fen(), fen);
    let moves = game.legal_moves();
    assert_eq!(again.legal_moves(), moves, "{fen}");
    assert!(game.result().outcome != Outcome::Ongoing || !moves.is_empty(), "{fen}: no move and no result");
}

/// A FEN of any game, in the project's form and in that of XBoard.
pub(super) fn fen(data: &[u8]) {
    let text = text(data);
    for variant in Variant::ALL {
        if let Ok(game) = Game::from_fen(variant, &text) {
            sound(&game);
        }
        if let Ok(game) = cecp::read_fen(variant, &text) {
            sound(&game);
            let written = cecp::write_fen(variant, &game.fen());
            let again = cecp::read_fen(variant, &written).unwrap_or_else(|e| panic!("{written}: {e}"));
            assert_eq!(again.fen(), game.fen());
        }
    }
}

/// A FEN or nothing, then moves in any notation, one on a line, in every game that knows the position.
pub(super) fn moves(data: &[u8]) {
    let text = text(data);
    let mut lines = text.lines();
    let start = lines.next().unwrap_or_default().trim();
    for variant in Variant::ALL {
        let opened = if start.is_empty() { Ok(Game::new(variant)) } else { Game::from_fen(variant, start) };
        let Ok(mut game) = opened else { continue };
        for line in lines.clone().take(MOST_MOVES) {
            if game.result().outcome != Outcome::Ongoing {
                break;
            }
            let legal = game.legal_moves();
            let read = [
                game.parse_move(line, RankBase::One).ok(),
                game.parse_move(line, RankBase::Zero).ok(),
                notation::read_move(&game, line).ok(),
                MoveStyle::of(variant).read(&game, line).ok(),
            ];
            assert!(read.iter().flatten().all(|mv| legal.contains(mv)), "{} `{line}`: {read:?}", game.fen());
            let Some(mv) = read.into_iter().flatten().next() else { continue };
            for style in [MoveNotation::San, MoveNotation::Iccs, MoveNotation::CannonC, MoveNotation::Uci] {
                let word = style.write(&game, mv);
                assert_eq!(notation::read_move(&game, &word), Ok(mv), "{} `{word}`", game.fen());
            }
            game.push(mv);
        }
        sound(&game);
    }
}

/// A FEN of two boards, then moves, one on a line, and results such as `=1`.
pub(super) fn team(data: &[u8]) {
    let text = text(data);
    let mut lines = text.lines();
    let start = lines.next().unwrap_or_default().trim();
    let opened = if start.is_empty() { Ok(TeamGame::new()) } else { TeamGame::from_fen(start) };
    let Ok(mut game) = opened else { return };
    let pieces = game.pieces();
    for line in lines.take(2 * MOST_MOVES) {
        if let Some(board) = line.strip_prefix('=').and_then(sanqi::games::supply::team::BoardId::from_number) {
            // An ended board refuses it.
            let _ = game.end(board, Outcome::Draw);
        } else if let Ok(mv) = game.parse_move(line, RankBase::One) {
            game.push(mv).unwrap_or_else(|e| panic!("{} `{line}`: {e}", game.fen()));
        }
    }
    let fen = game.fen();
    assert_eq!(game.pieces(), pieces, "{fen}");
    let again = TeamGame::from_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    assert_eq!(again.fen(), fen);
}
