//! Files that nest or list without end, a hundred thousand deep or long in each way that a language knows; every day, twenty thousand. Each has the segments that a reader
//! would count, or none and says so; whatever it is, it costs little, is edited by its text, and `find` answers for the rest.

use serde_json::json;

use super::less;
use crate::support::{Run, Sandbox};

const DEEP: usize = less(100_000, 20_000);
/// Where the parser has several readings: fewer are nothing to it.
const MANY: usize = 100_000;
/// Where each level is indented deeper than the one around it: more would be gigabytes.
const INDENTED: usize = 2_000;

/// Seconds of processor time, and kibibytes of address space, that a call may use: a program built without optimization takes two
/// of the seconds, one that looks at each level from each level takes hours.
const CPU: u32 = 20;
const MEMORY: u32 = 2 << 20;
/// Kibibytes of memory that `outline` may use: 200 MB, and what the code of a program takes that is built without optimization.
const PEAK: u32 = (200 + 30) << 10;

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// So many segments.
    Segments(usize),
    /// None, and it says so.
    Nothing,
    /// Either: how long the parser takes decides whether its readings are counted.
    Either,
}

/// Returns `DEEP` times what opens, what is inside, and what closes as often.
fn nest(open: &str, inside: &str, close: &str) -> String {
    [&open.repeat(DEEP), inside, &close.repeat(DEEP)].concat()
}

/// Returns the same where what opens is numbered.
fn numbered(before: &str, after: &str, close: &str) -> String {
    (0..DEEP)
        .map(|level| format!("{before}needle{level}{after}\n"))
        .collect::<String>()
        + &close.repeat(DEEP)
}

fn indented(line: &str, last: &str) -> String {
    let levels: String = (0..INDENTED)
        .map(|level| format!("{}{line}\n", " ".repeat(level)))
        .collect();
    format!("{levels}{}{last}\n", " ".repeat(INDENTED))
}

