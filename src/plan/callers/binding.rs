//! Which argument of a call goes to which parameter, and what the call says when those have changed.
//!
//! By the rules of the language's reference ("Calls"). What cannot be told from the call alone is an error in words.

use super::change::{ParameterChange, is_ordered, named};
use crate::syntax::python::{FunctionParameter, ParameterKind};

/// One argument as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallArgument {
    /// `x`
    Plain,
    /// `name=x`
    Named(String),
    /// `*x`
    Starred,
    /// `**x`
    Spread,
}

/// One argument of a call as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NewArgument {
    /// The one at this place, as it is.
    Kept(usize),
    /// The one at this place, by this name.
    Named(usize, String),
    /// The one at this place, without its name.
    Unnamed(usize),
    /// Another one.
    Added(String),
}

impl NewArgument {
    /// Returns which of the old ones it is.
    pub(super) fn old(&self) -> Option<usize> {
        match self {
            NewArgument::Kept(at) | NewArgument::Named(at, _) | NewArgument::Unnamed(at) => {
                Some(*at)
            }
            NewArgument::Added(_) => None,
        }
    }
}

/// Why a call cannot follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hindrance {
    /// What it says is not certain.
    Unclear(String),
    /// Nothing says what is given for a parameter.
    Lacks(String),
}

/// Returns what a call with these arguments says when the parameters have changed.
pub(super) fn rebound(
    given: &[CallArgument],
    change: &ParameterChange<'_>,
) -> Result<Vec<NewArgument>, Hindrance> {
    let bound = BoundArguments::of(given, change)?;
    let mut plain: Vec<NewArgument> = Vec::new();
    // Those that come to be given by name, the old ones first.
    let (mut named_now, mut added) = (Vec::new(), Vec::new());
    let mut is_open = true;
    let ordered: Vec<&FunctionParameter> = change.new.iter().filter(|it| is_ordered(it)).collect();
    for (at, new) in ordered.iter().enumerate() {
        let old = change.before(new);
        match bound.place_of_new(new, change) {
            Some(BoundTo::Order(place)) if is_open => plain.push(NewArgument::Kept(place)),
            Some(BoundTo::Order(place)) if new.kind == ParameterKind::Plain => {
                named_now.push(NewArgument::Named(place, new.name.clone()));
            }
            Some(BoundTo::Order(_)) => {
                return Err(unclear(format!(
                    "`{}` has to be given by its place",
                    new.name
                )));
            }
            Some(BoundTo::Name(place)) if new.kind == ParameterKind::Positional && is_open => {
                plain.push(NewArgument::Unnamed(place));
            }
            Some(BoundTo::Name(_)) => is_open = false,
            None => {
                let has_later = || {
                    let later = ordered[at + 1..].iter().filter_map(|it| change.before(it));
                    let is_ordered = |old: &FunctionParameter| {
                        matches!(bound.place_of(old), Some(BoundTo::Order(_)))
                    };
                    !bound.rest.is_empty() || later.into_iter().any(is_ordered)
                };
                match value_of(new, old, change)? {
                    Some(value)
                        if is_open && (has_later() || new.kind == ParameterKind::Positional) =>
                    {
                        plain.push(NewArgument::Added(value));
                    }
                    Some(value) if new.kind == ParameterKind::Plain => {
                        added.push(NewArgument::Added(format!("{}={value}", new.name)));
                        is_open = false;
                    }
                    Some(_) => {
                        return Err(unclear(format!(
                            "`{}` has to be given by its place",
                            new.name
                        )));
                    }
                    None => is_open = false,
                }
            }
        }
    }
    let takes_rest = change.new.iter().any(|it| it.kind == ParameterKind::Rest);
    if !bound.rest.is_empty() {
        if !takes_rest || !is_open {
            let why = "more is given by place than the function takes then";
            return Err(unclear(why.to_owned()));
        }
        plain.extend(bound.rest.iter().copied().map(NewArgument::Kept));
    }
    for new in change
        .new
        .iter()
        .filter(|it| it.kind == ParameterKind::Keyword)
    {
        let old = change.before(new);
        match bound.place_of_new(new, change) {
            Some(BoundTo::Order(place)) => {
                named_now.push(NewArgument::Named(place, new.name.clone()));
            }
            Some(BoundTo::Name(_)) => {}
            None => {
                let value = value_of(new, old, change)?;
                added.extend(value.map(|it| NewArgument::Added(format!("{}={it}", new.name))));
            }
        }
    }
    let by_name = bound.by_name(given, change)?;
    Ok(assembled(given, plain, named_now, by_name, added))
}

