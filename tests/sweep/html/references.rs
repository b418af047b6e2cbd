//! Every named character reference of the standard, as Python's own table has them.

use std::process::Command;

use segedit::syntax::html::{CssSelector, Dom};

#[test]
fn every_named_reference_stands_for_what_python_says() {
    let script = "import html.entities as e\nfor n, c in e.html5.items(): print(n, *('%X' % ord(x) for x in c))";
    let output = Command::new("python3").args(["-I", "-c", script]).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        println!("skipped: there is no python3 on this machine");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let mut count = 0;
    for line in text.lines() {
        let (name, characters) = line.split_once(' ').unwrap();
        let page = format!("<a title=\"&{name}\">");
        let escaped: String = characters
            .split(' ')
            .map(|digits| format!("\\{digits} "))
            .collect();
        let selector = CssSelector::parse(&format!("[title=\"{escaped}\"]")).unwrap();
        assert_eq!(
            selector.matches(&Dom::of(page.as_bytes()), page.as_bytes()),
            Ok(vec![0]),
            "{line}"
        );
        count += 1;
    }
    assert!(count >= 2231, "{count}");
}
