//! What is found of blocks in files that people have edited.

use super::*;
use crate::resolve::scaffold::skeleton::skeleton;
use crate::syntax::jinja;

/// Tells each block's text, `|` for line breaks; where blocks are not told, nothing.
fn check(templates: &[&str], file: &str, expected: &[(&str, &str)]) {
    let chain: Vec<jinja::Template> = templates
        .iter()
        .map(|source| jinja::template(source.as_bytes()).unwrap())
        .collect();
    let found = align(
        &skeleton(&jinja::rendered(&chain).unwrap()),
        file.as_bytes(),
    );
    let text = |span: Span| file[span.start..span.end].replace('\n', "|");
    let told: Vec<(String, String)> = found
        .into_iter()
        .filter_map(|(name, span)| Some((name, text(span.ok()?))))
        .collect();
    let told: Vec<(&str, &str)> = told
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    assert_eq!(told, expected, "{file:?}");
}

const WORKER: &str = "import os\n{% block imports %}\nimport sys\n{% endblock %}\n\nclass {{ name }}(Worker):\n\
    {% block body %}\n    pass\n{% endblock %}\n\ndef main():\n    run()\n";

#[test]
fn a_line_that_the_template_has_further_ahead_parts_nothing() {
    let line = |ahead: usize| LinePlaces {
        ahead,
        stands: ahead + 1,
        gone: ahead + 2,
        holds: true,
    };
    let mut graph = Graph::default();
    graph.places = vec![graph::TemplatePlace::default(); 10];
    graph.lines = vec![line(5), line(1)];
    let known = [0, 1].map(KnownLine::Line);
    assert_eq!(stretches(&graph, &known), [(0..=5, 0..0), (6..=9, 1..2)]);
    let known = [1, 0].map(KnownLine::Line);
    let parts = [(0..=1, 0..0), (2..=5, 1..1), (6..=9, 2..2)];
    assert_eq!(stretches(&graph, &known), parts);
}

#[test]
fn what_stands_between_the_templates_lines_is_the_blocks() {
    let check = |file: &str, expected: &[(&str, &str)]| check(&[WORKER], file, expected);
    check(
        "import os\nimport sys\n\nclass A(Worker):\n    pass\n\ndef main():\n    run()\n",
        &[("imports", "import sys"), ("body", "    pass")],
    );
    check(
        "import os\n\nimport json\nimport re\n\nclass A(Worker):\n\n    def f(self):\n        pass\n\n    x = 1\n\n\ndef main():\n    run()\n",
        &[
            ("imports", "import json|import re"),
            ("body", "    def f(self):|        pass||    x = 1"),
        ],
    );
    check(
        "import os\nclass A(Worker):\ndef main():\n    run()\n",
        &[("imports", ""), ("body", "")],
    );
    check(
        "import os\r\nx\r\nclass A(Worker):\r\n    y\r\ndef main():\r\n    run()\r\n",
        &[("imports", "x"), ("body", "    y")],
    );
    // What stands left of all that the template has in the block may have been added behind the class.
    check(
        "import os\nclass A(Worker):\n    x = 1\n\ny = 2\n\ndef main():\n    run()\n",
        &[("imports", "")],
    );
    // The line behind `body` is gone: where the block ends is anybody's guess.
    check(
        "import os\nclass A(Worker):\n    pass\n    run()\n",
        &[("imports", "")],
    );
    // A second class might be the template's as well.
    check(
        "import os\nclass A(Worker):\n    pass\nclass B(Worker):\n    pass\ndef main():\n",
        &[],
    );
    // Out of order.
    check("class A(Worker):\nimport os\ndef main():\n    run()\n", &[]);
    check("", &[]);
    check("x\n", &[]);
}

#[test]
fn lines_that_stand_anywhere_are_told_by_their_neighbours() {
    let template = "fn first() {\n{% block first %}\n{% endblock %}\n}\n\nfn second() {\n{% block second %}\n{% endblock %}\n}\n\n\
        fn third() {\n}\n";
    check(
        &[template],
        "fn first() {\n    if a {\n    }\n}\n\nfn second() {\n    b\n}\n\nfn third() {\n}\n",
        &[("first", "    if a {|    }"), ("second", "    b")],
    );
    // The `}` ahead of `second` is that of a function which is not the template's.
    check(
        &[template],
        "fn first() {\n    a();\n}\n\nfn mine() {\n}\n\nfn second() {\n    b\n}\n\nfn third() {\n}\n",
        &[("second", "    b")],
    );
}

