"""Proof that a webhook comes from the gateway that has its secret, and was sent just now."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import cast

from .errors import TandemError
from .schemas import WebhookEvent


class WebhookRefused(TandemError):
    """The signature does not fit, or is too old. Answer with 400 and do nothing."""


def verify_webhook(
    body: bytes,
    signature: str | None,
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a request; take each ``id`` once, since deliveries may repeat.

    ``body``: as it came. ``signature``: the header ``tandem-signature``. ``now``: epoch seconds.
    Raises ``WebhookRefused``.
    """
    if not secret:  # Anybody can sign with an empty one.
        raise WebhookRefused("There is no secret to check it with")
    parts = [part.partition("=") for part in (signature or "").split(",")]
    at = next((value for name, _, value in parts if name == "t"), "")
    given = [value for name, _, value in parts if name == "v1"]
    if not at.isascii() or not at.isdigit() or not given:
        raise WebhookRefused("There is no signature")
    if abs((time.time() if now is None else now) - int(at)) > tolerance_seconds:
        raise WebhookRefused("The signature is too old, or this clock is wrong")
    wanted = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    if not any(hmac.compare_digest(wanted.encode(), value.encode()) for value in given):
        raise WebhookRefused("The signature does not fit the body and the secret")
    return cast(WebhookEvent, json.loads(body))
