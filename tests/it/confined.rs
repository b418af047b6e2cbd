//! Calls of a model that may reach one folder of a repository: what is in it, and nothing else by any way that a call has.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::support::{Run, Sandbox};

const CODE: &str = "def f():\n    return 1\n";
const SECRET: &str = "def key():\n    return 'beyond'\n";

/// A repository with a folder `sub`, and more beside it.
fn sandbox() -> Sandbox {
    let files = [
        ("sub/a.py", CODE),
        ("sub/deep/b.py", CODE),
        ("subway/c.py", SECRET),
        ("secret.py", SECRET),
        ("vendor/sub/d.py", SECRET),
    ];
    let sandbox = Sandbox::with(&files);
    symlink("..", sandbox.repo().join("sub/up")).unwrap();
    symlink("../secret.py", sandbox.repo().join("sub/link.py")).unwrap();
    sandbox.commit_all("links");
    sandbox
}

/// Calls a tool in the folder `sub`, confined to it.
fn call(sandbox: &Sandbox, tool: &str, arguments: &Value) -> Run {
    let words = ["-C", "sub", "call", "--within", ".", tool];
    sandbox.segedit_with_input(&words, arguments.to_string().as_bytes())
}

fn passes(sandbox: &Sandbox, tool: &str, arguments: &Value) -> String {
    let run = call(sandbox, tool, arguments);
    assert_eq!(run.exit, 0, "{tool} {arguments}\n{run}");
    assert!(!run.out().contains("beyond"), "{tool} {arguments}\n{run}");
    run.out()
}

/// Nothing is changed, and nothing of what is out of reach is shown.
fn is_refused(sandbox: &Sandbox, tool: &str, arguments: &Value) -> String {
    let before = sandbox.digest();
    let run = call(sandbox, tool, arguments);
    assert_ne!(run.exit, 0, "{tool} {arguments}\n{run}");
    assert!(!run.out().contains("beyond"), "{tool} {arguments}\n{run}");
    assert_eq!(sandbox.digest(), before, "{tool} {arguments}");
    run.out()
}

/// Ways to say a file that is not in `sub`.
fn ways_out(sandbox: &Sandbox) -> Vec<String> {
    let absolute = sandbox
        .repo()
        .join("secret.py")
        .to_str()
        .unwrap()
        .to_owned();
    let around = sandbox
        .repo()
        .join("sub/../secret.py")
        .to_str()
        .unwrap()
        .to_owned();
    let plain = [
        "../secret.py",
        "secret.py",
        "subway/c.py",
        "../subway/c.py",
        "./../secret.py",
        "deep/../../secret.py",
    ];
    let links = ["up/secret.py", "link.py", "up/sub/../secret.py"];
    plain
        .into_iter()
        .chain(links)
        .map(str::to_owned)
        .chain([absolute, around])
        .collect()
}

#[test]
fn nothing_outside_of_the_folder_is_shown() {
    let sandbox = sandbox();
    for way in ways_out(&sandbox) {
        is_refused(&sandbox, "segedit_show", &json!({"target": way}));
        is_refused(
            &sandbox,
            "segedit_show",
            &json!({"target": way, "at": "HEAD"}),
        );
        is_refused(
            &sandbox,
            "segedit_show",
            &json!({"target": format!("{way}::key")}),
        );
        is_refused(&sandbox, "segedit_outline", &json!({"paths": [way]}));
        let run = call(
            &sandbox,
            "segedit_find",
            &json!({"name": "key", "paths": [way]}),
        );
        assert_ne!(run.exit, 0, "{way}\n{run}");
    }
    for folder in [
        "..",
        "../",
        "/",
        "HEAD:",
        "HEAD:vendor",
        "HEAD:../vendor",
        "HEAD:secret.py",
        ":secret.py",
        "../subway",
    ] {
        is_refused(&sandbox, "segedit_outline", &json!({"paths": [folder]}));
    }
    for paths in [
        json!([]),
        json!(["."]),
        json!([":(top)"]),
        json!([":/"]),
        json!([":!a.py"]),
        json!(["../*.py"]),
        json!(["*.py"]),
    ] {
        is_refused(
            &sandbox,
            "segedit_find",
            &json!({"name": "key", "paths": paths}),
        );
    }
    // A tree whose paths count from another folder.
    let vendor = sandbox.git(&["rev-parse", "HEAD:vendor"]);
    sandbox.git(&["tag", "vendor-tree", &vendor]);
    for at in ["HEAD:vendor", "vendor-tree", &vendor] {
        let said = is_refused(
            &sandbox,
            "segedit_show",
            &json!({"target": "d.py", "at": at}),
        );
        assert!(said.contains("no commit"), "{said}");
        is_refused(
            &sandbox,
            "segedit_outline",
            &json!({"paths": [format!("{at}:./d.py")]}),
        );
    }
}

