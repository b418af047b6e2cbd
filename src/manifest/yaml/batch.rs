//! The batch: the fields of an operation file's top, each by its rule, and the list of operations.

use std::collections::BTreeMap;

use super::limits::{MAX_OPERATIONS, MAX_PATTERNS, VERSION};
use super::operation;
use super::tree::{Complaints, ManifestKey, ManifestNode, ManifestValue, first_word};
use super::value::{plain, similar};
use crate::diagnostic::{Code, Diagnostic, PlanPlace, shown};
use crate::manifest::batch::{
    MAX_MESSAGE, check_base, check_branch, check_message, check_trailer_key, check_trailer_value,
    forged_trailer,
};
use crate::manifest::verbs::BATCH_FIELDS;
use crate::manifest::{Author, Manifest, ManifestText, NameRules, Operation, Overrides};
use crate::parallel;

/// Reads the batch that `root` writes; complaints may have been added when it is `Some`.
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    root: &ManifestNode,
    overrides: &Overrides,
    complaints: &mut Complaints,
) -> Option<Manifest> {
    let entries = mapping(root, complaints)?;
    let fields: BTreeMap<&str, &ManifestNode> = entries
        .iter()
        .map(|(key, value)| (key.text.as_str(), value))
        .collect();
    check_version(root, fields.get("version").copied(), complaints)?;
    check_keys(entries, complaints);
    let manifest = Manifest {
        source: ManifestText {
            name: name.to_owned(),
            text: String::from_utf8_lossy(bytes).into_owned(),
        },
        message: fields
            .get("message")
            .and_then(|node| message(node, bytes, complaints)),
        trailers: fields
            .get("trailers")
            .map(|node| trailers(node, complaints))
            .unwrap_or_default(),
        author: fields
            .get("author")
            .and_then(|node| complaints.checked("author", node, Author::parse)),
        destination: fields
            .get("destination")
            .and_then(|node| complaints.word("destination", node))
            .unwrap_or_default(),
        branch: fields
            .get("branch")
            .and_then(|node| owned("branch", node, check_branch, complaints)),
        base: fields
            .get("base")
            .and_then(|node| owned("base", node, check_base, complaints)),
        mode: fields
            .get("mode")
            .and_then(|node| complaints.word("mode", node))
            .unwrap_or_default(),
        order: fields
            .get("resolve")
            .and_then(|node| complaints.word("resolve", node))
            .unwrap_or_default(),
        rules: NameRules {
            names: fields
                .get("names")
                .and_then(|node| complaints.word("names", node)),
            imports: fields
                .get("imports")
                .and_then(|node| complaints.word("imports", node)),
        },
        operations: operations(
            root,
            fields.get("operations").copied(),
            bytes.len(),
            complaints,
        ),
    };
    let manifest = manifest.overridden(overrides).ok()?;
    for (field, conflict) in manifest.conflicts() {
        complaints.add(conflict.at(fields.get(field).map(|node| &node.place)));
    }
    Some(manifest)
}

pub(super) fn mapping<'tree>(
    root: &'tree ManifestNode,
    complaints: &mut Complaints,
) -> Option<&'tree [(ManifestKey, ManifestNode)]> {
    let message = match &root.value {
        ManifestValue::Map(entries) => return Some(entries),
        ManifestValue::Refused => return None,
        ManifestValue::Nothing => "the operation file is empty".to_owned(),
        other @ (ManifestValue::Word { .. } | ManifestValue::List(_)) => {
            format!("an operation file is a mapping, not {}", other.sort())
        }
    };
    complaints.add(
        Diagnostic::new(Code::Malformed, message)
            .at(Some(&root.place))
            .note(OUTLINE),
    );
    None
}

/// The least that an operation file holds.
const OUTLINE: &str = "it begins with `version: 1` and lists its `operations:`";

/// Stops at another version: its fields would be judged by rules that are not its own.
fn check_version(
    root: &ManifestNode,
    node: Option<&ManifestNode>,
    complaints: &mut Complaints,
) -> Option<()> {
    let Some(node) = node else {
        let message = format!("`version` is missing; this program reads `version: {VERSION}`");
        complaints.add(Diagnostic::new(Code::Malformed, message).at(Some(&first_word(root))));
        return Some(());
    };
    if matches!(node.value, ManifestValue::Refused) || plain(node) == Some("1") {
        return Some(());
    }
    let found = match &node.value {
        ManifestValue::Word { text, .. } => shown(text),
        other => other.sort().to_owned(),
    };
    let message =
        format!("version `{found}` is not supported; this program reads `version: {VERSION}`");
    complaints.add(
        Diagnostic::new(Code::Malformed, message)
            .at(Some(&node.place))
            .suggest([VERSION.to_string()]),
    );
    let another = plain(node).is_some_and(|text| text.parse::<f64>().is_ok());
    (!another).then_some(())
}

