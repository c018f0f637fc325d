/** The history of an account at Lighter, which lists the newest trades first: long ones, and what cannot be booked at once. */
import { expect } from 'chai';
import type { VenueFill } from '../../../../../gateway/engine/ports/venue.ts';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { propertyRuns } from '../../../../support/property-runs.ts';
import { until } from '../../../../support/until.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

/** With TANDEM_LONG=1 as many as the venue's list was once given up at. */
const MANY = propertyRuns(20_150, 2_450).numRuns;

describe('the history of an account at Lighter', () => {
  const desk = openForEachTest(() => VenueDesk.start({ pulseMs: 10_000 }));

  it('of thousands of trades is read by several calls, goes on after an answer that did not come, and is told whole @long', async function () {
    this.timeout(600_000);
    let cursor = await desk.cursor();
    desk.script.streamFaults({ silent: ['*'] });
    for (let made = 0; made < MANY; made += 1)
      desk.script.tradeElsewhere(desk.index, 'SOL', made % 2 === 0 ? 'buy' : 'sell', '0.1', '200');
    const fills: VenueFill[] = [];
    let calls = 0;
    const asked = () => desk.count('trades');
    const before = asked();
    for (let more = true; more; ) {
      if (calls === 1) desk.script.fault({ on: 'trades', do: 'status', code: 502 });
      const page = await desk.venue.history(desk.test.account, cursor);
      calls += 1;
      expect(page.ok, 'only the answer that does not come fails').to.equal(calls !== 2);
      if (!page.ok) continue;
      fills.push(...page.value.fills);
      cursor = page.value.nextCursor;
      more = page.value.more;
    }
    expect(calls).to.equal(Math.ceil((MANY + 1) / 2_000) + 1);
    expect(fills).to.have.length(MANY);
    expect(new Set(fills.map(({ tradeId }) => tradeId)).size).to.equal(MANY);
    const times = fills.map(({ timestamp }) => timestamp);
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
    // No page is asked for twice.
    expect(asked() - before).to.be.at.most(MANY / 100 + 3);
  });

  it('stays before an entry that cannot be read, tells the others, and tells it when it can be read', async () => {
    const cursor = await desk.cursor();
    desk.script.tradeElsewhere(desk.index, 'SOL', 'buy', '1', '200');
    desk.script.tradeElsewhere(desk.index, 'SOL', 'buy', '2', '200');
    await desk.clock.advance(3 * 60_000);
    desk.script.fault({
      ...{ on: 'trades', do: 'change', times: 1 },
      json: (value) => ({ ...value, trades: value.trades.map(brokenOf('1.000')) }),
    });
    const partly = await desk.history(cursor);
    expect(partly.fills.map(({ quantity }) => quantity)).to.deep.equal(['2']);
    const whole = await desk.history(partly.nextCursor);
    expect(whole.fills.map(({ quantity }) => quantity)).to.deep.equal(['1', '2']);
    await until(desk.clock, 'the account is told to read it', () =>
      desk.events.some(({ kind }) => kind === 'reconnected'),
    );
  });

  it('goes on without an entry that cannot be read for ten minutes', async () => {
    let cursor = await desk.cursor();
    desk.script.tradeElsewhere(desk.index, 'SOL', 'buy', '1', '200');
    desk.script.tradeElsewhere(desk.index, 'SOL', 'buy', '2', '200');
    desk.script.fault({
      ...{ on: 'trades', do: 'change', times: null },
      json: (value) => ({ ...value, trades: value.trades.map(brokenOf('1.000')) }),
    });
    for (let minutes = 0; minutes < 15; minutes += 3) {
      await desk.clock.advance(3 * 60_000);
      cursor = (await desk.history(cursor)).nextCursor;
    }
    expect((await desk.history(cursor)).fills).to.deep.equal([]);
    expect(desk.warnings(/not as described/).length).to.be.greaterThan(0);
  });
});

describe('a market of Lighter that was listed a moment ago', () => {
  it('has its fills told as soon as the list is read', async () => {
    const desk = await VenueDesk.start();
    const cursor = await desk.cursor();
    const isFresh = ({ symbol }: VenueFill) => symbol === 'FRESH-PERP';
    // Nothing tells that there is a new one before the trade does.
    desk.script.streamFaults({ silent: ['market_stats'] });
    desk.script.addMarket({ index: 77, symbol: 'FRESH', sizeDecimals: 1, priceDecimals: 4, mark: '8' });
    desk.script.tradeElsewhere(desk.index, 'FRESH', 'buy', '2', '8');
    await until(
      desk.clock,
      'the history tells it',
      async () => (await desk.history(cursor)).fills.some(isFresh),
      30_000,
    );
    const [fill] = (await desk.history(cursor)).fills.filter(isFresh);
    expect(fill).to.include({ side: 'BUY', quantity: '2', price: '8' });
    expect(desk.events.some(({ kind }) => kind === 'reconnected')).to.equal(true);
    await desk.close();
  });
});

function brokenOf(size: string): (trade: { size: string }) => object {
  return (trade) => (trade.size === size ? { ...trade, price: 'NaN' } : trade);
}
