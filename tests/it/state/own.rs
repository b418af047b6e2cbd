//! Files that hold more than git stores of them: secrets and outputs that a filter takes out, line endings, permissions. No
//! byte of theirs is lost that is nowhere else, and undoing brings back the very file.

use std::fs;

use serde_json::json;

use crate::support::Sandbox;
use crate::support::held::{FILES, done, file, forms, hold, made, mode, set_mode, text};
use crate::support::state::{apply, edit, published, refused};

#[test]
fn what_nobody_told_git_of_is_refused_as_git_itself_would() {
    for form in forms() {
        for destination in ["commit", "index"] {
            let sandbox = made(&form);
            // Whoever only checks starts no filter of a repository that is not trusted.
            sandbox.git(&["config", "--global", "segedit.trust", "always"]);
            hold(&sandbox, &form, false);
            for more in [&[][..], &["--mode", "verify_only"]] {
                let act = || {
                    edit(
                        &sandbox,
                        destination,
                        "f.txt",
                        form.edit.0,
                        form.edit.1,
                        more,
                    )
                };
                let why = refused(&sandbox, "worktree-dirty", 4, act);
                assert!(
                    why.contains("f.txt") && why.contains("git add"),
                    "{} {destination}: {why}",
                    form.name
                );
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
            let replacement = if form.name == "a notebook" {
                "\"outputs\": [ ]"
            } else {
                "gone"
            };
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
            published(
                &sandbox,
                edit(&sandbox, destination, "f.txt", "one", "two", &[]),
            );
            sandbox.write("f.txt", "two\n# SECRET since then\nlast\n");
            if add {
                std::thread::sleep(std::time::Duration::from_millis(30));
                sandbox.git(&["add", "f.txt"]);
            }
            let staged = destination == "worktree" && add;
            if (add && !staged) || destination == "worktree" {
                done(&sandbox, &["undo"]);
                assert_eq!(
                    file(&sandbox),
                    "one\n# SECRET since then\nlast\n",
                    "{destination}"
                );
                done(&sandbox, &["redo"]);
                assert_eq!(
                    file(&sandbox),
                    "two\n# SECRET since then\nlast\n",
                    "{destination}"
                );
                continue;
            }
            let code = if destination == "commit" {
                "worktree-dirty"
            } else {
                "changed-since"
            };
            refused(&sandbox, code, 4, || {
                sandbox.segedit(&["undo", "--format", "json"])
            });
            refused(&sandbox, code, 4, || {
                sandbox.segedit(&["undo", "-n", "--format", "json"])
            });
        }
    }
}

#[test]
fn a_file_that_goes_is_kept_by_the_history_and_one_that_moves_takes_along_what_it_holds() {
    for destination in FILES {
        let form = &forms()[0];
        let sandbox = made(form);
        hold(&sandbox, form, true);
        published(
            &sandbox,
            apply(
                &sandbox,
                destination,
                &[json!({"op": "remove", "file": "f.txt"})],
                &[],
            ),
        );
        assert!(!sandbox.repo().join("f.txt").exists());
        // What git has forgotten about is still there: nothing of it lies in a tree of git's.
        sandbox.git(&["gc", "--quiet", "--prune=now"]);
        done(&sandbox, &["undo"]);
        assert_eq!(
            (file(&sandbox), mode(&sandbox, "f.txt")),
            (text(form.held), 0o600),
            "{destination}"
        );

        let sandbox = made(form);
        hold(&sandbox, form, true);
        sandbox.write(".gitattributes", "*.txt filter=s\n");
        sandbox.git(&["add", "."]);
        sandbox.git(&["commit", "--quiet", "--message", "all of them"]);
        let operations = json!([
            {"op": "rename_file", "file": "f.txt", "to": "g.txt"},
            {"op": "replace", "file": "f.txt", "text": "last", "content": "end"}
        ]);
        published(
            &sandbox,
            apply(
                &sandbox,
                destination,
                operations.as_array().expect("a list"),
                &[],
            ),
        );
        let moved = || fs::read_to_string(sandbox.repo().join("g.txt")).expect("the file");
        assert_eq!(
            moved(),
            "one\n# SECRET three hours of work\nend\n",
            "{destination}"
        );
        assert_eq!(mode(&sandbox, "g.txt"), 0o600, "{destination}");
        done(&sandbox, &["undo"]);
        assert!(!sandbox.repo().join("g.txt").exists());
        assert_eq!(
            (file(&sandbox), mode(&sandbox, "f.txt")),
            (text(form.held), 0o600),
            "{destination}"
        );
        done(&sandbox, &["redo"]);
        assert_eq!(
            moved(),
            "one\n# SECRET three hours of work\nend\n",
            "{destination}"
        );
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
        published(
            &sandbox,
            apply(
                &sandbox,
                destination,
                &[json!({"op": "remove", "file": "f.txt"})],
                &[],
            ),
        );
        done(&sandbox, &["undo"]);
        done(&sandbox, &["redo", "--dry-run"]);
        // What is put forth again keeps nothing in the history.
        hold(&sandbox, form, true);
        for words in [
            &["redo", "--dry-run", "--format", "json"][..],
            &["redo", "--format", "json"],
        ] {
            let run = sandbox.segedit(words);
            assert_eq!(run.exit, 4, "{destination} {run}");
            let code = run.json()["errors"][0]["code"].clone();
            assert!(
                code == "worktree-dirty" || code == "changed-since",
                "{destination} {run}"
            );
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
        published(
            &sandbox,
            edit(&sandbox, destination, "f.txt", "line", "words", &[]),
        );
        assert_eq!(file(&sandbox), "one\nwords\n", "{destination}");
        done(&sandbox, &["undo"]);
        assert_eq!(file(&sandbox), "one\nline\n", "{destination}");
    }
    // An encoding that has several spellings: refused, because lines of one are none of the other.
    for destination in ["index", "worktree"] {
        let sandbox = Sandbox::with(&[("f.txt", "one\nline\n")]);
        let spelled = |big: bool| {
            let units = "one\nline\n".encode_utf16();
            let bytes = units.flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            });
            let mark: &[u8] = if big { b"\xfe\xff" } else { b"\xff\xfe" };
            [mark, &bytes.collect::<Vec<u8>>()].concat()
        };
        sandbox.write(
            ".gitattributes",
            "f.txt text working-tree-encoding=UTF-16\n",
        );
        fs::remove_file(sandbox.repo().join("f.txt")).expect("a file");
        sandbox.git(&["checkout", "-q", "--", "f.txt"]);
        let given = fs::read(sandbox.repo().join("f.txt")).expect("a file");
        let other = if given == spelled(true) {
            spelled(false)
        } else {
            spelled(true)
        };
        sandbox.write("f.txt", &other);
        std::thread::sleep(std::time::Duration::from_millis(30));
        sandbox.git(&["add", "f.txt"]);
        refused(&sandbox, "worktree-dirty", 4, || {
            edit(&sandbox, destination, "f.txt", "one", "two", &[])
        });
        sandbox.write("f.txt", &given);
        published(
            &sandbox,
            edit(&sandbox, destination, "f.txt", "one", "two", &[]),
        );
        done(&sandbox, &["undo"]);
        assert_eq!(
            fs::read(sandbox.repo().join("f.txt")).expect("a file"),
            given
        );
    }
}

