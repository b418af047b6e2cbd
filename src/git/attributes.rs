//! Where attributes can come from, looked up for `Rules`, and whether matching their patterns costs too much.
//!
//! libgit2 tries every way in which the stars of a pattern can share out a path: one line of many stars in a file that any
//! clone brings along would keep it busy for years. git's own matcher gives up in time. So the patterns are weighed before
//! libgit2 sees them, and where they weigh too much, git is asked; so it is where one stands in quotes, which libgit2 does not know.

use std::collections::HashMap;
use std::path::PathBuf;

use super::Repo;
use super::base::environment::variable;
use super::base::failure;
use super::base::rules::{Everywhere, Mentions, PatternWeight, Rules};
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;

/// Most steps that libgit2 may take with the patterns that could speak of a path.
const MOST_STEPS: u64 = 250_000;
impl Rules {
    /// Returns whether any file of attributes could speak of `path`.
    pub(super) fn may_say_something(&self, repo: &Repo, path: &RepoPath) -> bool {
        self.everywhere(repo).exist
            || self.in_folder(repo, "", |weight| weight.is_some())
            || path
                .ancestors()
                .any(|folder| self.in_folder(repo, folder.as_str(), |weight| weight.is_some()))
    }

    /// Says whether libgit2 may take too long to match `path` with the patterns that could speak of it.
    pub(super) fn are_dear(&self, repo: &Repo, path: &RepoPath) -> bool {
        let length = path.as_str().len() as u64;
        let Some(everywhere) = &self.everywhere(repo).weight else {
            return true;
        };
        let mut steps = everywhere.steps(length);
        let ancestors: Vec<RepoPath> = path.ancestors().collect();
        for folder in std::iter::once("").chain(ancestors.iter().map(RepoPath::as_str)) {
            steps = steps.saturating_add(self.in_folder(repo, folder, |weight| {
                weight.map_or(0, |it| it.steps(length))
            }));
            steps = steps.saturating_add(self.in_index(repo, folder, |weight| {
                weight.map_or(u64::MAX, |it| it.steps(length))
            }));
        }
        steps > MOST_STEPS
    }

    /// Returns what attributes mention that do not come from a file of the worktree.
    pub(super) fn mentioned_everywhere(&self, repo: &Repo) -> Mentions {
        self.everywhere(repo).mentions
    }

    /// Takes what git said of some paths, in place of what it said before.
    pub(super) fn foresee(&self, answers: HashMap<String, Vec<&'static str>>) {
        *self.foreseen.borrow_mut() = answers;
    }

    /// Returns what git said of `path`, if it did.
    pub(super) fn foreseen(&self, path: &RepoPath) -> Option<Vec<&'static str>> {
        self.foreseen.borrow().get(path.as_str()).cloned()
    }

    fn everywhere(&self, repo: &Repo) -> &Everywhere {
        self.everywhere.get_or_init(|| everywhere(repo))
    }

    fn in_folder<T>(
        &self,
        repo: &Repo,
        folder: &str,
        told: impl FnOnce(Option<&PatternWeight>) -> T,
    ) -> T {
        if let Some(known) = self.folders.borrow().get(folder) {
            return told(known.as_ref());
        }
        let root = repo.workdir().unwrap_or(repo.git_dir());
        let file = root.join(folder).join(".gitattributes");
        let found = file
            .symlink_metadata()
            .is_ok()
            .then(|| PatternWeight::of_file(&file));
        let said = told(found.as_ref());
        self.folders.borrow_mut().insert(folder.to_owned(), found);
        said
    }

    fn in_index<T>(
        &self,
        repo: &Repo,
        folder: &str,
        told: impl FnOnce(Option<&PatternWeight>) -> T,
    ) -> T {
        if let Some(known) = self.indexed.borrow().get(folder) {
            return told(known.as_ref());
        }
        let found = indexed(repo, folder);
        let said = told(found.as_ref());
        self.indexed.borrow_mut().insert(folder.to_owned(), found);
        said
    }
}

