//! Boards as SVG. The document stands alone: characters are outlines, nothing is loaded from elsewhere.
use super::outlines::outline;
use super::pieces::{DEFINITIONS, PieceSet};
use super::view::{Arrow, BoardView, Capture, Square};
use sanqi::board::Color;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Side of a square, or distance of two points, in the units of the document.
const CELL: f64 = 60.0;
/// Room for the letters and numbers around a board.
const MARGIN: f64 = 28.0;
/// Height of a reserve.
const TRAY: f64 = 52.0;
/// Height of the line above a board.
const CAPTION: f64 = 36.0;
/// Between two boards, and around everything.
const GAP: f64 = 16.0;

const WOOD: &str = "#e7c48c";
const LINE: &str = "#5c3d1e";
const INK: &str = "#4a3420";
const GOLD: &str = "#d99a00";

/// An SVG document of boards side by side, `scale` pixels to a square. `description` is what a reader for the blind says.
pub fn document(boards: &[BoardView], scale: u32, description: &str) -> String {
    let width = GAP + boards.iter().map(|board| Panel::new(board).width() + GAP).sum::<f64>();
    let height = 2.0 * GAP + boards.iter().map(|board| Panel::new(board).height()).fold(0.0, f64::max);
    let pixels = |units: f64| (units * f64::from(scale) / CELL).round();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n{DEFINITIONS}<rect width=\"{width}\" height=\"{height}\" fill=\"#f7f2e8\"/>\n",
        pixels(width),
        pixels(height),
        escape(description),
    );
    out.push_str(&drawings(boards));
    let mut left = GAP;
    for board in boards {
        let mut panel = Panel::new(board);
        panel.draw();
        let _ = writeln!(out, "<g transform=\"translate({left} {GAP})\">\n{}</g>", panel.out);
        left += panel.width() + GAP;
    }
    out + "</svg>\n"
}

/// Every drawing that the boards need, once.
fn drawings(boards: &[BoardView]) -> String {
    let needed: BTreeSet<(String, PieceSet, char)> = boards
        .iter()
        .flat_map(|board| {
            let capture = board.capture.iter().flat_map(|c| c.stones.iter().chain(&c.placed));
            let letters = board.pieces.iter().chain(capture).map(|&(_, letter)| letter);
            let reserves = board.reserves.iter().flatten().flatten().map(|&(letter, _)| letter);
            letters.chain(reserves).map(|letter| (name(board.set, letter), board.set, letter)).collect::<Vec<_>>()
        })
        .collect();
    let mut out = String::from("<defs>\n");
    for (name, set, letter) in needed {
        let _ = writeln!(out, "<g id=\"{name}\">{}</g>", set.draw(letter).unwrap_or_default());
    }
    out + "</defs>\n"
}

/// What a drawing is called in the document. Several documents may be put into one page, so the set is part of it.
fn name(set: PieceSet, letter: char) -> String {
    let set = match set {
        PieceSet::Stones => "stone",
        PieceSet::Discs => "disc",
        PieceSet::Figures => "figure",
    };
    // Names are told apart by case in some places only.
    format!("{set}-{}{}", if letter.is_ascii_uppercase() { "white-" } else { "black-" }, letter.to_ascii_lowercase())
}

/// Text between tags.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One board with all that belongs to it. Writing into a string cannot fail, so what `write!` gives is dropped.
struct Panel<'a> {
    view: &'a BoardView,
    out: String,
}

