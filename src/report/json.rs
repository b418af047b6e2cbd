//! The report for programs, version 1, and the lists of `outline`, `show` and `find`.
//!
//! The shape and the order of the keys are a promise: a key may be added at the end of an object, none is taken
//! away or renamed within a version.

use super::references::{ReferencesEntry, RenamedEntry};
use std::borrow::Cow;

use serde::Serialize;

use crate::actions::look::{FoundNames, Outlines};
use crate::actions::outcome::{
    FileOutcome, Finding, Ledger, MendedImport, OperationOutcome, OperationStatus, Outcome,
    Removed, Status, Subject, ToolVerdict,
};
use crate::config::Severity;
use crate::diagnostic::{Diagnostic, misleads};
use crate::history::Conversation;
use crate::manifest::words::FixedWord;
use crate::manifest::{CheckMode, Destination};
use crate::path::RepoPath;
use crate::references::References;
use crate::resolve::Segment;
use crate::syntax::Excess;
use crate::text::ascii::to_base64;

/// Returns the report of a call with one operation file.
pub(crate) fn render(outcome: &Outcome) -> Vec<u8> {
    /// What an operation and a file take, roughly; memory that nothing is written to costs nothing.
    const ROOM: usize = 1 << 10;
    roomy_line(
        &JsonReport::of(outcome),
        (outcome.operations.len() + outcome.files.len()) * ROOM,
    )
}

/// Returns the report of a call with several operation files: summed up, and one by one under `batches`.
pub(crate) fn render_several(outcomes: &[Outcome]) -> Vec<u8> {
    line(&JsonReport::of_several(outcomes))
}

/// Returns the segments of each file, and behind them the files that were passed over.
pub(crate) fn outline(outlines: &Outlines) -> Vec<u8> {
    let files = outlines.files.iter().map(|(path, segments)| FileEntries {
        path: path.as_str(),
        segments: segments.iter().map(SegmentEntry::of).collect(),
        passed_over: None,
    });
    let passed_over = outlines.passed_over.iter().map(FileEntries::passed_over);
    line(&files.chain(passed_over).collect::<Vec<_>>())
}

/// Returns the segments, gathered by file in their order, and behind them the files that were passed over.
pub(crate) fn find(found: &FoundNames) -> Vec<u8> {
    let mut files: Vec<FileEntries<'_>> = Vec::new();
    for segment in &found.segments {
        let path = segment.path();
        match files.last_mut().filter(|last| last.path == path) {
            Some(last) => last.segments.push(SegmentEntry::of(segment)),
            None => files.push(FileEntries {
                path,
                segments: vec![SegmentEntry::of(segment)],
                passed_over: None,
            }),
        }
    }
    files.extend(found.passed_over.iter().map(FileEntries::passed_over));
    line(&files)
}

/// Returns every place of a name, with its verdict.
pub(crate) fn references(found: &References) -> Vec<u8> {
    line(&ReferencesEntry::of(found))
}

/// Returns one segment with its content. Where that is not UTF-8, U+FFFD stands in `content` for each wrong
/// sequence, and `content_base64` holds the exact bytes.
pub(crate) fn show(segment: &Segment, content: &[u8]) -> Vec<u8> {
    line(&JsonSource::of(segment, content))
}

/// Returns several segments with their contents, as a list.
pub(crate) fn show_several(shown: &[(Segment, Vec<u8>)]) -> Vec<u8> {
    line(
        &shown
            .iter()
            .map(|(segment, content)| JsonSource::of(segment, content))
            .collect::<Vec<_>>(),
    )
}

#[derive(Serialize)]
struct JsonSource<'a> {
    #[serde(flatten)]
    segment: SegmentEntry<'a>,
    content: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_base64: Option<String>,
}

