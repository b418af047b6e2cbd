//! A section of Markdown gets another heading, and links lead to its new anchor.
//!
//! Which heading an anchor means follows from all headings of the page: of two called `Usage` the second is `#usage-1`, and where the first
//! gets another name it is `#usage`. So each link is held to the heading that it leads to, whichever that is.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, RenameTerms, Scoped, Selector};
use crate::path::RepoPath;
use crate::plan::page_links::{is_page, leads_to};
use crate::plan::whole;
use crate::references::{Reference, References, RenameRefused, Renaming, Verdict, renamed};
use crate::resolve::{Definition, Document, Purpose, Reading, locate, refusal};
use crate::snapshot::{Project, Snapshot};
use crate::syntax::SegmentKind;
use crate::syntax::markdown::anchors::{decoded, headings, ids, links};
use crate::syntax::markdown::{is_markdown, titles};
use crate::text::splice::{Splice, Splices};
use crate::text::{Lines, Span, is_binary};

/// Returns every place that changes when the section that `selector` names, in the page at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (selector, to, terms): (&Selector, &str, RenameTerms),
    others: &OtherRenames<'_>,
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let reading = Reading::of(&document);
    let page = SectionedPage::of(&reading, selector)?;
    let new = page.called(to);
    if !terms.allows_clash && new != page.title {
        page.check_clash(&new)?;
    }
    page.check_heading(&new)?;
    let mut titles = vec![(page.span, new.clone())];
    for (selector, to) in &others.headings {
        if let Ok(other) = SectionedPage::of(&reading, selector) {
            titles.push((other.span, other.called(to)));
        }
    }
    let then = page.with_titles(&titles)?;

    let mut words: BTreeMap<(RepoPath, Span), String> = BTreeMap::new();
    let is_ours = |heading: Span| {
        let mut renamed = titles.iter().skip(1);
        let is_other = renamed.any(|(title, _)| heading.contains(*title));
        heading.contains(page.span) || others.is_first && !is_other
    };
    let places = page.places(&snapshot.project, &then, is_ours, &mut words);
    words.insert((path.clone(), page.span), new);
    let references = References {
        address: format!("{path}::{}", refusal::words(selector)),
        word: page.title.clone(),
        places,
        doubts: Vec::new(),
    };
    renamed(references, path, terms, |path, span| {
        let word = words.get(&(path.clone(), span))?;
        Some(Rc::from(word.as_str()))
    })
}

/// Returns the heading of a section and every link to it.
pub(crate) fn references(
    document: &Document,
    project: &Project,
    selector: &Selector,
) -> Result<References, Diagnostic> {
    let reading = Reading::of(document);
    let page = SectionedPage::of(&reading, selector)?;
    // With a name that nothing has, each link to it would change.
    let then = page.with_titles(&[(page.span, "\u{1}".to_owned())])?;
    let is_ours = |heading: Span| heading.contains(page.span);
    let mut places = page.places(project, &then, is_ours, &mut BTreeMap::new());
    for place in &mut places {
        place.is_changed = false;
    }
    Ok(References {
        address: format!("{}::{}", document.path, refusal::words(selector)),
        word: page.title.clone(),
        places,
        doubts: Vec::new(),
    })
}

/// The other headings of a page that operations of the same step rename.
pub(super) struct OtherRenames<'o> {
    /// Which, and what they are called then.
    pub(super) headings: Vec<(&'o Selector, &'o str)>,
    /// Whether all of these come later: links to what none of them renames are then followed here.
    pub(super) is_first: bool,
}

/// A page, and the section of it that is asked for.
struct SectionedPage<'r, 'd> {
    document: &'d Document,
    /// All of its sections, in order.
    sections: Vec<&'r Definition<'d>>,
    /// Which of them it is.
    at: usize,
    /// Where its words stand.
    span: Span,
    /// Those.
    title: String,
    parents: Vec<Option<usize>>,
}

