//! The words of every refusal of resolution: what was asked, what was found, what to try.

use super::allowance::Exceeded;
use super::block::{Aside, BlockOrDefinition};
use super::document::{Document, MAX_PARSED_BYTES};
use super::items::ItemProblem;
use super::matching::alike::{self, Near};
use super::matching::{self, InsideWord, Question, line_key};
use super::named::{Definition, is_code};
use super::parts::PartProblem;
use super::patterns::Failed;
use super::reading::Reading;
use super::text_match::{Match, Places};
use crate::diagnostic::{Code, Diagnostic, shown, visible};
use crate::manifest::{BlockSelector, LineRange, MatchLevel, Part, Scoped, Selector};
use crate::path::RepoPath;
use crate::syntax::{Excess, ItemKind, Language, SegmentKind};
use crate::text::Span;

/// Most places or names that a refusal lists.
const MOST_LISTED: usize = 20;

/// Longest text that is offered to be pasted.
const LONGEST_SUGGESTED: usize = 4000;

/// Nothing has this name.
pub fn missing(
    reading: &Reading<'_>,
    scoped: &Scoped,
    nearest: Vec<String>,
    language: &Language,
) -> Diagnostic {
    let path = &reading.document.path;
    let word = selector_word(&scoped.selector);
    let asked = as_written(&scoped.selector);
    let kind = scoped
        .kind
        .map(|kind| format!("{kind} "))
        .unwrap_or_default();
    let nearest: Vec<String> = nearest
        .into_iter()
        .map(|address| format!("{path}::{address}"))
        .collect();
    let mut diagnostic = Diagnostic::new(
        Code::SegmentNotFound,
        format!("no {kind}`{}` in {path}", shown(&asked)),
    );
    let elements = reading
        .named()
        .iter()
        .any(|named| named.symbol.kind == SegmentKind::Element);
    let keys = language.grammar.format().is_some();
    let sections = reading
        .named()
        .iter()
        .any(|named| named.symbol.kind == SegmentKind::Section);
    if keys {
        diagnostic = diagnostic.note(format!(
            "{path} is {}: its segments are found by `key`",
            language.name
        ));
    } else if reading.named().is_empty() {
        diagnostic = diagnostic.note(format!("{path} ({}) has no segments", language.name));
    } else if elements {
        diagnostic = diagnostic.note(format!(
            "{path} is {}: its segments are found by `element`",
            language.name
        ));
    } else if matches!(scoped.selector, Selector::Symbol(_)) && sections {
        diagnostic = diagnostic.note(format!(
            "{path} is {}: its segments are found by `section`",
            language.name
        ));
    } else if matches!(scoped.selector, Selector::Section(_)) && !sections {
        diagnostic = diagnostic.note(format!(
            "{path} is {}: its segments are found by `symbol`",
            language.name
        ));
    } else if nearest.is_empty() {
        diagnostic = diagnostic.note(format!("`git segedit outline {path}` lists what there is"));
    }
    let blocks = reading
        .blocks()
        .list
        .iter()
        .filter(|block| block.name == asked);
    let blocks = blocks.map(|block| format!("{path}::{}", block.address));
    let nearest: Vec<String> = blocks.chain(nearest).collect();
    let of_it = reading
        .blocks()
        .asides
        .iter()
        .filter(|aside| aside.block.as_deref() == Some(&asked));
    diagnostic
        .notes
        .extend(of_it.map(|aside| aside.text.clone()));
    diagnostic.suggest(nearest).in_field(word)
}

/// Characters of a signature that a message quotes.
const LONGEST_SIGNATURE: usize = 120;

