//! Rows for every level: which one finds a text, and where. `[` and `]` mark the place in the file.

use proptest::prelude::*;

use super::*;
use crate::manifest::MatchLevel;
use crate::path::RepoPath;
use crate::resolve::Budget;
use crate::syntax::language_of;
use crate::text::Span;
use crate::text::indent::unit_of_file;

fn question<'q>(path: &str, file: &[u8], text: &'q str) -> Question<'q> {
    Question {
        text: text.as_bytes(),
        range: Span::new(0, file.len()),
        narrowed: false,
        inside_words: false,
        words: Words::of(language_of(&RepoPath::parse(path).unwrap())),
        removes: false,
        loosest: MatchLevel::Similar,
        language: language_of(&RepoPath::parse(path).unwrap()),
        unit: unit_of_file(file),
    }
}

/// Finds `text` in `marked`, whose brackets `«` and `»` stand around each place that is expected.
#[track_caller]
fn check(path: &str, marked: &str, text: &str, level: &str) {
    let file: String = marked
        .chars()
        .filter(|letter| !matches!(letter, '«' | '»'))
        .collect();
    let found = find(
        &FoldedFile::of(file.as_bytes()),
        &question(path, file.as_bytes(), text),
        &Budget::default(),
    )
    .ok()
    .flatten();
    let mut shown = file.clone();
    let places = found
        .as_ref()
        .map(|found| found.places.clone())
        .unwrap_or_default();
    for place in places.iter().rev() {
        shown.insert(place.end, '»');
        shown.insert(place.start, '«');
    }
    assert_eq!(
        (
            shown.as_str(),
            found.map_or("", |found| found.level.as_str())
        ),
        (marked, level),
        "{text:?}"
    );
}

#[test]
fn the_first_level_with_a_hit_decides() {
    check("a.txt", "one «two» three", "two", "exact");
    check("a.txt", "ab\n«a»\n  «a»\t\n", "a", "exact");
    check("a.txt", "x\n  «a b»\n a  b\n", "a b", "exact");
    // Two places at the first level: no other is asked.
    check(
        "a.py",
        "if a:\n\t«f()\n\tg()\n»if b:\n\t«f()\n\tg()\n»f() \ng()\n",
        "f()\n\tg()\n",
        "exact",
    );
}

#[test]
fn trailing_overlooks_what_ends_a_line() {
    check(
        "a.txt",
        "«alpha  \nbeta \n»gamma\n",
        "alpha\nbeta\n",
        "trailing",
    );
    check(
        "a.txt",
        "«alpha\nbeta\n»gamma\n",
        "alpha \nbeta\t\n",
        "trailing",
    );
    check("a.txt", "«a\r\nb\r\n»c\r\n", "a\nb\n", "trailing");
    check("a.txt", "«a\nb\n»c\n", "a\r\nb\r\n", "trailing");
    check("a.txt", "x\n«a\nb»", "a\nb\n", "trailing");
    check("a.txt", "x = «f(a,  \n  b)»;\n", "f(a,\n  b)", "trailing");
    // Never inside a word.
    check("a.txt", "one \ntwofold\n", "one\ntwo", "");
}

#[test]
fn unicode_overlooks_typography() {
    check(
        "a.md",
        "«He said “yes” – at last.\n»Then.\n",
        "He said \"yes\" - at last.\n",
        "unicode",
    );
    check("a.md", "a «\"yes\"» b\n", "“yes”", "unicode");
    check("a.md", "«caf\u{e9}» x\n", "cafe\u{301}", "unicode");
    check("a.md", "«cafe\u{301}» x\n", "caf\u{e9}", "unicode");
    check("a.md", "one…«two»\n", "two", "exact");
    check("a.md", "wait «a\u{a0}b…»\n", "a b...", "unicode");
    // No letter is parted from its accent.
    check("a.md", "cafe\u{301} x\n", "“cafe", "");
}

