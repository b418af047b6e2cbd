//! HTML as a language: its name, its habits, and its grammar.

use super::dom::Dom;
use super::embedded::{self, errors, language as embedded_language};
use super::lines;
use super::outline::outline;
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// `.html`, `.htm`, and templates of such files.
pub static HTML: Language = Language {
    name: "HTML",
    extensions: &["html", "htm", "xhtml", "djhtml"],
    file_names: &[],
    interpreters: &[],
    called: &["html", "xhtml", "mhtml"],
    habits: Habits {
        line_comments: &[],
        block_comments: &[("<!--", "-->"), ("{#", "#}")],
        blank_lines_top: 0,
        blank_lines_nested: 0,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &[],
        unit: "  ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::HYPHENED,
    },
    grammar: &PageGrammar,
};

/// What a template's file name ends with, after the name of what it makes: `page.html.jinja2`.
const TEMPLATES: [&str; 6] = [".jinja2", ".jinja", ".j2", ".twig", ".njk", ".liquid"];

/// What opens the comments of templates.
const TEMPLATE_COMMENTS: [&str; 3] = ["{#", "<%#", "<%--"];

/// Says whether `name`, in lower case, is that of a template of a page.
pub fn is_template_of_page(name: &str) -> bool {
    let inner = TEMPLATES
        .iter()
        .find_map(|ending| name.strip_suffix(ending));
    inner
        .and_then(|inner| inner.rsplit_once('.'))
        .is_some_and(|(_, extension)| HTML.extensions.contains(&extension))
}

/// Says whether this is the language of pages.
pub fn is_html(language: &Language) -> bool {
    std::ptr::eq(language, &HTML)
}

struct PageGrammar;

impl Grammar for PageGrammar {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Element]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        outline(source, &Dom::of(source))
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    /// Every sequence of bytes is HTML; scripts and styles may have errors.
    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        errors(source, &Dom::of(source))
    }

    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        lines::roles(fragment)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let dom = Dom::of(source);
        let mut comments = dom.comments.clone();
        for element in &dom.elements {
            let (Some(language), Some(inner)) =
                (embedded_language(source, element), element.inner())
            else {
                continue;
            };
            let text = embedded::text(source, &dom, inner, language, embedded::Filling::Values);
            comments.extend(
                language
                    .grammar
                    .comments(&text)
                    .into_iter()
                    .map(|span| span.shifted(inner.start)),
            );
        }
        let template = dom.tags.iter().map(|tag| tag.span).filter(|span| {
            TEMPLATE_COMMENTS
                .iter()
                .any(|opener| span.of(source).starts_with(opener.as_bytes()))
        });
        comments.extend(template);
        comments.sort();
        comments
    }
}
