//! The server of `git segedit mcp`, talked to by clients of others: the official Python client in each of its modes, and the
//! command of the MCP inspector in each era; every line that it writes held to the protocol's own types; and the protocol's own
//! suite of conformance, over a bridge.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Run, Sandbox, tools};

const CODE: &str = "class A:\n    def f(self):\n        return 1\n";
const SLOW: &str = "def f():\n    return 1\n";
const CONFIGURATION: &str = "version: 1\nvalidators:\n  - name: endless\n    files: [slow.py]\n    scope: tree\n    \
                             command: [python3, tools/endless.py, \"{files}\"]\n";

/// Returns a repository where a validator of `slow.py` writes its process id to `started` beside the repository, and never ends.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(&[
        ("a.py", CODE),
        ("slow.py", SLOW),
        (".segedit.yaml", CONFIGURATION),
    ]);
    let started = sandbox.aside().join("started");
    let script = format!(
        "import os, pathlib, time\npathlib.Path({:?}).write_text(str(os.getpid()))\ntime.sleep(600)\n",
        started.to_str().unwrap()
    );
    sandbox.write("tools/endless.py", script);
    sandbox.commit_all("a validator");
    sandbox
}

/// Runs a command of the sandbox with all validators trusted.
fn trusted(sandbox: &Sandbox, command: &mut Command) -> Run {
    sandbox.run(command.env("GIT_SEGEDIT_TRUST", "always"), b"")
}

fn script(sandbox: &Sandbox, words: &[&str]) -> Run {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/mcp_client.py");
    let mut command = sandbox.program(tools::python().to_str().unwrap());
    trusted(sandbox, command.arg(script).args(words))
}

#[test]
fn the_official_client_edits_undoes_is_refused_and_cancels() {
    if !tools::has_all(&["mcp"]) {
        return;
    }
    for mode in ["auto", "legacy", "2026-07-28"] {
        let sandbox = sandbox();
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        let started = sandbox.aside().join("started");
        let words = [
            "client",
            mode,
            env!("CARGO_BIN_EXE_git-segedit"),
            started.to_str().unwrap(),
        ];
        let run = script(&sandbox, &words);
        assert_eq!(run.exit, 0, "{mode}\n{run}");
        println!("{mode}: {}", run.out().trim());
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "", "{mode}");
        assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head, "{mode}");
        let left: Vec<String> = sandbox
            .digest()
            .into_keys()
            .filter(|path| path.ends_with(".lock"))
            .collect();
        assert!(left.is_empty(), "{mode}: {left:?}");
        sandbox.git(&["fsck", "--strict"]);
    }
}

#[test]
fn every_line_is_what_the_protocols_types_know() {
    if !tools::has_all(&["mcp"]) {
        return;
    }
    let sandbox = sandbox();
    let run = script(&sandbox, &["lines", env!("CARGO_BIN_EXE_git-segedit")]);
    assert_eq!(run.exit, 0, "{run}");
    assert_eq!(
        run.out()
            .lines()
            .filter(|line| line.ends_with(" lines, 0 wrong"))
            .count(),
        5,
        "{run}"
    );
}

/// Calls the inspector's command in an era of the protocol, and returns what it prints and its exit code: 5 says that a tool
/// answered with an error.
fn inspected(sandbox: &Sandbox, era: &str, words: &[&str]) -> Run {
    let mut command = sandbox.program(tools::folder().join("bin/mcp-inspector").to_str().unwrap());
    command
        .args(["--cli", "--format", "json", "--protocol-era", era])
        .args(words);
    trusted(
        sandbox,
        command
            .args([env!("CARGO_BIN_EXE_git-segedit"), "mcp"])
            .env("PATH", tools::path()),
    )
}

#[test]
fn the_inspector_lists_and_calls_in_each_era() {
    if !tools::has_all(&["node", "mcp-inspector"]) {
        return;
    }
    let sandbox = sandbox();
    let printed = sandbox.segedit(&["tools"]).json()["tools"].clone();
    let edit = |old: &str, new: &str| {
        json!({"path": "a.py", "within": "A.f", "old": old, "new": new}).to_string()
    };
    for (era, old, new) in [
        ("legacy", "1", "2"),
        ("auto", "2", "3"),
        ("modern", "3", "4"),
    ] {
        // Strict: a schema that some client would not take is an error.
        let listed = inspected(&sandbox, era, &["--strict", "--method", "tools/list"]);
        assert_eq!(listed.exit, 0, "{era}\n{listed}");
        assert_eq!(listed.json()["result"]["tools"], printed, "{era}");
        let arguments = edit(old, new);
        let call = [
            "--method",
            "tools/call",
            "--tool-name",
            "segedit_edit",
            "--tool-args-json",
            &arguments,
        ];
        let edited = inspected(&sandbox, era, &call);
        assert_eq!(edited.exit, 0, "{era}\n{edited}");
        assert_eq!(
            edited.json()["result"]["isError"],
            json!(false),
            "{era}\n{edited}"
        );
        assert!(
            sandbox
                .git(&["diff"])
                .contains(&format!("+        return {new}")),
            "{era}\n{sandbox}"
        );
        let again = inspected(&sandbox, era, &call);
        assert_eq!(again.exit, 5, "{era}\n{again}");
        assert_eq!(
            again.json()["result"]["isError"],
            json!(true),
            "{era}\n{again}"
        );
    }
}

