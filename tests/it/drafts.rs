//! Drafts: many calls, one batch. What goes in, what is published, what a death leaves, and what is planted.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::ruled::{RULED, RULES};
use crate::support::{Run, Sandbox};

const CODE: &str =
    "def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\ndef h():\n    return 3\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[("a.py", CODE), ("b.py", "x = 1\n")])
}

fn call_with(sandbox: &Sandbox, tool: &str, arguments: &Value, options: &[&str]) -> Run {
    let words: Vec<&str> = ["call", tool]
        .into_iter()
        .chain(options.iter().copied())
        .collect();
    sandbox.segedit_with_input(&words, arguments.to_string().as_bytes())
}

fn answer_with(sandbox: &Sandbox, tool: &str, arguments: Value, options: &[&str]) -> String {
    let run = call_with(sandbox, tool, &arguments, options);
    assert_eq!(run.exit, 0, "{tool} {arguments}\n{run}");
    run.out()
}

fn answer(sandbox: &Sandbox, tool: &str, arguments: Value) -> String {
    answer_with(sandbox, tool, arguments, &[])
}

/// Returns the answer to a call that is refused with `exit`, and that changes nothing at all.
fn refusal(sandbox: &Sandbox, tool: &str, arguments: Value, exit: i32) -> String {
    let before = sandbox.digest();
    let run = call_with(sandbox, tool, &arguments, &[]);
    assert_eq!(run.exit, exit, "{tool} {arguments}\n{run}");
    assert_eq!(sandbox.digest(), before, "{tool} {arguments}\n{run}");
    run.out()
}

fn body(function: &str, value: u32) -> Value {
    json!({"target": format!("a.py::{function}"), "part": "body", "content": format!("return {value}\n"), "draft": "orders"})
}

/// Puts an edit of `function` into the draft `orders`.
fn edit(sandbox: &Sandbox, function: &str, value: u32) -> String {
    answer(sandbox, "segedit_replace", body(function, value))
}

fn apply(sandbox: &Sandbox) -> String {
    answer(
        sandbox,
        "segedit_apply",
        json!({"draft": "orders", "message": "Change them"}),
    )
}

fn file(sandbox: &Sandbox) -> PathBuf {
    sandbox.git_folder().join("segedit/drafts/orders.yaml")
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.repo().join(path)).unwrap()
}

fn commits(sandbox: &Sandbox) -> String {
    sandbox.git(&["rev-list", "--count", "HEAD"])
}

/// What is left of drafts in the git folder.
fn left(sandbox: &Sandbox) -> Vec<String> {
    let files = fs::read_dir(sandbox.git_folder().join("segedit/drafts"))
        .into_iter()
        .flatten();
    let mut left: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let refs = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/segedit/drafts"]);
    left.sort();
    left.extend(refs.lines().map(str::to_owned));
    left
}

/// Makes the file at `path` look as if it had last been written `seconds` ago.
fn age(path: &Path, seconds: u64) {
    let then = std::time::SystemTime::now() - Duration::from_secs(seconds);
    fs::File::options()
        .append(true)
        .open(path)
        .unwrap()
        .set_modified(then)
        .unwrap();
}

fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn equal_bytes_elsewhere_are_not_what_a_draft_is_held_to() {
    // A text, which stands in another function by then.
    let sandbox = Sandbox::with(&[(
        "a.py",
        "def f():\n    return 1\n\n\ndef h():\n    return 0\n",
    )]);
    answer(
        &sandbox,
        "segedit_edit",
        json!({"path": "a.py", "old": "return 1", "new": "return 11", "draft": "orders"}),
    );
    sandbox.write(
        "a.py",
        "def f():\n    return 5\n\n\ndef h():\n    return 1\n",
    );
    holds(
        &refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 3),
        &["stale-segment"],
    );

    // A number, which counts another item by then.
    let web = "  - name: web\n    replicas: 1\n";
    let db = "  - name: db\n    replicas: 1\n";
    let sandbox = Sandbox::with(&[("s.yml", format!("services:\n{web}{db}").as_str())]);
    let edit = json!({"target": "s.yml::services[1].replicas", "content": "3", "draft": "orders"});
    answer(&sandbox, "segedit_replace", edit.clone());
    sandbox.write(
        "s.yml",
        format!("services:\n  - name: cache\n    replicas: 1\n{web}{db}"),
    );
    holds(
        &refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 3),
        &["stale-segment"],
    );

    // One whose bytes stand nowhere else is known by them.
    let sandbox = Sandbox::with(&[
        ("s.yml", format!("services:\n{web}{db}").as_str()),
        ("n.txt", "x\n"),
    ]);
    let edit = json!({"target": "s.yml::services[1].name", "content": "data", "draft": "orders"});
    answer(&sandbox, "segedit_replace", edit);
    sandbox.write("s.yml", format!("services:\n{web}{db}# The end.\n"));
    answer(&sandbox, "segedit_apply", json!({"draft": "orders"}));
    assert!(text(&sandbox, "s.yml").contains("name: data"));
}

#[test]
fn the_file_of_a_draft_is_held_to_what_it_counted_whoever_applies_it() {
    let code = "if A:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n";
    let sandbox = Sandbox::with(&[("a.py", code)]);
    let insert = json!({"target": "a.py::f[2]", "position": "after", "content": "def tail(): pass", "draft": "orders"});
    answer(&sandbox, "segedit_insert", insert);
    sandbox.write("a.py", format!("def f():\n    return 0\n\n\n{code}"));
    let run = sandbox.segedit(&["apply", &file(&sandbox).to_string_lossy()]);
    assert_eq!(run.exit, 3, "{run}");
    assert!(run.to_string().contains("stale-segment"), "{run}");
}

