//! One field's value: the right type or a complaint that says how to write it.
//!
//! Every function returns `None` after complaining, and for a node that was already complained about.

use super::tree::{Complaints, ManifestNode, ManifestValue, NodeStyle};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::manifest::lexical::ordinal;
use crate::manifest::words::FixedWord;

/// Words longer than this are not compared with the known ones.
const LONGEST_TYPO: usize = 64;

impl Complaints {
    /// Complains about `field`'s value.
    pub(crate) fn refuse(&mut self, code: Code, node: &ManifestNode, message: String) {
        self.add(Diagnostic::new(code, message).at(Some(&node.place)));
    }

    /// Returns the value as text: a plain word is taken as it is written.
    pub(crate) fn text<'tree>(
        &mut self,
        field: &str,
        node: &'tree ManifestNode,
    ) -> Option<&'tree str> {
        match &node.value {
            ManifestValue::Word { text, .. } => return Some(text),
            ManifestValue::Refused => {}
            ManifestValue::Nothing => {
                let written = if node.place.start < node.place.end {
                    "quote it to mean the word"
                } else {
                    "nothing is here"
                };
                let complaint = Diagnostic::new(Code::Malformed, format!("`{field}` must be text, not nothing"))
                    .at(Some(&node.place))
                    .note(format!("{written}; `{field}: \"\"` is the empty text, and a `#` behind a space begins a comment unless quoted"));
                self.add(complaint);
            }
            ManifestValue::List(_) | ManifestValue::Map(_) => self.wrong_type(field, "text", node),
        }
        None
    }

    /// Returns the value as text that `rule` accepts; its reason is the end of a sentence about the value.
    pub(crate) fn checked<T>(
        &mut self,
        field: &str,
        node: &ManifestNode,
        rule: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.checked_as(Code::Malformed, field, node, rule)
    }

    /// The same with another code.
    pub(crate) fn checked_as<T>(
        &mut self,
        code: Code,
        field: &str,
        node: &ManifestNode,
        rule: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(field, node)?;
        rule(text)
            .map_err(|why| self.refuse(code, node, format!("{field} `{}` {why}", shown(text))))
            .ok()
    }

    /// Returns the value as one of a list of words.
    pub(crate) fn word<T: FixedWord>(&mut self, field: &str, node: &ManifestNode) -> Option<T> {
        self.one_of(field, node, &T::words(), T::from_word)
    }

    /// Returns what `parse` makes of the value, which should be one of `words`.
    pub(crate) fn one_of<T>(
        &mut self,
        field: &str,
        node: &ManifestNode,
        words: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(field, node)?;
        if let Some(value) = parse(text) {
            return Some(value);
        }
        let complaint = Diagnostic::new(
            Code::Malformed,
            format!("`{}` is not a value of `{field}`", shown(text)),
        )
        .at(Some(&node.place))
        .suggest(similar(text, words))
        .note(format!("{field} is one of: {}", words.join(", ")));
        self.add(complaint);
        None
    }

    /// Returns the value as `true` or `false`; `yes`, `on` and quoted words are not.
    pub(crate) fn boolean(&mut self, field: &str, node: &ManifestNode) -> Option<bool> {
        match plain(node) {
            Some("true" | "True" | "TRUE") => Some(true),
            Some("false" | "False" | "FALSE") => Some(false),
            _ => {
                self.wrong_type(field, "`true` or `false`", node);
                None
            }
        }
    }

    /// Returns the value as a number from 1.
    pub(crate) fn number(&mut self, field: &str, node: &ManifestNode) -> Option<usize> {
        let number = plain(node).and_then(ordinal);
        if number.is_none() {
            self.wrong_type(field, "a whole number from 1", node);
        }
        number
    }

    /// Returns the value as a list that holds something.
    pub(crate) fn list<'tree>(
        &mut self,
        field: &str,
        node: &'tree ManifestNode,
    ) -> Option<&'tree [ManifestNode]> {
        match &node.value {
            ManifestValue::List(items) if !items.is_empty() => return Some(items),
            ManifestValue::List(_) => {
                self.refuse(Code::Malformed, node, format!("`{field}` is an empty list"))
            }
            ManifestValue::Refused => {}
            ManifestValue::Word { .. } | ManifestValue::Nothing | ManifestValue::Map(_) => {
                self.wrong_type(field, "a list", node)
            }
        }
        None
    }

    /// Complains that the value is of another type than `wanted`.
    pub(crate) fn wrong_type(&mut self, field: &str, wanted: &str, node: &ManifestNode) {
        let found = match &node.value {
            ManifestValue::Refused => return,
            ManifestValue::Word {
                text,
                style: NodeStyle::Plain,
            } => format!("`{}`", shown(text)),
            ManifestValue::Word { text, .. } => format!("the text `{}`", shown(text)),
            other @ (ManifestValue::Nothing | ManifestValue::List(_) | ManifestValue::Map(_)) => {
                other.sort().to_owned()
            }
        };
        let mut complaint = Diagnostic::new(
            Code::Malformed,
            format!("`{field}` must be {wanted}, not {found}"),
        );
        if matches!(
            node.value,
            ManifestValue::Word {
                style: NodeStyle::Quoted,
                ..
            }
        ) && wanted != "a list"
            && wanted != "a mapping"
        {
            complaint = complaint.note("write it without quotes");
        }
        self.add(complaint.at(Some(&node.place)));
    }
}

/// Returns the text of a plain word, `None` for anything else.
pub(crate) fn plain(node: &ManifestNode) -> Option<&str> {
    match &node.value {
        ManifestValue::Word {
            text,
            style: NodeStyle::Plain,
        } => Some(text),
        ManifestValue::Word { .. }
        | ManifestValue::Nothing
        | ManifestValue::List(_)
        | ManifestValue::Map(_)
        | ManifestValue::Refused => None,
    }
}

/// Returns the words that a misspelt one may have meant, nearest first.
pub(crate) fn similar(word: &str, known: &[&str]) -> Vec<String> {
    if word.len() > LONGEST_TYPO {
        return Vec::new();
    }
    let meant = SYNONYMS
        .iter()
        .find(|(other, ours)| other.eq_ignore_ascii_case(word) && known.contains(ours));
    let mut found = nearest(word, known.iter().copied(), 2);
    if let Some((_, ours)) = meant {
        found.retain(|name| name != ours);
        found.insert(0, ours);
    }
    found.into_iter().map(str::to_owned).collect()
}

/// Words that other tools use for ours.
const SYNONYMS: [(&str, &str); 38] = [
    ("path", "file"),
    ("filename", "file"),
    ("file_path", "file"),
    ("paths", "files"),
    ("globs", "files"),
    ("name", "symbol"),
    ("function", "symbol"),
    ("class", "symbol"),
    ("method", "symbol"),
    ("heading", "section"),
    ("line", "lines"),
    ("range", "lines"),
    ("find", "text"),
    ("search", "text"),
    ("old", "text"),
    ("old_text", "text"),
    ("regex", "pattern"),
    ("new", "content"),
    ("new_text", "content"),
    ("code", "content"),
    ("code", "code[1]"),
    ("table", "table[1]"),
    ("list", "list[1]"),
    ("hash", "expect"),
    ("action", "op"),
    ("verb", "op"),
    ("type", "op"),
    ("ops", "operations"),
    ("edits", "operations"),
    ("changes", "operations"),
    ("update", "replace"),
    ("edit", "replace"),
    ("change", "replace"),
    ("add", "insert"),
    ("append", "insert"),
    ("write", "create"),
    ("dry_run", "mode"),
    ("revision", "base"),
];
