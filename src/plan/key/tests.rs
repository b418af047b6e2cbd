//! What each verb makes of small configuration files, row by row.

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{KeySelector, Operation, Part, Position, Scoped, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::action::{edits_of, plan_operation};
use crate::plan::key::compose_together;
use crate::plan::overlap::compose;
use crate::resolve::{Document, Reading};
use crate::snapshot::HashKind;

/// Carries out `op`, `replace KEY`, `delete KEY` or `before|after|first|last KEY`, on one snapshot with the others.
fn run(path: &str, before: &str, ops: &[(&str, &str)]) -> Result<String, Diagnostic> {
    let path = RepoPath::parse(path).unwrap();
    let document = Document::new(path.clone(), before.as_bytes().into(), HashKind::Sha1);
    let reading = Reading::of(&document);
    let operation = |op: &str, content: &str| {
        let (word, key) = op.split_once(' ').unwrap();
        let selector = Scoped::from(Selector::Key(KeySelector::parse(key).unwrap()));
        let (content, indent) = (content.to_owned(), None);
        let position = match word {
            "before" => Some(Position::Before),
            "after" => Some(Position::After),
            "first" => Some(Position::First),
            "last" => Some(Position::Last),
            _ => None,
        };
        let verb = match word {
            "replace" => Verb::Replace {
                selector: Some(selector),
                part: None,
                content,
                indent,
                expect: None,
            },
            "whole" | "body" => {
                let part = Some(if word == "whole" {
                    Part::Whole
                } else {
                    Part::Body
                });
                Verb::Replace {
                    selector: Some(selector),
                    part,
                    content,
                    indent,
                    expect: None,
                }
            }
            "delete" => Verb::Delete {
                selector,
                part: None,
                expect: None,
            },
            _ => Verb::Insert {
                selector: Some(selector),
                position,
                content,
                part: None,
                indent,
            },
        };
        Operation::on(path.clone(), verb)
    };
    let operations: Vec<Operation> = ops
        .iter()
        .map(|(op, content)| operation(op, content))
        .collect();
    let mut edits = Vec::new();
    let mut changes = Vec::new();
    for (index, operation) in operations.iter().enumerate() {
        let act = plan_operation(&reading, operation)?;
        edits.extend(edits_of(&act, index));
        changes.extend(act.change.map(|change| (index, change)));
    }
    let edits = compose_together(&document, edits, &changes, &operations)
        .map_err(|mut refused| refused.remove(0))?;
    let splices =
        compose(&document, &edits, &operations).map_err(|mut clashes| clashes.remove(0))?;
    Ok(String::from_utf8(splices.apply(&document.bytes)).unwrap())
}

#[track_caller]
fn check_all(path: &str, before: &str, ops: &[(&str, &str)], expected: &str) {
    let after = run(path, before, ops).unwrap_or_else(|refused| panic!("refused: {refused:#?}"));
    assert_eq!(
        after, expected,
        "\n--- got\n{after}\n--- expected\n{expected}"
    );
    let document = Document::new(
        RepoPath::parse(path).unwrap(),
        after.as_bytes().into(),
        HashKind::Sha1,
    );
    let errors = document.language.unwrap().grammar.errors(after.as_bytes());
    assert!(errors.is_empty(), "{after}\n{errors:?}");
}

#[track_caller]
fn check(path: &str, before: &str, op: &str, content: &str, expected: &str) {
    check_all(path, before, &[(op, content)], expected);
}

#[track_caller]
fn refused(path: &str, before: &str, op: &str, content: &str, code: Code) {
    match run(path, before, &[(op, content)]) {
        Ok(after) => panic!("accepted:\n{after}"),
        Err(refused) => assert_eq!(refused.code, code, "{refused:#?}"),
    }
}

#[test]
fn a_value_may_read_like_its_key() {
    check(
        "a.yaml",
        "p: {80: 8080, 443: 8443}\n",
        "replace p.80",
        "80",
        "p: {80: 80, 443: 8443}\n",
    );
    check(
        "a.yaml",
        "p: {python: python3}\n",
        "replace p.python",
        "python",
        "p: {python: python}\n",
    );
    check(
        "a.yaml",
        "p: {'1': x, b: c}\n",
        "replace p.1",
        "'1'",
        "p: {'1': '1', b: c}\n",
    );
    check(
        "a.yaml",
        "p: {a: 1}\n",
        "replace p.a",
        "a: 2",
        "p: {a: 2}\n",
    );
}

#[test]
fn json_values_are_replaced() {
    let json = |before: &str, op: &str, content: &str, expected: &str| {
        check("a.json", before, op, content, expected)
    };
    json(
        "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
        "replace a",
        "[3]",
        "{\n  \"a\": [3],\n  \"b\": 2\n}\n",
    );
    json("{\"a\":1}", "replace a", "\"a\": 2", "{\"a\": 2}");
    check(
        "tsconfig.json",
        "{\n  \"a\": 1,\n}",
        "replace a",
        "\"a\": 2,",
        "{\n  \"a\": 2,\n}",
    );
}

#[test]
fn json_objects_are_indented_for_their_place() {
    let before = "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n";
    let after = "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n    }\n  }\n}\n";
    check("a.json", before, "replace a.b", "{\n  \"c\": 1\n}", after);
    check("a.json", before, "replace a.b", "{\n    \"c\": 1\n}", after);
    check(
        "a.json",
        before,
        "replace a.b",
        "\"b\": {\n  \"c\": 1\n}",
        after,
    );
}

#[test]
fn json_entries_are_inserted() {
    let json = |before: &str, op: &str, content: &str, expected: &str| {
        check("a.json", before, op, content, expected)
    };
    let two = "{\n  \"a\": 1,\n  \"b\": 2\n}\n";
    json(
        two,
        "before a",
        "\"c\": 3",
        "{\n  \"c\": 3,\n  \"a\": 1,\n  \"b\": 2\n}\n",
    );
    json(
        two,
        "after a",
        "\"c\": 3",
        "{\n  \"a\": 1,\n  \"c\": 3,\n  \"b\": 2\n}\n",
    );
    json(
        two,
        "after b",
        "\"c\": 3,",
        "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
    );
    json(
        "{\"x\": {\"a\": 1}}",
        "last x",
        "\"c\": 3",
        "{\"x\": {\"a\": 1, \"c\": 3}}",
    );
    json(
        "{\"x\": {\"a\": 1}}",
        "first x",
        "\"c\": 3",
        "{\"x\": {\"c\": 3, \"a\": 1}}",
    );
    json("{\"x\": {}}", "last x", "\"c\": 3", "{\"x\": {\"c\": 3}}");
    json(
        "{\n  \"x\": {}\n}\n",
        "last x",
        "\"c\": 3",
        "{\n  \"x\": {\n    \"c\": 3\n  }\n}\n",
    );
    json("{\"x\": [1, 2]}", "after x[0]", "3", "{\"x\": [1, 3, 2]}");
    json("{\"x\": [1, 2]}", "last x", "3, 4", "{\"x\": [1, 2, 3, 4]}");
    json(
        "{\n  \"x\": [\n    1\n  ]\n}",
        "first x",
        "{\n  \"a\": 1\n}",
        "{\n  \"x\": [\n    {\n      \"a\": 1\n    },\n    1\n  ]\n}",
    );
    refused("a.json", two, "after a", "\"b\": 3", Code::Unsupported);
    refused("a.json", two, "after a", "3", Code::SyntaxError);
    refused("a.json", two, "last a", "\"b\": 3", Code::Unsupported);
}

#[test]
fn two_insertions_at_one_place_share_the_comma() {
    let before = "{\n  \"a\": 1\n}\n";
    let after = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
    check_all(
        "a.json",
        before,
        &[("after a", "\"b\": 2"), ("after a", "\"c\": 3")],
        after,
    );
    let replaced = "{\n  \"a\": 0,\n  \"b\": 2\n}\n";
    check_all(
        "a.json",
        before,
        &[("replace a", "0"), ("after a", "\"b\": 2")],
        replaced,
    );
}

#[test]
fn json_entries_are_deleted_with_one_separator() {
    let json = |before: &str, op: &str, expected: &str| check("a.json", before, op, "", expected);
    let three = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
    json(three, "delete a", "{\n  \"b\": 2,\n  \"c\": 3\n}\n");
    json(three, "delete b", "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
    json(three, "delete c", "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    json(
        "{\n  \"x\": {\n    \"a\": 1\n  }\n}\n",
        "delete x.a",
        "{\n  \"x\": {}\n}\n",
    );
    json("{\"a\": [1, 2, 3]}", "delete a[0]", "{\"a\": [2, 3]}");
    json("{\"a\": [1, 2, 3]}", "delete a[1]", "{\"a\": [1, 3]}");
    json("{\"a\": [1, 2, 3]}", "delete a[2]", "{\"a\": [1, 2]}");
    json("{\"a\": [1]}", "delete a[0]", "{\"a\": []}");
    json("{\"a\": [1, 2,\n 3]}", "delete a[1]", "{\"a\": [1,\n 3]}");
    json("{\"a\": [1,\n 2]}", "delete a[0]", "{\"a\": [2]}");
}

#[test]
fn comments_and_trailing_commas_stay() {
    let jsonc = |before: &str, op: &str, content: &str, expected: &str| {
        check("tsconfig.json", before, op, content, expected);
    };
    let commented = "{\n  // one\n  \"a\": 1, // first\n  /* two */\n  \"b\": 2 // last\n}\n";
    jsonc(
        commented,
        "delete a",
        "",
        "{\n  /* two */\n  \"b\": 2 // last\n}\n",
    );
    jsonc(
        commented,
        "delete b",
        "",
        "{\n  // one\n  \"a\": 1 // first\n}\n",
    );
    let more =
        "{\n  // one\n  \"a\": 1, // first\n  /* two */\n  \"b\": 2, // last\n  \"c\": 3\n}\n";
    jsonc(commented, "after b", "\"c\": 3", more);
    let between =
        "{\n  // one\n  \"a\": 1, // first\n  \"c\": 3, // x\n  /* two */\n  \"b\": 2 // last\n}\n";
    jsonc(commented, "after a", "\"c\": 3 // x", between);
    let trailing = "{\n  \"a\": [\n    1,\n    2,\n  ],\n}\n";
    jsonc(
        trailing,
        "delete a[1]",
        "",
        "{\n  \"a\": [\n    1,\n  ],\n}\n",
    );
    jsonc(
        trailing,
        "last a",
        "3",
        "{\n  \"a\": [\n    1,\n    2,\n    3,\n  ],\n}\n",
    );
    jsonc("{\"a\": [1, 2,]}", "last a", "3", "{\"a\": [1, 2, 3,]}");
    jsonc("{\"a\": [1, 2, ]}", "delete a[1]", "", "{\"a\": [1, ]}");
    jsonc(
        "{\n  \"a\": {\n    // nothing yet\n  }\n}\n",
        "last a",
        "\"b\": 1",
        "{\n  \"a\": {\n    // nothing yet\n    \"b\": 1\n  }\n}\n",
    );
    jsonc("{'a': 1, b: 2}", "replace b", "0x1F", "{'a': 1, b: 0x1F}");
}

const CARGO: &str = "# top\n[package]\nname = \"x\" # the name\nversion = \"1\"\n\n# libraries\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n\n[dependencies.regex]\nversion = \"2\"\n\n[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n\n[profile.release]\nlto = true\n";

#[test]
fn toml_values_are_replaced() {
    let toml = |op: &str, content: &str, from: &str, to: &str| {
        assert!(CARGO.contains(from), "{from}");
        check(
            "Cargo.toml",
            CARGO,
            op,
            content,
            &CARGO.replacen(from, to, 1),
        );
    };
    toml("replace package.name", "\"y\"", "\"x\"", "\"y\"");
    toml(
        "replace package.name",
        "name = 'y'",
        "name = \"x\"",
        "name = 'y'",
    );
    toml(
        "replace package.name",
        "name = 'y' # new",
        "name = \"x\" # the name",
        "name = 'y' # new",
    );
    toml(
        "replace dependencies.serde.version",
        "\"1.2\"",
        "\"1\", f",
        "\"1.2\", f",
    );
    toml(
        "replace dependencies.serde.features[0]",
        "\"rc\"",
        "\"derive\"",
        "\"rc\"",
    );
    toml(
        "replace dependencies.regex",
        "version = \"3\"\noptional = true",
        "version = \"2\"",
        "version = \"3\"\noptional = true",
    );
    toml(
        "replace dependencies.regex",
        "[dependencies.regex]\nversion = \"3\"",
        "version = \"2\"",
        "version = \"3\"",
    );
    toml("replace bin[1].name", "\"c\"", "\"b\"", "\"c\"");
    toml(
        "replace profile.release.lto",
        "\"thin\"",
        "true",
        "\"thin\"",
    );
    let several = "[\n    \"a\",\n    \"b\",\n]";
    toml(
        "replace dependencies.serde",
        several,
        "{ version = \"1\", features = [\"derive\"] }",
        several,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "replace package.name",
        "y",
        Code::SyntaxError,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "replace package.name",
        "\"y\"\nz = 1",
        Code::SyntaxError,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "replace dependencies.regex",
        "[other]\na = 1",
        Code::Unsupported,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "replace profile",
        "a = 1",
        Code::Unsupported,
    );
}

#[test]
fn toml_entries_are_inserted() {
    let toml = |op: &str, content: &str, ahead: &str, new: &str| {
        assert!(CARGO.contains(ahead), "{ahead}");
        check(
            "Cargo.toml",
            CARGO,
            op,
            content,
            &CARGO.replacen(ahead, &format!("{ahead}{new}"), 1),
        );
    };
    toml(
        "after package.name",
        "edition = \"2024\"",
        "# the name\n",
        "edition = \"2024\"\n",
    );
    toml(
        "last package",
        "edition = \"2024\"\n",
        "version = \"1\"\n",
        "edition = \"2024\"\n",
    );
    toml(
        "first package",
        "edition = \"2024\"",
        "[package]\n",
        "edition = \"2024\"\n",
    );
    toml(
        "before package.version",
        "edition = \"2024\"",
        "# the name\n",
        "edition = \"2024\"\n",
    );
    toml(
        "last dependencies",
        "rand = \"1\"",
        "\"derive\"] }\n",
        "rand = \"1\"\n",
    );
    toml(
        "last dependencies.serde",
        "optional = true",
        "[\"derive\"]",
        ", optional = true",
    );
    toml(
        "first dependencies.serde.features",
        "\"rc\"",
        "features = [",
        "\"rc\", ",
    );
    toml(
        "last dependencies",
        "[dependencies.rand]\nversion = \"1\"",
        "version = \"2\"\n",
        "\n[dependencies.rand]\nversion = \"1\"\n",
    );
    toml(
        "after package",
        "[lib]\nname = \"z\"",
        "version = \"1\"\n",
        "\n[lib]\nname = \"z\"\n",
    );
    toml(
        "before bin",
        "[lib]\nname = \"z\"",
        "version = \"2\"\n\n",
        "[lib]\nname = \"z\"\n\n",
    );
    toml(
        "last bin",
        "name = \"c\"",
        "name = \"b\"\n",
        "\n[[bin]]\nname = \"c\"\n",
    );
    toml(
        "first bin",
        "[[bin]]\nname = \"c\"",
        "version = \"2\"\n\n",
        "[[bin]]\nname = \"c\"\n\n",
    );
    toml(
        "last profile",
        "[profile.dev]\nlto = false",
        "lto = true\n",
        "\n[profile.dev]\nlto = false\n",
    );
    refused(
        "Cargo.toml",
        CARGO,
        "after package",
        "edition = \"2024\"",
        Code::Unsupported,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "last package",
        "name = \"z\"",
        Code::Unsupported,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "after package.name",
        "[lib]",
        Code::Unsupported,
    );
    refused(
        "Cargo.toml",
        CARGO,
        "last profile",
        "[other]\na = 1",
        Code::Unsupported,
    );
    check(
        "a.toml",
        "a = []\nb = {}\n",
        "last a",
        "1",
        "a = [1]\nb = {}\n",
    );
    check(
        "a.toml",
        "a = []\nb = {}\n",
        "last b",
        "c = 1",
        "a = []\nb = { c = 1 }\n",
    );
    check("a.toml", "[a]\n", "last a", "b = 1", "[a]\nb = 1\n");
}

#[test]
fn toml_entries_are_deleted() {
    let toml = |op: &str, gone: &str| {
        assert!(CARGO.contains(gone), "{gone}");
        check("Cargo.toml", CARGO, op, "", &CARGO.replacen(gone, "", 1));
    };
    toml("delete package.name", "name = \"x\" # the name\n");
    toml("delete dependencies.serde.version", "version = \"1\", ");
    toml(
        "delete dependencies.serde.features",
        ", features = [\"derive\"]",
    );
    toml(
        "delete dependencies.regex",
        "[dependencies.regex]\nversion = \"2\"\n\n",
    );
    toml(
        "delete dependencies",
        "# libraries\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n\n[dependencies.regex]\nversion = \"2\"\n\n",
    );
    toml("delete bin[0]", "[[bin]]\nname = \"a\"\n\n");
    toml(
        "delete bin",
        "[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n\n",
    );
    toml("delete profile", "\n[profile.release]\nlto = true\n");
    check(
        "a.toml",
        "a.b = 1\nc = 2\na.d = 3\n",
        "delete a",
        "",
        "c = 2\n",
    );
    check(
        "a.toml",
        "a.b = 1\nc = 2\na.d = 3\n",
        "delete a.b",
        "",
        "c = 2\na.d = 3\n",
    );
    check(
        "a.toml",
        "x = [\n  1, # one\n  2, # two\n]\n",
        "delete x[1]",
        "",
        "x = [\n  1, # one\n]\n",
    );
    check(
        "a.toml",
        "x = [\n  1, # one\n  2 # two\n]\n",
        "delete x[1]",
        "",
        "x = [\n  1 # one\n]\n",
    );
}

#[test]
fn scattered_tables_are_told_apart() {
    let scattered = "[a.b]\nx = 1\n[c]\ny = 1\n[a.d]\nz = 1\n";
    check("a.toml", scattered, "delete a", "", "[c]\ny = 1\n");
    check(
        "a.toml",
        scattered,
        "replace a.d.z",
        "2",
        &scattered.replace("z = 1", "z = 2"),
    );
    refused("a.toml", scattered, "replace a", "x = 1", Code::Unsupported);
}

const COMPOSE: &str = "# stack\nservices:\n  web:\n    image: nginx:1 # pinned\n    ports:\n      - \"80:80\"\n      - \"443:443\"\n  db:\n    image: 'postgres'\n    environment: {A: 1, B: 2}\n\nvolumes:\n  data: {}\n";

#[test]
fn yaml_values_are_replaced() {
    let yaml = |op: &str, content: &str, from: &str, to: &str| {
        assert!(COMPOSE.contains(from), "{from}");
        check(
            "c.yaml",
            COMPOSE,
            op,
            content,
            &COMPOSE.replacen(from, to, 1),
        );
    };
    yaml(
        "replace services.web.image",
        "nginx:2",
        "nginx:1",
        "nginx:2",
    );
    yaml(
        "replace services.web.image",
        "image: nginx:2",
        "nginx:1",
        "nginx:2",
    );
    yaml(
        "replace services.web.image",
        "image: nginx:2 # new",
        "nginx:1 # pinned",
        "nginx:2 # new",
    );
    yaml(
        "replace services.web.ports[0]",
        "\"81:80\"",
        "\"80:80\"",
        "\"81:80\"",
    );
    yaml(
        "replace services.web.ports[0]",
        "- \"81:80\"",
        "\"80:80\"",
        "\"81:80\"",
    );
    yaml("replace services.db.environment.B", "3", "B: 2", "B: 3");
    yaml(
        "replace services.db.environment",
        "A: 1\nC: 3",
        "environment: {A: 1, B: 2}",
        "environment:\n      A: 1\n      C: 3",
    );
    yaml(
        "replace services.web.ports",
        "- \"1:1\"",
        "- \"80:80\"\n      - \"443:443\"",
        "- \"1:1\"",
    );
    yaml(
        "replace services.web.ports",
        "[\"1:1\"]",
        "ports:\n      - \"80:80\"\n      - \"443:443\"",
        "ports: [\"1:1\"]",
    );
    yaml(
        "replace services.db.image",
        "|\n  a\n   b",
        "'postgres'",
        "|\n      a\n       b",
    );
    yaml(
        "replace services.web.image",
        "name: x\ntag: y",
        "image: nginx:1 # pinned",
        "image: # pinned\n      name: x\n      tag: y",
    );
    yaml(
        "replace volumes.data",
        "driver: x",
        "data: {}",
        "data:\n    driver: x",
    );
    refused(
        "c.yaml",
        COMPOSE,
        "replace services.web.image",
        "a: b: c",
        Code::SyntaxError,
    );
    refused(
        "c.yaml",
        COMPOSE,
        "replace services.web.imag",
        "x",
        Code::SegmentNotFound,
    );
    check("a.yaml", "a:\nb: 1\n", "replace a", "2", "a: 2\nb: 1\n");
    check(
        "a.yaml",
        "- a: 1\n  b: 2\n- c\n",
        "replace [0]",
        "x: 1\ny: 2",
        "- x: 1\n  y: 2\n- c\n",
    );
    check(
        "a.yaml",
        "- a: 1\n  b: 2\n- c\n",
        "replace [1]",
        "x: 1\ny: 2",
        "- a: 1\n  b: 2\n- x: 1\n  y: 2\n",
    );
    check(
        "a.yaml",
        "a: |\n    one\n\n    two\nb: 1\n",
        "replace a",
        "|-\n  x\n\n  y",
        "a: |-\n    x\n\n    y\nb: 1\n",
    );
    check(
        "a.yaml",
        "a: &x 1\nb: 2\n",
        "replace a",
        "3",
        "a: &x 3\nb: 2\n",
    );
    // The tag is part of what is replaced.
    check("a.yaml", "a: !t 1\n", "replace a", "3", "a: 3\n");
    check("a.yaml", "a: !!str 3\n", "replace a", "[1]", "a: [1]\n");
    check(
        "a.yaml",
        "a: !foo 3\n",
        "replace a",
        "!bar 2",
        "a: !bar 2\n",
    );
    check(
        "a.yaml",
        "a: !foo\n  b: 1\n",
        "replace a",
        "c: 1",
        "a:\n  c: 1\n",
    );
    check(
        "a.yaml",
        "a: [!t 1, 2]\n",
        "replace a[0]",
        "3",
        "a: [3, 2]\n",
    );
}

#[test]
fn yaml_entries_are_inserted() {
    let yaml = |op: &str, content: &str, ahead: &str, new: &str| {
        assert!(COMPOSE.contains(ahead), "{ahead}");
        check(
            "c.yaml",
            COMPOSE,
            op,
            content,
            &COMPOSE.replacen(ahead, &format!("{ahead}{new}"), 1),
        );
    };
    yaml(
        "after services.web.image",
        "tty: true",
        "# pinned\n",
        "    tty: true\n",
    );
    yaml(
        "before services.web.image",
        "tty: true",
        "  web:\n",
        "    tty: true\n",
    );
    yaml(
        "first services.web",
        "tty: true",
        "  web:\n",
        "    tty: true\n",
    );
    yaml(
        "last services.web",
        "tty: true",
        "443:443\"\n",
        "    tty: true\n",
    );
    yaml(
        "last services",
        "cache:\n    image: redis",
        "B: 2}\n",
        "  cache:\n    image: redis\n",
    );
    yaml(
        "last services.web.ports",
        "- \"1:1\"",
        "443:443\"\n",
        "      - \"1:1\"\n",
    );
    yaml(
        "last services.web.ports",
        "\"1:1\"",
        "443:443\"\n",
        "      - \"1:1\"\n",
    );
    yaml(
        "last services.web.ports",
        "a: 1\nb: 2",
        "443:443\"\n",
        "      - a: 1\n        b: 2\n",
    );
    yaml("last services.db.environment", "C: 3", "B: 2", ", C: 3");
    yaml("after volumes", "x: 1", "data: {}\n", "\nx: 1\n");
    check(
        "c.yaml",
        COMPOSE,
        "last volumes.data",
        "driver: x",
        &COMPOSE.replace("data: {}", "data:\n    driver: x"),
    );
    refused(
        "c.yaml",
        COMPOSE,
        "last services.web",
        "image: x",
        Code::Unsupported,
    );
    refused(
        "c.yaml",
        COMPOSE,
        "last services.web",
        "- x",
        Code::SyntaxError,
    );
    refused(
        "c.yaml",
        COMPOSE,
        "last services.web.image",
        "x: 1",
        Code::Unsupported,
    );
    check(
        "a.yaml",
        "a: # none\nb: 1\n",
        "last a",
        "c: 1",
        "a: # none\n  c: 1\nb: 1\n",
    );
    check(
        "a.yaml",
        "- a: 1\n",
        "before [0].a",
        "z: 0",
        "- z: 0\n  a: 1\n",
    );
    check(
        "a.yaml",
        "- a: 1\n",
        "after [0].a",
        "z: 0",
        "- a: 1\n  z: 0\n",
    );
    check("a.yaml", "a: 1", "after a", "z: 0", "a: 1\nz: 0");
    check(
        "a.yaml",
        "a: {b: {}}\n",
        "last a.b",
        "c: 1",
        "a: {b: {c: 1}}\n",
    );
    check("a.yaml", "a:\n- b\n", "last a", "- c", "a:\n- b\n- c\n");
    check(
        "a.yaml",
        "a: |\n  x\n\nb: 1\n",
        "after a",
        "c: 1",
        "a: |\n  x\n\nc: 1\n\nb: 1\n",
    );
}

#[test]
fn yaml_entries_are_deleted() {
    let yaml = |op: &str, gone: &str, left: &str| {
        assert!(COMPOSE.contains(gone), "{gone}");
        check("c.yaml", COMPOSE, op, "", &COMPOSE.replacen(gone, left, 1));
    };
    yaml(
        "delete services.web.image",
        "    image: nginx:1 # pinned\n",
        "",
    );
    yaml("delete services.web.ports[1]", "      - \"443:443\"\n", "");
    yaml("delete services.db.environment.A", "A: 1, ", "");
    yaml("delete services.db.environment.B", ", B: 2", "");
    yaml(
        "delete services.db",
        "  db:\n    image: 'postgres'\n    environment: {A: 1, B: 2}\n",
        "",
    );
    yaml(
        "delete volumes.data",
        "volumes:\n  data: {}\n",
        "volumes: {}\n",
    );
    yaml("delete volumes", "\nvolumes:\n  data: {}\n", "");
    check(
        "a.yaml",
        "- a: 1\n  b: 2\n- c\n",
        "delete [0].a",
        "",
        "- b: 2\n- c\n",
    );
    check("a.yaml", "- a: 1\n- c\n", "delete [0].a", "", "- {}\n- c\n");
    check("a.yaml", "- a: 1\n- c\n", "delete [0]", "", "- c\n");
    check(
        "a.yaml",
        "a:\n  # why\n  b: 1\n  # rest\n  c: 2\n",
        "delete a.b",
        "",
        "a:\n  # rest\n  c: 2\n",
    );
    check(
        "a.yaml",
        "a: # list\n  - 1\nb: 2\n",
        "delete a[0]",
        "",
        "a: [] # list\nb: 2\n",
    );
    check("a.yaml", "a: 1\n", "delete a", "", "{}\n");
    check(
        "a.yaml",
        "a:\n  b: 1\n    # deeper\nc: 1\n",
        "delete a",
        "",
        "c: 1\n",
    );
}

#[test]
fn what_anchors_tie_together_is_not_changed_elsewhere() {
    let tied = "base: &b\n  x: 1\none:\n  <<: *b\n  y: 2\ntwo: *b\nthree: &free 1\n";
    refused("a.yaml", tied, "replace base", "x: 2", Code::Unsupported);
    refused("a.yaml", tied, "replace base.x", "2", Code::Unsupported);
    refused("a.yaml", tied, "last base", "z: 2", Code::Unsupported);
    refused("a.yaml", tied, "delete base", "", Code::Unsupported);
    refused("a.yaml", tied, "replace two.x", "2", Code::Unsupported);
    refused("a.yaml", tied, "replace one.x", "2", Code::SegmentNotFound);
    refused("a.yaml", tied, "replace three", "&b 1", Code::Unsupported);
    check(
        "a.yaml",
        tied,
        "replace two",
        "5",
        &tied.replace("two: *b", "two: 5"),
    );
    check(
        "a.yaml",
        tied,
        "replace one.y",
        "5",
        &tied.replace("y: 2", "y: 5"),
    );
    check(
        "a.yaml",
        tied,
        "after one.y",
        "x: 5",
        &tied.replace("y: 2\n", "y: 2\n  x: 5\n"),
    );
    check(
        "a.yaml",
        tied,
        "replace three",
        "2",
        &tied.replace("&free 1", "&free 2"),
    );
    check(
        "a.yaml",
        tied,
        "delete one",
        "",
        &tied.replace("one:\n  <<: *b\n  y: 2\n", ""),
    );
}

#[test]
fn documents_and_templates() {
    let two = "kind: A\nmeta:\n  name: x\n---\nkind: B\nspec: 1\n";
    refused("a.yaml", two, "replace kind", "C", Code::SegmentAmbiguous);
    check(
        "a.yaml",
        two,
        "replace [1].kind",
        "C",
        &two.replace("kind: B", "kind: C"),
    );
    check(
        "a.yaml",
        two,
        "replace meta.name",
        "y",
        &two.replace("name: x", "name: y"),
    );
    check(
        "a.yaml",
        two,
        "delete spec",
        "",
        &two.replace("spec: 1\n", ""),
    );
    for template in [
        "a: {{ .Values.a }}\nb: 1\n",
        "{{- if .x }}\na: 1\n{{- end }}\n",
        "{% if x %}\na: 1\n{% endif %}\n",
    ] {
        refused("a.yaml", template, "replace a", "1", Code::Unsupported);
    }
    check(
        "a.yaml",
        "if: ${{ x }}\nb: \"{{ y }}\"\n",
        "replace b",
        "1",
        "if: ${{ x }}\nb: 1\n",
    );
    refused("a.yaml", "a: [\n", "replace a", "1", Code::Unsupported);
    refused("a.yaml", "? a\n: 1\n", "replace a", "2", Code::Unsupported);
    refused(
        "a.json",
        "{\"a\": 1, \"a\": 2}",
        "replace a",
        "1",
        Code::SegmentAmbiguous,
    );
}

#[test]
fn line_endings_are_the_files() {
    check(
        "a.yaml",
        "a:\r\n  b: 1\r\n",
        "last a",
        "c:\n  d: 1",
        "a:\r\n  b: 1\r\n  c:\r\n    d: 1\r\n",
    );
    check(
        "a.json",
        "{\r\n  \"a\": 1\r\n}\r\n",
        "after a",
        "\"b\": [\n  1\n]",
        "{\r\n  \"a\": 1,\r\n  \"b\": [\r\n    1\r\n  ]\r\n}\r\n",
    );
    check(
        "a.toml",
        "\u{feff}a = 1\r\n",
        "before a",
        "b = 2",
        "\u{feff}b = 2\r\na = 1\r\n",
    );
}

#[test]
fn yaml_content_of_another_step_keeps_what_it_says() {
    let yaml = |before: &str, op: &str, content: &str, expected: &str| {
        check("a.yaml", before, op, content, expected)
    };
    let env = "envFrom:\n  - configMapRef:\n      name: a\n";
    yaml(
        env,
        "last envFrom",
        "- secretRef:\n    name: s",
        &format!("{env}  - secretRef:\n      name: s\n"),
    );
    let flat = "envFrom:\n- configMapRef:\n    name: a\n";
    yaml(
        flat,
        "last envFrom",
        "- secretRef:\n    name: s",
        &format!("{flat}- secretRef:\n    name: s\n"),
    );
    yaml(
        "a:\n  b: 1\n",
        "replace a",
        "- x:\n    y: 2",
        "a:\n  - x:\n      y: 2\n",
    );
    let four = "a:\n    b: 1\n";
    yaml(
        four,
        "replace a",
        "- f:\n  g: 2",
        "a:\n    - f:\n      g: 2\n",
    );
    yaml(
        four,
        "replace a",
        "- - c\n  - d",
        "a:\n    - - c\n      - d\n",
    );
    yaml(
        four,
        "replace a",
        "- n: |\n    x\n  r: 1",
        "a:\n    - n: |\n        x\n      r: 1\n",
    );
    yaml(
        four,
        "replace a",
        "c:\n  d:\n    - e: 1\n",
        "a:\n    c:\n        d:\n            - e: 1\n",
    );
    let steps = "steps:\n    - run: b\n";
    yaml(
        steps,
        "last steps",
        "- name: q\n  run: make",
        &format!("{steps}    - name: q\n      run: make\n"),
    );
    yaml(
        "a:\n  b: 1\n",
        "replace a",
        "-   a: 1\n    b: 2",
        "a:\n  -   a: 1\n      b: 2\n",
    );
    yaml("x:\n- a\ny: 1\n", "replace x", "q: 1", "x:\n  q: 1\ny: 1\n");
    yaml(
        "x:\n  - a\ny: 1\n",
        "replace x",
        "q: 1",
        "x:\n  q: 1\ny: 1\n",
    );
}

#[test]
fn comments_on_the_line_stay_out_of_blocks_of_text() {
    let yaml = |before: &str, op: &str, content: &str, expected: &str| {
        check("a.yaml", before, op, content, expected)
    };
    let image = "image: nginx # pinned\nx: 1\n";
    yaml(
        image,
        "replace image",
        "|\n  nginx",
        "image: | # pinned\n  nginx\nx: 1\n",
    );
    yaml(
        image,
        "replace image",
        ">-\n  nginx",
        "image: >- # pinned\n  nginx\nx: 1\n",
    );
    yaml(
        image,
        "replace image",
        "image: |\n  nginx",
        "image: | # pinned\n  nginx\nx: 1\n",
    );
    yaml(
        image,
        "replace image",
        "image: | # new\n  nginx",
        "image: | # new\n  nginx\nx: 1\n",
    );
    yaml(
        image,
        "replace image",
        "image:\n  a: |\n    b",
        "image: # pinned\n  a: |\n    b\nx: 1\n",
    );
    yaml(
        "l:\n  - a # c\n  - b\n",
        "replace l[0]",
        "|\n  t",
        "l:\n  - | # c\n    t\n  - b\n",
    );
    yaml(
        "l:\n  - a # c\n  - b\n",
        "replace l[0]",
        "- |\n  t",
        "l:\n  - | # c\n    t\n  - b\n",
    );
    yaml(
        "l:\n  - a # c\n",
        "replace l[0]",
        "x: |\n  t",
        "l:\n  - x: | # c\n      t\n",
    );
    yaml("a: 1 \nb: 2\n", "replace a", "|\n  t", "a: |\n  t\nb: 2\n");
    yaml(
        "a: # c\nb: 2\n",
        "replace a",
        "|\n  t",
        "a: | # c\n  t\nb: 2\n",
    );
    yaml(
        "a: | # c\n  t\nb: 2\n",
        "replace a",
        "2",
        "a: 2 # c\nb: 2\n",
    );
    yaml(
        "a: | # c\n  t\nb: 2\n",
        "replace a",
        "|\n  u",
        "a: | # c\n  u\nb: 2\n",
    );
    yaml(
        "a: # c\n  b: 1\nd: 2\n",
        "replace a",
        "|\n  u",
        "a: | # c\n  u\nd: 2\n",
    );
    yaml(
        "a:\n  b: 1\nd: 2\n",
        "replace a",
        "|\n  u",
        "a: |\n  u\nd: 2\n",
    );
}

#[test]
fn a_comment_behind_the_content_takes_the_place_of_the_one_there() {
    check(
        "a.yaml",
        "a: 1 # c\nb: 2\n",
        "replace a",
        "2 # d",
        "a: 2 # d\nb: 2\n",
    );
    check(
        "a.yaml",
        "a: 1\nb: 2\n",
        "replace a",
        "2 # d",
        "a: 2 # d\nb: 2\n",
    );
    check(
        "a.yaml",
        "a:\n  b: 1\nb: 2\n",
        "replace a",
        "2 # d",
        "a: 2 # d\nb: 2\n",
    );
    check(
        "a.toml",
        "a = 1 # c\nb = 2\n",
        "replace a",
        "2 # d",
        "a = 2 # d\nb = 2\n",
    );
    check(
        "tsconfig.json",
        "{\n  \"a\": 1, // c\n  \"b\": 2\n}\n",
        "replace a",
        "2 // d",
        "{\n  \"a\": 2, // d\n  \"b\": 2\n}\n",
    );
    check(
        "tsconfig.json",
        "{\n  \"b\": 2 // c\n}\n",
        "replace b",
        "3 // d",
        "{\n  \"b\": 3 // d\n}\n",
    );
    let blank = "on:\n  go:   # by hand \n\nb: 1\n";
    check(
        "a.yaml",
        blank,
        "replace on",
        "on:\n  go:   # by hand ",
        blank,
    );
    check(
        "a.yaml",
        blank,
        "replace on",
        "on:\n  go: 1 # c",
        "on:\n  go: 1 # c \n\nb: 1\n",
    );
    refused(
        "a.yaml",
        "a: [1, 2]\n",
        "replace a[0]",
        "3 # d",
        Code::Unsupported,
    );
    refused("a.yaml", "a: 1\n", "replace a", "# d\n2", Code::Unsupported);
}

#[test]
fn the_whole_of_a_key_is_its_comments_too() {
    let whole = |path: &str, before: &str, content: &str, expected: &str| {
        check(path, before, "whole a", content, expected);
    };
    whole("a.yaml", "# old\na: 1\nb: 2\n", "a: 7", "a: 7\nb: 2\n");
    whole("a.yaml", "# old\na: 1\nb: 2\n", "7", "a: 7\nb: 2\n");
    whole(
        "a.yaml",
        "# old\na: 1\nb: 2\n",
        "# new\na: 7",
        "# new\na: 7\nb: 2\n",
    );
    whole("a.toml", "# old\na = 1\n", "a = 7", "a = 7\n");
    whole(
        "a.toml",
        "x = 1\n# old\n[a]\nb = 1\n",
        "[a]\nb = 2\n",
        "x = 1\n[a]\nb = 2\n",
    );
    whole(
        "tsconfig.json",
        "{\n  // old\n  \"a\": 1\n}\n",
        "\"a\": 7",
        "{\n  \"a\": 7\n}\n",
    );
    check(
        "a.yaml",
        "# old\na: 1\n",
        "replace a",
        "a: 7",
        "# old\na: 7\n",
    );
    check("a.yaml", "a:\n  b: 1\n", "body a", "a: 1", "a:\n  a: 1\n");
}

#[test]
fn several_operations_meet_in_one_holder() {
    let all = |path: &str, before: &str, ops: &[(&str, &str)], expected: &str| {
        check_all(path, before, ops, expected)
    };
    all(
        "a.yaml",
        "l:\n  - 1\n  - 2\n",
        &[("delete l[0]", ""), ("delete l[1]", "")],
        "l: []\n",
    );
    all(
        "a.yaml",
        "m:\n  a: 1\n  b: 2\nx: 1\n",
        &[("delete m.a", ""), ("delete m.b", "")],
        "m: {}\nx: 1\n",
    );
    all(
        "a.yaml",
        "a: 1\nb: 2\n",
        &[("delete a", ""), ("delete b", "")],
        "{}\n",
    );
    all(
        "a.yaml",
        "- a: 1\n  b: 2\n- c\n",
        &[("delete [0].a", ""), ("delete [0].b", "")],
        "- {}\n- c\n",
    );
    all(
        "a.json",
        "{\"a\": [1, 2, 3]}",
        &[("delete a[1]", ""), ("delete a[2]", "")],
        "{\"a\": [1]}",
    );
    all(
        "a.json",
        "{\"a\": [1, 2]}",
        &[("delete a[0]", ""), ("delete a[1]", "")],
        "{\"a\": []}",
    );
    all(
        "a.json",
        "{\"a\":1}",
        &[("delete a", ""), ("after a", "\"z\":1")],
        "{\"z\":1}",
    );
    all(
        "a.json",
        "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
        &[("delete b", ""), ("after a", "\"z\": 3")],
        "{\n  \"a\": 1,\n  \"z\": 3\n}\n",
    );
    all(
        "a.toml",
        "[a]\nx=1\ny=2\n",
        &[("delete a.y", ""), ("last a", "z=3")],
        "[a]\nx=1\nz=3\n",
    );
    all(
        "a.yaml",
        "a:\n  x: 1\n  y: 2\n",
        &[("delete a.y", ""), ("last a", "z: 3")],
        "a:\n  x: 1\n  z: 3\n",
    );
    all(
        "a.yaml",
        "a:\n  - 1\n  - 2\n",
        &[("delete a[1]", ""), ("last a", "- 3")],
        "a:\n  - 1\n  - 3\n",
    );
    all(
        "a.toml",
        "[a]\nx = 1\n\n[b]\ny = 1\n",
        &[("delete a", ""), ("after a", "[c]\nz = 1")],
        "[c]\nz = 1\n\n[b]\ny = 1\n",
    );
    all(
        "a.yaml",
        "a:\n  b:\n    c: 1\n    # t\n  # u\n# top\nd: 2\n",
        &[("delete a.b", ""), ("delete d", "")],
        "a: {}\n  # u\n",
    );
    all(
        "a.json",
        "[1, 2]",
        &[
            ("after [0]", "3"),
            ("before [1]", "4"),
            ("after [0]", "5"),
            ("delete [0]", ""),
        ],
        "[3, 4, 5, 2]",
    );
    for (path, before, content) in [
        ("a.json", "{\"a\": 1}", "\"x\": 1"),
        ("a.yaml", "a: 1\n", "x: 1"),
        ("a.toml", "a = 1\n", "x = 1"),
    ] {
        let refused = run(path, before, &[("after a", content), ("after a", content)]).unwrap_err();
        assert_eq!(refused.code, Code::Overlap, "{refused:#?}");
    }
    refused(
        "a.yaml",
        "a: 1\n",
        "after a",
        "x: 1\nx: 2",
        Code::Unsupported,
    );
    refused(
        "a.json",
        "{\"a\": 1}",
        "after a",
        "\"x\": 1, \"x\": 2",
        Code::Unsupported,
    );
    for ops in [
        [("delete a", ""), ("replace a.b", "2")],
        [("delete a", ""), ("last a", "c: 2")],
        [("replace a", "1"), ("delete a", "")],
    ] {
        let refused = run("a.yaml", "a:\n  b: 1\nd: 1\n", &ops).unwrap_err();
        assert_eq!(refused.code, Code::Overlap, "{refused:#?}");
    }
}

#[test]
fn blocks_of_text_keep_their_line_endings() {
    let yaml = |before: &str, op: &str, content: &str, expected: &str| {
        check("a.yaml", before, op, content, expected)
    };
    yaml("a: |\n  x\nb: 1", "delete b", "", "a: |\n  x\n");
    yaml("a: |\n  x\nb: 1", "replace b", "2", "a: |\n  x\nb: 2");
    yaml("a: 1", "replace a", "|\n  x\n", "a: |\n  x\n");
    yaml(
        "a: 1\nb: 2\n",
        "after a",
        "k: |+\n  x\n\n\n",
        "a: 1\nk: |+\n  x\n\n\nb: 2\n",
    );
    yaml(
        "x: |+\n  a\n\nb: 1\nc: 2\n",
        "delete b",
        "",
        "x: |+\n  a\n\nc: 2\n",
    );
    yaml("x: |+\n  a\n\nb: 1\n", "delete b", "", "x: |+\n  a\n\n");
    refused(
        "a.yaml",
        "a: |\n  x",
        "after a",
        "b: 1",
        Code::InventoryChanged,
    );
}

#[test]
fn comments_beside_a_leading_comma_stay() {
    let leading = "{\n  \"a\": 1 // one\n  , \"b\": 2\n}\n";
    check(
        "tsconfig.json",
        leading,
        "delete b",
        "",
        "{\n  \"a\": 1 // one\n}\n",
    );
    check(
        "a.yaml",
        "a: [1 # one\n  , 2]\n",
        "delete a[1]",
        "",
        "a: [1 # one\n  ]\n",
    );
    check(
        "a.toml",
        "a = [\n  1 # one\n  , 2\n]\n",
        "delete a[1]",
        "",
        "a = [\n  1 # one\n]\n",
    );
}

#[test]
fn odd_places_take_entries_too() {
    let dotted = "a.b = 1\na.c = 2\n";
    check(
        "a.toml",
        dotted,
        "after a.b",
        "d = 3",
        "a.b = 1\na.d = 3\na.c = 2\n",
    );
    check(
        "a.toml",
        dotted,
        "after a.b",
        "a.d = 3",
        "a.b = 1\na.d = 3\na.c = 2\n",
    );
    check(
        "a.toml",
        dotted,
        "last a",
        "d = 3",
        "a.b = 1\na.c = 2\na.d = 3\n",
    );
    check(
        "a.toml",
        "[[package]]\nname = \"x\"\n",
        "delete package[0]",
        "",
        "",
    );
    check(
        "a.yaml",
        "a: {b, c: 1}\n",
        "replace a.b",
        "5",
        "a: {b: 5, c: 1}\n",
    );
}

#[test]
fn a_file_of_toml_1_0_stays_one() {
    for content in ["{\n b = 1\n}", "{ b = 1, }", "\"\\e\"", "07:32"] {
        refused("a.toml", "a = 1\n", "replace a", content, Code::SyntaxError);
        run("a.toml", "a = 1\nt = 07:33\n", &[("replace a", content)]).unwrap();
    }
}

#[test]
fn the_top_of_a_file_takes_its_first_keys() {
    let top = |path: &str, before: &str, content: &str, expected: &str| {
        check(path, before, "last ", content, expected)
    };
    top("a.json", "{}\n", "\"a\": 1", "{\"a\": 1}\n");
    top("a.yaml", "{}\n", "a: 1", "a: 1\n");
    top("a.yaml", "a: 1\n", "b: 1", "a: 1\nb: 1\n");
    top("a.toml", "", "a = 1", "a = 1\n");
    top("a.toml", "[t]\nx = 1\n", "a = 1", "a = 1\n\n[t]\nx = 1\n");
    refused("a.json", "{\"a\": 1}", "delete ", "", Code::Unsupported);
}

#[test]
fn lines_for_a_block_of_text_stay_lines() {
    let steps = "on:\n  - name: Test\n    run: |\n        make\n        make test\n  - b\n";
    let replaced =
        |sign: &str, lines: &str| format!("on:\n  - name: Test\n    run: {sign}\n{lines}  - b\n");
    let lines = "        make\n        make lint\n";
    for content in [
        "make\nmake lint\n",
        "make\nmake lint",
        "  make\n  make lint\n",
    ] {
        check(
            "a.yaml",
            steps,
            "replace on[0].run",
            content,
            &replaced("|", lines),
        );
        check(
            "a.yaml",
            steps,
            "body on[0].run",
            content,
            &replaced("|", lines),
        );
    }
    for sign in ["|-", "|+", ">", ">-", "| # by hand"] {
        let before = steps.replace('|', sign);
        let expected = replaced(sign, lines);
        check(
            "a.yaml",
            &before,
            "replace on[0].run",
            "make\nmake lint\n",
            &expected,
        );
    }
    // What is deeper or blank in it is so there.
    check(
        "a.yaml",
        steps,
        "replace on[0].run",
        "if a; then\n  make\n\nfi\n",
        &replaced("|", "        if a; then\n          make\n\n        fi\n"),
    );
    check(
        "a.yaml",
        "a: |\n    x\n    y\nb: 1\n",
        "replace a",
        "  deep\nflat\n",
        "a: |2\n    deep\n  flat\nb: 1\n",
    );
    check(
        "a.yaml",
        "- |-\n  x\n  y\n- b\n",
        "replace [0]",
        "u\nv",
        "- |-\n  u\n  v\n- b\n",
    );
    // A comment of a shell is one of its lines.
    check(
        "a.yaml",
        "a: |\n  x\n  y\nb: 1\n",
        "replace a",
        "# t\nu\nv",
        "a: |\n  # t\n  u\n  v\nb: 1\n",
    );
    check(
        "a.yaml",
        "a: |\n  x\n  y\nb: 1\n",
        "replace a",
        "u\nv # w",
        "a: |\n  u\n  v # w\nb: 1\n",
    );
}

#[test]
fn a_value_that_says_what_it_is_takes_the_place_of_a_block_of_text() {
    let before = "a: |\n  x\n  y\nb: 1\n";
    for (content, expected) in [
        ("make", "a: make\nb: 1\n"),
        ("make\n", "a: make\nb: 1\n"),
        ("\"u\n  v\"", "a: \"u\n    v\"\nb: 1\n"),
        ("a:\n  - u\n  - v", "a:\n  - u\n  - v\nb: 1\n"),
        ("[u,\n  v]", "a: [u,\n    v]\nb: 1\n"),
        (">-\n  u\n  v", "a: >-\n  u\n  v\nb: 1\n"),
        ("a: u\n  v", "a: u\n  v\nb: 1\n"),
    ] {
        check("a.yaml", before, "replace a", content, expected);
    }
    // The text may be YAML itself.
    for content in ["- u\n- v", "u: 1\nv: 2"] {
        refused("a.yaml", before, "replace a", content, Code::Unsupported);
    }
    // Lines for a value in one line: YAML would make one of them.
    for before in ["a: x\nb: 1\n", "a: \"x\"\nb: 1\n"] {
        refused("a.yaml", before, "replace a", "u\nv", Code::Unsupported);
        check(
            "a.yaml",
            before,
            "replace a",
            "|\n  u\n  v",
            "a: |\n  u\n  v\nb: 1\n",
        );
    }
    check(
        "a.yaml",
        "a: x\n  y\nb: 1\n",
        "replace a",
        "u\nv",
        "a: u\n  v\nb: 1\n",
    );
}
