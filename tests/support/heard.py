"""A session that hears observations while time passes."""

import msgspec

from companion.core.clock import ManualClock
from companion.sensing.observation import Observation
from companion.session.session import Session


def hear(session: Session, clock: ManualClock, *observations: Observation, seconds: float = 1) -> None:
    """The session takes these observations now, and nothing for some seconds."""
    now = clock.now()
    session.take(now, [msgspec.structs.replace(one, t=now) for one in observations])
    for _ in range(round(seconds / 0.5)):
        clock.sleep(0.5)
        session.take(clock.now(), [])
