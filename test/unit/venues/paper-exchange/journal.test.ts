import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OrderOutcome, PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { createPaperVenueOn, type PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createFlatMarket } from '../../../support/flat-market.ts';
import { ACCOUNT, flatOrder } from '../../../support/flat-paper-venue.ts';
import { lookUp } from '../../../support/order-lookup.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

describe('paper exchange, disk', () => {
  let dataDir: string;
  const started: PaperVenue[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-paper-'));
  });
  afterEach(async () => {
    for (const venue of started.splice(0)) await venue.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const clock = createFakeClock();
  /** Of the venue that was started last. */
  let market = createFlatMarket({ startAt: 0 });
  const venueOf = async (compactBytes?: number, speed = 1): Promise<PaperVenue> => {
    const venue = createPaperVenueOn({
      connector: 'paper',
      dataDir,
      seed: 7,
      profile: PAPER_PROFILES.frictionless,
      speed,
      clock,
      logger: silentLogger,
      createMarket: ({ startAt }) => {
        market = createFlatMarket({ startAt });
        return market;
      },
      ...(compactBytes === undefined ? {} : { compactBytes }),
    });
    await venue.start();
    started.push(venue);
    return venue;
  };
  const order = (n: number, change: Partial<PlaceOrder> = {}) =>
    flatOrder(clock, `c-${n}`, {
      ...{ side: n % 2 === 0 ? 'SELL' : 'BUY', quantity: '1', expiresAt: clock.now() + 10_000 },
      ...change,
    });
  const stateOf = async (venue: PaperVenue) =>
    JSON.stringify([
      venue.journalHash(),
      await venue.orders(ACCOUNT),
      await venue.openOrders(ACCOUNT),
      await venue.positions(ACCOUNT),
      await venue.balances(ACCOUNT),
      await venue.history(ACCOUNT, null),
    ]);
  const sizes = async () =>
    Promise.all(
      (await readdir(dataDir)).map(async (name) => {
        const { size, mtimeMs, ino } = await stat(join(dataDir, name));
        return `${name} ${size} ${mtimeMs} ${ino}`;
      }),
    );
  /** The files as they are at one moment: what a SIGKILL would leave. */
  const killed = async () => {
    const copy = await mkdtemp(join(tmpdir(), 'tandem-paper-'));
    for (let isOneMoment = false; !isOneMoment; ) {
      await rm(copy, { recursive: true, force: true });
      try {
        const before = await sizes();
        await cp(dataDir, copy, { recursive: true });
        isOneMoment = before.join() === (await sizes()).join();
      } catch {
        // A file was replaced meanwhile.
      }
    }
    const before = dataDir;
    dataDir = copy;
    return () => rm(before, { recursive: true, force: true });
  };
  const traded = async (venue: PaperVenue, batches: number) => {
    await venue.openAccount(ACCOUNT);
    await venue.setLeverage(ACCOUNT, { symbol: 'AAA-PERP', leverage: 7, marginMode: 'isolated' });
    for (let n = 0; n < batches; n += 1) {
      await venue.placeBatch(ACCOUNT, [
        order(4 * n),
        order(4 * n + 1, { quantity: '1.5' }),
        order(4 * n + 2, { timeInForce: 'GTC', limitPrice: '150' }),
        order(4 * n + 3, { quantity: '0.0001' }),
      ]);
    }
  };

  for (const [name, compactBytes] of [
    ['from the journal', undefined],
    ['from the database and a journal', 4_000],
  ] as const) {
    it(`comes back after a kill as it was, ${name}`, async () => {
      const venue = await venueOf(compactBytes);
      await traded(venue, 9);
      const before = await stateOf(venue);
      const cleanUp = await killed();
      const again = await venueOf(compactBytes);
      expect(await stateOf(again)).to.equal(before);
      const [first] = await again.placeBatch(ACCOUNT, [order(1)]);
      expect(first).to.deep.include({ kind: 'done', state: 'filled', clientOrderId: 'c-1' });
      expect(await stateOf(again)).to.equal(before);
      await cleanUp();
    });
  }

  it('comes back after an orderly stop, and goes on counting', async () => {
    const venue = await venueOf();
    await traded(venue, 3);
    const before = await stateOf(venue);
    await venue.stop();
    const again = await venueOf();
    expect(await stateOf(again)).to.equal(before);
    await again.placeBatch(ACCOUNT, [order(1001)]);
    const history = await again.history(ACCOUNT, null);
    const ids = history.ok ? history.value.fills.map(({ tradeId }) => tradeId) : [];
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.have.length(7);
  });

  it('drops a torn last line', async () => {
    const venue = await venueOf();
    await traded(venue, 2);
    const before = await stateOf(venue);
    const cleanUp = await killed();
    await appendFile(join(dataDir, 'paper.journal'), '{"n":5,"at":1,"effects":[{"kind":"fill","acc');
    const again = await venueOf();
    expect(await stateOf(again)).to.equal(before);
    await again.placeBatch(ACCOUNT, [order(1001)]);
    const after = await stateOf(again);
    const cleanUpToo = await killed();
    expect(await stateOf(await venueOf())).to.equal(after);
    await cleanUp();
    await cleanUpToo();
  });

  it('refuses a journal that is damaged elsewhere', async () => {
    const venue = await venueOf();
    await traded(venue, 1);
    const cleanUp = await killed();
    const path = join(dataDir, 'paper.journal');
    await writeFile(path, (await readFile(path, 'utf8')).replace('{"n":2', '{"n"2'));
    let message = '';
    await venueOf().catch((error: unknown) => {
      message = String(error);
    });
    expect(message).to.match(/damaged in line 2/);
    await cleanUp();
  });

  it('goes on at the speed of its last start after a kill', async () => {
    await (await venueOf(undefined, 500)).stop();
    await venueOf();
    const { at } = market;
    const cleanUp = await killed();
    await clock.advance(60_000);
    await venueOf();
    expect(market.at - at).to.be.within(59_000, 61_000);
    await cleanUp();
  });

  it('survives a crash between the steps of a compaction', async () => {
    const venue = await venueOf();
    await traded(venue, 3);
    const before = await stateOf(venue);
    const journal = await readFile(join(dataDir, 'paper.journal'));
    await venue.stop();
    // The database was written, and the journal not yet emptied.
    await writeFile(join(dataDir, 'paper.journal'), journal);
    expect(await stateOf(await venueOf())).to.equal(before);
  });

  it('answers orders beside a compaction, and loses none of them in a kill at any moment of it', async () => {
    let answers = 0;
    for (let kill = 0; kill < 12; kill += 1) {
      const venue = await venueOf(6_000);
      await venue.openAccount(ACCOUNT);
      const answered = new Map<string, OrderOutcome>();
      const batches = Array.from({ length: 40 }, async (_, n) => {
        // The batches leave one after another: some find a compaction under way.
        for (let wait = 0; wait < n; wait += 1) await new Promise((resolve) => setImmediate(resolve));
        for (const outcome of await venue.placeBatch(ACCOUNT, [order(kill * 100 + n)]))
          answered.set(outcome.clientOrderId, outcome);
      });
      await batches[3 * kill];
      const before = new Map(answered);
      const cleanUp = await killed();
      await Promise.all(batches);
      const again = await venueOf(6_000);
      for (const [clientOrderId, outcome] of before) {
        const found = await lookUp(again, ACCOUNT, clientOrderId);
        expect(found.ok && found.value, clientOrderId).to.deep.equal(outcome);
      }
      await again.stop();
      await cleanUp();
      answers += before.size;
    }
    expect(answers).to.be.above(150);
  });

  it('answers each of many waiting batches once it is in the file', async () => {
    const venue = await venueOf();
    await venue.openAccount(ACCOUNT);
    let unwritten = 0;
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        await venue.placeBatch(ACCOUNT, [order(n)]);
        const text = await readFile(join(dataDir, 'paper.journal'), 'utf8');
        if (!text.includes(`"clientOrderId":"c-${n}"`)) unwritten += 1;
      }),
    );
    expect(unwritten).to.equal(0);
  });

  it('keeps its files to itself', async () => {
    const venue = await venueOf(2_000);
    await traded(venue, 5);
    await venue.stop();
    for (const name of await readdir(dataDir)) {
      expect((await stat(join(dataDir, name))).mode & 0o777, name).to.equal(0o600);
    }
    expect((await readdir(dataDir)).sort()).to.deep.equal(['paper.db', 'paper.journal']);
  });
});
