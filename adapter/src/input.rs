//! Lines of a peer that is not trusted, read on a thread of their own: such a thread does not hold up the end of the program while
//! it waits for a line that never comes.
use std::io::{BufRead, BufReader, Read};
use tokio::sync::mpsc;

/// Longest line that is kept, in bytes; the rest is dropped.
pub const MAX_LINE: usize = 64 * 1024;
/// Lines that are read ahead. A peer that writes more is held up by its pipe.
pub const READ_AHEAD: usize = 1024;

/// The next line without its line end, cut to [`MAX_LINE`]; `None` at the end of the input. Bytes that are not UTF-8 are replaced.
///
/// # Errors
/// What the system says.
pub fn read_line(reader: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    loop {
        let chunk = match reader.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()));
        }
        let end = chunk.iter().position(|&b| b == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        let room = MAX_LINE.saturating_sub(line.len()).min(part.len());
        line.extend_from_slice(part.get(..room).unwrap_or_default());
        let used = end.map_or(chunk.len(), |at| at + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

/// Starts to read `stream`; the channel closes at its end.
pub fn lines(stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        while let Ok(Some(line)) = read_line(&mut reader) {
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
