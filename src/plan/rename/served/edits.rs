//! What a server would write, held to the word.

use std::collections::{BTreeMap, BTreeSet};

use super::survey::WordSurvey;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::name_service::{NamePlace, ServedEdit};
use crate::text::{Lines, Span};

/// In what form a place says a new name.
enum NameForm {
    /// The name.
    Plain,
    /// A short form written out: `{name}` → `{name: new}`.
    Short,
    /// A name that is known by another here: `new as name`.
    Alias,
}

impl WordSurvey<'_> {
    /// Returns what each place would say, those included that a file knows by the same name only because it imports or hands on the
    /// name: `{new as old}` there would leave the rest of it as it is.
    pub(super) fn written_everywhere(
        &self,
        to: &str,
    ) -> Result<BTreeMap<NamePlace, String>, Diagnostic> {
        let mut written: BTreeMap<NamePlace, String> = BTreeMap::new();
        let mut asked: BTreeSet<NamePlace> = BTreeSet::from([self.place.clone()]);
        let mut waiting = vec![self.place.clone()];
        while let Some(place) = waiting.pop() {
            let edits = self.service.renamed(self.server, &place, to)?;
            for (place, text) in self.written(edits)? {
                let form = self.form(&text, to).ok_or_else(|| {
                    let edit = ServedEdit {
                        place: place.clone(),
                        text: text.clone(),
                    };
                    self.drift(&edit, "writes more than the new name")
                })?;
                match form {
                    NameForm::Short => drop(written.entry(place).or_insert(text)),
                    NameForm::Plain => drop(written.insert(place, text)),
                    NameForm::Alias => {
                        written.insert(place.clone(), to.to_owned());
                        if asked.insert(place.clone()) {
                            waiting.push(place);
                        }
                    }
                }
            }
        }
        Ok(written)
    }

    /// Returns what each place would say after the server's edits, which may touch nothing else.
    fn written(&self, mut edits: Vec<ServedEdit>) -> Result<Vec<(NamePlace, String)>, Diagnostic> {
        edits.retain(|edit| !(edit.place.span.is_empty() && edit.text.is_empty()));
        let mut written = Vec::new();
        let mut taken = vec![false; edits.len()];
        for place in self.all_places() {
            let touches = |edit: &ServedEdit| {
                let span = edit.place.span;
                edit.place.path == place.path
                    && place.span.start <= span.start
                    && span.end <= place.span.end
            };
            let mut own: Vec<usize> = (0..edits.len()).filter(|at| touches(&edits[*at])).collect();
            if own.is_empty() {
                continue;
            }
            own.sort_by_key(|at| edits[*at].place.span);
            let bytes = self.bytes(&place.path);
            let kept =
                |from, to| String::from_utf8_lossy(Span::new(from, to).of(bytes)).into_owned();
            let mut text = String::new();
            let mut from = place.span.start;
            for at in own {
                let edit = &edits[at];
                if edit.place.span.start < from {
                    return Err(self.drift(edit, "changes a place twice"));
                }
                text.push_str(&kept(from, edit.place.span.start));
                text.push_str(&edit.text);
                from = edit.place.span.end;
                taken[at] = true;
            }
            text.push_str(&kept(from, place.span.end));
            written.push((place, text));
        }
        match taken.iter().position(|taken| !taken) {
            Some(at) => Err(self.drift(&edits[at], "changes what is not the name")),
            None => Ok(written),
        }
    }

    /// Returns in what form a text says the new name, if it says nothing else.
    fn form(&self, text: &str, to: &str) -> Option<NameForm> {
        let old = self.word.as_str();
        let is_pair = |pair: Option<(&str, &str)>| {
            pair.is_some_and(|(one, other)| {
                let pair = (one.trim(), other.trim());
                pair == (old, to) || pair == (to, old)
            })
        };
        if text == to {
            Some(NameForm::Plain)
        } else if is_pair(text.split_once(':')) {
            Some(NameForm::Short)
        } else if is_pair(text.split_once(" as ")) {
            Some(NameForm::Alias)
        } else {
            None
        }
    }

    fn drift(&self, edit: &ServedEdit, what: &str) -> Diagnostic {
        let bytes = self.bytes(&edit.place.path);
        let line = Lines::of(bytes).line(edit.place.span.start.min(bytes.len()));
        let old = String::from_utf8_lossy(edit.place.span.of(bytes));
        let message = format!(
            "the language server `{}` {what}: in {}, line {line}, `{}` would become `{}`",
            shown(self.server),
            edit.place.path,
            shown(&old),
            shown(&edit.text)
        );
        Diagnostic::new(Code::Drift, message)
    }
}
