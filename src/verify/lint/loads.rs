//! What a script loads, as far as its text says so: modules that it imports by name, files that it names, commands that it
//! starts. A name too many costs a question, and whoever wants to hide what a trusted script loads would have to change that
//! script first.
//!
//! ```text
//! import helper, yaml          modules `helper` and `yaml`
//! const x = require('./x')     the path `./x`
//! . "$(dirname "$0")/lib.sh"   the path `lib.sh`
//! python3 lib/x.py "$@"        a command
//! "../lib/y"                   a mention, in any language: if code is there, it counts
//! ```
//!
//! Python is parsed, the rest is read by words. Known limits: names and paths that are computed, and names of files with
//! blanks in them.

use super::words::{Language, begins_command};
use crate::syntax::python::{self, Import};

/// Something that a script loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// A Python module.
    Module(Import),
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
    /// Words that may be paths.
    Mentioned(Vec<Mention>),
}

/// A word of a script that may be the path of a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
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
const SEARCHING: [&str; 5] = ["sys.path", "addsitedir", "PYTHONPATH", "sys as ", "__path__"];
/// How other scripts say so.
const FOLDERS: [&str; 5] = ["use lib", "$:", "$LOAD_PATH", "@INC", "package.path"];

/// Longest word that is taken for a path.
const LONGEST: usize = 255;

/// Returns what the script `text` loads.
pub fn loads(language: Language, text: &str) -> Vec<Load> {
    let mut found = match language {
        Language::Python => python(text),
        Language::Shell => {
            let read = text.lines().flat_map(shell).map(Load::Path);
            let lines = joined(&substituted(text));
            read.chain(lines.iter().flat_map(|line| commands(line)).map(Load::Command)).collect()
        }
        Language::Node | Language::Ruby | Language::Other => {
            let loading = |line: &&str| words(line).any(|word| LOADING.contains(&word));
            let is_package = |path: &str| language == Language::Node && !path.starts_with('.');
            let load = |path: String| if is_package(&path) { Load::Package(path) } else { Load::Path(path) };
            let loads = text.lines().filter(loading).flat_map(quoted).chain(laid_out(text)).map(load);
            let telling = |line: &&str| FOLDERS.iter().any(|word| line.contains(word));
            let folders = text.lines().filter(telling).flat_map(quoted).map(Load::Library);
            loads.chain(folders).collect()
        }
    };
    found.push(Load::Mentioned(mentions(text, language == Language::Other)));
    found
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Returns what stands in quotation marks on a line below the word that loads it, as formatters lay long calls out.
fn laid_out(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("(\n").chain(text.match_indices("(\r\n")) {
        let (before, behind) = text.split_at(at);
        if words(before.lines().next_back().unwrap_or_default()).last().is_some_and(|word| LOADING.contains(&word)) {
            let line = behind.get(1..).unwrap_or_default().trim_start().lines().next().unwrap_or_default();
            found.extend(quoted(line).into_iter().next());
        }
    }
    found
}

/// Returns each word of `text` that may be a path, once; with `modules`, names as Perl and Lua write them as well (`A::B`).
fn mentions(text: &str, modules: bool) -> Vec<Mention> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_./-+@~".contains(letter) || (modules && letter == ':');
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
            word = word.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        }
        let is_quoted = |letter: char| ['"', '\'', '`', '#'].contains(&letter);
        let quoted = is_quoted(before) && behind.chars().next().is_some_and(is_quoted);
        let word = word.trim_start_matches('/').trim_end_matches(':');
        // The end of a sentence, but not the folder above.
        let word = if word.ends_with("..") { word } else { word.trim_end_matches('.') };
        let path = if modules { word.replace("::", "/") } else { word.to_owned() };
        if !path.is_empty()
            && path.len() <= LONGEST
            && path.contains(|letter: char| letter.is_alphanumeric() || letter == '.')
        {
            found.insert(Mention { is_stem: modules || quoted || path.contains('/'), word: path });
        }
        before = ' ';
    }
    found.into_iter().collect()
}

/// Returns what stands in quotation marks.
fn quoted(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let behind = rest.get(at..).unwrap_or_default();
        let Some(quote) = behind.chars().next() else { break };
        let inside = behind.get(1..).unwrap_or_default();
        let Some(end) = inside.find(quote) else { break };
        found.extend(inside.get(..end).filter(|text| !text.is_empty() && !text.contains('$')).map(str::to_owned));
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    found
}

