//! The index: read as it stands, and the bytes that edits make of it; `lock` puts those in its place.
//!
//! Invariant: entries that the edits do not name keep what they say. Split and sparse indexes are read from a full copy and written by the git
//! program, in the format that they had.
//!
//! Known limit: what a file-system monitor said goes when an index is written; git asks it again.
//!
//! | file | holds |
//! |---|---|
//! | `splice`, `edit` | what edits make of it |
//! | `content` | the bytes of that, and how they are written |
//! | `young` | entries that an index to come must not trust |
//! | `cache_tree`, `grown` | which trees its folders are, and what a commit made of them |
//! | `by_program` | what only git writes |

mod by_program;
mod cache_tree;
mod content;
mod edit;
mod grown;
mod splice;
#[cfg(test)]
mod tests;
mod young;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::base::index_file::{EntryView, IndexFile, IndexFormat, UnreadIndex};
use super::base::scratch;
use super::{NameInFolder, Repo, Stage, Stat, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::Id;
use by_program::{read_full_copy, with_git};
use splice::SpliceRules;
use young::YoungEntries;

pub(super) use content::{IndexContent, UnwrittenIndex};
pub use edit::IndexEdit;
pub use grown::GrownTrees;

const INTENT_TO_ADD: u16 = 1 << 13;
const SKIP_WORKTREE: u16 = 1 << 14;

/// The index as it was when it was read.
pub struct Entries {
    file: Arc<IndexFile>,
    /// Which way it has to be written.
    format: IndexFormat,
    /// When it was written, in seconds and nanoseconds; `None` when there is no index.
    written: Option<(i64, i64)>,
}

/// What the index says about one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// git's number for the mode.
    pub bits: u32,
    /// The blob.
    pub id: Id,
    /// Whether the worktree is meant not to have the file.
    pub skip_worktree: bool,
}

impl Repo {
    /// Returns the path of this worktree's index.
    pub fn index_path(&self) -> &Path {
        &self.index_file
    }

    /// Reads the index as it is on disk; once, as long as the system says the same of the file.
    pub fn read_index(&self) -> Result<Entries, Diagnostic> {
        let attempt = "read the index";
        let entries = |file, format, written| Entries {
            file,
            format,
            written,
        };
        let broken =
            |why: &str| Diagnostic::new(Code::Io, format!("could not {attempt}: {}", shown(why)));
        match fs::metadata(&self.index_file) {
            // Opening a pipe waits for somebody who writes.
            Ok(found) if !found.is_file() => return Err(broken("it is no file")),
            Ok(found) if found.len() > LARGEST => return Err(broken("it is larger than 2 GiB")),
            Ok(_) | Err(_) => {}
        }
        let opened = match fs::File::open(&self.index_file) {
            Ok(opened) => opened,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let empty = IndexFile::empty(self.hash_kind());
                return Ok(entries(Arc::new(empty), IndexFormat::Plain, None));
            }
            Err(error) => return Err(failure::system(attempt)(error)),
        };
        // Before it is read: what was written in between is then only trusted less.
        let found = opened.metadata().map_err(failure::system(attempt))?;
        let stat = Stat::of(&found);
        let written = Some(stat.mtime);
        let known = self.index_as_read.0.borrow().clone();
        if let Some((_, file, format)) = known.filter(|(then, ..)| *then == stat) {
            return Ok(entries(file, format, written));
        }
        let room = usize::try_from(stat.size).unwrap_or(0).min(MOST_AT_ONCE);
        let mut bytes = Vec::with_capacity(room);
        opened
            .take(LARGEST)
            .read_to_end(&mut bytes)
            .map_err(failure::system(attempt))?;
        let in_full = |format| match IndexFile::read(read_full_copy(self)?, self.hash_kind()) {
            Ok(file) => Ok((file, format)),
            Err(UnreadIndex::Broken(why)) => Err(broken(&why)),
            Err(UnreadIndex::Split | UnreadIndex::Sparse) => {
                Err(broken("git's full copy of it is none"))
            }
        };
        let (file, format) = match IndexFile::read(bytes, self.hash_kind()) {
            Ok(file) => (file, IndexFormat::Plain),
            // Never both: git does not make a split index sparse.
            Err(UnreadIndex::Split) => in_full(IndexFormat::Split)?,
            Err(UnreadIndex::Sparse) => in_full(IndexFormat::Sparse)?,
            Err(UnreadIndex::Broken(why)) => return Err(broken(&why)),
        };
        let file = Arc::new(file);
        *self.index_as_read.0.borrow_mut() = Some((stat, Arc::clone(&file), format));
        Ok(entries(file, format, written))
    }

    /// Removes what publishers that were killed before they wrote a journal left: stages and locks to come, which only whoever
    /// is at the head of the queue makes, and temporary folders that nobody can still be using.
    pub fn sweep(&self) {
        if let Ok(Some(home)) = self.home_if_any() {
            // What earlier versions kept here, and nobody reads any more.
            const OLD: [&str; 4] = [
                "index.sqlite",
                "index.sqlite-journal",
                "index.users",
                "findings",
            ];
            let is_left = |name: &String| {
                name.starts_with(Stage::PREFIX)
                    || OLD.contains(&name.as_str())
                    || scratch::is_abandoned(name, &home.path().join(name))
            };
            let names = home.names().into_iter().filter(is_left);
            names
                .filter_map(|name| home.place(&name).ok())
                .for_each(|place| drop(place.remove_all()));
            self.break_packed_lock();
            for name in ["journal.new", Repo::LOG_ASIDE] {
                home.place(name).ok().map(|place| place.remove_all());
            }
        }
        let own = self
            .index_file
            .parent()
            .unwrap_or(Path::new("."))
            .to_owned();
        for folder in self.worktree_git_dirs().into_iter().chain([own]) {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            for name in names.filter(|name| name.starts_with("index.segedit-")) {
                // By the folder that was listed: a link of that name goes itself.
                let _ = NameInFolder::below(&folder, Path::new(&name))
                    .map(|place| place.map(|place| place.remove()));
            }
        }
    }
}

