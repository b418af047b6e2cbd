//! One verb on one target: what it does to the file, as edits.

use super::definition::docstring;
use super::edit::{Edit, EditKind};
use super::key::TargetEdits;
use super::{element, file, guess, insert, item, key, lines, own_line, quoted, remove, replace};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::ending::ended_like;
use crate::manifest::{
    Choice, Expect, Indent, MatchLevel, Operation, Part, Position, Scoped, Selector, Verb,
};
use crate::resolve::patterns::Replaced;
use crate::resolve::{
    self, Block, Definition, Document, Found, Match, Purpose, Quoted, Reading, Segment, Target,
    is_code, locate,
};
use crate::snapshot::Id;
use crate::syntax::html::HtmlElement;
use crate::syntax::{SegmentKind, Symbol, css};
use crate::text::splice::Splice;
use crate::text::{LineEnding, Span, encoding, is_blank, leading_blank, trim_ending};

/// What an operation does to one file.
#[derive(Clone, Debug, Default)]
pub struct Act {
    /// Its edits.
    pub edits: Vec<EditKind>,
    /// What it found.
    pub segment: Option<Segment>,
    /// How a text was found.
    pub matched: Option<Match>,
    /// How many places it changes.
    pub count: usize,
    /// How many `substitute` found.
    pub found: usize,
    /// What there is to tell of it.
    pub warnings: Vec<Diagnostic>,
    /// Qualified names that must be defined afterwards.
    pub defines: Vec<String>,
    /// What the caller wrote, and the bytes that it stands for.
    pub written: Vec<(String, Vec<u8>)>,
    /// What it is to make of the entries of a configuration file.
    pub change: Option<key::KeyChange>,
}

/// So many segments or places are changed by one operation that means each of several.
const MOST_EACH: usize = 1000;

/// Returns what `operation` does to the file of `reading`.
pub fn plan_operation(reading: &Reading<'_>, operation: &Operation) -> Result<Act, Diagnostic> {
    refuse_second_encoding(reading, operation)?;
    let scoped = operation.scoped();
    if scoped.is_some_and(|scoped| matches!(scoped.selector, Selector::Key(_)))
        && let Some(front) = reading.document.front_matter()
    {
        return plan_on_one(&reading.of_part(&front), operation);
    }
    match scoped.filter(|scoped| scoped.choice == Choice::Every) {
        Some(scoped) if !matches!(operation.verb, Verb::Substitute { .. }) => {
            plan_on_each(reading, scoped, operation)
        }
        Some(_) | None => plan_on_one(reading, operation),
    }
}

/// Refuses content that would be in another encoding than the file around it.
fn refuse_second_encoding(reading: &Reading<'_>, operation: &Operation) -> Result<(), Diagnostic> {
    let (content, field) = match &operation.verb {
        Verb::Replace {
            selector: Some(_),
            content,
            ..
        }
        | Verb::Insert { content, .. } => (content, "content"),
        Verb::Substitute { replacement, .. } => (replacement, "replacement"),
        _ => return Ok(()),
    };
    let document = reading.document;
    let other = if content.is_ascii() {
        None
    } else {
        encoding::other_than_utf8(&document.bytes)
    };
    let Some(other) = other else { return Ok(()) };
    let message = format!(
        "the {field} is written in UTF-8 and not in ASCII alone, and {} is in another encoding: {other}",
        document.path
    );
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("write its characters as escapes of the language, or convert the file to UTF-8 first")
        .at(operation.place(field)))
}

/// Does it to each segment or place that fits, one after the other.
fn plan_on_each(
    reading: &Reading<'_>,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<Act, Diagnostic> {
    let count = resolve::count(reading, scoped, purpose_of(operation))?;
    if count > MOST_EACH {
        let message = format!(
            "{count} places of {} are more than one operation changes",
            reading.document.path
        );
        return Err(Diagnostic::new(Code::TooLarge, message)
            .note("`substitute` replaces texts and patterns in any number of places")
            .at(operation.place("all")));
    }
    let mut all = Act::default();
    for number in 1..=count {
        let act = plan_on_one(reading, &operation.clone().for_one_of_all(number))?;
        all.edits.extend(act.edits);
        all.segment = all.segment.or(act.segment);
        all.matched = all.matched.or(act.matched);
        all.count += act.count;
        all.defines.extend(act.defines);
        all.written.extend(act.written);
    }
    if matches!(scoped.selector, Selector::Text(_)) {
        let left = resolve::matches(reading, scoped, "", usize::MAX)?.inside_words;
        all.warnings.extend(
            left.first()
                .map(|first| left_inside_words(reading, *first, left.len(), operation)),
        );
    }
    Ok(all)
}

