//! The leaves of a Markdown file: the paragraphs, headings, blocks of code and of HTML, rules and rows of tables that its text is
//! in, and whether an edit leaves those beside it what they were. Without a blank line between, a paragraph goes on in what is
//! below it, and a `---` makes a heading of it.

use std::collections::HashMap;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::sections::MarkdownText;
use crate::text::Span;
use crate::text::splice::Splices;

/// Blocks as GitHub has them.
const OPTIONS: Options = Options::ENABLE_FOOTNOTES.union(Options::ENABLE_TABLES);

/// A block that holds text and no other block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf {
    kind: LeafKind,
    /// Less the white space after it.
    span: Span,
    /// What it is in, from the outside in, and where that begins.
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

/// What a splice says of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// It names it: what is beside it is as it was.
    Named,
    /// It quotes bytes, or counts lines: what is beside it may go on in what it writes, and is of the same kind.
    Quoted,
}

/// A leaf that an edit makes something else of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbed {
    /// One beside the splices is not what it was: its range, and where that begins in the new file.
    Lost(Span, usize),
    /// A table that the splices reach into is none any more: its range, and where that begins in the new file.
    Untabled(Span, usize),
    /// One that was inserted goes on in what is beside it: its range in the new file.
    Strayed(Span),
}

/// Returns what `splices`, which make `new` of `old`, disturb; `naming` says what each says of its place, by its range in the old file.
pub fn disturbed(
    old: &[u8],
    new: &[u8],
    splices: &Splices,
    naming: impl Fn(Span) -> Naming,
) -> Vec<Disturbed> {
    let (
        Leaves {
            leaves: before,
            tables,
        },
        Leaves {
            leaves: after,
            tables: tables_now,
        },
    ) = (leaves(old), leaves(new));
    let moves = splices.moves();
    let strokes: Vec<(Span, Span)> = splices
        .with_new_spans()
        .map(|(splice, new)| (splice.span, new))
        .collect();
    let same: HashMap<Span, &Leaf> = after.iter().map(|leaf| (leaf.span, leaf)).collect();
    let gone: Vec<Span> = tables
        .into_iter()
        .filter(|table| is_untabled((*table, old), (&tables_now, new), &strokes))
        .collect();
    let untabled = gone
        .iter()
        .map(|table| Disturbed::Untabled(*table, moves.before(table.start)));
    let mut found: Vec<Disturbed> = untabled.collect();
    for leaf in before.iter().filter(|leaf| !is_in_one(leaf.span, &gone)) {
        let reaches = |stroke: Span| stroke.start < leaf.span.end && leaf.span.start < stroke.end;
        // The splice that is nearest to it on each side.
        let at = strokes.partition_point(|(stroke, _)| stroke.end <= leaf.span.start);
        let mut beside = [at.checked_sub(1), Some(at)]
            .into_iter()
            .flatten()
            .filter_map(|at| strokes.get(at));
        if beside.clone().any(|(stroke, _)| reaches(*stroke)) {
            let begins = moves.after(leaf.span.start);
            if is_underlined(leaf, (begins, &after), old, &strokes) {
                found.push(Disturbed::Lost(leaf.span, begins));
            }
            continue;
        }
        let moved = Span::new(moves.after(leaf.span.start), moves.before(leaf.span.end));
        let is_kept = if beside.any(|(stroke, _)| naming(*stroke) == Naming::Named) {
            let is_same =
                |now: &&&Leaf| now.kind == leaf.kind && kinds(&now.around).eq(kinds(&leaf.around));
            same.get(&moved).filter(is_same).is_some()
        } else {
            let at = after.partition_point(|now| now.span.end < moved.end);
            let holding = after.get(at).filter(|now| now.span.contains(moved));
            let goes_on = |now: &Leaf| {
                goes_on_alike(leaf, now, &strokes)
                    && !is_taken_up(leaf, (now, moved), new, &strokes)
            };
            holding.is_some_and(|now| {
                is_meant(now, &strokes) || goes_on(now) && !has_lines_above(now, moved, new)
            })
        };
        if !is_kept {
            found.push(Disturbed::Lost(leaf.span, moved.start));
        }
    }
    let inserted = strokes
        .iter()
        .filter(|(stroke, _)| stroke.is_empty() && naming(*stroke) == Naming::Named);
    for (_, given) in inserted {
        let from = after.partition_point(|leaf| leaf.span.start < given.start);
        let inside = after[from..]
            .iter()
            .take_while(|leaf| leaf.span.start < given.end);
        found.extend(
            inside
                .filter(|leaf| goes_on(leaf, given.start, new))
                .map(|leaf| Disturbed::Strayed(leaf.span)),
        );
    }
    found
}

