//! What a script loads, as far as its text says so: modules that it imports by name, files that it names, commands that it
//! starts. A name too many costs a question, and whoever wants to hide what a trusted script loads would have to change that
//! script first.
//!
//! ```text
//! import helper, yaml          modules `helper` and `yaml`
//! const x = require('./x')     the path `./x`
//! . "$(dirname "$0")/lib.sh"   the path `lib.sh`
//! python3 lib/x.py "$@"        a command
//! python3 - <<EOF              a text of Python
//! "../lib/y"                   a mention, in any language: if code is there, it counts
//! ```
//!
//! Python is parsed, the rest is read by words. Known limits: names and paths that are computed, and names of files with
//! blanks in them.

use super::command_words::{
    ScriptLanguage, begins_command, is_interpreter, language_of, starts_command,
};
use crate::syntax::python::{self, PythonImport};

/// Something that a script loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// A Python module.
    Module(PythonImport),
    /// A path, relative to the script or to where it is started.
    Path(String),
    /// A command of a shell.
    Command(Vec<String>),
    /// A package of Node by its name.
    Package(String),
    /// More folders for Python to look for modules in: texts of the script, some of which may name them.
    Searched(Vec<String>),
    /// A folder from which modules are loaded.
    Library(String),
    /// A text that runs in another language, from where the script is started.
    Text(ScriptLanguage, String),
    /// Words that may be paths; and whether the script runs files that it names, wherever it does.
    Mentioned(Vec<Mention>, bool),
}

/// A word of a script that may be the path of a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mention {
    /// The word.
    pub word: String,
    /// Whether it may leave out its ending: it stands in quotation marks, or has a `/`.
    pub is_stem: bool,
}

/// Words that load what stands in quotation marks behind them.
const LOADING: [&str; 14] = [
    "require",
    "require_relative",
    "require_once",
    "include",
    "include_once",
    "import",
    "export",
    "from",
    "load",
    "use",
    "do",
    "dofile",
    "source",
    "loadfile",
];
/// How a script of Python says in which folders modules are looked for.
const SEARCHING: [&str; 5] = [
    "sys.path",
    "addsitedir",
    "PYTHONPATH",
    "sys as ",
    "__path__",
];
/// How other scripts say so.
const FOLDERS: [&str; 5] = ["use lib", "$:", "$LOAD_PATH", "@INC", "package.path"];

/// Longest word that is taken for a path.
const LONGEST: usize = 255;

/// Words by which scripts of Node, Ruby and the like start programs.
const STARTING: [&str; 14] = [
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "system",
    "popen",
    "popen3",
    "capture2",
    "capture2e",
    "capture3",
    "qx",
    "shell_exec",
];
/// Words by which they run files that they need not name there.
const RUNNING: [&str; 13] = [
    "Worker",
    "fork",
    "execPath",
    "vm",
    "runInThisContext",
    "runInNewContext",
    "runInContext",
    "_compile",
    "eval",
    "instance_eval",
    "class_eval",
    "dofile",
    "loadfile",
];

/// Returns what the script `text` loads.
pub(super) fn find_loads(language: ScriptLanguage, text: &str) -> Vec<Load> {
    let mut put_together = Vec::new();
    let (mut found, runs) = match language {
        ScriptLanguage::Python => {
            let (found, runs, texts) = python_loads(text);
            put_together = texts;
            (found, runs)
        }
        ScriptLanguage::Shell => (script_loads(text), false),
        ScriptLanguage::Node | ScriptLanguage::Ruby | ScriptLanguage::Other => {
            let loading = |line: &&str| split_words(line).any(|word| LOADING.contains(&word));
            let is_package =
                |path: &str| language == ScriptLanguage::Node && !path.starts_with('.');
            let load = |path: String| {
                if is_package(&path) {
                    Load::Package(path)
                } else {
                    Load::Path(path)
                }
            };
            let loads = text
                .lines()
                .filter(loading)
                .flat_map(quoted_text)
                .chain(laid_out(text))
                .map(load);
            let telling = |line: &&str| FOLDERS.iter().any(|word| line.contains(word));
            let folders = text
                .lines()
                .filter(telling)
                .flat_map(quoted_text)
                .map(Load::Library);
            let (started, names) = started_commands(language, text);
            let runs = names
                || split_words(text).any(|word| RUNNING.contains(&word))
                || computes_path(text);
            (loads.chain(folders).chain(started).collect(), runs)
        }
    };
    let mut mentioned = find_mentions(text, language == ScriptLanguage::Other);
    // What is put together of several words.
    mentioned.extend(
        put_together
            .into_iter()
            .filter(|text| is_path(text))
            .map(|word| Mention {
                word,
                is_stem: true,
            }),
    );
    mentioned.sort();
    mentioned.dedup();
    found.push(Load::Mentioned(mentioned, runs));
    found
}

