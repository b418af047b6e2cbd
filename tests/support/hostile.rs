//! Operation files and command lines from strangers who mean harm: each is refused, costs little, and leaves nothing.
//!
//! A `Scene` is a repository in which much could go wrong: links that lead out, a submodule, odd names, changes that
//! are staged and changes that are not, a stash. One stands for each place that a batch can go to, and is used for many
//! calls, since none of them may change it: its refs, index, reflogs, stashes, objects and files, and everything beside the
//! repository, are compared byte for byte after each. The tool finds a `git` on its path that tells on it, and nothing
//! else; it may use so much processor time and so much memory, and dies where it wants more.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::{Run, Sandbox, path_with, walk};

/// Where a batch may go; a bare repository takes commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Commit,
    Index,
    Cached,
    Worktree,
    Stash,
    Bare,
}

pub(crate) const EVERYWHERE: [Place; 6] = [
    Place::Commit,
    Place::Index,
    Place::Cached,
    Place::Worktree,
    Place::Stash,
    Place::Bare,
];

/// Seconds of processor time, and kibibytes of memory, that a call may use.
pub(crate) const CPU: u32 = 5;
const MEMORY: u32 = 2 << 20;

/// A repository in which nothing may change.
pub(crate) struct Scene {
    pub sandbox: Sandbox,
    pub place: Place,
    pub before: BTreeMap<String, Vec<u8>>,
}

/// What a call has to come to.
#[derive(Clone, Copy)]
pub(crate) struct Refused<'a> {
    pub exit: i32,
    /// The codes of its errors, each once.
    pub codes: &'a [&'a str],
}

impl Scene {
    pub(crate) fn new(place: Place) -> Scene {
        let sandbox = furnished();
        let sandbox = if place == Place::Bare {
            sandbox.copy_bare()
        } else {
            sandbox
        };
        hire_informer(&sandbox);
        let before = everything(&sandbox);
        Scene {
            sandbox,
            place,
            before,
        }
    }

    /// Returns what says where the batch goes.
    pub(crate) fn destination(&self) -> &'static str {
        match self.place {
            Place::Commit | Place::Bare => "commit",
            Place::Index => "index",
            Place::Cached => "cached",
            Place::Worktree => "worktree",
            Place::Stash => "stash",
        }
    }

    /// Applies `operation_file` here.
    pub(crate) fn apply(&self, operation_file: &[u8]) -> Run {
        self.call(
            &[
                "apply",
                "--format",
                "json",
                "--destination",
                self.destination(),
                "-",
            ],
            operation_file,
            CPU,
        )
    }

    /// Runs the tool without limits and with the machine's own git, for what is not refused on sight.
    pub(crate) fn freely(&self, args: &[&str], input: &[u8]) -> Run {
        self.sandbox
            .segedit_with_input(&[args, &["--format", "json", "-"]].concat(), input)
    }

    /// Runs the tool with at most `cpu` seconds of processor time.
    pub(crate) fn call(&self, args: &[&str], input: &[u8], cpu: u32) -> Run {
        self.limited(
            args,
            input,
            cpu,
            self.sandbox.aside().join("informer").as_os_str(),
        )
    }

    /// Runs the tool with these limits and the machine's own programs.
    pub(crate) fn within_limits(&self, args: &[&str], input: &[u8]) -> Run {
        self.limited(args, input, CPU, &path_with(&[]))
    }

    fn limited(&self, args: &[&str], input: &[u8], cpu: u32, programs: &OsStr) -> Run {
        let tool = self.sandbox.segedit_command();
        let limits = format!("ulimit -t {cpu}; ulimit -v {MEMORY} 2>/dev/null; exec \"$0\" \"$@\"");
        let mut limited = Command::new("/bin/sh");
        limited
            .arg("-c")
            .arg(limits)
            .arg(tool.get_program())
            .args(args)
            .env_clear()
            .current_dir(self.sandbox.repo());
        limited.envs(
            tool.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        limited.env("PATH", programs);
        self.sandbox.run(&mut limited, input)
    }

    /// Holds a call to what is expected of it, and to having left nothing.
    #[track_caller]
    pub(crate) fn check(&self, label: &str, run: &Run, expected: Refused<'_>) {
        let context = || format!("{label}, for {:?}\n{run}", self.place);
        assert_eq!(run.exit, expected.exit, "the exit code of {}", context());
        let report = run.json();
        let mut codes: Vec<&str> = report["errors"]
            .as_array()
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .map(code)
            .collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes, expected.codes, "the codes of {}", context());
        self.check_untouched(label, run);
    }

    /// Returns the names of what is not as it was.
    pub(crate) fn changed(&self) -> Vec<String> {
        let after = everything(&self.sandbox);
        let other = after
            .iter()
            .filter(|(name, bytes)| self.before.get(*name) != Some(bytes))
            .map(|(name, _)| name);
        let gone = self.before.keys().filter(|name| !after.contains_key(*name));
        other.chain(gone).cloned().collect()
    }

    #[track_caller]
    pub(crate) fn check_untouched(&self, label: &str, run: &Run) {
        let changed = self.changed();
        assert!(
            changed.is_empty(),
            "{label}, for {:?}: {changed:?} changed\n{run}",
            self.place
        );
        let told = fs::read_to_string(self.sandbox.aside().join("told")).unwrap_or_default();
        assert_eq!(
            told, "",
            "{label}, for {:?}, started something\n{run}",
            self.place
        );
    }
}

