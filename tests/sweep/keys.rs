//! Keys of real configuration files: each entry put back leaves the file as it was, and what an edit makes is what other
//! readers of the language say it is.
mod letter;
mod random;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use segedit::diagnostic::{Code, Diagnostic};
use segedit::manifest::{KeySelector, Operation, Part, Scoped, Selector, Verb};
use segedit::path::RepoPath;
use segedit::plan::action::{edits_of, plan_operation};
use segedit::plan::edit::Edit;
use segedit::plan::overlap::compose;
use segedit::resolve::{Document, Purpose, Reading, locate};
use segedit::snapshot::HashKind;
use segedit::syntax::keys::{KeyFormat, KeySegment, ValueForm};
use segedit::syntax::language_of;

use crate::support::{python, sources};

/// Bytes that may be read again for one file: each entry put back reads all of it. `SEGEDIT_KEYS_BUDGET` says otherwise.
const BUDGET: usize = 6_000;
/// Largest file that is looked at, in bytes.
const LARGEST: usize = 100_000;

fn budget() -> usize {
    std::env::var("SEGEDIT_KEYS_BUDGET")
        .ok()
        .and_then(|bytes| bytes.parse().ok())
        .unwrap_or(BUDGET)
}

/// Returns the configuration files that others wrote.
fn files() -> Vec<PathBuf> {
    let mut files = sources::files(&[".json", ".jsonc", ".toml", ".yaml", ".yml", ".lock"]);
    files.retain(|path| as_repo_path(path).is_some_and(|path| has_keys(&path)));
    files
}

fn as_repo_path(path: &Path) -> Option<RepoPath> {
    RepoPath::parse(path.file_name()?.to_str()?).ok()
}

fn has_keys(path: &RepoPath) -> bool {
    language_of(path).is_some_and(|language| language.grammar.format().is_some())
}

fn document(path: &Path) -> Option<Document> {
    let bytes = std::fs::read(path)
        .ok()
        .filter(|bytes| bytes.len() <= LARGEST)?;
    Some(Document::new(
        as_repo_path(path)?,
        bytes.into(),
        HashKind::Sha1,
    ))
}

fn operation(path: &RepoPath, verb: Verb) -> Operation {
    Operation::on(path.clone(), verb)
}

fn edited(reading: &Reading<'_>, operation: &Operation) -> Result<Vec<u8>, Diagnostic> {
    let edits: Vec<Edit> = edits_of(&plan_operation(reading, operation)?, 0).collect();
    let splices = compose(reading.document, &edits, std::slice::from_ref(operation))
        .map_err(|mut all| all.remove(0))?;
    Ok(splices.apply(&reading.document.bytes))
}

#[derive(Default)]
struct Counts {
    files: AtomicUsize,
    entries: AtomicUsize,
    refused: AtomicUsize,
}

#[test]
fn every_entry_put_back_leaves_the_file_as_it_was() {
    let counts = Counts::default();
    let all = files();
    let differing: Vec<String> = all
        .par_iter()
        .flat_map(|file| put_back(file, &counts))
        .collect();
    let [files, entries, refused] = [&counts.files, &counts.entries, &counts.refused]
        .map(|count| count.load(Ordering::Relaxed));
    println!(
        "keys: {files} files, {entries} replacements, {refused} refused, {} differ",
        differing.len()
    );
    assert!(
        differing.is_empty(),
        "{} differ:\n{}",
        differing.len(),
        differing[..differing.len().min(40)].join("\n")
    );
    assert!(
        refused * 50 <= entries,
        "an ordinary entry is rarely tied to an alias"
    );
    assert!(
        all.is_empty() || entries > 1_000,
        "real files have more entries than that"
    );
}

