//! The one table of verbs: which fields each takes, which it needs, which selectors it may have.
//!
//! The reader (yaml) and the schema are both driven by it, so that they cannot disagree. Deliberately not here: what
//! a field's value looks like (words, yaml) and what a verb does (plan).

use std::sync::LazyLock;

/// Every selector, in the order of the manual.
pub const SELECTORS: [&str; 8] = [
    "symbol", "section", "block", "element", "key", "text", "pattern", "lines",
];

/// Selectors that name a segment; the others name text.
pub const SEGMENT_SELECTORS: [&str; 5] = ["symbol", "section", "block", "element", "key"];

/// Fields of a batch, in the order of the manual.
pub const BATCH_FIELDS: [&str; 12] = [
    "version",
    "message",
    "trailers",
    "author",
    "destination",
    "branch",
    "base",
    "mode",
    "resolve",
    "names",
    "imports",
    "operations",
];

/// Fields that mean something only beside one of these selectors.
pub const GOES_WITH: [(&str, &[&str]); 12] = [
    ("within", &["text", "pattern", "lines"]),
    ("kind", &["symbol"]),
    ("match", &["text"]),
    (
        "occurrence",
        &["symbol", "section", "block", "element", "text", "pattern"],
    ),
    (
        "all",
        &["symbol", "section", "block", "element", "text", "pattern"],
    ),
    ("inside_words", &["text"]),
    ("part", &SEGMENT_SELECTORS),
    ("callers", &["symbol"]),
    ("arguments", &["symbol"]),
    ("ignore_case", &["text", "pattern"]),
    ("multiline", &["pattern"]),
    ("dotall", &["pattern"]),
];

/// Fields that narrow a selector.
const NARROWING: [&str; 6] = [
    "within",
    "kind",
    "match",
    "occurrence",
    "all",
    "inside_words",
];

/// Fields of `within`.
pub const WITHIN_FIELDS: [&str; 5] = SEGMENT_SELECTORS;

/// Fields of the place that `move` moves to.
pub const MOVE_FIELDS: [&str; 4] = ["file", "symbol", "section", "position"];

/// One row of the table.
pub struct VerbRow {
    /// The verb as written.
    pub name: &'static str,
    /// What it does, as the end of "`op: name` …".
    pub means: &'static str,
    /// The selectors it may have.
    pub selectors: &'static [&'static str],
    /// Whether it must have one.
    pub selector_needed: bool,
    /// Its own fields.
    pub own: &'static [&'static str],
    /// Those of its own fields that it must have.
    pub needed: &'static [&'static str],
    /// Whether `files` may stand in the place of `file`.
    pub many_files: bool,
}

/// Every verb, in the order of the manual.
pub const VERBS: [VerbRow; 12] = [
    VerbRow {
        name: "replace",
        means: "puts `content` in the segment's place; without a selector, in the whole file's",
        selectors: &SELECTORS,
        selector_needed: false,
        own: &[
            "content",
            "part",
            "indent",
            "expect",
            "allow_remove",
            "allow_repeat",
            "callers",
            "arguments",
            "unsure",
            "names",
            "imports",
        ],
        needed: &["content"],
        many_files: false,
    },
    VerbRow {
        name: "insert",
        means: "adds `content` beside or inside the segment; without a selector, in the file",
        selectors: &SELECTORS,
        selector_needed: false,
        own: &[
            "content",
            "part",
            "position",
            "indent",
            "allow_remove",
            "allow_repeat",
            "callers",
            "arguments",
            "unsure",
            "names",
            "imports",
        ],
        needed: &["content"],
        many_files: false,
    },
    VerbRow {
        name: "delete",
        means: "removes the segment, its decorations and the gap it leaves",
        selectors: &SELECTORS,
        selector_needed: true,
        own: &[
            "part",
            "expect",
            "allow_remove",
            "callers",
            "arguments",
            "unsure",
            "names",
            "imports",
        ],
        needed: &[],
        many_files: false,
    },
    VerbRow {
        name: "substitute",
        means: "searches and replaces, every match or the first `count`",
        selectors: &["text", "pattern"],
        selector_needed: true,
        own: &[
            "replacement",
            "count",
            "expect_count",
            "ignore_case",
            "multiline",
            "dotall",
            "allow_remove",
            "names",
            "imports",
        ],
        needed: &["replacement"],
        many_files: true,
    },
    VerbRow {
        name: "rename",
        means: "renames a definition, a section, a key, an id or a class, and what refers to it",
        selectors: &["symbol", "section", "element", "key"],
        selector_needed: true,
        own: &["to", "scope", "unsure", "mentions", "clash"],
        needed: &["to"],
        many_files: false,
    },
    VerbRow {
        name: "move",
        means: "takes a definition or a section elsewhere, and what refers to it along",
        selectors: &["symbol", "section"],
        selector_needed: true,
        own: &["to", "reexport", "unsure", "mentions"],
        needed: &["to"],
        many_files: false,
    },
    VerbRow {
        name: "create",
        means: "makes a new file; refused when the path exists",
        selectors: &[],
        selector_needed: false,
        own: &["content", "executable", "allow_remove", "names", "imports"],
        needed: &["content"],
        many_files: false,
    },
    VerbRow {
        name: "remove",
        means: "deletes the file",
        selectors: &[],
        selector_needed: false,
        own: &["expect"],
        needed: &[],
        many_files: false,
    },
    VerbRow {
        name: "chmod",
        means: "sets or clears the mode bit that lets the file be executed",
        selectors: &[],
        selector_needed: false,
        own: &["executable"],
        needed: &["executable"],
        many_files: false,
    },
    VerbRow {
        name: "rename_file",
        means: "moves the file, mode and content kept",
        selectors: &[],
        selector_needed: false,
        own: &["to", "unsure", "mentions", "imports"],
        needed: &["to"],
        many_files: false,
    },
    VerbRow {
        name: "import",
        means: "makes sure that a Python file has an import",
        selectors: &[],
        selector_needed: false,
        own: &["statement"],
        needed: &["statement"],
        many_files: true,
    },
    VerbRow {
        name: "unimport",
        means: "makes sure that a Python file has an import no more",
        selectors: &[],
        selector_needed: false,
        own: &["statement", "used"],
        needed: &["statement"],
        many_files: true,
    },
];

