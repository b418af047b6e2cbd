//! Which operations count. `lines: 3`, `f[2]`, `steps[1].uses`, `occurrence: 2` mean another place once somebody adds a line, a
//! definition, an item or a match before it, and nothing tells; a name means the same in whatever the file has become.
//!
//! Whoever resolves an operation a second time asks here first. One that is held to a hash by `expect` is known by that, where its
//! bytes stand once in the file.

use super::{Choice, Operation, Part, Scoped, Selector, Verb};
use crate::syntax::keys::KeySegment;

impl Operation {
    /// Returns the field by which the operation counts; nothing where a name or a hash says what is meant.
    pub fn counts_by(&self) -> Option<&'static str> {
        if self.has_hash() {
            None
        } else {
            self.numbers()
        }
    }

    /// Returns the field by which the operation counts what it is held to by a hash: that says which, unless its bytes stand
    /// elsewhere, too.
    pub fn counts_hashed_by(&self) -> Option<&'static str> {
        if self.has_hash() {
            self.numbers()
        } else {
            None
        }
    }

    fn has_hash(&self) -> bool {
        matches!(
            &self.verb,
            Verb::Replace {
                expect: Some(_),
                ..
            } | Verb::Delete {
                expect: Some(_),
                ..
            }
        )
    }

    fn numbers(&self) -> Option<&'static str> {
        let (scoped, part, count) = match &self.verb {
            Verb::Replace { selector, part, .. } | Verb::Insert { selector, part, .. } => {
                (selector.as_ref()?, *part, None)
            }
            Verb::Delete { selector, part, .. } => (selector, *part, None),
            Verb::Substitute { find, count, .. } => (find, None, *count),
            Verb::Rename { selector, .. } => {
                return selector.counts().then_some(selector.field());
            }
            Verb::Move { selector, to, .. } => {
                let beside = to.beside.as_ref().is_some_and(Selector::counts);
                let field = selector.counts().then_some(selector.field());
                return field.or(beside.then_some("to"));
            }
            Verb::Create { .. }
            | Verb::Remove { .. }
            | Verb::Chmod { .. }
            | Verb::Import { .. }
            | Verb::Unimport { .. }
            | Verb::RenameFile { .. } => return None,
        };
        let by_part = part.filter(|part| part.counts()).map(|_| "part");
        scoped.counts_by().or(by_part).or(count.map(|_| "count"))
    }
}

impl Scoped {
    fn counts_by(&self) -> Option<&'static str> {
        if self.selector.counts() {
            return Some(self.selector.field());
        }
        if self.within.as_ref().is_some_and(Selector::counts) {
            return Some("within");
        }
        match self.choice {
            Choice::Nth(_) => Some("occurrence"),
            Choice::Only | Choice::Every => None,
        }
    }
}

impl Selector {
    /// Says whether it numbers anything. A heading or a region that really ends in `[2]` is taken for one that does: only who
    /// reads the file could tell.
    fn counts(&self) -> bool {
        match self {
            Selector::Symbol(symbol) => symbol
                .components
                .iter()
                .any(|component| component.index.is_some()),
            Selector::Section(section) => section
                .path
                .iter()
                .any(|heading| heading.split_index().is_some()),
            Selector::Element(element) => element.0.counts(),
            Selector::Block(block) => block.split_index().is_some(),
            Selector::Key(key) => key
                .steps
                .iter()
                .any(|step| matches!(step, KeySegment::Item(_))),
            Selector::Lines(_) => true,
            Selector::Text(_) | Selector::Pattern(_) => false,
        }
    }
}

