"""Event journal: writes every event of the account once, also when it is killed at any moment (``kill -9``).

A line of the file is an event with its ``seq``. The last line is the place from which the next start goes on, so that an
event and its place are written together. A line that a kill has cut off is removed, and its event comes again.

Your own action for an event goes where the comment says. After a kill it is repeated for one event:
the one whose line was not written. Give it the ``seq`` as its key, as an order's ``Idempotency-Key`` for instance.
"""

import json
import os
from pathlib import Path

from tandem_client import AccountEvent, Resync, Subscribed, Tandem

FILE = Path(os.environ.get("JOURNAL", "events.jsonl"))


def place() -> int | None:
    """``seq`` of the last whole line; None: this is the first start."""
    content = FILE.read_bytes() if FILE.exists() else b""
    end = content.rfind(b"\n") + 1
    if end < len(content):
        os.truncate(FILE, end)
    lines = content[:end].splitlines()
    return int(json.loads(lines[-1])["seq"]) if lines else None


with Tandem() as tandem:
    resume_from = place()
    is_placed = resume_from is not None
    with FILE.open("a", encoding="utf-8") as journal:

        def write(**line: object) -> None:
            journal.write(json.dumps(line) + "\n")
            journal.flush()
            # The line is on disk before the next event is taken: a loss of power loses nothing either.
            os.fsync(journal.fileno())

        for message in tandem.events(resume_from=resume_from):
            if isinstance(message, Subscribed) and not is_placed:
                # The place of the first start: events from here on are not lost, even where none has come yet.
                write(seq=next(iter(message.seq.values())), event="subscribed")
                is_placed = True
            elif isinstance(message, Resync):
                # It did not run for seven days: what came before is read over HTTP.
                write(seq=message.seq, event="resync")
            elif isinstance(message, AccountEvent):
                # Here goes what you do for an event.
                write(seq=message.seq, event=message.event, entityId=message.entity_id, timestamp=message.timestamp)
