//! Templates: a file whose tags could be read can be read afterwards, so that no edit loses the end of a block or adds a
//! second one of its name; tags that the edit leaves alone belong together as before, whatever stands between them, and what stands there is in
//! the branches that it was in (`branches`); no tag is written
//! whose expression no engine takes; and a region keeps both its ends. What extends another template has a check of its own (`child`).

use std::collections::{BTreeSet, HashMap, HashSet};

use super::branches::{self, Cut, TagsAndText};
use super::child;
use super::edited_file::showing;
use super::tags_joined;
use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::plan::FileEdit;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::html::is_html;
use crate::syntax::jinja::{self, Broken, TagGroup, TemplatePiece, TemplatePieceKind};
use crate::syntax::markdown::is_markdown;
use crate::syntax::markdown::leaves::all_code;
use crate::syntax::regions;
use crate::text::splice::{Splice, Splices};
use crate::text::{Lines, Span, is_binary};

/// Returns a refusal when `after` is a template whose tags no longer pair, as those of `before` did, that has two blocks
/// of one name or an `else` that belongs to nothing, or in which tags beside the edit belong to others than before, or
/// what is beside it is in another branch.
pub fn check(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    if !jinja::is_template(&edit.path) {
        return None;
    }
    let Some(before) = before else {
        return begun(edit, &[], after);
    };
    if before.bytes == after.bytes || is_binary(&before.bytes) {
        return None;
    }
    // Pages with braces of other engines are none of ours.
    if !has_tags(&before.bytes) {
        return child::became(edit, &before.bytes, &after.bytes)
            .or_else(|| begun(edit, &before.bytes, after));
    }
    let blocks = jinja::blocks(&before.bytes).ok()?;
    let broken = match jinja::blocks(&after.bytes) {
        Err(broken) => Some(broken),
        Ok(_) if jinja::repeated(&blocks).is_some() => None,
        Ok(blocks) => jinja::repeated(&blocks).map(|block| Broken {
            offset: block.open.start,
            message: format!("there is a block `{}` already", block.name),
        }),
    };
    if let Some(broken) = broken {
        return Some(refusal(edit, &broken, after));
    }
    let broken = jinja::unpaired(&before.bytes, &after.bytes)
        .or_else(|| malformed(edit, &before.bytes, &after.bytes));
    if let Some(broken) = broken {
        return Some(refusal(edit, &broken, after));
    }
    if let Some((piece, now)) = edit
        .splices
        .as_ref()
        .and_then(|splices| misread(splices, &before.bytes, &after.bytes))
    {
        return Some(swallowed(edit, (piece, &before.bytes), now));
    }
    if let Some(refusal) = child::check(edit, &before.bytes, &after.bytes) {
        return Some(refusal);
    }
    let (old, new) = grouped(&before.bytes, &after.bytes)?;
    let misplaced = |groups: &[TagGroup]| groups.iter().find_map(|group| group.misplaced.clone());
    match misplaced(&new).filter(|_| misplaced(&old).is_none()) {
        Some(broken) => Some(refusal(edit, &broken, after)),
        None => regrouped(edit, (&old, &before.bytes), (&new, &after.bytes)),
    }
}

