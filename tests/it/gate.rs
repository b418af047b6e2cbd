//! The gate, with validators and formatters that the tests write themselves: what they are shown, what counts, what comes
//! of a bad day. The tools that people really use are in `tests/tools`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::ruled::{CODE, RULED, RULES, ruled, trusted, with};
use crate::support::{Run, Sandbox};

/// Replaces `f` in `a.py`.
fn replace(sandbox: &Sandbox, body: &str, extra: &[&str]) -> Run {
    let args = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        body,
        "--format",
        "json",
    ];
    trusted(sandbox, &[&args, extra].concat())
}

fn codes(report: &Value, list: &str) -> Vec<String> {
    let listed = report[list].as_array().expect("a list").iter();
    listed
        .map(|error| error["code"].as_str().expect("a code").to_owned())
        .collect()
}

#[track_caller]
fn refused(sandbox: &Sandbox, code: &str, exit: i32, act: impl Fn() -> Run) -> Value {
    let before = sandbox.digest();
    let run = act();
    assert_eq!(run.exit, exit, "{run}\n{sandbox}");
    let report = run.json();
    assert!(
        codes(&report, "errors").iter().any(|found| found == code),
        "{code}\n{run}"
    );
    assert!(
        before == sandbox.digest(),
        "something changed\n{run}\n{sandbox}"
    );
    report
}

#[track_caller]
fn published(run: &Run) -> Value {
    assert_eq!(run.exit, 0, "{run}");
    let report = run.json();
    assert_eq!(report["status"], "published", "{run}");
    report
}

#[test]
fn what_the_base_had_does_not_count() {
    let sandbox = ruled();
    // `old` moves down by two lines.
    let report = published(&replace(&sandbox, "x = 1\ny = 2\nreturn x + y", &[]));
    let verdict = &report["validators"][0];
    assert_eq!(
        (&verdict["name"], &verdict["status"], &verdict["exit_code"]),
        (&"rules".into(), &"passed".into(), &1.into())
    );
    let finding = &verdict["findings"][0];
    assert_eq!(
        (&finding["line"], &finding["new"]),
        (&8.into(), &false.into()),
        "{report}"
    );
}

#[test]
fn what_is_new_refuses_with_its_place_and_its_operation() {
    let sandbox = ruled();
    let report = refused(&sandbox, "validator-failed", 1, || {
        replace(&sandbox, "return \"BAD\"", &[])
    });
    assert_eq!(report["status"], "rejected");
    let findings = report["validators"][0]["findings"].as_array().unwrap();
    let new: Vec<&Value> = findings
        .iter()
        .filter(|finding| finding["new"] == true)
        .collect();
    let [finding] = new.as_slice() else {
        panic!("{report:#}")
    };
    assert_eq!(finding["path"], "a.py");
    assert_eq!(
        (&finding["line"], &finding["column"]),
        (&2.into(), &13.into())
    );
    assert_eq!(
        (&finding["rule"], &finding["message"]),
        (&"B001".into(), &"no BAD here".into())
    );
    assert_eq!(finding["severity"], "error");
    let error = &report["errors"][0];
    assert_eq!(
        (&error["operation"], &error["path"], &error["file_line"]),
        (&0.into(), &"a.py".into(), &2.into())
    );
    assert_eq!(report["operations"][0]["status"], "failed");
}

#[test]
fn gate_all_counts_what_was_there_before() {
    let sandbox = with(
        &format!("{RULED}    gate: all\n"),
        &[("a.py", CODE), ("tools/rules.py", RULES)],
    );
    refused(&sandbox, "validator-failed", 1, || {
        replace(&sandbox, "return 2", &[])
    });
}

#[test]
fn interactive_mode_publishes_and_warns() {
    let sandbox = ruled();
    let report = published(&replace(
        &sandbox,
        "return \"BAD\"",
        &["--mode", "interactive"],
    ));
    assert_eq!(codes(&report, "warnings"), ["validator-failed"]);
    assert_eq!(report["validators"][0]["status"], "failed");
}

#[test]
fn a_validator_that_only_warns_never_refuses() {
    let sandbox = with(
        &format!("{RULED}    severity: warning\n"),
        &[("a.py", CODE), ("tools/rules.py", RULES)],
    );
    let report = published(&replace(&sandbox, "return \"BAD\"", &[]));
    assert_eq!(codes(&report, "warnings"), ["validator-failed"]);
}

