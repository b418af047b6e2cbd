//! The leaves of a Markdown file: the paragraphs, headings, blocks of code and of HTML, rules and rows of tables that its text is
//! in, and whether an edit leaves those beside it what they were. Without a blank line between, a paragraph goes on in what is
//! below it, and a `---` makes a heading of it.

use std::collections::HashMap;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::sections::Document;
use crate::text::Span;
use crate::text::splice::Splices;

/// Blocks as GitHub has them.
const OPTIONS: Options = Options::ENABLE_FOOTNOTES.union(Options::ENABLE_TABLES);

/// A block that holds text and no other block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf {
    kind: LeafKind,
    /// Less the white space behind it.
    span: Span,
    /// What it stands in, from the outside in, and where that begins.
    around: Vec<(Container, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafKind {
    Paragraph,
    Heading(HeadingLevel),
    Code,
    Html,
    Rule,
    Row,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Quote,
    List,
    Item,
    Table,
    Note,
}

/// A leaf that an edit makes something else of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbed {
    /// One beside the splices is not what it was: its range, and where that begins in the new file.
    Lost(Span, usize),
    /// One that was inserted goes on in what stands beside it: its range in the new file.
    Strayed(Span),
}

/// Returns what `splices`, which make `new` of `old`, disturb: of the leaves beside those that `is_checked` says, by their ranges in
/// the old file.
pub fn disturbed(old: &[u8], new: &[u8], splices: &Splices, is_checked: impl Fn(Span) -> bool) -> Vec<Disturbed> {
    let (before, after) = (leaves(old), leaves(new));
    let moves = splices.moves();
    let strokes: Vec<(Span, Span)> = splices.with_new_spans().map(|(splice, new)| (splice.span, new)).collect();
    let same: HashMap<Span, &Leaf> = after.iter().map(|leaf| (leaf.span, leaf)).collect();
    let mut found = Vec::new();
    for leaf in &before {
        let reaches = |stroke: Span| stroke.start < leaf.span.end && leaf.span.start < stroke.end;
        // The splice that is nearest to it on each side.
        let at = strokes.partition_point(|(stroke, _)| stroke.end <= leaf.span.start);
        let mut beside = [at.checked_sub(1), Some(at)].into_iter().flatten().filter_map(|at| strokes.get(at));
        if beside.clone().any(|(stroke, _)| reaches(*stroke)) || !beside.any(|(stroke, _)| is_checked(*stroke)) {
            continue;
        }
        let moved = Span::new(moves.behind(leaf.span.start), moves.ahead(leaf.span.end));
        let kinds = |leaf: &Leaf| leaf.around.iter().map(|(container, _)| *container).collect::<Vec<_>>();
        let is_same = |now: &&&Leaf| now.kind == leaf.kind && kinds(now) == kinds(leaf);
        if same.get(&moved).filter(is_same).is_none() {
            found.push(Disturbed::Lost(leaf.span, moved.start));
        }
    }
    let inserted = strokes.iter().filter(|(stroke, _)| stroke.is_empty() && is_checked(*stroke));
    for (_, given) in inserted {
        let from = after.partition_point(|leaf| leaf.span.start < given.start);
        let inside = after[from..].iter().take_while(|leaf| leaf.span.start < given.end);
        found.extend(inside.filter(|leaf| goes_on(leaf, given.start, new)).map(|leaf| Disturbed::Strayed(leaf.span)));
    }
    found
}

/// Says whether a leaf that was inserted at `start` goes on in a block that stood there before, other than an item does in a list,
/// and a row in a table.
fn goes_on(leaf: &Leaf, start: usize, bytes: &[u8]) -> bool {
    let outside = leaf.around.iter().take_while(|(_, begin)| *begin < start).count();
    let Some((last, _)) = outside.checked_sub(1).and_then(|last| leaf.around.get(last)) else { return false };
    match (last, leaf.around.get(outside)) {
        (Container::List, Some((Container::Item, _))) => false,
        (Container::Table, None) => !leaf.span.of(bytes).trim_ascii_start().starts_with(b"|"),
        _ => true,
    }
}

/// Returns the leaves of a file, in order.
fn leaves(source: &[u8]) -> Vec<Leaf> {
    let document = Document::of_file(source);
    let mut reader = Reader { source, around: Vec::new(), text: None, found: Vec::new() };
    // Of each block and span that is open, whether it is a container.
    let mut open: Vec<bool> = Vec::new();
    for (event, range) in Parser::new_ext(&document.text, OPTIONS).into_offset_iter() {
        let span = Span::from(range).shifted(document.offset);
        let is_in_leaf = open.last() == Some(&false);
        match event {
            Event::Start(tag) => {
                let container = container(&tag).filter(|_| !is_in_leaf);
                open.push(container.is_some());
                match (container, leaf_kind(&tag)) {
                    (Some(container), _) => reader.enter(container, span.start),
                    (None, Some(kind)) if !is_in_leaf => reader.add(kind, span),
                    (None, None) if !is_in_leaf => reader.go_on(span),
                    (None, _) => {}
                }
            }
            Event::End(_) if open.pop() == Some(true) => reader.leave(),
            Event::End(_) => {}
            Event::Rule => reader.add(LeafKind::Rule, span),
            _ if !is_in_leaf => reader.go_on(span),
            _ => {}
        }
    }
    reader.close();
    reader.found
}

