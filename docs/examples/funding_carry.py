"""Funding carry: short what pays its shorts most, long what pays its longs most, in equal dollars; changes with the rates."""

import os
import time
from decimal import Decimal

from tandem_client import NothingToDo, ResourceBusy, Tandem
from tandem_client.schemas import Position

CONNECTOR = os.environ.get("CONNECTOR", "paper")
USD = os.environ.get("USD", "500")
MOST = Decimal(os.environ.get("ENTER_ABOVE", "0.0001"))  # spread per hour at which it opens
LEAST = Decimal(os.environ.get("LEAVE_BELOW", "0.00002"))  # spread per hour below which it closes
EVERY = float(os.environ.get("EVERY", "600"))
ROUNDS = int(os.environ.get("ROUNDS", "0"))  # 0: until it is stopped


def hourly_rates(tandem: Tandem) -> dict[str, Decimal]:
    """What a long position pays in an hour, as a share of its value."""
    rows = tandem.rows("GET /funding", query={"connector": CONNECTOR})
    return {row["id"]: Decimal(row["rate"]) / row["intervalHours"] for row in rows}


def carry(tandem: Tandem) -> Position | None:
    """The one position of two legs; this bot has an account of its own."""
    for position in tandem.rows("GET /positions", query={"status": ["OPEN"]}):
        if len(position["legs"]) == 2:
            return position
    return None


def act(tandem: Tandem) -> str:
    rates = hourly_rates(tandem)
    position = carry(tandem)
    if position is not None:
        earned = sum(
            (rates[leg["symbol"]] if leg["side"] == "SELL" else -rates[leg["symbol"]] for leg in position["legs"]),
            Decimal(0),
        )
        if earned >= LEAST:
            return f"holds {earned:.6%} an hour, funding so far {position['fundingPaid']}"
        closing = tandem.place("POST /positions/{id}/close", params={"id": position["id"]}, body={"type": "MARKET"})
        return f"closed {tandem.ended(closing['execution']['id'])['status']}: the spread was {earned:.6%}"
    dear, cheap = max(rates, key=rates.__getitem__), min(rates, key=rates.__getitem__)
    spread = rates[dear] - rates[cheap]
    if spread < MOST:
        return f"waits: the spread is {spread:.6%}"
    opening = tandem.place("POST /trade/open", body={
        "type": "MARKET",
        "legs": [
            {"symbol": cheap, "side": "BUY", "mode": "USD", "amount": USD},
            {"symbol": dear, "side": "SELL", "mode": "USD", "amount": USD},
        ],
        "onLegFailure": "UNWIND",
    })
    status = tandem.ended(opening["execution"]["id"])["status"]
    return f"opened {status}: long {cheap}, short {dear}, {spread:.6%} an hour"


with Tandem() as tandem:
    done = 0
    while True:
        try:
            print(act(tandem), flush=True)
        except (ResourceBusy, NothingToDo) as error:
            print(f"another time: {error}", flush=True)
        done += 1
        if done == ROUNDS:
            break
        time.sleep(EVERY)
