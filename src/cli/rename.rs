//! `git segedit rename` and `references`: a definition and every place that means it.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::edit::{publish_edit, put_field};
use super::progress::ProgressLine;
use super::publishing::PublishingOptions;
use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::look;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::fields::{of_file, put_renamable};
use crate::report::{self, Rendered};

/// Rename a definition, a section, a key, an id or a class, and every place that means it
///
/// Of Python: functions, classes, methods with those that override them, variables, attributes, parameters (`f(x)`), names in a
/// function (`f.x`). Imports, re-exports, `__all__`, keyword arguments and types in quotes follow. Where a place is not certain nothing
/// is renamed, and each is named. Of other languages: what a language server that .segedit.yaml names (`servers`) knows. Of Markdown: sections, and the links to their headings in all pages. Of YAML, TOML and JSON: keys, and the
/// pointers to them (`$ref`). Of HTML: ids and classes (`page.html::#main`), with the page's styles and links.
#[derive(Args)]
#[command(
    override_usage = "git segedit rename [<options>] <path>::<segment> <new-name>",
    after_long_help = "Example:\n   $ git segedit rename src/worker.py::Worker.fetch_all load_all --dry-run\n   $ git segedit rename 'README.md::## Usage' 'How to use it' --dry-run"
)]
pub(crate) struct Rename {
    /// The definition, `src/worker.py::Worker.process`, the section, `README.md::## Usage`, the key, or the id or class, `page.html::#main`
    #[arg(value_name = "address")]
    address: String,
    /// What it is to be called
    #[arg(value_name = "new-name")]
    to: String,
    /// What to do with places that are not certain: refuse (the default), keep, change, ask (a language server, in Python)
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["refuse", "keep", "change", "ask"]))]
    #[arg(hide_possible_values = true)]
    unsure: Option<String>,
    /// What to do with the word in strings, comments and other files: keep (the default), change
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["keep", "change"]))]
    #[arg(hide_possible_values = true)]
    mentions: Option<String>,
    /// `allow` renames although the new name means something else somewhere
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["refuse", "allow"]))]
    #[arg(hide_possible_values = true)]
    clash: Option<String>,
    /// How far it reaches: project (the default), file
    #[arg(long, value_name = "SCOPE", value_parser = PossibleValuesParser::new(["file", "project"]))]
    #[arg(hide_possible_values = true)]
    scope: Option<String>,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// List every place where the name of a definition is written, and whether it means that
///
/// Each word that is the name has one verdict: `certain` (it leads to the definition), `other` (it is surely something else), `unsure`,
/// with the reason, or `mention` (in a string, a comment, or a file that is not code). Of a section of Markdown: every link to it; of
/// a key of YAML, TOML or JSON every pointer; of an id or a class of HTML what names it. All tracked files are looked at. A language server
/// that .segedit.yaml names (`servers`) is asked about other languages than Python.
#[derive(Args)]
#[command(
    override_usage = "git segedit references [<options>] [<rev>:]<path>::<segment>",
    after_long_help = "Example:\n   $ git segedit references src/worker.py::Worker.process"
)]
pub(crate) struct ListReferences {
    /// The definition: `src/worker.py::Worker.process`, a parameter `src/worker.py::report(workers)`, a section `README.md::## Usage`
    #[arg(value_name = "address")]
    address: String,
    /// List only places with this verdict: certain, other, unsure, mention
    #[arg(long, value_name = "VERDICT", value_parser = PossibleValuesParser::new(["certain", "other", "unsure", "mention"]))]
    #[arg(hide_possible_values = true)]
    verdict: Option<String>,
}

impl Rename {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = split(&self.address).and_then(|(path, segment)| {
            let path = common.standing()?.path(path)?;
            let mut fields = of_file(&path);
            put_renamable(&mut fields, &path, segment)?;
            put_field(&mut fields, "to", Some(self.to));
            put_field(&mut fields, "unsure", self.unsure);
            put_field(&mut fields, "mentions", self.mentions);
            put_field(&mut fields, "clash", self.clash);
            put_field(&mut fields, "scope", self.scope);
            Ok(fields)
        });
        publish_edit("rename", fields, &self.publishing, common)
    }
}

impl ListReferences {
    pub(super) fn run(self, common: &Common) -> Reply {
        let (shown_until_done, progress) = ProgressLine::start(common);
        let found = split(&self.address)
            .and_then(|(path, symbol)| Ok((common.standing()?.rev_path(path)?, symbol)))
            .and_then(|(file, symbol)| look::references(common.repo()?, &file, symbol, &*progress));
        drop(progress);
        drop(shown_until_done);
        let mut found = match found {
            Ok(found) => found,
            Err(error) => return common.refuse(vec![error]),
        };
        if let Some(verdict) = &self.verdict {
            found
                .places
                .retain(|place| place.verdict.as_str() == verdict);
        }
        Reply::done(match common.format() {
            ReportFormat::Json => Rendered {
                stdout: report::json::references(&found),
                stderr: String::new(),
            },
            ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github => {
                report::references::list(&found, &terminal::report_style(common))
            }
        })
    }
}

/// Returns the file and the symbol of an address.
fn split(address: &str) -> Result<(&str, &str), Diagnostic> {
    address.split_once("::").ok_or_else(|| {
        let message = format!("`{}` names no definition", shown(address));
        Diagnostic::new(Code::Malformed, message).note(
            "an address is `<path>::<symbol>`; `git segedit outline <path>` lists the definitions of a file",
        )
    })
}
