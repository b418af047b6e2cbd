//! The driver of `tests/ask/`: a server on this machine that answers as `exchange.yaml` says, and `git segedit ask` in front of it.
//!
//! `tests/ask/README.md` says what a folder holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Run, Sandbox, Tree, read_tree, tree_difference};

/// The key that every test has. It comes back from nowhere.
pub(crate) const KEY: &str = "sk-test-0123456789abcdef";

/// What `exchange.yaml` holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Script {
    /// The paths that may be edited.
    pub paths: Vec<String>,
    /// Further arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Lines of shell that are run in the repository first.
    #[serde(default)]
    pub setup: Vec<String>,
    /// Whether the interface is OpenAI's.
    #[serde(default)]
    pub openai: bool,
    /// What is asked and answered, in order. The last one is repeated where `forever` is set.
    pub exchange: Vec<Exchange>,
    /// Whether the last answer is given as often as it is asked for.
    #[serde(default)]
    pub forever: bool,
}

/// One request and the answer to it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Exchange {
    /// What the body of the request has at these pointers; `null` means nothing.
    pub has: BTreeMap<String, Value>,
    /// Texts that the body of the request holds.
    pub holds: Vec<String>,
    /// Texts that it does not hold.
    pub lacks: Vec<String>,
    /// A line of shell that is run in the repository while the model thinks.
    pub meanwhile: Option<String>,
    /// The status, 200 unless given.
    pub status: Option<u16>,
    /// Headers beside `content-type` and `content-length`.
    pub headers: BTreeMap<String, String>,
    /// What the model says.
    pub say: Option<String>,
    /// What it calls: names and arguments.
    pub calls: Vec<Called>,
    /// Why it ended, in the words of the interface; that it calls, or has done, unless given.
    pub stop: Option<String>,
    /// The body, if it is none of the above.
    pub json: Option<Value>,
    /// The body, if it is not JSON.
    pub text: Option<String>,
    /// Only so many bytes of the body are sent.
    pub cut: Option<usize>,
    /// Nothing is answered at all.
    pub hang: bool,
}

/// A call in an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Called {
    /// The tool.
    pub tool: String,
    /// The arguments; a text is sent as it is.
    pub with: Value,
    /// The call's name, one of its own unless given.
    pub id: Option<String>,
}

/// A request that came, and what it was answered.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// Whether the interface is OpenAI's.
    pub openai: bool,
    /// The path that it went to.
    pub path: String,
    /// Its headers, in lower case.
    pub headers: BTreeMap<String, String>,
    /// Its body.
    pub body: Value,
    /// The body of the answer, if it is one that a model gave.
    pub answer: Option<Value>,
}

/// A server that answers as the script says, on a port of its own.
pub(crate) struct Server {
    port: u16,
    state: Arc<Mutex<State>>,
}

struct State {
    script: Script,
    repo: PathBuf,
    next: usize,
    recorded: Vec<Recorded>,
    complaints: Vec<String>,
}

/// Says whether this machine can be reached from itself, which it cannot in a network namespace whose loopback is down.
pub(crate) fn has_loopback() -> bool {
    static IS_THERE: LazyLock<bool> = LazyLock::new(|| {
        let connects = |listener: TcpListener| TcpStream::connect(listener.local_addr()?);
        let connected = TcpListener::bind(("127.0.0.1", 0)).and_then(connects);
        if let Err(error) = &connected {
            println!("skipped: nobody can play a model, for 127.0.0.1 cannot be reached: {error}");
        }
        connected.is_ok()
    });
    *IS_THERE
}

