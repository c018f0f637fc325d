import { expect } from 'chai';
import type { IChartApi, ISeriesApi, Time } from 'lightweight-charts';
import { axisFigure, clearTicks, followTimes } from '../../../renderer/components/chart-axes.ts';

interface Format {
  readonly formatter: (price: number) => string;
  readonly tickmarksFormatter: (prices: readonly number[]) => readonly string[];
}

describe('labels of the price axis', () => {
  it('leave out the ticks that a level lies over, and show them again when it has moved', () => {
    const applied: Format[] = [];
    let levels = [52];
    const series = {
      applyOptions: ({ priceFormat }: { readonly priceFormat: Format }) => applied.push(priceFormat),
      priceToCoordinate: (price: number) => 100 - price,
    } as unknown as ISeriesApi<'Line'>;
    const ticks = clearTicks(series, () => levels);
    ticks.setDecimals(1, '%');
    const drawn = () => applied.at(-1)?.tickmarksFormatter([10, 50, 90]);
    expect(applied.at(-1)?.formatter(7)).to.equal('7.0%');
    expect(applied.at(-1)?.formatter(-7)).to.equal('\u22127.0%');
    expect(drawn()).to.deep.equal(['10.0%', '', '90.0%']);
    levels = [54];
    ticks.renew();
    expect(applied, 'the same ticks are hidden').to.have.length(1);
    levels = [92];
    ticks.renew();
    expect(applied).to.have.length(2);
    expect(drawn()).to.deep.equal(['10.0%', '50.0%', '']);
    // In percent from a price, whatever the unit of the prices.
    ticks.setBase(50);
    const texts = () => [51, 50, 49].map((price) => applied.at(-1)?.formatter(price));
    expect(texts()).to.deep.equal(['+2.00\u00a0%', '0.00\u00a0%', '\u22122.00\u00a0%']);
    ticks.setBase(null);
    expect(texts()).to.deep.equal(['51.0%', '50.0%', '49.0%']);
  });
});

describe('figures of an axis', () => {
  it('have a true minus, and none where they round to nothing', () => {
    expect([axisFigure(-1.5, 2), axisFigure(1.5, 2), axisFigure(-0.001, 2)]).to.deep.equal([
      '\u22121.50',
      '1.50',
      '0.00',
    ]);
  });
});

describe('labels of the time axis', () => {
  it('leave out what the edge cuts, by the times of the candles that are there now', () => {
    const ears = new Set<() => void>();
    let start = 0;
    let every = 300;
    const scale = {
      width: () => 1_000,
      coordinateToTime: (x: number) => start + Math.round(x / 10) * every,
      subscribeVisibleLogicalRangeChange: () => undefined,
      unsubscribeVisibleLogicalRangeChange: () => undefined,
      subscribeSizeChange: () => undefined,
      unsubscribeSizeChange: () => undefined,
    };
    const chart = { timeScale: () => scale } as unknown as IChartApi;
    const series = {
      subscribeDataChanged: (ear: () => void) => ears.add(ear),
      unsubscribeDataChanged: (ear: () => void) => ears.delete(ear),
    } as unknown as ISeriesApi<'Line'>;
    let label: ((time: Time, kind: string) => string) | undefined;
    let times = 0;
    const stop = followTimes(
      chart,
      series,
      (time, kind: string) => `${kind} ${Number(time)}`,
      (formatter) => {
        label = formatter;
        times += 1;
      },
    );
    const at = (x: number) => label?.(scale.coordinateToTime(x) as Time, 'at');
    expect([at(0), at(500), at(1_000)]).to.deep.equal(['', 'at 15000', '']);
    // Hours instead of five minutes: as many candles, and nothing that the time scale tells of.
    start = -200_000;
    every = 3_600;
    for (const ear of ears) ear();
    expect([at(0), at(100), at(500), at(1_000)]).to.deep.equal(['', 'at -164000', 'at -20000', '']);
    const before = times;
    for (const ear of ears) ear();
    expect(times, 'the same labels are cut').to.equal(before);
    stop();
    expect(ears.size).to.equal(0);
  });
});
