/** Books for whoever looks: how often a venue is asked, and what it may do meanwhile. The clock is the test's. */
import { expect } from 'chai';
import type { VenueBook } from '../../../gateway/domain/order-book.ts';
import { ok } from '../../../gateway/domain/result.ts';
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
    // Of a venue nothing but its books is asked for.
    const venue = { book } as unknown as Venue;
    const venues = { get: (id: string) => (id === 'a' ? venue : undefined), all: () => [venue] };
    read = createOrderBooks({ venues, clock });
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
