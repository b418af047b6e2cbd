//! What decides what a validator says: whatever its command runs of the repository is the copy that was trusted, in the
//! batch that changes it and in the commits behind it; and no program of the repository ever runs as a tool.
//!
//! The interpreters are the machine's own. Every case first shows that its validator works.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Run, Sandbox, path_with};

/// What each language's rules are, and what would take their place.
#[derive(Clone, Copy)]
struct Language {
    interpreter: &'static str,
    /// Complains about every line with BAD in it, in gcc's way.
    rules: &'static str,
    /// Leaves a mark and finds nothing.
    loose: &'static str,
}

const PYTHON: Language = Language {
    interpreter: "python3",
    rules: "import sys\nbad = 0\nfor name in sys.argv[1:]:\n    for number, line in enumerate(open(name), 1):\n        \
        if 'BAD' in line:\n            print(f'{name}:{number}:1: error: no BAD here [B001]')\n            bad = 1\nsys.exit(bad)\n",
    loose: "import os\nopen(os.environ['MARK'], 'w').close()\nos._exit(0)\n",
};
const NODE: Language = Language {
    interpreter: "node",
    rules: "const fs = require('fs');\nlet bad = 0;\nfor (const name of process.argv.slice(2)) {\n  \
        fs.readFileSync(name, 'utf8').split('\\n').forEach((line, at) => {\n    if (line.includes('BAD')) {\n      \
        console.log(`${name}:${at + 1}:1: error: no BAD here [B001]`);\n      bad = 1;\n    }\n  });\n}\nprocess.exit(bad);\n",
    loose: "require('fs').writeFileSync(process.env.MARK, '');\nprocess.exit(0);\n",
};
const SHELL: Language = Language {
    interpreter: "sh",
    rules: "grep -Hn BAD \"$@\" | sed 's/^\\([^:]*:[0-9]*\\):.*/\\1:1: error: no BAD here [B001]/' | grep . && exit 1\nexit 0\n",
    loose: ": >\"$MARK\"\nexit 0\n",
};
const RUBY: Language = Language {
    interpreter: "ruby",
    rules: "bad = 0\nARGV.each do |name|\n  File.readlines(name).each_with_index do |line, at|\n    \
        next unless line.include?('BAD')\n    puts \"#{name}:#{at + 1}:1: error: no BAD here [B001]\"\n    bad = 1\n  end\nend\nexit bad\n",
    loose: "File.write(ENV['MARK'], '')\nexit!(0)\n",
};

/// One row of the table.
struct Row<'a> {
    language: Language,
    /// The command, `{files}` behind it.
    command: &'a [&'a str],
    /// What it judges.
    judges: &'a str,
    /// More of the validator, each line indented by four.
    extra: &'a str,
    /// What the repository holds beside `a.py`; `RULES` stands for the language's rules.
    files: &'a [(&'a str, &'a str)],
    links: &'a [(&'a str, &'a str)],
    scopes: &'a [&'a str],
    /// The file that a batch, or a later commit, makes or replaces by what leaves a mark.
    loosened: &'a str,
}

/// Rules as a text of the command.
const INLINE: &str = "import csv, sys; bad = [n for n in sys.argv[1:] if 'BAD' in open(n).read()]; \
    [print(n + ':2:1: error: no BAD here [B001]') for n in bad]; sys.exit(len(bad))";

const GOOD: &str = "def f():\n    return 1\n";

/// Says whether `interpreter` is on this machine; prints that it is not.
fn has(interpreter: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).any(|folder| folder.join(interpreter).is_file());
    if !found {
        println!("skipped: there is no {interpreter} on this machine");
    }
    found
}

fn mark(sandbox: &Sandbox) -> PathBuf {
    sandbox.aside().join("mark")
}

impl Row<'_> {
    fn sandbox(&self, scope: &str) -> Sandbox {
        let sandbox = Sandbox::unborn();
        let words = self
            .command
            .iter()
            .map(|word| format!("{word:?}, "))
            .collect::<String>();
        let configuration = format!(
            "version: 1\nvalidators:\n  - name: r\n    files: [{:?}]\n    scope: {scope}\n    output: gcc\n    \
             command: [{words}\"{{files}}\"]\n{}    env: {{MARK: {:?}{}}}\n",
            self.judges,
            if self.extra.starts_with("env ") {
                ""
            } else {
                self.extra
            },
            mark(&sandbox),
            self.extra
                .strip_prefix("env ")
                .map(|more| format!(", {more}"))
                .unwrap_or_default(),
        );
        sandbox.write(".segedit.yaml", configuration);
        sandbox.write("a.py", GOOD);
        for (path, content) in self.files {
            sandbox.write(path, content.replace("RULES", self.language.rules));
            fs::set_permissions(sandbox.repo().join(path), fs::Permissions::from_mode(0o755))
                .unwrap();
        }
        for (path, target) in self.links {
            let path = sandbox.repo().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(target, path).unwrap();
        }
        sandbox.commit_all("first");
        let run = sandbox.segedit(&["trust"]);
        assert_eq!(run.exit, 0, "{run}");
        sandbox
    }

    /// Holds a batch that changes what judges it, and a later commit that does, to what was trusted.
    fn check(&self) {
        if !has(self.language.interpreter) {
            return;
        }
        for scope in self.scopes {
            let sandbox = self.sandbox(scope);
            let told = format!("{:?} {scope} {}", self.command, self.loosened);
            let violation =
                "  - {op: replace, file: a.py, symbol: f, part: body, content: 'return \"BAD\"'}\n";
            let run = apply(&sandbox, violation, &["--dry-run"]);
            assert_eq!(
                codes(&run, "errors"),
                ["validator-failed"],
                "{told}: it does not judge\n{run}"
            );
            // In one batch with what it is to let pass.
            let there = sandbox.repo().join(self.loosened).exists();
            let op = if there {
                "replace, allow_remove: true"
            } else {
                "create"
            };
            let change = format!(
                "  - {{op: {op}, file: {}, content: {:?}}}\n",
                self.loosened, self.language.loose
            );
            let run = apply(&sandbox, &format!("{change}{violation}"), &[]);
            assert!(
                run.exit != 0 && !mark(&sandbox).exists(),
                "{told}: judged by the batch's own\n{run}"
            );
            let found = codes(&run, "errors");
            assert!(
                found
                    .iter()
                    .all(|code| code == "validator-failed" || code == "config-untrusted"),
                "{told}\n{run}"
            );
            assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1", "{told}");
            // And not by one commit on top of the other in one call.
            let (one, two) = (
                sandbox.aside().join("1.yaml"),
                sandbox.aside().join("2.yaml"),
            );
            fs::write(&one, format!("version: 1\noperations:\n{change}")).unwrap();
            fs::write(&two, format!("version: 1\noperations:\n{violation}")).unwrap();
            let run = sandbox.segedit(&[
                "apply",
                "--format=json",
                one.to_str().unwrap(),
                two.to_str().unwrap(),
            ]);
            assert!(
                run.exit != 0 && !mark(&sandbox).exists(),
                "{told}: judged by the batch before it\n{run}"
            );
            // As if pulled.
            sandbox.write(self.loosened, self.language.loose);
            sandbox.commit_all("later");
            let run = apply(&sandbox, violation, &[]);
            assert_eq!(
                codes(&run, "errors"),
                ["config-untrusted"],
                "{told}: ran without being asked about\n{run}"
            );
            assert!(!mark(&sandbox).exists(), "{told}: ran\n{run}");
        }
    }
}

fn apply(sandbox: &Sandbox, operations: &str, extra: &[&str]) -> Run {
    let text = format!("version: 1\noperations:\n{operations}");
    sandbox.segedit_with_input(
        &[&["apply", "--format=json"], extra, &["-"]].concat(),
        text.as_bytes(),
    )
}

fn codes(run: &Run, list: &str) -> Vec<String> {
    let listed = run.json()[list].as_array().cloned().unwrap_or_default();
    listed
        .iter()
        .filter_map(|error| Some(error["code"].as_str()?.to_owned()))
        .collect()
}

