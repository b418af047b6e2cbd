//! Paths that lead out of the repository, into git's own folder, through a link or into somebody else's repository; names
//! that no new file should get.

use serde_json::json;

use crate::support::Sandbox;
use crate::support::hostile::{
    EVERYWHERE, ODD_NAMES, Place, Refused, Scene, batch, check_everywhere,
};

const REFUSED: Refused<'_> = Refused {
    exit: 3,
    codes: &["path-refused"],
};
const EXISTS: Refused<'_> = Refused {
    exit: 3,
    codes: &["file-exists"],
};

/// Rows 1 to 7 of the threat model, and what else never is a path.
const NEVER: [&str; 33] = [
    "../x",
    "a/../../x",
    "..",
    ".",
    "./a.txt",
    "a/./b",
    ".git/../x",
    "/etc/x",
    "//etc/x",
    "/",
    "",
    "a//b",
    "a/",
    ".git",
    ".git/config",
    ".GIT/x",
    ".gIt/hooks/pre-commit",
    "sub/.git/config",
    "git~1/x",
    "GIT~1",
    ".git./x",
    ".git /x",
    ".git...",
    ".git::$INDEX_ALLOCATION/x",
    ".git:x",
    ".git\\config",
    "x\\..\\.git\\config",
    ".g\u{200c}it/config",
    ".git\u{200d}/x",
    "\u{feff}.git/x",
    "src/.Git/x",
    "nul\0byte",
    "a\0/../../x",
];

#[test]
fn paths_out_of_the_repository_and_into_gits_folder_are_refused() {
    let long = "x".repeat(5000);
    let wide = format!("{}/x", "y".repeat(256));
    let rows: Vec<_> = NEVER
        .into_iter()
        .chain([long.as_str(), wide.as_str()])
        .map(|path| {
            let operations = [
                json!({"op": "create", "file": path, "content": "x\n"}),
                json!({"op": "replace", "file": path, "content": "x\n"}),
                json!({"op": "remove", "file": path}),
                json!({"op": "rename_file", "file": "a.txt", "to": path}),
            ];
            (path, batch(&operations), REFUSED)
        })
        .collect();
    check_everywhere(&rows);
}

#[test]
fn pathspecs_select_among_what_is_tracked_and_nothing_else() {
    // A pathspec is not a path: git's own words for "outside" and "nothing" are answers enough.
    let spec = |spec: &str| {
        batch(&[json!({"op": "substitute", "files": [spec], "text": "one", "replacement": "x"})])
    };
    let none = Refused {
        exit: 3,
        codes: &["file-not-found"],
    };
    let rows = [
        ("outside", spec("../*"), REFUSED),
        ("absolute", spec("/etc/*"), REFUSED),
        ("git's folder", spec(".git/*"), none),
        ("through a link", spec("etc/*"), none),
        ("inside a submodule", spec("mod/a.txt"), none),
    ];
    check_everywhere(&rows);
}

#[test]
fn names_that_cannot_be_checked_out_everywhere_are_not_created() {
    let names = [
        "CON2/CON",
        "aux.md",
        "nul",
        "com1.py",
        "CONIN$",
        "a\\b.py",
        "x:y",
        "bar.",
        "bar ",
        "a*b",
        "tab\there",
        "line\nbreak",
        "esc\u{1b}[2K",
    ];
    let rows: Vec<_> = names
        .into_iter()
        .map(|name| {
            let operations = [
                json!({"op": "create", "file": name, "content": "x\n"}),
                json!({"op": "rename_file", "file": "a.txt", "to": name}),
            ];
            (name, batch(&operations), REFUSED)
        })
        .collect();
    check_everywhere(&rows);
}

#[test]
fn files_that_have_such_names_can_be_edited() {
    for place in EVERYWHERE {
        let scene = Scene::new(place);
        let operations = ODD_NAMES.map(
            |name| json!({"op": "insert", "file": name, "position": "last", "content": "x\n"}),
        );
        let run = scene.freely(
            &["check", "--destination", scene.destination()],
            &batch(&operations),
        );
        scene.check(
            "odd names",
            &run,
            Refused {
                exit: 0,
                codes: &[],
            },
        );
    }
    // What git itself reads may be edited like any other file: it is the caller's to refuse.
    let scene = Scene::new(Place::Bare);
    let operations = [
        ".gitattributes",
        ".gitmodules",
        ".gitignore",
        ".lfsconfig",
        "-dash",
        "$(id).py",
        "a;b.py",
        ":(top)x2",
    ]
    .map(|name| json!({"op": "create", "file": name, "content": "x\n"}));
    let run = scene.freely(&["check"], &batch(&operations[..7]));
    scene.check(
        "git's own files",
        &run,
        Refused {
            exit: 0,
            codes: &[],
        },
    );
    let run = scene.apply(&batch(&operations[7..]));
    scene.check("a colon", &run, REFUSED);
}

