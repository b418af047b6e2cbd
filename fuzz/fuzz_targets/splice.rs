//! A small batch on any file: what is planned changes nothing outside the ranges that its operations claim.
//!
//! The input is a program ahead of a line `====`, and the file behind it:
//!
//! ```text
//! py snapshot
//! r;yA.f;Pbody|return 1\n
//! d;l2-3
//! ====
//! class A: …
//! ```
//! The first line names the language and the order; every other line is an operation: a letter for the verb, fields
//! of one letter and their value, and the content behind `|`, with `\n` and `\t` for what they usually are. The
//! operations pass through the reader of operation files, so that only what is well-formed is planned.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use segedit::diagnostic::Code;
use segedit::manifest::{CheckMode, Manifest, yaml};
use segedit::path::RepoPath;
use segedit::plan::{self, FileEdit};
use segedit::snapshot::{Base, File, FileMode, HashKind, Id, Snapshot, SnapshotEntry};
use segedit::text::Span;
use segedit::verify;
use serde_json::{Map, Value, json};

const NAMES: [&str; 9] = [
    "a.py", "a.md", "a.txt", "a.js", "a.ts", "a.tsx", "a.rs", "a.go", "a.java",
];
const VERBS: [(u8, &str); 4] = [
    (b'r', "replace"),
    (b'i', "insert"),
    (b'd', "delete"),
    (b's', "substitute"),
];
const FIELDS: [(u8, &str); 12] = [
    (b'y', "symbol"),
    (b'c', "section"),
    (b't', "text"),
    (b'p', "pattern"),
    (b'l', "lines"),
    (b'w', "within"),
    (b'P', "part"),
    (b'o', "position"),
    (b'n', "indent"),
    (b'k', "kind"),
    (b'm', "match"),
    (b'N', "count"),
];
const MOST_OPERATIONS: usize = 6;

fuzz_target!(|input: &[u8]| {
    let Some((program, bytes)) = split(input) else {
        return;
    };
    let Some((name, manifest)) = manifest(&program) else {
        return;
    };
    let before = File {
        mode: FileMode::Regular,
        bytes: bytes.into(),
    };
    let snapshot = Snapshot {
        base: Base::Commit {
            commit: Id("1".repeat(40)),
            tree: Id("2".repeat(40)),
        },
        hash: HashKind::Sha1,
        entries: BTreeMap::from([(
            RepoPath::parse(name).expect("a plain name"),
            SnapshotEntry::File(before.clone()),
        )]),
        matches: BTreeMap::new(),
        templates: Default::default(),
        project: Default::default(),
    };
    let Ok(plan) = plan::build(&manifest, &snapshot, &plan::NoServers) else {
        return;
    };
    let mut current = before;
    for step in plan.candidate.steps() {
        for edit in &step.files {
            assert_eq!(
                edit.before.as_ref(),
                Some(&current),
                "a step begins where the one before it ended"
            );
            current = edit
                .after
                .clone()
                .expect("no operation here removes the file");
            check_edit(edit);
        }
    }
    let (look, ()) = verify::check(plan, &manifest.operations, CheckMode::Strict, |_| ());
    if let Err(rejected) = look.outcome {
        assert!(
            rejected
                .errors
                .iter()
                .all(|error| error.code != Code::Drift),
            "{:?}",
            rejected.errors
        );
    }
});

/// The old bytes outside the splices are the new ones, and a splice reaches past its operations' claims only over what
/// cannot be seen.
fn check_edit(edit: &FileEdit) {
    let (Some(before), Some(after), Some(splices)) = (&edit.before, &edit.after, &edit.splices)
    else {
        return;
    };
    let (old, new) = (&before.bytes, &after.bytes);
    assert_eq!(before.mode, after.mode);
    let mut rebuilt = Vec::new();
    let mut at = 0;
    for splice in splices.iter() {
        assert!(
            at <= splice.span.start && splice.span.end <= old.len(),
            "{:?} after {at}",
            splice.span
        );
        rebuilt.extend_from_slice(&old[at..splice.span.start]);
        rebuilt.extend_from_slice(&splice.bytes);
        at = splice.span.end;
        check_claimed(splice.span, &edit.claims, old);
    }
    rebuilt.extend_from_slice(&old[at..]);
    assert!(rebuilt == new[..], "the file is not its splices");
}

fn check_claimed(span: Span, claims: &[(Span, usize)], old: &[u8]) {
    for at in span.start..span.end {
        let claimed = claims
            .iter()
            .any(|(claim, _)| claim.start <= at && at < claim.end);
        assert!(
            claimed || old[at].is_ascii_whitespace(),
            "byte {at} is in {span:?} and in none of {claims:?}"
        );
    }
}

fn split(input: &[u8]) -> Option<(String, &[u8])> {
    const BORDER: &[u8] = b"\n====\n";
    let at = input
        .windows(BORDER.len())
        .position(|window| window == BORDER)?;
    Some((
        String::from_utf8_lossy(&input[..at]).into_owned(),
        &input[at + BORDER.len()..],
    ))
}

/// Returns the file's name and the batch that a program writes.
fn manifest(program: &str) -> Option<(&'static str, Manifest)> {
    let mut lines = program.lines();
    let head = lines.next()?;
    let name = NAMES.iter().find(|name| {
        head.split(' ')
            .next()
            .is_some_and(|word| name[2..] == *word)
    })?;
    let order = if head.ends_with("sequential") {
        "sequential"
    } else {
        "snapshot"
    };
    let operations: Vec<Value> = lines
        .take(MOST_OPERATIONS)
        .filter_map(|line| operation(name, line))
        .collect();
    let batch = json!({"version": 1, "resolve": order, "operations": operations});
    yaml::read("ops.yaml", batch.to_string().as_bytes())
        .ok()
        .map(|manifest| (*name, manifest))
}

fn operation(name: &str, line: &str) -> Option<Value> {
    let (fields, content) = line.split_once('|').unwrap_or((line, ""));
    let mut fields = fields.split(';');
    let verb = fields.next()?.bytes().next()?;
    let verb = VERBS.iter().find(|(letter, _)| *letter == verb)?.1;
    let mut operation = Map::from_iter([
        ("op".to_owned(), json!(verb)),
        ("file".to_owned(), json!(name)),
    ]);
    for field in fields {
        let mut letters = field.chars();
        let Some(letter) = letters.next().and_then(|letter| u8::try_from(letter).ok()) else {
            continue;
        };
        let value = unescaped(letters.as_str());
        let Some((_, field)) = FIELDS.iter().find(|(known, _)| *known == letter) else {
            continue;
        };
        let value = match *field {
            "within" if value.starts_with('#') => json!({"section": value}),
            "within" => json!({"symbol": value}),
            "indent" | "count" => value
                .parse::<u8>()
                .map_or(json!(value), |number| json!(number)),
            _ => json!(value),
        };
        operation.insert((*field).to_owned(), value);
    }
    let content = unescaped(content);
    match verb {
        "replace" | "insert" => drop(operation.insert("content".to_owned(), json!(content))),
        "substitute" => drop(operation.insert("replacement".to_owned(), json!(content))),
        _ => {}
    }
    Some(Value::Object(operation))
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\r", "\r")
}
