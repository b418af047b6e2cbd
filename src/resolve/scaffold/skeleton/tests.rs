//! What templates are as lines, and which lines fit.

use super::*;
use crate::syntax::jinja;

fn words(skeleton: &Skeleton, items: &[SkeletonItem]) -> String {
    let word = |item: &SkeletonItem| match item {
        SkeletonItem::Line(at) => {
            let line = &skeleton.lines[*at];
            let pieces: Vec<String> = line
                .pieces
                .iter()
                .map(|piece| String::from_utf8_lossy(piece).into_owned())
                .collect();
            pieces.join("_")
        }
        SkeletonItem::Gap(_) => "?".to_owned(),
        SkeletonItem::Open(block) => format!("<{}", skeleton.blocks[*block]),
        SkeletonItem::Close(block) => format!("{}>", skeleton.blocks[*block]),
        SkeletonItem::Choice(branches) => {
            let branches: Vec<String> = branches
                .iter()
                .map(|branch| words(skeleton, branch))
                .collect();
            format!("({})", branches.join(" or "))
        }
    };
    items.iter().map(word).collect::<Vec<_>>().join(" | ")
}

fn of(source: &str) -> Skeleton {
    skeleton(&jinja::rendered(&[jinja::template(source.as_bytes()).unwrap()]).unwrap())
}

#[test]
fn a_template_is_lines_and_ends_of_blocks() {
    let check = |source: &str, expected: &str| {
        let skeleton = of(source);
        assert_eq!(words(&skeleton, &skeleton.items), expected, "{source:?}");
    };
    check(
        "a\n\n  b\n{% block c %}\n  d\n{% endblock %}\ne\n",
        "a | b | <c | d | c> | e",
    );
    check("a\n{% block c %}d{% endblock %}\ne", "a | <c | d | c> | e");
    check(
        "a\n{%- block c %}\nd\n{%- endblock %}\ne",
        "a | <c | d | c> | e",
    );
    check("a\n{%- block c -%}\nd\n{%- endblock -%}\ne", "a_e");
    check("alpha {% block c %}d{% endblock %} omega", "alpha _ omega");
    check("class A({% block c %}B{% endblock %}):\n", "class A(_):");
    check(
        "x = [{% block c %}\n1,\n{% endblock %}]\n",
        "x = [ | <c | 1, | c> | ]",
    );
    check("x = {% block c %}[\n1]{% endblock %}, 2\n", "?");
    check(
        "class {{ a }}(B):\n{{ c }}\n{{ d }} = 1\n",
        "class _(B): | ? | _ = 1",
    );
    check("a\n{% if b %}\nc\n{% endif %}\nd\n", "a | (c or ) | d");
    check(
        "a\n{% if b %}\nc\n{% elif e %}\nf\n{% else %}\ng\n{% endif %}\nd\n",
        "a | (c or f or g) | d",
    );
    check("a\n{% if b %}c{% else %}d{% endif %}\ne\n", "a | ? | e");
    check(
        "a\n{% if b %}\n{% block c %}\n{% endblock %}\n{% endif %}\n",
        "a | (<c | c> or )",
    );
    check(
        "a\n{% for b in c %}\nd\n{% block e %}\n{% endblock %}\n{% endfor %}\nf\n",
        "a | ? | f",
    );
    check("def f({% if b %}c{% endif %}):\n", "def f(_):");
    check("a\n{% set b = 1 %}\n{# c #}\nd", "a | d");
    check(
        "{% block a %}\n{% block b %}\n{% endblock %}\nc\n{% endblock %}",
        "<a | <b | b> | c | a>",
    );
    check("a {% include 'b' %} c\nd", "? | d");
    check(
        "if a: {%- block c -%} d {%- endblock %}\n{% block e %}\nf\n{% endblock %}\n",
        "? | <e | f | e>",
    );
    // Without the line break behind the tag, the value would go on behind `a`.
    check("a {% if b %}\n{{ c }} = 1\n{% endif %}", "a | (? or )");
}

#[test]
fn lines_weigh_what_they_tell() {
    let check = |source: &str, expected: &[SkeletonWeight]| {
        let weights: Vec<SkeletonWeight> =
            of(source).lines.iter().map(|line| line.weight).collect();
        assert_eq!(weights, expected, "{source:?}");
    };
    use SkeletonWeight::{Optional, Short, Telling};
    check("import os\n}\n{{ a }} = 1\n", &[Telling, Short, Short]);
    check(
        "{% if a %}\nimport os\n}\n{% endif %}\n",
        &[Optional, Short],
    );
    // One of the two is rendered for certain, and neither stands elsewhere.
    check(
        "{% if a %}\nimport os\n{% else %}\nimport sys\n{% endif %}\n",
        &[Telling, Telling],
    );
    check(
        "import os\n{% if a %}\nimport os\n{% else %}\nimport sys\n{% endif %}\n",
        &[Telling, Optional, Telling],
    );
    check(
        "{% if a %}\n{% if b %}\nimport os\n{% endif %}\n{% else %}\nimport sys\n{% endif %}\n",
        &[Optional, Optional],
    );
}

#[test]
fn lines_fit_what_has_their_text() {
    let fits = |pieces: &[&str], text: &str| {
        let pieces = pieces
            .iter()
            .map(|piece| piece.as_bytes().to_vec())
            .collect();
        Line {
            pieces,
            depth: None,
            weight: SkeletonWeight::Telling,
            doubtful: false,
        }
        .fits(text.as_bytes())
    };
    assert!(fits(&["a b"], "a b") && !fits(&["a b"], "a  b") && !fits(&["a b"], "a b c"));
    assert!(
        fits(&["class ", ":"], "class A:")
            && fits(&["class ", ":"], "class :")
            && !fits(&["class ", ":"], "class A")
    );
    assert!(
        fits(&["a", "b", "c"], "a1b2c")
            && !fits(&["a", "b", "c"], "a1c")
            && !fits(&["aa", "aa"], "aaa")
    );
    assert!(
        fits(&["", " = ", ""], "x = 1")
            && fits(&["a", "b", "b", "c"], "abbc")
            && !fits(&["a", "b", "b", "c"], "abc")
    );
}
