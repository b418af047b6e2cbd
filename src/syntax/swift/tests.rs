//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.swift", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.swift", source, path, expected);
}

#[test]
fn types_and_members() {
    names(
        "import Foundation\npublic final class C<T>: Base, P where T: Q {\n    static let limit = 1\n    private var x: Int = 0 {\n        didSet { foo() }\n    }\n    let a = 1, b = 2\n    @Published var pub: String\n    var comp: Int { return 1 }\n    init(x: Int) { self.x = x }\n    deinit { }\n    func m<U>(_ u: U) throws -> Int { func local() {}\n        let y = 1\n        return 1 }\n    static func == (l: C, r: C) -> Bool { true }\n    subscript(i: Int) -> Int { 1 }\n    enum E { case a, b(Int)\n        func f() {} }\n    struct S { }\n    typealias TA = Int\n}\nprotocol P {\n    func f()\n    var q: Int { get }\n    associatedtype A\n}\nextension C: R where T == Int { func ext() {} }\nfunc free() {}\nlet top = 1\nactor Ac { func z() {} }\n#if DEBUG\nfunc dbg() {}\n#endif\n",
        "class C\n  variable limit\n  variable x\n  variable pub\n  variable comp\n  method init\n  method deinit\n  method m\n    function local\n  method subscript\n  enum E\n    method f\n  struct S\n  type TA\ninterface P\n  method f\n  variable q\n  type A\nmethod C::ext\nfunction free\nvariable top\nclass Ac\n  method z\nfunction dbg",
    );
}

#[test]
fn attributes_and_bodies() {
    let source = "class A {\n    /// Says it.\n    @objc\n    public func m() -> Int {\n        return 1\n    }\n\n    var n: Int { 1 }\n    let o = 1\n}\n";
    parts(
        source,
        "A.m",
        &[
            ("comment", "/// Says it."),
            ("decorator", "@objc"),
            (
                "definition",
                "public func m() -> Int {\n        return 1\n    }",
            ),
            ("signature", "public func m() -> Int"),
            ("body", "        return 1"),
            ("docstring", "/// Says it."),
        ],
    );
    parts(
        source,
        "A.n",
        &[
            ("definition", "var n: Int { 1 }"),
            ("signature", "var n: Int"),
            ("body", "1"),
        ],
    );
    parts(
        source,
        "A.o",
        &[
            ("definition", "let o = 1"),
            ("signature", "let o"),
            ("body", "1"),
        ],
    );
}

#[test]
fn keywords_are_no_names() {
    let inside = |code: &str| format!("func f() {{\n    {code}\n}}\n");
    check_errors(
        "a.swift",
        &inside("else { g() }"),
        &["15: unexpected `else`"],
    );
    check_errors("a.swift", &inside("defer"), &["15: unexpected `defer`"]);
    check_errors(
        "a.swift",
        &inside(
            "defer { g() }\n    if a { b() } else { c() }\n    x.default = g(case: 1, else: .class)\n    let `else` = 1",
        ),
        &[],
    );
}
