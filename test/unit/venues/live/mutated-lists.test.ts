/** Lists of live venues with one entry changed at random: it is read or left out, and none of the others with it. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import type { z } from 'zod';
import * as hyperliquid from '../../../../gateway/venues/live/hyperliquid/wire.ts';
import { type PartlyRead, read } from '../../../../gateway/venues/live/kit/wire.ts';
import * as lighter from '../../../../gateway/venues/live/lighter/wire.ts';
import type { Json } from '../../../support/json.ts';
import { mutated, mutation } from '../../../support/mutations.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const DATA = new URL('../../../data/live/', import.meta.url);
const json = (name: string): Json => JSON.parse(readFileSync(new URL(name, DATA), 'utf8'));
const contexts = json('hyperliquid/payloads/ws_all_dexs_asset_ctxs.json').data.ctxs[0][1];
const { universe: instruments } = json('hyperliquid/payloads/http_meta_perp_sample.json');
const trades = Object.values(json('lighter/payloads/ws_account_all_trades_update.json').trades).flat();
const orders = Object.values(json('lighter/payloads/ws_account_orders_update.json').orders).flat();
const fills = json('hyperliquid/payloads/ws_user_fill_liquidation.json').data.fills;
const ORDER = {
  ...{ status: 'filled', statusTimestamp: 1_700_000_000_000 },
  order: {
    coin: 'BTC',
    side: 'B',
    limitPx: '1',
    sz: '0.0',
    origSz: '1.0',
    oid: 7,
    timestamp: 1_700_000_000_000,
  },
};
const PAYMENT = { time: 1_700_000_000_000, coin: 'BTC', usdc: '-0.1', szi: '1.0', fundingRate: '0.0000125' };
const LIGHTER_PAYMENT = {
  ...{ timestamp: 1_700_000_000, market_id: 1, funding_id: 5, change: '-0.1', rate: '0.001' },
  ...{ position_size: '1', position_side: 'long' },
};

interface Listed {
  readonly schema: z.ZodType;
  /** A list of which one entry is changed, in a message. */
  readonly inside: (list: readonly Json[]) => Json;
  readonly entries: readonly Json[];
  /** The entries that were read, each alone. */
  readonly items: (value: Json) => readonly Json[];
}

const itemsOf = (value: PartlyRead<Json>) => value.items;
const own = (list: readonly Json[]) => list;
const LISTS: Readonly<Record<string, Listed>> = {
  'Hyperliquid: contexts of its own exchange': {
    ...{ schema: hyperliquid.contexts, inside: own, items: (all) => all },
    entries: [...contexts, ...contexts].slice(0, 3),
  },
  'Hyperliquid: instruments': {
    ...{ schema: hyperliquid.meta, inside: (universe) => ({ universe }), items: ({ universe }) => universe },
    entries: [...instruments, ...instruments].slice(0, 3),
  },
  'Hyperliquid: fills': {
    schema: hyperliquid.fills,
    inside: own,
    entries: [...fills, ...fills],
    items: itemsOf,
  },
  'Hyperliquid: orders': {
    schema: hyperliquid.orderNews,
    inside: own,
    entries: [ORDER, ORDER],
    items: itemsOf,
  },
  'Hyperliquid: payments': {
    schema: hyperliquid.fundingNews,
    inside: (fundings) => ({ user: `0x${'a'.repeat(40)}`, fundings }),
    ...{ entries: [PAYMENT, PAYMENT], items: ({ fundings }) => fundings.items },
  },
  'Lighter: trades': {
    ...{ schema: lighter.tradesNews, inside: (list) => ({ trades: list }) },
    ...{ entries: [...trades, ...trades], items: (value) => value.trades.items },
  },
  'Lighter: orders': {
    ...{ schema: lighter.ordersNews, inside: (list) => ({ orders: { 0: list } }) },
    ...{ entries: [...orders, ...orders], items: (value) => value.orders.items },
  },
  'Lighter: payments': {
    ...{ schema: lighter.payments, inside: (list) => ({ position_fundings: list }) },
    ...{ entries: [LIGHTER_PAYMENT, LIGHTER_PAYMENT], items: (value) => value.position_fundings.items },
  },
  'Lighter: statistics of markets': {
    ...{
      schema: lighter.statsNews,
      inside: (list) => ({ market_stats: Object.fromEntries(list.entries()) }),
    },
    ...{ items: (value) => value.market_stats },
    entries: [0, 1].flatMap(() =>
      Object.values(json('lighter/payloads/ws_market_stats_update_all.json').market_stats),
    ),
  },
  'Lighter: markets': {
    ...{ schema: lighter.markets, inside: (list) => ({ order_book_details: list }) },
    ...{ items: (value) => value.order_book_details.items },
    entries: [0, 1].flatMap(() => json('lighter/payloads/http_order_book_details.json').order_book_details),
  },
};

describe('lists of live venues with one entry changed', () => {
  for (const [name, { schema, inside, entries, items }] of Object.entries(LISTS))
    it(`${name}: none of the others is lost`, function () {
      this.timeout(300_000);
      expect(entries.length).to.be.greaterThan(1);
      const told = (list: readonly Json[], isBare = false): readonly Json[] => {
        const text = JSON.stringify(inside(list));
        const value = read(schema, isBare ? text.replaceAll('"NaN"', 'NaN') : text);
        if (!value.ok) throw new Error(value.error.message);
        return items(value.value);
      };
      const whole = told(entries);
      expect(whole).to.have.length(entries.length);
      fc.assert(
        fc.property(mutation, fc.nat(entries.length - 1), fc.boolean(), (what, index, isBare) => {
          const broken = told(entries.with(index, mutated(entries[index], what)), isBare);
          const others = whole.filter((_, at) => at !== index);
          for (const other of others) expect(broken).to.deep.include(other);
          expect(broken.length).to.be.within(others.length, entries.length);
        }),
        propertyRuns(10_000),
      );
    });
});
