/** A basket's net of recorded funding rates, recomputed with own arithmetic, and how others fare meanwhile. */
import { expect } from 'chai';
import { carryHistory } from '../../../gateway/market/carry-history.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
/** [from, to). */
const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('recorded funding rates of a basket', () => {
  it('of many legs are read one after the other, and others have their turn', async () => {
    const legs = hours(0, 20).map((leg) => ({
      ...{ symbol: String(leg), side: leg % 2 === 0 ? ('BUY' as const) : ('SELL' as const) },
      ...{ weight: String(leg + 1), now: undefined },
    }));
    const rate = (leg: number, hour: number) => ((leg * 5 + hour * 3) % 19) - 4;
    let reading = 0;
    let turns = 0;
    let isDone = false;
    const asked: number[] = [];
    const others = () => {
      turns += 1;
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    const found = await carryHistory(
      {
        async points(_, symbol) {
          reading += 1;
          asked.push(turns);
          expect(reading).to.equal(1);
          await Promise.resolve();
          reading -= 1;
          return hours(0, 720).map((hour) => ({
            hour: START + hour * HOUR_MS,
            rate: [(rate(Number(symbol), hour) / 1e6).toFixed(6), 1] as const,
          }));
        },
      },
      { connector: 'paper', legs, to: START + 719 * HOUR_MS, windows: [168, 720] },
    );
    isDone = true;
    // Each leg is read twice, and there are fourteen pieces of a thousand rates.
    expect(new Set(asked).size).to.equal(20);
    expect(turns).to.be.at.least(50);
    expect(found.counts).to.deep.equal([168, 720]);
    const netAt = (hour: number) =>
      legs.reduce(
        (sum, { side, weight }, leg) =>
          sum - (side === 'BUY' ? 1 : -1) * (Number(weight) / 210) * (rate(leg, hour) / 1e6) * 8_760,
        0,
      );
    for (const [hour, { at, net: told }] of found.hours.entries()) {
      expect(at).to.equal(START + hour * HOUR_MS);
      expect(told.toNumber()).to.be.closeTo(netAt(hour), 1e-12);
    }
    expect(found.net.means.map(Number)[0]).to.be.closeTo(mean(hours(552, 720).map(netAt)), 1e-12);
    expect(found.net.means.map(Number)[1]).to.be.closeTo(mean(hours(0, 720).map(netAt)), 1e-12);
  });

  it('that cancel out come to nothing, to the last digit', async () => {
    const legs = ['1', '2', '3'].map((symbol, leg) => ({
      ...{
        symbol,
        side: leg === 2 ? ('BUY' as const) : ('SELL' as const),
        weight: ['1', '2', '3'][leg] ?? '',
      },
      now: { id: symbol, symbol, rate: '0.04', intervalHours: 1, nextFundingTime: START },
    }));
    const history = await carryHistory(
      { points: () => Promise.resolve([]) },
      { connector: 'paper', legs, to: START, windows: [1] },
    );
    expect(history.net.now?.toDecimalPlaces(15).isZero()).to.equal(true);
  });
});
