//! What each line of HTML is when it is re-indented: most white space may change, but not that in `<pre>`, in a
//! multi-line value, in a string of a script.

use super::dom::{Dom, HtmlElement};
use super::embedded;
use super::rules;
use crate::text::indent::LineRole;
use crate::text::{Lines, Span, is_blank};

/// Attributes in whose values white space is as good as a blank.
const LOOSE: [&str; 10] = [
    "class",
    "style",
    "srcset",
    "sizes",
    "d",
    "points",
    "transform",
    "viewbox",
    "rel",
    "media",
];

/// Returns the role of each line of `fragment`.
pub(super) fn roles(fragment: &[u8]) -> Vec<LineRole> {
    let dom = Dom::of(fragment);
    let lines = Lines::of(fragment);
    let plain = |line| {
        if is_blank(lines.whole(line).of(fragment)) {
            LineRole::Blank
        } else {
            LineRole::Code
        }
    };
    let mut roles = Roles {
        roles: (1..=lines.count()).map(plain).collect(),
        lines,
    };
    for tag in &dom.tags {
        roles.set(
            tag.span,
            LineRole::Continuation(roles.index(tag.span.start)),
        );
    }
    for comment in &dom.comments {
        roles.set(*comment, LineRole::Docstring(roles.index(comment.start)));
    }
    for element in &dom.elements {
        set_roles_of_tag(&mut roles, fragment, element);
        set_roles_of_content(&mut roles, fragment, &dom, element);
    }
    roles.roles
}

fn set_roles_of_tag(roles: &mut Roles, fragment: &[u8], element: &HtmlElement) {
    let begins = roles.index(element.start_tag.start);
    if begins == roles.index(element.start_tag.end) {
        return;
    }
    roles.set(element.start_tag, LineRole::Continuation(begins));
    for attribute in &element.attributes {
        let name = String::from_utf8_lossy(attribute.name.of(fragment)).to_ascii_lowercase();
        if let Some(value) = attribute
            .value
            .filter(|_| !LOOSE.contains(&name.as_str()) && !name.starts_with("on"))
        {
            roles.freeze(value);
        }
    }
}

fn set_roles_of_content(roles: &mut Roles, fragment: &[u8], dom: &Dom, element: &HtmlElement) {
    let Some(inner) = element.inner() else { return };
    if rules::keeps_blanks(&element.name) && !element.is_foreign {
        roles.freeze(inner);
        return;
    }
    let Some(language) = embedded::language(fragment, element) else {
        return;
    };
    let text = embedded::text(fragment, dom, inner, language, embedded::Filling::Values);
    let first = roles.index(inner.start);
    let of_text = language.grammar.line_roles(&text, None);
    for (number, role) in of_text.into_iter().enumerate().skip(1) {
        // The line of the end tag is the element's, unless the text reaches into it.
        let Some(line) = roles.roles.get_mut(first + number) else {
            break;
        };
        *line = match role {
            LineRole::Continuation(begins) => LineRole::Continuation(begins + first),
            LineRole::Docstring(begins) => LineRole::Docstring(begins + first),
            LineRole::Frozen => LineRole::Frozen,
            LineRole::Code | LineRole::Blank => continue,
        };
    }
}

struct Roles {
    roles: Vec<LineRole>,
    lines: Lines,
}

impl Roles {
    /// Returns the 0-based number of the line that holds `offset`.
    fn index(&self, offset: usize) -> usize {
        self.lines.line(offset) - 1
    }

    /// Gives the lines that begin inside of `span`, unless they are blank, a role.
    fn set(&mut self, span: Span, role: LineRole) {
        for line in
            self.index(span.start) + 1..=self.index(span.end.saturating_sub(1).max(span.start))
        {
            if let Some(known) = self
                .roles
                .get_mut(line)
                .filter(|known| **known != LineRole::Blank)
            {
                *known = role;
            }
        }
    }

    /// Keeps the bytes of the lines that begin inside of `span` or at its end.
    fn freeze(&mut self, span: Span) {
        for line in self.index(span.start) + 1..=self.index(span.end) {
            if let Some(known) = self.roles.get_mut(line) {
                *known = LineRole::Frozen;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tells each line by a letter: code, frozen, blank, docstring, continuation.
    fn check(fragment: &str, expected: &str) {
        let letter = |role: &LineRole| match role {
            LineRole::Code => 'c',
            LineRole::Frozen => 'f',
            LineRole::Blank => 'b',
            LineRole::Docstring(_) => 'd',
            LineRole::Continuation(_) => 't',
        };
        assert_eq!(
            roles(fragment.as_bytes())
                .iter()
                .map(letter)
                .collect::<String>(),
            expected,
            "{fragment:?}"
        );
    }

    #[test]
    fn white_space_that_counts_is_kept() {
        check("<div>\n  a\n\n</div>\n", "ccbc");
        check("<pre>\n  a\n\n  </pre>\n<p>", "cfffc");
        check("<textarea>a\n b</textarea>\n", "cf");
        check("<!-- a\n b\n-->\n", "cdd");
        check(
            "<a\n  b=c\n  title=\"d\n  e\"\n  class='f\n  g'>\n",
            "cttftt",
        );
        check("<script>\n  let a = `\n  b`;\n  c();\n</script>\n", "ccfcc");
        check("<script>\n  /* a\n   b */\n</script>\n", "ccdc");
        check(
            "<style>\n  /* a\n   b */\n  a { b: c }\n</style>\n",
            "ccdcc",
        );
        check(
            "<script type=\"text/x-template\">\n  let a = `\n  b`;\n</script>\n",
            "cccc",
        );
        check("{% if a\n   and b %}\n<p>", "ctc");
    }
}
