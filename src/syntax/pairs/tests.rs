//! Tables of what the languages give.

use crate::syntax::tree::tests::*;

#[test]
fn keys_of_an_environment() {
    let source = "\u{feff}# Says it.\nPORT=1\nexport HOST = 'a b' # where\nURL: c\nEMPTY=\nONLY\nexport SHARED # elsewhere\nNOTE= # none\nHASH=a#b\nshop.open=\"1\"2\n";
    for file in [
        ".env",
        "a.env",
        ".env.example",
        ".env.staging.local",
        ".ENV.Dev",
    ] {
        check_names(
            file,
            source,
            "variable PORT\nvariable HOST\nvariable URL\nvariable EMPTY\nvariable ONLY\nvariable SHARED\nvariable NOTE\nvariable HASH\nvariable shop::open",
        );
    }
    check_comments(
        ".env",
        source,
        &["# Says it.", "# where", "# elsewhere", "# none"],
    );
    let parts = |name: &str, expected: &[(&str, &str)]| check_parts(".env", source, name, expected);
    parts(
        "PORT",
        &[
            ("comment", "# Says it."),
            ("definition", "PORT=1"),
            ("signature", "PORT"),
            ("body", "1"),
        ],
    );
    parts(
        "HOST",
        &[
            ("definition", "export HOST = 'a b'"),
            ("signature", "export HOST"),
            ("body", "'a b'"),
        ],
    );
    parts("NOTE", &[("definition", "NOTE="), ("signature", "NOTE")]);
    parts(
        "HASH",
        &[
            ("definition", "HASH=a#b"),
            ("signature", "HASH"),
            ("body", "a#b"),
        ],
    );
}

#[test]
fn a_value_in_quotes_goes_on_to_its_mark() {
    let source =
        "KEY=\"-----BEGIN\n\nB=1\n  \\\"x\\\"\n\" # why\r\nPATH='C:\\'\nTEXT=`a\nb`\nLAST=\"a\"b\n";
    check_names(
        ".env",
        source,
        "variable KEY\nvariable PATH\nvariable TEXT\nvariable LAST",
    );
    check_parts(
        ".env",
        source,
        "KEY",
        &[
            ("definition", "KEY=\"-----BEGIN\n\nB=1\n  \\\"x\\\"\n\""),
            ("signature", "KEY"),
            ("body", "\"-----BEGIN\n\nB=1\n  \\\"x\\\"\n\""),
        ],
    );
    check_roles(".env", source, None, "c F F F F c c F c");
}

#[test]
fn what_no_reader_of_environments_takes_is_an_error() {
    let errors = |source: &str, expected: &[&str]| check_errors(".env", source, expected);
    errors("A=1\nsay it\n", &["4: a line here is `KEY=value`"]);
    errors("=1\n", &["0: a line here is `KEY=value`"]);
    errors("A=\"b\nC=1\n", &["2: a quotation mark is left open"]);
    errors("A='b\nC='d'\n", &["2: a quotation mark is left open"]);
    errors("A=1\n\"\n", &["4: a line here is `KEY=value`"]);
    errors("A=it's\nB=`c\n", &[]);
}

#[test]
fn keys_of_properties() {
    let source = "! Says it.\nlog.level=INFO\nopen : 1\nclosed 2\n  deep\t=3\nflag\nempty=\na\\ b\\:c = d=e:f \n\\u0063af\\u00e9=x\n.dot=1\n= 1\n#z\n";
    check_names(
        "a.properties",
        source,
        "variable log::level\nvariable open\nvariable closed\nvariable deep\nvariable flag\nvariable empty\nvariable \"a b:c\"\nvariable café\nvariable \".dot\"",
    );
    check_comments("a.properties", source, &["! Says it.", "#z"]);
    let parts =
        |name: &str, expected: &[(&str, &str)]| check_parts("a.properties", source, name, expected);
    parts(
        "level",
        &[
            ("comment", "! Says it."),
            ("definition", "log.level=INFO"),
            ("signature", "log.level"),
            ("body", "INFO"),
        ],
    );
    parts(
        "closed",
        &[
            ("definition", "closed 2"),
            ("signature", "closed"),
            ("body", "2"),
        ],
    );
    parts("empty", &[("definition", "empty="), ("signature", "empty")]);
    // Java keeps the blanks behind a value.
    parts(
        "\"a b:c\"",
        &[
            ("definition", "a\\ b\\:c = d=e:f "),
            ("signature", "a\\ b\\:c"),
            ("body", "d=e:f "),
        ],
    );
}

#[test]
fn a_backslash_joins_the_lines_of_a_property() {
    let source =
        "list = a,\\\n    b,\\\n  # c\nlo\\\n  ng=1\npath=C:\\\\\nnext=\\\n\nlast=\\\n  d\n";
    check_names(
        "a.properties",
        source,
        "variable list\nvariable long\nvariable path\nvariable next\nvariable last",
    );
    let parts =
        |name: &str, expected: &[(&str, &str)]| check_parts("a.properties", source, name, expected);
    parts(
        "list",
        &[
            ("definition", "list = a,\\\n    b,\\\n  # c"),
            ("signature", "list"),
            ("body", "a,\\\n    b,\\\n  # c"),
        ],
    );
    parts(
        "long",
        &[
            ("definition", "lo\\\n  ng=1"),
            ("signature", "lo\\\n  ng"),
            ("body", "1"),
        ],
    );
    parts("next", &[("definition", "next=\\"), ("signature", "next")]);
    parts(
        "last",
        &[
            ("definition", "last=\\\n  d"),
            ("signature", "last"),
            ("body", "d"),
        ],
    );
    check_roles("a.properties", source, None, "c F F c F c c F c F");
}

#[test]
fn java_gives_a_file_up_for_a_bad_escape() {
    let errors = |source: &str, expected: &[&str]| check_errors("a.properties", source, expected);
    errors(
        "a=1\nb=C:\\users\n",
        &["8: `\\u` needs four hexadecimal digits"],
    );
    errors("a=\\u00\\\n  e9\nb=\\\\users\n# \\u\n", &[]);
}
