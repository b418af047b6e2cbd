//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.cs", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.cs", source, path, expected);
}

#[test]
fn types_and_members() {
    names(
        "using System;\nnamespace A.B {\n  class C<T> : D where T : new() {\n    const int Max = 1;\n    int a, b;\n    event Action Changed;\n    string Name { get; set; } = \"x\";\n    int P => 1;\n    int this[int i] => i;\n    C(int x) : base(x) { }\n    ~C() { }\n    public static C operator +(C a, C b) { return a; }\n    void M<U>(U u) { void Local() { } }\n    void I.M() { }\n    enum E { P, Q }\n    delegate void F(int x);\n    struct S { int z; }\n    record R(int X);\n    interface II { void G(); }\n  }\n}\n",
        "module A::B\n  class C\n    variable Max\n    variable Changed\n    variable Name\n    variable P\n    method C\n    method M\n      function Local\n    method I::M\n    enum E\n    type F\n    struct S\n      variable z\n    class R\n    interface II\n      method G",
    );
    names(
        "namespace A;\nclass B { }\n#if DEBUG\nclass C { }\n#else\nclass D { }\n#endif\n",
        "class B\nclass C\nclass D",
    );
}

#[test]
fn attributes_and_documentation() {
    let source = "namespace A\n{\n    /// <summary>Doc.</summary>\n    [Serializable]\n    [Obsolete(\"x\")]\n    public class B\n    {\n        // note\n        [Fact]\n        public int M(int x)\n        {\n            return x;\n        }\n\n        public int N => 1;\n    }\n}\n";
    parts(
        source,
        "A.B.M",
        &[
            ("comment", "// note"),
            ("decorator", "[Fact]"),
            (
                "definition",
                "public int M(int x)\n        {\n            return x;\n        }",
            ),
            ("signature", "public int M(int x)"),
            ("body", "            return x;"),
        ],
    );
    parts(
        source,
        "A.B.N",
        &[
            ("definition", "public int N => 1;"),
            ("signature", "public int N"),
            ("body", "1"),
        ],
    );
}

#[test]
fn keywords_are_no_names() {
    let inside = |code: &str| format!("class A {{ void F() {{ {code} }} }}\n");
    check_errors("a.cs", &inside("catch(e);"), &["21: unexpected `catch`"]);
    check_errors(
        "a.cs",
        &inside("var @else = nameof(F); if (a is not null) { } foreach (var x in y) { }"),
        &[],
    );
}
