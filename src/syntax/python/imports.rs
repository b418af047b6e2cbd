//! What a module imports, wherever it does so, what it runs in other ways, and the texts that it holds.
//!
//! Paths are put together as far as they are written: `os.path.join(here, "..", "lib")` is `../lib`, with what is not known
//! left out at the front. A name stands for the last text that was given to it. Known limits: whatever else is computed.

use std::collections::HashMap;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, FStringPart, InterpolatedStringElement, Operator, Stmt};

use super::module;
use super::source::SourceText;

/// What a module imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imports {
    /// In the order of the file.
    pub modules: Vec<PythonImport>,
    /// Files that it runs by their paths.
    pub runs: Vec<String>,
    /// What is written in its strings, f-strings in pieces, and what is put together of them.
    pub texts: Vec<String>,
    /// Texts that it runs as Python.
    pub programs: Vec<String>,
    /// Texts that it has a shell run, or a program; `$_` stands for what is not known.
    pub commands: Vec<String>,
    /// Lists of words that are a command, if they begin like one. What is not known is empty.
    pub lists: Vec<Vec<String>>,
    /// Whether it runs files that it may name elsewhere.
    pub runs_files: bool,
}

/// One module, and what is taken out of it, which may be modules as well.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PythonImport {
    /// How many folders above: `from ..x import y` has 2.
    pub dots: usize,
    /// Its parts.
    pub parts: Vec<String>,
    /// What is imported from it: names, or `*`.
    pub items: Vec<String>,
}

/// Functions that import what their first argument names.
const IMPORTING: [&str; 4] = ["import_module", "__import__", "run_module", "find_spec"];

/// Functions that run the file which one of their arguments names.
const RUNNING: [&str; 6] = [
    "run_path",
    "spec_from_file_location",
    "SourceFileLoader",
    "load_source",
    "exec",
    "execfile",
];

/// Functions that run a text of Python.
const EVALUATING: [&str; 3] = ["exec", "eval", "compile"];

/// Functions that start the command which their arguments are.
const STARTING: [&str; 33] = [
    "run",
    "Popen",
    "call",
    "check_call",
    "check_output",
    "getoutput",
    "getstatusoutput",
    "system",
    "popen",
    "execl",
    "execle",
    "execlp",
    "execlpe",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "spawnl",
    "spawnle",
    "spawnlp",
    "spawnlpe",
    "spawnv",
    "spawnve",
    "spawnvp",
    "spawnvpe",
    "posix_spawn",
    "posix_spawnp",
    "create_subprocess_exec",
    "create_subprocess_shell",
    "subprocess_exec",
    "subprocess_shell",
    "spawn",
    "sh",
];

/// Functions and methods whose arguments are parts of a path.
const JOINING: [&str; 7] = [
    "join",
    "joinpath",
    "Path",
    "PurePath",
    "PosixPath",
    "PurePosixPath",
    "with_name",
];
/// Those that return the path which they are given, in another form.
const PASSING: [&str; 13] = [
    "str",
    "fspath",
    "abspath",
    "realpath",
    "normpath",
    "expanduser",
    "resolve",
    "absolute",
    "as_posix",
    "fsdecode",
    "fsencode",
    "strip",
    "split",
];

/// What stands for what is not known. No path holds it.
const UNKNOWN: char = '\0';
/// Longest text that is put together.
const LONGEST: usize = 1000;

/// Returns what the module `source` imports, of a broken one what can be found; nothing of one that is nested too deeply.
pub fn imports(source: &[u8]) -> Imports {
    let text = SourceText::of(source);
    let read = |module: &ruff_python_parser::Parsed<ruff_python_ast::ModModule>| {
        let mut walker = ImportWalker::default();
        walker.visit_body(&module.syntax().body);
        walker.found
    };
    module::parsed(text.as_str(), super::NEWEST_MINOR, read).unwrap_or_default()
}

#[derive(Default)]
struct ImportWalker {
    found: Imports,
    /// What names were given.
    values: HashMap<String, String>,
    /// Whether the expression at hand is part of one that was put together.
    inside: bool,
    /// How many calls around it run what they are given.
    running: usize,
}

/// Returns the name of the function or method that is called.
fn called(call: &ExprCall) -> &str {
    match &*call.func {
        Expr::Name(function) => function.id.as_str(),
        Expr::Attribute(function) => function.attr.as_str(),
        _ => "",
    }
}

