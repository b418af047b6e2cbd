//! Whether an edit of a module brings anything that has to be looked into, told from the definitions that it touches alone.
//!
//! A file is cut into chunks between its definitions; those that are the same before and after are not read. Each of the others has to be a
//! module by itself, before and after: then nothing of it reaches into its neighbours, and what holds of the chunks holds of the file.
//!
//! Invariant: where either answer is no, reading all of the file would find nothing. Where it cannot be told, the answer is yes.

use std::collections::{BTreeSet, HashMap};

use super::undefined::undefined_names;
use crate::syntax::python::{ModuleNames, OccurrenceKind, UsedExpression, chunks, module_names};

/// Says whether a module may read a name then that nothing defines, and that it did not read so before.
pub(crate) fn may_leave_undefined(old: &[u8], new: &[u8]) -> bool {
    let Some(touched) = TouchedChunks::of(old, new) else {
        return true;
    };
    let read = |chunks: &[(&[u8], ModuleNames)]| -> Option<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for (bytes, names) in chunks {
            let undefined = undefined_names(names, bytes)?;
            found.extend(undefined.into_iter().map(|it| it.name.to_owned()));
        }
        Some(found)
    };
    let bound = |chunks: &[(&[u8], ModuleNames)]| -> BTreeSet<String> {
        let modules = chunks.iter().map(|(_, names)| &names.scopes[0].names);
        modules.flat_map(|names| names.keys().cloned()).collect()
    };
    // Where a part may define anything, so may the whole: nothing is undefined in it, nor new to it.
    let (Some(before), Some(after)) = (read(&touched.gone), read(&touched.came)) else {
        return false;
    };
    let now = bound(&touched.came);
    if !bound(&touched.gone).is_subset(&now) {
        return true;
    }
    let unknown = |name: &&String| !now.contains(*name) && !is_defined_on_a_line(new, name);
    after.difference(&before).any(|name| unknown(&name))
}

/// Says whether a module may use something then in a way in which it did not use it before: anything but other values, texts, operators
/// and comments.
pub(crate) fn may_use_anew(old: &[u8], new: &[u8]) -> bool {
    let Some(touched) = TouchedChunks::of(old, new) else {
        return true;
    };
    touched.gone.len() != touched.came.len()
        || touched
            .gone
            .iter()
            .zip(&touched.came)
            .any(|((_, gone), (_, came))| !uses_alike(gone, came))
}

/// The chunks that one file has and the other has not, each read by itself.
struct TouchedChunks<'b> {
    gone: Vec<(&'b [u8], ModuleNames)>,
    came: Vec<(&'b [u8], ModuleNames)>,
}

impl<'b> TouchedChunks<'b> {
    /// Returns them; `None` where one of them is no module by itself, or they are so much of the files that reading those is no dearer.
    fn of(old: &'b [u8], new: &'b [u8]) -> Option<TouchedChunks<'b>> {
        let (gone, came) = different(chunks(old), chunks(new));
        let size = |chunks: &[&[u8]]| chunks.iter().map(|chunk| chunk.len()).sum::<usize>();
        if size(&gone) + size(&came) > new.len() {
            return None;
        }
        let read = |chunks: Vec<&'b [u8]>| -> Option<Vec<(&'b [u8], ModuleNames)>> {
            let read = chunks.into_iter().map(|chunk| {
                let names = module_names(chunk);
                names.is_sound.then_some((chunk, names))
            });
            read.collect()
        };
        Some(TouchedChunks {
            gone: read(gone)?,
            came: read(came)?,
        })
    }
}

/// Returns the chunks of each file that the other has not.
fn different<'b>(old: Vec<&'b [u8]>, new: Vec<&'b [u8]>) -> (Vec<&'b [u8]>, Vec<&'b [u8]>) {
    if old.len() == new.len() {
        let pairs = old.into_iter().zip(new);
        return pairs.filter(|(one, other)| one != other).unzip();
    }
    let mut counted: HashMap<&[u8], usize> = HashMap::new();
    for chunk in &old {
        *counted.entry(chunk).or_default() += 1;
    }
    let mut came = Vec::new();
    for chunk in new {
        match counted.get_mut(chunk) {
            Some(left) if *left > 0 => *left -= 1,
            _ => came.push(chunk),
        }
    }
    // Of several alike it is the last that went.
    let mut gone: Vec<&[u8]> = Vec::new();
    for chunk in old.into_iter().rev() {
        if let Some(left) = counted.get_mut(chunk).filter(|left| **left > 0) {
            *left -= 1;
            gone.push(chunk);
        }
    }
    gone.reverse();
    (gone, came)
}

