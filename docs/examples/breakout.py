"""Breakout: waits at the edges of the last hours' range; whichever side breaks opens the pair that way, with a bracket.

The triggers wait in the gateway, also while this bot does not run. The one that has not fired is cancelled.
"""

import os
import time
from decimal import Decimal
from typing import Literal

from tandem_client import AccountEvent, NothingToDo, ResourceBusy, ResourceNotFound, Tandem
from tandem_client.schemas import TradeLeg, Trigger

CONNECTOR = os.environ.get("CONNECTOR", "paper")
FIRST, SECOND = os.environ.get("PAIR", "SOL-PERP,ETH-PERP").split(",")
USD = os.environ.get("USD", "500")
CANDLES = int(os.environ.get("CANDLES", "240"))  # of a minute
TAKE_PROFIT, STOP_LOSS = os.environ.get("TAKE_PROFIT", "4"), os.environ.get("STOP_LOSS", "2")  # percent


def check_pair(tandem: Tandem) -> None:
    """Refuses a pair that cannot be traded now, or whose take-profit does not pay the costs of both ways."""
    answer = tandem.call("POST /trade/open", body={
        "type": "MARKET",
        "legs": [
            {"symbol": FIRST, "side": "BUY", "mode": "USD", "amount": USD},
            {"symbol": SECOND, "side": "SELL", "mode": "USD", "amount": USD},
        ],
        "dryRun": True,
    })
    if "plan" not in answer:
        raise SystemExit("the dry run has no plan")
    plan = answer["plan"]
    if plan["problems"]:
        said = ", ".join(f"{one['symbol'] or 'basket'}: {one['message']}" for one in plan["problems"])
        raise SystemExit(f"cannot be traded now: {said}")
    costs = 2 * (Decimal(plan["totalFee"]) + Decimal(plan["expectedCost"] or 0))
    if Decimal(TAKE_PROFIT) / 100 * Decimal(plan["grossNotional"]) <= costs:
        raise SystemExit(f"the take-profit does not pay ${costs:.2f} of costs")


def edges(tandem: Tandem) -> tuple[str, str]:
    candles = tandem.call("GET /candles/basket", query={
        "connector": CONNECTOR, "long": [FIRST], "short": [SECOND], "interval": "1m",
    })["candles"][-CANDLES:]
    # As texts of the gateway: no digit of a price is made up.
    highest = max((candle["high"] for candle in candles), key=Decimal)
    lowest = min((candle["low"] for candle in candles), key=Decimal)
    return highest, lowest


def wait_beyond(tandem: Tandem, edge: str, direction: Literal["MORE_THAN", "LESS_THAN"]) -> Trigger:
    is_up = direction == "MORE_THAN"
    # The condition is about the ratio of the longs to the shorts: down, the pair is asked the other way round.
    legs: list[TradeLeg] = [
        {"symbol": FIRST, "side": "BUY" if is_up else "SELL", "mode": "USD", "amount": USD},
        {"symbol": SECOND, "side": "SELL" if is_up else "BUY", "mode": "USD", "amount": USD},
    ]
    value = edge if is_up else f"{1 / Decimal(edge):.12f}"
    return tandem.place("POST /triggers/open", body={
        "legs": legs,
        "condition": {"type": "PRICE_RATIO", "direction": "MORE_THAN", "value": value},
        "allowImmediate": True,
        "takeProfit": {"type": "PERCENTAGE", "value": TAKE_PROFIT},
        "stopLoss": {"type": "PERCENTAGE", "value": STOP_LOSS},
    })


def cancel(tandem: Tandem, trigger: Trigger) -> None:
    while True:
        try:
            tandem.place("POST /triggers/{id}/cancel", params={"id": trigger["id"]})
            return
        except (NothingToDo, ResourceNotFound):
            return  # the one that has fired
        except ResourceBusy:
            time.sleep(0.2)  # it fires this very moment: soon it has


with Tandem() as tandem:
    check_pair(tandem)
    events = tandem.events()
    next(events)  # the subscription: from here on no event is missed
    highest, lowest = edges(tandem)
    waiting = [wait_beyond(tandem, highest, "MORE_THAN"), wait_beyond(tandem, lowest, "LESS_THAN")]
    print(f"waits above {highest} and below {lowest}", flush=True)
    for message in events:
        if isinstance(message, AccountEvent) and message.event == "position.created":
            position = tandem.call("GET /positions/{id}", params={"id": message.entity_id})
            break
    for trigger in waiting:
        cancel(tandem, trigger)
    print("broke out:", ", ".join(f"{leg['side']} {leg['symbol']}" for leg in position["legs"]))
    for name, bracket in (("take-profit", position["takeProfit"]), ("stop-loss", position["stopLoss"])):
        print(name, "none" if bracket is None else f"{bracket['type']} {bracket['value']}")
