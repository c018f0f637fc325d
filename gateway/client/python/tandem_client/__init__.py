"""Client of a Tandem gateway: typed calls, orders that survive lost answers, events that survive lost connections.

``Tandem`` waits, ``AsyncTandem`` is for asyncio; everything else is the same.
"""

from ._async import AsyncEventStream, AsyncTandem
from ._lists import AsyncPages, AsyncRows, Pages, Rows
from ._sync import EventStream, Tandem
from .errors import (
    AutoRebalanceRefused,
    CredentialsNotStored,
    Forbidden,
    GatewayFailure,
    GatewayUnreachable,
    LimitRefused,
    NoAnswer,
    NothingToDo,
    NotSupported,
    OutcomeUnknown,
    Refusal,
    ResourceBusy,
    ResourceNotFound,
    StreamRefused,
    SyncTooEarly,
    TandemError,
    TradeAccountNotChosen,
    Unauthorized,
    UnexpectedAnswer,
    ValidationFailed,
)
from .frames import to_frame
from .messages import AccountEvent, MarketRows, Resync, StreamMessage, Subscribed
from .webhooks import WebhookRefused, verify_webhook

__all__ = [
    "AccountEvent",
    "AsyncEventStream",
    "AsyncPages",
    "AsyncRows",
    "AsyncTandem",
    "AutoRebalanceRefused",
    "CredentialsNotStored",
    "EventStream",
    "Forbidden",
    "GatewayFailure",
    "GatewayUnreachable",
    "LimitRefused",
    "MarketRows",
    "NoAnswer",
    "NotSupported",
    "NothingToDo",
    "OutcomeUnknown",
    "Pages",
    "Refusal",
    "ResourceBusy",
    "ResourceNotFound",
    "Resync",
    "Rows",
    "StreamMessage",
    "StreamRefused",
    "Subscribed",
    "SyncTooEarly",
    "Tandem",
    "TandemError",
    "TradeAccountNotChosen",
    "Unauthorized",
    "UnexpectedAnswer",
    "ValidationFailed",
    "WebhookRefused",
    "to_frame",
    "verify_webhook",
]
