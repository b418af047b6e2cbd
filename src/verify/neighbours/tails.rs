//! Tails: what remains of a construct whose first line is quoted stays with that. Content that repeats the line and begins another
//! construct further down would give it the remaining lines: the `else:` of one `if` to another, a method to the next class, the keys
//! of one item to the item below it.
//!
//! A quoted line may say something else afterwards, and lines that were quoted with it may go over to a new construct, with all that
//! remains below them.
//!
//! Known limits: a construct is known again by its first line, or, where that changes, by one much like it. Tables and lists of
//! Markdown are none, elements only where they end in the quotation (see `reopened`).

use super::beside::ends_in_clause;
use super::changed::ChangedStatement;
use super::falls;
use super::guard::Guard;
use super::prefix::head;
use crate::resolve::Document;
use crate::syntax::{SegmentKind, Statement, Symbol};
use crate::text::{Span, diff};

/// A first line that has so many of the words of another may be that, changed.
const LEAST_ALIKE: f64 = 0.6;

/// So many constructs of some content are compared.
pub(super) const MOST_COMPARED: usize = 200;

/// What begins with a line of its own, and may end further down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Construct {
    pub(super) span: Span,
    pub(super) sort: TailKind,
}

/// What sort of construct it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TailKind {
    Statement(u16),
    Segment(SegmentKind, u8),
    Item,
}

impl Construct {
    /// Returns those of the statements of `bytes`. A block in braces belongs to what comes before it.
    pub(super) fn of_statements(statements: &[Statement], bytes: &[u8]) -> Vec<Construct> {
        let has_words = |it: &&Statement| bytes.get(it.span.start) != Some(&b'{');
        let statements = statements.iter().filter(has_words);
        statements
            .map(|it| Construct {
                span: it.span,
                sort: TailKind::Statement(it.kind),
            })
            .collect()
    }

    /// Returns the segments of a file in the order in which they begin.
    pub(super) fn of_segments(document: &Document) -> Vec<Construct> {
        let mut found = Vec::new();
        add_segments(&document.outline().symbols, &mut found);
        found.sort_by_key(|it| (it.span.start, std::cmp::Reverse(it.span.end)));
        found
    }

    /// Returns the items of `spans`, which are in the order in which they begin.
    pub(super) fn of_items(spans: &[Span]) -> Vec<Construct> {
        spans
            .iter()
            .map(|&span| Construct {
                span,
                sort: TailKind::Item,
            })
            .collect()
    }

    /// Returns its first line.
    pub(super) fn header(self, bytes: &[u8]) -> &[u8] {
        self.first_line(bytes).of(bytes)
    }

