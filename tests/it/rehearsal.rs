//! `verify_only` says what the real thing would do: what would refuse it at publishing refuses it here, with nothing written.

use crate::support::Sandbox;

const GOOD: &str = "def f():\n    return 11\n";
const BROKEN: &str = "def f(:\n    return 11\n";

#[track_caller]
fn check(sandbox: &Sandbox, content: &str, extra: &[&str], exit: i32, code: Option<&str>) {
    let before = sandbox.digest();
    for dry in [true, false] {
        let mut args = vec![
            "replace",
            "a.py::f",
            "--content",
            content,
            "--format",
            "json",
            "--no-diff",
        ];
        args.extend(extra);
        if dry {
            args.push("--dry-run");
        } else if exit == 0 {
            continue;
        }
        let run = sandbox.segedit(&args);
        assert_eq!(run.exit, exit, "{run}\n{sandbox}");
        let codes: Vec<String> = run.json()["errors"]
            .as_array()
            .map(|errors| {
                errors
                    .iter()
                    .map(|error| error["code"].as_str().unwrap_or_default().to_owned())
                    .collect()
            })
            .unwrap_or_default();
        if let Some(code) = code {
            assert!(
                codes.iter().any(|found| found == code),
                "{code} is not among {codes:?}\n{run}"
            );
        }
        if dry {
            assert!(
                before == sandbox.digest(),
                "a dry run changed something\n{sandbox}"
            );
        }
    }
}

#[test]
fn a_dry_run_is_refused_where_the_real_thing_would_be() {
    let clean = Sandbox::with(&[("a.py", "def f():\n    return 1\n")]);
    check(&clean, GOOD, &[], 0, None);
    check(&clean, BROKEN, &[], 1, Some("syntax-error"));
    clean.write("a.py", "def f():\n    return 2\n");
    check(&clean, GOOD, &[], 4, Some("worktree-dirty"));
    check(
        &clean,
        GOOD,
        &["--destination", "index"],
        4,
        Some("worktree-dirty"),
    );
    check(&clean, GOOD, &["--destination", "cached"], 0, None);
    check(&clean, GOOD, &["--destination", "worktree"], 0, None);
    check(&clean, GOOD, &["--branch", "elsewhere"], 0, None);
}

#[test]
fn a_repository_in_the_way_goes_before_a_failed_check() {
    let dirty = Sandbox::with(&[("a.py", "def f():\n    return 1\n")]);
    dirty.write("a.py", "def f():\n    return 2\n");
    check(&dirty, BROKEN, &[], 4, Some("worktree-dirty"));
    check(&dirty, BROKEN, &[], 4, Some("syntax-error"));
}
