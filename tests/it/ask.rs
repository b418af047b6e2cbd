//! A model makes the edits: the folders of `tests/ask/`, and what is too large or too particular for one.

use std::sync::Mutex;

use serde_json::json;

use crate::support::Sandbox;
use crate::support::ask::{self, Called, Exchange, KEY, Script, Server};

#[test]
fn conversations_go_as_they_are_written_down() {
    if !ask::has_loopback() {
        return;
    }
    let queue = Mutex::new(ask::names().into_iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(name) = next else { return };
                    if let Err(why) = ask::run_case(&name) {
                        failures
                            .lock()
                            .unwrap()
                            .push(format!("======== {name}\n{why}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "\n{}\n{} failed",
        failures.join("\n"),
        failures.len()
    );
}

/// Returns a script of one answer that makes one edit.
fn script(paths: &[&str], calls: Vec<Called>) -> Script {
    Script {
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        args: Vec::new(),
        setup: Vec::new(),
        openai: false,
        exchange: vec![Exchange {
            calls,
            ..Exchange::default()
        }],
        forever: false,
    }
}

fn edit(path: &str, old: &str, new: &str) -> Called {
    Called {
        tool: "segedit_edit".to_owned(),
        with: json!({"path": path, "old": old, "new": new}),
        id: None,
    }
}

/// Returns a page of more than 100,000 bytes with styles, scripts, comments, odd spacing and entities.
fn page() -> String {
    let mut page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Shop</title>\n<style>\n  /* keep   this */\n  .a>b{color:#FFF}\n\
                    </style>\n<script>\n  if (a < b && c) { document.write(\"<p>x</p>\"); } // keep\n</script>\n</head>\n<body>\n\
                    <h1 id='top'>Welcome</h1>\n"
        .to_owned();
    let mut at = 0;
    while page.len() < 100_000 {
        at += 1;
        page.push_str(&format!(
            "<section id=\"s{at}\" class=a>\n\t<!-- part {at} -->\n\t<h2>Part {at}</h2>\n\t<p>Price {at}&nbsp;&euro;  and   more<br>text {at}</p>\n\
             \t<script>var part{at} = \"</\" + \"p>\";</script>\n</section>\n"
        ));
    }
    page.push_str("<footer>Made in 2025</footer>\n</body>\n</html>\n");
    page
}

#[test]
fn five_edits_of_a_large_page_change_five_things_and_nothing_else() {
    if !ask::has_loopback() {
        return;
    }
    let page = page();
    assert!(page.len() > 100_000);
    let sandbox = Sandbox::with(&[("page.html", &page)]);
    let edits = [
        ("Welcome</h1>", "Welcome back</h1>"),
        ("<h2>Part 7</h2>", "<h2>Part seven</h2>"),
        ("Price 100&nbsp;&euro;", "Price 99&nbsp;&euro;"),
        ("Made in 2025", "Made in 2026"),
        ("<title>Shop</title>", "<title>The shop</title>"),
    ];
    let mut expected = page;
    for (old, new) in edits {
        let script = script(&["page.html"], vec![edit("page.html", old, new)]);
        let server = Server::start(&script, &sandbox.repo());
        let run = ask::ask(&sandbox, &server.url(), &script, "change it");
        assert_eq!(run.exit, 0, "{run}");
        let (recorded, complaints) = server.end();
        assert!(complaints.is_empty(), "{complaints:?}");
        assert!(
            recorded[0].body.to_string().contains("part 300 -->"),
            "the whole page was sent"
        );
        assert_eq!(expected.matches(old).count(), 1, "{old}");
        expected = expected.replace(old, new);
        assert!(
            sandbox.tree("HEAD")["page.html"].bytes == expected.as_bytes(),
            "{old}: something else changed"
        );
    }
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "6");
}

#[test]
fn a_document_that_is_too_long_is_outlined() {
    if !ask::has_loopback() {
        return;
    }
    let mut code = String::new();
    for at in 0..3000 {
        code.push_str(&format!("def part_{at}():\n    return {at}\n\n\n"));
    }
    let sandbox = Sandbox::with(&[("long.py", code.trim_end())]);
    let mut script = script(
        &["long.py"],
        vec![edit("long.py", "return 2500", "return 1")],
    );
    script.args = vec!["--context-tokens".to_owned(), "8000".to_owned()];
    let server = Server::start(&script, &sandbox.repo());
    let run = ask::ask(&sandbox, &server.url(), &script, "let part_2500 return 1");
    assert_eq!(run.exit, 0, "{run}");
    let body = server.end().0[0].body.to_string();
    assert!(
        body.contains("return 2500") && !body.contains("return 2501"),
        "{body}"
    );
    assert!(
        body.contains("too long to be given whole; segedit_show reads it"),
        "{body}"
    );
    assert!(body.len() < 60_000, "{}", body.len());
}

const CODE: &str = "def f():\n    return 1\n";

fn one() -> (Sandbox, Script, Server) {
    let sandbox = Sandbox::with(&[("a.py", CODE)]);
    let script = script(&["a.py"], vec![edit("a.py", "return 1", "return 2")]);
    let server = Server::start(&script, &sandbox.repo());
    (sandbox, script, server)
}

#[test]
fn the_repository_does_not_choose_who_is_asked() {
    let (sandbox, _, server) = one();
    for (name, value) in [
        ("segedit.ask.baseUrl", server.url().as_str()),
        ("segedit.ask.keyCommand", "touch started; echo stolen"),
        ("segedit.ask.provider", "openai"),
        ("segedit.ask.model", "theirs"),
    ] {
        sandbox.git(&["config", name, value]);
    }
    let run = sandbox.segedit(&["ask", "change it", "--", "a.py"]);
    assert_eq!(run.exit, 2, "{run}");
    assert!(
        run.err().contains("key-missing") && run.err().contains("ANTHROPIC_API_KEY"),
        "{run}"
    );
    assert!(!sandbox.repo().join("started").exists());
    assert!(server.end().0.is_empty());
}

#[test]
fn the_user_chooses_in_a_configuration_of_their_own() {
    if !ask::has_loopback() {
        return;
    }
    let (sandbox, _, server) = one();
    for (name, value) in [
        ("segedit.ask.baseUrl", server.url().as_str()),
        (
            "segedit.ask.keyCommand",
            "echo sk-of-a-command; echo second line",
        ),
        ("segedit.ask.model", "mine"),
        ("segedit.ask.keepRequest", "false"),
    ] {
        sandbox.git(&["config", "--global", name, value]);
    }
    let mut command = sandbox.segedit_command();
    command
        .args(["ask", "my secret plan", "--trailer-model", "--", "a.py"])
        .env("ANTHROPIC_API_KEY", KEY);
    let run = sandbox.run(&mut command, b"");
    assert_eq!(run.exit, 0, "{run}");
    let request = &server.end().0[0];
    assert_eq!(request.headers["x-api-key"], "sk-of-a-command");
    assert_eq!(
        (request.path.as_str(), &request.body["model"]),
        ("/v1/messages", &json!("mine"))
    );
    let message = sandbox.git(&["log", "-1", "--format=%B"]);
    assert!(
        message.contains("\nSegedit-Model: claude-test-1\n"),
        "{message}"
    );
    let kept = sandbox.segedit(&["show-batch"]);
    assert!(
        !kept.out().contains("my secret plan") && !message.contains("my secret plan"),
        "{kept}"
    );
    assert!(
        kept.out().contains(
            "claude-test-1 at 127.0.0.1: 1 round, 100 tokens in, 20 out, 50 from the cache"
        ),
        "{kept}"
    );
    let redone = sandbox.segedit(&["undo", "-q"]).exit + sandbox.segedit(&["redo", "-q"]).exit;
    assert_eq!(
        (redone, sandbox.git(&["log", "-1", "--format=%B"])),
        (0, message)
    );
}

#[test]
fn hooks_and_linters_do_not_see_the_key() {
    if !ask::has_loopback() {
        return;
    }
    let (sandbox, script, server) = one();
    let hook = sandbox.git_folder().join("hooks/commit-msg");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let seen = sandbox.aside().join("seen");
    std::fs::write(&hook, format!("#!/bin/sh\nenv > '{}'\n", seen.display())).unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let run = ask::ask(&sandbox, &server.url(), &script, "change it");
    assert_eq!(run.exit, 0, "{run}");
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains(KEY), "{seen}");
}

#[test]
fn log_says_who_was_asked_for_what() {
    if !ask::has_loopback() {
        return;
    }
    let (sandbox, mut script, server) = one();
    script.args = vec!["--trailer-request".to_owned()];
    let run = ask::ask(&sandbox, &server.url(), &script, "let it return 2");
    assert_eq!(run.exit, 0, "{run}");
    let log = sandbox.segedit(&["log"]);
    let line =
        "asked claude-test-1: let it return 2  (1 round, 100 tokens in, 20 out, 50 from the cache)";
    assert!(log.out().contains(line), "{log}");
    let log = sandbox.segedit(&["log", "--format", "json"]).json();
    assert_eq!(
        log["batches"][0]["conversation"]["calls"][0]["fate"], "applied",
        "{log}"
    );
    assert!(
        sandbox
            .git(&["log", "-1", "--format=%B"])
            .contains("\nSegedit-Request: let it return 2\n")
    );
}

#[test]
fn a_command_line_that_makes_no_sense_costs_nothing() {
    let (sandbox, _, server) = one();
    let url = server.url();
    let check = |arguments: &[&str], exit: i32, words: &str| {
        let before = sandbox.digest();
        let mut command = sandbox.segedit_command();
        let run = sandbox.run(
            command
                .arg("ask")
                .args(arguments)
                .env("ANTHROPIC_API_KEY", KEY),
            b"",
        );
        assert!(
            run.exit == exit && run.err().contains(words),
            "{words}\n{run}"
        );
        assert_eq!(sandbox.digest(), before);
    };
    check(&["x"], 2, "<path>");
    check(
        &["", "--base-url", &url, "--", "a.py"],
        2,
        "the request is empty",
    );
    check(
        &["x", "--base-url", "ftp://x", "--", "a.py"],
        2,
        "neither http nor https",
    );
    check(
        &["x", "--base-url", &url, "--", "../a.py"],
        3,
        "leaves the repository",
    );
    check(
        &["x", "--base-url", &url, "--", ".git/config"],
        3,
        "path-refused",
    );
    check(
        &[
            "x",
            "--base-url",
            &url,
            "--also-read",
            "none.py",
            "--",
            "a.py",
        ],
        3,
        "none.py does not exist",
    );
    check(
        &[
            "x",
            "--base-url",
            &url,
            "--provider",
            "nobody",
            "--",
            "a.py",
        ],
        2,
        "nobody",
    );
    check(
        &["x", "--base-url", &url, "--branch", "a..b", "--", "a.py"],
        2,
        "a..b",
    );
    assert!(server.end().0.is_empty());
}

/// Answers the question of `ask` on a terminal, which Python's own makes.
const TERMINAL: &str = "
import os, pty, sys
answer, words = sys.argv[1], sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(words[0], words)
seen = b''
while b'[y/N]' not in seen:
    seen += os.read(terminal, 4096)
os.write(terminal, answer.encode() + b'\\n')
try:
    while chunk := os.read(terminal, 4096):
        seen += chunk
except OSError:
    pass
sys.stdout.write(seen.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
";

#[test]
fn on_a_terminal_a_person_sees_the_diff_and_decides() {
    if !ask::has_loopback() {
        return;
    }
    for (answer, exit, commits) in [("n", 1, "1"), ("", 1, "1"), ("y", 0, "2")] {
        let (sandbox, _, server) = one();
        let program = sandbox.segedit_command().get_program().to_owned();
        let mut command = sandbox.program("python3");
        command.args(["-I", "-c", TERMINAL, answer]).arg(program);
        command.args([
            "ask",
            "change it",
            "--color",
            "never",
            "--base-url",
            &server.url(),
            "--",
            "a.py",
        ]);
        let run = sandbox.run(command.env("ANTHROPIC_API_KEY", KEY), b"");
        assert_eq!(run.exit, exit, "{run}");
        assert_eq!(run.out().matches("+    return 2").count(), 1, "{run}");
        assert!(run.out().contains("Publish this? [y/N]"), "{run}");
        assert_eq!(run.out().contains("declined"), exit == 1, "{run}");
        assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), commits);
    }
}

#[test]
fn a_word_in_the_place_of_a_key_is_left_where_code_has_it() {
    if !ask::has_loopback() {
        return;
    }
    let sandbox = Sandbox::with(&[("a.py", CODE)]);
    let script = script(&["a.py"], vec![edit("a.py", "return 1", "return 'none'")]);
    let server = Server::start(&script, &sandbox.repo());
    let mut command = sandbox.segedit_command();
    command
        .args([
            "ask",
            "change it",
            "--base-url",
            &server.url(),
            "--",
            "a.py",
        ])
        .env("ANTHROPIC_API_KEY", "none");
    // A proxy for everything is not for this machine.
    let run = sandbox.run(
        command
            .env("http_proxy", "http://127.0.0.1:9")
            .env("ALL_PROXY", "http://127.0.0.1:9"),
        b"",
    );
    assert_eq!(run.exit, 0, "{run}");
    assert_eq!(
        std::fs::read_to_string(sandbox.repo().join("a.py")).unwrap(),
        CODE.replace('1', "'none'")
    );
}

#[test]
fn a_folder_of_many_files_is_named_and_not_sent_in_full() {
    if !ask::has_loopback() {
        return;
    }
    let files: Vec<(String, String)> = (0..700)
        .map(|at| {
            (
                format!("src/part{at:03}.py"),
                format!("VALUE_{at} = {at}\n"),
            )
        })
        .collect();
    let named: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let sandbox = Sandbox::with(&named);
    let mut script = script(&["src"], vec![edit("src/part699.py", "699\n", "1\n")]);
    script.args = vec!["--context-tokens".to_owned(), "5000".to_owned()];
    let server = Server::start(&script, &sandbox.repo());
    let run = ask::ask(&sandbox, &server.url(), &script, "change it");
    assert_eq!(run.exit, 0, "{run}");
    let body = server.end().0[0].body.to_string();
    assert!(
        body.contains("VALUE_7 = 7") && !body.contains("VALUE_600 = 600"),
        "{body}"
    );
    assert!(
        body.contains("src/part499.py") && body.contains("and 200 more"),
        "{body}"
    );
    assert!(body.len() < 50_000, "{}", body.len());
}
