//! One of several definitions of a name, told by what else is written with it: by the types or names of its parameters
//! (`Gson.fromJson(String, Class)`), by a decorator or word ahead of its name (`size@setter`, `size@get`), by the trait whose
//! implementation it is in (`S as From<u8>.from`).
//!
//! Known limits: parameters are told by words, in the order in which they are written: `f(T)` is `f(List<T> x)` as well.

use super::named::{Definition, Register, is_code};
use crate::manifest::{SymbolComponent, SymbolSelector};
use crate::syntax::SegmentKind;

/// Returns those that the selector describes, where it does more than name them.
pub fn described<'r, 'a>(
    register: &'r Register<'a>,
    selector: &SymbolSelector,
    kind: Option<SegmentKind>,
    source: &[u8],
) -> Vec<&'r Definition<'a>> {
    let Some(asked) = SelectedOverload::of(selector) else {
        return Vec::new();
    };
    let last = asked
        .plain
        .components
        .last()
        .map_or("", |component| component.name.as_str());
    let mut found = register.called(last);
    found.retain(|candidate| {
        is_code(candidate.symbol.kind)
            && kind.is_none_or(|kind| kind == candidate.symbol.kind)
            && super::named::matches(candidate, &asked.plain)
            && asked.fits(candidate, source)
    });
    found
}

/// Returns the trait whose implementation a method of Rust is in, without the path before its name: `From<u8>`.
pub fn of_trait(named: &Definition<'_>, source: &[u8]) -> Option<String> {
    let header = implementation(source, named.symbol.definition.start)?;
    let header: String = header.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, _) = header
        .split_once(" for ")
        .filter(|(before, _)| before.contains("impl"))?;
    let after = before
        .split_once("impl")
        .map_or("", |(_, after)| after)
        .trim_start();
    let own = match after.strip_prefix('<') {
        Some(parameters) => {
            let mut depth = 1;
            let end = parameters.char_indices().find(|(_, character)| {
                depth += i32::from(*character == '<') - i32::from(*character == '>');
                depth == 0
            });
            end.and_then(|(end, _)| parameters.get(end + 1..))
                .unwrap_or_default()
        }
        None => after,
    };
    let name = own.find('<').map_or(own, |at| &own[..at]);
    let path = name.rfind("::").map_or(0, |at| at + "::".len());
    Some(own[path..].trim().to_owned()).filter(|own| !own.is_empty())
}

/// Returns what makes a definition one of several that share the name of a property: `setter`, `get`.
pub fn accessor(named: &Definition<'_>, source: &[u8]) -> Option<String> {
    let symbol = named.symbol;
    let above = symbol
        .decorations
        .iter()
        .map(|decoration| decoration.span.of(source).trim_ascii());
    let property = |text: &[u8]| {
        let words = ["getter", "setter", "deleter"];
        words.into_iter().find(|word| {
            text.strip_suffix(word.as_bytes())
                .is_some_and(|rest| rest.ends_with(b"."))
        })
    };
    let signature = String::from_utf8_lossy(symbol.signature.of(source));
    let ahead = name_in(&signature, &symbol.name).map_or("", |at| &signature[..at]);
    let word = || {
        words(ahead)
            .into_iter()
            .find(|word| matches!(*word, "get" | "set"))
            .map(str::to_owned)
    };
    above
        .filter_map(property)
        .next_back()
        .map(str::to_owned)
        .or_else(word)
}

/// Returns the words ahead of a member's name that let others of its name stand beside it: `get`, `static`.
pub fn modifiers(named: &Definition<'_>, source: &[u8]) -> Vec<String> {
    let signature = String::from_utf8_lossy(named.symbol.signature.of(source));
    let ahead = name_in(&signature, &named.symbol.name).map_or("", |at| &signature[..at]);
    let own = words(ahead)
        .into_iter()
        .filter(|word| matches!(*word, "get" | "set" | "static"));
    own.map(str::to_owned).collect()
}

