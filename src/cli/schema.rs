//! `git segedit schema`: the JSON Schema of the operation file.

use super::{Common, Reply};
use crate::manifest;
use crate::report::Rendered;

/// An example of `schema`.
pub(super) const EXAMPLE: &str = "Example:\n   $ git segedit schema > segedit.schema.json";

/// Prints the schema, which is JSON in every format.
pub(super) fn run(_common: &Common) -> Reply {
    let text = format!("{:#}\n", manifest::schema::json_schema());
    Reply::done(Rendered {
        stdout: text.into_bytes(),
        stderr: String::new(),
    })
}
