//! What a call is answered: text, one line of status first, then bytes exactly as they are. What looks like code is never
//! shortened: a model quotes what it is shown. A refusal says what is true now and what to send next.

use serde_json::{Value, json};

use super::arguments::EDITS;
use super::table::{ToolDefinition, ToolVerb};
use crate::actions::drafts::{DraftState, ago};
use crate::actions::history::BatchLog;
use crate::actions::look::{FoundNames, Outlines};
use crate::actions::outcome::{Outcome, Status, Subject};
use crate::diagnostic::{Code, Diagnostic, DiagnosticMark, shown};
use crate::drafts::DraftName;
use crate::manifest::{CheckMode, Destination, LineRange};
use crate::path::RepoPath;
use crate::report::{self, ReportStyle, history};
use crate::resolve::Segment;
use crate::text::{Lines, line_count};

/// Most bytes of an answer: clients refuse or cut what is much longer.
pub(crate) const MOST_BYTES: usize = 20_000;

/// Most lines of a diff that are shown.
const MOST_DIFF_LINES: usize = 60;

/// Most places of each sort that a renaming left and that are named.
const MOST_LEFT: usize = 20;

/// Most refusals that are told.
const MOST_ERRORS: usize = 10;

/// The last line of a refusal.
const NOTHING_CHANGED: &str = "Nothing was changed.";

/// Digits of a hash or of a batch's id.
const DIGITS: usize = 8;

/// The answer to a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallAnswer {
    /// The text, without a line break at its end unless what it shows has one.
    pub text: String,
    /// How the call ended; `None` when it only looked.
    pub status: Option<Status>,
    /// The JSON report of a batch.
    pub report: Option<Value>,
}

impl CallAnswer {
    fn of(text: String) -> CallAnswer {
        CallAnswer {
            text,
            status: None,
            report: None,
        }
    }

    /// Says whether the call was refused.
    pub(crate) fn is_error(&self) -> bool {
        match self.status {
            None | Some(Status::Published | Status::Verified | Status::Unchanged) => false,
            Some(
                Status::Rejected
                | Status::Unresolved
                | Status::Conflict
                | Status::Malformed
                | Status::Failed,
            ) => true,
        }
    }

    /// Returns it as the result of a tool in the Model Context Protocol.
    pub(crate) fn as_result(&self) -> Value {
        let mut result = json!({ "content": [{ "type": "text", "text": self.text }], "isError": self.is_error() });
        if let Some(report) = &self.report {
            result["structuredContent"] = report.clone();
        }
        result
    }
}

/// Answers with the segments of files.
pub(crate) fn outline(outlines: &Outlines) -> CallAnswer {
    let listed = report::segments::outline(outlines, &ReportStyle::PLAIN);
    let text = String::from_utf8_lossy(&listed.stdout).into_owned() + &listed.stderr;
    if text.is_empty() {
        return CallAnswer::of("no segments there".to_owned());
    }
    CallAnswer::of(limit_text(&text, "narrow: paths, kind, depth"))
}

/// Answers with the definitions that were found.
pub(crate) fn hits(found: &FoundNames) -> CallAnswer {
    let listed = report::segments::find(found, &ReportStyle::PLAIN);
    let text = String::from_utf8_lossy(&listed.stdout).into_owned() + &listed.stderr;
    CallAnswer::of(limit_text(&text, "narrow: paths, kind"))
}

/// Answers with one segment.
pub(crate) fn segment(segment: &Segment, bytes: &[u8], parts: &[Segment]) -> CallAnswer {
    let header = header_line(segment);
    if bytes.len() <= MOST_BYTES {
        return CallAnswer::of(format!("{header}\n{}", String::from_utf8_lossy(bytes)));
    }
    let inside = |part: &&Segment| {
        segment.start_byte <= part.start_byte
            && part.end_byte <= segment.end_byte
            && part.address != segment.address
    };
    let parts: Vec<Segment> = parts.iter().filter(inside).cloned().collect();
    let (first, last) = (segment.start_line, segment.end_line);
    CallAnswer::of(format!(
        "{header}\n{}",
        too_long(segment.path(), bytes.len(), &parts, first, last)
    ))
}