/// Several segments have this name.
pub fn several_segments(
    reading: &Reading<'_>,
    scoped: &Scoped,
    candidates: &[(String, &Definition<'_>)],
) -> Diagnostic {
    let document = reading.document;
    let asked = as_written(&scoped.selector);
    let message = format!(
        "{} segments of {} are called `{}`",
        candidates.len(),
        document.path,
        shown(&asked)
    );
    let mut diagnostic = Diagnostic::new(Code::SegmentAmbiguous, message);
    for (address, named) in candidates.iter().take(MOST_LISTED) {
        let span = document.widened(named.symbol.definition);
        let lines = document.lines();
        let (first, last) = (
            lines.line(span.start),
            lines.line(span.end.saturating_sub(1).max(span.start)),
        );
        let kind = named.symbol.kind;
        let signature = String::from_utf8_lossy(named.symbol.signature.of(&document.bytes));
        let signature = signature.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = format!(
            "{}::{address} is a {kind} at lines {first}-{last}",
            document.path
        );
        diagnostic.notes.push(match is_code(kind) {
            true => format!(
                "{note}: {}",
                shown(
                    &signature
                        .chars()
                        .take(LONGEST_SIGNATURE)
                        .collect::<String>()
                )
            ),
            false => note,
        });
    }
    diagnostic
        .candidates(
            candidates
                .iter()
                .map(|(address, _)| format!("{}::{address}", document.path)),
        )
        .in_field(selector_word(&scoped.selector))
}

/// No block has this name, nor does anything else.
pub fn missing_block(
    reading: &Reading<'_>,
    selector: &BlockSelector,
    nearest: Vec<String>,
) -> Diagnostic {
    let path = &reading.document.path;
    let mut diagnostic = Diagnostic::new(
        Code::SegmentNotFound,
        format!("no `{}` in {path}", shown(&selector.name)),
    );
    if reading.blocks().list.is_empty() && reading.named().is_empty() {
        diagnostic = diagnostic.note(format!("{path} has no blocks, regions or other segments"));
    } else if nearest.is_empty() {
        diagnostic = diagnostic.note(format!("`git segedit outline {path}` lists what there is"));
    }
    let of_it = |aside: &&Aside| {
        aside
            .block
            .as_ref()
            .is_none_or(|name| *name == selector.name)
    };
    diagnostic.notes.extend(
        reading
            .blocks()
            .asides
            .iter()
            .filter(of_it)
            .map(|aside| aside.text.clone()),
    );
    let nearest: Vec<String> = nearest
        .into_iter()
        .map(|address| format!("{path}::{address}"))
        .collect();
    diagnostic.suggest(nearest).in_field("block")
}

/// Several blocks have this name, or several definitions where no block has it.
pub fn several_blocks(
    reading: &Reading<'_>,
    scoped: &Scoped,
    candidates: Vec<(String, BlockOrDefinition<'_, '_>)>,
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
            BlockOrDefinition::Block(block) => (block.whole(document), block.sort.as_str()),
            BlockOrDefinition::Named(named) => (
                document.widened(named.symbol.definition),
                named.symbol.kind.as_str(),
            ),
        };
        let lines = document.lines();
        let (first, last) = (
            lines.line(span.start),
            lines.line(span.end.saturating_sub(1).max(span.start)),
        );
        diagnostic.notes.push(format!(
            "{}::{address} is a {kind} at lines {first}-{last}",
            document.path
        ));
    }
    diagnostic
        .candidates(
            candidates
                .iter()
                .map(|(address, _)| format!("{}::{address}", document.path)),
        )
        .in_field("block")
}

/// A block has no such part.
pub fn no_such_part_of_block(part: Part) -> Diagnostic {
    let message = format!("a block has no part `{part}`");
    Diagnostic::new(Code::Unsupported, message).note("its parts: whole, body")
}

/// A text or pattern that must stand once stands several times.
pub fn several_places(reading: &Reading<'_>, scoped: &Scoped, places: &Places) -> Diagnostic {
    let document = reading.document;
    let word = selector_word(&scoped.selector);
    let count = places.spans.len();
    let how = match places.matched {
        Some(Match {
            level: MatchLevel::Exact,
            ..
        })
        | None => String::new(),
        Some(Match { level, .. }) => format!(" ({})", level.as_str()),
    };
    let message = format!("the {word} stands {count} times in {}{how}", document.path);
    listing(
        Diagnostic::new(Code::TextAmbiguous, message),
        reading,
        &places.spans,
    )
    .note("`within` narrows the search to one segment; or quote more of the lines around it")
    .in_field(word)
}

