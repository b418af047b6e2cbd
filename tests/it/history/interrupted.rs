//! Commands that come after an interrupted one: they put in order what that left, and decide only then.

use crate::support::Sandbox;
use crate::support::history::{does, edit, refuses, sandbox};

/// Returns the ref of the history's last entry.
fn entry(sandbox: &Sandbox) -> String {
    let refs = sandbox.git(&[
        "for-each-ref",
        "--format=%(refname)",
        "refs/segedit/batches",
    ]);
    refs.lines().last().expect("an entry").to_owned()
}

/// Does the same with each of `values` at the same time.
fn at_once<T: Send>(values: impl IntoIterator<Item = T>, act: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for value in values {
            scope.spawn(|| act(value));
        }
    });
}

#[test]
fn an_undo_that_could_not_be_noted_is_noted_before_redo_decides() {
    // Each is waited for; all at once costs the longest wait.
    at_once(
        [&["redo"][..], &["redo", "-n"], &["log"], &["undo"]],
        |redo| {
            let sandbox = sandbox();
            edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
            let lock = sandbox
                .git_folder()
                .join(entry(&sandbox).replace("batches", "undone") + ".lock");
            std::fs::create_dir_all(lock.parent().expect("a folder")).expect("the lock's folder");
            std::fs::write(&lock, "foreign").expect("a lock");
            let undone = does(&sandbox, &["undo"]);
            assert!(
                undone["warnings"]
                    .to_string()
                    .contains("does not say so yet"),
                "{undone}"
            );
            std::fs::remove_file(&lock).expect("the lock is left alone");
            if redo == ["undo"] {
                refuses(&sandbox, redo, 4, "nothing-to-undo");
            } else {
                does(&sandbox, redo);
            }
        },
    );
}

#[test]
fn what_a_newer_version_left_is_its_own_to_finish() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let intent = sandbox.git_folder().join("segedit/intents/newer");
    let text = r#"{"version":3,"promised":[]}"#;
    std::fs::write(&intent, text).expect("an intent");
    edit(&sandbox, "src/a.py::second", "def second(): return 22", &[]);
    does(&sandbox, &["undo"]);
    let recovered = does(&sandbox, &["recover"]);
    assert!(
        recovered["sentences"].to_string().contains("newer version"),
        "{recovered}"
    );
    assert_eq!(std::fs::read_to_string(&intent).expect("it stays"), text);
    std::fs::remove_file(&intent).expect("the intent");
    let journal = sandbox.git_folder().join("segedit/journal");
    let text = "{\"version\":3}\n";
    std::fs::write(&journal, text).expect("a journal");
    for command in [
        &["recover"][..],
        &["undo"],
        &["undo", "-n"],
        &["redo"],
        &["redo", "-n"],
        &["history", "prune", "--keep", "9"],
    ] {
        let said = refuses(&sandbox, command, 5, "io")["errors"][0].to_string();
        assert!(
            said.contains("newer version") && !said.contains("remove it"),
            "{said}"
        );
    }
    assert_eq!(std::fs::read_to_string(&journal).expect("it stays"), text);
}

#[test]
fn a_journal_that_nobody_can_read_is_set_aside() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let home = sandbox.git_folder().join("segedit");
    for (text, words) in [
        ("{", "EOF"),
        ("{\"version\":1}", "pivot"),
        ("{\"version\":0}", "no version 0"),
    ] {
        std::fs::write(home.join("journal"), text).expect("a journal");
        let recovered = does(&sandbox, &["recover"]);
        assert_eq!(recovered["recovered"], "set_aside", "{recovered}");
        let said = recovered["sentences"].to_string();
        assert!(
            said.contains(words) && said.contains("journal.refused"),
            "{said}"
        );
        let refused = home.join("journal.refused");
        assert_eq!(std::fs::read_to_string(&refused).expect("it is kept"), text);
        std::fs::remove_file(&refused).expect("somebody looked at it");
        std::fs::write(home.join("journal"), text).expect("a journal");
        let undone = does(&sandbox, &["undo"]);
        assert!(undone["warnings"].to_string().contains(words), "{undone}");
        std::fs::remove_file(&refused).expect("set aside again");
        let redone = does(&sandbox, &["redo"]);
        assert_eq!(
            redone["warnings"].as_array().map(Vec::len),
            Some(0),
            "{redone}"
        );
    }
}

#[test]
fn a_lock_that_is_not_ours_is_waited_for_and_told() {
    at_once(
        ["foreign", "0123456789012345678901234567890123456789\n"],
        |content| {
            let sandbox = sandbox();
            edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
            let lock = sandbox
                .git_folder()
                .join(entry(&sandbox).replace("batches", "undone") + ".lock");
            std::fs::create_dir_all(lock.parent().expect("a folder")).expect("the lock's folder");
            std::fs::write(&lock, content).expect("a lock");
            does(&sandbox, &["undo"]);
            let recovered = does(&sandbox, &["recover"]);
            let said = recovered["sentences"].to_string();
            assert!(
                said.contains("locked by") && said.contains("undone"),
                "{recovered}"
            );
            assert_eq!(std::fs::read_to_string(&lock).expect("it stays"), content);
            std::fs::remove_file(&lock).expect("the lock");
            assert_eq!(does(&sandbox, &["recover"])["entries_made"], 1);
            assert_eq!(
                does(&sandbox, &["log"])["batches"][0]["undone"]["how"],
                "moved"
            );
        },
    );
}

#[test]
fn what_is_no_file_is_no_intent() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let intents = sandbox.git_folder().join("segedit/intents");
    let pipe = intents.join("pipe");
    let made = sandbox.shell(&format!(
        "mkfifo '{}' && mkdir '{}/folder'",
        pipe.display(),
        intents.display()
    ));
    assert_eq!(made.exit, 0, "{made}");
    does(&sandbox, &["undo"]);
    does(&sandbox, &["recover"]);
    assert!(pipe.exists());
}
