//! Where edits of one file meet: clashes are named, touching ones composed into splices.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

use super::customs;
use super::edit::{Deletion, Edit, EditKind, Insertion};
use super::gaps::Gaps;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Operation;
use crate::resolve::Document;
use crate::text::splice::{Splice, Splices};
use crate::text::{Lines, Span, is_blank, leading_blank};

/// Composes the edits of one file into splices, or names every two operations that claim the same bytes.
pub fn compose(
    document: &Document,
    edits: &[Edit],
    operations: &[Operation],
) -> Result<Splices, Vec<Diagnostic>> {
    let clashes = find_clashes(document, edits, operations);
    if !clashes.is_empty() {
        return Err(clashes);
    }
    let mut splices: Vec<(Splice, usize)> = Vec::new();
    let mut taken = vec![false; edits.len()];
    let blocks = deleted_blocks(document, edits);
    let gone: Vec<Span> = blocks.iter().map(|block| block.lines).collect();
    for block in &blocks {
        splices.push((
            deletion_splice(document, edits, block, &gone, &mut taken),
            block.operation,
        ));
    }
    splices.extend(insertion_splices(edits, &taken));
    for edit in edits {
        if let EditKind::Replace(splice) = &edit.what {
            splices.push((splice.clone(), edit.operation));
        }
    }
    let claim = |at: usize| {
        splices
            .get(at)
            .map(|(splice, operation)| (splice.span, *operation))
    };
    Splices::new(splices.iter().map(|(splice, _)| splice.clone()).collect()).map_err(|clashes| {
        let told = clashes
            .into_iter()
            .filter_map(|clash| Some((claim(clash.first)?, claim(clash.second)?)));
        told.map(|(one, other)| refuse_clashes(document, one, other, operations))
            .collect()
    })
}

/// Names every two operations whose claims overlap.
fn find_clashes(document: &Document, edits: &[Edit], operations: &[Operation]) -> Vec<Diagnostic> {
    let homeless: Vec<Diagnostic> = insertions_without_home(edits)
        .map(|[gone, edit]| {
            refuse_clashes(
                document,
                (gone.what.claim(), gone.operation),
                (edit.what.claim(), edit.operation),
                operations,
            )
        })
        .collect();
    let twice = attributes_given_twice(edits).map(|[one, other]| {
        refuse_clashes(
            document,
            (one.what.claim(), one.operation),
            (other.what.claim(), other.operation),
            operations,
        )
    });
    let claims = edits
        .iter()
        .map(|edit| Splice::new(edit.what.claim(), Vec::new()))
        .collect();
    let clashes = match Splices::new(claims) {
        Ok(_) => homeless,
        Err(clashes) => {
            let claim = |at: usize| {
                edits
                    .get(at)
                    .map(|edit| (edit.what.claim(), edit.operation))
            };
            let told = clashes
                .into_iter()
                .filter_map(|clash| Some((claim(clash.first)?, claim(clash.second)?)));
            told.map(|(one, other)| refuse_clashes(document, one, other, operations))
                .collect()
        }
    };
    // Two operations that open up one line clash on both sides of what is in it.
    let mut seen = HashSet::new();
    let clashes: Vec<Diagnostic> = clashes.into_iter().chain(twice).collect();
    let is_new = |clash: &Diagnostic| seen.insert((clash.operation, clash.message.clone()));
    clashes.into_iter().filter(is_new).collect()
}

/// Returns every insertion into something that another edit takes away or replaces, after that edit.
fn insertions_without_home(edits: &[Edit]) -> impl Iterator<Item = [&Edit; 2]> {
    let is_taking =
        |edit: &&Edit| !matches!(edit.what, EditKind::Insert(_)) && !edit.what.claim().is_empty();
    let mut taking: Vec<&Edit> = edits.iter().filter(is_taking).collect();
    taking.sort_by_key(|edit| edit.what.claim());
    edits.iter().filter_map(move |edit| {
        let EditKind::Insert(insertion) = &edit.what else {
            return None;
        };
        let home = insertion
            .parent
            .or(insertion.around)
            .filter(|home| !home.is_empty())?;
        // Claims that overlap are refused, so that only the last that begins before it can hold it.
        let begun = taking.partition_point(|other| other.what.claim().start <= home.start);
        let gone = taking
            .get(begun.checked_sub(1)?)
            .filter(|gone| gone.what.claim().contains(home))?;
        Some([*gone, edit])
    })
}

/// Returns every two edits that give one thing two values although their claims share no byte: that add an attribute of one
/// name to one element, or fill the same empty place (`<p></p>`, `value=""`).
fn attributes_given_twice(edits: &[Edit]) -> impl Iterator<Item = [&Edit; 2]> {
    let mut known: BTreeMap<(Span, &str), &Edit> = BTreeMap::new();
    edits.iter().filter_map(move |edit| {
        let given = match &edit.what {
            EditKind::Insert(Insertion {
                parent: Some(parent),
                attribute: Some(name),
                ..
            }) => (*parent, name.as_str()),
            EditKind::Replace(splice) if splice.span.is_empty() && !splice.bytes.is_empty() => {
                (splice.span, "")
            }
            EditKind::Replace(_) | EditKind::Insert(_) | EditKind::DeleteLines(_) => return None,
        };
        match known.entry(given) {
            Entry::Occupied(taken) if taken.get().operation == edit.operation => None,
            Entry::Vacant(free) => {
                free.insert(edit);
                None
            }
            Entry::Occupied(taken) => Some([*taken.get(), edit]),
        }
    })
}

