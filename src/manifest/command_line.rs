//! The batch that a command line stands for: one operation, held to the rules of a file.

use super::batch::Overrides;
use super::{
    CheckMode, Destination, Manifest, ManifestText, NameRules, Operation, ResolveOrder, yaml,
};
use crate::diagnostic::Diagnostic;

impl Manifest {
    /// Returns the batch of one operation that a command line stands for, with no file behind it.
    ///
    /// It goes through the same door as a file: what it would be written as must read back.
    pub fn of(operation: Operation, overrides: &Overrides) -> Result<Manifest, Vec<Diagnostic>> {
        let manifest = Manifest {
            source: ManifestText {
                name: "<command line>".to_owned(),
                text: String::new(),
            },
            message: None,
            trailers: Vec::new(),
            author: None,
            destination: Destination::default(),
            branch: None,
            base: None,
            mode: CheckMode::default(),
            order: ResolveOrder::default(),
            rules: NameRules::default(),
            operations: vec![operation],
        };
        let manifest = manifest.overridden(overrides)?;
        match yaml::read(&manifest.source.name, yaml::write(&manifest).as_bytes()) {
            Ok(_) => Ok(manifest),
            Err(complaints) => Err(complaints
                .into_iter()
                .map(|complaint| complaint.at(None))
                .collect()),
        }
    }
}
