//! The server: what it answers to each message.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value, json};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::child::{self, CallEnded, WaitingChild};
use super::settings::ServerSettings;
use super::wire::Wire;
use crate::door::faces::{self, Face};
use crate::door::table;

/// Calls that run at a time; the others wait their turn.
const AT_ONCE: u32 = 2;

/// How often a client that wants to know is told that a call still runs.
const BETWEEN_SIGNS: Duration = Duration::from_secs(1);

/// The argument that says which of several repositories is meant.
const REPO: &str = "repo";

/// Refused calls that are remembered.
const MOST_REMEMBERED: usize = 200;

/// Serves until standard input ends or the process is asked to end, and returns what went wrong.
pub(crate) fn serve(settings: ServerSettings) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let served = runtime.block_on(run(Server::new(settings)));
    // A read of standard input that has begun cannot be called off.
    runtime.shutdown_background();
    served
}

pub(super) async fn run(server: Server) -> Result<(), String> {
    // Clients send this one to whatever runs in their terminal when they only mean to stop an answer.
    let mut interrupted = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;
    let mut ended = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let turns = server.turns.clone();
    let serving = async {
        let running = match server.serve(Wire::of_process()).await {
            Ok(running) => running,
            // Whoever leaves before a word is said has not gone wrong.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        running
            .waiting()
            .await
            .map(drop)
            .map_err(|error| error.to_string())
    };
    let served = {
        tokio::pin!(serving);
        loop {
            tokio::select! {
                result = &mut serving => break result,
                _ = ended.recv() => break Ok(()),
                _ = interrupted.recv() => {}
            }
        }
    };
    // All that still runs is called off by now, and each call takes its end within a time of its own.
    let _ = tokio::time::timeout(child::LONGEST_END, turns.acquire_many(AT_ONCE)).await;
    served
}

/// The server. All that it keeps of a client is which calls were refused.
pub(super) struct Server {
    settings: ServerSettings,
    /// The process of the next call.
    waiting: WaitingChild,
    /// How each root is called in a call, where there are several.
    names: Vec<String>,
    turns: Arc<Semaphore>,
    /// What each was answered last. Hashes do: calls may be long.
    refused: Mutex<HashMap<u64, u64>>,
}

impl Server {
    fn new(settings: ServerSettings) -> Server {
        let names = names(&settings.roots);
        let turns = Arc::new(Semaphore::new(AT_ONCE as usize));
        Server {
            settings,
            waiting: WaitingChild::default(),
            names,
            turns,
            refused: Mutex::default(),
        }
    }

    /// Returns the tools as the protocol lists them.
    fn tools(&self) -> Value {
        let mut listed = faces::tools(Face::Mcp, self.settings.rules);
        if self.names.len() > 1
            && let Some(tools) = listed["tools"].as_array_mut()
        {
            let said = format!("which repository, {} unless given", self.names[0]);
            for tool in tools {
                tool["inputSchema"]["properties"][REPO] =
                    json!({ "type": "string", "enum": self.names, "description": said });
            }
        }
        listed
    }

    /// Returns the folder that a call is meant for, and takes the argument that says so.
    fn root(&self, arguments: &mut Map<String, Value>) -> Result<&PathBuf, String> {
        let several = self.names.len() > 1;
        let asked = if several {
            arguments.remove(REPO)
        } else {
            None
        };
        let asked = match &asked {
            None | Some(Value::Null) => None,
            Some(Value::String(asked)) => Some(asked.as_str()).filter(|asked| !asked.is_empty()),
            Some(other) => {
                let names = self.names.join(", ");
                return Err(format!(
                    "malformed: `{REPO}` is one text, not `{other}`\none of: {names}"
                ));
            }
        };
        let is_meant = |at: &usize| {
            asked.is_none_or(|asked| {
                self.names[*at] == asked || self.settings.roots[*at].as_os_str() == asked
            })
        };
        let at = (0..self.settings.roots.len()).find(is_meant);
        at.map(|at| &self.settings.roots[at]).ok_or_else(|| {
            let asked = asked.unwrap_or_default();
            format!(
                "malformed: there is no repository `{asked}` here\none of: {}",
                self.names.join(", ")
            )
        })
    }

    /// Returns a result with, under a call that was refused before in the very same words, the hint that nothing changed.
    fn remembering(&self, call: u64, mut result: CallToolResult) -> CallToolResult {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if result.is_error != Some(true) {
            // What was refused may pass now.
            refused.clear();
            return result;
        }
        let texts: Vec<&str> = result
            .content
            .iter()
            .filter_map(|block| Some(&*block.as_text()?.text))
            .collect();
        let text = hash_call(texts);
        if refused.len() >= MOST_REMEMBERED {
            refused.clear();
        }
        let same = refused.insert(call, text) == Some(text);
        if same {
            result.content.push(ContentBlock::text(
                "This call failed before and nothing has changed since: read first, then send another.",
            ));
        }
        result
    }

    /// Carries out a call, with a sign of life for whoever asked for one.
    async fn carry_out(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, CallEnded> {
        let mut arguments = request.arguments.unwrap_or_default();
        let call = hash_call((&request.name, &arguments));
        let root = match self.root(&mut arguments) {
            Ok(root) => root,
            Err(refusal) => return Ok(CallToolResult::error(vec![ContentBlock::text(refusal)])),
        };
        let Ok(_turn) = self.turns.acquire().await else {
            return Err(CallEnded::Called);
        };
        let began = Instant::now();
        let sent = Value::Object(arguments);
        let ending = child::call(
            (&self.settings, &self.waiting),
            root,
            &request.name,
            &sent,
            context.ct.clone(),
        );
        tokio::pin!(ending);
        loop {
            tokio::select! {
                ended = &mut ending => return ended.map(|result| self.remembering(call, result)),
                () = tokio::time::sleep(BETWEEN_SIGNS) => {
                    if let Some(token) = context.meta.get_progress_token() {
                        let seconds = began.elapsed().as_secs_f64();
                        let sign = ProgressNotificationParam::new(token, seconds)
                            .with_message(format!("{} still runs", request.name));
                        // A client that is gone needs no sign.
                        let _ = context.peer.notify_progress(sign).await;
                    }
                }
            }
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(
                "git-segedit",
                env!("CARGO_PKG_VERSION"),
            ))
            .with_instructions(table::instructions(self.settings.rules))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = serde_json::from_value(self.tools()["tools"].take());
        tools
            .map(ListToolsResult::with_all_items)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.carry_out(request, &context).await {
            Ok(result) => Ok(result.into()),
            Err(ended) => {
                Ok(CallToolResult::error(vec![ContentBlock::text(ended.to_string())]).into())
            }
        }
    }
}

fn hash_call(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Returns how the roots are called: by their last component where that tells them apart.
fn names(roots: &[PathBuf]) -> Vec<String> {
    let last = |root: &PathBuf| {
        root.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let named = |root: &PathBuf| {
        let own = last(root)?;
        (roots
            .iter()
            .filter(|other| last(other).as_deref() == Some(&own))
            .count()
            == 1)
            .then_some(own)
    };
    roots
        .iter()
        .map(|root| named(root).unwrap_or_else(|| root.to_string_lossy().into_owned()))
        .collect()
}