/// Answers with a file, or lines of it.
pub(crate) fn file(
    path: &RepoPath,
    bytes: &[u8],
    hash: &str,
    lines: Option<LineRange>,
    parts: &[Segment],
) -> CallAnswer {
    let count = line_count(bytes);
    let header = |first: usize, last: usize| {
        format!(
            "{path}  lines {first}-{last} of {count}  hash {}",
            short(hash)
        )
    };
    let Some(LineRange { first, last }) = lines else {
        let header = header(1.min(count), count);
        if bytes.len() <= MOST_BYTES {
            return CallAnswer::of(format!("{header}\n{}", String::from_utf8_lossy(bytes)));
        }
        return CallAnswer::of(format!(
            "{header}\n{}",
            too_long(path.as_str(), bytes.len(), parts, 1, count)
        ));
    };
    if first > count {
        let message = format!("{path} has {count} lines");
        return refused(&[Diagnostic::new(Code::LineOutOfRange, message)], None);
    }
    let index = Lines::of(bytes);
    let mut shown = Vec::new();
    let mut end = first - 1;
    for line in first..=last.min(count) {
        let text = index.whole(line).of(bytes);
        if shown.len() + text.len() > MOST_BYTES && !shown.is_empty() {
            break;
        }
        shown.extend_from_slice(text);
        end = line;
    }
    let mut text = format!(
        "{}\n{}",
        header(first, end),
        String::from_utf8_lossy(&shown)
    );
    if end < last.min(count) {
        text.push_str(&format!(
            "shown {first}-{end} of the lines asked for; next: \"lines\":\"{}-{last}\"\n",
            end + 1
        ));
    }
    CallAnswer::of(text)
}

/// Returns what is said of bytes that are more than an answer holds: what there is inside, to be read part by part.
fn too_long(path: &str, bytes: usize, parts: &[Segment], first: usize, last: usize) -> String {
    let said = format!("{bytes} bytes are more than an answer holds, {MOST_BYTES}");
    if parts.is_empty() {
        let next = json!({ "target": path, "lines": format!("{first}-{}", last.min(first + 300)) });
        return format!("{said}; read lines of the file: segedit_show {next}");
    }
    let mut list = String::new();
    for part in parts {
        let (first, last) = (part.start_line, part.end_line);
        list.push_str(&format!(
            "{first}-{last}  {} {}\n",
            part.kind,
            shown(&part.address)
        ));
    }
    limit_text(
        &format!("{said}; its parts:\n{list}"),
        "or read lines of the file: \"lines\":\"1-200\"",
    )
}

/// Answers with the last batches.
pub(crate) fn log(log: &BatchLog, now: u64) -> CallAnswer {
    let plain = history::ShownBatch {
        stat: false,
        graph: false,
    };
    let listed = history::log(log, plain, now, &ReportStyle::PLAIN);
    let text = String::from_utf8_lossy(&listed.stdout).into_owned() + &listed.stderr;
    CallAnswer::of(if text.is_empty() {
        "no batch was published here yet".to_owned()
    } else {
        limit_text(&text, "")
    })
}

/// Answers that a draft is forgotten.
pub(crate) fn discarded(name: &DraftName, was: Option<&DraftState>) -> CallAnswer {
    let was = was.map(|draft| format!(": {}", draft.words()));
    let text = format!("discarded draft {name}{}", was.unwrap_or_default());
    CallAnswer {
        text,
        status: Some(Status::Published),
        report: None,
    }
}

