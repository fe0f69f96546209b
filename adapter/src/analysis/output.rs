//! The way out: whole rows, in the order that is asked for, and what a resumed run finds already written.
use super::format::Formatter;
use super::row::Row;
use crate::record_file::RecordFile;
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// The order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// That of the positions in the input.
    Input,
    /// As they are done.
    Done,
}

/// Takes rows and writes them.
pub struct Output {
    out: BufWriter<Box<dyn Write + Send>>,
    formatter: Formatter,
    order: Order,
    /// The number of the next row, in the order of the input.
    next: u64,
    /// Rows that wait for one before them.
    held: BTreeMap<u64, Row>,
    /// Rows written, and those of them that tell an error.
    pub rows: u64,
    /// Rows with an error.
    pub errors: u64,
}

impl Output {
    /// Writes to `out`; `begun` when it has its header.
    ///
    /// # Errors
    /// The header cannot be written.
    pub fn new(out: Box<dyn Write + Send>, formatter: Formatter, order: Order, begun: bool) -> io::Result<Output> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        if !begun {
            out.write_all(formatter.header().as_bytes())?;
        }
        Ok(Output { out, formatter, order, next: 0, held: BTreeMap::new(), rows: 0, errors: 0 })
    }

    /// Takes the row of a position; gives how many rows could be written.
    ///
    /// # Errors
    /// They cannot be.
    pub fn take(&mut self, number: u64, row: Row) -> io::Result<usize> {
        if self.order == Order::Done {
            self.write(row)?;
            return Ok(1);
        }
        self.held.insert(number, row);
        let before = self.next;
        while let Some(row) = self.held.remove(&self.next) {
            self.next += 1;
            self.write(row)?;
        }
        Ok((self.next - before) as usize)
    }

    fn write(&mut self, mut row: Row) -> io::Result<()> {
        self.rows += 1;
        self.errors += u64::from(row.error.is_some());
        self.out.write_all(self.formatter.row(&mut row).as_bytes())
    }

    /// Lets readers see what has been written.
    ///
    /// # Errors
    /// It cannot be.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Positions whose rows are in an output already. Kept are 12 bytes a row.
#[derive(Debug, Default)]
pub struct Done {
    /// Hashes of ids, sorted, each once.
    keys: Vec<u64>,
    /// How many rows with that id have not met their position yet.
    left: Vec<u32>,
}

impl Done {
    /// The position of this id and board has its row: two positions with one id need two rows.
    pub fn take(&mut self, formatter: &Formatter, id: &str, board: Option<usize>) -> bool {
        let Ok(index) = self.keys.binary_search(&hash(&formatter.key_of(id, board))) else { return false };
        match self.left.get_mut(index) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    fn of(mut hashes: Vec<u64>) -> Done {
        hashes.sort_unstable();
        let mut done = Done::default();
        for key in hashes {
            match (done.keys.last(), done.left.last_mut()) {
                (Some(&last), Some(left)) if last == key => *left += 1,
                _ => {
                    done.keys.push(key);
                    done.left.push(1);
                }
            }
        }
        done
    }
}

fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Opens an output file to go on with it: reads which rows it has, and cuts off a last line that was torn. The file is as it was when
/// that fails. True when it has its header.
///
/// # Errors
/// It cannot be read or written, or has a line that is no row.
pub fn resume(path: &Path, formatter: &Formatter) -> io::Result<(RecordFile, Done, bool)> {
    let mut file = RecordFile::open(path)?;
    let header = formatter.header();
    let (mut hashes, mut good, mut number) = (Vec::new(), 0, 0);
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut expected = header.split_inclusive('\n');
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            break;
        }
        number += 1;
        let text = std::str::from_utf8(&line).ok();
        let key = match (expected.next(), text.and_then(|text| text.strip_suffix('\n'))) {
            (Some(head), Some(_)) if text == Some(head) => None,
            (None, Some(row)) => match formatter.key(row) {
                Some(key) => Some(hash(&key)),
                None => return Err(not_a_row(number)),
            },
            (Some(head), Some(_)) => {
                let why = format!("line {number} is not `{}`; was it written with other options?", head.trim_end());
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            // Without a line end, so the last one. Nothing but the beginning of ours is taken for a torn line.
            (head, None) if is_torn(&line, head.unwrap_or(formatter.row_start())) => break,
            (_, None) => return Err(not_a_row(number)),
        };
        hashes.extend(key);
        good += length;
    }
    drop(reader);
    // A torn header is written again.
    let begun = good >= header.len() as u64;
    let keep = if begun { good } else { 0 };
    file.keep(keep)?;
    Ok((file, Done::of(hashes), begun))
}

fn is_torn(line: &[u8], start: &str) -> bool {
    !line.ends_with(b"\n") && line.iter().zip(start.as_bytes()).all(|(found, expected)| found == expected)
}

fn not_a_row(number: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("line {number} is no row in this format"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::format::Format;
    use crate::analysis::row::Id;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn formatter(format: Format) -> Formatter {
        Formatter { format, multipv: 1, rules_only: false, no_times: true }
    }

    fn written(order: Order, format: Format, numbers: &[u64]) -> String {
        let shared = Shared::default();
        let mut output = Output::new(Box::new(shared.clone()), formatter(format), order, false).unwrap();
        for &number in numbers {
            output.take(number, Row::new(Id::Number(number as i64))).unwrap();
        }
        output.flush().unwrap();
        let bytes = shared.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn order() {
        let ids = |order| -> Vec<String> {
            let text = written(order, Format::Jsonl, &[2, 0, 1, 4]);
            text.lines().map(|l| serde_json::from_str::<Row>(l).unwrap().id.to_string()).collect()
        };
        assert_eq!(ids(Order::Done), ["2", "0", "1", "4"]);
        assert_eq!(ids(Order::Input), ["0", "1", "2"]);
    }

    /// However much of the output is there, what is whole is kept and what is torn is cut off.
    #[test]
    fn resume_at_every_byte() {
        let path = std::env::temp_dir().join(format!("sanqi-resume-{}", std::process::id()));
        for format in [Format::Jsonl, Format::Csv, Format::Md] {
            let formatter = formatter(format);
            let whole = written(Order::Done, format, &[0, 1, 1]);
            for cut in 0..=whole.len() {
                std::fs::write(&path, &whole[..cut]).unwrap();
                let (file, mut done, begun) = resume(&path, &formatter).unwrap();
                let rows = whole[..cut].matches('\n').count().saturating_sub(formatter.header().matches('\n').count());
                let mut taken = |id: &str| done.take(&formatter, id, None);
                let found = [taken("0"), taken("1"), taken("1"), taken("1"), taken("2")];
                assert_eq!(found, [rows > 0, rows > 1, rows > 2, false, false], "{format:?} {cut}");
                let mut output = Output::new(Box::new(file), formatter, Order::Done, begun).unwrap();
                for id in [0, 1, 1].into_iter().skip(rows) {
                    output.take(0, Row::new(Id::Number(id))).unwrap();
                }
                output.flush().unwrap();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "{format:?} {cut}");
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_left_alone() {
        let path = std::env::temp_dir().join(format!("sanqi-foreign-{}", std::process::id()));
        for (format, text) in [
            (Format::Jsonl, "{}\n"),
            (Format::Jsonl, "note"),
            (Format::Csv, "note"),
            (Format::Csv, "a,b\n1,2\n"),
            (Format::Md, "# A title\n\ntext\n"),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(resume(&path, &formatter(format)).unwrap_err().kind(), io::ErrorKind::InvalidData);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
