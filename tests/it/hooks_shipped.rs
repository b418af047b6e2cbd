//! Git hooks that the project ships, run by git itself: what they refuse, what they let pass, and how they are put
//! beside those of others.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::support::shell::{does, refuses};
use crate::support::{Sandbox, walk};

const GOOD: &str = "def f():\n    return 1\n";
const BAD: &str = "x =\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[("a.py", GOOD), ("b.py", GOOD), ("notes.txt", "x\n")])
}

/// Writes an executable hook of somebody else's.
fn foreign(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().expect("a hook stands in a folder"))
        .expect("the hooks' folder");
    fs::write(path, script).expect("a hook");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the hook's mode");
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path)
        .expect("a hook")
        .permissions()
        .mode()
        & 0o7777
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Makes a bare repository beside the sandbox's that holds its commits and is its remote `origin`.
fn server(sandbox: &Sandbox) -> PathBuf {
    let server = sandbox.aside().join("server.git");
    sandbox.git(&[
        "clone",
        "--quiet",
        "--bare",
        "--template=",
        ".",
        "../server.git",
    ]);
    sandbox.git(&["remote", "add", "origin", "../server.git"]);
    sandbox.git(&["fetch", "--quiet", "origin"]);
    server
}

/// Returns the names of all files of a bare repository: objects, refs, locks, leftovers of a quarantine.
fn files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    walk(folder, folder, &mut |name, _| files.push(name.to_owned()));
    files
}

#[test]
fn a_staged_error_is_refused_and_what_is_not_staged_has_no_say() {
    let sandbox = sandbox();
    does(&sandbox, "git segedit hooks install");
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    sandbox.write("a.py", BAD);
    sandbox.git(&["add", "a.py"]);
    let refused = refuses(
        &sandbox,
        "git commit -m bad",
        &[
            "error[syntax-error]: a.py:1:",
            "rejected: 1 error in 1 file",
        ],
    );
    assert_eq!(refused.exit, 1, "{refused}");
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(sandbox.git(&["diff", "--cached", "--name-only"]), "a.py");
    // The staged half is well, the other is not, and nothing is stashed on the way.
    sandbox.write("a.py", "def f():\n    return 2\n");
    sandbox.git(&["add", "a.py"]);
    sandbox.write("a.py", BAD);
    let passed = does(&sandbox, "git commit -m half");
    assert!(passed.err().contains("verified: 1 file staged"), "{passed}");
    assert_eq!(
        fs::read_to_string(sandbox.repo().join("a.py")).unwrap(),
        BAD
    );
    assert_eq!(
        sandbox.git(&["show", "HEAD:a.py"]),
        "def f():\n    return 2"
    );
    // git stages these itself, in an index of its own.
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    refuses(&sandbox, "git commit -a -m all", &["a.py:1:"]);
    refuses(&sandbox, "git commit -m one a.py", &["a.py:1:"]);
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head);
    sandbox.write("b.py", "def f():\n    return 3\n");
    does(&sandbox, "git commit -m other b.py");
    assert_eq!(sandbox.git(&["show", "--name-only", "--format="]), "b.py");
    does(&sandbox, "git commit -a -m anyway --no-verify");
    // Whoever found a broken file may leave it so, and move it, but not break it further.
    sandbox.git(&["mv", "a.py", "moved.py"]);
    does(&sandbox, "git commit -m moved");
    sandbox.write("moved.py", format!("{BAD}\ny =\n"));
    refuses(&sandbox, "git commit -a -m worse", &["moved.py:3:"]);
}

#[test]
fn a_first_commit_is_judged_too_and_a_merge_goes_through() {
    let sandbox = Sandbox::unborn();
    does(&sandbox, "git segedit hooks install");
    sandbox.write("a.py", BAD);
    refuses(&sandbox, "git add . && git commit -m first", &["a.py:1:"]);
    sandbox.write("a.py", GOOD);
    does(
        &sandbox,
        "git add . && git commit -m first && git checkout -q -b side && git commit --allow-empty -m side",
    );
    does(
        &sandbox,
        "git checkout -q main && git commit --allow-empty -m main && git merge -m merge side",
    );
}

