"""Pair mean reversion: sells a price ratio that is far above its mean, buys one that is far below, closes near the mean."""

import os
import time
from statistics import mean, stdev
from typing import Literal

from tandem_client import NothingToDo, ResourceBusy, Tandem
from tandem_client.schemas import Position

CONNECTOR = os.environ.get("CONNECTOR", "paper")
FIRST, SECOND = os.environ.get("PAIR", "BTC-PERP,ETH-PERP").split(",")
USD = os.environ.get("USD", "500")
LOOKBACK = int(os.environ.get("LOOKBACK", "120"))  # candles of a minute
ENTRY, EXIT = float(os.environ.get("ENTRY", "2")), float(os.environ.get("EXIT", "0.5"))  # z-scores
EVERY = float(os.environ.get("EVERY", "60"))  # seconds between two looks
ROUNDS = int(os.environ.get("ROUNDS", "0"))  # 0: until it is stopped


def z_score(tandem: Tandem) -> float:
    candles = tandem.call("GET /candles/basket", query={
        "connector": CONNECTOR, "long": [FIRST], "short": [SECOND], "interval": "1m",
    })["candles"]
    closes = [float(candle["close"]) for candle in candles[-LOOKBACK:]]
    spread = stdev(closes)
    return 0.0 if spread == 0 else (closes[-1] - mean(closes)) / spread


def open_position(tandem: Tandem) -> Position | None:
    """The gateway knows what is open: a bot that is started again goes on from there."""
    for position in tandem.rows("GET /positions", query={"status": ["OPEN"]}):
        if {leg["symbol"] for leg in position["legs"]} == {FIRST, SECOND}:
            return position
    return None


def act(tandem: Tandem) -> str:
    z = z_score(tandem)
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
    opening = tandem.place("POST /trade/open", body={
        "type": "MARKET",
        "legs": [
            {"symbol": FIRST, "side": first, "mode": "USD", "amount": USD},
            {"symbol": SECOND, "side": second, "mode": "USD", "amount": USD},
        ],
        "onLegFailure": "UNWIND",
    })
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
