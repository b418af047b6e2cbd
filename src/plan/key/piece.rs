//! The caller's content, read as the language would read it in its place.

use std::collections::HashSet;

use super::meaning::KeyedValue;
use super::site::EntryPlace;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::syntax::keys::{CollectionKind, KeyEntry, KeyFormat, KeySegment, Tree, ValueForm};
use crate::syntax::{SyntaxError, yaml};
use crate::text::is_blank;

/// Content with the entries that it holds. Spans are into `text`, which may be longer than what the caller wrote.
pub(super) struct Piece {
    text: Vec<u8>,
    /// Where the content stands in the text.
    from: usize,
    to: usize,
    tree: Tree,
    /// What holds the content's entries, or is its value.
    top: usize,
}

/// Content that begins with the entry's own key, and goes on with others: the entry, or what it holds?
fn refuse_several_entries(site: &EntryPlace<'_>) -> Diagnostic {
    let message = format!(
        "the content begins with the key of {} and holds others beside it",
        site.address()
    );
    Diagnostic::new(Code::Unsupported, message).note(
        "`insert` puts others beside it; indent the content below its key to make it the value",
    )
}

/// Content of several items for one: which of them is it, and what are the others?
fn refuse_several_items(site: &EntryPlace<'_>) -> Diagnostic {
    Diagnostic::new(Code::Unsupported, format!("the content holds several items, and {} is one", site.address()))
        .note("`insert` with `position: after` puts others beside it; indent them below a `-` to make them its value")
}

/// Content of one entry with another key, for a plain value: a new name, or a mapping to put below the key?
fn refuse_another_key(site: &EntryPlace<'_>, other: &str) -> Diagnostic {
    let message = format!(
        "the content is an entry `{}`, and {} holds a plain value",
        shown(other),
        site.address()
    );
    Diagnostic::new(Code::Unsupported, message).note(
        "`part: body` makes a mapping of the value; to rename the key, delete it and insert the entry in one batch",
    )
}

impl Piece {
    fn read(
        format: KeyFormat,
        wrap: (&str, &str),
        content: &[u8],
        top: usize,
    ) -> Result<Piece, SyntaxError> {
        // A block of text that ends with the content is one that a line ending follows.
        let end = if format == KeyFormat::Yaml && wrap.1.is_empty() {
            "\n"
        } else {
            wrap.1
        };
        let text = [wrap.0.as_bytes(), content, end.as_bytes()].concat();
        let tree = match format {
            KeyFormat::Yaml => yaml::fragment(&text)?,
            KeyFormat::Json | KeyFormat::Jsonc | KeyFormat::Toml => format.tree(&text)?,
        };
        if tree.roots.len() != 1 || top >= tree.entries.len() {
            return Err(SyntaxError {
                offset: 0,
                message: "it holds no value".to_owned(),
            });
        }
        Ok(Piece {
            from: wrap.0.len(),
            to: wrap.0.len() + content.len(),
            text,
            tree,
            top,
        })
    }

    /// Reads content as one value.
    pub(super) fn value(site: &EntryPlace<'_>, content: &[u8]) -> Result<Piece, Diagnostic> {
        let read = match site.format {
            KeyFormat::Toml => Piece::read(KeyFormat::Toml, ("x=", ""), content, 1),
            // Between brackets a comma ends a word.
            KeyFormat::Yaml if site.is_in_flow() => {
                Piece::read(KeyFormat::Yaml, ("[", "\n]"), content, 1)
            }
            KeyFormat::Json | KeyFormat::Jsonc | KeyFormat::Yaml => {
                Piece::read(site.format, ("", ""), content, 0)
            }
        };
        let read = read.ok().filter(Piece::is_one_value);
        // In the place of a text its end would be a comment; several lines get the sign of that.
        let is_line = !content.trim_ascii().contains(&b'\n');
        let is_cut = |piece: &Piece| {
            site.entry.form == ValueForm::Text
                && is_line
                && piece.is_bare_word()
                && piece.ends_in_comment()
        };
        let read = read.filter(|piece| !is_cut(piece));
        read.map(Piece::without_twins).unwrap_or_else(|| {
            let message = format!(
                "the content is no {} value: {}",
                language_name(site),
                shown(first_line(content))
            );
            let diagnostic = Diagnostic::new(Code::SyntaxError, message);
            Err(match site.format {
                KeyFormat::Json | KeyFormat::Jsonc | KeyFormat::Toml => {
                    diagnostic.note("a text is written in double quotes there")
                }
                KeyFormat::Yaml if site.entry.form == ValueForm::Text => diagnostic.note(
                    "lines with `: ` or ` #` in them are written below a sign, `|`, of the content's own",
                ),
                KeyFormat::Yaml => {
                    diagnostic.note("a text with `: ` or ` #` in it is written in quotes")
                }
            })
        })
    }

