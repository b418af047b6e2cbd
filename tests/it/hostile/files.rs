//! Operation files that are no operation files: bombs of YAML, words of the wrong sort, what belongs to nobody's batch.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::support::hostile::{
    CPU, EVERYWHERE, Place, Refused, Scene, batch, check_everywhere, everything,
};

const MALFORMED: Refused<'_> = Refused {
    exit: 2,
    codes: &["malformed"],
};
const TOO_LARGE: Refused<'_> = Refused {
    exit: 2,
    codes: &["too-large"],
};
const PATH_REFUSED: Refused<'_> = Refused {
    exit: 3,
    codes: &["path-refused"],
};

/// Puts `operations` behind what every operation file begins with.
fn yaml(operations: &str) -> Vec<u8> {
    format!("version: 1\noperations:\n{operations}").into_bytes()
}

fn laughs() -> Vec<u8> {
    let mut text = String::from("version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let one = level - 1;
        text.push_str(&format!(
            "a{level}: &a{level} [*a{one}, *a{one}, *a{one}, *a{one}, *a{one}, *a{one}]\n"
        ));
    }
    text.into_bytes()
}

#[test]
fn yaml_bombs_cost_little() {
    let remove = "  - {op: remove, file: a.txt}\n";
    let aliases = format!(
        "  - &o {{op: create, file: x, content: {}}}\n",
        "y".repeat(1000)
    ) + &"  - *o\n".repeat(200_000);
    let many = remove.repeat(10_001);
    let utf16 = yaml(remove)
        .into_iter()
        .flat_map(|byte| [byte, 0])
        .collect::<Vec<u8>>();
    let rows = [
        ("a billion laughs", laughs(), MALFORMED),
        ("aliases of one operation", yaml(&aliases), MALFORMED),
        ("a list in a list", vec![b'['; 100_000], TOO_LARGE),
        (
            "a mapping in a mapping",
            "{a: ".repeat(3000).into_bytes(),
            TOO_LARGE,
        ),
        (
            "blocks in blocks",
            (0..3000)
                .map(|at| " ".repeat(at) + "a:\n")
                .collect::<String>()
                .into_bytes(),
            TOO_LARGE,
        ),
        (
            "a word of 50 MB",
            yaml(&format!(
                "  - {{op: create, file: x, content: {}}}\n",
                "y".repeat(50 << 20)
            )),
            TOO_LARGE,
        ),
        ("too many operations", yaml(&many), TOO_LARGE),
        (
            "too many words",
            yaml(&"  - [a, b, c, d]\n".repeat(100_000)),
            TOO_LARGE,
        ),
        (
            "a merge key",
            yaml("  - {op: remove, <<: {file: a.txt}}\n"),
            MALFORMED,
        ),
        ("itself", b"&a [*a]\n".to_vec(), MALFORMED),
        (
            "a tag that constructs",
            yaml("  - {op: remove, file: !!python/object/apply:os.system [id]}\n"),
            MALFORMED,
        ),
        (
            "a tag of the file's own",
            yaml("  - {op: remove, file: !x a.txt}\n"),
            MALFORMED,
        ),
        (
            "a key twice",
            yaml("  - {op: remove, file: a.txt, file: b.txt}\n"),
            MALFORMED,
        ),
        (
            "an unknown key",
            yaml("  - {op: remove, file: a.txt, fiel: b.txt}\n"),
            MALFORMED,
        ),
        (
            "two documents",
            [yaml(remove), b"---\n".to_vec(), yaml(remove)].concat(),
            MALFORMED,
        ),
        ("nothing", Vec::new(), MALFORMED),
        ("UTF-16", utf16, MALFORMED),
        (
            "UTF-16 with its mark",
            [b"\xff\xfe".to_vec(), b"v\0".to_vec()].concat(),
            MALFORMED,
        ),
        (
            "no UTF-8",
            b"version: 1\noperations: [{op: remove, file: \"\xff\"}]\n".to_vec(),
            MALFORMED,
        ),
        ("a NUL", b"version: 1\0\n".to_vec(), MALFORMED),
        (
            "half a character",
            yaml("  - {op: create, file: x, content: \"\\ud800\"}\n"),
            MALFORMED,
        ),
        (
            "another version",
            b"version: 99\noperations: []\n".to_vec(),
            MALFORMED,
        ),
        (
            "a NUL in a path",
            yaml("  - {op: remove, file: \"a\\0b\"}\n"),
            PATH_REFUSED,
        ),
        (
            "a NUL in a symbol",
            yaml("  - {op: delete, file: a.py, symbol: \"a\\0b\"}\n"),
            MALFORMED,
        ),
    ];
    for place in [Place::Commit, Place::Bare] {
        let scene = Scene::new(place);
        for (label, operation_file, expected) in &rows {
            scene.check(label, &scene.apply(operation_file), *expected);
        }
    }
}

