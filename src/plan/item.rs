//! One item of a definition comes, goes or becomes another: a parameter, a base, a decorator, an argument.
//!
//! Which is meant is found by `resolve::items`; how a list is laid out is known by `listing`.

use super::content::{ContentPlace, fit_to_place, trim_to_block};
use super::edit::{EditKind, Insertion};
use super::listing::{Listing, leading_comma};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, ItemName, Part, Position};
use crate::resolve::parts::PartProblem;
use crate::resolve::{Definition, Document, Reading, items, refusal};
use crate::syntax::{ItemKind, ItemList, ListedItem};
use crate::text::splice::Splice;
use crate::text::{LineEnding, Span, is_blank};

/// Returns the edits that put `content` beside the item that `name` means, or at an end of the list.
pub(super) fn insert_item(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    (kind, name): (ItemKind, Option<ItemName>),
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let list = list_of(reading, named, kind)?;
    let beside = match name {
        Some(name) => Some(find(reading, named, &list, kind, name)?),
        None => None,
    };
    if kind == ItemKind::Decorator {
        return insert_decorator(reading, named, &list, beside, position, content, indent);
    }
    let words = words_of(reading, named, kind, content, indent)?;
    let at = match (beside, position) {
        (Some(at), Some(Position::Before)) => at,
        (Some(at), _) => at + 1,
        (None, Some(Position::First)) => first_place(&list),
        (None, _) => last_place(document, &list, kind, &words),
    };
    let edit = added(document, &list, at, &words)?;
    Ok(vec![of_definition(edit, named)])
}

/// Returns the edits that put `content` in the place of the item that `name` means.
pub(super) fn replace_item(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    (kind, name): (ItemKind, Option<ItemName>),
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let list = list_of(reading, named, kind)?;
    let at = chosen(reading, named, &list, kind, name)?;
    let span = list.items[at].span;
    if kind == ItemKind::Decorator {
        let lines = decorator_lines(reading, named, content, span.start, indent)?;
        let own = EditKind::replace(span, lines.trim_ascii_start());
        return Ok(vec![of_definition(own, named)]);
    }
    let words = words_of(reading, named, kind, content, indent)?;
    let span = match begins_with_attribute(&words) {
        true => span,
        false => without_attributes(reading.document, span),
    };
    Ok(vec![of_definition(EditKind::replace(span, words), named)])
}

/// Says whether the content of an item brings attributes along.
fn begins_with_attribute(words: &str) -> bool {
    words.starts_with(['@', '[']) || words.starts_with("#[")
}

/// Returns an item without the attributes that it begins with: who gives a parameter another type says nothing of them.
fn without_attributes(document: &Document, item: Span) -> Span {
    let Some(language) = document.language else {
        return item;
    };
    let attributions = language.grammar.attributions(&document.bytes);
    let mut start = item.start;
    for attribution in attributions {
        let is_next = attribution.attribute.start >= start
            && Span::new(start, attribution.attribute.start)
                .of(&document.bytes)
                .trim_ascii()
                .is_empty();
        if is_next && attribution.of < item.end {
            start = attribution.of;
        }
    }
    Span::new(start, item.end)
}

