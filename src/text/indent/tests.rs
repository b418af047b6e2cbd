//! Tables for every rule, and the two laws on code made at random.

use crate::text::indent::measure::lines_of;
use proptest::prelude::*;

use super::*;

/// Roles as letters, one a line: `c` code, `0`-`9` a continuation of that line, `d` a docstring of the last line that
/// is not `d` or blank, `f` frozen, `.` blank.
fn roles(letters: &str) -> Vec<LineRole> {
    let mut opener = 0;
    let role = |(number, letter): (usize, char)| {
        if !matches!(letter, 'd' | '.') {
            opener = number;
        }
        match letter {
            'c' => LineRole::Code,
            'd' => LineRole::Docstring(opener),
            'f' => LineRole::Frozen,
            '.' => LineRole::Blank,
            digit => LineRole::Continuation(digit.to_digit(10).map_or(0, |digit| digit as usize)),
        }
    };
    letters.chars().enumerate().map(role).collect()
}

fn place(base: &str, unit: &str) -> IndentTarget<'static> {
    let base = base.to_owned().leak();
    IndentTarget {
        unit: Unit::from_white(unit),
        ..IndentTarget::at(base.as_bytes(), IndentSyntax::Offside)
    }
}

#[track_caller]
fn check_at(place: &IndentTarget<'_>, content: &str, letters: &str, expected: &str) {
    let fitted = fit(content.as_bytes(), &roles(letters), place).expect("not mixed");
    assert_eq!(String::from_utf8_lossy(&fitted), expected);
}

#[track_caller]
fn check(base: &str, unit: &str, content: &str, letters: &str, expected: &str) {
    check_at(&place(base, unit), content, letters, expected);
}

const FOUR: &str = "    ";

#[test]
fn content_ends_at_its_place_wherever_it_comes_from() {
    let expected = "    def f():\n        return 1\n";
    check(FOUR, FOUR, "def f():\n    return 1\n", "cc", expected);
    check(
        FOUR,
        FOUR,
        "    def f():\n        return 1\n",
        "cc",
        expected,
    );
    check(
        FOUR,
        FOUR,
        "            def f():\n                return 1\n",
        "cc",
        expected,
    );
    check(FOUR, FOUR, "\tdef f():\n\t\treturn 1\n", "cc", expected);
    check(
        "",
        FOUR,
        "    def f():\n        return 1",
        "cc",
        "def f():\n    return 1",
    );
    check(
        "\t",
        "\t",
        "def f():\n    return 1\n",
        "cc",
        "\tdef f():\n\t\treturn 1\n",
    );
    check(
        "\t",
        "\t",
        "        x = 1\n        y = 2\n",
        "cc",
        "\tx = 1\n\ty = 2\n",
    );
    check(FOUR, FOUR, "", "", "");
    check(FOUR, FOUR, "\n", ".", "\n");
}

#[test]
fn blank_lines_become_empty_and_a_form_feed_stays() {
    check(
        FOUR,
        FOUR,
        "\ndef f():\n\n  \n    pass\n\x0c\n",
        ".c..c.",
        "\n    def f():\n\n\n        pass\n\x0c\n",
    );
}

#[test]
fn lines_left_of_the_base_keep_their_distance_or_stay_in_column_0() {
    check(
        FOUR,
        FOUR,
        "  f()\n# note\n  g()\n",
        "ccc",
        "    f()\n  # note\n    g()\n",
    );
    check(
        FOUR,
        FOUR,
        "    f()\n# note\n    g()\n",
        "ccc",
        "    f()\n# note\n    g()\n",
    );
    check(
        FOUR,
        FOUR,
        "        f()\n  # note\n        g()\n",
        "ccc",
        "    f()\n# note\n    g()\n",
    );
    check(FOUR, FOUR, "        f(\n  a)\n", "c0", "    f(\na)\n");
    check(
        FOUR,
        FOUR,
        "  # above\n    def f(): pass\n",
        "cc",
        "  # above\n    def f(): pass\n",
    );
    check(
        FOUR,
        FOUR,
        "# above\n  def f(): pass\n",
        "cc",
        "  # above\n    def f(): pass\n",
    );
}

