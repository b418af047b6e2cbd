//! Whether files of the worktree are as they were, told without reading them, and the content of those that are not.
//!
//! A `Stamp` is what the system says of a file that changes whenever its content may have: times, size and inode. Two
//! changes within one tick of the file system's clock leave the same times, so the stamp of a file that changed just now is
//! never noted: such a file is read again. The time that counts is the inode's (ctime), which nobody can set.
//!
//! Known limits, shared with git: bytes written through a memory map are seen once the system notes the time, and a clock
//! set back can hide a change.

use std::ffi::CStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;
use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::base::environment::variable;
use super::base::stat::Stat;
use super::ground::Ground;
use super::worktree::Worktree;
use super::{ReadSource, Repo, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{Blob, FileMode, Id};
use crate::text::Digest;

/// How long after a change its time could be that of another one: where times are whole seconds, and elsewhere, where the
/// clock ticks a hundred times a second or more often.
const COARSE_TICK: Duration = Duration::from_secs(2);
const FINE_TICK: Duration = Duration::from_millis(100);
/// How many files are read with the handle at hand: another one for each thread costs more than that.
const FEW: usize = 48;

/// What the system says of a file, for comparing. The default says nothing, and is like no other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stamp(u64);

impl Stamp {
    /// Returns the stamp that `bits` stand for.
    pub fn from_bits(bits: u64) -> Stamp {
        Stamp(bits)
    }

    /// Returns it as a number; 0 says nothing.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Says whether both were taken of the same content.
    pub fn is_same(self, other: Stamp) -> bool {
        self.0 != 0 && self.0 == other.0
    }

    fn of_stat(stat: &Stat) -> Stamp {
        let mut digest = Digest::default();
        let times = [stat.mtime.0, stat.mtime.1, stat.ctime.0, stat.ctime.1];
        times
            .iter()
            .for_each(|time| digest.number(time.cast_unsigned()));
        digest.number(stat.size);
        digest.number(stat.ino);
        Stamp(digest.finish().max(1))
    }

    /// Returns the stamp to be noted of the file at `path`, if there is one.
    fn noted(path: &Path) -> Option<Stamp> {
        Some(Stamp::settled(
            &Stat::of(&fs::metadata(path).ok()?),
            SystemTime::now(),
        ))
    }

    /// Returns the stamp to be noted of a file that was read at `now` or later: none of one that had changed just then.
    fn settled(stat: &Stat, now: SystemTime) -> Stamp {
        let (seconds, nanoseconds) = stat.ctime;
        let tick = if nanoseconds == 0 {
            COARSE_TICK
        } else {
            FINE_TICK
        };
        let before = now
            .checked_sub(tick)
            .and_then(|then| then.duration_since(SystemTime::UNIX_EPOCH).ok());
        let before = before.unwrap_or_default();
        let is_old = (seconds, nanoseconds)
            < (
                before.as_secs().cast_signed(),
                i64::from(before.subsec_nanos()),
            );
        if is_old {
            Stamp::of_stat(stat)
        } else {
            Stamp::default()
        }
    }
}

/// One file that is asked for as much as is needed of it.
pub struct LazyFile<'g> {
    id: Id,
    content: ContentState<'g>,
}

enum ContentState<'g> {
    /// Of the worktree, with the stamp that was taken before it was read.
    Read(Blob, Stamp),
    /// Of a tree or the index, whose id is known without it.
    Stored(&'g dyn Ground, &'g RepoPath),
}

impl LazyFile<'_> {
    /// Returns the id of its content, as git would store it.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// Returns the stamp to be noted of it.
    pub fn stamp(&self) -> Stamp {
        match self.content {
            ContentState::Read(_, stamp) => stamp,
            ContentState::Stored(..) => Stamp::default(),
        }
    }

    /// Returns its content, as git would store it.
    pub fn bytes(&self) -> Result<Blob, Diagnostic> {
        match &self.content {
            ContentState::Read(bytes, _) => Ok(bytes.clone()),
            ContentState::Stored(ground, path) => ground.bytes(path),
        }
    }
}

