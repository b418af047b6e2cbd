//! What befalls the index of segments: damage, a byte that is another, a kill at any moment; and every kind of repository.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use super::few;
use crate::support::segment_index::{FEW, NAMES, SORTS, found, index, indexed, settle, store};
use crate::support::{Run, Sandbox, read_tree};

#[test]
fn a_flipped_byte_is_never_believed() {
    let sandbox = indexed();
    let file = store(&sandbox);
    let whole = fs::read(&file).unwrap();
    let expected: Vec<Run> = FEW
        .iter()
        .map(|name| sandbox.segedit_without_index(&["find", "--format", "json", name]))
        .collect();
    // What describes the file, every page somewhere, and what is known of the contents: their names and what stands around them.
    let words = ["process", "Worker", "Guide", "inner"]
        .map(|word| memchr::memmem::find_iter(&whole, word).collect::<Vec<_>>());
    let known = words
        .iter()
        .flatten()
        .flat_map(|at| [at - 4, at - 1, at + 1, at + 9, at + 14]);
    let places: Vec<usize> = (0..100)
        .step_by(17)
        .chain((0..whole.len()).step_by(9_371))
        .chain(known)
        .collect();
    for (at, flip) in few(
        places.into_iter().flat_map(|at| [(at, 0x01), (at, 0xa0)]),
        3,
    ) {
        let mut bytes = whole.clone();
        bytes[at] ^= flip;
        fs::write(&file, bytes).unwrap();
        // One by one: the first answer mends what the second would have shown.
        let long = &expected[at % FEW.len()];
        let short = sandbox.segedit(&["find", "--format", "json", FEW[at % FEW.len()]]);
        let same =
            short.exit == long.exit && short.stdout == long.stdout && short.stderr == long.stderr;
        assert!(
            same,
            "with {flip:#x} at {at}\n{short}\nwithout an index\n{long}"
        );
    }
}

#[test]
fn a_kill_at_any_moment_harms_nothing() {
    for delay in few([2, 5, 10, 15, 25, 40, 60, 90, 130, 180], 4) {
        let sandbox = Sandbox::with(&SORTS);
        for round in 0..3 {
            sandbox.write(
                "src/worker.py",
                format!("def process(): ...\ndef round{round}(): ...\n"),
            );
            let mut process = sandbox.segedit_command();
            let mut process = process
                .args(["find", "process"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(delay));
            let _ = process.kill();
            process.wait().unwrap();
            let round = format!("round{round}");
            found(&sandbox, &["process", &round]);
        }
        found(&sandbox, &NAMES);
    }
}

#[test]
fn a_damaged_one_is_built_anew_and_nobody_hears_of_it() {
    type Damage = fn(&PathBuf);
    let damages: [(&str, Damage); 9] = [
        ("truncated", |file| {
            fs::File::options()
                .write(true)
                .open(file)
                .unwrap()
                .set_len(20_000)
                .unwrap()
        }),
        ("cut within a page", |file| {
            fs::File::options()
                .write(true)
                .open(file)
                .unwrap()
                .set_len(5_001)
                .unwrap()
        }),
        ("empty", |file| fs::write(file, "").unwrap()),
        ("no database", |file| {
            fs::write(file, "segments\n".repeat(1000)).unwrap()
        }),
        ("a folder", |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir_all(file.join("below")).unwrap();
        }),
        ("a link to nowhere", |file| {
            fs::remove_file(file).unwrap();
            symlink("/nowhere/at/all", file).unwrap();
        }),
        ("a journal of somebody else's", |file| {
            fs::write(
                file.with_file_name("index.sqlite-journal"),
                "not a journal".repeat(99),
            )
            .unwrap();
        }),
        ("gone", |file| fs::remove_file(file).unwrap()),
        ("zeros", |file| fs::write(file, vec![0; 100_000]).unwrap()),
    ];
    for (name, damage) in few(damages, 3) {
        let sandbox = indexed();
        damage(&store(&sandbox));
        println!("{name}");
        found(&sandbox, &FEW);
        assert!(
            store(&sandbox).symlink_metadata().unwrap().is_file(),
            "{name}"
        );
        settle();
        index(&sandbox, &[]);
        let stat = index(&sandbox, &["--stat"]);
        assert_eq!(
            (&stat["current"], &stat["contents"]),
            (&true.into(), &SORTS.len().into()),
            "{name}: {stat}"
        );
    }
}

#[test]
fn every_kind_of_repository_has_one() {
    let sha256 = Sandbox::with_tree_as(
        &["--object-format=sha256"],
        &read_tree(&Sandbox::with(&SORTS).repo()),
    );
    let bare = Sandbox::with(&SORTS).copy_bare();
    let linked = Sandbox::with(&SORTS);
    linked.move_to_linked_worktree();
    let sparse = Sandbox::with(&SORTS);
    sparse.git(&["sparse-checkout", "set", "--no-cone", "/src/", "/*.md"]);
    let sparse_index = Sandbox::with(&SORTS);
    sparse_index.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]);
    let split = Sandbox::with(&SORTS);
    split.git(&["update-index", "--split-index"]);
    let names: Vec<&str> = few(NAMES, 3).collect();
    for (name, sandbox) in [
        ("SHA-256", sha256),
        ("bare", bare),
        ("linked", linked),
        ("sparse", sparse),
        ("sparse index", sparse_index),
        ("split", split),
    ] {
        println!("{name}");
        let lines = found(&sandbox, &names);
        assert!(
            lines.iter().any(|line| line.contains("Worker.process")),
            "{name}: {lines:?}"
        );
        assert!(sandbox.cache().join("index.sqlite").is_file(), "{name}");
    }
}
