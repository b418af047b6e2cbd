//! `Hooks`: the repository's hooks around a commit, asked as `git commit` asks them. None is passed over in silence.
//!
//! `ask` runs those that can refuse, before anything of the repository's changed; `tell` the one that only wants to know,
//! after everything did. Each commit of a call has its own turn, with the one before it as its HEAD.
//!
//! Known limit: `reference-transaction` would have to be asked while the ref is locked, by whoever holds the lock; a
//! repository that has one is refused.

use std::ffi::OsStr;

use super::target::Hooks;
use super::{
    Batch, Intended, PublishTarget, Queue, Receipt, Refusal, commit, displace, files, message,
    moves, rehearse, survey,
};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{
    Checkout, HeadAt, HookRun, HookStage, NewCommit, PendingCommit, Quarantine, Repo, Scene,
    TRUST_VARIABLE, TreeChange, TreeFile,
};
use crate::manifest::Destination;
use crate::path::RepoPath;
use crate::snapshot::{Id, merged};

/// What `--no-verify` skips.
const SKIPPED: [&str; 3] = ["pre-commit", "commit-msg", "reference-transaction"];

impl Hooks {
    /// Refuses when the repository has a hook that would have to be asked and cannot.
    pub(super) fn check(self, repo: &Repo) -> Result<(), Diagnostic> {
        const NAME: &str = "reference-transaction";
        if self == Hooks::Skip || !repo.has_hook(NAME) {
            return Ok(());
        }
        let message = format!("the repository has a {NAME} hook, which this program does not run");
        Err(Diagnostic::new(Code::UnsupportedRepository, message)
            .note("`--no-verify` commits without it; the destination `index` leaves the commit to you and to git"))
    }

    /// Returns what to say about the hooks that are not run.
    pub(super) fn warnings(self, repo: &Repo) -> Vec<Diagnostic> {
        let skipped: &[&str] = match self {
            Hooks::Heed => &[],
            Hooks::Skip => &SKIPPED,
        };
        let all = skipped.iter().filter(|name| repo.has_hook(name));
        all.map(|name| Diagnostic::new(Code::Unsupported, format!("the {name} hook was not run")))
            .collect()
    }

    /// Returns what to say about the hooks that a check of `target` would ask, and may not: it starts nothing that came with the
    /// git folder unless all of it is trusted, for `git segedit trust` shows no hooks.
    pub(crate) fn withheld(self, target: &PublishTarget, repo: &Repo) -> Vec<Diagnostic> {
        if target.destination != Destination::Commit || repo.may_start_all() {
            return Vec::new();
        }
        let withheld = ASKED.into_iter().filter(|name| self.runs(name, repo));
        let told = withheld.map(|name| {
            let message = format!("the {name} hook was not asked: a check starts no hooks");
            Diagnostic::new(Code::Unsupported, message).note(format!(
                "{TRUST_VARIABLE}=always in the environment lets it"
            ))
        });
        told.collect()
    }

    fn runs(self, name: &str, repo: &Repo) -> bool {
        // What ours would say has been said: it is the same gate.
        (self == Hooks::Heed || !SKIPPED.contains(&name))
            && repo.has_hook(name)
            && !repo.has_only_ours(name)
    }
}

/// The hooks that are asked before a commit is made, in git's order.
const ASKED: [&str; 3] = ["pre-commit", "prepare-commit-msg", "commit-msg"];

/// Asks the hooks about each commit that `batches` would make, and returns them with the messages that the hooks left.
/// Without such hooks, and for every destination but `commit`, it costs nothing.
pub(crate) fn ask(
    mut batches: Vec<Batch>,
    target: &PublishTarget,
    repo: &Repo,
) -> Result<Vec<Batch>, Refusal> {
    let names: Vec<&str> = ASKED
        .into_iter()
        .filter(|name| target.hooks.runs(name, repo))
        .collect();
    if target.destination != Destination::Commit || names.is_empty() || !repo.may_start_all() {
        return Ok(batches);
    }
    // Hooks may take their time, and need not for what is refused anyway.
    let changes = merged(batches.iter().flat_map(|batch| batch.verified.changes()));
    rehearse(
        &Intended {
            moves: &moves(&batches),
            ..Intended::plain(&changes)
        },
        target,
        repo,
    )?;
    let (mut parent, mut tree) = commit::start(target)?;
    let committer = repo.committer()?;
    let (quarantine, mut checkout) = (repo.quarantine()?, repo.checkout()?);
    for batch in &mut batches {
        let (grown, objects) = repo.tree_with(tree.as_ref(), batch.verified.changes())?;
        if tree.as_ref() == Some(&grown) || batch.verified.changes().is_empty() {
            continue;
        }
        quarantine.write(&objects)?;
        let author = commit::author(batch, &committer, repo)?;
        let scene = Scene {
            head: head(target, parent.as_ref()),
            tree: &grown,
            author: &author,
            stage: HookStage::Before,
        };
        batch.message = ask_about(
            batch,
            &names,
            &PendingCommit::set(repo, &mut checkout, &quarantine, scene)?,
        )?;
        let parents: Vec<Id> = parent.iter().cloned().collect();
        let (message, committer) = (batch.message.as_str(), &committer);
        // For the next one to stand on. It need not be the commit that will be published, only look like it.
        let made = repo.commit_object(&NewCommit {
            tree: &grown,
            parents: &parents,
            author: &author,
            committer,
            message,
        })?;
        quarantine.write(std::slice::from_ref(&made))?;
        (parent, tree) = (Some(made.id), Some(grown));
    }
    Ok(batches)
}