impl Worktree {
    /// Calls `seen` with the stamp of each of `names` in `folder`, and nothing for what is no regular file there. Returns the
    /// stamp to be noted of the folder's own file of attributes.
    pub fn look_in<'n>(
        &self,
        folder: &str,
        names: impl Iterator<Item = &'n CStr>,
        mut seen: impl FnMut(Option<Stamp>),
    ) -> Result<Option<Stamp>, Diagnostic> {
        let opened = match self.folder_at_once(folder) {
            Ok(opened) => opened,
            Err(error) if error.code == Code::Io => return Err(error),
            // A file or a link stands in the folder's place.
            Err(_) => None,
        };
        let Some(opened) = opened else {
            names.for_each(|_| seen(None));
            return Ok(None);
        };
        for name in names {
            seen(stat_at(&opened, name, folder)?.as_ref().map(Stamp::of_stat));
        }
        let attributes = stat_at(&opened, c".gitattributes", folder)?;
        Ok(attributes.map(|stat| Stamp::settled(&stat, SystemTime::now())))
    }
}

/// Returns what the system says of the regular file `name` in `folder`, which messages call `path`.
fn stat_at(folder: &OwnedFd, name: &CStr, path: &str) -> Result<Option<Stat>, Diagnostic> {
    let stat = match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(error) => {
            let path = format!("{path}/{}", name.to_string_lossy());
            return Err(failure::system(&format!(
                "look at {}",
                shown(path.trim_start_matches('/'))
            ))(error));
        }
    };
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    Ok(Some(Stat::of_system(&stat)))
}

impl Repo {
    /// Returns what tells this state of git's index from every other; `None` when there is no index, or one that was written just
    /// now, which could be written once more without a sign: git uses two inodes in turn.
    pub fn index_mark(&self) -> Option<u64> {
        Stamp::noted(self.index_path())
            .filter(|stamp| stamp.0 != 0)
            .map(Stamp::bits)
    }

    /// Returns the paths of the regular files that git's index names, each once, in its order.
    pub fn tracked(&self) -> Result<Vec<String>, Diagnostic> {
        let mut paths = Vec::new();
        self.read_index()?.each(&mut |path, entry| {
            if FileMode::from_bits(entry.bits).is_some() && RepoPath::parse(path).is_ok() {
                paths.push(path.to_owned());
            }
            true
        });
        Ok(paths)
    }

