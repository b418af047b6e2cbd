//! A journal that was left, read as a stranger's words: an archive may bring a git folder, journal and all.
//!
//! Invariant: every place in a `Leftover` is one that this program could have written for this repository. The index and its lock
//! are those of a worktree that the repository lists and whose own `.git` leads back; the lock of a ref is below the common
//! folder's `refs/`, or a worktree's HEAD; a stage stands directly in the program's own folder or in that worktree's root. Each is
//! reached from a folder that is held open, through no link. What a journal says besides that is said about such places only.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path};

use super::journal::{FileExchange, JournalRecord, LockFile, Pivot, SiteRecord};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{NameInFolder, Repo, Seal, Stage, is_ref_name, same};
use crate::snapshot::HashKind;

/// Most bytes of a staged file that is read because a journal without our seal says so.
const LARGEST_STAGED: u64 = 1 << 30;

/// What was left, fit to be acted on.
pub(super) struct Leftover<'j> {
    pub pivot: &'j Pivot,
    pub ref_lock: Option<FoundLock>,
    pub sites: Vec<LeftoverWorktree<'j>>,
}

/// A lock file that may be ours: it is, if what stands there has this inode.
pub(super) struct FoundLock {
    pub place: NameInFolder,
    pub inode: u64,
}

/// One worktree.
pub(super) struct LeftoverWorktree<'j> {
    /// `None` when its folder is not there.
    pub repo: Option<Repo>,
    /// Where it is, or was.
    pub folder: &'j Path,
    pub kind: HashKind,
    /// `None` when the folder that it stood in is gone, as one that `GIT_INDEX_FILE` named can be.
    pub index: Option<NameInFolder>,
    pub lock: Option<FoundLock>,
    pub stage: Option<NameInFolder>,
    pub steps: &'j [FileExchange],
    pub entries: &'j [(String, Option<String>)],
}

/// Why it cannot be acted on.
pub(super) enum Unfit {
    /// This program did not write it for this repository.
    Refused(String),
    /// It cannot be told now.
    Failed(Box<Diagnostic>),
}

impl From<Diagnostic> for Unfit {
    fn from(failure: Diagnostic) -> Unfit {
        Unfit::Failed(Box::new(failure))
    }
}

impl From<std::io::Error> for Unfit {
    fn from(error: std::io::Error) -> Unfit {
        let message = format!("could not look at what an interrupted publication left: {error}");
        Diagnostic::new(Code::Io, message).into()
    }
}

impl FoundLock {
    /// Removes it if it is the one that the journal names; anybody else's stays.
    pub(super) fn remove(&self) -> Result<(), Diagnostic> {
        if self.is_ours()? {
            remove_lock(&self.place)?;
        }
        Ok(())
    }

    /// Returns whether what stands there is the one that the journal names.
    pub(super) fn is_ours(&self) -> Result<bool, Diagnostic> {
        let found = self.place.try_inode().map_err(|error| {
            let place = self.place.path().display();
            Diagnostic::new(Code::Io, format!("could not look at {place}: {error}"))
        })?;
        Ok(found == Some(self.inode))
    }
}

/// Removes a lock file that is ours. Where it cannot be, whatever knows that it is ours has to stay.
pub(super) fn remove_lock(place: &NameInFolder) -> Result<(), Diagnostic> {
    match place.remove() {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            let place = place.path().display();
            Err(Diagnostic::new(
                Code::Io,
                format!("could not remove {place}: {error}"),
            ))
        }
        _ => Ok(()),
    }
}

/// Checks what `record` says.
pub(super) fn check<'j>(
    repo: &Repo,
    record: &'j JournalRecord,
    seal: Seal,
) -> Result<Leftover<'j>, Unfit> {
    check_pivot(repo, &record.pivot)?;
    let ref_lock = match &record.ref_lock {
        Some(lock) => ref_lock(repo, &record.pivot, lock)?,
        None => None,
    };
    let mut indexes = BTreeSet::new();
    let mut sites = Vec::new();
    for site in &record.sites {
        if !indexes.insert(&site.index) {
            return Err(Unfit::Refused(format!(
                "it names {} twice",
                site.index.display()
            )));
        }
        sites.push(check_site(repo, site, seal)?);
    }
    Ok(Leftover {
        pivot: &record.pivot,
        ref_lock,
        sites,
    })
}

