//! The index: read as it stands, and the bytes that edits make of it; `lock` puts those in its place.
//!
//! Invariant: entries that the edits do not name keep what they say. Split and sparse indexes, which libgit2 cannot read, are read from a full
//! copy and written by the git program, in the format that they had.
//!
//! Known limit: libgit2 drops the untracked cache and the file-system monitor's data when it writes; git builds
//! them again, so the next `git status` is slower and not wrong.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use git2::{IndexEntry, IndexTime, Oid};

use super::base::scratch::{self, Scratch};
use super::head::id;
use super::{NameInFolder, Repo, Stage, Stat, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{FileMode, HashKind, Id};

const INTENT_TO_ADD: u16 = 1 << 13;
const SKIP_WORKTREE: u16 = 1 << 14;
const STAGE: u16 = 0x3000;

/// The index as it stood when it was read.
pub struct Entries {
    pub(super) index: git2::Index,
    /// Which way it has to be written.
    format: Format,
    /// When it was written, in seconds and nanoseconds; `None` when there is no index.
    written: Option<(i64, i64)>,
    /// Holds the copy that `index` was read from.
    _copy: Option<Scratch>,
}

/// Who can write an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// libgit2.
    Plain,
    /// Only git: split into a shared file and what differs from that.
    Split,
    /// Only git: folders that are not checked out are one entry each.
    Sparse,
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

/// What the index shall say about one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEdit {
    /// The path.
    pub path: RepoPath,
    /// Mode and blob; `None` to forget the path.
    pub entry: Option<(FileMode, Id)>,
    /// What the system says about the file just written, so that git need not read it again.
    pub stat: Option<Stat>,
}

impl Repo {
    /// Returns the path of this worktree's index.
    pub fn index_path(&self) -> &Path {
        &self.index_file
    }

    /// Reads the index as it stands on disk.
    pub fn read_index(&self) -> Result<Entries, Diagnostic> {
        let attempt = "read the index";
        let format = self.git2.object_format();
        // Before it is read: what was written in between is then only trusted less.
        let written = fs::metadata(&self.index_file)
            .ok()
            .map(|index| (index.mtime(), index.mtime_nsec()));
        if written.is_none() {
            let index = git2::Index::new_ext(format).map_err(failure::git2(attempt))?;
            return Ok(Entries {
                index,
                format: Format::Plain,
                written,
                _copy: None,
            });
        }
        match git2::Index::open_ext(&self.index_file, format) {
            Ok(index) => Ok(Entries {
                index,
                format: Format::Plain,
                written,
                _copy: None,
            }),
            // Never both: git does not make a split index sparse.
            Err(error)
                if error
                    .message()
                    .contains("unsupported mandatory extension: 'link'") =>
            {
                self.read_full_copy(Format::Split, written)
            }
            Err(error)
                if error
                    .message()
                    .contains("unsupported mandatory extension: 'sdir'") =>
            {
                self.read_full_copy(Format::Sparse, written)
            }
            Err(error) => Err(failure::git2(attempt)(error)),
        }
    }

