"""The command line: one thin file per verb; no logic. Exit 0 fine, 1 a check failed, 2 bad input."""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper

_GARBAGE = 100_000  # new objects between two looks for garbage


def main() -> None:
    """Entry point of `askance`."""
    from askance.core.errors import AskanceError
    from askance.report.texts import clean

    if isinstance(sys.stdout, TextIOWrapper):  # a terminal that lacks a character gets its name, not a traceback
        sys.stdout.reconfigure(errors="backslashreplace")
    # What imports make is not garbage, and looking through it again and again is a quarter of a short command's time.
    gc.set_threshold(_GARBAGE, 50, 50)
    try:
        from askance.cli.root import app

        app()
    except AskanceError as error:
        print(clean(f"askance: {error}"), file=sys.stderr)  # names of files are data too
        raise SystemExit(error.exit_code) from None
    except BrokenPipeError:
        sys.stderr.close()  # the reader of a pipe went away; nothing is left to say to anyone
        raise SystemExit(0) from None
    except OSError as error:  # what no reader or writer of ours could put better
        where = f"{str(error.filename)[:200]}: " if error.filename else ""
        print(clean(f"askance: {where}{error.strerror or error}"), file=sys.stderr)
        print("  Check that the path is there, may be used, and that the disk has room.", file=sys.stderr)
        raise SystemExit(2) from None
    finally:
        gc.freeze()  # the system takes all memory back; nothing needs to be looked through
