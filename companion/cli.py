"""Command line. A command's module is imported when called."""

import errno
import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from companion import __version__
from companion.core.child_python import keep_current_folder_out
from companion.core.errors import BadInputError, CompanionError, as_told, is_own_module
from companion.core.language import CHOSEN, LANGUAGES, choose, known, text, use
from companion.core.printable import say
from companion.core.system_words import system_words

# Set before NumPy is loaded, because its threads wait for work in loops. On a busy machine a press on the pad
# took twenty times the processor time that one thread needs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LONGEST_LINE = 400
"""Most letters of a complaint that quotes its input."""
_SECTIONS: dict[str, dict[str, str]] = {
    "At the table": {
        "play": "Play a game with the companion beside it; without parts of your own, at a virtual table.",
        "dashboard": "Show the running game in another terminal.",
        "serve": "Show it in browsers and on phones of the home network.",
        "host": "Run without a keyboard: a page begins and ends games.",
        "hint": "Ask for advice in the running game or a recorded one.",
        "bridge": "Tell an MQTT broker of the table; Home Assistant finds it.",
        "tables": "List all tables, live: of this machine, the network or a broker.",
        "history": "List what was played: games, players, evenings, plots.",
        "souvenir": "Write a page about one game, to keep or to send.",
        "pack": "Make one file of a recorded evening, to send, without names.",
        "forget": "Remove games and names: of a person, before a day, or all.",
    },
    "A rig of your own": {
        "guide": "List what to buy for a rig, with prices; the steps are in docs/build-guide.md.",
        "sheets": "Print stickers, markers, the mat, and how high the camera hangs.",
        "flash": "Install the board's program on a Raspberry Pi Pico.",
        "rig": "Read the rig file back from a Pico, or write another one.",
        "doctor": "Say what works on this machine, what does not, and how to mend it.",
        "watch": "Show what each sensor says now; test each part on the bench.",
        "setup": "Measure the rig step by step: camera, cards, scales.",
        "read": "Show what the camera code sees in pictures.",
        "enrol": "Teach it cards without stickers, by their pictures.",
        "press": "Teach it a raised picture, pressed on the pad.",
    },
    "Behind the screens": {
        "run": "Run the engine alone, as a service; screens attach to it.",
        "table": "Run the virtual table alone: a camera stream and a board's port.",
        "replay": "Replay a recorded game, and hold what is concluded against it.",
        "why": "Say what is believed of a place and why; not for players.",
    },
    "To measure the program": {
        "simulate": "Play many games by the rules alone.",
        "rehearse": "Play whole games on the virtual table and compare with the truth.",
        "bench": "Measure speed beside something comparable; in a checkout.",
    },
}
"""Heading -> command -> what it does. Command NAME is the function NAME in companion.commands.NAME."""
_NAMES = [name for commands in _SECTIONS.values() for name in commands]


class _LazyGroup(click.Group):
    """Group of commands, which imports a command when asked for.

    `--help` starts fast this way.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _NAMES:
            return None
        command: click.Command = getattr(import_module(f"companion.commands.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in _SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()), col_max=12)


@click.group(
    cls=_LazyGroup,
    subcommand_metavar="COMMAND [OPTIONS]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """Follow a tabletop game on a real table: check claims, give hints, score the end.

    Begin with: companion play. Every command explains itself: companion COMMAND --help.
    """


def main() -> None:
    """Run the command line.

    Bad input ends in one line and exit status 2, never in a traceback.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        # Players may type any letter, and not every terminal can show it.
        sys.stdout.reconfigure(errors="backslashreplace")
    keep_current_folder_out()
    use(choose())
    try:
        _check_letters(sys.argv[1:])
        _check_language()
        # Without click's own handling, the status of ctx.exit() comes back as the result.
        status = cli.main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except CompanionError as error:
        say(text("companion: {error}", error=error.told), err=True)
        sys.exit(2)
    except _library_errors() as error:
        say(text("companion: {error}", error=_told(error).told), err=True)
        sys.exit(2)
    except ImportError as error:
        if not is_own_module(error):
            raise
        say(text("companion: {error}", error=as_told(error).told), err=True)
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


def _library_errors() -> tuple[type[Exception], ...]:
    """Errors of vision and firmware.

    Called once something was raised, because `--help` starts fast.
    """
    from firmware.errors import FirmwareError
    from vision.errors import VisionError

    return FirmwareError, VisionError


def _told(error: Exception) -> CompanionError:
    from companion.sensing import board_words, vision_words

    board, _ = _library_errors()
    return board_words.told(error) if isinstance(error, board) else vision_words.told(error)


_NAMED_WRONG = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP)
"""Errors of a path that does not fit."""
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
"""Errors of missing permission."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a full disk or quota."""
_SHORT = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
"""Errors of a machine that is short of memory, files or processes."""
_NEXT_STEPS = {
    **dict.fromkeys(_NAMED_WRONG, text("check the path")),
    **dict.fromkeys(_FORBIDDEN, text("check whose it is and who may write there")),
    **dict.fromkeys(_FULL, text("free some space")),
    **dict.fromkeys(_SHORT, text("close other programs and try again")),
    errno.EIO: text("the disk, the card or a cable may be failing: copy what matters elsewhere first"),
    errno.EADDRINUSE: text("another program uses it: is one of this kind running already?"),
}
"""Error number of the operating system -> next step for people."""


def complain_of_system(error: OSError) -> int:
    """Print one line about an error of the operating system.

    Returns the exit status. 2: a path is wrong or forbidden, or its disk is full. 1: every other error.
    """
    what = system_words(error)
    names = (name for name in (error.filename, error.filename2) if isinstance(name, str | bytes | os.PathLike))
    where = " and ".join(os.fsdecode(name) for name in names)
    step = _NEXT_STEPS.get(error.errno or 0, text("try again; companion doctor says what works"))
    told = CompanionError(what, where=where[:LONGEST_LINE], next_step=step).told
    say(text("companion: {error}", error=told), err=True)
    return 2 if error.errno in _NAMED_WRONG + _FORBIDDEN + _FULL else 1


def _check_language() -> None:
    """Check that the environment names a language of this program. BadInputError if not."""
    wanted = os.environ.get(CHOSEN, "")
    if wanted and not known(wanted):
        raise BadInputError(
            text("no language is called {name}", name=repr(wanted[:20])),
            where=CHOSEN,
            next_step=text("choose one of: {names}", names=tuple(LANGUAGES)),
        )


def _check_letters(arguments: list[str]) -> None:
    """Check that arguments are valid UTF-8.

    BadInputError if not, as no file or journal could hold them.
    """
    for argument in arguments:
        if any("\ud800" <= letter <= "\udfff" for letter in argument):
            raise BadInputError(
                text("not UTF-8"), where=repr(argument[:80]), next_step=text("write it in letters")
            )


def _complain(error: click.ClickException) -> None:
    """Print an error of click in one line.

    Help that click shows instead of an error stays as it is.
    """
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
