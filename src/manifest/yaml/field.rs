//! The values of an operation's fields that have a rule of their own: paths, selectors, parts.
//!
//! Like everything in value, each returns `None` after complaining.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::tree::{Complaints, ManifestNode, ManifestValue};
use super::value::{plain, similar};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::lexical::is_blank;
use crate::manifest::verbs::{MOVE_FIELDS, VerbRow, WITHIN_FIELDS};
use crate::manifest::words::PART_WORDS;
use crate::manifest::{
    Address, AllowRemove, BlockSelector, ElementSelector, Flags, Indent, KeySelector, LineRange,
    MovePlace, Part, Pattern, SectionSelector, Selector, SymbolSelector,
};
use crate::path::RepoPath;
use crate::syntax::SegmentKind;

/// Refuses text that nobody could see.
pub(super) fn not_blank(text: &str) -> Result<(), String> {
    if is_blank(text) {
        Err("is blank".to_owned())
    } else {
        Ok(())
    }
}

fn path(field: &str, node: &ManifestNode, complaints: &mut Complaints) -> Option<RepoPath> {
    complaints.checked_as(Code::PathRefused, field, node, |text| {
        RepoPath::parse(text).map_err(|why| why.to_string())
    })
}

/// Returns a path that a new file may have.
fn new_path(field: &str, node: &ManifestNode, complaints: &mut Complaints) -> Option<RepoPath> {
    let path = path(field, node, complaints)?;
    match path.check_portable() {
        Ok(()) => Some(path),
        Err(why) => {
            complaints.refuse(
                Code::PathRefused,
                node,
                format!("{field} `{}` {why}", shown(path.as_str())),
            );
            None
        }
    }
}

/// Reads `file`: for `create` a path that every platform can check out.
pub(super) fn file(
    row: Option<&VerbRow>,
    node: &ManifestNode,
    complaints: &mut Complaints,
) -> Option<RepoPath> {
    match row {
        Some(row) if row.name == "create" => new_path("file", node, complaints),
        Some(_) | None => path("file", node, complaints),
    }
}

/// Reads `files`.
pub(super) fn pathspecs(node: &ManifestNode, complaints: &mut Complaints) -> Option<Vec<String>> {
    let items = complaints.list("files", node)?;
    let specs: Vec<String> = items
        .iter()
        .filter_map(|item| complaints.checked_as(Code::PathRefused, "files", item, pathspec))
        .collect();
    (specs.len() == items.len()).then_some(specs)
}

