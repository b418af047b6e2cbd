//! Drift: every byte outside the splices is the same before and after. Proven by walking both files side by side,
//! not by trusting whoever applied the splices.

use crate::diagnostic::{Code, Diagnostic};
use crate::plan::FileEdit;
use crate::snapshot::File;

/// Returns a refusal when a byte outside the splices of `edit` changed, or the file's mode did.
pub fn check(edit: &FileEdit, before: Option<&File>, after: &File) -> Option<Diagnostic> {
    let before = before?;
    let splices = edit.splices.as_ref()?;
    let (mut old, mut new) = (0, 0);
    let mut same = before.mode == after.mode;
    for splice in splices.iter() {
        let kept = splice.span.start.checked_sub(old)?;
        same &= before.bytes.get(old..old + kept) == after.bytes.get(new..new + kept);
        new += kept;
        same &= after.bytes.get(new..new + splice.bytes.len()) == Some(splice.bytes.as_slice());
        new += splice.bytes.len();
        old = splice.span.end;
    }
    same &= before.bytes.get(old..) == after.bytes.get(new..);
    (!same).then(|| {
        Diagnostic::new(
            Code::Drift,
            format!("{} changed outside the edited ranges", edit.path),
        )
    })
}
