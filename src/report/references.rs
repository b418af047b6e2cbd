//! Every place of a name, for people and for programs.

use serde::Serialize;

use super::colour;
use super::{Rendered, ReportStyle};
use crate::diagnostic::shown;
use crate::references::{Reference, References, Verdict};

/// What became of the places of a name that was renamed.
#[derive(Serialize)]
pub(super) struct RenamedEntry<'a> {
    changed: usize,
    other: usize,
    unsure: Vec<PlaceEntry<'a>>,
    mentions: Vec<PlaceEntry<'a>>,
}

/// One place.
#[derive(Serialize)]
pub(super) struct PlaceEntry<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    address: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    reason: Option<&'a str>,
}

/// All places.
#[derive(Serialize)]
pub(super) struct ReferencesEntry<'a> {
    address: &'a str,
    name: &'a str,
    certain: usize,
    other: usize,
    unsure: usize,
    mentions: usize,
    doubts: Vec<PlaceEntry<'a>>,
    places: Vec<PlaceEntry<'a>>,
}

impl<'a> PlaceEntry<'a> {
    fn of(place: &'a Reference) -> PlaceEntry<'a> {
        PlaceEntry {
            path: place.path.as_str(),
            line: place.line,
            column: place.column,
            address: &place.address,
            verdict: None,
            reason: place.reason.as_deref(),
        }
    }

    fn judged(place: &'a Reference) -> PlaceEntry<'a> {
        PlaceEntry {
            verdict: Some(place.verdict.as_str()),
            ..PlaceEntry::of(place)
        }
    }
}

impl<'a> RenamedEntry<'a> {
    pub(super) fn of(references: &'a References) -> RenamedEntry<'a> {
        let places = references.places.iter();
        RenamedEntry {
            changed: places.filter(|place| place.is_changed).count(),
            other: references.with(Verdict::Other).count(),
            unsure: references.unsure().map(PlaceEntry::of).collect(),
            mentions: references
                .with(Verdict::Mention)
                .map(PlaceEntry::of)
                .collect(),
        }
    }
}

impl<'a> ReferencesEntry<'a> {
    /// Returns all places, counted.
    pub(super) fn of(references: &'a References) -> ReferencesEntry<'a> {
        let count = |verdict| references.with(verdict).count();
        ReferencesEntry {
            address: &references.address,
            name: &references.word,
            certain: count(Verdict::Certain),
            other: count(Verdict::Other),
            unsure: count(Verdict::Unsure),
            mentions: count(Verdict::Mention),
            doubts: references.doubts.iter().map(PlaceEntry::of).collect(),
            places: references.places.iter().map(PlaceEntry::judged).collect(),
        }
    }
}

/// Returns a line for each place, as compilers word places: `path:line:column: verdict address`.
pub(crate) fn list(references: &References, style: &ReportStyle) -> Rendered {
    let mut text = String::new();
    for place in references.doubts.iter().chain(&references.places) {
        text.push_str(&line_of(place, style));
    }
    Rendered {
        stdout: text.into_bytes(),
        stderr: String::new(),
    }
}

fn line_of(place: &Reference, style: &ReportStyle) -> String {
    let dress = match place.verdict {
        Verdict::Certain => colour::GOOD,
        Verdict::Other | Verdict::Mention => colour::FAINT,
        Verdict::Unsure => colour::ODD,
    };
    let verdict = colour::paint(style.stdout_colour, dress, place.verdict.as_str());
    let reason = place
        .reason
        .as_ref()
        .map_or(String::new(), |reason| format!(": {}", shown(reason)));
    format!(
        "{}:{}:{}: {verdict} {}{reason}\n",
        shown(place.path.as_str()),
        place.line,
        place.column,
        shown(&place.address)
    )
}

/// Returns a line for each place that a renaming left as it was though it may mean the name, at most so many of each sort: those that
/// are not certain, with the reason, and mentions.
pub(crate) fn left_lines(references: &References, most: usize) -> String {
    let is_left = |place: &&Reference| !place.is_changed;
    let mut text = String::new();
    for (verdict, what) in [
        (Verdict::Unsure, "left, not certain: "),
        (Verdict::Mention, "left, a mention: "),
    ] {
        let places: Vec<&Reference> = references.with(verdict).filter(is_left).collect();
        for place in places.iter().take(most) {
            let reason = place
                .reason
                .as_ref()
                .map_or(String::new(), |reason| format!(": {}", shown(reason)));
            text.push_str(&format!(
                "{what}{}, line {}{reason}\n",
                shown(&place.address),
                place.line
            ));
        }
        if places.len() > most {
            text.push_str(&format!("{what}{} more\n", places.len() - most));
        }
    }
    text
}

/// Most places of each sort that are listed once a name is renamed; a dry run lists all.
const MOST_LISTED: usize = 10;

/// Returns what is to be said of the places of a name that is renamed: those that are not certain, and mentions; all where nothing
/// is published yet.
pub(super) fn lines_of(references: &References, is_dry: bool, style: &ReportStyle) -> String {
    let mut text = String::new();
    let unsure: Vec<&Reference> = references.unsure().collect();
    let mentions: Vec<&Reference> = references.with(Verdict::Mention).collect();
    for (word, places) in [("unsure", unsure), ("mention", mentions)] {
        let most = if is_dry { usize::MAX } else { MOST_LISTED };
        for place in places.iter().take(most) {
            let line = line_of(place, style);
            text.push_str(&format!("{:>8}  {line}", ""));
        }
        if places.len() > most {
            text.push_str(&format!("{word:>8}  {} more\n", places.len() - most));
        }
    }
    text
}
