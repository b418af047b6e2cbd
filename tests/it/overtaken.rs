//! A batch that somebody overtakes between resolving and publishing: what counts in a file that changed is refused, what has a
//! name is resolved again. The one who overtakes is a validator, which runs just then, and acts only the first time.

use crate::support::ruled::{trusted, with};
use crate::support::{Run, Sandbox};

/// The files, and what somebody makes of them in between: one more of each thing, ahead of the others.
const FILES: [(&str, &str, &str); 7] = [
    (
        "t.py",
        "print(\"recieved an order from the customer\")\nrun(alpha, beta)\n",
        "print(\"received an order from the customer\")\nrun(alpha, beta)\n",
    ),
    (
        "g.py",
        "class K:\n    def f(self):\n        return 1\n\n\ndef last():\n    pass\n",
        "class K:\n    def f(self):\n        return 2\n\n\ndef last():\n    pass\n",
    ),
    ("w.txt", "l1\nl2\nl3\nl4\n", "l0\nl1\nl2\nl3\nl4\n"),
    ("long.txt", "m1\nm2\nm3\n", "m1\nm2\nm3\nm4\n"),
    (
        "f.py",
        "def f():\n    return 1\n\n\ndef f():\n    return 2\n",
        "def f():\n    return 0\n\n\ndef f():\n    return 1\n\n\ndef f():\n    return 2\n",
    ),
    (
        "c.yaml",
        "steps:\n  - uses: a\n  - uses: b\n",
        "steps:\n  - uses: z\n  - uses: a\n  - uses: b\n",
    ),
    (
        "p.html",
        "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
        "<ul>\n<li>z</li>\n<li>a</li>\n<li>b</li>\n</ul>\n",
    ),
];

/// Applies `operations` to `destination` while somebody gives `path` the content that it has on the branch `theirs`.
fn overtaken(destination: &str, path: &str, operations: &str) -> (Sandbox, Run) {
    let sandbox = with(
        "version: 1\n",
        &FILES.map(|(path, content, _)| (path, content)),
    );
    sandbox.git(&["checkout", "-qb", "theirs"]);
    for (other, _, theirs) in FILES.iter().filter(|(other, ..)| *other == path) {
        sandbox.write(other, theirs);
    }
    sandbox.write("another.txt", "l2\n");
    let act = match destination {
        "commit" => "git update-ref refs/heads/side refs/heads/theirs".to_owned(),
        "index" | "cached" => format!("git checkout -q theirs -- {path}"),
        _ => format!("git show theirs:{path} >new && mv new {path}"),
    };
    let (flag, repo) = (sandbox.aside().join("flag"), sandbox.repo());
    let (flag, repo) = (flag.display(), repo.display());
    let rules = format!(
        "version: 1\nvalidators:\n  - name: meanwhile\n    \
         command: [sh, -c, 'test -e {flag} || {{ : >{flag}; cd {repo} && {act}; }}']\n"
    );
    // The configuration is the same on both sides, and in the first commit.
    sandbox.git(&["checkout", "-q", "main", "--", ".segedit.yaml"]);
    sandbox.write(".segedit.yaml", &rules);
    sandbox.commit_all("theirs");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write(".segedit.yaml", &rules);
    sandbox.commit_all("rules");
    sandbox.git(&["branch", "side"]);
    std::fs::write(
        sandbox.aside().join("ops.yaml"),
        format!("version: 1\n{operations}"),
    )
    .expect("an operation file");
    let mut args = vec![
        "apply",
        "../ops.yaml",
        "--format",
        "json",
        "--destination",
        destination,
    ];
    if destination == "commit" {
        args.extend(["--branch", "side"]);
    }
    let run = trusted(&sandbox, &args);
    assert!(
        sandbox.aside().join("flag").exists(),
        "nobody overtook it\n{run}"
    );
    (sandbox, run)
}

/// Returns what stands at `path` where the batch went.
fn now(sandbox: &Sandbox, destination: &str, path: &str) -> String {
    match destination {
        "commit" => sandbox.git(&["show", &format!("side:{path}")]) + "\n",
        "index" | "cached" => sandbox.git(&["show", &format!(":{path}")]) + "\n",
        _ => std::fs::read_to_string(sandbox.repo().join(path)).expect("the file"),
    }
}

