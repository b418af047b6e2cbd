//! Servers and clients that are killed while edits run, some of them into a draft: each file and the draft are as before or
//! after a call, what was answered stays, and whatever call comes next gets over what is left.
//!
//! `SEGEDIT_SEED` makes other moments, `SEGEDIT_ROUNDS` another number of accidents.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};

use crate::mutants::Random;
use crate::support::{Sandbox, crash, writers};

/// Calls of one sort in a conversation.
const CALLS: usize = 4;

/// How long what a killed server leaves running may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What happens while calls run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accident {
    /// The server's group is killed; calls, which have groups of their own, come to their end.
    ServerDies,
    /// The client closes both pipes.
    ClientLeaves,
    /// The server and all calls are killed.
    AllDie,
}

const ACCIDENTS: [Accident; 3] = [
    Accident::ServerDies,
    Accident::ClientLeaves,
    Accident::AllDie,
];

/// A server in the middle of calls.
struct Conversation {
    server: Child,
    listening: std::thread::JoinHandle<BTreeSet<u64>>,
}

impl Conversation {
    /// Starts a server and sends it all calls of a round at once.
    fn begin(sandbox: &Sandbox, destination: &str, round: usize) -> Conversation {
        let mut command = sandbox.segedit_command();
        command
            .args(["mcp", "--destination", destination])
            .process_group(0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = command.spawn().expect("the server starts");
        let output = server.stdout.take().expect("a pipe");
        let listening = std::thread::spawn(move || answered(output));
        let input = server.stdin.as_mut().expect("a pipe");
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}});
        let mut said = vec![
            json!({"jsonrpc": "2.0", "id": 1000, "method": "initialize", "params": params}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ];
        for at in 0..CALLS {
            said.push(request(at, &edit(&file(at), round, None)));
            said.push(request(CALLS + at, &edit(&drafted(at), round, Some("d"))));
        }
        let lines: String = said.iter().map(|line| format!("{line}\n")).collect();
        input.write_all(lines.as_bytes()).expect("the server reads");
        Conversation { server, listening }
    }

    /// Lets all calls come to an end, and returns those that were done.
    fn all(mut self) -> BTreeSet<u64> {
        drop(self.server.stdin.take());
        self.server.wait().expect("the server ends");
        self.listening.join().expect("the listener ends")
    }

    /// Makes the accident, waits until nothing runs any more, and returns the calls that were answered as done before.
    fn suffer(mut self, accident: Accident, sandbox: &Sandbox) -> BTreeSet<u64> {
        let server = Pid::from_child(&self.server);
        match accident {
            Accident::ServerDies => _ = kill_process_group(server, Signal::KILL),
            Accident::ClientLeaves => drop(self.server.stdin.take()),
            Accident::AllDie => {
                _ = kill_process_group(server, Signal::KILL);
                for process in running(sandbox) {
                    _ = kill_process(process, Signal::KILL);
                }
            }
        }
        self.server.wait().expect("the server ends");
        let end = Instant::now() + PATIENCE;
        while !running(sandbox).is_empty() {
            assert!(Instant::now() < end, "a call still runs");
            std::thread::sleep(Duration::from_millis(5));
        }
        self.listening.join().expect("the listener ends")
    }
}

/// Returns the calls that were answered as done, until nothing more is said.
fn answered(output: ChildStdout) -> BTreeSet<u64> {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    let answers = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    let done = answers.filter(|answer| answer["result"]["isError"] == json!(false));
    done.filter_map(|answer| answer["id"].as_u64()).collect()
}

fn request(number: usize, arguments: &Value) -> Value {
    let params = json!({"name": "segedit_replace", "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
}

/// Returns the processes that run in the sandbox's repository.
fn running(sandbox: &Sandbox) -> Vec<Pid> {
    let root = sandbox.aside();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let inside = processes.filter(|process| {
        // One that ended and is not waited for yet has no folder any more.
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|folder| folder.starts_with(&root))
    });
    inside
        .filter_map(|process| Pid::from_raw(process.file_name().to_str()?.parse().ok()?))
        .collect()
}

fn file(at: usize) -> String {
    format!("f{at}.py")
}

fn drafted(at: usize) -> String {
    format!("g{at}.py")
}

fn code(round: usize) -> String {
    format!("def f():\n    return {round}\n")
}

fn edit(path: &str, round: usize, draft: Option<&str>) -> Value {
    let mut arguments = json!({"target": format!("{path}::f"), "part": "body", "content": format!("return {round}")});
    if let Some(draft) = draft {
        arguments["draft"] = json!(draft);
    }
    arguments
}

/// Makes a call as whoever comes next, which has to succeed, and returns what it said.
#[track_caller]
fn call(sandbox: &Sandbox, destination: &str, tool: &str, arguments: &Value, what: &str) -> String {
    let words = ["call", "--destination", destination, tool];
    let run = sandbox.segedit_with_input(&words, arguments.to_string().as_bytes());
    assert_eq!(run.exit, 0, "{what}\n{arguments}\n{run}\n{sandbox}");
    run.out()
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.repo().join(path)).unwrap()
}

