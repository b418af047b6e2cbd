//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.properties", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.properties", source, path, expected);
}

#[test]
fn keys_are_named_by_their_words() {
    names(
        "# Says it.\nname = Shop\nshop.till.open=true\nshop.till.note : a b\nlone\nspaced words of it\nodd\\:key = 1\n",
        "variable name\nvariable shop.till::open\nvariable shop.till::note\nvariable lone\nvariable spaced",
    );
}

#[test]
fn values_go_on_below() {
    let source = "! Says it.\nlist = a, \\\n    b\nother = c\n";
    parts(
        source,
        "list",
        &[
            ("comment", "! Says it."),
            ("definition", "list = a, \\\n    b"),
            ("signature", "list"),
            ("body", "a, \\\n    b"),
        ],
    );
    check_roles("a.properties", source, None, "c c F c");
}

#[test]
fn line_ends_of_two_bytes_are_no_part_of_a_value() {
    parts(
        "a = 1\r\nb = 2\r\n",
        "a",
        &[("definition", "a = 1"), ("signature", "a"), ("body", "1")],
    );
}
