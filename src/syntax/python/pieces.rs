//! A large file read in pieces, each on a processor of its own.
//!
//! Why that reads the same. Between a blank line and a line that begins with `def`, `class` or a decorator, no statement
//! goes on: if what is before it parses, no bracket, string or block is open there, and no such line continues one. If
//! it does not parse, or a piece holds an error of any kind, the file is read as a whole. A module's own scope knows
//! two things from one end to the other: whether annotations are evaluated, which is looked for in the first piece, and
//! `global` statements of the module itself, with which nothing is read in pieces.

use ruff_python_ast::{ModModule, Stmt};
use ruff_python_parser::Parsed;

use super::outline::{self, StatementScope, suites};
use super::scopes::has_lazy_annotations;
use super::source::{SourceText, indentation, line_end, next_line};
use super::spans::each_span;
use super::{NEWEST_MINOR, errors, module};
use crate::parallel;
use crate::syntax::{Outline, Symbol};

/// A piece of fewer bytes is read sooner than a thread has begun.
const LEAST: usize = 32 << 10;

/// Returns the outline of a large file that parses; `None` when it has to be read as a whole.
pub(super) fn outlined(text: &SourceText) -> Option<Outline> {
    read_pieces(text, &split_points(text)?, |_, piece| {
        module::parsed(piece.as_str(), NEWEST_MINOR, |module| {
            outlined_piece(piece, module)
        })
        .ok()?
    })
}

/// Does the same for a process that is about to end.
pub(super) fn outlined_at_parting(text: &SourceText) -> Option<Outline> {
    read_pieces(text, &split_points(text)?, |_, piece| {
        module::parsed_at_parting(piece.as_str(), NEWEST_MINOR, |module| {
            outlined_piece(piece, module)
        })
        .ok()?
    })
}

fn outlined_piece(piece: &SourceText, module: &Parsed<ModModule>) -> Option<Outline> {
    module
        .has_valid_syntax()
        .then(|| outline::outline(piece, module, StatementScope::Module))
}

/// Returns the outline of a large file that CPython would take; `None` when it has to be read as a whole.
pub(super) fn outline_without_errors(text: &SourceText) -> Option<Outline> {
    sound_in(text, &split_points(text)?)
}

