"""Client of a Tandem gateway: typed calls, orders that survive lost answers, events that survive lost connections.

``Tandem`` waits, ``AsyncTandem`` is for asyncio; everything else is the same.
"""

from importlib.util import find_spec

if find_spec(f"{__name__}.schemas") is None:
    raise ImportError("tandem_client is not built: run `npm ci && npm run build` in the folder of Tandem first")

from ._async import AsyncTandem
from ._async_io import AsyncEventStream
from ._async_lists import AsyncPages, AsyncRows
from ._sync import Tandem
from ._sync_io import EventStream
from ._sync_lists import Pages, Rows
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
