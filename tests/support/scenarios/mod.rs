//! Walks `tests/scenarios/`: each folder is one story, run for every destination that makes sense.
//!
//! The format is told in `tests/scenarios/README.md`. Nothing here writes an expected file: an expected value that
//! nobody thought about proves nothing. `SEGEDIT_SCENARIO` narrows a run to the cases whose folder contains its words,
//! `SEGEDIT_DESTINATION` to one destination, `SEGEDIT_PROFILE` to one sort of repository, with every destination.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::OnceLock;

use serde_json::Value;

use super::{Entry, Run, Sandbox, Tree, read_tree, shown_tree, tree_difference};
use profile::PROFILES;

pub(crate) use profile::Profile;

mod profile;

/// Where a case is run and what is looked at afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Commit,
    Bare,
    Index,
    Cached,
    Worktree,
    Stash,
}

const PLACES: [Place; 6] = [
    Place::Commit,
    Place::Bare,
    Place::Index,
    Place::Cached,
    Place::Worktree,
    Place::Stash,
];

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Commit => "commit",
            Place::Bare => "bare",
            Place::Index => "index",
            Place::Cached => "cached",
            Place::Worktree => "worktree",
            Place::Stash => "stash",
        }
    }

    /// Returns the value of `--destination`; the default needs none.
    fn destination(self) -> Option<&'static str> {
        match self {
            Place::Commit | Place::Bare => None,
            Place::Index | Place::Cached | Place::Worktree | Place::Stash => Some(self.name()),
        }
    }
}

/// One folder, read.
struct Case {
    name: String,
    folder: PathBuf,
    before: Tree,
    after: Option<Tree>,
    operations: Vec<PathBuf>,
    args: Vec<String>,
    report: String,
    /// What the report says today, where that is not yet what it should say.
    now: Option<String>,
    places: Vec<Place>,
    /// The profiles under which it cannot hold.
    left_out: Vec<String>,
}

/// Where the cases are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As a commit, which moves everything, or for the destination that the case names.
    OneWay,
    /// For each destination that makes sense.
    Everywhere,
}

pub(crate) fn every_scenario_holds_as(profile: Profile, extent: Extent) {
    let asked = std::env::var("SEGEDIT_PROFILE").ok();
    if let Some(asked) = &asked {
        assert!(
            PROFILES.iter().any(|known| known.name() == asked),
            "there is no profile {asked:?}"
        );
        if asked != profile.name() {
            return;
        }
    }
    let extent = if asked.is_some() {
        Extent::Everywhere
    } else {
        extent
    };
    let words = std::env::var("SEGEDIT_SCENARIO").unwrap_or_default();
    let names: Vec<String> = case_names()
        .into_iter()
        .filter(|name| name.contains(&words))
        .collect();
    assert!(!names.is_empty(), "no scenario's folder contains {words:?}");
    let total = names.len();
    let queue = Mutex::new(names.into_iter());
    let failures = Mutex::new(BTreeMap::new());
    // More workers than processors: a case is mostly waiting for processes and for the disk.
    let workers = 4 * std::thread::available_parallelism().map_or(2, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = queue
                        .lock()
                        .expect("no worker panics with the queue")
                        .next();
                    let Some(name) = next else { return };
                    if let Err(why) = caught(|| run_case(&name, profile, extent)) {
                        failures
                            .lock()
                            .expect("no worker panics with the failures")
                            .insert(name, why);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("all workers are done");
    if failures.is_empty() {
        return;
    }
    let mut text = String::new();
    for (name, why) in &failures {
        write!(text, "\n======== {name}\n{why}\n").expect("writing to a string");
    }
    let list: Vec<&str> = failures.keys().map(String::as_str).collect();
    panic!(
        "{text}\n{} of {total} scenarios failed:\n  {}",
        list.len(),
        list.join("\n  ")
    );
}

/// Turns a panic into its words, so that one bad case does not hide the others.
fn caught(run: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|cause| {
        let words = cause
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(cause.downcast_ref::<&str>().copied());
        Err(words.unwrap_or("a panic without words").to_owned())
    })
}

fn scenarios_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

/// The folder with what several cases start from.
const SHARED: &str = "_before";

/// Returns the folder with what a case starts from: its own, or the shared one that its file `before` names.
fn before_of(case: &Path) -> Result<PathBuf, String> {
    let own = case.join("before");
    let Ok(name) = fs::read_to_string(&own) else {
        return Ok(own);
    };
    let shared = scenarios_folder().join(SHARED).join(name.trim_end());
    if shared.is_dir() {
        Ok(shared)
    } else {
        Err(format!(
            "`before` names {}, which there is not",
            shared.display()
        ))
    }
}

/// Returns `<area>/<case>` of every folder two levels down.
fn case_names() -> Vec<String> {
    let mut names = Vec::new();
    for area in folders_in(&scenarios_folder())
        .into_iter()
        .filter(|area| area != SHARED)
    {
        for case in folders_in(&scenarios_folder().join(&area)) {
            names.push(format!("{area}/{case}"));
        }
    }
    names.sort();
    names
}

fn folders_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("listing {}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("a listed entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| {
            entry
                .file_name()
                .into_string()
                .expect("scenario folders have plain names")
        })
        .collect()
}

