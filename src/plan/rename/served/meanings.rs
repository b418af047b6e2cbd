//! Whether each place means afterwards what it meant: the server is shown the files as they would be.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::renamed_files::RenamedFiles;
use super::survey::WordSurvey;
use crate::diagnostic::{Code, Diagnostic};
use crate::path::RepoPath;
use crate::plan::name_service::{DefinedAt, NamePlace};
use crate::references::{References, RenameRefused, RenamedPlace, Renaming, Verdict, places_of};
use crate::snapshot::Blob;
use crate::text::{Lines, Span};

/// So many places are named in a refusal.
const MOST_NAMED: usize = 20;

impl WordSurvey<'_> {
    /// Refuses a rename after which a place means something else: one of the old name, or one of the new name that was there before.
    pub(super) fn check_meanings(
        &self,
        renaming: &Renaming,
        to: &str,
    ) -> Result<(), RenameRefused> {
        let mut asked: Vec<AskedPlace> = Vec::new();
        for (path, places) in &renaming.places {
            let of_code = places.iter().filter(|place| *place.to == *to);
            asked.extend(of_code.map(|it| AskedPlace::of(path, it.span, to)));
        }
        asked.retain(|it| self.files.contains_key(&it.place.path));
        let own = asked.len();
        // Others may have the new name from where the old one is not.
        let mut others: Vec<(&RepoPath, Blob)> = Vec::new();
        for (path, bytes) in &self.project.files {
            let there = places_of(to, bytes);
            let is_served = |path| self.service.server_of(path);
            if there.is_empty() || is_served(path)?.as_deref() != Some(self.server) {
                continue;
            }
            let there = there.into_iter();
            asked.extend(there.map(|span| AskedPlace::of(path, span, to)));
            if !self.files.contains_key(path) {
                others.push((path, bytes.clone()));
            }
        }
        self.show(&others)?;
        let Meanings { meanings, uses } = self.meanings(&renaming.places, &asked, true)?;
        // Of a class above or below, what is called so would be overridden, or override it.
        let is_other = |at: &usize| {
            let meaning = &meanings[*at];
            let place = DefinedAt::Shown(meaning.place.clone());
            meaning.expected != meaning.found
                || *at >= own && (uses.contains(&place) || self.may_override(&asked[*at].place))
        };
        let clashes: Vec<usize> = (0..asked.len()).filter(is_other).collect();
        let mut beyond = uses.iter();
        let is_beyond = beyond.any(|place| matches!(place, DefinedAt::Outside(_)));
        if clashes.is_empty() && !is_beyond {
            return Ok(());
        }
        let message = format!("`{}` cannot become `{to}`: that is taken", self.word);
        let mut refusal = Diagnostic::new(Code::NameClash, message);
        for at in clashes.into_iter().take(MOST_NAMED) {
            let place = &asked[at].place;
            let line = Lines::of(self.bytes(&place.path)).line(place.span.start);
            let word = if at < own { &self.word } else { to };
            refusal = refusal.note(format!(
                "{}, line {line}: `{word}` would mean something else, says `{}`",
                place.path, self.server
            ));
        }
        if is_beyond {
            refusal = refusal.note(format!(
                "something outside of the repository that it goes with is called so, says `{}`",
                self.server
            ));
        }
        let refusal = refusal.note("`clash: allow` renames it all the same");
        Err(RenameRefused {
            diagnostic: Box::new(refusal),
            references: Some(Box::new(renaming.references.clone())),
        })
    }

    /// Takes the doubt from places that lead to what is renamed and still do so afterwards, though they say the old name: by a key that
    /// stays, as `module.exports = {name}` becomes `{name: new}`.
    pub(super) fn settle_left(
        &self,
        written: &BTreeMap<NamePlace, String>,
        references: &mut References,
    ) -> Result<(), Diagnostic> {
        let doubtful = (0..references.places.len()).filter(|at| {
            let place = &references.places[*at];
            place.verdict == Verdict::Unsure && place.reason.as_ref() == Some(&self.left_out())
        });
        let doubtful: Vec<usize> = doubtful.collect();
        if doubtful.is_empty() {
            return Ok(());
        }
        let mut places: BTreeMap<RepoPath, Vec<RenamedPlace>> = BTreeMap::new();
        for (place, text) in written {
            let renamed = RenamedPlace {
                span: place.span,
                to: Rc::from(text.as_str()),
            };
            places.entry(place.path.clone()).or_default().push(renamed);
        }
        let asked = doubtful.iter().map(|at| {
            let place = &references.places[*at];
            AskedPlace::of(&place.path, place.span, &self.word)
        });
        let asked: Vec<AskedPlace> = asked.collect();
        let Meanings { meanings, .. } = self.meanings(&places, &asked, false)?;
        for (at, meaning) in doubtful.into_iter().zip(meanings) {
            // The key that is written out may come along.
            let mut expected = meaning.expected.iter();
            if expected.all(|place| meaning.found.contains(place)) {
                let place = &mut references.places[at];
                (place.verdict, place.reason) = (Verdict::Other, None);
            }
        }
        Ok(())
    }

    /// Returns of each of `asked` where it is defined once `places` are renamed, and if asked for where what is renamed is used then.
    fn meanings(
        &self,
        places: &BTreeMap<RepoPath, Vec<RenamedPlace>>,
        asked: &[AskedPlace],
        asks_for_uses: bool,
    ) -> Result<Meanings, Diagnostic> {
        let after = RenamedFiles::of(self, places);
        let then = |place: &NamePlace, says: &str| NamePlace {
            path: place.path.clone(),
            span: after.shifted(&place.path, place.span, says),
        };
        let now: Vec<NamePlace> = asked.iter().map(|it| it.place.clone()).collect();
        let before = self.service.definitions(self.server, &now)?;
        self.show(&after.changed)?;
        let moved = asked.iter().map(|it| then(&it.place, &it.says));
        let moved: Vec<NamePlace> = moved.collect();
        let found = self.service.definitions(self.server, &moved);
        let uses = match asks_for_uses {
            true => {
                let own = places.get(&self.place.path).into_iter().flatten();
                let to = own.into_iter().find(|it| it.span == self.place.span);
                let says = to.map_or(self.word.as_str(), |it| &*it.to);
                let uses = self.service.uses(self.server, &then(&self.place, says));
                // One that does not list uses has nothing to say of them.
                match uses {
                    Err(error) if error.code == Code::NotCertain => Ok(Vec::new()),
                    uses => uses,
                }
            }
            false => Ok(Vec::new()),
        };
        // Other renames of the batch are of the same snapshot.
        self.show(&[])?;
        let found = found?;
        let meaning = |((at, asked), before): ((usize, &AskedPlace), Vec<DefinedAt>)| {
            let expected = before.into_iter().map(|defined| match defined {
                DefinedAt::Shown(place) => DefinedAt::Shown(then(&place, &asked.says)),
                other => other,
            });
            let mut expected: Vec<DefinedAt> = expected.collect();
            let mut found = found[at].clone();
            expected.sort();
            found.sort();
            Meaning {
                place: moved[at].clone(),
                expected,
                found,
            }
        };
        let meanings = asked.iter().enumerate().zip(before).map(meaning);
        Ok(Meanings {
            meanings: meanings.collect(),
            uses: uses?,
        })
    }
}

/// What becomes of the meanings of places.
struct Meanings {
    meanings: Vec<Meaning>,
    /// Where what is renamed is used afterwards.
    uses: Vec<DefinedAt>,
}

/// Where a place is defined after a rename.
struct Meaning {
    /// Where it is then.
    place: NamePlace,
    /// Where it was, as that is then.
    expected: Vec<DefinedAt>,
    found: Vec<DefinedAt>,
}

/// A place whose meaning is compared, and the word that is there afterwards.
struct AskedPlace {
    place: NamePlace,
    says: String,
}

impl AskedPlace {
    fn of(path: &RepoPath, span: Span, says: &str) -> AskedPlace {
        AskedPlace {
            place: NamePlace {
                path: path.clone(),
                span,
            },
            says: says.to_owned(),
        }
    }
}
