//! Bringing a roll and the store up to date: which files are doubtful, what they hold, and what of that is new.
//!
//! New contents are put in batch by batch, so that a process that is killed leaves what it did; the roll comes last.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::answer::Halt;
use super::file_list::{ListedFolder, Roll, UNKNOWN};
use super::name_key::key;
use super::record::{ContentSegments, IndexedSegment};
use super::store::{Fresh, IndexDatabase, Trouble};
use super::{ReadProgress, may_name};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{LazyFile, ReadSource, Repo, Stamp, TreeChange, TreeFile};
use crate::path::RepoPath;
use crate::resolve::{Document, Reading, called, scaffold};
use crate::snapshot::{Blob, HashKind, Id};
use crate::text::{Digest, is_binary};

/// How much is put in at once: a batch costs a rewrite of every bucket, and is what a kill can cost.
const MOST_CONTENTS: usize = 4096;

const MOST_BYTES: usize = 32 << 20;

const LONGEST: Duration = Duration::from_secs(10);

/// How many files whose content turned out to be the same are read once more next time rather than written down, if it took no
/// longer than that.
const FEW: usize = 64;

const SHORT: Duration = Duration::from_millis(20);

/// A place and its roll.
pub(super) struct Work<'r> {
    repo: &'r Repo,
    source: &'r ReadSource,
    place: String,
    roll: Roll,
    /// Whether the roll is to be kept whatever was read: its files are others than those that are kept, or somebody asked for it.
    is_new: bool,
}

/// What a look at the files came to.
#[derive(Default)]
pub(super) struct LookedFiles {
    /// Positions of the files that are there and are asked for.
    present: Vec<usize>,
    /// Those of them that have to be read.
    pub(super) doubtful: Vec<usize>,
    /// The state of what decides beside the files what of them is stored.
    conversion: u64,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Caught {
    pub(super) read: usize,
    pub(super) added: usize,
}

impl<'r> Work<'r> {
    /// Returns the roll of `source` with the files that it lists now.
    pub(super) fn of(
        repo: &'r Repo,
        source: &'r ReadSource,
        store: &IndexDatabase,
    ) -> Result<Work<'r>, Halt> {
        match source {
            ReadSource::Worktree => Work::of_worktree(repo, source, store),
            ReadSource::Commit { tree, .. } => Work::of_tree(repo, source, tree, store),
            // Nobody searches these.
            ReadSource::Unborn { .. } | ReadSource::Index => Err(Trouble::Unusable.into()),
        }
    }

