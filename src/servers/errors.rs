//! What a server finds wrong in files as they were shown: the errors of a compiler or a checker.
//!
//! What a server says of itself, whenever it likes (`publishDiagnostics`), is of no use here: nothing tells when it has said all.

use std::fs;

use serde_json::{Value, json};

use super::session::{MOST_TIMES, Session, SessionFault};
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::plan::{ServedError, ServedErrors};
use crate::snapshot::Blob;

/// The command by which typescript-language-server hands a request on to TypeScript's own server.
const TSSERVER_REQUEST: &str = "typescript.tsserverRequest";
/// `DiagnosticSeverity.Error` of the protocol.
const ERROR: u64 = 1;

/// Most words of what it says of an error: types may be long.
const MOST_WORDS: usize = 1000;

/// How a server is asked for its errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorRequest {
    /// By the protocol, from its version 3.17 on.
    Pull,
    /// By a request to TypeScript's own server, for typescript-language-server knows no other.
    TsServer,
}

impl Session {
    /// Returns what is wrong in the files at `paths`, which are shown as they are unless they were shown; `None` where the server does not say
    /// such things.
    pub(super) fn errors(
        &mut self,
        paths: &[RepoPath],
    ) -> Result<Option<ServedErrors>, Diagnostic> {
        let Some(request) = self.error_request() else {
            return Ok(None);
        };
        self.show_unshown(paths);
        let lists = self.ask_errors(request, paths);
        let lists = lists.map_err(|why| self.explained(why))?;
        let mut found = ServedErrors::default();
        for (path, list) in paths.iter().zip(&lists) {
            match list {
                Ok(Value::Array(list)) => self.add_errors(request, path, list, &mut found.errors),
                _ => found.unknown.push(path.clone()),
            }
        }
        if !paths.is_empty() && found.unknown.len() == paths.len() {
            let why = "it says of no file what is wrong in it".to_owned();
            return Err(self.explained(SessionFault::Nonsense(why)));
        }
        Ok(Some(found))
    }

    fn error_request(&self) -> Option<ErrorRequest> {
        let pull = self.capabilities.get("diagnosticProvider");
        if pull.is_some_and(|it| !it.is_null()) {
            return Some(ErrorRequest::Pull);
        }
        let commands = self
            .capabilities
            .pointer("/executeCommandProvider/commands")
            .and_then(Value::as_array)?;
        let command = json!(TSSERVER_REQUEST);
        commands
            .contains(&command)
            .then_some(ErrorRequest::TsServer)
    }

    fn show_unshown(&mut self, paths: &[RepoPath]) {
        let mut unshown: Vec<(&RepoPath, Blob)> = Vec::new();
        for path in paths {
            if self.files.contains_key(path) {
                continue;
            }
            if let Ok(bytes) = fs::read(self.folder.path().join(path.as_str())) {
                unshown.push((path, bytes.into()));
            }
        }
        self.show(&unshown);
    }

    /// Asks of each of `paths` until the same answers come twice: one that is called off comes anew.
    fn ask_errors(
        &mut self,
        request: ErrorRequest,
        paths: &[RepoPath],
    ) -> Result<Vec<Result<Value, String>>, SessionFault> {
        let (method, parameters) = self.error_parameters(request, paths);
        let mut answers = self.ask_errors_once(request, method, &parameters)?;
        for _ in 0..MOST_TIMES {
            let again = self.ask_errors_once(request, method, &parameters)?;
            if again == answers {
                return Ok(answers);
            }
            answers = again;
        }
        Err(SessionFault::Nonsense(
            "it finds something else wrong each time".to_owned(),
        ))
    }

    /// Returns of each answer the list of what is wrong. What else there is may change from time to time.
    fn ask_errors_once(
        &mut self,
        request: ErrorRequest,
        method: &str,
        parameters: &[Value],
    ) -> Result<Vec<Result<Value, String>>, SessionFault> {
        self.await_quiet()?;
        let field = match request {
            ErrorRequest::Pull => "items",
            ErrorRequest::TsServer => "body",
        };
        let answers = self.ask(method, parameters)?.into_iter();
        let list = |mut answer: Value| {
            let list = answer.get_mut(field).map(Value::take);
            list.unwrap_or_default()
        };
        Ok(answers.map(|answer| answer.map(list)).collect())
    }

    fn error_parameters(
        &self,
        request: ErrorRequest,
        paths: &[RepoPath],
    ) -> (&'static str, Vec<Value>) {
        let uris = paths.iter().map(|path| self.uri(path));
        match request {
            ErrorRequest::Pull => {
                let parameters = uris.map(|uri| json!({"textDocument": {"uri": uri}}));
                ("textDocument/diagnostic", parameters.collect())
            }
            ErrorRequest::TsServer => {
                let parameters = uris.map(|uri| {
                    let arguments = json!(["semanticDiagnosticsSync", {"file": uri}]);
                    json!({"command": TSSERVER_REQUEST, "arguments": arguments})
                });
                ("workspace/executeCommand", parameters.collect())
            }
        }
    }

    fn add_errors(
        &self,
        request: ErrorRequest,
        path: &RepoPath,
        list: &[Value],
        errors: &mut Vec<ServedError>,
    ) {
        for item in list {
            let (is_error, position, message) = match request {
                ErrorRequest::Pull => pulled(item),
                ErrorRequest::TsServer => of_tsserver(item),
            };
            if !is_error {
                continue;
            }
            let text = self.files.get(path).and_then(|file| file.text.as_ref());
            let at = text.and_then(|text| text.offset(&position));
            // Where the files lie is nobody's business.
            let folder = format!("{}/", self.folder.path().display());
            let message = message.unwrap_or_default().replace(&folder, "");
            let words = message.split_ascii_whitespace();
            let words: Vec<&str> = words.take(MOST_WORDS).collect();
            let code = match item.get("code") {
                Some(Value::String(code)) => code.clone(),
                Some(Value::Number(code)) => code.to_string(),
                _ => String::new(),
            };
            errors.push(ServedError {
                path: path.clone(),
                at: at.unwrap_or_default(),
                line: line_of(&position),
                code,
                message: words.join(" "),
            });
        }
    }
}

/// Returns the line of a position, from 1.
fn line_of(position: &Value) -> usize {
    let line = position.get("line").and_then(Value::as_u64);
    let line = line.and_then(|line| usize::try_from(line).ok());
    line.unwrap_or_default().saturating_add(1)
}

/// Reads a `Diagnostic` of the protocol: whether it is an error, where, and what it says.
fn pulled(item: &Value) -> (bool, Value, Option<&str>) {
    let severity = item.get("severity").and_then(Value::as_u64);
    let start = item.pointer("/range/start").cloned();
    let message = item.get("message").and_then(Value::as_str);
    (
        severity.is_none_or(|severity| severity == ERROR),
        start.unwrap_or_default(),
        message,
    )
}

/// Reads a `Diagnostic` of TypeScript's server, which counts lines and columns from 1.
fn of_tsserver(item: &Value) -> (bool, Value, Option<&str>) {
    let number = |field| {
        let number = item.pointer(field).and_then(Value::as_u64);
        number.unwrap_or(1).saturating_sub(1)
    };
    let position = json!({"line": number("/start/line"), "character": number("/start/offset")});
    let is_error = item.get("category") == Some(&json!("error"));
    (is_error, position, item.get("text").and_then(Value::as_str))
}
