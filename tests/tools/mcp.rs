//! The server of `git segedit mcp`, talked to by clients of others: the official Python client in each of its modes, and the
//! command of the MCP inspector in each era; every line that it writes held to the protocol's own types.

use std::process::Command;

use serde_json::json;

use crate::support::{Run, Sandbox, tools};

const CODE: &str = "class A:\n    def f(self):\n        return 1\n";
const SLOW: &str = "def f():\n    return 1\n";
const CONFIGURATION: &str = "version: 1\nvalidators:\n  - name: endless\n    files: [slow.py]\n    scope: tree\n    \
                             command: [python3, tools/endless.py, \"{files}\"]\n";

/// Returns a repository where a validator of `slow.py` writes its process id to `started` beside the repository, and never ends.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(&[("a.py", CODE), ("slow.py", SLOW), (".segedit.yaml", CONFIGURATION)]);
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
        let words = ["client", mode, env!("CARGO_BIN_EXE_git-segedit"), started.to_str().unwrap()];
        let run = script(&sandbox, &words);
        assert_eq!(run.exit, 0, "{mode}\n{run}");
        println!("{mode}: {}", run.out().trim());
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "", "{mode}");
        assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head, "{mode}");
        let left: Vec<String> = sandbox.digest().into_keys().filter(|path| path.ends_with(".lock")).collect();
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
    assert_eq!(run.out().lines().filter(|line| line.ends_with(" lines, 0 wrong")).count(), 5, "{run}");
}

/// Calls the inspector's command in an era of the protocol, and returns what it prints and its exit code: 5 says that a tool
/// answered with an error.
fn inspected(sandbox: &Sandbox, era: &str, words: &[&str]) -> Run {
    let mut command = sandbox.program(tools::folder().join("bin/mcp-inspector").to_str().unwrap());
    command.args(["--cli", "--format", "json", "--protocol-era", era]).args(words);
    trusted(sandbox, command.args([env!("CARGO_BIN_EXE_git-segedit"), "mcp"]).env("PATH", tools::path()))
}

#[test]
fn the_inspector_lists_and_calls_in_each_era() {
    if !tools::has_all(&["node", "mcp-inspector"]) {
        return;
    }
    let sandbox = sandbox();
    let printed = sandbox.segedit(&["tools"]).json()["tools"].clone();
    let edit = |old: &str, new: &str| json!({"path": "a.py", "within": "A.f", "old": old, "new": new}).to_string();
    for (era, old, new) in [("legacy", "1", "2"), ("auto", "2", "3"), ("modern", "3", "4")] {
        // Strict: a schema that some client would not take is an error.
        let listed = inspected(&sandbox, era, &["--strict", "--method", "tools/list"]);
        assert_eq!(listed.exit, 0, "{era}\n{listed}");
        assert_eq!(listed.json()["result"]["tools"], printed, "{era}");
        let arguments = edit(old, new);
        let call = ["--method", "tools/call", "--tool-name", "segedit_edit", "--tool-args-json", &arguments];
        let edited = inspected(&sandbox, era, &call);
        assert_eq!(edited.exit, 0, "{era}\n{edited}");
        assert_eq!(edited.json()["result"]["isError"], json!(false), "{era}\n{edited}");
        assert!(sandbox.git(&["diff"]).contains(&format!("+        return {new}")), "{era}\n{sandbox}");
        let again = inspected(&sandbox, era, &call);
        assert_eq!(again.exit, 5, "{era}\n{again}");
        assert_eq!(again.json()["result"]["isError"], json!(true), "{era}\n{again}");
    }
}
