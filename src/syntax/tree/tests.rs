//! For the table tests of the languages: an outline, written line by line. And what the engine owes to hostile input in
//! every language: an answer, in bounded time, on a bounded stack.

use std::collections::BTreeMap;

use super::judge;
use crate::path::RepoPath;
use crate::syntax::outline::MAX_NESTING;
use crate::syntax::{DecorationKind, Excess, Grammar, LANGUAGES, SegmentKind, Symbol, language_of};
use crate::text::Span;
use crate::text::indent::LineRole;

/// Returns a line for each symbol: indentation for nesting, kind, qualified by its owner, and what `tell` adds.
fn told(symbols: &[Symbol], depth: usize, tell: &impl Fn(&Symbol) -> String, out: &mut String) {
    for symbol in symbols {
        let owner = symbol
            .owner
            .as_ref()
            .map(|owner| format!("{owner}::"))
            .unwrap_or_default();
        let line = format!(
            "{}{} {owner}{}{}",
            "  ".repeat(depth),
            symbol.kind,
            symbol.name,
            tell(symbol)
        );
        out.push_str(line.trim_end());
        out.push('\n');
        told(&symbol.children, depth + 1, tell, out);
    }
}

pub(crate) fn grammar(file: &str) -> &'static dyn Grammar {
    let path = RepoPath::parse(file).expect("a test names a good path");
    language_of(&path)
        .expect("a test names a file of a known language")
        .grammar
}

/// Checks kinds, owners, names and nesting.
pub(crate) fn check_names(file: &str, source: &str, expected: &str) {
    let mut got = String::new();
    told(
        &grammar(file).outline(source.as_bytes()).symbols,
        0,
        &|_| String::new(),
        &mut got,
    );
    assert_eq!(
        got.trim_end(),
        expected.trim_matches('\n').trim_end(),
        "\n--- source\n{source}\n--- got\n{got}"
    );
    assert_eq!(grammar(file).errors(source.as_bytes()), [], "{source}");
    check_spans(file, source.as_bytes());
    check_query(file, source.as_bytes());
}

/// Checks that our queries find what tree-sitter's own find.
fn check_query(file: &str, source: &[u8]) {
    let judged = grammar(file)
        .of_tree()
        .and_then(|grammar| judge::judge(grammar, source));
    let difference = judged.and_then(|judgement| judgement.difference);
    assert_eq!(difference, None, "{file}: {}", source.escape_ascii());
}

/// Checks the parts of one symbol, named by its path (`A.f`), each quoted as the source has it. Parts: `decorator`,
/// `comment`, `definition`, `signature`, `body`, `docstring`; those that it has not are not listed.
pub(crate) fn check_parts(file: &str, source: &str, path: &str, expected: &[(&str, &str)]) {
    let outline = grammar(file).outline(source.as_bytes());
    let mut level = &outline.symbols;
    let mut found = None;
    for name in path.split('.') {
        let named = |symbol: &&Symbol| symbol.name == name;
        let apart = level.iter().filter(|symbol| !symbol.names_inside);
        let symbol = level
            .iter()
            .chain(apart.flat_map(|symbol| &symbol.children))
            .find(named)
            .expect("a test names a symbol that is there");
        level = &symbol.children;
        found = Some(symbol);
    }
    let symbol = found.expect("a path has a name");
    let text = |span: Span| String::from_utf8_lossy(span.of(source.as_bytes())).into_owned();
    let mut got: Vec<(&str, String)> = Vec::new();
    for decoration in &symbol.decorations {
        let sort = match decoration.sort {
            DecorationKind::Decorator => "decorator",
            DecorationKind::Comment => "comment",
        };
        got.push((sort, text(decoration.span)));
    }
    got.push(("definition", text(symbol.definition)));
    got.push(("signature", text(symbol.signature)));
    got.extend(symbol.body.map(|span| ("body", text(span))));
    got.extend(symbol.docstring.map(|span| ("docstring", text(span))));
    let expected: Vec<(&str, String)> = expected
        .iter()
        .map(|&(part, text)| (part, text.to_owned()))
        .collect();
    assert_eq!(got, expected, "{path} in\n{source}");
}

