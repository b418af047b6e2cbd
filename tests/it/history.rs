//! The history of published batches: every destination undone and redone, step by step; what others did in between; what
//! git's own housekeeping leaves of it.

use std::path::Path;

use serde_json::Value;

use crate::support::{Run, Sandbox};

const WORKER: &str =
    "LIMIT = 1\n\n\ndef first():\n    return 1\n\n\ndef second():\n    return 2\n\n\ndef third():\n    return 3\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[("src/a.py", WORKER), ("other.txt", "old\n"), ("notes.md", "# Notes\n\ntext\n")])
}

/// A worktree with work of its own: staged, unstaged, both, untracked.
fn bystanders(sandbox: &Sandbox) {
    sandbox.write("other.txt", "staged\n");
    sandbox.git(&["add", "other.txt"]);
    sandbox.write("other.txt", "unstaged\n");
    sandbox.write("notes.md", "# Notes\n\nunstaged\n");
    sandbox.write("untracked", "mine\n");
}

#[track_caller]
fn exits(run: &Run, expected: i32) {
    assert_eq!(run.exit, expected, "{run}");
}

#[track_caller]
fn edit(sandbox: &Sandbox, address: &str, content: &str, more: &[&str]) -> Value {
    let run = sandbox.segedit(&[&["replace", address, "--content", content, "--format", "json"], more].concat());
    exits(&run, 0);
    run.json()
}

#[track_caller]
fn does(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.segedit(&[args, &["--format", "json"]].concat());
    exits(&run, 0);
    run.json()
}

#[track_caller]
fn refuses(sandbox: &Sandbox, args: &[&str], exit: i32, code: &str) -> Value {
    let before = state(sandbox);
    let run = sandbox.segedit(&[args, &["--format", "json"]].concat());
    exits(&run, exit);
    assert_eq!(run.json()["errors"][0]["code"], code, "{run}");
    assert_eq!(state(sandbox), before, "a refusal changed something\n{run}");
    run.json()
}

