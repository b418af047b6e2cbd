//! The tools that language models are offered: what is printed of them, and what a call does and is answered.

use serde_json::{Value, json};

use crate::support::{Run, Sandbox};

const WORKER: &str = "class Worker:\n    def run(self):\n        timeout = 5\n        return timeout\n\n    \
                      # Stops it.\n    @final\n    def stop(self):\n        timeout = 5\n        return None\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[
        ("worker.py", WORKER),
        ("README.md", "# Guide\n\n## Usage\n\nRun it.\n"),
    ])
}

/// Calls a tool, whose arguments are `sent` as they are.
fn call_with(sandbox: &Sandbox, tool: &str, sent: &str, options: &[&str]) -> Run {
    let words: Vec<&str> = ["call", tool]
        .into_iter()
        .chain(options.iter().copied())
        .collect();
    sandbox.segedit_with_input(&words, sent.as_bytes())
}

fn call(sandbox: &Sandbox, tool: &str, arguments: &Value) -> Run {
    call_with(sandbox, tool, &arguments.to_string(), &[])
}

/// Calls a tool that answers, and returns the answer.
fn answer(sandbox: &Sandbox, tool: &str, arguments: Value) -> String {
    let run = call(sandbox, tool, &arguments);
    assert_eq!(run.exit, 0, "{tool} {arguments}\n{run}");
    assert_eq!(run.err(), "", "{tool} {arguments}");
    run.out()
}

/// Calls a tool that refuses with `exit`, and returns the answer. Nothing is changed.
fn refusal(sandbox: &Sandbox, tool: &str, arguments: Value, exit: i32) -> String {
    let before = sandbox.digest();
    let run = call(sandbox, tool, &arguments);
    assert_eq!(run.exit, exit, "{tool} {arguments}\n{run}");
    assert_eq!(sandbox.digest(), before, "{tool} {arguments}");
    run.out()
}

fn worker(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.repo().join("worker.py")).unwrap()
}

