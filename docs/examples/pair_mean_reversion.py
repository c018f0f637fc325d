"""Pair mean reversion: sells a price ratio that is far above its mean, buys one that is far below, closes near the mean.

It opens only what can be traded now, and only where the way to the mean pays the costs of both ways.
"""

import os
import time
from decimal import Decimal
from statistics import mean, stdev
from typing import Literal

from tandem_client import NothingToDo, ResourceBusy, Tandem
from tandem_client.schemas import Position, TradeLeg

CONNECTOR = os.environ.get("CONNECTOR", "paper")
FIRST, SECOND = os.environ.get("PAIR", "BTC-PERP,ETH-PERP").split(",")
USD = os.environ.get("USD", "500")
LOOKBACK = int(os.environ.get("LOOKBACK", "120"))  # candles of a minute
ENTRY, EXIT = float(os.environ.get("ENTRY", "2")), float(os.environ.get("EXIT", "0.5"))  # z-scores
MIN_GAIN = float(os.environ.get("MIN_GAIN", "1"))  # least gain at the mean, as a multiple of the costs of both ways
EVERY = float(os.environ.get("EVERY", "60"))  # seconds between two looks
ROUNDS = int(os.environ.get("ROUNDS", "0"))  # 0: until it is stopped


def deviation(tandem: Tandem) -> tuple[float, float]:
    """z-score of the ratio, and its distance from the mean as a fraction."""
    candles = tandem.call("GET /candles/basket", query={
        "connector": CONNECTOR, "long": [FIRST], "short": [SECOND], "interval": "1m",
    })["candles"]
    closes = [float(candle["close"]) for candle in candles[-LOOKBACK:]]
    if len(closes) < 2:
        return 0.0, 0.0
    spread, away = stdev(closes), closes[-1] - mean(closes)
    return 0.0 if spread == 0 else away / spread, abs(away) / mean(closes)


def costs_of(tandem: Tandem, legs: list[TradeLeg]) -> Decimal | None:
    """USD that both ways cost by the gateway's plan; None: it cannot be traded whole now."""
    answer = tandem.call("POST /trade/open", body={"type": "MARKET", "legs": legs, "dryRun": True})
    if "plan" not in answer or answer["plan"]["problems"]:
        return None
    plan = answer["plan"]
    for leg in plan["legs"]:
        expected = leg["expected"]
        if expected is None or Decimal(expected["fillable"]) < Decimal(leg["quantity"]):
            return None
    return 2 * (Decimal(plan["totalFee"]) + Decimal(plan["expectedCost"] or 0))


def open_position(tandem: Tandem) -> Position | None:
    """The gateway knows what is open: a bot that is started again goes on from there."""
    for position in tandem.rows("GET /positions", query={"status": ["OPEN"]}):
        if {leg["symbol"] for leg in position["legs"]} == {FIRST, SECOND}:
            return position
    return None


def act(tandem: Tandem) -> str:
    z, distance = deviation(tandem)
    position = open_position(tandem)
    if position is not None:
        if abs(z) > EXIT:
            return f"z {z:.2f}: holds, unrealised {position['unrealizedPnl']}"
        closing = tandem.place("POST /positions/{id}/close", params={"id": position["id"]}, body={"type": "MARKET"})
        return f"z {z:.2f}: closed {tandem.ended(closing['execution']['id'])['status']}"
    if abs(z) < ENTRY:
        return f"z {z:.2f}: waits"
    first: Literal["BUY", "SELL"] = "SELL" if z > 0 else "BUY"
    second: Literal["BUY", "SELL"] = "BUY" if z > 0 else "SELL"
    legs: list[TradeLeg] = [
        {"symbol": FIRST, "side": first, "mode": "USD", "amount": USD},
        {"symbol": SECOND, "side": second, "mode": "USD", "amount": USD},
    ]
    costs = costs_of(tandem, legs)
    if costs is None:
        return f"z {z:.2f}: waits, the pair cannot be traded whole now"
    if distance * float(USD) < MIN_GAIN * float(costs):
        return f"z {z:.2f}: waits, the way to the mean does not pay ${costs:.2f} of costs"
    opening = tandem.place("POST /trade/open", body={"type": "MARKET", "legs": legs, "onLegFailure": "UNWIND"})
    return f"z {z:.2f}: opened {tandem.ended(opening['execution']['id'])['status']}"


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
