//! A definition or a part of it in the place of what was there: what the file says around it stays.

use std::borrow::Cow;

use super::docstring::{check_docstring, docstring_to_keep, kept_docstring};
use super::initialisers::header_end;
use super::parted;
use super::place::{open_up_body, place_inside};
use super::variables::beside_type;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Part};
use crate::plan::content::{
    self, ContentPlace, defined_beside, line_endings, parent_kind, place_at,
};
use crate::plan::edit::{EditKind, delete_lines};
use crate::resolve::{Definition, Document, Reading, Target};
use crate::syntax::{Decoration, DecorationKind, SegmentKind, Symbol, directives};
use crate::text::{LineEnding, Span, is_blank};

pub(crate) fn replace_symbol(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let content = content::trim_to_block(content);
    let is_all = matches!(part, None | Some(Part::Definition | Part::Whole));
    let beside = if is_all && !content.is_empty() {
        beside_type(reading, named, target, &content)?
    } else {
        None
    };
    let (narrowed, content) = match beside {
        Some((narrowed, content)) => (Some(narrowed), content),
        None => (None, content),
    };
    let (narrowed, content) = match narrowed {
        None if named.symbol.parted && is_all && !content.is_empty() => {
            let (content, end) = parted::in_place(reading, named, target.span, &content);
            let content = match part {
                Some(Part::Whole) => content,
                _ => decorate_within(reading, named, content),
            };
            let span = Span::new(target.span.start, end.max(target.span.start));
            (
                Some(Target {
                    span,
                    ..target.clone()
                }),
                content,
            )
        }
        narrowed => (narrowed, content),
    };
    let target = narrowed.as_ref().unwrap_or(target);
    let content = match part {
        _ if narrowed.is_some() => content,
        None | Some(Part::Definition) => {
            let content = decorate_within(reading, named, export_content(reading, named, content)?);
            terminate_content(reading, named, content)
        }
        Some(Part::Whole) => terminate_content(reading, named, content),
        Some(Part::Docstring) if !content.is_empty() => {
            check_docstring(reading.document.language, &content)?;
            content
        }
        Some(_) => content,
    };
    match part.unwrap_or(Part::Definition) {
        Part::Definition => replace_definition(reading, named, target, &content, indent),
        Part::Body => replace_body(reading, named, target, &content, indent),
        Part::Signature => replace_signature(reading, named, target, &content, indent),
        Part::Whole
        | Part::Docstring
        | Part::Own
        | Part::Heading
        | Part::Code(_)
        | Part::Table(_)
        | Part::List(_)
        | Part::Inner
        | Part::Attribute(_)
        | Part::Item(..) => {
            if content.is_empty() {
                return Ok(vec![delete_lines(target.span)]);
            }
            // A comment above may stand at any column; the definition's is the one that counts.
            let base = match part {
                Some(Part::Whole) => reading
                    .document
                    .indentation(named.symbol.definition.start)
                    .to_vec(),
                _ => reading.document.indentation(target.span.start).to_vec(),
            };
            let place = ContentPlace {
                base,
                old: Some(target.span),
                ..place_at(reading, target.span, Some(named))
            };
            Ok(vec![EditKind::replace(
                target.span,
                content::fit_to_place(&content, indent, &place)?,
            )])
        }
    }
}

/// Returns content that ends its statement as the old one was ended: where a `;` stood, one stays, for without it the
/// next line may be read as a part of the statement.
fn terminate_content(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    mut content: Vec<u8>,
) -> Vec<u8> {
    let document = reading.document;
    let old = named.symbol.definition.of(&document.bytes);
    let Some(&terminator) = old.last().filter(|byte| matches!(byte, b';' | b',')) else {
        return content;
    };
    let Some(language) = document.language else {
        return content;
    };
    if let Some(end) = language
        .grammar
        .unterminated(&content, parent_kind(reading, named))
    {
        content.insert(end, terminator);
    }
    content
}

