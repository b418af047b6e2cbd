//! The repository's own hooks when a batch makes a commit: asked and told as `git commit` would, in a place of their own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{Run, Sandbox};

const BEFORE: &str = "def f():\n    return 1\n\n\ndef g():\n    return 1\n";
const GOOD: &str = "def f():\n    return 11\n";
const EVIL: &str = "def f():\n    return eval('1')\n";

/// Refuses what no reviewer would pass.
const NO_EVAL: &str =
    "if git diff --cached | grep -q '^+.*eval('; then echo 'eval( is not allowed'; exit 3; fi\n";

/// A repository whose hooks a check may ask as well.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(&[("a.py", BEFORE), ("b.py", "x = 1\n")]);
    sandbox.git(&["config", "--global", "segedit.trust", "always"]);
    sandbox
}

#[test]
fn a_check_asks_no_hook_of_a_repository_that_is_not_trusted() {
    let sandbox = sandbox();
    sandbox.git(&["config", "--global", "--unset", "segedit.trust"]);
    hook(
        &sandbox,
        "pre-commit",
        &format!(
            "touch '{}'; exit 3\n",
            sandbox.aside().join("noted").display()
        ),
    );
    let report = published(&sandbox, GOOD, &["--dry-run"]);
    assert!(
        report.out().contains("the pre-commit hook was not asked"),
        "{report}"
    );
    assert!(!sandbox.aside().join("noted").exists());
    refused(&sandbox, GOOD, &[], "validator-failed");
    assert!(sandbox.aside().join("noted").exists());
}

#[test]
fn a_hook_that_lacks_what_is_not_tracked_says_where_it_ran() {
    let sandbox = Sandbox::with(&[
        ("a.py", "def f():\n    return 1\n"),
        (".gitignore", "node_modules\n"),
    ]);
    let tool = sandbox.repo().join("node_modules/.bin");
    install(&tool, "lint-staged", "exit 0\n");
    hook(
        &sandbox,
        "pre-commit",
        "PATH=\"node_modules/.bin:$PATH\"\nlint-staged\n",
    );
    let said = refused(&sandbox, GOOD, &[], "validator-missing");
    assert!(
        said.contains("a copy of the tracked files") && said.contains("`--no-verify`"),
        "{said}"
    );
    assert!(replace(&sandbox, GOOD, &["--no-verify"]).exit == 0);
    // In a draft it is no matter of where that fits.
    let call = |tool: &str, sent: &str| {
        let mut command = sandbox.segedit_command();
        sandbox.run(command.args(["call", tool]), sent.as_bytes())
    };
    let edit = r#"{"path":"a.py","old":"def f","new":"def g","draft":"d"}"#;
    assert_eq!(call("segedit_edit", edit).exit, 0);
    let run = call("segedit_apply", r#"{"draft":"d","message":"m"}"#);
    let said = format!("{}{}", run.out(), run.err());
    assert!(run.exit == 1 && said.contains("--no-verify"), "{run}");
    assert!(
        !said.contains("the draft fits") && !said.contains("mend what"),
        "{run}"
    );
}

/// Puts a hook where git looks for it.
fn install(folder: &Path, name: &str, script: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), format!("#!/bin/sh\n{script}")).unwrap();
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn hook(sandbox: &Sandbox, name: &str, script: &str) {
    install(&sandbox.git_folder().join("hooks"), name, script);
}

fn replace(sandbox: &Sandbox, content: &str, extra: &[&str]) -> Run {
    let args = [
        "replace",
        "a.py::f",
        "--content",
        content,
        "--format",
        "json",
        "--no-diff",
        "--message",
        "subject",
    ];
    sandbox.segedit(&[&args, extra].concat())
}

/// Checks that the batch was refused with `code` and that nothing moved.
#[track_caller]
fn refused(sandbox: &Sandbox, content: &str, extra: &[&str], code: &str) -> String {
    let before = sandbox.digest();
    let run = replace(sandbox, content, extra);
    assert!(run.exit == 1, "{run}\n{sandbox}");
    assert_eq!(run.json()["errors"][0]["code"], code, "{run}");
    assert!(
        before == sandbox.digest(),
        "something moved\n{run}\n{sandbox}"
    );
    run.out()
}

