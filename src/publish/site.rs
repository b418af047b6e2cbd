//! `Sites`: the worktrees that follow a batch, from the first lock to the last renaming.
//!
//! Invariant: until `settle`, dropping it puts everything back: files that were exchanged, locks, stage, journal.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;

use super::Refusal;
use super::displace::Strictness;
use super::journal::{self, FileExchange, Journal, JournalRecord, LockFile, Pivot, SiteRecord};
use super::survey::{self, Intended};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{
    Entries, ExchangeResult, GrownTrees, IndexEdit, IndexLock, Repo, Stage, Worktree, step,
};
use crate::history::Displaced;
use crate::path::RepoPath;
use crate::snapshot::Change;

/// What a batch comes to in the worktrees.
pub(super) struct Sites<'r> {
    home: &'r Repo,
    sites: Vec<WorktreePaths<'r>>,
    record: JournalRecord,
    journal: Journal,
    settled: bool,
}

/// The repository of a worktree that follows: the caller's handle, or one that was opened for it.
pub(super) enum SiteRepo<'r> {
    Callers(&'r Repo),
    Opened(Box<Repo>),
}

impl<'r> From<&'r Repo> for SiteRepo<'r> {
    fn from(repo: &'r Repo) -> SiteRepo<'r> {
        SiteRepo::Callers(repo)
    }
}

impl From<Repo> for SiteRepo<'_> {
    fn from(repo: Repo) -> Self {
        SiteRepo::Opened(Box::new(repo))
    }
}

impl Deref for SiteRepo<'_> {
    type Target = Repo;

    fn deref(&self) -> &Repo {
        match self {
            SiteRepo::Callers(repo) => repo,
            SiteRepo::Opened(repo) => repo,
        }
    }
}

/// One worktree.
struct WorktreePaths<'r> {
    repo: SiteRepo<'r>,
    worktree: Worktree,
    index: Option<Locked>,
    stage: Stage,
    steps: Vec<FileExchange>,
    /// How many of the steps are done.
    done: usize,
}

/// An index that is ours to write.
struct Locked {
    lock: IndexLock,
    entries: Entries,
    edits: Vec<IndexEdit>,
}

