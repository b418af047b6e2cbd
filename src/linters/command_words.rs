//! A command's words taken apart: which of them name code that would run, which only what it is to look at.
//!
//! Every program that runs another one is looked through (`env`, `nice`, `uv run`), and every interpreter's options are read as
//! it reads them, so that `python3 -W error tools/rules.py` names the script and not `error`. Nothing here knows which files
//! there are.
//!
//! Known limits: an option that is not known is taken for one without a value, so both the word behind it and the one behind
//! that may be the script.

use crate::config::{CommandOrigin, Tool};

/// Which rules say what a script loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ScriptLanguage {
    /// Modules by name, from the folder of the script or, with `-m` and `-c`, from where it is started.
    Python,
    /// Relative paths, `node_modules`, `package.json`.
    Node,
    /// `require_relative`.
    Ruby,
    /// `. file`.
    Shell,
    /// Paths in quotation marks behind a word that loads.
    Other,
}

/// What a command names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CommandWords {
    /// What may be the script, in order: those up to the first one that is there and certain.
    pub scripts: Vec<Script>,
    /// Python modules that are run by name.
    pub modules: Vec<String>,
    /// Folders from which code is loaded by name.
    pub libraries: Vec<String>,
    /// Files that configure it: values of options and of variables, and what its configuration calls so.
    pub named: Vec<String>,
    /// Operands that are not what it judges, because that is given in another way.
    pub companions: Vec<String>,
    /// Operands that may be what it judges.
    pub operands: Vec<String>,
    /// Files that hold what a program does: `awk -f`, `make -f`.
    pub programs_of: Vec<String>,
    /// Texts that programs are given as their program.
    pub texts: Vec<ScriptText>,
    /// The folder in which the program is started, `""` being the root.
    pub start: String,
    /// Whether Python looks there for modules before it looks anywhere else.
    pub python_from_start: bool,
    /// Whether Python does not look into the folder of its script.
    pub python_is_safe: bool,
    /// The program that does the work.
    pub program: String,
    /// Folders where programs are looked for, ahead of the person's own.
    paths: Vec<String>,
    /// The programs that are looked for there, and among those of a package.
    pub programs: Vec<String>,
}

/// A word that may name a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// The word.
    pub word: String,
    /// In which language its interpreter reads it; `None` where only its own first line says so.
    pub language: Option<ScriptLanguage>,
    /// Whether it cannot be the value of an option.
    pub certain: bool,
    /// Whether the interpreter would take a folder, or a name without its ending.
    pub interpreted: bool,
}

/// A program that stands in a command itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptText {
    /// What is given it.
    pub program: String,
    /// In which language that reads it.
    pub language: ScriptLanguage,
    /// What it says.
    pub text: String,
}

/// A program that runs a script which its arguments name.
struct Interpreter {
    stem: &'static str,
    language: ScriptLanguage,
    /// Letters of options with a value, the rest of the word or the next one.
    valued: &'static str,
    /// Letters behind which the program itself stands.
    text: &'static str,
    /// Letters whose value, if any, is the rest of the word.
    joined: &'static str,
    /// Letters whose value is a folder to load from.
    folders: &'static str,
    /// Letters whose value is the folder to start in.
    enters: &'static str,
    /// Long options with a value in the next word.
    long: &'static [&'static str],
    /// Words ahead of the script that say what to do with it.
    verbs: &'static [&'static str],
}

const PLAIN: Interpreter = Interpreter {
    stem: "",
    language: ScriptLanguage::Other,
    valued: "",
    text: "",
    joined: "",
    folders: "",
    enters: "",
    long: &[],
    verbs: &[],
};

