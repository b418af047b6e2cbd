//! What the authors of real packages changed between two versions, made again as language models ask for changes: each a call
//! of `segedit_edit` of a running server, once plainly and once in another way to write it, and all those of a file as one draft.
//! A change comes to the bytes that a plain exchange of the two texts gives, or it is refused with a code.
//!
//! Made alone, a change may well be refused rightly: what it belongs to is in another change of the same version.
//! `SEGEDIT_CHANGES` makes another number of edits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Map, Value, json};
use similar::TextDiff;

use crate::support::Sandbox;
use crate::support::conversation::Conversation;
use crate::support::sources;
use crate::support::tools;
use crate::support::writers;

/// How many files change by a draft.
const DRAFTS: usize = 20;

/// Most bytes of a file: what is longer was made by a program, as a rule.
const LONGEST: u64 = 300_000;

const ENDINGS: [&str; 12] = [
    ".py", ".js", ".ts", ".tsx", ".java", ".rs", ".md", ".html", ".css", ".json", ".toml", ".yml",
];

/// A file in two versions.
struct Pair {
    name: String,
    before: String,
    after: String,
}

/// One text of a file in the place of another that is there once.
#[derive(Clone)]
struct Edit {
    name: String,
    before: String,
    old: String,
    new: String,
}

impl Edit {
    fn after(&self) -> String {
        self.before.replacen(&self.old, &self.new, 1)
    }
}

/// Returns the packages of which there are two versions, as pairs of folders, the earlier one first.
fn packages() -> Vec<(PathBuf, PathBuf)> {
    let name = |folder: &Path| Some(folder.file_name()?.to_str()?.rsplit_once('-')?.0.to_owned());
    let later: BTreeMap<String, PathBuf> = folders(&sources::folder())
        .into_iter()
        .filter_map(|folder| Some((name(&folder)?, folder)))
        .collect();
    let fetched = folders(&tools::folder().join("earlier"))
        .into_iter()
        .filter_map(|earlier| {
            let later = later.get(&name(&earlier)?)?.clone();
            Some((earlier, later))
        });
    // Of some crates more than one version is built in.
    let crates = folders(&sources::folder().join("crates"));
    let twice = crates
        .windows(2)
        .filter(|pair| name(&pair[0]) == name(&pair[1]));
    fetched
        .chain(twice.map(|pair| (pair[0].clone(), pair[1].clone())))
        .collect()
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

/// Returns the files that differ between two versions of a package.
fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (earlier, later) in packages() {
        for file in sources::files_below(&earlier, &ENDINGS) {
            let other = later.join(file.strip_prefix(&earlier).expect("it was found there"));
            let is_short = |path: &Path| path.metadata().is_ok_and(|found| found.len() < LONGEST);
            if !is_short(&file) || !is_short(&other) {
                continue;
            }
            let (Ok(before), Ok(after)) = (
                std::fs::read_to_string(&file),
                std::fs::read_to_string(&other),
            ) else {
                continue;
            };
            let is_written_by_hand = before.lines().all(|line| line.len() < 400);
            if before != after && is_written_by_hand {
                let name = file
                    .file_name()
                    .expect("a file has a name")
                    .to_string_lossy()
                    .into_owned();
                pairs.push(Pair {
                    name,
                    before,
                    after,
                });
            }
        }
    }
    pairs
}

/// Returns the changes between two texts, each with so many lines around it, from the last to the first: what stands before a
/// change is as it was until it is made.
fn changes(pair: &Pair, around: usize) -> Vec<(String, String)> {
    let diff = TextDiff::from_lines(&pair.before, &pair.after);
    let mut found = Vec::new();
    for group in diff.grouped_ops(around) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let (old, new) = (
            first.old_range().start..last.old_range().end,
            first.new_range().start..last.new_range().end,
        );
        let old = old.filter_map(|at| diff.old_slice(at)).collect();
        let new = new.filter_map(|at| diff.new_slice(at)).collect();
        found.push((old, new));
    }
    found.reverse();
    found
}