/// Returns the arguments in the order in which they are written: those that are unpacked keep their places among the old ones.
fn assembled(
    given: &[CallArgument],
    plain: Vec<NewArgument>,
    named_now: Vec<NewArgument>,
    by_name: Vec<NewArgument>,
    added: Vec<NewArgument>,
) -> Vec<NewArgument> {
    let starred = given.iter().position(|it| *it == CallArgument::Starred);
    let mut all = plain;
    if let Some(first) = starred {
        // Nothing changed of what is given by place.
        all = (0..given.len())
            .take_while(|at| {
                matches!(given[*at], CallArgument::Plain | CallArgument::Starred) || *at <= first
            })
            .map(NewArgument::Kept)
            .collect();
    }
    let is_there = |all: &[NewArgument], at: usize| all.iter().any(|it| it.old() == Some(at));
    all.extend(named_now);
    let mut spread = Vec::new();
    for (at, one) in given.iter().enumerate() {
        match one {
            CallArgument::Spread => spread.push(NewArgument::Kept(at)),
            CallArgument::Starred if !is_there(&all, at) => all.push(NewArgument::Kept(at)),
            CallArgument::Named(_) => {
                let own = by_name.iter().find(|it| it.old() == Some(at));
                if let Some(own) = own.filter(|_| !is_there(&all, at)) {
                    all.push(own.clone());
                }
            }
            CallArgument::Plain | CallArgument::Starred => {}
        }
    }
    all.extend(added);
    all.extend(spread);
    all
}

/// How an argument goes to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoundTo {
    /// By its place.
    Order(usize),
    /// By its name.
    Name(usize),
}

/// Which argument goes where, before the change.
struct BoundArguments {
    places: Vec<(String, BoundTo)>,
    /// What goes to `*args`.
    rest: Vec<usize>,
    /// What goes to `**options`, by its name.
    others: Vec<(String, usize)>,
}

impl BoundArguments {
    fn of(
        given: &[CallArgument],
        change: &ParameterChange<'_>,
    ) -> Result<BoundArguments, Hindrance> {
        let misfit = || unclear("it does not fit the parameters as they were".to_owned());
        let mut places: Vec<(String, BoundTo)> = Vec::new();
        let (mut rest, mut others) = (Vec::new(), Vec::new());
        let mut ordered = change.old.iter().filter(|it| is_ordered(it));
        let takes = |kind: ParameterKind| change.old.iter().any(|it| it.kind == kind);
        let mut is_starred = false;
        for (at, one) in given.iter().enumerate() {
            match one {
                CallArgument::Starred => is_starred = true,
                CallArgument::Plain if is_starred => {}
                CallArgument::Plain => match ordered.next() {
                    Some(parameter) => places.push((parameter.name.clone(), BoundTo::Order(at))),
                    None if takes(ParameterKind::Rest) => rest.push(at),
                    None => return Err(misfit()),
                },
                CallArgument::Named(name) => {
                    let known = named(change.old, name).filter(|it| takes_name(it));
                    match known {
                        Some(_) if places.iter().any(|(other, _)| other == name) => {
                            return Err(misfit());
                        }
                        Some(_) => places.push((name.clone(), BoundTo::Name(at))),
                        None if takes(ParameterKind::Keywords) => others.push((name.clone(), at)),
                        None => return Err(misfit()),
                    }
                }
                CallArgument::Spread => {}
            }
        }
        let bound = BoundArguments {
            places,
            rest,
            others,
        };
        let is_given = |old: &&FunctionParameter| bound.place_of(old).is_some();
        let mut given_ones = change.old.iter().filter(is_given);
        if let Some(old) = given_ones.find(|old| change.may_have_heir(old)) {
            return Err(unclear(format!(
                "`{}`, which it gives, may have another name now: `op: rename` gives it that",
                old.name
            )));
        }
        if is_starred && !same_order(change) {
            return Err(unclear("`*` may give any of its parameters".to_owned()));
        }
        if given.contains(&CallArgument::Spread) {
            bound.check_spread(change)?;
        }
        Ok(bound)
    }

    /// Refuses a change of what `**` may give.
    fn check_spread(&self, change: &ParameterChange<'_>) -> Result<(), Hindrance> {
        let is_free = |old: &&FunctionParameter| takes_name(old) && self.place_of(old).is_none();
        let changes = |old: &FunctionParameter| {
            change
                .name_after(old)
                .is_none_or(|after| after.name != old.name)
        };
        let lost = change.old.iter().filter(is_free).find(|old| changes(old));
        match lost {
            Some(old) => Err(unclear(format!("`**` may give `{}`", old.name))),
            None => Ok(()),
        }
    }