const SHELL: Interpreter = Interpreter {
    language: ScriptLanguage::Shell,
    valued: "oO",
    text: "c",
    long: &["--rcfile", "--init-file"],
    ..PLAIN
};
const PYTHON: Interpreter = Interpreter {
    language: ScriptLanguage::Python,
    valued: "WXQ",
    text: "c",
    long: &["--check-hash-based-pycs"],
    ..PLAIN
};
const NODE: Interpreter = Interpreter {
    language: ScriptLanguage::Node,
    valued: "rC",
    text: "ep",
    long: &[
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "--conditions",
        "--env-file",
        "--input-type",
        "--tsconfig",
        "--config",
        "--import-map",
        "--preload",
    ],
    verbs: &["run", "x", "test"],
    ..PLAIN
};

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        stem: "python",
        ..PYTHON
    },
    Interpreter {
        stem: "pythonw",
        ..PYTHON
    },
    Interpreter {
        stem: "pypy",
        ..PYTHON
    },
    Interpreter {
        stem: "node",
        verbs: &[],
        ..NODE
    },
    Interpreter {
        stem: "nodejs",
        verbs: &[],
        ..NODE
    },
    Interpreter {
        stem: "tsx",
        verbs: &["watch"],
        ..NODE
    },
    Interpreter {
        stem: "ts-node",
        verbs: &[],
        ..NODE
    },
    Interpreter {
        stem: "deno",
        ..NODE
    },
    Interpreter {
        stem: "bun",
        ..NODE
    },
    Interpreter {
        stem: "ruby",
        language: ScriptLanguage::Ruby,
        valued: "rICEX",
        text: "e",
        joined: "KTWxF0i",
        folders: "I",
        enters: "CX",
        ..PLAIN
    },
    Interpreter {
        stem: "perl",
        valued: "I",
        text: "eE",
        joined: "MmiFxDCVd0l",
        folders: "I",
        ..PLAIN
    },
    Interpreter {
        stem: "php",
        valued: "dfcz",
        text: "rBRE",
        ..PLAIN
    },
    Interpreter {
        stem: "sh",
        ..SHELL
    },
    Interpreter {
        stem: "bash",
        ..SHELL
    },
    Interpreter {
        stem: "dash",
        ..SHELL
    },
    Interpreter {
        stem: "ash",
        ..SHELL
    },
    Interpreter {
        stem: "zsh",
        ..SHELL
    },
    Interpreter {
        stem: "ksh",
        ..SHELL
    },
    Interpreter {
        stem: "mksh",
        ..SHELL
    },
    Interpreter {
        stem: "fish",
        ..SHELL
    },
    Interpreter {
        stem: "Rscript",
        text: "e",
        ..PLAIN
    },
    Interpreter {
        stem: "lua",
        valued: "l",
        text: "e",
        ..PLAIN
    },
    Interpreter {
        stem: "luajit",
        valued: "lj",
        text: "e",
        ..PLAIN
    },
    Interpreter {
        stem: "pwsh",
        ..PLAIN
    },
    Interpreter {
        stem: "tclsh",
        ..PLAIN
    },
    Interpreter {
        stem: "julia",
        valued: "LJtp",
        text: "eE",
        ..PLAIN
    },
    Interpreter {
        stem: "osascript",
        valued: "l",
        text: "e",
        ..PLAIN
    },
    Interpreter {
        stem: "java",
        ..PLAIN
    },
    Interpreter {
        stem: "groovy",
        text: "e",
        ..PLAIN
    },
    Interpreter {
        stem: "swift",
        ..PLAIN
    },
    Interpreter {
        stem: "guile",
        text: "c",
        ..PLAIN
    },
];

/// A program that runs the command behind it.
struct CommandRunner {
    stem: &'static str,
    /// Words ahead of the command that say so.
    verbs: &'static [&'static str],
    /// Options with a value in the next word.
    valued: &'static [&'static str],
    /// How many operands of its own stand ahead of the command.
    operands: usize,
    /// Options whose value is a command for a shell.
    text: &'static [&'static str],
}

const RUNNER: CommandRunner = CommandRunner {
    stem: "",
    verbs: &[],
    valued: &[],
    operands: 0,
    text: &[],
};