/// Asserts that `text` holds each of `parts`.
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn a_call_may_say_its_tool_itself() {
    let sandbox = sandbox();
    let arguments = json!({"target": "worker.py::Worker.run"});
    let by_name = answer(&sandbox, "segedit_show", arguments.clone());
    let said = json!({"name": "segedit_show", "arguments": arguments}).to_string();
    assert_eq!(call_with(&sandbox, "-", &said, &[]).out(), by_name);
    for (said, part) in [
        ("[]", "the call is no object"),
        ("", "the call is no object"),
        ("{", "the call"),
        (r#"{"arguments": {}}"#, "there is no tool ``"),
        (
            r#"{"name": "segedit_shwo", "arguments": {}}"#,
            "segedit_show",
        ),
        (r#"{"name": "segedit_show"}"#, "target"),
        (r#"{"name": "segedit_show", "arguments": [1]}"#, "arguments"),
    ] {
        let run = call_with(&sandbox, "-", said, &[]);
        assert_eq!(run.exit, 2, "{said}\n{run}");
        holds(&run.out(), &[part]);
    }
    let delete = r#"{"name": "segedit_delete", "arguments": {"target": "worker.py::Worker.run"}}"#;
    let run = call_with(&sandbox, "-", delete, &["--read-only"]);
    holds(&run.out(), &["segedit_delete is not offered"]);
    assert_eq!(worker(&sandbox), WORKER);
}

#[test]
fn every_interface_lists_the_same_tools() {
    let sandbox = sandbox();
    let listed = |face: &str| sandbox.segedit(&["tools", "--format", face]).json();
    let mcp = listed("mcp");
    let names = [
        "outline", "show", "find", "edit", "replace", "insert", "delete", "rename", "apply",
        "history",
    ];
    let tools = mcp["tools"].as_array().unwrap();
    let told: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(told, names.map(|name| format!("segedit_{name}")));
    for (at, tool) in tools.iter().enumerate() {
        let hints = tool["annotations"].as_object().unwrap();
        let expected = [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ];
        assert_eq!(hints.keys().collect::<Vec<_>>(), expected);
        assert!(hints.values().all(Value::is_boolean), "{tool}");
        let description = tool["description"].as_str().unwrap();
        assert!(description.len() <= 400, "{description}");
        let example = description
            .rfind(" {\"")
            .map(|start| &description[start..])
            .unwrap();
        let example: Value = serde_json::from_str(example).unwrap();
        let schema = &tool["inputSchema"];
        assert!(
            jsonschema::is_valid(schema, &example),
            "{example} is not what {schema} describes"
        );

        let (anthropic, openai, responses) = (
            listed("anthropic"),
            listed("openai"),
            listed("openai-responses"),
        );
        for one in [&anthropic[at], &openai[at]["function"], &responses[at]] {
            assert_eq!(
                (&one["name"], &one["description"]),
                (&tool["name"], &tool["description"])
            );
        }
        assert_eq!(&anthropic[at]["input_schema"], schema);
        assert_eq!(&openai[at]["function"]["parameters"], schema);
        assert_eq!(&responses[at]["parameters"], schema);
    }
    let size = mcp.to_string().len();
    assert!(size <= 8_000, "the list has {size} bytes");
    let reading = sandbox.segedit(&["tools", "--read-only"]).json();
    let reading: Vec<&str> = reading["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        reading,
        [
            "segedit_outline",
            "segedit_show",
            "segedit_find",
            "segedit_history"
        ]
    );
}

/// Clients refuse or mangle schemas that are anything more than flat.
#[test]
fn schemas_are_flat() {
    let sandbox = sandbox();
    for tool in sandbox.segedit(&["tools"]).json()["tools"]
        .as_array()
        .unwrap()
    {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["additionalProperties"], json!(false));
        for (name, property) in schema["properties"].as_object().unwrap() {
            let plain = ["string", "boolean", "integer"].map(|word| json!(word));
            let is_list = property["type"] == json!("array")
                && property["items"] == json!({"type": "string"});
            assert!(
                plain.contains(&property["type"]) || is_list,
                "{name}: {property}"
            );
        }
        let text = schema.to_string();
        for word in ["anyOf", "oneOf", "allOf", "$ref", "null", "\"const\""] {
            assert!(!text.contains(word), "{text}");
        }
    }
}

#[test]
fn a_model_looks_before_it_changes() {
    let sandbox = sandbox();
    let outline = answer(&sandbox, "segedit_outline", json!({"paths": ["."]}));
    holds(
        &outline,
        &[
            "worker.py\n",
            "class Worker",
            "method Worker.stop",
            "README.md\n",
            "section # Guide",
        ],
    );
    let top = answer(
        &sandbox,
        "segedit_outline",
        json!({"paths": ["worker.py"], "depth": 1}),
    );
    assert!(!top.contains("Worker.run"), "{top}");
    let run = answer(
        &sandbox,
        "segedit_show",
        json!({"target": "worker.py::Worker.run"}),
    );
    let (header, bytes) = run.split_once('\n').unwrap();
    holds(header, &["worker.py::Worker.run  lines 2-4  hash "]);
    assert_eq!(
        bytes,
        "    def run(self):\n        timeout = 5\n        return timeout\n"
    );
    let whole = answer(&sandbox, "segedit_show", json!({"target": "worker.py"}));
    let blob = sandbox.git(&["rev-parse", "HEAD:worker.py"]);
    assert_eq!(
        whole,
        format!("worker.py  lines 1-10 of 10  hash {}\n{WORKER}", &blob[..8])
    );
    let lines = answer(
        &sandbox,
        "segedit_show",
        json!({"target": "worker.py", "lines": "3-4"}),
    );
    assert!(
        lines.ends_with("\n        timeout = 5\n        return timeout\n"),
        "{lines}"
    );
    let found = answer(&sandbox, "segedit_find", json!({"name": "stop"}));
    assert_eq!(found, "worker.py:8: method worker.py::Worker.stop\n");
    std::fs::write(sandbox.repo().join("worker.py"), "x = 1\n").unwrap();
    let before = answer(
        &sandbox,
        "segedit_show",
        json!({"target": "worker.py::Worker.run", "at": "HEAD"}),
    );
    holds(&before, &["    def run(self):\n"]);
}

#[test]
fn each_tool_edits_the_files_and_can_be_undone() {
    let check = |tool: &str, arguments: Value, line: &str, expected: &str| {
        let sandbox = sandbox();
        let text = answer(&sandbox, tool, arguments);
        assert!(text.starts_with(line), "{text}");
        assert_eq!(worker(&sandbox), expected, "{text}");
        assert_eq!(
            sandbox.git(&["rev-list", "--count", "HEAD"]),
            "1",
            "it is a commit"
        );
        holds(
            &answer(&sandbox, "segedit_history", json!({"action": "undo"})),
            &["undone  batch "],
        );
        assert_eq!(worker(&sandbox), WORKER);
        answer(&sandbox, "segedit_history", json!({"action": "redo"}));
        assert_eq!(worker(&sandbox), expected);
    };
    check(
        "segedit_edit",
        json!({"path": "worker.py", "old": "timeout = 5", "new": "timeout = 30", "within": "Worker.stop"}),
        "edited worker.py::Worker.stop  batch ",
        &WORKER.replacen("5\n        return None", "30\n        return None", 1),
    );
    check(
        "segedit_edit",
        json!({"path": "worker.py", "old": "timeout = 5", "new": "timeout = 30", "all": true}),
        "edited worker.py",
        &WORKER.replace("timeout = 5", "timeout = 30"),
    );
    check(
        "segedit_replace",
        json!({"target": "worker.py::Worker.run", "part": "body", "content": "return 1\n"}),
        "replaced worker.py::Worker.run  lines 2-3  hash ",
        &WORKER.replace("timeout = 5\n        return timeout\n", "return 1\n"),
    );
    check(
        "segedit_insert",
        json!({"target": "worker.py::Worker.run", "position": "after", "content": "def walk(self):\n    pass\n"}),
        "inserted at worker.py::Worker.run  batch ",
        &WORKER.replace(
            "return timeout\n\n",
            "return timeout\n\n    def walk(self):\n        pass\n\n",
        ),
    );
    check(
        "segedit_delete",
        json!({"target": "worker.py::Worker.stop"}),
        "deleted worker.py::Worker.stop  batch ",
        &WORKER[..WORKER.find("\n    # Stops").unwrap()],
    );
    let plan = "version: 1\nresolve: sequential\noperations:\n- {op: delete, file: worker.py, symbol: Worker.stop}\n\
                - {op: substitute, file: worker.py, text: timeout, replacement: limit}\n";
    check(
        "segedit_apply",
        json!({"plan": plan, "destination": "worktree"}),
        "applied 2 operations  batch ",
        &WORKER[..WORKER.find("\n    # Stops").unwrap()].replace("timeout", "limit"),
    );
}

#[test]
fn an_operation_file_is_a_commit_unless_it_says_otherwise() {
    let sandbox = sandbox();
    let plan = "version: 1\noperations:\n- {op: remove, file: README.md}\n";
    let checked = answer(
        &sandbox,
        "segedit_apply",
        json!({"plan": plan, "check": true}),
    );
    assert!(
        checked.starts_with("checked, nothing was changed; it would be: removed README.md  +0 -5"),
        "{checked}"
    );
    let text = answer(
        &sandbox,
        "segedit_apply",
        json!({"plan": plan, "message": "Drop the guide"}),
    );
    holds(&text, &["removed README.md  batch ", "  commit "]);
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "Drop the guide");
    let edit = json!({"path": "worker.py", "old": "return None", "new": "return 0"}).to_string();
    let run = call_with(
        &sandbox,
        "segedit_edit",
        &edit,
        &["--destination", "commit"],
    );
    assert_eq!(run.exit, 0, "{run}");
    assert_eq!(sandbox.git(&["status", "--short"]), "");
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "3");
}

