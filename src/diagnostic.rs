//! `Diagnostic`: a refusal with a way out, and `Code`: the catalogue of every refusal.
//!
//! A diagnostic names the operation, the place, what was found and what to try. Callers match on codes, never on
//! text. `class` sorts every code; `actions::outcome::Status::of` ranks the classes, and `cli::exit` gives the number. Deliberately
//! not here: how it looks (`report`).

use std::borrow::Cow;

use crate::path::RepoPath;

/// Every way to be refused. The text form is stable: it is part of the JSON report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "each name is its own text form, and docs/reports.md explains each"
)]
pub enum Code {
    SegmentNotFound,
    SegmentAmbiguous,
    TextNotFound,
    TextAmbiguous,
    PatternNotFound,
    InvalidPattern,
    CountMismatch,
    LineOutOfRange,
    Overlap,
    StaleSegment,
    FileNotFound,
    FileExists,
    BinaryFile,
    MixedIndentation,
    PathRefused,
    UnsupportedLanguage,
    Unsupported,
    MergeConflict,
    Malformed,
    TooLarge,
    Drift,
    SyntaxError,
    StructureLost,
    InventoryChanged,
    WouldRemove,
    RepeatsNeighbour,
    DefinedTwice,
    Placeholder,
    ValidatorFailed,
    ValidatorMissing,
    ValidatorTimeout,
    ValidatorCrashed,
    ConfigUntrusted,
    ConfigInvalid,
    RefMoved,
    WorktreeDirty,
    UntrackedInTheWay,
    IndexLocked,
    UnsupportedRepository,
    NothingToUndo,
    NothingToRedo,
    ChangedSince,
    DraftExists,
    DraftNotFound,
    KeyMissing,
    ModelRefused,
    ModelNoEdit,
    ModelLimit,
    NotCertain,
    NameClash,
    ImportCycle,
    StillUsed,
    UndefinedName,
    UnknownAttribute,
    UnknownImport,
    UnfitCall,
    Declined,
    ProviderFailed,
    Io,
}

/// What kind of failure a code is; the exit table and the report's status follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The operation file or the command line is wrong.
    Malformed,
    /// The request does not resolve.
    Unresolved,
    /// The repository is in the way.
    Conflict,
    /// A check rejected the candidate.
    Rejected,
    /// Input, output or our own failure.
    Failed,
}

impl Code {
    /// Returns the stable text form.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::SegmentNotFound => "segment-not-found",
            Code::SegmentAmbiguous => "segment-ambiguous",
            Code::TextNotFound => "text-not-found",
            Code::TextAmbiguous => "text-ambiguous",
            Code::PatternNotFound => "pattern-not-found",
            Code::InvalidPattern => "invalid-pattern",
            Code::CountMismatch => "count-mismatch",
            Code::LineOutOfRange => "line-out-of-range",
            Code::Overlap => "overlap",
            Code::StaleSegment => "stale-segment",
            Code::FileNotFound => "file-not-found",
            Code::FileExists => "file-exists",
            Code::BinaryFile => "binary-file",
            Code::MixedIndentation => "mixed-indentation",
            Code::PathRefused => "path-refused",
            Code::UnsupportedLanguage => "unsupported-language",
            Code::Unsupported => "unsupported",
            Code::MergeConflict => "merge-conflict",
            Code::Malformed => "malformed",
            Code::TooLarge => "too-large",
            Code::Drift => "drift",
            Code::SyntaxError => "syntax-error",
            Code::StructureLost => "structure-lost",
            Code::InventoryChanged => "inventory-changed",
            Code::WouldRemove => "would-remove",
            Code::RepeatsNeighbour => "repeats-neighbour",
            Code::DefinedTwice => "defined-twice",
            Code::Placeholder => "placeholder",
            Code::ValidatorFailed => "validator-failed",
            Code::ValidatorMissing => "validator-missing",
            Code::ValidatorTimeout => "validator-timeout",
            Code::ValidatorCrashed => "validator-crashed",
            Code::ConfigUntrusted => "config-untrusted",
            Code::ConfigInvalid => "config-invalid",
            Code::RefMoved => "ref-moved",
            Code::WorktreeDirty => "worktree-dirty",
            Code::UntrackedInTheWay => "untracked-in-the-way",
            Code::IndexLocked => "index-locked",
            Code::UnsupportedRepository => "unsupported-repository",
            Code::NothingToUndo => "nothing-to-undo",
            Code::NothingToRedo => "nothing-to-redo",
            Code::ChangedSince => "changed-since",
            Code::DraftExists => "draft-exists",
            Code::DraftNotFound => "draft-not-found",
            Code::KeyMissing => "key-missing",
            Code::ModelRefused => "model-refused",
            Code::ModelNoEdit => "model-no-edit",
            Code::ModelLimit => "model-limit",
            Code::NotCertain => "not-certain",
            Code::NameClash => "name-clash",
            Code::ImportCycle => "import-cycle",
            Code::StillUsed => "still-used",
            Code::UndefinedName => "undefined-name",
            Code::UnknownAttribute => "unknown-attribute",
            Code::UnknownImport => "unknown-import",
            Code::UnfitCall => "unfit-call",
            Code::Declined => "declined",
            Code::ProviderFailed => "provider-failed",
            Code::Io => "io",
        }
    }
}

