//! In which encoding a file is: this program writes UTF-8, which beside another is mojibake.

/// Bytes at the start of a file in which it may say its encoding.
const DECLARES_WITHIN: usize = 1024;

/// Returns the encoding of a file that is in another one than UTF-8: the name that it declares, or `unknown` where its bytes are not
/// UTF-8. A file that has any character of several bytes in UTF-8 is in UTF-8, whatever it declares.
pub fn other_than_utf8(bytes: &[u8]) -> Option<String> {
    let mut is_broken = false;
    for chunk in bytes.utf8_chunks() {
        if !chunk.valid().is_ascii() {
            return None;
        }
        is_broken |= !chunk.invalid().is_empty();
    }
    let is_utf8 = |name: &String| {
        matches!(
            name.replace(['-', '_'], "").as_str(),
            "utf8" | "utf8mb4" | "utf8sig"
        )
    };
    let declared = declared(&bytes[..bytes.len().min(DECLARES_WITHIN)]);
    match declared {
        Some(name) if !is_utf8(&name) => Some(name),
        _ => is_broken.then(|| "unknown".to_owned()),
    }
}

/// Returns the encoding, in lower case, that the head of a file declares: Python's cookie, an XML declaration, a page's `charset`, a
/// style's `@charset`.
fn declared(head: &[u8]) -> Option<String> {
    let lines = head
        .split(|&byte| byte == b'\n')
        .take(2)
        .filter(|line| line.trim_ascii_start().starts_with(b"#"));
    let cookie = lines
        .filter_map(|line| after(line, b"coding"))
        .find(|rest| matches!(rest.first(), Some(b':' | b'=')));
    let xml = || {
        if head.starts_with(b"<?xml") {
            after(head, b"encoding=")
        } else {
            None
        }
    };
    let page = || after(head, b"<meta").and_then(|rest| after(rest, b"charset="));
    let style = || head.strip_prefix(b"@charset");
    let rest = cookie.or_else(xml).or_else(page).or_else(style)?;
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let start = rest.iter().position(is_of_name)?;
    let name: Vec<u8> = rest[start..]
        .iter()
        .copied()
        .take_while(is_of_name)
        .collect();
    String::from_utf8(name)
        .ok()
        .map(|name| name.to_ascii_lowercase())
}

fn after<'b>(bytes: &'b [u8], word: &[u8]) -> Option<&'b [u8]> {
    memchr::memmem::find(bytes, word).map(|at| &bytes[at + word.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_declarations_and_bytes() {
        let check = |bytes: &[u8], expected: Option<&str>| {
            assert_eq!(
                other_than_utf8(bytes).as_deref(),
                expected,
                "{}",
                String::from_utf8_lossy(bytes)
            );
        };
        check(b"x = 1\n", None);
        check("x = 'gr\u{fc}n'\n".as_bytes(), None);
        check(b"x=gr\xfcn\n", Some("unknown"));
        check("# coding: latin-1\nx = 'gr\u{fc}n'\n".as_bytes(), None);
        check(b"# -*- coding: latin-1 -*-\nx = 1\n", Some("latin-1"));
        check(
            b"#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n",
            Some("iso-8859-15"),
        );
        check(b"x = 1\n\n# coding: latin-1\n", None);
        check(b"# -*- coding: utf-8 -*-\nx = 1\n", None);
        check(
            b"<?xml version=\"1.0\" encoding='ISO-8859-1'?>\n<a/>\n",
            Some("iso-8859-1"),
        );
        check(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>\n", None);
        check(
            b"<html><head><meta charset=\"windows-1252\"></head>\n",
            Some("windows-1252"),
        );
        check(b"@charset \"iso-8859-1\";\n", Some("iso-8859-1"));
    }
}
