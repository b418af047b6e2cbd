//! The command line itself: where things are written, exit codes, and what no terminal, pipe or disk may break.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Run, Sandbox};

const WORKER: &str = "LIMIT = 1\n\n\nclass Worker:\n    def process(self):\n        return 1\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[
        ("src/worker.py", WORKER),
        ("README.md", "# A\n\n## B\n\ntext\n"),
    ])
}

#[track_caller]
fn exits(run: &Run, expected: i32) {
    assert_eq!(run.exit, expected, "{run}");
}

#[test]
fn every_wrong_command_line_is_one_json_report_when_json_is_asked_for() {
    let sandbox = sandbox();
    for args in [
        &["--format", "json"][..],
        &["aply", "--format", "json"],
        &["apply", "--format=json"],
        &["apply", "--format", "json", "--brnch", "x", "ops.yaml"],
        &["replace", "--format", "json", "src/worker.py::LIMIT"],
        &[
            "replace",
            "--format",
            "json",
            "src/worker.py",
            "--content",
            "a",
            "--content-file",
            "b",
        ],
        &["show", "--format", "json", "src/worker.py"],
        &["help", "--format", "json", "nonsense"],
        &["apply", "--format", "json", "-C", "nowhere", "-"],
        &["delete", "--format", "json", "README.md"],
    ] {
        let run = sandbox.segedit(args);
        exits(&run, 2);
        let report = run.json();
        assert_eq!(
            (&report["version"], &report["status"]),
            (&1.into(), &"malformed".into()),
            "{run}"
        );
        assert_eq!(report["errors"][0]["code"], "malformed", "{run}");
        assert_eq!(run.err(), "", "{run}");
    }
}

#[test]
fn a_move_takes_addresses_from_where_the_caller_stands() {
    let sandbox = sandbox();
    let run = sandbox.segedit(&["move", "--format", "json", "src/worker.py", "src/b.py"]);
    exits(&run, 2);
    assert_eq!(run.json()["errors"][0]["code"], "malformed", "{run}");
    let run = sandbox.shell("cd src && git segedit move worker.py::LIMIT limits.py --format json");
    exits(&run, 0);
    let report = run.json();
    assert_eq!(report["operations"][0]["op"], "move", "{run}");
    assert_eq!(report["files"][0]["path"], "src/limits.py", "{run}");
    let run =
        sandbox.shell("cd src && git segedit move limits.py::LIMIT limits.py::LIMIT --format json");
    exits(&run, 0);
    assert_eq!(run.json()["status"], "unchanged", "{run}");
}

#[test]
fn without_arguments_there_is_an_example_to_copy() {
    let run = sandbox().segedit(&[]);
    exits(&run, 2);
    assert!(
        run.out().lines().count() < 12 && run.out().contains("git segedit replace "),
        "{run}"
    );
}

#[test]
fn paths_count_from_where_the_caller_stands() {
    let sandbox = sandbox();
    let inside = |line: &str| sandbox.shell(&format!("cd src && {line}"));
    for line in [
        "git segedit outline worker.py ../README.md",
        "git segedit show HEAD:src/worker.py::LIMIT",
        "git segedit show HEAD:./worker.py::LIMIT",
        "git segedit show :./worker.py::LIMIT",
        "git segedit replace worker.py::LIMIT --content 'LIMIT = 2' --branch a --base HEAD",
        "git segedit replace \"$PWD/worker.py::LIMIT\" --content 'LIMIT = 2' --branch b --base HEAD",
        "git segedit -C .. replace src/worker.py::LIMIT --content 'LIMIT = 2' --branch c --base HEAD",
        "git -C .. segedit outline src/worker.py",
        "git -c 'alias.here=!git segedit' here outline worker.py",
        "git segedit find process -- '*.py'",
    ] {
        let run = inside(line);
        exits(&run, 0);
    }
    for line in [
        "git segedit outline src/worker.py",
        "git segedit show ../../x.py::f",
        "git segedit find process -- ../*.md",
    ] {
        exits(&inside(line), 3);
    }
}

