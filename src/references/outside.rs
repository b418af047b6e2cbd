//! What is known of Python's own library: its modules, what each has, and the attributes of classes that others are often made of.
//!
//! The tables are those of CPython 3.11: `dir()` of each module and class, and what methods set; of classes also what the stubs of typeshed
//! have for later versions and for other systems.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Names with blanks or line breaks between them. They are looked for in the text: most runs ask for a few, of thousands.
#[derive(Clone, Copy)]
struct NameList(&'static str);

impl NameList {
    fn has(self, word: &str) -> bool {
        let text = self.0.as_bytes();
        let is_between = |at: usize| text.get(at).is_none_or(u8::is_ascii_whitespace);
        !word.is_empty()
            && memchr::memmem::find_iter(text, word)
                .any(|at| at.checked_sub(1).is_none_or(is_between) && is_between(at + word.len()))
    }

    fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split_whitespace()
    }
}

static MODULES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    NameList(include_str!("outside/modules.txt"))
        .iter()
        .collect()
});

/// What each module and each class has, by its dotted name: lines of `name name: attribute attribute`.
static ATTRIBUTES: LazyLock<HashMap<&str, NameList>> =
    LazyLock::new(|| rows(include_str!("outside/attributes.txt")));
static CLASSES: LazyLock<HashMap<&str, NameList>> =
    LazyLock::new(|| rows(include_str!("outside/classes.txt")));

fn rows(text: &'static str) -> HashMap<&'static str, NameList> {
    text.lines()
        .filter_map(|row| row.split_once(':'))
        .flat_map(|(named, attributes)| {
            let named = named.split_whitespace();
            named.map(move |name| (name, NameList(attributes)))
        })
        .collect()
}

/// Classes that look methods up by how their names begin.
const LOOKED_UP: [(&str, &str); 8] = [
    (".NodeVisitor", "visit_"),
    (".NodeTransformer", "visit_"),
    (".Cmd", "do_"),
    (".Cmd", "complete_"),
    (".Cmd", "help_"),
    (".BaseHTTPRequestHandler", "do_"),
    (".SimpleHTTPRequestHandler", "do_"),
    (".TestCase", "test"),
];

/// Says whether a module called so comes with Python.
pub(crate) fn is_standard(module: &str) -> bool {
    MODULES.contains(module)
}

/// Says whether a module that comes with Python has a name that others may use.
pub(super) fn module_has(module: &str, name: &str) -> bool {
    ATTRIBUTES.get(module).is_some_and(|names| names.has(name))
}

/// Returns the attributes of a class, by its dotted name; `None` where nothing is known of it.
fn known_attributes(class: &str) -> Option<NameList> {
    let class = class.replace("typing_extensions.", "typing.");
    let named = |name: String| CLASSES.get(name.as_str()).copied();
    named(class.clone())
        .or_else(|| named(format!("builtins.{class}")))
        .or_else(|| {
            named(format!(
                "collections.abc.{}",
                class.strip_prefix("typing.")?
            ))
        })
}

/// Classes whose instances are there to be given attributes.
const OPEN: [&str; 4] = [
    "argparse.Namespace",
    "threading.local",
    "types.ModuleType",
    "types.SimpleNamespace",
];

/// Says whether a class, by its dotted name, surely lacks an attribute, and its instances do.
pub(super) fn lacks(class: &str, attribute: &str) -> bool {
    !OPEN.contains(&class) && has_attribute(class, attribute) == Some(false)
}

/// Returns the attributes of a class, by its dotted name; none where nothing is known of it.
pub(super) fn attributes(class: &str) -> impl Iterator<Item = &'static str> {
    known_attributes(class).into_iter().flat_map(NameList::iter)
}

/// Says whether a class, by its dotted name, has an attribute; `None` where nothing is known of the class.
pub(super) fn has_attribute(class: &str, attribute: &str) -> Option<bool> {
    let known = known_attributes(class)?;
    let is_looked_up = LOOKED_UP
        .iter()
        .any(|(base, beginning)| class.ends_with(base) && attribute.starts_with(beginning));
    Some(is_looked_up || known.has(attribute))
}

/// Says whether a class, by its dotted name, is one of those that something is known of.
pub(super) fn is_known(class: &str) -> bool {
    has_attribute(class, "").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read() {
        assert!(is_standard("threading") && !is_standard("requests"));
        // A word, not a piece of one.
        assert!(!module_has("json", "dump_s") && !module_has("json", "ump"));
        assert!(!module_has("json", "") && !module_has("json", "dumps load"));
        let words = NameList(" first second\nlast");
        assert!(["first", "second", "last"].map(|it| words.has(it)) == [true; 3]);
        assert!(["irst", "firs", "econ", "las", "t"].map(|it| words.has(it)) == [false; 5]);
        assert!(module_has("json", "dumps") && !module_has("token", "value"));
        assert_eq!(has_attribute("threading.Thread", "run"), Some(true));
        assert_eq!(has_attribute("threading.Thread", "fetch"), Some(false));
        assert_eq!(has_attribute("str", "format"), Some(true));
        assert_eq!(has_attribute("builtins.Exception", "args"), Some(true));
        assert_eq!(has_attribute("typing.Mapping", "items"), Some(true));
        assert_eq!(has_attribute("ast.NodeVisitor", "visit_Name"), Some(true));
        assert_eq!(has_attribute("pydantic.BaseModel", "json"), None);
    }
}
