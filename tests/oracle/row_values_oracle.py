# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of data rows: numbers of any length and form, NaN and Infinity, and the same rows as JSON lines and
as Parquet, against Python's json, jinja2 as transformers sets it up, and pyarrow."""

import decimal
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import jinja2  # noqa: F401  (what transformers renders with)
    import pyarrow as pa
    import pyarrow.parquet as pq
    from transformers.utils.chat_template_utils import render_jinja_template
except ImportError:
    print("skipped: transformers or pyarrow is not here, run packaging/setup")
    sys.exit(77)

CLI = sys.argv[1]
DRAWN = random.Random(3)
TEMPLATE = ("{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}[{{ m.role }}|{{ m.content or '' }}"
            "{% if 'tool_calls' in m %}{% for c in m.tool_calls %}{{ c.function.name }} {{ c.function.arguments | tojson }}"
            "{% for k, v in c.function.arguments.items() %} {{ k }}={{ v }}{% if v is number %}#{% endif %}{% endfor %}"
            "{% endfor %}{% endif %}]{% endfor %}")


def number() -> str:
    """The text of a number in one of the forms that JSON allows."""
    kind = DRAWN.randrange(6)
    digits = "".join(DRAWN.choice("0123456789") for _ in range(DRAWN.choice([1, 5, 17, 19, 20, 25, 60, 330]))).lstrip("0") or "0"
    sign = DRAWN.choice(["", "-"])
    if kind < 2:
        return sign + digits
    if kind == 2:
        return f"{sign}{digits[:20]}.{DRAWN.randrange(10**9)}"
    if kind == 3:
        return f"{sign}{digits[0]}.{DRAWN.randrange(10**16)}{DRAWN.choice('eE')}{DRAWN.choice(['', '+', '-'])}{DRAWN.randrange(330)}"
    if kind == 4:
        return sign + DRAWN.choice(["0", "0.0", "1e0", "1E5", "12.50", "4.35", "1e16", "1e15", "1e22", "1e23", "5e-324",
                                    "18446744073709551615", "18446744073709551616", "9223372036854775807",
                                    "9223372036854775808", "9223372036854775809"])
    return DRAWN.choice([repr(DRAWN.uniform(-1, 1)), repr(DRAWN.gauss(0, 1e18)), str(2 ** DRAWN.randrange(200))])