#[test]
fn what_a_loop_renders_is_known_by_its_lines() {
    let base = "# template={{ name }} version=1\n\"\"\"{{ purpose }}\"\"\"\n\nimport os\n\n{% block body %}\n{% endblock %}\n";
    let middle = "{% extends 'base' %}{% block body %}\n{% block payload_models %}\n{% endblock %}\n\n\nclass {{ name }}:\n{% block methods %}\n    def run(self):\n        return None\n{% endblock %}\n{% endblock %}\n";
    let leaf = "{% extends 'middle' %}{% block payload_models %}\nclass Payload:\n    {% for field in fields %}\n    {{ field }}: str\n    {% endfor %}\n{% endblock %}\n";
    let head = "# template=worker version=1\n\"\"\"A worker\"\"\"\n\nimport os\n\n";
    let methods = "    def run(self):|        return None";
    let body = "class Payload:|        a: str|        b: str|    ||class Worker:|    def run(self):|        return None";
    check(
        &[leaf, middle, base],
        &format!("{head}{}\n", body.replace('|', "\n")),
        &[
            ("body", body),
            (
                "payload_models",
                "class Payload:|        a: str|        b: str",
            ),
            ("methods", methods),
        ],
    );
    // The loop would not have rendered that: somebody was at work, and may have been on both sides of the border.
    let body = body.replace("b: str", "b = 1|c = 2|class Other:");
    check(
        &[leaf, middle, base],
        &format!("{head}{}\n", body.replace('|', "\n")),
        &[("body", &body)],
    );
}

#[test]
fn where_blocks_meet_both_lines_have_to_stand() {
    let template = "number_one = 1\n{% block a %}\ntwo_two = 2\n{% endblock %}\n{% block b %}\nnumber_three = 3\n{% endblock %}\nnumber_four = 4\n";
    check(
        &[template],
        "number_one = 1\ntwo_two = 2\nnumber_three = 3\nnumber_four = 4\n",
        &[("a", "two_two = 2"), ("b", "number_three = 3")],
    );
    check(
        &[template],
        "number_one = 1\ntwo_two = 2\nnew = 0\nnumber_three = 3\nnumber_four = 4\n",
        &[],
    );
    check(
        &[template],
        "number_one = 1\nnew = 0\ntwo_two = 2\nnumber_three = 3\nnumber_four = 4\n",
        &[("a", "new = 0|two_two = 2"), ("b", "number_three = 3")],
    );
    let nested = "number_one = 1\n{% block a %}\n{% block b %}\ntwo_two = 2\n{% endblock %}\nnumber_three = 3\n{% endblock %}\nnumber_four = 4\n";
    check(
        &[nested],
        "number_one = 1\ntwo_two = 2\nnumber_three = 3\nnumber_four = 4\n",
        &[("a", "two_two = 2|number_three = 3"), ("b", "two_two = 2")],
    );
    check(
        &[nested],
        "number_one = 1\nnew = 0\nnumber_three = 3\nnumber_four = 4\n",
        &[("a", "new = 0|number_three = 3")],
    );
}

#[test]
fn a_condition_beside_a_block_matters_where_it_put_something() {
    let template = "import os\n{% if fast %}\nimport asyncio\n{% endif %}\n{% block more %}\nimport sys\n{% endblock %}\nclass Worker:\n";
    check(
        &[template],
        "import os\nimport sys\nclass Worker:\n",
        &[("more", "import sys")],
    );
    // It may be what became of the line of the condition.
    check(&[template], "import os\nimport re\nclass Worker:\n", &[]);
    // Rendered, or typed at the beginning of the block.
    check(
        &[template],
        "import os\nimport asyncio\nimport re\nclass Worker:\n",
        &[],
    );
    check(
        &[template],
        "import os\nimport asyncio\nimport sys\nclass Worker:\n",
        &[],
    );
    // One of the two is there for certain.
    let template = "import os\n{% if fast %}\nimport asyncio\n{% else %}\nimport select\n{% endif %}\n{% block more %}\nimport sys\n{% endblock %}\nclass Worker:\n";
    check(
        &[template],
        "import os\nimport asyncio\nimport re\nclass Worker:\n",
        &[("more", "import re")],
    );
    check(&[template], "import os\nimport re\nclass Worker:\n", &[]);
}

