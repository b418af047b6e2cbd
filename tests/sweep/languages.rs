//! The languages that tree-sitter reads, on real files. Rust is read by us and by `syn`, which must agree on every
//! definition, its name, where its code begins and ends and how many attributes it has; files of the other languages must
//! give outlines that hold what every outline promises.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use segedit::path::RepoPath;
use segedit::syntax::{DecorationKind, Language, SegmentKind, Symbol, language_of};
use segedit::text::Span;
use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::support::sources;

/// So many Rust files are compared, and so many of each other language read.
const SAMPLE: usize = 500;

#[test]
fn rust_is_read_as_syn_reads_it() {
    let files = sources::sample(sources::files(&[".rs"]), SAMPLE);
    // syn reads types in one another by recursion, and the numbers of typenum are sixty deep.
    const STACK: usize = 256 << 20;
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let judged: Vec<Option<Vec<String>>> = pool
        .expect("threads")
        .install(|| files.par_iter().map(|path| compare(path)).collect());
    let read = judged.iter().flatten().count();
    println!("{read} of {} files that both read compared", files.len());
    let differences: Vec<String> = judged.into_iter().flatten().flatten().collect();
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn every_outline_keeps_its_promises() {
    const LANGUAGES: [&[&str]; 5] = [
        &[".rs"],
        &[".js", ".mjs", ".cjs", ".jsx"],
        &[".ts", ".mts", ".cts", ".tsx"],
        &[".go"],
        &[".java"],
    ];
    let files = LANGUAGES
        .iter()
        .flat_map(|endings| sources::sample(sources::files(endings), SAMPLE));
    let broken: Vec<(&'static str, PathBuf, Vec<String>)> = files
        .collect::<Vec<PathBuf>>()
        .into_par_iter()
        .filter_map(|path| sweep(&path).map(|(name, errors)| (name, path, errors)))
        .collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, path, errors) in &broken {
        let count = counts.entry(name).or_default();
        count.0 += 1;
        if let Some(first) = errors.first() {
            count.1 += 1;
            println!("{}: {first}", path.display());
        }
    }
    println!("language: (files, files with errors) {counts:?}");
}

/// Reads one file in every way; returns its language and errors.
fn sweep(path: &Path) -> Option<(&'static str, Vec<String>)> {
    let source = std::fs::read(path).ok()?;
    let language = language(path)?;
    let outline = language.grammar.outline(&source);
    check_level(path, &source, &outline.symbols, Span::new(0, source.len()));
    let lines = source.iter().filter(|&&byte| byte == b'\n').count()
        + usize::from(!source.ends_with(b"\n") && !source.is_empty());
    assert_eq!(
        language.grammar.line_roles(&source, None).len(),
        lines,
        "{}",
        path.display()
    );
    let mut from = 0;
    for comment in language.grammar.comments(&source) {
        assert!(
            from <= comment.start && comment.end <= source.len(),
            "{}",
            path.display()
        );
        from = comment.end;
    }
    let told = |offset: usize| {
        source[..offset]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1
    };
    let errors = language.grammar.errors(&source);
    Some((
        language.name,
        errors
            .iter()
            .map(|error| format!("{}: {}", told(error.offset), error.message))
            .collect(),
    ))
}

/// Checks what holds for every outline: spans in bounds and in order, children inside their parent, names.
fn check_level(path: &Path, source: &[u8], symbols: &[Symbol], around: Span) {
    let mut from = around.start;
    for symbol in symbols {
        let at = format!(
            "{}: {} {} at {:?}",
            path.display(),
            symbol.kind,
            symbol.name,
            symbol.definition
        );
        let whole = symbol.whole();
        assert!(
            !symbol.name.is_empty() && !symbol.definition.is_empty(),
            "{at}"
        );
        assert!(
            from <= whole.start && whole.end <= around.end,
            "{at}: {whole:?} after {from} in {around:?}"
        );
        let mut above = whole.start;
        for decoration in &symbol.decorations {
            assert!(
                above <= decoration.span.start && decoration.span.end <= symbol.definition.start,
                "{at}"
            );
            above = decoration.span.end;
        }
        assert!(
            symbol.definition.contains(symbol.signature) && !symbol.signature.is_empty(),
            "{at}"
        );
        let text = String::from_utf8_lossy(symbol.definition.of(source));
        // An `impl` is called by words of its header, without what is between some of them.
        let is_named = match symbol.kind {
            SegmentKind::Impl => {
                let mut words = symbol.name.trim_matches('"').split_whitespace();
                words.all(|word| text.contains(word))
            }
            // In quotes of one kind, whichever the file has.
            _ => text.contains(symbol.name.trim_matches('"')),
        };
        assert!(is_named, "{at}");
        assert!(
            symbol.body.is_none_or(
                |body| symbol.definition.contains(body) && symbol.signature.end <= body.start
            ),
            "{at}"
        );
        assert!(
            symbol
                .docstring
                .is_none_or(|docstring| whole.contains(docstring)),
            "{at}"
        );
        check_level(path, source, &symbol.children, symbol.definition);
        from = whole.end;
    }
}

/// A definition, as both readers can tell it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Definition {
    qualified: String,
    kind: SegmentKind,
    /// From the first token behind the attributes to the last.
    code: (usize, usize),
    attributes: usize,
}

