//! `git segedit import` and `unimport`: a Python file has an import, or has it no more.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::edit::{publish_edit, put_field};
use super::publishing::PublishingOptions;
use super::{Common, Reply};
use crate::manifest::fields::of_file;

/// Make sure that a Python file has an import
///
/// Nothing changes where it is there. Else the name goes into the list of an import of the same module, or the statement to its group, in the
/// order that the file has.
#[derive(Args)]
#[command(
    override_usage = "git segedit import [<options>] <path> <statement>",
    after_long_help = "Example:\n   $ git segedit import src/worker.py 'from collections import deque' --dry-run"
)]
pub(crate) struct AddImport {
    /// The file
    #[arg(value_name = "path")]
    path: String,
    /// The import: `import x`, `from x import y`
    #[arg(value_name = "statement")]
    statement: String,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Make sure that a Python file has an import no more
///
/// The name goes out of the list of its import, or the whole statement. Refused where the file, or one that imports from it, still uses it.
#[derive(Args)]
#[command(
    override_usage = "git segedit unimport [<options>] <path> <statement>",
    after_long_help = "Example:\n   $ git segedit unimport src/worker.py 'import asyncio' --used allow --dry-run"
)]
pub(crate) struct TakeImport {
    /// The file
    #[arg(value_name = "path")]
    path: String,
    /// The import: `import x`, `from x import y`
    #[arg(value_name = "statement")]
    statement: String,
    /// `allow` takes it away although it is used
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["refuse", "allow"]))]
    #[arg(hide_possible_values = true)]
    used: Option<String>,
    #[command(flatten)]
    publishing: PublishingOptions,
}

impl AddImport {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = common
            .standing()
            .and_then(|here| here.path(&self.path))
            .map(|path| {
                let mut fields = of_file(&path);
                put_field(&mut fields, "statement", Some(self.statement));
                fields
            });
        publish_edit("import", fields, &self.publishing, common)
    }
}

impl TakeImport {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = common
            .standing()
            .and_then(|here| here.path(&self.path))
            .map(|path| {
                let mut fields = of_file(&path);
                put_field(&mut fields, "statement", Some(self.statement));
                put_field(&mut fields, "used", self.used);
                fields
            });
        publish_edit("unimport", fields, &self.publishing, common)
    }
}