/// Warns of places of a text that `all` leaves, since they are inside of words.
fn left_inside_words(
    reading: &Reading<'_>,
    first: Span,
    count: usize,
    operation: &Operation,
) -> Diagnostic {
    let document = reading.document;
    let line = document.lines().line(first.start);
    let places = if count == 1 {
        "1 place".to_owned()
    } else {
        format!("{count} places")
    };
    let message = format!(
        "{places} inside of words, the first at line {line} of {}, stay as they are",
        document.path
    );
    Diagnostic::new(Code::TextNotFound, message)
        .note("`inside_words: true` takes them, too")
        .at(operation.place("text"))
}

fn plan_on_one(reading: &Reading<'_>, operation: &Operation) -> Result<Act, Diagnostic> {
    match &operation.verb {
        Verb::Replace {
            selector: Some(scoped),
            expect,
            ..
        } => plan_replacement(reading, scoped, expect.as_ref(), operation),
        Verb::Replace {
            selector: None,
            part,
            content,
            expect,
            ..
        } => {
            let hash = reading.document.bytes.id(reading.document.hash).0;
            check_expect(expect.as_ref(), &[&hash], reading, operation)?;
            if *part == Some(Part::Docstring) {
                replace_docstring_of_file(reading, content, operation)
            } else {
                Ok(replace_file(reading, content))
            }
        }
        Verb::Insert {
            selector: Some(scoped),
            ..
        } => plan_insertion(reading, scoped, operation),
        Verb::Insert {
            selector: None,
            position,
            content,
            indent,
            ..
        } => insert_into_file(
            reading,
            *position,
            content,
            indent.unwrap_or(Indent::Auto),
            operation,
        ),
        Verb::Delete {
            selector: scoped,
            part,
            expect,
        } => {
            let (target, matched) = located(reading, scoped, *part, expect.as_ref(), operation)?;
            let made = remove::remove_target(reading, &target, *part, &operation.verb)
                .map_err(|diagnostic| diagnostic.at(operation.place("part")))?;
            Ok(Act {
                edits: made.edits,
                change: made.change,
                matched,
                ..Act::on(target)
            })
        }
        Verb::Substitute {
            find,
            replacement,
            count,
            ..
        } => plan_substitution(reading, operation, find, replacement, *count),
        // Whole-file verbs have no place inside a file.
        Verb::Create { .. }
        | Verb::Remove { .. }
        | Verb::Chmod { .. }
        | Verb::Rename { .. }
        | Verb::Import { .. }
        | Verb::Unimport { .. }
        | Verb::RenameFile { .. }
        | Verb::Move { .. } => Ok(Act::default()),
    }
}

/// Puts the content of `operation` in the place of what `scoped` names.
fn plan_replacement(
    reading: &Reading<'_>,
    scoped: &Scoped,
    expect: Option<&Expect>,
    operation: &Operation,
) -> Result<Act, Diagnostic> {
    let Verb::Replace {
        part,
        content,
        indent,
        ..
    } = &operation.verb
    else {
        return Ok(Act::default());
    };
    let at_content = |diagnostic: Diagnostic| match diagnostic.field {
        Some(_) => diagnostic,
        None => diagnostic.at(operation.place("content")),
    };
    if let Selector::Text(text) = &scoped.selector {
        let indent = indent.unwrap_or(Indent::Auto);
        return quoted_text(reading, (scoped, text), content, indent, expect, operation);
    }
    if *part == Some(Part::Docstring)
        && let Some(act) = first_docstring(reading, scoped, content, *indent, expect, operation)
    {
        return act.map_err(at_content);
    }

    let (target, matched) = located(reading, scoped, *part, expect, operation)?;
    let indent = indent_at(scoped, *indent);
    let made = replace::replace_target(reading, &target, *part, content, indent, &operation.verb)
        .map_err(at_content)?;
    let defines = target
        .named()
        .filter(|named| still_defined(*part) && !is_rule_of_style(reading, named.symbol))
        .map(|named| named.qualified.clone());
    let written = vec![(content.clone(), old_text(reading, &target))];
    Ok(Act {
        edits: made.edits,
        change: made.change,
        matched,
        defines: defines.into_iter().collect(),
        written,
        ..Act::on(target)
    })
}

