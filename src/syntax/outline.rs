//! `Outline`: what every grammar reduces to.
//!
//! Spans are the grammar's own: from the first byte of a header to the last byte of a body, never widened to whole
//! lines; resolve does that, because it depends on what else is on the line.
//!
//! Segments that lie in each other share bytes and names, so that a small file could come to gigabytes of both. Invariant of a
//! `bounded` outline: what its segments come to is bounded by the size of the file.

use std::fmt;
use std::str::FromStr;

use crate::text::Span;

/// Most segments that may lie in each other. Symbols are a tree, and others walk it by recursion.
pub const MAX_NESTING: usize = 128;

/// How many times the file all its segments may come to, each with what is inside of it, and their names, each with those
/// around it; and what even the smallest file gets. Ordinary files come to less than a tenth of that.
const MOST_TIMES: usize = 32;
const LEAST_BYTES: usize = 64 << 20;
const LEAST_NAMES: usize = 16 << 20;

/// The named segments of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The outermost ones in file order.
    pub symbols: Vec<Symbol>,
    /// The file is known to have no syntax errors.
    pub sound: bool,
    /// Why all of its segments are left out, though it has some.
    pub excess: Option<Excess>,
}

/// Why the segments of a file are not given, mostly for what it has too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Excess {
    /// Segments in each other, more than `MAX_NESTING`.
    Nesting,
    /// Text in the names, each with those around it.
    Names,
    /// Bytes in the segments, each with what is inside of it.
    Bytes,
    /// Values in each other, in a configuration file.
    Depth,
    /// Made to be slow to read.
    Work,
    /// A language that this build leaves out.
    LeftOut,
}

impl Excess {
    /// Every one.
    pub const ALL: [Excess; 6] = [
        Excess::Nesting,
        Excess::Names,
        Excess::Bytes,
        Excess::Depth,
        Excess::Work,
        Excess::LeftOut,
    ];
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Excess::Nesting => write!(f, "its segments nest more than {MAX_NESTING} deep"),
            Excess::Names => f.write_str(
                "its names, each with those around it, are too much text for a file of its size",
            ),
            Excess::Bytes => {
                f.write_str("its segments lie in each other too often for a file of its size")
            }
            Excess::Depth => f.write_str("its values nest too deep"),
            Excess::Work => f.write_str("it is too intricate"),
            Excess::LeftOut => f.write_str("this build leaves its language out"),
        }
    }
}

/// What the segments of one file come to so far.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    bytes: usize,
    names: usize,
}

impl Extent {
    /// Returns what the segments of a file of this size may come to.
    pub fn of_file(size: usize) -> Extent {
        let more = size.saturating_mul(MOST_TIMES);
        Extent {
            bytes: more.saturating_add(LEAST_BYTES),
            names: more.saturating_add(LEAST_NAMES),
        }
    }

    /// Takes a segment off: one of so many `bytes`, with so many of text in `names`, which lies inside of `around` others.
    pub fn take(&mut self, around: usize, bytes: usize, names: usize) -> Result<(), Excess> {
        if around >= MAX_NESTING {
            return Err(Excess::Nesting);
        }
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Excess::Bytes)?;
        self.names = self.names.checked_sub(names).ok_or(Excess::Names)?;
        Ok(())
    }
}

impl Outline {
    /// Returns the outline of a file whose segments are left out.
    pub fn exceeding(excess: Excess) -> Outline {
        Outline {
            excess: Some(excess),
            ..Outline::default()
        }
    }

    /// Returns the outline of a file of this size, without its segments where they come to too much.
    pub fn bounded(self, size: usize) -> Outline {
        match extent(&self.symbols, size) {
            Ok(()) => self,
            Err(excess) => Outline {
                symbols: Vec::new(),
                excess: Some(excess),
                ..self
            },
        }
    }
}

/// Says whether segments come to no more than those of a file of this size may.
fn extent(symbols: &[Symbol], size: usize) -> Result<(), Excess> {
    let mut left = Extent::of_file(size);
    // Of each list that is open the length of the name around it.
    let mut open = vec![(symbols.iter(), 0)];
    loop {
        let nesting = open.len();
        let Some((symbols, around)) = open.last_mut() else {
            return Ok(());
        };
        let Some(symbol) = symbols.next() else {
            open.pop();
            continue;
        };
        // What has no address of its own is called by all the names around it, each of them kept apart too.
        let (own, apart) = match &symbol.address {
            Some(address) => (address.len(), 0),
            None => {
                let owner = symbol.owner.as_ref().map_or(0, |owner| owner.len() + 1);
                (
                    *around + owner + symbol.name.len() + 1,
                    (nesting - 1) * size_of::<(&str, usize)>(),
                )
            }
        };
        let names = own + *around + apart;
        left.take(nesting - 1, symbol.definition.len(), names)?;
        if !symbol.children.is_empty() {
            open.push((symbol.children.iter(), own));
        }
    }
}

