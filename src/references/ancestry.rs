//! `Ancestry`: a class and all above it, in the order in which attributes are looked up.

use super::facts::ScopePlace;

/// A class and all above it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ancestry {
    /// The classes, itself first.
    pub(super) steps: Vec<AncestryStep>,
}

/// One class above another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AncestryStep {
    /// Of the project.
    Own(ScopePlace),
    /// Of another, by its dotted name.
    Outside(String),
    /// Not known, with what is written there.
    Unknown(String),
}

impl Ancestry {
    /// Returns the classes of the project.
    pub(super) fn own(&self) -> impl Iterator<Item = ScopePlace> {
        self.steps.iter().filter_map(|step| match step {
            AncestryStep::Own(place) => Some(*place),
            AncestryStep::Outside(_) | AncestryStep::Unknown(_) => None,
        })
    }
}
