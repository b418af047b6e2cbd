//! One operation: its fields by the table of verbs, each value by its type, then what goes with what.
//!
//! Three passes, so that one mistake hides no other: keys against the table, values one by one, the verb from them.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::batch::first_word;
use super::tree::{Complaints, Key, Node, Value};
use super::value::{plain, similar};
use crate::diagnostic::{Code, Diagnostic, Place, shown};
use crate::manifest::selector::{Flags, LineRange, Pattern, SectionSelector, Selector, SymbolSelector};
use crate::manifest::verbs::{
    GOES_WITH, MOVE_FIELDS, SELECTORS, VERBS, VerbRow, WITHIN_FIELDS, instead_of_selector, operation_fields,
    verbs_that_take,
};
use crate::manifest::words::PART_WORDS;
use crate::manifest::{Expect, Files, Indent, MatchLevel, Operation, Part, Position, Scoped, Verb};
use crate::path::RepoPath;
use crate::syntax::Kind;

/// Reads one operation, or complains and returns `None`.
pub fn read(node: &Node, complaints: &mut Complaints) -> Option<Operation> {
    let Value::Map(entries) = &node.value else {
        complaints.wrong_type("operation", "a mapping", node);
        return None;
    };
    let before = complaints.count();
    let fields = Fields { by_name: entries.iter().map(|(key, value)| (key.text.as_str(), value)).collect(), node };
    let row = verb_row(&fields, entries, complaints);
    check_keys(row, entries, complaints);
    let row = match row {
        Some(row) => {
            check_company(row, &fields, complaints);
            row
        }
        None => {
            // Without a verb the values can still be judged by their names.
            Draft::read(None, &fields, complaints);
            return None;
        }
    };
    let draft = Draft::read(Some(row), &fields, complaints);
    if let Some(instead) = row.instead {
        let complaint =
            Diagnostic::new(Code::Unsupported, format!("`op: {}` is not carried out by this version", row.name));
        complaints.add(complaint.at(Some(&fields.verb_place())).note(instead));
    }
    if complaints.count() > before {
        return None;
    }
    Some(Operation {
        id: draft.id.clone(),
        files: draft.files.clone()?,
        verb: draft.verb(row)?,
        places: fields.places(),
    })
}

/// The fields of one operation by name.
struct Fields<'tree> {
    by_name: BTreeMap<&'tree str, &'tree Node>,
    node: &'tree Node,
}

impl<'tree> Fields<'tree> {
    fn get(&self, field: &str) -> Option<&'tree Node> {
        self.by_name.get(field).copied()
    }

    fn has(&self, field: &str) -> bool {
        self.by_name.contains_key(field)
    }

    /// Returns where the verb stands: the place to point at when something is missing.
    fn verb_place(&self) -> Place {
        self.get("op").map_or_else(|| first_word(self.node), |op| op.place.clone())
    }

    fn places(&self) -> BTreeMap<String, Place> {
        let mut places: BTreeMap<String, Place> =
            self.by_name.iter().map(|(name, node)| ((*name).to_owned(), node.place.clone())).collect();
        places.insert(String::new(), self.node.place.clone());
        places
    }

    /// Returns the selectors that are there, in the table's order.
    fn selectors(&self) -> Vec<&'static str> {
        SELECTORS.into_iter().filter(|selector| self.has(selector)).collect()
    }
}

fn verb_row(fields: &Fields<'_>, entries: &[(Key, Node)], complaints: &mut Complaints) -> Option<&'static VerbRow> {
    let Some(node) = fields.get("op") else {
        let mut complaint =
            Diagnostic::new(Code::Malformed, "the operation has no `op`").at(Some(&first_word(fields.node)));
        if let Some((key, _)) = entries.iter().find(|(key, _)| VerbRow::named(&key.text).is_some()) {
            complaint = complaint.suggest([format!("op: {}", key.text)]);
        }
        complaints.add(complaint.note(format!("it is one of: {}", supported_verbs().join(", "))));
        return None;
    };
    let text = complaints.text("op", node)?;
    let row = VerbRow::named(text);
    if row.is_none() {
        let complaint = Diagnostic::new(Code::Malformed, format!("`{}` is not an operation", shown(text)))
            .at(Some(&node.place))
            .suggest(similar(text, &supported_verbs()))
            .note(format!("op is one of: {}", supported_verbs().join(", ")));
        complaints.add(complaint);
    }
    row
}

fn supported_verbs() -> Vec<&'static str> {
    VERBS.iter().filter(|row| row.is_supported()).map(|row| row.name).collect()
}