/// Returns what the file of attributes weighs that the index has in `folder`.
fn indexed(repo: &Repo, folder: &str) -> Option<PatternWeight> {
    repo.give_index().ok()?;
    let path = match folder {
        "" => ".gitattributes".to_owned(),
        _ => format!("{folder}/.gitattributes"),
    };
    match repo.read_index().ok()?.get(&path) {
        // Whether it can be read is libgit2's to find out.
        Ok(Some(entry)) => Some(
            repo.oid(&entry.id)
                .ok()
                .and_then(|id| repo.git2.find_blob(id).ok())
                .map(|blob| PatternWeight::of(blob.content()))
                .unwrap_or_default(),
        ),
        Ok(None) | Err(_) => Some(PatternWeight::default()),
    }
}

impl Repo {
    /// Gives libgit2 an index that has the files of attributes alone: it looks for nothing else in one, and would read all of the index
    /// for them, and look for forgeries in its hash.
    pub(super) fn give_index(&self) -> Result<(), Diagnostic> {
        let attempt = "read the files of attributes in the index";
        if self.rules.has_index.get() {
            return Ok(());
        }
        let format = self.git2.object_format();
        let mut index = git2::Index::new_ext(format).map_err(failure::git2(attempt))?;
        for (path, entry) in self.read_index()?.called(".gitattributes") {
            let none = git2::IndexTime::new(0, 0);
            let entry = git2::IndexEntry {
                ctime: none,
                mtime: none,
                dev: 0,
                ino: 0,
                mode: entry.bits,
                uid: 0,
                gid: 0,
                file_size: 0,
                id: self.oid(&entry.id)?,
                flags: 0,
                flags_extended: 0,
                path: path.into_bytes(),
            };
            index.add(&entry).map_err(failure::git2(attempt))?;
        }
        self.git2
            .set_index(&mut index)
            .map_err(failure::git2(attempt))?;
        self.rules.has_index.set(true);
        Ok(())
    }
}

/// Looks for attributes that do not come from a file of the worktree.
fn everywhere(repo: &Repo) -> Everywhere {
    let home = variable("HOME").map(PathBuf::from);
    let configured = variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let global = configured.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let chosen = repo
        .config
        .get("core.attributesfile")
        .map(|path| match path.strip_prefix("~/") {
            Some(below) => home.map(|home| home.join(below)),
            // From where a relative one counts, and what other forms mean, git and libgit2 do not agree about.
            None => Some(PathBuf::from(path)).filter(|path| path.is_absolute()),
        });
    let places = [
        global.map(|folder| folder.join("git/attributes")),
        Some(PathBuf::from("/etc/gitattributes")),
        Some(repo.common_dir().join("info/attributes")),
        // libgit2 looks there, in a linked worktree.
        Some(repo.git_dir().join("info/attributes")),
    ];
    let there: Vec<PathBuf> = places
        .into_iter()
        .flatten()
        .filter(|place| place.exists())
        .collect();
    // In a sparse checkout the index may hold files of attributes that the worktree does not.
    let sparse = repo.config.get_bool("core.sparsecheckout") == Some(true);
    let exist = sparse || chosen.is_some() || !there.is_empty();
    let is_known = chosen.as_ref().is_none_or(Option::is_some);
    let files = || there.iter().chain(chosen.iter().flatten());
    let weight = is_known.then(|| {
        let mut weight = PatternWeight::default();
        files().for_each(|place| weight.add(&PatternWeight::of_file(place)));
        weight
    });
    let mentions = match is_known && !sparse {
        true => files().fold(Mentions::default(), |all, place| {
            all.and(Mentions::of_file(place))
        }),
        false => Mentions::ALL,
    };
    Everywhere {
        exist,
        mentions,
        weight,
    }
}