    /// Returns where its first line is, without blanks at the end.
    fn first_line(self, bytes: &[u8]) -> Span {
        let rest = bytes.get(self.span.start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default().trim_ascii_end();
        let blanks = line.len() - line.trim_ascii_start().len();
        Span::new(self.span.start + blanks, self.span.start + line.len())
    }

    /// Returns what of its first line comes before `end`: all that is quoted of it.
    fn header_to(self, end: usize, bytes: &[u8]) -> &[u8] {
        let header = self.header(bytes);
        header
            .get(..end.saturating_sub(self.span.start))
            .unwrap_or(header)
            .trim_ascii_end()
    }

    /// Says whether its first line tells it from others, unlike `try:` or `{`.
    fn is_telling(self, bytes: &[u8]) -> bool {
        words(self.header(bytes)).len() > 1
    }

    /// Returns what of its lines below the first comes before `end`.
    pub(super) fn lines_to(self, end: usize, bytes: &[u8]) -> Vec<&[u8]> {
        let text = bytes
            .get(self.span.start..end.min(self.span.end).max(self.span.start))
            .unwrap_or_default();
        lines(text).skip(1).collect()
    }
}

fn add_segments(symbols: &[Symbol], found: &mut Vec<Construct>) {
    for symbol in symbols {
        let sort = match symbol.kind {
            SegmentKind::Key if symbol.name.starts_with('[') => TailKind::Item,
            kind => TailKind::Segment(kind, symbol.level),
        };
        found.push(Construct {
            span: symbol.definition,
            sort,
        });
        add_segments(&symbol.children, found);
    }
}

/// Returns the constructs, of `before`, whose first line a splice takes and gives again, and whose remaining lines another one in
/// its content would have.
pub(super) fn passed_on(
    guard: &Guard,
    (before, old): (&[Construct], &[u8]),
    (after, new): (&[Construct], &[u8]),
) -> Vec<ChangedStatement> {
    let mut found = Vec::new();
    for (was, now) in guard.sides.strokes() {
        let mut cut = crossing(before, was.span, old);
        let mut heirs = crossing(after, now.span, new);
        // What the content ends with as the quotation does begins again what began there.
        let shared = lines_shared(was.span.of(old), now.span.of(new));
        cut.retain(|one| one.span.start + shared < was.span.end);
        heirs.retain(|heir| heir.span.start + shared < now.span.end);
        if cut.is_empty() || heirs.is_empty() {
            continue;
        }
        // Who quotes the first line of a clause may make a statement of it.
        let last = lines(now.span.of(new)).last();
        let is_last = |heir: &Construct| last == Some(heir.header(new));
        if ends_in_clause(was.span.of(old)) && heirs.iter().any(is_last) {
            continue;
        }

        let (quoted, came) = (
            beginning_in(before, was.span),
            beginning_in(after, now.span),
        );
        let ends = (was.span.end, now.span.end);
        let is_kept = |one: &Construct| {
            one.is_telling(old)
                && heirs
                    .iter()
                    .any(|it| is_same_line(it.header(new), one.header(old)))
        };
        let again: Vec<Option<Construct>> = cut
            .iter()
            .map(|one| {
                if is_kept(one) {
                    None
                } else {
                    again(*one, quoted, came, ends, (old, new))
                }
            })
            .collect();
        let is_known =
            |heir: &&Construct| !again.iter().flatten().any(|known| known.span == heir.span);
        let strange: Vec<&Construct> = heirs.iter().filter(is_known).collect();
        let left = |one: &Construct| {
            let kept = heirs
                .iter()
                .find(|it| it.header(new) == one.header(old) && it.sort == one.sort)?;
            let strange = strange.iter().map(|heir| **heir);
            left_over(guard, *one, *kept, strange, (old, new))
        };
        found.extend(
            cut.iter()
                .filter(|it| guard.offside && is_kept(it))
                .find_map(left),
        );
        let bared = |one: &Construct| {
            let heir = bared(*one, (&heirs, came), quoted, (old, new))?;
            Some(ChangedStatement::PassedOn(one.span, heir.span.start))
        };
        let bared = cut.iter().filter(|it| !is_kept(it)).find_map(bared);
        if let Some(bared) = bared {
            found.push(bared);
            continue;
        }
        for (one, known) in cut.iter().zip(&again) {
            let Some(known) =
                known.filter(|known| !heirs.iter().any(|heir| heir.span == known.span))
            else {
                continue;
            };
            let Some(heir) = strange
                .iter()
                .find(|heir| heir.span.start > known.span.start)
                .or(strange.last())
            else {
                continue;
            };
            let is_meant = is_carried(*one, was.span.end, (known, came), now.span, (old, new))
                || guard.falls_through
                    && falls::is_shared(known.first_line(new), heir.span.start, new)
                || is_released((*one, old), (**heir, new))
                || is_reworded((*one, old), (known, **heir, new), now.span.end);
            if !is_meant {
                found.push(ChangedStatement::PassedOn(one.span, heir.span.start));
                break;
            }
        }
    }
    found
}

/// Returns what `one` is now, by its name, without words that it was declared with, such as `static`, or a base of its class: a new one
/// above it has them.
fn bared(
    one: Construct,
    (heirs, came): (&[Construct], &[Construct]),
    quoted: &[Construct],
    (old, new): (&[u8], &[u8]),
) -> Option<Construct> {
    let header = one.header(old);
    let name = words(head(header)).pop()?;
    let is_one =
        |it: &&Construct| it.sort == one.sort && words(head(it.header(new))).last() == Some(&name);
    let heir = heirs.iter().find(is_one)?;
    let kept = declared(heir.header(new));
    // What is declared with the new one has that by way of it.
    let has_by_way = |other: &[u8]| kept.contains(&other);
    let mut lost = declared(header);
    lost.retain(|word| !kept.contains(word));
    let is_new = |it: &&Construct| {
        it.sort == one.sort
            && it.span.start < heir.span.start
            && !quoted.iter().any(|was| was.header(old) == it.header(new))
    };
    let has_lost = |it: &Construct| {
        let own = words(head(it.header(new))).pop();
        let declared = declared(it.header(new));
        !own.is_some_and(has_by_way)
            && lost
                .iter()
                .all(|word| declared.contains(word) && own != Some(word))
    };
    let is_taken = !lost.is_empty() && came.iter().filter(is_new).any(has_lost);
    is_taken.then_some(*heir)
}

/// Returns the words that a first line declares something with: those up to its name, and of a class its bases.
fn declared(header: &[u8]) -> Vec<&[u8]> {
    let up_to_name = head(header);
    if up_to_name.starts_with(b"class ") {
        words(header)
    } else {
        words(up_to_name)
    }
}

/// Returns `one` where `kept`, which is that in the new file, still ends below the content, but above what was the last of its lines, and one of
/// `heirs` around it has those.
///
/// Example: `for x in y:` goes into `with lock:`, and the call in which the quotation ends is all that remains in it.
fn left_over(
    guard: &Guard,
    one: Construct,
    kept: Construct,
    heirs: impl Iterator<Item = Construct>,
    (old, new): (&[u8], &[u8]),
) -> Option<ChangedStatement> {
    let end = guard.moves.before(one.span.end);
    let rest = new.get(kept.span.end..end.max(kept.span.end))?;
    let is_around = |heir: &Construct| heir.span.start < kept.span.start && heir.span.end >= end;
    let mut around = heirs.filter(is_around);
    let last_line = lines(one.span.of(old)).last()?;
    let heir = around.next()?;
    let is_left = lines(rest).last() == Some(last_line);
    is_left.then_some(ChangedStatement::PassedOn(one.span, heir.span.start))
}

/// Returns the items, of `before`, that a splice gives another beginning, and whose remaining lines are in nothing that begins there: those
/// below a marker that is wider than before are not deep enough for it.
pub(super) fn dropped(
    guard: &Guard,
    (before, old): (&[Construct], &[u8]),
    (after, new): (&[Construct], &[u8]),
) -> Vec<ChangedStatement> {
    let quoting = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    let found = quoting.filter_map(|(was, now)| {
        let cut = crossing(before, was.span, old);
        if cut.is_empty() {
            return None;
        }
        let (quoted, came) = (
            beginning_in(before, was.span),
            beginning_in(after, now.span),
        );
        let ends = (was.span.end, now.span.end);
        cut.into_iter().find_map(|one| {
            let known = match (quoted, came) {
                ([_], [alone]) => *alone,
                _ => again(one, quoted, came, ends, (old, new))?,
            };
            // What of its lines is beside the edit, and below what it still has.
            let kept = known.span.end.saturating_sub(now.span.end);
            let rest = guard.sides.old.gap_after(was.span.end, one.span.end);
            let rest = Span::new((rest.start + kept).min(rest.end), rest.end);
            let text = rest.of(old).trim_ascii_start();
            let (first, last) = (
                rest.end - text.len(),
                rest.end - text.len() + text.trim_ascii_end().len(),
            );
            let moved = |offset: usize| now.span.end + (offset - was.span.end);
            // What another item has is passed on.
            let is_in_one = came
                .iter()
                .any(|it| it.span != known.span && it.span.end > moved(first));
            let is_lost = first < last && !is_in_one;
            is_lost.then(|| ChangedStatement::Lost(Span::new(first, last), moved(first)))
        })
    });
    found.take(1).collect()
}

/// Returns the items, of `before`, whose first line a splice takes without beginning another, and whose remaining lines one beside the
/// splice would have. Who takes the last lines of that one along joins the two.
pub(super) fn orphaned(
    guard: &Guard,
    (before, old): (&[Construct], &[u8]),
    after: &[Construct],
) -> Option<ChangedStatement> {
    let quoting = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    quoting.into_iter().find_map(|(was, now)| {
        let cut = crossing(before, was.span, old);
        cut.into_iter().find_map(|one| {
            let rest = guard.sides.old.gap_after(was.span.end, one.span.end);
            let text = rest.of(old).trim_ascii_start();
            if text.is_empty() {
                return None;
            }
            let first = now.span.end + (rest.len() - text.len());
            let begun = after.partition_point(|it| it.span.start < first);
            let holders = after.get(..begun).unwrap_or_default().iter();
            let heir = holders.rev().find(|it| it.span.end > first)?;
            let is_above = |it: &&Construct| {
                it.span.end <= was.span.start && guard.moves.after(it.span.start) == heir.span.start
            };
            let is_beside =
                heir.span.start < now.span.start && before.iter().any(|it| is_above(&it));
            is_beside.then_some(ChangedStatement::PassedOn(one.span, heir.span.start))
        })
    })
}

/// Returns how many bytes the lines take that both end with.
pub(super) fn lines_shared(one: &[u8], other: &[u8]) -> usize {
    let mut both = one.iter().rev().zip(other.iter().rev());
    let same = both.position(|(a, b)| a != b);
    let same = same.unwrap_or(one.len().min(other.len()));
    let is_whole = |length: usize| {
        let begins = |text: &[u8]| text.len() == length || text[text.len() - length - 1] == b'\n';
        begins(one) && begins(other)
    };
    (0..=same)
        .rev()
        .find(|length| is_whole(*length))
        .unwrap_or(0)
}

/// Returns the constructs that begin in `span`.
pub(super) fn beginning_in(constructs: &[Construct], span: Span) -> &[Construct] {
    let from = constructs.partition_point(|it| it.span.start < span.start);
    let to = constructs.partition_point(|it| it.span.start < span.end);
    constructs.get(from..to).unwrap_or_default()
}

/// Returns those that begin in `span`, and have words after its end.
pub(super) fn crossing(constructs: &[Construct], span: Span, bytes: &[u8]) -> Vec<Construct> {
    let has_more = |it: &&Construct| {
        let rest = bytes
            .get(span.end..it.span.end.max(span.end))
            .unwrap_or_default();
        rest.iter()
            .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    };
    beginning_in(constructs, span)
        .iter()
        .filter(has_more)
        .take(MOST_COMPARED)
        .copied()
        .collect()
}

/// Returns the one of `came` that `one`, one of those `quoted`, is now: that with its first line, or with what of
/// that comes before parameters and values, else that of its sort with most of the words of that; of several, the one with most of the lines below it; of those, the one whose turn
/// it is, or the last one where both the quotation and the content end with that line.
fn again(
    one: Construct,
    quoted: &[Construct],
    came: &[Construct],
    (end, new_end): (usize, usize),
    (old, new): (&[u8], &[u8]),
) -> Option<Construct> {
    let (header, quoted_of_it) = (one.header(old), one.header_to(end, old));
    let own_head = head(header);
    let is_named = words(own_head).len() > 1 && header.get(own_head.len()) == Some(&b'(');
    let has_header = |it: &&Construct| {
        [header, quoted_of_it].contains(&it.header(new)) || is_same_line(it.header(new), header)
    };
    let has_head = |it: &&Construct| is_named && head(it.header(new)) == own_head;
    let of_sort = |it: &&Construct| it.sort == one.sort;
    // What has no block has nothing of one that had.
    let opener = |header: &[u8]| header.last().copied().filter(|last| b"{([:".contains(last));
    let has_block = |it: &&Construct| opener(it.header(new)) == opener(header);
    let opening: Vec<Construct> = came.iter().filter(has_block).copied().collect();
    let came = if opening.is_empty() || opener(header).is_none() {
        came
    } else {
        &opening[..]
    };
    let mut like: Vec<Construct> = came.iter().filter(has_header).copied().collect();
    if like.is_empty() {
        like = came.iter().filter(has_head).copied().collect();
    }
    if let [alone] = like[..] {
        return Some(alone);
    }
    let least = if like.is_empty() { LEAST_ALIKE } else { 0.0 };
    if like.is_empty() {
        like = came
            .iter()
            .filter(of_sort)
            .take(MOST_COMPARED)
            .copied()
            .collect();
    }
    let mut alike: Vec<(f64, Construct)> = like
        .into_iter()
        .map(|it| (words_kept(header, it.header(new)), it))
        .collect();
    let most = alike.iter().map(|(alike, _)| *alike).fold(least, f64::max);
    alike.retain(|(alike, _)| *alike >= most);

    let below = one.lines_to(end, old);
    let body = |it: Construct| {
        let written = it.lines_to(new_end, new);
        let written = &written[..written.len().min(below.len())];
        diff::similarity(&joined(&below), &joined(written))
    };
    let scored: Vec<(f64, Construct)> = alike.into_iter().map(|(_, it)| (body(it), it)).collect();
    let best = scored.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    let ties: Vec<Construct> = scored
        .into_iter()
        .filter(|(score, _)| *score >= best)
        .map(|(_, it)| it)
        .collect();
    let is_ahead = |it: &&Construct| it.span.start < one.span.start && it.sort == one.sort;
    let ahead = quoted.iter().take(MOST_COMPARED).filter(is_ahead);
    let turn = ahead
        .filter(|it| words_kept(header, it.header(old)) >= most)
        .count();
    // Both end with their first line.
    let is_last = |it: &Construct| below.is_empty() && it.lines_to(new_end, new).is_empty();
    ties.last()
        .filter(|it| turn == 0 && is_last(it))
        .or(ties.get(turn))
        .or(ties.last())
        .copied()
}

/// Says whether two lines are the same, or would be if neither had its number: `2. Two`, `## 3. Two`.
fn is_same_line(one: &[u8], other: &[u8]) -> bool {
    one == other || unnumbered(one).is_some_and(|words| unnumbered(other) == Some(words))
}

/// Returns what a line that begins with a number says after that.
fn unnumbered(line: &[u8]) -> Option<&[u8]> {
    let text = line.trim_ascii_start();
    let text = text[text.iter().take_while(|&&byte| byte == b'#').count()..].trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = text.get(digits..).filter(|_| digits > 0)?;
    let words = rest
        .strip_prefix(b". ")
        .or_else(|| rest.strip_prefix(b") "))?;
    Some(words.trim_ascii()).filter(|words| !words.is_empty())
}

/// Says whether the quoted lines below the first one of `one` end the content too, and are not what begins the body of `known`:
/// they went over to another with all that is below them.
fn is_carried(
    one: Construct,
    end: usize,
    (known, came): (Construct, &[Construct]),
    content: Span,
    (old, new): (&[u8], &[u8]),
) -> bool {
    let quoted = one.lines_to(end, old);
    let written: Vec<&[u8]> = lines(content.of(new)).collect();
    // Comments after the last of its statements are below it too.
    let below = Span::new(known.span.start, known.span.end.max(content.end));
    let next = came.iter().map(|it| it.span.start);
    let next = next.filter(|start| *start >= known.span.end).min();
    let known = Construct {
        span: Span::new(
            below.start,
            next.map_or(below.end, |start| start.min(below.end)),
        ),
        ..known
    };
    !quoted.is_empty()
        && written.ends_with(&quoted)
        && !known.lines_to(content.end, new).starts_with(&quoted)
}

/// Says whether a statement has another header, `heir`, and what looks like it, `known`, is one of several in it: that ends there, and lacks
/// some of its words.
fn is_reworded(
    (one, old): (Construct, &[u8]),
    (known, heir, new): (Construct, Construct, &[u8]),
    end: usize,
) -> bool {
    heir.sort == one.sort
        && matches!(one.sort, TailKind::Statement(_))
        && heir.span.start < known.span.start
        && known.span.end <= end
        && words_kept(one.header(old), known.header(new)) < 1.0
}

/// What a changelog calls changes that no release has yet, besides `Unreleased`.
const UPCOMING: [&str; 14] = [
    "coming soon",
    "current",
    "dev",
    "develop",
    "development",
    "head",
    "in progress",
    "main",
    "master",
    "next",
    "pending",
    "tbd",
    "upcoming",
    "vnext",
];

/// Says whether it is what a changelog tells of changes that no release has yet, and a heading below takes them all: of another name than
/// `Unreleased` where that is a version.
fn is_released((one, old): (Construct, &[u8]), (heir, new): (Construct, &[u8])) -> bool {
    if !matches!(one.sort, TailKind::Segment(SegmentKind::Section, _)) {
        return false;
    }
    let header = String::from_utf8_lossy(one.header(old)).to_lowercase();
    if header.contains("unreleased") {
        return true;
    }
    let is_frame =
        |c: char| c.is_whitespace() || matches!(c, '#' | '[' | ']' | '=' | '-' | '(' | ')');
    let words = header.trim_matches(is_frame);
    let words = words
        .strip_suffix(" release")
        .or(words.strip_suffix(" version"))
        .unwrap_or(words);
    let is_upcoming = UPCOMING.contains(&words)
        || ["-dev", ".dev0", "-snapshot", ".x"]
            .iter()
            .any(|end| words.ends_with(end))
        || words == "x.y.z";
    let heir = heir.header(new);
    let is_version = heir
        .windows(3)
        .any(|it| it[0].is_ascii_digit() && it[1] == b'.' && it[2].is_ascii_digit());
    is_upcoming && is_version
}

/// Returns how many of the words of `header` are in `other`, from 0 to 1.
pub(super) fn words_kept(header: &[u8], other: &[u8]) -> f64 {
    let (own, others) = (words(header), words(other));
    let kept = own.iter().filter(|word| others.contains(word)).count();
    if own.is_empty() {
        1.0
    } else {
        kept as f64 / own.len() as f64
    }
}

pub(super) fn words(line: &[u8]) -> Vec<&[u8]> {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    line.split(|byte| !is_of_word(byte))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns lines as one text, without the comma at the end of each.
fn joined(lines: &[&[u8]]) -> Vec<u8> {
    let bare: Vec<&[u8]> = lines
        .iter()
        .map(|line| line.strip_suffix(b",").unwrap_or(line))
        .collect();
    bare.join(&b'\n')
}

/// Returns the lines of `text` that are not blank, without their indentation.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
}
