/** Samples of an account's equity: their times and figures, on a real store, with a venue and prices set by a test. */
import { expect } from 'chai';
import type { EquitySample } from '../../../gateway/domain/portfolio.ts';
import { fail, ok } from '../../../gateway/domain/result.ts';
import { EquitySampler } from '../../../gateway/engine/portfolio/equity-sampler.ts';
import type { VenueBalances, VenuePosition } from '../../../gateway/engine/ports/venue.ts';
import { openHandle } from '../../../gateway/store/file/sqlite-handle.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { settled } from '../../support/outstanding.ts';
import {
  event,
  fill,
  paperAccount,
  positionOfLeg,
  silentLogger,
  storeForEachTest,
} from '../../support/store-records.ts';

const NOON = Date.UTC(2026, 0, 31, 12);
const HOUR = 3_600_000;
const ACCOUNT = paperAccount({ createdAt: NOON - 90 * HOUR, updatedAt: NOON });

describe('equity samples', () => {
  // The sampler ends before its store does.
  afterEach(() => sampler?.stop());
  const store = storeForEachTest();
  let clock: FakeClock;
  let sampler: EquitySampler | null;
  let balances: VenueBalances | null;
  let held: readonly VenuePosition[];
  let mark: string;
  let balanceCalls: number;

  beforeEach(() => {
    clock = createFakeClock(NOON + 600_000);
    sampler = null;
    held = [];
    mark = '100';
    balanceCalls = 0;
    told({ deposits: '1000' });
  });

  function told(over: Partial<VenueBalances>): void {
    balances = { asset: 'USDC', balance: '1000', equity: '1000', marginUsed: '0', freeMargin: '0', ...over };
  }

  async function sampling(): Promise<void> {
    const unavailable = fail({ kind: 'unknown', message: 'away' } as const);
    const venue = {
      balances: async () => {
        balanceCalls += 1;
        return balances === null ? unavailable : ok(balances);
      },
      positions: async () => ok(held),
    };
    sampler = new EquitySampler({
      store,
      venues: { get: () => venue },
      market: { quote: () => ({ mark }) as never },
      clock,
      logger: silentLogger,
      accounts: () => [ACCOUNT],
    });
    sampler.start();
    await sampled();
  }

  /** Until what was asked for is on disk. */
  async function sampled(): Promise<void> {
    await settled();
    await sampler?.idle();
  }

  async function pass(ms: number): Promise<void> {
    await clock.advance(ms);
    await sampled();
  }

  const last = async (): Promise<EquitySample> => {
    const found = await store.history.lastSample('account');
    if (found === null) throw new Error('there is no sample');
    return found;
  };

  const longBtc = (entryNotional: string) => positionOfLeg({ quantity: '2', entryNotional });

  it('are taken at the start and at the end of every hour, of what is held at its mark', async () => {
    await store.commit({
      positions: [longBtc('180')],
      fills: [fill({ executionId: 'e', fee: '0.5', timestamp: NOON })],
    });
    told({ deposits: '1000', balance: '999.5' });
    held = [{ symbol: 'BTC-PERP', quantity: '2', entryPrice: '90' } as VenuePosition];
    await sampling();
    expect(await last()).to.deep.equal({
      tradeAccountId: 'account',
      at: NOON + 600_000,
      deposits: '1000',
      flow: '0',
      gatewayPnl: '19.5',
      gatewayUnrealized: '20',
      externalPnl: '0',
      externalUnrealized: '0',
    });
    mark = '90.25';
    await pass(50 * 60_000);
    expect(await last()).to.include({ at: NOON + HOUR - 1_000, gatewayPnl: '0', gatewayUnrealized: '0.5' });
    mark = '80';
    await pass(HOUR);
    expect(await last()).to.include({ at: NOON + 2 * HOUR - 1_000, gatewayUnrealized: '-20' });
  });

  it('follow trades within seconds, and share one sample where trades follow each other', async () => {
    await sampling();
    const before = balanceCalls;
    for (let trade = 0; trade < 200; trade += 1) {
      await store.commit({ events: [event({ event: 'position.updated', timestamp: clock.now() })] });
      await clock.advance(300);
    }
    await sampled();
    // A minute of trades without a pause.
    expect(balanceCalls - before).to.be.within(3, 5);
    await pass(15_000);
    const { at } = await last();
    await store.commit({ events: [event({ event: 'order.filled', timestamp: clock.now() })] });
    await pass(20_000);
    expect((await last()).at).to.equal(at);
    await store.commit({ events: [event({ event: 'position.closed', timestamp: clock.now() })] });
    await pass(3_000);
    expect((await last()).at).to.be.within(clock.now() - 3_000, clock.now());
  });

  it('say what was paid in since the one before, also over a restart', async () => {
    await sampling();
    told({ deposits: '1500.25' });
    await pass(HOUR);
    expect(await last()).to.include({ deposits: '1500.25', flow: '500.25' });
    await sampler?.stop();
    told({ deposits: '1400' });
    await clock.advance(HOUR);
    await sampling();
    expect(await last()).to.include({ deposits: '1400', flow: '-100.25' });
    expect((await store.history.curve('account', null, null)).flows.map(({ flow }) => flow)).to.deep.equal([
      '500.25',
      '-100.25',
    ]);
  });

  it('are not taken while the venue does not answer, and are again when it does', async () => {
    balances = null;
    await sampling();
    expect(await store.history.lastSample('account')).to.equal(null);
    told({ deposits: '1000' });
    await pass(HOUR);
    expect((await last()).at).to.equal(NOON + HOUR - 1_000);
  });

  it('take what the records of an older version do not explain for capital, once', async () => {
    await store.commit({
      positions: [longBtc('180')],
      fills: [fill({ executionId: 'e', fee: '0.5', timestamp: NOON })],
    });
    // 1000 − 0.5 and two resets of before, of which no row tells.
    told({ deposits: '1000', balance: '1300.5' });
    held = [{ symbol: 'BTC-PERP', quantity: '2', entryPrice: '90' } as VenuePosition];
    await sampling();
    expect((await last()).deposits).to.equal('1301');
    expect(await store.cursor('account', 'carried-over')).to.equal('301');
    await sampler?.stop();
    told({ deposits: '1000', balance: '2000' });
    await sampling();
    expect(await store.cursor('account', 'carried-over')).to.equal('301');
  });

  it('count what is in no basket for whom it belongs to', async () => {
    const lot = { tradeAccountId: 'account', connector: 'paper', symbol: 'BTC-PERP', timestamp: NOON };
    await store.commit({
      unassignedLots: [
        { ...lot, id: 'a', source: 'OUTSIDE', quantity: '-3', price: '110' },
        { ...lot, id: 'b', source: 'DUST', quantity: '0.5', price: '98' },
        { ...lot, id: 'c', source: 'OUTSIDE', quantity: '0', price: '1' },
      ],
    });
    await sampling();
    expect(await last()).to.include({ gatewayUnrealized: '1', externalUnrealized: '30' });
  });

  it('are kept: all for two days, the last of each hour for 92, of each day for ever, deposits always', async () => {
    const at = (days: number, ms: number) => NOON - 12 * HOUR - days * 24 * HOUR + ms;
    const sample = (time: number, flow = '0'): EquitySample => ({
      tradeAccountId: 'account',
      at: time,
      deposits: '1',
      flow,
      gatewayPnl: '0',
      gatewayUnrealized: '0',
      externalPnl: '0',
      externalUnrealized: '0',
    });
    const times = [1_000, 2_000, HOUR + 1_000, HOUR + 2_000, 23 * HOUR];
    const kept = async (days: number) => {
      const { closes: all } = await store.history.curve('account', null, null);
      expect(all.some((one) => one.at === at(days, 23 * HOUR))).to.equal(true);
      return left
        .filter((one) => one >= at(days, 0) && one < at(days - 1, 0))
        .map((one) => one - at(days, 0));
    };
    await store.commit({
      equitySamples: [1, 50, 200].flatMap((days) => [
        ...times.map((time) => sample(at(days, time))),
        sample(at(days, 1_500), '7'),
      ]),
    });
    await store.prune(NOON);
    const { flows } = await store.history.curve('account', null, null);
    expect(flows).to.have.length(3);
    const left = (await everySample()).map((one) => one.at);
    expect(await kept(1)).to.deep.equal([1_000, 1_500, 2_000, HOUR + 1_000, HOUR + 2_000, 23 * HOUR]);
    expect(await kept(50)).to.deep.equal([1_500, 2_000, HOUR + 2_000, 23 * HOUR]);
    expect(await kept(200)).to.deep.equal([1_500, 23 * HOUR]);
  });

  async function everySample(): Promise<readonly { readonly at: number }[]> {
    const handle = await openHandle(store.file, 'read-only');
    const statement = await handle.prepare('SELECT at FROM equity_samples ORDER BY at');
    const rows = await statement.all([]);
    await statement.finalize();
    await handle.close();
    return rows.map((row) => ({ at: Number(row['at']) }));
  }
});
