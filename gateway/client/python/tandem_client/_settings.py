"""Where the gateway is and which key is the caller's: arguments, then the environment, then the data folder."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .errors import GatewayUnreachable, TandemError

DEFAULT_URL = "http://127.0.0.1:7391"
KEY_SHAPE = re.compile(r"tdm_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True)
class Place:
    """Where to connect: an address or, for the gateway of this user's data folder, its Unix socket."""

    url: str
    socket_path: str | None = None


@dataclass(frozen=True)
class Gateway:
    url: str | None
    """None: wherever the gateway of the data folder is at the moment."""
    api_key: str | None
    own_folder: Path | None
    """The key is the saved one of this folder: it goes to this folder's gateway and to nobody else."""

    def locate(self) -> Place:
        """Looks again at each connection: a gateway that is started again may be elsewhere."""
        if self.own_folder is None:
            return Place(self.url or DEFAULT_URL)
        holder = _read_json(self.own_folder / "gateway.lock") or {}
        url, socket_path = holder.get("url"), holder.get("socketPath")
        if not isinstance(url, str):
            raise GatewayUnreachable(
                f"No gateway runs on the data folder {self.own_folder}: start it with: tandem start"
            )
        if self.url is not None and urlsplit(self.url).port != urlsplit(url).port:
            raise TandemError(
                f"The saved key of {self.own_folder} is for the gateway at {url}, not for {self.url}: "
                "set TANDEM_API_KEY to the key of that one"
            )
        # While no gateway runs, any program can have its port; only this user can make a socket in this folder.
        if not isinstance(socket_path, str) or not _is_own(Path(socket_path).parent):
            raise TandemError(
                f"The saved key of {self.own_folder} is only sent over its gateway's own socket, and there is none: "
                "set TANDEM_API_KEY"
            )
        return Place(url, socket_path)

    @property
    def name(self) -> str:
        return self.url or (DEFAULT_URL if self.own_folder is None else f"the gateway of {self.own_folder}")


def find_gateway(
    url: str | None,
    api_key: str | None,
    data_dir: str | os.PathLike[str] | None,
    environment: Mapping[str, str] = os.environ,
) -> Gateway:
    """The key: ``api_key``, ``TANDEM_API_KEY``, else the one that ``tandem keys create --save`` has put into the folder."""
    named = url or environment.get("TANDEM_URL") or None
    address = None if named is None else _origin(named)
    key = (api_key or environment.get("TANDEM_API_KEY") or "").strip()
    if key:
        return Gateway(address, key, None)
    folder = data_folder(data_dir, environment)
    saved = saved_key(folder)
    # Over https the certificate proves the gateway.
    is_proven = address is not None and address.startswith("https:")
    return Gateway(address, saved, None if saved is None or is_proven else folder)


def data_folder(named: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Path:
    chosen = named or environment.get("TANDEM_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "tandem"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tandem"
    xdg = environment.get("XDG_DATA_HOME", "")
    return (Path(xdg) if xdg.startswith("/") else home / ".local" / "share") / "tandem"


def saved_key(folder: Path) -> str | None:
    path = folder / "cli.json"
    try:
        there = path.is_file()
    except OSError:
        return None
    if not there:
        return None
    key = (_read_json(path) or {}).get("apiKey")
    if not isinstance(key, str) or KEY_SHAPE.fullmatch(key) is None:
        raise TandemError(f"{path} is damaged; write it anew with: tandem keys create --save")
    return key


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _is_own(folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        facts = folder.stat()
    except OSError:
        return False
    return facts.st_uid == os.getuid() and stat.S_IMODE(facts.st_mode) & 0o077 == 0


def _origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise TandemError(f"The address must be one such as {DEFAULT_URL}, not {text!r}")
    if parts.username is not None or parts.password is not None:
        raise TandemError("The address must not hold a user name or password")
    return f"{parts.scheme}://{parts.netloc}"
