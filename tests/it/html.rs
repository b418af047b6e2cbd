//! Pages: addresses on the command line, and the surgical law on a page of 100 KB.

use crate::support::Sandbox;

const PAGE: &str = "<!DOCTYPE html>\n<html>\n<body>\n  <div id=\"header\">\n    <h1>My <i>Shop</i></h1>\n  </div>\n  <nav>\n    \
    <a href=\"/\">Home</a>\n    <a href=\"/x\">X</a>\n  </nav>\n</body>\n</html>\n";

#[test]
fn elements_have_addresses_on_the_command_line() {
    let sandbox = Sandbox::with(&[
        ("page.html", PAGE),
        ("other.html", "<p id=\"header\">a::b</p>\n"),
    ]);
    let show = |address: &str| {
        sandbox
            .segedit(&["show", "--format", "json", address])
            .json()
    };
    let shown = show("page.html::nav > a[href=\"/x\"]");
    assert_eq!(
        shown["segment"]["content"]
            .as_str()
            .or(shown["content"].as_str()),
        Some("    <a href=\"/x\">X</a>")
    );
    let outline = sandbox
        .segedit(&["outline", "--format", "json", "page.html"])
        .json();
    let told: Vec<(String, String, u64)> = outline[0]["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|segment| {
            let word = |key: &str| segment[key].as_str().unwrap().to_owned();
            assert_eq!(
                show(&word("address"))["start_line"],
                segment["start_line"],
                "{segment}"
            );
            (
                word("address"),
                word("name"),
                segment["start_line"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("page.html::#header", "header", 4),
        ("page.html::h1", "My Shop", 5),
    ];
    assert_eq!(
        told,
        expected.map(|(address, name, line)| (address.to_owned(), name.to_owned(), line))
    );
    for asked in ["#header", "header"] {
        let found = sandbox.segedit(&["find", asked]).out();
        assert!(
            found.contains("page.html::#header") && found.contains("other.html::#header"),
            "{asked}: {found}"
        );
    }
    let run = sandbox.segedit(&[
        "replace",
        "page.html::h1 > i",
        "--part",
        "inner",
        "--content",
        "Store",
    ]);
    assert_eq!(run.exit, 0, "{}", run.err());
    assert_eq!(
        sandbox.git(&["show", "HEAD:page.html"]),
        PAGE.replace("Shop", "Store").trim_end()
    );
    let run = sandbox.segedit(&["delete", "other.html::#header", "--text", "a::"]);
    assert_eq!(run.exit, 0, "{}", run.err());
    assert_eq!(
        sandbox.git(&["show", "HEAD:other.html"]),
        "<p id=\"header\">b</p>"
    );
}

/// Row C4 of the demands: a 100 KB document grows by just the word.
#[test]
fn c4_one_word_in_a_page_of_100_kb_changes_the_file_by_that_word() {
    let item = |at: usize| {
        format!(
            "    <li id=\"item-{at}\" class='a  b'>Item {at}<!-- note   {at} -->\n      <style>.x{at} {{ color : red }}</style>\r\n\
             <script>let a{at}=  `\n  {at}`;</script>\t \n\n"
        )
    };
    let page: String = (0..800).map(item).collect();
    let page = format!("<!DOCTYPE html>\n<html><body>\n  <ul>\n{page}  </ul>\n</body></html>");
    assert!(page.len() > 100_000, "{}", page.len());
    let sandbox = Sandbox::with(&[("page.html", &page)]);
    let before = "Item 400<!--";
    let expected = page.replace(before, "Item 400 sold<!--");
    assert_eq!(expected.len(), page.len() + " sold".len());
    let run = sandbox.segedit(&[
        "insert",
        "page.html",
        "--text",
        "Item 400",
        "--content",
        " sold",
        "--position",
        "after",
    ]);
    assert_eq!(run.exit, 0, "{}", run.err());
    assert!(
        sandbox.git(&["show", "HEAD:page.html"]) == expected,
        "more than the word changed"
    );
    // The same by the element's name, and back again.
    let run = sandbox.segedit(&["delete", "page.html::#item-400", "--text", " sold"]);
    assert_eq!(run.exit, 0, "{}", run.err());
    assert!(
        sandbox.git(&["show", "HEAD:page.html"]) == page,
        "more than the word changed"
    );
}

/// What a formatter makes of a page is held to its structure like any edit.
#[test]
fn a_formatter_loses_no_closing_tag() {
    let form = "import sys\nsys.stdout.write(sys.stdin.read().replace(*sys.argv[1:3]))\n";
    let page = "<ul>\n  <li>One</li>\n</ul>\n";
    let configured = |old: &str, new: &str| {
        format!(
            "version: 1\nformatters:\n  - name: form\n    files: [\"*.html\"]\n    \
             command: [python3, tools/form.py, \"{old}\", \"{new}\", \"{{range}}\"]\n    range: [\"{{first}}\", \"{{last}}\"]\n"
        )
    };
    let formatted = |old: &str, new: &str| {
        let configuration = configured(old, new);
        let files = [
            (".segedit.yaml", configuration.as_str()),
            ("tools/form.py", form),
            ("page.html", page),
        ];
        let sandbox = Sandbox::with(&files);
        let args = [
            "replace",
            "page.html::li",
            "--part",
            "inner",
            "--content",
            "Uno",
            "--format",
            "json",
        ];
        let run = sandbox.run(
            sandbox
                .segedit_command()
                .args(args)
                .env("GIT_SEGEDIT_TRUST", "always"),
            b"",
        );
        (
            run.exit,
            run.json()["errors"][0]["code"].as_str().map(str::to_owned),
            sandbox.git(&["show", "HEAD:page.html"]),
        )
    };
    let kept = || page.trim_end().to_owned();
    assert_eq!(
        formatted("Uno", "Due"),
        (0, None, kept().replace("One", "Due"))
    );
    for (old, new) in [
        ("</li>", ""),
        ("<li>Uno</li>", "<li>Due"),
        ("<li>", "<li><b>"),
    ] {
        assert_eq!(
            formatted(old, new),
            (1, Some("structure-lost".to_owned()), kept()),
            "{old} {new}"
        );
    }
}
