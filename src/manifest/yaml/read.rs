//! Reading: bytes to a checked `Manifest`, or every complaint at once.

use super::{batch, tree};
use crate::diagnostic::Diagnostic;
use crate::manifest::{Manifest, Overrides};

/// Reads the operation file `name`, or returns everything that is wrong with it in the order of its lines.
pub fn read(name: &str, bytes: &[u8]) -> Result<Manifest, Vec<Diagnostic>> {
    read_with(name, bytes, &Overrides::default())
}

/// Reads the operation file `name` with what the command line says in the place of its own fields.
pub fn read_with(
    name: &str,
    bytes: &[u8],
    overrides: &Overrides,
) -> Result<Manifest, Vec<Diagnostic>> {
    let mut complaints = tree::Complaints::default();
    for complaint in overrides.complaints() {
        complaints.add(complaint);
    }
    let manifest = tree::parse(bytes, &mut complaints)
        .and_then(|root| batch::read(name, bytes, &root, overrides, &mut complaints));
    match manifest {
        Some(manifest) if complaints.count() == 0 => Ok(manifest),
        _ => Err(complaints.into_sorted()),
    }
}