/// Returns the items of lists and the notes of a file, less the white space around each, in the order in which they begin.
pub fn items(source: &[u8]) -> Vec<Span> {
    let document = MarkdownText::of_file(source);
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(&document.text, OPTIONS).into_offset_iter() {
        if let Event::Start(Tag::Item | Tag::FootnoteDefinition(_)) = event {
            let span = Span::from(range).shifted(document.offset);
            let text = span.of(source);
            let start = span.end - text.trim_ascii_start().len();
            found.push(Span::new(start, start + text.trim_ascii().len()));
        }
    }
    found
}

/// Returns what is marked as code within the lines of a file, with its backticks.
pub fn codes(source: &[u8]) -> Vec<Span> {
    let document = MarkdownText::of_file(source);
    let events = Parser::new_ext(&document.text, OPTIONS).into_offset_iter();
    let codes = events.filter(|(event, _)| matches!(event, Event::Code(_)));
    codes
        .map(|(_, range)| Span::from(range).shifted(document.offset))
        .collect()
}

/// Returns all code of a file: what is marked as such within its lines, and the blocks.
pub fn all_code(source: &[u8]) -> Vec<Span> {
    let document = MarkdownText::of_file(source);
    let events = Parser::new_ext(&document.text, OPTIONS).into_offset_iter();
    let is_code =
        |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)));
    events
        .filter(|(event, _)| is_code(event))
        .map(|(_, range)| Span::from(range).shifted(document.offset))
        .collect()
}

/// Says whether a span is in one of sorted, disjoint `ranges`.
fn is_in_one(span: Span, ranges: &[Span]) -> bool {
    let before = ranges.partition_point(|range| range.end <= span.start);
    ranges.get(before).is_some_and(|range| range.contains(span))
}

fn kinds(around: &[(Container, usize)]) -> impl Iterator<Item = Container> {
    around.iter().map(|(container, _)| *container)
}

/// Says whether a heading that was at `moved` has lines above it now, which the line below it underlines, too.
fn has_lines_above(now: &Leaf, moved: Span, new: &[u8]) -> bool {
    matches!(now.kind, LeafKind::Heading(_))
        && Span::new(now.span.start, moved.start)
            .of(new)
            .contains(&b'\n')
}

/// Says whether both ends of a leaf were written: who puts a fence above something and another below it wants code of it.
fn is_meant(now: &Leaf, strokes: &[(Span, Span)]) -> bool {
    let is_written = |at: usize| {
        let before = strokes.partition_point(|(_, written)| written.end <= at);
        strokes
            .get(before)
            .is_some_and(|(_, written)| written.start <= at)
    };
    let Span { start, end } = now.span;
    start < end && is_written(start) && is_written(end - 1)
}

