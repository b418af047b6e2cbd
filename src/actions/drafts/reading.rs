//! What a draft gives, for a reader of a file.

use std::time::SystemTime;

use super::open::load;
use crate::diagnostic::{Code, Diagnostic};
use crate::drafts::{self, DRAFTS, DraftName, DraftOrigin};
use crate::git::Repo;
use crate::manifest::{Destination, Files, Operation, Overrides, Verb};
use crate::path::RepoPath;

/// Returns the revision at which `at`, which may name a draft, is read at `path`: a tree, or what the draft leaves as it is
/// where it goes. `None` where it is no draft that is named; within, `None` is the worktree's file, as for any reader.
pub fn revision(
    repo: &Repo,
    at: &str,
    path: &RepoPath,
    now: SystemTime,
) -> Result<Option<Option<String>>, Diagnostic> {
    let short = at.strip_prefix(DRAFTS);
    let Ok(name) = DraftName::parse(short.unwrap_or(at)) else {
        return Ok(None);
    };
    let Some(draft) = load(repo, &name, drafts::look(repo, &name, now)?, now)? else {
        return Ok(None);
    };
    if short.is_none() && repo.is_revision(at) {
        let message = format!("`{name}` is a draft, and a revision too");
        let full = "the full name tells them apart, such as refs/heads/… of a branch";
        return Err(Diagnostic::new(Code::Malformed, message)
            .candidates([name.reference()])
            .note(full));
    }
    let tree = match (draft.text.origin, draft.header.tree.clone()) {
        (DraftOrigin::Here, Some(tree)) => Some(tree),
        _ => repo.tip(&name.reference())?.map(|tree| tree.0),
    };
    let Some(tree) = tree else {
        let message = format!("draft `{name}` cannot be read: there is no tree of it");
        return Err(Diagnostic::new(Code::DraftNotFound, message));
    };
    let Ok(manifest) = draft.manifest(&Overrides::default()) else {
        return Ok(Some(Some(tree)));
    };
    let is_elsewhere = draft.header.worktree != repo.worktree_name();
    if is_elsewhere
        || manifest
            .operations
            .iter()
            .any(|operation| may_touch(operation, path))
    {
        return Ok(Some(Some(tree)));
    }
    Ok(Some(match manifest.destination {
        Destination::Worktree if repo.is_bare() => Some(tree),
        Destination::Worktree => None,
        Destination::Index | Destination::Cached => Some(String::new()),
        Destination::Commit | Destination::Stash if repo.is_revision("HEAD") => {
            Some("HEAD".to_owned())
        }
        Destination::Commit | Destination::Stash => Some(tree),
    }))
}

/// Says whether `operation` may change the file at `path`.
fn may_touch(operation: &Operation, path: &RepoPath) -> bool {
    let is_target = matches!(&operation.verb, Verb::RenameFile { to, .. } if to == path);
    let is_everywhere = matches!(&operation.verb, Verb::Rename { .. } | Verb::Move { .. });
    match &operation.files {
        Files::One(_) if is_everywhere => true,
        Files::One(file) => is_target || file == path,
        Files::Matching(_) => true,
    }
}
