//! Edits of a configuration file: one entry replaced, added or removed, all else as it was.
//!
//! `flow.rs` knows entries between brackets, with commas (JSON, and YAML and TOML in one line), `block.rs` those of YAML one
//! below the other, `table.rs` those of TOML; `piece.rs` reads the caller's content. What an anchor makes stand elsewhere
//! too is not touched (`ties.rs`), and no edit leaves here before the file it makes was read again: all entries but those
//! that were asked for hold what they held (`proof.rs`).
//!
//! Invariant: bytes outside of the entry, its separators and the lines it leaves empty stay.

mod block;
mod flow;
mod piece;
mod proof;
mod table;
#[cfg(test)]
mod tests;
mod ties;

use super::content::{self, Place};
use super::edit::What;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Indent, Part, Position};
use crate::resolve::{Document, Reading, key};
use crate::syntax::keys::{Entry, Form, Format, Sort, Step, Tree};
use crate::text::indent::Unit;
use crate::text::{Span, is_blank};
use piece::Piece;
use proof::Change;

/// An entry and the file around it.
struct Site<'d> {
    document: &'d Document,
    tree: &'d Tree,
    format: Format,
    at: usize,
    entry: &'d Entry,
}

impl<'d> Site<'d> {
    fn of(reading: &Reading<'d>, at: usize) -> Result<Site<'d>, Diagnostic> {
        let document = reading.document;
        let tree = key::tree(reading)?;
        let format = document.language.and_then(|language| language.grammar.format());
        let (Some(format), Some(entry)) = (format, tree.get(at)) else {
            return Err(Diagnostic::new(Code::Unsupported, "the key is none of this file"));
        };
        Ok(Site { document, tree, format, at, entry })
    }

    /// Returns the site of another entry of the same file.
    fn beside(&self, at: usize) -> Option<Site<'d>> {
        Some(Site { document: self.document, tree: self.tree, format: self.format, at, entry: self.tree.get(at)? })
    }

    fn bytes(&self) -> &'d [u8] {
        &self.document.bytes
    }

    fn address(&self) -> String {
        format!("{}::{}", self.document.path, self.tree.address(self.at))
    }

    fn holder(&self) -> Option<Site<'d>> {
        self.beside(self.entry.parent?)
    }

    /// Returns the entry's place among those that its holder holds.
    fn position(&self) -> usize {
        let siblings = self.holder().map_or(&[][..], |holder| &holder.entry.children);
        siblings.iter().position(|&sibling| sibling == self.at).unwrap_or(0)
    }

    fn child(&self, position: usize) -> Option<Site<'d>> {
        self.beside(*self.entry.children.get(position)?)
    }

    fn line_start(&self, offset: usize) -> usize {
        self.document.line_start(self.document.lines().line(offset))
    }

    fn line_end(&self, offset: usize) -> usize {
        let line = self.document.lines().line(offset);
        self.document.lines().content(self.bytes(), line).end.max(offset)
    }

    /// Says whether only blanks stand ahead of `offset` on its line.
    fn begins_line(&self, offset: usize) -> bool {
        is_blank(self.bytes().get(self.line_start(offset)..offset).unwrap_or_default())
    }

    /// Returns the blanks that bring a line to the column of `offset`.
    fn column(&self, offset: usize) -> Vec<u8> {
        let ahead = self.bytes().get(self.line_start(offset)..offset).unwrap_or_default();
        let text = String::from_utf8_lossy(ahead);
        text.chars().map(|character| if character == '\t' { b'\t' } else { b' ' }).collect()
    }

    /// Returns the indentation of the line of `offset`.
    fn indentation(&self, offset: usize) -> Vec<u8> {
        self.document.indentation(offset).to_vec()
    }

    /// Returns the file's step of indentation.
    fn step(&self) -> Vec<u8> {
        match self.document.unit() {
            Some(unit @ (Unit::Tab | Unit::Spaces(_))) => unit.steps(1),
            None => self.document.language.map_or("  ", |language| language.habits.unit).as_bytes().to_vec(),
        }
    }

    fn ending(&self) -> Vec<u8> {
        super::overlap::endings(self.document, self.entry.span.start, 1)
    }

    /// Returns content as lines whose first begins in a line's first column.
    fn fitted_lines(
        &self,
        text: &[u8],
        base: Vec<u8>,
        old: Option<Span>,
        indent: Indent,
    ) -> Result<Vec<u8>, Diagnostic> {
        self.fitted(text, base, old, indent, true)
    }

    /// Returns content whose first line goes on where something stands ahead of it.
    fn fitted_behind(&self, text: &[u8], base: Vec<u8>, indent: Indent) -> Result<Vec<u8>, Diagnostic> {
        self.fitted(text, base, None, indent, false)
    }

    fn fitted(
        &self,
        text: &[u8],
        base: Vec<u8>,
        old: Option<Span>,
        indent: Indent,
        fresh_line: bool,
    ) -> Result<Vec<u8>, Diagnostic> {
        let offset = old.map_or(self.entry.span.start, |old| old.start);
        let unit = content::unit_at(self.document, old.unwrap_or(Span::at(offset)), None);
        let place = Place { document: self.document, offset, base, unit, fresh_line, parent: None, old };
        content::fitted(text, indent, &place)
    }
}

