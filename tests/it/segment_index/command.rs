//! The command `index`, what pathspecs leave alone, and `outline` and `show` of what is known already.

use std::fs;

use crate::support::Sandbox;
use crate::support::segment_index::{SORTS, both, found, index, settle};

#[test]
fn the_index_is_built_measured_built_anew_and_dropped() {
    let sandbox = Sandbox::with(&SORTS);
    settle();
    let say = |options: &[&str]| sandbox.segedit(&[&["index"], options].concat()).out();
    assert!(
        say(&["--stat"]).starts_with("no index: "),
        "{}",
        say(&["--stat"])
    );
    assert!(
        say(&[]).starts_with("up to date: 9 files, 9 of them read, 9 new contents\n  9 contents, ")
    );
    assert!(say(&[]).starts_with("up to date: 9 files, 0 of them read, 0 new contents\n"));
    assert!(
        say(&["--rebuild"]).starts_with("up to date: 9 files, 9 of them read, 9 new contents\n")
    );
    assert!(say(&["--stat"]).starts_with("up to date: 9 files\n  9 contents, "));
    sandbox.write("src/worker.py", "def process(): ...\n");
    assert!(say(&["--stat"]).starts_with("out of date: 1 of 9 files to be read\n"));
    assert!(
        say(&["--stat"]).starts_with("out of date: 1 of 9 files to be read\n"),
        "to look changes nothing"
    );
    assert_eq!(say(&["-q"]), "");
    assert!(say(&["--drop"]).starts_with("removed: "));
    assert!(say(&["--drop"]).starts_with("no index: "));
    assert_eq!(sandbox.segedit(&["index", "--drop", "--stat"]).exit, 2);
    assert_eq!(sandbox.segedit(&["index", "--drop", "--rebuild"]).exit, 2);
    assert!(!sandbox.cache().join("index.sqlite").exists());
}

#[test]
fn programs_get_it_as_one_object() {
    let sandbox = Sandbox::with(&SORTS);
    settle();
    let built = index(&sandbox, &["--rebuild"]);
    assert_eq!(
        (&built["done"], &built["read"], &built["current"]),
        (&"refreshed".into(), &9.into(), &true.into())
    );
    let stat = index(&sandbox, &["--stat"]);
    assert_eq!(
        (&stat["done"], &stat["files"], &stat["unread"]),
        (&"looked".into(), &9.into(), &0.into()),
        "{stat}"
    );
    assert!(
        stat["bytes"].as_u64().unwrap() > 0 && stat["names"].as_u64().unwrap() >= 20,
        "{stat}"
    );
    assert_eq!(
        stat["path"].as_str(),
        sandbox.cache().join("index.sqlite").to_str(),
        "{stat}"
    );
    let dropped = index(&sandbox, &["--drop"]);
    assert_eq!(
        (&dropped["done"], &dropped["exists"]),
        (&"dropped".into(), &false.into()),
        "{dropped}"
    );
    assert_eq!(index(&sandbox, &["--drop"])["done"], "nothing");
}

#[test]
fn only_what_a_pathspec_matches_is_read() {
    let sandbox = Sandbox::with(&SORTS);
    let read = || index(&sandbox, &["--stat"])["contents"].clone();
    let specs: [(&[&str], usize); 6] = [
        (&["--", "src/*.rs"], 1),
        (&["--", "src"], 2),
        (&["--", ":!src", ":!*.txt"], 7),
        (&["--", "nothing"], 7),
        (&["--", ":(icase)NOTES.TXT"], 8),
        (&[], 9),
    ];
    for (spec, contents) in specs {
        both(&sandbox, &[&["find", "process"], spec].concat());
        assert_eq!(read(), contents, "{spec:?}");
        both(&sandbox, &[&["find", "process"], spec].concat());
    }
    sandbox.write("src/b.rs", "fn process() {}\n");
    sandbox.write("README.md", "# process\n");
    both(&sandbox, &["find", "process", "--", "README.md"]);
    assert_eq!(read(), 10, "the other file that changed was not asked for");
    let below = ["-C", "src"];
    both(
        &sandbox,
        &[&below[..], &["find", "process", "--", "*.rs"]].concat(),
    );
    assert_eq!(read(), 11);
}

#[test]
fn outline_and_show_say_the_same_of_what_is_known() {
    let mut text = String::from("import os\n\n\nclass Large:\n    \"\"\"Doc.\"\"\"\n");
    for at in 0..1_200 {
        text.push_str(&format!(
            "\n    @property\n    def method_{at}(self, value={at}):\n        # ä\n        return value\n"
        ));
    }
    text.push_str("\n\ndef twice(): ...\ndef twice(): ...\n\n\ndef once(): ...\n");
    let script = format!(
        "{}\nexport namespace a.b {{ export const c = 1; }}\n",
        "// x\n".repeat(20_000)
    );
    let sandbox = Sandbox::with(&[
        ("large.py", &text),
        ("large.ts", &script),
        ("small.py", "def once(): ...\n"),
    ]);
    settle();
    index(&sandbox, &[]);
    for args in [
        &[
            "outline",
            "large.py",
            "small.py",
            "large.ts",
            "HEAD:large.py",
        ][..],
        &["outline", "--format", "json", "large.py"],
        &["show", "large.py::once"],
        &["show", "large.py::Large.method_7"],
        &["show", "--format", "json", "large.py::Large"],
        &["show", "HEAD:large.py::Large.method_1199"],
        &["show", "large.py::method_7"],
        &["show", "large.py::*.method_7"],
        &["show", "large.py::twice"],
        &["show", "large.py::twice[2]"],
        &["show", "large.py::Large.method_7x"],
        &["show", "large.py::block:once"],
        &["show", "large.py::"],
        &["show", "large.ts::a.b.c"],
        &["show", "large.ts::c"],
        &["show", "nothing.py::c"],
    ] {
        both(&sandbox, args);
    }
    // That it is asked for at all is seen by a store that says something else.
    let said = sandbox.segedit(&["show", "large.py::once"]).out();
    sandbox.write(
        "large.py",
        text.replace("def once(): ...", "def once(): pass"),
    );
    assert_ne!(both(&sandbox, &["show", "large.py::once"]), said);
    found(&sandbox, &["once", "method_7", "twice"]);
}

#[test]
fn an_answer_does_not_wait_for_the_folder_to_be_made() {
    let sandbox = Sandbox::with(&SORTS);
    let folder = sandbox.cache();
    let _ = fs::remove_dir_all(&folder);
    both(&sandbox, &["outline", "src/worker.py"]);
    assert!(
        !folder.join("index.sqlite").exists(),
        "looking at one file builds nothing"
    );
    assert_eq!(sandbox.segedit_without_index(&["find", "process"]).exit, 0);
    assert!(!folder.join("index.sqlite").exists());
    both(&sandbox, &["find", "process"]);
    assert!(folder.join("index.sqlite").exists());
}
