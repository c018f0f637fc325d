"""Index against majors: long an equal-weight index, short the majors, brought back to its weights by the gateway.

The gateway itself trades when a weight has drifted by more than DRIFT, also while this bot does not run.
"""

import os

from tandem_client import AccountEvent, Tandem
from tandem_client.schemas import Position, TradeLeg

INDEX = os.environ.get("INDEX", "SOL-PERP,AVAX-PERP,LINK-PERP,DOGE-PERP").split(",")
MAJORS = os.environ.get("MAJORS", "BTC-PERP,ETH-PERP").split(",")
TOTAL_USD = os.environ.get("TOTAL_USD", "4000")
DRIFT = os.environ.get("DRIFT", "0.02")
UNTIL = os.environ.get("UNTIL")  # event with which it ends; without one it tells of events until it is stopped


# Half of the money on each side. The weights of all legs add up to 1 exactly, so they are counted in thousandths.
def legs() -> list[TradeLeg]:
    sides: list[TradeLeg] = []
    for names in (INDEX, MAJORS):
        each = 500 // len(names)
        for nth, symbol in enumerate(names):
            weight = each if nth else 500 - each * (len(names) - 1)
            sides.append({
                "symbol": symbol,
                "side": "BUY" if names is INDEX else "SELL",
                "mode": "WEIGHT",
                "amount": f"0.{weight:03}",
            })
    return sides


def position_of(tandem: Tandem) -> Position | None:
    for position in tandem.rows("GET /positions", query={"status": ["OPEN"]}):
        if {leg["symbol"] for leg in position["legs"]} == {*INDEX, *MAJORS}:
            return position
    return None


with Tandem() as tandem:
    events = tandem.events()
    next(events)  # the subscription: from here on no event is missed
    if position_of(tandem) is None:
        # The gateway's plan says what cannot be traded now, and what it costs.
        answer = tandem.call("POST /trade/open", body={
            "type": "MARKET", "legs": legs(), "totalUsd": TOTAL_USD, "dryRun": True,
        })
        if "plan" in answer:
            plan = answer["plan"]
            if plan["problems"]:
                said = ", ".join(f"{one['symbol'] or 'basket'}: {one['message']}" for one in plan["problems"])
                raise SystemExit(f"cannot be opened now: {said}")
            print("costs, in USD: fees", plan["totalFee"], "slippage", plan["expectedCost"] or "unknown", flush=True)
        opening = tandem.place("POST /trade/open", body={
            "type": "MARKET",
            "legs": legs(),
            "totalUsd": TOTAL_USD,
            "onLegFailure": "UNWIND",
            "autoRebalance": {"mode": "TARGET_WEIGHTS", "action": "TRADE", "minimumDrift": DRIFT, "cooldownSeconds": 60},
        })
        execution = tandem.ended(opening["execution"]["id"])
        print("opened", execution["status"], execution["error"] or "", flush=True)
    for message in events:
        if isinstance(message, AccountEvent):
            print(message.event, message.timestamp, flush=True)
            if message.event == UNTIL:
                break
    position = position_of(tandem)
    if position is not None:
        for leg in position["legs"]:
            print(leg["side"], leg["symbol"], "wants", leg["targetWeight"], "has", leg["currentWeight"])
        rebalance = position["autoRebalance"]
        print("rebalancing", None if rebalance is None else rebalance["status"])
