//! Names: every type has one of its own, so that whoever reads it knows which one is meant.

use std::collections::BTreeMap;

/// Names that several files may give to a type of their own.
const SHARED: [(&str, &str); 1] = [("Arguments", "what clap reads for one command")];

/// Returns a line for each name that two types of `files` have, each a path and its text; `SHARED` may.
pub(super) fn shared_names<'t>(files: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<String> {
    let mut homes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, text) in files {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        for name in type_names(&file.items) {
            homes.entry(name).or_default().push(path);
        }
    }
    homes
        .into_iter()
        .filter(|(name, paths)| paths.len() > 1 && !SHARED.iter().any(|(shared, _)| shared == name))
        .map(|(name, paths)| format!("{name}: {}", paths.join(" ")))
        .collect()
}

fn type_names(items: &[syn::Item]) -> Vec<String> {
    let mut names = Vec::new();
    for item in items {
        match item {
            syn::Item::Struct(item) => names.push(item.ident.to_string()),
            syn::Item::Enum(item) => names.push(item.ident.to_string()),
            syn::Item::Union(item) => names.push(item.ident.to_string()),
            syn::Item::Trait(item) => names.push(item.ident.to_string()),
            syn::Item::Type(item) => names.push(item.ident.to_string()),
            syn::Item::Mod(item) if item.ident != "tests" => {
                let inside = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                names.extend(type_names(inside));
            }
            _ => {}
        }
    }
    names
}

mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(shared_names(files.iter().copied()), expected);
    }

    #[test]
    fn two_types_of_one_name_are_told() {
        check(
            &[
                ("a.rs", "struct Step; enum Way { Up }"),
                (
                    "b.rs",
                    "pub(crate) trait Step {} mod inner { type Way = u8; }",
                ),
            ],
            &["Step: a.rs b.rs", "Way: a.rs b.rs"],
        );
    }

    #[test]
    fn functions_tests_and_arguments_may() {
        check(
            &[
                (
                    "a.rs",
                    "struct Arguments; fn step() {} mod tests { struct Case; }",
                ),
                ("b.rs", "struct Arguments; fn step() {} struct Case;"),
            ],
            &[],
        );
    }
}
