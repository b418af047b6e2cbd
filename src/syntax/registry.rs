//! The table of all languages, and which of them a file is in. Nothing below imports it.

use super::language::Language;
use super::{
    bash, c, cmake, cpp, csharp, dart, dockerfile, go, graphql, hcl, html, ini, java, javascript,
    json, kotlin, lua, markdown, nix, pairs, php, prisma, proto, python, r, ruby, rust, scala,
    solidity, starlark, swift, toml, typescript, yaml, zig,
};
use crate::path::RepoPath;

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
    &json::JSON,
    &json::JSONC,
    &toml::TOML,
    &yaml::YAML,
];

/// Returns the language of the file at `path`, by its name.
pub fn language_of(path: &RepoPath) -> Option<&'static Language> {
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

/// Says whether `name`, in lower case, ends with a dot and one of `extensions`.
fn has_extension(name: &str, extensions: &[&str]) -> bool {
    extensions.iter().any(|extension| {
        name.strip_suffix(extension)
            .is_some_and(|rest| rest.ends_with('.'))
    })
}
