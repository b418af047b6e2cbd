//! What a call asks for: a question, a batch, or a step in the history.

use serde_json::{Value, json};

use super::arguments::{CallArguments, EDITS};
use super::ends;
use super::table::{CallRules, REVIEW, ToolDefinition, ToolVerb, offered_tools};
use crate::actions::drafts::Publication;
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::drafts::DraftName;
use crate::manifest::fields::{self, FieldNames, of_file, put_renamable, put_selector, put_within};
use crate::manifest::words::FixedWord;
use crate::manifest::{
    CheckMode, Destination, LineRange, Manifest, Operation, Overrides, ResolveOrder, Selector, yaml,
};
use crate::path::RepoPath;
use crate::syntax::{SegmentKind, language_of};

/// What a call asks for.
pub(crate) enum Call {
    /// The segments of files and folders.
    Outline {
        /// As they were written.
        paths: Vec<String>,
        /// How many levels of nesting.
        depth: usize,
        /// Only segments of this kind.
        kind: Option<String>,
    },
    /// A segment, a file, or lines of it.
    Show {
        /// The file, as it was written.
        path: String,
        /// The segment in it.
        segment: Option<String>,
        /// Only these lines of the file.
        lines: Option<LineRange>,
        /// The revision or the draft that is looked at.
        at: Option<String>,
    },
    /// Definitions by name.
    Find {
        /// The name, which may hold `*`.
        name: String,
        /// Files and folders to look into, as they were written; all of them if there is none.
        paths: Vec<String>,
        /// Only definitions of this kind.
        kind: Option<String>,
    },
    /// An edit, or several.
    Batch(Box<CalledBatch>),
    /// A draft, published.
    Publish(DraftName, Publication),
    /// A draft, forgotten.
    Discard(DraftName),
    /// The last batches.
    List,
    /// Take a batch back, the last unless it is named.
    Undo(Option<String>),
    /// Put a batch forth again, the last taken back unless it is named.
    Redo(Option<String>),
}

/// A batch that a call asks for.
pub(crate) struct CalledBatch {
    /// The batch.
    pub manifest: Manifest,
    /// The draft that it goes into, and the call in a few words; `None` publishes it.
    pub draft: Option<(DraftName, String)>,
    /// The segment that the call names, for whoever wants to say how it is now.
    pub target: Option<(RepoPath, String)>,
    /// The text of an exchange that fails because it is made already.
    pub wanted: Option<(RepoPath, String)>,
    /// What was understood otherwise than it was written.
    pub notes: Vec<String>,
}

/// Turns a path as it was written into one of the repository.
pub(crate) type PathOf<'a> = &'a dyn Fn(&str) -> Result<RepoPath, Diagnostic>;

/// How many levels an outline has unless more are asked for.
const DEPTH: usize = 2;

/// Batches that are listed.
pub(crate) const MOST_LISTED: usize = 10;

/// Returns the tool called `name`, if `rules` let it be called.
pub(crate) fn tool(
    name: &str,
    rules: CallRules,
) -> Result<&'static ToolDefinition, Vec<Diagnostic>> {
    match ToolDefinition::named(name) {
        Some(tool) if tool.is_offered(rules) => Ok(tool),
        Some(tool) => {
            let message = format!("{} is not offered: nothing can be changed here", tool.name);
            Err(vec![Diagnostic::new(Code::Malformed, message)])
        }
        None => {
            let known = || offered_tools(rules).map(|tool| tool.name);
            let near = nearest(name, known(), 1).into_iter().map(str::to_owned);
            let missing = Diagnostic::new(
                Code::Malformed,
                format!("there is no tool `{}`", shown(name)),
            );
            let tools = format!("the tools: {}", known().collect::<Vec<_>>().join(", "));
            Err(vec![missing.suggest(near).note(tools)])
        }
    }
}

