//! `Operation`: what one operation does, where it looks, and what holds it.

use std::collections::BTreeMap;

use super::NameRules;
use super::selector::Selector;
use super::short_text::ShortText;
use crate::diagnostic::{Diagnostic, PlanPlace};
use crate::path::RepoPath;
use crate::syntax::ItemKind;
use crate::syntax::python::ImportStatement;

/// One entry of a batch.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The caller's own name for it.
    pub id: Option<String>,
    /// Which files it is about.
    pub files: Files,
    /// What it does.
    pub verb: Verb,
    /// What it may take away without naming it.
    pub allow_remove: AllowRemove,
    /// Whether its lines may repeat the line beside them.
    pub allow_repeat: bool,
    /// What becomes of the calls of a function whose parameters it changes; `None` where they stay as they are.
    pub callers: Option<CallersRule>,
    /// What becomes of names in it that nothing defines.
    pub rules: NameRules,
    /// Where its words stand in the operation file: `""` for the operation, else by field name (the value's place).
    pub places: BTreeMap<String, PlanPlace>,
}

impl Operation {
    /// Returns the operation that does `verb` to one file, with nothing else said of it.
    pub fn on(file: RepoPath, verb: Verb) -> Operation {
        Operation {
            id: None,
            files: Files::One(file),
            verb,
            allow_remove: AllowRemove::default(),
            allow_repeat: false,
            callers: None,
            rules: NameRules::default(),
            places: BTreeMap::new(),
        }
    }

    /// Returns where it looks; nothing for what is about whole files.
    pub fn scoped(&self) -> Option<&Scoped> {
        match &self.verb {
            Verb::Replace { selector, .. } | Verb::Insert { selector, .. } => selector.as_ref(),
            Verb::Delete { selector, .. } | Verb::Substitute { find: selector, .. } => {
                Some(selector)
            }
            Verb::Create { .. }
            | Verb::Remove { .. }
            | Verb::Chmod { .. }
            | Verb::Rename { .. }
            | Verb::Import { .. }
            | Verb::Unimport { .. }
            | Verb::RenameFile { .. }
            | Verb::Move { .. } => None,
        }
    }

    /// Returns the part of the segment that it names, if it names one.
    pub fn part(&self) -> Option<Part> {
        match &self.verb {
            Verb::Replace { part, .. } | Verb::Insert { part, .. } | Verb::Delete { part, .. } => {
                *part
            }
            _ => None,
        }
    }

    /// Returns it with another choice among several segments or places.
    pub fn choosing(mut self, choice: Choice) -> Operation {
        if let Some(scoped) = self.scoped_mut() {
            scoped.choice = choice;
        }
        self
    }

    /// Returns it for the n-th, from 1, of all that it means, which are none inside of words unless it says so.
    pub fn for_one_of_all(mut self, number: usize) -> Operation {
        if let Some(scoped) = self.scoped_mut() {
            scoped.choice = Choice::Nth(number);
            scoped.inside_words.get_or_insert(false);
        }
        self
    }

    fn scoped_mut(&mut self) -> Option<&mut Scoped> {
        match &mut self.verb {
            Verb::Replace { selector, .. } | Verb::Insert { selector, .. } => selector.as_mut(),
            Verb::Delete { selector, .. } | Verb::Substitute { find: selector, .. } => {
                Some(selector)
            }
            Verb::Create { .. }
            | Verb::Remove { .. }
            | Verb::Chmod { .. }
            | Verb::Rename { .. }
            | Verb::Import { .. }
            | Verb::Unimport { .. }
            | Verb::RenameFile { .. }
            | Verb::Move { .. } => None,
        }
    }

    /// Returns it held to `hash`, which is what it takes the place of, unless it is held to one already or takes nothing away.
    pub fn expecting(mut self, hash: Option<String>) -> Operation {
        match &mut self.verb {
            Verb::Replace { expect, .. }
            | Verb::Delete { expect, .. }
            | Verb::Remove { expect }
                if expect.is_none() =>
            {
                *expect = hash.map(Expect);
            }
            Verb::Replace { .. }
            | Verb::Delete { .. }
            | Verb::Remove { .. }
            | Verb::Insert { .. }
            | Verb::Substitute { .. }
            | Verb::Create { .. }
            | Verb::Chmod { .. }
            | Verb::Rename { .. }
            | Verb::Import { .. }
            | Verb::Unimport { .. }
            | Verb::RenameFile { .. }
            | Verb::Move { .. } => {}
        }
        self
    }

