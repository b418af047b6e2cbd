//! Entries of YAML one below the other: indentation says what holds them.

use super::entries::{around_the_rest, check_new};
use super::piece::Piece;
use super::planned::{KeyChange, Planned};
use super::site::EntryPlace;
use super::{flow, relaid, ties};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position};
use crate::plan::content::line_endings;
use crate::plan::edit::{EditKind, Insertion, delete_bare_lines, delete_lines};
use crate::syntax::keys::{CollectionKind, KeyFormat, KeySegment, ValueForm};
use crate::syntax::yaml;
use crate::text::{LineEnding, Span, is_blank, leading_blank};

/// Says whether entries can come below the holder, which has none yet.
pub(super) fn opens_block(holder: &EntryPlace<'_>) -> bool {
    let brackets = holder.entry.value;
    let inside = Span::new(
        (brackets.start + 1).min(brackets.end),
        brackets.end.saturating_sub(1).max(brackets.start),
    );
    let hollow = holder.entry.form == ValueForm::Nothing || is_blank(inside.of(holder.bytes()));
    let around = holder
        .tree
        .upwards(holder.at)
        .skip(1)
        .filter_map(|at| holder.tree.get(at));
    let in_flow = around
        .into_iter()
        .any(|entry| matches!(entry.form, ValueForm::Flow(_)));
    holder.format == KeyFormat::Yaml && hollow && !in_flow
}

/// Returns what content is made of: items, or entries with keys.
pub(super) fn sort_of(text: &[u8]) -> CollectionKind {
    match yaml::fragment(text)
        .ok()
        .and_then(|tree| Some(tree.get(0)?.form))
    {
        Some(ValueForm::Block(sort)) => sort,
        Some(_) | None => CollectionKind::Map,
    }
}

/// Returns content whose first line lost its indentation, as copying does, with the indentation of the value that stands
/// there, when it can be read so and not otherwise.
pub(super) fn with_first_indentation(site: &EntryPlace<'_>, text: Vec<u8>) -> Vec<u8> {
    let reads = |text: &[u8]| yaml::fragment(text).is_ok();
    let several = text.contains(&b'\n') && leading_blank(&text).is_empty();
    if site.format != KeyFormat::Yaml || !several || reads(&text) {
        return text;
    }
    let indented = [site.column(site.entry.value.start), text.clone()].concat();
    if reads(&indented) { indented } else { text }
}

/// Content as entries; one that is a plain value becomes an item of a list.
fn insert_entries(
    holder: &EntryPlace<'_>,
    sort: CollectionKind,
    text: &[u8],
) -> Result<(Piece, Vec<u8>), Diagnostic> {
    let read = Piece::entries(holder, ValueForm::Block(sort), text);
    match (read, sort) {
        (Err(_), CollectionKind::List) if Piece::value(holder, text).is_ok() => {
            let item = [b"- ".as_slice(), &with_prefix_on_lines(text, b"  ")].concat();
            Ok((Piece::entries(holder, ValueForm::Block(sort), &item)?, item))
        }
        (read, _) => Ok((read?, text.to_vec())),
    }
}

/// Adds the first entries of all below their holder.
pub(super) fn first_of_all(
    holder: &EntryPlace<'_>,
    sort: CollectionKind,
    text: &[u8],
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let (piece, text) = insert_entries(holder, sort, text)?;
    ties::check_content(holder, &piece)?;
    let (lead, value) = (holder.entry.lead, holder.entry.value);
    let own = holder.column(holder.entry.span.start);
    let edits = match (&holder.entry.step, holder.entry.parent) {
        (_, None) => vec![EditKind::replace(
            value,
            holder.fitted_behind(&text, Vec::new(), indent)?,
        )],
        (KeySegment::Item(_), Some(_)) => {
            let base = [own.as_slice(), b"  "].concat();
            let ready = holder.fitted_behind(&text, base, indent)?;
            vec![EditKind::replace(
                Span::new(lead, value.end.max(lead)),
                [b" ".as_slice(), &ready].concat(),
            )]
        }
        (KeySegment::Key(_), Some(_)) => insert_below(holder, sort, &text, indent)?,
    };
    Ok(Planned {
        edits,
        change: KeyChange::Added {
            holder: holder.at,
            place: 0,
            new: piece.new_entries(),
        },
    })
}