/// Most bytes of an index that is read.
const LARGEST: u64 = 1 << 31;

/// So much room is made for an index before any of it is read.
const MOST_AT_ONCE: usize = 1 << 28;

impl Entries {
    /// Returns what the index says about `path`, or `None`. A path in conflict, or one that `git add -N` only
    /// announced, has no content to speak of: refused.
    pub fn get(&self, path: &str) -> Result<Option<Indexed>, Diagnostic> {
        let Some(entry) = self.file.find(path.as_bytes(), 0) else {
            return self.refuse_conflict(path);
        };
        if entry.extended() & INTENT_TO_ADD != 0 {
            let message = format!(
                "{} is only announced to the index (`git add -N`)",
                shown(path)
            );
            return Err(Diagnostic::new(Code::WorktreeDirty, message).note("`git add` it first"));
        }
        Ok(Some(indexed(&entry)))
    }

    /// Says whether something is known at `path`, in whatever state.
    pub fn has(&self, path: &str) -> bool {
        let from = self.file.first_from(path.as_bytes());
        let mut rest = self.file.views(from);
        rest.next()
            .is_some_and(|entry| entry.name() == path.as_bytes())
    }

    /// Says whether the file at `path`, of which the system says `found`, is by its metadata as it was when somebody last told
    /// the index that its content is the entry's: git's rule, held to the nanosecond where they were noted. What was
    /// written in the moment in which the index was is not known to be.
    pub fn is_clean(&self, repo: &Repo, path: &RepoPath, found: &Stat) -> bool {
        let entry = self.file.find(path.as_str().as_bytes(), 0);
        let (Some(entry), Some(written)) = (entry, self.written) else {
            return false;
        };
        // Sizes without inodes and changes of the inode: for those who share a worktree with another implementation of git.
        let minimal = repo
            .config()
            .get("core.checkstat")
            .is_some_and(|value| value.eq_ignore_ascii_case("minimal"));
        let trusts_ctime = !minimal && repo.config().get_bool("core.trustctime") != Some(false);
        let (mtime, ctime) = (Noted::of(entry.mtime()), Noted::of(entry.ctime()));
        let is_fine = !minimal && mtime.is_fine();
        // git takes the size off an entry to have it read again when it writes the index within the second of the file. The
        // nanoseconds of both times say more than that size did.
        let size = entry.size() == low(found.size)
            || (entry.size() == 0 && is_fine && trusts_ctime && ctime.is_fine());
        let unchanged = mtime.is(found.mtime, minimal)
            && (!trusts_ctime || ctime.is(found.ctime, minimal))
            && (minimal || entry.inode() == low(found.ino));
        let settled = if is_fine {
            found.mtime < written
        } else {
            found.mtime.0 < written.0
        };
        size && unchanged && settled
    }

    fn refuse_conflict(&self, path: &str) -> Result<Option<Indexed>, Diagnostic> {
        if !self.has(path) {
            return Ok(None);
        }
        Err(Diagnostic::new(
            Code::WorktreeDirty,
            format!("{} has an unresolved conflict in the index", shown(path)),
        )
        .note("resolve it and `git add` it first"))
    }

    /// Returns the paths that a merge left unresolved, sorted; those with several sides as often.
    pub(super) fn conflicts(&self) -> Vec<String> {
        let unresolved = self.file.views(0).filter(|entry| entry.stage() != 0);
        unresolved
            .map(|entry| String::from_utf8_lossy(entry.name()).into_owned())
            .collect()
    }

    /// Returns the entries below `folder`; of the empty name all.
    fn below(&self, folder: &str) -> impl Iterator<Item = (EntryView<'_>, usize)> {
        let prefix = match folder {
            "" => String::new(),
            _ => format!("{folder}/"),
        };
        let from = self.file.first_from(prefix.as_bytes());
        let length = prefix.len();
        self.file
            .views(from)
            .take_while(move |entry| entry.name().starts_with(prefix.as_bytes()))
            .map(move |entry| (entry, length))
    }

