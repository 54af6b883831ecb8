# SPDX-License-Identifier: GPL-3.0-or-later
"""Parquet files as pyarrow writes them, every codec, page version and type of column, against the same
rows as JSON lines. Damaged files are refused with a sentence and never crash."""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    print("skipped: pyarrow is not here, run packaging/setup")
    sys.exit(77)

CLI = sys.argv[1]
TEMPLATE = ("{% for m in messages %}[{{ m.role }}|{{ m.content }}]{% endfor %}"
            "{% if tools %}{{ tools | tojson }}{% endif %}")


def rows(count: int) -> list[dict]:
    drawn = random.Random(1)
    out = []
    for i in range(count):
        words = " ".join(drawn.choice(["héron", "日本", "a\r\nb", "\"q\"", "x" * 300]) for _ in range(drawn.randint(1, 40)))
        out.append({
            "id": i, "score": None if i % 3 else 0.5 * i, "source": ["web", "book"][i % 2], "flag": i % 2 == 0,
            "generations": None if i % 7 == 0 else [words, None, "b"][: i % 4],
            "messages": [{"content": words, "role": "user"},
                         {"content": None if i % 11 == 5 else f"answer {i}", "role": "assistant"}],
            "tools": json.dumps([{"name": f"f{i}"}]) if i % 5 == 0 else None,
        })
    return out


def rendered(folder: pathlib.Path, data: pathlib.Path) -> list:
    done = subprocess.run(
        [CLI, "render", folder, "--data", data, "--all", "--template", folder / "t.jinja"],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, (data, done.stderr)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for line in lines:  # the place of a dropped row names its file
        if line.get("dropped"):
            line["dropped"] = line["dropped"].split(": ", 1)[1]
    return lines


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "t.jinja").write_text(TEMPLATE, encoding="utf-8")
        data = rows(500)
        (folder / "rows.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in data), encoding="utf-8")
        expected = rendered(folder, folder / "rows.jsonl")
        assert len(expected) == 500

        plain = pa.Table.from_pylist(data)
        message = pa.struct([("role", pa.large_string()), ("content", pa.string())])
        other = plain.cast(pa.schema([
            ("id", pa.int16()), ("score", pa.float32()), ("source", pa.dictionary(pa.int8(), pa.string())),
            ("flag", pa.bool_()), ("generations", pa.large_list(pa.large_string())),
            ("messages", plain.schema.field("messages").type), ("tools", pa.large_string())]))
        other = other.set_column(5, "messages", pa.array([row["messages"] for row in data], pa.large_list(message)))
        checked = 0
        for codec in ["none", "snappy", "gzip", "brotli", "lz4", "zstd"]:
            for version in ["1.0", "2.0"]:
                for table, group in [(plain, 500), (other, 77)]:
                    path = folder / f"{codec}-{version}-{group}.parquet"
                    pq.write_table(table, path, compression=codec, data_page_version=version,
                                   row_group_size=group, data_page_size=4096, use_dictionary=group == 77)
                    assert rendered(folder, path) == expected, path
                    checked += 1
        print(f"{checked} files of 500 rows equal the same rows as JSON lines")

        good = (folder / "zstd-2.0-77.parquet").read_bytes()
        drawn, ends = random.Random(2), {0: 0, 3: 0}
        bad = folder / "bad.parquet"
        for n in range(60):
            damaged = bytearray(good)
            if n % 4 == 0:
                damaged = damaged[: drawn.randrange(len(good))]
            else:
                for _ in range(drawn.randint(1, 30)):
                    damaged[drawn.randrange(0 if n % 2 else len(good) * 49 // 50, len(good))] = drawn.randrange(256)
            bad.write_bytes(bytes(damaged))
            done = subprocess.run([CLI, "render", folder, "--data", bad, "--all", "--template", folder / "t.jinja"],
                                  capture_output=True, text=True, check=False)
            assert done.returncode in ends, (n, done.returncode, done.stderr)
            ends[done.returncode] += 1
        print(f"60 damaged files: {ends[3]} refused, {ends[0]} read")


main()
