# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain `code`: programs of the toy language Pebble; the answer traces each operation.

Registers a..f hold a digit and count modulo 10. Lists p..s hold 1 to 5 digits: `push` and `pop`
work at the end, `head` puts a digit in front, `rot` moves the first digit to the end, `rev` turns
the list round.
"""

from draws import Draws

REGISTERS = "abcdef"
LISTS = "pqrs"
LONGEST_LIST = 5


def _digits(values) -> str:
    return " ".join(str(v) for v in values)


def _register_step(d: Draws, names, values):
    """One operation on two different registers: (statement, trace line)."""
    word = d.pick(("add", "sub", "mov", "inc", "dec", "swap"))
    g, h = d.some(names, 2)
    if word == "swap":
        values[g], values[h] = values[h], values[g]
        return f"swap {g} {h};", f"{g}:{values[g]} {h}:{values[h]}"
    if word in ("inc", "dec"):
        values[g] = (values[g] + (1 if word == "inc" else 9)) % 10
        return f"{word} {g};", f"{g}:{values[g]}"
    result = {"add": values[g] + values[h], "sub": values[g] - values[h], "mov": values[h]}[word]
    values[g] = result % 10
    return f"{word} {g} {h};", f"{g}:{values[g]}"


def _register_program(d: Draws):
    names = d.some(REGISTERS, d.pick((2, 2, 3)))
    values = {g: d.below(10) for g in names}
    program = [f"set {g} {values[g]};" for g in names]
    trace = []
    for _ in range(d.pick((1, 2, 2, 3))):
        statement, line = _register_step(d, names, values)
        program.append(statement)
        trace.append(line)
    shown = d.pick(names)
    return [*program, f"show {shown};"], trace, str(values[shown])


def _list_step(d: Draws, g, values):
    """One operation on the list, which keeps 1 to 5 digits: (statement, new values)."""
    words = ["rev", "rot"]
    if len(values) > 1:
        words.append("pop")
    if len(values) < LONGEST_LIST:
        words += ["push", "head"]
    word = d.pick(words)
    if word == "rev":
        return f"rev {g};", values[::-1]
    if word == "rot":
        return f"rot {g};", values[1:] + values[:1]
    if word == "pop":
        return f"pop {g};", values[:-1]
    digit = d.below(10)
    return f"{word} {g} {digit};", values + [digit] if word == "push" else [digit] + values


def _list_program(d: Draws):
    g = d.pick(LISTS)
    values = [d.below(10) for _ in range(d.pick((2, 3, 3, 4)))]
    program, trace = [f"list {g} [{_digits(values)}];"], []
    for _ in range(d.pick((1, 2, 2, 3))):
        statement, values = _list_step(d, g, values)
        program.append(statement)
        trace.append(f"{g}:[{_digits(values)}]")
    word = d.pick(("show", "show", "len", "max"))
    result = {"show": _digits(values), "len": str(len(values)), "max": str(max(values))}[word]
    return [*program, f"{word} {g};"], trace, result


def question(d: Draws):
    """(program, trace and result)"""
    kind = _register_program if d.chance(50) else _list_program
    program, trace, result = kind(d)
    return "\n".join(program), "\n".join([*trace, f"#### {result}"])