/// Returns edits from all over the packages.
fn edits() -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, pair) in pairs().iter().enumerate() {
        for (old, new) in changes(pair, 1 + number % 3) {
            if !old.trim().is_empty() && pair.before.matches(&old).count() == 1 {
                edits.push(Edit {
                    name: pair.name.clone(),
                    before: pair.before.clone(),
                    old,
                    new,
                });
            }
        }
    }
    println!("{} edits between two versions of packages", edits.len());
    spread(edits, writers::number("SEGEDIT_CHANGES", 300))
}

/// Returns at most so many, from all over the list.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step).collect()
}

/// Returns the ways to write an edit, the plain one first: what each is called, the arguments, the file before and after it.
fn ways(sandbox: &Sandbox, path: &str, edit: &Edit) -> Vec<(&'static str, Value, String, String)> {
    let (before, after) = (&edit.before, &edit.after());
    let plain = json!({"path": path, "old": edit.old, "new": edit.new});
    let with = |more: Value| {
        let mut arguments: Map<String, Value> = plain.as_object().expect("an object").clone();
        arguments.extend(more.as_object().expect("an object").clone());
        Value::Object(arguments)
    };
    let other_names = json!({"file_path": path, "old_string": edit.old, "new_string": edit.new, "replace_all": false});
    let absolute = sandbox.repo().join(path);
    let list = json!({"path": path, "edits": [{"old_string": edit.old, "new_string": edit.new}]});
    let mut ways = vec![
        ("plain", plain.clone(), before.clone(), after.clone()),
        (
            "arguments as text",
            with(json!({"all": "false"})),
            before.clone(),
            after.clone(),
        ),
        (
            "nothing for what is not given",
            with(json!({"within": "", "draft": null})),
            before.clone(),
            after.clone(),
        ),
        ("other names", other_names, before.clone(), after.clone()),
        (
            "an absolute path",
            with(json!({"path": absolute})),
            before.clone(),
            after.clone(),
        ),
        ("a list of edits", list, before.clone(), after.clone()),
    ];
    if !before.contains('\r') {
        let crlf = |text: &str| text.replace('\n', "\r\n");
        ways.push(("a file of CRLF", plain.clone(), crlf(before), crlf(after)));
    }
    if let (Some(old), Some(new)) = (edit.old.strip_suffix('\n'), edit.new.strip_suffix('\n')) {
        // What is left has to be there once, too.
        if !new.trim().is_empty() && before.matches(old).count() == 1 {
            ways.push((
                "no last line break",
                with(json!({"old": old, "new": new})),
                before.clone(),
                after.clone(),
            ));
        }
    }
    ways
}

/// Makes an edit in a way, and returns the code of a refusal.
fn made(
    sandbox: &Sandbox,
    conversation: &mut Conversation,
    path: &str,
    (way, arguments, before, after): &(&str, Value, String, String),
) -> Option<String> {
    sandbox.write(path, before);
    let (is_refused, text) = conversation.call("segedit_edit", arguments.clone());
    let found = std::fs::read_to_string(sandbox.repo().join(path)).unwrap();
    let wanted = if is_refused { before } else { after };
    assert!(
        found == *wanted,
        "{way}: {path}: {arguments}\n{text}\n{}",
        first_difference(wanted, &found)
    );
    if !is_refused {
        return None;
    }
    println!("{path}: {way}: {}", text.lines().next().unwrap_or_default());
    let (code, _) = text
        .split_once(": ")
        .unwrap_or_else(|| panic!("a refusal without a code: {text}"));
    Some(code.to_owned())
}

fn first_difference(wanted: &str, found: &str) -> String {
    let mut lines = wanted.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (wanted, found))| wanted != found) {
        Some((at, (wanted, found))) => format!("line {}:\n{wanted:?}\n{found:?}", at + 1),
        None => "one is longer than the other".to_owned(),
    }
}