/// Returns where a hook finds HEAD: on the branch as long as that stands where the commit's parent is.
fn head<'a>(target: &'a PublishTarget, parent: Option<&'a Id>) -> HeadAt<'a> {
    match (target.reference.as_deref(), parent) {
        (Some(branch), _) if branch != "HEAD" && target.expected.id() == parent => {
            HeadAt::Branch(branch)
        }
        (_, Some(parent)) => HeadAt::Commit(parent),
        (reference, None) => HeadAt::Branch(reference.unwrap_or("HEAD")),
    }
}

/// Has the refusal of a hook that a shell ended with `exit` say what it may have lacked.
fn lacking(exit: Option<i32>, refusal: Diagnostic) -> Diagnostic {
    // What a shell says of a command that it cannot run, or not find.
    if !matches!(exit, Some(126 | 127)) {
        return refusal;
    }
    Diagnostic {
        code: Code::ValidatorMissing,
        ..refusal
    }
    .note("a command of it was not found or could not be run; it ran in a copy of the tracked files, without `node_modules`, `.venv` and other untracked ones")
    .note("`--no-verify` commits without it; the destinations `index` and `worktree` leave the commit to you and to git")
}

/// Runs the hooks about one commit, in git's order, and returns its message as they left it.
fn ask_about(
    batch: &Batch,
    names: &[&str],
    pending: &PendingCommit<'_>,
) -> Result<String, Refusal> {
    pending.write_message(&batch.message)?;
    let file = pending.message_file();
    for &name in names {
        let arguments: &[&OsStr] = match name {
            "pre-commit" => &[],
            // Where the message is from: it was given, and not a template, a merge or another commit.
            "prepare-commit-msg" => &[file.as_os_str(), OsStr::new("message")],
            _ => &[file.as_os_str()],
        };
        let run = pending.run(name, arguments)?;
        if run.exit != Some(0) {
            let refusal = run.refusal(|how| format!("the {name} hook refused the commit ({how})"));
            return Err(lacking(run.exit, refusal).into());
        }
        if name == "pre-commit" {
            let staged = pending.staged_besides()?;
            if !staged.is_empty() {
                return Err(unasked(name, &staged).into());
            }
        }
    }
    let left = pending.read_message()?;
    if left == batch.message.as_bytes() {
        return Ok(batch.message.clone());
    }
    Ok(message::as_hooks_left_it(&batch.message, &left)?)
}

/// Says that a hook would have the commit hold more than the batch changes.
fn unasked(name: &str, paths: &[String]) -> Diagnostic {
    const MOST: usize = 5;
    let named = paths
        .iter()
        .take(MOST)
        .map(|path| shown(path))
        .collect::<Vec<_>>()
        .join(", ");
    let more = if paths.len() > MOST {
        format!(" and {} more", paths.len() - MOST)
    } else {
        String::new()
    };
    Diagnostic::new(Code::Drift, format!("the {name} hook staged changes of its own: {named}{more}"))
        .note("only what the operation file asks for is committed; make those changes part of it, or use `--no-verify`")
}

/// Tells the hook that wants to know of commits about those that were published. What it makes of it takes nothing back; where it
/// commits itself, index and files follow.
pub(crate) fn tell(receipt: &mut Receipt, target: &PublishTarget, repo: &Repo) {
    const NAME: &str = "post-commit";
    let commits: Vec<Id> = receipt.commits.iter().flatten().cloned().collect();
    if target.destination != Destination::Commit
        || commits.is_empty()
        || !target.hooks.runs(NAME, repo)
    {
        return;
    }
    let tell = || {
        let (quarantine, mut checkout) = (repo.quarantine()?, repo.checkout()?);
        let branch = target.reference.as_deref().filter(|name| *name != "HEAD");
        let mut warnings = Vec::new();
        for (at, commit) in commits.iter().enumerate() {
            let head = match branch.filter(|_| at + 1 == commits.len()) {
                Some(branch) => HeadAt::Branch(branch),
                None => HeadAt::Commit(commit),
            };
            let run = tell_about(commit, head, repo, &quarantine, &mut checkout)?;
            if run.exit != Some(0) {
                warnings.push(run.refusal(|how| format!("the {NAME} hook failed ({how})")));
            }
        }
        if let (Some(branch), Some(last)) = (branch, commits.last()) {
            warnings.extend(follow(branch, last, repo)?);
        }
        Ok(warnings)
    };
    receipt
        .warnings
        .extend(tell().unwrap_or_else(|failure: Diagnostic| vec![failure]));
}