/// Everything but the history's own refs, the reflogs and the index's stat data.
fn state(sandbox: &Sandbox) -> String {
    let bare = sandbox.git(&["rev-parse", "--is-bare-repository"]) == "true";
    let refs =
        sandbox.git(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/stash", "refs/tags"]);
    let head = std::fs::read_to_string(sandbox.git_folder().join("HEAD")).expect("HEAD");
    if bare {
        return format!("{refs}\n{head}");
    }
    let index = sandbox.git(&["ls-files", "-s"]);
    let stash = sandbox.git(&["stash", "list", "--format=%H"]);
    let files: Vec<String> = sandbox
        .worktree_tree()
        .into_iter()
        .map(|(path, entry)| format!("{} {path} {}", entry.mode, String::from_utf8_lossy(&entry.bytes)))
        .collect();
    format!("{refs}\n{head}\n{index}\n{stash}\n{}", files.join("\n"))
}

#[track_caller]
fn sound(sandbox: &Sandbox) {
    let said = sandbox.git(&["fsck", "--strict", "--no-dangling"]);
    assert_eq!(said, "");
    let folder = sandbox.git_folder();
    let intents = std::fs::read_dir(folder.join("segedit/intents")).into_iter().flatten().count();
    assert_eq!(intents, 0, "an intent is left over");
    for lock in ["index.lock", "HEAD.lock", "refs/heads/main.lock", "refs/stash.lock", "segedit/journal"] {
        assert!(!folder.join(lock).exists(), "{lock} is left over");
    }
}

#[test]
fn every_destination_goes_back_and_forth_two_steps_deep_and_bystanders_stay() {
    for format in ["sha1", "sha256"] {
        for destination in ["commit", "index", "cached", "worktree", "stash"] {
            let sandbox = sandbox();
            if format == "sha256" {
                std::fs::remove_dir_all(sandbox.git_folder()).expect("git's folder");
                sandbox.git(&["init", "-q", "--object-format=sha256"]);
                sandbox.commit_all("first");
            }
            bystanders(&sandbox);
            let to = ["--destination", destination];
            let untouched = state(&sandbox);
            let one = edit(&sandbox, "src/a.py::first", "def first(): return 11", &to);
            let after_one = state(&sandbox);
            // Of two batches for the files, the second stands on what the first left.
            let two = edit(&sandbox, "src/a.py::third", "def third(): return 33", &to);
            let after_two = state(&sandbox);
            assert!(untouched != after_one && after_one != after_two, "{destination}");

            let undone = does(&sandbox, &["undo"]);
            assert_eq!((&undone["status"], &undone["act"]), (&"published".into(), &"undo".into()));
            assert_eq!(undone["batch"], two["batch"], "{destination}: the last first");
            assert_eq!(undone["files"][0]["path"], "src/a.py");
            assert_eq!(state(&sandbox), after_one, "{destination}");
            let rehearsed = does(&sandbox, &["undo", "--dry-run"]);
            assert_eq!((&rehearsed["status"], &rehearsed["batch"]), (&"verified".into(), &one["batch"]));
            assert_eq!(state(&sandbox), after_one, "{destination}");
            does(&sandbox, &["undo"]);
            assert_eq!(state(&sandbox), untouched, "{destination}");
            refuses(&sandbox, &["undo"], 4, "nothing-to-undo");

            assert_eq!(does(&sandbox, &["redo"])["batch"], one["batch"], "{destination}");
            assert_eq!(state(&sandbox), after_one, "{destination}");
            assert_eq!(does(&sandbox, &["redo", "-n"])["batch"], two["batch"], "{destination}");
            assert_eq!(does(&sandbox, &["redo"])["commit"], two["commit"], "{destination}: the very same");
            assert_eq!(state(&sandbox), after_two, "{destination}");
            refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
            does(&sandbox, &["undo"]);
            assert_eq!(state(&sandbox), after_one, "{destination}");
            sound(&sandbox);
        }
    }
}

#[test]
fn files_that_come_go_and_change_their_mode() {
    for destination in ["commit", "index", "cached", "worktree"] {
        let sandbox = sandbox();
        let file = "version: 1\noperations:\n  - {op: create, file: new/deep/x.sh, content: x, executable: true}\n  \
                    - {op: remove, file: other.txt}\n  - {op: rename_file, file: src/a.py, to: src/b.py}\n";
        let before = state(&sandbox);
        let run = sandbox.segedit_with_input(&["apply", "-", "--destination", destination], file.as_bytes());
        exits(&run, 0);
        let after = state(&sandbox);
        assert_ne!(before, after);
        does(&sandbox, &["undo"]);
        assert_eq!(state(&sandbox), before, "{destination}");
        assert!(!sandbox.repo().join("new").exists(), "{destination}: an emptied folder goes");
        does(&sandbox, &["redo"]);
        assert_eq!(state(&sandbox), after, "{destination}");
        sound(&sandbox);
    }
}

#[test]
fn several_files_of_one_call_are_undone_one_by_one() {
    let sandbox = sandbox();
    for (name, value) in [("one.yaml", 2), ("two.yaml", 3)] {
        let text = format!(
            "version: 1\noperations:\n  - {{op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = {value}}}\n"
        );
        std::fs::write(sandbox.aside().join(name), text).expect("an operation file");
    }
    exits(&sandbox.segedit(&["apply", "../one.yaml", "../two.yaml"]), 0);
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(2));
    for expected in ["LIMIT = 2", "LIMIT = 1"] {
        does(&sandbox, &["undo"]);
        assert!(sandbox.git(&["show", "HEAD:src/a.py"]).starts_with(expected));
    }
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1");
}

