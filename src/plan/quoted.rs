//! `replace` by `text`: content in the place of what the caller quoted, letter by letter or nearly so.
//!
//! Where the quotation is exact, the content is put there as it is. Where it is not, what counts is the change that the
//! caller made between `text` and `content`: it is carried over to the lines that really stand there, so that a line
//! that was misquoted and not meant to change keeps its bytes. Up to `indentation` a changed line is the caller's, moved
//! as the text was; at `whitespace` and `similar` its words are merged, too, and what both changed is a conflict.
//!
//! ```text
//! text       f(a, b)      the caller's change: `b` → `c`
//! content    f(a, c)
//! stands     f(x,  b)     misquoted: `x`, and two blanks
//! comes      f(x,  c)
//! ```
//!
//! Known limits: a line that both misquoted and deleted is a conflict, however near.

use std::collections::{HashMap, HashSet};

use super::content::{self, ContentPlace};
use super::edit::EditKind;
use crate::diagnostic::{Code, Diagnostic, shown, visible};
use crate::manifest::ending::ended_like;
use crate::manifest::{Indent, MatchLevel};
use crate::resolve::matching::{IndentShift, line_key, word_key};
use crate::resolve::{Document, Reading};
use crate::syntax::SegmentKind;
use crate::syntax::keys::KeyFormat;
use crate::syntax::markdown::MARKDOWN;
use crate::syntax::python::PYTHON;
use crate::text::diff::{equal_runs, words};
use crate::text::indent::{LineRole, unit_of_file};
use crate::text::merge::{MergePart, parts};
use crate::text::{LineEnding, Span, is_blank, leading_blank};

/// Returns the edits that put `content` in the place of `text`, which was found at `span`.
pub(super) fn replace_quoted(
    reading: &Reading<'_>,
    text: &str,
    span: Span,
    level: MatchLevel,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    if content.is_empty() {
        return Ok(remove_quoted(reading, span));
    }
    let new = if level == MatchLevel::Exact {
        let ending = LineEnding::at(&reading.document.bytes, span.start);
        ending
            .write(&in_its_line(reading, span, content, indent)?)
            .into_owned()
    } else {
        let content = ended_like(text, content);
        let line_start = reading
            .document
            .line_start(reading.document.lines().line(span.start));
        let is_bare_line = line_start < span.start && !text.trim_end().contains('\n');
        let deepened = if is_bare_line {
            in_its_line(reading, span, &content, indent)?
        } else {
            Vec::new()
        };
        let content = if is_bare_line {
            String::from_utf8_lossy(&deepened)
        } else {
            content
        };
        // What was found elsewhere than it was quoted is written where it was found.
        let moves = !is_bare_line && !matches!(indent, Indent::Spaces(_));
        carried_over(reading, span, text, &content, level, moves)?
    };
    Ok(vec![EditKind::replace(span, new)])
}

/// Says whether nothing but blanks is around `span` on its lines, and it does not end the last of them itself.
pub(super) fn fills_lines(document: &Document, span: Span) -> bool {
    let (lines, bytes) = (document.lines(), &document.bytes);
    if span.is_empty() || span.of(bytes).ends_with(b"\n") {
        return false;
    }
    let start = document.line_start(lines.line(span.start)).min(span.start);
    let end = lines
        .content(bytes, lines.line(span.end - 1))
        .end
        .max(span.end);
    is_blank(&bytes[start..span.start]) && is_blank(&bytes[span.end..end])
}

/// Says whether only the dashes of items are before `span` on its line, and nothing but blanks after it.
pub(super) fn fills_item(document: &Document, span: Span) -> bool {
    let (lines, bytes) = (document.lines(), &document.bytes);
    if span.is_empty() || !is_item_prefix(document, span.start) {
        return false;
    }
    let end = lines
        .content(bytes, lines.line(span.end - 1))
        .end
        .max(span.end);
    is_blank(&bytes[span.end..end])
}

/// Says whether there are only the dashes of items before `offset` on its line, in a file where those are items.
fn is_item_prefix(document: &Document, offset: usize) -> bool {
    let prefix = &document.bytes[document
        .line_start(document.lines().line(offset))
        .min(offset)..offset];
    has_items(document) && without_dashes(prefix).is_empty() && !is_blank(prefix)
}

fn has_items(document: &Document) -> bool {
    document.language.is_none_or(|language| {
        language.name == MARKDOWN.name || language.grammar.format() == Some(KeyFormat::Yaml)
    })
}