#[test]
fn every_verb_is_a_command() {
    let sandbox = sandbox();
    let inside = |line: &str| sandbox.shell(&format!("cd src && git segedit {line}"));
    let check = |line: &str, difference: &str| {
        exits(&inside(line), 0);
        let found = sandbox.git(&[
            "diff",
            "--no-renames",
            "--raw",
            "--abbrev=1",
            "HEAD^",
            "HEAD",
        ]);
        let without_ids = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            format!("{} {} {} {}", words[0], words[1], words[4], words[5])
        };
        assert_eq!(
            found
                .lines()
                .map(without_ids)
                .collect::<Vec<_>>()
                .join("\n"),
            difference,
            "{line}"
        );
    };
    check(
        "create go.sh --content '#!/bin/sh' --executable",
        ":000000 100755 A src/go.sh",
    );
    check("chmod -x go.sh", ":100755 100644 M src/go.sh");
    check("chmod +x ./go.sh", ":100644 100755 M src/go.sh");
    check(
        "rename-file go.sh ../go.sh",
        ":000000 100755 A go.sh\n:100755 000000 D src/go.sh",
    );
    check("remove ../go.sh", ":100755 000000 D go.sh");
    check(
        "substitute worker.py::Worker --text 1 --replacement 2",
        ":100644 100644 M src/worker.py",
    );
    check(
        "substitute --pattern '^(class) (?<name>\\w+)' --multiline --replacement '$1 $name(A)' -- '*.py'",
        ":100644 100644 M src/worker.py",
    );
    check(
        "substitute -i --text TEXT --replacement '$1' --count 1 --expect-count 1 -- ../README.md",
        ":100644 100644 M README.md",
    );
    assert_eq!(
        sandbox.git(&["show", "HEAD:src/worker.py"]),
        WORKER
            .replace("return 1", "return 2")
            .replace("Worker", "Worker(A)")
            .trim_end()
    );
    assert_eq!(
        sandbox.git(&["show", "HEAD:README.md"]),
        "# A\n\n## B\n\n$1"
    );
    exits(
        &inside("substitute worker.py --text 2 --replacement 3 --expect-count 2"),
        3,
    );
    exits(
        &inside("substitute worker.py --text 2 --replacement 3 -- '*.py'"),
        2,
    );
    exits(&inside("substitute --text 2 --replacement 3"), 2);
    exits(&inside("chmod 755 worker.py"), 2);
    exits(&inside("create worker.py --content x"), 3);
}

#[test]
fn the_folder_that_the_caller_is_in_stays() {
    let sandbox = sandbox();
    let run =
        sandbox.shell("cd src && git segedit rename-file worker.py ../worker.py && git status");
    exits(&run, 0);
    assert!(sandbox.repo().join("src").is_dir(), "{run}");
    exits(&sandbox.segedit(&["undo"]), 0);
    exits(
        &sandbox.segedit(&["rename-file", "src/worker.py", "worker.py"]),
        0,
    );
    assert!(!sandbox.repo().join("src").exists(), "as git does");
}

#[test]
fn find_takes_parts_of_names_and_offers_what_is_like_them() {
    let source = "class Worker:\n    def process(self): pass\n    def close(self): pass\n\ndef test_a(): pass\ndef attest(): pass\n";
    let sandbox = Sandbox::with(&[
        ("w.py", source),
        ("R.md", "# Worker\n\n## Test one\n"),
        ("p.html", "<p id=\"first\">x</p>\n"),
    ]);
    let check = |args: &[&str], expected: &[&str]| {
        // The index is not asked, then made, then read.
        for index in [false, true, true] {
            let args = [&["find"], args].concat();
            let run = if index {
                sandbox.segedit(&args)
            } else {
                sandbox.segedit_without_index(&args)
            };
            assert_eq!(
                run.out().lines().collect::<Vec<_>>(),
                expected,
                "{args:?}: {run}"
            );
        }
    };
    check(
        &["Worker.*"],
        &[
            "w.py:2: method w.py::Worker.process",
            "w.py:3: method w.py::Worker.close",
        ],
    );
    check(&["*.*ess"], &["w.py:2: method w.py::Worker.process"]);
    check(&["test_*"], &["w.py:5: function w.py::test_a"]);
    check(&["*test"], &["w.py:6: function w.py::attest"]);
    check(&["*Test*"], &["R.md:3: section R.md::## Test one"]);
    check(&["#fir*"], &["p.html:1: element p.html::#first"]);
    check(
        &["Work*", "--kind", "class"],
        &["w.py:1: class w.py::Worker"],
    );
    check(&["Worker.*", "--kind", "class"], &[]);
    check(&["W*", "--", "*.md"], &["R.md:1: section R.md::# Worker"]);

    for asked in ["proces", "Worker::process", "process()"] {
        let run = sandbox.segedit(&["find", asked]);
        exits(&run, 3);
        assert!(
            run.err().contains("did you mean `process`?"),
            "{asked}: {run}"
        );
    }
}

