//! The history as its users meet it: list it, look into it, shorten it, take batches back and put them forth again.
//!
//! | file | holds |
//! |---|---|
//! | `show`, `prune` | the list, one batch, removing entries |
//! | `here` | the branch and worktree of the caller |
//! | `undo`, `redo` | which batch, and what that comes to |
//! | `step` | what it comes to, rehearsed or carried out |
//! | `gone` | whether anything of a batch is left |
//! | `inverse`, `reversal` | what takes a batch back when others have built on it |

mod gone;
mod here;
mod inverse;
mod prune;
mod redo;
mod reversal;
mod show;
mod step;
mod undo;

pub use here::StepMode;
pub use prune::{Keep, Recovered, prune, recover};
pub use redo::redo;
pub use show::{BatchLog, Opened, log, show};
pub use undo::undo;

pub(crate) use here::short_id;
