//! Entries between brackets, with commas between them.

use super::entries::check_new;
use super::piece::Piece;
use super::planned::{KeyChange, Planned};
use super::site::EntryPlace;
use super::ties;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position};
use crate::plan::edit::{EditKind, Insertion};
use crate::syntax::keys::{CollectionKind, KeyFormat, KeySegment, ValueForm};
use crate::text::{Span, is_blank};

/// Puts a value in the place of another; lines behind its first are indented as the line that it begins on.
pub(super) fn replace_value_in_flow(
    site: &EntryPlace<'_>,
    piece: &Piece,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let (body, tail) = match piece.is_bare() {
        true => (text.to_vec(), Vec::new()),
        false => piece.value_and_tail().ok_or_else(comment_beside)?,
    };
    let old = site.entry.value;
    let standing = Some(old).filter(|old| !old.is_empty());
    let ready = site.fitted(&body, site.indentation(old.start), standing, indent, false)?;
    // Where nothing is written, a blank parts the value from what stands ahead.
    let parted = old.is_empty() && !is_blank_before(site, old.start);
    let behind = |key: Span| Span::new(key.end, site.entry.lead.max(key.end)).of(site.bytes());
    let behind_key = site.entry.key.map_or(&b":"[..], behind);
    let bare = site.format == KeyFormat::Yaml
        && matches!(site.entry.step, KeySegment::Key(_))
        && !behind_key.contains(&b':');
    let lead: &[u8] = match (bare, parted) {
        (true, _) => b": ",
        (false, true) => b" ",
        (false, false) => b"",
    };
    let value = EditKind::replace(old, [lead, &ready].concat());
    Ok([value].into_iter().chain(tail_of(site, &tail)?).collect())
}

/// Refuses content whose comment has no place.
pub(super) fn comment_beside() -> Diagnostic {
    Diagnostic::new(
        Code::Unsupported,
        "a comment stands beside the value in the content",
    )
    .note("write the key as well, and the comment where it belongs")
}

/// Puts the comment behind the content in the place of the one behind the value, or where none is.
pub(super) fn tail_of(site: &EntryPlace<'_>, tail: &[u8]) -> Result<Option<EditKind>, Diagnostic> {
    if tail.is_empty() {
        return Ok(None);
    }
    let end = site.entry.value.end.max(site.entry.lead);
    let comma = site
        .holder()
        .filter(|_| site.is_in_flow())
        .and_then(|holder| comma_after(&holder, site));
    let from = comma.unwrap_or(end);
    let line_end = site.line_end(from);
    let there = site.bytes().get(end..from).unwrap_or_default();
    if !is_blank(there.strip_suffix(b",").unwrap_or(there))
        || !rest_is_comment(site, from, line_end)
    {
        return Err(comment_beside());
    }
    Ok(Some(EditKind::replace(
        Span::new(from, line_end),
        tail.to_vec(),
    )))
}

fn is_blank_before(site: &EntryPlace<'_>, offset: usize) -> bool {
    offset
        .checked_sub(1)
        .and_then(|at| site.bytes().get(at))
        .is_none_or(u8::is_ascii_whitespace)
}

/// Adds entries at `place`.
pub(super) fn insert_in_flow(
    holder: &EntryPlace<'_>,
    sort: CollectionKind,
    place: usize,
    beside: Option<(usize, Position)>,
    text: &[u8],
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let piece = Piece::entries(holder, ValueForm::Flow(sort), text)?;
    ties::check_content(holder, &piece)?;
    check_new(holder, &piece)?;
    let (body, tail) = piece.body_and_tail();
    let new = New { body, tail, indent };
    let after = matches!(beside, Some((_, Position::After)));
    let count = holder.entry.children.len();
    let edits = match (
        holder.child(place),
        place.checked_sub(1).and_then(|ahead| holder.child(ahead)),
    ) {
        (None, None) => fill_empty_flow(holder, &new)?,
        (None, Some(last)) => insert_after_last(holder, &last, &new)?,
        (Some(_), Some(ahead)) if after => insert_after(holder, &ahead, &new)?,
        (Some(next), _) => insert_before(&next, &new)?,
    };
    let change = KeyChange::Added {
        holder: holder.at,
        place: place.min(count),
        new: piece.new_entries(),
    };
    Ok(Planned { edits, change })
}

/// Entries to be added.
struct New {
    body: Vec<u8>,
    /// The comment behind the last of them, with the blanks ahead of it.
    tail: Vec<u8>,
    indent: Indent,
}

impl New {
    /// Returns the entries on lines of their own, a comma behind the last when something follows.
    fn lines(
        &self,
        site: &EntryPlace<'_>,
        base: Vec<u8>,
        comma: bool,
    ) -> Result<Vec<u8>, Diagnostic> {
        let mut lines = site.fitted_lines(&self.body, base, None, self.indent)?;
        if comma {
            lines.push(b',');
        }
        lines.extend_from_slice(&self.tail);
        Ok(lines)
    }

