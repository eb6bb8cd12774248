"""The command line: one thin file per verb; no logic. Exit 0 fine, 1 a check failed, 2 bad input."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of `askance`."""
    from askance.core.errors import AskanceError

    try:
        from askance.cli.root import app

        app()
    except AskanceError as error:
        print(f"askance: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except BrokenPipeError:
        sys.stderr.close()  # the reader of a pipe went away; nothing is left to say to anyone
        raise SystemExit(0) from None