/// A refusal: what was asked, what was found, what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which refusal this is.
    pub code: Code,
    /// One sentence without a final period: "no `Parser.emit` in src/a.py".
    pub message: String,
    /// Index of the operation in its batch, from 0.
    pub operation: Option<usize>,
    /// Where in the operation file the offending words stand.
    pub place: Option<PlanPlace>,
    /// The field of its operation that it speaks of, for whoever knows where that stands.
    pub field: Option<&'static str>,
    /// What is asked of it later, which its words only say.
    pub mark: Option<DiagnosticMark>,
    /// Where in a file of the repository the trouble stands, for syntax errors and the like.
    pub excerpt: Option<Excerpt>,
    /// What to try, as words to paste: nearest names, nearest keys.
    pub suggestions: Vec<String>,
    /// Addresses that would have been unique.
    pub candidates: Vec<String>,
    /// Further sentences: what was found, a command that helps.
    pub notes: Vec<String>,
}

/// What is asked of a diagnostic by those that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticMark {
    /// It only repeats what the findings of a validator say one by one.
    RepeatsFindings,
    /// The folder is in no repository at all.
    NoRepository,
}

/// A range of an operation file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanPlace {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// Byte offsets in the operation file.
    pub start: usize,
    /// Byte offset after the last byte.
    pub end: usize,
}

/// A line of a repository's file that a diagnostic shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The file.
    pub path: RepoPath,
    /// 1-based line.
    pub line: usize,
    /// 1-based column in bytes.
    pub column: usize,
    /// The line itself, without its ending, lossily as text.
    pub text: String,
}

impl Diagnostic {
    /// Returns a diagnostic with nothing but its code and sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            operation: None,
            place: None,
            field: None,
            mark: None,
            excerpt: None,
            suggestions: Vec::new(),
            candidates: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns the candidates of which each is a name to send instead. A place of a text has none; what is said of each is in the
    /// notes.
    pub fn choices(&self) -> &[String] {
        match self.code {
            Code::TextAmbiguous | Code::CountMismatch => &[],
            _ => &self.candidates,
        }
    }

    /// Returns it with words to paste instead.
    pub fn suggest(mut self, words: impl IntoIterator<Item = String>) -> Diagnostic {
        self.suggestions.extend(words);
        self
    }

    /// Returns it with addresses that would have been unique.
    pub fn candidates(mut self, addresses: impl IntoIterator<Item = String>) -> Diagnostic {
        self.candidates.extend(addresses);
        self
    }