const RUNNERS: &[CommandRunner] = &[
    CommandRunner {
        stem: "env",
        valued: &["-u", "--unset", "-C", "--chdir", "-P"],
        ..RUNNER
    },
    CommandRunner {
        stem: "exec",
        valued: &["-a"],
        ..RUNNER
    },
    CommandRunner {
        stem: "export",
        ..RUNNER
    },
    CommandRunner {
        stem: "command",
        ..RUNNER
    },
    CommandRunner {
        stem: "eval",
        ..RUNNER
    },
    CommandRunner {
        stem: "nice",
        valued: &["-n", "--adjustment"],
        ..RUNNER
    },
    CommandRunner {
        stem: "ionice",
        valued: &["-c", "-n"],
        ..RUNNER
    },
    CommandRunner {
        stem: "nohup",
        ..RUNNER
    },
    CommandRunner {
        stem: "setsid",
        ..RUNNER
    },
    CommandRunner {
        stem: "time",
        valued: &["-f", "-o"],
        ..RUNNER
    },
    CommandRunner {
        stem: "timeout",
        valued: &["-s", "-k", "--signal", "--kill-after"],
        operands: 1,
        ..RUNNER
    },
    CommandRunner {
        stem: "stdbuf",
        valued: &["-i", "-o", "-e"],
        ..RUNNER
    },
    CommandRunner {
        stem: "xargs",
        valued: &["-n", "-P", "-I", "-L", "-d", "-a", "-s", "-E"],
        ..RUNNER
    },
    CommandRunner {
        stem: "busybox",
        ..RUNNER
    },
    CommandRunner {
        stem: "builtin",
        ..RUNNER
    },
    CommandRunner {
        stem: "caffeinate",
        valued: &["-t", "-w"],
        ..RUNNER
    },
    CommandRunner {
        stem: "choom",
        valued: &["-n", "--adjust"],
        ..RUNNER
    },
    CommandRunner {
        stem: "chroot",
        operands: 1,
        ..RUNNER
    },
    CommandRunner {
        stem: "chrt",
        valued: &["-T", "-P", "-D", "-p"],
        operands: 1,
        ..RUNNER
    },
    CommandRunner {
        stem: "dbus-run-session",
        ..RUNNER
    },
    CommandRunner {
        stem: "doas",
        valued: &["-u", "-C"],
        ..RUNNER
    },
    CommandRunner {
        stem: "eatmydata",
        ..RUNNER
    },
    CommandRunner {
        stem: "fakeroot",
        valued: &["-l", "-s", "-i", "-b"],
        ..RUNNER
    },
    CommandRunner {
        stem: "faketime",
        valued: &["-f"],
        operands: 1,
        ..RUNNER
    },
    CommandRunner {
        stem: "flock",
        valued: &["-w", "--wait", "--timeout", "-E", "--conflict-exit-code"],
        operands: 1,
        text: &["-c", "--command"],
        ..RUNNER
    },
    CommandRunner {
        stem: "nsenter",
        valued: &["-t", "--target", "-S", "-G"],
        ..RUNNER
    },
    CommandRunner {
        stem: "numactl",
        valued: &["-N", "-m", "-C", "-i", "-p"],
        ..RUNNER
    },
    CommandRunner {
        stem: "parallel",
        valued: &["-j", "-n", "-I", "-N", "-a", "-S", "--jobs"],
        ..RUNNER
    },
    CommandRunner {
        stem: "prlimit",
        ..RUNNER
    },
    CommandRunner {
        stem: "rlwrap",
        valued: &["-f", "-H"],
        ..RUNNER
    },
    CommandRunner {
        stem: "runcon",
        valued: &["-u", "-r", "-t", "-l"],
        ..RUNNER
    },
    CommandRunner {
        stem: "runuser",
        valued: &["-u", "--user", "-g", "-G"],
        text: &["-c", "--command"],
        ..RUNNER
    },
    CommandRunner {
        stem: "setarch",
        ..RUNNER
    },
    CommandRunner {
        stem: "linux32",
        ..RUNNER
    },
    CommandRunner {
        stem: "linux64",
        ..RUNNER
    },
    CommandRunner {
        stem: "setpriv",
        valued: &["--reuid", "--regid", "--ruid", "--rgid", "--euid", "--egid"],
        ..RUNNER
    },
    CommandRunner {
        stem: "sudo",
        valued: &[
            "-u", "--user", "-g", "--group", "-p", "-h", "-D", "-R", "-T", "-r", "-t",
        ],
        ..RUNNER
    },
    CommandRunner {
        stem: "systemd-run",
        valued: &["-p", "-u", "-E", "-M", "-H"],
        ..RUNNER
    },
    CommandRunner {
        stem: "taskset",
        operands: 1,
        ..RUNNER
    },
    CommandRunner {
        stem: "uclampset",
        valued: &["-m", "-M", "-p"],
        ..RUNNER
    },
    CommandRunner {
        stem: "unbuffer",
        ..RUNNER
    },
    CommandRunner {
        stem: "unshare",
        valued: &[
            "-S",
            "--setuid",
            "-G",
            "--setgid",
            "-R",
            "--root",
            "-w",
            "--wd",
            "--map-user",
            "--map-group",
        ],
        ..RUNNER
    },
    CommandRunner {
        stem: "xvfb-run",
        valued: &["-n", "-s"],
        ..RUNNER
    },
    CommandRunner {
        stem: "uv",
        verbs: &["run"],
        valued: &[
            "--with",
            "--with-requirements",
            "--python",
            "-p",
            "--project",
            "--directory",
            "--env-file",
            "--group",
            "--extra",
        ],
        ..RUNNER
    },
    CommandRunner {
        stem: "poetry",
        verbs: &["run"],
        valued: &["-C", "--directory"],
        ..RUNNER
    },
    CommandRunner {
        stem: "pipenv",
        verbs: &["run"],
        ..RUNNER
    },
    CommandRunner {
        stem: "pdm",
        verbs: &["run"],
        valued: &["-p", "--project"],
        ..RUNNER
    },
    CommandRunner {
        stem: "hatch",
        verbs: &["run"],
        valued: &["-e"],
        ..RUNNER
    },
    CommandRunner {
        stem: "rye",
        verbs: &["run"],
        ..RUNNER
    },
    CommandRunner {
        stem: "pixi",
        verbs: &["run"],
        valued: &["-e"],
        ..RUNNER
    },
    CommandRunner {
        stem: "conda",
        verbs: &["run"],
        valued: &["-n", "-p", "--name", "--prefix"],
        ..RUNNER
    },
    CommandRunner {
        stem: "mamba",
        verbs: &["run"],
        valued: &["-n", "-p", "--name", "--prefix"],
        ..RUNNER
    },
    CommandRunner {
        stem: "npx",
        valued: &["-p", "--package"],
        ..RUNNER
    },
    CommandRunner {
        stem: "bunx",
        ..RUNNER
    },
    CommandRunner {
        stem: "npm",
        verbs: &["exec", "x"],
        valued: &["-p", "--package"],
        ..RUNNER
    },
    CommandRunner {
        stem: "pnpm",
        verbs: &["exec", "dlx"],
        valued: &["-C", "--package"],
        ..RUNNER
    },
    CommandRunner {
        stem: "yarn",
        verbs: &["exec", "dlx", "node"],
        valued: &["-p"],
        ..RUNNER
    },
    CommandRunner {
        stem: "bundle",
        verbs: &["exec"],
        ..RUNNER
    },
    CommandRunner {
        stem: "rbenv",
        verbs: &["exec"],
        ..RUNNER
    },
    CommandRunner {
        stem: "pyenv",
        verbs: &["exec"],
        ..RUNNER
    },
    CommandRunner {
        stem: "asdf",
        verbs: &["exec"],
        ..RUNNER
    },
    CommandRunner {
        stem: "mise",
        verbs: &["exec", "x"],
        ..RUNNER
    },
    CommandRunner {
        stem: "direnv",
        verbs: &["exec", "."],
        ..RUNNER
    },
    CommandRunner {
        stem: "go",
        verbs: &["run"],
        ..RUNNER
    },
];

