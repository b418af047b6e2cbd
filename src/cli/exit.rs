//! The one table of exit codes. Which of them a batch ends with is decided by its status: `Status::of` in `actions::outcome`.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | published, or verified |
//! | 1 | rejected by a check |
//! | 2 | usage, or a malformed operation file |
//! | 3 | not resolvable |
//! | 4 | the repository is in the way |
//! | 5 | input, output or internal failure |
//!
//! An interrupt ends the process by its signal, which a shell shows as 130.

use crate::actions::outcome::{Ledger, Outcome, Status, Subject};
use crate::diagnostic::Diagnostic;
use crate::manifest::{CheckMode, Destination, ManifestText};

/// Returns the exit code that stands for how a command ended.
pub(super) fn exit_code(status: Status) -> u8 {
    match status {
        Status::Published | Status::Verified | Status::Unchanged => 0,
        Status::Rejected => 1,
        Status::Malformed => 2,
        Status::Unresolved => 3,
        Status::Conflict => 4,
        Status::Failed => 5,
    }
}

/// Returns the outcome of a call that was refused before any batch could be looked at.
pub(super) fn refused_outcome(source: ManifestText, errors: Vec<Diagnostic>) -> Outcome {
    Outcome {
        status: Status::of(&errors),
        subject: Subject::Batch,
        batch: None,
        destination: Destination::default(),
        mode: CheckMode::default(),
        base: None,
        reference: None,
        commit: None,
        operations: Vec::new(),
        files: Vec::new(),
        formatters: Vec::new(),
        validators: Vec::new(),
        ledger: Ledger::default(),
        warnings: Vec::new(),
        errors,
        source,
        conversation: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn the_first_of_2_3_4_1_that_applies_decides() {
        let check = |codes: &[Code], expected| {
            let errors: Vec<Diagnostic> = codes
                .iter()
                .map(|&code| Diagnostic::new(code, ""))
                .collect();
            assert_eq!(
                exit_code(refused_outcome(ManifestText::default(), errors).status),
                expected,
                "{codes:?}"
            );
        };
        check(&[Code::SyntaxError], 1);
        check(&[Code::SyntaxError, Code::RefMoved], 4);
        check(&[Code::SyntaxError, Code::RefMoved, Code::Overlap], 3);
        check(
            &[
                Code::SyntaxError,
                Code::RefMoved,
                Code::Overlap,
                Code::Malformed,
            ],
            2,
        );
        check(&[Code::Io], 5);
        check(&[Code::Io, Code::SyntaxError], 1);
        check(&[Code::Unsupported], 3);
        check(&[Code::ConfigUntrusted], 4);
    }
}
