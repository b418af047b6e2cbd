//! Stamps put to the test: what they tell, and when they say nothing.

use std::ffi::CString;
use std::os::unix::fs::symlink;

use super::*;
use crate::git::testing::{Sandbox, path};

fn look(sandbox: &Sandbox, folder: &str, names: &[&str]) -> Vec<Option<u64>> {
    let names: Vec<CString> = names
        .iter()
        .map(|name| CString::new(*name).unwrap())
        .collect();
    let mut seen = Vec::new();
    let worktree = sandbox.repo().worktree().unwrap();
    worktree
        .look_in(folder, names.iter().map(CString::as_c_str), |stamp| {
            seen.push(stamp.map(Stamp::bits))
        })
        .unwrap();
    seen
}

#[test]
fn only_regular_files_in_real_folders_are_seen() {
    let sandbox = Sandbox::with(&[], &[("a", "1"), ("d/e/b", "2"), ("c", "3")]);
    symlink("a", sandbox.root().join("link")).unwrap();
    symlink("d", sandbox.root().join("linked")).unwrap();
    let seen = |folder: &str, names: &[&str]| -> Vec<bool> {
        look(&sandbox, folder, names)
            .into_iter()
            .map(|stamp| stamp.is_some())
            .collect()
    };
    assert_eq!(
        seen("", &["a", "d", "link", "nothing", "c"]),
        [true, false, false, false, true]
    );
    assert_eq!(seen("d/e", &["b", "x"]), [true, false]);
    for folder in ["linked/e", "a", "nothing", "d/nothing/e", "link"] {
        assert_eq!(seen(folder, &["b"]), [false], "{folder}");
    }
    // One component at a time, where the system knows no better way, comes to the same.
    let worktree = sandbox.repo().worktree().unwrap();
    for folder in ["", "d", "d/e", "linked/e", "a", "nothing"] {
        let ways = [worktree.folder_at_once(folder), worktree.folder(folder)];
        let [quick, slow] = ways.map(|way| way.ok().flatten().is_some());
        assert_eq!(quick, slow, "{folder}");
    }
}

#[test]
fn a_stamp_tells_every_change_and_is_not_noted_of_what_changed_just_now() {
    let sandbox = Sandbox::with(&[], &[("a", "1")]);
    let note = || {
        let mut noted = Stamp::default();
        let seen = std::sync::Mutex::new(&mut noted);
        sandbox
            .repo()
            .each_lazy_file(&ReadSource::Worktree, &[path("a")], |_, file| {
                **seen.lock().unwrap() = file.stamp();
                Ok(())
            })
            .unwrap();
        noted
    };
    let seen = || Stamp::from_bits(look(&sandbox, "", &["a"])[0].unwrap());
    // On a busy machine what was written just now may be old before it is looked at.
    let mut tries = (0..50).map(|_| {
        sandbox.write("a", "1");
        note().is_same(seen())
    });
    assert!(tries.any(|is_same| !is_same), "it was written just now");
    std::thread::sleep(FINE_TICK + Duration::from_millis(50));
    let before = note();
    assert!(before.is_same(seen()));
    let file = sandbox.root().join("a");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    sandbox.write("a", "2");
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_modified(time)
        .unwrap();
    assert!(
        !before.is_same(seen()),
        "the time that can be set was set back"
    );
}

#[test]
fn whole_seconds_are_trusted_later_than_fractions() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(100_500);
    let stat = |seconds, nanoseconds| Stat {
        ctime: (seconds, nanoseconds),
        ..Stat::default()
    };
    let cases = [
        (100, 0, false),
        (99, 0, false),
        (98, 0, true),
        (100, 450_000_000, false),
        (100, 390_000_000, true),
    ];
    for (seconds, nanoseconds, noted) in cases
        .into_iter()
        .chain([(101, 5, false), (100, 500_000_000, false)])
    {
        let stamp = Stamp::settled(&stat(seconds, nanoseconds), now);
        assert_eq!(stamp.bits() != 0, noted, "{seconds} {nanoseconds}");
    }
}

#[test]
fn what_decides_about_line_endings_and_filters_is_told() {
    let sandbox = Sandbox::with(&[], &[("a", "1")]);
    let mark = || sandbox.repo().conversion_mark();
    let mut marks = vec![mark().unwrap()];
    for (name, value) in [
        ("core.autocrlf", "true"),
        ("core.eol", "crlf"),
        ("filter.x.clean", "cat"),
    ] {
        sandbox.git(&["config", name, value]);
        marks.push(mark().unwrap());
    }
    fs::create_dir_all(sandbox.root().join(".git/info")).unwrap();
    fs::write(sandbox.root().join(".git/info/attributes"), "* text\n").unwrap();
    assert_eq!(mark(), None, "it was written just now");
    std::thread::sleep(FINE_TICK + Duration::from_millis(50));
    marks.push(mark().unwrap());
    let apart: std::collections::BTreeSet<u64> = marks.iter().copied().collect();
    assert_eq!(apart.len(), marks.len(), "{marks:?}");
}