#[test]
fn a_branch_that_moved_on_gets_an_inverse_commit() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first():\n    return 11", &[]);
    let batch = sandbox.git(&["log", "-1", "--format=%(trailers:key=Segedit-Batch,valueonly)"]);
    sandbox.write("src/a.py", sandbox.git(&["show", "HEAD:src/a.py"]).replace("return 3", "return 33") + "\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    let theirs = sandbox.git(&["rev-parse", "HEAD"]);
    bystanders(&sandbox);
    let before = state(&sandbox);
    let undone = does(&sandbox, &["undo"]);
    assert_eq!(undone["commit"], sandbox.git(&["rev-parse", "HEAD"]));
    assert_eq!(sandbox.git(&["rev-parse", "HEAD~1"]), theirs);
    assert_eq!(sandbox.git(&["show", "HEAD:src/a.py"]) + "\n", WORKER.replace("return 3", "return 33"));
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "Undo \"Replace first in src/a.py\"");
    assert_eq!(sandbox.git(&["log", "-1", "--format=%(trailers:key=Segedit-Undoes,valueonly)"]).trim(), batch.trim());
    assert_eq!(sandbox.git(&["status", "--porcelain"]), " M notes.md\nMM other.txt\n?? untracked");
    // Nothing was built on it yet, so it goes as it came.
    does(&sandbox, &["redo"]);
    assert_eq!(state(&sandbox), before);
    sound(&sandbox);
}

#[test]
fn what_was_changed_since_is_a_conflict_that_names_the_segment() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::second", "def second():\n    return 22", &[]);
    sandbox.write("src/a.py", sandbox.git(&["show", "HEAD:src/a.py"]).replace("return 22", "return 222") + "\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    let report = refuses(&sandbox, &["undo"], 3, "merge-conflict");
    let error = &report["errors"][0];
    assert!(error["message"].as_str().expect("words").contains("src/a.py::second"), "{error}");
    assert_eq!((&error["path"], &error["file_line"]), (&"src/a.py".into(), &9.into()), "{error}");
    // A file that is gone, and one whose text has no segments.
    sandbox.git(&["rm", "-q", "src/a.py"]);
    sandbox.git(&["commit", "-qm", "gone"]);
    let report = refuses(&sandbox, &["undo"], 3, "merge-conflict");
    assert!(report["errors"][0]["message"].as_str().expect("words").contains("src/a.py"), "{report}");
}

#[test]
fn two_halves_that_do_not_parse_together_are_refused() {
    let sandbox = Sandbox::with(&[("a.py", "q = 0\nk = 0\nm = 0\nn = 0\nr = 0\n")]);
    edit(&sandbox, "a.py", "q = \"\"\"\nk = 0\nm = 0\nn = 0\n\"\"\"\n", &[]);
    // Fine in a text, and no program without the quotes.
    sandbox.write("a.py", "q = \"\"\"\nk = 0\nm = (\nn = 0\n\"\"\"\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    refuses(&sandbox, &["undo"], 1, "syntax-error");
}

#[test]
fn redo_after_others_moved_the_branch_resolves_the_file_again_by_name() {
    let sandbox = sandbox();
    let first = edit(&sandbox, "src/a.py::third", "def third():\n    return 33", &["-m", "three: double"]);
    does(&sandbox, &["undo"]);
    sandbox.write("src/a.py", format!("import os\n\n\n{WORKER}"));
    sandbox.git(&["commit", "-qam", "theirs"]);
    let before = state(&sandbox);
    assert_eq!(does(&sandbox, &["redo", "-n"])["status"], "verified");
    assert_eq!(state(&sandbox), before);
    let redone = does(&sandbox, &["redo"]);
    assert_eq!((&redone["status"], &redone["act"]), (&"published".into(), &"redo".into()));
    assert_ne!(redone["batch"], first["batch"], "a batch of its own");
    assert_eq!(
        sandbox.git(&["show", "HEAD:src/a.py"]) + "\n",
        format!("import os\n\n\n{}", WORKER.replace("return 3", "return 33"))
    );
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "three: double");
    let log = does(&sandbox, &["log"]);
    assert_eq!(log["batches"][0]["redo_of"], first["batch"]);
    refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
    does(&sandbox, &["undo"]);
    assert_eq!(state(&sandbox), before);
    sound(&sandbox);
}

