//! Entries of TOML: statements on lines of their own, below the header of their table.
//!
//! A statement belongs to the header above it, so nothing may come between the two that has a header of its own, and
//! content that stands beside a table begins with one.

use super::entries::check_new;
use super::meaning::KeyedValue;
use super::piece::{Piece, first_header};
use super::planned::{KeyChange, Planned};
use super::site::EntryPlace;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Indent, Part, Position};
use crate::plan::content::line_endings;
use crate::plan::edit::{EditKind, Insertion, delete_lines};
use crate::syntax::keys::{KeyEntry, KeyFormat, KeySegment, ValueForm, quote};
use crate::text::Span;

/// The statements below the header, subtables included.
pub(super) fn replace_table_body(
    site: &EntryPlace<'_>,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    if site.entry.form != ValueForm::Table {
        return Err(site.written_by_parts());
    }
    Piece::entries(site, ValueForm::Table, text)?;
    let header_end = site.line_end(site.entry.lead.saturating_sub(1));
    let end = site.entry.span.end;
    let base = site.indentation(site.entry.span.start);
    let below = site.bytes().get(header_end..end).unwrap_or_default();
    let Some(first) = below
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .map(|at| header_end + at)
    else {
        let content = site.fitted_lines(text, base, None, indent)?;
        return Ok(vec![EditKind::Insert(Insertion {
            at: header_end,
            before: site.ending(),
            content,
            ..Insertion::default()
        })]);
    };
    let old = Span::new(site.line_start(first), end_of_covered(site, end, text));
    Ok(vec![EditKind::replace(
        old,
        site.fitted_lines(text, site.indentation(first), Some(old), indent)?,
    )])
}

/// The table with its header.
pub(super) fn replace_whole_table(
    site: &EntryPlace<'_>,
    text: &[u8],
    part: Option<Part>,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let commented = part == Some(Part::Whole) || text.trim_ascii_start().starts_with(b"#");
    let start = if commented {
        start_of(site)
    } else {
        site.entry.span.start
    };
    let old = Span::new(
        site.line_start(start),
        end_of_covered(site, site.entry.span.end, text),
    );
    let base = site.indentation(site.entry.span.start);
    Ok(vec![EditKind::replace(
        old,
        site.fitted_lines(text, base, Some(old), indent)?,
    )])
}

/// Returns `end`, or the end of its line when the comment that stands there is in the text too.
fn end_of_covered(site: &EntryPlace<'_>, end: usize, text: &[u8]) -> usize {
    let line_end = site.line_end(end);
    let rest = site
        .bytes()
        .get(end..line_end)
        .unwrap_or_default()
        .trim_ascii();
    if !rest.is_empty() && text.ends_with(rest) {
        line_end
    } else {
        end
    }
}

/// Returns where the entry begins, with the comments above what it begins with.
fn start_of(site: &EntryPlace<'_>) -> usize {
    let start = site.entry.span.start;
    let inside = site
        .tree
        .within(site.at)
        .into_iter()
        .filter_map(|at| site.tree.get(at));
    inside
        .filter(|entry| entry.span.start == start)
        .map(KeyEntry::start)
        .min()
        .unwrap_or(start)
}

impl EntryPlace<'_> {
    fn written_by_parts(&self) -> Diagnostic {
        let message = format!(
            "{} has no header: only its parts are written",
            self.address()
        );
        Diagnostic::new(Code::Unsupported, message)
            .note("name one of its parts, or `insert` beside one")
    }
}

