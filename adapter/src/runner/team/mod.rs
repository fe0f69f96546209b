//! Matches of Supply Xiangqi on two boards: two teams of two seats, both clocks running at once or the boards taking turns.
//!
//! One loop listens to all four engines, so that moves, captures that cross over and talk between partners have one order in time.
pub mod book;
mod line;
mod seat;
mod table;
mod talk;

pub use book::TeamBook;

use super::date;
use super::record::Played;
use super::referee::{Termination, Verdict};
use super::schedule::Slot;
use super::seat::{Seat, SeatError};
use super::settings::Settings;
use crate::replay::ReplayBuilder;
use crate::replay::bpgn;
use crate::replay::format::{Player as PlayerName, Series};
use crate::replay::values::{EndReason, Moment, Seat as SeatId};
use sanqi::games::Outcome;
use sanqi::games::supply::team::{BoardId, TeamGame, team_of};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use table::{Ended, Table};
use tokio::task::block_in_place;

/// The ends of the two boards, and how they were told.
type Verdicts = [Option<Verdict>; 2];

/// Plays a match that begins as `game` stands. Each team is two seats, the one on board 1 first; team 1 is the first player.
///
/// # Errors
/// An engine cannot be started.
pub async fn play(
    settings: &Settings,
    slot: Slot,
    game: &TeamGame,
    first: &mut [Seat; 2],
    second: &mut [Seat; 2],
) -> Result<Played, SeatError> {
    let (began, since) = (date::now_ms(), Instant::now());
    let fen = game.fen();
    let mut replay = builder(settings, slot, &fen);
    let ([red1, black2], [black1, red2]) = (first, second);
    let mut table = Table::new(settings, game, [red1, black1, red2, black2]);
    for (seat, name) in SeatId::ALL.into_iter().zip(table.names()) {
        replay.seat(seat, PlayerName { name, ..PlayerName::default() });
    }
    if let Some((initial, increment)) = table.common_clock() {
        replay.time_control(initial, increment);
    }
    table.prepare(game).await?;
    let identities = table.identities();
    let Ended { verdicts, mut warnings, post_mortem, latency } = table.play(&mut replay).await;
    warnings.truncate(MOST_WARNINGS);
    let engine = |seat: SeatId| if team_index(seat) == 0 { slot.white } else { slot.black };
    let latency = latency.into_iter().map(|(seat, seconds)| (engine(seat), seconds)).collect();
    let played = replay.game();
    let (plies, end) = (played.moves().len(), played.fen());
    let outcome = played.match_outcome();
    let (replay, text) = block_in_place(|| {
        let replay = replay.finish(Moment::now());
        let text = bpgn::write(&replay).unwrap_or_else(|error| format!("{{{error}}}\n"));
        (replay, text)
    });
    Ok(Played {
        slot,
        verdict: verdict_of_match(outcome, &verdicts),
        plies,
        opening: fen,
        end,
        times: date::span(began, since.elapsed()),
        warnings,
        post_mortem,
        identities,
        text,
        replay: Some(Box::new(replay)),
        latency,
    })
}

/// An engine that complains about everything must not fill the memory.
const MOST_WARNINGS: usize = 1000;

fn builder(settings: &Settings, slot: Slot, fen: &str) -> ReplayBuilder {
    let site = Some(settings.pgn.site.clone()).filter(|site| site != "?");
    let number = u32::try_from(slot.number).ok().and_then(NonZeroU32::new);
    let series = Series { name: settings.pgn.event_name.clone(), number, site, ..Series::default() };
    let begun = Moment::now();
    if fen == TeamGame::new().fen() {
        return ReplayBuilder::new(series, begun);
    }
    // The position comes from a game, so it can be read.
    ReplayBuilder::from_position(series.clone(), begun.clone(), fen)
        .unwrap_or_else(|_| ReplayBuilder::new(series, begun))
}

/// The verdict of a match is that of its boards: both texts, and the worse kind of end.
fn verdict_of_match(outcome: Outcome, verdicts: &Verdicts) -> Verdict {
    let [one, two] = verdicts.each_ref().map(|verdict| verdict.as_ref().map_or("unfinished", |v| v.text.as_str()));
    let gravest = verdicts.iter().flatten().map(|verdict| verdict.termination).max_by_key(|&end| gravity(end));
    Verdict {
        outcome,
        text: format!("board 1: {one}, board 2: {two}"),
        termination: gravest.unwrap_or(Termination::Unterminated),
    }
}

fn gravity(end: Termination) -> u8 {
    match end {
        Termination::Normal => 0,
        Termination::Adjudication => 1,
        Termination::TimeForfeit => 2,
        Termination::RulesInfraction => 3,
        Termination::IllegalMove => 4,
        Termination::Abandoned => 5,
        Termination::Unterminated => 6,
    }
}

/// How a replay calls what ended a board from outside.
fn end_reason(verdict: &Verdict) -> EndReason {
    match verdict.termination {
        Termination::Normal => EndReason::Resignation,
        Termination::Adjudication | Termination::Unterminated => EndReason::Adjudication,
        Termination::TimeForfeit => EndReason::Flag,
        Termination::Abandoned => EndReason::Disconnection,
        Termination::IllegalMove | Termination::RulesInfraction => EndReason::IllegalMove,
    }
}

/// The seat of the same team on the other board.
fn partner(seat: SeatId) -> SeatId {
    SeatId::of(seat.board().other(), !seat.color())
}

/// 0 for the team that plays first, 1 for the other.
fn team_index(seat: SeatId) -> usize {
    team_of(seat.board(), seat.color()) - 1
}

/// Milliseconds for the protocol; no time at all would be taken for no limit.
fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

fn boards() -> [BoardId; 2] {
    BoardId::ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanqi::board::Color;

    #[test]
    fn seats() {
        for seat in SeatId::ALL {
            assert_eq!(team_index(seat), team_index(partner(seat)));
            assert_ne!(seat.board(), partner(seat).board());
        }
        assert_eq!(partner(SeatId::Red1), SeatId::Black2);
        assert_eq!(team_index(SeatId::Red2), 1);
    }

    #[test]
    fn the_match_ends_as_its_worse_board_does() {
        let normal = Verdict::resignation(Color::White);
        let verdicts = [Some(normal), Some(Verdict::stall(Color::Black))];
        let verdict = verdict_of_match(Outcome::Draw, &verdicts);
        assert_eq!(verdict.text, "board 1: White resigns, board 2: Black's connection stalls");
        assert!(verdict.is_crash());
        for (verdict, reason) in [
            (Verdict::time(Color::White, Duration::from_millis(1)), EndReason::Flag),
            (Verdict::illegal_move(Color::White), EndReason::IllegalMove),
            (Verdict::disconnect(Color::White), EndReason::Disconnection),
            (Verdict::resignation(Color::White), EndReason::Resignation),
        ] {
            assert_eq!(end_reason(&verdict), reason);
        }
    }
}
