//! Link definitions of Markdown: `[name]: address` and `[^1]: note` stand anywhere, often at the end of the last section, for
//! links everywhere in the file.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::MARKDOWN;

/// A line that defines a link or a footnote (CommonMark 4.7).
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^ {0,3}\[([^\[\]\n]+)\]:[ \t]*\S").expect("the pattern is a constant that a test compiles")
});

/// A name in brackets.
static BRACKETS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[([^\[\]\n]+)\]").expect("the pattern is a constant that a test compiles"));

/// A link definition that goes while the file still uses its name.
#[derive(Clone, Debug)]
pub struct Link {
    path: RepoPath,
    name: String,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// Returns the definitions of `old` that `new` uses and has no more: taken away, or something else now.
pub fn gone(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Link> {
    let is_markdown = old.language.is_some_and(|language| language.name == MARKDOWN.name);
    let Some(splices) = edit.splices.as_ref().filter(|_| is_markdown) else { return Vec::new() };
    if memchr::memmem::find(&old.bytes, b"]:").is_none() {
        return Vec::new();
    }
    let defined: HashSet<Vec<u8>> = definitions(&new.bytes).map(|(name, _)| name).collect();
    let mut lost = definitions(&old.bytes).filter(|(name, _)| !defined.contains(name)).peekable();
    if lost.peek().is_none() {
        return Vec::new();
    }
    let used: HashSet<Vec<u8>> = uses(&new.bytes).collect();
    let mut gone: HashMap<Vec<u8>, Link> = HashMap::new();
    for (name, at) in lost.filter(|(name, _)| used.contains(name)) {
        let nearest = splices
            .iter()
            .min_by_key(|splice| at.saturating_sub(splice.span.end) + splice.span.start.saturating_sub(at));
        let Some(operation) = nearest.and_then(|splice| edit.claimant(splice.span)) else { continue };
        let text = String::from_utf8_lossy(&name).into_owned();
        let line = old.lines().line(at);
        gone.entry(name).or_insert(Link { path: edit.path.clone(), name: text, line, operation });
    }
    let mut gone: Vec<Link> = gone.into_values().collect();
    gone.sort_by_key(|link| link.line);
    gone
}

/// Returns the names of the definitions in a file, and where each is. None goes on in a paragraph, or is code.
fn definitions(text: &[u8]) -> impl Iterator<Item = (Vec<u8>, usize)> + '_ {
    let mut fence: Option<u8> = None;
    let mut in_paragraph = false;
    let mut at = 0;
    text.split_inclusive(|&byte| byte == b'\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let words = line.trim_ascii();
        let mark = [b'`', b'~'].into_iter().find(|mark| words.starts_with(&[*mark; 3]));
        if mark.is_some() && (fence.is_none() || fence == mark) {
            fence = if fence.is_some() { None } else { mark };
            in_paragraph = false;
            return None;
        }
        let found = DEFINITION.is_match(line) && fence.is_none() && !in_paragraph;
        in_paragraph = fence.is_none() && !found && !words.is_empty() && !words.starts_with(b"#");
        let name = found.then(|| names(&DEFINITION, line).next()).flatten()?;
        Some((name.0, start + name.1))
    })
}

/// Returns the names that `pattern` finds, in lower case with single blanks as links compare them, and where each is.
fn names<'t>(pattern: &'static Regex, text: &'t [u8]) -> impl Iterator<Item = (Vec<u8>, usize)> + 't {
    pattern.captures_iter(text).filter_map(|found| {
        let name = found.get(1)?;
        let words = name.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        Some((words.collect::<Vec<_>>().join(&b' ').to_ascii_lowercase(), name.start()))
    })
}

/// Returns the names in brackets that no `:` follows.
fn uses(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let is_use = |(name, at): (Vec<u8>, usize)| {
        let end = memchr::memchr(b']', &text[at..]).map_or(text.len(), |length| at + length + 1);
        (text.get(end) != Some(&b':')).then_some(name)
    };
    names(&BRACKETS, text).filter_map(is_use)
}

impl Link {
    /// Returns the refusal, unless the operation quotes the definition or allows that it goes.
    pub fn refusal(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        let bracketed = format!("[{}]", self.name);
        let is_quoted = operation.scoped().is_some_and(|scoped| match &scoped.selector {
            Selector::Text(text) => text.to_ascii_lowercase().contains(&bracketed),
            _ => false,
        });
        let is_allowed = match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => {
                names.iter().any(|name| name.to_ascii_lowercase().trim_matches(['[', ']']) == self.name)
            }
        };
        if is_quoted || is_allowed {
            return None;
        }
        let message = format!(
            "{} would lose the link definition `{}` of line {}, which the rest of the file uses",
            self.path,
            shown(&bracketed),
            self.line
        );
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation).note(format!(
            "keep the line in the content, or allow it: `allow_remove: ['{}']` (`--allow-remove`)",
            self.name.replace('\'', "''")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_none_in_a_paragraph_or_in_code() {
        let text = b"text\n[a]: b\n\n[c]: d\n[e]: f\n```\n\n[g]: h\n```\n[i]: j\n# Heading\n[k]: l\n";
        let names: Vec<Vec<u8>> = definitions(text).map(|(name, _)| name).collect();
        assert_eq!(names, [&b"c"[..], b"e", b"i", b"k"]);
    }

    #[test]
    fn definitions_and_uses_are_told_apart() {
        let text = b"See [the Docs][d], [x], [Two  Words] and [^1].\n\n[d]: http://d\n[x]: http://x\n  [two words]: y\n[^1]: note\n[ ] task\n";
        let listed =
            |names: Vec<Vec<u8>>| names.iter().map(|it| String::from_utf8_lossy(it).into_owned()).collect::<Vec<_>>();
        let defined = definitions(text).map(|(name, _)| name).collect();
        assert_eq!(listed(defined), ["d", "x", "two words", "^1"]);
        assert_eq!(listed(uses(text).collect()), ["the docs", "d", "x", "two words", "^1", ""]);
    }
}
