//! What is kept of each batch: through git's housekeeping, as `log` and `show-batch` tell it, and by many writers.

use crate::support::Sandbox;
use crate::support::history::{does, edit, exits, refuses, sandbox, sound, state};

#[test]
fn gits_housekeeping_keeps_everything_and_shows_nothing() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    edit(
        &sandbox,
        "src/a.py::second",
        "def second(): return 22",
        &["--destination", "index"],
    );
    edit(
        &sandbox,
        "src/a.py::third",
        "def third(): return 33",
        &["--destination", "stash"],
    );
    let after = state(&sandbox);
    let all = sandbox.git(&["log", "--all", "--format=%H"]);
    for _ in 0..2 {
        does(&sandbox, &["undo"]);
    }
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["log", "--all", "--format=%s"]), "first");
    for housekeeping in [
        &[
            "reflog",
            "expire",
            "--expire=all",
            "--expire-unreachable=all",
            "--all",
        ][..],
        &["repack", "-qad"],
        &["pack-refs", "--all", "--prune"],
        &["prune", "--expire=now"],
        &["gc", "-q", "--prune=now"],
    ] {
        sandbox.git(housekeeping);
        sound(&sandbox);
    }
    for _ in 0..3 {
        does(&sandbox, &["redo"]);
    }
    assert_eq!(state(&sandbox), after);
    assert_eq!(sandbox.git(&["log", "--all", "--format=%H"]), all);
    let clone = sandbox.aside().join("clone");
    sandbox.git(&["clone", "-q", ".", clone.to_str().expect("a plain name")]);
    let there = |args: &[&str]| {
        sandbox.git(&[&["-C", clone.to_str().expect("a plain name")], args].concat())
    };
    assert_eq!(there(&["for-each-ref", "refs/segedit"]), "");
    there(&["init", "-q", "--bare", "../pushed"]);
    sandbox.git(&["push", "-q", "--all", "../pushed"]);
    assert_eq!(
        there(&["-C", "../pushed", "for-each-ref", "refs/segedit"]),
        ""
    );
    sound(&sandbox);
}

#[test]
fn an_entry_holds_all_there_is_to_say() {
    let sandbox = sandbox();
    let file = "version: 1\nmessage: limits\noperations:\n  - {op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = 2}\n";
    sandbox.write("ops.yaml", file);
    exits(&sandbox.segedit(&["apply", "ops.yaml"]), 0);
    let shown = does(&sandbox, &["show-batch"]);
    assert_eq!(shown["operation_file"], file);
    assert_eq!(
        (&shown["report"]["status"], &shown["source"]),
        (&"published".into(), &"ops.yaml".into())
    );
    assert_eq!(shown["report"]["batch"], shown["id"]);
    assert_eq!(shown["commit"], sandbox.git(&["rev-parse", "HEAD"]));
    assert_eq!(shown["who"], "Ada Tester <ada@example.org>");
    assert_eq!(
        (&shown["added"], &shown["removed"], &shown["operations"]),
        (&1.into(), &1.into(), &1.into())
    );
    assert!(
        shown["changes"][0]["diff"]
            .as_str()
            .expect("a diff")
            .contains("+LIMIT = 2")
    );
    let reference = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/segedit"]);
    let at = |what: &str| sandbox.git(&["rev-parse", what]);
    assert_eq!(at(&format!("{reference}:after")), at("HEAD^{tree}"));
    assert_eq!(at(&format!("{reference}:before")), at("HEAD~1^{tree}"));
    let human = sandbox.segedit(&["show-batch", &shown["id"].as_str().expect("an id")[..6]]);
    exits(&human, 0);
    for words in [
        "== ops.yaml\nversion: 1",
        "== report\n{",
        "== diff\n",
        "+LIMIT = 2",
    ] {
        assert!(human.out().contains(words), "{human}");
    }
    // What the command line stands for is written as an operation file that works.
    edit(&sandbox, "src/a.py::LIMIT", "LIMIT = 3", &[]);
    let text = does(&sandbox, &["show-batch"])["operation_file"]
        .as_str()
        .expect("text")
        .to_owned();
    does(&sandbox, &["undo"]);
    exits(
        &sandbox.segedit_with_input(&["apply", "-"], text.as_bytes()),
        0,
    );
    assert!(
        sandbox
            .git(&["show", "HEAD:src/a.py"])
            .starts_with("LIMIT = 3")
    );
}

