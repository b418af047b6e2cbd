//! Publishing dies at every step of one destination; what others do between the accident and the next command.

use crate::support::Sandbox;
use crate::support::crash::*;

#[test]
fn a_batch_is_there_or_not_whatever_step_is_the_last() {
    let way = Way::CheckedOut;
    let came = sweep(way, &way.sandbox(), &way.apply(), &[0]);
    assert!(
        came.values().filter(|count| **count > 0).count() > 10,
        "few steps were passed: {came:?}"
    );
}

#[test]
fn what_somebody_staged_after_the_death_does_not_take_the_batch_back() {
    let (sandbox, run) = with_plan(Way::Index, "passed=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    sandbox.git(&["add", "untracked.txt"]);
    let recovered = sandbox.segedit(&["recover"]);
    assert!(
        recovered.out().contains("finished"),
        "{recovered}\n{sandbox}"
    );
    let status = sandbox.git(&["status", "--porcelain", "--no-renames"]);
    assert_eq!(
        status,
        "M  a.txt\nD  dir/gone.txt\nMM mine.txt\nA  new/b.txt\nA  new/run.sh\nD  old/run.sh\nA  untracked.txt"
    );
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn a_lock_that_somebody_removed_by_hand_is_no_sign_that_the_batch_happened() {
    let (sandbox, run) = with_plan(Way::Index, "index-rename=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    std::fs::remove_file(sandbox.git_folder().join("index.lock")).expect("the lock was left");
    sandbox.git(&["add", "untracked.txt"]);
    let recovered = sandbox.segedit(&["recover"]);
    assert!(
        recovered.out().contains("rolled back"),
        "{recovered}\n{sandbox}"
    );
    assert_eq!(
        sandbox.git(&["status", "--porcelain"]),
        "MM mine.txt\nA  untracked.txt"
    );
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn an_index_that_cannot_follow_its_branch_is_told_and_made_up_for() {
    let (sandbox, run) = with_plan(Way::CheckedOut, "index-rename=return");
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    assert!(run.err().contains("git segedit recover"), "{run}");
    let refused = sandbox.try_git(&["commit", "--message", "the half"]);
    assert!(
        refused.exit != 0 && refused.err().contains("index.lock"),
        "{refused}"
    );
    let recovered = sandbox.segedit(&["recover"]);
    assert_eq!(recovered.exit, 0, "{recovered}");
    assert_eq!(
        sandbox.git(&["status", "--porcelain"]),
        "MM mine.txt\n?? untracked.txt"
    );
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn whoever_only_reads_sees_no_half() {
    let text =
        |sandbox: &Sandbox| std::fs::read_to_string(sandbox.repo().join("a.txt")).expect("a file");
    let (sandbox, run) = with_plan(Way::Worktree, "passed=off;journal-remove=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    assert_eq!(
        text(&sandbox),
        "one\nTWO\nthree\n",
        "the files were exchanged, the journal stands"
    );
    let found = sandbox.segedit(&["find", "nothing"]);
    assert_eq!(found.exit, 3, "{found}");
    assert_eq!(text(&sandbox), "one\ntwo\nthree\n");
    assert_eq!(litter(&sandbox), Vec::<String>::new());
    let (sandbox, run) = with_plan(Way::CheckedOut, "keep=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    assert!(
        sandbox
            .segedit(&["log", "--format", "json"])
            .out()
            .contains("\"id\""),
        "{sandbox}"
    );
    // Who may not write there reads all the same, and whoever publishes is not waited for.
    let (sandbox, _) = with_plan(Way::Worktree, "journal-remove=return(abort)");
    let lock = std::fs::File::open(sandbox.git_folder().join("segedit/lock"))
        .expect("the lock of the queue");
    lock.lock().expect("nobody has it");
    let found = sandbox.segedit(&["find", "nothing"]);
    assert_eq!(found.exit, 3, "{found}");
    assert_eq!(text(&sandbox), "one\nTWO\nthree\n");
}

#[test]
fn an_entry_of_the_history_that_cannot_be_made_is_made_by_the_next_command() {
    let (sandbox, run) = with_plan(Way::CheckedOut, "entry=return");
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    assert!(
        run.err().contains("the history does not say so yet"),
        "{run}"
    );
    assert_eq!(sandbox.segedit(&["recover"]).exit, 0);
    assert_eq!(sandbox.segedit(&["undo", "--quiet"]).exit, 0, "{sandbox}");
    assert_eq!(sandbox.git(&["log", "--format=%s", "main"]), "first");
}
