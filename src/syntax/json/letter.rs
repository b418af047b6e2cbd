//! JSON by the letter of RFC 8259: the place where a text is not JSON, if there is one.
//!
//! Readers that forgive comments forgive more than that: a line break in a string, a form feed between two words. Here
//! nothing is forgiven that the grammar does not have, and nothing else is refused: keys may be there twice, half of a surrogate
//! pair may be escaped, and values nest as deep as they like.

use crate::syntax::SyntaxError;

/// What has to come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of a list that has none.
    FirstItem,
    Key,
    /// A key, or the end of an object that has none.
    FirstKey,
    /// A comma, or the end of what is open.
    Behind,
}

/// Returns where `text` is not JSON and why, or that it is.
pub(super) fn check_to_the_letter(text: &str) -> Result<(), SyntaxError> {
    let mut reader = LetterReader {
        bytes: text.as_bytes(),
        at: 0,
    };
    // For each object and list that is open what closes it.
    let mut open: Vec<u8> = Vec::new();
    let mut next = Next::Value;
    loop {
        reader.skip_blanks();
        let Some(byte) = reader.peek() else {
            return if next == Next::Behind && open.is_empty() {
                Ok(())
            } else {
                Err(reader.wrong("the file ends early"))
            };
        };
        next = match (next, byte) {
            (Next::FirstKey, b'}') | (Next::FirstItem, b']') => {
                reader.at += 1;
                open.pop();
                Next::Behind
            }
            (Next::Key | Next::FirstKey, b'"') => {
                reader.string()?;
                reader.skip_blanks();
                if !reader.take(b':') {
                    return Err(reader.wrong("a colon has to follow a key"));
                }
                Next::Value
            }
            (Next::Key | Next::FirstKey, _) => {
                return Err(reader.wrong("a key in double quotes has to stand here"));
            }
            (Next::Behind, b',') if !open.is_empty() => {
                reader.at += 1;
                if open.last() == Some(&b'}') {
                    Next::Key
                } else {
                    Next::Value
                }
            }
            (Next::Behind, closer) if open.last() == Some(&closer) => {
                reader.at += 1;
                open.pop();
                Next::Behind
            }
            (Next::Behind, _) if open.is_empty() => {
                return Err(reader.wrong("the file goes on behind its value"));
            }
            (Next::Behind, _) => {
                return Err(reader.wrong("a comma has to stand between two values"));
            }
            (Next::Value | Next::FirstItem, b'{') => {
                reader.at += 1;
                open.push(b'}');
                Next::FirstKey
            }
            (Next::Value | Next::FirstItem, b'[') => {
                reader.at += 1;
                open.push(b']');
                Next::FirstItem
            }
            (Next::Value | Next::FirstItem, _) => {
                reader.scalar(byte)?;
                Next::Behind
            }
        };
    }
}

struct LetterReader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl LetterReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let taken = self.peek() == Some(wanted);
        self.at += usize::from(taken);
        taken
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong(&self, message: &str) -> SyntaxError {
        SyntaxError {
            offset: self.at,
            message: message.to_owned(),
        }
    }

    fn scalar(&mut self, first: u8) -> Result<(), SyntaxError> {
        match first {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            b',' | b']' | b'}' => Err(self.wrong("a value has to stand ahead of this")),
            _ => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let word = [&b"true"[..], b"false", b"null"]
                    .into_iter()
                    .find(|word| rest.starts_with(word));
                self.at += word
                    .ok_or_else(|| self.wrong("no value of JSON begins like this"))?
                    .len();
                Ok(())
            }
        }
    }

    fn string(&mut self) -> Result<(), SyntaxError> {
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                0..b' ' => {
                    let what = match byte {
                        b'\n' => "a line break stands in a string: `\\n` says it".to_owned(),
                        b'\t' => "a tab stands in a string: `\\t` says it".to_owned(),
                        other => format!(
                            "a control character stands in a string: `\\u{other:04x}` says it"
                        ),
                    };
                    return Err(self.wrong(&what));
                }
                b'\\' => self.escape()?,
                _ => self.at += 1,
            }
        }
        Err(self.wrong("a string has no end"))
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        self.at += match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', one, two, three, four, ..]
                if [one, two, three, four]
                    .into_iter()
                    .all(u8::is_ascii_hexdigit) =>
            {
                6
            }
            _ => return Err(self.wrong("JSON has no such escape")),
        };
        Ok(())
    }

    fn number(&mut self) -> Result<(), SyntaxError> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    /// Takes one digit and all that follow.
    fn digits(&mut self) -> Result<(), SyntaxError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count > 0 {
            Ok(())
        } else {
            Err(self.wrong("a digit has to stand here"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_is_told_with_its_place() {
        let check = |text: &str, expected: Option<usize>| {
            assert_eq!(
                check_to_the_letter(text).err().map(|error| error.offset),
                expected,
                "{text:?}"
            );
        };
        for text in [
            "0",
            "-0",
            "10.5e+3",
            "1E5",
            " \t\r\n1 ",
            "\"\"",
            "true",
            "[]",
            "{}",
            "[1, 2]",
            "{\"a\": [{}, null]}",
            "\"\\u00e9\\ud800\\n\\/\u{7f}\u{2028}é\"",
            "{\"a\": 1, \"a\": 2}",
        ] {
            check(text, None);
        }
        check("{\"a\": \"l1\nl2\"}", Some(9));
        check("\"\t\"", Some(1));
        check("\"\u{1}\"", Some(1));
        check("{\"a\n\": 1}", Some(3));
        check("\"\\x41\"", Some(1));
        check("\"\\u12g4\"", Some(1));
        check("\"\\", Some(1));
        check("\"a", Some(2));
        check("01", Some(1));
        check("-", Some(1));
        check("1.", Some(2));
        check(".5", Some(0));
        check("+1", Some(0));
        check("1e", Some(2));
        check("0x1", Some(1));
        check("NaN", Some(0));
        check("-Infinity", Some(1));
        check("True", Some(0));
        check("truefalse", Some(4));
        check("[1,]", Some(3));
        check("[,]", Some(1));
        check("[1 2]", Some(3));
        check("{\"a\": 1,}", Some(8));
        check("{a: 1}", Some(1));
        check("{'a': 1}", Some(1));
        check("{\"a\" 1}", Some(5));
        check("{\"a\": 1]", Some(7));
        check("1 2", Some(2));
        check("1 // c", Some(2));
        check("[\u{c}1]", Some(1));
        check("[\u{a0}1]", Some(1));
        check("", Some(0));
        check("[", Some(1));
        check(&"[".repeat(100_000), Some(100_000));
        check(&["[".repeat(100_000), "]".repeat(100_000)].concat(), None);
    }
}