/// Says whether `expression` is put together of others.
fn is_composed(expression: &Expr) -> bool {
    match expression {
        Expr::BinOp(operation) => {
            matches!(operation.op, Operator::Add | Operator::Div | Operator::Mod)
        }
        Expr::FString(_) => true,
        Expr::Call(call) => {
            let name = called(call);
            JOINING.contains(&name) || PASSING.contains(&name) || name == "format"
        }
        _ => false,
    }
}

/// Returns what is known of `text` at its end, as a path.
fn known(text: &str) -> Option<&str> {
    match text.rsplit_once(UNKNOWN) {
        Some((_, rest)) => Some(rest.trim_start_matches('/')),
        None => Some(text),
    }
    .filter(|rest| !rest.is_empty())
}

impl ImportWalker {
    fn add(&mut self, dots: usize, name: &str, items: Vec<String>) {
        let parts: Vec<String> = name
            .split('.')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let is_name = |part: &String| {
            part.chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
        };
        if (dots > 0 || !parts.is_empty()) && parts.iter().all(is_name) {
            self.found.modules.push(PythonImport { dots, parts, items });
        }
    }

    /// Writes after `text` what `expression` says, `UNKNOWN` for what is not known.
    fn compose(&self, expression: &Expr, text: &mut String) {
        if text.len() > LONGEST {
            return;
        }
        match expression {
            Expr::StringLiteral(literal) => text.push_str(literal.value.to_str()),
            Expr::BytesLiteral(literal) => {
                text.push_str(&String::from_utf8_lossy(
                    &literal.value.bytes().collect::<Vec<u8>>(),
                ));
            }
            Expr::Name(name) => match self.values.get(name.id.as_str()) {
                Some(value) => text.push_str(value),
                None => text.push(UNKNOWN),
            },
            // As it is called on the command line.
            Expr::Attribute(attribute) if attribute.attr.as_str() == "executable" => {
                text.push_str("python3")
            }
            Expr::FString(string) => {
                for part in &string.value {
                    match part {
                        FStringPart::Literal(literal) => text.push_str(&literal.value),
                        FStringPart::FString(string) => {
                            string.elements.iter().for_each(|element| match element {
                                InterpolatedStringElement::Literal(literal) => {
                                    text.push_str(&literal.value)
                                }
                                InterpolatedStringElement::Interpolation(inner) => {
                                    self.compose(&inner.expression, text)
                                }
                            })
                        }
                    }
                }
            }
            Expr::BinOp(operation) => {
                self.compose(&operation.left, text);
                match operation.op {
                    Operator::Add => self.compose(&operation.right, text),
                    Operator::Div => {
                        text.push('/');
                        self.compose(&operation.right, text);
                    }
                    Operator::Mod => *text = text.replace("%s", "\0").replace("%r", "\0"),
                    _ => text.push(UNKNOWN),
                }
            }
            Expr::Call(call) => self.compose_call(call, text),
            _ => text.push(UNKNOWN),
        }
    }

    fn compose_call(&self, call: &ExprCall, text: &mut String) {
        let name = called(call);
        let receiver = match &*call.func {
            Expr::Attribute(function) => Some(&*function.value),
            _ => None,
        };
        // A module is none: `os.path.join`.
        let own = receiver.filter(|receiver| match receiver {
            Expr::Attribute(inner) => inner.attr.as_str() == "parent",
            Expr::Name(name) => self.values.contains_key(name.id.as_str()),
            _ => true,
        });
        if name == "format" {
            receiver
                .into_iter()
                .for_each(|receiver| self.compose(receiver, text));
            // What is in braces is not known.
            let mut rest = std::mem::take(text);
            while let Some((before, after)) = rest.clone().split_once('{') {
                text.push_str(before);
                text.push(UNKNOWN);
                rest = after
                    .split_once('}')
                    .map_or("", |(_, after)| after)
                    .to_owned();
            }
            text.push_str(&rest);
        } else if JOINING.contains(&name) {
            let is_separator = matches!(own, Some(Expr::StringLiteral(_)));
            let parts = own
                .filter(|_| !is_separator)
                .into_iter()
                .chain(&call.arguments.args);
            let listed: Vec<&Expr> = match &*call.arguments.args {
                [Expr::List(list)] if is_separator => list.elts.iter().collect(),
                [Expr::Tuple(list)] if is_separator => list.elts.iter().collect(),
                _ => parts.collect(),
            };
            let separator = match own {
                Some(Expr::StringLiteral(literal)) => literal.value.to_str(),
                _ => "/",
            };
            for (at, part) in listed.into_iter().enumerate() {
                text.push_str(if at > 0 { separator } else { "" });
                self.compose(part, text);
            }
        } else if PASSING.contains(&name) {
            match own
                .filter(|_| name != "str")
                .or(call.arguments.args.first())
            {
                Some(inner) => self.compose(inner, text),
                None => text.push(UNKNOWN),
            }
        } else {
            text.push(UNKNOWN);
        }
    }