#[track_caller]
fn published(sandbox: &Sandbox, content: &str, extra: &[&str]) -> Run {
    let run = replace(sandbox, content, extra);
    assert!(run.exit == 0, "{run}\n{sandbox}");
    run
}

/// Returns an operation file that creates a file.
fn create(path: &str) -> String {
    format!(
        "version: 1\nmessage: create\noperations:\n  - {{op: create, file: {path}, content: \"x = 1\\n\"}}\n"
    )
}

/// Reads what a hook noted beside the repository.
fn noted(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.aside().join("noted")).unwrap_or_default()
}

#[test]
fn a_hook_that_may_refuse_publishes_nothing() {
    let program = env!("CARGO_BIN_EXE_git-segedit");
    let words = [
        "--branch bot",
        "--destination worktree",
        "--destination stash",
    ];
    for (name, words) in [
        ("pre-commit", words[0]),
        ("commit-msg", words[1]),
        ("pre-commit", words[2]),
    ] {
        let sandbox = sandbox();
        let script = format!(
            "'{program}' replace b.py::x --content 'x = 9' --no-verify {words} 2>'{}'\n",
            sandbox.aside().join("noted").display()
        );
        hook(&sandbox, name, &script);
        refused(&sandbox, GOOD, &[], "validator-failed");
        assert!(
            noted(&sandbox).contains("ref updates forbidden inside quarantine environment"),
            "{sandbox}"
        );
        // Where the hook does not mind, the commit is made, and nothing hangs in the air.
        hook(&sandbox, name, &format!("{script}exit 0\n"));
        published(&sandbox, GOOD, &[]);
        assert_eq!(
            sandbox.git(&["for-each-ref", "refs/heads/bot", "refs/stash"]),
            ""
        );
        assert_eq!(sandbox.git(&["status", "--short"]), "");
        sandbox.git(&["fsck", "--strict"]);
    }
}

#[test]
fn a_pre_commit_hook_refuses() {
    let sandbox = sandbox();
    hook(&sandbox, "pre-commit", NO_EVAL);
    let report = refused(&sandbox, EVIL, &[], "validator-failed");
    assert!(
        report.contains("the pre-commit hook refused the commit (exit 3)"),
        "{report}"
    );
    assert!(report.contains("eval( is not allowed"), "{report}");
    refused(&sandbox, EVIL, &["--dry-run"], "validator-failed");
    let human = sandbox.segedit(&["replace", "a.py::f", "--content", EVIL]);
    assert!(human.err().contains("eval( is not allowed"), "{human}");
    published(&sandbox, GOOD, &["--dry-run"]);
    published(&sandbox, GOOD, &[]);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}

#[test]
fn it_sees_what_git_commit_would_show_it() {
    let sandbox = sandbox();
    // What the caller has going on is none of the commit's.
    sandbox.write("b.py", "x = 2\n");
    sandbox.git(&["add", "b.py"]);
    sandbox.write("untracked.py", "y = 1\n");
    let script = "exec >\"$NOTED\"\ngit symbolic-ref HEAD\ngit diff --cached --name-only\ngit diff --name-only\n\
        git status --porcelain\nls\ngrep return a.py\ncat b.py\necho \"$GIT_AUTHOR_NAME <$GIT_AUTHOR_EMAIL> $GIT_EDITOR $# ${GIT_PREFIX-unset}\"\n\
        git rev-parse --show-cdup --is-inside-work-tree\ngit rev-list --count HEAD\ngit log -1 --format=%s\necho done\n";
    hook(
        &sandbox,
        "pre-commit",
        &script.replace("$NOTED", &sandbox.aside().join("noted").to_string_lossy()),
    );
    published(&sandbox, GOOD, &["--author", "Bot <bot@example.org>"]);
    let expected = "refs/heads/main\na.py\nM  a.py\na.py\nb.py\n    return 11\n    return 1\nx = 1\n\
        Bot <bot@example.org> : 0 \n\ntrue\n1\nfirst\ndone\n";
    assert_eq!(noted(&sandbox), expected);
    assert_eq!(
        sandbox.git(&["status", "--porcelain"]),
        "M  b.py\n?? untracked.py"
    );
}

