/** Reason, known before a close is sent, why a leg of it will not be closed. */
import { isMinimumWaived } from '../../domain/closing-terms.ts';
import { Decimal, dec, sum } from '../../domain/decimal.ts';
import { belowMinimum } from '../../domain/leg-problems.ts';
import type { TradeAccount, TradeLeg } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import { netOfLots } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import { venueOf } from '../execution/ask-venue.ts';
import type { limitNow } from './limit-now.ts';

type Deps = Pick<EngineDeps, 'venues' | 'state'>;

/**
 * @param leg its closing order, `amount` in base units
 * @param isWhole true: the whole position is closed; a leg that is too small for the venue is then left in no basket
 */
export function closingProblem(
  deps: Deps,
  account: TradeAccount,
  leg: TradeLeg,
  isWhole: boolean,
  { instrument, quote, limit }: ReturnType<typeof limitNow>,
): LegProblem | null {
  if (quote === undefined) return { code: 'PRICE_STALE', message: 'No current price' };
  const quantity = dec(leg.amount);
  if (quantity.isZero())
    return {
      code: 'ZERO_QUANTITY',
      message: `The share is below one quantity step of ${instrument?.stepSize ?? '?'}: nothing of this leg is closed`,
    };
  if (instrument === undefined || limit === null) return null;
  const prices = { mark: dec(quote.mark), limit: dec(limit) };
  const isSmall = quantity.mul(Decimal.min(prices.mark, prices.limit)).lt(instrument.minNotional);
  if (!isSmall || isWaived(deps, account, leg)) return null;
  const end = isWhole ? 'it stays at the venue, in no basket' : 'nothing of the part is sent';
  return { code: 'MIN_NOTIONAL', message: `${belowMinimum(quantity, prices, instrument)}: ${end}` };
}

/** True: the venue takes an order of any size here, because it only reduces or because it closes all that is held there. */
function isWaived({ venues, state }: Deps, account: TradeAccount, leg: TradeLeg): boolean {
  const { minimumWaiver } = venueOf({ venues }, account.connector).info;
  const held = state.positions
    .of(account.id)
    .flatMap(({ legs }) => legs.filter(({ symbol }) => symbol === leg.symbol).map(signedQuantity));
  const net = sum(held).plus(netOfLots(state.unassigned.of(account.id, leg.symbol)));
  const closable = leg.side === 'SELL' ? net : net.neg();
  return isMinimumWaived(minimumWaiver, {
    reduceOnly: closable.gte(leg.amount),
    closesAll: closable.eq(leg.amount),
  });
}
