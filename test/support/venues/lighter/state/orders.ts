/** Orders of the emulated venue, with its words for their kinds. */
import type { Order as SharedOrder } from '../../shared/world/parts.ts';
import type { Account } from './accounts.ts';
import type { Market } from './markets.ts';

export const TYPES = [
  'limit',
  'market',
  'stop-loss',
  'stop-loss-limit',
  'take-profit',
  'take-profit-limit',
  'twap',
];
export const TIMES_IN_FORCE = ['immediate-or-cancel', 'good-till-time', 'post-only'];

export interface Order extends SharedOrder<Market, Account> {
  readonly client: number | null;
  /** Places in `TYPES` and `TIMES_IN_FORCE`. */
  readonly type: number;
  readonly timeInForce: number;
  /** Epoch ms; 0: none. */
  readonly expiry: number;
  readonly integrator: number;
  readonly integratorFees: readonly [taker: number, maker: number];
  /** Number of the last change, rising over all of the venue. */
  nonce: number;
  block: number;
}
