//! A chain of templates → the one that is rendered: every block as the last of them gives it, `super()` filled in.

use super::tree::{RenderNode, Template};

/// A part of what a chain of templates renders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderEvent {
    /// These bytes.
    Text(Vec<u8>),
    /// Something within a line.
    Value,
    /// Anything, lines too; the source says which it may be at least.
    Unknown(Vec<u8>),
    /// A block begins.
    Open(String),
    /// The block that began last ends.
    Close,
    /// A choice begins, with the first of its branches.
    Fork,
    /// The next branch of the choice that began last.
    Or,
    /// The choice that began last ends.
    Join,
    /// What repeats begins.
    Loop,
    /// What began to repeat last ends.
    EndLoop,
}

/// Most parts that a chain may come to: a `super()` that is there twice doubles with every tier.
const MOST_EVENTS: usize = 200_000;

/// Returns what `chain` renders, the template itself first and the one that extends none last; `None` when that is too
/// much.
pub fn rendered(chain: &[Template]) -> Option<Vec<RenderEvent>> {
    let mut rendering = Rendering {
        chain,
        open: Vec::new(),
        depth: 0,
        events: Vec::new(),
    };
    for template in chain {
        rendering.nodes(&template.body, None)?;
    }
    Some(rendering.events)
}

struct Rendering<'t> {
    chain: &'t [Template],
    /// Names of the blocks that are open.
    open: Vec<&'t str>,
    /// How many parts are in each other.
    depth: usize,
    events: Vec<RenderEvent>,
}

impl<'t> Rendering<'t> {
    /// Renders `nodes`, which are what the tier at `.1` gives to the block called `.0`.
    fn nodes(&mut self, nodes: &'t [RenderNode], within: Option<(&'t str, usize)>) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        for node in nodes {
            match node {
                RenderNode::Text(text) => self.put(RenderEvent::Text(text.clone()))?,
                RenderNode::Value => self.put(RenderEvent::Value)?,
                RenderNode::Unknown(source) => self.put(RenderEvent::Unknown(source.clone()))?,
                RenderNode::Super => {
                    match within.and_then(|(name, tier)| self.given(name, tier + 1)) {
                        Some((name, tier, nodes)) => self.nodes(nodes, Some((name, tier)))?,
                        None => self.put(RenderEvent::Unknown(Vec::new()))?,
                    }
                }
                RenderNode::Block(name) => self.block(name)?,
                RenderNode::Choice(branches) => {
                    for (at, branch) in branches.iter().enumerate() {
                        self.put(if at == 0 {
                            RenderEvent::Fork
                        } else {
                            RenderEvent::Or
                        })?;
                        self.nodes(branch, within)?;
                    }
                    self.put(RenderEvent::Join)?;
                }
                RenderNode::Loop(nodes) => {
                    self.put(RenderEvent::Loop)?;
                    self.nodes(nodes, within)?;
                    self.put(RenderEvent::EndLoop)?;
                }
            }
        }
        self.depth -= 1;
        Some(())
    }

    fn block(&mut self, name: &'t str) -> Option<()> {
        let given = self.given(name, 0).filter(|_| !self.open.contains(&name));
        let Some((name, tier, nodes)) = given else {
            return self.put(RenderEvent::Unknown(Vec::new()));
        };
        self.put(RenderEvent::Open(name.to_owned()))?;
        self.open.push(name);
        self.nodes(nodes, Some((name, tier)))?;
        self.open.pop();
        self.put(RenderEvent::Close)
    }

    /// Returns what the first tier from `from` on gives to a block.
    fn given(&self, name: &str, from: usize) -> Option<(&'t str, usize, &'t [RenderNode])> {
        let chain = self.chain;
        let mut tiers = chain.iter().enumerate().skip(from);
        tiers.find_map(|(tier, template)| {
            let (name, nodes) = template.blocks.get_key_value(name)?;
            Some((name.as_str(), tier, nodes.as_slice()))
        })
    }

    fn put(&mut self, event: RenderEvent) -> Option<()> {
        self.events.push(event);
        (self.events.len() <= MOST_EVENTS && self.open.len() <= MOST_OPEN).then_some(())
    }
}

/// Most blocks that may be in each other.
const MOST_OPEN: usize = 200;

/// Most blocks, branches and loops that may be in each other.
const DEEPEST: usize = 600;

#[cfg(test)]
mod tests {
    use super::super::tree::template;
    use super::*;

    fn told(sources: &[&str]) -> Option<String> {
        let chain: Vec<Template> = sources
            .iter()
            .map(|source| template(source.as_bytes()).unwrap())
            .collect();
        let word = |event: RenderEvent| match event {
            RenderEvent::Text(text) => String::from_utf8(text).unwrap(),
            RenderEvent::Value => "_".to_owned(),
            RenderEvent::Unknown(_) => "?".to_owned(),
            RenderEvent::Open(name) => format!("<{name}:"),
            RenderEvent::Close => ">".to_owned(),
            RenderEvent::Fork | RenderEvent::Loop => "(".to_owned(),
            RenderEvent::Or => "|".to_owned(),
            RenderEvent::Join => ")".to_owned(),
            RenderEvent::EndLoop => ")*".to_owned(),
        };
        Some(rendered(&chain)?.into_iter().map(word).collect())
    }

    #[test]
    fn the_last_tier_gives_a_block() {
        let check = |sources: &[&str], expected: &str| {
            assert_eq!(told(sources).as_deref(), Some(expected), "{sources:?}")
        };
        let root = "a{% block b %}1{% endblock %}c{% block d %}2{% endblock %}";
        check(&[root], "a<b:1>c<d:2>");
        check(
            &["{% extends 'r' %}{% block b %}3{% endblock %}", root],
            "a<b:3>c<d:2>",
        );
        check(
            &[
                "{% extends 'r' %}{% block b %}3{{ super() }}{% endblock %}",
                root,
            ],
            "a<b:31>c<d:2>",
        );
        check(
            &[
                "{% extends 's' %}{% block b %}5{{ super() }}{% endblock %}",
                "{% extends 'r' %}{% block d %}4{% endblock %}",
                "{% extends 'q' %}{% block b %}3{{ super() }}{% block e %}6{% endblock %}{% endblock %}",
                root,
            ],
            "a<b:531<e:6>>c<d:4>",
        );
        check(
            &[
                "{% extends 'r' %}{% block b %}{% if a %}{{ super() }}{% endif %}{% endblock %}",
                "{% for a in c %}{% block b %}1{% endblock %}{% endfor %}",
            ],
            "(<b:(1|)>)*",
        );
        check(&["# h\n{% extends 'r' %}", "x"], "# h\nx");
        check(&["{% block b %}{{ super() }}{% endblock %}"], "<b:?>");
        check(
            &[
                "{% extends 'r' %}{% block b %}{% block d %}{% endblock %}{% endblock %}{% block x %}{% endblock %}",
                root,
            ],
            "a<b:<d:>>c<d:>",
        );
    }

    #[test]
    fn what_never_ends_is_unknown_or_too_much() {
        let root = "{% block a %}{% block b %}{% endblock %}{% endblock %}";
        assert_eq!(
            told(&[
                "{% extends 'r' %}{% block b %}{% block a %}{% endblock %}{% endblock %}",
                root
            ])
            .as_deref(),
            Some("<a:>")
        );
        let twice = "{% extends 'r' %}{% block a %}{{ super() }}{{ super() }}{% endblock %}";
        let mut chain = vec![twice; 30];
        chain.push("{% block a %}x{% endblock %}");
        assert_eq!(told(&chain), None);
    }
}