#[test]
fn after_a_new_batch_redo_refuses_with_a_reason() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let old = does(&sandbox, &["undo"])["batch"].clone();
    let new = edit(&sandbox, "src/a.py::second", "def second(): return 22", &[])["batch"].clone();
    let report = refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
    let words = report["errors"][0]["message"].as_str().expect("words");
    let short = |id: &Value| id.as_str().expect("an id")[..8].to_owned();
    assert!(words.contains(&short(&old)) && words.contains(&short(&new)), "{words}");
    // By name it is meant so.
    assert_eq!(does(&sandbox, &["redo", &short(&old)])["status"], "published");
    assert!(sandbox.git(&["show", "HEAD:src/a.py"]).contains("return 11"));
    assert!(sandbox.git(&["show", "HEAD:src/a.py"]).contains("return 22"));
}

#[test]
fn uncommitted_work_in_a_path_of_the_batch_refuses() {
    type Spoil = fn(&Sandbox);
    let unstaged: Spoil = |sandbox| sandbox.write("src/a.py", "mine\n");
    let staged: Spoil = |sandbox| {
        sandbox.write("src/a.py", "mine\n");
        sandbox.git(&["add", "src/a.py"]);
    };
    let gone: Spoil = |sandbox| std::fs::remove_file(sandbox.repo().join("src/a.py")).expect("the file");
    for (destination, spoil, code) in [
        ("commit", unstaged, "worktree-dirty"),
        ("commit", staged, "worktree-dirty"),
        ("commit", gone, "worktree-dirty"),
        ("index", unstaged, "changed-since"),
        ("index", staged, "changed-since"),
        ("index", gone, "changed-since"),
        ("cached", staged, "changed-since"),
        ("worktree", unstaged, "changed-since"),
        ("worktree", gone, "changed-since"),
    ] {
        let sandbox = sandbox();
        edit(&sandbox, "src/a.py::first", "def first(): return 11", &["--destination", destination]);
        spoil(&sandbox);
        let report = refuses(&sandbox, &["undo"], 4, code);
        assert!(report["errors"][0]["message"].as_str().expect("words").contains("src/a.py"), "{report}");
        refuses(&sandbox, &["undo", "-n"], 4, code);
        sound(&sandbox);
    }
}

#[test]
fn every_path_that_changed_since_is_named_at_once() {
    for destination in ["index", "cached", "worktree"] {
        let sandbox = sandbox();
        let file = "version: 1\noperations:\n  - {op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = 2}\n  \
                    - {op: replace, file: other.txt, content: new}\n  - {op: remove, file: notes.md}\n";
        exits(&sandbox.segedit_with_input(&["apply", "-", "--destination", destination], file.as_bytes()), 0);
        sandbox.write("other.txt", "mine\n");
        sandbox.write("notes.md", "mine\n");
        if destination == "cached" {
            sandbox.git(&["add", "other.txt", "notes.md"]);
        }
        let report = refuses(&sandbox, &["undo"], 4, "changed-since");
        let words = report["errors"][0]["message"].as_str().expect("words");
        assert_eq!(words, "changed since: notes.md, other.txt", "{destination}");
    }
}

#[test]
fn the_index_alone_goes_back_under_work_that_is_not_staged() {
    let sandbox = sandbox();
    sandbox.write("src/a.py", "mine\n");
    let before = state(&sandbox);
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &["--destination", "cached"]);
    does(&sandbox, &["undo"]);
    assert_eq!(state(&sandbox), before);
    // And the files alone, when what they became was staged since.
    sandbox.write("src/a.py", WORKER);
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &["--destination", "worktree"]);
    sandbox.git(&["add", "src/a.py"]);
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "MM src/a.py");
    assert!(sandbox.git(&["show", ":src/a.py"]).contains("return 11"));
}