impl<'r, 'd> SectionedPage<'r, 'd> {
    fn of(
        reading: &'r Reading<'d>,
        selector: &Selector,
    ) -> Result<SectionedPage<'r, 'd>, Diagnostic> {
        let document = reading.document;
        if !document.language.is_some_and(is_markdown) {
            let message = format!("sections are of Markdown, which {} is not", document.path);
            return Err(Diagnostic::new(Code::UnsupportedLanguage, message));
        }
        let (target, _) = locate(
            reading,
            &Scoped::from(selector.clone()),
            None,
            Purpose::Edit,
        )?;
        let sections: Vec<&Definition<'_>> = reading
            .named()
            .iter()
            .filter(|named| named.symbol.kind == SegmentKind::Section)
            .collect();
        let number = |of: &Definition<'_>| {
            sections
                .iter()
                .position(|section| std::ptr::eq(section.symbol, of.symbol))
        };
        let at = target.named().and_then(number).ok_or_else(|| {
            let message = format!("{} has no such section", document.path);
            Diagnostic::new(Code::SegmentNotFound, message)
        })?;
        let numbers: HashMap<*const _, usize> = sections
            .iter()
            .enumerate()
            .map(|(at, section)| (std::ptr::from_ref(section.symbol), at))
            .collect();
        let parents: Vec<Option<usize>> = sections
            .iter()
            .map(|section| {
                let parent = reading.parent(section)?;
                numbers.get(&std::ptr::from_ref(parent.symbol)).copied()
            })
            .collect();
        let span = titles::span(&document.bytes, sections[at].symbol.signature);
        Ok(SectionedPage {
            title: String::from_utf8_lossy(span.of(&document.bytes)).into_owned(),
            document,
            sections,
            at,
            span,
            parents,
        })
    }

    /// Returns the words of the heading when it is called `to`: an id behind the old ones stays, `{#usage}`.
    fn called(&self, to: &str) -> String {
        let to = to.trim();
        match titles::id(&self.title) {
            Some(id) if titles::id(to).is_none() => format!("{to} {id}"),
            _ => to.to_owned(),
        }
    }

    /// Returns what all sections are called when this one is called `new`.
    fn titles_with(&self, new: &str) -> Vec<String> {
        let titles = self.sections.iter().enumerate();
        titles
            .map(|(at, section)| match at == self.at {
                true => new.to_owned(),
                false => section.symbol.name.clone(),
            })
            .collect()
    }

    /// Refuses a name that another section beside it has.
    fn check_clash(&self, new: &str) -> Result<(), Diagnostic> {
        let mut others = self.sections.iter().zip(&self.parents);
        let twin = others.find(|(section, parent)| {
            **parent == self.parents[self.at] && section.symbol.name == new
        });
        let Some((twin, _)) = twin else {
            return Ok(());
        };
        let path = &self.document.path;
        let line = self.document.lines().line(twin.symbol.definition.start);
        let message = format!("`{}` is a section of {path} already", shown(new));
        Err(Diagnostic::new(Code::NameClash, message)
            .note(format!(
                "it is at line {line}, and one name would mean both"
            ))
            .note("`clash: allow` renames it all the same"))
    }

    /// Refuses words that would be no heading, or another one.
    fn check_heading(&self, new: &str) -> Result<(), Diagnostic> {
        let refuse = || no_heading(new);
        let bytes = self.with_titles(&[(self.span, new.to_owned())])?;
        let then = Document::new(self.document.path.clone(), bytes.into(), self.document.hash);
        let reading = Reading::of(&then);
        let names = reading
            .named()
            .iter()
            .filter(|named| named.symbol.kind == SegmentKind::Section)
            .map(|named| named.symbol.name.as_str());
        let expected = self.titles_with(new);
        let is_same = !new.contains(['\n', '\r']) && names.eq(expected.iter().map(String::as_str));
        is_same.then_some(()).ok_or_else(refuse)
    }

    /// Returns the page with other words in some headings, each by where its words stand.
    fn with_titles(&self, titles: &[(Span, String)]) -> Result<Vec<u8>, Diagnostic> {
        let new = titles.first().map_or("", |(_, new)| new);
        let splices = titles
            .iter()
            .map(|(at, new)| Splice::new(*at, new.as_str()));
        let splices = Splices::new(splices.collect()).map_err(|_| no_heading(new))?;
        let bytes = splices.apply(&self.document.bytes);
        match headings(&bytes).len() == headings(&self.document.bytes).len() {
            true => Ok(bytes),
            false => Err(no_heading(new)),
        }
    }

    /// Returns the heading, every link to one that `is_ours` and has another anchor in the page `then`, and mentions; `words` takes what each
    /// becomes.
    fn places(
        &self,
        project: &Project,
        then: &[u8],
        is_ours: impl Fn(Span) -> bool,
        words: &mut BTreeMap<(RepoPath, Span), String>,
    ) -> Vec<Reference> {
        let path = &self.document.path;
        let mut leads: HashMap<String, String> = HashMap::new();
        for (now, then) in headings(&self.document.bytes)
            .into_iter()
            .zip(headings(then))
        {
            if is_ours(now.span) && now.anchor != then.anchor {
                leads.insert(now.anchor, then.anchor);
            }
        }
        // Some sites take capital letters for small ones.
        let new_anchor = |anchor: &str| match leads.get(anchor) {
            Some(new) => Some((new, true)),
            None => Some((leads.get(&anchor.to_lowercase())?, false)),
        };
        let bytes = &self.document.bytes;
        let own_anchors = ids(bytes);
        let lines = Lines::of(bytes);
        let mut places = vec![Reference::at(path, bytes, &lines, self.span, Ok(()))];
        let own = [(path, bytes)];
        let others = project.files.iter().filter(|(other, _)| *other != path);
        for (file, bytes) in own.into_iter().chain(others) {
            if is_binary(bytes) {
                continue;
            }
            let mut lines: Option<Lines> = None;
            let mut known: Vec<Span> = Vec::new();
            let written = if is_page(file) {
                links(bytes)
            } else {
                Vec::new()
            };
            for link in written {
                let Some(anchor) = link.anchor.as_deref() else {
                    continue;
                };
                let span = Span::new(link.span.end - anchor.len(), link.span.end);
                known.push(link.span);
                if !leads_to(file, &link, path) {
                    continue;
                }
                let anchor = decoded(anchor);
                let Some((new, is_exact)) = new_anchor(&anchor) else {
                    continue;
                };
                let verdict = match own_anchors.contains(anchor.as_bytes()) {
                    true => Err("the page has an anchor of this name beside the heading"),
                    false if !is_exact => Err("the anchor of the heading has small letters"),
                    false => Ok(()),
                };
                let lines = lines.get_or_insert_with(|| Lines::of(bytes));
                places.push(Reference::at(file, bytes, lines, span, verdict));
                words.insert((file.clone(), span), new.clone());
            }
            let name = path.file_name();
            let sharp: Vec<String> = match file == path {
                true => vec!["\"#".to_owned(), "'#".to_owned()],
                false => vec![format!("{name}#")],
            };
            for sharp in sharp {
                for at in memchr::memmem::find_iter(bytes, sharp.as_bytes()) {
                    let start = at + sharp.len();
                    let rest = bytes.get(start..).unwrap_or_default();
                    let len = rest.iter().take_while(|byte| is_of_anchor(**byte)).count();
                    let span = Span::new(start, start + len);
                    let anchor = String::from_utf8_lossy(span.of(bytes)).into_owned();
                    let after = known.partition_point(|link| link.start <= span.start);
                    let before = after.checked_sub(1).and_then(|at| known.get(at));
                    let is_known = before.is_some_and(|link| link.contains(span));
                    if let (false, Some((new, _))) = (is_known, new_anchor(&decoded(&anchor))) {
                        let lines = lines.get_or_insert_with(|| Lines::of(bytes));
                        let why = Err("it is no link of Markdown");
                        places.push(Reference::at(file, bytes, lines, span, why));
                        words.insert((file.clone(), span), new.clone());
                    }
                }
            }
        }
        for place in &mut places {
            place.is_changed = place.verdict == Verdict::Certain;
        }
        places.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
        places
    }
}

fn no_heading(new: &str) -> Diagnostic {
    let message = format!("`{}` can be no heading here", shown(new));
    let refused = Diagnostic::new(Code::NameClash, message);
    refused.note("it is one line, in the form that the heading has")
}

/// Says whether a byte may be of an anchor, as it is written in text of any kind.
fn is_of_anchor(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'%') || byte >= 0x80
}
