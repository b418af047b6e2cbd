//! Files that hold more than git stores of them: secrets and outputs that a filter takes out, line endings, permissions. No
//! byte of theirs is lost that is nowhere else, and undoing brings back the very file.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::state::{apply, edit, published, refused, sound, status};
use crate::support::{Run, Sandbox};

/// Where a file of the worktree makes way.
const FILES: [&str; 3] = ["commit", "index", "worktree"];

/// What `nbstripout` does: a notebook is stored without outputs and counts.
const STRIP: &str = r#"import json, sys
book = json.load(sys.stdin)
for cell in book["cells"]:
    cell["outputs"], cell["execution_count"] = [], None
json.dump(book, sys.stdout, indent=1)
print()
"#;

/// A way to store less than a file holds: attributes, configuration, what a checkout gives, what somebody has made of it
/// since, what git stores of both, and the same with the edit of `edit` made to what they hold.
struct Form {
    name: &'static str,
    attributes: &'static str,
    config: &'static [(&'static str, &'static str)],
    checked_out: &'static [u8],
    held: &'static [u8],
    edit: (&'static str, &'static str),
    edited: &'static [u8],
    /// Text in a line that holds what git does not store; where there is none, line endings are all that differs.
    met: Option<&'static str>,
}

const STRIPPER: [(&str, &str); 2] = [("filter.s.clean", "sed s/SECRET.*/SECRET/"), ("filter.s.smudge", "cat")];

fn forms() -> Vec<Form> {
    vec![
        Form {
            name: "a secret",
            attributes: "f.txt filter=s",
            config: &STRIPPER,
            checked_out: b"one\n# SECRET\nlast\n",
            held: b"one\n# SECRET three hours of work\nlast\n",
            edit: ("one", "two"),
            edited: b"two\n# SECRET three hours of work\nlast\n",
            met: Some("# SECRET"),
        },
        Form {
            name: "a secret and line endings",
            attributes: "f.txt text eol=crlf filter=s",
            config: &STRIPPER,
            checked_out: b"one\r\n# SECRET\r\nlast\r\n",
            held: b"one\n# SECRET three\r\nlast\r\n",
            edit: ("last", "end\nof it"),
            edited: b"one\n# SECRET three\r\nend\r\nof it\r\n",
            met: Some("# SECRET"),
        },
        Form {
            name: "a notebook",
            attributes: "f.txt filter=nb",
            config: &[("filter.nb.clean", "python3 ../strip.py"), ("filter.nb.smudge", "cat")],
            checked_out: b"{\n \"cells\": [\n  {\n   \"execution_count\": null,\n   \"outputs\": [],\n   \"source\": \"x = 1\"\n  }\n ]\n}\n",
            held: b"{\n \"cells\": [\n  {\n   \"execution_count\": 7,\n   \"outputs\": [\n    \"a plot\"\n   ],\n   \"source\": \"x = 1\"\n  }\n ]\n}\n",
            edit: ("x = 1", "x = 2"),
            edited: b"{\n \"cells\": [\n  {\n   \"execution_count\": 7,\n   \"outputs\": [\n    \"a plot\"\n   ],\n   \"source\": \"x = 2\"\n  }\n ]\n}\n",
            met: Some("\"outputs\": []"),
        },
        Form {
            name: "autocrlf=true, mixed",
            attributes: "",
            config: &[("core.autocrlf", "true")],
            checked_out: b"one\r\nline\r\nlast\r\n",
            held: b"one\r\nline\nlast\r\n",
            edit: ("one", "two"),
            edited: b"two\r\nline\nlast\r\n",
            met: None,
        },
        Form {
            name: "autocrlf=input, CRLF",
            attributes: "",
            config: &[("core.autocrlf", "input")],
            checked_out: b"one\nline\nlast\n",
            held: b"one\r\nline\r\nlast\r\n",
            edit: ("line", "words"),
            edited: b"one\r\nwords\r\nlast\r\n",
            met: None,
        },
        Form {
            name: "autocrlf=input, mixed",
            attributes: "",
            config: &[("core.autocrlf", "input")],
            checked_out: b"one\nline\nlast\n",
            held: b"one\r\nline\nlast",
            edit: ("line", "words"),
            edited: b"one\r\nwords\nlast",
            met: None,
        },
        Form {
            name: "eol=crlf, mixed",
            attributes: "f.txt text eol=crlf",
            config: &[],
            checked_out: b"one\r\nline\r\nlast\r\n",
            held: b"one\nline\nlast\r\n",
            edit: ("last", "end"),
            edited: b"one\nline\nend\r\n",
            met: None,
        },
        Form {
            name: "a keyword of before",
            attributes: "f.txt ident",
            config: &[],
            checked_out: b"$Id: 8f9a1dce65f5b1c7f8d6c8a1ed9f8f5d8cd06bd8 $\none\nlast\n",
            held: b"$Id: of another place $\none\nlast\n",
            edit: ("one", "two"),
            edited: b"$Id: of another place $\ntwo\nlast\n",
            met: Some("$Id$"),
        },
    ]
}

