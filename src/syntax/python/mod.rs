//! Python: what its files define, what CPython would reject in them, what each line is to an indentation.
//!
//! A file that parses is read by a real Python parser (`outline`), one that does not by tree-sitter (`recovered`),
//! which makes something of everything. Deliberately not here: type aliases (`type X = …`) are no segments, as the
//! contract names none; stub files and notebooks have no rules of their own.

mod comments;
mod elements;
mod errors;
mod imports;
mod members;
mod module;
mod names;
mod outline;
mod pieces;
mod recovered;
mod reread;
mod roles;
mod scopes;
mod source;
mod statements;
mod surroundings;
mod tabs;

pub use imports::{Import, Imports, imports};

use crate::syntax::{
    Grammar, Habits, Kind, Language, Member, Names, Outline, Second, Statement, Symbol, SyntaxError,
};
use crate::text::indent::LineRole;
use crate::text::splice::Splices;
use crate::text::{Span, leading_blank};

use ruff_python_ast::ModModule;
use source::Text;

/// Python, any version 3 that the parser knows; of Python 2 what can be told.
pub static PYTHON: Language = Language {
    name: "Python",
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 2,
        blank_lines_nested: 1,
        offside: true,
        empty_body: Some("pass"),
        body_opener: ":",
        unit: "    ",
        exports: &[],
        second: Second::TakesPlace,
        names: Names::PLAIN,
    },
    grammar: &Python,
};

/// Python's grammar.
pub struct Python;

/// The newest minor version that the parser knows: nothing is an error that some Python takes, but for what the
/// newest no longer does.
pub const NEWEST_MINOR: u8 = ruff_python_ast::PythonVersion::PY315.minor;

/// Where statements stand; it decides what a function is called and whether an assignment is a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Module,
    Class,
    Function,
}

impl Scope {
    fn inside(parent: Option<Kind>) -> Scope {
        match parent {
            Some(Kind::Class) => Scope::Class,
            Some(Kind::Function | Kind::Method) => Scope::Function,
            _ => Scope::Module,
        }
    }
}

impl Grammar for Python {
    fn outline(&self, source: &[u8]) -> Outline {
        let text = Text::of(source);
        pieces::outlined(&text).unwrap_or_else(|| read(&text, Scope::Module))
    }

    fn parting_outline(&self, source: &[u8]) -> Outline {
        let text = Text::of(source);
        if let Some(outline) = pieces::outlined_at_parting(&text) {
            return outline;
        }
        let outline =
            |module: &ruff_python_parser::Parsed<_>| outlined(&text, module, Scope::Module);
        let found = module::parsed_at_parting(text.as_str(), NEWEST_MINOR, outline);
        found
            .ok()
            .flatten()
            .unwrap_or_else(|| recovered::outline(&text, Scope::Module))
    }

    fn fragment_outline(&self, fragment: &[u8], parent: Option<Kind>) -> Outline {
        let scope = Scope::inside(parent);
        if !is_indented(fragment) {
            return read(&Text::of(fragment), scope);
        }
        // Under a header that opens a block, indented lines are a file like any other.
        let wrapped = [HEADER, fragment].concat();
        let mut outline = read(&Text::of(&wrapped), scope);
        outline
            .symbols
            .iter_mut()
            .for_each(|symbol| unwrap_spans(symbol, HEADER.len()));
        outline
    }

