//! Command lines and replies.

/// A command line that has been cleaned: `[id] name [arguments]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Command<'a> {
    /// The id, kept as text so that it comes back as it was given, however long.
    pub(super) id: Option<&'a str>,
    /// The name; empty when there is nothing but an id.
    pub(super) name: &'a str,
    /// All that follows, without blanks around it.
    pub(super) rest: &'a str,
}

impl<'a> Command<'a> {
    /// Splits a line.
    pub(super) fn parse(line: &'a str) -> Command<'a> {
        let line = line.trim();
        let (first, after) = line.split_once(' ').unwrap_or((line, ""));
        let is_id = !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit());
        let (id, line) = if is_id { (Some(first), after.trim_start()) } else { (None, line) };
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        Command { id, name, rest: rest.trim() }
    }

    /// The arguments.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &'a str> {
        self.rest.split_whitespace()
    }

    /// The n-th argument, counted from 0; empty when there are fewer.
    pub(super) fn argument(&self, n: usize) -> &'a str {
        self.arguments().nth(n).unwrap_or_default()
    }
}

/// The text of a success, or the message of a failure.
pub(super) type Reply = Result<String, String>;

/// A failure with this message.
pub(super) fn fail<T>(message: &str) -> Result<T, String> {
    Err(message.to_owned())
}

/// A reply as it goes over the wire. There is always a blank after the id, because GoGui cuts a reply at its first blank; an empty line
/// would end the reply and `#` begin a comment, so a text loses both.
pub(super) fn render(id: Option<&str>, reply: &Reply) -> String {
    let (mark, text) = match reply {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let mut out = format!("{mark}{} ", id.unwrap_or_default());
    for (index, line) in text.lines().enumerate() {
        let line: String = line.chars().filter(|&c| c != '#' || is_color(line)).collect();
        if index > 0 && !line.trim().is_empty() {
            out.push('\n');
        }
        if index == 0 || !line.trim().is_empty() {
            out.push_str(line.trim_end());
        }
    }
    out.push_str("\n\n");
    out
}

/// GoGui's graphics name colours as `COLOR #rrggbb`, the one place where the sign is meant.
fn is_color(line: &str) -> bool {
    line.starts_with("COLOR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split() {
        let full = Command::parse("12 play  b D4 ");
        assert_eq!((full.id, full.name, full.rest), (Some("12"), "play", "b D4"));
        assert_eq!((full.argument(1), full.argument(2)), ("D4", ""));
        let long = Command::parse("99999999999999999999 name");
        assert_eq!((long.id, long.name, long.rest), (Some("99999999999999999999"), "name", ""));
        assert_eq!(Command::parse("7"), Command { id: Some("7"), name: "", rest: "" });
        assert_eq!(Command::parse("7name").name, "7name");
    }

    #[test]
    fn replies() {
        assert_eq!(render(None, &Ok(String::new())), "= \n\n");
        assert_eq!(render(Some("3"), &Err("illegal move".into())), "?3 illegal move\n\n");
        assert_eq!(render(None, &Ok("a\n\n \nb\n".into())), "= a\nb\n\n");
        assert_eq!(render(None, &Ok("\n 7 .".into())), "= \n 7 .\n\n");
        assert_eq!(render(None, &Err("no # here".into())), "? no  here\n\n");
        assert_eq!(render(None, &Ok("COLOR #ffd700 A1".into())), "= COLOR #ffd700 A1\n\n");
    }
}