/// Options of runners that say in which folder the command starts.
const ENTERING: [&str; 4] = ["-C", "--chdir", "--directory", "--wd"];

/// Modules of Python that run a script which their arguments name.
const RUNNING_MODULES: [&str; 6] = ["cProfile", "profile", "pdb", "trace", "coverage", "runpy"];

/// Variables that list folders from which code is loaded.
const LIBRARY_VARIABLES: [&str; 8] = [
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "PYTHONHOME",
    "RUBYLIB",
    "GEM_HOME",
    "GEM_PATH",
    "PERL5LIB",
    "NODE_PATH",
];

/// Variables that hold options of an interpreter, with its name.
const OPTION_VARIABLES: [(&str, &str); 3] = [
    ("NODE_OPTIONS", "node"),
    ("PERL5OPT", "perl"),
    ("RUBYOPT", "ruby"),
];

/// Returns the interpreter that `program` is called like, whatever its version and its folder.
fn interpreter_of(program: &str) -> Option<&'static Interpreter> {
    let name = base_name(program);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.iter().find(|known| known.stem == stem)
}

fn runner_of(program: &str) -> Option<&'static CommandRunner> {
    RUNNERS
        .iter()
        .find(|runner| runner.stem == base_name(program))
}

/// Returns the language that the program `name` reads, where it is an interpreter.
pub(super) fn language_of(name: &str) -> Option<ScriptLanguage> {
    interpreter_of(name).map(|known| known.language)
}

/// Returns the language in which a script with the first line `line` is read.
pub(super) fn of_first_line(line: &str) -> Option<ScriptLanguage> {
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    words
        .find_map(|word| interpreter_of(word.trim_start_matches("-S")))
        .map(|known| known.language)
}

/// Says whether `word` begins a command, wherever it stands: `find … -exec python3 x.py`.
pub(super) fn begins_command(word: &str) -> bool {
    is_interpreter(word) || word == "awk" || word == "make"
}

/// Says whether `word` is how a program is called that runs what stands behind it.
pub(super) fn starts_command(word: &str) -> bool {
    begins_command(word) || runner_of(word).is_some()
}

/// Says whether `name` is how an interpreter is called.
pub(super) fn is_interpreter(name: &str) -> bool {
    interpreter_of(name).is_some()
}

pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// A word that stands for others is filled in by this program.
fn is_placeholder(word: &str) -> bool {
    word.starts_with('{')
}

impl CommandWords {
    /// Takes the command of `tool` apart.
    pub(super) fn of(tool: &Tool) -> CommandWords {
        let mut words = CommandWords::default();
        for (name, value) in &tool.env {
            words.variable(name, value);
        }
        let command: Vec<&str> = tool.command.iter().map(String::as_str).collect();
        // With the paths in a place of their own, or on standard input, no other operand is what is judged.
        let placed = command.iter().any(|word| {
            ["{files}", "{range}", "{file}"]
                .iter()
                .any(|place| word.contains(place))
        });
        words.command(&command, false);
        if placed && tool.origin == CommandOrigin::Repository {
            words.companions = std::mem::take(&mut words.operands);
        }
        // Whichever of them is there would run.
        let found = words.paths.iter().flat_map(|folder| {
            words
                .programs
                .iter()
                .map(move |name| format!("{folder}/{name}"))
        });
        let found = found.map(|word| Script {
            word,
            language: None,
            certain: false,
            interpreted: false,
        });
        words.scripts.splice(0..0, found.collect::<Vec<_>>());
        words.name_from_root();
        // Names without a wildcard are files that somebody meant.
        let literal = |glob: &&String| {
            tool.origin == CommandOrigin::Repository && !glob.contains(['*', '?', '[', '!', '\\'])
        };
        words.named.extend(
            tool.configured_by
                .iter()
                .filter(literal)
                .map(|glob| glob.trim_start_matches('/').to_owned()),
        );
        words
    }

    /// Takes a command apart that a script in `folder` starts from there.
    pub(super) fn of_command(command: &[String], folder: &str) -> CommandWords {
        let mut words = CommandWords {
            start: folder.to_owned(),
            ..CommandWords::default()
        };
        // As `env` has it, variables may stand ahead of the program.
        let command: Vec<&str> = std::iter::once("env")
            .chain(command.iter().map(String::as_str))
            .collect();
        words.command(&command, false);
        words.name_from_root();
        words
    }

    /// Names everything from the root instead of from where the program is started.
    fn name_from_root(&mut self) {
        let CommandWords {
            start,
            scripts,
            libraries,
            named,
            companions,
            operands,
            programs_of,
            ..
        } = self;
        if start.is_empty() {
            return;
        }
        let words = [libraries, named, companions, operands, programs_of]
            .into_iter()
            .flatten();
        for word in words.chain(scripts.iter_mut().map(|script| &mut script.word)) {
            if !word.starts_with('/') {
                *word = format!("{start}/{word}");
            }
        }
    }

