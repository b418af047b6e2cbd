//! What a script loads, as far as its text says so: modules that it imports by name, files that it names where it loads them.
//!
//! Read line by line, not by a parser: a line too many costs a question, and whoever wants to hide what a trusted script
//! loads would have to change that script first.
//!
//! ```text
//! import helper, yaml          modules `helper` and `yaml`
//! const x = require('./x')     the path `./x`
//! . "$(dirname "$0")/lib.sh"   the path `lib.sh`
//! ```
//!
//! Known limits: names and paths that are computed, loads that span lines without a word that loads on the line of the path,
//! and what programs start that are no shell scripts.

use super::words::Language;

/// Something that a script loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// A Python module, and what is taken out of it, which may be modules as well.
    Module {
        /// How many folders above: `from ..x import y` has 2.
        dots: usize,
        /// Its parts.
        parts: Vec<String>,
        /// What is imported from it.
        items: Vec<String>,
    },
    /// A path, relative to the script or to where it is started.
    Path(String),
    /// A command of a shell.
    Command(Vec<String>),
    /// A package of Node by its name.
    Package(String),
    /// More folders for Python to look for modules in: the texts of the script, some of which may name them.
    Searched(Vec<String>),
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
/// Functions of Python that import by name.
const IMPORTING: [&str; 4] = ["import_module(", "__import__(", "run_module(", "find_spec("];
/// Functions of Python that run a file.
const RUNNING: [&str; 6] =
    ["run_path(", "spec_from_file_location(", "SourceFileLoader(", "load_source(", "exec(", "execfile("];
/// How a script of Python says in which folders modules are looked for.
const SEARCHING: [&str; 5] = ["sys.path", "addsitedir", "PYTHONPATH", "sys as ", "__path__"];

/// Returns what the script `text` loads.
pub fn loads(language: Language, text: &str) -> Vec<Load> {
    match language {
        Language::Python => python(text),
        Language::Shell => {
            let read = text.lines().flat_map(shell).map(Load::Path);
            read.chain(text.lines().flat_map(commands).map(Load::Command)).collect()
        }
        Language::Node | Language::Ruby | Language::Other => {
            let loading = |line: &&str| words(line).any(|word| LOADING.contains(&word));
            let is_package = |path: &str| language == Language::Node && !path.starts_with('.');
            let load = |path: String| if is_package(&path) { Load::Package(path) } else { Load::Path(path) };
            text.lines().filter(loading).flat_map(quoted).map(load).collect()
        }
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
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

/// Returns the commands of a line of a shell script that may start something, as plain words: variables and what is computed are
/// left out, and a path begins behind them.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut plain = uncommented(line).to_owned();
    for (open, close) in [("$(", ')'), ("${", '}')] {
        while let Some(at) = plain.find(open) {
            let end = plain.get(at..).and_then(|rest| rest.find(close)).map_or(plain.len(), |end| at + end + 1);
            plain.replace_range(at..end, "$_");
        }
    }
    let word = |word: &str| {
        let word = word.replace(['"', '\''], "");
        match word.rsplit_once('$') {
            Some((_, rest)) => {
                let name = |c: char| c.is_alphanumeric() || ['_', '@', '*', '#', '?'].contains(&c);
                rest.trim_start_matches(name).trim_start_matches('/').to_owned()
            }
            None => word,
        }
    };
    let command = |text: &str| {
        let words = text.split_whitespace().map(word).filter(|word| !word.is_empty());
        words.skip_while(|word| AHEAD.contains(&word.as_str())).collect::<Vec<_>>()
    };
    let starts = |words: &Vec<String>| words.first().is_some_and(|first| first != "." && first != "source");
    plain.split([';', '&', '|', '(', ')', '{', '}', '`']).map(command).filter(starts).collect()
}

fn python(text: &str) -> Vec<Load> {
    let mut found = Vec::new();
    let from_sys = |line: &str| line.contains("from sys import") && words(line).any(|word| word == "path");
    if SEARCHING.iter().any(|word| text.contains(word)) || text.lines().any(from_sys) {
        found.push(Load::Searched(text.lines().flat_map(quoted).collect()));
    }
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut whole = uncommented(line).to_owned();
        let imports = |text: &str| words(text).any(|word| word == "import");
        while imports(&whole) && (whole.ends_with('\\') || (whole.contains('(') && !whole.contains(')'))) {
            let Some(next) = lines.next() else { break };
            whole.truncate(whole.trim_end_matches('\\').len());
            whole.push(' ');
            whole.push_str(uncommented(next));
        }
        for call in IMPORTING {
            for (at, _) in whole.match_indices(call) {
                let name = quoted(whole.get(at + call.len()..).unwrap_or_default()).into_iter().next();
                found.extend(name.and_then(|name| module(&name, Vec::new())));
            }
        }
        if RUNNING.iter().any(|call| whole.contains(call)) {
            found.extend(quoted(&whole).into_iter().map(Load::Path));
        }
        for statement in whole.split(';') {
            found.extend(imported(statement.trim()));
            found.extend(statement.rsplit_once(": ").map(|(_, behind)| imported(behind.trim())).unwrap_or_default());
        }
    }
    found
}

