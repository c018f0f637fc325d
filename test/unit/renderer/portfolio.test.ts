/** Figures of the Portfolio screen, from the gateway's answers. */
import { expect } from 'chai';
import fc from 'fast-check';
import { bucketTimes } from '../../../renderer/screens/portfolio/bucket-times.ts';
import { dayFacts, heatMap } from '../../../renderer/screens/portfolio/heat-map.ts';
import { rangeQuery } from '../../../renderer/screens/portfolio/range.ts';
import { resultParts } from '../../../renderer/screens/portfolio/result-parts.ts';
import {
  whyPortfolioFigureIsMissing,
  whyRiskFigureIsMissing,
  whyRiskIsMissing,
  whyRollingIsEmpty,
} from '../../../renderer/screens/portfolio/why-missing.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const DAY_MS = 86_400_000;

describe('range of the portfolio', () => {
  it('is the last UTC days with today', () => {
    const now = Date.parse('2026-03-02T23:59:00Z');
    expect(rangeQuery('7d', now)).to.deep.equal({ startDate: '2026-02-24' });
    expect(rangeQuery('1y', now)).to.deep.equal({ startDate: '2025-03-03' });
    expect(rangeQuery('all', now)).to.deep.equal({});
  });
});

describe('places of the buckets', () => {
  const of = (...days: readonly string[]) =>
    days.slice(1).map((end, index) => ({ start: `${days[index]}T00:00:00Z`, end: `${end}T00:00:00Z` }));
  const at = (...days: readonly string[]) => days.map((day) => Date.parse(`${day}T00:00:00Z`));

  it('are a week from each other, also where the range begins or ends within one', () => {
    // From a Sunday to a Tuesday.
    expect(bucketTimes(of('2026-05-10', '2026-05-11', '2026-05-18', '2026-05-20'))).to.deep.equal(
      at('2026-05-04', '2026-05-11', '2026-05-18'),
    );
    expect(bucketTimes(of('2026-05-10', '2026-05-11'))).to.deep.equal(at('2026-05-10'));
    expect(bucketTimes([])).to.deep.equal([]);
  });
});

describe('result of baskets and of instruments', () => {
  const pair = { basketKey: 'b', trades: 1, hitRate: null, averageHoldSeconds: 1 };
  const asset = {
    symbol: 'BTC-PERP',
    ticker: 'BTC',
    fills: 1,
    volume: '1',
    realizedPnl: '0',
    fees: '0',
    funding: '0',
  };

  it('differ by what no closed position has realised, to the last digit', () => {
    const pairs = [
      { ...pair, pnl: '1180.5' },
      { ...pair, pnl: '0.100000000000000001' },
    ];
    const assets = [
      { ...asset, pnl: '2300' },
      { ...asset, pnl: '-90.3' },
    ];
    expect(resultParts({ pairs, assets })).to.deep.equal({
      closed: '1180.600000000000000001',
      other: '1029.099999999999999999',
      all: '2209.7',
    });
    expect(resultParts({ pairs: [], assets: [] })).to.deep.equal({ closed: '0', other: '0', all: '0' });
  });
});

describe('reason of a missing figure', () => {
  const portfolio = {
    equity: null,
    balance: null,
    deposits: null,
    unrealizedPnl: '0',
    realizedPnl: '0',
    fees: '0',
    funding: '0',
    netPnl: '0',
    volume: '0',
    winCount: 0,
    lossCount: 0,
    hitRate: null,
    profitFactor: null,
    averageWin: null,
    averageLoss: null,
    buckets: [],
  };

  it('names the venue, or what was not closed', () => {
    expect(whyPortfolioFigureIsMissing('equity', portfolio)).to.contain('venue');
    expect(whyPortfolioFigureIsMissing('equity', { ...portfolio, equity: '5' })).to.equal(null);
    expect(whyPortfolioFigureIsMissing('hitRate', portfolio)).to.contain('won or lost');
    const winner = { ...portfolio, winCount: 1, hitRate: '1', averageWin: '3' };
    expect(whyPortfolioFigureIsMissing('profitFactor', winner)).to.contain('No loss');
    expect(whyPortfolioFigureIsMissing('averageWin', { ...portfolio, lossCount: 2 })).to.contain('No win');
  });

  const none = { value: null, pct: null, from: null, to: null, recoveredAt: null };
  const risk = {
    sharpe: null,
    sortino: null,
    calmar: null,
    volatility: null,
    maxDrawdown: none,
    valueAtRisk95: null,
    expectedShortfall95: null,
    beta: null,
    ulcerIndex: null,
  };

  it('counts the days of the risk figures', () => {
    const why = (days: number) =>
      whyRiskFigureIsMissing('valueAtRisk95', risk, { days, isVenueAnswering: true });
    expect(whyRiskIsMissing({ days: 0, isVenueAnswering: true })).to.contain('Nothing was traded');
    expect(whyRiskIsMissing({ days: 0, isVenueAnswering: false })).to.contain('venue');
    expect(whyRiskIsMissing({ days: 1, isVenueAnswering: true })).to.equal(null);
    expect(why(0)).to.equal('');
    expect(why(1)).to.equal('Needs 20 days; there is 1');
    expect(why(19)).to.equal('Needs 20 days; there are 19');
    const two = { days: 2, isVenueAnswering: true };
    expect(whyRiskFigureIsMissing('sharpe', risk, { ...two, days: 1 })).to.contain('2 days');
    expect(whyRiskFigureIsMissing('sortino', risk, two)).to.contain('No day lost');
    expect(whyRiskFigureIsMissing('calmar', risk, two)).to.contain('never fell');
    expect(whyRiskFigureIsMissing('beta', risk, two)).to.contain('BTC-PERP');
    expect(whyRiskFigureIsMissing('sharpe', { ...risk, sharpe: '1.2' }, two)).to.equal(null);
    const fell = { ...risk, maxDrawdown: { ...none, value: '0' } };
    expect(whyRiskFigureIsMissing('maxDrawdown', fell, two)).to.equal(null);
  });

  it('says why a rolling figure is missing, however short the range is', () => {
    expect(whyRollingIsEmpty([null, '1'], 30, [null, '1'])).to.equal(null);
    expect(whyRollingIsEmpty([null], 30, [null])).to.contain('needs 30 days of history');
    expect(whyRollingIsEmpty([], 30, [])).to.contain('needs 30 days of history');
    expect(whyRollingIsEmpty([null, null], 30, [null, '0'])).to.contain('do not define');
  });
});

