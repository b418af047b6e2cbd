//! Outcomes for the tests of this room. No test lives here.

use crate::actions::outcome::{
    FileOutcome, Ledger, OperationOutcome, OperationStatus, Outcome, Status, Subject,
};
use crate::manifest::{CheckMode, Destination, ManifestText};
use crate::path::RepoPath;
use crate::resolve::Segment;
use crate::snapshot::{Change, File, FileMode, Id};

/// Returns a segment of src/a.py; its bytes are its lines times ten.
pub(super) fn segment(name: &str, kind: &str, start_line: usize, end_line: usize) -> Segment {
    Segment {
        address: format!("src/a.py::{name}"),
        path_length: "src/a.py".len(),
        name: name.rsplit('.').next().unwrap_or(name).to_owned(),
        kind: kind.to_owned().into(),
        start_line,
        end_line,
        start_byte: start_line * 10,
        end_byte: end_line * 10 + 9,
        indent: 0,
        hash: "a".repeat(40),
        signature: None,
        parent: name.rsplit_once('.').map(|(parent, _)| parent.to_owned()),
    }
}

/// Returns a batch of one replacement in src/a.py, published on main.
pub(super) fn published(diff: &[u8]) -> Outcome {
    let path = RepoPath::parse("src/a.py").unwrap();
    let file = |text: &str| {
        Some(File {
            mode: FileMode::Regular,
            bytes: text.as_bytes().into(),
        })
    };
    Outcome {
        status: Status::Published,
        subject: Subject::Batch,
        batch: Some("b1".into()),
        destination: Destination::Commit,
        mode: CheckMode::Strict,
        base: Some(Id("0".repeat(40))),
        reference: Some("refs/heads/main".into()),
        commit: Some(Id(format!("1111111{}", "a".repeat(33)))),
        operations: vec![OperationOutcome {
            index: 0,
            id: None,
            op: "replace".into(),
            file: "src/a.py".into(),
            status: OperationStatus::Applied,
            segment: Some(segment("Worker.process", "method", 10, 12)),
            matched: None,
            count: 1,
            error: None,
            removed: Vec::new(),
            references: None,
            imports: Vec::new(),
            warnings: Vec::new(),
            asides: Vec::new(),
        }],
        files: vec![FileOutcome {
            change: Change {
                path,
                before: file("1\n"),
                after: file("2\n"),
            },
            renamed_from: None,
            added: 1,
            removed: 1,
            old_blob: Some(Id("2".repeat(40))),
            new_blob: Some(Id("3".repeat(40))),
            diff: diff.to_vec(),
        }],
        formatters: Vec::new(),
        validators: Vec::new(),
        ledger: Ledger {
            lines_changed: 2,
            lines_total: 410,
            tokens_written: 60,
            tokens_full_rewrite: 3100,
        },
        warnings: Vec::new(),
        errors: Vec::new(),
        source: ManifestText {
            name: "ops.yaml".into(),
            text: String::new(),
        },
        conversation: None,
    }
}
