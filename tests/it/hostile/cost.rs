//! Operation files that are short and want much: patterns without end, replacements that grow, files within files. Each
//! ends within the processor time and the memory that a `Scene` allows.

use serde_json::{Value, json};

use super::{EVERYWHERE, Place, Refused, Scene, batch, check_everywhere, everything};
use crate::support::Run;

const TOO_LARGE: Refused<'_> = Refused { exit: 3, codes: &["too-large"] };
const INVALID: Refused<'_> = Refused { exit: 3, codes: &["invalid-pattern"] };

/// Returns a scene with one more file in its commit, its index and its worktree.
fn scene_with(place: Place, name: &str, content: &str) -> Scene {
    let scene = Scene::new(place);
    let sandbox = &scene.sandbox;
    let blob = sandbox.git_with_input(&["hash-object", "-w", "--stdin"], content.as_bytes());
    let blob = String::from_utf8(blob).expect("an id").trim().to_owned();
    let entry = format!("100644,{blob},{name}");
    sandbox.git(&["read-tree", "HEAD"]);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &entry]);
    let tree = sandbox.git(&["write-tree"]);
    let commit = sandbox.git(&["commit-tree", "-p", "HEAD", "-m", "third", &tree]);
    sandbox.git(&["update-ref", "HEAD", &commit]);
    if place == Place::Bare {
        std::fs::remove_file(sandbox.repo().join("index")).expect("a bare repository has no index");
    } else {
        sandbox.write(name, content);
        sandbox.git(&["update-index", "-q", "--refresh", "--", name]);
    }
    Scene { before: everything(&scene.sandbox), ..scene }
}

fn substitute(file: &str, pattern: &str, replacement: &str) -> Value {
    json!({"op": "substitute", "file": file, "pattern": pattern, "replacement": replacement})
}

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
    .map(|pattern| (pattern.to_owned(), batch(&[substitute("a.txt", pattern, "x")]), INVALID))
    .into_iter()
    .collect();
    let rows: Vec<_> = rows.iter().map(|(label, file, expected)| (label.as_str(), file.clone(), *expected)).collect();
    check_everywhere(&rows);
}

#[test]
fn patterns_that_match_slowly_are_given_up() {
    let pattern = ".*[^A-Z]|[A-Z]";
    for (place, size) in [(Place::Commit, 80_000), (Place::Worktree, 1 << 20), (Place::Bare, 1 << 20)] {
        let scene = scene_with(place, "capitals.txt", &"A".repeat(size));
        let run = scene.apply(&batch(&[substitute("capitals.txt", pattern, "x")]));
        scene.check(pattern, &run, TOO_LARGE);
        // All operations of a batch share what there is, so that many are no way around it.
        let run = scene.apply(&batch(&vec![substitute("capitals.txt", pattern, "x"); 500]));
        scene.check("500 of them", &run, TOO_LARGE);
        let select = json!({"op": "replace", "file": "capitals.txt", "pattern": pattern, "content": "x"});
        let run = scene.apply(&batch(&[select]));
        let code = super::code(&run.json()["errors"][0]).to_owned();
        // A selector stops at the places that it would list.
        assert!(["too-large", "text-ambiguous"].contains(&code.as_str()), "{run}");
        scene.check("a selector", &run, Refused { exit: 3, codes: &[code.as_str()] });
    }
}

