"""Word problems with a paraphrase and six near misses each, and one rewriting with an aside.

A near miss keeps the words and changes the problem; a paraphrase keeps the problem and changes the words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from askance.build.as_published import as_published, json_lines, words
from askance.build.stories import STORIES, Numbers, Story
from askance.data.adapters.gsm_plus import PROBLEMS, load
from askance.data.collection import Collection

SEEDS = 300
KEPT_BY_CONVERSION = 0.4  # how often another way of writing a number leaves the number as it is
NO_ANSWER = "None"

# A trait of its own lets a problem be told from the others of the same story, as the originals are.
TRAIT = "{name} is known for a love of {trait}."
TRAIT_RETOLD = "Nobody cares more for {trait} than {name} does."


def word_problems(seed: int) -> Collection:
    """300 problems, and of each seven rewritings in the corpus."""
    rng = random.Random(f"word problems:{seed}")
    names = words("first_names")
    traits = iter(rng.sample(words("things"), SEEDS))
    problems = [
        _Problem(story, name, thing, next(traits).lower(), story.draw(rng, 1))
        for story in STORIES
        for name, thing in rng.sample(list(product(names, story.things)), SEEDS // len(STORIES))
    ]
    rng.shuffle(problems)
    return as_published({PROBLEMS: json_lines(record for problem in problems for record in problem.records(rng))}, load)


@dataclass(frozen=True, slots=True)
class _Problem:
    story: Story
    name: str
    thing: str
    trait: str
    numbers: Numbers

    def records(self, rng: random.Random) -> Iterator[dict[str, str]]:
        """The eight rewritings, as GSM-Plus has them."""
        question, solution, answer = self._told(self.story.told, *self.numbers)
        seed = {"seed_question": question, "seed_solution": solution, "seed_answer": answer}
        for kind, (text, way, result) in self._rewritten(rng):
            yield {"question": text, "solution": way, "answer": result, "perturbation_type": kind, **seed}

    def _rewritten(self, rng: random.Random) -> Iterator[tuple[str, tuple[str, str, str]]]:
        story, (a, b, c) = self.story, self.numbers
        yield "numerical substitution", self._told(story.told, *self._others(rng, 1))
        yield "digit expansion", self._told(story.told, *self._others(rng, 10))
        yield "integer-decimal-fraction conversion", self._converted(rng)
        yield "adding operation", self._added(rng)
        yield "reversing operation", (self._text(story.turned, a, b, c, answer=self._answer(a, b, c)), f"{a}", f"{a}")
        yield "problem understanding", self._told(story.retold, a, b, c)
        yield "distraction insertion", self._told(f"{story.aside} {story.told}", a, b, c)
        yield "critical thinking", (self._text(story.doubtful, a, b, c), "A number is missing.", NO_ANSWER)

    def _others(self, rng: random.Random, factor: int) -> Numbers:
        """Other numbers than the seed's, each of them."""
        while True:
            drawn = self.story.draw(rng, factor)
            if all(new != old for new, old in zip(drawn, self.numbers, strict=True)):
                return drawn

    def _converted(self, rng: random.Random) -> tuple[str, str, str]:
        """The second number written as a fraction, which keeps it, or as a decimal, which is half more."""
        a, b, c = self.numbers
        if rng.random() < KEPT_BY_CONVERSION:
            return self._told(self.story.told, a, b, c, written=f"{2 * b}/2")
        return self._told(self.story.told, a, b + Fraction(1, 2), c, written=f"{b}.5")

    def _added(self, rng: random.Random) -> tuple[str, str, str]:
        a, b, c = self.numbers
        d = rng.randint(2, 8)
        answer = str(self.story.solve_added(Fraction(a), Fraction(b), Fraction(c), Fraction(d)))
        return self._text(self.story.added, a, b, c, d=d), answer, answer

    def _told(
        self, wording: str, a: int, b: int | Fraction, c: int, *, written: str | None = None
    ) -> tuple[str, str, str]:
        """Question, solution and answer; `written` is how the second number stands in the text."""
        answer = self._answer(a, b, c)
        solution = f"{self.story.formula.format(a=a, b=b, c=c)} = {answer}"
        return self._text(wording, a, written or b, c), solution, answer

    def _answer(self, a: int, b: int | Fraction, c: int) -> str:
        return str(self.story.solve(Fraction(a), Fraction(b), Fraction(c)))

    def _text(self, wording: str, a: int, b: int | Fraction | str, c: int, *, d: int = 0, answer: str = "") -> str:
        trait = TRAIT_RETOLD if wording == self.story.retold else TRAIT
        slots = {"name": self.name, "thing": self.thing, "trait": self.trait}
        return f"{trait} {wording}".format(**slots, a=a, b=b, c=c, d=d, answer=answer)
