//! The words of every refusal of resolution: what was asked, what was found, what to try.

use super::allowance::Exceeded;
use super::block::Found;
use super::document::{Document, MAX_PARSED_BYTES};
use super::named::Named;
use super::parts::PartProblem;
use super::patterns::Failed;
use super::{Places, Reading, selector_word};
use crate::diagnostic::{Code, Diagnostic, shown, similarity};
use crate::manifest::{BlockSelector, LineRange, Operation, Part, Scoped, Selector};
use crate::path::RepoPath;
use crate::syntax::{Kind, Language};
use crate::text::Span;

/// Most places or names that a refusal lists.
const MOST_LISTED: usize = 20;

/// Nothing has this name.
pub fn missing(
    reading: &Reading<'_>,
    scoped: &Scoped,
    nearest: Vec<String>,
    language: &Language,
    operation: &Operation,
) -> Diagnostic {
    let path = &reading.document.path;
    let word = selector_word(&scoped.selector);
    let asked = as_written(&scoped.selector);
    let kind = scoped.kind.map(|kind| format!("{kind} ")).unwrap_or_default();
    let nearest: Vec<String> = nearest.into_iter().map(|address| format!("{path}::{address}")).collect();
    let mut diagnostic = Diagnostic::new(Code::SegmentNotFound, format!("no {kind}`{}` in {path}", shown(&asked)));
    let elements = reading.named().iter().any(|named| named.symbol.kind == Kind::Element);
    let keys = language.grammar.format().is_some();
    let sections = reading.named().iter().any(|named| named.symbol.kind == Kind::Section);
    if keys {
        diagnostic = diagnostic.note(format!("{path} is {}: its segments are found by `key`", language.name));
    } else if reading.named().is_empty() {
        diagnostic = diagnostic.note(format!("{path} ({}) has no segments", language.name));
    } else if elements {
        diagnostic = diagnostic.note(format!("{path} is {}: its segments are found by `element`", language.name));
    } else if matches!(scoped.selector, Selector::Symbol(_)) && sections {
        diagnostic = diagnostic.note(format!("{path} is {}: its segments are found by `section`", language.name));
    } else if matches!(scoped.selector, Selector::Section(_)) && !sections {
        diagnostic = diagnostic.note(format!("{path} is {}: its segments are found by `symbol`", language.name));
    } else if nearest.is_empty() {
        diagnostic = diagnostic.note(format!("`git segedit outline {path}` lists what there is"));
    }
    let blocks = reading.blocks().list.iter().filter(|block| block.name == asked);
    let blocks = blocks.map(|block| format!("{path}::{}", block.address));
    let nearest: Vec<String> = blocks.chain(nearest).collect();
    diagnostic.suggest(nearest).at(operation.place(word))
}

