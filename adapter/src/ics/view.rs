//! A board as style 12 and holdings lines show it.
use sanqi::board::Color;
use std::time::Duration;

/// What can be seen of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    /// The ranks from the top, `-` for an empty point.
    rows: Vec<String>,
    /// In hand, each side's letters in upper case.
    holdings: [String; 2],
    /// Side to move.
    pub(super) side: Color,
    halfmove: u32,
    number: u32,
}

impl View {
    /// Of a position that the library has written.
    pub(super) fn of_fen(fen: &str) -> View {
        let mut fields = fen.split_whitespace();
        let place = fields.next().unwrap_or_default();
        let (board, hand) = place.split_once('[').unwrap_or((place, ""));
        let of_side = |is_own: fn(&char) -> bool| hand.chars().filter(is_own).map(|c| c.to_ascii_uppercase()).collect();
        View {
            rows: board.split('/').map(expand).collect(),
            holdings: [of_side(char::is_ascii_uppercase), of_side(char::is_ascii_lowercase)],
            side: if fields.next() == Some("b") { Color::Black } else { Color::White },
            halfmove: fields.nth(2).and_then(|n| n.parse().ok()).unwrap_or(0),
            number: fields.next().and_then(|n| n.parse().ok()).unwrap_or(1),
        }
    }

    /// The letter on a point given as in moves, with the lowest rank numbered `base`.
    fn letter(&self, point: &str, base: usize) -> Option<char> {
        let file = point.bytes().next()?.checked_sub(b'a')?;
        let rank = point.get(1..)?.parse::<usize>().ok()?.checked_sub(base)?;
        let row = self.rows.iter().rev().nth(rank)?;
        row.chars().nth(file.into()).filter(|&c| c != '-')
    }

    /// Pieces in hand and on the board, as the strengths that style 12 has room for.
    fn strength(&self, side: Color) -> usize {
        let is_own = |c: &char| if side == Color::White { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() };
        let [white, black] = &self.holdings;
        let hand = if side == Color::White { white } else { black };
        self.rows.iter().flat_map(|row| row.chars()).filter(is_own).count() + hand.len()
    }

    /// `<b1> game 1 white [RP] black [N]`; `arrived` is the piece that the side has just got.
    pub(super) fn holdings_line(&self, game: u32, arrived: Option<(Color, char)>) -> String {
        let [white, black] = &self.holdings;
        let arrow = arrived.map_or_else(String::new, |(side, letter)| {
            format!(" <- {}{}", side_letter(side), letter.to_ascii_uppercase())
        });
        format!("<b1> game {game} white [{white}] black [{black}]{arrow}")
    }

    /// The `<12>` line.
    pub(super) fn board_line(&self, about: &About<'_>) -> String {
        let [white, black] = about.players;
        let [white_left, black_left] = about.left.map(|time| match about.milliseconds {
            true => i128::try_from(time.as_millis()).unwrap_or(i128::MAX),
            false => time.as_secs().into(),
        });
        let (long, elapsed, short) = match about.last {
            None => ("none".to_owned(), Duration::ZERO, "none".to_owned()),
            Some(last) => (last.long.clone(), last.elapsed, last.short.clone()),
        };
        format!(
            "<12> {} {} -1 0 0 0 0 {} {} {white} {black} {} {} {} {} {} {white_left} {black_left} {} {long} {} {short} {} {} 0",
            self.rows.join(" "),
            side_letter(self.side),
            self.halfmove,
            about.game,
            about.relation,
            about.minutes,
            about.increment,
            self.strength(Color::White),
            self.strength(Color::Black),
            self.number,
            elapsed_text(elapsed, about.milliseconds),
            u8::from(about.flipped),
            u8::from(about.ticking),
        )
    }
}

/// What a `<12>` line says besides the position.
#[derive(Debug, Clone)]
pub(super) struct About<'a> {
    pub(super) game: u32,
    pub(super) players: [&'a str; 2],
    /// 1: the reader is to move; −1: the opponent is; 0: the reader observes.
    pub(super) relation: i32,
    pub(super) minutes: u32,
    pub(super) increment: u32,
    pub(super) left: [Duration; 2],
    pub(super) last: Option<&'a MoveText>,
    pub(super) flipped: bool,
    pub(super) ticking: bool,
    /// Times in milliseconds, as the client has asked for.
    pub(super) milliseconds: bool,
}