#[test]
fn find_knows_blocks_of_templates_regions_and_scaffolded_files() {
    let sandbox = Sandbox::with(&[
        (".segedit.yaml", "version: 1\ntemplates: [\"templates/\"]\n"),
        (
            "templates/base.j2",
            "import os\n{% block imports %}\n{% endblock %}\n\n\ndef main():\n    run()\n",
        ),
        (
            "templates/job.py.j2",
            "{% extends 'base.j2' %}{% block imports %}\nimport queue\n{% endblock %}\n",
        ),
        // The file itself does not say the block's name.
        (
            "src/job.py",
            "# template=job version=1\nimport os\nimport queue\n\n\ndef main():\n    run()\n",
        ),
        (
            "src/other.py",
            "# template=nothing version=1\nimports = 1\n",
        ),
        (
            "src/plain.py",
            "# region imports\nimport sys\n# endregion\n\n\ndef f():\n    return 'imports'\n",
        ),
        ("notes.txt", "imports\n"),
    ]);
    let run = sandbox.segedit(&["find", "imports"]);
    exits(&run, 0);
    for expected in [
        "src/job.py:3",
        "src/other.py:2",
        "src/plain.py:1",
        "templates/base.j2:2",
        "templates/job.py.j2:1",
    ] {
        assert!(run.out().contains(expected), "{expected}: {run}");
    }
    assert_eq!(run.out().lines().count(), 5, "{run}");
    // Every address is one that `show` takes.
    let run = sandbox.segedit(&["find", "--format", "json", "block:imports", "--", "src"]);
    exits(&run, 0);
    let found = run.json();
    let address = found[0]["segments"][0]["address"]
        .as_str()
        .expect("an address")
        .to_owned();
    let run = sandbox.segedit(&["show", &address]);
    exits(&run, 0);
    assert_eq!(run.out(), "import queue");
}

#[test]
fn a_block_that_is_not_offered_has_a_reason() {
    let sandbox = Sandbox::with(&[
        (".segedit.yaml", "version: 1\ntemplates: [\"templates/\"]\n"),
        (
            "templates/job.py.j2",
            "import os\n{% block one %}\n{% endblock %}\n\ndef main():\n    {% block two %}\n    run()\n    {% endblock %}\n",
        ),
        (
            "a.py",
            "# template=job version=1\nimport os\nx = 1\n\ndef main():\n    run()\n\ny = 1\n",
        ),
        ("b.py", "# template=gone version=1\nx = 1\n"),
    ]);
    let run = sandbox.segedit(&["outline", "-v", "a.py"]);
    exits(&run, 0);
    assert!(run.out().contains("block block:one"), "{run}");
    let why = "a.py: the block `two` of the template `job` is not offered: it is not certain where it ends";
    assert_eq!(run.err(), format!("note: {why}\n"));
    assert_eq!(sandbox.segedit(&["outline", "a.py"]).err(), "");
    let run = sandbox.segedit(&["replace", "a.py::block:two", "--content", "pass"]);
    exits(&run, 3);
    assert!(run.err().contains(&format!("= note: {why}\n")), "{run}");
    // Of another name it is of no use.
    let run = sandbox.segedit(&["replace", "a.py::block:three", "--content", "pass"]);
    exits(&run, 3);
    assert!(!run.err().contains("not offered"), "{run}");
    let run = sandbox.segedit(&["replace", "b.py::block:one", "--content", "pass"]);
    exits(&run, 3);
    assert!(
        run.err()
            .contains("= note: b.py: the template `gone` is in none of the template folders\n"),
        "{run}"
    );
}