#[test]
fn files_are_made_and_deleted_by_their_path() {
    let sandbox = sandbox();
    let create = json!({"target": "new.py", "content": "x = 1\n", "create": true});
    let text = refusal(
        &sandbox,
        "segedit_replace",
        json!({"target": "new.py", "content": "x = 1\n"}),
        3,
    );
    holds(
        &text,
        &[
            "file-not-found: ",
            "next: create: true makes a new file",
            "Nothing was changed.",
        ],
    );
    assert!(
        answer(&sandbox, "segedit_replace", create.clone()).starts_with("created new.py  batch ")
    );
    let text = refusal(&sandbox, "segedit_replace", create, 3);
    holds(
        &text,
        &["file-exists: ", "next: without create it replaces the file"],
    );
    assert!(
        answer(&sandbox, "segedit_delete", json!({"target": "new.py"}))
            .starts_with("removed new.py")
    );
    assert!(!sandbox.repo().join("new.py").exists());
}

/// What models send in the place of what they are asked for.
#[test]
fn arguments_are_understood_as_models_send_them() {
    let edit = |old: &str, new: &str| WORKER.replacen(old, new, 1);
    let expected = edit("return None", "return 0");
    let folder = |sandbox: &Sandbox| {
        sandbox
            .repo()
            .join("worker.py")
            .to_str()
            .unwrap()
            .to_owned()
    };
    let check = |tool: &str, sent: &dyn Fn(&Sandbox) -> String, expected: &str| {
        let sandbox = sandbox();
        let sent = sent(&sandbox);
        let run = call_with(&sandbox, tool, &sent, &[]);
        assert_eq!(run.exit, 0, "{tool} {sent}\n{run}");
        assert_eq!(worker(&sandbox), expected, "{tool} {sent}\n{run}");
    };
    let plain = json!({"path": "worker.py", "old": "return None", "new": "return 0"});
    check("segedit_edit", &|_| plain.to_string(), &expected);
    check("edit", &|_| plain.to_string(), &expected);
    // The whole as text, and as text twice.
    check(
        "segedit_edit",
        &|_| json!(plain.to_string()).to_string(),
        &expected,
    );
    check(
        "segedit_edit",
        &|_| json!(json!(plain.to_string()).to_string()).to_string(),
        &expected,
    );
    check(
        "segedit_edit",
        &|_| {
            json!({"file_path": "worker.py", "old_string": "return None", "new_string": "return 0"})
                .to_string()
        },
        &expected,
    );
    check(
        "segedit_edit",
        &|sandbox| {
            json!({"path": folder(sandbox), "old": "return None", "new": "return 0"}).to_string()
        },
        &expected,
    );
    check(
        "segedit_edit",
        &|_| {
            json!({"path": "worker.py", "old": "return None", "new": "return 0", "within": "", "all": null,
                   "check": "false", "draft": "", "edits": []})
            .to_string()
        },
        &expected,
    );
    check(
        "segedit_edit",
        &|_| {
            json!({"path": "worker.py", "old": "timeout = 5", "new": "x = 5", "replace_all": "true"}).to_string()
        },
        &WORKER.replace("timeout = 5", "x = 5"),
    );
    check(
        "segedit_edit",
        &|_| {
            let edits = json!([{"old_string": "return None", "new_string": "return 1"},
                               {"oldText": "return 1", "newText": "return 0"}]);
            json!({"path": "worker.py", "edits": edits.to_string()}).to_string()
        },
        &expected,
    );
    check(
        "segedit_edit",
        &|_| {
            json!({"path": "worker.py::Worker.stop", "old": "timeout = 5\n        ", "new": "",
                   "within": "worker.py::Worker.stop"})
            .to_string()
        },
        &edit(
            "        timeout = 5\n        return None",
            "        return None",
        ),
    );
    check(
        "segedit_replace",
        &|_| {
            json!({"target": "worker.py::Worker.run", "part": "Body", "content": "\n```python\nreturn 1\n```\n"})
                .to_string()
        },
        &WORKER.replace("timeout = 5\n        return timeout\n", "return 1\n"),
    );
    check(
        "segedit_outline",
        &|_| "{\"paths\": \"[\\\"worker.py\\\"]\", \"depth\": \"1\"}".to_owned(),
        WORKER,
    );
    check(
        "segedit_outline",
        &|_| "{\"path\": \"worker.py\", \"depth\": 2.0}".to_owned(),
        WORKER,
    );
    check(
        "segedit_history",
        &|_| "{\"action\": \"LIST\", \"batch\": null}".to_owned(),
        WORKER,
    );
}