fn check_pivot(repo: &Repo, pivot: &Pivot) -> Result<(), Unfit> {
    let (name, id) = match pivot {
        Pivot::Ref { name, new } => (name, new),
        Pivot::Back { name, old } => (name, old),
        Pivot::Index | Pivot::Journal => return Ok(()),
    };
    if name != "HEAD" && !(name.starts_with("refs/") && is_ref_name(name)) {
        return Err(Unfit::Refused(format!("`{name}` is no ref")));
    }
    check_id(repo, id)
}

fn check_id(repo: &Repo, id: &str) -> Result<(), Unfit> {
    if repo.is_id(id) {
        Ok(())
    } else {
        Err(Unfit::Refused(format!("`{id}` is no object's name")))
    }
}

/// Returns the lock of the ref that moves, if `lock` is that; `None` when the folder that it was in is gone.
fn ref_lock(repo: &Repo, pivot: &Pivot, lock: &LockFile) -> Result<Option<FoundLock>, Unfit> {
    let refuse = || {
        Unfit::Refused(format!(
            "{} is no lock of the ref that it moves",
            lock.path.display()
        ))
    };
    let (Pivot::Ref { name, .. } | Pivot::Back { name, .. }) = pivot else {
        return Err(refuse());
    };
    let file = format!("{name}.lock");
    // Each worktree has a HEAD of its own.
    let roots = if name == "HEAD" {
        repo.worktree_git_dirs()
    } else {
        vec![repo.common_dir().to_owned()]
    };
    let root = roots
        .into_iter()
        .find(|root| root.join(&file) == lock.path)
        .ok_or_else(refuse)?;
    let place = NameInFolder::below(&root, Path::new(&file))?;
    Ok(place.map(|place| FoundLock {
        place,
        inode: lock.inode,
    }))
}

fn check_site<'j>(
    repo: &Repo,
    site: &'j SiteRecord,
    seal: Seal,
) -> Result<LeftoverWorktree<'j>, Unfit> {
    let SiteRecord {
        worktree,
        index,
        lock,
        stage,
        steps,
        entries,
    } = site;
    if ![worktree, index].into_iter().all(|path| is_plain(path)) {
        return Err(Unfit::Refused(
            "it names a path that is not written in full".to_owned(),
        ));
    }
    for step in steps {
        step.checked_path()
            .map_err(|refusal| Unfit::Refused(refusal.message))?;
        for version in [&step.old, &step.new].into_iter().flatten() {
            check_id(repo, &version.bytes)?;
        }
    }
    let found = worktree_of(repo, worktree, index, seal)?;
    let refuse =
        |path: &Path| Unfit::Refused(format!("{} is none of this repository", path.display()));
    let (Some(folder), Some(name)) = (index.parent(), index.file_name()) else {
        return Err(refuse(index));
    };
    let place = NameInFolder::below(folder, Path::new(name))?;
    if place.is_none() && seal != Seal::Ours {
        return Err(refuse(index));
    }
    let lock = match lock {
        Some(lock) => {
            let mut own = index.clone().into_os_string();
            own.push(".lock");
            let at = Path::new(&own);
            let inside = at
                .file_name()
                .filter(|_| at == lock.path)
                .ok_or_else(|| refuse(&lock.path))?;
            NameInFolder::below(folder, Path::new(inside))?.map(|place| FoundLock {
                place,
                inode: lock.inode,
            })
        }
        None => None,
    };
    let stage = match stage {
        Some(stage) => check_stage(repo, found.as_ref(), stage)?,
        None => None,
    };
    if seal != Seal::Ours
        && let Some(place) = &stage
        && let Some(stage) = Stage::at(place)?
        && !stage.holds_files(steps.len(), LARGEST_STAGED)
    {
        return Err(Unfit::Refused(format!(
            "what {} holds is not what this program stages",
            stage.path().display()
        )));
    }
    Ok(LeftoverWorktree {
        repo: found,
        folder: worktree,
        kind: repo.hash_kind(),
        index: place,
        lock,
        stage,
        steps,
        entries,
    })
}

