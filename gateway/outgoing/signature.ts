/**
 * Signatures of webhooks: HMAC-SHA256 over `<t>.<body>`, `t` in epoch seconds, in the form that receivers know from
 * payment services: `t=…,v1=<hex>`, one v1 for each secret that holds.
 */
import { createHmac, randomBytes } from 'node:crypto';

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

export function signature(body: string, atMs: number, secrets: readonly string[]): string {
  const t = Math.floor(atMs / 1_000);
  const signed = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  );
  return [`t=${t}`, ...signed].join(',');
}