#[test]
fn a_fence_around_the_new_text_is_taken_off() {
    for (old, new, after) in [
        (
            "return timeout",
            "```python\nreturn timeout + 1\n```",
            "        return timeout + 1\n",
        ),
        (
            "        return timeout\n",
            "```\n        return 2\n```\n",
            "        return 2\n",
        ),
        (
            "```\n        return timeout\n```",
            "```\n        return 3\n```",
            "        return 3\n",
        ),
    ] {
        let sandbox = sandbox();
        let said = answer(
            &sandbox,
            "segedit_edit",
            json!({"path": "worker.py", "old": old, "new": new}),
        );
        holds(&said, &["the code fence around the content was taken off"]);
        assert_eq!(
            worker(&sandbox),
            WORKER.replace("        return timeout\n", after),
            "{new}"
        );
    }
    // One around the old text alone is what the caller means to find.
    refusal(
        &sandbox(),
        "segedit_edit",
        json!({"path": "worker.py", "old": "```\npass\n```", "new": "pass"}),
        3,
    );
}

#[test]
fn a_line_break_that_the_new_text_lacks_is_kept() {
    let text = "#!/bin/sh\n# Old note.\nrm -rf build\n  make \\\n  all\n";
    for (old, new, after, is_said) in [
        (
            "# Old note.\n",
            "# New note.",
            text.replace("Old", "New"),
            true,
        ),
        (
            "\nrm -rf build\n",
            "rm -rf out",
            text.replace("build", "out"),
            true,
        ),
        (
            "# Old note.\n",
            "",
            text.replace("# Old note.\n", ""),
            false,
        ),
        (
            "make \\\n",
            "make ",
            text.replace("make \\\n", "make "),
            false,
        ),
    ] {
        let sandbox = Sandbox::with(&[("run.sh", text)]);
        let said = answer(
            &sandbox,
            "segedit_edit",
            json!({"path": "run.sh", "old": old, "new": new}),
        );
        let now = std::fs::read_to_string(sandbox.repo().join("run.sh")).unwrap();
        assert_eq!(now, after, "{old:?} {new:?}");
        let note = "the line break at the edge of `old`";
        assert_eq!(said.contains(note), is_said, "{said}");
    }
}

#[test]
fn what_an_answer_names_can_be_sent_back_from_a_folder() {
    let file =
        |name: &str| format!("def run():\n    return \"{name}\"\n\n\ndef {name}():\n    pass\n");
    let (top, web, deep) = (file("top"), file("web"), file("deep"));
    let files = [
        ("app.py", &*top),
        ("web/app.py", &*web),
        ("web/web/app.py", &*deep),
        ("web/only.py", "x = 1\n"),
    ];
    let sandbox = Sandbox::with(&files);
    let call = |tool: &str, arguments: Value| {
        let run = sandbox.segedit_with_input(
            &["-C", "web", "call", tool],
            arguments.to_string().as_bytes(),
        );
        (run.exit, run.out())
    };
    let (exit, found) = call("segedit_find", json!({"name": "run"}));
    assert!(
        exit == 0 && found.contains("web/app.py::run") && found.contains(" app.py::run"),
        "{found}"
    );

    // Each of these could be two files.
    for target in ["app.py::run", "web/app.py::run"] {
        let (exit, said) = call("segedit_delete", json!({"target": target}));
        assert!(
            exit == 3 && said.contains("path-refused") && said.contains("./"),
            "{target}: {said}"
        );
    }
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    let shown = |target: &str| call("segedit_show", json!({"target": target})).1;
    assert!(shown("./app.py").contains("\"web\""));
    assert!(shown(&sandbox.repo().join("app.py").to_string_lossy()).contains("\"top\""));

    // And these are one.
    for target in ["only.py::x", "web/only.py::x"] {
        assert!(
            shown(target).starts_with("web/only.py::x"),
            "{target}: {}",
            shown(target)
        );
    }
    assert_eq!(
        call(
            "segedit_find",
            json!({"name": "x", "paths": ["web/only.py"]})
        )
        .0,
        0
    );
    assert_eq!(
        call("segedit_outline", json!({"paths": ["web/only.py"]})).0,
        0
    );
    let create = |target: &str| {
        call(
            "segedit_replace",
            json!({"target": target, "content": "y = 1\n", "create": true}),
        )
        .0
    };
    assert_eq!((create("web/new.py"), create("./new.py")), (3, 0));
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? web/new.py");
}