/// One named segment: a definition of code, a Markdown section, an HTML element, or a key of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its own name: `process`; of a section, the heading's text.
    pub name: String,
    /// A name put before its own in the qualified name without being its parent in the tree: the type of a Rust
    /// `impl` block or of a Go receiver.
    pub owner: Option<String>,
    /// Of an element or a key: its address within the file, as a selector writes it.
    pub address: Option<String>,
    /// What is inside is named after it; of an `impl` block, after its type alone.
    pub names_inside: bool,
    /// Commas part it from what is beside it in its list.
    pub parted: bool,
    /// It is one of the things that the type or the value around it is made of, such as a field: whoever replaces that says what it is
    /// made of then, and need not name what it no more is.
    pub component: bool,
    /// What it is.
    pub kind: SegmentKind,
    /// Of a section or an HTML heading: 1 to 6. Else: 0.
    pub level: u8,
    /// From the header (`async def`, `class`, `export function`, the heading) to the end of the body; decorations excluded.
    pub definition: Span,
    /// Decorators, attributes and comment lines directly above, in file order.
    pub decorations: Vec<Decoration>,
    /// What belongs to it below: comment lines after the body that are indented deeper than the header; of a Python
    /// variable, the text that documents it.
    pub trailing: Option<Span>,
    /// The header without what opens the body (`:`, `{`) ; of a section, the heading.
    pub signature: Span,
    /// What the header introduces. Of code in braces: between them. Of Python: from the first statement (or comment)
    /// to the end. Of a section: all after the heading's line(s), subsections included.
    pub body: Option<Span>,
    /// The documentation string's statement, or the doc comment.
    pub docstring: Option<Span>,
    /// What is defined inside, in file order.
    pub children: Vec<Symbol>,
}

/// Something that belongs to a definition and is above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoration {
    /// What it is.
    pub sort: DecorationKind,
    /// From its first to its last byte, line ending excluded.
    pub span: Span,
}

/// The two sorts of decorations; content that brings one sort replaces the old ones of that sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecorationKind {
    /// `@cached`, `#[derive(Debug)]`
    Decorator,
    /// `# …`, `/// …`, `/** … */`
    Comment,
}

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the usual words")]
pub enum SegmentKind {
    Function,
    Method,
    Class,
    Variable,
    Constant,
    Struct,
    Enum,
    Interface,
    Trait,
    Type,
    Module,
    Impl,
    Section,
    Element,
    Key,
}

impl SegmentKind {
    /// Every kind, in the order of the help text.
    pub const ALL: [SegmentKind; 15] = [
        SegmentKind::Function,
        SegmentKind::Method,
        SegmentKind::Class,
        SegmentKind::Variable,
        SegmentKind::Constant,
        SegmentKind::Struct,
        SegmentKind::Enum,
        SegmentKind::Interface,
        SegmentKind::Trait,
        SegmentKind::Type,
        SegmentKind::Module,
        SegmentKind::Impl,
        SegmentKind::Section,
        SegmentKind::Element,
        SegmentKind::Key,
    ];

    /// Returns the kind as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            SegmentKind::Function => "function",
            SegmentKind::Method => "method",
            SegmentKind::Class => "class",
            SegmentKind::Variable => "variable",
            SegmentKind::Constant => "constant",
            SegmentKind::Struct => "struct",
            SegmentKind::Enum => "enum",
            SegmentKind::Interface => "interface",
            SegmentKind::Trait => "trait",
            SegmentKind::Type => "type",
            SegmentKind::Module => "module",
            SegmentKind::Impl => "impl",
            SegmentKind::Section => "section",
            SegmentKind::Element => "element",
            SegmentKind::Key => "key",
        }
    }
}

impl FromStr for SegmentKind {
    type Err = ();

    fn from_str(text: &str) -> Result<SegmentKind, ()> {
        SegmentKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or(())
    }
}

impl fmt::Display for SegmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Symbol {
    /// Returns the range with decorations and what belongs to it below.
    pub fn whole(&self) -> Span {
        let above = self
            .decorations
            .first()
            .map_or(self.definition, |first| first.span.cover(self.definition));
        self.trailing.map_or(above, |below| above.cover(below))
    }
}