/// Puts the content of `operation` beside or inside of what `scoped` names.
fn plan_insertion(
    reading: &Reading<'_>,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<Act, Diagnostic> {
    let Verb::Insert {
        part,
        position,
        content,
        indent,
        ..
    } = &operation.verb
    else {
        return Ok(Act::default());
    };
    let at_content = |diagnostic: Diagnostic| match diagnostic.field {
        Some(_) => diagnostic,
        None => diagnostic.at(operation.place("content")),
    };
    let (target, matched) = located(reading, scoped, Some(Part::Whole), None, operation)?;
    let made = if let (Found::Element(found), Some(Part::Attribute(name))) = (target.found, part) {
        element::attribute::add_attribute(reading, found, *name, content).map(TargetEdits::from)
    } else if let (Found::Definition(named), Some(Part::Item(kind, name))) = (target.found, part) {
        let indent = indent.unwrap_or(Indent::Auto);
        item::insert_item(reading, named, (*kind, *name), *position, content, indent)
            .map(TargetEdits::from)
    } else {
        let indent = match target.found {
            // What is put into a tree of keys takes on its own indentation there.
            Found::Key(_) => indent.unwrap_or(Indent::Auto),
            _ => indent_beside(
                reading,
                scoped,
                target.span,
                *position,
                content,
                *indent,
                matched.as_ref(),
            )
            .map_err(at_content)?,
        };
        let position = position.unwrap_or(Position::After);
        insert::insert_at_target(reading, &target, position, content, indent, &operation.verb)
    };
    let made = made.map_err(at_content)?;
    let written = vec![(content.clone(), Vec::new())];
    Ok(Act {
        edits: made.edits,
        change: made.change,
        matched,
        written,
        ..Act::on(described(reading, scoped, target)?)
    })
}

/// Puts `content` at an end of the file, or of the keys that are the file.
fn insert_into_file(
    reading: &Reading<'_>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
    operation: &Operation,
) -> Result<Act, Diagnostic> {
    let made = match key::insert_into_tree(reading, position, content, indent) {
        Some(planned) => planned.map(TargetEdits::from),
        None => file::insert_into_file(reading, position, content, indent).map(TargetEdits::from),
    };
    let made = made.map_err(|diagnostic| diagnostic.at(operation.place("content")))?;
    Ok(Act {
        edits: made.edits,
        change: made.change,
        written: vec![(content.to_owned(), Vec::new())],
        ..Act::on_file(reading)
    })
}

fn replace_docstring_of_file(
    reading: &Reading<'_>,
    content: &str,
    operation: &Operation,
) -> Result<Act, Diagnostic> {
    let (edit, old) = docstring::docstring_of_file(reading, content)
        .map_err(|diagnostic| diagnostic.at(operation.place("part")))?;
    Ok(Act {
        edits: vec![edit],
        written: vec![(content.to_owned(), old)],
        ..Act::on_file(reading)
    })
}

fn replace_file(reading: &Reading<'_>, content: &str) -> Act {
    let old = &reading.document.bytes;
    let all = Span::new(0, old.len());
    Act {
        edits: vec![EditKind::replace(
            all,
            file::replace_whole_file(old, content),
        )],
        written: vec![(content.to_owned(), old.to_vec())],
        ..Act::on_file(reading)
    }
}