/// Returns content whose definition has the words that the old one is exported with, unless it brings some.
fn export_content(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    mut content: Vec<u8>,
) -> Result<Vec<u8>, Diagnostic> {
    let Some(language) = reading.document.language else {
        return Ok(content);
    };
    let exports = language.habits.exports;
    let prefix = exports_of(named.symbol.definition.of(&reading.document.bytes), exports);
    if prefix.is_empty() {
        return Ok(content);
    }
    let name = &named.symbol.name;
    let brought = defined_beside(reading, named, &content);
    let start = brought
        .successor(name)
        .map(|symbol| symbol.definition.start);
    let Some(start) = start.filter(|&start| exports_of(&content[start..], exports).is_empty())
    else {
        return Ok(content);
    };
    if says_export(&content, name) {
        return Ok(content);
    }
    let first = content[start..]
        .split(|byte| !byte.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    // They say themselves what the variable of a shell is.
    if [&b"declare"[..], b"typeset"].contains(&first) {
        return Ok(content);
    }
    if prefix.ends_with(b"default ")
        && [&b"const"[..], b"let", b"var", b"type", b"enum"].contains(&first)
    {
        let word = String::from_utf8_lossy(first);
        let message = format!(
            "`{name}` is exported as the default, which a `{word}` cannot be where it is declared"
        );
        return Err(Diagnostic::new(Code::Unsupported, message).note(format!(
            "give the content a line `export default {name};` after it"
        )));
    }
    content.splice(start..start, prefix.iter().copied());
    Ok(content)
}

/// Returns content whose definition has the decorators that the old one has after `export`, unless it brings some.
fn decorate_within(reading: &Reading<'_>, named: &Definition<'_>, mut content: Vec<u8>) -> Vec<u8> {
    let Some(language) = reading.document.language else {
        return content;
    };
    let old = named.symbol.definition.of(&reading.document.bytes);
    let within = exports_of(old, language.habits.exports).len();
    let decorators = &old[within..][..length_of_decorators(&old[within..])];
    if within == 0 || decorators.is_empty() {
        return content;
    }
    let brought = defined_beside(reading, named, &content);
    let Some(symbol) = brought.successor(&named.symbol.name) else {
        return content;
    };
    let start = symbol.definition.start;
    let at = start + exports_of(&content[start..], language.habits.exports).len();
    let is_decorated = symbol
        .decorations
        .iter()
        .any(|decoration| decoration.sort == DecorationKind::Decorator);
    if !is_decorated && length_of_decorators(&content[at..]) == 0 {
        content.splice(at..at, decorators.iter().copied());
    }
    content
}

/// Returns a signature with the words that the old one is exported with and the decorators after them, unless it brings its own.
fn with_lead(reading: &Reading<'_>, named: &Definition<'_>, mut content: Vec<u8>) -> Vec<u8> {
    let Some(language) = reading.document.language else {
        return content;
    };
    let old = named.symbol.signature.of(&reading.document.bytes);
    let exports = exports_of(old, language.habits.exports);
    if exports.is_empty() {
        return content;
    }
    let decorators = &old[exports.len()..][..length_of_decorators(&old[exports.len()..])];
    // What documents or decorates it comes before it.
    let whole = [&content[..], &rest_of(reading, named)].concat();
    let brought = defined_beside(reading, named, &whole);
    let start = brought
        .successor(&named.symbol.name)
        .map(|symbol| symbol.definition.start)
        .filter(|&start| start <= content.len())
        .unwrap_or(content.len() - content.trim_ascii_start().len());
    let own = exports_of(&content[start..], language.habits.exports).len();
    if length_of_decorators(&content[start + own..]) == 0 {
        content.splice(start + own..start + own, decorators.iter().copied());
    }
    if own == 0 {
        content.splice(start..start, exports.iter().copied());
    }
    content
}

/// Returns what makes a whole definition of a signature, for reading it: what the old one has, or, where that would have to be moved, the
/// shortest body.
fn rest_of<'d>(reading: &'d Reading<'_>, named: &Definition<'_>) -> Cow<'d, [u8]> {
    let document = reading.document;
    let symbol = &named.symbol;
    let habits = document.language.map(|language| language.habits);
    let shortest = habits
        .filter(|habits| habits.offside && symbol.kind != SegmentKind::Variable)
        .and_then(|habits| Some([habits.body_opener, " ", habits.empty_body?].concat()));
    match shortest {
        Some(shortest) => Cow::Owned(shortest.into_bytes()),
        None => Cow::Borrowed(
            Span::new(symbol.signature.end, symbol.definition.end).of(&document.bytes),
        ),
    }
}