/// Takes a value away from its key's line and puts lines below that.
fn insert_below(
    site: &EntryPlace<'_>,
    sort: CollectionKind,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let (lead, value) = (site.entry.lead, site.entry.value);
    let base = deeper_indentation(site, sort);
    let content = site.fitted_lines(text, base, None, indent)?;
    let end = value.end.max(lead);
    let mut edits = Vec::new();
    if end > lead {
        edits.push(EditKind::replace(Span::new(lead, end), Vec::new()));
    }
    let at = site.line_end(end);
    if at == end {
        // What goes and what comes touch: one splice.
        let lines = [site.ending(), content].concat();
        return Ok(vec![EditKind::replace(Span::new(lead, end), lines)]);
    }
    edits.push(EditKind::Insert(Insertion {
        at,
        before: site.ending(),
        content,
        ..Insertion::default()
    }));
    Ok(edits)
}

/// Adds entries at `place` among others.
pub(super) fn insert_in_block(
    holder: &EntryPlace<'_>,
    sort: CollectionKind,
    place: usize,
    beside: Option<(usize, Position)>,
    text: &[u8],
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let (piece, text) = insert_entries(holder, sort, text)?;
    ties::check_content(holder, &piece)?;
    check_new(holder, &piece)?;
    let behind =
        matches!(beside, Some((_, Position::After))) || place >= holder.entry.children.len();
    let neighbour = if behind {
        place.checked_sub(1).and_then(|ahead| holder.child(ahead))
    } else {
        holder.child(place)
    };
    let Some(neighbour) = neighbour else {
        return Err(holder.has_no_inside());
    };
    let base = neighbour.column(neighbour.entry.span.start);
    let gap = line_endings(
        holder.document,
        neighbour.entry.span.start,
        1 + blank_lines_between(holder),
    );
    let lines = lines_of(&neighbour);
    let insertion = if behind {
        let content = neighbour.fitted_lines(&text, base, None, indent)?;
        Insertion {
            at: lines.end,
            before: gap,
            content,
            ..Insertion::default()
        }
    } else if neighbour.begins_line(neighbour.entry.start()) {
        let content = neighbour.fitted_lines(&text, base, None, indent)?;
        Insertion {
            at: lines.start,
            content,
            after: gap,
            ..Insertion::default()
        }
    } else {
        let content = neighbour.fitted_behind(&text, base.clone(), indent)?;
        Insertion {
            at: neighbour.entry.span.start,
            content,
            after: [gap, base].concat(),
            ..Insertion::default()
        }
    };
    let change = KeyChange::Added {
        holder: holder.at,
        place,
        new: piece.new_entries(),
    };
    Ok(Planned {
        edits: vec![EditKind::Insert(insertion)],
        change,
    })
}

/// Returns how many blank lines stand between any two entries at least.
fn blank_lines_between(holder: &EntryPlace<'_>) -> usize {
    let children: Vec<EntryPlace<'_>> = holder
        .entry
        .children
        .iter()
        .filter_map(|&child| holder.beside(child))
        .collect();
    let blank = |pair: &[EntryPlace<'_>]| {
        let [upper, lower] = pair else { return 0 };
        let between = holder
            .bytes()
            .get(lines_of(upper).end..lower.entry.start())
            .unwrap_or_default();
        if is_blank(between) {
            between
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count()
                .saturating_sub(1)
        } else {
            0
        }
    };
    children.windows(2).map(blank).min().unwrap_or(0)
}

/// Returns the lines of an entry: with the comments above, the one behind it, and those below that are indented deeper.
fn lines_of(site: &EntryPlace<'_>) -> Span {
    let start = site.entry.start();
    let start = if site.begins_line(start) {
        site.line_start(start)
    } else {
        start
    };
    let depth = site.column(site.entry.span.start).len();
    let lines = site.document.lines();
    let mut end = site.line_end(site.entry.span.end);
    let mut line = lines.line(site.entry.span.end) + 1;
    while line <= lines.count() {
        let content = lines.content(site.bytes(), line);
        let text = content.of(site.bytes());
        if !text.trim_ascii_start().starts_with(b"#") || leading_blank(text).len() <= depth {
            break;
        }
        end = content.end;
        line += 1;
    }
    Span::new(start, end)
}