impl Part {
    fn counts(self) -> bool {
        match self {
            Part::Code(_) | Part::Table(_) | Part::List(_) => true,
            Part::Item(_, name) => name.is_some_and(|name| name.number().is_some()),
            Part::Whole
            | Part::Definition
            | Part::Body
            | Part::Signature
            | Part::Docstring
            | Part::Own
            | Part::Heading
            | Part::Inner
            | Part::Attribute(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::manifest::{Overrides, yaml};

    fn check(operation: &str, expected: Option<&str>) {
        let text = format!("version: 1\noperations:\n  - {{{operation}}}\n");
        let manifest = yaml::read_with("ops.yaml", text.as_bytes(), &Overrides::default()).unwrap();
        assert_eq!(manifest.operations[0].counts_by(), expected, "{operation}");
    }

    #[test]
    fn what_numbers_anything_counts() {
        check("op: delete, file: a, lines: 3", Some("lines"));
        check("op: insert, file: a, lines: 3-4, content: x", Some("lines"));
        check(
            "op: replace, file: a.py, symbol: 'f[2]', content: x",
            Some("symbol"),
        );
        check(
            "op: replace, file: a.py, symbol: 'A[1].f', content: x",
            Some("symbol"),
        );
        check(
            "op: delete, file: a.md, section: '## Usage[2]'",
            Some("section"),
        );
        check(
            "op: delete, file: a.md, section: ['# A[2]', '## Usage']",
            Some("section"),
        );
        check("op: delete, file: a.py, block: 'step[2]'", Some("block"));
        check(
            "op: replace, file: a.yaml, key: 'steps[1].uses', content: x",
            Some("key"),
        );
        check(
            "op: replace, file: a.yaml, key: 'steps[0]', content: x",
            Some("key"),
        );
        check(
            "op: delete, file: a, text: x, occurrence: 2",
            Some("occurrence"),
        );
        check(
            "op: delete, file: a.py, symbol: f, occurrence: 1",
            Some("occurrence"),
        );
        check(
            "op: substitute, file: a, text: x, replacement: y, count: 1",
            Some("count"),
        );
        check(
            "op: substitute, file: a, text: x, replacement: y, within: {symbol: 'f[2]'}",
            Some("within"),
        );
        check(
            "op: replace, file: a.md, section: Usage, part: 'code[1]', content: x",
            Some("part"),
        );
        check(
            "op: replace, file: a.md, section: Usage, part: 'list[2]', content: x",
            Some("part"),
        );
    }

    #[test]
    fn elements_count_by_their_place_among_others() {
        for selector in [
            "li:nth-of-type(2)",
            "li:nth-child(2n+1)",
            "ul > li:first-child",
            "li:last-of-type a",
            ":is(ol, ul:nth-child(2)) li",
            "a:not(:first-child)",
            "ul:has(> li:nth-child(3))",
            "li:nth-child(2 of .new)",
        ] {
            check(
                &format!("op: delete, file: a.html, element: '{selector}'"),
                Some("element"),
            );
        }
        for selector in [
            "#top",
            "ul > li.new",
            "h2 + p",
            "p:only-child",
            "a:not([href])",
            "ul:has(> li.new)",
        ] {
            check(
                &format!("op: delete, file: a.html, element: '{selector}'"),
                None,
            );
        }
    }

    #[test]
    fn names_and_hashes_do_not_count() {
        check("op: replace, file: a.py, symbol: A.f, content: x", None);
        check("op: delete, file: a.py, symbol: '*.f', all: true", None);
        check("op: delete, file: a, text: 'x[2]'", None);
        check(
            "op: replace, file: a.md, section: '## Usage', part: own, content: x",
            None,
        );
        check(
            "op: replace, file: a.yaml, key: '\"a[0]\"', content: x",
            None,
        );
        check(
            "op: substitute, file: a, text: x, replacement: y, expect_count: 2",
            None,
        );
        check("op: insert, file: a, position: last, content: x", None);
        check("op: replace, file: a, content: x", None);
        check("op: create, file: a, content: x", None);
        check("op: remove, file: a", None);
        check("op: delete, file: a, lines: 3, expect: 0123456789", None);
        check(
            "op: replace, file: a.py, symbol: 'f[2]', content: x, expect: 0123456789",
            None,
        );
    }
}
