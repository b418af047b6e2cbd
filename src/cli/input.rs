//! What is read from files and standard input, never more than an operation file may hold.

use std::fs::File;
use std::io::{self, IsTerminal, Read};

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
    let read = File::open(name).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| unreadable(name, &error))
}

/// Reads standard input, up to `most` bytes.
pub(super) fn read_stdin(most: u64) -> Result<Vec<u8>, Diagnostic> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        eprintln!("reading from the terminal; end with Ctrl-D");
    }
    let mut bytes = Vec::new();
    let read = stdin.lock().take(most).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| unreadable("-", &error))
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::new(Code::Io, format!("cannot read `{}`: {error}", shown(title(name))))
}

/// Returns how messages call the file that the command line calls `name`.
pub(super) fn title(name: &str) -> &str {
    if name == "-" { STDIN } else { name }
}
