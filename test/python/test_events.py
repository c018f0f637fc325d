"""Events without holes and without doubles, and streams that are opened and closed in every way."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from typing import Any

from rig import PACKAGE, PAIR, GatewayTest, Proxy, until

import tandem_client as t
from tandem_client import AsyncTandem, Tandem
from tandem_client.schemas import OpenTrade

OPEN: OpenTrade = {"type": "MARKET", "legs": PAIR}


class Events(GatewayTest):
    def setUp(self) -> None:
        self.network = Proxy(self.gateway.port)
        self.addCleanup(self.network.close)
        self.tandem = Tandem(self.network.url, api_key=self.user.key, account=self.user.account)
        self.addCleanup(self.tandem.close)

    def trade(self, times: int = 1) -> None:
        with Tandem(self.gateway.url, api_key=self.user.key) as other:
            for _ in range(times):
                other.ended(other.place("POST /trade/open", body=OPEN)["execution"]["id"])

    def last_seq(self) -> int:
        """As the gateway says it to somebody who subscribes now."""
        with Tandem(self.gateway.url, api_key=self.user.key) as other, other.events() as stream:
            (seq,) = self.subscribed(next(stream)).seq.values()
            return seq

    def subscribed(self, message: t.StreamMessage) -> t.Subscribed:
        assert isinstance(message, t.Subscribed), message
        return message

    def test_no_event_is_lost_or_doubled_over_cuts_and_a_restart(self) -> None:
        seen: list[int] = []
        begun = threading.Event()
        first: list[int] = []
        done = threading.Event()

        def listen() -> None:
            for message in self.tandem.events():
                if isinstance(message, t.Subscribed):
                    first.extend(message.seq.values())
                    begun.set()
                elif isinstance(message, t.AccountEvent):
                    seen.append(message.seq)
                    if done.is_set() and seen[-1] == last[0]:
                        return

        last = [0]
        listener = threading.Thread(target=listen)
        listener.start()
        begun.wait(20)
        for _ in range(3):
            self.trade()
            self.network.cut()
            self.trade()
        self.gateway.kill()
        time.sleep(0.3)
        self.gateway.start()
        self.trade()
        last[0] = self.last_seq()
        done.set()
        until(lambda: bool(seen) and seen[-1] >= last[0], "the last event")
        self.tandem.close()
        listener.join()
        self.assertEqual(seen, list(range(first[0] + 1, last[0] + 1)))

    def test_a_program_that_is_started_again_goes_on_where_it_was(self) -> None:
        stream = self.tandem.events()
        self.subscribed(next(stream))
        self.trade()
        taken = [next(stream) for _ in range(2)]
        kept = stream.seq
        stream.close()
        self.trade()
        last = self.last_seq()
        seen = [message.seq for message in taken if isinstance(message, t.AccountEvent)]
        with self.tandem.events(resume_from=kept) as later:
            for message in later:
                if isinstance(message, t.AccountEvent):
                    seen.append(message.seq)
                    self.assertEqual((message.mode, message.network), ("PAPER", None))
                    if message.seq == last:
                        break
        self.assertEqual(seen, list(range(seen[0], last + 1)))

    def test_it_goes_on_after_a_number_or_an_event_and_refuses_anything_else(self) -> None:
        stream = self.tandem.events()
        self.subscribed(next(stream))
        self.trade()
        first = next(stream)
        assert isinstance(first, t.AccountEvent)
        stream.close()
        points: list[int | t.AccountEvent | dict[str, int]] = [first.seq, first, {first.channel: first.seq}]
        for point in points:
            with self.tandem.events(resume_from=point) as later:
                self.subscribed(next(later))
                second = next(later)
                assert isinstance(second, t.AccountEvent)
                self.assertEqual(second.seq, first.seq + 1)
        for wrong in ("3", -1, True, 1.5, [3], {"user:nobody": 3}, {first.channel: "3"}):
            with self.assertRaises(t.TandemError):
                next(self.tandem.events(resume_from=wrong))  # type: ignore[arg-type]

    def test_the_same_in_asyncio_where_waits_are_cancelled(self) -> None:
        async def listen() -> list[int]:
            seen: list[int] = []
            async with AsyncTandem(self.network.url, api_key=self.user.key) as tandem:
                stream = tandem.events()
                self.subscribed(await stream.__anext__())
                trading = asyncio.create_task(asyncio.to_thread(self.trade, 3))
                while not trading.done() or len(seen) < 6:
                    try:
                        message = await asyncio.wait_for(stream.__anext__(), 0.003)
                    except TimeoutError:
                        continue
                    if isinstance(message, t.AccountEvent):
                        seen.append(message.seq)
                        if len(seen) % 7 == 0:
                            self.network.cut()
                await trading
                while (late := await stream.get(1)) is not None:
                    if isinstance(late, t.AccountEvent):
                        seen.append(late.seq)
            return seen

        seen = asyncio.run(listen())
        self.assertEqual(seen, list(range(seen[0], self.last_seq() + 1)))

    def test_public_channels_need_no_key(self) -> None:
        with Tandem(self.gateway.url) as nobody, nobody.events(["prices:paper", "status"]) as stream:
            rows = [message for message, _ in zip(stream, range(5)) if isinstance(message, t.MarketRows)]
        self.assertEqual(rows[0].kind, "snapshot")
        self.assertRegex(repr(rows[0]), r"^MarketRows\(snapshot of (prices:paper|status), \S+, \d+ rows\)$")

    def test_a_refused_stream_says_why(self) -> None:
        with self.assertRaises(t.StreamRefused) as raised:
            for _ in self.tandem.events(["user:018f0000-0000-7000-8000-000000000000"]):
                pass
        self.assertNotEqual(raised.exception.code, "")
        with Tandem(self.gateway.url, api_key="tdm_" + "x" * 43, account=self.user.account) as stranger:
            with self.assertRaises(t.StreamRefused):
                next(stranger.events())

    def test_get_gives_none_when_nothing_comes(self) -> None:
        stream = self.tandem.events()
        self.assertIsNotNone(stream.get(20))
        self.assertIsNone(stream.get(0.05))
        self.assertTrue(stream.is_connected)
        self.trade()
        self.assertIsInstance(stream.get(20), t.AccountEvent)


class Closing(GatewayTest):
    def setUp(self) -> None:
        self.tandem = Tandem(self.gateway.url, api_key=self.user.key)
        self.addCleanup(self.tandem.close)

    def test_opened_and_closed_many_times(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(100):
                stream = self.tandem.events()
                next(stream)
                stream.close()
                stream.close()
                with self.assertRaises(StopIteration):
                    next(stream)
        self.assertRegex(repr(stream), "^<EventStream closed")

    def test_closed_from_another_thread_while_it_waits(self) -> None:
        for nth in range(20):
            stream = self.tandem.events()
            next(stream)
            ended = threading.Event()

            def wait(stream: t.EventStream = stream, ended: threading.Event = ended) -> None:
                for _ in stream:
                    pass
                ended.set()

            waiting = threading.Thread(target=wait)
            waiting.start()
            if nth % 2 == 0:
                time.sleep(0.01)
            stream.close()
            self.assertTrue(ended.wait(20))
            waiting.join()

    def test_closing_the_client_ends_streams_that_wait(self) -> None:
        client = Tandem(self.gateway.url, api_key=self.user.key)
        streams = [client.events() for _ in range(5)]
        threads = [threading.Thread(target=lambda stream=stream: list(stream)) for stream in streams]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        client.close()
        client.close()
        for thread in threads:
            thread.join(20)
            self.assertFalse(thread.is_alive())

    def test_a_loop_that_is_left_leaves_no_socket(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ResourceWarning)
            for _ in self.tandem.events():
                break
            gc.collect()

    def test_closed_in_asyncio_while_it_waits(self) -> None:
        async def close() -> None:
            tandem = AsyncTandem(self.gateway.url, api_key=self.user.key)
            for _ in range(30):
                stream = tandem.events()
                await stream.__anext__()

                async def wait(stream: t.AsyncEventStream = stream) -> list[Any]:
                    return [message async for message in stream]

                waiting = asyncio.create_task(wait())
                await asyncio.sleep(0)
                await stream.aclose()
                self.assertEqual(await asyncio.wait_for(waiting, 20), [])
                await stream.aclose()
            await tandem.aclose()
            await tandem.aclose()

        asyncio.run(close(), debug=True)

    def program(self, text: str) -> str:
        """What a program says to standard error; it must end well."""
        head = "import asyncio, sys, threading\nfrom tandem_client import AsyncTandem, Tandem\nURL, KEY = sys.argv[1:]\n"
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", head + textwrap.dedent(text), self.gateway.url, self.user.key],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_an_interpreter_ends_with_streams_open(self) -> None:
        left_open = """
            tandem = Tandem(URL, api_key=KEY)
            stream = tandem.events()
            next(stream)
            iterator = iter(tandem.events())
            next(iterator)
        """
        self.assertEqual(self.program(left_open), "")
        in_a_thread = """
            tandem = Tandem(URL, api_key=KEY)
            stream = tandem.events()
            next(stream)
            threading.Thread(target=lambda: list(stream), daemon=True).start()
        """
        self.assertEqual(self.program(in_a_thread), "")

    def test_a_loop_ends_with_streams_open(self) -> None:
        broken_off = """
            tandem = AsyncTandem(URL, api_key=KEY)
            async def main():
                async for message in tandem.events():
                    return
            for _ in range(3):
                asyncio.run(main())
        """
        self.assertNotIn("Event loop is closed", self.program(broken_off))
        over_two_loops = """
            tandem = AsyncTandem(URL, api_key=KEY)
            stream = tandem.events()
            async def main():
                print(await stream.__anext__())
            asyncio.run(main())
            asyncio.run(main())
        """
        self.assertNotIn("Event loop is closed", self.program(over_two_loops))