    /// Says whether it is a word without quotes, anchor and tag.
    fn is_bare_word(&self) -> bool {
        self.top().is_some_and(|top| {
            top.form == ValueForm::Plain
                && top.tag.is_none()
                && top.anchor.is_none()
                && !matches!(self.text.get(top.value.start), Some(b'"' | b'\'' | b'*'))
        })
    }

    fn ends_in_comment(&self) -> bool {
        let tail = self.value_and_tail().map(|(_, tail)| tail);
        tail.is_some_and(|tail| tail.trim_ascii_start().starts_with(b"#"))
    }

    /// Refuses content in which a key stands twice in one mapping.
    fn without_twins(self) -> Result<Piece, Diagnostic> {
        let twin = self.tree.entries.iter().find_map(|entry| {
            let mut keys = HashSet::new();
            let steps = entry
                .children
                .iter()
                .filter_map(|&child| Some(&self.tree.get(child)?.step));
            steps
                .filter_map(|step| {
                    if let KeySegment::Key(key) = step {
                        Some(key)
                    } else {
                        None
                    }
                })
                .find(|key| !keys.insert(*key))
        });
        match twin {
            Some(key) => Err(Diagnostic::new(
                Code::Unsupported,
                format!("the content holds `{}` twice", shown(key)),
            )
            .note("a key stands once among those beside it")),
            None => Ok(self),
        }
    }

    fn is_one_value(&self) -> bool {
        let Some(value) = self.tree.get(self.top) else {
            return false;
        };
        let siblings = value
            .parent
            .and_then(|parent| self.tree.get(parent))
            .map_or(1, |parent| parent.children.len());
        siblings == 1 && value.form != ValueForm::Nothing && value.odd.is_none()
    }

    /// Reads content as entries of a holder of this form.
    pub(super) fn entries(
        site: &EntryPlace<'_>,
        form: ValueForm,
        content: &[u8],
    ) -> Result<Piece, Diagnostic> {
        let read = match (form, site.format) {
            (ValueForm::Flow(CollectionKind::Map), KeyFormat::Toml) => {
                Piece::read(KeyFormat::Toml, ("x={", "\n}"), content, 1)
            }
            (ValueForm::Flow(CollectionKind::List), KeyFormat::Toml) => {
                Piece::read(KeyFormat::Toml, ("x=[", "\n]"), content, 1)
            }
            (ValueForm::Flow(CollectionKind::Map), _) => {
                Piece::read(site.format, ("{", "\n}"), content, 0)
            }
            (ValueForm::Flow(CollectionKind::List), _) => {
                Piece::read(site.format, ("[", "\n]"), content, 0)
            }
            (_, _) => Piece::read(site.format, ("", ""), content, 0),
        };
        let read = read.ok().filter(|piece| {
            let top = piece.tree.get(piece.top);
            let fits = top.is_some_and(|top| {
                !top.children.is_empty() && (top.form == form || top.form == ValueForm::Table)
            });
            fits && piece
                .children()
                .all(|child| child.odd.is_none() || !child.regions.is_empty())
        });
        read.map(Piece::without_twins).unwrap_or_else(|| {
            let sort = match form {
                ValueForm::Flow(sort) | ValueForm::Block(sort) => sort,
                _ => CollectionKind::Map,
            };
            let message = format!(
                "the content must be {} of {} in {}: {}",
                sort_word(sort),
                site.described(),
                language_name(site),
                shown(first_line(content))
            );
            let example = match (site.format, sort) {
                (KeyFormat::Json | KeyFormat::Jsonc, CollectionKind::Map) => {
                    "such as `\"name\": \"value\"`"
                }
                (KeyFormat::Toml, CollectionKind::Map) => "such as `name = \"value\"`",
                (KeyFormat::Yaml, CollectionKind::Map) => "such as `name: value`",
                (KeyFormat::Json | KeyFormat::Jsonc | KeyFormat::Toml, CollectionKind::List) => {
                    "such as `\"value\"`"
                }
                (KeyFormat::Yaml, CollectionKind::List) => "such as `- value`",
            };
            Err(Diagnostic::new(Code::SyntaxError, message).note(example))
        })
    }

