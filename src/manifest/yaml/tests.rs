//! Reading as a whole: what a complaint says, what is taken as written, what a stranger may send, and the way back.

use crate::diagnostic::Diagnostic;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Class, Code};
use crate::manifest::raw::RawManifest;
use crate::manifest::verbs::VerbRow;
use crate::manifest::*;
use crate::syntax::keys::KeySegment;
use crate::text::Lines;

const GOOD: &str = include_str!("../../../tests/data/wellformed/every-verb.yaml");

fn refused(file: &str) -> Vec<Diagnostic> {
    read("ops.yaml", file.as_bytes())
        .map(|manifest| write(&manifest))
        .unwrap_err()
}

/// The file is refused with one complaint; its message holds `message`, its suggestions and notes are these.
#[track_caller]
fn check(file: &str, message: &str, suggestions: &[&str], note: &str) {
    let complaints = refused(file);
    assert_eq!(complaints.len(), 1, "{complaints:#?}");
    assert!(
        complaints[0].message.contains(message),
        "{:?}",
        complaints[0].message
    );
    assert_eq!(
        complaints[0].suggestions, suggestions,
        "{}",
        complaints[0].message
    );
    assert!(
        complaints[0].notes.join("; ").contains(note),
        "{:?}",
        complaints[0].notes
    );
}

#[track_caller]
fn check_operation(operation: &str, message: &str, suggestions: &[&str], note: &str) {
    check(
        &format!("version: 1\noperations:\n  - {{{operation}}}\n"),
        message,
        suggestions,
        note,
    );
}

#[test]
fn complaints_name_the_nearest_word() {
    check_operation(
        "op: replce, file: a, content: x",
        "`replce` is not an operation",
        &["replace"],
        "op is one of",
    );
    check_operation(
        "op: edit, file: a, content: x",
        "`edit` is not",
        &["replace"],
        "",
    );
    check_operation(
        "op: rename-file, file: a, to: b",
        "`rename-file`",
        &["rename_file"],
        "",
    );
    check_operation(
        "op: remove, file: a, expct: deadbeef",
        "no field `expct`",
        &["expect"],
        "fields here are: op, file",
    );
    check_operation(
        "op: remove, file: a, path: b",
        "no field `path`",
        &["file"],
        "",
    );
    check_operation(
        "op: insert, file: a, content: x, position: befor",
        "`befor`",
        &["before"],
        "before, after, first",
    );
    check_operation(
        "op: insert, file: a, content: x, indent: atuo",
        "`atuo`",
        &["auto"],
        "",
    );
    check_operation(
        "op: delete, file: a, symbol: f, kind: functoin",
        "`functoin`",
        &["function"],
        "",
    );
    check_operation(
        "op: delete, file: a, section: f, part: code",
        "`code`",
        &["code[1]"],
        "",
    );
    check_operation(
        "op: delete, file: a, text: f, match: whitespce",
        "`whitespce`",
        &["whitespace"],
        "",
    );
    check(
        "version: 1\nmode: verify-only\noperations: [{op: remove, file: a}]",
        "`verify-only`",
        &["verify_only"],
        "",
    );
    check(
        "version: 1\nedits: 1\noperations: [{op: remove, file: a}]",
        "`edits`",
        &["operations"],
        "its fields are",
    );
    check(
        "version: 2\noperations: []",
        "version `2` is not supported",
        &["1"],
        "",
    );
}

