# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversations of every kind that chat templates tell apart."""

SYNTAX = "{{ x }} {% for m in messages %} {# c #} <|im_end|> </s> [INST] {{- 'a' -}} {%- endif %}"
UNICODE = "  caf\u00e9 e\u0301 \u4f60\u597d \U0001f600\u200d\U0001f525 \u0130\u0131\u00df \u039f\u03a3 \u03a3 \ufb01 \u2028x\u00a0\t\n\n"

TOOL = {"type": "function", "function": {
    "name": "get_weather", "description": "The weather <now> & \"here\"",
    "parameters": {"type": "object", "properties": {
        "city": {"type": "string", "description": "a city", "enum": ["Par\u00eds", "Rome"]},
        "days": {"type": "integer", "default": 1},
        "units": {"type": ["string", "null"]},
        "where": {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
        "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["city"]},
    "return": {"type": "string"}}}
BARE_TOOL = {"type": "function", "function": {"name": "now", "description": "", "parameters": {
    "type": "object", "properties": {}}}}


def say(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name="get_weather", arguments=None, identifier="call00001"):
    return {"id": identifier, "type": "function",
            "function": {"name": name, "arguments": {"city": "Rome", "days": 2} if arguments is None else arguments}}


def text(*parts):
    return [{"type": "text", "text": part} for part in parts]


USER, ANSWER = say("user", "What is 2 + 2?"), say("assistant", "It is 4.")
AGAIN, LAST = say("user", "And 3 + 3?"), say("assistant", "That is 6.")
SYSTEM = say("system", "You are terse.")
CALLS = say("assistant", "", tool_calls=[call()])
RESULT = say("tool", "sunny", tool_call_id="call00001", name="get_weather")

PLAIN = {
    "user": [USER],
    "two turns": [USER, ANSWER],
    "system": [SYSTEM, USER, ANSWER],
    "developer": [say("developer", "Be kind."), USER, ANSWER],
    "system and developer": [SYSTEM, say("developer", "Be kind."), USER],
    "four turns": [SYSTEM, USER, ANSWER, AGAIN, LAST],
    "many turns": [SYSTEM] + [USER, ANSWER, AGAIN, LAST] * 3 + [USER],
    "late system": [USER, ANSWER, SYSTEM, AGAIN, LAST],
    "two users": [USER, AGAIN, ANSWER],
    "two assistants": [USER, ANSWER, LAST],
    "assistant first": [ANSWER, USER, LAST],
    "system only": [SYSTEM],
    "nothing": [],
    "unknown role": [USER, say("critic", "Hm."), ANSWER],
    "empty answer": [USER, say("assistant", "")],
    "empty question": [say("system", ""), say("user", ""), ANSWER],
    "null answer": [USER, say("assistant", None), AGAIN, LAST],
    "no content": [USER, {"role": "assistant"}],
    "syntax": [say("system", SYNTAX), say("user", SYNTAX), say("assistant", SYNTAX)],
    "unicode": [say("user", UNICODE), say("assistant", UNICODE)],
    "white space": [say("user", "\n\n  a \n"), say("assistant", " \n b \t"), say("user", "\t"), say("assistant", "\r\nx\r\n")],
    "long": [say("user", "word " * 2000), say("assistant", "line\n" * 500)],
    "numbers": [say("user", 5), say("assistant", 2.5)],
    "parts": [say("system", text("S.")), say("user", text("One. ", "Two.")), say("assistant", text("Three."))],
    "image": [say("user", [{"type": "image"}, {"type": "text", "text": "What is it?"}]), ANSWER],
    "no parts": [say("user", []), ANSWER],
    "extra fields": [say("user", "Hi", name="Ann", weight=0.5), say("assistant", "Ho", train=True, prefix=False)],
    "document quotes": [say("user", "It's \"5 < 6\" & 'ok' \\n \\"), say("assistant", "`a`\\")],
}
THINKING = {
    "think tags": [USER, say("assistant", "<think>\nfour\n</think>\n\nIt is 4."), AGAIN, say("assistant", "<think>six</think>That is 6.")],
    "reasoning": [USER, say("assistant", "It is 4.", reasoning_content="two and two"), AGAIN,
                  say("assistant", "That is 6.", reasoning_content="\nthree\n")],
    "reasoning field": [USER, say("assistant", "It is 4.", reasoning="two", thinking="and two")],
    "half a tag": [USER, say("assistant", "four</think>It is 4."), AGAIN, say("assistant", "<think>six")],
    "empty thinking": [USER, say("assistant", "<think>\n\n</think>\n\nIt is 4.", reasoning_content="")],
    "no think": [say("user", "2 + 2? /no_think"), ANSWER, say("user", "3 + 3? /think")],
    "response in tags": [USER, say("assistant", "[THINK]a[/THINK]b <|channel|>final<|message|>c")],
}
TOOLS = {
    "tools offered": [USER],
    "tools and system": [SYSTEM, USER, ANSWER],
    "call": [SYSTEM, say("user", "Weather?"), CALLS],
    "call and result": [say("user", "Weather?"), CALLS, RESULT, say("assistant", "Sunny.")],
    "call with words": [say("user", "Weather?"), say("assistant", "Let me see.", tool_calls=[call()]), RESULT, LAST],
    "call with reasoning": [say("user", "Weather?"), say("assistant", None, reasoning_content="ask", tool_calls=[call()]), RESULT,
                            say("assistant", "Sunny.", reasoning_content="done")],
    "two calls": [say("user", "Weather?"), say("assistant", None, tool_calls=[call(), call("now", {}, "call00002")]), RESULT,
                  say("tool", "12:00", tool_call_id="call00002", name="now"), say("assistant", "Sunny at noon.")],
    "arguments as text": [say("user", "Weather?"), say("assistant", "", tool_calls=[call(arguments='{"city": "Par\u00eds"}')]), RESULT],
    "arguments of every kind": [say("user", "Go"), say("assistant", "", tool_calls=[call(arguments={
        "city": "<a & b>", "days": 1e20, "where": {"lat": -0.5, "deep": [1, [2, {}], None, True]}, "tags": ["x", "\u4f60"]})]), RESULT],
    "call without id": [say("user", "Weather?"), say("assistant", "", tool_calls=[{"function": {"name": "now", "arguments": {}}}]),
                        say("tool", "12:00")],
    "bare call": [say("user", "Weather?"), say("assistant", "", tool_calls=[{"name": "now", "arguments": {}}]), say("tool", "12:00")],
    "result as data": [say("user", "Weather?"), CALLS, say("tool", {"sun": 1, "rain": None}, tool_call_id="call00001"), LAST],
    "result in parts": [say("user", "Weather?"), CALLS, say("tool", text("sun", "ny"), tool_call_id="call00001"), LAST],
    "result by function": [say("user", "Weather?"), CALLS, say("function", "sunny", name="get_weather"), LAST],
    "result alone": [RESULT, LAST],
    "turn after tools": [say("user", "Weather?"), CALLS, RESULT, say("assistant", "Sunny."), AGAIN, LAST],
    "empty calls": [USER, say("assistant", "It is 4.", tool_calls=[]), AGAIN],
}


def conversations():
    """(name, messages, tools)"""
    for name, messages in {**PLAIN, **THINKING}.items():
        yield name, messages, None
    for name, messages in TOOLS.items():
        yield name, messages, [TOOL, BARE_TOOL]
    yield "call, no tools", TOOLS["call and result"], None
    yield "no tools in the list", PLAIN["two turns"], []


SETTINGS = [{}, {"enable_thinking": True}, {"enable_thinking": False}]