impl Server {
    /// Starts to answer; `repo` is where `meanwhile` happens.
    pub(crate) fn start(script: &Script, repo: &Path) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let state = State {
            script: script.clone(),
            repo: repo.to_owned(),
            next: 0,
            recorded: Vec::new(),
            complaints: Vec::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        // It ends with the test program.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = shared.clone();
                std::thread::spawn(move || {
                    let _ = serve(stream, &state, port);
                });
            }
        });
        Server { port, state }
    }

    /// Returns where it is.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns what was asked, and what was not as it should be.
    pub(crate) fn end(&self) -> (Vec<Recorded>, Vec<String>) {
        let mut state = self.state.lock().expect("no request panics");
        let (asked, wanted) = (state.next, state.script.exchange.len());
        let is_short = if state.script.forever {
            asked < wanted
        } else {
            asked != wanted
        };
        if is_short {
            state.complaints.push(format!(
                "{asked} requests came, and exchange.yaml has {wanted}"
            ));
        }
        (state.recorded.clone(), state.complaints.clone())
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>, port: u16) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();

    let (exchange, answer) = {
        let mut state = state.lock().expect("no request panics");
        let at = state.next;
        state.next += 1;
        let all = &state.script.exchange;
        let known = all
            .get(at)
            .or(all.last().filter(|_| state.script.forever))
            .cloned();
        let openai = state.script.openai;
        let Some(exchange) = known else {
            state.complaints.push(format!(
                "request {} is one more than exchange.yaml has",
                at + 1
            ));
            return Ok(());
        };
        let complaints = exchange.complaints(at + 1, &body);
        state.complaints.extend(complaints);
        let answer = exchange.answer(openai);
        let recorded = Recorded {
            openai,
            path,
            headers,
            body,
            answer: answer.clone(),
        };
        state.recorded.push(recorded);
        if let Some(line) = &exchange.meanwhile {
            let done = std::process::Command::new("sh")
                .args(["-c", line])
                .current_dir(&state.repo)
                .status()?;
            assert!(done.success(), "{line}");
        }
        (exchange, answer)
    };
    if exchange.hang {
        std::thread::sleep(Duration::from_secs(20));
        return Ok(());
    }
    let status = exchange.status.unwrap_or(200);
    let kind = if exchange.text.is_some() {
        "text/html"
    } else {
        "application/json"
    };
    let text = answer.map_or_else(
        || {
            exchange
                .json
                .as_ref()
                .map_or(exchange.text.clone().unwrap_or_default(), Value::to_string)
        },
        |answer| answer.to_string(),
    );
    let mut response = format!(
        "HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\n",
        text.len()
    );
    write!(response, "content-type: {kind}\r\nconnection: close\r\n").expect("a string");
    for (name, value) in &exchange.headers {
        write!(
            response,
            "{name}: {}\r\n",
            value.replace("PORT", &port.to_string())
        )
        .expect("a string");
    }
    response.push_str("\r\n");
    let sent = exchange.cut.unwrap_or(text.len());
    response.push_str(text.get(..sent).unwrap_or(&text));
    stream.write_all(response.as_bytes())?;
    stream.flush()
}

impl Exchange {
    fn complaints(&self, number: usize, body: &Value) -> Vec<String> {
        let text = body.to_string();
        let mut complaints = Vec::new();
        for (pointer, wanted) in &self.has {
            let found = body.pointer(pointer).unwrap_or(&Value::Null);
            if found != wanted {
                complaints.push(format!(
                    "request {number}: {pointer} is {found}, not {wanted}"
                ));
            }
        }
        let escaped = |part: &String| json!(part).to_string().trim_matches('"').to_owned();
        for part in self
            .holds
            .iter()
            .filter(|part| !text.contains(&escaped(part)))
        {
            complaints.push(format!("request {number} does not hold {part:?}:\n{text}"));
        }
        for part in self
            .lacks
            .iter()
            .filter(|part| text.contains(&escaped(part)))
        {
            complaints.push(format!("request {number} holds {part:?}:\n{text}"));
        }
        complaints
    }

    /// Returns the body of an answer that a model gives.
    fn answer(&self, openai: bool) -> Option<Value> {
        if self.say.is_none() && self.calls.is_empty() && self.stop.is_none() {
            return None;
        }
        Some(if openai {
            self.completion()
        } else {
            self.message()
        })
    }

