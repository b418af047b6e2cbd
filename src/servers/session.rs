//! `Session`: a talk with one server, from its beginning to its end.
//!
//! A server that has just begun answers from what it has read so far, without a word: typescript-language-server named 3 of 20 places.
//! So it is waited for until it reports no work any more, and asked again until it says the same twice.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::positions::ShownText;
use super::wire::{self, Incoming};
use super::{languages, uri};
use crate::config::LanguageServer;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::linters::{LinterContext, ServerFolder};
use crate::path::RepoPath;
use crate::plan::{DefinedAt, NamePlace, ServedEdit};
use crate::process::{Dialogue, Received, RunEnd};
use crate::snapshot::Blob;

/// How long a server is quiet that has no work to report, and how long one that has not reported any since it was quiet last.
const QUIET: Duration = Duration::from_millis(250);
const STILL_QUIET: Duration = Duration::from_millis(30);
/// How long it has to tidy up once it is not needed any more.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often it is asked until it says the same twice.
pub(super) const MOST_TIMES: usize = 10;
/// How many requests are under way at a time.
const AT_ONCE: usize = 16;
/// Most lines of its own words that are shown.
const MOST_LINES: usize = 5;

/// A server that runs.
pub(super) struct Session {
    name: String,
    settings: Value,
    /// What it says that it can do.
    pub(super) capabilities: Value,
    dialogue: Dialogue,
    incoming: Incoming,
    requests: u64,
    /// What it reports to be at work on.
    at_work: BTreeSet<String>,
    /// How often it reported to begin or end something, and when it was quiet last.
    reports: usize,
    quiet_at: Option<usize>,
    pub(super) files: BTreeMap<RepoPath, ShownFile>,
    pub(super) folder: ServerFolder,
}

/// A file that was shown.
pub(super) struct ShownFile {
    bytes: Blob,
    /// `None` where it could not be.
    pub(super) text: Option<ShownText>,
    version: u64,
}

/// Why there is no answer.
pub(super) enum SessionFault {
    /// It ended, or was ended.
    End(RunEnd),
    /// It says what is no answer.
    Nonsense(String),
    /// It refuses, in its own words.
    Refusal(String),
    /// It is us who cannot.
    Own(Box<Diagnostic>),
}

impl From<Diagnostic> for SessionFault {
    fn from(error: Diagnostic) -> SessionFault {
        SessionFault::Own(Box::new(error))
    }
}

impl Session {
    /// Starts `server` and greets it.
    pub(super) fn begin(
        context: &LinterContext<'_>,
        server: &LanguageServer,
    ) -> Result<Session, Diagnostic> {
        let folder = ServerFolder::of(context, server)?;
        (context.progress)(&format!("asking {}", server.tool.name));
        let job = folder.job(context, server)?;
        let name = server.tool.name.clone();
        let dialogue = match Dialogue::begin(&job)? {
            Ok(dialogue) => dialogue,
            Err(end) => return Err(fault(&name, SessionFault::End(end), "")),
        };
        let mut session = Session {
            name,
            settings: server.settings.clone(),
            capabilities: Value::Null,
            dialogue,
            incoming: Incoming::default(),
            requests: 0,
            at_work: BTreeSet::new(),
            reports: 0,
            quiet_at: None,
            files: BTreeMap::new(),
            folder,
        };
        let greeted = session.greet();
        greeted.map_err(|why| session.explained(why))?;
        Ok(session)
    }