/// Returns the edits that put `content` in the place of the entry's value, or of the entry when it begins with its key.
pub fn replace(
    reading: &Reading<'_>,
    at: usize,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let site = Site::of(reading, at)?;
    site.check_plain()?;
    ties::check_value(&site)?;
    let text = content::block(content);
    if text.is_empty() {
        return Err(Diagnostic::new(Code::Unsupported, format!("{} cannot hold nothing", site.address()))
            .note("`delete` removes the key; an empty text is written as \"\""));
    }
    let text = block::with_first_indentation(&site, text);
    let keyed = if part == Some(Part::Body) { None } else { Piece::with_key(&site, &text)? };
    let edits = match &keyed {
        Some(piece) => {
            ties::check_content(&site, piece)?;
            whole_entry(&site, piece, &text, indent)?
        }
        None => value(&site, &text, indent)?,
    };
    proof::check(&site, &edits, &Change::Replaced)?;
    Ok(edits)
}

fn value(site: &Site<'_>, text: &[u8], indent: Indent) -> Result<Vec<What>, Diagnostic> {
    if site.entry.regions.is_empty() {
        let piece = Piece::value(site, text)?;
        ties::check_content(site, &piece)?;
        return match site.holder().map(|holder| holder.entry.form) {
            Some(Form::Block(_)) => block::value(site, &piece, text, indent),
            Some(_) | None => flow::value(site, &piece, text, indent),
        };
    }
    table::body(site, text, indent)
}

/// The entry with its key, as the content writes it.
fn whole_entry(site: &Site<'_>, piece: &Piece, text: &[u8], indent: Indent) -> Result<Vec<What>, Diagnostic> {
    if !site.entry.regions.is_empty() {
        return table::whole(site, text, indent);
    }
    let separated = matches!(site.holder().map(|holder| holder.entry.form), Some(Form::Flow(_)));
    let start = if piece.begins_with_comments() { site.entry.start() } else { site.entry.span.start };
    let (body, tail) = piece.body_and_tail();
    let old_end = site.entry.span.end;
    let fresh = site.begins_line(start);
    let start = if fresh { site.line_start(start) } else { start };
    let base = site.column(site.entry.span.start);
    let mut edits = Vec::new();
    let rest_end = site.line_end(old_end);
    let rest = site.bytes().get(old_end..rest_end).unwrap_or_default();
    if separated || tail.is_empty() {
        let old = Span::new(start, old_end);
        let ready = if fresh {
            site.fitted_lines(&body, base, Some(old), indent)?
        } else {
            site.fitted_behind(&body, base, indent)?
        };
        edits.push(replaced(old, ready));
        // A comment behind the content takes the place of the one that stands there.
        if !tail.is_empty() && (is_comment(site, rest) || is_blank(without_comma(rest))) {
            let comma = rest.len() - without_comma(rest).len();
            edits.push(replaced(Span::new(old_end + comma, rest_end), [b" ".as_slice(), &tail].concat()));
        }
        return Ok(edits);
    }
    let end = if is_comment(site, rest) || is_blank(rest) { rest_end } else { old_end };
    let old = Span::new(start, end);
    let ready =
        if fresh { site.fitted_lines(text, base, Some(old), indent)? } else { site.fitted_behind(text, base, indent)? };
    edits.push(replaced(old, ready));
    Ok(edits)
}

fn is_comment(site: &Site<'_>, rest: &[u8]) -> bool {
    without_comma(rest).trim_ascii_start().starts_with(site.format.line_comment().as_bytes())
}

fn without_comma(rest: &[u8]) -> &[u8] {
    let open = rest.trim_ascii_start();
    open.strip_prefix(b",").unwrap_or(rest)
}

