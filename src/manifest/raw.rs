//! An operation file as it is written: the shape behind both `yaml::write` and the JSON Schema.
//!
//! The doc comments are the schema's descriptions, so they speak to whoever writes an operation file. Nothing is
//! ever read into these: reading goes through yaml's own walker, which knows places.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::words::FixedWord;
use super::{
    AllowRemove, CheckMode, Choice, Destination, Files, Flags, Indent, Manifest, MatchLevel,
    MovePlace, OnUnsure, Operation, Pattern, RenameTerms, ResolveOrder, Scoped, Selector,
    SymbolSelector, Verb,
};

/// One batch of edits to a git repository: resolved against one snapshot, checked, and published together or not at
/// all.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "git segedit operation file")]
pub(super) struct RawManifest {
    /// Version of this format.
    pub version: u64,
    /// Commit message; a summary is generated when absent. Lines such as `Segedit-…:` are the program's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Trailers to add to the message, such as `{Ticket: ORD-17}`.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_order")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub trailers: Vec<(String, String)>,
    /// Author as `Name <mail>`; the committer stays the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Where the batch goes: one commit on a branch (the default), index and files, index only, files only, or a stash
    /// entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination: Option<String>,
    /// Branch to commit on, created from `base` if it does not exist; by default the one that HEAD names. Only with
    /// `destination: commit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Revision to resolve against; by default the tip of the branch. Only with `destination: commit` or `stash`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// What a failed check does: refuse (strict, the default), warn (interactive), or refuse and publish nothing even
    /// when all is well (verify_only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Whether all operations see the same snapshot (the default) or each the result of those before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolve: Option<String>,
    /// What a name does that an edit of Python newly uses and that nothing defines: `warn` (the default), `strict` refuses it
    /// (`undefined-name`). An operation may say otherwise for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// `fix` adds an import to an edited Python file when all that the project knows of a name leads to one definition, and takes out
    /// imports that the edit leaves without a use; `keep` (the default) changes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imports: Option<String>,
    /// The edits.
    pub operations: Vec<RawOperation>,
}

/// One edit: a verb (`op`), a file, at most one selector that says where, and what the verb needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct RawOperation {
    /// What to do.
    pub op: String,
    /// Path relative to the repository's root, with `/` between folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Git pathspecs in the place of `file`; one that matches nothing is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// Your own name for the operation, echoed in the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Selector: a definition by its qualified name from the file's top, `Worker.process`; `*.process` at any depth;
    /// `Worker.value[2]` the second of that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Selector: a Markdown section by its heading, `"## Installation"`, or without markers when unique, or a list of
    /// headings that walks down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<RawSection>,
    /// Selector: a template block by its name, a region between region comments, a block of the template that a
    /// scaffolded file was made from, or else the definition or section of that name; `name[2]` the second of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// Selector: an HTML element by a CSS selector that matches it and no other, `#header h1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Selector: a key of a YAML, TOML or JSON file by the way to it from the top, `services.web.image`; `steps[0].uses`
    /// counts items from 0; `'"a.b".c'` quotes a key that holds a dot; `''` is the top of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Selector: literal text that occurs exactly once (for `substitute`: wherever it occurs).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Selector: a regular expression in the syntax of Rust's `regex` crate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Selector: a line `12` or a range `"50-52"`, from 1, both ends included, as numbered in the snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<RawLines>,
    /// Narrows `text`, `pattern` or `lines` to a segment, such as `{symbol: Worker.process}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<RawWithin>,
    /// Narrows `symbol` to one kind of definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The loosest way in which `text` may match; `similar` by default.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub loosest: Option<String>,
    /// Of several segments or places the n-th, from 1, in the order of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrence: Option<usize>,
    /// Each segment that has the name (`*.close`), or each place of the text or pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<bool>,
    /// Whether `text` may begin or end inside a word. By default it may not, but for `substitute`, which warns of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside_words: Option<bool>,
    /// What to write. Its indentation is adapted to the place, see `indent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Which part of the segment: of code `whole` (decorations too), `body`, `signature`, `docstring`, or one item of it,
    /// `parameter[NAME]`, `base[NAME]`, `decorator[NAME]`, `argument[NAME]` (`insert` beside it, or with `parameter` and its
    /// like as the `first` or `last`); of a section
    /// `body` (all but the heading), `own` (up to the first subsection), `code[n]`, `table[n]`, `list[n]`; of a block
    /// `whole` (its tags too), `body`; of an element `whole`, `inner` (between its tags), `attribute:NAME` (the value; `insert`
    /// adds the attribute); of a key `whole` (comments above too), `body` (its value).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// `auto` gives the content the segment's indentation, `keep` leaves it, a number sets that many spaces. `keep` is the
    /// default for `lines` and for what is inserted beside a `text` or `pattern`, else `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indent: Option<RawIndent>,
    /// The segment's hash as `show` and `outline` print it, at least 8 digits: refused when the segment has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// What the edit may take away without naming it: `true`, or the names of definitions, sections, keys and blocks. Else one
    /// that goes is refused (`would-remove`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_remove: Option<RawAllowRemove>,
    /// Lines may be put beside a line that they repeat; else they are refused (`repeats-neighbour`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_repeat: Option<bool>,
    /// `true` has the calls of a function follow, in all files, where its `signature` or one `parameter[NAME]` changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<bool>,
    /// With `callers`: what each call gives for new parameters, as it is to be written there, such as `{timeout: "30"}`.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_order")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub arguments: Vec<(String, String)>,
    /// The same as the batch's `names`, for this operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// The same as the batch's `imports`, for this operation. `rename_file` of a Python module has all imports of it follow, unless this
    /// is `keep`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imports: Option<String>,
    /// `before` or `after` makes a sibling, `first` or `last` a child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What comes in the place of each match; `$1` and `${name}` name groups of a pattern, `$$` is a dollar sign there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// Replace only so many matches, from the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Refuse unless there are exactly so many matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_count: Option<usize>,
    /// Match letters in either case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_case: Option<bool>,
    /// `^` and `$` match at every line of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiline: Option<bool>,
    /// `.` matches a line break too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dotall: Option<bool>,
    /// The new path of the file, the new name of a definition, or the place that a segment is moved to: a path, an address, or a
    /// mapping such as `{file: src/b.py, symbol: f, position: after}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<RawDestination>,
    /// `true` has the old module go on giving a name whose definition `move` takes to another one; nothing else is changed then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reexport: Option<bool>,
    /// How far `rename` reaches: the `file` or the `project`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// What `rename`, `move`, `rename_file` of a Python module, and whatever has `callers`, does where places are not certain: `refuse` (the default, `not-certain`), `keep` them, `change` them, too; `rename` in Python also to `ask` the language server of `.segedit.yaml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsure: Option<String>,
    /// What `rename` does with the word in strings, comments and other files, `rename_file` with the module's dotted name and path, and `move` with the name behind that of its module: `keep` (the default) or `change`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentions: Option<String>,
    /// `allow` renames although the new name means something else somewhere (`name-clash`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clash: Option<String>,
    /// Whether the file may be executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executable: Option<bool>,
    /// The import that `import` makes sure of, and `unimport` that it is not there: `import x` or `from x import y`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// `allow` has `unimport` take an import away although what it binds is used (`still-used`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<String>,
}

