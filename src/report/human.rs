//! What a person reads after a batch: the diff, one line for each operation, what was published, what it cost.
//!
//! Results on standard output, refusals on standard error after them, so that on a terminal the last thing read is
//! what to do next.

use super::references;
use super::{
    Rendered, ReportStyle, Verbosity, colour, conversation, diagnostics, history, json, judged,
    patch,
};
use crate::actions::outcome::{
    Ledger, OperationOutcome, OperationStatus, Outcome, Removed, Status, Subject,
};
use crate::diagnostic::{Diagnostic, escaped, shown};
use crate::manifest::Destination;

pub(crate) use super::verdicts::verdict_lines;

pub(super) use super::verdicts::line_range;

/// Returns what is said about the batches of one call.
pub(crate) fn render(outcomes: &[Outcome], style: &ReportStyle) -> Rendered {
    if outcomes
        .iter()
        .any(|outcome| matches!(outcome.subject, Subject::Staged | Subject::Commit))
    {
        return judged::render(outcomes, style);
    }
    let mut rendered = Rendered::default();
    for outcome in outcomes {
        if style.verbosity == Verbosity::Normal {
            if outcomes.len() > 1 {
                let name = escaped(&outcome.source.name);
                let title =
                    colour::paint(style.stdout_colour, colour::STRONG, &format!("== {name}"));
                rendered
                    .stdout
                    .extend_from_slice(format!("{title}\n").as_bytes());
            }
            rendered.stdout.extend(result_lines(outcome, style));
        }
        rendered.stderr.push_str(&talk_lines(outcome, style));
    }
    rendered.stderr.push_str(&hint(outcomes, style));
    rendered
}

fn result_lines(outcome: &Outcome, style: &ReportStyle) -> Vec<u8> {
    let mut out = Vec::new();
    for file in outcome.files.iter().filter(|file| !file.diff.is_empty()) {
        out.extend(patch::render(&file.diff, style));
    }
    if !out.is_empty() {
        out.push(b'\n');
    }
    for operation in &outcome.operations {
        out.extend_from_slice(operation_line(operation, outcome.status, style).as_bytes());
    }
    for verdict in &outcome.formatters {
        out.extend_from_slice(
            verdict_lines(verdict, "formatter, ", style.stdout_colour).as_bytes(),
        );
    }
    for verdict in &outcome.validators {
        out.extend_from_slice(verdict_lines(verdict, "", style.stdout_colour).as_bytes());
    }
    if let Some(talk) = &outcome.conversation {
        out.extend_from_slice(conversation::conversation_summary(talk).as_bytes());
    }
    for line in [
        operation_lines(outcome),
        summary(outcome, style),
        cost_line(outcome),
    ]
    .into_iter()
    .flatten()
    {
        out.extend_from_slice(format!("{line}\n").as_bytes());
    }
    out
}

fn talk_lines(outcome: &Outcome, style: &ReportStyle) -> String {
    let mut text = diagnostics::render(
        &warnings(outcome),
        diagnostics::DiagnosticLevel::Warning,
        &outcome.source,
        style,
    );
    text.push_str(&diagnostics::render(
        &outcome.errors,
        diagnostics::DiagnosticLevel::Error,
        &outcome.source,
        style,
    ));
    // A command line that is wrong, or a look that found nothing, never was about to publish.
    let is_batch = !outcome.operations.is_empty() || !outcome.source.text.is_empty();
    if !outcome.errors.is_empty() && is_batch {
        text.push_str(&format!("{}\n", refusal(outcome)));
    }
    text
}

/// Returns how to take back what was published last, for those who like to be told.
fn hint(outcomes: &[Outcome], style: &ReportStyle) -> String {
    let published = |outcome: &&Outcome| {
        outcome.status == Status::Published && outcome.subject == Subject::Batch
    };
    let last = outcomes
        .iter()
        .rfind(published)
        .and_then(|outcome| outcome.batch.as_deref());
    match last.filter(|_| style.hints && style.verbosity == Verbosity::Normal) {
        Some(id) => {
            let line = format!(
                "hint: undo with: git segedit undo {}",
                shown(history::short(id))
            );
            format!(
                "{}\n",
                colour::paint(style.stderr_colour, colour::FAINT, &line)
            )
        }
        None => String::new(),
    }
}

