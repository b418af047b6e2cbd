//! Elements of lists, and arguments, beside an edit: without the comma that parts them two are one.
//!
//! Example: of `"beta"⏎"gamma",` Python makes one string, and of `["b", 2]⏎["c", 3],` JavaScript an index.
//!
//! Nor does a comma too many make two of a text of several lines.
//!
//! Known limits: what begins with an operator, or with its words, is meant to go on; and a text that is an argument may.

use std::collections::{HashMap, HashSet};

use super::changed::ChangedStatement;
use super::comments::begins_comment;
use super::guard::Guard;
use crate::text::{Span, is_blank};

/// What a splice changes, without the whole lines that it gives as it took them.
struct ElementChange {
    old: Span,
    new: Span,
}

/// Reads something of the old file, or of the new one.
pub(super) type Read<'r> = &'r dyn Fn(bool) -> Vec<Span>;

/// Returns the elements of the old file beside the edit that are none in the new one; `elements` and `comments` find those of a file.
pub(super) fn joined(
    guard: &Guard,
    (old, new): (&[u8], &[u8]),
    elements: Read<'_>,
    comments: Read<'_>,
) -> Option<ChangedStatement> {
    let pairs = guard.sides.strokes();
    let changes = pairs.map(|(was, now)| ElementChange::of(was.span, now.span, (old, new)));
    let changes: Vec<ElementChange> = changes.collect();
    if !changes.iter().any(|change| change.may_join(old, new)) {
        return None;
    }
    let (before, after) = (elements(false), elements(true));
    let (before_code, after_code) = (
        CodeFile {
            bytes: old,
            comments: comments(false),
        },
        CodeFile {
            bytes: new,
            comments: comments(true),
        },
    );
    let uncommented = |change: ElementChange| change.with_rest_of_comment(&before_code.comments);
    let changes: Vec<ElementChange> = changes.into_iter().map(uncommented).collect();
    // Another operation may change the element beside the edit, which begins or ends where it did, or take it away: then it is the next one
    // that is beside it.
    let taking = |element: &Span| {
        let mut changes = changes.iter();
        changes.find(|change| change.old.contains(*element) && is_blank(change.new.of(new)))
    };
    let is_taken = |element: &Span| taking(element).is_some();
    let (starts, ends): (HashSet<usize>, HashSet<usize>) =
        after.iter().map(|it| (it.start, it.end)).unzip();
    // Of several the innermost that ends there, and the outermost that begins there.
    let ending: HashMap<usize, Span> = before.iter().map(|it| (it.end, *it)).collect();
    let beginning: HashMap<usize, Span> = before.iter().rev().map(|it| (it.start, *it)).collect();
    changes
        .iter()
        .filter(|change| change.may_join(old, new))
        .find_map(|change| {
            let above = ending.get(&before_code.end(change.old.start));
            let above = above
                .filter(|it| !ends.contains(&after_code.end(change.new.start)) && !is_taken(it));
            let element_below = |ends: &ElementChange| {
                let element = beginning.get(&before_code.start(ends.old.end))?;
                Some((element, ends.new.end))
            };
            let below = std::iter::successors(element_below(change), |(element, _)| {
                element_below(taking(element)?)
            });
            let below = below.take(changes.len()).last();
            let below = below.filter(|(element, end)| {
                !starts.contains(&after_code.start(*end)) && !is_taken(element)
            });
            let below = below.map(|(element, _)| element);
            let joined = match (above, below) {
                (Some(above), Some(_)) if after_code.is_blank(change.new) => Some(above),
                (Some(above), None) if change.takes_last_comma(old, new, &after_code) => {
                    Some(above)
                }
                (Some(above), _)
                    if change.joins_above(above.of(old), (&before_code, &after_code)) =>
                {
                    Some(above)
                }
                (_, Some(below))
                    if change.joins_below(below.of(old), (&before_code, &after_code)) =>
                {
                    Some(below)
                }
                _ => None,
            };
            // What joins them is at fault.
            joined.map(|element| ChangedStatement::Joined(*element, change.new.start))
        })
}

