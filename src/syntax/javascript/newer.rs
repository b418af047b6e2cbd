//! Words and members that the language has and the grammars have not: modifiers of a type's parameters (`in`, `out`), `accessor`,
//! `export type *`, the phases of an import, a member called like a keyword, members of a type that end with their line, and `&` in the text of
//! JSX.

use oxc_allocator::ArenaVec;
use oxc_ast::ast::{
    AccessorProperty, BindingIdentifier, ClassElement, ExportAllDeclaration, IdentifierReference,
    ImportDeclaration, JSXAttribute, JSXAttributeValue, JSXText, PropertyKey, Statement,
    TSMethodSignature, TSPropertySignature, TSSignature, TSTemplateLiteralType, TSTypeParameter,
    TaggedTemplateExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, SourceType, Span};
use tree_sitter::Tree;

use super::change::LegibleEdit;
use super::{line_ends, reader};

/// Returns what has to change in `source`, in which the grammar finds an error, for it to find none; nothing where oxc finds one, too.
pub(super) fn changes(tree: &Tree, source: &[u8], sort: SourceType) -> Vec<LegibleEdit> {
    let found = reader::read(tree, source, sort, |read| {
        let mut newer = Newer {
            source,
            changes: Vec::new(),
        };
        if !read.panicked && read.diagnostics.is_empty() {
            newer.visit_program(&read.program);
        }
        newer.changes
    });
    found.unwrap_or_default()
}

struct Newer<'s> {
    source: &'s [u8],
    changes: Vec<LegibleEdit>,
}

impl Newer<'_> {
    /// Blanks each of `words` between two offsets.
    fn blank(&mut self, start: u32, end: u32, words: &[&str]) {
        self.put(start, end, words, LegibleEdit::Blank);
    }

    /// Changes each of `words` between two offsets.
    fn put(
        &mut self,
        start: u32,
        end: u32,
        words: &[&str],
        change: fn(std::ops::Range<usize>) -> LegibleEdit,
    ) {
        let start = start as usize;
        let text = self.source.get(start..end as usize).unwrap_or_default();
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        for word in words {
            let is_whole = |at: &usize| {
                let before = at.checked_sub(1).and_then(|before| text.get(before));
                !before.is_some_and(is_letter) && !text.get(at + word.len()).is_some_and(is_letter)
            };
            let at = memchr::memmem::find_iter(text, word).find(is_whole);
            self.changes
                .extend(at.map(|at| change(start + at..start + at + word.len())));
        }
    }

    /// Ends what ends with its line, if none of `enders` ends it.
    fn end(&mut self, span: Span, enders: &[u8]) {
        let end = span.end as usize;
        let last = end.checked_sub(1).and_then(|last| self.source.get(last));
        if !last.is_some_and(|last| enders.contains(last)) {
            self.changes.extend(line_ends::end_after(end, self.source));
        }
    }

    /// Lets a name that is a keyword elsewhere be one like any other.
    fn name(&mut self, name: &str, span: Span) {
        if KEYWORDS.contains(&name) {
            self.changes
                .push(LegibleEdit::Name(span.start as usize..span.end as usize));
        }
    }

    /// Blanks what begins no character by its name: `Terms & Conditions`.
    fn ampersands(&mut self, span: Span) {
        let start = span.start as usize;
        let text = self.source.get(start..span.end as usize);
        let found = memchr::memchr_iter(b'&', text.unwrap_or_default());
        self.changes
            .extend(found.map(|at| LegibleEdit::Blank(start + at..start + at + 1)));
    }

    fn key(&mut self, key: &PropertyKey<'_>) {
        if let PropertyKey::StaticIdentifier(name) = key {
            self.name(&name.name, name.span);
        }
    }
}

/// What the grammars may take for something else where it is a name.
const KEYWORDS: &[&str] = &[
    "abstract",
    "accessor",
    "any",
    "as",
    "in",
    "instanceof",
    "is",
    "out",
    "satisfies",
];

impl<'a> Visit<'a> for Newer<'_> {
    fn visit_statements(&mut self, statements: &ArenaVec<'a, Statement<'a>>) {
        statements
            .iter()
            .for_each(|statement| self.end(statement.span(), b";}"));
        walk::walk_statements(self, statements);
    }

    fn visit_class_elements(&mut self, elements: &ArenaVec<'a, ClassElement<'a>>) {
        elements
            .iter()
            .for_each(|element| self.end(element.span(), b";}"));
        walk::walk_class_elements(self, elements);
    }

    fn visit_ts_signatures(&mut self, signatures: &ArenaVec<'a, TSSignature<'a>>) {
        signatures
            .iter()
            .for_each(|signature| self.end(signature.span(), b";,"));
        walk::walk_ts_signatures(self, signatures);
    }

    fn visit_ts_property_signature(&mut self, signature: &TSPropertySignature<'a>) {
        self.key(&signature.key);
        walk::walk_ts_property_signature(self, signature);
    }

    fn visit_ts_method_signature(&mut self, signature: &TSMethodSignature<'a>) {
        self.key(&signature.key);
        walk::walk_ts_method_signature(self, signature);
    }

    fn visit_ts_type_parameter(&mut self, parameter: &TSTypeParameter<'a>) {
        self.blank(
            parameter.span.start,
            parameter.name.span.start,
            &["in", "out"],
        );
        walk::walk_ts_type_parameter(self, parameter);
    }

    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        let types = tagged.type_arguments.as_ref().map(|types| types.span);
        self.changes.extend(
            types.map(|types| LegibleEdit::Blank(types.start as usize..types.end as usize)),
        );
        walk::walk_tagged_template_expression(self, tagged);
    }

    fn visit_ts_template_literal_type(&mut self, text: &TSTemplateLiteralType<'a>) {
        for part in &text.quasis {
            let (start, end) = (part.span.start as usize, part.span.end as usize);
            let escapes =
                memchr::memchr_iter(b'\\', self.source.get(start..end).unwrap_or_default());
            self.changes
                .extend(escapes.map(|at| LegibleEdit::Blank(start + at..start + at + 2)));
        }
        walk::walk_ts_template_literal_type(self, text);
    }

    fn visit_jsx_text(&mut self, text: &JSXText<'a>) {
        self.ampersands(text.span);
    }

    fn visit_jsx_attribute(&mut self, attribute: &JSXAttribute<'a>) {
        if let Some(JSXAttributeValue::StringLiteral(text)) = &attribute.value {
            self.ampersands(text.span);
        }
        walk::walk_jsx_attribute(self, attribute);
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.name(&name.name, name.span);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.name(&name.name, name.span);
    }

    fn visit_accessor_property(&mut self, property: &AccessorProperty<'a>) {
        let start = property
            .decorators
            .last()
            .map_or(property.span.start, |decorator| decorator.span.end);
        // The member begins with the word, so that another has to stand for it.
        let change = if property.r#static {
            LegibleEdit::Blank
        } else {
            LegibleEdit::Static
        };
        self.put(start, property.key.span().start, &["accessor"], change);
        walk::walk_accessor_property(self, property);
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        if export.export_kind.is_type() {
            self.blank(export.span.start, export.source.span.start, &["type"]);
        }
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        if import.phase.is_some() {
            let first = import
                .specifiers
                .iter()
                .flatten()
                .next()
                .map_or(import.source.span.start, |it| it.span().start);
            self.blank(import.span.start, first, &["defer", "source"]);
        }
    }
}