/// Returns how content in the place of `scoped` is indented: what is found by name is a whole that knows how deep it stands; who
/// numbers lines means these very lines.
fn indent_at(scoped: &Scoped, indent: Option<Indent>) -> Indent {
    let usual = if matches!(scoped.selector, Selector::Lines(_)) {
        Indent::Keep
    } else {
        Indent::Auto
    };
    indent.unwrap_or(usual)
}

/// Returns how content beside `scoped`, found at `span`, is indented. The line above a place says little of what belongs there; but
/// who misquoted its indentation, or quoted a line without it, did not know that of the content either.
fn indent_beside(
    reading: &Reading<'_>,
    scoped: &Scoped,
    span: Span,
    position: Option<Position>,
    content: &str,
    indent: Option<Indent>,
    matched: Option<&Match>,
) -> Result<Indent, Diagnostic> {
    let document = reading.document;
    let to_the_letter = matched.is_none_or(|matched| matched.level == MatchLevel::Exact);
    let by_place = matches!(
        scoped.selector,
        Selector::Lines(_) | Selector::Text(_) | Selector::Pattern(_)
    );
    if let Some(indent) = indent {
        return Ok(indent);
    }
    let words = trimmed_end(document, span);
    // What goes on in the line has none.
    if lines::is_in_line(reading, scoped, span, position, content) {
        return Ok(Indent::Keep);
    }
    let is_bare_line = matches!(scoped.selector, Selector::Text(_) | Selector::Pattern(_))
        && document.line_start(document.lines().line(span.start)) < span.start
        && (quoted::fills_lines(document, words)
            || quoted::fills_item(document, words)
            || own_line::is_wanted(document, span, position.unwrap_or(Position::After), content));
    if is_bare_line {
        return beside_bare_line(reading, span, content);
    }
    Ok(if by_place && to_the_letter {
        Indent::Keep
    } else {
        Indent::Auto
    })
}

/// Returns how content is indented beside a line that was quoted without its indentation: without any as the line is, with that of
/// something around the line, or deeper, as it is. Any other says nothing.
fn beside_bare_line(
    reading: &Reading<'_>,
    span: Span,
    content: &str,
) -> Result<Indent, Diagnostic> {
    let document = reading.document;
    let first = content
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let own = leading_blank(first.as_bytes());
    let line = document.lines().line(span.start);
    let depth = quoted::depth_at(document, span.start);
    if own.is_empty() || own == depth {
        return Ok(Indent::Auto);
    }
    let bytes = &document.bytes;
    let around = (1..line)
        .rev()
        .map(|line| document.lines().content(bytes, line))
        .filter(|it| !is_blank(it.of(bytes)));
    let is_around = around
        .clone()
        .any(|above| leading_blank(above.of(bytes)) == own);
    let is_of_two_meanings = is_around && own.len() == quoted::width_of_dashes(document, line);
    if own.starts_with(&depth) || depth.starts_with(own) && is_around && !is_of_two_meanings {
        return Ok(Indent::Keep);
    }
    let count = own.len();
    let message = if is_of_two_meanings {
        format!(
            "the content is indented by {count}: as lines around line {line} are, or as what is after its `- ` is"
        )
    } else {
        format!("the content is indented by {count}, which nothing around line {line} is")
    };
    Err(Diagnostic::new(Code::Unsupported, message).note(
        "write it without indentation for that of the line, or as deep as it is to stand; `indent: auto` moves it, `keep` leaves it",
    ))
}

/// Returns `span` without the line break that it ends in.
fn trimmed_end(document: &Document, span: Span) -> Span {
    Span::new(
        span.start,
        span.start + trim_ending(span.of(&document.bytes)).len(),
    )
}

impl Act {
    fn on(target: Target<'_, '_>) -> Act {
        Act {
            segment: Some(target.segment),
            count: 1,
            ..Act::default()
        }
    }

    fn on_file(reading: &Reading<'_>) -> Act {
        Act {
            segment: Some(file_segment(reading)),
            count: 1,
            ..Act::default()
        }
    }
}

/// Says whether it is a rule of a style sheet, which may have another selector afterwards.
fn is_rule_of_style(reading: &Reading<'_>, symbol: &Symbol) -> bool {
    reading.document.language.is_some_and(css::is_style) && css::is_rule(symbol)
}