/// Returns the edits that take the item away that `name` means, with its comma.
pub(super) fn remove_item(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    (kind, name): (ItemKind, Option<ItemName>),
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let list = list_of(reading, named, kind)?;
    let at = chosen(reading, named, &list, kind, name)?;
    if kind == ItemKind::Decorator {
        let whole = document.widened(list.items[at].span);
        if !is_whole_lines(document, whole) {
            return Err(shares_its_line(named, kind));
        }
        let lines = document.lines();
        let end = lines.whole(lines.line(whole.end.saturating_sub(1))).end;
        let gone = EditKind::replace(Span::new(whole.start, end), Vec::new());
        return Ok(vec![of_definition(gone, named)]);
    }
    if let Some(left) = list.items[at].leaves {
        let stays = EditKind::replace(list.items[at].span, left);
        return Ok(vec![of_definition(stays, named)]);
    }
    let (first, last) = with_signs(&list, at, &document.bytes);
    let of_bytes = |span: Span| span.of(&document.bytes);
    if first == 0 && last + 1 == list.items.len() {
        let inside = Span::new(list.brackets.start + 1, list.brackets.end - 1);
        let own = list.items[first].span.cover(list.items[last].span);
        let around = [
            of_bytes(Span::new(inside.start, own.start)),
            of_bytes(Span::new(own.end, inside.end)),
        ];
        let is_bare = around.iter().all(|text| {
            text.iter()
                .all(|byte| byte.is_ascii_whitespace() || *byte == b',')
        });
        if !is_bare {
            return Err(in_the_way(named, kind));
        }
        let gone = match kind {
            // A class without bases has no brackets.
            ItemKind::Base => list.brackets,
            ItemKind::Parameter | ItemKind::Argument | ItemKind::Decorator => inside,
        };
        return Ok(vec![EditKind::replace(gone, Vec::new())]);
    }
    let listing = listing(document, &list, Some((first, last)));
    let splices = listing
        .taken_out(first)
        .ok_or_else(|| in_the_way(named, kind))?;
    let edits = splices.into_iter().map(|splice| {
        let span = with_comments_above(document, &list, first, splice.span);
        EditKind::replace(span, splice.bytes)
    });
    Ok(edits.collect())
}

fn list_of(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    kind: ItemKind,
) -> Result<ItemList, Diagnostic> {
    items::list(reading.document, named.symbol, kind).ok_or_else(|| {
        let problem = PartProblem::NotOfThisKind(Part::Item(kind, None));
        refused(reading, named, problem)
    })
}

fn find(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    list: &ItemList,
    kind: ItemKind,
    name: ItemName,
) -> Result<usize, Diagnostic> {
    items::find(reading.document, list, kind, name)
        .map_err(|problem| refused(reading, named, PartProblem::Item(problem)))
}

/// Returns the place of the item that is named.
fn chosen(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    list: &ItemList,
    kind: ItemKind,
    name: Option<ItemName>,
) -> Result<usize, Diagnostic> {
    match name {
        Some(name) => find(reading, named, list, kind, name),
        None => {
            let problem = items::unnamed(list, Part::Item(kind, None));
            Err(refused(reading, named, PartProblem::Item(problem)))
        }
    }
}

fn refused(reading: &Reading<'_>, named: &Definition<'_>, problem: PartProblem) -> Diagnostic {
    refusal::no_such_part(reading, named, problem).in_field("part")
}

/// Returns the content as it stands in a list: without a comma at its end, its lines indented as the header is.
fn words_of(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    kind: ItemKind,
    content: &str,
    indent: Indent,
) -> Result<String, Diagnostic> {
    let own = content.trim();
    let own = own.strip_suffix(',').unwrap_or(own).trim_end();
    if own.is_empty() {
        let message = format!("the content is no {}", kind.as_str());
        return Err(Diagnostic::new(Code::Unsupported, message).note("`op: delete` takes one away"));
    }
    let document = reading.document;
    let start = named.symbol.signature.start;
    let place = ContentPlace {
        document,
        offset: start,
        base: document.indentation(start).to_vec(),
        unit: None,
        fresh_line: false,
        parent: None,
        old: None,
    };
    let fitted = fit_to_place(&trim_to_block(own), indent, &place)?;
    Ok(String::from_utf8_lossy(&fitted).into_owned())
}

/// Returns the place after what a method is called on.
fn first_place(list: &ItemList) -> usize {
    usize::from(list.items.first().is_some_and(ListedItem::is_receiver))
}

/// Returns the last place that `words` can have.
fn last_place(document: &Document, list: &ItemList, kind: ItemKind, words: &str) -> usize {
    let bytes = &document.bytes;
    // `k: 1`, `k=1`.
    let name = words.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let sign = match kind {
        ItemKind::Parameter => ':',
        _ => '=',
    };
    let is_named = name.len() < words.len() && name.trim_start().starts_with(sign);
    let is_late = |item: &ListedItem| item.takes_the_rest(bytes) || !is_named && item.is_named;
    let late = list.items.iter().rev().take_while(|item| is_late(item));
    list.items.len() - late.count()
}

