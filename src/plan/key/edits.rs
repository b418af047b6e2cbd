//! One entry of a configuration file is replaced, added or removed.

use super::entries::{around_the_rest, is_comment, without_comma};
use super::meaning::KeyedValue;
use super::piece::Piece;
use super::planned::{KeyChange, Planned};
use super::site::EntryPlace;
use super::{block, flow, proof, table, ties};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Indent, Part, Position, Verb};
use crate::plan::content;
use crate::plan::edit::EditKind;
use crate::resolve::{Reading, key};
use crate::syntax::keys::{CollectionKind, KeyEntry, KeyFormat, KeySegment, ValueForm};
use crate::syntax::yaml;
use crate::text::{LineEnding, Span, is_blank};

/// Returns what `verb` does to the entry with this number. What that makes of the file is not looked at here (`compose_together`).
pub fn plan_key_edit(reading: &Reading<'_>, at: usize, verb: &Verb) -> Result<Planned, Diagnostic> {
    match verb {
        Verb::Replace {
            part,
            content,
            indent,
            ..
        } => replace_entry(reading, at, *part, content, indent.unwrap_or(Indent::Auto)),
        Verb::Insert {
            position,
            content,
            indent,
            ..
        } => insert_entry(
            reading,
            at,
            *position,
            content,
            indent.unwrap_or(Indent::Auto),
        ),
        Verb::Delete { part, .. } => delete_entry(reading, at, *part),
        Verb::Substitute { .. }
        | Verb::Create { .. }
        | Verb::Remove { .. }
        | Verb::Chmod { .. }
        | Verb::Rename { .. }
        | Verb::Import { .. }
        | Verb::Unimport { .. }
        | Verb::RenameFile { .. }
        | Verb::Move { .. } => Err(Diagnostic::new(
            Code::Unsupported,
            "a key is replaced, deleted, or inserted beside",
        )),
    }
}

/// Puts `content` in the place of the entry's value, or of the entry when it begins with its key.
fn replace_entry(
    reading: &Reading<'_>,
    at: usize,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let site = EntryPlace::of(reading, at)?;
    site.check_plain()?;
    ties::check_value(&site)?;
    let text = content_as_given(&site, content);
    if text.is_empty() {
        return Err(Diagnostic::new(
            Code::Unsupported,
            format!("{} cannot hold nothing", site.address()),
        )
        .note("`delete` removes the key; an empty text is written as \"\""));
    }
    let standing = site.entry.tagged().of(site.bytes());
    if site.entry.regions.is_empty() && *LineEnding::Lf.write(standing) == *text {
        let value =
            KeyedValue::of(site.tree, site.bytes(), at).ok_or_else(|| site.has_no_inside())?;
        let edits = vec![EditKind::replace(site.entry.tagged(), standing.to_vec())];
        return Ok(Planned {
            edits,
            change: KeyChange::Replaced { at, value },
        });
    }
    let text = block::with_first_indentation(&site, text);
    let keyed = if part == Some(Part::Body) {
        None
    } else {
        Piece::with_key(&site, &text)?
    };
    let (edits, says) = match &keyed {
        Some(piece) => {
            ties::check_content(&site, piece)?;
            whole_entry(&site, piece, &text, part, indent)?
        }
        None => {
            let text = block::with_sign(&site, &text, indent).unwrap_or(text);
            block::check_lines(&site, &text)?;
            let (mut edits, says) = replace_value(&site, &text, indent)?;
            edits.extend(
                site.entry
                    .tag
                    .map(|tag| EditKind::replace(site.with_blanks(tag), Vec::new())),
            );
            if part == Some(Part::Whole) {
                edits.extend(comments_above(&site));
            }
            (edits, says)
        }
    };
    let value = says.ok_or_else(|| site.has_no_inside())?;
    Ok(Planned {
        edits,
        change: KeyChange::Replaced { at, value },
    })
}

/// Returns content without blank lines around it, but for those that a block of text at its end keeps.
fn content_as_given(site: &EntryPlace<'_>, content: &str) -> Vec<u8> {
    let mut text = content::trim_to_block(content);
    // The blanks at the end of a value are those of its line.
    text.truncate(
        text.iter()
            .rposition(|byte| !matches!(byte, b' ' | b'\t'))
            .map_or(0, |at| at + 1),
    );
    let all = LineEnding::Lf.write(content.as_bytes());
    let blank = all.iter().rev().take_while(|&&byte| byte == b'\n').count();
    if site.format != KeyFormat::Yaml || blank < 2 {
        return text;
    }
    let kept = [text.clone(), vec![b'\n'; blank - 1]].concat();
    let says = |text: &[u8]| {
        Some([text, b"\n"].concat()).and_then(|text| Some((yaml::fragment(&text).ok()?, text)))
    };
    match (says(&text), says(&kept)) {
        (Some(one), Some(other))
            if !proof::say_the_same(site.format, (&one.0, &one.1), (&other.0, &other.1)) =>
        {
            kept
        }
        _ => text,
    }
}