/// A path, a name or an address; or a place by its parts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum RawDestination {
    /// In one word.
    Word(String),
    /// By its parts.
    Place(RawMovePlace),
}

/// Where a segment is moved to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct RawMovePlace {
    /// The file; by default the one that the segment is in. One that is not there is made, for a definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// A definition there; by default the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// A section there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<RawSection>,
    /// `before` or `after` (the default) of it, or its `first` or `last` child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl RawMovePlace {
    fn of(place: &MovePlace) -> RawMovePlace {
        let mut raw = RawMovePlace {
            file: place.file.as_ref().map(ToString::to_string),
            position: place.position.map(word_of),
            ..RawMovePlace::default()
        };
        match &place.beside {
            Some(Selector::Symbol(symbol)) => raw.symbol = Some(symbol.to_string()),
            Some(Selector::Section(section)) => raw.section = Some(RawSection::of(section)),
            Some(_) | None => {}
        }
        raw
    }
}

/// One heading, or a list of them from the outside in.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum RawSection {
    /// One heading.
    One(String),
    /// A list that walks down.
    Path(Vec<String>),
}

/// A line, or a range as text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum RawLines {
    /// One line.
    One(usize),
    /// A range.
    Range(String),
}

/// A word or a number of spaces.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum RawIndent {
    /// `auto` or `keep`.
    Word(String),
    /// So many spaces.
    Spaces(usize),
}

/// Whatever the edit takes away, or only what has one of these names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum RawAllowRemove {
    /// Everything, or nothing.
    All(bool),
    /// Names, qualified or not.
    Named(Vec<String>),
}

/// The segment that a text, a pattern or lines are looked for in: exactly one of these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct RawWithin {
    /// A definition by its qualified name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// A Markdown section by its heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<RawSection>,
    /// A template block or a region by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// An HTML element by a CSS selector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// A key of a YAML, TOML or JSON file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Writes pairs as a mapping that keeps their order.
fn in_order<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