    fn greet(&mut self) -> Result<(), SessionFault> {
        let root = self.root();
        let greeting = json!({
            "processId": std::process::id(),
            "clientInfo": {"name": "git-segedit"},
            "rootUri": root,
            "workspaceFolders": [{"uri": root, "name": "files"}],
            "initializationOptions": self.settings,
            "capabilities": {
                "general": {"positionEncodings": ["utf-16"]},
                "window": {"workDoneProgress": true},
                "workspace": {
                    "applyEdit": false,
                    "configuration": true,
                    "didChangeConfiguration": {},
                    "workspaceEdit": {"documentChanges": true, "resourceOperations": []},
                    "workspaceFolders": true,
                },
                "textDocument": {
                    "synchronization": {},
                    "definition": {"linkSupport": true},
                    "references": {},
                    "rename": {},
                    "diagnostic": {},
                },
                // rust-analyzer says so when it has read everything.
                "experimental": {"serverStatusNotification": true},
            },
        });
        let mut answer = self.ask_one("initialize", greeting)?;
        let capabilities = answer.get_mut("capabilities").map(Value::take);
        self.capabilities = capabilities.unwrap_or_default();
        let encoding = self.capabilities.get("positionEncoding");
        if encoding.is_some_and(|it| it != "utf-16") {
            return Err(SessionFault::Nonsense(
                "it counts in other units than UTF-16".to_owned(),
            ));
        }
        self.notify("initialized", json!({}));
        let settings = json!({"settings": self.settings});
        self.notify("workspace/didChangeConfiguration", settings);
        Ok(())
    }

    fn root(&self) -> String {
        uri::of_path(self.folder.path())
    }

    pub(super) fn uri(&self, path: &RepoPath) -> String {
        uri::of_path(&self.folder.path().join(path.as_str()))
    }

    /// Shows files as they are to be understood from now on. Where one changes that was shown, the others are shown anew behind it:
    /// who includes a header is read again only then.
    pub(super) fn show(&mut self, files: &[(&RepoPath, Blob)]) {
        let is_known = |path: &RepoPath, bytes: &Blob| {
            let known = self.files.get(path);
            known.is_some_and(|known| known.bytes == *bytes)
        };
        let (same, other): (Vec<_>, Vec<_>) = files
            .iter()
            .partition(|(path, bytes)| is_known(path, bytes));
        let is_changed = other.iter().any(|(path, _)| self.files.contains_key(*path));
        let again = same.into_iter().filter(|_| is_changed);
        for (path, bytes) in other.into_iter().chain(again) {
            let known = self.files.get(*path);
            let version = known.map_or(1, |known| known.version + 1);
            self.show_file(path, bytes, version);
        }
    }

    fn show_file(&mut self, path: &RepoPath, bytes: &Blob, version: u64) {
        let text = ShownText::of(bytes);
        let uri = self.uri(path);
        self.quiet_at = None;
        if let Some(text) = &text {
            let was_shown = self.files.get(path).is_some_and(|it| it.text.is_some());
            if was_shown {
                let changes = json!([{"text": text.text()}]);
                let document = json!({"uri": uri, "version": version});
                let change = json!({"textDocument": document, "contentChanges": changes});
                self.notify("textDocument/didChange", change);
            } else {
                let document = json!({
                    "uri": uri,
                    "languageId": languages::language_of(path),
                    "version": version,
                    "text": text.text(),
                });
                self.notify("textDocument/didOpen", json!({"textDocument": document}));
            }
        }
        let file = ShownFile {
            bytes: bytes.clone(),
            text,
            version,
        };
        self.files.insert(path.clone(), file);
    }

    /// Returns what changes when the name at `place` becomes `to`.
    pub(super) fn renamed(
        &mut self,
        place: &NamePlace,
        to: &str,
    ) -> Result<Vec<ServedEdit>, Diagnostic> {
        let edits = self
            .place_in(place)
            .ok_or_else(|| SessionFault::Refusal("the file is no UTF-8".to_owned()))
            .and_then(|mut asked| {
                asked["newName"] = json!(to);
                let answer = self.ask_until_same("textDocument/rename", &asked)?;
                self.edits(&answer)
            });
        edits.map_err(|why| self.explained(why))
    }