/// Returns the line that says which batch was taken back or put forth again.
fn operation_lines(outcome: &Outcome) -> Option<String> {
    let id = shown(history::short(outcome.batch.as_deref()?));
    let (done, possible) = match outcome.subject {
        Subject::Undo => (
            format!("took back batch {id}"),
            format!("batch {id} can be taken back"),
        ),
        Subject::Redo => (
            format!("put forth again: batch {id}"),
            format!("batch {id} can be put forth again"),
        ),
        Subject::Batch | Subject::Staged | Subject::Commit => return None,
    };
    match outcome.status {
        Status::Published => Some(done),
        Status::Verified => Some(possible),
        Status::Unchanged
        | Status::Rejected
        | Status::Unresolved
        | Status::Conflict
        | Status::Malformed
        | Status::Failed => None,
    }
}

/// Returns the batch's warnings and its operations', each once.
fn warnings(outcome: &Outcome) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    let of_operations = outcome
        .operations
        .iter()
        .flat_map(|operation| &operation.warnings);
    for warning in outcome.warnings.iter().chain(of_operations) {
        if !all.contains(warning) {
            all.push(warning.clone());
        }
    }
    all
}

fn operation_line(operation: &OperationOutcome, status: Status, style: &ReportStyle) -> String {
    let (word, dress) = match operation.status {
        OperationStatus::Applied => ("applied", colour::GOOD),
        OperationStatus::Noop => ("noop", colour::FAINT),
        OperationStatus::Skipped => ("skipped", colour::ODD),
        OperationStatus::Failed => ("failed", colour::BAD),
    };
    let word = colour::paint(style.stdout_colour, dress, &format!("{word:>8}"));
    let id = operation
        .id
        .as_ref()
        .map_or(String::new(), |id| format!(" [{}]", shown(id)));
    let mut lines = format!(
        "{word}  {} {}{id}{}\n",
        operation.op,
        target(operation),
        details(operation)
    );
    let removed: Vec<&Removed> = operation
        .removed
        .iter()
        .filter(|removed| !is_named(operation, removed))
        .collect();
    for removed in removed.iter().take(MOST_REMOVED) {
        let lines_of = line_range(removed.start_line, removed.end_line);
        lines.push_str(&format!(
            "{:>8}  {} ({}, {lines_of})\n",
            "removes",
            shown(&removed.address),
            removed.kind
        ));
    }
    for import in operation
        .imports
        .iter()
        .filter(|_| operation.error.is_none())
    {
        let word = if import.is_added { "imports" } else { "drops" };
        lines.push_str(&format!(
            "{word:>8}  {} ({})\n",
            shown(&import.statement),
            shown(import.path.as_str())
        ));
    }
    if let Some(places) = operation
        .references
        .as_ref()
        .filter(|_| operation.error.is_none())
    {
        let is_dry = status == Status::Verified;
        lines.push_str(&references::lines_of(places, is_dry, style));
    }
    if removed.len() > MOST_REMOVED {
        lines.push_str(&format!(
            "{:>8}  {} more\n",
            "removes",
            removed.len() - MOST_REMOVED
        ));
    }
    lines
}

/// Says whether what goes is what the operation deletes by its name, or inside of it.
fn is_named(operation: &OperationOutcome, removed: &Removed) -> bool {
    let Some(segment) = operation
        .segment
        .as_ref()
        .filter(|_| operation.op == "delete")
    else {
        return false;
    };
    // Lines, a text and a pattern have none.
    if segment.name.is_empty() {
        return false;
    }
    let (start, end) = (segment.start_line, segment.end_line);
    removed.address.starts_with(segment.path())
        && start <= removed.start_line
        && removed.end_line <= end
}

fn where_published(status: Status) -> bool {
    matches!(
        status,
        Status::Published | Status::Verified | Status::Unchanged
    )
}

fn target(operation: &OperationOutcome) -> String {
    match &operation.segment {
        Some(segment) => shown(&segment.address),
        None => shown(&operation.file),
    }
}