fn is_path(text: &str) -> bool {
    text.contains('/')
        && text.len() <= LONGEST
        && !text.contains(char::is_whitespace)
        && !text.starts_with('/')
}

/// Returns the commands that a script of Node, Ruby or the like starts, and whether an interpreter is among them.
fn started_commands(language: ScriptLanguage, text: &str) -> (Vec<Load>, bool) {
    let mut found = Vec::new();
    let mut names = false;
    let ticks = language != ScriptLanguage::Node;
    for line in text.lines().filter(|line| !line.starts_with("#!")) {
        let word = STARTING.iter().filter_map(|word| line.find(word)).min();
        let Some(at) = word.or_else(|| line.find('`').filter(|_| ticks)) else {
            continue;
        };
        let quoted = quoted_text(line.get(at..).unwrap_or_default());
        names |= quoted
            .iter()
            .any(|text| text.split_whitespace().any(is_interpreter));
        found.extend(
            quoted
                .iter()
                .filter(|text| text.contains(' '))
                .map(|text| Load::Text(ScriptLanguage::Shell, text.clone())),
        );
        if let Some(at) = quoted
            .iter()
            .position(|word| starts_command(word))
            .or_else(|| quoted.first()?.contains('/').then_some(0))
        {
            found.push(Load::Command(quoted.into_iter().skip(at).collect()));
        }
    }
    (found, names)
}

/// Says whether a script of Node loads what it computes: `require(path.join(root, 'x'))`.
fn computes_path(text: &str) -> bool {
    ["require(", "import("].iter().any(|call| {
        let mut behind = text
            .match_indices(call)
            .filter_map(|(at, _)| text.get(at + call.len()..));
        behind.any(|behind| !behind.trim_start().starts_with(['"', '\'', ')']))
    })
}

fn split_words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// Returns what stands in quotation marks on a line below the word that loads it, as formatters lay long calls out.
fn laid_out(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("(\n").chain(text.match_indices("(\r\n")) {
        let (before, behind) = text.split_at(at);
        if split_words(before.lines().next_back().unwrap_or_default())
            .last()
            .is_some_and(|word| LOADING.contains(&word))
        {
            let line = behind
                .get(1..)
                .unwrap_or_default()
                .trim_start()
                .lines()
                .next()
                .unwrap_or_default();
            found.extend(quoted_text(line).into_iter().next());
        }
    }
    found
}

/// Returns each word of `text` that may be a path, once; with `modules`, names as Perl and Lua write them as well (`A::B`).
fn find_mentions(text: &str, modules: bool) -> Vec<Mention> {
    let is_part = |letter: char| {
        letter.is_alphanumeric() || "_./-+@~".contains(letter) || (modules && letter == ':')
    };
    let mut found = std::collections::BTreeSet::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        if !is_part(first) {
            before = first;
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (mut word, behind) = rest.split_at(end);
        rest = behind;
        // `$here/x`, `${here}/x`: what follows the variable.
        if before == '$' {
            word =
                word.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        }
        let is_quoted = |letter: char| ['"', '\'', '`', '#'].contains(&letter);
        let quoted = is_quoted(before) && behind.chars().next().is_some_and(is_quoted);
        let word = word.trim_start_matches('/').trim_end_matches(':');
        // The end of a sentence, but not the folder above.
        let word = if word.ends_with("..") {
            word
        } else {
            word.trim_end_matches('.')
        };
        let path = if modules {
            word.replace("::", "/")
        } else {
            word.to_owned()
        };
        if !path.is_empty()
            && path.len() <= LONGEST
            && path.contains(|letter: char| letter.is_alphanumeric() || letter == '.')
        {
            found.insert(Mention {
                is_stem: modules || quoted || path.contains('/'),
                word: path,
            });
        }
        before = ' ';
    }
    found.into_iter().collect()
}

/// Returns what stands in quotation marks.
fn quoted_text(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let behind = rest.get(at..).unwrap_or_default();
        let Some(quote) = behind.chars().next() else {
            break;
        };
        let inside = behind.get(1..).unwrap_or_default();
        let Some(end) = inside.find(quote) else { break };
        found.extend(
            inside
                .get(..end)
                .filter(|text| !text.is_empty() && !text.contains('$'))
                .map(str::to_owned),
        );
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    found
}