/// Returns the differences between the two readings; `None` when syn cannot read the file.
fn compare(path: &Path) -> Option<Vec<String>> {
    let source = std::fs::read_to_string(path).ok()?;
    // Derive output, in which items stand inside the `where` of an `impl`: to syn they are inside it, to us beside it.
    if path
        .to_str()
        .is_some_and(|path| path.contains("zerocopy-derive") && path.contains("/expected/"))
    {
        return None;
    }
    if source.starts_with('\u{feff}') || source.starts_with("#!") {
        return None;
    }
    let file = syn::parse_file(&source).ok()?;
    let mut theirs = Theirs {
        source: &source,
        around: Vec::new(),
        found: Vec::new(),
    };
    theirs.visit_file(&file);
    let mut theirs = theirs.found;
    let grammar = language(path)?.grammar;
    // Where the grammar itself cannot follow (`raw` as a name, old macro forms) its guess is nobody's business here.
    if !grammar.errors(source.as_bytes()).is_empty() {
        return None;
    }
    let mut ours = Vec::new();
    flatten(&grammar.outline(source.as_bytes()).symbols, "", &mut ours);
    // A function without a body where none may be: syn keeps it as tokens, for an attribute to make sense of.
    let verbatim = |one: &Definition| {
        matches!(one.kind, SegmentKind::Function | SegmentKind::Method)
            && source[..one.code.1].ends_with(';')
    };
    ours.retain(|one| !verbatim(one) || theirs.contains(one));
    ours.sort();
    theirs.sort();
    let only = |who: &str, these: &[Definition], those: &[Definition]| -> Vec<String> {
        let missing = these.iter().filter(|one| those.binary_search(one).is_err());
        missing
            .map(|one| format!("{}: only {who}: {one:?}", path.display()))
            .collect()
    };
    let mut differences = only("ours", &ours, &theirs);
    differences.extend(only("syn's", &theirs, &ours));
    if differences.is_empty() && ours.len() != theirs.len() {
        differences.push(format!(
            "{}: {} of ours, {} of syn's",
            path.display(),
            ours.len(),
            theirs.len()
        ));
    }
    Some(differences)
}

