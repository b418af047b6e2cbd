//! A section of Markdown gets another heading, and links lead to its new anchor.
//!
//! Which heading an anchor means follows from all headings of the page: of two called `Usage` the second is `#usage-1`, and where the first
//! gets another name it is `#usage`. So each link is held to the heading that it leads to, whichever that is.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, RenameTerms, Scoped, Selector};
use crate::path::RepoPath;
use crate::plan::page_links::{is_page, link_target, reference};
use crate::plan::whole;
use crate::references::{
    Reference, References, RenameRefused, RenamedPlace, Renaming, Verdict, changed_places,
};
use crate::resolve::{Definition, Document, Purpose, Reading, locate, refusal};
use crate::snapshot::{Project, Snapshot};
use crate::syntax::SegmentKind;
use crate::syntax::markdown::anchors::{anchors, decoded, links};
use crate::syntax::markdown::{is_markdown, titles};
use crate::text::splice::{Splice, Splices};
use crate::text::{Lines, Span, is_binary};

/// Returns every place that changes when the section that `selector` names, in the page at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (selector, to, terms): (&Selector, &str, RenameTerms),
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let reading = Reading::of(&document);
    let page = SectionedPage::of(&reading, selector)?;
    let new = page.called(to);
    let titles_then = page.titles_with(&new);
    if !terms.allows_clash && new != page.title {
        page.check_clash(&new)?;
    }
    page.check_heading(&new)?;

    let mut words: BTreeMap<(RepoPath, Span), String> = BTreeMap::new();
    let places = page.places(&snapshot.project, &titles_then, &mut words);
    words.insert((path.clone(), page.span), new);
    let mut references = References {
        address: format!("{path}::{}", refusal::words(selector)),
        word: page.title.clone(),
        places,
        doubts: Vec::new(),
    };
    let chosen = changed_places(&mut references, path, terms);
    let chosen = chosen.map_err(|refused| RenameRefused {
        diagnostic: Box::new(refused),
        references: Some(Box::new(references.clone())),
    })?;
    let mut by_path: BTreeMap<RepoPath, Vec<RenamedPlace>> = BTreeMap::new();
    for (path, spans) in chosen {
        let renamed = spans.into_iter().filter_map(|span| {
            let to = words.get(&(path.clone(), span))?;
            Some(RenamedPlace {
                span,
                to: Rc::from(to.as_str()),
            })
        });
        by_path.insert(path.clone(), renamed.collect());
    }
    Ok(Renaming {
        places: by_path,
        references,
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
    let titles_then = page.titles_with("\u{1}");
    let mut places = page.places(project, &titles_then, &mut BTreeMap::new());
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
    parent: Option<usize>,
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
            parent: parents[at],
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
        let twin =
            others.find(|(section, parent)| **parent == self.parent && section.symbol.name == new);
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
        let refuse = || {
            let message = format!("`{}` can be no heading here", shown(new));
            let refused = Diagnostic::new(Code::NameClash, message);
            refused.note("it is one line, in the form that the heading has")
        };
        let splices = Splices::new(vec![Splice::new(self.span, new)]).map_err(|_| refuse())?;
        let bytes = splices.apply(&self.document.bytes);
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

    /// Returns the heading, every link that leads elsewhere with the new titles, and mentions; `words` takes what each becomes.
    fn places(
        &self,
        project: &Project,
        titles_then: &[String],
        words: &mut BTreeMap<(RepoPath, Span), String>,
    ) -> Vec<Reference> {
        let path = &self.document.path;
        let now = anchors(
            self.sections
                .iter()
                .map(|section| section.symbol.name.as_str()),
        );
        let then = anchors(titles_then.iter().map(String::as_str));
        let mut leads: HashMap<&str, usize> = HashMap::new();
        for (at, anchor) in now.iter().enumerate() {
            leads.entry(anchor).or_insert(at);
        }
        let new_anchor = |anchor: &str| {
            let at = *leads.get(anchor)?;
            then.get(at).filter(|then| *then != anchor)
        };
        let bytes = &self.document.bytes;
        let own_anchors = own_anchors(bytes);
        let lines = Lines::of(bytes);
        let mut places = vec![reference(path, bytes, &lines, self.span, Ok(()))];
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
                if link_target(file, &link).as_ref() != Some(path) {
                    continue;
                }
                let anchor = decoded(anchor);
                let Some(new) = new_anchor(&anchor) else {
                    continue;
                };
                let verdict = match own_anchors.contains(anchor.as_bytes()) {
                    true => Err("the page has an anchor of this name beside the heading"),
                    false => Ok(()),
                };
                let lines = lines.get_or_insert_with(|| Lines::of(bytes));
                places.push(reference(file, bytes, lines, span, verdict));
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
                    if let (false, Some(new)) = (is_known, new_anchor(&decoded(&anchor))) {
                        let lines = lines.get_or_insert_with(|| Lines::of(bytes));
                        let why = Err("it is no link of Markdown");
                        places.push(reference(file, bytes, lines, span, why));
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

/// Returns the anchors that a page has beside its headings.
fn own_anchors(page: &[u8]) -> HashSet<&[u8]> {
    let mut found = HashSet::new();
    for (opener, closer) in [("id=\"", b'"'), ("name=\"", b'"'), ("{#", b'}')] {
        for at in memchr::memmem::find_iter(page, opener) {
            let rest = page.get(at + opener.len()..).unwrap_or_default();
            let line = rest
                .get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
                .unwrap_or_default();
            let end = memchr::memchr(closer, line);
            found.extend(end.and_then(|end| line.get(..end)));
        }
    }
    found
}

/// Says whether a byte may be of an anchor, as it is written in text of any kind.
fn is_of_anchor(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'%') || byte >= 0x80
}
