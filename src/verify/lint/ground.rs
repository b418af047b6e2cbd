//! The base as validators need it: what the batch was resolved on, asked one path at a time.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::gate;
use crate::config::{self, Tool};
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, Repo, Source};
use crate::path::RepoPath;
use crate::snapshot::{Blob, Change, File, Id};
use crate::text::Lines;

/// What a source holds, and what earlier batches of the same call made of it.
pub struct Ground<'r> {
    holding: Holding<'r>,
    over: BTreeMap<RepoPath, Option<File>>,
    /// The tree whose attributes hold.
    attributes: Option<Id>,
    read: RefCell<BTreeMap<String, Option<Text>>>,
}

/// A file's bytes and its lines.
type Text = (Blob, Arc<Lines>);

impl<'r> Ground<'r> {
    /// Returns `source` with `changes` made to it.
    pub fn of(repo: &'r Repo, source: &Source, changes: &[Change]) -> Result<Ground<'r>, Diagnostic> {
        let over = changes.iter().map(|change| (change.path.clone(), change.after.clone())).collect();
        let attributes = match source {
            Source::Commit { tree, .. } => Some(tree.clone()),
            Source::Unborn { tree } => tree.clone(),
            // Those of the last commit: to make a tree of the index or the worktree costs a walk through all of it.
            Source::Index | Source::Worktree => repo.head()?.commit().map(|head| repo.tree_of(head)).transpose()?,
        };
        Ok(Ground { holding: repo.holding(source)?, over, attributes, read: RefCell::default() })
    }

    /// Returns the tree whose attributes decide about the form of files.
    pub fn attributes(&self) -> Option<&Id> {
        self.attributes.as_ref()
    }

    /// Returns the regular file at `path`.
    pub fn file(&self, path: &RepoPath) -> Result<Option<File>, Diagnostic> {
        match self.over.get(path) {
            Some(known) => Ok(known.clone()),
            None => self.holding.file(path),
        }
    }

    /// Returns the files that decide what `tools` say where `paths` are looked at, each once, sorted: those with such a name in
    /// a folder on the way to one of `paths`, those that a glob with a slash means, those that a command names, and what
    /// stands beside a script. A link among them is the file that it leads to.
    pub fn configuring(&self, tools: &[&Tool], paths: &[&RepoPath]) -> Result<Vec<(RepoPath, File)>, Diagnostic> {
        let mut wanted: BTreeSet<RepoPath> = BTreeSet::new();
        let mut folders: BTreeSet<String> = BTreeSet::from([String::new()]);
        folders.extend(paths.iter().flat_map(|path| path.ancestors()).map(|folder| folder.to_string()));
        for folder in &folders {
            for name in self.holding.names(folder)? {
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                if tools.iter().any(|tool| tool.is_configured_by(&path)) {
                    wanted.extend(RepoPath::parse(&path).ok());
                }
            }
        }
        let deep: Vec<&&Tool> =
            tools.iter().filter(|tool| tool.configured_by.iter().any(|glob| glob.contains('/'))).collect();
        if !deep.is_empty() {
            wanted.extend(self.holding.files(|path| deep.iter().any(|tool| tool.is_configured_by(path)))?);
        }
        let over = self.over.keys().filter(|path| tools.iter().any(|tool| tool.is_configured_by(path.as_str())));
        wanted.extend(over.cloned());
        wanted.extend(tools.iter().flat_map(|tool| named_files(tool)));
        for folder in tools.iter().filter_map(|tool| script_folder(tool)) {
            let names = self.holding.names(&folder)?;
            wanted.extend(names.iter().filter_map(|name| RepoPath::parse(&format!("{folder}/{name}")).ok()));
        }
        let mut found = Vec::new();
        for path in wanted {
            let file = match self.over.get(&path) {
                Some(known) => known.clone(),
                None => self.holding.file_behind(&path)?,
            };
            found.extend(file.map(|file| (path, file)));
        }
        Ok(found)
    }

    /// Returns what `tools` look for near `paths`: folders, and the names of files.
    pub fn neighbours(&self, tools: &[&Tool], paths: &[&RepoPath]) -> Result<(Vec<String>, Vec<RepoPath>), Diagnostic> {
        let globs: Vec<String> = tools.iter().flat_map(|tool| tool.looks_for.iter().cloned()).collect();
        let (mut found, mut files) = (Vec::new(), Vec::new());
        if globs.is_empty() {
            return Ok((found, files));
        }
        // Where most projects keep their packages.
        let mut folders: BTreeSet<String> = BTreeSet::from([String::new(), "src".to_owned()]);
        folders.extend(paths.iter().flat_map(|path| path.ancestors()).map(|folder| folder.to_string()));
        for folder in folders {
            for name in self.holding.names(&folder)? {
                let Ok(path) = RepoPath::parse(&if folder.is_empty() { name } else { format!("{folder}/{name}") })
                else {
                    continue;
                };
                if self.holding.is_folder(&path)? {
                    found.push(path.to_string());
                } else if config::matches(&globs, path.as_str()) && self.over.get(&path).is_none_or(Option::is_some) {
                    files.push(path);
                }
            }
        }
        Ok((found, files))
    }

    /// Says whether some file passes `wants`.
    pub fn has_any(&self, wants: impl Fn(&str) -> bool) -> Result<bool, Diagnostic> {
        let over =
            |path: &str| self.over.iter().find(|(known, _)| known.as_str() == path).map(|(_, file)| file.is_some());
        let held = self.holding.files(|path| wants(path) && over(path) != Some(false))?;
        Ok(!held.is_empty() || self.over.iter().any(|(path, file)| file.is_some() && wants(path.as_str())))
    }

    /// Says whether a setting of a project says by itself which files a type checker is to read.
    pub fn names_its_own_files(&self, tool: &Tool) -> Result<bool, Diagnostic> {
        const KEYS: [&str; 5] = ["files", "packages", "modules", "package", "module"];
        let says = |line: &str| line.split_once('=').is_some_and(|(key, _)| KEYS.contains(&key.trim()));
        let settings = self.configuring(&[tool], &[])?;
        Ok(settings.iter().any(|(_, file)| String::from_utf8_lossy(&file.bytes).lines().any(says)))
    }

    fn text(&self, path: &str) -> Option<Text> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let file = RepoPath::parse(path).ok().and_then(|path| self.file(&path).ok().flatten());
        let text = file.map(|file| (file.bytes.clone(), Arc::new(Lines::of(&file.bytes))));
        self.read.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }
}