/// Returns the length of the decorators that `text` begins with, with the blanks after them.
fn length_of_decorators(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some(decorator) = rest.strip_prefix(b"@") {
        let name = decorator
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(byte))
            .count();
        let arguments = &decorator[name..];
        let Some(end) = end_of_parentheses(arguments) else {
            break;
        };
        rest = arguments[end..].trim_ascii_start();
    }
    text.len() - rest.len()
}

/// Returns where the parentheses end that `text` begins with, at its beginning where there are none; `None` where they do not.
fn end_of_parentheses(text: &[u8]) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, &byte) in text.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open && text.get(at.wrapping_sub(1)) != Some(&b'\\') => {
                quote = None
            }
            (Some(_), _) => {}
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, _) => {}
        }
        if depth == 0 && quote.is_none() {
            return Some(if at == 0 { 0 } else { at + 1 });
        }
    }
    None
}

/// Says whether a statement of the content exports `name`, or something as the default.
fn says_export(content: &[u8], name: &str) -> bool {
    let text = String::from_utf8_lossy(content);
    text.lines().any(|line| {
        let rest = line.strip_prefix("export ").map(str::trim_start);
        let names = |list: &str| {
            list.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
                .any(|it| it == name)
        };
        rest.is_some_and(|rest| {
            rest.starts_with("default ") || rest.strip_prefix('{').is_some_and(names)
        })
    })
}

/// Returns the words of `exports` that a definition begins with, with the blanks after them.
fn exports_of<'d>(definition: &'d [u8], exports: &[&str]) -> &'d [u8] {
    let mut rest = definition;
    loop {
        let word = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        let after = rest[word..].trim_ascii_start();
        if !exports
            .iter()
            .any(|export| export.as_bytes() == &rest[..word])
            || after.len() == rest.len() - word
        {
            return &definition[..definition.len() - rest.len()];
        }
        rest = after;
    }
}

/// Returns the comment at the end of a definition's own last line, which content that brings none there is to keep, and what
/// parts the two, such as a `;`. Where indentation tells where a definition ends, the last line of one of several lines is that of
/// its last statement.
fn comment_after<'d>(
    reading: &'d Reading<'_>,
    named: &Definition<'_>,
    span: Span,
    content: &[u8],
) -> Option<(&'d [u8], &'d [u8])> {
    let document = reading.document;
    let definition = named.symbol.definition;
    let offside = document
        .language
        .is_some_and(|language| language.habits.offside);
    let has_block = offside && named.symbol.kind != SegmentKind::Variable;
    let is_block = |text: &[u8]| has_block && text.trim_ascii().contains(&b'\n');
    if span.end <= definition.end || is_block(definition.of(&document.bytes)) || is_block(content) {
        return None;
    }
    let tail = Span::new(definition.end, span.end)
        .of(&document.bytes)
        .trim_ascii_end();
    let first = tail.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let is_parted = tail.get(first).is_some_and(is_parting);
    let (parting, comment) = tail.split_at(if is_parted { first + 1 } else { 0 });
    (!is_blank(comment)).then_some((parting, comment))
}

