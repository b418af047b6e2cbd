//! Files that hold more than git stores of them, in every form and everywhere a batch may go; undone, put forth again, killed on
//! the way.

use std::fs;

use serde_json::json;

use super::{few, less};
use crate::support::Sandbox;
use crate::support::held::{FILES, STRIPPER, done, file, forms, hold, made, mode, set_mode, text};
use crate::support::state::{apply, edit, published, sound};

#[test]
fn an_edit_keeps_what_the_file_holds_and_undo_brings_it_back() {
    for (at, form) in forms().into_iter().enumerate() {
        // By turns.
        for destination in few(
            FILES.into_iter().cycle().skip(at).take(FILES.len()),
            FILES.len(),
        ) {
            // A destination that reads the files needs nobody's word for what they hold.
            for add in [true, false]
                .iter()
                .filter(|add| **add || destination == "worktree")
            {
                let name = format!("{} {destination} {add}", form.name);
                let sandbox = made(&form);
                hold(&sandbox, &form, *add);
                published(
                    &sandbox,
                    edit(
                        &sandbox,
                        destination,
                        "f.txt",
                        form.edit.0,
                        form.edit.1,
                        &[],
                    ),
                );
                assert_eq!(
                    (file(&sandbox), mode(&sandbox, "f.txt")),
                    (text(form.edited), 0o600),
                    "{name}"
                );
                done(&sandbox, &["undo", "-n"]);
                done(&sandbox, &["undo"]);
                assert_eq!(
                    (file(&sandbox), mode(&sandbox, "f.txt")),
                    (text(form.held), 0o600),
                    "{name}"
                );
                done(&sandbox, &["redo"]);
                assert_eq!(
                    (file(&sandbox), mode(&sandbox, "f.txt")),
                    (text(form.edited), 0o600),
                    "{name}"
                );
                done(&sandbox, &["undo"]);
                assert_eq!(
                    (file(&sandbox), mode(&sandbox, "f.txt")),
                    (text(form.held), 0o600),
                    "{name}"
                );
            }
        }
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
        let apply = [
            "apply",
            "--no-diff",
            "--quiet",
            "--destination",
            destination,
            "-",
        ];
        let sides = [(text(form.held), 0o600), (text(form.edited), 0o600)];
        for (step, passed) in few(
            [
                ("exchange", 0),
                ("exchange", 1),
                ("refreshed", 0),
                ("journal-remove", 0),
                ("passed", 0),
                ("keep", 0),
            ],
            2,
        ) {
            for words in [&apply[..], &["undo"], &["redo"]] {
                let name = format!("{destination} {step} {passed} {words:?}");
                let sandbox = start.copy();
                fs::copy(
                    start.aside().join("strip.py"),
                    sandbox.aside().join("strip.py"),
                )
                .expect("the filter");
                set_mode(&sandbox, "f.txt", 0o600);
                std::thread::sleep(std::time::Duration::from_millis(30));
                sandbox.git(&["add", "f.txt"]);
                if words != &apply[..] {
                    assert_eq!(
                        sandbox
                            .segedit_with_input(&apply, file_of_operations.as_bytes())
                            .exit,
                        0,
                        "{name}"
                    );
                }
                if words[0] == "redo" {
                    done(&sandbox, &["undo"]);
                }
                let first = if passed == 0 {
                    String::new()
                } else {
                    format!("{passed}*off->")
                };
                let plan = format!("{step}={first}1*return(abort)->off");
                let mut command = sandbox.segedit_command();
                sandbox.run(
                    command.args(words).env("FAILPOINTS", plan),
                    file_of_operations.as_bytes(),
                );
                assert_eq!(sandbox.segedit(&["recover"]).exit, 0, "{name}");
                let found = (file(&sandbox), mode(&sandbox, "f.txt"));
                assert!(sides.contains(&found), "{name}: {found:?}\n{sandbox}");
                assert_eq!(
                    sandbox.repo().join("other.txt").exists(),
                    found == sides[0],
                    "{name}"
                );
                sound(&sandbox);
                // The history tells which, and takes it from there.
                let words = if found == sides[0] && words != &apply[..] {
                    "redo"
                } else {
                    "undo"
                };
                let onward = sandbox.segedit(&[words]);
                let expected = if words == "redo" {
                    &sides[1]
                } else {
                    &sides[0]
                };
                let found = (file(&sandbox), mode(&sandbox, "f.txt"));
                assert_eq!(
                    (found.0.as_str(), found.1),
                    (expected.0.as_str(), expected.1),
                    "{name} {words}\n{onward}"
                );
            }
        }
    }
}

/// Numbers that look random and are the same every time.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    }
}

/// What every file of the worktree holds, and its permissions.
fn all(sandbox: &Sandbox) -> Vec<(String, u32, String)> {
    let tree = sandbox.worktree_tree().into_iter();
    tree.map(|(path, entry)| {
        let mode = mode(sandbox, &path);
        (
            path,
            mode,
            String::from_utf8_lossy(&entry.bytes).into_owned(),
        )
    })
    .collect()
}

/// Random files in random forms, random edits of them: what is refused changed nothing, what is undone never was, and what
/// only a file held it still holds as long as it is there.
#[test]
fn whatever_is_done_and_undone_leaves_every_file_as_it_was() {
    let mut pick = numbers(14);
    let attributes = [
        "",
        "*.txt filter=s\n",
        "*.txt text eol=crlf\n",
        "*.txt text=auto\n",
        "*.txt text filter=s\n",
    ];
    let (mut landed, mut refusals, mut carried) = (0, 0, 0);
    let rounds = less(40, 12);
    for round in 0..rounds {
        let sandbox = Sandbox::unborn();
        for (name, value) in STRIPPER {
            sandbox.git(&["config", name, value]);
        }
        sandbox.git(&[
            "config",
            "core.autocrlf",
            ["false", "true", "input"][pick(3)],
        ]);
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
        let name = format!(
            "round {round}: {destination} {}\n{run}\n{sandbox}",
            json!(operations)
        );
        if run.exit != 0 {
            refusals += 1;
            assert_eq!(
                (all(&sandbox), sandbox.git(&["ls-files", "--stage"])),
                before,
                "{name}"
            );
            continue;
        }
        landed += 1;
        let after = all(&sandbox);
        let hides = |files: &[(String, u32, String)]| {
            files
                .iter()
                .filter(|file| file.2.contains("of mine"))
                .count()
        };
        carried += usize::from(hides(&after) > 0);
        done(&sandbox, &["undo"]);
        assert_eq!(
            (all(&sandbox), sandbox.git(&["ls-files", "--stage"])),
            before,
            "{name}"
        );
        done(&sandbox, &["redo"]);
        assert_eq!(all(&sandbox), after, "{name}");
        done(&sandbox, &["undo"]);
        assert_eq!(
            (all(&sandbox), sandbox.git(&["ls-files", "--stage"])),
            before,
            "{name}"
        );
    }
    println!(
        "{landed} batches landed, {carried} beside what git does not store; {refusals} were refused"
    );
    assert!(
        landed > rounds / 3 && refusals * 12 >= rounds && carried * 12 >= rounds,
        "{landed} {refusals} {carried}"
    );
}