/// Takes away the comment lines above an entry.
fn comments_above(site: &EntryPlace<'_>) -> Option<EditKind> {
    let (first, last) = site
        .entry
        .comments
        .first()
        .zip(site.entry.comments.last())?;
    (site.entry.regions.is_empty() && site.begins_line(site.entry.span.start)).then(|| {
        crate::plan::remove::delete_bare_lines(Span::new(
            site.line_start(first.start),
            site.line_end(last.end),
        ))
    })
}

/// Edits, with what the value says then.
type Valued = (Vec<EditKind>, Option<KeyedValue>);

fn replace_value(site: &EntryPlace<'_>, text: &[u8], indent: Indent) -> Result<Valued, Diagnostic> {
    if site.entry.regions.is_empty() {
        let piece = Piece::value(site, text)?;
        ties::check_content(site, &piece)?;
        let edits = match site.holder().map(|holder| holder.entry.form) {
            Some(ValueForm::Block(_)) => block::replace_value_in_block(site, &piece, text, indent)?,
            Some(_) | None => flow::replace_value_in_flow(site, &piece, text, indent)?,
        };
        return Ok((edits, piece.says()));
    }
    Ok((
        table::replace_table_body(site, text, indent)?,
        table::meaning_of_table(site, text, false)?,
    ))
}

/// The entry with its key, as the content writes it.
fn whole_entry(
    site: &EntryPlace<'_>,
    piece: &Piece,
    text: &[u8],
    part: Option<Part>,
    indent: Indent,
) -> Result<Valued, Diagnostic> {
    if !site.entry.regions.is_empty() {
        return Ok((
            table::replace_whole_table(site, text, part, indent)?,
            table::meaning_of_table(site, text, true)?,
        ));
    }
    let says = piece.entry_says();
    let separated = site.is_in_flow();
    let commented = part == Some(Part::Whole) || piece.begins_with_comments();
    let start = if commented {
        site.entry.start()
    } else {
        site.entry.span.start
    };
    let (body, mut tail) = piece.body_and_tail();
    let old_end = site.entry.span.end;
    let fresh = site.begins_line(start);
    let start = if fresh { site.line_start(start) } else { start };
    let base = site.column(site.entry.span.start);
    let mut edits = Vec::new();
    let rest_end = site.line_end(old_end);
    let rest = site.bytes().get(old_end..rest_end).unwrap_or_default();
    // Comments on both sides of the comma, given as they are, stay as they are.
    if separated && piece.after_entries().trim_ascii() == rest.trim_ascii() {
        tail.clear();
    }
    // Blanks behind a comment are none of it: content is read without those at its end.
    let comment_end = if is_blank(rest) {
        rest_end
    } else {
        old_end + rest.trim_ascii_end().len()
    };
    if separated || tail.is_empty() {
        let old = Span::new(start, old_end);
        let ready = site.fitted(&body, base, Some(old), indent, fresh)?;
        // Behind a block of text a comment would be one of its lines, and behind what was one line it is the key's.
        let one_line = site.line_start(site.entry.span.start) == site.line_start(old_end)
            && is_comment(site, rest);
        let texts = piece
            .all()
            .iter()
            .any(|entry| entry.form == ValueForm::Text);
        if let (false, true, Some(line)) = (separated, one_line || texts, piece.opening_line()) {
            return Ok((around_the_rest(site, old, &ready, line), says));
        }
        edits.push(EditKind::replace(old, ready));
        // A comment behind the content takes the place of the one that stands there.
        if !tail.is_empty() {
            if !is_comment(site, rest) && !is_blank(without_comma(rest)) {
                return Err(flow::comment_beside());
            }
            let comma = rest.len() - without_comma(rest).len();
            edits.push(EditKind::replace(
                Span::new(old_end + comma, comment_end),
                tail,
            ));
        }
        return Ok((edits, says));
    }
    let end = if is_comment(site, rest) || is_blank(rest) {
        comment_end
    } else {
        old_end
    };
    let old = Span::new(start, end);
    let ready = site.fitted(text, base, Some(old), indent, fresh)?;
    edits.push(EditKind::replace(old, ready));
    Ok((edits, says))
}

