//! `ParameterChange`: what became of the parameters of a function.

use std::collections::BTreeMap;

use crate::syntax::python::{FunctionParameter, ParameterKind};

/// The parameters of a function before and after, without what it is called on where that is given by no argument.
#[derive(Clone, Debug)]
pub(super) struct ParameterChange<'c> {
    pub(super) old: &'c [FunctionParameter],
    pub(super) new: &'c [FunctionParameter],
    /// What calls give for new ones.
    pub(super) values: &'c BTreeMap<String, String>,
}

impl<'c> ParameterChange<'c> {
    /// Returns the same of a call whose receiver goes to the first parameter.
    pub(super) fn without_receiver(&self) -> Option<ParameterChange<'c>> {
        let rest = |parameters: &'c [FunctionParameter]| match parameters.split_first() {
            Some((first, rest)) if is_ordered(first) => Some(rest),
            // `*args` takes the receiver, too.
            Some((first, _)) if first.kind == ParameterKind::Rest => Some(parameters),
            _ => None,
        };
        Some(ParameterChange {
            old: rest(self.old)?,
            new: rest(self.new)?,
            values: self.values,
        })
    }

    /// Says whether every call says afterwards what it says now.
    pub(super) fn is_nothing(&self) -> bool {
        let as_called = |parameters: &[FunctionParameter]| -> Vec<(String, ParameterKind)> {
            parameters
                .iter()
                .map(|it| (it.name.clone(), it.kind))
                .collect()
        };
        as_called(self.old) == as_called(self.new) && self.required().is_empty()
    }

    /// Returns the new name of a parameter; `None` of one that goes.
    ///
    /// One that has the place and the kind of another that went, among those that have to be said, is that one by another name, unless a
    /// value is given for it.
    pub(super) fn name_after(&self, old: &FunctionParameter) -> Option<&'c FunctionParameter> {
        if let Some(same) = named(self.new, &old.name) {
            return Some(same);
        }
        let went: Vec<&FunctionParameter> = self
            .old
            .iter()
            .filter(|it| named(self.new, &it.name).is_none())
            .collect();
        let came: Vec<&'c FunctionParameter> = self
            .new
            .iter()
            .filter(|it| named(self.old, &it.name).is_none())
            .filter(|it| !self.values.contains_key(&it.name))
            .collect();
        if went.len() != came.len() {
            return None;
        }
        let at = went.iter().position(|it| it.name == old.name)?;
        let heir = *came.get(at)?;
        let place =
            |all: &[FunctionParameter], name: &str| all.iter().position(|it| it.name == name);
        let is_in_its_place = place(self.old, &old.name) == place(self.new, &heir.name);
        (is_in_its_place && heir.kind == old.kind).then_some(heir)
    }

    /// Returns the parameter that a new one was before.
    pub(super) fn before(&self, new: &FunctionParameter) -> Option<&'c FunctionParameter> {
        self.old.iter().find(|old| {
            self.name_after(old)
                .is_some_and(|after| after.name == new.name)
        })
    }

    /// Returns those that have to be given now, and had not to be before.
    fn required(&self) -> Vec<&'c FunctionParameter> {
        let is_newly = |new: &&FunctionParameter| {
            let had = self.before(new).is_some_and(|old| !old.has_default);
            let is_one = !matches!(new.kind, ParameterKind::Rest | ParameterKind::Keywords);
            is_one && !new.has_default && !had
        };
        self.new.iter().filter(is_newly).collect()
    }
}

/// Returns the parameter that is called so.
pub(super) fn named<'p>(
    parameters: &'p [FunctionParameter],
    name: &str,
) -> Option<&'p FunctionParameter> {
    parameters.iter().find(|it| it.name == name)
}

/// Says whether an argument without a name may go to a parameter.
pub(super) fn is_ordered(parameter: &FunctionParameter) -> bool {
    matches!(
        parameter.kind,
        ParameterKind::Positional | ParameterKind::Plain
    )
}
