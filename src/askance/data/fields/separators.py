"""Which sign stands between the items of a collection's lists: the one that the documents repeat most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

LEAST_SHARE = 0.2  # of the documents hold it
_BETWEEN = re.compile(r"(?<=\w)[^\w]+(?=\w)")


def learn_separator(texts: Sequence[str]) -> str | None:
    """The signs between words, blanks included, that occur most often and in enough documents; None where there are
    only blanks.
    """
    total: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    for text in texts:
        found = [run for run in _BETWEEN.findall(text) if run.strip(" ")]
        total.update(found)
        holders.update(set(found))
    enough = [run for run in total if holders[run] >= max(2.0, LEAST_SHARE * len(texts))]
    return max(enough, key=lambda run: (total[run], run), default=None)
