//! What a definition lists: its parameters, the bases of a class, the arguments of the call that a variable is given.

use crate::text::Span;

/// What an item of a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A parameter of a function, its default with it.
    Parameter,
    /// A base of a class, or what else is between the brackets after its name.
    Base,
    /// A decorator, annotation or attribute on lines of its own above.
    Decorator,
    /// An argument of the call that a variable is given.
    Argument,
}

impl ItemKind {
    /// Every kind, in the order of the manual.
    pub const ALL: [ItemKind; 4] = [
        ItemKind::Parameter,
        ItemKind::Base,
        ItemKind::Decorator,
        ItemKind::Argument,
    ];

    /// Returns the kind as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            ItemKind::Parameter => "parameter",
            ItemKind::Base => "base",
            ItemKind::Decorator => "decorator",
            ItemKind::Argument => "argument",
        }
    }

    /// Returns the kind that `word` stands for.
    pub fn parse(word: &str) -> Option<ItemKind> {
        ItemKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The items of one kind that a definition has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemList {
    /// The brackets around them, both included; an empty range where some could be put, if there are none.
    pub brackets: Span,
    /// In file order.
    pub items: Vec<ListedItem>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedItem {
    /// What it is called by; two or more names where it declares several things.
    pub names: Vec<String>,
    /// All of it, without the comma after it.
    pub span: Span,
    /// Whether it is given by its name alone, so that none that is given by its place comes after it.
    pub is_named: bool,
    /// What stays in its place when it goes: `*` of `*args`, which parts off those after it.
    pub leaves: Option<&'static str>,
}

impl ListedItem {
    /// Says whether it takes whatever is left, so that nothing comes after it: `**options`, `...rest`, `&block`.
    pub fn takes_the_rest(&self, source: &[u8]) -> bool {
        let text = String::from_utf8_lossy(self.span.of(source));
        let begins = ["**", "...", "&", "params "]
            .iter()
            .any(|sign| text.starts_with(sign));
        // `int... rest`, `rest ...int`: outside of brackets and of what it is by default.
        let own = text.split(['=', '(', '[', '<']).next().unwrap_or_default();
        (begins || own.contains("...")) && self.names.iter().all(|name| name != "self")
    }

    /// Says whether it is what a method is called on.
    pub fn is_receiver(&self) -> bool {
        matches!(&self.names[..], [name] if matches!(name.as_str(), "self" | "cls" | "this"))
    }
}
