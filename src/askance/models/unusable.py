"""A response that arrived and was read, and still is no answer."""

from __future__ import annotations

from askance.core.errors import ModelFailed
from askance.core.outcome import Outcome


class Unusable(ModelFailed):
    """Cut short, refused, or empty. `outcome` is what the ledger keeps of the call, with the tokens it cost."""

    def __init__(
        self,
        message: str,
        *,
        outcome: Outcome,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        remedy: str | None = None,
    ) -> None:
        self.outcome = outcome
        self.input_tokens, self.output_tokens = input_tokens, output_tokens
        super().__init__(message, remedy=remedy)
