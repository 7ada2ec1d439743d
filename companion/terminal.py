"""Lines on standard output and standard error."""

import click

from companion.printable import printable


def say(line: str, *, err: bool = False) -> None:
    """Print a line of text; what could disturb the terminal is replaced."""
    click.echo(printable(line), err=err)
