//! The presets with the real tools: what each accepts, what it rejects, and what it leaves alone.

mod cases;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use segedit::config::{FORMATTERS, VALIDATORS};
use segedit::linters::Finding;
use segedit::linters::formats;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::tools;
use crate::support::{Run, Sandbox};
use cases::{BROKEN, CASES, Case, EXCLUDED, FORMATTED};

/// What `apply` makes of a batch that replaces the case's file by `content`.
fn apply(case: &Case, content: &str) -> (Sandbox, Run) {
    let configuration = format!("version: 1\nvalidators:\n  - preset: {}\n", case.preset);
    let mut files = vec![
        (".segedit.yaml", configuration.as_str()),
        (case.file, case.clean),
    ];
    files.extend(case.project);
    let sandbox = Sandbox::with(&files);
    let batch = json!({"version": 1, "operations": [{"op": "replace", "file": case.file, "content": content}]});
    let mut command = sandbox.segedit_command();
    command.args(["apply", "--format", "json", "-"]);
    command
        .env("GIT_SEGEDIT_TRUST", "always")
        .env("PATH", tools::path());
    let run = sandbox.run(&mut command, batch.to_string().as_bytes());
    (sandbox, run)
}

#[test]
fn every_preset_accepts_and_rejects() {
    for case in CASES.iter().filter(|case| tools::has(case.tool)) {
        let (sandbox, run) = apply(case, case.accepted);
        let report = run.json();
        assert_eq!(run.exit, 0, "{}\n{run}\n{sandbox}", case.preset);
        assert_eq!(report["status"], "published", "{}\n{run}", case.preset);
        assert_eq!(
            report["validators"][0]["status"], "passed",
            "{}\n{run}",
            case.preset
        );

        let (sandbox, run) = apply(case, case.rejected);
        let report = run.json();
        assert_eq!(run.exit, 1, "{}\n{run}\n{sandbox}", case.preset);
        assert_eq!(report["status"], "rejected", "{}\n{run}", case.preset);
        assert_eq!(
            report["errors"][0]["code"], "validator-failed",
            "{}\n{run}",
            case.preset
        );
        let findings = report["validators"][0]["findings"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let expected = |finding: &Value| {
            finding["path"] == case.path
                && finding["line"] == json!(case.line)
                && finding["rule"] == json!(case.rule)
                && finding["message"]
                    .as_str()
                    .is_some_and(|message| message.contains(case.message))
                && finding["new"] == true
        };
        assert!(findings.iter().any(expected), "{}\n{run}", case.preset);
    }
}

/// What a validator's own command line made of a folder.
struct Judged {
    exit: i32,
    is_verdict: bool,
    findings: Result<Vec<Finding>, String>,
    streams: String,
}

impl Judged {
    /// Returns the findings that count.
    #[track_caller]
    fn counting(&self, preset: &str) -> Vec<&Finding> {
        let known = known(preset);
        let findings = self
            .findings
            .as_ref()
            .unwrap_or_else(|why| panic!("{preset}: {why}\n{}", self.streams));
        findings
            .iter()
            .filter(|finding| finding.severity >= known.counts)
            .collect()
    }
}

fn known(preset: &str) -> &'static segedit::config::ValidatorPreset {
    let named = VALIDATORS
        .iter()
        .find(|known| known.name == preset || known.aliases.contains(&preset));
    named.unwrap_or_else(|| panic!("no preset {preset}"))
}