def rendered(folder: pathlib.Path, data: pathlib.Path) -> list:
    done = subprocess.run([CLI, "render", folder, "--data", data, "--all", "--template", folder / "t.jinja"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, (data, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def reference(messages: list, tools=None) -> str:
    texts, _ = render_jinja_template([messages], chat_template=TEMPLATE, tools=tools)
    return texts[0]


def check_numbers(folder: pathlib.Path) -> None:
    lines, expected = [], []
    for _ in range(1500):
        answer, inner = number(), [number() for _ in range(3)]
        arguments = f'{{"a": {inner[0]}, "b": [{inner[1]}], "c": {{"d": {inner[2]}}}}}'
        call = ('[{"role": "user", "content": "q"}, {"role": "assistant", "content": null, "tool_calls": '
                f'[{{"type": "function", "function": {{"name": "f", "arguments": {arguments}}}}}]}}]')
        lines += [f'{{"question": "q", "answer": {answer}, "score": NaN}}', f'{{"messages": {call}, "x": -Infinity}}']
        value = json.loads(answer)
        finite = isinstance(value, int) or math.isfinite(value)
        expected.append(reference([{"role": "user", "content": "q"}, {"role": "assistant", "content": str(value)}])
                        if finite else None)
        infinite = any(isinstance(v, float) and not math.isfinite(v) for v in map(json.loads, inner))
        expected.append(None if infinite else reference(json.loads(call)))
    data = folder / "numbers.jsonl"
    data.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    counted = dropped = 0
    for line, ours, theirs in zip(lines, rendered(folder, data), expected, strict=True):
        if theirs is None:
            dropped += bool(ours.get("dropped"))
            assert ours.get("dropped") or "null" in ours["text"], line
            continue
        assert ours["text"] == theirs, (line, ours, theirs)
        counted += 1
    print(f"{counted} rows of numbers are Python's to the character, {dropped} are dropped for an infinite one")


def tool(i: int) -> dict:
    names = DRAWN.sample(["item", "day", "shop", "count", "colour"], DRAWN.randint(0, 3))
    properties = {n: {"type": "string", **({"enum": ["a", n]} if DRAWN.random() < 0.3 else {})} for n in names}
    function = {"name": f"f{i % 4}", "parameters": {"type": "object", "properties": properties}}
    if DRAWN.random() < 0.5:
        function["parameters"]["required"] = names
    if DRAWN.random() < 0.5:
        function["description"] = "what it does"
    return {"type": "function", "function": function}


def conversation(i: int) -> dict:
    own = tool(i)
    names = list(own["function"]["parameters"]["properties"])
    arguments = {n: DRAWN.choice(["x", "lamp"]) for n in names}
    if DRAWN.random() < 0.3:
        arguments["deep"] = DRAWN.choice([{"a": "1"}, {"b": ["2", "3"]}, {"a": "4", "c": {"d": "5"}}])
    answer = {"role": "assistant", "content": "", "tool_calls": [
        {"type": "function", "function": {"name": own["function"]["name"], "arguments": arguments}}]}
    if DRAWN.random() < 0.3:
        answer["tool_calls"][0]["id"] = f"c{i}"
    messages = [{"role": "user", "content": "q"}, answer, {"role": "tool", "content": "12"},
                {"role": "assistant", "content": "12"}]
    row = {"messages": messages if DRAWN.random() < 0.8 else [messages[0], messages[3]]}
    if DRAWN.random() < 0.8:
        row["tools"] = [own]
    return row


def without_order(text: str) -> str:
    """Arrow keeps one order of keys for all rows, so texts are compared by their characters."""
    return "".join(sorted(text))


def check_padding(folder: pathlib.Path) -> None:
    rows = [conversation(i) for i in range(300)]
    (folder / "padded.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows), folder / "padded.parquet")
    lines, columns = rendered(folder, folder / "padded.jsonl"), rendered(folder, folder / "padded.parquet")
    for row, line, column in zip(rows, lines, columns, strict=True):
        assert line["text"] == reference(row["messages"], row.get("tools")), (row, line)
        assert without_order(line["text"]) == without_order(column["text"]), (row, line, column)
    print(f"{len(rows)} conversations with tools are the same as JSON lines and as Parquet")


def check_columns(folder: pathlib.Path) -> None:
    D = decimal.Decimal
    columns = {
        "decimal": (pa.array([D("12.50"), D("-0.07"), D("99999999999999999999.99")], pa.decimal128(30, 2)), str),
        "whole": (pa.array([2**64, -(2**70), 51090942171709440000], pa.decimal128(38, 0)), str),
        "wide": (pa.array([D(10) ** 60, D("-1.5"), D("0E-10")], pa.decimal256(76, 10)), str),
        "small": (pa.array([D("1E-7"), D("1.0E-6"), D("3E-15")], pa.decimal128(20, 15)), str),
        "unsigned": (pa.array([2**64 - 1, 2**63, 0], pa.uint64()), str),
        "signed": (pa.array([-(2**63), 2**53 + 1, -1], pa.int64()), str),
        "double": (pa.array([1e20, 0.1, -0.0], pa.float64()), str),
        "single": (pa.array([0.1, 1e10, 3.0], pa.float32()), str),
        "half": (pa.array([0.5, 65504.0, 1 / 3], pa.float16()), lambda v: str(float(v))),
    }
    for name, (answers, text) in columns.items():
        table = pa.table({"question": ["q"] * 3, "answer": answers})
        pq.write_table(table, folder / "column.parquet")
        expected = [f"[user|q][assistant|{text(v)}]" for v in answers.to_pylist()]
        assert [row["text"] for row in rendered(folder, folder / "column.parquet")] == expected, (name, expected)
    print(f"{len(columns)} types of Parquet's numbers are written as Python writes them")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "t.jinja").write_text(TEMPLATE, encoding="utf-8")
        check_numbers(folder)
        check_padding(folder)
        check_columns(folder)


main()
