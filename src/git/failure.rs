//! Turns libgit2's, the system's and the git program's failures into diagnostics that say what was attempted.

use std::io;

use crate::diagnostic::{Code, Diagnostic, shown};

/// Returns a function that words a libgit2 failure: "could not read the index: …".
pub(super) fn git2(attempt: &str) -> impl FnOnce(git2::Error) -> Diagnostic {
    move |error| {
        let code = if error.code() == git2::ErrorCode::Locked { Code::IndexLocked } else { Code::Io };
        Diagnostic::new(code, format!("could not {attempt}: {}", shown(error.message())))
    }
}

/// Returns a function that words a failure of the system: "could not write src/a.py: No space left on device".
pub(super) fn system<E: Into<io::Error>>(attempt: &str) -> impl FnOnce(E) -> Diagnostic {
    move |error| Diagnostic::new(Code::Io, format!("could not {attempt}: {}", error.into()))
}
