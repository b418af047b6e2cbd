//! JSON, and its relatives with comments and trailing commas. Home of `jsonc-parser`.
//!
//! A file is read as loosely as JSON5 allows, so that keys are found in whatever somebody's tool accepts; what is an error
//! is told by the file's name: a `.json` file holds JSON to the letter (`letter`), but for those that are known to hold comments.
//!
//! Known limit: a `.json` file that is not JSON to the letter is judged by the first thing in it that is not.

mod letter;

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::keys::{self, Entry, Form, Format, Sort, Step, Tree};
use super::{Grammar, Habits, Kind, Language, Names, Outline, Second, SyntaxError};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span, is_blank};

const HABITS: Habits = Habits {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    blank_lines_top: 0,
    blank_lines_nested: 0,
    offside: false,
    empty_body: None,
    body_opener: "",
    unit: "  ",
    exports: &[],
    second: Second::Allowed,
    names: Names::HYPHENED,
};

/// JSON to the letter.
pub static JSON: Language = Language {
    name: "JSON",
    extensions: &[
        "json",
        "webmanifest",
        "geojson",
        "har",
        "ipynb",
        "map",
        "avsc",
    ],
    file_names: &[
        ".prettierrc",
        ".stylelintrc",
        ".lintstagedrc",
        "composer.lock",
        "Pipfile.lock",
        "flake.lock",
    ],
    habits: HABITS,
    grammar: &Json(Format::Json),
};

/// JSON with comments.
pub static JSONC: Language = Language {
    name: "JSON with comments",
    extensions: &[
        "jsonc",
        "json5",
        "hujson",
        "code-workspace",
        "code-snippets",
        "sublime-settings",
        "sublime-project",
    ],
    file_names: &[
        "tsconfig.json",
        "jsconfig.json",
        "devcontainer.json",
        ".devcontainer.json",
        "api-extractor.json",
        "turbo.json",
        "deno.json",
        "language-configuration.json",
        ".babelrc",
        ".babelrc.json",
        ".eslintrc",
        ".eslintrc.json",
        ".jshintrc",
        ".jscsrc",
        ".jslintrc",
        ".swcrc",
        ".hintrc",
        ".whitesource",
        "bun.lock",
    ],
    habits: HABITS,
    grammar: &Json(Format::Jsonc),
};

/// Says whether a `.json` file at this path holds comments by custom, although neither its name nor its ending says so.
pub fn has_comments_by_custom(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let variant =
        (name.starts_with("tsconfig.") || name.starts_with("jsconfig.")) && name.ends_with(".json");
    variant || (name.ends_with(".json") && path.split('/').any(|folder| folder == ".vscode"))
}

struct Json(Format);

impl Grammar for Json {
    fn outline(&self, source: &[u8]) -> Outline {
        self.0
            .tree(source)
            .map(|tree| keys::outline(&tree, source.len()))
            .unwrap_or_default()
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<Kind>) -> Outline {
        self.outline(fragment)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let Err(error) = read(source, self.0) else {
            return Vec::new();
        };
        vec![error]
    }

    fn line_roles(&self, fragment: &[u8], _parent: Option<Kind>) -> Vec<LineRole> {
        let lines = Lines::of(fragment);
        let blank = |line: usize| is_blank(lines.content(fragment, line).of(fragment));
        (1..=lines.count())
            .map(|line| {
                if blank(line) {
                    LineRole::Blank
                } else {
                    LineRole::Code
                }
            })
            .collect()
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let Ok((text, shift)) = keys::decoded(source) else {
            return Vec::new();
        };
        let Ok(tree) = tree(text) else {
            return Vec::new();
        };
        let found = keys::comments(text.as_bytes(), &words(&tree), self.0);
        found
            .into_iter()
            .map(|comment| comment.shifted(shift))
            .collect()
    }

    fn format(&self) -> Option<Format> {
        Some(self.0)
    }
}

fn loose() -> ParseOptions {
    ParseOptions {
        allow_missing_commas: false,
        ..ParseOptions::default()
    }
}

/// Reads a file by the letter of its format.
fn read(source: &[u8], format: Format) -> Result<(), SyntaxError> {
    let (text, shift) = keys::decoded(source)?;
    let by_letter = match format {
        Format::Json => letter::check(text),
        Format::Jsonc | Format::Toml | Format::Yaml => Ok(()),
    };
    if format == Format::Json && by_letter.is_ok() {
        return Ok(());
    }
    // What nobody could read comes before what only this format does not have.
    let parsed = parse_to_ast(text, &CollectOptions::default(), &loose())
        .map_err(|error| refusal(&error, shift))?;
    let at_place = |error: SyntaxError| SyntaxError {
        offset: error.offset + shift,
        ..error
    };
    by_letter
        .and_then(|()| {
            parsed
                .value
                .as_ref()
                .map_or(Ok(()), |value| whole_strings(value, text))
        })
        .map_err(at_place)
}