/// Runs the preset's command line on `paths` in `folder`.
fn judge(preset: &str, folder: &Path, paths: &[&str]) -> Judged {
    let preset = known(preset);
    // One for all runs, as a repository has one: mypy takes seconds to read its stubs anew.
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/presets-cache");
    let words = preset.command.iter().flat_map(|word| {
        if *word == "{args}" {
            preset.args.to_vec()
        } else {
            vec![*word]
        }
    });
    let words = words.flat_map(|word| match word {
        "{files}" => paths.to_vec(),
        "{all}" => vec!["--", "."],
        word => vec![word],
    });
    let words: Vec<String> = words.map(|word| word.replace("{cache}", cache)).collect();
    let output = tool(&words, folder)
        .envs(preset.env.iter().copied())
        .output()
        .expect("the tool starts");
    let exit = output.status.code().unwrap_or(-1);
    let streams = format!(
        "{}\n--- status {exit}\n{}\n{}",
        words.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let findings = formats::read(preset.output, &output.stdout, &output.stderr, folder);
    Judged {
        exit,
        is_verdict: preset.verdicts.contains(&exit),
        findings,
        streams,
    }
}

/// Returns a command with the tools on its `PATH` and a home of its own.
fn tool(words: &[String], folder: &Path) -> Command {
    let mut command = Command::new(tools::folder().join("bin").join(&words[0]));
    command
        .args(&words[1..])
        .current_dir(folder)
        .stdin(Stdio::null());
    command
        .env_clear()
        .env("PATH", tools::path())
        .env("HOME", folder.join("../home"))
        .env("LC_ALL", "C");
    command
}

/// Makes a folder below a temporary one.
fn project(files: &[(&str, &str)]) -> TempDir {
    let root = TempDir::with_prefix("segedit-presets-").expect("a temporary folder");
    fs::create_dir_all(root.path().join("home")).expect("the home folder");
    for (path, content) in files {
        let path = root.path().join("work").join(path);
        fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("the file's folder");
        fs::write(path, content).expect("a file of the project");
    }
    root
}

fn work(root: &TempDir) -> std::path::PathBuf {
    root.path().join("work")
}

#[test]
fn command_lines_are_understood() {
    for case in CASES.iter().filter(|case| tools::has(case.tool)) {
        let with = |content| [case.project, &[(case.file, content)]].concat();
        let root = project(&with(case.accepted));
        let judged = judge(case.preset, &work(&root), &[case.file]);
        assert_eq!(
            (judged.exit, judged.counting(case.preset)),
            (0, Vec::new()),
            "{}",
            judged.streams
        );
        let left: Vec<_> = fs::read_dir(work(&root))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(
            left.len(),
            case.project.len() + 1,
            "{} left something behind: {left:?}",
            case.preset
        );
        let root = project(&with(case.rejected));
        let judged = judge(case.preset, &work(&root), &[case.file]);
        assert!(judged.is_verdict && judged.exit != 0, "{}", judged.streams);
        let expected = |finding: &&Finding| {
            finding.path.as_deref() == Some(case.path)
                && finding.line == case.line
                && finding.rule.as_deref() == case.rule
                && finding.message.contains(case.message)
        };
        assert!(
            judged.counting(case.preset).iter().any(expected),
            "{:?}\n{}",
            judged.findings,
            judged.streams
        );
    }
}

#[test]
fn odd_paths_are_paths() {
    // As the words of a command line: what begins oddly has `./` in front.
    let stems = [
        "a b",
        "./[a]",
        "a{b}",
        "./-x",
        "./!n",
        "./#h",
        "./@y",
        "a*",
        "a?c",
        "./:c",
        "é%20",
        "a'\"$(b)",
        "x/[slug]/y",
    ];
    for case in CASES
        .iter()
        .filter(|case| tools::has(case.tool) && known(case.preset).args.contains(&"{files}"))
    {
        let extension = case
            .file
            .rsplit('.')
            .next()
            .expect("a file has an extension");
        let paths: Vec<String> = stems
            .iter()
            .map(|stem| format!("{stem}.{extension}"))
            .collect();
        let mut files = case.project.to_vec();
        files.extend(paths.iter().map(|path| (path.as_str(), case.rejected)));
        let root = project(&files);
        let words: Vec<&str> = paths.iter().map(String::as_str).collect();
        let judged = judge(case.preset, &work(&root), &words);
        assert!(judged.is_verdict, "{}", judged.streams);
        for path in &paths {
            let path = path.trim_start_matches("./");
            let found = judged
                .counting(case.preset)
                .iter()
                .any(|finding| finding.path.as_deref() == Some(path));
            assert!(
                found,
                "{}: nothing on {path}\n{}",
                case.preset, judged.streams
            );
        }
    }
}

#[test]
fn what_the_project_excludes_stays_excluded() {
    for (preset, configuration, text) in EXCLUDED {
        let case = CASES
            .iter()
            .find(|case| case.preset == *preset)
            .expect("every preset has a case");
        if !tools::has(case.tool) {
            continue;
        }
        let mut files = case.project.to_vec();
        files.extend([(case.file, case.rejected), (configuration, text)]);
        let root = project(&files);
        let judged = judge(preset, &work(&root), &[case.file]);
        assert!(
            judged.is_verdict && judged.counting(preset).is_empty(),
            "{preset}\n{}",
            judged.streams
        );
    }
}

#[test]
fn a_broken_configuration_is_no_verdict() {
    for (preset, configuration, text) in BROKEN {
        let case = CASES
            .iter()
            .find(|case| case.preset == *preset)
            .expect("every preset has a case");
        if !tools::has(case.tool) {
            continue;
        }
        let mut files = case.project.to_vec();
        files.extend([(case.file, case.clean), (configuration, text)]);
        let root = project(&files);
        let judged = judge(preset, &work(&root), &[case.file]);
        assert!(!judged.is_verdict, "{preset}\n{}", judged.streams);
    }
}

#[test]
fn formatters_keep_to_their_range() {
    for (name, file, content, expected) in FORMATTED.iter().filter(|(name, ..)| tools::has(name)) {
        let preset = FORMATTERS
            .iter()
            .find(|preset| preset.name == *name)
            .expect("a formatter of that name");
        let (start, end) = line_two(content);
        let range = preset.range.iter().map(|word| {
            let word = word.replace("{first}", "2").replace("{last}", "2");
            word.replace("{start}", &start.to_string())
                .replace("{end}", &end.to_string())
        });
        let mut words = Vec::new();
        for word in preset.command {
            match *word {
                "{args}" => {}
                "{range}" => words.extend(range.clone()),
                word => words.push(word.replace("{file}", file)),
            }
        }
        let root = project(&[]);
        fs::create_dir(work(&root)).expect("an empty project");
        let input = root.path().join("input");
        fs::write(&input, content).expect("the formatter's input");
        let output = tool(&words, &work(&root))
            .stdin(fs::File::open(&input).expect("its input"))
            .output();
        let output = output.expect("the formatter starts");
        let streams = format!("{words:?}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{streams}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            *expected,
            "{streams}"
        );
    }
}

#[test]
fn every_formatter_formats_the_edited_lines_of_a_batch() {
    for (name, file, content, expected) in FORMATTED.iter().filter(|(name, ..)| tools::has(name)) {
        let configuration = format!("version: 1\nformatters:\n  - preset: {name}\n");
        let line = content.lines().nth(1).expect("several lines");
        let untouched = content.replace(line, &line.replace("  ", "   "));
        let sandbox = Sandbox::with(&[
            (".segedit.yaml", configuration.as_str()),
            (file, &untouched),
        ]);
        let batch = json!({"version": 1, "operations": [{"op": "replace", "file": file, "lines": 2, "content": line}]});
        let mut command = sandbox.segedit_command();
        command.args(["apply", "--format", "json", "-"]);
        command
            .env("GIT_SEGEDIT_TRUST", "always")
            .env("PATH", tools::path());
        let run = sandbox.run(&mut command, batch.to_string().as_bytes());
        assert_eq!(run.exit, 0, "{name}\n{run}");
        assert_eq!(
            sandbox.git(&["show", &format!("HEAD:{file}")]) + "\n",
            *expected,
            "{name}\n{run}"
        );
        assert_eq!(
            run.json()["formatters"][0]["status"],
            "passed",
            "{name}\n{run}"
        );
    }
}

/// Replaces the whole of `file` with everything trusted and the tools at hand.
fn replace(sandbox: &Sandbox, file: &str, content: &str) -> Run {
    let mut command = sandbox.segedit_command();
    command.args([
        "replace",
        file,
        "--content",
        content,
        "--format",
        "json",
        "--no-diff",
    ]);
    sandbox.run(
        command
            .env("GIT_SEGEDIT_TRUST", "always")
            .env("PATH", tools::path()),
        b"",
    )
}

#[test]
fn what_mypy_remembers_is_never_of_another_version() {
    if !tools::has("mypy") {
        return;
    }
    let sandbox = Sandbox::with(&[
        (
            ".segedit.yaml",
            "version: 1\nvalidators: [{preset: mypy}]\n",
        ),
        ("a.py", "x: int = 11\n"),
    ]);
    // Of one length and within one second, again and again.
    for number in 12..18 {
        let good = replace(&sandbox, "a.py", &format!("x: int = {number}\n"));
        assert_eq!(good.exit, 0, "{good}");
        let bad = replace(&sandbox, "a.py", "x: int = ''\n");
        assert_eq!(bad.exit, 1, "{bad}");
    }
}

#[test]
fn mypy_reads_what_the_project_says_it_reads() {
    if !tools::has("mypy") {
        return;
    }
    let files = [
        (
            ".segedit.yaml",
            "version: 1\nvalidators: [{preset: mypy}]\n",
        ),
        ("mypy.ini", "[mypy]\nfiles = src\n"),
        ("src/a.py", "x: int = 1\n"),
        ("other.py", "x: int = 1\n"),
    ];
    let sandbox = Sandbox::with(&files);
    assert_eq!(
        replace(&sandbox, "other.py", "x: int = ''\n").exit,
        0,
        "not its business"
    );
    assert_eq!(replace(&sandbox, "src/a.py", "x: int = ''\n").exit, 1);
    sandbox.git(&["rm", "-q", "-r", "src", "mypy.ini"]);
    sandbox.git(&["commit", "-qm", "less"]);
    let mut command = sandbox.segedit_command();
    command
        .args(["apply", "--format", "json", "-"])
        .env("GIT_SEGEDIT_TRUST", "always")
        .env("PATH", tools::path());
    let last = sandbox.run(
        &mut command,
        b"version: 1\noperations: [{op: remove, file: other.py}]\n",
    );
    assert_eq!(last.exit, 0, "nothing is left to judge\n{last}");
}

#[test]
fn ruff_knows_the_projects_own_packages() {
    if !tools::has("ruff") {
        return;
    }
    let files = [
        (
            ".segedit.yaml",
            "version: 1\nvalidators: [{preset: ruff}]\n",
        ),
        ("ruff.toml", "[lint]\nselect = ['I', 'INP']\n"),
        ("mypkg/__init__.py", ""),
        ("mypkg/a.py", "x = 1\n"),
        ("app.py", "print()\n"),
    ];
    let sandbox = Sandbox::with(&files);
    let sorted = replace(
        &sandbox,
        "app.py",
        "import requests\n\nimport mypkg\n\nprint(requests, mypkg)\n",
    );
    assert_eq!(sorted.exit, 0, "{sorted}");
    let unsorted = replace(
        &sandbox,
        "app.py",
        "import mypkg\nimport requests\n\nprint(requests, mypkg)\n",
    );
    assert_eq!(unsorted.exit, 1, "{unsorted}");
    assert_eq!(
        replace(&sandbox, "mypkg/a.py", "x = 2\n").exit,
        0,
        "the package has its __init__.py"
    );
}

#[test]
fn formatters_leave_the_form_of_a_file_alone() {
    let check = |tool: &str, file: &str, before: &str, line: usize, content: &str, after: &str| {
        if !tools::has(tool) {
            return;
        }
        let configuration = format!("version: 1\nformatters: [{{preset: {tool}}}]\n");
        let sandbox = Sandbox::with(&[(".segedit.yaml", configuration.as_str()), (file, before)]);
        let batch = json!({"version": 1, "operations": [{"op": "replace", "file": file, "lines": line, "content": content}]});
        let mut command = sandbox.segedit_command();
        command
            .args(["apply", "--format", "json", "-"])
            .env("GIT_SEGEDIT_TRUST", "always")
            .env("PATH", tools::path());
        let run = sandbox.run(&mut command, batch.to_string().as_bytes());
        assert_eq!(run.exit, 0, "{tool}\n{run}");
        let blob = sandbox.git_with_input(&["cat-file", "blob", &format!("HEAD:{file}")], b"");
        assert_eq!(String::from_utf8_lossy(&blob), after, "{tool}\n{run}");
    };
    check(
        "black",
        "a.py",
        "a = 1\nb = 2",
        1,
        "a  =  3",
        "a = 3\nb = 2",
    );
    check(
        "prettier",
        "a.js",
        "a = 1;\r\nb = 2;\r\n",
        1,
        "a  =  3;",
        "a = 3;\r\nb = 2;\r\n",
    );
    check(
        "ruff",
        "a.py",
        "\u{feff}a = 1\nb = 2\n",
        2,
        "b  =  3",
        "\u{feff}a = 1\nb = 3\n",
    );
    check(
        "gofmt",
        "a.go",
        "package a\n\nvar a = 1\nvar b = 2\n",
        3,
        "var   a = 3",
        "package a\n\nvar a = 3\nvar b = 2\n",
    );
}

/// Returns where the second line of ASCII text begins, and ends without its line ending.
fn line_two(content: &str) -> (usize, usize) {
    let start = content.find('\n').expect("several lines") + 1;
    let length = content[start..].find('\n').expect("several lines");
    (start, start + length)
}
