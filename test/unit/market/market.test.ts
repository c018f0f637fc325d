import { expect } from 'chai';
import { BTC_DOMINANCE, type FeedReading, predictionFeed } from '../../../gateway/domain/feed.ts';
import type { InstrumentsChange, MarketTick } from '../../../gateway/engine/ports/market.ts';
import { createMarket, type Market } from '../../../gateway/market/market.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import {
  createMarketVenue,
  type MarketVenue,
  perp,
  quoteAt,
  silentLogger,
  venuesOf,
} from '../../support/market-venue.ts';

describe('market data', () => {
  let clock: FakeClock;
  let venue: MarketVenue;
  let market: Market;
  const btc = perp('paper', 'BTC');
  const eth = perp('paper', 'ETH');

  beforeEach(() => {
    clock = createFakeClock();
    venue = createMarketVenue({ id: 'paper', clock, instruments: [btc, eth] });
    market = createMarket({ venues: venuesOf(venue), clock, logger: silentLogger });
    market.start();
  });
  afterEach(() => market.close());

  it('holds the full state as soon as it has started', () => {
    expect(market.quote('paper', 'BTC-PERP')?.mark).to.equal('110');
    expect(market.funding('paper', 'ETH-PERP')?.rate).to.equal('0.0000125');
    expect(market.stats('paper', 'ETH-PERP')?.volume24h).to.equal('2000');
    expect(market.instrument('paper', 'BTC-PERP')).to.deep.equal(btc);
    expect(market.instruments('paper')).to.deep.equal([btc, eth]);
  });

  it('knows nothing of other connectors and instruments', () => {
    expect(market.has('nowhere')).to.equal(false);
    expect(market.quote('nowhere', 'BTC-PERP')).to.equal(undefined);
    expect(market.instruments('nowhere')).to.deep.equal([]);
    expect(market.quote('paper', 'DOGE-PERP')).to.equal(undefined);
    expect(market.rowsJson('prices', 'nowhere')).to.equal('[]');
    expect(market.isStale('nowhere', 'BTC-PERP')).to.equal(true);
    expect(market.isStale('paper', 'DOGE-PERP')).to.equal(true);
  });

  it('replaces what an update names and keeps the rest', () => {
    venue.move({ 'BTC-PERP': '120' });
    expect(market.quote('paper', 'BTC-PERP')?.mark).to.equal('120');
    expect(market.quote('paper', 'ETH-PERP')?.mark).to.equal('110');
  });

  it('tells each tick after its values can be read', () => {
    const seen: [MarketTick, string | undefined][] = [];
    const stop = market.onTick((tick) => seen.push([tick, market.quote('paper', 'BTC-PERP')?.mark]));
    venue.move({ 'BTC-PERP': '121' });
    stop();
    venue.move({ 'BTC-PERP': '122' });
    expect(seen).to.have.length(1);
    expect(seen[0]?.[0].connector).to.equal('paper');
    expect(seen[0]?.[0].quotes.map(({ id }) => id)).to.deep.equal(['BTC-PERP']);
    expect(seen[0]?.[1]).to.equal('121');
  });

  it('keeps the other followers informed when one of them throws', () => {
    let told = 0;
    market.onTick(() => {
      throw new Error('a bug');
    });
    market.onTick(() => {
      told += 1;
    });
    venue.move({ 'BTC-PERP': '121' });
    expect(told).to.equal(1);
  });

  it('hands out the same text until a row changes, and then only that row anew', () => {
    const before = market.rowsJson('prices', 'paper');
    expect(market.rowsJson('prices', 'paper')).to.equal(before);
    venue.move({ 'ETH-PERP': '111' });
    const rows: { id: string; mark: string }[] = JSON.parse(market.rowsJson('prices', 'paper'));
    expect(rows.map(({ id, mark }) => `${id}=${mark}`)).to.deep.equal(['BTC-PERP=110', 'ETH-PERP=111']);
    const some: { id: string }[] = JSON.parse(
      market.rowsJsonOf('prices', 'paper', ['ETH-PERP', 'DOGE-PERP']),
    );
    expect(some.map(({ id }) => id)).to.deep.equal(['ETH-PERP']);
  });

  it('follows instruments as they change: what is otherwise is told once, what is gone leaves every list', () => {
    const seen: InstrumentsChange[] = [];
    const ids: (string | undefined)[] = [];
    const stop = market.onInstruments((change) => {
      seen.push(change);
      ids.push(market.instrument('paper', 'SOL-PERP')?.id);
    });
    const sol = perp('paper', 'SOL');
    const slower = perp('paper', 'BTC', { maxLeverage: 5 });
    venue.setInstruments([slower, sol]);
    expect(seen).to.deep.equal([
      {
        connector: 'paper',
        changed: [
          { before: btc, after: slower },
          { before: undefined, after: sol },
        ],
        gone: ['ETH-PERP'],
      },
    ]);
    expect(ids).to.deep.equal(['SOL-PERP']);
    expect(market.quote('paper', 'ETH-PERP')).to.equal(undefined);
    for (const topic of ['prices', 'funding', 'markets'] as const)
      expect(market.rowsJson(topic, 'paper')).to.not.include('ETH');
    const all = { scope: 'all', search: undefined, limit: 10, offset: 0 } as const;
    expect(market.markets('paper', all).markets.map(({ id }) => id)).to.deep.equal(['BTC-PERP']);
    // The same in other objects.
    venue.setInstruments([{ ...slower }, { ...sol }]);
    expect(seen).to.have.length(1);
    stop();
    venue.setInstruments([]);
    expect(seen).to.have.length(1);
  });

  describe('feeds', () => {
    const name = predictionFeed('somewhere', 'question');
    const dominance = (value: string): FeedReading => ({
      name: BTC_DOMINANCE,
      value,
      updatedAt: clock.now(),
      prediction: null,
    });
    const probability = (value: string): FeedReading => ({
      name,
      value,
      updatedAt: clock.now(),
      prediction: { source: 'somewhere', marketKey: 'question', question: 'Will it?' },
    });

    it('are the latest values by name', () => {
      expect(market.feeds('paper')).to.deep.equal([]);
      expect(market.feed('paper', BTC_DOMINANCE)).to.equal(undefined);
      venue.send({ quotes: [], feeds: [dominance('61'), probability('40')] });
      venue.send({ quotes: [], feeds: [dominance('61.5')] });
      expect(market.feed('paper', BTC_DOMINANCE)).to.deep.equal(dominance('61.5'));
      expect(market.feeds('paper')).to.deep.equal([dominance('61.5'), probability('40')]);
      expect(market.feed('nowhere', BTC_DOMINANCE)).to.equal(undefined);
      expect(market.feeds('nowhere')).to.deep.equal([]);
    });

    it('come with the quotes of their update in one tick, after they can be read', () => {
      const seen: [MarketTick, string | undefined][] = [];
      market.onTick((tick) => seen.push([tick, market.feed('paper', BTC_DOMINANCE)?.value]));
      venue.send({ quotes: [quoteAt(btc, '120', clock.now())], feeds: [dominance('62')] });
      venue.move({ 'BTC-PERP': '121' });
      expect(seen).to.have.length(2);
      expect(seen[0]?.[0].quotes.map(({ id }) => id)).to.deep.equal(['BTC-PERP']);
      expect(seen[0]?.[0].feeds).to.deep.equal([dominance('62')]);
      expect(seen[0]?.[1]).to.equal('62');
      expect(seen[1]?.[0].feeds).to.deep.equal([]);
    });

    it('are stale 5 seconds after they were told last, each by itself, and at once when the connector is down', async () => {
      expect(market.isFeedStale('paper', BTC_DOMINANCE)).to.equal(true);
      venue.send({ quotes: [], feeds: [dominance('61'), probability('40')] });
      expect(market.isFeedStale('paper', BTC_DOMINANCE)).to.equal(false);
      await clock.advance(3_000);
      venue.send({ quotes: [], feeds: [dominance('61')] });
      await clock.advance(2_001);
      expect(market.isFeedStale('paper', BTC_DOMINANCE)).to.equal(false);
      expect(market.isFeedStale('paper', name)).to.equal(true);
      venue.setStatus('DOWN');
      expect(market.isFeedStale('paper', BTC_DOMINANCE)).to.equal(true);
      venue.setStatus('UP');
      expect(market.isFeedStale('paper', BTC_DOMINANCE)).to.equal(false);
      expect(market.isFeedStale('nowhere', BTC_DOMINANCE)).to.equal(true);
    });
  });

  describe('staleness', () => {
    it('starts after 5 seconds without an update, whatever the venue says its timestamps are', async () => {
      venue.send({ quotes: [quoteAt(btc, '110', clock.now() + 3_600_000)] });
      await clock.advance(5_000);
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(false);
      await clock.advance(1);
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(true);
      venue.move({ 'BTC-PERP': '110' });
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(false);
    });

    it('is that of one instrument when only its feed has died', async () => {
      for (let second = 0; second < 6; second += 1) {
        await clock.advance(1_000);
        venue.move({ 'ETH-PERP': '110' });
      }
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(true);
      expect(market.isStale('paper', 'ETH-PERP')).to.equal(false);
      expect(market.connectors()[0]?.status).to.equal('UP');
    });

    it('is measured by the clock that is never set', async () => {
      clock.jump(-3_600_000);
      await clock.advance(5_001);
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(true);
      expect(market.connectors()[0]?.status).to.equal('DEGRADED');
      expect(market.connectors()[0]?.since).to.equal(new Date(clock.now() - 1).toISOString());
      venue.move({ 'BTC-PERP': '110' });
      clock.jump(7_200_000);
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(false);
      expect(market.connectors()[0]?.status).to.equal('UP');
    });

    it('is that of everything that has not arrived again since it was distrusted', () => {
      venue.send({
        quotes: [],
        feeds: [{ name: BTC_DOMINANCE, value: '60', updatedAt: clock.now(), prediction: null }],
      });
      market.distrust();
      expect(market.distrusted()).to.deep.equal(['paper']);
      venue.move({ 'BTC-PERP': '110' });
      expect(market.distrusted()).to.deep.equal([]);
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(false);
      expect(market.isStale('paper', 'ETH-PERP')).to.equal(true);
      expect(market.isFeedStale('paper', BTC_DOMINANCE)).to.equal(true);
    });

    it('is immediate when the connector is down', () => {
      venue.setStatus('DOWN', 'maintenance');
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(true);
      venue.setStatus('UP');
      expect(market.isStale('paper', 'BTC-PERP')).to.equal(false);
    });
  });

  describe('connector status', () => {
    const status = () => market.connectors()[0];

    it('turns DEGRADED after 5 silent seconds and UP with the next update, and says so each time', async () => {
      const told: (string | undefined)[] = [];
      market.onStatus(() => told.push(status()?.status));
      const silentFrom = clock.now() + 5_000;
      await clock.advance(5_000);
      expect(status()?.status).to.equal('UP');
      await clock.advance(1);
      expect(status()).to.include({
        status: 'DEGRADED',
        since: new Date(silentFrom).toISOString(),
        reason: 'No market data for more than 5 seconds',
      });
      await clock.advance(60_000);
      venue.move({ 'BTC-PERP': '110' });
      expect(status()).to.include({ status: 'UP', reason: null });
      await clock.advance(5_001);
      expect(status()?.status).to.equal('DEGRADED');
      expect(told).to.deep.equal(['DEGRADED', 'UP', 'DEGRADED']);
    });

    it('stays UP while updates come', async () => {
      for (let second = 0; second < 12; second += 1) {
        await clock.advance(1_000);
        venue.move({ 'BTC-PERP': String(100 + second) });
        expect(status()?.status).to.equal('UP');
      }
    });

    it("keeps the venue's own word when it is worse", async () => {
      venue.setStatus('DOWN', 'maintenance');
      await clock.advance(10_000);
      expect(status()).to.include({ status: 'DOWN', reason: 'maintenance' });
    });
  });

  it('lets go of the venue and of its timers when closed', () => {
    market.close();
    expect(venue.followers).to.equal(0);
    expect(clock.pending()).to.equal(0);
  });
});