    /// Returns what was found against it, which is the one at `index` of its batch, with the place of the field that it speaks of.
    pub fn placed(&self, found: Diagnostic, index: usize) -> Diagnostic {
        let field = found.field.filter(|_| found.place.is_none());
        let found = match field {
            Some(field) => found.at(self.place(field)),
            None => found,
        };
        found.of_operation(index)
    }

    /// Returns where `field` stands, or the operation itself.
    pub fn place(&self, field: &str) -> Option<&PlanPlace> {
        self.places.get(field).or_else(|| self.places.get(""))
    }
}

/// What an operation may take away without naming it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AllowRemove {
    /// Nothing.
    #[default]
    Nothing,
    /// Segments of these names, qualified or not, and all inside of them.
    Named(Vec<String>),
    /// Whatever it takes.
    Everything,
}

/// Which files an operation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// One file.
    One(RepoPath),
    /// Every tracked file that one of these git pathspecs matches.
    Matching(Vec<String>),
}

/// What an operation does, with what it needs.
#[derive(Clone, Debug)]
pub enum Verb {
    /// Put `content` in the segment's place.
    Replace {
        /// Where; `None` is the whole file.
        selector: Option<Scoped>,
        /// Which part of the segment.
        part: Option<Part>,
        /// What comes in its place.
        content: String,
        /// How it is indented; `None` when not given.
        indent: Option<Indent>,
        /// The segment's hash as the caller read it.
        expect: Option<Expect>,
    },
    /// Add `content` beside or inside the segment.
    Insert {
        /// Where; `None` is the file.
        selector: Option<Scoped>,
        /// `Part::Attribute`, when that is what is added to an element.
        part: Option<Part>,
        /// Beside or inside, before or after; `None` when not given (after a segment, last in a file).
        position: Option<Position>,
        /// What to add.
        content: String,
        /// How it is indented; `None` when not given.
        indent: Option<Indent>,
    },
    /// Remove the segment, its decorations and the gap it leaves.
    Delete {
        /// Where.
        selector: Scoped,
        /// Which part of the segment.
        part: Option<Part>,
        /// The segment's hash as the caller read it.
        expect: Option<Expect>,
    },
    /// Search and replace.
    Substitute {
        /// What to find: `Selector::Text` or `Selector::Pattern`.
        find: Scoped,
        /// What comes in the place of each match; `$name` and `$1` name groups of a pattern.
        replacement: String,
        /// Only so many matches from the start; `None` is every match.
        count: Option<usize>,
        /// Refuse unless there are exactly so many matches.
        expect_count: Option<usize>,
    },
    /// A new file.
    Create {
        /// Its content, kept as it is.
        content: String,
        /// Mode 100755.
        executable: bool,
    },
    /// Delete the file.
    Remove {
        /// The file's blob id as the caller read it.
        expect: Option<Expect>,
    },
    /// Let the file be executed, or no more.
    Chmod {
        /// Mode 100755, else 100644.
        executable: bool,
    },
    /// Give a definition or a section another name, wherever that is used.
    Rename {
        /// What it is: `Selector::Symbol` or `Selector::Section`.
        selector: Selector,
        /// The new name.
        to: String,
        /// What else may be renamed, and what may not be in the way.
        terms: RenameTerms,
    },
    /// Take a definition or a section to another place.
    Move {
        /// What moves: `Selector::Symbol` or `Selector::Section`.
        selector: Selector,
        /// Where to.
        to: MovePlace,
        /// What becomes of places that are not certain, and of mentions.
        terms: RenameTerms,
        /// Whether the old module goes on giving the name.
        reexports: bool,
    },
    /// Make sure that the file has an import.
    Import {
        /// The import.
        statement: ImportStatement,
    },
    /// Make sure that the file has it no more.
    Unimport {
        /// The import.
        statement: ImportStatement,
        /// Whether it may go although what it binds is used.
        allows_use: bool,
    },
    /// Move the file, mode and content kept.
    RenameFile {
        /// Where to.
        to: RepoPath,
        /// What becomes of imports of a module that are not certain, and of mentions.
        terms: RenameTerms,
    },
}

impl Verb {
    /// Returns the verb as it is written in an operation file.
    pub fn name(&self) -> &'static str {
        match self {
            Verb::Replace { .. } => "replace",
            Verb::Insert { .. } => "insert",
            Verb::Delete { .. } => "delete",
            Verb::Substitute { .. } => "substitute",
            Verb::Create { .. } => "create",
            Verb::Remove { .. } => "remove",
            Verb::Chmod { .. } => "chmod",
            Verb::Rename { .. } => "rename",
            Verb::RenameFile { .. } => "rename_file",
            Verb::Move { .. } => "move",
            Verb::Import { .. } => "import",
            Verb::Unimport { .. } => "unimport",
        }
    }
}

