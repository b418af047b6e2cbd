//! Python as a language: its name, its habits, and its grammar.

use ruff_python_ast::ModModule;

use super::fragment::{HEADER, body_under_header, is_indented, under_header};
use super::module::{self, NEWEST_MINOR};
use super::outline::{self, StatementScope};
use super::read::{errors_of, outlined, read};
use super::source::SourceText;
use super::spans::unwrap_spans;
use super::{elements, errors, items, members, pieces, recovered, reread, roles, statements};
use crate::syntax::{
    Grammar, Habits, ItemKind, ItemList, Language, Member, NameCharacters, Outline, Redefinition,
    SegmentKind, Statement, Symbol, SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;
use crate::text::splice::Splices;

/// Python, any version 3 that the parser knows; of Python 2 what can be found.
pub static PYTHON: Language = Language {
    name: "Python",
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "pypy"],
    called: &["python", "py"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 2,
        blank_lines_nested: 1,
        offside: true,
        conditional_lines: false,
        empty_body: Some("pass"),
        body_opener: ":",
        block_ends: &[],
        unit: "    ",
        exports: &[],
        second: Redefinition::TakesPlace { variables: true },
        names: NameCharacters::PLAIN,
    },
    grammar: &Python,
};

/// Python's grammar.
pub struct Python;

impl Grammar for Python {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![
            SegmentKind::Function,
            SegmentKind::Method,
            SegmentKind::Class,
            SegmentKind::Variable,
        ]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        let text = SourceText::of(source);
        pieces::outlined(&text).unwrap_or_else(|| read(&text, StatementScope::Module))
    }

    fn parting_outline(&self, source: &[u8]) -> Outline {
        let text = SourceText::of(source);
        if let Some(outline) = pieces::outlined_at_parting(&text) {
            return outline;
        }
        let outline = |module: &ruff_python_parser::Parsed<_>| {
            outlined(&text, module, StatementScope::Module)
        };
        let found = module::parsed_at_parting(text.as_str(), NEWEST_MINOR, outline);
        found
            .ok()
            .flatten()
            .unwrap_or_else(|| recovered::outline(&text, StatementScope::Module))
    }

    fn fragment_outline(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Outline {
        let scope = StatementScope::inside(parent);
        if !is_indented(fragment) {
            return read(&SourceText::of(fragment), scope);
        }
        // Under a header that opens a block, indented lines are a file like any other.
        let wrapped = [HEADER, fragment].concat();
        let mut outline = read(&SourceText::of(&wrapped), scope);
        outline
            .symbols
            .iter_mut()
            .for_each(|symbol| unwrap_spans(symbol, HEADER.len()));
        outline
    }

    fn read_fragment(
        &self,
        fragment: &[u8],
        parent: Option<SegmentKind>,
    ) -> (Outline, Option<Vec<LineRole>>) {
        // What is under a header of ours has its lines elsewhere.
        if !is_indented(fragment) {
            let text = SourceText::of(fragment);
            let both = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
                let outline = outlined(&text, module, StatementScope::inside(parent))?;
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
        let text = SourceText::of(source);
        if let Some(outline) = pieces::outline_without_errors(&text) {
            return (outline, Vec::new());
        }
        let both = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
            let outline = module
                .has_valid_syntax()
                .then(|| outline::outline(&text, module, StatementScope::Module));
            (
                outline,
                errors::errors_in_module(text.as_str(), module, NEWEST_MINOR),
            )
        });
        let (outline, errors) =
            both.unwrap_or_else(|too_deep| (None, vec![errors::too_deep(too_deep)]));
        let outline = outline.unwrap_or_else(|| recovered::outline(&text, StatementScope::Module));
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

    fn statements(&self, source: &[u8], parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        let (code, header_length) = under_header(source, parent);
        let text = SourceText::of(&code);
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            let body = body_under_header(&module.syntax().body, header_length > 0)?;
            module
                .has_valid_syntax()
                .then(|| statements::find_statements(text.as_str(), body))
        };
        let mut found = module::parsed(text.as_str(), NEWEST_MINOR, read).ok()??;
        for statement in &mut found {
            *statement = statement.moved(|offset| offset.saturating_sub(header_length));
        }
        Some(found)
    }

    fn elements(&self, source: &[u8], parent: Option<SegmentKind>) -> Vec<Span> {
        let (code, header_length) = under_header(source, parent);
        let text = SourceText::of(&code);
        let found = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
            elements::find_elements(text.as_str(), module.syntax())
        })
        .unwrap_or_default();
        let inside = found
            .into_iter()
            .filter(|element| element.start >= header_length);
        inside
            .map(|element| Span::new(element.start - header_length, element.end - header_length))
            .collect()
    }

    fn items(&self, source: &[u8], symbol: &Symbol, kind: ItemKind) -> Option<ItemList> {
        let text = SourceText::of(source);
        module::parsed(text.as_str(), NEWEST_MINOR, |module| {
            let is_sound = module.has_valid_syntax();
            is_sound.then(|| items::find_items(text.as_str(), module, symbol, kind))?
        })
        .ok()?
    }

    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        let text = SourceText::of(source);
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            members::members_of_definitions(text.as_str(), &module.syntax().body, definitions)
        };
        let found = module::parsed(text.as_str(), NEWEST_MINOR, read);
        found.unwrap_or_else(|_| definitions.iter().map(|_| Vec::new()).collect())
    }

    fn parted_operands(&self, (old, new): (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        crate::syntax::tree::parted(recovered::tree, (old, new), pairs)
    }

    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        // The outline has the docstrings of definitions.
        if body.is_some() {
            return None;
        }
        let text = SourceText::of(source);
        let read = |module: &ruff_python_parser::Parsed<ModModule>| {
            statements::lead(&module.syntax().body)
        };
        module::parsed(text.as_str(), NEWEST_MINOR, read)
            .ok()
            .flatten()
    }

    fn line_roles(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Vec<LineRole> {
        roles::line_roles(fragment, parent)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let text = SourceText::of(source);
        let found = module::parsed(text.as_str(), NEWEST_MINOR, |module| {
            outline::comments(module.tokens())
        });
        found.unwrap_or_else(|_| recovered::comments(source))
    }
}