impl VerbRow {
    /// Returns the row of the verb called `name`.
    pub fn named(name: &str) -> Option<&'static VerbRow> {
        VERBS.iter().find(|row| row.name == name)
    }

    /// Says whether an operation with this verb may hold `field`.
    pub fn takes(&self, field: &str) -> bool {
        match field {
            "op" | "file" | "id" => true,
            "files" => self.many_files,
            // A name in a scope is one thing, whatever defines it there.
            "kind" | "occurrence" | "all" if matches!(self.name, "rename" | "move") => false,
            _ if NARROWING.contains(&field) => beside(field)
                .iter()
                .any(|selector| self.selectors.contains(selector)),
            _ => self.selectors.contains(&field) || self.own.contains(&field),
        }
    }

    /// Returns every field that an operation with this verb may hold, in the order of `operation_fields`.
    pub fn fields(&self) -> Vec<&'static str> {
        operation_fields()
            .iter()
            .copied()
            .filter(|field| self.takes(field))
            .collect()
    }
}

/// Returns the selectors beside which `field` means something; empty when it needs none.
pub fn beside(field: &str) -> &'static [&'static str] {
    GOES_WITH
        .iter()
        .find(|(name, _)| *name == field)
        .map_or(&[], |(_, selectors)| selectors)
}

/// Returns every field that some operation may hold: common ones, selectors, what narrows them, then the verbs' own.
pub fn operation_fields() -> &'static [&'static str] {
    static FIELDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let mut fields = vec!["op", "file", "files", "id"];
        fields.extend(SELECTORS);
        fields.extend(NARROWING);
        for field in VERBS.iter().flat_map(|row| row.own) {
            if !fields.contains(field) {
                fields.push(field);
            }
        }
        fields
    });
    &FIELDS
}

/// Returns the verbs that take `field`.
pub fn verbs_that_take(field: &str) -> Vec<&'static str> {
    VERBS
        .iter()
        .filter(|row| row.takes(field))
        .map(|row| row.name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_contracts() {
        let check = |verb: &str, takes: &[&str], refuses: &[&str]| {
            let row = VerbRow::named(verb).unwrap();
            for field in takes {
                assert!(row.takes(field), "{verb} takes {field}");
            }
            for field in refuses {
                assert!(!row.takes(field), "{verb} does not take {field}");
            }
        };
        check(
            "replace",
            &[
                "content", "part", "indent", "expect", "within", "kind", "match", "lines",
            ],
            &["files", "to"],
        );
        check(
            "delete",
            &[
                "symbol",
                "part",
                "expect",
                "id",
                "occurrence",
                "all",
                "inside_words",
            ],
            &["content", "indent", "position"],
        );
        check(
            "substitute",
            &["files", "text", "pattern", "within", "match"],
            &["symbol", "lines", "kind", "content"],
        );
        check(
            "rename",
            &[
                "symbol", "section", "element", "key", "scope", "unsure", "mentions", "clash",
            ],
            &["within", "match", "text", "files", "kind", "all"],
        );
        check(
            "create",
            &["file", "content", "executable"],
            &["symbol", "within", "expect", "files"],
        );
        check(
            "move",
            &["symbol", "section", "to", "reexport", "unsure", "mentions"],
            &["files", "text", "kind", "all", "position", "clash"],
        );
        check("remove", &["expect"], &["content", "match"]);
        check(
            "chmod",
            &["file", "executable"],
            &["content", "symbol", "files"],
        );
    }

    #[test]
    fn needed_fields_are_taken_and_every_name_is_known() {
        let known = operation_fields();
        for row in &VERBS {
            assert!(
                row.needed.iter().all(|field| row.own.contains(field)),
                "{}",
                row.name
            );
            assert!(
                row.selectors
                    .iter()
                    .all(|selector| SELECTORS.contains(selector)),
                "{}",
                row.name
            );
            assert!(
                !row.selector_needed || !row.selectors.is_empty(),
                "{}",
                row.name
            );
        }
        for (field, selectors) in GOES_WITH {
            assert!(
                known.contains(&field)
                    && selectors
                        .iter()
                        .all(|selector| SELECTORS.contains(selector))
            );
        }
    }
}
