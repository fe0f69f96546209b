//! Files that are written whole or not at all.
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the name of a file ends with that is not complete yet.
const UNFINISHED: &str = ".tmp";

/// A file that [`write_atomically`] was killed over, if nobody writes it now.
pub fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        name.starts_with('.') && name.ends_with(UNFINISHED)
    })
}

/// Writes a file beside `path` and gives it that name when it is complete, so that nobody ever sees half of it. A link leads to the file that
/// is meant; what is no file, a pipe or a device, has no place beside it and is written to as it is.
///
/// # Errors
/// The file cannot be written; what was there before is still there.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let path = match fs::metadata(path) {
        Ok(found) if !found.is_file() => return fs::write(path, bytes),
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => PathBuf::from(path),
    };
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no name of a file"));
    };
    let mut unfinished = OsString::from(".");
    unfinished.push(name);
    unfinished.push(format!(".{}-{}{UNFINISHED}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed)));
    let unfinished = path.with_file_name(unfinished);
    let written = File::create_new(&unfinished).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&unfinished, &path));
    if done.is_err() {
        // The first error is the one to tell; a file that was never made cannot be removed.
        let _ = fs::remove_file(&unfinished);
    }
    done
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[cfg(unix)]
    const DEVICE: &str = "/dev/null";

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = std::env::temp_dir().join(format!("sanqi-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, link, device) = (folder.join("file"), folder.join("link"), folder.join("device"));
        symlink("file", &link).unwrap();
        fs::write(&file, "old").unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        symlink(DEVICE, &device).unwrap();
        write_atomically(&device, b"gone").unwrap();
        assert!(!fs::metadata(DEVICE).unwrap().is_file());
        assert!(write_atomically(&folder, b"no file").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left beside them");
        fs::remove_dir_all(&folder).unwrap();
    }
}