/// Says whether a paragraph has lines above the first splice that reaches into it, and a heading is made of them by a line that the splice
/// gives: a `---` with no blank line before it. `begins` is where the paragraph does in the new file.
fn is_underlined(
    leaf: &Leaf,
    (begins, after): (usize, &[Leaf]),
    old: &[u8],
    strokes: &[(Span, Span)],
) -> bool {
    let first = strokes.partition_point(|(stroke, _)| stroke.end <= leaf.span.start);
    let Some((stroke, _)) = strokes.get(first) else {
        return false;
    };
    let above = Span::new(leaf.span.start, stroke.start.max(leaf.span.start));
    if leaf.kind != LeafKind::Paragraph || !above.of(old).contains(&b'\n') {
        return false;
    }
    let at = after.partition_point(|now| now.span.end <= begins);
    let is_heading = |now: &&Leaf| {
        let ends_in = |given: &Span| given.start < now.span.end && now.span.end <= given.end;
        matches!(now.kind, LeafKind::Heading(_))
            && now.span.start == begins
            && strokes.iter().any(|(_, given)| ends_in(given))
    };
    after.get(at).filter(is_heading).is_some()
}

/// Says whether `now`, which holds a leaf that was `was`, is of its kind and in the same containers, other than those whose beginnings
/// were taken or written.
fn goes_on_alike(was: &Leaf, now: &Leaf, strokes: &[(Span, Span)]) -> bool {
    let is_taken = |at: usize| {
        let before = strokes.partition_point(|(taken, _)| taken.end <= at);
        strokes
            .get(before)
            .is_some_and(|(taken, _)| taken.start <= at)
    };
    // At the end of what was written begins what came after something that was taken.
    let is_written = |at: usize| {
        let before = strokes.partition_point(|(_, written)| written.end < at);
        strokes
            .get(before)
            .is_some_and(|(_, written)| written.start <= at)
    };
    let left = was
        .around
        .iter()
        .filter(|(_, start)| !is_taken(*start))
        .map(|(container, _)| *container);
    let kept = now
        .around
        .iter()
        .filter(|(_, start)| !is_written(*start))
        .map(|(container, _)| *container);
    was.kind == now.kind && is_among(left, kinds(&now.around)) && is_among(kept, kinds(&was.around))
}

/// Says whether a leaf that was `was`, and begins a line of its own at `place`, would go on in the list, quote or note that was written above
/// it: a blank line between them is gone, or was never there. What is deeper than its marker is meant to be a part of it.
fn is_taken_up(
    was: &Leaf,
    (now, place): (&Leaf, Span),
    new: &[u8],
    strokes: &[(Span, Span)],
) -> bool {
    if now.span.start >= place.start || now.around.len() <= was.around.len() {
        return false;
    }
    let line = memchr::memrchr(b'\n', &new[..place.start]).map_or(0, |at| at + 1);
    let before = Span::new(line, place.start);
    let quotes = memchr::memrchr(b'>', before.of(new)).map_or(0, |at| at + 1);
    let depth = before.len() - quotes - usize::from(quotes > 0 && before.len() > quotes);
    let before = strokes.partition_point(|(_, written)| written.end <= line);
    let is_ahead_written = strokes
        .get(before)
        .is_some_and(|(_, written)| written.start < place.start);
    let is_above_written = |at: usize| {
        let before = strokes.partition_point(|(_, written)| written.end <= at);
        strokes
            .get(before)
            .is_some_and(|(_, written)| written.start <= at)
    };
    depth == 0 && !is_ahead_written && now.around.iter().any(|(_, start)| is_above_written(*start))
}

/// Says whether `some` are among `all`, in their order.
fn is_among(
    some: impl Iterator<Item = Container>,
    mut all: impl Iterator<Item = Container>,
) -> bool {
    let mut some = some;
    some.all(|one| all.any(|other| other == one))
}

