"""What the client has to know of a route beside its types."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RouteFacts:
    is_public: bool = False
    takes_account: bool = False
    needs_account: bool = False
    takes_key: bool = False
    """The route places something once per ``Idempotency-Key``."""
    rows: str | None = None
    """Name of the one list of its answer."""
    columns: tuple[str, ...] = ()
    """What a row of the list may have."""
    money: tuple[str, ...] = ()
    """Columns of the list that are exact decimals."""
    times: tuple[str, ...] = ()
