//! `RepositoryFilter`: a filter that a repository's own configuration names.

/// What is set: the setting's name, and its value.
pub(in crate::git) type NamedValue = (Vec<u8>, Vec<u8>);

/// A filter driver of which anything is set in the repository's own configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryFilter {
    /// The driver's name.
    pub(in crate::git) name: Vec<u8>,
    /// What is set of it there, name and value, in git's order.
    pub(in crate::git) settings: Vec<NamedValue>,
    pub(in crate::git) trust: FilterTrust,
}

/// How what may start compares to what was trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterTrust {
    /// All of it was trusted.
    Trusted,
    /// Nothing of it was.
    New,
    /// A setting of the same driver was, but not all that are set now.
    Changed,
}

impl RepositoryFilter {
    /// Returns what is set of it, name and value, for people; sorted.
    pub fn shown_settings(&self) -> impl Iterator<Item = (String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.settings
            .iter()
            .map(move |(name, value)| (text(name), text(value)))
    }

    /// Returns the driver's name, for people.
    pub fn shown_name(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }

    /// Returns how it compares to what was trusted for this clone.
    pub fn trust(&self) -> FilterTrust {
        self.trust
    }
}
