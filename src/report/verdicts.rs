//! The lines of a verdict: what a validator or formatter came to, for people.

use std::time::Duration;

use super::colour;
use crate::actions::outcome::{Finding, ToolVerdict, VerdictStatus};
use crate::config::Severity;
use crate::diagnostic::shown;

/// Most findings of one tool that are listed, and most of those that the base had; all of them are in the other formats.
const MOST_FINDINGS: usize = 50;

const MOST_OLD: usize = 5;

/// Returns what one tool said: a line, and one for each finding. One that had nothing to do is passed over; what the base
/// had as well is listed only beside something new.
pub(crate) fn verdict_lines(verdict: &ToolVerdict, role: &str, in_colour: bool) -> String {
    let (word, dress) = match verdict.status {
        VerdictStatus::Passed => ("passed", colour::GOOD),
        VerdictStatus::Skipped => return String::new(),
        VerdictStatus::Failed
        | VerdictStatus::Missing
        | VerdictStatus::Timeout
        | VerdictStatus::Crashed => (verdict.status.as_str(), colour::BAD),
    };
    let word = colour::paint(in_colour, dress, &format!("{word:>8}"));
    let (new, old): (Vec<&Finding>, Vec<&Finding>) =
        verdict.findings.iter().partition(|finding| finding.new);
    let mut counts = vec![duration(verdict.duration)];
    for (count, age) in [(new.len(), "new"), (old.len(), "old")] {
        if count > 0 {
            counts.push(format!(
                "{count} {age} {}",
                if count == 1 { "finding" } else { "findings" }
            ));
        }
    }
    let mut text = format!(
        "{word}  {} ({role}{})\n",
        shown(&verdict.name),
        counts.join(", ")
    );
    let beside = if new.is_empty() { 0 } else { MOST_OLD };
    for (findings, most) in [(new, MOST_FINDINGS), (old, beside)] {
        let lines = findings
            .iter()
            .take(most)
            .map(|finding| finding_line(finding, in_colour));
        text.extend(lines);
        if most > 0 && findings.len() > most {
            text.push_str(&format!("          … and {} more\n", findings.len() - most));
        }
    }
    text
}

fn finding_line(finding: &Finding, in_colour: bool) -> String {
    let mut place = finding.path.as_deref().map(shown).unwrap_or_default();
    for number in [finding.line, finding.column].into_iter().flatten() {
        place.push_str(&format!(":{number}"));
    }
    let weight = match finding.severity {
        Severity::Error => String::new(),
        Severity::Warning => "warning".to_owned(),
        Severity::Note => "note".to_owned(),
    };
    let message = shown(finding.message.lines().next().unwrap_or_default());
    let words = [
        place,
        weight,
        finding.rule.as_deref().map(shown).unwrap_or_default(),
        message,
    ];
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let line = format!("          {}", words.join("  "));
    if finding.new {
        return line + "\n";
    }
    colour::paint(in_colour, colour::FAINT, &format!("{line}  (old)")) + "\n"
}

fn duration(time: Duration) -> String {
    match time.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

/// Returns "line 7" or "lines 7-9".
pub(super) fn line_range(first: usize, last: usize) -> String {
    if first == last {
        format!("line {first}")
    } else {
        format!("lines {first}-{last}")
    }
}
