//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.graphql", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.graphql", source, path, expected);
}

#[test]
fn types_and_operations() {
    names(
        "type A implements I @d {\n  id: ID!\n  list(first: Int): [A]\n}\ninterface I { id: ID! }\nenum E { X Y }\ninput In { a: Int = 1 }\nunion U = A | B\nscalar Date\ndirective @d on OBJECT\nschema { query: Q }\nquery Find($id: ID!) { node(id: $id) { ...F } }\nfragment F on A { id }\n",
        "class A\n  variable id\n  variable list\ninterface I\n  variable id\nenum E\nstruct In\n  variable a\ntype U\ntype Date\nfunction d\nfunction Find\nfunction F",
    );
}

#[test]
fn descriptions_belong_to_what_they_describe() {
    let source = "# note\n\"\"\"\nDoc.\n\"\"\"\ntype A {\n  \"One.\"\n  id: ID!\n}\n";
    parts(
        source,
        "A",
        &[
            ("comment", "# note"),
            ("decorator", "\"\"\"\nDoc.\n\"\"\""),
            ("definition", "type A {\n  \"One.\"\n  id: ID!\n}"),
            ("signature", "type A"),
            ("body", "  \"One.\"\n  id: ID!"),
        ],
    );
    parts(
        source,
        "A.id",
        &[
            ("decorator", "\"One.\""),
            ("definition", "id: ID!"),
            ("signature", "id: ID!"),
        ],
    );
}
