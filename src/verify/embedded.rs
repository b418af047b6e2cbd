//! Scripts, styles, event handlers and `style="…"` of a page: to what stands in them an edit of the page does no more than an edit of a file would.
//!
//! Each that an edit reaches into is read as a file of its own, in which every byte keeps its line and column: empty lines and blanks
//! are ahead of it. So the checks of files hold it, and tell lines that are the page's. The declarations of a `style` are in braces there.
//!
//! Example: of `<script>function a() {} function b() {}</script>`, replaced by a script with `b` alone, `a` is missed as it is
//! in a file that is given anew.
//!
//! A script is known again by where its start or end tag stands, else by its turn.
//!
//! Known limits: of a script that parses with no filling of its template tags nothing is sure, so that what goes in it is a
//! warning. Code that moves into a handler or out of one is not followed.

use std::collections::{HashMap, HashSet};

use super::inventory::{self, Inventory};
use super::neighbours;
use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::Language;
use crate::syntax::html::{self, EmbeddedHolder, EmbeddedPiece, FILLINGS, Filling, is_html};
use crate::text::Span;
use crate::text::splice::{OffsetShift, Splice, Splices};

/// Parts of tags that tell that a script or a style may go with what is taken.
const NAMES: [&[u8]; 2] = [b"script", b"style"];

/// A script or handler that an edit changes, as a file of its own.
pub(super) struct Embedded<'d> {
    pages: [&'d Document; 2],
    edit: FileEdit,
    old: Document,
    new: Document,
    holder: EmbeddedHolder,
    /// It is no script any more, or none that is read.
    is_gone: bool,
    /// It parses in no way that its template tags may be filled.
    is_guessed: bool,
}

/// Returns the scripts and handlers of a page that `edit` changes; none of any other file.
pub(super) fn changed<'d>(
    edit: &FileEdit,
    old: &'d Document,
    new: &'d Document,
) -> Vec<Embedded<'d>> {
    let are_pages = [old, new]
        .iter()
        .all(|page| page.language.is_some_and(is_html) && !page.too_large());
    let Some(splices) = edit
        .splices
        .as_ref()
        .filter(|_| are_pages && old.bytes != new.bytes)
    else {
        return Vec::new();
    };
    let after = html::pieces(&new.bytes, new.dom());
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let came: Vec<EmbeddedPiece> = after
        .iter()
        .copied()
        .filter(|piece| is_reached(piece.span, &written))
        .collect();
    if came.is_empty()
        && !splices
            .iter()
            .any(|splice| may_take_script(splice, &old.bytes))
    {
        return Vec::new();
    }

    let taken: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let mut gone = html::pieces(&old.bytes, old.dom());
    gone.retain(|piece| is_reached(piece.span, &taken));
    let mut pairs = paired((&gone, &taken), (&after, &written), &came, &splices.moves());
    pairs.extend(new_attributes((&gone, old), (&came, new), &pairs));
    let pairs = pairs.into_iter().flat_map(|pair| parted(pair, [old, new]));
    pairs
        .filter_map(|pair| embedded(edit, splices, [old, new], pair))
        .collect()
}

/// Returns the scripts of a page that is new, each as a file.
pub(super) fn scripts(page: &Document) -> Vec<Document> {
    if !page.language.is_some_and(is_html) || page.too_large() {
        return Vec::new();
    }
    let scripts = html::pieces(&page.bytes, page.dom())
        .into_iter()
        .filter(|piece| piece.holder == EmbeddedHolder::Element);
    let read = scripts.filter_map(|piece| Some((piece.span.of(&page.bytes), piece.language?)));
    read.map(|(bytes, language)| file(bytes.to_vec(), page, language))
        .collect()
}

