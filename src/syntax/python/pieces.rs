//! A large file read in pieces, each on a processor of its own.
//!
//! Why that reads the same. Between a blank line and a line that begins with `def`, `class` or a decorator, no statement
//! goes on: if what stands ahead parses, no bracket, string or block is open there, and no such line continues one. If
//! it does not parse, or a piece holds an error of any kind, the file is read as a whole. A module's own scope knows
//! two things from one end to the other: whether annotations are evaluated, which is looked for in the first piece, and
//! `global` statements of the module itself, with which nothing is read in pieces.

use ruff_python_ast::{ModModule, Stmt};
use ruff_python_parser::Parsed;

use super::outline::suites;
use super::scopes::has_lazy_annotations;
use super::source::{Text, indentation, line_end, next_line};
use super::{NEWEST_MINOR, Scope, each_span, errors, module, outline};
use crate::parallel;
use crate::syntax::{Outline, Symbol};

/// A piece of fewer bytes is read sooner than a thread has begun.
const LEAST: usize = 32 << 10;

/// Returns the outline of a large file that parses; `None` when it has to be read as a whole.
pub fn outlined(text: &Text) -> Option<Outline> {
    read(text, &split(text)?, |_, piece| {
        module::parsed(piece.as_str(), NEWEST_MINOR, |module| {
            outlined_piece(piece, module)
        })
        .ok()?
    })
}

/// Does the same for a process that is about to end.
pub fn outlined_at_parting(text: &Text) -> Option<Outline> {
    read(text, &split(text)?, |_, piece| {
        module::parsed_at_parting(piece.as_str(), NEWEST_MINOR, |module| {
            outlined_piece(piece, module)
        })
        .ok()?
    })
}

fn outlined_piece(piece: &Text, module: &Parsed<ModModule>) -> Option<Outline> {
    module
        .has_valid_syntax()
        .then(|| outline::outline(piece, module, Scope::Module))
}

/// Returns the outline of a large file that CPython would take; `None` when it has to be read as a whole.
pub fn sound(text: &Text) -> Option<Outline> {
    sound_in(text, &split(text)?)
}

fn sound_in(text: &Text, starts: &[usize]) -> Option<Outline> {
    let is_lazy = names_lazy_annotations(text.as_str());
    let is_sound = |start: usize, piece: &Text, module: &Parsed<ModModule>| {
        let body = &module.syntax().body;
        let as_expected = start > 0 || has_lazy_annotations(body) == is_lazy;
        module.has_valid_syntax()
            && as_expected
            && !declares_global(body)
            && errors::found_where(piece.as_str(), module, NEWEST_MINOR, is_lazy).is_empty()
    };
    let outline = read(text, starts, |start, piece| {
        let read = |module: &Parsed<ModModule>| {
            is_sound(start, piece, module).then(|| outlined_piece(piece, module))
        };
        module::parsed(piece.as_str(), NEWEST_MINOR, read).ok()??
    })?;
    Some(Outline {
        sound: true,
        ..outline
    })
}

/// Says whether some line looks as if it put off the evaluation of annotations.
fn names_lazy_annotations(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("from __future__ import") && line.contains("annotations"))
}

/// Says whether the module itself, outside of functions and classes, has a `global` statement.
fn declares_global(body: &[Stmt]) -> bool {
    body.iter().any(|statement| {
        matches!(statement, Stmt::Global(_)) || suites(statement).any(declares_global)
    })
}

/// Returns where the pieces of a large file begin; `None` of any other.
fn split(text: &Text) -> Option<Vec<usize>> {
    let bytes = text.bytes();
    if bytes.len() < 2 * LEAST {
        return None;
    }
    Some(starts(bytes, parallel::width().min(bytes.len() / LEAST)))
        .filter(|starts| starts.len() > 1)
}

/// Reads the pieces that begin at `starts`, which `read` is told; `None` where it has no answer for one.
fn read(
    text: &Text,
    starts: &[usize],
    read: impl Fn(usize, &Text) -> Option<Outline> + Sync + Send,
) -> Option<Outline> {
    let ends = starts.iter().skip(1).copied().chain([text.bytes().len()]);
    let pieces: Option<Vec<(usize, Text)>> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| Some((start, text.part(start..end)?)))
        .collect();
    let outlines = parallel::each(pieces?, |(start, piece)| {
        Some(moved(read(start, &piece)?.symbols, start))
    });
    let outlines: Option<Vec<Vec<Symbol>>> = outlines.into_iter().collect();
    Some(Outline {
        symbols: outlines?.into_iter().flatten().collect(),
        sound: false,
        excess: None,
    })
}

fn moved(mut symbols: Vec<Symbol>, by: usize) -> Vec<Symbol> {
    symbols
        .iter_mut()
        .for_each(|symbol| each_span(symbol, &mut |span| *span = span.shifted(by)));
    symbols
}

/// Returns where up to `count` pieces of about one size begin, the first at 0.
fn starts(bytes: &[u8], count: usize) -> Vec<usize> {
    let mut starts = vec![0];
    for piece in 1..count {
        let from = bytes.len() / count * piece;
        if let Some(start) = seam(bytes, from).filter(|start| starts.last() < Some(start)) {
            starts.push(start);
        }
    }
    starts
}

/// Returns where the first definition behind `from` begins that has a blank line above it. Comments on its second line
/// would be at the head of the piece, where they can be the file's.
fn seam(bytes: &[u8], from: usize) -> Option<usize> {
    let behind = |at: usize| bytes.get(at..).unwrap_or_default();
    let below_blank = |end: usize| {
        let rest = behind(end + 1);
        let below = rest
            .strip_prefix(b"\n")
            .or_else(|| rest.strip_prefix(b"\r\n"))?;
        Some(bytes.len() - below.len())
    };
    let opens = |line| {
        [&b"def "[..], b"class ", b"async def ", b"@"]
            .iter()
            .any(|word| behind(line).starts_with(word))
    };
    let is_commented = |line| behind(indentation(bytes, line).1).starts_with(b"#");
    memchr::memchr_iter(b'\n', behind(from))
        .filter_map(|at| below_blank(from + at))
        .find(|&line| {
            opens(line) && !next_line(bytes, line_end(bytes, line)).is_some_and(is_commented)
        })
}

#[cfg(test)]
mod tests;