    fn message(&self) -> Value {
        let mut content: Vec<Value> = self
            .say
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect();
        for (at, call) in self.calls.iter().enumerate() {
            let id = call
                .id
                .clone()
                .unwrap_or_else(|| format!("toolu_{}", at + 1));
            content
                .push(json!({"type": "tool_use", "id": id, "name": call.tool, "input": call.with}));
        }
        let usual = if self.calls.is_empty() {
            "end_turn"
        } else {
            "tool_use"
        };
        let usage = json!({
            "input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 50, "cache_creation_input_tokens": 0,
        });
        json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test-1", "content": content,
            "stop_reason": self.stop.as_deref().unwrap_or(usual), "stop_sequence": null, "usage": usage,
        })
    }

    fn completion(&self) -> Value {
        let call = |(at, call): (usize, &Called)| {
            let id = call
                .id
                .clone()
                .unwrap_or_else(|| format!("call_{}", at + 1));
            let arguments = call
                .with
                .as_str()
                .map_or_else(|| call.with.to_string(), str::to_owned);
            json!({"id": id, "type": "function", "function": {"name": call.tool, "arguments": arguments}})
        };
        let calls: Vec<Value> = self.calls.iter().enumerate().map(call).collect();
        let mut message = json!({"role": "assistant", "content": self.say, "refusal": null});
        if !calls.is_empty() {
            message["tool_calls"] = Value::Array(calls);
        }
        let usual = if self.calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        let stop = self.stop.as_deref().unwrap_or(usual);
        json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1_767_323_045, "model": "gpt-test-1",
            "choices": [{"index": 0, "message": message, "finish_reason": stop, "logprobs": null}],
            "usage": {
                "prompt_tokens": 150, "completion_tokens": 20, "total_tokens": 170,
                "prompt_tokens_details": {"cached_tokens": 50},
            },
        })
    }
}

/// Returns the folder with all cases.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ask")
}

/// Returns the names of all cases, sorted; `SEGEDIT_ASK` narrows them to those that hold these words.
pub(crate) fn names() -> Vec<String> {
    let words = std::env::var("SEGEDIT_ASK").unwrap_or_default();
    let entries = fs::read_dir(folder())
        .expect("the cases")
        .map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders
        .map(|entry| entry.file_name().into_string().expect("a plain name"))
        .collect();
    names.retain(|name| name.contains(&words));
    names.sort();
    assert!(!names.is_empty(), "no case's folder contains {words:?}");
    names
}

/// Runs `git segedit ask` in front of a server.
pub(crate) fn ask(sandbox: &Sandbox, url: &str, script: &Script, request: &str) -> Run {
    let mut command = sandbox.segedit_command();
    command.args(["ask", request, "--format", "json", "--base-url", url]);
    command.args(if script.openai {
        &["--provider", "openai"][..]
    } else {
        &[]
    });
    command.args(&script.args).arg("--").args(&script.paths);
    command
        .env("ANTHROPIC_API_KEY", KEY)
        .env("OPENAI_API_KEY", KEY)
        .env("FAILPOINTS", "ask-pause=return");
    sandbox.run(&mut command, b"")
}

/// Runs a case and returns what was asked, or what is wrong.
pub(crate) fn run_case(name: &str) -> Result<Vec<Recorded>, String> {
    let case = folder().join(name);
    for entry in fs::read_dir(&case).expect("the case") {
        let file = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a plain name");
        let known = [
            "before",
            "after",
            "request.txt",
            "exchange.yaml",
            "report.txt",
            "README.md",
        ];
        assert!(
            known.contains(&file.as_str()),
            "{name}: what is `{file}` for?"
        );
    }
    let text = |file: &str| {
        fs::read_to_string(case.join(file)).map_err(|error| format!("{file}: {error}"))
    };
    let script: Script = serde_yaml::from_str(&text("exchange.yaml")?)
        .map_err(|error| format!("exchange.yaml: {error}"))?;
    let before = read_tree(&case.join("before"));
    let sandbox = Sandbox::with_tree(&before);
    for line in &script.setup {
        let run = sandbox.shell(line);
        assert_eq!(run.exit, 0, "{run}");
    }
    let server = Server::start(&script, &sandbox.repo());
    let untouched = sandbox.digest();
    let mut last = None;
    for request in text("request.txt")?.lines() {
        last = Some(ask(&sandbox, &server.url(), &script, request));
    }
    let run = last.ok_or("request.txt is empty")?;
    let (recorded, mut complaints) = server.end();
    let shown = run.out() + &run.err();
    if shown.contains(KEY) {
        complaints.push("the key is shown".to_owned());
    }
    let found = summary(&run);
    if let Err(line) = fits(&text("report.txt")?, &found) {
        complaints.push(format!(
            "report.txt: at `{line}`, where the report is\n{found}"
        ));
    }
    let after = case.join("after");
    if after.exists() {
        complaints.extend(published(&sandbox, &before, &read_tree(&after)));
    } else if script
        .exchange
        .iter()
        .all(|exchange| exchange.meanwhile.is_none())
        && sandbox.digest() != untouched
    {
        complaints.push("something changed".to_owned());
    }
    if complaints.is_empty() {
        Ok(recorded)
    } else {
        Err(format!("{}\n{run}\n{sandbox}", complaints.join("\n")))
    }
}