#[test]
fn docstrings_move_as_one_or_not_at_all() {
    check(
        FOUR,
        FOUR,
        "\"\"\"A\n  b\n\nc\n\"\"\"\n",
        "cd.dd",
        "    \"\"\"A\n      b\n\n    c\n    \"\"\"\n",
    );
    check(
        FOUR,
        FOUR,
        "\"\"\"A\n  b\n  \nc\"\"\"\n",
        "cddd",
        "    \"\"\"A\n      b\n\n    c\"\"\"\n",
    );
    let kept = "        def f():\n            \"\"\"A\n            b\n\n  c\n            \"\"\"\n";
    check(
        FOUR,
        FOUR,
        kept,
        "ccd.dd",
        "    def f():\n        \"\"\"A\n            b\n\n  c\n            \"\"\"\n",
    );
    check(
        "",
        "",
        "    x\n    /* a\n     * b */\n",
        "ccd",
        "x\n/* a\n * b */\n",
    );
}

#[test]
fn frozen_lines_keep_their_bytes() {
    check(
        FOUR,
        FOUR,
        "x = '''\n a\n\t\n'''\n",
        "cfff",
        "    x = '''\n a\n\t\n'''\n",
    );
    check(
        "\t",
        "\t",
        "if x:\n  y = '''\n  a'''\n",
        "ccf",
        "\tif x:\n\t\ty = '''\n  a'''\n",
    );
}

#[test]
fn levels_are_kept_when_the_unit_changes() {
    let two = "if a:\n  if b:\n    c\n  d\nelse:\n  e\n";
    check(
        FOUR,
        FOUR,
        two,
        "cccccc",
        "    if a:\n        if b:\n            c\n        d\n    else:\n        e\n",
    );
    check(
        "",
        "\t",
        two,
        "cccccc",
        "if a:\n\tif b:\n\t\tc\n\td\nelse:\n\te\n",
    );
    // Levels of uneven widths are still levels.
    check(
        "",
        "\t",
        "if a:\n  b\nif c:\n   d\n  # odd\n",
        "ccccc",
        "if a:\n\tb\nif c:\n\td\n\t# odd\n",
    );
    // A comment at column 0 closes nothing.
    check(
        "",
        FOUR,
        "if a:\n  if b:\n# x\n    c\n  d\n",
        "ccccc",
        "if a:\n    if b:\n# x\n        c\n    d\n",
    );
    // A comment follows the statement below it, else the column at its left.
    check(
        "",
        FOUR,
        "if a:\n  # b\n  c\n  # d\n",
        "cccc",
        "if a:\n    # b\n    c\n    # d\n",
    );
}

#[test]
fn continuations_keep_their_offset_when_the_unit_changes() {
    check(
        "",
        FOUR,
        "if a:\n  f(\n    x,\n    y\n  )\n",
        "cc111",
        "if a:\n    f(\n        x,\n        y\n    )\n",
    );
    check(
        "",
        FOUR,
        "if a:\n  f(x,\n    y)\n",
        "cc1",
        "if a:\n    f(x,\n        y)\n",
    );
    check(
        "",
        FOUR,
        "if a:\n  f(xy,\n       z)\n",
        "cc1",
        "if a:\n    f(xy,\n         z)\n",
    );
    check(
        "",
        "\t",
        "if a:\n  f(xy,\n       z)\n",
        "cc1",
        "if a:\n\tf(xy,\n\t     z)\n",
    );
    check(
        "",
        "  ",
        "if a:\n\tf(\n\t\t\tx)\n",
        "cc1",
        "if a:\n  f(\n      x)\n",
    );
    check(
        "",
        FOUR,
        "if a:\n  f(g(\n    h(\n      1)))\n",
        "cc11",
        "if a:\n    f(g(\n        h(\n            1)))\n",
    );
    check(
        "",
        FOUR,
        "if a:\n  f(\nx)\n",
        "cc1",
        "if a:\n    f(\n  x)\n",
    );
    // Without a nested statement, what hangs behind an open bracket shows the unit to a tab file.
    check("\t", "\t", "f(\n    x,\n)\n", "c00", "\tf(\n\t\tx,\n\t)\n");
    check(
        FOUR,
        FOUR,
        "f(\n\tx,\n)\n",
        "c00",
        "    f(\n        x,\n    )\n",
    );
    check("\t", "\t", "f(x,\n  y)\n", "c0", "\tf(x,\n\t  y)\n");
}