/// Returns the type of each parameter of a definition, without blanks: nothing of one that is written without a type. `None` of
/// what has no parameters at all.
pub fn parameter_types(named: &Definition<'_>, source: &[u8]) -> Option<Vec<String>> {
    let signature = String::from_utf8_lossy(named.symbol.signature.of(source));
    let at = name_in(&signature, &named.symbol.name)?;
    let own = parameters(&signature[at + named.symbol.name.len()..])?;
    Some(own.into_iter().map(type_of).collect())
}

/// What a selector says of a definition.
struct SelectedOverload<'s> {
    /// Its name alone.
    plain: SymbolSelector,
    parameters: Option<Vec<Vec<&'s str>>>,
    word: Option<&'s str>,
    of_trait: Option<Vec<&'s str>>,
}

impl<'s> SelectedOverload<'s> {
    fn of(selector: &'s SymbolSelector) -> Option<SelectedOverload<'s>> {
        let (mut parameters, mut word, mut of_trait) = (None, None, None);
        let mut components = Vec::new();
        for component in &selector.components {
            let mut name = component.name.as_str();
            if let Some((base, of)) = name.split_once(" as ") {
                (name, of_trait) = (base.trim(), Some(words(of)));
            }
            if let Some((base, inside)) =
                name.strip_suffix(')').and_then(|name| name.split_once('('))
            {
                (name, parameters) = (
                    base.trim(),
                    Some(parted(inside).into_iter().map(words).collect()),
                );
            }
            if let Some((base, ahead)) = name.split_once('@') {
                (name, word) = (base, Some(ahead));
            }
            components.push(SymbolComponent {
                name: name.to_owned(),
                index: component.index,
            });
        }
        let plain = SymbolSelector {
            any_depth: selector.any_depth,
            components,
        };
        (plain != *selector).then_some(SelectedOverload {
            plain,
            parameters,
            word,
            of_trait,
        })
    }

    fn fits(&self, candidate: &Definition<'_>, source: &[u8]) -> bool {
        let symbol = candidate.symbol;
        let signature = String::from_utf8_lossy(symbol.signature.of(source));
        let Some(at) = name_in(&signature, &symbol.name) else {
            return false;
        };
        let has_parameters = self.parameters.as_ref().is_none_or(|wanted| {
            parameters(&signature[at + symbol.name.len()..]).is_some_and(|own| {
                own.len() == wanted.len()
                    && own
                        .iter()
                        .zip(wanted)
                        .all(|(own, wanted)| are_in(wanted, &words(own)))
            })
        });
        let has_word = self.word.is_none_or(|word| {
            let above = symbol
                .decorations
                .iter()
                .map(|decoration| decoration.span.of(source));
            let above: Vec<String> = above
                .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
                .collect();
            words(&signature[..at]).contains(&word)
                || above.iter().any(|text| words(text).contains(&word))
        });
        let is_of_trait = self.of_trait.as_ref().is_none_or(|wanted| {
            implementation(source, symbol.definition.start)
                .is_some_and(|header| are_in(wanted, &words(&header)))
        });
        has_parameters && has_word && is_of_trait
    }
}

/// Returns where the name stands that a signature gives.
fn name_in(signature: &str, name: &str) -> Option<usize> {
    let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
    // One in quotes may be written in the others.
    let other = name.starts_with('"').then(|| name.replace('"', "'"));
    let others = other
        .iter()
        .flat_map(|other| signature.match_indices(other.as_str()));
    let mut places = signature
        .match_indices(name)
        .chain(others)
        .map(|(at, _)| at);
    places.find(|&at| {
        let (before, after) = (&signature[..at], &signature[at + name.len()..]);
        let is_whole = !before.ends_with(is_of_name) && !after.starts_with(is_of_name);
        is_whole
            && (after.trim_start().starts_with(['(', '<', '[', ':', '='])
                || after.trim().is_empty())
    })
}

/// Returns the parameters in the first parentheses of a signature's rest, the receiver left out.
fn parameters(rest: &str) -> Option<Vec<&str>> {
    let open = rest.find('(')?;
    let inside = &rest[open + 1..];
    let mut depth = 1;
    let close = inside.char_indices().find(|(_, character)| {
        depth += i32::from(matches!(character, '(' | '[' | '{'))
            - i32::from(matches!(character, ')' | ']' | '}'));
        depth == 0
    })?;
    let mut found = parted(&inside[..close.0]);
    let is_receiver = |first: &&str| {
        matches!(words(first).last(), Some(&"self" | &"cls"))
            || words(first).first() == Some(&"self")
    };
    if found.first().is_some_and(is_receiver) {
        found.remove(0);
    }
    Some(found)
}

/// Splits at commas that are in no brackets.
fn parted(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth <= 0 => {
                found.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

/// Returns the type in `a: Map<K, V> = {}` or `final Map<K, V> a`.
fn type_of(parameter: &str) -> String {
    let is_of_name =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let declared = parameter[..top_level(parameter, '=').unwrap_or(parameter.len())].trim();
    let own = match top_level(declared, ':') {
        Some(colon) => &declared[colon + 1..],
        // A pattern is all names.
        None if declared.starts_with(['{', '[']) => "",
        None => without_annotations(declared).trim_end_matches(is_of_name),
    };
    own.split_whitespace().collect()
}

/// Returns where a mark stands in no brackets, and is not one half of `=>`, `==` or `::`.
fn top_level(text: &str, mark: char) -> Option<usize> {
    let mut depth = 0;
    let mut ahead = ' ';
    for (at, character) in text.char_indices() {
        let is_arrow = character == '>' && matches!(ahead, '=' | '-');
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !is_arrow => depth -= 1,
            _ => {}
        }
        let is_doubled =
            ahead == mark || text[at + character.len_utf8()..].starts_with([mark, '>']);
        if character == mark && depth == 0 && !is_doubled {
            return Some(at);
        }
        ahead = character;
    }
    None
}

/// Returns a parameter of Java without what stands ahead of its type: `@Nullable`, `@Size(max = 3)`, `final`.
fn without_annotations(parameter: &str) -> &str {
    let mut rest = parameter.trim_start();
    loop {
        rest = if let Some(annotation) = rest.strip_prefix('@') {
            let after = annotation.trim_start_matches(|character: char| {
                character.is_alphanumeric() || "_.".contains(character)
            });
            let arguments = after
                .strip_prefix('(')
                .and_then(|inside| inside.split_once(')'));
            arguments.map_or(after, |(_, after)| after).trim_start()
        } else if let Some(after) = rest.strip_prefix("final ") {
            after.trim_start()
        } else {
            return rest;
        };
    }
}

/// Returns the names in a text.
fn words(text: &str) -> Vec<&str> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Says whether all of `wanted` are among `own`, in their order.
fn are_in(wanted: &[&str], own: &[&str]) -> bool {
    let mut own = own.iter();
    wanted.iter().all(|word| own.any(|own| own == word))
}

/// Returns the header of the `impl` block of Rust that a definition is in.
fn implementation(source: &[u8], definition: usize) -> Option<String> {
    let before = source.get(..definition)?;
    let depth = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let is_header = |line: &[u8]| {
        let words = line.trim_ascii_start();
        line.len() - words.len() < depth.max(1)
            && (words.starts_with(b"impl") || words.starts_with(b"unsafe impl"))
    };
    let below: usize = before
        .split_inclusive(|&byte| byte == b'\n')
        .rev()
        .take_while(|line| !is_header(line))
        .map(<[u8]>::len)
        .sum();
    let line = before[..before.len() - below].trim_ascii_end();
    let start = memchr::memrchr(b'\n', line).map_or(0, |at| at + 1);
    let header = source.get(start..).filter(|header| is_header(header))?;
    let end = memchr::memchr(b'{', header).unwrap_or(header.len());
    Some(String::from_utf8_lossy(&header[..end]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::syntax::language_of;

    /// Checks which lines what is asked for begins on.
    #[track_caller]
    fn check(file: &str, source: &str, asked: &str, expected: &[usize]) {
        let language = language_of(&RepoPath::parse(file).unwrap()).unwrap();
        let outline = language.grammar.outline(source.as_bytes());
        let register = Register::of(&outline);
        let selector = SymbolSelector::parse(asked).unwrap();
        let found = described(&register, &selector, None, source.as_bytes());
        let line = |named: &&Definition<'_>| {
            1 + source[..named.symbol.definition.start]
                .matches('\n')
                .count()
        };
        assert_eq!(
            found.iter().map(line).collect::<Vec<_>>(),
            expected,
            "{asked}"
        );
    }

    #[test]
    fn overloads_are_told_by_their_parameters() {
        let java = "class Gson {\n  <T> T fromJson(String json, Class<T> of) {}\n  <T> T fromJson(String json, Type of) {}\n  void fromJson() {}\n  void fromJson(final int[] a) {}\n}\n";
        check("A.java", java, "Gson.fromJson(String, Class)", &[2]);
        check("A.java", java, "Gson.fromJson(String, Class<T>)", &[2]);
        check("A.java", java, "Gson.fromJson(json, Type)", &[3]);
        check("A.java", java, "Gson.fromJson()", &[4]);
        check("A.java", java, "Gson.fromJson(int[])", &[5]);
        check("A.java", java, "*.fromJson(String, Reader)", &[]);
        check("A.java", java, "Gson.fromJson", &[]);
        let typescript = "function f(a: string): void;\nfunction f(a: number, b?: Map<string, X>): void;\nfunction f(a: any, b?: any) {}\n";
        check("a.ts", typescript, "f(string)", &[1]);
        check("a.ts", typescript, "f(number, Map)", &[2]);
    }

    #[test]
    fn parameters_have_types() {
        let check = |parameter: &str, expected: &str| {
            assert_eq!(type_of(parameter), expected, "{parameter}")
        };
        check("final @Nullable Map<String, X> m", "Map<String,X>");
        check("@Size(max = 3) final int[] a", "int[]");
        check("String... rest", "String...");
        check(" b?: Map<string, X>", "Map<string,X>");
        check("then: (a: number) => void = none", "(a:number)=>void");
        check("{ a, b }: Props = {}", "Props");
        check("a: std::fmt::Error", "std::fmt::Error");
        check("a: int = 1", "int");
        check("a = 1", "");
        check("{ a, b } = {}", "");
        check("...rest", "...");
    }

    #[test]
    fn accessors_are_told_by_their_words() {
        let python = "class A:\n    @property\n    def size(self): pass\n    @size.setter\n    def size(self, value): pass\n";
        check("a.py", python, "A.size@setter", &[5]);
        check("a.py", python, "A.size@property", &[3]);
        check("a.py", python, "A.size(value)", &[5]);
        check("a.py", python, "A.size()", &[3]);
        let javascript = "class A {\n  get size() { return 1 }\n  set size(v) {}\n}\n";
        check("a.js", javascript, "A.size@get", &[2]);
        check("a.js", javascript, "A.size@set", &[3]);
    }

    #[test]
    fn implementations_are_told_by_their_traits() {
        let rust = "impl From<u8> for S {\n    fn from(a: u8) -> S { S }\n}\n\nimpl From<Vec<u8>> for S {\n    fn from(a: Vec<u8>) -> S { S }\n}\n";
        check("a.rs", rust, "S as From<Vec<u8>>.from", &[6]);
        check("a.rs", rust, "S as Into<u8>.from", &[]);
        check("a.rs", rust, "S.from(Vec)", &[6]);
    }
}