impl<'a> JsonSource<'a> {
    fn of(segment: &'a Segment, content: &'a [u8]) -> JsonSource<'a> {
        let text = String::from_utf8_lossy(content);
        let content_base64 = matches!(text, Cow::Owned(_)).then(|| to_base64(content));
        JsonSource {
            segment: SegmentEntry::of(segment),
            content: text,
            content_base64,
        }
    }
}

/// Returns the word of the report for a status.
pub(crate) fn status_word(status: Status) -> &'static str {
    match status {
        Status::Published => "published",
        Status::Verified => "verified",
        Status::Unchanged => "unchanged",
        Status::Rejected => "rejected",
        Status::Unresolved => "unresolved",
        Status::Conflict => "conflict",
        Status::Malformed => "malformed",
        Status::Failed => "failed",
    }
}

/// Returns the word of the report for an operation's status.
pub(crate) fn operation_word(status: OperationStatus) -> &'static str {
    match status {
        OperationStatus::Applied => "applied",
        OperationStatus::Noop => "noop",
        OperationStatus::Skipped => "skipped",
        OperationStatus::Failed => "failed",
    }
}

/// Returns the word of the report for what became of a file.
pub(crate) fn file_word(file: &FileOutcome) -> &'static str {
    match (&file.change.before, &file.change.after) {
        _ if file.renamed_from.is_some() => "renamed",
        (None, _) => "added",
        (Some(_), None) => "deleted",
        (Some(_), Some(_)) => "modified",
    }
}

/// Returns lines changed over lines of the files, to three digits, never more than 1; 0 where there are no lines.
pub(crate) fn write_efficiency(ledger: &Ledger) -> f64 {
    if ledger.lines_total == 0 {
        return 0.0;
    }
    // An entry of the history may be from when a line that took another's place counted twice.
    ((ledger.lines_changed as f64 / ledger.lines_total as f64).min(1.0) * 1000.0).round() / 1000.0
}

/// Returns the status of a call that several batches are part of: the first refusal in the order of the exit
/// table, else the most that happened.
pub(crate) fn combined_status(statuses: impl IntoIterator<Item = Status>) -> Status {
    const RANKED: [Status; 8] = [
        Status::Malformed,
        Status::Unresolved,
        Status::Conflict,
        Status::Rejected,
        Status::Failed,
        Status::Published,
        Status::Verified,
        Status::Unchanged,
    ];
    let seen: Vec<Status> = statuses.into_iter().collect();
    RANKED
        .into_iter()
        .find(|status| seen.contains(status))
        .unwrap_or(Status::Unchanged)
}

pub(super) fn line(value: &impl Serialize) -> Vec<u8> {
    roomy_line(value, 0)
}

/// Does the same in `room` bytes, or as many as it takes.
fn roomy_line(value: &impl Serialize, room: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(room);
    serde_json::to_writer_pretty(&mut text, value)
        .expect("the reports have text keys and no failing Serialize");
    text.push(b'\n');
    escaped(text)
}

/// Escapes what JSON admits inside strings as it is, and what could mislead whoever reads it on a terminal: DEL, the
/// later control characters, what reorders or is not seen. Outside of strings there is none of it.
fn escaped(text: Vec<u8>) -> Vec<u8> {
    let hidden = |character: char| character != '\n' && misleads(character);
    // Reports are large and mostly ASCII: a look at whole blocks of bytes is ten times faster than one at characters.
    let is_plain = |block: &[u8]| {
        block.iter().fold(true, |plain, byte| {
            plain & matches!(byte, b'\n' | b' '..=b'~')
        })
    };
    if text.chunks(256).all(is_plain) {
        return text;
    }
    let text = String::from_utf8(text).expect("JSON is written as UTF-8");
    if !text.contains(hidden) {
        return text.into_bytes();
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if hidden(character) {
            let units = &mut [0; 2];
            safe.extend(
                character
                    .encode_utf16(units)
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}")),
            );
        } else {
            safe.push(character);
        }
    }
    safe.into_bytes()
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u8,
    status: &'static str,
    batch: Option<&'a str>,
    destination: &'static str,
    mode: &'static str,
    base: Option<&'a str>,
    #[serde(rename = "ref")]
    reference: Option<&'a str>,
    commit: Option<&'a str>,
    operations: Vec<OperationEntry<'a>>,
    files: Vec<FileEntry<'a>>,
    validators: Vec<VerdictEntry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    formatters: Vec<VerdictEntry<'a>>,
    warnings: Vec<ErrorEntry<'a>>,
    ledger: LedgerEntry,
    errors: Vec<ErrorEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    batches: Option<Vec<JsonBatch<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<&'a Conversation>,
}

