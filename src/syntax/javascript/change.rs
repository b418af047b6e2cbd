//! `LegibleEdit`: what makes a text legible, of the same length byte for byte.

use std::ops::Range;

use crate::syntax::tree::blank;

/// What makes a text legible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LegibleEdit {
    /// These bytes become blank, but for line breaks.
    Blank(Range<usize>),
    /// These bytes become blank, line breaks as well.
    Join(Range<usize>),
    /// A `;` takes the place of this blank.
    End(usize),
    /// These bytes become blank but for line breaks, and a `;` takes the place of one of them.
    EndOver(Range<usize>, usize),
    /// These bytes become a name.
    Name(Range<usize>),
    /// These bytes, at least six, become the word `static`, and what is left of them blank.
    Static(Range<usize>),
}

impl LegibleEdit {
    pub(super) fn write(self, text: &mut [u8]) {
        const STATIC: &[u8] = b"static";
        let fill = |part: Option<&mut [u8]>, with: u8| {
            part.into_iter().flatten().for_each(|byte| *byte = with)
        };
        match self {
            LegibleEdit::Blank(part) => blank(text, part),
            LegibleEdit::Join(part) => fill(text.get_mut(part), b' '),
            LegibleEdit::End(at) => fill(text.get_mut(at..at + 1), b';'),
            LegibleEdit::EndOver(part, at) => {
                blank(text, part);
                fill(text.get_mut(at..at + 1), b';');
            }
            LegibleEdit::Name(part) => fill(text.get_mut(part), b'x'),
            LegibleEdit::Static(part) => {
                let at = part.start;
                blank(text, part);
                text.get_mut(at..at + STATIC.len())
                    .into_iter()
                    .for_each(|bytes| bytes.copy_from_slice(STATIC));
            }
        }
    }
}
