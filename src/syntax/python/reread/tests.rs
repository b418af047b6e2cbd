//! Held to reading the whole file: what the touched definitions give is what that gives.

use super::*;
use crate::syntax::python::Python;
use crate::syntax::python::tests::files;
use crate::syntax::{Grammar as _, Symbol};
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Applies `edits`, (what is looked for, what takes its place), and says whether the definitions alone gave the outcome.
#[track_caller]
fn told(old: &str, edits: &[(&str, &str)]) -> bool {
    let splice = |(from, to): &(&str, &str)| {
        let at = old.find(from).expect("it is there");
        Splice::new(Span::new(at, at + from.len()), *to)
    };
    let splices = Splices::new(edits.iter().map(splice).collect()).unwrap();
    agrees(old.as_bytes(), &splices)
}

/// Says whether the definitions alone gave the outcome; if they did, it is the right one.
#[track_caller]
fn agrees(old: &[u8], splices: &Splices) -> bool {
    let (known, errors) = Python.read(old);
    if !errors.is_empty() {
        return false;
    }
    let new = splices.apply(old);
    let Some(found) = reread(old, &known, &new, splices) else {
        return false;
    };
    let (whole, errors) = Python.read(&new);
    let text = || String::from_utf8_lossy(&new).into_owned();
    assert!(errors.is_empty(), "{splices:?}\n{errors:?}\n{}", text());
    assert!(
        found == whole,
        "{splices:?}\n{found:#?}\n{whole:#?}\n{}",
        text()
    );
    true
}

const FILE: &str = "\
import os


# About f.
@os.cached
def f(a):
    return a


class C(object):
    x = 1

    # About m.
    def m(self, a=1):
        def inner():
            return a
        return inner  # tail

    def n(self):
        pass

y = 2


def last(): return 3
";

#[test]
fn an_edit_inside_a_definition_needs_that_definition_alone() {
    let check = |edits: &[(&str, &str)], expected: bool| {
        assert_eq!(told(FILE, edits), expected, "{edits:?}")
    };
    check(&[("return a\n", "b = a\n    return b\n")], true);
    check(&[("def f(a):", "def f(a, b=2):")], true);
    check(&[("@os.cached\n", "@os.cached\n@os.other\n")], true);
    check(&[("return inner  # tail", "return inner")], true);
    check(&[("        pass\n", "        pass\n        pass\n")], true);
    check(
        &[
            ("return a\n", "return a + 1\n"),
            ("pass", "return 5"),
            ("return 3", "return 4"),
        ],
        true,
    );
    check(&[("x = 1", "x = 1\n    z = 2")], true);
    check(&[("x = 1", "x = 7"), ("pass", "return 5")], true);
    check(
        &[(
            "return inner  # tail\n\n",
            "return inner  # tail\n\n    def more(self):\n        pass\n\n",
        )],
        true,
    );
    // Whatever takes more than that.
    check(&[("y = 2", "y = 3")], false);
    check(&[("def f(a):", "def g(a):")], false);
    check(&[("def f(a):", "class f:")], false);
    check(&[("return a\n", "return (a\n")], false);
    check(&[("return a\n", "return '''a\n")], false);
    check(&[("return a\n", "return a \\\n")], false);
    check(&[("return a\n", "nonlocal q\n")], false);
    check(&[("return a\n", "return a\n    # deeper\n")], false);
    check(&[("        pass\n", "        pass  ")], false);
    check(&[("    def n", "   def n")], false);
    check(&[("    def n", "\tdef n")], false);
    check(&[("a=1", "a=[b := 1 for b in ()]")], false);
    check(&[("pass", "return [(c := b) for b in ()]")], true);
    check(&[("    return a\n\n\n", "")], false);
    check(&[("import os", "import sys")], false);
}

#[test]
fn scopes_around_a_definition_are_heeded() {
    let check = |old: &str, edits: &[(&str, &str)], expected: bool| {
        assert_eq!(
            told(&format!("import a\nimport b\n{old}"), edits),
            expected,
            "{old}"
        );
    };
    check(
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n",
        &[("x = 1", "y = 1")],
        false,
    );
    check(
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n",
        &[("x = 1", "x = 2")],
        true,
    );
    check("def f(p=q): pass\nglobal z\n", &[("p=q", "p=z")], false);
    check(
        "def f(p=q): pass\nglobal z\n",
        &[("pass", "return z")],
        true,
    );
    check(
        "class A:\n    def f(self):\n        return __class__\n",
        &[("return", "return 1 or")],
        true,
    );
    check(
        "class A:\n    def f(self):\n        pass\n",
        &[("pass", "nonlocal __class__")],
        false,
    );
    check(
        "if a:\n    def f():\n        pass\n    def g():\n        pass\n",
        &[("    def g():\n", "    def g():\n        1\n")],
        true,
    );
    check(
        "if a:\n    def f():\n        pass\nelse:\n    def f():\n        return 2\n",
        &[("pass", "return 1")],
        true,
    );
    check("def f(): pass; x = 1\n", &[("pass", "return")], true);
    check("def f():\n    return 1;\n", &[("1", "2")], true);
    check(
        "def f():\n    pass\n\n        # deep\n",
        &[("pass", "return")],
        true,
    );
    check(
        "class A:\n    def f():\n        pass\n\n            # deep\n     # less\n",
        &[("pass", "return")],
        true,
    );
    check(
        "def f():\n    pass\n# shallow\n",
        &[("pass", "return")],
        true,
    );
    check("def f():\n    pass", &[("pass", "return 1")], true);
    check(
        "class A:\n    def f():\n        pass",
        &[("pass", "return 1  # x")],
        true,
    );
    check("def f():\r\n    pass\r\n", &[("pass", "return 1")], false);
}

