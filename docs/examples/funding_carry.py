"""Funding carry: short what pays its shorts most, long what pays its longs most, in equal dollars; changes with the rates.

It opens only what can be traded now, and only where the funding of PAYBACK_HOURS pays the costs of both ways.
"""

import os
import time
from decimal import Decimal

from tandem_client import NothingToDo, ResourceBusy, Tandem
from tandem_client.schemas import Position, TradeLeg

CONNECTOR = os.environ.get("CONNECTOR", "paper")
USD = os.environ.get("USD", "500")
MOST = Decimal(os.environ.get("ENTER_ABOVE", "0.0001"))  # spread per hour at which it opens
LEAST = Decimal(os.environ.get("LEAVE_BELOW", "0.00002"))  # spread per hour below which it closes
PAYBACK_HOURS = Decimal(os.environ.get("PAYBACK_HOURS", "72"))
CANDIDATES = 3  # instruments at each end of the rates that are compared
EVERY = float(os.environ.get("EVERY", "600"))
ROUNDS = int(os.environ.get("ROUNDS", "0"))  # 0: until it is stopped


def hourly_rates(tandem: Tandem) -> dict[str, Decimal]:
    """Funding that a long position pays in an hour, a fraction of its value."""
    rows = tandem.rows("GET /funding", query={"connector": CONNECTOR})
    return {row["id"]: Decimal(row["rate"]) / row["intervalHours"] for row in rows}


def tradable(tandem: Tandem) -> set[str]:
    """Instruments that a position may be opened in. The rates name those too that may only be reduced."""
    rows = tandem.rows("GET /instruments", query={"connector": CONNECTOR, "scope": "tradable"})
    return {row["id"] for row in rows}


def planned(tandem: Tandem, legs: list[TradeLeg]) -> tuple[Decimal, Decimal] | None:
    """USD that both ways cost, and that an hour earns, by the gateway's plan; None: it cannot be traded whole now."""
    answer = tandem.call("POST /trade/open", body={"type": "MARKET", "legs": legs, "dryRun": True})
    if "plan" not in answer or answer["plan"]["problems"]:
        return None
    plan = answer["plan"]
    for leg in plan["legs"]:
        expected = leg["expected"]
        if expected is None or Decimal(expected["fillable"]) < Decimal(leg["quantity"]):
            return None
    one_way = Decimal(plan["totalFee"]) + Decimal(plan["expectedCost"] or 0)
    return 2 * one_way, -Decimal(plan["netFundingHourly"])


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
            (rates.get(leg["symbol"], Decimal(0)) * (1 if leg["side"] == "SELL" else -1) for leg in position["legs"]),
            Decimal(0),
        )
        if earned >= LEAST:
            return f"holds {earned:.6%} an hour, funding so far {position['fundingPaid']}"
        closing = tandem.place("POST /positions/{id}/close", params={"id": position["id"]}, body={"type": "MARKET"})
        return f"closed {tandem.ended(closing['execution']['id'])['status']}: the spread was {earned:.6%}"
    return open_best(tandem, rates)


def open_best(tandem: Tandem, rates: dict[str, Decimal]) -> str:
    """Opens the pair of the widest spread that can be traded and pays its costs."""
    allowed = tradable(tandem)
    ordered = sorted((symbol for symbol in rates if symbol in allowed), key=rates.__getitem__)
    pairs = sorted(
        (
            (rates[short] - rates[long], long, short)
            for long in ordered[:CANDIDATES]
            for short in ordered[-CANDIDATES:]
            if long != short and rates[short] - rates[long] >= MOST
        ),
        reverse=True,
    )
    for spread, long, short in pairs:
        legs: list[TradeLeg] = [
            {"symbol": long, "side": "BUY", "mode": "USD", "amount": USD},
            {"symbol": short, "side": "SELL", "mode": "USD", "amount": USD},
        ]
        plan = planned(tandem, legs)
        if plan is None or plan[1] * PAYBACK_HOURS < plan[0]:
            continue
        opening = tandem.place("POST /trade/open", body={"type": "MARKET", "legs": legs, "onLegFailure": "UNWIND"})
        status = tandem.ended(opening["execution"]["id"])["status"]
        return f"opened {status}: long {long}, short {short}, {spread:.6%} an hour, costs ${plan[0]:.2f}"
    return f"waits: {len(pairs)} pairs have a spread of {MOST:.6%}, and none can be traded and pays its costs"


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