/// First pass: every key is known, and taken by the verb.
fn check_keys(row: Option<&VerbRow>, entries: &[(Key, Node)], complaints: &mut Complaints) {
    let known = operation_fields();
    for (key, _) in entries {
        let name = key.text.as_str();
        let complaint = match row {
            _ if !known.contains(&name) => {
                let fields = row.map_or_else(|| known.clone(), VerbRow::fields);
                Diagnostic::new(Code::Malformed, format!("an operation has no field `{}`", shown(name)))
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
    let complaint = Diagnostic::new(Code::Malformed, format!("`op: {}` does not take `{field}`", row.name));
    if field == "files" {
        return complaint.suggest(["file".to_owned()]).note("it acts on one `file`; `substitute` takes `files`");
    }
    let takers = verbs_that_take(field);
    if takers.is_empty() { complaint } else { complaint.note(format!("taken by: {}", takers.join(", "))) }
}

/// Third pass, ahead of the values because it needs only the keys: what must be there, and what goes together.
fn check_company(row: &VerbRow, fields: &Fields<'_>, complaints: &mut Complaints) {
    let at = fields.verb_place();
    let mut missing = |message: String, note: Option<&str>| {
        let complaint = Diagnostic::new(Code::Malformed, message).at(Some(&at));
        complaints.add(match note {
            Some(note) => complaint.note(note),
            None => complaint,
        });
    };
    if !fields.has("file") && !(row.many_files && fields.has("files")) {
        let or = if row.many_files { " or `files`" } else { "" };
        missing(format!("`op: {}` needs `file`{or}", row.name), None);
    }
    for field in row.needed.iter().filter(|field| !fields.has(field)) {
        missing(format!("`op: {}` needs `{field}`", row.name), None);
    }
    let selectors: Vec<&str> = fields.selectors().into_iter().filter(|name| row.selectors.contains(name)).collect();
    if row.selector_needed && selectors.is_empty() {
        let note = (row.name == "delete").then_some("to delete the file itself, use `op: remove`");
        missing(format!("`op: {}` needs a selector: {}", row.name, alternatives(row.selectors)), note);
    }
    if let [first, second, ..] = selectors.as_slice() {
        let place = fields.get(second).map(|node| &node.place);
        let message = format!("an operation has one selector, not both `{first}` and `{second}`");
        complaints.add(Diagnostic::new(Code::Malformed, message).at(place));
    }
    if let (true, Some(_), Some(files)) = (row.many_files, fields.get("file"), fields.get("files")) {
        complaints.refuse(Code::Malformed, files, "an operation has `file` or `files`, not both".to_owned());
    }
    for (field, wanted) in GOES_WITH {
        let Some(node) = fields.get(field).filter(|_| row.takes(field)) else { continue };
        let lonely = !selectors.iter().any(|selector| wanted.contains(selector));
        if lonely && !(row.selector_needed && selectors.is_empty()) {
            let message = format!("`{field}` goes with {}, which is not here", alternatives(wanted));
            complaints.refuse(Code::Malformed, node, message);
        }
    }
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
struct Draft {
    id: Option<String>,
    files: Option<Files>,
    selector: Option<Selector>,
    within: Option<Selector>,
    kind: Option<Kind>,
    loosest: Option<MatchLevel>,
    content: Option<String>,
    part: Option<Part>,
    indent: Option<Indent>,
    expect: Option<Expect>,
    position: Option<Position>,
    replacement: Option<String>,
    count: Option<usize>,
    expect_count: Option<usize>,
    executable: Option<bool>,
    to: Option<RepoPath>,
}

impl Draft {
    /// Second pass: the values of the fields that the verb takes, or of all when the verb is not known.
    fn read(row: Option<&VerbRow>, fields: &Fields<'_>, complaints: &mut Complaints) -> Draft {
        let mut draft = Draft::default();
        let mut flags = Flags::default();
        for (&name, &node) in fields.by_name.iter().filter(|(name, _)| row.is_none_or(|row| row.takes(name))) {
            match name {
                "id" => draft.id = complaints.text(name, node).map(str::to_owned),
                "file" => draft.files = file(row, node, complaints).map(Files::One),
                "files" => draft.files = pathspecs(node, complaints).map(Files::Matching),
                "within" => draft.within = within(node, complaints),
                "kind" => draft.kind = kind(node, complaints),
                "match" => draft.loosest = complaints.word(name, node),
                "content" => draft.content = complaints.text(name, node).map(str::to_owned),
                "part" => draft.part = part(node, fields, complaints),
                "indent" => draft.indent = indent(node, complaints),
                "expect" => draft.expect = complaints.checked(name, node, Expect::parse),
                "position" => draft.position = complaints.word(name, node),
                "replacement" => draft.replacement = complaints.text(name, node).map(str::to_owned),
                "count" => draft.count = complaints.number(name, node),
                "expect_count" => draft.expect_count = complaints.number(name, node),
                "ignore_case" => flags.ignore_case = complaints.boolean(name, node).unwrap_or_default(),
                "multiline" => flags.multiline = complaints.boolean(name, node).unwrap_or_default(),
                "dotall" => flags.dotall = complaints.boolean(name, node).unwrap_or_default(),
                "executable" => draft.executable = complaints.boolean(name, node),
                "to" => draft.to = destination(row, node, complaints),
                "scope" => drop(complaints.one_of(name, node, &["file", "project"], |word| {
                    ["file", "project"].contains(&word).then_some(())
                })),
                "statement" => drop(complaints.checked(name, node, not_blank)),
                // `op` is read; selectors need the flags; unknown ones were complained about.
                _ => {}
            }
        }
        for name in fields.selectors().into_iter().filter(|name| row.is_none_or(|row| row.takes(name))) {
            if let Some(node) = fields.get(name) {
                draft.selector = selector(name, node, flags, complaints).or(draft.selector);
            }
        }
        draft.ignore_case(flags, fields, complaints);
        draft.check_bytes(fields, complaints);
        draft.check_groups(fields, complaints);
        draft
    }

    /// Text in either case is a pattern that matches it literally, so that one mechanism knows about case.
    fn ignore_case(&mut self, flags: Flags, fields: &Fields<'_>, complaints: &mut Complaints) {
        let (Some(Selector::Text(text)), true) = (&self.selector, flags.ignore_case) else { return };
        if let Some(node) = fields.get("match").filter(|_| self.loosest.is_some_and(|level| level != MatchLevel::Exact))
        {
            let message = "`ignore_case` finds the text exactly but for its case; `match` can only be `exact`";
            complaints.refuse(Code::Malformed, node, message.to_owned());
        }
        match Pattern::literally_ignoring_case(text) {
            Ok(pattern) => self.selector = Some(Selector::Pattern(pattern)),
            Err(why) => {
                if let Some(node) = fields.get("text") {
                    complaints.refuse(Code::InvalidPattern, node, format!("text with `ignore_case` {why}"));
                }
            }
        }
        self.loosest = None;
        self.replacement = self.replacement.take().map(|replacement| replacement.replace('$', "$$"));
    }

    /// A NUL would make a binary file of the one it is written into; whole files may be binary.
    fn check_bytes(&self, fields: &Fields<'_>, complaints: &mut Complaints) {
        let inside = !fields.selectors().is_empty();
        let texts =
            [("content", self.content.as_deref().filter(|_| inside)), ("replacement", self.replacement.as_deref())];
        for (name, text) in texts {
            if let (Some(node), true) = (fields.get(name), text.is_some_and(|text| text.contains('\0'))) {
                complaints.refuse(
                    Code::Malformed,
                    node,
                    format!("`{name}` holds a NUL character, which text files cannot"),
                );
            }
        }
    }

    fn check_groups(&self, fields: &Fields<'_>, complaints: &mut Complaints) {
        // Only `pattern` as written has groups to name: text in either case has had its dollars doubled.
        let (Some(Selector::Pattern(pattern)), Some(node)) = (&self.selector, fields.get("replacement")) else {
            return;
        };
        let Some(group) = self.replacement.as_deref().and_then(|replacement| pattern.unknown_group(replacement)) else {
            return;
        };
        let mut complaint = Diagnostic::new(
            Code::Malformed,
            format!("`replacement` names the group `{}`, which the pattern does not have", shown(group)),
        )
        .at(Some(&node.place))
        .note("`$$` stands for a dollar sign");
        let digits = group.len() - group.trim_start_matches(|character: char| character.is_ascii_digit()).len();
        if digits > 0 && digits < group.len() {
            let (number, rest) = group.split_at(digits);
            complaint = complaint.suggest([format!("${{{number}}}{}", shown(rest))]);
        } else {
            complaint = complaint.suggest(pattern.groups().into_iter().skip(1).take(5));
        }
        complaints.add(complaint);
    }

    fn scoped(&self) -> Option<Scoped> {
        let mut scoped = Scoped::from(self.selector.clone()?);
        scoped.within = self.within.clone();
        scoped.kind = self.kind;
        scoped.loosest = self.loosest.unwrap_or(scoped.loosest);
        Some(scoped)
    }

    /// Makes the verb; `None` only after a complaint.
    fn verb(self, row: &VerbRow) -> Option<Verb> {
        let selector = self.scoped();
        let indent = self.indent.unwrap_or_default();
        let verb = match row.name {
            "replace" => {
                Verb::Replace { selector, part: self.part, content: self.content?, indent, expect: self.expect }
            }
            "insert" => Verb::Insert { selector, position: self.position, content: self.content?, indent },
            "delete" => Verb::Delete { selector: selector?, part: self.part, expect: self.expect },
            "substitute" => Verb::Substitute {
                find: selector?,
                replacement: self.replacement?,
                count: self.count,
                expect_count: self.expect_count,
            },
            "create" => Verb::Create { content: self.content?, executable: self.executable.unwrap_or_default() },
            "remove" => Verb::Remove { expect: self.expect },
            "rename_file" => Verb::RenameFile { to: self.to? },
            _ => return None,
        };
        Some(verb)
    }
}

fn not_blank(text: &str) -> Result<(), String> {
    if text.trim().is_empty() { Err("is blank".to_owned()) } else { Ok(()) }
}

fn path(field: &str, node: &Node, complaints: &mut Complaints) -> Option<RepoPath> {
    complaints.checked_as(Code::PathRefused, field, node, |text| RepoPath::parse(text).map_err(|why| why.to_string()))
}

/// Returns a path that a new file may have.
fn new_path(field: &str, node: &Node, complaints: &mut Complaints) -> Option<RepoPath> {
    let path = path(field, node, complaints)?;
    match path.check_portable() {
        Ok(()) => Some(path),
        Err(why) => {
            complaints.refuse(Code::PathRefused, node, format!("{field} `{}` {why}", shown(path.as_str())));
            None
        }
    }
}

fn file(row: Option<&VerbRow>, node: &Node, complaints: &mut Complaints) -> Option<RepoPath> {
    match row {
        Some(row) if row.name == "create" => new_path("file", node, complaints),
        Some(_) | None => path("file", node, complaints),
    }
}

fn pathspecs(node: &Node, complaints: &mut Complaints) -> Option<Vec<String>> {
    let items = complaints.list("files", node)?;
    let specs: Vec<String> =
        items.iter().filter_map(|item| complaints.checked_as(Code::PathRefused, "files", item, pathspec)).collect();
    (specs.len() == items.len()).then_some(specs)
}

/// Pathspecs match tracked paths only; these could not match any, and say that something else was meant.
fn pathspec(text: &str) -> Result<String, String> {
    not_blank(text)?;
    if text.contains('\0') {
        return Err("contains a NUL byte".to_owned());
    }
    if text.starts_with('/') {
        return Err("is absolute; paths are relative to the repository's root".to_owned());
    }
    if text.split('/').any(|part| part == "..") {
        return Err("has a `..` component".to_owned());
    }
    Ok(text.to_owned())
}

fn selector(name: &str, node: &Node, flags: Flags, complaints: &mut Complaints) -> Option<Selector> {
    match name {
        "symbol" => complaints.checked(name, node, SymbolSelector::parse).map(Selector::Symbol),
        "section" => section(node, complaints).map(Selector::Section),
        "text" => complaints.checked(name, node, sought_text).map(Selector::Text),
        "pattern" => complaints
            .checked_as(Code::InvalidPattern, name, node, |text| Pattern::compile(text, flags))
            .map(Selector::Pattern),
        "lines" => lines(node, complaints).map(Selector::Lines),
        _ => {
            complaints.checked(name, node, not_blank)?;
            let complaint = Diagnostic::new(Code::Unsupported, format!("`{name}` is not resolved by this version"));
            let complaint = complaint.at(Some(&node.place));
            complaints.add(match instead_of_selector(name) {
                Some(instead) => complaint.note(instead),
                None => complaint,
            });
            None
        }
    }
}

fn sought_text(text: &str) -> Result<String, String> {
    match text {
        "" => Err("is empty, and would match everywhere".to_owned()),
        _ if text.contains('\0') => Err("holds a NUL character, which text files cannot".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

fn section(node: &Node, complaints: &mut Complaints) -> Option<SectionSelector> {
    let Value::List(items) = &node.value else {
        return complaints.checked("section", node, SectionSelector::parse);
    };
    complaints.list("section", node)?;
    let headings: Vec<SectionSelector> =
        items.iter().filter_map(|item| complaints.checked("section", item, SectionSelector::parse)).collect();
    (headings.len() == items.len())
        .then(|| SectionSelector { path: headings.into_iter().flat_map(|heading| heading.path).collect() })
}

fn lines(node: &Node, complaints: &mut Complaints) -> Option<LineRange> {
    if matches!(node.value, Value::List(_) | Value::Map(_)) {
        complaints.wrong_type("lines", "a line `12` or a range \"50-52\"", node);
        return None;
    }
    complaints.checked("lines", node, LineRange::parse)
}

fn within(node: &Node, complaints: &mut Complaints) -> Option<Selector> {
    let Value::Map(entries) = &node.value else {
        complaints.wrong_type("within", "a mapping such as `{symbol: Worker.process}`", node);
        return None;
    };
    let mut found = None;
    for (key, value) in entries {
        let name = key.text.as_str();
        if !WITHIN_FIELDS.contains(&name) {
            let complaint = Diagnostic::new(Code::Malformed, format!("`within` has no field `{}`", shown(name)))
                .suggest(similar(name, &WITHIN_FIELDS))
                .note(format!("it holds one of: {}", WITHIN_FIELDS.join(", ")));
            complaints.add(complaint.at(Some(&key.place)));
            continue;
        }
        found = selector(name, value, Flags::default(), complaints).or(found);
    }
    if entries.len() != 1 {
        complaints.refuse(Code::Malformed, node, "`within` holds exactly one selector".to_owned());
        return None;
    }
    found
}

fn kind(node: &Node, complaints: &mut Complaints) -> Option<Kind> {
    let words: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
    complaints.one_of("kind", node, &words, |word| Kind::from_str(word).ok())
}

fn part(node: &Node, fields: &Fields<'_>, complaints: &mut Complaints) -> Option<Part> {
    let part = complaints.one_of("part", node, &PART_WORDS, Part::parse)?;
    let (selector, other) = match part {
        Part::Whole | Part::Body => return Some(part),
        Part::Definition | Part::Signature | Part::Docstring => ("section", "symbol"),
        Part::Own | Part::Heading | Part::Code(_) | Part::Table(_) | Part::List(_) => ("symbol", "section"),
    };
    if fields.has(selector) {
        complaints.refuse(Code::Malformed, node, format!("`part: {part}` is of a `{other}`, not of a `{selector}`"));
        return None;
    }
    Some(part)
}

fn indent(node: &Node, complaints: &mut Complaints) -> Option<Indent> {
    let words = ["auto", "keep", "4"];
    let number = plain(node).is_some();
    complaints.one_of("indent", node, &words, |text| {
        Indent::parse(text).filter(|indent| number || !matches!(indent, Indent::Spaces(_)))
    })
}

/// Reads `to`, which is a path, a new name or a place, by the verb.
fn destination(row: Option<&VerbRow>, node: &Node, complaints: &mut Complaints) -> Option<RepoPath> {
    match row.map(|row| row.name) {
        Some("rename_file") => new_path("to", node, complaints),
        Some("rename") => {
            complaints.checked("to", node, SymbolSelector::parse);
            None
        }
        Some("move") => {
            moved_to(node, complaints);
            None
        }
        Some(_) | None => None,
    }
}

fn moved_to(node: &Node, complaints: &mut Complaints) {
    let Value::Map(entries) = &node.value else {
        return complaints.wrong_type("to", "a mapping such as `{file: src/b.py, symbol: f, position: after}`", node);
    };
    for (key, value) in entries {
        match key.text.as_str() {
            "file" => drop(path("to.file", value, complaints)),
            "position" => drop(complaints.word::<Position>("position", value)),
            name if SELECTORS.contains(&name) => drop(selector(name, value, Flags::default(), complaints)),
            name => {
                let complaint = Diagnostic::new(Code::Malformed, format!("`to` has no field `{}`", shown(name)));
                complaints.add(complaint.at(Some(&key.place)).suggest(similar(name, &MOVE_FIELDS)));
            }
        }
    }
}
