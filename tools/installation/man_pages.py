"""Manual pages (roff) of the command line: one for `companion`, one for each command, from what --help says."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import click

from companion.cli import cli


def man_pages(version: str, changed: datetime) -> Iterator[tuple[str, str]]:
    """(name, roff text) of each page, e.g. `companion-play`; `changed` is the date at the foot of a page."""
    day = changed.astimezone(UTC).strftime("%Y-%m-%d")
    top = click.Context(cli, info_name="companion")
    names = cli.list_commands(top)
    about = [(name, cli.get_command(top, name)) for name in names]
    commands = [(name, command) for name, command in about if command is not None]
    listed = ["companion-" + name for name in names]
    overview = [(f"companion {name}", command.get_short_help_str(200)) for name, command in commands]
    yield "companion", _page(cli, top, version, day, overview, listed)
    for name, command in commands:
        context = click.Context(command, info_name=name, parent=top)
        yield f"companion-{name}", _page(command, context, version, day, (), ["companion"])


def _page(
    command: click.Command,
    context: click.Context,
    version: str,
    day: str,
    commands: Iterable[tuple[str, str]],
    see_also: Iterable[str],
) -> str:
    title = context.command_path.replace(" ", "-")
    lines = [f'.TH {title.upper()} 1 "{day}" "companion {version}" "companion manual"']
    lines += [".SH NAME", f"{title} \\- {_text(command.get_short_help_str(200).rstrip('.'))}"]
    usage = " ".join(command.collect_usage_pieces(context))
    lines += [".SH SYNOPSIS", f".B {_text(context.command_path)}", _text(usage)]
    if command.help:
        lines += [".SH DESCRIPTION", *_paragraphs(command.help)]
    records = [record for one in command.get_params(context) if (record := one.get_help_record(context))]
    lines += _list("OPTIONS", records)
    lines += _list("COMMANDS", commands)
    if command.epilog:
        lines += [".SH NOTES", *_paragraphs(command.epilog)]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{_text(name)}\\fR(1)" for name in see_also)]
    return "\n".join(lines) + "\n"


def _list(title: str, records: Iterable[tuple[str, str]]) -> list[str]:
    lines = [line for term, text in records for line in (".TP", f"\\fB{_text(term)}\\fR", _text(text))]
    return [f".SH {title}", *lines] if lines else []


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.replace("\b", "").split("\n\n")):
        if number:
            yield ".PP"
        yield _text(" ".join(paragraph.split()))


def _text(text: str) -> str:
    """Text as roff shows it: a line that begins with a dot or quote would be a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in {".", "'"} else escaped
