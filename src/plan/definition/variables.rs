//! The variables that a type of C or C++ is declared with, `struct pt {…} origin;`: they have no name beside that of the type, and stay
//! where they are when it is replaced.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::content::defined_beside;
use crate::resolve::{Definition, Reading, Target};
use crate::syntax::{SegmentKind, TypedVariables};
use crate::text::Span;

/// Returns what `content` takes the place of, and what of it, where it is the type alone and variables are declared with the old one: those
/// stay. `None` where none are, or the content brings its own.
pub(super) fn beside_type<'r, 'd>(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'r, 'd>,
    content: &[u8],
) -> Result<Option<(Target<'r, 'd>, Vec<u8>)>, Diagnostic> {
    let document = reading.document;
    let (Some(old), Some(language)) = (declared_with(reading, named), document.language) else {
        return Ok(None);
    };
    let brought = defined_beside(reading, named, content);
    let Some(successor) = brought.successor(&named.symbol.name) else {
        return Ok(None);
    };
    let definition = successor.definition;
    let declares = language
        .grammar
        .typed_variables(content)
        .iter()
        .any(|it| definition.overlaps(it.of_type));
    if declares {
        return Ok(None);
    }
    let new = definition.of(content);
    let bare = new.trim_ascii_end();
    let bare = bare.strip_suffix(b";").unwrap_or(bare).trim_ascii_end();
    let end = definition.start + bare.len();
    let rest = content.get(end..).unwrap_or_default().trim_ascii();
    if !matches!(rest, b"" | b";") || new.starts_with(b"typedef") {
        let message = format!(
            "{} is declared together with `{}`, which would go",
            named.address(),
            variables(&old, &document.bytes)
        );
        return Err(Diagnostic::new(Code::Unsupported, message).note(
            "give the type alone, and the variable stays; or give the variable with it; or edit by `text` or `lines`",
        ));
    }
    let mut alone = content.get(..end).unwrap_or_default().to_vec();
    let lead = Span::new(old.whole.start, old.of_type.start).of(&document.bytes);
    let begins = [&b"class"[..], b"struct", b"union", b"enum"];
    if begins.iter().any(|word| new.starts_with(word)) {
        alone.splice(definition.start..definition.start, lead.iter().copied());
    }
    let target = Target {
        span: Span::new(target.span.start, old.of_type.end),
        ..target.clone()
    };
    Ok(Some((target, alone)))
}

/// Refuses to delete a type that variables are declared with.
pub(in crate::plan) fn check_removal(
    reading: &Reading<'_>,
    named: &Definition<'_>,
) -> Result<(), Diagnostic> {
    let Some(old) = declared_with(reading, named) else {
        return Ok(());
    };
    let message = format!(
        "{} is declared together with `{}`, which would go",
        named.address(),
        variables(&old, &reading.document.bytes)
    );
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("delete both by `text` or `lines`, or declare the variable by itself before"))
}

/// Returns the declaration of variables that a type is defined in.
fn declared_with(reading: &Reading<'_>, named: &Definition<'_>) -> Option<TypedVariables> {
    let document = reading.document;
    let definition = named.symbol.definition;
    let is_type = matches!(
        named.symbol.kind,
        SegmentKind::Class | SegmentKind::Struct | SegmentKind::Enum
    );
    if !is_type {
        return None;
    }
    let all = document.language?.grammar.typed_variables(&document.bytes);
    all.into_iter().find(|it| {
        definition.contains(it.of_type)
            && definition.start <= it.whole.start
            && it.whole.end >= definition.end
    })
}

/// Returns how the variables are written.
fn variables(declared: &TypedVariables, bytes: &[u8]) -> String {
    let behind = Span::new(declared.of_type.end, declared.whole.end).of(bytes);
    let text = String::from_utf8_lossy(behind);
    let line = text.trim().lines().next().unwrap_or_default();
    shown(line.trim_end_matches(';')).to_string()
}