#[track_caller]
fn refused(destination: &str, path: &str, operations: &str, code: &str, exit: i32) {
    let (sandbox, run) = overtaken(destination, path, operations);
    assert_eq!(
        run.exit, exit,
        "{destination}: {operations}{run}\n{sandbox}"
    );
    assert_eq!(
        run.json()["errors"][0]["code"],
        code,
        "{destination}: {operations}{run}"
    );
    let theirs = FILES
        .iter()
        .find(|(other, ..)| *other == path)
        .map(|(_, _, theirs)| *theirs);
    assert_eq!(
        Some(now(&sandbox, destination, path).as_str()),
        theirs,
        "{destination}: {operations}{run}"
    );
}

#[track_caller]
fn lands(destination: &str, path: &str, operations: &str, edited: &str, expected: &str) {
    let (sandbox, run) = overtaken(destination, path, operations);
    assert_eq!(run.exit, 0, "{destination}: {operations}{run}\n{sandbox}");
    assert_eq!(
        now(&sandbox, destination, edited),
        expected,
        "{destination}: {operations}{run}"
    );
}

/// Each takes away what somebody put there, or changed there, in between.
const TAKING: [(&str, &str); 9] = [
    // Found to the letter first, and as similar then.
    (
        "t.py",
        "{op: delete, file: t.py, text: \"print(\\\"recieved an order from the customer\\\")\\nrun(alpha, beta)\"}",
    ),
    (
        "g.py",
        "{op: replace, file: g.py, symbol: K.f, content: 'def f(self): return 9'}",
    ),
    (
        "g.py",
        "{op: replace, file: g.py, symbol: K, content: \"class K:\\n    def f(self): return 9\"}",
    ),
    (
        "g.py",
        "{op: replace, file: g.py, symbol: K.f, part: body, content: return 9}",
    ),
    ("g.py", "{op: delete, file: g.py, symbol: K.f}"),
    ("g.py", "{op: delete, file: g.py, symbol: '*.f', all: true}"),
    (
        "g.py",
        "{op: replace, file: g.py, pattern: 'return \\d', content: return 9}",
    ),
    (
        "g.py",
        "{op: replace, file: g.py, content: 'x = 1', allow_remove: true}",
    ),
    (
        "g.py",
        "{op: remove, file: g.py}\n  - {op: delete, file: w.txt, text: l3}",
    ),
];

const COUNTING: [(&str, &str); 6] = [
    ("w.txt", "{op: delete, file: w.txt, lines: 3}"),
    (
        "w.txt",
        "{op: substitute, file: w.txt, pattern: 'l\\d', replacement: L, count: 2}",
    ),
    (
        "w.txt",
        "{op: replace, file: w.txt, pattern: 'l\\d', occurrence: 2, content: L}",
    ),
    (
        "f.py",
        "{op: replace, file: f.py, symbol: 'f[2]', part: body, content: return 22}",
    ),
    (
        "c.yaml",
        "{op: replace, file: c.yaml, key: 'steps[1].uses', content: c}",
    ),
    (
        "p.html",
        "{op: replace, file: p.html, element: 'li:nth-of-type(2)', part: inner, content: c}",
    ),
];

#[test]
fn what_counts_in_a_file_that_changed_is_refused() {
    for (path, operation) in COUNTING {
        let operations = format!("operations:\n  - {operation}\n");
        refused("worktree", path, &operations, "changed-since", 4);
        refused("commit", path, &operations, "ref-moved", 4);
    }
    let lines = "operations:\n  - {op: delete, file: w.txt, lines: 3}\n";
    refused("index", "w.txt", lines, "changed-since", 4);
    refused("cached", "w.txt", lines, "changed-since", 4);
    // A rehearsal says what the act would.
    refused(
        "worktree",
        "w.txt",
        &format!("mode: verify_only\n{lines}"),
        "changed-since",
        4,
    );
}

#[test]
fn what_would_take_away_the_work_of_others_is_refused() {
    for (path, operation) in TAKING {
        let operations = format!("operations:\n  - {operation}\n");
        refused("worktree", path, &operations, "changed-since", 4);
        refused("commit", path, &operations, "ref-moved", 4);
    }
    let steps = "resolve: sequential\noperations:\n  - {op: insert, file: g.py, symbol: K, position: last, content: 'def g(self): pass'}\n  \
                 - {op: replace, file: g.py, symbol: K.f, content: 'def f(self): return 9'}\n";
    refused("commit", "g.py", steps, "ref-moved", 4);
}

