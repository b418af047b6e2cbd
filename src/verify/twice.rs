//! Twice: functions, classes, keys and sections that an edit brings in beside one of their name: where the later silently takes the
//! place of the earlier, where a compiler would refuse it, or where a name no longer tells which is meant. A warning: some mean it.
//!
//! Known limits: which block a definition is in is told by the layout, and a decorator that nobody here knows may have put the earlier one
//! to use, so that it is not lost.

use std::collections::BTreeSet;

use super::touched_spans::{header, is_touched};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::named::flatten;
use crate::resolve::{Definition, Document, overload};
use crate::snapshot::{Change, File, HashKind};
use crate::syntax::keys::{KeySegment, Tree};
use crate::syntax::{DecorationKind, Redefinition, SegmentKind};
use crate::text::Span;
use crate::text::diff::words;
use crate::text::splice::{Splice, Splices};

/// Returns a warning for each definition that `splices` bring in beside one of its name.
pub fn definitions(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
) -> Vec<Diagnostic> {
    let Some(second) = new
        .language
        .map(|language| language.habits.second)
        .filter(|it| *it != Redefinition::Allowed)
    else {
        return Vec::new();
    };
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let is_written =
        |named: &&Definition<'_>| named.twins > 1 && is_touched(header(named), &written);
    let names: BTreeSet<&str> = new_named
        .iter()
        .filter(is_written)
        .map(|named| named.qualified.as_str())
        .collect();
    let mut found = Vec::new();
    for name in names {
        let pairs = pairs_of(name, new_named, new, second);
        if pairs.len() <= pairs_of(name, old_named, old, second).len() {
            continue;
        }
        let is_new = |(one, other): &(&Definition<'_>, &Definition<'_>)| {
            is_written(one) || is_written(other)
        };
        for (one, other) in pairs.into_iter().filter(is_new) {
            let places = (one.symbol.definition.start, other.symbol.definition.start);
            found.push(warning(
                edit,
                new,
                name,
                places,
                (other.symbol.kind.as_str(), second),
            ));
        }
    }
    found
}

/// Returns a warning for each key that `splices` bring in beside one of its name.
pub fn keys(edit: &FileEdit, splices: &Splices, old: &Document, new: &Document) -> Vec<Diagnostic> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return Vec::new();
    };
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let mut known: BTreeSet<(Option<usize>, &KeySegment)> = BTreeSet::new();
    let mut found = Vec::new();
    for entry in &after.entries {
        let is_written = entry.key.is_some_and(|key| is_touched(key, &written));
        // Several may be merged into one mapping.
        let KeySegment::Key(name) = &entry.step else {
            continue;
        };
        if !is_written || name == "<<" || !known.insert((entry.parent, &entry.step)) {
            continue;
        }
        let places = places_of(after, entry.parent, &entry.step);
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            continue;
        };
        let address =
            |tree: &Tree, parent: Option<usize>| parent.map(|parent| tree.address(parent));
        let around = address(after, entry.parent);
        let was = before
            .entries
            .iter()
            .filter(|was| was.step == entry.step && address(before, was.parent) == around);
        if places.len() > 1 && places.len() > was.count() {
            found.push(warning(
                edit,
                new,
                name,
                (first, last),
                ("key", Redefinition::TakesPlace { variables: false }),
            ));
        }
    }
    found
}

/// Returns a warning for each definition and key that `change` brings in beside one of its name, wherever in the file.
pub fn anywhere(change: &Change, hash: HashKind) -> Vec<Diagnostic> {
    let (Some(before), Some(after)) = (&change.before, &change.after) else {
        return Vec::new();
    };
    let document = |file: &File| Document::new(change.path.clone(), file.bytes.clone(), hash);
    let (old, new) = (document(before), document(after));
    if old.too_large() || new.too_large() {
        return Vec::new();
    }
    let edit = FileEdit::whole(
        change.path.clone(),
        change.before.clone(),
        change.after.clone(),
    );
    let splice = Splice::new(Span::new(0, before.bytes.len()), after.bytes.to_vec());
    let Ok(splices) = Splices::new(vec![splice]) else {
        return Vec::new();
    };
    let (old_named, new_named) = (flatten(old.outline()), flatten(new.outline()));
    let mut found = definitions(&edit, &splices, (&old, &old_named), (&new, &new_named));
    found.extend(keys(&edit, &splices, &old, &new));
    found
}