/// Says whether every string ends on the line that it begins on: in none of JSON's relatives does one go on without a
/// backslash ahead of the line break. As deep as the parser lets values nest.
fn whole_strings(value: &Value<'_>, text: &str) -> Result<(), SyntaxError> {
    match value {
        Value::StringLit(string) => whole_string(span_of(string), text),
        Value::Object(object) => object.properties.iter().try_for_each(|property| {
            if let ObjectPropName::String(name) = &property.name {
                whole_string(span_of(name), text)?;
            }
            whole_strings(&property.value, text)
        }),
        Value::Array(array) => array
            .elements
            .iter()
            .try_for_each(|item| whole_strings(item, text)),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => Ok(()),
    }
}

fn whole_string(span: Span, text: &str) -> Result<(), SyntaxError> {
    let mut escaped = false;
    for (at, byte) in span.of(text.as_bytes()).iter().enumerate() {
        match byte {
            b'\n' | b'\r' if !escaped => {
                let message = "a line break stands in a string: `\\n` says it".to_owned();
                return Err(SyntaxError {
                    offset: span.start + at,
                    message,
                });
            }
            // Of a line ending of two bytes the second is escaped with the first.
            b'\r' if escaped => {}
            _ => escaped = !escaped && *byte == b'\\',
        }
    }
    Ok(())
}

fn refusal(error: &ParseError, shift: usize) -> SyntaxError {
    let offset = error.range().start + shift;
    match error.kind() {
        ParseErrorKind::NestingDepthExceeded => SyntaxError::too_deep(offset),
        kind => SyntaxError {
            offset,
            message: kind.to_string(),
        },
    }
}

/// Returns the entries of a JSON text.
pub(super) fn tree(text: &str) -> Result<Tree, SyntaxError> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &loose())
        .map_err(|error| refusal(&error, 0))?;
    let mut tree = Tree::default();
    if let Some(value) = &parsed.value {
        let mut root = Entry::new(Step::Item(0), None, span_of(value));
        root.form = form(value);
        tree.push(root);
        children(&mut tree, 0, value, text.as_bytes());
    }
    let found = keys::comments(text.as_bytes(), &words(&tree), Format::Jsonc);
    keys::lines_above(&mut tree, text.as_bytes(), &found);
    Ok(tree)
}

fn span_of(value: &impl Ranged) -> Span {
    let range = value.range();
    Span::new(range.start, range.end)
}

fn form(value: &Value<'_>) -> Form {
    match value {
        Value::Object(_) => Form::Flow(Sort::Map),
        Value::Array(_) => Form::Flow(Sort::List),
        Value::StringLit(_)
        | Value::NumberLit(_)
        | Value::BooleanLit(_)
        | Value::NullKeyword(_) => Form::Plain,
    }
}

/// Adds what `value` holds. As deep as the parser lets values nest.
fn children(tree: &mut Tree, parent: usize, value: &Value<'_>, text: &[u8]) {
    match value {
        Value::Object(object) => {
            for property in &object.properties {
                let key = match &property.name {
                    ObjectPropName::String(name) => span_of(name),
                    ObjectPropName::Word(name) => span_of(name),
                };
                let value = span_of(&property.value);
                let name = property.name.as_str().to_owned();
                let mut entry = Entry::new(Step::Key(name), Some(parent), key.cover(value));
                let ahead = text.get(key.end..value.start).unwrap_or_default();
                entry.lead = key.end
                    + ahead
                        .iter()
                        .position(|&byte| byte == b':')
                        .map_or(0, |at| at + 1);
                entry.key = Some(key);
                add(tree, entry, &property.value, text);
            }
        }
        Value::Array(array) => {
            for (number, item) in array.elements.iter().enumerate() {
                add(
                    tree,
                    Entry::new(Step::Item(number), Some(parent), span_of(item)),
                    item,
                    text,
                );
            }
        }
        Value::StringLit(_)
        | Value::NumberLit(_)
        | Value::BooleanLit(_)
        | Value::NullKeyword(_) => {}
    }
}

fn add(tree: &mut Tree, mut entry: Entry, value: &Value<'_>, text: &[u8]) {
    entry.value = span_of(value);
    entry.form = form(value);
    let at = tree.push(entry);
    children(tree, at, value, text);
}

/// Returns the keys and scalars, sorted.
fn words(tree: &Tree) -> Vec<Span> {
    let scalars = tree
        .entries
        .iter()
        .filter(|entry| entry.form == Form::Plain)
        .map(|entry| entry.value);
    let mut words: Vec<Span> = scalars
        .chain(tree.entries.iter().filter_map(|entry| entry.key))
        .collect();
    words.sort();
    words
}
