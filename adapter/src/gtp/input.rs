//! Standard input. It is read on a thread of its own, because `# interrupt` may come while a command is being carried out, and
//! because a thread does not hold up the end of the program while it waits for a line that never comes.
use crate::input::{READ_AHEAD, read_line};
use std::io::{BufReader, Read};
use tokio::sync::{mpsc, watch};

/// A line that holds a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Which command it is, counted from 1.
    pub(super) index: u64,
    /// The line, cleaned.
    pub(super) text: String,
}

/// Starts to read. The second channel holds the index of the last command before the latest `# interrupt`: that command and
/// all before it are to be cut short.
pub(super) fn listen(stream: impl Read + Send + 'static) -> (mpsc::Receiver<Line>, watch::Receiver<u64>) {
    let (lines, receiver) = mpsc::channel(READ_AHEAD);
    let (interrupts, interrupted) = watch::channel(0);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut index = 0;
        while let Ok(Some(raw)) = read_line(&mut reader) {
            if is_interrupt(&raw) {
                interrupts.send_replace(index);
                continue;
            }
            let text = clean(&raw);
            if text.is_empty() {
                continue;
            }
            index += 1;
            if lines.blocking_send(Line { index, text }).is_err() {
                break;
            }
        }
    });
    (receiver, interrupted)
}

/// A comment by which GoGui asks for the end of the running command.
fn is_interrupt(line: &str) -> bool {
    line.trim().strip_prefix('#').is_some_and(|text| text.trim() == "interrupt")
}

/// As GTP wants input read: without control characters and comments, and with blanks for tabs.
fn clean(line: &str) -> String {
    let command = line.split('#').next().unwrap_or_default();
    let kept = command.chars().filter(|&c| c == '\t' || !c.is_control());
    kept.map(|c| if c == '\t' { ' ' } else { c }).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::MAX_LINE;

    fn read(bytes: &'static [u8]) -> (Vec<Line>, u64) {
        let (mut lines, interrupted) = listen(bytes);
        let mut all = Vec::new();
        while let Some(line) = lines.blocking_recv() {
            all.push(line);
        }
        let last = *interrupted.borrow();
        (all, last)
    }

    #[test]
    fn lines_are_cleaned() {
        let (lines, _) = read(b"\t3\tname\t\r\n\r\n# comment\n  \nplay b d4 # centre\nna\x07me\nquit");
        let texts: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts, ["3 name", "play b d4", "name", "quit"]);
        assert_eq!(lines.iter().map(|l| l.index).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn interrupts_count_the_commands_before_them() {
        assert_eq!(read(b"genmove b\n# interrupt\nname\n").1, 1);
        assert_eq!(read(b"genmove b\nname\n#interrupt\r\n").1, 2);
        assert_eq!(read(b"genmove b\n# interrupting\n").1, 0);
    }

    #[test]
    fn long_lines_and_wild_bytes_do_no_harm() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nname\n\xff\xfe\n");
        let (lines, _) = read(bytes.leak());
        assert_eq!(lines.iter().map(|l| l.text.len()).collect::<Vec<_>>(), [MAX_LINE, 4, 6]);
    }
}
