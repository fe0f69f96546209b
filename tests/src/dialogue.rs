//! The example dialogues of the documentation, and playing them to the built engine.
//!
//! A dialogue is a fenced block that opens with the word `dialogue`, or with another one for another program, after which arguments for
//! it may stand:
//! * `> text` is sent; `> (end of input)` closes the input;
//! * `< text` is the next line of the engine; `…` in it stands for any text;
//! * `< …` alone stands for any number of lines, up to one that fits the next `<` line;
//! * other lines, and what follows two blanks and `#`, are for the reader.
use crate::session::Session;

/// One line of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Is sent.
    Send(String),
    /// The input ends.
    Close,
    /// Is expected.
    Expect(String),
    /// Any number of lines.
    Skip,
}

/// A dialogue in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// Number of its first line, for messages.
    pub line: usize,
    /// Arguments for the program.
    pub arguments: Vec<String>,
    /// What is said.
    pub steps: Vec<Step>,
}

/// The dialogues of a Markdown text with the engine.
pub fn read(markdown: &str) -> Vec<Dialogue> {
    read_fenced(markdown, "dialogue")
}

/// The dialogues of a Markdown text in blocks that open with `word`.
pub fn read_fenced(markdown: &str, word: &str) -> Vec<Dialogue> {
    let fence = format!("```{word}");
    let mut dialogues = Vec::new();
    let mut open: Option<Dialogue> = None;
    for (index, line) in markdown.lines().enumerate() {
        match &mut open {
            None => {
                if let Some(rest) = line.strip_prefix(&fence) {
                    let arguments = rest.split_whitespace().map(str::to_owned).collect();
                    open = Some(Dialogue { line: index + 1, arguments, steps: Vec::new() });
                }
            }
            Some(_) if line.starts_with("```") => dialogues.extend(open.take()),
            Some(dialogue) => {
                let line = line.split("  #").next().unwrap_or_default().trim_end();
                dialogue.steps.extend(match (line.strip_prefix("> "), line.strip_prefix("< ")) {
                    (Some("(end of input)"), _) => Some(Step::Close),
                    (Some(text), _) => Some(Step::Send(text.to_owned())),
                    (_, Some("…")) => Some(Step::Skip),
                    (_, Some(text)) => Some(Step::Expect(text.to_owned())),
                    _ => None,
                });
            }
        }
    }
    dialogues
}

/// Whether a line of the engine fits an expected one, in which `…` stands for any text.
pub fn fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

impl Dialogue {
    /// Plays the dialogue to the built engine.
    ///
    /// # Panics
    /// As [`Dialogue::play_to`].
    pub fn play(&self, document: &str) {
        self.play_to(document, Session::start);
    }

    /// Plays the dialogue to what `start` makes of its arguments. Afterwards the input is closed, if it is still open, and the engine has to end without error.
    ///
    /// # Panics
    /// The program says something else.
    pub fn play_to(&self, document: &str, start: impl FnOnce(&[&str]) -> Session) {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let mut session = Some(start(&arguments));
        let mut rest = Vec::new();
        let mut skipping = false;
        for step in &self.steps {
            match step {
                Step::Skip => skipping = true,
                Step::Close => rest = end(session.take().expect("the input ends once"), document, self.line),
                Step::Send(text) => {
                    assert!(!skipping, "{document}:{}: `< …` needs a line after it", self.line);
                    session.as_mut().expect("nothing is sent after the end of input").send(text);
                }
                Step::Expect(expected) => loop {
                    let line = match &mut session {
                        Some(session) => session.line(),
                        None if rest.is_empty() => panic!("{document}:{}: missing `{expected}`", self.line),
                        None => rest.remove(0),
                    };
                    if fits(expected, &line) {
                        skipping = false;
                        break;
                    }
                    assert!(skipping, "{document}:{}: expected `{expected}`, found `{line}`", self.line);
                },
            }
        }
        if let Some(session) = session {
            end(session, document, self.line);
        }
    }
}

fn end(session: Session, document: &str, line: usize) -> Vec<String> {
    let (rest, code) = session.close();
    assert_eq!(code, Some(0), "{document}:{line}: exit code");
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        assert!(fits("a", "a") && !fits("a", "ab") && !fits("a", "ba"));
        assert!(fits("a…", "abc") && fits("a…", "a") && !fits("a…", "b"));
        assert!(fits("info depth … pv e2…", "info depth 3 score cp 1 pv e2e4 e7e5"));
        assert!(!fits("info … mate … pv", "info mate"));
    }

    #[test]
    fn blocks_are_found() {
        let text = "x\n```dialogue --protocol ucci\n> ucci  # greeting\n< …\n< ucciok\n> (end of input)\nnote\n```\n```\n> no\n```\n";
        let expect = Dialogue {
            line: 2,
            arguments: vec!["--protocol".to_owned(), "ucci".to_owned()],
            steps: vec![Step::Send("ucci".to_owned()), Step::Skip, Step::Expect("ucciok".to_owned()), Step::Close],
        };
        assert_eq!(read(text), [expect]);
    }
}