#[test]
fn a_stash_entry_goes_by_its_name_and_not_by_its_place() {
    let sandbox = sandbox();
    let stash = ["--destination", "stash"];
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &stash);
    let ours = sandbox.git(&["rev-parse", "refs/stash"]);
    for text in ["theirs 1\n", "theirs 2\n"] {
        sandbox.write("other.txt", text);
        sandbox.git(&["stash", "push", "-q"]);
    }
    let theirs = sandbox.git(&["stash", "list", "--format=%H"]).lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["stash", "list", "--format=%H"]), theirs.join("\n"));
    sandbox.git(&["reflog", "expire", "--expire=all", "--all", "--expire-unreachable=now"]);
    sandbox.git(&["gc", "-q", "--prune=now"]);
    assert_ne!(sandbox.try_git(&["cat-file", "-e", &ours]).exit, 0, "git has collected the entry");
    does(&sandbox, &["redo"]);
    assert_eq!(sandbox.git(&["rev-parse", "stash@{0}"]), ours);
    sandbox.git(&["stash", "pop", "-q"]);
    assert!(sandbox.worktree_tree()["src/a.py"].bytes.starts_with(b"LIMIT = 1\n\n\ndef first(): return 11"));
    refuses(&sandbox, &["undo"], 4, "changed-since");
    sound(&sandbox);
}

#[test]
fn unborn_detached_bare_and_new_branches() {
    let unborn = Sandbox::unborn();
    let create = "version: 1\noperations:\n  - {op: create, file: a.txt, content: one}\n";
    exits(&unborn.segedit_with_input(&["apply", "-"], create.as_bytes()), 0);
    let after = state(&unborn);
    does(&unborn, &["undo"]);
    assert_ne!(unborn.try_git(&["rev-parse", "--verify", "-q", "HEAD"]).exit, 0);
    assert_eq!(unborn.git(&["status", "--porcelain"]), "");
    assert!(unborn.worktree_tree().is_empty());
    does(&unborn, &["redo"]);
    assert_eq!(state(&unborn), after);
    sound(&unborn);

    let detached = sandbox();
    detached.git(&["checkout", "-q", "--detach"]);
    let before = state(&detached);
    edit(&detached, "src/a.py::first", "def first(): return 11", &[]);
    does(&detached, &["undo"]);
    assert_eq!(state(&detached), before);
    does(&detached, &["redo"]);
    detached.git(&["checkout", "-q", "main"]);
    let id = does(&detached, &["log"])["batches"][0]["id"].as_str().expect("an id").to_owned();
    refuses(&detached, &["undo"], 4, "nothing-to-undo");
    refuses(&detached, &["undo", &id], 4, "changed-since");

    let bare = sandbox().copy_bare();
    let before = state(&bare);
    edit(&bare, "src/a.py::first", "def first(): return 11", &[]);
    let after = state(&bare);
    does(&bare, &["undo"]);
    assert_eq!(state(&bare), before);
    does(&bare, &["redo"]);
    assert_eq!(state(&bare), after);
    sound(&bare);

    let branch = sandbox();
    let before = state(&branch);
    let report = edit(&branch, "src/a.py::first", "def first(): return 11", &["--branch", "bot/x"]);
    let after = state(&branch);
    let refused = refuses(&branch, &["undo"], 4, "nothing-to-undo");
    let id = report["batch"].as_str().expect("an id");
    assert!(refused["errors"][0]["notes"][0].as_str().expect("a note").contains(&id[..8]), "{refused}");
    does(&branch, &["undo", &id[..8]]);
    assert_eq!(state(&branch), before, "a branch that the batch made is gone");
    refuses(&branch, &["undo", id], 4, "nothing-to-undo");
    does(&branch, &["redo", id]);
    assert_eq!(state(&branch), after);
    branch.git(&["checkout", "-q", "bot/x"]);
    does(&branch, &["undo"]);
    assert_eq!(branch.git(&["rev-parse", "bot/x"]), branch.git(&["rev-parse", "main"]), "checked out, it stays");
    sound(&branch);
}

