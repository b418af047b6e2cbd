//! `replace`: content in the place of a segment or of a part of it.

use std::borrow::Cow;

use super::action::{defined_beside, deletion, parent_kind, place_at};
use super::content::{self, Place};
use super::edit::{Insertion, What};
use super::element;
use super::overlap::endings;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Part, Scoped, Selector};
use crate::resolve::{Definition, Document, Reading, Target, is_code};
use crate::syntax::{Decoration, DecorationKind, Kind, Language, Symbol, directives, head};
use crate::text::splice::Splice;
use crate::text::{BOM, LineEnding, Span, is_binary, is_blank};

/// Returns the edits that put `content` in the place of `target`.
pub fn edits(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    if let Some(found) = target.element {
        return element::replaced(reading, found, target, part, content, indent);
    }
    if let Some(block) = target.block {
        return super::block::replace(reading, block, part, content, indent);
    }
    match (&scoped.selector, target.named) {
        (Selector::Section(_) | Selector::Block(_), Some(named))
            if named.symbol.kind == Kind::Section =>
        {
            section(document, named, target, part, content)
        }
        (Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_), Some(named)) => {
            let mut edits = symbol(reading, named, target, part, content, indent)?;
            if part == Some(Part::Body) && is_code(named.symbol.kind) {
                edits
                    .iter_mut()
                    .for_each(|edit| edit.stays_inside(Some(named.symbol.definition.start)));
            }
            Ok(edits)
        }
        (Selector::Lines(_), _) => lines(reading, target, content, indent),
        // Keys have a room of their own.
        (Selector::Key(_), _) => Ok(Vec::new()),
        (Selector::Pattern(_), _) if content.is_empty() => {
            Ok(super::quoted::removed(reading, target.span))
        }
        (Selector::Pattern(_), _) => {
            // Who matches all of a line, its line break too, means a line.
            let matched = target.span.of(&document.bytes);
            let takes_line =
                matched.ends_with(b"\n") && !is_blank(matched) && !content.ends_with('\n');
            let content = if takes_line {
                &format!("{content}\n")
            } else {
                content
            };
            let ready = super::quoted::in_its_line(reading, target.span, content, indent)?;
            let ending = LineEnding::at(&document.bytes, target.span.start);
            Ok(replaced(target.span, ending.write(&ready).into_owned()))
        }
        (
            Selector::Text(_)
            | Selector::Symbol(_)
            | Selector::Section(_)
            | Selector::Block(_)
            | Selector::Element(_),
            _,
        ) => {
            let ending = LineEnding::at(&document.bytes, target.span.start);
            Ok(vec![What::Replace(Splice::new(
                target.span,
                ending.write(content.as_bytes()),
            ))])
        }
    }
}

/// Returns what a whole file becomes: its byte-order mark and line endings stay, unless it was binary.
pub fn whole_file(old: &[u8], content: &str) -> Vec<u8> {
    if is_binary(old) {
        return content.as_bytes().to_vec();
    }
    let mut new = Vec::new();
    if old.starts_with(BOM) && !content.as_bytes().starts_with(BOM) {
        new.extend_from_slice(BOM);
    }
    new.extend_from_slice(&LineEnding::at(old, 0).write(content.as_bytes()));
    new
}

fn replaced(span: Span, bytes: Vec<u8>) -> Vec<What> {
    vec![What::Replace(Splice::new(span, bytes))]
}

fn lines(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    if content.is_empty() {
        return Ok(vec![super::remove::bare_lines(target.span)]);
    }
    let document = reading.document;
    let standing = target.span.of(&document.bytes);
    let first_text = standing
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(0);
    let base = document.indentation(target.span.start + first_text);
    let stays =
        indent == Indent::Auto && document.keeps_blanks(document.lines().line(target.span.start));
    let indent = if stays { Indent::Keep } else { indent };
    let place = Place {
        old: Some(target.span),
        ..Place::of_lines(document, target.span.start, base)
    };
    Ok(replaced(
        target.span,
        content::fitted(&content::lines(content), indent, &place)?,
    ))
}