#[test]
fn a_merge_answers_for_what_none_of_its_parents_has() {
    let sandbox = sandbox();
    sandbox.git(&["checkout", "-q", "-b", "legacy"]);
    sandbox.write("tests/broken_input.py", BAD);
    sandbox.commit_all("a fixture");
    let server = server(&sandbox);
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("c.py", GOOD);
    sandbox.commit_all("mine");
    does(&sandbox, "git segedit hooks install");
    let there = server.to_str().expect("a plain name");
    does(&sandbox, &format!("git -C {there} segedit hooks install"));

    // By git without a stop, by hand, and on its way to a server.
    does(
        &sandbox,
        "git merge --no-edit legacy && git push origin main",
    );
    does(
        &sandbox,
        "git reset -q --hard HEAD~1 && git merge --no-commit legacy && git commit --no-edit",
    );
    // What it brings of its own counts.
    does(&sandbox, "git reset -q --hard HEAD~1");
    let stopped = "git merge --no-commit legacy";
    does(&sandbox, stopped);
    sandbox.write("c.py", BAD);
    refuses(&sandbox, "git commit -a --no-edit", &["c.py:1:"]);
    does(&sandbox, "git commit -a --no-edit --no-verify");
    refuses(
        &sandbox,
        "git push --no-verify origin main:evil",
        &["c.py:1:"],
    );
    // So does what its other parent brings, where that is new as well.
    does(
        &sandbox,
        "git reset -q --hard HEAD~1 && git checkout -q legacy",
    );
    sandbox.write("tests/broken_input.py", format!("{BAD}\n{BAD}"));
    sandbox.write("new.py", BAD);
    does(
        &sandbox,
        "git add . && git commit -m worse --no-verify && git checkout -q main && git merge --no-edit legacy",
    );
    refuses(
        &sandbox,
        "git push --no-verify origin main:evil",
        &["new.py:1:"],
    );
}

#[test]
fn what_a_server_refuses_never_arrives() {
    let sandbox = sandbox();
    let server = server(&sandbox);
    does(&sandbox, "git -C ../server.git segedit hooks install");
    assert_eq!(names(&server.join("hooks")), ["pre-receive"]);
    sandbox.write("a.py", "def f():\n    return 2\n");
    sandbox.commit_all("good");
    let passed = does(&sandbox, "git push origin main");
    assert!(
        passed
            .err()
            .contains("remote: verified: 1 commit, 1 file changed"),
        "{passed}"
    );
    assert_eq!(
        sandbox.git(&["--git-dir=../server.git", "rev-parse", "main"]),
        sandbox.git(&["rev-parse", "main"])
    );
    // Bad in the middle: the tip is well again, the commit before it is not.
    sandbox.write("a.py", BAD);
    sandbox.commit_all("bad");
    sandbox.write("a.py", GOOD);
    sandbox.commit_all("mended");
    let before = (
        files(&server),
        sandbox.git(&["--git-dir=../server.git", "for-each-ref"]),
    );
    let words = [
        "pre-receive hook declined",
        "remote: == commit ",
        " bad",
        "a.py:1:",
        "rejected: 1 of 2 commits",
    ];
    refuses(&sandbox, "git push origin main", &words);
    refuses(&sandbox, "git push origin main:refs/heads/new", &words);
    assert_eq!(
        (
            files(&server),
            sandbox.git(&["--git-dir=../server.git", "for-each-ref"])
        ),
        before
    );
    // Tags and deletions are no commits, and a new branch of known ones brings none.
    does(
        &sandbox,
        "git tag -a -m t v1 HEAD~2 && git tag tree HEAD^{tree}",
    );
    does(
        &sandbox,
        "git push origin HEAD~2:refs/heads/new v1 tree && git push origin :new :v1",
    );
    sandbox.git(&["reset", "--quiet", "--hard", "HEAD~2"]);
    sandbox.git(&["checkout", "--quiet", "--orphan", "root"]);
    sandbox.write("a.py", BAD);
    sandbox.commit_all("another root");
    refuses(
        &sandbox,
        "git push origin root",
        &["pre-receive hook declined", "another root"],
    );
}

