"""Waiting and connections of the blocking client. It has no event loop and no thread of its own: it works in a
notebook, whose loop is running already, in several threads at once, and leaves nothing open when the interpreter ends."""

from __future__ import annotations

import socket
import ssl
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any, Generic, TypeVar
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


class Stopped(Exception):
    """The stream was closed while something waited in it."""


class Timely(Exception):
    """The time that the caller gave is over; the wait can be taken up again."""


class Clients:
    """The HTTP connections of a client, and of those that share them. Closed at the latest when the interpreter ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[Place, httpx.Client] = {}
        weakref.finalize(self, close_all, self._open)

    def of(self, place: Place) -> httpx.Client:
        with self._lock:
            there = self._open.get(place)
            if there is not None:
                return there
            # A proxy of the environment is not for a gateway on this machine.
            transport = httpx.HTTPTransport(uds=place.socket_path) if place.socket_path else None
            client = self._open[place] = httpx.Client(transport=transport, trust_env=False)
            return client

    def close(self) -> None:
        with self._lock:
            close_all(self._open)


def close_all(clients: dict[Place, httpx.Client]) -> None:
    while clients:
        clients.popitem()[1].close()


class EventStream(Iterator[StreamMessage]):
    """Events, one after the other, through lost connections. Read by one thread; closed by any.

    ``for message in stream`` waits for each; ``get(timeout)`` gives None when none came in time.
    """

    def __init__(self, state: StreamState, send: Any) -> None:
        self._state = state
        self._send = send
        self._line = Line()
        self._runner: Runner[StreamMessage] | None = None
        self._reading = threading.Lock()

    @property
    def seq(self) -> dict[str, int]:
        """Private channel → number of the last event that was taken: ``resume_from`` of a later stream."""
        return self._state.seq

    @property
    def is_connected(self) -> bool:
        """Whether it stands. While it does not, prices are old, and where it is the gateway that has ended, nothing
        watches take-profit, stop-loss and triggers."""
        return self._state.is_connected

    def get(self, timeout: float) -> StreamMessage | None:
        """The next message; None when none came in so many seconds. Raises StopIteration once it is closed."""
        try:
            return self._next(time.monotonic() + timeout)
        except Timely:
            return None

    def __next__(self) -> StreamMessage:
        return self._next(None)

    def _next(self, deadline: float | None) -> StreamMessage:
        with self._reading:
            if self._line.is_stopped:
                raise StopIteration
            runner = self._runner or Runner(self._state.next(), self._send, self._line)
            self._runner = runner
            try:
                message = runner.run(deadline)
            except Timely:
                raise
            except Stopped:
                self._line.release()
                raise StopIteration from None
            except Exception:
                self._line.stop()
                self._line.release()
                raise
            self._runner = None
            return message

    def close(self) -> None:
        """Ends the stream, also while another thread waits in it."""
        self._line.stop()
        # Whoever is reading lets go of the socket itself.
        if self._reading.acquire(blocking=False):
            try:
                self._line.release()
            finally:
                self._reading.release()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        line = getattr(self, "_line", None)
        if line is not None:
            line.stop()
            line.release()

    def __repr__(self) -> str:
        return f"<EventStream {'closed' if self._line.is_stopped else 'open'}, seq {self.seq}>"


class Line:
    """The socket of a stream. ``stop`` ends every wait on it, from any thread."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._stopped = threading.Event()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        self._stopped.set()
        there = self._socket
        if there is not None:
            try:
                # Unlike closing, this wakes up whoever waits for it.
                socket.socket.shutdown(there, socket.SHUT_RDWR)
            except OSError:
                pass

    def release(self) -> None:
        there, self._socket = self._socket, None
        if there is not None:
            there.close()

    def pause(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise Stopped

    def connect(self, place: Place) -> None:
        self.release()
        try:
            self._socket = opened(place)
        except OSError as error:
            raise unreachable(place.url) from error
        if self.is_stopped:
            raise Stopped

    def write(self, data: bytes) -> None:
        if data and self._socket is not None:
            try:
                self._socket.settimeout(CONNECT_TIMEOUT)
                self._socket.sendall(data)
            except OSError:
                # The next read tells of the end.
                pass

    def read(self, timeout: float) -> bytes | None:
        if self._socket is None:
            return b""
        try:
            self._socket.settimeout(max(timeout, 0.001))
            data = self._socket.recv(CHUNK)
        except TimeoutError:
            data = None
        except OSError:
            data = b""
        if self.is_stopped:
            raise Stopped
        return data


def opened(place: Place) -> socket.socket:
    if place.socket_path is not None:
        local = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            local.settimeout(CONNECT_TIMEOUT)
            local.connect(place.socket_path)
        except OSError:
            local.close()
            raise
        return local
    parts = urlsplit(place.url)
    is_secure = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if is_secure else 80)
    plain = socket.create_connection((host, port), CONNECT_TIMEOUT)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not is_secure:
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except OSError:
        plain.close()
        raise


class Runner(Generic[T]):
    """Runs a flow by waiting. A wait that is broken off, by time or by Ctrl-C, is taken up again by the next ``run``,
    and ends when it would have ended: who looks every second waits no longer than who waits at once."""

    def __init__(self, flow: Flow[T], send: Any, line: Line) -> None:
        self._flow = flow
        self._send = send
        self._line = line
        self._pending: Effect | None = None
        self._until: float | None = None
        """When the pending wait is over, of ``time.monotonic``."""

    def run(self, deadline: float | None) -> T:
        """Raises Timely when the deadline (of ``time.monotonic``) is over."""
        flow = self._flow
        try:
            effect = self._pending or next(flow)
            while True:
                self._pending = effect
                try:
                    outcome = self._perform(effect, deadline)
                except (Timely, Stopped):
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

    def _perform(self, effect: Effect, deadline: float | None) -> Any:
        now = time.monotonic()
        left = None if deadline is None else deadline - now
        line = self._line
        if isinstance(effect, (Pause, Read)):
            if self._until is None:
                self._until = now + (effect.seconds if isinstance(effect, Pause) else effect.timeout)
            wanted = max(self._until - now, 0.0)
            is_short = left is not None and left < wanted
            seconds = max(left, 0.0) if is_short and left is not None else wanted
            if isinstance(effect, Pause):
                line.pause(seconds)
                data = None
            else:
                data = line.read(seconds)
            if is_short and data is None:
                raise Timely
            return data
        if isinstance(effect, Send):
            return self._send(effect)
        if isinstance(effect, Connect):
            return line.connect(effect.place)
        if isinstance(effect, Write):
            return line.write(effect.data)
        return line.release()


def run_flow(flow: Flow[T], send: Any, timeout: float | None) -> T:
    """Runs a flow to its end. Raises TimeoutError after ``timeout`` seconds; None: however long it takes."""
    line = Line()
    try:
        return Runner(flow, send, line).run(None if timeout is None else time.monotonic() + timeout)
    except Timely:
        raise TimeoutError from None
    finally:
        flow.close()
        line.release()
