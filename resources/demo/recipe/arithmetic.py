# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain `math`: ten kinds of small word problems with one or two operations.

Every number is 1..99, the second operand of + and - is 2..19, the factors of * are 2..9.
An answer has one equation per line and ends in `#### result`.
"""

from draws import Draws

NAMES = (
    "Ada Ben Cleo Dan Eva Finn Gus Hana Ivo Jana Kai Lena Milo Nora Otto Pia Rosa Sam Tara Udo"
).split()
ITEMS = (
    "apples pears coins stamps books pens shells stones "
    "cards beads plums nuts eggs cups rings kites"
).split()


def equations(first: int, *steps) -> str:
    """The worked answer: each (operator, operand) acts on the result of the line before."""
    lines, value = [], first
    for operator, operand in steps:
        result = {"+": value + operand, "-": value - operand, "*": value * operand}[operator]
        lines.append(f"{value} {operator} {operand} = {result}")
        value = result
    return "\n".join([*lines, f"#### {value}"])


def _gain(d: Draws, n, m, it):
    b = d.between(2, 19)
    a = d.between(5, 99 - b)
    return (f"{n} has {a} {it}. {n} buys {b} more. How many {it} does {n} have now?",
            equations(a, ("+", b)))


def _gift(d: Draws, n, m, it):
    b = d.between(2, 19)
    a = d.between(b + 1, 99)
    return (f"{n} has {a} {it} and gives {b} to {m}. How many {it} are left?",
            equations(a, ("-", b)))


def _boxes(d: Draws, n, m, it):
    c, e = d.between(2, 9), d.between(2, 9)
    return (f"There are {c} boxes with {e} {it} in each box. How many {it} are there?",
            equations(c, ("*", e)))


def _both(d: Draws, n, m, it):
    a, b = d.between(5, 19), d.between(2, 19)
    return (f"{n} has {a} {it}. {m} has {b} more than {n}. "
            f"How many {it} do they have together?", equations(a, ("+", b), ("+", a)))


def _bought_and_lost(d: Draws, n, m, it):
    b = d.between(2, 19)
    a = d.between(5, 99 - b)
    c = d.between(2, min(19, a + b - 1))
    return (f"{n} had {a} {it}, bought {b} and lost {c}. How many {it} does {n} have?",
            equations(a, ("+", b), ("-", c)))


def _boxes_taken(d: Draws, n, m, it):
    c, e = d.between(2, 9), d.between(2, 9)
    t = d.between(2, min(19, c * e - 1))
    return (f"There are {c} boxes with {e} {it} in each box. {n} takes {t} {it}. "
            f"How many {it} remain?", equations(c, ("*", e), ("-", t)))


def _bags_and_found(d: Draws, n, m, it):
    c, e = d.between(2, 9), d.between(2, 9)
    f = d.between(2, min(19, 99 - c * e))
    return (f"{n} fills {c} bags with {e} {it} each and finds {f} more. "
            f"How many {it} does {n} have?", equations(c, ("*", e), ("+", f)))


def _fewer(d: Draws, n, m, it):
    b = d.between(2, 19)
    a = d.between(b + 1, 99)
    return (f"{n} has {a} {it}. {m} has {b} fewer than {n}. How many {it} does {m} have?",
            equations(a, ("-", b)))


def _lost_and_bought(d: Draws, n, m, it):
    b, c = d.between(2, 19), d.between(2, 19)
    a = d.between(b + 1, min(99, 99 - c + b))
    return (f"{n} had {a} {it}, lost {b} and then bought {c}. How many {it} does {n} have now?",
            equations(a, ("-", b), ("+", c)))


def _picked(d: Draws, n, m, it):
    b = d.between(2, 19)
    a = d.between(5, 99 - b)
    return (f"{n} picks {a} {it} and {m} picks {b} {it}. How many {it} did they pick together?",
            equations(a, ("+", b)))


KINDS = (_gain, _gift, _boxes, _both, _bought_and_lost, _boxes_taken, _bags_and_found, _fewer,
         _lost_and_bought, _picked)


def question(d: Draws):
    """(question, answer)"""
    name, other = d.some(NAMES, 2)
    item = d.pick(ITEMS)
    return d.pick(KINDS)(d, name, other, item)