/// A symbol must still be defined when what defines it was replaced.
fn still_defined(part: Option<Part>) -> bool {
    matches!(
        part,
        None | Some(Part::Definition | Part::Whole | Part::Signature)
    )
}

/// Gives a definition that has no docstring its first; `None` where it has one, or there is no such definition.
fn first_docstring(
    reading: &Reading<'_>,
    scoped: &Scoped,
    content: &str,
    indent: Option<Indent>,
    expect: Option<&Expect>,
    operation: &Operation,
) -> Option<Result<Act, Diagnostic>> {
    let (target, matched) = located(reading, scoped, None, expect, operation).ok()?;
    let named = target
        .named()
        .filter(|named| is_code(named.symbol.kind) && named.symbol.docstring.is_none())?;
    let is_inside = reading
        .document
        .language
        .is_some_and(|language| language.habits.offside);
    let indent = indent.unwrap_or(Indent::Auto);
    if !is_blank(content.as_bytes())
        && let Err(refusal) =
            docstring::check_docstring(reading.document.language, content.as_bytes())
    {
        return Some(Err(refusal));
    }
    let edits = match is_inside {
        true if named.symbol.kind == SegmentKind::Variable => {
            docstring::insert_text_below(reading, named, content, indent)
        }
        true => insert::insert_at_target(
            reading,
            &target,
            Position::First,
            content,
            indent,
            &operation.verb,
        )
        .map(|made| made.edits),
        false => docstring::insert_comment_above(reading, named, content, indent),
    };
    let written = vec![(content.to_owned(), Vec::new())];
    Some(edits.map(|edits| Act {
        edits,
        matched,
        written,
        ..Act::on(target)
    }))
}

fn purpose_of(operation: &Operation) -> Purpose {
    match operation.verb {
        Verb::Delete { .. } => Purpose::Remove,
        _ => Purpose::Edit,
    }
}

fn old_text(reading: &Reading<'_>, target: &Target<'_, '_>) -> Vec<u8> {
    let whole = match target.found {
        Found::Definition(named) => named.symbol.whole().cover(target.span),
        Found::Block(block) => block.whole(reading.document).cover(target.span),
        Found::Element(_) | Found::Key(_) | Found::Text | Found::Pattern | Found::Lines => {
            target.span
        }
    };
    whole.of(&reading.document.bytes).to_vec()
}

fn located<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    part: Option<Part>,
    expect: Option<&Expect>,
    operation: &Operation,
) -> Result<(Target<'r, 'd>, Option<Match>), Diagnostic> {
    let purpose = purpose_of(operation);
    let (target, matched) = locate(reading, scoped, part, purpose)?;
    if let Some(named) = target.named() {
        guess::refuse_guess(reading, named, operation)?;
    }
    if expect.is_none() {
        return Ok((target, matched));
    }
    let own = match target.found {
        Found::Definition(named) => segment_hash(reading, named),
        Found::Block(block) => block_hash(reading, block),
        Found::Element(found) => element_hash(reading, found),
        Found::Key(_) => locate(reading, scoped, None, purpose)
            .map(|(entry, _)| entry.segment.hash)
            .unwrap_or_default(),
        Found::Text | Found::Pattern | Found::Lines => String::new(),
    };
    let mut hashes = vec![&target.segment.hash, &own];
    // A deletion takes the decorations along, whether or not the caller asks that they be as they were read.
    let takes_all = purpose == Purpose::Remove && target.named().is_some();
    let whole = takes_all
        .then(|| locate(reading, scoped, Some(Part::Whole), purpose).ok())
        .flatten();
    hashes.splice(0..0, whole.iter().map(|(whole, _)| &whole.segment.hash));
    check_expect(expect, &hashes, reading, operation)?;
    Ok((target, matched))
}