fn count<K: Ord + Clone>(all: impl IntoIterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    for one in all {
        *counts.entry(one).or_default() += 1;
    }
    counts
}

#[test]
fn real_edits_come_to_the_same_bytes_or_are_refused_in_every_way_to_write_them() {
    let edits: Vec<Edit> = edits();
    if edits.is_empty() {
        return;
    }
    let sandbox = Sandbox::with(&[]);
    let numbered: Vec<(usize, Edit)> = edits.into_iter().enumerate().collect();
    let outcomes: Vec<(String, Option<String>, Option<String>)> = numbered
        .par_chunks(numbered.len().div_ceil(2))
        .flat_map_iter(|part| {
            let mut conversation = Conversation::begin(&sandbox, &[]);
            let made: Vec<_> = part
                .iter()
                .map(|(number, edit)| {
                    let path = format!("{number}/{}", edit.name);
                    let ways = ways(&sandbox, &path, edit);
                    let plain = made(&sandbox, &mut conversation, &path, &ways[0]);
                    let other = &ways[1 + number % (ways.len() - 1)];
                    (
                        other.0.to_owned(),
                        plain,
                        made(&sandbox, &mut conversation, &path, other),
                    )
                })
                .collect();
            assert_eq!(conversation.leave().0, Some(0));
            made
        })
        .collect();
    let refused = outcomes.iter().filter_map(|(_, plain, _)| plain.clone());
    let refused = count(refused);
    println!(
        "{} edits, refused: {refused:?}; otherwise written: {:?}",
        outcomes.len(),
        count(outcomes.iter().map(|it| &it.0))
    );
    for (way, plain, other) in &outcomes {
        assert!(plain == other, "{way}: {other:?}, and plainly {plain:?}");
    }
    assert!(
        refused.values().sum::<usize>() * 20 <= outcomes.len(),
        "more than one of twenty is refused: {refused:?}"
    );
}

#[test]
fn all_edits_of_a_real_file_make_one_draft_and_one_commit() {
    let pairs: Vec<Pair> = pairs()
        .into_iter()
        .filter(|pair| changes(pair, 2).len() > 1)
        .collect();
    if pairs.is_empty() {
        return;
    }
    let outcomes: Vec<String> = spread(pairs, DRAFTS).par_iter().map(drafted).collect();
    let outcomes = count(outcomes);
    println!("drafts: {outcomes:?}");
    assert!(
        outcomes
            .get(SAME)
            .is_some_and(|same| same * 4 >= DRAFTS * 3),
        "{outcomes:?}"
    );
}

const SAME: &str = "one commit, the bytes of the later version";

/// Makes all changes of a file in one draft, publishes it, and returns what came of that.
fn drafted(pair: &Pair) -> String {
    let sandbox = Sandbox::with(&[(&pair.name, &pair.before)]);
    let mut conversation = Conversation::begin(&sandbox, &[]);
    for (old, new) in changes(pair, 2) {
        let arguments = json!({"path": pair.name, "old": old, "new": new, "draft": "later"});
        let (is_refused, text) = conversation.call("segedit_edit", arguments);
        if is_refused {
            return format!(
                "an edit refused: {}",
                text.split(':').next().unwrap_or_default()
            );
        }
    }
    assert_eq!(
        sandbox.git(&["status", "--porcelain"]),
        "",
        "a draft changes no file"
    );
    let (is_refused, text) = conversation.call(
        "segedit_apply",
        json!({"draft": "later", "message": "Follow"}),
    );
    assert!(
        !is_refused,
        "{}: each edit passed alone, and not all together: {text}",
        pair.name
    );
    let committed = sandbox.git_with_input(&["show", &format!("HEAD:{}", pair.name)], b"");
    assert_eq!(
        String::from_utf8_lossy(&committed),
        pair.after,
        "{}",
        pair.name
    );
    assert_eq!(
        sandbox.git(&["rev-list", "--count", "HEAD"]),
        "2",
        "{}",
        pair.name
    );
    SAME.to_owned()
}
