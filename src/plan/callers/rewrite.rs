//! A list of arguments becomes another, in lines and commas as it has them.

use super::binding::NewArgument;
use crate::plan::listing::Listing;
use crate::text::splice::Splices;
use crate::text::{Lines, Span};

/// The arguments of one call, with the lines that they are on.
pub(super) struct ArgumentText {
    bytes: Vec<u8>,
    brackets: Span,
    items: Vec<Span>,
}

impl ArgumentText {
    /// Returns the arguments between `brackets` of `bytes`.
    pub(super) fn of(bytes: &[u8], brackets: Span, items: &[Span]) -> ArgumentText {
        let start = bytes[..brackets.start]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let end = bytes[brackets.end..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |at| brackets.end + at + 1);
        let moved = |span: &Span| Span::new(span.start - start, span.end - start);
        ArgumentText {
            bytes: bytes[start..end].to_vec(),
            brackets: moved(&brackets),
            items: items.iter().map(moved).collect(),
        }
    }

    /// Returns what is between the brackets, and those, when the arguments are `wanted`; `None` where a comment is in the way.
    pub(super) fn rewritten(mut self, wanted: &[NewArgument]) -> Option<Vec<u8>> {
        let kept: Vec<usize> = wanted.iter().filter_map(NewArgument::old).collect();
        if !kept.is_sorted() {
            return self.exchanged(wanted);
        }
        for argument in wanted {
            match argument {
                NewArgument::Named(at, name) => {
                    let value = self.value(*at);
                    self.write(*at, &[name.as_bytes(), b"=", &value].concat())?;
                }
                NewArgument::Unnamed(at) => {
                    let value = self.value(*at);
                    self.write(*at, &value)?;
                }
                NewArgument::Kept(_) | NewArgument::Added(_) => {}
            }
        }
        for at in (0..self.items.len()).rev() {
            if !kept.contains(&at) {
                self.take_out(at)?;
            }
        }
        for (at, argument) in wanted.iter().enumerate() {
            if let NewArgument::Added(words) = argument {
                self.add(at, words)?;
            }
        }
        Some(self.brackets.of(&self.bytes).to_vec())
    }

    /// Returns it with arguments in another order: each text goes to the place of another, or all of them to one line.
    fn exchanged(mut self, wanted: &[NewArgument]) -> Option<Vec<u8>> {
        let texts: Vec<Vec<u8>> = wanted
            .iter()
            .map(|argument| self.text_of(argument))
            .collect();
        if texts.len() == self.items.len() {
            for (at, text) in texts.iter().enumerate() {
                self.write(at, text)?;
            }
            return Some(self.brackets.of(&self.bytes).to_vec());
        }
        let mut between = self.items.windows(2);
        let has_comment = between.any(|pair| {
            Span::new(pair[0].end, pair[1].start)
                .of(&self.bytes)
                .contains(&b'#')
        });
        let all = texts.join(&b", "[..]);
        (!has_comment).then(|| [b"(", &all[..], b")"].concat())
    }

    fn text_of(&self, argument: &NewArgument) -> Vec<u8> {
        match argument {
            NewArgument::Kept(at) => self.items[*at].of(&self.bytes).to_vec(),
            NewArgument::Named(at, name) => [name.as_bytes(), b"=", &self.value(*at)].concat(),
            NewArgument::Unnamed(at) => self.value(*at),
            NewArgument::Added(words) => words.as_bytes().to_vec(),
        }
    }

