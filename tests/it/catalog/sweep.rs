//! The standard library of the machine's Python and the Markdown of cargo's registry: for many names the answer with the index is
//! the one without.

use std::collections::BTreeSet;

use segedit::path::RepoPath;
use segedit::resolve::{Document, Reading, segments};
use segedit::snapshot::HashKind;

use super::without_index;
use crate::python;
use crate::support::Sandbox;

/// How many files of each sort, and how many names; every file and 1,500 names where `SEGEDIT_SWEEP` is set.
fn extent() -> (usize, usize) {
    if std::env::var_os("SEGEDIT_SWEEP").is_some() { (usize::MAX, 1_500) } else { (120, 60) }
}

#[test]
fn the_answers_of_both_ways_are_the_same() {
    let Some((library, _)) = python::library() else { return };
    let (most, names) = extent();
    let mut files = python::files(&library);
    thin(&mut files, most);
    let mut pages = crate::markdown::registry_files();
    thin(&mut pages, most);
    let sandbox = Sandbox::unborn();
    let mut asked = BTreeSet::new();
    for (at, file) in files.iter().chain(&pages).enumerate() {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("d{}/{at}-{name}", at % 23);
        let (Ok(bytes), Ok(parsed)) = (std::fs::read(file), RepoPath::parse(&path)) else { continue };
        sandbox.write(&path, &bytes);
        let document = Document::new(parsed, bytes.into(), HashKind::Sha1);
        for segment in segments(&Reading::of(&document)) {
            asked.insert(segment.name.clone());
            asked.extend(segment.address.split_once("::").map(|(_, within)| within.to_owned()));
        }
    }
    sandbox.git(&["add", "-A", "-f", "."]);
    let mut asked: Vec<String> = asked.into_iter().filter(|name| !name.is_empty() && !name.contains('\0')).collect();
    thin(&mut asked, names);
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
        if long { without_index(sandbox, &args) } else { sandbox.segedit(&args) }
    };
    let mut found = 0;
    for name in asked.iter().filter(|name| !name.starts_with('-')) {
        let (short, long) = (ask(name, false), ask(name, true));
        assert!(short.exit == long.exit && short.stdout == long.stdout, "with the index\n{short}\nwithout\n{long}");
        found += usize::from(short.exit == 0);
    }
    println!("sweep: {} names, {found} of them found", asked.len());
    assert!(found > asked.len() / 2, "names of segments are found");
}
