//! One operation: its fields by the table of verbs, each value by its type, then what goes with what.
//!
//! Three passes, so that one mistake hides no other: keys against the table, their company, values one by one. Only
//! when nothing was complained about is a verb made of them.

use std::collections::BTreeMap;

use super::field;
use super::tree::{Complaints, ManifestKey, ManifestNode, ManifestValue, NodeStyle, first_word};
use super::value::similar;
use crate::diagnostic::{Code, Diagnostic, PlanPlace, shown};
use crate::manifest::ending::ended_like;
use crate::manifest::verbs::{
    GOES_WITH, SELECTORS, VERBS, VerbRow, operation_fields, verbs_that_take,
};
use crate::manifest::{
    AllowRemove, CallersRule, Choice, Expect, Files, Flags, Indent, MatchLevel, MovePlace,
    NameRules, OnUnsure, Operation, Part, Pattern, Position, RenameTerms, Scoped, Selector,
    SymbolSelector, Verb,
};
use crate::path::RepoPath;
use crate::syntax::python::ImportStatement;
use crate::syntax::{ItemKind, SegmentKind};

/// Reads one operation, or complains and returns `None`.
pub(super) fn read(node: &ManifestNode, complaints: &mut Complaints) -> Option<Operation> {
    let ManifestValue::Map(entries) = &node.value else {
        complaints.wrong_type("operation", "a mapping", node);
        return None;
    };
    let before = complaints.count();
    let fields = OperationFields {
        by_name: entries
            .iter()
            .map(|(key, value)| (key.text.as_str(), value))
            .collect(),
        node,
    };
    let row = verb_row(&fields, entries, complaints);
    check_keys(row, entries, complaints);
    let Some(row) = row else {
        // Without a verb the values can still be judged by their names.
        FieldValues::read(None, &fields, complaints);
        return None;
    };
    check_company(row, &fields, complaints);
    let values = FieldValues::read(Some(row), &fields, complaints);
    if complaints.count() > before {
        return None;
    }
    Some(Operation {
        id: values.id.clone(),
        files: values.files.clone()?,
        allow_remove: values.allow_remove.clone().unwrap_or_default(),
        allow_repeat: values.allow_repeat.unwrap_or_default(),
        callers: values.callers_rule(row),
        rules: values.rules,
        verb: values.verb(row)?,
        places: fields.places(),
    })
}

/// The fields of one operation by name.
struct OperationFields<'tree> {
    by_name: BTreeMap<&'tree str, &'tree ManifestNode>,
    node: &'tree ManifestNode,
}

impl<'tree> OperationFields<'tree> {
    fn get(&self, field: &str) -> Option<&'tree ManifestNode> {
        self.by_name.get(field).copied()
    }

    fn has(&self, field: &str) -> bool {
        self.by_name.contains_key(field)
    }

    /// Says whether the operation has this verb.
    fn has_verb(&self, name: &str) -> bool {
        self.get("op").is_some_and(
            |node| matches!(&node.value, ManifestValue::Word { text, .. } if text == name),
        )
    }

    /// Returns the symbol where it is written with its file: `src/a.py::A.f`.
    fn address(&self) -> Option<(&'tree str, &'tree str)> {
        match &self.get("symbol")?.value {
            ManifestValue::Word { text, .. } => text.split_once("::"),
            _ => None,
        }
    }

    /// Returns where the verb stands: the place to point at when something is missing.
    fn verb_place(&self) -> PlanPlace {
        self.get("op")
            .map_or_else(|| first_word(self.node), |op| op.place.clone())
    }

    fn places(&self) -> BTreeMap<String, PlanPlace> {
        let mut places: BTreeMap<String, PlanPlace> = self
            .by_name
            .iter()
            .map(|(name, node)| ((*name).to_owned(), node.place.clone()))
            .collect();
        places.insert(String::new(), self.node.place.clone());
        places
    }

    /// Returns the selectors that are there, in the table's order.
    fn selectors(&self) -> Vec<&'static str> {
        SELECTORS
            .into_iter()
            .filter(|selector| self.has(selector))
            .collect()
    }
}