/// A row with nothing special.
const ROW: Row<'static> = Row {
    language: PYTHON,
    command: &[],
    judges: "/a.py",
    extra: "",
    files: &[("tools/rules.py", "RULES")],
    links: &[],
    scopes: &["files", "tree"],
    loosened: "tools/rules.py",
};
/// One that says nothing new about what is laid out.
const SHORT: Row<'static> = Row {
    scopes: &["tree"],
    ..ROW
};
/// One whose tool judges what it runs as well.
const ALL: Row<'static> = Row {
    judges: "*",
    ..SHORT
};

#[test]
fn a_script_is_found_behind_options_and_other_programs() {
    for command in [
        &["python3", "tools/rules.py"][..],
        &["python3", "./tools//rules.py"],
        &["python3", "-W", "error", "tools/rules.py"],
        &["python3", "-Werror", "-X", "utf8", "-uB", "tools/rules.py"],
        &["env", "python3", "tools/rules.py"],
        &["/usr/bin/env", "A=b", "python3", "tools/rules.py"],
        &["env", "-S", "python3 -u tools/rules.py"],
        &[
            "nice",
            "-n",
            "5",
            "timeout",
            "60",
            "python3",
            "tools/rules.py",
        ],
        &["sh", "tools/run.sh", "tools/rules.py"],
    ] {
        Row {
            command,
            files: &[
                ("tools/rules.py", "RULES"),
                ("tools/run.sh", "exec python3 \"$@\"\n"),
            ],
            ..SHORT
        }
        .check();
    }
    let program = "#!/usr/bin/env python3\nRULES";
    Row {
        command: &["./tools/rules.py"],
        files: &[("tools/rules.py", program)],
        ..ROW
    }
    .check();
    Row {
        command: &["env", "tools/rules.py"],
        files: &[("tools/rules.py", program)],
        ..ROW
    }
    .check();
}

#[test]
fn a_module_is_watched_like_a_script() {
    let files = &[("tools/rules.py", "RULES")][..];
    Row {
        command: &["python3", "-m", "tools.rules"],
        files,
        ..ROW
    }
    .check();
    Row {
        command: &["python3", "-Bmtools.rules"],
        files,
        ..SHORT
    }
    .check();
    Row {
        command: &["env", "python3", "-m", "tools.rules"],
        files,
        loosened: "tools/__init__.py",
        ..SHORT
    }
    .check();
    Row {
        command: &["python3", "-m", "tools"],
        files: &[
            ("tools/__init__.py", ""),
            ("tools/__main__.py", "from .deep import rules\n"),
            ("tools/deep/rules.py", "RULES"),
        ],
        loosened: "tools/deep/rules.py",
        ..ROW
    }
    .check();
    Row {
        command: &["python3", "tools"],
        files: &[("tools/__main__.py", "RULES")],
        loosened: "tools/__main__.py",
        ..SHORT
    }
    .check();
    // It looks into the root for every module that it imports.
    Row {
        command: &["python3", "-m", "tools.rules"],
        files: &[("tools/rules.py", "import csv\nRULES")],
        loosened: "csv.py",
        ..ROW
    }
    .check();
}

#[test]
fn helpers_and_packages_beside_a_script_are_watched() {
    Row {
        command: &["python3", "tools/rules.py"],
        files: &[
            ("tools/rules.py", "import helper\nRULES"),
            ("tools/helper.py", ""),
        ],
        loosened: "tools/helper.py",
        ..ROW
    }
    .check();
    Row {
        command: &["python3", "tools/rules.py"],
        files: &[
            ("tools/rules.py", "import checks.words\nRULES"),
            ("tools/checks/__init__.py", ""),
            ("tools/checks/words.py", ""),
        ],
        loosened: "tools/checks/words.py",
        ..ROW
    }
    .check();
    Row {
        command: &["python3", "tools/rules.py"],
        files: &[("tools/rules.py", "import csv\nRULES")],
        loosened: "tools/csv.py",
        ..ROW
    }
    .check();
}

#[test]
fn links_are_watched_with_what_they_lead_to() {
    let command = &["python3", "tools/rules.py"][..];
    let files = &[("lib/real.py", "import near\nRULES"), ("lib/near.py", "")][..];
    let links = &[("tools/rules.py", "../lib/real.py")][..];
    Row {
        command,
        files,
        links,
        loosened: "lib/real.py",
        ..ROW
    }
    .check();
    // Python looks beside the file that a link leads to.
    Row {
        command,
        files,
        links,
        loosened: "lib/near.py",
        ..ROW
    }
    .check();
    let files = &[("lib/rules.py", "RULES")][..];
    Row {
        command,
        files,
        links: &[("tools", "lib")],
        loosened: "lib/rules.py",
        ..ROW
    }
    .check();
    Row {
        command,
        files,
        links: &[("tools", "other"), ("other", "./lib")],
        loosened: "lib/rules.py",
        ..ROW
    }
    .check();
    Row {
        command,
        files: &[
            ("tools/rules.py", "import helper\nRULES"),
            ("lib/helper.py", ""),
        ],
        links: &[("tools/helper.py", "../lib/helper.py")],
        loosened: "lib/helper.py",
        ..ROW
    }
    .check();
    // A link that leads elsewhere is another script.
    let sandbox = Row {
        command,
        files,
        links: &[("tools", "lib")],
        loosened: "",
        ..ROW
    }
    .sandbox("files");
    fs::remove_file(sandbox.repo().join("tools")).unwrap();
    symlink("lib2", sandbox.repo().join("tools")).unwrap();
    sandbox.write("lib2/rules.py", PYTHON.loose);
    sandbox.commit_all("moved");
    let run = apply(
        &sandbox,
        "  - {op: replace, file: a.py, symbol: f, part: body, content: return 2}\n",
        &[],
    );
    assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{run}");
}

#[test]
fn a_script_in_the_root_is_watched_with_what_it_imports() {
    let command = &["python3", "rules.py"][..];
    Row {
        command,
        files: &[("rules.py", "RULES")],
        loosened: "rules.py",
        ..ROW
    }
    .check();
    Row {
        command,
        files: &[("rules.py", "import csv\nRULES")],
        loosened: "csv.py",
        ..ROW
    }
    .check();
    Row {
        command,
        files: &[("rules.py", "import csv\nRULES")],
        loosened: "csv/__init__.py",
        ..ROW
    }
    .check();
    // A module that the standard library imports, and that the script does not name.
    Row {
        command,
        files: &[("rules.py", "import statistics\nRULES")],
        loosened: "fractions.py",
        ..ROW
    }
    .check();
    Row {
        command,
        files: &[
            ("rules.py", "from helper import x\nRULES"),
            ("helper.py", "import pkg.deep\nx = 1\n"),
            ("pkg/deep.py", ""),
        ],
        loosened: "pkg/deep.py",
        ..ROW
    }
    .check();
    Row {
        command: &["python3", "-c", INLINE],
        loosened: "csv.py",
        ..ROW
    }
    .check();
}

#[test]
fn where_a_script_tells_python_to_look_is_watched() {
    let command = &["python3", "tools/rules.py"][..];
    let beside = "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))\nimport lib.real\nRULES";
    let files = &[
        ("tools/rules.py", beside),
        ("lib/real.py", "import lib.more\n"),
        ("lib/more.py", ""),
    ][..];
    for loosened in [
        "lib/real.py",
        "lib/more.py",
        "lib/__init__.py",
        "lib/real/__init__.py",
    ] {
        Row {
            command,
            files,
            loosened,
            ..SHORT
        }
        .check();
    }
    let named = "import sys\nfrom pathlib import Path\nLIB = Path(__file__).parent.parent / 'lib'\nsys.path.insert(0, str(LIB))\nimport csv\nimport real\nRULES";
    let files = &[("tools/rules.py", named), ("lib/real.py", "")][..];
    for loosened in ["lib/real.py", "lib/csv.py", "lib/csv/__init__.py"] {
        Row {
            command,
            files,
            loosened,
            ..SHORT
        }
        .check();
    }
    // Deep below, and only by another script that it loads.
    let deep = &[
        ("a/b/tools/rules.py", "import ways\nimport lib.real\nRULES"),
        (
            "a/b/tools/ways.py",
            "from sys import path\npath.insert(0, __file__.rsplit('/', 3)[0])\n",
        ),
        ("a/lib/real.py", ""),
    ][..];
    Row {
        command: &["python3", "a/b/tools/rules.py"],
        files: deep,
        loosened: "a/lib/real.py",
        ..SHORT
    }
    .check();
    let run = "import runpy\nrunpy.run_path('lib/real.py')\nRULES";
    let files = &[("tools/rules.py", run), ("lib/real.py", "")][..];
    Row {
        command,
        files,
        loosened: "lib/real.py",
        ..SHORT
    }
    .check();
}

