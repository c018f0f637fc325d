"""A gateway in a process of its own on the paper venue, as a bot's author has one; killed and started again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "gateway" / "client" / "python"
sys.path.insert(0, str(PACKAGE))
from tandem_client.schemas import TradeLeg  # noqa: E402

PASSWORD = "correct horse battery"
PAIR: list[TradeLeg] = [
    {"symbol": "SOL-PERP", "side": "BUY", "mode": "USD", "amount": "300"},
    {"symbol": "AVAX-PERP", "side": "SELL", "mode": "USD", "amount": "300"},
]


class Gateway:
    def __init__(self) -> None:
        self.data_dir = Path(tempfile.mkdtemp(prefix="tandem-python-"))
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Gateway:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")}
        program = [os.environ.get("NODE", "node"), str(ROOT / "build" / "tandem.cjs"), "start", "--json-ready"]
        flags = ["--port", str(self.port), "--data-dir", str(self.data_dir), "--vault", "file", "--log-level", "warn"]
        paper = ["--paper-seed", "7", "--paper-profile", "frictionless", "--registration", "open"]
        self._process = subprocess.Popen(
            [*program, *flags, *paper], stdout=subprocess.PIPE, text=True, env={**environment, "NODE_ENV": "test"}
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the gateway ended before it served")
        self.port = int(json.loads(line)["url"].rsplit(":", 1)[1])
        return self

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.data_dir, ignore_errors=True)

    def request(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        sent = {**({} if body is None else {"content-type": "application/json"}), **(headers or {})}
        request = urllib.request.Request(self.url + path, data=data, headers=sent, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None


class User:
    """A registered user with a key."""

    def __init__(self, gateway: Gateway, email: str = "ada@example.test") -> None:
        self._gateway = gateway
        registered = gateway.request("POST", "/auth/register", {"email": email, "password": PASSWORD})
        self._bearer = {"authorization": f"Bearer {registered['accessToken']}"}
        key = {"label": "python", "scope": "read_write"}
        self.key: str = gateway.request("POST", "/api-keys", key, self._bearer)["key"]
        self.account: str = (registered.get("tradeAccount") or {}).get("id") or self.another_account("Test")

    def another_account(self, alias: str) -> str:
        made: str = self._gateway.request(
            "POST", "/trade-accounts", {"alias": alias, "connector": "paper"}, self._bearer
        )["id"]
        return made

    def save_key(self) -> None:
        path = self._gateway.data_dir / "cli.json"
        path.write_text(json.dumps({"apiKey": self.key}))
        path.chmod(0o600)


class GatewayTest(unittest.TestCase):
    """One gateway and one user for the tests of a class."""

    gateway: Gateway
    user: User

    @classmethod
    def setUpClass(cls) -> None:
        for name in [one for one in os.environ if one.startswith("TANDEM_")]:
            del os.environ[name]
        cls.gateway = Gateway().start()
        cls.addClassCleanup(cls.gateway.remove)
        cls.user = User(cls.gateway)


def refused_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def until(holds: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds:g} s")
        time.sleep(0.02)


class Proxy:
    """Between client and gateway, the network: passes bytes on, and cuts connections when it is told to.

    ``lose_answer_to`` names the beginning of a request whose answer never arrives: it is carried out all the same.
    With ``and_vanish`` the network is gone from that request on, so that nothing that is asked later is answered.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._lost: dict[bytes, bool] = {}
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._deaf: set[tuple[socket.socket, socket.socket]] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.requests: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def lose_answer_to(self, begins: str, and_vanish: bool = False) -> None:
        self._lost[begins.encode()] = and_vanish

    def cut(self) -> None:
        for pair in list(self._pairs):
            self._end(pair)

    def close(self) -> None:
        self._stop_listening()
        self.cut()

    def _stop_listening(self) -> None:
        # Without a shutdown the thread that waits in `accept` keeps the socket: one more connection would be served.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                if self._listener.fileno() == -1:
                    return
                client.close()
                continue
            pair = (client, server)
            self._pairs.add(pair)
            for source, sink in (pair, (server, client)):
                threading.Thread(target=self._pass, args=(pair, source, sink), daemon=True).start()

    def _pass(self, pair: tuple[socket.socket, socket.socket], source: socket.socket, sink: socket.socket) -> None:
        client, server = pair
        try:
            while data := source.recv(65_536):
                if source is client:
                    # The gateway serves no other address than its own.
                    data = data.replace(f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self._target}".encode())
                    words = data.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
                    if words[-1].startswith("HTTP/"):
                        self.requests.append(f"{words[0]} {words[1].split('?')[0]}")
                    for begins in list(self._lost):
                        if data.startswith(begins):
                            self._deaf.add(pair)
                            if self._lost.pop(begins):
                                self._stop_listening()
                    sink.sendall(data)
                elif pair in self._deaf:
                    break  # It is answered, so it has been carried out.
                else:
                    sink.sendall(data)
        except OSError:
            pass
        self._end(pair)

    def _end(self, pair: tuple[socket.socket, socket.socket]) -> None:
        self._pairs.discard(pair)
        for one in pair:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()
