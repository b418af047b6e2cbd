//! Markdown against independent readers: the same headings as `markdown-it-py` and the reference parser's Python
//! version see, on real files and on random ones, and the same blocks as `markdown-it-py` and `tree-sitter-md`.
//!
//! Where the Python readers could not be installed, the comparison says so and passes; the other checks need nothing.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use segedit::syntax::markdown::{MARKDOWN, MarkdownBlockKind, blocks, own};
use segedit::syntax::{Outline, Symbol};
use segedit::text::BOM;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::support::{sources, tools};

/// Level, 0-based last line and text of a heading, white space of the text squeezed.
type Heading = (u8, usize, String);

#[test]
fn real_files_have_the_headings_that_other_readers_see() {
    let files = files();
    let documents: Vec<Vec<u8>> = files
        .iter()
        .filter_map(|file| std::fs::read(file).ok())
        .collect();
    let Some(theirs) = oracle(&documents) else {
        return;
    };
    let ours: Vec<_> = documents
        .iter()
        .map(|document| headings_of(document))
        .collect();
    println!(
        "{} files, {} headings",
        files.len(),
        ours.iter().map(Vec::len).sum::<usize>()
    );
    for ((file, ours), [markdown_it, reference]) in files.iter().zip(&ours).zip(&theirs) {
        assert_eq!(
            ours,
            markdown_it,
            "{} as markdown-it-py reads it",
            file.display()
        );
        assert_eq!(
            ours,
            reference,
            "{} as the reference parser reads it",
            file.display()
        );
    }
}

/// The two readers differ between them on what stands around link reference definitions; one of them must agree.
#[test]
fn random_documents_have_the_headings_that_another_reader_sees() {
    let documents: Vec<Vec<u8>> = (1..=20_000).map(random_document).collect();
    let Some(theirs) = oracle(&documents) else {
        return;
    };
    for (document, theirs) in documents.iter().zip(&theirs) {
        let ours = headings_of(document);
        let text = String::from_utf8_lossy(document);
        assert!(
            theirs.contains(&ours) || has_tag_of_its_own(&text),
            "{text:?}\nours         {ours:?}\nmarkdown-it  {:?}\nthe reference {:?}",
            theirs[0],
            theirs[1]
        );
    }
}

/// Says whether a line holds nothing but a tag of any name. Since CommonMark 0.31 it cannot interrupt a paragraph that
/// it continues lazily either; both readers follow older text there.
fn has_tag_of_its_own(text: &str) -> bool {
    let tags = ["<a>", "</pre>", "</script>"];
    text.split(['\r', '\n'])
        .any(|line| tags.iter().any(|tag| line.ends_with(tag)))
}

#[test]
fn real_files_have_the_blocks_that_other_readers_see() {
    let texts = own_texts(
        files()
            .into_iter()
            .filter_map(|file| std::fs::read(file).ok()),
    );
    let count: usize = texts
        .iter()
        .flat_map(|(_, blocks)| blocks)
        .map(Vec::len)
        .sum();
    println!("{} texts, {count} blocks", texts.len());
    // The grammar cuts some tables in two at a row of empty cells, and lists at a line that goes on without its indentation.
    let otherwise = texts
        .iter()
        .filter(|(text, ours)| *ours != tree_sitter_blocks(text))
        .count();
    println!("{otherwise} of them read otherwise by tree-sitter's grammar");
    assert!(
        otherwise * 200 <= texts.len(),
        "{otherwise} of {}",
        texts.len()
    );
    let Some(theirs) = markdown_it_blocks(&texts) else {
        return;
    };
    for ((text, ours), theirs) in texts.iter().zip(theirs) {
        assert_eq!(*ours, theirs, "{text}");
    }
}

/// First and last line, 0-based, of each code block, table and list of a text.
type Blocks = [Vec<(usize, usize)>; 3];

/// Returns the own text of each section with the blocks found in it.
fn own_texts(documents: impl Iterator<Item = Vec<u8>>) -> Vec<(String, Blocks)> {
    let mut texts = Vec::new();
    for document in documents {
        let outline = MARKDOWN.grammar.outline(&document);
        let mut sections: Vec<&Symbol> = outline.symbols.iter().collect();
        while let Some(section) = sections.pop() {
            sections.extend(&section.children);
            let Some(own) = own(&document, section) else {
                continue;
            };
            let line = |offset: usize| line_of(own.of(&document), offset - own.start);
            let found = [
                MarkdownBlockKind::Code,
                MarkdownBlockKind::Table,
                MarkdownBlockKind::List,
            ]
            .map(|block| {
                let spans = blocks(&document, section, block);
                spans
                    .into_iter()
                    .map(|span| (line(span.start), line(span.end)))
                    .collect()
            });
            texts.push((
                String::from_utf8_lossy(own.of(&document)).into_owned(),
                found,
            ));
        }
    }
    texts
}