/// Checks the names that a fragment defines inside a segment of kind `parent`, with what each definition covers.
pub(crate) fn check_fragment(
    file: &str,
    fragment: &str,
    parent: Option<SegmentKind>,
    expected: &[(&str, &str)],
) {
    let outline = grammar(file).fragment_outline(fragment.as_bytes(), parent);
    let got: Vec<(String, String)> = outline
        .symbols
        .iter()
        .map(|symbol| {
            let owner = symbol
                .owner
                .as_ref()
                .map(|owner| format!("{owner}::"))
                .unwrap_or_default();
            let definition =
                String::from_utf8_lossy(symbol.whole().of(fragment.as_bytes())).into_owned();
            (
                format!("{} {owner}{}", symbol.kind, symbol.name),
                definition,
            )
        })
        .collect();
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|&(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
    assert_eq!(got, expected, "{fragment}");
}

/// Checks line roles, a letter a line: `c` code, `_` blank, `F` frozen, `d` inside the comment of the line given by digits.
pub(crate) fn check_roles(file: &str, fragment: &str, parent: Option<SegmentKind>, expected: &str) {
    let roles = grammar(file).line_roles(fragment.as_bytes(), parent);
    let letters: Vec<String> = roles
        .iter()
        .map(|role| match role {
            LineRole::Code => "c".to_owned(),
            LineRole::Blank => "_".to_owned(),
            LineRole::Frozen => "F".to_owned(),
            LineRole::Docstring(line) => format!("d{line}"),
            LineRole::Continuation(line) => format!("k{line}"),
        })
        .collect();
    assert_eq!(letters.join(" "), expected, "{fragment}");
}

/// Checks errors as `offset: message`.
pub(crate) fn check_errors(file: &str, source: &str, expected: &[&str]) {
    let errors = grammar(file).errors(source.as_bytes());
    let got: Vec<String> = errors
        .iter()
        .map(|error| format!("{}: {}", error.offset, error.message))
        .collect();
    assert_eq!(got, expected, "{source}");
}

/// Checks comments, each quoted.
pub(crate) fn check_comments(file: &str, source: &str, expected: &[&str]) {
    let spans = grammar(file).comments(source.as_bytes());
    let got: Vec<String> = spans
        .iter()
        .map(|span| String::from_utf8_lossy(span.of(source.as_bytes())).into_owned())
        .collect();
    assert_eq!(got, expected, "{source}");
}

/// Checks what holds for every outline of every file: spans in bounds and order, children inside their parent.
pub(crate) fn check_spans(file: &str, source: &[u8]) {
    let outline = grammar(file).outline(source);
    check_level(file, &outline.symbols, Span::new(0, source.len()));
}

fn check_level(file: &str, symbols: &[Symbol], around: Span) {
    let mut from = around.start;
    for symbol in symbols {
        let at = format!(
            "{file}: {} {} at {:?}",
            symbol.kind, symbol.name, symbol.definition
        );
        assert!(
            !symbol.name.is_empty() && !symbol.definition.is_empty(),
            "{at}"
        );
        let whole = symbol.whole();
        assert!(
            from <= whole.start && whole.end <= around.end,
            "{at}: {whole:?} not in {from}..{around:?}"
        );
        from = whole.end;
        let mut above = whole.start;
        for decoration in &symbol.decorations {
            assert!(
                above <= decoration.span.start && decoration.span.end <= symbol.definition.start,
                "{at}"
            );
            above = decoration.span.end;
        }
        assert!(
            symbol.definition.contains(symbol.signature) && !symbol.signature.is_empty(),
            "{at}"
        );
        assert_eq!(symbol.signature.start, symbol.definition.start, "{at}");
        if let Some(body) = symbol.body {
            assert!(
                symbol.definition.contains(body) && symbol.signature.end <= body.start,
                "{at}: {body:?}"
            );
        }
        if let Some(docstring) = symbol.docstring {
            assert!(whole.contains(docstring), "{at}");
        }
        check_level(file, &symbol.children, symbol.definition);
    }
}

/// A file name of every language that this engine reads.
const FILES: [&str; 25] = [
    "a.js",
    "a.ts",
    "a.tsx",
    "a.rs",
    "a.go",
    "A.java",
    "a.c",
    "a.cpp",
    "a.cs",
    "a.kt",
    "a.swift",
    "a.scala",
    "a.dart",
    "a.rb",
    "a.php",
    "a.lua",
    "a.sh",
    "a.zig",
    "a.sol",
    "a.proto",
    "a.graphql",
    "a.tf",
    "a.env",
    "a.properties",
    "Dockerfile",
];

/// Reads `source` in every way and in every language.
fn survive(source: &[u8]) {
    for file in FILES {
        check_spans(file, source);
        let grammar = grammar(file);
        for error in grammar.errors(source) {
            assert!(
                error.offset <= source.len() && !error.message.is_empty(),
                "{file}"
            );
        }
        assert_eq!(
            grammar.line_roles(source, None).len(),
            crate::text::Lines::of(source).count(),
            "{file}"
        );
        for comment in grammar.comments(source) {
            assert!(comment.end <= source.len(), "{file}");
        }
        for parent in [
            None,
            Some(SegmentKind::Class),
            Some(SegmentKind::Struct),
            Some(SegmentKind::Interface),
        ] {
            let outline = grammar.fragment_outline(source, parent);
            check_level(file, &outline.symbols, Span::new(0, source.len()));
        }
    }
}

/// Files of every language, with its path: those of this project, or of the folder that `SEGEDIT_CORPUS` names.
fn real_files() -> Vec<std::path::PathBuf> {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = match std::env::var_os("SEGEDIT_CORPUS").filter(|it| !it.is_empty()) {
        Some(corpus) => vec![corpus.into()],
        None => vec![own.join("src/syntax"), own.join("tests/scenarios")],
    };
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// So many files of a language are compared, and none that is larger: tree-sitter's own queries take their time.
const MOST_FILES: usize = 150;
const MOST_BYTES: usize = 100_000;

#[test]
fn queries_find_in_real_files_what_tree_sitters_own_find() {
    let mut compared: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let (mut left_out, mut differences) = (0, Vec::new());
    let mut by_language: BTreeMap<&str, Vec<std::path::PathBuf>> = BTreeMap::new();
    for file in real_files() {
        let name = file.file_name().and_then(|name| name.to_str());
        let path = name.and_then(|name| RepoPath::parse(name).ok());
        let language = path.and_then(|path| language_of(&path));
        if let Some(language) = language.filter(|it| it.grammar.of_tree().is_some()) {
            by_language.entry(language.name).or_default().push(file);
        }
    }
    for (name, files) in by_language {
        let grammar = LANGUAGES
            .iter()
            .find(|language| language.name == name)
            .and_then(|language| language.grammar.of_tree())
            .expect("each was found so");
        // From all over the packages, not those of the first alone.
        let step = files.len().div_ceil(MOST_FILES);
        for file in files.into_iter().step_by(step) {
            let source = std::fs::read(&file).expect("a file can be read");
            if source.len() > MOST_BYTES {
                continue;
            }
            let Some(judgement) = judge::judge(grammar, &source) else {
                left_out += 1;
                continue;
            };
            compared.entry(name).or_default().push(judgement.roles);
            differences.extend(judgement.difference.map(|difference| (file, difference)));
        }
    }
    for (language, roles) in &compared {
        let sum: usize = roles.iter().sum();
        eprintln!("{language}: {sum} nodes in {} files", roles.len());
    }
    eprintln!("{left_out} files are too much for the one or the other");
    assert_eq!(differences, []);
    let all: usize = compared.values().flatten().sum();
    assert!(all > 500, "only {all} nodes were compared");
}

#[test]
fn every_query_compiles_and_every_grammar_parses() {
    let built = LANGUAGES.iter().filter(|language| !language.is_left_out());
    for grammar in built.filter_map(|it| it.grammar.of_tree()) {
        let (ours, theirs) = (
            &grammar.compiled().unwrap().query,
            judge::compiled_query(grammar),
        );
        assert_eq!(ours.len(), theirs.pattern_count());
        assert_eq!(ours.capture_names(), theirs.capture_names());
    }
    // A document of GraphQL that says nothing is none.
    for file in FILES.into_iter().filter(|file| *file != "a.graphql") {
        assert_eq!(grammar(file).errors(b"\n"), [], "{file}");
    }
    assert_eq!(grammar("a.graphql").errors(b"scalar A\n"), []);
}

/// Reads `source` in the ways that a whole file is read.
fn answer(file: &str, source: &[u8]) {
    check_spans(file, source);
    let errors = grammar(file).errors(source);
    assert!(
        errors.iter().all(|error| error.offset <= source.len()),
        "{file}"
    );
}

/// Reads what `source` makes of `times`, in every language. The engine is one for all, so that the sizes that take seconds
/// are for the first few.
fn answer_sized(times: usize, source: impl Fn(usize) -> String) {
    for (at, file) in FILES.into_iter().enumerate() {
        let times = if at < 6 { times } else { times / 10 };
        answer(file, source(times).as_bytes());
    }
}

#[test]
fn hostile_nesting_costs_heap_and_not_stack() {
    let nested =
        |open: &str, close: &str, times: usize| [open.repeat(times), close.repeat(times)].concat();
    answer_sized(100_000, |times| "{".repeat(times));
    answer_sized(100_000, |times| nested("{", "}", times));
    for open in ["(", "[", "a(", "if(a){", "function f(){"] {
        survive(open.repeat(500).as_bytes());
        answer_sized(10_000, |times| open.repeat(times));
    }
    answer_sized(10_000, |times| nested("function f(){", "}", times));
    answer_sized(5_000, |times| nested("class A { class B {", "}}", times));
    answer_sized(2_000, |times| nested("mod a { impl A {", "}}", times));
    answer_sized(10_000, |times| nested("const f = () => {", "};", times));
}

#[test]
fn a_file_that_nests_beyond_the_limit_has_no_names() {
    let outline = |depth: usize| {
        let outline = grammar("a.rs").outline(
            ["fn f() {".repeat(depth), "}".repeat(depth)]
                .concat()
                .as_bytes(),
        );
        let mut told = 0;
        let mut level = &outline.symbols;
        while let Some(symbol) = level.first() {
            told += 1;
            level = &symbol.children;
        }
        (told, outline.excess)
    };
    assert_eq!(outline(MAX_NESTING), (MAX_NESTING, None));
    assert_eq!(outline(MAX_NESTING + 1), (0, Some(Excess::Nesting)));
    assert_eq!(outline(100_000), (0, Some(Excess::Nesting)));
}

#[test]
fn odd_bytes_are_survived() {
    for source in [
        &b""[..],
        b"\xff\xfe\xfd",
        b"\xef\xbb\xbf",
        b"\0",
        b"fn \xe9() {}\nfn ok() {}\n",
        b"class A { \xc3 m() {} }",
        b"\r\r\r",
        b"/*",
        b"//",
        b"`",
        b"\"\"\"",
        b"@",
        b"@A",
        b"#[",
        b"class A { @B }",
        b"// \xf0\x9f\x98\x80\nfunction f() {}",
        b"function f",
        b"export",
        b"type (",
    ] {
        survive(source);
    }
}

#[test]
fn long_flat_files_are_answered() {
    answer_sized(2_000, |times| "const a = () => 1, b = 2;\n".repeat(times));
    answer_sized(5_000, |times| {
        ["const a = 1", &", b = () => 1".repeat(times), ";\n"].concat()
    });
    answer_sized(2_000, |times| "// c\n#[a]\n@b\n".repeat(times));
    answer_sized(5_000, |times| {
        ["class A {\n", &"  m() {}\n".repeat(times), "}\n"].concat()
    });
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(12))]
    #[test]
    fn scrambled_code_is_survived(pieces in proptest::collection::vec(0usize..PIECES.len(), 0..40)) {
        let source: String = pieces.iter().filter_map(|&at| PIECES.get(at).copied()).collect();
        survive(source.as_bytes());
        for file in FILES {
            check_query(file, source.as_bytes());
        }
    }
}

