//! Many writers on one branch, in every sort of repository.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crate::support::Run;
use crate::support::writers::*;

#[test]
fn all_land_in_a_bare_repository() {
    let crowd = Crowd::new(true, 3);
    let start = Instant::now();
    let loops = vec![
        crowd.beside(20, pack_refs),
        crowd.beside(200, collect_garbage),
    ];
    let batches = wait(&crowd, &crowd.start(), loops);
    all_is_well(&crowd, &batches, start);
}

#[test]
fn all_land_on_a_checked_out_branch_and_what_is_added_stays() {
    let crowd = Crowd::new(false, 3);
    let start = Instant::now();
    half_staged(&crowd.sandbox);
    let loops = vec![
        crowd.beside(20, pack_refs),
        crowd.beside(200, collect_garbage),
        crowd.beside(0, add),
    ];
    let batches = wait(&crowd, &crowd.start(), loops);
    all_is_well(&crowd, &batches, start);
    all_is_staged(&crowd);
}

#[test]
fn all_land_while_git_itself_commits() {
    let crowd = Crowd::new(false, 3);
    let start = Instant::now();
    half_staged(&crowd.sandbox);
    let loops = vec![
        crowd.beside(20, pack_refs),
        crowd.beside(200, collect_garbage),
        crowd.beside(10, add),
        crowd.beside(50, commit),
    ];
    let batches = wait(&crowd, &crowd.start(), loops);
    all_is_well(&crowd, &batches, start);
    let put_right = crowd.put_right.load(Relaxed);
    println!("index put right after git: {put_right} times");
    assert!(
        put_right <= 1 + crowd.committed.lock().unwrap().len() / 10,
        "more often than it is git's own doing"
    );
    crowd
        .sandbox
        .git(&["reset", "--quiet", "--", "shared.py", "own"]);
    all_is_staged(&crowd);
}

#[test]
fn a_writer_who_does_not_look_loses_batches_and_this_test_sees_it() {
    let crowd = Crowd::new(true, 3);
    let start = Instant::now();
    let careless = crowd.beside(0, |crowd, _| {
        let git = |args: &[&str]| crowd.sandbox.git(args);
        let old = git(&["rev-parse", crowd.branch]);
        let new = git(&[
            "commit-tree",
            "-p",
            &old,
            "-m",
            "careless",
            &format!("{old}^{{tree}}"),
        ]);
        std::thread::sleep(Duration::from_millis(50));
        // Without the old value: whatever came in between is gone.
        crowd
            .sandbox
            .try_git(&["update-ref", &format!("refs/heads/{}", crowd.branch), &new]);
    });
    // Whoever finds its own function set back by that is told.
    let is_told = |run: &Run| run.exit == 4 && run.json()["errors"][0]["code"] == "ref-moved";
    let batches = wait_where(&crowd, &crowd.start(), vec![careless], is_told);
    let lost = lost(&crowd, &batches).len();
    println!(
        "a careless one beside {} writers: {lost} of {} batches lost, {:.1} seconds",
        crowd.writers,
        batches.len(),
        start.elapsed().as_secs_f64()
    );
    assert!(
        lost > 0,
        "a forced update lost nothing: what would this test see?"
    );
    crowd.sandbox.git(&["fsck", "--no-dangling", "--strict"]);
}