#[test]
fn complaints_say_what_to_do_instead() {
    check_operation(
        "op: delete, file: a",
        "needs a selector: `symbol`",
        &[],
        "op: remove",
    );
    check_operation(
        "op: delete, file: a, symbol: f, content: x",
        "does not take `content`",
        &[],
        "replace, insert, create",
    );
    check_operation(
        "op: rename, file: a, symbol: f, to: g, unsure: chnge",
        "chnge",
        &["change"],
        "",
    );
    check_operation("op: rename, symbol: f, to: g", "needs `file`", &[], "");
    check_operation(
        "op: rename, file: a, symbol: \"b::f\", to: g",
        "and so does `file`",
        &[],
        "",
    );
    check_operation(
        "op: rename, symbol: \"../b::f\", to: g",
        "path `../b`",
        &[],
        "",
    );
    check_operation(
        "op: move, file: a, symbol: f, to: {fiel: b}",
        "no field `fiel`",
        &["file"],
        "",
    );
    check_operation(
        "op: move, file: a, symbol: f, to: {section: B}",
        "goes to no `section`",
        &[],
        "",
    );
    check_operation("op: move, file: a, symbol: f, to: []", "`to`", &[], "");
    check_operation("op: move, file: a, symbol: f, to: ../b", "`../b`", &[], "");
    check_operation(
        "op: move, file: a, section: A, to: b, reexport: true",
        "goes with `symbol`",
        &[],
        "",
    );
    check_operation(
        "op: move, file: a, symbol: f, to: b, unsure: change",
        "`change` is not",
        &[],
        "refuse, keep",
    );
    check_operation(
        "op: import, file: a, statement: b",
        "one import statement",
        &[],
        "",
    );
    check_operation(
        "op: unimport, file: a, statement: import b, used: alow",
        "`alow` is not a value of `used`",
        &["allow"],
        "",
    );
    check_operation("op: delete, file: a, key: b..c", "an empty key", &[], "");
    check_operation("op: delete, file: a, lines: 5-3", "`3-5`?", &[], "");
    check_operation("op: delete, file: a, lines: 0", "counted from 1", &[], "");
    check_operation(
        "op: create, file: a, content: x, executable: yes",
        "`true` or `false`, not `yes`",
        &[],
        "",
    );
    check_operation(
        "op: create, file: a, content: x, executable: 'true'",
        "not the text `true`",
        &[],
        "without quotes",
    );
    check_operation(
        "op: replace, file: a, content: ~",
        "not nothing",
        &[],
        "quote it",
    );
    check_operation(
        "op: replace, file: a, content: ",
        "not nothing",
        &[],
        "`content: \"\"` is the empty text",
    );
    let groups = "op: substitute, file: a, pattern: (?P<word>a)(b), replacement: ";
    check_operation(
        &format!("{groups}$9"),
        "group `9`",
        &["${word}", "${2}"],
        "`$$`",
    );
    check_operation(&format!("{groups}$1st"), "group `1st`", &["${1}st"], "`$$`");
}

#[test]
fn a_duplicate_key_names_both_lines() {
    let complaints =
        refused("version: 1\noperations:\n  - op: remove\n    file: a\n    id: x\n    file: b\n");
    assert_eq!(
        complaints[0].message,
        "key `file` stands twice: on line 4 and on line 6"
    );
    assert_eq!(complaints.len(), 1);
}

#[test]
fn what_strangers_send_is_shown_escaped_and_cut() {
    let complaints = refused(
        "version: 1\n\"\\e]0;pwn\\a\": 1\noperations: [{op: remove, file: \"../\\u202e\"}]",
    );
    assert!(
        complaints
            .iter()
            .all(|complaint| !complaint.message.contains(['\u{1b}', '\u{7}', '\u{202e}']))
    );
    let long = refused(&format!(
        "version: 1\n? {}\n: 1\noperations: [{{op: remove, file: a}}]",
        "k".repeat(100_000)
    ));
    assert!(long[0].message.len() < 300, "{}", long[0].message.len());
}

#[test]
fn plain_words_are_text_as_written() {
    let read = |content: &str| {
        let file = format!(
            "version: 1\noperations:\n  - op: create\n    file: 123\n    content: {content}\n"
        );
        let manifest = read("x", file.as_bytes()).unwrap();
        let operation = manifest.operations.into_iter().next().unwrap();
        assert_eq!(
            operation.files,
            Files::One(crate::path::RepoPath::parse("123").unwrap())
        );
        match operation.verb {
            Verb::Create { content, .. } => content,
            other => panic!("{other:?}"),
        }
    };
    for word in [
        "007",
        "1.10",
        "no",
        "yes",
        "true",
        "0x1F",
        "1e3",
        ".nan",
        "2026-01-01",
        "=",
        "nulls",
    ] {
        assert_eq!(read(word), word);
    }
    assert_eq!(read("\"\""), "");
    assert_eq!(read("'~'"), "~");
    assert_eq!(
        read("|\n      \ttab first\n\n      last"),
        "\ttab first\n\nlast\n"
    );
    assert_eq!(read("|-\n      é \n      \u{2028}x"), "é \n\u{2028}x");
    assert_eq!(read("|+\n      a\n"), "a\n\n");
    assert_eq!(read("\"a\\r\\nb\\0\""), "a\r\nb\0");
}

