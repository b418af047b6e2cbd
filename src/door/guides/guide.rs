//! The guides. Texts for models name the commands alone, not the tools of the server, whose own list says what they do.

use serde_json::{Value, json};

use super::AgentClient;

pub(super) use super::guide_file::{GuideFile, GuideRole};

/// The block for `AGENTS.md`, with the comments that mark it as a region.
const BLOCK: &str = include_str!("agents.md");

/// The skill, as the Agent Skills standard has it.
const SKILL: &str = include_str!("skill.md");

/// What the skill refers to.
const OPERATION_FILES: &str = include_str!("operation-files.md");

/// Something that is written for agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guide {
    /// A block of `AGENTS.md`.
    Block,
    /// A skill folder.
    Skill,
    /// A plugin folder: the skill and the server.
    Plugin,
    /// The entry that makes a client start the server.
    Server(AgentClient),
}

impl Guide {
    /// Returns the folder that it goes to unless another is named, relative to the root of the repository.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Guide::Block | Guide::Server(_) => "",
            Guide::Skill => ".agents/skills",
            Guide::Plugin => "git-segedit-plugin",
        }
    }

    /// Returns the files that it is made of.
    pub(crate) fn files(self) -> Vec<GuideFile> {
        match self {
            Guide::Block => vec![GuideFile {
                path: "AGENTS.md".to_owned(),
                text: BLOCK.to_owned(),
                role: GuideRole::Region("git-segedit"),
            }],
            Guide::Skill => skill("git-segedit"),
            Guide::Plugin => {
                let mut files = vec![
                    whole(
                        ".claude-plugin/plugin.json".to_owned(),
                        format!("{:#}\n", plugin()),
                    ),
                    whole(".mcp.json".to_owned(), AgentClient::ClaudeCode.file().text),
                ];
                files.extend(skill("skills/git-segedit"));
                files
            }
            Guide::Server(client) => vec![client.file()],
        }
    }
}

fn skill(folder: &str) -> Vec<GuideFile> {
    vec![
        whole(format!("{folder}/SKILL.md"), SKILL.to_owned()),
        whole(
            format!("{folder}/references/operation-files.md"),
            OPERATION_FILES.to_owned(),
        ),
    ]
}

fn whole(path: String, text: String) -> GuideFile {
    GuideFile {
        path,
        text,
        role: GuideRole::Whole,
    }
}

fn plugin() -> Value {
    json!({
        "name": "git-segedit",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Edit code and documents by name, all or nothing and with undo",
        "author": { "name": "The git-segedit contributors" },
        "license": "MIT OR Apache-2.0",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_short_and_a_region() {
        let lines: Vec<&str> = BLOCK.lines().collect();
        assert!(lines.len() <= 40, "{}", lines.len());
        assert_eq!(lines.first(), Some(&"<!-- region git-segedit -->"));
        assert_eq!(lines.last(), Some(&"<!-- endregion -->"));
        assert!(!BLOCK.contains("segedit_"), "it names commands, not tools");
    }

    #[test]
    fn the_skill_has_the_head_that_its_standard_wants() {
        let (head, body) = SKILL
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .expect("front matter");
        let field = |name: &str| {
            head.lines()
                .find_map(|line| line.strip_prefix(&format!("{name}: ")))
                .unwrap_or_default()
        };
        assert_eq!(field("name"), "git-segedit");
        assert!(
            (1..=1024).contains(&field("description").len())
                && field("description").contains("Use when")
        );
        assert!(body.lines().count() < 500);
        assert!(!SKILL.contains("segedit_"), "it names commands, not tools");
        assert!(body.contains("references/operation-files.md"));
    }
}
