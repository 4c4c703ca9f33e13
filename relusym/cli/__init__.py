"""The command line: ``relusym COMMAND …``, a thin layer over the library.

Every command takes ``--json`` and then prints one JSON object on standard output; progress and errors go to standard
error. Exit status: 0 yes or done, 1 no, 2 error, 3 undecided.
"""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from relusym import __version__
from relusym.cli import deep, deep_functions, files, functions, identifiability, many, shallow, symbolic
from relusym.cli.common import ERROR, UNDECIDED, YES
from relusym.errors import RelusymError, Undecided
from relusym.limits import LimitReached


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status; every error is one line on standard error."""
    try:
        status = commands.main(arguments, prog_name="relusym", standalone_mode=False)
        sys.stdout.flush()
    except Undecided as undecided:
        _complain(str(undecided))
        status = UNDECIDED
    except LimitReached as limit:
        _complain(f"undecided: {limit}")
        status = UNDECIDED
    except RelusymError as error:
        status = _complain(str(error))
    except click.UsageError as error:
        hint = f" (see relusym {error.ctx.info_name} --help)" if error.ctx is not None and error.ctx.parent else ""
        status = _complain(error.format_message() + hint)
    except click.ClickException as error:
        status = _complain(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        status = _complain("interrupted")
    except MemoryError:
        status = _complain("out of memory; --memory sets a limit that ends with an answer")
    except (BrokenPipeError, SystemExit):  # click turns a closed pipe into an exit with the status of a "no"
        sys.stderr.close()  # the reader of our output has gone: nothing is left to say, nor anyone to say it to
        status = ERROR
    sys.exit(status if isinstance(status, int) else YES)


def _complain(message: str) -> int:
    line = " ".join(message.split())
    print(f"relusym: {line}", file=sys.stderr)
    return ERROR


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="relusym")
def commands() -> None:
    """Exact computer algebra for ReLU networks.

    F and G are files (.json, .npz, .nnet, .onnx) or built-in networks such as example:theta1. Exit status: 0 yes or
    done, 1 no, 2 error, 3 undecided.
    """


for command in (
    *(functions.equal, functions.check, many.dedupe),
    *(shallow.minimal, shallow.stabilizer, shallow.fibre, shallow.generic, shallow.width, shallow.symmetry),
    *(deep_functions.compress, deep.regions, deep.plot, identifiability.dimension, identifiability.identify),
    *(symbolic.locus, files.show, files.convert),
):
    commands.add_command(command)