    /// Reads content that begins with the entry's own key; `None` when it is a value.
    pub(super) fn with_key(
        site: &EntryPlace<'_>,
        content: &[u8],
    ) -> Result<Option<Piece>, Diagnostic> {
        let Some(holder) = site.holder() else {
            return Ok(None);
        };
        if !site.entry.regions.is_empty() {
            return with_header(site, content);
        }
        let form = match (holder.entry.form, site.format) {
            // An item that brings its comma along.
            (ValueForm::Flow(CollectionKind::List), _)
                if Piece::value(site, content).is_ok_and(|value| value.is_bare()) =>
            {
                return Ok(None);
            }
            (form @ ValueForm::Flow(CollectionKind::List), _) => form,
            (form @ (ValueForm::Flow(CollectionKind::Map) | ValueForm::Block(_)), _) => form,
            (ValueForm::Table | ValueForm::Implied, _) => ValueForm::Table,
            _ => return Ok(None),
        };
        let Ok(piece) = Piece::entries(site, form, content) else {
            return Ok(None);
        };
        let mut entries = piece.written();
        let (Some(entry), more) = (entries.next(), entries.next()) else {
            return Ok(None);
        };
        if more.is_some() {
            let is_list = matches!(
                site.entry.form,
                ValueForm::Flow(CollectionKind::List) | ValueForm::Block(CollectionKind::List)
            );
            if matches!(site.entry.step, KeySegment::Item(_))
                && site.format == KeyFormat::Yaml
                && !is_list
            {
                return Err(refuse_several_items(site));
            }
            let begins =
                matches!(site.entry.step, KeySegment::Key(_)) && entry.step == site.entry.step;
            return if begins && site.format == KeyFormat::Yaml {
                Err(refuse_several_entries(site))
            } else {
                Ok(None)
            };
        }
        // A word alone between braces is an entry without a value, but whoever gives one to an entry that has a value means a value.
        let is_word = entry.form == ValueForm::Nothing && !content.trim_ascii_end().ends_with(b":");
        if is_word
            && form == ValueForm::Flow(CollectionKind::Map)
            && site.entry.form != ValueForm::Nothing
        {
            return Ok(None);
        }
        let same = match site.entry.step {
            KeySegment::Item(_) => true,
            KeySegment::Key(_) => {
                entry.step == site.entry.step && piece.key_text(entry) == written_key(site)
            }
        };
        let is_plain = matches!(site.entry.form, ValueForm::Plain | ValueForm::Text)
            && entry.form != ValueForm::Nothing;
        if let (false, true, KeyFormat::Yaml, KeySegment::Key(other)) =
            (same, is_plain, site.format, &entry.step)
        {
            return Err(refuse_another_key(site, other));
        }
        drop(entries);
        Ok(same.then_some(piece))
    }

    /// Returns the key as the content writes it, all of a dotted one.
    fn key_text(&self, entry: &KeyEntry) -> usize {
        count_dots(
            self.text
                .get(entry.span.start..entry.lead)
                .unwrap_or_default(),
            entry,
        )
    }

