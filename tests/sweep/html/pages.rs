//! Real pages: every address finds its element and no other, an element replaced by itself leaves its page as it was, and
//! selectors find what `soupsieve` finds in the trees of Python's `html.parser` and of `html5lib`.
//!
//! Skipped, saying so, where the Python readers could not be installed.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use segedit::manifest::{ElementSelector, Operation, Scoped, Selector, Verb};
use segedit::path::RepoPath;
use segedit::plan::FileEdit;
use segedit::plan::action::{edits_of, plan_operation};
use segedit::plan::edit::Edit;
use segedit::plan::overlap::compose;
use segedit::resolve::element::extent;
use segedit::resolve::{Document, Reading};
use segedit::snapshot::{File, FileMode, HashKind};
use segedit::syntax::html::{Addresses, CssSelector, Dom, HtmlElement, PageProblemKind};
use segedit::text::splice::{Splice, Splices};
use segedit::text::{Lines, Span};
use segedit::verify::structure;

use crate::support::{sources, tools};

/// So many pages are read when not told otherwise.
const SAMPLE: usize = 150;

/// So many elements of a page are looked at.
const ELEMENTS: usize = 25;

/// Larger pages are left out: a debug build takes its time.
const LARGEST: u64 = 300_000;

fn pages() -> Vec<PathBuf> {
    let mut pages = sources::files(&[".html", ".htm", ".html.jinja", ".html.jinja2", ".html.j2"]);
    pages.retain(|page| page.metadata().is_ok_and(|data| data.len() <= LARGEST));
    sources::sample(pages, SAMPLE)
}

fn document(path: &Path) -> Option<Document> {
    let bytes = std::fs::read(path)
        .ok()
        .filter(|bytes| !bytes.contains(&0))?;
    Some(Document::new(
        RepoPath::parse("page.html").unwrap(),
        bytes.into(),
        HashKind::Sha1,
    ))
}

/// Returns the numbers of some elements, spread over the page.
fn some_of(dom: &Dom) -> impl Iterator<Item = usize> {
    (0..dom.elements.len()).step_by(dom.elements.len().div_ceil(ELEMENTS).max(1))
}

