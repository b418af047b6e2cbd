//! What is a tag, an attribute, a comment, and what is text.

use super::*;

/// Tells each token by its sort and its text, attributes as `name=value`.
fn check(source: &str, expected: &[&str]) {
    let mut tokens = Tokens::of(source.as_bytes());
    let text = |span: Span| String::from_utf8_lossy(span.of(source.as_bytes())).replace('\0', "_");
    let mut told = Vec::new();
    while let Some(token) = tokens.next(false) {
        let (sort, raw) = match &token {
            Token::Start(start) => {
                let name = text(start.name).to_lowercase();
                let raw = matches!(name.as_str(), "script" | "style" | "title")
                    .then(|| tokens.raw_text(&name));
                for attribute in &start.attributes {
                    let value = attribute
                        .value
                        .map_or(String::new(), |value| format!("={}", text(value)));
                    assert!(start.span.contains(attribute.span()));
                    told.push(format!("@{}{value}", text(attribute.name)));
                }
                (
                    if start.closes_itself {
                        "start/"
                    } else {
                        "start"
                    },
                    raw,
                )
            }
            Token::End { .. } => ("end", None),
            Token::Comment(_) => ("comment", None),
            Token::Doctype(_) => ("doctype", None),
            Token::Text(_) => ("text", None),
            Token::Unterminated { what, .. } => (*what, None),
        };
        told.push(format!("{sort} {}", text(token.span())));
        told.extend(raw.map(|raw| format!("raw {}", text(raw))));
    }
    assert_eq!(told, expected, "{source:?}");
}

#[test]
fn tags_and_text() {
    check(
        "<p>a > b < c & d</p>",
        &["start <p>", "text a > b < c & d", "end </p>"],
    );
    check(
        "a</ b><!x><?php a ?>",
        &[
            "text a",
            "comment </ b>",
            "comment <!x>",
            "comment <?php a ?>",
        ],
    );
    check(
        "<!DOCTYPE html><BR/>",
        &["doctype <!DOCTYPE html>", "start/ <BR/>"],
    );
    check("<a/ >", &["start <a/ >"]);
    check("1 < 2 </", &["text 1 < 2 </"]);
    check("</p x>", &["end </p x>"]);
}

#[test]
fn attributes_with_any_quotes_or_none() {
    check(
        "<a b=c d='e f' g=\"h>i\" j>",
        &[
            "@b=c",
            "@d=e f",
            "@g=h>i",
            "@j",
            "start <a b=c d='e f' g=\"h>i\" j>",
        ],
    );
    check(
        "<a href=/x/?a=b&c>",
        &["@href=/x/?a=b&c", "start <a href=/x/?a=b&c>"],
    );
    check("<a b = c d= >", &["@b=c", "@d", "start <a b = c d= >"]);
    check("<a b=c/>", &["@b=c/", "start <a b=c/>"]);
    check(
        "<a \0\0\0 b=\0\0 c>",
        &["@b=__", "@c", "start <a ___ b=__ c>"],
    );
    check("<a =b>", &["@=b", "start <a =b>"]);
}

#[test]
fn comments_end_as_the_standard_says() {
    check(
        "<!-- a -- > b --><p>",
        &["comment <!-- a -- > b -->", "start <p>"],
    );
    check("<!--><p>", &["comment <!-->", "start <p>"]);
    check("<!---><p>", &["comment <!--->", "start <p>"]);
    check("<!-- a --!><p>", &["comment <!-- a --!>", "start <p>"]);
    check("<!-- a ---><p>", &["comment <!-- a --->", "start <p>"]);
}

#[test]
fn what_never_ends_is_told() {
    check("a<p b=\"c", &["text a", "tag <p b=\"c"]);
    check("a<p", &["text a", "tag <p"]);
    check("<!-- a", &["comment <!-- a"]);
    check("<!doctype", &["doctype <!doctype"]);
}

#[test]
fn scripts_and_styles_are_text() {
    check(
        "<script>a<b></scriptx></SCRIPT >",
        &["start <script>", "raw a<b></scriptx>", "end </SCRIPT >"],
    );
    check(
        "<style></p></style>",
        &["start <style>", "raw </p>", "end </style>"],
    );
    check(
        "<script><!-- <script></script> --></script>",
        &[
            "start <script>",
            "raw <!-- <script></script> -->",
            "end </script>",
        ],
    );
    check(
        "<script><!-- a</script>b",
        &["start <script>", "raw <!-- a", "end </script>", "text b"],
    );
    check("<title>a<b>", &["start <title>", "raw a<b>"]);
}