#[test]
fn without_a_key_no_draft_is_ours() {
    let sandbox = sandbox();
    let homeless = |arguments: Value, tool: &str| {
        let mut command = sandbox.segedit_command();
        let config = sandbox.aside().join("home/.gitconfig");
        command
            .args(["call", tool])
            .env("HOME", "/nonexistent")
            .env_remove("XDG_STATE_HOME")
            .env("GIT_CONFIG_GLOBAL", config);
        sandbox.run(&mut command, arguments.to_string().as_bytes())
    };
    let refused = homeless(body("f", 10), "segedit_replace");
    assert_eq!(refused.exit, 5, "{refused}");
    holds(&refused.out(), &["begin draft `orders`", "XDG_STATE_HOME"]);
    assert!(!file(&sandbox).exists());
    let mut alone = body("f", 10);
    alone.as_object_mut().expect("an object").remove("draft");
    assert_eq!(homeless(alone, "segedit_replace").exit, 0);

    edit(&sandbox, "f", 11);
    let again = homeless(body("g", 20), "segedit_replace");
    assert_eq!(again.exit, 4, "{again}");
    holds(&again.out(), &["draft-exists"]);
    let applied = homeless(json!({"draft": "orders"}), "segedit_apply");
    assert_eq!(applied.exit, 4, "{applied}");
    let checked = homeless(json!({"draft": "orders", "check": true}), "segedit_apply");
    assert_eq!(checked.exit, 0, "{checked}");
}

#[test]
fn a_draft_that_begins_like_one_just_published_is_another() {
    let sandbox = sandbox();
    edit(&sandbox, "f", 10);
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "destination": "stash"}),
    );
    holds(&edit(&sandbox, "f", 10), &["draft orders: edit 1, "]);
    holds(&edit(&sandbox, "g", 20), &["draft orders: edit 2, "]);
    apply(&sandbox);
    assert!(
        text(&sandbox, "a.py").contains("return 10")
            && text(&sandbox, "a.py").contains("return 20")
    );
}

#[test]
fn many_calls_are_one_commit_and_one_step_back() {
    let sandbox = sandbox();
    let first = edit(&sandbox, "f", 10);
    assert!(
        first.starts_with("replaced a.py::f  lines 1-2  hash "),
        "{first}"
    );
    holds(
        &first,
        &[
            "draft orders: edit 1, begun 0 min ago\n",
            "+    return 10\n",
        ],
    );
    let second = edit(&sandbox, "g", 20);
    holds(
        &second,
        &[
            "draft orders: edit 2, begun 0 min ago\n",
            "+    return 20\n",
        ],
    );
    assert!(
        !second.contains("return 10\n+"),
        "only what the call itself changes is shown: {second}"
    );
    let new = json!({"target": "new.py", "create": true, "content": "y = 1\n", "draft": "orders"});
    answer(&sandbox, "segedit_replace", new);
    // Each sees those before it.
    let again = json!({"path": "new.py", "old": "y = 1", "new": "y = 2", "draft": "orders"});
    holds(
        &answer(&sandbox, "segedit_edit", again),
        &["edited new.py", "draft orders: edit 4, "],
    );
    answer(
        &sandbox,
        "segedit_delete",
        json!({"target": "a.py::h", "draft": "orders"}),
    );

    assert_eq!(
        (
            text(&sandbox, "a.py").as_str(),
            sandbox.git(&["status", "--short"]).as_str()
        ),
        (CODE, "")
    );
    let show = |target: &str| {
        answer(
            &sandbox,
            "segedit_show",
            json!({"target": target, "at": "orders"}),
        )
    };
    holds(
        &show("a.py::f"),
        &["a.py::f  lines 1-2  hash ", "    return 10\n"],
    );
    holds(&show("new.py"), &["y = 2\n"]);
    holds(&show("b.py"), &["x = 1\n"]);
    assert_eq!(
        sandbox.git(&["show", "refs/segedit/drafts/orders:new.py"]),
        "y = 2"
    );
    holds(
        &sandbox
            .segedit(&["show", "refs/segedit/drafts/orders:a.py::g"])
            .out(),
        &["return 20"],
    );
    assert_eq!(sandbox.segedit(&["log"]).out(), "", "a draft is no batch");
    assert_eq!(sandbox.segedit(&["undo"]).exit, 4);
    assert_eq!(
        sandbox.segedit(&["history", "prune", "--keep", "0"]).exit,
        0
    );

    // What it needs is kept by git, and its ref may be packed.
    sandbox.git(&["pack-refs", "--all"]);
    sandbox.git(&["gc", "--quiet", "--prune=now"]);
    holds(&show("new.py"), &["y = 2\n"]);
    let checked = answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "check": true}),
    );
    holds(
        &checked,
        &[
            "checked, nothing was changed",
            "draft orders: 5 edits, begun 0 min ago",
            "2. segedit_replace a.py::g\n",
        ],
    );
    assert_eq!(sandbox.git(&["status", "--short"]), "");
    let applied = apply(&sandbox);
    holds(
        &applied,
        &["applied 5 operations  batch ", "  commit ", "  2 files  "],
    );
    assert_eq!(
        (
            commits(&sandbox).as_str(),
            sandbox.git(&["status", "--short"]).as_str()
        ),
        ("2", "")
    );
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "Change them");
    assert_eq!(
        sandbox.git(&["show", "HEAD:a.py"]) + "\n",
        "def f():\n    return 10\n\n\ndef g():\n    return 20\n"
    );
    assert_eq!(left(&sandbox), Vec::<String>::new());
    assert_eq!(
        sandbox.segedit(&["log", "--format", "json"]).json()["batches"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    holds(
        &refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 3),
        &["draft-not-found: "],
    );
    answer(&sandbox, "segedit_history", json!({"action": "undo"}));
    assert_eq!(
        (commits(&sandbox).as_str(), text(&sandbox, "a.py").as_str()),
        ("1", CODE)
    );
}

#[test]
fn without_a_message_a_draft_goes_where_the_server_sends_edits() {
    let sandbox = sandbox();
    fs::write(sandbox.repo().join("a.py"), format!("{CODE}\n\nz = 1\n")).unwrap();
    fs::write(sandbox.repo().join("b.py"), "x = 2\n").unwrap();
    edit(&sandbox, "f", 10);
    edit(&sandbox, "g", 20);
    // What the worktree holds and the draft leaves as it is, is read there.
    holds(
        &answer(
            &sandbox,
            "segedit_show",
            json!({"target": "b.py", "at": "orders"}),
        ),
        &["x = 2\n"],
    );
    holds(
        &answer(
            &sandbox,
            "segedit_show",
            json!({"target": "a.py", "at": "orders"}),
        ),
        &["return 20\n", "z = 1\n"],
    );
    let refused = refusal(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "destination": "commit"}),
        4,
    );
    holds(
        &refused,
        &[
            "worktree-dirty: ",
            "next: destination: worktree ",
            "Draft orders is as it was.",
        ],
    );
    answer(&sandbox, "segedit_apply", json!({"draft": "orders"}));
    assert_eq!(commits(&sandbox), "1");
    assert_eq!(
        text(&sandbox, "a.py"),
        format!("{CODE}\n\nz = 1\n")
            .replace("return 1", "return 10")
            .replace("return 2", "return 20")
    );
    answer(&sandbox, "segedit_history", json!({"action": "undo"}));
    assert_eq!(text(&sandbox, "a.py"), format!("{CODE}\n\nz = 1\n"));
    assert_eq!(left(&sandbox), Vec::<String>::new());
}

