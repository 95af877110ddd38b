"""The `gradlint` command: the only package that prints, and that chooses an exit status.

    0  nothing found               2  bad usage or configuration
    1  findings                    3  a file could not be read, parsed or written; wins over 1
                                   4  verify: a loop could not be judged

Each command is a module of this package, imported when it is run.
"""

from __future__ import annotations

import os
import sys

from gradlint.files.failure import internal as internal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from gradlint.cli.exits import Exit as Exit


UNFLUSHED = 120
"""What Python itself ends with when its output cannot be written."""


def __getattr__(name: str) -> object:
    """`Exit` is imported when a command asks for it: a run that has nothing to say does not need it."""
    if name == "Exit":
        from gradlint.cli.exits import Exit

        return Exit
    raise AttributeError(f"module 'gradlint.cli' has no attribute {name!r}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; a traceback never reaches the user.

    Args:
        arguments: The words after `gradlint`; those of the process by default.
    """
    from gradlint.cli.glance import glance

    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = glance(words)
    except Exception:  # whatever it is, the command itself finds it again and tells it
        status = None
    except KeyboardInterrupt:
        return 130
    return _run(words) if status is None else status


def process() -> NoReturn:
    """Be the whole process: run the command line, and go.

    Nothing is taken apart on the way out: giving back the syntax trees of a large run one by one is an eighth of it.
    Who traces or profiles the process needs the slow way.
    """
    status = main()
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError:
            status = status or UNFLUSHED
    os._exit(status)


def _run(words: list[str]) -> int:
    """Run a command from the start.

    What is loaded for it stays: there is no garbage to search for after every few hundred objects.
    """
    import gc

    gc.set_threshold(200_000)
    import click

    from gradlint.cli.app import app
    from gradlint.cli.console import complain
    from gradlint.cli.exits import Exit
    from gradlint.model.settings import ConfigError

    try:
        status = app.main(
            words,
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
