//! `replace`, `insert`, `delete` and `substitute`: one operation without a file.
//!
//! The command line is written down as the fields of the operation that it stands for, and read like any other.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::publishing::PublishingOptions;
use super::{Common, Reply, exit, input};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::ending::ended_like;
use crate::manifest::fields::{self, FieldNames, of_file, put_selector, put_within, selector};
use crate::manifest::words::FixedWord;
use crate::manifest::{Manifest, ManifestText, MatchLevel, Position, ResolveOrder, Selector};
use crate::path::RepoPath;
use crate::syntax::SegmentKind;

/// Replace a segment, a text, lines or a whole file
///
/// The content may be indented as you like: it takes on the indentation, the line endings and the unit of the place
/// that it comes to.
#[derive(Args)]
#[command(
    override_usage = "git segedit replace [<options>] <path>[::<segment>] (--content <text> | --content-file <file>)",
    after_long_help = "Example:\n   $ git segedit replace src/worker.py::Worker.process --part body --content 'return data'"
)]
pub(crate) struct Replace {
    #[command(flatten)]
    target: EditAddress,
    #[command(flatten)]
    content: ContentFlags,
    /// Which part of the segment: whole, body, signature, docstring, parameter[NAME], base[NAME], decorator[NAME],
    /// argument[NAME], own, heading, code[n], table[n], list[n], inner, attribute:NAME
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// How the content is indented: auto, keep, or a number of spaces
    #[arg(long, value_name = "INDENT")]
    indent: Option<String>,
    /// Refuse unless the segment has this hash, as `show` and `outline` print it
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,
    #[command(flatten)]
    losses: AllowedLosses,
    /// Let lines repeat the line beside them
    #[arg(long)]
    allow_repeat: bool,
    #[command(flatten)]
    callers: CallersOptions,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Insert content beside or inside a segment, a text or lines
///
/// `before` and `after` make a sibling, `first` and `last` a child; the blank lines around it follow the neighbours'.
#[derive(Args)]
#[command(
    override_usage = "git segedit insert [<options>] <path>[::<segment>] (--content <text> | --content-file <file>)",
    after_long_help = "Example:\n   $ git segedit insert src/worker.py::Worker --position last --content 'def stop(self): ...'"
)]
pub(crate) struct Insert {
    #[command(flatten)]
    target: EditAddress,
    #[command(flatten)]
    content: ContentFlags,
    /// What is added to a definition: parameter, base, decorator, argument (or beside one: parameter[NAME]); to an
    /// element: attribute:NAME, with the content as its value
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// Where: before, after (a segment's default), first, last (a file's default)
    #[arg(hide_possible_values = true)]
    #[arg(long, value_name = "WHERE", value_parser = PossibleValuesParser::new(Position::words()))]
    position: Option<String>,
    /// How the content is indented: auto, keep, or a number of spaces
    #[arg(long, value_name = "INDENT")]
    indent: Option<String>,
    /// Let lines repeat the line beside them
    #[arg(long)]
    allow_repeat: bool,
    #[command(flatten)]
    callers: CallersOptions,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Delete a segment with its decorations and the gap it leaves
///
/// A class's last method leaves what the language needs in its place.
#[derive(Args)]
#[command(
    override_usage = "git segedit delete [<options>] <path>::<segment>",
    after_long_help = "Example:\n   $ git segedit delete src/worker.py::Worker.reset --dry-run"
)]
pub(crate) struct Delete {
    #[command(flatten)]
    target: EditAddress,
    /// Which part of the segment: whole, body, docstring, parameter[NAME], base[NAME], decorator[NAME],
    /// argument[NAME], own, code[n], table[n], list[n], inner, attribute:NAME
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// Refuse unless the segment has this hash, as `show` and `outline` print it
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,
    #[command(flatten)]
    losses: AllowedLosses,
    #[command(flatten)]
    callers: CallersOptions,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Search and replace, every match or the first so many
///
/// In one file, in a segment of it, or in all files that pathspecs match; counts are over all of them.
#[derive(Args)]
#[command(
    override_usage = "git segedit substitute [<options>] <path>[::<segment>] (--text <text> | --pattern <regex>) --replacement <text>\n       \
                      git segedit substitute [<options>] (--text <text> | --pattern <regex>) --replacement <text> -- <pathspec>...",
    after_long_help = "Example:\n   $ git segedit substitute --pattern '\\bhttp://' --replacement https:// --dry-run -- '*.md'"
)]
pub(crate) struct Substitute {
    /// The file, `src/worker.py`, or the segment of it that narrows the search, `src/worker.py::Worker`
    #[arg(
        value_name = "address",
        required_unless_present = "pathspecs",
        conflicts_with = "pathspecs"
    )]
    address: Option<String>,
    /// Search in every tracked file that one of these matches
    #[arg(value_name = "pathspec", last = true)]
    pathspecs: Vec<String>,
    /// Literal text to search for
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        required_unless_present = "pattern"
    )]
    text: Option<String>,
    /// Regular expression to search for
    #[arg(
        long,
        value_name = "REGEX",
        allow_hyphen_values = true,
        conflicts_with = "text"
    )]
    pattern: Option<String>,
    /// What comes in the place of each match; `$1` and `${name}` name groups of a pattern
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    replacement: String,
    /// Replace only so many matches, from the top
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Refuse unless there are exactly so many matches
    #[arg(long, value_name = "N")]
    expect_count: Option<usize>,
    /// Replace only the n-th match
    #[arg(long, value_name = "N")]
    occurrence: Option<usize>,
    /// Whether a text may begin or end inside a word; without it such places are replaced with a warning
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    inside_words: Option<bool>,
    /// Match letters in either case
    #[arg(short, long)]
    ignore_case: bool,
    /// Let `^` and `$` match at every line
    #[arg(long)]
    multiline: bool,
    /// Let `.` match a line break too
    #[arg(long)]
    dotall: bool,
    #[command(flatten)]
    losses: AllowedLosses,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// What becomes of the calls of a function whose parameters change.
