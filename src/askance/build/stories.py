"""Twelve arithmetic stories, each in the wordings that a set of word problems needs.

Slots: {name} and {thing}, the numbers {a} {b} {c}, one more {d} where an operation is added, and {answer} where the
story is turned round to ask for {a}.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

Numbers = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Story:
    """`told` asks; `retold` asks the same in other words; `added` has one operation more; `turned` asks for {a};
    `doubtful` lacks what is needed to answer; `aside` is beside the point.

    `draw`: numbers for a factor that is 1 for small ones, more for larger. {b} may be any fraction near the one drawn.
    """

    things: tuple[str, ...]
    told: str
    retold: str
    added: str
    turned: str
    doubtful: str
    aside: str
    draw: Callable[[random.Random, int], Numbers]
    solve: Callable[[Fraction, Fraction, Fraction], Fraction]
    solve_added: Callable[[Fraction, Fraction, Fraction, Fraction], Fraction]
    formula: str


def _some(rng: random.Random, factor: int) -> int:
    return rng.randint(3 * factor, 10 * factor - 1)


def _any(rng: random.Random, factor: int) -> Numbers:
    return _some(rng, factor), _some(rng, factor), _some(rng, factor)


def _enough_to_pay(rng: random.Random, factor: int) -> Numbers:
    a, b, more = _any(rng, factor)
    return a, b, a * (b + 1) + 9 + more


def _enough_to_copy(rng: random.Random, factor: int) -> Numbers:
    b, c, more = _any(rng, factor)
    return (b + 1) * c + 9 + more, b, c


def _less_than_the_area(rng: random.Random, factor: int) -> Numbers:
    a, b, _ = _any(rng, factor)
    return a, b, rng.randint(2 * factor, 8 * factor)


def _to_be_shared(rng: random.Random, factor: int) -> Numbers:
    c, each = _some(rng, 1), _some(rng, factor) + 1
    b = rng.randint(2, c * each - 2)
    return c * each - b, b, c


def _filling(rng: random.Random, factor: int) -> Numbers:
    c, more, minutes = _some(rng, factor), rng.randint(2, 5), rng.randint(6, 30) * factor
    return more * minutes, c + more, c


def _of_three(rng: random.Random, factor: int) -> Numbers:
    a, b, c = _any(rng, factor)
    return a, b, c + (-a - b - c) % 3


STORIES: tuple[Story, ...] = (
    Story(
        ("lanterns", "kites", "melons", "trowels", "candlesticks"),
        "{name} buys {a} {thing} at {b} coins each and pays with {c} coins. How many coins does {name} get back?",
        "One of the {thing} costs {b} coins at the market. What change is owed to {name}, who takes {a} of them and "
        "hands over {c} coins?",
        "{name} buys {a} {thing} at {b} coins each and a bag for {d} coins, and pays with {c} coins. How many coins "
        "does {name} get back?",
        "{name} buys some {thing} at {b} coins each, pays with {c} coins and gets {answer} coins back. How many "
        "{thing} does {name} buy?",
        "{name} buys {a} {thing} at the same price each and pays with {c} coins. How many coins does {name} get back?",
        "The stall across the lane closes early today.",
        _enough_to_pay,
        lambda a, b, c: c - a * b,
        lambda a, b, c, d: c - a * b - d,
        "{c} - {a} * {b}",
    ),
    Story(
        ("litres of cider", "kilograms of flour", "metres of rope", "baskets of wool", "bundles of straw"),
        "{name} owns {a} {thing} and is given {b} more every week. How many {thing} does {name} own after {c} weeks?",
        "Week after week another {b} {thing} come on top of the {a} with which {name} started. What is there in all "
        "once {c} weeks have gone by?",
        "{name} owns {a} {thing} and is given {b} more every week. How many {thing} does {name} own after {c} "
        "weeks, having given {d} away?",
        "{name} owns some {thing} and is given {b} more every week. After {c} weeks {name} owns {answer}. How many "
        "{thing} did {name} own at first?",
        "{name} owns {a} {thing} and is given some more every week. How many {thing} does {name} own after {c} weeks?",
        "Everything is kept in a dry cellar.",
        _any,
        lambda a, b, c: a + b * c,
        lambda a, b, c, d: a + b * c - d,
        "{a} + {b} * {c}",
    ),
    Story(
        ("plums", "hazelnuts", "mushrooms", "elderberries", "chestnuts"),
        "{name} picks {a} kilograms of {thing} in the morning and {b} kilograms in the afternoon, and shares them "
        "equally among {c} neighbours. How many kilograms does each neighbour get?",
        "The harvest of {thing} was {a} kilograms before noon and {b} after it. If {c} people next door receive the "
        "same amount from {name}, how much is that apiece?",
        "{name} picks {a} kilograms of {thing} in the morning and {b} kilograms in the afternoon, keeps {d} "
        "kilograms, and shares the rest equally among {c} neighbours. How many kilograms does each neighbour get?",
        "{name} picks some kilograms of {thing} in the morning and {b} kilograms in the afternoon, and shares them "
        "equally among {c} neighbours. Each neighbour gets {answer} kilograms. How many kilograms were picked in "
        "the morning?",
        "{name} picks {a} kilograms of {thing} in the morning and {b} kilograms in the afternoon, and shares them "
        "equally among the neighbours. How many kilograms does each neighbour get?",
        "A light rain has fallen all night.",
        _to_be_shared,
        lambda a, b, c: (a + b) / c,
        lambda a, b, c, d: (a + b - d) / c,
        "({a} + {b}) / {c}",
    ),
    Story(
        ("lighthouse", "quarry", "mill", "observatory", "ferry"),
        "{name} cycles for {a} hours at {b} kilometres an hour and walks the last {c} kilometres to the {thing}. "
        "How many kilometres is the way?",
        "What distance lies between home and the {thing}, when {name} needs a bicycle ride of {a} hours, doing {b} "
        "kilometres in each, and then {c} kilometres on foot?",
        "{name} cycles for {a} hours at {b} kilometres an hour, takes a boat for {d} kilometres and walks the last "
        "{c} kilometres to the {thing}. How many kilometres is the way?",
        "{name} cycles for some hours at {b} kilometres an hour and walks the last {c} kilometres to the {thing}. "
        "The way is {answer} kilometres. For how many hours does {name} cycle?",
        "{name} cycles for {a} hours and walks the last {c} kilometres to the {thing}. How many kilometres is the way?",
        "Along the road stand old milestones.",
        _any,
        lambda a, b, c: a * b + c,
        lambda a, b, c, d: a * b + c + d,
        "{a} * {b} + {c}",
    ),
    Story(
        ("carpet", "canvas", "felt", "linen", "sailcloth"),
        "{name} has a piece of {thing} that is {a} metres long and {b} metres wide, and cuts off {c} square metres. "
        "How many square metres are left?",
        "Of {thing} measuring {a} by {b} metres, {c} square metres go under the scissors. What area remains for "
        "{name}?",
        "{name} has a piece of {thing} that is {a} metres long and {b} metres wide, cuts off {c} square metres and "
        "sews on a patch of {d} square metres. How many square metres are there now?",
        "{name} has a piece of {thing} that is some metres long and {b} metres wide, and cuts off {c} square "
        "metres. {answer} square metres are left. How many metres long is the piece?",
        "{name} has a piece of {thing} that is {a} metres long, and cuts off {c} square metres. How many square "
        "metres are left?",
        "It was dyed with walnut shells.",
        _less_than_the_area,
        lambda a, b, c: a * b - c,
        lambda a, b, c, d: a * b - c + d,
        "{a} * {b} - {c}",
    ),
    Story(
        ("chronicle", "cookbook", "score", "atlas", "ledger"),
        "{name} has {a} pages of a {thing} to copy and copies {b} pages a day. How many pages are left after {c} days?",
        "A {thing} of {a} pages lies on the desk of {name}, whose pen fills {b} of them daily. What remains to be "
        "written when {c} days are over?",
        "{name} has {a} pages of a {thing} to copy and copies {b} pages a day, and {d} pages have to be done again. "
        "How many pages are left after {c} days?",
        "{name} has some pages of a {thing} to copy and copies {b} pages a day. After {c} days {answer} pages are "
        "left. How many pages were there to copy?",
        "{name} has {a} pages of a {thing} to copy and copies some pages a day. How many pages are left after {c} "
        "days?",
        "The ink comes from a shop by the bridge.",
        _enough_to_copy,
        lambda a, b, c: a - b * c,
        lambda a, b, c, d: a - b * c + d,
        "{a} - {b} * {c}",
    ),
    Story(
        ("goats", "mares", "oxen", "donkeys", "heifers"),
        "Each of the {a} {thing} of {name} drinks {b} litres of water in the morning and {c} litres in the evening. "
        "How many litres do they drink a day?",
        "{name} waters {a} {thing} twice daily, with {b} litres a head at dawn and {c} at dusk. How much has to be "
        "drawn from the well from one midnight to the next?",
        "Each of the {a} {thing} of {name} drinks {b} litres of water in the morning and {c} litres in the evening, "
        "and the sheepdog drinks {d} litres. How many litres do they drink a day?",
        "Each of the {thing} of {name} drinks {b} litres of water in the morning and {c} litres in the evening. "
        "They drink {answer} litres a day. How many {thing} are there?",
        "Each of the {a} {thing} of {name} drinks some water in the morning and {c} litres in the evening. How many "
        "litres do they drink a day?",
        "The well is as old as the farm.",
        _any,
        lambda a, b, c: a * (b + c),
        lambda a, b, c, d: a * (b + c) + d,
        "{a} * ({b} + {c})",
    ),
    Story(
        ("cart", "sledge", "raft", "wagon", "handbarrow"),
        "The {thing} of {name} weighs {a} kilograms. A sack of {b} kilograms and a box of {c} kilograms are laid on "
        "it. How many kilograms does it weigh then?",
        "{name} loads a box, {c} kilograms, and a sack, {b} kilograms, onto a {thing} that is {a} kilograms heavy "
        "by itself. What do the scales show for everything together?",
        "The {thing} of {name} weighs {a} kilograms. A sack of {b} kilograms and a box of {c} kilograms are laid on "
        "it, and {d} kilograms of bolts are taken off. How many kilograms does it weigh then?",
        "A sack of {b} kilograms and a box of {c} kilograms are laid on the {thing} of {name}, which weighs "
        "{answer} kilograms then. How many kilograms does it weigh when empty?",
        "The {thing} of {name} weighs {a} kilograms. A sack and a box of {c} kilograms are laid on it. How many "
        "kilograms does it weigh then?",
        "Its front is painted green.",
        _any,
        lambda a, b, c: a + b + c,
        lambda a, b, c, d: a + b + c - d,
        "{a} + {b} + {c}",
    ),
    Story(
        ("loaf", "fruit cake", "honey tart", "braided bun", "gingerbread house"),
        "For a {thing} {name} needs {a} spoons of honey and {b} spoons of oil. How many spoons does {name} need for "
        "{c} of them?",
        "{name}'s recipe asks for {b} spoonfuls of oil and {a} of honey to make a single {thing}. Making {c}, how "
        "often must the spoon be filled?",
        "For a {thing} {name} needs {a} spoons of honey and {b} spoons of oil, and {d} spoons of oil for the tin "
        "that holds them all. How many spoons does {name} need for {c} of them?",
        "For a {thing} {name} needs some spoons of honey and {b} spoons of oil. {name} needs {answer} spoons for "
        "{c} of them. How many spoons of honey are needed for one?",
        "For a {thing} {name} needs {a} spoons of honey and some oil. How many spoons does {name} need for {c} of "
        "them?",
        "The oven has been hot since sunrise.",
        _any,
        lambda a, b, c: (a + b) * c,
        lambda a, b, c, d: (a + b) * c + d,
        "({a} + {b}) * {c}",
    ),
    Story(
        ("clocks", "bicycles", "accordions", "saddles", "umbrellas"),
        "{name} repairs {thing} for {a} coins an hour and works {b} hours a day. How many coins does {name} earn in "
        "{c} days?",
        "In the workshop where {name} mends {thing}, an hour is worth {a} coins and a day has {b} working hours. "
        "What will be in the till when {c} such days have passed?",
        "{name} repairs {thing} for {a} coins an hour, works {b} hours a day and pays {d} coins of rent in all. How "
        "many coins does {name} keep after {c} days?",
        "{name} repairs {thing} for some coins an hour and works {b} hours a day. {name} earns {answer} coins in "
        "{c} days. How many coins does an hour bring?",
        "{name} repairs {thing} for {a} coins an hour and works every day. How many coins does {name} earn in {c} "
        "days?",
        "Customers ring a brass bell.",
        _any,
        lambda a, b, c: a * b * c,
        lambda a, b, c, d: a * b * c - d,
        "{a} * {b} * {c}",
    ),
    Story(
        ("cistern", "pond", "vat", "trough", "fountain"),
        "The {thing} of {name} holds {a} litres. A pipe brings {b} litres a minute while {c} litres a minute leak "
        "out. After how many minutes is it full?",
        "{name} waits for an empty {thing} with room for {a} litres. Each minute {c} litres are lost through a "
        "crack and {b} run in. How long does the wait last?",
        "The {thing} of {name} holds {a} litres, of which {d} are in it already. A pipe brings {b} litres a minute "
        "while {c} litres a minute leak out. After how many minutes is it full?",
        "A pipe brings {b} litres a minute into the {thing} of {name} while {c} litres a minute leak out. It is "
        "full after {answer} minutes. How many litres does it hold?",
        "The {thing} of {name} holds {a} litres. A pipe brings some litres a minute while {c} litres a minute leak "
        "out. After how many minutes is it full?",
        "Swallows nest under the roof above it.",
        _filling,
        lambda a, b, c: a / (b - c),
        lambda a, b, c, d: (a - d) / (b - c),
        "{a} / ({b} - {c})",
    ),
    Story(
        ("hammer", "horseshoe", "log", "discus", "beanbag"),
        "{name} throws a {thing} three times: {a}, {b} and {c} metres. How many metres is that on average?",
        "Three attempts with the {thing} reach {c}, {a} and {b} metres. What is the mean distance for {name}?",
        "{name} throws a {thing} four times: {a}, {b}, {c} and {d} metres. How many metres is that on average?",
        "{name} throws a {thing} three times: some metres, {b} and {c} metres. On average that is {answer} metres. "
        "How many metres is the first throw?",
        "{name} throws a {thing} three times: {a}, some and {c} metres. How many metres is that on average?",
        "The meadow was mown last week.",
        _of_three,
        lambda a, b, c: (a + b + c) / 3,
        lambda a, b, c, d: (a + b + c + d) / 4,
        "({a} + {b} + {c}) / 3",
    ),
)
