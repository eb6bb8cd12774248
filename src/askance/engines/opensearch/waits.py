"""How long to wait before something is tried again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Waits:
    """Tries and the time between them: `first` seconds, twice as long each time, `most` at most.

    Of each time a random share between a half and the whole is waited, so that clients that were refused together do
    not come back together.
    """

    tries: int = 8
    first: float = 0.2
    most: float = 30.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    share: Callable[[], float] = field(default=random.random, repr=False)

    def wait(self, failed: int) -> None:
        """Wait after so many failures, one at least."""
        longest = min(self.most, self.first * 2.0 ** (failed - 1))
        self.sleep(longest * (0.5 + 0.5 * self.share()))
