//! Held to reading the whole file: whatever the pieces tell is what that says.

use super::*;
use crate::syntax::Grammar as _;
use crate::syntax::python::Python;
use crate::syntax::python::tests::files;

/// Says whether the pieces that begin at `starts` told anything; if they did, it is the right thing.
#[track_caller]
fn agrees(source: &[u8], starts: &[usize]) -> bool {
    // Short enough not to be split.
    let text = Text::of(source);
    let whole = errors::errors(&text, NEWEST_MINOR);
    let outline = super::super::parsed(&text, Scope::Module);
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

/// Splits at every seam there is, at each alone and at all of them, and says how many there are and whether all told.
#[track_caller]
fn told(source: &str) -> (usize, bool) {
    let seams: Vec<usize> = std::iter::successors(seam(source.as_bytes(), 0), |&at| {
        seam(source.as_bytes(), at)
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
    let errors =
        |first: &str| errors::errors(&Text::of(source(first).as_bytes()), NEWEST_MINOR).len();
    assert_eq!(told(&source("")), (1, errors("") == 0));
    let lazy = "from __future__ import annotations\n";
    assert_eq!(told(&source(lazy)), (1, errors(lazy) == 0));
}

#[test]
fn a_large_file_is_read_in_pieces_and_a_small_one_is_not() {
    let small = "x = 1\n\ndef f(): pass\n";
    assert_eq!(split(&Text::of(small.as_bytes())), None);
    let large = "def f():\n    return 1\n\n".repeat(2 * LEAST / 20);
    let starts = split(&Text::of(large.as_bytes()));
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
        errors::errors(&Text::of(broken.as_bytes()), NEWEST_MINOR)
    );
    let latin = [large.as_bytes(), b"x = '\xe9'\n"].concat();
    assert!(
        outlined(&Text::of(&latin)).is_none(),
        "its names are read from its bytes"
    );
}

#[test]
fn pieces_of_real_files_tell_what_the_files_tell() {
    let (mut split, mut answers) = (0, 0);
    for (path, bytes) in files() {
        for count in [2, 3, 7] {
            let starts = starts(&bytes, count);
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
