"""The command line: every command by name, its code loaded only when it is called."""

import sys
from importlib import import_module

import click

from companion import __version__
from companion.errors import CompanionError

_COMMANDS = {
    "play": "companion.play:play",
    "run": "companion.run:run",
    "dashboard": "companion.dashboard.command:dashboard",
    "table": "companion.virtual.command:table",
    "simulate": "companion.simulate:simulate",
    "rehearse": "companion.rehearse.command:rehearse",
    "replay": "companion.replay:replay",
    "read": "companion.reading:read",
    "doctor": "companion.doctor:doctor",
    "bench": "companion.benchmarks.command:bench",
}


class _LazyGroup(click.Group):
    """Imports a command's module when the command is asked for: `--help` and `play` start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = _COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, name = target.split(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """A companion for a real table: it watches the game, checks claims and scores the end."""


def main() -> None:
    """Entry point: one clear line and status 2 for bad input, never a traceback."""
    try:
        cli.main(standalone_mode=False)
    except CompanionError as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


if __name__ == "__main__":
    main()