    fn of_worktree(
        repo: &'r Repo,
        source: &'r ReadSource,
        store: &IndexDatabase,
    ) -> Result<Work<'r>, Halt> {
        let top = repo.workdir().unwrap_or(repo.git_dir());
        let place = format!("worktree {} {}", repo.index_path().display(), top.display());
        // Ahead of reading it: an index that is replaced meanwhile is read again next time.
        let listing = repo.index_mark().unwrap_or(0);
        let kept = store.roll(&place)?.unwrap_or_default();
        if listing != 0 && kept.listing == listing {
            return Ok(Work {
                repo,
                source,
                place,
                roll: kept,
                is_new: false,
            });
        }
        let mut roll = Roll::of(&repo.tracked()?, &kept);
        (roll.listing, roll.conversion) = (listing, kept.conversion);
        Ok(Work {
            repo,
            source,
            place,
            roll,
            is_new: true,
        })
    }

    fn of_tree(
        repo: &'r Repo,
        source: &'r ReadSource,
        tree: &Id,
        store: &IndexDatabase,
    ) -> Result<Work<'r>, Halt> {
        const TREE: &str = "tree ";
        let place = format!("{TREE}{tree}");
        if let Some(roll) = store.roll(&place)? {
            return Ok(Work {
                repo,
                source,
                place,
                roll,
                is_new: false,
            });
        }
        let last = store.last_place(TREE)?;
        let base = last
            .as_deref()
            .and_then(|last| last.strip_prefix(TREE))
            .map(|id| Id(id.to_owned()));
        // A tree that is gone by now is no base.
        let from_last = base
            .as_ref()
            .and_then(|base| repo.tree_changes(Some(base), Some(tree)).ok());
        let (changes, before) = match (from_last, &last) {
            (Some(changes), Some(last)) => (changes, store.roll(last)?.unwrap_or_default()),
            _ => (repo.tree_changes(None, Some(tree))?, Roll::default()),
        };
        let path_of = |change: &TreeChange| String::from_utf8(change.path.clone()).ok();
        let changed: HashSet<String> = changes.iter().filter_map(path_of).collect();
        let mut paths: Vec<String> = before
            .paths()
            .into_iter()
            .filter(|path| !changed.contains(path))
            .collect();
        let same = Roll::of(&paths, &before);
        let is_file = |change: &&TreeChange| change.new.as_ref().is_some_and(TreeFile::is_regular);
        paths.extend(
            changes
                .iter()
                .filter(is_file)
                .filter_map(path_of)
                .filter(|path| RepoPath::parse(path).is_ok()),
        );
        Ok(Work {
            repo,
            source,
            place,
            roll: Roll::of(&paths, &same),
            is_new: true,
        })
    }

    /// Has the roll kept, however little is read.
    pub(super) fn kept_in_any_case(self) -> Work<'r> {
        Work {
            is_new: true,
            ..self
        }
    }

    /// Returns the files of the place.
    pub(super) fn roll(&self) -> &Roll {
        &self.roll
    }

    /// Looks which of the files that `pathspecs` match have to be read.
    pub(super) fn look(&self, pathspecs: &[String]) -> Result<LookedFiles, Diagnostic> {
        let roll = &self.roll;
        let asked = match pathspecs {
            [] => None,
            pathspecs => Some(self.repo.sift(&roll.paths(), pathspecs)?),
        };
        let is_asked = |at: usize| {
            asked
                .as_ref()
                .is_none_or(|asked| asked.get(at) == Some(&true))
        };
        if *self.source != ReadSource::Worktree {
            let present: Vec<usize> = (0..roll.len()).filter(|&at| is_asked(at)).collect();
            let is_unknown = |at: &usize| roll.contents.get(*at) == Some(&UNKNOWN);
            let doubtful = present.iter().copied().filter(is_unknown).collect();
            return Ok(LookedFiles {
                present,
                doubtful,
                conversion: 0,
            });
        }
        let worktree = self.repo.worktree()?;
        let seen = roll.folders().par_iter().with_min_len(16).map(|folder| {
            let asked: Vec<usize> = folder.files.clone().filter(|&at| is_asked(at)).collect();
            let mut stamps = Vec::with_capacity(asked.len());
            let names = asked.iter().map(|&at| roll.c_name(at));
            let attributes = worktree.look_in(&folder.path, names, |stamp| stamps.push(stamp))?;
            Ok((asked, stamps, attributes))
        });
        let seen = seen.collect::<Result<Vec<_>, Diagnostic>>()?;
        let attributes = roll
            .folders()
            .iter()
            .zip(&seen)
            .filter_map(|(folder, seen)| Some((folder, seen.2?)));
        let conversion = conversion(self.repo.conversion_mark(), attributes);
        let mut look = LookedFiles {
            conversion,
            ..LookedFiles::default()
        };
        let is_same = conversion != UNSETTLED && conversion == roll.conversion;
        for (asked, stamps, _) in seen {
            for (at, stamp) in asked.into_iter().zip(stamps) {
                let Some(stamp) = stamp else { continue };
                look.present.push(at);
                let known = roll
                    .contents
                    .get(at)
                    .is_some_and(|&content| content != UNKNOWN);
                if !(is_same
                    && known
                    && roll.stamps.get(at).is_some_and(|kept| kept.is_same(stamp)))
                {
                    look.doubtful.push(at);
                }
            }
        }
        Ok(look)
    }

    /// Reads what is doubtful among the files that `pathspecs` match, and puts in what is new. Returns the positions of the
    /// files that are there, and what was done.
    pub(super) fn catch_up(
        &mut self,
        store: &mut IndexDatabase,
        pathspecs: &[String],
        progress: ReadProgress<'_>,
    ) -> Result<(Vec<usize>, Caught), Halt> {
        let look = self.look(pathspecs)?;
        if look.conversion != self.roll.conversion
            || look.conversion == UNSETTLED && *self.source == ReadSource::Worktree
        {
            // Whatever is not looked at now is doubtful from now on.
            self.roll.stamps.fill(Stamp::default());
            self.roll.conversion = look.conversion;
            self.is_new = true;
        }
        if look.doubtful.len() > FEW && store.is_read_only() {
            return Err(Trouble::Unusable.into());
        }
        let began = Instant::now();
        let read = self.read(store, &look.doubtful, progress)?;
        let mut changed = 0;
        for ReadOutcome { at, number, stamp } in read.outcomes {
            if let Some((content, kept)) = self
                .roll
                .contents
                .get_mut(at)
                .zip(self.roll.stamps.get_mut(at))
            {
                changed += usize::from(*content != number);
                (*content, *kept) = (number, stamp);
            }
        }
        if self.is_new || changed > 0 || look.doubtful.len() > FEW || began.elapsed() > SHORT {
            // What was read is known, whether it can be written down or not.
            let _ = store.keep(&self.place, &self.roll);
        }
        Ok((
            look.present,
            Caught {
                read: look.doubtful.len(),
                added: read.added,
            },
        ))
    }

    /// Reads the files at these positions.
    fn read(
        &self,
        store: &mut IndexDatabase,
        doubtful: &[usize],
        progress: ReadProgress<'_>,
    ) -> Result<ReadAll, Halt> {
        let paths: Vec<RepoPath> = doubtful
            .iter()
            .filter_map(|&at| self.roll.path(at))
            .collect();
        if paths.len() != doubtful.len() {
            return Err(Trouble::Broken.into());
        }
        let desk = Desk::new(self.repo.hash_kind(), store);
        let done = AtomicUsize::new(0);
        let outcome = self.repo.each_lazy_file(self.source, &paths, |at, file| {
            if let Some((&position, path)) = doubtful.get(at).zip(paths.get(at)) {
                desk.take(position, path, file)?;
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, paths.len());
            Ok(())
        });
        desk.clear(outcome)
    }
}