/// Returns where a comment goes that content in the place of a definition is to keep at its end, if it brings none there.
fn bare_end(reading: &Reading<'_>, named: &Definition<'_>, content: &[u8]) -> Option<usize> {
    let defined = defined_beside(reading, named, content);
    if !defined.is_empty() {
        return defined.bare_end(&named.symbol.name, content);
    }
    // An entry of a group (`A = 1`) is no definition by itself.
    let end = content.trim_ascii_end().len();
    let grammar = reading.document.language?.grammar;
    let mut comments = grammar.comments(content).into_iter();
    let is_bare = end > 0 && !comments.any(|it| it.start < end && end <= it.end);
    is_bare.then_some(end)
}

/// Says whether a block is left open in front of a definition: `impl Shop {`, `extension Shop {`.
fn opens_block(before: &[u8]) -> bool {
    let count = |sign: u8| memchr::memchr_iter(sign, before).count();
    let last = before.trim_ascii_end();
    last.ends_with(b"{") && count(b'{') > count(b'}')
}

/// Says whether the byte ends a statement or parts two of them.
fn is_parting(byte: &u8) -> bool {
    matches!(byte, b';' | b',')
}

/// Replaces a definition; old decorations stay unless the content brings its own of the same sort. What stays, stays with the
/// definition of the old name, whatever the content begins with.
pub(crate) fn replace_definition(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let brought = defined_beside(reading, named, content);
    let is_inside = |symbol: &Symbol| {
        let mut members = symbol.children.iter();
        !symbol.names_inside
            && named.symbol.names_inside
            && members.any(|member| member.name == named.symbol.name)
    };
    if let Some(symbol) = brought.successor(&named.symbol.name)
        && (is_inside(symbol)
            || opens_block(content.get(..symbol.whole().start).unwrap_or_default()))
    {
        let name = &named.symbol.name;
        let message = format!("the content has what is around `{name}` as well");
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("give the definition alone, without the block that it is in"));
    }
    let Exchange { start, kept } = exchange(document, named, target.span, (&brought, content));
    let end = match named.symbol.trailing {
        Some(trailing) if brought.brings_trailing() => document.widened(trailing).end,
        _ => target.span.end,
    };
    let span = Span::new(start, end.max(target.span.end));
    let place = place_at(reading, Span::new(start, span.end), Some(named));
    let place = ContentPlace {
        base: document.indentation(target.span.start).to_vec(),
        old: Some(span),
        ..place
    };
    let mut fitted = brought.fitted(content, indent, &place)?;
    if let Some((parting, comment)) = comment_after(reading, named, target.span, content)
        && let Some(end) = bare_end(reading, named, &fitted)
    {
        let is_parted = end
            .checked_sub(1)
            .and_then(|last| fitted.get(last))
            .is_some_and(is_parting);
        let tail = [if is_parted { &[][..] } else { parting }, comment].concat();
        fitted.splice(end..end, tail);
    }
    if kept.is_empty() {
        return Ok(vec![EditKind::replace(span, fitted)]);
    }
    Ok(vec![EditKind::replace(
        span,
        with_kept(document, named, &kept, &fitted, reading),
    )])
}

/// What becomes of the decorations that a definition has.
struct Exchange<'n> {
    /// Where what is replaced begins.
    start: usize,
    /// Those from there on that stay.
    kept: Vec<&'n Decoration>,
}