    /// Returns where the name at `place` is used, its definition included.
    pub(super) fn uses(&mut self, place: &NamePlace) -> Result<Vec<DefinedAt>, Diagnostic> {
        let uses = self
            .place_in(place)
            .ok_or_else(|| SessionFault::Refusal("the file is no UTF-8".to_owned()))
            .and_then(|mut asked| {
                asked["context"] = json!({"includeDeclaration": true});
                let answer = self.ask_until_same("textDocument/references", &asked)?;
                self.locations(&answer)
            });
        uses.map_err(|why| self.explained(why))
    }

    /// Returns for each of `places` where what it names is defined; nowhere, where it does not know.
    pub(super) fn definitions(
        &mut self,
        places: &[NamePlace],
    ) -> Result<Vec<Vec<DefinedAt>>, Diagnostic> {
        let asked: Vec<Option<Value>> = places.iter().map(|place| self.place_in(place)).collect();
        let mut found = self.ask_definitions(&asked);
        for _ in 0..MOST_TIMES {
            let again = match &found {
                Ok(_) => self.ask_definitions(&asked),
                Err(_) => break,
            };
            let is_same = matches!((&found, &again), (Ok(found), Ok(again)) if found == again);
            found = again;
            if is_same {
                break;
            }
        }
        found.map_err(|why| self.explained(why))
    }

    fn ask_definitions(
        &mut self,
        asked: &[Option<Value>],
    ) -> Result<Vec<Vec<DefinedAt>>, SessionFault> {
        self.await_quiet()?;
        let known: Vec<Value> = asked.iter().flatten().cloned().collect();
        let mut answers = self.ask("textDocument/definition", &known)?.into_iter();
        let mut found = Vec::new();
        for place in asked {
            let answer = match place {
                Some(_) => answers.next().unwrap_or(Ok(Value::Null)),
                None => Ok(Value::Null),
            };
            // Of a place that it cannot look at it knows nothing.
            let answer = answer.unwrap_or(Value::Null);
            let mut locations = self.locations(&answer)?;
            locations.sort();
            locations.dedup();
            found.push(locations);
        }
        Ok(found)
    }

    /// Returns the parameters of a request about a place; `None` where its file could not be shown.
    fn place_in(&self, place: &NamePlace) -> Option<Value> {
        let text = self.files.get(&place.path)?.text.as_ref()?;
        Some(json!({
            "textDocument": {"uri": self.uri(&place.path)},
            "position": text.position(place.span.start),
        }))
    }

    /// Asks until the same answer comes twice, each time when nothing is at work.
    fn ask_until_same(&mut self, method: &str, parameters: &Value) -> Result<Value, SessionFault> {
        self.await_quiet()?;
        let mut answer = self.ask_one(method, parameters.clone())?;
        for _ in 0..MOST_TIMES {
            self.await_quiet()?;
            let again = self.ask_one(method, parameters.clone())?;
            if again == answer {
                return Ok(answer);
            }
            answer = again;
        }
        Err(SessionFault::Nonsense(format!(
            "it answers `{method}` otherwise each time"
        )))
    }

    /// Waits until it reports nothing to be at work on.
    pub(super) fn await_quiet(&mut self) -> Result<(), SessionFault> {
        while self.quiet_at != Some(self.reports) || !self.at_work.is_empty() {
            let reports = self.reports;
            let is_quiet = self.message(QUIET)?.is_none();
            if is_quiet && self.at_work.is_empty() && self.reports == reports {
                self.quiet_at = Some(reports);
                return Ok(());
            }
        }
        // What it does for the last request it may report a moment later.
        while self.message(STILL_QUIET)?.is_some() {}
        match self.quiet_at == Some(self.reports) {
            true => Ok(()),
            false => self.await_quiet(),
        }
    }

    fn ask_one(&mut self, method: &str, parameters: Value) -> Result<Value, SessionFault> {
        let answers = self.ask(method, &[parameters])?;
        let answer = answers.into_iter().next();
        answer
            .unwrap_or(Ok(Value::Null))
            .map_err(SessionFault::Refusal)
    }