/// Adds statements or tables.
pub(super) fn insert_in_table(
    holder: &EntryPlace<'_>,
    place: usize,
    beside: Option<(usize, Position)>,
    text: &[u8],
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let beside_table = beside
        .and_then(|(at, _)| holder.beside(at))
        .is_some_and(|site| !site.entry.regions.is_empty());
    let headed = first_header(text).is_some();
    if headed || holder.entry.form == ValueForm::Tables {
        return insert_tables(holder, place, beside, text, headed, indent);
    }
    if holder.entry.form == ValueForm::Implied && !beside_table {
        return insert_dotted(holder, place, beside, text, indent);
    }
    if beside_table {
        let message = "statements beside a table would belong to the one above it";
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("begin the content with a header, or insert `first` or `last` into the table that is to hold it"));
    }
    let piece = Piece::entries(holder, ValueForm::Table, text)?;
    check_new(holder, &piece)?;
    let edits = vec![EditKind::Insert(insert_statements(
        holder,
        beside,
        place == 0,
        text,
        indent,
    )?)];
    Ok(Planned {
        edits,
        change: KeyChange::Added {
            holder: holder.at,
            place,
            new: piece.new_entries(),
        },
    })
}

/// Refuses statements at the end of a file, where they would belong to the last table.
pub(super) fn check_end(root: &EntryPlace<'_>, text: &[u8]) -> Result<(), Diagnostic> {
    let says = text
        .split(|&byte| byte == b'\n')
        .any(|line| !matches!(line.trim_ascii(), [] | [b'#', ..]));
    if root.format != KeyFormat::Toml || !says || first_header(text).is_some() {
        return Ok(());
    }
    let tables = (0..root.tree.entries.len())
        .filter_map(|at| root.beside(at))
        .filter(|site| site.entry.parent.is_some());
    let last = tables.filter_map(|site| {
        Some((
            site.entry.regions.iter().map(|region| region.end).max()?,
            site,
        ))
    });
    // Of those that end there the innermost.
    let Some((_, last)) = last.max_by_key(|(end, site)| (*end, site.at)) else {
        return Ok(());
    };
    let table = root.tree.address(last.at);
    let message = format!(
        "at the end of {} this would belong to the table `{}`",
        root.document.path,
        shown(&table)
    );
    Err(Diagnostic::new(Code::Unsupported, message).note(format!(
        "`position: first` puts it at the top of the file; `key: {table}` with `position: last` puts it into that table"
    )))
}

/// Statements among those with the same dotted key; content may leave the key that they share out.
fn insert_dotted(
    holder: &EntryPlace<'_>,
    place: usize,
    beside: Option<(usize, Position)>,
    text: &[u8],
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    if own_statements(holder).is_empty() {
        return Err(holder.written_by_parts());
    }
    let implied = |at: &usize| {
        holder
            .tree
            .get(*at)
            .is_some_and(|entry| entry.form == ValueForm::Implied)
    };
    let mut way: Vec<&KeySegment> = holder
        .tree
        .upwards(holder.at)
        .take_while(implied)
        .filter_map(|at| Some(&holder.tree.get(at)?.step))
        .collect();
    way.reverse();
    let piece = Piece::entries(holder, ValueForm::Table, text)?;
    let (text, piece) = match piece.says().and_then(|says| says.at_way(&way)) {
        Some(_) => (text.to_vec(), piece),
        None if piece.written().count() == 1 && !piece.begins_with_comments() => {
            let mut prefix = String::new();
            way.iter().for_each(|step| toml_key(step, &mut prefix));
            let text = [prefix.as_bytes(), b".", text].concat();
            let piece = Piece::entries(holder, ValueForm::Table, &text)?;
            (text, piece)
        }
        None => return Err(holder.written_by_parts()),
    };
    let new = piece
        .says()
        .and_then(|says| says.at_way(&way))
        .map(|says| says.children)
        .unwrap_or_default();
    let insertion = insert_statements(holder, beside, place == 0, &text, indent)?;
    Ok(Planned {
        edits: vec![EditKind::Insert(insertion)],
        change: KeyChange::Added {
            holder: holder.at,
            place,
            new,
        },
    })
}

