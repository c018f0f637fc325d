/** Reading of Hyperliquid's instruments: its times, the stored part, and the owners of names. */
import { expect } from 'chai';
import { fail, ok } from '../../../../../gateway/domain/result.ts';
import type { Client } from '../../../../../gateway/venues/live/hyperliquid/client.ts';
import type { Listing } from '../../../../../gateway/venues/live/hyperliquid/listing.ts';
import { countListings, universeOf } from '../../../../../gateway/venues/live/hyperliquid/listings.ts';
import { MarketData } from '../../../../../gateway/venues/live/hyperliquid/market-data.ts';
import { keepListing, type Listings } from '../../../../../gateway/venues/live/kit/listings.ts';
import { check, readJson } from '../../../../../gateway/venues/live/kit/wire.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fake-clock.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';
import { memoryStore } from '../../../../support/venues/shared/memory-host.ts';

const MINUTE_MS = 60_000;

describe('Hyperliquid: the list of instruments', () => {
  let clock: FakeClock;
  let settings: Map<string, string>;
  let universe: readonly Record<string, unknown>[];
  let isAway: boolean;
  let lanes: string[];
  let changes: number;
  let listings: Listings<Listing> & { readonly counted: (count: number) => void };

  const coin = (name: string, over: object = {}) => ({ name, szDecimals: 2, maxLeverage: 10, ...over });

  beforeEach(async () => {
    clock = createFakeClock();
    settings = new Map();
    universe = [coin('BTC'), coin('kPEPE', { szDecimals: 0 })];
    isAway = false;
    await begin();
  });
  afterEach(() => listings.stop());

  async function begin(): Promise<void> {
    lanes = [];
    changes = 0;
    const info: Client['info'] = async (lane, { type }, schema) => {
      expect(type).to.equal('metaAndAssetCtxs');
      lanes.push(lane);
      if (isAway) return fail({ kind: 'unknown', message: 'away' });
      const json = readJson(JSON.stringify([{ universe, marginTables: [] }, universe.map(() => ({}))]));
      const told = check(schema, json.ok ? json.value : null);
      return told.ok ? ok(told.value) : fail({ kind: 'unknown', message: told.error.message });
    };
    const market = new MarketData('hyperliquid', clock);
    const source = universeOf({ id: 'hyperliquid', client: { info }, logger: silentLogger, market });
    const kept = keepListing(source, {
      ...{ id: 'hyperliquid', name: 'Hyperliquid', clock, logger: silentLogger },
      store: memoryStore(settings),
      onChange: (fresh) => {
        market.use(fresh);
        changes += 1;
      },
      onRead: () => {},
    });
    listings = { ...kept, counted: countListings(kept) };
    await listings.restore();
    listings.start();
    await clock.advance(0);
  }

  const ids = () => listings.now().instruments.map(({ id }) => id);

  it('an instrument without cross margin is offered with isolated margin only, however the venue says so', async () => {
    universe = [
      coin('BTC', { marginMode: 'normal' }),
      ...[{ onlyIsolated: true }, { marginMode: 'noCross' }, { marginMode: 'strictIsolated' }].map(
        (mode, index) => coin(`T${index}`, mode),
      ),
    ];
    listings.stop();
    await begin();
    expect(listings.now().instruments.map(({ marginModes }) => marginModes)).to.deep.equal([
      ['cross', 'isolated'],
      ['isolated'],
      ['isolated'],
      ['isolated'],
    ]);
  });

  it('is read every five minutes, behind everything else; only what is otherwise is told and kept', async () => {
    expect(ids()).to.deep.equal(['BTC-PERP', 'PEPE-PERP']);
    expect(changes).to.equal(1);
    await clock.advance(5 * MINUTE_MS - 1);
    expect(lanes).to.deep.equal(['market']);
    const kept = new Map(settings);
    settings.clear();
    await clock.advance(1);
    expect(lanes).to.deep.equal(['market', 'market']);
    expect([changes, settings.size]).to.deep.equal([1, 0]);
    universe = [coin('BTC', { isDelisted: true }), coin('kPEPE', { szDecimals: 0 })];
    await clock.advance(5 * MINUTE_MS);
    expect([changes, settings.size]).to.deep.equal([2, 1]);
    expect([...settings.values()]).to.not.deep.equal([...kept.values()]);
    expect(listings.now().bySymbol('BTC-PERP')?.instrument.tradeability.status).to.equal('not_tradable');
  });

  it('is read at once when the stream tells of more instruments, and once only where no list explains it', async () => {
    listings.counted(2);
    await clock.advance(1_000);
    expect(lanes).to.have.length(1);
    universe = [...universe, coin('NEW')];
    listings.counted(3);
    await clock.advance(0);
    expect(ids()).to.include('NEW-PERP');
    for (let second = 0; second < 60; second += 1) {
      listings.counted(4);
      await clock.advance(1_000);
    }
    expect(lanes).to.have.length(3);
  });

  it('is read again soon after new connections, which may come every second', async () => {
    for (let second = 0; second < 30; second += 1) {
      listings.look();
      await clock.advance(1_000);
    }
    expect(lanes.length).to.be.within(4, 8);
  });

  it('keeps names for good: a new coin takes none, in this run and in the next', async () => {
    universe = [...universe, coin('PEPE', { maxLeverage: 3 })];
    listings.look();
    await clock.advance(MINUTE_MS);
    const mine = () => listings.now().byCoin('kPEPE')?.instrument.id;
    expect(mine()).to.equal('PEPE-PERP');
    expect(listings.now().byCoin('kPEPE')?.instrument).to.include({
      ...{ venueSymbol: 'kPEPE', symbol: 'PEPE', multiplier: '1000' },
      ...{ stepSize: '1000', minQuantity: '1000', maxQuantity: null, priceBand: '0.8' },
    });
    expect(listings.now().byCoin('BTC')?.instrument).to.include({ venueSymbol: 'BTC', multiplier: '1' });
    expect(listings.now().byCoin('PEPE')).to.equal(undefined);
    listings.stop();
    await begin();
    expect(mine()).to.equal('PEPE-PERP');
    expect(listings.now().bySymbol('PEPE-PERP')?.instrument.maxLeverage).to.equal(10);
  });

  it('is that of the last run while the venue does not answer, also as an earlier version kept it', async () => {
    listings.stop();
    isAway = true;
    await begin();
    expect(ids()).to.deep.equal(['BTC-PERP', 'PEPE-PERP']);
    listings.stop();
    settings.set('venue:hyperliquid:listing', JSON.stringify({ universe: [coin('ETH')], marginTables: [] }));
    await begin();
    expect(ids()).to.deep.equal(['ETH-PERP']);
    listings.stop();
    settings.set('venue:hyperliquid:listing', '{"universe":');
    await begin();
    expect(ids()).to.deep.equal([]);
  });
});