#[test]
fn nothing_runs_before_it_is_trusted() {
    let configuration =
        "version: 1\nvalidators:\n  - name: mark\n    command: [python3, -c, \"open('MARK','w')\"]\n    \
        env: {X: y}\nformatters:\n  - name: form\n    command: [python3, -c, \"open('MARK','w')\"]\n"
            .replace(
                "MARK",
                &std::env::temp_dir().join(format!("segedit-mark-{}", std::process::id())).to_string_lossy(),
            );
    let mark = std::env::temp_dir().join(format!("segedit-mark-{}", std::process::id()));
    let sandbox = with(&configuration, &[("a.py", CODE)]);
    let edit = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 2",
        "--format",
        "json",
    ];
    let report = refused(&sandbox, "config-untrusted", 4, || sandbox.segedit(&edit));
    let error = &report["errors"][0];
    let said = format!("{} {}", error["message"], error["notes"]);
    assert!(
        said.contains("form, mark") && said.contains("`git segedit trust`"),
        "{said}"
    );
    for args in [
        &["outline", "a.py"][..],
        &["show", "a.py::f"],
        &["find", "f"],
        &["validators"],
        &["trust", "--dry-run"],
        &["check", "nothing.yaml"],
    ] {
        sandbox.segedit(args);
    }
    assert!(!mark.exists());
    // Never holds against what was trusted.
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    refused(&sandbox, "config-untrusted", 4, || {
        sandbox.run(
            sandbox
                .segedit_command()
                .args(edit)
                .env("GIT_SEGEDIT_TRUST", "never"),
            b"",
        )
    });
    assert!(!mark.exists());
    // The formatter writes nothing, which is no format; but it ran.
    assert_eq!(sandbox.segedit(&edit).exit, 1);
    assert!(mark.exists());
    std::fs::remove_file(&mark).unwrap();
    // Another file is not the trusted one, and what was trusted can be forgotten.
    sandbox.write(".segedit.yaml", format!("{configuration}# more\n"));
    sandbox.commit_all("more");
    refused(&sandbox, "config-untrusted", 4, || sandbox.segedit(&edit));
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    assert_eq!(sandbox.segedit(&["trust", "--revoke"]).exit, 0);
    refused(&sandbox, "config-untrusted", 4, || sandbox.segedit(&edit));
    // What the repository's own file says allows nothing; what the caller's says does.
    sandbox.git(&["config", "segedit.trust", "always"]);
    refused(&sandbox, "config-untrusted", 4, || sandbox.segedit(&edit));
    sandbox.git(&["config", "--global", "segedit.trust", "always"]);
    assert_eq!(sandbox.segedit(&edit).exit, 1);
    std::fs::remove_file(&mark).unwrap();
}

#[test]
fn without_trust_interactive_mode_publishes_unjudged_and_says_so() {
    let sandbox = ruled();
    let edit = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 2",
        "--format",
        "json",
    ];
    let report = published(&sandbox.segedit(&[&edit[..], &["--mode", "interactive"]].concat()));
    assert_eq!(codes(&report, "warnings"), ["config-untrusted"]);
    assert_eq!(report["validators"], serde_json::json!([]));
}

#[test]
fn a_batch_that_is_nobodys_business_needs_no_trust() {
    let sandbox = with(RULED, &[("notes.txt", "one\n"), ("tools/rules.py", RULES)]);
    let ops = "version: 1\noperations:\n  - {op: replace, file: notes.txt, lines: 1, content: \"two\\n\"}\n";
    let report =
        published(&sandbox.segedit_with_input(&["apply", "--format", "json", "-"], ops.as_bytes()));
    assert_eq!(report["validators"][0]["status"], "skipped");
}

#[test]
fn a_batch_cannot_loosen_the_rules_it_is_judged_by() {
    let sandbox = ruled();
    let ops = "version: 1\noperations:\n  - {op: replace, file: a.py, symbol: f, part: body, content: 'return \"BAD\"'}\n  \
        - {op: replace, file: .segedit.yaml, allow_remove: true, content: \"version: 1\\n\"}\n  \
        - {op: replace, file: tools/rules.py, allow_remove: true, content: \"\"}\n";
    let report = refused(&sandbox, "validator-failed", 1, || {
        sandbox.run(
            sandbox
                .segedit_command()
                .args(["apply", "--format", "json", "-"])
                .env("GIT_SEGEDIT_TRUST", "always"),
            ops.as_bytes(),
        )
    });
    assert_eq!(
        codes(&report, "warnings"),
        ["config-untrusted", "config-untrusted"],
        "{report:#}"
    );
}

/// Returns the report of a batch judged by a validator of scope `scope` that runs `script`.
fn judged_by(scope: &str, script: &str, extra: &str, files: &[(&str, &str)]) -> (Sandbox, Value) {
    let configuration = format!(
        "version: 1\nvalidators:\n  - name: it\n    scope: {scope}\n    command: [python3, tools/it.py, \"{{files}}\"]\n{extra}"
    );
    let sandbox = with(
        &configuration,
        &[&[("a.py", CODE), ("tools/it.py", script)], files].concat(),
    );
    let run = replace(&sandbox, "return 2", &["--dry-run"]);
    let report = run.json();
    (sandbox, report)
}

