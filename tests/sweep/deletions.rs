//! Deleting definitions of real files leaves them as a formatter has them: JavaScript of ESLint's authors, who format theirs with
//! prettier, judged by that. Skipped, saying so, where one of the two is not there. `benches/deletions.py` does it for any folder and
//! for other languages.

use std::path::PathBuf;
use std::process::Command;

use rayon::prelude::*;
use segedit::manifest::{Scoped, Selector, SymbolSelector, Verb};
use segedit::path::RepoPath;
use segedit::resolve::{Document, Reading};
use segedit::snapshot::HashKind;

use crate::neighbours::made;
use crate::support::{sources, tools};

/// At most so many definitions of a file are deleted, each from the file as it was.
const MOST_OF_A_FILE: usize = 4;

/// The authors' own settings, which the package does not bring along.
const SETTINGS: &str = r#"{"useTabs": true, "tabWidth": 4, "arrowParens": "avoid"}"#;

#[test]
fn deleted_definitions_of_javascript_leave_what_prettier_would_not_change() {
    if !tools::has_all(&["eslint", "prettier"]) {
        return;
    }
    let files = sources::files_below(
        &tools::folder().join("node/node_modules/eslint/lib"),
        &[".js"],
    );
    let originals: Vec<String> = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    let unclean = unclean(&originals);
    let clean: Vec<(&PathBuf, &String)> = files
        .iter()
        .zip(&originals)
        .enumerate()
        .filter(|(at, _)| !unclean.contains(at))
        .map(|(_, it)| it)
        .collect();
    let deletions: Vec<(String, Option<String>)> = clean
        .par_iter()
        .flat_map_iter(|(file, text)| deletions(&file.display().to_string(), text))
        .collect();
    let (names, results): (Vec<&String>, Vec<String>) = deletions
        .iter()
        .filter_map(|(name, result)| Some((name, result.clone()?)))
        // Not every formatter takes an empty file for a clean one.
        .filter(|(_, result)| !result.is_empty())
        .unzip();
    let changed = self::unclean(&results);
    println!(
        "javascript: {} files as prettier has them, {} deletions, {} refused, {} unclean afterwards",
        clean.len(),
        results.len(),
        deletions
            .iter()
            .filter(|(_, result)| result.is_none())
            .count(),
        changed.len()
    );
    let told: Vec<String> = changed
        .iter()
        .take(10)
        .map(|&at| format!("{}\n{}", names[at], results[at]))
        .collect();
    assert!(
        changed.is_empty(),
        "{} are unclean:\n{}",
        changed.len(),
        told.join("\n")
    );
    assert!(
        results.len() >= 300,
        "ESLint has more definitions than that"
    );
}

/// Deletes some definitions of a file, each by itself: its name with the text that it leaves, unless that is refused.
fn deletions(file: &str, text: &str) -> Vec<(String, Option<String>)> {
    let path = RepoPath::parse("a.js").unwrap();
    let document = Document::new(path.clone(), text.as_bytes().into(), HashKind::Sha1);
    let reading = Reading::of(&document);
    let addresses: Vec<String> = reading
        .named()
        .iter()
        .map(|named| named.address())
        .collect();
    let chosen = addresses
        .iter()
        .step_by(addresses.len().div_ceil(MOST_OF_A_FILE).max(1));
    let deletion = |address: &String| {
        let selector = Scoped::from(Selector::Symbol(SymbolSelector::parse(address).unwrap()));
        let (splices, refusals) = made(
            &path,
            text,
            Verb::Delete {
                selector,
                part: None,
                expect: None,
            },
        )?;
        refusals
            .is_empty()
            .then(|| String::from_utf8(splices.apply(text.as_bytes())).unwrap())
    };
    chosen
        .map(|address| (format!("{file} {address}"), deletion(address)))
        .collect()
}

/// Returns the positions of the texts that prettier would change.
fn unclean(texts: &[String]) -> Vec<usize> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".prettierrc.json"), SETTINGS).unwrap();
    for (at, text) in texts.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{at}.js")), text).unwrap();
    }
    let mut prettier = Command::new(tools::folder().join("bin/prettier"));
    prettier
        .args(["--list-different", "*.js"])
        .current_dir(folder.path())
        .env("PATH", tools::path());
    let done = prettier.output().unwrap();
    assert!(
        done.stderr.is_empty(),
        "prettier: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    let told = String::from_utf8(done.stdout).unwrap();
    let number = |line: &str| {
        line.trim_end_matches(".js")
            .parse()
            .unwrap_or_else(|_| panic!("prettier: {line}"))
    };
    told.lines().map(number).collect()
}
