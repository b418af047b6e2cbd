//! Many writers on one branch and in one file: each resolves again on what the others left, and all land.

use crate::support::Sandbox;

const WRITERS: usize = 12;

#[test]
fn all_land_in_a_bare_repository() {
    let sandbox = Sandbox::with(&[("src/a.py", "def first():\n    pass\n")]).copy_bare();
    all_land(&sandbox);
}

#[test]
fn all_land_on_a_checked_out_branch_and_staged_work_stays() {
    let sandbox = Sandbox::with(&[("src/a.py", "def first():\n    pass\n"), ("other.txt", "old\n")]);
    sandbox.write("other.txt", "staged\n");
    sandbox.git(&["add", "other.txt"]);
    sandbox.write("other.txt", "unstaged\n");
    all_land(&sandbox);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "MM other.txt");
    assert_eq!(sandbox.git(&["show", ":other.txt"]), "staged");
}

fn all_land(sandbox: &Sandbox) {
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let content = format!("def writer_{writer}():\n  return {writer}\n");
                let run = sandbox.segedit(&[
                    "insert",
                    "src/a.py::first",
                    "--content",
                    &content,
                    "--branch",
                    "main",
                    "--no-diff",
                ]);
                assert_eq!(run.exit, 0, "writer {writer}\n{run}\n{sandbox}");
            });
        }
    });
    assert_eq!(sandbox.git(&["rev-list", "--count", "main"]), (WRITERS + 1).to_string(), "{sandbox}");
    let file = sandbox.git(&["show", "main:src/a.py"]);
    for writer in 0..WRITERS {
        let whole = format!("def writer_{writer}():\n    return {writer}\n");
        assert!(format!("{file}\n").contains(&whole), "writer {writer} is missing\n{file}");
    }
    sandbox.git(&["fsck", "--no-dangling", "--strict"]);
}