#[test]
fn files_changed_in_passing_are_not_committed_and_staged_ones_refuse() {
    let sandbox = sandbox();
    hook(
        &sandbox,
        "pre-commit",
        "echo '# formatted' >>a.py\necho x >new.py\n",
    );
    published(&sandbox, GOOD, &[]);
    assert_eq!(
        sandbox.git(&["diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD"]),
        "a.py"
    );
    assert!(!sandbox.git(&["show", "HEAD:a.py"]).contains("formatted"));
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");

    hook(
        &sandbox,
        "pre-commit",
        "echo '# formatted' >>b.py\ngit add b.py\n",
    );
    let report = refused(&sandbox, "def f():\n    return 12\n", &[], "drift");
    assert!(
        report.contains("the pre-commit hook staged changes of its own: b.py"),
        "{report}"
    );
    hook(&sandbox, "pre-commit", "git rm -q --cached b.py\n");
    refused(&sandbox, "def f():\n    return 12\n", &[], "drift");
    // What the last one left behind is not what the next one finds.
    hook(
        &sandbox,
        "pre-commit",
        "test ! -e new.py && ! grep formatted a.py b.py\n",
    );
    published(&sandbox, "def f():\n    return 12\n", &[]);
}

#[test]
fn the_message_is_the_hooks_to_change_and_to_refuse() {
    let sandbox = sandbox();
    hook(
        &sandbox,
        "prepare-commit-msg",
        "test \"$2\" = message && test $# = 2 && echo 'Prepared: yes' >>\"$1\"\n",
    );
    hook(
        &sandbox,
        "commit-msg",
        "grep -q '^Prepared: yes' \"$1\" || exit 1\nprintf 'Change-Id: I1  \\n\\n\\n' >>\"$1\"\n",
    );
    published(&sandbox, GOOD, &[]);
    let message = sandbox.git(&["log", "-1", "--format=%B"]);
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(
        (lines[0], lines[1], &lines[3..]),
        ("subject", "", &["Prepared: yes", "Change-Id: I1"][..]),
        "{message}"
    );
    assert!(lines[2].starts_with("Segedit-Batch: "), "{message}");

    let again = "def f():\n    return 12\n";
    hook(&sandbox, "commit-msg", "echo 'no ticket' >&2\nexit 1\n");
    let report = refused(&sandbox, again, &[], "validator-failed");
    assert!(
        report.contains("the commit-msg hook refused the commit (exit 1)"),
        "{report}"
    );
    assert!(report.contains("no ticket"), "{report}");
    hook(
        &sandbox,
        "commit-msg",
        "sed -i 's/^Segedit-Batch: .*/Segedit-Batch: forged/' \"$1\"\n",
    );
    refused(&sandbox, again, &[], "validator-failed");
    hook(&sandbox, "commit-msg", ": >\"$1\"\n");
    refused(&sandbox, again, &[], "validator-failed");
    hook(&sandbox, "commit-msg", "kill -9 $$\n");
    assert!(refused(&sandbox, again, &[], "validator-failed").contains("(signal 9)"));
    hook(&sandbox, "commit-msg", "true\n");
    hook(&sandbox, "prepare-commit-msg", "exit 1\n");
    refused(&sandbox, again, &[], "validator-failed");
}

