"""One WebSocket as bytes in, messages and bytes out: neither a socket nor a loop of its own.

The same protocol code serves the blocking client and the asyncio one; the package ``websockets`` keeps the protocol.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any

import websockets.client
from websockets.exceptions import WebSocketException
from websockets.frames import Opcode
from websockets.uri import parse_uri

MAX_MESSAGE = 64 * 1024 * 1024
"""A snapshot of every market is some hundred kilobytes; nothing comes near."""

NORMAL_CLOSE = 1000


class Wire:
    """``feed`` what arrives, take ``messages``, write what ``outgoing`` says."""

    def __init__(self, url: str) -> None:
        # The class had another name before websockets 11.
        make: Any = getattr(websockets.client, "ClientProtocol", None) or getattr(
            websockets.client, "ClientConnection"
        )
        self._protocol: Any = make(parse_uri(url), max_size=MAX_MESSAGE)
        self._protocol.send_request(self._protocol.connect())
        self._parts: list[bytes] = []
        self.messages: deque[dict[str, Any]] = deque()
        self.is_open = False
        self.is_closed = False
        self.refused: int | None = None
        """Status of the answer that refused the upgrade."""

    def outgoing(self) -> bytes:
        # An empty piece says that nothing more will be sent; the socket is closed as a whole.
        return b"".join(self._protocol.data_to_send())

    def send(self, message: object) -> None:
        self._protocol.send_text(json.dumps(message).encode())

    def close(self) -> None:
        if self.is_open and not self.is_closed:
            self._protocol.send_close(NORMAL_CLOSE)
        self.is_closed = True

    def feed(self, data: bytes) -> None:
        """Takes what arrived; empty: the other side has ended the connection."""
        try:
            if data:
                self._protocol.receive_data(data)
            else:
                self.is_closed = True
                self._protocol.receive_eof()
        except (EOFError, ValueError, WebSocketException):
            # The end of the connection, or something else than a gateway, in the middle of the handshake.
            self.is_closed = True
        for event in self._protocol.events_received():
            opcode = getattr(event, "opcode", None)
            if opcode is None:
                self._answered(event.status_code)
            elif opcode in (Opcode.TEXT, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    self._take(b"".join(self._parts))
                    self._parts = []
            elif opcode is Opcode.CLOSE:
                self.is_closed = True
        if self._protocol.close_expected():
            self.is_closed = True

    def _answered(self, status: int) -> None:
        if status == 101 and getattr(self._protocol, "handshake_exc", None) is None:
            self.is_open = True
        else:
            self.refused = status
            self.is_closed = True

    def _take(self, text: bytes) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            self.close()
            return
        if isinstance(message, dict):
            self.messages.append(message)