impl<'r> Sites<'r> {
    /// Opens the worktrees of `checkouts`, writes the journal, and locks their indexes if `pivot` needs them.
    pub(super) fn lock(
        home: &'r Repo,
        checkouts: Vec<SiteRepo<'r>>,
        pivot: Pivot,
    ) -> Result<Sites<'r>, Refusal> {
        let indexes = pivot != Pivot::Journal;
        let mut record = JournalRecord {
            version: journal::VERSION,
            pivot,
            ref_lock: None,
            sites: Vec::new(),
        };
        let mut sites = Vec::new();
        let mut keys = Vec::new();
        for repo in checkouts {
            let worktree = repo.worktree()?;
            let stage = repo.stage(&worktree)?;
            let key = if indexes {
                Some(repo.index_key()?)
            } else {
                None
            };
            let lock = match &key {
                Some(key) => {
                    let (path, inode) = key.lock()?;
                    Some(LockFile {
                        path: path.to_owned(),
                        inode,
                    })
                }
                None => None,
            };
            step("stage")?;
            record.sites.push(SiteRecord {
                worktree: repo.workdir().unwrap_or(repo.git_dir()).to_owned(),
                index: repo.index_path().to_owned(),
                lock,
                stage: Some(stage.path().to_owned()),
                steps: Vec::new(),
                entries: Vec::new(),
            });
            sites.push(WorktreePaths {
                repo,
                worktree,
                index: None,
                stage,
                steps: Vec::new(),
                done: 0,
            });
            keys.push(key);
        }
        let journal = Journal::write(home, &record)?;
        let mut sites = Sites {
            home,
            sites,
            record,
            journal,
            settled: false,
        };
        for (site, key) in sites.sites.iter_mut().zip(keys) {
            let Some(key) = key else { continue };
            let lock = key.turn()?;
            // Read only now: what was read before the lock was ours may have lost somebody's `git add`.
            site.index = Some(Locked {
                lock,
                entries: site.repo.read_index()?,
                edits: Vec::new(),
            });
        }
        Ok(sites)
    }

    /// Returns the repositories of the worktrees.
    pub(super) fn repos(&self) -> impl Iterator<Item = &Repo> {
        self.sites.iter().map(|site| &*site.repo)
    }

    /// Looks for everything that is in the way of what is intended, works out the steps, and stages the new files. Returns what
    /// the history has to keep of the files that make way.
    pub(super) fn survey(
        &mut self,
        intended: &Intended<'_>,
        strictness: Strictness,
    ) -> Result<Vec<Displaced>, Refusal> {
        let (mut refusals, mut displaced) = (Vec::new(), Vec::new());
        for (site, record) in self.sites.iter_mut().zip(&mut self.record.sites) {
            let entries = site.index.as_ref().map(|locked| &locked.entries);
            let found = survey::survey(&site.repo, &site.worktree, entries, intended, strictness)?;
            refusals.extend(found.refusals);
            displaced.extend(found.displaced);
            record.steps = found.steps.iter().map(|(step, _)| step.clone()).collect();
            site.steps = record.steps.clone();
            if !refusals.is_empty() {
                continue;
            }
            for (slot, (exchange, content)) in found.steps.iter().enumerate() {
                if let (Some(new), Some(file)) = (&exchange.new, content) {
                    step("file-staged")?;
                    site.stage
                        .put(slot, &file.bytes, new.mode(), file.permissions)?;
                }
            }
            if let Some(locked) = &mut site.index {
                record.entries = locked.intend(&site.repo, intended.changes);
            }
        }
        if refusals.is_empty() {
            Ok(displaced)
        } else {
            Err(Refusal::Refused(refusals))
        }
    }

    /// Looks for what is in the way of `changes` in the indexes alone, and writes the indexes to come.
    pub(super) fn survey_indexes(&mut self, changes: &[Change]) -> Result<(), Refusal> {
        for (site, record) in self.sites.iter_mut().zip(&mut self.record.sites) {
            let Some(locked) = &mut site.index else {
                continue;
            };
            survey::survey_index(&site.repo, &locked.entries, changes)?;
            record.entries = locked.intend(&site.repo, changes);
            let content = locked.entries.with(&site.repo, &locked.edits, None)?;
            locked.lock.write(&content)?;
        }
        Ok(())
    }

    /// Tells the journal what is going to be exchanged, under which lock of a ref.
    pub(super) fn announce(&mut self, ref_lock: Option<LockFile>) -> Result<(), Diagnostic> {
        self.record.ref_lock = ref_lock;
        self.journal.rewrite(self.home, &self.record)
    }

    /// Exchanges the files. One that is no longer what the survey saw refuses the batch, and what was exchanged is taken back.
    pub(super) fn exchange(&mut self) -> Result<(), Refusal> {
        match self.exchange_each() {
            Ok(()) => Ok(()),
            Err(refusal) => Err(refusal.with(self.put_back())),
        }
    }

    fn exchange_each(&mut self) -> Result<(), Refusal> {
        for site in &mut self.sites {
            for (slot, wanted) in site.steps.iter().enumerate() {
                step("exchange")?;
                let path = wanted.checked_path()?;
                let (kind, old, new) = (
                    site.repo.hash_kind(),
                    wanted.old.as_ref(),
                    wanted.new.as_ref(),
                );
                // Counted before: what failed halfway has to be looked at too, and what never happened is not taken back.
                site.done = slot + 1;
                match site
                    .worktree
                    .exchange(kind, &site.stage, slot, &path, old, new)?
                {
                    ExchangeResult::Done => {}
                    ExchangeResult::Changed => return Err(changed_meanwhile(&path).into()),
                    ExchangeResult::Kept(place) => {
                        return Err(saved_meanwhile(&path, &place).into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the indexes to come, with what the system now says about the files and, if the batch is a commit, which trees it `grew`, so that
    /// git need not read any of them.
    pub(super) fn write_indexes(
        &mut self,
        grown: Option<&GrownTrees<'_>>,
    ) -> Result<(), Diagnostic> {
        for site in &mut self.sites {
            let Some(locked) = &mut site.index else {
                continue;
            };
            let written: BTreeMap<&str, &FileExchange> = site
                .steps
                .iter()
                .map(|step| (step.path.as_str(), step))
                .collect();
            for edit in &mut locked.edits {
                if written.contains_key(edit.path.as_str()) {
                    edit.stat = site.worktree.stat(&edit.path);
                }
            }
            let content = locked.entries.with(&site.repo, &locked.edits, grown)?;
            locked.lock.write(&content)?;
        }
        step("refreshed")
    }

    /// Goes past the point of no return of a batch that moves no ref: gives the index its new content, or else ends the
    /// journal. A failure puts everything back.
    pub(super) fn pass(mut self) -> Result<(), Diagnostic> {
        match self.record.pivot {
            Pivot::Index => {
                for locked in self.sites.iter_mut().filter_map(|site| site.index.as_mut()) {
                    locked.lock.take_place()?;
                }
            }
            Pivot::Journal => self.journal.remove()?,
            Pivot::Ref { .. } | Pivot::Back { .. } => {}
        }
        self.settled = true;
        // Published: what a test makes fail from here on is nobody's failure any more.
        let _ = step("passed");
        Ok(())
    }

    /// Gives the indexes their new content and ends the journal. The ref has moved, so the batch has happened: what fails
    /// here is returned to be told, and left for whoever comes next to finish.
    pub(super) fn settle(mut self) -> Vec<Diagnostic> {
        self.settled = true;
        let mut failures = Vec::new();
        for locked in self.sites.iter_mut().filter_map(|site| site.index.as_mut()) {
            // Twice: a signal in between is no reason to leave somebody with an index of yesterday.
            if let Err(failure) = locked
                .lock
                .take_place()
                .or_else(|_| locked.lock.take_place())
            {
                locked.lock.leave();
                failures.push(failure.note(
                    "published; `git segedit recover`, or whatever command is next, brings the index up to date",
                ));
            }
        }
        if !failures.is_empty() || step("passed").is_err() {
            self.journal.leave();
        }
        failures
    }

    /// Leaves the journal to whoever comes next: not all that belongs to taking the batch back can be done now.
    pub(super) fn leave_journal(&mut self) {
        self.journal.leave();
    }

    /// Leaves everything as it is to whoever comes next: nobody can say now whether the ref moved.
    pub(super) fn leave(mut self) {
        self.settled = true;
        self.journal.leave();
        self.sites
            .iter_mut()
            .filter_map(|site| site.index.as_mut())
            .for_each(|locked| locked.lock.leave());
    }

    /// Takes back what was exchanged, and returns what to say of saves that are kept elsewhere.
    fn put_back(&mut self) -> Vec<Diagnostic> {
        let (mut all, mut saves) = (true, Vec::new());
        for site in &mut self.sites {
            for (slot, step) in site.steps.iter().enumerate().take(site.done).rev() {
                let back = take_back(&site.repo, &site.worktree, &site.stage, slot, step);
                if let (Ok(ExchangeResult::Kept(place)), Ok(path)) = (&back, step.checked_path()) {
                    saves.push(saved_meanwhile(&path, place));
                }
                all &= back.is_ok();
            }
            site.done = 0;
        }
        if !all {
            self.journal.leave();
        }
        saves
    }
}

impl Locked {
    /// Takes note of what the index shall say about the changed paths, and returns it.
    fn intend(&mut self, repo: &Repo, changes: &[Change]) -> Vec<(String, Option<String>)> {
        self.edits = edits(repo, changes);
        let entry = |edit: &IndexEdit| {
            let entry = edit.entry.as_ref();
            let entry = entry.map(|(mode, id)| journal::index_entry(mode.bits(), id));
            (edit.path.as_str().to_owned(), entry)
        };
        self.edits.iter().map(entry).collect()
    }
}

impl Drop for Sites<'_> {
    fn drop(&mut self) {
        if !self.settled {
            // What is kept elsewhere after the files were exchanged stays unsaid: it is in our folder, or in the worktree's root.
            drop(self.put_back());
        }
        for site in &mut self.sites {
            if self.journal.is_left() {
                // As long as the lock is there, `git commit` refuses to commit the half.
                site.index.iter_mut().for_each(|locked| locked.lock.leave());
                site.stage.leave();
            }
            // A lock that is still here was not needed; it goes while the journal still knows it.
            site.index = None;
        }
        // Before the stages: a journal without its stage could put back only half.
        if !self.journal.end() {
            self.sites.iter_mut().for_each(|site| site.stage.leave());
        }
    }
}

/// Takes one exchange back, if it happened. A file that somebody wrote since then stays as they left it.
pub(super) fn take_back(
    repo: &Repo,
    worktree: &Worktree,
    stage: &Stage,
    slot: usize,
    step: &FileExchange,
) -> Result<ExchangeResult, Diagnostic> {
    let path = step.checked_path()?;
    let (old, new) = (step.old.as_ref(), step.new.as_ref());
    worktree.take_back(repo.hash_kind(), stage, slot, &path, old, new)
}

/// Returns what the index shall say about the changed paths.
fn edits(repo: &Repo, changes: &[Change]) -> Vec<IndexEdit> {
    let entry = |change: &Change| {
        change
            .after
            .as_ref()
            .map(|file| (file.mode, file.bytes.id(repo.hash_kind())))
    };
    changes
        .iter()
        .map(|change| IndexEdit {
            path: change.path.clone(),
            entry: entry(change),
            stat: None,
        })
        .collect()
}

fn saved_meanwhile(path: &RepoPath, kept: &Path) -> Diagnostic {
    let path = shown(path.as_str());
    let message = format!(
        "{path} was saved in the worktree this very moment; the last save is there, what it took the place of in {}",
        shown(&kept.to_string_lossy())
    );
    Diagnostic::new(Code::WorktreeDirty, message).note("nothing was published; repeat the request")
}

fn changed_meanwhile(path: &RepoPath) -> Diagnostic {
    Diagnostic::new(
        Code::WorktreeDirty,
        format!(
            "{} was changed in the worktree this very moment",
            shown(path.as_str())
        ),
    )
    .note("nothing was published; repeat the request")
}