impl RawManifest {
    /// Returns what would be written for `manifest`; defaults are left out.
    pub(super) fn of(manifest: &Manifest) -> RawManifest {
        RawManifest {
            version: super::yaml::VERSION,
            message: manifest.message.clone(),
            trailers: manifest.trailers.clone(),
            author: manifest.author.as_ref().map(ToString::to_string),
            destination: unless_default(manifest.destination, Destination::default()),
            branch: manifest.branch.clone(),
            base: manifest.base.clone(),
            mode: unless_default(manifest.mode, CheckMode::default()),
            resolve: unless_default(manifest.order, ResolveOrder::default()),
            names: manifest.rules.names.map(word_of),
            imports: manifest.rules.imports.map(word_of),
            operations: manifest.operations.iter().map(RawOperation::of).collect(),
        }
    }
}

fn word_of<T: FixedWord>(value: T) -> String {
    value.word().to_owned()
}

fn unsure_word(unsure: OnUnsure) -> Option<String> {
    match unsure {
        OnUnsure::Refuse => None,
        OnUnsure::Keep => Some("keep".to_owned()),
        OnUnsure::Change => Some("change".to_owned()),
        OnUnsure::Ask => Some("ask".to_owned()),
    }
}

fn unless_default<T: FixedWord>(value: T, default: T) -> Option<String> {
    (value != default).then(|| value.word().to_owned())
}

impl RawOperation {
    /// Returns what would be written for `operation`.
    pub(super) fn of(operation: &Operation) -> RawOperation {
        let mut raw = RawOperation {
            op: operation.verb.name().to_owned(),
            id: operation.id.clone(),
            ..RawOperation::default()
        };
        match &operation.files {
            Files::One(path) => raw.file = Some(path.to_string()),
            Files::Matching(pathspecs) => raw.files = Some(pathspecs.clone()),
        }
        raw.set_verb(&operation.verb);
        raw.allow_repeat = operation.allow_repeat.then_some(true);
        if let Some(rule) = &operation.callers {
            raw.callers = Some(true);
            raw.arguments = rule.arguments.clone().into_iter().collect();
            raw.unsure = unsure_word(rule.unsure);
        }
        raw.names = operation.rules.names.map(word_of);
        raw.imports = operation.rules.imports.map(word_of);
        raw.allow_remove = match &operation.allow_remove {
            AllowRemove::Nothing => None,
            AllowRemove::Named(names) => Some(RawAllowRemove::Named(names.clone())),
            AllowRemove::Everything => Some(RawAllowRemove::All(true)),
        };
        raw
    }

    fn set_verb(&mut self, verb: &Verb) {
        match verb {
            Verb::Replace {
                selector,
                part,
                content,
                indent,
                expect,
            } => {
                self.set_scoped(selector.as_ref());
                self.part = part.map(|part| part.to_string());
                self.content = Some(content.clone());
                self.indent = indent.map(RawIndent::of);
                self.expect = expect.as_ref().map(|hash| hash.0.clone());
            }
            Verb::Insert {
                selector,
                part,
                position,
                content,
                indent,
            } => {
                self.set_scoped(selector.as_ref());
                self.part = part.map(|part| part.to_string());
                self.position = position.map(|position| position.word().to_owned());
                self.content = Some(content.clone());
                self.indent = indent.map(RawIndent::of);
            }
            Verb::Delete {
                selector,
                part,
                expect,
            } => {
                self.set_scoped(Some(selector));
                self.part = part.map(|part| part.to_string());
                self.expect = expect.as_ref().map(|hash| hash.0.clone());
            }
            Verb::Substitute {
                find,
                replacement,
                count,
                expect_count,
            } => {
                self.set_scoped(Some(find));
                self.replacement = Some(replacement.clone());
                match &find.selector {
                    Selector::Pattern(Pattern {
                        of_text: Some(text),
                        ..
                    }) => {
                        self.pattern = None;
                        self.text = Some(text.clone());
                        self.ignore_case = Some(true);
                        // A pattern's replacement has two dollar signs for one.
                        self.replacement = Some(replacement.replace("$$", "$"));
                    }
                    Selector::Pattern(pattern) => self.set_flags(&pattern.text, pattern.flags()),
                    _ => {}
                }
                self.count = *count;
                self.expect_count = *expect_count;
            }
            Verb::Create {
                content,
                executable,
            } => {
                self.content = Some(content.clone());
                self.executable = executable.then_some(true);
            }
            Verb::Chmod { executable } => self.executable = Some(*executable),
            Verb::Remove { expect } => self.expect = expect.as_ref().map(|hash| hash.0.clone()),
            Verb::RenameFile { to, terms } => {
                self.to = Some(RawDestination::Word(to.to_string()));
                self.set_terms(*terms);
            }
            Verb::Import { statement } => self.statement = Some(statement.words()),
            Verb::Unimport {
                statement,
                allows_use,
            } => {
                self.statement = Some(statement.words());
                self.used = allows_use.then(|| "allow".to_owned());
            }
            Verb::Rename {
                selector,
                to,
                terms,
            } => {
                self.set_renamable(selector);
                self.to = Some(RawDestination::Word(to.clone()));
                self.set_terms(*terms);
            }
            Verb::Move {
                selector,
                to,
                terms,
                reexports,
            } => {
                self.set_renamable(selector);
                self.to = Some(RawDestination::Place(RawMovePlace::of(to)));
                self.set_terms(*terms);
                self.reexport = reexports.then_some(true);
            }
        }
    }

