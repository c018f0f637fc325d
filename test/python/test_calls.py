"""Calls, lists, errors, accounts and keys."""

from __future__ import annotations

import asyncio
import os
import time
import unittest
from decimal import Decimal

from rig import PAIR, GatewayTest, User, refused_port

import tandem_client as t
from tandem_client import AsyncTandem, Tandem


class Calls(GatewayTest):
    def setUp(self) -> None:
        self.tandem = Tandem(self.gateway.url, api_key=self.user.key)
        self.addCleanup(self.tandem.close)

    def test_finds_the_only_account_itself(self) -> None:
        self.assertEqual(self.tandem.account_id, self.user.account)
        self.assertEqual(self.tandem.call("GET /positions"), {"positions": []})
        self.assertIn(self.user.account, repr(self.tandem))

    def test_says_which_accounts_there_are_when_there_are_several(self) -> None:
        user = User(self.gateway, "several@example.test")
        user.another_account("Second")
        with Tandem(self.gateway.url, api_key=user.key) as several:
            with self.assertRaises(t.TradeAccountNotChosen) as raised:
                several.call("GET /positions")
            self.assertEqual(len(raised.exception.accounts), 2)
            self.assertIn("Second", str(raised.exception))
            self.assertEqual(several.on_account("second").call("GET /positions"), {"positions": []})
            with self.assertRaisesRegex(t.TradeAccountNotChosen, "no trade account 'third'"):
                several.call("GET /positions", account="third")
        with Tandem(self.gateway.url, api_key=user.key, account="Second") as named:
            self.assertNotEqual(named.account_id, user.account)

    def test_says_that_there_is_no_account(self) -> None:
        user = User(self.gateway, "none@example.test")
        self.gateway.request("DELETE", f"/trade-accounts/{user.account}", None, {"x-api-key": user.key})
        with Tandem(self.gateway.url, api_key=user.key) as none:
            with self.assertRaisesRegex(t.TradeAccountNotChosen, "reaches no trade account"):
                none.call("GET /positions")

    def test_errors_are_classes(self) -> None:
        with self.assertRaises(t.ValidationFailed) as raised:
            self.tandem.call("POST /trade/open", body={"type": "MARKET", "legs": []})
        self.assertEqual((raised.exception.status, raised.exception.error_code), (400, "VALIDATION_ERROR"))
        self.assertEqual([field["path"] for field in raised.exception.fields], ["legs"])
        with self.assertRaises(t.ResourceNotFound):
            self.tandem.call("GET /positions/{id}", params={"id": "018f0000-0000-7000-8000-000000000000"})
        with Tandem(self.gateway.url, api_key="tdm_" + "x" * 43, account=self.user.account) as stranger:
            with self.assertRaises(t.Unauthorized) as refused:
                stranger.call("GET /positions")
        self.assertIsNotNone(refused.exception.request_id)
        self.assertRegex(repr(refused.exception), "^<Unauthorized 401: ")

    def test_a_route_that_does_not_exist_is_told_before_anything_is_sent(self) -> None:
        with self.assertRaisesRegex(t.TandemError, "did you mean 'GET /positions'"):
            self.tandem.call("GET /position")  # type: ignore[call-overload]
        with self.assertRaisesRegex(t.TandemError, "needs the parameter id"):
            self.tandem.call("GET /positions/{id}", params={"id": ".."})
        with Tandem(self.gateway.url, data_dir=self.gateway.data_dir) as nobody:
            self.assertEqual(nobody.call("GET /health")["status"], "ok")
            with self.assertRaisesRegex(t.TandemError, "tandem keys create --save"):
                nobody.call("GET /positions")

    def test_lists_go_on_to_the_last_page_and_become_tables(self) -> None:
        for _ in range(3):
            opening = self.tandem.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR})
            self.tandem.ended(opening["execution"]["id"])
        fills = self.tandem.rows("GET /fills", query={"limit": 2, "orderBy": "timestamp"})
        listed = list(fills)
        self.assertGreaterEqual(len(listed), 6)
        self.assertEqual(listed, list(self.tandem.rows("GET /fills", query={"orderBy": "timestamp"})))
        pages = list(self.tandem.pages("GET /fills", query={"limit": 2}))
        self.assertEqual([len(page["fills"]) for page in pages[:-1]], [2] * (len(pages) - 1))

        frame = fills.to_frame()
        self.assertEqual(len(frame), len(listed))
        self.assertEqual(sum(frame["quantity"]), sum(Decimal(fill["quantity"]) for fill in listed))
        self.assertEqual(str(frame["timestamp"].dt.tz), "UTC")
        floats = fills.to_frame(numbers="float")
        self.assertEqual(str(floats["notional"].dtype), "float64")
        self.assertEqual(list(fills.to_frame("text")["price"]), [fill["price"] for fill in listed])
        prices = self.tandem.rows("GET /prices", query={"connector": "paper"}).to_frame("float")
        self.assertGreater(prices["mark"].min(), 0)
        self.assertEqual(len(t.to_frame([])), 0)
        # A table without rows has its columns all the same.
        none = self.tandem.rows("GET /ladders").to_frame()
        self.assertEqual(len(none), 0)
        self.assertIn("createdAt", none.columns)
        # Beside its rows this list has what they come to.
        paid = self.tandem.rows("GET /funding/payments").to_frame()
        self.assertIn("amount", paid.columns)
        self.assertEqual([page["total"] for page in self.tandem.pages("GET /funding/payments")], ["0"])

    def test_the_same_in_asyncio_and_under_one_loop_after_the_other(self) -> None:
        tandem = AsyncTandem(self.gateway.url, api_key=self.user.key)

        async def look() -> int:
            self.assertEqual(await tandem.account_id(), self.user.account)
            rows = [row async for row in tandem.rows("GET /instruments", query={"connector": "paper"})]
            self.assertEqual(len(await tandem.rows("GET /instruments", query={"connector": "paper"}).to_frame()), len(rows))
            with self.assertRaises(t.ResourceNotFound):
                await tandem.call("GET /orders/{id}", params={"id": "018f0000-0000-7000-8000-000000000000"})
            return len(rows)

        async def finish() -> None:
            await look()
            await tandem.aclose()

        self.assertGreater(asyncio.run(look()), 10)
        self.assertGreater(asyncio.run(look()), 10)
        asyncio.run(finish())

    def test_the_blocking_client_works_inside_a_running_loop(self) -> None:
        async def cell() -> None:
            with Tandem(self.gateway.url, api_key=self.user.key) as tandem:
                opening = tandem.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR})
                self.assertEqual(tandem.ended(opening["execution"]["id"])["status"], "COMPLETED")

        asyncio.run(cell())


