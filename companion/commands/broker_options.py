"""Options on an MQTT broker and its login.

Several commands have them.
"""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.language import choose, text, use
from companion.core.option_types import FILE_PATH, is_host
from companion.core.optional_packages import needing

if TYPE_CHECKING:
    from companion.bridges.mqtt.broker import BrokerAddress

PASSWORD = "COMPANION_MQTT_PASSWORD"
"""Name of the environment variable that holds the MQTT broker's password.

No option takes the password, because everybody on the machine can read command lines.
"""


def broker_options(*, required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that adds MQTT broker options to a command.

    The command is one of click. The options are --broker, --username, --password-file, --tls and --ca;
    `broker_address` reads their values. `required`: --broker must be given.
    """
    return partial(_with_options, required)


def _with_options(required: bool, command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the five broker options to a command; return it.

    The options are those that `broker_address` reads. `required`: --broker must be given.
    """
    for option in (
        click.option("--ca", type=FILE_PATH, help="Certificates of who signed the broker's; means --tls."),
        click.option("--tls", is_flag=True, help="Encrypted, on port 8883 if none is named."),
        click.option("--password-file", type=FILE_PATH, help=f"File with the password; or set {PASSWORD}."),
        click.option("--username", default="", help="Name to log in with."),
        click.option("--broker", required=required, metavar="HOST[:PORT]", help="The MQTT broker."),
    ):
        command = option(command)
    return command


def broker_address(
    broker: str, username: str, password_file: Path | None, tls: bool, ca: Path | None
) -> "BrokerAddress":
    """Address and login of an MQTT broker, from command-line options.

    `broker`: HOST or HOST:PORT; without a port the returned port is 0. `username`: "" for none. `tls`: the
    connection is encrypted. `ca`: file of certificates; None: the system's. The password is the content of
    `password_file`, or without that file the environment variable named by PASSWORD. BadInputError for a wrong
    address or password file, or if the package for brokers is not installed.
    """
    use(choose(load_config().language))
    with needing("paho", text("brokers need a package that is not installed ({name})")):
        from companion.bridges.mqtt.broker import BrokerAddress
    with_port = broker.count(":") == 1 or "]:" in broker  # an IPv6 address has colons of its own
    host, _, port = broker.rpartition(":") if with_port else (broker, "", "")
    host = host.removeprefix("[").removesuffix("]")
    if not is_host(host) or not (port or "1").isdecimal() or not port.isascii():
        raise BadInputError(
            text("no address of a broker: {broker}", broker=repr(broker)),
            where="--broker",
            next_step="--broker HOST[:PORT]",
        )
    if not 0 < int(port or 1) < 65536:
        raise BadInputError(
            text("no port: {port}", port=port), where="--broker", next_step=text("1883 is the usual one")
        )
    password = os.environ.get(PASSWORD, "")
    if password_file is not None:
        try:
            password = password_file.read_text(encoding="utf-8-sig").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            said = getattr(error, "strerror", None) or "not UTF-8"
            raise BadInputError(
                said, where=str(password_file), next_step=text("check --password-file")
            ) from None
    return BrokerAddress(host, int(port or 0), username, password, tls, ca)
