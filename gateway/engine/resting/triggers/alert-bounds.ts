/**
 * Limits on pending alerts, and on alerts that one agent or API key may set within a day. An alert met at once notifies
 * and frees its place, so a limit on places does not limit notifications. The user has a limit on places only.
 */
import { grantOf, type Placed, UNRECORDED } from '../../../domain/authority.ts';
import { DAY_MS } from '../../../domain/history-range.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { busy, type Checked, FINE } from '../../core/errors.ts';
import type { LiveTriggers } from './live-triggers.ts';

/** Limits of one agent or key. */
interface HolderBounds {
  /** Most pending alerts on an account at a time. */
  readonly waiting: number;
  /** Most alerts set within 24 hours, on all accounts together. */
  readonly aDay: number;
}

export interface AlertBounds {
  /** Most pending alerts of an account at a time, from all callers together. */
  readonly most: number;
  /** Limits of a connected agent, and of an API key with a mandate. */
  readonly ofAgent: HolderBounds;
  /** Limits of an API key that trades as its user. */
  readonly ofKey: HolderBounds;
}

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'warden'>;

/** Refuses an alert beyond the limits of account, agent or key. Run it for one request per user at a time. */
export async function mayTell(
  deps: Deps,
  live: LiveTriggers,
  { id: tradeAccountId, userId }: Pick<TradeAccount, 'id' | 'userId'>,
  placed: Placed,
  { most, ofAgent, ofKey }: AlertBounds,
): Promise<Checked> {
  const waiting = live.waitingOf(tradeAccountId).filter((id) => live.isAlert(id));
  if (waiting.length >= most) return tooMany(`${most} alerts wait already`);
  const { authorityKind, authorityId } = placed;
  if (authorityId === null || authorityKind === 'session') return FINE;
  const isAgent = grantOf(placed) !== null || deps.warden.of(placed) !== null;
  const [bounds, who] = isAgent ? [ofAgent, 'this agent'] : [ofKey, 'this API key'];
  const own = waiting.filter((id) => (live.get(id)?.record ?? UNRECORDED).authorityId === authorityId);
  if (own.length >= bounds.waiting) return tooMany(`${bounds.waiting} alerts of ${who} wait already`);
  const set = await deps.store.alertTimes(userId, authorityId, deps.clock.now() - DAY_MS);
  const oldest = set[set.length - bounds.aDay];
  if (oldest === undefined) return FINE;
  return busy(`${bounds.aDay} alerts were set with ${who} within 24 hours`, {
    reason: 'ALERT_RATE',
    retryAt: new Date(oldest + DAY_MS).toISOString(),
  });
}

function tooMany(message: string) {
  return busy(`${message}: cancel one first`, { reason: 'TOO_MANY' });
}