/// Removes an entry; the last one leaves an empty collection behind, because nothing would be no collection.
pub(super) fn delete_in_block(
    site: &EntryPlace<'_>,
    holder: &EntryPlace<'_>,
    sort: CollectionKind,
) -> Vec<EditKind> {
    let lines = lines_of(site);
    let own_lines = site.begins_line(site.entry.start());
    if holder.entry.children.len() == 1 {
        let empty: &[u8] = if sort == CollectionKind::Map {
            b"{}"
        } else {
            b"[]"
        };
        return match (own_lines, holder.entry.parent) {
            (true, Some(_)) => vec![
                EditKind::Insert(Insertion {
                    at: holder.entry.lead,
                    content: [b" ".as_slice(), empty].concat(),
                    ..Insertion::default()
                }),
                delete_bare_lines(lines),
            ],
            (true, None) => vec![EditKind::replace(lines, empty.to_vec())],
            (false, _) => vec![EditKind::replace(
                Span::new(site.entry.span.start, lines.end),
                empty.to_vec(),
            )],
        };
    }
    if own_lines {
        return vec![delete_lines(lines)];
    }
    let next = holder
        .child(site.position() + 1)
        .map_or(lines.end, |next| next.entry.start());
    vec![EditKind::replace(
        Span::new(site.entry.span.start, next),
        Vec::new(),
    )]
}

/// Puts a value in the place of another.
pub(super) fn replace_value_in_block(
    site: &EntryPlace<'_>,
    piece: &Piece,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let old = to_line_end(site, site.entry.value);
    let new = piece.top().map_or(ValueForm::Plain, |top| top.form);
    let lead_line = site
        .document
        .lines()
        .line(site.entry.lead.saturating_sub(1));
    let on_line = old.is_empty() || site.document.lines().line(old.start) == lead_line;
    if let ValueForm::Block(sort) = new {
        return replace_by_collection(site, sort, text, on_line, indent);
    }
    let (ready, tail) = if new == ValueForm::Text {
        (text_block(site, text, indent), Vec::new())
    } else {
        replace_by_scalar(site, piece, text, indent)?
    };
    let tail = match tail.as_slice() {
        [] => sign_comment(site, &ready),
        _ => tail,
    };
    if on_line || !matches!(site.entry.form, ValueForm::Block(_)) {
        let standing = if old.is_empty() {
            Span::at(site.entry.lead)
        } else {
            old
        };
        let ready = if old.is_empty() {
            [b" ".as_slice(), &ready].concat()
        } else {
            ready
        };
        if new == ValueForm::Text {
            return Ok(around_the_rest(site, standing, &with_tail(ready, &tail), 0));
        }
        if site.entry.form == ValueForm::Text {
            return Ok(vec![EditKind::replace(standing, with_tail(ready, &tail))]);
        }
        return Ok([EditKind::replace(standing, ready)]
            .into_iter()
            .chain(flow::tail_of(site, &tail)?)
            .collect());
    }
    let (lead, line_end) = (site.entry.lead, site.line_end(site.entry.lead));
    let ready = [b" ".as_slice(), &with_tail(ready, &tail)].concat();
    let cut = ready
        .iter()
        .position(|&byte| byte == b'\n')
        .filter(|_| new == ValueForm::Text)
        .unwrap_or(ready.len());
    let (head, lines) = ready.split_at(cut);
    let (below, end) = if new == ValueForm::Text {
        below_text(site)
    } else {
        (Vec::new(), old.end)
    };
    let kept = is_blank(site.bytes().get(lead..line_end).unwrap_or_default()) || !tail.is_empty();
    if kept || head.windows(2).any(|pair| pair == b" #") {
        return Ok(vec![EditKind::replace(
            Span::new(lead, end),
            [&ready, below.as_slice()].concat(),
        )]);
    }
    let lines = [lines, &below].concat();
    Ok(vec![
        EditKind::replace(Span::at(lead), head.to_vec()),
        EditKind::replace(Span::new(line_end, end), lines),
    ])
}