/// Puts content in the place of a text.
fn quoted_text(
    reading: &Reading<'_>,
    (scoped, text): (&Scoped, &str),
    content: &str,
    indent: Indent,
    expect: Option<&Expect>,
    operation: &Operation,
) -> Result<Act, Diagnostic> {
    match resolve::quoted(reading, scoped, text, &ended_like(text, content))? {
        Quoted::Stands(target, matched) => {
            check_expect(expect, &[&target.segment.hash], reading, operation)?;
            let edits =
                quoted::replace_quoted(reading, text, target.span, matched.level, content, indent)
                    .map_err(|diagnostic| diagnostic.at(operation.place("content")))?;
            let written = vec![(content.to_owned(), old_text(reading, &target))];
            Ok(Act {
                edits,
                matched: Some(matched),
                written,
                ..Act::on(target)
            })
        }
        Quoted::Done(target, matched) => {
            // Claimed, so that no other operation of the batch takes it away meanwhile.
            let claim = Splice::new(target.span, target.span.of(&reading.document.bytes));
            Ok(Act {
                edits: vec![EditKind::Replace(claim)],
                matched: Some(matched),
                ..Act::on(target)
            })
        }
    }
}

/// Returns the hash that `outline` and `show` print for a named segment.
fn segment_hash(reading: &Reading<'_>, named: &Definition<'_>) -> String {
    let document = reading.document;
    Id::of_blob(
        document.hash,
        document
            .widened(named.symbol.definition)
            .of(&document.bytes),
    )
    .0
}

/// Returns the hash that `outline` and `show` print for an element.
fn element_hash(reading: &Reading<'_>, found: &HtmlElement) -> String {
    let document = reading.document;
    let whole = resolve::element::extent(document, found.whole());
    Id::of_blob(document.hash, whole.of(&document.bytes)).0
}

/// Returns the hash that `outline` and `show` print for a block.
fn block_hash(reading: &Reading<'_>, block: &Block) -> String {
    let document = reading.document;
    Id::of_blob(document.hash, block.whole(document).of(&document.bytes)).0
}

/// Reports the segment itself, where the search was for it with its decorations.
fn described<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    target: Target<'r, 'd>,
) -> Result<Target<'r, 'd>, Diagnostic> {
    match target.found {
        Found::Definition(_) | Found::Key(_) => Ok(locate(reading, scoped, None, Purpose::Edit)?.0),
        _ => Ok(target),
    }
}

/// Refuses when none of `hashes` begins with what the caller expects.
fn check_expect(
    expect: Option<&Expect>,
    hashes: &[&String],
    reading: &Reading<'_>,
    operation: &Operation,
) -> Result<(), Diagnostic> {
    let Some(Expect(expected)) = expect else {
        return Ok(());
    };
    if hashes
        .iter()
        .any(|hash| !hash.is_empty() && hash.starts_with(expected.as_str()))
    {
        return Ok(());
    }
    let now = hashes
        .last()
        .filter(|hash| !hash.is_empty())
        .or(hashes.first())
        .map_or("", |hash| hash.as_str());
    let message = format!(
        "the segment of {} changed since it was read",
        reading.document.path
    );
    Err(Diagnostic::new(Code::StaleSegment, message)
        .note(format!("expected {expected}, found {now}"))
        .note("read it again with `git segedit show`, then repeat the edit")
        .at(operation.place("expect")))
}

fn file_segment(reading: &Reading<'_>) -> Segment {
    let whole = Span::new(0, reading.document.bytes.len());
    let mut segment = reading.describe(whole, None, "file");
    segment.address = reading.document.path.to_string();
    segment
}