/// What a call had to do with a draft.
#[derive(Clone, Debug)]
pub(crate) enum OfDraft {
    /// It is an edit of the draft, the last of those that there are now.
    Edit(DraftName, Option<DraftState>),
    /// It is about the whole of it.
    Whole(DraftState),
}

impl OfDraft {
    /// Returns the name of the draft, if there is one.
    fn name(&self) -> Option<&DraftName> {
        match self {
            OfDraft::Edit(_, state) => state.as_ref().map(|state| &state.name),
            OfDraft::Whole(state) => Some(&state.name),
        }
    }

    /// Returns what the status line says of it.
    fn words(&self) -> String {
        match self {
            OfDraft::Edit(name, None) => format!("  draft {name}"),
            OfDraft::Edit(name, Some(state)) => {
                format!(
                    "  draft {name}: edit {}, begun {} ago",
                    state.edits,
                    ago(state.begun)
                )
            }
            OfDraft::Whole(state) => format!("  draft {}: {}", state.name, state.words()),
        }
    }
}

/// What is to be told beside the outcome of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditedLines {
    /// The draft that the call is about.
    pub draft: Option<OfDraft>,
    /// The segment that the call names, as it is now, and its bytes.
    pub fresh: Option<(Segment, Vec<u8>)>,
    /// What the exchange asks for is so already, at this line.
    pub already: Option<usize>,
    /// What was understood otherwise than it was written.
    pub notes: Vec<String>,
}

/// Answers with what became of a batch.
pub(crate) fn batch(outcome: &Outcome, tool: &ToolDefinition, beside: &EditedLines) -> CallAnswer {
    let mut answer = match outcome.errors.is_empty() {
        true => CallAnswer::of(done(outcome, tool, beside)),
        false => CallAnswer::of(refusal(outcome, tool, beside)),
    };
    answer.status = Some(outcome.status);
    answer.report = serde_json::from_slice(&report::json::render(outcome)).ok();
    answer
}

/// Answers that a call was refused before there was a batch.
pub(crate) fn refused(errors: &[Diagnostic], tool: Option<&ToolDefinition>) -> CallAnswer {
    let mut text = String::new();
    for error in errors.iter().take(MOST_ERRORS) {
        text.push_str(&tell_outcomes(error, tool, ""));
    }
    if tool.is_some_and(|tool| !tool.hints.reads_only) {
        text.push_str(NOTHING_CHANGED);
    }
    CallAnswer {
        text: text.trim_end().to_owned(),
        status: Some(Status::of(errors)),
        report: None,
    }
}

/// Returns what is said of a batch that passed.
fn done(outcome: &Outcome, tool: &ToolDefinition, beside: &EditedLines) -> String {
    let draft = beside
        .draft
        .as_ref()
        .map(OfDraft::words)
        .unwrap_or_default();
    let mut text = format!("{}{draft}\n", status_line(outcome, beside));
    if outcome.operations.len() > 1 {
        for operation in &outcome.operations {
            let target = operation
                .segment
                .as_ref()
                .map_or(&operation.file, |segment| &segment.address);
            match beside
                .draft
                .as_ref()
                .and(operation.id.as_deref())
                .and_then(|id| id.split_once(' '))
            {
                Some((edit, call)) => text.push_str(&format!("{}. {}\n", shown(edit), shown(call))),
                None => {
                    let at = operation.index;
                    text.push_str(&format!(
                        "{}[{at}] {} {}\n",
                        list_of(tool),
                        operation.op,
                        shown(target)
                    ));
                }
            }
        }
    }
    let removed = outcome.operations.iter().flat_map(|operation| {
        let own = operation
            .segment
            .as_ref()
            .filter(|_| operation.op == "delete")
            .map(|segment| &segment.address);
        operation
            .removed
            .iter()
            .filter(move |removed| own != Some(&removed.address))
    });
    for removed in removed {
        let (first, last) = (removed.start_line, removed.end_line);
        text.push_str(&format!(
            "removes {} ({}, lines {first}-{last})\n",
            shown(&removed.address),
            removed.kind
        ));
    }
    for import in outcome.operations.iter().flat_map(|it| &it.imports) {
        let word = if import.is_added { "imports" } else { "drops" };
        text.push_str(&format!(
            "{word} `{}` ({})\n",
            shown(&import.statement),
            shown(import.path.as_str())
        ));
    }
    text.push_str(&diff(outcome));
    for operation in &outcome.operations {
        if let Some(references) = &operation.references {
            text.push_str(&report::references::left_lines(references, MOST_LEFT));
        }
    }
    for verdict in outcome.formatters.iter().chain(&outcome.validators) {
        text.push_str(&report::human::verdict_lines(verdict, "", false));
    }
    let warnings = outcome.warnings.iter().chain(
        outcome
            .operations
            .iter()
            .flat_map(|operation| &operation.warnings),
    );
    let mut told: Vec<&Diagnostic> = Vec::new();
    for warning in warnings {
        if !told.contains(&warning) {
            text.push_str(&format!("warning: {}\n", warning.message));
            told.push(warning);
        }
    }
    for note in &beside.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    limit_text(&text, "").trim_end().to_owned()
}