/// Replaces each entry by what `show` prints, by that without its margin, and by its bare value.
fn put_back(file: &Path, counts: &Counts) -> Vec<String> {
    let Some(document) = document(file) else {
        return Vec::new();
    };
    let Some(Ok(tree)) = document.keys() else {
        return Vec::new();
    };
    counts.files.fetch_add(1, Ordering::Relaxed);
    let reading = Reading::of(&document);
    let budget = budget();
    let most = (budget / document.bytes.len().max(1)).clamp(1, 300);
    let step = tree.entries.len().div_ceil(most).max(1);
    let mut differing = Vec::new();
    for (at, entry) in tree.entries.iter().enumerate().skip(1).step_by(step) {
        if entry.parent.is_none()
            || entry.odd.is_some()
            || matches!(entry.form, ValueForm::Implied | ValueForm::Tables)
        {
            continue;
        }
        let address = tree.address(at);
        let selector = || Scoped::from(Selector::Key(KeySelector::parse(&address).unwrap()));
        let Ok((shown, _)) = locate(&reading, &selector(), None, Purpose::Edit) else {
            continue;
        };
        let value = Some((entry.tagged(), Some(Part::Body))).filter(|(value, _)| !value.is_empty());
        for (span, part) in [(shown.span, None)].into_iter().chain(value) {
            let Ok(text) = std::str::from_utf8(span.of(&document.bytes)) else {
                continue;
            };
            for content in [text.to_owned(), dedented(text)] {
                counts.entries.fetch_add(1, Ordering::Relaxed);
                let verb = Verb::Replace {
                    selector: Some(selector()),
                    part,
                    content,
                    indent: None,
                    expect: None,
                };
                let what = match edited(&reading, &operation(&document.path, verb)) {
                    Ok(after) if after == *document.bytes => continue,
                    Ok(_) => "differs".to_owned(),
                    Err(refused) if is_a_tie(&refused) => {
                        counts.refused.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    Err(refused) => refused.message,
                };
                differing.push(format!("{}::{address} ({part:?}): {what}", file.display()));
            }
        }
    }
    differing
}

fn is_a_tie(refused: &Diagnostic) -> bool {
    refused.code == Code::Unsupported && refused.message.contains("anchor")
}

/// Returns `text` without the margin that its lines share.
fn dedented(text: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let margin = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(blanks)
        .min()
        .unwrap_or(0);
    text.split('\n')
        .map(|line| line.get(margin..).unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// What other readers say of an edit.
#[derive(serde::Serialize)]
struct Row {
    #[serde(skip)]
    name: String,
    format: &'static str,
    op: &'static str,
    way: Vec<serde_json::Value>,
    before: String,
    after: String,
}

#[test]
fn other_readers_find_just_that_change() {
    if !python::has_tomllib() {
        return;
    }
    let refused = AtomicUsize::new(0);
    let rows: Vec<Row> = files()
        .par_iter()
        .flat_map(|file| rows(file, &refused))
        .collect();
    let input: Vec<u8> = rows
        .iter()
        .flat_map(|row| {
            [serde_json::to_string(row).unwrap(), "\n".to_owned()]
                .concat()
                .into_bytes()
        })
        .collect();
    let told = python::ask("keys.py", input);
    let verdicts: Vec<&str> = told.lines().collect();
    assert_eq!(verdicts.len(), rows.len());
    let count = |wanted: &str| {
        verdicts
            .iter()
            .filter(|verdict| **verdict == wanted)
            .count()
    };
    let (same, unknown) = (count("same"), count("unknown"));
    let wrong: Vec<String> = rows
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| !matches!(**verdict, "same" | "unknown"))
        .map(|(row, verdict)| format!("{} {}: {verdict}", row.op, row.name))
        .collect();
    println!(
        "keys: {} edits, {same} the same to other readers, {unknown} not judged, {} refused, {} wrong",
        rows.len(),
        refused.load(Ordering::Relaxed),
        wrong.len()
    );
    assert!(
        refused.load(Ordering::Relaxed) * 50 <= rows.len(),
        "an edit of an ordinary file is rarely refused"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// Deletes, replaces and inserts beside a few entries of one file, each by itself.
fn rows(file: &Path, refused: &AtomicUsize) -> Vec<Row> {
    let Some(document) = document(file) else {
        return Vec::new();
    };
    let Some(Ok(tree)) = document.keys() else {
        return Vec::new();
    };
    let Ok(before) = std::str::from_utf8(&document.bytes) else {
        return Vec::new();
    };
    let format = match document
        .language
        .and_then(|language| language.grammar.format())
    {
        Some(KeyFormat::Json) => "json",
        Some(KeyFormat::Toml) => "toml",
        Some(KeyFormat::Yaml) => "yaml",
        Some(KeyFormat::Jsonc) | None => return Vec::new(),
    };
    let reading = Reading::of(&document);
    let most = (budget() / before.len().max(1)).clamp(1, 40);
    let step = tree.entries.len().div_ceil(most).max(1);
    let mut rows = Vec::new();
    for (at, entry) in tree.entries.iter().enumerate().skip(1).step_by(step) {
        let Some(parent) = entry.parent.and_then(|parent| tree.get(parent)) else {
            continue;
        };
        let mut way: Vec<serde_json::Value> = tree
            .path(at)
            .into_iter()
            .map(|step| match step {
                KeySegment::Key(key) => key.clone().into(),
                KeySegment::Item(number) => (*number).into(),
            })
            .collect();
        if format == "yaml" && tree.roots.len() == 1 {
            way.insert(0, 0.into());
        }
        let address = tree.address(at);
        let selector = || Scoped::from(Selector::Key(KeySelector::parse(&address).unwrap()));
        let new = match (format, &entry.step, parent.form) {
            ("json", KeySegment::Key(_), _) => "\"segedit-new\": 7",
            ("yaml", KeySegment::Key(_), _) => "segedit-new: 7",
            ("yaml", KeySegment::Item(_), ValueForm::Block(_)) => "- 7",
            (_, KeySegment::Key(_), _) => "segedit-new = 7",
            (_, KeySegment::Item(_), _) => "7",
        };
        let table = !entry.regions.is_empty();
        let verbs = [
            (
                "delete",
                Some(Verb::Delete {
                    selector: selector(),
                    part: None,
                    expect: None,
                }),
            ),
            (
                "replace",
                (!table).then(|| Verb::Replace {
                    selector: Some(selector()),
                    part: None,
                    content: "7".to_owned(),
                    indent: None,
                    expect: None,
                }),
            ),
            (
                "insert",
                (!table).then(|| Verb::Insert {
                    selector: Some(selector()),
                    position: None,
                    content: new.to_owned(),
                    part: None,
                    indent: None,
                }),
            ),
        ];
        for (op, verb) in verbs {
            let Some(verb) = verb else { continue };
            match edited(&reading, &operation(&document.path, verb)) {
                Ok(after) => rows.push(Row {
                    name: format!("{}::{address}", file.display()),
                    format,
                    op,
                    way: way.clone(),
                    before: before.to_owned(),
                    after: String::from_utf8(after).unwrap(),
                }),
                Err(_) => drop(refused.fetch_add(1, Ordering::Relaxed)),
            }
        }
    }
    rows
}