fn sound_in(text: &SourceText, starts: &[usize]) -> Option<Outline> {
    let is_lazy = names_lazy_annotations(text.as_str());
    let is_sound = |start: usize, piece: &SourceText, module: &Parsed<ModModule>| {
        let body = &module.syntax().body;
        let as_expected = start > 0 || has_lazy_annotations(body) == is_lazy;
        module.has_valid_syntax()
            && as_expected
            && !declares_global(body)
            && errors::errors_in_part(piece.as_str(), module, NEWEST_MINOR, is_lazy).is_empty()
    };
    let outline = read_pieces(text, starts, |start, piece| {
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
fn split_points(text: &SourceText) -> Option<Vec<usize>> {
    let bytes = text.bytes();
    if bytes.len() < 2 * LEAST {
        return None;
    }
    Some(piece_starts(
        bytes,
        parallel::width().min(bytes.len() / LEAST),
    ))
    .filter(|starts| starts.len() > 1)
}

/// Reads the pieces that begin at `starts`, which `read` is given; `None` where it has no answer for one.
fn read_pieces(
    text: &SourceText,
    starts: &[usize],
    read: impl Fn(usize, &SourceText) -> Option<Outline> + Sync + Send,
) -> Option<Outline> {
    let ends = starts.iter().skip(1).copied().chain([text.bytes().len()]);
    let pieces: Option<Vec<(usize, SourceText)>> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| Some((start, text.part(start..end)?)))
        .collect();
    let outlines = parallel::each(pieces?, |(start, piece)| {
        Some(moved_symbols(read(start, &piece)?.symbols, start))
    });
    let outlines: Option<Vec<Vec<Symbol>>> = outlines.into_iter().collect();
    Some(Outline {
        symbols: outlines?.into_iter().flatten().collect(),
        sound: false,
        excess: None,
    })
}

fn moved_symbols(mut symbols: Vec<Symbol>, by: usize) -> Vec<Symbol> {
    symbols
        .iter_mut()
        .for_each(|symbol| each_span(symbol, &mut |span| *span = span.shifted(by)));
    symbols
}

/// Returns where up to `count` pieces of about one size begin, the first at 0.
fn piece_starts(bytes: &[u8], count: usize) -> Vec<usize> {
    let mut starts = vec![0];
    for piece in 1..count {
        let from = bytes.len() / count * piece;
        if let Some(start) = next_seam(bytes, from).filter(|start| starts.last() < Some(start)) {
            starts.push(start);
        }
    }
    starts
}

/// Returns what is between the definitions of a file that may begin a piece, in order; all of them make the file.
pub(crate) fn chunks(bytes: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(next) = next_seam(bytes, start) {
        found.push(&bytes[start..next]);
        start = next;
    }
    found.push(&bytes[start..]);
    found
}

/// Returns where the first definition after `from` begins that has a blank line above it. Comments on its second line
/// would be at the head of the piece, where they can be the file's.
fn next_seam(bytes: &[u8], from: usize) -> Option<usize> {
    let text_from = |at: usize| bytes.get(at..).unwrap_or_default();
    let below_blank = |end: usize| {
        let rest = text_from(end + 1);
        let below = rest
            .strip_prefix(b"\n")
            .or_else(|| rest.strip_prefix(b"\r\n"))?;
        Some(bytes.len() - below.len())
    };
    let opens = |line| {
        [&b"def "[..], b"class ", b"async def ", b"@"]
            .iter()
            .any(|word| text_from(line).starts_with(word))
    };
    let is_commented = |line| text_from(indentation(bytes, line).1).starts_with(b"#");
    memchr::memchr_iter(b'\n', text_from(from))
        .filter_map(|at| below_blank(from + at))
        .find(|&line| {
            opens(line) && !next_line(bytes, line_end(bytes, line)).is_some_and(is_commented)
        })
}

#[cfg(test)]
mod tests {
    //! Held to reading the whole file: what the pieces give is what that gives.

    use super::*;
    use crate::syntax::Grammar as _;
    use crate::syntax::python::Python;
    use crate::syntax::python::tests::files;

    /// Says whether the pieces that begin at `starts` gave anything; if they did, it is the right thing.
    #[track_caller]
    fn agrees(source: &[u8], starts: &[usize]) -> bool {
        // Short enough not to be split.
        let text = SourceText::of(source);
        let whole = errors::find_errors(&text, NEWEST_MINOR);
        let outline = crate::syntax::python::read::parsed(&text, StatementScope::Module);
        let say = || String::from_utf8_lossy(source).into_owned();
        let told = sound_in(&text, starts);
        if let Some(told) = &told {
            assert!(whole.is_empty(), "{starts:?}: {whole:?}\n{}", say());
            assert!(
                Some(&told.symbols) == outline.as_ref().map(|outline| &outline.symbols),
                "{starts:?}\n{}",
                say()
            );
        }
        told.is_some()
    }

    /// Splits at every seam there is, at each alone and at all of them, and says how many there are and whether all gave something.
    #[track_caller]
    fn told(source: &str) -> (usize, bool) {
        let seams: Vec<usize> = std::iter::successors(next_seam(source.as_bytes(), 0), |&at| {
            next_seam(source.as_bytes(), at)
        })
        .collect();
        let each = seams
            .iter()
            .map(|&at| agrees(source.as_bytes(), &[0, at]))
            .collect::<Vec<_>>();
        let all: Vec<usize> = [0].into_iter().chain(seams.iter().copied()).collect();
        let together = agrees(source.as_bytes(), &all);
        (
            seams.len(),
            !seams.is_empty() && together && each.into_iter().all(|told| told),
        )
    }

    #[test]
    fn a_file_is_split_between_definitions() {
        let check = |source: &str, seams: usize, expected: bool| {
            assert_eq!(told(source), (seams, expected), "{source}")
        };
        check(
            "x = 1\n\ndef f():\n    pass\n\n\nclass C:\n    pass\n",
            2,
            true,
        );
        check(
            "import os\n\n@a\n@b\ndef f():\n    pass\n\nasync def g():\n    pass\n",
            2,
            true,
        );
        check("x = 1\r\n\r\ndef f():\r\n    pass\r\n", 1, true);
        check(
            "\u{feff}x = 1\n\ndef f():\n    def g(): pass\n    # deeper\n\n    # behind\n\ndef h():\n    pass\n# end\n",
            2,
            true,
        );
        check(
            "try:\n    pass\nexcept E:\n    pass\n\ndef f(): pass\n",
            1,
            true,
        );
        check("if a:\n    pass\n\n\tdef f(): pass\n", 0, false);
        // Comments above belong to what is below, and a piece's first lines are no file's.
        check("x = 1\n\n# About f.\ndef f(): pass\n", 0, false);
        check(
            "x = 1\n\ndef f():\n    # coding: latin-1\n    def g(): pass\n",
            0,
            false,
        );
        check(
            "x = 1\n\ndef f():\r    # coding: latin-1\n    def g(): pass\n",
            0,
            false,
        );
        check("x = 1\n\ndef f(): pass\n\n\n", 1, true);
    }

    #[test]
    fn what_only_the_whole_file_tells_is_left_to_that() {
        let check = |source: &str| assert_eq!(told(source), (1, false), "{source}");
        check("x = '''\n\ndef f(): pass\n'''\n");
        check("x = (\n\ndef f(): pass\n");
        check("x = [1,\n\ndef , 2]\n");
        check("@decorated\n\ndef f(): pass\n");
        check("if x:\n\ndef f(): pass\n");
        check("x = \\\n\ndef f(): pass\n");
        check("x = 1\n\ndef f(): pass\nelse:\n    pass\n");
        check("x = 1\n\ndef f(): pass\nfrom __future__ import annotations\n");
        check("x = 1\n\ndef f(): pass\nglobal x\n");
        check("global f\n\ndef f(): pass\n");
        check("x = 1\n\ndef f():\n    nonlocal x\n");
        check("x = 1\n\ndef f():\n        if x:\n\t1\n");
        // What looks like it is not always it.
        check("'''\nfrom __future__ import annotations\n'''\n\ndef f(): pass\n");
    }

    #[test]
    fn annotations_are_put_off_in_every_piece() {
        let source = |first: &str| format!("{first}x = 1\n\ndef f(a: (yield)): pass\n");
        let errors = |first: &str| {
            errors::find_errors(&SourceText::of(source(first).as_bytes()), NEWEST_MINOR).len()
        };
        assert_eq!(told(&source("")), (1, errors("") == 0));
        let lazy = "from __future__ import annotations\n";
        assert_eq!(told(&source(lazy)), (1, errors(lazy) == 0));
    }

    #[test]
    fn a_large_file_is_read_in_pieces_and_a_small_one_is_not() {
        let small = "x = 1\n\ndef f(): pass\n";
        assert_eq!(split_points(&SourceText::of(small.as_bytes())), None);
        let large = "def f():\n    return 1\n\n".repeat(2 * LEAST / 20);
        let starts = split_points(&SourceText::of(large.as_bytes()));
        assert_eq!(
            starts.map_or(1, |starts| starts.len()),
            parallel::width().min(large.len() / LEAST)
        );
        let (outline, errors) = Python.read(large.as_bytes());
        assert_eq!((outline.symbols.len(), errors.len()), (2 * LEAST / 20, 0));
        assert!(outline.sound);
        let broken = format!("{large}\ndef f(:\n    pass\n");
        assert_eq!(
            Python.read(broken.as_bytes()).1,
            errors::find_errors(&SourceText::of(broken.as_bytes()), NEWEST_MINOR)
        );
        let latin = [large.as_bytes(), b"x = '\xe9'\n"].concat();
        assert!(
            outlined(&SourceText::of(&latin)).is_none(),
            "its names are read from its bytes"
        );
    }

    #[test]
    fn pieces_of_real_files_tell_what_the_files_tell() {
        let (mut split, mut answers) = (0, 0);
        for (path, bytes) in files() {
            for count in [2, 3, 7] {
                let starts = piece_starts(&bytes, count);
                if starts.len() > 1 {
                    split += 1;
                    let told = std::panic::catch_unwind(|| agrees(&bytes, &starts));
                    answers += usize::from(told.unwrap_or_else(|_| panic!("{}", path.display())));
                }
            }
        }
        eprintln!("pieces: {answers} of {split} splits told");
        assert!(
            answers * 10 >= split * 9,
            "most files can be read in pieces"
        );
    }
}
