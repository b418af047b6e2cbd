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
        if let Some(feature) = language.left_out {
            text.push_str(&format!(
                "  left out of this build; one with `--features {feature}` reads it\n"
            ));
            continue;
        }
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
        left_out: Option<&'static str>,
    }

    let all: Vec<LanguageReport<'_>> = known
        .iter()
        .map(|language| LanguageReport {
            name: language.name,
            files: &language.files,
            kinds: kinds(&language.kinds),
            approximate: language.approximate,
            left_out: language.left_out,
        })
        .collect();
    json::line(&all)
}

fn kinds(kinds: &[SegmentKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_is_left_out_is_listed_with_what_puts_it_in() {
        let known = [KnownLanguage {
            name: "Kotlin",
            files: vec!["*.kt".to_owned()],
            kinds: Vec::new(),
            approximate: true,
            left_out: Some("kotlin"),
        }];
        assert_eq!(
            String::from_utf8(text(&known, &ReportStyle::PLAIN)).unwrap(),
            "Kotlin\n  *.kt\n  left out of this build; one with `--features kotlin` reads it\n"
        );
        assert_eq!(
            String::from_utf8(as_json(&known)).unwrap(),
            "[\n  {\n    \"name\": \"Kotlin\",\n    \"files\": [\n      \"*.kt\"\n    ],\n    \"kinds\": [],\n    \"approximate\": true,\n    \"left_out\": \"kotlin\"\n  }\n]\n"
        );
    }
}