/// Several segments have this name.
pub fn several_segments(
    reading: &Reading<'_>,
    scoped: &Scoped,
    candidates: &[(String, &Named<'_>)],
    operation: &Operation,
) -> Diagnostic {
    let document = reading.document;
    let asked = as_written(&scoped.selector);
    let message = format!("{} segments of {} are called `{}`", candidates.len(), document.path, shown(&asked));
    let mut diagnostic = Diagnostic::new(Code::SegmentAmbiguous, message);
    for (address, named) in candidates.iter().take(MOST_LISTED) {
        let span = document.widened(named.symbol.definition);
        let lines = document.lines();
        let (first, last) = (lines.line(span.start), lines.line(span.end.saturating_sub(1).max(span.start)));
        let kind = named.symbol.kind;
        diagnostic.notes.push(format!("{}::{address} is a {kind} at lines {first}-{last}", document.path));
    }
    diagnostic
        .candidates(candidates.iter().map(|(address, _)| format!("{}::{address}", document.path)))
        .at(operation.place(selector_word(&scoped.selector)))
}

/// No block has this name, nor does anything else.
pub fn missing_block(
    reading: &Reading<'_>,
    selector: &BlockSelector,
    nearest: Vec<String>,
    operation: &Operation,
) -> Diagnostic {
    let path = &reading.document.path;
    let mut diagnostic = Diagnostic::new(Code::SegmentNotFound, format!("no `{}` in {path}", shown(&selector.name)));
    if reading.blocks().list.is_empty() && reading.named().is_empty() {
        diagnostic = diagnostic.note(format!("{path} has no blocks, regions or other segments"));
    } else if nearest.is_empty() {
        diagnostic = diagnostic.note(format!("`git segedit outline {path}` lists what there is"));
    }
    let nearest: Vec<String> = nearest.into_iter().map(|address| format!("{path}::{address}")).collect();
    diagnostic.suggest(nearest).at(operation.place("block"))
}

/// Several blocks have this name, or several definitions where no block has it.
pub fn several_blocks(
    reading: &Reading<'_>,
    scoped: &Scoped,
    candidates: Vec<(String, Found<'_, '_>)>,
    operation: &Operation,
) -> Diagnostic {
    let document = reading.document;
    let message = format!(
        "{} segments of {} are called `{}`",
        candidates.len(),
        document.path,
        shown(&as_written(&scoped.selector))
    );
    let mut diagnostic = Diagnostic::new(Code::SegmentAmbiguous, message);
    for (address, found) in candidates.iter().take(MOST_LISTED) {
        let (span, kind) = match found {
            Found::Block(block) => (block.whole(document), block.sort.as_str()),
            Found::Named(named) => (document.widened(named.symbol.definition), named.symbol.kind.as_str()),
        };
        let lines = document.lines();
        let (first, last) = (lines.line(span.start), lines.line(span.end.saturating_sub(1).max(span.start)));
        diagnostic.notes.push(format!("{}::{address} is a {kind} at lines {first}-{last}", document.path));
    }
    diagnostic
        .candidates(candidates.iter().map(|(address, _)| format!("{}::{address}", document.path)))
        .at(operation.place("block"))
}

/// A block has no such part.
pub fn no_such_part_of_block(part: Part) -> Diagnostic {
    let message = format!("a block has no part `{}`", part_word(part));
    Diagnostic::new(Code::Unsupported, message).note("its parts: whole, body")
}

/// A text or pattern that must stand once stands several times.
pub fn several_places(reading: &Reading<'_>, scoped: &Scoped, places: &Places, operation: &Operation) -> Diagnostic {
    let document = reading.document;
    let word = selector_word(&scoped.selector);
    let message = format!("the {word} stands {} times in {}", places.spans.len(), document.path);
    let mut diagnostic = Diagnostic::new(Code::TextAmbiguous, message);
    for span in places.spans.iter().take(MOST_LISTED) {
        let line = document.lines().line(span.start);
        let around = reading.enclosing(*span).map(Named::address);
        diagnostic.candidates.push(format!("{}:{line}", document.path));
        diagnostic.notes.push(match around {
            Some(address) => format!("line {line}, within {}::{address}", document.path),
            None => format!("line {line}"),
        });
    }
    diagnostic.note("`within` narrows the search to one segment").at(operation.place(word))
}

/// A text stands nowhere.
pub fn text_not_found(reading: &Reading<'_>, text: &str, range: Span, operation: &Operation) -> Diagnostic {
    let document = reading.document;
    let message = format!("the text {:?} is not in {}", cut(text), document.path);
    let mut diagnostic = Diagnostic::new(Code::TextNotFound, message).at(operation.place("text"));
    if let Some((line, similarity, found)) = nearest_line(reading, range, text) {
        diagnostic = diagnostic
            .note(format!("nearest: line {line}, similarity {similarity:.2}"))
            .note(format!("asked: {}", shown(first_line(text))))
            .note(format!("found: {}", shown(&found)))
            .suggest([found]);
    }
    diagnostic
}

/// A pattern matches nowhere.
pub fn pattern_not_found(reading: &Reading<'_>, pattern: &str, operation: &Operation) -> Diagnostic {
    let message = format!("the pattern `{}` matches nothing in {}", shown(pattern), reading.document.path);
    Diagnostic::new(Code::PatternNotFound, message).at(operation.place("pattern"))
}

/// The search gave nothing, because it costs too much or for want of a thread.
pub fn not_searched(reading: &Reading<'_>, failed: Failed) -> Diagnostic {
    match failed {
        Failed::Exceeded(exceeded) => self::exceeded(&reading.document.path, exceeded),
        Failed::Thread => {
            let message = format!("could not start a thread to search {}", reading.document.path);
            Diagnostic::new(Code::Io, message)
        }
    }
}

/// The batch would cost more than it may.
pub fn exceeded(path: &RepoPath, exceeded: Exceeded) -> Diagnostic {
    let message = format!("the batch would {exceeded}; it got as far as {}", shown(path.as_str()));
    let way_out = match exceeded {
        Exceeded::Matching => "a simpler pattern, or `within` a segment, needs less time",
        Exceeded::Matches | Exceeded::Replaced => "`count` and `within` narrow it down; or split the batch",
        Exceeded::Rewritten => "`resolve: snapshot` writes each file once; or split the batch",
    };
    Diagnostic::new(Code::TooLarge, message).note(way_out)
}

/// Nobody reads files of this name.
pub fn unsupported_language(document: &Document) -> Diagnostic {
    let known: Vec<&str> = crate::syntax::LANGUAGES.iter().map(|language| language.name).collect();
    Diagnostic::new(Code::UnsupportedLanguage, format!("the segments of {} cannot be told", document.path))
        .note(format!("languages read: {}", known.join(", ")))
        .note("`text`, `pattern` and `lines` work in any text file")
}

/// The file is past what is parsed.
pub fn too_large(document: &Document) -> Diagnostic {
    let message =
        format!("{} has {} bytes; files up to {MAX_PARSED_BYTES} are parsed", document.path, document.bytes.len());
    Diagnostic::new(Code::TooLarge, message).note("`text`, `pattern` and `lines` work in files of any size")
}

/// The segment has no such part.
pub fn no_such_part(reading: &Reading<'_>, named: &Named<'_>, problem: PartProblem) -> Diagnostic {
    let address = format!("{}::{}", reading.document.path, named.address());
    match problem {
        PartProblem::NotOfThisKind(part) => {
            let known = if named.symbol.kind == Kind::Section {
                "whole, body, own, heading, code[n], table[n], list[n]"
            } else {
                "whole, definition, body, signature, docstring"
            };
            let message = format!("a {} has no part `{}`", named.symbol.kind, part_word(part));
            Diagnostic::new(Code::Unsupported, message).note(format!("its parts: {known}"))
        }
        PartProblem::Lacking(part) => {
            Diagnostic::new(Code::SegmentNotFound, format!("{address} has no {}", part_word(part)))
        }
        PartProblem::TooFew { part, available } => {
            let message = format!("{address} has no {}", part_word(part));
            Diagnostic::new(Code::SegmentNotFound, message)
                .note(format!("its own text, ahead of any subsection, holds {available} of them"))
        }
    }
}

/// The file has fewer lines.
pub fn line_out_of_range(document: &Document, range: LineRange, count: usize) -> Diagnostic {
    let message = format!("{} has {count} lines; lines {}-{} were asked for", document.path, range.first, range.last);
    Diagnostic::new(Code::LineOutOfRange, message)
}

/// The lines are not inside the segment named by `within`.
pub fn lines_outside(reading: &Reading<'_>, range: LineRange, around: Span) -> Diagnostic {
    let lines = reading.document.lines();
    let (first, last) = (lines.line(around.start), lines.line(around.end.saturating_sub(1).max(around.start)));
    let message = format!("lines {}-{} are not within lines {first}-{last} of the segment", range.first, range.last);
    Diagnostic::new(Code::LineOutOfRange, message)
}

/// Returns a part as it is written.
pub fn part_word(part: Part) -> String {
    match part {
        Part::Whole => "whole".to_owned(),
        Part::Definition => "definition".to_owned(),
        Part::Body => "body".to_owned(),
        Part::Signature => "signature".to_owned(),
        Part::Docstring => "docstring".to_owned(),
        Part::Own => "own".to_owned(),
        Part::Heading => "heading".to_owned(),
        Part::Code(index) => format!("code[{index}]"),
        Part::Table(index) => format!("table[{index}]"),
        Part::List(index) => format!("list[{index}]"),
        Part::Inner => "inner".to_owned(),
        Part::Attribute(name) => format!("attribute:{name}"),
    }
}

/// Returns a selector in a few words, for a commit message: the name, or what kind of place it is.
pub fn words(selector: &Selector) -> String {
    match selector {
        Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_) | Selector::Element(_) | Selector::Key(_) => {
            shown(&as_written(selector))
        }
        Selector::Text(_) | Selector::Pattern(_) => format!("a {}", selector_word(selector)),
        Selector::Lines(_) => format!("lines {}", as_written(selector)),
    }
}

fn as_written(selector: &Selector) -> String {
    match selector {
        Selector::Symbol(symbol) => symbol.to_string(),
        Selector::Section(section) => section.path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" > "),
        Selector::Element(element) => element.to_string(),
        Selector::Block(block) => block.to_string(),
        Selector::Key(key) => key.to_string(),
        Selector::Text(text) => text.clone(),
        Selector::Pattern(pattern) => pattern.text.clone(),
        Selector::Lines(range) => format!("{}-{}", range.first, range.last),
    }
}

