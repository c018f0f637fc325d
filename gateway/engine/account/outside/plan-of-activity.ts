/** Plan of `POST /sync/positions`: positions from an account's trades outside Tandem. Nothing is recorded. */
import type { Placed } from '../../../domain/authority.ts';
import type { BasketLeg } from '../../../domain/basket.ts';
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { Position, Side, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { type EngineError, marketsUnknown } from '../../core/errors.ts';
import { basketKeyOf } from '../../execution/basket-key.ts';
import { checkSymbols, knowsMarkets } from '../../execution/check-symbols.ts';
import { checkHeld } from './check-held.ts';
import { foldedInto, type OutsideDeps, outsideFills } from './position-of-activity.ts';
import { allOf } from './take-in-fills.ts';

export interface ActivityPlan {
  /** Open position to which the fills are added; null: they make a new one. */
  readonly positionId: string | null;
  readonly status: Position['status'];
  /** Number of fills in the position. */
  readonly fills: number;
  readonly legs: readonly {
    readonly symbol: string;
    readonly side: Side;
    /** Base units. */
    readonly before: string;
    readonly after: string;
    readonly entryPrice: string;
  }[];
  /** Profit from price alone, USD, before fees and funding. */
  readonly realizedPnl: string;
  /** Fees paid, USD. */
  readonly fees: string;
}

export async function planOfActivity(
  deps: Pick<OutsideDeps, 'state' | 'store' | 'ids' | 'clock' | 'market' | 'venues' | 'basketKey' | 'warden'>,
  account: TradeAccount,
  legs: readonly BasketLeg[],
  placed: Placed,
): Promise<Result<ActivityPlan, EngineError>> {
  if (!knowsMarkets(deps, account)) return marketsUnknown();
  const listed = checkSymbols(deps, account, legs);
  if (!listed.ok) return listed;
  const outside = await outsideFills(deps, account, { legs, cloids: [] });
  if (!outside.ok) return outside;
  const current = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, legs)) ?? null;
  const held = await checkHeld(deps, account, outside.value);
  if (!held.ok) return held;
  const taken = foldedInto(deps, account, current, legs, outside.value, placed);
  if (!taken.ok) return taken;
  const { position } = taken.value;
  const before = new Map(current?.legs.map((leg) => [leg.symbol, leg]));
  const grown = (of: 'realizedPnl' | 'feesPaid') =>
    text(sum(position.legs.map((leg) => dec(leg[of]).minus(before.get(leg.symbol)?.[of] ?? 0))));
  return ok({
    positionId: current?.id ?? null,
    status: position.status,
    fills: allOf(outside.value).length,
    legs: position.legs.map(({ symbol, side, quantity, entryPrice }) => ({
      symbol,
      side,
      before: before.get(symbol)?.quantity ?? '0',
      after: quantity,
      entryPrice,
    })),
    realizedPnl: grown('realizedPnl'),
    fees: grown('feesPaid'),
  });
}
