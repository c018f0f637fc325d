/** Books for whoever looks: how often a venue is asked, and what it may do meanwhile. The clock is the test's. */
import { expect } from 'chai';
import type { VenueBook } from '../../../gateway/domain/order-book.ts';
import { fail, ok } from '../../../gateway/domain/result.ts';
import type { Venue } from '../../../gateway/engine/ports/venue.ts';
import { createOrderBooks, type ReadBook } from '../../../gateway/market/order-books.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';

const BOOK: VenueBook = { bids: [{ price: '99', quantity: '1' }], asks: [] };

describe('order books for whoever looks', () => {
  let clock: FakeClock;
  let asked: string[];
  let answer: NonNullable<Venue['book']>;
  let read: ReadBook;

  beforeEach(() => {
    [clock, asked, answer] = [createFakeClock(), [], async () => ok(BOOK)];
    const book: typeof answer = (symbol, levels) => {
      asked.push(symbol);
      return answer(symbol, levels);
    };
    read = createOrderBooks({ venues: { get: (id) => (id === 'a' ? { book } : undefined) }, clock });
  });

  it('however many look, the venue is asked once in 0.75 s for an instrument, from its answer on', async () => {
    let tell = () => {};
    const later: typeof answer = () =>
      new Promise((resolve) => {
        tell = () => resolve(ok(BOOK));
      });
    answer = later;
    const all = Promise.all(Array.from({ length: 20 }, () => read('a', 'BTC-PERP')));
    await clock.advance(600);
    tell();
    const at = clock.now();
    expect(new Set(await all)).to.have.property('size', 1);
    expect((await all)[0]).to.deep.equal({ ...BOOK, at });
    answer = async () => ok(BOOK);
    await clock.advance(749);
    expect(await read('a', 'BTC-PERP')).to.include({ at });
    expect(asked).to.have.length(1);
    await clock.advance(1);
    expect(await read('a', 'BTC-PERP')).to.include({ at: at + 750 });
    await Promise.all([read('a', 'ETH-PERP'), read('a', 'ETH-PERP')]);
    expect(asked).to.deep.equal(['BTC-PERP', 'BTC-PERP', 'ETH-PERP']);
  });

  it('not known: no venue, a venue that refuses, one that knows none, one that says nothing for a second', async () => {
    expect(await read('b', 'BTC-PERP')).to.equal(null);
    answer = async () => fail({ kind: 'unknown', message: 'no answer' });
    expect(await read('a', 'BTC-PERP')).to.equal(null);
    answer = async () => ok(null);
    expect(await read('a', 'ETH-PERP')).to.equal(null);
    answer = () => new Promise(() => {});
    let found: unknown = 'waits';
    void read('a', 'SOL-PERP').then((book) => {
      found = book;
    });
    await clock.advance(999);
    expect(found).to.equal('waits');
    await clock.advance(1);
    expect(found).to.equal(null);
    expect(clock.pending()).to.equal(0);
  });

  it('a venue that throws or rejects: not known, and asked again like any other', async () => {
    const wrong = new Error('a bug of the venue');
    for (const broken of [
      () => {
        throw wrong;
      },
      () => Promise.reject(wrong),
    ]) {
      answer = broken;
      asked = [];
      expect(await read('a', 'BTC-PERP')).to.equal(null);
      await clock.advance(750);
      answer = async () => ok(BOOK);
      expect(await read('a', 'BTC-PERP')).to.include(BOOK);
      expect(asked).to.have.length(2);
      await clock.advance(750);
    }
  });
});