fn cut(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = first_line(text);
    if line.chars().count() < text.trim_end_matches('\n').chars().count() || line.chars().count() > LONGEST {
        format!("{}…", line.chars().take(LONGEST).collect::<String>())
    } else {
        line.to_owned()
    }
}

/// Returns the first line of `text` that is not blank.
fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or(text)
}

/// Returns the line most like the first line of `text`, if one is more like it than not: (line, similarity, line's text).
fn nearest_line(reading: &Reading<'_>, range: Span, text: &str) -> Option<(usize, f64, String)> {
    const LONGEST: usize = 400;
    let wanted = first_line(text).trim();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return None;
    }
    let (bytes, lines) = (&reading.document.bytes, reading.document.lines());
    let first = lines.line(range.start);
    let last = lines.line(range.end.saturating_sub(1));
    let mut best: Option<(usize, f64, String)> = None;
    for number in first..=last {
        let line = lines.content(bytes, number).of(bytes);
        // Comparing two lines costs the product of their lengths, looking at one a little.
        let compares = line.len().abs_diff(wanted.len()) <= wanted.len() + 40;
        let work = if compares { wanted.len() * line.len() + 100 } else { 10 };
        if !reading.allowance.affords_guess(work) {
            break;
        }
        if !compares {
            continue;
        }
        let line = String::from_utf8_lossy(line);
        let similarity = similarity(wanted, line.trim());
        if similarity > 0.5 && best.as_ref().is_none_or(|(_, most, _)| similarity > *most) {
            best = Some((number, similarity, line.into_owned()));
        }
    }
    best
}