#[test]
fn a_push_is_refused_before_it_leaves() {
    let sandbox = sandbox();
    server(&sandbox);
    does(&sandbox, "git segedit hooks install --hook pre-push");
    assert_eq!(names(&sandbox.git_folder().join("hooks")), ["pre-push"]);
    sandbox.write("a.py", BAD);
    sandbox.commit_all("bad");
    refuses(
        &sandbox,
        "git push origin main",
        &["== commit ", "a.py:1:", "rejected: 1 of 1 commit\n"],
    );
    assert_ne!(
        sandbox.git(&["--git-dir=../server.git", "rev-parse", "main"]),
        sandbox.git(&["rev-parse", "main"])
    );
    // Without remote-tracking refs, what the remote has is told by the line itself.
    sandbox.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    refuses(
        &sandbox,
        "git push ../server.git main",
        &["rejected: 1 of 1 commit\n"],
    );
    does(&sandbox, "git push --no-verify origin main");
    // Nothing to push, a source with a space in its name, a deletion.
    does(
        &sandbox,
        "git push origin main && git commit -q --allow-empty -m 'two words'",
    );
    let passed = does(&sandbox, "git push origin 'HEAD^{/two words}:refs/heads/x'");
    assert!(
        passed.err().contains("verified: 1 commit, 0 files changed"),
        "{passed}"
    );
    assert_eq!(
        passed.out(),
        "",
        "standard output is for `git push --porcelain`\n{passed}"
    );
    does(&sandbox, "git push origin :x");
}

#[test]
fn a_foreign_hook_runs_first_and_comes_back_as_it_was() {
    let sandbox = sandbox();
    server(&sandbox);
    let hooks = sandbox.git_folder().join("hooks");
    let commit = "#!/bin/sh\necho \"$0 $#\" >>../ran\ntest ! -e ../refuse\n";
    let push = "#!/bin/sh\necho \"$1 $2\" >>../ran\ncat >>../ran\n";
    foreign(&hooks.join("pre-commit"), commit);
    foreign(&hooks.join("pre-push"), push);
    fs::set_permissions(hooks.join("pre-push"), fs::Permissions::from_mode(0o750)).unwrap();
    let installed = does(&sandbox, "git segedit hooks install");
    assert!(
        installed
            .out()
            .contains("installed pre-commit   ours, runs pre-commit.before-segedit first"),
        "{installed}"
    );
    assert_eq!(mode(&hooks.join("pre-commit")), 0o755);
    let again = does(&sandbox, "git segedit hooks install");
    assert_eq!(again.out().matches("unchanged ").count(), 2, "{again}");
    let ran = || {
        let said = fs::read_to_string(sandbox.aside().join("ran")).unwrap_or_default();
        let _ = fs::remove_file(sandbox.aside().join("ran"));
        said
    };
    sandbox.write("a.py", "def f():\n    return 2\n");
    does(&sandbox, "git commit -a -m good");
    assert_eq!(ran(), ".git/hooks/pre-commit.before-segedit 0\n");
    does(&sandbox, "touch ../refuse");
    sandbox.write("a.py", BAD);
    let refused = refuses(&sandbox, "git commit -a -m bad", &[]);
    assert!(
        !refused.err().contains("syntax-error"),
        "ours ran though the first refused\n{refused}"
    );
    does(&sandbox, "rm ../refuse");
    refuses(&sandbox, "git commit -a -m bad", &["syntax-error"]);
    ran();
    does(&sandbox, "git commit -q -a -m bad --no-verify");
    let (old, new) = (
        sandbox.git(&["rev-parse", "origin/main"]),
        sandbox.git(&["rev-parse", "main"]),
    );
    refuses(
        &sandbox,
        "git push origin main",
        &["rejected: 1 of 2 commits"],
    );
    assert_eq!(
        ran(),
        format!("origin ../server.git\nrefs/heads/main {new} refs/heads/main {old}\n")
    );
    let removed = does(&sandbox, "git segedit hooks uninstall");
    assert!(
        removed.out().contains("restored pre-commit   foreign\n"),
        "{removed}"
    );
    assert_eq!(names(&hooks), ["pre-commit", "pre-push"]);
    assert_eq!(
        fs::read_to_string(hooks.join("pre-commit")).unwrap(),
        commit
    );
    assert_eq!(fs::read_to_string(hooks.join("pre-push")).unwrap(), push);
    assert_eq!(
        (
            mode(&hooks.join("pre-commit")),
            mode(&hooks.join("pre-push"))
        ),
        (0o755, 0o750)
    );
    let again = does(&sandbox, "git segedit hooks uninstall");
    assert_eq!(again.out().matches("unchanged ").count(), 3, "{again}");
    assert_eq!(
        fs::read_to_string(hooks.join("pre-commit")).unwrap(),
        commit
    );
}

