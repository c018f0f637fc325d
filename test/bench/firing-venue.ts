/** A venue that takes no time, and its market: what is measured is the gateway's way from a tick to an order. */
import { dec, text } from '../../gateway/domain/decimal.ts';
import type { Instrument } from '../../gateway/domain/model.ts';
import { ok } from '../../gateway/domain/result.ts';
import type { MarketData, MarketTick } from '../../gateway/engine/ports/market.ts';
import type { PlaceOrder, Venue } from '../../gateway/engine/ports/venue.ts';
import { perp, quoteAt } from '../support/market-venue.ts';

export const CONNECTOR = 'bench';
const INSTRUMENTS = 300;

export interface FiringVenue {
  readonly venue: Venue;
  readonly market: MarketData;
  readonly symbols: readonly string[];
  /** One update with one new price. */
  tick(symbol: string, price: string): void;
}

/** @param onOrder called when an order arrives */
export function firingVenue(onOrder: (order: PlaceOrder) => void): FiringVenue {
  const instruments = Array.from({ length: INSTRUMENTS }, (_, at) => instrumentOf(`COIN${at}`));
  const symbols = instruments.map(({ id }) => id);
  const byId = new Map(instruments.map((instrument) => [instrument.id, instrument]));
  const quotes = new Map(instruments.map((one) => [one.id, quoteAt(one, '100', Date.now())]));
  const listeners = new Set<(tick: MarketTick) => void>();
  let orders = 0;

  function filled(order: PlaceOrder) {
    onOrder(order);
    orders += 1;
    const { symbol, side, quantity, clientOrderId } = order;
    const price = quotes.get(symbol)?.mark ?? '100';
    const fill = {
      tradeId: `trade-${orders}`,
      clientOrderId,
      venueOrderId: `order-${orders}`,
      symbol,
      side,
      price,
      quantity,
      fee: text(dec(price).mul(quantity).mul('0.0005')),
      feeAsset: 'USDC',
      liquidity: 'TAKER',
      isLiquidation: false,
      timestamp: Date.now(),
    } as const;
    return {
      kind: 'done',
      state: 'filled',
      clientOrderId,
      venueOrderId: fill.venueOrderId,
      filledQuantity: quantity,
      fills: [fill],
    } as const;
  }

  const rich = { asset: 'USDC', balance: '1000000000', equity: '1000000000', marginUsed: '0' } as const;
  return {
    symbols,
    tick(symbol, price) {
      const instrument = byId.get(symbol);
      if (instrument === undefined) throw new Error(`no instrument ${symbol}`);
      const quote = quoteAt(instrument, price, Date.now());
      quotes.set(symbol, quote);
      const update = {
        connector: CONNECTOR,
        at: quote.updatedAt,
        quotes: [quote],
        funding: [],
        stats: [],
        feeds: [],
      };
      for (const listener of listeners) listener(update);
    },
    market: {
      instrument: (_, id) => byId.get(id),
      instruments: () => instruments,
      quote: (_, id) => quotes.get(id),
      funding: () => undefined,
      isStale: () => false,
      feed: () => undefined,
      feeds: () => [],
      isFeedStale: () => true,
      onInstruments: () => () => {},
      onTick(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    venue: {
      info: {
        id: CONNECTOR,
        displayName: 'Bench',
        mode: 'PAPER',
        marginMode: 'required',
        fundingIntervalHours: 1,
        capabilities: ['market_orders', 'fills_history', 'order_lookup', 'account_stream'],
        takerRate: '0.0005',
        makerRate: '0.0002',
        minimumWaiver: 'reduce_only',
        settleMs: 500,
        notFound: 'final',
      },
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
      status: () => ({ status: 'UP', since: 0, reason: null }),
      onStatus: () => () => {},
      instruments: () => instruments,
      marketStream: () => () => {},
      accountStream: () => () => {},
      openAccount: async () => ok(undefined),
      setLeverage: async () => ok(undefined),
      placeBatch: async (_account, batch) => batch.map(filled),
      cancel: async () => ok(undefined),
      ordersByClientIds: async (_account, orders) =>
        ok(orders.map(({ clientOrderId }) => ({ kind: 'not_found', clientOrderId }) as const)),
      openOrders: async () => ok([]),
      positions: async () => ok([]),
      history: async (_account, cursor) =>
        ok({ fills: [], funding: [], nextCursor: cursor ?? '0', more: false }),
      balances: async () => ok({ ...rich, freeMargin: rich.balance }),
    },
  };
}

function instrumentOf(symbol: string): Instrument {
  const exact = { tickSize: '0.001', minQuantity: '0.001', maxSignificantFigures: null } as const;
  return perp(CONNECTOR, symbol, { ...exact, marginModes: ['cross'] });
}
