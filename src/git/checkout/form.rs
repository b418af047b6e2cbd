//! Which form the files of a checkout take: as stored, or as attributes and line-ending settings convert them.
//!
//! Nearly every repository's files have the same bytes in both, and that is decided here, once for a whole tree, from the
//! words that its attributes use. All others are laid out by git itself.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::diagnostic::Diagnostic;
use crate::git::base::plain_file::read_plain_file;
use crate::git::changes::TreeFile;
use crate::git::{Repo, environment};
use crate::snapshot::{FileMode, HashKind, Id};

/// The form in which files are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are stored.
    Stored,
    /// As git converts them.
    Converted,
}

/// What decides about that beside the tree itself.
pub(super) struct Settings {
    /// A name for all of them: laid out under other ones, a file may look different.
    pub fingerprint: String,
    /// Whether they alone ask for a conversion.
    form: Form,
}

/// Settings that change a file's form, beside those of filters.
const KEYS: [&str; 4] = [
    "core.autocrlf",
    "core.eol",
    "core.checkroundtripencoding",
    "core.attributesfile",
];

impl Settings {
    /// Returns those that hold for `repo`.
    pub(super) fn of(repo: &Repo) -> Result<Settings, Diagnostic> {
        let names = repo
            .config()
            .names()
            .filter(|name| name.starts_with("filter.") || KEYS.contains(name));
        let values: BTreeMap<&str, Option<String>> =
            names.map(|name| (name, repo.config().get(name))).collect();
        let attributes = attributes_outside_of_trees(repo);
        let all = format!("{values:?}\n{attributes:?}");
        let crlf = repo.config().get_bool("core.autocrlf") == Some(true)
            || repo
                .config()
                .get("core.eol")
                .is_some_and(|eol| eol.eq_ignore_ascii_case("crlf"));
        let converted = crlf || attributes.iter().any(|text| asks_for_work(text));
        Ok(Settings {
            fingerprint: Id::of_blob(HashKind::Sha1, all.as_bytes()).0,
            form: if converted {
                Form::Converted
            } else {
                Form::Stored
            },
        })
    }

    /// Returns the form that the files of a tree take.
    pub(super) fn form_of(
        &self,
        repo: &Repo,
        laid: &BTreeMap<Vec<u8>, TreeFile>,
    ) -> Result<Form, Diagnostic> {
        let regular = |file: &TreeFile| FileMode::from_bits(file.bits).is_some();
        let files = laid
            .iter()
            .filter(|(path, file)| is_attributes(path) && regular(file));
        let texts =
            files.map(|(path, file)| repo.blob_bytes(&file.id, &String::from_utf8_lossy(path)));
        self.form_under(texts)
    }

    /// Returns the form that files take under attributes of these texts as well.
    pub(super) fn form_under<T: AsRef<[u8]>>(
        &self,
        texts: impl Iterator<Item = Result<T, Diagnostic>>,
    ) -> Result<Form, Diagnostic> {
        let mut form = self.form;
        for text in texts {
            if asks_for_work(text?.as_ref()) {
                form = Form::Converted;
            }
        }
        Ok(form)
    }
}

/// Says whether `path` is one from which git reads attributes.
pub(super) fn is_attributes(path: &[u8]) -> bool {
    path.rsplit(|&byte| byte == b'/').next() == Some(b".gitattributes")
}

/// Says whether attributes of this text could make a checked out file different from the stored one. On the way out, line
/// endings only ever become CRLF; `text` alone, and `eol=lf`, leave the file as it is.
fn asks_for_work(text: &[u8]) -> bool {
    let words = text.split(|byte| byte.is_ascii_whitespace());
    words.into_iter().any(|word| {
        let name = word.split(|&byte| byte == b'=').next().unwrap_or(word);
        matches!(name, b"filter" | b"working-tree-encoding" | b"ident") || word == b"eol=crlf"
    })
}

/// Returns the texts of the caller's, the system's and the repository's own attributes.
fn attributes_outside_of_trees(repo: &Repo) -> Vec<Vec<u8>> {
    let home = environment::variable("HOME").map(PathBuf::from);
    let configured = environment::variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let configured = configured.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let own = match repo.config().get("core.attributesfile") {
        Some(path) => match path.strip_prefix("~/") {
            Some(rest) => home.map(|home| home.join(rest)),
            // A relative one counts from where git's own programs run.
            None => Some(repo.workdir().unwrap_or(repo.git_dir()).join(path)),
        },
        None => configured.map(|configured| configured.join("git/attributes")),
    };
    // Past that git itself reads none.
    const MOST: u64 = 100 << 20;
    let places = [
        Some(PathBuf::from("/etc/gitattributes")),
        own,
        Some(repo.common_dir().join("info/attributes")),
    ];
    places
        .into_iter()
        .flatten()
        .filter_map(|place| read_plain_file(&place, MOST).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_attributes_ask_for_work() {
        for text in [
            "",
            "*.png binary\n",
            "* text=auto eol=lf\n*.rs diff=rust -text",
            "filters/* linguist-generated",
        ] {
            assert!(!asks_for_work(text.as_bytes()), "{text:?}");
        }
        for text in [
            "*.psd filter=lfs -text",
            "* text eol=crlf",
            "*.c\tident",
            "[attr]x filter=y",
            "a working-tree-encoding=UTF-16",
        ] {
            assert!(asks_for_work(text.as_bytes()), "{text:?}");
        }
    }
}
