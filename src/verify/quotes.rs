//! Quotes of YAML: a text in quotes that becomes a number, a truth or nothing, or that a comment cuts off, for want of them, is worth a warning.
//!
//! So is one that is put into a list of such texts.
//!
//! A `{{ … }}` without them is refused in files of Ansible, which are YAML with their tags as they are, all of which are in quotes: it would
//! be none.
//!
//! Example: with `3.10` in the place of `"3.9"` the version would be 3.1; `off` in the place of `'on'` is no text.
//!
//! Deliberately not here: the same word without its quotes, which is what was asked for.

use super::edited_file::showing;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, KeySegment, Tree, ValueForm};
use crate::syntax::yaml::{self, YAML};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns a warning for each text in quotes in whose place, or to which in a list, the edit gives another value that is none, and for each
/// value that the edit brings and that is a comment as a whole.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    let is_yaml = |document: &Document| document.language.is_some_and(|it| std::ptr::eq(it, &YAML));
    let Some(splices) = edit
        .splices
        .as_ref()
        .filter(|_| is_yaml(old) && is_yaml(new))
    else {
        return Vec::new();
    };
    if old.too_large() || new.too_large() {
        return Vec::new();
    }
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return Vec::new();
    };
    let quotes = QuotesCheck {
        edit,
        old,
        new,
        after,
        written: splices.with_new_spans().map(|(_, span)| span).collect(),
        taken: taken_texts(splices, before, &old.bytes),
    };
    let entries = || after.entries.iter().enumerate();
    let bare = entries().filter_map(|(at, entry)| quotes.bare_word(at, entry));
    let cut = entries().filter_map(|(at, entry)| quotes.cut_off(at, entry));
    bare.chain(cut).collect()
}

/// A text in quotes that the edit takes out.
struct TakenText<'a> {
    /// The steps to it, the last one first.
    way: Vec<&'a KeySegment>,
    /// With its quotes.
    span: Span,
    /// Without them.
    text: &'a [u8],
}

/// Returns the texts in quotes that `splices` take out, wholly or in part.
fn taken_texts<'a>(splices: &Splices, before: &'a Tree, source: &'a [u8]) -> Vec<TakenText<'a>> {
    let texts = before.entries.iter().enumerate().filter_map(|(at, entry)| {
        let text = unquoted(entry.value.of(source)).filter(|_| entry.form == ValueForm::Plain)?;
        let is_taken = splices
            .iter()
            .any(|splice| splice.span.overlaps(entry.value));
        is_taken.then(|| TakenText {
            way: way(before, at),
            span: entry.value,
            text,
        })
    });
    texts.collect()
}

/// What the quotes of one edited file are judged by.
struct QuotesCheck<'a> {
    edit: &'a FileEdit,
    old: &'a Document,
    new: &'a Document,
    after: &'a Tree,
    /// What the edit wrote, in order.
    written: Vec<Span>,
    taken: Vec<TakenText<'a>>,
}

impl QuotesCheck<'_> {
    /// Returns a warning for a word that is no text where texts in quotes were, or are beside it.
    fn bare_word(&self, at: usize, entry: &KeyEntry) -> Option<Diagnostic> {
        let word = entry.value.of(&self.new.bytes);
        let is_bare = is_plain(entry) && is_no_text(word) && self.is_written(entry);
        if !is_bare {
            return None;
        }
        let what = match self.taken_at(at) {
            Some(taken) if taken.text == word => return None,
            Some(taken) => format!(
                "took the place of a text in quotes, {}",
                shown_bytes(taken.span.of(&self.old.bytes))
            ),
            None if self.is_among_quoted(entry) => "comes to texts in quotes".to_owned(),
            None => return None,
        };
        let line = self.new.lines().line(entry.value.start);
        let message = format!(
            "`{}`, at line {line} of {}, {what}, and is none without them",
            shown_bytes(word),
            self.edit.path,
        );
        Some(self.warning(message, entry.value.start))
    }

    /// Returns a warning for a value that a comment cuts off: what took the place of a text in quotes, or a value of which nothing is left.
    fn cut_off(&self, at: usize, entry: &KeyEntry) -> Option<Diagnostic> {
        let value = entry.value.of(&self.new.bytes);
        let end = entry.value.end;
        let is_near = self
            .written
            .iter()
            .any(|span| span.start <= end && end <= span.end && !span.is_empty());
        let comment = comment_after(end, &self.new.bytes)?;
        if !is_plain(entry) || !is_near || unquoted(value).is_some() {
            return None;
        }
        let what = match self.taken_at(at) {
            Some(taken) => {
                let had_comment = comment_after(taken.span.end, &self.old.bytes).is_some();
                if had_comment || taken.text == value {
                    return None;
                }
                format!(
                    "and no part of what took the place of the text in quotes, {}",
                    shown_bytes(taken.span.of(&self.old.bytes))
                )
            }
            // A comment has a blank after its sign; `#fff` and `#123` have none.
            None if value.is_empty() && comment.get(1).is_some_and(u8::is_ascii_alphanumeric) => {
                "so that there is no value".to_owned()
            }
            None => return None,
        };
        let line = self.new.lines().line(end);
        let message = format!(
            "what follows `#`, at line {line} of {}, is a comment, {what}",
            self.edit.path
        );
        Some(self.warning(message, end))
    }

    fn taken_at(&self, at: usize) -> Option<&TakenText<'_>> {
        let own = way(self.after, at);
        self.taken.iter().find(|taken| taken.way == own)
    }

    fn is_written(&self, entry: &KeyEntry) -> bool {
        let from = self
            .written
            .partition_point(|span| span.end <= entry.value.start);
        let span = self.written.get(from);
        span.is_some_and(|span| span.start < entry.value.end)
    }

    /// Says whether an item was put into a list all of whose others are texts in quotes.
    fn is_among_quoted(&self, entry: &KeyEntry) -> bool {
        let holder = entry.parent.and_then(|parent| self.after.get(parent));
        let items = holder.map_or(&[][..], |holder| &holder.children);
        let mut others = items
            .iter()
            .filter_map(|&item| self.after.get(item))
            .filter(|item| !self.is_written(item))
            .peekable();
        matches!(entry.step, KeySegment::Item(_))
            && others.peek().is_some()
            && others.all(|item| unquoted(item.value.of(&self.new.bytes)).is_some())
    }

    fn warning(&self, message: String, at: usize) -> Diagnostic {
        let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
            .note("put it in quotes if a text is meant");
        match self.edit.operation_at(at) {
            Some(operation) => diagnostic.of_operation(operation),
            None => diagnostic,
        }
    }
}

