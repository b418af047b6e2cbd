//! Clients of the Model Context Protocol, and where each is told of a server.

use super::{GuideFile, Role};

/// A client that can start the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each name is the client's own")]
pub enum Client {
    ClaudeCode,
    Codex,
    Cursor,
    VsCode,
    Zed,
}

/// What the server is called in a client's settings.
const NAME: &str = "segedit";

impl Client {
    /// Every client with its word.
    pub const WORDS: [(&str, Client); 5] = [
        ("claude-code", Client::ClaudeCode),
        ("codex", Client::Codex),
        ("cursor", Client::Cursor),
        ("vscode", Client::VsCode),
        ("zed", Client::Zed),
    ];

    /// Returns the client that `word` names.
    pub fn from_word(word: &str) -> Option<Client> {
        Client::WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|&(_, client)| client)
    }

    /// Returns the file of a project that it reads, with the entry for the server.
    pub fn file(self) -> GuideFile {
        let (path, around) = match self {
            Client::ClaudeCode => (".mcp.json", "mcpServers"),
            Client::Codex => (".codex/config.toml", "mcp_servers"),
            Client::Cursor => (".cursor/mcp.json", "mcpServers"),
            Client::VsCode => (".vscode/mcp.json", "servers"),
            Client::Zed => (".zed/settings.json", "context_servers"),
        };
        let (text, value) = match self {
            Client::Codex => {
                let table = format!(
                    "[{around}.{NAME}]\ncommand = \"git\"\nargs = [\"segedit\", \"mcp\"]\n"
                );
                (table.clone(), table)
            }
            Client::ClaudeCode | Client::Cursor | Client::VsCode | Client::Zed => {
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
            role: Role::Entry(vec![around, NAME], value),
        }
    }

    /// Returns what its settings say of the server, where they are JSON.
    fn server(self) -> String {
        let more = match self {
            // Else the tools are searched for where many servers are there, rather than listed.
            Client::ClaudeCode => ",\n  \"alwaysLoad\": true",
            Client::VsCode => ",\n  \"type\": \"stdio\"",
            Client::Codex | Client::Cursor | Client::Zed => "",
        };
        format!("{{\n  \"command\": \"git\",\n  \"args\": [\"segedit\", \"mcp\"]{more}\n}}")
    }

    /// Returns how its user allows calls once for all, rather than one by one.
    pub fn approval(self) -> &'static str {
        match self {
            Client::ClaudeCode => {
                "to allow its calls without a question: `{\"permissions\": {\"allow\": [\"mcp__segedit\"]}}` in .claude/settings.json; \
                 start `claude` here once, and accept the folder and the server"
            }
            Client::Codex => {
                "to allow its calls without a question: `default_tools_approval_mode = \"approve\"` in the same table; \
                 the file is read in trusted projects only"
            }
            Client::Cursor => {
                "to allow its calls without a question: `{\"mcpAllowlist\": [\"segedit:*\"]}` in ~/.cursor/permissions.json"
            }
            Client::VsCode => {
                "at the first call it asks, and offers to allow the tool in this workspace always"
            }
            Client::Zed => {
                "to allow a tool without a question: `\"agent\": {\"tool_permissions\": {\"tools\": \
                 {\"mcp:segedit:segedit_edit\": {\"default\": \"allow\"}}}}` in your settings"
            }
        }
    }
}