fn markdown_it_blocks(texts: &[(String, Blocks)]) -> Option<Vec<Blocks>> {
    const SCRIPT: &str = r##"
import json, re, sys
from markdown_it import MarkdownIt
reader = MarkdownIt("commonmark", {"maxNesting": 200}).enable("table")
kinds = {"fence": 0, "table_open": 1, "bullet_list_open": 2, "ordered_list_open": 2}
def blocks(text):
    lines, found = re.split(r"\r\n|\r|\n", text), ([], [], [])
    for token in reader.parse(text):
        if token.level == 0 and token.type in kinds:
            first, last = token.map[0], min(token.map[1], len(lines)) - 1
            while last > first and not lines[last].strip(" \t"):
                last -= 1
            found[kinds[token.type]].append((first, last))
    return found
json.dump([blocks(text) for text in json.load(sys.stdin)], sys.stdout)
"##;
    let texts: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
    ask(SCRIPT, &texts)
}

fn tree_sitter_blocks(text: &str) -> Blocks {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_md::LANGUAGE.into())
        .expect("the grammar fits the library");
    let tree = parser
        .parse(format!("{text}\n"), None)
        .expect("nothing stops the parser");
    let mut found = Blocks::default();
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        let slot = match node.kind() {
            "document" | "section" => {
                let children: Vec<_> = node.children(&mut node.walk()).collect();
                nodes.extend(children.into_iter().rev());
                continue;
            }
            "fenced_code_block" => 0,
            "pipe_table" => 1,
            "list" => 2,
            _ => continue,
        };
        let covered = text[node.start_byte()..node.end_byte().min(text.len())].trim_end();
        let first = line_of(text.as_bytes(), node.start_byte());
        found[slot].push((first, first + line_of(covered.as_bytes(), covered.len())));
    }
    found
}

#[test]
fn sections_and_the_gaps_around_them_make_up_the_file() {
    let documents = files()
        .into_iter()
        .filter_map(|file| std::fs::read(file).ok());
    for document in documents.chain((1..=2_000).map(random_document)) {
        let outline = MARKDOWN.grammar.outline(&document);
        let first = outline
            .symbols
            .first()
            .map_or(document.len(), |first| first.definition.start);
        let mut rebuilt = document[..first].to_vec();
        rebuild(&document, &outline.symbols, document.len(), &mut rebuilt);
        assert!(
            rebuilt == document,
            "{:?}",
            String::from_utf8_lossy(&document)
        );
    }
}

/// Writes each section from its own pieces, and checks that what stands between two of them is blank.
fn rebuild(document: &[u8], sections: &[Symbol], end: usize, rebuilt: &mut Vec<u8>) {
    for (at, section) in sections.iter().enumerate() {
        let next = sections
            .get(at + 1)
            .map_or(end, |next| next.definition.start);
        let (signature, definition) = (section.signature, section.definition);
        assert_eq!(rebuilt.len(), definition.start);
        assert_eq!(signature.start, definition.start);
        rebuilt.extend_from_slice(signature.of(document));
        let own_end = section
            .children
            .first()
            .map_or(definition.end, |child| child.definition.start);
        rebuilt.extend_from_slice(&document[signature.end..own_end]);
        rebuild(document, &section.children, definition.end, rebuilt);
        let gap = &document[definition.end..next];
        assert!(gap.iter().all(u8::is_ascii_whitespace), "{gap:?}");
        rebuilt.extend_from_slice(gap);
        let body = section.body.map_or(definition.end, |body| body.start);
        assert!(
            document[signature.end..body]
                .iter()
                .all(u8::is_ascii_whitespace)
        );
        assert_eq!(
            section.body.map(|body| body.end),
            section.body.map(|_| definition.end)
        );
    }
}

fn headings_of(document: &[u8]) -> Vec<Heading> {
    let Outline { symbols, .. } = MARKDOWN.grammar.outline(document);
    let mut headings = Vec::new();
    collect(document, &symbols, &mut headings);
    headings
}

fn collect(document: &[u8], sections: &[Symbol], headings: &mut Vec<Heading>) {
    for section in sections {
        let line = line_of(document, section.signature.end);
        headings.push((section.level, line, squeeze(&section.name)));
        collect(document, &section.children, headings);
    }
}

