//! Messages in bytes: a header that says how long, and JSON (Language Server Protocol 3.17, base protocol).

use serde_json::Value;

/// The most bytes of a header, and of a message: what a server says is kept in memory.
const MOST_HEADER: usize = 8 << 10;
const MOST_MESSAGE: usize = 64 << 20;

/// Bytes that a server said, and the messages in them.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    bytes: Vec<u8>,
}

impl Incoming {
    /// Takes more of what the server said.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next whole message, if there is one, or says why there can be none.
    pub(super) fn next(&mut self) -> Result<Option<Value>, String> {
        let end = memchr::memmem::find(&self.bytes, b"\r\n\r\n");
        let Some(end) = end else {
            return match self.bytes.len() > MOST_HEADER {
                true => Err("it says nothing that is a message".to_owned()),
                false => Ok(None),
            };
        };
        let length = length(&self.bytes[..end]).ok_or("it says nothing that is a message")?;
        if length > MOST_MESSAGE {
            return Err(format!("a message of {length} bytes is too much"));
        }
        let start = end + 4;
        if self.bytes.len() - start < length {
            return Ok(None);
        }
        let message = serde_json::from_slice(&self.bytes[start..start + length]);
        self.bytes.drain(..start + length);
        message
            .map(Some)
            .map_err(|error| format!("a message is no JSON: {error}"))
    }
}

/// Returns what a header says that its message is long.
fn length(header: &[u8]) -> Option<usize> {
    let header = std::str::from_utf8(header).ok()?;
    let mut fields = header.split("\r\n").filter_map(|line| line.split_once(':'));
    let (_, length) = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?;
    length.trim().parse().ok()
}

/// Returns a message in bytes.
pub(super) fn written(message: &Value) -> Vec<u8> {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_found_in_any_pieces() {
        let messages = [json!({"id": 1}), json!({"text": "ü\r\n\r\n"}), json!([])];
        let bytes: Vec<u8> = messages.iter().flat_map(written).collect();
        for size in [1, 2, 7, bytes.len()] {
            let mut incoming = Incoming::default();
            let mut found = Vec::new();
            for piece in bytes.chunks(size) {
                incoming.push(piece);
                while let Some(message) = incoming.next().unwrap() {
                    found.push(message);
                }
            }
            assert_eq!(found, messages, "in pieces of {size}");
        }
    }

    #[test]
    fn other_bytes_are_no_message() {
        let check = |bytes: &[u8], expected: Result<Option<Value>, &str>| {
            let mut incoming = Incoming::default();
            incoming.push(bytes);
            match (incoming.next(), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(why), Err(words)) => assert!(why.contains(words), "{why}"),
                (found, expected) => panic!("{found:?} is not {expected:?}"),
            }
        };
        check(b"Content-Length: 2\r\n\r\n{", Ok(None));
        check(
            b"content-type: x\r\ncontent-length:2\r\n\r\n{}",
            Ok(Some(json!({}))),
        );
        check(b"Content-Length: 2\r\n\r\n{]", Err("no JSON"));
        check(b"Content-Length: -2\r\n\r\n{}", Err("nothing that is"));
        check(b"hello\r\n\r\n", Err("nothing that is"));
        check(&[b'x'; MOST_HEADER + 1], Err("nothing that is"));
        check(b"Content-Length: 99999999999\r\n\r\n", Err("too much"));
        let deep = "[".repeat(100_000);
        let deep = format!("Content-Length: {}\r\n\r\n{deep}", deep.len());
        check(deep.as_bytes(), Err("no JSON"));
    }
}