/// Returns the edits that add `content` beside the entry or inside of it.
pub fn insert(
    reading: &Reading<'_>,
    at: usize,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let site = Site::of(reading, at)?;
    let text = content::block(content);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let position = position.unwrap_or(Position::After);
    let inside = matches!(position, Position::First | Position::Last);
    let holder = if inside { site.beside(at) } else { site.holder() };
    let Some(holder) = holder else {
        return Err(Diagnostic::new(Code::Unsupported, "nothing stands beside a whole document"));
    };
    holder.check_readable()?;
    ties::check_around(&holder)?;
    let place = match position {
        Position::First => 0,
        Position::Last => holder.entry.children.len(),
        Position::Before => site.position(),
        Position::After => site.position() + 1,
    };
    let beside = (!inside).then_some((at, position));
    let edits = match holder.entry.form {
        Form::Table | Form::Implied | Form::Tables => {
            return table::insert(&holder, place, beside, &text, indent);
        }
        Form::Flow(sort) if holder.entry.children.is_empty() && block::opens(&holder) => {
            block::first_of_all(&holder, sort, &text, indent)?
        }
        Form::Flow(sort) => flow::insert(&holder, sort, place, beside, &text, indent)?,
        Form::Block(sort) => block::insert(&holder, sort, place, beside, &text, indent)?,
        Form::Nothing if block::opens(&holder) => block::first_of_all(&holder, block::sort_of(&text), &text, indent)?,
        Form::Plain | Form::Text | Form::Alias | Form::Nothing => return Err(holder.has_no_inside()),
    };
    Ok(edits)
}

impl Site<'_> {
    fn has_no_inside(&self) -> Diagnostic {
        let message = format!("{} holds no entries: it has no inside", self.address());
        Diagnostic::new(Code::Unsupported, message)
            .note("`replace` gives it another value; `position: before` or `after` stands beside it")
    }

    /// Refuses an entry that is written in a way that is only read.
    fn check_readable(&self) -> Result<(), Diagnostic> {
        match self.entry.odd {
            Some(why) if self.entry.regions.is_empty() => Err(self.odd(why)),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses an entry that no single range of the file is.
    fn check_plain(&self) -> Result<(), Diagnostic> {
        self.entry.odd.map_or(Ok(()), |why| Err(self.odd(why)))
    }

    fn odd(&self, why: &str) -> Diagnostic {
        let lines = self.document.lines();
        let places: Vec<String> =
            self.entry.regions.iter().map(|region| lines.line(region.start).to_string()).collect();
        let message = format!("{} cannot be edited as one: {why}", self.address());
        let diagnostic = Diagnostic::new(Code::Unsupported, message);
        if places.is_empty() {
            return diagnostic.note("`text`, `pattern` and `lines` edit it as it stands");
        }
        diagnostic.note(format!("lines {}; name the keys inside of it one by one", places.join(", ")))
    }
}

/// Returns the edits that remove the entry with its separator, its comments and the gap that it leaves.
pub fn delete(reading: &Reading<'_>, at: usize, part: Option<Part>) -> Result<Vec<What>, Diagnostic> {
    let site = Site::of(reading, at)?;
    site.check_readable()?;
    if part == Some(Part::Body) {
        return Err(Diagnostic::new(Code::Unsupported, "a key cannot lose its value alone")
            .note("delete the key, or `replace` its value with an empty one"));
    }
    let Some(holder) = site.holder() else {
        return Err(
            Diagnostic::new(Code::Unsupported, "a whole document is no key").note("`op: remove` deletes the file")
        );
    };
    ties::check_value(&site)?;
    let edits = match holder.entry.form {
        Form::Flow(_) => flow::delete(&site, &holder),
        Form::Block(sort) => block::delete(&site, &holder, sort),
        Form::Table | Form::Implied | Form::Tables => table::delete(&site)?,
        Form::Plain | Form::Text | Form::Alias | Form::Nothing => return Err(holder.has_no_inside()),
    };
    proof::check(&site, &edits, &Change::Deleted)?;
    Ok(edits)
}

fn replaced(span: Span, bytes: Vec<u8>) -> What {
    What::Replace(crate::text::splice::Splice::new(span, bytes))
}

/// Refuses entries whose keys stand in the holder already.
fn check_new(holder: &Site<'_>, piece: &Piece) -> Result<(), Diagnostic> {
    for step in piece.steps() {
        let Step::Key(key) = &step else { continue };
        let twin =
            holder.entry.children.iter().filter_map(|&child| holder.tree.get(child)).find(|child| child.step == step);
        if let Some(twin) = twin {
            let line = holder.document.lines().line(twin.span.start);
            let message = format!("`{}` is already in {}, at line {line}", shown(key), holder.described());
            return Err(
                Diagnostic::new(Code::Unsupported, message).note("`op: replace` with that key gives it another value")
            );
        }
    }
    Ok(())
}

impl Site<'_> {
    fn described(&self) -> String {
        if self.entry.parent.is_none() { self.document.path.to_string() } else { self.address() }
    }
}

fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Map => "entries with keys",
        Sort::List => "items",
    }
}
