//! Elements of lists, and arguments, beside an edit that puts something on lines of its own below or above them: without the comma
//! that parts them two are one.
//!
//! Example: of `"beta"⏎"gamma",` Python makes one string, and of `["b", 2]⏎["c", 3],` JavaScript an index.
//!
//! Known limits: what begins with an operator, or with its words, is meant to go on; and a text that is an argument may.

use super::{Changed, Guard};
use crate::text::splice::Splices;
use crate::text::{Span, is_blank};

/// What a splice changes, without the whole lines that it gives as it took them.
struct Change {
    old: Span,
    new: Span,
}

/// Returns the elements of the old file beside the edit that are none in the new one; `elements` finds those of a file.
pub(super) fn joined(
    guard: &Guard,
    splices: &Splices,
    (old, new): (&[u8], &[u8]),
    elements: impl Fn(bool) -> Vec<Span>,
) -> Option<Changed> {
    let pairs = splices.with_new_spans();
    let changes = pairs.map(|(splice, written)| Change::of(splice.span, written, (old, new)));
    let changes: Vec<Change> = changes.collect();
    if !changes.iter().any(|change| change.may_join_above(old, new) || change.may_join_below(old, new)) {
        return None;
    }
    let (before, after) = (elements(false), elements(true));
    // What another operation changes is not beside the edit.
    let is_changed = |element: &Span| changes.iter().any(|change| change.old.overlaps(*element));
    let is_lost = |element: &Span, start: usize| {
        !is_changed(element) && after.binary_search(&Span::new(start, start + element.len())).is_err()
    };
    let may_join = |change: &&Change| change.may_join_above(old, new) || change.may_join_below(old, new);
    changes.iter().filter(may_join).find_map(|change| {
        let above = before.iter().rfind(|element| element.end == end_of_code(&old[..change.old.start]));
        let above = above.filter(|_| change.may_join_above(old, new)).filter(|element| {
            let start = element.start + change.new.start - change.old.start;
            is_lost(element, start) && !change.may_go_on_with(element.of(old), old, new)
        });
        let rest = change.old.end + start_of_code(&old[change.old.end..]);
        let below = before.iter().find(|element| element.start == rest).filter(|_| change.may_join_below(old, new));
        let below = below.filter(|element| is_lost(element, element.start + change.new.end - change.old.end));
        above.or(below).map(|element| Changed::Joined(*element, guard.moves.behind(element.start)))
    })
}

impl Change {
    fn of(taken: Span, written: Span, (old, new): (&[u8], &[u8])) -> Change {
        let lines = |text: &'_ [u8]| text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::len).collect::<Vec<_>>();
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
            if !is_left || was[was.len() - behind - length..] != now[now.len() - behind - length..] {
                break;
            }
            behind += length;
        }
        Change {
            old: Span::new(taken.start + ahead, taken.end - behind),
            new: Span::new(written.start + ahead, written.end - behind),
        }
    }

    /// Says whether what is written begins a line and may be read as a part of what ends above it.
    fn may_join_above(&self, old: &[u8], new: &[u8]) -> bool {
        let text = self.new.of(new);
        let first = text.iter().position(|byte| !byte.is_ascii_whitespace());
        let Some(first) = first.map(|at| &text[at..]) else { return false };
        let begins_line = {
            let ahead = &new[..self.new.end - first.len()];
            let line = memchr::memrchr(b'\n', ahead).map_or(0, |at| at + 1);
            line > 0 && is_blank(&ahead[line..])
        };
        let ends = old.get(end_of_code(&old[..self.old.start]).wrapping_sub(1));
        let is_value = ends.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_)]}\"'`".contains(byte));
        begins_line && is_value && may_go_on(first)
    }

    /// Says whether a comma goes that parts what is taken from what begins on a line below.
    fn may_join_below(&self, old: &[u8], new: &[u8]) -> bool {
        let last = |text: &[u8]| text.get(end_of_code(text).wrapping_sub(1)).copied();
        let (was, now) = (self.old.of(old), self.new.of(new));
        let parts = last(was) == Some(b',') && !is_blank(now) && last(now) != Some(b',');
        let below = self.old.end + start_of_code(&old[self.old.end..]);
        parts && memchr::memchr(b'\n', &old[end_of_code(&old[..self.old.end])..below]).is_some()
    }

    /// Says whether a text may be meant to be longer: where nothing but more of it can follow, as after a keyword; where a blank is at
    /// the seam; and where content without a comma goes on with an argument, or with one that is written in several parts.
    fn may_go_on_with(&self, element: &[u8], old: &[u8], new: &[u8]) -> bool {
        let [head @ .., b'"' | b'\''] = element else { return false };
        let text = self.new.of(new);
        let code = &text[..end_of_code(text)];
        let ahead = &old[..end_of_code(&old[..self.old.start]) - element.len()];
        let named = matches!(ahead.get(end_of_code(ahead).wrapping_sub(1)), Some(b'=' | b':'));
        let begun = code.trim_ascii_start();
        let quote = begun.iter().position(|byte| matches!(byte, b'"' | b'\''));
        let is_seam = head.ends_with(b" ") || quote.is_some_and(|at| begun.get(at + 1) == Some(&b' '));
        let is_in_parts = [&b"\"\n"[..], b"'\n"].iter().any(|seam| memchr::memmem::find(element, seam).is_some());
        let rest = &new[self.new.end..];
        let is_last_argument = rest.get(start_of_code(rest)) == Some(&b')');
        named || is_seam || !code.ends_with(b",") && (is_in_parts || is_last_argument)
    }
}

/// Says whether `text` begins as what may be an element, and may be read as an index, a call, more of a text, or an operand.
fn may_go_on(text: &[u8]) -> bool {
    let signed = |rest: &[u8]| rest.first().is_some_and(|byte| !byte.is_ascii_whitespace());
    match text {
        [b'[' | b'(' | b'`' | b'"' | b'\'', ..] => true,
        [b'-' | b'+' | b'*', rest @ ..] => signed(rest),
        // `f"…"`, `rb'…'`
        _ => {
            let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            (1..=2).contains(&letters) && matches!(text.get(letters), Some(b'"' | b'\'' | b'`'))
        }
    }
}

/// Returns where the code of `text` ends, without blanks and comments of one line at its end.
fn end_of_code(text: &[u8]) -> usize {
    let mut end = text.trim_ascii_end().len();
    while end > 0 {
        let line = memchr::memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
        let marks = ["#", "//"].map(|mark| memchr::memmem::find(&text[line..end], format!(" {mark} ").as_bytes()));
        let trimmed = text[line..end].trim_ascii_start();
        let is_comment = trimmed.starts_with(b"#") || trimmed.starts_with(b"//");
        let comment = marks.into_iter().flatten().min().or(is_comment.then_some(0));
        let Some(at) = comment else { break };
        end = text[..line + at].trim_ascii_end().len();
    }
    end
}

/// Returns where the code of `text` begins, after blanks and comments of one line.
fn start_of_code(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_ascii_start().len();
        if !(text[at..].starts_with(b"#") || text[at..].starts_with(b"//")) {
            return at;
        }
        at += memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at);
    }
}