fn added(
    document: &Document,
    list: &ItemList,
    at: usize,
    words: &str,
) -> Result<EditKind, Diagnostic> {
    let bytes = &document.bytes;
    let brackets = list.brackets;
    if brackets.is_empty() {
        return Ok(EditKind::replace(brackets, format!("({words})")));
    }
    if list.items.is_empty() {
        let inside = Span::new(brackets.start + 1, brackets.end - 1);
        if !is_blank_or_breaks(inside.of(bytes)) && inside.of(bytes).trim_ascii() != b"void" {
            let message = "a comment is alone in the brackets that the content is to go to";
            return Err(
                Diagnostic::new(Code::Unsupported, message).note("replace `part: signature`")
            );
        }
        return Ok(EditKind::replace(inside, words));
    }
    let listing = listing(document, list, None);
    let open_line = document.lines().line(brackets.start);
    let is_broken = document.lines().line(list.items[0].span.start) > open_line;
    let splice = if is_broken && listing.has_a_line_each() {
        let ending = LineEnding::at(bytes, brackets.start).as_bytes();
        let ending = std::str::from_utf8(ending).unwrap_or("\n");
        // Comments above the first item are of that.
        let mut splice = listing.add_line(at, words, ending);
        if at == 0 {
            splice.span = Span::at(document.line_start(open_line + 1));
        }
        splice
    } else {
        listing.add_inline(at, words)
    };
    Ok(as_edit(splice))
}

fn as_edit(splice: Splice) -> EditKind {
    if splice.span.is_empty() {
        EditKind::Insert(Insertion {
            at: splice.span.start,
            content: splice.bytes.to_vec(),
            ..Insertion::default()
        })
    } else {
        EditKind::Replace(splice)
    }
}

/// Returns the list as it is laid out, with the items from `joined.0` to `joined.1` taken for one.
fn listing<'a>(
    document: &'a Document,
    list: &ItemList,
    joined: Option<(usize, usize)>,
) -> Listing<'a> {
    let mut items: Vec<Span> = list.items.iter().map(|item| item.span).collect();
    if let Some((first, last)) = joined {
        let one = items[first].cover(items[last]);
        items.splice(first..=last, [one]);
    }
    Listing {
        bytes: &document.bytes,
        lines: document.lines(),
        items,
        in_brackets: true,
        end: list.brackets.end,
    }
}

/// Returns the range of items that goes with the one at `at`: the signs `*` and `/` of Python, which part nothing without it.
fn with_signs(list: &ItemList, at: usize, source: &[u8]) -> (usize, usize) {
    let is = |at: usize, sign: &str| list.items.get(at).is_some_and(|item| item.names == [sign]);
    // What has to be given by its name.
    let mut after = list.items.iter().skip(at + 1);
    let parts_nothing = after.all(|item| item.takes_the_rest(source));
    let first = if at > 0 && is(at - 1, "*") && parts_nothing {
        at - 1
    } else {
        at
    };
    let last = if at == 0 && is(1, "/") { 1 } else { at };
    (first, last)
}

/// Returns the lines that go with comments right above the item at `at`, which are of it; `gone` is what goes.
fn with_comments_above(document: &Document, list: &ItemList, at: usize, gone: Span) -> Span {
    let lines = document.lines();
    let item = list.items[at].span;
    let first = lines.line(item.start);
    if gone.start != lines.start(first) {
        return gone;
    }
    let beside = match at.checked_sub(1) {
        Some(before) => lines.line(list.items[before].span.end - 1),
        None => lines.line(list.brackets.start),
    };
    let is_comment = |line: &usize| {
        let text = lines.content(&document.bytes, *line).of(&document.bytes);
        let text = text.trim_ascii_start();
        text.starts_with(b"#") || text.starts_with(b"//")
    };
    let above = (beside + 1..first).rev().take_while(is_comment).count();
    Span::new(lines.start(first - above), gone.end)
}