#[test]
fn docstrings_move_with_their_statement_when_the_unit_changes() {
    let content = "def f():\n  \"\"\"A\n\n    b\n  \"\"\"\n";
    check(
        FOUR,
        FOUR,
        content,
        "cc.dd",
        "    def f():\n        \"\"\"A\n\n          b\n        \"\"\"\n",
    );
}

#[test]
fn widths_are_counted_where_braces_say_what_is_inside() {
    let free = IndentTarget {
        layout: IndentSyntax::Free,
        line_comments: &["//"],
        ..place("\t", "\t")
    };
    let content = "f() {\n  if {\n    x\n     .y()\n  }\n}\n";
    check_at(
        &free,
        content,
        "cccccc",
        "\tf() {\n\t\tif {\n\t\t\tx\n\t\t\t .y()\n\t\t}\n\t}\n",
    );
    let two = IndentTarget {
        layout: IndentSyntax::Free,
        line_comments: &["//"],
        ..place("  ", "  ")
    };
    check_at(
        &two,
        "f() {\n\tif {\n\t\tx\n\t}\n}\n",
        "ccccc",
        "  f() {\n    if {\n      x\n    }\n  }\n",
    );
}

#[test]
fn explicit_columns_keep_the_unit() {
    let eight = spaces(8);
    let place = IndentTarget::at(&eight, IndentSyntax::Offside);
    check_at(
        &place,
        "  if a:\n    b\n",
        "cc",
        "        if a:\n          b\n",
    );
    // What stands elsewhere today moves, though it says the same.
    let standing = IndentTarget {
        old: Some(b"    if a:\n      b\n"),
        ..place
    };
    check_at(
        &standing,
        "if a:\n  b\n",
        "cc",
        "        if a:\n          b\n",
    );
}

#[test]
fn a_first_line_cut_out_of_its_indentation_is_put_back() {
    check(
        FOUR,
        FOUR,
        "def f():\n        return 1\n",
        "cc",
        "    def f():\n        return 1\n",
    );
    let nested = "def f():\n        if a:\n            return 1\n";
    check(
        FOUR,
        FOUR,
        nested,
        "ccc",
        "    def f():\n        if a:\n            return 1\n",
    );
    check(
        FOUR,
        FOUR,
        "@x\n    def f():\n        return 1\n",
        "ccc",
        "    @x\n    def f():\n        return 1\n",
    );
    check(
        FOUR,
        FOUR,
        "x = [\n        1,\n    ]\n",
        "c00",
        "    x = [\n        1,\n    ]\n",
    );
    // A return to a column that nothing opened tells where the first line stood, whatever the place.
    let deep = "        for i in a:\n            b\n        c";
    check(
        "        ",
        FOUR,
        "for i in a:\n        b\n    c",
        "ccc",
        deep,
    );
    check(
        "        ",
        FOUR,
        "for i in a:\n            b\n        c",
        "ccc",
        deep,
    );
    check(
        "",
        FOUR,
        "for i in a:\n        b\n    c",
        "ccc",
        "for i in a:\n    b\nc",
    );
    let mid = IndentTarget {
        start: Start::MidLine,
        ..place(FOUR, FOUR)
    };
    check_at(
        &mid,
        "for i in a:\n            b\n        c",
        "ccc",
        "for i in a:\n        b\n    c",
    );
    // Nobody's columns: two depths are not made one.
    let odd = "if a:\n                b\n              c\n            d";
    check(
        FOUR,
        FOUR,
        "if a:\n            b\n          c\n        d",
        "cccc",
        &format!("    {odd}"),
    );
    // Four columns more than the place would have it, but not for lack of the first line's.
    check(
        FOUR,
        "  ",
        "def f():\n  if a:\n    b\n",
        "ccc",
        "    def f():\n      if a:\n        b\n",
    );
    // A segment that is laid out so today proves nothing.
    let old = nested
        .replace("        ", "            ")
        .replace("def", "    def");
    let deep = IndentTarget {
        old: Some(old.as_bytes()),
        ..place(FOUR, FOUR)
    };
    check_at(
        &deep,
        &nested.replace('1', "2"),
        "ccc",
        "    def f():\n            if a:\n                return 2\n",
    );
}