/// Says what is not as it should be of a batch that was published: in the commit, in the files, undone and done again.
fn published(sandbox: &Sandbox, before: &Tree, after: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut differ = |place: &str, wanted: &Tree, found: &Tree| {
        complaints.extend(
            tree_difference(wanted, found).map(|difference| format!("{place}:\n{difference}")),
        );
    };
    differ("the commit", after, &sandbox.tree("HEAD"));
    differ("the files", after, &sandbox.worktree_tree());
    if sandbox.git(&["rev-list", "--count", "HEAD"]) == "2" {
        sandbox.segedit(&["undo", "-q"]);
        differ("undone", before, &sandbox.tree("HEAD"));
        sandbox.segedit(&["redo", "-q"]);
        differ("done again", after, &sandbox.tree("HEAD"));
    }
    let kept = sandbox.segedit(&["show-batch", "--format", "json"]);
    if kept.out().contains(KEY) {
        complaints.push("the history holds the key".to_owned());
    }
    if !kept.json()["conversation"].is_object() {
        complaints.push(format!("the history has no conversation\n{kept}"));
    }
    complaints
}

/// Returns a report in the short form of `report.txt`.
pub(crate) fn summary(run: &Run) -> String {
    let report = run.json();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut text = format!("exit {}\n{}\n", run.exit, word(&report["status"]));
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for operation in list(&report["operations"]) {
        let target = operation["segment"]["address"]
            .as_str()
            .or(operation["file"].as_str())
            .unwrap_or_default();
        let (op, status) = (word(&operation["op"]), word(&operation["status"]));
        writeln!(text, "op {op} {status} {target}").expect("a string");
    }
    for error in list(&report["errors"]) {
        writeln!(
            text,
            "error {}: {}",
            word(&error["code"]),
            word(&error["message"])
        )
        .expect("a string");
        for note in list(&error["notes"]) {
            writeln!(text, "  {}", word(&note)).expect("a string");
        }
    }
    for warning in list(&report["warnings"]) {
        writeln!(
            text,
            "warning {}: {}",
            word(&warning["code"]),
            word(&warning["message"])
        )
        .expect("a string");
    }
    let talk = &report["conversation"];
    if talk.is_object() {
        let (model, rounds, requests) = (word(&talk["model"]), &talk["rounds"], &talk["requests"]);
        writeln!(text, "{model} rounds {rounds} requests {requests}").expect("a string");
        let tokens = &talk["tokens"];
        writeln!(
            text,
            "tokens {} in {} out {} cached",
            tokens["in"], tokens["out"], tokens["cache_read"]
        )
        .expect("a string");
    }
    for call in list(&talk["calls"]) {
        let (tool, target, fate) = (
            word(&call["tool"]),
            word(&call["target"]),
            word(&call["fate"]),
        );
        let why = call["why"]
            .as_str()
            .map_or(String::new(), |why| format!(" {why}"));
        writeln!(text, "call {} {fate} {tool} {target}{why}", call["round"]).expect("a string");
    }
    if talk["fallback"] == json!(true) {
        text.push_str("fallback\n");
    }
    for dropped in list(&talk["dropped"]) {
        writeln!(text, "dropped {}", word(&dropped)).expect("a string");
    }
    text
}

/// Says whether the lines are those that are wanted, `…` standing for anything in a line, or the first that is not.
fn fits(wanted: &str, found: &str) -> Result<(), String> {
    let mut lines = found.lines();
    for line in wanted.lines() {
        let found = lines.next().unwrap_or_default();
        let mut rest = found;
        let mut pieces = line.split('…');
        let first = pieces.next().unwrap_or_default();
        let mut is_alike = rest.strip_prefix(first).map(|after| rest = after).is_some();
        for piece in pieces {
            is_alike &= rest
                .find(piece)
                .map(|at| rest = &rest[at + piece.len()..])
                .is_some();
        }
        if !is_alike || (!rest.is_empty() && !line.ends_with('…')) {
            return Err(line.to_owned());
        }
    }
    lines.next().map_or(Ok(()), |more| {
        Err(format!("(nothing, and there is) {more}"))
    })
}