/// Returns the paths that a line of a shell script reads: `. ./a; source "$here/b"`.
fn shell(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for command in line.split([';', '&', '|', '{', '(']) {
        let command = command.trim_start_matches(|c: char| c.is_whitespace() || c == '!');
        let behind =
            command.strip_prefix("then ").or_else(|| command.strip_prefix("do ")).unwrap_or(command).trim_start();
        if behind.strip_prefix("source ").or_else(|| behind.strip_prefix(". ")).is_none() {
            continue;
        }
        // From the whole line: the path may hold a command of its own.
        let Some(at) = line.find(behind) else { continue };
        let rest = line.get(at..).unwrap_or_default();
        let rest = rest.split_once(' ').map_or("", |(_, rest)| rest).trim();
        // What follows the last variable or command in it, up to the end of the word.
        let known = rest.rfind(['$', '}', ')']).map_or(rest, |at| rest.get(at..).unwrap_or_default());
        let tail = match known.strip_prefix('$') {
            Some(name) => name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'),
            None => known.trim_start_matches(['}', ')']),
        };
        let path = tail.trim_start_matches('"').trim_matches(['"', '\'']);
        let path =
            if known.len() == rest.len() && !known.starts_with('$') { path } else { path.trim_start_matches('/') };
        let path = path.split([' ', ';', '"', '\'']).next().unwrap_or_default();
        found.extend((!path.is_empty()).then(|| path.to_owned()));
    }
    found
}

/// Words of a shell's own ahead of a command.
const AHEAD: [&str; 8] = ["if", "then", "else", "elif", "while", "until", "do", "!"];

/// Returns the lines of a shell script, those that go on behind a `\\` as one.
fn joined(text: &str) -> Vec<String> {
    text.replace("\\\r\n", " ").replace("\\\n", " ").lines().map(str::to_owned).collect()
}

/// Returns the script with its own variables put in for their names, where they have one plain value.
fn substituted(text: &str) -> String {
    const MOST: usize = 64;
    const LARGEST: usize = 4 << 20;
    let mut whole = text.to_owned();
    let plain = |c: char| c.is_alphanumeric() || "_./-".contains(c);
    let assignments = text.split(|c: char| c.is_whitespace() || c == ';').filter_map(|word| word.split_once('='));
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
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut plain = uncommented(line).to_owned();
    let mut inner = Vec::new();
    for (open, close) in [("$(", ')'), ("${", '}')] {
        // From the last, which holds none.
        while let Some(at) = plain.rfind(open) {
            let end = plain.get(at..).and_then(|rest| rest.find(close)).map_or(plain.len(), |end| at + end + 1);
            if open == "$(" {
                inner.push(plain.get(at + 2..end).unwrap_or_default().trim_end_matches(close).to_owned());
            }
            plain.replace_range(at..end, "$_");
        }
    }
    let cut = |word: &str| match word.rsplit_once('$') {
        Some((_, rest)) => {
            let name = |c: char| c.is_alphanumeric() || ['_', '@', '*', '#', '?'].contains(&c);
            rest.trim_start_matches(name).trim_start_matches('/').to_owned()
        }
        None => word.to_owned(),
    };
    let word = |word: &str| {
        let word = word.replace(['"', '\''], "");
        match word.split_once('=') {
            // A list of folders, some of them known.
            Some((name, value)) if !name.contains(['$', '/', '-']) => {
                let known = value.split(':').map(cut).filter(|piece| !piece.is_empty()).collect::<Vec<_>>();
                format!("{name}={}", known.join(":"))
            }
            _ => cut(&word),
        }
    };
    let command = |text: &str| {
        let words = text.split_whitespace().map(word).filter(|word| !word.is_empty());
        words.skip_while(|word| AHEAD.contains(&word.as_str())).collect::<Vec<_>>()
    };
    let starts = |words: &Vec<String>| words.first().is_some_and(|first| first != "." && first != "source");
    inner.push(plain);
    let parts = inner.iter().flat_map(|line| line.split([';', '&', '|', '(', ')', '{', '}', '`']));
    let mut found: Vec<Vec<String>> = Vec::new();
    for words in parts.map(command).filter(starts) {
        // `find … -exec python3 x.py`, `python3 - <x.py`.
        let inside = (1..words.len()).filter(|&at| words.get(at).is_some_and(|word| begins_command(word)));
        let inside: Vec<Vec<String>> = inside.filter_map(|at| Some(words.get(at..)?.to_vec())).collect();
        if let Some(program) = words.iter().find(|word| begins_command(word)) {
            let read = words.iter().filter_map(|word| word.strip_prefix('<')).filter(|file| !file.is_empty());
            found.extend(read.map(|file| vec![program.clone(), file.to_owned()]));
        }
        found.push(words);
        found.extend(inside);
    }
    found
}