#[test]
fn show_is_exact_and_says_the_hash_beside_it() {
    let sandbox = sandbox();
    let run = sandbox.segedit(&["show", "src/worker.py::Worker.process"]);
    exits(&run, 0);
    assert_eq!(run.out(), "    def process(self):\n        return 1");
    // The hash is git's own of those bytes.
    let hash = sandbox.git_with_input(&["hash-object", "--stdin"], &run.stdout);
    assert!(
        run.err().contains(String::from_utf8_lossy(&hash).trim()),
        "{run}"
    );
    assert_eq!(
        sandbox
            .segedit(&["show", "-q", "src/worker.py::Worker.process"])
            .err(),
        ""
    );
}

#[test]
fn show_takes_several_segments_and_parts_of_them() {
    let sandbox = sandbox();
    let run = sandbox.segedit(&[
        "show",
        "-q",
        "src/worker.py::Worker.process",
        "src/worker.py::LIMIT",
        "--part",
        "body",
    ]);
    exits(&run, 0);
    assert_eq!(run.out(), "        return 1\n1", "{run}");
    let run = sandbox.segedit(&[
        "show",
        "--format",
        "json",
        "README.md::## B",
        "src/worker.py::LIMIT",
    ]);
    exits(&run, 0);
    let addresses: Vec<Value> = run
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["address"].clone())
        .collect();
    assert_eq!(
        addresses,
        ["README.md::## B", "src/worker.py::LIMIT"],
        "{run}"
    );
    exits(
        &sandbox.segedit(&["show", "src/worker.py::LIMIT", "src/worker.py::NOTHING"]),
        3,
    );
    exits(
        &sandbox.segedit(&["show", "src/worker.py::LIMIT", "--part", "soul"]),
        2,
    );
    let run = sandbox.segedit(&["show", "src/worker.py::Worker#process()"]);
    exits(&run, 3);
    assert!(run.err().contains("src/worker.py::Worker.process"), "{run}");
}

#[test]
fn outline_opens_folders() {
    let sandbox = Sandbox::with(&[
        ("src/worker.py", WORKER),
        ("src/deep/a.md", "# A\n"),
        ("src/deep/data.bin", "x\0y"),
        ("src/deep/b.py", "x\0y"),
        ("src/notes", "text\n"),
        ("other/c.py", "x = 1\n"),
    ]);
    let check = |line: &str, expected: &[&str]| {
        let run = sandbox.shell(&format!(
            "cd src && git segedit outline --format json {line}"
        ));
        exits(&run, 0);
        let report = run.json();
        let files = report
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|file| file["segments"].as_array().unwrap());
        let addresses: Vec<&str> = files
            .map(|segment| segment["address"].as_str().unwrap())
            .collect();
        assert_eq!(addresses, expected, "{line}");
    };
    let worker = [
        "src/worker.py::LIMIT",
        "src/worker.py::Worker",
        "src/worker.py::Worker.process",
    ];
    check(
        ".",
        &["src/deep/a.md::# A", worker[0], worker[1], worker[2]],
    );
    check(". --kind class", &[worker[1]]);
    check(". --depth 1", &["src/deep/a.md::# A", worker[0], worker[1]]);
    check("deep/ ../other", &["src/deep/a.md::# A", "other/c.py::x"]);
    check(
        "HEAD:src/deep :other",
        &["src/deep/a.md::# A", "other/c.py::x"],
    );
    check("HEAD: --kind class", &[worker[1]]);
    exits(&sandbox.segedit(&["outline", "nowhere"]), 3);
    exits(&sandbox.segedit(&["outline", "src", "--kind", "clas"]), 2);
}

