//! Which item of a definition a name or a number means: one of its parameters, bases, decorators, arguments.

use super::document::Document;
use crate::manifest::{ItemName, Part};
use crate::syntax::{DecorationKind, ItemKind, ItemList, ListedItem, Symbol};
use crate::text::Span;

/// Why a definition has no such item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemProblem {
    /// Which of several it means is not said.
    Unnamed {
        /// What was asked for.
        part: Part,
        /// What they are called.
        others: Vec<String>,
    },
    /// None of its items is called so.
    Missing {
        /// What was asked for.
        part: Part,
        /// What they are called.
        others: Vec<String>,
    },
    /// Several of its items are called so.
    Several {
        /// What was asked for.
        part: Part,
        /// Which they are, from 1.
        numbers: Vec<usize>,
    },
    /// It is declared together with another: `a, b int`.
    Together {
        /// What was asked for.
        part: Part,
        /// Both, as they are written.
        written: String,
    },
}

/// Returns the items of one kind that `symbol` has; `None` where it can have none, or nothing here reads them in its language.
pub fn list(document: &Document, symbol: &Symbol, kind: ItemKind) -> Option<ItemList> {
    if kind == ItemKind::Decorator {
        return Some(decorators(document, symbol));
    }
    let language = document.language?;
    language.grammar.items(&document.bytes, symbol, kind)
}

/// Returns why `part`, which is of this list, means none of its items.
pub fn unnamed(list: &ItemList, part: Part) -> ItemProblem {
    let names = list.items.iter().flat_map(|item| &item.names);
    ItemProblem::Unnamed {
        part,
        others: names.cloned().collect(),
    }
}

/// Returns the place in `list` of the item that `name` means.
///
/// # Errors
///
/// No item or several are called so, or it is declared together with another.
pub fn find(
    document: &Document,
    list: &ItemList,
    kind: ItemKind,
    name: ItemName,
) -> Result<usize, ItemProblem> {
    let part = Part::Item(kind, Some(name));
    let words = || list.items.iter().map(|item| item.names.join(", "));
    let missing = || ItemProblem::Missing {
        part,
        others: words().collect(),
    };
    if let Some(number) = name.number() {
        return number
            .checked_sub(1)
            .filter(|at| *at < list.items.len())
            .ok_or_else(missing);
    }
    let called = |fits: &dyn Fn(&ListedItem) -> bool| -> Vec<usize> {
        let numbered = list.items.iter().enumerate();
        numbered
            .filter(|(_, item)| fits(item))
            .map(|(at, _)| at)
            .collect()
    };
    let name = name.as_str();
    let is_called = |item: &ListedItem| item.names.iter().any(|own| own == name);
    let is_written = |item: &ListedItem| item.span.of(&document.bytes) == name.as_bytes();
    // `base[Model]` of `models.Model`.
    let ends_so = |item: &ListedItem| {
        let last = |own: &String| own.rsplit(['.', ':', '\\']).next() == Some(name);
        kind != ItemKind::Parameter && item.names.iter().any(last)
    };
    let ways: [&dyn Fn(&ListedItem) -> bool; 3] = [&is_written, &is_called, &ends_so];
    let found = ways.into_iter().map(called).find(|found| !found.is_empty());
    match found.as_deref() {
        Some(&[at]) if list.items[at].names.len() > 1 => Err(ItemProblem::Together {
            part,
            written: String::from_utf8_lossy(list.items[at].span.of(&document.bytes)).into_owned(),
        }),
        Some(&[at]) => Ok(at),
        Some(several) => Err(ItemProblem::Several {
            part,
            numbers: several.iter().map(|at| at + 1).collect(),
        }),
        None => Err(missing()),
    }
}

/// Returns the decorators above a definition, each on lines of its own.
fn decorators(document: &Document, symbol: &Symbol) -> ItemList {
    let bytes = &document.bytes;
    let above = symbol.decorations.iter();
    let items = above
        .filter(|decoration| decoration.sort == DecorationKind::Decorator)
        .map(|decoration| ListedItem {
            names: vec![decorator_name(&String::from_utf8_lossy(
                decoration.span.of(bytes),
            ))],
            span: decoration.span,
            is_named: false,
            leaves: None,
        });
    ItemList {
        brackets: Span::at(symbol.definition.start),
        items: items.collect(),
    }
}

/// Returns what a decorator is called, without its sign and its arguments: `app.route` of `@app.route("/")`, `derive` of
/// `#[derive(Debug)]`.
fn decorator_name(written: &str) -> String {
    let bare = written.trim_start_matches(['@', '#', '[', '!']);
    let end = bare.find(['(', '[', ']', '=', ' ', '\t', '\r', '\n', '{']);
    bare[..end.unwrap_or(bare.len())].trim_end().to_owned()
}