/// Makes a repository in which `f.txt` is as a checkout leaves it; its permissions are somebody's own.
fn made(form: &Form) -> Sandbox {
    let sandbox = Sandbox::unborn();
    fs::write(sandbox.aside().join("strip.py"), STRIP).expect("the filter");
    for (name, value) in form.config {
        sandbox.git(&["config", name, value]);
    }
    sandbox.write(".gitattributes", format!("{}\n", form.attributes));
    let missing_end = if form.held.ends_with(b"\n") { form.checked_out } else { form.checked_out.trim_ascii_end() };
    sandbox.write("f.txt", missing_end);
    sandbox.commit_all("first");
    fs::remove_file(sandbox.repo().join("f.txt")).expect("a file");
    sandbox.git(&["checkout", "-q", "--", "f.txt"]);
    set_mode(&sandbox, "f.txt", 0o600);
    sandbox.git(&["update-index", "--refresh"]);
    sandbox
}

/// Has the file hold what git does not store. `add` says so to git.
fn hold(sandbox: &Sandbox, form: &Form, add: bool) {
    sandbox.write("f.txt", form.held);
    if add {
        // What is written while git looks is not known to be looked at.
        std::thread::sleep(std::time::Duration::from_millis(30));
        sandbox.git(&["add", "f.txt"]);
        assert_eq!(status(sandbox), "", "{}: git stores the same", form.name);
    }
}

fn set_mode(sandbox: &Sandbox, path: &str, mode: u32) {
    fs::set_permissions(sandbox.repo().join(path), Permissions::from_mode(mode)).expect("a file");
}

fn mode(sandbox: &Sandbox, path: &str) -> u32 {
    fs::metadata(sandbox.repo().join(path)).expect("a file").permissions().mode() & 0o7777
}

