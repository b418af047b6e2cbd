//! `SetOutside`: which attributes are set of something else than `self`, and in which files, told by their bytes.

use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::facts::FileId;
use super::sources::Sources;
use super::words::is_letter;
use crate::parallel;

/// Calls by which attributes are set, and so many bytes behind which their name is looked for.
const SETTERS: [&[u8]; 3] = [b"setattr(", b".object(", b"patch("];
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

    /// Returns the files that seem to set an attribute called `name`.
    pub(super) fn files_setting(&self, name: &str) -> &[FileId] {
        self.files.get(name.as_bytes()).map_or(&[], |files| files)
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
            // With the module, where it is one text: `"app.Client"`.
            let name = first_quoted(rest).and_then(|text| text.rsplit(|byte| *byte == b'.').next());
            names.extend(name.map(<[u8]>::to_vec));
        }
    }
    for at in memmem::find_iter(bytes, b".multiple(") {
        let rest = &bytes[at..];
        let rest = &rest[..rest.len().min(MOST_BEFORE_NAME)];
        for equals in memchr_iter(b'=', rest) {
            let ahead = rest[..equals].trim_ascii_end();
            let len = ahead
                .iter()
                .rev()
                .take_while(|byte| is_letter(**byte))
                .count();
            names.push(ahead[ahead.len() - len..].to_vec());
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
    let is_annotated = || memchr(b':', targets).is_some();
    if !is_attribute() && !is_list() && !is_annotated() {
        return;
    }
    for dot in memchr_iter(b'.', targets) {
        let name = &targets[dot + 1..];
        let len = name.iter().take_while(|byte| is_letter(**byte)).count();
        let ends = name.get(len);
        let is_target = len > 0 && ends.is_none_or(|byte| b" ,)]:".contains(byte));
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
        check("with patch('app.Client', Fake): ...\n", &["Client"]);
        check("s.client: Fake = Fake()\n", &["client"]);
        check(
            "patch.multiple(app, Client=Fake, x = 1)\n",
            &["Client", "x"],
        );
    }
}
