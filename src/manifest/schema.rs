//! The JSON Schema of an operation file, for editors and for programs that write such files.
//!
//! Shape and descriptions come from the raw structs, which verb takes what from the one table of verbs, words from
//! the model; what a word may look like is written out here. The schema is a net with known holes: whatever it
//! refuses `yaml::read` refuses too, but for plain numbers and booleans where text is wanted, which an editor does
//! well to flag (`content: 007` wants quotes) and the reader takes as written. Holes: whether a regular expression
//! compiles and has the groups that a replacement names, the order of a line range, some spellings of git's folder.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::lexical::MAX_NAME;
use super::raw::RawManifest;
use super::verbs::{GOES_WITH, MOVE_FIELDS, SELECTORS, VERBS, VerbRow};
use super::words::{ATTRIBUTE_PART, COUNTED_PARTS, FixedWord, MAX_INDENT, PLAIN_PARTS};
use super::{
    CheckMode, Destination, ImportsRule, MatchLevel, NamesRule, Position, ResolveOrder, batch, yaml,
};
use crate::syntax::{ItemKind, SegmentKind};

/// Returns the schema, draft-07.
pub fn json_schema() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<RawManifest>()
        .to_value();
    drop_null(&mut schema);
    close(&mut schema, &["version", "operations"]);
    for (field, rule) in batch_rules() {
        narrow(&mut schema["properties"][field], rule);
    }
    schema["allOf"] = destination_rules();
    let operation = &mut schema["properties"]["operations"]["items"];
    close(operation, &["op"]);
    for (field, rule) in operation_rules() {
        narrow(&mut operation["properties"][field], rule);
    }
    let within = &mut operation["properties"]["within"];
    close(within, &[]);
    narrow(&mut within["properties"]["symbol"], symbol());
    narrow(&mut within["properties"]["section"], section());
    narrow(&mut within["properties"]["element"], element());
    narrow(&mut within["properties"]["block"], block());
    narrow(&mut within["properties"]["key"], key());
    operation["allOf"] = VERBS.iter().map(verb_rule).collect();
    schema
}