#[test]
fn a_segment_in_mid_line_gets_no_first_indentation() {
    let mid = IndentTarget {
        start: Start::MidLine,
        ..place(FOUR, FOUR)
    };
    check_at(&mid, "x = 1", "c", "x = 1");
    check_at(&mid, "    x = 1", "c", "x = 1");
    check_at(&mid, "y = [\n    1,\n]", "c00", "y = [\n        1,\n    ]");
    check_at(
        &mid,
        "y = [\n        1,\n    ]",
        "c00",
        "y = [\n        1,\n    ]",
    );
    let old = IndentTarget {
        old: Some(b"y = [\n  1,\n]"),
        ..mid
    };
    check_at(&old, "y = [\n  1,\n]", "c00", "y = [\n  1,\n]");
}

#[test]
fn blank_lines_that_stay_keep_their_white_space() {
    let old = IndentTarget {
        old: Some(b"    def f():\n    \n        a\n\t\n        b\n"),
        ..place(FOUR, FOUR)
    };
    check_at(
        &old,
        "def f():\n\n    a\n\n    b\n",
        "c.c.c",
        "    def f():\n    \n        a\n\t\n        b\n",
    );
    check_at(
        &old,
        "def f():\n\n    z\n\n    b\n",
        "c.c.c",
        "    def f():\n    \n        z\n\t\n        b\n",
    );
    check_at(
        &old,
        "def f():\n    z\n    a\n\n    b\n",
        "ccc.c",
        "    def f():\n        z\n        a\n\t\n        b\n",
    );
    check_at(
        &old,
        "def f():\n    z\n\n    y\n",
        "cc.c",
        "    def f():\n        z\n\n        y\n",
    );
    check_at(
        &old,
        "def f():\n\n    a\n",
        "c.c",
        "    def f():\n    \n        a\n",
    );
    let crlf = IndentTarget {
        old: Some(b"    a\r\n  \r\n    b"),
        ..place(FOUR, FOUR)
    };
    check_at(&crlf, "a\n\nc", "c.c", "    a\n  \n    c");
}

#[test]
fn mixed_content_is_refused_unless_it_stands_there() {
    let refuse = |content: &str, letters: &str, line: usize| {
        let fitted = fit(content.as_bytes(), &roles(letters), &place(FOUR, FOUR));
        assert_eq!(fitted, Err(Problem::Mixed { line }), "{content:?}");
    };
    refuse("if a:\n\tb\nif c:\n    d\n", "cccc", 4);
    refuse("if a:\n \tb\n", "cc", 2);
    refuse("if a:\n    f(\n\tx)\n", "cc1", 3);
    let mixed = "    if a:\n    \tb\n    if c:\n        d\n";
    let standing = IndentTarget {
        old: Some(mixed.as_bytes()),
        ..place(FOUR, FOUR)
    };
    check_at(&standing, mixed, "cccc", mixed);
    check_at(&standing, "if a:\n\tb\nif c:\n    d\n", "cccc", mixed);
    // Spaces that align behind tabs are no mixture.
    check(
        "\t",
        "\t",
        "\tif a:\n\t\tf(x,\n\t\t  y)\n",
        "cc1",
        "\tif a:\n\t\tf(x,\n\t\t  y)\n",
    );
}

#[test]
fn units_are_read_off_the_commonest_step() {
    let unit = |segment: &str, letters: &str| unit_of(segment.as_bytes(), &roles(letters), &["#"]);
    assert_eq!(unit("x = 1\ny = 2\n", "cc"), None);
    assert_eq!(unit("    if a:\n       b\n", "cc"), Some(Unit::Spaces(3)));
    assert_eq!(
        unit("if a:\n        f(\n  x)\n        # c\n", "cc1c"),
        Some(Unit::Spaces(8))
    );
    assert_eq!(unit("\tif a:\n\t\tb\n", "cc"), Some(Unit::Tab));
    assert_eq!(
        unit_of_file(b"a {\n  b {\n    c(d,\n             e)\n  }\n}\n"),
        Some(Unit::Spaces(2))
    );
    assert_eq!(unit_of_file(b"/**\n * a\n */\nx\n\ty\n"), Some(Unit::Tab));
    assert_eq!(unit_of_file(b"a\n b\n"), None);
}

