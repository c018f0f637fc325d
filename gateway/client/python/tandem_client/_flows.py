"""What the client does, apart from how it waits: generators that say what they need and are told the outcome.

The blocking client and the asyncio client run the same flows, each in its own way of waiting.
"""

from __future__ import annotations

import difflib
import json
import re
import secrets
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

from ._patience import Absence, Patience
from ._routes import ROUTES
from ._settings import Gateway, Place
from .errors import (
    GatewayUnreachable,
    OutcomeUnknown,
    ResourceBusy,
    ResourceNotFound,
    TandemError,
    TradeAccountNotChosen,
    UnexpectedAnswer,
    is_unsure,
    refusal_of,
)
from .schemas import Execution, TradeAccount

T = TypeVar("T")

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
READABLE = frozenset(
    [
        "POST /trade/open",
        "POST /positions/{id}/close",
        "POST /positions/{id}/adjust",
        "POST /positions/{id}/reverse",
        "POST /positions/{id}/rebalance",
    ]
)
"""Routes whose executions can be read by key; of others, the same request again gets the first answer."""
PATIENT: Mapping[str, float] = {
    "POST /trade-accounts": 120,
    "PUT /trade-accounts/{id}/credentials": 120,
    "POST /connectors/{id}/wallet-approvals": 120,
    "POST /connectors/{id}/wallet-approvals/{approvalId}": 120,
    "POST /connectors/{id}/check": 300,
}
"""Routes whose answer waits for a live venue; seconds."""
GIVE_UP_AFTER = 60.0
LONGEST_PAUSE = 2.0


@dataclass(frozen=True)
class Request:
    params: Mapping[str, Any] | None = None
    query: Mapping[str, Any] | None = None
    body: Any = None
    account: str | None = None
    timeout: float | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True)
class Send:
    """One HTTP request; the outcome is the parsed answer, or a TandemError."""

    route: str
    request: Request


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Connect:
    """Opens the stream's socket. Raises NoAnswer where it cannot."""

    place: Place


@dataclass(frozen=True)
class Write:
    data: bytes


@dataclass(frozen=True)
class Read:
    """What arrived; empty at the end of the connection, None when nothing did in time."""

    timeout: float


@dataclass(frozen=True)
class Disconnect:
    pass


Effect: TypeAlias = Send | Pause | Connect | Write | Read | Disconnect
Flow: TypeAlias = Generator[Effect, Any, T]


@dataclass(frozen=True)
class HttpRequest:
    method: str
    target: str
    headers: dict[str, str]
    content: bytes | None
    timeout: float


