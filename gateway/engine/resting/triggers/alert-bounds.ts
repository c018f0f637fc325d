/**
 * How many alerts may wait, and how many one agent or API key may set within a day: whoever sets one that is met already is
 * told at once and has its place back, so that places alone bound no notifications. Their user is bound by places only.
 */
import { grantOf, type Placed, UNRECORDED } from '../../../domain/authority.ts';
import { DAY_MS } from '../../../domain/history-range.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { busy, type Checked, FINE } from '../../core/errors.ts';
import type { LiveTriggers } from './live-triggers.ts';

/** Of one agent or key. */
interface HolderBounds {
  /** That may wait on an account at a time. */
  readonly waiting: number;
  /** That it may set within 24 hours, on all accounts together. */
  readonly aDay: number;
}

export interface AlertBounds {
  /** Alerts of an account that may wait at a time, whoever set them. */
  readonly most: number;
  /** Of a connected agent, and of an API key that has a mandate. */
  readonly ofAgent: HolderBounds;
  /** Of an API key that trades as its user. */
  readonly ofKey: HolderBounds;
}

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'warden'>;

/** Refuses one alert too many of the account, or of the agent or key that asks. To be asked by one request of a user at a time. */
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
