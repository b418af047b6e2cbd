//! The way in: the bytes of a module → its names.

use ruff_python_ast::ModModule;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Parsed;

use super::model::{ModuleNames, NameOccurrence, UsedText};
use super::walker::{Walker, place};
use crate::syntax::python::module::{self, NEWEST_MINOR};
use crate::syntax::python::source::SourceText;
use crate::text::Span;

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
    let (mut names_written, mut values) = (0, 0);
    let texts = module.tokens().iter().filter_map(|token| {
        match token.kind() {
            TokenKind::Name => names_written += 1,
            TokenKind::Int | TokenKind::String | TokenKind::Lpar => values += 1,
            _ => {}
        }
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
    // Large files have a million of them: nothing is copied to grow.
    walker.names.occurrences.reserve(names_written);
    walker.names.expressions.reserve(names_written + values);
    walker.suite(&module.syntax().body);
    let mut names = walker.names;
    names.texts = texts;
    put_in_order(&mut names.occurrences);
    names
}

/// Puts occurrences into the order of the file; those of one place stay in that in which they were found. Their places are sorted, and
/// each is moved once: an occurrence is many times as large.
fn put_in_order(occurrences: &mut [NameOccurrence]) {
    if occurrences.is_sorted_by_key(|occurrence| occurrence.span) {
        return;
    }
    let places = occurrences.iter().enumerate();
    let mut order: Vec<(Span, usize)> = places.map(|(at, found)| (found.span, at)).collect();
    order.sort_unstable();
    let mut order: Vec<usize> = order.into_iter().map(|(_, at)| at).collect();
    // Round by round: each takes the one that belongs there, up to the one that was taken first.
    for first in 0..order.len() {
        let mut at = first;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == first {
                break;
            }
            occurrences.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::python::OccurrenceKind;

    #[test]
    fn occurrences_come_into_the_order_of_the_file() {
        // Every order of six places, two of which are the same.
        let starts = [0_usize, 3, 3, 7, 9, 12];
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..starts.len() {
            orders = orders
                .iter()
                .flat_map(|order| {
                    let left = (0..starts.len()).filter(|it| !order.contains(it));
                    left.map(|it| order.iter().copied().chain([it]).collect())
                })
                .collect();
        }
        assert_eq!(orders.len(), 720);
        for order in orders {
            let occurrence = |(number, at): (usize, &usize)| NameOccurrence {
                name: number.to_string(),
                span: Span::at(starts[*at]),
                scope: 0,
                kind: OccurrenceKind::Store,
            };
            let mut found: Vec<NameOccurrence> = order.iter().enumerate().map(occurrence).collect();
            let said = |all: &[NameOccurrence]| -> Vec<(usize, String)> {
                all.iter()
                    .map(|it| (it.span.start, it.name.clone()))
                    .collect()
            };
            // The numbers say in which order they were found.
            let mut expected = said(&found);
            expected.sort();
            put_in_order(&mut found);
            assert_eq!(said(&found), expected);
        }
    }
}
