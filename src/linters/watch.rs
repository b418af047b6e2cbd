//! `Watch`: the files of the repository that decide what a tool's command does.
//!
//! They are in the hash that is trusted, so that another one asks anew, and tools are shown the base's copy of them, so that
//! no batch is judged by its own rules. Watched are
//!
//! - every file that a word of the command names, through links: the link and what it leads to;
//! - the folder of a script with all that is below it, and what the script's text says that it loads from elsewhere;
//! - beside a script in the root, where a folder would be the whole repository: what it loads by name, and for Python, which
//!   looks there for every module, the names of the modules there; the same in folders that a script adds to `sys.path`;
//! - for Node, `package.json` and tracked `node_modules` in the folders above; what is lent to a tool, where it is tracked.
//!
//! Invariant: what `covers` says of a path does not depend on whether a batch makes or deletes it.
//!
//! What it cannot see is said as `Unwatched`, for people who decide about trust.

use std::collections::{BTreeMap, BTreeSet};

use crate::path::RepoPath;
use crate::snapshot::Id;

/// What decides what one tool does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// What is there.
    pub(super) held: BTreeMap<RepoPath, WatchedFile>,
    /// Paths that count, there or not.
    pub(super) named: BTreeSet<String>,
    /// Folders that count with all below them.
    pub(super) folders: BTreeSet<String>,
    /// Python modules that are imported by name, as paths without an ending: whatever makes or replaces one counts.
    pub(super) imported: BTreeSet<String>,
    /// Folders where Python would look for any module, `""` being the root.
    pub(super) searched: BTreeSet<String>,
    /// The modules there, as paths without an ending.
    pub(super) modules: BTreeSet<String>,
    /// The folders of its own programs, or those above them, that the repository holds something of.
    pub(super) brought: BTreeSet<String>,
    /// What is not watched.
    pub(super) unwatched: BTreeSet<Unwatched>,
}

/// What stands at a watched path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchedFile {
    /// A file, and its blob.
    File(Id),
    /// A symbolic link, and where it leads.
    Link(Vec<u8>),
}

/// Something that may decide what a tool says, and is not watched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unwatched {
    /// What a program loads because its configuration says so.
    Plugins(String),
    /// What a program runs because a file of the repository says so.
    Recipes(String),
    /// What a text runs that a program is given, beside what it names.
    Text(String),
    /// What a script loads by a computed name, reads, or starts.
    Script,
    /// What more scripts name than is looked up.
    Much,
    /// A file that is taken for what is judged.
    Operand(String),
    /// What is loaded from a folder that an option names.
    Folder(String),
    /// A path that leads out of the repository.
    Outside(String),
    /// What the modules in a folder hold, `""` being the root, that a script which looks there does not import by name.
    Beside(String),
    /// All of the repository: its root is a folder to load modules from.
    Root,
}

impl Unwatched {
    /// Returns it as a person reads it.
    pub fn words(&self) -> String {
        match self {
            Unwatched::Plugins(program) => {
                format!(
                    "plugins that {program} loads, what it starts and files that it reads, by its configuration"
                )
            }
            Unwatched::Recipes(program) => {
                format!("what {program} runs because files of the repository say so")
            }
            Unwatched::Text(program) => format!("what else the text runs that {program} is given"),
            Unwatched::Script => {
                "what its scripts load by a computed name, read, or start by themselves".to_owned()
            }
            Unwatched::Much => {
                "what its scripts name past what is looked up for all tools together".to_owned()
            }
            Unwatched::Operand(path) => format!("{path}, which is taken for what it judges"),
            Unwatched::Folder(path) => {
                format!("what is loaded from the folder {path}, which an option names")
            }
            Unwatched::Outside(path) => format!("{path}, which leads out of the repository"),
            Unwatched::Beside(folder) => {
                let place = if folder.is_empty() {
                    "the root's Python modules".to_owned()
                } else {
                    format!("the Python modules of {folder}")
                };
                format!("what is in {place} that are not imported by name; their names are watched")
            }
            Unwatched::Root => {
                "modules in the root, which PYTHONPATH means to be loaded".to_owned()
            }
        }
    }
}

impl Watch {
    /// Says whether the file at `path` decides.
    pub fn covers(&self, path: &str) -> bool {
        let below = || self.folders.iter().any(|folder| is_below(path, folder));
        let imported = || module_of(path).is_some_and(|module| self.imported.contains(&module));
        let held = || RepoPath::parse(path).is_ok_and(|path| self.held.contains_key(&path));
        self.named.contains(path) || below() || imported() || held()
    }

    /// Returns what is there, sorted.
    pub fn held(&self) -> &BTreeMap<RepoPath, WatchedFile> {
        &self.held
    }

    /// Returns what is not watched.
    pub fn unwatched(&self) -> &BTreeSet<Unwatched> {
        &self.unwatched
    }

    /// Returns the Python modules among which the tool would look for any, as paths without an ending.
    pub fn modules(&self) -> &BTreeSet<String> {
        &self.modules
    }

    /// Returns the name of the module that a new file at `path` would be, where the tool would find it before the one that is
    /// meant.
    pub fn shadowed(&self, path: &str) -> Option<String> {
        let module = module_of(path).filter(|module| !self.modules.contains(module))?;
        let (folder, name) = module.rsplit_once('/').unwrap_or(("", &module));
        self.searched.contains(folder).then(|| name.to_owned())
    }

    /// Says whether the repository brings along something of `folder`, one of the tool's own.
    pub fn is_brought(&self, folder: &str) -> bool {
        self.brought.contains(folder)
    }
}

/// Returns the folder of the environment that `folder` belongs to: `.venv` of `.venv/bin`. Nothing in it may be tracked.
pub fn environment_folder(folder: &str) -> &str {
    folder.split('/').next().unwrap_or(folder)
}

/// Says whether `path` is in `folder`, or in one below it.
pub fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Endings of what Python loads as a module.
const MODULES: [&str; 4] = [".py", ".pyc", ".so", ".pyd"];
/// The folder in which Python keeps compiled modules.
pub(super) const KEPT: &str = "__pycache__";

/// Returns the name of the module that a file called `name` holds, `__init__` for what makes its folder one.
pub(super) fn module_name(name: &str) -> Option<&str> {
    let stem = MODULES
        .iter()
        .find_map(|ending| name.strip_suffix(ending))?;
    // `a.cpython-312-x86_64-linux-gnu.so`
    Some(stem.split('.').next().unwrap_or(stem)).filter(|stem| !stem.is_empty())
}

/// Returns the module that the file at `path` is, or is kept for, as a path without an ending: `a/b` for `a/b.py`,
/// `a/b/__init__.py` and `a/__pycache__/b.cpython-312.pyc`.
pub(super) fn module_of(path: &str) -> Option<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = module_name(file)?;
    let folder = match folder.rsplit_once('/').unwrap_or(("", folder)) {
        (above, KEPT) => above,
        _ => folder,
    };
    match (folder, name) {
        ("", "__init__") => None,
        ("", name) => Some(name.to_owned()),
        (folder, "__init__") => Some(folder.to_owned()),
        (folder, name) => Some(format!("{folder}/{name}")),
    }
}
