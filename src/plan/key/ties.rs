//! What an anchor ties together: a value that stands for other places too is not edited, because they would change with
//! it, and no anchor goes away or changes its meaning while something names it.

use super::piece::Piece;
use super::site::EntryPlace;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::syntax::keys::{Anchor, KeyEntry};
use crate::text::Span;

/// Refuses an edit of an entry when that would change what an alias elsewhere stands for.
pub(super) fn check_value(site: &EntryPlace<'_>) -> Result<(), Diagnostic> {
    check_around(site)?;
    let inside = site
        .tree
        .within(site.at)
        .into_iter()
        .filter_map(|at| site.tree.get(at));
    let named_outside = |alias: &&Span| !site.entry.span.contains(**alias);
    let tied = inside
        .filter_map(|entry| entry.anchor.as_ref())
        .find(|anchor| anchor.aliases.iter().any(|it| named_outside(&it)));
    tied.map_or(Ok(()), |anchor| Err(refuse_anchor(site, anchor)))
}

/// Refuses an edit inside of an entry when it or what holds it is anchored and named elsewhere.
pub(super) fn check_around(site: &EntryPlace<'_>) -> Result<(), Diagnostic> {
    let around = site
        .tree
        .upwards(site.at)
        .filter_map(|at| site.tree.get(at));
    let tied = around
        .filter_map(|entry| entry.anchor.as_ref())
        .find(|anchor| !anchor.aliases.is_empty());
    tied.map_or(Ok(()), |anchor| Err(refuse_anchor(site, anchor)))
}

fn refuse_anchor(site: &EntryPlace<'_>, anchor: &Anchor) -> Diagnostic {
    let lines = site.document.lines();
    let places: Vec<String> = anchor
        .aliases
        .iter()
        .take(20)
        .map(|alias| lines.line(alias.start).to_string())
        .collect();
    let name = shown(&anchor.name);
    let message = format!(
        "{} belongs to the anchor `&{name}`: an edit would change other places too",
        site.address()
    );
    Diagnostic::new(Code::Unsupported, message)
        .note(format!("`*{name}` stands for it at line {}", places.join(", ")))
        .note("to change all of them, edit with `text`, `pattern` or `lines`; to change one, `replace` its alias")
}

/// Refuses content with an anchor whose name an alias of the file uses: that would stand for something else then.
pub(super) fn check_content(site: &EntryPlace<'_>, piece: &Piece) -> Result<(), Diagnostic> {
    let uses = |name: &str| {
        let named = |entry: &&KeyEntry| {
            entry.alias.as_deref() == Some(name) && !site.entry.span.contains(entry.span)
        };
        site.tree.entries.iter().find(named)
    };
    let brought = piece.all().iter().filter_map(|entry| entry.anchor.as_ref());
    for anchor in brought {
        let Some(alias) = uses(&anchor.name) else {
            continue;
        };
        let line = site.document.lines().line(alias.span.start);
        let name = shown(&anchor.name);
        let message = format!(
            "the content brings the anchor `&{name}`, and `*{name}` at line {line} would mean it"
        );
        return Err(
            Diagnostic::new(Code::Unsupported, message).note("give the anchor another name")
        );
    }
    Ok(())
}
