# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's generated texts: every answer is computed again from its question by other code, the
committed files are what the recipe makes, and no evaluation question is trained on."""

import json
import pathlib
import re
import sys
import tempfile
import tomllib
import unittest

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
sys.dont_write_bytecode = True
sys.path.insert(0, str(DEMO / "recipe"))

import draws  # noqa: E402
import sets  # noqa: E402
import texts  # noqa: E402
import vocabulary  # noqa: E402
import world  # noqa: E402


def rows_of(name):
    with open(DEMO / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def result_of(answer):
    return answer.rsplit("####", 1)[1].strip()


def solve_math(question):
    """The result by reading the story: the words of the sentence say what happens."""
    x = [int(n) for n in re.findall(r"\d+", question)]
    rules = ((" more than ", lambda a, b: a + a + b), (" fewer than ", lambda a, b: a - b),
             (" buys ", lambda a, b: a + b), (" gives ", lambda a, b: a - b),
             (", bought ", lambda a, b, c: a + b - c), (", lost ", lambda a, b, c: a - b + c),
             (" takes ", lambda a, b, c: a * b - c), (" finds ", lambda a, b, c: a * b + c),
             (" boxes ", lambda a, b: a * b), (" picks ", lambda a, b: a + b))
    for words, rule in rules:
        if words in question:
            return rule(*x)
    raise AssertionError(f"no rule for {question!r}")


def run_pebble(program):
    """(state after each operation as text, result) by an interpreter of its own."""
    registers, lists, trace, result = {}, {}, [], None
    for statement in program.split("\n"):
        word, target, *rest = statement.rstrip(";").split(" ", 2)
        other = rest[0] if rest else None
        if word == "set":
            registers[target] = int(other)
        elif word == "list":
            lists[target] = other.strip("[]").split()
        elif word in ("show", "len", "max"):
            cells = lists.get(target)
            result = {"show": " ".join(cells) if cells else str(registers.get(target)),
                      "len": str(len(cells or [])), "max": max(cells or ["?"])}[word]
        elif target in lists:
            cells = list(lists[target])
            lists[target] = {"push": cells + [other], "head": [other] + cells, "pop": cells[:-1],
                             "rev": list(reversed(cells)), "rot": cells[1:] + cells[:1]}[word]
            trace.append(f"{target}:[{' '.join(lists[target])}]")
        else:
            a, b = registers[target], registers.get(other, 0)
            if word == "swap":
                registers[target], registers[other] = b, a
                trace.append(f"{target}:{b} {other}:{a}")
                continue
            registers[target] = {"add": (a + b) % 10, "sub": (a - b) % 10, "mov": b,
                                 "inc": (a + 1) % 10, "dec": (a - 1) % 10}[word]
            trace.append(f"{target}:{registers[target]}")
    return trace, result


def solve_new(question):
    """(answer lines without the result, result)"""
    start, *events, last = question.rstrip(".").split(". ")
    stock, lines = int(re.search(r"\d+", start).group()), []
    for event in events:
        time = " ".join(event.split()[:2])
        number = re.search(r"\d+", event)
        if "doubles" in event:
            change = ("+", stock)
        else:
            change = ("-" if "sold" in event else "+", int(number.group()))
        after = stock + change[1] if change[0] == "+" else stock - change[1]
        lines.append(f"{time}: {stock} {change[0]} {change[1]} = {after}")
        stock = after
    assert last.startswith("Find the number of ")
    return lines, str(stock)


def documents(domain, count=2000):
    return [sets.QUESTION[domain](draws.Draws.of(f"test-{domain}", i)) for i in range(count)]


class Draws(unittest.TestCase):
    def test_the_generator_is_splitmix64(self):
        d = draws.Draws(1234567)  # published reference values of SplitMix64 for this seed
        self.assertEqual([d.next() for _ in range(5)], [
            6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
            16408922859458223821])

    def test_reduction_draws_the_incomplete_last_block_again(self):
        class Fixed(draws.Draws):
            values = [(1 << 64) - 1, (1 << 64) - 2, 7]

            def next(self):
                return self.values.pop(0)
        # 2^64 = 3 k + 1, so the largest value belongs to no full block; the one below it does.
        self.assertEqual(Fixed(0).below(3), ((1 << 64) - 2) % 3)

    def test_a_document_depends_on_its_stream_and_index_only(self):
        a = [draws.Draws.of("a", i).next() for i in range(50)]
        self.assertEqual(a[::-1], [draws.Draws.of("a", i).next() for i in reversed(range(50))])
        self.assertEqual(len(set(a + [draws.Draws.of("b", i).next() for i in range(50)])), 100)


class Answers(unittest.TestCase):
    def test_math_results_follow_from_the_story(self):
        for question, answer in documents("math"):
            self.assertEqual(result_of(answer), str(solve_math(question)), question)

    def test_math_equations_hold_and_stay_within_their_ranges(self):
        for _, answer in documents("math"):
            *lines, last = answer.split("\n")
            self.assertIn(len(lines), (1, 2))
            carried = None
            for line in lines:
                a, operator, b, equals, c = line.split()
                a, b, c = int(a), int(b), int(c)
                self.assertEqual(c, {"+": a + b, "-": a - b, "*": a * b}[operator])
                self.assertTrue(1 <= a <= 99 and 1 <= c <= 99 and equals == "=")
                low, high = (2, 9) if operator == "*" else (2, 19)
                self.assertTrue(low <= b <= high, line)
                self.assertIn(carried, (None, a))
                carried = c
            self.assertEqual(last, f"#### {carried}")

    def test_pebble_traces_are_what_an_interpreter_says(self):
        for program, answer in documents("code"):
            trace, result = run_pebble(program)
            self.assertEqual(answer, "\n".join([*trace, f"#### {result}"]), program)

    def test_pebble_lists_hold_one_to_five_digits_and_registers_one(self):
        for _, answer in documents("code"):
            for cells in re.findall(r"\[(.*?)\]", answer):
                self.assertRegex(cells, r"^\d( \d){0,4}$")
            for value in re.findall(r"[a-f]:(\d+)", answer):
                self.assertEqual(len(value), 1)

    def test_shop_scenes_add_up(self):
        for question, answer in documents("new"):
            lines, result = solve_new(question)
            self.assertIn(len(lines), (2, 3))
            self.assertEqual(answer, "\n".join([*lines, f"#### {result}"]), question)
            self.assertTrue(all(1 <= int(n) <= 99 for n in re.findall(r"\d+", answer)))

    def test_the_worked_examples_of_the_specification_hold(self):
        self.assertEqual(solve_math("Jana had 41 rings, bought 4 and lost 17. How many?"), 28)
        program = "set a 8;\nset f 7;\nset e 0;\nadd a f;\ndec f;\nswap f a;\nshow e;"
        self.assertEqual(run_pebble(program), (["a:5", "f:6", "f:5 a:6"], "0"))
        self.assertEqual(solve_new("The theatre starts with 50 roses. At noon 8 arrive. "
                                   "After lunch 9 are sold. Find the number of roses at the end."),
                         (["At noon: 50 + 8 = 58", "After lunch: 58 - 9 = 49"], "49"))


class World(unittest.TestCase):
    def test_it_has_160_towns_and_960_facts_from_pools_of_the_stated_sizes(self):
        self.assertEqual(len({w["town"] for w in world.WORLD}), 160)
        sizes = {"river": 20, "ruler": 24, "guild": 16, "craft": 12, "beast": 12, "tree": 10}
        for attribute, size in sizes.items():
            self.assertLessEqual(len({w[attribute] for w in world.WORLD}), size)
        invented = {w[a] for w in world.WORLD for a in ("town", "river", "ruler", "guild")}
        self.assertTrue(all(4 <= len(word) <= 9 for word in invented))

    def read(self, forms, sentence):
        """All (attribute, named groups) that the sentence can mean, by whole-sentence matching."""
        found = []
        for attribute, templates in forms.items():
            for template in templates:
                pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\w+)", re.escape(template))
                if m := re.fullmatch(pattern, sentence):
                    found.append((attribute, m.groupdict()))
        return found

    def test_questions_and_prose_never_contradict_each_other(self):
        known = {}
        for question, answer in documents("facts", 12000):
            ((attribute, groups),) = self.read(world.QUESTIONS, question)
            value = result_of(answer)
            self.assertEqual(known.setdefault((groups["town"], attribute), value), value)
        self.assertEqual(len(known), 960)
        for i in range(500):
            text = world.prose(draws.Draws.of("test-prose", i))
            meanings = [self.read(world.SENTENCES, s + ".") for s in text[:-1].split(". ")]
            self.assertIn(len(meanings), (4, 5, 6))
            town = meanings[0][0][1]["town"]
            for ((attribute, groups),) in meanings:
                self.assertEqual(groups.get("town", town), town)
                self.assertEqual(groups[attribute], known[town, attribute], text)


class Sets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = sets.committed()

    def test_the_committed_files_are_what_the_recipe_makes(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, rows in self.files.items():
                path = pathlib.Path(folder) / name
                texts.write_rows(path, rows)
                self.assertEqual(path.read_bytes(), (DEMO / name).read_bytes(), name)

    def test_the_sets_have_their_sizes(self):
        sizes = {"train": 960, "held-out": 100, "eval/new": 300, "eval/math": 200, "eval/code": 300,
                 "eval/facts": 400}
        for name, size in sizes.items():
            rows = rows_of(f"{name}.jsonl")
            self.assertEqual(len({r["question"] for r in rows}), size, name)
            self.assertEqual(len(rows), size, name)

    def test_training_evaluation_probe_and_held_out_questions_of_new_are_disjoint(self):
        names = ("train", "held-out", "eval/new", "probe/new")
        groups = [{r["question"] for r in rows_of(f"{n}.jsonl")} for n in names]
        self.assertEqual(len(set().union(*groups)), sum(len(g) for g in groups))

    def test_pre_training_never_draws_an_evaluation_question(self):
        asked = {r["question"] for d in sets.EVALUATION for r in rows_of(f"eval/{d}.jsonl")}
        seen = sets.excluded(self.files)
        rows = [sets.pre_training_row("pre0", i, seen) for i in range(30000)]
        self.assertFalse(asked & {r.get("question") for r in rows})
        unguarded = {sets.pre_training_row("pre0", i, set()).get("question") for i in range(30000)}
        self.assertTrue(asked & unguarded, "without the exclusion some would have been drawn")

    def test_the_mixture_is_thirty_thirty_forty_with_two_fifths_prose(self):
        rows = [sets.pre_training_row("pre0", i, set()) for i in range(10000)]
        prose = sum("text" in r for r in rows)
        code = sum(r.get("question", "").endswith(";") for r in rows)
        facts = sum(bool(re.match("#### [A-Za-z]", r.get("answer", ""))) for r in rows)
        for count, share in ((code, 0.30), (prose, 0.16), (facts, 0.24)):
            self.assertAlmostEqual(count / 10000, share, delta=0.02)

    def test_content_words_of_the_new_style_never_occur_in_pre_training(self):
        rows = [sets.pre_training_row("pre0", i, set()) for i in range(10000)]
        old = set(re.findall(r"[a-z]+", re.sub(r"<.*?>", "", json.dumps(rows)).lower()))
        new = set(re.findall(r"[a-z]+", " ".join(q + a for q, a in documents("new")).lower()))
        function_words = set("the with at on are of a find".split())
        self.assertEqual((new & old) - function_words, set())


class Tokenizer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from transformers import AutoTokenizer
        cls.tokenizer = AutoTokenizer.from_pretrained(DEMO / "model")

    def test_the_recipe_makes_the_committed_tokenizer(self):
        with tempfile.TemporaryDirectory() as folder:
            vocabulary.write(vocabulary.train(sets.tokenizer_texts()), pathlib.Path(folder))
            for name in ("tokenizer.json", "tokenizer_config.json"):
                made = (pathlib.Path(folder) / name).read_text()
                self.assertEqual(json.loads(made), json.loads((DEMO / "model" / name).read_text()))

    def test_specials_roles_and_digits_are_one_token_each(self):
        t = self.tokenizer
        specials = "<|pad|> <|bos|> <|im_end|> <|im_user|> <|im_assistant|> <|im_middle|>".split()
        self.assertEqual(t.convert_tokens_to_ids(specials), list(range(6)))
        self.assertEqual((len(t), t.pad_token_id, t.bos_token_id, t.eos_token_id), (1024, 0, 1, 2))
        self.assertEqual([len(t.tokenize(w)) for w in ("user", "assistant")], [1, 1])
        self.assertEqual(t.tokenize("1234"), list("1234"))

    def test_the_template_renders_the_documented_text(self):
        turns = [{"role": "user", "content": "Q?"}, {"role": "assistant", "content": "#### x"}]
        prompt = ("<|bos|><|im_user|>user<|im_middle|>Q?<|im_end|>"
                  "<|im_assistant|>assistant<|im_middle|>")
        render = self.tokenizer.apply_chat_template
        self.assertEqual(render(turns, tokenize=False), prompt + "#### x<|im_end|>")
        self.assertEqual(render(turns[:1], tokenize=False, add_generation_prompt=True), prompt)
        self.assertNotIn("generation %", self.tokenizer.chat_template)
        own = vocabulary.sample_text(sets.row("Q?", "#### x"))
        self.assertEqual(own, (prompt, "#### x<|im_end|>"))

    def test_every_probe_set_has_five_thousand_tokens_and_no_row_exceeds_the_limits(self):
        for domain in sets.EVALUATION:
            total = 0
            for row in rows_of(f"probe/{domain}.jsonl"):
                ids = self.tokenizer("".join(vocabulary.sample_text(row))).input_ids
                self.assertLessEqual(len(ids), 256)
                total += len(ids)
            self.assertGreaterEqual(total, 5000, domain)
        longest = max(len(self.tokenizer(r["answer"] + "<|im_end|>").input_ids)
                      for d in sets.EVALUATION for r in rows_of(f"eval/{d}.jsonl"))
        limit = tomllib.loads((DEMO / "run.toml").read_text())["evaluate"]["max_new_tokens"]
        self.assertLessEqual(longest, limit)


class Configurations(unittest.TestCase):
    def test_every_file_that_a_run_names_exists(self):
        for name in ("run", "sft", "lbl"):
            run = tomllib.loads((DEMO / f"{name}.toml").read_text())
            files = run["data"]["train"] + run["data"]["held_out"]
            files += [f for s in run["probe"]["sets"] for f in s["files"]]
            files += [t["file"] for t in run["evaluate"]["tasks"]]
            self.assertTrue(all((DEMO / f).is_file() for f in files), name)

    def test_pre_training_is_one_pass_over_its_rows(self):
        run = tomllib.loads((DEMO / "recipe" / "pretrain.toml").read_text())
        self.assertEqual(run["optimizer"]["steps"] * run["batch"]["global"], sets.PRE_TRAINING)


if __name__ == "__main__":
    unittest.main()
