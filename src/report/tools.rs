//! What `trust` and `validators` say: the tools of a configuration, and whether they would run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ReportStyle, colour};
use crate::actions::tools::{Asset, LinterRole, ToolInventory};
use crate::config::{self, CommandOrigin, Gate, Severity, ValidatorScope};
use crate::diagnostic::shown;
use crate::git::{FilterTrust, RepositoryFilter};
use crate::linters::trust::TrustSetting;
use crate::path::RepoPath;

/// Most paths that are named for one tool.
const MOST_PATHS: usize = 5;
/// Most files that are named as watched for one tool: a person is to read them.
const MOST_WATCHED: usize = 50;

/// Returns the tools with their command lines, for a decision about trust.
pub(crate) fn commands(inventory: &ToolInventory, style: &ReportStyle) -> Vec<u8> {
    let mut text = heading(inventory, style);
    for asset in &inventory.tools {
        text.push_str(&title(asset, style));
        let origin = match asset.tool.origin {
            CommandOrigin::Preset => "",
            CommandOrigin::Repository => "  (the repository's own command)",
        };
        text.push_str(&format!(
            "    runs  {}{origin}\n",
            words(&asset.tool.command)
        ));
        text.push_str(&format!("    on    {}\n", words(&asset.tool.files)));
        if !asset.tool.env.is_empty() {
            let variables = asset
                .tool
                .env
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>();
            text.push_str(&format!("    with  {}\n", words(&variables)));
        }
        if !asset.watches.is_empty() {
            text.push_str(&format!(
                "    watches  {}\n",
                paths(&asset.watches, MOST_WATCHED)
            ));
        }
        for what in &asset.unwatched {
            text.push_str(&format!("    does not watch  {}\n", shown(what)));
        }
    }
    for filter in &inventory.filters {
        let state = match filter.trust() {
            FilterTrust::Trusted => "; trusted",
            FilterTrust::New => "; not trusted yet",
            FilterTrust::Changed => "; has changed since it was trusted",
        };
        for (setting, value) in filter.shown_settings() {
            let name = colour::paint(style.stdout_colour, colour::STRONG, &shown(&setting));
            let does = if is_command(&setting) { "runs" } else { "is  " };
            text.push_str(&format!(
                "  filter {name}  (of this clone's own git configuration{state})\n    {does}  {}\n",
                shown(&value)
            ));
        }
    }
    if !inventory.filters.is_empty() {
        text.push_str("    does not watch  files that the command of a filter names\n");
    }
    text.into_bytes()
}

/// Says whether a setting of a filter is a command.
fn is_command(setting: &str) -> bool {
    [".clean", ".smudge", ".process"]
        .iter()
        .any(|end| setting.ends_with(end))
}

/// Returns which tool would run on what, and why one would not.
pub(crate) fn runs(inventory: &ToolInventory, style: &ReportStyle) -> Vec<u8> {
    let mut text = heading(inventory, style);
    for asset in &inventory.tools {
        text.push_str(&title(asset, style));
        match asset.hindrance(inventory.is_trusted()) {
            Some(why) => {
                let word = colour::paint(style.stdout_colour, colour::ODD, "would not run");
                text.push_str(&format!("    {word}: {}\n", shown(&why)));
            }
            None => text.push_str(&format!(
                "    {}\n",
                asset.program.as_deref().map(shown).unwrap_or_default()
            )),
        }
        if !asset.paths.is_empty() {
            text.push_str(&format!("    on  {}\n", paths(&asset.paths, MOST_PATHS)));
        }
    }
    text.into_bytes()
}

fn heading(inventory: &ToolInventory, style: &ReportStyle) -> String {
    let what = inventory.hash.as_ref().map_or_else(
        || "filters of this clone".to_owned(),
        |hash| format!("{} {}", config::PATH, hash.0.get(..12).unwrap_or(&hash.0)),
    );
    let state = match (inventory.setting, inventory.remembered) {
        (TrustSetting::Always, _) => "everything is trusted here (segedit.trust)",
        (TrustSetting::Never, _) => "nothing is trusted here (segedit.trust)",
        (TrustSetting::Ask, true) => "trusted in this clone",
        (TrustSetting::Ask, false) => "not trusted in this clone",
    };
    let dress = if inventory.is_trusted() {
        colour::GOOD
    } else {
        colour::ODD
    };
    let state = colour::paint(style.stdout_colour, dress, state);
    format!("{what}: {state}\n")
}

