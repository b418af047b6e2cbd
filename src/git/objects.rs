//! Storing objects: those that are missing, in the folder that git would put them into.

use std::path::PathBuf;

use super::base::environment::variable;
use super::base::store::ObjectStore;
use super::{Object, Repo, failure};
use crate::diagnostic::Diagnostic;

impl Repo {
    /// Stores `objects`, those that the repository has already excepted. Order does not matter: nothing names them
    /// yet.
    pub fn write_objects(&self, objects: &[Object]) -> Result<(), Diagnostic> {
        let store = self.store.get_or_init(|| {
            ObjectStore::new(self.objects_folder(), self.hash_kind(), &self.config)
        });
        let missing = self.missing(store, objects)?;
        if missing.is_empty() {
            return Ok(());
        }
        store.write(&missing)?;
        self.flush_folders(&self.common_dir().join("objects"))
    }

    /// Returns those of `objects` that are to be written.
    fn missing<'o>(
        &self,
        store: &ObjectStore,
        objects: &'o [Object],
    ) -> Result<Vec<&'o Object>, Diagnostic> {
        // In a pack a second copy costs less than the question; and what waits in quarantine is not stored, though
        // libgit2 finds it.
        if store.packs(objects.len()) || self.quarantined.get().is_some() {
            return Ok(objects.iter().collect());
        }
        let odb = self
            .git2
            .odb()
            .map_err(failure::git2("open the object database"))?;
        let mut missing = Vec::new();
        for object in objects {
            // Without looking for new packs: a second copy is no harm.
            if !odb.exists_ext(self.oid(&object.id)?, git2::OdbLookupFlags::NO_REFRESH) {
                missing.push(object);
            }
        }
        Ok(missing)
    }

    /// Returns the folder of objects that is written to.
    fn objects_folder(&self) -> PathBuf {
        let given = if self.opening().heeds_environment() {
            variable("GIT_OBJECT_DIRECTORY")
        } else {
            None
        };
        given.map_or_else(|| self.common_dir().join("objects"), PathBuf::from)
    }
}
