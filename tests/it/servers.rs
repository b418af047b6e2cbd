//! Renames by a language server that the tests write themselves: what is made of its answers, and what comes of a bad day.
//! Real servers are in `tests/tools`.

use serde_json::Value;

use crate::support::ruled::{trusted, with};
use crate::support::{Run, Sandbox};

const STUB: &str = include_str!("servers/stub.py");

const A: &str =
    "export function load(path) {\n  return read(path);\n}\n// load it\nconst other = \"load\";\n";
const B: &str =
    "import { load } from \"./a.js\";\nconst size = 3;\nload(\"ü\", size); load(other?.load);\n";

/// Returns a repository with two files and a server that behaves as `how` says.
fn served(how: &str, more: &str) -> Sandbox {
    let configuration = format!(
        "version: 1\nservers:\n  - name: words\n    files: [\"*.js\"]\n    command: [python3, tools/stub.py, {how}]\n{more}"
    );
    let files = [
        ("tools/stub.py", STUB),
        ("a.js", A),
        ("b.js", B),
        ("README.md", "Call `load`.\n"),
    ];
    with(&configuration, &files)
}

fn rename(sandbox: &Sandbox, to: &str, extra: &[&str]) -> Run {
    let args = ["rename", "a.js::load", to, "--format", "json"];
    trusted(sandbox, &[&args, extra].concat())
}

/// Checks that a rename with such a server is refused, and changes nothing.
#[track_caller]
fn refused(how: &str, more: &str, code: &str, words: &str) {
    let sandbox = served(how, more);
    let before = sandbox.digest();
    let run = rename(&sandbox, "fetch", &["--unsure", "keep"]);
    let report = run.json();
    let error = &report["errors"][0];
    assert_eq!(error["code"], code, "{how}\n{run}");
    assert!(error.to_string().contains(words), "{how}\n{run}");
    assert_ne!(run.exit, 0, "{run}");
    assert!(before == sandbox.digest(), "something changed\n{run}");
}

#[test]
fn a_name_is_renamed_wherever_the_server_says_so() {
    let sandbox = served("well", "");
    let run = rename(&sandbox, "fetch", &["--unsure", "keep"]);
    assert_eq!(run.exit, 0, "{run}");
    let text = |path: &str| String::from_utf8(sandbox.tree("HEAD")[path].bytes.clone()).unwrap();
    assert_eq!(
        text("a.js"),
        A.replace("function load", "function fetch"),
        "{run}"
    );
    assert_eq!(
        text("b.js"),
        B.replace("{ load", "{ fetch").replace("load(", "fetch("),
        "{run}"
    );
    let report = run.json();
    let references = &report["operations"][0]["references"];
    assert_eq!(references["changed"], 4, "{run}");
    let list = |name: &str| references[name].as_array().map_or(0, Vec::len);
    // The comment and the string of a.js, and the page.
    assert_eq!(list("mentions"), 3, "{run}");
    // `other?.load`, of which it knows better than to name it.
    assert_eq!(list("unsure"), 1, "{run}");
}

#[test]
fn a_place_of_which_the_server_says_nothing_is_not_certain() {
    let sandbox = served("leaves", "");
    let run = rename(&sandbox, "fetch", &[]);
    assert_eq!(run.exit, 3, "{run}");
    let report = run.json();
    assert_eq!(report["errors"][0]["code"], "not-certain", "{run}");
    let unsure = &report["operations"][0]["references"]["unsure"];
    let unsure: Vec<&Value> = unsure.as_array().unwrap().iter().collect();
    assert_eq!(unsure.len(), 4, "{run}");
    assert_eq!(
        unsure[0]["reason"], "`words` does not say what it is",
        "{run}"
    );
    let run = rename(&sandbox, "fetch", &["--unsure", "change"]);
    assert_eq!(run.exit, 0, "{run}");
    assert!(!run.out().contains("\"changed\":1,"), "{run}");
}

#[test]
fn references_have_the_same_verdicts() {
    let sandbox = served("well", "");
    let run = trusted(&sandbox, &["references", "a.js::load"]);
    assert_eq!(run.exit, 0, "{run}");
    let expected = "README.md:1:7: mention README.md\n\
        a.js:1:17: certain a.js::load\n\
        a.js:4:4: mention a.js: in a comment\n\
        a.js:5:16: mention a.js::other: in a string\n\
        b.js:1:10: certain b.js\n\
        b.js:3:1: certain b.js\n\
        b.js:3:18: certain b.js\n\
        b.js:3:30: unsure b.js: `words` says that it leads to them, and leaves it out\n";
    assert_eq!(run.out(), expected, "{run}");
}

