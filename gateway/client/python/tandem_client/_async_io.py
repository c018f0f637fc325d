"""Waiting and connections of the asyncio client. A connection belongs to the loop that runs when it is opened: under
another loop (a second ``asyncio.run``) it is opened again, so that nothing of a closed loop is used."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urlsplit

import httpx

from ._flows import Connect, Effect, Flow, Pause, Read, Send, Write
from ._patience import unreachable
from ._settings import Place
from ._stream import StreamState
from .messages import StreamMessage

T = TypeVar("T")

CONNECT_TIMEOUT = 10.0
CHUNK = 65_536


class AsyncClients:
    """The HTTP connections of a client, and of those that share them."""

    def __init__(self) -> None:
        self._open: tuple[asyncio.AbstractEventLoop, Place, httpx.AsyncClient] | None = None

    def of(self, place: Place) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if self._open is not None and self._open[0] is loop and self._open[1] == place:
            return self._open[2]
        # A proxy of the environment is not for a gateway on this machine.
        transport = httpx.AsyncHTTPTransport(uds=place.socket_path) if place.socket_path else None
        client = httpx.AsyncClient(transport=transport, trust_env=False)
        self._open = (loop, place, client)
        return client

    async def aclose(self) -> None:
        there, self._open = self._open, None
        if there is not None and there[0] is asyncio.get_running_loop():
            await there[2].aclose()


class AsyncEventStream(AsyncIterator[StreamMessage]):
    """Events, one after the other, through lost connections. Read by one task.

    A wait for the next message may be cancelled, as by ``asyncio.wait_for``: no message is lost by it.
    """

    def __init__(self, state: StreamState, send: Any) -> None:
        self._state = state
        self._send = send
        self._line = AsyncLine()
        self._runner: AsyncRunner[StreamMessage] | None = None
        self._is_closed = False

    @property
    def seq(self) -> dict[str, int]:
        """Private channel → number of the last event that was taken: ``resume_from`` of a later stream."""
        return self._state.seq

    @property
    def is_connected(self) -> bool:
        """Whether it stands. While it does not, prices are old, and where it is the gateway that has ended, nothing
        watches take-profit, stop-loss and triggers."""
        return self._state.is_connected

    async def get(self, timeout: float) -> StreamMessage | None:
        """The next message; None when none came in so many seconds. Raises StopAsyncIteration once it is closed."""
        try:
            return await asyncio.wait_for(self.__anext__(), timeout)
        except TimeoutError:
            return None

    async def __anext__(self) -> StreamMessage:
        if self._is_closed:
            raise StopAsyncIteration
        runner = self._runner or AsyncRunner(self._state.next(), self._send, self._line)
        self._runner = runner
        try:
            message = await runner.run()
        except Exception:
            # Closed by another task, or refused for good.
            was_closed, self._is_closed = self._is_closed, True
            self._line.release()
            if was_closed:
                raise StopAsyncIteration from None
            raise
        self._runner = None
        return message

    async def aclose(self) -> None:
        """Ends the stream, also while another task waits in it."""
        self._is_closed = True
        self._line.stop()

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<AsyncEventStream {'closed' if self._is_closed else 'open'}, seq {self.seq}>"


class Stopped(Exception):
    """The stream was closed while something waited in it."""


class Arrivals(asyncio.Protocol):
    """Keeps what arrives until it is taken, so that a wait can be cancelled at any moment."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._transport: asyncio.Transport | None = None
        self._news: asyncio.Future[None] | None = None
        self._is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._data += data
        if len(self._data) > CHUNK and self._transport is not None:
            self._transport.pause_reading()
        self._tell()

    def connection_lost(self, error: Exception | None) -> None:
        self._is_over = True
        self._tell()

    def write(self, data: bytes) -> None:
        # What is written is short; a broken connection is told by the next read.
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def read(self, timeout: float) -> bytes | None:
        if not self._data and not self._is_over:
            self._news = asyncio.get_running_loop().create_future()
            # Not asyncio.timeout: what a timed-out request of httpx leaves behind in the task confuses that.
            await asyncio.wait([self._news], timeout=timeout)
            self._news = None
        if not self._data:
            return b"" if self._is_over else None
        data, self._data = bytes(self._data), bytearray()
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()
        return data

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)