impl Call {
    /// Returns what a call of `tool` with the arguments `sent` asks for, or everything that is wrong with it.
    pub(crate) fn read(
        tool: &'static ToolDefinition,
        sent: Value,
        rules: CallRules,
        path_of: PathOf<'_>,
    ) -> Result<Call, Vec<Diagnostic>> {
        let mut arguments = CallArguments::of(tool, sent);
        match tool.verb {
            ToolVerb::Outline => {
                let mut paths = arguments.texts("paths");
                if paths.is_empty() {
                    paths.push(".".to_owned());
                }
                let depth = arguments.number("depth").unwrap_or(DEPTH);
                let kind = kind(&mut arguments);
                arguments.finish(Call::Outline { paths, depth, kind })
            }
            ToolVerb::Show => {
                let (path, segment) = split_address(&arguments.required("target"));
                let lines = arguments.text("lines");
                let at = arguments.text("at");
                let lines = lines.and_then(|lines| match LineRange::parse(lines.trim()) {
                    Ok(range) => Some(range),
                    Err(why) => {
                        arguments.refuse(format!("`lines` of {} {why}", tool.name));
                        None
                    }
                });
                arguments.finish(Call::Show {
                    path,
                    segment,
                    lines,
                    at,
                })
            }
            ToolVerb::Find => {
                let name = arguments.required("name");
                let paths = arguments.texts("paths");
                let kind = kind(&mut arguments);
                arguments.finish(Call::Find { name, paths, kind })
            }
            ToolVerb::Edit => edit(arguments, tool, rules, path_of),
            ToolVerb::Replace => replace(arguments, tool, rules, path_of),
            ToolVerb::Insert => insert(arguments, tool, rules, path_of),
            ToolVerb::Delete => delete(arguments, tool, rules, path_of),
            ToolVerb::Rename => rename(arguments, tool, rules, path_of),
            ToolVerb::Apply => apply(arguments, rules),
            ToolVerb::History => history(arguments, rules),
        }
    }
}

fn kind(arguments: &mut CallArguments) -> Option<String> {
    let kind = arguments.text("kind")?.trim().to_ascii_lowercase();
    let known = SegmentKind::ALL.map(SegmentKind::as_str);
    if !known.contains(&kind.as_str()) {
        arguments.refuse(format!(
            "`kind` is one of {}, not `{}`",
            known.join(", "),
            shown(&kind)
        ));
    }
    Some(kind)
}

/// Returns path and segment of `path::segment`.
fn split_address(target: &str) -> (String, Option<String>) {
    match target.split_once("::") {
        Some((path, segment)) => (path.to_owned(), Some(segment.to_owned())),
        None => (target.to_owned(), None),
    }
}

/// Where an operation acts, once its words are understood.
struct CalledPlace {
    path: RepoPath,
    segment: Option<String>,
    selector: Option<Selector>,
}

impl CalledPlace {
    fn read(target: &str, path_of: PathOf<'_>) -> Result<CalledPlace, Diagnostic> {
        let (path, segment) = split_address(target);
        let path = path_of(&path)?;
        let selector = segment
            .as_deref()
            .map(|segment| fields::selector(&path, segment))
            .transpose()?
            .flatten();
        Ok(CalledPlace {
            path,
            segment,
            selector,
        })
    }

    fn fields(&self, op: &str) -> FieldNames {
        let mut fields = of_file(&self.path);
        fields.insert("op".to_owned(), json!(op));
        if let Some(selector) = &self.selector {
            put_selector(&mut fields, selector);
        }
        fields
    }

    /// Returns a call of `tool` here in a few words.
    fn words(&self, tool: &ToolDefinition) -> String {
        let segment = self.segment.as_ref().map(|segment| format!("::{segment}"));
        format!("{} {}{}", tool.name, self.path, segment.unwrap_or_default())
    }

    /// Returns it narrowed to `within`, an address within the file.
    fn narrowed(self, within: Option<&str>) -> Result<CalledPlace, Diagnostic> {
        let Some(segment) = within.map(|segment| last_line(segment, &self.path)) else {
            return Ok(self);
        };
        if self.segment.as_deref().is_some_and(|own| own != segment) {
            let own = self.segment.unwrap_or_default();
            let message =
                format!("`path` names `{own}` and `within` names `{segment}`: give one of them");
            return Err(Diagnostic::new(Code::Malformed, message));
        }
        let selector = fields::selector(&self.path, segment)?;
        Ok(CalledPlace {
            segment: Some(segment.to_owned()),
            selector,
            ..self
        })
    }

    fn target(&self) -> Option<(RepoPath, String)> {
        Some((self.path.clone(), self.segment.clone()?))
    }
}

