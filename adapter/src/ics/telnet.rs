//! Lines from the bytes of a telnet connection, whoever sends them.

/// Longest line in bytes; a longer one is dropped whole.
pub(super) const MAX_LINE: usize = 1024;

/// Telnet's escape, and the commands that begin an option of three bytes, a subnegotiation, and end it.
const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;
const WILL: u8 = 251;
const DONT: u8 = 254;

/// A line, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// What stands on it, without control characters; what is not UTF-8 is replaced.
    Text(String),
    /// It was longer than [`MAX_LINE`].
    TooLong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    Escape,
    Option,
    Sub,
    SubEscape,
}

/// Takes bytes as they come and gives lines.
#[derive(Debug)]
pub(super) struct Lines {
    state: State,
    line: Vec<u8>,
    overflow: bool,
}

impl Lines {
    /// At the start of a connection.
    pub(super) fn new() -> Lines {
        Lines { state: State::Text, line: Vec::new(), overflow: false }
    }

    /// Takes one byte; gives the line that it ends. Lines end with LF; CR and all other control characters are dropped.
    pub(super) fn push(&mut self, byte: u8) -> Option<Line> {
        self.state = match (self.state, byte) {
            (State::Text, IAC) => State::Escape,
            (State::Text, b'\n') => return Some(self.take()),
            (State::Text, byte) => {
                self.keep(byte);
                State::Text
            }
            // Doubled, it is the byte itself, which no UTF-8 text contains.
            (State::Escape, SB) => State::Sub,
            (State::Escape, WILL..=DONT) => State::Option,
            (State::Escape | State::Option, _) => State::Text,
            (State::Sub, IAC) => State::SubEscape,
            (State::Sub, b'\n') => {
                // No subnegotiation that is meant has a line end in it: without this one that never ends would hide all lines.
                self.state = State::Text;
                return Some(self.take());
            }
            (State::Sub, _) => State::Sub,
            (State::SubEscape, SE) => State::Text,
            (State::SubEscape, _) => State::Sub,
        };
        None
    }

    fn keep(&mut self, byte: u8) {
        if byte < b' ' && byte != b'\t' || byte == 127 {
            return;
        }
        if self.line.len() < MAX_LINE {
            self.line.push(byte);
        } else {
            self.overflow = true;
        }
    }

    fn take(&mut self) -> Line {
        let text = String::from_utf8_lossy(&self.line).replace('\t', " ");
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        self.line.clear();
        if std::mem::take(&mut self.overflow) { Line::TooLong } else { Line::Text(text.trim().to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new();
        bytes.iter().filter_map(|&byte| lines.push(byte)).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn telnet_bytes_are_no_text() {
        assert_eq!(lines(b"\xff\xfb\x01who\r\n"), [text("who")]);
        assert_eq!(lines(b"\xff\xfa\x18\x00xterm\xff\xf0games\n"), [text("games")]);
        assert_eq!(lines(b"\xff\xf4\xff\xfd\x06a\n"), [text("a")]);
        // One that never ends hides nothing but its own line.
        assert_eq!(lines(b"\xff\xfa\x18never\nwho\n"), [text(""), text("who")]);
    }

    #[test]
    fn control_characters_are_dropped() {
        assert_eq!(lines(b"w\0h\x07o\x1b\r\n\n"), [text("who"), text("")]);
        assert_eq!(lines(b"a\x80b\n"), [text("a\u{fffd}b")]);
        assert_eq!(lines("tell bob 你好\u{85}\n".as_bytes()), [text("tell bob 你好")]);
        assert_eq!(lines(b"no end"), []);
    }

    #[test]
    fn long_lines_are_dropped_whole() {
        let mut bytes = vec![b'x'; 1 << 20];
        bytes.extend_from_slice(b"\nwho\n");
        assert_eq!(lines(&bytes), [Line::TooLong, text("who")]);
        assert!(matches!(lines(&[&[b'x'; MAX_LINE][..], b"\n"].concat())[..], [Line::Text(_)]));
    }
}