fn verb_row(
    fields: &OperationFields<'_>,
    entries: &[(ManifestKey, ManifestNode)],
    complaints: &mut Complaints,
) -> Option<&'static VerbRow> {
    let Some(node) = fields.get("op") else {
        let mut complaint = Diagnostic::new(Code::Malformed, "the operation has no `op`")
            .at(Some(&first_word(fields.node)));
        if let Some((key, _)) = entries
            .iter()
            .find(|(key, _)| VerbRow::named(&key.text).is_some())
        {
            complaint = complaint.suggest([format!("op: {}", key.text)]);
        }
        complaints.add(complaint.note(format!("it is one of: {}", verb_names().join(", "))));
        return None;
    };
    let text = complaints.text("op", node)?;
    let row = VerbRow::named(text);
    if row.is_none() {
        let complaint = Diagnostic::new(
            Code::Malformed,
            format!("`{}` is not an operation", shown(text)),
        )
        .at(Some(&node.place))
        .suggest(similar(text, &verb_names()))
        .note(format!("op is one of: {}", verb_names().join(", ")));
        complaints.add(complaint);
    }
    row
}

fn verb_names() -> Vec<&'static str> {
    VERBS.iter().map(|row| row.name).collect()
}

/// First pass: every key is known, and taken by the verb.
fn check_keys(
    row: Option<&VerbRow>,
    entries: &[(ManifestKey, ManifestNode)],
    complaints: &mut Complaints,
) {
    let known = operation_fields();
    for (key, _) in entries {
        let name = key.text.as_str();
        let complaint = match row {
            _ if !known.contains(&name) => {
                let fields = row.map_or_else(|| known.to_vec(), VerbRow::fields);
                Diagnostic::new(
                    Code::Malformed,
                    format!("an operation has no field `{}`", shown(name)),
                )
                .suggest(similar(name, &fields))
                .note(format!("fields here are: {}", fields.join(", ")))
            }
            Some(row) if !row.takes(name) => not_taken(row, name),
            _ => continue,
        };
        complaints.add(complaint.at(Some(&key.place)));
    }
}

fn not_taken(row: &VerbRow, field: &str) -> Diagnostic {
    let complaint = Diagnostic::new(
        Code::Malformed,
        format!("`op: {}` does not take `{field}`", row.name),
    );
    if field == "files" {
        return complaint
            .suggest(["file".to_owned()])
            .note("it acts on one `file`; `substitute` takes `files`");
    }
    let takers = verbs_that_take(field);
    if takers.is_empty() {
        complaint
    } else {
        complaint.note(format!("taken by: {}", takers.join(", ")))
    }
}

