//! The tools over the Model Context Protocol: what goes over the wire, and what becomes of calls that are called off, of
//! signals, and of a client that leaves.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Sandbox;
use crate::support::conversation::Conversation;
use crate::support::ruled::{self, CODE};

fn sandbox() -> Sandbox {
    Sandbox::with(&[(
        "a.py",
        "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    )])
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.repo().join(path)).unwrap()
}

/// A validator that says on `started` that it runs, and then runs for ever.
fn endless() -> Sandbox {
    let script = "import pathlib, time\npathlib.Path('started').write_text('x')\ntime.sleep(600)\n";
    let configuration = "version: 1\nvalidators:\n  - name: endless\n    files: [\"*.py\"]\n    scope: tree\n    \
                         command: [python3, tools/endless.py, \"{files}\"]\n";
    ruled::with(
        configuration,
        &[("a.py", CODE), ("tools/endless.py", script)],
    )
}

#[test]
fn the_server_lists_the_tools_that_are_printed() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    conversation.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert_eq!(
        conversation.hear()["result"]["tools"],
        sandbox.segedit(&["tools"]).json()["tools"]
    );
    conversation.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/list"}));
    assert_eq!(conversation.hear()["error"]["code"], json!(-32601));
    assert_eq!(conversation.leave(), (Some(0), String::new()));
}

/// Clients of 2026 shake no hands: each request says what it speaks.
#[test]
fn newer_clients_are_answered_without_a_handshake() {
    let sandbox = sandbox();
    let mut conversation = Conversation::start(sandbox.segedit_command().args(["mcp"]));
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {},
                      "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}});
    conversation
        .say(&json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta.clone()}}));
    let answer = conversation.hear();
    assert_eq!(
        answer["result"]["resultType"],
        json!("complete"),
        "{answer}"
    );
    let params = json!({"_meta": meta, "name": "segedit_show", "arguments": {"target": "a.py::f"}});
    conversation.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}));
    let answer = conversation.hear();
    assert_eq!(
        answer["result"]["resultType"],
        json!("complete"),
        "{answer}"
    );
    assert!(
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .ends_with("def f():\n    return 1"),
        "{answer}"
    );
}

#[test]
fn a_model_edits_and_undoes() {
    let sandbox = sandbox();
    let before = text(&sandbox, "a.py");
    let mut conversation = Conversation::begin(&sandbox, &[]);
    let (refused, said) = conversation.call(
        "segedit_replace",
        json!({"target": "a.py::f", "part": "body", "content": "return 3"}),
    );
    assert!(
        !refused && said.starts_with("replaced a.py::f  lines 1-2  hash "),
        "{said}"
    );
    assert_eq!(
        text(&sandbox, "a.py"),
        before.replace("return 1", "return 3")
    );
    let (refused, said) = conversation.call("segedit_history", json!({"action": "undo"}));
    assert!(!refused, "{said}");
    assert_eq!(text(&sandbox, "a.py"), before);
    assert_eq!(conversation.leave().0, Some(0));
}

#[test]
fn a_call_that_fails_again_is_told_so() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    let edit = json!({"path": "a.py", "old": "return 9", "new": "return 8"});
    let hint = "This call failed before";
    let (_, first) = conversation.call("segedit_edit", edit.clone());
    assert!(!first.contains(hint), "{first}");
    let (refused, second) = conversation.call("segedit_edit", edit.clone());
    assert!(refused && second.contains(hint), "{second}");
    conversation.call(
        "segedit_edit",
        json!({"path": "a.py", "old": "return 1", "new": "return 8"}),
    );
    let (_, third) = conversation.call("segedit_edit", edit);
    assert!(!third.contains(hint), "{third}");
}

