//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.tf", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.tf", source, path, expected);
}

#[test]
fn blocks_and_attributes() {
    names(
        "# Doc\nresource \"aws_vpc\" \"main\" {\n  cidr = \"x\"\n  tags = {\n    a = 1\n  }\n  ingress {\n    from = 1\n  }\n}\nvariable \"region\" {\n  default = \"x\"\n}\nlocals {\n  a = 1\n}\n",
        "struct aws_vpc::main\n  variable cidr\n  variable tags\n  struct ingress\n    variable from\nstruct variable::region\n  variable default\nstruct locals\n  variable a",
    );
}

#[test]
fn bodies_and_documents() {
    let source = "# Says it.\nvariable \"region\" {\n  default = \"x\"\n}\n";
    parts(
        source,
        "region",
        &[
            ("comment", "# Says it."),
            ("definition", "variable \"region\" {\n  default = \"x\"\n}"),
            ("signature", "variable \"region\""),
            ("body", "  default = \"x\""),
        ],
    );
    parts(
        source,
        "region.default",
        &[
            ("definition", "default = \"x\""),
            ("signature", "default"),
            ("body", "\"x\""),
        ],
    );
    check_roles("a.tf", "doc = <<EOF\n  text\nEOF\n", None, "c F F");
}

#[test]
fn members_are_parted() {
    let line = "expected a new line";
    check_errors(
        "a.tf",
        "a {\n  t = { N = 1 E = 2 }\n}\n",
        &[&format!("18: {line}")],
    );
    check_errors("a.tf", "x = 1 y = 2\n", &[&format!("6: {line}")]);
    check_errors(
        "a.tf",
        "v \"r\" { default = 1 type = string }\n",
        &[&format!("20: {line}")],
    );
    check_errors(
        "a.tf",
        "a {\n  t = { N = 1, E = 2 }\n  u = {\n    a = 1\n    b = 2 # c\n  }\n  s = <<E\n  x\nE\n  b { c = 1 }\n  w = { for k, v in x : k => v }\n}\n",
        &[],
    );
}
