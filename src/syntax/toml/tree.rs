//! The entries of a TOML file.
//!
//! A table may be written in several places: below its own header, below those of its children (`[a.b]`), and by dotted
//! keys. Each such place is one of its `regions`; a table with a foreign header between two of them is `odd`, because no
//! single range of the file is it.

use std::ops::Range;

use toml_edit::{Array, Document, InlineTable, Item, Key, Table, Value};

use crate::syntax::SyntaxError;
use crate::syntax::keys::{self, CollectionKind, KeyEntry, KeyFormat, KeySegment, Tree, ValueForm};
use crate::text::Span;

const SCATTERED: &str = "its parts stand in several places of the file";

/// Returns the entries of a TOML text.
pub(crate) fn tree(text: &str) -> Result<Tree, SyntaxError> {
    let document = read(text)?;
    let mut reader = TomlReader {
        text,
        tree: Tree::default(),
        headers: Vec::new(),
    };
    let whole = Span::new(0, text.len());
    let mut root = KeyEntry::new(KeySegment::Item(0), None, whole);
    root.form = ValueForm::Table;
    root.regions = vec![whole];
    let root = reader.tree.push(root);
    reader.table(root, document.as_table());
    reader.in_file_order();
    let comments = keys::comments(text.as_bytes(), &reader.words(), KeyFormat::Toml);
    keys::lines_above(&mut reader.tree, text.as_bytes(), &comments);
    reader.regions(&comments);
    Ok(reader.tree)
}

fn read(text: &str) -> Result<Document<&str>, SyntaxError> {
    Document::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start).min(text.len());
        match error.message() {
            message if TOO_DEEP.contains(&message) => SyntaxError::too_deep(offset),
            message => SyntaxError {
                offset,
                message: message.lines().collect::<Vec<_>>().join("; "),
            },
        }
    })
}

/// What the parser says of values that nest too deep for it; it has no other sign for that.
const TOO_DEEP: [&str; 2] = [
    "cannot recurse further; max recursion depth met",
    "recursion limit",
];

/// Returns the comments of a TOML text; none when it cannot be read.
pub(super) fn comments(text: &str) -> Vec<Span> {
    let Ok(document) = read(text) else {
        return Vec::new();
    };
    let mut reader = TomlReader {
        text,
        tree: Tree::default(),
        headers: Vec::new(),
    };
    let mut root = KeyEntry::new(KeySegment::Item(0), None, Span::new(0, text.len()));
    // Not a word, or nothing in it would be a comment.
    root.form = ValueForm::Table;
    let root = reader.tree.push(root);
    reader.table(root, document.as_table());
    keys::comments(text.as_bytes(), &reader.words(), KeyFormat::Toml)
}

/// Returns the strings of several lines in a piece of TOML: statements, or one value.
pub(super) fn strings(text: &str) -> Vec<Span> {
    let lead = "x=";
    let several = |tree: &Tree, text: &str, shift: usize| -> Vec<Span> {
        let scalars = tree
            .entries
            .iter()
            .filter(|entry| entry.form == ValueForm::Plain)
            .map(|entry| entry.value);
        let found = scalars.filter(|span| span.of(text.as_bytes()).contains(&b'\n'));
        found
            .map(|span| Span::new(span.start - shift, span.end - shift))
            .collect()
    };
    if let Ok(tree) = tree(text) {
        return several(&tree, text, 0);
    }
    let value = format!("{lead}{text}");
    tree(&value)
        .map(|tree| several(&tree, &value, lead.len()))
        .unwrap_or_default()
}

struct TomlReader<'t> {
    text: &'t str,
    tree: Tree,
    /// Where each header begins, with the table that it opens.
    headers: Vec<(Span, usize)>,
}

fn span(range: Option<Range<usize>>) -> Span {
    range.map_or(Span::at(0), |range| Span::new(range.start, range.end))
}

