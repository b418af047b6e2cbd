//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.rb", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.rb", source, path, expected);
}

#[test]
fn classes_and_methods() {
    names(
        "# frozen_string_literal: true\n\nrequire 'x'\n\nmodule A\n  class B::C < D\n    LIMIT = 1\n    attr_reader :x\n\n    def initialize(x)\n      @x = x\n    end\n\n    def self.build(*args) = new(*args)\n\n    class << self\n      def k; end\n    end\n\n    private def hidden; end\n\n    private\n\n    def q?(a) = a\n\n    def x=(value)\n      @x = value\n    end\n\n    def ==(other); true; end\n  end\nend\n\nFoo = Struct.new(:a) do\n  def m; end\nend\n\ndef top; end\n",
        "module A\n  class B::C\n    constant LIMIT\n    method initialize\n    method build\n    method k\n    method hidden\n    method q?\n    method x=\nconstant Foo\n  method m\nfunction top",
    );
    names("task default: :x do\n  puts 1\nend\n", "");
}

#[test]
fn bodies_end_with_a_word() {
    let source = "class A\n  # Says it.\n  def m(x)\n    # first\n    puts x\n  rescue E\n    1\n  end\n\n  def n; 1; end\n\n  def o\n  end\n\n  def p = 1\nend\n";
    parts(
        source,
        "A.m",
        &[
            ("comment", "# Says it."),
            (
                "definition",
                "def m(x)\n    # first\n    puts x\n  rescue E\n    1\n  end",
            ),
            ("signature", "def m(x)"),
            ("body", "    # first\n    puts x\n  rescue E\n    1"),
            ("docstring", "# Says it."),
        ],
    );
    parts(
        source,
        "A.n",
        &[
            ("definition", "def n; 1; end"),
            ("signature", "def n"),
            ("body", "1;"),
        ],
    );
    parts(
        source,
        "A.o",
        &[
            ("definition", "def o\n  end"),
            ("signature", "def o"),
            ("body", ""),
        ],
    );
    parts(
        source,
        "A.p",
        &[
            ("definition", "def p = 1"),
            ("signature", "def p"),
            ("body", "1"),
        ],
    );
}

#[test]
fn reserved_words_are_no_names() {
    check_errors(
        "a.rb",
        "def two\n  2\nend\nend\n",
        &["16: unexpected `end`"],
    );
    check_errors(
        "a.rb",
        "def two\n  then\n  do\nend\n",
        &["10: unexpected `then`", "17: unexpected `do`"],
    );
    check_errors(
        "a.rb",
        "def a\n  b\nelse\n  c\nend\n",
        &["10: `else` without `rescue`"],
    );
    check_errors(
        "a.rb",
        "def a\n  b\nrescue E\n  c\nelse\n  d\nensure\n  e\nend\n",
        &[],
    );
    check_errors(
        "a.rb",
        "x.end\ndef end; end\ndef self.then; end\nalias stop end\nundef end\nfoo(end: 1, if: 2)\n:end\nr.begin { |a| a.class }\nx&.then { 1 }\ndef end=(x); end\nself.end = 1\ndef call(do: nil, in:); end\n",
        &[],
    );
}

#[test]
fn a_value_that_is_not_all_there_takes_the_next_line() {
    let taken = |at: usize| format!("{at}: the value goes on in the next line");
    check_errors("a.rb", "X = 18..\nY = [1, 2]\n", &[&taken(8)]);
    check_errors("a.rb", "X = 18.. # c\nY = [1, 2]\n", &[&taken(8)]);
    check_errors("a.rb", "X = *\nY = [1, 2]\n", &[&taken(5)]);
    check_errors(
        "a.rb",
        "X = (18..)\nY = 18..20\nA = *Y\na, * = A\nZ = 18..\n",
        &[],
    );
}
