//! Which ground a source is, and the bytes of a blob on any of them.

use super::questions::Ground;
use super::{index, tree, worktree};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ReadSource, Repo, failure};
use crate::snapshot::{Blob, HashKind, Id};

impl Repo {
    /// Returns what `source` stands for, ready to be asked.
    pub(in crate::git) fn ground(
        &self,
        source: &ReadSource,
    ) -> Result<Box<dyn Ground + '_>, Diagnostic> {
        Ok(match source {
            ReadSource::Commit { tree, .. } => Box::new(tree::TreeGround::new(self, Some(tree))),
            ReadSource::Unborn { tree } => Box::new(tree::TreeGround::new(self, tree.as_ref())),
            ReadSource::Index => Box::new(index::IndexGround::new(self)?),
            ReadSource::Worktree => Box::new(worktree::WorktreeGround::new(self)?),
        })
    }

    /// Returns the content of the blob `blob`, which stands at `path`. A missing one is never an absent file: a partial
    /// clone is asked to fetch it, anything else is a failure.
    pub(in crate::git) fn blob_bytes(&self, blob: &Id, path: &str) -> Result<Blob, Diagnostic> {
        let oid = self.oid(blob)?;
        match self.while_repacked(|| self.git2.find_blob(oid)) {
            Ok(found) => {
                let bytes = found.content();
                check_intact(self.hash_kind(), blob, path, bytes)?;
                Ok(Blob::known(bytes.to_vec(), self.hash_kind(), blob.clone()))
            }
            Err(error) if error.code() == git2::ErrorCode::NotFound && self.is_partial() => {
                let attempt = format!("fetch the content of {}", shown(path));
                let git = self
                    .program()
                    .fetching(&format!("the content of {}", shown(path)))?;
                let bytes = git.demand(&attempt, &["cat-file", "blob", &blob.0], &[])?;
                Ok(Blob::known(bytes, self.hash_kind(), blob.clone()))
            }
            Err(error) => Err(unreadable(blob, path, error)),
        }
    }
}

/// Refuses `bytes` that are not those of the blob `blob`, which stands at `path`. For whoever reads one by libgit2, which is
/// told not to look at that itself.
pub(in crate::git) fn check_intact(
    hash: HashKind,
    blob: &Id,
    path: &str,
    bytes: &[u8],
) -> Result<(), Diagnostic> {
    if Id::of_blob(hash, bytes) == *blob {
        return Ok(());
    }
    let message = format!(
        "the content of {} is damaged: it is not that of blob {blob}",
        shown(path)
    );
    Err(Diagnostic::new(Code::Io, message).note("`git fsck` says what else is damaged"))
}

/// Says why the content of the blob `blob`, which stands at `path`, cannot be had.
pub(in crate::git) fn unreadable(blob: &Id, path: &str, error: git2::Error) -> Diagnostic {
    if error.code() != git2::ErrorCode::NotFound {
        return failure::git2(&format!("read {}", shown(path)))(error);
    }
    let message = format!(
        "the content of {} is missing from the repository (blob {blob})",
        shown(path)
    );
    Diagnostic::new(Code::Io, message).note("`git fsck` says what else is missing")
}
