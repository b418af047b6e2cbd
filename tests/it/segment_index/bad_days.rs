//! What can happen to the index: damage, files of other programs, several who use it, kills, a place where it cannot be.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::Sandbox;
use crate::support::segment_index::{FEW, SORTS, both, found, index, indexed, store};

#[test]
fn what_another_version_wrote_is_not_read() {
    for (old, new) in [(env!("CARGO_PKG_VERSION"), "9.9.9"), ("SEGE", "SEGF")] {
        let sandbox = indexed();
        let before = fs::read(store(&sandbox)).unwrap();
        let at = memchr::memmem::find(&before, old.as_bytes()).expect("it stands there");
        let mut bytes = before.clone();
        bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
        fs::write(store(&sandbox), bytes).unwrap();
        let stat = index(&sandbox, &["--stat"]);
        assert_eq!(
            (&stat["exists"], &stat["current"]),
            (&true.into(), &false.into()),
            "{old}: {stat}"
        );
        assert!(
            sandbox
                .segedit(&["index", "--stat"])
                .out()
                .starts_with("not usable now: "),
            "{old}"
        );
        let built = index(&sandbox, &[]);
        assert_eq!(built["added"], SORTS.len(), "{built}");
        found(&sandbox, &FEW);
    }
}

#[test]
fn where_it_cannot_be_everything_goes_the_long_way() {
    let sandbox = indexed();
    let answers: Vec<String> = FEW
        .iter()
        .map(|name| both(&sandbox, &["find", name]))
        .collect();
    // Root may write anywhere; a folder in the lock's place and a full disk are no use to root either.
    for name in ["index.users", "index.sqlite-journal"] {
        let place = sandbox.cache().join(name);
        let _ = fs::remove_file(&place);
        fs::create_dir_all(place.join("below")).unwrap();
        sandbox.write("new.py", "def newer(): ...\n");
        for (name, answer) in FEW.iter().zip(&answers) {
            let run = sandbox.segedit(&["find", name]);
            assert_eq!(
                (run.exit, &run.out(), run.err().as_str()),
                (0, answer, ""),
                "{run}"
            );
        }
        // A folder in the journal's place is damage, and gone by now.
        assert_eq!(fs::remove_dir_all(&place).is_ok(), name == "index.users");
    }
    let run = sandbox.segedit_without_index(&["index"]);
    assert_eq!(run.exit, 5, "{run}");
    assert!(
        run.err().contains("/index.sqlite") && run.err().contains("`find` works without it"),
        "{run}"
    );
    assert_eq!(
        sandbox
            .segedit_without_index(&["index", "--stat"])
            .out()
            .lines()
            .count(),
        1
    );
}

#[test]
fn a_folder_that_may_not_be_written_is_still_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = indexed();
    let folder = sandbox.cache();
    let allow = |bits: u32| fs::set_permissions(&folder, fs::Permissions::from_mode(bits)).unwrap();
    allow(0o555);
    fs::set_permissions(store(&sandbox), fs::Permissions::from_mode(0o444)).unwrap();
    found(&sandbox, &FEW);
    sandbox.write("src/worker.py", "def process(): ...\n");
    let answers = sandbox.segedit(&["find", "process"]);
    allow(0o755);
    assert_eq!(
        answers.out(),
        sandbox.segedit_without_index(&["find", "process"]).out()
    );
    assert_eq!(answers.err(), "");
}

/// Returns a repository of `count` files with a function and a class each.
fn many(count: usize) -> Sandbox {
    let sandbox = Sandbox::unborn();
    for at in 0..count {
        sandbox.write(
            &format!("d{}/f{at}.py", at % 17),
            format!("def f{at}(): ...\nclass C:\n    def run{at}(self): ...\n"),
        );
    }
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "many"]);
    sandbox
}