#[test]
fn an_edit_that_fails_or_changes_nothing_never_enters() {
    let sandbox = sandbox();
    let missing = json!({"target": "a.py::nope", "content": "def nope(): ...", "draft": "orders"});
    let refused = refusal(&sandbox, "segedit_replace", missing.clone(), 3);
    assert!(refused.ends_with("Nothing was changed.\n"), "{refused}");
    assert_eq!(left(&sandbox), Vec::<String>::new());
    edit(&sandbox, "f", 10);
    let tree = || sandbox.git(&["rev-parse", "refs/segedit/drafts/orders"]);
    let (bytes, named) = (fs::read(file(&sandbox)).unwrap(), tree());
    let check = |tool: &str, arguments: Value, exit: i32, code: &str| {
        holds(
            &refusal(&sandbox, tool, arguments, exit),
            &[code, "Nothing was changed. Draft orders is as it was."],
        );
    };
    check("segedit_replace", missing, 3, "segment-not-found: ");
    check(
        "segedit_replace",
        json!({"target": "a.py::g", "content": "def g(:", "draft": "orders"}),
        1,
        "syntax-error: ",
    );
    check(
        "segedit_edit",
        json!({"path": "a.py", "old": "nothing like it", "new": "x", "draft": "orders"}),
        3,
        "text-not-found: ",
    );
    check(
        "segedit_replace",
        json!({"target": "a.py::g", "content": "def g():\n    # ... rest unchanged\n    pass\n", "draft": "orders"}),
        1,
        "placeholder: ",
    );
    let other =
        json!({"target": "a.py", "content": "def f():\n    return 10\n", "draft": "orders"});
    check("segedit_replace", other, 1, "would-remove: ");
    check(
        "segedit_replace",
        json!({"target": "a.py::f", "content": "def f(): ...", "expect": "00000000", "draft": "orders"}),
        3,
        "it is now:\na.py::f  lines 1-2  hash ",
    );
    let unchanged = answer(&sandbox, "segedit_replace", body("f", 10));
    holds(&unchanged, &["unchanged: "]);
    let checked = json!({"target": "a.py::g", "draft": "orders", "check": true});
    holds(
        &answer(&sandbox, "segedit_delete", checked),
        &["checked, nothing was changed", "draft orders: edit 2, "],
    );
    assert_eq!((fs::read(file(&sandbox)).unwrap(), tree()), (bytes, named));
    apply(&sandbox);
    assert_eq!(
        text(&sandbox, "a.py"),
        CODE.replace("return 1", "return 10")
    );
}

#[test]
fn parallel_calls_are_ordered_and_none_is_lost() {
    let code: String = (0..5)
        .map(|at| format!("def f{at}():\n    return 0\n\n\n"))
        .collect();
    let sandbox = Sandbox::with(&[("a.py", &code)]);
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let call = |at: u32| {
            let sandbox = &sandbox;
            scope.spawn(move || {
                call_with(
                    sandbox,
                    "segedit_replace",
                    &body(&format!("f{at}"), at + 1),
                    &[],
                )
            })
        };
        let running: Vec<_> = (0..5).map(call).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let mut numbers: Vec<String> = Vec::new();
    for run in &runs {
        assert_eq!(run.exit, 0, "{run}");
        let (_, rest) = run
            .out()
            .split_once("draft orders: edit ")
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        numbers.push(rest[..1].to_owned());
    }
    numbers.sort();
    assert_eq!(numbers, ["1", "2", "3", "4", "5"]);
    apply(&sandbox);
    let expected: String = (0..5)
        .map(|at| format!("def f{at}():\n    return {}\n\n\n", at + 1))
        .collect();
    assert_eq!(
        (text(&sandbox, "a.py"), commits(&sandbox).as_str()),
        (expected, "2")
    );
}

#[test]
fn a_person_can_apply_the_file_and_the_draft_is_over() {
    let sandbox = sandbox();
    edit(&sandbox, "f", 10);
    edit(&sandbox, "g", 20);
    let name = file(&sandbox);
    let dry = sandbox.segedit(&["check", name.to_str().unwrap()]);
    assert_eq!(dry.exit, 0, "{dry}");
    holds(&edit(&sandbox, "h", 30), &["draft orders: edit 3, "]);
    let run = sandbox.segedit(&["apply", "--destination", "commit", name.to_str().unwrap()]);
    assert_eq!((run.exit, commits(&sandbox).as_str()), (0, "2"), "{run}");
    assert_eq!(
        text(&sandbox, "a.py"),
        CODE.replace("return 1", "return 10")
            .replace("return 2", "return 20")
            .replace("return 3", "return 30")
    );
    assert_eq!(left(&sandbox), Vec::<String>::new());
    assert_eq!(
        call_with(
            &sandbox,
            "segedit_show",
            &json!({"target": "a.py", "at": "orders"}),
            &[]
        )
        .exit,
        3
    );
    let run = call_with(&sandbox, "segedit_apply", &json!({"draft": "orders"}), &[]);
    assert_eq!(run.exit, 3, "{run}");
    holds(&edit(&sandbox, "f", 11), &["draft orders: edit 1, "]);
    apply(&sandbox);
    assert_eq!(left(&sandbox), Vec::<String>::new());
}

