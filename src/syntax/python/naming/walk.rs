//! The way in: the bytes of a module → its names.

use ruff_python_ast::ModModule;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Parsed;

use super::model::{ModuleNames, UsedText};
use super::walker::{Walker, place};
use crate::syntax::python::module::{self, NEWEST_MINOR};
use crate::syntax::python::source::SourceText;

/// Returns all names of a module. One that does not parse, or is nested too deeply to be read, has none.
pub(crate) fn module_names(bytes: &[u8]) -> ModuleNames {
    let source = SourceText::of(bytes);
    module::parsed(source.as_str(), NEWEST_MINOR, |module| {
        names_of(source.as_str(), module)
    })
    .unwrap_or_else(|_| unread(source.as_str()))
}

/// Returns the names of a module of which none is known: its scope is there, and empty.
fn unread(text: &str) -> ModuleNames {
    ModuleNames {
        is_sound: false,
        ..Walker::of(text).names
    }
}

fn names_of(text: &str, module: &Parsed<ModModule>) -> ModuleNames {
    let texts = module.tokens().iter().filter_map(|token| {
        let kind = match token.kind() {
            TokenKind::Comment => UsedText::Comment,
            TokenKind::String | TokenKind::FStringMiddle | TokenKind::TStringMiddle => {
                UsedText::String
            }
            _ => return None,
        };
        Some((place(token), kind))
    });
    let texts = texts.collect();
    if !module.has_valid_syntax() {
        return ModuleNames {
            texts,
            ..unread(text)
        };
    }
    let mut walker = Walker::of(text);
    walker.suite(&module.syntax().body);
    let mut names = walker.names;
    names.texts = texts;
    names.occurrences.sort_by_key(|occurrence| occurrence.span);
    names
}
