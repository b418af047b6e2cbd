"""Contents that are the same on every machine and for every Python: what instructions are counted on.

(`contents` takes the standard library's files, which are real, but differ from one Python to the next.)"""

import textwrap

from .contents import METHOD, File, Spot

WORDS = "order value limit reader parser index batch worker buffer result entry place signal frame total state".split()

STATEMENTS = (
    "    WORD = FIRST.OTHER[NUMBER:] + [NUMBER, 'OTHER']\n",
    "    if SECOND_count is not None and NUMBER < SECOND_count:\n        return FIRST * NUMBER\n",
    "    for WORD in range(NUMBER):\n        # The OTHER may have changed.\n        print(WORD, f'{FIRST}!')\n",
    "    with open('WORD.txt') as WORD:\n        FIRST = {line.strip(): NUMBER for line in WORD}\n        assert FIRST\n",
    "    try:\n        WORD = int(FIRST)\n    except (ValueError, TypeError) as error:\n"
    "        raise KeyError('WORD') from error\n",
)


class Dice:
    """Numbers that look random, by a rule of one line."""

    def __init__(self, seed):
        self.state = seed

    def roll(self, sides):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % sides

    def word(self):
        return WORDS[self.roll(len(WORDS))]


def function(dice, name, indent=""):
    """Returns a function of 8 to 30 lines."""
    first, second = dice.word(), dice.word()
    parts = [f"def {name}({first}, {second}_count=None, *, {dice.word()}s=()):\n"]
    parts.append(f'    """Returns the {dice.word()} of each {dice.word()}, {dice.word()} by {dice.word()}."""\n')
    for _ in range(2 + dice.roll(5)):
        statement = STATEMENTS[dice.roll(len(STATEMENTS))]
        for mark, word in {"FIRST": first, "SECOND": second, "WORD": dice.word(), "OTHER": dice.word()}.items():
            statement = statement.replace(mark, word)
        parts.append(statement.replace("NUMBER", str(dice.roll(1000))))
        if dice.roll(4) == 0:
            parts.append("\n")
    parts.append(f"    return {first}, {second}_count\n")
    return textwrap.indent("".join(parts), indent)


def definitions(dice, lines):
    """Returns functions, classes and variables, at least so many lines of them."""
    parts, count, number = [], 0, 0
    while count < lines:
        number += 1
        name = f"{dice.word()}_{dice.roll(10_000)}_{number}"
        if dice.roll(3):
            text = function(dice, name)
        else:
            methods = "\n".join(function(dice, f"{dice.word()}_{index}", "    ") for index in range(2 + dice.roll(4)))
            text = f"class {name.title().replace('_', '')}:\n    limit = {number}\n\n{methods}"
        text = f"\n\n{text}" if dice.roll(4) else f"\n\n{name.upper()} = {number}\n\n\n{text}"
        parts.append(text)
        count += text.count("\n")
    return "".join(parts)


def worker(path, seed, lines):
    """Returns a module of at least so many lines whose last class has a method to edit."""
    dice = Dice(seed)
    head = f'"""The {dice.word()} number {seed}."""\n{definitions(dice, lines)}\n\nclass Worker:\n    limit = 3\n\n'
    return File(path, head, Spot("Worker.adjust", METHOD), "\n\n    def settle(self):\n        return self.adjust(1)\n")


def large(path, lines, edits):
    """Returns a module of about so many lines with functions to edit."""
    dice, parts = Dice(748), ['"""A module."""\n']
    for index in range(edits):
        spot = METHOD.replace("    def", "def").replace("\n    ", "\n").replace("adjust(self, value)", f"edited_{index}(value)")
        parts += [definitions(dice, lines // edits - 30), "\n\n", Spot(f"edited_{index}", spot), "\n"]
    return File(path, *parts)


def guide(path, lines):
    """Returns a Markdown file of at least so many lines."""
    dice, parts, count, number = Dice(5), ["# A guide\n"], 0, 0
    while count < lines:
        number += 1
        title = f"The {dice.word()} of the *{dice.word()}* {number}"
        heading = f"{title}\n{'-' * len(title)}" if number % 7 == 0 else f"{'#' * (2 + dice.roll(3))} {title}"
        said = "\n".join(
            " ".join(f"`{dice.word()}`" if dice.roll(9) == 0 else dice.word() for _ in range(12)) for _ in range(3)
        )
        rows = "".join(f"- the [{dice.word()}](#{dice.word()}) of {dice.roll(100)}\n" for _ in range(1 + dice.roll(5)))
        code = f"\n```python\n{function(dice, dice.word())}```\n" if dice.roll(2) else ""
        text = f"\n{heading}\n\n{said}\n\n{rows}{code}"
        parts.append(text)
        count += text.count("\n")
    return File(path, "".join(parts))
