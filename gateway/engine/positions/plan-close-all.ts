/**
 * Plan of closing all positions of an account at current prices. They are closed together: a quantity that one basket
 * sells and another buys is booked between them, so only the net quantity of each instrument is traded.
 */

import { CLOSE_SLIPPAGE } from '../../domain/close-slippage.ts';
import { type DecimalString, dec, sum, text, textRounded } from '../../domain/decimal.ts';
import { type ExpectedFill, expectedPlan } from '../../domain/expected-fill.ts';
import type { Position, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import type { EngineDeps } from '../core/deps.ts';
import { feeRatesOf } from '../execution/ask-venue.ts';
import { previewsOf } from '../execution/expected.ts';
import { limitNow } from './limit-now.ts';

export interface ClosedTogether {
  readonly symbol: string;
  readonly ticker: string;
  readonly side: TradeLeg['side'];
  readonly quantity: string;
  readonly markPrice: string | null;
  readonly limitPrice: string | null;
  readonly expected: ExpectedFill | null;
}

export interface CloseAllPlan {
  readonly positions: number;
  readonly grossNotional: string;
  readonly unrealizedPnl: string;
  /** Orders, one per instrument whose positions do not cancel out. */
  readonly orders: readonly ClosedTogether[];
  readonly tradedNotional: string;
  readonly totalFee: string;
  readonly expectedCost: string | null;
  readonly expectedSlippage: string | null;
}

/** A book without enough quantity up to the order's worst price; `isPartial`: only a part of the book is known. */
interface ShortBook {
  readonly symbol: string;
  readonly ticker: string;
  readonly isPartial: boolean;
}

export function shortBooksOf(orders: CloseAllPlan['orders']): ShortBook[] {
  return orders.flatMap(({ symbol, ticker, quantity, expected }) =>
    expected !== null && dec(expected.fillable).lt(quantity)
      ? [{ symbol, ticker, isPartial: expected.isPartial }]
      : [],
  );
}

const PLACES = 12;

/** @param asked `readsBooks` false: waits for no order book and returns no expected fills */
export async function planCloseAll(
  deps: Pick<EngineDeps, 'state' | 'market' | 'venues' | 'clock'>,
  account: TradeAccount,
  asked: {
    /** null: positions on every connector. */
    readonly connector: string | null;
    readonly slippage: DecimalString | null;
    readonly readsBooks: boolean;
  },
): Promise<CloseAllPlan> {
  const open = deps.state.positions
    .of(account.id)
    .filter(({ connector }) => asked.connector === null || connector === asked.connector);
  const orders = netOrders(deps, open, asked.slippage ?? CLOSE_SLIPPAGE);
  const previews = asked.readsBooks
    ? await previewsOf(
        deps,
        account,
        orders.map((order) => ({ ...order, limitPrice: order.limitPrice ?? '0' })),
      )
    : [];
  const expected = expectedPlan(
    orders.map(({ side, markPrice }) => ({ side, price: markPrice ?? '0' })),
    previews,
  );
  const traded = sum(
    orders.map(({ quantity, markPrice, entryPrice }, index) =>
      dec(expected.legs[index]?.averagePrice ?? markPrice ?? entryPrice).mul(quantity),
    ),
  );
  return {
    ...worthOf(deps, open),
    orders: orders.map(({ entryPrice: _, ...order }, index) => ({
      ...order,
      expected: expected.legs[index] ?? null,
    })),
    tradedNotional: textRounded(traded, PLACES),
    totalFee: textRounded(traded.mul(feeRatesOf(deps, account).taker), PLACES),
    expectedCost: expected.cost,
    expectedSlippage: expected.slippage,
  };
}

function netOrders(deps: Pick<EngineDeps, 'market'>, open: readonly Position[], slippage: string) {
  const bySymbol = new Map<string, { connector: string; entryPrice: string; net: ReturnType<typeof dec> }>();
  for (const { connector, legs } of open) {
    for (const leg of legs) {
      const net = bySymbol.get(leg.symbol)?.net ?? dec(0);
      const { entryPrice } = leg;
      bySymbol.set(leg.symbol, { connector, entryPrice, net: net.plus(signedQuantity(leg)) });
    }
  }
  return [...bySymbol].flatMap(([symbol, { connector, entryPrice, net }]) => {
    if (net.isZero()) return [];
    const side = net.gt(0) ? ('SELL' as const) : ('BUY' as const);
    const { instrument, quote, limit } = limitNow(deps, connector, symbol, side, slippage);
    return [
      {
        ...{ symbol, ticker: instrument?.symbol ?? symbol, side, quantity: text(net.abs()) },
        ...{ markPrice: quote?.mark ?? null, limitPrice: limit, entryPrice },
      },
    ];
  });
}

/** Value at mark, or at entry without a price. */
function worthOf({ market }: Pick<EngineDeps, 'market'>, open: readonly Position[]) {
  const legs = open.flatMap(({ connector, legs: held }) =>
    held.map(({ symbol, side, quantity, entryPrice, entryNotional }) => {
      const notional = dec(market.quote(connector, symbol)?.mark ?? entryPrice).mul(quantity);
      const gain = notional.minus(entryNotional);
      return { notional, gain: side === 'BUY' ? gain : gain.neg() };
    }),
  );
  return {
    positions: open.length,
    grossNotional: text(sum(legs.map(({ notional }) => notional))),
    unrealizedPnl: text(sum(legs.map(({ gain }) => gain))),
  };
}