class Keys(GatewayTest):
    def test_the_key_comes_from_the_environment(self) -> None:
        os.environ.update(TANDEM_URL=self.gateway.url, TANDEM_API_KEY=self.user.key, TANDEM_ACCOUNT=self.user.account)
        try:
            with Tandem() as tandem:
                self.assertEqual(tandem.account_id, self.user.account)
                self.assertEqual(tandem.call("GET /positions"), {"positions": []})
        finally:
            for name in ("TANDEM_URL", "TANDEM_API_KEY", "TANDEM_ACCOUNT"):
                del os.environ[name]

    def test_the_saved_key_goes_to_the_gateway_of_its_folder_alone(self) -> None:
        self.user.save_key()
        with Tandem(data_dir=self.gateway.data_dir) as tandem:
            self.assertEqual(tandem.account_id, self.user.account)
            opening = tandem.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR})
            self.assertEqual(tandem.ended(opening["execution"]["id"])["status"], "COMPLETED")

        async def in_asyncio() -> None:
            async with AsyncTandem(data_dir=self.gateway.data_dir) as tandem:
                stream = tandem.events()
                self.assertEqual((await stream.__anext__()).kind, "subscribed")

        asyncio.run(in_asyncio())
        with Tandem(f"http://127.0.0.1:{refused_port()}", data_dir=self.gateway.data_dir) as elsewhere:
            with self.assertRaisesRegex(t.TandemError, "is for the gateway at"):
                elsewhere.call("GET /positions")

    def test_a_damaged_key_is_told(self) -> None:
        path = self.gateway.data_dir / "damaged"
        path.mkdir()
        (path / "cli.json").write_text('{"apiKey": "no"}')
        with self.assertRaisesRegex(t.TandemError, "is damaged; write it anew"):
            Tandem(data_dir=path)


