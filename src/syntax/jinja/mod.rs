//! Jinja templates: their tags, their blocks, and what a template and those that it extends come to.
//!
//! A lexer of our own, because the public grammars fail on `{% endblock name %}`. It knows the delimiters that Jinja has
//! unless told otherwise: `{% %}`, `{{ }}`, `{# #}`, `{% raw %}`, with `-` and `+` beside them. Line statements have none by
//! default, so that a line beginning with `#` or `%` is text. Tags of other engines and of extensions are opaque.
//!
//! | file | holds |
//! |---|---|
//! | `file_names` | which files are templates |
//! | `lexer` | source → pieces |
//! | `actions` | source of Go's templates and Handlebars → what belongs together |
//! | `blocks` | pieces → blocks, nested as they are |
//! | `child` | pieces → what a child says outside of its blocks |
//! | `expressions` | pieces → tags whose expression no engine takes |
//! | `groups` | pieces → tags that belong together |
//! | `tree` | pieces → what is rendered, as far as the template alone shows |
//! | `inherit` | a chain of templates → the one that is rendered |

pub mod actions;
pub mod blocks;
pub mod child;
pub mod expressions;
mod file_names;
pub mod groups;
pub mod inherit;
pub mod lexer;
pub mod tree;

pub use actions::actions;
pub use blocks::{TemplateBlock, blocks, extends, repeated};
pub use child::{Child, child};
pub use expressions::malformed;
pub use file_names::{
    is_made_into_other, is_of_jinja, is_template, may_have_actions, may_have_tags,
};
pub use groups::{TagGroup, foreign, groups, halved, unpaired};
pub use inherit::{RenderEvent, rendered};
pub use lexer::{Broken, TemplatePiece, TemplatePieceKind, pieces};
pub use tree::{Parent, Template, template};
