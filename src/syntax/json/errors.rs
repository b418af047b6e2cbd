//! Finds the first error of a file of JSON or of its relatives.

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::{CollectOptions, parse_to_ast};

use super::letter;
use super::tree::{loose_options, span_of, syntax_error};
use crate::syntax::SyntaxError;
use crate::syntax::keys::{self, KeyFormat};
use crate::text::Span;

/// Reads a file by the letter of its format.
pub(super) fn check_file(source: &[u8], format: KeyFormat) -> Result<(), SyntaxError> {
    let (text, shift) = keys::decoded(source)?;
    let by_letter = match format {
        KeyFormat::Json => letter::check_to_the_letter(text),
        KeyFormat::Jsonc | KeyFormat::Toml | KeyFormat::Yaml => Ok(()),
    };
    if format == KeyFormat::Json && by_letter.is_ok() {
        return Ok(());
    }
    // What no reader takes comes before what only this format does not have.
    let parsed = parse_to_ast(text, &CollectOptions::default(), &loose_options())
        .map_err(|error| syntax_error(&error, shift))?;
    let at_place = |error: SyntaxError| SyntaxError {
        offset: error.offset + shift,
        ..error
    };
    by_letter
        .and_then(|()| {
            parsed
                .value
                .as_ref()
                .map_or(Ok(()), |value| check_strings(value, text))
        })
        .map_err(at_place)
}

/// Says whether every string ends on the line that it begins on: in none of JSON's relatives does one go on without a
/// backslash before the line break. As deep as the parser lets values nest.
fn check_strings(value: &Value<'_>, text: &str) -> Result<(), SyntaxError> {
    match value {
        Value::StringLit(string) => check_string(span_of(string), text),
        Value::Object(object) => object.properties.iter().try_for_each(|property| {
            if let ObjectPropName::String(name) = &property.name {
                check_string(span_of(name), text)?;
            }
            check_strings(&property.value, text)
        }),
        Value::Array(array) => array
            .elements
            .iter()
            .try_for_each(|item| check_strings(item, text)),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => Ok(()),
    }
}

fn check_string(span: Span, text: &str) -> Result<(), SyntaxError> {
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