class AsyncLine:
    """The socket of a stream. ``stop`` ends every wait on it."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._there: Arrivals | None = None
        self._sleeping: asyncio.Future[None] | None = None
        self._is_stopped = False

    def stop(self) -> None:
        self._is_stopped = True
        if self._sleeping is not None and not self._sleeping.done():
            self._sleeping.set_result(None)
        # Whoever reads from it is told of its end.
        self.release()

    def release(self) -> None:
        there, self._there = self._there, None
        if there is not None and self._loop is not None and not self._loop.is_closed():
            there.abort()

    async def pause(self, seconds: float) -> None:
        self._raise_if_stopped()
        self._sleeping = asyncio.get_running_loop().create_future()
        await asyncio.wait([self._sleeping], timeout=seconds)
        self._sleeping = None
        self._raise_if_stopped()

    async def connect(self, place: Place) -> None:
        self.release()
        self._loop = asyncio.get_running_loop()
        try:
            self._there = await asyncio.wait_for(opened(place), CONNECT_TIMEOUT)
        except OSError as error:
            raise unreachable(place.url) from error
        if self._is_stopped:
            self.release()
            raise Stopped

    def write(self, data: bytes) -> None:
        if data and self._there is not None:
            self._there.write(data)

    async def read(self, timeout: float) -> bytes | None:
        self._raise_if_stopped()
        # Of a loop that has ended: as lost as one of a gateway that has.
        if self._there is None or self._loop is not asyncio.get_running_loop():
            return b""
        data = await self._there.read(timeout)
        self._raise_if_stopped()
        return data

    def _raise_if_stopped(self) -> None:
        if self._is_stopped:
            raise Stopped


async def opened(place: Place) -> Arrivals:
    loop = asyncio.get_running_loop()
    if place.socket_path is not None:
        return (await loop.create_unix_connection(Arrivals, place.socket_path))[1]
    parts = urlsplit(place.url)
    is_secure = parts.scheme == "https"
    context = ssl.create_default_context() if is_secure else None
    port = parts.port or (443 if is_secure else 80)
    return (await loop.create_connection(Arrivals, parts.hostname or "", port, ssl=context))[1]


class AsyncRunner(Generic[T]):
    """Runs a flow by awaiting. A wait that is cancelled is taken up again by the next ``run``, and ends when it would
    have ended: who looks every second waits no longer than who waits at once."""

    def __init__(self, flow: Flow[T], send: Any, line: AsyncLine) -> None:
        self._flow = flow
        self._send = send
        self._line = line
        self._pending: Effect | None = None
        self._until: float | None = None
        """When the pending wait is over, of ``time.monotonic``."""

    async def run(self) -> T:
        flow = self._flow
        try:
            effect = self._pending or next(flow)
            while True:
                self._pending = effect
                try:
                    outcome = await self._perform(effect)
                except Stopped:
                    raise
                except Exception as error:
                    self._pending = self._until = None
                    effect = flow.throw(error)
                else:
                    self._pending = self._until = None
                    effect = flow.send(outcome)
        except StopIteration as stop:
            value: T = stop.value
            return value

    async def _perform(self, effect: Effect) -> Any:
        line = self._line
        if isinstance(effect, Send):
            return await self._send(effect)
        if isinstance(effect, Pause):
            return await line.pause(self._left(effect.seconds))
        if isinstance(effect, Read):
            return await line.read(self._left(effect.timeout))
        if isinstance(effect, Connect):
            return await line.connect(effect.place)
        if isinstance(effect, Write):
            return line.write(effect.data)
        return line.release()

    def _left(self, seconds: float) -> float:
        now = time.monotonic()
        if self._until is None:
            self._until = now + seconds
        return max(self._until - now, 0.0)


async def run_flow(flow: Flow[T], send: Any, timeout: float | None) -> T:
    """Runs a flow to its end. Raises TimeoutError after ``timeout`` seconds; None: however long it takes."""
    line = AsyncLine()
    try:
        return await asyncio.wait_for(AsyncRunner(flow, send, line).run(), timeout)
    finally:
        flow.close()
        line.release()