#[test]
fn patterns_of_attributes_and_pathspecs_are_matched_in_time() {
    let long = format!("{}.py", "a".repeat(60));
    let pattern = "*a".repeat(25) + "*b";
    let bomb = format!("{pattern} -text\n{pattern} filter=x\n*.py text eol=crlf\n");
    type Plant<'a> = (&'a str, &'a dyn Fn(&Scene));
    let plants: [Plant<'_>; 5] = [
        ("in the worktree", &|scene| scene.sandbox.write(".gitattributes", &bomb)),
        ("in the index", &|scene| {
            scene.sandbox.write(".gitattributes", &bomb);
            scene.sandbox.git(&["add", ".gitattributes"]);
            scene.sandbox.write(".gitattributes", "*.py text eol=crlf\n");
        }),
        ("in git's folder", &|scene| scene.sandbox.write(".git/info/attributes", &bomb)),
        ("in a named file", &|scene| {
            let file = scene.sandbox.aside().join("named");
            std::fs::write(&file, &bomb).expect("a file of attributes");
            scene.sandbox.git(&["config", "core.attributesFile", file.to_str().expect("a path")]);
        }),
        ("in a named file of the worktree", &|scene| {
            scene.sandbox.write("named", &bomb);
            scene.sandbox.git(&["config", "core.attributesFile", "named"]);
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
        assert!(found.exit == 0 && found.out().contains(&long), "{place}\n{found}");
        held(scene.within_limits(&["outline", &long], b""), 0);
        held(scene.within_limits(&["outline", &format!("HEAD:{long}")], b""), 0);
        held(scene.within_limits(&["check", "-"], &check), 0);
        held(scene.within_limits(&["replace", &symbol, "--content", "def wanted(): pass", "-n"], b""), 0);
        let by_glob = json!({"op": "substitute", "files": [pattern, "aaa*"], "text": "wanted", "replacement": "found"});
        held(scene.within_limits(&["apply", "--destination", "worktree", "-"], &batch(&[by_glob])), 0);
        let written = std::fs::read_to_string(sandbox.repo().join(&long)).expect("the file");
        assert_eq!(written, "def found():\n    return 1\n", "{place}");
        // And it is not that nobody asks any more: so git would write it.
        let create = json!({"op": "create", "file": "new.py", "content": "x = 1\n"});
        held(scene.within_limits(&["apply", "--destination", "worktree", "-"], &batch(&[create])), 0);
        let written = std::fs::read_to_string(sandbox.repo().join("new.py")).expect("the file");
        assert_eq!(written, "x = 1\r\n", "{place}");
    }
}

#[test]
fn replacements_do_not_grow_without_end() {
    let lines = "a\n".repeat(20_000);
    let long = "x".repeat(1 << 20);
    let doubling = vec![substitute("many.txt", "(?s).+", "$0$0"); 60];
    let sequential = |operations: &[Value]| {
        json!({"version": 1, "resolve": "sequential", "operations": operations}).to_string().into_bytes()
    };
    let mut growing = vec![json!({"op": "create", "file": "big.txt", "content": "x".repeat(4 << 20)})];
    growing.extend((0..9000).map(|_| json!({"op": "insert", "file": "big.txt", "position": "last", "content": "y\n"})));
    let indented = [
        json!({"op": "create", "file": "i.py", "content": format!("if x:\n{}def f(): pass\n", " ".repeat(1 << 20))}),
        json!({"op": "insert", "file": "i.py", "symbol": "f", "position": "after", "content": "x\n".repeat(1 << 20)}),
    ];
    let by_text = json!({"op": "substitute", "file": "many.txt", "text": "a", "replacement": long});
    let everywhere = json!({"op": "substitute", "files": ["*.txt"], "pattern": "(?s).", "replacement": long});
    let rows = [
        ("a long replacement of a pattern", batch(&[substitute("many.txt", ".", &long)]), TOO_LARGE),
        ("a long replacement of a text", batch(&[by_text]), TOO_LARGE),
        ("a group many times", batch(&[substitute("many.txt", "(?s)(.*)", &"$1".repeat(100_000))]), TOO_LARGE),
        ("doubled sixty times", sequential(&doubling), TOO_LARGE),
        ("a deep indentation on many lines", sequential(&indented), TOO_LARGE),
        ("every byte, everywhere", batch(&[everywhere]), TOO_LARGE),
    ];
    for place in [Place::Commit, Place::Cached, Place::Worktree, Place::Bare] {
        let scene = scene_with(place, "many.txt", &lines);
        for (label, operation_file, expected) in &rows {
            scene.check(label, &scene.apply(operation_file), *expected);
        }
    }
    // Every step writes all of the file: a release build needs a tenth of the time.
    let scene = Scene::new(Place::Commit);
    let run = scene.call(&["apply", "--format", "json", "-"], &sequential(&growing), 30);
    scene.check("a large file in many steps", &run, TOO_LARGE);
}

#[test]
fn thousands_of_mistakes_cost_little() {
    let lines: String = (0..20_000).map(|at| format!("line {at} of a long file\n")).collect();
    let scene = scene_with(Place::Commit, "long.txt", &lines);
    let each = |operation: &dyn Fn(usize) -> Value| batch(&(0..9_999).map(operation).collect::<Vec<Value>>());
    let rows = [
        (
            "misspelt texts",
            each(
                &|at| json!({"op": "replace", "file": "long.txt", "text": format!("lime {at} of a lung file"), "content": ""}),
            ),
            "text-not-found",
        ),
        ("lines that overlap", each(&|_| json!({"op": "delete", "file": "long.txt", "lines": 5})), "overlap"),
        ("files that are not there", each(&|at| json!({"op": "remove", "file": format!("n/{at}")})), "file-not-found"),
        (
            "symbols that are not there",
            each(&|at| json!({"op": "delete", "file": "src/worker.py", "symbol": format!("stop{at}")})),
            "segment-not-found",
        ),
        (
            "lines that are not there",
            each(&|at| json!({"op": "delete", "file": "long.txt", "lines": 30_000 + at})),
            "line-out-of-range",
        ),
    ];
    for (label, operation_file, code) in rows {
        let run = scene.call(&["apply", "--format", "json", "-"], &operation_file, 15);
        scene.check(label, &run, Refused { exit: 3, codes: &[code] });
    }
}

#[test]
fn files_nested_without_end_are_read() {
    let deep = [
        ("deep.py", format!("x = {}{}\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("minus.py", format!("x = {}1\n", "-".repeat(100_000))),
        ("deep.js", format!("x = {}{}\n", "[".repeat(100_000), "]".repeat(100_000))),
        ("deep.rs", format!("fn f() {{ {}{} }}\n", "{".repeat(100_000), "}".repeat(100_000))),
        ("deep.go", format!("package a\nvar x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("deep.ts", format!("type A = {}B{}\n", "Array<".repeat(50_000), ">".repeat(50_000))),
        ("deep.java", format!("{}{}\n", "class A { ".repeat(20_000), "}".repeat(20_000))),
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
        let find = if name.ends_with(".md") { section } else { missing };
        let file = json!({"version": 1, "resolve": "sequential", "operations": [create, find]});
        let run = scene.call(&["apply", "--format", "json", "-"], file.to_string().as_bytes(), 15);
        // Of twenty thousand classes inside of one another nobody is told the names.
        let code = if name == "deep.java" { "too-large" } else { "segment-not-found" };
        scene.check(name, &run, Refused { exit: 3, codes: &[code] });
    }
}

#[test]
fn a_large_batch_has_a_message_that_can_be_read() {
    let scene = Scene::new(Place::Bare);
    let operations: Vec<Value> =
        (0..5_000).map(|at| json!({"op": "create", "file": format!("new/{at}.txt"), "content": "x\n"})).collect();
    let run = scene.sandbox.segedit_with_input(&["apply", "--no-diff", "-"], &batch(&operations));
    assert_eq!(run.exit, 0, "{run}");
    let message = scene.sandbox.git(&["log", "-1", "--format=%B"]);
    assert!(message.len() < 10_000 && message.contains("\n- and "), "{message}");
    assert!(message.starts_with("Edit 5000 files (5000 operations)\n"), "{message}");
}

#[test]
fn files_that_are_large_or_binary_are_not_parsed() {
    let large = "x = 1\n".repeat(17 << 20 >> 2);
    for place in [Place::Commit, Place::Worktree, Place::Bare] {
        let scene = scene_with(place, "large.py", &large);
        let run = scene.apply(&batch(&[json!({"op": "delete", "file": "large.py", "symbol": "x[7]"})]));
        scene.check("a large file", &run, TOO_LARGE);
        let run = scene.apply(&batch(&[json!({"op": "delete", "file": "logo.bin", "lines": 1})]));
        scene.check("a binary file", &run, Refused { exit: 3, codes: &["binary-file"] });
    }
}

#[test]
fn a_batch_does_not_change_the_rules_that_it_is_judged_by() {
    let rules = "version: 1\nvalidators:\n  - {name: x, command: [git, \"{files}\"], files: [\"*\"]}\n";
    let edits = batch(&[
        json!({"op": "replace", "file": ".segedit.yaml", "allow_remove": true, "content": "version: 1\n"}),
        json!({"op": "replace", "file": "a.txt", "content": "x\n"}),
    ]);
    for place in EVERYWHERE {
        let scene = scene_with(place, ".segedit.yaml", rules);
        let run = scene.freely(&["apply", "--destination", scene.destination()], &edits);
        scene.check("the rules", &run, Refused { exit: 4, codes: &["config-untrusted"] });
    }
}
