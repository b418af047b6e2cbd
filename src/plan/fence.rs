//! Content in the place of a fenced block of code: the fences stay unless the content brings both.

use super::edit::EditKind;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::Position;
use crate::resolve::Document;
use crate::syntax::Symbol;
use crate::syntax::markdown::{Fence, MARKDOWN, enclosures, halves};
use crate::text::{LineEnding, Lines, Span, is_blank, leading_blank};

/// Returns the edit that puts `content`, which is not empty, in the place of the fenced block at `span`, or of what stands
/// between its fences.
pub(super) fn replace_fence(
    document: &Document,
    span: Span,
    content: &[u8],
) -> Result<Vec<EditKind>, Diagnostic> {
    let ending = LineEnding::at(&document.bytes, span.start);
    let block = FencedBlock::at(document, span);
    let lines = Lines::of(content);
    let mut each = (1..=lines.count()).map(|line| lines.content(content, line).of(content));
    if each
        .clone()
        .next()
        .is_some_and(|first| Fence::opened_by(first).is_some())
    {
        return match enclosures(content).iter().all(|one| one.close.is_some()) {
            true => Ok(vec![EditKind::replace(
                span,
                ending.write(content).into_owned(),
            )]),
            false => Err(refuse_fence(
                "the content opens a block of code and does not close it",
            )),
        };
    }
    if each.any(|line| block.fence.is_some_and(|fence| fence.is_closed_by(line))) {
        return Err(refuse_fence(
            "the content closes the block of code that it would stand in",
        ));
    }
    let mut written = ending
        .write(&indent_fence(content, block.margin))
        .into_owned();
    let break_ = ending.write(b"\n").into_owned();
    if block.inner.is_empty() {
        if block.is_closed {
            written.extend(break_)
        } else {
            written.splice(0..0, break_).for_each(drop)
        }
    }
    Ok(vec![EditKind::replace(block.inner, written)])
}

/// Refuses to put anything behind a section that ends in a block which nothing closes: it would be part of that.
pub(super) fn refuse_behind_open(document: &Document, section: &Symbol) -> Result<(), Diagnostic> {
    let text = section.definition.of(&document.bytes);
    let Some(open) = enclosures(text).into_iter().find(|one| one.close.is_none()) else {
        return Ok(());
    };
    // A list or a quote around it may end it as well.
    let heading = [text, b"\n\n# x\n"].concat();
    let stands = MARKDOWN
        .grammar
        .outline(&heading)
        .symbols
        .iter()
        .any(|symbol| is_last(symbol, text.len() + 2));
    if stands {
        return Ok(());
    }
    let sign = String::from_utf8_lossy(open.open.of(text))
        .chars()
        .take(20)
        .collect::<String>();
    let line = document
        .lines()
        .line(section.definition.start + open.open.start);
    let message = format!(
        "{}:{line}: {} is never closed: what comes behind it would be part of it",
        document.path,
        shown(&sign)
    );
    Err(Diagnostic::new(Code::StructureLost, message).note("close it first, in a batch of its own"))
}

/// Refuses to put anything beside a section where what is there belongs to others: between the two halves of a fold or another
/// block that begins or ends there.
pub(super) fn refuse_between_halves(
    document: &Document,
    section: &Symbol,
    position: Position,
) -> Result<(), Diagnostic> {
    let bytes = &document.bytes;
    let definition = section.definition;
    let is_last = is_blank(bytes.get(definition.end..).unwrap_or_default());
    let (text, closes) = match position {
        Position::After | Position::Last if is_last => return Ok(()),
        Position::After | Position::Last => (definition.of(bytes), true),
        Position::Before => (bytes.get(..definition.start).unwrap_or_default(), false),
        Position::First => return Ok(()),
    };
    let tail = halves::tail(text);
    let half = halves::unpaired(text)
        .into_iter()
        .find(|half| half.at >= tail && (closes || !half.closes));
    let Some(half) = half else { return Ok(()) };
    let from = if closes { definition.start } else { 0 };
    let line = document.lines().line(from + half.at);
    let message = format!(
        "{}:{line}: `{}` belongs to what is beside it too: what comes here would be part of that",
        document.path,
        shown(&half.text)
    );
    Err(Diagnostic::new(Code::StructureLost, message)
        .note("insert it beside a `text` or `lines`, which say just where"))
}

/// Says whether the segment, or one inside of it, begins at `offset`.
fn is_last(symbol: &Symbol, offset: usize) -> bool {
    symbol.definition.start == offset || symbol.children.iter().any(|child| is_last(child, offset))
}

fn refuse_fence(message: &str) -> Diagnostic {
    Diagnostic::new(Code::StructureLost, message)
        .note("bring the block with both its fences, or only what stands between them")
}

/// A fenced block.
struct FencedBlock<'d> {
    fence: Option<Fence>,
    /// The blanks ahead of the fence.
    margin: &'d [u8],
    /// What stands between the fences, the last line's ending excluded; without any line where one would come.
    inner: Span,
    is_closed: bool,
}

impl FencedBlock<'_> {
    fn at(document: &Document, span: Span) -> FencedBlock<'_> {
        let (bytes, lines) = (&document.bytes, document.lines());
        let (first, last) = (
            lines.line(span.start),
            lines.line(span.end.saturating_sub(1).max(span.start)),
        );
        let line = |number: usize| lines.content(bytes, number);
        let fence = Fence::opened_by(line(first).of(bytes));
        let is_closed =
            last > first && fence.is_some_and(|fence| fence.is_closed_by(line(last).of(bytes)));
        let last_inside = if is_closed { last - 1 } else { last };
        let inner = match (last_inside > first, is_closed) {
            (true, _) => Span::new(lines.start(first + 1), line(last_inside).end),
            (false, true) => Span::at(lines.start(last)),
            (false, false) => Span::at(line(first).end),
        };
        FencedBlock {
            fence,
            margin: leading_blank(line(first).of(bytes)),
            inner,
            is_closed,
        }
    }
}

/// Returns `content` below a fence that stands behind `margin`, which Markdown takes off again.
fn indent_fence(content: &[u8], margin: &[u8]) -> Vec<u8> {
    let lines = || content.split_inclusive(|&byte| byte == b'\n');
    if lines().all(|line| is_blank(line) || line.starts_with(margin)) {
        return content.to_vec();
    }
    lines()
        .flat_map(|line| {
            if is_blank(line) {
                [&b""[..], line]
            } else {
                [margin, line]
            }
        })
        .flatten()
        .copied()
        .collect()
}