    /// Goes into the folder `word`, as an option of a program says that runs another.
    fn enter(&mut self, word: &str) {
        self.start = match word {
            _ if word.starts_with('/') => word.to_owned(),
            _ if self.start.is_empty() => word.to_owned(),
            _ => format!("{}/{word}", self.start),
        };
    }

    fn variable(&mut self, name: &str, value: &str) {
        let options_of = OPTION_VARIABLES.iter().find(|(known, _)| *known == name);
        if let Some(known) = options_of.and_then(|(_, program)| interpreter_of(program)) {
            let options: Vec<&str> = value.split_ascii_whitespace().collect();
            return self.interpreted(known, &options);
        }
        let pieces = value
            .split([':', ' ', '='])
            .map(|piece| piece.trim_start_matches("-r"));
        let pieces = pieces.filter(|piece| !piece.is_empty());
        if name == "PATH" {
            let folders: Vec<String> = pieces
                .filter(|piece| !piece.starts_with('/'))
                .map(str::to_owned)
                .collect();
            self.libraries.extend_from_slice(&folders);
            self.paths.extend(folders);
            // Whoever sets it was found before.
            self.programs.clear();
        } else if LIBRARY_VARIABLES.contains(&name) {
            self.libraries.extend(pieces.map(str::to_owned));
        } else {
            self.named.extend(pieces.map(str::to_owned));
        }
        self.python_is_safe |= name == "PYTHONSAFEPATH" && !value.is_empty();
    }

    /// Reads a program and its arguments; `run` when another program is to start it, which may look for it in the folder.
    fn command(&mut self, words: &[&str], run: bool) {
        let Some((&program, arguments)) = words.split_first() else {
            return;
        };
        self.program = base_name(program).to_owned();
        self.programs
            .extend((!program.contains('/')).then(|| program.to_owned()));
        let relative = program.contains('/') && !program.starts_with('/');
        if let Some(known) = interpreter_of(program).filter(|_| !relative) {
            return self.interpreted(known, arguments);
        }
        if let Some(runner) = runner_of(program).filter(|_| !relative) {
            return self.run_by(runner, arguments);
        }
        // Another one that runs what is behind it, as tracers and containers do.
        if let Some(at) = arguments
            .iter()
            .position(|word| is_interpreter(word))
            .filter(|_| !relative)
        {
            let (own, command) = arguments.split_at(at);
            let program = self.program.clone();
            self.arguments(own);
            self.command(command, true);
            self.program = program;
            return;
        }
        if (relative || run) && !is_placeholder(program) {
            let script = Script {
                word: program.to_owned(),
                language: None,
                certain: relative,
                interpreted: false,
            };
            self.scripts.push(script);
        }
        self.arguments(arguments);
    }

    fn given(&mut self, language: ScriptLanguage, text: &str) {
        self.texts.push(ScriptText {
            program: self.program.clone(),
            language,
            text: text.to_owned(),
        });
    }

    fn run_by(&mut self, runner: &CommandRunner, arguments: &[&str]) {
        let mut operands = runner.operands;
        let mut at = 0;
        while let Some(&word) = arguments.get(at) {
            at += 1;
            let rest = arguments.get(at..).unwrap_or_default();
            if runner.stem == "env" && (word == "-S" || word == "--split-string") {
                let text: Vec<&str> = rest
                    .first()
                    .map(|text| text.split_whitespace().collect())
                    .unwrap_or_default();
                return self.run_by(runner, &[&text, rest.get(1..).unwrap_or_default()].concat());
            }
            if runner.stem == "env"
                && let Some(text) = word
                    .strip_prefix("--split-string=")
                    .or_else(|| word.strip_prefix("-S"))
            {
                let text: Vec<&str> = text.split_whitespace().collect();
                return self.run_by(runner, &[&text, rest].concat());
            }
            if runner.stem == "uv" && (word == "-m" || word == "--module") {
                self.python_from_start = !self.python_is_safe;
                self.modules
                    .extend(rest.first().map(|module| (*module).to_owned()));
                return self.arguments(rest.get(1..).unwrap_or_default());
            }
            if runner.text.contains(&word) {
                self.given(
                    ScriptLanguage::Shell,
                    rest.first().copied().unwrap_or_default(),
                );
                return self.arguments(rest.get(1..).unwrap_or_default());
            }
            if let Some(option) = ENTERING
                .iter()
                .find(|option| runner.valued.contains(*option) && word.starts_with(**option))
            {
                let glued = word.trim_start_matches(option).trim_start_matches('=');
                at += usize::from(glued.is_empty());
                self.enter(if glued.is_empty() {
                    rest.first().copied().unwrap_or_default()
                } else {
                    glued
                });
            } else if runner.valued.contains(&word) {
                self.named
                    .extend(rest.first().map(|value| (*value).to_owned()));
                at += 1;
            } else if word.starts_with('-') {
                self.named
                    .extend(word.split_once('=').map(|(_, value)| value.to_owned()));
            } else if let Some((name, value)) = assigned_variable(word) {
                self.variable(name, value);
            } else if operands > 0 && !is_interpreter(word) && runner_of(word).is_none() {
                operands -= 1;
            } else if !runner.verbs.contains(&word)
                && !word.starts_with(|c: char| c.is_ascii_digit())
            {
                return self.command(&[&[word], rest].concat(), true);
            }
        }
    }

