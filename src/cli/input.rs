//! What is read from files and standard input, never more than an operation file may hold.

use std::fs::OpenOptions;
use std::io::{self, Cursor, ErrorKind, IsTerminal, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_setfl};

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::yaml::MAX_BYTES;

/// What standard input is called in messages.
pub(super) const STDIN: &str = "<stdin>";

/// Reads the file called `name`, or standard input for `-`: one byte more than is allowed, so that whoever reads on
/// can tell that it is too large.
pub(super) fn read(name: &str) -> Result<Vec<u8>, Diagnostic> {
    let most = MAX_BYTES as u64 + 1;
    if name == "-" {
        return read_stdin(most);
    }
    let mut bytes = Vec::new();
    let read = open(name).and_then(|(file, size)| {
        // A byte more shows that there is no more.
        bytes.reserve(usize::try_from(size.min(most)).unwrap_or(0) + 1);
        file.take(most).read_to_end(&mut bytes)
    });
    read.map(|_| bytes)
        .map_err(|error| unreadable_input(name, &error))
}

/// Opens the file called `name`, and returns how many bytes it says it has. A pipe, as `<(command)` in a shell makes one, is
/// waited for until somebody writes to it, but not for ever: then it is empty.
fn open(name: &str) -> io::Result<(impl Read, u64)> {
    const PATIENCE: Duration = Duration::from_millis(1500);
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(name)?;
    let mut first = Vec::new();
    let metadata = file.metadata()?;
    if metadata.file_type().is_fifo() {
        let end = Instant::now() + PATIENCE;
        let mut byte = [0];
        while first.is_empty() && Instant::now() < end {
            match file.read(&mut byte) {
                Ok(0) => std::thread::sleep(Duration::from_millis(5)),
                Ok(_) => first.push(byte[0]),
                // There is a writer, who takes its time.
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    fcntl_setfl(&file, OFlags::empty())?;
    Ok((Cursor::new(first).chain(file), metadata.len()))
}

/// Reads standard input, up to `most` bytes.
pub(super) fn read_stdin(most: u64) -> Result<Vec<u8>, Diagnostic> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        eprintln!("reading from the terminal; end with Ctrl-D");
    }
    let mut bytes = Vec::new();
    let read = stdin.lock().take(most).read_to_end(&mut bytes);
    read.map(|_| bytes)
        .map_err(|error| unreadable_input("-", &error))
}

fn unreadable_input(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::new(
        Code::Io,
        format!("cannot read `{}`: {error}", shown(input_title(name))),
    )
}

/// Returns how messages call the file that the command line calls `name`.
pub(super) fn input_title(name: &str) -> &str {
    if name == "-" { STDIN } else { name }
}
