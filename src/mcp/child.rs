//! One call, in its process; and the process of the next one, which starts while this call runs.

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{CallToolResult, ResultType};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use super::ServerSettings;
use crate::door::ToolDefinition;

/// How long a process that is asked to end has time to put things in order.
const GRACE: Duration = Duration::from_secs(5);

/// How long it has at most to be finished or rolled back what a call began that was ended.
const SETTLING: Duration = Duration::from_secs(10);

/// How long it takes at most until a call that is called off has ended.
pub(super) const LONGEST_END: Duration = GRACE
    .saturating_add(SETTLING)
    .saturating_add(Duration::from_secs(2));

/// Most bytes of an answer that are read.
const MOST_BYTES: u64 = 64 << 20;

/// A call that came to no answer.
#[derive(Debug)]
pub(super) enum CallEnded {
    /// It was called off.
    Called,
    /// Its process could not be started or talked to.
    Unstarted(std::io::Error),
    /// Its process ended without an answer.
    Broken(ExitStatus),
    /// Its process ended before all of the call was sent, so nothing of it was done.
    Unheard(ExitStatus),
}

impl fmt::Display for CallEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallEnded::Called => f.write_str("the call was called off"),
            CallEnded::Unstarted(error) => write!(
                f,
                "io: the call could not be started: {error}. Nothing was changed."
            ),
            CallEnded::Broken(status) | CallEnded::Unheard(status) => {
                match status.signal() {
                    Some(signal) => write!(f, "io: the call was ended by signal {signal}")?,
                    None => write!(f, "io: the call ended without an answer ({status})")?,
                }
                f.write_str(match self {
                    CallEnded::Unheard(_) => ". Nothing was changed.",
                    _ => "; what it was about is done as a whole or not at all. Look before you send it again.",
                })
            }
        }
    }
}

/// The process that waits for the next call: to start one takes longer than many a call does.
#[derive(Debug, Default)]
pub(super) struct WaitingChild(Mutex<Option<Spare>>);

#[derive(Debug)]
struct Spare {
    root: PathBuf,
    /// The folder itself, as the system numbers it: another one may have come in its place since.
    folder: (u64, u64),
    child: Child,
}

impl WaitingChild {
    /// Returns the process that waits, if it does so in `root`.
    fn take(&self, root: &Path) -> Option<Child> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let is_there = |spare: &Spare| spare.root == root && number_of(root) == Some(spare.folder);
        let mut spare = spare.filter(is_there)?;
        matches!(spare.child.try_wait(), Ok(None)).then_some(spare.child)
    }

    /// Starts the process of the next call. If it cannot be started, that call says so.
    fn refill(&self, settings: &ServerSettings, root: &Path) {
        let spare = number_of(root).zip(start_child(settings, root).ok());
        let spare = spare.map(|(folder, child)| Spare {
            root: root.to_owned(),
            folder,
            child,
        });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = spare;
    }
}

