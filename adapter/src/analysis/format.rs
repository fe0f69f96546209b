//! Rows as text: JSON lines, comma-separated values, a Markdown table.
use super::row::{Line, Row};
use clap::ValueEnum;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON object a line, as the published schema has it.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
    /// A Markdown table.
    Md,
}

/// Writes rows in a format.
#[derive(Debug, Clone, Copy)]
pub struct Formatter {
    /// The format.
    pub format: Format,
    /// Lines of a search that have columns of their own.
    pub multipv: u32,
    /// Columns of `--rules-only`.
    pub rules_only: bool,
    /// Nothing that differs from run to run.
    pub no_times: bool,
}

impl Formatter {
    /// What stands before the first row.
    pub fn header(&self) -> String {
        let names = self.columns();
        match self.format {
            Format::Jsonl => String::new(),
            Format::Csv => names.join(",") + "\n",
            Format::Md => format!("| {} |\n|{}\n", names.join(" | "), " --- |".repeat(names.len())),
        }
    }

    fn columns(&self) -> Vec<String> {
        let mut names: Vec<String> = ["id", "variant", "board", "fen", "result"].map(str::to_owned).to_vec();
        let mut add = |words: &[&str]| names.extend(words.iter().map(|word| (*word).to_owned()));
        if self.rules_only {
            add(&["check", "legal"]);
        } else {
            add(&["bestmove", "depth", "seldepth", "nodes"]);
            if !self.no_times {
                add(&["time", "nps"]);
            }
            add(&["exact"]);
            for rank in 1..=self.multipv {
                names.extend(
                    ["cp", "mate", "wdl", "pv", "san"]
                        .map(|name| if rank == 1 { name.to_owned() } else { format!("{name}{rank}") }),
                );
            }
        }
        names.push("error".to_owned());
        names
    }

    /// A row with its line end.
    pub fn row(&self, row: &mut Row) -> String {
        if self.no_times {
            (row.time, row.nps) = (None, None);
        }
        match self.format {
            Format::Jsonl => {
                let mut line = Vec::with_capacity(ROOM);
                // Text and numbers always have a JSON form, which is UTF-8.
                let _ = serde_json::to_writer(&mut line, row);
                line.push(b'\n');
                String::from_utf8(line).unwrap_or_default()
            }
            Format::Csv => {
                let cells: Vec<String> = self.cells(row).iter().map(|cell| csv_cell(cell)).collect();
                cells.join(",") + "\n"
            }
            Format::Md => {
                let cells: Vec<String> = self.cells(row).iter().map(|cell| md_cell(cell)).collect();
                format!("| {} |\n", cells.join(" | "))
            }
        }
    }

    /// What every row begins with.
    pub fn row_start(&self) -> &'static str {
        match self.format {
            Format::Jsonl => "{\"version\":1,\"id\":",
            Format::Csv => "",
            Format::Md => "| ",
        }
    }

    /// The id and board of a line that [`Formatter::row`] has written, as text; `None` when it is no such line. Header lines are not asked
    /// for.
    pub fn key(&self, line: &str) -> Option<String> {
        match self.format {
            Format::Jsonl => serde_json::from_str::<Row>(line).ok().map(|row| key(&row.id.to_string(), row.board)),
            Format::Csv => {
                let mut cells = CsvCells(line);
                let (id, board) = (cells.next()?, cells.nth(1)?);
                (3 + cells.count() == self.columns().len()).then(|| format!("{board} {id}"))
            }
            Format::Md => {
                let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
                let cells: Vec<&str> = inner.split(" | ").collect();
                (cells.len() == self.columns().len())
                    .then(|| format!("{} {}", cells.get(2).unwrap_or(&""), cells.first().unwrap_or(&"")))
            }
        }
    }

    /// What [`Formatter::key`] will say of a position's row.
    pub fn key_of(&self, id: &str, board: Option<usize>) -> String {
        match self.format {
            Format::Jsonl => key(id, board),
            Format::Csv => key(&one_line(id), board),
            Format::Md => key(&md_cell(id), board),
        }
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        fn text<T: ToString>(value: Option<T>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        let mut cells = vec![
            row.id.to_string(),
            text(row.variant),
            text(row.board),
            text(row.fen.as_ref()),
            text(row.result.as_ref()),
        ];
        if self.rules_only {
            let legal = row.legal.iter().flatten().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" ");
            cells.extend([text(row.check), legal]);
        } else {
            cells.extend([text(row.bestmove.as_ref()), text(row.depth), text(row.seldepth), text(row.nodes)]);
            if !self.no_times {
                cells.extend([text(row.time), text(row.nps)]);
            }
            cells.push(if row.exact { "exact".to_owned() } else { String::new() });
            for rank in 0..self.multipv as usize {
                cells.extend(row.multipv.get(rank).map(line_cells).unwrap_or_default());
            }
        }
        cells.push(text(row.error.as_ref()));
        cells
    }
}