/// Returns where the keys of this name stand in what holds them.
fn places_of(tree: &Tree, parent: Option<usize>, step: &KeySegment) -> Vec<usize> {
    let siblings = match parent.and_then(|parent| tree.entries.get(parent)) {
        Some(parent) => &parent.children,
        None => &tree.roots,
    };
    let entries = siblings.iter().filter_map(|&at| tree.entries.get(at));
    entries
        .filter(|entry| entry.step == *step)
        .map(|entry| entry.span.start)
        .collect()
}

/// Returns each definition of this name that a later one collides with, with that.
fn pairs_of<'n, 'a>(
    name: &str,
    all: &'n [Definition<'a>],
    document: &Document,
    second: Redefinition,
) -> Vec<(&'n Definition<'a>, &'n Definition<'a>)> {
    let is_definition = |named: &&Definition<'_>| match second {
        Redefinition::Stands => named.symbol.kind == SegmentKind::Section,
        _ => match named.symbol.kind {
            SegmentKind::Function | SegmentKind::Method | SegmentKind::Class => true,
            SegmentKind::Struct | SegmentKind::Enum => {
                matches!(second, Redefinition::Refused { .. })
            }
            _ => false,
        },
    };
    let of_the_name = |named: &&Definition<'_>| named.qualified == name;
    let called: Vec<&Definition<'_>> = all
        .iter()
        .filter(of_the_name)
        .filter(is_definition)
        .collect();
    if called.is_empty() && second == (Redefinition::TakesPlace { variables: true }) {
        let bound: Vec<&Definition<'_>> = all.iter().filter(of_the_name).collect();
        return bound_anew(&bound, document).into_iter().collect();
    }
    let collide = |one: &Definition<'_>, other: &Definition<'_>| match second {
        Redefinition::TakesPlace { .. } => takes_the_place_of(other, one, document),
        Redefinition::Refused { overloads } => is_refused_beside(other, one, document, overloads),
        Redefinition::Stands => one.parent == other.parent,
        Redefinition::Allowed => false,
    };
    let pairs = called.iter().enumerate().filter_map(|(at, one)| {
        let later = called
            .get(at + 1..)?
            .iter()
            .find(|other| collide(one, other))?;
        Some((*one, *later))
    });
    pairs.collect()
}

/// Returns the two places that bind a variable, where there are two: what binds it a third time does so at will. A value that is made of
/// the one before, a bare annotation, and another arm of a branch bind nothing anew.
fn bound_anew<'n, 'a>(
    bound: &[&'n Definition<'a>],
    document: &Document,
) -> Option<(&'n Definition<'a>, &'n Definition<'a>)> {
    let [one, other] = bound else {
        return None;
    };
    let text = |named: &Definition<'_>| named.symbol.definition.of(&document.bytes);
    let is_value = |named: &&Definition<'_>| {
        named.symbol.kind == SegmentKind::Variable && text(named).contains(&b'=')
    };
    let name = one.symbol.name.as_str();
    let is_anew = [one, other].into_iter().all(is_value)
        && one.parent == other.parent
        && name.chars().any(|character| character != '_')
        && words(text(other))
            .into_iter()
            .filter(|word| *word == name.as_bytes())
            .count()
            == 1
        && are_in_one_block(one.symbol.definition, other.symbol.definition, document);
    is_anew.then_some((*one, *other))
}