/// Words the clash of two claims, each a range with the operation that it is of.
pub fn refuse_clashes(
    document: &Document,
    one: (Span, usize),
    other: (Span, usize),
    operations: &[Operation],
) -> Diagnostic {
    let ((first_span, first), (second_span, second)) = if one.1 <= other.1 {
        (one, other)
    } else {
        (other, one)
    };
    let lines = |span| line_range(document.lines(), span);
    let place = operations
        .get(second)
        .and_then(|operation| operation.place(""));
    let (first_lines, second_lines) = (lines(first_span), lines(second_span));
    let message = format!(
        "operations {first} ({first_lines}) and {second} ({second_lines}) overlap in {}",
        document.path
    );
    Diagnostic::new(Code::Overlap, message)
        .note("ranges may touch but not share a byte; `resolve: sequential` lets an operation see those before it")
        .of_operation(second)
        .at(place)
}

fn line_range(lines: &Lines, span: Span) -> String {
    let first = lines.line(span.start);
    let last = if span.is_empty() {
        first
    } else {
        lines.line(span.end - 1)
    };
    if first == last {
        format!("line {first}")
    } else {
        format!("lines {first}-{last}")
    }
}

/// Deleted lines with nothing but blank lines between them, or bare lines that follow each other.
struct DeletedLines {
    lines: Span,
    mends_gap: bool,
    operation: usize,
}

fn deleted_blocks(document: &Document, edits: &[Edit]) -> Vec<DeletedLines> {
    let mut deletions: Vec<(&Deletion, usize)> = edits
        .iter()
        .filter_map(|edit| match &edit.what {
            EditKind::DeleteLines(deletion) => Some((deletion, edit.operation)),
            EditKind::Replace(_) | EditKind::Insert(_) => None,
        })
        .collect();
    deletions.sort_by_key(|(deletion, _)| deletion.lines);
    let mut blocks: Vec<DeletedLines> = Vec::new();
    for (deletion, operation) in deletions {
        match blocks.last_mut() {
            Some(block)
                if block.mends_gap == deletion.mends_gap
                    && follows_deletion(document, block, deletion) =>
            {
                block.lines = block.lines.cover(deletion.lines);
            }
            _ => blocks.push(DeletedLines {
                lines: deletion.lines,
                mends_gap: deletion.mends_gap,
                operation,
            }),
        }
    }
    blocks
}

/// Says whether a deletion goes on where the block ends: behind blank lines where gaps are mended, else on the next line.
fn follows_deletion(document: &Document, block: &DeletedLines, deletion: &Deletion) -> bool {
    let Some(between) = document.bytes.get(block.lines.end..deletion.lines.start) else {
        return false;
    };
    if block.mends_gap {
        is_blank(between)
    } else {
        matches!(between, b"\n" | b"\r\n")
    }
}

/// Turns deleted lines into one splice: insertions beside them take their place, else the gap is mended.
fn deletion_splice(
    document: &Document,
    edits: &[Edit],
    block: &DeletedLines,
    gone: &[Span],
    taken: &mut [bool],
) -> Splice {
    let inside: Vec<(usize, &Insertion)> = edits
        .iter()
        .enumerate()
        .filter_map(|(at, edit)| {
            if let EditKind::Insert(insertion) = &edit.what {
                Some((at, insertion))
            } else {
                None
            }
        })
        .filter(|(_, insertion)| takes_the_place(block, insertion))
        .collect();
    if !inside.is_empty() {
        let mut bytes = Vec::new();
        for (at, insertion) in inside {
            if let Some(mark) = taken.get_mut(at) {
                *mark = true;
            }
            if !bytes.is_empty() {
                let gap = if insertion.before.is_empty() {
                    &insertion.after
                } else {
                    &insertion.before
                };
                bytes.extend_from_slice(gap);
            }
            bytes.extend_from_slice(&insertion.content);
        }
        return Splice::new(block.lines, bytes);
    }
    if !block.mends_gap {
        return Splice::new(bare_line_span(document, block.lines), Vec::new());
    }
    match super::remove::filler_of_empty_body(document, block.lines, gone) {
        Some(filler) => Splice::new(block.lines, filler),
        None => Splice::new(mend_gap(document, block.lines), Vec::new()),
    }
}

/// Says whether an insertion stands beside what is deleted, or in a body that is left with nothing else.
fn takes_the_place(block: &DeletedLines, insertion: &Insertion) -> bool {
    let inside = insertion
        .parent
        .is_some_and(|parent| !block.lines.contains(parent));
    let touches = inside && block.mends_gap && block.lines.contains(Span::at(insertion.at));
    touches
        || insertion
            .beside
            .is_some_and(|beside| block.lines.contains(beside))
}