/// Returns the first text beside the edit that went on with the one above it, and would be an element of its own: content for that
/// ends with a comma. A comma and nothing else is meant to part the two.
pub(super) fn divided(
    guard: &Guard,
    (old, new): (&[u8], &[u8]),
    elements: Read<'_>,
    comments: Read<'_>,
) -> Option<ChangedStatement> {
    let pairs = guard.sides.strokes();
    let changes: Vec<ElementChange> = pairs
        .map(|(was, now)| ElementChange::of(was.span, now.span, (old, new)))
        .filter(|change| change.may_divide(old, new))
        .collect();
    if changes.is_empty() {
        return None;
    }
    let code = |is_new, bytes| CodeFile {
        bytes,
        comments: comments(is_new),
    };
    let (before_code, after_code) = (code(false, old), code(true, new));
    let starts = |is_new| {
        elements(is_new)
            .iter()
            .map(|it| it.start)
            .collect::<HashSet<usize>>()
    };
    let (before, after) = (starts(false), starts(true));
    changes.iter().find_map(|change| {
        let was = before_code.start(change.old.end);
        let now = after_code.start(change.new.end);
        let rest = old.get(was..).unwrap_or_default();
        let is_divided = begins_text(rest) && !before.contains(&was) && after.contains(&now);
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let text = Span::new(was, was + rest[..length].trim_ascii_end().len());
        is_divided.then_some(ChangedStatement::Divided(text, now))
    })
}