/// Pieces of code of all the languages, to be put together at random.
const PIECES: [&str; 51] = [
    "class A ",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "=",
    "=> ",
    "function f",
    "fn f",
    "func f",
    "func (w *W) P",
    "impl A ",
    "const x",
    "let y",
    "var z",
    "export ",
    "default ",
    "@dec ",
    "#[attr]\n",
    "// c\n",
    "/* d */",
    "/** e */\n",
    "\n",
    "\n\n",
    "  ",
    "type T ",
    "struct ",
    "interface I ",
    "enum E ",
    "`t\n`",
    "\"s\"",
    "'c'",
    "é",
    "namespace N ",
    "mod m ",
    "int a",
    "def f",
    "end\n",
    "<<~A\n",
    "<?php ",
    "?>",
    "#if X\n",
    "#endif\n",
    "template <class T> ",
    "do ",
    "local function f() ",
    "A::f",
];

/// The other way round, the compiler warns of a feature that is asked about and not declared.
#[test]
fn a_build_has_every_language_unless_it_is_told_otherwise() {
    let manifest: toml_edit::Document<String> = include_str!("../../../Cargo.toml")
        .to_owned()
        .parse()
        .unwrap();
    let features = manifest["features"].as_table_like().unwrap();
    let named = |feature: &str| -> Vec<&str> {
        let list = features.get(feature).and_then(|it| it.as_array());
        let list = list.unwrap_or_else(|| panic!("no feature {feature}"));
        list.iter().map(|it| it.as_str().unwrap()).collect()
    };
    let mut asked: Vec<&str> = LANGUAGES
        .iter()
        .filter(|language| language.name != "Nowhere")
        .filter_map(|language| language.grammar.of_tree()?.tables.parser.feature)
        .collect();
    asked.dedup();
    assert_eq!(named("default"), asked, "in the order of the table");
    for feature in asked {
        let [crate_name] = named(feature)[..] else {
            panic!("{feature} is not one crate");
        };
        let name = crate_name.strip_prefix("dep:").unwrap();
        let dependency = &manifest["dependencies"][name];
        assert_eq!(
            dependency["optional"].as_bool(),
            Some(true),
            "{feature}: {name}"
        );
    }
    let others = features.iter().map(|(name, _)| name);
    for other in others.filter(|name| *name != "default" && !named("default").contains(name)) {
        assert_eq!(named(other), [""; 0], "{other} is in every build");
    }
}