#[test]
fn exchanges_of_one_call_have_what_is_theirs() {
    let two = "def f():\n    x = 1\n\n\ndef g():\n    x = 1\n";
    let sandbox = Sandbox::with(&[("a.py", two), ("b.py", two)]);
    let edits = json!([
        {"old": "x = 1", "new": "x = 2", "within": "f"},
        {"path": "b.py", "old": "x = 1", "new": "x = 3", "within": "g"},
        {"path": "b.py", "old": "def f", "new": "def ff"},
    ]);
    let sent = json!({"path": "a.py", "edits": edits, "allow_remove": true});
    answer(&sandbox, "segedit_edit", sent);
    let read = |path: &str| std::fs::read_to_string(sandbox.repo().join(path)).unwrap();
    assert_eq!(
        read("a.py"),
        "def f():\n    x = 2\n\n\ndef g():\n    x = 1\n"
    );
    assert_eq!(
        read("b.py"),
        "def ff():\n    x = 1\n\n\ndef g():\n    x = 3\n"
    );

    let one = json!({"old": "x = 2", "new": "x = 4"});
    for sent in [
        json!({"path": "a.py", "edits": [{"old": "x = 2", "new": "x = 4", "check": true}]}),
        json!({"path": "a.py", "edits": [one], "old": "x = 1", "new": "x = 5"}),
        json!({"path": "a.py::f", "within": "g", "old": "x", "new": "y"}),
        json!({"path": "a.py", "old": "x = 2", "new": 1.10}),
    ] {
        refusal(&sandbox, "segedit_edit", sent, 2);
    }
    assert_eq!(
        read("a.py"),
        "def f():\n    x = 2\n\n\ndef g():\n    x = 1\n"
    );
}

#[test]
fn exchanges_of_one_call_are_counted_as_json_counts() {
    let sandbox = sandbox();
    let first = json!({"old": "timeout = 5", "new": "timeout = 6", "all": true});
    let told = |second: Value, exit: i32, words: &str| {
        let sent = json!({"path": "worker.py", "edits": [first.clone(), second]});
        let text = refusal(&sandbox, "segedit_edit", sent, exit);
        holds(&text, &[words]);
        assert!(!text.contains("edits[0]"), "{text}");
    };
    told(
        json!({"old": "not there", "new": "x"}),
        3,
        "text-not-found: edits[1] (substitute worker.py): the text",
    );
    told(
        json!({"ol": "return None", "new": "x"}),
        2,
        "malformed: edits[1]: segedit_edit takes no `ol`",
    );
    told(json!(5), 2, "malformed: edits[1]: ");
    told(
        json!({"path": "../a", "old": "x", "new": "y"}),
        3,
        "path-refused: edits[1]: ",
    );
    let second = json!({"old": "return None", "new": "return 0"});
    let text = answer(
        &sandbox,
        "segedit_edit",
        json!({"path": "worker.py", "edits": [first, second]}),
    );
    holds(
        &text,
        &[
            "\nedits[0] substitute worker.py",
            "\nedits[1] substitute worker.py::Worker.stop\n",
        ],
    );
    let plan = "version: 1\ndestination: worktree\noperations:\n- {op: delete, file: worker.py, symbol: Worker.run}\n\
                - {op: delete, file: worker.py, symbol: x}\n";
    let text = refusal(&sandbox, "segedit_apply", json!({ "plan": plan }), 3);
    holds(
        &text,
        &["segment-not-found: operations[1] (delete worker.py): no `x`"],
    );
}

/// Which of two is meant nobody can tell.
#[test]
fn an_argument_that_is_given_twice_is_refused() {
    let sandbox = sandbox();
    let inside = r#"{"path": "worker.py", "edits": "[{\"old\": \"a\", \"old\": \"return None\", \"new\": \"x\"}]"}"#;
    let whole =
        r#"{"path": "README.md", "old": "return None", "new": "return 0", "path": "worker.py"}"#;
    let text = json!(whole).to_string();
    let escaped =
        r#"{"path": "worker.py", "p\u0061th": "worker.py", "old": "return None", "new": "x"}"#;
    let twice = json!(text).to_string();
    for (sent, name) in [
        (whole, "path"),
        (&text, "path"),
        (&twice, "path"),
        (inside, "old"),
        (escaped, "path"),
    ] {
        let before = sandbox.digest();
        let run = call_with(&sandbox, "segedit_edit", sent, &[]);
        assert_eq!(run.exit, 2, "{sent}\n{run}");
        holds(
            &run.out(),
            &[
                "malformed: ",
                &format!("`{name}` is given twice"),
                "Nothing was changed.",
            ],
        );
        assert_eq!(sandbox.digest(), before);
    }
    let paths = r#"{"paths": "[{\"a\": 1, \"a\": 2}]"}"#;
    holds(
        &call_with(&sandbox, "segedit_outline", paths, &[]).out(),
        &["`a` is given twice"],
    );
}

/// In a document a fence may be what is meant; in a script it never is, whether its language is known or not.
#[test]
fn a_fence_in_a_document_is_content() {
    let sandbox = sandbox();
    for (name, is_kept) in [("run.sh", false), ("notes.txt", true), ("README", true)] {
        sandbox.write(name, "make old\n");
        answer(
            &sandbox,
            "segedit_edit",
            json!({"path": name, "old": "make old\n", "new": "```sh\nmake new\n```\n"}),
        );
        let text = std::fs::read_to_string(sandbox.repo().join(name)).unwrap();
        assert_eq!(
            text,
            if is_kept {
                "```sh\nmake new\n```\n"
            } else {
                "make new\n"
            },
            "{name}"
        );
    }
    let content = "```sh\nmake\n```\n";
    answer(
        &sandbox,
        "segedit_replace",
        json!({"target": "README.md::## Usage", "part": "body", "content": content}),
    );
    let text = std::fs::read_to_string(sandbox.repo().join("README.md")).unwrap();
    assert_eq!(text, format!("# Guide\n\n## Usage\n\n{content}"));
}

