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
mod base;
mod changes;
mod checkout;
mod checkouts;
mod content;
pub mod diff;
mod durable;
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
mod objects;
mod open;
mod own;
mod packed;
mod pending;
mod program;
mod promised;
mod quarantine;
mod read;
mod refs;
mod repo;
mod scratch;
mod sides;
mod sign;
mod standing;
mod starts;
mod step;
mod worktree;
mod write;

#[cfg(test)]
pub mod testing;

pub use arrivals::{Arrival, KnownCommits};
pub use base::below::{HeldFile, NameInFolder};
pub use base::config::Config;
pub use base::object::{Object, ObjectKind};
pub use base::opening::{Durability, Opening};
pub use base::own_filter::{FilterTrust, OwnFilter};
pub use base::read_source::ReadSource;
pub use base::stat::Stat;
use base::{environment, failure};
pub use changes::{ComparedTrees, TreeChange, TreeFile};
pub use checkout::Checkout;
pub use checkouts::{ELSEWHERE, same};
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
pub use index::{Entries, IndexEdit, Indexed};
pub use lock::{IndexKey, IndexLock};
pub use own::Seal;
pub use pending::{HeadAt, HookStage, PendingCommit, Scene};
pub use program::{HookRun, points_elsewhere};
pub use quarantine::Quarantine;
pub use read::Holding;
pub use refs::{Expected, LockedRef, Moved, RefFailure};
pub use repo::Repo;
pub use sides::ChangedFiles;
pub use standing::{Candidate, Stamp};
pub use starts::{TRUST_SETTING, TRUST_VARIABLE};
pub(crate) use step::step;
pub use worktree::{ExchangeResult, FileFound, FileVersion, Stage, Worktree, permissions_as};
pub use write::{NewCommit, TreeFailure};
