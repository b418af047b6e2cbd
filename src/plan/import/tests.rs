//! Where imports come and how they go, a row each: a file, what is asked for, the file then.

use std::cell::LazyCell;

use super::{ImportWish, imported};
use crate::diagnostic::Code;
use crate::path::RepoPath;
use crate::references::Analysis;
use crate::snapshot::Project;
use crate::syntax::python::ImportStatement;

fn outcome(before: &str, wish: &ImportWish<'_>) -> Result<String, Code> {
    let path = RepoPath::parse("src/shop/cart.py").unwrap();
    let analysis = LazyCell::new(|| Analysis::of(&Project::default()));
    imported(&path, before.as_bytes(), wish, &analysis)
        .map(|file| String::from_utf8(file.bytes).unwrap())
        .map_err(|error| error.code)
}

fn import(before: &str, statement: &str) -> Result<String, Code> {
    let statement = ImportStatement::parse(statement).unwrap();
    outcome(before, &ImportWish::Has(&statement))
}

fn unimport(before: &str, statement: &str, allows_use: bool) -> Result<String, Code> {
    let statement = ImportStatement::parse(statement).unwrap();
    let wish = ImportWish::Lacks {
        statement: &statement,
        allows_use,
    };
    outcome(before, &wish)
}

#[track_caller]
fn adds(before: &str, statement: &str, after: &str) {
    assert_eq!(
        import(before, statement).as_deref(),
        Ok(after),
        "{statement}"
    );
    // What is there stays as it is.
    assert_eq!(
        import(after, statement).as_deref(),
        Ok(after),
        "{statement} again"
    );
}

#[track_caller]
fn takes(before: &str, statement: &str, after: &str) {
    assert_eq!(
        unimport(before, statement, false).as_deref(),
        Ok(after),
        "{statement}"
    );
}

#[test]
fn a_name_joins_the_list_as_it_is_written() {
    adds(
        "from x import a, c\n",
        "from x import b",
        "from x import a, b, c\n",
    );
    adds(
        "from x import c, a\n",
        "from x import b",
        "from x import c, a, b\n",
    );
    adds(
        "from x import (a, c)\n",
        "from x import d",
        "from x import (a, c, d)\n",
    );
    adds(
        "from x import (\n    a,\n    c,  # why\n)\n",
        "from x import b, d",
        "from x import (\n    a,\n    b,\n    c,  # why\n    d,\n)\n",
    );
    adds(
        "from x import (\n    a,\n    c\n)\n",
        "from x import d",
        "from x import (\n    a,\n    c,\n    d\n)\n",
    );
    adds(
        "from x import (\n    a,\n    b)\n",
        "from x import c",
        "from x import (\n    a,\n    b,\n    c)\n",
    );
    adds(
        "from x import a, \\\n    c\n",
        "from x import b",
        "from x import a, \\\n    b, c\n",
    );
    adds(
        "from x import A, B_C, a\n",
        "from x import b_c",
        "from x import A, B_C, a, b_c\n",
    );
    adds(
        "from x import MAX, Cart, add\n",
        "from x import Bag",
        "from x import MAX, Bag, Cart, add\n",
    );
    // A name with an alias has a line of its own, unless the file has it otherwise.
    adds(
        "from x import a\n",
        "from x import b as c",
        "from x import a\nfrom x import b as c\n",
    );
    adds(
        "from x import a as d, c\n",
        "from x import b as e",
        "from x import a as d, b as e, c\n",
    );
    adds(
        "from x import a\nfrom x import c\n",
        "from x import b",
        "from x import a\nfrom x import b\nfrom x import c\n",
    );
}

#[test]
fn a_list_that_gets_too_long_is_broken() {
    let long = "from shop.cart_of_the_customer import add_an_article, change_its_count, remove_an_article\n";
    assert_eq!(long.len(), 90);
    adds(
        &long.replace("add_an_article, ", ""),
        "from shop.cart_of_the_customer import add_an_article",
        "from shop.cart_of_the_customer import (\n    add_an_article,\n    change_its_count,\n    remove_an_article,\n)\n",
    );
    // What is too long already is meant to be.
    adds(
        long,
        "from shop.cart_of_the_customer import z",
        &long.replace("\n", ", z\n"),
    );
    let filled = "from x import (first_of_all_names, second_of_all_names, third_of_all_names,\n               last_of_all_names)\n";
    adds(
        filled,
        "from x import zero",
        &filled.replace("last_of_all_names)", "last_of_all_names, zero)"),
    );
}

