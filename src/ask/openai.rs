//! OpenAI's Chat Completions, which nearly every server of models speaks.

use serde_json::{Map, Value, json};

use super::exchange::{
    AnswerEnd, Answered, ModelQuestion, ToolCall, ToolChoice, number_at, text_at,
};
use crate::door::json;
use crate::history::Tokens;

/// What the provider tells requests apart by that have the same beginning.
const CACHE_KEY: &str = "git-segedit-ask";

/// Returns the body of a request.
pub(super) fn body(question: &ModelQuestion<'_>) -> Value {
    let dials = question.dials;
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(question.model));
    let length = if dials.newer_length {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    body.insert(length.to_owned(), json!(question.most_tokens));
    if dials.temperature {
        body.insert("temperature".to_owned(), question.temperature.value());
    }
    if dials.cache {
        body.insert("prompt_cache_key".to_owned(), json!(CACHE_KEY));
    }
    if let Some(tools) = question.tools {
        body.insert("tools".to_owned(), tools.clone());
        let choice = match dials.choice {
            ToolChoice::Forced => Some("required"),
            ToolChoice::Free => Some("auto"),
            ToolChoice::Unsaid => None,
        };
        if let Some(choice) = choice {
            body.insert("tool_choice".to_owned(), json!(choice));
        }
    }
    // One text, because servers with templates of their own know no list of parts.
    let opening = format!("{}\n\n{}", question.documents, question.request);
    let mut messages = vec![
        json!({ "role": "system", "content": question.system }),
        json!({ "role": "user", "content": opening }),
    ];
    for turn in question.turns {
        messages.push(turn.said.clone());
        for result in &turn.results {
            messages
                .push(json!({ "role": "tool", "tool_call_id": result.id, "content": result.text }));
        }
        messages.extend(
            turn.note
                .iter()
                .map(|note| json!({ "role": "user", "content": note })),
        );
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    Value::Object(body)
}

/// Reads an answer.
pub(super) fn answer(body: &Value) -> Result<Answered, String> {
    let choice = body.pointer("/choices/0").ok_or("it has no `choices`")?;
    let message = choice
        .get("message")
        .filter(|message| message.is_object())
        .ok_or("it has no `message`")?;
    let listed = message.get("tool_calls").and_then(Value::as_array);
    let call = |call: &Value| ToolCall {
        id: text_at(call, "/id"),
        name: text_at(call, "/function/name"),
        arguments: arguments(call.pointer("/function/arguments")),
    };
    let refusal = text_at(message, "/refusal");
    let text = text_at(message, "/content");
    let end = match choice.get("finish_reason").and_then(Value::as_str) {
        _ if !refusal.is_empty() => AnswerEnd::Refused(refusal),
        Some("content_filter") => {
            AnswerEnd::Refused("the provider's filter ended the answer".to_owned())
        }
        Some("length") => AnswerEnd::Cut,
        _ => AnswerEnd::Done,
    };
    Ok(Answered {
        model: text_at(body, "/model"),
        calls: listed.into_iter().flatten().map(call).collect(),
        end,
        tokens: Tokens {
            input: number_at(body, "/usage/prompt_tokens"),
            output: number_at(body, "/usage/completion_tokens"),
            cache_read: number_at(body, "/usage/prompt_tokens_details/cached_tokens"),
            cache_written: number_at(body, "/usage/prompt_tokens_details/cache_write_tokens"),
        },
        text,
        said: message.clone(),
    })
}

/// Reads arguments, which come as text that is JSON; some servers send the object itself.
fn arguments(sent: Option<&Value>) -> Result<Value, String> {
    match sent {
        None | Some(Value::Null) => Ok(Value::Null),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Value::Null),
        Some(Value::String(text)) => {
            json::read(text.as_bytes()).map_err(|why| why.of("the arguments"))
        }
        Some(other) => Ok(other.clone()),
    }
}

/// Returns the answer as it is sent back: what the interface knows, and no more.
pub(super) fn returned(said: &Value, calls: &[ToolCall]) -> Value {
    let call = |call: &ToolCall| {
        let arguments = match &call.arguments {
            Ok(Value::String(text)) => text.clone(),
            Ok(value @ Value::Object(_)) => value.to_string(),
            // A server that reads them again would refuse what it wrote itself.
            Ok(_) | Err(_) => "{}".to_owned(),
        };
        json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
    };
    let text = text_at(said, "/content");
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    match (text.is_empty(), calls.is_empty()) {
        (false, _) => drop(message.insert("content".to_owned(), json!(text))),
        (true, true) => drop(message.insert("content".to_owned(), json!("(nothing)"))),
        (true, false) => drop(message.insert("content".to_owned(), Value::Null)),
    }
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
    }
    Value::Object(message)
}
