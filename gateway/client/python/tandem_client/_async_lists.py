# `npm run build` makes _sync_lists.py from this file: build/python-sync.ts.
"""Lists that come in pages, as iterators that can be walked again from the beginning."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from .frames import Numbers, to_frame

if TYPE_CHECKING:
    from ._route_facts import RouteFacts

T = TypeVar("T")
Page: TypeAlias = tuple[Any, str | None]
"""A page, and the cursor of the next one; None: it is the last."""


class AsyncPages(Generic[T]):
    """The pages of a list, to the last."""

    def __init__(self, read: Callable[[str | None], Awaitable[Page]], name: str) -> None:
        self._read = read
        self._name = name

    async def __aiter__(self) -> AsyncIterator[T]:
        cursor: str | None = None
        while True:
            page, cursor = await self._read(cursor)
            yield page
            if cursor is None:
                return

    def __repr__(self) -> str:
        return f"<pages of {self._name}>"


class AsyncRows(Generic[T]):
    """The rows of all pages of a list. ``await rows.to_frame()`` makes a pandas table of them."""

    def __init__(self, pages: AsyncPages[Mapping[str, Any]], facts: RouteFacts, name: str) -> None:
        self._pages = pages
        self._facts = facts
        self._name = name

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self._pages:
            for row in page[self._facts.rows or ""]:
                yield row

    async def to_frame(self, numbers: Numbers = "decimal") -> Any:
        """A ``pandas.DataFrame``: times in UTC, money as ``Decimal`` (or ``float``, or ``text``)."""
        rows: list[Any] = [row async for row in self]
        facts = self._facts
        return to_frame(rows, columns=facts.columns, money=facts.money, times=facts.times, numbers=numbers)

    def __repr__(self) -> str:
        return f"<rows of {self._name}>"
