//! Where a definition says its name, and whether a word is a name at all.

use tree_sitter::{Node, Tree};

use super::visit::visit;
use crate::syntax::{Symbol, Wording};
use crate::text::Span;

/// Words in what a grammar calls a node of text.
const OF_TEXT: [&str; 9] = [
    "string",
    "str",
    "text",
    "char",
    "chars",
    "character",
    "regex",
    "heredoc",
    "nowdoc",
];

/// Returns what each of `places` is a part of: what the innermost node around it is called.
pub(super) fn wordings(tree: &Tree, places: &[Span]) -> Vec<Wording> {
    let root = tree.root_node();
    let wording = |place: &Span| {
        let node = root.descendant_for_byte_range(place.start, place.end);
        let kind = node.filter(Node::is_named).map_or("", |node| node.kind());
        let mut words = kind.split('_');
        if node.is_some_and(is_quoted_key) {
            Wording::Property
        } else if kind.contains("comment") {
            Wording::Comment
        } else if words.any(|word| OF_TEXT.contains(&word)) {
            Wording::Text
        } else if kind.starts_with("shorthand_property_identifier") {
            Wording::ShortForm
        } else if kind == "property_identifier" {
            Wording::Property
        } else {
            Wording::Code
        }
    };
    places.iter().map(wording).collect()
}

/// Says whether a node is what is between the quotes of a key, or of the name of a member: `{"name": 1}`.
fn is_quoted_key(node: Node<'_>) -> bool {
    let string = node.parent().filter(|it| it.kind() == "string");
    let holder = string.and_then(|string| Some((string, string.parent()?)));
    holder.is_some_and(|(string, mut holder)| {
        let mut named = string;
        // `["name"]: 1`
        if holder.kind() == "computed_property_name" {
            let Some(around) = holder.parent() else {
                return false;
            };
            (named, holder) = (holder, around);
        }
        let is_key = |field| holder.child_by_field_name(field) == Some(named);
        matches!(
            holder.kind(),
            "pair"
                | "property_signature"
                | "method_signature"
                | "method_definition"
                | "public_field_definition"
                | "field_definition"
        ) && (is_key("key") || is_key("name") || is_key("property"))
    })
}

/// Returns where the header of `symbol` says its name: the first word that is neither a parameter nor a part of a type.
pub(super) fn name_place(tree: &Tree, source: &[u8], symbol: &Symbol) -> Option<Span> {
    let header = symbol.signature;
    let name = symbol.name.as_bytes();
    let mut found = None;
    visit(tree, |cursor| {
        let node = cursor.node();
        let place = Span::from(node.byte_range());
        let is_beside = place.end <= header.start || header.end <= place.start;
        let field = cursor.field_name().unwrap_or_default();
        let is_of_type = matches!(
            field,
            "type" | "return_type" | "result" | "receiver" | "value"
        );
        // What is around the header is gone into, whatever it is called.
        let is_inside = header.contains(place) && place.len() < header.len();
        let is_type = node.kind().ends_with("_type");
        if found.is_some() || is_beside || is_inside && (is_of_type || is_type || is_list(node)) {
            return false;
        }
        if node.child_count() > 0 {
            return true;
        }
        if place.of(source) == name && node.is_named() {
            found = Some(place);
        }
        false
    });
    found
}