#[test]
fn each_scope_shows_what_it_promises() {
    let script = "import os, sys\nfound = sorted(os.path.relpath(os.path.join(d, n), '.') for d, _, ns in os.walk('.') for n in ns)\n\
        sys.exit(repr((sys.argv[1:], found, open('a.py').read())))\n";
    let files = [("lib/b.py", "x = 1\n"), ("README.md", "# R\n")];
    let detail = |scope: &str| {
        let (_, report) = judged_by(scope, script, "    gate: all\n", &files);
        report["validators"][0]["findings"][0]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let (of_files, of_tree) = (detail("files"), detail("tree"));
    assert!(
        of_files.contains("['a.py'], ['a.py', 'tools/it.py'], 'def f():\\n    return 2\\n"),
        "{of_files}"
    );
    let all = "['a.py'], ['.segedit.yaml', 'README.md', 'a.py', 'lib/b.py', 'tools/it.py'], 'def f():\\n    return 2\\n";
    assert!(of_tree.contains(all), "{of_tree}");
}

#[test]
fn four_ends_have_four_codes() {
    let check = |script: &str, extra: &str, code: &str, status: &str| {
        let (_, report) = judged_by("files", script, extra, &[]);
        assert_eq!(codes(&report, "errors"), [code], "{report:#}");
        assert_eq!(report["validators"][0]["status"], status, "{report:#}");
        assert_eq!(report["status"], "rejected");
    };
    check(
        "import sys; sys.exit('no')",
        "    gate: all\n",
        "validator-failed",
        "failed",
    );
    check(
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "",
        "validator-crashed",
        "crashed",
    );
    check(
        "import time; time.sleep(60)",
        "    timeout: 1\n",
        "validator-timeout",
        "timeout",
    );
    check(
        "import sys; sys.exit(127)",
        "",
        "validator-missing",
        "missing",
    );
    check(
        "print('[')",
        "    output: sarif\n",
        "validator-crashed",
        "crashed",
    );
    let missing = "version: 1\nvalidators:\n  - {name: it, command: [no-such-program-anywhere]}\n";
    let sandbox = with(missing, &[("a.py", CODE)]);
    let report = refused(&sandbox, "validator-missing", 1, || {
        replace(&sandbox, "return 2", &[])
    });
    assert!(
        report["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("no-such-program-anywhere"),
        "{report:#}"
    );
}

#[test]
fn what_a_hanging_validator_started_is_ended_with_it() {
    let length = format!("4711.{}", std::process::id());
    let script = "import subprocess, sys, time\n\
        subprocess.Popen(['setsid', 'sleep', '4711.25'])\nsys.stdout.flush()\ntime.sleep(600)\n";
    let script = &script.replace("4711.25", &length);
    let began = Instant::now();
    let (_, report) = judged_by("files", script, "    timeout: 1\n", &[]);
    assert_eq!(codes(&report, "errors"), ["validator-timeout"]);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(processes(&length).is_empty());
}

/// Returns the command lines of running processes that contain `words`.
fn processes(words: &str) -> Vec<String> {
    let folders = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let lines = folders.filter_map(|folder| std::fs::read(folder.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(words)).collect()
}

#[test]
fn an_interrupt_ends_everything_and_changes_nothing() {
    let script =
        "import subprocess, time\nopen('/MARK', 'w')\nsubprocess.run(['sleep', '4712.5'])\n";
    let mark = std::env::temp_dir().join(format!("segedit-interrupt-{}", std::process::id()));
    // Of this process alone: the same test may be running somewhere else.
    let length = format!("4712.{}", std::process::id());
    let script = script
        .replace("/MARK", &mark.to_string_lossy())
        .replace("4712.5", &length);
    let configuration =
        "version: 1\nvalidators:\n  - {name: it, scope: tree, command: [python3, tools/it.py]}\n";
    let sandbox = with(configuration, &[("a.py", CODE), ("tools/it.py", &script)]);
    let before = sandbox.digest();
    let scratch = sandbox.aside().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    // In the background a shell has this signal ignored, and what is ignored stays so.
    let heeding = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])";
    let mut command = sandbox.program("python3");
    command.args(["-c", heeding, env!("CARGO_BIN_EXE_git-segedit")]);
    command.args([
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 2",
    ]);
    command
        .env("GIT_SEGEDIT_TRUST", "always")
        .env("TMPDIR", &scratch);
    command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    let began = Instant::now();
    while !mark.exists() || processes(&length).is_empty() {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "the validator never began"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let status = child.wait().unwrap();
    std::fs::remove_file(&mark).unwrap();
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&status),
        Some(2),
        "{status:?}"
    );
    assert!(processes(&length).is_empty());
    assert!(before == sandbox.digest(), "{sandbox}");
    let left: Vec<PathBuf> = std::fs::read_dir(&scratch)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn no_path_becomes_an_option_and_no_shell_reads_one() {
    let script = "import sys\nsys.exit(repr(sys.argv[1:]))\n";
    let configuration = "version: 1\nvalidators:\n  - {name: it, gate: all, command: [python3, tools/it.py, \"{files}\"]}\n";
    let names = [
        "--config=x.py",
        "-rf",
        "$(touch x).py",
        "a b.py",
        "@a.py",
        "d/-e.py",
        "ä.py",
    ];
    let mut files = vec![("tools/it.py", script)];
    files.extend(names.iter().map(|name| (*name, "x = 1\n")));
    let sandbox = with(configuration, &files);
    let ops: String = names
        .iter()
        .map(|name| {
            format!("  - {{op: replace, file: '{name}', lines: 1, content: \"x = 2\\n\"}}\n")
        })
        .collect();
    let run = sandbox.run(
        sandbox
            .segedit_command()
            .args(["apply", "--format", "json", "-"])
            .env("GIT_SEGEDIT_TRUST", "always"),
        format!("version: 1\noperations:\n{ops}").as_bytes(),
    );
    let report = run.json();
    let said = report["validators"][0]["findings"][0]["message"]
        .as_str()
        .unwrap_or_default();
    let expected =
        "['./$(touch x).py', './--config=x.py', './-rf', './@a.py', 'a b.py', 'd/-e.py', 'ä.py']";
    assert!(said.contains(expected), "{said}\n{run}");
    assert!(!sandbox.repo().join("x").exists());
}

#[test]
fn a_validator_sees_few_variables_and_those_it_was_given() {
    let script =
        "import os, sys\nsys.exit(repr(sorted(os.environ)) + os.environ.get('GIVEN', ''))\n";
    let configuration = "version: 1\nvalidators:\n  - {name: it, gate: all, command: [python3, tools/it.py], env: {GIVEN: yes}}\n";
    let sandbox = with(configuration, &[("a.py", CODE), ("tools/it.py", script)]);
    let edit = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 2",
        "--format",
        "json",
    ];
    let run = sandbox.run(
        sandbox.segedit_command().args(edit).envs([
            ("GIT_SEGEDIT_TRUST", "always"),
            ("GITHUB_TOKEN", "secret"),
            ("SSH_AUTH_SOCK", "/x"),
        ]),
        b"",
    );
    let report = run.json();
    let said = report["validators"][0]["findings"][0]["message"]
        .as_str()
        .unwrap_or_default();
    assert!(
        said.contains("'PATH'") && said.contains("'HOME'") && said.ends_with("yes"),
        "{said}\n{run}"
    );
    for hidden in ["GITHUB_TOKEN", "SSH_AUTH_SOCK", "'GIT_"] {
        assert!(!said.contains(hidden), "{said}");
    }
}

