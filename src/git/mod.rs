//! `Repo`: the repository as paths, bytes and ids. Home of git2 and of the git program.
//!
//! Reading fills a `Snapshot`; writing makes objects that nobody can see until a ref moves (`refs`), an index is
//! renamed into place (`index`) or a file is exchanged (`worktree`). The order of those is `publish`'s business.
//! Nothing here knows an operation file, a plan or a colour, and nothing outside names git2.
//!
//! | file | holds |
//! |---|---|
//! | `repo`, `open`, `base/` | an open repository, finding one, and what it is made of |
//! | `read`, `ground/`, `listing`, `content`, `attributes` | reading: a snapshot, what it is taken of, pathspecs, line endings and filters |
//! | `head`, `changes`, `changed_files`, `arrivals`, `checkouts`, `grep` | questions: names and tips, what differs, what a push brings, who has a branch checked out, where a word is |
//! | `write`, `objects`, `identity`, `sign`, `pending` | objects and commits, and their hooks |
//! | `refs`, `packed`, `private_refs` | moving a branch; `packed-refs`; the refs that this program keeps for itself |
//! | `index`, `lock` | the index as bytes, and the lock on it |
//! | `worktree`, `file_state`, `forms` | files of the worktree, whether they changed, whether git stores them as they are |
//! | `checkout/`, `quarantine`, `scratch` | where a candidate is judged: a tree laid out, objects that nobody else sees |
//! | `program`, `helper`, `hooks`, `allowed_programs` | the git program, and which programs of a repository may start |
//! | `home`, `user_state` | this program's folder in the git folder, and what it keeps for its user outside of that |
//! | `partial_clone`, `durable`, `step` | fetching what is missing, flushing, failures for tests |
//!
//! Known limits: `refs/replace/` is ignored, as by libgit2; `includeIf "hasconfig:…"` is not followed; relative
//! values of git's environment variables count from the process's folder, so `-C` has to change that first.

mod allowed_programs;
mod arrivals;
mod attributes;
mod base;
mod changed_files;
mod changes;
mod checkout;
mod checkouts;
mod content;
mod durable;
mod file_state;
mod forms;
mod grep;
mod ground;
mod head;
mod helper;
mod home;
mod hooks;
mod identity;
mod index;
mod listing;
mod lock;
mod objects;
mod open;
mod packed;
mod partial_clone;
mod pending;
mod private_refs;
mod program;
mod quarantine;
mod read;
mod refs;
mod repo;
mod scratch;
mod sign;
mod step;
mod user_state;
mod worktree;
mod write;

#[cfg(test)]
pub mod testing;

pub use allowed_programs::{TRUST_SETTING, TRUST_VARIABLE};
pub use arrivals::{Arrival, KnownCommits};
pub use base::below::{HeldFile, NameInFolder};
pub use base::config::Config;
pub use base::object::{Object, ObjectKind};
pub use base::opening::{Durability, Opening};
pub use base::read_source::ReadSource;
pub use base::repository_filter::{FilterTrust, RepositoryFilter};
pub use base::stat::Stat;
use base::{environment, failure};
pub use changed_files::ChangedFiles;
pub use changes::{ComparedTrees, TreeChange, TreeFile};
pub use checkout::Checkout;
pub use checkouts::{ELSEWHERE, same};
pub use content::refuse_pointers;
pub use file_state::{LazyFile, Stamp};
pub use forms::{Brought, Publishing};
pub use head::{Head, is_ref_name};
pub use helper::word_of;
pub use home::Home;
pub use hooks::{
    ASIDE, HookFile, MARKER, add_hook, is_ours, is_same_hook, line_of_others, look_at_hook,
    move_hook, put_back_hook, remove_hook, replace_and_keep_hook, replace_hook, shipped_hook,
};
pub use identity::Identity;
pub use index::{Entries, GrownTrees, IndexEdit, Indexed};
pub use lock::{IndexKey, IndexLock};
pub use pending::{HeadAt, HookStage, PendingCommit, Scene};
pub use program::{HookRun, points_elsewhere};
pub use quarantine::Quarantine;
pub use read::Holding;
pub use refs::{Expected, LockedRef, Moved, RefFailure};
pub use repo::Repo;
pub(crate) use step::step;
pub use user_state::Seal;
pub use worktree::{ExchangeResult, FileFound, FileVersion, Stage, Worktree, permissions_as};
pub use write::{NewCommit, TreeFailure};
