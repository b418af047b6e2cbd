//! `GrammarParser`: the parser of a grammar, or the feature that a build needs to have it.
//!
//! The tables of the parsers are half of the program, so a build may leave out those of some languages. What else a folder says
//! of such a language stays, as the names of its files have to: nobody is to take them for plain text without being told.

use tree_sitter_language::LanguageFn;

/// The parser of a grammar, in a build that has it.
#[derive(Clone, Copy)]
pub struct GrammarParser {
    /// The feature of this package that puts it into a build; `None` where every build has it.
    pub feature: Option<&'static str>,
    /// The parser.
    pub function: Option<LanguageFn>,
}

impl GrammarParser {
    /// Returns a parser that every build has.
    pub const fn always(function: LanguageFn) -> GrammarParser {
        GrammarParser {
            feature: None,
            function: Some(function),
        }
    }

    /// Returns the feature that this build lacks to have it.
    pub fn lacking(&self) -> Option<&'static str> {
        self.feature.filter(|_| self.function.is_none())
    }
}

/// Returns the parser that a build with this feature has. The crate that it is from is named in such a build alone.
macro_rules! parser {
    ($feature:literal, $function:path) => {
        $crate::syntax::tree::GrammarParser {
            feature: Some($feature),
            #[cfg(feature = $feature)]
            function: Some($function),
            #[cfg(not(feature = $feature))]
            function: None,
        }
    };
}

pub(crate) use parser;