class Core:
    """What both clients share: the settings, and the trade account once it is known."""

    def __init__(
        self,
        gateway: Gateway,
        account: str | None,
        timeout: float,
        unreachable_after: float | None,
    ) -> None:
        self.gateway = gateway
        self.timeout = timeout
        self.unreachable_after = unreachable_after
        self._named = account
        self._account_id = account if account is not None and UUID.fullmatch(account) else None

    @property
    def account(self) -> str | None:
        """As far as it is known: the id, else as it was named."""
        return self._account_id or self._named

    def absence(self) -> Absence:
        return Absence(self.gateway.name, self.unreachable_after)

    def http(self, route: str, request: Request) -> HttpRequest:
        method, _, pattern = route.partition(" ")
        headers = {"accept": "application/json"}
        if self.gateway.api_key is not None:
            headers["x-api-key"] = self.gateway.api_key
        if request.account is not None:
            headers["x-trade-account-id"] = request.account
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        content = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(request.body).encode()
        timeout = request.timeout
        if timeout is None:
            timeout = max(self.timeout, PATIENT.get(route, 0.0))
        return HttpRequest(method, _target(pattern, request), headers, content, timeout)

    def answer(self, route: str, status: int, text: bytes, request_id: str | None) -> Any:
        is_good = 200 <= status < 300
        try:
            body = json.loads(text) if text else None
        except ValueError:
            if is_good:
                raise UnexpectedAnswer(f"{route}: the answer is not JSON") from None
            body = None
        if is_good:
            return body
        if status < 400:
            raise UnexpectedAnswer(f"{route}: the answer leads elsewhere (status {status})")
        raise refusal_of(status, body, request_id)

    def call(self, route: str, given: Mapping[str, Any]) -> Flow[Any]:
        return (yield Send(route, (yield from self.request(route, given))))

    def request(self, route: str, given: Mapping[str, Any]) -> Flow[Request]:
        """The request with its trade account. Raises TandemError for a route that does not exist."""
        facts = ROUTES.get(route)
        if facts is None:
            near = difflib.get_close_matches(route, ROUTES, n=1)
            raise TandemError(f"There is no route {route!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        if not facts.is_public and self.gateway.api_key is None:
            raise TandemError("No API key: make one with `tandem keys create --save`, or set TANDEM_API_KEY")
        unknown = [name for name in given if name not in Request.__dataclass_fields__]
        if unknown:
            raise TypeError(f"{route} takes no {unknown[0]!r}; there are {', '.join(Request.__dataclass_fields__)}")
        request = Request(**given)
        if facts.needs_account or (facts.takes_account and (request.account or self._named)):
            return replace(request, account=(yield from self.account_id(request.account)))
        return request

    def account_id(self, named: str | None = None) -> Flow[str]:
        """The trade account that is named by id or alias; without a name, the caller's only one."""
        wanted = named if named is not None else self._named
        if wanted is not None and UUID.fullmatch(wanted):
            return wanted.lower()
        if named is None and self._account_id is not None:
            return self._account_id
        answer = yield Send("GET /trade-accounts", Request())
        chosen = choose_account(answer["tradeAccounts"], wanted)["id"]
        if named is None:
            self._account_id = chosen
        return chosen

    def place(self, route: str, given: Mapping[str, Any]) -> Flow[Any]:
        """Places an order once, whatever is lost on the way: what is acknowledged under its key is asked before it is
        sent again under the same one."""
        parts = dict(given)
        give_up_after: float | None = parts.pop("give_up_after", None)
        if give_up_after is None:
            give_up_after = GIVE_UP_AFTER
        key: str = parts.get("idempotency_key") or secrets.token_hex(16)
        if not (key.isascii() and key.isprintable()):
            raise TandemError(f"An idempotency key is made of printable ASCII characters, which {key!r} is not")
        deadline = time.monotonic() + give_up_after
        patience, absence = Patience(LONGEST_PAUSE), self.absence()
        unsure: TandemError | None = None
        was_sent = False
        request: Request | None = None
        while True:
            gone: GatewayUnreachable | None = None
            try:
                if request is None:
                    request = replace((yield from self.request(route, parts)), idempotency_key=key)
                known = None
                if was_sent and route in READABLE:
                    known = yield from self._acknowledged(route, request, key)
                return known if known is not None else (yield Send(route, request))
            except TandemError as error:
                # After a lost answer the resource may be busy with this very order.
                if not is_unsure(error) and not (was_sent and isinstance(error, ResourceBusy)):
                    raise
                unsure = error
                if isinstance(error, GatewayUnreachable):
                    gone = absence.missed()
                else:
                    absence.answered()
                    was_sent = was_sent or request is not None
            if gone is not None and not was_sent:
                raise gone from unsure
            if not was_sent and time.monotonic() >= deadline:
                # Until the deadline nobody took the request.
                raise unsure
            if gone is not None or time.monotonic() >= deadline:
                why = "" if gone is None else f" ({gone})"
                raise OutcomeUnknown(
                    f"What became of the order is not known{why}; go on with its key {key}", key
                ) from unsure
            yield Pause(patience.seconds())

    def _acknowledged(self, route: str, request: Request, key: str) -> Flow[Any]:
        """None: the gateway has acknowledged no order under the key so far."""
        asked = Request(query={"key": key, "route": route}, account=request.account, timeout=request.timeout)
        try:
            answer = yield Send("GET /executions/by-key", asked)
        except ResourceNotFound:
            return None
        return {"execution": answer["execution"], "intent": answer["execution"]["intent"]}

    def page(self, route: str, given: Mapping[str, Any], cursor: str | None) -> Flow[tuple[Any, str | None]]:
        """One page and where the next one begins. A short page is not the last one."""
        query = dict(given.get("query") or {})
        if cursor is not None:
            query["cursor"] = cursor
        page = yield from self.call(route, {**given, "query": query})
        return page, page.get("nextCursor")

    def unwinding_of(self, execution: Execution, account: str | None) -> Flow[Execution | None]:
        """What closes the filled legs of a failed execution again: on disk with its end, and made right after it."""
        has_filled = any(order["filledQuantity"] != "0" for order in execution["orders"])
        finished = execution["finishedAt"]
        if execution["status"] == "COMPLETED" or execution["onLegFailure"] != "UNWIND" or not has_filled or not finished:
            return None
        query = {"limit": 50, "includeSchedule": True, "includeTriggers": True}
        cursor: str | None = None
        while True:
            page, cursor = yield from self.page("GET /executions", {"query": query, "account": account}, cursor)
            rows: list[Execution] = page["executions"]
            for row in rows:
                if row["parentId"] == execution["id"]:
                    return row
            if cursor is None or not rows or rows[-1]["createdAt"] < finished:
                return None

    def read_execution(self, execution_id: str, account: str | None) -> Flow[Any]:
        answer = yield from self.call("GET /executions/{id}", {"params": {"id": execution_id}, "account": account})
        return answer["execution"]


def choose_account(accounts: list[TradeAccount], named: str | None) -> TradeAccount:
    """Raises TradeAccountNotChosen: there is none, or more than one can be meant, or only one with real money."""
    listed = ", ".join(f"{one['alias']} ({one['id']})" for one in accounts)
    if named is not None:
        wanted = named.lower()
        found = [one for one in accounts if wanted in (one["id"], one["alias"].lower())]
        if len(found) == 1:
            return found[0]
        if found:
            raise TradeAccountNotChosen(f"Several trade accounts are called {named!r}: name one by its id", found)
        there = f"there are: {listed}" if listed else "there are none"
        raise TradeAccountNotChosen(f"There is no trade account {named!r}; {there}", accounts)
    if not accounts:
        raise TradeAccountNotChosen("This key reaches no trade account: make one with POST /trade-accounts", accounts)
    # Nothing defaults to real money.
    simulated = [one for one in accounts if one["mode"] != "LIVE"]
    if len(simulated) == 1:
        return simulated[0]
    how = "name one as `account` or in TANDEM_ACCOUNT"
    if not simulated:
        raise TradeAccountNotChosen(f"Every trade account of this key is live: {how}; there are: {listed}", accounts)
    raise TradeAccountNotChosen(f"This key reaches several trade accounts: {how}; there are: {listed}", accounts)


def _target(pattern: str, request: Request) -> str:
    params = request.params or {}

    def value(found: re.Match[str]) -> str:
        text = str(params.get(found[1], ""))
        # An empty value or dots alone would lead to another path.
        if text in ("", ".", ".."):
            raise TandemError(f"{pattern} needs the parameter {found[1]}")
        return quote(text, safe="")

    path = re.sub(r"\{(\w+)\}", value, pattern)
    pairs = [
        (name, _text(one))
        for name, given in (request.query or {}).items()
        if given is not None
        for one in (given if isinstance(given, (list, tuple)) else [given])
    ]
    return path + (f"?{urlencode(pairs)}" if pairs else "")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
