/** Answers to holders of mandates, as errors of the engine. */
import type { BrokenLimit, MandateLimit } from '../../domain/mandate.ts';
import { fail } from '../../domain/result.ts';
import { busy, type EngineError } from './errors.ts';

const WORDS: Readonly<Partial<Record<MandateLimit, string>>> = {
  accounts: 'the account is not one of those that it may trade',
  instruments: 'it may not open this instrument',
  kinds: 'it may not place orders of this kind',
  reduceOnly: 'it may only make positions smaller',
  manage: 'it may only touch what is its own',
  changeLeverage: 'it may add margin, and neither take any out nor change leverage',
  attributeTrades:
    'its user is asked about orders, and decides himself what becomes of trades outside Tandem',
  hours: 'nothing is opened at this hour',
  validUntil: 'it is over',
  suspended: 'it is suspended until its user resumes it',
  lossStop: 'it has lost what it may lose within 24 hours',
  'house.lossUsd24h': 'all agents together have lost what they may lose within 24 hours',
};

/** Example: a take-profit covers a whole position, so it would also close shares of others. */
const SHARED =
  'not all of it is its own, and take-profit, stop-loss, rebalancing, leverage and isolated margin act on all of it; it may trade without them, or its user does it';

function isShared({ limit, used }: BrokenLimit): boolean {
  return limit === 'manage' && used !== null;
}

export function limitText(broken: BrokenLimit): string {
  const { limit, allowed, used, asked } = broken;
  if (isShared(broken)) return `${limit}: ${SHARED}`;
  const words = WORDS[limit];
  if (words !== undefined) return `${limit}: ${words}`;
  const before = used === null ? '' : `, ${used} used`;
  return `${limit}: ${allowed ?? 'none'} allowed${before}, ${asked ?? 'more'} asked`;
}

/**
 * AGENT_LIMIT with every broken limit in `details.limits`. `details.reason` is SHARED_POSITION if the request would act
 * on all of a position or instrument that its holder only partly owns.
 */
export function agentLimit(broken: readonly BrokenLimit[]) {
  return fail<EngineError>({
    code: 'AGENT_LIMIT',
    message: `The mandate does not allow it. ${broken.map(limitText).join('; ')}`,
    details: { ...(broken.some(isShared) ? { reason: 'SHARED_POSITION' } : {}), limits: broken },
  });
}

/** RESOURCE_BUSY with `details.reason` AGENT_RATE. @param retryAt epoch ms */
export function tooOften(retryAt: number) {
  return busy('The mandate takes no further order at the moment', {
    reason: 'AGENT_RATE',
    retryAt,
  });
}