/// Returns what becomes of the decorations of `named`, of which `span` is replaced, when the content brings some of its own.
fn exchange<'n>(
    document: &Document,
    named: &'n Definition<'_>,
    span: Span,
    (brought, content): (&content::Defined, &[u8]),
) -> Exchange<'n> {
    let successor = brought.successor(&named.symbol.name);
    let own = successor.map_or(&[][..], |symbol| &symbol.decorations);
    let goes = |decoration: &&Decoration| {
        let sort = KeptDecoration::of(decoration, &document.bytes);
        own.iter()
            .any(|own| KeptDecoration::of(own, content) == sort)
    };
    let old = &named.symbol.decorations;
    let first_gone = old
        .iter()
        .find(goes)
        .map(|decoration| document.widened(decoration.span).start);
    // Comments stand above decorators: brought ones must not end up between the old decorators and the definition. Nor must what
    // the content has before the definition.
    let is_first = successor.is_none_or(|successor| {
        brought
            .leading()
            .is_some_and(|it| std::ptr::eq(it, successor))
    });
    let brings_comment = own.iter().any(|own| own.sort == DecorationKind::Comment);
    let above = old.first().filter(|_| brings_comment || !is_first);
    let start = above
        .map(|first| document.widened(first.span).start)
        .or(first_gone)
        .unwrap_or(span.start)
        .min(span.start);
    let is_replaced = |decoration: &&Decoration| {
        decoration.span.start >= start && decoration.span.end <= span.start
    };
    let kept = old.iter().filter(is_replaced);
    Exchange {
        start,
        kept: kept.filter(|decoration| !goes(decoration)).collect(),
    }
}

/// What a decoration is to content that may bring its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeptDecoration<'d> {
    /// A decorator or an attribute.
    Decorator,
    /// A comment about the definition.
    Comment,
    /// A comment that some tool obeys, by its first word.
    Directive(&'d [u8]),
}