/// Returns the worktree at `folder` whose index is `index`; `None` when it is listed and its folder is gone.
fn worktree_of(
    repo: &Repo,
    folder: &Path,
    index: &Path,
    seal: Seal,
) -> Result<Option<Repo>, Unfit> {
    let is_at = |repo: &Repo| repo.workdir().is_some_and(|root| same(root, folder));
    if is_at(repo) && (repo.index_path() == index || seal == Seal::Ours) {
        // Where the worktree is elsewhere than beside the git folder, as `core.worktree` or `GIT_WORK_TREE` says, only we can
        // have meant it, and so with an index that `GIT_INDEX_FILE` named.
        if seal != Seal::Ours && !repo.leads_here() {
            return Err(Unfit::Refused(format!(
                "{} does not lead to this repository",
                folder.display()
            )));
        }
        return Ok(Some(repo.opening().open()?));
    }
    // The main one may stand apart from its git folder, which does not name it.
    if index == repo.common_dir().join("index")
        && let Some(main) = repo.worktree_at(folder)?
        && (seal == Seal::Ours || main.leads_here())
    {
        return Ok(Some(main));
    }
    if let Some(other) = repo.worktree_of_index(index)?
        && is_at(&other)
        && (seal == Seal::Ours || other.leads_here())
    {
        return Ok(Some(other));
    }
    // What cannot be looked at now is not gone.
    let is_gone = match std::fs::metadata(folder) {
        Ok(_) => false,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            true
        }
        Err(error) => return Err(error.into()),
    };
    let is_listed = index.file_name().is_some_and(|name| name == "index")
        && repo
            .worktree_git_dirs()
            .iter()
            .any(|git_dir| index.parent().is_some_and(|above| same(above, git_dir)));
    // One that was removed with its git folder never comes back.
    let is_removed = index.parent().is_some_and(|above| !above.exists());
    if is_gone && (is_listed || is_removed) {
        return Ok(None);
    }
    if seal == Seal::Ours {
        let message = format!(
            "a command was interrupted here that worked on {} with the index {}",
            folder.display(),
            index.display()
        );
        let failure = Diagnostic::new(Code::Io, message).note(
            "finish it with GIT_WORK_TREE and GIT_INDEX_FILE as they were: `git segedit recover`",
        );
        return Err(failure.into());
    }
    Err(Unfit::Refused(format!(
        "this repository lists no worktree at {} with the index {}",
        folder.display(),
        index.display()
    )))
}

/// Returns the place of a stage; `None` when it is gone, as is the worktree that it was in.
fn check_stage(
    repo: &Repo,
    worktree: Option<&Repo>,
    stage: &Path,
) -> Result<Option<NameInFolder>, Unfit> {
    let refuse = || {
        Unfit::Refused(format!(
            "{} is no folder of this program's",
            stage.display()
        ))
    };
    let (Some(above), Some(name)) = (
        stage.parent(),
        stage.file_name().and_then(|name| name.to_str()),
    ) else {
        return Err(refuse());
    };
    if !is_plain(stage) || !Stage::is_name(name) {
        return Err(refuse());
    }
    if let Some(home) = repo.home_if_any()?
        && same(home.path(), above)
    {
        return Ok(Some(home.place(name)?));
    }
    match worktree.and_then(Repo::workdir) {
        Some(root) if same(root, above) => Ok(NameInFolder::below(root, Path::new(name))?),
        // It is away with the worktree, and all that it holds.
        None if !above.exists() => {
            let message = format!(
                "a batch was interrupted in {}, which is not there now",
                above.display()
            );
            let failure = Diagnostic::new(Code::Io, message).note(
                "`git segedit recover` puts it in order once that is there; `git worktree remove` says that it never will be",
            );
            Err(failure.into())
        }
        Some(_) | None => Err(refuse()),
    }
}

/// Returns whether `path` is written in full and without detours.
fn is_plain(path: &Path) -> bool {
    path.is_absolute()
        && path
            .components()
            .all(|part| matches!(part, Component::RootDir | Component::Normal(_)))
}