    fn interpreted(&mut self, known: &Interpreter, arguments: &[&str]) {
        let python = known.language == ScriptLanguage::Python;
        let mut at = 0;
        let mut certain = true;
        while let Some(&word) = arguments.get(at) {
            at += 1;
            let rest = arguments.get(at..).unwrap_or_default();
            if word == "--" {
                continue;
            }
            if word.starts_with("--") || (known.stem == "pwsh" && word.starts_with('-')) {
                if let Some((_, value)) = word.split_once('=') {
                    self.named.push(value.to_owned());
                } else if known.long.contains(&word) {
                    self.named
                        .extend(rest.first().map(|value| (*value).to_owned()));
                    at += 1;
                } else if ["--eval", "--print", "-Command", "-c"].contains(&word) {
                    self.given(known.language, rest.first().copied().unwrap_or_default());
                    return self.arguments(rest);
                } else {
                    // Whatever it is: the word behind it may be its value.
                    certain = false;
                }
                continue;
            }
            let Some(letters) = word
                .strip_prefix(['-', '+'])
                .filter(|letters| !letters.is_empty())
            else {
                if word == "-" || is_placeholder(word) {
                    self.python_from_start |= python && word == "-" && !self.python_is_safe;
                    return self.arguments(rest);
                }
                if known.verbs.contains(&word) {
                    continue;
                }
                let script = Script {
                    word: word.to_owned(),
                    language: Some(known.language),
                    certain,
                    interpreted: true,
                };
                self.scripts.push(script);
                if certain {
                    return self.arguments(rest);
                }
                certain = true;
                continue;
            };
            for (place, letter) in letters.char_indices() {
                let behind = letters.get(place + letter.len_utf8()..).unwrap_or_default();
                let next = rest.first().copied().unwrap_or_default();
                let (value, used) = if behind.is_empty() {
                    (next, 1)
                } else {
                    (behind, 0)
                };
                self.python_is_safe |= python && (letter == 'I' || letter == 'P');
                if python && letter == 'm' {
                    self.python_from_start = !self.python_is_safe;
                    self.modules.push(value.to_owned());
                    let rest = rest.get(used..).unwrap_or_default();
                    self.run_by_module(value, rest);
                    return self.arguments(rest);
                }
                if known.text.contains(letter) {
                    self.python_from_start |= python && !self.python_is_safe;
                    // For a shell more letters may follow, for Node the same in other words.
                    let is_next = known.language == ScriptLanguage::Shell
                        || behind.chars().all(|c| known.text.contains(c));
                    let (value, used) = if is_next { (next, 1) } else { (value, used) };
                    self.given(known.language, value);
                    let rest = rest.get(used..).unwrap_or_default();
                    if matches!(known.language, ScriptLanguage::Ruby | ScriptLanguage::Other) {
                        // Line by line.
                        let more = rest
                            .iter()
                            .zip(rest.iter().skip(1))
                            .filter(|(option, _)| **option == "-e");
                        more.for_each(|(_, text)| self.given(known.language, text));
                    }
                    // What is behind the text is the script's own.
                    return self.arguments(rest);
                }
                if known.enters.contains(letter) {
                    self.enter(value);
                    at += used;
                    break;
                }
                if known.valued.contains(letter) {
                    let list = if known.folders.contains(letter) {
                        &mut self.libraries
                    } else {
                        &mut self.named
                    };
                    list.push(value.to_owned());
                    // `-d auto_prepend_file=lib/first.php`
                    let set = value.split_once('=').map(|(_, set)| set.to_owned());
                    self.named.extend(set);
                    at += used;
                    break;
                }
                if known.joined.contains(letter) {
                    // Perl's `-Mlib=folder`.
                    self.libraries
                        .extend(behind.strip_prefix("lib=").map(str::to_owned));
                    break;
                }
            }
        }
    }

    /// Takes what a module that runs others is told to run for that.
    fn run_by_module(&mut self, module: &str, arguments: &[&str]) {
        let operands = arguments
            .iter()
            .filter(|word| !word.starts_with('-') && !is_placeholder(word) && **word != "run");
        if module == "unittest" {
            let folders = arguments.iter().zip(arguments.iter().skip(1));
            let folders =
                folders.filter(|(option, _)| ["-s", "--start-directory"].contains(option));
            self.libraries
                .extend(folders.map(|(_, folder)| (*folder).to_owned()));
            self.modules
                .extend(operands.map(|word| word.trim_end_matches(".py").replace('/', ".")));
        } else if RUNNING_MODULES.contains(&module) {
            let language = Some(ScriptLanguage::Python);
            let script = |word: &&str| Script {
                word: (*word).to_owned(),
                language,
                certain: false,
                interpreted: true,
            };
            // `-m cProfile -m lib.z`, `-m runpy lib.z`.
            let names = operands
                .clone()
                .filter(|word| !word.contains('/') && !word.ends_with(".py"));
            self.modules.extend(names.map(|word| (*word).to_owned()));
            self.scripts.extend(operands.map(script));
        }
    }