#[test]
fn nothing_outside_of_the_folder_is_edited() {
    let sandbox = sandbox();
    for way in ways_out(&sandbox) {
        let at = format!("{way}::key");
        is_refused(
            &sandbox,
            "segedit_edit",
            &json!({"path": way, "old": "return", "new": "yield"}),
        );
        is_refused(
            &sandbox,
            "segedit_edit",
            &json!({"edits": [{"path": way, "old": "return", "new": "yield"}]}),
        );
        is_refused(
            &sandbox,
            "segedit_replace",
            &json!({"target": at, "content": "x = 1"}),
        );
        is_refused(
            &sandbox,
            "segedit_replace",
            &json!({"target": way, "content": "x = 1", "draft": "d"}),
        );
        is_refused(
            &sandbox,
            "segedit_insert",
            &json!({"target": at, "position": "after", "content": "x = 1"}),
        );
        is_refused(&sandbox, "segedit_delete", &json!({"target": way}));
    }
    is_refused(
        &sandbox,
        "segedit_replace",
        &json!({"target": "../new.py", "content": "x = 1\n", "create": true}),
    );
    for operation in [
        "{op: delete, file: secret.py, symbol: key}",
        "{op: remove, file: secret.py}",
        "{op: create, file: new.py, content: x}",
        "{op: rename_file, file: sub/a.py, to: a.py}",
        "{op: rename_file, file: secret.py, to: sub/new.py}",
        "{op: chmod, file: secret.py, executable: true}",
        "{op: substitute, files: ['*.py'], text: return, replacement: yield}",
        "{op: substitute, files: [':(top)secret.py'], text: return, replacement: yield}",
        "{op: substitute, files: ['sub*'], text: return, replacement: yield}",
        "{op: replace, file: secret.py, symbol: kez, content: x}",
    ] {
        for first in [
            "",
            "{op: substitute, file: sub/a.py, text: '1', replacement: '2'},\n",
        ] {
            let plan = format!("version: 1\noperations: [\n{first}{operation}]\n");
            let said = is_refused(&sandbox, "segedit_apply", &json!({"plan": plan}));
            assert!(
                said.contains("path-refused") && said.contains("not in sub"),
                "{said}"
            );
        }
    }
}

#[test]
fn a_name_that_is_used_outside_of_the_folder_stays() {
    let sandbox = sandbox();
    sandbox.write("sub/c.py", "class A:\n    def go(self): ...\n");
    sandbox.write(
        "user.py",
        "from sub.a import f\n\n\ndef g(beyond): beyond.go()\n",
    );
    sandbox.write("beyond.md", "h\n");
    sandbox.write("sub/e.py", "def h(): ...\nimport os\n");
    sandbox.write("taker.py", "from sub.e import os  # beyond\n");
    sandbox.commit_all("users");
    let said = is_refused(
        &sandbox,
        "segedit_rename",
        &json!({"target": "a.py::f", "to": "k"}),
    );
    assert!(said.contains("path-refused"), "{said}");
    let said = is_refused(
        &sandbox,
        "segedit_rename",
        &json!({"target": "c.py::A.go", "to": "run"}),
    );
    assert!(said.contains("1 more outside of sub"), "{said}");
    // Nor are files named that git does not track, and that are out of reach.
    sandbox.write("untracked.py", "h()\n");
    sandbox.write("sub/untracked.py", "h()\n");
    let text = passes(
        &sandbox,
        "segedit_rename",
        &json!({"target": "e.py::h", "to": "k", "check": true}),
    );
    assert!(!text.contains("left, "), "{text}");
    assert!(text.contains("`h` is in sub/untracked.py of"), "{text}");
    // Nor is a call of it given another argument.
    let plan = "version: 1\noperations: [{op: insert, file: sub/a.py, symbol: f, part: parameter, content: x, callers: true, arguments: {x: \"1\"}}]\n";
    sandbox.write("caller.py", "from sub.a import f\n\nf()\n");
    sandbox.commit_all("a call");
    let said = is_refused(&sandbox, "segedit_apply", &json!({"plan": plan}));
    assert!(said.contains("path-refused"), "{said}");
    let plan = "version: 1\noperations: [{op: unimport, file: sub/e.py, statement: import os}]\n";
    let said = is_refused(&sandbox, "segedit_apply", &json!({"plan": plan}));
    assert!(
        said.contains("still-used") && said.contains("1 more outside of sub"),
        "{said}"
    );
}