    /// Returns it with one more sentence.
    pub fn note(mut self, sentence: impl Into<String>) -> Diagnostic {
        self.notes.push(sentence.into());
        self
    }

    /// Returns it pointing at a place in the operation file.
    pub fn at(mut self, place: Option<&PlanPlace>) -> Diagnostic {
        self.place = place.cloned();
        self
    }

    /// Says whether it only repeats what the findings of a validator say one by one.
    pub fn repeats_findings(&self) -> bool {
        self.mark == Some(DiagnosticMark::RepeatsFindings)
    }

    /// Returns it with what is asked of it later.
    pub fn marked(mut self, mark: DiagnosticMark) -> Diagnostic {
        self.mark = Some(mark);
        self
    }

    /// Returns it speaking of this field of its operation.
    pub fn in_field(mut self, field: &'static str) -> Diagnostic {
        self.field = Some(field);
        self
    }

    /// Returns it showing a line of a repository's file.
    pub fn showing(mut self, excerpt: Excerpt) -> Diagnostic {
        self.excerpt = Some(excerpt);
        self
    }

    /// Returns it as the failure of the operation at `index`.
    pub fn of_operation(mut self, index: usize) -> Diagnostic {
        self.operation = Some(index);
        self
    }

    /// Returns what kind of failure this is. `too-large` is about the operation file where it points into that.
    pub fn class(&self) -> Class {
        match self.code {
            Code::Malformed | Code::KeyMissing => Class::Malformed,
            Code::TooLarge if self.operation.is_none() && self.place.is_some() => Class::Malformed,
            Code::SegmentNotFound
            | Code::SegmentAmbiguous
            | Code::NotCertain
            | Code::NameClash
            | Code::ImportCycle
            | Code::StillUsed
            | Code::TextNotFound
            | Code::TextAmbiguous
            | Code::PatternNotFound
            | Code::InvalidPattern
            | Code::CountMismatch
            | Code::LineOutOfRange
            | Code::Overlap
            | Code::StaleSegment
            | Code::FileNotFound
            | Code::FileExists
            | Code::BinaryFile
            | Code::MixedIndentation
            | Code::PathRefused
            | Code::UnsupportedLanguage
            | Code::Unsupported
            | Code::MergeConflict
            | Code::DraftNotFound
            | Code::ModelNoEdit
            | Code::TooLarge => Class::Unresolved,
            Code::ConfigUntrusted
            | Code::ConfigInvalid
            | Code::RefMoved
            | Code::WorktreeDirty
            | Code::UntrackedInTheWay
            | Code::IndexLocked
            | Code::UnsupportedRepository
            | Code::NothingToUndo
            | Code::NothingToRedo
            | Code::ChangedSince
            | Code::DraftExists => Class::Conflict,
            Code::Drift
            | Code::UndefinedName
            | Code::UnknownAttribute
            | Code::UnknownImport
            | Code::UnfitCall
            | Code::SyntaxError
            | Code::StructureLost
            | Code::InventoryChanged
            | Code::WouldRemove
            | Code::RepeatsNeighbour
            | Code::DefinedTwice
            | Code::Placeholder
            | Code::ValidatorFailed
            | Code::ValidatorMissing
            | Code::ValidatorTimeout
            | Code::ValidatorCrashed
            | Code::ModelRefused
            | Code::ModelLimit
            | Code::Declined => Class::Rejected,
            Code::ProviderFailed | Code::Io => Class::Failed,
        }
    }
}

/// Returns `text` fit to be shown in a message: control and direction characters escaped, long text cut.
pub fn shown(text: &str) -> String {
    shown_in_place(text).into_owned()
}

/// Returns the same, borrowed where that is the text itself.
pub fn shown_in_place(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 120;
    if text.len() <= LONGEST && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == LONGEST {
            shown.push('…');
            break;
        }
        push_escaped(&mut shown, character);
    }
    Cow::Owned(shown)
}

