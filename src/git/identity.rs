//! `Identity`: who writes a commit and when, by git's own rules and, when it cannot be known, in git's own words.

use super::{Repo, environment, failure};
use crate::diagnostic::{Code, Diagnostic};
use crate::snapshot::Id;

/// A name, a mail address and a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The mail address, without angle brackets.
    pub email: String,
    /// Seconds since 1970.
    pub seconds: i64,
    /// Minutes east of UTC.
    pub offset: i32,
}

impl Identity {
    /// Returns the same moment with another name.
    pub fn renamed(&self, name: &str, email: &str) -> Identity {
        Identity {
            name: name.to_owned(),
            email: email.to_owned(),
            ..self.clone()
        }
    }

    /// Returns it as it stands in a commit object: `A <a@x> 1700000000 +0100`.
    pub fn line(&self) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs();
        format!(
            "{} <{}> {} {sign}{:02}{:02}",
            self.name,
            self.email,
            self.seconds,
            minutes / 60,
            minutes % 60
        )
    }

    /// Returns the moment as git reads it from a variable: `@` keeps it from taking a small number for a date.
    pub(super) fn date(&self) -> String {
        let line = self.line();
        let mut words = line.rsplitn(3, ' ');
        let (zone, seconds) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        format!("@{seconds} {zone}")
    }

    pub(super) fn signature(&self) -> Result<git2::Signature<'static>, Diagnostic> {
        git2::Signature::new(
            &self.name,
            &self.email,
            &git2::Time::new(self.seconds, self.offset),
        )
        .map_err(failure::git2("use an identity"))
    }
}

impl Repo {
    /// Returns who commits.
    pub fn committer(&self) -> Result<Identity, Diagnostic> {
        self.identity("committer")
    }

    /// Returns who is the author when nothing else is said.
    pub fn author(&self) -> Result<Identity, Diagnostic> {
        self.identity("author")
    }

    /// Returns who is the author of `commit`.
    pub fn author_of(&self, commit: &Id) -> Result<Identity, Diagnostic> {
        let commit = self.find_commit(commit)?;
        let author = commit.author();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (name, email) = (text(author.name_bytes()), text(author.email_bytes()));
        Ok(Identity {
            name,
            email,
            seconds: author.when().seconds(),
            offset: author.when().offset_minutes(),
        })
    }

    /// Returns who commits as far as that is known without asking git: `Name <mail>`.
    pub fn who(&self) -> Option<String> {
        let part = |what: &str| {
            environment::text(&format!("GIT_COMMITTER_{}", what.to_uppercase()))
                .or_else(|| self.config.get(&format!("committer.{what}")))
                .or_else(|| self.config.get(&format!("user.{what}")))
        };
        Some(format!("{} <{}>", part("name")?, part("email")?))
    }

    /// Takes the plain case from the environment and the configuration, and asks git for all others: dates that
    /// the caller sets, names that git makes up from the system's, and the words for an identity that is unknown.
    fn identity(&self, role: &str) -> Result<Identity, Diagnostic> {
        let variable =
            |what: &str| environment::text(&format!("GIT_{}_{what}", role.to_uppercase()));
        let setting = |what: &str| {
            self.config
                .get(&format!("{role}.{what}"))
                .or_else(|| self.config.get(&format!("user.{what}")))
        };
        let name = variable("NAME").or_else(|| setting("name"));
        let email = variable("EMAIL").or_else(|| setting("email"));
        let (Some(name), Some(email), None) = (name, email, variable("DATE")) else {
            return self.ask_git(role);
        };
        if name.is_empty() || email.is_empty() || needs_cleaning(&name) || needs_cleaning(&email) {
            return self.ask_git(role);
        }
        let now = git2::Signature::now(&name, &email).map_err(failure::git2("use an identity"))?;
        Ok(Identity {
            name,
            email,
            seconds: now.when().seconds(),
            offset: now.when().offset_minutes(),
        })
    }

    fn ask_git(&self, role: &str) -> Result<Identity, Diagnostic> {
        let variable = format!("GIT_{}_IDENT", role.to_uppercase());
        let answer = self.program().run(&["var", &variable])?;
        let unknown = || {
            Diagnostic::new(
                Code::UnsupportedRepository,
                format!("git does not know the {role}"),
            )
        };
        if !answer.success {
            return Err(from_gits_words(role, &answer.stderr));
        }
        parse(String::from_utf8_lossy(&answer.stdout).trim_end()).ok_or_else(unknown)
    }
}

/// Returns git's refusal: its first sentence as the message, the commands it names as notes.
fn from_gits_words(role: &str, stderr: &[u8]) -> Diagnostic {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().map_or_else(
        || format!("{role} identity unknown"),
        |line| line.to_owned(),
    );
    lines.fold(
        Diagnostic::new(Code::UnsupportedRepository, first),
        |refusal, line| refusal.note(line),
    )
}

/// Returns whether git would take something off `text` before it writes it into a commit.
fn needs_cleaning(text: &str) -> bool {
    let crud = |c: char| {
        c.is_control()
            || matches!(
                c,
                ' ' | '.' | ',' | ':' | ';' | '<' | '>' | '"' | '\\' | '\''
            )
    };
    text.starts_with(crud) || text.ends_with(crud) || text.contains(['<', '>', '\n', '\0'])
}

/// Parses `A <a@x> 1700000000 +0100`.
fn parse(line: &str) -> Option<Identity> {
    let (name, rest) = line.split_once(" <")?;
    let (email, when) = rest.rsplit_once("> ")?;
    let (seconds, zone) = when.split_once(' ')?;
    let (hours, minutes) = zone.get(1..)?.split_at_checked(2)?;
    let offset = hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?;
    Some(Identity {
        name: name.to_owned(),
        email: email.to_owned(),
        seconds: seconds.parse().ok()?,
        offset: if zone.starts_with('-') {
            -offset
        } else {
            offset
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_gits_and_an_identity_are_the_same() {
        for line in [
            "A U Thor <a@example.org> 1700000000 +0100",
            "B <> 0 -0330",
            "É <é@x> 12 +0000",
        ] {
            assert_eq!(
                parse(line).map(|identity| identity.line()).as_deref(),
                Some(line)
            );
        }
    }
}