#[test]
fn permissions_stay_and_change_only_as_the_batch_says() {
    for destination in FILES {
        for permissions in [0o600, 0o444, 0o640, 0o664, 0o755, 0o700, 0o500, 0o750] {
            let sandbox = Sandbox::with(&[
                ("f.txt", "one\n"),
                ("gone.txt", "gone\n"),
                ("old.txt", "old\n"),
            ]);
            let files = ["f.txt", "gone.txt", "old.txt"];
            files
                .iter()
                .for_each(|path| set_mode(&sandbox, path, permissions));
            sandbox.git(&["add", "."]);
            sandbox.git(&["commit", "--quiet", "--allow-empty", "--message", "modes"]);
            let operations = json!([
                {"op": "replace", "file": "f.txt", "text": "one", "content": "two"},
                {"op": "remove", "file": "gone.txt"},
                {"op": "rename_file", "file": "old.txt", "to": "new.txt"}
            ]);
            published(
                &sandbox,
                apply(
                    &sandbox,
                    destination,
                    operations.as_array().expect("a list"),
                    &[],
                ),
            );
            let name = format!("{destination} {permissions:o}");
            for path in ["f.txt", "new.txt"] {
                assert_eq!(mode(&sandbox, path), permissions, "{name} {path}");
            }
            done(&sandbox, &["undo"]);
            files
                .iter()
                .for_each(|path| assert_eq!(mode(&sandbox, path), permissions, "{name} {path}"));
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
        let file =
            json!({"version": 1, "resolve": "sequential", "operations": operations}).to_string();
        let args = [
            "apply",
            "--format",
            "json",
            "--no-diff",
            "--destination",
            destination,
            "-",
        ];
        published(&sandbox, sandbox.segedit_with_input(&args, file.as_bytes()));
        assert_eq!(mode(&sandbox, "run.sh"), 0o750, "{destination}");
        done(&sandbox, &["undo"]);
        assert_eq!(mode(&sandbox, "run.sh"), 0o640, "{destination}");
    }
}