/// Second pass: what must be there, and what goes together.
fn check_company(row: &VerbRow, fields: &OperationFields<'_>, complaints: &mut Complaints) {
    let at = fields.verb_place();
    let mut missing = |message: String, note: Option<&str>| {
        let complaint = Diagnostic::new(Code::Malformed, message).at(Some(&at));
        complaints.add(match note {
            Some(note) => complaint.note(note),
            None => complaint,
        });
    };
    let named = fields.has("file")
        || (row.many_files && fields.has("files"))
        || takes_address(row) && fields.address().is_some();
    if !named {
        let or = if row.many_files { " or `files`" } else { "" };
        missing(format!("`op: {}` needs `file`{or}", row.name), None);
    }
    for field in row.needed.iter().filter(|field| !fields.has(field)) {
        missing(format!("`op: {}` needs `{field}`", row.name), None);
    }
    let selectors: Vec<&str> = fields
        .selectors()
        .into_iter()
        .filter(|name| row.selectors.contains(name))
        .collect();
    if row.selector_needed && selectors.is_empty() {
        let note = (row.name == "delete").then_some("to delete the file itself, use `op: remove`");
        missing(
            format!(
                "`op: {}` needs a selector: {}",
                row.name,
                alternatives(row.selectors)
            ),
            note,
        );
    }
    if let [first, second, ..] = selectors.as_slice() {
        let place = fields.get(second).map(|node| &node.place);
        let message = format!("an operation has one selector, not both `{first}` and `{second}`");
        complaints.add(Diagnostic::new(Code::Malformed, message).at(place));
    }
    if let (true, Some(_), Some(files)) = (row.many_files, fields.get("file"), fields.get("files"))
    {
        complaints.refuse(
            Code::Malformed,
            files,
            "an operation has `file` or `files`, not both".to_owned(),
        );
    }
    for (field, wanted) in GOES_WITH {
        let Some(node) = fields.get(field).filter(|_| row.takes(field)) else {
            continue;
        };
        // A module has a docstring, too.
        let is_of_file = row.name == "replace"
            && field == "part"
            && matches!(&node.value, ManifestValue::Word { text, .. } if text == "docstring");
        let lonely = !selectors.iter().any(|selector| wanted.contains(selector));
        if is_of_file && selectors.is_empty() {
            continue;
        }
        if lonely && !(row.selector_needed && selectors.is_empty()) {
            let message = format!(
                "`{field}` goes with {}, which is not here",
                alternatives(wanted)
            );
            complaints.refuse(Code::Malformed, node, message);
        }
    }
}

/// Says whether the symbol of a verb may be written with its file.
fn takes_address(row: &VerbRow) -> bool {
    matches!(row.name, "rename" | "move")
}

/// Returns names as "`a`, `b` or `c`".
fn alternatives(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, ahead)) if !ahead.is_empty() => format!("{} or {last}", ahead.join(", ")),
        _ => quoted.concat(),
    }
}

/// The values of one operation, each of its type; `None` for what is not there or was complained about.
#[derive(Default)]
struct FieldValues {
    id: Option<String>,
    files: Option<Files>,
    selector: Option<Selector>,
    within: Option<Selector>,
    kind: Option<SegmentKind>,
    loosest: Option<MatchLevel>,
    occurrence: Option<usize>,
    all: Option<bool>,
    inside_words: Option<bool>,
    content: Option<String>,
    part: Option<Part>,
    indent: Option<Indent>,
    expect: Option<Expect>,
    allow_remove: Option<AllowRemove>,
    allow_repeat: Option<bool>,
    callers: Option<bool>,
    arguments: BTreeMap<String, String>,
    rules: NameRules,
    position: Option<Position>,
    replacement: Option<String>,
    count: Option<usize>,
    expect_count: Option<usize>,
    executable: Option<bool>,
    to: Option<RepoPath>,
    new_name: Option<String>,
    place: Option<MovePlace>,
    reexports: Option<bool>,
    terms: RenameTerms,
    statement: Option<ImportStatement>,
    allows_use: bool,
}