impl<'d> KeptDecoration<'d> {
    fn of(decoration: &Decoration, source: &'d [u8]) -> KeptDecoration<'d> {
        match decoration.sort {
            DecorationKind::Decorator => KeptDecoration::Decorator,
            DecorationKind::Comment => directives::of_comment(decoration.span.of(source))
                .map_or(KeptDecoration::Comment, KeptDecoration::Directive),
        }
    }
}

/// Returns the content with kept decorations in their usual place: comments first, directives and decorators next to the
/// definition.
fn with_kept(
    document: &Document,
    named: &Definition<'_>,
    kept: &[&Decoration],
    fitted: &[u8],
    reading: &Reading<'_>,
) -> Vec<u8> {
    let ending = LineEnding::at(&document.bytes, named.symbol.definition.start);
    let lines_of = |wanted: &dyn Fn(KeptDecoration<'_>) -> bool| {
        let chosen = kept
            .iter()
            .filter(|decoration| wanted(KeptDecoration::of(decoration, &document.bytes)));
        // One that shares the definition's line gets a line of its own.
        let line = |span: Span| match document.has_lines_to_itself(span) {
            true => document.widened(span).of(&document.bytes).to_vec(),
            false => [document.indentation(span.start), span.of(&document.bytes)].concat(),
        };
        let lines = chosen.map(|decoration| line(decoration.span));
        lines
            .flat_map(|line| [&line, ending.as_bytes()].concat())
            .collect::<Vec<u8>>()
    };
    // Where the content brings none of its own, they stay in their order.
    let own = defined_beside(reading, named, fitted);
    let successor = own.successor(&named.symbol.name);
    let brings_some = successor.is_some_and(|symbol| !symbol.decorations.is_empty());
    let comments = if brings_some {
        lines_of(&|kept| kept == KeptDecoration::Comment)
    } else {
        lines_of(&|_| true)
    };
    let directives = lines_of(&|kept| brings_some && matches!(kept, KeptDecoration::Directive(_)));
    let decorators = lines_of(&|kept| brings_some && kept == KeptDecoration::Decorator);
    // Where, in the content, the definition begins, and where its own leading comments end.
    let line_of = |offset: usize| {
        fitted
            .get(..offset)
            .and_then(|head| memchr::memrchr(b'\n', head))
            .map_or(0, |at| at + 1)
    };
    let (top, rest) = successor.map_or((0, 0), |symbol| {
        let decorator = symbol
            .decorations
            .iter()
            .find(|decoration| decoration.sort == DecorationKind::Decorator);
        let first = decorator.map_or(symbol.definition.start, |decoration| decoration.span.start);
        (line_of(symbol.whole().start), line_of(first))
    });
    let (head, tail) = fitted.split_at(rest.min(fitted.len()));
    let (before, leading) = head.split_at(top.min(head.len()));
    [before, &comments, leading, &directives, &decorators, tail].concat()
}

/// Replaces the header. What opens the body stays, so that content may end in it or not. Decorations that the content has above it take
/// the place of the old ones, as they do with all of a definition.
pub(crate) fn replace_signature(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let opener = document
        .language
        .map_or("", |language| language.habits.body_opener)
        .as_bytes();
    let after = document.bytes.get(target.span.end..).unwrap_or_default();
    let rest = after.trim_ascii_start();
    let opened = document.bytes.len() - rest.len() + opener.len();
    let (content, remark) = split_remark(document, content, opened);
    let content = match content.strip_suffix(opener) {
        Some(header) if !opener.is_empty() && rest.starts_with(opener) => header.trim_ascii_end(),
        _ => content,
    };
    let mut content = with_lead(reading, named, content.to_vec());
    // The arrow stands between the parameters and what it gives, and goes with neither.
    let arrow = b"=>";
    let has_arrow = |header: &[u8]| header.trim_ascii_end().ends_with(arrow);
    if has_arrow(target.span.of(&document.bytes)) && !has_arrow(&content) {
        content.truncate(content.trim_ascii_end().len());
        content.extend_from_slice(b" =>");
    }
    let kept = header_end(reading, named, target.span, &content).map(|end| Target {
        span: Span::new(target.span.start, end),
        ..target.clone()
    });
    let target = kept.as_ref().unwrap_or(target);
    let mut edits = match decorated_signature(reading, named, target, &content, indent)? {
        Some(edits) => edits,
        None => {
            let place = ContentPlace {
                fresh_line: false,
                ..place_at(reading, target.span, Some(named))
            };
            let fitted = content::fit_to_place(content.trim_ascii_start(), indent, &place)?;
            vec![EditKind::replace(target.span, fitted)]
        }
    };
    edits.extend(remark);
    Ok(edits)
}

/// Takes the comment off that ends a header after what opens the body (`def f(a):  # noqa`), with the edit that puts it there.
///
/// `opened` is where in the file the opener ends. A body on the header's line has no room for a comment: there all of the content stays as
/// it is, for the checks to refuse.
fn split_remark<'c>(
    document: &Document,
    content: &'c [u8],
    opened: usize,
) -> (&'c [u8], Option<EditKind>) {
    let whole = (content, None);
    let Some(habits) = document.language.map(|language| language.habits) else {
        return whole;
    };
    let opener = habits.body_opener.as_bytes();
    let begins_remark = |text: &[u8]| {
        habits
            .line_comments
            .iter()
            .any(|marker| text.starts_with(marker.as_bytes()))
    };
    let Some(remark) = remark_at(content, opener, begins_remark) else {
        return whole;
    };

    let line = document.bytes.get(opened..).unwrap_or_default();
    let line = line
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    let is_opened = document
        .bytes
        .get(..opened)
        .is_some_and(|before| before.ends_with(opener));
    let is_free = line.is_empty() || begins_remark(line.trim_ascii_start());
    if !is_opened || !is_free {
        return whole;
    }

    let (header, remark) = content.split_at(remark);
    let old = Span::new(opened, opened + line.len());
    (
        header,
        Some(EditKind::replace(old, remark.trim_ascii_end())),
    )
}

