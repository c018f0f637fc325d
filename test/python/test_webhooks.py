"""Signatures of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import unittest

from tandem_client import WebhookRefused, verify_webhook

SECRET = "whsec_" + "s" * 43
BODY = b'{"id":"evt_1","event":"execution.completed"}'
NOW = 1_800_000_000


def sign(at: int, body: bytes = BODY, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


class Webhooks(unittest.TestCase):
    def test_takes_what_one_of_the_secrets_signed(self) -> None:
        both = f"t={NOW},v1={sign(NOW, secret='whsec_new')},v1={sign(NOW)}"
        event = verify_webhook(BODY, both, SECRET, now=NOW + 299)
        self.assertEqual(event["event"], "execution.completed")

    def test_refuses_everything_else(self) -> None:
        good = f"t={NOW},v1={sign(NOW)}"
        for signature, body, secret, now in [
            (good, BODY, SECRET, NOW + 301),
            (good, BODY, SECRET, NOW - 301),
            (good, BODY + b" ", SECRET, NOW),
            (good, BODY, SECRET + "x", NOW),
            (f"t={NOW + 1},v1={sign(NOW)}", BODY, SECRET, NOW),
            (f"v1={sign(NOW)}", BODY, SECRET, NOW),
            (f"t={NOW}", BODY, SECRET, NOW),
            ("t=\u0663,v1=x", BODY, SECRET, NOW),
            ("", BODY, SECRET, NOW),
            (None, BODY, SECRET, NOW),
        ]:
            with self.subTest(signature=signature, now=now), self.assertRaises(WebhookRefused):
                verify_webhook(body, signature, secret, now=now)


if __name__ == "__main__":
    unittest.main()