#[test]
fn what_is_echoed_is_cut() {
    let long = "k".repeat(100_000);
    let scene = Scene::new(Place::Commit);
    for operation in [
        json!({"op": "remove", "file": "a.txt", long.as_str(): 1}),
        json!({"op": long, "file": "a.txt"}),
        json!({"op": "replace", "file": "a.txt", "text": long, "content": ""}),
        json!({"op": "replace", "file": "a.txt", "pattern": long, "content": ""}),
        json!({"op": "delete", "file": "src/worker.py", "symbol": long}),
        json!({"op": "delete", "file": "README.md", "section": long}),
        json!({"op": "remove", "file": "a.txt", "expect": long}),
        json!({"op": "delete", "file": "a.txt", "lines": long}),
    ] {
        for format in ["human", "json", "github", "sarif"] {
            let run = scene.call(
                &["apply", "--format", format, "-"],
                &batch(std::slice::from_ref(&operation)),
                CPU,
            );
            assert!(run.exit == 2 || run.exit == 3, "{run}");
            let said = run.stdout.len() + run.stderr.len();
            assert!(said < 10_000, "{said} bytes were said in {format}");
            scene.check_untouched("a long word", &run);
        }
    }
}

#[test]
fn a_batch_brings_no_commands_and_no_settings() {
    let remove = json!({"op": "remove", "file": "a.txt"});
    let with = |field: &str, value: Value| {
        json!({"version": 1, "operations": [remove], field: value})
            .to_string()
            .into_bytes()
    };
    let rows = [
        (
            "validators",
            with("validators", json!([{"name": "x", "command": ["id"]}])),
            MALFORMED,
        ),
        (
            "formatters",
            with("formatters", json!([{"preset": "black"}])),
            MALFORMED,
        ),
        ("env", with("env", json!({"GIT_DIR": "/tmp/x"})), MALFORMED),
        ("cwd", with("cwd", json!("/")), MALFORMED),
        ("hooks", with("hooks", json!("skip")), MALFORMED),
        ("committer", with("committer", json!("A <a@x>")), MALFORMED),
        (
            "a message of nothing",
            with("message", json!("")),
            MALFORMED,
        ),
        (
            "a message with NUL",
            with("message", json!("a\0b")),
            MALFORMED,
        ),
        (
            "a message too long",
            with("message", json!("x".repeat(65_537))),
            TOO_LARGE,
        ),
        (
            "an author with a line of a header",
            with("author", json!("A <a@x>\nparent deadbeef")),
            MALFORMED,
        ),
        (
            "an author with two addresses",
            with("author", json!("A <a@x> <b@x>")),
            MALFORMED,
        ),
        (
            "a mode of a link",
            batch(&[json!({"op": "create", "file": "x", "content": "/etc", "mode": "120000"})]),
            MALFORMED,
        ),
        (
            "a link",
            batch(&[json!({"op": "create", "file": "x", "symlink": "/etc"})]),
            MALFORMED,
        ),
        (
            "an author in brackets",
            with("author", json!("<A> <a@x>")),
            MALFORMED,
        ),
        (
            "an author with NUL",
            with("author", json!("A\0 <a@x>")),
            MALFORMED,
        ),
    ];
    check_everywhere(&rows);
}

#[test]
fn refs_that_are_no_branches_are_not_moved() {
    let scene = Scene::new(Place::Commit);
    let bare = Scene::new(Place::Bare);
    for name in [
        "--upload-pack=touch /tmp/x",
        "-x",
        "HEAD",
        "FETCH_HEAD",
        "ORIG_HEAD",
        "refs/notes/x",
        "refs/tags/v1",
        "refs/remotes/origin/main",
        "refs/segedit/x",
        "refs/heads/-x",
        "refs/heads/HEAD",
        "../config",
        "main/../../config",
        "x.lock",
        "a..b",
        "a b",
        "@{-1}",
        "@",
        "x\n",
        "x\u{1b}[2K",
        "",
    ] {
        let file = json!({"version": 1, "branch": name, "operations": [{"op": "remove", "file": "a.txt"}]}).to_string();
        for scene in [&scene, &bare] {
            scene.check(name, &scene.apply(file.as_bytes()), MALFORMED);
            let branch = format!("--branch={name}");
            let plain = batch(&[json!({"op": "remove", "file": "a.txt"})]);
            let run = scene.call(&["apply", "--format", "json", &branch, "-"], &plain, CPU);
            scene.check(name, &run, MALFORMED);
        }
    }
    for (base, expected) in [
        ("--output=/tmp/x", MALFORMED),
        ("-x", MALFORMED),
        ("x\u{1b}[2K", MALFORMED),
        (
            "nowhere",
            Refused {
                exit: 3,
                codes: &["file-not-found"],
            },
        ),
    ] {
        let file = json!({"version": 1, "base": base, "branch": "new", "operations": [{"op": "remove", "file": "a.txt"}]});
        for scene in [&scene, &bare] {
            let run = scene.apply(file.to_string().as_bytes());
            if expected.exit == 2 {
                scene.check(base, &run, expected);
            } else {
                assert!((3..=4).contains(&run.exit), "{run}");
                scene.check_untouched(base, &run);
            }
        }
    }
}