    fn children(&self) -> impl Iterator<Item = &KeyEntry> {
        let children = self.tree.get(self.top).map_or(&[][..], |top| &top.children);
        children.iter().filter_map(|&child| self.tree.get(child))
    }

    /// Returns the content's outermost entries that are written as such: of dotted keys the last.
    pub(super) fn written(&self) -> impl Iterator<Item = &KeyEntry> {
        let mut open: Vec<usize> = self
            .tree
            .get(self.top)
            .map_or(Vec::new(), |top| top.children.clone());
        open.reverse();
        std::iter::from_fn(move || {
            loop {
                let entry = self.tree.get(open.pop()?)?;
                if !matches!(entry.form, ValueForm::Implied) {
                    return Some(entry);
                }
                open.extend(entry.children.iter().rev());
            }
        })
    }

    /// Returns what the content's entries are called.
    pub(super) fn steps(&self) -> Vec<KeySegment> {
        self.children().map(|child| child.step.clone()).collect()
    }

    /// Returns what the content says: its value, or what holds its entries.
    pub(super) fn says(&self) -> Option<KeyedValue> {
        KeyedValue::of(&self.tree, &self.text, self.top)
    }

    /// Returns what the content's entries say.
    pub(super) fn new_entries(&self) -> Vec<KeyedValue> {
        self.says().map(|top| top.children).unwrap_or_default()
    }

    /// Returns what the content's first entry says, the last one of a dotted key.
    pub(super) fn entry_says(&self) -> Option<KeyedValue> {
        let first = self.written().next()?;
        let at = self
            .tree
            .entries
            .iter()
            .position(|entry| std::ptr::eq(entry, first))?;
        KeyedValue::of(&self.tree, &self.text, at)
    }

    /// Returns the way to each table of the content, from the top.
    pub(super) fn ways(&self) -> Vec<Vec<KeySegment>> {
        let tables = self
            .tree
            .entries
            .iter()
            .enumerate()
            .filter(|(_, it)| it.form == ValueForm::Table && it.parent.is_some());
        tables
            .map(|(at, _)| self.tree.path(at).into_iter().cloned().collect())
            .collect()
    }

    /// Returns the value, or what holds the entries.
    pub(super) fn top(&self) -> Option<&KeyEntry> {
        self.tree.get(self.top)
    }

    /// Returns every entry, for what they name.
    pub(super) fn all(&self) -> &[KeyEntry] {
        &self.tree.entries
    }

    /// Returns the number of the line, from 0, that ends with the sign of a block of text or with the key of what stands
    /// below; `None` when the content's one entry is no such thing.
    pub(super) fn opening_line(&self) -> Option<usize> {
        let entry = self.written().next()?;
        let opens = match entry.form {
            ValueForm::Text => entry.value.start,
            ValueForm::Block(_) => entry.lead.saturating_sub(1),
            _ => return None,
        };
        Some(
            self.text
                .get(self.from..opens)?
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count(),
        )
    }

    /// Says whether the content begins with comment lines.
    pub(super) fn begins_with_comments(&self) -> bool {
        self.written()
            .next()
            .is_some_and(|first| first.start() < first.span.start)
    }

    /// Returns the content up to the end of its last entry, and the comment behind that with the blanks ahead of it; a comma between
    /// them is left out.
    pub(super) fn body_and_tail(&self) -> (Vec<u8>, Vec<u8>) {
        let end = self.end_of_entries();
        let body = self.text.get(self.from..end).unwrap_or_default().to_vec();
        let rest = self.after_entries();
        let rest = rest.trim_ascii_start().strip_prefix(b",").unwrap_or(rest);
        (body, with_gap(rest))
    }

    /// Returns what is written behind the last entry: blanks, comments, a comma.
    pub(super) fn after_entries(&self) -> &[u8] {
        let end = self.end_of_entries();
        self.text.get(end..self.to).unwrap_or_default()
    }

    fn end_of_entries(&self) -> usize {
        let ends = self.written().map(|entry| entry.span.end);
        ends.max().unwrap_or(self.to).clamp(self.from, self.to)
    }