#[test]
fn what_python_keeps_beside_a_module_is_watched() {
    if !has("python3") {
        return;
    }
    // Taken without a look at the source, as such a file says of itself.
    let compile = "import sys, py_compile\npy_compile.compile(sys.argv[1], sys.argv[2], doraise=True, \
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n";
    for (kept, runs) in [
        ("lib/__pycache__/helper.TAG.pyc", true),
        ("lib/helper.so", false),
    ] {
        let row = Row {
            command: &["python3", "rules.py"],
            files: &[
                ("rules.py", "import lib.helper\nRULES"),
                ("lib/helper.py", ""),
            ],
            ..SHORT
        };
        let sandbox = row.sandbox("tree");
        let python = |arguments: &[&str]| {
            let run = std::process::Command::new("python3")
                .args(arguments)
                .env("MARK", mark(&sandbox))
                .output()
                .unwrap();
            assert!(run.status.success(), "{run:?}");
            String::from_utf8(run.stdout).unwrap()
        };
        let tag = python(&["-c", "import sys; print(sys.implementation.cache_tag)"]);
        let kept = kept.replace("TAG", tag.trim());
        let source = sandbox.aside().join("loose.py");
        fs::write(&source, PYTHON.loose).unwrap();
        fs::create_dir_all(sandbox.repo().join("lib/__pycache__")).unwrap();
        python(&[
            "-c",
            compile,
            source.to_str().unwrap(),
            sandbox.repo().join(&kept).to_str().unwrap(),
        ]);
        if runs {
            // What it would do.
            python(&[sandbox.repo().join("rules.py").to_str().unwrap()]);
            assert!(mark(&sandbox).exists());
            fs::remove_file(mark(&sandbox)).unwrap();
        }
        sandbox.git(&["add", "-f", &kept]);
        sandbox.git(&["commit", "-qm", "as if pulled"]);
        let run = apply(
            &sandbox,
            "  - {op: replace, file: a.py, symbol: f, part: body, content: 'return \"BAD\"'}\n",
            &[],
        );
        assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{kept}\n{run}");
        assert!(!mark(&sandbox).exists(), "{kept}\n{run}");
    }
}

#[test]
fn what_decides_for_node_beside_another_file_is_watched() {
    let node = Row {
        language: NODE,
        command: &["node", "tools/rules.js"],
        ..SHORT
    };
    let pack = &[
        ("tools/rules.js", "require('../lib/far');\nRULES"),
        ("lib/far.js", "require('pack');\n"),
        ("lib/node_modules/pack/index.js", ""),
    ][..];
    Row {
        files: pack,
        loosened: "lib/node_modules/pack/index.js",
        ..node
    }
    .check();
    let imports = &[
        ("tools/rules.js", "require('../lib/far');\nRULES"),
        ("lib/far.js", "require('#deep/x'); require('own/y');\n"),
        (
            "lib/package.json",
            "{\"name\": \"own\", \"imports\": {\"#deep/*\": {\"node\": \"./inner/*.js\"}}, \"exports\": {\"./y\": \"./outer.js\"}}",
        ),
        ("lib/inner/x.js", ""),
        ("lib/outer.js", ""),
        ("lib/other.js", ""),
    ][..];
    for loosened in ["lib/inner/x.js", "lib/outer.js"] {
        Row {
            files: imports,
            loosened,
            ..node
        }
        .check();
    }
    let main = &[
        ("tools/rules.js", "require('../lib');\nRULES"),
        ("lib/package.json", "{\"main\": \"deep/start\"}"),
        ("lib/deep/start.js", ""),
    ][..];
    Row {
        files: main,
        loosened: "lib/deep/start.js",
        ..node
    }
    .check();
}

#[test]
fn words_glued_folders_entered_and_paths_are_watched() {
    if has("awk") {
        let awk = Language {
            interpreter: "awk",
            rules: "/BAD/ { print FILENAME \":\" FNR \":1: error: no BAD here [B001]\"; bad = 1 }\nEND { exit bad }\n",
            loose: "BEGIN { printf \"\" >ENVIRON[\"MARK\"]; exit 0 }\n",
        };
        for command in [
            &["awk", "-fa.awk"][..],
            &["awk", "-f", "a.awk"],
            &["env", "-C", ".", "awk", "-fa.awk"],
        ] {
            Row {
                language: awk,
                command,
                files: &[("a.awk", "RULES")],
                loosened: "a.awk",
                ..SHORT
            }
            .check();
        }
    }
    let sh = Row {
        language: SHELL,
        ..SHORT
    };
    // It names what is judged from the root.
    let entered = "cd ..\nRULES";
    let files = &[("lib/rules", entered), ("lib/rules.sh", entered)][..];
    for (command, loosened) in [
        (&["env", "-C", "lib", "sh", "rules.sh"][..], "lib/rules.sh"),
        (&["env", "-Clib", "sh", "./rules.sh"], "lib/rules.sh"),
        (
            &["env", "--chdir=lib", "nice", "sh", "rules.sh"],
            "lib/rules.sh",
        ),
    ] {
        Row {
            command,
            files,
            loosened,
            ..sh
        }
        .check();
    }
    let program = &[("lib/rules", "#!/bin/sh\nRULES")][..];
    for command in [
        &["env", "PATH=lib:/usr/bin:/bin", "rules"][..],
        &["env", "-C", "lib", "PATH=.:/usr/bin:/bin", "rules"],
    ] {
        let files = if command.contains(&"-C") {
            &[("lib/rules", "#!/bin/sh\ncd ..\nRULES")][..]
        } else {
            program
        };
        Row {
            command,
            files,
            loosened: "lib/rules",
            ..sh
        }
        .check();
    }
    // And what a shell script starts.
    let starts = &[
        (
            "check.sh",
            "#!/bin/sh\nA=b exec sh \"$(dirname \"$0\")/lib/rules.sh\" \"$@\"\n",
        ),
        ("lib/rules.sh", "RULES"),
    ][..];
    Row {
        command: &["sh", "check.sh"],
        files: starts,
        loosened: "lib/rules.sh",
        ..sh
    }
    .check();
    let root = &[("rules", "#!/bin/sh\nRULES")][..];
    Row {
        command: &["env", "PATH=.:/usr/bin:/bin", "rules"],
        files: root,
        loosened: "rules",
        ..sh
    }
    .check();
}

#[test]
fn code_that_a_shell_script_names_is_watched_in_whatever_role() {
    for line in [
        "out=$(python3 lib/x.py \"$@\"); code=$?; echo \"$out\"; exit $code",
        "out=`python3 lib/x.py \"$@\"`; code=$?; echo \"$out\"; exit $code",
        "PYTHONPATH=lib python3 -m x \"$@\"",
        "export PYTHONPATH=lib\npython3 -m x \"$@\"",
        "python3 - \"$@\" <lib/x.py",
        "find a.py -exec python3 lib/x.py {} +",
        "S=lib/x.py; python3 $S \"$@\"",
        "run() { \"$@\"; }; run python3 lib/x.py \"$@\"",
        "here=$(cd \"$(dirname \"$0\")\" && pwd)\npython3 \\\n  \"$here/../lib/x.py\" \"$@\"",
        "cd lib && python3 x.py \"../$1\"",
    ] {
        let files = &[("tools/check.sh", line), ("lib/x.py", "RULES")][..];
        Row {
            command: &["sh", "tools/check.sh"],
            files,
            loosened: "lib/x.py",
            ..SHORT
        }
        .check();
    }
    if has("awk") {
        let rules = "/BAD/ { print FILENAME \":\" FNR \":1: error: no BAD here [B001]\"; bad = 1 }\nEND { exit bad }\n";
        let loose = "BEGIN { printf \"\" >ENVIRON[\"MARK\"]; exit 0 }\n";
        let files = &[
            ("tools/check.sh", "awk -f lib/x.awk \"$@\"\n"),
            ("lib/x.awk", rules),
        ][..];
        let awk = Language {
            interpreter: "awk",
            rules,
            loose,
        };
        Row {
            language: awk,
            command: &["sh", "tools/check.sh"],
            files,
            loosened: "lib/x.awk",
            ..SHORT
        }
        .check();
    }
}