#[test]
fn places_point_into_the_bytes() {
    let file = format!("\u{feff}{GOOD}");
    let manifest = read("x", file.as_bytes()).unwrap();
    let first = &manifest.operations[0];
    let at = |field: &str| {
        let place = first.place(field).unwrap();
        (
            place.line,
            place.column,
            &manifest.source.text[place.start..place.end],
        )
    };
    assert_eq!(at("op"), (12, 9, "replace"));
    assert_eq!(at("symbol"), (15, 13, "Worker.process"));
    let (line, column, content) = at("content");
    assert_eq!((line, column), (21, 7));
    assert!(content.ends_with("self.execute(data)"), "{content:?}");
    let (line, column, whole) = at("");
    assert_eq!((line, column), (12, 5));
    assert!(
        whole.starts_with("op: replace\n    id: first") && whole.ends_with("self.execute(data)"),
        "{whole}"
    );
    assert_eq!(first.place("nothing"), first.place(""));
}

#[test]
fn the_command_line_overrides_the_file() {
    let file =
        "version: 1\nmode: interactive\ndestination: stash\noperations: [{op: remove, file: a}]";
    let overrides = Overrides {
        message: Some("hi".to_owned()),
        author: Some("A <a@b>".to_owned()),
        destination: Some(Destination::Commit),
        branch: Some("bot".to_owned()),
        base: Some("main".to_owned()),
        mode: Some(CheckMode::VerifyOnly),
        names: Some(NamesRule::Strict),
    };
    let manifest = read_with("x", file.as_bytes(), &overrides).unwrap();
    assert_eq!(
        (manifest.destination, manifest.mode),
        (Destination::Commit, CheckMode::VerifyOnly)
    );
    assert_eq!(manifest.rules.names, Some(NamesRule::Strict));
    assert_eq!(
        (manifest.message.as_deref(), manifest.branch.as_deref()),
        (Some("hi"), Some("bot"))
    );
    assert_eq!(
        manifest.author.map(|author| author.email),
        Some("a@b".to_owned())
    );

    let branch = Overrides {
        branch: Some("-x".to_owned()),
        ..Overrides::default()
    };
    let complaints = read_with("x", file.as_bytes(), &branch).unwrap_err();
    assert!(
        complaints[0]
            .message
            .starts_with("--branch `-x` begins with"),
        "{complaints:?}"
    );
    assert_eq!(complaints[0].code, Code::Malformed);

    let branch = Overrides {
        branch: Some("x".to_owned()),
        ..Overrides::default()
    };
    assert_eq!(
        read_with("x", file.as_bytes(), &branch).unwrap_err().len(),
        1,
        "a stash has no branch"
    );
    let operation = read("x", file.as_bytes()).unwrap().operations.remove(0);
    assert!(Manifest::of(operation.clone(), &branch).is_ok());
    let nul = Verb::Insert {
        selector: None,
        part: None,
        position: None,
        content: "a\0".to_owned(),
        indent: None,
    };
    assert!(
        Manifest::of(
            Operation {
                verb: nul,
                ..operation.clone()
            },
            &branch
        )
        .is_ok(),
        "a whole file may be binary"
    );
    let sought = Scoped::from(Selector::Text("a\0".to_owned()));
    let nul = Verb::Delete {
        selector: sought,
        part: None,
        expect: None,
    };
    let complaints = Manifest::of(
        Operation {
            verb: nul,
            ..operation.clone()
        },
        &branch,
    )
    .unwrap_err();
    assert_eq!(
        (complaints[0].code, &complaints[0].place),
        (Code::Malformed, &None)
    );
    let index = Overrides {
        destination: Some(Destination::Index),
        ..branch
    };
    assert_eq!(
        Manifest::of(operation, &index).unwrap_err()[0].code,
        Code::Malformed
    );
}