/// Returns where the header ends, opener included, in content whose last line goes on with a comment.
fn remark_at(
    content: &[u8],
    opener: &[u8],
    begins_remark: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    if opener.is_empty() {
        return None;
    }
    let last = content.trim_ascii_end();
    let last = memchr::memrchr(b'\n', last).map_or(0, |at| at + 1);
    let (mut depth, mut quote, mut in_comment) = (0_usize, None, false);
    for (at, &byte) in content.iter().enumerate() {
        let rest = content.get(at + 1..).unwrap_or_default();
        match (quote, byte) {
            (_, b'\n') => (quote, in_comment) = (None, false),
            _ if in_comment => {}
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, _) if begins_remark(&content[at..]) => in_comment = true,
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        let is_opener = depth == usize::from(opener == b"{")
            && quote.is_none()
            && !in_comment
            && content[..=at].ends_with(opener);
        if at >= last && is_opener && begins_remark(rest.trim_ascii_start()) {
            return Some(at + 1);
        }
    }
    None
}

/// Replaces the header by content that has decorations above its own; `None` where it has none.
fn decorated_signature(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Option<Vec<EditKind>>, Diagnostic> {
    let document = reading.document;
    let rest = rest_of(reading, named);
    let whole = [content, &rest].concat();
    let brought = defined_beside(reading, named, &whole);
    let is_decorated = |symbol: &Symbol| !symbol.decorations.is_empty();
    if !brought
        .successor(&named.symbol.name)
        .is_some_and(is_decorated)
    {
        return Ok(None);
    }
    let Exchange { start, kept } = exchange(document, named, target.span, (&brought, &whole));
    let span = Span::new(start, target.span.end);
    let place = ContentPlace {
        base: document.indentation(target.span.start).to_vec(),
        old: Some(span),
        ..place_at(reading, span, Some(named))
    };
    let mut fitted = content::fit_to_place(content, indent, &place)?;
    if !kept.is_empty() {
        fitted.extend_from_slice(&rest);
        fitted = with_kept(document, named, &kept, &fitted, reading);
        fitted.truncate(fitted.len() - rest.len());
    }
    Ok(Some(vec![EditKind::replace(span, fitted)]))
}

/// Replaces the body, which may share the header's line.
pub(crate) fn replace_body(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let filler = document
        .language
        .and_then(|language| language.habits.empty_body)
        .unwrap_or_default();
    let content = if content.is_empty() {
        filler.as_bytes()
    } else {
        content
    };
    if defines_itself(reading, named, content) {
        let name = &named.symbol.name;
        return Err(Diagnostic::new(
            Code::Unsupported,
            format!("the content defines `{name}`, and would be put inside of it"),
        )
        .note("leave `part: body` out to replace all of it, or give only what is inside"));
    }
    if would_be_block(document, target.span, content) {
        let name = named.address();
        let message = format!(
            "the content looks like an object, and would be the block of {name}, which returns nothing"
        );
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("write an object in parentheses, `({ … })`; a block says `return`"));
    }
    if let Some(value) = would_be_unrun(document, target.span, content) {
        let name = named.address();
        let message = format!(
            "the content would be {value}, which {name} returns: what is in the braces is not run"
        );
        return Err(Diagnostic::new(Code::Unsupported, message).note(
            "give an expression; or leave `part: body` out, and give all of it with a block",
        ));
    }
    let place = place_at(reading, target.span, Some(named));
    let base = if place.fresh_line && !target.span.is_empty() {
        content::indentation_inside(document, target.span)
    } else {
        place.base
    };
    let place = ContentPlace {
        base,
        parent: Some(named.symbol.kind),
        old: Some(target.span),
        ..place
    };
    if place.fresh_line && !target.span.is_empty() || named.symbol.kind == SegmentKind::Variable {
        let fitted = content::fit_to_place(content, indent, &place)?;
        let kept =
            kept_docstring(reading, named, target.span, &fitted).filter(|_| place.fresh_line);
        return Ok(vec![EditKind::replace(
            target.span,
            [kept.unwrap_or_default(), fitted].concat(),
        )]);
    }
    // On the header's line there is no room for both.
    if named
        .symbol
        .docstring
        .is_some_and(|docstring| target.span.contains(docstring))
    {
        let place = place_inside(reading, named);
        let fitted = content::fit_to_place(content, indent, &place)?;
        if let Some(docstring) = docstring_to_keep(reading, named, target.span, &fitted) {
            let ending = line_endings(document, docstring.start, 1);
            let lines = [
                &*place.base,
                docstring.of(&document.bytes),
                &*ending,
                &*fitted,
            ]
            .concat();
            return Ok(open_up_body(reading, named, target.span, lines, None));
        }
    }
    let is_one_line = !content.contains(&b'\n');
    if is_one_line && (!target.span.is_empty() || content.is_empty()) {
        return Ok(vec![EditKind::replace(target.span, content.to_vec())]);
    }
    // An expression stays where it is, and so does the block in braces that takes its place.
    let opener = document
        .language
        .map_or("", |language| language.habits.body_opener)
        .as_bytes();
    let header = document
        .bytes
        .get(..target.span.start)
        .unwrap_or_default()
        .trim_ascii_end();
    if !target.span.is_empty() && !header.ends_with(opener) {
        return Ok(vec![EditKind::replace(
            target.span,
            content::fit_to_place(content, indent, &place)?,
        )]);
    }
    Ok(open_up_body(
        reading,
        named,
        target.span,
        content::fit_to_place(content, indent, &place_inside(reading, named))?,
        None,
    ))
}