impl ElementChange {
    fn of(taken: Span, written: Span, (old, new): (&[u8], &[u8])) -> ElementChange {
        let lines = |text: &'_ [u8]| {
            text.split_inclusive(|&byte| byte == b'\n')
                .map(<[u8]>::len)
                .collect::<Vec<_>>()
        };
        let (was, now) = (taken.of(old), written.of(new));
        let begins_line = taken.start == 0 || old.get(taken.start - 1) == Some(&b'\n');
        let mut ahead = 0;
        for length in lines(was).into_iter().filter(|_| begins_line) {
            if was.get(ahead..ahead + length) != now.get(ahead..ahead + length) {
                break;
            }
            ahead += length;
        }
        let mut behind = 0;
        for length in lines(was).into_iter().rev() {
            let is_left = ahead + behind + length <= was.len().min(now.len());
            if !is_left || was[was.len() - behind - length..] != now[now.len() - behind - length..]
            {
                break;
            }
            behind += length;
        }
        ElementChange {
            old: Span::new(taken.start + ahead, taken.end - behind),
            new: Span::new(written.start + ahead, written.end - behind),
        }
    }

    /// Returns the change up to where the comment ends that it takes the beginning of, as who takes its sign away makes code of all of it.
    fn with_rest_of_comment(self, comments: &[Span]) -> ElementChange {
        let after = comments.partition_point(|comment| comment.start < self.old.end);
        let last = after.checked_sub(1).and_then(|at| comments.get(at));
        match last.filter(|last| self.old.start <= last.start && last.end > self.old.end) {
            Some(last) => ElementChange {
                old: Span::new(self.old.start, last.end),
                new: Span::new(self.new.start, self.new.end + last.end - self.old.end),
            },
            None => self,
        }
    }

    /// Says whether, as far as its first and last bytes tell, it may join what is beside it: without reading the file.
    fn may_join(&self, old: &[u8], new: &[u8]) -> bool {
        let (was, now) = (self.old.of(old), self.new.of(new).trim_ascii());
        let was_comment = begins_comment(was);
        if was.trim_ascii_start().starts_with(b",") && begins_comment(now) {
            return true;
        }
        if now.is_empty() {
            return was.contains(&b',') || was_comment;
        }
        if may_go_on(now) || self.may_join_names(old, new) {
            return true;
        }
        // An element begins after a comma or a bracket, or on another line.
        let rest = new[self.new.end..].trim_ascii_start();
        let begins = match was.trim_ascii_end().last() {
            Some(last) => b",([{".contains(last),
            None => true,
        };
        let blanks = &new[self.new.end..new.len() - rest.len()];
        let is_below = was.ends_with(b"\n") || blanks.contains(&b'\n');
        (begins || is_below || was_comment)
            && (may_go_on(rest) || rest.starts_with(b"#") || rest.starts_with(b"/"))
    }

    /// Says whether a comma is missing beside what is written, where a name or the like is below: some languages read a call or an
    /// operator in two of them (`a⏎B(1)` in Kotlin, `&a⏎.b = c` in C).
    fn may_join_names(&self, old: &[u8], new: &[u8]) -> bool {
        let (was, now) = (self.old.of(old).trim_ascii(), self.new.of(new).trim_ascii());
        let above = new[..self.new.start].trim_ascii_end().last();
        let below = new[self.new.end..].trim_ascii_start();
        let is_one_of = |byte: Option<&u8>, bytes: &[u8]| byte.is_some_and(|it| bytes.contains(it));

        let was_parted = was.ends_with(b",") || is_one_of(above, b",([{");
        // A statement that ends with its block has no comma.
        let is_block = now.ends_with(b"}") && !was.ends_with(b",");
        let lacks_comma = is_value(now) && !is_block && begins_element(below);
        let is_last = is_one_of(below.first(), b")]") || now.starts_with(b".");
        let is_bare = above.is_some_and(|byte| is_value(std::slice::from_ref(byte)));
        was_parted && lacks_comma
            || is_bare && begins_element(now) && (now.ends_with(b",") || is_last)
    }

    /// Says whether a text gets a comma after it, and is another text.
    fn may_divide(&self, old: &[u8], new: &[u8]) -> bool {
        let (was, now) = (self.old.of(old).trim_ascii(), self.new.of(new).trim_ascii());
        let text = now.strip_suffix(b",");
        text.is_some_and(|text| is_text(text) && is_text(was) && text != was)
    }

    /// Says whether it takes the comma before a bracket that makes a tuple of what is in it.
    fn takes_last_comma(&self, old: &[u8], new: &[u8], after: &CodeFile<'_>) -> bool {
        let is_closed = after.bytes.get(after.start(self.new.end)) == Some(&b')');
        is_closed && self.old.of(old).contains(&b',') && is_blank(self.new.of(new))
    }

    /// Says whether what is written makes one with `element`, which ends before it, by a slip: it begins as an element of its own does.
    fn joins_above(&self, element: &[u8], (before, after): (&CodeFile<'_>, &CodeFile<'_>)) -> bool {
        let first = after.start(self.new.start);
        let text = after.bytes.get(first..self.new.end).unwrap_or_default();
        let begins_line = {
            let line = memchr::memrchr(b'\n', &after.bytes[..first]).map_or(0, |at| at + 1);
            line > 0 && is_blank(&after.bytes[line..first])
        };
        // On one line `f` and `(a)` are meant to be a call, and two texts are not meant to be one.
        let are_texts = || is_text(element) && matches!(text.first(), Some(b'"' | b'\''));
        (begins_line || are_texts())
            && is_value(element)
            && (may_go_on(text) || begins_line && begins_element_below(text, element))
            && !self.goes_on_with(element, before, after)
    }

    /// Says whether what is written, or what ended before what was taken, makes one with `element`, which begins after it, by a slip.
    fn joins_below(&self, element: &[u8], (before, after): (&CodeFile<'_>, &CodeFile<'_>)) -> bool {
        let end = after.end(self.new.end);
        let text = after.bytes.get(self.new.start..end).unwrap_or_default();
        if is_blank(text) || !is_value(text) || ends_with_operator(text) {
            return false;
        }
        if !may_go_on(element) {
            let between = after.bytes.get(end..after.start(self.new.end));
            let is_line = between.is_some_and(|between| between.contains(&b'\n'));
            if !is_line || !begins_element(element) || ends_with_modifier(text) {
                return false;
            }
        }
        let taken = before
            .bytes
            .get(self.old.start..before.end(self.old.end))
            .unwrap_or_default();
        if taken.ends_with(b",") || self.parts_with_line(element, text, (before, after)) {
            return true;
        }
        // A text may be put before another, to be one with that.
        let is_seam =
            text.ends_with(b" \"") || text.ends_with(b" '") || element.get(1) == Some(&b' ');
        is_text(text) && is_text(element) && !is_seam && !is_in_parts(element)
    }

    /// Says whether what is added before `element`, which began after a comma or a bracket, stands by itself: on lines of its own, or as
    /// `element` does, with commas in brackets. Who adds a name right before `(b)` means a call.
    fn parts_with_line(
        &self,
        element: &[u8],
        text: &[u8],
        (before, after): (&CodeFile<'_>, &CodeFile<'_>),
    ) -> bool {
        let above = before.bytes[..before.end(self.old.start)].last();
        // A comment that becomes code is added like a line.
        let is_added =
            before.is_blank(self.old) && above.is_some_and(|byte| b",([{".contains(byte));
        let text = text.trim_ascii();
        let last_line = memchr::memrchr(b'\n', text).map_or(text, |at| text[at + 1..].trim_ascii());
        let is_attribute = last_line.starts_with(b"#[") || last_line.starts_with(b"@");
        let (end, start) = (after.end(self.new.end), after.start(self.new.end));
        let between = after.bytes.get(end..start).unwrap_or_default();
        let is_alike = !between.is_empty()
            && text.first() == element.first()
            && matches!(text.first(), Some(b'(' | b'['))
            && text.contains(&b',')
            && element.contains(&b',');
        // In a macro of Rust, where nothing has to follow a block.
        let is_block = text.ends_with(b"}")
            && (above == Some(&b'{') || memchr::memmem::find(text, b"=>").is_some());
        let are_texts = is_text(text) && is_text(element);
        is_added
            && !is_attribute
            && !is_block
            && !are_texts
            && (between.contains(&b'\n') || is_alike)
    }

    /// Says whether a text may be meant to be longer: where nothing but more of it can follow, as after a keyword; where a blank is at
    /// the seam; and where content without a comma goes on with an argument, or with one that is written in several parts.
    fn goes_on_with(&self, element: &[u8], before: &CodeFile<'_>, after: &CodeFile<'_>) -> bool {
        let [head @ .., b'"' | b'\''] = element else {
            return false;
        };
        let code = after
            .bytes
            .get(self.new.start..after.end(self.new.end))
            .unwrap_or_default();
        let element_start = before.end(self.old.start) - element.len();
        let named = before
            .end(element_start)
            .checked_sub(1)
            .and_then(|last| before.bytes.get(last));
        let named = matches!(named, Some(b'=' | b':'));
        let begun = code.trim_ascii_start();
        let quote = begun.iter().position(|byte| matches!(byte, b'"' | b'\''));
        let ends_item = code.ends_with(b",");
        let is_seam = quote.is_some_and(|at| begun.get(at + 1) == Some(&b' '))
            || !ends_item && head.ends_with(b" ");
        let is_last_argument = after.bytes.get(after.start(self.new.end)) == Some(&b')');
        named || is_seam || !ends_item && (is_in_parts(element) || is_last_argument)
    }
}