/// What wants too much comes to.
pub(crate) const TOO_LARGE: Refused<'_> = Refused {
    exit: 3,
    codes: &["too-large"],
};

/// Returns a scene with one more file in its commit, its index and its worktree.
pub(crate) fn scene_with(place: Place, name: &str, content: &str) -> Scene {
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
    Scene {
        before: everything(&scene.sandbox),
        ..scene
    }
}

pub(crate) fn substitute(file: &str, pattern: &str, replacement: &str) -> Value {
    json!({"op": "substitute", "file": file, "pattern": pattern, "replacement": replacement})
}

pub(crate) fn code(error: &Value) -> &str {
    error["code"].as_str().expect("every error has a code")
}

/// Applies one operation file in every place.
#[track_caller]
pub(crate) fn check_everywhere(rows: &[(&str, Vec<u8>, Refused<'_>)]) {
    for place in EVERYWHERE {
        let scene = Scene::new(place);
        for (label, operation_file, expected) in rows {
            scene.check(label, &scene.apply(operation_file), *expected);
        }
    }
}

/// Returns an operation file of these operations.
pub(crate) fn batch(operations: &[Value]) -> Vec<u8> {
    json!({"version": 1, "operations": operations})
        .to_string()
        .into_bytes()
}

/// A repository with something of everything that has led a program astray.
pub(crate) fn furnished() -> Sandbox {
    let sandbox = Sandbox::with(&[("a.txt", "one\ntwo\nthree\n")]);
    sandbox.write(
        "src/worker.py",
        "def run():\n    return 1\n\n\ndef stop():\n    return 2\n",
    );
    sandbox.write("README.md", "# Title\n\ntext\n");
    sandbox.write("caf\u{e9}.txt", "composed\n");
    sandbox.write("logo.bin", b"\0\x01\x02");
    sandbox.write("d/f.txt", "inside\n");
    for odd in ODD_NAMES {
        sandbox.write(odd, "odd\n");
    }
    symlink("/etc", sandbox.repo().join("etc")).expect("a link out of the repository");
    symlink("src", sandbox.repo().join("in")).expect("a link inside the repository");
    symlink("a.txt", sandbox.repo().join("alias")).expect("a link to a file");
    fs::create_dir_all(sandbox.repo().join("mod")).expect("the submodule's folder");
    sandbox.git(&["-C", "mod", "init", "--quiet", "--template="]);
    sandbox.git(&[
        "-C",
        "mod",
        "commit",
        "--quiet",
        "--allow-empty",
        "--message",
        "inside",
    ]);
    sandbox.write("mod/a.txt", "of the submodule\n");
    sandbox.commit_all("second");
    sandbox.git(&["tag", "v1"]);
    sandbox.git(&["branch", "side", "HEAD~1"]);
    sandbox.write("stashed.txt", "kept\n");
    sandbox.git(&[
        "stash",
        "push",
        "--quiet",
        "--include-untracked",
        "--",
        "stashed.txt",
    ]);
    sandbox.write("staged.txt", "staged\n");
    sandbox.git(&["add", "staged.txt"]);
    sandbox.write("README.md", "# Title\n\nunstaged\n");
    sandbox.write("untracked.txt", "untracked\n");
    // A folder of the commit that somebody has exchanged for a link that leads out.
    fs::create_dir(sandbox.aside().join("outside")).expect("a folder outside");
    fs::write(sandbox.aside().join("outside/f.txt"), "outside\n").expect("a file outside");
    fs::remove_dir_all(sandbox.repo().join("d")).expect("a folder of the worktree");
    symlink("../outside", sandbox.repo().join("d")).expect("a link in its place");
    // A repository that the one around it does not know.
    fs::create_dir(sandbox.repo().join("nest")).expect("a folder");
    sandbox.git(&["-C", "nest", "init", "--quiet", "--template="]);
    sandbox
}

/// Names that a careful program would not make; these exist.
pub(crate) const ODD_NAMES: [&str; 8] = [
    "CON",
    "aux.txt",
    "a:b.txt",
    "foo.",
    "back\\slash.txt",
    "new\nline.txt",
    "-rf",
    "esc\u{1b}[2K\u{202e}.txt",
];

/// Puts a `git` on the tool's path, alone there, that notes who called it.
pub(crate) fn hire_informer(sandbox: &Sandbox) {
    let folder = sandbox.aside().join("informer");
    fs::create_dir(&folder).expect("the informer's folder");
    let told = sandbox.aside().join("told").display().to_string();
    let script = format!("#!/bin/sh\necho \"git $*\" >>'{told}'\nexit 99\n");
    let program: PathBuf = folder.join("git");
    fs::write(&program, script).expect("the informer");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the informer's mode");
}

/// Returns all that a refused batch leaves as it was: what `Sandbox::digest` holds, the names of all other files in git's
/// folder, and every file beside the repository.
pub(crate) fn everything(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut found = sandbox.digest();
    let git = sandbox.git_folder();
    walk(&git, &git, &mut |name, _| {
        found.entry(format!(".git/{name}")).or_default();
    });
    let (aside, repo) = (sandbox.aside(), sandbox.repo());
    walk(&aside, &aside, &mut |name, path| {
        if !path.starts_with(&repo) {
            let bytes = fs::read(path).unwrap_or_default();
            found.insert(format!("../{name}"), bytes);
        }
    });
    found
}
