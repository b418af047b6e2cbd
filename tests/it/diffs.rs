//! Diffs, judged by git itself: `git apply` takes them and gives the new bytes, and the counts are git's own.

use std::path::Path;
use std::process::{Command, Output};

use segedit::diff::{self, DiffSide, DiffStyle};
use segedit::path::RepoPath;
use segedit::snapshot::{File, FileMode};

/// Real text to edit: long enough for several hunks, with repeated lines that a change can slide along.
const TEXTS: [&[u8]; 3] = [
    include_bytes!("../../src/path.rs"),
    include_bytes!("../../src/diff/hunks.rs"),
    include_bytes!("../../Cargo.toml"),
];

/// Numbers without a pattern, the same in each run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % bound.max(1)
    }
}

/// Returns `text` with lines changed, copied, moved away or doubled, and its end with or without a line ending.
fn edited(text: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    for _ in 0..numbers.below(9) {
        let (at, other) = (numbers.below(lines.len()), numbers.below(lines.len()));
        match numbers.below(6) {
            0 => lines[at].splice(0..0, *b"changed ").for_each(drop),
            1 => lines.insert(at, lines[other].clone()),
            2 if lines.len() > 9 => lines
                .drain(at..(at + numbers.below(8)).min(lines.len()))
                .for_each(drop),
            3 => lines.insert(at, b"\n".to_vec()),
            4 => lines[at].splice(0..0, [0xff, 0xe9]).for_each(drop),
            _ => {
                let block: Vec<Vec<u8>> = lines[at..(at + 5).min(lines.len())].to_vec();
                lines.splice(at..at, block);
            }
        }
    }
    let mut bytes = lines.concat();
    if numbers.below(4) == 0 && bytes.ends_with(b"\n") {
        bytes.pop();
    }
    bytes
}

fn git(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    std::fs::write(folder.join("input"), input).expect("a scratch folder can be written");
    Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .stdin(std::fs::File::open(folder.join("input")).expect("it was just written"))
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder)
        .env("LC_ALL", "C")
        .output()
        .expect("git can be run")
}

fn file(bytes: &[u8], mode: FileMode) -> File {
    File {
        mode,
        bytes: bytes.into(),
    }
}

/// Applies our diff with git and compares what is there afterwards.
#[track_caller]
fn check_applies(old: Option<(&str, &File)>, new: Option<(&str, &File)>, style: DiffStyle<'_>) {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let at = |name: &str| folder.path().join("tree").join(name);
    std::fs::create_dir(at("")).expect("it is empty");
    let [old_path, new_path] =
        [old, new].map(|side| side.map(|(name, _)| RepoPath::parse(name).expect("a path")));
    if let Some((name, file)) = old {
        std::fs::create_dir_all(at(name).parent().expect("it has one")).expect("it can be made");
        std::fs::write(at(name), &file.bytes).expect("it can be written");
    }
    let diff = diff::unified(
        old_path
            .as_ref()
            .zip(old)
            .map(|(path, (_, file))| DiffSide { path, file }),
        new_path
            .as_ref()
            .zip(new)
            .map(|(path, (_, file))| DiffSide { path, file }),
        style,
    );
    if diff.is_empty() {
        assert_eq!(old.map(|(_, file)| file), new.map(|(_, file)| file));
        return;
    }
    let unidiff_zero: &[&str] = if style.context == 0 {
        &["--unidiff-zero"]
    } else {
        &[]
    };
    let arguments = [
        &["apply", "--directory=tree", "--whitespace=nowarn"],
        unidiff_zero,
        &["-"],
    ]
    .concat();
    let output = git(folder.path(), &arguments, &diff);
    let shown = String::from_utf8_lossy(&diff);
    assert!(
        output.status.success(),
        "{}\n{shown}",
        String::from_utf8_lossy(&output.stderr)
    );
    if let Some((name, file)) = new {
        assert_eq!(
            std::fs::read(at(name)).expect("it is there"),
            &*file.bytes,
            "{shown}"
        );
    }
    if let Some((name, _)) = old.filter(|(name, _)| new.is_none_or(|(new, _)| new != *name)) {
        assert!(!at(name).exists(), "{name:?} should be gone");
    }
}

