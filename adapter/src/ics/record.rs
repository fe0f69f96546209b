//! Matches as text: finished ones as PGN, or as replay and BPGN; unfinished ones as they are stored.
use super::clock::{Clock, Control};
use super::kind::Kind;
use super::matches::{Ending, Holder, Match, Turn, milliseconds};
use super::play::Play;
use crate::pgn::{MoveNotation, Movetext, tag};
use crate::replay::format::{Player, Series};
use crate::replay::values::{BoardOutcome, EndReason, Moment};
use crate::replay::{Replay, ReplayBuilder};
use sanqi::board::Color;
use sanqi::games::supply::team::BoardId;
use sanqi::games::{Game, Outcome, RankBase};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::Instant;

/// The event of all games.
const EVENT: &str = "Game on a Sanqi server";

/// A game on one board as PGN, with the empty line that separates it from the next; `None` for two boards.
pub(super) fn pgn(played: &Match) -> Option<String> {
    let Play::One(game) = &played.play else { return None };
    let board = played.boards.first()?;
    let (date, time) = played.started.pgn_tags();
    let [white, black] = played.players(BoardId::One);
    let outcome = board.ending.as_ref().map_or(Outcome::Ongoing, |ending| ending.outcome).to_string();
    let control = match played.control {
        control if control.is_untimed() => "-".to_owned(),
        control => format!("{}+{}", control.initial().as_secs(), control.increment),
    };
    let mut text: String = [
        ("Event", EVENT),
        ("Site", "?"),
        ("Date", &date),
        ("Time", &time),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", &outcome),
        ("Variant", played.kind.name()),
        ("TimeControl", &control),
    ]
    .into_iter()
    .map(|(name, value)| tag(name, value))
    .collect();
    text.push('\n');
    let mut replayed = Game::new(game.variant());
    let mut movetext = Movetext::new(&replayed.fen());
    for (&mv, turn) in game.moves().iter().zip(&played.turns) {
        movetext.mv(replayed.side(), &MoveNotation::San.write(&replayed, mv));
        if !played.control.is_untimed() {
            movetext.comment(&format!("[%clk {}]", clock_text(turn.left)));
        }
        replayed.push(mv);
    }
    if let Some(ending) = &board.ending {
        movetext.comment(&ending.text);
    }
    Some(text + &movetext.finish(&outcome) + "\n")
}

/// `0:04:58.250`
fn clock_text(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{}:{:02}:{:02}.{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, ms % 1000)
}

/// A match on two boards as a replay; `None` for one board.
///
/// # Errors
/// Its turns are not what the rules allow, which cannot happen to a match that was played here.
pub(super) fn replay(played: &Match) -> Result<Option<Replay>, String> {
    if played.kind.boards() == 1 {
        return Ok(None);
    }
    let series = Series { name: EVENT.to_owned(), ..Series::default() };
    let mut builder = ReplayBuilder::new(series, played.started.clone());
    for seat in played.seats() {
        builder.seat(seat, Player { name: played.holder(seat).name().to_owned(), ..Player::default() });
    }
    if !played.control.is_untimed() {
        builder.time_control(played.control.initial(), played.control.bonus());
    }
    for count in 0..=played.turns.len() {
        for id in played.board_ids() {
            let Some(ending) = played.board(id).and_then(|board| board.ending.as_ref()) else { continue };
            if let Some(reason) = ending.reason.filter(|_| ending.after == count) {
                builder.end(id, ending.outcome, reason, Some(ending.at)).map_err(|error| error.to_string())?;
                builder.comment(ending.text.clone());
            }
        }
        if let Some(turn) = played.turns.get(count) {
            let mv = builder.game().parse_move(&turn.word, RankBase::One).map_err(|error| error.to_string())?;
            let clock = (!played.control.is_untimed()).then(|| Duration::from_millis(turn.left));
            let at = Some(Duration::from_millis(turn.at));
            builder.push(mv, clock, at).map_err(|error| error.to_string())?;
        }
    }
    Ok(Some(builder.finish(Moment::now())))
}