/// Optional fields are left out, never null.
fn drop_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(drop_null),
        Value::Object(entries) => {
            entries.values_mut().for_each(drop_null);
            if let Some(Value::Array(types)) = entries.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    entries["type"] = only.clone();
                }
            }
            if let Some(Value::Array(choices)) = entries.get_mut("anyOf") {
                choices.retain(|choice| choice["type"] != "null");
                if let [Value::Object(only)] = choices.as_slice() {
                    let only = only.clone();
                    entries.remove("anyOf");
                    for (key, value) in only {
                        entries.entry(key).or_insert(value);
                    }
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn close(schema: &mut Value, required: &[&str]) {
    schema["additionalProperties"] = json!(false);
    schema["required"] = json!(required);
}

/// Adds `rule`'s words to `schema`, over those that are there.
fn narrow(schema: &mut Value, rule: Value) {
    if let (Value::Object(entries), Value::Object(more)) = (schema, rule) {
        entries.extend(more);
    }
}

fn batch_rules() -> Vec<(&'static str, Value)> {
    let no_own_trailer =
        json!({"pattern": format!("(^|[\\n\\r])\\s*{OWN_TRAILER}[A-Za-z0-9-]*\\s*:")});
    vec![
        ("version", json!({"const": yaml::VERSION})),
        (
            "message",
            json!({"maxLength": batch::MAX_MESSAGE, "pattern": "^[^\\u0000]*$", "allOf": [not_blank()], "not": no_own_trailer}),
        ),
        (
            "trailers",
            json!({
                "propertyNames": {"pattern": "^[A-Za-z0-9-]+$", "not": {"pattern": format!("^{OWN_TRAILER}")}},
                "additionalProperties": {"type": "string", "pattern": "^[^\\n\\r\\u0000]*$", "allOf": [not_blank()]},
            }),
        ),
        (
            "author",
            json!({"pattern": "^[^<>\\u0000-\\u001f]*[^<>\\u0000-\\u0020.,:;\"\\\\'][^<>\\u0000-\\u001f]*<\\s*[^<>\\s]+\\s*>\\s*$"}),
        ),
        ("destination", one_of::<Destination>()),
        ("branch", branch()),
        (
            "base",
            json!({"pattern": "^[^-\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$", "allOf": [not_blank()], "maxLength": 4096}),
        ),
        ("mode", one_of::<CheckMode>()),
        ("resolve", one_of::<ResolveOrder>()),
        ("names", one_of::<NamesRule>()),
        ("imports", one_of::<ImportsRule>()),
        (
            "operations",
            json!({"minItems": 1, "maxItems": yaml::MAX_OPERATIONS}),
        ),
    ]
}

/// `Segedit-` in any case, without a flag that not every validator knows.
const OWN_TRAILER: &str = "[Ss][Ee][Gg][Ee][Dd][Ii][Tt]-";

fn not_blank() -> Value {
    json!({"pattern": "\\S"})
}

fn one_of<T: FixedWord>() -> Value {
    json!({"enum": T::words()})
}

fn branch() -> Value {
    let refused = [
        "[\\u0000-\\u0020~^:?*\\[\\\\\\u007f]",
        "\\.\\.",
        "@\\{",
        "^(refs/heads/)?(-|@$|([A-Z_]+_)?HEAD$|AUTO_MERGE$)",
        "^refs/(?!heads/)",
        "(^|/)(\\.|/|$)",
        "\\.lock(/|$)",
        "\\.$",
    ];
    json!({"not": any_pattern(&refused)})
}

fn any_pattern(patterns: &[&str]) -> Value {
    let patterns: Vec<Value> = patterns
        .iter()
        .map(|pattern| json!({"pattern": pattern}))
        .collect();
    json!({"anyOf": patterns})
}

/// A branch is for commits alone; a base for what is resolved against a commit.
fn destination_rules() -> Value {
    let words = |keep: fn(Destination) -> bool| -> Vec<&str> {
        Destination::WORDS
            .iter()
            .filter(|(_, value)| keep(*value))
            .map(|(word, _)| *word)
            .collect()
    };
    let rule = |destinations: Vec<&str>, field: &str| {
        json!({
            "if": {"required": ["destination"], "properties": {"destination": {"enum": destinations}}},
            "then": {"not": {"required": [field]}},
        })
    };
    json!([
        rule(
            words(|destination| destination != Destination::Commit),
            "branch"
        ),
        rule(words(|destination| !batch::takes_base(destination)), "base"),
    ])
}

fn operation_rules() -> Vec<(&'static str, Value)> {
    let verbs: Vec<&str> = VERBS.iter().map(|row| row.name).collect();
    let kinds: Vec<&str> = SegmentKind::ALL.iter().map(|kind| kind.as_str()).collect();
    vec![
        ("op", json!({"enum": verbs})),
        ("file", path()),
        (
            "files",
            json!({"minItems": 1, "items": {"type": "string", "allOf": [not_blank()], "not": any_pattern(&["^/", "(^|/)\\.\\.(/|$)", "\\u0000"])}}),
        ),
        ("symbol", symbol()),
        ("section", section()),
        ("element", element()),
        ("block", block()),
        ("key", key()),
        ("text", json!({"minLength": 1, "pattern": "^[^\\u0000]*$"})),
        ("pattern", json!({"minLength": 1})),
        (
            "lines",
            json!({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[1-9][0-9]*(-[1-9][0-9]*)?$"}]}),
        ),
        (
            "within",
            json!({"minProperties": 1, "maxProperties": 1, "propertyNames": {"enum": super::verbs::WITHIN_FIELDS}}),
        ),
        ("kind", json!({"enum": kinds})),
        ("match", one_of::<MatchLevel>()),
        ("occurrence", json!({"minimum": 1})),
        ("part", part()),
        (
            "indent",
            json!({"anyOf": [
                {"enum": ["auto", "keep"]},
                {"type": "integer", "minimum": 0, "maximum": MAX_INDENT},
                {"type": "string", "pattern": "^(0|[1-9][0-9]?|1[0-9][0-9]|200)$"},
            ]}),
        ),
        ("expect", json!({"pattern": "^[0-9a-fA-F]{8,64}$"})),
        (
            "allow_remove",
            json!({"anyOf": [{"type": "boolean"}, {"type": "array", "minItems": 1, "items": {"type": "string", "allOf": [not_blank()]}}]}),
        ),
        ("callers", json!({})),
        (
            "arguments",
            json!({"additionalProperties": {"type": "string", "pattern": "^[^\\n\\r\\u0000]*$", "allOf": [not_blank()]}}),
        ),
        ("names", one_of::<NamesRule>()),
        ("imports", one_of::<ImportsRule>()),
        ("position", one_of::<Position>()),
        ("replacement", json!({"pattern": "^[^\\u0000]*$"})),
        ("count", json!({"minimum": 1})),
        ("expect_count", json!({"minimum": 1})),
        ("reexport", json!({})),
        ("scope", json!({"enum": ["file", "project"]})),
        (
            "unsure",
            json!({"enum": ["refuse", "keep", "change", "ask"]}),
        ),
        ("mentions", json!({"enum": ["keep", "change"]})),
        ("clash", json!({"enum": ["refuse", "allow"]})),
        (
            "statement",
            json!({"pattern": "^\\s*(import|from)[\\s.\\\\]", "not": {"pattern": "#"}}),
        ),
        ("used", json!({"enum": ["refuse", "allow"]})),
    ]
}

fn path() -> Value {
    let refused = [
        "^/",
        "(^|/)\\.{0,2}(/|$)",
        "\\u0000",
        "(^|[/\\\\])(\\.[gG][iI][tT]|[gG][iI][tT]~[0-9]+)[. ]*([:/\\\\]|$)",
    ];
    json!({"minLength": 1, "maxLength": 4096, "not": any_pattern(&refused)})
}

/// A path that every platform can check out.
fn new_path() -> Value {
    let reserved = "(^|/)([cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL]|[cC][oO][mM][1-9]|[lL][pP][tT][1-9])(\\.|/|$)";
    json!({"not": any_pattern(&["[\\u0000-\\u001f<>:\"|?*\\\\]", "[. ](/|$)", reserved])})
}

fn symbol() -> Value {
    let quoted = "\"[^\"\\u0000-\\u001f\\u007f]+\"";
    let name = format!("({quoted}|[^.\\[\\]\\u0000-\\u001f\\u007f]+)(\\[[1-9][0-9]*\\])?");
    // A selector of a style sheet, which needs no quotes.
    let style = "[.#@&:][A-Za-z\\u00aa-\\uffff_:\\[#-][^\"\\u0000-\\u001f\\u007f]*";
    let stray_star = "^\\*($|\\[)|\\.\\*($|[.\\[])";
    json!({"maxLength": MAX_NAME, "pattern": format!("^((\\*\\.)?{name}(\\.{name})*|{style})$"), "not": {"pattern": stray_star}, "allOf": [not_blank()]})
}

fn section() -> Value {
    let refused = [
        "[\\u0000-\\u001f\\u007f]",
        "^\\s*#+\\s*$",
        "^\\s*#{7,}\\s",
        "^\\s*#+\\s+#+\\s*$",
    ];
    let heading = json!({"type": "string", "maxLength": MAX_NAME, "allOf": [not_blank()], "not": any_pattern(&refused)});
    json!({"anyOf": [heading, {"type": "array", "minItems": 1, "items": heading}]})
}

/// Whether it is a CSS selector is not said: no regular expression can.
fn element() -> Value {
    in_one_line()
}

fn block() -> Value {
    in_one_line()
}

fn in_one_line() -> Value {
    json!({"maxLength": MAX_NAME, "pattern": "^[^\\u0000-\\u001f\\u007f]*$", "allOf": [not_blank()]})
}

fn key() -> Value {
    let quoted = "\"([^\"\\\\\\u0000-\\u001f\\u007f]|\\\\.)*\"";
    let bare = "[^.\\[\\]\"\\s\\u0000-\\u001f\\u007f]([^.\\[\\]\"\\u0000-\\u001f\\u007f]*[^.\\[\\]\"\\s\\u0000-\\u001f\\u007f])?";
    let item = "\\[(0|[1-9][0-9]*)\\]";
    let key = format!("({quoted}|{bare})");
    json!({"minLength": 1, "maxLength": MAX_NAME, "pattern": format!("^({key}|{item})(\\.{key}|{item})*$")})
}

/// What items of a definition are written as, without their names.
fn item_kinds() -> String {
    ItemKind::ALL.map(ItemKind::as_str).join("|")
}

fn part() -> Value {
    let item = format!(
        "^({})(\\[[^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]{{0,78}}[^\\s\\u0000-\\u001f\\u007f])?\\])?$",
        item_kinds()
    );
    let plain: Vec<&str> = PLAIN_PARTS.iter().map(|(word, _)| *word).collect();
    json!({"anyOf": [{"enum": plain}, {"pattern": format!("^({})\\[[1-9][0-9]*\\]$", COUNTED_PARTS.join("|"))},
        {"pattern": item},
        {"pattern": format!("^{ATTRIBUTE_PART}[^\\s\\u0000-\\u001f\\u007f\"'<>/=]{{1,80}}$")}]})
}

/// What the table says of one verb.
fn verb_rule(row: &VerbRow) -> Value {
    let mut then = Map::new();
    then.insert("propertyNames".to_owned(), json!({"enum": row.fields()}));
    then.insert("required".to_owned(), json!(row.needed));
    let file = match row.name {
        // The address may have the file in it.
        "rename" | "move" => json!({"anyOf": [
            {"required": ["file"]},
            {"properties": {"symbol": {"pattern": "^.+::.+$"}}},
        ]}),
        _ => one_required(&file_fields(row)),
    };
    let mut all = vec![file, selector_rule(row)];
    all.retain(|rule| rule != &json!({}));
    then.insert("allOf".to_owned(), Value::Array(all));
    then.insert("dependencies".to_owned(), company_rules(row));
    match row.name {
        "create" => drop(then.insert("properties".to_owned(), json!({"file": new_path()}))),
        "rename_file" => {
            let mut to = path();
            narrow(&mut to, json!({"allOf": [new_path()]}));
            let unsure = json!({"enum": ["refuse", "keep"]});
            narrow(&mut to, json!({"type": "string"}));
            then.insert("properties".to_owned(), json!({"to": to, "unsure": unsure}));
        }
        "rename" => {
            let certain = json!({"not": {"required": ["unsure"]}});
            then.insert("properties".to_owned(), json!({"to": {"type": "string"}}));
            then.insert(
                "dependencies".to_owned(),
                json!({"section": certain, "key": certain}),
            );
        }
        "move" => {
            let unsure = json!({"enum": ["refuse", "keep"]});
            let to = json!({"anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "object", "minProperties": 1, "propertyNames": {"enum": MOVE_FIELDS}, "properties": {
                    "file": path(), "symbol": symbol(), "section": section(), "position": one_of::<Position>(),
                }},
            ]});
            let section =
                json!({"not": {"anyOf": [{"required": ["reexport"]}, {"required": ["unsure"]}]}});
            then.insert("properties".to_owned(), json!({"to": to, "unsure": unsure}));
            then.insert("dependencies".to_owned(), json!({"section": section}));
        }
        _ => {}
    }
    json!({"if": {"required": ["op"], "properties": {"op": {"const": row.name}}}, "then": then})
}

fn file_fields(row: &VerbRow) -> Vec<&'static str> {
    if row.many_files {
        vec!["file", "files"]
    } else {
        vec!["file"]
    }
}