/// Each takes well under a second alone; a machine that is busy with other things is given time.
const SLOW: Duration = Duration::from_secs(10);

/// Refused with `code`, fast.
#[track_caller]
fn hostile(bytes: &[u8], code: Code) {
    let start = Instant::now();
    let complaints = read("x", bytes).map(|_| ()).unwrap_err();
    assert!(
        start.elapsed() < SLOW,
        "{:?} for {:?}",
        start.elapsed(),
        complaints[0].message
    );
    assert_eq!(complaints[0].code, code, "{complaints:?}");
    assert!(
        code == Code::InvalidPattern || complaints[0].class() == Class::Malformed,
        "{complaints:?}"
    );
}

#[test]
fn hostile_sizes_are_refused_fast() {
    let list =
        |item: &str, count: usize| format!("version: 1\noperations:\n{}", item.repeat(count));
    hostile(&vec![b'['; 100_000], Code::TooLarge);
    hostile(&vec![b'{'; 100_000], Code::TooLarge);
    hostile("- ".repeat(100_000).as_bytes(), Code::TooLarge);
    hostile("? ".repeat(100_000).as_bytes(), Code::TooLarge);
    let nested: String = (0..3_000)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    hostile(nested.as_bytes(), Code::TooLarge);
    hostile("{a: ".repeat(20_000).as_bytes(), Code::TooLarge);
    hostile(
        format!("version: 1\nmessage: {}", "x".repeat(50 << 20)).as_bytes(),
        Code::TooLarge,
    );
    hostile(
        format!(
            "version: 1\nmessage: {}\noperations: []",
            "x".repeat(7 << 20)
        )
        .as_bytes(),
        Code::TooLarge,
    );
    hostile(
        list("  - {op: remove, file: a}\n", 10_001).as_bytes(),
        Code::TooLarge,
    );
    hostile(
        list("  - {op: delete, file: a, pattern: '\\w{8}'}\n", 1_001).as_bytes(),
        Code::TooLarge,
    );
    hostile(list("  - a\n", 1_000_000).as_bytes(), Code::TooLarge);
    hostile(list("  -\n", 2_000_000).as_bytes(), Code::TooLarge);
    hostile("&a ".repeat(1_000_000).as_bytes(), Code::Malformed);
    hostile("!a ".repeat(1_000_000).as_bytes(), Code::Malformed);
    hostile("# c\n".repeat(2_000_000).as_bytes(), Code::Malformed);
    hostile("---\n".repeat(1_000_000).as_bytes(), Code::Malformed);
    hostile(&[b'\n'; 8 << 20], Code::Malformed);
    hostile(&vec![b'\t'; 8 << 20], Code::Malformed);
    hostile(&vec![b' '; 8 << 20], Code::Malformed);
    hostile(&vec![b'"'; 8 << 20], Code::Malformed);
    hostile(&vec![b'0'; 8 << 20], Code::Malformed);
}

#[test]
fn bombs_are_refused_before_they_go_off() {
    let mut laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (one, next) in ('a'..='i').zip('b'..='j') {
        laughs += &format!(
            "{next}: &{next} [{}]\n",
            vec![format!("*{one}"); 9].join(",")
        );
    }
    hostile(laughs.as_bytes(), Code::Malformed);
    hostile(
        format!("version: &o 1\noperations:\n{}", "  - *o\n".repeat(200_000)).as_bytes(),
        Code::Malformed,
    );
    hostile(b"version: 1\noperations: &a [*a]\n", Code::Malformed);
    hostile(
        b"version: 1\noperations:\n - {op: delete, file: a, pattern: 'a{1000}{1000}{1000}'}",
        Code::InvalidPattern,
    );
    let parens = format!(
        "version: 1\noperations:\n - {{op: delete, file: a, pattern: '{}'}}",
        "(".repeat(100_000)
    );
    hostile(parens.as_bytes(), Code::InvalidPattern);
}

#[test]
fn complaints_stop_at_a_number_a_person_can_read() {
    let file = format!(
        "version: 1\noperations:\n{}",
        "  - {op: remove, file: a, colour: red}\n".repeat(10_000)
    );
    let complaints = refused(&file);
    assert_eq!(complaints.len(), MAX_COMPLAINTS);
    assert_eq!(
        complaints.last().unwrap().notes.last().unwrap(),
        "9900 further complaints are not shown"
    );
}