    fn read_fragment(
        &self,
        fragment: &[u8],
        parent: Option<Kind>,
    ) -> (Outline, Option<Vec<LineRole>>) {
        // What stands under a header of ours has its lines elsewhere.
        if !is_indented(fragment) {
            let text = Text::of(fragment);
            let both = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
                let outline = outlined(&text, module, Scope::inside(parent))?;
                Some((outline, roles::of_module(fragment, module, parent)))
            });
            if let Ok(Some((outline, roles))) = both {
                return (outline, Some(roles));
            }
        }
        (self.fragment_outline(fragment, parent), None)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        errors_of(source, NEWEST_MINOR)
    }

    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        let text = Text::of(source);
        if let Some(outline) = pieces::sound(&text) {
            return (outline, Vec::new());
        }
        let both = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
            let outline = module
                .has_valid_syntax()
                .then(|| outline::outline(&text, module, Scope::Module));
            (outline, errors::found(text.as_str(), module, NEWEST_MINOR))
        });
        let (outline, errors) =
            both.unwrap_or_else(|too_deep| (None, vec![errors::too_deep(too_deep)]));
        let outline = outline.unwrap_or_else(|| recovered::outline(&text, Scope::Module));
        (
            Outline {
                sound: errors.is_empty(),
                ..outline
            },
            errors,
        )
    }

    fn reread(
        &self,
        old: &[u8],
        outline: &Outline,
        new: &[u8],
        splices: &Splices,
    ) -> Option<Outline> {
        reread::reread(old, outline, new, splices)
    }

    fn statements(&self, source: &[u8], parent: Option<Kind>) -> Option<Vec<Statement>> {
        let wrapped = parent.map(|_| [HEADER, source].concat());
        let ahead = if wrapped.is_some() { HEADER.len() } else { 0 };
        let text = Text::of(wrapped.as_deref().unwrap_or(source));
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            let body = &module.syntax().body[..];
            let body = match body {
                [ruff_python_ast::Stmt::If(wrapper)]
                    if ahead > 0 && wrapper.elif_else_clauses.is_empty() =>
                {
                    &wrapper.body[..]
                }
                _ if ahead > 0 => return None,
                _ => body,
            };
            module
                .has_valid_syntax()
                .then(|| statements::of(text.as_str(), body))
        };
        let mut found = module::parsed(text.as_str(), NEWEST_MINOR, read).ok()??;
        for statement in &mut found {
            *statement = statement.moved(|offset| offset.saturating_sub(ahead));
        }
        Some(found)
    }

    fn elements(&self, source: &[u8], parent: Option<Kind>) -> Vec<Span> {
        let wrapped = parent.map(|_| [HEADER, source].concat());
        let ahead = if wrapped.is_some() { HEADER.len() } else { 0 };
        let text = Text::of(wrapped.as_deref().unwrap_or(source));
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            elements::of(text.as_str(), module.syntax())
        };
        let found = module::parsed(text.as_str(), NEWEST_MINOR, read).unwrap_or_default();
        let inside = found.into_iter().filter(|element| element.start >= ahead);
        inside
            .map(|element| Span::new(element.start - ahead, element.end - ahead))
            .collect()
    }

    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        let text = Text::of(source);
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            members::of(text.as_str(), &module.syntax().body, definitions)
        };
        let found = module::parsed(text.as_str(), NEWEST_MINOR, read);
        found.unwrap_or_else(|_| definitions.iter().map(|_| Vec::new()).collect())
    }

    fn parted_operands(&self, (old, new): (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        crate::syntax::tree::parted(recovered::tree, (old, new), pairs)
    }

    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        // The outline tells docstrings of definitions.
        if body.is_some() {
            return None;
        }
        let text = Text::of(source);
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            statements::lead(&module.syntax().body)
        };
        module::parsed(text.as_str(), NEWEST_MINOR, read)
            .ok()
            .flatten()
    }

    fn line_roles(&self, fragment: &[u8], parent: Option<Kind>) -> Vec<LineRole> {
        roles::line_roles(fragment, parent)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let text = Text::of(source);
        let found = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
            outline::comments(module.tokens())
        });
        found.unwrap_or_else(|_| recovered::comments(source))
    }
}

/// Returns the errors that CPython 3.`minor` would report, in file order.
pub fn errors_of(source: &[u8], minor: u8) -> Vec<SyntaxError> {
    errors::errors(&Text::of(source), minor)
}

/// Returns the outline of a file that parses, else `None`.
pub fn parsed_outline(source: &[u8]) -> Option<Outline> {
    parsed(&Text::of(source), Scope::Module)
}

/// Returns the outline of any file as tree-sitter sees it.
pub fn recovered_outline(source: &[u8]) -> Outline {
    recovered::outline(&Text::of(source), Scope::Module)
}

fn read(text: &Text, scope: Scope) -> Outline {
    parsed(text, scope).unwrap_or_else(|| recovered::outline(text, scope))
}

fn parsed(text: &Text, scope: Scope) -> Option<Outline> {
    module::parsed(text.as_str(), NEWEST_MINOR, |module| {
        outlined(text, module, scope)
    })
    .ok()
    .flatten()
}

fn outlined(
    text: &Text,
    module: &ruff_python_parser::Parsed<ModModule>,
    scope: Scope,
) -> Option<Outline> {
    module
        .has_valid_syntax()
        .then(|| outline::outline(text, module, scope))
}

const HEADER: &[u8] = b"if 1:\n";

/// Says whether the first line of code is indented.
fn is_indented(fragment: &[u8]) -> bool {
    let blank = |line: &&[u8]| {
        let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
        first.is_none_or(|&byte| byte == b'#')
    };
    let first = fragment
        .split(|&byte| byte == b'\n')
        .find(|line| !blank(line));
    first.is_some_and(|line| !leading_blank(line).is_empty())
}

#[cfg(test)]
mod tests;

fn unwrap_spans(symbol: &mut Symbol, by: usize) {
    each_span(symbol, &mut |span| {
        *span = Span::new(span.start.saturating_sub(by), span.end.saturating_sub(by))
    });
}

fn each_span(symbol: &mut Symbol, change: &mut dyn FnMut(&mut Span)) {
    change(&mut symbol.definition);
    change(&mut symbol.signature);
    symbol
        .decorations
        .iter_mut()
        .for_each(|decoration| change(&mut decoration.span));
    [
        &mut symbol.trailing,
        &mut symbol.body,
        &mut symbol.docstring,
    ]
    .into_iter()
    .flatten()
    .for_each(&mut *change);
    symbol
        .children
        .iter_mut()
        .for_each(|child| each_span(child, change));
}
