"""Events over many connections: a lost one is made again and resumed after the last event that the caller has taken.

So no event of an account is missed and none comes twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ._flows import Connect, Core, Disconnect, Flow, Pause, Read, Write
from ._patience import Patience
from ._wire import Wire
from .errors import GatewayUnreachable, StreamRefused, TandemError, is_unsure
from .messages import AccountEvent, StreamMessage, Subscribed, read_channel_message

PING = 15.0
SILENCE = 45.0
"""A connection counts as lost after so much silence despite pings: a sleeping machine is not told of its end."""
LONGEST_PAUSE = 5.0
RUNNING = ("IDLE", "ACTIVE")
PASSING = frozenset(["INTERNAL_ERROR"])
"""Error codes of the gateway after which another attempt may succeed."""


ResumePoint: TypeAlias = "int | Mapping[str, int] | AccountEvent"
"""``seq`` of the only account, ``seq`` by private channel (``stream.seq``), or the last event that was taken."""


def resume_points(point: ResumePoint | None, channels: Sequence[str] | None) -> dict[str, int]:
    """Private channel → ``seq``. ``channels``: None while they are not known. Raises TandemError for any other point."""
    if point is None:
        return {}
    own = None if channels is None else [name for name in channels if name.startswith("user:")]
    if isinstance(point, AccountEvent):
        point = {point.channel: point.seq}
    elif isinstance(point, int) and not isinstance(point, bool):
        if own is None or len(own) != 1:
            raise TandemError("resume_from: a number is of a stream with one account: name the channel")
        point = {own[0]: point}
    elif not isinstance(point, Mapping):
        raise TandemError("resume_from: expected a seq, the seq by channel, or the last event")
    for channel, seq in point.items():
        if own is not None and channel not in own:
            raise TandemError(f"resume_from: {channel} is no private channel of this stream")
        if not isinstance(seq, int) or isinstance(seq, bool) or seq < 0:
            raise TandemError(f"resume_from: {seq!r} is no seq")
    return dict(point)


class StreamState:
    """Where a stream stands. ``next`` is a flow; a wait inside it can be broken off and taken up again."""

    def __init__(
        self, core: Core, channels: Sequence[str] | None, resume_from: ResumePoint | None, account: str | None
    ) -> None:
        self._core = core
        self._channels = None if channels is None else list(channels)
        self._account = account
        self._resume_from = resume_from
        self._seen: dict[str, int] = {}
        # Those of the account are known once it is looked up.
        if self._channels is not None or isinstance(resume_from, Mapping):
            self._seen = resume_points(resume_from, self._channels)
        self._ready: deque[StreamMessage] = deque()
        self._wire: Wire | None = None
        self._quiet = 0.0
        self._must_wait = False
        self._is_subscribed = False
        self._patience = Patience(LONGEST_PAUSE)
        self._absence = core.absence()

    @property
    def seq(self) -> dict[str, int]:
        """Private channel → last event that was taken: to resume after a restart of the program."""
        return dict(self._seen)

    @property
    def is_connected(self) -> bool:
        return self._is_subscribed and self._wire is not None and self._wire.is_open and not self._wire.is_closed

    def next(self) -> Flow[StreamMessage]:
        while not self._ready:
            yield from self._go_on()
        message = self._ready.popleft()
        if isinstance(message, Subscribed):
            for channel, seq in message.seq.items():
                self._seen.setdefault(channel, seq)
            return Subscribed(dict(self._seen))
        if message.kind == "event" or message.kind == "resync":
            self._seen[message.channel] = message.seq
        return message

    def _go_on(self) -> Flow[None]:
        if self._wire is None:
            yield from self._connect()
            return
        wire = self._wire
        if not wire.is_closed:
            arrived: bytes | None = yield Read(PING)
            if arrived is None:
                self._quiet += PING
                if wire.is_open and self._quiet < SILENCE:
                    wire.send({"op": "ping"})
                    yield Write(wire.outgoing())
                    return
                arrived = b""
            self._quiet = 0.0
            was_open = wire.is_open
            wire.feed(arrived)
            if wire.is_open and not was_open:
                self._absence.answered()
                self._greet(wire)
            while wire.messages:
                self._take(wire, wire.messages.popleft())
            yield Write(wire.outgoing())
        if wire.is_closed:
            yield Disconnect()
            self._wire = None
            self._is_subscribed = False
            self._must_wait = True
            if not wire.is_open:
                # A gateway that is starting refuses too.
                self._raise_if_absent(None if wire.refused is None else refused(wire.refused))

    def _connect(self) -> Flow[None]:
        if self._must_wait:
            self._must_wait = False
            yield Pause(self._patience.seconds())
        try:
            if self._channels is None:
                self._channels = [f"user:{(yield from self._core.account_id(self._account))}"]
                self._seen = resume_points(self._resume_from, self._channels)
            place = self._core.gateway.locate()
            yield Connect(place)
        except TandemError as error:
            if not is_unsure(error):
                raise
            self._must_wait = True
            self._raise_if_absent(error)
            return
        self._quiet = 0.0
        self._wire = Wire(place.url.replace("http", "ws", 1) + "/ws")
        yield Write(self._wire.outgoing())

    def _raise_if_absent(self, error: TandemError | None) -> None:
        gone = self._absence.missed()
        if gone is not None and isinstance(error, StreamRefused):
            raise error
        if gone is not None:
            raise gone from error

    def _greet(self, wire: Wire) -> None:
        key = self._core.gateway.api_key
        if key is not None and any(name.startswith("user:") for name in self._channels or ()):
            wire.send({"op": "auth", "id": "auth", "apiKey": key})
        else:
            self._subscribe(wire)

    def _subscribe(self, wire: Wire) -> None:
        message: dict[str, Any] = {"op": "subscribe", "id": "subscribe", "channels": self._channels}
        accounts = [name for name in self._channels or () if name.startswith("user:")]
        if self._seen:
            is_plain = len(accounts) == 1 and list(self._seen) == accounts
            message["resumeFrom"] = self._seen[accounts[0]] if is_plain else self._seen
        wire.send(message)

    def _take(self, wire: Wire, message: Mapping[str, Any]) -> None:
        op = message.get("op")
        if op is None:
            self._ready.append(read_channel_message(message))
        elif op == "error":
            wire.close()
            code = str(message.get("code", "INTERNAL_ERROR"))
            if code not in PASSING:
                raise StreamRefused(code, str(message.get("message", "")))
        elif op == "ack" and message.get("id") == "auth":
            self._subscribe(wire)
        elif op == "ack":
            self._patience.reset()
            self._is_subscribed = True
            self._ready.append(Subscribed(message.get("seq") or {}))


def ended(core: Core, execution_id: str, account: str | None) -> Flow[Any]:
    """The execution as it ended. Listening begins before reading, so that an end between the two is not missed.

    What closes its filled legs again has ended by then too.
    """
    stream = StreamState(core, None, None, account)
    patience, absence = Patience(2.0), core.absence()
    may_listen = True
    while True:
        if may_listen:
            try:
                message = yield from stream.next()
            except StreamRefused:
                # Whoever may read executions without receiving events reads them again and again.
                may_listen = False
            else:
                if isinstance(message, AccountEvent) and (
                    message.entity_id != execution_id or not message.event.startswith("execution.")
                ):
                    continue
        while True:
            try:
                execution = yield from core.read_execution(execution_id, account)
                unwinding = yield from core.unwinding_of(execution, account)
                break
            except TandemError as error:
                if not is_unsure(error):
                    raise
                if isinstance(error, GatewayUnreachable):
                    gone = absence.missed()
                    if gone is not None:
                        raise gone from error
                else:
                    absence.answered()
            yield Pause(patience.seconds())
        if execution["status"] not in RUNNING:
            if unwinding is not None and unwinding["status"] in RUNNING:
                yield from ended(core, unwinding["id"], account)
            return execution
        absence.answered()
        if not may_listen:
            yield Pause(patience.seconds())


def refused(status: int) -> StreamRefused:
    return StreamRefused(f"HTTP_{status}", f"Who answers there has no stream of events (status {status})")
