//! The history for people and programs: one line a batch, what all of them cost, one batch in full.

use serde::Serialize;

use super::json::{self, ErrorEntry, FileEntry, LedgerEntry};
use super::{Rendered, ReportStyle, Verbosity, colour, conversation, diagnostics, patch};
use crate::actions::history::{BatchLog, Opened, Recovered};
use crate::actions::outcome::Ledger;
use crate::diagnostic::{Diagnostic, escaped, shown};
use crate::history::{
    Conversation, FileRecord, HistoryEntry, LedgerRecord, NamedEntry, Settled, UndoMark,
};
use crate::manifest::words::FixedWord;
use crate::manifest::{Destination, ManifestText};
use crate::publish::Recovery;

/// What `log` shows beside its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShownBatch {
    /// The ledger, summed up.
    pub stat: bool,
    /// A bar for each batch.
    pub graph: bool,
}

/// Returns the first digits of an id, enough for people.
pub(crate) fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// Returns a line for each entry, the last published first. `now` is in seconds since 1970.
pub(crate) fn log(log: &BatchLog, shown: ShownBatch, now: u64, style: &ReportStyle) -> Rendered {
    Rendered {
        stdout: lines(&log.entries, shown, now, style).into_bytes(),
        stderr: warned(&log.warnings, style),
    }
}

/// Returns warnings that no operation file is to blame for.
fn warned(warnings: &[Diagnostic], style: &ReportStyle) -> String {
    diagnostics::render(
        warnings,
        diagnostics::DiagnosticLevel::Warning,
        &ManifestText::default(),
        style,
    )
}

fn lines(entries: &[HistoryEntry], shown: ShownBatch, now: u64, style: &ReportStyle) -> String {
    let rows: Vec<[String; 5]> = entries.iter().map(|entry| log_row(entry, now)).collect();
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for (entry, row) in entries.iter().zip(&rows) {
        let id = colour::paint(style.stdout_colour, colour::ID, short(entry.batch.id()));
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"))
            .collect();
        let undone = if entry.mark.is_some() { "undone" } else { "" };
        let line = format!(
            "{id}  {}  {}",
            cells.join("  "),
            colour::paint(style.stdout_colour, colour::ODD, undone)
        );
        text.push_str(line.trim_end());
        text.push('\n');
        if let Some(talk) = &entry.record.conversation {
            text.push_str(&conversation::conversation_line(talk));
        }
        if shown.graph {
            text.push_str(&bar_of(entry, most_of(entries), style));
        }
    }
    if shown.stat {
        text.push_str(&stat_line(entries));
    }
    text
}

/// Returns when, where, how many operations, which lines, and the write-efficiency.
fn log_row(entry: &HistoryEntry, now: u64) -> [String; 5] {
    let record = &entry.record;
    let place = match record.branch() {
        Some("HEAD") => "commit detached HEAD".to_owned(),
        Some(branch) => format!("commit {}", shown(branch)),
        None => record.destination.word().to_owned(),
    };
    let place = match &record.worktree {
        Some(worktree) if record.destination != Destination::Commit => {
            format!("{place} ({})", shown(worktree))
        }
        _ => place,
    };
    let (added, removed) = record.lines();
    let operations = if record.operations == 1 {
        "operation"
    } else {
        "operations"
    };
    [
        ago(now.saturating_sub(record.time)),
        place,
        format!("{} {operations}", record.operations),
        format!("+{added} -{removed}"),
        percent(record.ledger),
    ]
}

fn percent(ledger: LedgerRecord) -> String {
    format!(
        "{:.1} %",
        json::write_efficiency(&Ledger::from(ledger)) * 100.0
    )
}

/// Returns how long ago that was, in one unit.
fn ago(seconds: u64) -> String {
    const UNITS: [(u64, &str); 5] = [
        (60, "second"),
        (60, "minute"),
        (24, "hour"),
        (7, "day"),
        (u64::MAX, "week"),
    ];
    let mut count = seconds;
    for (most, unit) in UNITS {
        if count < most {
            return format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" });
        }
        count /= most;
    }
    format!("{count} weeks ago")
}

fn sum_costs(entries: &[HistoryEntry]) -> LedgerRecord {
    entries
        .iter()
        .fold(LedgerRecord::default(), |sum, entry| LedgerRecord {
            lines_changed: sum.lines_changed + entry.record.ledger.lines_changed,
            lines_total: sum.lines_total + entry.record.ledger.lines_total,
            tokens_written: sum.tokens_written + entry.record.ledger.tokens_written,
            tokens_full_rewrite: sum.tokens_full_rewrite + entry.record.ledger.tokens_full_rewrite,
        })
}

