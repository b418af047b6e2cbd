//! What means something else once the name is another: each file is read as it would be, and compared name by name with what it is.

use std::collections::{BTreeMap, BTreeSet};

use super::leads::{Follow, Lead};
use super::survey::ScriptSurvey;
use crate::references::facts::FileId;
use crate::references::renaming::{RenamedPlace, Renaming};
use crate::references::words::places_of;
use crate::syntax::script_names::{Receiver, ScriptNames, ScriptWord, WordRole};
use crate::text::{Lines, Span};

impl ScriptSurvey<'_> {
    /// Returns a sentence on each place that would mean something else.
    pub(super) fn clashes(&self, renaming: &Renaming, to: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (path, places) in &renaming.places {
            if let Some(file) = self.files.at(path.as_str())
                && self.files.is_script(file)
            {
                found.extend(self.clashes_in(file, places, to));
            }
        }
        match self.target.member {
            Some(_) => found.extend(self.taken_members(to)),
            None => {
                found.extend(self.taken_exports(to));
                found.extend(self.asked_of_modules(to));
            }
        }
        found.extend(self.shared_names(to));
        found
    }

    fn clashes_in(&self, file: FileId, places: &[RenamedPlace], to: &str) -> Vec<String> {
        let path = self.files.path(file);
        let bytes = self.files.bytes(file);
        let Some(old) = self.files.names(file) else {
            return Vec::new();
        };
        let changed = Rewritten::of(bytes, places);
        let Some(new) = self.files.names_in(file, &changed.bytes) else {
            return vec![format!("{path} would no longer parse")];
        };
        // `load as get` would become `get as get`, and nobody could tell the two apart to give the name back.
        for joint in [" as ", ": "] {
            let twice = format!("{to}{joint}{to}");
            let count = |bytes: &[u8]| places_of(&twice, bytes).len();
            if count(&changed.bytes) > count(bytes) {
                return vec![format!("{path} calls it `{to}` already: `{twice}`")];
            }
        }
        let lines = Lines::of(bytes);
        let mut symbols: BTreeMap<usize, usize> = BTreeMap::new();
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        let mut at_new: BTreeMap<Span, Vec<&ScriptWord>> = BTreeMap::new();
        for word in &new.words {
            at_new.entry(word.span).or_default().push(word);
        }
        let mut clashes = BTreeSet::new();
        for word in &old.words {
            let mut there = at_new.get(&changed.now(word.span)).into_iter().flatten();
            let fits = there.any(|new| means_same(word, new, (&mut symbols, &mut taken)));
            if !fits {
                let line = lines.line(word.span.start);
                clashes.insert((line, word.name.clone()));
            }
        }
        let told = clashes.into_iter().map(|(line, name)| {
            if name == self.target.word {
                format!("{path}, line {line}: `{to}` would mean something else there")
            } else {
                format!("{path}, line {line}: `{name}` would mean something else then")
            }
        });
        told.collect()
    }

    /// Returns modules that hand on something else by the new name and the old one, too.
    fn taken_exports(&self, to: &str) -> Vec<String> {
        let word = self.target.word.as_str();
        let holding = self.files.holding(&[word, "export *", "export*"]);
        let is_taken = |file: &FileId| {
            let has_other = || {
                !matches!(
                    self.files.export(*file, to, Follow::All),
                    Lead::Elsewhere | Lead::Unknown(_)
                )
            };
            self.hands_on(*file) == Some(true) && has_other()
        };
        let taken = holding.into_iter().filter(is_taken);
        taken
            .map(|file| format!("{} hands on another `{to}`", self.files.path(file)))
            .collect()
    }

    /// Returns a member of the new name beside the one that gets it.
    fn taken_members(&self, to: &str) -> Vec<String> {
        use super::target::ScriptMember::{Of, Private};
        let file = self.target.file;
        let Some(names) = self.files.names(file) else {
            return Vec::new();
        };
        let is_twin = |word: &&ScriptWord| match (&word.role, self.target.member) {
            (WordRole::Member(Receiver::Own(owner, is_static)), Some(Of(own, of_class))) => {
                word.name == to && (*owner, *is_static) == (own, of_class)
            }
            (WordRole::Short(Receiver::Own(owner, _), _), Some(Of(own, _))) => {
                word.name == to && *owner == own
            }
            (WordRole::Both(_, class), Some(Of(own, _))) => word.name == to && *class == own,
            (WordRole::Private(Some(class)), Some(Private(own))) => {
                Some(word.name.as_str()) == to.strip_prefix('#') && *class == own
            }
            (WordRole::Member(Receiver::This(owner, is_static)), Some(Of(own, of_class))) => {
                word.name == to && (*owner, *is_static) == (own, of_class)
            }
            _ => false,
        };
        if let Some(given) = self.given_elsewhere(to) {
            return vec![given];
        }
        let twin = names.words.iter().find(is_twin);
        let told = twin.map(|word| {
            let line = Lines::of(self.files.bytes(file)).line(word.span.start);
            let path = self.files.path(file);
            format!("{path}, line {line}: it has a member of that name")
        });
        told.into_iter().collect()
    }

    /// Returns where the new name is asked of, or given to, what has the member, by its name.
    fn given_elsewhere(&self, to: &str) -> Option<String> {
        use super::target::ScriptMember::{Given, Of};
        let own = self.files.names(self.target.file)?;
        let symbol = match self.target.member? {
            Of(owner, _) => own.owners.get(owner)?.symbol?,
            Given(symbol) => symbol,
            _ => return None,
        };
        let lead = self.files.lead(self.target.file, symbol, Follow::All);
        self.files.holding(&[to]).into_iter().find_map(|file| {
            let names = self.files.names(file)?;
            let is_it = |word: &&ScriptWord| match &word.role {
                WordRole::Member(Receiver::Symbol(symbol)) if word.name == to => {
                    self.files.lead(file, *symbol, Follow::All) == lead
                }
                WordRole::Member(Receiver::Own(owner, _)) if word.name == to => {
                    let owner = names.owners.get(*owner).and_then(|owner| owner.symbol);
                    owner.is_some_and(|symbol| self.files.lead(file, symbol, Follow::All) == lead)
                }
                _ => false,
            };
            let word = names.words.iter().find(is_it)?;
            let line = Lines::of(self.files.bytes(file)).line(word.span.start);
            let path = self.files.path(file);
            Some(format!("{path}, line {line}: it has a member of that name"))
        })
    }

    /// Returns files that ask a module for the new name that hands the old one on.
    fn asked_of_modules(&self, to: &str) -> Vec<String> {
        let asks = |file: FileId| {
            let names = self.files.names(file);
            let mut words = names.iter().flat_map(|names| &names.words);
            words.any(|word| {
                let module = match &word.role {
                    WordRole::Member(Receiver::Symbol(symbol)) if word.name == to => {
                        self.files.lead(file, *symbol, Follow::All)
                    }
                    _ => return false,
                };
                matches!(module, Lead::Module(module) if self.hands_on(module) == Some(true))
            })
        };
        let holding = self.files.holding(&[to]).into_iter();
        let asking = holding.filter(|file| asks(*file));
        asking
            .map(|file| format!("{} asks for another `{to}`", self.files.path(file)))
            .collect()
    }

    /// Returns files that use the new name without saying where it comes from, where all files would see the one that gets it.
    fn shared_names(&self, to: &str) -> Vec<String> {
        if !self.target.is_shared {
            return Vec::new();
        }
        let is_used = |names: &ScriptNames| {
            let mut words = names.words.iter();
            words.any(|word| {
                let is_seen = match word.role {
                    WordRole::Global => true,
                    WordRole::Bound { symbol, .. } => {
                        names.symbols[symbol].is_root && !names.is_module
                    }
                    _ => false,
                };
                word.name == to && is_seen
            })
        };
        let holding = self.files.holding(&[to]).into_iter();
        let using = holding.filter(|file| self.files.names(*file).is_some_and(is_used));
        using
            .map(|file| format!("{} uses another `{to}`", self.files.path(file)))
            .collect()
    }
}

