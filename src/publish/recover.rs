//! Finishing or rolling back what a publisher that was killed left behind. Begun by the next call that publishes or looks (`Queue::enter`,
//! `recover_if_needed`, `recover_if_idle`) and by `git segedit recover`; what the history announced is settled by `history`.
//!
//! The pivot of the journal decides. Before it: every file that still is what we wrote gets its old bytes again. After it:
//! the index, complete in its lock, is renamed. Either way a file that somebody wrote since then is theirs and stays,
//! a lock that is not ours by its inode stays too, and both are reported. A journal that this program cannot have written for
//! this repository (`leftover`) is set aside, and nothing that it says is done.

use std::path::PathBuf;

use super::journal::{self, JournalState, Pivot};
use super::leftover::{self, Leftover, LeftoverWorktree, Unfit, remove_lock};
use super::{Queue, site};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ExchangeResult, Indexed, Repo, Seal, Stage};
use crate::history::{self, Settled, Trace};
use crate::path::RepoPath;
use crate::snapshot::Id;

/// What was found and done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing was under way.
    Nothing,
    /// The batch had happened; what was missing is done.
    Finished {
        /// Files that somebody wrote since then.
        left: Vec<LeftFile>,
    },
    /// The batch had not happened; what was done is undone.
    RolledBack {
        /// Files that somebody wrote since then.
        left: Vec<LeftFile>,
    },
    /// What was left is not this program's work for this repository; nothing of it was done.
    SetAside {
        /// Where it is now.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// A file that is not as the batch that was interrupted, or what was before it, has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftFile {
    /// The file.
    pub path: RepoPath,
    /// Why it is so.
    pub why: LeftReason,
    /// Where that is kept which it took the place of: what it was before the batch, or another save.
    pub save: Option<PathBuf>,
}

/// Why a file is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftReason {
    /// Somebody wrote it since then.
    Changed,
    /// Its worktree is not there.
    Away(PathBuf),
    /// What was kept of it is not there any more.
    Gone,
    /// The index has it as it was before the batch: the one that was to take its place is gone.
    Index,
}

/// Waits for our turn, then finishes or rolls back what is left over, and lets the history say so.
pub(crate) fn recover(repo: &Repo) -> Result<(Recovery, Vec<Settled>), Diagnostic> {
    finish(&Queue::wait(repo)?)
}

/// Finishes or rolls back what is left over, if anything is: the same files are there while a process publishes, so its
/// lock is waited for first. Returns what to warn of.
pub(crate) fn recover_if_needed(repo: &Repo) -> Result<Vec<Diagnostic>, Diagnostic> {
    if !is_left_over(repo) {
        return Ok(Vec::new());
    }
    let (recovery, settled) = recover(repo)?;
    Ok(recovery
        .warning()
        .into_iter()
        .chain(settled.iter().filter_map(Settled::warning))
        .collect())
}

/// Finishes or rolls back what is left over, if this program left it for this user, and unless somebody has the turn: a process
/// that is publishing leaves the same traces, and is not waited for. A reader acts on nothing else.
pub(crate) fn recover_if_idle(repo: &Repo) -> Result<(), Diagnostic> {
    if is_left_over(repo)
        && journal::is_ours(repo)
        && history::are_ours(repo)
        && let Some(queue) = Queue::try_wait(repo)?
    {
        // What does not fit stays for whoever publishes next, and hears of it.
        if let JournalState::Record(record, Seal::Ours) = journal::read(repo)?
            && let Ok(leftover) = leftover::check(repo, &record, Seal::Ours)
        {
            if says_nothing(&leftover)? {
                carry_out(repo, &leftover)?;
            }
        } else {
            history::settle(repo, Trace::Any)?;
        }
        drop(queue);
    }
    Ok(())
}