    /// Makes requests, some at a time, and returns what each is answered with, a refusal in the server's own words.
    pub(super) fn ask(
        &mut self,
        method: &str,
        parameters: &[Value],
    ) -> Result<Vec<Result<Value, String>>, SessionFault> {
        let mut answers = Vec::with_capacity(parameters.len());
        for parameters in parameters.chunks(AT_ONCE) {
            let first = self.requests + 1;
            for parameters in parameters {
                self.requests += 1;
                let request = json!({
                    "jsonrpc": "2.0",
                    "id": self.requests,
                    "method": method,
                    "params": parameters,
                });
                self.dialogue.send(wire::written(&request));
            }
            let mut waited: BTreeMap<u64, Option<Result<Value, String>>> =
                (first..=self.requests).map(|id| (id, None)).collect();
            while waited.values().any(Option::is_none) {
                let message = self.message(Duration::MAX)?;
                let Some(mut message) = message else { continue };
                let id = message.get("id").and_then(Value::as_u64);
                if let Some(slot) = id.and_then(|id| waited.get_mut(&id)) {
                    let answer = match message.get("error") {
                        Some(error) if !error.is_null() => Err(words_of(error)),
                        _ => Ok(message["result"].take()),
                    };
                    *slot = Some(answer);
                }
            }
            answers.extend(waited.into_values().flatten());
        }
        Ok(answers)
    }

    fn notify(&mut self, method: &str, parameters: Value) {
        let notification = json!({"jsonrpc": "2.0", "method": method, "params": parameters});
        self.dialogue.send(wire::written(&notification));
    }

    /// Returns the next message that is an answer, after what else it says was attended to; `None` where none comes for so long.
    fn message(&mut self, patience: Duration) -> Result<Option<Value>, SessionFault> {
        loop {
            while let Some(message) = self.incoming.next().map_err(SessionFault::Nonsense)? {
                if message.get("method").is_none() {
                    return Ok(Some(message));
                }
                self.serve(&message);
            }
            match self.dialogue.receive(patience)? {
                Received::Bytes(bytes) => self.incoming.push(&bytes),
                Received::Nothing => return Ok(None),
                Received::End(end) => return Err(SessionFault::End(end)),
            }
        }
    }

    /// Notes that something is at work, or no more.
    fn report(&mut self, what: String, is_at_work: bool) {
        self.reports += 1;
        if is_at_work {
            self.at_work.insert(what);
        } else {
            self.at_work.remove(&what);
        }
    }

    /// Answers what the server asks, and notes what it reports.
    fn serve(&mut self, message: &Value) {
        let parameters = message.get("params").unwrap_or(&Value::Null);
        let method = message.get("method").and_then(Value::as_str);
        match method.unwrap_or_default() {
            "$/progress" => {
                let token = parameters.get("token").unwrap_or(&Value::Null);
                match parameters.pointer("/value/kind").and_then(Value::as_str) {
                    Some("begin") => self.report(token.to_string(), true),
                    Some("end") => self.report(token.to_string(), false),
                    _ => self.reports += 1,
                }
            }
            // rust-analyzer's word for all of its work.
            "experimental/serverStatus" => {
                let is_at_work = parameters.get("quiescent") == Some(&Value::Bool(false));
                self.report("server status".to_owned(), is_at_work);
            }
            // clangd's for one file.
            "textDocument/clangd.fileStatus" => {
                let uri = parameters.get("uri").unwrap_or(&Value::Null);
                let is_at_work = parameters.get("state") != Some(&json!("idle"));
                self.report(format!("status of {uri}"), is_at_work);
            }
            _ => {}
        }
        let Some(id) = message.get("id") else { return };
        let answer = match method.unwrap_or_default() {
            "workspace/configuration" => {
                let items = parameters.get("items").and_then(Value::as_array);
                let items = items.map_or(&[][..], |items| items);
                let settings = items.iter().map(|item| self.setting(item)).collect();
                Ok(Value::Array(settings))
            }
            "workspace/workspaceFolders" => Ok(json!([{"uri": self.root(), "name": "files"}])),
            "workspace/applyEdit" => Ok(json!({"applied": false})),
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest" => Ok(Value::Null),
            _ => Err(json!({"code": -32601, "message": "not known here"})),
        };
        let answer = match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        self.dialogue.send(wire::written(&answer));
    }

