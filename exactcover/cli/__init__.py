"""The command line: `exactcover COMMAND [PUZZLE ...]`."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one message and exit status 1."""
    import click

    from exactcover.cli.commands import exactcover
    from exactcover.errors import ExactCoverError

    try:
        status = exactcover.main(arguments, prog_name="exactcover", standalone_mode=False)
    except ExactCoverError as error:
        click.echo(f"exactcover: {error}", err=True)
        status = 1
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("exactcover: interrupted", err=True)
        status = 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more can be written there.
        sys.stderr.close()
        status = 0
    sys.exit(status or 0)