#[test]
fn no_edit_costs_more_than_the_whole_file() {
    let sandbox = Sandbox::with(&[
        ("one.txt", "x = 1\n"),
        ("ten.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"),
    ]);
    let cost = |operations: serde_json::Value| {
        let file = serde_json::json!({"version": 1, "operations": operations}).to_string();
        let run =
            sandbox.segedit_with_input(&["apply", "--format", "json", "-n", "-"], file.as_bytes());
        exits(&run, 0);
        let ledger = &run.json()["ledger"];
        [
            &ledger["lines_changed"],
            &ledger["lines_total"],
            &ledger["write_efficiency"],
        ]
        .map(ToString::to_string)
    };
    let check = |operations, expected: [&str; 3]| assert_eq!(cost(operations), expected);
    use serde_json::json;
    check(
        json!([{"op": "replace", "file": "one.txt", "content": "x = 2\n"}]),
        ["1", "1", "1.0"],
    );
    check(
        json!([{"op": "replace", "file": "ten.txt", "lines": "2-3", "content": "two\n"}]),
        ["2", "10", "0.2"],
    );
    check(
        json!([{"op": "replace", "file": "ten.txt", "content": "1\nX\n"}]),
        ["9", "10", "0.9"],
    );
    check(
        json!([{"op": "insert", "file": "one.txt", "position": "last", "content": "a\nb\n"}]),
        ["2", "3", "0.667"],
    );
    check(
        json!([{"op": "remove", "file": "ten.txt"}]),
        ["10", "10", "1.0"],
    );
    check(
        json!([{"op": "create", "file": "new.txt", "content": "a\nb\n"}]),
        ["2", "2", "1.0"],
    );
    check(
        json!([
            {"op": "rename_file", "file": "ten.txt", "to": "two.txt"},
            {"op": "replace", "file": "ten.txt", "lines": "2-10", "content": "X\n"}
        ]),
        ["9", "10", "0.9"],
    );
}