    /// Returns the entries in a line that goes on.
    fn in_line(&self, site: &EntryPlace<'_>, offset: usize) -> Result<Vec<u8>, Diagnostic> {
        if !self.tail.is_empty() {
            return Err(Diagnostic::new(
                Code::Unsupported,
                "a comment in the content would take the rest of the line along",
            )
            .note("leave the comment out, or put it above"));
        }
        site.fitted_behind(&self.body, site.indentation(offset), self.indent)
    }
}

/// Into brackets that hold nothing.
fn fill_empty_flow(holder: &EntryPlace<'_>, new: &New) -> Result<Vec<EditKind>, Diagnostic> {
    let brackets = holder.entry.value;
    let (open, close) = (brackets.start + 1, brackets.end.saturating_sub(1));
    let inside = holder.bytes().get(open..close).unwrap_or_default();
    let ending = holder.ending();
    let outer = holder.indentation(brackets.start);
    let inner = [outer.as_slice(), &holder.step()].concat();
    let several_lines =
        holder.document.lines().count() > 2 || new.body.contains(&b'\n') || !new.tail.is_empty();
    if !is_blank(inside) {
        // Comments stand there: the entries come below them.
        let last = open + inside.trim_ascii_end().len();
        let lines = new.lines(holder, inner, false)?;
        return Ok(vec![EditKind::Insert(Insertion {
            at: last,
            before: ending,
            content: lines,
            ..Insertion::default()
        })]);
    }
    let spread = match holder.format {
        KeyFormat::Json | KeyFormat::Jsonc => several_lines,
        KeyFormat::Toml | KeyFormat::Yaml => new.body.contains(&b'\n') || !new.tail.is_empty(),
    };
    if spread {
        let lines = new.lines(holder, inner, false)?;
        return Ok(vec![EditKind::replace(
            Span::new(open, close),
            [ending.as_slice(), &lines, &ending, &outer].concat(),
        )]);
    }
    let line = new.in_line(holder, open)?;
    let padded = holder.format == KeyFormat::Toml
        && holder.entry.form == ValueForm::Flow(CollectionKind::Map);
    let ready = if padded {
        [b" ".as_slice(), &line, b" "].concat()
    } else {
        line
    };
    Ok(vec![EditKind::replace(Span::new(open, close), ready)])
}

/// Ahead of an entry.
fn insert_before(next: &EntryPlace<'_>, new: &New) -> Result<Vec<EditKind>, Diagnostic> {
    let start = next.entry.start();
    if next.begins_line(start) {
        let at = next.line_start(start);
        let content = new.lines(next, next.column(next.entry.span.start), true)?;
        return Ok(vec![EditKind::Insert(Insertion {
            at,
            content,
            after: next.ending(),
            ..Insertion::default()
        })]);
    }
    let content = new.in_line(next, start)?;
    Ok(vec![EditKind::Insert(Insertion {
        at: start,
        content,
        after: b", ".to_vec(),
        ..Insertion::default()
    })])
}

/// Behind an entry that another follows.
fn insert_after(
    holder: &EntryPlace<'_>,
    ahead: &EntryPlace<'_>,
    new: &New,
) -> Result<Vec<EditKind>, Diagnostic> {
    let comma = comma_after(holder, ahead).unwrap_or(ahead.entry.span.end);
    let line_end = holder.line_end(comma);
    if ahead.begins_line(ahead.entry.span.start) && rest_is_comment(holder, comma, line_end) {
        let content = new.lines(ahead, ahead.column(ahead.entry.span.start), true)?;
        return Ok(vec![EditKind::Insert(Insertion {
            at: line_end,
            before: holder.ending(),
            content,
            ..Insertion::default()
        })]);
    }
    let content = [b" ".as_slice(), &new.in_line(ahead, comma)?, b","].concat();
    Ok(vec![EditKind::Insert(Insertion {
        at: comma,
        content,
        ..Insertion::default()
    })])
}