#[test]
fn post_commit_is_told_and_cannot_refuse() {
    let sandbox = sandbox();
    let file = sandbox.aside().join("noted").to_string_lossy().into_owned();
    let script = format!(
        "(git symbolic-ref HEAD; git log -1 --format=%s; git status --porcelain; grep -c eval a.py) >{file}\ngit tag told\n"
    );
    hook(&sandbox, "post-commit", &script);
    published(&sandbox, GOOD, &["--dry-run"]);
    assert_eq!(noted(&sandbox), "");
    published(&sandbox, GOOD, &[]);
    assert_eq!(noted(&sandbox), "refs/heads/main\nsubject\n0\n");
    assert_eq!(
        sandbox.git(&["rev-parse", "told"]),
        sandbox.git(&["rev-parse", "HEAD"]),
        "it may name what is there"
    );
    hook(&sandbox, "post-commit", "echo oh\nexit 1\n");
    let run = published(&sandbox, "def f():\n    return 12\n", &[]);
    assert_eq!(run.json()["status"], "published", "{run}");
    assert!(
        run.json()["warnings"][0]["message"]
            .to_string()
            .contains("the post-commit hook failed (exit 1)"),
        "{run}"
    );
}

#[test]
fn index_and_files_follow_a_post_commit_hook_that_commits() {
    let once = "[ -n \"$ONCE\" ] && exit 0\nexport ONCE=1\n";
    let again = "git log -1 --format=%s >>CHANGES; git add CHANGES; git commit -q -m 'log it'\n";
    let amend =
        "git log -1 --format=%s >>CHANGES; git add CHANGES; git commit -q --amend --no-edit\n";
    for (commits, subjects) in [(again, "log it\nsubject"), (amend, "subject")] {
        let sandbox = sandbox();
        sandbox.write("b.py", "x = 2  # mine\n");
        sandbox.write("staged.py", "y = 1\n");
        sandbox.git(&["add", "staged.py"]);
        hook(&sandbox, "post-commit", &format!("{once}{commits}"));
        let first = sandbox.git(&["rev-parse", "HEAD"]);
        let run = published(&sandbox, GOOD, &[]);
        assert_eq!(
            sandbox.git(&["log", "--format=%s", &format!("{first}..")]),
            subjects
        );
        let status = sandbox.git_with_input(&["status", "--porcelain"], b"");
        assert_eq!(
            String::from_utf8(status).unwrap(),
            " M b.py\nA  staged.py\n",
            "{run}"
        );
        assert_eq!(
            fs::read_to_string(sandbox.repo().join("CHANGES")).unwrap(),
            "subject\n"
        );
        let tip = sandbox.git(&["rev-parse", "HEAD"]);
        let warnings = run.json()["warnings"].to_string();
        // The commit of the report is not on the branch any more.
        assert_eq!(warnings.contains(&tip), commits == amend, "{warnings}");
    }
}

#[test]
fn where_index_and_files_cannot_follow_a_post_commit_hook_it_is_said() {
    let sandbox = sandbox();
    sandbox.write("b.py", "x = 2  # mine\n");
    let commits = "echo 'x = 3' >b.py; git commit -qam 'of the hook'\n";
    hook(
        &sandbox,
        "post-commit",
        &format!("[ -n \"$ONCE\" ] && exit 0\nexport ONCE=1\n{commits}"),
    );
    let run = published(&sandbox, GOOD, &[]);
    let warnings = run.json()["warnings"].to_string();
    assert!(
        warnings.contains(&sandbox.git(&["rev-parse", "HEAD"])) && warnings.contains("b.py"),
        "{warnings}"
    );
    assert_eq!(
        fs::read_to_string(sandbox.repo().join("b.py")).unwrap(),
        "x = 2  # mine\n"
    );
    // Where the branch is not checked out there is nothing to follow.
    let sandbox = self::sandbox();
    sandbox.git(&["branch", "side"]);
    hook(
        &sandbox,
        "post-commit",
        &format!("[ -n \"$ONCE\" ] && exit 0\nexport ONCE=1\n{commits}"),
    );
    let run = published(&sandbox, GOOD, &["--branch", "side"]);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    assert_eq!(run.json()["warnings"].to_string(), "[]");
}