fn python(text: &str) -> Vec<Load> {
    let read = python::imports(text.as_bytes());
    let mut found: Vec<Load> = read.modules.into_iter().map(Load::Module).collect();
    found.extend(read.runs.into_iter().map(Load::Path));
    let from_sys = |line: &str| line.contains("from sys import") && words(line).any(|word| word == "path");
    if SEARCHING.iter().any(|word| text.contains(word)) || text.lines().any(from_sys) {
        found.insert(0, Load::Searched(read.texts));
    }
    found
}

fn uncommented(line: &str) -> &str {
    let begins = |at: &usize| *at == 0 || line.as_bytes().get(at - 1).is_some_and(u8::is_ascii_whitespace);
    let comment = line.match_indices('#').map(|(at, _)| at).find(begins);
    comment.and_then(|at| line.get(..at)).unwrap_or(line).trim_end()
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
            Load::Module(Import { dots, parts, items }) => {
                format!("{}{}:{}", ".".repeat(*dots), parts.join("."), items.join(","))
            }
            Load::Mentioned(_) => String::new(),
        }
    }

    fn check(language: Language, text: &str, expected: &[&str]) {
        let found = loads(language, text);
        let found: Vec<String> = found.iter().map(say).filter(|said| !said.is_empty()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_a_script_loads_is_read_off_its_text() {
        check(Language::Python, "if x: import a.b\nfrom c import d\n", &["a.b:", "c:d"]);
        check(Language::Python, "sys.path.append(at('..', \"lib\"))\nimport a\n", &["in .. lib", "a:"]);
        check(Language::Node, "const a = require('./a'), b = require(\"fs\")\n", &["./a", "package fs"]);
        check(Language::Node, "import x from '#lib/x'\n", &["package #lib/x"]);
        check(
            Language::Node,
            "import x from '../x.mjs'\nexport * from './y'\nimport('./z.js')\n",
            &["../x.mjs", "./y", "./z.js"],
        );
        check(Language::Node, "readFileSync('./data.js')\n", &[]);
        check(Language::Ruby, "require_relative 'lib/a'\nputs './b'\n$: << 'c'\n", &["lib/a", "from c"]);
        check(
            Language::Other,
            "require './a.pl';\ninclude(\"b.php\");\nuse lib 'c';\n",
            &["./a.pl", "b.php", "c", "from c"],
        );
        check(Language::Shell, ". ./lib.sh\nsource 'b.sh' arg\n", &["./lib.sh", "b.sh"]);
        check(
            Language::Shell,
            ". \"$(dirname \"$0\")/lib.sh\"\nsource \"${BASH_SOURCE%/*}/b.sh\"\n",
            &["lib.sh", "b.sh", "run dirname"],
        );
        check(
            Language::Shell,
            "if true; then . $here/c.sh; fi\necho . d.sh\n",
            &["c.sh", "run true", "run fi", "run echo . d.sh"],
        );
        check(
            Language::Shell,
            "exec python3 \"$(dirname \"$0\")/lib/x.py\" \"$@\"  # all\nA=b ${HERE}/y | grep '$z'\n",
            &["run dirname", "run exec python3 lib/x.py", "run python3 lib/x.py", "run A=b y", "run grep"],
        );
        check(
            Language::Shell,
            "out=$(python3 \\\n  -m x)\nPATH=\"lib/bin:$PATH\"; z\n",
            &["run python3 -m x", "run out=", "run PATH=lib/bin", "run z"],
        );
        check(
            Language::Shell,
            "find . -exec sh x.sh\nD=lib; python3 - <$D/x.py\n",
            &[
                "run find . -exec sh x.sh",
                "run sh x.sh",
                "run D=lib",
                "run python3 lib/x.py",
                "run python3 - <lib/x.py",
            ],
        );
        check(Language::Node, "require(\n  '../a'\n)\n", &["../a"]);
    }

    #[test]
    fn every_word_may_be_a_path() {
        let check = |text: &str, modules: bool, expected: &[(&str, bool)]| {
            let found = mentions(text, modules);
            let found: Vec<(&str, bool)> = found.iter().map(|it| (it.word.as_str(), it.is_stem)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("python3 - <lib/x.py", false, &[("lib/x.py", true), ("python3", false)]);
        check("S=x.py; run '$S'", false, &[("S", false), ("run", false), ("x.py", false)]);
        check("`${__dirname}/../lib/x`", false, &[("../lib/x", true), ("__dirname", false)]);
        check("path.join(d, '..', 'lib')", false, &[("..", true), ("d", false), ("lib", true), ("path.join", false)]);
        check(
            "use lib \"$Bin/../lib\"; use A::B;",
            true,
            &[("../lib", true), ("A/B", true), ("lib", true), ("use", true)],
        );
        check("", false, &[]);
    }
}
