//! `RenamedFiles`: the files as they would be after a rename.

use std::collections::BTreeMap;

use super::survey::WordSurvey;
use crate::path::RepoPath;
use crate::references::{RenamedPlace, places_of};
use crate::snapshot::Blob;
use crate::text::Span;

/// The files that a rename changes, as they would be.
pub(super) struct RenamedFiles<'p> {
    /// Those that the server answers for.
    pub(super) changed: Vec<(&'p RepoPath, Blob)>,
    places: BTreeMap<&'p RepoPath, Vec<&'p RenamedPlace>>,
}

impl<'p> RenamedFiles<'p> {
    /// Returns those in which `places` say something else.
    pub(super) fn of(
        survey: &WordSurvey<'_>,
        places: &'p BTreeMap<RepoPath, Vec<RenamedPlace>>,
    ) -> RenamedFiles<'p> {
        let mut files = RenamedFiles {
            changed: Vec::new(),
            places: BTreeMap::new(),
        };
        for (path, places) in places {
            let mut places: Vec<&RenamedPlace> = places.iter().collect();
            places.sort_by_key(|place| place.span);
            if survey.files.contains_key(path) {
                let new = rewritten(survey.bytes(path), &places);
                files.changed.push((path, new));
            }
            files.places.insert(path, places);
        }
        files
    }

    /// Returns where something in the file at `path` is afterwards: of a short form that is written out, where `says` is in it.
    pub(super) fn shifted(&self, path: &RepoPath, span: Span, says: &str) -> Span {
        let places = self.places.get(path).map_or(&[][..], |places| places);
        let mut start = span.start;
        let mut len = span.len();
        for place in places {
            if place.span.end <= span.start {
                start = start + place.to.len() - place.span.len();
            } else if place.span == span {
                len = place.to.len();
            }
        }
        let written_out = places.iter().find(|it| it.span == span && *it.to != *says);
        let inside = written_out.and_then(|it| places_of(says, it.to.as_bytes()).first().copied());
        match inside {
            Some(inside) => Span::new(start + inside.start, start + inside.end),
            None => Span::new(start, start + len),
        }
    }
}

/// Returns a file in which `places`, in file order, say something else.
fn rewritten(bytes: &[u8], places: &[&RenamedPlace]) -> Blob {
    let mut new = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for place in places {
        new.extend_from_slice(Span::new(from, place.span.start).of(bytes));
        new.extend_from_slice(place.to.as_bytes());
        from = place.span.end;
    }
    new.extend_from_slice(Span::new(from, bytes.len()).of(bytes));
    new.into()
}