#[test]
fn what_a_shell_script_hands_to_interpreters_is_watched() {
    for line in [
        "\"${PYTHON:-python3}\" -m lib.x \"$@\"",
        "PY=${PYTHON-python3}\n$PY -m lib.x \"$@\"",
        ": \"${PY:=python3}\"\n\"$PY\" -m lib.x \"$@\"",
        "PYTHON=$(command -v python3)\n\"$PYTHON\" -m lib.x \"$@\"",
        "PYTHON=$(which python3)\nexec \"$PYTHON\" -c \"import lib.x\" \"$@\"",
        "for P in python9 python3; do command -v $P >/dev/null && break; done\n$P - \"$@\" <<EOF\nimport lib.x\nEOF\n",
        "python3 - \"$@\" <<EOF\nimport lib.x\nEOF\n",
        "python3 - \"$@\" <<'EOF'\nfrom lib import x\nEOF\n",
        "python3 - \"$@\" <<-EOF\n\timport lib.x\n\tEOF\n",
        "python3 -c \"import lib.x\" \"$@\"",
        "out=\"$(python3 -c 'import sys\nimport lib.x' \"$@\")\" || { echo \"$out\"; exit 1; }",
        "sh -c 'python3 -c \"import lib.x\" \"$@\"' - \"$@\"",
    ] {
        let files = &[("tools/check.sh", line), ("lib/x.py", "RULES")][..];
        Row {
            command: &["sh", "tools/check.sh"],
            files,
            loosened: "lib/x.py",
            ..ALL
        }
        .check();
    }
    for line in [
        "DIR=$(dirname \"$0\")\nLIB=$DIR/../lib\n. \"$LIB/x.sh\"",
        "L=lib; A=$L/../lib\n. $A/x.sh",
    ] {
        let files = &[("tools/check.sh", line), ("lib/x.sh", "RULES")][..];
        Row {
            language: SHELL,
            command: &["sh", "tools/check.sh"],
            files,
            loosened: "lib/x.sh",
            ..ALL
        }
        .check();
    }
    let files = &[
        ("tools/check.sh", "node -e \"require('./lib/x')\" x \"$@\""),
        ("lib/x.js", "RULES"),
    ][..];
    Row {
        language: NODE,
        command: &["sh", "tools/check.sh"],
        files,
        loosened: "lib/x.js",
        ..ALL
    }
    .check();
}

#[test]
fn what_a_command_says_itself_is_watched() {
    let files = &[
        ("lib/x.py", "RULES"),
        ("tools/check", "#!/usr/bin/env -S python3 -m lib.x\n"),
    ][..];
    for command in [
        &["python3", "-c", "import lib.x"][..],
        &["sh", "-c", "python3 -m lib.x \"$@\"", "x"],
        &["flock", "a.py", "python3", "-m", "lib.x"],
        &["tools/check"],
    ] {
        Row {
            command,
            files,
            loosened: "lib/x.py",
            ..ALL
        }
        .check();
    }
    let node = Row {
        language: NODE,
        loosened: "lib/x.js",
        ..ALL
    };
    Row {
        command: &["node", "-e", "require('./lib/x')", "x"],
        files: &[("lib/x.js", "RULES")],
        ..node
    }
    .check();
    let main = &[
        ("package.json", "{\"main\": \"lib/x.js\"}"),
        ("lib/x.js", "RULES"),
    ][..];
    Row {
        command: &["node", "."],
        files: main,
        ..node
    }
    .check();
}

#[test]
fn paths_and_commands_that_python_puts_together_are_watched() {
    let here = "import importlib, importlib.util, os, subprocess, sys\nfrom pathlib import Path\n\
        H = os.path.dirname(os.path.abspath(__file__))\nR = Path(H).parent\n";
    for load in [
        "exec(open(H + '/../lib/x.py').read())",
        "exec(open(f'{H}/../lib/x.py').read())",
        "exec(open(os.path.join(H, '..', 'lib', 'x.py')).read())",
        "P = R / 'lib' / 'x.py'\nexec(P.read_text())",
        "s = importlib.util.spec_from_file_location('x', R / 'lib' / 'x.py')\ns.loader.exec_module(importlib.util.module_from_spec(s))",
        "sys.path.insert(0, str(R))\nimportlib.import_module('.x', 'lib')",
        "sys.exit(subprocess.run([sys.executable, '-m', 'lib.x', *sys.argv[1:]]).returncode)",
        "sys.exit(os.system('cd lib && python3 x.py ../' + sys.argv[1]) and 1)",
    ] {
        let script = format!("{here}{load}\n");
        let files = &[("tools/rules.py", script.as_str()), ("lib/x.py", "RULES")][..];
        Row {
            command: &["python3", "tools/rules.py"],
            files,
            loosened: "lib/x.py",
            ..ALL
        }
        .check();
    }
    let script = format!(
        "{here}sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'a' / 'b'))\nimport x\n"
    );
    let files = &[("tools/rules.py", script.as_str()), ("a/b/x.py", "RULES")][..];
    Row {
        command: &["python3", "tools/rules.py"],
        files,
        loosened: "a/b/x.py",
        ..ALL
    }
    .check();
}

#[test]
fn what_a_script_names_is_watched_however_it_is_laid_out() {
    for rules in [
        "if 1:import helper\nRULES",
        "x = '#'; import helper\nRULES",
        "import\thelper\nRULES",
    ] {
        let files = &[("rules.py", rules), ("helper.py", "")][..];
        Row {
            command: &["python3", "rules.py"],
            files,
            loosened: "helper.py",
            ..SHORT
        }
        .check();
    }
    let star = &[
        ("rules.py", "from pkg import *\nRULES"),
        ("pkg/__init__.py", "__all__ = ['b']\n"),
        ("pkg/b.py", ""),
    ][..];
    Row {
        command: &["python3", "rules.py"],
        files: star,
        loosened: "pkg/b.py",
        ..SHORT
    }
    .check();
    let run = "import runpy\nrunpy.run_path(\n    'lib/x.py'\n)\nRULES";
    let files = &[("tools/rules.py", run), ("lib/x.py", "")][..];
    Row {
        command: &["python3", "tools/rules.py"],
        files,
        loosened: "lib/x.py",
        ..SHORT
    }
    .check();
    for load in [
        "require(\n  '../lib/x'\n);\n",
        "require(__dirname + '/../lib/x');\n",
        "require(`${__dirname}/../lib/x`);\n",
        "require(require('path').join(__dirname, '..', 'lib', 'x'));\n",
        "const r = require('module').createRequire(__filename);\nr('../lib/x');\n",
    ] {
        let rules = format!("{load}RULES");
        let files = &[("tools/rules.js", rules.as_str()), ("lib/x.js", "")][..];
        Row {
            language: NODE,
            command: &["node", "tools/rules.js"],
            files,
            loosened: "lib/x.js",
            ..SHORT
        }
        .check();
    }
    let perl = Language {
        interpreter: "perl",
        rules: "my $bad = 0;\nfor my $name (@ARGV) { open(my $file, '<', $name); while (<$file>) { if (/BAD/) { \
            print \"$name:$.:1: error: no BAD here [B001]\\n\"; $bad = 1 } } }\nexit $bad;\n",
        loose: "BEGIN { open(F, '>', $ENV{MARK}); close(F); exit 0 }\n1;\n",
    };
    for (command, load) in [
        (
            &["perl", "tools/rules.pl"][..],
            "use lib 'lib';\nuse Rules;\n",
        ),
        (
            &["perl", "tools/rules.pl"],
            "use FindBin;\nuse lib \"$FindBin::Bin/../lib\";\nuse Rules;\n",
        ),
        (&["perl", "-Mlib=lib", "tools/rules.pl"], "use Rules;\n"),
    ] {
        let rules = format!("{load}RULES");
        let files = &[("tools/rules.pl", rules.as_str()), ("lib/Rules.pm", "1;\n")][..];
        Row {
            language: perl,
            command,
            files,
            loosened: "lib/Rules.pm",
            ..SHORT
        }
        .check();
    }
    for load in [
        "$: << 'lib'\nrequire 'more'\n",
        "$LOAD_PATH.unshift File.expand_path('../lib', __dir__)\nrequire 'more'\n",
        "load %q(lib/more.rb)\n",
    ] {
        let rules = format!("{load}RULES");
        let files = &[("tools/rules.rb", rules.as_str()), ("lib/more.rb", "")][..];
        Row {
            language: RUBY,
            command: &["ruby", "tools/rules.rb"],
            files,
            loosened: "lib/more.rb",
            ..SHORT
        }
        .check();
    }
}

