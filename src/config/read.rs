//! `.segedit.yaml`: its bytes → `Configuration`, or every complaint, each with its line.
//!
//! The same small YAML as an operation file's, under the same limits. Unknown keys, unknown presets and wrong types are
//! refused with the nearest word: a validator that silently never runs is worse than none.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};

use super::configuration::{GATES, OUTPUTS, SCOPES, SEVERITIES};
use super::presets::preset::ARGS;
use super::presets::{FormatterPreset, ServerPreset, ValidatorPreset};
use super::{
    CommandOrigin, Configuration, FORMATTERS, Formatter, LanguageServer, PATH, Ranges, SERVERS,
    Severity, Tool, VALIDATORS, Validator, globs,
};
use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::manifest::NameRules;
use crate::manifest::yaml::tree::{Complaints, ManifestKey, ManifestNode, ManifestValue, parse};
use crate::manifest::yaml::value::{plain, similar};
use crate::path::RepoPath;
use crate::text::Lines;

/// How long a run may take unless the configuration says otherwise.
const PATIENCE: Duration = Duration::from_secs(120);

/// The longest that it may say.
const MOST_PATIENCE: usize = 24 * 60 * 60;

/// What stands for the paths in a command.
const FILES: &str = "{files}";

/// What stands for the ranges in a formatter's command.
const RANGE: &str = "{range}";

/// Tools of one sort that a configuration may have: each is looked up, and each looks at every file of a batch.
const MOST_TOOLS: usize = 1000;

/// Bytes that its globs may have together. What is made of a glob to match by takes some hundred times the memory.
const MOST_GLOBS: usize = 64 << 10;

const TOP: [&str; 7] = [
    "version",
    "validators",
    "formatters",
    "servers",
    "templates",
    "names",
    "imports",
];

const OF_VALIDATOR: [&str; 12] = [
    "preset", "name", "files", "command", "args", "scope", "gate", "output", "severity", "timeout",
    "env", "config",
];

const OF_FORMATTER: [&str; 9] = [
    "preset", "name", "files", "command", "args", "range", "timeout", "env", "config",
];

const OF_SERVER: [&str; 9] = [
    "preset", "name", "files", "command", "args", "settings", "timeout", "env", "config",
];

/// Reads the configuration, or returns everything that is wrong with it in the order of its lines.
pub fn read(bytes: &[u8]) -> Result<Configuration, Vec<Diagnostic>> {
    let mut complaints = Complaints::default();
    let configuration =
        parse(bytes, &mut complaints).and_then(|root| configuration(&root, &mut complaints));
    match configuration {
        Some(configuration) if complaints.count() == 0 => Ok(configuration),
        _ => Err(complaints
            .into_sorted()
            .into_iter()
            .map(|complaint| placed(complaint, bytes))
            .collect()),
    }
}

/// Returns a complaint about this file in the place of one about an operation file.
fn placed(complaint: Diagnostic, bytes: &[u8]) -> Diagnostic {
    let mut placed = Diagnostic {
        code: Code::ConfigInvalid,
        ..complaint
    };
    let (Some(place), Ok(path)) = (placed.place.take(), RepoPath::parse(PATH)) else {
        placed.message = format!("{PATH}: {}", placed.message);
        return placed;
    };
    placed.message = format!("{PATH}:{}:{}: {}", place.line, place.column, placed.message);
    let lines = Lines::of(bytes);
    let text = String::from_utf8_lossy(lines.content(bytes, place.line).of(bytes)).into_owned();
    let column = lines.column(place.start.min(bytes.len()));
    placed.showing(Excerpt {
        path,
        line: place.line,
        column,
        text,
    })
}

