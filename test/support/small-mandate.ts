/** Mandates for tests: small ones on one account, and agents that have one. */
import type { MandateBody } from '../../gateway/contract/mandate.ts';
import { presetMandate } from '../../gateway/contract/mandate-presets.ts';

/** `Small orders, asks before larger ones` on this account, without an end. */
export function smallMandate(accountId: string, over: Partial<MandateBody> = {}): MandateBody {
  const preset = presetMandate('small_and_asked', [{ id: accountId, mode: 'PAPER' }], 0);
  return { ...preset, validUntil: null, ...over };
}

/** Approval terms under which an order waits for nobody. */
export const NOBODY_ASKED: MandateBody['approval'] = {
  when: 'never',
  aboveUsd: null,
  kinds: [],
  passwordAboveUsd: null,
  lifeSeconds: 600,
  driftBps: 50,
  firsts: 'off',
};