/// Says whether a value is a word as it stands, or none.
fn is_plain(entry: &KeyEntry) -> bool {
    entry.tag.is_none() && matches!(entry.form, ValueForm::Plain | ValueForm::Nothing)
}

/// Returns the comment, from its `#`, that is all that follows `at` on its line.
fn comment_after(at: usize, bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.get(at..).unwrap_or_default();
    let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))?;
    Some(line.trim_ascii_start()).filter(|line| line.starts_with(b"#"))
}

fn shown_bytes(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(bytes)).to_string()
}

/// Folders that hold the variables and tasks of Ansible.
const OF_ANSIBLE: [&str; 7] = [
    "group_vars",
    "host_vars",
    "vars",
    "defaults",
    "tasks",
    "handlers",
    "playbooks",
];

/// Returns a refusal where a file of Ansible, whose tags are all in texts, gets one outside of them, and is no YAML afterwards: its tags are
/// filled once it is read. A chart of Helm is read once its tags are filled.
pub(super) fn unquoted_tag(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let at = bare_tag(edit.splices.as_ref()?, old, new)?;
    let (line, path) = (new.lines().line(at), &edit.path);
    let message = format!(
        "{path}:{line}: a `{{{{ … }}}}` outside of quotes, where the file is YAML with its tags in quotes, and would be none"
    );
    let diagnostic = Diagnostic::new(Code::SyntaxError, message)
        .note("put the whole value in quotes: `\"{{ … }}\"`");
    Some(showing(edit, diagnostic, (&new.bytes, at), at))
}

/// Returns where a tag begins that `splices` bring, and for which the file is no YAML any more.
fn bare_tag(splices: &Splices, old: &Document, new: &Document) -> Option<usize> {
    let is_yaml = |document: &Document| document.language.is_some_and(|it| std::ptr::eq(it, &YAML));
    let is_asked = is_yaml(old) && is_yaml(new) && yaml::is_template(&old.bytes);
    if !is_asked || old.too_large() || new.too_large() {
        return None;
    }
    let reads = |document: &Document| match document.keys() {
        Some(Ok(tree)) => !yaml::has_braced_key(tree, &document.bytes),
        _ => false,
    };
    if !reads(old) || reads(new) || !is_of_ansible(old) {
        return None;
    }
    let mut written = splices.with_new_spans();
    written.find_map(|(_, span)| Some(span.start + yaml::first_bare_tag(span.of(&new.bytes))?))
}

/// Says whether it is in a folder of Ansible's, or a list, which playbooks and tasks are.
fn is_of_ansible(document: &Document) -> bool {
    let mut folders = document.path.as_str().split('/');
    let Some(Ok(tree)) = document.keys() else {
        return false;
    };
    let is_top = |entry: &&KeyEntry| entry.parent.is_some_and(|at| tree.roots.contains(&at));
    let mut tops = tree.entries.iter().filter(is_top);
    folders.any(|folder| OF_ANSIBLE.contains(&folder))
        || tops.all(|entry| matches!(entry.step, KeySegment::Item(_)))
}