/// Behind the last entry, whether or not a comma closes it.
fn insert_after_last(
    holder: &EntryPlace<'_>,
    last: &EntryPlace<'_>,
    new: &New,
) -> Result<Vec<EditKind>, Diagnostic> {
    let end = last.entry.span.end;
    let comma = comma_after(holder, last);
    if !last.begins_line(last.entry.span.start) {
        let content = new.in_line(last, end)?;
        return Ok(vec![EditKind::Insert(match comma {
            Some(comma) => Insertion {
                at: comma,
                before: b" ".to_vec(),
                content,
                after: b",".to_vec(),
                ..Insertion::default()
            },
            None => Insertion {
                at: end,
                before: b", ".to_vec(),
                content,
                ..Insertion::default()
            },
        })]);
    }
    let base = last.column(last.entry.span.start);
    let lines = new.lines(last, base, comma.is_some())?;
    let line_end = holder.line_end(comma.unwrap_or(end));
    let ending = holder.ending();
    let rest = holder
        .bytes()
        .get(comma.unwrap_or(end)..line_end)
        .unwrap_or_default();
    let commented = rest_is_comment(holder, comma.unwrap_or(end), line_end) && !is_blank(rest);
    Ok(match comma {
        Some(comma) => {
            let at = if commented { line_end } else { comma };
            vec![EditKind::Insert(Insertion {
                at,
                before: ending,
                content: lines,
                ..Insertion::default()
            })]
        }
        None if commented => vec![
            EditKind::Insert(Insertion {
                at: end,
                head: b",".to_vec(),
                ..Insertion::default()
            }),
            EditKind::Insert(Insertion {
                at: line_end,
                before: ending,
                content: lines,
                ..Insertion::default()
            }),
        ],
        None => {
            let before = [b",".as_slice(), &ending].concat();
            vec![EditKind::Insert(Insertion {
                at: end,
                before,
                content: lines,
                ..Insertion::default()
            })]
        }
    })
}

/// Returns the end of the comma behind an entry, comments passed over.
fn comma_after(holder: &EntryPlace<'_>, entry: &EntryPlace<'_>) -> Option<usize> {
    let limit = holder.entry.value.end.saturating_sub(1);
    let at = next_word(holder, entry.entry.span.end, limit)?;
    (holder.bytes().get(at) == Some(&b',')).then_some(at + 1)
}

/// Returns where the next thing stands that is neither white space nor a comment.
fn next_word(site: &EntryPlace<'_>, from: usize, limit: usize) -> Option<usize> {
    let bytes = site.bytes();
    let mut at = from;
    while at < limit.min(bytes.len()) {
        let rest = &bytes[at..];
        let line = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
        at += match rest[0] {
            byte if byte.is_ascii_whitespace() => 1,
            _ if rest.starts_with(site.format.line_comment().as_bytes()) => line,
            _ if rest.starts_with(b"/*") => rest
                .windows(2)
                .skip(2)
                .position(|pair| pair == b"*/")
                .map_or(rest.len(), |end| end + 4),
            _ => return Some(at),
        };
    }
    None
}

fn rest_is_comment(site: &EntryPlace<'_>, from: usize, to: usize) -> bool {
    next_word(site, from, to).is_none()
}

/// Removes an entry with one separator.
pub(super) fn delete_in_flow(site: &EntryPlace<'_>, holder: &EntryPlace<'_>) -> Vec<EditKind> {
    let position = site.position();
    let count = holder.entry.children.len();
    let comma = comma_after(holder, site);
    let end = comma.unwrap_or(site.entry.span.end);
    let line_end = holder.line_end(end);
    let start = site.entry.start();
    let own_lines = site.begins_line(start) && rest_is_comment(holder, end, line_end);
    if count == 1 {
        return delete_only_entry(site, holder, own_lines.then_some((start, line_end)), end);
    }
    let ahead = position
        .checked_sub(1)
        .and_then(|ahead| holder.child(ahead));
    if own_lines {
        let lines = Span::new(site.line_start(start), line_end);
        return match ahead {
            Some(ahead) if position + 1 == count && comma.is_none() => {
                last_lines(site, &ahead, holder, lines)
            }
            Some(_) | None => vec![super::super::remove::delete_bare_lines(lines)],
        };
    }
    let next = holder.child(position + 1);
    match (ahead, next) {
        (_, Some(next)) if site.line_start(next.entry.start()) == site.line_start(end) => {
            vec![EditKind::replace(
                Span::new(site.entry.span.start, next.entry.start()),
                Vec::new(),
            )]
        }
        (None, Some(next)) => vec![EditKind::replace(
            Span::new(site.entry.span.start, next.entry.start()),
            Vec::new(),
        )],
        (Some(ahead), Some(_)) => {
            let from = comma_after(holder, &ahead).unwrap_or(ahead.entry.span.end);
            match next_word(holder, from, site.entry.span.start) {
                None if is_blank(
                    holder
                        .bytes()
                        .get(from..site.entry.span.start)
                        .unwrap_or_default(),
                ) =>
                {
                    vec![EditKind::replace(Span::new(from, end), Vec::new())]
                }
                _ => vec![EditKind::replace(
                    Span::new(site.entry.span.start, end),
                    Vec::new(),
                )],
            }
        }
        (Some(ahead), None) => last_in_line(site, &ahead, holder),
        (None, None) => Vec::new(),
    }
}