#[test]
fn wrong_arguments_are_named() {
    let sandbox = sandbox();
    let check = |tool: &str, sent: &str, parts: &[&str]| {
        let run = call_with(&sandbox, tool, sent, &[]);
        assert_eq!(run.exit, 2, "{tool} {sent}\n{run}");
        holds(&run.out(), parts);
    };
    check(
        "segedit_edti",
        "{}",
        &["there is no tool `segedit_edti`", "nearest: segedit_edit"],
    );
    check(
        "segedit_edit",
        "",
        &["segedit_edit wants `path`", "wants `old`", "wants `new`"],
    );
    check(
        "segedit_edit",
        "{\"path\": ",
        &["the arguments are not JSON"],
    );
    check("segedit_edit", "[1]", &["one JSON object"]);
    check(
        "segedit_edit",
        "{\"path\":\"a\",\"old\":\"\",\"new\":\"b\"}",
        &["`old` of segedit_edit is empty"],
    );
    check(
        "segedit_edit",
        "{\"path\":\"a\",\"old\":\"x\",\"new\":[\"b\"]}",
        &["`new` of segedit_edit is one text"],
    );
    check(
        "segedit_edit",
        "{\"path\":\"a\",\"old\":\"x\",\"new\":\"y\",\"wthin\":\"f\"}",
        &[
            "takes no `wthin`",
            "nearest: within",
            "it takes path, old, new, within",
        ],
    );
    check(
        "segedit_insert",
        "{\"target\":\"worker.py\",\"position\":\"end\",\"content\":\"x\"}",
        &["`position` of segedit_insert is one of before, after, first, last, not `end`"],
    );
    check(
        "segedit_insert",
        "{\"target\":\"worker.py\",\"content\":\"x\"}",
        &["wants `position`: before, after"],
    );
    check(
        "segedit_outline",
        "{\"paths\":[\".\"],\"depth\":\"deep\"}",
        &["`depth`", "a whole number from 1"],
    );
    check(
        "segedit_outline",
        "{\"paths\":[\".\"],\"kind\":\"thing\"}",
        &["`kind` is one of function, "],
    );
    check(
        "segedit_show",
        "{\"target\":\"worker.py\",\"lines\":\"0\"}",
        &["`lines`", "counted from 1"],
    );
    check(
        "segedit_replace",
        "{\"target\":\"worker.py::f\",\"content\":\"x\",\"create\":1}",
        &["a path alone"],
    );
    check(
        "segedit_history",
        "{}",
        &["wants `action`: list, undo, redo"],
    );
    check(
        "segedit_apply",
        "{\"plan\":\"version: 2\"}",
        &["malformed: "],
    );
}

#[test]
fn refusals_say_what_is_true_now_and_what_to_send_next() {
    let sandbox = sandbox();
    let text = refusal(
        &sandbox,
        "segedit_edit",
        json!({"path": "worker.py", "old": "timeout = 5", "new": "x = 5"}),
        3,
    );
    holds(
        &text,
        &[
            "count-mismatch: 2 matches",
            "line 3, ",
            "\"within\":\"Worker.run\"",
            "\"within\":\"Worker.stop\"",
            "all: true",
        ],
    );
    assert_eq!(
        text.matches("line 3").count() + text.matches("worker.py:3").count(),
        1,
        "a place is named twice: {text}"
    );
    let old = "timeout  = 5";
    let text = refusal(
        &sandbox,
        "segedit_edit",
        json!({"path": "worker.py", "old": old, "new": "timeout = 5", "within": "Worker.run"}),
        3,
    );
    holds(
        &text,
        &[
            "text-not-found: ",
            "the file has:\n        timeout = 5\n",
            "already there: line 3 ",
        ],
    );
    let broken = json!({"path": "worker.py", "old": "class Worker", "new": "class"});
    holds(
        &refusal(&sandbox, "segedit_edit", broken, 1),
        &["syntax-error: ", "next: mend the content"],
    );
    let lost = json!({"path": "wroker.py", "old": "a", "new": "b"});
    holds(
        &refusal(&sandbox, "segedit_edit", lost, 3),
        &["file-not-found: ", "next: "],
    );
    let text = refusal(
        &sandbox,
        "segedit_edit",
        json!({"path": "worker.py", "old": "zzz", "new": "timeout"}),
        3,
    );
    assert!(
        !text.contains("already there"),
        "it stands there by chance: {text}"
    );
    let text = refusal(
        &sandbox,
        "segedit_replace",
        json!({"target": "worker.py::Worker.rn", "content": "x"}),
        3,
    );
    holds(
        &text,
        &[
            "segment-not-found: ",
            "nearest: worker.py::Worker.run",
            "next: the same call with one of these",
        ],
    );
    let text = refusal(
        &sandbox,
        "segedit_replace",
        json!({"target": "worker.py::Worker.run", "content": "def run(self): ...", "expect": "00000000"}),
        3,
    );
    holds(
        &text,
        &[
            "stale-segment: ",
            "it is now:\nworker.py::Worker.run  lines 2-4  hash ",
            "    def run(self):\n",
        ],
    );
    let text = refusal(
        &sandbox,
        "segedit_replace",
        json!({"target": "worker.py::Worker", "content": "class Worker: ..."}),
        1,
    );
    holds(
        &text,
        &[
            "would-remove: ",
            "Worker.stop",
            "allow_remove: true",
            "Nothing was changed.",
        ],
    );
    let text = refusal(
        &sandbox,
        "segedit_replace",
        json!({"target": "worker.py::Worker.run", "content": "def run(:"}),
        1,
    );
    holds(&text, &["syntax-error: ", "worker.py:"]);
    for path in ["../worker.py", "/etc/passwd", ".git/config"] {
        let text = refusal(
            &sandbox,
            "segedit_edit",
            json!({"path": path, "old": "a", "new": "b"}),
            3,
        );
        holds(&text, &["path-refused: "]);
    }
    let text = refusal(
        &sandbox,
        "segedit_show",
        json!({"target": "worker.py", "lines": "11-12"}),
        3,
    );
    holds(&text, &["line-out-of-range: worker.py has 10 lines"]);
}