/// Code made at random, and the role of each line.
#[derive(Clone, Debug)]
struct Code {
    text: String,
    roles: Vec<LineRole>,
}

/// What a random line is, with a number to make something of.
fn pieces() -> impl Strategy<Value = Vec<(u8, usize)>> {
    prop::collection::vec((0u8..12, 0usize..7), 0..24)
}

/// Lays out statements at `base`: block steps of `unit`, now and then an odd one if `uneven`.
fn code(pieces: &[(u8, usize)], base: &str, unit: &str, uneven: bool) -> Code {
    let mut columns = vec![base.to_owned()];
    let mut lines = vec![(format!("{base}if first:"), LineRole::Code)];
    let mut opens = true;
    let mut statement = 0;
    for &(kind, number) in pieces {
        let here = columns.last().cloned().unwrap_or_default();
        let at = lines.len();
        match kind {
            0 => lines.push((" ".repeat(number), LineRole::Blank)),
            1 => lines.push((format!("{}# note", " ".repeat(number)), LineRole::Code)),
            2 => lines.push((format!("{}raw", "\t ".repeat(number)), LineRole::Frozen)),
            3 => lines.push((
                format!("{here}{}more", " ".repeat(number)),
                LineRole::Continuation(statement),
            )),
            4 => lines.push((
                format!("{}less", " ".repeat(number)),
                LineRole::Continuation(statement),
            )),
            5 => lines.push((
                format!("{}{}words", here, " ".repeat(number)),
                LineRole::Docstring(statement),
            )),
            6 => lines.push((
                format!("{}words", " ".repeat(number)),
                LineRole::Docstring(statement),
            )),
            _ => {
                if opens {
                    let odd = if uneven && number == 6 { " " } else { "" };
                    columns.push(format!("{here}{unit}{odd}"));
                } else {
                    columns.truncate(columns.len().saturating_sub(number % 3).max(1));
                }
                let here = columns.last().cloned().unwrap_or_default();
                opens = kind >= 10;
                let text = if opens { "if deeper:" } else { "pass" };
                lines.push((format!("{here}{text}"), LineRole::Code));
                statement = at;
            }
        }
    }
    let roles = lines.iter().map(|(_, role)| *role).collect();
    let text = lines.into_iter().map(|(line, _)| line + "\n").collect();
    Code { text, roles }
}

/// Takes the common margin off all lines but frozen ones, as a careful reader of `show` would; blank lines lose all.
fn margin_off(code: &Code) -> String {
    let lines = || code.text.lines().zip(&code.roles);
    let moves = |line: &str, role: &LineRole| *role != LineRole::Frozen && !line.trim().is_empty();
    let white = |line: &str| line.len() - line.trim_start().len();
    let margin = lines()
        .filter(|(line, role)| moves(line, role))
        .map(|(line, _)| white(line))
        .min()
        .unwrap_or(0);
    let strip = |(line, role): (&str, &LineRole)| match role {
        LineRole::Frozen => line.to_owned() + "\n",
        _ if line.trim().is_empty() => "\n".to_owned(),
        _ => line[margin..].to_owned() + "\n",
    };
    lines().map(strip).collect()
}

fn with_blank_lines_emptied(code: &Code) -> String {
    let emptied = |(line, role): (&str, &LineRole)| match role {
        LineRole::Frozen => line.to_owned() + "\n",
        _ if line.trim().is_empty() => "\n".to_owned(),
        _ => line.to_owned() + "\n",
    };
    code.text.lines().zip(&code.roles).map(emptied).collect()
}

