//! What GoGui's analyze window offers: evaluations, previews of captures.
use super::rules::{GOLD, square_colors};
use super::vertex::{BLACK, Vertex, point_name, point_names, points};
use crate::engine::{Bound, Info, Value};
use sanqi::games::Position;
use sanqi::games::fangqi::Fangqi;
use std::collections::BTreeMap;

/// `type/label/command` for each analyze command.
pub(super) const COMMANDS: &[&str] = &[
    "gfx/Evaluation of Points/fangqi-evaluation %m",
    "var/Principal Variation/fangqi-variation %m",
    "gfx/Captures/fangqi-captures %m",
    "gfx/Preview of Point/fangqi-preview %m %p",
    "string/Stones in Hand/fangqi-hands",
    "gfx/Last Move/gogui-rules_board_gfx",
    "plist/Legal Moves/gogui-rules_legal_moves",
    "string/Final Score/final_score",
    "string/CPU Time/cputime",
    "param/Strength/gogui-param_strength",
    "param/Time/gogui-param_time",
    "param/Seed/gogui-param_seed",
];

/// Centipawns below the best move at which a point is shown in plain red: one stone.
const RED: i32 = 100;

/// The scores of points, as a search with as many lines as there are moves reports them.
#[derive(Debug, Default)]
pub(super) struct HeatMap {
    scores: BTreeMap<u8, Value>,
}

impl HeatMap {
    /// Takes the score of a line; later, deeper ones replace earlier ones.
    pub(super) fn add(&mut self, position: &Fangqi, info: &Info) {
        if let Some(score) = info.score
            && info.bound == Bound::Exact
            && let Some(&Vertex::Point(point)) = super::player::Player::line(position, &info.pv).first()
        {
            self.scores.insert(point, score);
        }
    }

    /// Green for the best point, through yellow to red; each with its score in stones.
    pub(super) fn gfx(&self) -> String {
        let best = self.scores.values().map(|score| score.centipawns()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (&point, score) in &self.scores {
            lines.push(format!("COLOR {} {}", color(best - score.centipawns()), point_name(point)));
        }
        let label = |(&point, &score): (&u8, &Value)| format!("{} {}", point_name(point), label(score));
        lines.push(format!("LABEL {}", self.scores.iter().map(label).collect::<Vec<_>>().join(" ")));
        lines.join("\n")
    }
}

/// The colour of a point whose move is `loss` centipawns worse than the best.
fn color(loss: i32) -> String {
    let share = loss.clamp(0, RED) * 510 / RED;
    format!("#{:02x}{:02x}00", share.min(255), (510 - share).min(255))
}

/// A score that fits on a point: stones, or moves to the end.
fn label(score: Value) -> String {
    match score {
        Value::Centipawns(cp) => {
            let tenths = (f64::from(cp) / 10.0).round() / 10.0;
            // A rounded nothing has no sign.
            if tenths == 0.0 { "0".to_owned() } else { format!("{tenths:+.1}") }
        }
        Value::Mate(n) if n > 0 => format!("+M{n}"),
        Value::Mate(n) => format!("-M{}", n.unsigned_abs()),
    }
}

/// Every point where the side to move would capture, with the number of stones, and the stones that are in danger (FQ-8).
pub(super) fn captures(position: &Fangqi) -> String {
    let mut labels = Vec::new();
    let (mut capturing, mut endangered) = (0u64, 0u64);
    for point in points(position.empty()) {
        let captures = position.preview(Fangqi::placement_on(point)).map_or(0, |preview| preview.captures);
        if captures != 0 {
            labels.push(format!("{} {}", point_name(point), captures.count_ones()));
            capturing |= 1 << point;
            endangered |= captures;
        }
    }
    if capturing == 0 {
        return "TEXT no captures".to_owned();
    }
    format!("COLOR {GOLD} {}\nLABEL {}\nMARK {}", point_names(capturing), labels.join(" "), point_names(endangered))
}

/// What a stone of the side to move would do on a point (FQ-8); `None` when it cannot be placed there.
pub(super) fn preview(position: &Fangqi, point: u8) -> Option<String> {
    let preview = position.preview(Fangqi::placement_on(point))?;
    let stone = if position.side() == BLACK { "BLACK" } else { "WHITE" };
    let mut lines = square_colors(preview.squares, preview.capturing);
    lines.push(format!("{stone} {}", point_name(point)));
    if preview.captures != 0 {
        lines.push(format!("MARK {}", point_names(preview.captures)));
    }
    let (squares, captures) = (preview.squares.count_ones(), preview.captures.count_ones());
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    lines.push(format!(
        "TEXT {} completes {squares} square{} and captures {captures} stone{}",
        point_name(point),
        plural(squares),
        plural(captures)
    ));
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::played;
    use super::super::vertex::WHITE;
    use super::*;

    #[test]
    fn the_map_keeps_the_last_exact_score_of_each_point() {
        let position = Fangqi::start();
        let mut map = HeatMap::default();
        for line in [
            "depth 1 multipv 1 score cp 20 pv P@a1 P@b1",
            "depth 1 multipv 2 score cp 10 pv P@d4",
            "depth 2 multipv 1 score cp 150 pv P@d4",
            "depth 2 multipv 1 score cp 900 upperbound pv P@d4",
            "depth 2 multipv 2 score cp 100 pv P@a1",
            "depth 2 multipv 3 score mate -2 pv P@g7",
            "depth 2 multipv 4 score cp 7 pv P@h9",
        ] {
            map.add(&position, &Info::parse(line));
        }
        assert_eq!(map.gfx(), "COLOR #ffff00 A1\nCOLOR #00ff00 D4\nCOLOR #ff0000 G7\nLABEL A1 +1.0 D4 +1.5 G7 -M2");
    }

    #[test]
    fn captures_of_the_side_to_move() {
        let game = played("D4 C4 E4 F5 D5 D6");
        assert_eq!(captures(game.position()), "COLOR #ffd700 E5\nLABEL E5 3\nMARK C4 F5 D6");
        assert_eq!(captures(&game.turn_of(WHITE)), "TEXT no captures");
        let text = preview(game.position(), 32).unwrap();
        assert_eq!(
            text,
            "COLOR #ffd700 D4 E4 D5 E5\nBLACK E5\nMARK C4 F5 D6\nTEXT E5 completes 1 square and captures 3 stones"
        );
        assert_eq!(preview(game.position(), 24), None);
    }
}
