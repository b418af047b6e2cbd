//! How a file of a guide gets into a repository: by operations on what is there, so that the rest of the file stays and all of it
//! can be undone.

use serde_json::{Value, json};

use super::{GuideFile, GuideRole};
use crate::manifest::fields::{FieldNames, of_file};
use crate::path::RepoPath;
use crate::text::Span;

/// Returns the operations that put `file` at `path`, where `old` is now, with segments of these addresses within the file, each with
/// its range of bytes; nothing where it is there as it should be. An entry that starts this server and nothing else is.
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
    let has = |address: &str| {
        let mut addresses = segments.iter().map(|(segment, _)| segment.as_str());
        addresses.any(|segment| path_below(address, segment).is_some())
    };
    if let GuideRole::Entry(keys, _) = &file.role
        && starts_server(&keys.join("."), old, segments)
    {
        return Vec::new();
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

/// Returns what follows `address` in the address of a segment that is at it or below it.
fn path_below<'a>(address: &str, segment: &'a str) -> Option<&'a str> {
    let rest = segment.strip_prefix(address)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
}

/// Says whether the entry at `key` starts this server as its user would: by a name that the user's own path is searched for, with
/// nothing before the subcommand, in the folder and the environment that the client gives it. The rest are options of its user. An
/// entry may come with a repository, whose clients show little more of it than its name.
fn starts_server(key: &str, old: &[u8], segments: &[(String, Span)]) -> bool {
    let within: Vec<(&str, &[u8])> = segments
        .iter()
        .filter_map(|(segment, span)| Some((path_below(key, segment)?, span.of(old))))
        .collect();
    if within
        .iter()
        .any(|(path, _)| changes_surroundings(path) || !is_harmless(path))
    {
        return false;
    }

    let string_at = |path: &str| {
        let mut found = within.iter().filter(|(other, _)| *other == path);
        let (_, bytes) = found.next()?;
        found.next().is_none().then(|| string_value(bytes))?
    };
    let is_local = !within.iter().any(|(path, _)| *path == ".type")
        || string_at(".type").as_deref() == Some("stdio");
    if !is_local {
        return false;
    }
    let arguments: Vec<String> = (0..)
        .map_while(|index| string_at(&format!(".args[{index}]")))
        .collect();
    let Some(command) = string_at(".command") else {
        return false;
    };
    let mut words = vec![command.as_str()];
    words.extend(arguments.iter().map(String::as_str));
    let options = match words.as_slice() {
        ["git", "segedit", "mcp", options @ ..] | ["git-segedit", "mcp", options @ ..] => options,
        _ => return false,
    };
    let leads_outside = |word: &&str| word.contains(['/', '\\', '~', '$']) || word.contains("..");
    !options.iter().any(leads_outside)
}

/// Says whether what is at `path` in an entry cannot have another server answer, as a `url` has it, or `headers` that go there.
fn is_harmless(path: &str) -> bool {
    const KEYS: [&str; 12] = [
        "",
        "command",
        "args",
        "env",
        "type",
        "disabled",
        "enabled",
        "required",
        "alwaysLoad",
        "timeout",
        "startup_timeout_sec",
        "tool_timeout_sec",
    ];
    let path = path.trim_start_matches('.');
    let key = path.split(['.', '[']).next().unwrap_or(path);
    KEYS.contains(&key.trim_matches(['"', '\'']))
}

/// Says whether what is at `path` in an entry may have other programs run, or have them trusted: by a folder, a file of variables, or
/// a variable that programs are found by, loaded by or told of their user's choices by.
fn changes_surroundings(path: &str) -> bool {
    const TELLING: [&str; 12] = [
        "path", "home", "shell", "git", "segedit", "xdg", "ld_", "dyld_", "python", "node", "ruby",
        "perl",
    ];
    let name = path.trim_start_matches('.').to_ascii_lowercase();
    match name.strip_prefix("env") {
        Some("") => false,
        Some(rest) => rest.strip_prefix('.').is_none_or(|variable| {
            let variable = variable.trim_matches(['"', '\'']);
            TELLING.iter().any(|word| variable.starts_with(word))
        }),
        None => name.starts_with("cwd"),
    }
}

/// Returns the string that an item of an array is, or that a key has, in JSON or TOML, if it is written as JSON has it.
fn string_value(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?.trim_end_matches(',');
    let of_key = |text: &str| serde_json::from_str(text.split_once([':', '='])?.1).ok();
    serde_json::from_str(text).ok().or_else(|| of_key(text))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the entry called `key` of `text`, as an outline of these parts has it.
    fn outlined(text: &str, parts: &[(&str, &str)]) -> Vec<(String, Span)> {
        let place = |(path, part): &(&str, &str)| {
            let start = text.find(part).expect("the part is in the text");
            (
                format!("a.segedit{path}"),
                Span::new(start, start + part.len()),
            )
        };
        parts.iter().map(place).collect()
    }

    #[test]
    fn which_entries_are_left_as_they_are() {
        let check = |command: &str, arguments: &[&str], more: &[&str], expected: bool| {
            let command = format!("\"command\": {command}");
            let arguments: Vec<(String, String)> = arguments
                .iter()
                .enumerate()
                .map(|(index, word)| (format!(".args[{index}]"), format!("\"{word}\"")))
                .collect();
            let more: Vec<(String, String)> = more
                .iter()
                .map(|key| (format!(".{key}"), format!("<{key}>")))
                .collect();
            let mut parts = vec![(".command", command.as_str())];
            for (path, part) in arguments.iter().chain(&more) {
                parts.push((path, part));
            }
            let text: Vec<&str> = parts.iter().map(|(_, part)| *part).collect();
            let text = text.join(" ");
            let found = starts_server("a.segedit", text.as_bytes(), &outlined(&text, &parts));
            assert_eq!(found, expected, "{text}");
        };
        let own = ["segedit", "mcp"];
        check(r#""git""#, &own, &[], true);
        check(
            r#""git-segedit""#,
            &["mcp"],
            &["alwaysLoad", "disabled"],
            true,
        );
        check(
            r#""git""#,
            &["segedit", "mcp", "--review", "--root", "docs"],
            &[],
            true,
        );

        check(r#""./git""#, &own, &[], false);
        check(r#""/tmp/git-segedit""#, &["mcp"], &[], false);
        check(r#""sh""#, &["-c", "git segedit mcp"], &[], false);
        check(r#"{"path": "git"}"#, &own, &[], false);
        check(r#""git""#, &["--exec-path=x", "segedit", "mcp"], &[], false);
        check(
            r#""git""#,
            &["-c", "alias.segedit=!x", "segedit", "mcp"],
            &[],
            false,
        );
        check(r#""git""#, &["segedit", "mcp", "--root", "/"], &[], false);
        check(
            r#""git""#,
            &["segedit", "mcp", "-C", "../other"],
            &[],
            false,
        );
        check(r#""git""#, &["segedit"], &[], false);
        check(r#""git""#, &own, &["env.A", "env.LOG"], true);
        check(r#""git""#, &own, &["env.PATH"], false);
        check(r#""git""#, &own, &["env.GIT_SEGEDIT_TRUST"], false);
        check(r#""git""#, &own, &["envFile"], false);
        check(r#""git""#, &own, &["cwd"], false);
        check(r#""git""#, &own, &["url"], false);
        check(r#""git""#, &own, &["headers.Authorization"], false);
        // Of another sort than a program that is started.
        check(r#""git""#, &own, &["type"], false);
        // A key that is there twice: which of them counts is the client's choice.
        check(r#""git""#, &own, &["command"], false);
    }
}