/// Returns what comes after the indentation of a line and the dashes of items there.
fn without_dashes(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii_start();
    while let Some(after) = rest
        .strip_prefix(b"-")
        .filter(|after| after.starts_with(b" "))
    {
        rest = after.trim_ascii_start();
    }
    rest
}

/// Returns how many bytes the dashes of items and their blanks are that a line begins with after its indentation.
pub(super) fn width_of_dashes(document: &Document, line: usize) -> usize {
    let content = document
        .lines()
        .content(&document.bytes, line)
        .of(&document.bytes)
        .trim_ascii_start();
    if has_items(document) {
        content.len() - without_dashes(content).len()
    } else {
        0
    }
}

/// Returns the indentation of what goes on at `offset`: that of its line, or of what comes after the dashes of items there.
pub(super) fn depth_at(document: &Document, offset: usize) -> Vec<u8> {
    if !is_item_prefix(document, offset) {
        return document.indentation(offset).to_vec();
    }
    let prefix = &document.bytes[document.line_start(document.lines().line(offset))..offset];
    prefix
        .iter()
        .map(|&byte| if byte == b'-' { b' ' } else { byte })
        .collect()
}

/// Returns the edits that take a text away: where it fills its lines these go, though neither their indentation nor the line
/// break was quoted.
pub(super) fn remove_quoted(reading: &Reading<'_>, span: Span) -> Vec<EditKind> {
    let document = reading.document;
    if fills_lines(document, span) {
        let (first, last) = (
            document.lines().line(span.start),
            document.lines().line(span.end - 1),
        );
        let end = document
            .lines()
            .content(&document.bytes, last)
            .end
            .max(span.end);
        return vec![super::remove::delete_bare_lines(Span::new(
            document.line_start(first).min(span.start),
            end,
        ))];
    }
    let bytes = &document.bytes;
    let start = document
        .line_start(document.lines().line(span.start))
        .min(span.start);
    let opens = is_blank(&bytes[start..span.start]);
    let whole = opens && span.of(bytes).ends_with(b"\n");
    let from = if whole { start } else { span.start };
    vec![EditKind::replace(Span::new(from, span.end), Vec::new())]
}

/// Returns content whose first line is inside a line with this indentation, its further lines as deep as that. A here-document stays
/// as it is: its end mark is one in the first column only.
pub(super) fn on_lines_of(content: &[u8], base: &[u8]) -> Vec<u8> {
    let own = leading_blank(content);
    let mut lines = content[own.len()..].split_inclusive(|&byte| byte == b'\n');
    let mut fitted = lines.next().unwrap_or_default().to_vec();
    let mut mark = here_document(&fitted);
    for line in lines {
        if let Some(end) = &mark {
            fitted.extend_from_slice(line);
            if line.trim_ascii() == end.as_slice() {
                mark = None;
            }
            continue;
        }
        if !is_blank(line) {
            fitted.extend_from_slice(base);
        }
        fitted.extend_from_slice(line.strip_prefix(own).unwrap_or(line));
        mark = here_document(line);
    }
    fitted
}

/// Returns the roles of lines of which those of here-documents stay as they are.
fn roles_around_here_documents(text: &[u8]) -> Vec<LineRole> {
    let mut mark: Option<Vec<u8>> = None;
    let role = |line: &[u8]| match &mark {
        Some(end) => {
            if line.trim_ascii() == end.as_slice() {
                mark = None;
            }
            LineRole::Frozen
        }
        None => {
            mark = here_document(line);
            LineRole::Code
        }
    };
    text.split(|&byte| byte == b'\n').map(role).collect()
}

/// Returns the word that ends the here-document which a line opens.
fn here_document(line: &[u8]) -> Option<Vec<u8>> {
    let at = memchr::memmem::find(line, b"<<")?;
    let rest = line[at + 2..].strip_prefix(b"-").unwrap_or(&line[at + 2..]);
    let quoted = rest
        .iter()
        .take_while(|byte| b" '\"~\\".contains(byte))
        .count();
    let word: Vec<u8> = rest[quoted..]
        .iter()
        .copied()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .collect();
    word.first()
        .is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        .then_some(word)
}