#[test]
fn calls_at_once_are_all_answered() {
    let files: Vec<(String, String)> = (0..12)
        .map(|at| (format!("f{at}.py"), format!("def f():\n    return {at}\n")))
        .collect();
    let sandbox = Sandbox::with(
        &files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect::<Vec<_>>(),
    );
    let mut conversation = Conversation::begin(&sandbox, &[]);
    for at in 0..12_u64 {
        let content = format!("return {}", at + 100);
        conversation.ask(
            at,
            "segedit_replace",
            json!({"target": format!("f{at}.py::f"), "part": "body", "content": content}),
        );
    }
    let mut answered: Vec<u64> = (0..12)
        .map(|_| {
            let answer = conversation.hear();
            assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
            answer["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, (0..12).collect::<Vec<u64>>());
    for at in 0..12 {
        assert_eq!(
            text(&sandbox, &format!("f{at}.py")),
            format!("def f():\n    return {}\n", at + 100)
        );
    }
}

#[test]
fn a_call_that_is_called_off_leaves_everything_as_it_was() {
    let sandbox = endless();
    let mut command = sandbox.segedit_command();
    let mut conversation = Conversation::begin_with(
        command
            .args(["mcp", "--destination", "commit"])
            .env("GIT_SEGEDIT_TRUST", "always"),
    );
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let params = json!({"name": "segedit_replace", "_meta": {"progressToken": "p"},
                        "arguments": {"target": "a.py::f", "part": "body", "content": "return 3"}});
    conversation.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
    // It is told that the call still runs.
    let sign = conversation.hear();
    assert_eq!(sign["method"], json!("notifications/progress"), "{sign}");
    assert_eq!(sign["params"]["progressToken"], json!("p"));
    conversation.say(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
    );
    // The other call is answered, and the first is not.
    conversation.ask(2, "segedit_show", json!({"target": "a.py::f"}));
    let answer = loop {
        let heard = conversation.hear();
        if heard["method"] != json!("notifications/progress") {
            break heard;
        }
    };
    assert_eq!(answer["id"], json!(2), "{answer}");
    assert_eq!(conversation.leave(), (Some(0), String::new()));
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(text(&sandbox, "a.py"), CODE);
    assert_eq!(
        sandbox.git(&["status", "--porcelain", "--untracked-files=no"]),
        ""
    );
    let gone = Instant::now() + Duration::from_secs(20);
    while runs("tools/endless.py", &sandbox.repo()) {
        assert!(Instant::now() < gone, "the validator still runs");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_a_cancelled_call_had_begun_is_not_left_behind() {
    let files: Vec<(String, String)> = (0..1500)
        .map(|i| (format!("f{i}.py"), format!("def f{i}():\n    return 0\n")))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    for ends in [None, Some("TERM")] {
        let sandbox = Sandbox::with(&files);
        let mut conversation = Conversation::begin(&sandbox, &[]);
        let plan = "version: 1\noperations:\n- {op: substitute, files: ['*.py'], text: return 0, replacement: return 1}\n";
        conversation.ask(1, "segedit_apply", json!({"plan": plan, "message": "x"}));
        let lock = sandbox.git_folder().join("index.lock");
        wait_until("it publishes", || {
            lock.exists() || text(&sandbox, "f5.py").contains('1')
        });
        match ends {
            Some(signal) => conversation.signal(signal),
            None => conversation.say(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
            ),
        }
        // As before, or as after; no other command has put it in order.
        let status = ["--no-optional-locks", "status", "--porcelain"];
        wait_until("all is in order", || {
            !lock.exists() && sandbox.git(&status).is_empty()
        });
        conversation.close();
        assert_eq!(conversation.ended(), Some(0));
        assert!(!lock.exists() && sandbox.git(&status).is_empty());
    }
}

#[test]
fn calls_end_with_the_server() {
    for signal in [None, Some("TERM")] {
        let sandbox = endless();
        let mut command = sandbox.segedit_command();
        let mut conversation =
            Conversation::begin_with(command.arg("mcp").env("GIT_SEGEDIT_TRUST", "always"));
        // The third waits its turn, and never gets it.
        for id in 1..=3 {
            let arguments =
                json!({"target": "a.py::f", "part": "body", "content": format!("return {id}0")});
            conversation.ask(id, "segedit_replace", arguments);
        }
        wait_until("the validator runs", || {
            runs("tools/endless.py", &sandbox.repo())
        });
        match signal {
            Some(signal) => conversation.signal(signal),
            None => conversation.close(),
        }
        assert_eq!(conversation.ended(), Some(0), "{signal:?}");
        assert!(
            !runs("tools/endless.py", &sandbox.repo()),
            "{signal:?}: the validator outlived the server"
        );
        assert_eq!(text(&sandbox, "a.py"), CODE);
        // What a call leaves that had to be killed, the next writer sweeps.
        sandbox.write("other.txt", "x\n");
        assert_eq!(
            sandbox
                .segedit(&[
                    "delete",
                    "other.txt",
                    "--lines",
                    "1",
                    "--destination",
                    "worktree"
                ])
                .exit,
            0
        );
        let left = std::fs::read_dir(sandbox.git_folder().join("segedit"))
            .unwrap()
            .flatten();
        let left: Vec<_> = left
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        assert!(
            !left.iter().any(|name| name.starts_with("tmp-")),
            "{signal:?}: {left:?}"
        );
    }
}

#[test]
fn the_process_that_waits_is_replaced_and_ends_with_the_server() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    let repo = sandbox.repo();
    let waiting = || processes("call", &repo);
    assert!(waiting().is_empty(), "nothing waits before the first call");
    let show = json!({"target": "a.py::f"});
    let shown = |conversation: &mut Conversation, what: &str| {
        let (refused, said) = conversation.call("segedit_show", show.clone());
        assert!(!refused && said.contains("return"), "{what}: {said}");
        wait_until("one waits for the next call", || waiting().len() == 1);
    };
    shown(&mut conversation, "the first");
    let first = waiting();
    shown(&mut conversation, "by the one that waited");
    assert_ne!(waiting(), first);

    // One that was killed is no loss.
    send(waiting()[0], "KILL");
    wait_until("it is gone", || waiting().is_empty());
    shown(&mut conversation, "after it was killed");

    // One that is killed with a call in its hands: what changes nothing is begun anew, all else is for the caller to look at.
    let body = json!({"target": "a.py::f", "part": "body", "content": "return 5"});
    for (id, tool, arguments, says) in [
        (70, "segedit_show", &show, "return"),
        (71, "segedit_replace", &body, "ended by signal 9"),
    ] {
        let [taken] = waiting()[..] else {
            panic!("one waits for the next call");
        };
        send(taken, "STOP");
        conversation.ask(id, tool, arguments.clone());
        wait_until("the next one waits", || waiting().len() == 2);
        send(taken, "KILL");
        let answer = conversation.hear();
        let said = answer["result"]["content"][0]["text"].as_str();
        assert_eq!(answer["id"], json!(id), "{answer}");
        assert!(said.is_some_and(|said| said.contains(says)), "{answer}");
        wait_until("one waits for the next call", || waiting().len() == 1);
    }

    // Another folder came in the place of the one that it waits in.
    let aside = sandbox.aside().join("moved");
    std::fs::rename(&repo, &aside).unwrap();
    let copied = Command::new("cp").arg("-R").args([&aside, &repo]).status();
    assert!(copied.unwrap().success());
    std::fs::remove_dir_all(&aside).unwrap();
    shown(&mut conversation, "after the folder was replaced");
    assert_eq!(conversation.leave().0, Some(0));
    wait_until("it ended with the server", || waiting().is_empty());
}

/// Sends the process `id` a signal.
fn send(id: u32, signal: &str) {
    let status = Command::new("kill")
        .args([&format!("-{signal}"), &id.to_string()])
        .status();
    assert!(status.unwrap().success(), "{signal} {id}");
}

/// Waits until something is so, for as long as a busy machine may take.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "it never came to this: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Says whether a process that was started in `folder` or below has `word` on its command line.
fn runs(word: &str, folder: &Path) -> bool {
    !processes(word, folder).is_empty()
}

/// Returns the numbers of the processes that were started in `folder` or below and have `word` on their command lines.
fn processes(word: &str, folder: &Path) -> Vec<u32> {
    let root = folder
        .parent()
        .expect("a sandbox around the repository")
        .to_owned();
    let all = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .map(|process| process.path());
    let found = all.filter(|process| {
        let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
        let is_inside =
            std::fs::read_link(process.join("cwd")).is_ok_and(|folder| folder.starts_with(&root));
        String::from_utf8_lossy(&line).contains(word) && is_inside
    });
    found
        .filter_map(|process| process.file_name()?.to_str()?.parse().ok())
        .collect()
}

#[test]
fn interrupts_are_passed_over_and_the_end_is_heeded() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    conversation.signal("INT");
    let (refused, said) = conversation.call("segedit_show", json!({"target": "a.py::f"}));
    assert!(!refused, "{said}");
    conversation.signal("TERM");
    assert_eq!(conversation.ended(), Some(0));
}

#[test]
fn what_is_no_message_does_not_end_the_conversation() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    conversation.say_line("this is no JSON");
    conversation.say_line("");
    conversation.say_line("{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"no/such\"}");
    let mut answer = conversation.hear();
    if answer["id"] != json!(5) {
        answer = conversation.hear();
    }
    assert_eq!(
        (&answer["id"], answer["error"].is_object()),
        (&json!(5), true),
        "{answer}"
    );
    let (refused, said) = conversation.call("segedit_nope", json!({}));
    assert!(refused && said.contains("nearest: "), "{said}");
    let (refused, said) =
        conversation.call("segedit_edit", json!({"path": 5, "old": {}, "new": []}));
    assert!(
        refused && said.contains("`old` of segedit_edit is one text"),
        "{said}"
    );
    let (refused, _) = conversation.call("segedit_show", json!({"target": "a.py::f"}));
    assert!(!refused);
}

#[test]
fn what_cannot_be_read_is_answered() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    let mut check = |line: &str, id: Value, code: i64, words: &str| {
        conversation.say_line(line);
        // Without an answer to the line this one is heard first.
        conversation.say(&json!({"jsonrpc": "2.0", "id": "after", "method": "ping"}));
        let answer = conversation.hear();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(code)),
            "{answer}"
        );
        assert!(
            answer.get("id").is_some()
                && answer["error"]["message"].as_str().unwrap().contains(words),
            "{answer}"
        );
        assert_eq!(conversation.hear()["id"], json!("after"));
    };
    let call = |id: &str, arguments: &str| {
        format!(
            r#"{{"method": "tools/call", "params": {{"name": "segedit_show", "arguments": {arguments}}}, "jsonrpc": "2.0", "id": {id}}}"#
        )
    };
    check("this is no JSON", json!(null), -32700, "");
    check(&call("1", "{"), json!(null), -32700, "");
    check("[]", json!(null), -32600, "");
    let deep = format!("{{\"target\": {}{}}}", "[".repeat(200), "]".repeat(200));
    check(&call("2", &deep), json!(2), -32600, "recursion");
    check(
        &call("\"three\"", &deep),
        json!("three"),
        -32600,
        "recursion",
    );
    check(
        &call("4", r#"{"target": "a.py", "target": "b.py"}"#),
        json!(4),
        -32600,
        "`target` is given twice",
    );
    check(
        &call("5", r#"{"target": {"a": 1, "\u0061": 2}}"#),
        json!(5),
        -32600,
        "`a` is given twice",
    );
    check(
        r#"{"jsonrpc": "2.0", "id": 6, "method": 7}"#,
        json!(6),
        -32600,
        "",
    );
    check(
        r#"{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "id": 9}"#,
        json!(null),
        -32600,
        "",
    );
    check(&"x".repeat(17 << 20), json!(null), -32600, "longer than");
    // Nobody waits for an answer to these.
    conversation
        .say_line("\u{feff}{\"jsonrpc\": \"2.0\", \"method\": \"$/other\", \"params\": 5}\r");
    conversation.say_line("");
    let (refused, said) = conversation.call("segedit_show", json!({"target": "a.py::f"}));
    assert!(!refused && said.contains("return 1"), "{said}");
    // The last word is heard too.
    conversation.say_line("{");
    let (exit, rest) = conversation.leave();
    assert!(exit == Some(0) && rest.contains("-32700"), "{rest}");
}

#[test]
fn refused_calls_are_not_kept_whole() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &[]);
    let resident = |conversation: &Conversation| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", conversation.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?
            .to_owned();
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    let mut refused = |at: usize| {
        let long = format!("{at}{}", "x".repeat(7 << 20));
        let (refused, said) =
            conversation.call("segedit_show", json!({"target": "a.py", "nothing": long}));
        assert!(
            refused && said.contains("takes no `nothing`") && !said.contains("failed before"),
            "{said}"
        );
        resident(&conversation)
    };
    let sizes: Vec<Option<u64>> = (0..13).map(&mut refused).collect();
    let (Some(first), Some(last)) = (sizes[2], sizes[12]) else {
        return;
    };
    assert!(last < first + 35_000, "from {first} kB to {last} kB");
}