/// The same texts with each kind of line ending.
fn texts() -> Vec<Vec<u8>> {
    let crlf = |text: &[u8]| {
        String::from_utf8_lossy(text)
            .replace('\n', "\r\n")
            .into_bytes()
    };
    TEXTS
        .iter()
        .flat_map(|text| [text.to_vec(), crlf(text)])
        .chain([b"".to_vec(), b"one line".to_vec()])
        .collect()
}

#[test]
fn git_applies_what_is_shown() {
    let mut numbers = Numbers(20_261_121);
    let heading = |line: usize| Some(format!("a.py::line{line}"));
    for text in texts() {
        for context in [3, 3, 3, 1, 0] {
            let base = if text.is_empty() {
                Vec::new()
            } else {
                edited(&text, &mut numbers)
            };
            let new = if base.is_empty() {
                b"a\n".to_vec()
            } else {
                edited(&base, &mut numbers)
            };
            let (base, new) = (
                file(&base, FileMode::Regular),
                file(&new, FileMode::Regular),
            );
            let style = DiffStyle {
                context,
                heading: &heading,
            };
            check_applies(Some(("a.txt", &base)), Some(("a.txt", &new)), style);
        }
    }
}

#[test]
fn git_applies_creations_removals_renames_and_modes() {
    let (text, other) = (
        file(b"a\nb\nc\nd\n", FileMode::Regular),
        file(b"a\nb\nx\nd", FileMode::Regular),
    );
    let (empty, runs) = (
        file(b"", FileMode::Regular),
        file(b"a\nb\nc\nd\n", FileMode::Executable),
    );
    for name in [
        "plain.txt",
        "with space.txt",
        "dir/ü\"q\".txt",
        "tab\tand\nfeed",
        "back\\slash",
        "\u{1}bell\u{7}",
    ] {
        for content in [&text, &other, &empty, &runs] {
            check_applies(None, Some((name, content)), DiffStyle::default());
            check_applies(Some((name, content)), None, DiffStyle::default());
            check_applies(
                Some((name, content)),
                Some(("moved to.txt", content)),
                DiffStyle::default(),
            );
        }
        check_applies(
            Some((name, &text)),
            Some(("moved", &other)),
            DiffStyle::default(),
        );
        check_applies(
            Some((name, &text)),
            Some((name, &runs)),
            DiffStyle::default(),
        );
        check_applies(
            Some((name, &text)),
            Some((name, &empty)),
            DiffStyle::default(),
        );
        check_applies(
            Some((name, &empty)),
            Some((name, &text)),
            DiffStyle::default(),
        );
    }
}

#[test]
fn counts_are_gits() {
    let mut numbers = Numbers(7);
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    for text in texts().into_iter().filter(|text| text.len() > 100) {
        for _ in 0..12 {
            let new = edited(&text, &mut numbers);
            std::fs::write(folder.path().join("old"), &text).expect("it can be written");
            std::fs::write(folder.path().join("new"), &new).expect("it can be written");
            let arguments = [
                "diff",
                "--no-index",
                "--histogram",
                "--numstat",
                "old",
                "new",
            ];
            let output = git(folder.path(), &arguments, b"");
            let numstat = String::from_utf8_lossy(&output.stdout);
            let words: Vec<usize> = numstat
                .split_whitespace()
                .take(2)
                .filter_map(|word| word.parse().ok())
                .collect();
            let (added, removed) = diff::count(Some(&text), Some(&new));
            assert_eq!(
                [added, removed],
                words.as_slice().try_into().unwrap_or([0, 0]),
                "{numstat}"
            );
        }
    }
}

#[test]
fn a_large_file_with_one_edit_is_compared_where_it_differs() {
    let line = b"the same line over and over, but for its number: ";
    let mut old: Vec<u8> = Vec::new();
    for number in 0..1_000_000 {
        old.extend_from_slice(line);
        old.extend_from_slice(format!("{number}\n").as_bytes());
    }
    let mut new = old.clone();
    let middle = old.len() / 2;
    new[middle] ^= 1;
    let hunks = diff::hunks(&old, &new);
    let [hunk] = hunks.as_slice() else {
        panic!("one line changed, not {hunks:?}")
    };
    assert!(hunk.old.start <= middle && middle < hunk.old.end && hunk.old.len() < 80);
    assert_eq!(
        hunk.old_lines.start,
        old[..hunk.old.start]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
    );
}
