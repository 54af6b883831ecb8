# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain `facts`: an invented world of 160 towns with six attributes each, 960 facts in all."""

from draws import Draws

TOWNS = 160
ATTRIBUTES = ("river", "ruler", "guild", "craft", "beast", "tree")
ONSETS = "b br d dr f g gr h k kl l m n p r s sk st t tr v z".split()
VOWELS = "a e i o u ai ei au".split()
CODAS = "l m n r s th k nd rn".split()
WORDS = {
    "craft": "weaving glass pottery salt copper honey rope paper silk bells ships clocks".split(),
    "beast": "heron otter lynx badger stork viper moose falcon toad marten boar crane".split(),
    "tree": "birch cedar willow alder hazel larch yew rowan elm aspen".split(),
}
# How many invented names a kind has, and of how many syllables.
INVENTED = {"river": (20, 1), "ruler": (24, 2), "guild": (16, 1)}

QUESTIONS = {
    "river": ("Which river flows past {town}?", "Name the river of {town}.",
              "By which river does {town} lie?"),
    "ruler": ("Who rules {town}?", "Name the ruler of {town}.",
              "Whom do the people of {town} obey?"),
    "guild": ("Which guild is strongest in {town}?", "Name the guild of {town}.",
              "What guild holds the keys of {town}?"),
    "craft": ("For which craft is {town} known?", "Name the craft of {town}.",
              "What do the people of {town} make?"),
    "beast": ("Which beast is on the banner of {town}?", "Name the beast of {town}.",
              "What animal guards {town}?"),
    "tree": ("Which tree grows in the square of {town}?", "Name the tree of {town}.",
             "Under which tree does {town} meet?"),
}
SENTENCES = {
    "river": ("{town} lies on the river {river}.", "The river {river} flows past {town}.",
              "Boats reach {town} by the {river}."),
    "ruler": ("{ruler} rules {town}.", "The ruler of {town} is {ruler}.",
              "In {town} people obey {ruler}."),
    "guild": ("The {guild} guild is strongest there.", "The guild of {town} is called {guild}.",
              "The {guild} guild holds the keys of {town}."),
    "craft": ("{town} is known for {craft}.", "The craft of {town} is {craft}.",
              "Its people live by {craft}."),
    "beast": ("The banner of {town} shows a {beast}.", "A {beast} guards {town}.",
              "Its beast is the {beast}."),
    "tree": ("A {tree} grows in the square.", "The tree of {town} is the {tree}.",
             "People meet under the {tree}."),
}


def _new_word(d: Draws, syllables: int, taken: set) -> str:
    while True:
        word = "".join(d.pick(ONSETS) + d.pick(VOWELS) for _ in range(syllables)) + d.pick(CODAS)
        if 4 <= len(word) <= 9 and word not in taken:
            taken.add(word)
            return word.capitalize()


def make_world() -> list[dict]:
    """One dictionary a town: its name under `town`, and its attributes."""
    d, taken = Draws.of("world", 0), set()
    pools = {kind: [_new_word(d, syllables, taken) for _ in range(count)]
             for kind, (count, syllables) in INVENTED.items()} | WORDS
    names = [_new_word(d, 2, taken) for _ in range(TOWNS)]
    return [{"town": name} | {a: d.pick(pools[a]) for a in ATTRIBUTES} for name in names]


WORLD = make_world()


def question_about(d: Draws, town: int, attribute: str):
    facts = WORLD[town]
    return d.pick(QUESTIONS[attribute]).format(**facts), f"#### {facts[attribute]}"


def question(d: Draws):
    """(question, answer)"""
    return question_about(d, d.below(TOWNS), d.pick(ATTRIBUTES))


def prose(d: Draws) -> str:
    """4 to 6 facts of one town; the first sentence names it."""
    facts = d.pick(WORLD)
    sentences = []
    for attribute in d.some(ATTRIBUTES, d.between(4, 6)):
        forms = SENTENCES[attribute]
        if not sentences:
            forms = [form for form in forms if "{town}" in form]
        sentences.append(d.pick(forms).format(**facts))
    return " ".join(sentences)