fn configuration(root: &ManifestNode, complaints: &mut Complaints) -> Option<Configuration> {
    let fields = ConfigFields::of("the configuration", root, &TOP, complaints)?;
    match fields.get("version") {
        Some(node) if plain(node) == Some("1") => {}
        Some(node) => complaints.refuse(Code::Malformed, node, "`version` must be 1".to_owned()),
        None => complaints.refuse(Code::Malformed, root, "`version: 1` is missing".to_owned()),
    }
    let validators = fields
        .tools("validators", complaints)
        .iter()
        .filter_map(|node| validator(node, complaints));
    let validators: Vec<Validator> = validators.collect();
    let formatters = fields
        .tools("formatters", complaints)
        .iter()
        .filter_map(|node| formatter(node, complaints));
    let formatters: Vec<Formatter> = formatters.collect();
    let servers = fields
        .tools("servers", complaints)
        .iter()
        .filter_map(|node| server(node, complaints));
    let servers: Vec<LanguageServer> = servers.collect();
    let templates = fields.items("templates", complaints).iter();
    let templates = templates
        .filter_map(|node| complaints.checked("templates", node, folder))
        .collect();
    let rules = NameRules {
        names: (fields.get("names")).and_then(|node| complaints.word("names", node)),
        imports: (fields.get("imports")).and_then(|node| complaints.word("imports", node)),
    };
    let configuration = Configuration {
        validators,
        formatters,
        servers,
        templates,
        rules,
    };
    let globs: usize = configuration
        .tools()
        .flat_map(|tool| tool.files.iter().chain(&tool.configured_by))
        .map(String::len)
        .sum();
    if globs > MOST_GLOBS {
        let message = format!(
            "the globs in `files` and `config` have {globs} bytes, at most {MOST_GLOBS} together"
        );
        complaints.refuse(Code::Malformed, root, message);
    }
    Some(configuration.named_apart(&fields, complaints))
}

impl Configuration {
    /// Complains about two tools of one name: a report could not tell them apart.
    fn named_apart(self, fields: &ConfigFields<'_>, complaints: &mut Complaints) -> Configuration {
        let validators = self.validators.iter().map(|validator| &validator.tool);
        let formatters = self.formatters.iter().map(|formatter| &formatter.tool);
        let servers = self.servers.iter().map(|server| &server.tool);
        let lists: [(&str, Vec<&Tool>); 3] = [
            ("validators", validators.collect()),
            ("formatters", formatters.collect()),
            ("servers", servers.collect()),
        ];
        for (list, tools) in lists {
            for (at, tool) in tools.iter().enumerate() {
                if tools[..at].iter().any(|earlier| earlier.name == tool.name)
                    && let Some(node) = fields.get(list)
                {
                    let message = format!(
                        "two {list} are called `{}`; give one another `name`",
                        shown(&tool.name)
                    );
                    complaints.refuse(Code::Malformed, node, message);
                }
            }
        }
        self
    }
}

fn folder(text: &str) -> Result<String, String> {
    let folder = RepoPath::parse(text.trim_end_matches('/')).map_err(|why| format!("{why}"))?;
    Ok(format!("{folder}/"))
}

fn validator(node: &ManifestNode, complaints: &mut Complaints) -> Option<Validator> {
    let fields = ConfigFields::of("a validator", node, &OF_VALIDATOR, complaints)?;
    let preset = preset(
        &fields,
        VALIDATORS,
        |preset| (preset.name, preset.aliases),
        complaints,
    )?;
    let base = preset.map_or_else(custom_validator, preset_validator);
    let tool = tool(
        &fields,
        base.tool,
        preset.map_or(&[], |preset| preset.args),
        complaints,
    )?;
    Some(Validator {
        scope: fields
            .choice("scope", &SCOPES, complaints)
            .unwrap_or(base.scope),
        gate: fields
            .choice("gate", &GATES, complaints)
            .unwrap_or(base.gate),
        output: fields
            .output(preset.is_some(), complaints)
            .unwrap_or(base.output),
        severity: fields
            .choice("severity", &SEVERITIES, complaints)
            .unwrap_or(base.severity),
        tool,
        ..base
    })
}