/// Returns content for a place inside one line, its further lines indented as that line is: the caller who quotes
/// what stands in a line need not know how deep it stands. Content whose further lines stand as they would in the file
/// stays as it is, but that its first line brings no indentation where the line has its own before the place; so does all
/// inside a string of several lines, and with `indent: keep`.
pub(super) fn in_its_line(
    reading: &Reading<'_>,
    span: Span,
    content: &str,
    indent: Indent,
) -> Result<Vec<u8>, Diagnostic> {
    let document = reading.document;
    let as_given = content.as_bytes().to_vec();
    let line = document.lines().line(span.start);
    let base = &*depth_at(document, span.start);
    if base.is_empty() || indent != Indent::Auto {
        return Ok(as_given);
    }
    // Where indentation is not code's, whatever is on a line of its own goes as deep as the line.
    let is_code = document
        .language
        .is_some_and(|language| language.name != MARKDOWN.name);
    let preformatted = document.dom().is_preformatted(span.start);
    if preformatted || is_code && document.roles().get(line - 1) == Some(&LineRole::Frozen) {
        return Ok(as_given);
    }

    let quoted = span.of(&document.bytes);
    let begins_line = document.line_start(line) + base.len() == span.start;
    let (blanks, rest) = content.split_at(leading_blank(content.as_bytes()).len());
    if !begins_line && !blanks.is_empty() && !rest.is_empty() {
        // They part words, and say nothing of how deep anything is.
        return Ok([
            blanks.as_bytes(),
            &in_its_line(reading, span, rest, indent)?,
        ]
        .concat());
    }
    let bare = content.trim_start_matches([' ', '\t']).as_bytes();
    let is_indented = begins_line && bare.len() < content.len() && is_other(bare, quoted);
    let is_alone =
        span.start > document.line_start(line) && !quoted.trim_ascii_end().contains(&b'\n');
    let code = past_comments(document, bare);
    let is_at_home = match is_indented {
        true if is_alone => content.as_bytes().strip_suffix(bare) == Some(base),
        true => is_indented_so(bare, base) || content.as_bytes().starts_with(base),
        // After a comment all lines are further ones.
        false if code.len() < bare.len() && !bare.starts_with(b"\n") => {
            let mut lines = code
                .split(|&byte| byte == b'\n')
                .filter(|line| !is_blank(line));
            leading_blank(code) == base && lines.all(|line| line.starts_with(base))
        }
        // In a language that is not read no check would find that the content leaves the block of its first line.
        false => {
            is_indented_so(bare, base)
                || document.language.is_some() && goes_on_around(document, line, bare, base)
        }
    };
    if is_at_home && !is_indented && is_alone && is_laid_out_unread(document) {
        refuse_two_depths(document, line, bare, base)?;
    }
    let is_one_line = !bare.trim_ascii_end().contains(&b'\n');
    if is_one_line || is_at_home || !is_alone {
        return Ok(if is_indented && (is_one_line || is_at_home) {
            bare.to_vec()
        } else {
            as_given
        });
    }

    if !is_code {
        return Ok(on_lines_of(content.as_bytes(), base));
    }
    refuse_unreachable(document, bare)?;
    let place = ContentPlace {
        unit: document.unit(),
        ..ContentPlace::of_lines(document, span.start, base)
    };
    let lines = LineEnding::Lf.write(content.as_bytes());
    // An empty line at the start is meant to be one; a comment there lost its indentation, as the text did.
    let blank = lines.iter().position(|&byte| byte != b'\n').unwrap_or(0);
    let column = if is_indented || code.len() == bare.len() {
        b""
    } else {
        leading_blank(code)
    };
    let whole = [if blank == 0 { column } else { b"" }, &lines[blank..]].concat();
    let fitted = content::fit_to_place(&whole, indent, &place)?;
    Ok(match blank {
        0 => fitted.strip_prefix(base).map_or(as_given, <[u8]>::to_vec),
        _ => [&lines[..blank], &fitted].concat(),
    })
}

/// How the names of files end whose languages are not read here, and in which indentation says what is in what.
const LAID_OUT: [&str; 14] = [
    ".pug", ".jade", ".haml", ".slim", ".sass", ".styl", ".coffee", ".fs", ".fsx", ".nim", ".hs",
    ".elm", ".purs", ".gd",
];

fn is_laid_out_unread(document: &Document) -> bool {
    document.language.is_none()
        && LAID_OUT
            .iter()
            .any(|ending| document.path.as_str().ends_with(ending))
}

