//! Words that want to be taken for the program's own: trailers, headers, options, workflow commands.

use serde_json::{Value, json};

use crate::support::Sandbox;
use crate::support::hostile::{CPU, Place, Refused, Scene, batch};

/// Applies the batch and returns the message of its commit.
#[track_caller]
fn message_of(sandbox: &Sandbox, file: &Value) -> String {
    let run = sandbox.segedit_with_input(
        &["apply", "--format", "json", "-"],
        file.to_string().as_bytes(),
    );
    assert_eq!(run.exit, 0, "{run}");
    let batch = run.json()["batch"]
        .as_str()
        .expect("a published batch has a name")
        .to_owned();
    let commit = run.json()["commit"]
        .as_str()
        .expect("a published batch is a commit")
        .to_owned();
    let message = sandbox.git(&["log", "-1", "--format=%B", &commit]);
    let ours = |line: &&str| line.to_ascii_lowercase().starts_with("segedit-batch:");
    // As three readers see it: git's log, the tool for trailers, and whoever looks for the line.
    let value = sandbox.git(&[
        "log",
        "-1",
        "--format=%(trailers:key=Segedit-Batch,valueonly)",
        &commit,
    ]);
    assert_eq!(value.trim(), batch, "{message}");
    let parsed = sandbox.git_with_input(
        &["interpret-trailers", "--parse", "--no-divider"],
        message.as_bytes(),
    );
    let parsed = String::from_utf8(parsed).expect("text");
    assert_eq!(
        parsed.lines().filter(ours).collect::<Vec<_>>(),
        [format!("Segedit-Batch: {batch}")],
        "{message}"
    );
    assert_eq!(message.lines().filter(ours).count(), 1, "{message}");
    let home = sandbox.aside().display().to_string();
    assert!(
        !message.contains(&home) && !message.contains("<stdin>"),
        "it tells about the machine: {message}"
    );
    message
}

fn edit(number: usize) -> Value {
    json!({"op": "insert", "file": "a.txt", "position": "last", "content": format!("{number}\n")})
}

#[test]
fn nothing_from_outside_becomes_a_trailer_of_ours() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n")]);
    let accepted = [
        json!({"message": "x\n\nSigned-off-by: Boss <b@x>\nCo-authored-by: C <c@x>"}),
        json!({"message": "x\n\nabout Segedit-Batch: a word in a line"}),
        json!({"message": "x\n\nA: b\n\n\n---\n diff\n"}),
        json!({"message": "x\n\nConflicts:\n\ta.txt"}),
        json!({"message": "# x\n\n# Segedit-Batch: 1"}),
        json!({"message": "x\n\nKey:\n continued"}),
        json!({"message": "x\n\nlast line without colon"}),
        json!({"message": "Segedit-Batch"}),
        json!({"message": "Segedit-Batch 0123456789abcdef"}),
        json!({"message": "x", "trailers": {"Ticket": "1", "X-Segedit-Batch": "2"}}),
        json!({"message": "x", "trailers": {"Ticket": "Segedit-Batch: 2"}}),
        json!({"author": "Segedit-Batch: 1 <a@x>"}),
    ];
    for (at, fields) in accepted.iter().enumerate() {
        let mut file = json!({"version": 1, "operations": [edit(at)]});
        file.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        message_of(&sandbox, &file);
    }
    // The names that a summary is made of.
    let operations = json!([
        {"op": "create", "file": "Segedit-Batch", "content": "x\n", "id": "x\n\nSegedit-Batch: 1"},
        {"op": "create", "file": "s.md", "content": "# a\n"},
        {"op": "create", "file": "Segedit-Batch = 1.txt", "content": "x\n"},
    ]);
    message_of(&sandbox, &json!({"version": 1, "operations": operations}));
    sandbox.write("Segedit-Batch: 1\nSegedit-Batch: 2", "x\n");
    sandbox.write("odd.md", "# Segedit-Batch: 3\n\ntext\n");
    sandbox.commit_all("odd names");
    let operations = json!([{"op": "remove", "file": "Segedit-Batch: 1\nSegedit-Batch: 2"}]);
    message_of(&sandbox, &json!({"version": 1, "operations": operations}));
    let operations =
        json!([{"op": "delete", "file": "odd.md", "section": "# Segedit-Batch: 3"}, edit(99)]);
    message_of(
        &sandbox,
        &json!({"version": 1, "branch": "Segedit-Batch/x", "base": "main", "operations": operations}),
    );
}

