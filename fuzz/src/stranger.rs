//! Plants what a stranger could have left in a git folder, as bytes choose.
//!
//! Only what git itself does not act on in its own way: a link in the place of `refs` or `objects` leads where it leads for git,
//! too. What is planted names files of somebody else's, which nothing may touch, and programs, which leave a mark.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Where everything is.
pub struct Ground<'a> {
    /// The worktree's root, its git folder in it.
    pub repo: &'a Path,
    /// Files of somebody else's.
    pub treasure: &'a Path,
    /// What a program leaves that was started.
    pub mark: &'a Path,
    /// The commit that HEAD names.
    pub tip: &'a str,
}

/// Choices, made of bytes; past their end the first.
pub struct Choices<'b>(pub &'b [u8]);

impl Choices<'_> {
    /// Returns a number below `many`.
    pub fn below(&mut self, many: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first) % many.max(1)
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// Files that belong to somebody else: each is there before anything is planted.
pub const TREASURE: [&str; 7] = [
    "bashrc",
    "index",
    "index.lock",
    "main.lock",
    "newest",
    ".segedit-Ab3/0",
    "worktree/.git/index",
];

const PLACES: [&str; 26] = [
    "segedit/journal",
    "segedit/journal.new",
    "segedit/journal.refused",
    "segedit/intents/00000000000001-b1",
    "segedit/intents",
    "segedit/lock",
    "segedit/cache/newest",
    "segedit/cache",
    "segedit/log.aside",
    "segedit/packed-refs.new",
    "segedit/.segedit-Ab3/0",
    "segedit/.segedit-Ab3",
    "segedit/tmp-x/a",
    "segedit/drafts/orders.yaml",
    "segedit/drafts/orders.yaml.new",
    "segedit/drafts/orders.lock",
    "segedit/drafts",
    "segedit/findings/x",
    "segedit/index.sqlite",
    "segedit",
    "index.lock",
    "index.segedit-x",
    "worktrees/w/gitdir",
    "worktrees/w/HEAD",
    "worktrees/w",
    "info/attributes",
];

/// Settings that make git start a program.
const STARTS: [&str; 10] = [
    "filter.x.clean",
    "filter.x.smudge",
    "filter.x.process",
    "core.fsmonitor",
    "core.sshCommand",
    "core.pager",
    "diff.external",
    "gpg.program",
    "credential.helper",
    "segedit.trust",
];

/// Plants.
pub fn plant(ground: &Ground<'_>, choices: &mut Choices<'_>) {
    for _ in 0..=choices.below(4) {
        match choices.below(8) {
            0..4 => put(
                ground,
                "segedit/journal",
                journal(ground, choices).to_string().as_bytes(),
            ),
            4 => put(
                ground,
                "segedit/intents/00000000000001-b1",
                intent(ground, choices).to_string().as_bytes(),
            ),
            _ => anything(ground, choices),
        }
    }
    for _ in 0..choices.below(3) {
        setting(ground, choices);
    }
}

/// Writes a file of the git folder.
fn put(ground: &Ground<'_>, place: &str, bytes: &[u8]) {
    let place = ground.repo.join(".git").join(place);
    if let Some(above) = place.parent() {
        let _ = fs::create_dir_all(above);
    }
    let _ = fs::remove_file(&place);
    let _ = fs::write(&place, bytes);
}

fn anything(ground: &Ground<'_>, choices: &mut Choices<'_>) {
    let name = choices.of(&PLACES);
    // Makes room, and what is above it.
    put(ground, name, b"");
    let place = ground.repo.join(".git").join(name);
    match choices.below(6) {
        0..3 => {
            let _ = fs::remove_file(&place);
            let _ = symlink(path(ground, choices), &place);
        }
        3 => {
            let _ = fs::remove_file(&place);
            let _ = fs::create_dir_all(&place);
        }
        4 => put(
            ground,
            name,
            format!("{}\n", path(ground, choices).display()).as_bytes(),
        ),
        _ => put(ground, name, choices.0),
    }
}

fn setting(ground: &Ground<'_>, choices: &mut Choices<'_>) {
    let name = choices.of(&STARTS);
    let value = if name == "segedit.trust" {
        "always".to_owned()
    } else {
        format!("touch '{}'", ground.mark.display())
    };
    let (section, key) = name.rsplit_once('.').unwrap_or((name, "x"));
    let section = section
        .split_once('.')
        .map_or(section.to_owned(), |(first, rest)| {
            format!("{first} \"{rest}\"")
        });
    let config = ground.repo.join(".git/config");
    let text = fs::read_to_string(&config).unwrap_or_default();
    let _ = fs::write(
        &config,
        format!("{text}[{section}]\n\t{key} = \"{value}\"\n"),
    );
    let hook = ground.repo.join(".git/hooks/post-index-change");
    let _ = fs::create_dir_all(ground.repo.join(".git/hooks"));
    let _ = fs::write(
        &hook,
        format!("#!/bin/sh\ntouch '{}'\n", ground.mark.display()),
    );
    let _ = fs::set_permissions(&hook, fs::Permissions::from_mode(0o755));
}