/// Returns what content in braces would be for the expression that is a function's body, where those open no block, if it is no such thing
/// that stands there.
fn would_be_unrun(document: &Document, old: Span, content: &[u8]) -> Option<&'static str> {
    let content = content.trim_ascii();
    let (bytes, grammar) = (&document.bytes, document.language?.grammar);
    if !content.starts_with(b"{") || old.of(bytes).starts_with(b"{") {
        return None;
    }
    let (before, behind) = (bytes.get(..old.start)?, bytes.get(old.end..)?);
    grammar.unrun_body(&[before, content, behind].concat(), old.start)
}

/// Says whether content for the expression of an arrow function is an object without the parentheses that it needs there: after `=>` a
/// brace opens a block. An empty one is an object where one stood.
fn would_be_block(document: &Document, old: Span, content: &[u8]) -> bool {
    let Some(language) = document.language else {
        return false;
    };
    let standing = old.of(&document.bytes).trim_ascii();
    let content = content.trim_ascii();
    let is_of_arrow = document
        .bytes
        .get(..old.start)
        .unwrap_or_default()
        .trim_ascii_end()
        .ends_with(b"=>");
    if !is_of_arrow || standing.starts_with(b"{") || !content.starts_with(b"{") {
        return false;
    }
    let was_object = standing
        .strip_prefix(b"(")
        .is_some_and(|inner| inner.trim_ascii_start().starts_with(b"{"));
    let is_empty = content
        .strip_prefix(b"{")
        .is_some_and(|inner| inner.trim_ascii_start() == b"}");
    let has_errors = |text: &[u8]| !language.grammar.errors(text).is_empty();
    (was_object || !is_empty) && !has_errors(&[b"(", content, b")"].concat())
}

/// Says whether content for the inside of a definition is the definition itself, and nothing else.
pub(super) fn defines_itself(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &[u8],
) -> bool {
    if matches!(
        named.symbol.kind,
        SegmentKind::Variable | SegmentKind::Constant
    ) {
        return false;
    }
    // `return load();` looks like a method of the type `return`.
    let text = content.trim_ascii_start();
    let is_statement = ["return", "throw", "yield", "await", "new", "delete"]
        .iter()
        .any(|word| {
            let rest = text.strip_prefix(word.as_bytes());
            rest.is_some_and(|rest| {
                rest.first()
                    .is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
            })
        });
    if is_statement {
        return false;
    }
    let brought = defined_beside(reading, named, content);
    let is_alone = brought
        .leading()
        .is_some_and(|symbol| symbol.whole().end >= content.trim_ascii_end().len());
    is_alone
        && brought.leading().is_some_and(|symbol| {
            symbol.name == named.symbol.name && symbol.kind == named.symbol.kind
        })
}