/// A state of settings and attributes that may change without a sign, and is like no other.
const UNSETTLED: u64 = 0;

/// Returns the state of what decides beside a file what of it is stored: settings, and the files of attributes in folders.
fn conversion<'a>(
    settings: Option<u64>,
    attributes: impl Iterator<Item = (&'a ListedFolder, Stamp)>,
) -> u64 {
    let Some(settings) = settings else {
        return UNSETTLED;
    };
    let mut digest = Digest::default();
    digest.number(settings);
    for (folder, stamp) in attributes {
        if stamp.bits() == 0 {
            return UNSETTLED;
        }
        digest.text(folder.path.as_bytes());
        digest.number(stamp.bits());
    }
    digest.finish().max(1)
}

/// What became of one file that was read.
struct ReadOutcome {
    at: usize,
    number: u32,
    stamp: Stamp,
}

/// What became of all that was read.
struct ReadAll {
    outcomes: Vec<ReadOutcome>,
    added: usize,
}

/// Where several threads put what they read.
struct Desk<'s> {
    hash: HashKind,
    store: Mutex<&'s mut IndexDatabase>,
    pile: Mutex<Pile>,
    trouble: Mutex<Option<Trouble>>,
}

/// What was read so far, and what of it is still to be put in.
struct Pile {
    read: ReadAll,
    waiting: Vec<(Fresh, usize, Stamp)>,
    bytes: usize,
    since: Instant,
}