#[test]
fn at_the_head_of_a_file_comments_mean_more() {
    assert!(!told("def f():\n    pass\n", &[("pass", "return")]));
}

/// A generator of numbers, the same ones every time.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

/// Edits of real files as people make them, and as they should not.
#[test]
fn edits_of_real_files_come_out_as_if_all_was_read() {
    let files = files();
    let mut random = numbers(0x9e37_79b9_7f4a_7c15);
    // Of this project's own files there are few.
    let usual = if std::env::var_os("SEGEDIT_CORPUS").is_some() {
        12
    } else {
        60
    };
    let edits: usize = std::env::var("SEGEDIT_EDITS")
        .ok()
        .and_then(|edits| edits.parse().ok())
        .unwrap_or(usual);
    let (mut tried, mut alone) = (0, 0);
    for (_, old) in files {
        let (known, errors) = Python.read(&old);
        if old.len() > 60_000 || !errors.is_empty() {
            continue;
        }
        let mut places = Vec::new();
        let mut open: Vec<&Symbol> = known.symbols.iter().collect();
        while let Some(symbol) = open.pop() {
            open.extend(&symbol.children);
            places.push(symbol.definition);
        }
        if places.is_empty() {
            continue;
        }
        for _ in 0..edits {
            let count = 1 + random(3);
            let made = (0..count)
                .filter_map(|_| edit(&old, places[random(places.len())], &mut random))
                .collect();
            if let Ok(splices) = Splices::new(made) {
                tried += 1;
                alone += usize::from(agrees(&old, &splices));
            }
        }
    }
    eprintln!("{tried} edits, {alone} of them told from the definitions alone");
    assert!(alone > 1000, "{alone} of {tried}");
}

/// Returns an edit of a line of `place`.
fn edit(old: &[u8], place: Span, random: &mut impl FnMut(usize) -> usize) -> Option<Splice> {
    let at = place.start + random(place.end - place.start);
    let start = old[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    let end = old[at..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(old.len(), |length| at + length);
    let line = &old[start..end];
    let blanks = line.len() - line.trim_ascii_start().len();
    let with = |text: &str| [line, text.as_bytes()].concat();
    let put_before = |text: &str| [&line[..blanks], text.as_bytes(), b"\n", line].concat();
    Some(match random(14) {
        0 => Splice::new(Span::new(start, end), with("  # seen")),
        1 | 2 => Splice::new(Span::new(start, end), put_before("pass")),
        3 | 4 => Splice::new(
            Span::new(start, end),
            put_before("value = compute(1, [2, 3])"),
        ),
        5 => Splice::new(Span::new(start, end), with("\n\n")),
        6 => Splice::new(Span::new(start, (end + 1).min(old.len())), ""),
        7 => Splice::new(Span::new(start, end), put_before("# A comment.")),
        8 => Splice::new(Span::new(start, end), put_before("def more(): return 1")),
        9 => Splice::new(Span::new(start, end), [b" ", line].concat()),
        10 => Splice::new(Span::at(at), "x"),
        11 => Splice::new(Span::new(at, (at + 1).min(old.len())), ""),
        12 => Splice::new(
            Span::at(at),
            ["(", "'''", ":", "global x\n", "\\\n", "#", "\n", ":="][random(8)],
        ),
        _ => Splice::new(place, [place.of(old), b"\n\n\n", place.of(old)].concat()),
    })
}

/// An insertion at the end of the lines of a definition that another edit changes is none of these lines.
#[test]
fn what_comes_behind_an_edited_definition_is_read_too() {
    let line = FILE.find("    return a\n\n").unwrap();
    let (word, end) = (Span::new(line + 4, line + 12), line + 13);
    let check = |after: &str| {
        let splices = vec![
            Splice::new(word, "return 1"),
            Splice::new(Span::new(end, end), after),
        ];
        assert!(
            !agrees(FILE.as_bytes(), &Splices::new(splices).unwrap()),
            "{after:?}"
        );
    };
    check("def more(:\n");
    check("def more(): return 1\n");
}
