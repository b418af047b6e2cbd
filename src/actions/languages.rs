//! The languages that files are read in: what they are called, which files are in them, and what can be named in these.

use crate::syntax::{LANGUAGES, Language, SegmentKind};

/// A language, as `git segedit languages` tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLanguage {
    /// As messages call it.
    pub name: &'static str,
    /// The names of its files: `*.py`, `Rakefile`.
    pub files: Vec<String>,
    /// What kinds of segments it has.
    pub kinds: Vec<SegmentKind>,
    /// An error of syntax is a warning where brackets pair: what reads the language finds errors in correct files, too.
    pub approximate: bool,
    /// The feature that a build needs to read it, where this one leaves it out. Its kinds are then not known.
    pub left_out: Option<&'static str>,
}

/// Returns every language, in the order in which a file is looked for in them; what several readers share is one.
pub fn known() -> Vec<KnownLanguage> {
    let mut found: Vec<KnownLanguage> = Vec::new();
    for language in LANGUAGES {
        match found.iter_mut().find(|it| it.name == language.name) {
            Some(known) => known.files.extend(files(language)),
            None => found.push(KnownLanguage {
                name: language.name,
                files: files(language),
                kinds: language.grammar.kinds(),
                approximate: language.grammar.is_approximate(),
                left_out: language.grammar.left_out(),
            }),
        }
    }
    found
}

fn files(language: &Language) -> Vec<String> {
    let endings = language.extensions.iter().map(|it| format!("*.{it}"));
    let names = language.file_names.iter().map(|it| (*it).to_owned());
    endings.chain(names).collect()
}