/// Returns a refusal when the actions of a template of Go or Handlebars, `{{ if .A }}` with its `{{ end }}`, no longer pair, or those beside the
/// edit belong to others than before, or what is beside it is in another branch; and the same of the tags of Jinja in a file of keys, of Markdown or
/// of SQL.
pub fn check_actions(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    let before = before.filter(|it| it.bytes != after.bytes && jinja::may_have_tags(&edit.path))?;
    let has = |braces: &[u8]| memchr::memmem::find(&before.bytes, braces).is_some();
    if is_binary(&before.bytes) {
        return None;
    }
    let old = (has(b"{{") && jinja::may_have_actions(&edit.path))
        .then(|| jinja::actions(&before.bytes).ok());
    if let Some(old) = old.flatten().filter(|groups| !groups.is_empty()) {
        return match jinja::actions(&after.bytes) {
            Err(broken) => Some(refusal(edit, &broken, after)),
            Ok(new) => regrouped(edit, (&old, &before.bytes), (&new, &after.bytes)),
        };
    }
    if !(has(b"{%") || has(b"{#")) || jinja::is_template(&edit.path) {
        return None;
    }
    // A page may show tags as code.
    let is_markdown = edit.language().is_some_and(is_markdown);
    let is_shown = |broken: &Broken| {
        let tag = Span::at(broken.offset);
        is_markdown && all_code(&after.bytes).iter().any(|code| code.contains(tag))
    };
    let is_tag = |piece: &TemplatePiece| {
        !matches!(
            piece.sort,
            TemplatePieceKind::Data | TemplatePieceKind::Expression
        )
    };
    let is_read = jinja::pieces(&before.bytes).is_ok_and(|pieces| pieces.iter().any(is_tag));
    if let Some(broken) = jinja::pieces(&after.bytes).err().filter(|_| is_read)
        && !is_shown(&broken)
    {
        return Some(refusal(edit, &broken, after));
    }
    let misread = |splices| misread(splices, &before.bytes, &after.bytes);
    if let Some((piece, now)) = edit.splices.as_ref().and_then(misread) {
        return Some(swallowed(edit, (piece, &before.bytes), now));
    }
    let halved = jinja::halved(&before.bytes, &after.bytes);
    if let Some(broken) = halved.filter(|broken| !is_shown(broken)) {
        return Some(refusal(edit, &broken, after));
    }
    let (old, new) = grouped(&before.bytes, &after.bytes)?;
    regrouped(edit, (&old, &before.bytes), (&new, &after.bytes))
}

/// Returns a refusal when the first tags of a file do not pair. A page may show tags in its text, and have braces of other engines;
/// what cannot be read at all, and is no page, may be TeX, where its name does not say that it is Jinja's.
fn begun(edit: &FileEdit, old: &[u8], after: &File) -> Option<Diagnostic> {
    let new = &after.bytes;
    let is_page = edit.language().is_some_and(is_html);
    let is_text = is_page && memchr::memmem::find(new, b"{%").is_none();
    let is_unread = !is_page && !jinja::is_of_jinja(&edit.path) && jinja::pieces(new).is_err();
    if is_binary(new) || !has_tags(new) || is_text || is_unread {
        return None;
    }
    let broken = match jinja::blocks(new) {
        Err(broken) => broken,
        Ok(_) => jinja::unpaired(old, new)?,
    };
    let is_shown = is_page && child::is_shown(new, Span::new(broken.offset, broken.offset));
    (!is_shown).then(|| refusal(edit, &broken, after))
}

/// Returns a refusal when tags beside the edit belong to others than before, or what is beside it is in another branch.
fn regrouped(edit: &FileEdit, old: TagsAndText, new: TagsAndText) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    if let Some((tag, now)) = parted(splices, old, new) {
        return Some(repaired(edit, (tag, old.1), now));
    }
    let cut =
        branches::cut(splices, old, new).or_else(|| tags_joined::joined(splices, old, new))?;
    Some(taken_along(edit, cut, old.1))
}