#[test]
fn indentation_overlooks_a_shift_of_all_lines_alike() {
    check(
        "a.py",
        "class A:\n    def f(self):\n«        if x:\n            y()\n»        z()\n",
        "if x:\n    y()\n",
        "indentation",
    );
    check(
        "a.py",
        "def f():\n«    if x:\n        y()\n»    z()\n",
        "        if x:\n            y()\n",
        "indentation",
    );
    check(
        "a.go",
        "func f() {\n«\tif x {\n\t\ty()\n\t}\n»}\n",
        "    if x {\n        y()\n    }\n",
        "indentation",
    );
    check(
        "a.js",
        "f(() => {\n«    if (x) {\n        y();\n    }\n»});\n",
        "if (x) {\n  y();\n}\n",
        "indentation",
    );
    // What is not shifted alike is for the next level: there it is the caller's change that counts.
    check(
        "a.py",
        "def f():\n«    if x:\n        y()\n    z()\n»",
        "if x:\n    y()\n    z()\n",
        "whitespace",
    );
    // Where indentation is syntax, one step at most, for a text that brings its own.
    check(
        "a.py",
        "def f():\n    if x:\n        if y:\n            g(12, 13)\n            h(14)\n",
        "    g(12, 13)\n    h(14)\n",
        "",
    );
    check(
        "a.js",
        "{\n    {\n        {\n«            g(12, 13)\n            h(14)\n»        }\n    }\n}\n",
        "    g(12, 13)\n    h(14)\n",
        "indentation",
    );
}

#[test]
fn whitespace_overlooks_which_white_space_it_is() {
    check(
        "a.js",
        "x\n«const sum = (a,   b) => {\n  return a  +  b;\n};\n»y\n",
        "const sum = (a, b) => {\n  return a + b;\n};\n",
        "whitespace",
    );
    check("a.js", "y = «f(a,\n      b)»;\n", "f(a, b)", "whitespace");
    check("a.js", "y = «f(a,  b)»;\n", "f(a, b)", "whitespace");
    check(
        "a.md",
        "«Some words that\nwere broken\nelsewhere.\n»\nMore.\n",
        "Some words\nthat were broken elsewhere.\n",
        "whitespace",
    );
    check(
        "a.py",
        "«def f():\n\n    return 1\n»\n",
        "def f():\n    return 1\n",
        "whitespace",
    );
    // White space is not nothing, and no match ends inside a word.
    check("a.js", "y = f(a,b);\n", "f(a, b)", "");
    check("a.js", "y = of  (a, bc);\n", "f (a, b", "");
    // A text that ends its line has to end one.
    check("a.js", "f(a,  b) + 1\n", "f(a, b)\n", "");
}

const LOAD: &str = "def load(path):\n    with open(path, encoding=\"utf-8\") as handle:\n        text = handle.read()\n    return parse(text)\n";

#[test]
fn similar_finds_what_was_misremembered() {
    let file = format!("import os\n\n\n«{LOAD}»\n\ndef save(path):\n    return path\n");
    check("a.py", &file, &LOAD.replace("utf-8", "utf8"), "similar");
    check(
        "a.py",
        &file,
        &LOAD.replace("        text", "        # reads it\n        text"),
        "similar",
    );
    // A block that opens a definition only stands where one of that name does.
    check("a.py", LOAD, &LOAD.replace("def load", "def loads"), "");
    // Its first and its last line have to be there, and two lines of substance.
    check(
        "a.py",
        LOAD,
        &format!("CONSTANT = compute()\n{}", LOAD.replace("utf-8", "utf8")),
        "",
    );
    check("a.js", "if (reday) {\n}\n", "if (ready) {\n  }\n}\n", "");
}

#[test]
fn another_thing_that_the_file_knows_is_no_slip_of_the_pen() {
    let twin = LOAD.replace("load", "store").replace("handle", "stream");
    let file = format!("{LOAD}\n\n{twin}");
    check(
        "a.py",
        &file,
        &LOAD
            .replace("load(", "fetch(")
            .replace("handle.read", "stream.read"),
        "",
    );
    check(
        "a.py",
        &file,
        &LOAD.replace("handle.read", "stream.read"),
        "",
    );
}

#[test]
fn twins_that_are_as_near_are_ambiguous() {
    let block = |name: &str| {
        format!(
            "    first = prepare(items)\n    second = {name}(first)\n    return second, first\n"
        )
    };
    let file = format!(
        "def a():\n«{}»\ndef b():\n«{}»",
        block("collects"),
        block("ccollect")
    );
    check("a.py", &file, &block("collect"), "similar");
}

#[test]
fn a_single_line_goes_by_its_characters() {
    check(
        "a.py",
        "x = 1\n«    total = receive(first, second)\n»y = 2\n",
        "    total = recieve(first, second)\n",
        "similar",
    );
    check(
        "a.py",
        "x = 1\n«    total = receive(first, second)\n»y = 2\n",
        "total = recieve(first, second)\n",
        "similar",
    );
    check(
        "a.py",
        "total = receive(first, second)\n",
        "total = reject(other)\n",
        "",
    );
    check("a.py", "x = 1\n", "y = 1", "");
    check(
        "a.py",
        "line 3 of a long file\nline 4 of a long file\n",
        "lime 3 of a lung file",
        "",
    );
    check(
        "a.py",
        "«value = collects(items)\n»«value = colect(items)\n»",
        "value = collect(items)\n",
        "similar",
    );
    check(
        "a.py",
        "value = collect_a(items)\nvalue = collect_b(items)\n",
        "value = collect_c(items)\n",
        "",
    );
}