fn file(sandbox: &Sandbox) -> String {
    String::from_utf8(fs::read(sandbox.repo().join("f.txt")).expect("a file")).expect("text")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[track_caller]
fn done(sandbox: &Sandbox, words: &[&str]) -> Run {
    let run = sandbox.segedit(&[words, &["--format", "json"]].concat());
    assert!(run.exit == 0, "{run}\n{sandbox}");
    sound(sandbox);
    run
}

#[test]
fn what_nobody_told_git_of_is_refused_as_git_itself_would() {
    for form in forms() {
        for destination in ["commit", "index"] {
            let sandbox = made(&form);
            // Whoever only checks starts no filter of a repository that is not trusted.
            sandbox.git(&["config", "--global", "segedit.trust", "always"]);
            hold(&sandbox, &form, false);
            for more in [&[][..], &["--mode", "verify_only"]] {
                let act = || edit(&sandbox, destination, "f.txt", form.edit.0, form.edit.1, more);
                let why = refused(&sandbox, "worktree-dirty", 4, act);
                assert!(why.contains("f.txt") && why.contains("git add"), "{} {destination}: {why}", form.name);
            }
        }
    }
}

#[test]
fn an_edit_keeps_what_the_file_holds_and_undo_brings_it_back() {
    for form in forms() {
        for destination in FILES {
            // A destination that reads the files needs nobody's word for what they hold.
            for add in [true, false].iter().filter(|add| **add || destination == "worktree") {
                let name = format!("{} {destination} {add}", form.name);
                let sandbox = made(&form);
                hold(&sandbox, &form, *add);
                published(&sandbox, edit(&sandbox, destination, "f.txt", form.edit.0, form.edit.1, &[]));
                assert_eq!((file(&sandbox), mode(&sandbox, "f.txt")), (text(form.edited), 0o600), "{name}");
                done(&sandbox, &["undo", "-n"]);
                done(&sandbox, &["undo"]);
                assert_eq!((file(&sandbox), mode(&sandbox, "f.txt")), (text(form.held), 0o600), "{name}");
                done(&sandbox, &["redo"]);
                assert_eq!((file(&sandbox), mode(&sandbox, "f.txt")), (text(form.edited), 0o600), "{name}");
                done(&sandbox, &["undo"]);
                assert_eq!((file(&sandbox), mode(&sandbox, "f.txt")), (text(form.held), 0o600), "{name}");
            }
        }
    }
}

#[test]
fn lines_that_hold_more_are_not_edited() {
    for form in forms() {
        let Some(met) = form.met else { continue };
        for destination in FILES {
            let sandbox = made(&form);
            hold(&sandbox, &form, true);
            let replacement = if form.name == "a notebook" { "\"outputs\": [ ]" } else { "gone" };
            let act = || edit(&sandbox, destination, "f.txt", met, replacement, &[]);
            let why = refused(&sandbox, "worktree-dirty", 4, act);
            assert!(why.contains("does not store"), "{}: {why}", form.name);
        }
    }
}

#[test]
fn hidden_work_since_the_batch_survives_its_undoing() {
    for destination in FILES {
        for add in [true, false] {
            let sandbox = made(&forms()[0]);
            published(&sandbox, edit(&sandbox, destination, "f.txt", "one", "two", &[]));
            sandbox.write("f.txt", "two\n# SECRET since then\nlast\n");
            if add {
                std::thread::sleep(std::time::Duration::from_millis(30));
                sandbox.git(&["add", "f.txt"]);
            }
            let staged = destination == "worktree" && add;
            if (add && !staged) || destination == "worktree" {
                done(&sandbox, &["undo"]);
                assert_eq!(file(&sandbox), "one\n# SECRET since then\nlast\n", "{destination}");
                done(&sandbox, &["redo"]);
                assert_eq!(file(&sandbox), "two\n# SECRET since then\nlast\n", "{destination}");
                continue;
            }
            let code = if destination == "commit" { "worktree-dirty" } else { "changed-since" };
            refused(&sandbox, code, 4, || sandbox.segedit(&["undo", "--format", "json"]));
            refused(&sandbox, code, 4, || sandbox.segedit(&["undo", "-n", "--format", "json"]));
        }
    }
}

#[test]
fn a_file_that_goes_is_kept_by_the_history_and_one_that_moves_takes_along_what_it_holds() {
    for destination in FILES {
        let form = &forms()[0];
        let sandbox = made(form);
        hold(&sandbox, form, true);
        published(&sandbox, apply(&sandbox, destination, &[json!({"op": "remove", "file": "f.txt"})], &[]));
        assert!(!sandbox.repo().join("f.txt").exists());
        // What git has forgotten about is still there: nothing of it lies in a tree of git's.
        sandbox.git(&["gc", "--quiet", "--prune=now"]);
        done(&sandbox, &["undo"]);
        assert_eq!((file(&sandbox), mode(&sandbox, "f.txt")), (text(form.held), 0o600), "{destination}");

        let sandbox = made(form);
        hold(&sandbox, form, true);
        sandbox.write(".gitattributes", "*.txt filter=s\n");
        sandbox.git(&["add", "."]);
        sandbox.git(&["commit", "--quiet", "--message", "all of them"]);
        let operations = json!([
            {"op": "rename_file", "file": "f.txt", "to": "g.txt"},
            {"op": "replace", "file": "f.txt", "text": "last", "content": "end"}
        ]);
        published(&sandbox, apply(&sandbox, destination, operations.as_array().expect("a list"), &[]));
        let moved = || fs::read_to_string(sandbox.repo().join("g.txt")).expect("the file");
        assert_eq!(moved(), "one\n# SECRET three hours of work\nend\n", "{destination}");
        assert_eq!(mode(&sandbox, "g.txt"), 0o600, "{destination}");
        done(&sandbox, &["undo"]);
        assert!(!sandbox.repo().join("g.txt").exists());
        assert_eq!((file(&sandbox), mode(&sandbox, "f.txt")), (text(form.held), 0o600), "{destination}");
        done(&sandbox, &["redo"]);
        assert_eq!(moved(), "one\n# SECRET three hours of work\nend\n", "{destination}");
        assert_eq!(mode(&sandbox, "g.txt"), 0o600, "{destination}");
    }
}

#[test]
fn a_rehearsed_redo_refuses_what_redo_would() {
    for destination in FILES {
        let form = &forms()[0];
        let sandbox = made(form);
        // Whoever only checks starts no filter of a repository that is not trusted.
        sandbox.git(&["config", "--global", "segedit.trust", "always"]);
        published(&sandbox, apply(&sandbox, destination, &[json!({"op": "remove", "file": "f.txt"})], &[]));
        done(&sandbox, &["undo"]);
        done(&sandbox, &["redo", "--dry-run"]);
        // What is put forth again keeps nothing in the history.
        hold(&sandbox, form, true);
        for words in [&["redo", "--dry-run", "--format", "json"][..], &["redo", "--format", "json"]] {
            let run = sandbox.segedit(words);
            assert_eq!(run.exit, 4, "{destination} {run}");
            let code = run.json()["errors"][0]["code"].clone();
            assert!(code == "worktree-dirty" || code == "changed-since", "{destination} {run}");
            assert_eq!(file(&sandbox), text(form.held), "{destination}");
        }
    }
}

#[test]
fn a_form_that_checking_out_does_not_give_is_kept() {
    // Plain line endings where git would write CRLF: git has these very bytes, so nobody has to be asked.
    for destination in FILES {
        let sandbox = Sandbox::with(&[("f.txt", "one\nline\n")]);
        sandbox.git(&["config", "core.autocrlf", "true"]);
        published(&sandbox, edit(&sandbox, destination, "f.txt", "line", "words", &[]));
        assert_eq!(file(&sandbox), "one\nwords\n", "{destination}");
        done(&sandbox, &["undo"]);
        assert_eq!(file(&sandbox), "one\nline\n", "{destination}");
    }
    // An encoding that has several spellings: refused, because lines of one are none of the other.
    for destination in ["index", "worktree"] {
        let sandbox = Sandbox::with(&[("f.txt", "one\nline\n")]);
        let spelled = |big: bool| {
            let units = "one\nline\n".encode_utf16();
            let bytes = units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
            let mark: &[u8] = if big { b"\xfe\xff" } else { b"\xff\xfe" };
            [mark, &bytes.collect::<Vec<u8>>()].concat()
        };
        sandbox.write(".gitattributes", "f.txt text working-tree-encoding=UTF-16\n");
        fs::remove_file(sandbox.repo().join("f.txt")).expect("a file");
        sandbox.git(&["checkout", "-q", "--", "f.txt"]);
        let given = fs::read(sandbox.repo().join("f.txt")).expect("a file");
        let other = if given == spelled(true) { spelled(false) } else { spelled(true) };
        sandbox.write("f.txt", &other);
        std::thread::sleep(std::time::Duration::from_millis(30));
        sandbox.git(&["add", "f.txt"]);
        refused(&sandbox, "worktree-dirty", 4, || edit(&sandbox, destination, "f.txt", "one", "two", &[]));
        sandbox.write("f.txt", &given);
        published(&sandbox, edit(&sandbox, destination, "f.txt", "one", "two", &[]));
        done(&sandbox, &["undo"]);
        assert_eq!(fs::read(sandbox.repo().join("f.txt")).expect("a file"), given);
    }
}

#[test]
fn permissions_stay_and_change_only_as_the_batch_says() {
    for destination in FILES {
        for permissions in [0o600, 0o444, 0o640, 0o664, 0o755, 0o700, 0o500, 0o750] {
            let sandbox = Sandbox::with(&[("f.txt", "one\n"), ("gone.txt", "gone\n"), ("old.txt", "old\n")]);
            let files = ["f.txt", "gone.txt", "old.txt"];
            files.iter().for_each(|path| set_mode(&sandbox, path, permissions));
            sandbox.git(&["add", "."]);
            sandbox.git(&["commit", "--quiet", "--allow-empty", "--message", "modes"]);
            let operations = json!([
                {"op": "replace", "file": "f.txt", "text": "one", "content": "two"},
                {"op": "remove", "file": "gone.txt"},
                {"op": "rename_file", "file": "old.txt", "to": "new.txt"}
            ]);
            published(&sandbox, apply(&sandbox, destination, operations.as_array().expect("a list"), &[]));
            let name = format!("{destination} {permissions:o}");
            for path in ["f.txt", "new.txt"] {
                assert_eq!(mode(&sandbox, path), permissions, "{name} {path}");
            }
            done(&sandbox, &["undo"]);
            files.iter().for_each(|path| assert_eq!(mode(&sandbox, path), permissions, "{name} {path}"));
            // Whoever changed them since then meant to.
            done(&sandbox, &["redo"]);
            assert_eq!(mode(&sandbox, "new.txt"), permissions, "{name}");
            if permissions & 0o111 == 0 {
                set_mode(&sandbox, "f.txt", 0o606);
                done(&sandbox, &["undo"]);
                assert_eq!(mode(&sandbox, "f.txt"), 0o606, "{name}");
            }
        }
    }
}

#[test]
fn who_may_execute_a_file_is_what_the_batch_says() {
    for destination in FILES {
        let sandbox = Sandbox::with(&[("run.sh", "one\n")]);
        set_mode(&sandbox, "run.sh", 0o640);
        let operations = json!([
            {"op": "remove", "file": "run.sh"},
            {"op": "create", "file": "run.sh", "executable": true, "content": "two\n"}
        ]);
        let file = json!({"version": 1, "resolve": "sequential", "operations": operations}).to_string();
        let args = ["apply", "--format", "json", "--no-diff", "--destination", destination, "-"];
        published(&sandbox, sandbox.segedit_with_input(&args, file.as_bytes()));
        assert_eq!(mode(&sandbox, "run.sh"), 0o750, "{destination}");
        done(&sandbox, &["undo"]);
        assert_eq!(mode(&sandbox, "run.sh"), 0o640, "{destination}");
    }
}

/// Kills a publisher, an undo and a redo at each exchange and at the point of no return: whoever comes next leaves each file
/// either as it was or as the batch makes it, to the byte and the bit.
#[test]
fn killed_on_the_way_each_file_is_one_or_the_other() {
    let form = &forms()[1];
    for destination in FILES {
        let start = made(form);
        start.write("other.txt", "other\n");
        start.git(&["add", "other.txt"]);
        start.git(&["commit", "--quiet", "--message", "another"]);
        hold(&start, form, true);
        let operations = json!([
            {"op": "replace", "file": "f.txt", "text": form.edit.0, "content": form.edit.1},
            {"op": "remove", "file": "other.txt"}
        ]);
        let file_of_operations = json!({"version": 1, "operations": operations}).to_string();
        let apply = ["apply", "--no-diff", "--quiet", "--destination", destination, "-"];
        let sides = [(text(form.held), 0o600), (text(form.edited), 0o600)];
        for (step, passed) in
            [("exchange", 0), ("exchange", 1), ("refreshed", 0), ("journal-remove", 0), ("passed", 0), ("keep", 0)]
        {
            for words in [&apply[..], &["undo"], &["redo"]] {
                let name = format!("{destination} {step} {passed} {words:?}");
                let sandbox = start.copy();
                fs::copy(start.aside().join("strip.py"), sandbox.aside().join("strip.py")).expect("the filter");
                set_mode(&sandbox, "f.txt", 0o600);
                std::thread::sleep(std::time::Duration::from_millis(30));
                sandbox.git(&["add", "f.txt"]);
                if words != &apply[..] {
                    assert_eq!(sandbox.segedit_with_input(&apply, file_of_operations.as_bytes()).exit, 0, "{name}");
                }
                if words[0] == "redo" {
                    done(&sandbox, &["undo"]);
                }
                let first = if passed == 0 { String::new() } else { format!("{passed}*off->") };
                let plan = format!("{step}={first}1*return(abort)->off");
                let mut command = sandbox.segedit_command();
                sandbox.run(command.args(words).env("FAILPOINTS", plan), file_of_operations.as_bytes());
                assert_eq!(sandbox.segedit(&["recover"]).exit, 0, "{name}");
                let found = (file(&sandbox), mode(&sandbox, "f.txt"));
                assert!(sides.contains(&found), "{name}: {found:?}\n{sandbox}");
                assert_eq!(sandbox.repo().join("other.txt").exists(), found == sides[0], "{name}");
                sound(&sandbox);
                // The history tells which, and takes it from there.
                let words = if found == sides[0] && words != &apply[..] { "redo" } else { "undo" };
                let onward = sandbox.segedit(&[words]);
                let expected = if words == "redo" { &sides[1] } else { &sides[0] };
                let found = (file(&sandbox), mode(&sandbox, "f.txt"));
                assert_eq!((found.0.as_str(), found.1), (expected.0.as_str(), expected.1), "{name} {words}\n{onward}");
            }
        }
    }
}

/// Numbers that look random and are the same every time.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    }
}