#[test]
fn the_log_is_short_and_sums_up() {
    let sandbox = sandbox();
    for value in [2, 3, 4] {
        edit(
            &sandbox,
            "src/a.py::LIMIT",
            &format!("LIMIT = {value}"),
            &[],
        );
    }
    does(&sandbox, &["undo"]);
    let run = sandbox.segedit(&["log", "--stat", "--graph"]);
    exits(&run, 0);
    let lines: Vec<String> = run.out().lines().map(str::to_owned).collect();
    assert!(
        lines[0].contains("commit main  1 operation  +1 -1") && lines[0].ends_with("undone"),
        "{run}"
    );
    assert!(
        lines[1].contains('#') && !lines[2].contains("undone"),
        "{run}"
    );
    // Each changed 1 of 13 lines, wrote 9 bytes and would have written 115.
    assert!(
        run.out()
            .contains("3 batches, 1 of them undone\nwrite efficiency: 3 of 39 lines"),
        "{run}"
    );
    let log = does(&sandbox, &["log", "-n", "2"]);
    assert_eq!(log["batches"].as_array().map(Vec::len), Some(2));
    assert_eq!(log["batches"][0]["undone"]["how"], "moved");
    assert_eq!(log["ledger"]["lines_changed"], 2);
    assert!(log["batches"][1]["undone"].is_null());

    let pruned = does(&sandbox, &["history", "prune", "--keep", "1", "-n"]);
    assert_eq!(pruned["forgotten"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        does(&sandbox, &["log"])["batches"].as_array().map(Vec::len),
        Some(3)
    );
    does(&sandbox, &["history", "prune", "--older-than", "1h"]);
    assert_eq!(
        does(&sandbox, &["log"])["batches"].as_array().map(Vec::len),
        Some(3)
    );
    sandbox.git(&["pack-refs", "--all"]);
    does(&sandbox, &["history", "prune", "--keep", "1"]);
    assert_eq!(
        does(&sandbox, &["log"])["batches"].as_array().map(Vec::len),
        Some(1)
    );
    does(&sandbox, &["redo"]);
    does(&sandbox, &["history", "prune", "--keep", "0"]);
    assert_eq!(sandbox.git(&["for-each-ref", "refs/segedit"]), "");
    refuses(&sandbox, &["undo"], 4, "nothing-to-undo");
    assert_eq!(
        sandbox.segedit(&["history", "prune", "--keep", "0"]).out(),
        "no batch to forget\n"
    );
    let unsaid = sandbox.segedit(&["history", "prune"]);
    exits(&unsaid, 2);
    assert!(
        unsaid.err().contains("<--keep <N>|--older-than <TIME>>"),
        "{unsaid}"
    );
    exits(
        &sandbox.segedit(&["history", "prune", "--older-than", "soon"]),
        2,
    );
}

#[test]
fn a_published_batch_without_its_entry_gets_it_from_the_next_command() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::LIMIT", "LIMIT = 2", &[]);
    let (reference, tree) = {
        let line = sandbox.git(&[
            "for-each-ref",
            "--format=%(refname) %(objectname)",
            "refs/segedit",
        ]);
        line.split_once(' ')
            .map(|(name, tree)| (name.to_owned(), tree.to_owned()))
            .expect("an entry")
    };
    let intent = sandbox.git_folder().join("segedit/intents/x");
    let promise = |commit: &str| {
        sandbox.git(&["update-ref", "-d", &reference]);
        let text = format!(
            r#"{{"version":1,"proof":{{"reached":{{"name":"refs/heads/main","commit":"{commit}"}}}},"make":[["{reference}","{tree}"]],"remove":[]}}"#
        );
        std::fs::write(&intent, text).expect("an intent");
    };
    promise(&sandbox.git(&["rev-parse", "HEAD"]));
    let run = sandbox.segedit(&["recover"]);
    exits(&run, 0);
    assert!(run.out().contains("the history knows now"), "{run}");
    assert_eq!(
        does(&sandbox, &["log"])["batches"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(
        sandbox.segedit(&["recover"]).out(),
        "nothing was left over\n"
    );
    // One that did not happen.
    promise(&"1".repeat(40));
    assert_eq!(does(&sandbox, &["recover"])["entries_made"], 0);
    assert_eq!(
        does(&sandbox, &["log"])["batches"].as_array().map(Vec::len),
        Some(0)
    );
    // Half of one, and a ref that is nobody's business.
    std::fs::write(&intent, "{\"version\":1,").expect("an intent");
    edit(&sandbox, "src/a.py::LIMIT", "LIMIT = 3", &[]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let text = format!(
        r#"{{"version":1,"proof":{{"reached":{{"name":"refs/heads/main","commit":"{head}"}}}},"make":[["refs/heads/evil","{head}"]],"remove":[["refs/heads/main","{head}"]]}}"#
    );
    std::fs::write(&intent, text).expect("an intent");
    exits(&sandbox.segedit(&["recover"]), 0);
    assert_eq!(
        sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]),
        "refs/heads/main"
    );
    sound(&sandbox);
}

#[test]
fn every_writers_batch_has_its_entry_and_all_come_off_in_order() {
    const WRITERS: usize = 8;
    let sandbox = sandbox();
    let before = state(&sandbox);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let content = format!("def writer_{writer}():\n    return {writer}\n");
                exits(
                    &sandbox.segedit(&[
                        "insert",
                        "src/a.py::first",
                        "--content",
                        &content,
                        "--no-diff",
                    ]),
                    0,
                );
            });
        }
    });
    let log = does(&sandbox, &["log"]);
    let listed: Vec<&str> = log["batches"]
        .as_array()
        .expect("batches")
        .iter()
        .filter_map(|batch| batch["commit"].as_str())
        .collect();
    let commits = sandbox.git(&["rev-list", "HEAD", "^HEAD~8"]);
    assert_eq!(
        listed,
        commits.lines().collect::<Vec<_>>(),
        "in the order of the branch"
    );
    for _ in 0..WRITERS {
        does(&sandbox, &["undo", "--no-diff"]);
    }
    assert_eq!(state(&sandbox), before);
    sound(&sandbox);
}

