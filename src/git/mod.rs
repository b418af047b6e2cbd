//! `Repo`: the repository as the rest of the house sees it: paths, bytes and ids. Home of git2 and of the git program.
//!
//! Reading fills a `Snapshot`; writing makes objects that nobody can see until a ref moves (`refs`), an index is
//! renamed into place (`index`) or a file is exchanged (`worktree`). The order of those is `publish`'s business.
//! Nothing here knows an operation file, a plan or a colour, and nothing outside names git2.
//!
//! Known limits: `refs/replace/` is ignored, as by libgit2; `includeIf "hasconfig:…"` is not followed; relative
//! values of git's environment variables count from the process's folder, so `-C` has to change that first.

mod arrivals;
mod attributes;
mod below;
mod changes;
mod checkout;
mod checkouts;
mod config;
mod content;
pub mod diff;
mod durable;
mod environment;
mod failure;
mod forms;
mod ground;
mod head;
mod helper;
mod home;
mod hooks;
mod identity;
mod index;
mod kept;
mod listing;
mod lock;
mod open;
mod own;
mod packed;
mod pending;
mod program;
mod promised;
mod quarantine;
mod read;
mod refs;
mod scratch;
mod shared;
mod sides;
mod sign;
mod standing;
mod starts;
mod step;
mod store;
mod worktree;
mod write;

#[cfg(test)]
pub mod testing;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

pub use arrivals::{Arrival, KnownCommits};
pub use below::{HeldFile, NameInFolder};
pub use changes::{ComparedTrees, TreeChange, TreeFile};
pub use checkout::Checkout;
pub use checkouts::{ELSEWHERE, same};
pub use config::Config;
pub use content::refuse_pointers;
pub use forms::{Brought, Publishing};
pub use head::{Head, is_ref_name};
pub use helper::word_of;
pub use home::Home;
pub use hooks::{
    ASIDE, HookFile, MARKER, add_hook, is_ours, is_same_hook, line_of_others, look_at_hook,
    move_hook, put_back_hook, remove_hook, replace_and_keep_hook, replace_hook, shipped_hook,
};
pub use identity::Identity;
pub use index::{Entries, IndexEdit, Indexed, Stat};
pub use lock::{IndexKey, IndexLock};
pub use open::{Durability, Opening};
pub use own::Seal;
pub use pending::{HeadAt, HookStage, PendingCommit, Scene};
pub use program::{HookRun, points_elsewhere};
pub use quarantine::Quarantine;
pub use read::{Holding, ReadSource};
pub use refs::{Expected, LockedRef, Moved, RefFailure};
pub use sides::ChangedFiles;
pub use standing::{Candidate, Stamp};
pub use starts::{FilterTrust, OwnFilter, TRUST_SETTING, TRUST_VARIABLE};
pub(crate) use step::step;
pub use worktree::{ExchangeResult, FileFound, FileVersion, Stage, Worktree, permissions_as};
pub use write::{NewCommit, Object, ObjectKind, TreeFailure};

/// An open repository.
pub struct Repo {
    git2: git2::Repository,
    config: Config,
    /// How it was found.
    opening: Opening,
    /// Where its index stands.
    index_file: PathBuf,
    rules: attributes::Rules,
    /// Where its objects go, once there are some.
    store: OnceCell<store::ObjectStore>,
    /// Where objects wait that nobody else shall see.
    quarantined: OnceCell<Arc<scratch::Scratch>>,
    /// The filters that its own configuration names, once they were asked for.
    own_filters: OnceCell<Vec<OwnFilter>>,
}
