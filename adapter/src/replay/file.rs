//! Replays as text and as files.
use super::error::{Place, ReplayError};
use super::format::Replay;
use super::kinds::not_json;
use super::values::{FormatName, FormatVersion};
use crate::whole_file::write_atomically;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::ser::{CompactFormatter, Formatter};
use serde_path_to_error::{Path as JsonPath, Segment};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The most bytes of a file that are read: room for more than 10,000 events, while a match rarely has 500. A file made for the purpose
/// takes up to a hundred times its size in memory while it is read, so this is also what bounds the memory.
pub const MAX_BYTES: u64 = 4 << 20;

/// Reads a file whole; `-` is the standard input.
///
/// # Errors
/// It cannot be read, has more than [`MAX_BYTES`] or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReplayError> {
    let too_large = ReplayError::TooLarge { limit: MAX_BYTES };
    if path.as_os_str() == "-" {
        return read_limited(io::stdin().lock(), too_large);
    }
    let file = File::open(path)?;
    if file.metadata()?.len() > MAX_BYTES {
        return Err(too_large);
    }
    read_limited(file, too_large)
}

fn read_limited(source: impl Read, too_large: ReplayError) -> Result<String, ReplayError> {
    let mut bytes = Vec::new();
    // What is no regular file does not tell its size, and a file may grow.
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large);
    }
    String::from_utf8(bytes).map_err(|error| ReplayError::Encoding { offset: error.utf8_error().valid_up_to() })
}

/// The place that a path into the JSON text means.
fn place_of(path: &JsonPath) -> Place {
    let mut prefix = None;
    let mut fields = Vec::new();
    for segment in path.iter() {
        match (segment, fields.as_slice()) {
            (Segment::Seq { index }, [list]) if prefix.is_none() && list == "events" => {
                prefix = Some((true, index + 1))
            }
            (Segment::Seq { index }, [list]) if prefix.is_none() && list == "supplyTimeline" => {
                prefix = Some((false, index + 1));
            }
            (Segment::Seq { index }, _) => fields.push(index.to_string()),
            (Segment::Map { key }, _) => fields.push(key.clone()),
            (Segment::Enum { variant }, _) => fields.push(variant.clone()),
            (Segment::Unknown, _) => {}
        }
    }
    let field = fields.get(usize::from(prefix.is_some())..).unwrap_or_default().join(".");
    match prefix {
        Some((true, number)) => Place::Event(number, field),
        Some((false, number)) => Place::Supply(number, field),
        None => Place::Field(field),
    }
}

fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, ReplayError> {
    let mut source = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut source)
        .map_err(|error| ReplayError::Shape { place: place_of(error.path()), why: error.inner().to_string() })?;
    let end = source.end();
    end.map_err(|error| ReplayError::Shape { place: Place::field(""), why: error.to_string() })?;
    Ok(value)
}

impl Replay {
    /// Reads a replay. Its events are not yet looked into, see [`super::check()`].
    ///
    /// # Errors
    /// Not JSON, which names the command for what it is instead, another format or version, or a field that is missing, there twice, or of the wrong type.
    pub fn from_json(text: &str) -> Result<Replay, ReplayError> {
        /// Looked at first: what another version means by the other fields nobody knows.
        #[derive(Deserialize)]
        struct Head {
            #[serde(rename = "format")]
            _format: FormatName,
            #[serde(rename = "version")]
            _version: FormatVersion,
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        read_json::<Head>(text).map_err(|error| not_json(text, error))?;
        read_json(text)
    }

    /// Reads a replay from a file; `-` is the standard input.
    ///
    /// # Errors
    /// As [`read_text`] and [`Replay::from_json`].
    pub fn load(path: &Path) -> Result<Replay, ReplayError> {
        Replay::from_json(&read_text(path)?)
    }

    /// Writes a replay: one line for each event and each entry of the timeline, a line end at the end.
    pub fn to_json(&self) -> String {
        let mut bytes = Vec::new();
        let written = self.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Lines::default()));
        debug_assert!(written.is_ok(), "text into memory");
        bytes.push(b'\n');
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Writes a replay to a file: whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written; what was there before is still there.
    pub fn save(&self, path: &Path) -> Result<(), ReplayError> {
        Ok(write_atomically(path, self.to_json().as_bytes())?)
    }
}

/// Down to the second level every entry has its own line, everything deeper stands on the line of its entry.
#[derive(Debug, Default)]
struct Lines {
    depth: usize,
    /// The object or array just begun has an entry.
    filled: bool,
}

impl Lines {
    const LEVELS: usize = 2;

    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        writer.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let broken = self.depth <= Lines::LEVELS && self.filled;
        self.depth = self.depth.saturating_sub(1);
        if broken {
            self.new_line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn new_line<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }

    fn entry<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        match (self.depth <= Lines::LEVELS, first) {
            (true, _) => self.new_line(writer),
            (false, true) => Ok(()),
            (false, false) => writer.write_all(b" "),
        }
    }
}

impl Formatter for Lines {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.entry(writer, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.entry(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        CompactFormatter.begin_object_value(writer)?;
        writer.write_all(b" ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}