/// Reads `allow_remove`: a boolean, or names.
pub(super) fn allow_remove(
    node: &ManifestNode,
    complaints: &mut Complaints,
) -> Option<AllowRemove> {
    const FIELD: &str = "allow_remove";
    match &node.value {
        ManifestValue::List(_) => {
            let items = complaints.list(FIELD, node)?;
            let named = |text: &str| not_blank(text).map(|()| text.to_owned());
            let names: Vec<String> = items
                .iter()
                .filter_map(|item| complaints.checked(FIELD, item, named))
                .collect();
            (names.len() == items.len()).then_some(AllowRemove::Named(names))
        }
        ManifestValue::Word { .. }
            if !matches!(
                plain(node),
                Some("true" | "True" | "TRUE" | "false" | "False" | "FALSE")
            ) =>
        {
            complaints.wrong_type(FIELD, "`true`, `false` or a list of names", node);
            None
        }
        _ => complaints.boolean(FIELD, node).map(|all| {
            if all {
                AllowRemove::Everything
            } else {
                AllowRemove::Nothing
            }
        }),
    }
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

/// Reads the selector `name`; a pattern is compiled with `flags`.
pub(super) fn selector(
    name: &str,
    node: &ManifestNode,
    flags: Flags,
    complaints: &mut Complaints,
) -> Option<Selector> {
    match name {
        "symbol" => complaints
            .checked(name, node, SymbolSelector::parse)
            .map(Selector::Symbol),
        "section" => section(node, complaints).map(Selector::Section),
        "element" => complaints
            .checked(name, node, ElementSelector::parse)
            .map(Selector::Element),
        "block" => complaints
            .checked(name, node, BlockSelector::parse)
            .map(Selector::Block),
        "key" => complaints
            .checked(name, node, KeySelector::parse)
            .map(Selector::Key),
        "text" => complaints
            .checked(name, node, sought_text)
            .map(Selector::Text),
        "pattern" => complaints
            .checked_as(Code::InvalidPattern, name, node, |text| {
                Pattern::compile(text, flags)
            })
            .map(Selector::Pattern),
        "lines" => lines(node, complaints).map(Selector::Lines),
        _ => None,
    }
}

fn sought_text(text: &str) -> Result<String, String> {
    match text {
        "" => Err("is empty, and would match everywhere".to_owned()),
        _ if text.contains('\0') => {
            Err("holds a NUL character, which text files cannot".to_owned())
        }
        _ => Ok(text.to_owned()),
    }
}

fn section(node: &ManifestNode, complaints: &mut Complaints) -> Option<SectionSelector> {
    let ManifestValue::List(items) = &node.value else {
        return complaints.checked("section", node, SectionSelector::parse);
    };
    complaints.list("section", node)?;
    let headings: Vec<SectionSelector> = items
        .iter()
        .filter_map(|item| complaints.checked("section", item, SectionSelector::parse))
        .collect();
    (headings.len() == items.len()).then(|| SectionSelector {
        path: headings
            .into_iter()
            .flat_map(|heading| heading.path)
            .collect(),
    })
}

fn lines(node: &ManifestNode, complaints: &mut Complaints) -> Option<LineRange> {
    if matches!(node.value, ManifestValue::List(_) | ManifestValue::Map(_)) {
        complaints.wrong_type("lines", "a line `12` or a range \"50-52\"", node);
        return None;
    }
    complaints.checked("lines", node, LineRange::parse)
}

/// Reads `within`: a mapping of one selector that names a segment.
pub(super) fn within(node: &ManifestNode, complaints: &mut Complaints) -> Option<Selector> {
    let ManifestValue::Map(entries) = &node.value else {
        complaints.wrong_type(
            "within",
            "a mapping such as `{symbol: Worker.process}`",
            node,
        );
        return None;
    };
    let mut found = None;
    for (key, value) in entries {
        let name = key.text.as_str();
        if !WITHIN_FIELDS.contains(&name) {
            let complaint = Diagnostic::new(
                Code::Malformed,
                format!("`within` has no field `{}`", shown(name)),
            )
            .suggest(similar(name, &WITHIN_FIELDS))
            .note(format!("it holds one of: {}", WITHIN_FIELDS.join(", ")));
            complaints.add(complaint.at(Some(&key.place)));
            continue;
        }
        found = selector(name, value, Flags::default(), complaints).or(found);
    }
    if entries.len() != 1 {
        complaints.refuse(
            Code::Malformed,
            node,
            "`within` holds exactly one selector".to_owned(),
        );
        return None;
    }
    found
}

/// Reads `kind`.
pub(super) fn kind(node: &ManifestNode, complaints: &mut Complaints) -> Option<SegmentKind> {
    let words: Vec<&str> = SegmentKind::ALL.iter().map(|kind| kind.as_str()).collect();
    complaints.one_of("kind", node, &words, |word| {
        SegmentKind::from_str(word).ok()
    })
}

/// Reads `part`; whether the segment has such a part is not asked here.
pub(super) fn part(node: &ManifestNode, complaints: &mut Complaints) -> Option<Part> {
    complaints.one_of("part", node, &PART_WORDS, Part::parse)
}

/// Reads `indent`: a word or a number, which quotes do not change.
pub(super) fn indent(node: &ManifestNode, complaints: &mut Complaints) -> Option<Indent> {
    complaints.one_of("indent", node, &["auto", "keep", "4"], Indent::parse)
}

/// Reads `arguments`: what is written for each new parameter.
pub(super) fn arguments(
    node: &ManifestNode,
    complaints: &mut Complaints,
) -> BTreeMap<String, String> {
    let ManifestValue::Map(entries) = &node.value else {
        complaints.wrong_type("arguments", "a mapping such as `{timeout: \"30\"}`", node);
        return BTreeMap::new();
    };
    let mut arguments = BTreeMap::new();
    for (key, value) in entries {
        let label = format!("arguments.{}", shown(&key.text));
        let one_line = |text: &str| match text.contains(['\n', '\r', '\0']) {
            true => Err("is more than one line".to_owned()),
            false => not_blank(text),
        };
        let read = complaints.checked(&label, value, |text| {
            one_line(text).map(|()| text.to_owned())
        });
        arguments.extend(read.map(|text| (key.text.clone(), text)));
    }
    arguments
}

/// Reads `to` of a file that moves.
pub(super) fn destination(node: &ManifestNode, complaints: &mut Complaints) -> Option<RepoPath> {
    new_path("to", node, complaints)
}

/// Reads `to` of a segment that moves: a path, an address, or a mapping.
pub(super) fn moved_to(node: &ManifestNode, complaints: &mut Complaints) -> Option<MovePlace> {
    let entries = match &node.value {
        ManifestValue::Map(entries) if !entries.is_empty() => entries,
        ManifestValue::Word { .. } => return address_to(node, complaints),
        ManifestValue::Refused => return None,
        ManifestValue::Map(_) | ManifestValue::List(_) | ManifestValue::Nothing => {
            complaints.wrong_type(
                "to",
                "a path, or a mapping such as `{file: src/b.py, symbol: f, position: after}`",
                node,
            );
            return None;
        }
    };
    let mut to = MovePlace::default();
    let mut is_whole = true;
    for (key, value) in entries {
        match key.text.as_str() {
            "file" => {
                to.file = path("to.file", value, complaints);
                is_whole &= to.file.is_some();
            }
            "position" => {
                to.position = complaints.word("position", value);
                is_whole &= to.position.is_some();
            }
            name @ ("symbol" | "section") => {
                if to.beside.is_some() {
                    let message = "`to` has one selector, not both `symbol` and `section`";
                    complaints.refuse(Code::Malformed, value, message.to_owned());
                }
                to.beside = selector(name, value, Flags::default(), complaints);
                is_whole &= to.beside.is_some();
            }
            name => {
                let complaint = Diagnostic::new(
                    Code::Malformed,
                    format!("`to` has no field `{}`", shown(name)),
                );
                complaints.add(
                    complaint
                        .at(Some(&key.place))
                        .suggest(similar(name, &MOVE_FIELDS))
                        .note(format!("it holds: {}", MOVE_FIELDS.join(", "))),
                );
                is_whole = false;
            }
        }
    }
    is_whole.then_some(to)
}

/// Reads a place that is written in one word: `src/b.py`, `src/b.py::f`.
fn address_to(node: &ManifestNode, complaints: &mut Complaints) -> Option<MovePlace> {
    let text = complaints.text("to", node)?;
    if !text.contains("::") {
        let file = path("to", node, complaints)?;
        return Some(MovePlace {
            file: Some(file),
            ..MovePlace::default()
        });
    }
    match Address::parse(text) {
        Ok(address) => Some(MovePlace {
            file: Some(address.path),
            beside: address.selector,
            position: None,
        }),
        Err(refusal) => {
            complaints.add(refusal.at(Some(&node.place)));
            None
        }
    }
}