#[test]
fn a_batch_at_the_limits_is_read() {
    let operation = "  - {op: replace, file: src/worker.py, symbol: Worker.process, kind: method, part: body, \
                     indent: keep, expect: deadbeef, id: x, content: \"pass\"}\n";
    let file = format!("version: 1\noperations:\n{}", operation.repeat(10_000));
    let start = Instant::now();
    assert_eq!(read("x", file.as_bytes()).unwrap().operations.len(), 10_000);
    assert!(start.elapsed() < SLOW, "{:?}", start.elapsed());
    let content = "x".repeat(7 << 20);
    let json = format!(
        "{{\"version\":1,\"operations\":[{{\"op\":\"create\",\"file\":\"a\",\"content\":\"{content}\"}}]}}"
    );
    assert!(read("x", json.as_bytes()).is_ok());
}

fn content() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(
            prop::sample::select(vec![
                "a",
                " ",
                "\t",
                "\n",
                "\r\n",
                "\r",
                "#",
                ": ",
                "- ",
                "'",
                "\"",
                "\\",
                "|",
                "é",
                "\u{2028}",
                "\u{85}",
                "\u{a0}",
                "\u{feff}",
                "\u{1b}",
                "\u{7f}",
                "\u{1f600}",
                "---",
                "...",
                "&a",
                "*a",
                "!t",
                "%",
                "@",
                "`",
                "{",
                "]",
                ",",
                "?",
            ]),
            0..12
        )
        .prop_map(|parts| parts.concat()),
        prop::sample::select(vec![
            "",
            "~",
            "null",
            "Null",
            "NULL",
            "true",
            "yes",
            "12",
            "007",
            "1e3",
            ".nan",
            "<<",
            "=",
            "0x1f",
            "1_000",
            "2026-01-01",
            "\tx\n",
            "\n",
            "\n\n",
            " \n",
            "x\n ",
            "\n x",
            "a\n\n",
            "no final newline",
            " trailing \n",
            "-",
            "?",
            ":",
            "|",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,20}",
    ]
}

fn scoped() -> impl Strategy<Value = Scoped> {
    let name = "[a-zA-Z_][a-zA-Z0-9_ #<>'\"&*!|é]{0,8}[a-z]";
    let symbol = (
        any::<bool>(),
        prop::collection::vec((name, prop::option::of(1usize..9)), 1..3),
    )
        .prop_map(|(any_depth, names)| SymbolSelector {
            any_depth,
            components: names
                .into_iter()
                .map(|(name, index)| SymbolComponent { name, index })
                .collect(),
        });
    let heading = (
        prop::option::of(1u8..=6),
        "[a-zé][a-z :#\\[\\]0-9]{0,10}[a-z#]",
    )
        .prop_map(|(level, title)| HeadingSelector { level, title });
    let section = prop::collection::vec(heading, 1..3).prop_map(|path| SectionSelector { path });
    let element = prop::sample::select(vec![
        "#header h1",
        "nav > a[href=\"/x\"]:nth-of-type(2)",
        ":is(a, b):not(.c)",
    ])
    .prop_map(|text| Selector::Element(ElementSelector::parse(text).unwrap()));
    let block = "[a-zé#][a-z :#'\"\\[\\]0-9]{0,10}[a-z\\]]"
        .prop_map(|name| Selector::Block(BlockSelector { name }));
    let step = prop_oneof![
        "[a-z. \"#:\\[\\]é]{1,8}".prop_map(KeySegment::Key),
        (0usize..20).prop_map(KeySegment::Item)
    ];
    let key =
        prop::collection::vec(step, 1..4).prop_map(|steps| Selector::Key(KeySelector { steps }));
    let (symbol, section) = (
        symbol.prop_map(Selector::Symbol),
        section.prop_map(Selector::Section),
    );
    let segment = prop_oneof![symbol, section, element, block, key].boxed();
    let text = content()
        .prop_filter("empty or NUL", |text| !text.is_empty())
        .prop_map(Selector::Text);
    let lines = (1usize..500, 0usize..9).prop_map(|(first, more)| {
        Selector::Lines(LineRange {
            first,
            last: first + more,
        })
    });
    let inner = prop_oneof![text, lines];
    prop_oneof![
        segment.clone().prop_map(Scoped::from),
        (inner, prop::option::of(segment)).prop_map(|(selector, within)| Scoped {
            within,
            ..Scoped::from(selector)
        }),
    ]
}

