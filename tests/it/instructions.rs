//! How many instructions the release binary spends on its hot tasks, beside `benches/instructions.json`.
//!
//! The counting is `benches/instructions`, which also puts new counts on record. What a test binary's own debug build spends
//! says nothing about what users run, so the release build is made here; where it stands already, that takes no time.

use std::path::Path;
use std::process::Command;

use crate::tools;

#[test]
fn the_hot_tasks_take_as_many_instructions_as_on_record() {
    if !tools::has("valgrind") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder stands in the target folder");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--release", "--bin", "git-segedit", "--target-dir"]).arg(target).current_dir(root);
    let built = build.status().expect("cargo runs the tests");
    assert!(built.success(), "the release build: {built}");
    let mut count = Command::new("python3");
    count.arg(root.join("benches/instructions"));
    count.arg("--binary").arg(target.join("release/git-segedit"));
    count.arg("--valgrind").arg(tools::folder().join("bin/valgrind"));
    let run = count.output().expect("python3 is there, as for the other tests");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    println!("{out}");
    assert!(run.status.success(), "benches/instructions: {}\n{out}\n{err}", run.status);
}
