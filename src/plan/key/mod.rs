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
mod site;
mod table;
#[cfg(test)]
mod tests;
mod ties;

use super::content;
use super::edit::What;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Indent, Part, Position};
use crate::resolve::Reading;
use crate::syntax::keys::{Form, Sort, Step};
use crate::text::{LineEnding, Span, is_blank};
use piece::Piece;
use proof::Change;
use site::Site;

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
    let standing = site.entry.value.of(site.bytes());
    if site.entry.regions.is_empty() && *LineEnding::Lf.write(standing) == *text {
        return Ok(vec![replaced(site.entry.value, standing.to_vec())]);
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
    let separated = site.is_in_flow();
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
        let ready = site.fitted(&body, base, Some(old), indent, fresh)?;
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
    let ready = site.fitted(text, base, Some(old), indent, fresh)?;
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

fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Map => "entries with keys",
        Sort::List => "items",
    }
}