#[test]
fn what_takes_nothing_of_others_goes_through() {
    let beside = "class K:\n    def f(self):\n        return 2\n\n\ndef last():\n    return 3\n";
    let next = "operations:\n  - {op: replace, file: g.py, symbol: last, content: \"def last():\\n    return 3\"}\n";
    // What somebody else did in between is what was asked for.
    let theirs = "operations:\n  - {op: replace, file: g.py, symbol: K.f, content: \"def f(self):\\n    return 2\"}\n  \
                  - {op: replace, file: g.py, symbol: last, content: \"def last():\\n    return 3\"}\n";
    for destination in ["worktree", "commit"] {
        lands(destination, "g.py", next, "g.py", beside);
        lands(destination, "g.py", theirs, "g.py", beside);
    }
}

#[test]
fn several_operation_files_are_resolved_again_together() {
    let sandbox = with(
        "version: 1\n",
        &FILES.map(|(path, content, _)| (path, content)),
    );
    let (flag, repo) = (sandbox.aside().join("flag"), sandbox.repo());
    let act = "sed -i s/pass/return/ g.py && git commit -qam theirs";
    let rules = format!(
        "version: 1\nvalidators:\n  - name: meanwhile\n    \
         command: [sh, -c, 'test -e {} || {{ : >{}; cd {} && {act}; }}']\n",
        flag.display(),
        flag.display(),
        repo.display()
    );
    sandbox.write(".segedit.yaml", &rules);
    sandbox.commit_all("rules");
    let write = |name: &str, operation: &str| {
        let text = format!("version: 1\noperations:\n  - {operation}\n");
        std::fs::write(sandbox.aside().join(name), text).expect("an operation file");
    };
    write(
        "one.yaml",
        "{op: replace, file: g.py, symbol: K.f, part: body, content: return 9}",
    );
    write(
        "two.yaml",
        "{op: replace, file: g.py, symbol: K.f, part: body, content: return 10}",
    );
    let run = trusted(&sandbox, &["apply", "../one.yaml", "../two.yaml"]);
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    let text = std::fs::read_to_string(repo.join("g.py")).expect("the file");
    assert!(
        text.contains("return 10") && text.contains("def last():\n    return\n"),
        "{text}"
    );
    assert_eq!(
        sandbox.git(&["log", "--format=%s", "-3"]).lines().nth(2),
        Some("theirs"),
        "{sandbox}"
    );
}

#[test]
fn a_file_that_an_earlier_step_moved_is_counted_in_all_the_same() {
    let moved = "resolve: sequential\noperations:\n  - {op: rename_file, file: w.txt, to: v.txt}\n  \
                 - {op: delete, file: v.txt, lines: 3}\n";
    refused("commit", "w.txt", moved, "ref-moved", 4);
}

#[test]
fn counting_over_many_files_counts_those_that_came_too() {
    let first =
        "operations:\n  - {op: substitute, files: ['*.txt'], text: l2, replacement: x, count: 1}\n";
    refused("commit", "w.txt", first, "ref-moved", 4);
}

#[test]
fn what_is_named_is_resolved_again() {
    for destination in ["worktree", "commit", "index", "cached"] {
        let by_name = "operations:\n  - {op: delete, file: w.txt, text: l3}\n";
        lands(destination, "w.txt", by_name, "w.txt", "l0\nl1\nl2\nl4\n");
    }
}

#[test]
fn an_ordinal_in_a_file_that_nobody_changed_goes_through() {
    let both = "operations:\n  - {op: delete, file: w.txt, text: l3}\n  - {op: delete, file: long.txt, lines: 2}\n";
    for destination in ["worktree", "commit"] {
        lands(destination, "w.txt", both, "long.txt", "m1\nm3\n");
    }
}

#[test]
fn a_segment_that_is_held_to_its_hash_is_known_by_it() {
    // git hash-object of `m2` and `l3` without a line break.
    let hash = |text: &str| {
        let sandbox = Sandbox::unborn();
        String::from_utf8(sandbox.git_with_input(&["hash-object", "--stdin"], text.as_bytes()))
            .expect("an id")
            .trim()
            .to_owned()
    };
    let held = |path: &str, line: usize, text: &str| {
        format!(
            "operations:\n  - {{op: delete, file: {path}, lines: {line}, expect: {}}}\n",
            hash(text)
        )
    };
    lands(
        "worktree",
        "long.txt",
        &held("long.txt", 2, "m2"),
        "long.txt",
        "m1\nm3\nm4\n",
    );
    lands(
        "commit",
        "long.txt",
        &held("long.txt", 2, "m2"),
        "long.txt",
        "m1\nm3\nm4\n",
    );
    refused(
        "worktree",
        "w.txt",
        &held("w.txt", 3, "l3"),
        "stale-segment",
        3,
    );
}
