//! A key of a configuration file gets another name, and pointers to it follow: `$ref: "#/definitions/Pet"`, in this file and in others.
//!
//! A table of TOML is named wherever a header or a dotted key goes through it. What else may mean a key is for whoever reads the file:
//! values that say the same, expressions, pointers under other names are mentions.
//!
//! Invariant: the file says afterwards what it said, but for the name.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::toml_keys;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{KeySelector, Operation, RenameTerms, Scoped, Selector};
use crate::path::RepoPath;
use crate::plan::page_links::resolved;
use crate::plan::whole;
use crate::references::{Reference, References, RenameRefused, Renaming, places_of, renamed};
use crate::resolve::{Document, Found, Purpose, Reading, locate, refusal};
use crate::snapshot::{Project, Snapshot};
use crate::syntax::keys::{KeyEntry, KeyFormat, KeySegment, Tree, ValueForm};
use crate::text::ascii::{from_percent, to_percent};
use crate::text::splice::{Splice, Splices};
use crate::text::{Lines, Span, is_binary};

/// What each place becomes.
type NewWords = BTreeMap<(RepoPath, Span), String>;

/// Returns every place that changes when the key that `selector` names, in the file at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (selector, to, terms): (&KeySelector, &str, RenameTerms),
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let reading = Reading::of(&document);
    let key = NamedKey::of(&reading, selector)?;
    if to != key.name {
        key.check_ties()?;
        key.check_clash(to)?;
    }
    let mut words = NewWords::new();
    let places = key.places(&snapshot.project, to, &mut words);
    key.check_meaning(to, &words)?;
    let references = References {
        address: key.address(),
        word: key.name.to_owned(),
        places,
        doubts: Vec::new(),
    };
    renamed(references, path, terms, |path, span| {
        let word = words.get(&(path.clone(), span))?;
        Some(Rc::from(word.as_str()))
    })
}

/// Returns where a key is written and every pointer to it.
pub(crate) fn references(
    document: &Document,
    project: &Project,
    selector: &KeySelector,
) -> Result<References, Diagnostic> {
    let reading = Reading::of(document);
    let key = NamedKey::of(&reading, selector)?;
    let mut places = key.places(project, key.name, &mut NewWords::new());
    for place in &mut places {
        place.is_changed = false;
    }
    Ok(References {
        address: key.address(),
        word: key.name.to_owned(),
        places,
        doubts: Vec::new(),
    })
}

/// The key that is asked for.
struct NamedKey<'d> {
    document: &'d Document,
    format: KeyFormat,
    tree: &'d Tree,
    /// Its number in the tree.
    at: usize,
    name: &'d str,
    /// The way to it, itself last.
    way: Vec<&'d KeySegment>,
}

