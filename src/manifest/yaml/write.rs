//! Writing: a `Manifest` as the operation file that reads back as the same one.

use super::escape::{escape, is_escaped};
use crate::manifest::Manifest;
use crate::manifest::raw::{RawManifest, RawOperation};

/// Writes `manifest` as the operation file that reads back as the same one; defaults are left out.
pub fn write(manifest: &Manifest) -> String {
    const WRITABLE: &str = "texts, numbers and mappings with text keys can be written";
    let raw = RawManifest::of(manifest);
    let json = serde_json::to_string_pretty(&raw).expect(WRITABLE);
    // serde_yaml writes YAML 1.1, where some of these break lines, and leaves them out of quotes; and what ends in a line break as
    // a block, which would end like its text. JSON is YAML too.
    if json.contains(is_escaped) || raw.operations.iter().any(ends_otherwise) {
        return escape(&json) + "\n";
    }
    serde_yaml::to_string(&raw).expect(WRITABLE)
}

/// Says whether what takes the place of a text or a match ends a line and that does not, or the other way round.
pub(super) fn ends_otherwise(operation: &RawOperation) -> bool {
    let of_pattern = operation
        .pattern
        .as_ref()
        .map(|pattern| pattern.ends_with('\n') || pattern.ends_with("\\n"));
    let sought = operation
        .text
        .as_ref()
        .map(|text| text.ends_with('\n'))
        .or(of_pattern);
    let written = operation
        .content
        .as_ref()
        .or(operation.replacement.as_ref());
    sought
        .zip(written)
        .is_some_and(|(ends, written)| ends != written.ends_with('\n'))
}
