//! JSON to the letter, judged by CPython's reader: every text of a few pieces is an error to both or to neither.

use segedit::syntax::json::JSON;

use crate::support::python;

/// Returns every text of up to `most` of the pieces, `before` ahead and `behind` behind each.
fn all(before: &str, pieces: &[&str], behind: &str, most: u32) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut last = found.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}")))
            .collect();
        found.extend(last.iter().cloned());
    }
    found
        .into_iter()
        .map(|text| format!("{before}{text}{behind}"))
        .collect()
}

#[test]
fn json_is_what_cpython_reads_as_json() {
    if python::minor().is_none() {
        return;
    }
    let words = [
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"\n\"", "'a'", "a", "1", "01", "true", "NaN", " ",
        "\n", "\u{c}", "\u{a0}", "// c\n", "/* c */",
    ];
    let within = [
        "a", "\\", "n", "u", "00", "4d", "\"", "\t", "\r\n", "\u{1f}", "\u{7f}", "é", "\u{2028}",
        "'", "/",
    ];
    let numbers = ["-", "+", "0", "1", ".", "e", "E", "x"];
    let texts = [
        all("", &words, "", 4),
        all("{\"a\":", &words, "}", 3),
        all("[1,", &words, "]", 3),
        all("\"", &within, "\"", 4),
        all("{\"", &within, "\":1}", 3),
        all("[", &numbers, "]", 5),
    ]
    .concat();
    let judged = python::ask(
        "json_letter.py",
        serde_json::to_vec(&texts).expect("strings"),
    );
    let judged = judged.trim_end();
    assert_eq!(judged.len(), texts.len());
    assert!(judged.contains('0') && judged.contains('1'));
    let wrong = texts.iter().zip(judged.bytes()).filter(|(text, judged)| {
        let is_json = JSON.grammar.errors(text.as_bytes()).is_empty();
        is_json != (*judged == b'1')
    });
    let wrong: Vec<&String> = wrong.map(|(text, _)| text).take(20).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