fn flatten(symbols: &[Symbol], around: &str, found: &mut Vec<Definition>) {
    for symbol in symbols {
        let owner = symbol
            .owner
            .as_ref()
            .map(|owner| format!("{owner}."))
            .unwrap_or_default();
        let qualified = format!("{around}{owner}{}", symbol.name);
        let attributes = symbol
            .decorations
            .iter()
            .filter(|one| one.sort == DecorationKind::Decorator)
            .count();
        let inside = match symbol.names_inside {
            true => format!("{qualified}."),
            false => around.to_owned(),
        };
        flatten(&symbol.children, &inside, found);
        let code = (symbol.definition.start, symbol.definition.end);
        found.push(Definition {
            qualified,
            kind: symbol.kind,
            code,
            attributes,
        });
    }
}

/// Collects the definitions of a file as syn sees them.
struct Theirs<'s> {
    source: &'s str,
    around: Vec<String>,
    found: Vec<Definition>,
}

impl Theirs<'_> {
    fn add(
        &mut self,
        kind: SegmentKind,
        name: &impl ToString,
        attributes: &[syn::Attribute],
        item: proc_macro2::Span,
    ) {
        let name = name.to_string();
        if name == "_" {
            return;
        }
        let item = item.byte_range();
        // The item's span begins with its attributes, the inner ones of its body aside.
        let last = attributes
            .iter()
            .map(|attribute| attribute.span().byte_range())
            .filter(|range| range.start >= item.start);
        let outer = last.take_while(|range| {
            !self.source[range.clone()].starts_with("//!")
                && !self.source[range.clone()].starts_with("#!")
        });
        let above = outer.map(|range| range.end).max().unwrap_or(item.start);
        let start = above + code_begins(&self.source[above..item.end]);
        let written = |attribute: &&syn::Attribute| {
            matches!(attribute.style, syn::AttrStyle::Outer)
                && self.source[attribute.span().byte_range()].starts_with('#')
        };
        let attributes = attributes.iter().filter(written).count();
        let qualified = self
            .around
            .iter()
            .map(|name| format!("{name}."))
            .collect::<String>()
            + &name;
        self.found.push(Definition {
            qualified,
            kind,
            code: (start, item.end),
            attributes,
        });
    }

    fn inside(&mut self, name: &str, visit: impl FnOnce(&mut Self)) {
        self.around.push(name.to_owned());
        visit(self);
        self.around.pop();
    }
}

/// Returns how many bytes of blanks and comments `code` begins with.
fn code_begins(code: &str) -> usize {
    let mut rest = code.trim_start();
    loop {
        if rest.starts_with("//") {
            rest = rest
                .split_once('\n')
                .map_or("", |(_, below)| below)
                .trim_start();
        } else if rest.starts_with("/*") {
            rest = rest
                .split_once("*/")
                .map_or("", |(_, behind)| behind)
                .trim_start();
        } else {
            return code.len() - rest.len();
        }
    }
}

