//! What a browser makes of a page, by the standard's tree construction: in which elements tags and text end up, wherever they
//! are. Home of `html5ever`.
//!
//! That parser knows no offsets. So tags and pieces of text are marked in a copy of the page, by an attribute and by a character
//! that no page has, and the marks are looked for in the tree. Neither changes how the page is read.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, QualName, parse_document};

/// The attribute that marks a tag.
const ATTRIBUTE: &str = "segedit-mark";

/// Characters of a plane that is not in use, one for each mark of a piece of text.
const FIRST: u32 = 0xF_0000;
const MOST_MARKS: usize = 0xFFFE;

/// How much is parsed before it is asked whether the tree grows out of hand.
const PIECE: usize = 1 << 16;

/// How many nodes there may be for each mark: a format that is open is opened anew in each block.
const NODES_PER_MARK: usize = 16;
const MORE_NODES: usize = 10_000;

/// Something whose place in the tree is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMark {
    /// After the name of a start tag, or after a character of text that is not blank.
    pub offset: usize,
    /// Which.
    pub sort: TreeMarkKind,
}

/// What is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeMarkKind {
    /// A start tag.
    Tag,
    /// A piece of text.
    Text,
}

/// Where something ends up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePlace {
    /// Nowhere: the tag is overlooked, or part of a script, or of a comment.
    Nowhere,
    /// In the element that has this mark, or in none that has one. Elements without a mark do not count.
    Inside(Option<usize>),
}

/// Returns where each of `marks`, which are in file order, ends up in the tree of a page; `None` where that cannot be known.
pub fn places(source: &str, marks: &[TreeMark]) -> Option<Vec<TreePlace>> {
    let odd = |letter: char| u32::from(letter) >= FIRST;
    if marks.len() > MOST_MARKS || source.contains(ATTRIBUTE) || source.contains(odd) {
        return None;
    }
    let marked = marked(source, marks)?;
    let sink = Sink::new(marks.len());
    let mut parser = parse_document(sink, Default::default());
    let mut rest = marked.as_str();
    while !rest.is_empty() {
        let end = (PIECE..rest.len())
            .find(|&at| rest.is_char_boundary(at))
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        parser.process(StrTendril::from(piece));
        if parser.tokenizer.sink.sink.is_out_of_hand() {
            return None;
        }
        rest = after;
    }
    Some(parser.finish())
}

fn marked(source: &str, marks: &[TreeMark]) -> Option<String> {
    let mut text = String::with_capacity(source.len() + marks.len() * 24);
    let mut from = 0;
    for (number, mark) in marks.iter().enumerate() {
        text.push_str(source.get(from..mark.offset)?);
        match mark.sort {
            TreeMarkKind::Tag => text.push_str(&format!(" {ATTRIBUTE}={number} ")),
            TreeMarkKind::Text => text.push(char::from_u32(FIRST + u32::try_from(number).ok()?)?),
        }
        from = mark.offset;
    }
    text.push_str(source.get(from..)?);
    Some(text)
}

/// A node: what the parser asks of it, and its number.
struct BrowserNode {
    number: usize,
    name: QualName,
    /// What is in a `template`.
    inside: RefCell<Option<Rc<BrowserNode>>>,
    /// Whether it is an `annotation-xml` that holds HTML.
    holds_html: bool,
}

/// How a node hangs in the tree.
#[derive(Clone, Copy, Debug, Default)]
struct Links {
    mark: Option<usize>,
    parent: Option<usize>,
    first: Option<usize>,
    previous: Option<usize>,
    next: Option<usize>,
}

/// The tree so far.
struct Sink {
    document: Rc<BrowserNode>,
    links: RefCell<Vec<Links>>,
    /// Of each mark the first node that has it: others are copies, which a misplaced end tag calls for.
    nodes: RefCell<Vec<Option<usize>>>,
    most: Cell<usize>,
}

impl Sink {
    fn new(marks: usize) -> Sink {
        let sink = Sink {
            document: Rc::new(BrowserNode {
                number: 0,
                name: nameless(),
                inside: RefCell::default(),
                holds_html: false,
            }),
            links: RefCell::new(vec![Links::default()]),
            nodes: RefCell::new(vec![None; marks]),
            most: Cell::new(
                marks
                    .saturating_mul(NODES_PER_MARK)
                    .saturating_add(MORE_NODES),
            ),
        };
        debug_assert_eq!(sink.document.number, 0, "the document is the first node");
        sink
    }

    fn is_out_of_hand(&self) -> bool {
        self.links.borrow().len() > self.most.get()
    }

    fn node(&self, name: QualName, mark: Option<usize>, holds_html: bool) -> Rc<BrowserNode> {
        let mut links = self.links.borrow_mut();
        let number = links.len();
        links.push(Links {
            mark,
            ..Links::default()
        });
        if let Some(first) = mark.and_then(|mark| {
            self.nodes
                .borrow_mut()
                .get_mut(mark)
                .map(|node| *node.get_or_insert(number))
        }) {
            debug_assert!(first <= number, "the first node stays");
        }
        Rc::new(BrowserNode {
            number,
            name,
            inside: RefCell::default(),
            holds_html,
        })
    }