#[test]
fn a_draft_is_resolved_again_by_name_and_what_no_longer_fits_is_named() {
    let sandbox = sandbox();
    let at_commit = ["--destination", "commit"];
    answer_with(&sandbox, "segedit_replace", body("f", 10), &at_commit);
    answer_with(&sandbox, "segedit_replace", body("g", 20), &at_commit);
    let commit = |code: &str| {
        fs::write(sandbox.repo().join("a.py"), code).unwrap();
        sandbox.git(&["commit", "-qam", "meanwhile"]);
    };
    let moved = format!("import os\n\n\n{CODE}");
    commit(&moved);
    holds(
        &answer_with(&sandbox, "segedit_replace", body("h", 30), &at_commit),
        &["lines 12-13", "edit 3, "],
    );
    let without = moved.replace("def g():\n    return 2\n\n\n", "");
    commit(&without);
    let bytes = fs::read(file(&sandbox)).unwrap();
    for arguments in [
        json!({"draft": "orders"}),
        json!({"target": "a.py::h", "draft": "orders"}),
    ] {
        let tool = if arguments.get("target").is_some() {
            "segedit_delete"
        } else {
            "segedit_apply"
        };
        let refused = refusal(&sandbox, tool, arguments, 3);
        holds(
            &refused,
            &[
                "segment-not-found: edit 2 (segedit_replace a.py::g): no `g` in a.py",
                "Draft orders is as it was.",
            ],
        );
    }
    assert_eq!(fs::read(file(&sandbox)).unwrap(), bytes);
    commit(&moved);
    answer(&sandbox, "segedit_apply", json!({"draft": "orders"}));
    let expected = moved
        .replace("return 1", "return 10")
        .replace("return 2", "return 20")
        .replace("return 3", "return 30");
    assert_eq!(
        (text(&sandbox, "a.py"), commits(&sandbox).as_str()),
        (expected, "5")
    );
}

#[test]
fn a_draft_takes_away_no_work_that_came_since() {
    let whole = json!({"target": "b.py", "content": "y = 2\n", "allow_remove": true});
    let edits = [
        (
            "segedit_replace",
            body("f", 10),
            "a.py",
            ("return 1", "return 11"),
        ),
        (
            "segedit_replace",
            json!({"target": "a.py::f", "content": "def f():\n    return 10\n"}),
            "a.py",
            ("return 1", "return 11"),
        ),
        (
            "segedit_delete",
            json!({"target": "a.py::g"}),
            "a.py",
            ("return 2", "return 22"),
        ),
        ("segedit_replace", whole, "b.py", ("x = 1", "x = 1\nz = 3")),
        (
            "segedit_delete",
            json!({"target": "b.py"}),
            "b.py",
            ("x = 1", "x = 1\nz = 3"),
        ),
    ];
    for (tool, mut arguments, path, (old, new)) in edits {
        let sandbox = sandbox();
        arguments["draft"] = json!("orders");
        answer(&sandbox, tool, arguments.clone());
        let theirs = text(&sandbox, path).replace(old, new);
        fs::write(sandbox.repo().join(path), &theirs).unwrap();
        let refused = refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 3);
        holds(
            &refused,
            &[
                "stale-segment: edit 1 (",
                " changed since it was read",
                "Draft orders is as it was.",
            ],
        );
        // A person who applies the file is told, too.
        let run = sandbox.segedit(&["apply", file(&sandbox).to_str().unwrap()]);
        assert_eq!(
            (run.exit, text(&sandbox, path)),
            (3, theirs),
            "{tool} {arguments}\n{run}"
        );
    }
}

#[test]
fn a_draft_is_held_to_decorations_and_to_what_it_counts_in() {
    let files = [
        ("a.py", CODE),
        ("k.yaml", "l:\n  - x\n  - y\n"),
        (
            "o.py",
            "try:\n    def f():\n        return 1\nexcept ValueError:\n    def f():\n        return 2\n",
        ),
        ("p.html", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
    ];
    let first = "def f():\n    return 0\n\n\ntry:";
    let edits = [
        (
            "segedit_delete",
            json!({"target": "a.py::g"}),
            "a.py",
            ("def g", "# Theirs.\n@theirs\ndef g"),
        ),
        (
            "segedit_replace",
            json!({"target": "a.py::g", "part": "whole", "content": "def g():\n    return 20"}),
            "a.py",
            ("def g", "@theirs\ndef g"),
        ),
        (
            "segedit_replace",
            json!({"target": "a.py::g", "content": "@mine\ndef g():\n    return 20"}),
            "a.py",
            ("def g", "@theirs\ndef g"),
        ),
        (
            "segedit_insert",
            json!({"target": "k.yaml::l[1]", "position": "before", "content": "- z"}),
            "k.yaml",
            ("  - x", "  - w\n  - x"),
        ),
        (
            "segedit_insert",
            json!({"target": "o.py::f[2]", "position": "after", "content": "x = 1"}),
            "o.py",
            ("try:", first),
        ),
        (
            "segedit_edit",
            json!({"path": "o.py", "old": "return", "new": "yield", "within": "f[2]"}),
            "o.py",
            ("try:", first),
        ),
        (
            "segedit_insert",
            json!({"target": "p.html::li:nth-child(2)", "position": "before", "content": "<li>z</li>"}),
            "p.html",
            ("<li>a", "<li>w</li>\n<li>a"),
        ),
    ];
    for (tool, mut arguments, path, (old, new)) in edits {
        let sandbox = Sandbox::with(&files);
        arguments["draft"] = json!("orders");
        answer(&sandbox, tool, arguments.clone());
        let theirs = text(&sandbox, path).replacen(old, new, 1);
        fs::write(sandbox.repo().join(path), &theirs).unwrap();
        let refused = refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 3);
        holds(
            &refused,
            &[
                "stale-segment: edit 1 (",
                "which somebody changed since",
                "Draft orders is as it was.",
            ],
        );
        // Nor does an edit go on with it.
        let next =
            json!({"target": "new.py", "create": true, "content": "y = 1\n", "draft": "orders"});
        refusal(&sandbox, "segedit_replace", next, 3);
        fs::write(sandbox.repo().join(path), theirs.replacen(new, old, 1)).unwrap();
        answer(&sandbox, "segedit_apply", json!({"draft": "orders"}));
    }
}

#[test]
fn a_draft_over_uncommitted_changes_says_why_it_makes_no_commit() {
    let sandbox = sandbox();
    let old = json!({"path": "b.py", "old": "x = 1", "new": "x = 2"});
    answer(&sandbox, "segedit_edit", old);
    answer(
        &sandbox,
        "segedit_edit",
        json!({"path": "b.py", "old": "x = 2", "new": "x = 3", "draft": "orders"}),
    );
    let refused = refusal(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "message": "Three"}),
        3,
    );
    holds(
        &refused,
        &[
            "text-not-found: edit 1",
            "the draft fits the files as they are, with changes that are not committed",
        ],
    );
    answer(&sandbox, "segedit_apply", json!({"draft": "orders"}));
    assert_eq!(text(&sandbox, "b.py"), "x = 3\n");
}

