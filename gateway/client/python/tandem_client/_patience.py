"""Growing pauses, and how long nobody answered."""

from __future__ import annotations

import time

from .errors import GatewayUnreachable

FIRST = 0.2


class Patience:
    """0.2 s, 0.4 s, … up to a limit; ``reset`` begins again."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._next = FIRST

    def reset(self) -> None:
        self._next = FIRST

    def seconds(self) -> float:
        seconds = self._next
        self._next = min(self._limit, seconds * 2)
        return seconds


class Absence:
    """For how long every attempt of one wait found nobody: at the limit the wait ends with ``GatewayUnreachable``.

    Only attempts count: a program that did nothing for an hour has not waited for an hour.
    """

    def __init__(self, url: str, limit: float | None) -> None:
        self._url = url
        self._limit = limit
        self._since: float | None = None

    def answered(self) -> None:
        self._since = None

    def missed(self) -> GatewayUnreachable | None:
        """The error with which to end, once nobody has answered for the stated time."""
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if self._limit is None or now - self._since < self._limit:
            return None
        return unreachable(self._url, self._limit)


def unreachable(url: str, seconds: float | None = None) -> GatewayUnreachable:
    since = "" if seconds is None else f" for {seconds:g} s"
    return GatewayUnreachable(
        f"Nobody answers at {url}{since}: start the gateway (tandem start), or give its address as `url` or in TANDEM_URL"
    )
