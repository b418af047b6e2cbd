//! Turns libgit2's, the system's and the git program's failures into diagnostics that say what was attempted.

use std::io;

use crate::diagnostic::{Code, Diagnostic, shown};

/// Returns a function that words a libgit2 failure: "could not read the index: …".
pub(in crate::git) fn git2(attempt: &str) -> impl FnOnce(git2::Error) -> Diagnostic {
    move |error| {
        let code = if error.code() == git2::ErrorCode::Locked {
            Code::IndexLocked
        } else {
            Code::Io
        };
        Diagnostic::new(
            code,
            format!("could not {attempt}: {}", shown(error.message())),
        )
    }
}

/// Returns a function that words a failure of the system: "could not write src/a.py: No space left on device".
pub(in crate::git) fn system<E: Into<io::Error>>(attempt: &str) -> impl FnOnce(E) -> Diagnostic {
    move |error| Diagnostic::new(Code::Io, format!("could not {attempt}: {}", error.into()))
}

/// Returns the same where `attempt` names the place already, which the failure of a temporary file names once more.
pub(in crate::git) fn system_there<E: Into<io::Error>>(
    attempt: &str,
) -> impl FnOnce(E) -> Diagnostic {
    move |error| {
        let error = error.into();
        let told = error.to_string();
        let why = match error.get_ref() {
            Some(_) => told.split(" at path \"").next().unwrap_or(&told),
            None => &told,
        };
        Diagnostic::new(Code::Io, format!("could not {attempt}: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_place_is_named_once() {
        let there = |error: io::Error| system_there("begin an object in /nowhere")(error).message;
        let expected =
            "could not begin an object in /nowhere: No such file or directory (os error 2)";
        assert_eq!(
            there(tempfile::NamedTempFile::new_in("/nowhere").unwrap_err()),
            expected
        );
        assert_eq!(
            there(std::fs::File::open("/nowhere").unwrap_err()),
            expected
        );
        // A disk that is full is one that takes nothing.
        let full = |write: &mut dyn FnMut(&[u8]) -> io::Result<()>| there(write(b"x").unwrap_err());
        let mut full_file = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let expected =
            "could not begin an object in /nowhere: No space left on device (os error 28)";
        assert_eq!(full(&mut |bytes| full_file.write_all(bytes)), expected);
        let mut made = tempfile::Builder::new()
            .make(|_| std::fs::File::options().write(true).open("/dev/full"))
            .unwrap();
        assert_eq!(full(&mut |bytes| made.write_all(bytes)), expected);
        let _ = made.keep();
    }
}