fn verb() -> impl Strategy<Value = Verb> {
    let indent = prop_oneof![
        Just(Indent::Auto),
        Just(Indent::Keep),
        (0usize..200).prop_map(Indent::Spaces)
    ];
    let indent = prop::option::of(indent);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let pattern = (
        prop::sample::select(vec!["a", "(?i)b", "[\\s#]+: '\"", "x\n", " y ", "~"]),
        flags,
    )
        .prop_map(|(text, (ignore_case, multiline, dotall))| {
            Scoped::from(Selector::Pattern(
                Pattern::compile(
                    text,
                    Flags {
                        ignore_case,
                        multiline,
                        dotall,
                    },
                )
                .unwrap(),
            ))
        });
    let expect = prop::option::of("[0-9a-f]{8,40}".prop_map(Expect));
    prop_oneof![
        (
            prop::option::of(scoped()),
            content(),
            indent.clone(),
            expect.clone()
        )
            .prop_map(|(selector, content, indent, expect)| Verb::Replace {
                selector,
                part: None,
                content,
                indent,
                expect
            }),
        (
            scoped(),
            content(),
            indent,
            prop::option::of(prop::sample::select(vec![Position::Before, Position::Last]))
        )
            .prop_map(|(selector, content, indent, position)| Verb::Insert {
                part: None,
                selector: Some(selector),
                position,
                content,
                indent
            }),
        (scoped(), expect.clone()).prop_map(|(selector, expect)| Verb::Delete {
            selector,
            part: None,
            expect
        }),
        (pattern, content(), prop::option::of(1usize..9)).prop_map(|(find, text, count)| {
            Verb::Substitute {
                find,
                replacement: text.replace('$', "$$"),
                count,
                expect_count: count,
            }
        }),
        (content(), any::<bool>()).prop_map(|(content, executable)| Verb::Create {
            content,
            executable
        }),
        expect.prop_map(|expect| Verb::Remove { expect }),
        rename(),
        moved(),
    ]
}

/// To every sort of place.
fn moved() -> impl Strategy<Value = Verb> {
    let path = || crate::path::RepoPath::parse("src/b.py").unwrap();
    let symbol = || Selector::Symbol(SymbolSelector::parse("g").unwrap());
    let section = || Selector::Section(SectionSelector::parse("## B").unwrap());
    let position = prop::option::of(prop::sample::select(vec![Position::Before, Position::Last]));
    let unsure = prop::sample::select(vec![OnUnsure::Refuse, OnUnsure::Keep]);
    (any::<[bool; 4]>(), position, unsure).prop_map(
        move |([is_code, is_here, is_beside, reexports], position, unsure)| {
            let selector = if is_code { symbol } else { section };
            let beside = (is_beside || is_here).then(selector);
            Verb::Move {
                selector: selector(),
                to: MovePlace {
                    file: (!is_here).then(path),
                    beside,
                    position,
                },
                terms: RenameTerms {
                    unsure: if is_code { unsure } else { OnUnsure::Refuse },
                    ..RenameTerms::default()
                },
                reexports: is_code && reexports,
            }
        },
    )
}

/// One whose name may hold `::`, which parts a name from its file, too.
fn rename() -> impl Strategy<Value = Verb> {
    let unsure = prop::sample::select(vec![
        OnUnsure::Refuse,
        OnUnsure::Keep,
        OnUnsure::Change,
        OnUnsure::Ask,
    ]);
    let terms = (unsure, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(unsure, changes_mentions, allows_clash, is_for_one_file)| RenameTerms {
            unsure,
            changes_mentions,
            allows_clash,
            is_for_one_file,
        },
    );
    ("[a-z][a-z/:]{0,8}[a-z]", terms).prop_map(|(name, terms)| Verb::Rename {
        selector: Selector::Symbol(SymbolSelector::parse(&name).unwrap()),
        to: "other".to_owned(),
        terms,
    })
}