#[test]
fn a_hook_that_asks_for_its_name_is_told_of() {
    let sandbox = sandbox();
    let hooks = sandbox.git_folder().join("hooks");
    foreign(
        &hooks.join("run"),
        "#!/bin/sh\ncase $(basename \"$0\") in pre-commit) exit 1;; esac\n",
    );
    symlink("run", hooks.join("pre-commit")).expect("a link");
    foreign(&hooks.join("pre-push"), "#!/bin/sh\nmake check\n");
    let note = "pre-commit.before-segedit asks for its own file name";
    for command in ["install", "status", "install"] {
        let said = does(&sandbox, &format!("git segedit hooks {command}")).to_string();
        assert_eq!(said.matches(note).count(), 1, "{command}: {said}");
        assert!(!said.contains("pre-push.before-segedit asks"), "{said}");
    }
    let gone = does(&sandbox, "git segedit hooks uninstall").to_string();
    assert!(!gone.contains("git segedit check"), "{gone}");
}

#[test]
fn links_samples_and_hooks_that_do_not_run_are_kept_as_they_are() {
    let sandbox = sandbox();
    let hooks = sandbox.git_folder().join("hooks");
    fs::create_dir_all(&hooks).unwrap();
    fs::write(hooks.join("pre-commit.sample"), "#!/bin/sh\nexit 1\n").unwrap();
    fs::write(hooks.join("pre-push"), "#!/bin/sh\nexit 1\n").unwrap();
    foreign(
        &sandbox.aside().join("shared hook"),
        "#!/bin/sh\necho shared\n",
    );
    symlink("../../../shared hook", hooks.join("pre-commit")).unwrap();
    symlink("nowhere", hooks.join("pre-receive")).unwrap();
    let before = does(&sandbox, "git segedit hooks status");
    assert!(before.out().contains("pre-commit   foreign\n"), "{before}");
    assert!(
        before
            .out()
            .contains("pre-push     foreign, not executable: git passes it over\n"),
        "{before}"
    );
    does(
        &sandbox,
        "git segedit hooks install --hook pre-commit pre-push pre-receive",
    );
    let report = sandbox
        .segedit(&["hooks", "status", "--format", "json"])
        .json();
    assert_eq!(report["hooks"][1]["state"], "chained", "{report}");
    assert_eq!(
        report["hooks"][1]["aside"],
        format!(
            "{}/pre-push.before-segedit",
            report["folder"].as_str().unwrap()
        )
    );
    let committed = does(&sandbox, "git commit --allow-empty -m empty");
    assert!(committed.err().contains("shared\n"), "{committed}");
    does(&sandbox, "git segedit hooks uninstall");
    assert_eq!(
        names(&hooks),
        ["pre-commit", "pre-commit.sample", "pre-push", "pre-receive"]
    );
    assert_eq!(
        fs::read_link(hooks.join("pre-commit")).unwrap(),
        Path::new("../../../shared hook")
    );
    assert_eq!(
        fs::read_link(hooks.join("pre-receive")).unwrap(),
        Path::new("nowhere")
    );
    assert_eq!(mode(&hooks.join("pre-push")) & 0o111, 0);
}