    /// Has git write a plain copy of a split or sparse index, and reads that.
    fn read_full_copy(
        &self,
        format: Format,
        written: Option<(i64, i64)>,
    ) -> Result<Entries, Diagnostic> {
        let attempt = "read a split or sparse index";
        let folder = self.scratch()?;
        let copy = folder.path().join("index");
        fs::copy(&self.index_file, &copy).map_err(failure::system(attempt))?;
        let plain = ["-c", "core.splitIndex=false", "-c", "index.sparse=false"];
        let rewrite = ["update-index", "--no-split-index", "--force-write-index"];
        self.program().with("GIT_INDEX_FILE", &copy).demand(
            attempt,
            &[&plain[..], &rewrite].concat(),
            &[],
        )?;
        let index = git2::Index::open_ext(&copy, self.git2.object_format())
            .map_err(failure::git2(attempt))?;
        Ok(Entries {
            index,
            format,
            written,
            _copy: Some(folder),
        })
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

impl Entries {
    /// Returns what the index says about `path`, or `None`. A path in conflict, or one that `git add -N` only
    /// announced, has no content to speak of: refused.
    pub fn get(&self, path: &str) -> Result<Option<Indexed>, Diagnostic> {
        let Some(entry) = self.index.get_path(Path::new(path), 0) else {
            return self.refuse_conflict(path);
        };
        if entry.flags_extended & INTENT_TO_ADD != 0 {
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
        (0..=3).any(|stage| self.index.get_path(Path::new(path), stage).is_some())
    }

    /// Says whether the file at `path`, of which the system says `found`, is by its metadata as it was when somebody last told
    /// the index that its content is the entry's: git's rule, held to the nanosecond where they were noted. What was
    /// written in the moment in which the index was is not known to be.
    pub fn is_clean(&self, repo: &Repo, path: &RepoPath, found: &Stat) -> bool {
        let entry = self.index.get_path(Path::new(path.as_str()), 0);
        let (Some(entry), Some(written)) = (entry, self.written) else {
            return false;
        };
        // Sizes without inodes and changes of the inode: for those who share a worktree with another implementation of git.
        let minimal = repo
            .config()
            .get("core.checkstat")
            .is_some_and(|value| value.eq_ignore_ascii_case("minimal"));
        let trusts_ctime = !minimal && repo.config().get_bool("core.trustctime") != Some(false);
        let (mtime, ctime) = (Noted::of(entry.mtime), Noted::of(entry.ctime));
        let is_fine = !minimal && mtime.is_fine();
        // git takes the size off an entry to have it read again when it writes the index within the second of the file. The
        // nanoseconds of both times say more than that size did.
        let size = entry.file_size == low(found.size)
            || (entry.file_size == 0 && is_fine && trusts_ctime && ctime.is_fine());
        let unchanged = mtime.is(found.mtime, minimal)
            && (!trusts_ctime || ctime.is(found.ctime, minimal))
            && (minimal || entry.ino == low(found.ino));
        let settled = if is_fine {
            found.mtime < written
        } else {
            found.mtime.0 < written.0
        };
        size && unchanged && settled
    }

    fn refuse_conflict(&self, path: &str) -> Result<Option<Indexed>, Diagnostic> {
        if (1..=3).all(|stage| self.index.get_path(Path::new(path), stage).is_none()) {
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
        let unresolved = self.index.iter().filter(|entry| entry.flags & STAGE != 0);
        unresolved
            .map(|entry| String::from_utf8_lossy(&entry.path).into_owned())
            .collect()
    }

    /// Returns whether anything stands below `folder`.
    pub fn has_folder(&self, folder: &str) -> bool {
        self.index.find_prefix(format!("{folder}/")).is_ok()
    }

    /// Returns the first path below `folder` that `passes`.
    pub fn find_below(&self, folder: &str, passes: impl Fn(&str) -> bool) -> Option<String> {
        let prefix = format!("{folder}/");
        let start = self.index.find_prefix(prefix.as_str()).ok()?;
        (start..self.index.len())
            .map_while(|at| {
                self.index
                    .get(at)
                    .filter(|entry| entry.path.starts_with(prefix.as_bytes()))
            })
            .map(|entry| String::from_utf8_lossy(&entry.path).into_owned())
            .find(|path| passes(path))
    }

    /// Calls `visit` with every path that has content, sorted, until it returns false.
    pub fn each(&self, visit: &mut dyn FnMut(&str, &Indexed) -> bool) {
        for entry in self.index.iter() {
            if entry.flags & STAGE != 0 || entry.flags_extended & INTENT_TO_ADD != 0 {
                continue;
            }
            if let Ok(path) = std::str::from_utf8(&entry.path)
                && !visit(path, &indexed(&entry))
            {
                return;
            }
        }
    }

    /// Returns the names in `folder`, each once.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let start = if prefix.is_empty() {
            Ok(0)
        } else {
            self.index.find_prefix(prefix.as_str())
        };
        let Ok(start) = start else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        for entry in (start..self.index.len()).filter_map(|at| self.index.get(at)) {
            let Some(rest) = entry.path.strip_prefix(prefix.as_bytes()) else {
                break;
            };
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

    /// Returns the bytes of the index that `edits` make of this one.
    pub fn with(&mut self, repo: &Repo, edits: &[IndexEdit]) -> Result<Vec<u8>, Diagnostic> {
        match self.format {
            Format::Plain => self.with_libgit2(repo, edits),
            Format::Split | Format::Sparse => {
                with_git(repo, edits, self.format, &self.skipped(edits))
            }
        }
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

    fn with_libgit2(&mut self, repo: &Repo, edits: &[IndexEdit]) -> Result<Vec<u8>, Diagnostic> {
        let attempt = "write the index";
        let folder = repo.scratch()?;
        let file = folder.path().join("index");
        let written = fs::metadata(&repo.index_file).ok();
        if written.is_some() {
            fs::copy(&repo.index_file, &file).map_err(failure::system(attempt))?;
        }
        let mut index = git2::Index::open_ext(&file, repo.git2.object_format())
            .map_err(failure::git2(attempt))?;
        // First what goes, so that a file can become a folder and a folder a file.
        for edit in edits.iter().filter(|edit| edit.entry.is_none()) {
            index
                .remove(Path::new(edit.path.as_str()), 0)
                .map_err(failure::git2(attempt))?;
        }
        for edit in edits {
            let Some((mode, blob)) = &edit.entry else {
                continue;
            };
            let old = index.get_path(Path::new(edit.path.as_str()), 0);
            let entry = entry(edit, *mode, repo.oid(blob)?, old.as_ref());
            index.add(&entry).map_err(failure::git2(attempt))?;
        }
        smudge_racy(&mut index, written.as_ref()).map_err(failure::git2(attempt))?;
        index.write().map_err(failure::git2(attempt))?;
        fs::read(&file).map_err(failure::system(attempt))
    }
}

/// Takes the size off entries whose file was as young as the index that was `written`: git does not trust what it noted
/// of those, but would trust it in an index that is younger, and miss a change of the same second and size.
fn smudge_racy(index: &mut git2::Index, written: Option<&fs::Metadata>) -> Result<(), git2::Error> {
    let Some(written) = written else {
        return Ok(());
    };
    let racy = |entry: &IndexEntry| {
        i64::from(entry.mtime.seconds()) >= written.mtime() && entry.file_size != 0
    };
    let smudged: Vec<IndexEntry> = index
        .iter()
        .filter(racy)
        .map(|entry| IndexEntry {
            file_size: 0,
            ..entry
        })
        .collect();
    smudged.iter().try_for_each(|entry| index.add(entry))
}

/// Has git itself make the edits on a copy, so that a split index stays split and a sparse one sparse.
fn with_git(
    repo: &Repo,
    edits: &[IndexEdit],
    format: Format,
    skipped: &[u8],
) -> Result<Vec<u8>, Diagnostic> {
    let attempt = "write a split or sparse index";
    let folder = repo.scratch()?;
    let file = folder.path().join("index");
    fs::copy(&repo.index_file, &file).map_err(failure::system(attempt))?;
    let zero = "0".repeat(match repo.hash_kind() {
        HashKind::Sha1 => 40,
        HashKind::Sha256 => 64,
    });
    let mut lines = Vec::new();
    let (gone, kept): (Vec<&IndexEdit>, Vec<&IndexEdit>) =
        edits.iter().partition(|edit| edit.entry.is_none());
    for edit in gone.into_iter().chain(kept) {
        match &edit.entry {
            None => lines.extend(format!("0 {zero}\t{}\0", edit.path).bytes()),
            Some((mode, blob)) => {
                lines.extend(format!("{:o} {blob}\t{}\0", mode.bits(), edit.path).bytes())
            }
        }
    }
    let git = repo.program().with("GIT_INDEX_FILE", &file);
    let full = ["-c", "index.sparse=false", "update-index"];
    let run = |arguments: &[&str], input: &[u8]| {
        git.demand(attempt, &[&full[..], arguments].concat(), input)
    };
    if format == Format::Sparse {
        // Made full first: told to change a path inside a folder that a sparse index holds as one entry, git 2.47 keeps both.
        run(&["--force-write-index"], &[])?;
    }
    run(&["-z", "--index-info"], &lines)?;
    if !skipped.is_empty() {
        // `--index-info` makes new entries, and new entries are checked out.
        run(&["-z", "--skip-worktree", "--stdin"], skipped)?;
    }
    if format == Format::Sparse {
        // And once more with the caller's own settings, which make it sparse again. Not so a split one: a write by force
        // cuts it off from its shared file.
        git.demand(attempt, &["update-index", "--force-write-index"], &[])?;
    }
    fs::read(&file).map_err(failure::system(attempt))
}

/// A time as an index keeps it.
#[derive(Clone, Copy, Debug)]
struct Noted {
    seconds: i32,
    nanoseconds: u32,
}

impl Noted {
    fn of(time: IndexTime) -> Noted {
        Noted {
            seconds: time.seconds(),
            nanoseconds: time.nanoseconds(),
        }
    }

    /// Says whether parts of a second were noted.
    fn is_fine(self) -> bool {
        self.nanoseconds != 0
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index keeps the low 32 bits"
    )]
    fn is(self, (seconds, nanoseconds): (i64, i64), only_seconds: bool) -> bool {
        let same = i64::from(self.nanoseconds) == nanoseconds || only_seconds || !self.is_fine();
        same && self.seconds == seconds as i32
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

fn indexed(entry: &IndexEntry) -> Indexed {
    Indexed {
        bits: entry.mode,
        id: id(entry.id),
        skip_worktree: entry.flags_extended & SKIP_WORKTREE != 0,
    }
}

/// Returns libgit2's form of an edit; what the edit does not decide comes from the `old` entry.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index keeps the low 32 bits"
)]
fn entry(edit: &IndexEdit, mode: FileMode, oid: Oid, old: Option<&IndexEntry>) -> IndexEntry {
    let stat = edit.stat.unwrap_or_default();
    let time =
        |(seconds, nanoseconds): (i64, i64)| IndexTime::new(seconds as i32, nanoseconds as u32);
    IndexEntry {
        ctime: time(stat.ctime),
        mtime: time(stat.mtime),
        dev: stat.dev as u32,
        ino: stat.ino as u32,
        mode: mode.bits(),
        uid: stat.uid,
        gid: stat.gid,
        file_size: stat.size as u32,
        id: oid,
        flags: 0,
        flags_extended: old.map_or(0, |old| old.flags_extended & SKIP_WORKTREE),
        path: edit.path.as_str().as_bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{Sandbox, path};

    /// Waits until whatever is written next has another time.
    fn pause() {
        std::thread::sleep(std::time::Duration::from_millis(30));
    }

    #[test]
    fn a_file_is_clean_as_long_as_nobody_touches_it() {
        type Act = fn(&Sandbox);
        let same_size: Act = |sandbox| sandbox.write("a.txt", "two\n");
        let same_time: Act = |sandbox| {
            let file = sandbox.root().join("a.txt");
            let time = fs::metadata(&file).unwrap().modified().unwrap();
            fs::write(&file, "two\n").unwrap();
            fs::File::options()
                .write(true)
                .open(&file)
                .unwrap()
                .set_modified(time)
                .unwrap();
        };
        let another: Act = |sandbox| {
            let (file, other) = (sandbox.root().join("a.txt"), sandbox.root().join("other"));
            fs::write(&other, "two\n").unwrap();
            fs::rename(other, file).unwrap();
        };
        let no_ctime: Act = |sandbox| {
            sandbox.git(&["config", "core.trustctime", "false"]);
            let file = sandbox.root().join("a.txt");
            fs::set_permissions(&file, fs::metadata(&file).unwrap().permissions()).unwrap();
        };
        let minimal: Act = |sandbox| {
            sandbox.git(&["config", "core.checkStat", "minimal"]);
            // The second of the index has to be a later one.
            std::thread::sleep(std::time::Duration::from_millis(1100));
            sandbox.git(&["update-index", "--force-write-index"]);
            same_inode_or_not(sandbox);
        };
        let cases: [(&str, Act, bool); 9] = [
            ("nothing", |_| {}, true),
            ("read", |sandbox| drop(sandbox.read("a.txt")), true),
            ("written, as long as before", same_size, false),
            ("written, its time set back", same_time, false),
            ("another file", another, false),
            ("touched", |sandbox| sandbox.write("a.txt", "one\n"), false),
            (
                "touched and added",
                |sandbox| {
                    sandbox.write("a.txt", "two\n");
                    pause();
                    sandbox.git(&["add", "a.txt"]);
                },
                true,
            ),
            ("the time of the inode alone", no_ctime, true),
            ("a copy with the same time", minimal, true),
        ];
        for (name, act, expected) in cases {
            let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
            pause();
            sandbox.git(&["update-index", "--force-write-index"]);
            pause();
            act(&sandbox);
            let repo = sandbox.repo();
            let stat = repo.worktree().unwrap().stat(&path("a.txt")).unwrap();
            let entries = repo.read_index().unwrap();
            assert_eq!(
                entries.is_clean(&repo, &path("a.txt"), &stat),
                expected,
                "{name}"
            );
            assert!(!entries.is_clean(&repo, &path("b.txt"), &stat), "{name}");
        }
    }

    /// Puts a copy in the place of the file, with its times.
    fn same_inode_or_not(sandbox: &Sandbox) {
        let (file, other) = (sandbox.root().join("a.txt"), sandbox.root().join("other"));
        let time = fs::metadata(&file).unwrap().modified().unwrap();
        fs::copy(&file, &other).unwrap();
        fs::File::options()
            .write(true)
            .open(&other)
            .unwrap()
            .set_modified(time)
            .unwrap();
        fs::rename(other, file).unwrap();
    }

    #[test]
    fn a_file_as_young_as_the_index_is_not_known_to_be_clean() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let (file, index) = (
            sandbox.root().join("a.txt"),
            sandbox.root().join(".git/index"),
        );
        let written = fs::metadata(&file).unwrap().modified().unwrap();
        for (older, expected) in [(false, false), (true, true)] {
            let time = if older {
                written + std::time::Duration::from_secs(2)
            } else {
                written
            };
            fs::File::options()
                .write(true)
                .open(&index)
                .unwrap()
                .set_modified(time)
                .unwrap();
            let repo = sandbox.repo();
            let stat = repo.worktree().unwrap().stat(&path("a.txt")).unwrap();
            assert_eq!(
                repo.read_index()
                    .unwrap()
                    .is_clean(&repo, &path("a.txt"), &stat),
                expected
            );
        }
    }
}
