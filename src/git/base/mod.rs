//! What a repository is made of, and what is read and written without one: none of this knows `Repo`.
//!
//! | file | holds |
//! |---|---|
//! | `below`, `held_folder`, `shared` | folders that are held open, and what others get of what is made in them |
//! | `config`, `environment`, `flush` | what is configured |
//! | `failure` | the words for what libgit2, the system and the git program failed at |
//! | `index_file` | the index as a file, and what is remembered of it |
//! | `object`, `store` | objects, and the folder that they are written to |
//! | `opening`, `repository_filter`, `rules`, `scratch` | what an open repository remembers |
//! | `plain_file`, `read_source`, `stat` | what is read, and what the system says of a file |

pub(super) mod below;
pub(super) mod config;
pub(super) mod environment;
pub(super) mod failure;
pub(super) mod flush;
pub(super) mod held_folder;
pub(super) mod index_file;
pub(super) mod object;
pub(super) mod opening;
pub(super) mod plain_file;
pub(super) mod read_source;
pub(super) mod repository_filter;
pub(super) mod rules;
pub(super) mod scratch;
pub(super) mod shared;
pub(super) mod stat;
pub(super) mod store;