#[test]
fn an_edit_of_what_the_draft_changed_is_held_to_that() {
    let sandbox = sandbox();
    edit(&sandbox, "f", 10);
    edit(&sandbox, "f", 11);
    answer(
        &sandbox,
        "segedit_replace",
        json!({"target": "a.py", "content": "def f():\n    return 12\n", "allow_remove": true, "draft": "orders"}),
    );
    let moved = format!("{CODE}\n\ndef i():\n    return 4\n");
    fs::write(sandbox.repo().join("a.py"), &moved).unwrap();
    let refused = refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 3);
    holds(&refused, &["stale-segment: edit 3 (segedit_replace a.py)"]);
    fs::write(sandbox.repo().join("a.py"), CODE).unwrap();
    answer(&sandbox, "segedit_apply", json!({"draft": "orders"}));
    assert_eq!(text(&sandbox, "a.py"), "def f():\n    return 12\n");
}

#[test]
fn validators_are_asked_once_when_the_draft_is_published() {
    let sandbox = Sandbox::with(&[
        (".segedit.yaml", RULED),
        ("tools/rules.py", RULES),
        ("a.py", CODE),
    ]);
    let trusted = |tool: &str, arguments: &Value| {
        let mut command = sandbox.segedit_command();
        command
            .args(["call", tool])
            .env("GIT_SEGEDIT_TRUST", "always");
        sandbox.run(&mut command, arguments.to_string().as_bytes())
    };
    let bad = json!({"path": "a.py", "old": "return 1", "new": "return 'BAD'", "draft": "orders"});
    assert_eq!(trusted("segedit_edit", &bad).exit, 0);
    let bytes = fs::read(file(&sandbox)).unwrap();
    let refused = trusted("segedit_apply", &json!({"draft": "orders", "message": "x"}));
    assert_eq!(refused.exit, 1, "{refused}");
    holds(
        &refused.out(),
        &["validator-failed: ", "Draft orders is as it was."],
    );
    assert_eq!(
        (
            fs::read(file(&sandbox)).unwrap(),
            commits(&sandbox).as_str()
        ),
        (bytes, "1")
    );
    let good = json!({"path": "a.py", "old": "'BAD'", "new": "10", "draft": "orders"});
    assert_eq!(trusted("segedit_edit", &good).exit, 0);
    let applied = trusted("segedit_apply", &json!({"draft": "orders", "message": "x"}));
    assert_eq!(
        (applied.exit, commits(&sandbox).as_str()),
        (0, "2"),
        "{applied}"
    );
}

#[test]
fn a_draft_that_rested_is_not_continued_without_a_look() {
    let sandbox = sandbox();
    edit(&sandbox, "f", 10);
    age(&file(&sandbox), 59 * 60);
    holds(&edit(&sandbox, "g", 20), &["edit 2, "]);
    age(&file(&sandbox), 61 * 60);
    let refused = refusal(&sandbox, "segedit_replace", body("h", 30), 4);
    holds(
        &refused,
        &[
            "draft-exists: draft `orders` was not touched for 61 min: 2 edits, begun ",
            "check: true",
            "discard: true",
        ],
    );
    holds(
        &answer(
            &sandbox,
            "segedit_show",
            json!({"target": "a.py::f", "at": "orders"}),
        ),
        &["return 10"],
    );
    let checked = answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "check": true}),
    );
    holds(&checked, &["+    return 10\n", "draft orders: 2 edits"]);
    holds(&edit(&sandbox, "h", 30), &["edit 3, "]);
    // To publish it is to name it, which says that it is meant.
    age(&file(&sandbox), 61 * 60);
    apply(&sandbox);
    edit(&sandbox, "f", 11);
    age(&file(&sandbox), 2 * 60 * 60);
    let discarded = answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "discard": true}),
    );
    holds(&discarded, &["discarded draft orders: 1 edit,"]);
    assert_eq!(left(&sandbox), Vec::<String>::new());
    holds(
        &refusal(
            &sandbox,
            "segedit_apply",
            json!({"draft": "orders", "discard": true}),
            3,
        ),
        &["draft-not-found: "],
    );
}

#[test]
fn a_draft_is_swept_after_seven_days() {
    const DAY: u64 = 24 * 60 * 60;
    let sandbox = sandbox();
    edit(&sandbox, "f", 10);
    let other = json!({"target": "a.py::g", "draft": "other"});
    age(&file(&sandbox), 7 * DAY - 60);
    answer(&sandbox, "segedit_delete", other.clone());
    assert!(file(&sandbox).exists());
    age(&file(&sandbox), 7 * DAY + 60);
    let gone = call_with(
        &sandbox,
        "segedit_show",
        &json!({"target": "a.py", "at": "orders"}),
        &[],
    );
    assert_eq!(gone.exit, 3, "{gone}");
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "other", "check": true}),
    );
    assert_eq!(
        left(&sandbox),
        ["other.lock", "other.yaml", "refs/segedit/drafts/other"]
    );
    age(
        &sandbox.git_folder().join("segedit/drafts/other.yaml"),
        8 * DAY,
    );
    holds(&edit(&sandbox, "f", 10), &["edit 1, "]);
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "discard": true}),
    );
    assert_eq!(left(&sandbox), Vec::<String>::new());
    // Whatever is published sweeps.
    edit(&sandbox, "f", 10);
    age(&file(&sandbox), 8 * DAY);
    assert_eq!(
        sandbox
            .segedit(&["create", "c.py", "--content", "z = 1"])
            .exit,
        0
    );
    assert_eq!(left(&sandbox), Vec::<String>::new());
}

/// Runs a call that dies at `step`, and says whether it got there.
fn dies(sandbox: &Sandbox, tool: &str, arguments: &Value, step: &str) -> bool {
    let mut command = sandbox.segedit_command();
    command
        .args(["call", tool])
        .env("FAILPOINTS", format!("{step}=1*return(abort)->off"));
    let run = sandbox.run(&mut command, arguments.to_string().as_bytes());
    assert!(run.exit == -1 || run.exit == 0, "{step}\n{run}");
    run.exit == -1
}