#[test]
fn the_rules_of_whoever_offers_the_tools_hold() {
    let sandbox = sandbox();
    let check = |options: &[&str], tool: &str, arguments: Value, exit: i32, part: &str| {
        let before = sandbox.digest();
        let run = call_with(&sandbox, tool, &arguments.to_string(), options);
        assert_eq!(run.exit, exit, "{run}");
        holds(&run.out(), &[part]);
        assert_eq!(sandbox.digest(), before);
    };
    let delete = json!({"target": "worker.py::Worker.stop"});
    check(
        &["--read-only"],
        "segedit_delete",
        delete.clone(),
        2,
        "segedit_delete is not offered",
    );
    check(
        &["--read-only"],
        "segedit_history",
        json!({"action": "undo"}),
        2,
        "nothing can be changed here",
    );
    check(
        &["--read-only"],
        "segedit_history",
        json!({"action": "list"}),
        0,
        "no batch was published here yet",
    );
    check(
        &["--require-expect"],
        "segedit_delete",
        delete,
        2,
        "segedit_delete wants `expect`",
    );
    let plan = "version: 1\noperations:\n- {op: delete, file: worker.py, symbol: Worker.stop}\n";
    check(
        &["--require-expect"],
        "segedit_apply",
        json!({"plan": plan}),
        2,
        "want `expect` here",
    );
    let pattern = "version: 1\noperations:\n- {op: substitute, file: worker.py, pattern: '(?s).+', replacement: ''}\n";
    check(
        &["--require-expect"],
        "segedit_apply",
        json!({"plan": pattern}),
        2,
        "want `expect` here",
    );
    let text = "version: 1\noperations:\n- {op: substitute, file: worker.py, text: Worker, replacement: Worker}\n";
    check(
        &["--require-expect"],
        "segedit_apply",
        json!({"plan": text}),
        0,
        "unchanged: ",
    );
}

#[test]
fn an_answer_is_never_longer_than_a_client_takes() {
    let many: String = (0..3_000)
        .map(|at| format!("def function_{at}():\n    return {at}\n\n\n"))
        .collect();
    let long: String = (0..3_000)
        .map(|at| format!("line {at} of a long text\n"))
        .collect();
    let sandbox = Sandbox::with(&[("many.py", &many), ("long.txt", &long)]);
    let is_short = |text: &str| assert!(text.len() <= 20_200, "{} bytes", text.len());
    let outline = answer(&sandbox, "segedit_outline", json!({"paths": ["many.py"]}));
    is_short(&outline);
    holds(
        &outline,
        &["shown ", " of 3001 lines · narrow: paths, kind, depth"],
    );
    let whole = answer(&sandbox, "segedit_show", json!({"target": "many.py"}));
    is_short(&whole);
    holds(&whole, &["its parts:\n1-2  function many.py::function_0\n"]);
    let text = answer(&sandbox, "segedit_show", json!({"target": "long.txt"}));
    holds(
        &text,
        &["read lines of the file: segedit_show {\"target\":\"long.txt\",\"lines\":\"1-301\"}"],
    );
    let lines = answer(
        &sandbox,
        "segedit_show",
        json!({"target": "long.txt", "lines": "1-3000"}),
    );
    is_short(&lines);
    let (shown, next) = lines.rsplit_once("shown 1-").unwrap();
    let last: usize = next.split_once(' ').unwrap().0.parse().unwrap();
    assert!(
        shown.ends_with(&format!("line {} of a long text\n", last - 1)),
        "{next}"
    );
    holds(next, &[&format!("next: \"lines\":\"{}-3000\"", last + 1)]);
    let all = json!({"path": "long.txt", "old": "long text", "new": "short text", "all": true});
    is_short(&answer(&sandbox, "segedit_edit", all));
}

#[test]
fn programs_get_the_result_of_the_protocol() {
    let sandbox = sandbox();
    let arguments = json!({"target": "worker.py::Worker.stop"}).to_string();
    let words = ["call", "segedit_delete", "--format", "json", "--structured"];
    let run = sandbox.segedit_with_input(&words, arguments.as_bytes());
    let result = run.json();
    assert_eq!((run.exit, &result["isError"]), (0, &json!(false)), "{run}");
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .starts_with("deleted worker.py::Worker.stop")
    );
    assert_eq!(result["structuredContent"]["status"], json!("published"));
    let run = sandbox.segedit_with_input(&words, arguments.as_bytes());
    assert_eq!(
        (run.exit, &run.json()["isError"]),
        (3, &json!(true)),
        "{run}"
    );
}

