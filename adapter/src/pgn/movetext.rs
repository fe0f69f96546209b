//! Writes movetext.
use sanqi::board::Color;

/// Line length that movetext is broken at.
const WIDTH: usize = 80;

/// A tag pair with its line end. A value is printing characters only: others become blanks.
pub fn tag(name: &str, value: &str) -> String {
    let printing = value.replace(char::is_control, " ");
    format!("[{name} \"{}\"]\n", printing.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes movetext: numbers, moves, comments and the result, broken into lines.
#[derive(Debug)]
pub struct Movetext {
    text: String,
    column: usize,
    number: u32,
    /// Black's next move needs its number: at the beginning and after a comment.
    numbered: bool,
}

impl Movetext {
    /// The movetext of a game from `start`, whose sixth field is the number of the first move.
    pub fn new(start: &str) -> Movetext {
        let number = start.split_whitespace().nth(5).and_then(|n| n.parse().ok()).unwrap_or(1);
        Movetext { text: String::new(), column: 0, number, numbered: true }
    }

    /// Adds a move of `side`.
    pub fn mv(&mut self, side: Color, word: &str) {
        self.numbered_word(side, word, "", "");
    }

    fn numbered_word(&mut self, side: Color, word: &str, open: &str, close: &str) {
        match side {
            Color::White => self.word(&format!("{open}{}.", self.number)),
            Color::Black if self.numbered => self.word(&format!("{open}{}...", self.number)),
            Color::Black => {}
        }
        self.word(&format!("{word}{close}"));
        self.numbered = false;
        self.number += u32::from(side == Color::Black);
    }

    /// Adds a comment, which must not contain a closing brace; it is broken only between its words, and never before a percent sign: a line that
    /// begins with one is no part of the game (section 6 of the PGN standard).
    pub fn comment(&mut self, text: &str) {
        let mut words = Vec::<String>::new();
        for part in format!("{{{text}}}").split(char::is_whitespace) {
            match words.last_mut() {
                Some(word) if part.starts_with('%') => *word = format!("{word} {part}"),
                _ => words.push(part.to_owned()),
            }
        }
        words.iter().for_each(|word| self.word(word));
        self.numbered = true;
    }

    /// The number of the next move.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Adds a numeric annotation glyph.
    pub fn nag(&mut self, number: u8) {
        self.word(&format!("${number}"));
    }

    /// Adds a variation of moves in turn, which begins with move `number` of `side`.
    pub fn variation(&mut self, number: u32, side: Color, moves: &[String]) {
        let main = std::mem::replace(&mut self.number, number);
        self.numbered = true;
        let mut side = side;
        // Parentheses stand against words, not alone.
        let (first, last) = (0, moves.len().saturating_sub(1));
        for (index, word) in moves.iter().enumerate() {
            let close = if index == last { ")" } else { "" };
            let open = if index == first { "(" } else { "" };
            self.numbered_word(side, word, open, close);
            side = !side;
        }
        self.number = main;
        self.numbered = true;
    }

    /// Adds the result; gives the whole, with a line end.
    pub fn finish(mut self, result: &str) -> String {
        self.word(result);
        self.text + "\n"
    }

    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + width > WIDTH {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_after_comments_and_at_blacks_beginning() {
        let mut movetext = Movetext::new("x b - - 0 7");
        movetext.mv(Color::Black, "a");
        movetext.mv(Color::White, "b");
        movetext.mv(Color::Black, "c");
        movetext.mv(Color::White, "d");
        movetext.comment("e f");
        movetext.mv(Color::Black, "g");
        assert_eq!(movetext.finish("*"), "7... a 8. b c 9. d {e f} 9... g *\n");
    }

    #[test]
    fn glyphs_and_variations() {
        let mut movetext = Movetext::new("");
        movetext.mv(Color::White, "a");
        movetext.nag(4);
        movetext.variation(1, Color::White, &["b", "c", "d"].map(str::to_owned));
        movetext.mv(Color::Black, "e");
        movetext.variation(1, Color::Black, &["f".to_owned()]);
        movetext.mv(Color::White, "g");
        assert_eq!(movetext.finish("*"), "1. a $4 (1. b c 2. d) 1... e (1... f) 2. g *\n");
    }

    #[test]
    fn no_line_begins_with_a_percent_sign() {
        for length in 0..200 {
            let mut movetext = Movetext::new("");
            movetext.mv(Color::White, "a");
            let comment = format!("{} 55 % of\n% \t%% 1 %", "x ".repeat(length));
            movetext.comment(&comment);
            let text = movetext.finish("*");
            assert!(text.lines().all(|line| !line.starts_with('%')), "{text}");
            assert_eq!(
                text.replace(char::is_whitespace, ""),
                format!("1.a{{{comment}}}*").replace(char::is_whitespace, "")
            );
        }
    }

    #[test]
    fn a_tag_is_one_line() {
        assert_eq!(tag("Site", "a\nb\u{7f}\\\"é"), "[Site \"a b \\\\\\\"é\"]\n");
    }

    #[test]
    fn long_lines_are_broken() {
        let mut movetext = Movetext::new("");
        (0..100).for_each(|_| movetext.mv(Color::White, "abcdefg"));
        let text = movetext.finish("1-0");
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() > 10);
    }
}
