//! `NameRules`: what becomes of names that an edit newly uses and that nothing defines, and of the imports that they need.
//!
//! An operation's own word goes before the batch's, and that before the repository's (`.segedit.yaml`).

/// What a batch, an operation or a repository says of names; `None` where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameRules {
    /// What a name does that nothing defines.
    pub names: Option<NamesRule>,
    /// Whether imports are mended.
    pub imports: Option<ImportsRule>,
}

/// What a name does that an edit newly uses and that nothing defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamesRule {
    /// It is told.
    #[default]
    Warn,
    /// It refuses the batch.
    Strict,
}

/// Whether the imports of an edited file follow the edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportsRule {
    /// They stay as they are.
    #[default]
    Keep,
    /// What is missing comes, what is used no more goes.
    Fix,
}

impl NameRules {
    /// Returns these, and where they say nothing, what `outer` says.
    pub fn under(self, outer: NameRules) -> NameRules {
        NameRules {
            names: self.names.or(outer.names),
            imports: self.imports.or(outer.imports),
        }
    }

    /// Says whether a name that nothing defines refuses.
    pub fn refuses_undefined(self) -> bool {
        self.names.unwrap_or_default() == NamesRule::Strict
    }

    /// Says whether imports stay as they are, come what may.
    pub fn leaves_imports(self) -> bool {
        self.imports == Some(ImportsRule::Keep)
    }

    /// Says whether imports are mended after an edit.
    pub fn mends_imports(self) -> bool {
        self.imports.unwrap_or_default() == ImportsRule::Fix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::yaml;

    #[test]
    fn the_nearest_word_counts() {
        let text = "version: 1\nnames: strict\noperations:\n\
            - {op: remove, file: a.py}\n\
            - {op: create, file: b.py, content: '', names: warn, imports: fix}\n";
        let manifest = yaml::read("ops.yaml", text.as_bytes()).expect("it is well formed");
        let of_repository = NameRules {
            names: None,
            imports: Some(ImportsRule::Keep),
        };
        let settled = manifest.settled(of_repository);
        let said: Vec<(bool, bool)> = settled
            .operations
            .iter()
            .map(|it| (it.rules.refuses_undefined(), it.rules.mends_imports()))
            .collect();
        assert_eq!(said, [(true, false), (false, true)]);
        let alone: Vec<bool> = manifest
            .operations
            .iter()
            .map(|it| it.rules.refuses_undefined())
            .collect();
        assert_eq!(alone, [false, false], "only what it says itself");
    }
}
