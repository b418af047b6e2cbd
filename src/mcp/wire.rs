//! The lines that messages go by, one each. What cannot be read is answered too: a client that sent it would wait for ever.

use std::borrow::Cow;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

use crate::door::json;

/// Most bytes of a line.
const MOST_BYTES: usize = 16 << 20;

/// The line is no JSON.
const PARSE_ERROR: i32 = -32700;

/// The line is JSON, and no message.
const INVALID_REQUEST: i32 = -32600;

/// Standard input and output.
pub(super) struct Wire {
    input: BufReader<StdioReader>,
    /// What is read of the next line.
    line: Vec<u8>,
    /// Whether the line has become too long and the rest of it is passed over.
    is_cut: bool,
    output: Arc<Mutex<StdioWriter>>,
    /// The answer to the last line that could not be read, while it is written. Who receives may be called off at any time.
    answering: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send>>>,
}

impl Wire {
    /// Takes the standard streams of this process.
    pub(super) fn of_process() -> Wire {
        let (input, output) = stdio_pipes();
        let (input, output) = (BufReader::new(input), Arc::new(Mutex::new(output)));
        Wire {
            input,
            line: Vec::new(),
            is_cut: false,
            output,
            answering: None,
        }
    }

    /// Reads on up to the end of a line; `false` is the end of all. What was read when it is called off is kept.
    async fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let read = self.input.fill_buf().await?;
            if read.is_empty() {
                return Ok(false);
            }
            let end = memchr::memchr(b'\n', read);
            let taken = end.unwrap_or(read.len());
            self.is_cut |= self.line.len() + taken > MOST_BYTES;
            if self.is_cut {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(&read[..taken]);
            }
            self.input.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "standard input and output".into()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(self.output.clone(), serde_json::to_vec(&message))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                let written = answering.await;
                self.answering = None;
                written.ok()?;
            }
            if !self.read_line().await.ok()? {
                return None;
            }
            let message = match std::mem::take(&mut self.is_cut) {
                true => Err(Unreadable::new(
                    INVALID_REQUEST,
                    format!("a line is longer than {MOST_BYTES} bytes"),
                )),
                false => message(&self.line),
            };
            self.line.clear();
            match message {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(unreadable) => {
                    let answer = serde_json::to_vec(&unreadable.answer());
                    self.answering = Some(Box::pin(write(self.output.clone(), answer)));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.flush().await
    }
}

async fn write(
    output: Arc<Mutex<StdioWriter>>,
    message: serde_json::Result<Vec<u8>>,
) -> io::Result<()> {
    let mut line = message?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

/// What is wrong with a line, and whose it is as far as that can be told.
#[derive(Debug, PartialEq)]
struct Unreadable {
    code: i32,
    why: String,
    id: Value,
}

impl Unreadable {
    fn new(code: i32, why: String) -> Unreadable {
        Unreadable {
            code,
            why,
            id: Value::Null,
        }
    }

    fn answer(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": { "code": self.code, "message": self.why } })
    }
}

/// What tells whose a message is. The rest is passed over, however deep it is.
#[derive(Deserialize)]
struct MessageHead {
    #[serde(default)]
    id: Value,
}

/// Reads the message of a line, if it has one that is to be answered or heeded.
fn message(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Unreadable> {
    let line = line
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(line)
        .trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let value = match json::read(line) {
        Ok(value) => value,
        Err(why) if serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err() => {
            return Err(Unreadable::new(PARSE_ERROR, why.to_string()));
        }
        Err(why) => {
            let id =
                serde_json::from_slice::<MessageHead>(line).map_or(Value::Null, |head| head.id);
            return Err(Unreadable {
                id: named(id),
                ..Unreadable::new(INVALID_REQUEST, why.to_string())
            });
        }
    };
    let id = value.get("id").cloned();
    let is_notification = id.is_none() && value.get("method").is_some_and(Value::is_string);
    match serde_json::from_value(value) {
        Ok(message) => Ok(Some(message)),
        // Nobody waits for an answer, and clients have notifications of their own.
        Err(_) if is_notification => Ok(None),
        Err(error) => {
            let id = named(id.unwrap_or_default());
            Err(Unreadable {
                id,
                ..Unreadable::new(INVALID_REQUEST, format!("no message: {error}"))
            })
        }
    }
}

/// Returns an id if it is one that a request can have.
fn named(id: Value) -> Value {
    match id {
        Value::String(_) | Value::Number(_) => id,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Value::Null,
    }
}
