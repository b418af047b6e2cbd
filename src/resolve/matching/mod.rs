//! Finds literal text: the levels of text matching, from `exact` to `similar`.
//!
//! Levels are tried in order and the first at which anything matches decides, however many places that are: a stricter
//! level that finds two places is never asked again more loosely. Past `exact` a place is made of whole lines or ends
//! at token borders.
//!
//! | level | what it overlooks | where |
//! |---|---|---|
//! | `exact` | nothing | `exact` |
//! | `trailing` | blanks at line ends, line endings, a missing last one | `loosened`, on text of `folded` |
//! | `unicode` | typographic quotes, dashes and spaces; how accents are put together | `loosened`, `typography` |
//! | `indentation` | a shift of all lines alike; one unit of indentation for another | `indentation`, `shift` |
//! | `whitespace` | which white space stands between two tokens, line breaks too | `loosened` |
//! | `similar` | a few words: a block by its lines (`alike`, `index`, `align`), a line by its characters (`single`) | |
//!
//! What was given is never unescaped and never trimmed; only what is compared is. Deliberately not here: what becomes
//! of the bytes that stand there (plan).

mod align;
pub mod alike;
mod definitions;
mod difference;
mod distance;
mod exact;
mod find;
mod folded;
mod indentation;
mod index;
mod layout;
mod loosened;
pub mod page;
mod question;
pub mod shift;
mod single;
#[cfg(test)]
mod tests;
mod typography;
mod words;

pub use exact::{MOST_PLACES, Which, repeated};
pub use find::{certain, find, says_more, similar};
pub use folded::{line_key, word_key};
pub use page::FoldedFile;
pub use question::{InsideWord, Question, TextMatches};
pub use shift::IndentShift;
pub use words::Words;