/// Returns the list that a call of `tool` brings its operations in, so that each is named as it was sent.
fn list_of(tool: &ToolDefinition) -> &'static str {
    match tool.verb {
        ToolVerb::Edit => EDITS,
        _ => "operations",
    }
}

fn status_line(outcome: &Outcome, beside: &EditedLines) -> String {
    let fresh = beside.fresh.as_ref().map(|(segment, _)| segment);
    let is_edit_of_draft =
        matches!(beside.draft, Some(OfDraft::Edit(..))) && outcome.mode != CheckMode::VerifyOnly;
    let what = match outcome.operations.as_slice() {
        [only] => {
            let target = only
                .segment
                .as_ref()
                .map_or(&only.file, |segment| &segment.address);
            let mut what = format!("{} {}", past_words(&only.op), shown(target));
            if let Some(fresh) = fresh {
                what.push_str(&format!("  {}", place_of(fresh)));
            } else if only.count > 1 {
                what.push_str(&format!("  {} places", only.count));
            }
            what
        }
        several => format!("applied {} operations", several.len()),
    };
    let what = match outcome.subject {
        Subject::Undo => "undone".to_owned(),
        Subject::Redo => "put forth again".to_owned(),
        Subject::Batch | Subject::Staged | Subject::Commit => what,
    };
    let added: usize = outcome.files.iter().map(|file| file.added).sum();
    let removed: usize = outcome.files.iter().map(|file| file.removed).sum();
    let mut line = match outcome.status {
        Status::Unchanged => {
            return format!("unchanged: all that was asked for is so already ({what})");
        }
        Status::Verified if is_edit_of_draft => what,
        Status::Verified => format!("checked, nothing was changed; it would be: {what}"),
        Status::Published
        | Status::Rejected
        | Status::Unresolved
        | Status::Conflict
        | Status::Malformed
        | Status::Failed => what,
    };
    if let Some(batch) = &outcome.batch {
        line.push_str(&format!("  batch {}", short(batch)));
    }
    if let Some(commit) = outcome
        .commit
        .as_ref()
        .filter(|_| outcome.destination == Destination::Commit)
    {
        line.push_str(&format!("  commit {}", short(&commit.0)));
    }
    let files = outcome.files.len();
    if files > 1 {
        line.push_str(&format!("  {files} files"));
    }
    line + &format!("  +{added} -{removed}")
}

fn past_words(op: &str) -> &'static str {
    match op {
        "replace" => "replaced",
        "insert" => "inserted at",
        "delete" => "deleted",
        "substitute" => "edited",
        "create" => "created",
        "remove" => "removed",
        "chmod" => "changed the mode of",
        "import" => "added an import to",
        "unimport" => "took an import out of",
        _ => "renamed",
    }
}