impl<'s> Desk<'s> {
    fn new(hash: HashKind, store: &'s mut IndexDatabase) -> Desk<'s> {
        let read = ReadAll {
            outcomes: Vec::new(),
            added: 0,
        };
        let pile = Pile {
            read,
            waiting: Vec::new(),
            bytes: 0,
            since: Instant::now(),
        };
        Desk {
            hash,
            store: Mutex::new(store),
            pile: Mutex::new(pile),
            trouble: Mutex::default(),
        }
    }

    /// Takes a file that was read, and parses it if nobody did before.
    fn take(&self, at: usize, path: &RepoPath, file: &LazyFile<'_>) -> Result<(), Diagnostic> {
        let Some(key) = key(file.id(), path) else {
            return Err(self.stop(Trouble::Unusable));
        };
        let stamp = file.stamp();
        let known = held(&self.store)
            .number(&key)
            .map_err(|trouble| self.stop(trouble))?;
        if let Some(number) = known {
            held(&self.pile)
                .read
                .outcomes
                .push(ReadOutcome { at, number, stamp });
            return Ok(());
        }
        let told = told(self.hash, path, file.bytes()?);
        let fresh = Fresh {
            key,
            told: told.written(),
            words: told.words(),
        };
        let full = held(&self.pile).add(fresh, at, stamp);
        self.put_in(full)
    }

    fn put_in(&self, batch: Vec<(Fresh, usize, Stamp)>) -> Result<(), Diagnostic> {
        if batch.is_empty() {
            return Ok(());
        }
        let (fresh, places): (Vec<Fresh>, Vec<(usize, Stamp)>) = batch
            .into_iter()
            .map(|(fresh, at, stamp)| (fresh, (at, stamp)))
            .unzip();
        let (numbers, added) = held(&self.store)
            .add(&fresh)
            .map_err(|trouble| self.stop(trouble))?;
        let outcomes = numbers
            .into_iter()
            .zip(places)
            .map(|(number, (at, stamp))| ReadOutcome { at, number, stamp });
        let mut pile = held(&self.pile);
        pile.read.outcomes.extend(outcomes);
        pile.read.added += added;
        Ok(())
    }

    /// Notes why nobody can go on, and returns what ends the reading.
    fn stop(&self, trouble: Trouble) -> Diagnostic {
        // Damage is the better news: it can be mended.
        let mut noted = held(&self.trouble);
        if *noted != Some(Trouble::Broken) {
            *noted = Some(trouble);
        }
        Diagnostic::new(Code::Io, "the index of segments cannot be used")
    }

    /// Puts in what is left, if `outcome` says that all went well.
    fn clear(self, outcome: Result<(), Diagnostic>) -> Result<ReadAll, Halt> {
        let rest = std::mem::take(&mut held(&self.pile).waiting);
        // What was parsed before somebody's file could not be read is good work too.
        let outcome = self.put_in(rest).and(outcome);
        match *held(&self.trouble) {
            Some(trouble) => return Err(trouble.into()),
            None => outcome?,
        }
        Ok(self
            .pile
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .read)
    }
}

impl Pile {
    /// Adds what is to be put in, and returns all that is once it is enough.
    fn add(&mut self, fresh: Fresh, at: usize, stamp: Stamp) -> Vec<(Fresh, usize, Stamp)> {
        if self.waiting.is_empty() {
            self.since = Instant::now();
        }
        self.bytes += fresh.told.len();
        self.waiting.push((fresh, at, stamp));
        if self.waiting.len() < MOST_CONTENTS
            && self.bytes < MOST_BYTES
            && self.since.elapsed() < LONGEST
        {
            return Vec::new();
        }
        self.bytes = 0;
        std::mem::take(&mut self.waiting)
    }
}

/// Returns what `bytes` at `path` tell.
fn told(hash: HashKind, path: &RepoPath, bytes: Blob) -> ContentSegments {
    // What the template calls a block, the file need not say.
    if let Some(Ok(_)) = scaffold::header(&bytes) {
        return ContentSegments::Scaffolded;
    }
    if !may_name(path, &bytes) || is_binary(&bytes) {
        return ContentSegments::Segments(Vec::new());
    }
    let document = Document::new(path.clone(), bytes, hash);
    let reading = Reading::of(&document);
    if let Some(excess) = reading.excess() {
        return ContentSegments::Excessive(excess);
    }
    let called = called::all(&reading);
    ContentSegments::Segments(
        called
            .into_iter()
            .map(|called| IndexedSegment::of(called, &document.bytes))
            .collect(),
    )
}

/// Returns what `mutex` holds. Whoever panicked with it in hand was parsing, and left it whole.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
