//! Operation files: `read` turns bytes from a stranger into a checked `Manifest` or every complaint at once; `write`
//! is its inverse.
//!
//! The road: bytes → tree (words with places, under limits) → batch → operations. Each step adds its complaints to
//! one list and goes on, so that a file is mended in one round and not in ten.
//!
//! Plain words stay text whatever they look like: `file: 123` and `content: 007` are taken as written, and nothing
//! (`content:`, `~`, `null`) is refused where text is wanted.
//!
//! ```
//! use segedit::manifest::yaml;
//! let file = b"version: 1\noperations:\n  - {op: delete, file: a.py, symbol: f}\n";
//! assert_eq!(yaml::read("ops.yaml", file).unwrap().operations.len(), 1);
//!
//! let complaints = yaml::read("ops.yaml", b"version: 1\noperations:\n  - {op: delte, fiel: a.py}\n").unwrap_err();
//! assert_eq!(complaints.len(), 2);
//! assert_eq!(complaints[0].suggestions, ["delete"]);
//! ```

mod batch;
mod field;
mod operation;
pub(crate) mod tree;
pub(crate) mod value;

use super::raw::{RawManifest, RawOperation};
use super::{Manifest, Overrides};
use crate::diagnostic::Diagnostic;

pub use batch::{MAX_OPERATIONS, MAX_PATTERNS, VERSION};
pub use tree::{MAX_BYTES, MAX_COMPLAINTS, MAX_DEPTH, MAX_NODES};

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
fn ends_otherwise(operation: &RawOperation) -> bool {
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

/// Says whether YAML wants the character as an escape, or the versions of YAML disagree about it.
fn is_escaped(character: char) -> bool {
    matches!(
        character,
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Escapes what JSON admits inside strings as it is and YAML does not; outside of strings there is none of it.
pub(super) fn escape(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if is_escaped(character) {
            escaped.push_str(&format!("\\u{:04x}", character as u32));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
