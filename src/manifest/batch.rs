//! The rules of a batch's own fields: message, trailers, branch, base, and which of them go together.
//!
//! Each rule takes text and says what is wrong with it as the end of a sentence, so that an operation file and the
//! command line are held to the same ones. `Overrides` is the command line's say.

use super::lexical::{control_character, is_blank};
use super::words::FixedWord;
use super::{Author, CheckMode, Destination, Manifest, NamesRule};
use crate::diagnostic::{Code, Diagnostic, shown};

/// Longest commit message in bytes, trailers not counted.
pub const MAX_MESSAGE: usize = 64 << 10;

/// Trailers that only the program writes begin so, in any case.
const OWN_TRAILERS: &str = "segedit-";

/// Where git cuts a message off, behind whatever begins a comment: the trailers at its end would be out of sight.
pub const SCISSORS: &str = "------------------------ >8 ------------------------";

/// What the command line says about a batch; each one given takes the place of the file's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `-m`, `--message`
    pub message: Option<String>,
    /// `--author`
    pub author: Option<String>,
    /// `--destination`
    pub destination: Option<Destination>,
    /// `--branch`
    pub branch: Option<String>,
    /// `--base`
    pub base: Option<String>,
    /// `--mode`, `--dry-run`
    pub mode: Option<CheckMode>,
    /// `--names`
    pub names: Option<NamesRule>,
}

