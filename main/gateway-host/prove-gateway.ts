/**
 * Check before the session goes to an address: the program there must have the key of the gateway that the app started.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from '../../gateway/contract/shell-identity.ts';

const PATIENCE_MS = 5_000;

export async function provesItself(url: string, nonce: string): Promise<boolean> {
  const challenge = randomBytes(32).toString('hex');
  try {
    const answer = await fetch(`${url}/health`, {
      headers: { [CHALLENGE_HEADER]: challenge },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.body?.cancel();
    const text = provenText(challenge, Number(new URL(url).port));
    const proof = Buffer.from(answer.headers.get(PROOF_HEADER) ?? '', 'utf8');
    const expected = Buffer.from(createHmac('sha256', nonce).update(text).digest('hex'), 'utf8');
    return proof.length === expected.length && timingSafeEqual(proof, expected);
  } catch {
    return false;
  }
}
