//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.kt", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.kt", source, path, expected);
}

#[test]
fn types_and_functions() {
    names(
        "@file:JvmName(\"X\")\npackage a.b\nimport x.Y\n\ndata class C<T>(val a: Int) : Base(), I where T : Any {\n    companion object {\n        const val LIMIT = 1\n        fun create() = C(1)\n    }\n    private val x: Int = 1\n    var y: Int\n        get() = 1\n        set(value) { field = value }\n    val z by lazy { 1 }\n    init { foo() }\n    constructor(x: Int) : this(x, \"\") { }\n    override fun <T> g(t: T) where T : Any { fun local() {} }\n    enum class E(val v: Int) { A(1), B(2) {\n        override fun f() {}\n    };\n        fun f() {}\n    }\n}\n\ninterface I {\n    fun f()\n    val q: Int\n}\n\nobject O : I {\n    override fun f() {}\n}\nfun String.ext(a: Int): Int { return 1 }\nval String.prop: Int get() = 1\nfun <T> List<T>.second(): T = this[1]\nfun top() = object : I {\n    override fun f() {}\n}\ntypealias Handler = (Int) -> Unit\nconst val TOP = 1\n",
        "class C\n  variable LIMIT\n  method create\n  variable x\n  variable y\n  variable z\n  method constructor\n  method g\n    function local\n  enum E\n    method f\ninterface I\n  method f\n  variable q\nclass O\n  method f\nmethod String::ext\nvariable String::prop\nmethod List::second\nfunction top\ntype Handler\nvariable TOP",
    );
}

#[test]
fn annotations_and_bodies() {
    let source = "class A {\n    /** Doc. */\n    @Test\n    fun m(x: Int): Int {\n        return x\n    }\n\n    @Inject lateinit var v: B\n    fun n(x: Int): Int = x\n}\n";
    parts(
        source,
        "A.m",
        &[
            ("comment", "/** Doc. */"),
            ("decorator", "@Test"),
            (
                "definition",
                "fun m(x: Int): Int {\n        return x\n    }",
            ),
            ("signature", "fun m(x: Int): Int"),
            ("body", "        return x"),
            ("docstring", "/** Doc. */"),
        ],
    );
    parts(
        source,
        "A.v",
        &[
            ("decorator", "@Inject"),
            ("definition", "lateinit var v: B"),
            ("signature", "lateinit var v: B"),
        ],
    );
    parts(
        source,
        "A.n",
        &[
            ("definition", "fun n(x: Int): Int = x"),
            ("signature", "fun n(x: Int): Int"),
            ("body", "x"),
        ],
    );
}

#[test]
fn the_statement_of_a_loop_may_be_on_the_next_line() {
    let body = "    while (a)\n        w()\n    for (b in c)\n        while (b)\n            x()\n    v()\n    while (a);\n    u()\n";
    let source = format!("fun f() {{\n{body}}}\n");
    let statements = grammar("a.kt")
        .statements(source.as_bytes(), None)
        .expect("it is read");
    let told: Vec<(usize, &str)> = statements
        .iter()
        .filter(|it| source[it.span.start..it.span.end].ends_with("()"))
        .map(|it| (it.depth, &source[it.span.start..it.span.end]))
        .collect();
    let outer = told.last().expect("there are some").0;
    let expected = [
        (outer, "while (a)\n        w()"),
        (outer + 1, "w()"),
        (outer, "for (b in c)\n        while (b)\n            x()"),
        (outer + 1, "while (b)\n            x()"),
        (outer + 2, "x()"),
        (outer, "v()"),
        (outer, "u()"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn keywords_are_no_names() {
    check_errors(
        "a.kt",
        "fun f() {\n    else\n}\n",
        &["14: unexpected `else`"],
    );
    check_errors(
        "a.kt",
        "fun f() {\n    g(when)\n}\n",
        &["16: unexpected `when`"],
    );
    check_errors(
        "a.kt",
        "fun f(catch: Int) {\n    val `else` = A::class\n    while (true) if (catch == null) break else continue\n}\n",
        &[],
    );
}

#[test]
fn a_lambda_is_no_body() {
    let unrun = |source: &str| {
        let at = source.find("= {").unwrap() + 2;
        grammar("a.kt").unrun_body(source.as_bytes(), at)
    };
    assert_eq!(unrun("fun f() = { g() }\n"), Some("a lambda"));
    assert_eq!(
        unrun("class A {\n    fun f(): Int = {\n        1\n    }\n}\n"),
        Some("a lambda")
    );
    assert_eq!(unrun("fun f() = { x: Int -> x }\n"), None);
    assert_eq!(unrun("fun f(): () -> Unit = { g() }\n"), None);
    assert_eq!(unrun("fun f(): (() -> Unit)? = { g() }\n"), None);
    assert_eq!(unrun("val f = { g() }\n"), None);
}
