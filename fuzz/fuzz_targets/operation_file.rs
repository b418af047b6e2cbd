//! The reader of operation files: any bytes are read or refused, and what was read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segedit::manifest::{Verb, yaml};

fuzz_target!(|bytes: &[u8]| {
    let Ok(manifest) = yaml::read("ops.yaml", bytes) else {
        return;
    };
    let written = yaml::write(&manifest);
    let again = yaml::read("ops.yaml", written.as_bytes());
    let again =
        again.unwrap_or_else(|complaints| panic!("not read back: {complaints:?}\n{written}"));
    assert_eq!(written, yaml::write(&again));
    assert_eq!(manifest.operations.len(), again.operations.len());
    for (first, second) in manifest.operations.iter().zip(&again.operations) {
        assert_eq!((&first.id, &first.files), (&second.id, &second.files));
        assert_eq!(said(&first.verb), said(&second.verb));
    }
    let batch = |manifest: &segedit::manifest::Manifest| {
        let words = (
            manifest.message.clone(),
            manifest.trailers.clone(),
            manifest.author.clone(),
        );
        (
            words,
            manifest.branch.clone(),
            manifest.base.clone(),
            manifest.destination,
            manifest.mode,
            manifest.order,
        )
    };
    assert_eq!(batch(&manifest), batch(&again));
});

/// Returns all that a verb says. A statement is written in one way, however it was laid out, so that what is written tells as much of it.
fn said(verb: &Verb) -> String {
    match verb {
        Verb::Import { .. } | Verb::Unimport { .. } => verb.name().to_owned(),
        verb => format!("{verb:?}"),
    }
}
