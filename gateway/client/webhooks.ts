/** Proof that a webhook comes from the gateway that has its secret, and was sent just now. */
import type { WebhookEvent } from '../contract/webhooks.ts';
import { TandemError } from './errors.ts';

/** The signature does not fit, or is too old. Answer with 400 and do nothing. */
export class WebhookRefused extends TandemError {}

/** Refuses what was sent longer ago, s: whoever recorded a request cannot send it again tomorrow. */
const TOLERANCE_SECONDS = 300;

export interface WebhookRequest {
  /** The body as it came, byte by byte: parsed and written again it may differ. */
  readonly body: string;
  /** Header `tandem-signature`. */
  readonly signature: string | null | undefined;
  /** As it was shown when the webhook was made. */
  readonly secret: string;
  readonly toleranceSeconds?: number;
  /** Epoch ms. Default: now. */
  readonly now?: number;
}

/** The event of a request. Take each `id` once: deliveries may repeat. @throws WebhookRefused */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { body, signature, secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = request;
  // Anybody can sign with an empty one.
  if (secret === '') throw new WebhookRefused('There is no secret to check it with');
  const parts = (signature ?? '').split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []));
  if (!/^\d{1,12}$/.test(t) || given.length === 0) throw new WebhookRefused('There is no signature');
  if (Math.abs(now / 1_000 - Number(t)) > toleranceSeconds)
    throw new WebhookRefused('The signature is too old, or this clock is wrong');
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    text.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  for (const hex of given) {
    const bytes = bytesOf(hex);
    // Compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, text.encode(`${t}.${body}`))))
      return JSON.parse(body);
  }
  throw new WebhookRefused('The signature does not fit the body and the secret');
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/.test(hex)) return null;
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}