/// What every file of the worktree holds, and its permissions.
fn all(sandbox: &Sandbox) -> Vec<(String, u32, String)> {
    let tree = sandbox.worktree_tree().into_iter();
    tree.map(|(path, entry)| {
        let mode = mode(sandbox, &path);
        (path, mode, String::from_utf8_lossy(&entry.bytes).into_owned())
    })
    .collect()
}

/// Random files in random forms, random edits of them: what is refused changed nothing, what is undone never was, and what
/// only a file held it still holds as long as it is there.
#[test]
fn whatever_is_done_and_undone_leaves_every_file_as_it_was() {
    let mut pick = numbers(14);
    let attributes = ["", "*.txt filter=s\n", "*.txt text eol=crlf\n", "*.txt text=auto\n", "*.txt text filter=s\n"];
    let (mut landed, mut refusals, mut carried) = (0, 0, 0);
    for round in 0..40 {
        let sandbox = Sandbox::unborn();
        for (name, value) in STRIPPER {
            sandbox.git(&["config", name, value]);
        }
        sandbox.git(&["config", "core.autocrlf", ["false", "true", "input"][pick(3)]]);
        sandbox.write(".gitattributes", attributes[pick(attributes.len())]);
        sandbox.write("keep.md", "kept\n");
        let paths = ["a.txt", "b.txt", "dir/c.txt"];
        let random_file = |pick: &mut dyn FnMut(usize) -> usize| {
            (0..1 + pick(6))
                .map(|line| {
                    let word = ["one", "two", "SECRET", "# SECRET of mine", "three"][pick(5)];
                    format!("{line} {word}{}", ["\n", "\n", "\r\n"][pick(3)])
                })
                .collect::<String>()
        };
        for path in paths {
            sandbox.write(path, random_file(&mut pick));
            set_mode(&sandbox, path, [0o644, 0o600, 0o444, 0o755, 0o640][pick(5)]);
        }
        std::thread::sleep(std::time::Duration::from_millis(30));
        sandbox.commit_all("first");
        if pick(2) == 0 {
            // As a checkout leaves it.
            fs::remove_file(sandbox.repo().join("a.txt")).expect("a file");
            sandbox.git(&["checkout", "-q", "--", "a.txt"]);
        }
        if pick(3) == 0 {
            // Not told to git.
            sandbox.write("b.txt", random_file(&mut pick));
        }
        let mut operations = Vec::new();
        for path in paths.iter().take(1 + pick(3)) {
            let content = ["x\n", "x\ny\n", "x"][pick(3)];
            operations.push(match pick(6) {
                0 => json!({"op": "remove", "file": path}),
                1 => json!({"op": "rename_file", "file": path, "to": format!("moved/{path}")}),
                2 => json!({"op": "insert", "file": path, "lines": 1, "position": "after", "content": content}),
                3 => json!({"op": "delete", "file": path, "lines": 1}),
                _ => json!({"op": "replace", "file": path, "lines": 1, "content": content}),
            });
        }
        operations.push(json!({"op": "create", "file": "new/d.txt", "content": "new\n"}));
        let destination = FILES[pick(3)];
        let before = (all(&sandbox), sandbox.git(&["ls-files", "--stage"]));
        let run = apply(&sandbox, destination, &operations, &[]);
        let name = format!("round {round}: {destination} {}\n{run}\n{sandbox}", json!(operations));
        if run.exit != 0 {
            refusals += 1;
            assert_eq!((all(&sandbox), sandbox.git(&["ls-files", "--stage"])), before, "{name}");
            continue;
        }
        landed += 1;
        let after = all(&sandbox);
        let hides = |files: &[(String, u32, String)]| files.iter().filter(|file| file.2.contains("of mine")).count();
        carried += usize::from(hides(&after) > 0);
        done(&sandbox, &["undo"]);
        assert_eq!((all(&sandbox), sandbox.git(&["ls-files", "--stage"])), before, "{name}");
        done(&sandbox, &["redo"]);
        assert_eq!(all(&sandbox), after, "{name}");
        done(&sandbox, &["undo"]);
        assert_eq!((all(&sandbox), sandbox.git(&["ls-files", "--stage"])), before, "{name}");
    }
    println!("{landed} batches landed, {carried} beside what git does not store; {refusals} were refused");
    assert!(landed > 15 && refusals > 3 && carried > 3, "{landed} {refusals} {carried}");
}