fn edit(
    mut arguments: CallArguments,
    tool: &'static ToolDefinition,
    rules: CallRules,
    path_of: PathOf<'_>,
) -> Result<Call, Vec<Diagnostic>> {
    let edits = arguments.edits();
    let is_list = edits.is_some();
    // Which one of several is refused, as JSON counts them.
    let named = |at: usize, error: Diagnostic| match is_list {
        true => Diagnostic {
            message: format!("{EDITS}[{at}]: {}", error.message),
            ..error
        },
        false => error,
    };
    let exchanges = match edits {
        Some(edits) => {
            let path = arguments.text("path");
            let mut exchanges = Vec::new();
            for (at, edit) in edits.into_iter().enumerate() {
                let all = |errors: Vec<_>| {
                    errors
                        .into_iter()
                        .map(|error| named(at, error))
                        .collect::<Vec<_>>()
                };
                exchanges.push(
                    QuotedExchange::read(CallArguments::of(tool, edit), path.as_deref())
                        .map_err(all)?,
                );
            }
            exchanges
        }
        None => vec![QuotedExchange::of(&mut arguments, None)],
    };
    let within = arguments.text("within");
    let every = arguments.flag("all");
    let (allow, check) = (arguments.flag("allow_remove"), arguments.flag("check"));
    let draft = draft(&mut arguments, rules);
    arguments.finish(())?;

    let alone = exchanges.len() == 1;
    let (mut wanted, mut first) = (None, None);
    let (mut operations, mut notes) = (Vec::new(), Vec::new());
    for (
        at,
        QuotedExchange {
            path,
            old,
            new,
            all,
            within: own,
        },
    ) in exchanges.into_iter().enumerate()
    {
        let place = CalledPlace::read(&path, path_of)
            .and_then(|place| place.narrowed(own.as_deref().or(within.as_deref())));
        let place = place.map_err(|error| vec![named(at, error)])?;
        let (old, new) = unfenced_pair(old, new, &place.path, &mut notes);
        let new = ends::kept(&old, &new).map_or(new, |kept| {
            notes.push(
                "`new` was given the line break at the edge of `old` that it left out".to_owned(),
            );
            kept
        });
        let mut operation = of_file(&place.path);
        operation.insert("op".to_owned(), json!("substitute"));
        operation.insert("text".to_owned(), json!(old));
        operation.insert("replacement".to_owned(), json!(new));
        if !(all || every) {
            operation.insert("expect_count".to_owned(), json!(1));
        }
        if let Some(within) = &place.selector {
            put_within(&mut operation, within);
        }
        put_flag(&mut operation, "allow_remove", allow);
        wanted = Some((place.path.clone(), new)).filter(|(_, new)| alone && !new.trim().is_empty());
        first = first.or(Some(place));
        operations.push(operation);
    }
    let Some(place) = first else {
        return Err(vec![Diagnostic::new(
            Code::Malformed,
            format!("`edits` of {} is empty", tool.name),
        )]);
    };
    let order = if alone {
        ResolveOrder::Snapshot
    } else {
        ResolveOrder::Sequential
    };
    let draft = draft.map(|name| (name, place.words(tool)));
    notes.dedup();
    batch(
        tool,
        operations,
        order,
        check,
        rules,
        Batched {
            wanted,
            draft,
            notes,
            ..Batched::default()
        },
    )
}

/// One text for another, as a call asks for it.
struct QuotedExchange {
    path: String,
    old: String,
    new: String,
    all: bool,
    within: Option<String>,
}

impl QuotedExchange {
    /// Takes what one of several exchanges is about from its own `arguments`, the file too if they name one.
    fn read(
        mut arguments: CallArguments,
        path: Option<&str>,
    ) -> Result<QuotedExchange, Vec<Diagnostic>> {
        let mut exchange = QuotedExchange::of(&mut arguments, path);
        exchange.all = arguments.flag("all");
        exchange.within = arguments.text("within");
        arguments.finish(exchange)
    }

    /// Takes texts and file, which may be `path`, from the arguments of a call.
    fn of(arguments: &mut CallArguments, path: Option<&str>) -> QuotedExchange {
        let own = arguments.text("path").or(path.map(str::to_owned));
        let path = own.unwrap_or_else(|| arguments.required("path"));
        let (old, new) = (arguments.required("old"), arguments.content("new"));
        QuotedExchange {
            path,
            old,
            new,
            all: false,
            within: None,
        }
    }
}

/// Returns the segment of an address that may name its file once more.
fn last_line<'a>(segment: &'a str, path: &RepoPath) -> &'a str {
    segment
        .strip_prefix(path.as_str())
        .and_then(|rest| rest.strip_prefix("::"))
        .unwrap_or(segment)
}