#[test]
fn killed_at_any_step_an_edit_is_in_the_draft_or_not() {
    for (step, is_in) in [
        ("draft-tree", false),
        ("draft-ref", false),
        ("draft-file", true),
    ] {
        let sandbox = sandbox();
        edit(&sandbox, "f", 10);
        let before = fs::read(file(&sandbox)).unwrap();
        assert!(
            dies(&sandbox, "segedit_replace", &body("g", 20), step),
            "{step}"
        );
        assert_eq!(
            fs::read(file(&sandbox)).unwrap() == before,
            !is_in,
            "{step}"
        );
        let shown = answer(
            &sandbox,
            "segedit_show",
            json!({"target": "a.py::g", "at": "orders"}),
        );
        holds(&shown, &[if is_in { "return 20" } else { "return 2\n" }]);
        // The next writer puts the ref back, even if what it writes is refused.
        let refused = json!({"target": "a.py::nope", "draft": "orders"});
        assert_eq!(call_with(&sandbox, "segedit_delete", &refused, &[]).exit, 3);
        holds(
            &sandbox.git(&["show", "refs/segedit/drafts/orders:a.py"]),
            &[if is_in { "return 20" } else { "return 2\n" }],
        );
        // The first edit of a draft likewise.
        let first = json!({"target": "a.py::g", "draft": "first"});
        assert!(dies(&sandbox, "segedit_delete", &first, step), "{step}");
        let at = json!({"target": "a.py::f", "at": "first"});
        assert_eq!(
            call_with(&sandbox, "segedit_show", &at, &[]).exit == 0,
            is_in,
            "{step}"
        );
        let next = edit(&sandbox, "h", 30);
        holds(&next, &[if is_in { "edit 3, " } else { "edit 2, " }]);
        let named = sandbox.git(&["show", "refs/segedit/drafts/orders:a.py"]);
        holds(
            &named,
            &["return 30", if is_in { "return 20" } else { "return 2\n" }],
        );
        apply(&sandbox);
        assert_eq!(
            text(&sandbox, "a.py").contains("return 20"),
            is_in,
            "{step}"
        );
    }
}

#[test]
fn killed_at_any_step_a_publication_is_done_once_or_not_at_all() {
    let insert = json!({"target": "a.py::f", "position": "after", "content": "def i():\n    return 4\n", "draft": "orders"});
    for step in [
        "ref",
        "ref-moved",
        "keep",
        "entry",
        "kept",
        "draft-remove",
        "draft-removed",
    ] {
        let sandbox = sandbox();
        answer(&sandbox, "segedit_insert", insert.clone());
        assert!(
            dies(
                &sandbox,
                "segedit_apply",
                &json!({"draft": "orders", "message": "x"}),
                step
            ),
            "{step}"
        );
        assert_eq!(sandbox.segedit(&["recover"]).exit, 0);
        let is_published = commits(&sandbox) == "2";
        let again = call_with(
            &sandbox,
            "segedit_apply",
            &json!({"draft": "orders", "message": "x"}),
            &[],
        );
        assert_eq!(
            again.exit,
            if is_published { 3 } else { 0 },
            "{step}\n{again}"
        );
        assert_eq!(
            (
                commits(&sandbox).as_str(),
                text(&sandbox, "a.py").matches("def i()").count()
            ),
            ("2", 1),
            "{step}"
        );
        assert_eq!(sandbox.git(&["status", "--short"]), "", "{step}");
        holds(&edit(&sandbox, "g", 20), &["edit 1, "]);
        answer(
            &sandbox,
            "segedit_apply",
            json!({"draft": "orders", "discard": true}),
        );
        assert_eq!(left(&sandbox), Vec::<String>::new(), "{step}");
    }
}

#[test]
fn killed_at_any_moment_a_draft_is_as_before_or_as_after() {
    const ROUNDS: u32 = 16;
    let sandbox = sandbox();
    edit(&sandbox, "f", 1000);
    let mut edits = 1;
    for round in 0..ROUNDS {
        let mut call = sandbox.segedit_command();
        call.args(["call", "segedit_replace"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut call = call.spawn().unwrap();
        std::io::Write::write_all(
            &mut call.stdin.take().unwrap(),
            body("f", 2000 + round).to_string().as_bytes(),
        )
        .unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(round) * 2500));
        let _ = call.kill();
        call.wait().unwrap();
        let draft = fs::read_to_string(file(&sandbox)).unwrap();
        let found = draft.matches("\n  id: ").count();
        assert!(found == edits || found == edits + 1, "{draft}");
        let last = if found == edits + 1 {
            Some(2000 + round)
        } else {
            None
        };
        edits = found;
        let shown = answer(
            &sandbox,
            "segedit_show",
            json!({"target": "a.py::f", "at": "orders"}),
        );
        if let Some(last) = last {
            holds(&shown, &[&format!("return {last}\n")]);
        } else {
            assert!(
                !shown.contains(&format!("return {}\n", 2000 + round)),
                "{shown}"
            );
        }
    }
    holds(
        &edit(&sandbox, "g", 20),
        &[&format!("draft orders: edit {}, ", edits + 1)],
    );
    apply(&sandbox);
    assert_eq!(
        (commits(&sandbox), left(&sandbox)),
        ("2".to_owned(), Vec::new())
    );
    println!(
        "{} of {ROUNDS} killed calls had added their edit",
        edits - 1
    );
}