fn formatter(node: &ManifestNode, complaints: &mut Complaints) -> Option<Formatter> {
    let fields = ConfigFields::of("a formatter", node, &OF_FORMATTER, complaints)?;
    let preset = preset(&fields, FORMATTERS, |preset| (preset.name, &[]), complaints)?;
    let base = preset.map_or_else(custom_formatter, preset_formatter);
    let tool = tool(&fields, base.tool, &[], complaints)?;
    let range = fields.texts("range", complaints).unwrap_or(base.range);
    if !range.is_empty() && !tool.command.iter().any(|word| word == RANGE) {
        let message =
            format!("`range` needs the word \"{RANGE}\" in `command`, which it takes the place of");
        complaints.refuse(Code::Malformed, node, message);
    }
    Some(Formatter {
        tool,
        range,
        ranges: base.ranges,
    })
}

fn server(node: &ManifestNode, complaints: &mut Complaints) -> Option<LanguageServer> {
    let fields = ConfigFields::of("a server", node, &OF_SERVER, complaints)?;
    let preset = preset(
        &fields,
        SERVERS,
        |preset| (preset.name, preset.aliases),
        complaints,
    )?;
    let base = preset.map_or_else(custom_server, preset_server);
    let args = preset.map_or(&[][..], |preset| preset.args);
    let tool = tool(&fields, base.tool, args, complaints)?;
    let mut settings = base.settings;
    if let Some(node) = fields.get("settings") {
        match json(node) {
            Some(own @ Value::Object(_)) => merge(&mut settings, own),
            _ => complaints.wrong_type("settings", "a mapping", node),
        }
    }
    Some(LanguageServer { tool, settings })
}

/// Returns a value as JSON: what YAML 1.2 takes for a number, `true`, `false` or `null` is one.
fn json(node: &ManifestNode) -> Option<Value> {
    Some(match &node.value {
        ManifestValue::Nothing => Value::Null,
        ManifestValue::Refused => return None,
        ManifestValue::Word { text, .. } => match plain(node).map(serde_json::from_str::<Value>) {
            Some(Ok(value @ (Value::Null | Value::Bool(_) | Value::Number(_)))) => value,
            _ => Value::String(text.clone()),
        },
        ManifestValue::List(items) => {
            Value::Array(items.iter().map(json).collect::<Option<Vec<_>>>()?)
        }
        ManifestValue::Map(entries) => {
            let entry =
                |(key, value): &(ManifestKey, ManifestNode)| Some((key.text.clone(), json(value)?));
            Value::Object(entries.iter().map(entry).collect::<Option<_>>()?)
        }
    })
}

/// Puts `own` over `base`, mapping by mapping.
fn merge(base: &mut Value, own: Value) {
    match (base, own) {
        (Value::Object(base), Value::Object(own)) => {
            for (key, value) in own {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, own) => *base = own,
    }
}

/// Returns the preset that is asked for, `Some(None)` when the repository gives a command of its own.
fn preset<P>(
    fields: &ConfigFields<'_>,
    known: &'static [P],
    names: impl Fn(&'static P) -> (&'static str, &'static [&'static str]),
    complaints: &mut Complaints,
) -> Option<Option<&'static P>> {
    let Some(node) = fields.get("preset") else {
        let mut whole = true;
        for field in ["name", "command"] {
            if fields.get(field).is_none() {
                let message = format!(
                    "`{field}` is missing; {} has a `preset`, or a `name` and a `command`",
                    fields.what
                );
                complaints.refuse(Code::Malformed, fields.node, message);
                whole = false;
            }
        }
        return whole.then_some(None);
    };
    if let Some(command) = fields.get("command") {
        let message =
            "`command` and `preset` exclude each other; `args` takes the place of a preset's paths";
        complaints.refuse(Code::Malformed, command, message.to_owned());
    }
    let words: Vec<&str> = known.iter().map(|preset| names(preset).0).collect();
    let by_name = |text: &str| {
        known
            .iter()
            .find(|preset| names(preset).0 == text || names(preset).1.contains(&text))
    };
    complaints.one_of("preset", node, &words, by_name).map(Some)
}

