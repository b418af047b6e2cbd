//! Operation files that are short and want much: patterns without end, replacements that grow, files within files. Each
//! ends within the processor time and the memory that a `Scene` allows.

use serde_json::{Value, json};

use crate::support::Run;
use crate::support::hostile::{
    EVERYWHERE, Place, Refused, Scene, TOO_LARGE, batch, check_everywhere, scene_with, substitute,
};

const INVALID: Refused<'_> = Refused {
    exit: 3,
    codes: &["invalid-pattern"],
};

#[test]
fn patterns_that_compile_to_much_are_refused() {
    let nested = "(".repeat(300) + "a" + &")".repeat(300);
    let rows: Vec<_> = [
        "((((a{10}){10}){10}){10}){10}",
        r"\pL{1000}",
        "a{1000}{1000}{1000}",
        "(?:x{0,4000}){0,4000}",
        nested.as_str(),
        "[[[[[[[[[[",
        "(a)\\1",
        "(?=a)",
    ]
    .map(|pattern| {
        (
            pattern.to_owned(),
            batch(&[substitute("a.txt", pattern, "x")]),
            INVALID,
        )
    })
    .into_iter()
    .collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|(label, file, expected)| (label.as_str(), file.clone(), *expected))
        .collect();
    check_everywhere(&rows);
}

#[test]
fn patterns_of_attributes_and_pathspecs_are_matched_in_time() {
    let long = format!("{}.py", "a".repeat(60));
    let pattern = "*a".repeat(25) + "*b";
    let bomb = format!("{pattern} -text\n{pattern} filter=x\n*.py text eol=crlf\n");
    type Plant<'a> = (&'a str, &'a dyn Fn(&Scene));
    let plants: [Plant<'_>; 5] = [
        ("in the worktree", &|scene| {
            scene.sandbox.write(".gitattributes", &bomb)
        }),
        ("in the index", &|scene| {
            scene.sandbox.write(".gitattributes", &bomb);
            scene.sandbox.git(&["add", ".gitattributes"]);
            scene
                .sandbox
                .write(".gitattributes", "*.py text eol=crlf\n");
        }),
        ("in git's folder", &|scene| {
            scene.sandbox.write(".git/info/attributes", &bomb)
        }),
        ("in a named file", &|scene| {
            let file = scene.sandbox.aside().join("named");
            std::fs::write(&file, &bomb).expect("a file of attributes");
            scene.sandbox.git(&[
                "config",
                "core.attributesFile",
                file.to_str().expect("a path"),
            ]);
        }),
        ("in a named file of the worktree", &|scene| {
            scene.sandbox.write("named", &bomb);
            scene
                .sandbox
                .git(&["config", "core.attributesFile", "named"]);
        }),
    ];
    for (place, plant) in plants {
        let scene = scene_with(Place::Commit, &long, "def wanted():\n    return 1\n");
        plant(&scene);
        let sandbox = &scene.sandbox;
        let held = |run: Run, exit: i32| assert_eq!(run.exit, exit, "{place}\n{run}");
        let symbol = format!("{long}::wanted");
        let check = batch(&[json!({"op": "delete", "file": long, "symbol": "wanted"})]);
        let found = scene.within_limits(&["find", "wanted"], b"");
        assert!(
            found.exit == 0 && found.out().contains(&long),
            "{place}\n{found}"
        );
        held(scene.within_limits(&["outline", &long], b""), 0);
        held(
            scene.within_limits(&["outline", &format!("HEAD:{long}")], b""),
            0,
        );
        held(scene.within_limits(&["check", "-"], &check), 0);
        held(
            scene.within_limits(
                &["replace", &symbol, "--content", "def wanted(): pass", "-n"],
                b"",
            ),
            0,
        );
        let by_glob = json!({"op": "substitute", "files": [pattern, "aaa*"], "text": "wanted", "replacement": "found"});
        held(
            scene.within_limits(
                &["apply", "--destination", "worktree", "-"],
                &batch(&[by_glob]),
            ),
            0,
        );
        let written = std::fs::read_to_string(sandbox.repo().join(&long)).expect("the file");
        assert_eq!(written, "def found():\n    return 1\n", "{place}");
        // And it is not that nobody asks any more: so git would write it.
        let create = json!({"op": "create", "file": "new.py", "content": "x = 1\n"});
        held(
            scene.within_limits(
                &["apply", "--destination", "worktree", "-"],
                &batch(&[create]),
            ),
            0,
        );
        let written = std::fs::read_to_string(sandbox.repo().join("new.py")).expect("the file");
        assert_eq!(written, "x = 1\r\n", "{place}");
    }
}