impl Overrides {
    /// Checks what the command line says, by the same rules as a file's fields.
    pub fn complaints(&self) -> Vec<Diagnostic> {
        let author = |text: &str| Author::parse(text).map(drop);
        [
            about("--message", self.message.as_deref(), check_message),
            about("--author", self.author.as_deref(), author),
            about("--branch", self.branch.as_deref(), check_branch),
            about("--base", self.base.as_deref(), check_base),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn about(
    option: &str,
    text: Option<&str>,
    rule: impl Fn(&str) -> Result<(), String>,
) -> Option<Diagnostic> {
    let text = text?;
    let why = rule(text).err()?;
    Some(Diagnostic::new(
        Code::Malformed,
        format!("{option} `{}` {why}", shown(text)),
    ))
}

impl Manifest {
    /// Returns the batch with what the command line says in the place of its own; `conflicts` is for the caller to ask.
    pub(super) fn overridden(mut self, overrides: &Overrides) -> Result<Manifest, Vec<Diagnostic>> {
        let complaints = overrides.complaints();
        if !complaints.is_empty() {
            return Err(complaints);
        }
        if let Some(author) = overrides
            .author
            .as_deref()
            .and_then(|text| Author::parse(text).ok())
        {
            self.author = Some(author);
        }
        self.message = overrides.message.clone().or(self.message);
        self.branch = overrides.branch.clone().or(self.branch);
        self.base = overrides.base.clone().or(self.base);
        self.destination = overrides.destination.unwrap_or(self.destination);
        self.mode = overrides.mode.unwrap_or(self.mode);
        self.rules.names = overrides.names.or(self.rules.names);
        Ok(self)
    }

    /// Returns what does not go together, each with the field at fault.
    pub(super) fn conflicts(&self) -> Vec<(&'static str, Diagnostic)> {
        let destination = self.destination.word();
        let refuse = |field: &'static str, why: &str| {
            let message = format!("`{field}` does not go with `destination: {destination}`: {why}");
            (field, Diagnostic::new(Code::Malformed, message))
        };
        let mut conflicts = Vec::new();
        if self.branch.is_some() && self.destination != Destination::Commit {
            conflicts.push(refuse("branch", "only a commit goes to a branch"));
        }
        if self.base.is_some() && !takes_base(self.destination) {
            conflicts.push(refuse(
                "base",
                "it is resolved against the index or the files as they stand",
            ));
        }
        conflicts
    }
}

/// Says whether a batch for `destination` may name the revision that it is resolved against.
pub fn takes_base(destination: Destination) -> bool {
    match destination {
        Destination::Commit | Destination::Stash => true,
        Destination::Index | Destination::Cached | Destination::Worktree => false,
    }
}

/// Says what is wrong with a commit message.
pub fn check_message(text: &str) -> Result<(), String> {
    if is_blank(text) {
        return Err("is blank; leave it out to have a summary written".to_owned());
    }
    if text.contains('\0') {
        return Err("holds a NUL character, where git would cut it off".to_owned());
    }
    if text.len() > MAX_MESSAGE {
        return Err(format!("is longer than {MAX_MESSAGE} bytes"));
    }
    if text.contains(SCISSORS) {
        return Err(format!(
            "holds git's scissors line `{SCISSORS}`, behind which git sees no trailers"
        ));
    }
    match forged_trailer(text) {
        Some(line) => Err(format!(
            "holds the line `{}`; trailers that begin with `Segedit-` are the program's own",
            shown(line)
        )),
        None => Ok(()),
    }
}

/// Returns the first line of `message` that git would read as a trailer of ours.
pub fn forged_trailer(message: &str) -> Option<&str> {
    message.split(['\n', '\r']).map(str::trim).find(|line| {
        line.split_once(':')
            .is_some_and(|(key, _)| is_own(key) && key.trim_end().bytes().all(is_key_byte))
    })
}

/// Says what is wrong with the key of a trailer.
pub fn check_trailer_key(key: &str) -> Result<(), String> {
    if key.is_empty() || !key.bytes().all(is_key_byte) {
        return Err("is not a trailer's key: letters, digits and `-` only".to_owned());
    }
    if is_own(key) {
        return Err(
            "is the program's own: keys that begin with `Segedit-` cannot be given".to_owned(),
        );
    }
    Ok(())
}

/// Says what is wrong with the value of a trailer.
pub fn check_trailer_value(value: &str) -> Result<(), String> {
    if value.contains(['\n', '\r']) {
        return Err("holds a line break, which would begin another trailer".to_owned());
    }
    if value.contains('\0') {
        return Err("holds a NUL character".to_owned());
    }
    if is_blank(value) {
        return Err("is blank".to_owned());
    }
    if value.len() > MAX_MESSAGE {
        return Err(format!("is longer than {MAX_MESSAGE} bytes"));
    }
    Ok(())
}

fn is_own(key: &str) -> bool {
    key.get(..OWN_TRAILERS.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(OWN_TRAILERS))
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Names at the top of a repository that git itself writes and that a branch of the name would hide.
const RESERVED_BRANCHES: [&str; 9] = [
    "HEAD",
    "FETCH_HEAD",
    "ORIG_HEAD",
    "MERGE_HEAD",
    "REBASE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_HEAD",
    "AUTO_MERGE",
];

/// Says why git refuses a branch of this name, short or beginning with `refs/heads/`.
///
/// These are the rules of `git check-ref-format --branch`, written out because a rule broken should be named.
pub fn check_branch(text: &str) -> Result<(), String> {
    let refuse = |why: &str| Err(why.to_owned());
    let name = text.strip_prefix("refs/heads/").unwrap_or(text);
    if name.starts_with("refs/") {
        return refuse("is not a branch: only `refs/heads/…` is");
    }
    if name.is_empty() {
        return refuse("is empty");
    }
    if name.starts_with('-') {
        return refuse("begins with `-`");
    }
    if name == "@" || RESERVED_BRANCHES.contains(&name) {
        return refuse("is a name that git itself uses");
    }
    if let Some(odd) = name
        .chars()
        .find(|&character| is_refused_in_refs(character))
    {
        return Err(format!(
            "holds {}, which a branch name cannot",
            named_character(odd)
        ));
    }
    if let Some(odd) = ["..", "@{"].into_iter().find(|part| name.contains(part)) {
        return Err(format!("holds `{odd}`, which a branch name cannot"));
    }
    if name.ends_with('.') {
        return refuse("ends with `.`");
    }
    name.split('/').try_for_each(check_branch_component)
}

fn check_branch_component(component: &str) -> Result<(), String> {
    let refuse = |why: &str| Err(why.to_owned());
    match component {
        "" => refuse("has an empty component: `//`, or a slash at an end"),
        _ if component.starts_with('.') => refuse("has a component that begins with `.`"),
        _ if component.ends_with(".lock") => refuse("has a component that ends with `.lock`"),
        // The lock file of a ref carries five bytes more, and file systems stop at 255.
        _ if component.len() > 250 => refuse("has a component longer than 250 bytes"),
        _ => Ok(()),
    }
}

fn is_refused_in_refs(character: char) -> bool {
    character.is_ascii_control() || " ~^:?*[\\".contains(character)
}

fn named_character(character: char) -> String {
    match character {
        ' ' => "a space".to_owned(),
        _ if character.is_control() => format!("the control character U+{:04X}", character as u32),
        _ => format!("`{character}`"),
    }
}

/// Says what is wrong with the text of a revision; whether it names a commit is for git to say.
pub fn check_base(text: &str) -> Result<(), String> {
    if is_blank(text) {
        return Err("is blank".to_owned());
    }
    if text.starts_with('-') {
        return Err("begins with `-`, as no revision does".to_owned());
    }
    if let Some(odd) = control_character(text) {
        return Err(format!("holds {}", named_character(odd)));
    }
    if text.len() > 4096 {
        return Err("is longer than 4096 bytes".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn branch_names_are_those_that_git_accepts() {
        let check = |name: &str, accepted: bool| {
            let found = check_branch(name);
            assert_eq!(found.is_ok(), accepted, "{name:?}: {found:?}");
        };
        for name in [
            "main",
            "bot/validate",
            "refs/heads/main",
            "a.b",
            "a@b",
            "ü/ß",
            "x-",
            "lock",
            "a.lock2",
            "refs",
        ] {
            check(name, true);
        }
        for name in [
            "",
            "refs/heads/",
            "-x",
            "refs/heads/-x",
            "HEAD",
            "refs/heads/HEAD",
            "FETCH_HEAD",
            "@",
            "a..b",
            "../config",
            "x.lock",
            "a.lock/b",
            ".a",
            "a/.b",
            "a//b",
            "/a",
            "a/",
            "a.",
            "a b",
            "a~1",
            "a^",
            "a:b",
            "a?",
            "a*",
            "a[b",
            "a\\b",
            "a@{1}",
            "a\u{7f}",
            "a\nb",
            "refs/tags/x",
            "refs/notes/x",
            "refs/remotes/origin/x",
            "--upload-pack=x",
        ] {
            check(name, false);
        }
        check(&"a".repeat(251), false);
    }

    proptest! {
        #[test]
        fn no_branch_is_accepted_that_another_implementation_of_the_rules_refuses(name in "[a-c./@{}~^: \\[*?\\-\\\\lock]{1,12}") {
            let full = format!("refs/heads/{name}");
            let theirs = gix_validate::reference::name(full.as_str().into()).is_ok();
            let ours = check_branch(&name).is_ok();
            prop_assert!(!ours || theirs, "{:?}", name);
            // We refuse more only where `git branch` does: a dash in front, and `@`.
            prop_assert!(ours || !theirs || name.starts_with('-') || name == "@", "{:?}", name);
        }
    }

    #[test]
    fn messages_cannot_forge_a_trailer_of_ours() {
        let check = |text: &str, part: Option<&str>| {
            let found = check_message(text);
            match part {
                None => assert_eq!(found, Ok(()), "{text:?}"),
                Some(part) => assert!(
                    found.as_ref().is_err_and(|why| why.contains(part)),
                    "{text:?}: {found:?}"
                ),
            }
        };
        check("fix", None);
        check("#12: fix", None);
        check("fix\n\nSigned-off-by: Boss <b@x>", None);
        check("about Segedit-Batch: a word in a line", None);
        check("Segedit-Batches are great", None);
        check("", Some("blank"));
        check(" \n\t", Some("blank"));
        check("\u{feff}", Some("blank"));
        check("a\0b", Some("NUL"));
        check(&"x".repeat(MAX_MESSAGE + 1), Some("longer"));
        check(
            "fix\n\n# ------------------------ >8 ------------------------\nrest",
            Some("scissors"),
        );
        check("fix\n\n-- >8 --", None);
        check("fix\n\nSegedit-Batch: 1", Some("program's own"));
        check("fix\n\nsegedit-undo : 1", Some("program's own"));
        check("fix\r\nSEGEDIT-X:y\r\n", Some("program's own"));
        check("fix\n\n  Segedit-Batch: 1", Some("program's own"));
    }

    #[test]
    fn trailers_are_tokens_with_one_line() {
        assert_eq!(check_trailer_key("Ticket"), Ok(()));
        for key in ["", "Two words", "a:b", "Über", "Segedit-Batch", "segedit-x"] {
            assert!(check_trailer_key(key).is_err(), "{key:?}");
        }
        assert_eq!(check_trailer_value("ORD-17"), Ok(()));
        for value in ["", " ", "a\nSigned-off-by: b", "a\rb", "a\0"] {
            assert!(check_trailer_value(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn a_base_cannot_pass_for_an_option() {
        for text in [
            "main",
            "HEAD~2",
            "v1.0^{commit}",
            "main@{yesterday}",
            ":/fix the bug",
        ] {
            assert_eq!(check_base(text), Ok(()), "{text:?}");
        }
        for text in ["", " ", "-x", "--output=x", "a\nb", "a\0b", "a\u{1b}[2K"] {
            assert!(check_base(text).is_err(), "{text:?}");
        }
    }
}