impl Embedded<'_> {
    /// Returns what became of its definitions or keys.
    pub(super) fn inventory(&self) -> Inventory {
        if self.holder != EmbeddedHolder::Element {
            return Inventory::default();
        }
        let mut found = inventory::check(&self.edit, &self.old, &self.new);
        if self.is_gone {
            found
                .went
                .exchange
                .keep_headless(&self.pages[0].bytes, &self.pages[1].bytes);
        }
        if self.is_guessed {
            found.problems.clear();
            found.went.exchange.guess_all();
        }
        found
    }

    /// Returns a refusal for each statement beside the edit that would not be what it was.
    pub(super) fn neighbours(&self) -> Vec<Diagnostic> {
        if self.is_guessed {
            return Vec::new();
        }
        if let Some(refusal) = self.broken_attribute() {
            return vec![refusal];
        }
        let mut found = neighbours::check(&self.edit, &self.old, &self.new);
        for excerpt in found
            .iter_mut()
            .filter_map(|refusal| refusal.excerpt.as_mut())
        {
            let text = |document: &Document| {
                let line = document.lines().content(&document.bytes, excerpt.line);
                String::from_utf8_lossy(line.of(&document.bytes)).into_owned()
            };
            let is_shown = |alone: &Document| text(alone) == excerpt.text;
            let page = if is_shown(&self.old) {
                self.pages[0]
            } else {
                self.pages[1]
            };
            excerpt.text = text(page);
        }
        found
    }
}

impl Embedded<'_> {
    /// Returns a refusal where a handler or a `style` that is new, or that parsed before, does not parse: the syntax of elements alone is
    /// checked with the page.
    fn broken_attribute(&self) -> Option<Diagnostic> {
        let holder = match self.holder {
            EmbeddedHolder::Element => return None,
            EmbeddedHolder::Handler => "an event handler (JavaScript)",
            EmbeddedHolder::Style => "a `style` (CSS)",
        };
        let error = self
            .new
            .errors()
            .first()
            .filter(|_| self.old.errors().is_empty())?;
        let (lines, page) = (self.new.lines(), self.pages[1]);
        let offset = error.offset.min(self.new.bytes.len());
        let (line, column) = (lines.line(offset), lines.column(offset));
        let path = &page.path;
        let text = String::from_utf8_lossy(page.lines().content(&page.bytes, line).of(&page.bytes))
            .into_owned();
        let message = format!("{path}:{line}:{column}: {} in {holder}", error.message);
        let diagnostic = Diagnostic::new(Code::SyntaxError, message);
        let diagnostic = diagnostic.showing(Excerpt {
            path: path.clone(),
            line,
            column,
            text,
        });
        Some(match self.edit.operation_at(offset) {
            Some(operation) => diagnostic.of_operation(operation),
            None => diagnostic,
        })
    }
}

/// A script or handler before and after; `None` where it came or went.
type ScriptPair = (Option<EmbeddedPiece>, Option<EmbeddedPiece>);

/// Returns a pair to compare; one whose sides are read otherwise as what went and what came, and none of what is as it was.
fn parted((was, now): ScriptPair, [old, new]: [&Document; 2]) -> Vec<ScriptPair> {
    let text = |piece: Option<EmbeddedPiece>, page: &Document| {
        piece
            .map_or(Span::at(0), |it| it.span)
            .of(&page.bytes)
            .to_vec()
    };
    if text(was, old) == text(now, new) {
        return Vec::new();
    }
    let read = |piece: Option<EmbeddedPiece>| piece.filter(|piece| piece.language.is_some());
    let is_same = |one: EmbeddedPiece, other: EmbeddedPiece| {
        one.language
            .zip(other.language)
            .is_some_and(|(a, b)| std::ptr::eq(a, b))
    };
    match (read(was), read(now)) {
        (Some(was), Some(now)) if is_same(was, now) => vec![(Some(was), Some(now))],
        (was, now) => [(was, None), (None, now)]
            .into_iter()
            .filter(|(was, now)| was.or(*now).is_some())
            .collect(),
    }
}

/// Says whether any of sorted ranges reaches into `span`, or touches it.
fn is_reached(span: Span, ranges: &[Span]) -> bool {
    let from = ranges.partition_point(|range| range.end < span.start);
    ranges
        .get(from)
        .is_some_and(|range| range.start <= span.end)
}