/// Returns a path that a record may name.
fn path(ground: &Ground<'_>, choices: &mut Choices<'_>) -> PathBuf {
    let (repo, treasure) = (ground.repo, ground.treasure);
    match choices.below(14) {
        0 => repo.to_owned(),
        1 => repo.join(".git/index"),
        2 => repo.join(".git/index.lock"),
        3 => repo.join(".git/segedit/.segedit-Ab3"),
        4 => repo.join(".git/refs/heads/main.lock"),
        5 => PathBuf::from("/"),
        6 => PathBuf::from("../treasure/bashrc"),
        7 => repo.join("../treasure").join(choices.of(&TREASURE)),
        8 => treasure.join("worktree"),
        9 => treasure.join("worktree/.git"),
        10 => treasure.join(".segedit-Ab3"),
        11 => treasure.to_owned(),
        _ => treasure.join(choices.of(&TREASURE)),
    }
}

fn lock(ground: &Ground<'_>, choices: &mut Choices<'_>) -> Value {
    if choices.below(4) == 0 {
        return Value::Null;
    }
    let path = path(ground, choices);
    let inode = path.symlink_metadata().map_or(0, |found| found.ino());
    json!({"path": path, "inode": inode})
}

fn reference(choices: &mut Choices<'_>) -> &'static str {
    choices.of(&[
        "refs/heads/main",
        "refs/heads/main",
        "refs/heads/main",
        "refs/heads/main",
        "HEAD",
        "refs/heads/../../../../treasure/main",
        "refs/segedit/batches/../../../../../treasure/main",
        "refs/segedit/batches/00000000000001-b1",
        "refs/segedit/undone/00000000000001-b1",
        "../../treasure/main",
        "",
    ])
}

fn id(ground: &Ground<'_>, choices: &mut Choices<'_>) -> String {
    choices.of(&[
        ground.tip.to_owned(),
        ground.tip.to_owned(),
        "0".repeat(40),
        "x".to_owned(),
    ])
}

fn journal(ground: &Ground<'_>, choices: &mut Choices<'_>) -> Value {
    let (name, commit) = (reference(choices), id(ground, choices));
    let pivot = choices.of(&[
        json!({"ref": {"name": name, "new": commit}}),
        json!({"back": {"name": name, "old": commit}}),
        json!("index"),
        json!("journal"),
    ]);
    let mut sites = Vec::new();
    for _ in 0..1 + choices.below(2) {
        let file = choices.of(&["a.py", "../treasure/bashrc", ".git/config", "new.py"]);
        let version = |choices: &mut Choices<'_>| match choices.below(3) {
            0 => Value::Null,
            _ => json!({"bytes": id(ground, choices), "executable": false}),
        };
        sites.push(json!({
            "worktree": path(ground, choices),
            "index": path(ground, choices),
            "lock": lock(ground, choices),
            "stage": if choices.below(3) == 0 { Value::Null } else { json!(path(ground, choices)) },
            "steps": [{"path": file, "old": version(choices), "new": version(choices)}],
            "entries": [[file, null]],
        }));
    }
    let (version, ref_lock) = (choices.of(&[1, 1, 1, 2, 3]), lock(ground, choices));
    json!({"version": version, "pivot": pivot, "ref_lock": ref_lock, "sites": sites})
}

fn intent(ground: &Ground<'_>, choices: &mut Choices<'_>) -> Value {
    let file = json!({"path": "a.py", "status": "modified", "old": null,
        "new": {"blob": id(ground, choices), "mode": "100644"}, "added": 1, "removed": 1});
    let (name, commit, folder) = (
        reference(choices),
        id(ground, choices),
        path(ground, choices),
    );
    let proof = choices.of(&[
        json!({"reached": {"name": name, "commit": commit}}),
        json!({"left": {"name": name, "commit": commit}}),
        json!({"indexed": {"worktree": folder, "files": [file]}}),
        json!({"written": {"worktree": folder, "files": [file]}}),
        json!({"stashed": {"commit": commit}}),
        json!({"unstashed": {"commit": commit}}),
    ]);
    let (version, list) = (
        choices.of(&[1, 2]),
        json!([[reference(choices), id(ground, choices)]]),
    );
    let (make, remove) = if choices.below(2) == 0 {
        (list, json!([]))
    } else {
        (json!([]), list)
    };
    json!({"version": version, "proof": proof, "make": make, "remove": remove})
}
