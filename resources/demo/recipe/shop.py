# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain `new`, for post-training: shop scenes with two or three timed events.

Its content words never occur in the pre-training texts. The equations are those of `math`, the
wording and the form of the answer are not.
"""

from draws import Draws

PLACES = "bakery library market garden harbour museum station theatre".split()
GOODS = "loaves tickets parcels roses maps lamps chairs bottles".split()
TIMES = ("At dawn", "At noon", "At dusk", "On Monday", "On Friday", "After lunch")


def _event(d: Draws, stock: int):
    """(what the question says, equation, new stock); the stock stays within 1..99."""
    kinds = []
    if stock <= 80:
        kinds.append("arrive")
    if stock >= 20:
        kinds.append("sold")
    if stock <= 45:
        kinds.append("doubles")
    kind = d.pick(kinds)
    if kind == "doubles":
        return "the number doubles", f"{stock} + {stock} = {2 * stock}", 2 * stock
    n = d.between(2, 19)
    if kind == "arrive":
        return f"{n} arrive", f"{stock} + {n} = {stock + n}", stock + n
    return f"{n} are sold", f"{stock} - {n} = {stock - n}", stock - n


def question(d: Draws):
    """(question, answer)"""
    place, goods = d.pick(PLACES), d.pick(GOODS)
    stock = d.between(20, 60)
    told, lines = [f"The {place} starts with {stock} {goods}."], []
    for time in d.some(TIMES, 2 if d.chance(35) else 3):
        says, equation, stock = _event(d, stock)
        told.append(f"{time} {says}.")
        lines.append(f"{time}: {equation}")
    told.append(f"Find the number of {goods} at the end.")
    return " ".join(told), "\n".join([*lines, f"#### {stock}"])
