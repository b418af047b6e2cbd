//! Repeats: lines that begin or end with the very line beside them, and a part that brings what stands ahead of it. Who numbers lines
//! and is one off leaves a line twice; who gives a body together with its header leaves that twice, and who quotes a header and gives it
//! with its decorators leaves those twice.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, Part, Selector, Verb};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::html::is_html;
use crate::syntax::markdown::MARKDOWN;
use crate::syntax::{Language, directives};
use crate::text::splice::Splice;
use crate::text::{Lines, Span, is_blank};

/// Where lines repeat the one beside them.
#[derive(Clone, Debug)]
pub struct Repeat {
    operation: usize,
    what: RepeatKind,
    refusal: Diagnostic,
}

/// What is there twice.
#[derive(Clone, Copy, Debug)]
enum RepeatKind {
    /// The line beside the edit; whether it is one of several, and none of what was taken is that line.
    Line { is_new: bool },
    /// The header of the segment.
    Header,
    /// A decorator, attribute or documentation that is right above what is quoted.
    Decoration,
}

/// How much there is against a line that is there twice.
#[derive(Clone, Debug)]
pub enum RepeatComplaint {
    /// Nobody means it.
    Refusal(Diagnostic),
    /// Who quotes a text may mean it.
    Warning(Diagnostic),
}

/// So many lines of decorators and documentation above a quoted header are looked at.
const MOST_DECORATING: usize = 40;