fn replace(
    mut arguments: CallArguments,
    tool: &'static ToolDefinition,
    rules: CallRules,
    path_of: PathOf<'_>,
) -> Result<Call, Vec<Diagnostic>> {
    let target = arguments.required("target");
    let content = arguments.content("content");
    let part = arguments.word("part");
    let create = arguments.flag("create");
    let expect = expected(&mut arguments, tool, rules, create);
    let (allow, check) = (arguments.flag("allow_remove"), arguments.flag("check"));
    let draft = draft(&mut arguments, rules);
    if create && target.contains("::") {
        arguments.refuse("`create` makes a file: its `target` is a path alone".to_owned());
    }
    arguments.finish(())?;

    let place = CalledPlace::read(&target, path_of).map_err(|error| vec![error])?;
    let (content, notes) = without_fence(content, &place.path);
    let mut operation = place.fields(if create { "create" } else { "replace" });
    operation.insert("content".to_owned(), json!(content));
    put_field(&mut operation, "part", part);
    put_field(&mut operation, "expect", expect);
    put_flag(&mut operation, "allow_remove", allow);
    let draft = draft.map(|name| (name, place.words(tool)));
    let more = Batched {
        target: place.target(),
        draft,
        notes,
        ..Batched::default()
    };
    batch(
        tool,
        vec![operation],
        ResolveOrder::Snapshot,
        check,
        rules,
        more,
    )
}

fn insert(
    mut arguments: CallArguments,
    tool: &'static ToolDefinition,
    rules: CallRules,
    path_of: PathOf<'_>,
) -> Result<Call, Vec<Diagnostic>> {
    let target = arguments.required("target");
    let position = arguments.required_word("position");
    let content = arguments.required("content");
    let check = arguments.flag("check");
    let draft = draft(&mut arguments, rules);
    arguments.finish(())?;

    let place = CalledPlace::read(&target, path_of).map_err(|error| vec![error])?;
    let (content, notes) = without_fence(content, &place.path);
    let mut operation = place.fields("insert");
    operation.insert("content".to_owned(), json!(content));
    put_field(&mut operation, "position", position);
    let draft = draft.map(|name| (name, place.words(tool)));
    batch(
        tool,
        vec![operation],
        ResolveOrder::Snapshot,
        check,
        rules,
        Batched {
            draft,
            notes,
            ..Batched::default()
        },
    )
}

fn delete(
    mut arguments: CallArguments,
    tool: &'static ToolDefinition,
    rules: CallRules,
    path_of: PathOf<'_>,
) -> Result<Call, Vec<Diagnostic>> {
    let target = arguments.required("target");
    let expect = expected(&mut arguments, tool, rules, false);
    let check = arguments.flag("check");
    let draft = draft(&mut arguments, rules);
    arguments.finish(())?;

    let place = CalledPlace::read(&target, path_of).map_err(|error| vec![error])?;
    let mut operation = place.fields(if place.segment.is_some() {
        "delete"
    } else {
        "remove"
    });
    put_field(&mut operation, "expect", expect);
    let draft = draft.map(|name| (name, place.words(tool)));
    let more = Batched {
        target: place.target(),
        draft,
        ..Batched::default()
    };
    batch(
        tool,
        vec![operation],
        ResolveOrder::Snapshot,
        check,
        rules,
        more,
    )
}

fn rename(
    mut arguments: CallArguments,
    tool: &'static ToolDefinition,
    rules: CallRules,
    path_of: PathOf<'_>,
) -> Result<Call, Vec<Diagnostic>> {
    let target = arguments.required("target");
    let to = arguments.required("to");
    let terms = ["unsure", "mentions", "clash", "scope"].map(|name| (name, arguments.word(name)));
    let check = arguments.flag("check");
    let draft = draft(&mut arguments, rules);
    if !target.is_empty() && !target.contains("::") {
        arguments.refuse(format!(
            "`target` of {} names a definition, a section, a key, an id or a class: path::symbol, path::# Heading, path::key, path::#id, not `{}`",
            tool.name,
            shown(&target)
        ));
    }
    arguments.finish(())?;

    let (path, symbol) = split_address(&target);
    let path = path_of(&path).map_err(|error| vec![error])?;
    let mut operation = of_file(&path);
    operation.insert("op".to_owned(), json!("rename"));
    let symbol = symbol.unwrap_or_default();
    put_renamable(&mut operation, &path, &symbol).map_err(|error| vec![error])?;
    put_field(&mut operation, "to", Some(to));
    for (name, word) in terms {
        put_field(&mut operation, name, word);
    }
    let draft = draft.map(|name| (name, format!("{} {path}::{symbol}", tool.name)));
    batch(
        tool,
        vec![operation],
        ResolveOrder::Snapshot,
        check,
        rules,
        Batched {
            draft,
            ..Batched::default()
        },
    )
}