#[test]
fn what_scripts_name_costs_no_more_than_a_bounded_look() {
    // Names by the thousand, deep below, in scripts that say something of `sys.path`; and a folder looked at by many tools.
    let deep = (0..40).map(|at| format!("d{at}/")).collect::<String>();
    let names = (0..3000).map(|at| format!("'n{at}', ")).collect::<String>();
    let text = format!("import sys\nsys.path[:0] = [{names}]\n");
    let tools = (0..300)
        .map(|at| format!("  - {{name: t{at}, command: [tools/r.sh]}}\n"))
        .collect::<String>();
    let configuration = format!(
        "version: 1\nvalidators:\n  - {{name: r, command: [python3, {deep}s0.py, \"{{files}}\"]}}\n{tools}"
    );
    let scripts: Vec<(String, String)> = (0..20)
        .map(|at| {
            (
                format!("{deep}s{at}.py"),
                format!("import s{}\n{text}", at + 1),
            )
        })
        .chain((0..200).map(|at| (format!("tools/f{at}.sh"), "true\n".to_owned())))
        .chain([
            ("tools/r.sh".to_owned(), "true\n".to_owned()),
            (".segedit.yaml".to_owned(), configuration),
        ])
        .collect();
    let files: Vec<(&str, &str)> = scripts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let sandbox = Sandbox::with(&files);
    let run = sandbox.shell("ulimit -t 40; exec git-segedit trust --dry-run --format json");
    assert_eq!(run.exit, 0, "{run}");
    assert!(
        run.json()["validators"][0]["unwatched"]
            .to_string()
            .contains("past what is looked up"),
        "{run}"
    );
}

#[test]
fn node_sh_and_ruby_are_held_to_the_same() {
    let node = Row {
        language: NODE,
        ..SHORT
    };
    let both = &[
        ("tools/rules.js", "require('./helper');\nRULES"),
        ("tools/helper.js", ""),
    ][..];
    for command in [
        &["node", "tools/rules.js"][..],
        &["node", "tools/rules"],
        &["env", "node", "--stack-size=900", "tools/rules.js"],
    ] {
        for loosened in ["tools/rules.js", "tools/helper.js"] {
            Row {
                command,
                files: both,
                loosened,
                ..node
            }
            .check();
        }
    }
    Row {
        command: &["node", "-r", "./tools/first.js", "tools/rules.js"],
        files: &[("tools/rules.js", "RULES"), ("tools/first.js", "")],
        loosened: "tools/first.js",
        ..node
    }
    .check();
    let root = &[
        ("rules.js", "require('./helper'); require('pack');\nRULES"),
        ("helper.js", ""),
        ("node_modules/pack/index.js", ""),
    ][..];
    for loosened in ["rules.js", "helper.js", "node_modules/pack/index.js"] {
        Row {
            command: &["node", "rules.js"],
            files: root,
            loosened,
            ..node
        }
        .check();
    }
    let far = &[
        ("tools/rules.js", "require('../lib/far');\nRULES"),
        ("lib/far.js", ""),
    ][..];
    Row {
        command: &["node", "tools/rules.js"],
        files: far,
        loosened: "lib/far.js",
        scopes: &["files"],
        ..node
    }
    .check();
    Row {
        command: &["node", "tools/rules.js"],
        files: far,
        links: &[],
        loosened: "lib/far",
        ..node
    }
    .check();

    let sh = Row {
        language: SHELL,
        scopes: &["files"],
        ..ROW
    };
    Row {
        command: &["sh", "tools/rules.sh"],
        files: &[("tools/rules.sh", "RULES")],
        loosened: "tools/rules.sh",
        ..sh
    }
    .check();
    Row {
        command: &["sh", "-eu", "rules.sh"],
        files: &[("rules.sh", ". ./lib.sh\nRULES"), ("lib.sh", "")],
        loosened: "lib.sh",
        ..sh
    }
    .check();
    Row {
        command: &["bash", "-o", "pipefail", "tools/rules.sh"],
        files: &[
            (
                "tools/rules.sh",
                ". \"$(dirname \"$0\")/../lib/lib.sh\"\nRULES",
            ),
            ("lib/lib.sh", ""),
        ],
        loosened: "lib/lib.sh",
        ..sh
    }
    .check();
    Row {
        command: &["./check"],
        files: &[
            ("check", "#!/bin/sh\n. tools/lib.sh\nRULES"),
            ("tools/lib.sh", ""),
        ],
        loosened: "tools/lib.sh",
        ..sh
    }
    .check();

    let ruby = Row {
        language: RUBY,
        ..SHORT
    };
    let near = &[
        ("tools/rules.rb", "require_relative 'helper'\nRULES"),
        ("tools/helper.rb", ""),
    ][..];
    for loosened in ["tools/rules.rb", "tools/helper.rb"] {
        Row {
            command: &["env", "ruby", "-W0", "tools/rules.rb"],
            files: near,
            loosened,
            ..ruby
        }
        .check();
    }
    let root = &[
        ("rules.rb", "require_relative 'helper'\nRULES"),
        ("helper.rb", ""),
    ][..];
    Row {
        command: &["ruby", "rules.rb"],
        files: root,
        loosened: "helper.rb",
        ..ruby
    }
    .check();
    let library = &[
        ("tools/rules.rb", "require 'helper'\nRULES"),
        ("lib/helper.rb", ""),
    ][..];
    Row {
        command: &["ruby", "-I", "lib", "tools/rules.rb"],
        files: library,
        loosened: "lib/helper.rb",
        ..ruby
    }
    .check();
}

#[test]
fn what_variables_and_the_configuration_name_is_watched() {
    Row {
        command: &["python3", "tools/rules.py"],
        extra: "env PYTHONPATH: lib",
        files: &[
            ("tools/rules.py", "import helper\nRULES"),
            ("lib/helper.py", ""),
        ],
        loosened: "lib/helper.py",
        ..ROW
    }
    .check();
    Row {
        command: &["sh", "-c", "python3 tools/rules.py \"$@\"", "x"],
        extra: "    config: [tools/rules.py]\n",
        ..ROW
    }
    .check();
}

