//! `Repo`: an open repository. What can be asked of it, and done to it, is in the file of its name, one `impl` each.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

use super::base::config::Config;
use super::base::environment;
use super::base::index_file::ReadIndex;
use super::base::opening::Opening;
use super::base::repository_filter::RepositoryFilter;
use super::base::rules::Rules;
use super::base::scratch::Scratch;
use super::base::store::ObjectStore;

/// An open repository.
pub struct Repo {
    pub(super) git2: git2::Repository,
    pub(super) config: Config,
    /// How it was found.
    pub(super) opening: Opening,
    /// Where its index stands.
    pub(super) index_file: PathBuf,
    pub(super) index_as_read: ReadIndex,
    pub(super) rules: Rules,
    /// Where its objects go, once there are some.
    pub(super) store: OnceCell<ObjectStore>,
    /// Where objects wait that nobody else shall see.
    pub(super) quarantined: OnceCell<Arc<Scratch>>,
    /// The filters that its own configuration names, once they were asked for.
    pub(super) repository_filters: OnceCell<Vec<RepositoryFilter>>,
}

impl Repo {
    /// Returns the configuration that holds here.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the environment's variable `name` of this program's own; set but empty is the same as not set.
    pub fn variable(name: &str) -> Option<String> {
        environment::variable(name).map(|value| value.to_string_lossy().into_owned())
    }
}