/// Returns `text` with every character escaped that could drive a terminal or reorder what it shows; tabs and
/// line feeds stay.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\n' | '\t') {
            escaped.push(character)
        } else {
            push_escaped(&mut escaped, character)
        }
    }
    escaped
}

/// Returns `text` with its white space made visible: `·` for a space, `→` for a tab, `␍` and `⏎` for the ends of lines. Spaces
/// between words stay as they are, unless several come together. Long text is cut.
pub fn visible(text: &str) -> String {
    const LONGEST: usize = 400;
    let characters: Vec<char> = text.chars().take(LONGEST).collect();
    let blank = |at: usize| {
        characters
            .get(at)
            .is_none_or(|character| character.is_whitespace())
    };
    let mut visible = String::new();
    for (at, &character) in characters.iter().enumerate() {
        match character {
            ' ' if at > 0 && !blank(at - 1) && !blank(at + 1) => visible.push(' '),
            ' ' => visible.push('·'),
            '\u{a0}' => visible.push('⍽'),
            '\t' => visible.push('→'),
            '\r' => visible.push('␍'),
            '\n' => visible.push('⏎'),
            _ => push_escaped(&mut visible, character),
        }
    }
    if text.chars().count() > LONGEST {
        visible.push('…');
    }
    visible
}

fn push_escaped(out: &mut String, character: char) {
    match character {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        _ if !misleads(character) => out.push(character),
        _ if character.is_control() => out.push_str(&format!("\\x{:02x}", character as u32)),
        _ => out.push_str(&format!("\\u{{{:x}}}", character as u32)),
    }
}

/// Says whether a character could drive a terminal, reorder what it shows, or stand in it unseen.
pub fn misleads(character: char) -> bool {
    let unseen = matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    character.is_control() || unseen
}

/// Returns the words of `known` nearest to `word`, best first, at most `most`; far ones are left out.
pub fn nearest<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    // The distance of two words costs the product of their lengths, and nobody misspells one this long.
    const LONGEST: usize = 256;
    if word.len() > LONGEST {
        return Vec::new();
    }
    let folded = word.to_lowercase();
    let folded_length = folded.chars().count();
    let far = (word.chars().count() / 3).max(1);
    let mut ranked: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        // Words are at least as far apart as their lengths; most names need no further look.
        .filter(|name| name.chars().count().abs_diff(folded_length) <= far)
        .map(|name| {
            (
                strsim::damerau_levenshtein(&folded, &name.to_lowercase()),
                name,
            )
        })
        .filter(|&(distance, name)| distance <= far && distance < name.chars().count().max(2))
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked
        .into_iter()
        .take(most)
        .map(|(_, name)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_never_reach_a_terminal() {
        assert_eq!(shown("a\u{1b}[2K\nb\u{202e}"), "a\\x1b[2K\\nb\\u{202e}");
        assert_eq!(escaped("a\tb\n\r"), "a\tb\n\\x0d");
        assert_eq!(
            shown("\u{9b}\u{7f}\u{ad}\u{61c}\u{e0041}ß"),
            "\\x9b\\x7f\\u{ad}\\u{61c}\\u{e0041}ß"
        );
        assert!(shown(&"x".repeat(500)).chars().count() <= 121);
    }

    #[test]
    fn white_space_can_be_seen() {
        assert_eq!(visible("\ta = 1  \r\n"), "→a = 1··␍⏎");
        assert_eq!(visible(" a\u{a0}b\u{1b}"), "·a⍽b\\x1b");
    }

    #[test]
    fn nearest_words_come_best_first() {
        assert_eq!(
            nearest("replce", ["replace", "rename", "create"], 2),
            ["replace"]
        );
        assert_eq!(nearest("zzzz", ["replace"], 2), Vec::<&str>::new());
    }
}