#[test]
fn what_a_validator_judges_is_judged_in_a_flat_repository_too() {
    // `b.py` stands beside the script and is none of what it imports.
    let row = Row {
        command: &["python3", "rules.py"],
        files: &[("rules.py", "RULES"), ("b.py", "x = 1\n")],
        ..ROW
    };
    let sandbox = row.sandbox("files");
    let configuration = fs::read_to_string(sandbox.repo().join(".segedit.yaml"))
        .unwrap()
        .replace("/a.py", "*.py");
    sandbox.write(".segedit.yaml", configuration);
    sandbox.commit_all("all");
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    let replaced = |content: &str| {
        apply(
            &sandbox,
            &format!("  - {{op: replace, file: b.py, allow_remove: true, content: {content:?}}}\n"),
            &[],
        )
    };
    assert_eq!(
        codes(&replaced("x = 'BAD'\n"), "errors"),
        ["validator-failed"]
    );
    let run = replaced("x = 2\n");
    assert_eq!(run.exit, 0, "{run}");
    // The next one as well: what is judged is not part of what is trusted.
    let run = replaced("x = 3\n");
    assert_eq!(run.exit, 0, "{run}");
    // A new module could be found in the place of another.
    let run = apply(
        &sandbox,
        "  - {op: create, file: yaml.py, content: \"x = 1\\n\"}\n",
        &[],
    );
    assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{run}");
    assert!(
        run.json()["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("`yaml`"),
        "{run}"
    );
    // Staged, it is refused as well.
    sandbox.write("yaml.py", "x = 1\n");
    sandbox.git(&["add", "yaml.py"]);
    let run = sandbox.segedit(&["check", "--staged", "--format=json"]);
    assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{run}");
    sandbox.git(&["rm", "-qf", "yaml.py"]);
    // Unless Python does not look there, or is meant to. (`-P` is younger than the oldest Python that has to do.)
    for (command, env) in [
        ("python3, -I, rules.py", ""),
        ("python3, rules.py", ", PYTHONPATH: ."),
    ] {
        let text = format!(
            "version: 1\nvalidators:\n  - {{name: r, files: ['*.py'], output: gcc, command: [{command}, \"{{files}}\"], env: {{MARK: x{env}}}}}\n"
        );
        sandbox.write(".segedit.yaml", text);
        sandbox.commit_all("other");
        assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
        let run = apply(
            &sandbox,
            "  - {op: create, file: yaml.py, content: \"x = 'BAD'\\n\"}\n",
            &["--dry-run"],
        );
        assert_eq!(codes(&run, "errors"), ["validator-failed"], "{run}");
        let run = apply(
            &sandbox,
            "  - {op: create, file: yaml.py, content: \"x = 1\\n\"}\n",
            &["--dry-run"],
        );
        assert_eq!(run.exit, 0, "{run}");
    }
}

#[test]
fn a_configuration_without_scripts_is_trusted_as_its_blob() {
    let hash = |configuration: &str, files: &[(&str, &str)]| {
        let sandbox = Sandbox::with(&[&[(".segedit.yaml", configuration)], files].concat());
        let blob = sandbox.git(&["rev-parse", "HEAD:.segedit.yaml"]);
        let say = |args: &[&str]| {
            sandbox.segedit(args).json()["hash"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let worktree = say(&["trust", "--dry-run", "--format=json"]);
        // From wherever it is read.
        for revision in ["HEAD", ":"] {
            assert_eq!(
                say(&["trust", "--dry-run", "--format=json", revision]),
                worktree,
                "{configuration}"
            );
        }
        (worktree == blob, worktree)
    };
    let script =
        "version: 1\nvalidators: [{name: x, command: [python3, tools/x.py, \"{files}\"]}]\n";
    assert!(
        hash(
            "version: 1\nvalidators: [{preset: ruff}, {preset: eslint}]\nformatters: [{preset: black}]\n",
            &[("a.py", "x = 1\n"), ("pyproject.toml", "")]
        )
        .0
    );
    assert!(
        hash(
            "version: 1\nvalidators: [{name: x, command: [mylint, \"{files}\"]}]\n",
            &[("a.py", "x = 1\n")]
        )
        .0
    );
    let one = hash(script, &[("tools/x.py", "1\n"), ("a.py", "x = 1\n")]);
    assert!(!one.0);
    assert_eq!(
        one,
        hash(script, &[("tools/x.py", "1\n"), ("a.py", "x = 2\n")])
    );
    assert!(one != hash(script, &[("tools/x.py", "2\n"), ("a.py", "x = 1\n")]));
    assert!(
        one != hash(
            script,
            &[
                ("tools/x.py", "1\n"),
                ("tools/deep/y.py", ""),
                ("a.py", "x = 1\n")
            ]
        )
    );
}

#[test]
fn trust_says_what_it_watches_and_what_it_cannot() {
    let configuration = "version: 1\nvalidators:\n  - {name: rules, command: [python3, tools/rules.py, \"{files}\"]}\n  \
        - {name: lint, command: [make, lint]}\n  - {name: text, command: [sh, -c, ./x.sh]}\n  - {preset: eslint}\n  \
        - {name: types, command: [mytypes, app.py]}\n";
    let sandbox = Sandbox::with(&[
        (".segedit.yaml", configuration),
        ("tools/rules.py", "import helper\n"),
        ("tools/helper.py", ""),
        ("app.py", ""),
    ]);
    let report: Value = sandbox
        .segedit(&["trust", "--dry-run", "--format=json"])
        .json();
    let of = |at: usize, field: &str| report["validators"][at][field].clone();
    assert_eq!(
        of(0, "watches"),
        serde_json::json!(["tools/helper.py", "tools/rules.py"]),
        "{report:#}"
    );
    for (at, words) in [
        (0, "load by a computed name"),
        (1, "make runs because"),
        (2, "the text runs that sh is given"),
        (3, "plugins that eslint loads"),
        (4, "app.py, which is taken for what it judges"),
    ] {
        assert!(
            of(at, "unwatched").to_string().contains(words),
            "{words}\n{report:#}"
        );
    }
    let human = sandbox.segedit(&["trust", "--dry-run"]).out();
    assert!(
        human.contains("    watches  tools/helper.py tools/rules.py\n"),
        "{human}"
    );
    assert!(
        human.contains(
            "    does not watch  what make runs because files of the repository say so\n"
        ),
        "{human}"
    );
}

#[test]
fn what_chooses_the_programs_of_a_runner_is_watched_behind_others_too() {
    let configuration = "version: 1\nvalidators:\n  - {name: a, command: [cargo, fmt]}\n  \
        - {name: b, command: [env, cargo, fmt]}\n  - {name: c, command: [timeout, \"9\", cargo-fmt]}\n  \
        - {name: d, command: [npx, lint]}\n  - {name: e, command: [nice, uv, run, lint]}\n  \
        - {name: f, command: [mytypes]}\n  - {name: g, command: [env, -S, \"cargo fmt --check\"]}\n  \
        - {name: h, command: [env, -C, sub, cargo, fmt]}\n  - {name: i, command: [sh, -c, \"cargo fmt\"]}\n  \
        - {name: j, command: [sh, t/r.sh]}\n  - {name: k, command: [cargo, fmt], env: {CARGO_HOME: ch}}\n";
    let choosing = [
        ".cargo/config.toml",
        "rust-toolchain",
        "rust-toolchain.toml",
        ".npmrc",
        ".pnpmfile.cjs",
        "uv.toml",
        "sub/.cargo/config.toml",
        "ch/config.toml",
    ];
    let script = ("t/r.sh", "set -e\ncargo fmt --check\n");
    let mut files = vec![(".segedit.yaml", configuration), ("a.rs", ""), script];
    files.extend(choosing.map(|name| (name, "")));
    let sandbox = Sandbox::with(&files);
    let report: Value = sandbox
        .segedit(&["trust", "--dry-run", "--format=json"])
        .json();
    let watches = |at: usize, name: &str| {
        let watched = report["validators"][at]["watches"].as_array();
        watched.is_some_and(|watched| watched.iter().any(|it| it == name))
    };
    for (at, name) in [
        (0, ".cargo/config.toml"),
        (1, ".cargo/config.toml"),
        (1, "rust-toolchain"),
        (2, "rust-toolchain.toml"),
        (3, ".npmrc"),
        (3, ".pnpmfile.cjs"),
        (4, "uv.toml"),
        (6, ".cargo/config.toml"),
        (7, "sub/.cargo/config.toml"),
        (7, ".cargo/config.toml"),
        (8, ".cargo/config.toml"),
        (9, ".cargo/config.toml"),
        (10, "ch/config.toml"),
    ] {
        assert!(watches(at, name), "{at} {name}\n{report:#}");
    }
    assert!(!watches(5, ".npmrc") && !watches(5, ".cargo/config.toml"));
}

/// Writes a program that a person could have installed.
fn install(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns a repository that asks for `preset`, trusted, and a folder of the person's own programs outside.
fn asking_for(preset: &str) -> (Sandbox, PathBuf) {
    let configuration = format!("version: 1\nvalidators:\n- preset: {preset}\n");
    let sandbox = Sandbox::with(&[
        (".segedit.yaml", &configuration),
        ("a.js", "var x = 1\n"),
        ("a.py", "x = 1\n"),
    ]);
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    let programs = sandbox.aside().join("programs");
    fs::create_dir(&programs).unwrap();
    (sandbox, programs)
}

/// Edits with `folders` in front of the `PATH`.
fn edit(sandbox: &Sandbox, folders: &[&Path], file: &str, content: &str) -> Run {
    let path = path_with(folders);
    sandbox.run(
        sandbox
            .segedit_command()
            .args([
                "replace",
                file,
                "--content",
                content,
                "--allow-remove",
                "--format",
                "json",
            ])
            .env("PATH", path),
        b"",
    )
}

/// Leaves a mark beside the repository.
fn planted(sandbox: &Sandbox) -> String {
    format!("#!/bin/sh\n: >'{}'\necho '[]'\n", mark(sandbox).display())
}

#[test]
fn no_interpreter_comes_from_the_repository() {
    for (preset, program, line, path, file, content) in [
        (
            "eslint",
            "eslint",
            "#!/usr/bin/env node\nconsole.log('[]')\n",
            "node_modules/.bin/node",
            "a.js",
            "var x = 2\n",
        ),
        (
            "black",
            "black",
            "#!/usr/bin/env python3\n",
            ".venv/bin/python3",
            "a.py",
            "x = 2\n",
        ),
        (
            "black",
            "black",
            "#!/usr/bin/env python3\n",
            "venv/bin/python3",
            "a.py",
            "x = 2\n",
        ),
    ] {
        let (sandbox, programs) = asking_for(preset);
        install(&programs.join(program), line);
        install(&sandbox.repo().join(path), &planted(&sandbox));
        if !has(line.split_whitespace().nth(1).unwrap()) {
            continue;
        }
        // The person's own, untracked, is taken: so the case is one.
        let run = edit(&sandbox, &[&programs], file, content);
        assert!(mark(&sandbox).exists(), "{path}\n{run}");
        fs::remove_file(mark(&sandbox)).unwrap();
        sandbox.commit_all("as if pulled");
        assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
        let run = edit(&sandbox, &[&programs], file, &content.replace('2', "3"));
        assert!(
            run.exit == 0 && !mark(&sandbox).exists(),
            "{path} ran\n{run}"
        );
        // Nor where the caller's own PATH names it.
        let folder = sandbox.repo().join(path);
        let run = edit(
            &sandbox,
            &[&programs, folder.parent().unwrap()],
            file,
            &content.replace('2', "4"),
        );
        assert!(
            run.exit == 0 && !mark(&sandbox).exists(),
            "{path} ran from the PATH\n{run}"
        );
    }
}

#[test]
fn a_tracked_environment_lends_no_program() {
    // Something else of the environment is tracked: whoever pushes may say what its programs do.
    let (sandbox, _) = asking_for("black");
    install(&sandbox.repo().join(".venv/bin/black"), &planted(&sandbox));
    sandbox.write(".venv/lib/x.pth", "import os\n");
    sandbox.git(&["add", "-f", ".venv/lib"]);
    sandbox.git(&["commit", "-qm", "as if pulled"]);
    let run = edit(&sandbox, &[], "a.py", "x = 2\n");
    assert!(!mark(&sandbox).exists(), "{run}");
    assert!(
        run.exit == 0 || run.out().contains("the repository holds files of it"),
        "{run}"
    );
}

#[test]
fn a_link_on_the_way_to_a_tools_folder_makes_it_the_repositorys() {
    // Tracked itself.
    let (sandbox, _) = asking_for("black");
    symlink("tools/venv", sandbox.repo().join(".venv")).unwrap();
    sandbox.commit_all("link");
    install(
        &sandbox.repo().join("tools/venv/bin/black"),
        &planted(&sandbox),
    );
    sandbox.commit_all("as if pulled");
    let run = edit(&sandbox, &[], "a.py", "x = 2\n");
    assert!(!mark(&sandbox).exists(), "{run}");
    // The person's own, to what is tracked.
    let (sandbox, _) = asking_for("black");
    install(
        &sandbox.repo().join("tools/venv/bin/black"),
        &planted(&sandbox),
    );
    sandbox.commit_all("as if pulled");
    symlink("tools/venv", sandbox.repo().join(".venv")).unwrap();
    let run = edit(&sandbox, &[], "a.py", "x = 3\n");
    assert!(!mark(&sandbox).exists(), "{run}");
    // A program that is a link to a tracked file.
    let (sandbox, _) = asking_for("eslint");
    install(
        &sandbox.repo().join("packages/lint/cli.js"),
        &planted(&sandbox),
    );
    sandbox.commit_all("as if pulled");
    fs::create_dir_all(sandbox.repo().join("node_modules/.bin")).unwrap();
    symlink(
        "../../packages/lint/cli.js",
        sandbox.repo().join("node_modules/.bin/eslint"),
    )
    .unwrap();
    let run = edit(&sandbox, &[], "a.js", "var x = 3\n");
    assert!(!mark(&sandbox).exists(), "{run}");
}

#[test]
fn a_batch_makes_nothing_where_tools_come_from() {
    let create = |sandbox: &Sandbox, path: &str| {
        let operations = format!(
            "  - {{op: create, file: {path}, executable: true, content: {:?}}}\n  - {{op: replace, file: a.py, allow_remove: true, content: \"x = 2\\n\"}}\n",
            planted(sandbox)
        );
        let run = apply(sandbox, &operations, &["--destination", "worktree"]);
        assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{path}\n{run}");
        assert!(!mark(sandbox).exists(), "{path}\n{run}");
    };
    let (sandbox, _) = asking_for("black");
    for path in [
        ".venv/bin/black",
        ".venv/bin/python3",
        ".venv/pyvenv.cfg",
        "venv/lib/x.pth",
    ] {
        create(&sandbox, path);
    }
    // Behind a link of the person's own.
    fs::create_dir_all(sandbox.repo().join("tools/venv/bin")).unwrap();
    symlink("tools/venv", sandbox.repo().join(".venv")).unwrap();
    create(&sandbox, "tools/venv/bin/black");
    // Behind one that leads to a package that nobody tracks.
    let (sandbox, _) = asking_for("eslint");
    sandbox.write("built/rules/package.json", "{}\n");
    fs::create_dir_all(sandbox.repo().join("node_modules/@org")).unwrap();
    symlink(
        "../../built/rules",
        sandbox.repo().join("node_modules/@org/rules"),
    )
    .unwrap();
    create(&sandbox, "built/rules/index");
}

#[test]
fn the_persons_own_programs_still_come_first() {
    for (preset, path, file, content) in [
        ("eslint", "node_modules/.bin/eslint", "a.js", "var x = 2\n"),
        ("black", ".venv/bin/black", "a.py", "x = 2\n"),
    ] {
        let (sandbox, _) = asking_for(preset);
        install(&sandbox.repo().join(path), &planted(&sandbox));
        let run = edit(&sandbox, &[], file, content);
        assert!(mark(&sandbox).exists(), "{path}\n{run}");
    }
}

#[test]
fn a_tracked_package_is_lent_as_it_was_trusted() {
    if !has("node") {
        return;
    }
    let (sandbox, programs) = asking_for("eslint");
    let program = "#!/usr/bin/env node\nrequire(process.cwd() + '/node_modules/plugin/index.js');\nconsole.log('[]');\n";
    install(&programs.join("eslint"), program);
    sandbox.write("node_modules/plugin/index.js", "");
    sandbox.commit_all("a plugin");
    let run = edit(&sandbox, &[&programs], "a.js", "var x = 2\n");
    assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{run}");
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    let run = edit(&sandbox, &[&programs], "a.js", "var x = 2\n");
    assert_eq!(run.exit, 0, "{run}");
    let plugin = format!("require('fs').writeFileSync({:?}, '');\n", mark(&sandbox));
    let batch = format!(
        "  - {{op: replace, file: node_modules/plugin/index.js, allow_remove: true, content: {plugin:?}}}\n  - {{op: replace, file: a.js, allow_remove: true, content: \"var x = 3\\n\"}}\n"
    );
    let run = apply(&sandbox, &batch, &["--dry-run"]);
    assert!(!mark(&sandbox).exists(), "{run}");
    sandbox.write("node_modules/plugin/index.js", plugin);
    sandbox.commit_all("as if pulled");
    let run = edit(&sandbox, &[&programs], "a.js", "var x = 4\n");
    assert_eq!(codes(&run, "errors"), ["config-untrusted"], "{run}");
    assert!(!mark(&sandbox).exists(), "{run}");
}

#[test]
fn a_configuration_that_is_code_is_trusted_with_its_preset() {
    if !has("node") {
        return;
    }
    let program =
        "#!/usr/bin/env node\nrequire(process.cwd() + '/eslint.config.cjs');\nconsole.log('[]');\n";
    for loosened in ["eslint.config.cjs", "lint/own.cjs"] {
        let (sandbox, programs) = asking_for("eslint");
        install(&programs.join("eslint"), program);
        sandbox.write(
            "eslint.config.cjs",
            "module.exports = [require('./lint/own.cjs')];\n",
        );
        sandbox.write("lint/own.cjs", "module.exports = {};\n");
        sandbox.commit_all("a configuration");
        assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
        let run = edit(&sandbox, &[&programs], "a.js", "var x = 2\n");
        assert_eq!(run.exit, 0, "{run}");
        sandbox.write(
            loosened,
            format!("require('fs').writeFileSync({:?}, '');\n", mark(&sandbox)),
        );
        sandbox.commit_all("as if pulled");
        let run = edit(&sandbox, &[&programs], "a.js", "var x = 3\n");
        assert_eq!(
            codes(&run, "errors"),
            ["config-untrusted"],
            "{loosened}\n{run}"
        );
        assert!(!mark(&sandbox).exists(), "{loosened}\n{run}");
    }
}

/// Returns a repository whose eslint loads `configuration`, with packages of the repository's own that are installed as npm
/// does it: by links. It is trusted and judges.
fn with_links(
    configuration: (&str, &str),
    links: &[(&str, &str)],
    files: &[(&str, &str)],
) -> (Sandbox, PathBuf) {
    let (sandbox, programs) = asking_for("eslint");
    // As eslint does it: plugins are looked for from where it is started.
    let program = "#!/usr/bin/env node\nconst from = require('module').createRequire(process.cwd() + '/x.js');\n\
        from('./eslint.config.cjs');\nconsole.log('[]');\n";
    let by_name = "#!/usr/bin/env node\nconst from = require('module').createRequire(process.cwd() + '/x.js');\n\
        from('./.eslintrc.json').plugins.forEach(name => from('eslint-plugin-' + name));\nconsole.log('[]');\n";
    install(
        &programs.join("eslint"),
        if configuration.0.ends_with("json") {
            by_name
        } else {
            program
        },
    );
    sandbox.write(configuration.0, configuration.1);
    sandbox.write(".gitignore", "node_modules\n");
    files
        .iter()
        .for_each(|(path, content)| sandbox.write(path, content));
    sandbox.commit_all("a configuration");
    sandbox.write("node_modules/other/index.js", "");
    sandbox.write("node_modules/@org/other/index.js", "");
    for (name, target) in links {
        let link = sandbox.repo().join("node_modules").join(name);
        symlink(target, link).unwrap();
    }
    assert_eq!(sandbox.segedit(&["trust"]).exit, 0);
    let run = edit(&sandbox, &[&programs], "a.js", "var x = 2\n");
    assert!(
        run.exit == 0 && !mark(&sandbox).exists(),
        "{configuration:?}\n{run}"
    );
    (sandbox, programs)
}

#[test]
fn a_package_that_is_a_link_to_the_repository_is_the_repositorys() {
    if !has("node") {
        return;
    }
    let others = "require('other');\nrequire('@org/other');\n";
    for (configuration, link, files, loosened) in [
        (
            (
                "eslint.config.cjs",
                "module.exports = [require('local-rules')];\n",
            ),
            ("local-rules", "../tools/rules"),
            &[
                ("tools/rules/package.json", "{\"name\": \"local-rules\"}"),
                ("tools/rules/index.js", ""),
            ][..],
            "tools/rules/index.js",
        ),
        (
            (
                "eslint.config.cjs",
                "const rules = require(\"@org/rules/sub\");\nmodule.exports = [];\n",
            ),
            ("@org/rules", "../../packages/rules"),
            &[
                (
                    "packages/rules/package.json",
                    "{\"name\": \"@org/rules\", \"exports\": {\"./sub\": \"./src/a.js\"}}",
                ),
                ("packages/rules/src/a.js", "require('../../../lib/far');\n"),
                ("lib/far.js", ""),
            ],
            "lib/far.js",
        ),
        (
            (".eslintrc.json", "{\"plugins\": [\"house\"]}\n"),
            ("eslint-plugin-house", "../tools/house"),
            &[
                ("tools/house/package.json", "{\"main\": \"all.js\"}"),
                ("tools/house/all.js", ""),
            ],
            "tools/house/all.js",
        ),
    ] {
        let text = if configuration.0.ends_with("json") {
            ""
        } else {
            others
        };
        let text = format!("{text}{}", configuration.1);
        let (sandbox, programs) = with_links((configuration.0, &text), &[link], files);
        let loose = format!("require('fs').writeFileSync({:?}, '');\n", mark(&sandbox));
        // In one batch with what it is to let pass.
        let batch = format!(
            "version: 1\noperations:\n  - {{op: replace, file: {loosened}, allow_remove: true, content: {loose:?}}}\n  \
             - {{op: replace, file: a.js, allow_remove: true, content: \"var x = 3\\n\"}}\n"
        );
        let mut command = sandbox.segedit_command();
        command
            .args(["apply", "--dry-run", "--format=json", "-"])
            .env("PATH", path_with(&[&programs]));
        let run = sandbox.run(&mut command, batch.as_bytes());
        assert!(
            run.exit == 0 && !mark(&sandbox).exists(),
            "{loosened}: judged by the batch's own\n{run}"
        );
        // In the worktree alone: what is judged is the commit, by what it holds.
        sandbox.write(loosened, &loose);
        let run = edit(&sandbox, &[&programs], "a.js", "var x = 4\n");
        assert!(
            run.exit == 0 && !mark(&sandbox).exists(),
            "{loosened}: the worktree's ran\n{run}"
        );
        let mut command = sandbox.segedit_command();
        command.args([
            "replace",
            "a.js",
            "--content",
            "var x = 5\n",
            "--allow-remove",
            "--destination=worktree",
            "--format=json",
        ]);
        let run = sandbox.run(command.env("PATH", path_with(&[&programs])), b"");
        assert_eq!(
            codes(&run, "errors"),
            ["config-untrusted"],
            "{loosened}\n{run}"
        );
        assert!(!mark(&sandbox).exists(), "{loosened}: ran\n{run}");
        // As if pulled.
        sandbox.git(&["commit", "-qam", "later"]);
        let run = edit(&sandbox, &[&programs], "a.js", "var x = 6\n");
        assert_eq!(
            codes(&run, "errors"),
            ["config-untrusted"],
            "{loosened}\n{run}"
        );
        assert!(!mark(&sandbox).exists(), "{loosened}: ran\n{run}");
    }
}

#[test]
fn a_linked_package_that_no_configuration_names_may_change() {
    if !has("node") {
        return;
    }
    let dependencies =
        "{\"workspaces\": [\"packages/x\"], \"dependencies\": {\"@org/x\": \"*\", \"x\": \"*\"}}\n";
    let files = [
        ("package.json", dependencies),
        ("packages/x/index.js", ""),
        ("tsconfig.json", "{\"paths\": [\"x\"]}"),
    ];
    let links = [("@org/x", "../../packages/x"), ("x", "../packages/x")];
    let configuration = (
        "eslint.config.cjs",
        "module.exports = [require('other')];\n",
    );
    let (sandbox, programs) = with_links(configuration, &links, &files);
    sandbox.write(
        "packages/x/index.js",
        format!("require('fs').writeFileSync({:?}, '');\n", mark(&sandbox)),
    );
    sandbox.git(&["commit", "-qam", "later"]);
    let run = edit(&sandbox, &[&programs], "a.js", "var x = 3\n");
    assert!(run.exit == 0 && !mark(&sandbox).exists(), "{run}");
}
