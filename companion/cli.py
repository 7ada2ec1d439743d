"""The command line: every command by name, its code loaded only when it is called."""

import errno
import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from companion import __version__
from companion.core.errors import BadInputError, CompanionError
from companion.core.language import choose, use
from companion.core.printable import say

# Set before NumPy is loaded. Its threads wait for work in loops: on a busy machine a press on the pad took
# twenty times the processor time that one thread needs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LONGEST_LINE = 400
"""Letters of a complaint that quotes what it was given."""
_COMMANDS = {
    "play": (
        "companion.commands.play:play",
        "A table, a game, a dashboard: without parts of your own a virtual table plays.",
    ),
    "setup": ("companion.commands.setup:setup", "Your rig, measured step by step: camera, cards, scales."),
    "run": ("companion.commands.run:run", "The engine alone, for a service; screens attach to it."),
    "dashboard": ("companion.commands.dashboard:dashboard", "A screen beside a running engine."),
    "serve": ("companion.commands.serve:serve", "The table in browsers and on phones of the home network."),
    "table": (
        "companion.commands.table:table",
        "The virtual table alone: a camera stream and a board's port.",
    ),
    "sheets": ("companion.commands.sheets:sheets", "Stickers, tile markers and the mat as PDF."),
    "enrol": ("companion.commands.enrol:enrol", "Cards without tags: shown once, known by their art."),
    "press": (
        "companion.commands.press:press",
        "Textured cards: pressed on the pad, known by their raised picture.",
    ),
    "read": ("companion.commands.read:read", "What the camera code sees in pictures."),
    "simulate": ("companion.commands.simulate:simulate", "Games by the rules alone, in numbers."),
    "rehearse": (
        "companion.commands.rehearse:rehearse",
        "Whole games through pixels and bytes, against the truth.",
    ),
    "replay": ("companion.commands.replay:replay", "A recorded game again."),
    "history": ("companion.commands.history:history", "What was played: games, players, evenings, plots."),
    "souvenir": ("companion.commands.souvenir:souvenir", "One game to keep, as one page."),
    "why": ("companion.commands.why:why", "What is believed of a place and why: for who runs the table."),
    "hint": (
        "companion.commands.hint:hint",
        "Advice for the running game or a recorded one.",
    ),
    "flash": ("companion.commands.flash:flash", "The board's program onto a Raspberry Pi Pico."),
    "doctor": ("companion.commands.doctor:doctor", "What works, what does not, and the fix."),
    "bench": ("companion.commands.bench:bench", "Speed, beside something comparable; in a checkout."),
}


class _LazyGroup(click.Group):
    """Imports a command's module when the command is asked for: `--help` and `play` start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """A companion for a real table: it watches the game, checks claims and scores the end."""


def main() -> None:
    """Entry point: one clear line and status 2 for bad input, never a traceback."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Texts come from strangers, and not every terminal has every letter.
        sys.stdout.reconfigure(errors="backslashreplace")
    use(choose())
    try:
        _check_letters(sys.argv[1:])
        # Without click's own handling, the status of ctx.exit() comes back as the result.
        status = cli.main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except CompanionError as error:
        say(f"companion: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        _complain(error)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        status = complain_of_system(error)
        try:
            sys.stdout.flush()
        except OSError:
            os._exit(status)  # a normal exit would try to write the rest again
        sys.exit(status)


_NAMED_WRONG = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_FULL = (errno.ENOSPC, errno.EDQUOT)
_SHORT = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
_NEXT_STEPS = {
    **dict.fromkeys(_NAMED_WRONG, "check the path"),
    **dict.fromkeys(_FORBIDDEN, "check whose it is and who may write there"),
    **dict.fromkeys(_FULL, "free some space"),
    **dict.fromkeys(_SHORT, "close other programs and try again"),
    errno.EIO: "the disk, the card or a cable may be failing: copy what matters elsewhere first",
    errno.EADDRINUSE: "another program uses it: is one of this kind running already?",
}


def complain_of_system(error: OSError) -> int:
    """One line for what the operating system refuses; the exit status: 2 for what was named, else 1."""
    what = error.strerror or str(error) or type(error).__name__
    names = (name for name in (error.filename, error.filename2) if isinstance(name, str | bytes | os.PathLike))
    where = " and ".join(os.fsdecode(name) for name in names)
    step = _NEXT_STEPS.get(error.errno or 0, "try again; companion doctor says what works")
    say(f"companion: {CompanionError(what, where=where[:LONGEST_LINE], next_step=step)}", err=True)
    return 2 if error.errno in _NAMED_WRONG + _FORBIDDEN + _FULL else 1


def _check_letters(arguments: list[str]) -> None:
    """BadInputError for bytes that are no letters: no file, stream or journal of ours could hold them."""
    for argument in arguments:
        if any("\ud800" <= letter <= "\udfff" for letter in argument):
            raise BadInputError("not UTF-8", where=repr(argument[:80]), next_step="write it in letters")


def _complain(error: click.ClickException) -> None:
    """One line, as for every other bad input; the help, where that is what click shows, as it stands."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    message = error.format_message().rstrip(".")
    if len(message) > LONGEST_LINE:
        message = f"{message[: LONGEST_LINE // 2]} ... {message[-LONGEST_LINE // 2 :]}"
    context = error.ctx if isinstance(error, click.UsageError) else None
    next_step = f"; see: {context.command_path} --help" if context else ""
    say(f"companion: {message}{next_step}", err=True)


if __name__ == "__main__":
    main()