#[test]
fn what_is_in_the_folder_is_edited_as_ever() {
    let sandbox = sandbox();
    passes(&sandbox, "segedit_show", &json!({"target": "a.py::f"}));
    passes(
        &sandbox,
        "segedit_show",
        &json!({"target": "sub/a.py::f", "at": "HEAD"}),
    );
    passes(
        &sandbox,
        "segedit_show",
        &json!({"target": "deep/../a.py", "at": ""}),
    );
    passes(
        &sandbox,
        "segedit_show",
        &json!({"target": sandbox.repo().join("sub/a.py").to_str().unwrap()}),
    );
    for paths in [
        json!([]),
        json!(["."]),
        json!(["deep", "a.py"]),
        json!(["*.py"]),
        json!(["sub"]),
        json!(["../sub/"]),
    ] {
        let said = passes(
            &sandbox,
            "segedit_find",
            &json!({"name": "f", "paths": paths}),
        );
        assert!(
            said.contains("sub/deep/b.py") && said.contains("sub/a.py"),
            "{said}"
        );
        let said = passes(
            &sandbox,
            "segedit_outline",
            &json!({"paths": if paths == json!(["*.py"]) { json!([]) } else { paths }}),
        );
        assert!(
            said.contains("sub/deep/b.py") && said.contains("sub/a.py"),
            "{said}"
        );
    }
    passes(
        &sandbox,
        "segedit_edit",
        &json!({"path": "a.py", "old": "1", "new": "2"}),
    );
    passes(&sandbox, "segedit_history", &json!({"action": "undo"}));
    passes(&sandbox, "segedit_history", &json!({"action": "redo"}));
    // One of that name at the root is out of reach, and so not meant; what a folder at the root has is meant from there.
    let said = is_refused(
        &sandbox,
        "segedit_replace",
        &json!({"target": "subway/n.py", "content": "x = 1\n", "create": true}),
    );
    assert!(
        said.contains("write `./subway/n.py` for sub/subway/n.py"),
        "{said}"
    );
    sandbox.write("new.py", "x = 'beyond'\n");
    passes(
        &sandbox,
        "segedit_replace",
        &json!({"target": "new.py", "content": "x = 1\n", "create": true}),
    );
    assert_eq!(
        std::fs::read_to_string(sandbox.repo().join("sub/new.py")).unwrap(),
        "x = 1\n"
    );
    passes(
        &sandbox,
        "segedit_replace",
        &json!({"target": "deep/b.py::f", "content": "def f(): ...", "draft": "d"}),
    );
    passes(
        &sandbox,
        "segedit_show",
        &json!({"target": "deep/b.py", "at": "d"}),
    );
    passes(
        &sandbox,
        "segedit_apply",
        &json!({"draft": "d", "message": "A draft"}),
    );
    let plan = "version: 1\noperations:\n- {op: substitute, files: ['sub/**/*.py'], text: def f, replacement: def g}\n";
    passes(
        &sandbox,
        "segedit_apply",
        &json!({"plan": plan, "destination": "worktree"}),
    );
    assert_eq!(
        sandbox.git(&["diff", "--name-only"]),
        "sub/a.py\nsub/deep/b.py"
    );
}

