/** The venue's words of refusal of one order, each with the status that the refused order then has. */
import { type Decimal, dec } from '../../../../../gateway/domain/decimal.ts';
import { freeMargin, neededFor, sizeOf } from '../../shared/world/margin.ts';
import type { Account } from './accounts.ts';
import type { Asset } from './universe.ts';
import type { TimeInForce, World } from './world.ts';

export interface OrderLeg {
  readonly asset: Asset;
  readonly isBuy: boolean;
  readonly px: Decimal;
  readonly sz: Decimal;
  readonly reduceOnly: boolean;
  readonly tif: TimeInForce;
  readonly client: string | null;
}

export interface Refusal {
  readonly status: string;
  readonly text: string;
}

const MINIMUM = dec(10);

export const REFUSALS = {
  tick: { status: 'tickRejected', text: 'Price must be divisible by tick size.' },
  price: { status: 'rejected', text: 'Order has invalid price.' },
  size: { status: 'rejected', text: 'Order has invalid size.' },
  zero: { status: 'rejected', text: 'Order has zero size.' },
  minimum: { status: 'minTradeNtlRejected', text: 'Order must have minimum value of $10.' },
  margin: { status: 'perpMarginRejected', text: 'Insufficient margin to place order.' },
  reduceOnly: { status: 'reduceOnlyRejected', text: 'Reduce only order would increase position.' },
  iocEmpty: {
    status: 'iocCancelRejected',
    text: 'Order could not immediately match against any resting orders.',
  },
  oracle: {
    status: 'oracleRejected',
    text: 'Order price cannot be more than 80% away from the reference price',
  },
  // The words for these three stand in no document.
  halted: { status: 'rejected', text: 'Trading is halted.' },
  duplicate: { status: 'rejected', text: 'Cloid is already in use.' },
  expired: { status: 'rejected', text: 'Order expired before it was executed.' },
} satisfies Record<string, Refusal>;

/** null: the order may enter the book. */
export function refusalOf(world: World, account: Account, leg: OrderLeg): Refusal | null {
  const { asset, px, sz, isBuy } = leg;
  if (asset.isDelisted || asset.halted) return REFUSALS.halted;
  if (leg.client !== null && world.orders.byClient(account, leg.client) !== undefined) {
    return REFUSALS.duplicate;
  }
  if (!px.isPositive() || px.isZero()) return REFUSALS.price;
  if (!onTick(px, asset)) return REFUSALS.tick;
  if (sz.isZero()) return REFUSALS.zero;
  if (!sz.isPositive() || sz.decimalPlaces() > asset.szDecimals) return REFUSALS.size;
  const held = sizeOf(account, asset);
  const closesAll = !held.isZero() && held.isPositive() !== isBuy && sz.gte(held.abs());
  // A position that is worth less than the minimum must be closable.
  if (px.mul(sz).lt(MINIMUM) && !(leg.reduceOnly && closesAll)) return REFUSALS.minimum;
  if (leg.reduceOnly && (held.isZero() || held.isPositive() === isBuy)) return REFUSALS.reduceOnly;
  const away = px.div(asset.oracle);
  if (away.gt('1.8') || away.lt('0.2')) return REFUSALS.oracle;
  const order = { market: asset, isBuy, sz, limitPx: px };
  if (!leg.reduceOnly) {
    const free = freeMargin(account, world.orders.open(account));
    if (neededFor(account, order).gt(free)) return REFUSALS.margin;
  }
  if (leg.tif === 'Alo' && world.wouldMatch(order)) return postOnly(world, asset);
  return null;
}

/** At most 5 significant figures and 6 − szDecimals decimals, or an integer. */
export function onTick(px: Decimal, asset: Asset): boolean {
  if (px.isInteger()) return true;
  const figures = px.toFixed().replace('.', '').replace(/^0+/, '').length;
  const decimals = px.toFixed().split('.')[1]?.length ?? 0;
  return figures <= 5 && decimals <= 6 - asset.szDecimals;
}

function postOnly(world: World, asset: Asset): Refusal {
  const book = world.book(asset);
  const [bid, ask] = [book.levels(true)[0], book.levels(false)[0]].map((level) => level?.px.toFixed() ?? '');
  return {
    status: 'badAloPxRejected',
    text: `Post only order would have immediately matched, bbo was ${bid}@${ask}.`,
  };
}