    /// Returns which argument goes to a parameter of afterwards: to what it was before, or by its name to `**options`.
    fn place_of_new(
        &self,
        new: &FunctionParameter,
        change: &ParameterChange<'_>,
    ) -> Option<BoundTo> {
        match change.before(new) {
            Some(old) => self.place_of(old),
            None if takes_name(new) => {
                let own = self.others.iter().find(|(name, _)| *name == new.name);
                own.map(|(_, at)| BoundTo::Name(*at))
            }
            None => None,
        }
    }

    fn place_of(&self, old: &FunctionParameter) -> Option<BoundTo> {
        let own = self.places.iter().find(|(name, _)| *name == old.name);
        own.map(|(_, place)| *place)
    }

    /// Returns the arguments that have a name and keep one.
    fn by_name(
        &self,
        given: &[CallArgument],
        change: &ParameterChange<'_>,
    ) -> Result<Vec<NewArgument>, Hindrance> {
        let mut found = Vec::new();
        for (at, one) in given.iter().enumerate() {
            let CallArgument::Named(name) = one else {
                continue;
            };
            let own =
                named(change.old, name).filter(|it| self.place_of(it) == Some(BoundTo::Name(at)));
            match own {
                Some(old) => match change.name_after(old) {
                    Some(new) if new.name == *name => found.push(NewArgument::Kept(at)),
                    Some(new) => found.push(NewArgument::Named(at, new.name.clone())),
                    None => {}
                },
                // It went to `**options`, and goes there or to a parameter of its own.
                None if named(change.new, name).is_some_and(takes_name)
                    || change
                        .new
                        .iter()
                        .any(|it| it.kind == ParameterKind::Keywords) =>
                {
                    found.push(NewArgument::Kept(at));
                }
                None => {
                    return Err(unclear(format!("nothing takes `{name}=` any more")));
                }
            }
        }
        Ok(found)
    }
}

/// Returns what a call gives for a parameter that it gave nothing for; `None` where that may stay so.
fn value_of(
    new: &FunctionParameter,
    old: Option<&FunctionParameter>,
    change: &ParameterChange<'_>,
) -> Result<Option<String>, Hindrance> {
    let is_asked = old.is_none() || !new.has_default;
    match change.values.get(&new.name).filter(|_| is_asked) {
        Some(value) => Ok(Some(value.clone())),
        None if new.has_default => Ok(None),
        // It gives it by `*` or `**`, or is wrong already.
        None if old.is_some_and(|old| !old.has_default) => Ok(None),
        None => Err(Hindrance::Lacks(new.name.clone())),
    }
}

/// Says whether an argument may be given to a parameter by its name.
fn takes_name(parameter: &FunctionParameter) -> bool {
    matches!(
        parameter.kind,
        ParameterKind::Plain | ParameterKind::Keyword
    )
}

/// Says whether arguments without names go where they went.
fn same_order(change: &ParameterChange<'_>) -> bool {
    let order = |parameters: &[FunctionParameter], after: bool| -> Vec<String> {
        let ordered = parameters
            .iter()
            .filter(|it| is_ordered(it) || it.kind == ParameterKind::Rest);
        ordered
            .map(|it| match after {
                true => change
                    .name_after(it)
                    .map_or(String::new(), |after| after.name.clone()),
                false => it.name.clone(),
            })
            .collect()
    };
    order(change.old, true) == order(change.new, false)
}

