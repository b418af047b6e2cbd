//! What a browser makes of a page, held to html5lib over its own cases of tree construction: where tags and texts end up, and
//! that an edit which passes leaves everything outside of it where it was.
//!
//! The cases come with the source of html5lib, which `tests/tools/install.py` brings. Left out are fragments, pages with
//! a `<template>` or `<noscript>`, which that parser reads in a way of its own, and what is not ASCII.

use std::process::{Command, Stdio};
use std::{fs, io::Write as _};

use segedit::manifest::{ElementSelector, Position, Scoped, Selector, Verb};
use segedit::path::RepoPath;
use segedit::resolve::Document;
use segedit::snapshot::HashKind;
use segedit::syntax::html::{Addresses, HtmlElement, TreeMark, TreeMarkKind, TreePlace, places};
use segedit::text::splice::Splices;
use serde_json::json;

use super::pages::python_with_readers;
use crate::neighbours::{Random, made};
use crate::support::tools;

/// What an element may become.
const CONTENTS: [&str; 22] = [
    "text",
    "<p>a</p>",
    "<div>a</div>",
    "<b>a</b>",
    "<a href=x>a</a>",
    "<form>a</form>",
    "<button>a</button>",
    "<table><tr><td>a</td></tr></table>",
    "<tr><td>a</td></tr>",
    "<select><option>a</option></select>",
    "<li>a</li>",
    "<h1>a</h1>",
    "<svg><g>a</g></svg>",
    "<math><mi>a</mi></math>",
    "<script>a</script>",
    "<script><!-- <script></script>",
    "<textarea>a</textarea>",
    "<title>a</title>",
    "<plaintext>a</plaintext>",
    "<p>a<div>b</div></p>",
    "<nobr>a<nobr>b</nobr></nobr>",
    "<frameset></frameset>",
];

/// Pages with any of these are left out: what that parser reads in a way of its own, and what the standard has changed since.
const ODD: [&str; 8] = [
    "<template",
    "<noscript",
    "<select",
    "<isindex",
    "<menuitem",
    "<keygen",
    "\0",
    "\r",
];

/// So many edits of each page.
const EDITS: usize = 12;

/// One of the cases.
struct Case {
    page: String,
    /// Its tree, as the case writes it.
    expected: String,
}

/// A page, and what is asked about it.
struct Question {
    page: String,
    marks: Vec<TreeMark>,
    /// With a tree, nothing is answered where that parser does not read it so itself.
    expected: Option<String>,
}