/// A file, with its comments in file order.
struct CodeFile<'b> {
    bytes: &'b [u8],
    comments: Vec<Span>,
}

impl CodeFile<'_> {
    /// Returns where the code before `offset` ends, without blanks and comments between.
    fn end(&self, mut offset: usize) -> usize {
        loop {
            offset = self.bytes[..offset].trim_ascii_end().len();
            let next = self
                .comments
                .partition_point(|comment| comment.start < offset);
            let comment = next.checked_sub(1).and_then(|at| self.comments.get(at));
            match comment.filter(|comment| comment.end >= offset) {
                Some(comment) => offset = comment.start,
                None => return offset,
            }
        }
    }

    /// Says whether there is no code in `span`.
    fn is_blank(&self, span: Span) -> bool {
        self.start(span.start) >= span.end
    }

    /// Returns where the code after `offset` begins, without blanks and comments between.
    fn start(&self, mut offset: usize) -> usize {
        loop {
            let rest = &self.bytes[offset..];
            offset += rest.len() - rest.trim_ascii_start().len();
            let at = self
                .comments
                .partition_point(|comment| comment.start < offset);
            match self
                .comments
                .get(at)
                .filter(|comment| comment.start == offset && !comment.is_empty())
            {
                Some(comment) => offset = comment.end,
                None => return offset,
            }
        }
    }
}

fn is_value(text: &[u8]) -> bool {
    // `a!!` of Kotlin, too.
    text.ends_with(b"!!")
        || text
            .last()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_)]}\"'`".contains(byte))
}

fn is_text(text: &[u8]) -> bool {
    text.last().is_some_and(|byte| matches!(byte, b'"' | b'\''))
}

/// Says whether code begins with a text of Python.
fn begins_text(code: &[u8]) -> bool {
    let prefix = code
        .iter()
        .take_while(|byte| b"rRbBfFuUtT".contains(byte))
        .count();
    prefix <= 2 && matches!(code.get(prefix), Some(b'"' | b'\''))
}

/// Says whether a text is written in several parts, one below the other.
fn is_in_parts(element: &[u8]) -> bool {
    [&b"\"\n"[..], b"'\n"]
        .iter()
        .any(|seam| memchr::memmem::find(element, seam).is_some())
}