/// Returns the hash that the call expects, which `rules` may want.
fn expected(
    arguments: &mut CallArguments,
    tool: &ToolDefinition,
    rules: CallRules,
    is_new: bool,
) -> Option<String> {
    let expect = arguments.text("expect");
    if expect.is_none() && rules.requires_expect && !is_new {
        arguments.refuse(format!(
            "{} wants `expect` here, the hash that segedit_show prints",
            tool.name
        ));
    }
    expect
}

/// Returns the draft that an edit goes into.
fn draft(arguments: &mut CallArguments, rules: CallRules) -> Option<DraftName> {
    let default = rules.reviews.then(|| REVIEW.to_owned());
    let name = arguments.text("draft").or(default)?;
    match DraftName::parse(&name) {
        Ok(name) => Some(name),
        Err(refusal) => {
            arguments.refuse_for(refusal);
            None
        }
    }
}

fn apply(mut arguments: CallArguments, rules: CallRules) -> Result<Call, Vec<Diagnostic>> {
    let plan = arguments.text("plan");
    let name = match (&plan, arguments.is_given("draft")) {
        (None, _) => draft(&mut arguments, rules),
        (Some(_), false) => None,
        (Some(_), true) => {
            arguments.refuse("segedit_apply takes `draft` or `plan`, not both".to_owned());
            None
        }
    };
    let message = arguments.text("message");
    let destination = arguments.word("destination");
    let branch = arguments.text("branch");
    let check = arguments.flag("check");
    let discard = arguments.flag("discard");
    if plan.is_none() && name.is_none() {
        arguments.refuse("segedit_apply wants `draft`, the name of a draft, or `plan`".to_owned());
    }
    if discard && plan.is_some() {
        arguments.refuse("`discard` is of a draft".to_owned());
    }
    arguments.finish(())?;

    if let Some(name) = name {
        let destination = destination.as_deref().and_then(Destination::from_word);
        let publication = Publication {
            message,
            destination,
            branch,
            is_rehearsal: check,
        };
        return Ok(if discard {
            Call::Discard(name)
        } else {
            Call::Publish(name, publication)
        });
    }
    let plan = plan.unwrap_or_default();
    // An operation file that is not told where to go is a commit, or goes where its own words say.
    let destination = destination.as_deref().and_then(Destination::from_word);
    let overrides = Overrides {
        message,
        destination,
        branch,
        mode: mode(check),
        ..Overrides::default()
    };
    let plan = fence_inside(&plan).map_or(plan.clone(), str::to_owned);
    let manifest = yaml::read_with("plan", plan.as_bytes(), &overrides)?;
    if rules.requires_expect
        && let Some(at) = manifest.operations.iter().position(lacks_expect)
    {
        let message = "replace, delete and remove want `expect` here, the hash that segedit_show prints; substitute wants a `text`, not a \
                       pattern";
        return Err(vec![
            Diagnostic::new(Code::Malformed, message).of_operation(at),
        ]);
    }
    Ok(Call::Batch(Box::new(CalledBatch {
        manifest,
        draft: None,
        target: None,
        wanted: None,
        notes: Vec::new(),
    })))
}

/// Says whether an operation takes something away without saying which bytes are meant.
fn lacks_expect(operation: &Operation) -> bool {
    use crate::manifest::Verb;
    match &operation.verb {
        Verb::Replace { expect, .. } | Verb::Delete { expect, .. } | Verb::Remove { expect } => {
            expect.is_none()
        }
        Verb::Substitute { find, .. } => !matches!(find.selector, Selector::Text(_)),
        Verb::Insert { .. }
        | Verb::Create { .. }
        | Verb::Chmod { .. }
        | Verb::Rename { .. }
        | Verb::Import { .. }
        | Verb::Unimport { .. }
        | Verb::RenameFile { .. }
        | Verb::Move { .. } => false,
    }
}