/// Returns the steps to an entry, the last one first.
fn way(tree: &Tree, at: usize) -> Vec<&KeySegment> {
    let above = std::iter::successors(tree.entries.get(at), |entry| {
        tree.entries.get(entry.parent?)
    });
    above.map(|entry| &entry.step).collect()
}

/// Returns what is between quotes.
fn unquoted(value: &[u8]) -> Option<&[u8]> {
    let sign = value.first().filter(|sign| matches!(sign, b'"' | b'\''))?;
    value.get(1..)?.strip_suffix(&[*sign])
}

/// Says whether a plain word is a number, a truth, a time or nothing to one of the readers that there are.
fn is_no_text(word: &[u8]) -> bool {
    const WORDS: [&str; 7] = ["true", "false", "yes", "no", "on", "off", "null"];
    let Ok(word) = std::str::from_utf8(word) else {
        return false;
    };
    if word == "~" {
        return true;
    }
    let is_written_so = |known: &str| {
        let (first, rest) = known.split_at(1);
        let title = [&first.to_ascii_uppercase(), rest].concat();
        word == known || word == known.to_ascii_uppercase() || word == title
    };
    let digits = word.trim_start_matches(['+', '-']);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.contains(|c: char| c.is_ascii_digit())
        && (digits.replace('_', "").parse::<f64>().is_ok()
            || digits
                .strip_prefix("0x")
                .is_some_and(|hex| hex.chars().all(|c| c.is_ascii_hexdigit()))
            || digits
                .strip_prefix("0o")
                .is_some_and(|octal| octal.chars().all(|c| c.is_digit(8))));
    let has_parts = |sign: char, least: usize| {
        let parts: Vec<&str> = digits.split(sign).collect();
        let is_short = |part: &&str| part.len() <= 4 && !part.is_empty();
        parts.len() >= least
            && parts.iter().all(is_short)
            && parts
                .iter()
                .all(|part| part.chars().all(|c| c.is_ascii_digit()))
    };
    word == "~"
        || is_number
        || has_parts(':', 2)
        || has_parts('-', 3)
        || WORDS.into_iter().any(is_written_so)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;
    use crate::text::splice::Splice;

    #[test]
    fn words_that_are_no_text() {
        for word in [
            "3.10",
            "12",
            "-1e3",
            "0x1F",
            "0o17",
            "off",
            "No",
            "TRUE",
            "~",
            "null",
            "22:30",
            "2020-01-01",
            "1_000",
            ".5",
        ] {
            assert!(is_no_text(word.as_bytes()), "{word}");
        }
        for word in [
            "3.10.1", "v1", "offline", "a:b", "1-2", "", ".", "y", "inf", "nan", "0xg", "1.x",
            "tRUE",
        ] {
            assert!(!is_no_text(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn a_tag_of_ansible_is_in_quotes() {
        let is_refused = |path: &str, text: &str, old: &str, new: &str| {
            let path = RepoPath::parse(path).expect("a path");
            let at = text.find(old).expect("the text");
            let span = Span::new(at, at + old.len());
            let splices = Splices::new(vec![Splice::new(span, new)]).expect("one splice");
            let after = text.replacen(old, new, 1);
            let document = |text: &str| {
                Document::new(
                    path.clone(),
                    text.as_bytes().to_vec().into(),
                    HashKind::Sha1,
                )
            };
            bare_tag(&splices, &document(text), &document(&after)).is_some()
        };
        let play = "- hosts: a\n  vars:\n    b: \"{{ c }}\"\n";
        assert!(is_refused("a.yml", play, "\"{{ c }}\"", "{{ c }}"));
        assert!(is_refused("a.yml", play, "\"{{ c }}\"", "{{ c }}/d"));
        assert!(is_refused(
            "vars/a.yml",
            "b: '{{ c }}'\n",
            "'{{ c }}'",
            "{{ d }}"
        ));
        assert!(!is_refused("a.yml", play, "\"{{ c }}\"", "\"{{ d }}\""));
        assert!(!is_refused("a.yml", play, "b: \"{{ c }}\"", "b: a {{ c }}"));
        assert!(!is_refused(
            "a.yml",
            "b: \"{{ .c }}\"\n",
            "\"{{ .c }}\"",
            "{{ .d }}"
        ));
        assert!(!is_refused(
            "vars/a.yml",
            "b: {{ c }}\n",
            "{{ c }}",
            "{{ d }}"
        ));
    }

    #[test]
    fn quotes_come_in_pairs() {
        assert_eq!(unquoted(b"\"3.9\""), Some(&b"3.9"[..]));
        assert_eq!(unquoted(b"'a'"), Some(&b"a"[..]));
        assert_eq!(unquoted(b"a"), None);
        assert_eq!(unquoted(b"\""), None);
    }
}