/// Returns `base` with what the repository says of it; `args` are those of its preset.
fn tool(
    fields: &ConfigFields<'_>,
    base: Tool,
    args: &[&str],
    complaints: &mut Complaints,
) -> Option<Tool> {
    let mut tool = base;
    if let Some(node) = fields.get("name") {
        tool.name = complaints.checked("name", node, name)?;
    }
    if let Some(words) = fields.texts("command", complaints) {
        tool.command = words;
    }
    if tool.origin == CommandOrigin::Repository
        && let Some(node) = fields.get("args")
    {
        complaints.refuse(
            Code::Malformed,
            node,
            "`args` goes with a preset; a `command` holds its own".to_owned(),
        );
    }
    if tool.origin == CommandOrigin::Preset {
        let words = fields
            .texts("args", complaints)
            .unwrap_or_else(|| owned(args));
        let filled = tool.command.iter().flat_map(|word| {
            if word == ARGS {
                words.clone()
            } else {
                vec![word.clone()]
            }
        });
        tool.command = filled.collect();
    }
    for (field, list) in [
        ("files", &mut tool.files),
        ("config", &mut tool.configured_by),
    ] {
        if let Some(globs) = fields.globs(field, complaints) {
            *list = if field == "config" {
                list.iter().cloned().chain(globs).collect()
            } else {
                globs
            };
        }
    }
    if let Some(node) = fields.get("timeout") {
        tool.timeout = timeout(node, complaints)?;
    }
    if let Some(node) = fields.get("env") {
        tool.env.extend(env(node, complaints));
    }
    let odd = tool
        .command
        .iter()
        .find(|word| word.contains(FILES) && *word != FILES);
    if let (Some(odd), Some(node)) = (odd, fields.get("command")) {
        let message = format!(
            "\"{FILES}\" is a word of its own, not a part of `{}`",
            shown(odd)
        );
        complaints.refuse(Code::Malformed, node, message);
    }
    Some(tool)
}

fn name(text: &str) -> Result<String, String> {
    match text
        .chars()
        .all(|c| c.is_alphanumeric() || "-_.: /".contains(c))
        && !text.trim().is_empty()
        && text.len() <= 64
    {
        true => Ok(text.to_owned()),
        false => Err(
            "is no name: letters, digits, `-`, `_`, `.`, `:`, `/` and spaces make one, at most 64"
                .to_owned(),
        ),
    }
}

fn timeout(node: &ManifestNode, complaints: &mut Complaints) -> Option<Duration> {
    let seconds = complaints.number("timeout", node)?;
    if seconds > MOST_PATIENCE {
        complaints.refuse(
            Code::Malformed,
            node,
            format!("`timeout` is in seconds, at most {MOST_PATIENCE}"),
        );
        return None;
    }
    Some(Duration::from_secs(seconds as u64))
}

fn env(node: &ManifestNode, complaints: &mut Complaints) -> BTreeMap<String, String> {
    let ManifestValue::Map(entries) = &node.value else {
        complaints.wrong_type("env", "a mapping of names to values", node);
        return BTreeMap::new();
    };
    let mut variables = BTreeMap::new();
    for (key, value) in entries {
        let well_named = key
            .text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !key.text.starts_with(|c: char| c.is_ascii_digit());
        if key.text.is_empty() || !well_named {
            let message = format!("`{}` is no name of a variable", shown(&key.text));
            complaints.add(Diagnostic::new(Code::Malformed, message).at(Some(&key.place)));
        }
        if let Some(text) = complaints.text(&format!("env.{}", shown(&key.text)), value) {
            variables.insert(key.text.clone(), text.to_owned());
        }
    }
    variables
}

/// A mapping's fields, all of them known.
struct ConfigFields<'t> {
    /// What messages call the mapping.
    what: &'static str,
    node: &'t ManifestNode,
    entries: &'t [(ManifestKey, ManifestNode)],
}

