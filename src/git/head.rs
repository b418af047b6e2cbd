//! What HEAD and other names stand for: branches, tips, revisions, and which worktree has what checked out.

use git2::ErrorCode;

use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::snapshot::Id;

/// Where HEAD stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// On a branch, which has no tip as long as it is unborn.
    Branch {
        /// The full name.
        name: String,
        /// Its commit.
        tip: Option<Id>,
    },
    /// On a commit.
    Detached(Id),
}

impl Head {
    /// Returns the commit that HEAD names.
    pub fn commit(&self) -> Option<&Id> {
        match self {
            Head::Branch { tip, .. } => tip.as_ref(),
            Head::Detached(commit) => Some(commit),
        }
    }
}

/// How many symbolic refs in a row are followed; git's own limit.
const MOST_SYMBOLIC: usize = 5;

impl Repo {
    /// Returns where HEAD stands.
    pub fn head(&self) -> Result<Head, Diagnostic> {
        match self.final_name("HEAD")? {
            name if name == "HEAD" => {
                let tip = self.tip("HEAD")?.ok_or_else(|| {
                    Diagnostic::new(
                        Code::UnsupportedRepository,
                        "HEAD names neither a branch nor a commit",
                    )
                })?;
                Ok(Head::Detached(tip))
            }
            name => Ok(Head::Branch {
                tip: self.tip(&name)?,
                name,
            }),
        }
    }

    /// Follows symbolic refs from `name` and returns the name that a write would have to move; that one need
    /// not exist.
    pub fn final_name(&self, name: &str) -> Result<String, Diagnostic> {
        let mut name = name.to_owned();
        for _ in 0..MOST_SYMBOLIC {
            let reference = match self.git2.find_reference(&name) {
                Ok(reference) => reference,
                Err(error) if error.code() == ErrorCode::NotFound => return Ok(name),
                Err(error) => return Err(failure::git2(&format!("read {}", shown(&name)))(error)),
            };
            match reference.symbolic_target() {
                Ok(Some(next)) => name = next.to_owned(),
                Ok(None) => return Ok(name),
                Err(_) => break,
            }
        }
        Err(Diagnostic::new(
            Code::UnsupportedRepository,
            format!("{} leads nowhere", shown(&name)),
        ))
    }

    /// Returns the object that the ref `name` names, or `None` when there is no such ref.
    pub fn tip(&self, name: &str) -> Result<Option<Id>, Diagnostic> {
        match self.git2.refname_to_id(name) {
            Ok(oid) => Ok(Some(id(oid))),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(failure::git2(&format!("read {}", shown(name)))(error)),
        }
    }

    /// Returns the commit that `revision` names, and its tree. Tags are followed to the commit they are of.
    pub fn resolve_commit(&self, revision: &str) -> Result<(Id, Id), Diagnostic> {
        let object = self.resolve(revision)?;
        let commit = object.peel_to_commit().map_err(|_| {
            let kind = object.kind().map_or("object", |kind| kind.str());
            Diagnostic::new(
                Code::Unsupported,
                format!("`{}` is a {kind}, not a commit", shown(revision)),
            )
        })?;
        Ok((id(commit.id()), id(commit.tree_id())))
    }

    /// Returns the tree of `commit`.
    pub fn tree_of(&self, commit: &Id) -> Result<Id, Diagnostic> {
        let commit = self.find_commit(commit)?;
        Ok(id(commit.tree_id()))
    }

    /// Returns whether `commit` is `ancestor` or descends from it.
    pub fn descends(&self, commit: &Id, ancestor: &Id) -> Result<bool, Diagnostic> {
        let (commit, ancestor) = (self.oid(commit)?, self.oid(ancestor)?);
        if commit == ancestor {
            return Ok(true);
        }
        // A commit that is not there has no descendants. Of one that is, a walk that fails does not say that there are none.
        if !self.has_object(&id(ancestor))? {
            return Ok(false);
        }
        let attempt = format!("look for {ancestor} below {commit}");
        self.git2
            .graph_descendant_of(commit, ancestor)
            .map_err(failure::git2(&attempt))
    }

    /// Returns whether a remote-tracking ref names `commit` or one that descends from it: then others may have it.
    pub fn is_on_a_remote(&self, commit: &Id) -> Result<bool, Diagnostic> {
        let attempt = "look for the commit in what is known of remotes";
        let contains = format!("--contains={commit}");
        let asked = [
            "for-each-ref",
            "--count=1",
            "--format=x",
            &contains,
            "refs/remotes/",
        ];
        let found = self.program().demand(attempt, &asked, &[])?;
        Ok(!found.is_empty())
    }

