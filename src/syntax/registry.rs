//! The table of all languages, and which of them a file is in. Nothing below imports it.

use super::declared::{DeclaredLanguage, declared};
use super::language::Language;
use super::{
    bash, c, cmake, cpp, csharp, css, dart, dockerfile, go, graphql, hcl, html, ini, java,
    javascript, jinja, json, kotlin, lua, markdown, nix, pairs, php, prisma, proto, python, r,
    ruby, rust, scala, solidity, starlark, swift, toml, typescript, yaml, zig,
};
use crate::path::RepoPath;
use crate::snapshot::FileMode;

/// Every language, each a line.
pub static LANGUAGES: &[&Language] = &[
    &python::PYTHON,
    &markdown::MARKDOWN,
    &javascript::JAVASCRIPT,
    &typescript::DECLARATIONS,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
    &rust::RUST,
    &go::GO,
    &java::JAVA,
    &c::C,
    &cpp::CPP,
    &csharp::CSHARP,
    &kotlin::KOTLIN,
    &swift::SWIFT,
    &scala::SCALA,
    &dart::DART,
    &ruby::RUBY,
    &php::PHP,
    &lua::LUA,
    &bash::BASH,
    &zig::ZIG,
    &solidity::SOLIDITY,
    &proto::PROTO,
    &graphql::GRAPHQL,
    &hcl::HCL,
    &prisma::PRISMA,
    &cmake::CMAKE,
    &nix::NIX,
    &r::R,
    &starlark::STARLARK,
    &ini::INI,
    &ini::GIT_CONFIG,
    &ini::UNITS,
    &pairs::DOTENV,
    &pairs::PROPERTIES,
    &dockerfile::DOCKERFILE,
    &html::HTML,
    &css::CSS,
    &css::SCSS,
    &css::LESS,
    &json::JSON,
    &json::JSONC,
    &toml::TOML,
    &yaml::YAML,
    #[cfg(test)]
    &tests::NOWHERE,
];

/// Returns the language of the file at `path`, by its name, if this build reads it.
pub fn language_of(path: &RepoPath) -> Option<&'static Language> {
    named_language(path).filter(|language| !language.is_left_out())
}

/// Returns the language of the file at `path`, by its name, if this build leaves it out.
pub fn left_out_language(path: &RepoPath) -> Option<&'static Language> {
    named_language(path).filter(|language| language.is_left_out())
}

/// Returns the language of the file at `path`, by its name, whether this build reads it or not.
pub fn named_language(path: &RepoPath) -> Option<&'static Language> {
    let name = path.file_name();
    if json::has_comments_by_custom(path.as_str()) {
        return Some(&json::JSONC);
    }
    for language in LANGUAGES {
        if language.file_names.contains(&name) {
            return Some(language);
        }
    }

    let name = name.to_ascii_lowercase();
    // In the order of the table: `.d.ts` before `.ts`.
    for language in LANGUAGES {
        if has_extension(&name, language.extensions) {
            return Some(language);
        }
    }
    if dockerfile::is_dockerfile(&name) {
        return Some(&dockerfile::DOCKERFILE);
    }
    if pairs::is_environment(&name) {
        return Some(&pairs::DOTENV);
    }
    html::is_template_of_page(&name).then_some(&html::HTML)
}

/// Returns the language of a file, whether this build reads it or not: by its name, or where that says none, by what the file says
/// itself. What a template says is of what is made from it.
pub fn told_language(path: &RepoPath, source: &[u8]) -> Option<&'static Language> {
    named_language(path).or_else(|| {
        let declared = declared(source).filter(|_| !jinja::is_made_into_other(path))?;
        LANGUAGES.iter().copied().find(|language| match &declared {
            DeclaredLanguage::Interpreter(program) => {
                language.interpreters.contains(&program.as_str())
            }
            DeclaredLanguage::Called(name) => language.called.contains(&name.as_str()),
        })
    })
}

/// Says whether a file whose name says no language says itself that it is in one that is not in the table.
pub fn says_unknown_language(path: &RepoPath, source: &[u8]) -> bool {
    told_language(path, source).is_none() && declared(source).is_some()
}

/// Says whether a file may be in a language, for whoever would have to open it to know: by its name it is, or it is one that is run or
/// has no ending, and may say so itself.
pub fn may_have_language(path: &RepoPath, mode: FileMode) -> bool {
    let is_without_ending = || !path.file_name().trim_start_matches('.').contains('.');
    named_language(path).is_some() || mode == FileMode::Executable || is_without_ending()
}

/// Returns the language of a file as `told_language` does, if this build reads it.
pub fn language_in(path: &RepoPath, source: &[u8]) -> Option<&'static Language> {
    told_language(path, source).filter(|language| !language.is_left_out())
}

/// Says whether `name`, in lower case, ends with a dot and one of `extensions`.
fn has_extension(name: &str, extensions: &[&str]) -> bool {
    extensions.iter().any(|extension| {
        name.strip_suffix(extension)
            .is_some_and(|rest| rest.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::rust::RUST;
    use crate::syntax::tree::{GrammarParser, Tables, TreeGrammar};

    /// A language that is in no build, so that tests see what becomes of one that is left out: `.nowhere`.
    pub(super) static NOWHERE: Language = Language {
        name: "Nowhere",
        extensions: &["nowhere"],
        file_names: &[],
        interpreters: &[],
        called: &["nowhere"],
        habits: RUST.habits,
        grammar: &GRAMMAR,
    };

    static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables::of(
        GrammarParser {
            feature: Some("nowhere"),
            function: None,
        },
        "",
    ));

    #[test]
    fn a_language_that_is_left_out_is_known_and_not_read() {
        let path = RepoPath::parse("a.nowhere").unwrap();
        assert!(language_of(&path).is_none());
        assert_eq!(left_out_language(&path).unwrap().name, "Nowhere");
        assert_eq!(named_language(&path).unwrap().name, "Nowhere");
        let path = RepoPath::parse("a.kt").unwrap();
        assert_eq!(language_of(&path).unwrap().name, "Kotlin");
        assert!(left_out_language(&path).is_none());
    }

    #[test]
    fn the_grammar_of_one_finds_nothing_and_no_fault() {
        let (source, grammar) = (b"fn f() {}\n}", NOWHERE.grammar);
        assert_eq!(grammar.kinds(), []);
        assert_eq!(grammar.errors(source), []);
        assert_eq!(grammar.comments(source), []);
        assert_eq!(grammar.elements(source, None), []);
        assert_eq!(grammar.statements(source, None), None);
        assert_eq!(grammar.line_roles(source, None).len(), 2);
        assert_eq!(grammar.fragment_outline(source, None).symbols, []);
        assert_eq!(
            grammar.outline(source).excess,
            Some(crate::syntax::Excess::LeftOut)
        );
    }
}
