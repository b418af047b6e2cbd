//! `create`, `remove`, `rename-file` and `chmod`: one operation on a whole file, without an operation file.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::edit::{ContentFlags, publish_edit, put_field, put_flag};
use super::publishing::PublishingOptions;
use super::{Common, Reply};
use crate::diagnostic::Diagnostic;
use crate::manifest::fields::{FieldNames, of_file};

/// Make a new file
///
/// Refused when anything is there already. The content is kept as it is, its final line break too.
#[derive(Args)]
#[command(
    override_usage = "git segedit create [<options>] <path> (--content <text> | --content-file <file>)",
    after_long_help = "Example:\n   $ git segedit create setup.sh --executable --content $'#!/bin/sh\\nexec make\\n' --dry-run"
)]
pub(crate) struct Create {
    /// The file
    #[arg(value_name = "path")]
    path: String,
    #[command(flatten)]
    content: ContentFlags,
    /// Let it be executed
    #[arg(long)]
    executable: bool,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Delete a file
#[derive(Args)]
#[command(
    override_usage = "git segedit remove [<options>] <path>",
    after_long_help = "Example:\n   $ git segedit remove src/worker.py --dry-run"
)]
pub(crate) struct Remove {
    /// The file
    #[arg(value_name = "path")]
    path: String,
    /// Refuse unless the file has this blob id
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Move a file, mode and content kept
#[derive(Args)]
#[command(
    override_usage = "git segedit rename-file [<options>] <path> <new-path>",
    after_long_help = "Example:\n   $ git segedit rename-file src/worker.py src/workers.py --dry-run"
)]
pub(crate) struct RenameFile {
    /// The file
    #[arg(value_name = "path")]
    path: String,
    /// Where to; refused when anything is there
    #[arg(value_name = "new-path")]
    to: String,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Let a file be executed, or no more
#[derive(Args)]
#[command(
    override_usage = "git segedit chmod [<options>] (+x | -x) <path>",
    after_long_help = "Example:\n   $ git segedit chmod +x setup.sh --dry-run"
)]
pub(crate) struct Chmod {
    /// `+x` sets the mode bit, `-x` clears it
    #[arg(value_name = "+x|-x", allow_hyphen_values = true, value_parser = PossibleValuesParser::new(["+x", "-x"]))]
    #[arg(hide_possible_values = true)]
    bit: String,
    /// The file
    #[arg(value_name = "path")]
    path: String,
    #[command(flatten)]
    publishing: PublishingOptions,
}

impl Create {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = file_operation(&self.path, common).and_then(|mut fields| {
            self.content.add_whole_to(&mut fields)?;
            put_flag(&mut fields, "executable", self.executable);
            Ok(fields)
        });
        publish_edit("create", fields, &self.publishing, common)
    }
}

impl Remove {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = file_operation(&self.path, common).map(|mut fields| {
            put_field(&mut fields, "expect", self.expect);
            fields
        });
        publish_edit("remove", fields, &self.publishing, common)
    }
}

impl RenameFile {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = file_operation(&self.path, common).and_then(|mut fields| {
            let to = common.standing()?.path(&self.to)?;
            put_field(&mut fields, "to", Some(to.to_string()));
            Ok(fields)
        });
        publish_edit("rename_file", fields, &self.publishing, common)
    }
}

impl Chmod {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = file_operation(&self.path, common).map(|mut fields| {
            fields.insert("executable".to_owned(), json!(self.bit == "+x"));
            fields
        });
        publish_edit("chmod", fields, &self.publishing, common)
    }
}

/// Returns the field that names the file which is typed as `path`.
fn file_operation(path: &str, common: &Common) -> Result<FieldNames, Diagnostic> {
    Ok(of_file(&common.standing()?.path(path)?))
}