/// Refuses content whose further lines are as deep as its place, and may be meant to be deeper by as much: whether they are in what
/// the first line begins is not certain.
fn refuse_two_depths(
    document: &Document,
    line: usize,
    content: &[u8],
    base: &[u8],
) -> Result<(), Diagnostic> {
    let next = content
        .split(|&byte| byte == b'\n')
        .skip(1)
        .find(|line| !is_blank(line));
    if next.is_none_or(|next| leading_blank(next) != base) {
        return Ok(());
    }
    let message = format!(
        "the content's second line is as deep as line {line} of {}: beside its first line, or in what that begins?",
        document.path
    );
    Err(Diagnostic::new(Code::Unsupported, message).note(
        "quote whole lines, their indentation too, and write the content as it is to stand; or say `indent: keep`",
    ))
}

/// Refuses content for a deeper place, written without its indentation, that leaves its block (`return`) and has something of a module
/// below that, a definition, the guard of a script, or what two blank lines set apart: there it would never run, and is meant to stand
/// outside. What comes right below may be switched off on purpose.
pub(super) fn refuse_unreachable(document: &Document, content: &[u8]) -> Result<(), Diagnostic> {
    let Some(language) = document
        .language
        .filter(|language| std::ptr::eq(*language, &PYTHON))
    else {
        return Ok(());
    };
    let roles = language
        .grammar
        .line_roles(content, Some(SegmentKind::Function));
    let begins = |line: &[u8], words: &[&str]| {
        words.iter().any(|word| {
            let rest = line.strip_prefix(word.as_bytes());
            rest.is_some_and(|rest| {
                !rest
                    .first()
                    .is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_')
            })
        })
    };
    let mut is_left = false;
    let (mut blanks, mut is_apart) = (0, false);
    for (number, line) in content.split(|&byte| byte == b'\n').enumerate() {
        let role = roles.get(number).copied().unwrap_or(LineRole::Code);
        blanks = if role == LineRole::Blank {
            blanks + 1
        } else {
            0
        };
        is_apart |= blanks >= 2;
        let is_statement = role == LineRole::Code && !line.starts_with(b"#");
        if !is_statement || is_blank(line) || !leading_blank(line).is_empty() {
            continue;
        }
        let is_of_module = is_apart
            || line.starts_with(b"@")
            || begins(line, &["def", "class", "async def", "if __name__"]);
        if is_left && is_of_module {
            let text = String::from_utf8_lossy(line).into_owned();
            let message = format!(
                "the content has `{}` below a statement that leaves its block: there it would never run",
                shown(text.trim())
            );
            return Err(Diagnostic::new(Code::Unsupported, message).note(
                "quote whole lines, their indentation too, and write the content as it is to stand; or say `indent: keep`",
            ));
        }
        is_left = begins(line, &["return", "raise", "break", "continue"]);
        is_apart = false;
    }
    Ok(())
}

/// Returns content from its first line on that is neither blank nor a comment: those may be anywhere, and prove nothing.
fn past_comments<'c>(document: &Document, content: &'c [u8]) -> &'c [u8] {
    let marks = document
        .language
        .map_or(&[][..], |language| language.habits.line_comments);
    let is_comment = |line: &[u8]| marks.iter().any(|mark| line.starts_with(mark.as_bytes()));
    let mut rest = content;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let line = rest[..end].trim_ascii();
        if !line.is_empty() && !is_comment(line) {
            break;
        }
        rest = &rest[end + 1..];
    }
    rest
}

/// Says whether content without its indentation begins with something, and is not just what was `quoted`, which is to stand
/// deeper.
fn is_other(content: &[u8], quoted: &[u8]) -> bool {
    content
        .first()
        .is_some_and(|byte| !byte.is_ascii_whitespace())
        && content.trim_ascii_end() != quoted.trim_ascii_end()
}

/// Says whether the further lines of `content` are as deep as something around a line with this indentation: the first line opens
/// no block that they would be in.
fn goes_on_around(document: &Document, line: usize, content: &[u8], base: &[u8]) -> bool {
    let mut lines = content.split(|&byte| byte == b'\n');
    let is_alone = lines
        .next()
        .is_some_and(|first| !opens_block_of_code(first));
    let further = lines.filter(|line| !is_blank(line)).map(leading_blank);
    let Some(least) = further.min_by_key(|indent| indent.len()) else {
        return false;
    };
    let above = (1..line).map(|line| {
        document
            .lines()
            .content(&document.bytes, line)
            .of(&document.bytes)
    });
    let is_around = || {
        above
            .filter(|above| !is_blank(above))
            .any(|above| leading_blank(above) == least)
    };
    is_alone
        && !least.is_empty()
        && base.len() > least.len()
        && base.starts_with(least)
        && is_around()
}

