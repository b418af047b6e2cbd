//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.cpp", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.cpp", source, path, expected);
}

#[test]
fn definitions() {
    names(
        "#pragma once\nnamespace a::b {\ntemplate <typename T>\nclass C : public Base {\n public:\n  C() = default;\n  explicit C(int x) : x_(x) {}\n  virtual ~C();\n  void m() const;\n  int& n() { return 1; }\n  static constexpr int kMax = 3;\n  template <class U> void t(U u) {}\n  enum class E { A, B };\n  struct Inner { int q; };\n  using V = int;\n private:\n  int x_, y_;\n  std::vector<int> v_;\n};\n}\n",
        "module a::b\n  class C\n    method C\n    method C\n    method ~C\n    method m\n    method n\n    variable kMax\n    method t\n    enum E\n    struct Inner\n      variable q\n    type V\n    variable v_",
    );
    names(
        "template <typename T>\nvoid C<T>::m() const { }\nC::C(int x) : x_(x) {}\nC::~C() {}\nnamespace {\nint hidden() { auto f = [](int x) { return x; }; return 1; }\n}\nint ns::Outer::Inner::f(int x) { return 1; }\nauto tr() -> int { return 1; }\nclass Fwd;\nusing Alias = std::map<int, int>;\nextern \"C\" { void in_c(void) {} }\nextern \"C\" int one(void) { return 1; }\n",
        "method C::m\nmethod C::C\nmethod C::~C\nfunction hidden\nmethod ns.Outer.Inner::f\nfunction tr\ntype Alias\nfunction in_c\nfunction one",
    );
}

#[test]
fn templates_belong_to_what_they_are_of() {
    let source = "// Doc.\ntemplate <typename T>\nclass A {\n public:\n  int m();\n};\n\ntemplate <typename T>\nint A<T>::m() {\n  return 1;\n}\n\nextern \"C\" int one(void) { return 1; }\n";
    parts(
        source,
        "A",
        &[
            ("comment", "// Doc."),
            ("decorator", "template <typename T>"),
            ("definition", "class A {\n public:\n  int m();\n};"),
            ("signature", "class A"),
            ("body", " public:\n  int m();"),
        ],
    );
    parts(
        source,
        "m",
        &[
            ("decorator", "template <typename T>"),
            ("definition", "int A<T>::m() {\n  return 1;\n}"),
            ("signature", "int A<T>::m()"),
            ("body", "  return 1;"),
        ],
    );
    parts(
        source,
        "one",
        &[
            ("decorator", "extern \"C\""),
            ("definition", "int one(void) { return 1; }"),
            ("signature", "int one(void)"),
            ("body", "return 1;"),
        ],
    );
}