#[test]
fn names_are_checked_strictly() {
    let sandbox = sandbox();
    let refuse = |name: &str, parts: &[&str]| {
        let arguments = json!({"target": "a.py::f", "draft": name});
        holds(
            &refusal(&sandbox, "segedit_delete", arguments, 2),
            &[&["malformed: "], parts].concat(),
        );
    };
    refuse("../x", &["cannot be the name of a draft", "nearest: x"]);
    for name in [
        "/etc/x",
        "a/b",
        ".git",
        "-n",
        "x.lock",
        "a..b",
        "two words",
        "a\u{0}b",
        "\u{202e}x",
        &"x".repeat(61),
    ] {
        refuse(name, &["cannot be the name of a draft"]);
    }
    // A draft is read by its name where revisions are.
    for name in ["main", "HEAD"] {
        refuse(name, &["is a revision already"]);
    }
    for arguments in [
        json!({"draft": "../x"}),
        json!({"draft": "../x", "discard": true}),
    ] {
        refusal(&sandbox, "segedit_apply", arguments, 2);
    }
    refusal(&sandbox, "segedit_apply", json!({}), 2);
    refusal(
        &sandbox,
        "segedit_apply",
        json!({"draft": "a", "plan": "version: 1"}),
        2,
    );
    edit(&sandbox, "f", 10);
    let twin = json!({"target": "a.py::g", "draft": "ORDERS"});
    holds(
        &refusal(&sandbox, "segedit_delete", twin, 4),
        &["draft-exists: draft `orders` differs from `ORDERS` in capitals"],
    );
    // A branch of the name came later: neither is taken for the other.
    sandbox.git(&["branch", "orders"]);
    let shown = refusal(
        &sandbox,
        "segedit_show",
        json!({"target": "a.py", "at": "orders"}),
        2,
    );
    holds(&shown, &["refs/segedit/drafts/orders"]);
    let full = json!({"target": "a.py::f", "at": "refs/segedit/drafts/orders"});
    holds(&answer(&sandbox, "segedit_show", full), &["return 10"]);
}

/// What lies in a git folder is a stranger's word: a draft that came with it is not gone on with, and is published only after
/// somebody looked at it, as what an operation file may do.
#[test]
fn a_draft_that_somebody_planted_is_not_continued() {
    let planted = "version: 1\ndestination: commit\nbranch: planted\nbase: HEAD\nauthor: Eve <eve@example.org>\n\
                   trailers: {Signed-off-by: Eve}\nmessage: planted\noperations:\n- {op: remove, file: b.py}\n";
    let sandbox = sandbox();
    let folder = sandbox.git_folder().join("segedit/drafts");
    fs::create_dir_all(&folder).unwrap();
    let plant = |text: &str| {
        let _ = fs::remove_file(file(&sandbox));
        fs::write(file(&sandbox), text).unwrap();
    };
    plant(planted);
    let lock = folder.join("orders.lock");
    fs::write(&lock, "").unwrap();
    for (tool, arguments) in [
        ("segedit_replace", body("f", 10)),
        ("segedit_apply", json!({"draft": "orders"})),
    ] {
        holds(
            &refusal(&sandbox, tool, arguments, 4),
            &["draft-exists: ", "changed since", "discard: true"],
        );
    }
    holds(
        &answer(
            &sandbox,
            "segedit_apply",
            json!({"draft": "orders", "check": true}),
        ),
        &["removed b.py"],
    );
    holds(&edit(&sandbox, "f", 10), &["edit 2, "]);
    apply(&sandbox);
    assert_eq!(
        sandbox.git(&["log", "-1", "--format=%an %s", "main"]),
        "Ada Tester Change them"
    );
    assert!(!sandbox.git(&["log", "-1", "--format=%B"]).contains("Eve"));
    assert_eq!(sandbox.git(&["branch", "--list", "planted"]), "");

    // What a header says that is not ours counts for nothing.
    edit(&sandbox, "g", 20);
    let header = fs::read_to_string(file(&sandbox)).unwrap();
    let opening = header.lines().next().unwrap();
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "discard": true}),
    );
    let most = u64::MAX;
    let known = json!({"draft": "orders", "begun": most, "edits": most, "worktree": null, "tree": "x", "operations": "x"});
    let operations =
        "version: 1\ndestination: worktree\noperations:\n- {op: delete, file: a.py, symbol: h}\n";
    plant(&format!("{opening}\n# {known}\n{operations}"));
    refusal(&sandbox, "segedit_replace", body("f", 10), 4);
    let read = json!({"target": "a.py::h", "at": "orders"});
    holds(
        &refusal(&sandbox, "segedit_show", read, 3),
        &["draft-not-found: ", "there is no tree of it"],
    );
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "check": true}),
    );
    holds(
        &edit(&sandbox, "f", 11),
        &["draft orders: edit 2, begun 0 min ago"],
    );
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "discard": true}),
    );

    // One of ours that was changed is not ours any more.
    edit(&sandbox, "g", 20);
    let ours = fs::read_to_string(file(&sandbox)).unwrap();
    plant(&ours.replace("return 20", "return 66"));
    refusal(&sandbox, "segedit_apply", json!({"draft": "orders"}), 4);
    // Ours under another name, too.
    fs::write(folder.join("other.yaml"), &ours).unwrap();
    fs::write(folder.join("other.lock"), "").unwrap();
    refusal(&sandbox, "segedit_apply", json!({"draft": "other"}), 4);
    for wrong in [
        "",
        "{",
        "version: 1\noperations:\n- {op: remove, file: ../b.py}\n",
        "version: 1\noperations:\n- {op: remove, file: .git/config}\n",
    ] {
        plant(wrong);
        for (tool, arguments) in [
            ("segedit_replace", body("f", 10)),
            ("segedit_apply", json!({"draft": "orders"})),
            ("segedit_apply", json!({"draft": "orders", "check": true})),
        ] {
            let run = call_with(&sandbox, tool, &arguments, &[]);
            assert!(matches!(run.exit, 2..=4), "{wrong}\n{run}");
            assert_eq!(fs::read_to_string(file(&sandbox)).unwrap(), wrong, "{run}");
        }
    }
    answer(
        &sandbox,
        "segedit_apply",
        json!({"draft": "orders", "discard": true}),
    );
}