/// Returns it with each of `places`, and how a search is narrowed to that one alone.
pub fn listing(mut diagnostic: Diagnostic, reading: &Reading<'_>, places: &[Span]) -> Diagnostic {
    let document = reading.document;
    for span in places.iter().take(MOST_LISTED) {
        let line = document.lines().line(span.start);
        diagnostic
            .candidates
            .push(format!("{}:{line}", document.path));
        let around = reading
            .enclosing(*span)
            .map(|named| format!(", within {}::{}", document.path, named.address()));
        let alone = narrowing(reading, *span, places).map(|within| format!(": `{within}`"));
        diagnostic.notes.push(format!(
            "line {line}{}{}",
            around.unwrap_or_default(),
            alone.unwrap_or_default()
        ));
    }
    match places.len().saturating_sub(MOST_LISTED) {
        0 => diagnostic,
        more => diagnostic.note(format!("and {more} more")),
    }
}

/// A text is there, but only as a part of longer words.
pub fn inside_word(reading: &Reading<'_>, InsideWord(place): InsideWord) -> Diagnostic {
    let document = reading.document;
    let line = document.lines().line(place.start);
    let text = String::from_utf8_lossy(
        document
            .lines()
            .content(&document.bytes, line)
            .of(&document.bytes),
    )
    .into_owned();
    let message = format!(
        "the text begins or ends inside a word or a number at line {line} of {}",
        document.path
    );
    Diagnostic::new(Code::TextNotFound, message)
        .note(format!("the line is `{}`", shown(text.trim())))
        .note("quote whole words, or take a part of one with `inside_words: true`")
        .in_field("text")
}

/// Returns the `within` that leaves `span` alone of all `places`: of the widest segment that does.
fn narrowing(reading: &Reading<'_>, span: Span, places: &[Span]) -> Option<String> {
    let mut around = reading.enclosing(span);
    let mut widest = None;
    while let Some(named) = around {
        let range = reading.document.widened(named.symbol.whole());
        if range.contains(span)
            && places
                .iter()
                .filter(|place| range.contains(**place))
                .count()
                == 1
        {
            widest = Some(named);
        }
        around = reading.parent(named);
    }
    widest.map(within)
}

/// Returns `within` as it is written in an operation file.
fn within(named: &Definition<'_>) -> String {
    match named.symbol.kind {
        SegmentKind::Section => format!("within: {{section: {:?}}}", named.address()),
        SegmentKind::Element => format!("within: {{element: {:?}}}", named.address()),
        SegmentKind::Key => format!("within: {{key: {:?}}}", named.address()),
        _ => format!("within: {{symbol: {:?}}}", named.address()),
    }
}

