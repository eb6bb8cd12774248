"""The units that an English text names: "km", "kilometres" and "kilometer" are one and the same.

Abbreviations that are other words elsewhere are read only behind a numeral ("5 m", "2 h"). Currency signs, % and °
stand alone. "second" and "minute" are read whatever they mean, for a rule cannot tell.
"""

from __future__ import annotations

import re

_WORDS = {
    "metre": "metre metres meter meters",
    "kilometre": "km kms kilometre kilometres kilometer kilometers",
    "centimetre": "cm centimetre centimetres centimeter centimeters",
    "millimetre": "mm millimetre millimetres millimeter millimeters",
    "mile": "mile miles",
    "yard": "yard yards yd yds",
    "foot": "foot feet ft",
    "inch": "inch inches",
    "gram": "gram grams gramme grammes",
    "kilogram": "kg kgs kilo kilos kilogram kilograms",
    "milligram": "mg milligram milligrams",
    "pound": "pound pounds lb lbs",
    "ounce": "ounce ounces oz",
    "ton": "ton tons tonne tonnes",
    "litre": "litre litres liter liters",
    "millilitre": "ml millilitre millilitres milliliter milliliters",
    "gallon": "gallon gallons gal",
    "quart": "quart quarts qt",
    "pint": "pint pints",
    "cup": "cup cups",
    "tablespoon": "tablespoon tablespoons tbsp",
    "teaspoon": "teaspoon teaspoons tsp",
    "second": "second seconds sec secs",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs hourly",
    "day": "day days daily",
    "week": "week weeks weekly",
    "month": "month months monthly",
    "year": "year years yearly annual annually yr yrs",
    "decade": "decade decades",
    "century": "century centuries",
    "dollar": "dollar dollars usd",
    "cent": "cent cents",
    "euro": "euro euros eur",
    "pound sterling": "gbp",
    "penny": "penny pennies pence",
    "percent": "percent percentage percentages pct",
    "degree": "degree degrees",
    "acre": "acre acres",
    "hectare": "hectare hectares",
    "mph": "mph",
    "kph": "kph kmh",
    "byte": "byte bytes",
    "kilobyte": "kb kilobyte kilobytes",
    "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes",
    "terabyte": "tb terabyte terabytes",
    "watt": "watt watts",
    "kilowatt": "kw kilowatt kilowatts",
    "volt": "volt volts",
    "hertz": "hz hertz",
    "calorie": "calorie calories kcal",
}
_BEHIND_NUMERALS = {
    "m": "metre",
    "g": "gram",
    "l": "litre",
    "h": "hour",
    "mi": "mile",
    "ha": "hectare",
    "w": "watt",
}
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound sterling", "¢": "cent", "%": "percent", "°": "degree"}

_UNIT = {word: unit for unit, listed in _WORDS.items() for word in listed.split()}
_PLACE = re.compile(
    r"""(?P<sign> [$€£¢%°] )
      | (?<![\w.,]) (?:\d[\d,]*)(?:\.\d+)? \s? (?P<short> [a-z]{1,2} ) (?!\w)
      | \d (?P<joined> [a-z]+ ) (?!\w)
      | (?<!\w) (?P<word> [a-z]+ ) (?!\w)""",
    re.VERBOSE,
)


def units(text: str) -> frozenset[str]:
    """The units of a text, each under one name, once."""
    return frozenset(unit for found in _PLACE.finditer(text.lower()) if (unit := _read(found)))


def _read(found: re.Match[str]) -> str | None:
    if found["sign"]:
        return _SIGNS[found["sign"]]
    short = found["short"] or found["joined"]
    if short:
        return _BEHIND_NUMERALS.get(short) or _UNIT.get(short)
    return _UNIT.get(found["word"])
