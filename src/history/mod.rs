//! `history`: what git keeps of every published batch, so that it can be listed, taken back and put forth again.
//!
//! ```text
//! refs/segedit/batches/<when>-<id>  ──▶  tree   record.json      who, when, where, which files (`Record`)
//!                                              operations.yaml  the operation file as given
//!                                              report.json      what the caller was told
//!                                              displaced/       files of worktrees that held more than git stores of them
//!                                              before/ after/   the whole trees of a commit or stash entry, else the
//!                                                               touched files
//!                                              commit           the commit object's own bytes, to make it again
//!                                              index-commit     of a stash entry: the commit that holds its index
//! refs/segedit/undone/<when>-<id>   ──▶  tree   batch/           the tree above
//!                                              undone.json      how it was taken back (`Mark`)
//!                                              displaced/       likewise, of the undoing
//! ```
//!
//! One ref for each batch, made once and never moved: no two writers share one. They name trees, so `git log --all`
//! shows nothing of them and `git gc` keeps everything. `<when>` is the microsecond at which the batch was published,
//! in the publisher's turn: names sort in the order of publishing, also where the clock was set back (`moment`).
//!
//! A crash between publishing and the ref is bridged by an *intent* (`intent`): a file that says which refs are to be
//! made, and how to tell whether the batch happened. Whoever publishes next settles it.
//!
//! Deliberately not here: what undo does to a repository (`publish::restore`) and when it may (`actions::history`).

mod conversation;
mod displaced;
mod intent;
mod moment;
mod new_entry;
mod record;
mod walk;

pub(crate) use conversation::{CallRecord, Conversation, Fate, Tokens};
pub(crate) use displaced::{Displaced, DisplacedFile};
pub(crate) use intent::{
    Announced, Proof, Settled, Trace, are_ours, is_unsettled, promise, settle,
};
pub(crate) use moment::moments;
pub(crate) use new_entry::{NewEntry, States, announce, store_mark};
pub(crate) use record::{BatchRecord, FileRecord, How, LedgerRecord, RecordedFile, UndoMark};
pub(crate) use walk::{HistoryEntry, NamedEntry, find, forget, list, look, read};

/// What the operation file of an entry is called in its tree.
pub(crate) const OPERATIONS: &str = "operations.yaml";

/// Where the refs of batches are.
pub(crate) const BATCHES: &str = "refs/segedit/batches/";

/// Where the refs of batches that were taken back are.
pub(crate) const UNDONE: &str = "refs/segedit/undone/";