/// What was read of a file so far.
struct Reader<'s> {
    source: &'s [u8],
    around: Vec<(Container, usize)>,
    /// The text of an item that is open, which has no paragraph around it where its list has no blank lines.
    text: Option<Span>,
    found: Vec<Leaf>,
}

impl Reader<'_> {
    fn enter(&mut self, container: Container, start: usize) {
        self.close();
        self.around.push((container, start));
    }

    fn leave(&mut self) {
        self.close();
        self.around.pop();
    }

    fn add(&mut self, kind: LeafKind, span: Span) {
        self.close();
        let length = span.of(self.source).trim_ascii_end().len();
        let span = Span::new(span.start, span.start + length);
        self.found.push(Leaf { kind, span, around: self.around.clone() });
    }

    /// Goes on in the text of an item.
    fn go_on(&mut self, span: Span) {
        self.text = Some(self.text.map_or(span, |text| text.cover(span)));
    }

    fn close(&mut self) {
        if let Some(span) = self.text.take() {
            self.add(LeafKind::Paragraph, span);
        }
    }
}

fn container(tag: &Tag<'_>) -> Option<Container> {
    match tag {
        Tag::BlockQuote(_) => Some(Container::Quote),
        Tag::List(_) => Some(Container::List),
        Tag::Item => Some(Container::Item),
        Tag::Table(_) => Some(Container::Table),
        Tag::FootnoteDefinition(_) => Some(Container::Note),
        _ => None,
    }
}

fn leaf_kind(tag: &Tag<'_>) -> Option<LeafKind> {
    match tag {
        Tag::Paragraph => Some(LeafKind::Paragraph),
        Tag::Heading { level, .. } => Some(LeafKind::Heading(*level)),
        Tag::CodeBlock(_) => Some(LeafKind::Code),
        Tag::HtmlBlock => Some(LeafKind::Html),
        Tag::TableHead | Tag::TableRow => Some(LeafKind::Row),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::splice::Splice;

    /// Puts `content` into `page` at the sign `^` and returns the first line of each leaf that is disturbed.
    fn told(page: &str, content: &str) -> Vec<String> {
        let at = page.find('^').expect("a sign");
        let old = page.replace('^', "");
        let splices = Splices::new(vec![Splice::new(Span::at(at), content)]).expect("one splice");
        let new = splices.apply(old.as_bytes());
        let first = |span: Span, bytes: &[u8]| {
            String::from_utf8_lossy(span.of(bytes)).lines().next().unwrap_or_default().to_owned()
        };
        let word = |found| match found {
            Disturbed::Lost(span, _) => format!("lost {}", first(span, old.as_bytes())),
            Disturbed::Strayed(span) => format!("strayed {}", first(span, &new)),
        };
        disturbed(old.as_bytes(), &new, &splices, |_| true).into_iter().map(word).collect()
    }

    #[test]
    fn what_goes_on_in_the_block_beside_it_is_told() {
        let check = |page: &str, content: &str, expected: &[&str]| {
            assert_eq!(told(page, content), expected, "{page:?} {content:?}");
        };
        check("# A\ntext\n^# B\n", "---\n", &["lost text"]);
        check("# A\ntext\n^# B\n", "\n---\n", &[]);
        check("# A\ntext\n^# B\n", "more\n", &["lost text"]);
        check("# A\n- item\n^# B\n", "more\n", &["lost item"]);
        check("# A\n- item\n^# B\n", "\n  more\n", &["strayed more"]);
        check("# A\n> quote\n^# B\n", "more\n", &["lost quote"]);
        check("# A\n|a|\n|-|\n|b|\n^# B\n", "more\n", &["strayed more"]);
        check("# A\n<div>\n^\n# B\n", "more\n", &["lost <div>"]);
        check("# A\ntext\n\n^B\n==\n", "more\n", &["lost B"]);
        check("# A\ntext\n^# B\n", "<div>\n</div>\n", &["lost # B"]);
        check("# A\ntext\n^# B\n", "# C\n", &[]);
        check("# A\n^\ttext\n", "- item\n", &["lost text"]);
    }

    #[test]
    fn items_and_rows_go_on() {
        for (page, content) in [
            ("# A\n- item\n^# B\n", "- more\n"),
            ("# A\n- item\n\n  text\n^# B\n", "- more\n"),
            ("# A\n|a|\n|-|\n|b|\n^# B\n", "|c|\n"),
            ("# A\n^- *item* and `code`\n", "- more\n"),
            ("---\nt: 1\n---\n# A\n^\n- item\n  - below\n", "\ntext\n"),
        ] {
            assert_eq!(told(page, content), [""; 0], "{page:?} {content:?}");
        }
    }
}