#[test]
fn a_block_in_a_condition_is_told_when_it_was_rendered_for_certain() {
    let template = "import os\n{% if fast %}\nimport asyncio\nloop = asyncio.run\n{% block more %}\nimport sys\n{% endblock %}\nloop.forever()\n{% endif %}\nclass Worker:\n";
    check(
        &[template],
        "import os\nimport asyncio\nloop = asyncio.run\nimport sys\nloop.forever()\nclass Worker:\n",
        &[("more", "import sys")],
    );
    check(&[template], "import os\nclass Worker:\n", &[]);
    check(&[template], "import os\nimport sys\nclass Worker:\n", &[]);
    let repeated = "import os\n{% for a in b %}\n{% block more %}\nimport sys\n{% endblock %}\n{% endfor %}\nclass Worker:\n";
    check(&[repeated], "import os\nimport sys\nclass Worker:\n", &[]);
}

#[test]
fn a_value_of_several_lines_holds_nothing() {
    let template =
        "import os\n{{ lines }}\n{% block more %}\nimport sys\n{% endblock %}\nclass Worker:\n";
    check(
        &[template],
        "import os\nimport re\nimport sys\nclass Worker:\n",
        &[],
    );
    check(
        &[template],
        "import os\nimport sys\nclass Worker:\n",
        &[("more", "import sys")],
    );
}

#[test]
fn a_line_that_rendering_joined_to_another_is_no_border() {
    let template =
        "def first():\n{% block a %}result = 1{% endblock %}\nreturn result\ndef second():\n";
    check(
        &[template],
        "def first():\nresult = 1\nreturn result\ndef second():\n",
        &[("a", "result = 1")],
    );
    check(
        &[template],
        "def first():\nresult = 1return result\nreturn result\ndef second():\n",
        &[],
    );
}

#[test]
fn the_ends_of_the_file_count_only_beside_the_templates_lines() {
    let template = "import os\n{% block rest %}\ndef main():\n    go_on()\n{% endblock %}\n";
    check(
        &[template],
        "import os\ndef main():\n    go_on()\n",
        &[("rest", "def main():|    go_on()")],
    );
    check(
        &[template],
        "import os\ndef main():\n    go_on()\n\nx = 1\n",
        &[],
    );
    check(
        &["{% block all %}\nthe_first = 1\nthe_last = 2\n{% endblock %}"],
        "the_first = 1\nnew = 3\nthe_last = 2\n",
        &[("all", "the_first = 1|new = 3|the_last = 2")],
    );
    check(
        &["{% block all %}\nthe_first = 1\nthe_last = 2\n{% endblock %}"],
        "# head\nthe_first = 1\nthe_last = 2\n",
        &[],
    );
}

#[test]
fn tiers_are_filled_in() {
    let chain = [
        "{% extends 'c' %}{% block body %}{{ super() }}\n    def stop(self):\n        pass\n{% endblock %}",
        "{% extends 'b' %}{% block start %}        self.go()\n{% endblock %}",
        "{% extends 'a' %}{% block body %}\n    def start(self):\n{% block start %}\n{% endblock %}\n{% endblock %}",
        "class A:\n{% block body %}\n{% endblock %}\n\nA().run_all()\n",
    ];
    check(
        &chain,
        "class A:\n\n    def start(self):\n        self.gone()\n\n    def stop(self):\n        pass\n\nA().run_all()\n",
        &[
            (
                "body",
                "    def start(self):|        self.gone()||    def stop(self):|        pass",
            ),
            ("start", "        self.gone()"),
        ],
    );
    // `start` and `body` end together now, so that only the template's own last line tells where `start` does.
    let chain = &chain[1..];
    check(
        chain,
        "class A:\n\n    def start(self):\n        self.gone()\n\nA().run_all()\n",
        &[("body", "    def start(self):|        self.gone()")],
    );
    check(
        chain,
        "class A:\n\n    def start(self):\n        self.go()\n\nA().run_all()\n",
        &[
            ("body", "    def start(self):|        self.go()"),
            ("start", "        self.go()"),
        ],
    );
}