#[test]
fn a_statement_goes_to_its_group_in_the_order_that_is_there() {
    adds("", "import os", "import os\n");
    adds(
        "import os\nimport sys\n",
        "import re",
        "import os\nimport re\nimport sys\n",
    );
    adds(
        "import os\nfrom abc import ABC\n",
        "from collections import deque",
        "import os\nfrom abc import ABC\nfrom collections import deque\n",
    );
    adds(
        "import os\nfrom abc import ABC\n",
        "import re",
        "import os\nimport re\nfrom abc import ABC\n",
    );
    // Sections that are sorted by the module alone stay so.
    adds(
        "from abc import ABC\nimport os\nfrom re import compile\nimport sys\n",
        "import json",
        "from abc import ABC\nimport json\nimport os\nfrom re import compile\nimport sys\n",
    );
    let groups = "from __future__ import annotations\n\nimport os\n\nimport numpy as np\n\nfrom shop.bag import Bag\n\nfrom . import a\n";
    for (statement, line, after) in [
        ("import abc", "import os\n", "import abc\nimport os\n"),
        (
            "import attrs",
            "import numpy as np\n",
            "import attrs\nimport numpy as np\n",
        ),
        (
            "from shop.art import Art",
            "from shop.bag",
            "from shop.art import Art\nfrom shop.bag",
        ),
        (
            "from .b import c",
            "from . import a\n",
            "from . import a\nfrom .b import c\n",
        ),
        (
            "from __future__ import division",
            "import annotations\n",
            "import annotations, division\n",
        ),
    ] {
        adds(groups, statement, &groups.replace(line, after));
    }
    // A group that is not there is a paragraph of its own.
    adds(
        "import os\n\nfrom . import a\n\n\nx = 1\n",
        "import numpy",
        "import os\n\nimport numpy\n\nfrom . import a\n\n\nx = 1\n",
    );
    adds(
        "import numpy\n\nx = 1\n",
        "import os",
        "import os\n\nimport numpy\n\nx = 1\n",
    );
    // A file that keeps no groups apart does not begin to.
    adds(
        "import numpy\nimport os\n",
        "from . import a",
        "import numpy\nimport os\nfrom . import a\n",
    );
    adds(
        "import zlib\nimport os\nimport abc\n",
        "import re",
        "import zlib\nimport os\nimport abc\nimport re\n",
    );
}

#[test]
fn the_first_import_comes_after_what_speaks_of_the_file() {
    adds(
        "\"\"\"Carts.\"\"\"\n\n\ndef f(): ...\n",
        "import os",
        "\"\"\"Carts.\"\"\"\n\nimport os\n\n\ndef f(): ...\n",
    );
    adds(
        "\"\"\"Carts.\"\"\"\nx = 1\n",
        "import os",
        "\"\"\"Carts.\"\"\"\n\nimport os\n\nx = 1\n",
    );
    adds(
        "#!/usr/bin/env python\nx = 1\n",
        "import os",
        "#!/usr/bin/env python\n\nimport os\n\nx = 1\n",
    );
    adds(
        "# Copyright\n\ndef f(): ...\n",
        "import os",
        "# Copyright\n\nimport os\n\n\ndef f(): ...\n",
    );
    adds(
        "# Counts.\ndef f(): ...\n",
        "import os",
        "import os\n\n\n# Counts.\ndef f(): ...\n",
    );
    adds(
        "\"\"\"Carts.\"\"\"\n\nimport os\n",
        "from __future__ import annotations",
        "\"\"\"Carts.\"\"\"\n\nfrom __future__ import annotations\n\nimport os\n",
    );
    adds(
        "\"\"\"Carts.\"\"\"",
        "import os",
        "\"\"\"Carts.\"\"\"\n\nimport os",
    );
    adds(
        "\u{feff}x = 1\r\n",
        "import os",
        "\u{feff}import os\r\n\r\nx = 1\r\n",
    );
    // Before its first use, and not inside of anything.
    adds(
        "x = os.name\n\nimport re\n",
        "import os",
        "import os\n\nx = os.name\n\nimport re\n",
    );
    adds(
        "if TYPE_CHECKING:\n    import os\n\nx = 1\n",
        "import os",
        "import os\n\nif TYPE_CHECKING:\n    import os\n\nx = 1\n",
    );
}

#[test]
fn what_is_there_is_left_and_what_is_taken_is_refused() {
    for there in [
        "from x import a, y\n",
        "try:\n    from x import y\nexcept ImportError:\n    y = None\n",
        "if new:\n    from x import y\nelse:\n    from z import y\n",
    ] {
        assert_eq!(import(there, "from x import y").as_deref(), Ok(there));
    }
    for taken in [
        "from z import y\n",
        "def y(): ...\n",
        "import x as y\n",
        "for y in z: ...\n",
        "y = 1\n",
    ] {
        assert_eq!(
            import(taken, "from x import y"),
            Err(Code::NameClash),
            "{taken}"
        );
    }
    // A script imports for itself, and so do those who check types.
    adds(
        "def f(): ...\n\n\nif __name__ == '__main__':\n    import x\n",
        "import x",
        "import x\n\n\ndef f(): ...\n\n\nif __name__ == '__main__':\n    import x\n",
    );
    adds(
        "import y\n\ndel x\n",
        "import x",
        "import x\nimport y\n\ndel x\n",
    );
    // Names of functions are theirs; another part of a package binds the same.
    adds(
        "import a.b\n\n\ndef f(y): ...\n",
        "import a.c",
        "import a.b\nimport a.c\n\n\ndef f(y): ...\n",
    );
    assert_eq!(import("def f(:\n", "import os"), Err(Code::Unsupported));
}