/// Says whether a node is a list of parameters or arguments, of attributes or annotations.
fn is_list(node: Node<'_>) -> bool {
    let kind = node.kind();
    [
        "parameter",
        "argument",
        "annotation",
        "attribute",
        "decorator",
    ]
    .iter()
    .any(|word| kind.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::path::RepoPath;
    use crate::syntax::{Symbol, Wording, language_of};
    use crate::text::Span;

    fn grammar_of(path: &str) -> &'static dyn crate::syntax::Grammar {
        language_of(&RepoPath::parse(path).unwrap())
            .unwrap()
            .grammar
    }

    /// Checks where the segment called `name` says its name: where `here` stands before it.
    fn check_name(path: &str, source: &str, name: &str, here: &str) {
        fn find<'s>(symbols: &'s [Symbol], name: &str) -> Option<&'s Symbol> {
            symbols.iter().find_map(|symbol| {
                let own = (symbol.name == name).then_some(symbol);
                own.or_else(|| find(&symbol.children, name))
            })
        }
        let grammar = grammar_of(path);
        let outline = grammar.outline(source.as_bytes());
        let symbol = find(&outline.symbols, name).unwrap_or_else(|| panic!("{outline:#?}"));
        let start = source.find(here).unwrap() + here.len();
        let found = grammar.name_place(source.as_bytes(), symbol);
        assert_eq!(
            found,
            Some(Span::new(start, start + name.len())),
            "{source}"
        );
    }

    #[test]
    fn a_definition_says_its_name_in_one_place() {
        check_name(
            "a.ts",
            "export async function f(f: f): f {}\n",
            "f",
            "function ",
        );
        check_name(
            "a.ts",
            "class A { @f() get f(): f { return 1 } }\n",
            "f",
            "get ",
        );
        check_name("a.ts", "const f: f = (f) => f;\n", "f", "const ");
        check_name(
            "a.go",
            "package p\n\nfunc (Run *Run) Run(Run int) Run { return 1 }\n",
            "Run",
            ") ",
        );
        check_name(
            "a.java",
            "class B { B f; B B() { return f; } B(int B) {} }\n",
            "f",
            "B { B ",
        );
        check_name(
            "a.java",
            "class B { @f int f(int f) { return f; } }\n",
            "f",
            "int ",
        );
        check_name(
            "a.c",
            "item *item(struct item *item) { return item; }\n",
            "item",
            "item *",
        );
        check_name("a.rs", "fn f<f: Fn(f) -> f>(f: f) -> f { f }\n", "f", "fn ");
        check_name(
            "a.rs",
            "impl f for f { #[f] fn f(&self) {} }\n",
            "f",
            "] fn ",
        );
        check_name("a.rb", "class A\n  def f(f = 1)\n  end\nend\n", "f", "def ");
        check_name("a.kt", "fun f.f(f: f): f = f\n", "f", "fun f.");
    }

    #[test]
    fn words_of_code_are_told_from_what_it_says() {
        let check = |path: &str, source: &str, expected: &[Wording]| {
            let places = memchr::memmem::find_iter(source.as_bytes(), b"word");
            let places: Vec<Span> = places.map(|at| Span::new(at, at + 4)).collect();
            let found = grammar_of(path).wordings(source.as_bytes(), &places);
            assert_eq!(found.as_deref(), Some(expected), "{source}");
        };
        use Wording::{Code, Comment, Property, ShortForm, Text};
        check(
            "a.ts",
            "word; // word\n/** word */\"word\"; `word ${word}`; /word/; ({word, word: word})\n",
            &[
                Code, Comment, Comment, Text, Text, Code, Text, ShortForm, Property, Code,
            ],
        );
        check(
            "a.tsx",
            "<p word=\"word\">word {x.word(word)}</p>\n",
            &[Property, Text, Text, Property, Code],
        );
        check("a.js", "const {word} = x;\n", &[ShortForm]);
        check(
            "a.ts",
            "({\"word\": \"word\", [\"word\"]: f(\"word\")}); class K { \"word\"() {} \"word\" = 1 }\n",
            &[Property, Text, Property, Text, Property, Property],
        );
        check(
            "a.go",
            "package p\n\nvar word = `word` + \"word\" // word\n",
            &[Code, Text, Text, Comment],
        );
        check(
            "a.rs",
            "/// word\nfn f() { word!(\"{word}\", b\"word\", r#\"word\"#) }\n",
            &[Comment, Code, Text, Text, Text],
        );
        check(
            "a.c",
            "#define word(x) \"word\" /* word */\n#include <word.h>\n",
            &[Code, Code, Comment, Text],
        );
        check(
            "a.java",
            "int word; String s = \"word\"; /** word */\n",
            &[Code, Text, Comment],
        );
        check(
            "a.rb",
            "word = \"word #{word}\" # word\n",
            &[Code, Text, Code, Comment],
        );
        check(
            "a.kt",
            "val word = \"word $word ${word}\" // word\n",
            // The grammar reads nothing in the second.
            &[Code, Text, Text, Code, Comment],
        );
    }
}