impl gate::Lines for Ground<'_> {
    fn line(&self, path: &str, line: usize) -> Option<Vec<u8>> {
        let (bytes, lines) = self.text(path)?;
        (1..=lines.count()).contains(&line).then(|| lines.content(&bytes, line).of(&bytes).trim_ascii().to_vec())
    }
}

/// Programs whose first argument is the script that they run.
const INTERPRETERS: [&str; 18] = [
    "python",
    "node",
    "deno",
    "bun",
    "ruby",
    "perl",
    "php",
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "Rscript",
    "lua",
    "pwsh",
    "tclsh",
    "julia",
    "osascript",
];

/// Returns the script that a tool runs, as far as its command says so: the program itself when it is a file of the
/// repository, or the first argument of an interpreter.
fn script(tool: &Tool) -> Option<RepoPath> {
    let path = |word: &String| RepoPath::parse(word.strip_prefix("./").unwrap_or(word)).ok();
    let (program, arguments) = tool.command.split_first()?;
    if program.contains('/') {
        return path(program);
    }
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let first = arguments.iter().find(|word| !word.starts_with('-'))?;
    (INTERPRETERS.contains(&stem) && !first.starts_with('{')).then(|| path(first)).flatten()
}

/// Returns the files that a command may name to configure the tool: its script, and the values of its options.
pub fn named_files(tool: &Tool) -> Vec<RepoPath> {
    let joined = tool.command.iter().filter(|word| word.starts_with('-')).filter_map(|word| word.split_once('='));
    let apart =
        tool.command.windows(2).filter(|pair| pair[0].starts_with('-') && pair[0] != "--" && !pair[0].contains('='));
    let values = joined.map(|(_, value)| value).chain(apart.map(|pair| pair[1].as_str()));
    let values = values.filter(|value| !value.starts_with(['-', '{']));
    let files = values.filter_map(|value| RepoPath::parse(value.strip_prefix("./").unwrap_or(value)).ok());
    script(tool).into_iter().chain(files).collect()
}

/// Returns the folder of a tool's script, unless that is the root: what else stands there may be part of it.
fn script_folder(tool: &Tool) -> Option<String> {
    Some(script(tool)?.as_str().rsplit_once('/')?.0.to_owned())
}

/// Says whether the file at `path` decides what `tool` says: its settings, its script, and what stands beside that.
pub fn decides(tool: &Tool, path: &str) -> bool {
    let beside =
        script_folder(tool).is_some_and(|folder| path.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/')));
    beside || tool.is_configured_by(path) || named_files(tool).iter().any(|named| named.as_str() == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_is_what_configures_and_not_what_is_judged() {
        let check = |command: &[&str], path: &str, expected: bool| {
            let words = command.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
            let text = format!("version: 1\nvalidators: [{{name: x, command: [{words}]}}]\n");
            let tool = config::read(text.as_bytes()).unwrap().validators.remove(0).tool;
            assert_eq!(decides(&tool, path), expected, "{command:?} {path}");
        };
        check(&["python3", "tools/rules.py", "--", "{files}"], "tools/rules.py", true);
        check(&["python3", "-u", "tools/rules.py", "{files}"], "tools/csv.py", true);
        check(&["python3", "tools/rules.py", "app.py"], "app.py", false);
        check(&["python3", "rules.py", "{files}"], "rules.py", true);
        check(&["python3", "rules.py", "{files}"], "other.py", false);
        check(&["mypy", "app.py"], "app.py", false);
        check(&["mypy", "--config-file=conf/m.ini", "."], "conf/m.ini", true);
        check(&["eslint", "-c", "conf/e.js", "{files}"], "conf/e.js", true);
        check(&["ruff", "check", "--", "a.py"], "a.py", false);
        check(&["./tools/check", "{files}"], "tools/check", true);
        check(&["node", "{files}"], "a.js", false);
    }
}