    fn text(&self, expression: &Expr) -> String {
        let mut text = String::new();
        self.compose(expression, &mut text);
        if text.len() > LONGEST {
            UNKNOWN.to_string()
        } else {
            text
        }
    }

    /// Returns the word of a command that `expression` is, empty where it is not known.
    fn word(&self, expression: &Expr) -> String {
        known(&self.text(expression)).unwrap_or_default().to_owned()
    }

    fn imported(&mut self, call: &ExprCall) {
        let Some(first) = call.arguments.args.first() else {
            return;
        };
        let name = self.text(first);
        // `"lib." + name`: any of its modules.
        if let Some((package, _)) = name.split_once(UNKNOWN) {
            if let Some(package) = package.strip_suffix('.') {
                self.add(0, package, vec!["*".to_owned()]);
            }
            return;
        }
        let bare = name.trim_start_matches('.');
        let dots = name.len() - bare.len();
        let second = call
            .arguments
            .find_argument_value("package", 1)
            .map(|package| self.text(package));
        match second.filter(|package| dots > 0 && !package.contains(UNKNOWN)) {
            Some(package) => {
                let parts: Vec<&str> = package.split('.').collect();
                let above = parts
                    .get(..parts.len().saturating_sub(dots - 1))
                    .unwrap_or_default()
                    .join(".");
                self.add(0, &format!("{above}.{bare}"), Vec::new());
            }
            None => self.add(dots, bare, Vec::new()),
        }
    }

    fn call(&mut self, call: &ExprCall) {
        let name = called(call);
        if IMPORTING.contains(&name) {
            self.imported(call);
        }
        if !EVALUATING.contains(&name) && !STARTING.contains(&name) {
            return;
        }
        let arguments: Vec<String> = call
            .arguments
            .args
            .iter()
            .map(|argument| self.text(argument))
            .collect();
        if EVALUATING.contains(&name)
            && let Some(text) = arguments.first().filter(|text| !text.contains(UNKNOWN))
        {
            self.found.programs.push(text.clone());
        }
        if STARTING.contains(&name) {
            let words: Vec<String> = arguments
                .iter()
                .map(|text| known(text).unwrap_or_default().to_owned())
                .collect();
            // A list's first word is a program.
            let programs = call
                .arguments
                .args
                .iter()
                .filter_map(|argument| match argument {
                    Expr::List(list) => list.elts.first(),
                    _ => None,
                });
            let programs: Vec<String> = programs.map(|program| self.word(program)).collect();
            self.found
                .commands
                .extend(programs.into_iter().filter(|program| !program.is_empty()));
            let texts = arguments
                .iter()
                .filter(|text| known(text).is_some() || text.contains(' '));
            self.found
                .commands
                .extend(texts.map(|text| text.replace(UNKNOWN, "$_")));
            if words.len() > 1 {
                self.found.lists.push(words);
            }
        }
    }

