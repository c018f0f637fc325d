"""Copies an outside feed: one line of JSON a signal, from standard input; each is traded once, however often it comes.

    {"id": "s-17", "long": "SOL-PERP", "short": "AVAX-PERP", "usd": "200"}
    {"id": "s-18", "close": "s-17"}

Each signal's order has a key that is made of the signal's id. A line that comes twice, and a bot that is started again and
reads the feed from its beginning, order nothing twice within 24 hours.
"""

import json
import sys

from tandem_client import NothingToDo, Refusal, Tandem


def copy(tandem: Tandem, line: str) -> str:
    signal = json.loads(line)
    key = f"feed-{signal['id']}"
    if "close" in signal:
        opened = tandem.call("GET /executions/by-key", query={"key": f"feed-{signal['close']}"})["execution"]
        position = opened["positionId"]
        if position is None:
            return f"{signal['id']}: nothing to close"
        try:
            closing = tandem.place(
                "POST /positions/{id}/close", params={"id": position}, body={"type": "MARKET"}, idempotency_key=key
            )
        except NothingToDo:
            return f"{signal['id']}: closed already"
        return f"{signal['id']}: closed {tandem.ended(closing['execution']['id'])['status']}"
    opening = tandem.place("POST /trade/open", idempotency_key=key, body={
        "type": "MARKET",
        "legs": [
            {"symbol": signal["long"], "side": "BUY", "mode": "USD", "amount": signal["usd"]},
            {"symbol": signal["short"], "side": "SELL", "mode": "USD", "amount": signal["usd"]},
        ],
        "onLegFailure": "UNWIND",
    })
    return f"{signal['id']}: opened {tandem.ended(opening['execution']['id'])['status']}"


with Tandem() as tandem:
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            print(copy(tandem, line), flush=True)
        except (KeyError, ValueError) as error:
            print(f"not a signal ({error!r}): {line.strip()}", file=sys.stderr, flush=True)
        except Refusal as error:
            print(f"refused ({error}): {line.strip()}", file=sys.stderr, flush=True)