impl<'t> ConfigFields<'t> {
    fn of(
        what: &'static str,
        node: &'t ManifestNode,
        known: &[&str],
        complaints: &mut Complaints,
    ) -> Option<ConfigFields<'t>> {
        let ManifestValue::Map(entries) = &node.value else {
            complaints.wrong_type(what, "a mapping", node);
            return None;
        };
        for (key, _) in entries
            .iter()
            .filter(|(key, _)| !known.contains(&key.text.as_str()))
        {
            let complaint = Diagnostic::new(
                Code::Malformed,
                format!("{what} has no field `{}`", shown(&key.text)),
            )
            .at(Some(&key.place))
            .suggest(similar(&key.text, known))
            .note(format!("its fields are: {}", known.join(", ")));
            complaints.add(complaint);
        }
        Some(ConfigFields {
            what,
            node,
            entries,
        })
    }

    fn get(&self, field: &str) -> Option<&'t ManifestNode> {
        self.entries
            .iter()
            .find(|(key, _)| key.text == field)
            .map(|(_, node)| node)
    }

    /// Returns the items of a list that may be left out or empty.
    fn items(&self, field: &str, complaints: &mut Complaints) -> &'t [ManifestNode] {
        match self.get(field).map(|node| (node, &node.value)) {
            None | Some((_, ManifestValue::Nothing | ManifestValue::Refused)) => &[],
            Some((_, ManifestValue::List(items))) => items,
            Some((node, ManifestValue::Word { .. } | ManifestValue::Map(_))) => {
                complaints.wrong_type(field, "a list", node);
                &[]
            }
        }
    }

    /// Returns the items of such a list of tools, none where there are more than any repository needs.
    fn tools(&self, field: &str, complaints: &mut Complaints) -> &'t [ManifestNode] {
        let items = self.items(field, complaints);
        match self.get(field).filter(|_| items.len() > MOST_TOOLS) {
            Some(node) => {
                let message = format!(
                    "`{field}` has {} entries, at most {MOST_TOOLS}",
                    items.len()
                );
                complaints.refuse(Code::Malformed, node, message);
                &[]
            }
            None => items,
        }
    }

    fn texts(&self, field: &str, complaints: &mut Complaints) -> Option<Vec<String>> {
        let node = self.get(field)?;
        if let ManifestValue::Word { .. } = node.value {
            let message = format!("`{field}` is a list of words: no shell takes a line apart");
            complaints.refuse(Code::Malformed, node, message);
            return None;
        }
        if matches!(&node.value, ManifestValue::List(items) if items.is_empty()) && field == "args"
        {
            return Some(Vec::new());
        }
        let items = complaints.list(field, node)?;
        items
            .iter()
            .map(|item| complaints.checked(field, item, word))
            .collect()
    }

    fn globs(&self, field: &str, complaints: &mut Complaints) -> Option<Vec<String>> {
        let node = self.get(field)?;
        let items = complaints.list(field, node)?;
        if items.iter().all(
            |item| matches!(&item.value, ManifestValue::Word { text, .. } if text.starts_with('!')),
        ) {
            let message = format!(
                "`{field}` only takes back: begin with a glob that means something, such as \"*\""
            );
            complaints.refuse(Code::Malformed, node, message);
        }
        let glob = |text: &str| globs::check(text).map(|()| text.to_owned());
        items
            .iter()
            .map(|item| complaints.checked(field, item, glob))
            .collect()
    }

    fn choice<T: Copy>(
        &self,
        field: &str,
        words: &[(&str, T)],
        complaints: &mut Complaints,
    ) -> Option<T> {
        let node = self.get(field)?;
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        complaints.one_of(field, node, &known, |text| {
            words
                .iter()
                .find(|(word, _)| *word == text)
                .map(|&(_, value)| value)
        })
    }

    fn output(
        &self,
        is_preset: bool,
        complaints: &mut Complaints,
    ) -> Option<super::ValidatorOutput> {
        let chosen = self.choice("output", &OUTPUTS, complaints);
        if let (Some(node), true) = (self.get("output"), is_preset) {
            let message = "`output` goes with a `command`; a preset knows its own".to_owned();
            complaints.refuse(Code::Malformed, node, message);
        }
        chosen
    }
}