    /// Hangs `child` below `parent`, before `before` or last.
    fn hang(&self, child: usize, parent: usize, before: Option<usize>) {
        self.cut(child);
        let mut links = self.links.borrow_mut();
        let previous = match before {
            Some(before) => links.get(before).and_then(|before| before.previous),
            None => None,
        };
        // The order of those at the end is not asked for, so that the last need not be known: a new one comes first.
        let next = before.or_else(|| links.get(parent).and_then(|parent| parent.first));
        let previous = if before.is_some() { previous } else { None };
        if let Some(links) = links.get_mut(child) {
            (links.parent, links.previous, links.next) = (Some(parent), previous, next);
        }
        if let Some(next) = next.and_then(|next| links.get_mut(next)) {
            next.previous = Some(child);
        }
        match previous {
            Some(previous) => links
                .get_mut(previous)
                .into_iter()
                .for_each(|previous| previous.next = Some(child)),
            None => links
                .get_mut(parent)
                .into_iter()
                .for_each(|parent| parent.first = Some(child)),
        }
    }

    /// Takes a node out of the tree.
    fn cut(&self, child: usize) {
        let mut links = self.links.borrow_mut();
        let Some(Links {
            parent: Some(parent),
            previous,
            next,
            ..
        }) = links.get(child).copied()
        else {
            return;
        };
        match previous {
            Some(previous) => links
                .get_mut(previous)
                .into_iter()
                .for_each(|previous| previous.next = next),
            None => links
                .get_mut(parent)
                .into_iter()
                .for_each(|parent| parent.first = next),
        }
        if let Some(next) = next.and_then(|next| links.get_mut(next)) {
            next.previous = previous;
        }
        if let Some(links) = links.get_mut(child) {
            (links.parent, links.previous, links.next) = (None, None, None);
        }
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.links.borrow().get(node)?.parent
    }

    /// Hangs an element, or the marks of a text.
    fn add(&self, child: NodeOrText<Rc<BrowserNode>>, parent: usize, before: Option<usize>) {
        match child {
            NodeOrText::AppendNode(node) => self.hang(node.number, parent, before),
            NodeOrText::AppendText(text) => {
                for letter in text.chars().filter(|letter| u32::from(*letter) >= FIRST) {
                    let mark = usize::try_from(u32::from(letter) - FIRST).ok();
                    let node = self.node(nameless(), mark, false);
                    self.hang(node.number, parent, before);
                }
            }
        }
    }
}