#[test]
fn a_linked_worktree_has_its_own_last_batch() {
    let sandbox = sandbox();
    let linked = sandbox.aside().join("linked");
    let there = linked.to_str().expect("a plain name");
    sandbox.git(&["worktree", "add", "-q", "-b", "side", there]);
    let inside = |args: &[&str]| sandbox.segedit(&[&["-C", there], args].concat());
    let edit_of = |value: u8| format!("LIMIT = {value}");
    edit(&sandbox, "src/a.py::LIMIT", &edit_of(2), &[]);
    exits(&inside(&["replace", "src/a.py::LIMIT", "--content", &edit_of(3)]), 0);
    exits(&inside(&["replace", "src/a.py::first", "--content", "def first(): return 11", "--destination", "index"]), 0);
    edit(&sandbox, "src/a.py::second", "def second(): return 22", &["--destination", "worktree"]);
    let file = |folder: &Path| std::fs::read_to_string(folder.join("src/a.py")).expect("the file");
    exits(&inside(&["undo"]), 0);
    assert_eq!(file(&linked), WORKER.replace("LIMIT = 1", "LIMIT = 3"));
    exits(&inside(&["undo"]), 0);
    assert_eq!(file(&linked), WORKER);
    assert_eq!(sandbox.git(&["-C", there, "status", "--porcelain"]), "");
    exits(&inside(&["undo"]), 4);
    exits(&inside(&["redo"]), 0);
    exits(&inside(&["redo"]), 0);
    assert!(file(&linked).contains("LIMIT = 3") && file(&linked).contains("return 11"));
    let index_batch = does(&sandbox, &["log"])["batches"][1]["id"].as_str().expect("an id").to_owned();
    refuses(&sandbox, &["undo", &index_batch], 4, "nothing-to-undo");
    // The branch of the other worktree, undone from here: that worktree follows.
    does(&sandbox, &["undo"]);
    exits(&inside(&["undo"]), 0);
    let commit_batch = does(&sandbox, &["log"])["batches"][2]["id"].as_str().expect("an id").to_owned();
    does(&sandbox, &["undo", &commit_batch]);
    assert_eq!(file(&linked), WORKER);
    assert_eq!(file(&sandbox.repo()), WORKER.replace("LIMIT = 1", "LIMIT = 2"));
    sound(&sandbox);
}

#[test]
fn gits_housekeeping_keeps_everything_and_shows_nothing() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    edit(&sandbox, "src/a.py::second", "def second(): return 22", &["--destination", "index"]);
    edit(&sandbox, "src/a.py::third", "def third(): return 33", &["--destination", "stash"]);
    let after = state(&sandbox);
    let all = sandbox.git(&["log", "--all", "--format=%H"]);
    for _ in 0..2 {
        does(&sandbox, &["undo"]);
    }
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["log", "--all", "--format=%s"]), "first");
    for housekeeping in [
        &["reflog", "expire", "--expire=all", "--expire-unreachable=all", "--all"][..],
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
    let there = |args: &[&str]| sandbox.git(&[&["-C", clone.to_str().expect("a plain name")], args].concat());
    assert_eq!(there(&["for-each-ref", "refs/segedit"]), "");
    there(&["init", "-q", "--bare", "../pushed"]);
    sandbox.git(&["push", "-q", "--all", "../pushed"]);
    assert_eq!(there(&["-C", "../pushed", "for-each-ref", "refs/segedit"]), "");
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
    assert_eq!((&shown["report"]["status"], &shown["source"]), (&"published".into(), &"ops.yaml".into()));
    assert_eq!(shown["report"]["batch"], shown["id"]);
    assert_eq!(shown["commit"], sandbox.git(&["rev-parse", "HEAD"]));
    assert_eq!(shown["who"], "Ada Tester <ada@example.org>");
    assert_eq!((&shown["added"], &shown["removed"], &shown["operations"]), (&1.into(), &1.into(), &1.into()));
    assert!(shown["changes"][0]["diff"].as_str().expect("a diff").contains("+LIMIT = 2"));
    let reference = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/segedit"]);
    let at = |what: &str| sandbox.git(&["rev-parse", what]);
    assert_eq!(at(&format!("{reference}:after")), at("HEAD^{tree}"));
    assert_eq!(at(&format!("{reference}:before")), at("HEAD~1^{tree}"));
    let human = sandbox.segedit(&["show-batch", &shown["id"].as_str().expect("an id")[..6]]);
    exits(&human, 0);
    for words in ["== ops.yaml\nversion: 1", "== report\n{", "== diff\n", "+LIMIT = 2"] {
        assert!(human.out().contains(words), "{human}");
    }
    // What the command line stands for is written as an operation file that works.
    edit(&sandbox, "src/a.py::LIMIT", "LIMIT = 3", &[]);
    let text = does(&sandbox, &["show-batch"])["operation_file"].as_str().expect("text").to_owned();
    does(&sandbox, &["undo"]);
    exits(&sandbox.segedit_with_input(&["apply", "-"], text.as_bytes()), 0);
    assert!(sandbox.git(&["show", "HEAD:src/a.py"]).starts_with("LIMIT = 3"));
}

