"""Rows as a pandas table, where pandas is installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from .errors import TandemError

Numbers: TypeAlias = Literal["decimal", "float", "text"]

_READ: Mapping[str, Callable[[str], object]] = {"decimal": Decimal, "float": float, "text": str}


def to_frame(
    rows: Iterable[Mapping[str, Any]],
    *,
    columns: Iterable[str] = (),
    money: Iterable[str] = (),
    times: Iterable[str] = (),
    numbers: Numbers = "decimal",
) -> Any:
    """A ``pandas.DataFrame`` of the rows.

    ``columns``: those of a table without rows. ``money``: columns of decimal texts, read as exact ``Decimal`` unless ``numbers`` says otherwise. Floats are for
    charts and statistics: an order's amount goes back as the text that it came as. ``times``: columns of ISO times,
    read as UTC.
    """
    try:
        pandas: Any = importlib.import_module("pandas")
    except ImportError:
        raise TandemError("to_frame needs pandas: pip install pandas, or apt install python3-pandas") from None
    made = [dict(row) for row in rows]
    frame = pandas.DataFrame(made) if made else pandas.DataFrame(columns=list(columns))
    read = _READ[numbers]
    for name in money:
        if name in frame:
            frame[name] = [read(value) if isinstance(value, str) else None for value in frame[name]]
            if numbers == "float":
                frame[name] = frame[name].astype(float)
    for name in times:
        if name in frame:
            frame[name] = pandas.to_datetime(frame[name], utc=True)
    return frame
