//! `publish` makes a verified batch visible to others, wholly or not at all.
//!
//! ```text
//! forms            content of which git would store other bytes is refused
//! hooks            asked about each commit on a copy of it, before anything else happens
//! queue            one publisher at a time in a repository (flock; the kernel gives it back when we die)
//! recover          a journal that somebody left behind is finished or rolled back first
//! objects          blobs, trees, commits: nobody names them, so a crash leaves garbage for `git gc`
//!                  (the entry of the history and its intent come just before the ref's lock: see `history`)
//! journal          what is about to happen, the inodes of our locks, where displaced files are kept
//! index.lock       of every worktree that has the branch checked out; HEAD and index are read again under it
//! survey           what is staged, edited or in the way: the last moment to refuse, all reasons at once
//! ref lock         compared with what was expected; nobody can move the ref from here on
//! files            exchanged one by one, the displaced bytes looked at; one that changed puts all of them back
//! ref              moved: the point of no return
//! index            renamed into place, which gives the lock back
//! journal          removed
//! hooks            told of each commit; whatever they say, it is there
//! ```
//!
//! A crash before the ref moved is rolled back: files that still are what we wrote get their old bytes again, our locks
//! go. A crash after it is finished: the new index is complete in `index.lock` and only has to be renamed. Files come
//! before the ref because all that can still go wrong with them (somebody saved one this very moment) is then a refusal
//! that changed nothing; and as long as a crash leaves `index.lock` behind, `git commit` refuses to commit the half.
//!
//! `index` and `cached` take the same way without the ref, their point of no return is the renaming; `worktree` has none but the
//! removal of its journal. A branch that is not checked out needs the journal for its lock alone; `stash` is
//! git's own single command.
//!
//! What fails before the point of no return puts everything back; what fails after it is a warning of a batch that is published.
//! Every step has a name (`git::step`), at which `tests/support/crash.rs` has it fail and die.

mod batch;
mod commit;
mod displace;
mod files;
mod forms;
pub(crate) mod hooks;
mod journal;
mod leftover;
pub(crate) mod message;
mod prepared;
mod queue;
mod recover;
mod refusal;
mod rehearse;
pub(crate) mod restore;
mod run;
mod site;
mod stash;
mod survey;
mod target;
#[cfg(test)]
mod testing;

pub(crate) use batch::{Batch, Receipt, moves};
pub(crate) use forms::in_stored_form;
pub(crate) use prepared::Prepared;
pub(crate) use queue::Queue;
pub(crate) use recover::{
    Recovery, is_left_over, is_unsettled, recover, recover_if_idle, recover_if_needed,
};
pub(crate) use refusal::Refusal;
pub(crate) use rehearse::{RehearsalTarget, rehearse, rehearse_at};
pub(crate) use run::prepare;
pub(crate) use survey::Intended;
pub(crate) use target::{Hooks, PublishTarget, aim};