/// Says whether the tag of a script or a style, or a part of one, may be among what a splice takes.
fn may_take_script(splice: &Splice, old: &[u8]) -> bool {
    let longest = NAMES.map(<[u8]>::len).into_iter().max().unwrap_or_default();
    let from = splice.span.start.saturating_sub(longest);
    let around = old
        .get(from..old.len().min(splice.span.end + longest))
        .unwrap_or_default();
    let is_name = |at: usize, name: &[u8]| {
        around
            .get(at..at + name.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(name))
    };
    memchr::memchr2_iter(b's', b'S', around).any(|at| NAMES.iter().any(|name| is_name(at, name)))
}

/// Pieces of one side, with what splices take or give there.
type ScriptSide<'s> = (&'s [EmbeddedPiece], &'s [Span]);

/// Returns each of `gone` with the one of `after` that it is now, then those of `came` that none is.
fn paired(
    (gone, taken): ScriptSide<'_>,
    (after, written): ScriptSide<'_>,
    came: &[EmbeddedPiece],
    moves: &OffsetShift,
) -> Vec<ScriptPair> {
    let is_left = |offset: &usize| {
        let from = taken.partition_point(|span| span.end <= *offset);
        taken.get(from).is_none_or(|span| *offset <= span.start)
    };
    let place = |offset: usize| {
        Some(offset)
            .filter(is_left)
            .map(|offset| moves.after(offset))
    };
    let is_element = |piece: &EmbeddedPiece| piece.holder == EmbeddedHolder::Element;
    let begins: HashMap<(bool, usize), EmbeddedPiece> = after
        .iter()
        .map(|now| ((is_element(now), now.start), *now))
        .collect();
    let ends: HashMap<usize, EmbeddedPiece> = after
        .iter()
        .filter_map(|now| Some((now.end_tag?, *now)))
        .collect();
    let mut used: HashSet<usize> = HashSet::new();
    let mut pairs: Vec<ScriptPair> = Vec::new();
    for was in gone {
        let begun = place(was.start).and_then(|start| begins.get(&(is_element(was), start)));
        let now = begun.or_else(|| ends.get(&was.end_tag.and_then(place)?));
        let now = now.filter(|now| used.insert(now.start)).copied();
        if now.is_some() || is_element(was) {
            pairs.push((Some(*was), now));
        }
    }
    let others = came
        .iter()
        .filter(|now| is_element(now) && !used.contains(&now.start))
        .copied();
    let mut others: Vec<EmbeddedPiece> = others.collect();
    // One that lost an end, or got one in its middle, is for the structure to refuse.
    let stands = |piece: &EmbeddedPiece, ranges: &[Span]| {
        let from = ranges.partition_point(|range| range.end < piece.span.end);
        !ranges
            .get(from)
            .is_some_and(|range| range.contains(piece.span))
    };
    let is_alone =
        |(was, now): &ScriptPair| now.is_none() && was.is_some_and(|was| stands(&was, taken));
    if pairs.iter().any(is_alone) || others.iter().any(|now| stands(now, written)) {
        return Vec::new();
    }

    others.reverse();
    for (_, now) in pairs.iter_mut().filter(|(_, now)| now.is_none()) {
        *now = others.pop();
    }
    // What only came matters to what is missing elsewhere.
    if pairs
        .iter()
        .any(|(was, _)| was.is_some_and(|was| is_element(&was)))
    {
        pairs.extend(others.into_iter().rev().map(|now| (None, Some(now))));
    }
    pairs
}