/// One of several batches, with the name of its operation file.
#[derive(Serialize)]
struct JsonBatch<'a> {
    #[serde(flatten)]
    report: JsonReport<'a>,
    source: &'a str,
}

impl<'a> JsonReport<'a> {
    fn of(outcome: &'a Outcome) -> JsonReport<'a> {
        JsonReport::counting_from(outcome, 0)
    }

    /// Returns the report of one batch whose first operation has the number `first`.
    fn counting_from(outcome: &'a Outcome, first: usize) -> JsonReport<'a> {
        JsonReport {
            version: 1,
            status: status_word(outcome.status),
            batch: outcome.batch.as_deref(),
            destination: outcome.destination.word(),
            mode: outcome.mode.word(),
            base: outcome.base.as_ref().map(|id| id.0.as_str()),
            reference: outcome.reference.as_deref(),
            commit: outcome.commit.as_ref().map(|id| id.0.as_str()),
            operations: outcome
                .operations
                .iter()
                .map(|operation| OperationEntry::of(operation, first))
                .collect(),
            files: outcome.files.iter().map(FileEntry::of).collect(),
            validators: outcome.validators.iter().map(VerdictEntry::of).collect(),
            formatters: outcome.formatters.iter().map(VerdictEntry::of).collect(),
            warnings: entries(&outcome.warnings, first),
            ledger: LedgerEntry::of(&outcome.ledger),
            errors: entries(&outcome.errors, first),
            batches: None,
            act: act_word(outcome.subject),
            conversation: outcome.conversation.as_deref(),
        }
    }

    /// Sums up several batches: operations numbered through, the first base, the last commit.
    fn of_several(outcomes: &'a [Outcome]) -> JsonReport<'a> {
        let mut sum = JsonReport {
            version: 1,
            status: status_word(combined_status(
                outcomes.iter().map(|outcome| outcome.status),
            )),
            batch: outcomes
                .iter()
                .rev()
                .find_map(|outcome| outcome.batch.as_deref()),
            destination: outcomes
                .first()
                .map_or_else(Destination::default, |first| first.destination)
                .word(),
            mode: outcomes
                .first()
                .map_or_else(CheckMode::default, |first| first.mode)
                .word(),
            base: outcomes
                .iter()
                .find_map(|outcome| outcome.base.as_ref())
                .map(|id| id.0.as_str()),
            reference: outcomes
                .iter()
                .rev()
                .find_map(|outcome| outcome.reference.as_deref()),
            commit: outcomes
                .iter()
                .rev()
                .find_map(|outcome| outcome.commit.as_ref())
                .map(|id| id.0.as_str()),
            operations: Vec::new(),
            files: Vec::new(),
            validators: Vec::new(),
            formatters: Vec::new(),
            warnings: Vec::new(),
            ledger: LedgerEntry::of(&summed(outcomes)),
            errors: Vec::new(),
            batches: None,
            act: None,
            conversation: None,
        };
        let mut batches = Vec::new();
        for outcome in outcomes {
            let numbered = JsonReport::counting_from(outcome, sum.operations.len());
            sum.operations.extend(numbered.operations);
            sum.files.extend(numbered.files);
            sum.validators.extend(numbered.validators);
            sum.formatters.extend(numbered.formatters);
            sum.warnings.extend(numbered.warnings);
            sum.errors.extend(numbered.errors);
            batches.push(JsonBatch {
                report: JsonReport::of(outcome),
                source: &outcome.source.name,
            });
        }
        sum.batches = Some(batches);
        sum
    }
}

/// Returns the word for what was done with a batch that was there already.
fn act_word(subject: Subject) -> Option<&'static str> {
    match subject {
        Subject::Undo => Some("undo"),
        Subject::Redo => Some("redo"),
        Subject::Batch | Subject::Staged | Subject::Commit => None,
    }
}

/// Adds up what several batches cost.
pub(crate) fn summed(outcomes: &[Outcome]) -> Ledger {
    outcomes
        .iter()
        .fold(Ledger::default(), |sum, outcome| Ledger {
            lines_changed: sum.lines_changed + outcome.ledger.lines_changed,
            lines_total: sum.lines_total + outcome.ledger.lines_total,
            tokens_written: sum.tokens_written + outcome.ledger.tokens_written,
            tokens_full_rewrite: sum.tokens_full_rewrite + outcome.ledger.tokens_full_rewrite,
        })
}

#[derive(Serialize)]
struct OperationEntry<'a> {
    index: usize,
    id: Option<&'a str>,
    op: &'a str,
    file: &'a str,
    status: &'static str,
    segment: Option<JsonFound<'a>>,
    #[serde(rename = "match")]
    matched: Option<MatchEntry>,
    error: Option<ErrorEntry<'a>>,
    removed: Vec<RemovedEntry<'a>>,
    warnings: Vec<ErrorEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<RenamedEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    imports: Option<MendedEntry<'a>>,
}

/// The imports that came and went with what an operation edits.
#[derive(Serialize)]
struct MendedEntry<'a> {
    added: Vec<ImportEntry<'a>>,
    removed: Vec<ImportEntry<'a>>,
}