impl FieldValues {
    /// Third pass: the values of the fields that the verb takes, or of all when the verb is not known.
    fn read(
        row: Option<&VerbRow>,
        fields: &OperationFields<'_>,
        complaints: &mut Complaints,
    ) -> FieldValues {
        let mut values = FieldValues::default();
        let mut flags = Flags::default();
        for (&name, &node) in fields
            .by_name
            .iter()
            .filter(|(name, _)| row.is_none_or(|row| row.takes(name)))
        {
            match name {
                "id" => values.id = complaints.text(name, node).map(str::to_owned),
                "file" => values.files = field::file(row, node, complaints).map(Files::One),
                "files" => values.files = field::pathspecs(node, complaints).map(Files::Matching),
                "within" => values.within = field::within(node, complaints),
                "kind" => values.kind = field::kind(node, complaints),
                "match" => values.loosest = complaints.word(name, node),
                "occurrence" => values.occurrence = complaints.number(name, node),
                "all" => values.all = complaints.boolean(name, node),
                "inside_words" => values.inside_words = complaints.boolean(name, node),
                "content" => values.content = complaints.text(name, node).map(str::to_owned),
                "part" => values.part = field::part(node, complaints),
                "indent" => values.indent = field::indent(node, complaints),
                "expect" => values.expect = complaints.checked(name, node, Expect::parse),
                "allow_remove" => values.allow_remove = field::allow_remove(node, complaints),
                "allow_repeat" => values.allow_repeat = complaints.boolean(name, node),
                "callers" => values.callers = complaints.boolean(name, node),
                "arguments" => values.arguments = field::arguments(node, complaints),
                "names" => values.rules.names = complaints.word(name, node),
                "imports" => values.rules.imports = complaints.word(name, node),
                "position" => values.position = complaints.word(name, node),
                "replacement" => {
                    values.replacement = complaints.text(name, node).map(str::to_owned)
                }
                "count" => values.count = complaints.number(name, node),
                "expect_count" => values.expect_count = complaints.number(name, node),
                "ignore_case" => {
                    flags.ignore_case = complaints.boolean(name, node).unwrap_or_default()
                }
                "multiline" => flags.multiline = complaints.boolean(name, node).unwrap_or_default(),
                "dotall" => flags.dotall = complaints.boolean(name, node).unwrap_or_default(),
                "executable" => values.executable = complaints.boolean(name, node),
                "to" if row.is_some_and(|row| row.name == "rename") => {
                    values.new_name = complaints.checked(name, node, |text| {
                        field::not_blank(text).map(|()| text.to_owned())
                    });
                }
                "to" if row.is_some_and(|row| row.name == "move") => {
                    values.place = field::moved_to(node, complaints);
                }
                "to" if row.is_some() => values.to = field::destination(node, complaints),
                "reexport" => values.reexports = complaints.boolean(name, node),
                "scope" => {
                    let word = complaints.one_of(name, node, &["file", "project"], |word| {
                        ["file", "project"]
                            .contains(&word)
                            .then_some(word == "file")
                    });
                    values.terms.is_for_one_file = word.unwrap_or_default();
                }
                "unsure" => {
                    // An import of which it is not certain what it means cannot be written anew.
                    let is_of_move =
                        row.is_some_and(|row| matches!(row.name, "rename_file" | "move"));
                    let is_of_rename = row.is_some_and(|row| row.name == "rename");
                    let words = ["refuse", "keep", "change", "ask"];
                    let words = match (is_of_move, is_of_rename) {
                        (true, _) => &words[..2],
                        (false, false) => &words[..3],
                        (false, true) => &words[..],
                    };
                    let word = complaints.one_of(name, node, words, |word| match word {
                        _ if !words.contains(&word) => None,
                        "refuse" => Some(OnUnsure::Refuse),
                        "keep" => Some(OnUnsure::Keep),
                        "change" => Some(OnUnsure::Change),
                        "ask" => Some(OnUnsure::Ask),
                        _ => None,
                    });
                    values.terms.unsure = word.unwrap_or_default();
                }
                "mentions" => {
                    let word = complaints.one_of(name, node, &["keep", "change"], |word| {
                        ["keep", "change"]
                            .contains(&word)
                            .then_some(word == "change")
                    });
                    values.terms.changes_mentions = word.unwrap_or_default();
                }
                "clash" => {
                    let word = complaints.one_of(name, node, &["refuse", "allow"], |word| {
                        ["refuse", "allow"]
                            .contains(&word)
                            .then_some(word == "allow")
                    });
                    values.terms.allows_clash = word.unwrap_or_default();
                }
                "statement" => {
                    values.statement = complaints.checked(name, node, ImportStatement::parse)
                }
                "used" => {
                    let word = complaints.one_of(name, node, &["refuse", "allow"], |word| {
                        ["refuse", "allow"]
                            .contains(&word)
                            .then_some(word == "allow")
                    });
                    values.allows_use = word.unwrap_or_default();
                }
                // `op` is read; selectors need the flags; unknown ones were complained about.
                _ => {}
            }
        }
        for name in fields
            .selectors()
            .into_iter()
            .filter(|name| row.is_none_or(|row| row.takes(name)))
        {
            if let Some((path, segment)) = fields
                .address()
                .filter(|_| name == "symbol" && row.is_some_and(takes_address))
                && let Some(node) = fields.get(name)
            {
                values.read_address(path, segment, node, complaints);
            } else if let Some(node) = fields.get(name) {
                values.selector =
                    field::selector(name, node, flags, complaints).or(values.selector);
            }
        }
        values.end_content(fields);
        values.ignore_case(flags, fields, complaints);
        values.check_choice(fields, complaints);
        values.check_part(fields, complaints);
        values.check_added_part(row, fields, complaints);
        values.check_callers(row, fields, complaints);
        values.check_bytes(fields, complaints);
        values.check_groups(fields, complaints);
        values.check_place(fields, complaints);
        values
    }

