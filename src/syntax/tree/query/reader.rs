//! Text → patterns, for one language.
//!
//! A name that the language does not have is a mistake in the query, as is whatever of tree-sitter's language is not read here: groups of
//! siblings, `*` and `+`, kinds that stand for others (supertypes), `MISSING` and `ERROR`, conditions other than the four below.
//!
//! Only this file and the matcher recurse in this room, and both along a query, never along a tree.

use tree_sitter::Language;

use super::pattern::{
    ChildPattern, FieldId, NodePattern, NodesPattern, PatternSet, TextCondition, WantedKind,
};

/// Returns the patterns that `text` holds, or what is wrong with it and on which line.
pub(in crate::syntax::tree) fn read_query(
    language: &Language,
    text: &str,
) -> Result<PatternSet, String> {
    let mut reader = QueryReader {
        language,
        text,
        at: 0,
        captures: Vec::new(),
    };
    let mut patterns = Vec::new();
    while reader.next().is_some() {
        match reader.pattern() {
            Ok(pattern) => patterns.push(pattern),
            Err(fault) => {
                let before = text.get(..reader.at).unwrap_or_default();
                return Err(format!("line {}: {fault}", before.lines().count().max(1)));
            }
        }
    }
    Ok(PatternSet::new(
        patterns,
        reader.captures,
        language.node_kind_count(),
    ))
}

struct QueryReader<'q> {
    language: &'q Language,
    text: &'q str,
    at: usize,
    captures: Vec<String>,
}

/// What is wrong with a query.
type Fault = String;