fn word(text: &str) -> Result<String, String> {
    if text.contains('\0') {
        Err("holds a NUL".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

fn custom_tool() -> Tool {
    Tool {
        name: String::new(),
        files: owned(&["*"]),
        command: Vec::new(),
        env: BTreeMap::new(),
        timeout: PATIENCE,
        configured_by: Vec::new(),
        looks_for: Vec::new(),
        borrows: Vec::new(),
        programs: Vec::new(),
        origin: CommandOrigin::Repository,
    }
}

fn custom_validator() -> Validator {
    Validator {
        tool: custom_tool(),
        scope: super::ValidatorScope::default(),
        gate: super::Gate::default(),
        output: super::ValidatorOutput::default(),
        severity: Severity::default(),
        verdicts: Vec::new(),
        counts: Severity::Warning,
    }
}

fn custom_formatter() -> Formatter {
    Formatter {
        tool: custom_tool(),
        range: Vec::new(),
        ranges: Ranges::One,
    }
}

fn custom_server() -> LanguageServer {
    LanguageServer {
        tool: custom_tool(),
        settings: Value::Object(Map::new()),
    }
}

fn preset_server(preset: &ServerPreset) -> LanguageServer {
    LanguageServer {
        tool: Tool {
            name: preset.name.to_owned(),
            files: owned(preset.files),
            command: owned(preset.command),
            borrows: owned(preset.borrows),
            programs: owned(preset.programs),
            origin: CommandOrigin::Preset,
            ..custom_tool()
        },
        settings: serde_json::from_str(preset.settings)
            .expect("a test reads the settings of every preset"),
    }
}

fn preset_validator(preset: &ValidatorPreset) -> Validator {
    Validator {
        tool: Tool {
            name: preset.name.to_owned(),
            files: owned(preset.files),
            command: owned(preset.command),
            env: preset
                .env
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
            timeout: PATIENCE,
            configured_by: owned(preset.configured_by),
            looks_for: owned(preset.looks_for),
            borrows: owned(preset.borrows),
            programs: owned(preset.programs),
            origin: CommandOrigin::Preset,
        },
        scope: preset.scope,
        output: preset.output,
        verdicts: preset.verdicts.to_vec(),
        counts: preset.counts,
        ..custom_validator()
    }
}

fn preset_formatter(preset: &FormatterPreset) -> Formatter {
    Formatter {
        tool: Tool {
            name: preset.name.to_owned(),
            files: owned(preset.files),
            command: owned(preset.command),
            configured_by: owned(preset.configured_by),
            borrows: owned(preset.borrows),
            programs: owned(preset.programs),
            origin: CommandOrigin::Preset,
            ..custom_tool()
        },
        range: owned(preset.range),
        ranges: preset.ranges,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Gate, ValidatorOutput, ValidatorScope};

    fn good(text: &str) -> Configuration {
        read(text.as_bytes()).unwrap_or_else(|complaints| panic!("{complaints:#?}"))
    }

    #[test]
    fn the_contracts_own_example_reads() {
        let text = "version: 1\nvalidators:\n  - preset: ruff\n  - name: house-rules\n    files: [\"*_worker.py\"]\n    \
            command: [\"python3\", \"tools/rules.py\", \"--\", \"{files}\"]\n    scope: tree\n    gate: new\n    \
            output: gcc\n    severity: error\n    timeout: 60\nformatters:\n  - preset: black\ntemplates: [\"templates/\"]\n";
        let found = good(text);
        let [ruff, rules] = found.validators.as_slice() else {
            panic!("{found:#?}")
        };
        assert_eq!(
            (ruff.tool.name.as_str(), ruff.tool.origin, ruff.gate),
            ("ruff", CommandOrigin::Preset, Gate::New)
        );
        assert_eq!(
            rules.tool.command,
            ["python3", "tools/rules.py", "--", "{files}"]
        );
        assert_eq!(
            (rules.scope, rules.output),
            (ValidatorScope::Tree, ValidatorOutput::Gcc)
        );
        assert_eq!(rules.tool.timeout, Duration::from_secs(60));
        assert_eq!(found.formatters[0].tool.name, "black");
        assert_eq!(found.templates, ["templates/"]);
        assert!(rules.tool.wants("jobs/mail_worker.py") && !rules.tool.wants("jobs/mail.py"));
    }

    #[test]
    fn left_out_fields_have_defaults() {
        let found = good("version: 1\nvalidators: [{name: x, command: [true]}]\n");
        let only = &found.validators[0];
        assert_eq!(
            (only.scope, only.gate, only.output),
            (ValidatorScope::Files, Gate::New, ValidatorOutput::Exit)
        );
        assert_eq!(
            (only.severity, only.tool.timeout),
            (Severity::Error, PATIENCE)
        );
        assert!(only.tool.wants("any/thing"));
        assert_eq!(good("version: 1\n"), Configuration::default());
        assert!(good("version: 1\nvalidators:\n").runs_nothing());
    }

    #[test]
    fn settings_of_a_server_are_laid_over_those_of_its_preset() {
        let text = "version: 1\nservers:\n  - preset: typescript\n    timeout: 30\n    settings:\n      \
            preferences: {quotePreference: single, providePrefixAndSuffixTextForRename: false}\n      \
            levels: [1, 2.5, \"3\", x, null, no]\n";
        let found = good(text);
        let [server] = found.servers.as_slice() else {
            panic!("{found:#?}")
        };
        assert_eq!(server.tool.name, "typescript-language-server");
        assert_eq!(server.tool.timeout, Duration::from_secs(30));
        assert_eq!(
            server.tool.command,
            ["typescript-language-server", "--stdio"]
        );
        let expected = serde_json::json!({
            "preferences": {"quotePreference": "single", "providePrefixAndSuffixTextForRename": false},
            "disableAutomaticTypingAcquisition": true,
            "levels": [1, 2.5, "3", "x", null, "no"],
        });
        assert_eq!(server.settings, expected);
        assert_eq!(found.tools().count(), 1);
        assert!(found.runs_nothing());
    }

    #[test]
    fn more_than_any_repository_needs_is_refused() {
        let tools = |count: usize| {
            let each = |at| format!("- {{name: v{at}, command: [x]}}\n");
            format!(
                "version: 1\nvalidators:\n{}",
                (0..count).map(each).collect::<String>()
            )
        };
        let globs = |glob: &str, count: usize| {
            let list = vec![format!("\"{glob}\""); count].join(", ");
            format!("version: 1\nvalidators: [{{name: x, command: [x], files: [{list}]}}]\n")
        };
        let refused = |text: &str| {
            let complaints = read(text.as_bytes()).expect_err("it is refused");
            assert!(
                complaints
                    .iter()
                    .all(|complaint| complaint.code == Code::ConfigInvalid),
                "{complaints:#?}"
            );
            complaints[0].message.clone()
        };
        assert_eq!(good(&tools(MOST_TOOLS)).validators.len(), MOST_TOOLS);
        assert!(
            refused(&tools(MOST_TOOLS + 1))
                .ends_with("`validators` has 1001 entries, at most 1000")
        );
        assert!(refused(&tools(20_000)).contains("at most 1000"));
        assert!(
            refused(&tools(1001).replace("validators", "formatters"))
                .contains("`formatters` has 1001 entries")
        );
        good(&globs("**/*.py", 1000));
        good(&globs(&"?".repeat(4000), 16));
        assert!(
            refused(&globs(&"?".repeat(1_000_000), 1))
                .contains("have 1000000 bytes, at most 65536 together")
        );
        assert!(refused(&globs("**/*.py", 20_000)).contains("at most 65536 together"));
        assert!(
            refused(&globs("**/*.py", 20_000).replace("files", "config"))
                .contains("at most 65536 together")
        );
    }

    #[test]
    fn arguments_take_the_place_of_a_presets_paths() {
        let found = good(
            "version: 1\nvalidators: [{preset: ruff, name: strict, args: [--select, ALL, src]}]\n",
        );
        let command = &found.validators[0].tool.command;
        assert_eq!(command[command.len() - 3..], ["--select", "ALL", "src"]);
        assert!(
            !command
                .iter()
                .any(|word| [FILES, "--", ARGS].contains(&word.as_str())),
            "{command:?}"
        );
        let found = good(
            "version: 1\nvalidators: [{preset: ruff}]\nformatters: [{preset: black, args: [-S]}]\n",
        );
        let command = &found.validators[0].tool.command;
        assert_eq!(command[command.len() - 2..], ["--", FILES]);
        let command = &found.formatters[0].tool.command;
        assert_eq!(command[2..4], ["-S", RANGE]);
        assert!(
            !good("version: 1\nformatters: [{preset: black}]\n").formatters[0]
                .tool
                .command
                .contains(&ARGS.to_owned())
        );
    }

    #[test]
    fn complaints_say_where_and_what_was_meant() {
        let check = |text: &str, place: &str, words: &str| {
            let complaints = read(text.as_bytes()).unwrap_err();
            let first = &complaints[0];
            assert_eq!(first.code, Code::ConfigInvalid);
            let said = format!(
                "{} {} {}",
                first.message,
                first.suggestions.join(" "),
                first.notes.join(" ")
            );
            assert!(
                said.starts_with(&format!(".segedit.yaml:{place}: ")) && said.contains(words),
                "{text}\n{said}"
            );
        };
        check("version: 2\n", "1:10", "must be 1");
        check("validators: []\n", "1:1", "`version: 1` is missing");
        check("version: 1\nvalidator: []\n", "2:1", "validators");
        check("version: 1\nvalidators: {}\n", "2:13", "must be a list");
        check(
            "version: 1\nvalidators: [{preset: rufff}]\n",
            "2:23",
            "ruff",
        );
        check(
            "version: 1\nvalidators: [{name: x}]\n",
            "2:14",
            "`command` is missing",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: 'ls -l'}]\n",
            "2:33",
            "no shell",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a], scop: tree}]\n",
            "2:38",
            "scope",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a], scope: forest}]\n",
            "2:45",
            "files, tree",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a], timeout: 0}]\n",
            "2:47",
            "whole number",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a], timeout: 99999}]\n",
            "2:47",
            "at most",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a], env: {1a: b}}]\n",
            "2:44",
            "variable",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a], files: ['[z-a]']}]\n",
            "2:46",
            "glob",
        );
        check(
            "version: 1\nvalidators: [{name: x, command: [a, 'x{files}']}]\n",
            "2:33",
            "word of its own",
        );
        check(
            "version: 1\nvalidators: [{preset: ruff}, {preset: ruff}]\n",
            "2:13",
            "two validators",
        );
        check(
            "version: 1\nvalidators: [{preset: ruff, output: gcc}]\n",
            "2:37",
            "goes with a `command`",
        );
        check(
            "version: 1\nvalidators: [{preset: ruff, command: [a]}]\n",
            "2:38",
            "exclude each other",
        );
        check(
            "version: 1\nformatters: [{name: x, command: [a], range: [-r]}]\n",
            "2:14",
            "{range}",
        );
        check("version: 1\ntemplates: [../x]\n", "2:13", "component");
        check(
            "version: 1\nservers: [{preset: pyrigth}]\n",
            "2:20",
            "pyright",
        );
        check(
            "version: 1\nservers: [{preset: ty, settings: [a]}]\n",
            "2:34",
            "a mapping",
        );
        check(
            "version: 1\nservers: [{name: x, command: [a], gate: all}]\n",
            "2:35",
            "a server has no field",
        );
        check(
            "version: 1\nservers: [{preset: ty}, {preset: ty}]\n",
            "2:10",
            "two servers",
        );
        check("version: 1\nversion: 1\n", "2:1", "version");
        check("version: 1\nvalidators: &a []\n", "2:13", "anchors");
    }

    #[test]
    fn what_is_no_yaml_is_said_to_be_none() {
        for bytes in [&b""[..], b"[", b"\xff\xfe", b"version: 1\n--- 2\n"] {
            assert!(
                read(bytes)
                    .unwrap_err()
                    .iter()
                    .all(|complaint| complaint.code == Code::ConfigInvalid)
            );
        }
    }
}