impl<'a> Panel<'a> {
    fn new(view: &'a BoardView) -> Panel<'a> {
        Panel { view, out: String::new() }
    }

    fn board_width(&self) -> f64 {
        self.view.size.0 as f64 * CELL
    }

    fn board_height(&self) -> f64 {
        self.view.size.1 as f64 * CELL
    }

    fn width(&self) -> f64 {
        self.board_width() + 2.0 * MARGIN
    }

    /// Upper edge of the framed board.
    fn top(&self) -> f64 {
        let caption = if self.view.caption.is_some() { CAPTION } else { 0.0 };
        let tray = if self.view.reserves.is_some() { TRAY } else { 0.0 };
        caption + tray
    }

    fn height(&self) -> f64 {
        let tray = if self.view.reserves.is_some() { TRAY } else { 0.0 };
        self.top() + self.board_height() + 2.0 * MARGIN + tray
    }

    /// Middle of a square.
    fn centre(&self, (file, rank): Square) -> (f64, f64) {
        let (files, ranks) = self.view.size;
        let (column, row) = match self.view.is_flipped {
            false => (file, ranks.saturating_sub(rank + 1)),
            true => (files.saturating_sub(file + 1), rank),
        };
        (MARGIN + (column as f64 + 0.5) * CELL, self.top() + MARGIN + (row as f64 + 0.5) * CELL)
    }

    fn draw(&mut self) {
        if let Some(caption) = &self.view.caption {
            self.out.push_str(&text(caption, self.width() / 2.0, 24.0, 24.0, INK));
        }
        let (top, width, height) = (self.top(), self.width(), self.board_height() + 2.0 * MARGIN);
        let frame = if self.view.set == PieceSet::Figures { "#d8bd92" } else { WOOD };
        let _ = writeln!(
            self.out,
            r#"<rect y="{top}" width="{width}" height="{height}" rx="6" fill="{frame}" stroke="{LINE}" stroke-width="1.5"/>"#
        );
        match self.view.set {
            PieceSet::Figures => self.checkers(),
            PieceSet::Discs => self.xiangqi_lines(),
            PieceSet::Stones => self.grid(0, 6),
        }
        self.coordinates();
        self.last_move();
        for &(square, letter) in &self.view.pieces {
            self.piece(square, letter, 1.0);
        }
        if let Some(capture) = &self.view.capture {
            self.capture(capture);
        }
        for &arrow in &self.view.arrows {
            self.arrow(arrow);
        }
        self.turn();
        self.reserves();
    }

    fn checkers(&mut self) {
        let (files, ranks) = self.view.size;
        for (file, rank) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank))) {
            let (x, y) = self.centre((file, rank));
            // a1 is dark, as on every chessboard.
            let fill = if (file + rank) % 2 == 0 { "#b08558" } else { "#efdfc0" };
            let _ = write!(
                self.out,
                r#"<rect x="{}" y="{}" width="{CELL}" height="{CELL}" fill="{fill}"/>"#,
                x - CELL / 2.0,
                y - CELL / 2.0
            );
        }
        self.out.push('\n');
    }

    /// Lines of all ranks, and of all files between two ranks.
    fn grid(&mut self, lowest: usize, highest: usize) {
        let last = self.view.size.0.saturating_sub(1);
        let mut path = String::new();
        for rank in lowest..=highest {
            path.push_str(&self.segment((0, rank), (last, rank)));
        }
        for file in 0..=last {
            path.push_str(&self.segment((file, lowest), (file, highest)));
        }
        self.lines(&path, 1.5);
        let (corner, opposite) =
            (self.segment((0, lowest), (0, highest)), self.segment((last, lowest), (last, highest)));
        self.lines(&(corner + &opposite), 2.5);
    }

    fn xiangqi_lines(&mut self) {
        self.grid(0, 4);
        self.grid(5, 9);
        let mut path = String::new();
        for file in [0, 8] {
            path.push_str(&self.segment((file, 4), (file, 5)));
        }
        for low in [0, 7] {
            path.push_str(&self.segment((3, low), (5, low + 2)));
            path.push_str(&self.segment((3, low + 2), (5, low)));
        }
        let soldiers = [3, 6].into_iter().flat_map(|rank| [0, 2, 4, 6, 8].map(|file| (file, rank)));
        for point in soldiers.chain([(1, 2), (7, 2), (1, 7), (7, 7)]) {
            path.push_str(&self.corners(point));
        }
        self.lines(&path, 1.5);
        // The river, to be read from the side that is at the bottom.
        let (x, y) = self.centre((4, 4));
        let (_, other) = self.centre((4, 5));
        for (words, x) in [("楚河", x - 2.0 * CELL), ("漢界", x + 2.0 * CELL)] {
            self.out.push_str(&text(words, x, (y + other) / 2.0 + 12.0, 34.0, "#8f6a3c"));
        }
    }

    /// The four small angles at a point where a soldier or cannon begins; outside of the board there are none.
    fn corners(&self, point: Square) -> String {
        let (x, y) = self.centre(point);
        let mut path = String::new();
        for side in [-1.0, 1.0] {
            let edge = if self.view.is_flipped { -side } else { side };
            if (point.0 == 0 && edge < 0.0) || (point.0 == 8 && edge > 0.0) {
                continue;
            }
            for up in [-1.0, 1.0] {
                let _ = write!(path, "M{} {}v{}h{}", x + side * 5.0, y + up * 14.0, -up * 9.0, side * 9.0);
            }
        }
        path
    }

    fn segment(&self, from: Square, to: Square) -> String {
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
        format!("M{x1} {y1}L{x2} {y2}")
    }

    fn lines(&mut self, path: &str, width: f64) {
        let _ = writeln!(
            self.out,
            r#"<path d="{path}" fill="none" stroke="{LINE}" stroke-width="{width}" stroke-linecap="square"/>"#
        );
    }

    fn coordinates(&mut self) {
        let (files, ranks) = self.view.size;
        for file in 0..files {
            let (x, _) = self.centre((file, 0));
            let letter = char::from(b'a'.saturating_add(u8::try_from(file).unwrap_or(0))).to_string();
            let y = self.top() + MARGIN * 2.0 + self.board_height() - 9.0;
            self.out.push_str(&text(&letter, x, y, 17.0, INK));
        }
        for rank in 0..ranks {
            let (_, y) = self.centre((0, rank));
            self.out.push_str(&text(&(rank + 1).to_string(), MARGIN / 2.0, y + 6.0, 17.0, INK));
        }
    }

    fn piece(&mut self, square: Square, letter: char, opacity: f64) {
        let (x, y) = self.centre(square);
        self.piece_at(x, y, 0.56, letter, opacity);
    }

    fn piece_at(&mut self, x: f64, y: f64, scale: f64, letter: char, opacity: f64) {
        let faint = if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
        let offset = |at: f64| ((at - 50.0 * scale) * 100.0).round() / 100.0;
        let _ = writeln!(
            self.out,
            r##"<use href="#{}" transform="translate({} {}) scale({scale})"{faint}/>"##,
            name(self.view.set, letter),
            offset(x),
            offset(y)
        );
    }

    /// Squares of a board with squares are tinted, points get brackets around them.
    fn last_move(&mut self) {
        let Some(Arrow { from, to }) = self.view.last else { return };
        for square in from.into_iter().chain([to]) {
            let (x, y) = self.centre(square);
            if self.view.set == PieceSet::Figures {
                let _ = writeln!(
                    self.out,
                    r##"<rect x="{}" y="{}" width="{CELL}" height="{CELL}" fill="#e8d33c" fill-opacity="0.55"/>"##,
                    x - CELL / 2.0,
                    y - CELL / 2.0
                );
                continue;
            }
            let mut path = String::new();
            for (side, up) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
                let _ = write!(path, "M{} {}v{}h{}", x + side * 28.0, y + up * 16.0, up * 12.0, -side * 12.0);
            }
            let _ = writeln!(self.out, r##"<path d="{path}" fill="none" stroke="#1f6fb2" stroke-width="3.5"/>"##);
        }
    }

    /// FQ-3, FQ-8: capturing squares in dashed gold, the stones they take crossed out.
    fn capture(&mut self, capture: &Capture) {
        if let Some((square, letter)) = capture.placed {
            self.piece(square, letter, 0.6);
        }
        for &(square, letter) in &capture.stones {
            if self.view.piece_at(square).is_none() {
                self.piece(square, letter, 0.3);
            }
            let (x, y) = self.centre(square);
            let _ = writeln!(
                self.out,
                r##"<path d="M{} {}l20 20m0 -20l-20 20" stroke="#d0281e" stroke-width="4.5" stroke-linecap="round"/>"##,
                x - 10.0,
                y - 10.0
            );
        }
        for &(file, rank) in &capture.squares {
            let ((x1, y1), (x2, y2)) = (self.centre((file, rank)), self.centre((file + 1, rank + 1)));
            let (left, top) = (x1.min(x2), y1.min(y2));
            let _ = writeln!(
                self.out,
                r##"<rect x="{0}" y="{1}" width="{2}" height="{2}" rx="10" fill="none" stroke="#ffffff" stroke-opacity="0.7" stroke-width="7"/><rect x="{0}" y="{1}" width="{2}" height="{2}" rx="10" fill="none" stroke="{GOLD}" stroke-width="4.5" stroke-dasharray="11 6"/>"##,
                left - 30.0,
                top - 30.0,
                CELL + 60.0
            );
        }
    }

    fn arrow(&mut self, Arrow { from, to }: Arrow) {
        let (x, y) = self.centre(to);
        let Some((x0, y0)) = from.map(|square| self.centre(square)) else {
            let _ = writeln!(
                self.out,
                r##"<circle cx="{x}" cy="{y}" r="26" fill="none" stroke="#1e8a4c" stroke-opacity="0.8" stroke-width="6"/>"##
            );
            return;
        };
        let length = (x - x0).hypot(y - y0);
        if length == 0.0 {
            return;
        }
        // Along the arrow and across it.
        let ((ax, ay), (cx, cy)) = (((x - x0) / length, (y - y0) / length), ((y0 - y) / length, (x - x0) / length));
        let at = |along: f64, across: f64| {
            let round = |value: f64| (value * 10.0).round() / 10.0;
            format!("{} {}", round(x0 + ax * along + cx * across), round(y0 + ay * along + cy * across))
        };
        let neck = length - 24.0;
        let corners =
            [(14.0, 5.0), (neck, 5.0), (neck, 14.0), (length - 2.0, 0.0), (neck, -14.0), (neck, -5.0), (14.0, -5.0)];
        let path: Vec<String> = corners.iter().map(|&(along, across)| at(along, across)).collect();
        let _ = writeln!(self.out, r##"<path d="M{}Z" fill="#1e8a4c" fill-opacity="0.8"/>"##, path.join("L"));
    }

    /// A small light beside the board of the side to move.
    fn turn(&mut self) {
        let Some(color) = self.view.turn else { return };
        let is_below = (color == Color::White) != self.view.is_flipped;
        let (x, edge) = (self.width() - MARGIN / 2.0, self.top() + MARGIN);
        let y = if is_below { edge + self.board_height() - CELL / 2.0 } else { edge + CELL / 2.0 };
        let fill = match (color, self.view.set) {
            (Color::Black, _) => "#1c1a18",
            (Color::White, PieceSet::Discs) => "#b01e17",
            (Color::White, _) => "#ffffff",
        };
        let _ =
            writeln!(self.out, r#"<circle cx="{x}" cy="{y}" r="8" fill="{fill}" stroke="{LINE}" stroke-width="1.5"/>"#);
    }

    fn reserves(&mut self) {
        let Some([white, black]) = self.view.reserves.clone() else { return };
        let (below, above) = if self.view.is_flipped { (black, white) } else { (white, black) };
        let lower = self.top() + self.board_height() + 2.0 * MARGIN;
        for (reserve, top) in [(above, self.top() - TRAY), (below, lower)] {
            let _ = writeln!(
                self.out,
                r##"<rect x="1" y="{}" width="{}" height="{}" rx="6" fill="#eadcc4" stroke="#cdb58f"/>"##,
                top + 4.0,
                self.width() - 2.0,
                TRAY - 8.0
            );
            let mut x = MARGIN;
            for (letter, count) in reserve {
                self.piece_at(x + 20.0, top + TRAY / 2.0, 0.38, letter, 1.0);
                // The number begins at the same distance, however many digits it has.
                let count = format!("×{count}");
                let width = 22.0 / 1000.0 * advance(&count);
                self.out.push_str(&text(&count, x + 44.0 + width / 2.0, top + TRAY / 2.0 + 8.0, 22.0, INK));
                x += 92.0;
            }
        }
    }
}

/// Width of a line of text in thousandths of its size.
fn advance(line: &str) -> f64 {
    line.chars().map(|c| f64::from(outline(c).0)).sum()
}

/// A line of text around `x`, its baseline at `y`.
fn text(line: &str, x: f64, y: f64, size: f64, fill: &str) -> String {
    let scale = size / 1000.0;
    let width = advance(line);
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let mut out = format!(
        r#"<g transform="translate({} {}) scale({scale})" fill="{fill}">"#,
        round(x - width * scale / 2.0),
        round(y)
    );
    let mut at = 0;
    for (advance, path) in line.chars().map(outline) {
        if !path.is_empty() {
            let _ = write!(out, r#"<path transform="translate({at})" d="{path}"/>"#);
        }
        at += u32::from(advance);
    }
    out + "</g>\n"
}