/// Says for each statement whether it stands deeper than, beside or left of each open column: what CPython reads.
fn levels(text: &str, roles: &[LineRole]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut levels = Vec::new();
    for (line, _) in text
        .lines()
        .zip(roles)
        .filter(|(_, role)| **role == LineRole::Code)
    {
        let white = line.len() - line.trim_start().len();
        if line.trim_start().starts_with('#') {
            continue;
        }
        while open.last().is_some_and(|&column| column > white) {
            open.pop();
        }
        if open.last() != Some(&white) {
            open.push(white);
        }
        levels.push(open.len());
    }
    levels
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn there_and_back_is_the_identity(
        pieces in pieces(), depth in 0usize..4, unit in prop::sample::select(vec![" ", "  ", "   ", "    ", "       "]),
    ) {
        let base = "    ".repeat(depth);
        let code = code(&pieces, &base, unit, true);
        let unit = unit_of(code.text.as_bytes(), &code.roles, &["#"]).or(Some(Unit::Spaces(4)));
        let content = margin_off(&code);
        let place = IndentTarget { unit, ..IndentTarget::at(base.as_bytes(), IndentSyntax::Offside) };
        prop_assume!(!unchanged::lost_its_first_indentation(&lines_of(content.as_bytes(), &code.roles, &["#"]), &place));
        let fitted = fit(content.as_bytes(), &code.roles, &place).unwrap();
        prop_assert_eq!(String::from_utf8(fitted).unwrap(), with_blank_lines_emptied(&code));
        let place = IndentTarget { old: Some(code.text.as_bytes()), ..place };
        let fitted = fit(content.as_bytes(), &code.roles, &place).unwrap();
        prop_assert_eq!(String::from_utf8(fitted).unwrap(), code.text.clone());
    }

    #[test]
    fn one_changed_line_changes_one_line(pieces in pieces(), depth in 0usize..4, at in 0usize..24) {
        let base = "    ".repeat(depth);
        let code = code(&pieces, &base, "    ", false);
        let edit = |text: &str| -> String {
            let lines: Vec<&str> = text.lines().collect();
            let at = at % lines.len();
            let edited = |(number, line): (usize, &&str)| match number == at && !line.trim().is_empty() {
                true => format!("{line} + 1\n"),
                false => format!("{line}\n"),
            };
            lines.iter().enumerate().map(edited).collect()
        };
        let place = IndentTarget { unit: Some(Unit::Spaces(4)), ..IndentTarget::at(base.as_bytes(), IndentSyntax::Offside) };
        let place = IndentTarget { old: Some(code.text.as_bytes()), ..place };
        let fitted = fit(edit(&margin_off(&code)).as_bytes(), &code.roles, &place).unwrap();
        prop_assert_eq!(String::from_utf8(fitted).unwrap(), edit(&code.text));
    }

    #[test]
    fn levels_survive_every_unit(
        pieces in pieces(), depth in 0usize..3, uneven in any::<bool>(),
        unit in prop::sample::select(vec![" ", "  ", "   ", "    ", "        "]),
        to in prop::sample::select(vec!["\t", " ", "  ", "   ", "    ", "        "]),
    ) {
        let code = code(&pieces, &"  ".repeat(depth), unit, uneven);
        let base = to.repeat(depth);
        let place = IndentTarget { unit: Unit::from_white(to), ..IndentTarget::at(base.as_bytes(), IndentSyntax::Offside) };
        let fitted = String::from_utf8(fit(code.text.as_bytes(), &code.roles, &place).unwrap()).unwrap();
        prop_assert_eq!(levels(&fitted, &code.roles), levels(&code.text, &code.roles));
        for ((new, old), role) in fitted.lines().zip(code.text.lines()).zip(&code.roles) {
            match role {
                LineRole::Frozen => prop_assert_eq!(new, old),
                _ => prop_assert_eq!(new.trim(), old.trim()),
            }
        }
    }

    #[test]
    fn no_bytes_and_no_roles_make_it_panic(
        content in "[ \ta#@(\n\r\x0c]{0,40}", old in prop::option::of("[ \ta\n\r]{0,40}"),
        roles in prop::collection::vec(prop_oneof![
            Just(LineRole::Code), Just(LineRole::Blank), Just(LineRole::Frozen),
            (0usize..9).prop_map(LineRole::Continuation), (0usize..9).prop_map(LineRole::Docstring),
        ], 0..12),
        base in "[ \t]{0,5}", unit in "[ \t]{0,3}", free in any::<bool>(), mid in any::<bool>(),
    ) {
        let place = IndentTarget {
            unit: Unit::from_white(&unit),
            start: if mid { Start::MidLine } else { Start::OwnLine },
            old: old.as_deref().map(str::as_bytes),
            ..IndentTarget::at(base.as_bytes(), if free { IndentSyntax::Free } else { IndentSyntax::Offside })
        };
        let _ = fit(content.as_bytes(), &roles, &place);
    }
}
