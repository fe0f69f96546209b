//! Time as GTP measures it: main time, then Canadian byo-yomi.
use super::vertex::BLACK;
use sanqi::board::Color;
use std::time::Duration;

/// What `time_left` in whole seconds means by 0: less than one, and the move must be quick.
const UNDER_A_SECOND: Duration = Duration::from_millis(100);

/// `time_settings MAIN BYO STONES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Control {
    main: Duration,
    byo_yomi: Duration,
    /// Moves per byo-yomi period; 0 when there is none.
    stones: u32,
}

/// What one player has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// Moves to be made in `time`; 0 in main time.
    stones: u32,
}

/// How long a move may take by the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    /// Time left of both players, Black's first. In main time the first byo-yomi period is included, since it follows without a break.
    pub(super) left: [Duration; 2],
    /// Moves to be made in it.
    pub(super) moves: Option<u32>,
}

/// The clocks of both players. Controllers that tell the settings only are trusted to measure as we do; `time_left` corrects.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    control: Option<Control>,
    left: [Option<Left>; 2],
}

impl Clock {
    /// `time_settings`, in seconds. A byo-yomi period without stones means no limit at all.
    pub(super) fn set(&mut self, main: u32, byo_yomi: u32, stones: u32) {
        let seconds = |n: u32| Duration::from_secs(n.into());
        let unlimited = byo_yomi > 0 && stones == 0;
        // Stones without a period to play them in are no byo-yomi either: that is absolute time.
        let stones = if byo_yomi == 0 { 0 } else { stones };
        let control = Control { main: seconds(main), byo_yomi: seconds(byo_yomi), stones };
        self.control = (!unlimited).then_some(control);
        self.restart();
    }

    /// Both clocks as at the beginning of a game.
    pub(super) fn restart(&mut self) {
        let left = self.control.map(|control| match control.main {
            Duration::ZERO if control.stones > 0 => Left { time: control.byo_yomi, stones: control.stones },
            main => Left { time: main, stones: 0 },
        });
        self.left = [left; 2];
    }

    /// `time_left`, in seconds; `stones` is 0 in main time.
    pub(super) fn correct(&mut self, color: Color, seconds: u32, stones: u32) {
        let time = if seconds == 0 { UNDER_A_SECOND } else { Duration::from_secs(seconds.into()) };
        *self.slot(color) = Some(Left { time, stones });
    }

    /// Takes the time of a move from the player's clock.
    pub(super) fn spend(&mut self, color: Color, elapsed: Duration) {
        let control = self.control;
        let Some(left) = self.slot(color) else { return };
        let byo_yomi = control.filter(|c| c.stones > 0);
        match (left.stones, byo_yomi) {
            (0, Some(control)) if elapsed >= left.time => {
                // The move that ends main time is the first of the period.
                let into = elapsed.saturating_sub(left.time);
                *left = Left { time: control.byo_yomi.saturating_sub(into), stones: control.stones };
                count_stone(left, control);
            }
            (0, _) => left.time = left.time.saturating_sub(elapsed),
            (stones, control) => {
                left.time = left.time.saturating_sub(elapsed);
                match control {
                    Some(control) => count_stone(left, control),
                    // Byo-yomi that only `time_left` told of: the controller will correct what is guessed here.
                    None => left.stones = stones.saturating_sub(1).max(1),
                }
            }
        }
    }

    /// What `color` may use for a move; `None` without a clock. An opponent whose clock is unknown is taken to have as much.
    pub(super) fn turn(&self, color: Color) -> Option<Turn> {
        let [black, white] = self.left;
        let (own, other) = if color == BLACK { (black?, white) } else { (white?, black) };
        let other = other.unwrap_or(own);
        let total = |left: Left| match self.control {
            Some(control) if left.stones == 0 && control.stones > 0 => left.time + control.byo_yomi,
            _ => left.time,
        };
        let left = if color == BLACK { [own, other] } else { [other, own] };
        Some(Turn { left: left.map(total), moves: (own.stones > 0).then_some(own.stones) })
    }

    fn slot(&mut self, color: Color) -> &mut Option<Left> {
        let [black, white] = &mut self.left;
        if color == BLACK { black } else { white }
    }
}

/// Counts a move of a byo-yomi period, and begins the next period after its last.
fn count_stone(left: &mut Left, control: Control) {
    left.stones = left.stones.saturating_sub(1);
    if left.stones == 0 {
        *left = Left { time: control.byo_yomi, stones: control.stones };
    }
}

#[cfg(test)]
mod tests {
    use super::super::vertex::WHITE;
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn own(clock: &Clock, color: Color) -> Option<(u64, Option<u32>)> {
        let turn = clock.turn(color)?;
        let [black, white] = turn.left;
        Some((if color == BLACK { black } else { white }.as_secs(), turn.moves))
    }

    #[test]
    fn absolute_time_runs_down() {
        let mut clock = Clock::default();
        assert_eq!(clock.turn(BLACK), None);
        clock.set(60, 0, 0);
        clock.spend(BLACK, seconds(10));
        assert_eq!((own(&clock, BLACK), own(&clock, WHITE)), (Some((50, None)), Some((60, None))));
        clock.spend(BLACK, seconds(100));
        assert_eq!(own(&clock, BLACK), Some((0, None)));
        clock.restart();
        assert_eq!(own(&clock, BLACK), Some((60, None)));
    }

    #[test]
    fn no_limit() {
        let mut clock = Clock::default();
        clock.set(0, 1, 0);
        assert_eq!(clock.turn(WHITE), None);
        clock.spend(WHITE, seconds(5));
        assert_eq!(clock.turn(WHITE), None);
    }

    #[test]
    fn canadian_byo_yomi() {
        let mut clock = Clock::default();
        clock.set(60, 10, 2);
        assert_eq!(own(&clock, WHITE), Some((70, None)));
        clock.spend(WHITE, seconds(63));
        assert_eq!(own(&clock, WHITE), Some((7, Some(1))));
        clock.spend(WHITE, seconds(5));
        assert_eq!(own(&clock, WHITE), Some((10, Some(2))));
        clock.set(0, 5, 1);
        assert_eq!(own(&clock, BLACK), Some((5, Some(1))));
        clock.spend(BLACK, seconds(4));
        assert_eq!(own(&clock, BLACK), Some((5, Some(1))));
    }

    #[test]
    fn the_controller_corrects() {
        let mut clock = Clock::default();
        clock.correct(BLACK, 30, 0);
        assert_eq!((own(&clock, BLACK), clock.turn(WHITE)), (Some((30, None)), None));
        clock.correct(BLACK, 0, 3);
        assert_eq!(clock.turn(BLACK), Some(Turn { left: [UNDER_A_SECOND; 2], moves: Some(3) }));
        clock.spend(BLACK, seconds(1));
        assert_eq!(own(&clock, BLACK), Some((0, Some(2))));
    }
}