/// The name of the format of stored matches.
const FORMAT: &str = "sanqi-ics-match";

/// An unfinished match as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    format: String,
    version: u32,
    /// The name of the file.
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) control: Control,
    pub(super) holders: [Holder; 4],
    started: Moment,
    /// Milliseconds of play.
    played: u64,
    turns: Vec<Turn>,
    /// Milliseconds on the clocks of White and Black, for each board.
    left: Vec<[u64; 2]>,
    /// Ends from outside.
    ended: Vec<StoredEnding>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredEnding {
    board: usize,
    outcome: BoardOutcome,
    reason: EndReason,
    text: String,
    at: u64,
    after: usize,
}

impl Stored {
    /// A match as it stands.
    pub(super) fn of(played: &Match, now: Instant) -> Stored {
        let ending = |id: BoardId| {
            let ending = played.board(id)?.ending.as_ref()?;
            Some(StoredEnding {
                board: id.number(),
                outcome: ending.outcome.into(),
                reason: ending.reason?,
                text: ending.text.clone(),
                at: milliseconds(ending.at),
                after: ending.after,
            })
        };
        Stored {
            format: FORMAT.to_owned(),
            version: 1,
            id: played.id.clone(),
            kind: played.kind,
            control: played.control,
            holders: played.holders.clone(),
            started: played.started.clone(),
            played: milliseconds(played.time(now)),
            turns: played.turns.clone(),
            left: played.boards.iter().map(|b| Color::ALL.map(|side| milliseconds(b.clock.left(side, now)))).collect(),
            ended: played.board_ids().filter_map(ending).collect(),
        }
    }