#[test]
fn nothing_is_asked_before_it_is_trusted() {
    let sandbox = served("well", "");
    for args in [
        &["rename", "a.js::load", "fetch"][..],
        &["references", "a.js::load"],
    ] {
        let run = sandbox.segedit(args);
        assert!(run.err().contains("config-untrusted"), "{run}");
    }
    let run = sandbox.segedit(&["trust", "--dry-run"]);
    assert!(run.out().contains("server words"), "{run}");
    assert!(run.out().contains("watches  tools/stub.py"), "{run}");
    sandbox.segedit(&["trust"]);
    let run = sandbox.segedit(&["references", "a.js::load"]);
    assert_eq!(run.exit, 0, "{run}");
    // Another program under the same command.
    sandbox.write("tools/stub.py", format!("{STUB}\nprint()\n"));
    sandbox.commit_all("another");
    let run = sandbox.segedit(&["references", "a.js::load"]);
    assert!(run.err().contains("config-untrusted"), "{run}");
}

#[test]
fn what_a_server_would_start_of_the_repository_is_watched() {
    for command in [
        "preset: typescript",
        "name: x\n    command: [typescript-language-server, --stdio]",
    ] {
        let configuration = format!("version: 1\nservers:\n  - {command}\n");
        for folder in [".yarn/sdks", ".vscode/pnpify", "node_modules"] {
            let sandbox = with(&configuration, &[("a.js", A)]);
            sandbox.segedit(&["trust"]);
            let before = sandbox.segedit(&["references", "a.js::load"]);
            assert!(!before.err().contains("config-untrusted"), "{before}");
            sandbox.write(
                &format!("{folder}/typescript/lib/tsserver.js"),
                "process.exit(1)\n",
            );
            sandbox.git(&["add", "--force", "."]);
            sandbox.commit_all("a stranger's");
            let run = sandbox.segedit(&["references", "a.js::load"]);
            assert!(run.err().contains("config-untrusted"), "{folder}\n{run}");
        }
    }
}

#[test]
fn a_server_that_is_still_reading_is_waited_for() {
    let sandbox = served("early", "");
    let run = rename(&sandbox, "fetch", &["--unsure", "keep"]);
    assert_eq!(run.exit, 0, "{run}");
    assert_eq!(
        run.json()["operations"][0]["references"]["changed"],
        4,
        "{run}"
    );
}

#[test]
fn a_server_is_told_to_go() {
    let sandbox = served("well", "    env: {TMPDIR: TEMPORARY}\n");
    let configuration = sandbox.repo().join(".segedit.yaml");
    let text = std::fs::read_to_string(&configuration).unwrap();
    let folder = sandbox.aside();
    let text = text.replace("TEMPORARY", &folder.to_string_lossy());
    sandbox.write(".segedit.yaml", text);
    sandbox.commit_all("where");
    let run = trusted(&sandbox, &["references", "a.js::load"]);
    assert_eq!(run.exit, 0, "{run}");
    assert!(folder.join("gone").exists(), "{run}");
}

#[test]
fn a_server_is_told_its_settings() {
    let sandbox = served("asks", "    settings: {deep: {er: {key: [1, two]}}}\n");
    let run = rename(&sandbox, "fetch", &["--unsure", "keep"]);
    assert_eq!(run.exit, 0, "{run}");
    refused("asks", "", "validator-crashed", "other settings");
}

#[test]
fn edits_of_more_than_the_name_are_refused() {
    refused("outside", "", "drift", "/etc/passwd");
    refused("shifted", "", "drift", "`load` would become `lfetch`");
    refused("beyond", "", "drift", "no place of a.js");
    refused("more", "", "drift", "writes more than the new name");
    refused("creates", "", "drift", "create a file");
}

#[test]
fn a_bad_day_of_the_server_refuses() {
    let short = "    timeout: 2\n";
    refused(
        "hangs",
        short,
        "validator-timeout",
        "did not answer in time",
    );
    refused("crashes", "", "validator-crashed", "index out of range");
    refused("ends", "", "validator-crashed", "no licence found");
    refused(
        "babbles",
        "",
        "validator-crashed",
        "nothing that is a message",
    );
    refused("floods", "", "validator-crashed", "is too much");
    refused("forgets", "", "validator-crashed", "it says of no file");
    refused(
        "refuses",
        "",
        "not-certain",
        "You cannot rename this element.",
    );
}

