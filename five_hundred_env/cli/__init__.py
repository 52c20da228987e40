"""The command line `five-hundred`.

`commands` holds one function a command and parses only; what a command does stands elsewhere: here for what nobody
else needs (`score`, `show`), in the package for the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from five_hundred_env.errors import FiveHundredError, MissingExtraError

FAILED = 2
"""Exit status after an error of this package or of the arguments."""
STOPPED = 130
"""Exit status after Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    Args:
        arguments: The words behind `five-hundred`; None takes those of the process.
    """
    try:
        try:
            from five_hundred_env.cli.commands import app
        except ImportError as error:
            if isinstance(error, FiveHundredError):
                raise
            raise MissingExtraError(
                f"the command line needs typer and rich ({error}): pip install 'five_hundred_env[arena]'"
            ) from None
        from typer.main import get_command

        status = get_command(app).main(args=arguments, prog_name="five-hundred", standalone_mode=True)
        return int(status or 0)
    except (FiveHundredError, OSError) as error:
        print(f"five-hundred: {error}", file=sys.stderr)  # noqa: T201 - this is where errors go
        return FAILED
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else FAILED if leave.code else 0
    except KeyboardInterrupt:
        print("five-hundred: stopped", file=sys.stderr)  # noqa: T201
        return STOPPED
