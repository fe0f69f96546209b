//! What a search is limited by, and how `go` says it.
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
}

impl Limits {
    /// The `go` line, without line end.
    pub fn go(&self) -> String {
        let mut line = String::from("go");
        // Writing into a string cannot fail.
        let mut field = |name: &str, value: u64| {
            let _ = write!(line, " {name} {value}");
        };
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
        let ponder = Limits { ponder: true, search_moves: vec!["a1a2".into(), "P@d4".into()], ..Limits::default() };
        assert_eq!(ponder.go(), "go ponder searchmoves a1a2 P@d4");
    }
}