/// Returns the ledger, summed up.
fn stat_line(entries: &[HistoryEntry]) -> String {
    let sum = sum_costs(entries);
    let undone = entries.iter().filter(|entry| entry.mark.is_some()).count();
    let batches = if entries.len() == 1 {
        "batch"
    } else {
        "batches"
    };
    let (written, instead) = (sum.tokens_written, sum.tokens_full_rewrite);
    format!(
        "\n{} {batches}, {undone} of them undone\n\
         write efficiency: {} of {} lines of the files touched ({})\n\
         about {written} tokens written instead of {instead} (estimated: a token is four bytes)\n",
        entries.len(),
        sum.lines_changed,
        sum.lines_total,
        percent(sum),
    )
}

fn most_of(entries: &[HistoryEntry]) -> usize {
    entries
        .iter()
        .map(|entry| entry.record.ledger.tokens_full_rewrite)
        .max()
        .unwrap_or(0)
}

/// Returns a bar as long as the files of the batch, the part that was written filled.
fn bar_of(entry: &HistoryEntry, most: usize, style: &ReportStyle) -> String {
    let LedgerRecord {
        tokens_written,
        tokens_full_rewrite,
        ..
    } = entry.record.ledger;
    let room = style.width.saturating_sub(40).clamp(10, 60);
    // A batch that wrote something shows it, however large its files.
    let length = |tokens: usize| (tokens * room).div_ceil(most.max(1)).min(room);
    let written = length(tokens_written.min(tokens_full_rewrite));
    let saved = length(tokens_full_rewrite) - written;
    let (full, empty) = if style.terminal {
        ("█", "░")
    } else {
        ("#", ".")
    };
    let drawn = colour::paint(style.stdout_colour, colour::GOOD, &full.repeat(written));
    format!(
        "          {drawn}{} {tokens_written} of {tokens_full_rewrite} tokens\n",
        empty.repeat(saved)
    )
}

/// What programs read of an entry.
#[derive(Serialize)]
struct LogRow<'a> {
    id: &'a str,
    time: u64,
    destination: &'static str,
    mode: &'static str,
    #[serde(rename = "ref")]
    reference: Option<&'a str>,
    worktree: Option<&'a str>,
    before: Option<&'a str>,
    base: Option<&'a str>,
    commit: Option<&'a str>,
    operations: usize,
    added: usize,
    removed: usize,
    files: &'a [FileRecord],
    ledger: LedgerEntry,
    source: &'a str,
    who: Option<&'a str>,
    redo_of: Option<&'a str>,
    undone: Option<&'a UndoMark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<&'a Conversation>,
}

impl<'a> LogRow<'a> {
    fn of(entry: &'a HistoryEntry) -> LogRow<'a> {
        let record = &entry.record;
        let (added, removed) = record.lines();
        let id = |id: &'a Option<crate::snapshot::Id>| id.as_ref().map(|id| id.0.as_str());
        LogRow {
            id: &record.id,
            time: record.time,
            destination: record.destination.word(),
            mode: record.mode.word(),
            reference: record.reference.as_deref(),
            worktree: record.worktree.as_deref(),
            before: id(&record.before),
            base: id(&record.base),
            commit: id(&record.commit),
            operations: record.operations,
            added,
            removed,
            files: &record.files,
            ledger: LedgerEntry::of(&Ledger::from(record.ledger)),
            source: &record.source,
            who: record.who.as_deref(),
            redo_of: record.redo_of.as_deref(),
            undone: entry.mark.as_ref(),
            conversation: record.conversation.as_deref(),
        }
    }
}

/// Returns the entries for programs, with their ledger summed up.
pub(crate) fn log_json(log: &BatchLog) -> Vec<u8> {
    #[derive(Serialize)]
    struct Whole<'a> {
        version: u8,
        batches: Vec<LogRow<'a>>,
        ledger: LedgerEntry,
        warnings: Vec<ErrorEntry<'a>>,
    }
    let batches = log.entries.iter().map(LogRow::of).collect();
    let ledger = LedgerEntry::of(&Ledger::from(sum_costs(&log.entries)));
    json::line(&Whole {
        version: 1,
        batches,
        ledger,
        warnings: json::entries(&log.warnings, 0),
    })
}

/// Returns one batch in full: what was asked for, what was said, what it changed.
pub(crate) fn opened(opened: &Opened, now: u64, style: &ReportStyle) -> Rendered {
    let title = |text: &str| {
        format!(
            "{}\n",
            colour::paint(style.stdout_colour, colour::STRONG, &format!("== {text}"))
        )
    };
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let text = if style.terminal { escaped(&text) } else { text };
        if text.ends_with('\n') || text.is_empty() {
            text
        } else {
            text + "\n"
        }
    };
    let mut out = lines(
        std::slice::from_ref(&opened.entry),
        ShownBatch::default(),
        now,
        style,
    )
    .into_bytes();
    let record = &opened.entry.record;
    if let Some(talk) = &record.conversation {
        let details = conversation::conversation_summary(talk) + &conversation::cost_words(talk);
        out.extend(format!("\n{}{details}", title("conversation")).bytes());
    }
    let name = shown(&record.source);
    out.extend(format!("\n{}{}", title(&name), text(&opened.operations)).bytes());
    if let Some(report) = &opened.report {
        out.extend(format!("\n{}{}", title("report"), text(report)).bytes());
    }
    out.extend(format!("\n{}", title("diff")).bytes());
    for file in opened.files.iter().filter(|file| !file.diff.is_empty()) {
        out.extend(patch::render(&file.diff, style));
    }
    Rendered {
        stdout: out,
        stderr: warned(&opened.warnings, style),
    }
}