fn check_keys(entries: &[(ManifestKey, ManifestNode)], complaints: &mut Complaints) {
    for (key, _) in entries
        .iter()
        .filter(|(key, _)| !BATCH_FIELDS.contains(&key.text.as_str()))
    {
        let complaint = Diagnostic::new(
            Code::Malformed,
            format!("a batch has no field `{}`", shown(&key.text)),
        )
        .at(Some(&key.place))
        .suggest(similar(&key.text, &BATCH_FIELDS))
        .note(format!("its fields are: {}", BATCH_FIELDS.join(", ")));
        complaints.add(complaint);
    }
}

fn owned(
    field: &str,
    node: &ManifestNode,
    rule: fn(&str) -> Result<(), String>,
    complaints: &mut Complaints,
) -> Option<String> {
    complaints.checked(field, node, |text| rule(text).map(|()| text.to_owned()))
}

fn message(node: &ManifestNode, source: &[u8], complaints: &mut Complaints) -> Option<String> {
    let text = complaints.text("message", node)?;
    let code = if text.len() > MAX_MESSAGE {
        Code::TooLarge
    } else {
        Code::Malformed
    };
    let why = match check_message(text) {
        Ok(()) => return Some(text.to_owned()),
        Err(why) => why,
    };
    let line = forged_trailer(text).and_then(|line| place_inside(node, line, source));
    let place = line.as_ref().unwrap_or(&node.place);
    complaints.add(Diagnostic::new(code, format!("message {why}")).at(Some(place)));
    None
}

/// Returns where `words` stand inside `node` as it is written, unless escapes or folding hide them.
fn place_inside(node: &ManifestNode, words: &str, source: &[u8]) -> Option<PlanPlace> {
    let written = std::str::from_utf8(source.get(node.place.start..node.place.end)?).ok()?;
    let at = written.find(words)?;
    let ahead = &written[..at];
    let start = node.place.start + at;
    let column = match ahead.rsplit_once('\n') {
        Some((_, line)) => line.chars().count() + 1,
        None => node.place.column + ahead.chars().count(),
    };
    let line = node.place.line + ahead.matches('\n').count();
    Some(PlanPlace {
        line,
        column,
        start,
        end: start + words.len(),
    })
}

fn trailers(node: &ManifestNode, complaints: &mut Complaints) -> Vec<(String, String)> {
    let ManifestValue::Map(entries) = &node.value else {
        complaints.wrong_type("trailers", "a mapping of keys to values", node);
        return Vec::new();
    };
    let mut trailers = Vec::new();
    for (key, value) in entries {
        if let Err(why) = check_trailer_key(&key.text) {
            let message = format!("trailer `{}` {why}", shown(&key.text));
            complaints.add(Diagnostic::new(Code::Malformed, message).at(Some(&key.place)));
        }
        let label = format!("trailers.{}", shown(&key.text));
        if let Some(value) = owned(&label, value, check_trailer_value, complaints) {
            trailers.push((key.text.clone(), value));
        }
    }
    trailers
}

pub(super) fn operations(
    root: &ManifestNode,
    node: Option<&ManifestNode>,
    bytes: usize,
    complaints: &mut Complaints,
) -> Vec<Operation> {
    let Some(node) = node else {
        let message = "`operations` is missing: the batch would do nothing";
        complaints.add(Diagnostic::new(Code::Malformed, message).at(Some(&first_word(root))));
        return Vec::new();
    };
    let Some(items) = complaints.list("operations", node) else {
        return Vec::new();
    };
    if let Some(first_too_many) = items.get(MAX_OPERATIONS) {
        let message = format!(
            "the batch has {} operations; at most {MAX_OPERATIONS} are taken",
            items.len()
        );
        complaints.refuse(Code::TooLarge, first_too_many, message);
        return Vec::new();
    }
    if let Some(first_too_many) = items
        .iter()
        .filter(|item| has_pattern(item))
        .nth(MAX_PATTERNS)
    {
        let message = format!("the batch has more than {MAX_PATTERNS} operations with a `pattern`");
        complaints.refuse(Code::TooLarge, first_too_many, message);
        return Vec::new();
    }
    let read = parallel::weighed(
        bytes,
        items.iter().enumerate().collect(),
        |(index, item)| {
            let mut complaints = Complaints::of_operation(index);
            (operation::read(item, &mut complaints), complaints)
        },
    );
    let operations = read.into_iter().filter_map(|(operation, of_it)| {
        complaints.append(of_it);
        operation
    });
    operations.collect()
}

fn has_pattern(item: &ManifestNode) -> bool {
    matches!(&item.value, ManifestValue::Map(entries) if entries.iter().any(|(key, _)| key.text == "pattern"))
}