/// Statements beside another one, or at an end of those of their table.
pub(super) fn insert_statements(
    holder: &EntryPlace<'_>,
    beside: Option<(usize, Position)>,
    first: bool,
    text: &[u8],
    indent: Indent,
) -> Result<Insertion, Diagnostic> {
    let own = own_statements(holder);
    let neighbour = match beside {
        Some((at, position)) => holder
            .beside(at)
            .map(|site| (site, position == Position::After)),
        None if first => own
            .first()
            .and_then(|&at| holder.beside(at))
            .map(|site| (site, false)),
        None => own
            .last()
            .and_then(|&at| holder.beside(at))
            .map(|site| (site, true)),
    };
    let ending = holder.ending();
    if let Some((site, behind)) = neighbour {
        let content =
            site.fitted_lines(text, site.indentation(site.entry.span.start), None, indent)?;
        return Ok(if behind {
            let at = site.line_end(site.entry.span.end);
            Insertion {
                at,
                before: ending,
                content,
                ..Insertion::default()
            }
        } else {
            Insertion {
                at: site.line_start(site.entry.start()),
                content,
                after: ending,
                ..Insertion::default()
            }
        });
    }
    let content = holder.fitted_lines(
        text,
        holder.indentation(holder.entry.span.start),
        None,
        indent,
    )?;
    if holder.entry.parent.is_some() {
        let at = holder.line_end(holder.entry.lead.saturating_sub(1));
        return Ok(Insertion {
            at,
            before: ending,
            content,
            ..Insertion::default()
        });
    }
    let tables = holder
        .entry
        .children
        .first()
        .and_then(|&at| holder.beside(at));
    Ok(match tables {
        Some(site) => {
            let after = line_endings(holder.document, 0, 2);
            Insertion {
                at: site.line_start(start_of(&site)),
                content,
                after,
                ..Insertion::default()
            }
        }
        None => {
            let bytes = holder.bytes();
            let ended = bytes.is_empty() || bytes.ends_with(b"\n");
            let before = if ended { Vec::new() } else { ending.clone() };
            Insertion {
                at: bytes.len(),
                before,
                content,
                after: ending,
                ..Insertion::default()
            }
        }
    })
}

/// Returns the statements between a table's header and the next one, in file order.
fn own_statements(holder: &EntryPlace<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = holder.entry.children.clone();
    while let Some(at) = open.pop() {
        let Some(entry) = holder.tree.get(at) else {
            continue;
        };
        match entry.form {
            // Dotted keys stand among the statements; what only headers imply holds none.
            ValueForm::Implied => open.extend(&entry.children),
            ValueForm::Table | ValueForm::Tables => {}
            _ => found.push(at),
        }
    }
    found.sort_by_key(|&at| holder.tree.get(at).map(|entry| entry.span.start));
    found
}

/// Tables with their headers, a blank line apart from their neighbours.
fn insert_tables(
    holder: &EntryPlace<'_>,
    place: usize,
    beside: Option<(usize, Position)>,
    text: &[u8],
    headed: bool,
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let text = if headed {
        text.to_vec()
    } else {
        let mut way = String::new();
        holder
            .tree
            .path(holder.at)
            .into_iter()
            .for_each(|step| toml_key(step, &mut way));
        [b"[[", way.as_bytes(), b"]]\n", text].concat()
    };
    let piece = Piece::entries(holder, ValueForm::Table, &text)?;
    check_home(holder, &piece)?;
    let way = holder.tree.path(holder.at);
    let new = piece
        .says()
        .and_then(|says| says.at_way(&way))
        .map(|says| says.children)
        .unwrap_or_default();
    let behind = match beside {
        Some((_, position)) => position == Position::After,
        None => place > 0 || holder.entry.children.is_empty(),
    };
    let neighbour = match beside {
        Some((at, _)) => holder.beside(at),
        None if behind => holder.beside(holder.at),
        None => holder.child(0),
    };
    let Some(neighbour) = neighbour else {
        return Err(holder.has_no_inside());
    };
    if neighbour.entry.regions.is_empty() && behind {
        let message = "a table beside a statement would take along the statements below it";
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("insert it `last` into what is to hold it"));
    }
    let content = holder.fitted_lines(
        &text,
        holder.indentation(neighbour.entry.span.start),
        None,
        indent,
    )?;
    let gap = line_endings(holder.document, neighbour.entry.span.start, 2);
    let insertion = if behind {
        let end = neighbour
            .entry
            .regions
            .last()
            .map_or(neighbour.entry.span.end, |region| region.end);
        let end = if neighbour.entry.parent.is_none() {
            holder.bytes().trim_ascii_end().len()
        } else {
            end
        };
        Insertion {
            at: holder.line_end(end),
            before: gap,
            content,
            ..Insertion::default()
        }
    } else {
        Insertion {
            at: holder.line_start(start_of(&neighbour)),
            content,
            after: gap,
            ..Insertion::default()
        }
    };
    let edits = vec![EditKind::Insert(insertion)];
    Ok(Planned {
        edits,
        change: KeyChange::Added {
            holder: holder.at,
            place,
            new,
        },
    })
}