    /// Returns whether anything is below `folder`.
    pub fn has_folder(&self, folder: &str) -> bool {
        self.below(folder).next().is_some()
    }

    /// Returns the first path below `folder` that `passes`.
    pub fn find_below(&self, folder: &str, passes: impl Fn(&str) -> bool) -> Option<String> {
        self.below(folder)
            .map(|(entry, _)| String::from_utf8_lossy(entry.name()).into_owned())
            .find(|path| passes(path))
    }

    /// Calls `visit` with every path that has content, sorted, until it returns false.
    pub fn each(&self, visit: &mut dyn FnMut(&str, &Indexed) -> bool) {
        for entry in self.file.views(0) {
            if entry.stage() != 0 || entry.extended() & INTENT_TO_ADD != 0 {
                continue;
            }
            if let Ok(path) = std::str::from_utf8(entry.name())
                && !visit(path, &indexed(&entry))
            {
                return;
            }
        }
    }

    /// Returns each path called `name`, in whatever folder, that has content.
    pub(super) fn called(&self, name: &str) -> Vec<(String, Indexed)> {
        let is_called = |path: &[u8]| {
            let head = path.strip_suffix(name.as_bytes());
            head.is_some_and(|head| head.is_empty() || head.ends_with(b"/"))
        };
        self.file
            .views(0)
            .filter(|entry| entry.stage() == 0 && is_called(entry.name()))
            .filter_map(|entry| {
                let path = std::str::from_utf8(entry.name()).ok()?;
                Some((path.to_owned(), indexed(&entry)))
            })
            .collect()
    }

    /// Returns the names in `folder`, each once.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (entry, length) in self.below(folder) {
            let rest = entry.name().get(length..).unwrap_or_default();
            let name = rest.split(|&byte| byte == b'/').next().unwrap_or(rest);
            let Ok(name) = std::str::from_utf8(name) else {
                continue;
            };
            if names.last().is_none_or(|last| last != name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Returns the index that `edits` make of this one; `grown` says what a commit made of the folders, if the edits are those
    /// of one.
    pub fn with(
        &self,
        repo: &Repo,
        edits: &[IndexEdit],
        grown: Option<&GrownTrees<'_>>,
    ) -> Result<IndexContent, Diagnostic> {
        if self.format != IndexFormat::Plain {
            let bytes = with_git(repo, edits, self.format, &self.skipped(edits))?;
            return Ok(IndexContent::written(bytes));
        }
        let of_folder = grown.map(|grown| |folder: &[u8]| grown.of(folder));
        let rules = SpliceRules {
            young: YoungEntries::of(repo, self.written),
            skips_hash: skips_hash(repo),
            grown: of_folder.as_ref().map(|of| of as &cache_tree::Grown<'_>),
        };
        splice::spliced(&self.file, edits, &rules).map_err(|path| {
            let message = format!(
                "could not write the index: {} cannot be in it beside what is there",
                shown(&path)
            );
            Diagnostic::new(Code::Io, message)
        })
    }

    /// Returns those of the paths that the worktree is meant not to have.
    fn skipped(&self, edits: &[IndexEdit]) -> Vec<u8> {
        let skipped = |edit: &&IndexEdit| {
            edit.entry.is_some()
                && self
                    .get(edit.path.as_str())
                    .ok()
                    .flatten()
                    .is_some_and(|entry| entry.skip_worktree)
        };
        edits
            .iter()
            .filter(skipped)
            .flat_map(|edit| format!("{}\0", edit.path).into_bytes())
            .collect()
    }
}

/// Says whether git leaves the hash of its index out.
fn skips_hash(repo: &Repo) -> bool {
    let many = || repo.config().get_bool("feature.manyfiles") == Some(true);
    repo.config()
        .get_bool("index.skiphash")
        .unwrap_or_else(many)
}

/// A time as an index keeps it.
#[derive(Clone, Copy, Debug)]
struct Noted {
    seconds: u32,
    nanoseconds: u32,
}

impl Noted {
    fn of((seconds, nanoseconds): (u32, u32)) -> Noted {
        Noted {
            seconds,
            nanoseconds,
        }
    }

    /// Says whether parts of a second were noted.
    fn is_fine(self) -> bool {
        self.nanoseconds != 0
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index keeps the low 32 bits"
    )]
    fn is(self, (seconds, nanoseconds): (i64, i64), only_seconds: bool) -> bool {
        let same = i64::from(self.nanoseconds) == nanoseconds || only_seconds || !self.is_fine();
        same && self.seconds == seconds as u32
    }
}

/// Returns the bits of `number` that an index keeps.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an index keeps the low 32 bits"
)]
fn low(number: u64) -> u32 {
    number as u32
}

fn indexed(entry: &EntryView<'_>) -> Indexed {
    Indexed {
        bits: entry.mode(),
        id: entry.id(),
        skip_worktree: entry.extended() & SKIP_WORKTREE != 0,
    }
}