/// Returns the paths that a line of a shell script reads: `. ./a; source "$here/b"`.
fn shell_loads(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for command in line.split([';', '&', '|', '{', '(']) {
        let command = command.trim_start_matches(|c: char| c.is_whitespace() || c == '!');
        let mut behind = command;
        for word in ["then ", "do ", "command ", "builtin "] {
            behind = behind.strip_prefix(word).unwrap_or(behind).trim_start();
        }
        if behind
            .strip_prefix("source ")
            .or_else(|| behind.strip_prefix(". "))
            .is_none()
        {
            continue;
        }
        // From the whole line: the path may hold a command of its own.
        let Some(at) = line.find(behind) else {
            continue;
        };
        let rest = line.get(at..).unwrap_or_default();
        let rest = rest.split_once(' ').map_or("", |(_, rest)| rest).trim();
        // What follows the last variable or command in it, up to the end of the word.
        let known = rest
            .rfind(['$', '}', ')'])
            .map_or(rest, |at| rest.get(at..).unwrap_or_default());
        let tail = match known.strip_prefix('$') {
            Some(name) => name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'),
            None => known.trim_start_matches(['}', ')']),
        };
        let path = tail.trim_start_matches('"').trim_matches(['"', '\'']);
        let path = if known.len() == rest.len() && !known.starts_with('$') {
            path
        } else {
            path.trim_start_matches('/')
        };
        let path = path.split([' ', ';', '"', '\'']).next().unwrap_or_default();
        found.extend((!path.is_empty()).then(|| path.to_owned()));
    }
    found
}

/// Words of a shell's own ahead of a command.
const AHEAD: [&str; 8] = ["if", "then", "else", "elif", "while", "until", "do", "!"];

