//! Makes the entries of a JSON text, read as loosely as JSON5 allows.

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::syntax::SyntaxError;
use crate::syntax::keys::{self, CollectionKind, KeyEntry, KeyFormat, KeySegment, Tree, ValueForm};
use crate::text::Span;

/// Returns the entries of a JSON text.
pub(crate) fn tree(text: &str) -> Result<Tree, SyntaxError> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &loose_options())
        .map_err(|error| syntax_error(&error, 0))?;
    let mut tree = Tree::default();
    if let Some(value) = &parsed.value {
        let mut root = KeyEntry::new(KeySegment::Item(0), None, span_of(value));
        root.form = form_of(value);
        tree.push(root);
        add_children(&mut tree, 0, value, text.as_bytes());
    }
    let found = keys::comments(text.as_bytes(), &keys_and_scalars(&tree), KeyFormat::Jsonc);
    keys::lines_above(&mut tree, text.as_bytes(), &found);
    Ok(tree)
}

/// Returns how loosely a file is read.
pub(super) fn loose_options() -> ParseOptions {
    ParseOptions {
        allow_missing_commas: false,
        ..ParseOptions::default()
    }
}

/// Returns the error of a file that cannot be read even so.
pub(super) fn syntax_error(error: &ParseError, shift: usize) -> SyntaxError {
    let offset = error.range().start + shift;
    match error.kind() {
        ParseErrorKind::NestingDepthExceeded => SyntaxError::too_deep(offset),
        kind => SyntaxError {
            offset,
            message: kind.to_string(),
        },
    }
}

pub(super) fn span_of(value: &impl Ranged) -> Span {
    let range = value.range();
    Span::new(range.start, range.end)
}

fn form_of(value: &Value<'_>) -> ValueForm {
    match value {
        Value::Object(_) => ValueForm::Flow(CollectionKind::Map),
        Value::Array(_) => ValueForm::Flow(CollectionKind::List),
        Value::StringLit(_)
        | Value::NumberLit(_)
        | Value::BooleanLit(_)
        | Value::NullKeyword(_) => ValueForm::Plain,
    }
}

/// Adds what `value` holds. As deep as the parser lets values nest.
fn add_children(tree: &mut Tree, parent: usize, value: &Value<'_>, text: &[u8]) {
    match value {
        Value::Object(object) => {
            for property in &object.properties {
                let key = match &property.name {
                    ObjectPropName::String(name) => span_of(name),
                    ObjectPropName::Word(name) => span_of(name),
                };
                let value = span_of(&property.value);
                let name = property.name.as_str().to_owned();
                let mut entry =
                    KeyEntry::new(KeySegment::Key(name), Some(parent), key.cover(value));
                let between = text.get(key.end..value.start).unwrap_or_default();
                entry.lead = key.end
                    + between
                        .iter()
                        .position(|&byte| byte == b':')
                        .map_or(0, |at| at + 1);
                entry.key = Some(key);
                add_entry(tree, entry, &property.value, text);
            }
        }
        Value::Array(array) => {
            for (number, item) in array.elements.iter().enumerate() {
                add_entry(
                    tree,
                    KeyEntry::new(KeySegment::Item(number), Some(parent), span_of(item)),
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

fn add_entry(tree: &mut Tree, mut entry: KeyEntry, value: &Value<'_>, text: &[u8]) {
    entry.value = span_of(value);
    entry.form = form_of(value);
    let at = tree.push(entry);
    add_children(tree, at, value, text);
}

/// Returns the keys and scalars, sorted.
pub(super) fn keys_and_scalars(tree: &Tree) -> Vec<Span> {
    let scalars = tree
        .entries
        .iter()
        .filter(|entry| entry.form == ValueForm::Plain)
        .map(|entry| entry.value);
    let mut words: Vec<Span> = scalars
        .chain(tree.entries.iter().filter_map(|entry| entry.key))
        .collect();
    words.sort();
    words
}