    /// The match again, its clocks still. `games` are the numbers that its boards get.
    ///
    /// # Errors
    /// It contradicts the rules or itself.
    pub(super) fn restore(&self, games: [u32; 2]) -> Result<Match, String> {
        if self.format != FORMAT || self.version != 1 {
            return Err(format!("format `{}` version {}, expected `{FORMAT}` version 1", self.format, self.version));
        }
        if self.control.minutes > Control::MAX || self.control.increment > Control::MAX {
            return Err("clocks beyond what the server offers".to_owned());
        }
        if self.left.len() != self.kind.boards() {
            return Err(format!("clocks of {} boards, expected {}", self.left.len(), self.kind.boards()));
        }
        let now = Instant::now();
        let mut played = Match::new(self.id.clone(), self.kind, self.control, self.holders.clone(), games);
        played.started = self.started.clone();
        for count in 0..=self.turns.len() {
            for ending in self.ended.iter().filter(|ending| ending.after == count) {
                let id = played.board_ids().find(|id| id.number() == ending.board);
                let id = id.ok_or_else(|| format!("board {} does not exist", ending.board))?;
                if played.has_ended(id) || !ending.reason.is_from_outside() {
                    return Err(format!("board {} cannot end so", ending.board));
                }
                let ending = Ending {
                    outcome: ending.outcome.into(),
                    text: ending.text.clone(),
                    reason: Some(ending.reason),
                    at: Duration::from_millis(ending.at),
                    after: count,
                };
                played.restore(id, ending);
            }
            if let Some(turn) = self.turns.get(count) {
                let ply = count + 1;
                played.replay(turn.clone(), now).map_err(|error| format!("turn {ply}: {error}"))?;
            }
        }
        if played.is_over() {
            return Err("it has ended".to_owned());
        }
        for (board, left) in played.boards.iter_mut().zip(&self.left) {
            board.clock = Clock::resumed(self.control, left.map(Duration::from_millis));
            board.is_closed = board.ending.is_some();
        }
        played.set_played(Duration::from_millis(self.played));
        Ok(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay;

    fn start(kind: Kind, now: Instant) -> Match {
        let person = |name: &str| Holder::Person(name.to_owned());
        let holders = [person("ann"), person("bob"), Holder::Engine, person("dan")];
        let mut played = Match::new("x".to_owned(), kind, Control { minutes: 5, increment: 2 }, holders, [7, 8]);
        played.start(now);
        played
    }

    fn push(played: &mut Match, id: BoardId, text: &str, now: Instant) {
        let mv = played.parse(id, text).unwrap();
        played.push(id, mv, now);
    }

    #[test]
    fn a_game_on_one_board() {
        let begin = Instant::now();
        let mut played = start(Kind::Fangqi, begin);
        push(&mut played, BoardId::One, "d4", begin);
        push(&mut played, BoardId::One, "P@a1", begin);
        push(&mut played, BoardId::One, "d5", begin + Duration::from_secs(3));
        played.end(BoardId::One, Outcome::Win(Color::White), "bob resigns".to_owned(), EndReason::Resignation, begin);
        let text = pgn(&played).unwrap();
        assert!(text.contains("[White \"ann\"]\n[Black \"bob\"]\n[Result \"1-0\"]\n[Variant \"fangqi\"]\n"), "{text}");
        assert!(
            text.ends_with(
                "1. d4 {[%clk 0:05:00.000]} 1... a1 {[%clk 0:05:00.000]} 2. d5 {[%clk\n0:04:59.000]} {bob resigns} 1-0\n\n"
            ),
            "{text}"
        );
        assert!(replay(&played).unwrap().is_none());
    }

    #[test]
    fn stored_and_restored() {
        let begin = Instant::now();
        let later = begin + Duration::from_secs(10);
        let mut played = start(Kind::Supply2, begin);
        push(&mut played, BoardId::One, "h2h9", begin + Duration::from_secs(4));
        push(&mut played, BoardId::Two, "h2e2", begin + Duration::from_secs(5));
        played.end(BoardId::Two, Outcome::Win(Color::Black), "x".to_owned(), EndReason::Flag, later);
        push(&mut played, BoardId::One, "i9h9", later);
        played.pause(later);
        let stored = Stored::of(&played, later);
        let json = serde_json::to_string(&stored).unwrap();
        let again = serde_json::from_str::<Stored>(&json).unwrap().restore([7, 8]).unwrap();
        assert_eq!(again.play.whole_fen(), played.play.whole_fen());
        assert_eq!(again.turns, played.turns);
        assert_eq!(serde_json::to_string(&Stored::of(&again, later)).unwrap(), json);
        let lines = |played: &Match| played.board_ids().map(|id| played.board_line(id, None, true, later)).collect();
        let (left, right): (Vec<_>, Vec<_>) = (lines(&again), lines(&played));
        assert_eq!(left, right);
        assert_eq!(again.position(), "startpos moves 1h3h10 2h3e3 1i10h10 over 2 0-1");
        // What was recorded is what the replay format takes.
        let replay = replay(&again).unwrap().unwrap();
        replay::check(&replay).unwrap();
        assert_eq!(replay.seats.red2.as_ref().unwrap().name, "engine");
        assert!(replay::bpgn::write(&replay).unwrap().contains("{board B 0-1 flag"));
    }

    #[test]
    fn a_broken_file_is_refused() {
        let begin = Instant::now();
        let mut played = start(Kind::Fangqi, begin);
        push(&mut played, BoardId::One, "d4", begin);
        let json = serde_json::to_string(&Stored::of(&played, begin)).unwrap();
        let fault = |from: &str, to: &str| {
            assert!(json.contains(from), "{json}");
            serde_json::from_str::<Stored>(&json.replace(from, to)).map_err(|e| e.to_string())?.restore([1, 2])
        };
        assert!(fault("", "").is_ok());
        assert!(fault("P@d4", "P@d9").unwrap_err().starts_with("turn 1: "));
        assert!(fault("sanqi-ics-match", "other").unwrap_err().starts_with("format"));
        assert!(fault("\"minutes\":5", "\"minutes\":100000").is_err());
        assert!(fault("\"left\":[[", "\"left\":[[1,2],[").is_err());
        assert!(fault("\"played\"", "\"prayed\"").is_err());
    }
}
