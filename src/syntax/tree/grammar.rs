//! What `Grammar` asks, answered for every language that tree-sitter reads.

use super::compiled::Compiled;
use super::engine::TreeGrammar;
use super::{
    attributes, bodies, elements, errors, falls, fragment, items, lines, members, names, operands,
    statements,
};
use crate::syntax::{
    AccessBody, Attribution, Doubtful, Fall, Grammar, GrammarGaps, Hole, Implied, ItemKind,
    ItemList, Member, Outline, ScriptNames, SegmentKind, Statement, Symbol, SyntaxError,
    TypedVariables, Wording,
};
use crate::text::Span;
use crate::text::indent::LineRole;

impl Grammar for TreeGrammar {
    #[cfg(test)]
    fn of_tree(&self) -> Option<&TreeGrammar> {
        Some(self)
    }

    fn kinds(&self) -> Vec<SegmentKind> {
        self.compiled().map(Compiled::kinds).unwrap_or_default()
    }

    fn left_out(&self) -> Option<&'static str> {
        self.tables.parser.lacking()
    }

    fn outline(&self, source: &[u8]) -> Outline {
        self.outline_of(self.parse(source).as_ref(), source)
    }

    fn fragment_outline(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Outline {
        fragment::outline(self, fragment, parent)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        self.errors_in(self.parse(source).as_ref(), source)
    }

    fn parses(&self, source: &[u8]) -> bool {
        self.parse(source)
            .is_some_and(|tree| errors::find_errors(&tree, source).is_empty())
    }

    fn gaps(&self) -> Option<GrammarGaps> {
        self.tables.gaps
    }

    fn certain_errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        match (self.parse(source), self.tables.early) {
            (Some(tree), Some(early)) => early(&tree, source, Vec::new()),
            _ => Vec::new(),
        }
    }

    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        let tree = self.parse(source);
        let outline = self.outline_of(tree.as_ref(), source);
        let sound = tree
            .as_ref()
            .is_some_and(|tree| errors::find_errors(tree, source).is_empty());
        (
            Outline { sound, ..outline },
            self.errors_in(tree.as_ref(), source),
        )
    }

    fn statements(&self, source: &[u8], parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        fragment::statements(self, source, parent)
    }

    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        statements::lead(self.compiled()?, &self.parse(source)?, source, body)
    }

    fn preamble(&self, source: &[u8]) -> Option<Span> {
        statements::preamble(self.compiled()?, &self.parse(source)?, source)
    }

    fn elements(&self, source: &[u8], parent: Option<SegmentKind>) -> Vec<Span> {
        fragment::elements(self, source, parent)
    }

    fn items(&self, source: &[u8], symbol: &Symbol, kind: ItemKind) -> Option<ItemList> {
        if kind != ItemKind::Parameter {
            return None;
        }
        items::find_parameters(self.compiled()?, &self.parse(source)?, source, symbol)
    }

    fn attributions(&self, source: &[u8]) -> Vec<Attribution> {
        self.compiled()
            .zip(self.parse(source))
            .map(|(compiled, tree)| attributes::attributions(compiled, &tree, source))
            .unwrap_or_default()
    }

    fn has_script_names(&self) -> bool {
        self.tables.script_names.is_some() && self.left_out().is_none()
    }

    fn wordings(&self, source: &[u8], places: &[Span]) -> Option<Vec<Wording>> {
        Some(names::wordings(&self.parse(source)?, places))
    }

    fn name_place(&self, source: &[u8], symbol: &Symbol) -> Option<Span> {
        names::name_place(&self.parse(source)?, source, symbol)
    }

    fn script_names(&self, source: &[u8]) -> Option<ScriptNames> {
        let find = self.tables.script_names?;
        find(&self.parse(source)?, source)
    }

    fn holes(&self, source: &[u8]) -> Vec<Hole> {
        if self.tables.sparse_lists.is_empty() {
            return Vec::new();
        }
        self.compiled()
            .zip(self.parse(source))
            .map(|(compiled, tree)| elements::holes(compiled, &tree))
            .unwrap_or_default()
    }

    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        let Some(tree) = self.parse(source) else {
            return vec![Vec::new(); definitions.len()];
        };
        definitions
            .iter()
            .map(|span| members::members_of_definition(&tree, source, *span))
            .collect()
    }

    fn implied(&self, source: &[u8]) -> Vec<Implied> {
        let Some(implied) = self.tables.implied else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| implied(&tree, source))
            .unwrap_or_default()
    }

    fn falls(&self, source: &[u8]) -> Vec<Fall> {
        let Some(switches) = self.tables.switches else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| falls::find_falls(switches, &tree, source))
            .unwrap_or_default()
    }

    fn typed_variables(&self, source: &[u8]) -> Vec<TypedVariables> {
        let Some(find) = self.tables.typed_variables else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| find(&tree, source))
            .unwrap_or_default()
    }

    fn initialisers(&self, source: &[u8]) -> Vec<Span> {
        if self.tables.initialisers.is_empty() {
            return Vec::new();
        }
        self.parse(source)
            .map(|tree| bodies::initialisers(self.tables.initialisers, &tree, source))
            .unwrap_or_default()
    }

    fn unrun_body(&self, source: &[u8], offset: usize) -> Option<&'static str> {
        let unrun = self.tables.unrun?;
        bodies::unrun(unrun, &self.parse(source)?, source, offset)
    }

    fn access(&self, source: &[u8]) -> Vec<AccessBody> {
        let Some(access) = self.tables.access else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| access(&tree, source))
            .unwrap_or_default()
    }

    fn label_words(&self) -> &'static [&'static str] {
        self.tables
            .switches
            .map_or(&[], |switches| switches.label_words)
    }

    fn doubtful(&self, source: &[u8]) -> Vec<Doubtful> {
        let Some(doubtful) = self.tables.doubtful else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| doubtful(&tree, source))
            .unwrap_or_default()
    }

    fn parted_operands(&self, (old, new): (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        operands::parted(|source| self.parse(source), (old, new), pairs)
    }

    fn ends_lines_freely(&self) -> bool {
        !self.tables.terminated.is_empty()
    }

    fn unterminated(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Option<usize> {
        fragment::unterminated(self, fragment, parent)
    }

    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        match self.compiled().zip(fragment::read(self, fragment)) {
            Some((compiled, reading)) => lines::roles(compiled, &reading, fragment),
            None => lines::plain_roles(fragment),
        }
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        self.compiled()
            .zip(self.parse(source))
            .map(|(compiled, tree)| lines::comments(compiled, &tree, source))
            .unwrap_or_default()
    }

    fn comments_inside(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Vec<Span> {
        fragment::comments(self, fragment, parent).unwrap_or_else(|| self.comments(fragment))
    }
}