/// Says whether a line opens a block or an item, or goes on in the next line.
fn opens_block_of_code(line: &[u8]) -> bool {
    matches!(
        line.trim_ascii_end().last(),
        Some(b':' | b'{' | b'(' | b'[')
    ) || line.starts_with(b"- ")
        || begins_definition(line)
}

/// Says whether nothing but what announces a value comes after the colon of a key: `|` or `>` with its signs, a tag, an anchor, a
/// comment.
fn begins_definition(line: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(line, b": ") else {
        return false;
    };
    let words = line[at + 2..]
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut words = words.take_while(|word| !word.starts_with(b"#")).peekable();
    let is_sign = |word: &[u8]| {
        word.iter()
            .skip(1)
            .all(|byte| b"+-".contains(byte) || byte.is_ascii_digit())
    };
    words.all(|word| match word.first() {
        Some(b'|' | b'>') => is_sign(word),
        first => matches!(first, Some(b'!' | b'&')),
    })
}

/// Says whether all further lines of `content` have at least the indentation `base`, and the one behind a line that
/// opens a block more than that: then it was written as it is to stand.
fn is_indented_so(content: &[u8], base: &[u8]) -> bool {
    let mut lines = content.split(|&byte| byte == b'\n');
    let opens = opens_block_of_code(lines.next().unwrap_or_default());
    let mut further = lines
        .filter(|line| !is_blank(line))
        .map(leading_blank)
        .peekable();
    let deeper = further
        .peek()
        .is_some_and(|indent| !opens || indent.len() > base.len());
    deeper && further.all(|indent| indent.starts_with(base))
}

/// Returns what becomes of the place once the change from `text` to `content` is carried over to it.
fn carried_over(
    reading: &Reading<'_>,
    span: Span,
    text: &str,
    content: &str,
    level: MatchLevel,
    moves: bool,
) -> Result<Vec<u8>, Diagnostic> {
    let document = reading.document;
    let stands = span.of(&document.bytes);
    let ending = LineEnding::at(&document.bytes, span.start);
    let [text, content] =
        [text, content].map(|side| LineEnding::Lf.write(side.as_bytes()).into_owned());
    // The file's last line has no ending, and keeps none.
    let unended = text.ends_with(b"\n") && !stands.ends_with(b"\n");
    let [text, content] = [text, content].map(|side| {
        if unended {
            side.strip_suffix(b"\n").unwrap_or(&side).to_vec()
        } else {
            side
        }
    });
    let moved = |side: &[u8], shift: &IndentShift| {
        // A list in Markdown is moved as a whole, however much its indentation means.
        let language = document
            .language
            .filter(|language| language.name != MARKDOWN.name);
        let roles = match (language, document.language) {
            (Some(language), _) => language.grammar.line_roles(side, None),
            (None, None) => roles_around_here_documents(side),
            (None, Some(_)) => Vec::new(),
        };
        ending.write(&shift.applied(side, &roles)).into_owned()
    };
    let shift = if moves {
        indent_shift(reading, &text, &content, stands)
    } else {
        IndentShift::default()
    };
    // Quoted without its indentation, and written with it: that is where it is to stand.
    let (quoted, standing) = (common_margin(&text), common_margin(stands));
    let stands_there = quoted.len() < standing.len() && common_margin(&content) == standing;
    let content = if stands_there {
        ending.write(&content).into_owned()
    } else {
        moved(&content, &shift)
    };
    let text = moved(&text, &shift);
    let sides = [text.as_slice(), stands, content.as_slice()].map(split_lines);
    let mut merged = Vec::new();
    for part in parts([&sides[0], &sides[1], &sides[2]], &|line| line_key(line)) {
        merged.extend(match part {
            MergePart::Settled(bytes) => bytes,
            MergePart::Clash([from, to, wanted]) => {
                let sides = [
                    sides[0][from].concat(),
                    sides[1][to.clone()].concat(),
                    sides[2][wanted].concat(),
                ];
                merge_by_words([&sides[0], &sides[1], &sides[2]], level).ok_or_else(|| {
                    let at = span.start + bytes_before_line(&self::split_lines(stands), to.start);
                    refuse_conflict(reading, at, [&sides[0], &sides[1], &sides[2]])
                })?
            }
        });
    }
    Ok(merged)
}