impl<'d> NamedKey<'d> {
    fn of(reading: &Reading<'d>, selector: &KeySelector) -> Result<NamedKey<'d>, Diagnostic> {
        let document = reading.document;
        let scoped = Scoped::from(Selector::Key(selector.clone()));
        let (target, _) = locate(reading, &scoped, None, Purpose::Edit)?;
        let format = document
            .language
            .and_then(|language| language.grammar.format());
        let (Found::Key(at), Some(format), Some(Ok(tree))) =
            (target.found, format, document.keys())
        else {
            let message = format!("{} has no keys of its own", document.path);
            return Err(Diagnostic::new(Code::UnsupportedLanguage, message));
        };
        let entry = tree.get(at);
        let Some(KeySegment::Key(name)) = entry.map(|entry| &entry.step) else {
            let message = format!(
                "{} is an item, which has no name",
                refusal::words(&Selector::Key(selector.clone()))
            );
            return Err(Diagnostic::new(Code::Unsupported, message).in_field("key"));
        };
        Ok(NamedKey {
            document,
            format,
            tree,
            at,
            name,
            way: tree.path(at),
        })
    }

    fn address(&self) -> String {
        format!("{}::{}", self.document.path, self.tree.address(self.at))
    }

    /// Refuses a name that another key beside it has: one of them would be lost.
    fn check_clash(&self, to: &str) -> Result<(), Diagnostic> {
        let parent = self.tree.get(self.at).and_then(|entry| entry.parent);
        let beside = parent
            .and_then(|parent| self.tree.get(parent))
            .map_or(&self.tree.roots, |parent| &parent.children);
        let mut own = beside.iter().filter_map(|&at| self.tree.get(at));
        let twin = own.find(|entry| matches!(&entry.step, KeySegment::Key(name) if name == to));
        let Some(twin) = twin.or_else(|| self.merged(beside, to)) else {
            return Ok(());
        };
        let path = &self.document.path;
        let line = self.document.lines().line(twin.span.start);
        let message = format!("`{}` is a key of {path} already", shown(to));
        Err(Diagnostic::new(Code::NameClash, message).note(format!(
            "it is at line {line}, beside the one that gets the name, or merged with it"
        )))
    }

    /// Refuses a key of what an alias elsewhere stands for: what is there would change with it.
    fn check_ties(&self) -> Result<(), Diagnostic> {
        let around = self.tree.upwards(self.at).skip(1);
        let mut anchors = around.filter_map(|at| self.tree.get(at)?.anchor.as_ref());
        let Some(anchor) = anchors.find(|anchor| !anchor.aliases.is_empty()) else {
            return Ok(());
        };
        let lines = self.document.lines();
        let places = anchor.aliases.iter().take(20);
        let places: Vec<String> = places
            .map(|alias| lines.line(alias.start).to_string())
            .collect();
        let name = shown(&anchor.name);
        let message = format!(
            "{} belongs to the anchor `&{name}`: other places would change with it",
            self.address()
        );
        Err(Diagnostic::new(Code::Unsupported, message)
            .in_field("key")
            .note(format!(
                "`*{name}` stands for it at line {}",
                places.join(", ")
            ))
            .note("to change all of them, edit with `text`, `pattern` or `lines`"))
    }

    /// Returns the key called `name` that a merge (`<<: *base`) gives to the mapping with these entries.
    fn merged(&self, beside: &[usize], name: &str) -> Option<&KeyEntry> {
        let is_merge =
            |entry: &&KeyEntry| matches!(&entry.step, KeySegment::Key(key) if key == "<<");
        let merges = beside.iter().filter_map(|&at| self.tree.get(at));
        let aliases = merges.filter(is_merge).flat_map(|merge| {
            let items = merge.children.iter().filter_map(|&at| self.tree.get(at));
            std::iter::once(merge).chain(items)
        });
        let aliases: Vec<&str> = aliases.filter_map(|entry| entry.alias.as_deref()).collect();
        let is_meant = |entry: &&KeyEntry| {
            let anchor = entry.anchor.as_ref();
            anchor.is_some_and(|anchor| aliases.contains(&anchor.name.as_str()))
        };
        let mut meant = self.tree.entries.iter().filter(is_meant);
        meant.find_map(|entry| {
            let mut inside = entry.children.iter().filter_map(|&at| self.tree.get(at));
            inside.find(|inner| matches!(&inner.step, KeySegment::Key(key) if key == name))
        })
    }

    /// Refuses what would not read as the same file with another name.
    fn check_meaning(&self, to: &str, words: &NewWords) -> Result<(), Diagnostic> {
        let path = &self.document.path;
        let spans = self.key_spans();
        let splices = spans.iter().filter_map(|span| {
            let word = words.get(&(path.clone(), *span))?;
            Some(Splice::new(*span, word.as_str()))
        });
        let then = Splices::new(splices.collect())
            .ok()
            .map(|splices| splices.apply(&self.document.bytes));
        let is_same = then.is_some_and(|bytes| {
            let then = Document::new(self.document.path.clone(), bytes.into(), self.document.hash);
            matches!(then.keys(), Some(Ok(tree)) if self.says_the_same(to, tree, &then.bytes))
        });
        if is_same {
            return Ok(());
        }
        let message = format!(
            "`{}` can be no key here, or the file would say something else",
            shown(to)
        );
        Err(Diagnostic::new(Code::NameClash, message))
    }

    fn says_the_same(&self, to: &str, then: &Tree, bytes: &[u8]) -> bool {
        let is_same = |(at, (was, now)): (usize, (&KeyEntry, &KeyEntry))| {
            let step = match at == self.at {
                true => &KeySegment::Key(to.to_owned()),
                false => &was.step,
            };
            let holds = || was.value.of(&self.document.bytes) == now.value.of(bytes);
            now.step == *step
                && (now.parent, now.form) == (was.parent, was.form)
                && (!was.children.is_empty() || !is_scalar(was.form) || holds())
        };
        self.tree.entries.len() == then.entries.len()
            && self
                .tree
                .entries
                .iter()
                .zip(&then.entries)
                .enumerate()
                .all(is_same)
    }

    /// Returns where the key is written.
    fn key_spans(&self) -> Vec<Span> {
        match self.format {
            KeyFormat::Toml => toml_keys::spans(&self.document.bytes, self.tree, self.at),
            KeyFormat::Yaml | KeyFormat::Json | KeyFormat::Jsonc => {
                let entry = self.tree.get(self.at);
                entry.and_then(|entry| entry.key).into_iter().collect()
            }
        }
    }

    /// Returns where the key is written, the pointers to it, and mentions; `words` takes what each becomes.
    fn places(&self, project: &Project, to: &str, words: &mut NewWords) -> Vec<Reference> {
        let path = &self.document.path;
        let bytes = &self.document.bytes;
        let mut places = Vec::new();
        let lines = self.document.lines();
        for span in self.key_spans() {
            places.push(Reference::at(path, bytes, lines, span, Ok(())));
            words.insert((path.clone(), span), self.spelled(span.of(bytes), to));
        }
        let mut add = |path: &RepoPath, bytes: &[u8], lines: &Lines, found: FoundWord| {
            places.push(Reference::at(path, bytes, lines, found.span, found.verdict));
            words.insert((path.clone(), found.span), found.then);
        };
        for found in self.pointers(path, self.tree, bytes, to) {
            add(path, bytes, lines, found);
        }
        for found in self.mentions(to) {
            add(path, bytes, lines, found);
        }
        for (other, bytes) in project.files.iter().filter(|(other, _)| *other != path) {
            if is_binary(bytes) || memchr::memmem::find(bytes, b"#/").is_none() {
                continue;
            }
            let document = Document::new(other.clone(), bytes.clone(), self.document.hash);
            let Some(Ok(tree)) = document.keys() else {
                continue;
            };
            for found in self.pointers(other, tree, bytes, to) {
                add(other, bytes, document.lines(), found);
            }
        }
        places.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
        places.dedup_by(|one, other| (&one.path, one.span) == (&other.path, other.span));
        places
    }

    /// Returns the words of the pointers in the file at `path` that lead to the key, or through it.
    fn pointers(&self, path: &RepoPath, tree: &Tree, bytes: &[u8], to: &str) -> Vec<FoundWord> {
        // Each document of several has its own pointers, and no way to say which is meant.
        if self.tree.roots.len() > 1 {
            return Vec::new();
        }
        let found = tree.entries.iter().filter_map(|entry| {
            let text = literal(entry, bytes)?;
            let written = std::str::from_utf8(text.of(bytes)).ok()?;
            let sharp = written.find("#/")?;
            let (file, pointer) = (written.get(..sharp)?, written.get(sharp + 2..)?);
            let leads_here = match file {
                "" => *path == self.document.path,
                file => {
                    resolved(path, file).is_some_and(|file| file == self.document.path.as_str())
                }
            };
            if !leads_here {
                return None;
            }
            let word = word_of_pointer(pointer, &self.way)?;
            let is_reference = matches!(&entry.step, KeySegment::Key(name) if name == "$ref");
            Some(FoundWord {
                span: word.shifted(text.start + sharp + 2),
                verdict: match is_reference {
                    true => Ok(()),
                    false => Err("a pointer that is no `$ref`"),
                },
                then: in_pointer(to),
            })
        });
        found.collect()
    }

    /// Returns the values of the file that are the word of the key, and the word in expressions.
    fn mentions(&self, to: &str) -> Vec<FoundWord> {
        let bytes = &self.document.bytes;
        let name = self.name.as_bytes();
        let mut found = Vec::new();
        for entry in &self.tree.entries {
            let Some(text) = literal(entry, bytes) else {
                continue;
            };
            if text.of(bytes) == name && !name.is_empty() {
                found.push(FoundWord {
                    span: entry.value,
                    verdict: Err("a value of the file that says the same"),
                    then: self.spelled(entry.value.of(bytes), to),
                });
            } else if memchr::memmem::find(text.of(bytes), b"${{").is_some() {
                let words = places_of(self.name, text.of(bytes)).into_iter();
                found.extend(words.map(|span| FoundWord {
                    span: span.shifted(text.start),
                    verdict: Err("a word of an expression"),
                    then: to.to_owned(),
                }));
            }
        }
        found
    }

    /// Returns `to` as a key that stands where `was` stood: with its quotes, and with some where it needs them.
    fn spelled(&self, was: &[u8], to: &str) -> String {
        let in_quotes = || serde_json::Value::from(to).to_string();
        let is_plain = |more: &[u8]| {
            let mut letters = to.bytes();
            let is_first = letters
                .next()
                .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
            is_first
                && letters.all(|byte| {
                    byte.is_ascii_alphanumeric() || byte == b'_' || more.contains(&byte)
                })
        };
        let is_word = match self.format {
            KeyFormat::Json => false,
            KeyFormat::Jsonc => is_plain(b"$"),
            KeyFormat::Toml => is_plain(b"-"),
            KeyFormat::Yaml => is_plain(b"-./$") && !yaml_reads_otherwise(to),
        };
        match was.first() {
            Some(b'\'') if self.format == KeyFormat::Yaml && !to.contains(char::is_control) => {
                format!("'{}'", to.replace('\'', "''"))
            }
            Some(b'\'') if !to.contains(['\'', '\\']) && !to.contains(char::is_control) => {
                format!("'{to}'")
            }
            Some(b'"' | b'\'') => in_quotes(),
            _ if is_word => to.to_owned(),
            _ => in_quotes(),
        }
    }
}

/// A place that may get the new name.
struct FoundWord {
    span: Span,
    verdict: Result<(), &'static str>,
    /// What is written there then.
    then: String,
}

/// Returns where a scalar stands that is written as it is: in quotes or not, with no escapes.
fn literal(entry: &KeyEntry, bytes: &[u8]) -> Option<Span> {
    if !matches!(entry.form, ValueForm::Plain | ValueForm::Text) || !entry.children.is_empty() {
        return None;
    }
    let value = entry.value.of(bytes);
    if value.contains(&b'\\') {
        return None;
    }
    let is_quoted =
        value.len() > 1 && matches!(value, [first @ (b'"' | b'\''), .., last] if first == last);
    Some(match is_quoted {
        true => Span::new(entry.value.start + 1, entry.value.end - 1),
        false => entry.value,
    })
}

/// Returns a key as a word of a JSON pointer, which is a part of an address (RFC 6901, 6): nothing in it ends the text around it.
fn in_pointer(key: &str) -> String {
    let escaped = key
        .replace('~', "~0")
        .replace('/', "~1")
        .replace('%', "%25");
    let mut found = to_percent(&escaped);
    for (sign, code) in [('"', "%22"), ('\'', "%27"), ('\\', "%5C"), ('#', "%23")] {
        found = found.replace(sign, code);
    }
    found
}

/// Returns the word of `pointer`, without its `#/`, that is the last step of `way`, if the pointer goes that way (RFC 6901).
fn word_of_pointer(pointer: &str, way: &[&KeySegment]) -> Option<Span> {
    let mut start = 0;
    let mut words = pointer.split('/').map(|word| {
        let span = Span::new(start, start + word.len());
        start = span.end + 1;
        (word, span)
    });
    let mut last = None;
    for step in way {
        let (word, span) = words.next()?;
        let word = from_percent(word).replace("~1", "/").replace("~0", "~");
        let is_same = match step {
            KeySegment::Key(key) => *key == word,
            KeySegment::Item(number) => word.parse() == Ok(*number),
        };
        if !is_same {
            return None;
        }
        last = Some(span);
    }
    last
}

fn is_scalar(form: ValueForm) -> bool {
    matches!(
        form,
        ValueForm::Plain | ValueForm::Text | ValueForm::Alias | ValueForm::Nothing
    )
}

/// Says whether some reader of YAML takes a plain word for a truth, or for nothing.
fn yaml_reads_otherwise(word: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    WORDS.contains(&word.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_a_pointer_ends_no_text() {
        for (key, expected) in [
            ("Pet", "Pet"),
            ("a/b~c", "a~1b~0c"),
            ("x\"y'z", "x%22y%27z"),
            ("50% #1\\é", "50%25%20%231%5C%C3%A9"),
        ] {
            assert_eq!(in_pointer(key), expected, "{key}");
            let way = [&KeySegment::Key(key.to_owned())];
            assert!(word_of_pointer(expected, &way).is_some(), "{key}");
        }
    }
}
