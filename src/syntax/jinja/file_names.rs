//! Which files are templates, by their names.

use crate::path::RepoPath;

/// Endings that say that a file is a template.
const EXTENSIONS: [&str; 12] = [
    "jinja", "jinja2", "j2", "tmpl", "tpl", "njk", "twig", "liquid", "html", "htm", "xhtml",
    "djhtml",
];

/// Endings of files that are templates where they have tags, and may as well show some.
const MAY_HAVE_TAGS: [&str; 2] = ["md", "sql"];

/// Endings of templates of Go and Handlebars.
const OF_ACTIONS: [&str; 8] = [
    "tmpl",
    "tpl",
    "gotmpl",
    "gohtml",
    "gotxt",
    "hbs",
    "handlebars",
    "mustache",
];

/// Says whether the file's name is one of what may have actions of Go's templates or Handlebars: such a template, a page, a file of keys, or
/// the notes of a chart of Helm. Text and code may quote some.
pub fn may_have_actions(path: &RepoPath) -> bool {
    const MADE: [&str; 8] = ["html", "htm", "yaml", "yml", "toml", "json", "xml", "conf"];
    let name = path.file_name().to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    OF_ACTIONS.contains(&extension) || MADE.contains(&extension) || name == "notes.txt"
}

/// Says whether the file's name is one of what may have tags of Jinja or Liquid without being called a template: a file of keys, a page in
/// Markdown, a query.
pub fn may_have_tags(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    may_have_actions(path) || MAY_HAVE_TAGS.contains(&extension)
}

/// Says whether the file's name is one that templates have.
pub fn is_template(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

/// Says whether the file's name is that of a template, of whatever engine: its lines are of what is made from it.
pub fn is_made_into_other(path: &RepoPath) -> bool {
    const OTHERS: [&str; 6] = ["erb", "ejs", "eex", "in", "mako", "template"];
    let name = path.file_name().to_ascii_lowercase();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        EXTENSIONS.contains(&extension)
            || OF_ACTIONS.contains(&extension)
            || OTHERS.contains(&extension)
    })
}

/// Says whether the file's name says that Jinja reads it, with the signs that it has of itself: what TeX is made of has other ones.
pub fn is_of_jinja(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let mut endings = name.rsplit('.');
    let is_named = endings
        .next()
        .is_some_and(|last| matches!(last, "j2" | "jinja" | "jinja2"));
    is_named && !endings.any(|ending| matches!(ending, "tex" | "sty" | "cls" | "bib"))
}
