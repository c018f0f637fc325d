/** Lists of live venues with one entry changed at random: it is read or left out, and none of the others with it. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { z } from 'zod';
import * as hyperliquid from '../../../../gateway/venues/live/hyperliquid/wire.ts';
import { type PartlyRead, read } from '../../../../gateway/venues/live/kit/wire.ts';
import * as lighter from '../../../../gateway/venues/live/lighter/wire.ts';
import type { Json } from '../../../support/json.ts';
import { mutated, mutation } from '../../../support/mutations.ts';
import { forAll, propertyRuns } from '../../../support/property-runs.ts';
import { unwrap } from '../../../support/unwrap.ts';
import { HYPERLIQUID, LIGHTER } from '../../../support/venues/shared/wire-samples.ts';

const { keptMeta, contexts, fill, orderWithStatus, fundingNews } = HYPERLIQUID;
const [payment] = fundingNews.fundings;
const { tradesNews, ordersNews, payments, statsNews, markets } = LIGHTER;
const [lighterPayment] = payments.position_fundings;
const entriesOf = (byMarket: Json) => Object.values(byMarket).flat() as Json[];
const twice = (entries: readonly Json[]) => [...entries, ...entries];

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
    entries: twice(contexts).slice(0, 3),
  },
  'Hyperliquid: instruments': {
    ...{ schema: hyperliquid.meta, inside: (universe) => ({ universe }), items: ({ universe }) => universe },
    entries: twice(keptMeta.universe).slice(0, 3),
  },
  'Hyperliquid: fills': {
    schema: hyperliquid.fills,
    inside: own,
    entries: [fill, fill],
    items: itemsOf,
  },
  'Hyperliquid: orders': {
    schema: hyperliquid.orderNews,
    inside: own,
    entries: [orderWithStatus, orderWithStatus],
    items: itemsOf,
  },
  'Hyperliquid: payments': {
    schema: hyperliquid.fundingNews,
    inside: (fundings) => ({ user: `0x${'a'.repeat(40)}`, fundings }),
    ...{ entries: [payment, payment], items: ({ fundings }) => fundings.items },
  },
  'Lighter: trades': {
    ...{ schema: lighter.tradesNews, inside: (list) => ({ trades: list }) },
    ...{ entries: twice(entriesOf(tradesNews.trades)), items: (value) => value.trades.items },
  },
  'Lighter: orders': {
    ...{ schema: lighter.ordersNews, inside: (list) => ({ orders: { 0: list } }) },
    ...{ entries: twice(entriesOf(ordersNews.orders)), items: (value) => value.orders.items },
  },
  'Lighter: payments': {
    ...{ schema: lighter.payments, inside: (list) => ({ position_fundings: list }) },
    ...{ entries: [lighterPayment, lighterPayment], items: (value) => value.position_fundings.items },
  },
  'Lighter: statistics of markets': {
    ...{
      schema: lighter.statsNews,
      inside: (list) => ({ market_stats: Object.fromEntries(list.entries()) }),
    },
    ...{ items: (value) => value.market_stats },
    entries: twice(entriesOf(statsNews.market_stats)),
  },
  'Lighter: markets': {
    ...{ schema: lighter.markets, inside: (list) => ({ order_book_details: list }) },
    ...{ items: (value) => value.order_book_details.items },
    entries: twice(markets.order_book_details),
  },
};

describe('lists of live venues with one entry changed', () => {
  for (const [name, { schema, inside, entries, items }] of Object.entries(LISTS))
    it(`${name}: none of the others is lost`, function () {
      this.timeout(300_000);
      expect(entries.length).to.be.greaterThan(1);
      const told = (list: readonly Json[], isBare = false): readonly Json[] => {
        const text = JSON.stringify(inside(list));
        return items(unwrap(read(schema, isBare ? text.replaceAll('"NaN"', 'NaN') : text)));
      };
      const whole = told(entries);
      expect(whole).to.have.length(entries.length);
      forAll(
        [mutation, fc.nat(entries.length - 1), fc.boolean()],
        propertyRuns(10_000),
        (what, index, isBare) => {
          const broken = told(entries.with(index, mutated(entries[index], what)), isBare);
          const others = whole.filter((_, at) => at !== index);
          for (const other of others) expect(broken).to.deep.include(other);
          expect(broken.length).to.be.within(others.length, entries.length);
        },
      );
    });
});