/// Says whether nothing is left of `one` once the later `other` is defined.
fn takes_the_place_of(other: &Definition<'_>, one: &Definition<'_>, document: &Document) -> bool {
    /// Decorators that put what they decorate to no use.
    const PLAIN: [&str; 5] = [
        "@staticmethod",
        "@classmethod",
        "@property",
        "@abstractmethod",
        "@override",
    ];
    let source = &document.bytes;
    // `@size.setter` goes on with what `size` was.
    let goes_on = format!("@{}.", one.symbol.name);
    are_beside(one, other, document)
        && overload::modifiers(one, source) == overload::modifiers(other, source)
        && decorators(one, source)
            .iter()
            .all(|text| PLAIN.contains(&text.as_str()))
        && !decorators(other, source)
            .iter()
            .any(|text| text.starts_with(&goes_on))
}

/// Says whether a compiler takes one of two definitions only: those of one kind that are told apart by nothing.
fn is_refused_beside(
    other: &Definition<'_>,
    one: &Definition<'_>,
    document: &Document,
    has_overloads: bool,
) -> bool {
    let source = &document.bytes;
    // Go runs each `init`, and what is compiled under a condition may be another's other arm.
    let is_conditional = |named: &Definition<'_>| {
        decorators(named, source)
            .iter()
            .any(|text| text.contains("cfg"))
    };
    // Macros of Rust have names of their own, and the later one counts from there on.
    let is_macro = |named: &Definition<'_>| {
        named
            .symbol
            .definition
            .of(source)
            .starts_with(b"macro_rules!")
    };
    are_beside(one, other, document)
        && one.symbol.kind == other.symbol.kind
        && ![one, other].into_iter().any(is_macro)
        && one.symbol.name != "init"
        && overload::of_trait(one, source) == overload::of_trait(other, source)
        && (!has_overloads
            || overload::parameter_types(one, source) == overload::parameter_types(other, source))
        && (![one, other].into_iter().any(is_conditional)
            || decorators(one, source) == decorators(other, source))
}

/// Says whether two definitions with a body and a telling name stand in one block.
fn are_beside(one: &Definition<'_>, other: &Definition<'_>, document: &Document) -> bool {
    one.parent == other.parent
        && one.symbol.name.chars().any(|character| character != '_')
        && one.symbol.body.is_some()
        && other.symbol.body.is_some()
        && are_in_one_block(one.symbol.definition, other.symbol.definition, document)
}

fn decorators(named: &Definition<'_>, source: &[u8]) -> Vec<String> {
    let own = named
        .symbol
        .decorations
        .iter()
        .filter(|decoration| decoration.sort == DecorationKind::Decorator);
    own.map(|decoration| {
        String::from_utf8_lossy(decoration.span.of(source))
            .trim()
            .to_owned()
    })
    .collect()
}

/// Says whether no line between two definitions of the same depth is less deep, as the `else` is between two arms.
fn are_in_one_block(one: Span, other: Span, document: &Document) -> bool {
    let depth = document.indentation(one.start).len();
    let between = Span::new(one.end, other.start.max(one.end)).of(&document.bytes);
    let blanks = |line: &[u8]| {
        line.iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count()
    };
    let mut lines = between.split(|&byte| byte == b'\n').skip(1);
    depth == document.indentation(other.start).len()
        && lines.all(|line| line.trim_ascii().is_empty() || blanks(line) >= depth)
}

fn warning(
    edit: &FileEdit,
    new: &Document,
    name: &str,
    (one, other): (usize, usize),
    (kind, second): (&str, Redefinition),
) -> Diagnostic {
    let (first, later) = (new.lines().line(one), new.lines().line(other));
    let comes_to = match second {
        Redefinition::Refused { .. } => "which is an error",
        Redefinition::Stands => "so that its name alone finds neither",
        Redefinition::TakesPlace { .. } | Redefinition::Allowed => {
            "the later takes the place of the earlier"
        }
    };
    let message = format!(
        "{} has two of the {kind} `{}`, at line {first} and line {later}: {comes_to}",
        edit.path,
        shown(name)
    );
    let diagnostic = Diagnostic::new(Code::DefinedTwice, message)
        .note("`replace` the one that is there, or give the new one another name");
    match edit.operation_at(other).or_else(|| edit.operation_at(one)) {
        Some(index) => diagnostic.of_operation(index),
        None => diagnostic,
    }
}