#[test]
fn nothing_is_changed_where_two_hooks_of_others_meet() {
    let sandbox = sandbox();
    let hooks = sandbox.git_folder().join("hooks");
    foreign(&hooks.join("pre-push"), "#!/bin/sh\necho first\n");
    does(&sandbox, "git segedit hooks install");
    foreign(&hooks.join("pre-push"), "#!/bin/sh\necho second\n");
    let folder = |hooks: &Path| {
        names(hooks)
            .into_iter()
            .map(|name| (fs::read(hooks.join(&name)).unwrap(), name))
            .collect::<Vec<_>>()
    };
    let before = folder(&hooks);
    for action in ["install", "uninstall"] {
        let run = sandbox.segedit(&["hooks", action, "--format", "json"]);
        assert_eq!(run.exit, 4, "{run}");
        assert_eq!(run.json()["errors"][0]["code"], "changed-since", "{run}");
        assert_eq!(folder(&hooks), before);
    }
    let status = does(&sandbox, "git segedit hooks status");
    assert!(
        status
            .out()
            .contains("foreign, and pre-push.before-segedit was moved aside before"),
        "{status}"
    );
    // Ours was taken away by hand: what was moved aside is still somebody's.
    fs::remove_file(hooks.join("pre-push")).unwrap();
    does(&sandbox, "git segedit hooks uninstall");
    assert_eq!(
        fs::read_to_string(hooks.join("pre-push")).unwrap(),
        "#!/bin/sh\necho first\n"
    );
    fs::remove_file(hooks.join("pre-push")).unwrap();
    fs::create_dir(hooks.join("pre-push")).unwrap();
    assert_eq!(sandbox.segedit(&["hooks", "install"]).exit, 4);
    assert_eq!(names(&hooks), ["pre-push"]);
}