/// What the suite of conformance asks of every server that has tools and nothing else, by revision and scenario, with the checks that
/// do not apply: those of prompts and resources, which the server has none of, of tools that only a server made for the suite
/// has, and of headers and statuses of HTTP, which are the bridge's.
const CONFORMANCE: [(&str, &str, &[&str]); 10] = [
    ("2025-06-18", "server-initialize", &[]),
    ("2025-06-18", "ping", &[]),
    ("2025-06-18", "tools-list", &[]),
    ("2025-11-25", "server-initialize", &[]),
    ("2025-11-25", "ping", &[]),
    ("2025-11-25", "tools-list", &[]),
    ("2025-11-25", "tools-call-error", &[]),
    ("2026-07-28", "tools-list", &[]),
    (
        "2026-07-28",
        "caching",
        &[
            "sep-2549-prompts-list-caching-hints",
            "sep-2549-resources-list-caching-hints",
            "sep-2549-resources-templates-list-caching-hints",
        ],
    ),
    (
        "2026-07-28",
        "server-stateless",
        &[
            "sep-2575-http-server-header-mismatch-400",
            "sep-2575-http-server-method-not-found-404-initialize",
            "sep-2575-missing-capability-http-400",
            "sep-2575-server-rejects-undeclared-capability",
        ],
    ),
];

/// The bridge to a server; it ends with its input.
struct Bridge {
    process: std::process::Child,
    address: String,
}

impl Bridge {
    fn start(sandbox: &Sandbox) -> Bridge {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/mcp_bridge.py");
        let mut command = sandbox.program(tools::python().to_str().unwrap());
        command
            .args([script, env!("CARGO_BIN_EXE_git-segedit")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn().expect("the bridge starts");
        let mut address = String::new();
        BufReader::new(process.stdout.as_mut().unwrap())
            .read_line(&mut address)
            .expect("it says where it is");
        Bridge {
            process,
            address: address.trim().to_owned(),
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[test]
fn the_protocols_own_suite_finds_what_it_asks_of_a_server_with_tools() {
    if !tools::has_all(&["node", "conformance"]) {
        return;
    }
    let sandbox = sandbox();
    let bridge = Bridge::start(&sandbox);
    for (revision, scenario, elsewhere) in CONFORMANCE {
        let out = sandbox.aside().join(format!("{revision}-{scenario}"));
        let mut command =
            sandbox.program(tools::folder().join("bin/conformance").to_str().unwrap());
        command.args([
            "server",
            "--url",
            &bridge.address,
            "--scenario",
            scenario,
            "--spec-version",
            revision,
            "-o",
        ]);
        let run = sandbox.run(command.arg(&out).env("PATH", tools::path()), b"");
        let folder = std::fs::read_dir(&out)
            .unwrap_or_else(|error| panic!("{scenario}: {error}\n{run}"))
            .next()
            .unwrap();
        let checks = std::fs::read(folder.unwrap().path().join("checks.json")).unwrap();
        let checks: Vec<Value> = serde_json::from_slice(&checks).unwrap();
        let with = |statuses: &'static [&str]| {
            let found = checks
                .iter()
                .filter(move |check| statuses.contains(&check["status"].as_str().unwrap()));
            found.map(|check| check["id"].as_str().unwrap())
        };
        let (failed, passed) = (
            with(&["FAILURE", "WARNING"]).collect::<BTreeSet<_>>(),
            with(&["SUCCESS"]).count(),
        );
        assert_eq!(
            failed,
            elsewhere.iter().copied().collect(),
            "{revision} {scenario}\n{run}"
        );
        assert!(
            passed > 1,
            "{revision} {scenario}: it asks for nothing\n{run}"
        );
        println!(
            "{revision} {scenario}: {passed} checks passed, {} are not ours",
            failed.len()
        );
    }
}