fn unclear(why: String) -> Hindrance {
    Hindrance::Unclear(why)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// `a b=1 *rest c **more`: a word for each parameter, `=` for a default, after `*` by name alone.
    fn parameters(text: &str) -> Vec<FunctionParameter> {
        let mut kind = ParameterKind::Plain;
        let mut found = Vec::new();
        for word in text.split_whitespace() {
            let (name, has_default) = match word.strip_suffix('=') {
                Some(name) => (name, true),
                None => (word, false),
            };
            let own = match name {
                "*" => {
                    kind = ParameterKind::Keyword;
                    continue;
                }
                _ if name.starts_with("**") => ParameterKind::Keywords,
                _ if name.starts_with('*') => {
                    kind = ParameterKind::Keyword;
                    ParameterKind::Rest
                }
                _ => kind,
            };
            found.push(FunctionParameter {
                name: name.trim_start_matches('*').to_owned(),
                kind: own,
                has_default,
            });
        }
        found
    }

    /// Writes what a call `f(…)` says afterwards; `!` and why where it cannot be told.
    fn after(call: &str, old: &str, new: &str, values: &[(&str, &str)]) -> String {
        let written: Vec<&str> = call.split(", ").filter(|it| !it.is_empty()).collect();
        let given: Vec<CallArgument> = written
            .iter()
            .map(|one| match one.split_once('=') {
                Some((name, _)) => CallArgument::Named(name.to_owned()),
                None if one.starts_with("**") => CallArgument::Spread,
                None if one.starts_with('*') => CallArgument::Starred,
                None => CallArgument::Plain,
            })
            .collect();
        let values: BTreeMap<String, String> = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let (old, new) = (parameters(old), parameters(new));
        // `c` is `b` by another name.
        let heirs = [("b".to_owned(), "c".to_owned())];
        let change = ParameterChange {
            old: &old,
            new: &new,
            values: &values,
            heirs: &heirs,
        };
        match rebound(&given, &change) {
            Ok(arguments) => {
                let value = |at: usize| written[at].split_once('=').map_or(written[at], |it| it.1);
                let words = arguments.iter().map(|argument| match argument {
                    NewArgument::Kept(at) => written[*at].to_owned(),
                    NewArgument::Named(at, name) => format!("{name}={}", value(*at)),
                    NewArgument::Unnamed(at) => value(*at).to_owned(),
                    NewArgument::Added(text) => text.clone(),
                });
                words.collect::<Vec<_>>().join(", ")
            }
            Err(Hindrance::Lacks(name)) => format!("! lacks {name}"),
            Err(Hindrance::Unclear(_)) => "!".to_owned(),
        }
    }

    #[test]
    fn a_new_parameter_gets_its_value() {
        let new = [("n", "7")];
        assert_eq!(after("1", "a b=", "a b= n", &new), "1, n=7");
        assert_eq!(after("1, 2", "a b", "a b n", &new), "1, 2, n=7");
        assert_eq!(after("1, 2", "a b", "a n b", &new), "1, 7, 2");
        assert_eq!(after("1, 2", "a b", "n a b", &new), "7, 1, 2");
        assert_eq!(after("1, b=2", "a b", "a n b", &new), "1, b=2, n=7");
        assert_eq!(after("1", "a", "a * n", &new), "1, n=7");
        assert_eq!(after("1, **o", "a **o", "a * n **o", &new), "1, n=7, **o");
        assert_eq!(after("1", "a", "a n=", &[]), "1");
        assert_eq!(after("1", "a", "a n=", &new), "1, n=7");
        assert_eq!(after("1", "a", "a n", &[]), "! lacks n");
        assert_eq!(after("1, 2, 3", "a *r", "a n *r", &new), "1, 7, 2, 3");
        assert_eq!(after("1, 2, 3", "a *r", "a n= *r", &[]), "!");
    }

    #[test]
    fn a_parameter_that_goes_takes_its_argument_along() {
        assert_eq!(after("1, 2, 3", "a b c", "a c", &[]), "1, 3");
        assert_eq!(after("1, b=2", "a b=", "a", &[]), "1");
        assert_eq!(after("1", "a b=", "a", &[]), "1");
        assert_eq!(after("1, *x", "a b=", "a", &[]), "!");
        assert_eq!(after("1, **x", "a b=", "a", &[]), "!");
        assert_eq!(after("1, b=2, **x", "a b= **o", "a **o", &[]), "1, **x");
        assert_eq!(after("1, 2, 3", "a *r", "a", &[]), "!");
    }

    #[test]
    fn a_parameter_by_another_name_or_in_another_place() {
        assert_eq!(after("1, b=2", "a b", "a c", &[]), "1, c=2");
        assert_eq!(after("1, 2", "a b", "a c", &[]), "1, 2");
        assert_eq!(after("1, **x", "a b", "a c", &[]), "!");
        assert_eq!(after("1, *x", "a b", "a c", &[]), "1, *x");
        // Whether it is that, or another, nothing says.
        assert_eq!(after("1, 2", "a b", "a d", &[]), "!");
        assert_eq!(after("1", "a b=", "a d=", &[]), "1");
        assert_eq!(after("1, 2", "a b", "b a", &[]), "2, 1");
        assert_eq!(after("1, b=2", "a b", "b a", &[]), "a=1, b=2");
        assert_eq!(after("1, 2", "a b", "a * b", &[]), "1, b=2");
        assert_eq!(after("1, 2, 3", "a b= c=", "a c= b=", &[]), "1, 3, 2");
        assert_eq!(after("1", "a b=", "a b", &[("b", "4")]), "1, b=4");
        assert_eq!(after("1, x=3", "a **o", "a x **o", &[]), "1, x=3");
    }

    #[test]
    fn a_call_that_does_not_fit_is_left_to_its_author() {
        assert_eq!(after("1, 2", "a", "a b", &[]), "!");
        assert_eq!(after("z=1", "a", "a b=", &[]), "!");
    }
}