/// What becomes of the calls of a function whose parameters change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallersRule {
    /// What each call gives for parameters that are new, as it is to be written there, by their names.
    pub arguments: BTreeMap<String, String>,
    /// What becomes of calls that are not certain.
    pub unsure: OnUnsure,
}

/// Where a segment is moved to.
#[derive(Clone, Debug, Default)]
pub struct MovePlace {
    /// The file; `None` is the one that it is in.
    pub file: Option<RepoPath>,
    /// What it goes beside or inside of: `Selector::Symbol` or `Selector::Section`; `None` is the file.
    pub beside: Option<Selector>,
    /// Where there; `None` when not given.
    pub position: Option<Position>,
}

/// What becomes of places of a name that are not certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUnsure {
    /// Nothing is renamed.
    #[default]
    Refuse,
    /// They stay.
    Keep,
    /// They are changed.
    Change,
    /// A language server is asked about them, of Python alone; the others have it answer for all. What is not certain then refuses.
    Ask,
}

/// What a renaming may change, and what may not be in its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenameTerms {
    /// What becomes of places that are not certain.
    pub unsure: OnUnsure,
    /// Whether words in strings, comments and other files are changed, too.
    pub changes_mentions: bool,
    /// Whether the new name may mean something else somewhere.
    pub allows_clash: bool,
    /// Whether the file of the definition is all that may change.
    pub is_for_one_file: bool,
}

/// A selector with what narrows it.
#[derive(Clone, Debug)]
pub struct Scoped {
    /// The address as written.
    pub selector: Selector,
    /// Narrows `text`, `pattern` and `lines` to a segment.
    pub within: Option<Selector>,
    /// Narrows a symbol to one kind, by its name (`method`).
    pub kind: Option<crate::syntax::SegmentKind>,
    /// Loosest level for `text`.
    pub loosest: MatchLevel,
    /// Which of several that fit.
    pub choice: Choice,
    /// Whether `text` may begin or end inside a word; `None` when not given.
    pub inside_words: Option<bool>,
}

/// Which is meant of several segments or places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// There may be only one; of `substitute`, all.
    #[default]
    Only,
    /// The n-th in the file, from 1.
    Nth(usize),
    /// All of them.
    Every,
}

impl From<Selector> for Scoped {
    fn from(selector: Selector) -> Scoped {
        Scoped {
            selector,
            within: None,
            kind: None,
            loosest: MatchLevel::Similar,
            choice: Choice::Only,
            inside_words: None,
        }
    }
}

/// Which part of a segment is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The segment with its decorations.
    Whole,
    /// The definition without its decorations: the default of code.
    Definition,
    /// What the header introduces; of a section, all but the heading.
    Body,
    /// The header up to what opens the body.
    Signature,
    /// The documentation string or comment.
    Docstring,
    /// Of a section: the text before its first subsection.
    Own,
    /// Of a section: the heading.
    Heading,
    /// Of a section: the n-th fenced block of its own text, from 1.
    Code(usize),
    /// Of a section: the n-th table of its own text, from 1.
    Table(usize),
    /// Of a section: the n-th list of its own text, from 1.
    List(usize),
    /// Of an element: what stands between its tags.
    Inner,
    /// Of an element: the value of an attribute.
    Attribute(AttributeName),
    /// Of a definition: one of its parameters, bases, decorators or arguments. Without a name the list of them, to which
    /// one is added.
    Item(ItemKind, Option<ItemName>),
}

/// The name of an attribute, in lower case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AttributeName(pub(super) ShortText);

/// What one item of a definition is called, or its number, from 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ItemName(pub(super) ShortText);

/// Where an insertion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A sibling ahead.
    Before,
    /// A sibling behind.
    After,
    /// The first child.
    First,
    /// The last child.
    Last,
}

/// How content is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// The content's base indentation is taken off and the segment's put on.
    Auto,
    /// The content stays as it is.
    Keep,
    /// So many spaces.
    Spaces(usize),
}

/// A segment's hash, or at least 8 hexadecimal digits of it, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect(pub String);

/// How loosely a text may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each level is named after what it overlooks")]
pub enum MatchLevel {
    Exact,
    Trailing,
    Unicode,
    Indentation,
    Whitespace,
    Similar,
}

impl MatchLevel {
    /// Returns the level as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            MatchLevel::Exact => "exact",
            MatchLevel::Trailing => "trailing",
            MatchLevel::Unicode => "unicode",
            MatchLevel::Indentation => "indentation",
            MatchLevel::Whitespace => "whitespace",
            MatchLevel::Similar => "similar",
        }
    }
}