/// Exactly one of `fields` is there.
fn one_required(fields: &[&str]) -> Value {
    let each: Vec<Value> = fields
        .iter()
        .map(|field| json!({"required": [field]}))
        .collect();
    json!({"oneOf": each})
}

fn selector_rule(row: &VerbRow) -> Value {
    let selectors = row.selectors;
    if selectors.is_empty() {
        return json!({});
    }
    let exactly_one = one_required(selectors);
    if row.selector_needed {
        return exactly_one;
    }
    let each: Vec<Value> = selectors
        .iter()
        .map(|name| json!({"required": [name]}))
        .collect();
    json!({"anyOf": [exactly_one, {"not": {"anyOf": each}}]})
}

/// Fields that mean something only beside certain selectors, and parts that only one sort of segment has.
fn company_rules(row: &VerbRow) -> Value {
    let mut rules = Map::new();
    for (field, selectors) in GOES_WITH.iter().filter(|(field, _)| row.takes(field)) {
        let each: Vec<Value> = SELECTORS
            .iter()
            .filter(|name| selectors.contains(name))
            .map(|name| json!({"required": [name]}))
            .collect();
        let of_file =
            json!({"properties": {"part": {"const": "docstring"}}, "not": {"anyOf": each}});
        let is_of_file = row.name == "replace" && *field == "part";
        rules.insert((*field).to_owned(), json!({"anyOf": each}));
        if is_of_file {
            rules.insert(
                (*field).to_owned(),
                json!({"anyOf": [{"anyOf": each}, of_file]}),
            );
        }
    }
    if row.takes("callers") {
        let follows = json!({"required": ["callers"], "properties": {"callers": {"const": true}}});
        rules.insert(
            "arguments".to_owned(),
            json!({"allOf": [rules["arguments"].clone(), follows.clone()]}),
        );
        let words = json!({"properties": {"unsure": {"enum": ["refuse", "keep", "change"]}}});
        rules.insert("unsure".to_owned(), json!({"allOf": [words, follows]}));
        let parameter = "parameter(\\[.*)?";
        let parts = match row.name {
            "replace" => format!("^(whole|definition|signature|{parameter})$"),
            _ => format!("^{parameter}$"),
        };
        let mut changes = json!({
            "properties": {"part": {"pattern": parts}, "all": {"const": false}},
        });
        if row.name != "replace" {
            changes["required"] = json!(["part"]);
        }
        let changes = json!({"anyOf": [{"properties": {"callers": {"const": false}}}, changes]});
        rules.insert(
            "callers".to_owned(),
            json!({"allOf": [rules["callers"].clone(), changes]}),
        );
    }
    if row.name == "insert" {
        let added = json!({"properties": {"part": {"pattern": format!("^{ATTRIBUTE_PART}")}}});
        let refused = json!({"not": {"required": ["part"]}});
        let item =
            json!({"properties": {"part": {"pattern": format!("^({})(\\[|$)", item_kinds())}}});
        rules.insert("element".to_owned(), added);
        rules.insert("symbol".to_owned(), item);
        rules.insert("block".to_owned(), refused.clone());
        rules.insert("section".to_owned(), refused.clone());
        rules.insert("key".to_owned(), refused);
        // An attribute has no position; beside an item something is before or after, in the list first or last.
        let positions = |of: &str, words: [&str; 2]| json!({"properties": {"part": {"pattern": of}, "position": {"enum": words}}, "required": ["part"]});
        rules.insert(
            "position".to_owned(),
            json!({"anyOf": [
                {"not": {"required": ["part"]}},
                positions(&format!("^({})\\[", item_kinds()), ["before", "after"]),
                positions(&format!("^({})$", item_kinds()), ["first", "last"]),
            ]}),
        );
    } else if row.takes("part") {
        let items = item_kinds();
        let of_code = format!("({items})\\[.*");
        let nameless = items.clone();
        let of_sections = format!("own|heading|({})\\[.*", COUNTED_PARTS.join("|"));
        let of_elements = format!("inner|{ATTRIBUTE_PART}.*");
        let refuse = |pattern: &str| json!({"properties": {"part": {"not": {"pattern": format!("^({pattern})$")}}}});
        rules.insert(
            "symbol".to_owned(),
            refuse(&format!("{of_sections}|{of_elements}|{nameless}")),
        );
        rules.insert(
            "section".to_owned(),
            refuse(&format!(
                "definition|signature|docstring|{of_elements}|{of_code}|{nameless}"
            )),
        );
        rules.insert(
            "element".to_owned(),
            refuse(&format!(
                "body|definition|signature|docstring|{of_sections}|{of_code}|{nameless}"
            )),
        );
        rules.insert(
            "key".to_owned(),
            refuse(&format!(
                "signature|docstring|{of_sections}|{of_elements}|{of_code}|{nameless}"
            )),
        );
    }
    Value::Object(rules)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::manifest::verbs::{BATCH_FIELDS, WITHIN_FIELDS, operation_fields};

    fn names(schema: &Value) -> BTreeSet<&str> {
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect()
    }

    #[test]
    fn the_structs_the_table_and_the_schema_know_the_same_fields() {
        let schema = json_schema();
        let operation = &schema["properties"]["operations"]["items"];
        assert_eq!(names(&schema), BATCH_FIELDS.into_iter().collect());
        assert_eq!(
            names(operation),
            operation_fields().iter().copied().collect()
        );
        assert_eq!(
            names(&operation["properties"]["within"]),
            WITHIN_FIELDS.into_iter().collect()
        );
    }

    #[test]
    fn every_field_is_described_and_the_schema_is_draft_07() {
        let schema = json_schema();
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        jsonschema::meta::validate(&schema).unwrap();
        let operation = &schema["properties"]["operations"]["items"];
        for properties in [&schema["properties"], &operation["properties"]] {
            for (name, property) in properties.as_object().unwrap() {
                assert!(
                    property["description"].is_string(),
                    "{name} is not described"
                );
            }
        }
        assert!(
            !schema.to_string().contains("\"null\""),
            "optional fields are left out, never null"
        );
    }

    #[test]
    fn every_verb_is_offered() {
        let schema = json_schema();
        let verbs = &schema["properties"]["operations"]["items"]["properties"]["op"]["enum"];
        assert_eq!(
            verbs,
            &json!([
                "replace",
                "insert",
                "delete",
                "substitute",
                "rename",
                "move",
                "create",
                "remove",
                "chmod",
                "rename_file",
                "import",
                "unimport"
            ])
        );
    }
}