    /// Sorts the arguments of a program that is known no better: values of options, and operands.
    fn arguments(&mut self, arguments: &[&str]) {
        let mut behind_option = false;
        for (at, word) in arguments.iter().enumerate() {
            let file = match word.strip_prefix("-f") {
                Some("") => arguments.get(at + 1).copied(),
                file => file.or_else(|| word.strip_prefix("--file=")),
            };
            self.programs_of.extend(file.map(str::to_owned));
            if let Some(option) = word.strip_prefix('-') {
                let value = word.split_once('=').map(|(_, value)| value);
                behind_option = value.is_none() && !option.is_empty() && option != "-";
                // A letter, and its value in the same word.
                let glued = option
                    .char_indices()
                    .nth(1)
                    .and_then(|(at, _)| option.get(at..));
                let values = value
                    .into_iter()
                    .chain(glued.filter(|_| !option.starts_with('-')));
                self.named.extend(
                    values
                        .filter(|value| !is_placeholder(value))
                        .map(str::to_owned),
                );
                continue;
            }
            // A file with more arguments.
            self.named.extend(word.strip_prefix('@').map(str::to_owned));
            if !is_placeholder(word) {
                let list = if behind_option {
                    &mut self.named
                } else {
                    &mut self.operands
                };
                list.push((*word).to_owned());
            }
            behind_option = false;
        }
    }
}