fn split_lines(side: &[u8]) -> Vec<&[u8]> {
    side.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Returns the indentation that all lines begin with which are not blank.
fn common_margin(text: &[u8]) -> &[u8] {
    let mut indents = text
        .split(|&byte| byte == b'\n')
        .filter(|line| !is_blank(line))
        .map(leading_blank);
    let first = indents.next().unwrap_or_default();
    indents.fold(first, |margin, indent| {
        let common = margin
            .iter()
            .zip(indent)
            .take_while(|(one, other)| one == other)
            .count();
        &margin[..common]
    })
}

fn bytes_before_line(lines: &[&[u8]], line: usize) -> usize {
    lines[..line].iter().map(|line| line.len()).sum()
}

/// Learns from the lines that text and place share how the text's indentation is that of the place.
fn indent_shift(reading: &Reading<'_>, text: &[u8], content: &[u8], stands: &[u8]) -> IndentShift {
    let (quoted, standing) = (split_lines(text), split_lines(stands));
    let keys = |lines: &[&'_ [u8]]| {
        lines
            .iter()
            .map(|line| line_key(line).into_owned())
            .collect::<Vec<_>>()
    };
    let (quoted_keys, standing_keys) = (keys(&quoted), keys(&standing));
    let (left, right) = (borrow_keys(&quoted_keys), borrow_keys(&standing_keys));
    let pairs = equal_runs(&left, &right)
        .into_iter()
        .flat_map(|run| run.old.zip(run.new));
    let indents: Vec<(&[u8], &[u8])> = pairs
        .filter(|&(at, _)| !is_blank(quoted[at]))
        .map(|(at, to)| (leading_blank(quoted[at]), leading_blank(standing[to])))
        .collect();
    let from = unit_of_file(text).or_else(|| unit_of_file(content));
    let learnt = IndentShift::uniform(&indents)
        .unwrap_or_else(|| IndentShift::learnt(indents.iter().copied()));
    learnt.converting(from, reading.document.unit())
}

fn borrow_keys(keys: &[Vec<u8>]) -> Vec<&[u8]> {
    keys.iter().map(Vec::as_slice).collect()
}

/// Merges the words of a stretch that both sides changed; `None` when they changed the same ones.
fn merge_by_words(sides: [&[u8]; 3], level: MatchLevel) -> Option<Vec<u8>> {
    if level <= MatchLevel::Indentation {
        // Typography is all that the words of both can differ in, and that is the file's where it was not meant to change.
        let merged = if sides.iter().all(|side| side.is_ascii()) {
            None
        } else {
            merged_words(sides, level)
        };
        return Some(merged.unwrap_or_else(|| sides[2].to_vec()));
    }
    merged_words(sides, level)
}

fn merged_words(sides: [&[u8]; 3], level: MatchLevel) -> Option<Vec<u8>> {
    let originals = sides;
    // At `whitespace` a line break is white space like any other; else it holds its place between two words.
    let [base, ours, theirs] = sides.map(|side| {
        if level == MatchLevel::Whitespace {
            glue_words(side)
        } else {
            words(side)
        }
    });
    let mut merged = Vec::new();
    for part in parts([&base, &ours, &theirs], &|word| word_key(word)) {
        match part {
            MergePart::Settled(bytes) => merged.extend(bytes),
            MergePart::Clash([from, to, wanted]) => {
                let (base, ours, theirs) = (&base[from], &ours[to], &theirs[wanted]);
                // As one text: an apostrophe may be a word of its own here and a part of one there.
                let keys = |words: &[&'_ [u8]]| {
                    words
                        .iter()
                        .map(|word| word_key(word))
                        .collect::<Vec<_>>()
                        .concat()
                };
                let blank = |words: &[&[u8]]| words.iter().all(|word| is_blank(word));
                match () {
                    () if keys(base) == keys(ours) => {
                        merged.extend(merge_by_characters([
                            &base.concat(),
                            &ours.concat(),
                            &theirs.concat(),
                        ]));
                    }
                    () if blank(base) && blank(ours) => {
                        merged.extend([theirs.concat(), ours.concat()].concat())
                    }
                    () => return None,
                }
            }
        }
    }
    Some(merged).filter(|merged| keeps_lines(merged, originals))
}

/// Says whether what comes out of a merge by words has its line breaks where the content or the place has them: words that the content
/// has in two lines do not stand in one, nor those of one line in two.
fn keeps_lines(merged: &[u8], [_, ours, theirs]: [&[u8]; 3]) -> bool {
    let [found, standing, wanted] = [merged, ours, theirs].map(pairs_of_words);
    let (standing_pairs, wanted_pairs): (HashSet<&WordPair>, HashSet<&WordPair>) =
        (standing.iter().collect(), wanted.iter().collect());
    let standing_seams: HashSet<(&Vec<u8>, bool)> = standing
        .iter()
        .map(|pair| (&pair.first, pair.is_broken))
        .collect();
    let mut follows: HashMap<&[u8], bool> = HashMap::new();
    let mut leads: HashMap<&[u8], bool> = HashMap::new();
    for pair in &wanted {
        *follows.entry(&pair.first).or_insert(true) &= pair.is_broken;
    }
    for pair in &standing {
        *leads.entry(&pair.second).or_insert(true) &= pair.is_broken;
    }
    found.iter().all(|pair| {
        if standing_pairs.contains(pair) || wanted_pairs.contains(pair) {
            return true;
        }
        let other = WordPair {
            is_broken: !pair.is_broken,
            ..pair.clone()
        };
        // As it stands in the file: another word came there, and the layout is the file's.
        if standing_seams.contains(&(&pair.first, pair.is_broken)) {
            return true;
        }
        let ends = || follows.get(&*pair.first).is_some_and(|broken| *broken);
        let begins = || leads.get(&*pair.second).is_some_and(|broken| *broken);
        !(wanted_pairs.contains(&other) || !pair.is_broken && ends() && begins())
    })
}

/// Two words, one after the other.
#[derive(Clone, PartialEq, Eq, Hash)]
struct WordPair {
    first: Vec<u8>,
    second: Vec<u8>,
    /// A line ends between them.
    is_broken: bool,
}

fn pairs_of_words(text: &[u8]) -> Vec<WordPair> {
    let (mut pairs, mut is_broken, mut last): (Vec<WordPair>, bool, Option<Vec<u8>>) =
        (Vec::new(), false, None);
    for word in words(text) {
        if is_blank(word) {
            is_broken |= word.contains(&b'\n');
            continue;
        }
        let second = word_key(word).into_owned();
        if let Some(first) = last.replace(second.clone()) {
            pairs.push(WordPair {
                first,
                second,
                is_broken,
            });
        }
        is_broken = false;
    }
    pairs
}

/// Merges what differs in typography only: of a changed word the characters that did not change are the file's.
fn merge_by_characters(sides: [&[u8]; 3]) -> Vec<u8> {
    if sides.iter().all(|side| side.is_ascii()) {
        return sides[2].to_vec();
    }
    let [base, ours, theirs] = sides.map(split_characters);
    let mut merged = Vec::new();
    for part in parts([&base, &ours, &theirs], &|character| word_key(character)) {
        match part {
            MergePart::Settled(bytes) => merged.extend(bytes),
            MergePart::Clash([_, _, wanted]) => merged.extend(theirs[wanted].concat()),
        }
    }
    merged
}

/// Returns the characters of UTF-8, each as its bytes.
fn split_characters(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|_, next| next & 0b1100_0000 == 0b1000_0000)
        .collect()
}