/// A client may start it anywhere, and somebody may make the repository later.
#[test]
fn outside_of_a_repository_it_says_what_to_do() {
    let sandbox = sandbox();
    let outside = sandbox.aside().join("outside");
    std::fs::create_dir(&outside).unwrap();
    let mut command = sandbox.segedit_command();
    command
        .arg("mcp")
        .current_dir(&outside)
        .env_remove("CLAUDE_PROJECT_DIR");
    let run = command.stdin(Stdio::null()).output().expect("it runs");
    let words = "`--root DIR` (or `-C DIR`)";
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(
        run.status.success() && said.contains(words) && said.lines().count() == 1,
        "{said}"
    );

    let mut conversation = Conversation::begin_with(&mut command);
    let (refused, said) = conversation.call("segedit_show", json!({"target": "a.py"}));
    assert!(
        refused && said.contains("not a git repository") && said.contains(words),
        "{said}"
    );
    let run = command
        .args(["--root", sandbox.repo().to_str().unwrap()])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        run.status.success() && run.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn several_roots_are_told_apart() {
    let (one, other) = (sandbox(), Sandbox::with(&[("b.py", "x = 1\n")]));
    std::fs::rename(other.repo(), other.aside().join("other")).unwrap();
    let (first, second) = (one.repo(), other.aside().join("other"));
    let roots = [
        "--root",
        first.to_str().unwrap(),
        "--root",
        second.to_str().unwrap(),
    ];
    let mut conversation = Conversation::begin(&one, &roots);
    conversation.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let listed = conversation.hear();
    let names = listed["result"]["tools"][0]["inputSchema"]["properties"]["repo"]["enum"].clone();
    assert_eq!(names[1], json!("other"), "{listed}");
    let (refused, said) = conversation.call("segedit_show", json!({"target": "a.py::f"}));
    assert!(!refused, "{said}");
    let (refused, said) =
        conversation.call("segedit_show", json!({"target": "b.py", "repo": "other"}));
    assert!(!refused && said.ends_with("x = 1\n"), "{said}");
    let (refused, said) =
        conversation.call("segedit_show", json!({"target": "b.py", "repo": "nowhere"}));
    assert!(
        refused && said.contains("there is no repository `nowhere`"),
        "{said}"
    );
    for odd in [json!(["other"]), json!({"name": "other"}), json!(5)] {
        let (refused, said) =
            conversation.call("segedit_show", json!({"target": "a.py::f", "repo": odd}));
        assert!(refused && said.contains("`repo` is one text"), "{said}");
    }
}

/// What git's variables say is of the repository that the client was started for, as by a hook.
#[test]
fn a_root_that_is_named_is_the_one_that_is_served() {
    let (named, other) = (
        sandbox(),
        Sandbox::with(&[("sub/b.py", "x = 1\n"), ("a.py", "other = 1\n")]),
    );
    let at_other = |name: &str| other.git_folder().join(name);
    let variables = [
        ("GIT_DIR", other.git_folder()),
        ("GIT_WORK_TREE", other.repo()),
        ("GIT_INDEX_FILE", at_other("index")),
        ("GIT_OBJECT_DIRECTORY", at_other("objects")),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", at_other("objects")),
        ("GIT_COMMON_DIR", other.git_folder()),
        ("GIT_NAMESPACE", "other".into()),
        ("GIT_PREFIX", "sub/".into()),
        ("GIT_QUARANTINE_PATH", at_other("objects")),
    ];
    let edit = json!({"path": "a.py", "old": "return 1", "new": "return 3"});
    for set in (0..variables.len())
        .map(|at| &variables[at..=at])
        .chain([&variables[..2], &variables[..]])
    {
        let root = named.repo();
        let mut command = named.segedit_command();
        command.args([
            "mcp",
            "--destination",
            "index",
            "--root",
            root.to_str().unwrap(),
        ]);
        command.envs(set.iter().map(|(name, value)| (name, value)));
        let before = other.digest();
        let mut conversation = Conversation::begin_with(&mut command);
        let (refused, said) = conversation.call("segedit_edit", edit.clone());
        assert!(!refused, "{set:?}\n{said}");
        assert!(text(&named, "a.py").contains("return 3"), "{set:?}");
        assert_eq!(
            named.git(&["diff", "--cached", "--name-only"]),
            "a.py",
            "{set:?}"
        );
        assert_eq!(other.digest(), before, "{set:?}");
        named.git(&["reset", "--quiet", "--hard"]);
    }
    // Where none is named they say which repository is meant, as for any git command.
    let mut command = named.segedit_command();
    command.arg("mcp").env_remove("CLAUDE_PROJECT_DIR");
    command
        .env("GIT_DIR", other.git_folder())
        .env("GIT_WORK_TREE", other.repo());
    let (refused, said) =
        Conversation::begin_with(&mut command).call("segedit_show", json!({"target": "sub/b.py"}));
    assert!(!refused, "{said}");
}

#[test]
fn a_root_inside_a_repository_confines_calls_to_it() {
    let sandbox = Sandbox::with(&[("sub/a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    let (root, folder) = (sandbox.repo(), sandbox.repo().join("sub"));
    let served = |root: &Path, call: Value| {
        let mut conversation = Conversation::begin(&sandbox, &["--root", root.to_str().unwrap()]);
        // The second call is carried out by the process that waited for it.
        conversation.call("segedit_show", call.clone());
        conversation.call("segedit_show", call)
    };
    let (refused, said) = served(&folder, json!({"target": "../b.py"}));
    assert!(
        refused && said.contains("is not in sub, and nothing else can be reached here"),
        "{said}"
    );
    let (refused, said) = served(&folder, json!({"target": "a.py"}));
    assert!(!refused, "{said}");
    let (refused, said) = served(&root, json!({"target": "b.py"}));
    assert!(!refused, "{said}");
    // One that is not named is where the client is, in the repository around it.
    let mut command = sandbox.segedit_command();
    command
        .arg("mcp")
        .current_dir(&folder)
        .env_remove("CLAUDE_PROJECT_DIR");
    let (refused, said) =
        Conversation::begin_with(&mut command).call("segedit_show", json!({"target": "../b.py"}));
    assert!(!refused, "{said}");
}

/// The process that waits for the next call finds the repository as it is when that comes.
#[test]
fn a_repository_is_looked_for_when_a_call_comes() {
    let sandbox = Sandbox::with(&[("a.py", "x = 1\n")]);
    let (shown, hidden) = (sandbox.git_folder(), sandbox.aside().join("hidden"));
    std::fs::rename(&shown, &hidden).unwrap();
    for options in [&[][..], &["--root", sandbox.repo().to_str().unwrap()]] {
        let mut conversation = Conversation::begin(&sandbox, options);
        for _ in 0..2 {
            let (refused, said) = conversation.call("segedit_show", json!({"target": "a.py"}));
            assert!(refused && said.contains("not a git repository"), "{said}");
        }
        std::fs::rename(&hidden, &shown).unwrap();
        let (refused, said) = conversation.call("segedit_show", json!({"target": "a.py"}));
        assert!(!refused, "{said}");
        std::fs::rename(&shown, &hidden).unwrap();
    }
}

#[test]
fn secrets_of_the_client_do_not_reach_what_calls_start() {
    // It has nothing against the file as it was.
    let script = "import os, sys\nif 'return 3' in open(sys.argv[1]).read():\n    for name in sorted(os.environ):\n        \
                  print(f'a.py:1:1: error: {name} [E1]')\n    sys.exit(1)\n";
    let configuration = "version: 1\nvalidators:\n  - name: env\n    files: [\"*.py\"]\n    \
                         command: [python3, tools/env.py, \"{files}\"]\n    output: gcc\n";
    let sandbox = ruled::with(configuration, &[("a.py", CODE), ("tools/env.py", script)]);
    let mut command = sandbox.segedit_command();
    command
        .args(["mcp"])
        .env("GIT_SEGEDIT_TRUST", "always")
        .env("SOME_API_KEY", "s3cret")
        .env("GITHUB_TOKEN", "t");
    let mut conversation = Conversation::begin_with(&mut command);
    let (refused, said) = conversation.call(
        "segedit_replace",
        json!({"target": "a.py::f", "part": "body", "content": "return 3"}),
    );
    assert!(
        refused && said.contains("PATH") && !said.contains("API_KEY") && !said.contains("TOKEN"),
        "{said}"
    );
}

#[test]
fn programs_can_have_the_report() {
    let sandbox = sandbox();
    let mut conversation = Conversation::begin(&sandbox, &["--structured"]);
    conversation.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let listed = conversation.hear();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let schema = &tools
        .iter()
        .find(|tool| tool["name"] == json!("segedit_delete"))
        .unwrap()["outputSchema"];
    conversation.ask(2, "segedit_delete", json!({"target": "a.py::f"}));
    let answer = conversation.hear();
    let report = &answer["result"]["structuredContent"];
    assert_eq!(report["status"], json!("published"), "{answer}");
    assert!(jsonschema::is_valid(schema, report), "{schema}");
}

/// A model may send all its edits in one turn.
#[test]
fn calls_of_one_turn_share_a_draft() {
    let code: String = (0..5)
        .map(|at| format!("def f{at}():\n    return 0\n\n\n"))
        .collect();
    let sandbox = Sandbox::with(&[("a.py", &code)]);
    let mut conversation = Conversation::begin(&sandbox, &["--review"]);
    for at in 0..5 {
        let target = format!("a.py::f{at}");
        conversation.ask(
            at,
            "segedit_replace",
            json!({"target": target, "part": "body", "content": "return 1\n"}),
        );
    }
    for _ in 0..5 {
        let answer = conversation.hear();
        assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
        let said = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(said.contains("draft review: edit "), "{said}");
    }
    assert_eq!(text(&sandbox, "a.py"), code);
    let (refused, said) = conversation.call(
        "segedit_apply",
        json!({"draft": "review", "message": "All five"}),
    );
    assert!(
        !refused && said.contains("draft review: 5 edits, "),
        "{said}"
    );
    assert_eq!(text(&sandbox, "a.py"), code.replace("return 0", "return 1"));
    assert_eq!(sandbox.git(&["log", "--format=%s", "-1"]), "All five");
    assert_eq!(conversation.leave(), (Some(0), String::new()));
}

/// A branch may bring a link in the place of the folder that a server is confined to.
#[test]
fn a_link_in_the_place_of_the_root_leads_nowhere() {
    let (sandbox, other) = (sandbox(), sandbox());
    sandbox.write("sub/b.py", "x = 1\n");
    sandbox.commit_all("a folder");
    let root = sandbox.repo().join("sub");
    let mut conversation = Conversation::begin(&sandbox, &["--root", root.to_str().unwrap()]);
    let show = |conversation: &mut Conversation, path: &str| {
        conversation.call("segedit_show", json!({"target": path}))
    };
    assert!(!show(&mut conversation, "b.py").0);
    for target in [other.repo(), sandbox.repo()] {
        _ = std::fs::remove_dir_all(&root);
        _ = std::fs::remove_file(&root);
        std::os::unix::fs::symlink(target, &root).unwrap();
        let (is_refused, said) = show(&mut conversation, "a.py");
        assert!(
            is_refused && !said.contains("return 1") && said.contains("not the folder"),
            "{said}"
        );
    }
    assert_eq!(conversation.leave().0, Some(0));
}