/// Returns the lines of a shell script, those that go on behind a `\\` as one.
fn join_continued_lines(text: &str) -> Vec<String> {
    text.replace("\\\r\n", " ")
        .replace("\\\n", " ")
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Returns the script with its own variables put in for their names, where they have one plain value.
fn substitute_variables(text: &str) -> String {
    const MOST: usize = 64;
    const LARGEST: usize = 4 << 20;
    let mut whole = text.to_owned();
    let plain = |c: char| c.is_alphanumeric() || "_./-".contains(c);
    let assignments = text
        .split(|c: char| c.is_whitespace() || c == ';')
        .filter_map(|word| word.split_once('='));
    for (name, value) in assignments.take(MOST) {
        let value = value.trim_matches(['"', '\'']);
        if whole.len() <= LARGEST
            && value.len() <= LONGEST
            && !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !value.is_empty()
            && value.chars().all(plain)
        {
            whole = whole.replace(&format!("${{{name}}}"), value);
            // `$A`, and not `$AB`.
            let mut put = String::with_capacity(whole.len());
            let mut rest = whole.as_str();
            while let Some((before, behind)) = rest.split_once(&format!("${name}")) {
                let is_longer = behind.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                put.push_str(before);
                if is_longer {
                    put.push_str(&format!("${name}"))
                } else {
                    put.push_str(value)
                }
                rest = behind;
            }
            whole = put + rest;
        }
    }
    whole
}

/// Returns the commands of a line of a shell script that may start something, as plain words: variables and what is computed are
/// left out, and a path begins behind them.
fn split_commands(line: &str) -> Vec<Vec<String>> {
    let mut plain = without_comment(line).to_owned();
    let mut inner = Vec::new();
    for (open, close) in [("$(", ')'), ("${", '}')] {
        // From the last, which holds none.
        while let Some(at) = plain.rfind(open) {
            let end = plain
                .get(at..)
                .and_then(|rest| rest.find(close))
                .map_or(plain.len(), |end| at + end + 1);
            if open == "$(" {
                inner.push(
                    plain
                        .get(at + 2..end)
                        .unwrap_or_default()
                        .trim_end_matches(close)
                        .to_owned(),
                );
            }
            plain.replace_range(at..end, "$_");
        }
    }
    let cut = |word: &str| match word.rsplit_once('$') {
        Some((_, rest)) => {
            let name = |c: char| c.is_alphanumeric() || ['_', '@', '*', '#', '?'].contains(&c);
            rest.trim_start_matches(name)
                .trim_start_matches('/')
                .to_owned()
        }
        None => word.to_owned(),
    };
    let word = |word: &str| {
        let word = word.replace(['"', '\''], "");
        match word.split_once('=') {
            // A list of folders, some of them known.
            Some((name, value)) if !name.contains(['$', '/', '-']) => {
                let known = value
                    .split(':')
                    .map(cut)
                    .filter(|piece| !piece.is_empty())
                    .collect::<Vec<_>>();
                format!("{name}={}", known.join(":"))
            }
            _ => cut(&word),
        }
    };
    let command = |text: &str| {
        let words = text
            .split_whitespace()
            .map(word)
            .filter(|word| !word.is_empty());
        words
            .skip_while(|word| AHEAD.contains(&word.as_str()))
            .collect::<Vec<_>>()
    };
    let starts = |words: &Vec<String>| {
        words
            .first()
            .is_some_and(|first| first != "." && first != "source")
    };
    inner.push(plain);
    let parts = inner
        .iter()
        .flat_map(|line| line.split([';', '&', '|', '(', ')', '{', '}', '`']));
    let mut found: Vec<Vec<String>> = Vec::new();
    for words in parts.map(command).filter(starts) {
        // `find … -exec python3 x.py`, `python3 - <x.py`.
        let inside =
            (1..words.len()).filter(|&at| words.get(at).is_some_and(|word| begins_command(word)));
        let inside: Vec<Vec<String>> = inside
            .filter_map(|at| Some(words.get(at..)?.to_vec()))
            .collect();
        if let Some(program) = words.iter().find(|word| begins_command(word)) {
            let read = words.iter().enumerate().filter_map(|(at, word)| {
                // `python3 <x.py`, `sh < x`.
                let file = word.strip_prefix('<')?;
                match file.is_empty() {
                    true => words.get(at + 1).map(String::as_str),
                    false => Some(file),
                }
            });
            found.extend(read.map(|file| vec![program.clone(), file.to_owned()]));
        }
        found.push(words);
        found.extend(inside);
    }
    found
}

/// Returns what a script of a shell loads.
fn script_loads(text: &str) -> Vec<Load> {
    let mut found = Vec::new();
    let with_defaults = default_values(text);
    let texts = [
        Some(text.to_owned()),
        Some(with_defaults).filter(|with| with != text),
    ];
    for text in texts.into_iter().flatten() {
        found.extend(text.lines().flat_map(shell_loads).map(Load::Path));
        let text = substitute_variables(&text);
        found.extend(
            join_continued_lines(&text)
                .iter()
                .flat_map(|line| split_commands(line))
                .map(Load::Command),
        );
        found.extend(Shell::read(&text));
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|load| match load {
        Load::Path(path) => seen.insert(path.clone()),
        Load::Command(words) => seen.insert(words.join("\n")),
        Load::Text(language, text) => seen.insert(format!("{language:?}\n{text}")),
        _ => true,
    });
    found
}

/// Returns the script with what a variable stands for in its place where that is given with it: `${PYTHON:-python3}`. Where it
/// stays so, `${PYTHON:=python3}`, that stands at the beginning.
fn default_values(text: &str) -> String {
    /// How many are read that stand in each other.
    const DEEPEST: usize = 8;
    let mut put = String::with_capacity(text.len());
    let mut assigned = String::new();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '}']) {
        let (before, behind) = rest.split_at(at);
        put.push_str(before);
        if behind.starts_with("${") && open.len() < DEEPEST {
            open.push(put.len());
            put.push_str("${");
            rest = behind.get(2..).unwrap_or_default();
            continue;
        }
        rest = behind.get(1..).unwrap_or_default();
        let start = open.pop_if(|_| behind.starts_with('}'));
        let inside = start
            .and_then(|start| put.get(start + 2..))
            .unwrap_or_default();
        let name = |c: char| c.is_alphanumeric() || "_[]@*".contains(c);
        let tail = inside.trim_start_matches(name);
        let value = tail
            .strip_prefix(':')
            .unwrap_or(tail)
            .strip_prefix(['-', '='])
            .filter(|value| !value.is_empty());
        let value = value.map(|value| value.trim_matches(['"', '\'']).to_owned());
        match (start, value) {
            (Some(start), Some(value)) => {
                if tail.trim_start_matches(':').starts_with('=') {
                    let name = inside.get(..inside.len() - tail.len()).unwrap_or_default();
                    assigned.push_str(&format!("{name}={value}\n"));
                }
                put.truncate(start);
                put.push_str(&value);
            }
            _ => put.push_str(behind.get(..1).unwrap_or_default()),
        }
    }
    put.push_str(rest);
    assigned + &put
}

/// Reads a script of a shell for the texts that it hands to interpreters: `python3 -c '…'`, `node <<EOF`.
#[derive(Default)]
struct Shell {
    found: Vec<Load>,
    /// The command at hand.
    command: Vec<String>,
    word: Option<String>,
    /// The interpreter of the line at hand, which what is written below that is for.
    language: Option<ScriptLanguage>,
    /// Texts below the line at hand.
    below: Vec<Below>,
    /// The command whose output the one at hand reads.
    piped: Vec<String>,
    /// The word at hand is the text itself: `<<<`.
    is_text: bool,
    /// What goes on behind the commands within: the command, the word, and whether it is quoted.
    outer: Vec<(Vec<String>, Option<String>, bool)>,
}