/// A text stands nowhere.
pub fn text_not_found(reading: &Reading<'_>, question: &Question<'_>) -> Diagnostic {
    let document = reading.document;
    let text = String::from_utf8_lossy(question.text);
    let lines = document.lines();
    let numbers = |span: Span| {
        (
            lines.line(span.start),
            lines.line(span.end.saturating_sub(1).max(span.start)),
        )
    };
    let place = |(first, last): (usize, usize)| {
        if first == last {
            format!("line {first}")
        } else {
            format!("lines {first}-{last}")
        }
    };
    let narrowed = if question.narrowed {
        format!(", {}", place(numbers(question.range)))
    } else {
        String::new()
    };
    let message = format!(
        "the text {:?} is not in {}{narrowed}",
        cut(&text),
        document.path
    );
    let mut diagnostic = Diagnostic::new(Code::TextNotFound, message).in_field("text");
    let everywhere = Question {
        range: Span::new(0, document.bytes.len()),
        narrowed: false,
        ..*question
    };
    let elsewhere = Some(everywhere).filter(|_| question.narrowed);
    if let Some(found) =
        elsewhere.and_then(|everywhere| matching::certain(&reading.page, &everywhere).ok()?)
    {
        let stands: Vec<String> = found
            .places
            .iter()
            .take(MOST_LISTED)
            .map(|&span| place(numbers(span)))
            .collect();
        diagnostic = diagnostic.note(format!(
            "it stands outside of `within`: {}",
            stands.join(", ")
        ));
    }
    let Some(near) = alike::nearest(&reading.page, question, &reading.allowance) else {
        return diagnostic;
    };
    let place = place(numbers(near.span));
    let around = reading.enclosing(near.span);
    let inside = around
        .map(|named| format!(" (`{}`)", within(named)))
        .unwrap_or_default();
    diagnostic = diagnostic.note(format!(
        "nearest: {place}{inside}, similarity {:.2}",
        near.similarity
    ));
    if let Some((asked, found, line)) = first_difference(&text, &near, document) {
        diagnostic = diagnostic
            .note(format!("first difference at line {line}"))
            .note(format!("asked: {}", visible(&asked)))
            .note(format!("found: {}", visible(&found)));
    }
    diagnostic = looser(reading, question, diagnostic);
    match std::str::from_utf8(near.span.of(&document.bytes)) {
        Ok(stands) if stands.len() <= LONGEST_SUGGESTED => diagnostic.suggest([stands.to_owned()]),
        _ => diagnostic,
    }
}

/// Says at which level the text would be found, were that allowed.
fn looser(reading: &Reading<'_>, question: &Question<'_>, diagnostic: Diagnostic) -> Diagnostic {
    let freely = Question {
        loosest: MatchLevel::Similar,
        ..*question
    };
    let found = Some(freely).filter(|_| question.loosest < MatchLevel::Similar);
    match found
        .and_then(|freely| matching::find(&reading.page, &freely, &reading.allowance).ok()?)
    {
        Some(found) => match found.places.as_slice() {
            [place] => {
                let line = reading.document.lines().line(place.start);
                diagnostic.note(format!(
                    "`match: {}` finds it at line {line}",
                    found.level.as_str()
                ))
            }
            _ => diagnostic,
        },
        None => diagnostic,
    }
}

/// Returns the first lines that stand for each other and say different things, or look different: (asked, found, line).
fn first_difference(
    text: &str,
    near: &Near,
    document: &Document,
) -> Option<(String, String, usize)> {
    let asked: Vec<&str> = text
        .split_inclusive('\n')
        .map(|line| line.trim_end_matches(['\r', '\n']))
        .collect();
    let lines = document.lines();
    let found = |to: usize| {
        String::from_utf8_lossy(lines.content(&document.bytes, to + 1).of(&document.bytes))
            .into_owned()
    };
    let pairs = || {
        near.pairs
            .iter()
            .filter_map(|&(at, to)| Some(((*asked.get(at)?).to_owned(), found(to), to + 1)))
    };
    let lacking = (0..asked.len())
        .find(|at| !asked[*at].trim().is_empty() && near.pairs.iter().all(|pair| pair.0 != *at));
    let unlike =
        pairs().find(|(asked, found, _)| line_key(asked.as_bytes()) != line_key(found.as_bytes()));
    unlike
        .or_else(|| {
            let at = lacking?;
            let before = near
                .pairs
                .iter()
                .rev()
                .find(|pair| pair.0 < at)
                .or(near.pairs.first())?;
            Some((
                asked[at].to_owned(),
                "nothing of the kind".to_owned(),
                before.1 + 1,
            ))
        })
        .or_else(|| pairs().find(|(asked, found, _)| asked != found))
}

/// A pattern matches nowhere.
pub fn pattern_not_found(reading: &Reading<'_>, pattern: &str) -> Diagnostic {
    let message = format!(
        "the pattern `{}` matches nothing in {}",
        shown(pattern),
        reading.document.path
    );
    Diagnostic::new(Code::PatternNotFound, message).in_field("pattern")
}