#[test]
fn hooks_are_found_where_git_finds_them() {
    let sandbox = sandbox();
    install(&sandbox.aside().join("elsewhere"), "pre-commit", "exit 1\n");
    sandbox.git(&[
        "config",
        "core.hooksPath",
        &sandbox.aside().join("elsewhere").to_string_lossy(),
    ]);
    refused(&sandbox, GOOD, &[], "validator-failed");
    // One that counts from the worktree is the worktree's own, not what the batch makes of it.
    sandbox.git(&["config", "--unset", "core.hooksPath"]);
    install(
        &sandbox.repo().join("tools/hooks"),
        "pre-commit",
        "exit 1\n",
    );
    sandbox.commit_all("hooks");
    sandbox.git(&["config", "core.hooksPath", "tools/hooks"]);
    refused(&sandbox, GOOD, &[], "validator-failed");
    let forged = "version: 1\nmessage: forged\noperations:\n  - {op: remove, file: tools/hooks/pre-commit}\n";
    let run = sandbox.segedit_with_input(&["apply", "-"], forged.as_bytes());
    assert_eq!(run.exit, 1, "{run}");
    // Without a line that says what reads it, it is the shell's; without the bit it is nobody's.
    fs::write(sandbox.repo().join("tools/hooks/pre-commit"), "exit 1\n").unwrap();
    refused(&sandbox, GOOD, &[], "validator-failed");
    fs::set_permissions(
        sandbox.repo().join("tools/hooks/pre-commit"),
        fs::Permissions::from_mode(0o644),
    )
    .unwrap();
    published(&sandbox, GOOD, &[]);
}

#[test]
fn without_hooks_nothing_is_laid_out() {
    let sandbox = sandbox();
    published(&sandbox, GOOD, &[]);
    hook(&sandbox, "pre-commit", "exit 1\n");
    let args = [
        "replace",
        "a.py::g",
        "--content",
        "def g():\n    return 2\n",
        "--destination",
        "index",
    ];
    assert_eq!(sandbox.segedit(&args).exit, 0, "only commits have hooks");
    assert!(!sandbox.git_folder().join("segedit/checkouts").exists());
}

#[test]
fn bare_repositories_and_other_branches() {
    let sandbox = sandbox();
    sandbox.git(&["branch", "side"]);
    for (folder, branch) in [("", "side"), ("", "new"), ("bare", "main")] {
        let bare = (folder == "bare").then(|| sandbox.copy_bare());
        let sandbox = bare.as_ref().unwrap_or(&sandbox);
        let noted_at = sandbox.aside().join("noted").to_string_lossy().into_owned();
        hook(
            sandbox,
            "pre-commit",
            &format!(
                "(git symbolic-ref -q HEAD; git diff --cached --name-only; ls) >{noted_at}\n{NO_EVAL}"
            ),
        );
        refused(sandbox, EVIL, &["--branch", branch], "validator-failed");
        published(sandbox, GOOD, &["--branch", branch]);
        // A branch that is to be has no HEAD yet: it begins at a commit.
        let head = if branch == "new" {
            String::new()
        } else {
            format!("refs/heads/{branch}\n")
        };
        assert_eq!(
            noted(sandbox),
            format!("{head}a.py\na.py\nb.py\n"),
            "{folder} {branch}"
        );
        assert!(
            sandbox
                .git(&["show", &format!("{branch}:a.py")])
                .contains("return 11")
        );
    }
    let unborn = Sandbox::unborn();
    hook(
        &unborn,
        "pre-commit",
        &format!(
            "git symbolic-ref HEAD >{}\n{NO_EVAL}",
            unborn.aside().join("noted").display()
        ),
    );
    let run = unborn.segedit_with_input(&["apply", "-"], create("a.py").as_bytes());
    assert_eq!(run.exit, 0, "{run}");
    assert_eq!(noted(&unborn), "refs/heads/main\n");
}

#[test]
fn no_verify_skips_what_it_skips_in_git() {
    let sandbox = sandbox();
    for name in [
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
    ] {
        let noted = sandbox.aside().join("noted");
        hook(
            &sandbox,
            name,
            &format!("echo {name} >>{}\n", noted.display()),
        );
    }
    let run = published(&sandbox, GOOD, &["--no-verify"]);
    assert_eq!(noted(&sandbox), "prepare-commit-msg\npost-commit\n");
    let warnings = run.json()["warnings"].to_string();
    assert!(
        warnings.contains("the pre-commit hook was not run"),
        "{run}"
    );
    assert!(
        warnings.contains("the commit-msg hook was not run"),
        "{run}"
    );
    published(&sandbox, "def f():\n    return 12\n", &[]);
    let all = "prepare-commit-msg\npost-commit\npre-commit\nprepare-commit-msg\ncommit-msg\npost-commit\n";
    assert_eq!(noted(&sandbox), all);
}