fn title(asset: &Asset, style: &ReportStyle) -> String {
    let name = colour::paint(
        style.stdout_colour,
        colour::STRONG,
        &shown(&asset.tool.name),
    );
    let seconds = asset.tool.timeout.as_secs();
    match asset.role {
        LinterRole::Formatter => format!("  formatter {name}  (at most {seconds} s)\n"),
        LinterRole::Server => {
            format!("  server {name}  (asked about names, at most {seconds} s)\n")
        }
        LinterRole::Validator {
            scope,
            gate,
            severity,
        } => {
            let (scope, gate) = (scope_word(scope), gate_word(gate));
            let severity = match severity {
                Severity::Error => "",
                Severity::Warning | Severity::Note => ", only warns",
            };
            format!(
                "  validator {name}  (sees {scope}, counts {gate} findings{severity}, at most {seconds} s)\n"
            )
        }
    }
}

/// Returns words as one could type them.
fn words(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let plain = !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_./=,:{}@+%*".contains(c));
        if plain {
            word.clone()
        } else {
            format!("'{}'", shown(word).replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn paths(paths: &[RepoPath], most: usize) -> String {
    let mut named: Vec<String> = paths
        .iter()
        .take(most)
        .map(|path| shown(path.as_str()))
        .collect();
    if paths.len() > most {
        named.push(format!("… and {} more", paths.len() - most));
    }
    named.join(" ")
}

fn scope_word(scope: ValidatorScope) -> &'static str {
    match scope {
        ValidatorScope::Files => "files",
        ValidatorScope::Tree => "tree",
    }
}

fn gate_word(gate: Gate) -> &'static str {
    match gate {
        Gate::New => "new",
        Gate::All => "all",
    }
}

/// Returns the same for programs.
pub(crate) fn json(inventory: &ToolInventory) -> Vec<u8> {
    super::json::line(&ToolLine::of(inventory))
}

#[derive(Serialize)]
struct ToolLine<'a> {
    version: u8,
    config: &'static str,
    hash: Option<&'a str>,
    trusted: bool,
    setting: &'static str,
    remembered: bool,
    validators: Vec<ToolEntry<'a>>,
    formatters: Vec<ToolEntry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    servers: Vec<ToolEntry<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    filters: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    untrusted_filters: Vec<String>,
}

#[derive(Serialize)]
struct ToolEntry<'a> {
    name: &'a str,
    preset: bool,
    command: &'a [String],
    files: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    timeout: u64,
    program: Option<&'a str>,
    paths: Vec<&'a str>,
    watches: Vec<&'a str>,
    unwatched: &'a [String],
    runs: bool,
    why: Option<String>,
}

impl<'a> ToolLine<'a> {
    fn of(inventory: &'a ToolInventory) -> ToolLine<'a> {
        let trusted = inventory.is_trusted();
        let of = |is_of_list: fn(LinterRole) -> bool| {
            let tools = inventory.tools.iter();
            let tools = tools.filter(|asset| is_of_list(asset.role));
            tools.map(|asset| ToolEntry::of(asset, trusted)).collect()
        };
        ToolLine {
            version: 1,
            config: config::PATH,
            hash: inventory.hash.as_ref().map(|hash| hash.0.as_str()),
            trusted,
            setting: match inventory.setting {
                TrustSetting::Always => "always",
                TrustSetting::Never => "never",
                TrustSetting::Ask => "ask",
            },
            remembered: inventory.remembered,
            validators: of(|role| matches!(role, LinterRole::Validator { .. })),
            formatters: of(|role| role == LinterRole::Formatter),
            servers: of(|role| role == LinterRole::Server),
            filters: inventory
                .filters
                .iter()
                .flat_map(RepositoryFilter::shown_settings)
                .collect(),
            untrusted_filters: inventory
                .filters
                .iter()
                .filter(|filter| filter.trust() != FilterTrust::Trusted)
                .map(RepositoryFilter::shown_name)
                .collect(),
        }
    }
}

impl<'a> ToolEntry<'a> {
    fn of(asset: &'a Asset, trusted: bool) -> ToolEntry<'a> {
        let (scope, gate, severity) = match asset.role {
            LinterRole::Formatter | LinterRole::Server => (None, None, None),
            LinterRole::Validator {
                scope,
                gate,
                severity,
            } => (
                Some(scope_word(scope)),
                Some(gate_word(gate)),
                Some(super::json::severity_word(severity)),
            ),
        };
        let why = asset.hindrance(trusted);
        ToolEntry {
            name: &asset.tool.name,
            preset: asset.tool.origin == CommandOrigin::Preset,
            command: &asset.tool.command,
            files: &asset.tool.files,
            scope,
            gate,
            severity,
            timeout: asset.tool.timeout.as_secs(),
            program: asset.program.as_deref().ok(),
            paths: asset.paths.iter().map(RepoPath::as_str).collect(),
            watches: asset.watches.iter().map(RepoPath::as_str).collect(),
            unwatched: &asset.unwatched,
            runs: why.is_none(),
            why,
        }
    }
}
