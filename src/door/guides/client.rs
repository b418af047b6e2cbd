//! Clients of the Model Context Protocol, and where each is told of a server.

use super::{GuideFile, GuideRole};

/// A client that can start the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgentClient {
    ClaudeCode,
    Codex,
    Cursor,
    VsCode,
    Zed,
}

/// What the server is called in a client's settings.
const NAME: &str = "segedit";

impl AgentClient {
    /// Every client with its word.
    pub(crate) const WORDS: [(&str, AgentClient); 5] = [
        ("claude-code", AgentClient::ClaudeCode),
        ("codex", AgentClient::Codex),
        ("cursor", AgentClient::Cursor),
        ("vscode", AgentClient::VsCode),
        ("zed", AgentClient::Zed),
    ];

    /// Returns the client that `word` names.
    pub(crate) fn from_word(word: &str) -> Option<AgentClient> {
        AgentClient::WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|&(_, client)| client)
    }

    /// Returns the file of a project that it reads, with the entry for the server.
    pub(crate) fn file(self) -> GuideFile {
        let (path, around) = match self {
            AgentClient::ClaudeCode => (".mcp.json", "mcpServers"),
            AgentClient::Codex => (".codex/config.toml", "mcp_servers"),
            AgentClient::Cursor => (".cursor/mcp.json", "mcpServers"),
            AgentClient::VsCode => (".vscode/mcp.json", "servers"),
            AgentClient::Zed => (".zed/settings.json", "context_servers"),
        };
        let (text, value) = match self {
            AgentClient::Codex => {
                let table = format!(
                    "[{around}.{NAME}]\ncommand = \"git\"\nargs = [\"segedit\", \"mcp\"]\n"
                );
                (table.clone(), table)
            }
            AgentClient::ClaudeCode
            | AgentClient::Cursor
            | AgentClient::VsCode
            | AgentClient::Zed => {
                let server = self.server();
                let inner = server.replace('\n', "\n    ");
                (
                    format!("{{\n  \"{around}\": {{\n    \"{NAME}\": {inner}\n  }}\n}}\n"),
                    server,
                )
            }
        };
        GuideFile {
            path: path.to_owned(),
            text,
            role: GuideRole::Entry(vec![around, NAME], value),
        }
    }

    /// Returns what its settings say of the server, where they are JSON.
    fn server(self) -> String {
        let more = match self {
            // Else the tools are searched for where many servers are there, rather than listed.
            AgentClient::ClaudeCode => ",\n  \"alwaysLoad\": true",
            AgentClient::VsCode => ",\n  \"type\": \"stdio\"",
            AgentClient::Codex | AgentClient::Cursor | AgentClient::Zed => "",
        };
        format!("{{\n  \"command\": \"git\",\n  \"args\": [\"segedit\", \"mcp\"]{more}\n}}")
    }

    /// Returns how its user allows calls once for all, rather than one by one.
    pub(crate) fn approval(self) -> &'static str {
        match self {
            AgentClient::ClaudeCode => {
                "to allow its calls without a question: `{\"permissions\": {\"allow\": [\"mcp__segedit\"]}}` in .claude/settings.json; \
                 start `claude` here once, and accept the folder and the server"
            }
            AgentClient::Codex => {
                "to allow its calls without a question: `default_tools_approval_mode = \"approve\"` in the same table; \
                 the file is read in trusted projects only"
            }
            AgentClient::Cursor => {
                "to allow its calls without a question: `{\"mcpAllowlist\": [\"segedit:*\"]}` in ~/.cursor/permissions.json"
            }
            AgentClient::VsCode => {
                "at the first call it asks, and offers to allow the tool in this workspace always"
            }
            AgentClient::Zed => {
                "to allow a tool without a question: `\"agent\": {\"tool_permissions\": {\"tools\": \
                 {\"mcp:segedit:segedit_edit\": {\"default\": \"allow\"}}}}` in your settings"
            }
        }
    }
}