#[test]
fn a_program_that_is_not_there_is_missing() {
    let configuration =
        "version: 1\nservers: [{name: words, files: [\"*.js\"], command: [no-such-server]}]\n";
    let sandbox = with(configuration, &[("a.js", A)]);
    let run = rename(&sandbox, "fetch", &[]);
    assert_eq!(
        run.json()["errors"][0]["code"],
        "validator-missing",
        "{run}"
    );
}

#[test]
fn what_the_server_writes_reaches_nobody() {
    let sandbox = served("writes", "");
    for _ in 0..2 {
        let run = rename(&sandbox, "fetch", &["--unsure", "keep", "--dry-run"]);
        assert_eq!(run.exit, 0, "{run}");
        assert_eq!(sandbox.worktree_tree()["a.js"].bytes, A.as_bytes(), "{run}");
    }
}

#[test]
fn a_name_that_is_taken_is_a_clash() {
    let sandbox = served("well", "");
    // It would be both things then.
    let run = rename(&sandbox, "size", &["--unsure", "keep"]);
    let error = &run.json()["errors"][0];
    assert_eq!(error["code"], "name-clash", "{run}");
    assert!(error.to_string().contains("b.js, line 2"), "{run}");
    let run = rename(&sandbox, "other", &["--unsure", "keep"]);
    assert_eq!(run.json()["errors"][0]["code"], "name-clash", "{run}");
    let run = rename(&sandbox, "a b", &[]);
    assert_eq!(run.json()["errors"][0]["code"], "name-clash", "{run}");
    let args = ["--unsure", "keep", "--clash", "allow"];
    let run = rename(&sandbox, "size", &args);
    assert_ne!(run.json()["errors"][0]["code"], "name-clash", "{run}");
}

#[test]
fn what_the_server_finds_wrong_afterwards_refuses() {
    for how in ["pulls", "tsserver"] {
        let sandbox = served(how, "");
        // It does not hold the word, nor is it of the word's language only by what it is shown.
        sandbox.write("c.js", "1;\nneeds(\"it\");\n");
        sandbox.commit_all("more");
        let before = sandbox.digest();
        let run = rename(&sandbox, "fetch", &["--unsure", "keep"]);
        assert_eq!(run.exit, 3, "{how}\n{run}");
        let error = &run.json()["errors"][0];
        assert_eq!(error["code"], "name-clash", "{how}\n{run}");
        let notes: Vec<&str> = error["notes"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let expected = [
            "c.js, line 2: new fault in x",
            "`clash: allow` renames it all the same",
        ];
        assert_eq!(notes, expected, "{how}\n{run}");
        assert!(before == sandbox.digest(), "something changed\n{run}");
        let run = rename(&sandbox, "fetch", &["--unsure", "keep", "--clash", "allow"]);
        assert_eq!(run.exit, 0, "{how}\n{run}");

        // Without c.js it is only what was wrong before, elsewhere in its line.
        let sandbox = served(how, "");
        let b = B.replace(
            "import { load } from \"./a.js\";\nconst",
            "import { load } from \"./a.js\"; const",
        );
        sandbox.write("b.js", b);
        sandbox.commit_all("one line");
        let run = rename(&sandbox, "fetchAll", &["--unsure", "keep"]);
        assert_eq!(run.exit, 0, "{how}\n{run}");
    }
}

#[test]
fn several_renames_of_a_batch_are_of_one_snapshot() {
    let sandbox = served("well", "");
    let batch = "version: 1\noperations:\n\
        - {op: rename, file: a.js, symbol: load, to: fetch, unsure: keep}\n\
        - {op: rename, file: b.js, symbol: size, to: count}\n\
        - {op: replace, file: a.js, text: \"return read(path)\", content: \"return read(path, 1)\"}\n";
    for resolve in ["snapshot", "sequential"] {
        sandbox.write("batch.yaml", format!("{batch}resolve: {resolve}\n"));
        let run = trusted(&sandbox, &["apply", "batch.yaml", "--dry-run", "--diff"]);
        assert_eq!(run.exit, 0, "{resolve}\n{run}");
        for line in [
            "+export function fetch(path) {",
            "+  return read(path, 1);",
            "+const count = 3;",
            "+fetch(\"ü\", count); fetch(other?.load);",
        ] {
            assert!(run.out().contains(line), "{resolve}: {line}\n{run}");
        }
    }
}