#[test]
fn the_base_is_asked_only_when_something_is_found_and_once_for_each_content() {
    let log = std::env::temp_dir().join(format!("segedit-runs-{}", std::process::id()));
    let configuration = RULED.replace(
        "    output: gcc\n",
        &format!("    output: gcc\n    env: {{LOG: {}}}\n", log.display()),
    );
    let script = format!("import os\nopen(os.environ['LOG'], 'a').write('x')\n{RULES}");
    let clean = "def f():\n    return 1\n";
    let sandbox = with(
        &configuration,
        &[("a.py", clean), ("tools/rules.py", &script)],
    );
    let runs = |body: &str, exit: i32| {
        let _ = std::fs::remove_file(&log);
        let run = replace(&sandbox, body, &[]);
        assert_eq!(run.exit, exit, "{run}");
        std::fs::read(&log).map_or(0, |bytes| bytes.len())
    };
    assert_eq!(runs("return 2", 0), 1, "a clean candidate needs no base");
    assert_eq!(
        runs("return 'BAD'", 1),
        1,
        "the base was the candidate of the batch before"
    );
    assert_eq!(runs("return 'BAD 2'", 1), 1);
    std::fs::remove_file(&log).unwrap();
}

/// Formats like nobody else: makes the lines it is given upper case, or does what `mode` says.
const FORMATTER: &str = r#"import sys
mode, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
lines = sys.stdin.read().splitlines(keepends=True)
for at in range(len(lines)):
    if mode == "all" or first - 1 <= at <= last - 1:
        lines[at] = lines[at].replace("return 1", "return 2") if mode == "undo" else lines[at].replace("x", "X")
sys.stdout.write("".join(lines))
"#;

fn formatted_by(mode: &str, extra: &str) -> Sandbox {
    let configuration = format!(
        "version: 1\nformatters:\n  - name: form\n    files: [\"*.py\"]\n    \
         command: [python3, tools/form.py, {mode}, \"{{range}}\"]\n    range: [\"{{first}}\", \"{{last}}\"]\n{extra}"
    );
    with(
        &configuration,
        &[
            (
                "a.py",
                "def f():\n    return 2\n\n\ndef g(x):\n    return x\n",
            ),
            ("tools/form.py", FORMATTER),
        ],
    )
}

#[test]
fn a_formatter_changes_the_edited_lines_and_they_are_published() {
    let sandbox = formatted_by("range", "");
    let report = published(&replace(&sandbox, "x = 3\nreturn x", &[]));
    assert_eq!(
        sandbox.git(&["show", "HEAD:a.py"]),
        "def f():\n    X = 3\n    return X\n\n\ndef g(x):\n    return x"
    );
    assert_eq!(report["formatters"][0]["status"], "passed");
    assert!(
        report["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+    X = 3"),
        "{report:#}"
    );
}

#[test]
fn what_a_formatter_changes_elsewhere_is_refused() {
    let sandbox = formatted_by("all", "");
    let report = refused(&sandbox, "drift", 1, || {
        replace(&sandbox, "x = 3\nreturn x", &[])
    });
    let error = &report["errors"][0];
    assert_eq!(
        (&error["path"], &error["file_line"]),
        (&"a.py".into(), &6.into()),
        "{report:#}"
    );
    // What it did is left out where failures only warn.
    let report = published(&replace(
        &sandbox,
        "x = 3\nreturn x",
        &["--mode", "interactive"],
    ));
    assert_eq!(codes(&report, "warnings"), ["drift"]);
    assert!(
        sandbox
            .git(&["show", "HEAD:a.py"])
            .contains("    x = 3\n    return x\n\n\ndef g(x)")
    );
}

#[test]
fn a_formatter_that_takes_the_edit_back_leaves_nothing_to_publish() {
    let sandbox = formatted_by("undo", "");
    let before = sandbox.digest();
    let run = replace(&sandbox, "return 1", &[]);
    assert_eq!(
        (run.exit, &run.json()["status"]),
        (0, &"unchanged".into()),
        "{run}"
    );
    assert!(before == sandbox.digest());
}

#[test]
fn every_destination_is_judged() {
    for (destination, exit) in [
        ("commit", 1),
        ("index", 1),
        ("cached", 1),
        ("worktree", 1),
        ("stash", 1),
    ] {
        for scope in ["files", "tree"] {
            let configuration = format!("{RULED}    scope: {scope}\n");
            let sandbox = with(&configuration, &[("a.py", CODE), ("tools/rules.py", RULES)]);
            let act = |body: &str| replace(&sandbox, body, &["--destination", destination]);
            let report = refused(&sandbox, "validator-failed", exit, || act("return 'BAD'"));
            assert_eq!(report["destination"], destination);
            published(&act("return 3"));
        }
    }
}

#[test]
fn a_bare_repository_is_judged() {
    for scope in ["files", "tree"] {
        let configuration = format!("{RULED}    scope: {scope}\n");
        let bare = with(&configuration, &[("a.py", CODE), ("tools/rules.py", RULES)]).copy_bare();
        refused(&bare, "validator-failed", 1, || {
            replace(&bare, "return 'BAD'", &[])
        });
        published(&replace(&bare, "return 3", &[]));
    }
}