#[derive(Args)]
struct CallersOptions {
    /// Have the calls follow, in all files, where parameters of a function change (Python)
    #[arg(long)]
    callers: bool,
    /// What each call gives for a new parameter, as it is written there (may be repeated)
    #[arg(long, value_name = "NAME=VALUE", requires = "callers")]
    argument: Vec<String>,
    /// What to do with calls that are not certain: refuse (the default), keep, change
    #[arg(long, value_name = "WHAT", requires = "callers", value_parser = PossibleValuesParser::new(["refuse", "keep", "change"]))]
    #[arg(hide_possible_values = true)]
    unsure: Option<String>,
}

impl CallersOptions {
    fn add_to(self, fields: &mut FieldNames) -> Result<(), Diagnostic> {
        put_flag(fields, "callers", self.callers);
        put_field(fields, "unsure", self.unsure);
        let mut arguments = FieldNames::new();
        for given in &self.argument {
            let Some((name, value)) = given.split_once('=') else {
                let message = format!("--argument `{}` has no `=`", shown(given));
                return Err(Diagnostic::new(Code::Malformed, message).note("write NAME=VALUE"));
            };
            put_field(&mut arguments, name.trim(), Some(value.to_owned()));
        }
        if !arguments.is_empty() {
            fields.insert("arguments".to_owned(), Value::Object(arguments));
        }
        Ok(())
    }
}

/// What may go without being named.
#[derive(Args)]
struct AllowedLosses {
    /// Let it remove what it does not name; with a name, only that (may be repeated)
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = WHATEVER)]
    allow_remove: Vec<String>,
}

/// Where the operation acts.
#[derive(Args)]
#[command(next_help_heading = "Where")]
struct EditAddress {
    /// The segment: `src/worker.py::Worker.process`, `README.md::## Usage`, `page.html::#header`, `ci.yml::jobs.test`, or
    /// just a path
    #[arg(value_name = "address", help_heading = None)]
    address: String,
    /// Narrow a symbol to one kind: function, method, class, variable, …
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(SegmentKind::ALL.map(SegmentKind::as_str)))]
    #[arg(hide_possible_values = true)]
    kind: Option<String>,
    /// Literal text that stands in one place; the address's segment narrows the search
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["pattern", "lines"])]
    text: Option<String>,
    /// Loosest level at which the text may match: exact, trailing, unicode, indentation, whitespace, similar
    #[arg(hide_possible_values = true)]
    #[arg(long = "match", value_name = "LEVEL", value_parser = PossibleValuesParser::new(MatchLevel::words()))]
    loosest: Option<String>,
    /// Regular expression; the address's segment narrows the search
    #[arg(
        long,
        value_name = "REGEX",
        allow_hyphen_values = true,
        conflicts_with = "lines"
    )]
    pattern: Option<String>,
    /// Line or lines, `12` or `50-52`
    #[arg(long, value_name = "LINES")]
    lines: Option<String>,
    /// Segment that narrows text, pattern or lines
    #[arg(long, value_name = "SEGMENT")]
    within: Option<String>,
    /// Of several segments or places the n-th, in the order of the file
    #[arg(long, value_name = "N")]
    occurrence: Option<usize>,
    /// Each of several segments or places
    #[arg(long)]
    all: bool,
    /// Let the text begin or end inside a word
    #[arg(long)]
    inside_words: bool,
}