impl TomlReader<'_> {
    fn table(&mut self, parent: usize, table: &Table) {
        for (name, item) in table.iter() {
            let Some(key) = table.key(name) else { continue };
            match item {
                Item::Value(value) => self.value(parent, key, value),
                Item::Table(inner) if inner.is_implicit() || inner.is_dotted() => {
                    let at = self.implied(parent, key, ValueForm::Implied);
                    self.table(at, inner);
                }
                Item::Table(inner) => self.headed(
                    parent,
                    KeySegment::Key(name.to_owned()),
                    Some(span(key.span())),
                    inner,
                ),
                Item::ArrayOfTables(tables) => {
                    let at = self.implied(parent, key, ValueForm::Tables);
                    for (number, inner) in tables.iter().enumerate() {
                        self.headed(at, KeySegment::Item(number), None, inner);
                    }
                }
                Item::None => {}
            }
        }
    }

    fn headed(&mut self, parent: usize, step: KeySegment, key: Option<Span>, table: &Table) {
        let header = span(table.span());
        let mut entry = KeyEntry::new(step, Some(parent), header);
        entry.key = key.filter(|key| header.contains(*key)).or(Some(header));
        entry.lead = header.end;
        entry.value = Span::at(header.end);
        entry.form = ValueForm::Table;
        let at = self.tree.push(entry);
        self.headers.push((header, at));
        self.table(at, table);
    }

    fn implied(&mut self, parent: usize, key: &Key, form: ValueForm) -> usize {
        let mut entry = KeyEntry::new(
            KeySegment::Key(key.get().to_owned()),
            Some(parent),
            span(key.span()),
        );
        entry.form = form;
        self.tree.push(entry)
    }

    fn value(&mut self, parent: usize, key: &Key, value: &Value) {
        let (key_span, value_span) = (span(key.span()), span(value.span()));
        if let Value::InlineTable(inner) = value
            && inner.is_dotted()
        {
            let at = self.implied(parent, key, ValueForm::Implied);
            self.inline(at, inner);
            return;
        }
        let start = self.statement_start(key_span.start);
        let mut entry = KeyEntry::new(
            KeySegment::Key(key.get().to_owned()),
            Some(parent),
            Span::new(start, value_span.end),
        );
        entry.key = Some(key_span);
        let sign = self
            .text
            .as_bytes()
            .get(key_span.end..value_span.start)
            .unwrap_or_default();
        entry.lead = key_span.end
            + sign
                .iter()
                .position(|&byte| byte == b'=')
                .map_or(0, |at| at + 1);
        self.add(entry, value);
    }

    fn add(&mut self, mut entry: KeyEntry, value: &Value) {
        entry.value = span(value.span());
        entry.form = match value {
            Value::Array(_) => ValueForm::Flow(CollectionKind::List),
            Value::InlineTable(_) => ValueForm::Flow(CollectionKind::Map),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_) => ValueForm::Plain,
        };
        let at = self.tree.push(entry);
        match value {
            Value::Array(array) => self.array(at, array),
            Value::InlineTable(table) => self.inline(at, table),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_) => {}
        }
    }

    fn array(&mut self, parent: usize, array: &Array) {
        for (number, item) in array.iter().enumerate() {
            self.add(
                KeyEntry::new(KeySegment::Item(number), Some(parent), span(item.span())),
                item,
            );
        }
    }

    fn inline(&mut self, parent: usize, table: &InlineTable) {
        for (name, value) in table.iter() {
            if let Some(key) = table.key(name) {
                self.value(parent, key, value);
            }
        }
    }

    /// Returns where a dotted key begins whose last part begins at `offset`: its parts are read backwards.
    fn statement_start(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut start = offset;
        loop {
            let before = trim_blanks(bytes.get(..start).unwrap_or_default());
            let Some(before) = before.strip_suffix(b".") else {
                return start;
            };
            let part = trim_blanks(before);
            start = match part.last() {
                Some(&quote @ (b'"' | b'\'')) => self.quoted_start(part.len() - 1, quote),
                Some(_) => part
                    .iter()
                    .rposition(|&byte| !is_bare(byte))
                    .map_or(0, |at| at + 1),
                None => return start,
            };
        }
    }

    /// Returns where the quoted key begins whose closing quote is at `close`.
    fn quoted_start(&self, close: usize, quote: u8) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = close;
        while let Some(open) = bytes
            .get(..at)
            .and_then(|before| before.iter().rposition(|&byte| byte == quote))
        {
            let escapes = bytes[..open]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count();
            if quote == b'\'' || escapes % 2 == 0 {
                return open;
            }
            at = open;
        }
        close
    }

    /// Keys, headers and scalars, sorted.
    fn words(&self) -> Vec<Span> {
        let mut words: Vec<Span> = self.headers.iter().map(|(header, _)| *header).collect();
        for entry in self
            .tree
            .entries
            .iter()
            .filter(|entry| entry.form != ValueForm::Table)
        {
            if entry.key.is_some() {
                words.push(Span::new(entry.span.start, entry.lead));
            }
            if entry.form == ValueForm::Plain {
                words.push(entry.value);
            }
        }
        words.sort();
        words
    }

    /// Puts the children of each entry in the order in which they are.
    fn in_file_order(&mut self) {
        let starts: Vec<usize> = self
            .tree
            .entries
            .iter()
            .map(|entry| entry.span.start)
            .collect();
        for entry in &mut self.tree.entries {
            entry
                .children
                .sort_by_key(|&child| starts.get(child).copied());
        }
        self.headers.sort();
    }

    /// Gives every table the ranges that it is written in.
    fn regions(&mut self, comments: &[Span]) {
        let starts: Vec<usize> = self
            .headers
            .iter()
            .map(|(_, at)| self.tree.get(*at).map_or(0, KeyEntry::start))
            .chain([self.text.len()])
            .collect();
        for (number, (header, at)) in self.headers.clone().into_iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(self.text.len());
            let end = self.last_word(header, end, comments);
            if let Some(entry) = self.tree.entries.get_mut(at) {
                entry.regions = vec![Span::new(header.start, end)];
            }
        }
        // Children are after their parents, so that the last ones are done first.
        for at in (1..self.tree.entries.len()).rev() {
            self.join(at);
        }
    }

    /// Returns where the text of a table ends: after its last statement before `end`, and the comments right below that.
    fn last_word(&self, header: Span, end: usize, comments: &[Span]) -> usize {
        let body = self.text.get(header.end..end).unwrap_or_default();
        let text_end =
            self.without_comments_apart(header, header.end + body.trim_end().len(), comments);
        // A comment after the last statement's line is not the table's, one on its line does not count.
        let known = comments.partition_point(|comment| comment.end < text_end);
        let trailing = comments[known..]
            .iter()
            .take_while(|comment| comment.end == text_end && comment.start > header.end);
        let own_line = |comment: &&Span| {
            let line = self
                .text
                .get(..comment.start)
                .and_then(|before| before.rsplit('\n').next());
            line.is_some_and(|before| before.trim().is_empty())
        };
        match trailing.last() {
            Some(comment) if !own_line(&comment) => {
                header.end
                    + self
                        .text
                        .get(header.end..comment.start)
                        .unwrap_or_default()
                        .trim_end()
                        .len()
            }
            Some(_) | None => text_end,
        }
    }

    /// Returns where the text of a table ends that ends at `end` without comments that a blank line parts from it: those speak of what is
    /// below them.
    fn without_comments_apart(&self, header: Span, mut end: usize, comments: &[Span]) -> usize {
        let line_start = |at: usize| {
            self.text
                .get(..at)
                .and_then(|text| text.rfind('\n'))
                .map_or(0, |feed| feed + 1)
        };
        let is_comment = |start: usize| {
            let line = self.text.get(start..).unwrap_or_default();
            let at = start + (line.len() - line.trim_start_matches([' ', '\t']).len());
            comments
                .binary_search_by_key(&at, |comment| comment.start)
                .is_ok()
        };
        loop {
            let mut first = None;
            let mut start = line_start(end);
            while start > header.end && is_comment(start) {
                first = Some(start);
                start = line_start(start - 1);
            }
            let Some(first) = first else { return end };
            let above = self.text.get(start..first).unwrap_or_default();
            if !above.trim().is_empty() {
                return end;
            }
            end = header.end
                + self
                    .text
                    .get(header.end..first)
                    .unwrap_or_default()
                    .trim_end()
                    .len();
        }
    }

    /// Gives a table the regions of what it holds, and says whether they follow each other.
    fn join(&mut self, at: usize) {
        let Some(entry) = self.tree.get(at) else {
            return;
        };
        if !matches!(
            entry.form,
            ValueForm::Table | ValueForm::Implied | ValueForm::Tables
        ) {
            return;
        }
        let mut regions = entry.regions.clone();
        for child in entry
            .children
            .iter()
            .filter_map(|&child| self.tree.get(child))
        {
            match child.form {
                ValueForm::Table | ValueForm::Tables | ValueForm::Implied => {
                    regions.extend(&child.regions)
                }
                // What a header opens holds its statements already.
                _ if entry.form == ValueForm::Implied => regions.push(child.span),
                _ => {}
            }
        }
        regions.sort();
        regions.dedup();
        regions = without_those_inside(regions);
        let Some((first, last)) = regions.first().zip(regions.last()) else {
            return;
        };
        let span = first.cover(*last);
        let scattered = regions.windows(2).any(|pair| !self.follows(pair));
        let Some(entry) = self.tree.entries.get_mut(at) else {
            return;
        };
        if scattered {
            entry.odd = Some(SCATTERED);
        } else {
            entry.span = span;
            if matches!(entry.form, ValueForm::Table) {
                entry.value = Span::new(entry.lead, span.end);
            } else {
                entry.lead = span.start;
                entry.value = span;
            }
        }
        entry.regions = regions;
    }

    /// Says whether nothing but blanks, comments and a comma is between two regions.
    fn follows(&self, pair: &[Span]) -> bool {
        let [first, second] = pair else { return true };
        let between = self.text.get(first.end..second.start).unwrap_or_default();
        let mut lines = between.lines().map(str::trim);
        lines.all(|line| line.is_empty() || line == "," || line.starts_with('#'))
    }
}

fn without_those_inside(sorted: Vec<Span>) -> Vec<Span> {
    let mut kept: Vec<Span> = Vec::new();
    for region in sorted {
        if !kept.last().is_some_and(|last| last.contains(region)) {
            kept.push(region);
        }
    }
    kept
}

fn trim_blanks(before: &[u8]) -> &[u8] {
    let end = before
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(0, |at| at + 1);
    &before[..end]
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::comments;

    #[test]
    fn comments_are_what_stands_outside_of_words() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = comments(text)
                .iter()
                .map(|span| &text[span.start..span.end])
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "[t] # a\nx = 1 # b\n# region lim\nb = \"# no\"\n# endregion\n",
            &["# a", "# b", "# region lim", "# endregion"],
        );
        check("x = [\n  1, # one\n  '# no',\n]\n", &["# one"]);
    }
}