    /// Returns the value as it is written, and the comment behind it with the blanks ahead of it; `None` when more stands around it.
    pub(super) fn value_and_tail(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let value = self.top()?;
        let start = if value.parent.is_some() {
            value.tagged().start
        } else {
            value.span.start
        };
        let end = value.span.end.clamp(self.from, self.to);
        let ahead = self.text.get(self.from..start.max(self.from))?;
        let rest = self.text.get(end..self.to)?;
        let one_line = !rest.trim_ascii_end().contains(&b'\n');
        let fits = is_blank(ahead) && one_line;
        fits.then(|| {
            (
                self.text.get(self.from..end).unwrap_or_default().to_vec(),
                with_gap(rest),
            )
        })
    }

    /// Says whether nothing but the value is written.
    pub(super) fn is_bare(&self) -> bool {
        let Some(value) = self.top() else {
            return false;
        };
        let start = if value.parent.is_some() {
            value.tagged().start
        } else {
            value.span.start
        };
        let ahead = self
            .text
            .get(self.from..start.max(self.from))
            .unwrap_or_default();
        let behind = self
            .text
            .get(value.span.end.min(self.to)..self.to)
            .unwrap_or_default();
        is_blank(ahead) && is_blank(behind)
    }
}

/// Tells dotted keys apart by how many dots stand outside of the last key.
fn count_dots(key_part: &[u8], entry: &KeyEntry) -> usize {
    let last = entry
        .key
        .map_or(0, |key| key.start.saturating_sub(entry.span.start));
    key_part
        .get(..last)
        .unwrap_or_default()
        .iter()
        .filter(|&&byte| byte == b'.')
        .count()
}

fn written_key(site: &EntryPlace<'_>) -> usize {
    count_dots(
        site.bytes()
            .get(site.entry.span.start..site.entry.lead)
            .unwrap_or_default(),
        site.entry,
    )
}

fn language_name(site: &EntryPlace<'_>) -> &'static str {
    site.document
        .language
        .map_or("configuration", |language| language.name)
}

fn first_line(content: &[u8]) -> &str {
    let line = content
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let line = std::str::from_utf8(line).unwrap_or_default();
    let end = line.char_indices().nth(60).map_or(line.len(), |(at, _)| at);
    &line[..end]
}

/// Returns a comment with the blanks ahead of it, one where it has none, or nothing.
fn with_gap(rest: &[u8]) -> Vec<u8> {
    let comment = rest.trim_ascii();
    let ahead = &rest[..rest.len() - rest.trim_ascii_start().len()];
    match (comment, ahead.is_empty() || ahead.contains(&b'\n')) {
        ([], _) => Vec::new(),
        (_, true) => [b" ", comment].concat(),
        (_, false) => [ahead, comment].concat(),
    }
}

/// Returns the content as what begins with the entry's own header; `None` when it holds the statements below one.
pub(super) fn with_header(
    site: &EntryPlace<'_>,
    content: &[u8],
) -> Result<Option<Piece>, Diagnostic> {
    let Some(opened) = first_header(content) else {
        return Ok(None);
    };
    let own = site
        .entry
        .regions
        .first()
        .map_or(&[][..], |region| region.of(site.bytes()));
    let own = first_header(own).unwrap_or_default();
    if site.entry.form == ValueForm::Table && opened != own {
        let message = format!(
            "the content opens `{}`, and the table is `{}`",
            shown(&opened),
            shown(&own)
        );
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("begin it with the table's own header, or write just the statements below it"));
    }
    Piece::entries(site, ValueForm::Table, content).map(Some)
}

/// Returns the header that a text begins with, comments passed over, without its blanks.
pub(super) fn first_header(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let header = line
        .starts_with('[')
        .then(|| line.rfind(']').map(|end| &line[..=end]))??;
    Some(
        header
            .chars()
            .filter(|character| !character.is_whitespace())
            .collect(),
    )
}

pub(super) fn sort_word(sort: CollectionKind) -> &'static str {
    match sort {
        CollectionKind::Map => "entries with keys",
        CollectionKind::List => "items",
    }
}