/// Returns the diffs of all files, up to so many lines.
fn diff(outcome: &Outcome) -> String {
    let all: Vec<u8> = outcome
        .files
        .iter()
        .flat_map(|file| file.diff.iter().copied())
        .collect();
    let text = String::from_utf8_lossy(&all);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut shown: String = lines.iter().take(MOST_DIFF_LINES).copied().collect();
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    match lines.len().saturating_sub(MOST_DIFF_LINES) {
        0 => shown,
        more => {
            shown
                + &format!(
                    "… {more} more lines of the diff; segedit_show prints what there is now\n"
                )
        }
    }
}

/// Returns what is said of a batch that was refused.
fn refusal(outcome: &Outcome, tool: &ToolDefinition, beside: &EditedLines) -> String {
    let mut text = String::new();
    let several = outcome.operations.len() > 1;
    for error in outcome.errors.iter().take(MOST_ERRORS) {
        let failed = error.operation.and_then(|at| outcome.operations.get(at));
        let of = failed.and_then(|it| match beside.draft.as_ref().and(it.id.as_deref()) {
            Some(id) => Some(edit_words(id)),
            None if several => Some(format!(
                "{}[{}] ({} {}): ",
                list_of(tool),
                it.index,
                it.op,
                shown(&it.file)
            )),
            None => None,
        });
        text.push_str(&tell_outcomes(error, Some(tool), &of.unwrap_or_default()));
    }
    if outcome.errors.len() > MOST_ERRORS {
        text.push_str(&format!(
            "and {} more\n",
            outcome.errors.len() - MOST_ERRORS
        ));
    }
    for verdict in &outcome.validators {
        text.push_str(&report::human::verdict_lines(verdict, "", false));
    }
    if let Some(line) = beside.already {
        text.push_str(&format!(
            "already there: line {line} has what `new` asks for\n"
        ));
    }
    if let Some((segment, bytes)) = &beside.fresh {
        text.push_str(&format!(
            "it is now:\n{}\n",
            self::segment(segment, bytes, &[]).text
        ));
    }
    for note in &beside.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    // A disk that cannot be read does not tell.
    if outcome.status != Status::Failed {
        text.push_str(NOTHING_CHANGED);
        if let Some(name) = beside.draft.as_ref().and_then(OfDraft::name) {
            text.push_str(&format!(" Draft {name} is as it was."));
        }
    }
    limit_text(&text, "").trim_end().to_owned()
}

/// Returns the words for an edit of a draft, whose number and call are the id of its operations.
fn edit_words(id: &str) -> String {
    match id.split_once(' ') {
        Some((number, call)) => format!("edit {} ({}): ", shown(number), shown(call)),
        None => format!("edit {}: ", shown(id)),
    }
}

/// Returns one refusal: what was found, what it could have been, what to send next.
fn tell_outcomes(error: &Diagnostic, tool: Option<&ToolDefinition>, of: &str) -> String {
    let mut text = format!("{}: {of}{}\n", error.code.as_str(), error.message);
    if let Some(excerpt) = &error.excerpt {
        text.push_str(&format!(
            "{}:{}:{}: {}\n",
            excerpt.path, excerpt.line, excerpt.column, excerpt.text
        ));
    }
    match error.code {
        Code::TextNotFound => {
            for line in &error.suggestions {
                text.push_str(&format!("the file has:\n{line}\n"));
            }
        }
        _ if error.suggestions.is_empty() => {}
        _ => text.push_str(&format!("nearest: {}\n", error.suggestions.join(", "))),
    }
    if !error.choices().is_empty() {
        text.push_str(&format!("one of: {}\n", error.choices().join(", ")));
    }
    for note in error
        .notes
        .iter()
        .filter(|note| is_for_models(error, note, tool))
    {
        text.push_str(&format!("{}\n", as_argument(note)));
    }
    if let Some(next) = next_call(error, tool) {
        text.push_str(&format!("next: {next}\n"));
    }
    text
}