fn uncommented(line: &str) -> &str {
    line.split_once('#').map_or(line, |(code, _)| code).trim_end()
}

/// Reads one statement.
fn imported(statement: &str) -> Vec<Load> {
    let name = |item: &str| item.split_whitespace().next().map(str::to_owned);
    if let Some(list) = statement.strip_prefix("import ") {
        return list.split(',').filter_map(|item| module(&name(item)?, Vec::new())).collect();
    }
    let parts = statement.strip_prefix("from ").and_then(|rest| rest.split_once("import"));
    let Some((from, items)) = parts else { return Vec::new() };
    let items = items.trim().trim_matches(['(', ')']).split(',').filter_map(|item| name(item.trim_matches(['(', ')'])));
    module(from.trim(), items.collect()).into_iter().collect()
}

fn module(name: &str, items: Vec<String>) -> Option<Load> {
    let bare = name.trim_start_matches('.');
    let dots = name.len() - bare.len();
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let parts: Vec<String> = bare.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let fits = parts.iter().all(|part| is_name(part)) && (dots > 0 || !parts.is_empty());
    let items = items.into_iter().filter(|item| is_name(item)).collect();
    fits.then_some(Load::Module { dots, parts, items })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(load: &Load) -> String {
        match load {
            Load::Path(path) => path.clone(),
            Load::Command(words) => format!("run {}", words.join(" ")),
            Load::Package(name) => format!("package {name}"),
            Load::Searched(words) => format!("in {}", words.join(" ")),
            Load::Module { dots, parts, items } => {
                format!("{}{}:{}", ".".repeat(*dots), parts.join("."), items.join(","))
            }
        }
    }

    fn check(language: Language, text: &str, expected: &[&str]) {
        let found: Vec<String> = loads(language, text).iter().map(say).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_a_script_loads_is_read_off_its_text() {
        check(Language::Python, "import a, b.c as d\n", &["a:", "b.c:"]);
        check(Language::Python, "from a.b import c, d as e  # x\n", &["a.b:c,d"]);
        check(Language::Python, "from a import (\n    b,\n    c,\n)\nimport z\n", &["a:b,c", "z:"]);
        check(Language::Python, "from . import a\nfrom ..b import c\n", &[".:a", "..b:c"]);
        check(Language::Python, "if x: import a\ntry: import b; import c\n", &["a:", "b:", "c:"]);
        check(Language::Python, "import_module(\"a.b\")\n__import__('c')\n", &["a.b:", "c:"]);
        check(Language::Python, "print('important from here')\n", &[]);
        check(Language::Python, "sys.path.append(at('..', \"lib\"))\nimport a\n", &["in .. lib", "a:"]);
        check(Language::Python, "runpy.run_path('lib/x.py')\n", &["lib/x.py"]);
        check(Language::Node, "const a = require('./a'), b = require(\"fs\")\n", &["./a", "package fs"]);
        check(Language::Node, "import x from '#lib/x'\n", &["package #lib/x"]);
        check(
            Language::Node,
            "import x from '../x.mjs'\nexport * from './y'\nimport('./z.js')\n",
            &["../x.mjs", "./y", "./z.js"],
        );
        check(Language::Node, "readFileSync('./data.js')\n", &[]);
        check(Language::Ruby, "require_relative 'lib/a'\nputs './b'\n", &["lib/a"]);
        check(Language::Other, "require './a.pl';\ninclude(\"b.php\");\n", &["./a.pl", "b.php"]);
        check(Language::Shell, ". ./lib.sh\nsource 'b.sh' arg\n", &["./lib.sh", "b.sh"]);
        check(
            Language::Shell,
            ". \"$(dirname \"$0\")/lib.sh\"\nsource \"${BASH_SOURCE%/*}/b.sh\"\n",
            &["lib.sh", "b.sh"],
        );
        check(
            Language::Shell,
            "if true; then . $here/c.sh; fi\necho . d.sh\n",
            &["c.sh", "run true", "run fi", "run echo . d.sh"],
        );
        check(
            Language::Shell,
            "exec python3 \"$(dirname \"$0\")/lib/x.py\" \"$@\"  # all\nA=b ${HERE}/y | grep '$z'\n",
            &["run exec python3 lib/x.py", "run A=b y", "run grep"],
        );
    }
}
