//! The key by which names are looked up: a hash of what cannot be guessed wrong.

use std::sync::LazyLock;

use crate::path::RepoPath;
use crate::snapshot::{HashKind, Id};
use crate::syntax::{LANGUAGES, jinja, left_out_language, named_language, told_language};

/// The rows of the table of languages that this build leaves out, a bit each.
static LEFT_OUT: LazyLock<u64> = LazyLock::new(|| {
    let rows = LANGUAGES.iter().enumerate();
    rows.filter(|(_, language)| language.is_left_out())
        .fold(0, |bits, (at, _)| bits | 1 << (at % 64))
});

/// Returns the key of a content at `path`: its id, and what of the path decides how it is read, beside what the content says itself.
/// `None` for an id that is none.
pub(super) fn key(id: &Id, path: &RepoPath) -> Option<Vec<u8>> {
    if id.0.bytes().all(|digit| digit == b'0') {
        return None;
    }
    let mut key: Vec<u8> =
        id.0.as_bytes()
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| digits(*pair))
            .collect::<Option<_>>()?;
    let language = named_language(path).and_then(|language| {
        LANGUAGES
            .iter()
            .position(|known| std::ptr::eq(*known, language))
    });
    key.push(language.map_or(Some(0), |at| u8::try_from(at + 1).ok())?);
    // What a file says itself, another build may read.
    if language.is_none() && *LEFT_OUT != 0 {
        key.extend(LEFT_OUT.to_le_bytes());
    }
    let name = path.file_name().to_ascii_lowercase();
    // How the address of a block is written hangs on the ending too.
    let is_markdown = name.ends_with(".md") || name.ends_with(".markdown");
    // Another build, which has the language, is to read it anew.
    let is_left_out = left_out_language(path).is_some();
    key.push(
        u8::from(jinja::is_template(path))
            | u8::from(is_markdown) << 1
            | u8::from(is_left_out) << 2
            | u8::from(jinja::is_made_into_other(path)) << 3,
    );
    Some(key)
}

pub(super) fn digits(pair: [u8; 2]) -> Option<u8> {
    let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? << 4 | low?).ok()
}

/// Returns how many hexadecimal digits an id has.
pub(super) fn width(hash: HashKind) -> usize {
    match hash {
        HashKind::Sha1 => 40,
        HashKind::Sha256 => 64,
    }
}

/// Says whether anything in the file can have a name, be it in a language that this build leaves out.
pub(crate) fn may_name(path: &RepoPath, bytes: &[u8]) -> bool {
    let holds = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
    told_language(path, bytes).is_some() || holds(b"{%") || holds(b"region")
}