/// Every kind of nesting: the file's name, its content, and what is told of it.
fn kinds() -> Vec<(&'static str, String, Told)> {
    use Told::{Either, Nothing, Segments};
    vec![
        (
            "namespaces.ts",
            nest("namespace needle {\n", "", "}\n"),
            Nothing,
        ),
        ("open.ts", nest("namespace needle {\n", "", ""), Nothing),
        (
            "methods.ts",
            nest("class needle { m() { ", "", "} }"),
            Nothing,
        ),
        (
            "types.ts",
            format!("type needle = {};\n", nest("B<", "C", ">")),
            Segments(1),
        ),
        ("arguments.ts", nest("f<needle,", "", ""), Nothing),
        ("arguments.tsx", nest("f<needle,", "", ""), Nothing),
        ("comparisons.java", nest("needle<b", "", ""), Nothing),
        (
            "raw.rs",
            format!("fn needle() {{}}\n{}", nest("r#\"", "", "")),
            Nothing,
        ),
        ("patterns.tsx", nest("/[", "needle", ""), Nothing),
        ("elements-beside.tsx", nest("<needle />", "", ""), Nothing),
        (
            "elements.tsx",
            format!("const needle = {};\n", nest("<a>", "", "</a>")),
            Segments(1),
        ),
        (
            "static.js",
            nest("class needle { static { ", "", "} }"),
            Nothing,
        ),
        (
            "functions.js",
            nest("function needle() {\n", "", "}\n"),
            Nothing,
        ),
        (
            "objects.js",
            format!("const needle = {};\n", nest("{b: ", "1", "}")),
            Nothing,
        ),
        (
            "parentheses.js",
            format!("const needle = {};\n", nest("(", "1", ")")),
            Segments(1),
        ),
        (
            "arrows.js",
            format!("const needle = {}1;\n", "() => ".repeat(DEEP)),
            Segments(1),
        ),
        (
            "templates.js",
            format!("const needle = {};\n", nest("`${", "1", "}`")),
            Segments(1),
        ),
        ("modules.rs", nest("mod needle {\n", "", "}\n"), Nothing),
        (
            "blocks.rs",
            format!("fn needle() {}\n", nest("{", "", "}")),
            Segments(1),
        ),
        (
            "comments.rs",
            format!("{}\nfn needle() {{}}\n", nest("/*", "", "*/")),
            Segments(1),
        ),
        ("classes.java", nest("class needle {\n", "", "}\n"), Nothing),
        (
            "blocks.java",
            format!("class A {{ void needle() {} }}\n", nest("{", "", "}")),
            Segments(2),
        ),
        (
            "functions.go",
            format!(
                "package a\nfunc needle() {{\n{}}}\n",
                nest("func() {\n", "", "}()\n")
            ),
            Segments(1),
        ),
        (
            "names.go",
            format!(
                "package a\nfunc needle() {{}}\nvar v{} int\n",
                ", v".repeat(DEEP)
            ),
            Segments(1),
        ),
        (
            "constants.go",
            format!(
                "package a\nfunc needle() {{}}\nconst v{} = 1\n",
                ", v".repeat(DEEP)
            ),
            Segments(1),
        ),
        (
            "structs.go",
            format!(
                "package a\ntype needle {}\n",
                nest("struct { B ", "int", " }")
            ),
            Segments(2),
        ),
        ("classes.py", indented("class needle:", "pass"), Nothing),
        (
            "parentheses.py",
            format!("needle = {}\n", nest("(", "1", ")")),
            Segments(1),
        ),
        (
            "not.py",
            format!("needle = {}1\n", "not ".repeat(DEEP)),
            Segments(1),
        ),
        (
            "lambdas.py",
            format!("needle = {}1\n", "lambda: ".repeat(DEEP)),
            Segments(1),
        ),
        ("objects.json", nest("{\"needle\":", "1", "}"), Nothing),
        (
            "lists.json",
            format!("{{\"needle\": {}}}", nest("[", "", "]")),
            Nothing,
        ),
        (
            "mappings.yaml",
            format!("needle: {}\n", nest("{b: ", "1", "}")),
            Nothing,
        ),
        ("lists.yaml", nest("- ", "needle\n", ""), Nothing),
        ("lines.yaml", indented("needle:", "a"), Nothing),
        (
            "lists.toml",
            format!("needle = {}\n", nest("[", "", "]")),
            Nothing,
        ),
        (
            "tables.toml",
            format!("needle = {}\n", nest("{b = ", "1", "}")),
            Nothing,
        ),
        (
            "dotted.toml",
            format!("needle{} = 1\n", ".b".repeat(DEEP)),
            Nothing,
        ),
        (
            "quotes.md",
            format!("# needle\n\n{}\n", nest("> ", "a", "")),
            Segments(1),
        ),
        (
            "lists.md",
            format!("# needle\n\n{}\n", nest("- ", "a", "")),
            Segments(1),
        ),
        (
            "links.md",
            format!("# needle\n\n{}\n", nest("[", "a", "]")),
            Segments(1),
        ),
        (
            "headings.md",
            "# needle\n## needle\n### needle\n".repeat(DEEP / 3),
            Segments(DEEP / 3 * 3),
        ),
        (
            "divisions.html",
            nest("<div id=needle>", "", "</div>"),
            Nothing,
        ),
        ("open.html", nest("<div id=needle>", "", ""), Nothing),
        (
            "formatting.html",
            format!("<i id=needle></i>{}", nest("<b><p>", "x", "")),
            Segments(1),
        ),
        (
            "anchors.html",
            format!("<i id=needle></i>{}", nest("<a>", "x", "")),
            Segments(1),
        ),
        (
            "tables.html",
            format!("<i id=needle></i>{}", nest("<table><tr><td>", "x", "")),
            Segments(1),
        ),
        ("drawings.html", nest("<svg><g id=needle>", "", ""), Nothing),
        (
            "blocks.html.j2",
            numbered("{% block ", " %}", "{% endblock %}\n"),
            Nothing,
        ),
        (
            "blocks.txt.j2",
            numbered("{% block ", " %}", "{% endblock %}\n"),
            Nothing,
        ),
        (
            "regions.py",
            numbered("# region ", "", "# endregion\n"),
            Nothing,
        ),
        (
            "regions.ts",
            numbered("// #region ", "", "// #endregion\n"),
            Nothing,
        ),
        (
            "regions.html",
            numbered("<!-- region ", " -->", "<!-- endregion -->\n"),
            Nothing,
        ),
        (
            "regions.txt",
            numbered("-- region ", "", "-- endregion\n"),
            Nothing,
        ),
        // The other languages, each in ways that its grammar nests, and in those that its parser took long for.
        (
            "blocks.c",
            format!("void needle(void) {}\n", nest("{", "", "}")),
            Segments(1),
        ),
        (
            "parentheses.c",
            format!("int needle = {};\n", nest("(", "1", ")")),
            Segments(1),
        ),
        (
            "casts.c",
            format!("int needle = {}1;\n", "(a)".repeat(MANY)),
            Either,
        ),
        (
            "conditions.c",
            nest("#if A\n", "int needle;\n", "#endif\n"),
            Nothing,
        ),
        (
            "namespaces.cpp",
            nest("namespace needle {\n", "", "}\n"),
            Nothing,
        ),
        (
            "arguments.cpp",
            format!("needle{} x;\n", nest("<a", "", ">")),
            Either,
        ),
        (
            "comparisons.cpp",
            format!("int needle = {}a;\n", "a<".repeat(MANY)),
            Either,
        ),
        ("classes.cs", nest("class needle {\n", "", "}\n"), Nothing),
        (
            "blocks.cs",
            format!("class A {{ void needle() {} }}\n", nest("{", "", "}")),
            Segments(2),
        ),
        (
            "casts.cs",
            format!("class A {{ int needle = {}1; }}\n", "(a)".repeat(MANY)),
            Either,
        ),
        ("rules.css", nest("needle {\n", "", "}\n"), Nothing),
        ("rules.scss", nest(".needle {\n", "", "}\n"), Nothing),
        ("rules.less", nest(".needle {\n", "", "}\n"), Nothing),
        ("classes.kt", nest("class needle {\n", "", "}\n"), Nothing),
        (
            "lambdas.kt",
            format!("val needle = {}\n", nest("{ ", "1", " }")),
            Segments(1),
        ),
        (
            "classes.swift",
            nest("class needle {\n", "", "}\n"),
            Nothing,
        ),
        (
            "closures.swift",
            format!("let needle = {}\n", nest("{ ", "1", " }")),
            Segments(1),
        ),
        (
            "references.swift",
            format!("let needle = {}a\n", "& ".repeat(MANY)),
            Either,
        ),
        (
            "blocks.php",
            format!("<?php\nfunction needle() {}\n", nest("{", "", "}")),
            Segments(1),
        ),
        (
            "lists.php",
            format!("<?php\n$needle = {};\n", nest("[", "1", "]")),
            Segments(1),
        ),
        (
            "subshells.sh",
            format!("needle() {{ {}; }}\n", nest("(", "a", ")")),
            Segments(1),
        ),
        (
            "conditions.sh",
            nest("if a; then\n", "needle() { a; }\n", "fi\n"),
            Nothing,
        ),
        (
            "substitutions.sh",
            format!("needle={}\n", nest("$(", "a", ")")),
            Segments(1),
        ),
        (
            "bars.sh",
            format!("needle=1\n{}a\n", "a | ".repeat(MANY)),
            Either,
        ),
        ("classes.rb", nest("class Needle\n", "", "end\n"), Nothing),
        (
            "begins.rb",
            format!("def needle\n{}end\n", nest("begin\n", "", "end\n")),
            Segments(1),
        ),
        (
            "lists.rb",
            format!("NEEDLE = {}\n", nest("[", "1", "]")),
            Segments(1),
        ),
        (
            "objects.scala",
            nest("object needle {\n", "", "}\n"),
            Nothing,
        ),
        (
            "arrows.scala",
            format!("val needle = {}a\n", "(a)=>".repeat(MANY)),
            Either,
        ),
        (
            "blocks.dart",
            format!("void needle() {}\n", nest("{", "", "}")),
            Segments(1),
        ),
        (
            "lists.dart",
            format!("var needle = {};\n", nest("[", "1", "]")),
            Segments(1),
        ),
        (
            "functions.lua",
            nest("function needle()\n", "", "end\n"),
            Nothing,
        ),
        (
            "tables.lua",
            format!("needle = {}\n", nest("{", "1", "}")),
            Segments(1),
        ),
        (
            "structs.zig",
            nest("const needle = struct {\n", "", "};\n"),
            Nothing,
        ),
        (
            "blocks.zig",
            format!("fn needle() void {}\n", nest("{", "", "}")),
            Segments(1),
        ),
        (
            "blocks.sol",
            format!(
                "contract A {{ function needle() public {} }}\n",
                nest("{", "", "}")
            ),
            Segments(2),
        ),
        (
            "messages.proto",
            format!(
                "syntax = \"proto3\";\n{}",
                nest("message needle {\n", "", "}\n")
            ),
            Nothing,
        ),
        (
            "fields.graphql",
            format!("query needle {}\n", nest("{ a ", "", "}")),
            Segments(1),
        ),
        (
            "lists.graphql",
            format!("type needle {{ a: {} }}\n", nest("[", "B", "]")),
            Segments(2),
        ),
        ("blocks.tf", nest("needle {\n", "", "}\n"), Nothing),
        (
            "lists.tf",
            format!("needle = {}\n", nest("[", "1", "]")),
            Segments(1),
        ),
        (
            "lists.prisma",
            format!(
                "model needle {{\n  a Int @default({})\n}}\n",
                nest("[", "1", "]")
            ),
            Segments(2),
        ),
        (
            "calls.bzl",
            format!("needle = {}\n", nest("f(", "1", ")")),
            Segments(1),
        ),
        (
            "conditions.cmake",
            nest("if(A)\n", "function(needle)\nendfunction()\n", "endif()\n"),
            Nothing,
        ),
        (
            "parentheses.cmake",
            format!("set(needle {})\n", nest("f(", "1", ")")),
            Segments(1),
        ),
        ("sets.nix", nest("{ needle = ", "1", "; }"), Nothing),
        (
            "lists.nix",
            format!("{{ needle = {}; }}\n", nest("[ ", "1", " ]")),
            Segments(1),
        ),
        (
            "functions.r",
            "needle <- function() {\n".repeat(500) + &"}\n".repeat(500),
            Segments(1),
        ),
        (
            "parentheses.r",
            format!("needle <- {}\n", nest("(", "1", ")")),
            Segments(1),
        ),
    ]
}