/// Says whether splices reach into a table, leave rows, or write some in its place, and leave no table there.
fn is_untabled(
    (table, old): (Span, &[u8]),
    (tables_now, new): (&[Span], &[u8]),
    strokes: &[(Span, Span)],
) -> bool {
    let from = strokes.partition_point(|(taken, _)| taken.end <= table.start);
    let reaching = &strokes[from..];
    let reaching = &reaching[..reaching.partition_point(|(taken, _)| taken.start < table.end)];
    let (Some((first, begins)), Some((last, ends))) = (reaching.first(), reaching.last()) else {
        return false;
    };
    // What became of it: all from the first splice that reaches into it to the last, and what is left of it on both sides.
    let start = begins.start - first.start.saturating_sub(table.start);
    let now = Span::new(start, ends.end + table.end.saturating_sub(last.end));
    let holds_table = || {
        let before = tables_now.partition_point(|table| table.end <= now.start);
        tables_now
            .get(before)
            .is_some_and(|table| table.start < now.end)
    };
    // Rows may begin without a `|`, and text with one in it is no row where those of the table do.
    let has_edge = table.of(old).starts_with(b"|");
    let is_row = |line: &[u8]| {
        line.trim_ascii_start().starts_with(b"|") || !has_edge && line.contains(&b'|')
    };
    // A row that is indented like code ends the table, and those below it would be text.
    let line = memchr::memrchr(b'\n', &old[..table.start]).map_or(0, |at| at + 1);
    let deepest = table.start - line + 3;
    let is_code = |line: &[u8]| {
        let blanks = line.iter().take_while(|byte| byte.is_ascii_whitespace());
        let depth: usize = blanks.map(|byte| if *byte == b'\t' { 4 } else { 1 }).sum();
        depth > deepest && is_row(line)
    };
    let was_code = || table.of(old).split(|&byte| byte == b'\n').any(is_code);
    let has_code = || now.of(new).split(|&byte| byte == b'\n').any(is_code);
    let is_none = now.of(new).split(|&byte| byte == b'\n').any(is_row) && !holds_table();
    is_none || last.end < table.end && has_code() && !was_code()
}

/// Says whether a leaf that was inserted at `start` goes on in a block that was there before, other than an item does in a list,
/// and a row in a table.
fn goes_on(leaf: &Leaf, start: usize, bytes: &[u8]) -> bool {
    let outside = leaf
        .around
        .iter()
        .take_while(|(_, begin)| *begin < start)
        .count();
    let Some((last, _)) = outside
        .checked_sub(1)
        .and_then(|last| leaf.around.get(last))
    else {
        return false;
    };
    match (last, leaf.around.get(outside)) {
        (Container::List, Some((Container::Item, _))) => false,
        (Container::Table, None) => !leaf.span.of(bytes).trim_ascii_start().starts_with(b"|"),
        _ => true,
    }
}

/// The leaves of a file, and its tables, in order.
struct Leaves {
    leaves: Vec<Leaf>,
    tables: Vec<Span>,
}

