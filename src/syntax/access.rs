//! Lines that say who may use what is below them in a class: `private:` of C++, a bare `private` of Ruby.

use crate::text::Span;

/// A class, and the labels right in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessBody {
    /// Up to what closes it, from behind what opens it or from its header.
    pub span: Span,
    /// What holds above the first label.
    pub default: &'static str,
    /// The labels, in file order.
    pub labels: Vec<AccessLabel>,
}

/// A line that holds for what is below it, up to the next one of the same body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessLabel {
    /// The label, its colon included.
    pub span: Span,
    /// What it says: `private`, `public slots`.
    pub access: String,
}

/// The words that labels have, or the ends of those.
const WORDS: [&[u8]; 6] = [
    b"private",
    b"protected",
    b"public",
    b"signals",
    b"SIGNALS",
    b"module_function",
];

/// Says whether a text may have a label in it.
pub(crate) fn says_access(text: &[u8]) -> bool {
    WORDS
        .iter()
        .any(|word| memchr::memmem::find(text, word).is_some())
}

/// Who may use what is at each place of a file.
pub(crate) struct AccessMap<'a> {
    bodies: &'a [AccessBody],
    /// From which offset on which of them is the innermost.
    begun: Vec<(usize, Option<usize>)>,
}

/// Who may use what is at one place, and what says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessAt<'a> {
    /// The class around it.
    pub(crate) body: &'a AccessBody,
    /// The label above it.
    pub(crate) label: Option<&'a AccessLabel>,
}

impl<'a> AccessAt<'a> {
    /// Returns what holds there.
    pub(crate) fn access(&self) -> &'a str {
        self.label
            .map_or(self.body.default, |label| label.access.as_str())
    }
}

impl<'a> AccessMap<'a> {
    /// Reads `bodies`, which are in the order in which they begin, and of which none is partly in another.
    pub(crate) fn of(bodies: &'a [AccessBody]) -> AccessMap<'a> {
        let mut begun = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let end = |at: usize| bodies.get(at).map_or(0, |body| body.span.end);
        for (at, body) in bodies.iter().enumerate() {
            while let Some(ended) = open.pop_if(|inner| end(*inner) <= body.span.start) {
                begun.push((end(ended), open.last().copied()));
            }
            open.push(at);
            begun.push((body.span.start, Some(at)));
        }
        while let Some(ended) = open.pop() {
            begun.push((end(ended), open.last().copied()));
        }
        AccessMap { bodies, begun }
    }

    /// Returns who may use what is at `offset`; `None` outside of any class.
    pub(crate) fn at(&self, offset: usize) -> Option<AccessAt<'a>> {
        let past = self.begun.partition_point(|(from, _)| *from <= offset);
        let (_, innermost) = self.begun.get(past.checked_sub(1)?)?;
        let body = self.bodies.get((*innermost)?)?;
        let above = body
            .labels
            .partition_point(|label| label.span.start <= offset);
        let label = above.checked_sub(1).and_then(|at| body.labels.get(at));
        Some(AccessAt { body, label })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::LANGUAGES;

    /// Returns what holds for each word of a file that is `m` and a number.
    fn held(language: &str, source: &str) -> Vec<String> {
        let language = LANGUAGES.iter().find(|it| it.name == language).unwrap();
        let bodies = language.grammar.access(source.as_bytes());
        let map = AccessMap::of(&bodies);
        source
            .match_indices('m')
            .filter(|(at, _)| source[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
            .map(|(at, _)| map.at(at).map_or("none", |it| it.access()).to_owned())
            .collect()
    }

    #[test]
    fn a_label_holds_for_what_is_below_it_in_its_class() {
        assert_eq!(
            held(
                "C++",
                "int m0;\nclass API A final : public B<struct Q> {\n  Q_OBJECT\n  int m1;\npublic:\n  m2() : n(1) {}\n  struct I {\n    int m3;\n   private:\n    int m4;\n  };\n  int m5;\nsignals:\n  void m6();\npublic slots:\n  void m7();\n  void f() { x ? signals\n : m8; }\n};\nint m9;\ntemplate <class T> union U { int m10; };\nenum class E { m11 };\n"
            ),
            [
                "none",
                "private",
                "public",
                "public",
                "private",
                "public",
                "signals",
                "public slots",
                "public slots",
                "none",
                "public",
                "none"
            ]
        );
        assert_eq!(
            held(
                "Ruby",
                "m0\nclass A\n  def m1; end\n  private\n  def m2; end\n  class << self\n    def m3; end\n    protected\n    def m4; end\n  end\n  def m5; end\n  private def m6; end\n  public :m7\n  def m8; private; end\nend\nm9\nmodule M1\n  module_function\n  def m10; end\nend\n"
            ),
            [
                "none",
                "public",
                "private",
                "public",
                "protected",
                "private",
                "private",
                "private",
                "private",
                "none",
                "module_function"
            ]
        );
    }
}
