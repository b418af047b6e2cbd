//! `Configuration`: what a repository asks to be judged, formatted and answered by, as plain values.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::globs::matches;
use crate::manifest::NameRules;

/// Where a repository keeps it: in the root.
pub const PATH: &str = ".segedit.yaml";

/// What a repository asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configuration {
    /// In the file's order.
    pub validators: Vec<Validator>,
    /// In the file's order, which is the order in which they run.
    pub formatters: Vec<Formatter>,
    /// In the file's order, which is the order in which they are looked for.
    pub servers: Vec<LanguageServer>,
    /// Folders of templates, each with its final slash.
    pub templates: Vec<String>,
    /// What becomes of names that nothing defines, unless a batch says otherwise.
    pub rules: NameRules,
}

/// A program that judges or formats, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// What reports call it; no two of one list share a name.
    pub name: String,
    /// Which paths are its business: globs as in `.gitignore`, in order.
    pub files: Vec<String>,
    /// The program and its arguments; `{files}` as a word of its own stands for the paths.
    pub command: Vec<String>,
    /// Variables added to the small environment that it gets.
    pub env: BTreeMap<String, String>,
    /// How long one run may take.
    pub timeout: Duration,
    /// Files that configure it, as globs: taken from the base, whatever the batch makes of them.
    pub configured_by: Vec<String>,
    /// Files of which it only wants to know whether they are there, as globs: laid out empty for scope `files`.
    pub looks_for: Vec<String>,
    /// Folders of the worktree, untracked as a rule, that its surroundings borrow: `node_modules`.
    pub borrows: Vec<String>,
    /// Folders of the worktree whose programs come before those of the `PATH`: `node_modules/.bin`.
    pub programs: Vec<String>,
    /// Who thought of the command line.
    pub origin: CommandOrigin,
}

/// Who thought of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CommandOrigin {
    /// This program.
    Preset,
    /// The repository.
    Repository,
}

/// A program that judges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Validator {
    /// The program.
    pub tool: Tool,
    /// What it is shown.
    pub scope: ValidatorScope,
    /// Which of its findings refuse.
    pub gate: Gate,
    /// How it says what it found.
    pub output: ValidatorOutput,
    /// What a failure does.
    pub severity: Severity,
    /// The exit codes by which it says what it found; any other is a crash. Empty: every code says so.
    pub verdicts: Vec<i32>,
    /// The least severity of a finding that counts.
    pub counts: Severity,
}

impl Validator {
    /// Returns all that its configuration says, for the key of a cache: another text for another validator.
    pub fn cache_key(&self) -> String {
        serde_json::to_string(self).expect("a struct of words, numbers and lists can be written")
    }
}

/// What a validator is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum ValidatorScope {
    /// The batch's files, with the files that configure it.
    #[default]
    Files,
    /// The whole candidate.
    Tree,
}

/// Which findings refuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Gate {
    /// Those that the base did not have.
    #[default]
    New,
    /// Every one, and every exit code but 0.
    All,
}

/// How much a failure, or a finding, weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Never refuses.
    Warning,
    /// Refuses.
    #[default]
    Error,
}

/// How a validator says what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum ValidatorOutput {
    /// By its exit code alone.
    #[default]
    Exit,
    /// `path:line:column: severity: message [rule]`, a line each.
    Gcc,
    /// SARIF 2.1.0 on standard output.
    Sarif,
    /// A unified diff of what it would change.
    Diff,
    /// The paths it would change, one a line.
    Paths,
    /// `pylint --output-format=json2`.
    Pylint,
    /// `mypy --output json`, an object a line.
    Mypy,
    /// `pyright --outputjson`.
    Pyright,
    /// `eslint --format json`.
    Eslint,
    /// markdownlint-cli2's own lines on standard error.
    Markdownlint,
}

/// A program that formats: the file on its standard input, the formatted file on its standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatter {
    /// The program; `{file}` in a word stands for the path.
    pub tool: Tool,
    /// The words that say which range to format, put in the place of the word `{range}`: `{first}` and `{last}` are 1-based
    /// lines, both included; `{start}` and `{end}` count UTF-16 units from 0, the end excluded. None: it formats all.
    pub range: Vec<String>,
    /// How many ranges one run takes.
    pub ranges: Ranges,
}

/// How many ranges one run of a formatter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranges {
    /// One; several take several runs, last range first.
    #[default]
    One,
    /// Any number, the words of each after those of the other.
    Many,
}

/// A language server: a program that is asked where a name is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageServer {
    /// The program; it talks on its standard input and output.
    pub tool: Tool,
    /// What it is told when it begins, and when it asks for its settings: a mapping.
    pub settings: serde_json::Value,
}

impl Configuration {
    /// Returns its tools: formatters, validators, servers.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        let formatters = self.formatters.iter().map(|formatter| &formatter.tool);
        let validators = self.validators.iter().map(|validator| &validator.tool);
        let servers = self.servers.iter().map(|server| &server.tool);
        formatters.chain(validators).chain(servers)
    }

    /// Says whether nothing in it starts a program for a batch that renames nothing.
    pub fn runs_nothing(&self) -> bool {
        self.validators.is_empty() && self.formatters.is_empty()
    }
}

impl Tool {
    /// Says whether `path`, relative to the root, is its business.
    pub fn wants(&self, path: &str) -> bool {
        matches(&self.files, path)
    }

    /// Says whether the file at `path` configures it.
    pub fn is_configured_by(&self, path: &str) -> bool {
        matches(&self.configured_by, path)
    }
}

/// The words of `scope`, `gate`, `output` and `severity`, in the order in which messages list them.
pub(super) const SCOPES: [(&str, ValidatorScope); 2] = [
    ("files", ValidatorScope::Files),
    ("tree", ValidatorScope::Tree),
];

pub(super) const GATES: [(&str, Gate); 2] = [("new", Gate::New), ("all", Gate::All)];

/// What a repository may ask for; the others belong to presets.
pub(super) const OUTPUTS: [(&str, ValidatorOutput); 3] = [
    ("sarif", ValidatorOutput::Sarif),
    ("gcc", ValidatorOutput::Gcc),
    ("exit", ValidatorOutput::Exit),
];

pub(super) const SEVERITIES: [(&str, Severity); 2] =
    [("error", Severity::Error), ("warning", Severity::Warning)];
