//! The comment that names the template: on the first or second line, in one of four styles of comments.
//!
//! ```text
//! # template=worker version=0f7309e4 created=2026-01-27T15:35Z updated=
//! // SCAFFOLD: template=worker version=0f7309e4 created=2026-01-27T15:35Z updated=2026-02-01T09:00Z
//! ```

use crate::text::BOM;

/// What the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The template's name, with folders or without, with its endings or without.
    pub template: String,
}

/// What begins and ends a comment. An empty end is the end of the line.
const COMMENTS: [(&str, &str); 4] = [("<!--", "-->"), ("{#", "#}"), ("//", ""), ("#", "")];

/// Longest name of a template in bytes.
const LONGEST: usize = 255;

/// Returns the header of a file, or what is wrong with it; `None` for a file without one.
pub fn header(bytes: &[u8]) -> Option<Result<Header, &'static str>> {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    bytes
        .split(|&byte| byte == b'\n')
        .take(2)
        .find_map(|line| read(std::str::from_utf8(line).ok()?))
}

fn read(line: &str) -> Option<Result<Header, &'static str>> {
    let line = line.trim();
    let text = COMMENTS
        .iter()
        .find_map(|(open, close)| line.strip_prefix(open)?.strip_suffix(close))?;
    let text = text.trim_matches('-').trim();
    let (marked, text) = match text.strip_prefix("SCAFFOLD:") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut fields = words.iter().filter_map(|word| word.split_once('='));
    if !marked
        && !words
            .first()
            .is_some_and(|word| word.starts_with("template="))
    {
        return None;
    }
    let Some((_, template)) = fields.find(|(key, _)| *key == "template") else {
        return Some(Err("names no template"));
    };
    Some(if words.iter().any(|word| !word.contains('=')) {
        Err("is not made of `key=value`")
    } else if template.is_empty() {
        Err("names no template")
    } else if template.len() > LONGEST || !is_inside(template) {
        Err("names a template outside of the template folders")
    } else {
        Ok(Header {
            template: template.to_owned(),
        })
    })
}

/// Says whether a name stays in the folder that it is looked for in.
fn is_inside(name: &str) -> bool {
    !name.starts_with('/')
        && !name.contains('\\')
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_their_template() {
        let check = |source: &str, expected: Option<Result<&str, &str>>| {
            let found = header(source.as_bytes());
            let found = found.as_ref().map(|found| {
                found
                    .as_ref()
                    .map(|header| header.template.as_str())
                    .map_err(|why| *why)
            });
            assert_eq!(found, expected, "{source:?}");
        };
        let worker = Some(Ok("worker"));
        check(
            "# template=worker version=0f7309e4 created=2026-01-27T15:35Z updated=\n",
            worker,
        );
        check(
            "# SCAFFOLD: template=worker version=0f7309e4 created=2026-01-27T15:35Z updated=\n",
            worker,
        );
        check("// template=worker version=1\n", worker);
        check("//SCAFFOLD: template=worker\n", worker);
        check("<!-- template=worker version=1 -->\r\n", worker);
        check("{# SCAFFOLD: template=worker version=1 #}\n", worker);
        check("{#- template=worker -#}\n", worker);
        check(
            "#!/usr/bin/env python3\n# template=worker version=1\n",
            worker,
        );
        check(
            "\u{feff}# template=concrete/worker.py version=1\n",
            Some(Ok("concrete/worker.py")),
        );
        check("# SCAFFOLD: version=1 template=worker\n", worker);
        check("a\nb\n# template=worker\n", None);
        check("x = 1\n", None);
        check("", None);
        check("# a template=worker\n", None);
        check("template=worker\n", None);
        check("<!-- template=worker\n", None);
        check("# template=\n", Some(Err("names no template")));
        check("# SCAFFOLD: version=1\n", Some(Err("names no template")));
        check(
            "# template=worker of mine\n",
            Some(Err("is not made of `key=value`")),
        );
        check(
            "# template=../worker\n",
            Some(Err("names a template outside of the template folders")),
        );
        check(
            "# template=/etc/passwd\n",
            Some(Err("names a template outside of the template folders")),
        );
        check(
            "# template=a//b\n",
            Some(Err("names a template outside of the template folders")),
        );
    }
}
