//! Files of keys and values without sections: dotenv, Java properties.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what the two are called, and their grammar |
//! | `reader` | bytes → keys, by lines |
//! | `dotenv`, `properties` | the key that begins on a line, and where its value ends |
//! | `entry` | what those two tell of a key |

mod dotenv;
mod entry;
mod language;
mod properties;
mod reader;
#[cfg(test)]
mod tests;

pub(crate) use language::{DOTENV, PROPERTIES, is_environment};