#[test]
fn a_batch_or_a_draft_of_other_folders_is_left_alone() {
    let sandbox = sandbox();
    let unconfined = |tool: &str, arguments: Value| {
        let run = sandbox.segedit_with_input(&["call", tool], arguments.to_string().as_bytes());
        assert_eq!(run.exit, 0, "{run}");
    };
    unconfined(
        "segedit_edit",
        json!({"path": "sub/a.py", "old": "1", "new": "2"}),
    );
    let inside = sandbox.git(&[
        "for-each-ref",
        "--format=%(refname:lstrip=-1)",
        "refs/segedit/batches/",
    ]);
    unconfined(
        "segedit_edit",
        json!({"path": "secret.py", "old": "return", "new": "yield"}),
    );
    let said = is_refused(&sandbox, "segedit_history", &json!({"action": "undo"}));
    assert!(said.contains("changed 1 file outside of sub"), "{said}");
    unconfined("segedit_history", json!({"action": "undo"}));
    is_refused(&sandbox, "segedit_history", &json!({"action": "redo"}));
    assert!(!inside.is_empty());
    // The last one that is left is one of the folder's own.
    passes(&sandbox, "segedit_history", &json!({"action": "undo"}));

    unconfined(
        "segedit_edit",
        json!({"path": "secret.py", "old": "return", "new": "yield", "draft": "d"}),
    );
    let edit = json!({"path": "a.py", "old": "return 1", "new": "return 3", "draft": "d"});
    for (tool, arguments) in [
        ("segedit_edit", edit),
        ("segedit_apply", json!({"draft": "d"})),
        ("segedit_apply", json!({"draft": "d", "check": true})),
        ("segedit_apply", json!({"draft": "d", "discard": true})),
    ] {
        let said = is_refused(&sandbox, tool, &arguments);
        assert!(
            said.contains("draft `d`") && said.contains("not in sub"),
            "{said}"
        );
    }
}

/// Without a folder of its own a call reaches all of the repository, and so with its root.
#[test]
fn the_root_of_the_repository_confines_nothing() {
    let sandbox = sandbox();
    let root = sandbox.repo().to_str().unwrap().to_owned();
    for options in [
        &["call"][..],
        &["call", "--within", "."],
        &["call", "--within", &root],
    ] {
        for folder in ["sub", "."]
            .iter()
            .filter(|folder| **folder == "." || !options.contains(&"."))
        {
            let words = [&["-C", folder], options, &["segedit_show"]].concat();
            let run = sandbox.segedit_with_input(&words, br#"{"target": "secret.py"}"#);
            assert!(run.exit == 0 && run.out().contains("beyond"), "{run}");
        }
    }
    let elsewhere = sandbox.aside().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let words = [
        "call",
        "--within",
        elsewhere.to_str().unwrap(),
        "segedit_show",
    ];
    let run = sandbox.segedit_with_input(&words, br#"{"target": "secret.py"}"#);
    assert!(
        run.exit == 3 && run.out().contains("is no folder of the repository"),
        "{run}"
    );
}

/// A folder that is none of the repository's confines to nothing, and not to everything.
#[test]
fn where_the_folder_cannot_be_told_nothing_is_reached() {
    let sandbox = sandbox();
    let edit = json!({"path": "secret.py", "old": "beyond", "new": "changed"});
    let edited = sandbox.segedit_with_input(&["call", "segedit_edit"], edit.to_string().as_bytes());
    assert_eq!(edited.exit, 0, "{edited}");
    let bare = sandbox.copy_bare();
    for (sandbox, folder) in [
        (&sandbox, "subb"),
        (&sandbox, "/"),
        (&sandbox, ".git"),
        (&bare, "sub"),
        (&bare, "refs"),
    ] {
        let before = sandbox.digest();
        for (tool, arguments) in [
            ("segedit_history", json!({"action": "undo"})),
            ("segedit_history", json!({"action": "list"})),
            ("segedit_show", json!({"target": "secret.py", "at": "HEAD"})),
            ("segedit_find", json!({"name": "key"})),
        ] {
            let words = ["call", "--within", folder, tool];
            let run = sandbox.segedit_with_input(&words, arguments.to_string().as_bytes());
            assert!(
                run.exit == 3 && run.out().starts_with("path-refused: "),
                "{folder}: {tool} {arguments}\n{run}"
            );
            assert_eq!(sandbox.digest(), before, "{folder}: {tool} {arguments}");
        }
    }
    let words = ["call", "--within", ".", "segedit_show"];
    let whole = bare.segedit_with_input(&words, br#"{"target": "secret.py", "at": "HEAD"}"#);
    assert!(whole.exit == 0 && whole.out().contains("beyond"), "{whole}");
}