/// Returns a value without the last line break and the blanks before the next word: a block of text with `+` may reach to that.
fn to_line_end(site: &EntryPlace<'_>, value: Span) -> Span {
    let text = value.of(site.bytes());
    let words = text.trim_ascii_end().len();
    let rest = Span::new(value.end, site.line_end(value.end));
    let broken = memchr::memrchr(b'\n', &text[words..])
        .filter(|_| words > 0 && !is_blank(rest.of(site.bytes())));
    broken.map_or(value, |at| {
        let end = words + at;
        let end = end - usize::from(text[..end].ends_with(b"\r"));
        Span::new(value.start, value.start + end)
    })
}

/// Returns what brings a comment behind the last line of the old value onto a line of its own, below a block of text that
/// would have it for one of its lines; and the end of what goes.
fn below_text(site: &EntryPlace<'_>) -> (Vec<u8>, usize) {
    let end = site.entry.value.end;
    let line_end = site.line_end(end);
    if is_blank(site.bytes().get(end..line_end).unwrap_or_default()) {
        return (Vec::new(), line_end);
    }
    let column = site.column(site.entry.span.start);
    (
        [
            site.ending().as_slice(),
            &column[..column.len().saturating_sub(1)],
        ]
        .concat(),
        end,
    )
}

/// Returns the comment behind the sign of the block of text that stands there, with the blanks ahead of it, when the new value has
/// none.
fn sign_comment(site: &EntryPlace<'_>, ready: &[u8]) -> Vec<u8> {
    let first = |text: &[u8]| {
        text.split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default()
            .trim_ascii_end()
            .to_vec()
    };
    let comment = |line: &[u8]| {
        let at = line.windows(2).position(|pair| pair == b" #")?;
        Some(line[line[..at].trim_ascii_end().len()..].to_vec())
    };
    let signed = |text: &[u8]| matches!(text.first(), Some(b'|' | b'>'));
    if site.entry.form != ValueForm::Text || signed(ready) && comment(&first(ready)).is_some() {
        return Vec::new();
    }
    comment(&first(site.entry.value.of(site.bytes()))).unwrap_or_default()
}

/// Puts a comment behind the first line of a block of text, or behind the last of anything else.
fn with_tail(ready: Vec<u8>, tail: &[u8]) -> Vec<u8> {
    if tail.is_empty() {
        return ready;
    }
    let first = ready.trim_ascii_start().first();
    let signed = matches!(first, Some(b'|' | b'>' | b'!')) && ready.contains(&b'\n');
    let end = if signed {
        ready.iter().position(|&byte| byte == b'\n')
    } else {
        None
    }
    .unwrap_or(ready.len());
    let end = end - usize::from(ready[..end].ends_with(b"\r"));
    [&ready[..end], tail, &ready[end..]].concat()
}

/// A mapping or a list in the place of a value.
fn replace_by_collection(
    site: &EntryPlace<'_>,
    sort: CollectionKind,
    text: &[u8],
    on_line: bool,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let old = site.entry.value;
    let is_key = matches!(site.entry.step, KeySegment::Key(_));
    if !old.is_empty() && site.begins_line(old.start) && !on_line {
        let (tail, end) = if has_texts(text) {
            below_text(site)
        } else {
            (Vec::new(), old.end)
        };
        let lines = Span::new(site.line_start(old.start), old.end);
        let (own, standing) = (site.column(site.entry.span.start), site.column(old.start));
        // A list may stand in its key's column, a mapping may not.
        let level = is_key && sort == CollectionKind::Map && standing.len() <= own.len();
        let base = if level {
            deeper_indentation(site, sort)
        } else {
            standing
        };
        let ready = site.fitted_lines(text, base, Some(lines), indent)?;
        return Ok(vec![EditKind::replace(
            Span::new(lines.start, end),
            [ready, tail].concat(),
        )]);
    }
    if is_key {
        return insert_below(site, sort, text, indent);
    }
    if old.is_empty() {
        let base = [site.column(site.entry.span.start), b"  ".to_vec()].concat();
        let ready = [b" ".to_vec(), site.fitted_behind(text, base, indent)?].concat();
        return Ok(around_the_rest(site, Span::at(site.entry.lead), &ready, 0));
    }
    let ready = site.fitted(text, site.column(old.start), Some(old), indent, false)?;
    // Behind a block of text a comment would be one of its lines.
    Ok(if has_texts(text) {
        around_the_rest(site, old, &ready, 0)
    } else {
        vec![EditKind::replace(old, ready)]
    })
}