#[test]
fn links_and_other_repositories_are_not_entered() {
    let edits = |path: &str| {
        batch(&[
            json!({"op": "create", "file": format!("{path}/new.txt"), "content": "x\n"}),
            json!({"op": "replace", "file": format!("{path}/passwd"), "content": "x\n"}),
            json!({"op": "rename_file", "file": "a.txt", "to": format!("{path}/a.txt")}),
            json!({"op": "remove", "file": format!("{path}/worker.py")}),
        ])
    };
    let itself = |path: &str| {
        batch(&[
            json!({"op": "replace", "file": path, "text": "one", "content": "x"}),
            json!({"op": "replace", "file": path, "content": "x\n"}),
            json!({"op": "remove", "file": path}),
        ])
    };
    let rows = [
        ("through a link that leads out", edits("etc"), REFUSED),
        ("through a link that stays inside", edits("in"), REFUSED),
        ("through a link to a file", edits("alias"), REFUSED),
        ("a link to a folder", itself("etc"), REFUSED),
        ("a link to a file", itself("alias"), REFUSED),
        ("inside a submodule", edits("mod"), REFUSED),
        ("a submodule", itself("mod"), REFUSED),
        ("below a file", edits("a.txt"), REFUSED),
        (
            "a new file in a link's place",
            batch(&[json!({"op": "create", "file": "alias", "content": "x"})]),
            EXISTS,
        ),
        (
            "a new file in a folder's place",
            batch(&[json!({"op": "create", "file": "src", "content": "x"})]),
            EXISTS,
        ),
        (
            "a twin in another case",
            batch(&[json!({"op": "create", "file": "A.TXT", "content": "x"})]),
            EXISTS,
        ),
        (
            "a twin in another normal form",
            batch(&[json!({"op": "create", "file": "cafe\u{301}.txt", "content": "x"})]),
            EXISTS,
        ),
        (
            "a twin in another case and normal form",
            batch(&[json!({"op": "rename_file", "file": "a.txt", "to": "CAFE\u{301}.txt"})]),
            EXISTS,
        ),
        (
            "a folder",
            batch(&[json!({"op": "replace", "file": "src", "content": "x"})]),
            Refused {
                exit: 3,
                codes: &["file-not-found"],
            },
        ),
    ];
    check_everywhere(&rows);
}

#[test]
fn a_folder_exchanged_for_a_link_is_not_written_through() {
    // In the commit and in the index it is a folder still, but in the worktree whoever writes there writes elsewhere.
    let edit = batch(&[json!({"op": "replace", "file": "d/f.txt", "content": "x\n"})]);
    let new = batch(&[json!({"op": "create", "file": "d/new.txt", "content": "x\n"})]);
    for place in [Place::Commit, Place::Index, Place::Worktree] {
        for (label, file) in [("d/f.txt", &edit), ("d/new.txt", &new)] {
            let scene = Scene::new(place);
            let run = scene.freely(&["check", "--destination", scene.destination()], file);
            scene.check(label, &run, REFUSED);
            // Whoever publishes may write objects ahead of finding out, and never anything that anybody can see.
            let run = scene.freely(&["apply", "--destination", scene.destination()], file);
            assert_eq!(run.exit, REFUSED.exit, "{label}\n{run}");
            // The key of the seal is kept in the user's own folder.
            let own = "../home/.local/state/git-segedit/clones/";
            let unseen = |name: &String| {
                name.starts_with(".git/objects/")
                    || name == ".git/segedit/lock"
                    || name.starts_with(own)
            };
            let changed = scene.changed();
            assert!(changed.iter().all(unseen), "{label}: {changed:?}\n{run}");
        }
    }
}

#[test]
fn a_repository_that_nobody_knows_is_not_entered() {
    let new = batch(&[json!({"op": "create", "file": "nest/new.txt", "content": "x\n"})]);
    let scene = Scene::new(Place::Worktree);
    scene.check("nest/new.txt", &scene.apply(&new), REFUSED);
}

/// A path may have as many folders as its 4,096 bytes hold, and git keeps such a tree.
#[test]
fn a_path_of_many_folders_is_published_like_any_other() {
    let path = format!("{}/x.py", vec!["a"; 1900].join("/"));
    let file = json!({"version": 1, "operations": [
        {"op": "create", "file": path, "content": "def f():\n    return 1\n"},
    ]});
    let sandbox = Sandbox::with(&[("b.py", "x = 1\n")]);
    let apply = |file: &serde_json::Value, destination: &str| {
        let run = sandbox.segedit_with_input(
            &["apply", "--destination", destination, "-"],
            file.to_string().as_bytes(),
        );
        assert_eq!(run.exit, 0, "{destination}\n{run}");
    };
    apply(&file, "cached");
    sandbox.git(&["reset", "--quiet"]);
    apply(&file, "stash");
    apply(&file, "commit");
    assert_eq!(
        sandbox.git(&["show", "--format=", "--name-only", "HEAD"]),
        path
    );
    let edit = json!({"version": 1, "operations": [
        {"op": "replace", "file": path, "symbol": "f", "content": "def f():\n    return 2\n"},
        {"op": "replace", "file": "b.py", "symbol": "x", "content": "x = 2"},
    ]});
    apply(&edit, "commit");
    assert_eq!(
        sandbox.git(&["show", "--format=", "--name-only", "HEAD"]),
        format!("{path}\nb.py")
    );
    assert_eq!(sandbox.git(&["status", "--short"]), "");
    sandbox.git(&["fsck", "--strict"]);
}