    /// Returns an argument without its name.
    fn value(&self, at: usize) -> Vec<u8> {
        let text = self.items[at].of(&self.bytes);
        let name = text
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80)
            .count();
        let after = text[name..].trim_ascii_start();
        let is_named = name > 0 && after.starts_with(b"=") && !after.starts_with(b"==");
        if is_named {
            after[1..].trim_ascii_start().to_vec()
        } else {
            text.to_vec()
        }
    }

    fn write(&mut self, at: usize, text: &[u8]) -> Option<()> {
        let span = self.items[at];
        self.bytes
            .splice(span.start..span.end, text.iter().copied());
        let end = span.start + text.len();
        self.shift(span.end, end);
        self.items[at] = Span::new(span.start, end);
        Some(())
    }

    fn take_out(&mut self, at: usize) -> Option<()> {
        if self.items.len() == 1 {
            let inside = Span::new(self.brackets.start + 1, self.brackets.end - 1);
            let has_comment = inside.of(&self.bytes).contains(&b'#')
                && !self.items[0].of(&self.bytes).contains(&b'#');
            if has_comment {
                return None;
            }
            self.bytes.drain(inside.start..inside.end);
            self.items.clear();
            self.brackets.end = inside.start + 1;
            return Some(());
        }
        let lines = Lines::of(&self.bytes);
        let splices = self.listing(&lines).taken_out(at)?;
        let splices = Splices::new(splices).ok()?;
        let bytes = splices.apply(&self.bytes);
        self.items.remove(at);
        let moves = splices.moves();
        for item in &mut self.items {
            *item = Span::new(moves.after(item.start), moves.before(item.end));
        }
        self.brackets = Span::new(self.brackets.start, moves.after(self.brackets.end));
        self.bytes = bytes;
        Some(())
    }

    fn add(&mut self, at: usize, words: &str) -> Option<()> {
        if self.items.is_empty() {
            let inside = Span::new(self.brackets.start + 1, self.brackets.end - 1);
            if inside.of(&self.bytes).contains(&b'#') {
                return None;
            }
            let text = words.as_bytes().iter().copied();
            self.bytes.splice(inside.start..inside.end, text);
            let end = inside.start + words.len();
            self.items.push(Span::new(inside.start, end));
            self.brackets.end = end + 1;
            return Some(());
        }
        let lines = Lines::of(&self.bytes);
        let listing = self.listing(&lines);
        let open_line = lines.line(self.brackets.start);
        let is_broken = lines.line(self.items[0].start) > open_line;
        let line_break = match self.bytes.windows(2).any(|pair| pair == b"\r\n") {
            true => "\r\n",
            false => "\n",
        };
        let splice = match is_broken && listing.has_a_line_each() {
            true => listing.add_line(at, words, line_break),
            false => listing.add_inline(at, words),
        };
        let own = memchr::memmem::rfind(&splice.bytes, words.as_bytes())?;
        let start = splice.span.start + own;
        let grown = splice.bytes.len() - splice.span.len();
        self.bytes.splice(
            splice.span.start..splice.span.end,
            splice.bytes.iter().copied(),
        );
        for (other, item) in self.items.iter_mut().enumerate() {
            if other >= at {
                *item = Span::new(item.start + grown, item.end + grown);
            }
        }
        self.brackets.end += grown;
        self.items.insert(at, Span::new(start, start + words.len()));
        Some(())
    }

    fn listing<'a>(&'a self, lines: &'a Lines) -> Listing<'a> {
        Listing {
            bytes: &self.bytes,
            lines,
            items: self.items.clone(),
            in_brackets: true,
            end: self.brackets.end,
        }
    }

    /// Moves what comes after `from`, which is at `to` now.
    fn shift(&mut self, from: usize, to: usize) {
        let moved = |offset: usize| {
            if offset >= from {
                offset - from + to
            } else {
                offset
            }
        };
        for item in &mut self.items {
            if item.start >= from {
                *item = Span::new(moved(item.start), moved(item.end));
            }
        }
        self.brackets.end = moved(self.brackets.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(call: &str, items: &[&str], wanted: &[NewArgument], expected: Option<&str>) {
        let open = call.find('(').unwrap();
        let close = call.rfind(')').unwrap();
        let mut from = open;
        let items: Vec<Span> = items
            .iter()
            .map(|item| {
                let start = from + call[from..].find(item).unwrap();
                from = start + item.len();
                Span::new(start, from)
            })
            .collect();
        let text = ArgumentText::of(call.as_bytes(), Span::new(open, close + 1), &items);
        let made = text.rewritten(wanted);
        let made = made.map(|it| String::from_utf8(it).unwrap());
        assert_eq!(made.as_deref(), expected, "{call}");
    }

    #[test]
    fn arguments_come_go_and_change_in_the_lines_that_there_are() {
        use NewArgument::{Added, Kept, Named, Unnamed};
        let new = || Added("n=7".to_owned());
        check("x = f()\n", &[], &[new()], Some("(n=7)"));
        check(
            "f(a, b)\n",
            &["a", "b"],
            &[Kept(0), Kept(1), new()],
            Some("(a, b, n=7)"),
        );
        check("f(a, b)\n", &["a", "b"], &[Kept(1)], Some("(b)"));
        check(
            "f(a, b)\n",
            &["a", "b"],
            &[Kept(0), new()],
            Some("(a, n=7)"),
        );
        check("f(a)\n", &["a"], &[], Some("()"));
        check(
            "f(a, b=2)\n",
            &["a", "b=2"],
            &[Kept(0), Named(1, "c".to_owned())],
            Some("(a, c=2)"),
        );
        check("f(b=2)\n", &["b=2"], &[Unnamed(0)], Some("(2)"));
        check(
            "f(a, b)\n",
            &["a", "b"],
            &[Kept(1), Kept(0)],
            Some("(b, a)"),
        );
        check(
            "f(\n    a,  # one\n    b,\n)\n",
            &["a", "b"],
            &[Kept(0), Added("7".to_owned()), Kept(1), new()],
            Some("(\n    a,  # one\n    7,\n    b,\n    n=7,\n)"),
        );
        check(
            "f(\n    a,  # one\n    b\n)\n",
            &["a", "b"],
            &[Kept(0)],
            Some("(\n    a  # one\n)"),
        );
    }
}
