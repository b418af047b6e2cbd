//! A git folder that a stranger made: whatever is planted there, no command changes a file of somebody else's, and none that reads
//! starts a program.
//!
//! `fuzz/run` gives it a home of its own: a seal's key is kept there, and the settings of whoever runs it decide nothing.
#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use libfuzzer_sys::fuzz_target;
use segedit::actions::apply::{self, Options};
use segedit::actions::look::{self, RevPath};
use segedit::actions::{history, judge};
use segedit::git::{Durability, Repo};
use segedit::manifest::yaml;
use segedit::path::{Reach, RepoPath};
use segedit_fuzz::stranger::{Choices, Ground, TREASURE, plant};

fn git(folder: &Path, arguments: &[&str]) -> String {
    let branch = ["-c", "init.defaultBranch=main"];
    let output = Command::new("git")
        .current_dir(folder)
        .args(branch)
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn belongings(treasure: &Path) -> BTreeMap<&'static str, Vec<u8>> {
    TREASURE
        .iter()
        .map(|name| (*name, fs::read(treasure.join(name)).unwrap_or_default()))
        .collect()
}

fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir().join(format!("segedit-fuzz-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let (repo, treasure, mark) = (
        folder.join("repo"),
        folder.join("treasure"),
        folder.join("mark"),
    );
    fs::create_dir_all(&repo).expect("a folder");
    for name in TREASURE {
        let file = treasure.join(name);
        fs::create_dir_all(file.parent().expect("a file stands in a folder")).expect("a folder");
        fs::write(file, format!("{name}\n")).expect("a file");
    }
    git(&repo, &["init", "-q"]);
    // Without a name there is no commit, and nothing past it is tried.
    git(&repo, &["config", "user.name", "A"]);
    git(&repo, &["config", "user.email", "a@example.org"]);
    fs::write(repo.join("a.py"), "def first():\n    return 1\n").expect("a file");
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-qm", "first"]);
    let tip = git(&repo, &["rev-parse", "HEAD"]);
    let mut choices = Choices(bytes);
    plant(
        &Ground {
            repo: &repo,
            treasure: &treasure,
            mark: &mark,
            tip: &tip,
        },
        &mut choices,
    );
    let before = belongings(&treasure);
    let file = |rev: Option<&str>| RevPath {
        rev: rev.map(str::to_owned),
        path: RepoPath::parse("a.py").expect("a plain path"),
    };
    if let Ok(repo) = Repo::glance(&repo) {
        let _ = look::outline(
            repo,
            &[file(Some("HEAD")), file(None)].map(look::AskedPath::Path),
        );
    }
    if let Ok(repo) = Repo::glance(&repo) {
        let _ = look::show(repo, &file(None), "first", None);
    }
    let _ = history::log(&repo, None);
    let _ = judge::check_staged(&repo, &|_: &str| {});
    assert!(!mark.exists(), "a program was started");
    let text =
        b"version: 1\noperations:\n- {op: replace, file: a.py, symbol: first, content: 'def first(): return 2'}\n";
    let manifest = yaml::read("x.yaml", text).expect("a well-formed operation file");
    let options = || Options {
        no_verify: true,
        durability: Durability::Configured,
        diff: false,
        report: |_| Vec::new(),
        progress: Box::new(|_| {}),
        origin: None,
        reach: Reach::default(),
    };
    let _ = apply::run(&repo, vec![manifest], &options());
    let _ = history::undo(&repo, None, history::StepMode::Do, &options());
    let _ = history::recover(&repo);
    assert!(
        belongings(&treasure) == before,
        "a file of somebody else's changed"
    );
    let _ = fs::remove_dir_all(&folder);
});
