//! Boards as text.
use super::view::BoardView;
use sanqi::board::Color;
use sanqi::games::Outcome;

/// Boards side by side: letters of FENs, `( )` around the last move, `x` where a stone was taken.
pub fn text(boards: &[BoardView]) -> String {
    let columns: Vec<Vec<String>> = boards.iter().map(lines).collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for row in 0..height {
        let mut line = String::new();
        for column in &columns {
            let width = column.iter().map(|l| l.chars().count()).max().unwrap_or(0) + 4;
            line.push_str(&format!("{:width$}", column.get(row).map_or("", String::as_str)));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn lines(view: &BoardView) -> Vec<String> {
    let (files, ranks) = view.size;
    let mut out: Vec<String> = view.caption.iter().cloned().collect();
    let turn = match (view.turn, view.result.outcome) {
        (Some(Color::White), _) => "White to move".to_owned(),
        (Some(Color::Black), _) => "Black to move".to_owned(),
        (None, Outcome::Ongoing) => String::new(),
        (None, outcome) => format!("{outcome} ({})", view.result.reason),
    };
    out.push(turn);
    let reserve = |index: usize, name: &str| {
        let held = view.reserves.as_ref()?.get(index)?;
        let list: Vec<String> = held.iter().map(|(letter, count)| format!("{count} {letter}")).collect();
        Some(format!("{name} in hand: {}", if list.is_empty() { "-".to_owned() } else { list.join(", ") }))
    };
    let (white, black) = (reserve(0, "White"), reserve(1, "Black"));
    let (below, above) = if view.is_flipped { (black, white) } else { (white, black) };
    out.extend(above);
    let mut file_order: Vec<usize> = (0..files).collect();
    let mut rank_order: Vec<usize> = (0..ranks).rev().collect();
    if view.is_flipped {
        file_order.reverse();
        rank_order.reverse();
    }
    for rank in rank_order {
        let mut line = format!("{:2} ", rank + 1);
        for &file in &file_order {
            let square = (file, rank);
            let taken = view.capture.iter().flat_map(|c| &c.stones).any(|(at, _)| *at == square);
            let letter = view.piece_at(square).unwrap_or(if taken { 'x' } else { '.' });
            let is_last = view.last.is_some_and(|last| last.to == square || last.from == Some(square));
            let placed = view.capture.as_ref().and_then(|c| c.placed).filter(|(at, _)| *at == square);
            line.push_str(&match placed {
                Some((_, stone)) => format!("[{stone}]"),
                None if is_last => format!("({letter})"),
                None if taken && letter != 'x' => format!("x{letter} "),
                None => format!(" {letter} "),
            });
        }
        out.push(line);
    }
    let letters = file_order.iter().map(|&file| format!(" {} ", char::from(b'a'.saturating_add(file as u8))));
    out.push(format!("   {}", letters.collect::<String>()));
    out.extend(below);
    out
}
