//! Operation files that are short and want much: each ends within the processor time and the memory that a `Scene` allows.

use serde_json::{Value, json};

use super::{few, less};
use crate::support::hostile::{
    Place, Refused, Scene, TOO_LARGE, batch, code, scene_with, substitute,
};

#[test]
fn patterns_that_match_slowly_are_given_up() {
    let pattern = ".*[^A-Z]|[A-Z]";
    for (place, size) in few(
        [
            (Place::Commit, 80_000),
            (Place::Worktree, 1 << 20),
            (Place::Bare, 1 << 20),
        ],
        3,
    ) {
        let scene = scene_with(place, "capitals.txt", &"A".repeat(size));
        let run = scene.apply(&batch(&[substitute("capitals.txt", pattern, "x")]));
        scene.check(pattern, &run, TOO_LARGE);
        // All operations of a batch share what there is, so that many are no way around it.
        let run = scene.apply(&batch(&vec![substitute("capitals.txt", pattern, "x"); 500]));
        scene.check("500 of them", &run, TOO_LARGE);
        let select =
            json!({"op": "replace", "file": "capitals.txt", "pattern": pattern, "content": "x"});
        let run = scene.apply(&batch(&[select]));
        let code = code(&run.json()["errors"][0]).to_owned();
        // A selector stops at the places that it would list.
        assert!(
            ["too-large", "text-ambiguous"].contains(&code.as_str()),
            "{run}"
        );
        scene.check(
            "a selector",
            &run,
            Refused {
                exit: 3,
                codes: &[code.as_str()],
            },
        );
    }
}

#[test]
fn replacements_do_not_grow_without_end() {
    let lines = "a\n".repeat(20_000);
    let long = "x".repeat(1 << 20);
    let doubling = vec![substitute("many.txt", "(?s).+", "$0$0"); 60];
    let sequential = |operations: &[Value]| {
        json!({"version": 1, "resolve": "sequential", "operations": operations})
            .to_string()
            .into_bytes()
    };
    let mut growing =
        vec![json!({"op": "create", "file": "big.txt", "content": "x".repeat(4 << 20)})];
    growing.extend(
        (0..9000).map(
            |_| json!({"op": "insert", "file": "big.txt", "position": "last", "content": "y\n"}),
        ),
    );
    let indented = [
        json!({"op": "create", "file": "i.py", "content": format!("if x:\n{}def f(): pass\n", " ".repeat(1 << 20))}),
        json!({"op": "insert", "file": "i.py", "symbol": "f", "position": "after", "content": "x\n".repeat(1 << 20)}),
    ];
    let by_text = json!({"op": "substitute", "file": "many.txt", "text": "a", "replacement": long});
    let everywhere =
        json!({"op": "substitute", "files": ["*.txt"], "pattern": "(?s).", "replacement": long});
    let rows = [
        (
            "a long replacement of a pattern",
            batch(&[substitute("many.txt", ".", &long)]),
            TOO_LARGE,
        ),
        ("a long replacement of a text", batch(&[by_text]), TOO_LARGE),
        (
            "a group many times",
            batch(&[substitute("many.txt", "(?s)(.*)", &"$1".repeat(100_000))]),
            TOO_LARGE,
        ),
        ("doubled sixty times", sequential(&doubling), TOO_LARGE),
        (
            "a deep indentation on many lines",
            sequential(&indented),
            TOO_LARGE,
        ),
        ("every byte, everywhere", batch(&[everywhere]), TOO_LARGE),
    ];
    for place in few(
        [Place::Commit, Place::Cached, Place::Worktree, Place::Bare],
        2,
    ) {
        let scene = scene_with(place, "many.txt", &lines);
        for (label, operation_file, expected) in &rows {
            scene.check(label, &scene.apply(operation_file), *expected);
        }
    }
    // Every step writes all of the file: a release build needs a tenth of the time.
    let scene = Scene::new(Place::Commit);
    let run = scene.call(
        &["apply", "--format", "json", "-"],
        &sequential(&growing),
        30,
    );
    scene.check("a large file in many steps", &run, TOO_LARGE);
}

#[test]
fn thousands_of_mistakes_cost_little() {
    let lines: String = (0..20_000)
        .map(|at| format!("line {at} of a long file\n"))
        .collect();
    let scene = scene_with(Place::Commit, "long.txt", &lines);
    let each = |operation: &dyn Fn(usize) -> Value| {
        batch(
            &(0..less(9_999, 2_000))
                .map(operation)
                .collect::<Vec<Value>>(),
        )
    };
    let rows = [
        (
            "misspelt texts",
            each(
                &|at| json!({"op": "replace", "file": "long.txt", "text": format!("lime {at} of a lung file"), "content": ""}),
            ),
            "text-not-found",
        ),
        (
            "lines that overlap",
            each(&|_| json!({"op": "delete", "file": "long.txt", "lines": 5})),
            "overlap",
        ),
        (
            "files that are not there",
            each(&|at| json!({"op": "remove", "file": format!("n/{at}")})),
            "file-not-found",
        ),
        (
            "symbols that are not there",
            each(
                &|at| json!({"op": "delete", "file": "src/worker.py", "symbol": format!("stop{at}")}),
            ),
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
        scene.check(
            label,
            &run,
            Refused {
                exit: 3,
                codes: &[code],
            },
        );
    }
}
