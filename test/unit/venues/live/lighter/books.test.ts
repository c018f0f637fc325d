/** Which books of Lighter's stream are followed, for how long, and when they are not known. The clock is the test's. */
import { expect } from 'chai';
import { type Books, createBooks } from '../../../../../gateway/venues/live/lighter/books.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fake-clock.ts';

const MARKET = 7;
const CHANNEL = `order_book/${MARKET}`;

describe('books of Lighter', () => {
  let clock: FakeClock;
  let books: Books;
  let sent: string[];
  let granted: boolean;
  let isUp: boolean;

  beforeEach(() => {
    [clock, sent, granted, isUp] = [createFakeClock(), [], true, true];
    books = createBooks({
      clock,
      take: async (lane, cost) => {
        expect([lane, cost]).to.deep.equal(['preview', { messages: 2 }]);
        return granted ? { granted } : { granted: false, retryAt: null };
      },
      send: (method, channel) => isUp && sent.push(`${method} ${channel}`) > 0,
      onUnreadable: (reason) => expect.fail(reason),
    });
  });

  const level = ([price, size]: readonly [string, string]) => ({ price, size });
  const tell = (
    kind: 'subscribed' | 'update',
    bids: readonly (readonly [string, string])[],
    asks: readonly (readonly [string, string])[],
    [begin_nonce, nonce]: readonly [string, string],
  ) =>
    books.take(kind, {
      channel: `order_book:${MARKET}`,
      order_book: { bids: bids.map(level), asks: asks.map(level), begin_nonce, nonce },
    });
  /** Reads it while the stream tells the whole book. */
  async function begin(): Promise<Awaited<ReturnType<Books['read']>>> {
    const read = books.read(MARKET, 'preview');
    await clock.advance(0);
    tell(
      'subscribed',
      [['99', '1']],
      [
        ['101', '2'],
        ['102', '3'],
      ],
      ['0', '5'],
    );
    return read;
  }
  const asksOf = (book: Awaited<ReturnType<Books['read']>>) =>
    book?.asks.levels.map(({ price, quantity }) => `${price} ${quantity}`);

  it('a market is followed once, however many ask, and its changes are in it', async () => {
    const others = [books.read(MARKET, 'preview'), books.read(MARKET, 'preview')];
    expect(asksOf(await begin())).to.deep.equal(['101 2', '102 3']);
    for (const other of others) expect(asksOf(await other)).to.deep.equal(['101 2', '102 3']);
    tell(
      'update',
      [],
      [
        ['101', '0'],
        ['103', '4'],
      ],
      ['5', '9'],
    );
    expect(asksOf(await books.read(MARKET, 'preview'))).to.deep.equal(['102 3', '103 4']);
    expect(sent).to.deep.equal([`subscribe ${CHANNEL}`]);
  });

  it('a minute after the last who asked it is left, and the next one begins anew', async () => {
    await begin();
    await clock.advance(59_000);
    expect(await books.read(MARKET, 'preview')).not.to.equal(null);
    await clock.advance(59_000);
    expect(sent).to.have.length(1);
    await clock.advance(1_000);
    expect(sent).to.deep.equal([`subscribe ${CHANNEL}`, `unsubscribe ${CHANNEL}`]);
    expect(asksOf(await begin())).to.deep.equal(['101 2', '102 3']);
  });

  it('after a change that is missing nothing is known of it until it has been told anew', async () => {
    await begin();
    tell('update', [], [['101', '0']], ['6', '9']);
    expect(sent.at(-1)).to.equal(`unsubscribe ${CHANNEL}`);
    const read = books.read(MARKET, 'preview');
    await clock.advance(0);
    // Still of the subscription before.
    tell('update', [], [['150', '1']], ['9', '10']);
    tell('subscribed', [], [['104', '1']], ['0', '11']);
    expect(asksOf(await read)).to.deep.equal(['104 1']);
  });

  it('one that does not come, has no room or no stream, or whose sides cross, is not known', async () => {
    const late = books.read(MARKET, 'preview');
    await clock.advance(900);
    expect(await late).to.equal(null);
    expect(sent).to.deep.equal([`subscribe ${CHANNEL}`, `unsubscribe ${CHANNEL}`]);
    granted = false;
    expect(await books.read(MARKET, 'preview')).to.equal(null);
    [granted, isUp] = [true, false];
    expect(await books.read(MARKET, 'preview')).to.equal(null);
    expect(sent).to.have.length(2);
    isUp = true;
    await begin();
    tell('update', [['101', '1']], [], ['5', '6']);
    expect(await books.read(MARKET, 'preview')).to.equal(null);
    // So that it is put together anew.
    expect(sent.at(-1)).to.equal(`unsubscribe ${CHANNEL}`);
  });

  it('who waits while the connection ends is answered at once', async () => {
    const read = books.read(MARKET, 'preview');
    await clock.advance(0);
    books.forget();
    expect(await read).to.equal(null);
    expect(sent).to.deep.equal([`subscribe ${CHANNEL}`]);
  });

  it('who looks has half of the places, and keeps none that was begun for an estimate', async () => {
    const look = async (market: number) => {
      const before = sent.length;
      void books.read(market, 'look');
      await clock.advance(0);
      return sent.length > before;
    };
    await begin();
    expect(await look(MARKET)).to.equal(false);
    for (let nth = 100; nth < 120; nth += 1) expect(await look(nth)).to.equal(true);
    expect(await look(120)).to.equal(false);
    for (let nth = 200; nth < 219; nth += 1) {
      void books.read(nth, 'preview');
      await clock.advance(0);
    }
    expect(sent).to.have.length(40);
    // None of the others has come, so that each was left.
    await clock.advance(59_000);
    expect(asksOf(await books.read(MARKET, 'look'))).to.deep.equal(['101 2', '102 3']);
    await clock.advance(1_000);
    expect(sent.at(-1)).to.equal(`unsubscribe ${CHANNEL}`);
  });
});
