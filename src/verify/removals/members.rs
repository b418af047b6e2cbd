//! What a type or a value is made of: fields of structs, variants of enums, properties of objects. What a replacement by name leaves out of
//! them is a warning, as are the attributes, annotations and tags of those that stay; nothing else would miss either.
//!
//! Known limits: of a definition that moves they are not compared, nor are those of a member.

use std::collections::HashMap;

use super::decorators::{self, Decorator, Heirs};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::{Definition, Document};
use crate::syntax::{Member, SegmentKind};
use crate::text::Span;
use crate::text::splice::Splices;

/// The members that a definition loses because its replacement leaves them out.
#[derive(Clone, Debug)]
pub struct MissingMembers {
    path: RepoPath,
    /// The address of the definition within the file.
    of: String,
    /// Each with its 1-based line.
    members: Vec<(String, usize)>,
    operation: usize,
}

/// Returns the attributes that the edit takes from members that stay, and the members that replacements by name leave out.
pub(super) fn gone(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
    renamed: &[(usize, usize)],
) -> (Vec<Decorator>, Vec<MissingMembers>) {
    let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let may_hold_an_attribute = |splice: &Span| {
        [&b"#["[..], b"@", b"`"]
            .iter()
            .any(|mark| memchr::memmem::find(splice.of(&old.bytes), mark).is_some())
    };
    let replacing = |named: &Definition<'_>| {
        edit.defines
            .iter()
            .find(|(_, name)| *name == named.qualified)
            .map(|(operation, _)| *operation)
    };
    let is_candidate = |named: &&Definition<'_>| {
        let definition = named.symbol.definition;
        let mut inside = touched
            .iter()
            .filter(|splice| splice.overlaps(definition))
            .peekable();
        has_members(named.symbol.kind)
            && inside.peek().is_some()
            && (replacing(named).is_some() || inside.any(may_hold_an_attribute))
    };
    let heirs = Heirs::of(splices, old_named, new_named, renamed);
    let pairs: Vec<(&Definition<'_>, &Definition<'_>)> = old_named
        .iter()
        .filter(is_candidate)
        .filter_map(|was| {
            Some((
                was,
                heirs
                    .heir(was, &touched)
                    .filter(|heir| heir.symbol.kind == was.symbol.kind)?,
            ))
        })
        .collect();
    let Some(language) = old.language.filter(|_| !pairs.is_empty()) else {
        return Default::default();
    };

    let definitions = |named: &mut dyn Iterator<Item = &Definition<'_>>| -> Vec<Span> {
        named.map(|named| named.symbol.definition).collect()
    };
    let before = language.grammar.members(
        &old.bytes,
        &definitions(&mut pairs.iter().map(|(was, _)| *was)),
    );
    let after = language.grammar.members(
        &new.bytes,
        &definitions(&mut pairs.iter().map(|(_, heir)| *heir)),
    );
    let (mut attributes, mut missing) = (Vec::new(), Vec::new());
    for ((was, _), (before, after)) in pairs.iter().zip(before.iter().zip(&after)) {
        let kept: HashMap<&str, &Member> = after
            .iter()
            .map(|member| (member.name.as_str(), member))
            .collect();
        for member in before {
            let Some(now) = kept.get(member.name.as_str()) else {
                continue;
            };
            let lost = decorators::left_out(
                (&member.attributes, &old.bytes),
                (&now.attributes, &new.bytes),
            );
            let taken = lost
                .into_iter()
                .filter(|span| touched.iter().any(|splice| splice.overlaps(*span)));
            let of = format!("{}.{}", was.address(), member.name);
            attributes
                .extend(taken.filter_map(|span| Decorator::of_member(edit, old, span, of.clone())));
        }
        let Some(operation) = replacing(was) else {
            continue;
        };
        let members = left_out((before, old), (after, new));
        // One that has none any more, or none that can be told, is another thing altogether.
        if !members.is_empty() && !after.is_empty() {
            missing.push(MissingMembers {
                path: edit.path.clone(),
                of: was.address(),
                members,
                operation,
            });
        }
    }
    (attributes, missing)
}

fn has_members(kind: SegmentKind) -> bool {
    matches!(
        kind,
        SegmentKind::Struct
            | SegmentKind::Enum
            | SegmentKind::Interface
            | SegmentKind::Type
            | SegmentKind::Variable
            | SegmentKind::Constant
    )
}

/// Returns the members that are not there any more, each with its line. One in whose place there is another that says the same but for
/// its name has got that name.
fn left_out(
    (before, old): (&[Member], &Document),
    (after, new): (&[Member], &Document),
) -> Vec<(String, usize)> {
    let rest = |member: &Member, document: &Document| {
        let rest = Span::new(member.named.end, member.span.end.max(member.named.end));
        rest.of(&document.bytes).trim_ascii().to_vec()
    };
    let is_renamed = |at: usize, member: &Member| {
        let other = after
            .get(at)
            .filter(|other| !before.iter().any(|known| known.name == other.name));
        other.is_some_and(|other| rest(other, new) == rest(member, old))
    };
    let is_gone = |(at, member): &(usize, &Member)| {
        !after.iter().any(|other| other.name == member.name) && !is_renamed(*at, member)
    };
    let gone = before.iter().enumerate().filter(is_gone);
    gone.map(|(_, member)| (member.name.clone(), old.lines().line(member.named.start)))
        .collect()
}

impl MissingMembers {
    /// Returns the warning, unless the operation allows by name what goes.
    pub fn warning(&self, operations: &[Operation]) -> Option<Diagnostic> {
        const MOST: usize = 5;
        let operation = operations.get(self.operation)?;
        let is_named = |(member, _): &&(String, usize)| match &operation.allow_remove {
            AllowRemove::Named(names) => names
                .iter()
                .any(|name| name == member || *name == format!("{}.{member}", self.of)),
            AllowRemove::Nothing | AllowRemove::Everything => false,
        };
        let left: Vec<&(String, usize)> = self
            .members
            .iter()
            .filter(|member| !is_named(member))
            .collect();
        if left.is_empty() {
            return None;
        }
        let mut named: Vec<String> = left
            .iter()
            .take(MOST)
            .map(|(member, line)| format!("`{}` (line {line})", shown(member)))
            .collect();
        if left.len() > MOST {
            named.push(format!("and {} more", left.len() - MOST));
        }
        let message = format!(
            "the content for `{}` of {} leaves out {}",
            shown(&self.of),
            self.path,
            named.join(", ")
        );
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation))
    }
}