/// Says whether a line of the module itself defines or imports `name`, by that alone.
fn is_defined_on_a_line(bytes: &[u8], name: &str) -> bool {
    memchr::memmem::find_iter(bytes, name.as_bytes()).any(|at| {
        let start = bytes[..at]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |line| line + 1);
        let ahead = &bytes[start..at];
        let ends = |byte: Option<&u8>| !byte.is_some_and(|byte| super::words::is_letter(*byte));
        let is_definition = [&b"def "[..], b"class ", b"async def "].contains(&ahead);
        if is_definition {
            return ends(bytes.get(at + name.len()));
        }
        if !(ahead.starts_with(b"import ") || ahead.starts_with(b"from ")) {
            return false;
        }
        let end = bytes[at..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |end| at + end);
        let names = module_names(&bytes[start..end]);
        names.is_sound && names.scopes[0].names.contains_key(name)
    })
}

/// Says whether two readings of a chunk differ in nothing that says what is used, and how.
fn uses_alike(one: &ModuleNames, other: &ModuleNames) -> bool {
    let is_same_scope = || {
        one.scopes.len() == other.scopes.len()
            && one.scopes.iter().zip(&other.scopes).all(|(one, other)| {
                let parameters = |scope: &crate::syntax::python::NameScope| {
                    let header = scope.function.as_ref();
                    header.map(|it| (it.parameters.clone(), it.is_async, it.yields))
                };
                (one.kind, &one.name, one.parent) == (other.kind, &other.name, other.parent)
                    && parameters(one) == parameters(other)
            })
    };
    let is_same_occurrence = || {
        one.occurrences.len() == other.occurrences.len()
            && one
                .occurrences
                .iter()
                .zip(&other.occurrences)
                .all(|(one, other)| {
                    (&one.name, one.scope) == (&other.name, other.scope)
                        && alike_occurrence(&one.kind, &other.kind)
                })
    };
    let is_same_expression = || {
        one.expressions.len() == other.expressions.len()
            && one
                .expressions
                .iter()
                .zip(&other.expressions)
                .all(|(one, other)| alike_expression(one, other))
    };
    is_same_scope()
        && is_same_occurrence()
        && is_same_expression()
        && one.exports == other.exports
        && one.exports_more == other.exports_more
}

fn alike_occurrence(one: &OccurrenceKind, other: &OccurrenceKind) -> bool {
    // They have no places of the file.
    format!("{one:?}") == format!("{other:?}")
}

