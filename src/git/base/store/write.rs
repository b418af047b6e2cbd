//! Writing objects: a file each, or many as one pack.

use super::folder::ObjectStore;
use super::{loose, pack};
use crate::diagnostic::Diagnostic;
use crate::git::base::object::Object;

impl ObjectStore {
    /// Puts `objects` into the store. Order does not matter: nothing names them yet.
    pub(in crate::git) fn write(&self, objects: &[&Object]) -> Result<(), Diagnostic> {
        if self.packs(objects.len()) {
            pack::write(self, objects)?;
        } else {
            loose::write(self, objects)?;
        }
        crate::git::step("objects-written")
    }
}
