//! CSS and what is made into it as languages: which files are in them, their habits, and their grammar.

use super::balance;
use super::dialect::StyleDialect;
use super::dropped::dropped;
use super::segments::{comments, outline};
use super::statements::statements;
use crate::syntax::tree::{GrammarParser, Tables, TreeGrammar};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, Statement,
    SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// What is in a `<style>`, and `.css`.
pub static CSS: Language = Language {
    name: "CSS",
    extensions: &["css"],
    file_names: &[],
    interpreters: &[],
    called: &["css"],
    habits: HABITS,
    grammar: &StyleGrammar(StyleDialect::Css),
};

/// `.scss`: Sass in braces.
pub static SCSS: Language = Language {
    name: "SCSS",
    extensions: &["scss"],
    file_names: &[],
    interpreters: &[],
    called: &["scss"],
    habits: Habits {
        line_comments: &["//"],
        ..HABITS
    },
    grammar: &StyleGrammar(StyleDialect::Scss),
};

/// `.less`.
pub static LESS: Language = Language {
    name: "Less",
    extensions: &["less"],
    file_names: &[],
    interpreters: &[],
    called: &["less"],
    habits: Habits {
        line_comments: &["//"],
        ..HABITS
    },
    grammar: &StyleGrammar(StyleDialect::Less),
};

const HABITS: Habits = Habits {
    line_comments: &[],
    block_comments: &[("/*", "*/")],
    blank_lines_top: 1,
    blank_lines_nested: 0,
    offside: false,
    conditional_lines: false,
    empty_body: None,
    body_opener: "{",
    block_ends: &[],
    unit: "  ",
    exports: &[],
    second: Redefinition::Allowed,
    names: NameCharacters::HYPHENED,
};

/// Says whether a language is CSS or one that is made into it.
pub fn is_style(language: &Language) -> bool {
    [&CSS, &SCSS, &LESS]
        .iter()
        .any(|style| std::ptr::eq(*style, language))
}

/// Lines as tree-sitter sees them, errors as browsers do.
struct StyleGrammar(StyleDialect);

impl Grammar for StyleGrammar {
    fn kinds(&self) -> Vec<SegmentKind> {
        let mut kinds = vec![SegmentKind::Variable, SegmentKind::Struct];
        if self.0 == StyleDialect::Scss {
            kinds.insert(0, SegmentKind::Function);
        }
        kinds
    }

    fn outline(&self, source: &[u8]) -> Outline {
        outline(source, self.0)
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        outline(fragment, self.0)
    }

    /// What another program makes CSS of is not known to be dropped: there only what is out of balance is an error.
    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let errors = balance::errors(source, self.0);
        if errors.is_empty() && self.0 == StyleDialect::Css {
            dropped(source)
        } else {
            errors
        }
    }

    fn parses(&self, source: &[u8]) -> bool {
        balance::errors(source, self.0).is_empty()
    }

    fn statements(&self, source: &[u8], _parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        statements(source, self.0)
    }

    fn line_roles(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Vec<LineRole> {
        GRAMMAR.line_roles(fragment, parent)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        comments(source, self.0)
    }
}

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["comment", "js_comment"],
    strings: &["string_value"],
    ..Tables::of(GrammarParser::always(tree_sitter_css::LANGUAGE), "")
});