/// Says whether a note speaks of what a model can do. Commands are for people, and fields for whoever writes operation files.
fn is_for_models(error: &Diagnostic, note: &str, tool: Option<&ToolDefinition>) -> bool {
    let writes_fields = tool.is_none_or(|tool| tool.verb == ToolVerb::Apply);
    match error.code {
        Code::ConfigUntrusted => true,
        // Where calls are carried out is said where they come from.
        Code::UnsupportedRepository => !note.contains("-C <dir>"),
        Code::WouldRemove => writes_fields,
        _ => !note.contains("git segedit "),
    }
}

/// Returns a note with `within` as a tool takes it, where it is written as in an operation file.
fn as_argument(note: &str) -> String {
    const FIELD: &str = "`within: {";
    let rewritten = || {
        let (before, rest) = note.split_once(FIELD)?;
        let (_, name) = rest.split_once(": ")?;
        let (name, after) = name.split_once("}`")?;
        Some(format!("{before}\"within\":{name}{after}"))
    };
    rewritten().unwrap_or_else(|| note.to_owned())
}

/// Returns what to send after a refusal.
fn next_call(error: &Diagnostic, tool: Option<&ToolDefinition>) -> Option<&'static str> {
    let verb = tool.map(|tool| tool.verb);
    let is_known = !error.suggestions.is_empty() || !error.candidates.is_empty();
    match error.code {
        Code::SegmentNotFound | Code::SegmentAmbiguous if is_known => {
            Some("the same call with one of these targets")
        }
        Code::SegmentNotFound | Code::SegmentAmbiguous => {
            Some("segedit_outline lists what there is")
        }
        Code::TextNotFound => Some("quote the text as the file has it; segedit_show prints it"),
        Code::PatternNotFound => Some("segedit_show prints the file as it is"),
        Code::TextAmbiguous => Some("quote more of the lines around it, or narrow it"),
        Code::CountMismatch if verb == Some(ToolVerb::Edit) => {
            Some("quote more of the lines around it, or send within, or all: true")
        }
        Code::LineOutOfRange => Some("segedit_show says how many lines there are"),
        Code::Overlap => Some("make one operation of those that meet"),
        Code::NotCertain => {
            Some("the same call with one of these, once segedit_show has shown the places")
        }
        Code::NameClash => Some("the same call with another name"),
        Code::ImportCycle => Some("a place in a module that imports neither of them"),
        Code::StillUsed => {
            Some("edits of the places that use it first, or used: allow in the operation")
        }
        Code::UndefinedName | Code::UnknownAttribute | Code::UnknownImport | Code::UnfitCall => {
            Some(
                "the call with a name that there is, or with the import or definition that is missing",
            )
        }
        Code::StaleSegment => {
            Some("the same call with the hash that it has now, if it is still meant")
        }
        Code::FileNotFound if verb == Some(ToolVerb::Replace) && is_known => {
            Some("the same call with one of these paths; create: true makes a new file")
        }
        Code::FileNotFound if verb == Some(ToolVerb::Replace) => {
            Some("create: true makes a new file")
        }
        Code::FileNotFound if is_known => Some("the same call with one of these paths"),
        Code::FileNotFound => Some("segedit_outline of a folder lists its files"),
        Code::FileExists if verb == Some(ToolVerb::Replace) => {
            Some("without create it replaces the file")
        }
        Code::FileExists => Some("another path, or an operation that replaces the file"),
        Code::UnsupportedLanguage => Some("segedit_edit works on every text file"),
        Code::MixedIndentation => Some("indent the content with tabs alone or with blanks alone"),
        Code::MergeConflict => {
            Some("segedit_show prints what is there now; write the content anew from that")
        }
        Code::SyntaxError | Code::StructureLost => {
            Some("mend the content, and send the whole call again")
        }
        Code::InventoryChanged => Some(
            "content that leaves what is beside it as it is; what is meant to change too has to be in the edit",
        ),
        Code::WouldRemove if verb == Some(ToolVerb::Apply) => {
            Some("write them too, delete them by operations of their own, or allow_remove: true")
        }
        Code::WouldRemove => {
            Some("write them too, delete them by segedit_delete, or send allow_remove: true")
        }
        Code::RepeatsNeighbour => {
            Some("leave out of the content what the file has beside it already")
        }
        Code::DefinedTwice => Some("another name, or segedit_replace of the one that is there"),
        Code::Placeholder => Some("write the content in full"),
        Code::ValidatorFailed => {
            Some("mend what the validator found, and send the whole call again")
        }
        Code::ValidatorMissing | Code::ValidatorTimeout | Code::ValidatorCrashed => {
            Some("ask the person to look at the validator or the hook")
        }
        Code::ConfigUntrusted => {
            Some("ask the person to look at the configuration and to trust it")
        }
        Code::ConfigInvalid => Some("ask the person to mend the configuration"),
        Code::RefMoved => Some("the same call again, on what there is now"),
        Code::IndexLocked => Some("the same call again, when the other git process has ended"),
        Code::WorktreeDirty if verb == Some(ToolVerb::Apply) => Some(
            "destination: worktree publishes to the files as they are; or have them committed first",
        ),
        Code::WorktreeDirty => {
            Some("ask the person to commit what is in the way, or to put it aside")
        }
        Code::UntrackedInTheWay => {
            Some("another path; or ask the person what is to become of the file")
        }
        Code::NothingToUndo | Code::NothingToRedo => {
            Some("segedit_history with action: list shows what there is")
        }
        Code::ChangedSince => {
            Some("segedit_show prints what is there now; a newer batch may have to be undone first")
        }
        Code::DraftExists => Some(
            "segedit_apply with this draft and check: true shows it and makes it current, with discard: true forgets it; \
             or take another name",
        ),
        Code::DraftNotFound => Some("an edit with this draft begins one"),
        Code::UnsupportedRepository if error.mark == Some(DiagnosticMark::NoRepository) => Some(
            "ask the person to start `git segedit` with `--root DIR` (or `-C DIR`), where DIR is a repository",
        ),
        // The message says what was wrong in the call, or no other call would do.
        Code::CountMismatch
        | Code::InvalidPattern
        | Code::BinaryFile
        | Code::PathRefused
        | Code::Unsupported
        | Code::Malformed
        | Code::TooLarge
        | Code::Drift
        | Code::UnsupportedRepository
        | Code::KeyMissing
        | Code::ModelRefused
        | Code::ModelNoEdit
        | Code::ModelLimit
        | Code::Declined
        | Code::ProviderFailed
        | Code::Io => None,
    }
}

fn header_line(segment: &Segment) -> String {
    format!("{}  {}", shown(&segment.address), place_of(segment))
}

fn place_of(segment: &Segment) -> String {
    format!(
        "lines {}-{}  hash {}",
        segment.start_line,
        segment.end_line,
        short(&segment.hash)
    )
}

fn short(hash: &str) -> &str {
    hash.get(..DIGITS).unwrap_or(hash)
}

/// Returns as many whole lines as an answer holds, and how many that is where it is not all.
fn limit_text(text: &str, narrow: &str) -> String {
    if text.len() <= MOST_BYTES {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut count = 0;
    for line in text.split_inclusive('\n') {
        if kept.len() + line.len() > MOST_BYTES - 100 {
            break;
        }
        kept.push_str(line);
        count += 1;
    }
    let narrow = if narrow.is_empty() {
        String::new()
    } else {
        format!(" · {narrow}")
    };
    format!(
        "{kept}shown {count} of {} lines{narrow}",
        line_count(text.as_bytes())
    )
}
