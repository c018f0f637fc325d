# `npm run build` makes _sync.py from this file: build/python-sync.ts.
"""The client of one gateway."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from typing import Any, TypeVar, cast

import httpx

from ._async_io import AsyncClients, AsyncEventStream, run_flow
from ._async_lists import AsyncPages, AsyncRows
from ._flows import Core, Flow, Send
from ._patience import unreachable
from ._routes import ROUTES, AsyncRoutes
from ._settings import find_gateway
from ._stream import ResumePoint, StreamState, ended
from .errors import NoAnswer
from .schemas import Execution

T = TypeVar("T")


class AsyncTandem(AsyncRoutes):
    """A client of one gateway, for one key and, usually, one trade account.

    ``url``: default ``TANDEM_URL``, else the gateway of the data folder (with a saved key), else port 7391 here.
    ``api_key``: default ``TANDEM_API_KEY``, else the key that ``tandem keys create --save`` has saved.
    ``account``: id or alias; default ``TANDEM_ACCOUNT``, else the caller's only one with play money.
    ``timeout``: seconds of one request. ``unreachable_after``: seconds after which waiting for a gateway that nobody
    answers at ends with ``GatewayUnreachable``; None: never.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        account: str | None = None,
        data_dir: str | os.PathLike[str] | None = None,
        timeout: float = 10.0,
        unreachable_after: float | None = 20.0,
    ) -> None:
        gateway = find_gateway(url, api_key, data_dir)
        self._core = Core(gateway, account or os.environ.get("TANDEM_ACCOUNT"), timeout, unreachable_after)
        self._clients = AsyncClients()
        self._streams: weakref.WeakSet[AsyncEventStream] = weakref.WeakSet()

    def on_account(self, account: str) -> AsyncTandem:
        """The same client on another trade account, by id or alias. It shares the connections of this one."""
        other = object.__new__(AsyncTandem)
        core = self._core
        other._core = Core(core.gateway, account, core.timeout, core.unreachable_after)
        other._clients, other._streams = self._clients, self._streams
        return other

    async def account_id(self) -> str:
        """Id of the trade account, asked for where it is not known yet."""
        return await self._run(self._core.account_id())

    async def account_channel(self) -> str:
        """The private channel of the trade account."""
        return f"user:{await self.account_id()}"

    async def ended(
        self, execution_id: str, *, account: str | None = None, timeout: float | None = None
    ) -> Execution:
        """Waits until the execution has ended, through lost connections and restarts: a 202 does not mean filled.

        Where filled legs are closed again (``onLegFailure: UNWIND``), until that has ended too.

        Raises TimeoutError after ``timeout`` seconds; default: however long it takes.
        """
        flow = cast("Flow[Execution]", ended(self._core, execution_id, account))
        try:
            return await self._run(flow, timeout)
        except TimeoutError:
            raise TimeoutError(f"Execution {execution_id} has not ended within {timeout:g} s") from None

    def events(
        self,
        channels: Sequence[str] | None = None,
        *,
        resume_from: ResumePoint | None = None,
        account: str | None = None,
    ) -> AsyncEventStream:
        """Events of the trade account or, with ``channels``, of them: ``user:…``, ``prices:paper``, ``status``, …"""
        stream = AsyncEventStream(StreamState(self._core, channels, resume_from, account), self._send)
        self._streams.add(stream)
        return stream

    async def aclose(self) -> None:
        """Closes its streams and connections. ``Tandem`` may be closed from any thread, and as often as one likes."""
        for stream in list(self._streams):
            await stream.aclose()
        await self._clients.aclose()

    async def __aenter__(self) -> AsyncTandem:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        account = self._core.account
        return f"<AsyncTandem {self._core.gateway.name}" + (f", account {account}>" if account else ">")

    async def _call(self, route: str, given: dict[str, Any]) -> Any:
        return await self._run(self._core.call(route, given))

    async def _place(self, route: str, given: dict[str, Any]) -> Any:
        return await self._run(self._core.place(route, given))

    def _pages(self, route: str, given: dict[str, Any]) -> Any:
        return AsyncPages[Any](lambda cursor: self._run(self._core.page(route, given, cursor)), route)

    def _rows(self, route: str, given: dict[str, Any]) -> Any:
        return AsyncRows[Any](self._pages(route, given), ROUTES[route], route)

    async def _run(self, flow: Flow[T], timeout: float | None = None) -> T:
        return await run_flow(flow, self._send, timeout)

    async def _send(self, effect: Send) -> Any:
        core = self._core
        request = core.http(effect.route, effect.request)
        place = core.gateway.locate()
        try:
            answer = await self._clients.of(place).request(
                request.method,
                place.url + request.target,
                headers=request.headers,
                content=request.content,
                timeout=request.timeout,
            )
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise unreachable(core.gateway.name) from error
        except httpx.TimeoutException as error:
            raise NoAnswer(f"{effect.route}: no answer in time") from error
        except httpx.HTTPError as error:
            raise NoAnswer(f"{effect.route}: the connection broke") from error
        return core.answer(effect.route, answer.status_code, answer.content, answer.headers.get("x-request-id"))