fn tell_about(
    commit: &Id,
    head: HeadAt<'_>,
    repo: &Repo,
    quarantine: &Quarantine,
    checkout: &mut Checkout,
) -> Result<HookRun, Diagnostic> {
    let (tree, author) = (repo.tree_of(commit)?, repo.author_of(commit)?);
    let scene = Scene {
        head,
        tree: &tree,
        author: &author,
        stage: HookStage::After,
    };
    PendingCommit::set(repo, checkout, quarantine, scene)?.run("post-commit", &[])
}

/// Has index and files follow a branch that a hook moved on from `commit`, or whose commit it amended, as they would have with
/// `git commit`: they would else seem to take back what the hook committed. Returns what to say of it.
fn follow(branch: &str, commit: &Id, repo: &Repo) -> Result<Vec<Diagnostic>, Diagnostic> {
    if repo.tip(branch)?.is_none_or(|tip| tip == *commit) {
        return Ok(Vec::new());
    }
    // Whoever else publishes has their own index and files follow, and is waited for.
    let turn = Queue::enter(repo)?;
    let repo = turn.repo();
    let Some(tip) = repo.tip(branch)?.filter(|tip| tip != commit) else {
        return Ok(Vec::new());
    };
    let short = shown(branch.strip_prefix("refs/heads/").unwrap_or(branch));
    let mut warnings = Vec::new();
    if !repo.descends(&tip, commit)? {
        let message = format!(
            "{short} was moved to {tip} by the post-commit hook; commit {commit} is no longer on it"
        );
        warnings.push(Diagnostic::new(Code::RefMoved, message));
        if repo.parents_of(&tip)? != repo.parents_of(commit)? {
            let left = "index and files are left as they are: that is neither on top of the commit nor in its place";
            return Ok(warnings
                .into_iter()
                .map(|warning| warning.note(left))
                .collect());
        }
    }
    let others = repo.other_checkouts(branch)?;
    let own = repo.has_checked_out(branch)?.then_some(repo);
    for place in own.into_iter().chain(&others) {
        let Err(refusal) = follow_in(place, commit, &tip) else {
            continue;
        };
        let root = shown(&place.workdir().unwrap_or(place.git_dir()).to_string_lossy());
        let message = format!(
            "{short} was moved to {tip} by the post-commit hook, and index and files in {root} are still those of {commit}"
        );
        let warning = Diagnostic::new(Code::RefMoved, message);
        let warning = refusal
            .diagnostics()
            .into_iter()
            .fold(warning, |warning, reason| warning.note(reason.message));
        let remedy = format!(
            "`git read-tree -m -u {commit} {tip}` there brings them up to date, once nothing is in the way"
        );
        warnings.push(warning.note(remedy));
    }
    Ok(warnings)
}

/// Puts what differs between `commit` and `tip` into the index and the files of `place`, all of it or nothing.
fn follow_in(place: &Repo, commit: &Id, tip: &Id) -> Result<(), Refusal> {
    let differing =
        place.tree_changes(Some(&place.tree_of(commit)?), Some(&place.tree_of(tip)?))?;
    let is_plain = |change: &TreeChange| {
        let sides = [&change.old, &change.new];
        std::str::from_utf8(&change.path).is_ok_and(|path| RepoPath::parse(path).is_ok())
            && sides.into_iter().flatten().all(TreeFile::is_regular)
    };
    if let Some(other) = differing.iter().find(|change| !is_plain(change)) {
        let path = shown(&String::from_utf8_lossy(&other.path));
        return Err(
            Diagnostic::new(Code::Unsupported, format!("{path} is no regular file")).into(),
        );
    }
    let changes = place.changes_of(tip, commit)?;
    // Whoever published in the hook has done so already.
    if survey::holds(place, &place.read_index()?, &changes)? {
        return Ok(());
    }
    let (receipt, ready) = files::prepare(
        &Intended::plain(&changes),
        Vec::new(),
        Destination::Index,
        place,
    )?;
    if let Some(file) = receipt.displaced.first() {
        // The history keeps what a batch displaces, and this is none.
        return Err(displace::dirty(&file.path, "holds what git does not store").into());
    }
    ready.commit()
}