/// Every match of a text or pattern, or the first `count`, or the n-th, if there are so many.
fn plan_substitution(
    reading: &Reading<'_>,
    operation: &Operation,
    find: &Scoped,
    replacement: &str,
    count: Option<usize>,
) -> Result<Act, Diagnostic> {
    let most = match find.choice {
        Choice::Nth(number) => number,
        Choice::Only | Choice::Every => count.unwrap_or(usize::MAX),
    };
    let mut found = resolve::matches(reading, find, replacement, most)?;
    if let Choice::Nth(number) = find.choice {
        found.replaced.drain(..found.replaced.len().min(number - 1));
    }
    let is_replaced = |place: &&Span| {
        found
            .replaced
            .binary_search_by_key(&place.start, |replaced| replaced.span.start)
            .is_ok()
    };
    let inside: Vec<Span> = found
        .inside_words
        .iter()
        .filter(is_replaced)
        .copied()
        .collect();
    let mut warnings = Vec::new();
    warnings.extend(
        inside
            .first()
            .map(|first| parts_of_words(reading, *first, inside.len(), operation)),
    );
    let holders: Vec<Span> = found
        .replaced
        .iter()
        .filter(|replaced| replaced.holds_another)
        .map(|replaced| replaced.span)
        .collect();
    warnings.extend(
        holders
            .first()
            .map(|first| matches_inside(reading, *first, holders.len(), operation)),
    );
    let bytes = &reading.document.bytes;
    if replacement.is_empty() && matches!(find.selector, Selector::Text(_)) {
        found
            .replaced
            .iter_mut()
            .for_each(|replaced| replaced.span = with_indentation(reading, replaced.span));
    }
    let first = found.replaced.first().map(|replaced| replaced.span);
    let edits: Vec<EditKind> = found
        .replaced
        .into_iter()
        .map(
            |Replaced {
                 span, bytes: new, ..
             }| {
                // To find the line's ending costs the rest of a long line.
                let has_lines = new.contains(&b'\n');
                EditKind::replace(
                    span,
                    if has_lines {
                        LineEnding::at(bytes, span.start).write(&new).into_owned()
                    } else {
                        new
                    },
                )
            },
        )
        .collect();
    // What is quoted is what the replacement takes the place of; a pattern says nothing of what it loses.
    let written = first
        .filter(|_| matches!(find.selector, Selector::Text(_)) && !replacement.is_empty())
        .map(|span| (replacement.to_owned(), span.of(bytes).to_vec()));
    let kind = resolve::selector_word(&find.selector);
    let segment = first.map(|span| reading.describe(span, None, kind));
    let matched = found.level.map(|level| Match {
        level,
        similarity: 1.0,
    });
    Ok(Act {
        count: edits.len(),
        found: found.count,
        edits,
        written: written.into_iter().collect(),
        segment,
        matched,
        warnings,
        ..Act::default()
    })
}

/// Returns the place of a text that ends its line with the indentation of that, where it has the line to itself: what goes is the line.
fn with_indentation(reading: &Reading<'_>, span: Span) -> Span {
    let document = reading.document;
    let start = document
        .line_start(document.lines().line(span.start))
        .min(span.start);
    let is_line =
        span.of(&document.bytes).ends_with(b"\n") && is_blank(&document.bytes[start..span.start]);
    if is_line {
        Span::new(start, span.end)
    } else {
        span
    }
}

/// Tells that matches of a pattern hold others in what they keep, of which the first is here.
fn matches_inside(
    reading: &Reading<'_>,
    first: Span,
    count: usize,
    operation: &Operation,
) -> Diagnostic {
    let document = reading.document;
    let line = document.lines().line(first.start);
    let which = if count == 1 {
        "a match holds another one that stays as it is"
    } else {
        "matches hold others that stay as they are"
    };
    let message = format!(
        "{which}: {count} in {}, the first at line {line}",
        document.path
    );
    Diagnostic::new(Code::PatternNotFound, message)
        .note("the same operation once more takes those")
        .at(operation.place("pattern"))
}

/// Tells that matches of a text begin or end inside a word, of which the first is here.
fn parts_of_words(
    reading: &Reading<'_>,
    first: Span,
    count: usize,
    operation: &Operation,
) -> Diagnostic {
    let document = reading.document;
    let line = document.lines().line(first.start);
    let which = if count == 1 {
        "a match begins or ends"
    } else {
        "matches begin or end"
    };
    let message = format!(
        "{which} inside a word: {count} in {}, the first at line {line}",
        document.path
    );
    Diagnostic::new(Code::TextNotFound, message)
        .note("`inside_words: false` leaves such places, `true` means them")
        .at(operation.place("text"))
}

/// Returns the edits of `act` as the operation's own.
pub fn edits_of(act: &Act, operation: usize) -> impl Iterator<Item = Edit> + '_ {
    act.edits.iter().map(move |what| Edit {
        operation,
        what: what.clone(),
    })
}
