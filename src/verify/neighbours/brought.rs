//! What a tag on a line of its own brings into a template of YAML stays with its key: `{{- toYaml .Values.x | nindent 8 }}` below
//! `resources:` is the value of that.
//!
//! Example: `env: []` put between the two would have the resources as its value.
//!
//! A key that an edit reaches into may get another name, and no value of its own.

use std::collections::HashMap;

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::syntax::yaml::{self, TemplateInsertion};
use crate::text::Span;

/// Returns the first tag beside the edits that would be in another line than before.
pub(super) fn passed_on(guard: &Guard, (old, new): (&[u8], &[u8])) -> Option<ChangedStatement> {
    let before = yaml::brought(old);
    if before.is_empty() {
        return None;
    }
    let after: HashMap<usize, TemplateInsertion> = yaml::brought(new)
        .into_iter()
        .map(|it| (it.tag.start, it))
        .collect();
    let is_taken = |span: Span| {
        guard
            .sides
            .old
            .at(span)
            .any(|stroke| stroke.span.overlaps(span))
    };
    before
        .into_iter()
        .filter(|was| !is_taken(was.tag))
        .find_map(|was| {
            let now = after.get(&guard.moves.after(was.tag.start))?;
            let stays = |was: Option<Span>, now: Option<Span>| match (was, now) {
                (None, None) => true,
                (Some(was), Some(now)) => is_same(guard, (was, old), (now, new)),
                _ => false,
            };
            if let Some((lost, heir)) = was.owner.zip(now.owner)
                && !has_value(lost.of(old))
                && has_value(heir.of(new))
            {
                return Some(ChangedStatement::PassedOn(lost, heir.start));
            }
            if stays(was.owner, now.owner)
                && (was.beside.is_none() || stays(was.beside, now.beside))
            {
                return None;
            }
            let (lost, heir) = if stays(was.owner, now.owner) {
                (was.beside, now.beside)
            } else {
                (was.owner, now.owner)
            };
            Some(match (lost, heir.or(now.owner)) {
                (Some(lost), Some(heir)) => ChangedStatement::PassedOn(lost, heir.start),
                (lost, _) => ChangedStatement::Lost(lost.unwrap_or(was.tag), now.tag.start),
            })
        })
}

/// Says whether a line is the one that it was, or what an edit made of it.
fn is_same(guard: &Guard, (was, old): (Span, &[u8]), (now, new): (Span, &[u8])) -> bool {
    let taking = guard
        .sides
        .strokes()
        .find(|(stroke, _)| stroke.span.overlaps(was));
    let Some((_, written)) = taking else {
        return guard.moves.after(was.start) == now.start;
    };
    let key = key(was.of(old));
    let is_again = || {
        written
            .span
            .of(new)
            .split(|&byte| byte == b'\n')
            .any(|line| self::key(line) == key)
    };
    self::key(now.of(new)) == key || now.overlaps(written.span) && !is_again()
}

/// Says whether the line of a key has a value in it, below which nothing can come: neither an anchor, a tag nor the sign of a text.
fn has_value(line: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', line) else {
        return false;
    };
    let value = line.get(colon + 1..).unwrap_or_default().trim_ascii();
    let is_after_blank = line.get(colon + 1).is_none_or(u8::is_ascii_whitespace);
    is_after_blank
        && value
            .first()
            .is_some_and(|first| !b"#&!|>{".contains(first))
}

/// Returns what of a line comes before its colon.
fn key(line: &[u8]) -> &[u8] {
    line.get(..memchr::memchr(b':', line).unwrap_or(line.len()))
        .unwrap_or_default()
        .trim_ascii()
}