#[test]
fn an_older_one_of_ours_is_brought_up_to_date() {
    let sandbox = sandbox();
    does(&sandbox, "git segedit hooks install");
    let path = sandbox.git_folder().join("hooks/pre-commit");
    let script = fs::read_to_string(&path).unwrap();
    let push = sandbox.git_folder().join("hooks/pre-push");
    let pushing = fs::read_to_string(&push).unwrap();
    // The first version's, and one in which somebody took lines away.
    let comment = "# To standard error, because what `git push --porcelain` writes to the other one is for programs.\n";
    fs::write(
        &push,
        pushing
            .replace(comment, "")
            .replace("--pushed >&2", "--pushed"),
    )
    .unwrap();
    fs::write(
        &path,
        script.lines().take(6).collect::<Vec<_>>().join("\n") + "\n\n",
    )
    .unwrap();
    let run = does(&sandbox, "git segedit hooks install");
    assert!(
        run.out().contains("updated pre-commit   ours\n") && run.out().contains("updated pre-push"),
        "{run}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), script);
    assert_eq!(fs::read_to_string(&push).unwrap(), pushing);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    does(&sandbox, "git segedit hooks install");
    assert_eq!(mode(&path), 0o755);
    does(&sandbox, "git segedit hooks uninstall");
    assert_eq!(names(&sandbox.git_folder().join("hooks")), [""; 0]);
}

/// Other tools add a line to the hook that is there, and so do people.
#[test]
fn lines_that_others_added_to_one_of_ours_are_not_dropped() {
    let check = |edit: &dyn Fn(&str) -> String, first: &str, is_chained: bool| {
        let sandbox = sandbox();
        let hooks = sandbox.git_folder().join("hooks");
        if is_chained {
            foreign(&hooks.join("pre-push"), "#!/bin/sh\n");
        }
        does(&sandbox, "git segedit hooks install");
        let path = hooks.join("pre-push");
        let edited = edit(&fs::read_to_string(&path).unwrap());
        fs::write(&path, &edited).unwrap();
        for action in ["install", "uninstall"] {
            let run = sandbox.segedit(&["hooks", action, "--format", "json"]);
            assert_eq!(run.exit, 4, "{run}");
            assert_eq!(run.json()["errors"][0]["code"], "changed-since", "{run}");
            assert!(
                run.json()["errors"][0]["message"]
                    .as_str()
                    .unwrap()
                    .ends_with(first),
                "{run}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), edited);
            assert!(hooks.join("pre-commit").exists(), "{run}");
        }
        let status = does(&sandbox, "git segedit hooks status");
        assert!(
            status.out().contains("with lines of others in it"),
            "{status}"
        );
        // The others are no concern of it.
        does(&sandbox, "git segedit hooks uninstall --hook pre-commit");
    };
    check(
        &|ours| format!("{ours}git lfs pre-push \"$@\"\n"),
        "line 17: git lfs pre-push \"$@\"",
        false,
    );
    check(
        &|ours| format!("{ours}git lfs pre-push \"$@\""),
        "line 17: git lfs pre-push \"$@\"",
        true,
    );
    check(
        &|ours| ours.replace("pushed=${pushed%.}", "make test\npushed=${pushed%.}"),
        "line 6: make test",
        false,
    );
}

/// What ours says is known when a batch is published, what somebody added to it is not.
#[test]
fn a_line_that_was_added_to_one_of_ours_runs_before_a_batch_is_published() {
    let sandbox = sandbox();
    does(&sandbox, "git segedit hooks install");
    let path = sandbox.git_folder().join("hooks/pre-commit");
    let flag = sandbox.aside().join("refuse");
    let line = format!("test ! -e '{}' || exit 1", flag.display());
    let edited = fs::read_to_string(&path)
        .unwrap()
        .replace("\nif [ -x", &format!("\n{line}\nif [ -x"));
    fs::write(&path, edited).unwrap();
    does(&sandbox, "touch ../refuse");
    let replace = "git segedit replace a.py::f --content 'def f(): return 2'";
    refuses(
        &sandbox,
        replace,
        &["validator-failed", "the pre-commit hook refused"],
    );
    does(&sandbox, "rm ../refuse");
    does(&sandbox, replace);
}

#[test]
fn hooks_go_where_git_looks_for_them() {
    let sandbox = sandbox();
    does(&sandbox, "git worktree add -q ../linked");
    does(&sandbox, "git -C ../linked segedit hooks install");
    assert_eq!(
        names(&sandbox.git_folder().join("hooks")),
        ["pre-commit", "pre-push"]
    );
    does(&sandbox, "git segedit hooks uninstall");
    let check = |configured: &str, folder: PathBuf| {
        sandbox.git(&["config", "core.hooksPath", configured]);
        does(
            &sandbox,
            "mkdir -p deep/er && cd deep/er && git segedit hooks install",
        );
        assert_eq!(names(&folder), ["pre-commit", "pre-push"], "{configured}");
        sandbox.write("a.py", BAD);
        refuses(&sandbox, "git commit -a -m bad", &["a.py:1:"]);
        does(&sandbox, "git segedit hooks uninstall");
        assert_eq!(names(&folder), [""; 0], "{configured}");
    };
    check("tools/hooks", sandbox.repo().join("tools/hooks"));
    check("../beside", sandbox.aside().join("beside"));
    check("~/hooks", sandbox.aside().join("home/hooks"));
    let absolute = sandbox.aside().join("absolute");
    check(absolute.to_str().unwrap(), absolute.clone());
    let noted = does(&sandbox, "git segedit hooks status");
    assert!(
        noted.err().contains("note: core.hooksPath names "),
        "{noted}"
    );
}

#[test]
fn hooks_do_not_go_through_a_link_out_of_the_repository() {
    let sandbox = sandbox();
    let (hooks, other) = (
        sandbox.git_folder().join("hooks"),
        sandbox.aside().join("other"),
    );
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("pre-commit"), "#!/bin/sh\n").unwrap();
    let _ = fs::remove_dir_all(&hooks);
    symlink(&other, &hooks).unwrap();
    let run = refuses(
        &sandbox,
        "git segedit hooks install",
        &["path-refused", "leads out of the repository"],
    );
    assert_eq!(run.exit, 3, "{run}");
    assert_eq!(names(&other), ["pre-commit"]);
    // A link to another place in git's own folder is nobody else's business.
    fs::remove_file(&hooks).unwrap();
    fs::create_dir_all(sandbox.git_folder().join("own")).unwrap();
    symlink("own", &hooks).unwrap();
    does(&sandbox, "git segedit hooks install");
    assert_eq!(
        names(&sandbox.git_folder().join("own")),
        ["pre-commit", "pre-push"]
    );
}

#[test]
fn hooks_that_the_repository_keeps_itself_are_left_to_it() {
    let sandbox = sandbox();
    let check = |words: &[&str]| {
        let before = sandbox.worktree_tree();
        let run = refuses(&sandbox, "git segedit hooks install", words);
        assert_eq!(run.exit, 4, "{run}");
        assert!(sandbox.worktree_tree() == before, "{sandbox}");
    };
    sandbox.write("githooks/pre-commit", "#!/bin/sh\n");
    sandbox.commit_all("hooks");
    sandbox.git(&["config", "core.hooksPath", "githooks"]);
    check(&[
        "add this line to githooks/pre-commit: git segedit check --staged",
        "githooks/pre-push: git segedit check --pushed",
    ]);
    // Ours among them is left to it too, and there is nothing to do for one that is there.
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/hooks/pre-commit");
    does(
        &sandbox,
        &format!(
            "cp '{ours}' githooks/ && chmod +x githooks/pre-commit && git segedit hooks install --hook pre-commit"
        ),
    );
    assert_eq!(
        refuses(&sandbox, "git segedit hooks uninstall", &["`git rm`"]).exit,
        4
    );
    does(&sandbox, "git checkout -q githooks");
    sandbox.git(&["config", "core.hooksPath", ".husky/_"]);
    sandbox.write(
        ".husky/_/pre-commit",
        "#!/bin/sh\n. \"$(dirname \"$0\")/h\"\n",
    );
    check(&["add this line to .husky/pre-commit: "]);
    for off in ["/dev/null", ""] {
        sandbox.git(&["config", "core.hooksPath", off]);
        check(&["hooks are turned off here"]);
    }
    sandbox.git(&["config", "--unset", "core.hooksPath"]);
    symlink("../githooks", sandbox.git_folder().join("hooks")).unwrap();
    check(&["add this line to githooks/pre-commit: "]);
}

#[test]
fn without_the_program_a_hook_says_how_to_go_on() {
    let sandbox = sandbox();
    server(&sandbox);
    does(
        &sandbox,
        "git segedit hooks install && git -C ../server.git segedit hooks install",
    );
    let programs = sandbox.aside().join("programs");
    fs::create_dir(&programs).unwrap();
    for program in ["git", "cat"] {
        let found = sandbox.shell(&format!("command -v {program}"));
        symlink(found.out().trim(), programs.join(program)).unwrap();
    }
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    refuses(
        &sandbox,
        "PATH=../programs; PATH=$(cd ../programs && pwd); git commit --allow-empty -m x",
        &[
            "pre-commit: git-segedit is not on the PATH",
            "--no-verify",
            ".git/hooks/pre-commit",
        ],
    );
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head);
    does(&sandbox, "git commit --no-verify --allow-empty -m x");
    let line = "PATH=$(cd ../programs && pwd); git push origin main";
    refuses(
        &sandbox,
        line,
        &["pre-push: git-segedit is not on the PATH"],
    );
    refuses(
        &sandbox,
        &format!("{line} --no-verify"),
        &[
            "pre-receive: git-segedit is not on the PATH here",
            "declined",
        ],
    );
}