#[derive(Serialize)]
struct ImportEntry<'a> {
    path: &'a str,
    statement: &'a str,
}

impl<'a> MendedEntry<'a> {
    fn of(imports: &'a [MendedImport]) -> Option<MendedEntry<'a>> {
        let entries = |is_added: bool| {
            let some = imports.iter().filter(|it| it.is_added == is_added);
            some.map(|it| ImportEntry {
                path: it.path.as_str(),
                statement: &it.statement,
            })
            .collect()
        };
        (!imports.is_empty()).then(|| MendedEntry {
            added: entries(true),
            removed: entries(false),
        })
    }
}

/// A segment that an operation takes away.
#[derive(Serialize)]
struct RemovedEntry<'a> {
    address: &'a str,
    kind: &'static str,
    start_line: usize,
    end_line: usize,
}

impl<'a> RemovedEntry<'a> {
    fn of(removed: &'a Removed) -> RemovedEntry<'a> {
        let Removed {
            address,
            kind,
            start_line,
            end_line,
        } = removed;
        RemovedEntry {
            address,
            kind,
            start_line: *start_line,
            end_line: *end_line,
        }
    }
}

impl<'a> OperationEntry<'a> {
    fn of(operation: &'a OperationOutcome, first: usize) -> OperationEntry<'a> {
        OperationEntry {
            index: first + operation.index,
            id: operation.id.as_deref(),
            op: &operation.op,
            file: &operation.file,
            status: operation_word(operation.status),
            segment: operation.segment.as_ref().map(JsonFound::of),
            matched: operation.matched.map(|matched| MatchEntry {
                level: matched.level.as_str(),
                similarity: matched.similarity,
            }),
            error: operation
                .error
                .as_ref()
                .map(|error| ErrorEntry::of(error, first)),
            removed: operation.removed.iter().map(RemovedEntry::of).collect(),
            warnings: entries(&operation.warnings, first),
            references: operation
                .references
                .as_ref()
                .map(|references| RenamedEntry::of(references)),
            imports: MendedEntry::of(&operation.imports),
        }
    }
}

#[derive(Serialize)]
struct MatchEntry {
    level: &'static str,
    similarity: f64,
}

/// What an operation found: the part of a segment that says where.
#[derive(Serialize)]
struct JsonFound<'a> {
    address: &'a str,
    kind: &'a str,
    start_line: usize,
    end_line: usize,
    start_byte: usize,
    end_byte: usize,
    hash: &'a str,
}

impl<'a> JsonFound<'a> {
    fn of(segment: &'a Segment) -> JsonFound<'a> {
        JsonFound {
            address: &segment.address,
            kind: &segment.kind,
            start_line: segment.start_line,
            end_line: segment.end_line,
            start_byte: segment.start_byte,
            end_byte: segment.end_byte,
            hash: &segment.hash,
        }
    }
}

/// A file with some of its segments.
#[derive(Serialize)]
struct FileEntries<'a> {
    path: &'a str,
    segments: Vec<SegmentEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passed_over: Option<String>,
}

impl<'a> FileEntries<'a> {
    /// Returns that a file was passed over.
    fn passed_over((path, excess): &'a (RepoPath, Excess)) -> FileEntries<'a> {
        FileEntries {
            path: path.as_str(),
            segments: Vec::new(),
            passed_over: Some(excess.to_string()),
        }
    }
}

/// All there is to say about a segment.
#[derive(Serialize)]
struct SegmentEntry<'a> {
    address: &'a str,
    name: &'a str,
    kind: &'a str,
    start_line: usize,
    end_line: usize,
    start_byte: usize,
    end_byte: usize,
    indent: usize,
    hash: &'a str,
    signature: Option<&'a str>,
    parent: Option<&'a str>,
}

impl<'a> SegmentEntry<'a> {
    fn of(segment: &'a Segment) -> SegmentEntry<'a> {
        SegmentEntry {
            address: &segment.address,
            name: &segment.name,
            kind: &segment.kind,
            start_line: segment.start_line,
            end_line: segment.end_line,
            start_byte: segment.start_byte,
            end_byte: segment.end_byte,
            indent: segment.indent,
            hash: &segment.hash,
            signature: segment.signature.as_deref(),
            parent: segment.parent.as_deref(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct FileEntry<'a> {
    path: &'a str,
    status: &'static str,
    added: usize,
    removed: usize,
    old_blob: Option<&'a str>,
    new_blob: Option<&'a str>,
    diff: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_from: Option<&'a str>,
}

impl<'a> FileEntry<'a> {
    pub(super) fn of(file: &'a FileOutcome) -> FileEntry<'a> {
        FileEntry {
            path: file.change.path.as_str(),
            status: file_word(file),
            added: file.added,
            removed: file.removed,
            old_blob: file.old_blob.as_ref().map(|id| id.0.as_str()),
            new_blob: file.new_blob.as_ref().map(|id| id.0.as_str()),
            diff: String::from_utf8_lossy(&file.diff).into_owned(),
            renamed_from: file.renamed_from.as_ref().map(RepoPath::as_str),
        }
    }
}

/// What one validator or formatter said.
#[derive(Serialize)]
struct VerdictEntry<'a> {
    name: &'a str,
    status: &'static str,
    exit_code: Option<i32>,
    duration_ms: u128,
    findings: Vec<FindingEntry<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
}

impl<'a> VerdictEntry<'a> {
    fn of(verdict: &'a ToolVerdict) -> VerdictEntry<'a> {
        VerdictEntry {
            name: &verdict.name,
            status: verdict.status.as_str(),
            exit_code: verdict.exit_code,
            duration_ms: verdict.duration.as_millis(),
            findings: verdict.findings.iter().map(FindingEntry::of).collect(),
            detail: &verdict.detail,
        }
    }
}

#[derive(Serialize)]
struct FindingEntry<'a> {
    path: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    rule: Option<&'a str>,
    message: &'a str,
    severity: &'static str,
    new: bool,
}

impl<'a> FindingEntry<'a> {
    fn of(finding: &'a Finding) -> FindingEntry<'a> {
        FindingEntry {
            path: finding.path.as_deref(),
            line: finding.line,
            column: finding.column,
            rule: finding.rule.as_deref(),
            message: &finding.message,
            severity: severity_word(finding.severity),
            new: finding.new,
        }
    }
}

/// Returns the word for a severity, which is SARIF's too.
pub(super) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[derive(Serialize)]
pub(super) struct LedgerEntry {
    lines_changed: usize,
    lines_total: usize,
    write_efficiency: f64,
    tokens_written: usize,
    tokens_full_rewrite: usize,
    tokens_saved: isize,
}

impl LedgerEntry {
    pub(super) fn of(ledger: &Ledger) -> LedgerEntry {
        LedgerEntry {
            lines_changed: ledger.lines_changed,
            lines_total: ledger.lines_total,
            write_efficiency: write_efficiency(ledger),
            tokens_written: ledger.tokens_written,
            tokens_full_rewrite: ledger.tokens_full_rewrite,
            tokens_saved: ledger.tokens_full_rewrite as isize - ledger.tokens_written as isize,
        }
    }
}

#[derive(Serialize)]
pub(super) struct ErrorEntry<'a> {
    code: &'static str,
    message: &'a str,
    operation: Option<usize>,
    line: Option<usize>,
    column: Option<usize>,
    suggestions: &'a [String],
    candidates: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_line: Option<usize>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl<'a> ErrorEntry<'a> {
    fn of(diagnostic: &'a Diagnostic, first: usize) -> ErrorEntry<'a> {
        ErrorEntry {
            code: diagnostic.code.as_str(),
            message: &diagnostic.message,
            operation: diagnostic.operation.map(|index| first + index),
            line: diagnostic.place.as_ref().map(|place| place.line),
            column: diagnostic.place.as_ref().map(|place| place.column),
            suggestions: &diagnostic.suggestions,
            candidates: &diagnostic.candidates,
            path: diagnostic
                .excerpt
                .as_ref()
                .map(|excerpt| excerpt.path.as_str()),
            file_line: diagnostic.excerpt.as_ref().map(|excerpt| excerpt.line),
            notes: &diagnostic.notes,
        }
    }
}

/// Returns `diagnostics` for programs; their operations are numbered from `first`.
pub(super) fn entries(diagnostics: &[Diagnostic], first: usize) -> Vec<ErrorEntry<'_>> {
    diagnostics
        .iter()
        .map(|diagnostic| ErrorEntry::of(diagnostic, first))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Excerpt, PlanPlace};
    use crate::report::tests as samples;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_report_has_the_promised_shape_and_order() {
        let expected = format!(
            r#"{{
  "version": 1,
  "status": "published",
  "batch": "b1",
  "destination": "commit",
  "mode": "strict",
  "base": "{base}",
  "ref": "refs/heads/main",
  "commit": "1111111{commit}",
  "operations": [
    {{
      "index": 0,
      "id": null,
      "op": "replace",
      "file": "src/a.py",
      "status": "applied",
      "segment": {{
        "address": "src/a.py::Worker.process",
        "kind": "method",
        "start_line": 10,
        "end_line": 12,
        "start_byte": 100,
        "end_byte": 129,
        "hash": "{hash}"
      }},
      "match": null,
      "error": null,
      "removed": [],
      "warnings": []
    }}
  ],
  "files": [
    {{
      "path": "src/a.py",
      "status": "modified",
      "added": 1,
      "removed": 1,
      "old_blob": "{old}",
      "new_blob": "{new}",
      "diff": "--- a/src/a.py\n"
    }}
  ],
  "validators": [],
  "warnings": [],
  "ledger": {{
    "lines_changed": 2,
    "lines_total": 410,
    "write_efficiency": 0.005,
    "tokens_written": 60,
    "tokens_full_rewrite": 3100,
    "tokens_saved": 3040
  }},
  "errors": []
}}
"#,
            base = "0".repeat(40),
            commit = "a".repeat(33),
            hash = "a".repeat(40),
            old = "2".repeat(40),
            new = "3".repeat(40),
        );
        assert_eq!(
            text(render(&samples::published(b"--- a/src/a.py\n"))),
            expected
        );
    }

    #[test]
    fn an_error_has_its_seven_keys_first() {
        let place = PlanPlace {
            line: 17,
            column: 5,
            start: 0,
            end: 0,
        };
        let path = RepoPath::parse("src/a.py").unwrap();
        let error = Diagnostic::new(Code::SegmentNotFound, "m")
            .at(Some(&place))
            .of_operation(0)
            .note("n");
        let plain =
            serde_json::to_string(&ErrorEntry::of(&Diagnostic::new(Code::Io, "m"), 0)).unwrap();
        assert_eq!(
            plain,
            r#"{"code":"io","message":"m","operation":null,"line":null,"column":null,"suggestions":[],"candidates":[]}"#
        );
        let full = error.showing(Excerpt {
            path,
            line: 3,
            column: 1,
            text: "x".into(),
        });
        assert_eq!(
            serde_json::to_string(&ErrorEntry::of(&full, 2)).unwrap(),
            r#"{"code":"segment-not-found","message":"m","operation":2,"line":17,"column":5,"suggestions":[],"candidates":[],"path":"src/a.py","file_line":3,"notes":["n"]}"#
        );
    }

    #[test]
    fn what_misleads_a_reader_is_escaped_and_means_the_same() {
        let hostile = "\u{1b}]0;x\u{7}\u{7f}\u{9b}\u{202e}\u{e0041}\u{feff}\t\n\"ß";
        let written = text(line(&hostile));
        assert_eq!(
            written,
            "\"\\u001b]0;x\\u0007\\u007f\\u009b\\u202e\\udb40\\udc41\\ufeff\\t\\n\\\"ß\"\n"
        );
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), hostile);
    }