fn history(mut arguments: CallArguments, rules: CallRules) -> Result<Call, Vec<Diagnostic>> {
    let action = arguments.required_word("action");
    let batch = arguments.text("batch");
    let call = match action.as_deref() {
        Some("list") => Call::List,
        Some(_) if rules.is_read_only => {
            arguments.refuse("nothing can be changed here: `action` is list".to_owned());
            Call::List
        }
        Some("undo" | "redo") if rules.reviews => {
            arguments
                .refuse("segedit_apply alone changes anything here: `action` is list".to_owned());
            Call::List
        }
        Some("undo") => Call::Undo(batch),
        Some("redo") => Call::Redo(batch),
        _ => Call::List,
    };
    arguments.finish(call)
}

/// What a batch carries along for its answer.
#[derive(Default)]
struct Batched {
    draft: Option<(DraftName, String)>,
    target: Option<(RepoPath, String)>,
    wanted: Option<(RepoPath, String)>,
    notes: Vec<String>,
}

fn batch(
    tool: &ToolDefinition,
    operations: Vec<FieldNames>,
    order: ResolveOrder,
    check: bool,
    rules: CallRules,
    more: Batched,
) -> Result<Call, Vec<Diagnostic>> {
    let overrides = Overrides {
        destination: Some(rules.destination),
        mode: mode(check),
        ..Overrides::default()
    };
    let manifest = fields::manifest(tool.name, operations, order, &overrides)?;
    let Batched {
        draft,
        target,
        wanted,
        notes,
    } = more;
    Ok(Call::Batch(Box::new(CalledBatch {
        manifest,
        draft,
        target,
        wanted,
        notes,
    })))
}

fn mode(check: bool) -> Option<CheckMode> {
    check.then_some(CheckMode::VerifyOnly)
}

fn put_field(fields: &mut FieldNames, name: &str, value: Option<String>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), json!(value));
    }
}

fn put_flag(fields: &mut FieldNames, name: &str, set: bool) {
    if set {
        fields.insert(name.to_owned(), json!(true));
    }
}

/// Endings of documents that are not read by name.
const DOCUMENTS: [&str; 13] = [
    "adoc", "asciidoc", "mdc", "mdown", "mdx", "mkd", "org", "qmd", "rmd", "rst", "tex", "text",
    "txt",
];

/// Says whether a code fence may be what a file is meant to hold.
fn may_hold_fences(path: &RepoPath) -> bool {
    match (language_of(path), path.file_name().rsplit_once('.')) {
        (Some(language), _) => language.name == "Markdown",
        (None, Some((_, ending))) => DOCUMENTS.contains(&ending.to_ascii_lowercase().as_str()),
        (None, None) => true,
    }
}

/// Returns content without the code fence that it was wrapped in, and what to say of that.
fn without_fence(content: String, path: &RepoPath) -> (String, Vec<String>) {
    match fence_inside(&content).filter(|_| !may_hold_fences(path)) {
        Some(inside) => (
            inside.to_owned(),
            vec!["the code fence around the content was taken off".to_owned()],
        ),
        None => (content, Vec::new()),
    }
}

/// Returns a text and what takes its place, each without a code fence of its own. A fence ends a line, and of content for a text that does
/// not end one that line break is the fence's.
fn unfenced_pair(
    old: String,
    new: String,
    path: &RepoPath,
    notes: &mut Vec<String>,
) -> (String, String) {
    let (new, said) = without_fence(new, path);
    if said.is_empty() {
        return (old, new);
    }
    notes.extend(said);
    let is_fenced = fence_inside(&old).is_some();
    let (old, _) = without_fence(old, path);
    let is_line = is_fenced || old.ends_with('\n');
    let new = if is_line {
        new
    } else {
        new.strip_suffix('\n').map_or(new.clone(), str::to_owned)
    };
    (old, new)
}

/// Returns what is between the fences of a text that is one fenced block and nothing else.
fn fence_inside(text: &str) -> Option<&str> {
    const FENCE: &str = "```";
    let body = text.trim_start_matches(['\n', '\r']).strip_prefix(FENCE)?;
    let (info, body) = body.split_once('\n')?;
    let inside = body.trim_end().strip_suffix(FENCE)?;
    let is_alone = !info.contains('`')
        && !inside
            .lines()
            .any(|line| line.trim_start().starts_with(FENCE));
    (is_alone && (inside.is_empty() || inside.ends_with('\n'))).then_some(inside)
}