fn line_cells(line: &Line) -> [String; 5] {
    let number = |value: Option<i32>| value.map(|value| value.to_string()).unwrap_or_default();
    let wdl = line.wdl.map(|[win, draw, loss]| format!("{win} {draw} {loss}")).unwrap_or_default();
    [number(line.score.cp), number(line.score.mate), wdl, line.pv.join(" "), line.san.join(" ")]
}

fn key(id: &str, board: Option<usize>) -> String {
    format!("{} {id}", board.map(|board| board.to_string()).unwrap_or_default())
}

/// Line ends would make two lines of a row.
fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// RFC 4180.
fn csv_cell(text: &str) -> String {
    let text = one_line(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// A bar ends a cell, unless it is escaped.
fn md_cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

/// The cells of a line of comma-separated values; ends early at a quote that is not closed.
struct CsvCells<'a>(&'a str);

impl Iterator for CsvCells<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut cell = String::new();
        let mut rest = self.0;
        if let Some(mut quoted) = rest.strip_prefix('"') {
            loop {
                let (part, after) = quoted.split_once('"')?;
                cell.push_str(part);
                match after.strip_prefix('"') {
                    Some(more) => {
                        cell.push('"');
                        quoted = more;
                    }
                    None => {
                        rest = after;
                        break;
                    }
                }
            }
        }
        let at = rest.find(',');
        cell.push_str(rest.get(..at.unwrap_or(rest.len())).unwrap_or_default());
        // A marker behind the last cell tells the end from an empty last cell.
        self.0 = match at {
            Some(at) => rest.get(at + 1..).unwrap_or_default(),
            None if rest == END => return None,
            None => END,
        };
        Some(cell)
    }
}

/// Stands for what is behind the last cell; no text has it, since line ends are escaped.
const END: &str = "\n";
/// Most rows fit, in bytes.
const ROOM: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::row::Id;

    fn formatter(format: Format) -> Formatter {
        Formatter { format, multipv: 2, rules_only: false, no_times: false }
    }

    #[test]
    fn keys_are_found_again_in_every_format() {
        for format in [Format::Jsonl, Format::Csv, Format::Md] {
            let formatter = formatter(format);
            for id in ["a", "", "a,b", "say \"no\"", "x | y", "two\nlines\r", "|", "\"", "é, |"] {
                for board in [None, Some(2)] {
                    let mut row = Row::new(Id::Text(id.to_owned()));
                    (row.board, row.error) = (board, Some("a, \"b\" | c".to_owned()));
                    let line = formatter.row(&mut row);
                    assert_eq!(line.matches('\n').count(), 1, "{line}");
                    let found = formatter.key(line.trim_end_matches('\n'));
                    assert_eq!(found, Some(formatter.key_of(id, board)), "{line}");
                    // No part of a line is taken for a whole one.
                    let cut = line.len() / 2;
                    let torn: String = line.chars().take(cut.min(line.chars().count() - 3)).collect();
                    assert_eq!(formatter.key(&torn), None, "{torn}");
                }
            }
        }
    }

    #[test]
    fn headers_have_a_name_for_every_cell() {
        for rules_only in [false, true] {
            for no_times in [false, true] {
                let formatter = Formatter { rules_only, no_times, ..formatter(Format::Csv) };
                let mut row = Row::new(Id::Number(1));
                let commas = |text: &str| text.matches(',').count();
                assert_eq!(commas(&formatter.header()), commas(&formatter.row(&mut row)));
            }
        }
        assert!(formatter(Format::Csv).header().contains(",san,cp2,mate2,"));
        assert!(formatter(Format::Md).header().ends_with("| --- |\n"));
    }
}