    fn list(&mut self, elements: &[Expr]) {
        if let [first, _, ..] = elements
            && !matches!(
                first,
                Expr::NumberLiteral(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Dict(_)
            )
        {
            let words: Vec<String> = elements.iter().map(|element| self.word(element)).collect();
            if words.first().is_some_and(|first| !first.is_empty()) {
                self.found.lists.push(words);
            }
        }
    }
}

impl<'a> Visitor<'a> for ImportWalker {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => import
                .names
                .iter()
                .for_each(|alias| self.add(0, alias.name.as_str(), Vec::new())),
            Stmt::ImportFrom(import) => {
                let name = import.module.as_ref().map_or("", |name| name.as_str());
                let items = import
                    .names
                    .iter()
                    .map(|alias| alias.name.to_string())
                    .collect();
                self.add(
                    usize::try_from(import.level).unwrap_or(usize::MAX),
                    name,
                    items,
                );
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
        let (target, value) = match statement {
            Stmt::Assign(assignment) => match &*assignment.targets {
                [Expr::Name(name)] => (Some(name), Some(&assignment.value)),
                _ => (None, None),
            },
            Stmt::AnnAssign(assignment) => match &*assignment.target {
                Expr::Name(name) => (Some(name), assignment.value.as_ref()),
                _ => (None, None),
            },
            _ => (None, None),
        };
        if let (Some(name), Some(value)) = (target, value) {
            let text = self.text(value);
            if known(&text).is_some() {
                self.values.insert(name.id.to_string(), text);
            }
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::StringLiteral(text) = expression {
            self.found.texts.push(text.value.to_str().to_owned());
        }
        let first = self.found.texts.len();
        let is_composed = is_composed(expression);
        if is_composed && !self.inside {
            let text = self.text(expression);
            if let Some(text) = known(&text) {
                self.found.texts.push(text.to_owned());
            }
        }
        let mut runs = false;
        match expression {
            Expr::Call(call) => {
                runs = RUNNING.contains(&called(call));
                self.found.runs_files |= runs;
                self.call(call);
            }
            Expr::Name(_) if self.running > 0 => {
                self.found
                    .texts
                    .extend(Some(self.word(expression)).filter(|text| !text.is_empty()));
            }
            Expr::List(list) => self.list(&list.elts),
            Expr::Tuple(list) => self.list(&list.elts),
            _ => {}
        }
        let outer = std::mem::replace(&mut self.inside, is_composed);
        self.running += usize::from(runs);
        visitor::walk_expr(self, expression);
        self.running -= usize::from(runs);
        self.inside = outer;
        if runs {
            self.found
                .runs
                .extend(self.found.texts.iter().skip(first).cloned());
        }
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if let InterpolatedStringElement::Literal(literal) = element {
            self.found.texts.push(literal.value.to_string());
        }
        visitor::walk_interpolated_string_element(self, element);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_import_is_seen_wherever_it_stands() {
        let check = |source: &str, expected: &[&str], texts: &[&str]| {
            let found = imports(source.as_bytes());
            let say = |it: &PythonImport| {
                format!(
                    "{}{}:{}",
                    ".".repeat(it.dots),
                    it.parts.join("."),
                    it.items.join(",")
                )
            };
            assert_eq!(
                found.modules.iter().map(say).collect::<Vec<_>>(),
                expected,
                "{source}"
            );
            assert_eq!(found.texts, texts, "{source}");
        };
        check("import a, b.c as d\n", &["a:", "b.c:"], &[]);
        check("from a.b import c, d as e  # x\n", &["a.b:c,d"], &[]);
        check(
            "from a import (\n    b,\n    c,\n)\nimport\tz\n",
            &["a:b,c", "z:"],
            &[],
        );
        check(
            "from . import a\nfrom ..b import *\n",
            &[".:a", "..b:*"],
            &[],
        );
        check(
            "if 1:import a\ntry: import b; import c\nexcept E: from d import e\n",
            &["a:", "b:", "c:", "d:e"],
            &[],
        );
        check(
            "x = '#'; import a\ndef f():\n  def g(): import b\n",
            &["a:", "b:"],
            &["#"],
        );
        check(
            "importlib.import_module('a.b')\n__import__(\"c\")\n",
            &["a.b:", "c:"],
            &["a.b", "c"],
        );
        check("import_module('.a', __package__)\n", &[".a:"], &[".a"]);
        check("f'{here}/lib/x.py' 'y'\n", &[], &["lib/x.pyy", "/lib/x.py"]);
        check(
            "p(os.path.join(h, '..', 'a') + '/b')\n",
            &[],
            &["../a/b", "..", "a", "/b"],
        );
        check(
            "import_module('.a', 'b.c')\n__import__('d.' + e)\n",
            &["b.c.a:", "d:*"],
            &[".a", "b.c", "d."],
        );
        check(
            "import_module('..a', package='b.c')\n",
            &["b.a:"],
            &["..a", "b.c"],
        );
        assert_eq!(
            imports(b"run_path(\n  'a.py'\n)\nexec(open(\"b.py\").read())\nopen('c.py')\n").runs,
            ["a.py", "b.py"]
        );
        let found =
            imports(b"A = H / 'a'\nrun_path(A / f'{b}c' / 'd.py')\ncall(['x', y, sys.executable])\nexec('z')\n");
        assert_eq!(found.runs, ["c/d.py", "a", "c", "d.py", "z"]);
        assert_eq!(
            (found.lists, found.commands),
            (
                vec![vec!["x".into(), "".into(), "python3".into()]],
                vec!["x".into()]
            )
        );
        assert_eq!(
            (found.programs, found.runs_files),
            (vec!["z".to_owned()], true)
        );
        check("import a\nprint 'b'\n", &["a:"], &["b"]);
        check("'import a'\n# import b\n", &[], &["import a"]);
    }
}