/// Makes rounds of calls, with an accident at a random moment of each.
fn sweep(destination: &str) {
    let paths: Vec<String> = (0..CALLS)
        .map(file)
        .chain((0..=CALLS).map(drafted))
        .chain(["next.py".into()])
        .collect();
    let files: Vec<(&str, String)> = paths.iter().map(|path| (&**path, code(0))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, code)| (*path, &**code)).collect();
    let sandbox = Sandbox::with(&files);
    let seed = std::env::var("SEGEDIT_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(1));
    let began = Instant::now();
    let done = Conversation::begin(&sandbox, destination, 1).all();
    assert_eq!(done.len(), 2 * CALLS, "{done:?}\n{sandbox}");
    let whole = began.elapsed();
    call(
        &sandbox,
        destination,
        "segedit_apply",
        &json!({"draft": "d"}),
        "before any accident",
    );
    let (mut made, mut in_draft, mut heard) = (0, 0, 0);
    let rounds = writers::number("SEGEDIT_ROUNDS", 100);
    for round in 2..rounds + 2 {
        let accident = ACCIDENTS[random.below(ACCIDENTS.len())];
        let moment = whole.mul_f64(random.below(1000) as f64 / 1000.0);
        let what = format!("{destination}, round {round}: {accident:?} after {moment:?}");
        let before: Vec<String> = paths.iter().map(|path| text(&sandbox, path)).collect();
        let conversation = Conversation::begin(&sandbox, destination, round);
        std::thread::sleep(moment);
        let done = conversation.suffer(accident, &sandbox);
        heard += done.len();
        let (changed, drafts) = settle(&sandbox, destination, round, &before, &done, &what);
        made += changed;
        in_draft += drafts;
    }
    println!(
        "{destination}: {rounds} accidents; of {} calls of each sort {made} made, {in_draft} in the draft; {heard} of both answered",
        rounds * CALLS
    );
    assert!(
        rounds < 20
            || (1..rounds * CALLS).contains(&made) && (1..rounds * CALLS).contains(&in_draft)
    );
}

/// Looks at what an accident left, before and after the calls that come next; returns how many files and edits of the draft
/// are as after their calls.
fn settle(
    sandbox: &Sandbox,
    destination: &str,
    round: usize,
    before: &[String],
    done: &BTreeSet<u64>,
    what: &str,
) -> (usize, usize) {
    let after = code(round);
    if destination == "worktree" {
        for (at, old) in before.iter().enumerate().take(CALLS) {
            let now = text(sandbox, &file(at));
            assert!(now == *old || now == after, "{what}: {now}");
        }
    }
    call(
        sandbox,
        destination,
        "segedit_replace",
        &edit("next.py", round, None),
        what,
    );
    crash::sound(sandbox, what);
    let mut made = 0;
    for (at, old) in before.iter().enumerate().take(CALLS) {
        let now = text(sandbox, &file(at));
        assert!(
            now == after || now == *old && !done.contains(&(at as u64)),
            "{what}: {} {now}",
            file(at)
        );
        made += usize::from(now == after);
    }
    // The draft goes on, and what was answered is in it.
    call(
        sandbox,
        destination,
        "segedit_replace",
        &edit(&drafted(CALLS), round, Some("d")),
        what,
    );
    let drafted_before = &before[CALLS..];
    for (at, old) in drafted_before.iter().enumerate().take(CALLS) {
        assert_eq!(text(sandbox, &drafted(at)), *old, "{what}");
    }
    call(
        sandbox,
        destination,
        "segedit_apply",
        &json!({"draft": "d"}),
        what,
    );
    let mut in_draft = 0;
    for (at, old) in drafted_before.iter().enumerate().take(CALLS) {
        let now = text(sandbox, &drafted(at));
        let number = (CALLS + at) as u64;
        assert!(
            now == after || now == *old && !done.contains(&number),
            "{what}: {} {now}",
            drafted(at)
        );
        in_draft += usize::from(now == after);
    }
    assert_eq!(text(sandbox, &drafted(CALLS)), after, "{what}");
    crash::sound(sandbox, what);
    if destination == "commit" {
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "", "{what}");
    }
    // The folder of drafts stays, with nothing in it.
    let litter: Vec<String> = crash::litter(sandbox)
        .into_iter()
        .filter(|name| name != "segedit/drafts")
        .collect();
    assert!(litter.is_empty(), "{what}: {litter:?}\n{sandbox}");
    (made, in_draft)
}

#[test]
fn killed_servers_leave_files_as_before_or_after_a_call() {
    sweep("worktree");
}

#[test]
fn killed_servers_leave_branches_as_before_or_after_a_call() {
    sweep("commit");
}
