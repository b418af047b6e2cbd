//! Templates: a file whose tags could be read can be read afterwards, so that no edit loses the end of a block or adds a
//! second one of its name; and a region keeps both its ends.

use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::jinja::{self, Broken};
use crate::syntax::{language_of, regions};
use crate::text::{Lines, is_binary};

/// Returns a refusal when `after` is a template whose tags no longer pair, as those of `before` did, or that has two blocks
/// of one name.
pub fn check(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    let before = before.filter(|before| before.bytes != after.bytes && is_template(edit, before))?;
    let blocks = jinja::blocks(&before.bytes).ok()?;
    let broken = match jinja::blocks(&after.bytes) {
        Err(broken) => broken,
        Ok(_) if jinja::repeated(&blocks).is_some() => return None,
        Ok(blocks) => {
            let block = jinja::repeated(&blocks)?;
            Broken { offset: block.open.start, message: format!("there is a block `{}` already", block.name) }
        }
    };
    let (path, lines) = (&edit.path, Lines::of(&after.bytes));
    let offset = broken.offset.min(after.bytes.len());
    let (line, column) = (lines.line(offset), lines.column(offset));
    let text = String::from_utf8_lossy(lines.content(&after.bytes, line).of(&after.bytes)).into_owned();
    let message = format!("{path}:{line}:{column}: {} (template)", broken.message);
    let diagnostic = Diagnostic::new(Code::SyntaxError, message);
    let diagnostic = diagnostic.showing(Excerpt { path: path.clone(), line, column, text });
    Some(match edit.operation_at(offset).or_else(|| edit.claims.first().map(|&(_, operation)| operation)) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    })
}

/// Returns a refusal when a region that was closed is not any longer, or the other way round.
pub fn check_regions(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    let marked = |file: &&File| memchr::memmem::find(&file.bytes, b"egion").is_some() && !is_binary(&file.bytes);
    let before = before.filter(marked).filter(|before| before.bytes != after.bytes)?;
    if before.bytes.len().max(after.bytes.len()) > MAX_PARSED_BYTES {
        return None;
    }
    let language = language_of(&edit.path);
    if regions::unpaired(&before.bytes, language).is_some() {
        return None;
    }
    let alone = regions::unpaired(&after.bytes, language)?;
    let (path, lines) = (&edit.path, Lines::of(&after.bytes));
    let (line, column) = (lines.line(alone.start), lines.column(alone.start));
    let text = String::from_utf8_lossy(lines.content(&after.bytes, line).of(&after.bytes)).into_owned();
    let message = format!("{path}:{line}:{column}: the other end of this region would be lost");
    let diagnostic = Diagnostic::new(Code::StructureLost, message)
        .note("a comment directly above a definition or a key goes with it: keep it in the content, or edit by `text`");
    let diagnostic = diagnostic.showing(Excerpt { path: path.clone(), line, column, text });
    Some(match edit.operation_at(alone.start).or_else(|| edit.claims.first().map(|&(_, operation)| operation)) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    })
}

/// Says whether the file has a template's name and tags: pages with braces of other engines are none of ours.
fn is_template(edit: &FileEdit, before: &File) -> bool {
    jinja::is_template(&edit.path) && !is_binary(&before.bytes) && memchr::memmem::find(&before.bytes, b"{%").is_some()
}