#[test]
fn files_nested_without_end_are_read() {
    let deep = [
        (
            "deep.py",
            format!("x = {}{}\n", "(".repeat(100_000), ")".repeat(100_000)),
        ),
        ("minus.py", format!("x = {}1\n", "-".repeat(100_000))),
        (
            "deep.js",
            format!("x = {}{}\n", "[".repeat(100_000), "]".repeat(100_000)),
        ),
        (
            "deep.rs",
            format!(
                "fn f() {{ {}{} }}\n",
                "{".repeat(100_000),
                "}".repeat(100_000)
            ),
        ),
        (
            "deep.go",
            format!(
                "package a\nvar x = {}1{}\n",
                "(".repeat(100_000),
                ")".repeat(100_000)
            ),
        ),
        (
            "deep.ts",
            format!(
                "type A = {}B{}\n",
                "Array<".repeat(50_000),
                ">".repeat(50_000)
            ),
        ),
        (
            "deep.java",
            format!("{}{}\n", "class A { ".repeat(20_000), "}".repeat(20_000)),
        ),
        ("deep.md", format!("{} # x\n", ">".repeat(100_000))),
        ("list.md", format!("{}x\n", "- ".repeat(50_000))),
        ("links.md", format!("{}x\n", "[".repeat(100_000))),
        ("stars.md", format!("{}x\n", "*a_ ".repeat(100_000))),
    ];
    let scene = Scene::new(Place::Bare);
    for (name, content) in deep {
        // What it comes to is the language's to say; that it comes to an end is ours.
        let create = json!({"op": "create", "file": name, "content": content});
        let missing = json!({"op": "delete", "file": name, "symbol": "nowhere"});
        let section = json!({"op": "delete", "file": name, "section": "nowhere"});
        let find = if name.ends_with(".md") {
            section
        } else {
            missing
        };
        let file = json!({"version": 1, "resolve": "sequential", "operations": [create, find]});
        let run = scene.call(
            &["apply", "--format", "json", "-"],
            file.to_string().as_bytes(),
            15,
        );
        // Of twenty thousand classes inside of one another nobody is told the names.
        let code = if name == "deep.java" {
            "too-large"
        } else {
            "segment-not-found"
        };
        scene.check(
            name,
            &run,
            Refused {
                exit: 3,
                codes: &[code],
            },
        );
    }
}

#[test]
fn a_large_batch_has_a_message_that_can_be_read() {
    let scene = Scene::new(Place::Bare);
    let operations: Vec<Value> = (0..5_000)
        .map(|at| json!({"op": "create", "file": format!("new/{at}.txt"), "content": "x\n"}))
        .collect();
    let run = scene
        .sandbox
        .segedit_with_input(&["apply", "--no-diff", "-"], &batch(&operations));
    assert_eq!(run.exit, 0, "{run}");
    let message = scene.sandbox.git(&["log", "-1", "--format=%B"]);
    assert!(
        message.len() < 10_000 && message.contains("\n- and "),
        "{message}"
    );
    assert!(
        message.starts_with("Edit 5000 files (5000 operations)\n"),
        "{message}"
    );
}

#[test]
fn files_that_are_large_or_binary_are_not_parsed() {
    let large = "x = 1\n".repeat(17 << 20 >> 2);
    for place in [Place::Commit, Place::Worktree, Place::Bare] {
        let scene = scene_with(place, "large.py", &large);
        let run = scene.apply(&batch(&[
            json!({"op": "delete", "file": "large.py", "symbol": "x[7]"}),
        ]));
        scene.check("a large file", &run, TOO_LARGE);
        let run = scene.apply(&batch(&[
            json!({"op": "delete", "file": "logo.bin", "lines": 1}),
        ]));
        scene.check(
            "a binary file",
            &run,
            Refused {
                exit: 3,
                codes: &["binary-file"],
            },
        );
    }
}

#[test]
fn a_batch_does_not_change_the_rules_that_it_is_judged_by() {
    let rules =
        "version: 1\nvalidators:\n  - {name: x, command: [git, \"{files}\"], files: [\"*\"]}\n";
    let edits = batch(&[
        json!({"op": "replace", "file": ".segedit.yaml", "allow_remove": true, "content": "version: 1\n"}),
        json!({"op": "replace", "file": "a.txt", "content": "x\n"}),
    ]);
    for place in EVERYWHERE {
        let scene = scene_with(place, ".segedit.yaml", rules);
        let run = scene.freely(&["apply", "--destination", scene.destination()], &edits);
        scene.check(
            "the rules",
            &run,
            Refused {
                exit: 4,
                codes: &["config-untrusted"],
            },
        );
    }
}