#[test]
fn many_may_build_find_and_drop_at_once() {
    let sandbox = many(700);
    let expected = sandbox.segedit_without_index(&["find", "C"]);
    assert_eq!(expected.out().lines().count(), 700);
    std::thread::scope(|scope| {
        for process in 0..8 {
            let (sandbox, expected) = (&sandbox, &expected);
            scope.spawn(move || {
                for round in 0..4 {
                    if process == 0 {
                        sandbox.segedit(&["index", "--rebuild"]);
                    } else if process == 1 && round == 2 {
                        sandbox.segedit(&["index", "--drop"]);
                    }
                    let run = sandbox.segedit(&["find", "C"]);
                    assert_eq!((run.exit, run.err().as_str()), (0, ""), "{run}");
                    assert!(run.stdout == expected.stdout, "another answer\n{run}");
                }
            });
        }
    });
    found(&sandbox, &["f7", "run699", "C.run3", "C"]);
}

#[test]
fn a_build_that_is_killed_leaves_what_it_did() {
    let sandbox = many(6_000);
    let contents = || {
        let run = sandbox.segedit(&["index", "--stat", "--format", "json"]);
        run.json()["contents"].as_u64().unwrap_or(0)
    };
    let mut builder = sandbox
        .segedit_command()
        .arg("index")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while contents() == 0 && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = builder.kill();
    builder.wait().unwrap();
    let left = contents();
    assert!(left > 0, "nothing was left");
    let caught = index(&sandbox, &[]);
    assert_eq!(caught["added"].as_u64().unwrap() + left, 6_000, "{caught}");
    found(&sandbox, &["f7", "run5999"]);
}

#[test]
fn what_stands_nowhere_any_more_goes() {
    let sandbox = Sandbox::unborn();
    let write = |round: usize| {
        for at in 0..1_500 {
            sandbox.write(&format!("f{at}.py"), format!("def f{at}_{round}(): ...\n"));
        }
        sandbox.git(&["add", "-A"]);
    };
    let mut largest = 0;
    let mut removed = 0;
    for round in 0..5 {
        write(round);
        let caught = index(&sandbox, &[]);
        assert_eq!(caught["added"], 1_500, "{caught}");
        removed += caught["removed"].as_u64().unwrap();
        largest = largest.max(caught["contents"].as_u64().unwrap());
    }
    assert!(
        removed >= 3_000 && largest <= 4_500,
        "{removed} removed, {largest} at most"
    );
    assert_eq!(sandbox.segedit(&["find", "f7_0"]).exit, 3);
    found(&sandbox, &["f7_4", "f1499_4", "f7_3"]);
}

#[test]
fn a_limit_of_a_files_size_is_a_full_disk() {
    let sandbox = Sandbox::with(&SORTS);
    let expected = sandbox.segedit_without_index(&["find", "process"]);
    // In blocks of 512 bytes: an empty index takes more than the first, a filled one more than the last.
    for blocks in [1, 8, 64, 300] {
        let run = sandbox.shell(&format!("ulimit -f {blocks}; git segedit find process"));
        assert_eq!(
            (run.exit, run.out(), run.err()),
            (0, expected.out(), String::new()),
            "{blocks}: {run}"
        );
    }
    found(&sandbox, &FEW);
}

#[test]
fn root_makes_nothing_in_anothers_home() {
    use std::os::unix::fs::chown;
    let sandbox = Sandbox::with(&SORTS);
    let home = sandbox.cache().ancestors().nth(3).unwrap().to_owned();
    if chown(&home, Some(65_534), Some(65_534)).is_err() {
        return println!("skipped: only root can give away a folder");
    }
    assert_eq!(sandbox.segedit(&["find", "Worker"]).exit, 0);
    assert_eq!(
        sandbox
            .segedit(&[
                "replace",
                "src/worker.py::Worker.process",
                "--content",
                "def process(self): pass"
            ])
            .exit,
        0
    );
    assert!(!home.join(".cache").exists() && !home.join(".local").exists());
    let run = sandbox.segedit(&["index"]);
    assert!(
        run.exit == 5 && run.err().contains("no cache folder"),
        "{run}"
    );
}