#[test]
fn a_configuration_that_cannot_be_read_refuses_with_its_place() {
    let sandbox = with(
        "version: 1\nvalidators:\n  - preset: rufff\n",
        &[("a.py", CODE)],
    );
    let report = refused(&sandbox, "config-invalid", 4, || {
        replace(&sandbox, "return 2", &[])
    });
    let error = &report["errors"][0];
    assert_eq!(
        (&error["path"], &error["file_line"]),
        (&".segedit.yaml".into(), &3.into()),
        "{report:#}"
    );
    assert!(
        error["message"].as_str().unwrap().contains(":3:13:"),
        "{report:#}"
    );
    assert_eq!(error["suggestions"][0], "ruff");
}

#[test]
fn several_operation_files_are_judged_one_on_the_other() {
    let sandbox = ruled();
    let ops = |body: &str| {
        format!(
            "version: 1\noperations:\n  - {{op: replace, file: a.py, symbol: f, part: body, content: \"{body}\"}}\n"
        )
    };
    let aside = sandbox.aside();
    std::fs::write(aside.join("1.yaml"), ops("return 5")).unwrap();
    std::fs::write(aside.join("2.yaml"), ops("return 'BAD'")).unwrap();
    std::fs::write(aside.join("3.yaml"), ops("return 6")).unwrap();
    let (one, two, three) = (
        aside.join("1.yaml"),
        aside.join("2.yaml"),
        aside.join("3.yaml"),
    );
    let args = |last: &PathBuf| {
        vec![
            "apply".to_owned(),
            "--format=json".to_owned(),
            one.display().to_string(),
            last.display().to_string(),
        ]
    };
    let run = |words: Vec<String>| {
        trusted(
            &sandbox,
            &words.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    };
    refused(&sandbox, "validator-failed", 1, || run(args(&two)));
    published(&run(args(&three)));
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "3");
}

#[test]
fn a_flood_on_both_streams_ends_in_a_verdict() {
    let script = "import os, sys, threading\n\
        def flood(fd):\n    for _ in range(40):\n        os.write(fd, b'x' * 1_000_000)\n\
        both = [threading.Thread(target=flood, args=(fd,)) for fd in (1, 2)]\n\
        [thread.start() for thread in both]\n[thread.join() for thread in both]\nsys.exit(1)\n";
    let (_, report) = judged_by("files", script, "    gate: all\n", &[]);
    assert_eq!(codes(&report, "errors"), ["validator-failed"]);
    assert!(report.to_string().len() < 2_000_000);
}

#[test]
fn reports_for_ci_name_each_finding() {
    let sandbox = ruled();
    let edit = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 'BAD'",
    ];
    let github = trusted(&sandbox, &[&edit[..], &["--format", "github"]].concat());
    assert!(
        github
            .err()
            .contains("::error file=a.py,line=2,col=13,title=rules B001::no BAD here\n"),
        "{github}"
    );
    assert_eq!(github.err().matches("::error").count(), 1, "{github}");
    let human = trusted(&sandbox, &edit);
    assert!(human.out().contains("  failed  rules ("), "{human}");
    assert!(
        human
            .out()
            .contains("          a.py:2:13  B001  no BAD here\n"),
        "{human}"
    );
    assert!(
        human
            .out()
            .contains("          a.py:6:13  B001  no BAD here  (old)\n"),
        "{human}"
    );
    let sarif: Value = serde_json::from_slice(
        &trusted(&sandbox, &[&edit[..], &["--format", "sarif"]].concat()).stdout,
    )
    .unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let states: Vec<&str> = results
        .iter()
        .map(|result| result["baselineState"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(states, ["new", "unchanged"], "{sarif:#}");
    assert_eq!(results[0]["ruleId"], "rules/B001");
}

#[test]
fn validators_says_what_would_run_and_why_not() {
    let configuration = "version: 1\nvalidators:\n  - {name: it, files: [\"*.py\"], command: [python3, x.py]}\n  \
        - {name: gone, files: [\"*.py\"], command: [no-such-program-anywhere]}\n  \
        - {name: idle, files: [\"*.go\"], command: [python3]}\n";
    let sandbox = with(configuration, &[("a.py", CODE), ("b.py", CODE)]);
    let report = trusted(&sandbox, &["validators", "--format", "json"]).json();
    let of = |at: usize, field: &str| report["validators"][at][field].clone();
    assert_eq!(
        (of(0, "name"), of(0, "runs")),
        ("it".into(), true.into()),
        "{report:#}"
    );
    assert_eq!(of(0, "paths"), serde_json::json!(["a.py", "b.py"]));
    assert_eq!((of(1, "runs"), of(2, "runs")), (false.into(), false.into()));
    assert!(
        of(1, "why")
            .as_str()
            .unwrap()
            .contains("no-such-program-anywhere")
    );
    assert_eq!(of(2, "why"), "no file is its business");
    let untrusted = sandbox.segedit(&["validators", "--format", "json"]).json();
    assert!(
        untrusted["validators"][0]["why"]
            .as_str()
            .unwrap()
            .contains("git segedit trust"),
        "{untrusted:#}"
    );
    // For a batch, its files alone.
    let ops = "version: 1\noperations:\n  - {op: replace, file: b.py, symbol: f, part: body, content: return 3}\n";
    let run = sandbox.run(
        sandbox
            .segedit_command()
            .args(["validators", "--format", "json", "-"])
            .env("GIT_SEGEDIT_TRUST", "always"),
        ops.as_bytes(),
    );
    assert_eq!(
        run.json()["validators"][0]["paths"],
        serde_json::json!(["b.py"]),
        "{run}"
    );
    let human = trusted(&sandbox, &["validators"]);
    assert!(
        human
            .out()
            .contains("would not run: there is no program `no-such-program-anywhere`"),
        "{human}"
    );
}

#[test]
fn two_batches_at_once_do_not_share_a_checkout() {
    let script = "import os, sys, time\nfirst = open('a.py').read()\ntime.sleep(1)\nsys.exit(0 if open('a.py').read() == first else 1)\n";
    let configuration = "version: 1\nvalidators:\n  - {name: it, gate: all, scope: tree, command: [python3, tools/it.py]}\n";
    let sandbox = with(configuration, &[("a.py", CODE), ("tools/it.py", script)]);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..3)
            .map(|n| {
                let sandbox = &sandbox;
                let (body, branch) = (format!("return {}", 10 + n), format!("b{n}"));
                scope.spawn(move || replace(sandbox, &body, &["--branch", &branch]))
            })
            .collect();
        for run in runs {
            published(&run.join().unwrap());
        }
    });
}