    /// What takes the place of a text ends as it was written in quotes, but for the line break that a block ends in by itself, and
    /// that plain words cannot end in. A pattern ends a line where it says so itself.
    fn end_content(&mut self, fields: &OperationFields<'_>) {
        let (field, content) = match (fields.has_verb("replace"), fields.has_verb("substitute")) {
            (true, _) => ("content", &mut self.content),
            (_, true) => ("replacement", &mut self.replacement),
            (false, false) => return,
        };
        let (text, is_text) = match &self.selector {
            Some(Selector::Text(text)) => (text.as_str(), true),
            Some(Selector::Pattern(pattern)) => (
                if pattern.text.ends_with("\\n") {
                    "\n"
                } else {
                    &*pattern.text
                },
                false,
            ),
            _ => return,
        };
        let Some(written) = content.as_deref() else {
            return;
        };
        let style = |field: &str| match fields.get(field).map(|node| &node.value) {
            Some(ManifestValue::Word { style, .. }) => Some(*style),
            _ => None,
        };
        let accidental = match (text.ends_with('\n'), written.ends_with('\n')) {
            (false, true) => style(field) == Some(NodeStyle::Block),
            (true, false) => {
                is_text
                    && (style(field) != Some(NodeStyle::Quoted)
                        || style("text") == Some(NodeStyle::Block))
            }
            (true, true) | (false, false) => false,
        };
        if accidental {
            *content = Some(ended_like(text, written).into_owned());
        }
    }

    /// Text in either case is a pattern that matches it literally, so that one mechanism knows about case.
    fn ignore_case(
        &mut self,
        flags: Flags,
        fields: &OperationFields<'_>,
        complaints: &mut Complaints,
    ) {
        let (Some(Selector::Text(text)), true) = (&self.selector, flags.ignore_case) else {
            return;
        };
        if let Some(node) = fields
            .get("match")
            .filter(|_| self.loosest.is_some_and(|level| level != MatchLevel::Exact))
        {
            let message = "`ignore_case` finds the text exactly but for its case; `match` can only be `exact`";
            complaints.refuse(Code::Malformed, node, message.to_owned());
        }
        match Pattern::literally_ignoring_case(text) {
            Ok(pattern) => self.selector = Some(Selector::Pattern(pattern)),
            Err(why) => {
                if let Some(node) = fields.get("text") {
                    complaints.refuse(
                        Code::InvalidPattern,
                        node,
                        format!("text with `ignore_case` {why}"),
                    );
                }
            }
        }
        self.loosest = None;
        self.replacement = self
            .replacement
            .take()
            .map(|replacement| replacement.replace('$', "$$"));
    }