impl Case {
    fn read(name: &str) -> Result<Case, String> {
        let folder = scenarios_folder().join(name);
        let optional = |file: &str| fs::read_to_string(folder.join(file)).ok();
        let lines = |file: &str| -> Vec<String> {
            optional(file)
                .map(|text| text.lines().map(str::to_owned).collect())
                .unwrap_or_default()
        };
        let report = optional("report.txt").ok_or("the case has no report.txt")?;
        let operations = operation_files(&folder)?;
        let args = lines("args");
        let only = lines("destinations");
        let after = folder
            .join("after")
            .exists()
            .then(|| undotted(read_tree(&folder.join("after"))));
        let case = Case {
            name: name.to_owned(),
            before: undotted(read_tree(&before_of(&folder)?)),
            after,
            places: places_of(&operations, &args, &only)?,
            operations,
            args,
            report,
            now: optional("now.txt"),
            left_out: profiles_left_out(&lines("profiles"))?,
            folder,
        };
        case.refuse_strangers()?;
        Ok(case)
    }

    /// Returns the case as it is run under a profile, or `None` where it cannot hold.
    fn under(mut self, profile: Profile, extent: Extent) -> Option<Case> {
        if profile == Profile::Plain {
            if extent == Extent::OneWay && self.places.contains(&Place::Commit) {
                self.places = vec![Place::Commit];
            }
            return Some(self);
        }
        let suits = |place: &Place| match extent {
            Extent::OneWay => *place == Place::Commit,
            Extent::Everywhere => *place != Place::Bare || profile.can_be_bare(),
        };
        self.places.retain(suits);
        if self.places.is_empty() || self.left_out.iter().any(|name| name == profile.name()) {
            return None;
        }
        if profile == Profile::Crlf && self.has_endings_of_its_own() {
            return None;
        }
        self.before = profile.tracked(self.before);
        self.after = self.after.map(|after| profile.tracked(after));
        Some(self)
    }

    /// Says whether the case is about line endings or attributes, which mean something else where git converts.
    fn has_endings_of_its_own(&self) -> bool {
        let trees = [Some(&self.before), self.after.as_ref()]
            .into_iter()
            .flatten();
        let in_trees = trees
            .flatten()
            .any(|(path, entry)| path.ends_with(".gitattributes") || entry.bytes.contains(&b'\r'));
        let in_operations =
            |file: &PathBuf| fs::read(file).is_ok_and(|bytes| bytes.contains(&b'\r'));
        in_trees || self.operations.iter().any(in_operations)
    }

    /// A misspelled file name would otherwise be a check that never runs.
    fn refuse_strangers(&self) -> Result<(), String> {
        const KNOWN: [&str; 10] = [
            "before",
            "after",
            "args",
            "report.txt",
            "now.txt",
            "destinations",
            "profiles",
            "README.md",
            "ops.yaml",
            "ops.json",
        ];
        for entry in fs::read_dir(&self.folder).map_err(|error| error.to_string())? {
            let name = entry
                .map_err(|error| error.to_string())?
                .file_name()
                .to_string_lossy()
                .into_owned();
            if !KNOWN.contains(&name.as_str()) && !name.starts_with("ops-") {
                return Err(format!("{}: what is `{name}` for?", self.name));
            }
        }
        Ok(())
    }