/// What comes there.
#[derive(Args)]
#[command(next_help_heading = "What")]
#[group(required = true, multiple = false)]
pub(super) struct ContentFlags {
    /// The content itself
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// File that holds the content; `-` is standard input
    #[arg(long, value_name = "FILE")]
    content_file: Option<String>,
}

impl Replace {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = self.target.fields(common).and_then(|mut fields| {
            self.content.add_to(&mut fields)?;
            put_field(&mut fields, "part", self.part);
            put_field(&mut fields, "indent", self.indent);
            put_field(&mut fields, "expect", self.expect);
            self.losses.add_to(&mut fields);
            put_flag(&mut fields, "allow_repeat", self.allow_repeat);
            self.callers.add_to(&mut fields)?;
            Ok(fields)
        });
        publish_edit("replace", fields, &self.publishing, common)
    }
}

impl Insert {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = self.target.fields(common).and_then(|mut fields| {
            self.content.add_to(&mut fields)?;
            put_field(&mut fields, "part", self.part);
            put_field(&mut fields, "position", self.position);
            put_field(&mut fields, "indent", self.indent);
            put_flag(&mut fields, "allow_repeat", self.allow_repeat);
            self.callers.add_to(&mut fields)?;
            Ok(fields)
        });
        publish_edit("insert", fields, &self.publishing, common)
    }
}

impl Delete {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = self.target.fields(common).and_then(|mut fields| {
            put_field(&mut fields, "part", self.part);
            put_field(&mut fields, "expect", self.expect);
            self.losses.add_to(&mut fields);
            self.callers.add_to(&mut fields)?;
            Ok(fields)
        });
        publish_edit("delete", fields, &self.publishing, common)
    }
}

impl Substitute {
    pub(super) fn run(self, common: &Common) -> Reply {
        let fields = self.place(common).map(|mut fields| {
            put_field(&mut fields, "text", self.text);
            put_field(&mut fields, "pattern", self.pattern);
            put_field(&mut fields, "replacement", Some(self.replacement));
            put_number(&mut fields, "count", self.count);
            put_number(&mut fields, "expect_count", self.expect_count);
            put_number(&mut fields, "occurrence", self.occurrence);
            if let Some(meant) = self.inside_words {
                fields.insert("inside_words".to_owned(), json!(meant));
            }
            put_flag(&mut fields, "ignore_case", self.ignore_case);
            put_flag(&mut fields, "multiline", self.multiline);
            put_flag(&mut fields, "dotall", self.dotall);
            self.losses.add_to(&mut fields);
            fields
        });
        publish_edit("substitute", fields, &self.publishing, common)
    }

    /// Returns the fields that say where.
    fn place(&self, common: &Common) -> Result<FieldNames, Diagnostic> {
        let Some(address) = &self.address else {
            let here = common.standing()?;
            let files: Vec<String> = self
                .pathspecs
                .iter()
                .map(|pathspec| here.pathspec(pathspec))
                .collect();
            return Ok(FieldNames::from_iter([("files".to_owned(), json!(files))]));
        };
        let (path, segment) = parse_address(address, common)?;
        let mut fields = of_file(&path);
        if let Some(segment) = segment {
            put_within(&mut fields, &segment);
        }
        Ok(fields)
    }
}

impl AllowedLosses {
    /// Puts `allow_remove`, with the names or for whatever goes.
    fn add_to(self, fields: &mut FieldNames) {
        if self.allow_remove.is_empty() {
            return;
        }
        let all = self.allow_remove.iter().any(|name| name == WHATEVER);
        fields.insert(
            "allow_remove".to_owned(),
            if all {
                json!(true)
            } else {
                json!(self.allow_remove)
            },
        );
    }
}