/// Says whether two expressions are the same, wherever they are.
fn alike_expression(one: &UsedExpression, other: &UsedExpression) -> bool {
    match (one, other) {
        (
            UsedExpression::Name {
                name,
                scope,
                narrowed,
                ..
            },
            UsedExpression::Name {
                name: other_name,
                scope: other_scope,
                narrowed: other_narrowed,
                ..
            },
        ) => (name, scope, narrowed) == (other_name, other_scope, other_narrowed),
        (UsedExpression::Name { .. }, _) | (_, UsedExpression::Name { .. }) => false,
        // Of the others none says where it is.
        _ => format!("{one:?}") == format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::references::{Analysis, Misuse, Sources};

    const OLD: &str = "import os\nfrom sys import argv, path\n\nLIMIT = 3\n\n\ndef helper(a):\n    return a\n\n\n\
        def run(data):\n    total = helper(data) + 1\n    return os.path.join(total, \"a\")\n\n\n\
        class A:\n    size = 1\n\n    def f(self):\n        return self.size\n\n\n\
        def last():\n    return LIMIT\n";

    fn with(old: &str, new: &str) -> String {
        assert!(OLD.contains(old), "{old}");
        OLD.replace(old, new)
    }

    #[test]
    fn what_reads_nothing_unknown_needs_no_look() {
        let check = |old: &str, new: &str, expected: bool| {
            let made = with(old, new);
            let told = may_leave_undefined(OLD.as_bytes(), made.as_bytes());
            assert_eq!(told, expected, "{new}");
        };
        check("+ 1", "+ 2", false);
        check("helper(data) + 1", "helper(helper(data))", false);
        // Defined elsewhere in the file: by a line of its own, by an import.
        check("helper(data) + 1", "last()", false);
        check("helper(data) + 1", "argv[0]", false);
        check("helper(data) + 1", "A()", false);
        // What is bound in other ways is left to who reads all.
        check("helper(data) + 1", "LIMIT", true);
        check("helper(data) + 1", "helprr(data)", true);
        check("total = helper(data) + 1", "pass", true);
        // A definition that others may read goes.
        check("def last():\n    return LIMIT\n", "\n", true);
        check("def helper(a)", "def helped(a)", true);
        check(
            "def helper(a):\n    return a\n",
            "def helper(a):\n    exec(a)\n    return helprr\n",
            false,
        );
    }

    #[test]
    fn what_uses_nothing_in_another_way_needs_no_look() {
        let check = |old: &str, new: &str, expected: bool| {
            let made = with(old, new);
            let told = may_use_anew(OLD.as_bytes(), made.as_bytes());
            assert_eq!(told, expected, "{new}");
        };
        check("+ 1", "- 2", false);
        check("+ 1", "- 2.5", true);
        check("\"a\"", "'something longer'", false);
        check("return self.size", "return self.size  # all", false);
        check("return self.size", "return self.sizes", true);
        check("helper(data)", "helper(data, 1)", true);
        check("helper(data)", "helper(a=data)", true);
        check("def helper(a)", "def helper(a, b)", true);
        check("def helper(a)", "def helper(a=1)", true);
        check("size = 1", "width = 1", true);
        check("def last", "def first():\n    pass\n\n\ndef last", true);
        check("import os\n", "import os, re\n", true);
    }

    /// Returns `bytes` with a word, or a line, that is another: picked by `random`, which gives a number below its argument.
    fn disturbed(bytes: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let word_at = |at: usize| {
            let start = bytes[..at].iter().rposition(|byte| !is_of_word(byte));
            let start = start.map_or(0, |before| before + 1);
            let length = bytes[start..]
                .iter()
                .take_while(|byte| is_of_word(byte))
                .count();
            start..start + length
        };
        let one = word_at(random(bytes.len()));
        let other = word_at(random(bytes.len()));
        match random(4) {
            0 => [&bytes[..one.end], b"x", &bytes[one.end..]].concat(),
            1 => {
                let line = bytes[..one.start].iter().rposition(|byte| *byte == b'\n');
                let start = line.map_or(0, |at| at + 1);
                let end = bytes[one.end..].iter().position(|byte| *byte == b'\n');
                let end = end.map_or(bytes.len(), |at| one.end + at + 1);
                [&bytes[..start], &bytes[end..]].concat()
            }
            _ => [&bytes[..one.start], &bytes[other], &bytes[one.end..]].concat(),
        }
    }

    #[test]
    fn real_files_tell_no_more_where_nothing_is_to_be_looked_at() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % u64::try_from(below.max(1)).unwrap()).unwrap()
        };
        let path = crate::path::RepoPath::parse("m.py").unwrap();
        let misused = |bytes: &[u8]| {
            let mut sources = Sources::default();
            sources.add(path.clone(), bytes.to_vec().into());
            Analysis::over(Arc::new(sources)).misuses(&path)
        };
        // What is `None` may define anything: nothing is told of it, nor of what comes after it.
        let unknown = |bytes: &[u8]| -> Option<BTreeSet<String>> {
            let names = module_names(bytes);
            let found = undefined_names(&names, bytes).filter(|_| names.is_sound)?;
            Some(found.into_iter().map(|it| it.name.to_owned()).collect())
        };
        let (mut tried, mut unread, mut unused) = (0, 0, 0);
        let files = crate::syntax::python::tests::files();
        // All files are tried, each the more often the fewer they are.
        let times = (15_000 / files.len().max(1)).clamp(4, 40);
        for (file, old) in files {
            if old.len() >= 60_000 || old.is_empty() {
                continue;
            }
            let was = unknown(&old);
            let misused_before = misused(&old);
            for _ in 0..times {
                let new = disturbed(&old, &mut random);
                let now = unknown(&new);
                tried += 1;
                let say = || format!("{}:\n{}", file.display(), String::from_utf8_lossy(&new));
                if !may_leave_undefined(&old, &new) {
                    unread += 1;
                    let told = now.zip(was.as_ref());
                    assert!(
                        told.is_none_or(|(now, was)| now.is_subset(was)),
                        "{}",
                        say()
                    );
                }
                if !may_use_anew(&old, &new) {
                    unused += 1;
                    let is_known =
                        |it: &Misuse| misused_before.iter().any(|known| known.is_like(it));
                    assert!(misused(&new).iter().all(is_known), "{}", say());
                }
            }
        }
        eprintln!("{tried} edits, of {unread} no names, of {unused} no uses had to be looked at");
        assert!(unread > 50 && unused > 10, "{unread}, {unused} of {tried}");
    }

    #[test]
    fn quotes_that_meet_over_others_are_seen() {
        let made = with("return a\n", "return a\n\"\"\"\n");
        let made = made.replace("return LIMIT", "return \"\"\"LIMIT");
        assert!(may_leave_undefined(OLD.as_bytes(), made.as_bytes()));
        assert!(may_use_anew(OLD.as_bytes(), made.as_bytes()));
    }
}
