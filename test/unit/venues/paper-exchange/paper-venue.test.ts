import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BTC_DOMINANCE, predictionFeed } from '../../../../gateway/domain/feed.ts';
import type { AccountEvent, MarketUpdate, PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import type { PaperProfile } from '../../../../gateway/venues/paper/market/market-types.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { createPaperVenueOn, type PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createPaperVenue } from '../../../../gateway/venues/paper/venue/venue.ts';
import { createVenues } from '../../../../gateway/venues/registry.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';
import { createFlatMarket, type FlatMarket } from '../../../support/flat-market.ts';
import { ACCOUNT, flatOrder } from '../../../support/flat-paper-venue.ts';
import { lookUp } from '../../../support/order-lookup.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

describe('paper venue', () => {
  let dataDir: string;
  let clock: FakeClock;
  const started: PaperVenue[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-venue-'));
    clock = createFakeClock();
  });
  afterEach(async () => {
    for (const venue of started.splice(0)) await venue.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const optionsOf = (profile: PaperProfile, seed: number, speed = 1) =>
    ({ connector: 'paper', dataDir, seed, profile, speed, clock, logger: silentLogger }) as const;
  const start = async (venue: PaperVenue): Promise<PaperVenue> => {
    await venue.start();
    started.push(venue);
    await venue.openAccount(ACCOUNT);
    return venue;
  };
  const onFlat = async (profile = PAPER_PROFILES.frictionless, speed = 1) => {
    let market: FlatMarket | null = null;
    const venue = await start(
      createPaperVenueOn({
        ...optionsOf(profile, 1, speed),
        createMarket: ({ startAt }) => {
          market = createFlatMarket({ startAt });
          return market;
        },
      }),
    );
    const found = () => {
      if (market === null) throw new Error('the venue made no market');
      return market;
    };
    return { venue, market: found() };
  };
  const order = (clientOrderId: string, change: Partial<PlaceOrder> = {}) =>
    flatOrder(clock, clientOrderId, change);

  it('says what the book holds for an order, and the order then pays exactly that', async () => {
    const { venue } = await onFlat();
    const asked = { symbol: 'AAA-PERP', side: 'BUY', quantity: '15', limitPrice: '101' } as const;
    const told = await venue.expectedFills([
      asked,
      { ...asked, symbol: 'NO-PERP' },
      { ...asked, quantity: '999' },
    ]);
    if (!told.ok) throw new Error(told.error.message);
    const [book, none, all] = told.value;
    expect(book?.trades).to.deep.equal([
      { price: '100.1', quantity: '10' },
      { price: '100.2', quantity: '5' },
    ]);
    // Five levels of ten units, the furthest at 100.5.
    expect(book?.depthUsd).to.equal('5015');
    expect(none).to.equal(null);
    expect(all?.trades).to.have.length(5);
    // The displayed book is the same.
    const shown = await venue.book('AAA-PERP', 2);
    expect(shown.ok ? shown.value?.asks : null).to.deep.equal([
      { price: '100.1', quantity: '10' },
      { price: '100.2', quantity: '10' },
    ]);
    expect(await venue.book('NO-PERP', 2)).to.deep.equal({ ok: true, value: null });
    const [outcome] = await venue.placeBatch(ACCOUNT, [order('as-told', asked)]);
    const fills = outcome?.kind === 'done' ? outcome.fills : [];
    expect(fills.map(({ price, quantity }) => ({ price, quantity }))).to.deep.equal(book?.trades);
  });

  it('takes as long as the profile says, and no timer at all without latency', async () => {
    const { venue } = await onFlat({ ...PAPER_PROFILES.frictionless, latencyMs: [200, 200] });
    let isAnswered = false;
    const placing = venue.placeBatch(ACCOUNT, [order('slow')]).then((outcomes) => {
      isAnswered = true;
      return outcomes;
    });
    await clock.advance(199);
    expect(isAnswered).to.equal(false);
    await clock.advance(1);
    expect((await placing)[0]?.kind).to.equal('done');
    await venue.stop();

    const { venue: quick } = await onFlat();
    // The clock stands still: an answer cannot have waited for it.
    expect((await quick.placeBatch(ACCOUNT, [order('quick')]))[0]?.kind).to.equal('done');
  });

  it('fills resting orders, settles funding and liquidates while time passes, and tells', async () => {
    const { venue, market } = await onFlat();
    const events: AccountEvent[] = [];
    venue.accountStream(ACCOUNT, (event) => events.push(event));
    await venue.placeBatch(ACCOUNT, [order('rest', { limitPrice: '99', timeInForce: 'GTC' })]);
    market.set('AAA-PERP', '98');
    market.settle('AAA-PERP', '0.001');
    await clock.advance(100);
    await venue.setLeverage(ACCOUNT, { symbol: 'BBB-PERP', leverage: 20, marginMode: 'isolated' });
    await venue.placeBatch(ACCOUNT, [order('risky', { symbol: 'BBB-PERP' })]);
    market.set('BBB-PERP', '90');
    await clock.advance(100);
    await venue.balances(ACCOUNT);
    expect(
      events.map((event) =>
        event.kind === 'fill'
          ? `${event.fill.symbol} ${event.fill.liquidity} ${event.fill.isLiquidation}`
          : event.kind,
      ),
    ).to.deep.equal([
      'order',
      'AAA-PERP MAKER false',
      'funding',
      'BBB-PERP TAKER false',
      'BBB-PERP TAKER true',
    ]);
  });

  it('keeps market time and wall clock apart at another speed', async () => {
    const { venue, market } = await onFlat(PAPER_PROFILES.frictionless, 60);
    const from = market.at;
    const updates: MarketUpdate[] = [];
    venue.marketStream((update) => updates.push(update));
    await clock.advance(60_000);
    expect(market.at - from).to.equal(3_600_000);
    const [full] = updates;
    const next = full?.funding?.[0]?.nextFundingTime ?? 0;
    // An hour of the market is a minute here.
    expect(next - (full?.at ?? 0)).to.be.within(0, 60_000);
    const last = updates.at(-1);
    expect(last?.quotes[0]?.updatedAt).to.equal(last?.at);
  });

  it('tells dominance and prediction markets in wall clock time, each renewal once, at any speed', async () => {
    for (const [speed, renewals] of [
      [1, 10],
      [60, 100],
    ] as const) {
      const venue = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 5, speed)));
      const updates: MarketUpdate[] = [];
      const leave = venue.marketStream((update) => updates.push(update));
      expect(updates[0]?.feeds?.map(({ name }) => name)).to.include(BTC_DOMINANCE);
      await clock.advance(10_000);
      leave();
      const told = updates.slice(1).flatMap(({ at, feeds }) => (feeds === undefined ? [] : [{ at, feeds }]));
      const times = told.map(({ feeds }) => feeds[0]?.updatedAt ?? 0);
      // Once a second of the market; of faster markets what a tick sees. Repeated with the full state every two seconds.
      expect(new Set(times).size, `speed ${speed}`).to.be.within(renewals - 1, renewals + 1);
      expect(times.length - new Set(times).size).to.be.at.most(6);
      for (const { at, feeds } of told) {
        for (const { updatedAt } of feeds) expect(at - updatedAt).to.be.within(0, 1_000);
      }
      await venue.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('acts at once on a pushed feed, tells it, and has it after a kill', async () => {
    const venue = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 5)));
    const first = (await firstUpdate(venue)).feeds ?? [];
    const question = first.find(({ prediction }) => prediction !== null)?.prediction;
    const name = predictionFeed(question?.source ?? '', question?.marketKey ?? '');
    const before = Number(first.find((feed) => feed.name === name)?.value);
    const updates: MarketUpdate[] = [];
    venue.marketStream((update) => updates.push(update));
    await venue.shock(name, 100);
    await venue.shock('BTC-PERP', 2);
    const latest = (feed: string) =>
      Number(
        updates
          .flatMap(({ feeds }) => feeds ?? [])
          .filter((reading) => reading.name === feed)
          .at(-1)?.value,
      );
    expect(latest(name)).to.be.closeTo((10_000 * before) / (100 * before + 100 - before), 0.1);
    expect(latest(BTC_DOMINANCE)).to.be.greaterThan(70);
    const again = createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 999));
    await again.start();
    expect((await firstUpdate(again)).feeds).to.deep.equal((await firstUpdate(venue)).feeds);
    await again.stop();
  });

  it('settles the funding of the hours it was off', async () => {
    const venue = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 5)));
    let mark = '0';
    venue.marketStream(({ quotes }) => {
      mark = quotes.find(({ id }) => id === 'BTC-PERP')?.mark ?? mark;
    });
    const limitPrice = String(Math.floor(Number(mark) * 1.01));
    const [bought] = await venue.placeBatch(ACCOUNT, [
      order('hold', { symbol: 'BTC-PERP', quantity: '0.1', limitPrice }),
    ]);
    expect(bought?.kind).to.equal('done');
    await venue.stop();
    await clock.advance(5 * 3_600_000);
    const again = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 5)));
    const history = await again.history(ACCOUNT, null);
    const paid = history.ok ? history.value.funding : [];
    expect(paid.map(({ timestamp }) => timestamp % 3_600_000)).to.deep.equal([0, 0, 0, 0, 0]);
    expect(new Set(paid.map(({ venueId }) => venueId)).size).to.equal(5);
    for (const { quantity } of paid) expect(quantity).to.equal('0.1');
  });

  it('fills what rested while it was off and the market came to it', async () => {
    const venue = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 5)));
    const quote = (await firstUpdate(venue)).quotes.find(({ id }) => id === 'BTC-PERP');
    const rest = (side: 'BUY' | 'SELL', factor: number) =>
      order(side, {
        symbol: 'BTC-PERP',
        side,
        quantity: '0.01',
        limitPrice: String(Math.round(Number(quote?.mark) * factor)),
        timeInForce: 'GTC',
      });
    // After ten days the price is above the one or below the other.
    const placed = await venue.placeBatch(ACCOUNT, [rest('BUY', 0.999), rest('SELL', 1.001)]);
    expect(placed.map(({ kind }) => kind)).to.deep.equal(['resting', 'resting']);
    await venue.stop();
    await clock.advance(10 * 24 * 3_600_000);
    const again = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 5)));
    const open = await again.openOrders(ACCOUNT);
    expect(open.ok && open.value).to.have.length(1);
    const history = await again.history(ACCOUNT, null);
    const [fill, ...more] = history.ok ? history.value.fills : [];
    expect(more).to.deep.equal([]);
    expect(fill).to.deep.include({ liquidity: 'MAKER', quantity: '0.01', timestamp: clock.now() });
  });

  it('is the same venue for the same seed and inputs, and another one for another seed', async () => {
    const hashes: string[] = [];
    for (const seed of [11, 11, 12]) {
      clock = createFakeClock();
      const venue = await start(createPaperVenue(optionsOf(PAPER_PROFILES.realistic, seed)));
      for (let n = 0; n < 5; n += 1) {
        const { quotes } = await firstUpdate(venue);
        const { id, mark } = quotes[n] ?? { id: '', mark: '0' };
        const instrument = venue.instruments().find((one) => one.id === id);
        const placing = venue.placeBatch(ACCOUNT, [
          order(`n-${n}`, { symbol: id, quantity: instrument?.stepSize ?? '1', limitPrice: mark }),
          order(`m-${n}`, { symbol: id, quantity: String(1 + n), limitPrice: mark, side: 'SELL' }),
        ]);
        await clock.advance(5_000);
        await placing;
      }
      hashes.push(venue.journalHash());
      await venue.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
    expect(hashes[1]).to.equal(hashes[0]);
    expect(hashes[2]).not.to.equal(hashes[0]);
  });

  it('continues the market of its files over a kill, whatever seed it is started with', async () => {
    const venue = await start(createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 3)));
    await clock.advance(20_000);
    const before = (await firstUpdate(venue)).quotes;
    // Not stopped: a second one on the same files is what a restart after a kill looks like.
    const again = createPaperVenue(optionsOf(PAPER_PROFILES.frictionless, 999));
    await again.start();
    expect((await firstUpdate(again)).quotes).to.deep.equal(before);
    await again.stop();
  });

  it('answers unknown while the disk is full, and has not forgotten anything afterwards', async function () {
    const limit = (bytes: string) => {
      try {
        execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`], {
          stdio: 'ignore',
        });
        return true;
      } catch {
        return false;
      }
    };
    const ignore = () => undefined;
    const { venue } = await onFlat();
    await venue.placeBatch(ACCOUNT, [order('before')]);
    process.on('SIGXFSZ', ignore);
    try {
      if (!limit('600')) return this.skip();
      const during = await venue.placeBatch(ACCOUNT, [order('during')]);
      expect(during[0]?.kind).to.equal('unknown');
      expect(venue.status().status).to.equal('DOWN');
      expect((await lookUp(venue, ACCOUNT, 'during')).ok).to.equal(false);
      expect((await venue.placeBatch(ACCOUNT, [order('refused')]))[0]?.kind).to.equal('unknown');
    } finally {
      limit('unlimited');
      process.removeListener('SIGXFSZ', ignore);
    }
    const events: AccountEvent[] = [];
    venue.accountStream(ACCOUNT, (event) => events.push(event));
    const isUp = new Promise<void>((resolve) => {
      venue.onStatus(({ status }) => {
        if (status === 'UP') resolve();
      });
    });
    await clock.advance(1_100);
    await isUp;
    expect(venue.status().status).to.equal('UP');
    expect(events[0]).to.deep.equal({ kind: 'reconnected' });
    const read = async (one: PaperVenue) => {
      const orders = await one.orders(ACCOUNT);
      return orders.ok ? orders.value.map(({ clientOrderId, kind }) => [clientOrderId, kind]) : [];
    };
    expect(await read(venue)).to.deep.equal([
      ['before', 'done'],
      ['during', 'done'],
    ]);
    const again = createPaperVenueOn({
      ...optionsOf(PAPER_PROFILES.frictionless, 1),
      createMarket: ({ startAt }) => createFlatMarket({ startAt }),
    });
    await again.start();
    expect(await read(again)).to.deep.equal(await read(venue));
    await again.stop();
  });

  it('is found in the registry by its connector', async () => {
    const { venue } = await onFlat();
    const venues = createVenues([venue]);
    expect(venues.get('paper')).to.equal(venue);
    expect(venues.get('other')).to.equal(undefined);
    expect(venues.all()).to.deep.equal([venue]);
    expect(() => createVenues([venue, venue])).to.throw(/share a connector id/);
  });
});

async function firstUpdate(venue: PaperVenue): Promise<MarketUpdate> {
  const updates: MarketUpdate[] = [];
  venue.marketStream((update) => updates.push(update))();
  const [first] = updates;
  if (first === undefined) throw new Error('the venue told nothing');
  return first;
}