/// Says whether `text` ends with a word that wants another operand.
fn ends_with_operator(text: &[u8]) -> bool {
    const OPERATORS: [&[u8]; 19] = [
        b"as",
        b"delete",
        b"keyof",
        b"lambda",
        b"void",
        b"yield",
        b"and",
        b"or",
        b"not",
        b"in",
        b"is",
        b"if",
        b"else",
        b"for",
        b"await",
        b"new",
        b"typeof",
        b"return",
        b"instanceof",
    ];
    let word = text
        .iter()
        .rposition(|byte| !byte.is_ascii_alphabetic())
        .map_or(0, |at| at + 1);
    OPERATORS.contains(&&text[word..])
}

/// Says whether `text` begins as an element with a name does, rather than with what goes on.
fn begins_element(text: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let begins_name = |text: &[u8]| text.first().is_some_and(is_of_name);
    match text {
        // A member that is meant without its owner; a symbol of Ruby.
        [b'.', rest @ ..] => begins_name(rest) || rest.starts_with(b"{"),
        [b':' | b'@' | b'$', rest @ ..] => begins_name(rest),
        _ => {
            let length = text.iter().take_while(|byte| is_of_name(byte)).count();
            let (word, rest) = text.split_at(length);
            // `a to b` may stand below what `to` goes on with, and so may a word that nobody here knows.
            let is_infix = rest.first() == Some(&b' ')
                && rest.get(1).is_some_and(|next| {
                    is_of_name(next) || matches!(next, b'"' | b'\'' | b'(' | b'[' | b'{')
                });
            length > 0 && !is_infix && !WORDS_BETWEEN.contains(&word)
        }
    }
}

/// Says whether `text`, below `element`, begins as an element of its own: with a `.` only where that does, too.
fn begins_element_below(text: &[u8], element: &[u8]) -> bool {
    begins_element(text) && (!text.starts_with(b".") || element.starts_with(b"."))
}

/// Says whether the last line of `text` is for what comes below it: an annotation, or words before a type or a parameter.
fn ends_with_modifier(text: &[u8]) -> bool {
    let line = text.rsplit(|&byte| byte == b'\n').next();
    let line = line.unwrap_or_default().trim_ascii();
    line.starts_with(b"@")
        || line.starts_with(b"#[")
        || line.starts_with(b"[")
        || line.starts_with(b"<")
        || MODIFIERS.contains(
            &line
                .rsplit(|byte| !byte.is_ascii_lowercase())
                .next()
                .unwrap_or_default(),
        )
}

/// Words that go on with what is above them.
const WORDS_BETWEEN: [&[u8]; 30] = [
    b"and",
    b"or",
    b"xor",
    b"in",
    b"is",
    b"not",
    b"as",
    b"if",
    b"else",
    b"for",
    b"while",
    b"unless",
    b"until",
    b"do",
    b"to",
    b"downTo",
    b"step",
    b"shl",
    b"shr",
    b"ushr",
    b"instanceof",
    b"catch",
    b"orelse",
    b"rescue",
    b"where",
    b"when",
    b"then",
    b"from",
    b"with",
    b"end",
];

/// Words before a type or a parameter.
const MODIFIERS: [&[u8]; 16] = [
    b"const",
    b"final",
    b"unsigned",
    b"signed",
    b"struct",
    b"enum",
    b"async",
    b"inout",
    b"ref",
    b"out",
    b"mut",
    b"var",
    b"val",
    b"vararg",
    b"implicit",
    b"static",
];

/// Says whether `text` begins as what may be an element, and may be read as an index, a call, more of a text, or an operand.
fn may_go_on(text: &[u8]) -> bool {
    let signed = |rest: &[u8]| rest.first().is_some_and(|byte| !byte.is_ascii_whitespace());
    match text {
        // A table of Lua, a closure of Swift: what it stands behind is called with it.
        [b'[' | b'(' | b'{' | b'`' | b'"' | b'\'', ..] => true,
        [b'-' | b'+' | b'*', rest @ ..] => signed(rest),
        // In Rust a reference, a closure, and what is left of a struct.
        [b'&' | b'|', rest @ ..] => signed(rest) && !matches!(rest, [b'&' | b'|' | b'=', ..]),
        [b'.', b'.', rest @ ..] => !matches!(rest, [b'.' | b'=', ..]),
        // `f"…"`, `rb'…'`
        _ => {
            let letters = text
                .iter()
                .take_while(|byte| byte.is_ascii_alphabetic())
                .count();
            (1..=2).contains(&letters) && matches!(text.get(letters), Some(b'"' | b'\'' | b'`'))
        }
    }
}
