//! Attributes that are set from outside of their classes, and globals from outside of their modules: `service.client = Cached()` in a
//! test. What a class itself says of `client` is not all there is then.

use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::analysis::Analysis;
use super::facts::{FileId, NameLeads, ScopePlace, Thing, Things};
use super::sources::Sources;
use super::words::is_letter;
use crate::parallel;
use crate::syntax::python::{AttributeStore, ExpressionId, UsedExpression};

/// What takes any name, whatever it stands for.
const MOCKS: [&str; 7] = [
    "AsyncMock",
    "MagicMock",
    "Mock",
    "NonCallableMagicMock",
    "NonCallableMock",
    "create_autospec",
    "sentinel",
];

/// Calls by which attributes are set, and so many bytes behind which their name is looked for.
const SETTERS: [&[u8]; 2] = [b"setattr(", b".object("];
const MOST_BEFORE_NAME: usize = 200;

/// By the name of an attribute, the files that seem to set it of something else than `self`.
#[derive(Debug, Default)]
pub(super) struct SetOutside {
    files: HashMap<Vec<u8>, Vec<FileId>>,
}

impl SetOutside {
    /// Looks through the bytes of all files of Python, of which none is parsed.
    pub(super) fn of(sources: &Sources) -> SetOutside {
        let files = sources.ids().filter(|file| sources.is_python(*file));
        let found = parallel::map(files.collect(), |file| {
            (file, names_set(sources.bytes(file)))
        });
        let mut set = SetOutside::default();
        for (file, names) in found {
            for name in names {
                set.files.entry(name).or_default().push(file);
            }
        }
        set
    }
}

impl Analysis {
    /// Adds what a name of a class or module is set to from outside of it.
    pub(super) fn add_set_outside(&self, place: ScopePlace, name: &str, things: &mut Things) {
        for (file, store) in self.stores_of(name) {
            let receivers = self.things_of(file, store.receiver);
            let is_it = receivers.known.iter().any(|thing| match thing {
                Thing::Class(class) | Thing::Instance(class) => {
                    let leads = self.leads_of_attribute(*class, name, false);
                    let mut entities = leads.entities.iter();
                    entities.any(|it| (it.file, it.scope) == place)
                }
                Thing::Module(module) => place.1 == 0 && module.files.contains(&place.0),
                _ => false,
            });
            if is_it {
                things.add(self.things_stored(file, store));
            }
        }
    }

    /// Adds what `name` leads to of what is surely set as `attribute` of something that is not known: it may be what is asked.
    pub(super) fn add_set_somewhere(&self, attribute: &str, name: &str, leads: &mut NameLeads) {
        for (file, store) in self.stores_of(attribute) {
            let receivers = self.things_of(file, store.receiver);
            if !receivers.is_open && !receivers.known.is_empty() {
                continue;
            }
            for thing in self.things_stored(file, store).known {
                if let Thing::Instance(class) = thing {
                    let found = self.leads_of_attribute(class, name, false);
                    if found.doubt.is_none() {
                        leads.add(found);
                    }
                }
            }
        }
    }

    fn things_stored(&self, file: FileId, store: &AttributeStore) -> Things {
        match store.value {
            Some(value) if self.is_mock(file, value) => Things::default(),
            Some(value) => self.things_of(file, value),
            None => Things::anything(),
        }
    }

    fn is_mock(&self, file: FileId, value: ExpressionId) -> bool {
        let names = self.names(file);
        let UsedExpression::Call { callee, .. } = names.expression(value) else {
            return false;
        };
        let word = names.last_word(*callee);
        word.is_some_and(|word| MOCKS.contains(&word))
    }

    /// Returns where an attribute called `name` is set of something else than `self`.
    fn stores_of(&self, name: &str) -> Vec<(FileId, &AttributeStore)> {
        let set = self
            .set_outside
            .get_or_init(|| SetOutside::of(&self.sources));
        let files = set.files.get(name.as_bytes());
        let files = files.map_or(&[][..], |files| files);
        let sources = &*self.sources;
        let read = |file: FileId| (file, sources.names(file));
        let all = parallel::map(files.to_vec(), read).into_iter();
        let stores = all.flat_map(|(file, names)| names.stores.iter().map(move |it| (file, it)));
        stores.filter(|(_, store)| store.name == name).collect()
    }
}