#[test]
fn a_text_without_lines_is_nowhere() {
    // A byte-order mark is ahead of the lines.
    let file = "\u{feff}".as_bytes();
    let question = Question {
        range: Span::new(3, 3),
        ..question("a.go", file, "\u{feff}")
    };
    assert_eq!(
        find(&FoldedFile::of(file), &question, &Budget::default()),
        Ok(None)
    );
}

#[test]
fn a_text_inside_a_word_is_no_match() {
    let first = |file: &str, text: &str, inside_words: bool| {
        let question = Question {
            inside_words,
            ..question("a.py", file.as_bytes(), text)
        };
        find(
            &FoldedFile::of(file.as_bytes()),
            &question,
            &Budget::default(),
        )
        .map(|found| found.map(|it| it.places.len()))
    };
    let inside = |start: usize, end: usize| Err(InsideWord(Span::new(start, end)));
    assert_eq!(first("x = 10\n", "x = 1", false), inside(0, 5));
    assert_eq!(first("x = 10\n", "x = 1", true), Ok(Some(1)));
    assert_eq!(first("x = 10\nx = 1\n", "x = 1", false), Ok(Some(1)));
    assert_eq!(first("über\n", "ber", false), inside(2, 5));
    assert_eq!(first("日本語\n", "本", false), Ok(Some(1)));
    assert_eq!(first("a_b(c)\n", "b(", false), inside(2, 4));
    assert_eq!(first("a.b(c)\n", "b(", false), Ok(Some(1)));
}

#[test]
fn match_names_the_loosest_level() {
    let find_at = |loosest: MatchLevel, text: &str| {
        let file = b"def f():\n    if x:\n        y()  \n";
        let question = Question {
            loosest,
            ..question("a.py", file, text)
        };
        find(&FoldedFile::of(file), &question, &Budget::default())
            .unwrap()
            .map(|found| found.level)
    };
    assert_eq!(find_at(MatchLevel::Unicode, "if x:\n    y()\n"), None);
    assert_eq!(
        find_at(MatchLevel::Indentation, "if x:\n    y()\n"),
        Some(MatchLevel::Indentation)
    );
    assert_eq!(find_at(MatchLevel::Exact, "if x:\n        y()\n"), None);
    assert_eq!(
        find_at(MatchLevel::Trailing, "if x:\n        y()\n"),
        Some(MatchLevel::Trailing)
    );
}

#[test]
fn a_range_is_searched_and_nothing_else() {
    let file = "def a():\n\tflush()\n\treturn None\n\ndef b():\n\t\tflush()\n\t\treturn None\n";
    let start = file.find("def b").unwrap();
    let question = Question {
        range: Span::new(start, file.len()),
        ..question("a.py", file.as_bytes(), "flush()\nreturn None\n")
    };
    let found = find(
        &FoldedFile::of(file.as_bytes()),
        &question,
        &Budget::default(),
    )
    .unwrap()
    .unwrap();
    assert_eq!(
        found.places,
        [Span::new(file.find("\t\tflush").unwrap(), file.len())]
    );
}

#[test]
fn bytes_that_are_no_text_are_compared_as_they_are() {
    let file = b"caf\xe9  = 1\nna\xefve = 2\n";
    let page = FoldedFile::of(file);
    let asked = Question {
        text: b"caf\xe9 = 1\n",
        ..question("a.txt", file, "")
    };
    assert_eq!(
        find(&page, &asked, &Budget::default())
            .unwrap()
            .unwrap()
            .places,
        [Span::new(0, 10)]
    );
}

proptest! {
    /// Whatever is found lies in the range, on characters' borders, and cuts no word.
    #[test]
    fn places_are_whole(file in "[ab \t\r\n“–é\u{301}]{0,60}", text in "[ab \t\r\n\"é-]{1,12}") {
        let page = FoldedFile::of(file.as_bytes());
        if let Ok(Some(found)) = find(&page, &question("a.py", file.as_bytes(), &text), &Budget::default()) {
            for place in found.places {
                prop_assert!(file.is_char_boundary(place.start) && file.is_char_boundary(place.end));
                let word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
                let cut = |at: usize| word(file[..at].chars().next_back()) && word(file[at..].chars().next());
                prop_assert!(!cut(place.start) && !cut(place.end));
            }
        }
    }
}