#[test]
fn trailers_of_ours_are_refused_where_they_could_be_written() {
    let scene = Scene::new(Place::Commit);
    let malformed = Refused {
        exit: 2,
        codes: &["malformed"],
    };
    for fields in [
        json!({"message": "x\n\nSegedit-Batch: 1"}),
        json!({"message": "x\n\nsegedit-batch : 1\n\nmore"}),
        json!({"message": "Segedit-Batch: 1"}),
        json!({"message": "x\n\nA: b\n  Segedit-Batch: 1"}),
        json!({"message": "x\r\n\r\nSEGEDIT-UNDO: 1\r\n"}),
        json!({"message": "x\r\rSegedit-Batch: 1"}),
        json!({"message": "x\n\n# ------------------------ >8 ------------------------\nrest"}),
        json!({"message": "x\n; ------------------------ >8 ------------------------\n"}),
        json!({"trailers": {"Segedit-Batch": "1"}}),
        json!({"trailers": {"segedit-x": "1"}}),
        json!({"trailers": {"Ticket": "1\nSegedit-Batch: 2"}}),
        json!({"trailers": {"Ticket: 1\nSegedit-Batch": "2"}}),
        json!({"trailers": {"Two words": "2"}}),
        json!({"trailers": {"": "2"}}),
        json!({"author": "A\nSegedit-Batch: 1 <a@x>"}),
        json!({"branch": "x\nSegedit-Batch: 1"}),
    ] {
        let mut file = json!({"version": 1, "operations": [edit(1)]});
        file.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        scene.check(
            &fields.to_string(),
            &scene.apply(file.to_string().as_bytes()),
            malformed,
        );
    }
    for (option, value) in [
        ("--message", "x\n\nSegedit-Batch: 1"),
        ("--author", "A\nSegedit-Batch: 1 <a@x>"),
    ] {
        let run = scene.call(
            &["apply", "--format", "json", option, value, "-"],
            &batch(&[edit(1)]),
            CPU,
        );
        scene.check(value, &run, malformed);
    }
}

#[test]
fn an_author_is_an_author_and_nothing_else() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n")]);
    let file =
        json!({"version": 1, "author": "Order Bot <bot@example.org>", "operations": [edit(1)]});
    message_of(&sandbox, &file);
    let people = sandbox.git(&["log", "-1", "--format=%an <%ae>, %cn <%ce>"]);
    assert_eq!(
        people,
        "Order Bot <bot@example.org>, Ada Tester <ada@example.org>"
    );
}

#[test]
fn paths_never_become_options_or_pathspecs() {
    let sandbox = Sandbox::with(&[("one.txt", "x\n"), ("two.txt", "x\n")]);
    for name in [
        "-rf",
        "--output=x",
        "*.txt",
        "(id).py",
        "$(id).py",
        "a;b.py",
        ":(top)x",
        "`id`",
    ] {
        sandbox.write(name, "x\n");
    }
    sandbox.commit_all("odd names");
    let names = ["-rf", "--output=x", "*.txt", "$(id).py", ":(top)x", "`id`"];
    for destination in ["worktree", "cached", "index", "stash", "commit"] {
        sandbox.git(&["reset", "--quiet", "--hard"]);
        let operations = names.map(
            |name| json!({"op": "replace", "file": name, "content": format!("{destination}\n")}),
        );
        let run = sandbox.segedit_with_input(
            &["apply", "--destination", destination, "-"],
            &batch(&operations),
        );
        assert_eq!(run.exit, 0, "{run}\n{sandbox}");
        let tree = match destination {
            "worktree" => sandbox.worktree_tree(),
            "cached" | "index" => sandbox.index_tree(),
            "stash" => sandbox.tree("stash@{0}"),
            _ => sandbox.tree("HEAD"),
        };
        for name in names {
            assert_eq!(
                tree[name].bytes,
                format!("{destination}\n").as_bytes(),
                "{name} for {destination}\n{run}"
            );
        }
        for name in ["one.txt", "two.txt", "(id).py", "a;b.py"] {
            assert_eq!(tree[name].bytes, b"x\n", "{name} for {destination}\n{run}");
        }
    }
}

#[test]
fn no_word_from_outside_begins_a_line_of_a_workflows_log() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n")]);
    let forged = "\n::error::forged\n::set-output name=x::y\r::warning::w\n";
    sandbox.write(&format!("x{}.txt", forged.replace("::", "__")), "x\n");
    sandbox.write("z.txt", forged);
    sandbox.write("z.py", format!("def f(:\n    '''{forged}'''\n"));
    sandbox.commit_all("hostile");
    for operation in [
        json!({"op": "remove", "file": format!("no{forged}")}),
        json!({"op": "delete", "file": "a.txt", "text": forged}),
        json!({"op": "delete", "file": "a.txt", "pattern": forged}),
        json!({"op": forged, "file": "a.txt"}),
        json!({"op": "remove", "file": "a.txt", "expect": forged}),
        json!({"op": "remove", "file": "a.txt", forged: 1}),
        json!({"op": "delete", "file": "z.txt", "text": ":"}),
        json!({"op": "remove", "file": "a.txtt", "id": forged}),
        json!({"op": "insert", "file": "z.py", "position": "last", "content": forged}),
    ] {
        let run = sandbox.segedit_with_input(
            &["apply", "--format", "github", "-n", "--no-diff", "-"],
            &batch(&[operation]),
        );
        let said = run.out() + &run.err();
        let lines: Vec<&str> = said
            .split(['\n', '\r'])
            .filter(|line| line.starts_with("::"))
            .collect();
        let own = |line: &&str| {
            line.starts_with("::error title=")
                || line.starts_with("::error file=")
                || line.starts_with("::warning title=")
        };
        assert!(lines.iter().all(own), "{lines:#?}\n{run}");
    }
}