/** A day after the other. */
function seriesFrom(start: string, pnls: readonly string[]) {
  return pnls.map((pnl, index) => ({
    date: new Date(Date.parse(start) + index * DAY_MS).toISOString().slice(0, 10),
    pnl,
  }));
}

describe('heat map of days', () => {
  it('puts Monday on top and begins a column with it', () => {
    // A Sunday and the Monday after it.
    const [block] = heatMap(seriesFrom('2026-02-01', ['-10', '5']));
    expect(block?.days.map(({ week, weekday }) => [week, weekday])).to.deep.equal([
      [0, 6],
      [1, 0],
    ]);
    expect(block?.weeks).to.equal(2);
  });

  it('has the sign of the day and a depth beside the largest day', () => {
    const [block] = heatMap(seriesFrom('2026-02-02', ['100', '-100', '1', '-26', '0', '0.000001']));
    expect(block?.days.map(({ level }) => level)).to.deep.equal([4, -4, 1, -2, 0, 1]);
    const [calm] = heatMap(seriesFrom('2026-02-02', ['0', '0']));
    expect(calm?.days.map(({ level }) => level)).to.deep.equal([0, 0]);
  });

  it('keeps every day once, in its cell, however long the history is', () =>
    forAll(
      [fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 1_200 })],
      propertyRuns(40),
      (from, length) => {
        const start = new Date(from * DAY_MS).toISOString().slice(0, 10);
        const series = seriesFrom(
          start,
          Array.from({ length }, () => '1'),
        );
        const blocks = heatMap(series);
        const days = [...blocks].reverse().flatMap((block) => block.days);
        expect(days.map(({ date }) => date)).to.deep.equal(series.map(({ date }) => date));
        for (const block of blocks) {
          expect(block.weeks).to.be.within(1, 53);
          const cells = new Set(block.days.map(({ week, weekday }) => `${week} ${weekday}`));
          expect(cells.size).to.equal(block.days.length);
          for (const { date, weekday } of block.days)
            expect(new Date(date).getUTCDay()).to.equal((weekday + 1) % 7);
        }
      },
    ));

  it('names each month where it begins, and never two on one place', () => {
    const [block] = heatMap(
      seriesFrom(
        '2026-01-30',
        Array.from({ length: 60 }, () => '1'),
      ),
    );
    expect(block?.months.map(({ month }) => month)).to.deep.equal(['2026-02', '2026-03']);
  });
});

describe('days that stand out', () => {
  it('are the one that brought the most and the one that cost the most', () => {
    expect(dayFacts(seriesFrom('2026-02-02', ['10', '-3', '0', '10.5', '-30.25']))).to.deep.equal({
      best: { date: '2026-02-05', pnl: '10.5' },
      worst: { date: '2026-02-06', pnl: '-30.25' },
      up: 2,
      down: 2,
    });
  });

  it('are none where nothing was won or lost', () => {
    expect(dayFacts(seriesFrom('2026-02-02', ['0', '5']))).to.include({ worst: undefined, up: 1, down: 0 });
    expect(dayFacts([])).to.deep.equal({ best: undefined, worst: undefined, up: 0, down: 0 });
  });
});
