//! `Habits`: how code of a language is laid out by custom, and what its names are made of.

/// How code of a language is laid out by custom, for what the neighbours do not say.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// What begins a comment that runs to the end of its line.
    pub line_comments: &'static [&'static str],
    /// What begins and ends a block comment.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Blank lines between definitions at the top of a file.
    pub blank_lines_top: usize,
    /// Blank lines between definitions inside another.
    pub blank_lines_nested: usize,
    /// Indentation is syntax.
    pub offside: bool,
    /// Lines `#if`, `#else`, `#endif` and the like say what of the file counts.
    pub conditional_lines: bool,
    /// What an emptied body must hold.
    pub empty_body: Option<&'static str>,
    /// What opens a body after the header: `:` or `{`.
    pub body_opener: &'static str,
    /// Words that end a block, each at the beginning of a line, where no bracket does.
    pub block_ends: &'static [&'static str],
    /// The indentation unit where a file shows none.
    pub unit: &'static str,
    /// Words before a definition that say who else may use it: it keeps them.
    pub exports: &'static [&'static str],
    /// What comes of a second definition of a name in one block.
    pub second: Redefinition,
    /// What its names are made of.
    pub names: NameCharacters,
}

/// What names are made of besides letters, digits and `_`.
#[derive(Clone, Copy, Debug)]
pub struct NameCharacters {
    /// Characters that are a part of names.
    pub characters: &'static str,
    /// What those never come before as such: there they mean something else. So they do before a digit.
    pub none_before: &'static str,
    /// Characters that make one name of the words on both sides, in some places of a file at least.
    pub joints: &'static str,
}

impl NameCharacters {
    /// Nothing besides.
    pub const PLAIN: NameCharacters = NameCharacters {
        characters: "",
        none_before: "",
        joints: "",
    };
    /// Words with hyphens between them: of classes, attributes, keys.
    pub const HYPHENED: NameCharacters = NameCharacters {
        joints: "-",
        ..NameCharacters::PLAIN
    };
}

/// What comes of a second definition of a name in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redefinition {
    /// It takes the place of the first, without a word.
    TakesPlace {
        /// Variables too are bound once as a rule, not again and again as in a script of a shell.
        variables: bool,
    },
    /// The compiler refuses it; where there are overloads, one with the same types of parameters.
    Refused {
        /// A name may stand for several.
        overloads: bool,
    },
    /// Both are kept, and a name no longer says which is meant.
    Stands,
    /// Nothing: names mean nothing here, or are checked elsewhere.
    Allowed,
}
