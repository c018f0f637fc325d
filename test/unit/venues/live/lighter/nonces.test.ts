/** Nonces of a key: one after the other, many at a time, and right again after everything that may happen to them. */
import { expect } from 'chai';
import { createNonceQueue, type Nonces } from '../../../../../gateway/venues/live/lighter/nonces.ts';
import { until } from '../../../../support/until.ts';
import { KEY_INDEX } from '../../../../support/venues/lighter/adapter.ts';
import { Trader } from '../../../../support/venues/lighter/trader.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

describe('the queue of nonces', () => {
  let asked: number;
  let venueNext: number | null;
  const queue = () =>
    createNonceQueue(async () => {
      asked += 1;
      return venueNext;
    });
  const taken = (nonces: Nonces | null): Nonces => {
    if (nonces === null) throw new Error('no nonce');
    return nonces;
  };
  beforeEach(() => {
    asked = 0;
    venueNext = 100;
  });

  it('gives out a thousand, each once and in order, for one question', async () => {
    const nonces = queue();
    const all = await Promise.all(Array.from({ length: 1_000 }, () => nonces.take(2, 'open')));
    expect(all.map((one) => taken(one).first)).to.deep.equal(
      Array.from({ length: 1_000 }, (_, at) => 100 + 2 * at),
    );
    expect(asked).to.equal(1);
  });

  it('takes back what was not used, unless others have left behind it: then the venue is asked once all are back', async () => {
    const nonces = queue();
    const first = taken(await nonces.take(1, 'open'));
    first.done('free');
    const again = taken(await nonces.take(1, 'open'));
    expect([again.first, asked]).to.deep.equal([100, 1]);
    const behind = taken(await nonces.take(1, 'open'));
    again.done('free');
    let next: number | null = null;
    const waiting = nonces.take(1, 'open').then((given) => {
      next = taken(given).first;
    });
    await Promise.resolve();
    expect([next, asked]).to.deep.equal([null, 1]);
    behind.done('doubtful');
    await waiting;
    expect([next, asked]).to.deep.equal([100, 2]);
  });

  it('asks again where nobody knows what became of one', async () => {
    const nonces = queue();
    taken(await nonces.take(3, 'open')).done('doubtful');
    venueNext = 101;
    expect(taken(await nonces.take(1, 'open')).first).to.equal(101);
  });

  it('gives none while the venue does not say which is next, and tries again with the next order', async () => {
    const nonces = queue();
    venueNext = null;
    expect(await nonces.take(1, 'open')).to.equal(null);
    venueNext = 7;
    expect(taken(await nonces.take(1, 'open')).first).to.equal(7);
    expect(asked).to.equal(2);
  });
});

describe('nonces at an emulated Lighter', () => {
  let desk: VenueDesk;
  const settings = new Map<string, string>();
  beforeEach(async () => {
    settings.clear();
    desk = await VenueDesk.start({ settings });
  });
  afterEach(() => desk.close());
  const nonces = () =>
    desk.sent().flatMap((text) => [...text.matchAll(/"Nonce":(\d+)/g)].map(([, nonce]) => Number(nonce)));

  it('twenty transactions in flight have twenty nonces in a row, and all execute', async () => {
    desk.script.fault({ on: 'sendTx', do: 'delay', afterMs: 200, times: 20 });
    const first = desk.nextNonce;
    // Unlike expiries make each a transaction of its own.
    const orders = Array.from({ length: 20 }, (_, at) =>
      desk.order({ quantity: '0.0003', expiresAt: desk.clock.now() + 10_000 + at }),
    );
    await Promise.all(orders.map((order) => desk.placeOne(order)));
    for (const order of orders) expect(await desk.ended(order)).to.include({ state: 'filled' });
    expect(new Set(nonces()).size).to.be.at.least(20);
    expect(desk.nextNonce).to.equal(first + 20);
    for (const order of orders) expect(desk.sentTimes(order)).to.be.at.most(2);
  });

  it('a nonce that the venue refuses is asked for, and the same order goes once more with its number', async () => {
    const before = desk.order();
    await desk.placeOne(before);
    desk.script.setNonce(desk.index, KEY_INDEX, 40);
    desk.script.clearTraffic();
    const order = desk.order();
    expect(await desk.trade(order)).to.include({ state: 'filled' });
    expect([desk.sentTimes(order), desk.count('nextNonce')]).to.deep.equal([2, 1]);
    expect(nonces().at(-1)).to.equal(40);
    expect(desk.nextNonce).to.equal(41);
  });

  it('a nonce that is refused in words alone is asked for again, and the order goes once more', async () => {
    desk.script.clearTraffic();
    desk.script.fault({ on: 'sendTx', do: 'answer', json: { message: 'invalid nonce' }, code: 400 });
    const order = desk.order();
    expect(await desk.placeOne(order)).to.include({ kind: 'accepted' });
    expect(await desk.ended(order)).to.include({ state: 'filled' });
    expect([desk.count('sendTx createOrder'), desk.count('nextNonce')]).to.deep.equal([2, 1]);
    expect(desk.held()).to.equal('0.001');
  });

  it('another program with the same key makes nonces wrong: orders go through all the same, once each', async () => {
    const other = new Trader(desk.emulator.url, {
      ...{ account: desk.index, apiKey: KEY_INDEX, key: desk.test.key },
      clock: desk.clock,
    });
    const orders = [];
    for (let round = 0; round < 3; round += 1) {
      await other.order({ market: 2, base: 100, price: 210_000 });
      const order = desk.order();
      orders.push(order);
      expect(await desk.trade(order)).to.include({ state: 'filled' });
    }
    expect(desk.held()).to.equal('0.003');
  });

  it('after a restart in the middle the venue says which is next, and no order leaves twice', async () => {
    desk.script.setExecutionDelay(300);
    const order = desk.order();
    await desk.placeOne(order);
    await desk.venue.stop();
    desk.script.setExecutionDelay(0);
    const again = await VenueDesk.again(desk, settings);
    try {
      expect(
        (
          await until(desk.clock, 'it is found', async () => {
            const [one] = await again.lookUp(order);
            return one?.kind === 'done' ? one : null;
          })
        ).filledQuantity,
      ).to.equal('0.001');
      const next = again.order();
      await again.placeOne(next);
      expect(await again.ended(next)).to.include({ state: 'filled' });
      expect(await again.placeOne(order)).to.include({ kind: 'done', state: 'filled' });
      expect([again.held(), again.sentTimes(order)]).to.deep.equal(['0.002', 1]);
    } finally {
      await again.venue.stop();
    }
  });
});
