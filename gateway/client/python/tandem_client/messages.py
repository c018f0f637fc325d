"""What an event stream hands to its caller, told apart by ``kind`` or by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class Subscribed:
    """The gateway has confirmed the subscription: at the start, and again after each lost connection.

    ``seq``: private channel → number after which every event follows. Keep it to resume after a restart of the program.
    """

    seq: Mapping[str, int]
    kind: Literal["subscribed"] = field(default="subscribed", repr=False)


@dataclass(frozen=True)
class AccountEvent:
    """An event of a trade account. No event is left out and none comes twice.

    ``entity_id`` is, for executions, the execution's: read it over HTTP for its state. ``mode`` says whose money it is;
    ``network`` is None where it is not ``LIVE``.
    """

    channel: str
    event: str
    seq: int
    timestamp: str
    entity_id: str
    mode: Literal["PAPER", "LIVE"] | None
    network: Literal["mainnet", "testnet"] | None
    kind: Literal["event"] = field(default="event", repr=False)


@dataclass(frozen=True)
class Resync:
    """The gateway has dropped missed events: read the state anew over HTTP; events after ``seq`` follow."""

    channel: str
    seq: int
    mode: Literal["PAPER", "LIVE"] | None
    network: Literal["mainnet", "testnet"] | None
    kind: Literal["resync"] = field(default="resync", repr=False)


@dataclass(frozen=True)
class MarketRows:
    """Rows of a public channel: all of them first and after a lost connection (``snapshot``), then those that changed."""

    kind: Literal["snapshot", "update"]
    channel: str
    timestamp: str
    rows: Sequence[Mapping[str, Any]]

    def __repr__(self) -> str:
        return f"MarketRows({self.kind} of {self.channel}, {self.timestamp}, {len(self.rows)} rows)"


StreamMessage: TypeAlias = Subscribed | AccountEvent | Resync | MarketRows


def read_channel_message(message: Mapping[str, Any]) -> AccountEvent | Resync | MarketRows:
    channel: str = message["channel"]
    seq: int | None = message.get("seq")
    data = message.get("data")
    if seq is None:
        kind: Literal["snapshot", "update"] = "snapshot" if message["event"] == "snapshot" else "update"
        return MarketRows(kind, channel, message["timestamp"], data if isinstance(data, list) else [])
    mode, network = message.get("mode"), message.get("network")
    if not isinstance(data, dict) or "entityId" not in data:
        return Resync(channel, seq, mode, network)
    return AccountEvent(
        channel, message["event"], seq, message["timestamp"], data["entityId"], mode, network
    )
