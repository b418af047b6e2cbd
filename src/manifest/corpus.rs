//! The corpus of operation files under `tests/data`: what each is refused for, where, and whether the schema sees it.
//!
//! The first line of a malformed file says what is expected: `# malformed 4:5; path-refused 6:11` lists every
//! complaint in order, `; schema: blind (why)` that the schema lets it pass, `; schema: unparsed` that a plain YAML
//! reader already fails.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::schema::json_schema;
use super::{Manifest, yaml};
use crate::diagnostic::Diagnostic;

fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                fs::read(&path).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

/// Reads as an editor would, with a YAML reader that is not ours.
fn plainly(bytes: &[u8]) -> Option<Value> {
    serde_yaml::from_slice(bytes).ok()
}

fn summary(complaints: &[Diagnostic]) -> Vec<String> {
    let one = |complaint: &Diagnostic| match &complaint.place {
        Some(place) => format!(
            "{} {}:{}",
            complaint.code.as_str(),
            place.line,
            place.column
        ),
        None => complaint.code.as_str().to_owned(),
    };
    complaints.iter().map(one).collect()
}

#[test]
fn every_malformed_file_is_refused_where_its_header_says() {
    let schema = jsonschema::draft7::new(&json_schema()).unwrap();
    let files = files("malformed");
    assert!(
        files.len() >= 60,
        "the corpus is gone: {} files",
        files.len()
    );
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        let header = text
            .lines()
            .next()
            .unwrap()
            .trim_start_matches(['\u{feff}', '#', ' ']);
        let (expected, sees) = match header.split_once("; schema: ") {
            Some((expected, sees)) => (expected, sees.split(' ').next().unwrap()),
            None => (header, "rejects"),
        };
        let complaints = yaml::read(name, bytes).map(|_| ()).unwrap_err();
        if summary(&complaints).join("; ") != expected {
            wrong.push(format!(
                "{name}: expected {expected}, found {:#?}",
                complaints
            ));
        }
        let seen = match plainly(bytes) {
            None => "unparsed",
            Some(value) if schema.is_valid(&value) => "blind",
            Some(_) => "rejects",
        };
        if seen != sees {
            wrong.push(format!(
                "{name}: the schema should be `{sees}`, is `{seen}`"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_wellformed_file_is_read_and_valid_and_written_back_the_same() {
    let schema = jsonschema::draft7::new(&json_schema()).unwrap();
    for (name, bytes) in files("wellformed") {
        let manifest = yaml::read(&name, &bytes)
            .unwrap_or_else(|complaints| panic!("{name}: {complaints:#?}"));
        let value = plainly(&bytes).unwrap_or_else(|| panic!("{name} is not YAML to others"));
        let errors: Vec<String> = schema
            .iter_errors(&value)
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        let written = yaml::write(&manifest);
        let again = yaml::read("again", written.as_bytes())
            .unwrap_or_else(|why| panic!("{name}: {why:#?}\n{written}"));
        assert_eq!(yaml::write(&again), written, "{name}");
        let verbs = |manifest: &Manifest| {
            manifest
                .operations
                .iter()
                .map(|it| format!("{:?}", it.verb))
                .collect::<Vec<_>>()
        };
        assert_eq!(verbs(&again), verbs(&manifest), "{name}");
        assert!(
            schema.is_valid(&plainly(written.as_bytes()).unwrap()),
            "{name}: {written}"
        );
    }
}

#[test]
fn complaints_inside_an_operation_name_it() {
    let (_, bytes) = files("malformed")
        .into_iter()
        .find(|(name, _)| name == "many-at-once")
        .unwrap();
    let operations: Vec<Option<usize>> = yaml::read("x", &bytes)
        .unwrap_err()
        .iter()
        .map(|complaint| complaint.operation)
        .collect();
    let expected = [
        None,
        None,
        None,
        Some(0),
        Some(1),
        Some(1),
        Some(1),
        Some(2),
        Some(3),
    ];
    assert_eq!(operations, expected);
}

/// Each field of each verb is really read: a value of no type that any field has is complained about at its place.
#[test]
fn every_field_that_the_table_knows_is_judged() {
    use super::verbs::VERBS;
    for row in &VERBS {
        for field in row.fields() {
            let others: String = row
                .needed
                .iter()
                .filter(|&&name| name != field)
                .map(|name| format!(" {name}: x,"))
                .collect();
            let op = if field == "op" {
                String::new()
            } else {
                format!("op: {},", row.name)
            };
            let file = format!(
                "version: 1\noperations:\n  - {{{op} file: a.py,{others}\n     {field}: [[{{a: b}}]]}}\n"
            );
            let file = if field == "file" {
                file.replace(" file: a.py,", "")
            } else {
                file
            };
            let complaints = yaml::read("x", file.as_bytes()).unwrap_err();
            let judged = complaints
                .iter()
                .filter_map(|complaint| complaint.place.as_ref())
                .any(|place| place.line == 4 && place.column > 6 + field.len());
            assert!(judged, "{} {field}: {complaints:#?}", row.name);
        }
    }
}
