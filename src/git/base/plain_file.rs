//! Files of a git folder that are read whole: somebody may have put a device, a pipe or something endless in their place.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// Returns the bytes of the file at `path`, links followed as git does.
///
/// # Errors
///
/// It cannot be read, is no regular file, or has more than `most` bytes. A pipe is not opened: that would wait for somebody who writes.
pub(in crate::git) fn read_plain_file(path: &Path, most: u64) -> Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(Error::new(ErrorKind::InvalidData, "it is no regular file"));
    }
    if found.len() > most {
        let message = format!("it has more than {most} bytes");
        return Err(Error::new(ErrorKind::InvalidData, message));
    }
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("file"), "four").unwrap();
        std::os::unix::fs::symlink(place("file"), place("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", place("zeros")).unwrap();
        let pipe = rustix::fs::Mode::from_raw_mode(0o600);
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, place("pipe"), kind, pipe, 0).unwrap();
        assert_eq!(read_plain_file(&place("link"), 4).unwrap(), b"four");
        assert!(read_plain_file(&place("file"), 3).is_err());
        for name in ["zeros", "pipe", "nothing"] {
            assert!(read_plain_file(&place(name), 4).is_err(), "{name}");
        }
    }
}