    /// The n-th, all, the first so many, and one that was seen before, are different things.
    fn check_choice(&self, fields: &OperationFields<'_>, complaints: &mut Complaints) {
        let is_all = self.all == Some(true);
        let clashes = [
            (
                "all",
                is_all && self.occurrence.is_some(),
                "`occurrence` means one, `all` each",
            ),
            (
                "expect",
                is_all && self.expect.is_some(),
                "`expect` is the hash of one segment, and `all` means each",
            ),
            (
                "count",
                is_all && self.count.is_some(),
                "`count` means the first so many, `all` each",
            ),
            (
                "count",
                self.occurrence.is_some() && self.count.is_some(),
                "`occurrence` means one, `count` the first so many",
            ),
        ];
        for (field, clash, message) in clashes {
            if let (true, Some(node)) = (clash, fields.get(field)) {
                complaints.refuse(Code::Malformed, node, message.to_owned());
            }
        }
    }

    /// Some parts are of code and some of sections.
    fn check_part(&self, fields: &OperationFields<'_>, complaints: &mut Complaints) {
        let (Some(part), Some(node)) = (self.part, fields.get("part")) else {
            return;
        };
        let (of, not_of) = match part {
            Part::Whole => return,
            Part::Body => ("section", &["element"][..]),
            Part::Definition | Part::Signature | Part::Docstring => {
                ("symbol", &["section", "element"][..])
            }
            Part::Own | Part::Heading | Part::Code(_) | Part::Table(_) | Part::List(_) => {
                ("section", &["symbol", "element"][..])
            }
            Part::Inner | Part::Attribute(_) => ("element", &["symbol", "section"][..]),
            Part::Item(..) => ("symbol", &["section", "element", "block"][..]),
        };
        if fields.has("key") && !matches!(part, Part::Definition | Part::Body) {
            let message = format!(
                "`part: {part}` is of a `{of}`; a `key` has `whole`, `definition` and `body`"
            );
            complaints.refuse(Code::Malformed, node, message);
        }
        if let Some(not_of) = not_of.iter().find(|selector| fields.has(selector)) {
            let of = if part == Part::Body {
                "`symbol`, `section`, `block` or `key`".to_owned()
            } else {
                format!("`{of}`")
            };
            let article = if *not_of == "element" { "an" } else { "a" };
            let message = format!("`part: {part}` is of a {of}, not of {article} `{not_of}`");
            complaints.refuse(Code::Malformed, node, message);
        }
    }

    /// What is inserted is content beside or inside a segment; the parts that can be added are attributes and items.
    fn check_added_part(
        &self,
        row: Option<&VerbRow>,
        fields: &OperationFields<'_>,
        complaints: &mut Complaints,
    ) {
        let (Some(part), Some(node)) = (self.part, fields.get("part")) else {
            return;
        };
        if row.is_none_or(|row| row.name != "insert") {
            if let Part::Item(kind, None) = part {
                let word = kind.as_str();
                let message = format!("`part: {word}` does not say which: `{word}[NAME]`");
                complaints.refuse(Code::Malformed, node, message);
            }
            return;
        }
        match (part, fields.get("position")) {
            (Part::Attribute(_), None) | (Part::Item(..), None) => {}
            (Part::Item(kind, name), Some(position)) => {
                let is_beside = matches!(self.position, Some(Position::Before | Position::After));
                if self.position.is_some() && is_beside != name.is_some() {
                    let word = kind.as_str();
                    let message = match name {
                        Some(_) => format!("beside `{part}` something is `before` or `after`"),
                        None => format!(
                            "`part: {word}` is a list, with a `first` and a `last`; \"
                             `{word}[NAME]` is what something is `before` or `after`"
                        ),
                    };
                    complaints.refuse(Code::Malformed, position, message);
                }
            }
            (Part::Attribute(_), Some(position)) => {
                complaints.refuse(
                    Code::Malformed,
                    position,
                    "an attribute has no `position`".to_owned(),
                );
            }
            _ => {
                let message = format!(
                    "`op: insert` adds no `part: {part}`: of the parts only `parameter`, `base`, `decorator`, `argument` and `attribute:NAME` can be added"
                );
                complaints.refuse(Code::Malformed, node, message);
            }
        }
    }