/// Returns each place of `new` where what an operation wrote begins or ends with the line beside it, where what it took did not.
pub fn repeats(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Repeat> {
    let Some(splices) = edit.splices.as_ref().filter(|splices| !splices.is_empty()) else {
        return Vec::new();
    };
    let (before, after) = ((old.lines(), &old.bytes[..]), (new.lines(), &new.bytes[..]));
    let mut found = Vec::new();
    for (splice, written) in splices.with_new_spans() {
        if let (Some(header), Some(operation)) =
            (repeated_header(splice, old), edit.claimant(splice.span))
        {
            let refusal = header_refusal(edit, &header).of_operation(operation);
            found.push(Repeat {
                operation,
                what: RepeatKind::Header,
                refusal,
            });
        }
        let decoration = repeated_decoration(splice, written, old, &new.bytes);
        if let (Some(line), Some(operation)) = (decoration, edit.claimant(splice.span)) {
            let refusal = decoration_refusal(edit, &line).of_operation(operation);
            found.push(Repeat {
                operation,
                what: RepeatKind::Decoration,
                refusal,
            });
            continue;
        }
        let filled = after.0.filled_by(written, after.1);
        if filled.is_empty() {
            continue;
        }
        let taken = before.0.filled_by(splice.span, before.1);
        let was_there = |line: &[u8]| {
            let mut taken = splice.span.of(before.1).split(|&byte| byte == b'\n');
            taken.any(|taken| taken.trim_ascii() == line.trim_ascii())
        };
        let edges = [
            (filled.start, filled.start.checked_sub(1), taken.start),
            (
                filled.end - 1,
                Some(filled.end),
                taken.end.saturating_sub(1),
            ),
        ];
        for (edge, beside, was) in edges {
            let Some(line) = beside
                .and_then(|beside| line(after, beside))
                .filter(|line| has_word(line))
            else {
                continue;
            };
            if self::line(after, edge) != Some(line)
                || (!taken.is_empty() && self::line(before, was) == Some(line))
            {
                continue;
            }
            if let Some(operation) = edit.claimant(splice.span) {
                let refusal = refusal(edit, line, edge).of_operation(operation);
                found.push(Repeat {
                    operation,
                    what: RepeatKind::Line {
                        is_new: filled.len() > 1 && !was_there(line),
                    },
                    refusal,
                });
            }
        }
    }
    found
}

impl Repeat {
    /// Returns what there is to say: a refusal, where the operation numbers lines or names what is below a header, or brings decorators
    /// again; a warning, where it quotes a text and brings the line beside that. Nothing where it allows repeats.
    pub fn complaint(&self, operations: &[Operation]) -> Option<RepeatComplaint> {
        let operation = operations
            .get(self.operation)
            .filter(|operation| !operation.allow_repeat)?;
        let selector = operation.scoped().map(|scoped| &scoped.selector);
        let is_quoted = matches!(selector, Some(Selector::Text(_)));
        let refuses = match self.what {
            RepeatKind::Line { .. } => matches!(selector, Some(Selector::Lines(_))),
            // By its name the heading of a section is kept where the content seems to bring none.
            RepeatKind::Header => {
                let is_section = matches!(selector, Some(Selector::Section(_)));
                match &operation.verb {
                    Verb::Replace { part, .. } => match part {
                        Some(Part::Body | Part::Own | Part::Inner) => true,
                        None | Some(Part::Whole) => is_section,
                        _ => false,
                    },
                    _ => false,
                }
            }
            RepeatKind::Decoration => {
                is_quoted || matches!(selector, Some(Selector::Pattern(_) | Selector::Lines(_)))
            }
        };
        let refusal = self.refusal.clone();
        if refuses {
            return Some(RepeatComplaint::Refusal(refusal));
        }
        // What is put beside a text repeats a line of its own, and what takes the place of every match one of many.
        let is_one = match &operation.verb {
            Verb::Replace { .. } => true,
            Verb::Substitute { expect_count, .. } => *expect_count == Some(1),
            _ => false,
        };
        let warns = matches!(self.what, RepeatKind::Line { is_new: true }) && is_quoted && is_one;
        warns.then(|| {
            let mut warning = refusal;
            warning.notes = vec![
                "look at the diff: a line of context too many in the content is there twice"
                    .to_owned(),
            ];
            RepeatComplaint::Warning(warning)
        })
    }
}

/// Returns the first line of the decorators, attributes or documentation right above what `splice` takes, which it gives once more.
fn repeated_decoration(
    splice: &Splice,
    written: Span,
    old: &Document,
    new: &[u8],
) -> Option<String> {
    let is_code = |language: &&Language| language.grammar.statements(b"", None).is_some();
    old.language.filter(is_code)?;
    let taken = splice.span.of(&old.bytes).trim_ascii_start();
    let given = written.of(new).trim_ascii_start();
    let start = written.end - given.len();
    let line_start = memchr::memrchr(b'\n', &new[..start]).map_or(0, |at| at + 1);
    if taken.is_empty() || !is_blank(&new[line_start..start]) {
        return None;
    }
    let mut above: Vec<&[u8]> = new[..line_start.min(written.start)]
        .rsplit(|&byte| byte == b'\n')
        .skip(1)
        .map(<[u8]>::trim_ascii)
        .take_while(|line| !line.is_empty())
        .take(MOST_DECORATING)
        .collect();
    above.reverse();
    let given: Vec<&[u8]> = given
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .take(MOST_DECORATING)
        .collect();
    let again = (0..above.len()).rev().find(|&at| {
        let rest = &above[at..];
        let is_alone = || rest[0] == given[0] && rest.iter().all(|line| decorates(line));
        decorates(rest[0]) && (given.starts_with(rest) || is_alone())
    })?;
    let was_there = taken.starts_with(above[again]);
    let line = above[again..].iter().find(|line| has_word(line))?;
    (!was_there).then(|| String::from_utf8_lossy(line).into_owned())
}
/// Says whether a line begins a decorator, an attribute, documentation, or a comment that a tool obeys for what is below it.
fn decorates(line: &[u8]) -> bool {
    let is_decorator = line.strip_prefix(b"@").is_some_and(|rest| {
        rest.first().is_some_and(u8::is_ascii_alphabetic)
            && !rest.ends_with(b";")
            && !rest.ends_with(b"{")
    });
    let is_documentation = line.starts_with(b"/**") || line.starts_with(b"///") && has_word(line);
    is_decorator || is_documentation || line.starts_with(b"#[") || directives::is_for_next(line)
}

/// Returns the first line of what stands ahead of the range of `splice` and is its header, where that gives it once more: what a
/// definition, a section or an element with an `id` begins with.
fn repeated_header(splice: &Splice, old: &Document) -> Option<String> {
    let language = old.language?;
    let ahead = old.bytes.get(..splice.span.start)?;
    let taken = splice.span.of(&old.bytes);
    let is_given = |header: &[u8], is_whole_line: bool| {
        let begins = |text: &[u8]| begins_like(text, header, is_whole_line);
        begins(&splice.bytes) && !begins(taken)
    };
    let header = if let Some(start) = splice.inside {
        let first = ahead.get(start..)?.split(|&byte| byte == b'\n').next()?;
        Some(first).filter(|header| is_given(header, false))
    } else if std::ptr::eq(language, &MARKDOWN) {
        let is_wrapped = |header: &&[u8]| begins_like(unwrapped(&splice.bytes), header, true);
        Some(last_heading(ahead)).filter(|header| is_given(header, true) || is_wrapped(header))
    } else if is_html(language) {
        let start = ahead.iter().rposition(|&byte| byte == b'<')?;
        let tag = &ahead[start..];
        let is_of_one = memchr::memmem::find(&tag.to_ascii_lowercase(), b" id=").is_some();
        Some(tag).filter(|tag| is_of_one && is_given(tag, false))
    } else {
        None
    };
    let header = header.filter(|header| has_word(header))?;
    let first = header
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    Some(String::from_utf8_lossy(first.trim_ascii()).into_owned())
}

/// Returns content without the fence that all of it is in, or the indentation of its first line: as an answer quotes it.
fn unwrapped(content: &[u8]) -> &[u8] {
    let content = content.trim_ascii_start();
    let is_fenced = content.starts_with(b"```") || content.starts_with(b"~~~");
    let first_end = memchr::memchr(b'\n', content).filter(|_| is_fenced);
    first_end
        .and_then(|end| content.get(end..))
        .unwrap_or(content)
        .trim_ascii_start()
}

/// Returns the last line of `ahead` that is not empty, with the one above it where it only underlines that.
fn last_heading(ahead: &[u8]) -> &[u8] {
    let ahead = ahead.trim_ascii_end();
    let line_start = |end: usize| {
        ahead[..end]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1)
    };
    let start = line_start(ahead.len());
    if has_word(&ahead[start..]) {
        &ahead[start..]
    } else {
        &ahead[line_start(start.saturating_sub(1))..]
    }
}