/// A text below the line that hands it to a command.
struct Below {
    end: String,
    /// Whether tabs ahead of the end mean nothing.
    has_tabs: bool,
    language: Option<ScriptLanguage>,
}

impl Shell {
    /// Returns the texts.
    fn read(text: &str) -> Vec<Load> {
        /// Most ends that are looked for in vain.
        const MOST: usize = 16;
        let mut shell = Shell::default();
        let mut rest = text;
        let mut quoted = false;
        let mut missing = 0;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            let mut next = behind;
            match first {
                '\\' => {
                    let Some(letter) = behind.chars().next() else {
                        break;
                    };
                    if letter != '\n' {
                        let stays = quoted && !['"', '\\', '$', '`'].contains(&letter);
                        shell
                            .word
                            .get_or_insert_default()
                            .extend(stays.then_some('\\'));
                        shell.push(letter);
                    }
                    next = behind.get(letter.len_utf8()..).unwrap_or_default();
                }
                '"' => {
                    quoted = !quoted;
                    shell.word.get_or_insert_default();
                }
                '\'' if !quoted => {
                    let (inside, after) = behind.split_once('\'').unwrap_or((behind, ""));
                    shell.word.get_or_insert_default().push_str(inside);
                    next = after;
                }
                '$' if behind.starts_with('(') => {
                    shell.begin(std::mem::take(&mut quoted));
                    next = behind.get(1..).unwrap_or_default();
                }
                ')' if !quoted => {
                    shell.end_command();
                    (shell.command, shell.word, quoted) = shell.outer.pop().unwrap_or_default();
                }
                _ if quoted => shell.push(first),
                '(' => {
                    shell.end_command();
                    shell.begin(false);
                }
                '<' if behind.starts_with("<<") => {
                    shell.end_word();
                    shell.is_text = true;
                    next = behind
                        .get(2..)
                        .unwrap_or_default()
                        .trim_start_matches([' ', '\t']);
                }
                '<' if behind.starts_with('<') => {
                    shell.end_word();
                    let word = behind.get(1..).unwrap_or_default();
                    let has_tabs = word.starts_with('-');
                    let word = word
                        .strip_prefix('-')
                        .unwrap_or(word)
                        .trim_start_matches([' ', '\t']);
                    let end = word
                        .find(|c: char| c.is_whitespace() || ";|&)<>".contains(c))
                        .unwrap_or(word.len());
                    let (end, after) = word.split_at(end);
                    let end = end.replace(['"', '\'', '\\'], "");
                    let language =
                        shell
                            .command
                            .iter()
                            .find_map(|word| match word.strip_prefix('$') {
                                // It may be any; most often it is this.
                                Some(_) => Some(ScriptLanguage::Python),
                                None => language_of(word),
                            });
                    shell.below.extend((!end.is_empty()).then_some(Below {
                        end,
                        has_tabs,
                        language,
                    }));
                    next = after;
                }
                '#' if shell.word.is_none() => {
                    next = behind
                        .get(behind.find('\n').unwrap_or(behind.len())..)
                        .unwrap_or_default()
                }
                '\n' => {
                    shell.end_command();
                    for Below {
                        end,
                        has_tabs,
                        language,
                    } in std::mem::take(&mut shell.below)
                    {
                        let inside = (missing < MOST)
                            .then(|| text_until(next, &end, has_tabs))
                            .flatten();
                        missing += usize::from(inside.is_none());
                        let Some((inside, after)) = inside else {
                            continue;
                        };
                        let language = language.or(shell.language);
                        shell.found.extend(
                            language.map(|language| Load::Text(language, inside.to_owned())),
                        );
                        next = after;
                    }
                    shell.language = None;
                }
                '|' if !behind.starts_with('|') => {
                    shell.end_word();
                    let piped = shell.command.clone();
                    shell.end_command();
                    shell.piped = piped;
                }
                '|' => {
                    shell.end_command();
                    next = behind.get(1..).unwrap_or_default();
                }
                ';' | '&' | '`' => shell.end_command(),
                _ if first.is_whitespace() => shell.end_word(),
                _ => shell.push(first),
            }
            rest = next;
        }
        shell.end_command();
        shell.found
    }

    /// Goes into a command within.
    fn begin(&mut self, quoted: bool) {
        let (command, word) = (std::mem::take(&mut self.command), self.word.take());
        self.outer
            .push((command, word.or_else(|| Some(String::new())), quoted));
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if std::mem::take(&mut self.is_text) {
            self.found
                .extend(self.language().map(|language| Load::Text(language, word)));
        } else {
            self.command.push(word);
        }
    }

    /// Returns the interpreter of the line.
    fn language(&self) -> Option<ScriptLanguage> {
        self.command
            .iter()
            .find_map(|word| language_of(word))
            .or(self.language)
    }

    fn end_command(&mut self) {
        self.end_word();
        self.is_text = false;
        self.language = self.language();
        let piped = std::mem::take(&mut self.piped);
        let command = std::mem::take(&mut self.command);
        let Some(at) = command.iter().position(|word| is_interpreter(word)) else {
            self.found.extend(guess_path(&command).map(Load::Command));
            return;
        };
        let command: Vec<String> = command.into_iter().skip(at).collect();
        // `cat lib/x.py | python3`, `echo 'import lib.x' | python3 -`
        let mut options = command.iter().skip(1).take_while(|word| *word != "-");
        if let Some(program) = command
            .first()
            .filter(|_| options.all(|word| word.starts_with('-')))
        {
            for word in piped.into_iter().skip(1) {
                self.found.push(
                    match language_of(program).filter(|_| word.contains(char::is_whitespace)) {
                        Some(language) => Load::Text(language, word),
                        None => Load::Command(vec![program.clone(), word]),
                    },
                );
            }
        }
        // Others are read by their words.
        let has_text =
            |word: &String| word.contains(|c: char| c.is_whitespace() || "\"'();".contains(c));
        self.found.extend(
            command
                .iter()
                .any(has_text)
                .then_some(Load::Command(command)),
        );
    }
}