/// Returns one batch in full, for programs.
pub(crate) fn opened_json(opened: &Opened) -> Vec<u8> {
    #[derive(Serialize)]
    struct Whole<'a> {
        version: u8,
        #[serde(flatten)]
        row: LogRow<'a>,
        operation_file: String,
        report: Option<serde_json::Value>,
        changes: Vec<FileEntry<'a>>,
        warnings: Vec<ErrorEntry<'a>>,
    }
    let report = opened
        .report
        .as_deref()
        .and_then(|bytes| serde_json::from_slice(bytes).ok());
    json::line(&Whole {
        version: 1,
        row: LogRow::of(&opened.entry),
        operation_file: String::from_utf8_lossy(&opened.operations).into_owned(),
        report,
        changes: opened.files.iter().map(FileEntry::of).collect(),
        warnings: json::entries(&opened.warnings, 0),
    })
}

/// Returns which entries were forgotten, or would be.
pub(crate) fn pruned(batches: &[NamedEntry], done: bool, style: &ReportStyle) -> Vec<u8> {
    if style.verbosity == Verbosity::Quiet {
        return Vec::new();
    }
    if batches.is_empty() {
        return b"no batch to forget\n".to_vec();
    }
    let word = if done { "forgot" } else { "would forget" };
    let lines = batches
        .iter()
        .map(|batch| format!("{word} {}\n", shown(batch.id())));
    lines
        .chain([format!("{word} {} in all\n", count(batches.len()))])
        .collect::<String>()
        .into_bytes()
}

/// The same, for programs.
pub(crate) fn pruned_json(batches: &[NamedEntry]) -> Vec<u8> {
    let ids: Vec<&str> = batches.iter().map(NamedEntry::id).collect();
    json::line(&serde_json::json!({ "version": 1, "forgotten": ids }))
}

fn count(number: usize) -> String {
    if number == 1 {
        "1 batch".to_owned()
    } else {
        format!("{number} batches")
    }
}

/// Returns what `recover` did, a sentence a line.
pub(crate) fn recovered(recovered: &Recovered) -> Vec<String> {
    let Recovered {
        recovery,
        settled,
        saves,
    } = recovered;
    let mut sentences = recovery.sentences();
    if *recovery == Recovery::Nothing && !settled.is_empty() {
        sentences.clear();
    }
    sentences.extend(settled.iter().map(|settled| match settled {
        Settled::Kept => "the history knows now of a batch that an interrupted command published".to_owned(),
        Settled::Dropped => "what an interrupted command had announced to the history did not happen".to_owned(),
        Settled::Waiting(why) => format!("the history cannot be told yet of what an interrupted command did: {why}"),
        Settled::Newer => {
            "a newer version of this program was interrupted and has to tell the history itself".to_owned()
        }
        Settled::Refused(why) => {
            format!("what was announced to the history here is not this program's work, and was dropped: {why}")
        }
    }));
    sentences.extend(saves.iter().map(|save| {
        let save = shown(&save.to_string_lossy());
        format!("{save} was in the worktree once, and is kept until you remove it")
    }));
    sentences
}

/// The same, for programs.
pub(crate) fn recovered_json(recovered: &Recovered) -> Vec<u8> {
    let Recovered {
        recovery, settled, ..
    } = recovered;
    let (word, left) = match recovery {
        Recovery::Nothing => ("nothing", &[][..]),
        Recovery::Finished { left } => ("finished", &left[..]),
        Recovery::RolledBack { left } => ("rolled_back", &left[..]),
        Recovery::SetAside { .. } => ("set_aside", &[][..]),
    };
    let left: Vec<&str> = left.iter().map(|file| file.path.as_str()).collect();
    let kept = settled
        .iter()
        .filter(|settled| **settled == Settled::Kept)
        .count();
    let saves = recovered.saves.iter().map(|save| save.to_string_lossy());
    let saves: Vec<_> = saves.collect();
    let sentences = self::recovered(recovered);
    json::line(&serde_json::json!({
        "version": 1, "recovered": word, "left": left, "entries_made": kept, "saves": saves,
        "sentences": sentences,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_ago_is_said_in_one_unit() {
        let check = |seconds: u64, words: &str| assert_eq!(ago(seconds), words);
        check(0, "0 seconds ago");
        check(1, "1 second ago");
        check(59, "59 seconds ago");
        check(60, "1 minute ago");
        check(2 * 3600 + 1, "2 hours ago");
        check(6 * 86_400, "6 days ago");
        check(365 * 86_400, "52 weeks ago");
    }
}
