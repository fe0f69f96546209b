//! The thread that reads. It serves at once what must not wait for a search, and queues the rest.
use super::command::Command;
use super::desk::{Desk, Stopped};
use super::dialect::Dialect;
use super::options::{self, OptionId, Value};
use super::output::Output;
use std::io::{self, BufRead, ErrorKind};

/// Longest line that is read, in bytes. (A game of a million moves is shorter.)
const LONGEST_LINE: usize = 64 << 20;

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// The protocol spoken last.
    pub(super) dialect: Dialect,
    /// By `quit`; otherwise the input ended.
    pub(super) quit: bool,
    /// What was asked for before is still to be done in full.
    pub(super) finish_work: bool,
}

/// Reads one line into `line`, without its end. False at the end of input; a last line without an end counts.
///
/// The part of a line beyond `longest` bytes is thrown away, and `too_long` says so.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize, too_long: &mut bool) -> io::Result<bool> {
    line.clear();
    *too_long = false;
    let mut any = false;
    loop {
        let available = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = available.iter().position(|b| *b == b'\n');
        let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        let kept = part.get(..longest.saturating_sub(line.len())).unwrap_or(part);
        *too_long |= kept.len() < part.len();
        line.extend_from_slice(kept);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Bytes as text: what is no UTF-8 is replaced, NUL, byte order mark and the carriage return at the end are dropped.
fn text_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim_end_matches('\r').chars().filter(|c| !matches!(c, '\0' | '\u{feff}')).collect()
}

/// Reads until `quit` or the end of input. With `fixed`, greetings change nothing.
pub(super) fn serve(mut input: impl BufRead, fixed: Option<Dialect>, desk: &Desk, out: &Output) -> End {
    let mut reader = Reader { dialect: fixed.unwrap_or(Dialect::Uci), fixed, batch: false, desk, out };
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        match read_line(&mut input, &mut line, LONGEST_LINE, &mut too_long) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                log::error!("input ended: {error}");
                break;
            }
        }
        if too_long {
            desk.submit(Command::TooLong, reader.dialect);
        } else if let Some(end) = reader.take(&text_of(&line)) {
            return end;
        }
    }
    End { dialect: reader.dialect, quit: false, finish_work: true }
}

struct Reader<'a> {
    dialect: Dialect,
    fixed: Option<Dialect>,
    /// UCCI's `batch`: what comes during a search waits for its end.
    batch: bool,
    desk: &'a Desk,
    out: &'a Output,
}

impl Reader<'_> {
    fn take(&mut self, line: &str) -> Option<End> {
        self.out.heard(line);
        let command = Command::parse(line, self.dialect);
        let batch = self.batch && self.dialect == Dialect::Ucci;
        match command {
            Command::Nothing => {}
            Command::Hello(hello) => self.hello(hello, line),
            Command::BarePosition(_) if self.fixed.is_some_and(|d| d != Dialect::Cyclone) => {
                self.desk.submit(Command::Unknown(line.trim().to_owned()), self.dialect);
            }
            Command::BarePosition(_) => {
                self.dialect = Dialect::Cyclone;
                self.desk.submit(command, self.dialect);
            }
            Command::IsReady if !batch && self.desk.is_searching() => self.out.line("readyok"),
            Command::Stop => {
                if self.desk.stop(batch) == Stopped::Idle && self.dialect == Dialect::Ucci {
                    self.out.line(self.dialect.no_move());
                }
            }
            Command::PonderHit { draw } => self.desk.ponder_hit(draw && self.dialect == Dialect::Ucci),
            Command::Team(talk) => self.desk.hear(talk),
            Command::Quit => return Some(End { dialect: self.dialect, quit: true, finish_work: batch }),
            // With a search in the way the words are answered from its table, at once; otherwise in order.
            Command::Probe(Ok(ref words)) if !batch => match self.desk.look(words) {
                Some(known) => self.out.line(&format!("pophash{known}")),
                None => self.desk.submit(command, self.dialect),
            },
            Command::Go(go) => self.desk.submit_search(*go, self.dialect),
            Command::Bench(_) => self.desk.submit_work(command, self.dialect),
            Command::SetOption { ref name, ref value } => {
                if let Some(spec) = options::find(name)
                    && spec.id == OptionId::Batch
                    && let Ok((Value::Flag(on), _)) = spec.read(value.as_deref(), self.dialect)
                {
                    self.batch = on;
                }
                self.desk.submit(command, self.dialect);
            }
            _ => self.desk.submit(command, self.dialect),
        }
        None
    }

    fn hello(&mut self, hello: Dialect, line: &str) {
        let known = match self.fixed {
            None => true,
            // Cyclone clients greet with `uci`.
            Some(Dialect::Cyclone) => hello != Dialect::Ucci,
            Some(fixed) => hello == fixed,
        };
        if known {
            self.dialect = self.fixed.unwrap_or(hello);
            self.desk.submit(Command::Hello(hello), self.dialect);
        } else {
            self.desk.submit(Command::Unknown(line.trim().to_owned()), self.dialect);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], longest: usize) -> Vec<(String, bool)> {
        // A tiny buffer, so that lines come in pieces.
        let mut input = io::BufReader::with_capacity(3, input);
        let (mut line, mut too_long, mut all) = (Vec::new(), false, Vec::new());
        while read_line(&mut input, &mut line, longest, &mut too_long).unwrap() {
            all.push((text_of(&line), too_long));
        }
        all
    }

    #[test]
    fn lines_with_every_ending() {
        let read = lines(b"uci\r\n\n\xef\xbb\xbfis\0ready\ngo \xff depth", 100);
        let texts: Vec<&str> = read.iter().map(|(t, _)| t.as_str()).collect();
        assert_eq!(texts, ["uci", "", "isready", "go \u{fffd} depth"]);
    }

    #[test]
    fn the_tail_of_a_line_without_end_is_thrown_away() {
        assert_eq!(lines(b"12345678\nabc\n", 5), [("12345".to_owned(), true), ("abc".to_owned(), false)]);
    }
}
