//! Circles: no file of a room may need another one that needs it, however many files lie between.
//!
//! Read by `syn`: every path of a file's code outside its tests is followed through `mod` and `use` to the file that
//! declares what it names. A re-export is a signpost, no need of its own: who takes a name from it needs the file behind it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;

/// The modules of a crate, by their names from its root; the root itself is the empty list.
#[derive(Default)]
pub(super) struct Modules(BTreeMap<Vec<String>, Module>);

/// What one file declares and names.
#[derive(Default)]
struct Module {
    /// Its path in the repository.
    path: String,
    /// Types, functions, constants and macros.
    items: BTreeSet<String>,
    /// What a name stands for that a `use` brings in.
    imports: BTreeMap<String, Vec<String>>,
    /// Modules whose every name is brought in.
    globs: Vec<Vec<String>>,
    /// Paths that its code names, imports that only pass a name on left out.
    named: BTreeSet<Vec<String>>,
}

impl Modules {
    /// Reads `files`, each a path below `src/` and its text; those that only hold tests are left out by the caller.
    pub(super) fn read<'t>(files: impl Iterator<Item = (&'t str, &'t str)>) -> Modules {
        let mut modules = Modules::default();
        for (path, text) in files {
            let name = module_name(path);
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
            let mut module = Module {
                path: path.to_owned(),
                ..Module::default()
            };
            for item in file.items {
                module.take(item);
            }
            modules.0.insert(name, module);
        }
        modules
    }

    /// Returns the groups of files of one room that need each other, each sorted.
    pub(super) fn circles(&self) -> Vec<Vec<String>> {
        let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, module) in &self.0 {
            let mut files = BTreeSet::new();
            for path in &module.named {
                let home = self.home_of(name, path, 0);
                let Some(home) = home.filter(|home| home.first() == name.first()) else {
                    continue;
                };
                let needed = &self.0[&home].path;
                if *needed != module.path {
                    files.insert(needed.as_str());
                }
            }
            needs.insert(&module.path, files);
        }
        strong_groups(&needs)
    }

    /// Returns the module that declares what `path`, named in the module `here`, stands for; `None` for other crates' and
    /// for what is declared by the language.
    fn home_of(&self, here: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        const DEEPEST: usize = 12;
        if depth > DEEPEST {
            return None;
        }
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => here.to_vec(),
            "super" => here.split_last()?.1.to_vec(),
            _ => {
                let mut child = here.to_vec();
                child.push(first.clone());
                let module = self.0.get(here)?;
                // A lone word in code may be a variable that is called like a module.
                if !rest.is_empty() && self.0.contains_key(&child) {
                    child
                } else if module.items.contains(first) {
                    return Some(here.to_vec());
                } else if let Some(meant) = module.imports.get(first) {
                    let mut meant = meant.clone();
                    meant.extend_from_slice(rest);
                    return self.home_of(here, &meant, depth + 1);
                } else {
                    return None;
                }
            }
        };
        while let Some((segment, left)) = rest.split_first() {
            if segment == "super" {
                at.pop()?;
                rest = left;
                continue;
            }
            let mut child = at.clone();
            child.push(segment.clone());
            if self.0.contains_key(&child) {
                at = child;
                rest = left;
                continue;
            }
            let module = self.0.get(&at)?;
            if module.items.contains(segment) {
                return Some(at);
            }
            if let Some(meant) = module.imports.get(segment) {
                let mut meant = meant.clone();
                meant.extend_from_slice(left);
                return self.home_of(&at, &meant, depth + 1);
            }
            let mut through = module.globs.iter().filter_map(|glob| {
                let mut meant = glob.clone();
                meant.extend_from_slice(rest);
                self.home_of(&at, &meant, depth + 1)
            });
            return through.next();
        }
        self.0.contains_key(&at).then_some(at)
    }
}

impl Module {
    fn take(&mut self, item: syn::Item) {
        if attributes(&item).iter().any(is_for_tests) {
            return;
        }
        if let syn::Item::Use(item) = &item {
            let passes_on = !matches!(item.vis, syn::Visibility::Inherited);
            self.import(Vec::new(), &item.tree, passes_on);
            return;
        }
        self.items.extend(declared_name(&item));
        if !matches!(&item, syn::Item::Mod(module) if module.content.is_none()) {
            self.name_all(item.to_token_stream());
        }
    }