/// Returns the commands that `command` may be where a variable names its program, as `PYTHON=$(command -v python3)` has it and
/// `"$PYTHON" -m lib.x`: options tell which interpreters it may be.
fn guess_path(command: &[String]) -> impl Iterator<Item = Vec<String>> + '_ {
    let at = command.iter().position(|word| word.starts_with('$'));
    let rest = at.and_then(|at| command.get(at + 1..)).unwrap_or_default();
    let has = |option: &str| {
        rest.iter()
            .any(|word| word.starts_with(option) && !word.starts_with("--"))
    };
    let programs: [(&str, bool); 5] = [
        ("python3", has("-")),
        ("sh", has("-c")),
        ("node", has("-e") || has("-p")),
        ("perl", has("-e")),
        ("ruby", has("-e")),
    ];
    let meant = programs
        .into_iter()
        .filter(|(_, meant)| *meant)
        .map(|(program, _)| program);
    meant.map(|program| {
        std::iter::once(program.to_owned())
            .chain(rest.iter().cloned())
            .collect()
    })
}

/// Returns what of `text` stands ahead of the line `end`, and what behind it.
fn text_until<'a>(text: &'a str, end: &str, has_tabs: bool) -> Option<(&'a str, &'a str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if (if has_tabs {
            bare.trim_start_matches('\t')
        } else {
            bare
        }) == end
        {
            return Some((text.get(..at)?, text.get(at + line.len()..)?));
        }
        at += line.len();
    }
    None
}

/// Returns what a script of Python loads, whether it runs files that it may name elsewhere, and its texts.
fn python_loads(text: &str) -> (Vec<Load>, bool, Vec<String>) {
    let read = python::imports(text.as_bytes());
    let mut found: Vec<Load> = read.modules.into_iter().map(Load::Module).collect();
    found.extend(
        read.runs
            .into_iter()
            .map(|path| Load::Path(path.trim_start_matches('/').to_owned())),
    );
    found.extend(
        read.programs
            .into_iter()
            .map(|text| Load::Text(ScriptLanguage::Python, text)),
    );
    found.extend(
        read.commands
            .into_iter()
            .map(|text| Load::Text(ScriptLanguage::Shell, text)),
    );
    let mut runs = read.runs_files;
    for list in read
        .lists
        .into_iter()
        .filter(|list| list.first().is_some_and(|word| starts_command(word)))
    {
        // Which file it is may stand elsewhere.
        runs |= list.iter().any(String::is_empty) && list.iter().any(|word| begins_command(word));
        found.push(Load::Command(
            list.into_iter().filter(|word| !word.is_empty()).collect(),
        ));
    }
    let from_sys = |line: &str| {
        line.contains("from sys import") && split_words(line).any(|word| word == "path")
    };
    if SEARCHING.iter().any(|word| text.contains(word)) || text.lines().any(from_sys) {
        found.insert(0, Load::Searched(read.texts.clone()));
    }
    (found, runs, read.texts)
}