class Nobody(unittest.TestCase):
    """Nobody listens: what waits ends with a sentence, not with silence."""

    def setUp(self) -> None:
        key = "tdm_" + "x" * 43
        self.url = f"http://127.0.0.1:{refused_port()}"
        account = "018f0000-0000-7000-8000-000000000000"
        self.tandem = Tandem(self.url, api_key=key, account=account, unreachable_after=1)
        self.addCleanup(self.tandem.close)
        self.other = AsyncTandem(self.url, api_key=key, account=account, unreachable_after=1)

    def test_a_call_says_so_at_once(self) -> None:
        with self.assertRaisesRegex(t.GatewayUnreachable, f"Nobody answers at {self.url}: start the gateway"):
            self.tandem.call("GET /positions")

    def test_an_order_was_not_sent(self) -> None:
        with self.assertRaisesRegex(t.GatewayUnreachable, "for 1 s: start the gateway"):
            self.tandem.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR})

    def test_events_and_ends_stop_waiting(self) -> None:
        with self.assertRaises(t.GatewayUnreachable):
            next(self.tandem.events())
        with self.assertRaises(t.GatewayUnreachable):
            self.tandem.ended("018f0000-0000-7000-8000-000000000000")

        async def the_same() -> None:
            with self.assertRaises(t.GatewayUnreachable):
                await self.other.events().__anext__()
            with self.assertRaises(t.GatewayUnreachable):
                await self.other.ended("018f0000-0000-7000-8000-000000000000")
            with self.assertRaises(t.GatewayUnreachable):
                await self.other.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR})

        asyncio.run(the_same())

    def test_who_looks_again_and_again_learns_it_too(self) -> None:
        stream = self.tandem.events()
        with self.assertRaises(t.GatewayUnreachable):
            for _ in range(200):
                self.assertIsNone(stream.get(0.1))

        async def the_same() -> None:
            stream = self.other.events()
            with self.assertRaises(t.GatewayUnreachable):
                for _ in range(200):
                    self.assertIsNone(await stream.get(0.1))

        asyncio.run(the_same())

    def test_an_order_whose_own_time_is_over_first_was_not_sent(self) -> None:
        with self.assertRaises(t.GatewayUnreachable):
            self.tandem.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR}, give_up_after=0.3)

    def test_what_cannot_be_sent_is_said(self) -> None:
        with self.assertRaisesRegex(t.TandemError, "printable ASCII"):
            self.tandem.place("POST /trade/open", body={"type": "MARKET", "legs": PAIR}, idempotency_key="schlüssel")
        with self.assertRaisesRegex(TypeError, "takes no 'json'; there are params, query, body"):
            self.tandem.call("GET /positions", json={})  # type: ignore[call-overload]

    def test_none_never_gives_up(self) -> None:
        patient = Tandem(self.url, api_key="tdm_" + "x" * 43, account="018f0000-0000-7000-8000-000000000000", unreachable_after=None)
        self.addCleanup(patient.close)
        stream = patient.events()
        self.assertIsNone(stream.get(2.5))
        began = time.monotonic()
        stream.close()
        self.assertLess(time.monotonic() - began, 60)
        with self.assertRaises(StopIteration):
            stream.get(1)


if __name__ == "__main__":
    unittest.main()
