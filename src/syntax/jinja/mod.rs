//! Jinja templates: their tags, their blocks, and what a template and those that it extends come to.
//!
//! A lexer of our own, because the public grammars fail on `{% endblock name %}`. It knows the delimiters that Jinja has
//! unless told otherwise: `{% %}`, `{{ }}`, `{# #}`, `{% raw %}`, with `-` and `+` beside them. Line statements have none by
//! default, so that a line beginning with `#` or `%` is text. Tags of other engines and of extensions are opaque.
//!
//! | file | holds |
//! |---|---|
//! | `lexer` | source → pieces |
//! | `actions` | source of Go's templates and Handlebars → what belongs together |
//! | `blocks` | pieces → blocks, nested as they are |
//! | `child` | pieces → what a child says outside of its blocks |
//! | `expressions` | pieces → tags whose expression no engine takes |
//! | `groups` | pieces → tags that belong together |
//! | `tree` | pieces → what is rendered, as far as the template alone can tell |
//! | `inherit` | a chain of templates → the one that is rendered |

pub mod actions;
pub mod blocks;
pub mod child;
pub mod expressions;
pub mod groups;
pub mod inherit;
pub mod lexer;
pub mod tree;

pub use actions::actions;
pub use blocks::{Block, blocks, extends, repeated};
pub use child::{Child, child};
pub use expressions::malformed;
pub use groups::{Group, foreign, groups, unpaired};
pub use inherit::{Event, rendered};
pub use lexer::{Broken, Piece, Sort, pieces};
pub use tree::{Parent, Template, template};

use crate::path::RepoPath;

/// Endings that say that a file is a template.
const EXTENSIONS: [&str; 8] = ["jinja", "jinja2", "j2", "tmpl", "tpl", "njk", "html", "htm"];

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

/// Says whether the file's name is one that templates have.
pub fn is_template(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}
