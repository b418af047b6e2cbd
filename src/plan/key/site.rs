//! `EntryPlace`: an entry and the file around it, with the questions that every edit asks: lines, columns, neighbours.

use crate::diagnostic::{Code, Diagnostic};
use crate::plan::content;
use crate::resolve::{Document, Reading, key};
use crate::syntax::keys::{KeyEntry, KeyFormat, Tree, ValueForm};
use crate::text::indent::Unit;
use crate::text::{Span, is_blank};

/// An entry and the file around it.
pub(super) struct EntryPlace<'d> {
    pub document: &'d Document,
    pub tree: &'d Tree,
    pub format: KeyFormat,
    pub at: usize,
    pub entry: &'d KeyEntry,
}

impl<'d> EntryPlace<'d> {
    pub(super) fn of(reading: &Reading<'d>, at: usize) -> Result<EntryPlace<'d>, Diagnostic> {
        let document = reading.document;
        let tree = key::tree(reading)?;
        let format = document
            .language
            .and_then(|language| language.grammar.format());
        let (Some(format), Some(entry)) = (format, tree.get(at)) else {
            return Err(Diagnostic::new(
                Code::Unsupported,
                "the key is none of this file",
            ));
        };
        Ok(EntryPlace {
            document,
            tree,
            format,
            at,
            entry,
        })
    }

    /// Returns the site of the entry with this number, of a file that was read.
    pub(super) fn in_file(
        document: &'d Document,
        tree: &'d Tree,
        format: KeyFormat,
        at: usize,
    ) -> Option<EntryPlace<'d>> {
        Some(EntryPlace {
            document,
            tree,
            format,
            at,
            entry: tree.get(at)?,
        })
    }

    /// Returns the site of another entry of the same file.
    pub(super) fn beside(&self, at: usize) -> Option<EntryPlace<'d>> {
        EntryPlace::in_file(self.document, self.tree, self.format, at)
    }

    pub(super) fn bytes(&self) -> &'d [u8] {
        &self.document.bytes
    }

    pub(super) fn address(&self) -> String {
        format!("{}::{}", self.document.path, self.tree.address(self.at))
    }

    pub(super) fn holder(&self) -> Option<EntryPlace<'d>> {
        self.beside(self.entry.parent?)
    }

    /// Says whether the entry stands between brackets.
    pub(super) fn is_in_flow(&self) -> bool {
        matches!(
            self.holder().map(|holder| holder.entry.form),
            Some(ValueForm::Flow(_))
        )
    }

    /// Returns the entry's place among those that its holder holds.
    pub(super) fn position(&self) -> usize {
        let siblings = self
            .holder()
            .map_or(&[][..], |holder| &holder.entry.children);
        siblings
            .iter()
            .position(|&sibling| sibling == self.at)
            .unwrap_or(0)
    }

    pub(super) fn child(&self, position: usize) -> Option<EntryPlace<'d>> {
        self.beside(*self.entry.children.get(position)?)
    }

    /// Returns a word with the blanks ahead of it, or where none are with those behind.
    pub(super) fn with_blanks(&self, word: Span) -> Span {
        let blanks = |bytes: &[u8]| {
            bytes
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t'))
                .count()
        };
        let ahead = self.bytes().get(..word.start).unwrap_or_default();
        let ahead = ahead
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        if ahead > 0 {
            return Span::new(word.start - ahead, word.end);
        }
        Span::new(
            word.start,
            word.end + blanks(self.bytes().get(word.end..).unwrap_or_default()),
        )
    }

    pub(super) fn line_start(&self, offset: usize) -> usize {
        self.document.line_start(self.document.lines().line(offset))
    }

    pub(super) fn line_end(&self, offset: usize) -> usize {
        let line = self.document.lines().line(offset);
        self.document
            .lines()
            .content(self.bytes(), line)
            .end
            .max(offset)
    }

    /// Says whether only blanks stand ahead of `offset` on its line.
    pub(super) fn begins_line(&self, offset: usize) -> bool {
        is_blank(
            self.bytes()
                .get(self.line_start(offset)..offset)
                .unwrap_or_default(),
        )
    }

    /// Returns the blanks that bring a line to the column of `offset`.
    pub(super) fn column(&self, offset: usize) -> Vec<u8> {
        let ahead = self
            .bytes()
            .get(self.line_start(offset)..offset)
            .unwrap_or_default();
        let text = String::from_utf8_lossy(ahead);
        text.chars()
            .map(|character| if character == '\t' { b'\t' } else { b' ' })
            .collect()
    }

    /// Returns the indentation of the line of `offset`.
    pub(super) fn indentation(&self, offset: usize) -> Vec<u8> {
        self.document.indentation(offset).to_vec()
    }

    /// Returns the file's step of indentation.
    pub(super) fn step(&self) -> Vec<u8> {
        match self.document.unit() {
            Some(unit @ (Unit::Tab | Unit::Spaces(_))) => unit.steps(1),
            None => self
                .document
                .language
                .map_or("  ", |language| language.habits.unit)
                .as_bytes()
                .to_vec(),
        }
    }

    pub(super) fn ending(&self) -> Vec<u8> {
        content::line_endings(self.document, self.entry.span.start, 1)
    }
}

impl EntryPlace<'_> {
    pub(super) fn has_no_inside(&self) -> Diagnostic {
        let message = format!("{} holds no entries: it has no inside", self.address());
        Diagnostic::new(Code::Unsupported, message).note(
            "`replace` gives it another value; `position: before` or `after` stands beside it",
        )
    }

    /// Refuses an entry that is written in a way that is only read.
    pub(super) fn check_readable(&self) -> Result<(), Diagnostic> {
        match self.entry.odd {
            Some(why) if self.entry.regions.is_empty() => Err(self.odd(why)),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses an entry that no single range of the file is.
    pub(super) fn check_plain(&self) -> Result<(), Diagnostic> {
        self.entry.odd.map_or(Ok(()), |why| Err(self.odd(why)))
    }

    pub(super) fn odd(&self, why: &str) -> Diagnostic {
        let lines = self.document.lines();
        let places: Vec<String> = self
            .entry
            .regions
            .iter()
            .map(|region| lines.line(region.start).to_string())
            .collect();
        let message = format!("{} cannot be edited as one: {why}", self.address());
        let diagnostic = Diagnostic::new(Code::Unsupported, message);
        if places.is_empty() {
            return diagnostic.note("`text`, `pattern` and `lines` edit it as it stands");
        }
        diagnostic.note(format!(
            "lines {}; name the keys inside of it one by one",
            places.join(", ")
        ))
    }

    pub(super) fn described(&self) -> String {
        if self.entry.parent.is_none() {
            self.document.path.to_string()
        } else {
            self.address()
        }
    }
}