/// Says whether `text` begins with the words of `header`, and in whole lines if that is asked for; blanks are all alike.
fn begins_like(text: &[u8], header: &[u8], is_whole_line: bool) -> bool {
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(<[u8]>::to_vec)
            .collect()
    };
    let lines = header.split(|&byte| byte == b'\n').count();
    let begun: Vec<&[u8]> = text
        .trim_ascii_start()
        .split(|&byte| byte == b'\n')
        .take(lines)
        .collect();
    let (begun, header) = (words(&begun.join(&b'\n')), words(header));
    if is_whole_line {
        begun == header
    } else {
        begun.starts_with(&header)
    }
}

/// Returns the 1-based line of a file, without its ending.
fn line<'b>((lines, bytes): (&Lines, &'b [u8]), number: usize) -> Option<&'b [u8]> {
    let is_there = (1..=lines.count()).contains(&number);
    is_there.then(|| Span::of(lines.content(bytes, number), bytes))
}

fn has_word(line: &[u8]) -> bool {
    line.iter()
        .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

fn refusal(edit: &FileEdit, line: &[u8], number: usize) -> Diagnostic {
    let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
    let message = format!(
        "{} would have `{}` twice, at line {number} and beside it",
        edit.path,
        shown(&text)
    );
    Diagnostic::new(Code::RepeatsNeighbour, message)
        .note("leave the line out of the content or take it into the range; if both are meant: `allow_repeat: true` (`--allow-repeat`)")
}

fn decoration_refusal(edit: &FileEdit, line: &str) -> Diagnostic {
    let message = format!(
        "{} would have `{}` twice: it is right above what is quoted, and in the content",
        edit.path,
        shown(line)
    );
    Diagnostic::new(Code::RepeatsNeighbour, message)
        .note("leave it out of the content, or quote it with what is below it")
}

fn header_refusal(edit: &FileEdit, header: &str) -> Diagnostic {
    let message = format!(
        "{} would have `{}` twice, one in the other",
        edit.path,
        shown(header)
    );
    Diagnostic::new(Code::RepeatsNeighbour, message).note(
        "give what is below that line, or all of it as it stands in a file, neither in a fence nor indented, and without `part`; if both are meant: `allow_repeat: true` (`--allow-repeat`)",
    )
}