fn owner(of: &syn::Type) -> Option<String> {
    match of {
        syn::Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string()),
        syn::Type::Reference(reference) => owner(&reference.elem),
        syn::Type::Ptr(pointer) => owner(&pointer.elem),
        syn::Type::Paren(paren) => owner(&paren.elem),
        syn::Type::Group(group) => owner(&group.elem),
        syn::Type::TraitObject(object) => object.bounds.iter().find_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => bound
                .path
                .segments
                .last()
                .map(|segment| segment.ident.to_string()),
            _ => None,
        }),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Theirs<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(
            SegmentKind::Function,
            &item.sig.ident,
            &item.attrs,
            item.span(),
        );
        self.inside(&item.sig.ident.to_string(), |all| {
            syn::visit::visit_item_fn(all, item)
        });
    }
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add(SegmentKind::Struct, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_struct(all, item)
        });
    }
    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.add(SegmentKind::Struct, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_union(all, item)
        });
    }
    fn visit_field(&mut self, item: &'ast syn::Field) {
        let Some(name) = &item.ident else {
            return syn::visit::visit_field(self, item);
        };
        self.add(SegmentKind::Variable, name, &item.attrs, item.span());
        self.inside(&name.to_string(), |all| syn::visit::visit_field(all, item));
    }
    fn visit_variant(&mut self, item: &'ast syn::Variant) {
        self.add(SegmentKind::Constant, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_variant(all, item)
        });
    }
    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add(SegmentKind::Enum, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_enum(all, item)
        });
    }
    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(SegmentKind::Trait, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_trait(all, item)
        });
    }
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.add(SegmentKind::Module, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_mod(all, item)
        });
    }
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.add(SegmentKind::Constant, &item.ident, &item.attrs, item.span());
        if item.ident == "_" {
            syn::visit::visit_item_const(self, item);
        } else {
            self.inside(&item.ident.to_string(), |all| {
                syn::visit::visit_item_const(all, item)
            });
        }
    }
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.add(SegmentKind::Variable, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_static(all, item)
        });
    }
    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add(SegmentKind::Type, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_item_type(all, item)
        });
    }
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(name) = &item.ident {
            self.add(SegmentKind::Function, name, &item.attrs, item.span());
        }
    }
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let words = |span: proc_macro2::Span| {
            let text = &self.source[span.byte_range()];
            text.split_whitespace().collect::<Vec<&str>>().join(" ")
        };
        let of_type = words(item.self_ty.span());
        let name = match &item.trait_ {
            Some((of_trait, _)) => {
                let ahead = &self.source[..of_trait.span().byte_range().start];
                let sign = if ahead.trim_end().ends_with('!') {
                    "!"
                } else {
                    ""
                };
                format!("impl {sign}{} for {of_type}", words(of_trait.span()))
            }
            None => format!("impl {of_type}"),
        };
        let name = match name.contains(['.', '[', ']']) {
            true => format!("\"{name}\""),
            false => name,
        };
        // One with a text in it has no name, as no address could hold it.
        if !name.trim_matches('"').contains(['"', '\\']) {
            self.add(SegmentKind::Impl, &name, &item.attrs, item.span());
        }
        match owner(&item.self_ty) {
            Some(name) => self.inside(&name, |all| syn::visit::visit_item_impl(all, item)),
            None => syn::visit::visit_item_impl(self, item),
        }
    }
    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(
            SegmentKind::Method,
            &item.sig.ident,
            &item.attrs,
            item.span(),
        );
        self.inside(&item.sig.ident.to_string(), |all| {
            syn::visit::visit_impl_item_fn(all, item)
        });
    }
    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.add(SegmentKind::Constant, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_impl_item_const(all, item)
        });
    }
    fn visit_impl_item_type(&mut self, item: &'ast syn::ImplItemType) {
        self.add(SegmentKind::Type, &item.ident, &item.attrs, item.span());
    }
    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add(
            SegmentKind::Method,
            &item.sig.ident,
            &item.attrs,
            item.span(),
        );
        self.inside(&item.sig.ident.to_string(), |all| {
            syn::visit::visit_trait_item_fn(all, item)
        });
    }
    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.add(SegmentKind::Constant, &item.ident, &item.attrs, item.span());
        self.inside(&item.ident.to_string(), |all| {
            syn::visit::visit_trait_item_const(all, item)
        });
    }
    fn visit_trait_item_type(&mut self, item: &'ast syn::TraitItemType) {
        self.add(SegmentKind::Type, &item.ident, &item.attrs, item.span());
    }
    fn visit_foreign_item_fn(&mut self, item: &'ast syn::ForeignItemFn) {
        self.add(
            SegmentKind::Function,
            &item.sig.ident,
            &item.attrs,
            item.span(),
        );
    }
    fn visit_foreign_item_static(&mut self, item: &'ast syn::ForeignItemStatic) {
        self.add(SegmentKind::Variable, &item.ident, &item.attrs, item.span());
    }
    fn visit_foreign_item_type(&mut self, item: &'ast syn::ForeignItemType) {
        self.add(SegmentKind::Type, &item.ident, &item.attrs, item.span());
    }
}

fn language(path: &Path) -> Option<&'static Language> {
    language_of(&RepoPath::parse(path.file_name()?.to_str()?).ok()?)
}
