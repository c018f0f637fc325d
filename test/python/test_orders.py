"""A timeout is not a failure: whatever is lost on the way, an order is placed once."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

from rig import PAIR, GatewayTest, Proxy

import tandem_client as t
from tandem_client import AsyncTandem, Tandem
from tandem_client.schemas import OpenTrade

OPEN: OpenTrade = {"type": "MARKET", "legs": PAIR}


class Orders(GatewayTest):
    def setUp(self) -> None:
        self.network = Proxy(self.gateway.port)
        self.addCleanup(self.network.close)
        self.tandem = Tandem(self.network.url, api_key=self.user.key, account=self.user.account)
        self.addCleanup(self.tandem.close)

    def executions(self) -> list[Any]:
        headers = {"x-api-key": self.user.key, "x-trade-account-id": self.user.account}
        listed: list[Any] = self.gateway.request("GET", "/executions?limit=2000", None, headers)["executions"]
        return listed

    def test_places_one_order_when_the_answer_is_lost(self) -> None:
        before = len(self.executions())
        self.network.lose_answer_to("POST /trade/open")
        placed = self.tandem.place("POST /trade/open", body=OPEN)
        self.assertEqual(len(self.executions()), before + 1)
        self.assertEqual(self.executions()[0]["id"], placed["execution"]["id"])
        self.assertEqual(placed["intent"], placed["execution"]["intent"])
        self.assertEqual(self.network.requests, ["POST /trade/open", "GET /executions/by-key"])
        self.assertEqual(self.tandem.ended(placed["execution"]["id"])["status"], "COMPLETED")

    def test_places_one_order_when_the_answers_to_the_questions_are_lost_too(self) -> None:
        before = len(self.executions())
        self.network.lose_answer_to("POST /trade/open")
        self.network.lose_answer_to("GET /executions/by-key")

        async def place() -> str:
            async with AsyncTandem(self.network.url, api_key=self.user.key) as tandem:
                placed = await tandem.place("POST /trade/open", body=OPEN)
                return (await tandem.ended(placed["execution"]["id"]))["status"]

        self.assertEqual(asyncio.run(place()), "COMPLETED")
        self.assertEqual(len(self.executions()), before + 1)

    def test_the_same_key_is_the_same_order(self) -> None:
        before = len(self.executions())
        first = self.tandem.place("POST /trade/open", body=OPEN, idempotency_key="mine-1")
        again = self.tandem.place("POST /trade/open", body=OPEN, idempotency_key="mine-1")
        self.assertEqual(first["execution"]["id"], again["execution"]["id"])
        self.assertEqual(len(self.executions()), before + 1)
        another: OpenTrade = {"type": "MARKET", "legs": PAIR, "onLegFailure": "UNWIND"}
        with self.assertRaises(t.ValidationFailed):
            self.tandem.place("POST /trade/open", body=another, idempotency_key="mine-1")

    def test_one_order_over_a_kill_and_a_restart(self) -> None:
        before = len(self.executions())
        placed: list[Any] = []
        threads = [
            threading.Thread(target=lambda: placed.append(self.tandem.place("POST /trade/open", body=OPEN)))
            for _ in range(8)
        ]
        for thread in threads[:4]:
            thread.start()
        self.gateway.kill()
        for thread in threads[4:]:
            thread.start()
        time.sleep(0.3)
        self.gateway.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(placed), 8)
        ends = [self.tandem.ended(one["execution"]["id"]) for one in placed]
        self.assertEqual(len({one["id"] for one in ends}), 8)
        self.assertEqual(len(self.executions()), before + 8)

    def test_waits_for_an_end_through_a_restart(self) -> None:
        placed = self.tandem.place("POST /trade/open", body=OPEN)
        ends: list[Any] = []
        waiting = threading.Thread(target=lambda: ends.append(self.tandem.ended(placed["execution"]["id"])))
        self.gateway.kill()
        waiting.start()
        time.sleep(0.5)
        self.gateway.start()
        waiting.join()
        self.assertIn(ends[0]["status"], ("COMPLETED", "FAILED"))
        with self.assertRaises(t.ResourceNotFound):
            self.tandem.ended("018f0000-0000-7000-8000-000000000000")

    def test_an_order_with_an_unknown_outcome_tells_its_key(self) -> None:
        before = len(self.executions())
        self.network.lose_answer_to("POST /trade/open", and_vanish=True)
        short = Tandem(self.network.url, api_key=self.user.key, account=self.user.account, unreachable_after=1)
        self.addCleanup(short.close)
        with self.assertRaisesRegex(t.OutcomeUnknown, "Nobody answers at .* go on with its key mine-2") as raised:
            short.place("POST /trade/open", body=OPEN, idempotency_key="mine-2")
        self.assertEqual(raised.exception.idempotency_key, "mine-2")
        with Tandem(self.gateway.url, api_key=self.user.key) as later:
            later.place("POST /trade/open", body=OPEN, idempotency_key="mine-2")
            self.assertEqual(len(self.executions()), before + 1)
