"""Plain questions, and those that join items by or, and, not, whose gold is counted over all documents."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence

from askance.build.limit.document import Document, Question
from askance.build.limit.plan import Plan
from askance.build.limit.seeds import chance
from askance.build.limit.settings import Template
from askance.core.errors import BadInput

_TRIES = 200  # for one more question that is not there yet

# Whether a document that holds these items, and no others of the question, answers it.
ANSWERS: Mapping[str, Callable[[Sequence[bool]], bool]] = {
    "one": lambda holds: holds[0],
    "or": lambda holds: holds[0] or holds[1],
    "or_or": lambda holds: holds[0] or holds[1] or holds[2],
    "and": lambda holds: holds[0] and holds[1],
    "and_both": lambda holds: holds[0] and holds[1] and holds[2],
    "and_not": lambda holds: holds[0] and holds[1] and not holds[2],
    "not": lambda holds: holds[0] and not holds[1],
}


def plain_questions(plan: Plan) -> Iterator[Question]:
    """One question for each asked item, in the order of `plan.gold`."""
    for number, (held, worded) in enumerate(zip(plan.items.held, plan.items.worded, strict=True)):
        yield Question(f"query_{number}", "one", (held,), (worded,), plan.frame.question("one", [worded]))


def composed_questions(plan: Plan) -> list[Question]:
    """The composed questions of the settings, each different from all others and each with gold.

    or, or_or and not are about asked items; and, and_both and and_not about what fills documents up, since no two asked
    items are sure to meet. BadInput where so many different ones cannot be found.
    """
    made: list[Question] = []
    seen: dict[tuple[str, tuple[str, ...]], None] = {}
    for template, wanted in plan.settings.questions.items():
        rng = chance(plan.settings.seed, "questions", template)
        for number in range(wanted):
            held = next(
                (one for one in _tried(plan, template, rng) if (template, _key(template, one)) not in seen), None
            )
            if held is None:
                raise BadInput(
                    f"{wanted} different questions of the template {template!r} cannot be found: there are {number}",
                    remedy="Ask for fewer of them, or for more queries, documents or items.",
                )
            seen[template, _key(template, held)] = None
            worded = tuple(plan.items.worded[plan.query_of[item]] if item in plan.query_of else item for item in held)
            text = plan.frame.question(template, worded)
            made.append(Question(f"{template}_{number}", template, held, worded, text))
    return made


class GoldCount:
    """Which documents answer composed questions, told document by document.

    `gold` [questions]: the numbers of the documents that answer, in the order they were told.
    """

    def __init__(self, questions: Sequence[Question], relation: str) -> None:
        self._questions, self._relation = questions, relation
        self.gold = [array("Q") for _ in questions]
        self._about: dict[str, list[int]] = {}
        for number, question in enumerate(questions):
            needed = question.held if question.template in ("or", "or_or") else question.held[:1]
            for item in needed:
                self._about.setdefault(item, []).append(number)

    def tell(self, document: Document, number: int) -> None:
        """The document called `number` is there."""
        if not self._about or document.relation != self._relation:
            return
        concerned = [question for item in document.items for question in self._about.get(item, ())]
        if not concerned:
            return
        holds = frozenset(document.items)
        for at in dict.fromkeys(concerned):
            question = self._questions[at]
            if ANSWERS[question.template]([item in holds for item in question.held]):
                self.gold[at].append(number)


def _key(template: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """The same for questions that differ only in the order of items that may change places."""
    free = {"or": 2, "or_or": 3, "and": 2, "and_both": 3, "and_not": 2}.get(template, 0)
    return (*sorted(held[:free]), *held[free:])


def _tried(plan: Plan, template: Template, rng: random.Random) -> Iterator[tuple[str, ...]]:
    """Items for a question of the template that has gold; maybe none."""
    for _ in range(_TRIES):
        found = _ITEMS[template](plan, rng)
        if found is not None:
            yield found


def _either(count: int) -> Callable[[Plan, random.Random], tuple[str, ...] | None]:
    def found(plan: Plan, rng: random.Random) -> tuple[str, ...] | None:
        asked = plan.items.held
        return tuple(rng.sample(asked, count)) if len(asked) >= count else None

    return found


def _together(count: int) -> Callable[[Plan, random.Random], tuple[str, ...] | None]:
    def found(plan: Plan, rng: random.Random) -> tuple[str, ...] | None:
        held = _padding_of(plan, rng)
        return tuple(rng.sample(held, count)) if len(held) >= count else None

    return found


def _together_without(plan: Plan, rng: random.Random) -> tuple[str, ...] | None:
    held = _padding_of(plan, rng)
    missing = rng.choice(plan.items.padding)
    return (*rng.sample(held, 2), missing) if len(held) >= 2 and missing not in held else None


def _padding_of(plan: Plan, rng: random.Random) -> list[str]:
    """What fills up some document."""
    items = plan.document(rng.randrange(plan.settings.documents)).items
    return [item for item in items if item not in plan.query_of]


def _one_without(plan: Plan, rng: random.Random) -> tuple[str, ...] | None:
    """An asked item, and another that some of its gold documents hold and some do not; failing that, any other."""
    wanted = rng.randrange(len(plan.gold))
    near = [other for at in plan.gold[wanted] for other in plan.asked[at] if other != wanted]
    parting = [other for other in near if not all(at in plan.gold[other] for at in plan.gold[wanted])]
    others = parting or [rng.randrange(len(plan.gold))]
    other = rng.choice(others)
    if other == wanted or all(at in plan.gold[other] for at in plan.gold[wanted]):
        return None
    return plan.items.held[wanted], plan.items.held[other]


_ITEMS: Mapping[Template, Callable[[Plan, random.Random], tuple[str, ...] | None]] = {
    "or": _either(2),
    "or_or": _either(3),
    "and": _together(2),
    "and_both": _together(3),
    "and_not": _together_without,
    "not": _one_without,
}
