"""Errors as classes. Either the gateway refused (``Refusal`` and its kinds), or the outcome is unknown (``NoAnswer``).

Branch on the class or on ``error_code``, never on the message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from .schemas import TradeAccount, ValidationDetail


class TandemError(Exception):
    """Everything that this package raises."""


class NoAnswer(TandemError):
    """The request was sent and no whole answer came: the gateway may or may not have carried it out."""


class GatewayUnreachable(NoAnswer):
    """No connection could be made: nobody answers at the address. Nothing was sent."""


class UnexpectedAnswer(TandemError):
    """The answer is not from a Tandem gateway."""


class OutcomeUnknown(TandemError):
    """An order was sent, and its outcome could not be learnt until the deadline. Go on with the same key."""

    def __init__(self, message: str, idempotency_key: str) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class TradeAccountNotChosen(TandemError):
    """The call needs a trade account, none was named, and not exactly one can be meant.

    ``accounts`` are those of the key: none, several, or only accounts with real money, which nothing defaults to.
    """

    def __init__(self, message: str, accounts: Sequence[TradeAccount]) -> None:
        super().__init__(message)
        self.accounts = accounts


class StreamRefused(TandemError):
    """The gateway refuses an event stream: a channel that is not the caller's, a credential that ended."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Refusal(TandemError):
    """The gateway answered with a status of 400 or more.

    ``error_code`` is None in the framework's shape (authentication, guard, routing). ``request_id`` finds the refusal
    in the gateway's log.
    """

    def __init__(
        self, status: int, message: str, error_code: str | None, details: Any, request_id: str | None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.error_code = error_code
        self.details = details
        self.request_id = request_id

    def __repr__(self) -> str:
        code = "" if self.error_code is None else f" {self.error_code}"
        return f"<{type(self).__name__} {self.status}{code}: {self.message}>"


class Unauthorized(Refusal):
    """401: no credential, or one that ended."""


class Forbidden(Refusal):
    """403: the credential does not allow the request."""


class ValidationFailed(Refusal):
    """400: something in the request is not allowed."""

    @property
    def fields(self) -> list[ValidationDetail]:
        """One entry per rejected field; empty where the refusal is of the request as a whole."""
        return cast("list[ValidationDetail]", self.details) if isinstance(self.details, list) else []

    def __str__(self) -> str:
        said = "; ".join(": ".join(filter(None, (one["path"], one["message"]))) for one in self.fields)
        return f"{self.message}: {said}" if said else self.message


class ResourceNotFound(Refusal):
    """404: it does not exist, or is not the caller's."""


class ResourceBusy(Refusal):
    """Another action on the resource is still running: send again when it has ended."""

    @property
    def reason(self) -> str | None:
        """``PAUSED``, ``CLOSE_ONLY``: waiting for an action does not help. None: another action runs."""
        return self._text("reason")

    @property
    def held_by(self) -> str | None:
        """Id of the execution that holds the position, to wait for with ``ended``; None: the answer names none."""
        return self._text("heldBy")

    def _text(self, name: str) -> str | None:
        value = self.details.get(name) if isinstance(self.details, dict) else None
        return value if isinstance(value, str) else None


class NothingToDo(Refusal):
    """The request would change nothing."""


class GatewayFailure(Refusal):
    """A failure of the gateway itself; ``place`` sends again after one."""


class NotSupported(Refusal):
    """The venue does not support the action."""


class AutoRebalanceRefused(Refusal):
    """The auto-rebalance of a position cannot be set, or is not there."""


class LimitRefused(Refusal):
    """Limits: of a live account (not armed, not for this caller, more than its caps), or of the caller's mandate."""


class CredentialsNotStored(Refusal):
    """The gateway stores no exchange keys in its vault as it is; the message has the remedy."""


class SyncTooEarly(Refusal):
    """Too early to make a position of venue activity: send again after a delay."""


BY_CODE: Mapping[str, type[Refusal]] = {
    "VALIDATION_ERROR": ValidationFailed,
    "RESOURCE_NOT_FOUND": ResourceNotFound,
    "RESOURCE_BUSY": ResourceBusy,
    "NOOP_ERROR": NothingToDo,
    "DATABASE_ERROR": GatewayFailure,
    "CONFIGURATION_ERROR": GatewayFailure,
    "CREDENTIALS_NOT_STORED": CredentialsNotStored,
    "NOT_IMPLEMENTED_ERROR": NotSupported,
    "AUTO_REBALANCE_POSITION_NOT_FOUND": AutoRebalanceRefused,
    "AUTO_REBALANCE_CONFIG_NOT_FOUND": AutoRebalanceRefused,
    "AUTO_REBALANCE_POSITION_NOT_OPEN": AutoRebalanceRefused,
    "AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS": AutoRebalanceRefused,
    "AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE": AutoRebalanceRefused,
    "ACCOUNT_NOT_ARMED": LimitRefused,
    "CALLER_NOT_ALLOWED": LimitRefused,
    "CAP_EXCEEDED": LimitRefused,
    "AGENT_LIMIT": LimitRefused,
    "SYNC_CREATE_EXECUTION_IN_FLIGHT": SyncTooEarly,
    "SYNC_CREATE_EXECUTION_JUST_SETTLED": SyncTooEarly,
    "SYNC_CREATE_FILLS_TOO_RECENT": SyncTooEarly,
    "SYNC_CREATE_CLOID_ALREADY_PROVISIONAL": SyncTooEarly,
}
"""Class of every ``errorCode``. An unknown code is a plain ``Refusal``."""


def is_unsure(error: BaseException | None) -> bool:
    """Whether the request may have been carried out, and another attempt may get an answer."""
    return isinstance(error, (NoAnswer, GatewayFailure))


def refusal_of(status: int, answer: Any, request_id: str | None) -> Refusal:
    """The error of an answer in either of the two error shapes, or in none."""
    body = answer if isinstance(answer, dict) else {}
    message = body.get("message")
    if not isinstance(message, str):
        message = f"Refused with status {status}"
    code = body.get("errorCode")
    error_code = code if isinstance(code, str) else None
    if error_code is not None:
        kind = BY_CODE.get(error_code, Refusal)
    elif status == 401:
        kind = Unauthorized
    elif status == 403:
        kind = Forbidden
    else:
        kind = GatewayFailure if status >= 500 else Refusal
    return kind(status, message, error_code, body.get("details"), request_id)