/// Returns the first tag of the new file whose expression no engine takes, and that the old file has less often. Braces in a page that
/// has no `{% … %}` may be text.
fn malformed(edit: &FileEdit, old: &[u8], new: &[u8]) -> Option<Broken> {
    let found = jinja::malformed(new);
    let is_statement = |piece: &TemplatePiece| piece.sort == TemplatePieceKind::Statement;
    let is_page = edit.language().is_some_and(is_html);
    if found.is_empty() || is_page && !jinja::pieces(old).ok()?.iter().any(is_statement) {
        return None;
    }
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    jinja::malformed(old)
        .iter()
        .for_each(|(span, _)| *known.entry(span.of(old)).or_default() += 1);
    let is_new = |(span, _): &(Span, Broken)| match known.get_mut(span.of(new)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    found.into_iter().find(is_new).map(|(_, broken)| broken)
}

fn refusal(edit: &FileEdit, broken: &Broken, after: &File) -> Diagnostic {
    let (path, lines) = (&edit.path, Lines::of(&after.bytes));
    let offset = broken.offset.min(after.bytes.len());
    let (line, column) = (lines.line(offset), lines.column(offset));
    let message = format!("{path}:{line}:{column}: {} (template)", broken.message);
    showing(
        edit,
        Diagnostic::new(Code::SyntaxError, message),
        (&after.bytes, offset),
        offset,
    )
}

/// Refuses that a tag of the old file belongs to others.
fn repaired(edit: &FileEdit, (tag, old): (Span, &[u8]), now: usize) -> Diagnostic {
    let (path, line) = (&edit.path, Lines::of(old).line(tag.start));
    let quoted = shown(&String::from_utf8_lossy(tag.of(old)));
    let message = format!(
        "the edit would have `{quoted}`, at line {line} of {path}, belong to other tags than before"
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(
        "the content ends what it did not begin: write both tags, or quote the whole from its first tag to its last",
    );
    showing(edit, diagnostic, (old, tag.start), now)
}

/// Refuses that something beside the edit is in another branch.
pub(super) fn taken_along(edit: &FileEdit, cut: Cut, old: &[u8]) -> Diagnostic {
    let (path, lines) = (&edit.path, Lines::of(old));
    let line = lines.line(cut.at);
    let rest = Span::new(cut.at, lines.content(old, line).end.max(cut.at));
    let quoted = shown(String::from_utf8_lossy(rest.of(old)).trim_end());
    let branch = shown(&String::from_utf8_lossy(cut.branch.of(old)));
    let message = format!(
        "the edit would take `{quoted}`, at line {line} of {path}, out of what is below `{branch}`"
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(
        "put the new branch where that one ends, or quote all that is to be in another branch",
    );
    showing(edit, diagnostic, (old, cut.at), cut.now)
}

/// Refuses that a tag, a value or a comment of the old file is something else, or ends elsewhere.
fn swallowed(edit: &FileEdit, (piece, old): (Span, &[u8]), now: usize) -> Diagnostic {
    let (path, line) = (&edit.path, Lines::of(old).line(piece.start));
    let quoted = shown(
        String::from_utf8_lossy(piece.of(old))
            .lines()
            .next()
            .unwrap_or_default(),
    );
    let message = format!(
        "the edit would have `{quoted}`, at line {line} of {path}, end elsewhere, or be something else"
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(
        "the content seems to leave a tag or a comment open, or to end one: write both its ends",
    );
    showing(edit, diagnostic, (old, piece.start), now)
}

/// Returns the first tag, value or comment whose ends no splice touches, and that does not stand there in `new` with both its ends; with
/// its place there. Of a tag or value that the edit reaches into, the end may be another's: who quotes it may make two of it.
fn misread(splices: &Splices, old: &[u8], new: &[u8]) -> Option<(Span, usize)> {
    let tags = |pieces: Vec<TemplatePiece>| {
        pieces
            .into_iter()
            .filter(|piece| piece.sort != TemplatePieceKind::Data)
    };
    let before: Vec<TemplatePiece> = tags(jinja::pieces(old).ok()?).collect();
    let after: Vec<TemplatePiece> = tags(jinja::pieces(new).ok()?).collect();
    let starts: HashMap<usize, &TemplatePiece> = after
        .iter()
        .map(|piece| (piece.span.start, piece))
        .collect();
    let ends: HashSet<usize> = after.iter().map(|piece| piece.span.end).collect();
    let moves = splices.moves();
    let taken: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let reaches = |range: Span| {
        let from = taken.partition_point(|span| span.end <= range.start);
        taken[from..]
            .iter()
            .take_while(|span| span.start < range.end)
            .any(|span| span.end > range.start)
    };
    const DELIMITER: usize = 2;
    let is_misread = |piece: &&TemplatePiece| {
        let Span { start, end } = piece.span;
        if reaches(Span::new(start, start + DELIMITER)) || reaches(Span::new(end - DELIMITER, end))
        {
            return false;
        }
        let (begins, ended) = (moves.after(start), moves.before(end));
        let found = starts.get(&begins).filter(|found| found.sort == piece.sort);
        let may_be_parted = matches!(
            piece.sort,
            TemplatePieceKind::Expression | TemplatePieceKind::Statement
        ) && reaches(piece.span);
        !found
            .is_some_and(|found| found.span.end == ended || may_be_parted && ends.contains(&ended))
    };
    before
        .iter()
        .find(is_misread)
        .map(|piece| (piece.span, moves.after(piece.span.start)))
}

/// Returns the tags of both files that belong together, with those of extensions if both pair with them.
fn grouped(old: &[u8], new: &[u8]) -> Option<(Vec<TagGroup>, Vec<TagGroup>)> {
    let mut foreign = jinja::foreign(old);
    foreign.extend(jinja::foreign(new));
    let both = |foreign: &BTreeSet<String>| {
        jinja::groups(old, foreign)
            .ok()
            .zip(jinja::groups(new, foreign).ok())
    };
    both(&foreign).or_else(|| both(&BTreeSet::new()))
}

/// Returns the first tag that no splice touches and that belongs to others in `new`, or is no tag there, with its place there.
///
/// Who takes a tag away may join what it parted (`{% endif %}{% if a %}` becomes `{% elif a %}`) or part what it joined; not with an
/// `else` whose `if` stays or is given again to the letter, and what nobody takes a tag from stays whole, and takes none of others in.
fn parted(
    splices: &Splices,
    (old, was): TagsAndText,
    (new, is): TagsAndText,
) -> Option<(Span, usize)> {
    let taken: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let moves = splices.moves();
    let is_left = |span: Span, ranges: &[Span]| {
        let from = ranges.partition_point(|range| range.end <= span.start);
        // What is inserted in the middle of a tag touches it, too.
        !ranges[from..]
            .iter()
            .take_while(|range| range.start < span.end)
            .any(|range| range.overlaps(span) || range.is_empty() && span.start < range.start)
    };
    let place = |tag: &Span| moves.after(tag.start);
    // By where it stands, which group of the new file a tag is in that stood there before.
    let mut groups: HashMap<usize, usize> = HashMap::new();
    let stood: HashSet<usize> = old
        .iter()
        .flat_map(|group| &group.tags)
        .filter(|tag| is_left(**tag, &taken))
        .map(place)
        .collect();
    for (at, group) in new.iter().enumerate() {
        let left = group
            .tags
            .iter()
            .filter(|tag| is_left(**tag, &written) && stood.contains(&tag.start));
        groups.extend(left.map(|tag| (tag.start, at)));
    }
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    groups
        .values()
        .for_each(|at| *sizes.entry(*at).or_default() += 1);
    let opener_now = |at: usize| new.get(at).and_then(|group| group.tags.first()).copied();
    // What opens a group, is taken and given again: an `else` that is left goes with what reads as it does.
    let is_given_again = |opener: Span| {
        let text = opener.of(was);
        let gives = |(splice, written): (&Splice, Span)| {
            let mut openers = new.iter().filter_map(|group| group.tags.first());
            splice.span.overlaps(opener)
                && openers.any(|tag| written.contains(*tag) && tag.of(is) == text)
        };
        splices.with_new_spans().any(gives)
    };

    let mut found: Vec<(Span, usize)> = Vec::new();
    for group in old {
        let left: Vec<Span> = group
            .tags
            .iter()
            .copied()
            .filter(|tag| is_left(*tag, &taken))
            .collect();
        let now: Vec<Option<usize>> = left
            .iter()
            .map(|tag| groups.get(&place(tag)).copied())
            .collect();
        let is_whole = left.len() == group.tags.len();
        let first = now.first().copied().flatten();
        let opener = left
            .first()
            .filter(|tag| group.tags.first() == Some(*tag))
            .map(place);
        let is_parting =
            |tag: &Span| Some(tag) != group.tags.first() && Some(tag) != group.tags.last();
        let given = group
            .tags
            .first()
            .filter(|tag| group.tags.len() > 2 && opener.is_none() && is_given_again(**tag));
        let is_of_its_opener = |at: usize| match (opener, given) {
            (Some(opener), _) => opener_now(at).map(|tag| tag.start) == Some(opener),
            (None, Some(given)) => opener_now(at).is_some_and(|tag| tag.of(is) == given.of(was)),
            (None, None) => true,
        };
        for (tag, at) in left.iter().zip(&now) {
            let is_kept = match at {
                None => false,
                Some(at) if is_whole => {
                    Some(*at) == first && sizes.get(at).is_none_or(|size| *size <= left.len())
                }
                Some(at) => !is_parting(tag) || is_of_its_opener(*at),
            };
            if !is_kept {
                found.push((*tag, place(tag)));
            }
        }
    }
    found.into_iter().min()
}

/// Returns a refusal when a region that was closed is not any longer, or the other way round.
pub fn check_regions(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    let marked = |file: &&File| {
        memchr::memmem::find(&file.bytes, b"egion").is_some() && !is_binary(&file.bytes)
    };
    let before = before
        .filter(marked)
        .filter(|before| before.bytes != after.bytes)?;
    if before.bytes.len().max(after.bytes.len()) > MAX_PARSED_BYTES {
        return None;
    }
    let language = edit.language();
    if regions::unpaired(&before.bytes, language).is_some() {
        return None;
    }
    let alone = regions::unpaired(&after.bytes, language)?;
    let (path, lines) = (&edit.path, Lines::of(&after.bytes));
    let (line, column) = (lines.line(alone.start), lines.column(alone.start));
    let text =
        String::from_utf8_lossy(lines.content(&after.bytes, line).of(&after.bytes)).into_owned();
    let message = format!("{path}:{line}:{column}: the other end of this region would be lost");
    let diagnostic = Diagnostic::new(Code::StructureLost, message)
        .note("a comment directly above a definition or a key goes with it: keep it in the content, or edit by `text`");
    let diagnostic = diagnostic.showing(Excerpt {
        path: path.clone(),
        line,
        column,
        text,
    });
    Some(
        match edit
            .operation_at(alone.start)
            .or_else(|| edit.claims.first().map(|&(_, operation)| operation))
        {
            Some(operation) => diagnostic.of_operation(operation),
            None => diagnostic,
        },
    )
}

/// Says whether anything in a file looks like a tag.
fn has_tags(text: &[u8]) -> bool {
    let opens = |at: usize| matches!(text.get(at + 1), Some(b'%' | b'{' | b'#'));
    memchr::memchr_iter(b'{', text).any(opens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::marked;

    /// Reads a marked text, and returns the tag that would belong to others.
    fn told(text: &str) -> Option<String> {
        let (old, splices) = marked::read(text);
        let new = splices.apply(old.as_bytes());
        let (before, after) = grouped(old.as_bytes(), &new).unwrap();
        parted(&splices, (&before, old.as_bytes()), (&after, &new))
            .map(|(tag, _)| String::from_utf8_lossy(tag.of(old.as_bytes())).into_owned())
    }

    #[test]
    fn tags_beside_an_edit_belong_together_as_before() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(told(text).as_deref(), expected, "{text}")
        };
        check("{% if a %}«b|c»{% else %}d{% endif %}", None);
        check(
            "{% if a %}«b|{% endif %}{% if c %}d»{% else %}e{% endif %}",
            Some("{% else %}"),
        );
        check(
            "{% if a %}«b|{% endif %}{% if c %}d»{% endif %}",
            Some("{% endif %}"),
        );
        check(
            "{% if a %}«b|{% if c %}d{% else %}e{% endif %}»{% else %}f{% endif %}",
            None,
        );
        check(
            "{% if a %}b«{% endif %}{% if c %}|{% elif c %}»d{% else %}e{% endif %}",
            None,
        );
        check(
            "{% if a %}b«{% elif c %}|{% endif %}{% if c %}»d{% endif %}",
            None,
        );
        check(
            "{% if a %}b«{% elif c %}|{% endif %}{% if c %}»d{% else %}e{% endif %}",
            Some("{% else %}"),
        );
        check(
            "{% for a in b %}«{% if c %}|»d{% else %}e«{% endif %}|»{% endfor %}",
            Some("{% for a in b %}"),
        );
        check("«{% if c %}|»d«{% endif %}|»", None);
        check("{% if «a|b» %}c{% else %}d{% endif %}", None);
        check("{% if a %}b«{% else %}c|»{% endif %}", None);
        check("{% if a %}«{# |»{% else %}b«#}|»{% endif %}", None);
        check(
            "{% if a %}«b|{# b»{% else %}«c| #}»{% endif %}",
            Some("{% else %}"),
        );
        check(
            "{% if a %}{% x %}«b|c»{% else %}d{% endx %}{% else %}e{% endif %}",
            None,
        );
        check(
            "{% if a %}«b|{% for c in d %}»{% else %}e«|{% endfor %}»{% endif %}",
            Some("{% else %}"),
        );
        check(
            "«|{% if c %}»{% if a %}b{% else %}d{% endif %}«|{% endif %}»",
            None,
        );
        // What gives the tag back and begins another.
        check(
            "«{% if a %}b|{% if a %}b{% endif %}{% if c %}d»{% else %}e{% endif %}",
            Some("{% else %}"),
        );
        check(
            "«{% for a in b %}c|{% for a in b %}c{% endfor %}{% for d in b %}c»{% empty %}e{% endfor %}",
            Some("{% empty %}"),
        );
        check(
            "«{% if a %}b|{% if a %}b{% endif %}{% if c %}d»{% elif e %}f{% endif %}",
            Some("{% elif e %}"),
        );
        check(
            "«{% if a %}b|{% if c %}d{% endif %}{% if a %}b»{% else %}e{% endif %}",
            None,
        );
        check(
            "«{% if a %}b|{% if a %}{% if c %}d{% endif %}»{% else %}e{% endif %}",
            None,
        );
        check(
            "«{% if a %}b|{% if a and c %}b»{% else %}e{% endif %}",
            None,
        );
        check(
            "«{% if a %}b{% else %}e|{% if a %}b{% endif %}{% if c %}d{% else %}e»{% endif %}",
            None,
        );
    }

    /// Reads the same, and returns what would be in another branch, to the end of its line.
    fn taken(text: &str) -> Option<String> {
        let (old, splices) = marked::read(text);
        let new = splices.apply(old.as_bytes());
        let both = [old.as_bytes(), &new].map(|source| jinja::actions(source).unwrap());
        let (before, after) = if both.iter().all(Vec::is_empty) {
            grouped(old.as_bytes(), &new).unwrap()
        } else {
            let [before, after] = both;
            (before, after)
        };
        let cut = branches::cut(&splices, (&before, old.as_bytes()), (&after, &new))?;
        old[cut.at..].lines().next().map(str::to_owned)
    }

    #[test]
    fn what_is_beside_an_edit_stays_in_its_branch() {
        let check = |text: &str, expected: &str| {
            assert_eq!(taken(text).as_deref(), Some(expected), "{text}")
        };
        check("{% if a %}x«|{% else %}n»\ny\n{% endif %}", "y");
        check(
            "{% if a %}x«|{% elif b %}n{% else %}m»y{% endif %}",
            "y{% endif %}",
        );
        check("{% if a %}«|{% elif b %}»x\n{% endif %}", "x");
        check("{% for a in b %}x\n«|{% empty %}\nn\n»y\n{% endfor %}", "y");
        check("{% if a %}«x\n|x\n{% elif b %}\nn\n»y\n{% endif %}", "y");
        check(
            "{% if a %}x«|{% else %}n»{% if c %}\ny{% endif %}{% endif %}",
            "{% if c %}",
        );
        check(
            "{% if a %}x{% elif b %}y«|{% elif c %}n»z\n{% else %}w{% endif %}",
            "z",
        );
        // Of those around it, too.
        check(
            "{% if a %}{% if b %}x{% endif %}«|{% else %}n»\ny{% endif %}",
            "y{% endif %}",
        );
        check(
            "{% if a %}«|{% else %}{% if b %}»\ny«|{% endif %}»{% endif %}",
            "y{% endif %}",
        );
        check("{{ if .A }}x«|{{ else }}n»\ny\n{{ end }}", "y");
        check("{{#each a}}x«|{{else}}n»\ny\n{{/each}}", "y");
        // What gives the tag back and begins another.
        check("«{% if a %}|{% if a %}n{% elif b %}»\ny\n{% endif %}", "y");
        check(
            "«{% if a %}|{% if a %}n{% endif %}{% if b %}»\ny\n{% endif %}",
            "y",
        );
        check(
            "«{% block a %}|{% block a %}n{% endblock %}{% block b %}»\ny\n{% endblock %}",
            "y",
        );
        check(
            "{% if a %}x«{% else %}|{% else %}n{% endif %}{% if b %}»\ny\n{% endif %}",
            "y",
        );
        check("«{{ if .A }}|{{ if .A }}n{{ else }}»\ny\n{{ end }}", "y");
    }

    #[test]
    fn what_may_come_to_another_branch() {
        let check = |text: &str| assert_eq!(taken(text), None, "{text}");
        // At the end of the branch, whatever is below that.
        check("{% if a %}x«|{% else %}n»\n{% endif %}y");
        check("{% if a %}x«|{% else %}n»{# c #}\n{% endif %}y");
        check("{% if a %}x«|{% elif b %}n»\n{% else %}y{% endif %}");
        check("{% if a %}x\ny«|{% else %}n»{% endif %}{% if b %}z{% endif %}");
        check("{{ if .A }}x«|{{ else }}n»{{/* c */}}\n{{ end }}y");
        // Around something, with both ends, or from around it.
        check("{% if a %}«|{% if b %}»x«|{% endif %}»y{% endif %}");
        check("{% if a %}«|{% if b %}n{% else %}»x«|{% endif %}»y{% endif %}");
        check("«{% if a %}|»x«{% endif %}|»y");
        check("«{% if a %}|»x«{% else %}y{% endif %}|»z");
        check("«|{% for a in b %}»{% if c %}x{% else %}y{% endif %}«|{% endfor %}»");
        // Another tag in its place.
        check("«{% if a %}|{% if b %}»x{% else %}y{% endif %}");
        check("«{% if a %}|{% if not a %}n{% else %}»x{% endif %}");
        check("{% if «a|b» %}x{% elif «c|d» %}y{% endif %}");
        check("{% if a %}x«{% else %}|{% elif b %}»y{% endif %}");
        check("{% if a %}x«{% else %}|{% elif b %}n{% else %}»y{% endif %}");
        check("{% if a %}x«{% endif %}{% if b %}|{% elif b %}»y{% endif %}");
        check("{% if a %}x«{% elif b %}|{% endif %}{% if b %}»y{% endif %}");
        check("«{% block a %}|{% block b %}»x{% endblock %}");
        // Something before it, or below its tag.
        check("«{% if a %}|{% if b %}n{% endif %}{% if a %}»x{% endif %}");
        check("«{% if a %}|{% if a %}n{% endif %}{% if a %}»x{% endif %}");
        check("«{% if a %}|{% if a %}{% if b %}n{% else %}m{% endif %}»x{% endif %}");
        check("{% if a %}x«{% else %}|{% elif b %}n{% else %}»y{% endif %}");
        check("«{% block b %}|{% block a %}n{% endblock %}{% block b %}»x{% endblock %}");
        // A tag that goes, or moves.
        check("{% if a %}x«{% else %}|»y{% endif %}");
        check("{% if a %}x\n«|{% else %}\n»y\n«{% else %}\n|»z\n{% endif %}");
        check("{% if a %}x\n«{% else %}\n|»y\n«|{% else %}\n»z\n{% endif %}");
        check("{% if a %}x\n«|{% endif %}\n»y\n«{% endif %}\n|»z");
        check("{% if a %}x\n«{% endif %}\n|»y\n«|{% endif %}\n»z");
        check("«{% if a %}|{% if a %}n{% endif %}»x«{% endif %}|»");
        // Both branches end alike.
        check("{% if a %}<p>«x|x</p>{% else %}<p>y»</p>\n{% endif %}");
    }
}