/// Returns the name and value of a word that sets a variable.
fn assigned_variable(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (plain && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()))
        .then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    fn of(command: &[&str], env: &str) -> CommandWords {
        let words = command
            .iter()
            .map(|word| format!("{word:?}"))
            .collect::<Vec<_>>()
            .join(", ");
        let text =
            format!("version: 1\nvalidators: [{{name: x, env: {{{env}}}, command: [{words}]}}]\n");
        CommandWords::of(
            &config::read(text.as_bytes())
                .unwrap()
                .validators
                .remove(0)
                .tool,
        )
    }

    #[track_caller]
    fn check(command: &[&str], scripts: &[&str], named: &[&str], operands: &[&str]) {
        let words = of(command, "");
        let found: Vec<&str> = words
            .scripts
            .iter()
            .map(|script| script.word.as_str())
            .collect();
        let known: Vec<&str> = words
            .named
            .iter()
            .chain(&words.companions)
            .map(String::as_str)
            .collect();
        let left: Vec<&str> = words.operands.iter().map(String::as_str).collect();
        assert_eq!(
            (found.as_slice(), known.as_slice(), left.as_slice()),
            (scripts, named, operands),
            "{command:?}"
        );
    }

    #[test]
    fn a_script_is_told_from_options_and_from_what_is_judged() {
        check(
            &["python3", "tools/rules.py", "--", "{files}"],
            &["tools/rules.py"],
            &[],
            &[],
        );
        check(
            &["python3.12", "-u", "tools/rules.py", "{files}"],
            &["tools/rules.py"],
            &[],
            &[],
        );
        check(
            &["/usr/bin/python3", "-W", "error", "-Xutf8", "r.py"],
            &["r.py"],
            &["error", "utf8"],
            &[],
        );
        check(&["python3", "--", "r.py"], &["r.py"], &[], &[]);
        check(&["python3", "r.py", "app.py"], &["r.py"], &[], &["app.py"]);
        check(
            &["python3", "r.py", "r.toml", "{files}"],
            &["r.py"],
            &["r.toml"],
            &[],
        );
        check(
            &[
                "env", "-i", "-u", "X", "A=b.sh", "sh", "-eo", "pipefail", "x.sh",
            ],
            &["x.sh"],
            &["X", "b.sh", "pipefail"],
            &[],
        );
        check(&["env", "-S", "python3 -u r.py"], &["r.py"], &[], &[]);
        check(
            &[
                "nice", "-n", "5", "timeout", "-s", "INT", "60", "node", "r.js",
            ],
            &["r.js"],
            &["5", "INT"],
            &[],
        );
        check(
            &["uv", "run", "--with", "x", "r.py"],
            &["r.py"],
            &["x"],
            &[],
        );
        check(
            &["poetry", "run", "python", "-m", "r", "a.py"],
            &[],
            &[],
            &["a.py"],
        );
        check(
            &["node", "--stack-size=1", "--flag", "a", "r.js"],
            &["a", "r.js"],
            &["1"],
            &[],
        );
        check(
            &["node", "-r", "./first.js", "r.js"],
            &["r.js"],
            &["./first.js"],
            &[],
        );
        check(&["deno", "run", "r.ts"], &["r.ts"], &[], &[]);
        check(&["perl", "-Mstrict", "-w", "r.pl"], &["r.pl"], &[], &[]);
        check(&["./tools/check", "{files}"], &["./tools/check"], &[], &[]);
        check(&["mypy", "app.py"], &[], &[], &["app.py"]);
        check(
            &["mypy", "--config-file=conf/m.ini", "."],
            &[],
            &["conf/m.ini"],
            &["."],
        );
        check(
            &["eslint", "-c", "conf/e.js", "{files}"],
            &[],
            &["conf/e.js"],
            &[],
        );
        check(
            &["ruff", "check", "--", "a.py"],
            &[],
            &[],
            &["check", "a.py"],
        );
        check(
            &["python3", "-m", "coverage", "run", "r.py"],
            &["r.py"],
            &[],
            &["run", "r.py"],
        );
        check(&["ruby", "-C", "lib", "r.rb"], &["lib/r.rb"], &[], &[]);
        check(
            &["env", "-C", "lib", "PATH=bin", "r", "-fx.cfg"],
            &["lib/bin/r", "lib/r"],
            &["lib/x.cfg"],
            &[],
        );
        check(&["node", "{files}"], &[], &[], &[]);
        check(&["sh", "-c", "x.sh"], &[], &[], &[]);
        check(
            &["flock", "-n", "some.lock", "python3", "r.py"],
            &["r.py"],
            &[],
            &[],
        );
        check(&["flock", "python3", "r.py"], &["r.py"], &[], &[]);
        check(&["strange", "-x", "python3", "r.py"], &["r.py"], &[], &[]);
    }

    #[test]
    fn texts_are_told_from_what_they_are_given() {
        let check = |command: &[&str], expected: &[(ScriptLanguage, &str)]| {
            let words = of(command, "");
            let found: Vec<(ScriptLanguage, &str)> = words
                .texts
                .iter()
                .map(|it| (it.language, it.text.as_str()))
                .collect();
            assert_eq!(found, expected, "{command:?}");
        };
        check(
            &["python3", "-Ic", "import a", "b"],
            &[(ScriptLanguage::Python, "import a")],
        );
        check(
            &["python3", "-cimport a", "b"],
            &[(ScriptLanguage::Python, "import a")],
        );
        check(
            &["sh", "-ce", "a b", "c"],
            &[(ScriptLanguage::Shell, "a b")],
        );
        check(&["node", "-pe", "a", "b"], &[(ScriptLanguage::Node, "a")]);
        check(
            &["node", "--eval", "a", "b"],
            &[(ScriptLanguage::Node, "a")],
        );
        check(
            &["ruby", "-ne", "a", "-e", "b", "c"],
            &[(ScriptLanguage::Ruby, "a"), (ScriptLanguage::Ruby, "b")],
        );
        check(
            &["flock", "f", "-c", "a b"],
            &[(ScriptLanguage::Shell, "a b")],
        );
        check(&["python3", "r.py", "-c", "a"], &[]);
    }

    #[test]
    fn modules_libraries_and_where_python_looks() {
        let check =
            |command: &[&str], env: &str, modules: &[&str], libraries: &[&str], from_root: bool| {
                let words = of(command, env);
                let found = (
                    words.modules.as_slice(),
                    words.libraries.as_slice(),
                    words.python_from_start,
                );
                let owned =
                    |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
                assert_eq!(
                    found,
                    (
                        owned(modules).as_slice(),
                        owned(libraries).as_slice(),
                        from_root
                    ),
                    "{command:?}"
                );
            };
        check(
            &["python3", "-m", "a.b", "{files}"],
            "",
            &["a.b"],
            &[],
            true,
        );
        check(
            &["python3", "-m", "cProfile", "-m", "lib.z"],
            "",
            &["cProfile", "lib.z"],
            &[],
            true,
        );
        check(
            &["python3", "-m", "runpy", "lib.z"],
            "",
            &["runpy", "lib.z"],
            &[],
            true,
        );
        check(&["python3", "-Bma.b"], "", &["a.b"], &[], true);
        check(&["python3", "-I", "-m", "a"], "", &["a"], &[], false);
        check(&["python3", "-Pm", "a"], "", &["a"], &[], false);
        check(
            &["python3", "-m", "a"],
            "PYTHONSAFEPATH: '1'",
            &["a"],
            &[],
            false,
        );
        check(&["uv", "run", "-m", "a"], "", &["a"], &[], true);
        check(&["python3", "-c", "import a"], "", &[], &[], true);
        check(&["python3", "r.py", "-m", "x"], "", &[], &[], false);
        check(
            &["python3", "-m", "unittest", "-v", "tests.a", "tests/b.py"],
            "",
            &["unittest", "tests.a", "tests.b"],
            &[],
            true,
        );
        check(
            &["env", "PYTHONUSERBASE=ub", "python3", "r.py"],
            "",
            &[],
            &["ub"],
            false,
        );
        check(&["perl", "-Mlib=lib", "r.pl"], "", &[], &["lib"], false);
        check(
            &["env", "PYTHONPATH=lib:more", "python3", "r.py"],
            "",
            &[],
            &["lib", "more"],
            false,
        );
        check(
            &["ruby", "r.rb"],
            "RUBYOPT: -W0 -Ilib -rx",
            &[],
            &["lib"],
            false,
        );
        check(
            &["perl", "r.pl"],
            "PERL5OPT: -Ilib -MX",
            &[],
            &["lib"],
            false,
        );
        check(
            &["ruby", "-I", "lib", "-Imore", "r.rb"],
            "RUBYLIB: x",
            &[],
            &["x", "lib", "more"],
            false,
        );
    }

    #[test]
    fn a_first_line_says_who_reads_the_script() {
        for (line, expected) in [
            ("#!/usr/bin/env python3", Some(ScriptLanguage::Python)),
            (
                "#!/usr/bin/env -S node --harmony",
                Some(ScriptLanguage::Node),
            ),
            ("#!/bin/sh -e", Some(ScriptLanguage::Shell)),
            ("#!/usr/bin/perl", Some(ScriptLanguage::Other)),
            ("# python3", None),
            ("#!/usr/bin/make -f", None),
        ] {
            assert_eq!(of_first_line(line), expected, "{line}");
        }
    }
}