/// Refuses tables that belong elsewhere.
fn check_home(holder: &EntryPlace<'_>, piece: &Piece) -> Result<(), Diagnostic> {
    let is_key = |step: &&KeySegment| matches!(step, KeySegment::Key(_));
    let way: Vec<&KeySegment> = holder
        .tree
        .path(holder.at)
        .into_iter()
        .filter(is_key)
        .collect();
    let ways = piece.ways();
    let inside = |new: &Vec<KeySegment>| {
        let theirs: Vec<&KeySegment> = new.iter().filter(is_key).collect();
        theirs.starts_with(&way)
    };
    if ways.iter().all(inside) {
        return Ok(());
    }
    let message = format!(
        "the content's header names no table inside of {}",
        holder.described()
    );
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("a header is written in full, from the top of the file: `[tool.x]`"))
}

/// Returns what a table says once `text` stands below its header, or in its place.
pub(super) fn meaning_of_table(
    site: &EntryPlace<'_>,
    text: &[u8],
    headed: bool,
) -> Result<Option<KeyedValue>, Diagnostic> {
    let header = if headed {
        Vec::new()
    } else {
        [header_of(site).as_bytes(), b"\n"].concat()
    };
    let piece = Piece::entries(site, ValueForm::Table, &[&header, text].concat())?;
    Ok(piece
        .says()
        .and_then(|says| says.at_way(&site.tree.path(site.at))))
}

/// Returns the header that the table has.
pub(super) fn header_of(site: &EntryPlace<'_>) -> String {
    let mut way = String::new();
    site.tree
        .path(site.at)
        .into_iter()
        .for_each(|step| toml_key(step, &mut way));
    match site.entry.step {
        KeySegment::Item(_) if site.entry.parent.is_some() => format!("[[{way}]]"),
        KeySegment::Item(_) => String::new(),
        KeySegment::Key(_) => format!("[{way}]"),
    }
}

/// Writes one step of the way to a table as a header does.
fn toml_key(step: &KeySegment, way: &mut String) {
    let KeySegment::Key(key) = step else { return };
    if !way.is_empty() {
        way.push('.');
    }
    let bare = !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if bare {
        way.push_str(key);
    } else {
        quote(key, way);
    }
}

/// Removes a statement, or a table wherever it is written.
pub(super) fn delete_table(site: &EntryPlace<'_>) -> Result<Vec<EditKind>, Diagnostic> {
    if site.entry.regions.is_empty() {
        return Ok(vec![delete_lines(Span::new(
            site.line_start(site.entry.start()),
            site.line_end(site.entry.span.end),
        ))]);
    }
    if !site
        .entry
        .regions
        .iter()
        .all(|region| site.begins_line(region.start))
    {
        return Err(site.written_by_parts());
    }
    let inside: Vec<&KeyEntry> = site
        .tree
        .within(site.at)
        .into_iter()
        .filter_map(|at| site.tree.get(at))
        .collect();
    let lines = site.entry.regions.iter().map(|region| {
        let above = inside
            .iter()
            .filter(|entry| entry.span.start == region.start)
            .map(|entry| entry.start())
            .min();
        Span::new(
            site.line_start(above.unwrap_or(region.start)),
            site.line_end(region.end),
        )
    });
    Ok(lines.map(delete_lines).collect())
}
