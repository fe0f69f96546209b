//! What movetext is made of.

/// A piece of movetext.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A word: a move, a move number, a result.
    Word(&'a str),
    /// The text of a comment.
    Comment(&'a str),
    /// `;` and the rest of its line: a comment, or the second half of a king swap.
    Rest(&'a str),
    /// `$n`, or a variation in parentheses with all that is in it.
    Skipped,
    /// A comment or variation that does not end.
    Unclosed(char),
}

/// Splits movetext into tokens.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text }
    }

    /// Cuts `rest` after `at` bytes; gives the text before.
    fn cut(&mut self, at: usize) -> &'a str {
        let (before, after) = self.rest.split_at_checked(at).unwrap_or((self.rest, ""));
        self.rest = after;
        before
    }

    /// Goes on after a variation, whose opening parenthesis has been read.
    fn skip_variation(&mut self) -> Token<'a> {
        let mut depth = 1;
        while depth > 0 {
            let Some(at) = self.rest.find(['(', ')', '{']) else {
                self.rest = "";
                return Token::Unclosed('(');
            };
            self.cut(at);
            match self.cut(1) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => match self.rest.find('}') {
                    Some(end) => _ = self.cut(end + 1),
                    None => {
                        self.rest = "";
                        return Token::Unclosed('{');
                    }
                },
            }
        }
        Token::Skipped
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.rest = self.rest.trim_start();
        Some(match self.rest.chars().next()? {
            '{' => {
                self.cut(1);
                match self.rest.find('}') {
                    Some(end) => {
                        let comment = self.cut(end);
                        self.cut(1);
                        Token::Comment(comment)
                    }
                    None => {
                        self.rest = "";
                        Token::Unclosed('{')
                    }
                }
            }
            ';' => {
                self.cut(1);
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                Token::Rest(self.cut(end))
            }
            '(' => {
                self.cut(1);
                self.skip_variation()
            }
            '$' => {
                let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
                self.cut(end);
                Token::Skipped
            }
            ')' | '}' => {
                self.cut(1);
                Token::Skipped
            }
            _ => {
                let end =
                    self.rest.find(|c: char| c.is_whitespace() || "{}();$".contains(c)).unwrap_or(self.rest.len());
                Token::Word(self.cut(end))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds() {
        let text = "1. e4{a (b} ;rest; of line\n $3 (1. d4 (x {)} y) z) e5 {open";
        let tokens: Vec<Token> = Tokens::new(text).collect();
        assert_eq!(
            tokens,
            [
                Token::Word("1."),
                Token::Word("e4"),
                Token::Comment("a (b"),
                Token::Rest("rest; of line"),
                Token::Skipped,
                Token::Skipped,
                Token::Word("e5"),
                Token::Unclosed('{'),
            ]
        );
        assert_eq!(Tokens::new("(a").collect::<Vec<_>>(), [Token::Unclosed('(')]);
        assert_eq!(Tokens::new("x;").collect::<Vec<_>>(), [Token::Word("x"), Token::Rest("")]);
        assert_eq!(Tokens::new("é)").collect::<Vec<_>>(), [Token::Word("é"), Token::Skipped]);
    }
}