#[test]
fn what_is_staged_and_pushed_meets_the_same_gate() {
    let sandbox = ruled();
    let check = |sandbox: &Sandbox, trust: &str| {
        sandbox.run(
            sandbox
                .segedit_command()
                .args(["check", "--staged", "--format", "json"])
                .env("GIT_SEGEDIT_TRUST", trust),
            b"",
        )
    };
    sandbox.write("a.py", CODE.replace("return 1", "return 'BAD'"));
    sandbox.git(&["add", "."]);
    assert_eq!(
        codes(&check(&sandbox, "ask").json(), "errors"),
        ["config-untrusted"]
    );
    let run = check(&sandbox, "always");
    assert_eq!(run.exit, 1, "{run}");
    assert_eq!(codes(&run.json(), "errors"), ["validator-failed"]);
    let findings = run.json()["validators"][0]["findings"].clone();
    assert_eq!(
        (
            &findings[0]["line"],
            &findings[0]["new"],
            &findings[1]["new"]
        ),
        (&2.into(), &true.into(), &false.into()),
        "{run}"
    );
    // What is not staged has no say, on either side.
    sandbox.write("a.py", CODE.replace("return 1", "return 2"));
    sandbox.git(&["add", "."]);
    sandbox.write("a.py", CODE.replace("return 1", "return 'BAD'"));
    assert_eq!(check(&sandbox, "always").exit, 0);
    sandbox.git(&["commit", "-qam", "bad"]);
    // A server that has the hook, and trusts.
    let server = sandbox.copy_bare();
    server.git(&["update-ref", "refs/heads/main", "HEAD~1"]);
    sandbox.git(&["config", "--global", "segedit.trust", "always"]);
    server.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let installed = server.segedit(&["hooks", "install"]);
    assert_eq!(installed.exit, 0, "{installed}");
    let before = server.digest();
    let url = server.repo().display().to_string();
    let push = sandbox.shell(&format!("git push '{url}' main"));
    assert!(
        push.exit != 0 && push.err().contains("a.py:2:13: B001"),
        "{push}"
    );
    assert!(before == server.digest());
    sandbox.write("a.py", CODE.replace("return 1", "return 3"));
    sandbox.git(&["commit", "-qa", "--amend", "-m", "good"]);
    let push = sandbox.shell(&format!("git push '{url}' main"));
    assert_eq!(push.exit, 0, "{push}");
}