    /// Says whether a schema without a repository in sight could know that the operation file is refused.
    fn is_refused_as_written(&self) -> bool {
        const AS_WRITTEN: [&str; 4] = [
            "error malformed",
            "error unsupported ",
            "error path-refused ",
            "error invalid-pattern ",
        ];
        self.report
            .lines()
            .any(|line| AS_WRITTEN.iter().any(|words| line.starts_with(words)))
            || self.report.lines().nth(1) == Some("malformed")
    }
}

/// Reads `<profile>: <why>`, one a line.
fn profiles_left_out(lines: &[String]) -> Result<Vec<String>, String> {
    let read = |line: &String| {
        let (name, _) = line
            .split_once(": ")
            .filter(|(_, why)| !why.trim().is_empty())
            .ok_or(format!("profiles: why is `{line}`?"))?;
        let known = PROFILES
            .iter()
            .any(|profile| profile.name() == name && *profile != Profile::Plain);
        if known {
            Ok(name.to_owned())
        } else {
            Err(format!("profiles: what is `{name}`?"))
        }
    };
    lines.iter().map(read).collect()
}

/// Returns `ops.yaml`, or `ops-1.yaml` and so on.
fn operation_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("ops"))
        })
        .collect();
    files.sort();
    if files.is_empty() {
        Err("the case has no ops.yaml".to_owned())
    } else {
        Ok(files)
    }
}

/// Turns `dot.gitattributes` into `.gitattributes`, and takes `.empty` out.
fn undotted(tree: Tree) -> Tree {
    let undot = |path: &str| {
        let parts: Vec<String> = path
            .split('/')
            .map(|part| {
                part.strip_prefix("dot.")
                    .map_or(part.to_owned(), |rest| format!(".{rest}"))
            })
            .collect();
        parts.join("/")
    };
    tree.into_iter()
        .filter(|(path, _)| path != ".empty")
        .map(|(path, entry)| (undot(&path), entry))
        .collect()
}

/// Returns where the case runs: what it names itself, else everywhere.
fn places_of(
    operations: &[PathBuf],
    args: &[String],
    only: &[String],
) -> Result<Vec<Place>, String> {
    if !only.is_empty() {
        let find = |name: &String| {
            PLACES
                .into_iter()
                .find(|place| place.name() == name)
                .ok_or(format!("destinations: what is `{name}`?"))
        };
        return only.iter().map(find).collect();
    }
    for place in PLACES {
        let Some(destination) = place.destination() else {
            continue;
        };
        let in_args = args
            .iter()
            .any(|arg| arg == &format!("--destination={destination}"));
        let key = format!("destination: {destination}");
        let in_file = operations.iter().any(|file| {
            fs::read(file).is_ok_and(|bytes| {
                String::from_utf8_lossy(&bytes)
                    .lines()
                    .any(|line| line.trim_end() == key)
            })
        });
        if in_args || in_file {
            return Ok(vec![place]);
        }
    }
    // Several operation files are several commits; no other destination has room for them.
    Ok(if operations.len() > 1 {
        vec![Place::Commit, Place::Bare]
    } else {
        PLACES.to_vec()
    })
}

