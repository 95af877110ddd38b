"""The `gradlint` command: the only package that prints, and that chooses an exit status.

    0  nothing found               2  bad usage or configuration
    1  findings                    3  a file could not be read, parsed or written; wins over 1
                                   4  verify: a loop could not be judged

Each command is a module of this package, imported when it is run.
"""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import TYPE_CHECKING

from gradlint.failure import internal as internal

if TYPE_CHECKING:
    from collections.abc import Sequence


class Exit(IntEnum):
    """What a command returns to the shell."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INCOMPLETE = 3
    INCONCLUSIVE = 4
    INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; a traceback never reaches the user.

    Args:
        arguments: The words after `gradlint`; those of the process by default.
    """
    import click

    from gradlint.cli.app import app
    from gradlint.cli.console import complain
    from gradlint.config import ConfigError

    try:
        status = app.main(
            list(sys.argv[1:] if arguments is None else arguments),
            prog_name="gradlint",
            standalone_mode=False,
        )
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ConfigError as error:
        complain(f"error: {error}")
        return Exit.USAGE
    except (click.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except Exception as error:
        complain(f"error: {internal(error)}")
        return Exit.INCOMPLETE
    return int(status or Exit.CLEAN)