/// Counts lines as CommonMark does, a lone CR being an ending.
fn line_of(document: &[u8], offset: usize) -> usize {
    let before = &document[..offset];
    let endings = before
        .iter()
        .filter(|byte| matches!(byte, b'\n' | b'\r'))
        .count();
    endings - before.windows(2).filter(|pair| pair == b"\r\n").count()
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a document made of fragments on which block parsers trip. The same number gives the same document.
fn random_document(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap_or_default() % limit
    };
    let ending = ["\n", "\n", "\n", "\r\n", "\r"][below(5)];
    let mut document = String::from("start");
    document.push_str(ending);
    for _ in 0..2 + below(9) {
        document.push_str(
            [
                "", "", "", "", " ", "   ", "    ", "\t", "> ", "- ", "1. ", "2) ", "  ",
            ][below(13)],
        );
        document.push_str(FRAGMENTS[below(FRAGMENTS.len())]);
        document.push_str(ending);
    }
    document.into_bytes()
}

const FRAGMENTS: &[&str] = &[
    "",
    "",
    "",
    "foo",
    "bar",
    "# a",
    "## b ##",
    "### c #d",
    "#### e \\#",
    "#no",
    "#",
    "######",
    "####### seven",
    "===",
    "---",
    "=",
    "-",
    "--- ",
    "= =",
    "- - -",
    "***",
    "* a",
    "- b",
    "+",
    "1. one",
    "14. x",
    "> q",
    ">",
    "> # h",
    "- # h",
    "```",
    "~~~ x",
    "```` `",
    "    code",
    "<!-- c",
    "-->",
    "<!-- whole -->",
    "<div>",
    "</div>",
    "<pre>",
    "</pre>",
    "<x y=\"",
    "<a>",
    "<?php",
    "?>",
    "<![CDATA[",
    "]]>",
    "[foo]: /url",
    "[foo]:",
    "/url 'title",
    "title'",
    "[foo]: /url \"t\"",
    "`x",
    "y`",
    "a | b",
    "--- | ---",
    "| a |",
    "| - |",
    "foo\\",
    "foo  ",
    "*a",
    "b*",
    "\u{a0}",
    "&nbsp;",
    "<script>",
    "</script>",
    "\t# t",
    "#\tt\t#",
    ">\t# q",
    "-\t# l",
];

fn files() -> Vec<PathBuf> {
    sources::files(&[".md"])
}

/// Returns the headings that the two readers see in each document, or `None` when they cannot be had.
fn oracle(documents: &[Vec<u8>]) -> Option<Vec<[Vec<Heading>; 2]>> {
    let texts: Vec<_> = documents
        .iter()
        .map(|document| String::from_utf8_lossy(document.strip_prefix(BOM).unwrap_or(document)))
        .collect();
    let answers: Vec<[Vec<Heading>; 2]> = ask(SCRIPT, &texts)?;
    let squeezed = |(level, line, text): Heading| (level, line, squeeze(&text));
    let squeezed = |headings: Vec<Heading>| headings.into_iter().map(squeezed).collect();
    Some(
        answers
            .into_iter()
            .map(|answers| answers.map(squeezed))
            .collect(),
    )
}

/// Runs a script that reads texts as JSON and prints its answers as JSON.
fn ask<T: DeserializeOwned>(script: &str, texts: &[impl Serialize]) -> Option<T> {
    let mut child = Command::new(python()?)
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let input = serde_json::to_vec(texts).expect("texts are JSON");
    child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(&input)
        .expect("python reads");
    let output = child.wait_with_output().expect("python ends");
    assert!(output.status.success(), "the other reader failed");
    Some(serde_json::from_slice(&output.stdout).expect("it prints JSON"))
}

/// Front matter becomes blank lines, so that the numbers of lines stay.
const SCRIPT: &str = r##"
import json, re, sys
import commonmark
from markdown_it import MarkdownIt
reader = MarkdownIt("commonmark", {"maxNesting": 200})
front = re.compile(r"\A(---[ \t]*\r?\n(?=[^\r\n]*:).*?\n(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n.*?\n\+\+\+)[ \t]*\r?\n", re.S)
def markdown_it(text):
    tokens = reader.parse(text)
    return [(int(token.tag[1]), token.map[1] - 1, tokens[at + 1].content)
            for at, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
def reference(text):
    parser = commonmark.Parser()
    # Inlines do not matter here, and without them the text stays as it stands in the source.
    parser.process_inlines = lambda block: None
    node, found = parser.parse(text).first_child, []
    while node:
        if node.t == "heading":
            found.append((node.level, node.sourcepos[1][0] - 1, node.string_content))
        node = node.nxt
    return found
def headings(text):
    text = front.sub(lambda found: "\n" * found.group().count("\n"), text)
    return [reader(text) for reader in (markdown_it, reference)]
json.dump([headings(text) for text in json.load(sys.stdin)], sys.stdout)
"##;

/// Returns the Python that has the other readers.
fn python() -> Option<PathBuf> {
    tools::has_all(&["markdown_it", "commonmark"]).then(tools::python)
}
