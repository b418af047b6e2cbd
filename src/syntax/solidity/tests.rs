//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.sol", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.sol", source, path, expected);
}

#[test]
fn contracts_and_members() {
    names(
        "// SPDX\npragma solidity ^0.8.0;\ncontract C is D {\n    uint256 public constant LIMIT = 1;\n    uint a;\n    struct S { uint x; }\n    enum E { A, B }\n    event Ev(uint x);\n    error Er(uint x);\n    modifier only() { _; }\n    constructor(uint x) D(x) {}\n    function f(uint x) public view returns (uint) { return x; }\n    receive() external payable {}\n}\ninterface I { function g() external; }\nlibrary L { function h() internal {} }\nfunction free() pure {}\n",
        "class C\n  variable LIMIT\n  variable a\n  struct S\n    variable x\n  enum E\n  type Ev\n  type Er\n  method only\n  method constructor\n  method f\n  method receive\ninterface I\n  method g\nclass L\n  method h\nfunction free",
    );
}

#[test]
fn documentation_and_bodies() {
    let source = "contract C {\n    /// Says it.\n    function f() public returns (uint) {\n        return 1;\n    }\n}\n";
    parts(
        source,
        "C.f",
        &[
            ("comment", "/// Says it."),
            (
                "definition",
                "function f() public returns (uint) {\n        return 1;\n    }",
            ),
            ("signature", "function f() public returns (uint)"),
            ("body", "        return 1;"),
            ("docstring", "/// Says it."),
        ],
    );
}

#[test]
fn keywords_are_no_names() {
    let inside = |code: &str| format!("contract A {{ function f() public {{ {code} }} }}\n");
    check_errors("a.sol", &inside("else;"), &["35: unexpected `else`"]);
    check_errors("a.sol", &inside("public;"), &["35: unexpected `public`"]);
    check_errors("a.sol", &inside("memory x;"), &["35: unexpected `memory`"]);
    check_errors(
        "a.sol",
        &inside("unchecked { from = error; } revert(); uint256[] memory list = new uint256[](1);"),
        &[],
    );
}