fn has_texts(text: &[u8]) -> bool {
    yaml::fragment(text).is_ok_and(|tree| {
        tree.entries
            .iter()
            .any(|entry| entry.form == ValueForm::Text)
    })
}

/// Returns the indentation of what stands below a key.
fn deeper_indentation(site: &EntryPlace<'_>, sort: CollectionKind) -> Vec<u8> {
    let step = relaid::usual_step(site, sort);
    let step = if sort == CollectionKind::Map {
        step.max(1)
    } else {
        step
    };
    [site.column(site.entry.span.start), vec![b' '; step]].concat()
}

/// A word, a string or brackets, and the comment behind it; further lines are indented deeper than the key.
fn replace_by_scalar(
    site: &EntryPlace<'_>,
    piece: &Piece,
    text: &[u8],
    indent: Indent,
) -> Result<(Vec<u8>, Vec<u8>), Diagnostic> {
    let (body, tail) = match piece.is_bare() {
        true => (text.to_vec(), Vec::new()),
        false => piece.value_and_tail().ok_or_else(flow::comment_beside)?,
    };
    if !body.contains(&b'\n') {
        return Ok((body, tail));
    }
    let prefix = chosen_prefix(indent, || {
        [site.column(site.entry.span.start), site.step()].concat()
    });
    Ok((
        with_file_endings(
            site,
            &prefix.map_or(body.clone(), |prefix| with_prefix_on_lines(&body, &prefix)),
        ),
        tail,
    ))
}

/// Returns lines that take the place of a block of text, below the sign of that; `None` where they are to be a value as they
/// are written. Without a sign YAML would make one line of them.
pub(super) fn with_sign(site: &EntryPlace<'_>, text: &[u8], indent: Indent) -> Option<Vec<u8>> {
    let old = site.entry.value.of(site.bytes());
    let is_mark = |byte: &u8| matches!(byte, b'|' | b'>' | b'+' | b'-');
    let mut sign: Vec<u8> = old
        .iter()
        .copied()
        .take_while(|byte| is_mark(byte) || byte.is_ascii_digit())
        .filter(is_mark)
        .collect();
    if site.entry.form != ValueForm::Text || sign.is_empty() || !are_bare_lines(site, text) {
        return None;
    }
    // A tag says what the lines are: `!Sub |` without it is another text.
    if let Some(tag) = site.entry.tag {
        sign = [tag.of(site.bytes()), b" ", &sign[..]].concat();
    }
    let lines = || text.split(|&byte| byte == b'\n');
    let depths = lines()
        .filter(|line| !is_blank(line))
        .map(|line| leading_blank(line).len());
    let margin = depths.clone().min().unwrap_or(0);
    let (margin, below): (usize, &[u8]) = match indent {
        Indent::Keep => (0, b""),
        Indent::Auto | Indent::Spaces(_) => (margin, b"  "),
    };
    // A first line that is deeper than the others would have them end the block.
    if depths.clone().next() > depths.min() {
        sign.push(b'2');
    }
    for line in lines() {
        sign.push(b'\n');
        if !is_blank(line) {
            sign.extend_from_slice(below);
            sign.extend_from_slice(&line[margin.min(line.len())..]);
        }
    }
    Some(sign)
}

/// Refuses bare lines for a value in one line: YAML would make one line of them, and mostly they are meant to stay lines. And entries or
/// items for a block of text, which may be YAML itself: a text would be none any more.
pub(super) fn check_lines(site: &EntryPlace<'_>, text: &[u8]) -> Result<(), Diagnostic> {
    if site.format == KeyFormat::Yaml && site.entry.form == ValueForm::Text {
        let piece = Piece::value(site, text).ok();
        let form = piece.as_ref().and_then(Piece::top).map(|top| top.form);
        let Some(ValueForm::Block(_)) = form else {
            return Ok(());
        };
        let message = format!("entries for {}, a block of text", site.address());
        return Err(Diagnostic::new(Code::Unsupported, message).note(
            "below a sign of the content's own, `|`, they are lines of the text; below the key, in the content, they are its value",
        ));
    }
    let is_line = !site.entry.value.of(site.bytes()).contains(&b'\n');
    let is_value = site.entry.form == ValueForm::Plain && !site.is_in_flow();
    if site.format != KeyFormat::Yaml || !is_value || !is_line || !are_bare_lines(site, text) {
        return Ok(());
    }
    let message = format!("several lines for {}, a value in one line", site.address());
    Err(Diagnostic::new(Code::Unsupported, message).note(
        "a sign of the content's own says what becomes of them: below `|` they stay lines, below `>` they are one",
    ))
}

