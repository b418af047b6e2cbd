//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.scala", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.scala", source, path, expected);
}

#[test]
fn types_and_members() {
    names(
        "package a.b\nimport x._\n@ann\ncase class C[T](a: Int) extends B with D {\n  val x = 1\n  private var y: Int = 2\n  val (p, q) = (1, 2)\n  def m(a: Int): Int = a\n  def n() { }\n  override def o: Int = { def local = 1; val z = 2; local }\n  def +(o: C) = o\n  type T2 = Int\n  object Inner { }\n}\nobject C { def apply() = new C }\ntrait Tr { def abs: Int; val v: Int }\nenum Color { case Red, Green\n def f = 1 }\nextension (s: String) def ext = s\npackage object po { val z = 1 }\ntype Alias = Int\nval top = 1\ndef free = 2\n",
        "class C\n  variable x\n  variable y\n  method m\n  method n\n  method o\n    function local\n  method +\n  type T2\n  class Inner\nclass C\n  method apply\ntrait Tr\n  method abs\n  variable v\nenum Color\n  method f\nfunction ext\nmodule po\n  variable z\ntype Alias\nvariable top\nfunction free",
    );
}

#[test]
fn bodies_with_braces_and_without() {
    let source = "/** Doc. */\n@ann class A {\n  def m(x: Int): Int = {\n    x\n  }\n}\n\nobject B:\n  // One.\n  def a =\n    val b = 1\n    b\n\n  def c = 2\n\nend B\n";
    parts(
        source,
        "A.m",
        &[
            ("definition", "def m(x: Int): Int = {\n    x\n  }"),
            ("signature", "def m(x: Int): Int"),
            ("body", "    x"),
        ],
    );
    parts(
        source,
        "B.a",
        &[
            ("comment", "// One."),
            ("definition", "def a =\n    val b = 1\n    b"),
            ("signature", "def a"),
            ("body", "val b = 1\n    b"),
        ],
    );
    parts(
        source,
        "B.c",
        &[
            ("definition", "def c = 2"),
            ("signature", "def c"),
            ("body", "2"),
        ],
    );
}

#[test]
fn a_marker_of_the_end_is_no_part_of_a_body() {
    let source = "object Shop:\n  def three(x: Int) =\n    if x > 1 then\n      1\n    else\n      2\n  end three\n\n  def four = 4\n";
    parts(
        source,
        "Shop.three",
        &[
            (
                "definition",
                "def three(x: Int) =\n    if x > 1 then\n      1\n    else\n      2\n  end three",
            ),
            ("signature", "def three(x: Int)"),
            ("body", "if x > 1 then\n      1\n    else\n      2"),
        ],
    );
}

#[test]
fn reserved_words_are_no_names() {
    check_errors(
        "a.scala",
        "object A {\n  def f = {\n    if (a) x() else y()\n    else z()\n  }\n}\n",
        &["51: unexpected `else`"],
    );
    check_errors(
        "a.scala",
        "object A {\n  def f = {\n    g()\n    catch { case e => 1 }\n  }\n}\n",
        &["35: unexpected `catch`"],
    );
    check_errors(
        "a.scala",
        "object A {\n  val `else` = 1\n  def f = try g() catch { case e => 1 } finally h()\n}\n",
        &[],
    );
}
