//! Language servers: programs that the repository's configuration names, asked where a name is used and defined.
//!
//! A server runs in a checkout of what a batch is resolved against, with the trust, the environment and the limits of a validator, and
//! is shown the files as the batch has them. What it says is a stranger's word: sizes are bounded, every place is looked up in the
//! bytes that it was shown, and what is in no file of the checkout is elsewhere.
//!
//! | file | holds |
//! |---|---|
//! | `service` | the servers of a configuration, each started when it is first asked |
//! | `session` | a talk with one: requests, and what it asks in turn |
//! | `errors` | what one finds wrong in the files |
//! | `wire` | messages in bytes |
//! | `positions` | lines and UTF-16 columns in bytes |
//! | `uri` | files of the checkout, as servers call them |
//! | `languages` | what servers call the language of a file |
//!
//! Deliberately not here: what a rename makes of the answers (`plan`).

mod errors;
mod languages;
mod positions;
mod service;
mod session;
mod uri;
mod wire;

pub(crate) use service::Servers;