fn details(operation: &OperationOutcome) -> String {
    let mut details = Vec::new();
    if let Some(segment) = &operation.segment {
        details.push(segment.kind.to_string());
        details.push(line_range(segment.start_line, segment.end_line));
    }
    if let Some(matched) = operation.matched {
        details.push(match matched.similarity {
            similarity if similarity < 1.0 => {
                format!("match {} {similarity:.2}", matched.level.as_str())
            }
            _ => format!("match {}", matched.level.as_str()),
        });
    }
    if operation.count > 1 {
        details.push(format!("{} places", operation.count));
    }
    if details.is_empty() {
        String::new()
    } else {
        format!(" ({})", details.join(", "))
    }
}

/// Most segments that an operation takes away that are listed; all of them are in the other formats.
const MOST_REMOVED: usize = 20;

/// Returns the line that says what others can see now, in the manner of `git commit`.
fn summary(outcome: &Outcome, style: &ReportStyle) -> Option<String> {
    let stat = stat_line(outcome);
    match outcome.status {
        Status::Published => Some(format!("[{}] {stat}", place_words(outcome, style))),
        Status::Verified => Some(format!(
            "{} nothing published; {} would get {stat}",
            good_word("verified:", style),
            aim_words(outcome)
        )),
        Status::Unchanged => Some("unchanged: everything asked for is so already".to_owned()),
        Status::Rejected
        | Status::Unresolved
        | Status::Conflict
        | Status::Malformed
        | Status::Failed => None,
    }
}

fn good_word(word: &str, style: &ReportStyle) -> String {
    colour::paint(style.stdout_colour, colour::GOOD, word)
}

/// Returns where the batch went: `main 1a2b3c4d`, `index`, `stash 1a2b3c4d`.
pub(super) fn place_words(outcome: &Outcome, style: &ReportStyle) -> String {
    let id = outcome
        .commit
        .as_ref()
        .map(|id| id.0.get(..8).unwrap_or(&id.0).to_owned());
    let id = id.map(|id| colour::paint(style.stdout_colour, colour::ID, &id));
    match id {
        Some(id) => format!("{} {id}", aim_words(outcome)),
        None => aim_words(outcome),
    }
}

fn aim_words(outcome: &Outcome) -> String {
    match outcome.destination {
        Destination::Commit => match outcome.reference.as_deref() {
            Some("HEAD") => "detached HEAD".to_owned(),
            Some(name) => shown(name.strip_prefix("refs/heads/").unwrap_or(name)),
            None => "commit".to_owned(),
        },
        Destination::Index => "index and worktree".to_owned(),
        Destination::Cached => "index".to_owned(),
        Destination::Worktree => "worktree".to_owned(),
        Destination::Stash => "stash".to_owned(),
    }
}

fn stat_line(outcome: &Outcome) -> String {
    let added: usize = outcome.files.iter().map(|file| file.added).sum();
    let removed: usize = outcome.files.iter().map(|file| file.removed).sum();
    let files = outcome.files.len();
    format!(
        "{files} {} changed, +{added} -{removed}",
        if files == 1 { "file" } else { "files" }
    )
}

/// Returns the line that says what the edit cost against writing the files anew.
fn cost_line(outcome: &Outcome) -> Option<String> {
    let Ledger {
        lines_changed,
        lines_total,
        tokens_written,
        tokens_full_rewrite,
    } = outcome.ledger;
    if !where_published(outcome.status) || lines_changed == 0 {
        return None;
    }
    let share = json::write_efficiency(&outcome.ledger) * 100.0;
    Some(format!(
        "write efficiency: {lines_changed} of {lines_total} lines ({share:.1} %), \
         about {tokens_written} tokens written instead of {tokens_full_rewrite}"
    ))
}