#[test]
fn the_log_is_short_and_sums_up() {
    let sandbox = sandbox();
    for value in [2, 3, 4] {
        edit(&sandbox, "src/a.py::LIMIT", &format!("LIMIT = {value}"), &[]);
    }
    does(&sandbox, &["undo"]);
    let run = sandbox.segedit(&["log", "--stat", "--graph"]);
    exits(&run, 0);
    let lines: Vec<String> = run.out().lines().map(str::to_owned).collect();
    assert!(lines[0].contains("commit main  1 operation  +1 -1") && lines[0].ends_with("undone"), "{run}");
    assert!(lines[1].contains('#') && !lines[2].contains("undone"), "{run}");
    // Each changed 2 of 13 lines, wrote 9 bytes and would have written 115.
    assert!(run.out().contains("3 batches, 1 of them undone\nwrite efficiency: 6 of 39 lines"), "{run}");
    let log = does(&sandbox, &["log", "-n", "2"]);
    assert_eq!(log["batches"].as_array().map(Vec::len), Some(2));
    assert_eq!(log["batches"][0]["undone"]["how"], "moved");
    assert_eq!(log["ledger"]["lines_changed"], 4);
    assert!(log["batches"][1]["undone"].is_null());

    let pruned = does(&sandbox, &["history", "prune", "--keep", "1", "-n"]);
    assert_eq!(pruned["forgotten"].as_array().map(Vec::len), Some(2));
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(3));
    does(&sandbox, &["history", "prune", "--older-than", "1h"]);
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(3));
    sandbox.git(&["pack-refs", "--all"]);
    does(&sandbox, &["history", "prune", "--keep", "1"]);
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(1));
    does(&sandbox, &["redo"]);
    does(&sandbox, &["history", "prune", "--keep", "0"]);
    assert_eq!(sandbox.git(&["for-each-ref", "refs/segedit"]), "");
    refuses(&sandbox, &["undo"], 4, "nothing-to-undo");
    exits(&sandbox.segedit(&["history", "prune"]), 2);
    exits(&sandbox.segedit(&["history", "prune", "--older-than", "soon"]), 2);
}

#[test]
fn a_published_batch_without_its_entry_gets_it_from_the_next_command() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::LIMIT", "LIMIT = 2", &[]);
    let (reference, tree) = {
        let line = sandbox.git(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/segedit"]);
        line.split_once(' ').map(|(name, tree)| (name.to_owned(), tree.to_owned())).expect("an entry")
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
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(1));
    assert_eq!(sandbox.segedit(&["recover"]).out(), "nothing was left over\n");
    // One that did not happen.
    promise(&"1".repeat(40));
    assert_eq!(does(&sandbox, &["recover"])["entries_made"], 0);
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(0));
    // Half of one, and a ref that is nobody's business.
    std::fs::write(&intent, "{\"version\":1,").expect("an intent");
    edit(&sandbox, "src/a.py::LIMIT", "LIMIT = 3", &[]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let text = format!(
        r#"{{"version":1,"proof":{{"reached":{{"name":"refs/heads/main","commit":"{head}"}}}},"make":[["refs/heads/evil","{head}"]],"remove":[["refs/heads/main","{head}"]]}}"#
    );
    std::fs::write(&intent, text).expect("an intent");
    exits(&sandbox.segedit(&["recover"]), 0);
    assert_eq!(sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]), "refs/heads/main");
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
                exits(&sandbox.segedit(&["insert", "src/a.py::first", "--content", &content, "--no-diff"]), 0);
            });
        }
    });
    let log = does(&sandbox, &["log"]);
    let listed: Vec<&str> =
        log["batches"].as_array().expect("batches").iter().filter_map(|batch| batch["commit"].as_str()).collect();
    let commits = sandbox.git(&["rev-list", "HEAD", "^HEAD~8"]);
    assert_eq!(listed, commits.lines().collect::<Vec<_>>(), "in the order of the branch");
    for _ in 0..WRITERS {
        does(&sandbox, &["undo", "--no-diff"]);
    }
    assert_eq!(state(&sandbox), before);
    sound(&sandbox);
}