/// Says whether content is words alone that go on over several lines: nothing around them tells that one line is meant. Lines that are
/// no YAML at all, as those of a shell may be (`echo "a: b"`), are nothing else.
fn are_bare_lines(site: &EntryPlace<'_>, text: &[u8]) -> bool {
    let words = text.trim_ascii();
    let piece = match Piece::value(site, text) {
        Ok(piece) => piece,
        Err(why) => {
            let is_signed = matches!(words.first(), Some(b'|' | b'>'));
            return why.code == Code::SyntaxError && !is_signed && words.contains(&b'\n');
        }
    };
    piece.top().is_some_and(|top| {
        top.form == ValueForm::Plain
            && top.tag.is_none()
            && !matches!(words.first(), Some(b'"' | b'\'' | b'&' | b'*' | b'!'))
            && words.contains(&b'\n')
    })
}

/// A block of text: its lines stand below its sign, as deep as those that it takes the place of.
fn text_block(site: &EntryPlace<'_>, text: &[u8], indent: Indent) -> Vec<u8> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let sign = lines.next().unwrap_or_default();
    let lines: Vec<&[u8]> = lines.collect();
    let counted = sign
        .iter()
        .skip_while(|&&byte| !matches!(byte, b'|' | b'>'))
        .take_while(|&&byte| byte != b'#')
        .any(u8::is_ascii_digit);
    let own = site.column(site.entry.span.start);
    let margin = lines
        .iter()
        .filter(|line| !is_blank(line))
        .map(|line| leading_blank(line).len())
        .min()
        .unwrap_or(0);
    let (margin, usual) = if counted {
        (0, own)
    } else {
        (margin, standing_depth(site, &own))
    };
    let Some(prefix) = chosen_prefix(indent, || usual) else {
        return with_file_endings(site, text);
    };
    let mut ready = sign.to_vec();
    for line in lines {
        ready.push(b'\n');
        let rest = line.get(margin.min(line.len())..).unwrap_or_default();
        if !rest.is_empty() {
            ready.extend_from_slice(&prefix);
            ready.extend_from_slice(rest);
        }
    }
    with_file_endings(site, &ready)
}

/// Returns the indentation of the lines of a block of text that stands there, else one step more than the key's.
fn standing_depth(site: &EntryPlace<'_>, own: &[u8]) -> Vec<u8> {
    let old = site.entry.value.of(site.bytes());
    let mut lines = old
        .split(|&byte| byte == b'\n')
        .skip(1)
        .filter(|line| !is_blank(line));
    match lines.next() {
        Some(first) if site.entry.form == ValueForm::Text => leading_blank(first).to_vec(),
        Some(_) | None => [own, &site.step()].concat(),
    }
}

/// Returns what lines behind the first begin with; `None` when they stay as they are.
fn chosen_prefix(indent: Indent, usual: impl FnOnce() -> Vec<u8>) -> Option<Vec<u8>> {
    match indent {
        Indent::Auto => Some(usual()),
        Indent::Keep => None,
        Indent::Spaces(count) => Some(vec![b' '; count]),
    }
}

fn with_file_endings(site: &EntryPlace<'_>, text: &[u8]) -> Vec<u8> {
    LineEnding::at(site.bytes(), site.entry.span.start)
        .write(text)
        .into_owned()
}

/// Returns text whose lines behind the first begin with `prefix`, blank ones excepted.
fn with_prefix_on_lines(text: &[u8], prefix: &[u8]) -> Vec<u8> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let mut ready = lines.next().unwrap_or_default().to_vec();
    for line in lines {
        ready.push(b'\n');
        if !line.is_empty() {
            ready.extend_from_slice(prefix);
            ready.extend_from_slice(line);
        }
    }
    ready
}