/// Says whether nothing would have to be said of files once all is put in order: a reader has nobody to say it to.
fn says_nothing(leftover: &Leftover<'_>) -> Result<bool, Diagnostic> {
    for site in &leftover.sites {
        if let Some(lock) = &site.lock
            && !lock.is_ours()?
            && !became_index(site)?
        {
            return Ok(false);
        }
        if site.steps.is_empty() {
            continue;
        }
        let (Some(repo), Some(_)) = (&site.repo, stage_of(site)?) else {
            return Ok(false);
        };
        let worktree = repo.worktree()?;
        for step in site.steps {
            let path = step.checked_path()?;
            let has = |version| worktree.has(site.kind, &path, version);
            if !has(step.old.as_ref())? && !has(step.new.as_ref())? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Says whether anything is to be put in order, or under way.
pub(crate) fn is_left_over(repo: &Repo) -> bool {
    is_unsettled(repo) || history::is_unsettled(repo)
}

/// Returns whether a publication is under way, or was left to whoever comes next.
pub(crate) fn is_unsettled(repo: &Repo) -> bool {
    journal::is_there(repo)
}

/// Finishes or rolls back what is left over, in our turn, and lets the history say so.
pub(super) fn finish(queue: &Queue<'_>) -> Result<(Recovery, Vec<Settled>), Diagnostic> {
    let repo = queue.repo();
    let set_aside = |why| {
        let file = journal::set_aside(repo)?;
        let settled = history::settle(repo, Trace::Any)?;
        Ok((Recovery::SetAside { file, why }, settled))
    };
    let (record, seal) = match journal::read(repo)? {
        JournalState::Nothing => {
            repo.sweep();
            return Ok((Recovery::Nothing, history::settle(repo, Trace::Any)?));
        }
        JournalState::Unreadable(why) => return set_aside(why),
        JournalState::Record(_, Seal::Foreign) => {
            return set_aside("its seal is not made with your key for this clone".to_owned());
        }
        JournalState::Record(record, seal) => (record, seal),
    };
    match leftover::check(repo, &record, seal) {
        Ok(leftover) => carry_out(repo, &leftover),
        Err(Unfit::Refused(why)) => set_aside(why),
        Err(Unfit::Failed(failure)) => Err(*failure),
    }
}

/// Finishes or rolls back, lets the history say so, ends the journal, and only then removes the stages: a journal without its stage could
/// put back only half, and an intent without its journal could not tell what was rolled back.
fn carry_out(repo: &Repo, leftover: &Leftover<'_>) -> Result<(Recovery, Vec<Settled>), Diagnostic> {
    let mut journal = journal::take_up(repo)?;
    let outcome = settle(repo, leftover).and_then(|recovery| {
        let settled = history::settle(repo, recovery.trace())?;
        Ok((recovery, settled))
    });
    if outcome.is_err() {
        journal.leave();
        return outcome;
    }
    if journal.end() {
        for stage in leftover.sites.iter().filter_map(|site| site.stage.as_ref()) {
            let _ = stage.remove_all();
        }
        repo.sweep();
    }
    outcome
}

fn settle(repo: &Repo, leftover: &Leftover<'_>) -> Result<Recovery, Diagnostic> {
    let happened = happened(repo, leftover)?;
    if let (false, Pivot::Back { name, .. }) = (happened, leftover.pivot) {
        // Before the lock goes: after it, somebody may begin another.
        repo.put_log_back(name);
    }
    remove_ref_lock(repo, leftover)?;
    // The files come before what the logs say: a log that cannot be amended keeps nobody from their files.
    let amended = match (happened, leftover.pivot) {
        (false, Pivot::Ref { name, .. } | Pivot::Back { name, .. }) => {
            amend_logs(repo, leftover, name)
        }
        _ => Ok(()),
    };
    let mut left = Vec::new();
    for site in &leftover.sites {
        if happened {
            left.extend(rename_index(site)?);
        } else {
            left.extend(roll_back(site)?);
            if let Some(lock) = &site.lock {
                lock.remove()?;
            }
        }
    }
    amended?;
    Ok(if happened {
        Recovery::Finished { left }
    } else {
        Recovery::RolledBack { left }
    })
}

/// Takes out of the logs what they say of a move that did not come to be.
fn amend_logs(repo: &Repo, leftover: &Leftover<'_>, name: &str) -> Result<(), Diagnostic> {
    repo.amend_log(name)?;
    repo.amend_log("HEAD")?;
    for worktree in leftover.sites.iter().filter_map(|site| site.repo.as_ref()) {
        worktree.amend_log("HEAD")?;
    }
    Ok(())
}

/// Returns whether the batch is visible to others.
fn happened(repo: &Repo, leftover: &Leftover<'_>) -> Result<bool, Diagnostic> {
    match leftover.pivot {
        Pivot::Ref { name, new } => {
            // A worktree that has the commit has it from this batch, wherever the ref is by now.
            let mut tips = heads(repo, leftover)?;
            if name != "HEAD" || tips.is_empty() {
                tips.extend(repo.tip(name)?);
            }
            Ok(has_descendant(repo, tips, new)? || took_place(leftover)?)
        }
        Pivot::Back { name, old } => {
            // Each worktree has a HEAD of its own, and only the one that follows was moved.
            let mut tips = heads(repo, leftover)?;
            if name != "HEAD" || tips.is_empty() {
                tips = repo.tip(name)?.into_iter().collect();
            }
            Ok(!has_descendant(repo, tips, old)? || took_place(leftover)?)
        }
        Pivot::Index => {
            for site in &leftover.sites {
                if !became_index(site)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Pivot::Journal => Ok(false),
    }
}

/// Returns what HEAD names in the worktrees that follow the batch, be they there or not.
fn heads(repo: &Repo, leftover: &Leftover<'_>) -> Result<Vec<Id>, Diagnostic> {
    let mut heads = Vec::new();
    for site in &leftover.sites {
        let git_dir = site.index.as_ref().and_then(|index| index.path().parent());
        match (&site.repo, git_dir) {
            (Some(worktree), _) => heads.extend(worktree.tip("HEAD")?),
            (None, Some(git_dir)) => heads.extend(repo.head_in(git_dir)?),
            (None, None) => {}
        }
    }
    Ok(heads)
}

/// Says whether one of `tips` is the commit `id` or descends from it.
fn has_descendant(repo: &Repo, tips: Vec<Id>, id: &str) -> Result<bool, Diagnostic> {
    for tip in tips {
        if repo.descends(&tip, &Id(id.to_owned()))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Says whether no lock is left, and all indexes are those of the batch: then it was published, whatever became of its commit since.
fn took_place(leftover: &Leftover<'_>) -> Result<bool, Diagnostic> {
    let Some(lock) = &leftover.ref_lock else {
        return Ok(false);
    };
    if lock.is_ours()? || leftover.sites.is_empty() {
        return Ok(false);
    }
    for site in &leftover.sites {
        if !became_index(site)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether the lock took the index's place.
fn became_index(site: &LeftoverWorktree<'_>) -> Result<bool, Diagnostic> {
    let Some(lock) = site.lock.as_ref().filter(|_| !site.entries.is_empty()) else {
        return Ok(false);
    };
    if lock.is_ours()? {
        return Ok(false);
    }
    let Some(worktree) = &site.repo else {
        return Ok(false);
    };
    // The lock is gone: it took the index's place, which somebody may have written once more since, or somebody removed it,
    // as git tells people to. The inode of the index does not tell: that of a lock that is gone is given to the next.
    // An index changes in one step, so one of our entries is as good as all. It does so after all files: where one of them was not
    // exchanged it did not, whatever somebody has added since.
    if !is_all_exchanged(site, worktree)? {
        return Ok(false);
    }
    let index = worktree.read_index()?;
    let holds = |(path, written): &(String, Option<String>)| {
        let entry = index.get(path);
        entry.is_ok_and(|entry| is_entry(entry.as_ref(), written.as_deref()))
    };
    Ok(site.entries.iter().any(holds))
}

/// Returns whether an entry of an index is as a batch writes it.
fn is_entry(entry: Option<&Indexed>, written: Option<&str>) -> bool {
    match (entry, written) {
        (None, None) => true,
        (Some(entry), Some(written)) => {
            written == journal::index_entry(entry.bits, &entry.id) || written == entry.id.0
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Returns whether every file was exchanged, as far as the stage can tell.
fn is_all_exchanged(site: &LeftoverWorktree<'_>, repo: &Repo) -> Result<bool, Diagnostic> {
    let Some(stage) = stage_of(site)? else {
        return Ok(true);
    };
    let (kind, worktree) = (repo.hash_kind(), repo.worktree()?);
    for (slot, step) in site.steps.iter().enumerate() {
        let (old, new) = (step.old.as_ref(), step.new.as_ref());
        if worktree.was_exchanged(kind, &stage, slot, old, new)? == Some(false) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Opens the stage of a worktree, if there is one.
fn stage_of(site: &LeftoverWorktree<'_>) -> Result<Option<Stage>, Diagnostic> {
    match &site.stage {
        Some(place) => Stage::at(place),
        None => Ok(None),
    }
}

/// Has the index that was written take its place. Where its lock is gone, and the index did not change, returns what that has of old.
fn rename_index(site: &LeftoverWorktree<'_>) -> Result<Vec<LeftFile>, Diagnostic> {
    let (Some(lock), Some(index)) = (&site.lock, &site.index) else {
        return Ok(Vec::new());
    };
    if !lock.is_ours()? {
        return index_of_old(site);
    }
    let renamed = lock.place.rename(index).map_err(|error| {
        Diagnostic::new(
            Code::Io,
            format!("could not replace {}: {error}", index.path().display()),
        )
    });
    renamed.map(|()| Vec::new())
}

/// Returns the files that the index has as they were before the batch, and not as that has them.
fn index_of_old(site: &LeftoverWorktree<'_>) -> Result<Vec<LeftFile>, Diagnostic> {
    let Some(repo) = &site.repo else {
        return Ok(Vec::new());
    };
    let index = repo.read_index()?;
    let mut left = Vec::new();
    for (path, written) in site.entries {
        let Some(step) = site.steps.iter().find(|step| step.path == *path) else {
            continue;
        };
        let Ok(entry) = index.get(path) else {
            continue;
        };
        let was = step.old.as_ref().map(|old| old.bytes.as_str());
        let is_old = entry.as_ref().map(|entry| entry.id.0.as_str()) == was;
        if is_old && !is_entry(entry.as_ref(), written.as_deref()) {
            left.push(LeftFile {
                path: step.checked_path()?,
                why: LeftReason::Index,
                save: None,
            });
        }
    }
    Ok(left)
}

/// Puts displaced files back and returns those that somebody else wrote since then.
fn roll_back(site: &LeftoverWorktree<'_>) -> Result<Vec<LeftFile>, Diagnostic> {
    let mut left = Vec::new();
    if site.steps.is_empty() {
        return Ok(left);
    }
    let stage = stage_of(site)?;
    for (slot, step) in site.steps.iter().enumerate().rev() {
        let path = step.checked_path()?;
        let (old, new) = (step.old.as_ref(), step.new.as_ref());
        let (back, why) = match (&site.repo, &stage) {
            (Some(repo), Some(stage)) => {
                let worktree = repo.worktree()?;
                let back = site::take_back(repo, &worktree, stage, slot, step)?;
                (back, LeftReason::Changed)
            }
            (None, Some(stage)) => {
                let back = stage.keep_behind(site.kind, slot, old, new)?;
                (back, LeftReason::Away(site.folder.to_owned()))
            }
            (Some(repo), None) => {
                let is_left = repo.worktree()?.has(site.kind, &path, new)?;
                match is_left && old != new {
                    true => (ExchangeResult::Changed, LeftReason::Gone),
                    false => continue,
                }
            }
            (None, None) => continue,
        };
        let save = match back {
            ExchangeResult::Done => continue,
            ExchangeResult::Changed => None,
            ExchangeResult::Kept(place) => Some(place),
        };
        left.push(LeftFile { path, why, save });
    }
    Ok(left)
}

/// Removes the lock on the ref that the killed publisher held.
fn remove_ref_lock(repo: &Repo, leftover: &Leftover<'_>) -> Result<(), Diagnostic> {
    if let Some(lock) = &leftover.ref_lock {
        return lock.remove();
    }
    // It may have died between taking that lock and noting its inode. The lock file was empty then; git's own are
    // written at once, and held no longer than a write takes.
    let (Pivot::Ref { name, .. } | Pivot::Back { name, .. }) = leftover.pivot else {
        return Ok(());
    };
    match repo.ref_lock(name) {
        Some(place) if place.stays(|place| place.file_size() == Some(0)) => remove_lock(&place),
        _ => Ok(()),
    }
}

impl Recovery {
    /// Returns what tells the history that a batch happened after this: of one that was rolled back single files may be as it would
    /// have made them, by somebody else's hand.
    fn trace(&self) -> Trace {
        match self {
            Recovery::RolledBack { .. } => Trace::All,
            Recovery::Finished { .. } => Trace::Done,
            Recovery::Nothing | Recovery::SetAside { .. } => Trace::Any,
        }
    }

    /// Returns it as sentences, for people.
    pub fn sentences(&self) -> Vec<String> {
        let (first, left) = match self {
            Recovery::Nothing => return vec!["nothing was left over".to_owned()],
            Recovery::SetAside { file, why } => {
                let refused = "what was left here is not this program's work for this repository, and nothing of it was done";
                return vec![
                    format!("{refused}: {}", shown(why)),
                    format!("it is {} now", shown(&file.to_string_lossy())),
                ];
            }
            Recovery::Finished { left } => ("an interrupted batch was finished", left),
            Recovery::RolledBack { left } => ("an interrupted batch was rolled back", left),
        };
        let kept = left.iter().map(|file| {
            let path = shown(file.path.as_str());
            let what = match &file.why {
                LeftReason::Changed => format!("{path} was changed since and kept as it is"),
                LeftReason::Away(folder) => format!(
                    "{path} could not be put back, for {} is not there",
                    shown(&folder.to_string_lossy())
                ),
                LeftReason::Gone => format!(
                    "{path} could not be put back, for what was kept of it is gone: it is as the batch has it"
                ),
                LeftReason::Index => format!(
                    "the index has {path} as it was before, for its lock was removed: `git add` or `git restore --staged` it"
                ),
            };
            match &file.save {
                None => what,
                Some(save) => format!(
                    "{what}; what it took the place of is in {}",
                    shown(&save.to_string_lossy())
                ),
            }
        });
        std::iter::once(first.to_owned()).chain(kept).collect()
    }

    /// Returns what to warn of whoever asked for something else.
    pub(super) fn warning(&self) -> Option<Diagnostic> {
        let file = match self {
            Recovery::SetAside { file, .. } => file,
            Recovery::Finished { left } | Recovery::RolledBack { left }
                if left
                    .iter()
                    .any(|file| file.save.is_some() || file.why != LeftReason::Changed) =>
            {
                let message = self.sentences().join("; ");
                return Some(Diagnostic::new(Code::WorktreeDirty, message));
            }
            Recovery::Nothing | Recovery::Finished { .. } | Recovery::RolledBack { .. } => {
                return None;
            }
        };
        let message = self.sentences().join("; ");
        let file = shown(&file.to_string_lossy());
        let note = format!(
            "look at {file}, and remove it with the folders `refused-…` beside it, which hold what it may speak of"
        );
        Some(Diagnostic::new(Code::Io, message).note(note))
    }
}

impl<'r> Queue<'r> {
    /// Waits for our turn in `repo`, then finishes or rolls back what a publisher that was killed left behind.
    pub(crate) fn enter(repo: &'r Repo) -> Result<Queue<'r>, Diagnostic> {
        let queue = Queue::wait(repo)?;
        let (recovery, _) = finish(&queue)?;
        // It came since the caller looked: the caller is told, and can try again.
        if let Some(warning) = recovery.warning() {
            return Err(warning);
        }
        Ok(queue)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::testing::{Sandbox, change, child, child_folder};
    use crate::manifest::Destination::{self, Commit, Index, Worktree};
    use crate::publish::testing::put;
    use crate::snapshot::Change;

    const FILES: [(&str, &str); 3] = [
        ("a.txt", "one\n"),
        ("b.txt", "bee\n"),
        ("dir/c.txt", "sea\n"),
    ];

    fn changes() -> Vec<Change> {
        vec![
            change("a.txt", Some("one\n"), Some("two\n")),
            change("b.txt", Some("bee\n"), Some("buzz\n")),
            change("dir/c.txt", Some("sea\n"), None),
            change("new/d.txt", None, Some("d\n")),
        ]
    }

    /// An edit, and a file that becomes executable.
    fn mode_changes() -> Vec<Change> {
        let mut mode = change("b.txt", Some("bee\n"), Some("bee\n"));
        if let Some(after) = &mut mode.after {
            after.mode = crate::snapshot::FileMode::Executable;
        }
        vec![change("a.txt", Some("one\n"), Some("two\n")), mode]
    }

    fn destination(name: &str) -> Destination {
        match name {
            "commit" => Commit,
            "index" => Index,
            _ => Worktree,
        }
    }

    /// What each destination leaves of the worktree, index and history.
    fn states(name: &str) -> [String; 2] {
        let before = "one|bee|sea|-|".to_owned();
        let status = match name {
            "commit" => "",
            "index" => "M  a.txt M  b.txt D  dir/c.txt A  new/d.txt",
            _ => " M a.txt  M b.txt  D dir/c.txt ?? new/",
        };
        [before, format!("two|buzz|-|d|{status}")]
    }

    fn state(sandbox: &Sandbox) -> String {
        let read = |path: &str| {
            std::fs::read_to_string(sandbox.root().join(path))
                .map_or("-".to_owned(), |text| text.trim().to_owned())
        };
        let status = sandbox
            .command(sandbox.root())
            .args(["--no-optional-locks", "status", "--porcelain"])
            .output()
            .unwrap();
        let status = String::from_utf8(status.stdout)
            .unwrap()
            .trim_end()
            .replace('\n', " ");
        format!(
            "{}|{}|{}|{}|{status}",
            read("a.txt"),
            read("b.txt"),
            read("dir/c.txt"),
            read("new/d.txt")
        )
    }

    /// Says whether calls can be counted here; prints that they cannot.
    fn has_strace() -> bool {
        let outcome = std::process::Command::new("strace").arg("-V").output();
        if outcome.is_err() {
            eprintln!("no strace here: nobody was killed");
        }
        outcome.is_ok()
    }

    /// Kills a publisher at its `nth` call of `call`; returns whether it came that far.
    fn kill(sandbox: &Sandbox, name: &str, call: &str, nth: usize) -> bool {
        kill_in(sandbox.root(), name, call, nth)
    }

    fn kill_in(folder: &std::path::Path, name: &str, call: &str, nth: usize) -> bool {
        let test = child(
            "publish::recover::tests::killed_anywhere_the_batch_is_there_or_not",
            folder,
        );
        let mut strace = std::process::Command::new("strace");
        strace.args([
            "-f",
            "-qqq",
            "-o",
            "/dev/null",
            "-e",
            &format!("trace={call}"),
        ]);
        strace.args(["-e", &format!("inject={call}:signal=KILL:when={nth}"), "--"]);
        strace
            .arg(test.get_program())
            .args(test.get_args())
            .current_dir(folder);
        for (variable, value) in test.get_envs() {
            match value {
                Some(value) => strace.env(variable, value),
                None => strace.env_remove(variable),
            };
        }
        strace.env("SEGEDIT_TEST_CASE", name);
        !strace.output().unwrap().status.success()
    }

    /// Sweeps every place where a publisher can die: in each case the repository holds the batch wholly or not at all
    /// once the next one has come by, git finds nothing wrong, and no lock is left.
    #[test]
    fn killed_anywhere_the_batch_is_there_or_not() {
        if let Some(folder) = child_folder() {
            let repo = Repo::open(&folder).unwrap();
            let case = std::env::var("SEGEDIT_TEST_CASE").unwrap();
            if case == "recover" {
                recover(&repo).unwrap();
                return;
            }
            let (name, changes) = match case.strip_suffix("-mode") {
                Some(name) => (name, mode_changes()),
                None => (case.as_str(), changes()),
            };
            put(&repo, destination(name), changes).unwrap();
            return;
        }
        if !has_strace() {
            return;
        }
        let calls = std::env::var("SEGEDIT_TEST_CALLS")
            .unwrap_or("rename renameat renameat2 link,linkat,rmdir".to_owned());
        for name in ["commit", "index", "worktree"] {
            let [before, after] = states(name);
            // Calls of one name are counted apart from those of another.
            let mut kills = 0;
            for call in calls.split(' ').chain(["fsync", "flock"]) {
                for nth in 1.. {
                    let sandbox = Sandbox::with(&[], &FILES);
                    let killed = kill(&sandbox, name, call, nth);
                    let (recovery, _) = recover(&sandbox.repo()).unwrap();
                    drop(Queue::enter(&sandbox.repo()).unwrap());
                    let found = state(&sandbox);
                    let log = sandbox.git(&["log", "--format=%s"]);
                    let expected = if found == after { "after" } else { "before" };
                    assert!(
                        found == before || found == after,
                        "{name} {call} {nth}: {found} {recovery:?}"
                    );
                    let moved = log == "batch\nfirst";
                    assert_eq!(
                        moved,
                        name == "commit" && expected == "after",
                        "{name} {call} {nth}: {log}"
                    );
                    sandbox.assert_sound();
                    if !killed {
                        assert_eq!(expected, "after");
                        break;
                    }
                    kills += 1;
                }
            }
            assert!(kills > 5, "{name}: nobody was killed");
        }
    }

    /// The same where whoever recovers is killed as well, at the calls that make an exchange and those that remove what is no longer needed.
    #[test]
    fn killed_twice_the_batch_is_there_or_not() {
        if !has_strace() {
            return;
        }
        for (name, call) in [
            ("index", "unlinkat"),
            ("index", "renameat2"),
            ("worktree", "renameat2"),
        ] {
            let [before, after] = states(name);
            let mut kills = 0;
            'first: for first in 1.. {
                for second in 1.. {
                    let sandbox = Sandbox::with(&[], &FILES);
                    if !kill(&sandbox, name, call, first) {
                        break 'first;
                    }
                    let is_killed = kill(&sandbox, "recover", call, second);
                    let (recovery, _) = recover(&sandbox.repo()).unwrap();
                    let found = state(&sandbox);
                    assert!(
                        found == before || found == after,
                        "{name} {call} {first} {second}: {found} {recovery:?}"
                    );
                    assert!(sandbox.repo().kept_saves().is_empty());
                    if let Recovery::Finished { left } | Recovery::RolledBack { left } = recovery {
                        assert!(left.is_empty(), "{name} {call} {first} {second}: {left:?}");
                    }
                    sandbox.assert_sound();
                    if !is_killed {
                        break;
                    }
                    kills += 1;
                }
            }
            assert!(kills > 3, "{name}: nobody was killed twice");
        }
    }

    /// Returns at which call of `renameat2` one has to be killed for the first file to be exchanged, and no other.
    fn after_first_exchange(name: &str) -> usize {
        let is_reached = |nth: &usize| {
            let sandbox = Sandbox::with(&[], &FILES);
            assert!(
                kill(&sandbox, name, "renameat2", *nth),
                "never seen half done"
            );
            sandbox.read("a.txt") == "two\n"
        };
        (1..).find(is_reached).expect("it is exchanged")
    }

    #[test]
    fn a_commit_that_was_made_anew_since_was_published_all_the_same() {
        if !has_strace() {
            return;
        }
        // The ref has moved, the index has taken its place, and the journal is there.
        let mut seen = 0;
        for nth in 1.. {
            let sandbox = Sandbox::with(&[], &FILES);
            if !kill(&sandbox, "commit", "unlinkat", nth) {
                break;
            }
            let is_locked = sandbox.root().join(".git/index.lock").exists();
            let log = sandbox.git(&["log", "--format=%s"]);
            if log != "batch\nfirst" || is_locked || !is_unsettled(&sandbox.repo()) {
                continue;
            }
            seen += 1;
            sandbox.git(&["commit", "-q", "--amend", "-m", "anew"]);
            let (recovery, _) = recover(&sandbox.repo()).unwrap();
            assert!(
                matches!(recovery, Recovery::Finished { .. }),
                "{nth}: {recovery:?}"
            );
            assert_eq!(state(&sandbox), "two|buzz|-|d|", "{nth}");
        }
        assert!(seen > 0, "never seen so far");
    }

    #[test]
    fn a_detached_head_is_that_of_the_worktree_that_followed() {
        if !has_strace() {
            return;
        }
        let mut seen = 0;
        for nth in 1.. {
            let sandbox = Sandbox::with(&[], &FILES);
            let place = tempfile::tempdir().unwrap();
            let linked = place.path().join("linked");
            sandbox.git(&[
                "worktree",
                "add",
                "-q",
                "--detach",
                linked.to_str().unwrap(),
            ]);
            if !kill_in(&linked, "commit", "rename", nth) {
                break;
            }
            let in_linked =
                |args: &[&str]| sandbox.git(&[&["-C", linked.to_str().unwrap()], args].concat());
            let is_moved = in_linked(&["log", "--format=%s"]) == "batch\nfirst";
            let (recovery, _) = recover(&sandbox.repo()).unwrap();
            if is_moved && recovery != Recovery::Nothing {
                seen += 1;
                assert!(
                    matches!(recovery, Recovery::Finished { .. }),
                    "{nth}: {recovery:?}"
                );
            }
            assert_eq!(
                in_linked(&["status", "--porcelain"]),
                "",
                "{nth}: {recovery:?}"
            );
        }
        assert!(seen > 0, "never seen so far");
    }

    /// Has a recovery fail at its `nth` call of `call` that concerns what was left; returns whether it came that far.
    fn fail(sandbox: &Sandbox, call: &str, nth: usize) -> bool {
        let name = "publish::recover::tests::killed_anywhere_the_batch_is_there_or_not";
        let test = child(name, sandbox.root());
        let log = sandbox.root().join(".git/calls");
        let mut strace = std::process::Command::new("strace");
        strace.args(["-f", "-qqq", "-o"]).arg(&log);
        let git_dir = sandbox.root().join(".git");
        let stages = fs::read_dir(git_dir.join("segedit")).unwrap();
        let stages = stages.map(|entry| entry.unwrap().path());
        for stage in stages.filter(|stage| stage.to_string_lossy().contains("/.segedit-")) {
            strace.arg("-P").arg(stage.join("0"));
            // It is opened by its name in a folder that is held open.
            strace.arg("-P").arg(stage.file_name().unwrap());
            strace.arg("-P").arg(stage);
        }
        for lock in ["index.lock", "refs/heads/master.lock"] {
            strace.arg("-P").arg(git_dir.join(lock));
        }
        strace.args(["-e", &format!("inject={call}:error=EIO:when={nth}"), "--"]);
        strace.arg(test.get_program()).args(test.get_args());
        for (variable, value) in test.get_envs() {
            match value {
                Some(value) => strace.env(variable, value),
                None => strace.env_remove(variable),
            };
        }
        strace.env("SEGEDIT_TEST_CASE", "recover").output().unwrap();
        let calls = fs::read_to_string(&log).unwrap();
        fs::remove_file(log).unwrap();
        calls.contains("INJECTED")
    }

    #[test]
    fn what_cannot_be_read_or_removed_now_is_not_taken_for_gone() {
        if !has_strace() {
            return;
        }
        // After the first exchange, and with the lock of the ref and that of the index.
        let mut failures = 0;
        for name in ["worktree", "commit"] {
            let [before, after] = states(name);
            let half = after_first_exchange(name);
            for call in ["openat", "newfstatat,statx", "renameat2", "unlinkat"] {
                for nth in 1.. {
                    let sandbox = Sandbox::with(&[], &FILES);
                    assert!(kill(&sandbox, name, "renameat2", half), "{name} is killed");
                    let is_failed = fail(&sandbox, call, nth);
                    let (recovery, _) = recover(&sandbox.repo()).unwrap();
                    let found = state(&sandbox);
                    assert!(
                        found == before || found == after,
                        "{name} {call} {nth}: {found} {recovery:?}"
                    );
                    assert!(
                        sandbox.repo().kept_saves().is_empty(),
                        "{name} {call} {nth}"
                    );
                    if let Recovery::Finished { left } | Recovery::RolledBack { left } = recovery {
                        assert!(left.is_empty(), "{name} {call} {nth}: {left:?}");
                    }
                    for lock in [".git/index.lock", ".git/refs/heads/master.lock"] {
                        let lock = sandbox.root().join(lock);
                        assert!(!lock.exists(), "{name} {call} {nth}: {lock:?}");
                    }
                    sandbox.assert_sound();
                    if !is_failed {
                        break;
                    }
                    failures += 1;
                }
            }
        }
        assert!(failures > 10, "only {failures} calls failed");
    }

    /// Returns what a recovery leaves of a batch that was killed after its first exchange, once `act` was done.
    fn left_after(name: &str, sandbox: &Sandbox, act: impl FnOnce()) -> Vec<(String, LeftReason)> {
        let half = after_first_exchange(name);
        assert!(kill(sandbox, name, "renameat2", half), "{name} is killed");
        act();
        let (recovery, _) = recover(&sandbox.repo()).unwrap();
        let Recovery::RolledBack { left } = recovery else {
            panic!("{recovery:?}");
        };
        let left = left.into_iter();
        left.map(|file| (file.path.as_str().to_owned(), file.why))
            .collect()
    }

    #[test]
    fn what_was_kept_and_is_gone_is_said_to_be() {
        if !has_strace() {
            return;
        }
        let sandbox = Sandbox::with(&[], &FILES);
        let left = left_after("worktree", &sandbox, || {
            let entries = fs::read_dir(sandbox.root().join(".git/segedit")).unwrap();
            let stages = entries.map(|entry| entry.unwrap());
            let is_stage =
                |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(".segedit-");
            for stage in stages.filter(is_stage) {
                fs::remove_dir_all(stage.path()).unwrap();
            }
        });
        // What is removed goes first.
        let gone = |path: &str| (path.to_owned(), LeftReason::Gone);
        assert_eq!(left, [gone("a.txt"), gone("dir/c.txt")]);
    }

    #[test]
    fn an_index_whose_lock_was_removed_after_the_ref_moved_is_told() {
        if !has_strace() {
            return;
        }
        for nth in 1.. {
            let sandbox = Sandbox::with(&[], &FILES);
            assert!(kill(&sandbox, "commit", "rename", nth), "never seen so far");
            let log = sandbox.git(&["log", "--format=%s"]);
            let lock = sandbox.root().join(".git/index.lock");
            if log != "batch\nfirst" || !lock.exists() {
                recover(&sandbox.repo()).unwrap();
                continue;
            }
            // As git says.
            fs::remove_file(lock).unwrap();
            // A reader has nobody to tell.
            recover_if_idle(&sandbox.repo()).unwrap();
            let (recovery, _) = recover(&sandbox.repo()).unwrap();
            let Recovery::Finished { left } = &recovery else {
                panic!("{recovery:?}");
            };
            assert_eq!(left.len(), 4, "{left:?}");
            assert!(left.iter().all(|file| file.why == LeftReason::Index));
            assert!(recovery.warning().is_some());
            break;
        }
    }

    #[test]
    fn what_came_from_a_worktree_that_is_away_is_kept() {
        if !has_strace() {
            return;
        }
        let sandbox = Sandbox::with(&[], &FILES);
        let place = tempfile::tempdir().unwrap();
        let (linked, away) = (place.path().join("linked"), place.path().join("away"));
        sandbox.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
        let half = after_first_exchange("worktree");
        assert!(kill_in(&linked, "worktree", "renameat2", half));
        let read = |folder: &std::path::Path| fs::read_to_string(folder.join("a.txt")).unwrap();
        assert_eq!(read(&linked), "two\n");
        fs::rename(&linked, &away).unwrap();
        let (recovery, _) = recover(&sandbox.repo()).unwrap();
        let Recovery::RolledBack { left } = &recovery else {
            panic!("{recovery:?}");
        };
        let kept = left.iter().map(|file| {
            assert_eq!(file.why, LeftReason::Away(linked.clone()));
            let save = file.save.as_ref().expect("what it was is kept");
            (file.path.as_str(), fs::read_to_string(save).unwrap())
        });
        let kept: Vec<_> = kept.collect();
        let expected = [("a.txt", "one\n"), ("dir/c.txt", "sea\n")];
        assert_eq!(kept, expected.map(|(path, text)| (path, text.to_owned())));
        assert_eq!(sandbox.repo().kept_saves().len(), 2);
        assert_eq!(read(&away), "two\n");
    }

    #[test]
    fn a_worktree_that_was_removed_blocks_nobody() {
        if !has_strace() {
            return;
        }
        let sandbox = Sandbox::with(&[], &FILES);
        let place = tempfile::tempdir().unwrap();
        let linked = place.path().join("linked");
        sandbox.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
        let half = after_first_exchange("worktree");
        assert!(kill_in(&linked, "worktree", "renameat2", half));
        sandbox.git(&["worktree", "remove", "--force", linked.to_str().unwrap()]);
        let (recovery, _) = recover(&sandbox.repo()).unwrap();
        let Recovery::RolledBack { left } = &recovery else {
            panic!("{recovery:?}");
        };
        assert_eq!(left.len(), 2, "{left:?}");
        assert_eq!(recover(&sandbox.repo()).unwrap().0, Recovery::Nothing);
    }

    #[test]
    fn where_modes_say_nothing_an_index_that_changed_is_known() {
        use std::os::unix::fs::PermissionsExt as _;
        if !has_strace() {
            return;
        }
        for nth in 1.. {
            let sandbox = Sandbox::with(&[], &FILES);
            sandbox.git(&["config", "core.fileMode", "false"]);
            let place = sandbox.root().join("b.txt");
            fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
            let is_killed = kill(&sandbox, "index-mode", "unlinkat", nth);
            let (recovery, _) = recover(&sandbox.repo()).unwrap();
            let found = state(&sandbox);
            assert!(
                ["one|bee|sea|-|", "two|bee|sea|-|M  a.txt M  b.txt"].contains(&&found[..]),
                "{nth}: {found} {recovery:?}"
            );
            if !is_killed {
                break;
            }
        }
    }

    #[test]
    fn what_somebody_wrote_since_then_stays() {
        if !has_strace() {
            return;
        }
        // The third exchange: a.txt and dir/c.txt are done by then.
        let sandbox = Sandbox::with(&[], &FILES);
        for nth in 1.. {
            assert!(
                kill(&sandbox, "index", "renameat2", nth),
                "never seen half done"
            );
            if sandbox.read("a.txt") == "two\n" {
                break;
            }
            recover(&sandbox.repo()).unwrap();
        }
        sandbox.write("a.txt", "mine\n");
        let (recovery, _) = recover(&sandbox.repo()).unwrap();
        let Recovery::RolledBack { left } = &recovery else {
            panic!("{recovery:?}")
        };
        assert_eq!(
            left.iter()
                .map(|file| file.path.as_str())
                .collect::<Vec<_>>(),
            ["a.txt"]
        );
        assert_eq!(state(&sandbox), "mine|bee|sea|-| M a.txt");
        sandbox.assert_sound();
    }

    #[test]
    fn half_of_an_index_batch_is_not_finished_because_somebody_added_it() {
        if !has_strace() {
            return;
        }
        let sandbox = Sandbox::with(&[], &FILES);
        for nth in 1.. {
            assert!(
                kill(&sandbox, "index", "renameat2", nth),
                "never seen half done"
            );
            if sandbox.read("a.txt") == "two\n" && sandbox.read("b.txt") == "bee\n" {
                break;
            }
            recover(&sandbox.repo()).unwrap();
        }
        // As git says.
        fs::remove_file(sandbox.root().join(".git/index.lock")).unwrap();
        sandbox.git(&["add", "-A"]);
        let (recovery, _) = recover(&sandbox.repo()).unwrap();
        assert!(
            matches!(recovery, Recovery::RolledBack { .. }),
            "{recovery:?}"
        );
        assert_eq!(sandbox.read("a.txt"), "one\n");
    }

    #[test]
    fn an_index_that_did_not_change_is_not_known_by_a_blob_that_stays() {
        if !has_strace() {
            return;
        }
        let sandbox = Sandbox::with(&[], &FILES);
        // All files are exchanged, and the index is not.
        for nth in 1.. {
            assert!(
                kill(&sandbox, "index-mode", "rename", nth),
                "never seen so far"
            );
            if sandbox.read("a.txt") == "two\n" {
                break;
            }
            recover(&sandbox.repo()).unwrap();
        }
        // As git says.
        fs::remove_file(sandbox.root().join(".git/index.lock")).unwrap();
        let (recovery, _) = recover(&sandbox.repo()).unwrap();
        assert!(
            matches!(recovery, Recovery::RolledBack { .. }),
            "{recovery:?}"
        );
        assert_eq!(state(&sandbox), "one|bee|sea|-|");
        sandbox.assert_sound();
    }

    #[test]
    fn a_log_that_a_killed_recovery_was_amending_is_amended_all_the_same() {
        let sandbox = Sandbox::with(&[], &FILES);
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        let log = sandbox.root().join(".git/logs/HEAD");
        let before = fs::read_to_string(&log).unwrap();
        let line = format!(
            "{head} {} A <a@example.org> 1700000000 +0000\tsegedit: edit\n",
            "1".repeat(40)
        );
        fs::write(&log, format!("{before}{line}")).unwrap();
        let lock = sandbox.root().join(".git/logs/HEAD.lock");
        fs::write(&lock, &before[..before.len() / 2]).unwrap();
        sandbox.repo().amend_log("HEAD").unwrap();
        assert_eq!(fs::read_to_string(&log).unwrap(), before);
        assert!(!lock.exists());
        // Somebody else's stays.
        fs::write(&log, format!("{before}{line}")).unwrap();
        fs::write(&lock, "theirs").unwrap();
        assert!(sandbox.repo().amend_log("HEAD").is_err());
        assert_eq!(fs::read_to_string(&lock).unwrap(), "theirs");
    }

    #[test]
    fn the_log_of_a_branch_that_never_was_goes() {
        let sandbox = Sandbox::with(&[], &FILES);
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        let log = sandbox.root().join(".git/logs/refs/heads/new/x");
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        let line = format!(
            "{} {head} A <a@example.org> 1700000000 +0000\tsegedit: edit\n",
            "0".repeat(40)
        );
        fs::write(&log, line).unwrap();
        sandbox.repo().amend_log("refs/heads/new/x").unwrap();
        sandbox.git(&["branch", "new"]);
        assert!(!log.exists());
    }

    #[test]
    fn locks_of_others_are_left_alone() {
        let sandbox = Sandbox::with(&[], &FILES);
        let lock = sandbox.root().join(".git/index.lock");
        fs::write(&lock, "somebody's").unwrap();
        let record = format!(
            r#"{{"version":1,"pivot":"index","ref_lock":null,"sites":[{{"worktree":{root:?},"index":"{index}","lock":{{"path":{lock:?},"inode":1}},"stage":null,"steps":[]}}]}}"#,
            root = sandbox.root(),
            index = sandbox.root().join(".git/index").display(),
        );
        fs::create_dir_all(sandbox.root().join(".git/segedit")).unwrap();
        fs::write(sandbox.root().join(".git/segedit/journal"), record).unwrap();
        assert_eq!(
            recover(&sandbox.repo()).unwrap().0,
            Recovery::RolledBack { left: Vec::new() }
        );
        assert!(lock.exists());
        assert_eq!(recover(&sandbox.repo()).unwrap().0, Recovery::Nothing);
    }

    #[test]
    fn a_stage_that_holds_no_file_is_none_of_ours() {
        let sandbox = Sandbox::with(&[], &FILES);
        let (root, home) = (
            sandbox.root().to_owned(),
            sandbox.root().join(".git/segedit"),
        );
        let zeros = "0".repeat(40);
        for nth in 1..=3 {
            let stage = home.join(".segedit-Ab3");
            fs::create_dir_all(&stage).unwrap();
            std::os::unix::fs::symlink("/dev/zero", stage.join("0")).unwrap();
            let record = format!(
                r#"{{"version":1,"pivot":"index","ref_lock":null,"sites":[{{"worktree":{root:?},"index":"{index}","lock":null,"stage":{stage:?},"steps":[{{"path":"a.txt","old":{{"bytes":"{zeros}","executable":false}},"new":null}}]}}]}}"#,
                index = root.join(".git/index").display(),
            );
            fs::write(home.join("journal"), &record).unwrap();
            let (recovery, _) = recover(&sandbox.repo()).unwrap();
            let Recovery::SetAside { file, .. } = &recovery else {
                panic!("{recovery:?}")
            };
            // Beside what was set aside before.
            let name = if nth == 1 {
                "journal.refused".to_owned()
            } else {
                format!("journal.refused-{nth}")
            };
            assert_eq!(*file, home.join(name));
            assert_eq!(recover(&sandbox.repo()).unwrap().0, Recovery::Nothing);
            assert_eq!(sandbox.read("a.txt"), "one\n");
        }
    }

    #[test]
    fn a_journal_that_cannot_be_read_is_set_aside_and_named() {
        let sandbox = Sandbox::with(&[], &FILES);
        let home = sandbox.root().join(".git/segedit");
        fs::create_dir_all(home.join(".segedit-Ab3")).unwrap();
        fs::write(home.join("journal"), "{").unwrap();
        let warnings = recover_if_needed(&sandbox.repo()).unwrap();
        let [warning] = &warnings[..] else {
            panic!("{warnings:?}")
        };
        assert!(warning.message.contains("journal.refused"), "{warning:?}");
        assert_eq!(fs::read(home.join("journal.refused")).unwrap(), b"{");
        assert!(
            home.join("refused-Ab3").is_dir(),
            "what it may speak of is kept"
        );
        // Neither a reader nor a publisher whom nobody would hear sets one aside.
        fs::write(home.join("journal"), "{").unwrap();
        recover_if_idle(&sandbox.repo()).unwrap();
        assert!(home.join("journal").exists());
        let refusal = Queue::enter(&sandbox.repo()).map(drop).unwrap_err();
        assert!(refusal.message.contains("journal.refused-2"), "{refusal:?}");
        put(&sandbox.repo(), Commit, changes()).unwrap();
        assert_eq!(recover(&sandbox.repo()).unwrap().0, Recovery::Nothing);
    }
}