#[test]
fn programs_are_told_of_what_was_judged() {
    let sandbox = sandbox();
    let unchanged = sandbox.segedit(&["check", "--staged", "--format", "json"]);
    assert_eq!(
        (unchanged.exit, &unchanged.json()["status"]),
        (0, &"unchanged".into()),
        "{unchanged}"
    );
    sandbox.write("a.py", "def f():\n    return 2\n");
    sandbox.write("new.py", BAD);
    sandbox.git(&["add", "."]);
    let run = sandbox.segedit(&["check", "--staged", "--format", "json"]);
    let report = run.json();
    assert_eq!(
        (run.exit, &report["status"]),
        (1, &"rejected".into()),
        "{run}"
    );
    assert_eq!(report["base"], sandbox.git(&["rev-parse", "HEAD"]));
    assert_eq!(report["files"][1]["path"], "new.py");
    assert_eq!(
        report["files"][1]["new_blob"],
        sandbox.git(&["rev-parse", ":new.py"])
    );
    assert_eq!(
        (
            &report["errors"][0]["path"],
            &report["errors"][0]["file_line"]
        ),
        (&"new.py".into(), &1.into()),
        "{run}"
    );
    let sarif = sandbox.segedit(&["check", "--staged", "--format", "sarif"]);
    let place = &sarif.json()["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "new.py", "{sarif}");
    let github = sandbox.segedit(&["check", "--staged", "--format", "github"]);
    assert!(
        github.err().starts_with("::error file=new.py,line=1,col="),
        "{github}"
    );
    sandbox.git(&["commit", "--quiet", "--message", "bad"]);
    let (old, new) = (
        sandbox.git(&["rev-parse", "HEAD^"]),
        sandbox.git(&["rev-parse", "HEAD"]),
    );
    let line = format!("refs/heads/main {new} refs/heads/main {old}\n");
    let run =
        sandbox.segedit_with_input(&["check", "--pushed", "--format", "json"], line.as_bytes());
    let report = run.json();
    assert_eq!(
        (run.exit, &report["status"], &report["commit"]),
        (1, &"rejected".into(), &new.as_str().into()),
        "{run}"
    );
    assert_eq!(
        report["batches"][0]["source"],
        format!("commit {} bad", &new[..8]),
        "{run}"
    );
    let nothing = sandbox.segedit_with_input(&["check", "--received", "--format", "json"], b"");
    assert_eq!(
        (nothing.exit, &nothing.json()["status"]),
        (0, &"unchanged".into()),
        "{nothing}"
    );
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let sandbox = sandbox();
    for args in [
        &["check", "--staged", "ops.yaml"][..],
        &["check", "--staged", "--pushed"],
        &["check", "--staged", "--base", "HEAD"],
        &["check"],
        &["hooks"],
        &["hooks", "install", "--hook", "post-commit"],
        &["check", "--pushed", "--format", "json"],
    ] {
        let run = sandbox.segedit_with_input(args, b"refs/heads/main HEAD refs/heads/main\n");
        assert_eq!(run.exit, 2, "{run}");
    }
    let unknown = "1".repeat(40);
    let run = sandbox.segedit_with_input(
        &["check", "--received"],
        format!("{unknown} {unknown} x\n").as_bytes(),
    );
    assert_eq!(run.exit, 5, "{run}");
    let bare = sandbox.copy_bare();
    assert_eq!(bare.segedit(&["check", "--staged"]).exit, 4);
    does(
        &sandbox,
        "git checkout -q -b side && echo 'x = 1' >a.py && git commit -q -a -m side && git checkout -q main",
    );
    does(
        &sandbox,
        "echo 'x = 2' >a.py && git commit -q -a -m main && ! git merge -q side",
    );
    let run = sandbox.segedit(&["check", "--staged", "--format", "json"]);
    assert_eq!(
        (run.exit, &run.json()["errors"][0]["code"]),
        (4, &"worktree-dirty".into()),
        "{run}"
    );
}

#[test]
fn a_tree_that_holds_itself_many_times_is_refused_before_it_is_unfolded() {
    let sandbox = sandbox();
    let blob = |text: &[u8]| {
        String::from_utf8(sandbox.git_with_input(&["hash-object", "-w", "--stdin"], text))
            .unwrap()
            .trim()
            .to_owned()
    };
    let tree = |mode: &str, name: &str, id: &str| {
        let entries: String = (0..10)
            .map(|at| format!("{mode} {id}\t{name}{at}\n"))
            .collect();
        String::from_utf8(sandbox.git_with_input(&["mktree"], entries.as_bytes()))
            .unwrap()
            .trim()
            .to_owned()
    };
    let small = tree("100644 blob", "f", &blob(b"x = 1\n"));
    let many = (0..5).fold(small.clone(), |id, _| tree("040000 tree", "d", &id));
    let large = (0..2).fold(
        tree("100644 blob", "f", &blob(&vec![b' '; 10 << 20])),
        |id, _| tree("040000 tree", "d", &id),
    );
    let zeros = "0".repeat(40);
    for (tree, words) in [(many, "250,000 paths"), (large, "4 GiB")] {
        let commit = sandbox.git(&["commit-tree", "-m", "bomb", &tree]);
        for (option, line) in [
            ("--received", format!("{zeros} {commit} refs/heads/bomb\n")),
            (
                "--pushed",
                format!("refs/heads/bomb {commit} refs/heads/bomb {zeros}\n"),
            ),
        ] {
            let run =
                sandbox.segedit_with_input(&["check", option, "--format", "json"], line.as_bytes());
            let report = run.json().to_string();
            assert!(
                run.exit != 0 && report.contains("too-large") && report.contains(words),
                "{run}"
            );
            assert!(report.contains(&commit[..8]), "{run}");
        }
    }
    // What is a few files is judged.
    let commit = sandbox.git(&[
        "commit-tree",
        "-m",
        "few",
        &tree("040000 tree", "d", &small),
    ]);
    let line = format!("{zeros} {commit} refs/heads/few\n");
    let run = sandbox.segedit_with_input(&["check", "--received"], line.as_bytes());
    assert_eq!(run.exit, 0, "{run}");
}