    /// Returns the settings of a section: `python.analysis`.
    fn setting(&self, item: &Value) -> Value {
        let section = item.get("section").and_then(Value::as_str);
        let mut words = section.into_iter().flat_map(|section| section.split('.'));
        let found = words.try_fold(&self.settings, |settings, word| settings.get(word));
        found.cloned().unwrap_or(Value::Null)
    }

    /// Reads a `WorkspaceEdit`.
    fn edits(&self, answer: &Value) -> Result<Vec<ServedEdit>, SessionFault> {
        if answer.is_null() {
            return Err(SessionFault::Refusal(
                "there is nothing to rename".to_owned(),
            ));
        }
        let mut edits = Vec::new();
        if let Some(changes) = answer.get("documentChanges").and_then(Value::as_array) {
            for change in changes {
                if let Some(kind) = change.get("kind").and_then(Value::as_str) {
                    let why = format!("it would {kind} a file");
                    return Err(SessionFault::Own(Box::new(self.drift(&why))));
                }
                let uri = change.pointer("/textDocument/uri");
                self.add_edits(uri, change.get("edits"), &mut edits)?;
            }
        } else if let Some(changes) = answer.get("changes").and_then(Value::as_object) {
            for (uri, changes) in changes {
                self.add_edits(Some(&json!(uri)), Some(changes), &mut edits)?;
            }
        }
        Ok(edits)
    }

    fn add_edits(
        &self,
        uri: Option<&Value>,
        changes: Option<&Value>,
        edits: &mut Vec<ServedEdit>,
    ) -> Result<(), SessionFault> {
        let nonsense = || SessionFault::Nonsense("an edit of its is none".to_owned());
        let uri = uri.and_then(Value::as_str).ok_or_else(nonsense)?;
        let changes = changes.and_then(Value::as_array).ok_or_else(nonsense)?;
        for change in changes {
            let text = change.get("newText").and_then(Value::as_str);
            let range = change.get("range");
            let (Some(text), Some(range)) = (text, range) else {
                return Err(nonsense());
            };
            let DefinedAt::Shown(place) = self.location(uri, range) else {
                let path = uri::path_in(self.folder.path(), uri);
                let shown_path = path.as_ref().filter(|path| self.files.contains_key(*path));
                let why = match (shown_path, &path) {
                    (Some(path), _) => format!("it names no place of {path}"),
                    (None, Some(path)) => format!("{path}, which does not hold it"),
                    (None, None) => format!("{}, which is no file of it", shown(uri)),
                };
                return Err(SessionFault::Own(Box::new(self.drift(&why))));
            };
            edits.push(ServedEdit {
                place,
                text: text.to_owned(),
            });
        }
        Ok(())
    }

    fn drift(&self, why: &str) -> Diagnostic {
        let message = format!(
            "the language server `{}` would change more than the name: {why}",
            shown(&self.name)
        );
        Diagnostic::new(Code::Drift, message)
    }

    /// Reads one `Location`, or a list of them, or of `LocationLink`s.
    fn locations(&self, answer: &Value) -> Result<Vec<DefinedAt>, SessionFault> {
        let list = match answer {
            Value::Null => &[][..],
            Value::Array(list) => list,
            one => std::slice::from_ref(one),
        };
        let location = |value: &Value| {
            let uri = value.get("uri").or_else(|| value.get("targetUri"));
            let range = value
                .get("range")
                .or_else(|| value.get("targetSelectionRange"));
            let (uri, range) = (uri.and_then(Value::as_str)?, range?);
            Some(self.location(uri, range))
        };
        let locations: Option<Vec<DefinedAt>> = list.iter().map(location).collect();
        locations.ok_or_else(|| SessionFault::Nonsense("a place of its is none".to_owned()))
    }