/// Runs the tool under strace, which kills it at its `nth` call of `calls`; says whether it ended well.
fn ends_well(sandbox: &Sandbox, args: &[&str], calls: &str, nth: usize) -> bool {
    let mut command = sandbox.program("strace");
    // Not its children: a git that was begun is let end.
    command.args(["-qqq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
    command.args(["-e", &format!("inject={calls}:signal=KILL:when={nth}"), "--", env!("CARGO_BIN_EXE_git-segedit")]);
    sandbox.run(command.args(args), b"").exit == 0
}

#[test]
fn killed_anywhere_the_history_says_what_happened() {
    let calls = std::env::var("SEGEDIT_TEST_CALLS").unwrap_or("rename,renameat,renameat2,link,linkat".to_owned());
    if sandbox().shell("strace -V").exit != 0 {
        return println!("no strace here: nobody was killed");
    }
    let swept = ["commit", "index", "cached", "worktree", "stash"]
        .map(|destination| (destination, calls.clone()))
        .map(|(destination, calls)| std::thread::spawn(move || sweep(destination, &calls)));
    let (mut killed, mut after_all) = (0, 0);
    for sweep in swept {
        let (dead, late) = sweep.join().expect("a sweep that holds");
        (killed, after_all) = (killed + dead, after_all + late);
    }
    println!("killed {killed} times; {after_all} had happened by then");
    assert!(after_all > 5, "nobody was killed between the batch and its entry");
}

/// What stands in the repository; a commit is told by its tree.
fn told(sandbox: &Sandbox) -> String {
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
    let (stash, status) = (sandbox.git(&["stash", "list"]), sandbox.git(&["status", "--porcelain"]));
    let file = sandbox.worktree_tree()["src/a.py"].bytes.clone();
    format!("{tree}\n{stash}\n{status}\n{}", String::from_utf8_lossy(&file))
}

/// How many batches the history takes for standing.
fn standing(sandbox: &Sandbox) -> usize {
    let log = does(sandbox, &["log"]);
    let batches = log["batches"].as_array().expect("batches").clone();
    batches.iter().filter(|batch| batch["undone"].is_null()).count()
}

/// Kills publishing, undoing and redoing wherever that is possible; returns how often, and how often it had happened by
/// then.
fn sweep(destination: &str, calls: &str) -> (usize, usize) {
    let edit = [
        "replace",
        "src/a.py::first",
        "--content",
        "def first(): return 11",
        "--no-diff",
        "--destination",
        destination,
    ];
    let fresh = sandbox();
    let done = fresh.copy();
    exits(&done.segedit(&edit), 0);
    let undone = done.copy();
    does(&undone, &["undo"]);
    let (mut killed, mut after_all) = (0, 0);
    for (start, command, end) in [(&fresh, &edit[..], &done), (&done, &["undo"], &undone), (&undone, &["redo"], &done)]
    {
        for nth in 1.. {
            let sandbox = start.copy();
            let well = ends_well(&sandbox, command, calls, nth);
            let recovered = does(&sandbox, &["recover"]);
            let found = told(&sandbox);
            let ended = found == told(end);
            assert!(ended || found == told(start), "{destination} {command:?} {nth}: {found}\n{recovered}");
            let expected = if ended { standing(end) } else { standing(start) };
            assert_eq!(standing(&sandbox), expected, "{destination} {command:?} {nth}\n{recovered}");
            sound(&sandbox);
            if well {
                assert!(ended, "{destination} {command:?}: it ended well, and nothing was done");
                break;
            }
            (killed, after_all) = (killed + 1, after_all + usize::from(ended));
            exits(&sandbox.segedit(&["replace", "notes.md::# Notes", "--content", "new"]), 0);
        }
    }
    (killed, after_all)
}