#[test]
fn no_line_of_a_file_is_a_command_to_a_workflow() {
    let commands =
        "::error::x\n::add-mask::y\n\u{a0}::group::z\nlast ##[error]w\nx\r::warning::v\n";
    let name = "::error::in a name ##[add-path]/tmp.py";
    let sandbox = Sandbox::with(&[
        ("a.txt", &format!("one\n{commands}")),
        (name, "def f(): pass\n"),
    ]);
    // What the runner does: a line ends with a line feed or a carriage return; white space at its start is nothing.
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    let edit = [
        "replace",
        "--text",
        "one",
        "--content",
        "two",
        "a.txt",
        "--message",
        "::debug::m ##[group]s",
    ];
    let subject = ["check", "--staged"];
    for words in [
        &edit[..],
        &[
            "delete",
            "a.txt",
            "--text",
            "::add",
            "--content",
            "::set-env name=x::y",
            "-v",
        ],
        &["undo"],
        &["redo"],
        &[
            "replace",
            &format!("{name}::f"),
            "--content",
            "def f(): return '##[error]'",
        ],
        &["outline", name],
        &["show", "a.txt"],
        &["show", &format!("{name}::f")],
        &["find", "f"],
        &subject,
        &["index", "--stat"],
        &["validators", "-"],
        &["trust"],
    ] {
        let run = sandbox.segedit(&[words, &["--format", "github"]].concat());
        let (out, err) = (run.out(), run.err());
        let forged: Vec<&str> = out
            .split(['\n', '\r'])
            .filter(|line| is_command(line))
            .collect();
        assert!(forged.is_empty(), "{forged:#?}\n{run}");
        let own = |line: &&str| {
            let said = ["error", "warning", "notice"].map(|word| format!("::{word} "));
            !is_command(line) || said.iter().any(|word| line.starts_with(word.as_str()))
        };
        let forged: Vec<&str> = err.split(['\n', '\r']).filter(|line| !own(line)).collect();
        assert!(forged.is_empty(), "{forged:#?}\n{run}");
    }
    // And the diff is there to be read.
    let run = sandbox.segedit(&[
        "replace",
        "a.txt",
        "--text",
        "two",
        "--content",
        "six",
        "-n",
        "--format",
        "github",
    ]);
    assert!(
        run.exit == 0 && run.out().contains(" \\x3a:error::x\n"),
        "{run}"
    );
}

/// The settings of a repository that name programs, each with the words ahead of the program.
const PROGRAMS: [(&str, &str); 12] = [
    ("core.fsmonitor", ""),
    ("core.pager", ""),
    ("core.editor", ""),
    ("sequence.editor", ""),
    ("core.sshCommand", ""),
    ("core.askPass", ""),
    ("diff.external", ""),
    ("diff.x.textconv", ""),
    ("credential.helper", "!"),
    ("alias.cat-file", "!"),
    ("alias.var", "!"),
    ("pager.segedit", ""),
];

#[test]
fn no_program_that_a_repository_names_is_started() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), ("b.py", "def f():\n    return 1\n")]);
    sandbox.write(".gitattributes", "*.txt diff=x\n");
    sandbox.commit_all("attributes");
    let told = sandbox.aside().join("told");
    let program = sandbox.aside().join("program");
    std::fs::write(
        &program,
        format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\n", told.display()),
    )
    .unwrap();
    std::fs::set_permissions(
        &program,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    for (setting, ahead) in PROGRAMS {
        sandbox.git(&["config", setting, &format!("{ahead}{}", program.display())]);
    }
    for destination in ["worktree", "cached", "index", "stash", "commit"] {
        let file = batch(&[
            edit(7),
            json!({"op": "delete", "file": "b.py", "symbol": "f", "part": "body"}),
        ]);
        let run = sandbox.segedit_with_input(&["apply", "--destination", destination, "-"], &file);
        assert_eq!(run.exit, 0, "{run}");
        let said = std::fs::read_to_string(&told).unwrap_or_default();
        assert_eq!(said, "", "for {destination}\n{run}");
        sandbox.git(&["-c", "core.fsmonitor=false", "reset", "--quiet", "--hard"]);
        let _ = std::fs::remove_file(&told);
    }
}