#[test]
fn every_address_finds_its_element_and_replaced_by_itself_it_leaves_the_page_as_it_was() {
    let pages = pages();
    let judged: Vec<(usize, Vec<String>)> = pages
        .par_iter()
        .filter_map(|path| Some(judge(path, &document(path)?)))
        .collect();
    let elements: usize = judged.iter().map(|(count, _)| count).sum();
    let wrong: Vec<String> = judged.into_iter().flat_map(|(_, wrong)| wrong).collect();
    println!(
        "{} pages, {elements} elements, {} wrong",
        pages.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

fn judge(path: &Path, document: &Document) -> (usize, Vec<String>) {
    let reading = Reading::of(document);
    let dom = document.dom();
    let addresses = Addresses::of(dom, &document.bytes);
    let mut wrong = Vec::new();
    let mut count = 0;
    for at in some_of(dom) {
        count += 1;
        let address = addresses.address(at);
        let mut complain =
            |what: String| wrong.push(format!("{}: {address}: {what}", path.display()));
        let selector = match ElementSelector::parse(&address) {
            Ok(selector) => selector,
            Err(error) => {
                complain(error);
                continue;
            }
        };
        let found = selector.0.matches(dom, &document.bytes);
        if found != Ok(vec![at]) {
            complain(format!("finds {found:?}, not {at}"));
            continue;
        }
        let span = extent(document, dom.elements[at].whole());
        let Ok(text) = std::str::from_utf8(span.of(&document.bytes)) else {
            continue;
        };
        let verb = Verb::Replace {
            selector: Some(Scoped::from(Selector::Element(selector))),
            part: None,
            content: text.to_owned(),
            indent: None,
            expect: None,
        };
        let operation = Operation::on(document.path.clone(), verb);
        match plan_operation(&reading, &operation) {
            Ok(act) => {
                let edits: Vec<Edit> = edits_of(&act, 0).collect();
                let splices = compose(document, &edits, std::slice::from_ref(&operation)).unwrap();
                if splices.apply(&document.bytes) != *document.bytes {
                    complain("differs once it is replaced by itself".to_owned());
                }
            }
            Err(error) => complain(error.message),
        }
    }
    (count, wrong)
}

#[test]
fn a_lost_end_tag_is_told_and_a_changed_word_is_not() {
    let pages = pages();
    let judged: Vec<(usize, usize, Vec<String>)> =
        pages.par_iter().filter_map(|path| mutated(path)).collect();
    let (lost, changed) = judged
        .iter()
        .fold((0, 0), |(lost, changed), (one, other, _)| {
            (lost + one, changed + other)
        });
    let wrong: Vec<String> = judged.into_iter().flat_map(|(_, _, wrong)| wrong).collect();
    println!(
        "{} pages, {lost} end tags lost, {changed} words changed, {} wrong",
        pages.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

/// Takes end tags out of a page and changes words, one at a time.
fn mutated(path: &Path) -> Option<(usize, usize, Vec<String>)> {
    let document = document(path)?;
    let dom = document.dom();
    let mut wrong = Vec::new();
    let (mut lost, mut changed) = (0, 0);
    for at in some_of(dom) {
        let element = &dom.elements[at];
        let line = document.lines().line(element.start_tag.start);
        let mut complain = |what: &str| {
            wrong.push(format!(
                "{}:{line} <{}>: {what}",
                path.display(),
                element.name
            ))
        };
        if let Some(end_tag) = element.end_tag {
            lost += 1;
            // A stray end tag behind it takes its place, and the page has one mistake less.
            let spare = dom
                .problems
                .iter()
                .any(|problem| problem.sort == PageProblemKind::Stray);
            if told(&document, end_tag, "") == 0 && !spare {
                complain("its lost end tag is not told");
            }
            // Written anew without it, which HTML may allow, it is lost as well; where a template's tags are about, nobody knows.
            let anew = Span::new(element.start_tag.start, end_tag.start);
            let branches = !dom.tags.is_empty();
            let text = std::str::from_utf8(anew.of(&document.bytes));
            if !spare
                && !branches
                && text.is_ok_and(|text| told(&document, element.whole(), text) == 0)
            {
                complain("written anew without its end tag it is not told");
            }
        }
        let Some(inner) = element.inner() else {
            continue;
        };
        let word = inner
            .of(&document.bytes)
            .iter()
            .position(|byte| byte.is_ascii_alphanumeric());
        let before = inner
            .of(&document.bytes)
            .iter()
            .position(|byte| matches!(byte, b'<' | b'{' | b'&'));
        if let Some(word) = word.filter(|word| before.is_none_or(|before| *word < before)) {
            changed += 1;
            if told(
                &document,
                Span::new(inner.start + word, inner.start + word + 1),
                "a > b & c",
            ) > 0
            {
                complain("a changed word is told");
            }
        }
    }
    Some((lost, changed, wrong))
}

/// Returns how many refusals there are once `text` takes the place of `span`.
fn told(document: &Document, span: Span, text: &str) -> usize {
    let splices = Splices::new(vec![Splice::new(span, text)]).unwrap();
    let file = |bytes: Vec<u8>| File {
        mode: FileMode::Regular,
        bytes: bytes.into(),
    };
    let (before, after) = (
        file(document.bytes.to_vec()),
        file(splices.apply(&document.bytes)),
    );
    let edit = FileEdit {
        path: document.path.clone(),
        before: Some(before.clone()),
        after: Some(after.clone()),
        moved_from: None,
        splices: Some(splices),
        claims: vec![(span, 0)],
        named: Vec::new(),
        defines: Vec::new(),
        written: Vec::new(),
        outline: None,
    };
    let after = Document::new(document.path.clone(), after.bytes, document.hash);
    structure::check(&edit, Some(&before), &after).len()
}

/// What the other readers are asked about one page.
#[derive(serde::Serialize)]
struct Question {
    path: PathBuf,
    /// `html.parser` or `html5lib`.
    reader: &'static str,
    selectors: Vec<String>,
}

#[test]
fn selectors_find_what_soupsieve_finds() {
    let Some(python) = python_with_readers() else {
        return;
    };
    let asked: Vec<(Document, Question)> = pages()
        .into_iter()
        .filter_map(|path| {
            let document =
                document(&path).filter(|document| std::str::from_utf8(&document.bytes).is_ok())?;
            let reader = reader(&document)?;
            let mut selectors = selectors(&document);
            // Of a piece of a page with several elements at the top each is a `:root` to us, none to soupsieve.
            selectors.retain(|selector| !selector.contains(":root"));
            Some((
                document,
                Question {
                    path,
                    reader,
                    selectors,
                },
            ))
        })
        .collect();
    if asked.is_empty() {
        return;
    }
    let questions: Vec<&Question> = asked.iter().map(|(_, question)| question).collect();
    let answers = ask(&python, &serde_json::to_vec(&questions).unwrap());
    assert_eq!(answers.len(), asked.len());
    let (mut count, mut matched, mut wrong) = (0, 0, Vec::new());
    for ((document, question), answers) in asked.iter().zip(&answers) {
        for (selector, theirs) in question.selectors.iter().zip(answers) {
            let ours = places(document, selector, question.reader);
            count += 1;
            matched += ours.len();
            let theirs: BTreeSet<(usize, usize)> = theirs.iter().copied().collect();
            if ours != theirs {
                let only = |these: &BTreeSet<_>, those: &BTreeSet<_>| {
                    format!("{:?}", these.difference(those).take(3).collect::<Vec<_>>())
                };
                let (mine, others) = (only(&ours, &theirs), only(&theirs, &ours));
                wrong.push(format!(
                    "{} ({}) {selector}: only ours {mine}, only theirs {others}",
                    question.path.display(),
                    question.reader
                ));
            }
        }
    }
    println!(
        "{} pages, {count} selectors, {matched} matches, {} differ",
        asked.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

/// Returns the reader that has to agree with us on the page. Python's own knows no end tags that are left out, so it is for
/// pages that leave none out; `html5lib` invents elements, so it is for pages that have them written.
fn reader(document: &Document) -> Option<&'static str> {
    let dom = document.dom();
    let text = std::str::from_utf8(&document.bytes).ok()?;
    let odd = !dom.tags.is_empty()
        || text.contains('\r')
        || text.contains("<![")
        || text.starts_with('\u{feff}');
    let raw = |element: &&HtmlElement| {
        matches!(
            &*element.name,
            "textarea" | "title" | "xmp" | "iframe" | "noscript" | "plaintext"
        )
    };
    let holds_tags = |element: &HtmlElement| {
        element
            .inner()
            .is_some_and(|inner| inner.of(&document.bytes).contains(&b'<'))
    };
    if odd || !dom.problems.is_empty() || dom.elements.iter().filter(raw).any(holds_tags) {
        return None;
    }
    // A `/>` that means nothing to HTML closes the element for Python.
    let closes = |element: &HtmlElement| {
        element.start_tag.of(&document.bytes).ends_with(b"/>") && !element.is_void
    };
    let foreign = dom.elements.iter().any(|element| element.is_foreign);
    if !dom
        .elements
        .iter()
        .any(|element| closes(element) || (element.end_tag.is_none() && !element.is_void))
        && !foreign
    {
        return Some("html.parser");
    }
    let invented = dom.elements.iter().any(|element| {
        let parent = element
            .parent
            .and_then(|parent| dom.elements.get(parent))
            .map_or("", |parent| &*parent.name);
        matches!((&*element.name, parent), ("tr", "table") | ("col", "table"))
    });
    let has = |name: &str| {
        dom.elements
            .iter()
            .filter(|element| &*element.name == name)
            .count()
            == 1
    };
    (has("html") && has("head") && has("body") && !invented && !foreign).then_some("html5lib")
}

/// Returns selectors of many sorts, made of what the page has.
fn selectors(document: &Document) -> Vec<String> {
    let (dom, bytes) = (document.dom(), &document.bytes);
    let addresses = Addresses::of(dom, bytes);
    let mut selectors = BTreeSet::new();
    for (number, at) in some_of(dom).enumerate() {
        let element = &dom.elements[at];
        let name = &*element.name;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            continue;
        }
        let parent = element
            .parent
            .and_then(|parent| dom.elements.get(parent))
            .map_or("html", |parent| &*parent.name);
        let sibling = element
            .previous
            .and_then(|other| dom.elements.get(other))
            .map_or("p", |other| &*other.name);
        let class = element
            .attribute(bytes, "class")
            .and_then(|class| class.value)
            .map(|class| class.of(bytes));
        let class = class.and_then(|class| {
            std::str::from_utf8(class)
                .ok()?
                .split_ascii_whitespace()
                .next()
        });
        let class = class.filter(|class| {
            class
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        let class = class
            .filter(|class| class.starts_with(|first: char| first.is_ascii_alphabetic()))
            .unwrap_or("none");
        selectors.insert(addresses.address(at));
        selectors.insert(match number % 14 {
            0 => format!("{parent} > {name}"),
            1 => format!("{sibling} + {name}"),
            2 => format!("{sibling} ~ {name}:not(.{class})"),
            3 => format!("{parent} {name}:nth-of-type(2)"),
            4 => format!("{name}.{class}, .{class} > *"),
            5 => format!("{name}:first-child"),
            6 => format!("{parent}:has(> {name}.{class})"),
            7 => format!(":is({parent}, {sibling}) > {name}:nth-child(odd)"),
            8 => format!("{name}:nth-last-of-type(2n + 1)"),
            9 => format!("{name}[href^=\"#\"], {name}[class~=\"{class}\"]"),
            10 => format!("{parent} > :last-child:not({name})"),
            11 => format!("{name}:only-child, {name}:empty"),
            12 => format!("[class*=\"{class}\"]:not({parent} *)"),
            _ => format!("{}:nth-last-child(-n + 3)", name.to_uppercase()),
        });
    }
    selectors.into_iter().collect()
}

/// Returns line and column of each match: of the `<` of its tag, for `html5lib` of the `>`.
fn places(document: &Document, selector: &str, reader: &str) -> BTreeSet<(usize, usize)> {
    let lines = Lines::of(&document.bytes);
    let found = CssSelector::parse(selector)
        .unwrap()
        .matches(document.dom(), &document.bytes)
        .unwrap();
    let place = |at: usize| {
        let tag = document.dom().elements[at].start_tag;
        let offset = if reader == "html5lib" {
            tag.end - 1
        } else {
            tag.start
        };
        let line = lines.line(offset);
        (
            line,
            String::from_utf8_lossy(&document.bytes[lines.start(line)..offset])
                .chars()
                .count(),
        )
    };
    found.into_iter().map(place).collect()
}

const READERS: &str = r##"
import json, sys, warnings
from bs4 import BeautifulSoup
warnings.simplefilter("ignore")
answers = []
for question in json.load(sys.stdin):
    with open(question["path"], encoding="utf-8", newline="") as file:
        soup = BeautifulSoup(file.read(), question["reader"])
    answers.append([sorted({(tag.sourceline, tag.sourcepos) for tag in soup.select(selector)}) for selector in question["selectors"]])
json.dump(answers, sys.stdout)
"##;

fn ask(python: &Path, questions: &[u8]) -> Vec<Vec<Vec<(usize, usize)>>> {
    let mut command = Command::new(python);
    command
        .args(["-c", READERS])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut reader = command.spawn().unwrap();
    let (mut stdin, questions) = (reader.stdin.take().unwrap(), questions.to_vec());
    let writer = std::thread::spawn(move || stdin.write_all(&questions));
    let output = reader.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the other readers failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the Python that has the other readers.
pub(super) fn python_with_readers() -> Option<PathBuf> {
    tools::has_all(&["bs4", "soupsieve", "html5lib"]).then(tools::python)
}