/// Returns the pages of the cases; none where they could not be installed.
fn cases() -> Vec<Case> {
    if !tools::has("html-cases") {
        return Vec::new();
    }
    let mut files: Vec<_> = fs::read_dir(tools::folder().join("html-cases"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    let mut pages = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        for case in format!("\n{text}").split("\n#data\n").skip(1) {
            let Some((page, rest)) = case.split_once("\n#errors") else {
                continue;
            };
            let page = page.to_owned();
            let odd = ODD.iter().any(|odd| page.to_lowercase().contains(odd));
            if !odd && page.is_ascii() && !page.is_empty() && !rest.contains("\n#document-fragment")
            {
                let expected = rest
                    .split_once("\n#document\n")
                    .map(|(_, tree)| tree.trim_end_matches('\n').to_owned());
                pages.push(Case {
                    page,
                    expected: expected.unwrap_or_default(),
                });
            }
        }
    }
    pages
}

/// Returns the marks of a page: of every start tag, and behind the last letter ahead of each tag. Offsets in `without` have none.
fn marks(page: &str, without: impl Fn(usize) -> bool) -> Vec<TreeMark> {
    let bytes = page.as_bytes();
    let mut marks = Vec::new();
    for at in (0..bytes.len()).filter(|&at| bytes[at] == b'<') {
        let blank = bytes[..at]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let end = at - blank;
        if end > 0 && bytes[end - 1].is_ascii_alphanumeric() && !without(end) {
            marks.push(TreeMark {
                offset: end,
                sort: TreeMarkKind::Text,
            });
        }
        let name = bytes[at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let behind = bytes
            .get(at + 1 + name)
            .is_none_or(|byte| matches!(byte, b' ' | b'\n' | b'>' | b'/'));
        // A second `<html>` or `<body>` gives its attributes to the first.
        let merges = ["html", "body"]
            .iter()
            .any(|it| bytes[at + 1..at + 1 + name].eq_ignore_ascii_case(it.as_bytes()));
        if !merges
            && name > 0
            && bytes[at + 1].is_ascii_alphabetic()
            && behind
            && !without(at + 1 + name)
        {
            marks.push(TreeMark {
                offset: at + 1 + name,
                sort: TreeMarkKind::Tag,
            });
        }
    }
    marks
}

/// Returns where html5lib puts the marks.
fn asked(questions: &[Question]) -> Option<Vec<Option<Vec<TreePlace>>>> {
    let python = python_with_readers()?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sweep/html/browser.py");
    let mark = |mark: &TreeMark| json!([mark.offset, mark.sort == TreeMarkKind::Text]);
    let words: Vec<_> = questions
        .iter()
        .map(|question| json!({"page": question.page, "expected": question.expected, "marks": question.marks.iter().map(mark).collect::<Vec<_>>()}))
        .collect();
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = serde_json::to_vec(&words).unwrap();
    let asking = std::thread::spawn(move || input.write_all(&text));
    let output = child.wait_with_output().unwrap();
    asking.join().unwrap().unwrap();
    assert!(output.status.success(), "html5lib: {}", output.status);
    let answers: Vec<Option<Vec<Option<i64>>>> = serde_json::from_slice(&output.stdout).unwrap();
    let place = |answer: Option<i64>| {
        answer.map_or(TreePlace::Nowhere, |around| {
            TreePlace::Inside(usize::try_from(around).ok())
        })
    };
    Some(
        answers
            .into_iter()
            .map(|answers| Some(answers?.into_iter().map(place).collect()))
            .collect(),
    )
}

/// Returns the cases that html5lib itself reads as they say, with where it puts their marks.
fn judged() -> Option<Vec<(Question, Vec<TreePlace>)>> {
    let ask = |case: Case| Question {
        marks: marks(&case.page, |_| false),
        page: case.page,
        expected: Some(case.expected),
    };
    let questions: Vec<Question> = cases().into_iter().map(ask).collect();
    if questions.is_empty() {
        return None;
    }
    let answers = asked(&questions)?;
    Some(
        questions
            .into_iter()
            .zip(answers)
            .filter_map(|(question, answer)| Some((question, answer?)))
            .collect(),
    )
}

#[test]
fn tags_and_texts_end_up_where_html5lib_puts_them() {
    let Some(judged) = judged() else { return };
    let (mut same, mut wrong) = (0, Vec::new());
    for (question, answer) in &judged {
        match places(&question.page, &question.marks) {
            Some(found) if found == *answer => same += 1,
            found => wrong.push(format!(
                "{:?}\n  ours   {found:?}\n  theirs {answer:?}",
                question.page
            )),
        }
    }
    println!("{same} pages are read alike, {} are not", wrong.len());
    for wrong in &wrong {
        println!("{wrong}");
    }
    assert!(wrong.is_empty() && same > 0);
}

#[test]
fn what_stands_outside_of_an_edit_stays_where_it_was() {
    let path = RepoPath::parse("page.html").unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut questions = Vec::new();
    let mut edits = Vec::new();
    let (mut refused, mut tidy) = (0, 0);
    let Some(judged) = judged() else { return };
    for (Question { page, .. }, _) in judged {
        let document = Document::new(path.clone(), page.as_bytes().into(), HashKind::Sha1);
        let dom = document.dom();
        let addresses = Addresses::of(dom, &document.bytes);
        for _ in 0..EDITS {
            if dom.elements.is_empty() {
                break;
            }
            let Ok(selector) =
                ElementSelector::parse(&addresses.address(random.below(dom.elements.len())))
            else {
                continue;
            };
            let selector = Scoped::from(Selector::Element(selector));
            let content = CONTENTS[random.below(CONTENTS.len())].to_owned();
            let verb = match random.below(4) {
                0 => Verb::Delete {
                    selector,
                    part: None,
                    expect: None,
                },
                1 => {
                    let position = Some([Position::Before, Position::After][random.below(2)]);
                    Verb::Insert {
                        selector: Some(selector),
                        part: None,
                        position,
                        content,
                        indent: None,
                    }
                }
                _ => Verb::Replace {
                    selector: Some(selector),
                    part: None,
                    content,
                    indent: None,
                    expect: None,
                },
            };
            let what = format!("{verb:?}");
            let Some((splices, errors)) = made(&path, &page, verb) else {
                continue;
            };
            if !errors.is_empty() {
                refused += 1;
                continue;
            }
            tidy += usize::from(dom.problems.is_empty());
            let after = String::from_utf8(splices.apply(page.as_bytes())).unwrap();
            let touched = |at: usize| {
                splices
                    .iter()
                    .any(|splice| splice.span.start <= at && at <= splice.span.end)
            };
            let before_marks = marks(&page, touched);
            let after_marks = before_marks
                .iter()
                .map(|mark| TreeMark {
                    offset: moved(&splices, mark.offset),
                    ..*mark
                })
                .collect();
            edits.push((what, dom.problems.is_empty()));
            questions.push(Question {
                page: page.clone(),
                marks: before_marks,
                expected: None,
            });
            questions.push(Question {
                page: after,
                marks: after_marks,
                expected: None,
            });
        }
    }
    let Some(answers) = asked(&questions) else {
        return;
    };
    let mut wrong = [Vec::new(), Vec::new()];
    for (((what, is_tidy), pages), answers) in
        edits.iter().zip(questions.chunks(2)).zip(answers.chunks(2))
    {
        let [Some(before), Some(after)] = answers else {
            panic!("no answer")
        };
        let (before, after) = (inside(&pages[0], before), inside(&pages[1], after));
        let said = said(&pages[1]);
        // Where it was, or where its tags say.
        let is_moved = |(number, place): (usize, &TreePlace)| {
            *place != after[number] && after[number] != said[number]
        };
        if before.iter().enumerate().any(is_moved) {
            wrong[usize::from(*is_tidy)].push(format!(
                "{:?}\n  {:?}\n  {what}\n  {:?} {:?}",
                pages[0].page, pages[1].page, before, after
            ));
        }
    }
    println!(
        "{} edits passed, {tidy} of them of pages whose tags are in order; {refused} were refused; {} and {} moved something",
        edits.len(),
        wrong[0].len(),
        wrong[1].len()
    );
    for wrong in wrong.iter().flat_map(|wrong| wrong.iter().take(40)) {
        println!("{wrong}");
    }
    assert!(wrong[1].is_empty());
    // What stood by mistake in an element that goes has to go somewhere.
    assert!(wrong[0].len() * 500 <= edits.len());
}

/// Says whether a mark is of a tag that makes up a page: whether something is in its body or behind it makes no difference.
fn is_frame(page: &str, mark: &TreeMark) -> bool {
    let name = page[..mark.offset]
        .rsplit('<')
        .next()
        .unwrap()
        .to_lowercase();
    mark.sort == TreeMarkKind::Tag && name == "head"
}

/// Returns places as far as they say what tags that do not make up a page are around.
fn inside(question: &Question, places: &[TreePlace]) -> Vec<TreePlace> {
    let beyond = |mut place: TreePlace| {
        while let TreePlace::Inside(Some(around)) = place
            && is_frame(&question.page, &question.marks[around])
        {
            place = if places[around] == TreePlace::Nowhere {
                TreePlace::Inside(None)
            } else {
                places[around]
            };
        }
        place
    };
    let of_frame = |place| {
        if place == TreePlace::Nowhere {
            place
        } else {
            TreePlace::Inside(None)
        }
    };
    let each = question.marks.iter().zip(places);
    each.map(|(mark, place)| {
        if is_frame(&question.page, mark) {
            of_frame(*place)
        } else {
            beyond(*place)
        }
    })
    .collect()
}

/// Returns where the tags say that the marked tags and texts are.
fn said(question: &Question) -> Vec<TreePlace> {
    let path = RepoPath::parse("page.html").unwrap();
    let document = Document::new(path, question.page.as_bytes().into(), HashKind::Sha1);
    let elements = &document.dom().elements;
    let number = |at: usize| {
        question
            .marks
            .iter()
            .position(|mark| mark.offset == elements[at].tag_name.end)
    };
    let place = |mark: &TreeMark| {
        let holds = |element: &&HtmlElement| {
            element
                .inner()
                .is_some_and(|inner| inner.start < mark.offset && mark.offset <= inner.end)
        };
        let mut around = match elements
            .iter()
            .find(|element| element.tag_name.end == mark.offset)
        {
            Some(element) => element.parent,
            None => elements.iter().rposition(|element| holds(&element)),
        };
        while let Some(at) = around {
            match number(at) {
                Some(number) if !is_frame(&question.page, &question.marks[number]) => {
                    return TreePlace::Inside(Some(number));
                }
                _ => around = elements[at].parent,
            }
        }
        TreePlace::Inside(None)
    };
    question.marks.iter().map(place).collect()
}

/// Returns where an offset outside of all splices is once they are made.
fn moved(splices: &Splices, at: usize) -> usize {
    let ahead = splices.iter().filter(|splice| splice.span.end < at);
    ahead.fold(at, |at, splice| {
        at + splice.bytes.len() - (splice.span.end - splice.span.start)
    })
}
