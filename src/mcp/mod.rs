//! The tools over the Model Context Protocol, on standard input and output. Home of rmcp and tokio.
//!
//! Each call runs in a process of its own, `git segedit call` of this very program: whatever becomes of it (a grammar that
//! aborts, a linter without end), the server answers the next one; and to cancel a call is to end its process, and to
//! finish or roll back what it had begun: the repository is as before or as after, not in between.
//!
//! | file | holds |
//! |---|---|
//! | `server`, `settings` | what is answered to each message, and what is served |
//! | `child` | one call, in its process, and the process that waits for the next |
//! | `wire` | the lines that messages go by |

mod child;
mod server;
mod settings;
mod wire;

pub(crate) use server::serve;
pub(crate) use settings::ServerSettings;
