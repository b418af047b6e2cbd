//! What a server says of each place: named, elsewhere, or nothing that is certain.

use std::collections::{BTreeMap, BTreeSet};

use super::survey::{IN_TEXT, WordSurvey};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::plan::name_service::{DefinedAt, NamePlace};
use crate::plan::rename::named::address_around;
use crate::references::{Reference, References, Verdict};
use crate::resolve::{Document, Reading};
use crate::text::Span;

impl NamePlace {
    pub(super) fn of(reference: &Reference) -> NamePlace {
        NamePlace {
            path: reference.path.clone(),
            span: reference.span,
        }
    }
}

impl WordSurvey<'_> {
    /// Returns every place with its verdict, of which the server has `named` some.
    pub(super) fn references(&self, mut named: Vec<NamePlace>) -> Result<References, Diagnostic> {
        named.sort();
        let is_named = |place: &NamePlace| named.binary_search(place).is_ok();
        // A string may hold code: `"$name"`.
        let texts = self
            .mentions
            .iter()
            .filter(|(_, why)| *why == Some(IN_TEXT));
        let texts = texts.map(|(place, _)| place.clone());
        let mut asked = self.code_places();
        let of_code = asked.len();
        asked.extend(texts);
        let found = self.service.definitions(self.server, &asked)?;
        let definitions: BTreeMap<&NamePlace, &Vec<DefinedAt>> = asked.iter().zip(&found).collect();
        let ours = self.led_to(&definitions, &is_named);
        let mut told: BTreeMap<NamePlace, (Verdict, Option<String>)> = BTreeMap::new();
        for (place, defined) in asked[..of_code].iter().zip(&found) {
            let verdict = match is_named(place) {
                true => (Verdict::Certain, None),
                false => self.verdict(place, defined, (&ours, &is_named)),
            };
            told.insert(place.clone(), verdict);
        }
        for (place, why) in &self.mentions {
            let defined = definitions.get(place).map_or(&[][..], |defined| defined);
            let verdict = match (
                is_named(place),
                self.verdict(place, defined, (&ours, &is_named)),
            ) {
                (true, _) => (Verdict::Certain, None),
                (false, doubt @ (Verdict::Unsure, _)) if !defined.is_empty() => doubt,
                (false, _) => (Verdict::Mention, why.map(str::to_owned)),
            };
            told.insert(place.clone(), verdict);
        }
        self.doubt_declarations(&mut told);
        if told
            .get(&self.place)
            .is_none_or(|it| it.0 != Verdict::Certain)
        {
            let message = format!(
                "the language server `{}` does not know `{}`",
                shown(self.server),
                shown(&self.address)
            );
            return Err(Diagnostic::new(Code::NotCertain, message));
        }
        Ok(References {
            address: self.address.clone(),
            word: self.word.clone(),
            places: self.described(told),
            doubts: Vec::new(),
        })
    }

    /// Doubts what the file beside says of the definition, where one of them declares what the other has: `a.d.ts` and `a.js`. A server takes
    /// them for two.
    fn doubt_declarations(&self, told: &mut BTreeMap<NamePlace, (Verdict, Option<String>)>) {
        let own = &self.place.path;
        let is_beside = |path: &RepoPath| {
            let (one, other) = (declared_by(own), declared_by(path));
            one.is_some_and(|it| it == path.as_str()) || other.is_some_and(|it| it == own.as_str())
        };
        for (place, (verdict, why)) in told.iter_mut() {
            let is_code = *verdict == Verdict::Other;
            if is_code && place.path != *own && is_beside(&place.path) {
                *verdict = Verdict::Unsure;
                *why = Some(format!(
                    "{} says what is in {own}, or the other way round",
                    place.path
                ));
            }
        }
    }

    /// Returns the places that the server named and those where they are defined: of C, where a header announces what is defined elsewhere.
    fn led_to(
        &self,
        definitions: &BTreeMap<&NamePlace, &Vec<DefinedAt>>,
        is_named: &impl Fn(&NamePlace) -> bool,
    ) -> BTreeSet<NamePlace> {
        let named = definitions.iter().filter(|(place, _)| is_named(place));
        let mut ours = BTreeSet::new();
        for (place, defined) in named {
            ours.insert((*place).clone());
            // It leads to what the key is and to what its value is.
            if self.is_short_form(place) {
                continue;
            }
            let shown = defined.iter().filter_map(|place| match place {
                DefinedAt::Shown(place) => Some(place.clone()),
                DefinedAt::Unshown(_) | DefinedAt::Outside(_) => None,
            });
            ours.extend(shown);
        }
        ours
    }

    /// Returns the verdict on a word that the server left out, by where it says that it is defined.
    fn verdict(
        &self,
        place: &NamePlace,
        defined: &[DefinedAt],
        (ours, is_named): (&BTreeSet<NamePlace>, &impl Fn(&NamePlace) -> bool),
    ) -> (Verdict, Option<String>) {
        let is_ours =
            |place: &DefinedAt| matches!(place, DefinedAt::Shown(place) if ours.contains(place));
        let leads_there =
            |place: &DefinedAt| matches!(place, DefinedAt::Shown(place) if is_named(place));
        let why = if ours.contains(place) {
            format!(
                "`{}` says that others lead here, and leaves it out",
                self.server
            )
        } else if defined.is_empty() {
            format!("`{}` does not say what it is", self.server)
        } else if defined.iter().any(leads_there) {
            self.left_out()
        } else if defined.iter().any(is_ours) {
            format!(
                "`{}` says that it leads to what others lead to",
                self.server
            )
        } else if self.may_have_to_fit(place, defined) {
            "what it is a member of may be taken for the same by what it has".to_owned()
        } else {
            return (Verdict::Other, None);
        };
        (Verdict::Unsure, Some(why))
    }

    /// Says whether both a place and what is renamed are members, where a value is of a type if it has the members of that: an object with the
    /// key may be handed to who asks for the type. What is defined in libraries is taken to be its own.
    fn may_have_to_fit(&self, place: &NamePlace, defined: &[DefinedAt]) -> bool {
        let is_member = |place: &NamePlace| {
            let file = self.files.get(&place.path);
            file.is_some_and(|file| file.properties.contains(&place.span))
        };
        let may_fit = |place: &DefinedAt| matches!(place, DefinedAt::Shown(place) if !self.is_of_its_class_at(place));
        (is_member(place) || self.is_short_form(place))
            && is_member(&self.place)
            && !self.is_of_its_class
            && defined.iter().any(may_fit)
    }

    /// Returns why a place is doubtful that leads to those that change.
    pub(super) fn left_out(&self) -> String {
        format!(
            "`{}` says that it leads to them, and leaves it out",
            self.server
        )
    }

    /// Returns the places as they are told.
    fn described(&self, told: BTreeMap<NamePlace, (Verdict, Option<String>)>) -> Vec<Reference> {
        let mut by_path: BTreeMap<RepoPath, Vec<(Span, Verdict, Option<String>)>> = BTreeMap::new();
        for (place, (verdict, reason)) in told {
            let places = by_path.entry(place.path).or_default();
            places.push((place.span, verdict, reason));
        }
        let mut described = Vec::new();
        for (path, places) in by_path {
            let bytes = self.project.files.get(&path).cloned().unwrap_or_default();
            let document = Document::new(path.clone(), bytes, self.hash);
            let is_read = self.files.contains_key(&path);
            let reading = Reading::of(&document);
            for (span, verdict, reason) in places {
                let place = Reference::at(&path, &document.bytes, document.lines(), span, Ok(()));
                described.push(Reference {
                    address: match is_read {
                        true => address_around(&reading, span),
                        false => path.to_string(),
                    },
                    verdict,
                    reason,
                    is_changed: false,
                    ..place
                });
            }
        }
        described
    }

    /// Doubts places in which one word is two names, of which one is renamed: `{name}` of JavaScript.
    pub(super) fn doubt_short_forms(
        &self,
        written: &BTreeMap<NamePlace, String>,
        found: &mut References,
    ) {
        for place in found.places.iter_mut() {
            let own = NamePlace::of(place);
            let is_plain = written.get(&own).is_some_and(|text| !text.contains(':'));
            if is_plain && self.is_short_form(&own) && place.verdict == Verdict::Certain {
                place.verdict = Verdict::Unsure;
                let why = "one word for a key and its value, and only one of them is renamed";
                place.reason = Some(why.to_owned());
            }
        }
    }

    fn is_short_form(&self, place: &NamePlace) -> bool {
        let file = self.files.get(&place.path);
        file.is_some_and(|file| file.short_forms.contains(&place.span))
    }
}

/// Returns the script that a file of declarations beside it is of: `a.js` of `a.d.ts`.
fn declared_by(path: &RepoPath) -> Option<String> {
    let endings = [(".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")];
    let mut endings = endings.iter();
    endings.find_map(|(declared, script)| {
        let stem = path.as_str().strip_suffix(declared)?;
        Some(format!("{stem}{script}"))
    })
}