#[test]
fn a_hash_of_one_character_proves_nothing() {
    let rows: Vec<_> = ["a", "abcdef1", "", "g0000000", "HEAD"]
        .into_iter()
        .map(|hash| {
            (
                hash,
                batch(&[json!({"op": "remove", "file": "a.txt", "expect": hash})]),
                MALFORMED,
            )
        })
        .collect();
    check_everywhere(&rows);
    let stale = batch(&[json!({"op": "remove", "file": "a.txt", "expect": "00000000"})]);
    check_everywhere(&[(
        "stale",
        stale,
        Refused {
            exit: 3,
            codes: &["stale-segment"],
        },
    )]);
}

#[test]
fn one_bad_operation_among_many_good_ones_is_enough() {
    let mut operations: Vec<Value> = (0..50)
        .map(|at| json!({"op": "create", "file": format!("new/{at}.txt"), "content": "x\n"}))
        .collect();
    operations.insert(
        25,
        json!({"op": "delete", "file": "src/worker.py", "symbol": "gone"}),
    );
    operations.insert(
        40,
        json!({"op": "delete", "file": "src/worker.py", "symbol": "missing"}),
    );
    let expected = Refused {
        exit: 3,
        codes: &["segment-not-found"],
    };
    check_everywhere(&[("50 and 2", batch(&operations), expected)]);
    let twice = batch(&[
        json!({"op": "delete", "file": "a.txt", "lines": 2}),
        json!({"op": "replace", "file": "a.txt", "lines": "1-2", "content": "x"}),
    ]);
    check_everywhere(&[(
        "overlap",
        twice,
        Refused {
            exit: 3,
            codes: &["overlap"],
        },
    )]);
}

#[test]
fn operation_files_are_found_where_no_file_should_be() {
    for place in [Place::Commit, Place::Bare] {
        let scene = Scene::new(place);
        for (name, exit) in [
            ("/dev/zero", 2),
            ("/dev/null", 2),
            ("/", 5),
            ("/nowhere", 5),
        ] {
            let run = scene.call(&["apply", "--format", "json", name], b"", CPU);
            assert_eq!(run.exit, exit, "{run}");
            scene.check_untouched(name, &run);
        }
        let pipe = scene.sandbox.aside().join("pipe");
        let made = std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("mkfifo runs");
        assert!(made.success());
        let start = std::time::Instant::now();
        let run = scene.call(
            &[
                "apply",
                "--format",
                "json",
                pipe.to_str().expect("a plain path"),
            ],
            b"",
            CPU,
        );
        assert!(
            start.elapsed().as_secs() < 10,
            "it waited for a writer who never comes"
        );
        std::fs::remove_file(&pipe).expect("a pipe that is no longer needed");
        scene.check("a pipe that nobody writes to", &run, MALFORMED);
        let endless = vec![b'#'; 20 << 20];
        scene.check("a stream without end", &scene.apply(&endless), TOO_LARGE);
    }
}

#[test]
fn a_link_to_an_operation_file_is_one() {
    let scene = Scene::new(Place::Commit);
    let aside = scene.sandbox.aside();
    std::fs::write(
        aside.join("ops.yaml"),
        batch(&[json!({"op": "remove", "file": "a.txt"})]),
    )
    .unwrap();
    symlink("ops.yaml", aside.join("link.yaml")).unwrap();
    let run = scene
        .sandbox
        .segedit(&["check", "--format", "json", "../link.yaml"]);
    assert_eq!(run.exit, 0, "{run}");
    assert_eq!(run.json()["status"], "verified", "{run}");
}

#[test]
fn a_pipe_is_waited_for_as_long_as_it_has_a_writer() {
    let scene = Scene::new(Place::Commit);
    let remove =
        String::from_utf8(batch(&[json!({"op": "remove", "file": "a.txt"})])).expect("text");
    let writer =
        format!("mkfifo ../pipe; (sleep 2; printf '%s' '{remove}'; sleep 1; echo) > ../pipe &");
    let run = scene
        .sandbox
        .shell(&format!("{writer} git-segedit check --format json ../pipe"));
    assert_eq!(run.json()["status"], "verified", "{run}");
}

#[test]
fn what_was_done_is_not_done_twice() {
    let edit = batch(&[json!({"op": "replace", "file": "a.txt", "lines": 1, "content": "first"})]);
    for place in EVERYWHERE {
        let scene = Scene::new(place);
        let first = scene
            .sandbox
            .segedit_with_input(&["apply", "--destination", scene.destination(), "-"], &edit);
        assert_eq!(first.exit, 0, "{first}");
        let scene = Scene {
            before: everything(&scene.sandbox),
            ..scene
        };
        if place == Place::Stash {
            continue;
        }
        let again = scene.apply(&edit);
        assert_eq!(again.json()["status"], "unchanged", "{again}");
        scene.check(
            "the same again",
            &again,
            Refused {
                exit: 0,
                codes: &[],
            },
        );
    }
}
