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
    /// Those that have another name now, with that.
    pub(super) heirs: &'c [(String, String)],
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
            heirs: self.heirs,
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
    /// It is another by that name alone unless a value is given for that.
    pub(super) fn name_after(&self, old: &FunctionParameter) -> Option<&'c FunctionParameter> {
        if let Some(same) = named(self.new, &old.name) {
            return Some(same);
        }
        let (_, heir) = self.heirs.iter().find(|(name, _)| *name == old.name)?;
        let heir = named(self.new, heir)?;
        let is_new = named(self.old, &heir.name).is_none() && !self.values.contains_key(&heir.name);
        (is_new && heir.kind == old.kind).then_some(heir)
    }

    /// Says whether one that goes may be one that comes, by another name, wherever that is.
    pub(super) fn may_have_heir(&self, old: &FunctionParameter) -> bool {
        let is_one = |new: &FunctionParameter| {
            named(self.old, &new.name).is_none()
                && !self.values.contains_key(&new.name)
                && self.before(new).is_none()
        };
        self.name_after(old).is_none() && self.new.iter().any(is_one)
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
