//! Whether a definition can be moved at all: it is one statement of its module, which binds its name once.

use super::fixtures::given_by_file;
use super::request::{Ends, MoveRequest};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::references::Analysis;
use crate::references::target::{Renamable, RenamableSort};
use crate::syntax::python::{
    BindingKind, ModuleStatement, NameScopeKind, Outward, UsedText, import_table,
};
use crate::text::Lines;

/// Refuses what cannot be moved.
pub(super) fn check(
    analysis: &Analysis,
    request: &MoveRequest<'_>,
    target: &Renamable,
    ends: &Ends,
) -> Result<(), Diagnostic> {
    let word = shown(&target.word);
    let path = request.path;
    let refuse = |why: String| Err(Diagnostic::new(Code::Unsupported, why));
    let names = analysis.names(ends.old);
    let entity = target.entities.iter().next();
    let is_own = entity.is_some_and(|it| it.file == ends.old && it.scope == 0);
    if target.sort != RenamableSort::Global || target.entities.len() != 1 || !is_own {
        return refuse(format!(
            "`{word}` is inside of a class or a function: what is moved is a function, class or variable of the module itself"
        ));
    }
    if target.is_fixture && !ends.is_one_file() {
        return refuse(format!(
            "`{word}` is a fixture, which tests find by the file that it is in"
        ));
    }
    let bound = names.scopes[0].names.get(&target.word);
    let bindings = bound.map_or(&[][..], |bound| &bound.bindings[..]);
    let [binding] = bindings else {
        let lines = Lines::of(analysis.sources.bytes(ends.old));
        let places = bindings.iter().map(|it| lines.line(it.span.start));
        let message = format!("`{word}` is bound in several places of {path}");
        return Err(
            places.fold(Diagnostic::new(Code::Unsupported, message), |told, line| {
                told.note(format!("{path}, line {line}"))
            }),
        );
    };
    let is_definition = matches!(
        binding.kind,
        BindingKind::Function(_) | BindingKind::Class(_) | BindingKind::Assigned { .. }
    );
    let table = import_table(analysis.sources.bytes(ends.old));
    let holds = |it: &&ModuleStatement| it.span.overlaps(request.span);
    let statements: Vec<&ModuleStatement> = table.statements.iter().filter(holds).collect();
    let is_alone = match statements.as_slice() {
        [only] => request.span.contains(only.span) && only.span.contains(binding.span),
        _ => false,
    };
    if !is_definition || !is_alone {
        return refuse(format!(
            "`{word}` is not defined by a statement of its own at the top level of {path}"
        ));
    }
    if ends.is_one_file() {
        return Ok(());
    }
    if let Some(what) = given_by_file(analysis, ends, request.span, &target.word) {
        return refuse(format!(
            "`{word}` has {what}, which it would not have in {}",
            request.to
        ));
    }
    for scope in &names.scopes {
        let mut declared = scope.names.iter();
        let is_inside = request.span.contains(scope.span) && scope.kind != NameScopeKind::Module;
        let global = declared.find(|(name, bound)| {
            bound.outward == Some(Outward::Global) && (is_inside || **name == target.word)
        });
        if let Some((name, _)) = global {
            return refuse(format!(
                "a function has `global {name}`, which would be another name then"
            ));
        }
    }
    let beside = names.scopes[0].names.iter().find(|(name, bound)| {
        let mut bindings = bound.bindings.iter();
        **name != target.word && bindings.any(|it| request.span.contains(it.span))
    });
    if let Some((other, _)) = beside {
        return refuse(format!("what defines `{word}` binds `{other}`, too"));
    }
    let bytes = analysis.sources.bytes(ends.old);
    let has_types = names.texts.iter().any(|(span, kind)| {
        let text = span.of(bytes);
        *kind == UsedText::Comment
            && request.span.contains(*span)
            && memchr::memmem::find(text, b"type:").is_some()
            && memchr::memmem::find(text, b"ignore").is_none()
    });
    if has_types {
        return refuse(format!(
            "`{word}` has types in comments, whose names are not followed"
        ));
    }
    Ok(())
}
