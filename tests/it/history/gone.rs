//! Batches that are no longer where they were published: the branch, the commit or what it stands on is gone.

use super::{does, edit, refuses, sandbox, sound, state};
use crate::support::Sandbox;

/// Has git collect all that no ref names.
fn collect(sandbox: &Sandbox) {
    sandbox.git(&["reflog", "expire", "--expire=all", "--expire-unreachable=all", "--all"]);
    sandbox.git(&["gc", "-q", "--prune=now"]);
}

fn id(report: &serde_json::Value) -> String {
    report["batch"].as_str().expect("an id").to_owned()
}

#[test]
fn what_stands_on_a_commit_that_is_gone_does_not_come_back() {
    for destination in ["commit", "stash"] {
        let sandbox = sandbox();
        sandbox.git(&["checkout", "-q", "-b", "feat"]);
        for text in ["of feat\n", "of feat, too\n"] {
            sandbox.write("other.txt", text);
            sandbox.git(&["commit", "-qam", "feat"]);
        }
        sandbox.git(&["checkout", "-q", "main"]);
        let to: &[&str] = if destination == "commit" { &["--branch", "bot"] } else { &["--destination", "stash"] };
        let to = [to, &["--base", "feat"]].concat();
        let batch = id(&edit(&sandbox, "src/a.py::first", "def first(): return 11", &to));
        does(&sandbox, &["undo", &batch]);
        let feat = sandbox.git(&["rev-parse", "feat"]);
        sandbox.git(&["branch", "-qD", "feat"]);
        // As long as git has them, what it stands on comes back as well.
        let again = sandbox.copy();
        does(&again, &["redo", &batch]);
        sound(&again);
        collect(&again);
        sound(&again);
        collect(&sandbox);
        // A commit alone is not what it takes: what is behind it has to be there as well.
        for bare in [false, true] {
            if bare {
                let commit = again.git(&["cat-file", "commit", &feat]) + "\n";
                sandbox.git_with_input(
                    &["hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
                    commit.as_bytes(),
                );
            }
            let report = refuses(&sandbox, &["redo", &batch], 4, "changed-since");
            let error = &report["errors"][0];
            assert!(error["message"].as_str().expect("words").contains(&feat[..8]), "{error}");
            assert!(error["notes"].to_string().contains("git segedit show-batch"), "{error}");
            refuses(&sandbox, &["redo", "-n", &batch], 4, "changed-since");
        }
        assert!(!state(&sandbox).contains("bot"));
    }
}
