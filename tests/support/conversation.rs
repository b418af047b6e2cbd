//! A client of `git segedit mcp`, as the tests need one: it says lines and hears lines. No test lives here.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Sandbox;

/// A conversation with a server of its own.
pub(crate) struct Conversation {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts a server and shakes hands as clients of 2025 do.
    pub(crate) fn begin(sandbox: &Sandbox, options: &[&str]) -> Conversation {
        Conversation::begin_with(sandbox.segedit_command().args(["mcp"]).args(options))
    }

    /// Does the same with a command of one's own.
    pub(crate) fn begin_with(command: &mut Command) -> Conversation {
        let mut conversation = Conversation::start(command);
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}});
        conversation
            .say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        let answer = conversation.hear();
        assert_eq!(
            answer["result"]["protocolVersion"],
            json!("2025-06-18"),
            "{answer}"
        );
        assert_eq!(answer["result"]["serverInfo"]["name"], json!("git-segedit"));
        let instructions = answer["result"]["instructions"].as_str().unwrap();
        assert!(
            instructions.len() < 2_000 && instructions.contains("path::segment"),
            "{instructions}"
        );
        conversation.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        conversation
    }

    /// Starts a server, and says nothing yet.
    pub(crate) fn start(command: &mut Command) -> Conversation {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = command.spawn().expect("the server starts");
        let (input, output) = (server.stdin.take(), server.stdout.take().expect("a pipe"));
        Conversation {
            server,
            input,
            output: BufReader::new(output),
        }
    }

    /// Says a line, whatever it is.
    pub(crate) fn say_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the client is still there");
        writeln!(input, "{line}").expect("the server reads");
    }

    /// Says a message.
    pub(crate) fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string());
    }

    /// Returns the next message, which is one line of JSON.
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .expect("the server speaks UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Calls a tool, and does not wait for the answer.
    pub(crate) fn ask(&mut self, id: u64, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    /// Calls a tool, and returns whether it was refused, and the text of the answer.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        self.ask(7, tool, arguments);
        let answer = self.hear();
        assert_eq!(answer["id"], json!(7), "{answer}");
        let blocks = answer["result"]["content"]
            .as_array()
            .unwrap_or_else(|| panic!("{answer}"))
            .clone();
        let texts: Vec<&str> = blocks
            .iter()
            .map(|block| block["text"].as_str().unwrap())
            .collect();
        (answer["result"]["isError"] == json!(true), texts.join("\n"))
    }

    /// Leaves, and returns the server's exit code and what it said after that.
    pub(crate) fn leave(mut self) -> (Option<i32>, String) {
        self.close();
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).expect("UTF-8");
        (self.ended(), rest)
    }

    /// Closes the server's input.
    pub(crate) fn close(&mut self) {
        drop(self.input.take());
    }

    /// Returns the process id of the server.
    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }

    /// Waits for the end of the server and returns its exit code.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            match self.server.try_wait().expect("it can be waited for") {
                Some(status) => return status.code(),
                None if Instant::now() > end => panic!("the server does not end"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Sends the server a signal.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args(["-s", name, &self.server.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
    }
}
