//! Games of a PGN file, one at a time, and their positions.
use super::lines::{Line, Lines};
use crate::analysis::game::{AnyVariant, Source};
use crate::pgn::{PgnGame, Splitter, read_games};
use sanqi::games::{Game, RankBase};
use std::io::{self, BufRead};

/// Most bytes of one game.
const MAX_GAME: usize = 1 << 20;

/// Cuts a file into games.
#[derive(Debug)]
pub(super) struct Games {
    splitter: Splitter,
    /// A game has begun, and not only comments before the first.
    has_begun: bool,
    /// The first line of the next game.
    next: Option<Line>,
    number: u64,
}

impl Games {
    /// Games of a file whose first line has been read.
    pub(super) fn new(first: Line) -> Games {
        let mut splitter = Splitter::default();
        let has_begun = matches!(&first, Line::Text(text) if splitter.begins_game(text));
        Games { splitter, has_begun, next: Some(first), number: 0 }
    }

    /// The next game and its number, from 1; `None` at the end.
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        variant: AnyVariant,
    ) -> io::Result<Option<(u64, Result<PgnGame, String>)>> {
        let Some(mut line) = self.next.take() else { return Ok(None) };
        let (mut text, mut fault) = (String::new(), None);
        loop {
            match line {
                Line::TooLong => fault = Some("a line is too long".to_owned()),
                Line::Text(_) if fault.is_some() => {}
                Line::Text(part) if text.len() + part.len() > MAX_GAME => {
                    fault = Some(format!("game larger than {MAX_GAME} bytes"));
                }
                Line::Text(part) => {
                    text.push_str(&part);
                    text.push('\n');
                }
            }
            match lines.next()? {
                None => break,
                Some(Line::Text(part)) if self.begins(&part, fault.is_some()) => {
                    self.next = Some(Line::Text(part));
                    break;
                }
                Some(part) => line = part,
            }
        }
        self.number += 1;
        Ok(Some((self.number, fault.map_or_else(|| read(&text, variant), Err))))
    }

    /// The line begins another game. Behind a faulty one, whose comment may never have ended, any tag does.
    fn begins(&mut self, line: &str, is_faulty: bool) -> bool {
        if is_faulty {
            if !line.trim_start().starts_with('[') {
                return false;
            }
            self.splitter = Splitter::default();
        }
        self.splitter.begins_game(line) && std::mem::replace(&mut self.has_begun, true)
    }
}

fn read(text: &str, variant: AnyVariant) -> Result<PgnGame, String> {
    let default = match variant {
        AnyVariant::One(variant) => Some(variant),
        AnyVariant::Supply2 => None,
    };
    match read_games(text, default).into_iter().next() {
        Some((_, game)) => game.map_err(|error| error.to_string()),
        None => Err("no game".to_owned()),
    }
}

/// Hands over the positions of a game, with the number of plies that led to each: before the first move and after every `every`-th.
pub(super) fn positions(game: &PgnGame, every: usize, mut sink: impl FnMut(usize, Source) -> bool) -> bool {
    let game = &game.game;
    let (variant, start) = (game.variant(), game.start_fen());
    let Ok(mut replay) = Game::from_fen(variant, &start) else { return true };
    let mut moves = Vec::new();
    let mut played = game.moves().iter();
    loop {
        if moves.len().is_multiple_of(every) {
            let source = Source { moves: moves.clone(), ..Source::of_fen(AnyVariant::One(variant), &start) };
            if !sink(moves.len(), source) {
                return false;
            }
        }
        let Some(&mv) = played.next() else { return true };
        moves.push(replay.move_text(mv, RankBase::One));
        replay.push(mv);
    }
}
