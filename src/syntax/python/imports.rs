//! What a module imports, wherever it does so, and the texts that it holds.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, InterpolatedStringElement, Stmt};

use super::module;
use super::source::Text;

/// What a module imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imports {
    /// In the order of the file.
    pub modules: Vec<Import>,
    /// Files that it runs by their paths.
    pub runs: Vec<String>,
    /// What is written in its strings, f-strings in pieces.
    pub texts: Vec<String>,
}

/// One module, and what is taken out of it, which may be modules as well.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
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
const RUNNING: [&str; 6] =
    ["run_path", "spec_from_file_location", "SourceFileLoader", "load_source", "exec", "execfile"];

/// Returns what the module `source` imports, of a broken one what can be told; nothing of one that is nested too deeply.
pub fn imports(source: &[u8]) -> Imports {
    let text = Text::of(source);
    let read = |module: &ruff_python_parser::Parsed<ruff_python_ast::ModModule>| {
        let mut walker = Walker::default();
        walker.visit_body(&module.syntax().body);
        walker.0
    };
    module::parsed(text.as_str(), super::NEWEST_MINOR, read).unwrap_or_default()
}

#[derive(Default)]
struct Walker(Imports);

impl Walker {
    fn add(&mut self, dots: usize, name: &str, items: Vec<String>) {
        let parts: Vec<String> = name.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let is_name = |part: &String| part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if (dots > 0 || !parts.is_empty()) && parts.iter().all(is_name) {
            self.0.modules.push(Import { dots, parts, items });
        }
    }
}

impl<'a> Visitor<'a> for Walker {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.add(0, alias.name.as_str(), Vec::new())),
            Stmt::ImportFrom(import) => {
                let name = import.module.as_ref().map_or("", |name| name.as_str());
                let items = import.names.iter().map(|alias| alias.name.to_string()).collect();
                self.add(usize::try_from(import.level).unwrap_or(usize::MAX), name, items);
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::StringLiteral(text) = expression {
            self.0.texts.push(text.value.to_str().to_owned());
        }
        let first = self.0.texts.len();
        let mut runs = false;
        if let Expr::Call(call) = expression {
            let function = match &*call.func {
                Expr::Name(function) => function.id.as_str(),
                Expr::Attribute(function) => function.attr.as_str(),
                _ => "",
            };
            runs = RUNNING.contains(&function);
            if let Some(Expr::StringLiteral(name)) =
                call.arguments.args.first().filter(|_| IMPORTING.contains(&function))
            {
                let name = name.value.to_str();
                let bare = name.trim_start_matches('.');
                self.add(name.len() - bare.len(), bare, Vec::new());
            }
        }
        visitor::walk_expr(self, expression);
        if runs {
            self.0.runs.extend(self.0.texts.iter().skip(first).cloned());
        }
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if let InterpolatedStringElement::Literal(literal) = element {
            self.0.texts.push(literal.value.to_string());
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
            let say = |it: &Import| format!("{}{}:{}", ".".repeat(it.dots), it.parts.join("."), it.items.join(","));
            assert_eq!(found.modules.iter().map(say).collect::<Vec<_>>(), expected, "{source}");
            assert_eq!(found.texts, texts, "{source}");
        };
        check("import a, b.c as d\n", &["a:", "b.c:"], &[]);
        check("from a.b import c, d as e  # x\n", &["a.b:c,d"], &[]);
        check("from a import (\n    b,\n    c,\n)\nimport\tz\n", &["a:b,c", "z:"], &[]);
        check("from . import a\nfrom ..b import *\n", &[".:a", "..b:*"], &[]);
        check("if 1:import a\ntry: import b; import c\nexcept E: from d import e\n", &["a:", "b:", "c:", "d:e"], &[]);
        check("x = '#'; import a\ndef f():\n  def g(): import b\n", &["a:", "b:"], &["#"]);
        check("importlib.import_module('a.b')\n__import__(\"c\")\n", &["a.b:", "c:"], &["a.b", "c"]);
        check("import_module('.a', __package__)\n", &[".a:"], &[".a"]);
        check("f'{here}/lib/x.py' 'y'\n", &[], &["/lib/x.py"]);
        assert_eq!(
            imports(b"run_path(\n  'a.py'\n)\nexec(open(\"b.py\").read())\nopen('c.py')\n").runs,
            ["a.py", "b.py"]
        );
        check("import a\nprint 'b'\n", &["a:"], &["b"]);
        check("'import a'\n# import b\n", &[], &["import a"]);
    }
}