/// Returns the closing sentence of a refused batch.
fn refusal(outcome: &Outcome) -> String {
    let failed = outcome
        .operations
        .iter()
        .filter(|operation| operation.status == OperationStatus::Failed)
        .count();
    if outcome.status == Status::Published {
        return String::new();
    }
    match failed {
        // A disk that cannot be read does not tell, either.
        0 if outcome.status == Status::Failed => {
            "nothing was published, as far as can be told".to_owned()
        }
        0 => "nothing was published".to_owned(),
        _ => format!(
            "nothing was published: {failed} of {} operations failed",
            outcome.operations.len()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::report::tests as samples;
    use crate::resolve::Segment;

    fn check(outcome: Outcome, stdout: &str, stderr: &str) {
        let rendered = render(&[outcome], &ReportStyle::PLAIN);
        assert_eq!(String::from_utf8(rendered.stdout).unwrap(), stdout);
        assert_eq!(rendered.stderr, stderr);
    }

    #[test]
    fn a_published_batch_tells_what_and_where() {
        check(
            samples::published(b""),
            " applied  replace src/a.py::Worker.process (method, lines 10-12)\n\
             [main 1111111a] 1 file changed, +1 -1\n\
             write efficiency: 2 of 410 lines (0.5 %), about 60 tokens written instead of 3100\n",
            "",
        );
    }

    #[test]
    fn what_goes_is_told_unless_it_is_deleted_by_its_name() {
        let stop = Removed {
            address: "src/a.py::Worker.stop".into(),
            kind: "method",
            start_line: 10,
            end_line: 12,
        };
        let deleted = |segment| {
            let mut outcome = samples::published(b"");
            outcome.operations[0].op = "delete".into();
            outcome.operations[0].segment = Some(segment);
            outcome.operations[0].removed = vec![stop.clone()];
            String::from_utf8(render(&[outcome], &ReportStyle::PLAIN).stdout).unwrap()
        };
        let by_lines = Segment {
            name: String::new(),
            ..samples::segment("Worker", "lines", 9, 13)
        };
        assert!(
            deleted(by_lines).contains(" removes  src/a.py::Worker.stop (method, lines 10-12)\n")
        );
        assert!(!deleted(samples::segment("Worker", "class", 9, 13)).contains("removes"));
        assert!(!deleted(samples::segment("Worker.stop", "method", 10, 12)).contains("removes"));
    }

    #[test]
    fn the_way_back_is_told_once_to_those_who_want_hints() {
        let hint = |style: ReportStyle| {
            let mut second = samples::published(b"");
            second.batch = Some("3f2a9c1e11112222".to_owned());
            render(&[samples::published(b""), second], &style).stderr
        };
        let wanted = ReportStyle {
            hints: true,
            ..ReportStyle::PLAIN
        };
        assert_eq!(hint(wanted), "hint: undo with: git segedit undo 3f2a9c1e\n");
        assert_eq!(hint(ReportStyle::PLAIN), "");
        assert_eq!(
            hint(ReportStyle {
                verbosity: Verbosity::Quiet,
                ..wanted
            }),
            ""
        );
        let mut refused = samples::published(b"");
        refused.status = Status::Conflict;
        assert_eq!(render(&[refused], &wanted).stderr, "");
    }

    #[test]
    fn a_refused_batch_says_that_nothing_was_published() {
        let mut outcome = samples::published(b"");
        outcome.status = Status::Unresolved;
        outcome.commit = None;
        outcome.files.clear();
        outcome.operations[0].status = OperationStatus::Skipped;
        let mut failed = outcome.operations[0].clone();
        (failed.index, failed.status, failed.segment) = (1, OperationStatus::Failed, None);
        outcome.operations.push(failed);
        outcome
            .errors
            .push(Diagnostic::new(Code::SegmentNotFound, "no `x` in src/a.py"));
        check(
            outcome,
            " skipped  replace src/a.py::Worker.process (method, lines 10-12)\n  failed  replace src/a.py\n",
            "error[segment-not-found]: no `x` in src/a.py\n\nnothing was published: 1 of 2 operations failed\n",
        );
    }

    #[test]
    fn a_verified_batch_names_where_it_would_go() {
        let mut outcome = samples::published(b"");
        outcome.status = Status::Verified;
        outcome.commit = None;
        let text = String::from_utf8(render(&[outcome], &ReportStyle::PLAIN).stdout).unwrap();
        assert!(
            text.contains("verified: nothing published; main would get 1 file changed, +1 -1\n"),
            "{text}"
        );
    }
}