    /// Calls follow what changes the parameters of one function.
    fn check_callers(
        &self,
        row: Option<&VerbRow>,
        fields: &OperationFields<'_>,
        complaints: &mut Complaints,
    ) {
        let Some(row) = row.filter(|row| row.takes("callers")) else {
            return;
        };
        if self.callers != Some(true) {
            for field in ["arguments", "unsure"] {
                if let Some(node) = fields.get(field) {
                    let message = format!("`{field}` goes with `callers: true`, which is not here");
                    complaints.refuse(Code::Malformed, node, message);
                }
            }
            return;
        }
        let changes_parameters = matches!(
            (row.name, self.part),
            (_, Some(Part::Item(ItemKind::Parameter, _)))
                | (
                    "replace",
                    None | Some(Part::Definition | Part::Whole | Part::Signature)
                )
        );
        let message = if !changes_parameters {
            "`callers` goes with what changes parameters: `part: signature`, `parameter[NAME]`"
        } else if self.all == Some(true) {
            "`callers` is of one function, and `all` means several"
        } else {
            return;
        };
        if let Some(node) = fields.get("callers") {
            complaints.refuse(Code::Malformed, node, message.to_owned());
        }
    }

    /// A NUL would make a binary file of the one it is written into; whole files may be binary.
    fn check_bytes(&self, fields: &OperationFields<'_>, complaints: &mut Complaints) {
        let inside = !fields.selectors().is_empty();
        let texts = [
            ("content", self.content.as_deref().filter(|_| inside)),
            ("replacement", self.replacement.as_deref()),
        ];
        for (name, text) in texts {
            if let (Some(node), true) = (
                fields.get(name),
                text.is_some_and(|text| text.contains('\0')),
            ) {
                complaints.refuse(
                    Code::Malformed,
                    node,
                    format!("`{name}` holds a NUL character, which text files cannot"),
                );
            }
        }
    }

    /// A definition goes beside definitions, a section beside sections; a section has no name that a module could go on giving.
    fn check_place(&self, fields: &OperationFields<'_>, complaints: &mut Complaints) {
        let Some(selector) = self.selector.as_ref().map(Selector::field) else {
            return;
        };
        let beside = self.place.as_ref().and_then(|place| place.beside.as_ref());
        if let (Some(beside), Some(node)) = (beside.map(Selector::field), fields.get("to"))
            && beside != selector
        {
            let message = format!("a `{selector}` goes to no `{beside}`");
            complaints.refuse(Code::Malformed, node, message);
        }
        for field in ["reexport", "unsure"] {
            if let (Some(node), "section" | "key") = (fields.get(field), selector) {
                let message = format!("`{field}` goes with `symbol`, which is not here");
                complaints.refuse(Code::Malformed, node, message);
            }
        }
    }

    fn check_groups(&self, fields: &OperationFields<'_>, complaints: &mut Complaints) {
        // Only `pattern` as written has groups to name: text in either case has had its dollars doubled.
        let (Some(Selector::Pattern(pattern)), Some(node)) =
            (&self.selector, fields.get("replacement"))
        else {
            return;
        };
        let Some(group) = self
            .replacement
            .as_deref()
            .and_then(|replacement| pattern.unknown_group(replacement))
        else {
            return;
        };
        let mut complaint = Diagnostic::new(
            Code::Malformed,
            format!(
                "`replacement` names the group `{}`, which the pattern does not have",
                shown(group)
            ),
        )
        .at(Some(&node.place))
        .note("`$$` stands for a dollar sign");
        let digits = group.len()
            - group
                .trim_start_matches(|character: char| character.is_ascii_digit())
                .len();
        if digits > 0 && digits < group.len() {
            let (number, rest) = group.split_at(digits);
            complaint = complaint.suggest([format!("${{{number}}}{}", shown(rest))]);
        } else {
            complaint = complaint.suggest(pattern.groups().into_iter().skip(1).take(5));
        }
        complaints.add(complaint);
    }