fn limited(sandbox: &Sandbox, words: &str) -> Run {
    sandbox.shell(&format!(
        "ulimit -t {CPU}; ulimit -v {MEMORY} 2>/dev/null; exec git-segedit {words}"
    ))
}

#[test]
fn no_nesting_costs_much_and_what_is_not_told_is_said() {
    let kinds = kinds();
    let files: Vec<(&str, &str)> = kinds
        .iter()
        .map(|(name, content, _)| (*name, content.as_str()))
        .collect();
    let sandbox = Sandbox::with(&files);
    let mut wrong = Vec::new();
    let peak_of = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracles/peak.py");
    let peak_file = sandbox.aside().join("peak");
    for (name, _, told) in &kinds {
        let run = sandbox.shell(&format!(
            "ulimit -t {CPU}; ulimit -v {MEMORY} 2>/dev/null; \
             exec python3 -EB {peak_of} {} git-segedit outline --format json {name}",
            peak_file.display()
        ));
        let peak = std::fs::read_to_string(&peak_file).unwrap_or_default();
        // Until it is found out that there are several readings, each takes memory of its own.
        let most = if *told == Told::Either {
            2 * PEAK
        } else {
            PEAK
        };
        // A file of many segments, one beside the other, takes what these take.
        let is_listed = matches!(told, Told::Segments(count) if *count > 1_000);
        if !is_listed && !peak.parse().is_ok_and(|peak: u32| peak <= most) {
            wrong.push(format!("{name}: it took {peak} KiB"));
        }
        let found = match run.exit {
            0 => Told::Segments(run.json()[0]["segments"].as_array().map_or(0, Vec::len)),
            3 if run.json()["errors"][0]["code"] == "too-large" => Told::Nothing,
            _ => {
                wrong.push(format!("{name}: exit {}\n{}", run.exit, run.err()));
                continue;
            }
        };
        if found != *told && *told != Told::Either {
            wrong.push(format!("{name}: {found:?} instead of {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_that_nest_without_end_are_passed_over_by_find_and_edited_by_text() {
    let row = |wanted: &str| {
        kinds()
            .into_iter()
            .find(|(name, ..)| *name == wanted)
            .expect("a kind of nesting")
    };
    let chosen = [
        "namespaces.ts",
        "objects.json",
        "divisions.html",
        "regions.txt",
    ]
    .map(row);
    let files: Vec<(&str, &str)> = chosen
        .iter()
        .map(|(name, content, _)| (*name, content.as_str()))
        .collect();
    let sandbox = Sandbox::with(&[&files[..], &[("a.py", "def needle():\n    pass\n")]].concat());
    // The second time from the index of segments.
    for _ in 0..2 {
        let run = limited(&sandbox, "find needle");
        assert_eq!(run.out(), "a.py:1: function a.py::needle\n");
        for (name, ..) in &chosen {
            let warned = run
                .err()
                .contains(&format!("warning[too-large]: {name} was passed over: "));
            assert!(warned, "{name}\n{}", run.err());
        }
    }
    let passed_over = limited(&sandbox, "find --format json needle").json()[1]["path"].clone();
    assert_eq!(passed_over, "divisions.html");
    let run = limited(&sandbox, "find nothing_of_that_name");
    assert!(
        !run.err().contains("passed over"),
        "the name does not stand in them: {}",
        run.err()
    );
    for (name, content, _) in &chosen {
        let operation = json!({"op": "substitute", "file": name, "text": "needle", "replacement": "found", "count": 1});
        let batch = json!({"version": 1, "destination": "worktree", "operations": [operation]});
        std::fs::write(sandbox.aside().join("batch.json"), batch.to_string())
            .expect("a folder of our own");
        let run = limited(
            &sandbox,
            &format!("apply {}/batch.json", sandbox.aside().display()),
        );
        assert_eq!(run.exit, 0, "{name}\n{}", run.err());
        let edited = std::fs::read_to_string(sandbox.repo().join(name)).expect("it is there");
        assert!(edited == content.replacen("needle", "found", 1), "{name}");
    }
}
