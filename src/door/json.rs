//! JSON as a model or its client sends it, where a name that stands twice in one object is no accident to be passed over: which
//! of the two is meant nobody can tell.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::diagnostic::shown;

/// Why a text cannot be read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It is no JSON, or deeper than anybody means it.
    NoJson(serde_json::Error),
    /// An object of it has this name twice.
    Twice(String),
}

impl Unread {
    /// Says it of `what` was to be read.
    pub(crate) fn of(&self, what: &str) -> String {
        match self {
            Unread::NoJson(error) => format!("{what} are not JSON: {error}"),
            Unread::Twice(_) => format!("{self} in {what}"),
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::NoJson(error) => error.fmt(f),
            Unread::Twice(name) => write!(f, "`{}` is given twice", shown(name)),
        }
    }
}

/// Reads `bytes`, which are one value and nothing else.
pub(crate) fn read(bytes: &[u8]) -> Result<Value, Unread> {
    let twice = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = LenientReader { twice: &twice }.deserialize(&mut deserializer);
    let value = value.and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| twice.take().map_or(Unread::NoJson(error), Unread::Twice))
}

/// Makes a value of what it is shown, and keeps the name that stands twice.
#[derive(Clone, Copy)]
struct LenientReader<'a> {
    twice: &'a RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for LenientReader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for LenientReader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                self.twice.replace(Some(name));
                return Err(A::Error::custom("a name is given twice"));
            }
            object.insert(name, fields.next_value_seed(self)?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_read_as_by_the_plain_reader() {
        for text in [
            r#"{"a": [1, -1, 1.10, 18446744073709551616, "\u00e9", true, null, {"a": {"a": {}}}], "": ""}"#,
            " 5 ",
            "\"\\n\"",
            "[]",
        ] {
            let plain: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text.as_bytes()).unwrap(), plain, "{text}");
        }
        let deep = "[".repeat(200) + &"]".repeat(200);
        for text in ["", "{", "{} {}", "[1,]", "'a'", "\"\\ud800\"", &deep] {
            let plain = serde_json::from_str::<Value>(text).unwrap_err();
            assert_eq!(
                read(text.as_bytes()).unwrap_err().to_string(),
                plain.to_string(),
                "{text}"
            );
        }
    }

    #[test]
    fn what_stands_twice_is_named() {
        let check = |text: &str, words: &str| {
            assert_eq!(
                read(text.as_bytes()).unwrap_err().to_string(),
                words,
                "{text}"
            )
        };
        check(r#"{"a": 1, "b": 2, "a": 1}"#, "`a` is given twice");
        check(
            r#"{"x": [{"a\n": 1, "\u0061\u000a": 2}]}"#,
            "`a\\n` is given twice",
        );
    }
}