    /// Takes in a symbol that is written with its file.
    fn read_address(
        &mut self,
        path: &str,
        segment: &str,
        node: &ManifestNode,
        complaints: &mut Complaints,
    ) {
        match RepoPath::parse(path) {
            Ok(_) if self.files.is_some() => {
                let message = "`symbol` names a file, and so does `file`";
                complaints.refuse(Code::Malformed, node, message.to_owned());
            }
            Ok(path) => self.files = Some(Files::One(path)),
            Err(why) => {
                let message = format!("path `{}` {why}", shown(path));
                complaints.refuse(Code::PathRefused, node, message);
            }
        }
        match SymbolSelector::parse(segment) {
            Ok(symbol) => self.selector = Some(Selector::Symbol(symbol)),
            Err(why) => {
                let message = format!("symbol `{}` {why}", shown(segment));
                complaints.refuse(Code::Malformed, node, message);
            }
        }
    }

    fn callers_rule(&self, row: &VerbRow) -> Option<CallersRule> {
        let follows = row.takes("callers") && self.callers == Some(true);
        follows.then(|| CallersRule {
            arguments: self.arguments.clone(),
            unsure: self.terms.unsure,
        })
    }

    fn scoped(&self) -> Option<Scoped> {
        let mut scoped = Scoped::from(self.selector.clone()?);
        scoped.within = self.within.clone();
        scoped.kind = self.kind;
        scoped.loosest = self.loosest.unwrap_or(scoped.loosest);
        scoped.inside_words = self.inside_words;
        scoped.choice = match (self.occurrence, self.all) {
            (Some(number), _) => Choice::Nth(number),
            (None, Some(true)) => Choice::Every,
            (None, Some(false) | None) => Choice::Only,
        };
        Some(scoped)
    }

    /// Makes the verb; `None` only after a complaint.
    fn verb(self, row: &VerbRow) -> Option<Verb> {
        let selector = self.scoped();
        let indent = self.indent;
        let verb = match row.name {
            "replace" => Verb::Replace {
                selector,
                part: self.part,
                content: self.content?,
                indent,
                expect: self.expect,
            },
            "insert" => Verb::Insert {
                selector,
                part: self.part,
                position: self.position,
                content: self.content?,
                indent,
            },
            "delete" => Verb::Delete {
                selector: selector?,
                part: self.part,
                expect: self.expect,
            },
            "substitute" => Verb::Substitute {
                find: selector?,
                replacement: self.replacement?,
                count: self.count,
                expect_count: self.expect_count,
            },
            "create" => Verb::Create {
                content: self.content?,
                executable: self.executable.unwrap_or_default(),
            },
            "remove" => Verb::Remove {
                expect: self.expect,
            },
            "chmod" => Verb::Chmod {
                executable: self.executable?,
            },
            "rename_file" => Verb::RenameFile {
                to: self.to?,
                terms: self.terms,
            },
            "move" => Verb::Move {
                selector: self.selector?,
                to: self.place?,
                terms: self.terms,
                reexports: self.reexports.unwrap_or_default(),
            },
            "rename" => Verb::Rename {
                selector: self.selector?,
                to: self.new_name?,
                terms: self.terms,
            },
            "import" => Verb::Import {
                statement: self.statement?,
            },
            "unimport" => Verb::Unimport {
                statement: self.statement?,
                allows_use: self.allows_use,
            },
            _ => return None,
        };
        Some(verb)
    }
}