fn run_case(name: &str, profile: Profile, extent: Extent) -> Result<(), String> {
    let case = Case::read(name)?;
    if profile == Profile::Plain && !case.is_refused_as_written() {
        check_against_schema(&case)?;
    }
    let Some(case) = case.under(profile, extent) else {
        return Ok(());
    };
    let original = profile.original(&case.before);
    let mut problems = String::new();
    let mut told = BTreeSet::new();
    let only = std::env::var("SEGEDIT_DESTINATION").ok();
    for &place in case
        .places
        .iter()
        .filter(|place| only.as_deref().is_none_or(|only| only == place.name()))
    {
        let outcome = caught(|| run_in(&case, place, profile, &original));
        // The same words six times help nobody.
        if let Err(why) = outcome
            && told.insert(why.clone())
        {
            write!(problems, "---- {}\n{why}\n", place.name()).expect("writing to a string");
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

fn run_in(case: &Case, place: Place, profile: Profile, original: &Sandbox) -> Result<(), String> {
    let sandbox = if place == Place::Bare {
        original.copy_bare()
    } else {
        original.copy()
    };
    profile.dress(&sandbox);
    let digest = sandbox.digest();
    let run = apply(case, place, &sandbox);
    // The temporary folder's name is in the command line; without it equal failures look equal.
    let fail = |what: &str, why: String| {
        let place = sandbox.aside();
        format!("{what}\n{why}\n{run}{sandbox}").replace(&*place.to_string_lossy(), "<sandbox>")
    };
    let report: Value = serde_json::from_slice(&run.stdout)
        .map_err(|error| fail("no JSON on stdout", error.to_string()))?;
    let summary = summarize(run.exit, &report);
    let holds = matches_open(&case.report, &summary);
    let expected = case.now.as_ref().unwrap_or(&case.report);
    if !matches_open(expected, &summary) {
        let why = format!(
            "--- expected\n{}\n--- actual\n{summary}",
            expected.trim_end()
        );
        return Err(fail("the report differs", why));
    }
    if case.now.is_some() && holds {
        return Err(fail(
            "the case holds by now",
            "remove its now.txt".to_owned(),
        ));
    }
    if std::str::from_utf8(&run.stderr).is_ok_and(|err| err.contains("panicked at")) {
        return Err(fail("the tool panicked", String::new()));
    }
    let Some(after) = case.after.as_ref().filter(|_| case.now.is_none()) else {
        return nothing_changed(&digest, &sandbox.digest())
            .map_err(|why| fail("something changed", why));
    };
    check_place(case, place, profile, &sandbox, &digest, after)
        .map_err(|why| fail("the repository differs", why))?;
    if !matches!(profile, Profile::Plain | Profile::Sha256) {
        return Ok(());
    }
    check_report(case, place, original, &sandbox, &report)
        .map_err(|why| fail("the report does not hold", why))
}

fn apply(case: &Case, place: Place, sandbox: &Sandbox) -> Run {
    let mut args: Vec<String> = ["apply", "--format", "json", "--diff"]
        .map(str::to_owned)
        .to_vec();
    args.extend(
        place
            .destination()
            .map(|destination| format!("--destination={destination}")),
    );
    args.extend(case.args.iter().cloned());
    for file in &case.operations {
        let name = file.file_name().expect("an operation file has a name");
        let copy = sandbox.aside().join(name);
        fs::copy(file, &copy).expect("the operation file's copy");
        args.push(copy.to_string_lossy().into_owned());
    }
    sandbox.segedit(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn nothing_changed(
    before: &BTreeMap<String, Vec<u8>>,
    after: &BTreeMap<String, Vec<u8>>,
) -> Result<(), String> {
    let as_tree = |digest: &BTreeMap<String, Vec<u8>>| -> Tree {
        let entry = |bytes: &Vec<u8>| Entry {
            mode: String::new(),
            bytes: bytes.clone(),
        };
        digest
            .iter()
            .map(|(path, bytes)| (path.clone(), entry(bytes)))
            .collect()
    };
    tree_difference(&as_tree(before), &as_tree(after)).map_or(Ok(()), Err)
}

/// Where HEAD and the branch are told, in a linked worktree too.
const HEADS: [&str; 3] = [
    ".git/HEAD",
    ".git/worktrees/repo/HEAD",
    ".git/refs/heads/main",
];
/// Where the index is.
const INDEXES: [&str; 2] = [".git/index", ".git/worktrees/repo/index"];

/// Looks at every place that git has, and says which of them is not what the destination promises.
fn check_place(
    case: &Case,
    place: Place,
    profile: Profile,
    sandbox: &Sandbox,
    old: &BTreeMap<String, Vec<u8>>,
    after: &Tree,
) -> Result<(), String> {
    let before = &case.before;
    let new = sandbox.digest();
    let same = |what: &str, expected: &Tree, actual: Tree| {
        tree_difference(expected, &actual)
            .map_or(Ok(()), |difference| Err(format!("{what}:\n{difference}")))
    };
    let commits = matches!(place, Place::Commit | Place::Bare);
    if commits {
        same("HEAD", after, sandbox.tree("HEAD"))?;
    } else if HEADS.iter().any(|name| old.get(*name) != new.get(*name)) {
        return Err("HEAD or main moved".to_owned());
    }
    if commits {
        let steps = case.operations.len();
        same(
            "the old tip",
            before,
            sandbox.tree(&format!("HEAD~{steps}")),
        )?;
        if sandbox.git(&["symbolic-ref", "HEAD"]) != "refs/heads/main" {
            return Err("HEAD does not name main any more".to_owned());
        }
    }
    if place == Place::Stash {
        same("stash@{0}", after, sandbox.tree("stash@{0}"))?;
        same(
            "the commit under the stash",
            before,
            sandbox.tree("stash@{0}^1"),
        )?;
    }
    if place != Place::Bare {
        let index_moves = matches!(place, Place::Commit | Place::Index | Place::Cached);
        // The same bytes need no reading; other bytes may still say the same, with fresher timestamps.
        if index_moves || INDEXES.iter().any(|name| old.get(*name) != new.get(*name)) {
            same(
                "index",
                if index_moves { after } else { before },
                sandbox.index_tree(),
            )?;
        }
        let files_move = matches!(place, Place::Commit | Place::Index | Place::Worktree);
        let expected = profile.checked_out(if files_move { after } else { before });
        same("worktree", &expected, sandbox.worktree_tree())?;
    }
    if place == Place::Commit {
        let status = sandbox.git(&["status", "--porcelain"]);
        if !status.is_empty() {
            return Err(format!("git status is not clean:\n{status}"));
        }
    }
    // The other places write their objects in the same way, and fsck is the slowest thing here.
    if !matches!(place, Place::Bare | Place::Stash) {
        return Ok(());
    }
    let fsck = sandbox.try_git(&["fsck", "--no-dangling", "--no-progress"]);
    if fsck.exit == 0 {
        Ok(())
    } else {
        Err(format!("git fsck complains\n{fsck}"))
    }
}

/// Holds what the report says about files to what git says.
fn check_report(
    case: &Case,
    place: Place,
    original: &Sandbox,
    sandbox: &Sandbox,
    report: &Value,
) -> Result<(), String> {
    if place != Place::Commit || case.operations.len() > 1 {
        return Ok(());
    }
    let tip = sandbox.git(&["rev-parse", "HEAD"]);
    let old_tip = original.git(&["rev-parse", "HEAD"]);
    for (field, expected) in [
        ("commit", tip.as_str()),
        ("base", old_tip.as_str()),
        ("ref", "refs/heads/main"),
    ] {
        if text(report, field) != expected {
            return Err(format!("`{field}` should be {expected}"));
        }
    }
    let (old_ids, new_ids) = (original.blob_ids("HEAD"), sandbox.blob_ids("HEAD"));
    let mut diffs = String::new();
    for file in list(report, "files") {
        let path = text(file, "path");
        for (field, ids) in [("old_blob", &old_ids), ("new_blob", &new_ids)] {
            let told = file.get(field).and_then(Value::as_str);
            if told != ids.get(path).map(String::as_str) && text(file, "status") != "renamed" {
                return Err(format!(
                    "`{field}` of {path}: {told:?}, git says {:?}",
                    ids.get(path)
                ));
            }
        }
        diffs.push_str(text(file, "diff"));
    }
    check_diffs(case, original, &diffs)
}

/// Gives the reported diffs to `git apply`. JSON cannot carry bytes that are not UTF-8, and a diff of a binary file only
/// says that it differs, so those cases are left out.
fn check_diffs(case: &Case, original: &Sandbox, diffs: &str) -> Result<(), String> {
    let after = case
        .after
        .as_ref()
        .expect("only asked for cases with an after");
    let readable = |tree: &Tree| {
        tree.values()
            .all(|entry| std::str::from_utf8(&entry.bytes).is_ok())
    };
    if !readable(&case.before)
        || !readable(after)
        || diffs.is_empty()
        || diffs.contains("\nBinary files ")
    {
        return Ok(());
    }
    let copy = original.copy();
    let patch = copy.aside().join("reported.diff");
    fs::write(&patch, diffs).expect("the patch");
    let run = copy.try_git(&[
        "apply",
        "--index",
        "--whitespace=nowarn",
        &patch.to_string_lossy(),
    ]);
    if run.exit != 0 {
        return Err(format!(
            "git does not take the reported diff:\n{diffs}\n{run}"
        ));
    }
    tree_difference(after, &copy.worktree_tree()).map_or(Ok(()), |difference| {
        Err(format!(
            "the reported diff makes another tree:\n{difference}\n{diffs}"
        ))
    })
}

/// Says the report in the short form that `report.txt` is written in.
fn summarize(exit: i32, report: &Value) -> String {
    let mut lines = vec![format!("exit {exit}"), text(report, "status").to_owned()];
    for operation in list(report, "operations") {
        lines.push(summarize_operation(operation));
        // What is deleted by its name goes without saying.
        let removed = if text(operation, "op") == "delete" {
            &[][..]
        } else {
            list(operation, "removed")
        };
        for segment in removed {
            let (address, kind) = (text(segment, "address"), text(segment, "kind"));
            let (first, last) = (number(segment, "start_line"), number(segment, "end_line"));
            lines.push(format!("  removes {address} {kind} {first}-{last}"));
        }
    }
    for file in list(report, "files") {
        let (path, status) = (text(file, "path"), text(file, "status"));
        lines.push(format!(
            "file {path} {status} +{} -{}",
            number(file, "added"),
            number(file, "removed")
        ));
    }
    let mut warnings = Vec::new();
    let of_operations = list(report, "operations")
        .iter()
        .flat_map(|operation| list(operation, "warnings"));
    for warning in list(report, "warnings").iter().chain(of_operations) {
        let line = summarize_diagnostic("warning", warning);
        if !warnings.contains(&line) {
            warnings.push(line);
        }
    }
    lines.extend(warnings);
    for error in list(report, "errors") {
        lines.push(summarize_diagnostic("error", error));
        lines.extend(
            list(error, "suggestions")
                .iter()
                .map(|words| format!("  try {}", words.as_str().unwrap_or("?"))),
        );
        lines.extend(
            list(error, "candidates")
                .iter()
                .map(|words| format!("  or {}", words.as_str().unwrap_or("?"))),
        );
    }
    lines.join("\n")
}

fn summarize_operation(operation: &Value) -> String {
    let mut line = format!("op {}", number(operation, "index"));
    if let Some(id) = operation.get("id").and_then(Value::as_str) {
        write!(line, " ({id})").expect("writing to a string");
    }
    let (verb, status) = (text(operation, "op"), text(operation, "status"));
    write!(
        line,
        " {verb} {status} {}",
        summarize_place(operation, status)
    )
    .expect("writing to a string");
    let level = operation
        .pointer("/match/level")
        .and_then(Value::as_str)
        .unwrap_or("exact");
    let similarity = operation
        .pointer("/match/similarity")
        .and_then(Value::as_f64)
        .unwrap_or(1.0);
    match level {
        "exact" => {}
        "similar" => write!(line, " (similar {similarity:.2})").expect("writing to a string"),
        other => write!(line, " ({other})").expect("writing to a string"),
    }
    line
}

fn summarize_place(operation: &Value, status: &str) -> String {
    let file = text(operation, "file").to_owned();
    let segment = &operation["segment"];
    let kind = text(segment, "kind");
    if matches!(status, "failed" | "skipped") || segment.is_null() || kind == "file" {
        return file;
    }
    let place = if matches!(kind, "text" | "pattern" | "lines") {
        &file
    } else {
        text(segment, "address")
    };
    format!(
        "{place} {kind} {}-{}",
        number(segment, "start_line"),
        number(segment, "end_line")
    )
}

fn summarize_diagnostic(word: &str, diagnostic: &Value) -> String {
    let mut line = format!("{word} {}", text(diagnostic, "code"));
    if let Some(index) = diagnostic.get("operation").and_then(Value::as_u64) {
        write!(line, " op {index}").expect("writing to a string");
    }
    let at = |field: &str| diagnostic.get(field).and_then(Value::as_u64);
    if let (Some(row), Some(column)) = (at("line"), at("column")) {
        write!(line, " at {row}:{column}").expect("writing to a string");
    }
    line
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or("")
}

fn number(value: &Value, field: &str) -> String {
    value
        .get(field)
        .and_then(Value::as_u64)
        .map_or("?".to_owned(), |number| number.to_string())
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value
        .get(field)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Says whether `actual` is what `expected` describes, `…` standing for what is left open.
fn matches_open(expected: &str, actual: &str) -> bool {
    let expected: Vec<&str> = expected.trim_end().lines().map(str::trim_end).collect();
    let actual: Vec<&str> = actual.lines().collect();
    lines_match(&expected, &actual)
}

fn lines_match(expected: &[&str], actual: &[&str]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"…", after)), _) => {
            (0..=actual.len()).any(|skipped| lines_match(after, &actual[skipped..]))
        }
        (Some(_), None) => false,
        (Some((wanted, after)), Some((found, rest))) => {
            line_matches(wanted, found) && lines_match(after, rest)
        }
    }
}

fn line_matches(wanted: &str, found: &str) -> bool {
    let Some((head, tail)) = wanted.split_once('…') else {
        return wanted == found;
    };
    let Some(rest) = found.strip_prefix(head) else {
        return false;
    };
    rest.char_indices()
        .map(|(at, _)| at)
        .chain([rest.len()])
        .any(|at| line_matches(tail, &rest[at..]))
}

/// Holds the operation files to the schema that the tool itself prints.
fn check_against_schema(case: &Case) -> Result<(), String> {
    static SCHEMA: OnceLock<Result<Value, String>> = OnceLock::new();
    let schema = SCHEMA
        .get_or_init(|| {
            let run = Sandbox::unborn().segedit(&["schema"]);
            serde_json::from_slice(&run.stdout)
                .map_err(|error| format!("`schema` prints no JSON: {error}\n{run}"))
        })
        .as_ref()
        .map_err(Clone::clone)?;
    let validator = jsonschema::validator_for(schema)
        .map_err(|error| format!("the schema is no schema: {error}"))?;
    for file in &case.operations {
        let text =
            fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let document: Value = serde_yaml::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| format!("{} is no YAML: {error}", file.display()))?;
        let complaints: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        if !complaints.is_empty() {
            return Err(format!(
                "the schema refuses {}:\n{}",
                file.display(),
                complaints.join("\n")
            ));
        }
    }
    Ok(())
}

mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_open_place_matches_anything_on_its_line_and_a_lone_one_any_lines() {
        for (expected, actual, holds) in [
            ("a\nb", "a\nb", true),
            ("a\nb", "a\nc", false),
            ("a", "a\nb", false),
            ("a\nb", "a", false),
            ("a …", "a b c", true),
            ("a … d", "a b c", false),
            ("a … c", "a b c", true),
            ("…", "", true),
            ("a\n…\nc", "a\nb\nb\nc", true),
            ("a\n…\nc", "a\nc", true),
            ("a\n…\nc", "a\nb", false),
        ] {
            assert_eq!(
                matches_open(expected, actual),
                holds,
                "{expected:?} against {actual:?}"
            );
        }
    }

    #[test]
    fn a_report_is_told_in_the_readmes_words() {
        let report = json!({
            "status": "unresolved",
            "operations": [
                {"index": 0, "id": null, "op": "replace", "file": "a.py", "status": "failed", "segment": null},
                {"index": 1, "id": "x", "op": "delete", "file": "a.py", "status": "applied",
                 "segment": {"address": "a.py::LIMIT", "kind": "variable", "start_line": 3, "end_line": 4}},
                {"index": 2, "op": "replace", "file": "a.py", "status": "applied",
                 "segment": {"address": "a.py:7", "kind": "text", "start_line": 7, "end_line": 7},
                 "match": {"level": "similar", "similarity": 0.914}, "warnings": [{"code": "placeholder"}]}],
            "files": [{"path": "a.py", "status": "modified", "added": 1, "removed": 2}],
            "errors": [{"code": "segment-not-found", "operation": 0, "line": 5, "column": 13, "suggestions": ["B.c"]}]
        });
        let expected = "exit 3\nunresolved\nop 0 replace failed a.py\nop 1 (x) delete applied a.py::LIMIT variable 3-4\n\
            op 2 replace applied a.py text 7-7 (similar 0.91)\nfile a.py modified +1 -2\nwarning placeholder\n\
            error segment-not-found op 0 at 5:13\n  try B.c";
        assert_eq!(summarize(3, &report), expected);
    }

    #[test]
    fn a_changed_byte_or_mode_is_seen() {
        let tree = |mode: &str, text: &str| -> Tree {
            [(
                "a".to_owned(),
                Entry {
                    mode: mode.to_owned(),
                    bytes: text.into(),
                },
            )]
            .into_iter()
            .collect()
        };
        assert!(tree_difference(&tree("100644", "x"), &tree("100644", "x")).is_none());
        assert!(tree_difference(&tree("100644", "x\n"), &tree("100644", "x\r\n")).is_some());
        assert!(tree_difference(&tree("100644", "x"), &tree("100755", "x")).is_some());
        assert!(tree_difference(&tree("100644", "x"), &Tree::new()).is_some());
        assert!(shown_tree(&tree("100644", "\tx \r\n")).contains("→x ␍"));
    }
}