/// Returns the handlers and the like that an edit brings, and that stood nowhere in what it takes.
fn new_attributes(
    (gone, old): (&[EmbeddedPiece], &Document),
    (came, new): (&[EmbeddedPiece], &Document),
    pairs: &[ScriptPair],
) -> Vec<ScriptPair> {
    // Signs of engines whose tags are not read here.
    const FOREIGN: [&[u8]; 6] = [b"<?", b"<%", b"${", b"#{", b"%(", b"@"];
    let paired: HashSet<usize> = pairs
        .iter()
        .filter_map(|(_, now)| Some((*now)?.start))
        .collect();
    let stood: HashSet<&[u8]> = gone.iter().map(|piece| piece.span.of(&old.bytes)).collect();
    let is_new = |now: &&EmbeddedPiece| {
        let text = now.span.of(&new.bytes);
        now.holder != EmbeddedHolder::Element
            && !paired.contains(&now.start)
            && !stood.contains(text)
            && !FOREIGN
                .iter()
                .any(|sign| memchr::memmem::find(text, sign).is_some())
    };
    came.iter()
        .filter(is_new)
        .map(|now| (None, Some(*now)))
        .collect()
}

/// Returns a script or handler of both `pages` as a file.
fn embedded<'d>(
    edit: &FileEdit,
    splices: &Splices,
    pages: [&'d Document; 2],
    (was, now): ScriptPair,
) -> Option<Embedded<'d>> {
    let EmbeddedPiece {
        language, holder, ..
    } = was.or(now)?;
    let language = language?;
    let sides = [(was, pages[0]), (now, pages[1])];
    // What is not there is an empty script.
    let filled = |filling: Filling| {
        sides.map(|(piece, page)| {
            let text = |piece: EmbeddedPiece| {
                html::embedded_text(&page.bytes, page.dom(), piece.span, language, filling)
            };
            let text = piece.map(text).unwrap_or_default();
            if holder == EmbeddedHolder::Style {
                [&text[..], b"}"].concat()
            } else {
                text
            }
        })
    };
    let has_tags = sides
        .iter()
        .any(|(piece, page)| piece.is_some_and(|it| html::has_tags(page.dom(), it.span)));
    let is_sound = |text: &[u8]| match holder {
        EmbeddedHolder::Element | EmbeddedHolder::Handler => {
            language.grammar.errors(text).is_empty()
        }
        EmbeddedHolder::Style => language.grammar.errors(&[b"{", text].concat()).is_empty(),
    };
    let parses = |both: &[Vec<u8>; 2]| both.iter().all(|text| is_sound(text));
    let parsed = if has_tags {
        FILLINGS.into_iter().map(filled).find(parses)
    } else {
        Some(filled(Filling::Values))
    };
    let is_guessed = parsed.is_none();
    let [before, after] = parsed.unwrap_or_else(|| filled(Filling::Values));

    let ahead = |piece: Option<EmbeddedPiece>, page: &Document| {
        piece.map(|piece| blanks_ahead(page, piece.span.start))
    };
    let (ahead_old, ahead_new) = (ahead(was, pages[0]), ahead(now, pages[1]));
    let ahead_old = ahead_old.or_else(|| ahead_new.clone())?;
    let ahead_new = ahead_new.unwrap_or_else(|| ahead_old.clone());
    let (ahead_old, ahead_new) = match holder {
        EmbeddedHolder::Element | EmbeddedHolder::Handler => (ahead_old, ahead_new),
        EmbeddedHolder::Style => (braced(ahead_old), braced(ahead_new)),
    };
    let place = ScriptPlace {
        page: was.map_or(Span::at(0), |was| was.span),
        start: ahead_old.len(),
    };
    let (old, new) = (
        [&ahead_old[..], &before].concat(),
        [&ahead_new[..], &after].concat(),
    );
    let splices = own_splices(
        splices,
        &place,
        now.map(|now| now.span),
        [&ahead_old, &ahead_new],
        &after,
    )
    .filter(|splices| splices.apply(&old) == new);
    // One that another takes the place of has nothing beside the edit.
    let whole = || Splices::new(vec![Splice::new(Span::new(0, old.len()), new.clone())]).ok();
    let splices = Some(splices.or_else(whole)?);
    let (claims, named) = match was {
        Some(_) => {
            let claims = edit
                .claims
                .iter()
                .filter_map(|&(claim, operation)| Some((place.claim(claim)?, operation)));
            (
                claims.collect(),
                edit.named
                    .iter()
                    .filter_map(|named| place.claim(*named))
                    .collect(),
            )
        }
        None => (
            edit.claims
                .iter()
                .map(|&(_, operation)| (Span::new(0, old.len()), operation))
                .collect(),
            Vec::new(),
        ),
    };
    let edit = FileEdit {
        splices,
        claims,
        named,
        defines: Vec::new(),
        outline: None,
        ..edit.clone()
    };
    let (old, new) = (file(old, pages[0], language), file(new, pages[1], language));
    Some(Embedded {
        pages,
        edit,
        old,
        new,
        holder,
        is_gone: now.is_none(),
        is_guessed,
    })
}