/// Says whether a name is after the renaming what it was: of the same kind, and bound to the same.
fn means_same(
    old: &ScriptWord,
    new: &ScriptWord,
    (symbols, taken): (&mut BTreeMap<usize, usize>, &mut BTreeMap<usize, usize>),
) -> bool {
    let mut is_same = |old: usize, new: usize| {
        *symbols.entry(old).or_insert(new) == new && *taken.entry(new).or_insert(old) == old
    };
    match (&old.role, &new.role) {
        (WordRole::Bound { symbol: old, .. }, WordRole::Bound { symbol: new, .. })
        | (WordRole::Short(_, Some(old)), WordRole::Bound { symbol: new, .. })
        | (WordRole::Short(_, Some(old)), WordRole::Short(_, Some(new)))
        | (WordRole::Both(old, _), WordRole::Both(new, _)) => is_same(*old, *new),
        (WordRole::Short(_, old), WordRole::Short(_, new)) => old.is_none() && new.is_none(),
        (WordRole::Short(_, None), WordRole::Global) => true,
        (WordRole::Short(_, None), _) => false,
        (WordRole::Private(old), WordRole::Private(new)) => old == new,
        (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

/// A file after places of it were written anew.
struct Rewritten {
    bytes: Vec<u8>,
    /// Where each place was, and is.
    places: Vec<(Span, Span)>,
}

impl Rewritten {
    fn of(bytes: &[u8], places: &[RenamedPlace]) -> Rewritten {
        let mut sorted: Vec<&RenamedPlace> = places.iter().collect();
        sorted.sort_by_key(|place| place.span);
        let mut new = Vec::with_capacity(bytes.len());
        let mut moved = Vec::with_capacity(sorted.len());
        let mut from = 0;
        for place in sorted {
            new.extend_from_slice(Span::new(from, place.span.start).of(bytes));
            let start = new.len();
            new.extend_from_slice(place.to.as_bytes());
            moved.push((place.span, Span::new(start, new.len())));
            from = place.span.end;
        }
        new.extend_from_slice(bytes.get(from..).unwrap_or_default());
        Rewritten {
            bytes: new,
            places: moved,
        }
    }

    /// Returns where a word is now: of a key and its value in one word, that are written apart now, where the value is.
    fn now(&self, span: Span) -> Span {
        let at = self
            .places
            .partition_point(|(old, _)| old.end <= span.start);
        match self.places.get(at) {
            Some((old, new)) if *old == span => {
                let written = &self.bytes[new.start..new.end];
                let colon = memchr::memmem::find(written, b": ");
                colon.map_or(*new, |colon| Span::new(new.start + colon + 2, new.end))
            }
            _ => {
                let before = at.checked_sub(1).and_then(|at| self.places.get(at));
                let (was, is) = before.map_or((0, 0), |(old, new)| (old.end, new.end));
                Span::new(span.start + is - was, span.end + is - was)
            }
        }
    }
}
