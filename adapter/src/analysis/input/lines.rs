//! Lines of a file of any size, bounded in length.
use std::io::{self, BufRead};

/// Longest line that is read, in bytes: a game of 10,000 moves fits.
pub(super) const MAX_LINE: usize = 1 << 20;

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// Its text, without line end and byte order mark. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// It has more than [`MAX_LINE`] bytes and was passed over.
    TooLong,
}

/// Reads lines and counts them.
#[derive(Debug)]
pub(super) struct Lines<R> {
    inner: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Lines of `inner`.
    pub(super) fn new(inner: R) -> Lines<R> {
        Lines { inner, number: 0 }
    }

    /// The number of the line read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let (mut any, mut too_long) = (false, false);
        loop {
            let chunk = match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            too_long |= bytes.len() + part.len() > MAX_LINE;
            if !too_long {
                bytes.extend_from_slice(part);
            }
            let used = end.map_or(chunk.len(), |at| at + 1);
            self.inner.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        if too_long {
            return Ok(Some(Line::TooLong));
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        match text.strip_prefix('\u{feff}') {
            Some(rest) if self.number == 1 => Ok(Some(Line::Text(rest.to_owned()))),
            _ => Ok(Some(Line::Text(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let long = "x".repeat(MAX_LINE + 1);
        let text = format!("\u{feff}a\r\n\n{long}\nb");
        let mut lines = Lines::new(text.as_bytes());
        let text = |text: &str| Some(Line::Text(text.to_owned()));
        assert_eq!(lines.next().unwrap(), text("a"));
        assert_eq!(lines.next().unwrap(), text(""));
        assert_eq!(lines.next().unwrap(), Some(Line::TooLong));
        assert_eq!((lines.next().unwrap(), lines.number()), (text("b"), 4));
        assert_eq!(lines.next().unwrap(), None);
    }
}