    /// Sets what has a name that is used elsewhere: a symbol or a section.
    fn set_renamable(&mut self, selector: &Selector) {
        match selector {
            Selector::Symbol(symbol) => self.set_address(symbol),
            Selector::Section(section) => self.section = Some(RawSection::of(section)),
            Selector::Key(key) => self.key = Some(key.to_string()),
            Selector::Element(element) => self.element = Some(element.to_string()),
            _ => {}
        }
    }

    fn set_address(&mut self, symbol: &SymbolSelector) {
        let name = symbol.to_string();
        // Without its file, a name with `::` in it would be read as a file and a name.
        self.symbol = match self.file.take_if(|_| name.contains("::")) {
            Some(file) => Some(format!("{file}::{name}")),
            None => Some(name),
        };
    }

    fn set_terms(&mut self, terms: RenameTerms) {
        let word = |is_set: bool, word: &str| is_set.then(|| word.to_owned());
        self.scope = word(terms.is_for_one_file, "file");
        self.mentions = word(terms.changes_mentions, "change");
        self.clash = word(terms.allows_clash, "allow");
        self.unsure = unsure_word(terms.unsure);
    }

    fn set_scoped(&mut self, scoped: Option<&Scoped>) {
        let Some(Scoped {
            selector,
            within,
            kind,
            loosest,
            choice,
            inside_words,
        }) = scoped
        else {
            return;
        };
        match selector {
            Selector::Symbol(symbol) => self.symbol = Some(symbol.to_string()),
            Selector::Section(section) => self.section = Some(RawSection::of(section)),
            Selector::Element(element) => self.element = Some(element.to_string()),
            Selector::Block(block) => self.block = Some(block.to_string()),
            Selector::Key(key) => self.key = Some(key.to_string()),
            Selector::Text(text) => self.text = Some(text.clone()),
            // Only `substitute` has fields for the flags; here they stay inline.
            Selector::Pattern(pattern) => self.pattern = Some(pattern.regex.as_str().to_owned()),
            Selector::Lines(lines) if lines.first == lines.last => {
                self.lines = Some(RawLines::One(lines.first))
            }
            Selector::Lines(lines) => self.lines = Some(RawLines::Range(lines.to_string())),
        }
        self.within = within.as_ref().map(RawWithin::of);
        self.kind = kind.map(|kind| kind.to_string());
        self.loosest = unless_default(*loosest, MatchLevel::Similar);
        self.inside_words = *inside_words;
        match choice {
            Choice::Only => {}
            Choice::Nth(number) => self.occurrence = Some(*number),
            Choice::Every => self.all = Some(true),
        }
    }

    fn set_flags(&mut self, text: &str, flags: Flags) {
        self.pattern = Some(text.to_owned());
        self.ignore_case = flags.ignore_case.then_some(true);
        self.multiline = flags.multiline.then_some(true);
        self.dotall = flags.dotall.then_some(true);
    }
}

impl Operation {
    /// Returns what it asks for, whatever it is called: the same words for the same.
    pub fn asked(&self) -> String {
        let unnamed = RawOperation {
            id: None,
            ..RawOperation::of(self)
        };
        serde_json::to_string(&unnamed).unwrap_or_default()
    }
}

impl RawSection {
    fn of(section: &super::SectionSelector) -> RawSection {
        match section.path.as_slice() {
            [one] => RawSection::One(one.to_string()),
            path => RawSection::Path(path.iter().map(ToString::to_string).collect()),
        }
    }
}

impl RawIndent {
    fn of(indent: Indent) -> RawIndent {
        match indent {
            Indent::Auto => RawIndent::Word("auto".to_owned()),
            Indent::Keep => RawIndent::Word("keep".to_owned()),
            Indent::Spaces(spaces) => RawIndent::Spaces(spaces),
        }
    }
}

impl RawWithin {
    fn of(selector: &Selector) -> RawWithin {
        let mut within = RawWithin::default();
        match selector {
            Selector::Symbol(symbol) => within.symbol = Some(symbol.to_string()),
            Selector::Section(section) => within.section = Some(RawSection::of(section)),
            Selector::Element(element) => within.element = Some(element.to_string()),
            Selector::Block(block) => within.block = Some(block.to_string()),
            Selector::Key(key) => within.key = Some(key.to_string()),
            // These do not narrow anything: yaml refuses them, and so does whoever reads what is written here.
            Selector::Text(_) | Selector::Pattern(_) | Selector::Lines(_) => {}
        }
        within
    }
}