fn symbol(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let content = content::block(content);
    let content = match part {
        None | Some(Part::Definition) => {
            let content = decorated_within(reading, named, exported(reading, named, content)?);
            terminated(reading, named, content)
        }
        Some(Part::Whole) => terminated(reading, named, content),
        Some(Part::Docstring) if !content.is_empty() => {
            check_docstring(reading.document.language, &content)?;
            content
        }
        Some(_) => content,
    };
    match part.unwrap_or(Part::Definition) {
        Part::Definition => definition(reading, named, target, &content, indent),
        Part::Body => body(reading, named, target, &content, indent),
        Part::Signature => signature(reading, named, target, &content, indent),
        Part::Whole
        | Part::Docstring
        | Part::Own
        | Part::Heading
        | Part::Code(_)
        | Part::Table(_)
        | Part::List(_)
        | Part::Inner
        | Part::Attribute(_) => {
            if content.is_empty() {
                return Ok(vec![deletion(target.span)]);
            }
            // A comment above may stand at any column; the definition's is the one that counts.
            let base = match part {
                Some(Part::Whole) => reading
                    .document
                    .indentation(named.symbol.definition.start)
                    .to_vec(),
                _ => reading.document.indentation(target.span.start).to_vec(),
            };
            let place = Place {
                base,
                old: Some(target.span),
                ..place_at(reading, target.span, Some(named))
            };
            Ok(replaced(
                target.span,
                content::fitted(&content, indent, &place)?,
            ))
        }
    }
}

/// Returns the edit that gives a module this docstring, and the one that it has: where it has none, it comes after the comments at the
/// head of the file.
pub fn docstring_of_file(
    reading: &Reading<'_>,
    content: &str,
) -> Result<(What, Vec<u8>), Diagnostic> {
    let document = reading.document;
    let bytes = &document.bytes;
    let language = document.language.filter(|language| language.habits.offside).ok_or_else(|| {
        Diagnostic::new(
            Code::Unsupported,
            format!("{} has no docstring: only a module of Python has one", document.path),
        )
        .note("comments at its head are edited by `text` or `lines`, or inserted with `position: first`")
    })?;
    check_docstring(Some(language), content.as_bytes())?;
    let ending = LineEnding::at(bytes, 0);
    let written = |text: &[u8]| ending.write(text).into_owned();
    let text = content.trim_ascii();
    if let Some(old) = first_docstring(language, bytes) {
        return Ok((
            What::Replace(Splice::new(old, written(text.as_bytes()))),
            old.of(bytes).to_vec(),
        ));
    }
    if !document.errors().is_empty() {
        return Err(Diagnostic::new(
            Code::Unsupported,
            format!("{} does not parse", document.path),
        )
        .note("mend the file first, or insert the text with `position: first`"));
    }
    let at = head::of(bytes, Some(&language.habits)).end;
    let rest = bytes.get(at..).unwrap_or_default();
    let parts = if is_blank(rest.split(|&byte| byte == b'\n').next().unwrap_or_default()) {
        "\n"
    } else {
        "\n\n"
    };
    let is_line_start = at == 0 || bytes[..at] == *BOM || bytes[..at].ends_with(b"\n");
    let before = if is_line_start { "" } else { "\n" };
    let content = written(format!("{before}{text}{parts}").as_bytes());
    Ok((
        What::Insert(Insertion {
            at,
            content,
            ..Insertion::default()
        }),
        Vec::new(),
    ))
}

/// Refuses content that is no documentation: of Python a string and nothing else, of other languages comments.
pub fn check_docstring(language: Option<&Language>, content: &[u8]) -> Result<(), Diagnostic> {
    let Some(language) = language else {
        return Ok(());
    };
    let refuse = |way_out: &str| {
        Err(Diagnostic::new(Code::Unsupported, "the content is no docstring").note(way_out))
    };
    if language.habits.offside {
        let is_whole = |span: Span| span.end >= content.trim_ascii_end().len();
        return match first_docstring(language, content) {
            Some(span) if is_whole(span) => Ok(()),
            _ => refuse("write it with its quotes: `\"\"\"…\"\"\"`"),
        };
    }
    let mut rest = 0;
    for comment in language.grammar.comments(content) {
        if !is_blank(content.get(rest..comment.start).unwrap_or_default()) {
            return refuse("write it as a comment");
        }
        rest = comment.end;
    }
    if is_blank(content.get(rest..).unwrap_or_default()) {
        Ok(())
    } else {
        refuse("write it as a comment")
    }
}

