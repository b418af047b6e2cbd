//! The table as each interface wants it, as JSON.

use serde_json::{Map, Value, json};

use super::table::{CallRules, Hints, Parameter, Takes, ToolDefinition, offered_tools};

/// An interface that tools are described for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// `tools/list` of the Model Context Protocol.
    Mcp,
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Chat Completions.
    OpenAi,
    /// OpenAI's Responses.
    OpenAiResponses,
}

impl Face {
    /// Every interface with its word.
    pub(crate) const WORDS: [(&str, Face); 4] = [
        ("mcp", Face::Mcp),
        ("anthropic", Face::Anthropic),
        ("openai", Face::OpenAi),
        ("openai-responses", Face::OpenAiResponses),
    ];

    /// Returns the interface that `word` names.
    pub(crate) fn from_word(word: &str) -> Option<Face> {
        Face::WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|&(_, face)| face)
    }
}

/// Returns the tools that `rules` let be offered, as `face` wants them.
pub(crate) fn tools(face: Face, rules: CallRules) -> Value {
    let described: Vec<Value> = offered_tools(rules)
        .map(|tool| described(tool, face, rules))
        .collect();
    match face {
        Face::Mcp => json!({ "tools": described }),
        Face::Anthropic | Face::OpenAi | Face::OpenAiResponses => Value::Array(described),
    }
}

fn described(tool: &ToolDefinition, face: Face, rules: CallRules) -> Value {
    let ToolDefinition {
        name, description, ..
    } = tool;
    let schema = schema(tool);
    match face {
        Face::Mcp => {
            let annotations = annotations(tool.hints(rules));
            let mut told = json!({ "name": name, "description": description, "inputSchema": schema, "annotations": annotations });
            if rules.is_structured && tool.is_batch() {
                told["outputSchema"] = report();
            }
            told
        }
        Face::Anthropic => {
            json!({ "name": name, "description": description, "input_schema": schema })
        }
        // `strict` wants every parameter required and those left out as a null, which other clients refuse.
        Face::OpenAi => {
            let function = json!({ "name": name, "description": description, "parameters": schema, "strict": false });
            json!({ "type": "function", "function": function })
        }
        Face::OpenAiResponses => json!({
            "type": "function", "name": name, "description": description, "parameters": schema, "strict": false,
        }),
    }
}

/// Returns the JSON Schema of a batch's report, as far as every report has it.
fn report() -> Value {
    let properties = json!({ "version": { "type": "integer" }, "status": { "type": "string" } });
    json!({ "type": "object", "properties": properties, "required": ["version", "status"] })
}

/// Returns all four hints: clients take those that are left out for the worst, and some refuse a tool without them.
fn annotations(hints: Hints) -> Value {
    json!({
        "readOnlyHint": hints.reads_only,
        "destructiveHint": hints.is_destructive,
        "idempotentHint": hints.is_idempotent,
        "openWorldHint": false,
    })
}

/// Returns the JSON Schema of a tool's arguments: flat, one plain type each.
pub(crate) fn schema(tool: &ToolDefinition) -> Value {
    let properties = tool
        .parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), property(parameter)));
    let required = tool
        .parameters
        .iter()
        .filter(|parameter| parameter.is_required);
    let required: Vec<&str> = required.map(|parameter| parameter.name).collect();
    json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}

fn property(parameter: &Parameter) -> Value {
    let mut property = match parameter.takes {
        Takes::Text => json!({ "type": "string" }),
        Takes::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Takes::Number => json!({ "type": "integer", "minimum": 1 }),
        Takes::Flag => json!({ "type": "boolean" }),
        Takes::Word(words) => json!({ "type": "string", "enum": words }),
    };
    if !parameter.description.is_empty() {
        property["description"] = json!(parameter.description);
    }
    property
}