#[test]
fn a_clock_that_was_set_back_changes_no_order() {
    let sandbox = sandbox();
    let publish = |value: u8| {
        edit(
            &sandbox,
            "src/a.py::LIMIT",
            &format!("LIMIT = {value}"),
            &[],
        )["batch"]
            .clone()
    };
    publish(2);
    // As if it had been published in an hour.
    let line = sandbox.git(&[
        "for-each-ref",
        "--format=%(refname) %(objectname)",
        "refs/segedit/batches",
    ]);
    let (name, tree) = line.split_once(' ').expect("an entry");
    let (when, id) = name
        .rsplit('/')
        .next()
        .and_then(|last| last.split_once('-'))
        .expect("a time and an id");
    let later = u64::from_str_radix(when, 16).expect("digits") + 3_600_000_000;
    sandbox.git(&[
        "update-ref",
        &format!("refs/segedit/batches/{later:014x}-{id}"),
        tree,
    ]);
    sandbox.git(&["update-ref", "-d", name]);
    std::fs::remove_dir_all(sandbox.git_folder().join("segedit/cache")).expect("a cache may go");
    let (three, four) = (publish(3), publish(4));
    assert_eq!(does(&sandbox, &["log"])["batches"][0]["id"], four);
    assert_eq!(does(&sandbox, &["undo"])["batch"], four, "the last first");
    assert_eq!(does(&sandbox, &["undo"])["batch"], three);
    assert_eq!(
        does(&sandbox, &["redo"])["batch"],
        three,
        "what was taken back is not older than what it was taken from"
    );
    does(&sandbox, &["undo"]);
    publish(5);
    refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
    // By the clock, none of them is an hour old.
    assert_eq!(
        does(&sandbox, &["history", "prune", "--older-than", "1h"])["forgotten"],
        serde_json::json!([])
    );
    sound(&sandbox);
}

#[test]
fn an_entry_that_cannot_be_read_keeps_nobody_from_the_others() {
    let sandbox = sandbox();
    let good = edit(&sandbox, "src/a.py::first", "def first(): return 11", &[])["batch"].clone();
    let first = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/segedit"]);
    let blob = sandbox.git_with_input(&["hash-object", "-w", "--stdin"], b"{\"version\": 2}\n");
    let blob = String::from_utf8(blob).expect("an id");
    let tree = sandbox.git_with_input(
        &["mktree"],
        format!("100644 blob {}\trecord.json\n", blob.trim()).as_bytes(),
    );
    let tree = String::from_utf8(tree).expect("an id");
    for (junk, words) in [
        (blob.trim(), "has no record.json"),
        (tree.trim(), "newer version"),
        ("HEAD^{tree}", "has no record.json"),
    ] {
        let name = "refs/segedit/batches/ffffffffffffff-ffff";
        sandbox.git(&["update-ref", name, junk]);
        let log = sandbox.segedit(&["log", "-n", "1"]);
        exits(&log, 0);
        assert!(
            log.out().starts_with(&good.as_str().expect("an id")[..8]),
            "{log}"
        );
        assert!(
            log.err().contains(name) && log.err().contains(words),
            "{log}"
        );
        assert_eq!(
            log.err().contains("git update-ref -d"),
            words != "newer version",
            "{log}"
        );
        assert!(
            does(&sandbox, &["log"])["warnings"]
                .to_string()
                .contains(name)
        );
        let shown = does(&sandbox, &["show-batch"]);
        assert!(
            shown["id"] == good && shown["warnings"].to_string().contains(name),
            "{shown}"
        );
        let refused = refuses(&sandbox, &["undo", "ffff"], 5, "io");
        assert!(
            refused["errors"][0]["message"]
                .as_str()
                .expect("words")
                .contains(name),
            "{refused}"
        );
        let undone = does(&sandbox, &["undo"]);
        assert!(
            undone["batch"] == good && undone["warnings"].to_string().contains(name),
            "{undone}"
        );
        assert_eq!(does(&sandbox, &["redo"])["batch"], good);
        sandbox.git(&["update-ref", "-d", name]);
        // What it says of an undoing is of no more use.
        let undone = first.replace("batches", "undone");
        sandbox.git(&["update-ref", &undone, junk]);
        assert!(sandbox.segedit(&["log"]).err().contains(&undone));
        refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
        sandbox.git(&["update-ref", "-d", &undone]);
    }
}