/// Returns the docstring that a module begins with.
pub fn first_docstring(language: &Language, source: &[u8]) -> Option<Span> {
    let lead = language.grammar.lead(source, None)?;
    let first = language
        .grammar
        .statements(source, None)?
        .into_iter()
        .next()?
        .span;
    let text = first.of(source).trim_ascii_start();
    let is_string = text
        .first()
        .is_some_and(|first| matches!(first, b'"' | b'\''))
        || matches!(text, [b'r' | b'R' | b'u' | b'U', b'"' | b'\'', ..]);
    (lead.contains(first) && is_string).then_some(first)
}

/// Returns content that ends its statement as the old one was ended: where a `;` stood, one stays, for without it the
/// next line may be read as a part of the statement.
fn terminated(reading: &Reading<'_>, named: &Definition<'_>, mut content: Vec<u8>) -> Vec<u8> {
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
fn exported(
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
fn decorated_within(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    mut content: Vec<u8>,
) -> Vec<u8> {
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
        .filter(|habits| habits.offside && symbol.kind != Kind::Variable)
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
    let has_block = offside && named.symbol.kind != Kind::Variable;
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

/// Says whether the byte ends a statement or parts two of them.
fn is_parting(byte: &u8) -> bool {
    matches!(byte, b';' | b',')
}

/// Replaces a definition; old decorations stay unless the content brings its own of the same sort. What stays, stays with the
/// definition of the old name, whatever the content begins with.
fn definition(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let brought = defined_beside(reading, named, content);
    let Exchange { start, kept } = exchange(document, named, target.span, (&brought, content));
    let end = match named.symbol.trailing {
        Some(trailing) if brought.brings_trailing() => document.widened(trailing).end,
        _ => target.span.end,
    };
    let span = Span::new(start, end.max(target.span.end));
    let place = place_at(reading, Span::new(start, span.end), Some(named));
    let place = Place {
        base: document.indentation(target.span.start).to_vec(),
        old: Some(span),
        ..place
    };
    let mut fitted = brought.fitted(content, indent, &place)?;
    if let Some((parting, comment)) = comment_after(reading, named, target.span, content)
        && let Some(end) =
            defined_beside(reading, named, &fitted).bare_end(&named.symbol.name, &fitted)
    {
        let is_parted = end
            .checked_sub(1)
            .and_then(|last| fitted.get(last))
            .is_some_and(is_parting);
        let tail = [if is_parted { &[][..] } else { parting }, comment].concat();
        fitted.splice(end..end, tail);
    }
    if kept.is_empty() {
        return Ok(replaced(span, fitted));
    }
    Ok(replaced(
        span,
        with_kept(document, named, &kept, &fitted, reading),
    ))
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
        let sort = Kept::of(decoration, &document.bytes);
        own.iter().any(|own| Kept::of(own, content) == sort)
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
enum Kept<'d> {
    /// A decorator or an attribute.
    Decorator,
    /// A comment about the definition.
    Comment,
    /// A comment that some tool obeys, by its first word.
    Directive(&'d [u8]),
}

impl<'d> Kept<'d> {
    fn of(decoration: &Decoration, source: &'d [u8]) -> Kept<'d> {
        match decoration.sort {
            DecorationKind::Decorator => Kept::Decorator,
            DecorationKind::Comment => directives::of_comment(decoration.span.of(source))
                .map_or(Kept::Comment, Kept::Directive),
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
    let lines_of = |wanted: &dyn Fn(Kept<'_>) -> bool| {
        let chosen = kept
            .iter()
            .filter(|decoration| wanted(Kept::of(decoration, &document.bytes)));
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
        lines_of(&|kept| kept == Kept::Comment)
    } else {
        lines_of(&|_| true)
    };
    let directives = lines_of(&|kept| brings_some && matches!(kept, Kept::Directive(_)));
    let decorators = lines_of(&|kept| brings_some && kept == Kept::Decorator);
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
fn signature(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let opener = document
        .language
        .map_or("", |language| language.habits.body_opener)
        .as_bytes();
    let rest = document
        .bytes
        .get(target.span.end..)
        .unwrap_or_default()
        .trim_ascii_start();
    let content = match content.strip_suffix(opener) {
        Some(header) if !opener.is_empty() && rest.starts_with(opener) => header.trim_ascii_end(),
        _ => content,
    };
    let content = with_lead(reading, named, content.to_vec());
    if let Some(edits) = decorated_signature(reading, named, target, &content, indent)? {
        return Ok(edits);
    }
    let place = Place {
        fresh_line: false,
        ..place_at(reading, target.span, Some(named))
    };
    Ok(replaced(
        target.span,
        content::fitted(content.trim_ascii_start(), indent, &place)?,
    ))
}

/// Replaces the header by content that has decorations above its own; `None` where it has none.
fn decorated_signature(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Option<Vec<What>>, Diagnostic> {
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
    let place = Place {
        base: document.indentation(target.span.start).to_vec(),
        old: Some(span),
        ..place_at(reading, span, Some(named))
    };
    let mut fitted = content::fitted(content, indent, &place)?;
    if !kept.is_empty() {
        fitted.extend_from_slice(&rest);
        fitted = with_kept(document, named, &kept, &fitted, reading);
        fitted.truncate(fitted.len() - rest.len());
    }
    Ok(Some(replaced(span, fitted)))
}

/// Replaces the body, which may share the header's line.
fn body(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
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
    let place = place_at(reading, target.span, Some(named));
    let place = Place {
        parent: Some(named.symbol.kind),
        old: Some(target.span),
        ..place
    };
    if place.fresh_line && !target.span.is_empty() || named.symbol.kind == Kind::Variable {
        let fitted = content::fitted(content, indent, &place)?;
        let kept =
            kept_docstring(reading, named, target.span, &fitted).filter(|_| place.fresh_line);
        return Ok(replaced(
            target.span,
            [kept.unwrap_or_default(), fitted].concat(),
        ));
    }
    // On the header's line there is no room for both.
    if named
        .symbol
        .docstring
        .is_some_and(|docstring| target.span.contains(docstring))
    {
        let place = inside(reading, named);
        let fitted = content::fitted(content, indent, &place)?;
        if let Some(docstring) = docstring_to_keep(reading, named, target.span, &fitted) {
            let ending = endings(document, docstring.start, 1);
            let lines = [
                &*place.base,
                docstring.of(&document.bytes),
                &*ending,
                &*fitted,
            ]
            .concat();
            return Ok(opened_up(reading, named, target.span, lines));
        }
    }
    if !content.contains(&b'\n') && !target.span.is_empty() {
        return Ok(replaced(target.span, content.to_vec()));
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
        return Ok(replaced(
            target.span,
            content::fitted(content, indent, &place)?,
        ));
    }
    Ok(opened_up(
        reading,
        named,
        target.span,
        content::fitted(content, indent, &inside(reading, named))?,
    ))
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

/// Says whether content for a body is the definition itself, and nothing else.
fn defines_itself(reading: &Reading<'_>, named: &Definition<'_>, content: &[u8]) -> bool {
    if matches!(named.symbol.kind, Kind::Variable | Kind::Constant) {
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

/// Returns the docstring that a body begins with, unless `content` brings one of its own.
fn docstring_to_keep(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    content: &[u8],
) -> Option<Span> {
    let docstring = named
        .symbol
        .docstring
        .filter(|docstring| body.contains(*docstring))?;
    let brought = reading
        .document
        .language?
        .grammar
        .statements(content, Some(named.symbol.kind))?;
    (!brought.first().is_some_and(|first| first.leads)).then_some(docstring)
}

/// Returns the docstring that a body begins with, with all up to the line of the statement after it, unless `content` brings
/// one of its own.
fn kept_docstring(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    content: &[u8],
) -> Option<Vec<u8>> {
    let document = reading.document;
    let docstring = docstring_to_keep(reading, named, body, content)?;
    let lines = document.lines();
    let last = lines.line(docstring.end.saturating_sub(1));
    let end = lines.content(&document.bytes, last).end;
    let behind = Span::new(docstring.end, end.max(docstring.end))
        .of(&document.bytes)
        .trim_ascii_start();
    // What else is on its line goes, but for a comment; one that ends the body is none of it, and stays anyway.
    if !(behind.is_empty() || behind.starts_with(b"#") && end <= body.end) {
        let own = Span::new(body.start, docstring.end).of(&document.bytes);
        return Some([own, &endings(document, docstring.start, 1)].concat());
    }

    let mut kept = Span::new(body.start, end).of(&document.bytes).to_vec();
    let rest = Span::new(end, body.end.max(end)).of(&document.bytes);
    let blanks = rest.iter().position(|byte| !byte.is_ascii_whitespace());
    let first = blanks.map(|at| memchr::memrchr(b'\n', &rest[..at]).map_or(0, |line| line + 1));
    match first {
        Some(first) => kept.extend_from_slice(&rest[..first]),
        None => kept.extend_from_slice(&endings(document, docstring.start, 1)),
    }
    Some(kept)
}

/// Returns the place of a line inside the body of `named`, for a body that shows no indentation of its own.
pub fn inside<'a>(reading: &'a Reading<'_>, named: &Definition<'_>) -> Place<'a> {
    let document = reading.document;
    let unit = document
        .unit()
        .or_else(|| content::unit_at(document, Span::at(0), parent_kind(reading, named)));
    let step = match unit {
        Some(crate::text::indent::Unit::Tab) => b"\t".to_vec(),
        Some(crate::text::indent::Unit::Spaces(count)) => vec![b' '; count],
        None => Vec::new(),
    };
    let base = [document.indentation(named.symbol.signature.start), &step].concat();
    Place {
        document,
        offset: named.symbol.definition.start,
        base,
        unit,
        fresh_line: true,
        parent: Some(named.symbol.kind),
        old: None,
    }
}

/// Puts ready lines into a body that shares the header's line: the body moves to lines of its own.
pub fn opened_up(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    lines: Vec<u8>,
) -> Vec<What> {
    let document = reading.document;
    let bytes = &document.bytes;
    let ending = endings(document, body.start, 1);
    let blanks_before = bytes[..body.start]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let start = body.start - blanks_before;
    let offside = document
        .language
        .is_some_and(|language| language.habits.offside);
    let begins_line = start == 0 || bytes.get(start - 1) == Some(&b'\n');
    let mut new = if begins_line {
        Vec::new()
    } else {
        ending.clone()
    };
    new.extend_from_slice(&lines);
    if offside {
        return replaced(Span::new(start, body.end), new);
    }
    let blanks_after = bytes[body.end..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    new.extend_from_slice(&ending);
    new.extend_from_slice(document.indentation(named.symbol.definition.start));
    replaced(Span::new(start, body.end + blanks_after), new)
}

/// Replaces a section or a part of it; the blank lines around it stay.
fn section(
    document: &Document,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
) -> Result<Vec<What>, Diagnostic> {
    let block = content::block(content);
    let ending = LineEnding::at(&document.bytes, target.span.start);
    let ready = ending.write(&block).into_owned();
    let heading = named.symbol.signature;
    let brings_heading = document.language.is_some_and(|language| {
        let outline = language.grammar.outline(&block);
        outline
            .symbols
            .first()
            .is_some_and(|first| first.definition.start == 0)
    });
    Ok(match part {
        None | Some(Part::Whole) if brings_heading => replaced(target.span, ready),
        None | Some(Part::Whole) => match named.symbol.body {
            Some(body) => replaced_or_deleted(Span::new(body.start, target.span.end), ready),
            None => below(document, heading, ready),
        },
        Some(Part::Heading) if !brings_heading => {
            return Err(Diagnostic::new(Code::Unsupported, "the content is no heading").note(
                "write it with its markers (`## Usage`); without a heading the text would fall to the section above",
            ));
        }
        Some(Part::Code(_)) if !block.is_empty() => {
            return super::fence::replaced(document, target.span, &block);
        }
        Some(_) if target.span.is_empty() => below(document, heading, ready),
        Some(_) => replaced_or_deleted(target.span, ready),
    })
}

fn replaced_or_deleted(span: Span, ready: Vec<u8>) -> Vec<What> {
    if ready.is_empty() {
        vec![deletion(span)]
    } else {
        replaced(span, ready)
    }
}

/// Puts text below a heading that has none, a blank line apart from it and from what follows.
fn below(document: &Document, heading: Span, ready: Vec<u8>) -> Vec<What> {
    if ready.is_empty() {
        return Vec::new();
    }
    let before = endings(document, heading.start, 2);
    let follows = super::gaps::Gaps::around(document, heading);
    let foot = if follows.next.is_some() && follows.below == 0 {
        endings(document, heading.start, 1)
    } else {
        Vec::new()
    };
    vec![What::Insert(Insertion {
        at: heading.end,
        before,
        content: ready,
        foot,
        ..Insertion::default()
    })]
}