#[test]
fn a_name_is_changed_wherever_it_is_used() {
    let files = [
        (
            "a.py",
            "def load(x):\n    return x\n\n\nclass A:\n    def process(self): ...\n",
        ),
        (
            "b.py",
            "from a import load\n\nload(1)\n\ndef f(thing): return thing.process()\n",
        ),
        ("README.md", "Call load.\n"),
    ];
    let sandbox = Sandbox::with(&files);
    let read = |path: &str| std::fs::read_to_string(sandbox.repo().join(path)).unwrap();
    let text = answer(
        &sandbox,
        "segedit_rename",
        json!({"target": "a.py::load", "to": "fetch"}),
    );
    assert!(
        text.starts_with("renamed a.py::load  3 places  batch "),
        "{text}"
    );
    holds(
        &text,
        &[
            "  2 files  +3 -3\n",
            "+from a import fetch\n",
            "left, a mention: README.md, line 1",
        ],
    );
    assert_eq!(
        read("b.py"),
        "from a import fetch\n\nfetch(1)\n\ndef f(thing): return thing.process()\n"
    );
    answer(&sandbox, "segedit_history", json!({"action": "undo"}));
    assert_eq!(
        files.map(|(path, _)| read(path)),
        files.map(|(_, text)| text.to_owned())
    );
    // A file that git does not track is not looked at, and named.
    sandbox.write("new.py", "from a import load\n\nload(2)\n");
    let beside = json!({"target": "a.py::load", "to": "fetch"});
    let text = answer(&sandbox, "segedit_rename", beside);
    holds(
        &text,
        &["warning: `load` is in new.py of the worktree, too"],
    );
    answer(&sandbox, "segedit_history", json!({"action": "undo"}));
    std::fs::remove_file(sandbox.repo().join("new.py")).unwrap();
    // What models call it elsewhere; a mention that is changed is not left.
    let all = json!({"address": "a.py::load", "new_name": "fetch", "mentions": "change"});
    let text = answer(&sandbox, "segedit_rename", all);
    assert!(!text.contains("left, "), "{text}");
    assert_eq!(read("README.md"), "Call fetch.\n");
    answer(&sandbox, "segedit_history", json!({"action": "undo"}));

    let process = |more: Value| {
        let mut arguments = json!({"target": "a.py::A.process", "to": "execute"});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        arguments
    };
    holds(
        &refusal(&sandbox, "segedit_rename", process(json!({})), 3),
        &[
            "not-certain: 1 place of `process` is not certain\nb.py::f, line 5: ",
            "`unsure: keep` leaves them",
            "next: the same call",
            "Nothing was changed.",
        ],
    );
    let text = answer(
        &sandbox,
        "segedit_rename",
        process(json!({"unsure": "keep", "check": true})),
    );
    holds(
        &text,
        &[
            "checked, nothing was changed; it would be: renamed a.py::A.process",
            "left, not certain: b.py::f, line 5: ",
        ],
    );
    let changed = process(json!({"unsure": "change", "draft": "names"}));
    let text = answer(&sandbox, "segedit_rename", changed);
    holds(
        &text,
        &["renamed a.py::A.process  2 places", "draft names: edit 1, "],
    );
    assert!(!text.contains("left, "), "{text}");
    let again = json!({"target": "b.py::f", "to": "g", "draft": "names"});
    answer(&sandbox, "segedit_rename", again);
    assert_eq!(read("b.py"), files[1].1);
    answer(&sandbox, "segedit_apply", json!({"draft": "names"}));
    assert_eq!(
        read("b.py"),
        files[1]
            .1
            .replace("process", "execute")
            .replace("def f", "def g")
    );
}

#[test]
fn a_name_that_cannot_be_changed_is_refused_with_what_to_send() {
    let sandbox = Sandbox::with(&[
        ("a.py", "def load(): ...\ndef fetch(): ...\n"),
        ("b.py", "from a import load\n"),
        ("c.go", "package c\n\nfunc load() {}\n"),
    ]);
    let check = |arguments: Value, exit: i32, parts: &[&str]| {
        holds(&refusal(&sandbox, "segedit_rename", arguments, exit), parts);
    };
    check(
        json!({"target": "a.py::load", "to": "fetch"}),
        3,
        &[
            "name-clash: ",
            "a.py::fetch, line 2: ",
            "next: the same call with another name",
        ],
    );
    check(
        json!({"target": "a.py::load", "to": "get", "scope": "file"}),
        3,
        &["not-certain: ", "b.py, line 1", "`scope: project`"],
    );
    check(
        json!({"target": "a.py::lod", "to": "get"}),
        3,
        &["segment-not-found: ", "nearest: a.py::load"],
    );
    check(
        json!({"target": "c.go::load", "to": "get"}),
        3,
        &["unsupported-language: "],
    );
    check(
        json!({"target": "a.py", "to": "get"}),
        2,
        &["names a definition, a section, a key, an id or a class: path::symbol"],
    );
    check(
        json!({"target": "a.py::load"}),
        2,
        &["segedit_rename wants `to`"],
    );
    check(
        json!({"target": "a.py::load", "to": "get", "unsure": "maybe"}),
        2,
        &["`unsure` of segedit_rename is one of refuse, keep, change"],
    );
}
