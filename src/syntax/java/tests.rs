//! Tables of what the language gives.

use crate::syntax::SegmentKind;
use crate::syntax::tree::tests::*;

const FILE: &str = "A.java";

fn names(source: &str, expected: &str) {
    check_names(FILE, source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts(FILE, source, path, expected);
}

#[test]
fn types_and_members() {
    names(
        "package a;\nimport b.C;\npublic final class A<T extends X> extends B implements I {\n  private static final int LIMIT = 1;\n  int a, b;\n  String[] c;\n  static { c(); }\n  { d(); }\n  public A() {}\n  A(int x) { this(); }\n  <U> void m(U u) throws E {}\n  abstract void q();\n  class Inner { void i() {} }\n  static enum E { P, Q }\n}\n",
        "class A\n  variable LIMIT\n  variable a\n  variable b\n  variable c\n  method static\n  method A\n  method A\n  method m\n  method q\n  class Inner\n    method i\n  enum E\n    constant P\n    constant Q",
    );
    names(
        "enum E implements I {\n  A { void z() {} },\n  B(1);\n  final int x;\n  E(int x) { this.x = x; }\n  void z() {}\n}\n",
        "enum E\n  constant A\n    method z\n  constant B\n  variable x\n  method E\n  method z",
    );
    names(
        "record R<T>(int a, T b) implements I {\n  static int k;\n  R { check(a); }\n  R(int a) { this(a, null); }\n  int sum() { return a; }\n}\n",
        "class R\n  variable k\n  method R\n  method R\n  method sum",
    );
    names(
        "@interface An {\n  int v() default 1;\n  String S = \"x\";\n}\n",
        "interface An\n  method v\n  variable S",
    );
    names(
        "sealed interface I permits J {\n  int K = 1;\n  void e();\n  default void d() {}\n  static void s() {}\n  record P(int x) implements I {}\n}\n",
        "interface I\n  variable K\n  method e\n  method d\n  method s\n  class P",
    );
    names(
        "class A {\n  Runnable r = new Runnable() { public void run() {} };\n  void m() {\n    new Thread() { public void run() {} }.start();\n    class Local { void l() {} }\n    int x = 1;\n  }\n}\n",
        "class A\n  variable r\n  method m\n    class Local\n      method l",
    );
    names(
        "class A {\n  void f(int a) {}\n  void f(String s) {}\n}\n",
        "class A\n  method f\n  method f",
    );
}

#[test]
fn of_several_variables_each_is_its_own_and_one_alone_is_the_whole_field() {
    let source = "class A {\n  /** X. */\n  @B private int x = 1;\n  final int[] y, z = {1};\n}\n";
    parts(
        source,
        "A.x",
        &[
            ("comment", "/** X. */"),
            ("decorator", "@B"),
            ("definition", "private int x = 1;"),
            ("signature", "private int x"),
            ("body", "1"),
            ("docstring", "/** X. */"),
        ],
    );
    parts(
        source,
        "A.z",
        &[
            ("definition", "z = {1}"),
            ("signature", "z"),
            ("body", "{1}"),
        ],
    );
    let source = "enum E {\n  /** One. */\n  @B ONE(1) { void m() {} },\n  TWO;\n}\n";
    parts(
        source,
        "E.ONE",
        &[
            ("comment", "/** One. */"),
            ("decorator", "@B"),
            ("definition", "ONE(1) { void m() {} }"),
            ("signature", "ONE(1)"),
            ("body", "void m() {}"),
            ("docstring", "/** One. */"),
        ],
    );
    parts(
        source,
        "E.TWO",
        &[("definition", "TWO"), ("signature", "TWO")],
    );
}

#[test]
fn annotations_and_docs() {
    let source = "/* licence */\n\n/** Doc. */\n@Entity\n@Table(name = \"a\")\n// why\npublic @Mark class A {\n\n  /** M. */\n  @Override\n  public String m() {\n    return \"x\";\n  }\n\n  @Test void t() {}\n\n  @Inject\n  private int x = 1;\n}\n";
    let class = source[source.find("public @Mark").unwrap()..].trim_end();
    let body = class[class.find('{').unwrap() + 3..]
        .strip_suffix("\n}")
        .unwrap();
    parts(
        source,
        "A",
        &[
            ("comment", "/** Doc. */"),
            ("decorator", "@Entity"),
            ("decorator", "@Table(name = \"a\")"),
            ("comment", "// why"),
            ("definition", class),
            ("signature", "public @Mark class A"),
            ("body", body),
            ("docstring", "/** Doc. */"),
        ],
    );
    parts(
        source,
        "A.m",
        &[
            ("comment", "/** M. */"),
            ("decorator", "@Override"),
            ("definition", "public String m() {\n    return \"x\";\n  }"),
            ("signature", "public String m()"),
            ("body", "    return \"x\";"),
            ("docstring", "/** M. */"),
        ],
    );
    parts(
        source,
        "A.t",
        &[
            ("decorator", "@Test"),
            ("definition", "void t() {}"),
            ("signature", "void t()"),
            ("body", ""),
        ],
    );
    parts(
        source,
        "A.x",
        &[
            ("decorator", "@Inject"),
            ("definition", "private int x = 1;"),
            ("signature", "private int x"),
            ("body", "1"),
        ],
    );
    parts(
        "class A {\n  @A @B\n  // n\n  void m() {}\n}\n",
        "A.m",
        &[
            ("decorator", "@A"),
            ("decorator", "@B"),
            ("comment", "// n"),
            ("definition", "void m() {}"),
            ("signature", "void m()"),
            ("body", ""),
        ],
    );
    parts(
        "@A @interface X {}\n",
        "X",
        &[
            ("decorator", "@A"),
            ("definition", "@interface X {}"),
            ("signature", "@interface X"),
            ("body", ""),
        ],
    );
}

#[test]
fn definitions() {
    parts(
        "interface I {\n  void e() throws X;\n}\n",
        "I.e",
        &[
            ("definition", "void e() throws X;"),
            ("signature", "void e() throws X"),
        ],
    );
    parts(
        "class A {\n  A(int x) {\n    this.x = x;\n  }\n}\n",
        "A.A",
        &[
            ("definition", "A(int x) {\n    this.x = x;\n  }"),
            ("signature", "A(int x)"),
            ("body", "    this.x = x;"),
        ],
    );
    parts(
        "record R(int a) {\n  R { a(); }\n}\n",
        "R",
        &[
            ("definition", "record R(int a) {\n  R { a(); }\n}"),
            ("signature", "record R(int a)"),
            ("body", "  R { a(); }"),
        ],
    );
    parts(
        "enum E {\n  A, B;\n}\n",
        "E",
        &[
            ("definition", "enum E {\n  A, B;\n}"),
            ("signature", "enum E"),
            ("body", "  A, B;"),
        ],
    );
}

#[test]
fn members_are_read_without_their_class() {
    let class = Some(SegmentKind::Class);
    check_fragment(
        FILE,
        "@Override\npublic String m() { return \"\"; }",
        class,
        &[("method m", "@Override\npublic String m() { return \"\"; }")],
    );
    check_fragment(FILE, "A(int x) {}", class, &[("method A", "A(int x) {}")]);
    check_fragment(
        FILE,
        "R { check(); }",
        class,
        &[("method R", "R { check(); }")],
    );
    check_fragment(
        FILE,
        "private int x = 1;",
        class,
        &[("variable x", "private int x = 1;")],
    );
    check_fragment(
        FILE,
        "void m() {}",
        Some(SegmentKind::Enum),
        &[("method m", "void m() {}")],
    );
    check_fragment(
        FILE,
        "default void m() {}\nvoid e();",
        Some(SegmentKind::Interface),
        &[
            ("method m", "default void m() {}"),
            ("method e", "void e();"),
        ],
    );
    check_fragment(FILE, "class B {}", None, &[("class B", "class B {}")]);
    check_fragment(
        FILE,
        "int v() default 1;",
        Some(SegmentKind::Interface),
        &[("method v", "int v() default 1;")],
    );
}

#[test]
fn roles_errors_comments() {
    check_roles(
        FILE,
        "String s = \"\"\"\n  a\n\n  \"\"\";\n/**\n * d\n */\nvoid m() {}\n",
        Some(SegmentKind::Class),
        "c F F F c d4 d4 c",
    );
    check_errors(FILE, "class A {\n  void m() {\n  }\n", &["26: missing `}`"]);
    check_errors(FILE, "class A { int x = ; }\n", &["16: unexpected `=`"]);
    check_comments(FILE, "/** a */ class A { // b\n}\n", &["/** a */", "// b"]);
}

#[test]
fn what_the_grammar_does_not_know_is_read_all_the_same() {
    // Each of these compiles as of Java 25.
    names(
        "import module java.base;\nclass A extends B {\n    A(int x) {\n        if (x < 0) { throw new E(); }\n        super(x);\n    }\n    A() {\n        check();\n        this(1);\n    }\n    void m() {}\n}\n",
        "class A\n  method A\n  method A\n  method m",
    );
}

#[test]
fn a_file_holds_types() {
    let check = |source: &str, expected: &[&str]| check_errors(FILE, source, expected);
    check(
        "package a;\nimport b.C;\nimport d.*;\nimport static e.F.*;\n;\n@A class G {}\nrecord H() {}\nenum I {}\ninterface J {}\n@interface K {}\n",
        &[],
    );
    check("@A package a;\n", &[]);
    check("import a.B;\nopen module c { }\n", &[]);
    check("int x = 1;\nclass A {}\n", &["0: field outside of a type"]);
    check(
        "class A {}\nprivate int x = 1;\n",
        &["11: field outside of a type"],
    );
    check(
        "class A {}\nreturn 1;\n",
        &["11: statement outside of a type"],
    );
    check("class A {}\nf();\n", &["11: statement outside of a type"]);
    check(
        "class A {}\n{ f(); }\n",
        &["11: statement outside of a type"],
    );
    check(
        "import x;\nimport static y;\n",
        &[
            "0: `import` of a name without a package",
            "10: `import` of a name without a package",
        ],
    );
    check("import x.*;\nimport module y;\nimport module z.z;\n", &[]);
    check("class A {}\nimport b.C;\n", &["11: `import` behind a type"]);
    check(
        "import b.C;\npackage a;\n",
        &["12: `package` behind something else"],
    );
    // A class that is not named.
    check("int x = 1;\nvoid main() {\n  f(x);\n}\n", &[]);
    check(
        "void main() {}\nf();\n",
        &["15: statement outside of a type"],
    );
    // What the parser could not read may have cast it out.
    check(
        "class A {\n  int x = ;\n}\nint y = 1;\n",
        &["18: unexpected `=`"],
    );
}

#[test]
fn keywords_are_no_names() {
    check_errors(
        "A.java",
        "class A {\n  finally { b(); }\n  void m() {}\n}\n",
        &["12: unexpected `finally`"],
    );
    check_errors(
        "A.java",
        "class A {\n  int record = 1, var = 2;\n  void m() { try { b(); } finally { c(); } }\n}\n",
        &[],
    );
}