/// The search gave nothing, because it costs too much or for want of a thread.
pub fn not_searched(reading: &Reading<'_>, failed: Failed) -> Diagnostic {
    match failed {
        Failed::Exceeded(exceeded) => self::exceeded(&reading.document.path, exceeded),
        Failed::Thread => {
            let message = format!(
                "could not start a thread to search {}",
                reading.document.path
            );
            Diagnostic::new(Code::Io, message)
        }
    }
}

/// The batch would cost more than it may.
pub fn exceeded(path: &RepoPath, exceeded: Exceeded) -> Diagnostic {
    let message = format!(
        "the batch would {exceeded}; it got as far as {}",
        shown(path.as_str())
    );
    let way_out = match exceeded {
        Exceeded::Matching => "a simpler pattern, or `within` a segment, needs less time",
        Exceeded::Matches | Exceeded::Replaced => {
            "`count` and `within` narrow it down; or split the batch"
        }
        Exceeded::Rewritten => "`resolve: snapshot` writes each file once; or split the batch",
    };
    Diagnostic::new(Code::TooLarge, message).note(way_out)
}

/// Files of this name are not read, or not by this build.
pub fn unsupported_language(document: &Document) -> Diagnostic {
    if let Some(language) = document.left_out {
        return left_out(document, language);
    }
    let mut known: Vec<&str> = crate::syntax::LANGUAGES
        .iter()
        .filter(|language| !language.is_left_out())
        .map(|language| language.name)
        .collect();
    known.dedup();
    Diagnostic::new(
        Code::UnsupportedLanguage,
        format!("the segments of {} cannot be told", document.path),
    )
    .note(format!("languages read: {}", known.join(", ")))
    .note("`text`, `pattern` and `lines` work in any text file")
}

/// This build of the program leaves the language out.
fn left_out(document: &Document, language: &Language) -> Diagnostic {
    let (path, name) = (&document.path, language.name);
    let message = format!("this build leaves out {name}: the segments of {path} cannot be told");
    let feature = language.grammar.left_out().unwrap_or_default();
    Diagnostic::new(Code::UnsupportedLanguage, message)
        .note(format!(
            "a build with `--features {feature}` reads {name}, as one with the default features does"
        ))
        .note("`text`, `pattern` and `lines` work in any text file")
}

/// The file is past what is parsed.
pub fn too_large(document: &Document) -> Diagnostic {
    let message = format!(
        "{} has {} bytes; files up to {MAX_PARSED_BYTES} are parsed",
        document.path,
        document.bytes.len()
    );
    Diagnostic::new(Code::TooLarge, message)
        .note("`text`, `pattern` and `lines` work in files of any size")
}

/// The segments come to too much to be told.
pub fn excessive(document: &Document, excess: Excess) -> Diagnostic {
    if excess == Excess::LeftOut {
        return unsupported_language(document);
    }
    let message = format!("the segments of {} cannot be told: {excess}", document.path);
    Diagnostic::new(Code::TooLarge, message)
        .note("`text`, `pattern` and `lines` work in any text file")
}

/// The segment has no such part.
pub fn no_such_part(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    problem: PartProblem,
) -> Diagnostic {
    let address = format!("{}::{}", reading.document.path, named.address());
    match problem {
        PartProblem::NotOfThisKind(part @ Part::Item(kind, _)) => {
            let message = format!("{address} has no part `{part}`");
            let note = match kind {
                ItemKind::Parameter => "parameters are in parentheses after the name of a function",
                ItemKind::Base => "bases are of classes of Python",
                ItemKind::Argument => {
                    "arguments are of a variable of Python that is given what a call returns"
                }
                ItemKind::Decorator => "decorators are on lines of their own above a definition",
            };
            Diagnostic::new(Code::Unsupported, message)
                .note(note)
                .note("`text` with `within` names any place in it")
        }
        PartProblem::Item(problem) => no_such_item(&address, problem),
        PartProblem::NotOfThisKind(part) => {
            let known = if named.symbol.kind == SegmentKind::Section {
                "whole, body, own, heading, code[n], table[n], list[n]"
            } else {
                "whole, definition, body, signature, docstring"
            };
            let message = format!("a {} has no part `{}`", named.symbol.kind, part);
            Diagnostic::new(Code::Unsupported, message).note(format!("its parts: {known}"))
        }
        PartProblem::Lacking(part) => {
            Diagnostic::new(Code::SegmentNotFound, format!("{address} has no {part}"))
        }
        PartProblem::TooFew { part, available } => {
            let message = format!("{address} has no {part}");
            Diagnostic::new(Code::SegmentNotFound, message).note(format!(
                "its own text, ahead of any subsection, holds {available} of them"
            ))
        }
    }
}

