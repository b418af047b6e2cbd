//! Anthropic's Messages, which Ollama, vLLM, llama.cpp and LM Studio speak too.

use serde_json::{Map, Value, json};

use super::exchange::{
    AnswerEnd, Answered, CallResult, EarlierTurn, ModelQuestion, ToolCall, ToolChoice, number_at,
    text_at,
};
use crate::history::Tokens;

/// Returns the body of a request. Tools, system text and messages come in the order in which the provider caches them.
pub(super) fn body(question: &ModelQuestion<'_>) -> Value {
    let dials = question.dials;
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(question.model));
    body.insert("max_tokens".to_owned(), json!(question.most_tokens));
    if dials.temperature {
        body.insert("temperature".to_owned(), question.temperature.value());
    }
    if let Some(tools) = question.tools {
        body.insert("tools".to_owned(), tools.clone());
        let choice = match dials.choice {
            ToolChoice::Forced => Some("any"),
            ToolChoice::Free => Some("auto"),
            ToolChoice::Unsaid => None,
        };
        if let Some(choice) = choice {
            body.insert("tool_choice".to_owned(), json!({ "type": choice }));
        }
    }
    let mut system = json!({ "type": "text", "text": question.system });
    if dials.cache {
        // The mark covers everything before it, the tools too.
        system["cache_control"] = json!({ "type": "ephemeral" });
    }
    body.insert("system".to_owned(), json!([system]));
    let opening =
        [question.documents, question.request].map(|text| json!({ "type": "text", "text": text }));
    let mut messages = vec![json!({ "role": "user", "content": opening })];
    for turn in question.turns {
        messages.push(json!({ "role": "assistant", "content": turn.said }));
        let reply = reply(turn);
        if !reply.is_empty() {
            messages.push(json!({ "role": "user", "content": reply }));
        }
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    Value::Object(body)
}

fn reply(turn: &EarlierTurn) -> Vec<Value> {
    let result = |result: &CallResult| {
        json!({
            "type": "tool_result", "tool_use_id": result.id, "content": result.text, "is_error": result.is_error,
        })
    };
    let results = turn.results.iter().map(result);
    results
        .chain(
            turn.note
                .iter()
                .map(|note| json!({ "type": "text", "text": note })),
        )
        .collect()
}

/// Reads an answer.
pub(super) fn answer(body: &Value) -> Result<Answered, String> {
    let content = body
        .get("content")
        .and_then(Value::as_array)
        .ok_or("it has no `content`")?;
    let of_type =
        |wanted: &'static str| content.iter().filter(move |block| block["type"] == wanted);
    let text: Vec<String> = of_type("text")
        .map(|block| text_at(block, "/text"))
        .collect();
    let call = |block: &Value| ToolCall {
        id: text_at(block, "/id"),
        name: text_at(block, "/name"),
        arguments: Ok(block.get("input").cloned().unwrap_or_default()),
    };
    let text = text.join("\n");
    let end = match body.get("stop_reason").and_then(Value::as_str) {
        Some("max_tokens") => AnswerEnd::Cut,
        Some("refusal") => AnswerEnd::Refused(text.clone()),
        Some("pause_turn") => AnswerEnd::Paused,
        Some("model_context_window_exceeded") => AnswerEnd::Overfull,
        _ => AnswerEnd::Done,
    };
    Ok(Answered {
        model: text_at(body, "/model"),
        calls: of_type("tool_use").map(call).collect(),
        end,
        tokens: Tokens {
            input: number_at(body, "/usage/input_tokens"),
            output: number_at(body, "/usage/output_tokens"),
            cache_read: number_at(body, "/usage/cache_read_input_tokens"),
            cache_written: number_at(body, "/usage/cache_creation_input_tokens"),
        },
        text,
        said: Value::Array(content.clone()),
    })
}

/// Returns the answer as it is sent back.
pub(super) fn returned(said: &Value, calls: &[ToolCall]) -> Value {
    let mut calls = calls.iter();
    let mut blocks = Vec::new();
    for block in said.as_array().into_iter().flatten() {
        let mut block = block.clone();
        if block["type"] == "tool_use" {
            let Some(call) = calls.next() else { continue };
            block["id"] = json!(call.id);
            // The interface takes objects only, whatever it gave.
            if !block["input"].is_object() {
                block["input"] = json!({});
            }
        }
        if block["type"] != "text" || !text_at(&block, "/text").trim().is_empty() {
            blocks.push(block);
        }
    }
    if blocks.is_empty() {
        blocks.push(json!({ "type": "text", "text": "(nothing)" }));
    }
    Value::Array(blocks)
}