/// Returns the range to remove so that the larger of the two gaps stays, and no gap at the edge of a block or the file.
fn mend_gap(document: &Document, lines: Span) -> Span {
    let gaps = Gaps::around(document, lines);
    let index = document.lines();
    let (first, last) = gaps.lines;
    if let (Some(previous), Some(next)) = (gaps.previous, gaps.next) {
        if let Some(group) = customs::emptied_group(document, previous, next) {
            return mend_gap(document, group);
        }
        if let Some(inside) = customs::emptied_braces(document, previous, next) {
            return inside;
        }
        // One blank line stays, wherever it was.
        let is_parted_by_one = customs::is_parted_by_one(document, previous, next);
        if is_parted_by_one && gaps.above > 0 {
            return Span::new(index.start(previous + 2), index.start(next));
        }
        if is_parted_by_one && gaps.below > 0 {
            return Span::new(index.start(previous + 1), index.start(next - 1));
        }
    }
    match (gaps.previous, gaps.next) {
        (Some(previous), None) => {
            bare_line_span(document, Span::new(index.start(previous + 1), lines.end))
        }
        (None, None) => Span::new(after_bom(document), document.bytes.len()),
        (None, Some(next)) => Span::new(after_bom(document), index.start(next)),
        (Some(previous), Some(next)) if is_at_edge(document, previous, first, next) => {
            Span::new(index.start(previous + 1), index.start(next))
        }
        (Some(_), Some(next)) if gaps.above >= gaps.below => {
            Span::new(index.start(first), index.start(next))
        }
        (Some(previous), Some(_)) => Span::new(index.start(previous + 1), index.start(last + 1)),
    }
}

/// Says whether what begins on line `first` is the first thing in a block whose header ends on line `previous`, or the last in
/// one that a bracket, or a word, on line `next` closes. Where indentation ends a block, the gap below is that of what is around it.
fn is_at_edge(document: &Document, previous: usize, first: usize, next: usize) -> bool {
    let lines = document.lines();
    let indentation =
        |line: usize| leading_blank(lines.content(&document.bytes, line).of(&document.bytes)).len();
    let closes = lines
        .content(&document.bytes, next)
        .of(&document.bytes)
        .trim_ascii_start();
    let words = document
        .language
        .map_or(&[][..], |language| language.habits.block_ends);
    let is_word = |word: &&str| {
        let after = closes.strip_prefix(word.as_bytes());
        after.is_some_and(|after| {
            after
                .first()
                .is_none_or(|byte| !byte.is_ascii_alphanumeric())
        })
    };
    let is_closed = closes
        .first()
        .is_some_and(|byte| matches!(byte, b'}' | b')' | b']'))
        || words.iter().any(is_word);
    document.language.is_some()
        && (indentation(previous) < indentation(first)
            || is_closed && indentation(next) < indentation(first))
}

/// Returns `lines` with their last ending. At the end of a file all that follows goes too, and a file that had no
/// final line ending gets none.
fn bare_line_span(document: &Document, lines: Span) -> Span {
    let bytes = &document.bytes;
    let rest = bytes.get(lines.end..).unwrap_or_default();
    if !is_blank(rest) {
        let ending = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(rest.len(), |at| at + 1);
        return Span::new(lines.start, lines.end + ending);
    }
    let start = if bytes.ends_with(b"\n") {
        lines.start
    } else {
        let before = bytes.get(..lines.start).unwrap_or_default();
        crate::text::trim_ending(before).len()
    };
    Span::new(start, bytes.len())
}

fn after_bom(document: &Document) -> usize {
    if document.bytes.starts_with(crate::text::BOM) {
        crate::text::BOM.len()
    } else {
        0
    }
}

/// Turns the insertions that nothing deleted into splices, at each place in the order in which they come to stand.
fn insertion_splices(edits: &[Edit], taken: &[bool]) -> Vec<(Splice, usize)> {
    let mut free: Vec<(&Insertion, usize)> = edits
        .iter()
        .zip(taken)
        .filter_map(|(edit, taken)| match &edit.what {
            EditKind::Insert(insertion) if !taken => Some((insertion, edit.operation)),
            EditKind::Insert(_) | EditKind::Replace(_) | EditKind::DeleteLines(_) => None,
        })
        .collect();
    free.sort_by_key(|(insertion, _)| (insertion.at, insertion.nesting));

    let mut splices = Vec::with_capacity(free.len());
    for place in free.chunk_by(|(one, _), (other, _)| one.at == other.at) {
        for (turn, (insertion, operation)) in place.iter().enumerate() {
            let head = if turn == 0 { &insertion.head[..] } else { &[] };
            let foot = if turn + 1 == place.len() {
                &insertion.foot[..]
            } else {
                &[]
            };
            let bytes = [
                head,
                &insertion.before,
                &insertion.content,
                &insertion.after,
                foot,
            ]
            .concat();
            splices.push((
                Splice::new(Span::at(insertion.at), bytes).inside(insertion.inside),
                *operation,
            ));
        }
    }
    splices
}