fn leaves(source: &[u8]) -> Leaves {
    let document = MarkdownText::of_file(source);
    let mut reader = LeafReader {
        source,
        around: Vec::new(),
        text: None,
        found: Vec::new(),
    };
    let mut tables = Vec::new();
    // Of each block and span that is open, whether it is a container.
    let mut open: Vec<bool> = Vec::new();
    for (event, range) in Parser::new_ext(&document.text, OPTIONS).into_offset_iter() {
        let span = Span::from(range).shifted(document.offset);
        let is_in_leaf = open.last() == Some(&false);
        match event {
            Event::Start(tag) => {
                if matches!(tag, Tag::Table(_)) {
                    tables.push(span);
                }
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
    Leaves {
        leaves: reader.found,
        tables,
    }
}

/// What was read of a file so far.
struct LeafReader<'s> {
    source: &'s [u8],
    around: Vec<(Container, usize)>,
    /// The text of an item that is open, which has no paragraph around it where its list has no blank lines.
    text: Option<Span>,
    found: Vec<Leaf>,
}

impl LeafReader<'_> {
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
        self.found.push(Leaf {
            kind,
            span,
            around: self.around.clone(),
        });
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
            String::from_utf8_lossy(span.of(bytes))
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let word = |found| match found {
            Disturbed::Lost(span, _) => format!("lost {}", first(span, old.as_bytes())),
            Disturbed::Untabled(span, _) => format!("untabled {}", first(span, old.as_bytes())),
            Disturbed::Strayed(span) => format!("strayed {}", first(span, &new)),
        };
        disturbed(old.as_bytes(), &new, &splices, |_| Naming::Named)
            .into_iter()
            .map(word)
            .collect()
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
        check("|a|\n|-|\n|b|\n^|c|\n", "    |x|\n", &["untabled |a|"]);
        check("|a|\n|-|\n|b|\n^|c|\n", "  |x|\n", &[]);
        check("|a|\n|-|\n|b|\n^|c|\n", "\n|x|\n|-|\n", &[]);
        check("# A\n<div>\n^\n# B\n", "more\n", &["lost <div>"]);
        check("# A\ntext\n\n^B\n==\n", "more\n", &["lost B"]);
        check("# A\ntext\n^# B\n", "<div>\n</div>\n", &["lost # B"]);
        check("# A\ntext\n^# B\n", "# C\n", &[]);
        check("# A\n^\ttext\n", "- item\n", &["lost text"]);
    }

    #[test]
    fn what_a_blank_line_parted_from_a_list_stays_parted() {
        // «taken|given», quoted.
        let check = |text: &str, expected: &[&str]| {
            let (head, rest) = text.split_once('«').expect("a mark");
            let (taken, rest) = rest.split_once('|').expect("a mark");
            let (given, tail) = rest.split_once('»').expect("a mark");
            let old = format!("{head}{taken}{tail}");
            let splice = Splice::new(Span::new(head.len(), head.len() + taken.len()), given);
            let splices = Splices::new(vec![splice]).expect("one splice");
            let new = splices.apply(old.as_bytes());
            let found = disturbed(old.as_bytes(), &new, &splices, |_| Naming::Quoted);
            let words = found.into_iter().map(|found| match found {
                Disturbed::Lost(span, _) => &old[span.start..span.end],
                Disturbed::Untabled(..) | Disturbed::Strayed(_) => "another",
            });
            assert_eq!(words.collect::<Vec<_>>(), expected, "{text:?}");
        };
        check("«- a\n- b\n\n|- a\n- c\n»text\n", &["text"]);
        check("«> - a\n\n|> - b\n»text\n", &["text"]);
        check("«> a\n\n|> b\n»text\n", &["text"]);
        check("> «- a\n>\n|- b\n»> text\n", &["text"]);
        check("«|> a\n»text\n", &["text"]);
        check("«a\n\n|b\n»text\n---\n", &["text\n---"]);
        check("a\n\n«|b\n»text\n===\n", &["text\n==="]);
        check(
            "«1. a\n\n|1. b\n2. c\n»*text* goes\non\n",
            &["*text* goes\non"],
        );
        for meant in [
            "«- a\n- b\n\n|- a\n- c\n\n»text\n",
            "«- a\n\n|- b\n»# text\n",
            "«- a\n\n|- b\n»- text\n",
            "«- a\n\n|- b\n»  text\n",
            "«|- »text\n",
            "«a\n\n|b\n»# text\n",
            "«a\n\n|b\n\n»text\n---\n",
            "«|*»text*\n---\n",
            "«a|b\na»\nb\n---\n",
            "«|> »text\nmore\n",
            "«a\n\n|a\n»text\n",
            "«> a\n>\n|> b\n»> text\n",
            "«- a\n\n|»text\n",
            "- a\n\n«b\n\n|c\n»text\n",
        ] {
            check(meant, &[]);
        }
    }

    #[test]
    fn items_and_notes_hold_what_is_deeper() {
        let check = |page: &str, expected: &[&str]| {
            let found: Vec<&str> = items(page.as_bytes())
                .into_iter()
                .map(|it| &page[it.start..it.end])
                .collect();
            assert_eq!(found, expected, "{page:?}");
        };
        check(
            "- a\n\n  b\n\n  - c\n- d\n",
            &["- a\n\n  b\n\n  - c", "- c", "- d"],
        );
        check("9. a\n   - b\n", &["9. a\n   - b", "- b"]);
        check("10. a\n   - b\n", &["10. a", "- b"]);
        check(
            "[^1]: a\n    b\n\n    c\n\nd [^1]\n",
            &["[^1]: a\n    b\n\n    c"],
        );
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
