//! What a search is limited by, and how `go` says it.
use sanqi::board::Color;
use sanqi::games::supply::team::BoardId;
use std::fmt::Write;

/// The limits of one search; all that are present apply together. Without any the search is infinite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds on the clocks of the first and the second player.
    pub clocks: Option<[u64; 2]>,
    /// Milliseconds added per move, of both players.
    pub increments: [u64; 2],
    /// Moves to the next time control of the side to move.
    pub moves_to_go: Option<u32>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Find a mate in so many moves.
    pub mate: Option<u32>,
    /// Only these root moves, as the engine writes them.
    pub search_moves: Vec<String>,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Until `stop`, said outright.
    pub infinite: bool,
    /// With two boards: the board to move on, and the clocks of the other one.
    pub board: Option<BoardLimits>,
}

/// What `go` says about the boards when there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardLimits {
    /// The board to move on.
    pub board: BoardId,
    /// Milliseconds on the clocks of the other board.
    pub other_clocks: Option<[u64; 2]>,
    /// Milliseconds added per move there.
    pub other_increments: [u64; 2],
}

impl Limits {
    /// The `go` line, without line end.
    pub fn go(&self) -> String {
        let mut line = String::from("go");
        // Writing into a string cannot fail.
        let mut field = |name: &str, value: u64| {
            let _ = write!(line, " {name} {value}");
        };
        if let Some(board) = self.board {
            field("board", board.board.number() as u64);
        }
        if let Some([white, black]) = self.clocks {
            field("wtime", white);
            field("btime", black);
            let [winc, binc] = self.increments;
            if winc > 0 {
                field("winc", winc);
            }
            if binc > 0 {
                field("binc", binc);
            }
            if let Some(moves) = self.moves_to_go {
                field("movestogo", moves.into());
            }
        }
        if let Some(BoardLimits { other_clocks: Some([white, black]), other_increments: [winc, binc], .. }) = self.board
        {
            field("wtime2", white);
            field("btime2", black);
            field("winc2", winc);
            field("binc2", binc);
        }
        for (name, value) in [
            ("movetime", self.move_time),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
        ] {
            if let Some(value) = value {
                field(name, value);
            }
        }
        if self.ponder {
            line.push_str(" ponder");
        }
        let finite = self.clocks.is_some()
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some();
        if self.infinite || !(finite || self.ponder) {
            line.push_str(" infinite");
        }
        // Last, because an engine may read every further word as a move.
        if !self.search_moves.is_empty() {
            line.push_str(" searchmoves ");
            line.push_str(&self.search_moves.join(" "));
        }
        line
    }

    /// The `go` line of UCCI for the side to move, with times in milliseconds or whole seconds. A time for one move is a clock for
    /// one move, since UCCI has no other word for it.
    pub fn go_ucci(&self, side: Color, milliseconds: bool) -> String {
        let mut line = String::from("go");
        // Writing into a string cannot fail.
        let mut field = |name: &str, value: u64| {
            let _ = write!(line, " {name} {value}");
        };
        let unit = if milliseconds { 1 } else { 1000 };
        let ordered = |[white, black]: [u64; 2]| match side {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        if let Some(clocks) = self.clocks {
            let ([mine, theirs], [increment, their_increment]) = (ordered(clocks), ordered(self.increments));
            field("time", mine / unit);
            match self.moves_to_go {
                Some(moves) => field("movestogo", moves.into()),
                None => field("increment", increment / unit),
            }
            field("opptime", theirs / unit);
            field("oppincrement", their_increment / unit);
        } else if let Some(time) = self.move_time {
            field("time", (time / unit).max(1));
            field("movestogo", 1);
        }
        for (name, value) in [("depth", self.depth.map(u64::from)), ("nodes", self.nodes)] {
            if let Some(value) = value {
                field(name, value);
            }
        }
        if line == "go" {
            line.push_str(" infinite");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_lines() {
        assert_eq!(Limits::default().go(), "go infinite");
        let clock =
            Limits { clocks: Some([1000, 2000]), increments: [0, 10], moves_to_go: Some(4), ..Limits::default() };
        assert_eq!(clock.go(), "go wtime 1000 btime 2000 binc 10 movestogo 4");
        let all = Limits { move_time: Some(5), depth: Some(6), nodes: Some(7), ..Limits::default() };
        assert_eq!(all.go(), "go movetime 5 depth 6 nodes 7");
        let board = BoardLimits { board: BoardId::Two, other_clocks: Some([3, 4]), other_increments: [0, 5] };
        let team = Limits { board: Some(board), moves_to_go: None, ..clock };
        assert_eq!(team.go(), "go board 2 wtime 1000 btime 2000 binc 10 wtime2 3 btime2 4 winc2 0 binc2 5");
        let ponder = Limits { ponder: true, search_moves: vec!["a1a2".into(), "P@d4".into()], ..Limits::default() };
        assert_eq!(ponder.go(), "go ponder searchmoves a1a2 P@d4");
    }

    #[test]
    fn go_lines_of_ucci() {
        let clock = Limits { clocks: Some([61_500, 2000]), increments: [500, 1000], ..Limits::default() };
        let line = "go time 61500 increment 500 opptime 2000 oppincrement 1000";
        assert_eq!(clock.go_ucci(Color::White, true), line);
        assert_eq!(clock.go_ucci(Color::Black, false), "go time 2 increment 1 opptime 61 oppincrement 0");
        let moves = Limits { moves_to_go: Some(7), depth: Some(3), ..clock };
        let line = "go time 61500 movestogo 7 opptime 2000 oppincrement 1000 depth 3";
        assert_eq!(moves.go_ucci(Color::White, true), line);
        let fixed = Limits { move_time: Some(300), ..Limits::default() };
        assert_eq!(fixed.go_ucci(Color::White, true), "go time 300 movestogo 1");
        assert_eq!(fixed.go_ucci(Color::White, false), "go time 1 movestogo 1");
        assert_eq!(Limits::default().go_ucci(Color::White, true), "go infinite");
    }
}