#[test]
fn outline_and_show_agree_on_a_table_in_parts() {
    let text = "[project]\nname = \"x\"\n\n[dep]\ny = 1\n\n[project.urls]\na = \"b\"\n";
    let sandbox = Sandbox::with(&[("p.toml", text)]);
    let outline = sandbox
        .segedit(&["outline", "--format", "json", "p.toml"])
        .json();
    let shown = sandbox
        .segedit(&["show", "--format", "json", "p.toml::project"])
        .json();
    // What git makes of the first of them.
    assert_eq!(shown["hash"], "80bdc35ce7b802aecdfefe173425321e9cd40348");
    for field in ["hash", "start_line", "end_line"] {
        assert_eq!(outline[0]["segments"][0][field], shown[field], "{field}");
    }
}

#[test]
fn the_languages_are_listed_for_people_and_for_programs() {
    let sandbox = sandbox();
    let text = sandbox.segedit(&["languages"]);
    assert_eq!(text.exit, 0, "{text}");
    let lines: Vec<String> = text.out().lines().map(str::to_owned).collect();
    let at = lines.iter().position(|line| line == "C").expect("C");
    assert_eq!(
        lines[at..at + 4],
        [
            "C",
            "  *.c",
            "  function, variable, constant, struct, enum, type",
            "  an error of syntax is a warning, unless brackets no longer pair",
        ]
    );
    let known = sandbox.segedit(&["languages", "--format", "json"]).json();
    let ruby = known
        .as_array()
        .expect("a list")
        .iter()
        .find(|language| language["name"] == "Ruby")
        .expect("Ruby");
    assert_eq!(ruby["approximate"], false);
    assert_eq!(
        ruby["kinds"],
        serde_json::json!(["function", "method", "class", "constant", "module"])
    );
    assert!(
        ruby["files"]
            .as_array()
            .expect("a list")
            .contains(&"Rakefile".into())
    );
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = sandbox();
    for args in [
        &["outline", "src/worker.py"][..],
        &["schema"],
        &["help"],
        &["apply", "--format", "json", "nowhere.yaml"],
    ] {
        let mut child = sandbox
            .segedit_command()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool");
        drop(child.stdout.take());
        let mut talk = String::new();
        child
            .stderr
            .take()
            .expect("a pipe")
            .read_to_string(&mut talk)
            .expect("text");
        let status = child.wait().expect("an end");
        assert_eq!(
            status.code(),
            Some(if args[0] == "apply" { 5 } else { 0 }),
            "{args:?} {talk}"
        );
        assert!(
            !talk.contains("panicked") && !talk.contains("Broken pipe"),
            "{args:?} {talk}"
        );
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_reported_and_never_hides_what_was_published() {
    let sandbox = sandbox();
    let full = || {
        File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux has /dev/full")
    };
    let run = |args: &[&str]| {
        let output = sandbox
            .segedit_command()
            .args(args)
            .stdout(full())
            .output()
            .expect("the tool");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, talk) = run(&["outline", "src/worker.py"]);
    assert_eq!(code, Some(5), "{talk}");
    assert!(
        talk.contains("could not write to standard output"),
        "{talk}"
    );
    let edit = [
        "replace",
        "src/worker.py::LIMIT",
        "--content",
        "LIMIT = 2",
        "--branch",
        "x",
        "--base",
        "HEAD",
    ];
    let (code, talk) = run(&edit);
    assert_eq!(code, Some(0), "{talk}");
    assert!(talk.contains("published all the same"), "{talk}");
    assert!(
        sandbox
            .git(&["show", "x:src/worker.py"])
            .starts_with("LIMIT = 2")
    );
}

#[test]
fn content_comes_as_it_is_from_the_command_line() {
    let sandbox = sandbox();
    let odd = "LIMIT = \"- a: 'b' \u{85}\u{2028}\u{feff}\u{1f600} \\n\t#x\"";
    let edit = [
        "replace",
        "src/worker.py::LIMIT",
        "--content",
        odd,
        "--branch",
        "x",
        "--base",
        "HEAD",
    ];
    exits(&sandbox.segedit(&edit), 0);
    assert_eq!(
        sandbox.git(&["show", "x:src/worker.py"]),
        WORKER.replace("LIMIT = 1", odd).trim_end()
    );
    let edit = [
        "replace",
        "src/worker.py::LIMIT",
        "--content-file",
        "-",
        "--branch",
        "y",
        "--base",
        "HEAD",
    ];
    exits(&sandbox.segedit_with_input(&edit, odd.as_bytes()), 0);
    assert_eq!(
        sandbox.git(&["rev-parse", "y:src/worker.py"]),
        sandbox.git(&["rev-parse", "x:src/worker.py"])
    );
    let run = sandbox.segedit_with_input(&edit, b"caf\xe9");
    exits(&run, 2);
}

#[test]
fn the_last_line_break_of_a_file_is_not_meant() {
    let sandbox = sandbox();
    let check = |content: &[&str], input: &str, expected: &str| {
        let args = [
            &[
                "replace",
                "src/worker.py",
                "--text",
                "LIMIT = 1",
                "--dry-run",
                "--format",
                "json",
            ],
            content,
        ]
        .concat();
        let run = sandbox.segedit_with_input(&args, input.as_bytes());
        exits(&run, 0);
        assert_eq!(
            run.json()["files"][0]["added"],
            expected.lines().count(),
            "{run}"
        );
        assert!(
            run.json()["files"][0]["diff"]
                .as_str()
                .is_some_and(|diff| diff.contains(expected)),
            "{run}"
        );
    };
    check(&["--content-file", "-"], "LIMIT = 2\n", "+LIMIT = 2\n");
    check(&["--content", "LIMIT = 2\n"], "", "+LIMIT = 2\n+\n");
    // The mark that a file begins with is none in the middle of another.
    check(
        &["--content-file", "-"],
        "\u{feff}LIMIT = 2\n",
        "+LIMIT = 2\n",
    );
}

#[test]
fn a_new_file_keeps_its_byte_order_mark() {
    let sandbox = sandbox();
    let args = ["create", "marked.txt", "--content-file", "-"];
    exits(
        &sandbox.segedit_with_input(&args, "\u{feff}one\n".as_bytes()),
        0,
    );
    let written = std::fs::read_to_string(sandbox.repo().join("marked.txt")).unwrap();
    assert_eq!(written, "\u{feff}one\n");
}

#[test]
fn options_take_the_place_of_the_files_fields() {
    let sandbox = sandbox();
    let file = "version: 1\nmessage: theirs\nauthor: Their Name <t@example.org>\nbranch: theirs\nbase: main\noperations:\n  \
                - {op: replace, file: src/worker.py, symbol: LIMIT, content: LIMIT = 2}\n";
    let options = [
        "apply",
        "-",
        "--branch",
        "ours",
        "-m",
        "ours",
        "-m",
        "more",
        "--author",
        "Our Name <o@example.org>",
    ];
    exits(&sandbox.segedit_with_input(&options, file.as_bytes()), 0);
    let shown = sandbox.git(&["log", "-1", "--format=%an|%s|%b", "ours"]);
    assert!(shown.starts_with("Our Name|ours|more"), "{shown}");
    assert_ne!(
        sandbox.try_git(&["rev-parse", "--verify", "theirs"]).exit,
        0
    );
}

#[test]
fn a_dry_run_publishes_nothing() {
    let sandbox = sandbox();
    let before = sandbox.digest();
    let run = sandbox.segedit(&[
        "replace",
        "src/worker.py::LIMIT",
        "--content",
        "LIMIT = 2",
        "-n",
    ]);
    exits(&run, 0);
    assert!(
        run.out().contains("+LIMIT = 2") && run.out().contains("nothing published"),
        "{run}"
    );
    assert_eq!(sandbox.digest(), before);
}

#[test]
fn several_files_are_summed_up() {
    let sandbox = sandbox();
    let edit = |value: u8| {
        format!(
            "version: 1\noperations:\n  - {{op: replace, file: src/worker.py, symbol: LIMIT, content: LIMIT = {value}}}\n"
        )
    };
    sandbox.write("one.yaml", edit(2));
    sandbox.write("two.yaml", edit(3));
    let run = sandbox.segedit(&[
        "apply", "--format", "json", "--branch", "x", "--base", "main", "one.yaml", "two.yaml",
    ]);
    exits(&run, 0);
    let report = run.json();
    let sources: Vec<&Value> = report["batches"]
        .as_array()
        .expect("batches")
        .iter()
        .map(|batch| &batch["source"])
        .collect();
    assert_eq!(sources, ["one.yaml", "two.yaml"]);
    assert_eq!(report["operations"][1]["index"], 1);
    assert_eq!(report["commit"], sandbox.git(&["rev-parse", "x"]));
    sandbox.write("two.yaml", "nonsense");
    let run = sandbox.segedit(&[
        "apply", "--format", "json", "--branch", "y", "one.yaml", "two.yaml",
    ]);
    exits(&run, 2);
    assert_eq!(run.json()["batches"][0]["source"], "two.yaml");
}

#[test]
fn colours_follow_gits_configuration() {
    let sandbox = sandbox();
    let coloured = |line: &str| sandbox.shell(line).out().contains('\u{1b}');
    assert!(!coloured("git segedit outline src/worker.py"));
    assert!(coloured("git segedit outline src/worker.py --color always"));
    assert!(coloured(
        "git -c color.ui=always segedit outline src/worker.py"
    ));
    assert!(!coloured(
        "git -c color.ui=always -c color.segedit=never segedit outline src/worker.py"
    ));
    assert!(!coloured(
        "NO_COLOR=1 git -c color.ui=always segedit outline src/worker.py"
    ));
    assert!(coloured(
        "CLICOLOR_FORCE=1 git segedit outline src/worker.py"
    ));
    assert!(coloured(
        "GIT_PAGER_IN_USE=true git segedit outline src/worker.py"
    ));
    assert!(!coloured(
        "git segedit outline src/worker.py --format json --color always"
    ));
}

#[test]
fn annotations_stay_off_standard_output() {
    let sandbox = sandbox();
    let run = sandbox.segedit(&[
        "delete",
        "src/worker.py::Worker.proces",
        "--format",
        "github",
    ]);
    exits(&run, 3);
    assert!(
        run.err().starts_with("::error ") && !run.out().contains("::error"),
        "{run}"
    );
}

#[test]
fn man_finds_the_pages_beside_the_program() {
    let sandbox = sandbox();
    let page = sandbox.aside().join("usr/share/man/man1");
    let run = sandbox.segedit(&["help", "--man-pages", page.to_str().expect("a plain name")]);
    exits(&run, 0);
    let text =
        std::fs::read_to_string(page.join("git-segedit-apply.1")).expect("a page for each command");
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLE"] {
        assert!(
            text.contains(&format!(".SH \"{heading}\""))
                || text.contains(&format!(".SH {heading}")),
            "{heading}"
        );
    }
    let bin = sandbox.aside().join("usr/bin");
    std::fs::create_dir_all(&bin).expect("a folder");
    std::fs::copy(env!("CARGO_BIN_EXE_git-segedit"), bin.join("git-segedit")).expect("the program");
    let tool = format!(
        "PATH='{}':$PATH; MANPAGER=cat; export MANPAGER; ",
        bin.display()
    );
    if sandbox.shell("command -v man").exit == 0 {
        let shown = sandbox.shell(&format!("{tool} git segedit --help"));
        exits(&shown, 0);
        assert!(
            shown
                .out()
                .contains("git-segedit - Edit code and documents by name"),
            "{shown}"
        );
    }
    let short = sandbox.shell(&format!("{tool} git segedit -h"));
    exits(&short, 0);
    assert!(
        short.out().starts_with("usage: git segedit <command>"),
        "{short}"
    );
}