/// A move as style 12 writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MoveText {
    /// `R/a0-a9`, `P/@@-d4`, `P/h8-h9=R`.
    pub(super) long: String,
    /// `a0a9`, `P@d4`, `h8h9=R`.
    pub(super) short: String,
    /// How long it took.
    pub(super) elapsed: Duration,
}

impl MoveText {
    /// Of a move that is legal in `before`, written as the protocol does with the lowest rank numbered `base`.
    pub(super) fn new(before: &View, text: &str, base: usize, elapsed: Duration) -> MoveText {
        if let Some((piece, to)) = text.split_once('@') {
            return MoveText { long: format!("{piece}/@@-{to}"), short: text.to_owned(), elapsed };
        }
        let end_of_point = |text: &str| {
            1 + text.bytes().skip(1).take_while(u8::is_ascii_digit).count().min(if base == 0 { 1 } else { 2 })
        };
        let (from, rest) = text.split_at_checked(end_of_point(text)).unwrap_or((text, ""));
        let (to, promotion) = rest.split_at_checked(end_of_point(rest)).unwrap_or((rest, ""));
        let piece = before.letter(from, base).unwrap_or('P').to_ascii_uppercase();
        let suffix = if promotion.is_empty() { String::new() } else { format!("={}", promotion.to_ascii_uppercase()) };
        MoveText { long: format!("{piece}/{from}-{to}{suffix}"), short: format!("{from}{to}{suffix}"), elapsed }
    }
}

/// `W` or `B`.
pub(super) const fn side_letter(side: Color) -> char {
    match side {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

/// `(0:05)`, or `(0:05.250)` for a client that wants milliseconds.
pub(super) fn elapsed_text(elapsed: Duration, milliseconds: bool) -> String {
    let (minutes, seconds) = (elapsed.as_secs() / 60, elapsed.as_secs() % 60);
    if milliseconds {
        format!("({minutes}:{seconds:02}.{:03})", elapsed.subsec_millis())
    } else {
        format!("({minutes}:{seconds:02})")
    }
}

/// `2P4` → `--P----`.
fn expand(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for c in row.chars() {
        if let Some(digit) = c.to_digit(10) {
            empty = empty * 10 + digit as usize;
        } else {
            text.extend(std::iter::repeat_n('-', std::mem::take(&mut empty)));
            text.push(c);
        }
    }
    text.extend(std::iter::repeat_n('-', empty));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let view = View::of_fen("7/7/3p3/3P3/7/7/7[PPPpp] w - - 0 7");
        let last = MoveText::new(&view, "P@d5", 1, Duration::from_millis(5250));
        let about = About {
            game: 3,
            players: ["alice", "bob"],
            relation: 1,
            minutes: 5,
            increment: 2,
            left: [Duration::from_millis(299_900), Duration::from_secs(300)],
            last: Some(&last),
            flipped: false,
            ticking: true,
            milliseconds: false,
        };
        assert_eq!(
            view.board_line(&about),
            "<12> ------- ------- ---p--- ---P--- ------- ------- ------- W -1 0 0 0 0 0 3 alice bob 1 5 2 4 3 299 300 7 \
             P/@@-d5 (0:05) P@d5 0 1 0"
        );
        let precise = view.board_line(&About { milliseconds: true, last: None, ..about });
        assert!(precise.contains(" 299900 300000 7 none (0:00.000) none 0 1 0"), "{precise}");
        assert_eq!(view.holdings_line(3, None), "<b1> game 3 white [PPP] black [PP]");
        assert_eq!(view.holdings_line(3, Some((Color::Black, 'r'))), "<b1> game 3 white [PPP] black [PP] <- BR");
    }

    #[test]
    fn moves() {
        let view = View::of_fen("1P7/9/9/9/9/9/9/9/9/R3K4 w - - 0 1");
        let text = |word: &str, base| {
            let text = MoveText::new(&view, word, base, Duration::ZERO);
            (text.long, text.short)
        };
        assert_eq!(text("a0a9", 0), ("R/a0-a9".to_owned(), "a0a9".to_owned()));
        assert_eq!(text("b9a9r", 0), ("P/b9-a9=R".to_owned(), "b9a9=R".to_owned()));
        assert_eq!(text("a1a10", 1), ("R/a1-a10".to_owned(), "a1a10".to_owned()));
        assert_eq!(text("C@e3", 0), ("C/@@-e3".to_owned(), "C@e3".to_owned()));
    }
}
