//! What an address means in a file that says its language itself: the path alone could not tell.
//!
//! `bin/run::main` is taken apart before the file is read, as a block of a text. In a script it is the function of that name, unless
//! there is such a block.

use super::reading::Reading;
use crate::manifest::address::segment_in;
use crate::manifest::{Scoped, Selector};
use crate::syntax::named_language;

/// Returns what `scoped` means in the file, where that is something else than its path says.
pub(super) fn settled(reading: &Reading<'_>, scoped: &Scoped) -> Option<Scoped> {
    let selector = settled_selector(reading, &scoped.selector)?;
    Some(Scoped {
        selector,
        ..scoped.clone()
    })
}

/// Returns what `selector` means in the file, where that is something else than its path says.
pub(super) fn settled_selector(reading: &Reading<'_>, selector: &Selector) -> Option<Selector> {
    let Selector::Block(block) = selector else {
        return None;
    };
    let language = reading
        .document
        .language
        .filter(|_| named_language(&reading.document.path).is_none())?;
    let names = [
        Some(block.name.as_str()),
        block.split_index().map(|(name, _)| name),
    ];
    let mut blocks = reading.blocks().list.iter();
    if blocks.any(|known| names.contains(&Some(known.name.as_str()))) {
        return None;
    }
    segment_in(language, &block.name).ok()
}