impl<'q> QueryReader<'q> {
    /// Passes over blanks and comments, and returns the letter that is next.
    fn next(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first == ';' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if first.is_whitespace() {
                self.at += first.len_utf8();
            } else {
                return Some(first);
            }
        }
    }

    fn rest(&self) -> &'q str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Passes over `letter` if it is next.
    fn passes(&mut self, letter: char) -> bool {
        let is_next = self.next() == Some(letter);
        if is_next {
            self.at += letter.len_utf8();
        }
        is_next
    }

    fn expect(&mut self, letter: char) -> Result<(), Fault> {
        if self.passes(letter) {
            return Ok(());
        }
        Err(format!("`{letter}` is missing"))
    }

    /// Reads a name that begins right here.
    fn word(&mut self) -> Result<&'q str, Fault> {
        let rest = self.rest();
        let is_of_word = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        let end = rest.find(|letter| !is_of_word(letter));
        let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if word.is_empty() {
            return Err("a name is missing".to_owned());
        }
        self.at += word.len();
        Ok(word)
    }

    /// Reads what is in double quotes.
    fn quoted(&mut self) -> Result<String, Fault> {
        self.expect('"')?;
        let mut text = String::new();
        let mut letters = self.rest().chars();
        while let Some(letter) = letters.next() {
            self.at += letter.len_utf8();
            let meant = match letter {
                '"' => return Ok(text),
                '\n' => break,
                '\\' => {
                    let escaped = letters.next().unwrap_or('"');
                    self.at += escaped.len_utf8();
                    match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        '0' => '\0',
                        other => other,
                    }
                }
                other => other,
            };
            text.push(meant);
        }
        Err("a quote is not closed".to_owned())
    }

    /// Reads one pattern, which may have its conditions in parentheses around both.
    fn pattern(&mut self) -> Result<NodesPattern, Fault> {
        let mut conditions = Vec::new();
        let begin = self.at;
        let is_group = self.passes('(') && matches!(self.next(), Some('(' | '[' | '"'));
        if !is_group {
            self.at = begin;
        }
        let roots = self.alternatives(&mut conditions)?;
        if is_group {
            while !self.passes(')') {
                self.condition(&mut conditions)?;
            }
        }
        let is_known =
            |root: &NodePattern| matches!(root.kind, WantedKind::Only(_)) && root.field.is_none();
        if !roots.iter().all(is_known) {
            return Err("a pattern begins with a kind of node".to_owned());
        }
        let own = captures_of(&roots);
        if conditions.iter().any(|it| !own.contains(&it.capture)) {
            return Err("a condition is on a capture of another pattern".to_owned());
        }
        Ok(NodesPattern { roots, conditions })
    }

    /// Reads what one node may be, with its field and its captures.
    fn alternatives(
        &mut self,
        conditions: &mut Vec<TextCondition>,
    ) -> Result<Vec<NodePattern>, Fault> {
        let mut field = None;
        let mut found = match self.next() {
            Some('[') => {
                self.at += 1;
                let mut either = Vec::new();
                while !self.passes(']') {
                    either.append(&mut self.alternatives(conditions)?);
                }
                either
            }
            Some('(') => vec![self.named_node(conditions)?],
            Some('"') => vec![self.token()?],
            Some(first) if first.is_alphabetic() || first == '_' => {
                let word = self.word()?;
                if word == "_" {
                    vec![NodePattern::of(WantedKind::Any)]
                } else {
                    self.expect(':')?;
                    field = Some(self.field(word)?);
                    self.alternatives(conditions)?
                }
            }
            _ => return Err("a node is missing".to_owned()),
        };
        if found.is_empty() {
            return Err("`[]` matches nothing".to_owned());
        }
        if matches!(self.next(), Some('*' | '+')) {
            return Err("a child is there once, or with `?` not at all".to_owned());
        }
        let captures = self.captures()?;
        for node in &mut found {
            node.field = field.or(node.field);
            node.captures.extend(&captures);
        }
        Ok(found)
    }

    /// Reads the captures that come next.
    fn captures(&mut self) -> Result<Vec<usize>, Fault> {
        let mut captures = Vec::new();
        while self.passes('@') {
            captures.push(self.capture()?);
        }
        Ok(captures)
    }

    fn capture(&mut self) -> Result<usize, Fault> {
        let name = self.word()?;
        if let Some(known) = self.captures.iter().position(|it| it == name) {
            return Ok(known);
        }
        self.captures.push(name.to_owned());
        Ok(self.captures.len() - 1)
    }

    fn token(&mut self) -> Result<NodePattern, Fault> {
        let text = self.quoted()?;
        let kind = self.kind(&text, false)?;
        Ok(NodePattern::of(WantedKind::Only(kind)))
    }

    /// Reads `(kind …)` with what is to be below it.
    fn named_node(&mut self, conditions: &mut Vec<TextCondition>) -> Result<NodePattern, Fault> {
        self.expect('(')?;
        self.next();
        let kind = match self.word()? {
            "_" => WantedKind::Named,
            word => WantedKind::Only(self.kind(word, true)?),
        };
        let mut node = NodePattern::of(kind);
        let mut anchored = false;
        loop {
            if self.passes(')') {
                break;
            }
            if self.passes('!') {
                let word = self.word()?;
                node.without.push(self.field(word)?);
            } else if self.passes('.') {
                anchored = true;
            } else if self.is_at_condition() {
                self.condition(conditions)?;
            } else {
                node.children.push(self.child(anchored, conditions)?);
                anchored = false;
            }
        }
        if anchored {
            match node.children.last_mut() {
                Some(last) if !last.optional => last.last = true,
                _ => return Err("no child is there for sure that could be the last".to_owned()),
            }
        }
        Ok(node)
    }

    /// Reads one child. Its captures may be before or after the `?`.
    fn child(
        &mut self,
        anchored: bool,
        conditions: &mut Vec<TextCondition>,
    ) -> Result<ChildPattern, Fault> {
        let mut either = self.alternatives(conditions)?;
        let optional = self.passes('?');
        let captures = self.captures()?;
        for node in &mut either {
            node.captures.extend(&captures);
        }
        Ok(ChildPattern {
            either,
            optional,
            anchored,
            last: false,
        })
    }

    fn is_at_condition(&mut self) -> bool {
        self.next() == Some('(')
            && self
                .rest()
                .get(1..)
                .is_some_and(|rest| rest.trim_start().starts_with('#'))
    }

    /// Reads `(#eq? @capture "text")` and the like.
    fn condition(&mut self, conditions: &mut Vec<TextCondition>) -> Result<(), Fault> {
        self.expect('(')?;
        self.expect('#')?;
        let (one_of, most) = match self.word()? {
            "eq" => (true, 1),
            "not-eq" => (false, 1),
            "any-of" => (true, usize::MAX),
            "not-any-of" => (false, usize::MAX),
            other => return Err(format!("no condition is called `#{other}?`")),
        };
        self.expect('?')?;
        self.expect('@')?;
        let capture = self.capture()?;
        let mut words = Vec::new();
        while self.next() == Some('"') {
            words.push(self.quoted()?);
        }
        self.expect(')')?;
        if words.is_empty() || words.len() > most {
            return Err("a condition compares with one text, or with any of several".to_owned());
        }
        conditions.push(TextCondition {
            capture,
            words,
            one_of,
        });
        Ok(())
    }

    fn kind(&self, name: &str, named: bool) -> Result<u16, Fault> {
        let kind = self.language.id_for_node_kind(name, named);
        // Zero is the end of a file, and what no table has is an error node.
        let is_known = kind != 0 && usize::from(kind) < self.language.node_kind_count();
        if !is_known {
            return Err(format!("no node is called `{name}`"));
        }
        if self.language.node_kind_is_supertype(kind) {
            return Err(format!("`{name}` stands for several kinds of node"));
        }
        Ok(kind)
    }

    fn field(&self, name: &str) -> Result<FieldId, Fault> {
        self.language
            .field_id_for_name(name)
            .ok_or_else(|| format!("no field is called `{name}`"))
    }
}

impl NodePattern {
    fn of(kind: WantedKind) -> NodePattern {
        NodePattern {
            kind,
            field: None,
            without: Vec::new(),
            captures: Vec::new(),
            children: Vec::new(),
        }
    }
}

/// Returns the captures that some way to match one of `roots` may have.
fn captures_of(roots: &[NodePattern]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut left: Vec<&NodePattern> = roots.iter().collect();
    while let Some(node) = left.pop() {
        found.extend(&node.captures);
        left.extend(node.children.iter().flat_map(|child| &child.either));
    }
    found
}