    fn location(&self, uri: &str, range: &Value) -> DefinedAt {
        let place = || {
            let path = uri::path_in(self.folder.path(), uri)?;
            let text = self.files.get(&path)?.text.as_ref()?;
            let span = text.span(range)?;
            Some(NamePlace { path, span })
        };
        let other = || {
            let words = format!("{uri} {range}");
            match uri::path_in(self.folder.path(), uri) {
                Some(_) => DefinedAt::Unshown(words),
                None => DefinedAt::Outside(words),
            }
        };
        place().map_or_else(other, DefinedAt::Shown)
    }

    /// Returns why there is no answer, with the end of what it complained of.
    pub(super) fn explained(&self, why: SessionFault) -> Diagnostic {
        let complaints = self.dialogue.complaints();
        fault(&self.name, why, &String::from_utf8_lossy(&complaints.bytes))
    }
}

impl Drop for Session {
    /// Lets it tidy up: what it made in folders for temporary files is of no use to anybody else.
    fn drop(&mut self) {
        self.requests += 1;
        let id = self.requests;
        let farewell = json!({"jsonrpc": "2.0", "id": id, "method": "shutdown"});
        self.dialogue.send(wire::written(&farewell));
        let began = Instant::now();
        let mut is_answered = false;
        while began.elapsed() < FAREWELL {
            match self.message(FAREWELL) {
                Ok(Some(message)) if message.get("id") == Some(&json!(id)) => {
                    is_answered = true;
                    break;
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        if is_answered {
            self.notify("exit", Value::Null);
            while began.elapsed() < FAREWELL && matches!(self.message(FAREWELL), Ok(Some(_))) {}
        }
    }
}

/// Returns why a server has no answer, with the last lines of its `complaints`.
fn fault(name: &str, why: SessionFault, complaints: &str) -> Diagnostic {
    let name = shown(name);
    let lines: Vec<&str> = complaints
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines.get(lines.len().saturating_sub(MOST_LINES)..);
    let last = last.unwrap_or_default().join("\n");
    let ended = |code, what: String| {
        let error = Diagnostic::new(code, format!("the language server `{name}` {what}"));
        match last.is_empty() {
            true => error,
            false => error.note(shown(&last)),
        }
    };
    match why {
        SessionFault::End(RunEnd::Missing(why)) => ended(
            Code::ValidatorMissing,
            format!("cannot be run: {}", shown(&why)),
        ),
        SessionFault::End(RunEnd::TimedOut) => ended(
            Code::ValidatorTimeout,
            "did not answer in time; `timeout` gives it more".to_owned(),
        ),
        SessionFault::End(RunEnd::Exited(exit)) => ended(
            Code::ValidatorCrashed,
            format!("ended with exit code {exit}"),
        ),
        SessionFault::End(RunEnd::Signalled(signal)) => ended(
            Code::ValidatorCrashed,
            format!("was ended by signal {signal}"),
        ),
        SessionFault::End(RunEnd::Interrupted) => {
            Diagnostic::new(Code::Io, "interrupted; nothing was published")
        }
        SessionFault::Nonsense(why) => ended(
            Code::ValidatorCrashed,
            format!("cannot be understood: {}", shown(&why)),
        ),
        SessionFault::Refusal(why) => Diagnostic::new(
            Code::NotCertain,
            format!(
                "the language server `{name}` does not rename it: {}",
                shown(&why)
            ),
        ),
        SessionFault::Own(error) => *error,
    }
}

fn words_of(error: &Value) -> String {
    let message = error.get("message").and_then(Value::as_str);
    message.unwrap_or("it does not say why").to_owned()
}
