//! `git segedit move`: a definition or a section goes to another place, and what refers to it along.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::Value;

use super::edit::{publish_edit, put_field, put_flag};
use super::publishing::PublishingOptions;
use super::{Common, Reply};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::fields::{self, FieldNames, of_file};
use crate::path::RepoPath;

/// Move a definition or a section, and what refers to it
///
/// Of Python: functions, classes and variables of a module, with their decorators and the comment above, to another module, which is made if
/// it is not there, or to another place of their own. The imports that they need come along, those that are not used any more go, and
/// whoever imports them names the new module. Of Markdown: sections, with headings of the level that they have there.
#[derive(Args)]
#[command(
    override_usage = "git segedit move [<options>] <path>::<segment> (<path> | [<path>]::<segment>)",
    after_long_help = "Example:\n   $ git segedit move src/worker.py::LIMIT src/limits.py --dry-run\n   $ git segedit move 'README.md::## Usage' 'README.md::## Installation' --position before --dry-run"
)]
pub(crate) struct MoveSegment {
    /// What moves: `src/worker.py::Worker`, `README.md::## Usage`
    #[arg(value_name = "address")]
    address: String,
    /// Where to: a file, at its end; or a segment, behind it; `::name` is one of the same file
    #[arg(value_name = "where")]
    to: String,
    /// Where there: before, after (the default beside a segment), first, last (the default in a file)
    #[arg(long, value_name = "WHERE", value_parser = PossibleValuesParser::new(["before", "after", "first", "last"]))]
    #[arg(hide_possible_values = true)]
    position: Option<String>,
    /// Have the old module go on giving the name, and change nothing else
    #[arg(long)]
    reexport: bool,
    /// What to do where it is not certain that a place means it: refuse (the default), keep
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["refuse", "keep"]))]
    #[arg(hide_possible_values = true)]
    unsure: Option<String>,
    /// What to do with its dotted name in strings, comments and other files: keep (the default), change
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["keep", "change"]))]
    #[arg(hide_possible_values = true)]
    mentions: Option<String>,
    #[command(flatten)]
    publishing: PublishingOptions,
}

impl MoveSegment {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = self.fields(common);
        publish_edit("move", fields, &self.publishing, common)
    }

    fn fields(&self, common: &Common) -> Result<FieldNames, Diagnostic> {
        let standing = common.standing()?;
        let (path, segment) = self.address.split_once("::").ok_or_else(|| {
            let message = format!("`{}` names nothing that moves", shown(&self.address));
            Diagnostic::new(Code::Malformed, message).note(
                "an address is `<path>::<segment>`; `rename-file` moves a file, and imports follow",
            )
        })?;
        let path = standing.path(path)?;
        let mut operation = of_file(&path);
        put_segment(&mut operation, &path, segment)?;
        let mut to = FieldNames::new();
        let (there, beside) = match self.to.split_once("::") {
            Some((there, segment)) => (there, Some(segment)),
            None => (self.to.as_str(), None),
        };
        let there = match there {
            "" => None,
            there => Some(standing.path(there)?),
        };
        if let Some(segment) = beside {
            put_segment(&mut to, there.as_ref().unwrap_or(&path), segment)?;
        }
        put_field(&mut to, "file", there.map(|there| there.to_string()));
        put_field(&mut to, "position", self.position.clone());
        operation.insert("to".to_owned(), Value::Object(to));
        put_flag(&mut operation, "reexport", self.reexport);
        put_field(&mut operation, "unsure", self.unsure.clone());
        put_field(&mut operation, "mentions", self.mentions.clone());
        Ok(operation)
    }
}

/// Puts what `segment` names in the file at `path`.
fn put_segment(fields: &mut FieldNames, path: &RepoPath, segment: &str) -> Result<(), Diagnostic> {
    if let Some(selector) = fields::selector(path, segment)? {
        fields::put_selector(fields, &selector);
    }
    Ok(())
}