/// Returns as many empty lines, and blanks on the last, as are ahead of `offset` in a page; a line without end would come once more
/// with each of its scripts.
fn blanks_ahead(page: &Document, offset: usize) -> Vec<u8> {
    const MOST_COLUMNS: usize = 10_000;
    let lines = page.lines();
    let mut blanks = vec![b'\n'; lines.line(offset) - 1];
    blanks.resize(
        blanks.len() + (lines.column(offset) - 1).min(MOST_COLUMNS),
        b' ',
    );
    blanks
}

/// Returns what is ahead of some declarations with the brace that opens their block as its last byte, in the place of the `=` or quote there.
fn braced(mut ahead: Vec<u8>) -> Vec<u8> {
    ahead.pop();
    ahead.push(b'{');
    ahead
}

/// Where a script stands in the old page, and in the file that is made of it.
struct ScriptPlace {
    page: Span,
    start: usize,
}

impl ScriptPlace {
    /// Returns where an offset of the page is in the file, for what is ahead of the script its beginning, for what is behind its end.
    fn of(&self, offset: usize) -> usize {
        self.start + offset.clamp(self.page.start, self.page.end) - self.page.start
    }

    /// Returns what of the file a range of the page claims; more than the script where it does so in the page.
    fn claim(&self, range: Span) -> Option<Span> {
        let meets = range.start <= self.page.end && self.page.start <= range.end;
        let start = if range.start < self.page.start {
            0
        } else {
            self.of(range.start)
        };
        meets.then(|| Span::new(start, self.of(range.end).max(start)))
    }
}

/// Returns what the splices of a page do to the file that is made of the script at `place`, which stands at `now` in the new page
/// and says `after` there.
fn own_splices(
    splices: &Splices,
    place: &ScriptPlace,
    now: Option<Span>,
    [ahead_old, ahead_new]: [&[u8]; 2],
    after: &[u8],
) -> Option<Splices> {
    let now = now.unwrap_or(Span::at(0));
    let mut own = Vec::new();
    // The last blank is on the line of the tag in both.
    if ahead_old != ahead_new {
        let up_to_last = |ahead: &[u8]| ahead.len().saturating_sub(1);
        let (taken, given) = (up_to_last(ahead_old), up_to_last(ahead_new));
        own.push(Splice::new(Span::new(0, taken), ahead_new.get(..given)?));
    }
    let reached = splices
        .with_new_spans()
        .filter(|(splice, _)| is_reached(place.page, &[splice.span]));
    for (splice, written) in reached {
        let taken = Span::new(place.of(splice.span.start), place.of(splice.span.end));
        let inner = |offset: usize| offset.clamp(now.start, now.end) - now.start;
        let given = after.get(inner(written.start)..inner(written.end))?;
        if !(taken.is_empty() && given.is_empty()) {
            own.push(Splice::new(taken, given));
        }
    }
    Splices::new(own).ok()
}

fn file(bytes: Vec<u8>, page: &Document, language: &'static Language) -> Document {
    Document::new(page.path.clone(), bytes.into(), page.hash).in_language(Some(language))
}
