//! Files that gather records: only one program at a time writes to one, and a record that cannot be written whole leaves no part behind.
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that is appended to.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
    length: u64,
    /// Length up to the last line end.
    whole: u64,
    failed: bool,
}

impl RecordFile {
    /// Opens a file for appending and makes it if need be; nothing is changed in it.
    ///
    /// # Errors
    /// It cannot be opened, or another program writes to it.
    pub fn open(path: &Path) -> io::Result<RecordFile> {
        RecordFile::of(OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?)
    }

    /// Goes on at the end of an open file.
    ///
    /// # Errors
    /// Another program writes to it.
    pub fn of(mut file: File) -> io::Result<RecordFile> {
        lock(&file)?;
        // What is no file has no place to go to, and no length.
        let length = file.seek(SeekFrom::End(0)).unwrap_or(0);
        Ok(RecordFile { file, length, whole: length, failed: false })
    }

    /// Bytes in it.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Cuts it to at most so many bytes.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&mut self, length: u64) -> io::Result<()> {
        if self.length > length {
            self.file.set_len(length)?;
            self.length = self.file.seek(SeekFrom::Start(length))?;
            self.whole = length;
        }
        Ok(())
    }

    /// Adds a record of any number of lines, whole or not at all.
    ///
    /// # Errors
    /// What the system says; nothing more is taken then.
    pub fn append(&mut self, record: &str) -> io::Result<()> {
        let before = self.length;
        self.write_all(record.as_bytes()).inspect_err(|_| self.cut(before))
    }

    fn cut(&mut self, length: u64) {
        // The first error is the one to tell.
        let _ = self.file.set_len(length);
    }
}

/// A line counts as a record here: when a write fails, the file ends with the last line that is whole.
impl Write for RecordFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Err(io::Error::other("an earlier write has failed"));
        }
        let done = self.file.write_all(bytes);
        let written = match &done {
            Ok(()) => bytes.len(),
            Err(_) => self.file.stream_position().map_or(0, |at| at.saturating_sub(self.length) as usize),
        };
        if let Some(at) = bytes.get(..written).and_then(|part| part.iter().rposition(|&byte| byte == b'\n')) {
            self.whole = self.length + at as u64 + 1;
        }
        if let Err(error) = done {
            self.failed = true;
            self.cut(self.whole);
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A folder that only one program at a time works in. The lock is that of [`RecordFile`].
#[derive(Debug)]
pub struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    /// Takes it.
    ///
    /// # Errors
    /// Another program has it, or there is no such folder.
    pub fn take(path: &Path) -> io::Result<FolderLock> {
        // Only Unix opens folders like files.
        let folder = if cfg!(unix) { Some(File::open(path)?) } else { None };
        folder.as_ref().map_or(Ok(()), lock)?;
        Ok(FolderLock { _folder: folder })
    }
}

/// The lock is the system's and goes with the process, however that ends. Where locks are unknown there is none.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing here"))
        }
        _ => Ok(()),
    }
}

/// A lock would keep readers out, too.
#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<()> {
    Ok(())
}