/// Adds `content` beside the entry or inside of it.
fn insert_entry(
    reading: &Reading<'_>,
    at: usize,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Planned, Diagnostic> {
    let site = EntryPlace::of(reading, at)?;
    let text = content_as_given(&site, content);
    if text.is_empty() {
        return Ok(Planned {
            edits: Vec::new(),
            change: KeyChange::Added {
                holder: at,
                place: 0,
                new: Vec::new(),
            },
        });
    }
    let position = position.unwrap_or(Position::After);
    let inside = matches!(position, Position::First | Position::Last);
    let holder = if inside {
        site.beside(at)
    } else {
        site.holder()
    };
    let Some(holder) = holder else {
        return Err(Diagnostic::new(
            Code::Unsupported,
            "nothing stands beside a whole document",
        ));
    };
    holder.check_readable()?;
    ties::check_around(&holder)?;
    check_has_no_own_key(&holder, &text, inside)?;
    check_has_no_brackets(&holder, &text)?;
    let place = match position {
        Position::First => 0,
        Position::Last => holder.entry.children.len(),
        Position::Before => site.position(),
        Position::After => site.position() + 1,
    };
    let beside = (!inside).then_some((at, position));
    let planned = match holder.entry.form {
        ValueForm::Table | ValueForm::Implied | ValueForm::Tables => {
            table::insert_in_table(&holder, place, beside, &text, indent)?
        }
        ValueForm::Flow(sort)
            if holder.entry.children.is_empty() && block::opens_block(&holder) =>
        {
            block::first_of_all(&holder, sort, &text, indent)?
        }
        ValueForm::Flow(sort) => flow::insert_in_flow(&holder, sort, place, beside, &text, indent)?,
        ValueForm::Block(sort) => {
            block::insert_in_block(&holder, sort, place, beside, &text, indent)?
        }
        ValueForm::Nothing if block::opens_block(&holder) => {
            block::first_of_all(&holder, block::sort_of(&text), &text, indent)?
        }
        ValueForm::Plain | ValueForm::Text | ValueForm::Alias | ValueForm::Nothing => {
            return Err(holder.has_no_inside());
        }
    };
    Ok(planned)
}

/// Refuses content for the inside of an entry that is the entry itself: its key, or the keys from the top of the file on, and below them
/// what is to be inside. Beside another a mapping may have the name of the one that holds both.
fn check_has_no_own_key(
    holder: &EntryPlace<'_>,
    text: &[u8],
    inside: bool,
) -> Result<(), Diagnostic> {
    let KeySegment::Key(key) = &holder.entry.step else {
        return Ok(());
    };
    let sort = collection_of(holder.entry.form);
    let is_table = holder.entry.form == ValueForm::Table;
    if sort.is_none() && !is_table {
        return Ok(());
    }
    let is_own = || {
        let sort = sort?;
        let own = Piece::with_key(holder, text).ok().flatten();
        Some(own?.written().next().is_some_and(|it| holds(it, sort)))
    };
    let may_be_own = inside || sort == Some(CollectionKind::List);
    if !(may_be_own && is_own() == Some(true) || begins_at_top(holder, sort, text)) {
        return Ok(());
    }
    let message = format!(
        "the content begins with the key `{}`, and would be put inside of it",
        shown(key)
    );
    Err(Diagnostic::new(Code::Unsupported, message).note(
        "give only what is to be inside, without the key around it; a key of the same name goes there with `part: body` of the whole, or beside another by its name",
    ))
}

/// Returns what sort of collection it is that is written with entries of its own; a table is none here.
fn collection_of(form: ValueForm) -> Option<CollectionKind> {
    match form {
        ValueForm::Block(sort) | ValueForm::Flow(sort) => Some(sort),
        _ => None,
    }
}

/// Says whether an entry is a collection of that sort, and holds something.
fn holds(entry: &KeyEntry, sort: CollectionKind) -> bool {
    collection_of(entry.form) == Some(sort) && !entry.children.is_empty()
}

/// Says whether content has all keys from the top of the file to `holder`, each with nothing else in it than the next.
fn begins_at_top(holder: &EntryPlace<'_>, sort: Option<CollectionKind>, text: &[u8]) -> bool {
    let form = match holder.format {
        KeyFormat::Yaml => ValueForm::Block(CollectionKind::Map),
        KeyFormat::Json | KeyFormat::Jsonc => ValueForm::Flow(CollectionKind::Map),
        // The header of a table has the whole way in it.
        KeyFormat::Toml if text.trim_ascii_start().starts_with(b"[") => return false,
        KeyFormat::Toml => ValueForm::Table,
    };
    let up = std::iter::successors(Some(holder.entry), |entry| holder.tree.get(entry.parent?));
    let mut way: Vec<&KeySegment> = up
        .filter(|entry| entry.parent.is_some())
        .map(|entry| &entry.step)
        .collect();
    let Ok(piece) = Piece::entries(holder, form, text) else {
        return false;
    };
    let Some(mut holding) = piece.top() else {
        return false;
    };
    while let Some(step) = way.pop() {
        let next = match holding.children[..] {
            [only] => piece.all().get(only).filter(|entry| entry.step == *step),
            _ => None,
        };
        let Some(next) = next else {
            return false;
        };
        holding = next;
    }
    match sort {
        Some(sort) => holds(holding, sort),
        None => !holding.children.is_empty(),
    }
}

/// Refuses a list in brackets as an item beside those that are all plain, or all mappings, as its own are: what is meant are its items.
fn check_has_no_brackets(holder: &EntryPlace<'_>, text: &[u8]) -> Result<(), Diagnostic> {
    let is_plain = |entry: &KeyEntry| entry.form == ValueForm::Plain;
    let is_mapping = |entry: &KeyEntry| collection_of(entry.form) == Some(CollectionKind::Map);
    let items = &holder.entry.children;
    let all = |is_so: &dyn Fn(&KeyEntry) -> bool| {
        items
            .iter()
            .all(|&item| holder.tree.get(item).is_some_and(is_so))
    };
    let is_list = collection_of(holder.entry.form) == Some(CollectionKind::List);
    let (are_plain, are_mappings) = (all(&is_plain), all(&is_mapping));
    let first = holder
        .child(0)
        .filter(|_| is_list && (are_plain || are_mappings));
    let Some(piece) = first.and_then(|first| Piece::value(&first, text).ok()) else {
        return Ok(());
    };
    let is_in_brackets = piece.top().is_some_and(|top| {
        let mut inner = top.children.iter().filter_map(|&at| piece.all().get(at));
        top.form == ValueForm::Flow(CollectionKind::List)
            && !top.children.is_empty()
            && inner.all(|item| {
                if are_plain {
                    is_plain(item)
                } else {
                    is_mapping(item)
                }
            })
    });
    if !is_in_brackets {
        return Ok(());
    }
    let message = format!(
        "the content is a list in brackets, and would be one item of {}",
        holder.address()
    );
    Err(Diagnostic::new(Code::Unsupported, message).note(
        "give the items without brackets around them; a list among such items goes there with `part: body` of the whole",
    ))
}

/// Adds `content` at the start or the end of a file whose entries stand between brackets, of which both are outside; `None` of any
/// other file, to which it is added as it is. Refuses what would stand in another table of TOML than at the top.
pub fn insert_into_tree(
    reading: &Reading<'_>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Option<Result<Planned, Diagnostic>> {
    let [root] = key::tree(reading).ok()?.roots[..] else {
        return None;
    };
    let site = EntryPlace::of(reading, root).ok()?;
    let at_start = matches!(position, Some(Position::First | Position::Before));
    let is_comment = ["//", "/*", "#"]
        .iter()
        .any(|mark| content.trim_start().starts_with(mark));
    match site.entry.form {
        ValueForm::Flow(_) if !is_comment => {
            let position = if at_start {
                Position::First
            } else {
                Position::Last
            };
            Some(insert_entry(reading, root, Some(position), content, indent))
        }
        _ if at_start => None,
        _ => table::check_end(&site, content.as_bytes()).err().map(Err),
    }
}

/// Removes the entry with its separator, its comments and the gap that it leaves.
fn delete_entry(
    reading: &Reading<'_>,
    at: usize,
    part: Option<Part>,
) -> Result<Planned, Diagnostic> {
    let site = EntryPlace::of(reading, at)?;
    site.check_readable()?;
    if part == Some(Part::Body) {
        return Err(
            Diagnostic::new(Code::Unsupported, "a key cannot lose its value alone")
                .note("delete the key, or `replace` its value with an empty one"),
        );
    }
    let Some(holder) = site.holder() else {
        return Err(
            Diagnostic::new(Code::Unsupported, "a whole document is no key")
                .note("`op: remove` deletes the file"),
        );
    };
    ties::check_value(&site)?;
    let edits = match holder.entry.form {
        ValueForm::Flow(_) => {
            let edits = flow::delete_in_flow(&site, &holder);
            flow::check_comments(&site, &edits)?;
            edits
        }
        ValueForm::Block(sort) => block::delete_in_block(&site, &holder, sort),
        ValueForm::Table | ValueForm::Implied | ValueForm::Tables => table::delete_table(&site)?,
        ValueForm::Plain | ValueForm::Text | ValueForm::Alias | ValueForm::Nothing => {
            return Err(holder.has_no_inside());
        }
    };
    Ok(Planned {
        edits,
        change: KeyChange::Deleted { at },
    })
}