#[test]
fn an_import_goes_with_its_comma_and_its_gap() {
    takes(
        "from x import a, b, c\n",
        "from x import a",
        "from x import b, c\n",
    );
    takes(
        "from x import a, b, c\n",
        "from x import b",
        "from x import a, c\n",
    );
    takes(
        "from x import a, b, c\n",
        "from x import c",
        "from x import a, b\n",
    );
    takes(
        "from x import a, b, c\n",
        "from x import a, c",
        "from x import b\n",
    );
    takes(
        "from x import (a, b)\n",
        "from x import b",
        "from x import (a)\n",
    );
    let lines = "from x import (\n    a,\n    b,  # why\n    c\n)\n";
    takes(
        lines,
        "from x import b",
        "from x import (\n    a,\n    c\n)\n",
    );
    takes(
        lines,
        "from x import c",
        "from x import (\n    a,\n    b  # why\n)\n",
    );
    takes(
        "from x import a, \\\n    b\n",
        "from x import b",
        "from x import a\n",
    );
    takes(
        "from x import a as b, c\n",
        "from x import a as b",
        "from x import c\n",
    );
    takes("import a, b\n", "import a", "import b\n");
    takes(
        "import a; import b; x = 1\n",
        "import a",
        "import b; x = 1\n",
    );
    takes("import a; import b\n", "import b", "import a\n");
    takes(
        "import a\nimport b\n\nx = 1\n",
        "import a",
        "import b\n\nx = 1\n",
    );
    // The gap after imports stays, and two paragraphs are one gap apart.
    takes(
        "import a\n\nimport b\n\n\ndef f(): ...\n",
        "import b",
        "import a\n\n\ndef f(): ...\n",
    );
    takes(
        "import a\n\nimport b\n\n\ndef f(): ...\n",
        "import a",
        "import b\n\n\ndef f(): ...\n",
    );
    takes(
        "\"\"\"Carts.\"\"\"\n\nimport a\n\n\ndef f(): ...\n",
        "import a",
        "\"\"\"Carts.\"\"\"\n\n\ndef f(): ...\n",
    );
    takes("import a\r\nimport b\r\n", "import b", "import a\r\n");
    takes("import a\n", "import a", "");
    // Nothing of another name.
    for left in ["from x import a as b\n", "from y import a\n", "import x\n"] {
        takes(left, "from x import a", left);
    }
}

#[test]
fn what_is_used_stays() {
    for used in [
        "import os\nprint(os.name)\n",
        "import os\n\ndef f(): return os.name\n",
        "import os\n\ndef f(x: 'os.PathLike'): ...\n",
        "import os\n__all__ = ['os']\n",
        "import os\n\ndef f():\n    global os\n    return os\n",
        "import os\n\nclass A:\n    os = os\n",
        "import os\ndel os\n",
    ] {
        assert_eq!(
            unimport(used, "import os", false),
            Err(Code::StillUsed),
            "{used}"
        );
        assert!(unimport(used, "import os", true).is_ok());
    }
    assert_eq!(
        unimport("from x import *\n", "from x import *", false),
        Err(Code::StillUsed)
    );
    assert_eq!(
        unimport("from x import a as a\n", "from x import a as a", false),
        Err(Code::StillUsed)
    );
    takes(
        "import os\n\ndef f(os): return os\n",
        "import os",
        "def f(os): return os\n",
    );
    takes(
        "import os\n\ndef f(x): return x.os, 'os', g(os=1)  # os\n",
        "import os",
        "def f(x): return x.os, 'os', g(os=1)  # os\n",
    );
    // Of a package that another import brings as well, its own part counts.
    takes(
        "import a.b\nimport a.c\na.b.f()\n",
        "import a.c",
        "import a.b\na.b.f()\n",
    );
    assert_eq!(
        unimport("import a.b\nimport a.c\na.c.f()\n", "import a.c", false),
        Err(Code::StillUsed)
    );
    for inside in [
        "try:\n    import os\nexcept ImportError: ...\n",
        "def f():\n    import os\n",
    ] {
        assert_eq!(unimport(inside, "import os", false), Err(Code::Unsupported));
    }
}

#[test]
fn a_comment_goes_on_below_its_statement() {
    let text = "import os  # for paths\n           # and more\nimport sys\n\nprint(sys)\n";
    let with =
        "import os  # for paths\n           # and more\nimport re\nimport sys\n\nprint(sys)\n";
    adds(text, "import re", with);
    takes(text, "import os", "import sys\n\nprint(sys)\n");
    // In another column it is not that one.
    takes(
        "import os  # for paths\n# and more\nimport sys\n",
        "import os",
        "# and more\nimport sys\n",
    );
}