/// Refuses a deletion that would take a comment along which stands on a line of its own behind the entry: where commas
/// lead their lines, it is the next entry's.
pub(super) fn check_comments(site: &EntryPlace<'_>, edits: &[EditKind]) -> Result<(), Diagnostic> {
    let behind = site.line_end(site.entry.span.end);
    let removed = edits.iter().filter_map(|edit| match edit {
        EditKind::Replace(splice) => Some(splice.span),
        EditKind::DeleteLines(_) | EditKind::Insert(_) => None,
    });
    let lost = removed
        .filter(|span| span.start <= site.entry.span.start && span.end > behind)
        .find_map(|span| {
            let rest = site.bytes().get(behind..span.end).unwrap_or_default();
            let marks = [site.format.line_comment().as_bytes(), b"/*"];
            marks
                .into_iter()
                .find_map(|mark| memchr::memmem::find(rest, mark))
                .map(|at| behind + at)
        });
    let Some(at) = lost else { return Ok(()) };
    let line = site.document.lines().line(at);
    let message = format!(
        "deleting {} would take along the comment at line {line}",
        site.address()
    );
    Err(Diagnostic::new(Code::Unsupported, message).note("edit it by `text` or `lines`"))
}

/// The only entry: the brackets stay, with nothing in them but comments.
fn delete_only_entry(
    site: &EntryPlace<'_>,
    holder: &EntryPlace<'_>,
    lines: Option<(usize, usize)>,
    end: usize,
) -> Vec<EditKind> {
    let brackets = holder.entry.value;
    let inside = Span::new(brackets.start + 1, brackets.end.saturating_sub(1));
    let start = lines.map_or(site.entry.span.start, |(start, _)| start);
    let own_end = lines.map_or(end, |(_, line_end)| line_end);
    let around =
        |from: usize, to: usize| is_blank(holder.bytes().get(from..to).unwrap_or_default());
    if around(inside.start, start) && around(own_end.min(inside.end), inside.end) {
        return vec![EditKind::replace(inside, Vec::new())];
    }
    match lines {
        Some((start, line_end)) => vec![super::super::remove::delete_bare_lines(Span::new(
            site.line_start(start),
            line_end,
        ))],
        None => vec![EditKind::replace(
            Span::new(site.entry.span.start, end),
            Vec::new(),
        )],
    }
}

/// The last entry, on lines of its own: the comma behind the one ahead goes too.
fn last_lines(
    site: &EntryPlace<'_>,
    ahead: &EntryPlace<'_>,
    holder: &EntryPlace<'_>,
    lines: Span,
) -> Vec<EditKind> {
    let from = ahead.entry.span.end;
    let comma = comma_after(holder, ahead).unwrap_or(from);
    let between = holder.bytes().get(comma..lines.start).unwrap_or_default();
    if is_blank(between) && comma == from + 1 {
        let end = site.line_end(lines.end);
        return vec![EditKind::replace(Span::new(from, end), Vec::new())];
    }
    vec![
        EditKind::replace(Span::new(comma - 1, comma), Vec::new()),
        super::super::remove::delete_bare_lines(lines),
    ]
}

/// An entry behind a comma on a line of its own goes with that line, unless more stands there.
fn led_by_comma(site: &EntryPlace<'_>, holder: &EntryPlace<'_>, comma: usize) -> EditKind {
    let end = site.entry.span.end;
    let line_end = holder.line_end(end);
    if holder.begins_line(comma) && rest_is_comment(holder, end, line_end) {
        return super::super::remove::delete_bare_lines(Span::new(
            holder.line_start(comma),
            line_end,
        ));
    }
    EditKind::replace(Span::new(comma, end), Vec::new())
}

/// The last entry in a line: the comma ahead of it goes, one behind it stays.
fn last_in_line(
    site: &EntryPlace<'_>,
    ahead: &EntryPlace<'_>,
    holder: &EntryPlace<'_>,
) -> Vec<EditKind> {
    let from = ahead.entry.span.end;
    let comma = comma_after(holder, ahead).unwrap_or(from);
    let start = site.entry.start();
    let commented = !is_blank(
        holder
            .bytes()
            .get(from..comma.saturating_sub(1))
            .unwrap_or_default(),
    );
    if is_blank(holder.bytes().get(comma..start).unwrap_or_default()) {
        if commented {
            return vec![led_by_comma(site, holder, comma - 1)];
        }
        return vec![EditKind::replace(
            Span::new(from, site.entry.span.end),
            Vec::new(),
        )];
    }
    vec![
        EditKind::replace(Span::new(comma - 1, comma), Vec::new()),
        EditKind::replace(
            Span::new(site.entry.span.start, site.entry.span.end),
            Vec::new(),
        ),
    ]
}
