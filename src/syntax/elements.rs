//! What types and lists are made of, and what is declared with a type: `Member`, `Attribution`, `Hole`, `TypedVariables`.

use crate::text::Span;

/// One of what a type or a value is made of: a field of a struct, a variant of an enum, a property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// As it is written.
    pub name: String,
    /// All of it but its attributes.
    pub span: Span,
    /// Its name.
    pub named: Span,
    /// Its attributes, annotations, or the keys of its tag.
    pub attributes: Vec<Span>,
}

/// An attribute, annotation or decorator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribution {
    /// All of it.
    pub attribute: Span,
    /// Where what it is for begins.
    pub of: usize,
}

/// An element of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The offset of the comma that ends it.
    pub comma: usize,
    /// The array that it is in.
    pub list: Span,
}

/// A declaration of variables that their type is defined in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedVariables {
    /// All of the declaration.
    pub whole: Span,
    /// The type.
    pub of_type: Span,
}