fn without_comment(line: &str) -> &str {
    let begins = |at: &usize| {
        *at == 0
            || line
                .as_bytes()
                .get(at - 1)
                .is_some_and(u8::is_ascii_whitespace)
    };
    let comment = line.match_indices('#').map(|(at, _)| at).find(begins);
    comment
        .and_then(|at| line.get(..at))
        .unwrap_or(line)
        .trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(load: &Load) -> String {
        match load {
            Load::Path(path) => path.clone(),
            Load::Command(words) => format!("run {}", words.join(" ")),
            Load::Package(name) => format!("package {name}"),
            Load::Library(name) => format!("from {name}"),
            Load::Searched(words) => format!("in {}", words.join(" ")),
            Load::Module(PythonImport { dots, parts, items }) => {
                format!(
                    "{}{}:{}",
                    ".".repeat(*dots),
                    parts.join("."),
                    items.join(",")
                )
            }
            Load::Text(language, text) => format!("{language:?} {text}"),
            Load::Mentioned(..) => String::new(),
        }
    }

    fn check(language: ScriptLanguage, text: &str, expected: &[&str]) {
        let found = find_loads(language, text);
        let found: Vec<String> = found
            .iter()
            .map(say)
            .filter(|said| !said.is_empty())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_a_script_loads_is_read_off_its_text() {
        check(
            ScriptLanguage::Python,
            "if x: import a.b\nfrom c import d\n",
            &["a.b:", "c:d"],
        );
        check(
            ScriptLanguage::Python,
            "sys.path.append(at('..', \"lib\"))\nimport a\n",
            &["in .. lib", "a:"],
        );
        check(
            ScriptLanguage::Node,
            "const a = require('./a'), b = require(\"fs\")\n",
            &["./a", "package fs"],
        );
        check(
            ScriptLanguage::Node,
            "import x from '#lib/x'\n",
            &["package #lib/x"],
        );
        check(
            ScriptLanguage::Node,
            "import x from '../x.mjs'\nexport * from './y'\nimport('./z.js')\n",
            &["../x.mjs", "./y", "./z.js"],
        );
        check(ScriptLanguage::Node, "readFileSync('./data.js')\n", &[]);
        check(
            ScriptLanguage::Ruby,
            "require_relative 'lib/a'\nputs './b'\n$: << 'c'\n",
            &["lib/a", "from c"],
        );
        check(
            ScriptLanguage::Other,
            "require './a.pl';\ninclude(\"b.php\");\nuse lib 'c';\n",
            &["./a.pl", "b.php", "c", "from c"],
        );
        check(
            ScriptLanguage::Shell,
            ". ./lib.sh\nsource 'b.sh' arg\n",
            &["./lib.sh", "b.sh"],
        );
        check(
            ScriptLanguage::Shell,
            "command . lib/a\nbuiltin source lib/b\n",
            &[
                "lib/a",
                "lib/b",
                "run command . lib/a",
                "run builtin source lib/b",
            ],
        );
        check(
            ScriptLanguage::Shell,
            "sh < lib/rc\nbash -s <lib/b\n",
            &[
                "run sh lib/rc",
                "run sh < lib/rc",
                "run bash lib/b",
                "run bash -s <lib/b",
            ],
        );
        check(
            ScriptLanguage::Shell,
            ". \"$(dirname \"$0\")/lib.sh\"\nsource \"${BASH_SOURCE%/*}/b.sh\"\n",
            &["lib.sh", "b.sh", "run dirname"],
        );
        check(
            ScriptLanguage::Shell,
            "if true; then . $here/c.sh; fi\necho . d.sh\n",
            &["c.sh", "run true", "run fi", "run echo . d.sh"],
        );
        check(
            ScriptLanguage::Shell,
            "exec python3 \"$(dirname \"$0\")/lib/x.py\" \"$@\"  # all\nA=b ${HERE}/y | grep '$z'\n",
            &[
                "run dirname",
                "run exec python3 lib/x.py",
                "run python3 lib/x.py",
                "run A=b y",
                "run grep",
            ],
        );
        check(
            ScriptLanguage::Shell,
            "out=$(python3 \\\n  -m x)\nPATH=\"lib/bin:$PATH\"; z\n",
            &["run python3 -m x", "run out=", "run PATH=lib/bin", "run z"],
        );
        check(
            ScriptLanguage::Shell,
            "find . -exec sh x.sh\nD=lib; python3 - <$D/x.py\n",
            &[
                "run find . -exec sh x.sh",
                "run sh x.sh",
                "run D=lib",
                "run python3 lib/x.py",
                "run python3 - <lib/x.py",
            ],
        );
        check(ScriptLanguage::Node, "require(\n  '../a'\n)\n", &["../a"]);
    }

    #[test]
    fn texts_that_are_handed_on_are_read_off_a_script() {
        // Without the commands, which are read by their words beside.
        let check = |language: ScriptLanguage, text: &str, expected: &[&str]| {
            let found = find_loads(language, text);
            let found: Vec<String> = found
                .iter()
                .map(say)
                .filter(|said| expected.contains(&said.as_str()))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        for text in [
            "\"${PY:-python3}\" -m x",
            "P=${Q-${PY:-python3}}\n$P -m x",
            ": ${P:=python3}\n\"$P\" -m x",
        ] {
            check(ScriptLanguage::Shell, text, &["run python3 -m x"]);
        }
        check(
            ScriptLanguage::Shell,
            "python3 - a <<EOF\nimport x\nEOF\n",
            &["Python import x\n"],
        );
        check(
            ScriptLanguage::Shell,
            "cat <<-'E' | node\n\tx()\n\tE\n",
            &["Node \tx()\n"],
        );
        check(
            ScriptLanguage::Shell,
            "python3 <<A; node <<B\na\nA\nb\nB\n",
            &["Python a\n", "Node b\n"],
        );
        check(
            ScriptLanguage::Shell,
            "python3 <<< 'import x'\n",
            &["Python import x"],
        );
        check(
            ScriptLanguage::Shell,
            "echo 'import x' | python3 - a\n",
            &["Python import x"],
        );
        check(
            ScriptLanguage::Shell,
            "cat x.py | nice python3 -u | node y\n",
            &["run python3 x.py"],
        );
        check(
            ScriptLanguage::Shell,
            "# python3 <<E\ncat <<E\nimport x\nE\n",
            &[],
        );
        check(
            ScriptLanguage::Shell,
            "r=\"$(python3 -c \"import\nx; y('z')\" 'a b')\"\n",
            &["run python3 -c import\nx; y('z') a b"],
        );
        check(
            ScriptLanguage::Shell,
            "python3 $(o \"p\") -c 'import x'\n",
            &["run python3  -c import x"],
        );
        check(
            ScriptLanguage::Python,
            "import os\nos.system('python3 -m x')\nexec('import y')\n",
            &["Python import y", "Shell python3 -m x"],
        );
        check(
            ScriptLanguage::Python,
            "import sys\nrun([sys.executable, '-m', 'x', y])\n",
            &["run python3 -m x"],
        );
        check(
            ScriptLanguage::Node,
            "execSync('node x.js'); spawn(\"python3\", ['-m', 'x'])\n",
            &["Shell node x.js"],
        );
        check(
            ScriptLanguage::Node,
            "spawn(\"python3\", ['-m', 'x'])\n",
            &["run python3 -m x"],
        );
        check(ScriptLanguage::Ruby, "puts `sh x.sh`\n", &["Shell sh x.sh"]);
    }

    #[test]
    fn a_variable_may_say_itself_what_it_stands_for() {
        for (text, expected) in [
            ("${A:-b} ${A-b} ${A}", "b b ${A}"),
            ("${A:-${B:-\"c\"}/d}", "c/d"),
            ("${A:=b}", "A=b\nb"),
            ("${1:-x}${@:-y}", "xy"),
            ("${A:+b} ${A%/*} ${A:-} } $", "${A:+b} ${A%/*} ${A:-} } $"),
            ("${A:-b", "${A:-b"),
        ] {
            assert_eq!(default_values(text), expected, "{text}");
        }
    }

    #[test]
    fn every_word_may_be_a_path() {
        let check = |text: &str, modules: bool, expected: &[(&str, bool)]| {
            let found = find_mentions(text, modules);
            let found: Vec<(&str, bool)> = found
                .iter()
                .map(|it| (it.word.as_str(), it.is_stem))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "python3 - <lib/x.py",
            false,
            &[("lib/x.py", true), ("python3", false)],
        );
        check(
            "S=x.py; run '$S'",
            false,
            &[("S", false), ("run", false), ("x.py", false)],
        );
        check(
            "`${__dirname}/../lib/x`",
            false,
            &[("../lib/x", true), ("__dirname", false)],
        );
        check(
            "path.join(d, '..', 'lib')",
            false,
            &[
                ("..", true),
                ("d", false),
                ("lib", true),
                ("path.join", false),
            ],
        );
        check(
            "use lib \"$Bin/../lib\"; use A::B;",
            true,
            &[
                ("../lib", true),
                ("A/B", true),
                ("lib", true),
                ("use", true),
            ],
        );
        check("", false, &[]);
    }
}