impl TreeSink for Sink {
    type Handle = Rc<BrowserNode>;
    type Output = Vec<TreePlace>;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Vec<TreePlace> {
        let links = self.links.into_inner();
        let around = marks_around(&links);
        let place = |node: Option<usize>| {
            node.and_then(|node| around.get(node).copied())
                .unwrap_or(TreePlace::Nowhere)
        };
        self.nodes.into_inner().into_iter().map(place).collect()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Rc<BrowserNode> {
        self.document.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<BrowserNode>) -> &'a QualName {
        &target.name
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Rc<BrowserNode> {
        let mark = attributes
            .iter()
            .find(|attribute| &*attribute.name.local == ATTRIBUTE);
        let node = self.node(
            name,
            mark.and_then(|mark| mark.value.parse().ok()),
            flags.mathml_annotation_xml_integration_point,
        );
        if flags.template {
            let inside = self.node(nameless(), None, false);
            self.hang(inside.number, node.number, None);
            *node.inside.borrow_mut() = Some(inside);
        }
        node
    }

    fn create_comment(&self, _text: StrTendril) -> Rc<BrowserNode> {
        self.node(nameless(), None, false)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Rc<BrowserNode> {
        self.node(nameless(), None, false)
    }

    fn append(&self, parent: &Rc<BrowserNode>, child: NodeOrText<Rc<BrowserNode>>) {
        self.add(child, parent.number, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<BrowserNode>,
        previous: &Rc<BrowserNode>,
        child: NodeOrText<Rc<BrowserNode>>,
    ) {
        match self.parent(element.number) {
            Some(parent) => self.add(child, parent, Some(element.number)),
            None => self.add(child, previous.number, None),
        }
    }

    fn append_doctype_to_document(
        &self,
        _name: StrTendril,
        _public: StrTendril,
        _system: StrTendril,
    ) {
    }

    fn get_template_contents(&self, target: &Rc<BrowserNode>) -> Rc<BrowserNode> {
        target
            .inside
            .borrow()
            .clone()
            .unwrap_or_else(|| target.clone())
    }

    fn same_node(&self, one: &Rc<BrowserNode>, other: &Rc<BrowserNode>) -> bool {
        one.number == other.number
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Rc<BrowserNode>) -> bool {
        target.holds_html
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Rc<BrowserNode>, node: NodeOrText<Rc<BrowserNode>>) {
        if let Some(parent) = self.parent(sibling.number) {
            self.add(node, parent, Some(sibling.number));
        }
    }

    fn add_attrs_if_missing(&self, _target: &Rc<BrowserNode>, _attributes: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Rc<BrowserNode>) {
        self.cut(target.number);
    }

    fn reparent_children(&self, node: &Rc<BrowserNode>, new_parent: &Rc<BrowserNode>) {
        let first = || {
            self.links
                .borrow()
                .get(node.number)
                .and_then(|links| links.first)
        };
        while let Some(child) = first() {
            self.hang(child, new_parent.number, None);
        }
    }
}

/// Returns, for each node, where it is: by the mark of the nearest element around it that has one, or nowhere, where no way leads
/// from it to the document, which is the first.
fn marks_around(links: &[Links]) -> Vec<TreePlace> {
    let mut around: Vec<Option<TreePlace>> = vec![None; links.len()];
    if let Some(document) = around.first_mut() {
        *document = Some(TreePlace::Inside(None));
    }
    for node in 0..links.len() {
        let mut way = Vec::new();
        let mut at = Some(node);
        let end = loop {
            let Some(here) = at else {
                break TreePlace::Nowhere;
            };
            if let Some(Some(known)) = around.get(here) {
                break *known;
            }
            way.push(here);
            at = links.get(here).and_then(|links| links.parent);
        };
        // Down again: what is in a marked element is in that, where that is anywhere.
        let mut place = end;
        for &here in way.iter().rev() {
            let parent = links.get(here).and_then(|links| links.parent);
            let mark = parent.and_then(|parent| links.get(parent)?.mark);
            if let (Some(mark), TreePlace::Inside(_)) = (mark, place) {
                place = TreePlace::Inside(Some(mark));
            }
            if let Some(slot) = around.get_mut(here) {
                *slot = Some(place);
            }
        }
    }
    around
        .into_iter()
        .map(|place| place.unwrap_or(TreePlace::Nowhere))
        .collect()
}

fn nameless() -> QualName {
    QualName::new(
        None,
        html5ever::Namespace::from(""),
        html5ever::LocalName::from(""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks where tags (by their numbers, in file order) and the first letter of each text end up.
    fn check(source: &str, expected: &str) {
        let mut marks = Vec::new();
        let bytes = source.as_bytes();
        for at in 0..bytes.len() {
            let letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
            let name = bytes[at + 1..].iter().take_while(letter).count();
            if bytes[at] == b'<' && name > 0 {
                marks.push(TreeMark {
                    offset: at + 1 + name,
                    sort: TreeMarkKind::Tag,
                });
            } else if bytes[at].is_ascii_uppercase() {
                marks.push(TreeMark {
                    offset: at + 1,
                    sort: TreeMarkKind::Text,
                });
            }
        }
        let told = places(source, &marks)
            .unwrap()
            .into_iter()
            .map(|place| match place {
                TreePlace::Nowhere => "-".to_owned(),
                TreePlace::Inside(None) => "top".to_owned(),
                TreePlace::Inside(Some(mark)) => mark.to_string(),
            });
        assert_eq!(told.collect::<Vec<_>>().join(" "), expected, "{source:?}");
    }

    #[test]
    fn places_are_those_of_the_standards_tree_construction() {
        check("<p>A<i>B</i></p>C", "top 0 0 2 top");
        check("<p>A<div>B</div></p>C", "top 0 top 2 top");
        check("<a>A<a>B</a>C</a>D", "top 0 top 2 top top");
        check("<button>A<button>B</button>C</button>", "top 0 top 2 top");
        check("<form>A<form>B</form>C</form>", "top 0 - 0 top");
        check("<nobr>A<nobr>B</nobr>C", "top 0 top 2 top");
        check("<table>A<tr><td>B</table>C", "top top 0 2 3 top");
        check("<table><tr><td>A</td></tr></table>", "top 0 1 2");
        check("<template>A<p>B</p></template>C", "top 0 0 2 top");
        check("<script><!-- <script></script>A<p>B</p>", "top - 0 - 0");
        check("<script><!-- <b></script>A", "top - top");
        check("<b>A<p>B</b>C</p>D", "top 0 top 0 2 top");
        check("<select><option>A<option>B</select>C", "top 0 1 0 3 top");
        check("<svg><g>A<p>B", "top 0 1 top 3");
        check("<textarea><b>A</textarea>B", "top - 0 top");
        check("<!-- <b>A --><i>B</i>", "- - top 2");
        check("<p><frameset><frame>", "- top 1");
        check(
            "<math><annotation-xml encoding='text/html'><div>A",
            "top 0 1 2",
        );
    }
}