#[test]
fn each_operation_file_of_a_call_has_its_turn() {
    let sandbox = sandbox();
    let at = sandbox.aside().join("noted").display().to_string();
    let look =
        "git log -1 --format=%s; git diff --cached | grep '^[-+] '; git symbolic-ref -q HEAD";
    hook(
        &sandbox,
        "pre-commit",
        &format!("({look}) >>{at}\n{NO_EVAL}"),
    );
    hook(&sandbox, "commit-msg", "echo 'Seen: yes' >>\"$1\"\n");
    hook(
        &sandbox,
        "post-commit",
        &format!("(git log -1 --format=told:%s; git symbolic-ref -q HEAD) >>{at}\n"),
    );
    let write = |name: &str, symbol: &str, content: &str| {
        let text = format!(
            "version: 1\nmessage: {name}\noperations:\n  - op: replace\n    file: a.py\n    symbol: {symbol}\n    content: |\n{content}"
        );
        fs::write(sandbox.aside().join(name), text).unwrap();
        sandbox.aside().join(name).to_string_lossy().into_owned()
    };
    let one = write("one", "f", "      def f():\n          return 'one'\n");
    let two = write("two", "g", "      def g():\n          return 'two'\n");
    let bad = write("bad", "g", "      def g():\n          return eval('two')\n");
    let before = sandbox.digest();
    let run = sandbox.segedit(&["apply", &one, &bad]);
    assert_eq!(run.exit, 1, "{run}");
    assert!(before == sandbox.digest(), "all or none\n{run}\n{sandbox}");
    fs::remove_file(&at).unwrap();
    let run = sandbox.segedit(&["apply", &one, &two]);
    assert_eq!(run.exit, 0, "{run}");
    let expected = "first\n-    return 1\n+    return 'one'\nrefs/heads/main\n\
        one\n-    return 1\n+    return 'two'\ntold:one\ntold:two\nrefs/heads/main\n";
    assert_eq!(noted(&sandbox), expected, "{run}");
    assert_eq!(
        sandbox.git(&[
            "log",
            "--format=%s %(trailers:key=Seen,valueonly,separator=%x2C)"
        ]),
        "two yes\none yes\nfirst "
    );
}

#[test]
fn a_hook_cannot_leave_a_ref_to_what_may_never_be_stored() {
    let sandbox = sandbox();
    hook(
        &sandbox,
        "pre-commit",
        "git update-ref refs/tags/mine \"$(git commit-tree -m x \"$(git write-tree)\")\"\n",
    );
    refused(&sandbox, GOOD, &[], "validator-failed");
    assert_eq!(
        sandbox.git(&["for-each-ref", "--format=%(refname)"]),
        "refs/heads/main"
    );
}

#[test]
fn the_tool_itself_works_in_a_hook() {
    let sandbox = sandbox();
    let tool = env!("CARGO_BIN_EXE_git-segedit");
    let at = sandbox.aside().join("noted").display().to_string();
    hook(
        &sandbox,
        "pre-commit",
        &format!("{tool} show ':a.py::f' >{at} && {tool} show a.py::f >>{at}\n"),
    );
    fs::write(sandbox.aside().join("told.yaml"), create("told.txt")).unwrap();
    let other = format!(
        "{tool} apply {} --branch other --message told\n",
        sandbox.aside().join("told.yaml").display()
    );
    hook(
        &sandbox,
        "post-commit",
        &format!("test \"$(git log -1 --format=%s)\" = told || {other}"),
    );
    let run = published(&sandbox, GOOD, &[]);
    assert_eq!(
        noted(&sandbox).matches("return 11").count(),
        2,
        "{}",
        noted(&sandbox)
    );
    assert_eq!(run.json()["warnings"].to_string(), "[]", "{run}");
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s", "other"]), "told");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}