/// Returns the words of `side`, white space in one piece whatever it is made of.
fn glue_words(side: &[u8]) -> Vec<&[u8]> {
    let mut rest = side;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let blank = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let length = if blank > 0 {
            blank
        } else {
            words(rest).first().map_or(rest.len(), |word| word.len())
        };
        let (piece, tail) = rest.split_at(length);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// Both changed the same words: the three versions are shown.
fn refuse_conflict(
    reading: &Reading<'_>,
    at: usize,
    [quoted, stands, wanted]: [&[u8]; 3],
) -> Diagnostic {
    let document = reading.document;
    let line = document.lines().line(at);
    let message = format!(
        "what is to change at line {line} of {} is not what `text` quotes",
        document.path
    );
    let shown = |bytes: &[u8]| visible(&String::from_utf8_lossy(bytes));
    Diagnostic::new(Code::MergeConflict, message)
        .note(format!("quoted: {}", shown(quoted)))
        .note(format!("stands: {}", shown(stands)))
        .note(format!("wanted: {}", shown(wanted)))
        .note("quote it as it stands, then repeat the edit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_merged_unless_both_changed_them() {
        let check = |level: MatchLevel,
                     quoted: &str,
                     stands: &str,
                     wanted: &str,
                     expected: Option<&str>| {
            let merged = merge_by_words(
                [quoted.as_bytes(), stands.as_bytes(), wanted.as_bytes()],
                level,
            );
            let merged = merged.map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(
                merged.as_deref(),
                expected,
                "{quoted} | {stands} | {wanted}"
            );
        };
        use MatchLevel::{Indentation, Similar, Unicode, Whitespace};
        check(Similar, "f(a, b)", "f(x,  b)", "f(a, c)", Some("f(x,  c)"));
        check(Similar, "f(a, b)", "f(a, x)", "f(a, c)", None);
        check(
            Similar,
            "f(a)\n",
            "f(x)\n",
            "f(a)\ng()\n",
            Some("f(x)\ng()\n"),
        );
        check(Whitespace, "a = b", "a  =  b", "a == b", Some("a  ==  b"));
        check(
            Whitespace,
            "a + b;",
            "a\n  + b;",
            "a + c;",
            Some("a\n  + c;"),
        );
        check(Indentation, "a = b", "a = b  ", "a = c", Some("a = c"));
        check(
            Unicode,
            "It's a \"nice\" day in May",
            "It’s a “nice” day in May",
            "It's a \"nice\" day in June",
            Some("It’s a “nice” day in June"),
        );
        check(
            Unicode,
            "say \"so\"",
            "say “so”",
            "say 'so'",
            Some("say 'so'"),
        );
    }

    #[test]
    fn content_that_stands_as_it_is_to_stand_is_recognised() {
        let check = |content: &str, expected: bool| {
            assert_eq!(
                is_indented_so(content.as_bytes(), b"    "),
                expected,
                "{content}"
            )
        };
        check("x = 1\n    y = 2", true);
        check("x = 1\ny = 2", false);
        check("if x:\n        y()", true);
        check("if x:\n    y()", false);
        check("f(\n    a)", false);
        check("x = 1\n\n    y = 2", true);
    }

    /// A block of a file, disturbed, and a line of it that the caller changes.
    fn disturbed() -> impl Strategy<Value = (String, String, String, usize)> {
        const FILE: &str = "import os\n\n\ndef prepare(items):\n    first = collect(items)\n\n    # Those that count.\n    second = filtered(first, “all”)\n    return second, first\n\n\ndef finish(order):\n    return order.close()\n";
        let block: String = FILE.split_inclusive('\n').skip(3).take(6).collect();
        let change = prop_oneof![Just(4usize), Just(8)];
        let way = prop::sample::subsequence(vec![0, 1, 2, 3, 4], 1..4);
        (change, way).prop_map(move |(changed, ways)| {
            let number = changed - 3;
            let old = if changed == 4 {
                "    first = collect(items)\n"
            } else {
                "    return second, first\n"
            };
            let new = |text: &str| text.replace(old, &format!("    changed = {number}\n"));
            let quoted = ways.iter().fold(block.clone(), |text, way| match way {
                0 => text.replace(":\n", ":  \n"),
                1 => text.replace(['“', '”'], "\""),
                2 => text.replace("second = ", "second  =  "),
                3 => text.replace("\n\n", "\n"),
                _ => text.replace("that count", "that matter"),
            });
            let content = new(&quoted);
            (FILE.to_owned(), quoted, content, changed)
        })
    }

    proptest! {
        /// Whatever was misquoted, the one line that the caller changes is the one line that changes.
        #[test]
        fn bytes_outside_the_changed_lines_stay((file, quoted, content, changed) in disturbed()) {
            let path = crate::path::RepoPath::parse("a.py").unwrap();
            let document = crate::resolve::Document::new(path, file.as_bytes().into(), crate::snapshot::HashKind::Sha1);
            let reading = Reading::of(&document);
            let scoped = crate::manifest::Scoped::from(crate::manifest::Selector::Text(quoted.clone()));
            let found = crate::resolve::quoted(&reading, &scoped, &quoted, &content).unwrap();
            let crate::resolve::Quoted::Stands(target, matched) = found else { panic!("it is not done yet") };
            let edits = replace_quoted(&reading, &quoted, target.span, matched.level, &content, Indent::Auto).unwrap();
            let [EditKind::Replace(splice)] = edits.as_slice() else { panic!("one splice") };
            let mut after = file.clone().into_bytes();
            after.splice(splice.span.start..splice.span.end, splice.bytes.iter().copied());
            let after = String::from_utf8(after).unwrap();
            let expected: String = file
                .split_inclusive('\n')
                .enumerate()
                .map(|(at, line)| if at == changed { format!("    changed = {}\n", changed - 3) } else { line.to_owned() })
                .collect();
            prop_assert_eq!(after, expected, "{}\n{:?}", quoted, matched);
        }
    }
}
