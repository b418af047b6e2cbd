//! Commands that come after an interrupted one: they put in order what that left, and decide only then.

use super::killed::strace;
use super::{does, edit, refuses, sandbox, sound, state};
use crate::support::Sandbox;
use crate::tools;

const SEVERAL: &str = "version: 1\noperations:\n  - {op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = 2}\n  \
                       - {op: replace, file: other.txt, content: new}\n  - {op: remove, file: notes.md}\n";

/// Returns the ref of the history's last entry.
fn entry(sandbox: &Sandbox) -> String {
    let refs = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/segedit/batches"]);
    refs.lines().last().expect("an entry").to_owned()
}

#[test]
fn undo_and_redo_begin_where_an_interrupted_one_was_put_in_order() {
    if !tools::has("strace") {
        return;
    }
    for destination in ["worktree", "index"] {
        let sandbox = sandbox();
        let before = state(&sandbox);
        let run = sandbox.segedit_with_input(&["apply", "-", "--destination", destination], SEVERAL.as_bytes());
        assert_eq!(run.exit, 0, "{run}");
        let after = state(&sandbox);
        let done = sandbox;
        let undone = done.copy();
        does(&undone, &["undo"]);
        for (command, start, from, to) in [("undo", &done, &after, &before), ("redo", &undone, &before, &after)] {
            for more in [&[][..], &["--dry-run"]] {
                let sandbox = start.copy();
                let mut killed = strace(&sandbox);
                killed.args(["-qqq", "-o", "/dev/null", "-e", "trace=renameat2"]);
                killed.args(["-e", "inject=renameat2:signal=KILL:when=3", "--"]);
                let run = sandbox.run(killed.args([env!("CARGO_BIN_EXE_git-segedit"), command]), b"");
                assert_ne!(run.exit, 0, "{run}");
                let half = state(&sandbox);
                assert!(half != *from && half != *to, "{destination} {command}: not half done");
                does(&sandbox, &[&[command], more].concat());
                assert_eq!(state(&sandbox), *(if more.is_empty() { to } else { from }), "{destination} {command}");
                sound(&sandbox);
            }
        }
    }
}

#[test]
fn an_undo_that_could_not_be_noted_is_noted_before_redo_decides() {
    for redo in [&["redo"][..], &["redo", "-n"], &["log"], &["undo"]] {
        let sandbox = sandbox();
        edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
        let lock = sandbox.git_folder().join(entry(&sandbox).replace("batches", "undone") + ".lock");
        std::fs::create_dir_all(lock.parent().expect("a folder")).expect("the lock's folder");
        std::fs::write(&lock, "foreign").expect("a lock");
        let undone = does(&sandbox, &["undo"]);
        assert!(undone["warnings"].to_string().contains("not yet"), "{undone}");
        std::fs::remove_file(&lock).expect("the lock is left alone");
        if redo == ["undo"] {
            refuses(&sandbox, redo, 4, "nothing-to-undo");
        } else {
            does(&sandbox, redo);
        }
    }
}