fn no_such_item(address: &str, problem: ItemProblem) -> Diagnostic {
    match problem {
        ItemProblem::Unnamed { part, others } => {
            let message = format!("`part: {part}` does not say which");
            let note = format!(
                "name one, `{part}[NAME]`, or give its number: {}",
                listed(&others)
            );
            Diagnostic::new(Code::SegmentAmbiguous, message).note(note)
        }
        ItemProblem::Missing { part, others } => {
            let message = format!("{address} has no {part}");
            Diagnostic::new(Code::SegmentNotFound, message)
                .note(format!("it has: {}", listed(&others)))
        }
        ItemProblem::Several { part, numbers } => {
            let message = format!("{address} has several of {part}");
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            Diagnostic::new(Code::SegmentAmbiguous, message).note(format!(
                "a number in brackets means one of them: {}",
                numbers.join(", ")
            ))
        }
        ItemProblem::Together { part, written } => {
            let message =
                format!("{part} of {address} is declared together with another: `{written}`");
            Diagnostic::new(Code::Unsupported, message)
                .note("replace `part: signature`, or name its number to mean both")
        }
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        _ => names.join(", "),
    }
}

/// The file has fewer lines.
pub fn line_out_of_range(document: &Document, range: LineRange, count: usize) -> Diagnostic {
    let message = format!(
        "{} has {count} lines; lines {}-{} were asked for",
        document.path, range.first, range.last
    );
    Diagnostic::new(Code::LineOutOfRange, message)
}

/// The lines are not inside the segment named by `within`.
pub fn lines_outside(reading: &Reading<'_>, range: LineRange, around: Span) -> Diagnostic {
    let lines = reading.document.lines();
    let (first, last) = (
        lines.line(around.start),
        lines.line(around.end.saturating_sub(1).max(around.start)),
    );
    let message = format!(
        "lines {}-{} are not within lines {first}-{last} of the segment",
        range.first, range.last
    );
    Diagnostic::new(Code::LineOutOfRange, message)
}

/// Returns a selector in a few words, for a commit message: the name, or what kind of place it is.
pub fn words(selector: &Selector) -> String {
    match selector {
        Selector::Symbol(_)
        | Selector::Section(_)
        | Selector::Block(_)
        | Selector::Element(_)
        | Selector::Key(_) => shown(&as_written(selector)),
        Selector::Text(_) | Selector::Pattern(_) => format!("a {}", selector_word(selector)),
        Selector::Lines(_) => format!("lines {}", as_written(selector)),
    }
}

/// Returns what a selector says, without its key.
pub fn as_written(selector: &Selector) -> String {
    match selector {
        Selector::Symbol(symbol) => symbol.to_string(),
        Selector::Section(section) => section
            .path
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" > "),
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
    if line.chars().count() < text.trim_end_matches('\n').chars().count()
        || line.chars().count() > LONGEST
    {
        format!("{}…", line.chars().take(LONGEST).collect::<String>())
    } else {
        line.to_owned()
    }
}

/// Returns the first line of `text` that is not blank.
fn first_line(text: &str) -> &str {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or(text)
}

/// Returns how a selector's key is written.
pub fn selector_word(selector: &Selector) -> &'static str {
    match selector {
        Selector::Symbol(_) => "symbol",
        Selector::Section(_) => "section",
        Selector::Element(_) => "element",
        Selector::Block(_) => "block",
        Selector::Key(_) => "key",
        Selector::Text(_) => "text",
        Selector::Pattern(_) => "pattern",
        Selector::Lines(_) => "lines",
    }
}
