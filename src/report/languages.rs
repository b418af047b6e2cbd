//! What `languages` says: which files are read by name, for people and for programs.

use serde::Serialize;

use super::{ReportStyle, colour, json};
use crate::actions::languages::KnownLanguage;
use crate::syntax::SegmentKind;

/// Returns what a person reads: a line of files and a line of kinds for each language.
pub(crate) fn text(known: &[KnownLanguage], style: &ReportStyle) -> Vec<u8> {
    let mut text = String::new();
    for language in known {
        let name = colour::paint(style.stdout_colour, colour::STRONG, language.name);
        text.push_str(&format!("{name}\n  {}\n", language.files.join(" ")));
        text.push_str(&format!("  {}\n", kinds(&language.kinds).join(", ")));
        if language.approximate {
            text.push_str("  an error of syntax is a warning, unless brackets no longer pair\n");
        }
    }
    text.into_bytes()
}

/// Returns the same for programs.
pub(crate) fn as_json(known: &[KnownLanguage]) -> Vec<u8> {
    #[derive(Serialize)]
    struct LanguageReport<'l> {
        name: &'l str,
        files: &'l [String],
        kinds: Vec<&'static str>,
        approximate: bool,
    }

    let all: Vec<LanguageReport<'_>> = known
        .iter()
        .map(|language| LanguageReport {
            name: language.name,
            files: &language.files,
            kinds: kinds(&language.kinds),
            approximate: language.approximate,
        })
        .collect();
    json::line(&all)
}

fn kinds(kinds: &[SegmentKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.as_str()).collect()
}