fn insert_decorator(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    list: &ItemList,
    beside: Option<usize>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let symbol = named.symbol;
    let is_before = matches!(position, Some(Position::Before | Position::First));
    let near = match beside {
        Some(at) => list.items.get(at),
        None if is_before => list.items.first(),
        None => list.items.last(),
    };
    let (target, is_above) = match near {
        Some(item) => (item.span, is_before),
        None => (symbol.definition, true),
    };
    let whole = document.widened(target);
    if document.line_start(document.lines().line(whole.start)) != whole.start
        || near.is_some() && !is_whole_lines(document, whole)
    {
        return Err(shares_its_line(named, ItemKind::Decorator));
    }
    let lines = decorator_lines(reading, named, content, symbol.definition.start, indent)?;
    let ending = LineEnding::at(&document.bytes, symbol.definition.start).as_bytes();
    let (at, content) = if is_above {
        (whole.start, [&lines[..], ending].concat())
    } else {
        (whole.end, [ending, &lines[..]].concat())
    };
    Ok(vec![of_definition(
        as_edit(Splice::new(Span::at(at), content)),
        named,
    )])
}

/// Returns the content as whole lines, the last without its ending, at the indentation of the definition.
fn decorator_lines(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &str,
    offset: usize,
    indent: Indent,
) -> Result<Vec<u8>, Diagnostic> {
    let document = reading.document;
    let content = trim_to_block(content);
    check_decorators(reading, named, &content)?;
    let place = ContentPlace {
        document,
        offset,
        base: document.indentation(named.symbol.definition.start).to_vec(),
        unit: None,
        fresh_line: true,
        parent: None,
        old: None,
    };
    fit_to_place(&content, indent, &place)
}

/// Refuses content that is not decorators and nothing else, in the language of the file.
fn check_decorators(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &[u8],
) -> Result<(), Diagnostic> {
    let document = reading.document;
    let Some(language) = document.language else {
        return Ok(());
    };
    let own = document.widened(named.symbol.definition);
    let fragment = [content, b"\n", own.of(&document.bytes), b"\n"].concat();
    let parent = super::content::parent_kind(reading, named);
    let outline = language.grammar.fragment_outline(&fragment, parent);
    let is_decorated = matches!(&outline.symbols[..], [symbol, ..]
        if symbol.name == named.symbol.name
            && symbol.decorations.first().is_some_and(|first| {
                is_blank(&fragment[..first.span.start])
            })
            && symbol.decorations.last().is_some_and(|last| {
                content.trim_ascii_end().len() <= last.span.end
            })
            && symbol.definition.start > content.len());
    if is_decorated && !content.is_empty() {
        return Ok(());
    }
    let message = "the content is no decorator as it is written above a definition";
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("write it with its sign, and nothing else: `@cached`, `#[derive(Debug)]`"))
}

/// Returns the edit as one of the header or the decorators of a definition, without which it has no place.
fn of_definition(mut edit: EditKind, named: &Definition<'_>) -> EditKind {
    let definition = named.symbol.definition;
    edit.stays_inside(Some(definition.start));
    if let EditKind::Insert(insertion) = &mut edit {
        insertion.parent = Some(definition);
    }
    edit
}

/// Says whether a range begins and ends with whole lines.
fn is_whole_lines(document: &Document, span: Span) -> bool {
    let lines = document.lines();
    let end = lines
        .content(
            &document.bytes,
            lines.line(span.end.saturating_sub(1).max(span.start)),
        )
        .end;
    lines.start(lines.line(span.start)) == span.start && end == span.end
}

fn is_blank_or_breaks(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace) || leading_comma(text) == Some(text.len())
}

fn shares_its_line(named: &Definition<'_>, kind: ItemKind) -> Diagnostic {
    let message = format!(
        "the {} of `{}` shares its line with other code",
        kind.as_str(),
        named.address()
    );
    Diagnostic::new(Code::Unsupported, message).note("`text` with `within` edits it")
}

fn in_the_way(named: &Definition<'_>, kind: ItemKind) -> Diagnostic {
    let message = format!(
        "a comment beside the {} of `{}` would be left without it, or go with it",
        kind.as_str(),
        named.address()
    );
    Diagnostic::new(Code::Unsupported, message)
        .note("`part: signature`, or `text` with `within`, edits both")
}