    /// Puts `commit` on top of the stash, `line` being what `git stash list` shows.
    pub fn store_stash(&self, commit: &Id, line: &str) -> Result<(), Diagnostic> {
        let arguments = [
            "stash",
            "store",
            "--quiet",
            "--message",
            line,
            commit.0.as_str(),
        ];
        match self
            .program()
            .demand("store a stash entry", &arguments, &[])
        {
            // A child that came to grief after it had done its work has published the entry all the same.
            Err(failure) if !self.stashed().is_ok_and(|listed| listed.contains(commit)) => {
                Err(failure)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Returns the first line of the message of `commit`.
    pub fn subject_of(&self, commit: &Id) -> Result<String, Diagnostic> {
        let commit = self.find_commit(commit)?;
        let subject = commit.summary_bytes().unwrap_or_default();
        Ok(String::from_utf8_lossy(subject).into_owned())
    }

    /// Returns the object that `revision` names.
    pub(super) fn resolve(&self, revision: &str) -> Result<git2::Object<'_>, Diagnostic> {
        if revision.is_empty() || revision.starts_with('-') || revision.contains('\0') {
            let message = format!("`{}` is not a revision", shown(revision));
            return Err(Diagnostic::new(Code::Malformed, message));
        }
        self.git2
            .revparse_single(revision)
            .map_err(|error| self.explain_revision(revision, &error))
    }

    /// Says why `revision` names nothing, with the branches and tags that it may have meant.
    fn explain_revision(&self, revision: &str, error: &git2::Error) -> Diagnostic {
        let named = shown(revision);
        match error.code() {
            ErrorCode::NotFound => {
                let names = self.short_names();
                let refusal = Diagnostic::new(
                    Code::FileNotFound,
                    format!("there is no revision `{named}`"),
                )
                .suggest(
                    nearest(revision, names.iter().map(String::as_str), 3)
                        .into_iter()
                        .map(str::to_owned),
                );
                if self.git2.is_shallow() {
                    refusal.note("the repository is shallow: its history ends early")
                } else {
                    refusal
                }
            }
            ErrorCode::Ambiguous => Diagnostic::new(
                Code::Unsupported,
                format!("`{named}` is the beginning of more than one object's id"),
            ),
            _ => Diagnostic::new(
                Code::Malformed,
                format!("`{named}` is not a revision: {}", shown(error.message())),
            ),
        }
    }

    /// Returns the short names of branches and tags.
    fn short_names(&self) -> Vec<String> {
        let Ok(references) = self.git2.references() else {
            return Vec::new();
        };
        references
            .flatten()
            .filter_map(|reference| reference.shorthand().ok().map(str::to_owned))
            .collect()
    }

    /// Says whether `text` can be the name of an object here: hexadecimal digits, as many as there are.
    pub fn is_id(&self, text: &str) -> bool {
        let digits = match self.git2.object_format() {
            git2::ObjectFormat::Sha1 => 40,
            git2::ObjectFormat::Sha256 => 64,
        };
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// Returns libgit2's form of `id`.
    pub(super) fn oid(&self, id: &Id) -> Result<git2::Oid, Diagnostic> {
        git2::Oid::from_str_ext(&id.0, self.git2.object_format())
            .map_err(failure::git2("read an object's name"))
    }
}

/// Returns our form of `oid`.
pub(super) fn id(oid: git2::Oid) -> Id {
    Id(oid.to_string())
}

/// Returns whether git accepts `name` as the full name of a ref.
pub fn is_ref_name(name: &str) -> bool {
    git2::Reference::is_valid_name(name)
}

impl Repo {
    /// Refuses a new branch `reference` when another one is in its way, as `a` is in the way of `a/b`.
    pub fn check_new_branch(&self, reference: &str) -> Result<(), Diagnostic> {
        let mut above = reference
            .match_indices('/')
            .filter_map(|(at, _)| reference.get(..at));
        let below = format!("{reference}/");
        let taken = above
            .find(|name| self.git2.find_reference(name).is_ok())
            .map(str::to_owned)
            .or_else(|| {
                // Not all refs: the history has one for each batch.
                let mut names = self.git2.references_glob(&format!("{below}*")).ok()?;
                names.find_map(|other| other.ok()?.name().ok().map(str::to_owned))
            });
        let Some(taken) = taken else { return Ok(()) };
        let message = format!(
            "{} cannot be created: {} exists",
            shown(reference),
            shown(&taken)
        );
        Err(Diagnostic::new(Code::Unsupported, message))
    }

    /// Refuses the destination `destination` in a bare repository.
    pub fn check_worktree(&self, destination: &str) -> Result<(), Diagnostic> {
        self.need_worktree(&format!("destination `{destination}`"))
            .map(|_| ())
    }
}