    fn import(&mut self, mut path: Vec<String>, tree: &syn::UseTree, passes_on: bool) {
        match tree {
            syn::UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.import(path, &step.tree, passes_on);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(path.clone(), tree, passes_on);
                }
            }
            syn::UseTree::Glob(_) => {
                self.globs.push(path.clone());
                if !passes_on {
                    self.named.insert(path);
                }
            }
            syn::UseTree::Name(name) => {
                let name = name.ident.to_string();
                let known_as = match name.as_str() {
                    "self" => path.last().cloned().unwrap_or_default(),
                    _ => name.clone(),
                };
                if name != "self" {
                    path.push(name);
                }
                self.bring_in(known_as, path, passes_on);
            }
            syn::UseTree::Rename(rename) => {
                if rename.ident != "self" {
                    path.push(rename.ident.to_string());
                }
                self.bring_in(rename.rename.to_string(), path, passes_on);
            }
        }
    }

    fn bring_in(&mut self, known_as: String, path: Vec<String>, passes_on: bool) {
        self.imports.insert(known_as, path.clone());
        if !passes_on {
            self.named.insert(path);
        }
    }

    /// Notes the paths in `tokens`, those inside of macros, too: words with `::` between them.
    fn name_all(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                // `pub(super)` says who may name an item, and names nothing.
                TokenTree::Ident(word) if word == "pub" => {
                    self.note(&mut path);
                    colons = 0;
                    tokens.next_if(is_scope);
                }
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.note(&mut path);
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' && !path.is_empty() => colons += 1,
                TokenTree::Group(group) => {
                    self.note(&mut path);
                    colons = 0;
                    self.name_all(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.note(&mut path);
                    colons = 0;
                }
            }
        }
        self.note(&mut path);
    }

    fn note(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if !path.is_empty() {
            self.named.insert(path);
        }
    }
}

/// Says whether what follows a `pub` is `(super)`, `(crate)` or `(in …)`.
fn is_scope(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "super" || word == "crate" || word == "in" || word == "self")
}

/// Returns the names from the crate's root to the module in the file at `path`.
fn module_name(path: &str) -> Vec<String> {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs");
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    if matches!(inside, "lib" | "main") {
        return Vec::new();
    }
    inside.split('/').map(str::to_owned).collect()
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn declared_name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Returns the groups of more than one file in which each is reached from each: what is reached both ways from its first.
fn strong_groups(needs: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = needs
        .keys()
        .map(|&file| (file, reach(needs, file)))
        .collect();
    let mut groups: BTreeSet<Vec<String>> = BTreeSet::new();
    for (&file, others) in &reached {
        let mutual = others
            .iter()
            .filter(|&&other| other != file && reached[other].contains(file));
        let mut group: Vec<String> = mutual.map(|&other| other.to_owned()).collect();
        if !group.is_empty() {
            group.push(file.to_owned());
            group.sort();
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}

fn reach<'f>(needs: &BTreeMap<&'f str, BTreeSet<&'f str>>, from: &'f str) -> BTreeSet<&'f str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(file) = waiting.pop() {
        for &next in &needs[file] {
            if found.insert(next) {
                waiting.push(next);
            }
        }
    }
    found
}

mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], circles: &[&[&str]]) {
        let found = Modules::read(files.iter().copied()).circles();
        assert_eq!(found, circles);
    }

    #[test]
    fn what_needs_each_other_is_a_circle() {
        let head = ("src/a/mod.rs", "mod b; mod c; pub use b::B;");
        check(
            &[
                head,
                ("src/a/b.rs", "pub struct B;"),
                ("src/a/c.rs", "use super::B;"),
            ],
            &[],
        );
        let both = [
            head,
            ("src/a/b.rs", "pub struct B; fn f() { super::c::g() }"),
            ("src/a/c.rs", "use super::B; pub fn g() {}"),
        ];
        check(&both, &[&["src/a/b.rs", "src/a/c.rs"]]);
    }

    #[test]
    fn a_type_in_the_head_makes_one_and_a_signpost_does_not() {
        let typed = ("src/a/mod.rs", "mod b; pub struct T; pub fn f() { b::g() }");
        let user = ("src/a/b.rs", "use super::T; pub fn g() {}");
        check(&[typed, user], &[&["src/a/b.rs", "src/a/mod.rs"]]);
        let map = ("src/a/mod.rs", "mod b; mod t; pub use b::g; pub use t::T;");
        check(&[map, user, ("src/a/t.rs", "pub struct T;")], &[]);
    }

    #[test]
    fn tests_and_other_rooms_do_not_count() {
        let files = [
            ("src/lib.rs", "mod a; mod z;"),
            ("src/a/mod.rs", "mod b; mod c;"),
            (
                "src/a/b.rs",
                "pub fn g() {} #[cfg(test)] mod tests { use super::super::c::h; }",
            ),
            (
                "src/a/c.rs",
                "use super::b::g; use crate::z::Z; pub fn h() {}",
            ),
            ("src/z.rs", "pub struct Z; fn f() { crate::a::c::h() }"),
        ];
        check(&files, &[]);
    }

    #[test]
    fn who_may_name_an_item_is_no_need() {
        let files = [
            ("src/a/mod.rs", "mod b; struct S; fn f() { b::g() }"),
            (
                "src/a/b.rs",
                "pub(super) fn g() {} pub(in crate::a) fn h() {}",
            ),
        ];
        check(&files, &[]);
    }

    #[test]
    fn paths_in_macros_and_renamed_imports_are_followed() {
        let files = [
            ("src/a/mod.rs", "mod b; mod c;"),
            (
                "src/a/b.rs",
                "use super::c as other; fn f() { print!(\"{}\", other::h()) }",
            ),
            ("src/a/c.rs", "pub fn h() { assert!(super::b::f()) }"),
        ];
        check(&files, &[&["src/a/b.rs", "src/a/c.rs"]]);
    }
}
