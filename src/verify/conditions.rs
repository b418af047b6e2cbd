//! Conditional lines (`#if`, `#else`, `#endif`): each has its others after an edit as before it, and what is beside the edit is in the branch
//! that it was in.
//!
//! Example: a function that is replaced by itself and an `#endif` would end the branch for what is below it.

use super::branches;
use super::template::taken_along;
use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::plan::FileEdit;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::conditions::{LackedCondition, LoneCondition, conditions};
use crate::text::Lines;

/// Returns a refusal when a conditional line would be alone in a file in which none was, or something would be in another branch.
pub(super) fn check(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    let language = edit.language()?;
    let before = before.filter(|before| before.bytes != after.bytes)?;
    let is_long = before.bytes.len().max(after.bytes.len()) > MAX_PARSED_BYTES;
    if !language.habits.conditional_lines || is_long {
        return None;
    }
    let old = conditions(&before.bytes).ok()?;
    match conditions(&after.bytes) {
        Err(lone) => Some(alone(edit, lone, &after.bytes)),
        Ok(new) => {
            let splices = edit.splices.as_ref()?;
            let cut = branches::cut(splices, (&old, &before.bytes), (&new, &after.bytes))?;
            Some(taken_along(edit, cut, &before.bytes))
        }
    }
}

fn alone(edit: &FileEdit, lone: LoneCondition, new: &[u8]) -> Diagnostic {
    let (path, lines) = (&edit.path, Lines::of(new));
    let (line, column) = (lines.line(lone.line.start), lines.column(lone.line.start));
    let text = String::from_utf8_lossy(lone.line.of(new)).into_owned();
    let lacks = match lone.lacks {
        LackedCondition::Begin => "belongs to no `#if`",
        LackedCondition::End => "is ended by no `#endif`",
        LackedCondition::Place => "comes after the `#else`",
    };
    let message = format!("{path}:{line}:{column}: `{}` {lacks}", shown(&text));
    let diagnostic = Diagnostic::new(Code::StructureLost, message)
        .note("write a condition with its end, and quote both where it is to go")
        .showing(Excerpt {
            path: path.clone(),
            line,
            column,
            text,
        });
    let operation = edit
        .operation_at(lone.line.start)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation));
    match operation {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::marked;

    /// Reads a marked text, and returns the line that would be in another branch.
    fn taken(text: &str) -> Option<String> {
        let (old, splices) = marked::read(text);
        let new = splices.apply(old.as_bytes());
        let (before, after) = (conditions(old.as_bytes()), conditions(&new));
        let (before, after) = (before.unwrap(), after.unwrap());
        let cut = branches::cut(&splices, (&before, old.as_bytes()), (&after, &new))?;
        old[cut.at..].lines().next().map(str::to_owned)
    }

    #[test]
    fn what_is_beside_an_edit_stays_in_its_branch() {
        for (text, expected) in [
            (
                "#if A\n«a();\n¦a();\n#endif\n#if B\n»b();\n#endif\n",
                Some("b();"),
            ),
            (
                "#if A\na();\n«|#elif X\nc();\n»b();\n#endif\n",
                Some("b();"),
            ),
            ("#if A\na();\n«|#else\nc();\n»b();\n#endif\n", Some("b();")),
            ("#if A\n«a();\n¦#if B\na();\n#endif\n»b();\n#endif\n", None),
            ("#if A\n«a();\n#else\n¦c();\n»b();\n#endif\n", Some("b();")),
            (
                "#if A\n«a();\n#endif\n#if B\n¦c();\n»b();\n#endif\n",
                Some("b();"),
            ),
            ("#if A\na();\n«#else\n¦»b();\n#endif\n", None),
            ("#if A\n«a();\n#else\nb();\n¦c();\n»#endif\n", None),
            ("#if A\n«a();\n#else\n¦c();\n#elif X\n»b();\n#endif\n", None),
            ("«¦#if A\n»a();\nb();\n«¦#endif\n»", None),
            ("«#if A\n¦»a();\nb();\n«#endif\n¦»", None),
            ("«#if A\n¦#if B\n»a();\n#else\nb();\n#endif\n", None),
            ("#if A\na();\n«#endif\n¦#else\nb();\n#endif\n»c();\n", None),
        ] {
            assert_eq!(taken(text).as_deref(), expected, "{text}");
        }
    }
}