/// Returns the names of attributes that a file seems to set of something else than `self`: too many rather than too few.
fn names_set(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for equals in memchr_iter(b'=', bytes) {
        let ahead = equals.checked_sub(1).and_then(|at| bytes.get(at));
        // `==`, `<=`, `x.count += 1`: what that gives is a number or unknown to whoever reads it.
        let is_other = bytes.get(equals + 1) == Some(&b'=')
            || ahead.is_some_and(|byte| b"=!<>+-*/%&|^@:".contains(byte));
        if !is_other {
            let line = memrchr(b'\n', &bytes[..equals]).map_or(0, |at| at + 1);
            add_targets(&bytes[line..equals], &mut names);
        }
    }
    for setter in SETTERS {
        for at in memmem::find_iter(bytes, setter) {
            let rest = &bytes[at + setter.len()..];
            let rest = &rest[..rest.len().min(MOST_BEFORE_NAME)];
            names.extend(first_quoted(rest).map(<[u8]>::to_vec));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Adds the names of attributes in what is assigned to.
fn add_targets(targets: &[u8], names: &mut Vec<Vec<u8>>) {
    let targets = targets.trim_ascii();
    let is_attribute = || {
        let before = targets.iter().rposition(|byte| !is_letter(*byte));
        before.is_some_and(|at| targets[at] == b'.')
    };
    // What is within a call are arguments.
    let is_list = || {
        let is_in_brackets = matches!(targets.first(), Some(b'(' | b'['));
        memchr(b',', targets).is_some() && (is_in_brackets || memchr(b'(', targets).is_none())
    };
    if !is_attribute() && !is_list() {
        return;
    }
    for dot in memchr_iter(b'.', targets) {
        let name = &targets[dot + 1..];
        let len = name.iter().take_while(|byte| is_letter(**byte)).count();
        let ends = name.get(len);
        let is_target = len > 0 && ends.is_none_or(|byte| b" ,)]".contains(byte));
        if is_target && !is_of_self(&targets[..dot]) {
            names.push(name[..len].to_vec());
        }
    }
}

fn is_of_self(receiver: &[u8]) -> bool {
    let rest = receiver.strip_suffix(b"self");
    rest.is_some_and(|rest| {
        rest.last()
            .is_none_or(|byte| !is_letter(*byte) && *byte != b'.')
    })
}

/// Returns the first text in quotes.
fn first_quoted(bytes: &[u8]) -> Option<&[u8]> {
    let start = bytes.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let inside = &bytes[start + 1..];
    let end = inside.iter().position(|byte| *byte == bytes[start])?;
    Some(&inside[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_are_set_are_found_in_the_bytes() {
        let check = |text: &str, expected: &[&str]| {
            let found = names_set(text.as_bytes());
            let found: Vec<&str> = found
                .iter()
                .map(|it| std::str::from_utf8(it).unwrap())
                .collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("s.client = 1\n", &["client"]);
        check("    s().a[0].client=1\n", &["client"]);
        check("if f(x): s.client = 1\n", &["client"]);
        check("a.b = c.d = 1\n", &["b", "d"]);
        check("s.client, x = 1, 2\n", &["client"]);
        check(
            "(x, s.client) = [s.other, t.more] = y\n",
            &["client", "more", "other"],
        );
        check("self.other.client = 1\n", &["client"]);
        check("myself.client = 1\n", &["client"]);
        check(
            "self.client = 1\nf(s.client, x=1)\nf(s.x, client=s.y)\n",
            &[],
        );
        check(
            "s.client == 1 or s.client <= 2\ns.client[0] = 1\ns.client += 1\nx = s.client\n",
            &[],
        );
        check("setattr(\n    s, 'client', 1)\n", &["client"]);
        check("with patch.object(s, \"client\", 1): ...\n", &["client"]);
        check("setattr(s, name, 1)\n", &[]);
    }
}
