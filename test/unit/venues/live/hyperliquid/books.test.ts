/** Requests to Hyperliquid for a book, and their lanes. The clock is the test's. */
import { expect } from 'chai';
import type { z } from 'zod';
import { ok } from '../../../../../gateway/domain/result.ts';
import { createOrderBooks } from '../../../../../gateway/market/order-books.ts';
import { Books } from '../../../../../gateway/venues/live/hyperliquid/books.ts';
import { listingOf } from '../../../../../gateway/venues/live/hyperliquid/listing.ts';
import { meta } from '../../../../../gateway/venues/live/hyperliquid/wire.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fake-clock.ts';

const universe = [{ name: 'BTC', szDecimals: '5', maxLeverage: '40', marginTableId: '56' }];

describe('books of Hyperliquid', () => {
  let clock: FakeClock;
  let books: Books;
  let lanes: string[];

  beforeEach(() => {
    [clock, lanes] = [createFakeClock(), []];
    books = new Books({
      clock,
      venueClock: { now: () => clock.now(), state: 'known' },
      listing: () => listingOf('hyperliquid', meta.parse({ universe, marginTables: [] })),
      client: {
        info: async <S extends z.ZodType>(lane: string, _: object, schema: S) => {
          lanes.push(lane);
          const side = (px: string) => [{ px, sz: '1', n: '1' }];
          const levels = [side(String(100 + lanes.length)), side('200')];
          return ok(schema.parse({ coin: 'BTC', time: String(clock.now()), levels }));
        },
      },
    });
  });
  const order = { symbol: 'BTC-PERP', side: 'BUY', quantity: '0.1', limitPrice: '210' } as const;

  it('an estimate has the book of the second before; who looks has the one of the moment, and is told its time', async () => {
    const venue = { book: async (...asked: [string, number]) => ok(await books.shown(...asked)) };
    const read = createOrderBooks({ clock, venues: { get: () => venue } });
    await Promise.all([books.preview(order), books.preview(order)]);
    await clock.advance(950);
    await books.preview(order);
    expect(lanes).to.have.length(1);
    const since = clock.now();
    const first = await read('hyperliquid', 'BTC-PERP');
    expect(first).to.deep.include({ at: since, bids: [{ price: '102', quantity: '1' }] });
    await clock.advance(749);
    expect(await read('hyperliquid', 'BTC-PERP')).to.equal(first);
    await clock.advance(1);
    expect(await read('hyperliquid', 'BTC-PERP')).to.deep.include({
      at: since + 750,
      bids: [{ price: '103', quantity: '1' }],
    });
    expect(lanes).to.deep.equal(['preview', 'look', 'look']);
  });
});