fn allow_remove() -> impl Strategy<Value = AllowRemove> {
    prop_oneof![
        Just(AllowRemove::Nothing),
        Just(AllowRemove::Everything),
        prop::collection::vec("[A-Za-z# .:]{0,6}[a-z]", 1..4).prop_map(AllowRemove::Named),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(
        verb in verb(),
        id in prop::option::of(content()),
        allow_remove in allow_remove(),
        message in prop::option::of(content().prop_filter("refused", |text| batch_accepts(text))),
    ) {
        let path = crate::path::RepoPath::parse("src/a b#c: d.py").unwrap();
        let path = if matches!(verb, Verb::Create { .. }) { crate::path::RepoPath::parse("b #c.py").unwrap() } else { path };
        let allow_remove =
            if VerbRow::named(verb.name()).unwrap().takes("allow_remove") { allow_remove } else { AllowRemove::Nothing };
        let operation = Operation { id, allow_remove, ..Operation::on(path, verb) };
        let mut manifest = Manifest::of(operation, &Overrides::default()).unwrap();
        manifest.message = message;
        manifest.trailers = vec![("B".to_owned(), "~ #x".to_owned()), ("A".to_owned(), "y: z".to_owned())];
        let written = write(&manifest);
        let again = read("again", written.as_bytes()).map_err(|why| TestCaseError::fail(format!("{why:#?}\n{written}")))?;
        prop_assert_eq!(RawManifest::of(&again), RawManifest::of(&manifest), "{}", written);
        let value = serde_yaml::from_str(&written).map_err(|why| TestCaseError::fail(format!("{why}\n{written}")))?;
        let errors: Vec<String> = SCHEMA.iter_errors(&value).map(|error| error.to_string()).collect();
        prop_assert!(errors.is_empty(), "{:#?} {}", errors, written);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read("x", &bytes);
    }

    #[test]
    fn yaml_shaped_noise_never_panics(
        parts in prop::collection::vec(prop::sample::select(NOISE.to_vec()), 0..40),
    ) {
        let _ = read("x", parts.concat().as_bytes());
    }

    /// Mutations of a good file: never a panic, and every complaint points into the file, at the line and column of
    /// its bytes.
    #[test]
    fn mutations_are_read_or_refused_where_they_are(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6, prop::sample::select(NOISE.to_vec())), 1..5),
    ) {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (at, gone, new) in edits {
            let start = at.index(bytes.len());
            let end = (start + gone).min(bytes.len());
            bytes.splice(start..end, new.bytes());
        }
        let Err(complaints) = read("x", &bytes) else { return Ok(()) };
        prop_assert!(!complaints.is_empty());
        let lines = Lines::of(&bytes);
        for place in complaints.iter().filter_map(|complaint| complaint.place.as_ref()) {
            prop_assert!(place.start <= place.end && place.end <= bytes.len(), "{:?}", place);
            if bytes.contains(&b'\r') || place.start == bytes.len() {
                continue;
            }
            let line = lines.line(place.start);
            let ahead = String::from_utf8_lossy(&bytes[lines.start(line)..place.start]).chars().count();
            prop_assert_eq!((place.line, place.column), (line, ahead + 1), "{:?}", complaints);
        }
    }
}

/// Whatever can be written, the schema accepts: its refusals are the reader's.
static SCHEMA: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::draft7::new(&crate::manifest::schema::json_schema()).unwrap());

fn batch_accepts(message: &str) -> bool {
    crate::manifest::batch::check_message(message).is_ok()
}

const NOISE: [&str; 44] = [
    "version",
    ": ",
    "1",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "op",
    "replace",
    "delete",
    "substitute",
    "file",
    "a.py",
    "symbol",
    "text",
    "pattern",
    "(",
    "lines",
    "5-3",
    "within",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "\"",
    "'",
    "|",
    ">-",
    "&a ",
    "*a",
    "!t ",
    "# ",
    "\t",
    "é",
    "\r",
    "?",
    "<<",
    "~",
    "content",
    "operations",
    "---\n",
    "%",
    "\u{2028}",
];