    /// Returns what decides, beside a file itself and the attributes in its folders, what of its bytes is stored; `None` when that
    /// changed just now.
    pub fn conversion_mark(&self) -> Option<u64> {
        let mut digest = Digest::default();
        // Which filters run.
        digest.number(u64::from(self.may_start_all()));
        for (name, _) in self.trusted_filters() {
            digest.text(name.as_bytes());
        }
        let config = self.config();
        let decides = |name: &&str| {
            let named = [
                "core.autocrlf",
                "core.eol",
                "core.safecrlf",
                "core.attributesfile",
                "attr.tree",
            ];
            name.starts_with("filter.") || named.contains(name)
        };
        for name in config.names().filter(decides) {
            digest.text(name.as_bytes());
            digest.text(config.get(name).unwrap_or_default().as_bytes());
        }
        // Attributes may be read from a tree, which is named like a commit.
        let asked = variable("GIT_ATTR_SOURCE").and_then(|tree| tree.into_string().ok());
        if let Some(tree) = asked.or_else(|| config.get("attr.tree")) {
            let found = self
                .git2
                .revparse_single(&tree)
                .and_then(|object| object.peel(git2::ObjectType::Tree));
            digest.text(
                found
                    .map(|tree| tree.id().to_string())
                    .unwrap_or_default()
                    .as_bytes(),
            );
        }
        let home = variable("HOME").map(PathBuf::from);
        let global = variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(home.as_ref()?.join(".config")));
        let chosen =
            config
                .get("core.attributesfile")
                .and_then(|path| match path.strip_prefix("~/") {
                    Some(below) => Some(home.as_ref()?.join(below)),
                    None => Some(PathBuf::from(path)),
                });
        let own = self.common_dir().join("info/attributes");
        let system = Path::new("/etc/gitattributes").to_owned();
        if config.get_bool("core.sparsecheckout") == Some(true) {
            // Files of attributes that are not checked out count as git's index has them.
            digest.number(self.index_mark()?);
        }
        let files = [
            Some(own),
            Some(system),
            global.map(|folder| folder.join("git/attributes")),
            chosen,
        ];
        for file in files.into_iter().flatten() {
            match Stamp::noted(&file) {
                Some(stamp) if stamp.0 == 0 => return None,
                Some(stamp) => digest.number(stamp.0),
                None => digest.number(0),
            }
        }
        Some(digest.finish())
    }

    /// Calls `visit` with each of `paths`, its position beside it, from several threads and in no order.
    pub fn each_lazy_file(
        &self,
        source: &ReadSource,
        paths: &[RepoPath],
        visit: impl Fn(usize, &LazyFile<'_>) -> Result<(), Diagnostic> + Sync,
    ) -> Result<(), Diagnostic> {
        let share = |repo: &Repo, first: usize, paths: &[RepoPath]| -> Result<(), Diagnostic> {
            let ground = repo.lazy_source(source)?;
            let each = || {
                paths
                    .iter()
                    .enumerate()
                    .try_for_each(|(at, path)| visit(first + at, &ground.lazy_file(path)?))
            };
            repo.foreseeing(source, paths, each)
        };
        if self.is_partial() && *source != ReadSource::Worktree {
            self.fetch_ahead(self.ground(source)?.as_ref(), paths.iter())?;
        }
        if paths.len() <= FEW {
            return share(self, 0, paths);
        }
        // As each share opens the repository for itself they are few; more than threads, because some take longer.
        let size = paths.len().div_ceil(crate::parallel::width() * 4).max(FEW);
        let from = self.opening();
        paths
            .par_chunks(size)
            .enumerate()
            .try_for_each(|(at, paths)| share(&from.open()?, at * size, paths))
    }

    fn lazy_source(&self, source: &ReadSource) -> Result<LazySource<'_>, Diagnostic> {
        Ok(match source {
            // Not the whole ground: reading git's index would take longer than the files.
            ReadSource::Worktree => LazySource::Files(self, self.worktree()?),
            ReadSource::Commit { .. } | ReadSource::Unborn { .. } | ReadSource::Index => {
                LazySource::Stored(self.ground(source)?)
            }
        })
    }
}

/// Where they come from.
enum LazySource<'r> {
    Files(&'r Repo, Worktree),
    Stored(Box<dyn Ground + 'r>),
}

impl LazySource<'_> {
    fn lazy_file<'g>(&'g self, path: &'g RepoPath) -> Result<LazyFile<'g>, Diagnostic> {
        match self {
            LazySource::Stored(ground) => {
                let gone = || {
                    Diagnostic::new(
                        Code::Io,
                        format!("{} is no longer there", shown(path.as_str())),
                    )
                };
                let id = ground.blob(path.as_str())?.ok_or_else(gone)?;
                Ok(LazyFile {
                    id,
                    content: ContentState::Stored(ground.as_ref(), path),
                })
            }
            LazySource::Files(repo, worktree) => {
                let now = SystemTime::now();
                let found = worktree.read(path)?;
                // What is gone by now reads like an empty file, of which nothing is noted.
                let stamp = found
                    .as_ref()
                    .map_or(Stamp::default(), |found| Stamp::settled(&found.stat, now));
                let bytes = found.map(|found| found.bytes).unwrap_or_default();
                let bytes = Blob::from(repo.stored_form(path, bytes)?);
                Ok(LazyFile {
                    id: bytes.id(repo.hash_kind()),
                    content: ContentState::Read(bytes, stamp),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;