#[test]
fn links_and_what_is_too_large_lead_nowhere() {
    let sandbox = sandbox();
    let outside = sandbox.aside().join("outside");
    fs::write(
        &outside,
        "version: 1\noperations:\n- {op: remove, file: b.py}\n",
    )
    .unwrap();
    let folder = sandbox.git_folder().join("segedit/drafts");
    fs::create_dir_all(&folder).unwrap();
    let refused = |what: &str| {
        for (tool, arguments) in [
            ("segedit_replace", body("f", 10)),
            ("segedit_apply", json!({"draft": "orders"})),
            ("segedit_apply", json!({"draft": "orders", "check": true})),
            ("segedit_show", json!({"target": "a.py", "at": "orders"})),
        ] {
            let run = call_with(&sandbox, tool, &arguments, &[]);
            assert_eq!(run.exit, 4, "{what}\n{run}");
        }
        holds(
            &answer(
                &sandbox,
                "segedit_apply",
                json!({"draft": "orders", "discard": true}),
            ),
            &["discarded draft orders"],
        );
        assert!(file(&sandbox).symlink_metadata().is_err(), "{what}");
    };
    symlink(&outside, file(&sandbox)).unwrap();
    refused("a link");
    fs::File::create(file(&sandbox))
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    refused("a file of 20 GB");
    let made = Command::new("mkfifo").arg(file(&sandbox)).status().unwrap();
    assert!(made.success());
    refused("a pipe");
    assert!(
        fs::read_to_string(&outside)
            .unwrap()
            .starts_with("version: 1")
    );

    // A lock that is a link, and a folder that is one, are not followed.
    symlink(&outside, folder.join("orders.lock")).unwrap();
    let run = call_with(&sandbox, "segedit_replace", &body("f", 10), &[]);
    assert_eq!(run.exit, 5, "{run}");
    fs::remove_dir_all(&folder).unwrap();
    let elsewhere = sandbox.repo().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &folder).unwrap();
    let run = call_with(&sandbox, "segedit_replace", &body("f", 10), &[]);
    assert_eq!(run.exit, 4, "{run}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    fs::remove_file(&folder).unwrap();

    // A ref that leads to a branch does not move that one, nor take it away.
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    for tool in ["segedit_apply", "segedit_delete"] {
        sandbox.git(&[
            "symbolic-ref",
            "refs/segedit/drafts/orders",
            "refs/heads/main",
        ]);
        edit(&sandbox, "f", 10);
        sandbox.git(&[
            "symbolic-ref",
            "refs/segedit/drafts/orders",
            "refs/heads/main",
        ]);
        match tool {
            "segedit_apply" => drop(call_with(
                &sandbox,
                tool,
                &json!({"draft": "orders", "discard": true}),
                &[],
            )),
            _ => drop(edit(&sandbox, "g", 20)),
        }
        assert_eq!(sandbox.git(&["rev-parse", "refs/heads/main"]), head);
    }
}

#[test]
fn with_review_edits_go_into_drafts_only() {
    let sandbox = sandbox();
    let review = ["--review"];
    let mut delete = body("f", 10);
    delete.as_object_mut().unwrap().remove("draft");
    holds(
        &answer_with(&sandbox, "segedit_replace", delete, &review),
        &["draft review: edit 1, begun 0 min ago"],
    );
    let named = json!({"target": "a.py::g", "draft": "other"});
    holds(
        &answer_with(&sandbox, "segedit_delete", named, &review),
        &["draft other: edit 1, "],
    );
    assert_eq!(text(&sandbox, "a.py"), CODE);
    answer_with(
        &sandbox,
        "segedit_apply",
        json!({"message": "Reviewed"}),
        &review,
    );
    assert_eq!(
        (text(&sandbox, "a.py"), commits(&sandbox).as_str()),
        (CODE.replace("return 1", "return 10"), "2")
    );

    let tools = sandbox.segedit(&["tools", "--review"]).json();
    let destructive: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["annotations"]["destructiveHint"] == json!(true))
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(destructive, ["segedit_apply"]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    for action in ["undo", "redo"] {
        let run = call_with(
            &sandbox,
            "segedit_history",
            &json!({"action": action}),
            &review,
        );
        assert!(
            run.exit == 2
                && run
                    .out()
                    .contains("segedit_apply alone changes anything here"),
            "{run}"
        );
    }
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head);
    holds(
        &answer_with(
            &sandbox,
            "segedit_history",
            json!({"action": "list"}),
            &review,
        ),
        &["commit main  1 operation"],
    );
}

#[test]
fn a_draft_belongs_to_one_worktree() {
    let sandbox = sandbox();
    edit(&sandbox, "f", 10);
    sandbox.move_to_linked_worktree();
    let refused = refusal(&sandbox, "segedit_replace", body("g", 20), 4);
    holds(
        &refused,
        &["draft-exists: draft `orders` belongs to the main worktree"],
    );
    let here = json!({"target": "a.py::f", "draft": "linked"});
    holds(
        &answer(&sandbox, "segedit_delete", here),
        &["draft linked: edit 1, "],
    );
    holds(
        &answer(
            &sandbox,
            "segedit_show",
            json!({"target": "a.py::f", "at": "orders"}),
        ),
        &["return 10"],
    );
    answer(&sandbox, "segedit_apply", json!({"draft": "linked"}));
    assert!(!text(&sandbox, "a.py").contains("def f()"));
}

#[test]
fn drafts_work_where_there_is_no_worktree_and_no_commit() {
    let bare = sandbox().copy_bare();
    let at_commit = ["--destination", "commit"];
    answer_with(&bare, "segedit_replace", body("f", 10), &at_commit);
    answer_with(&bare, "segedit_replace", body("g", 20), &at_commit);
    holds(
        &answer(
            &bare,
            "segedit_show",
            json!({"target": "a.py::g", "at": "orders"}),
        ),
        &["return 20"],
    );
    apply(&bare);
    assert_eq!(commits(&bare), "2");
    holds(
        &bare.git(&["show", "HEAD:a.py"]),
        &["return 10", "return 20"],
    );
    assert_eq!(
        call_with(&bare, "segedit_replace", &body("f", 11), &[]).exit,
        4,
        "there are no files"
    );

    let tree = sandbox().worktree_tree();
    let long = Sandbox::with_tree_as(&["--object-format=sha256"], &tree);
    edit(&long, "f", 10);
    holds(&edit(&long, "g", 20), &["edit 2, "]);
    holds(
        &answer(
            &long,
            "segedit_show",
            json!({"target": "a.py::g", "at": "orders"}),
        ),
        &["return 20"],
    );
    apply(&long);
    assert_eq!((commits(&long).as_str(), left(&long)), ("2", Vec::new()));

    let unborn = Sandbox::unborn();
    let first = json!({"target": "a.py", "content": "x = 1\n", "create": true, "draft": "orders"});
    answer(&unborn, "segedit_replace", first);
    holds(
        &answer(
            &unborn,
            "segedit_show",
            json!({"target": "a.py", "at": "orders"}),
        ),
        &["x = 1\n"],
    );
    apply(&unborn);
    assert_eq!(
        (commits(&unborn).as_str(), text(&unborn, "a.py").as_str()),
        ("1", "x = 1\n")
    );
}
