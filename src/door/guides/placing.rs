//! How a file of a guide gets into a repository: by operations on what is there, so that the rest of the file stays and all of it
//! can be undone.

use serde_json::{Value, json};

use super::{GuideFile, GuideRole};
use crate::manifest::fields::{FieldNames, of_file};
use crate::path::RepoPath;
use crate::text::Span;

/// Returns the operations that put `file` at `path`, where `old` is now, with segments of these addresses within the file, each with
/// its range of bytes; nothing where it is there as it should be. An entry that starts the server is, whatever else is in it.
pub(crate) fn placing_operations(
    file: &GuideFile,
    path: &RepoPath,
    old: Option<&[u8]>,
    segments: &[(String, Span)],
) -> Vec<FieldNames> {
    let operation = |op: &str, more: Value| {
        let mut fields = of_file(path);
        fields.insert("op".to_owned(), json!(op));
        if let Value::Object(more) = more {
            fields.extend(more);
        }
        vec![fields]
    };
    let Some(old) = old else {
        return operation("create", json!({ "content": file.text }));
    };
    // A table of TOML may be there by its parts alone.
    let is_of = |address: &str, segment: &str| {
        segment
            .strip_prefix(address)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let has = |address: &str| segments.iter().any(|(segment, _)| is_of(address, segment));
    if let GuideRole::Entry(keys, _) = &file.role {
        let key = keys.join(".");
        let own = segments
            .iter()
            .filter(|(segment, _)| is_of(&key, segment))
            .map(|(_, span)| span.of(old));
        if starts_server(&own.collect::<Vec<_>>().concat()) {
            return Vec::new();
        }
    }
    match &file.role {
        GuideRole::Whole if old == file.text.as_bytes() => Vec::new(),
        // What a version before wrote goes as a whole.
        GuideRole::Whole => operation(
            "replace",
            json!({ "content": file.text, "allow_remove": true }),
        ),
        GuideRole::Region(name) if has(&format!("block:{name}")) => operation(
            "replace",
            json!({ "block": name, "content": placed_inside(&file.text), "allow_remove": true }),
        ),
        GuideRole::Region(_) => operation(
            "insert",
            json!({ "position": "last", "content": file.text }),
        ),
        GuideRole::Entry(keys, value) if path.as_str().ends_with(".toml") => {
            match keys.as_slice() {
                [around, name] if has(&format!("{around}.{name}")) => {
                    let key = format!("{around}.{name}");
                    operation(
                        "replace",
                        json!({ "key": key, "content": value, "allow_remove": true }),
                    )
                }
                [around, _] if has(around) => operation(
                    "insert",
                    json!({ "key": around, "position": "last", "content": value }),
                ),
                _ => operation("insert", json!({ "position": "last", "content": value })),
            }
        }
        GuideRole::Entry(keys, value) => {
            placing_entry(file, (keys, value), old, segments, &operation)
        }
    }
}

/// Returns the operations that put an entry into a file of JSON.
fn placing_entry(
    file: &GuideFile,
    (keys, value): (&[&str], &str),
    old: &[u8],
    segments: &[(String, Span)],
    operation: &dyn Fn(&str, Value) -> Vec<FieldNames>,
) -> Vec<FieldNames> {
    let has = |address: &str| segments.iter().any(|(segment, _)| segment == address);
    let [around, name] = keys else {
        return Vec::new();
    };
    let key = format!("{around}.{name}");
    if has(&key) {
        return operation(
            "replace",
            json!({ "key": key, "content": value, "allow_remove": true }),
        );
    }
    let server = format!("\"{name}\": {value}");
    if has(around) {
        return operation(
            "insert",
            json!({ "key": around, "position": "last", "content": server }),
        );
    }
    if old.trim_ascii().is_empty() {
        return operation("replace", json!({ "content": file.text }));
    }
    let content = format!("\"{around}\": {{\n  {}\n}}", server.replace('\n', "\n  "));
    match segments
        .iter()
        .rfind(|(segment, _)| !segment.contains(['.', '[']))
    {
        Some((last, _)) => operation(
            "insert",
            json!({ "key": last, "position": "after", "content": content }),
        ),
        // No key of it can be read: it has none, or it is refused as what it is.
        None => operation(
            "insert",
            json!({ "key": "", "position": "last", "content": content }),
        ),
    }
}

/// Says whether an entry is one for this server, perhaps with options that its user gave it.
fn starts_server(entry: &[u8]) -> bool {
    ["segedit", "mcp"]
        .iter()
        .all(|word| memchr::memmem::find(entry, format!("\"{word}\"").as_bytes()).is_some())
}

/// Returns what is between the comments that mark a region.
fn placed_inside(text: &str) -> &str {
    let first = text.find('\n').map_or(0, |end| end + 1);
    let last = text
        .trim_end()
        .rfind('\n')
        .map_or(text.len(), |end| end + 1);
    text.get(first..last).unwrap_or_default()
}
