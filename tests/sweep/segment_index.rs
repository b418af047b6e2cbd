//! The index of segments over Python and Markdown that others wrote: for many names the answer of `find` with it is the one
//! without.

use std::collections::BTreeSet;

use segedit::path::RepoPath;
use segedit::resolve::{Document, Reading, segments};
use segedit::snapshot::HashKind;

use crate::support::{Sandbox, sources};

/// How many names are looked up.
const NAMES: usize = 60;
/// How many files of each sort there are.
const FILES: usize = 120;

#[test]
fn the_answers_of_both_ways_are_the_same() {
    let files = sources::sample(sources::files(&[".py"]), FILES);
    let pages = sources::sample(sources::files(&[".md"]), FILES);
    let sandbox = Sandbox::unborn();
    let mut asked = BTreeSet::new();
    for (at, file) in files.iter().chain(&pages).enumerate() {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("d{}/{at}-{name}", at % 23);
        let (Ok(bytes), Ok(parsed)) = (std::fs::read(file), RepoPath::parse(&path)) else {
            continue;
        };
        sandbox.write(&path, &bytes);
        let document = Document::new(parsed, bytes.into(), HashKind::Sha1);
        for segment in segments(&Reading::of(&document)) {
            asked.insert(segment.name.clone());
            asked.extend(
                segment
                    .address
                    .split_once("::")
                    .map(|(_, within)| within.to_owned()),
            );
        }
    }
    sandbox.git(&["add", "-A", "-f", "."]);
    let mut asked: Vec<String> = asked
        .into_iter()
        .filter(|name| !name.is_empty() && !name.contains('\0'))
        .collect();
    thin(&mut asked, NAMES);
    compare(&sandbox, &asked);
}

fn thin<T>(all: &mut Vec<T>, most: usize) {
    let step = all.len().div_ceil(most.max(1)).max(1);
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        (at - 1) % step == 0
    });
}

fn compare(sandbox: &Sandbox, asked: &[String]) {
    let ask = |name: &str, long: bool| {
        let args = ["find", "--format", "json", name];
        if long {
            sandbox.segedit_without_index(&args)
        } else {
            sandbox.segedit(&args)
        }
    };
    let mut found = 0;
    for name in asked.iter().filter(|name| !name.starts_with('-')) {
        let (short, long) = (ask(name, false), ask(name, true));
        assert!(
            short.exit == long.exit && short.stdout == long.stdout,
            "with the index\n{short}\nwithout\n{long}"
        );
        found += usize::from(short.exit == 0);
    }
    println!("sweep: {} names, {found} of them found", asked.len());
    assert!(found > asked.len() / 2, "names of segments are found");
}