#[test]
fn what_decides_for_one_tool_is_still_judged_by_the_others() {
    let configuration = format!(
        "{RULED}  - name: second\n    files: [\"*.py\"]\n    command: [python3, other/rules.py, \"{{files}}\"]\n    output: gcc\n"
    );
    let sandbox = with(
        &configuration,
        &[
            ("a.py", CODE),
            ("tools/rules.py", RULES),
            ("other/rules.py", RULES),
        ],
    );
    // The first validator keeps the base's copy of its own script; the second judges the new one.
    let new = RULES.replace("bad = False", "bad = False  # BAD");
    let report = refused(&sandbox, "validator-failed", 1, || {
        trusted(
            &sandbox,
            &[
                "replace",
                "tools/rules.py",
                "--content",
                &new,
                "--allow-remove",
                "--format",
                "json",
            ],
        )
    });
    let failed: Vec<&str> = report["validators"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|v| v["status"] == "failed")
        .map(|v| v["name"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["second"], "{report:#}");
    // What stands beside a script could take its part.
    let report = refused(&sandbox, "validator-failed", 1, || {
        let ops = "version: 1\noperations:\n  - {op: create, file: tools/sys.py, content: \"argv = ['']\\ndef exit(code): pass\\n\"}\n  \
            - {op: replace, file: a.py, symbol: f, part: body, content: \"return 'BAD'\"}\n";
        sandbox.run(
            sandbox
                .segedit_command()
                .args(["apply", "--format", "json", "-"])
                .env("GIT_SEGEDIT_TRUST", "always"),
            ops.as_bytes(),
        )
    });
    assert!(
        codes(&report, "warnings").contains(&"config-untrusted".to_owned()),
        "{report:#}"
    );
}

#[test]
fn a_batch_cannot_plant_the_program_that_judges_the_next() {
    let configuration = "version: 1\nvalidators: [{preset: ruff}]\n";
    let fake = "#!/bin/sh\necho planted >&2\nexit 1\n";
    let plant = |sandbox: &Sandbox| {
        let ops = format!(
            "version: 1\noperations:\n  - {{op: create, file: .venv/bin/ruff, executable: true, content: {fake:?}}}\n  - {{op: replace, file: a.py, allow_remove: true, content: \"x = 2\\n\"}}\n"
        );
        sandbox.run(
            sandbox
                .segedit_command()
                .args(["apply", "--format", "json", "-"])
                .env("GIT_SEGEDIT_TRUST", "always"),
            ops.as_bytes(),
        )
    };
    let sandbox = with(configuration, &[("a.py", "x = 1\n")]);
    refused(&sandbox, "config-untrusted", 4, || plant(&sandbox));
    // One that the repository brings along is not taken either.
    let sandbox = with(
        configuration,
        &[("a.py", "x = 1\n"), (".venv/bin/ruff", fake)],
    );
    sandbox.git(&["update-index", "--chmod=+x", ".venv/bin/ruff"]);
    sandbox.git(&["commit", "-qm", "x"]);
    sandbox.git(&["checkout", "-q", "."]);
    let run = replace_whole(&sandbox, "a.py", "x = 3\n");
    assert!(
        !String::from_utf8_lossy(&run.stdout).contains("planted"),
        "{run}"
    );
}

fn replace_whole(sandbox: &Sandbox, file: &str, content: &str) -> Run {
    trusted(
        sandbox,
        &[
            "replace",
            file,
            "--content",
            content,
            "--allow-remove",
            "--format",
            "json",
        ],
    )
}

#[test]
fn trust_shows_the_filters_of_the_clone_that_it_lets_start() {
    let sandbox = Sandbox::with(&[
        ("a.py", "x = 1\n"),
        (
            ".segedit.yaml",
            "version: 1\nvalidators: [{preset: ruff}]\n",
        ),
    ]);
    let plain = sandbox.segedit(&["trust", "--dry-run"]);
    assert!(
        plain.exit == 0 && !plain.out().contains("filter"),
        "{plain}"
    );
    sandbox.git(&["config", "filter.strip.clean", "tools/strip --all"]);
    sandbox.git(&["config", "--global", "filter.mine.clean", "cat"]);
    let shown = sandbox.segedit(&["trust", "--dry-run"]);
    let text = shown.out();
    assert!(
        text.contains("filter filter.strip.clean ")
            && text.contains("    runs  tools/strip --all\n"),
        "{shown}"
    );
    assert!(!text.contains("filter.mine"), "the caller's own: {shown}");
    let json = sandbox.segedit(&["trust", "--dry-run", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out()).unwrap();
    assert_eq!(json["filters"]["filter.strip.clean"], "tools/strip --all");
    assert_eq!(json["untrusted_filters"], serde_json::json!(["strip"]));
}

#[test]
fn a_filter_of_the_clone_that_is_new_or_changed_is_asked_about_anew() {
    // With a configuration of its own, and without: `git segedit trust` needs none.
    for configuration in [None, Some("version: 1\nvalidators: [{preset: ruff}]\n")] {
        let mut files = vec![("a.txt", "one\n"), (".gitattributes", "*.txt filter=x\n")];
        files.extend(configuration.map(|text| (".segedit.yaml", text)));
        let sandbox = Sandbox::with(&files);
        let mark = sandbox.aside().join("mark");
        let touch = |more: &str| format!("touch '{}'; cat{more}", mark.display());
        let check = || {
            // With other bytes than the index knows, it takes the filter to say what is stored.
            sandbox.write("a.txt", "one\ntwo\n");
            let edit = ["--destination", "worktree", "--dry-run", "--text", "two"];
            let run =
                sandbox.segedit(&[&["replace", "a.txt", "--content", "2"], &edit[..]].concat());
            for reader in [
                &["outline", "a.txt"][..],
                &["show", "a.txt"],
                &["find", "f"],
            ] {
                sandbox.segedit(reader);
            }
            let started = mark.exists();
            let _ = std::fs::remove_file(&mark);
            (run, started)
        };
        let withheld = |why: &str| {
            let (run, started) = check();
            assert!(!started && run.exit == 4, "{run}");
            let said = run.err();
            assert!(
                said.contains("config-untrusted") && said.contains("filter `x`"),
                "{run}"
            );
            assert!(
                said.contains(why) && said.contains("`git segedit trust`"),
                "{run}"
            );
        };
        let starts = || {
            let (run, started) = check();
            assert!(started && run.exit == 0, "{run}");
        };
        sandbox.git(&["config", "filter.x.clean", &touch("")]);
        withheld("until it is trusted in this clone");
        assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
        starts();
        sandbox.git(&["config", "filter.x.clean", &touch(" -")]);
        withheld("has changed since it was trusted");
        // What goes before the command that was trusted is another one.
        sandbox.git(&["config", "filter.x.clean", &touch("")]);
        starts();
        sandbox.git(&["config", "filter.x.process", &touch("")]);
        withheld("has changed since it was trusted");
        sandbox.git(&["config", "--unset", "filter.x.process"]);
        // One that another file brings in is of the clone's as well.
        sandbox.write(
            ".git/more",
            "[filter \"x\"]\n\tclean = touch nothing; cat\n",
        );
        sandbox.git(&["config", "include.path", "more"]);
        withheld("has changed since it was trusted");
        sandbox.git(&["config", "--unset", "include.path"]);
        starts();
        // A filter beside it, which is not asked for.
        sandbox.git(&["config", "filter.y.clean", &touch("")]);
        assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
        starts();
        assert_eq!(sandbox.segedit(&["trust", "--revoke"]).exit, 0);
        withheld("until it is trusted in this clone");
    }
}

#[test]
fn trust_in_a_configuration_is_none_in_the_hooks_of_the_clone() {
    let sandbox = Sandbox::with(&[("a.py", "x = 1\n"), (".segedit.yaml", "version: 1\n")]);
    let mark = sandbox.aside().join("mark");
    let hook = sandbox.git_folder().join("hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    let edit = ["replace", "a.py::x", "--content", "x = 2", "--dry-run"];
    let run = sandbox.segedit(&edit);
    assert!(
        run.exit == 0 && run.err().contains("pre-commit hook was not asked"),
        "{run}"
    );
    assert!(!mark.exists(), "{run}");
}

#[test]
fn a_changed_script_asks_for_trust_anew() {
    let sandbox = ruled();
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    let edit = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 2",
        "--format",
        "json",
    ];
    published(&sandbox.segedit(&edit));
    sandbox.write("tools/rules.py", RULES.replace("B001", "B002"));
    sandbox.commit_all("other rules");
    let edit = [
        "replace",
        "a.py::f",
        "--part",
        "body",
        "--content",
        "return 3",
        "--format",
        "json",
    ];
    refused(&sandbox, "config-untrusted", 4, || sandbox.segedit(&edit));
}

#[test]
fn a_command_that_cannot_judge_is_no_verdict() {
    let broken = RULES.replace("import sys", "import sys, nosuchmodule");
    let sandbox = with(RULED, &[("a.py", CODE), ("tools/rules.py", &broken)]);
    refused(&sandbox, "validator-crashed", 1, || {
        replace(&sandbox, "return 2", &[])
    });
    let exit = with(
        "version: 1\nvalidators: [{name: it, command: [\"false\"]}]\n",
        &[("a.py", CODE)],
    );
    let report = published(&replace(&exit, "return 2", &[]));
    assert_eq!(
        codes(&report, "warnings"),
        ["validator-failed"],
        "{report:#}"
    );
}

#[test]
fn a_configuration_that_does_not_count_is_told() {
    let sandbox = Sandbox::with(&[("a.py", CODE)]);
    sandbox.write(".segedit.yaml", RULED);
    let report = published(&replace(&sandbox, "return 2", &[]));
    assert_eq!(codes(&report, "warnings"), ["config-untrusted"]);
    // A link could lead anywhere.
    std::fs::remove_file(sandbox.repo().join(".segedit.yaml")).unwrap();
    std::os::unix::fs::symlink("elsewhere.yaml", sandbox.repo().join(".segedit.yaml")).unwrap();
    sandbox.commit_all("link");
    refused(&sandbox, "config-invalid", 4, || {
        replace(&sandbox, "return 3", &[])
    });
}

#[test]
fn a_broken_configuration_is_kept_out_and_can_be_mended() {
    let sandbox = Sandbox::with(&[(".segedit.yaml", "version: 1\n"), ("a.py", CODE)]);
    refused(&sandbox, "config-invalid", 4, || {
        replace_whole(&sandbox, ".segedit.yaml", "version: 2\n")
    });
    sandbox.write(".segedit.yaml", "version: 2\n");
    sandbox.git(&["add", "."]);
    assert_eq!(sandbox.segedit(&["check", "--staged"]).exit, 4);
    sandbox.git(&["commit", "-qm", "broken"]);
    refused(&sandbox, "config-invalid", 4, || {
        replace(&sandbox, "return 2", &[])
    });
    published(&replace_whole(&sandbox, ".segedit.yaml", "version: 1\n"));
    published(&replace(&sandbox, "return 2", &[]));
}

#[test]
fn what_a_killed_batch_left_is_settled_before_anything_is_refused() {
    let sandbox = with(
        "version: 1\nvalidators: [{name: it, command: [\"true\"]}]\n",
        &[("a.py", CODE)],
    );
    for _ in 0..40 {
        let mut command = sandbox.segedit_command();
        command
            .args([
                "replace",
                "a.py::f",
                "--part",
                "body",
                "--content",
                "return 7",
            ])
            .env("GIT_SEGEDIT_TRUST", "always");
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        let journal = sandbox.git_folder().join("segedit/journal");
        let began = Instant::now();
        while !journal.exists()
            && child.try_wait().unwrap().is_none()
            && began.elapsed() < Duration::from_secs(10)
        {}
        let _ = child.kill();
        child.wait().unwrap();
        let next = replace(&sandbox, "return 8", &[]);
        assert_eq!(next.exit, 0, "{next}\n{sandbox}");
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "", "{sandbox}");
        published(&replace(&sandbox, "return 9", &[]));
    }
}

#[test]
fn what_becomes_of_the_configuration_is_said_in_so_many_words() {
    let says = |sandbox: &Sandbox, args: &[&str]| {
        let run = trusted(sandbox, &[args, &["--format", "json"]].concat());
        assert_eq!(run.exit, 0, "{run}");
        run.json()["warnings"].to_string()
    };
    let edit = ["replace", "a.py::f", "--content", "def f(): return 2"];
    // There, and not to be read: not that it is not committed.
    let batch = "version: 1\nmode: interactive\noperations: [{op: replace, file: a.py, symbol: f, content: 'def f(): return 2'}]\n";
    let broken = with("version: 9\n", &[("a.py", CODE), ("batch.yaml", batch)]);
    let said = says(&broken, &["apply", "batch.yaml"]);
    assert!(
        said.contains("config-invalid") && !said.contains("is not committed"),
        "{said}"
    );
    let unborn = Sandbox::with(&[("a.py", CODE)]);
    unborn.write(".segedit.yaml", RULED);
    assert!(says(&unborn, &edit).contains("is not committed"));
    let ruled = ruled();
    let batch = ruled.aside().join("batch.yaml");
    std::fs::write(
        &batch,
        "version: 1\noperations: [{op: remove, file: .segedit.yaml}]\n",
    )
    .unwrap();
    let said = says(&ruled, &["apply", batch.to_str().unwrap()]);
    assert!(
        said.contains("nothing judges later ones") && !said.contains("has to be trusted"),
        "{said}"
    );
}
