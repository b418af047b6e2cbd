"""Holds what `git segedit ask` sent, and what it was answered, to the types of the providers' own libraries.

    python3 tests/tools/ask.py FILE

Each line of FILE is an object with `openai`, `request` and `answer`. Keys that the types do not have are refused, in
nested objects too, but for `temperature`: Anthropic's types dropped it when the first models refused it, older models
and servers that speak the same take it, and `ask` leaves it out once it is refused.
"""

import json
import sys
import typing

import pydantic
import typing_extensions

LEFT_BEHIND = {"temperature"}


def forbid_others(*modules):
    """Has every typed dictionary of these modules, and of those that they lead to, refuse keys that it does not name."""
    seen, waiting = set(), list(modules)
    while waiting:
        module = waiting.pop()
        if module in seen or not getattr(module, "__name__", "").startswith(("anthropic.", "openai.")):
            continue
        seen.add(module)
        for value in vars(module).values():
            if isinstance(value, type) and typing_extensions.is_typeddict(value):
                value.__pydantic_config__ = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)
                waiting.append(sys.modules.get(value.__module__))
            elif isinstance(value, type(sys)):
                waiting.append(value)


def main():
    import anthropic.types
    import anthropic.types.message_create_params as messages
    import openai.types.chat
    import openai.types.chat.completion_create_params as completions

    forbid_others(anthropic.types, messages, openai.types.chat, completions)
    requests = {
        False: pydantic.TypeAdapter(messages.MessageCreateParamsNonStreaming),
        True: pydantic.TypeAdapter(completions.CompletionCreateParamsNonStreaming),
    }
    answers = {False: anthropic.types.Message, True: openai.types.chat.ChatCompletion}
    # What nothing refuses proves nothing.
    expect_refusal(requests[True], {"model": "m", "messages": [], "tool_choice": "any"})
    expect_refusal(requests[False], {"model": "m", "messages": [], "max_tokens": 1, "tools": [{"name": "n"}]})
    expect_refusal(requests[False], {"model": "m", "messages": [], "max_tokens": 1, "stray": 1})

    wrong, count = [], 0
    for line in open(sys.argv[1]):
        one = json.loads(line)
        count += 1
        request = one["request"]
        if not one["openai"]:
            request = {key: value for key, value in request.items() if key not in LEFT_BEHIND}
        # Lists of the types are iterables, which are read once and late.
        for what, check in (
            ("request", lambda: drained(requests[one["openai"]].validate_python(request))),
            ("answer", lambda: one["answer"] and answers[one["openai"]].model_validate(one["answer"])),
        ):
            try:
                check()
            except pydantic.ValidationError as error:
                wrong.append(f"{one['case']}: {what}: {str(error)[:1000]}")
    print("\n".join(wrong[:10]))
    print(f"{count} requests, {len(wrong)} wrong")
    sys.exit(bool(wrong))


def expect_refusal(adapter, value):
    try:
        drained(adapter.validate_python(value))
    except pydantic.ValidationError:
        return
    sys.exit(f"{value} was not refused")


def drained(value):
    """Reads every iterable to its end, and returns nothing of it."""
    if isinstance(value, dict):
        for part in value.values():
            drained(part)
    elif isinstance(value, typing.Iterable) and not isinstance(value, (str, bytes)):
        for part in value:
            drained(part)


main()
