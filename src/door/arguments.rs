//! What a model sent as the arguments of a tool, read leniently: what is advertised is strict, what is understood is what
//! models really send. Other names for the same thing, a list or a number as text, an empty text for what is not set.

use serde_json::{Map, Value};

use super::json::{self, Unread};
use super::table::{Parameter, Takes, ToolDefinition};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};

/// Names that other tools have for the same argument.
const OTHER_NAMES: [(&str, &[&str]); 8] = [
    ("path", &["file_path", "file", "filename"]),
    ("paths", &["path", "file_path", "file", "pathspecs"]),
    (
        "old",
        &["old_string", "old_str", "oldText", "old_text", "from"],
    ),
    (
        "new",
        &["new_string", "new_str", "newText", "new_text", "to"],
    ),
    ("all", &["replace_all"]),
    ("content", &["new_content", "contents"]),
    ("target", &["address"]),
    ("to", &["new_name", "newName", "name", "new"]),
];

/// The argument in which several exchanges of texts come at once. It is understood and not advertised: one way to call
/// is learned more surely than two.
pub(super) const EDITS: &str = "edits";

/// The arguments of one call.
pub(super) struct CallArguments {
    tool: &'static ToolDefinition,
    values: Map<String, Value>,
    errors: Vec<Diagnostic>,
}

impl CallArguments {
    /// Takes what was `sent`, under the names of `tool`.
    pub(super) fn of(tool: &'static ToolDefinition, sent: Value) -> CallArguments {
        let mut arguments = CallArguments {
            tool,
            values: Map::new(),
            errors: Vec::new(),
        };
        let sent = match arguments.decode(sent) {
            Value::Object(sent) => sent,
            Value::Null => Map::new(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                arguments.refuse(format!(
                    "the arguments of {} are one JSON object",
                    tool.name
                ));
                Map::new()
            }
        };
        let (known, other): (Vec<_>, Vec<_>) =
            sent.into_iter().partition(|(name, _)| arguments.has(name));
        arguments.values.extend(known);
        for (name, value) in other {
            arguments.take_other(&name, value);
        }
        arguments
    }

    /// Takes an argument under a name that the table has not.
    fn take_other(&mut self, name: &str, value: Value) {
        let meant = OTHER_NAMES
            .iter()
            .filter(|(_, others)| others.contains(&name))
            .map(|&(own, _)| own);
        let meant = meant
            .into_iter()
            .find(|own| self.has(own) && !self.values.contains_key(*own));
        if let Some(own) = meant {
            self.values.insert(own.to_owned(), value);
        } else if !is_unset(&value) {
            let known = self.tool.parameters.iter().map(|parameter| parameter.name);
            let near = nearest(name, known.clone(), 1)
                .into_iter()
                .map(str::to_owned);
            let refusal = Diagnostic::new(
                Code::Malformed,
                format!("{} takes no `{}`", self.tool.name, shown(name)),
            );
            let takes = format!("it takes {}", known.collect::<Vec<_>>().join(", "));
            self.errors.push(refusal.suggest(near).note(takes));
        }
    }

    fn has(&self, name: &str) -> bool {
        self.parameter(name).is_some() || (name == EDITS && self.parameter("old").is_some())
    }

    fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.tool
            .parameters
            .iter()
            .find(|parameter| parameter.name == name)
    }

    fn takes_text(&self, name: &str) -> bool {
        self.parameter(name)
            .is_some_and(|parameter| parameter.takes == Takes::Text)
    }

    /// Remembers why the call is refused.
    pub(super) fn refuse(&mut self, message: String) {
        self.errors.push(Diagnostic::new(Code::Malformed, message));
    }

    /// Returns what a text holds that is JSON itself; nothing where that cannot be told from it, which is remembered.
    fn decode(&mut self, value: Value) -> Value {
        decoded(value).unwrap_or_else(|twice| {
            self.refuse(format!("{twice} to {}", self.tool.name));
            Value::Null
        })
    }

    /// Remembers a refusal that was worded elsewhere.
    pub(super) fn refuse_for(&mut self, refusal: Diagnostic) {
        self.errors.push(refusal);
    }

    /// Says whether an argument is given that is not what models send for one that they leave out.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|value| !is_unset(value))
    }

    /// Remembers the refusal of one argument.
    fn refuse_value(&mut self, name: &str, wants: &str) {
        self.refuse(format!("`{name}` of {} is {wants}", self.tool.name));
    }

    /// Returns the exchanges that came at once, each an object of its own.
    pub(super) fn edits(&mut self) -> Option<Vec<Value>> {
        let edits = self.values.remove(EDITS)?;
        match self.decode(edits) {
            value if is_unset(&value) => None,
            Value::Array(edits) => Some(edits),
            _ => {
                self.refuse_value(EDITS, "a list of objects with `old` and `new`");
                None
            }
        }
    }

    /// Returns a text that has to be there and may be empty.
    pub(super) fn content(&mut self, name: &str) -> String {
        match self.values.remove(name) {
            Some(Value::String(text)) => text,
            // What was written before the number was read is not known any more: `1.10` is 1.1.
            Some(Value::Number(number)) if number.is_f64() && self.takes_text(name) => {
                self.refuse_value(name, "a text: write the number in quotes");
                String::new()
            }
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(flag)) => flag.to_string(),
            Some(Value::Array(_) | Value::Object(_)) => {
                self.refuse_value(name, "one text");
                String::new()
            }
            Some(Value::Null) | None => {
                self.refuse(format!("{} wants `{name}`", self.tool.name));
                String::new()
            }
        }
    }

    /// Returns a text that has to be there and to say something.
    pub(super) fn required(&mut self, name: &str) -> String {
        let text = self.content(name);
        if text.is_empty() && self.errors.is_empty() {
            self.refuse(format!("`{name}` of {} is empty", self.tool.name));
        }
        text
    }

    /// Returns a text, if one is given.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let value = self.values.get(name)?;
        if is_unset(value) {
            self.values.remove(name);
            return None;
        }
        Some(self.content(name))
    }

    /// Returns a list of texts: one that is written as JSON, or one text alone, is a list too.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let value = match self.values.remove(name) {
            Some(Value::String(text)) if text.trim_start().starts_with('[') => {
                self.decode(Value::String(text))
            }
            Some(value) => value,
            None => Value::Null,
        };
        match value {
            value if is_unset(&value) => Vec::new(),
            Value::String(text) => vec![text],
            Value::Array(items) if items.iter().all(Value::is_string) => items
                .into_iter()
                .filter_map(|item| item.as_str().map(str::to_owned))
                .collect(),
            _ => {
                self.refuse_value(name, "a list of texts");
                Vec::new()
            }
        }
    }

    /// Returns a whole number from 1, if one is given.
    pub(super) fn number(&mut self, name: &str) -> Option<usize> {
        let text = self.text(name)?;
        let number = text
            .trim()
            .strip_suffix(".0")
            .unwrap_or(text.trim())
            .parse()
            .ok()
            .filter(|&number| number > 0);
        if number.is_none() {
            self.refuse_value(
                name,
                &format!("a whole number from 1, not `{}`", shown(&text)),
            );
        }
        number
    }

    /// Says whether a flag is set.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        let Some(text) = self.text(name) else {
            return false;
        };
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => true,
            "false" | "0" | "no" => false,
            _ => {
                self.refuse_value(name, &format!("true or false, not `{}`", shown(&text)));
                false
            }
        }
    }

    /// Returns a word of the parameter's list, which has to be given.
    pub(super) fn required_word(&mut self, name: &str) -> Option<String> {
        if self.values.get(name).is_none_or(is_unset) {
            let words = self.parameter(name).map(|parameter| parameter.takes);
            let Some(Takes::Word(words)) = words else {
                return None;
            };
            self.refuse(format!(
                "{} wants `{name}`: {}",
                self.tool.name,
                words.join(", ")
            ));
            return None;
        }
        self.word(name)
    }

    /// Returns a word of the parameter's list, if one is given.
    pub(super) fn word(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        let Some(Parameter {
            takes: Takes::Word(words),
            ..
        }) = self.parameter(name)
        else {
            return Some(text);
        };
        let word = text.trim().to_ascii_lowercase();
        if !words.contains(&word.as_str()) {
            self.refuse_value(
                name,
                &format!("one of {}, not `{}`", words.join(", "), shown(&text)),
            );
            return None;
        }
        Some(word)
    }

    /// Returns `value` unless an argument was wrong or has no meaning here, or else all that was.
    pub(super) fn finish<T>(mut self, value: T) -> Result<T, Vec<Diagnostic>> {
        let left: Vec<String> = self
            .values
            .iter()
            .filter(|(_, left)| !is_unset(left))
            .map(|(name, _)| name.clone())
            .collect();
        for name in left {
            self.refuse(format!(
                "`{name}` has no meaning here: give it once, beside what it is about"
            ));
        }
        if self.errors.is_empty() {
            Ok(value)
        } else {
            Err(self.errors)
        }
    }
}

/// Returns what a text holds that is JSON itself, as some clients write a list or an object; else the value as it is.
fn decoded(value: Value) -> Result<Value, Unread> {
    let Value::String(text) = &value else {
        return Ok(value);
    };
    if !text.trim_start().starts_with(['[', '{', '"']) {
        return Ok(if text.trim().is_empty() {
            Value::Null
        } else {
            value
        });
    }
    let read = match json::read(text.as_bytes()) {
        // Written as text twice.
        Ok(Value::String(inner)) => json::read(inner.as_bytes()),
        read => read,
    };
    match read {
        Err(Unread::NoJson(_)) => Ok(value),
        read => read,
    }
}

/// Says whether a value is what models send for an argument that they leave out.
fn is_unset(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}