/// Returns how the system numbers a folder: its device and its inode.
fn number_of(folder: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(folder)
        .ok()
        .map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Starts a process that carries out the call which it is sent.
fn start_child(settings: &ServerSettings, root: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(&settings.program);
    command
        .args(["call", "--format", "json"])
        .args(&settings.options);
    if settings.confines {
        command.arg("--within").arg(root);
    }
    command.args(["--", "-"]);
    surround(&mut command, settings, root);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Has `command` run in the folder `root`, as every process of the server's does.
fn surround(command: &mut Command, settings: &ServerSettings, root: &Path) {
    command
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    for name in &settings.withheld {
        command.env_remove(name);
    }
    // An interrupt for the server's group is not meant for a call, and a call is ended with all that it started.
    command.process_group(0).kill_on_drop(true);
}

/// Finishes or rolls back what a call had begun to publish that was ended: its lock and half of its files are in the way of
/// others until then. Where that takes too long the next command does it.
async fn settle(settings: &ServerSettings, root: &Path) {
    let mut command = Command::new(&settings.program);
    surround(command.args(["recover", "--quiet"]), settings, root);
    if let Ok(mut child) = command.spawn() {
        let _ = tokio::time::timeout(SETTLING, child.wait()).await;
    }
}

/// Runs a call of `tool` with `arguments` in the folder `root`, until it is `called` off.
pub(super) async fn call(
    (settings, waiting): (&ServerSettings, &WaitingChild),
    root: &Path,
    tool: &str,
    arguments: &Value,
    called: CancellationToken,
) -> Result<CallToolResult, CallEnded> {
    if called.is_cancelled() {
        return Err(CallEnded::Called);
    }
    // What a branch brings in the place of the folder, a link, leads to what nobody named.
    if settings.confines && root.canonicalize().map_err(CallEnded::Unstarted)? != root {
        let elsewhere = format!(
            "`{}` is not the folder any more that it was",
            root.display()
        );
        return Err(CallEnded::Unstarted(std::io::Error::other(elsewhere)));
    }
    let reads_only = ToolDefinition::named(tool).is_none_or(|tool| tool.hints.reads_only);
    let sent = json!({ "name": tool, "arguments": arguments }).to_string();
    let answer_of = async |mut child: Child| {
        tokio::select! {
            answer = talk(&mut child, sent.as_bytes(), || waiting.refill(settings, root)) => answer,
            () = called.cancelled() => {
                end(&mut child).await;
                if !reads_only {
                    settle(settings, root).await;
                }
                Err(CallEnded::Called)
            }
        }
    };
    if let Some(child) = waiting.take(root) {
        match answer_of(child).await {
            // Somebody ended it while it waited, or just now: what has not begun, or changes nothing, is begun anew.
            Err(CallEnded::Unheard(_)) => {}
            Err(CallEnded::Broken(_)) if reads_only => {}
            ended => return ended,
        }
    }
    answer_of(start_child(settings, root).map_err(CallEnded::Unstarted)?).await
}

/// Writes what is sent, does something `meanwhile`, reads the answer, and waits for the process.
async fn talk(
    child: &mut Child,
    sent: &[u8],
    meanwhile: impl FnOnce(),
) -> Result<CallToolResult, CallEnded> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let writing = async {
        // Whoever does not want to read all of it says why in the answer.
        let is_sent = match input {
            Some(mut input) => input.write_all(sent).await.is_ok(),
            None => false,
        };
        meanwhile();
        is_sent
    };
    let reading = async {
        let mut answer = Vec::new();
        if let Some(output) = output {
            output.take(MOST_BYTES).read_to_end(&mut answer).await?;
        }
        Ok(answer)
    };
    let (is_sent, answer) = tokio::join!(writing, reading);
    let answer = answer.map_err(CallEnded::Unstarted)?;
    let status = child.wait().await.map_err(CallEnded::Unstarted)?;
    let mut result: CallToolResult = serde_json::from_slice(&answer).map_err(|_| {
        if is_sent {
            CallEnded::Broken(status)
        } else {
            CallEnded::Unheard(status)
        }
    })?;
    // Newer clients want it, and for older ones it is taken off.
    result.result_type = Some(ResultType::COMPLETE);
    Ok(result)
}

/// Ends a process with all that it started: it is asked to see to that, and has to after a while.
async fn end(child: &mut Child) {
    let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
        return;
    };
    // One that has just ended by itself is what was wanted.
    let _ = kill_process(pid, Signal::TERM);
    if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
        // Whoever is stopped starts nobody more. What it started may have left its group, and is nobody's once it is gone.
        let _ = kill_process(pid, Signal::STOP);
        for descendant in descendants(pid) {
            let _ = kill_process(descendant, Signal::KILL);
        }
        let _ = kill_process(pid, Signal::KILL);
        let _ = child.wait().await;
    }
    let _ = kill_process_group(pid, Signal::KILL);
}

/// Returns all that a process started and that still runs, where the system tells.
fn descendants(ancestor: Pid) -> Vec<Pid> {
    let parent = |process: &Pid| {
        let line =
            std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
        // Behind the program's name, which may hold anything: the state and the parent.
        let parent = line.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?;
        Pid::from_raw(parent.parse().ok()?)
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let all = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
    let mut others: Vec<(Pid, Pid)> = all
        .filter_map(|process| Some((process, parent(&process)?)))
        .collect();
    let mut found = vec![ancestor];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        found.extend(
            others
                .extract_if(.., |(_, of)| *of == parent)
                .map(|(process, _)| process),
        );
        at += 1;
    }
    found.split_off(1)
}