impl EditAddress {
    /// Returns the fields that say where, as an operation file writes them.
    fn fields(&self, common: &Common) -> Result<FieldNames, Diagnostic> {
        let (path, segment) = parse_address(&self.address, common)?;
        let mut fields = of_file(&path);
        put_field(&mut fields, "kind", self.kind.clone());
        put_field(&mut fields, "text", self.text.clone());
        put_field(&mut fields, "match", self.loosest.clone());
        put_field(&mut fields, "pattern", self.pattern.clone());
        put_field(&mut fields, "lines", self.lines.clone());
        put_number(&mut fields, "occurrence", self.occurrence);
        put_flag(&mut fields, "all", self.all);
        put_flag(&mut fields, "inside_words", self.inside_words);
        let by_text = self.text.is_some() || self.pattern.is_some() || self.lines.is_some();
        let within = self
            .within
            .as_deref()
            .map(|segment| selector(&path, segment))
            .transpose()?
            .flatten();
        match (segment, within) {
            (Some(_), Some(_)) if by_text => {
                let message =
                    "the address's segment and --within both narrow the search: give one of them";
                return Err(Diagnostic::new(Code::Malformed, message));
            }
            (Some(narrowing), None) | (None, Some(narrowing)) if by_text => {
                put_within(&mut fields, &narrowing);
            }
            (_, Some(_)) => {
                let message = "--within goes with --text, --pattern or --lines";
                return Err(Diagnostic::new(Code::Malformed, message));
            }
            (Some(segment), None) => put_selector(&mut fields, &segment),
            (None, None) => {}
        }
        Ok(fields)
    }
}

impl ContentFlags {
    /// Adds what goes into a file: without the byte-order mark that another file may begin with.
    fn add_to(self, fields: &mut FieldNames) -> Result<(), Diagnostic> {
        self.add_as(fields, |text| match text.strip_prefix('\u{feff}') {
            Some(text) => text.to_owned(),
            None => text,
        })
    }

    /// Adds what becomes a file.
    pub(super) fn add_whole_to(self, fields: &mut FieldNames) -> Result<(), Diagnostic> {
        self.add_as(fields, |text| text)
    }

    fn add_as(
        self,
        fields: &mut FieldNames,
        fit: impl FnOnce(String) -> String,
    ) -> Result<(), Diagnostic> {
        let content = match (self.content, self.content_file) {
            (Some(content), _) => Some(content),
            (None, Some(file)) => {
                let content = fit(text_of(&file)?);
                let text = fields.get("text").and_then(Value::as_str);
                Some(
                    text.map(|text| ended_like(text, &content).into_owned())
                        .unwrap_or(content),
                )
            }
            (None, None) => None,
        };
        put_field(fields, "content", content);
        Ok(())
    }
}

fn text_of(file: &str) -> Result<String, Diagnostic> {
    String::from_utf8(input::read(file)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::new(
            Code::Malformed,
            format!("`{}` is not UTF-8 at byte {at}", input::input_title(file)),
        )
    })
}

pub(super) fn put_field(fields: &mut FieldNames, name: &str, value: Option<String>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), Value::String(value));
    }
}

/// What `--allow-remove` says without a name. No segment is called so; an empty name, as an unset variable gives it, is refused.
const WHATEVER: &str = "*";

fn put_number(fields: &mut FieldNames, name: &str, value: Option<usize>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), json!(value));
    }
}

pub(super) fn put_flag(fields: &mut FieldNames, name: &str, set: bool) {
    if set {
        fields.insert(name.to_owned(), json!(true));
    }
}

/// Returns the file that an address names, and the segment, if it names one.
fn parse_address(
    address: &str,
    common: &Common,
) -> Result<(RepoPath, Option<Selector>), Diagnostic> {
    let (path, segment) = match address.split_once("::") {
        Some((path, segment)) => (path, Some(segment)),
        None => (address, None),
    };
    let path = common.standing()?.path(path)?;
    let segment = segment
        .map(|segment| selector(&path, segment))
        .transpose()?
        .flatten();
    Ok((path, segment))
}

pub(super) fn publish_edit(
    verb: &str,
    fields: Result<FieldNames, Diagnostic>,
    publishing: &PublishingOptions,
    common: &Common,
) -> Reply {
    match fields
        .map_err(|error| vec![error])
        .and_then(|fields| edit_manifest(verb, fields, publishing))
    {
        Ok(manifest) => common.report(&publishing.publish(common, vec![manifest])),
        Err(errors) => common.report(&[exit::refused_outcome(edit_source(), errors)]),
    }
}

fn edit_manifest(
    verb: &str,
    mut operation: FieldNames,
    publishing: &PublishingOptions,
) -> Result<Manifest, Vec<Diagnostic>> {
    operation.insert("op".to_owned(), json!(verb));
    fields::manifest(
        COMMAND_LINE,
        vec![operation],
        ResolveOrder::default(),
        &publishing.overrides(),
    )
}

/// What the command line is called in messages.
const COMMAND_LINE: &str = "<command line>";

fn edit_source() -> ManifestText {
    ManifestText {
        name: COMMAND_LINE.to_owned(),
        text: String::new(),
    }
}