    #[test]
    fn several_batches_are_summed_up_and_stand_one_by_one() {
        let mut second = samples::published(b"");
        second.status = Status::Unresolved;
        second
            .errors
            .push(Diagnostic::new(Code::Overlap, "m").of_operation(0));
        let report: serde_json::Value =
            serde_json::from_slice(&render_several(&[samples::published(b""), second])).unwrap();
        assert_eq!(report["status"], "unresolved");
        assert_eq!(report["operations"][1]["index"], 1);
        assert_eq!(report["errors"][0]["operation"], 1);
        assert_eq!(report["ledger"]["lines_changed"], 4);
        assert_eq!(report["batches"][1]["errors"][0]["operation"], 0);
        assert_eq!(report["batches"][1]["source"], "ops.yaml");
        assert_eq!(report["batches"][1]["status"], "unresolved");
    }

    #[test]
    fn statuses_combine_in_the_order_of_the_exit_table() {
        use Status::*;
        let check = |statuses: &[Status], expected| {
            assert_eq!(combined_status(statuses.iter().copied()), expected)
        };
        check(&[Rejected, Conflict, Unresolved, Malformed], Malformed);
        check(&[Rejected, Conflict, Unresolved], Unresolved);
        check(&[Rejected, Conflict], Conflict);
        check(&[Published, Rejected], Rejected);
        check(&[Unchanged, Published], Published);
        check(&[], Unchanged);
    }

    #[test]
    fn content_that_is_not_utf8_comes_exactly_too() {
        let segment = samples::segment("f", "function", 1, 1);
        let shown: serde_json::Value = serde_json::from_slice(&show(&segment, b"a\xff")).unwrap();
        assert_eq!(
            (&shown["content"], &shown["content_base64"]),
            (&"a\u{fffd}".into(), &"Yf8=".into())
        );
        let shown: serde_json::Value = serde_json::from_slice(&show(&segment, b"a")).unwrap();
        assert_eq!(shown.get("content_base64"), None);
    }
}
