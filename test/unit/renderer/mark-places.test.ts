/** Arrows of trades on a candle chart: one for each candle, and no amount lies over another. */
import { expect } from 'chai';
import { type ChartMark, markPlaces, usdText } from '../../../renderer/components/mark-places.ts';

/** Five candles a minute apart; the third has the lowest low and the highest high. */
const CANDLES = [0, 1, 2, 3, 4].map((at) => ({
  time: at * 60,
  low: at === 2 ? 9 : 10,
  high: at === 2 ? 13 : 12,
}));

const trade = (time: number, way: ChartMark['way'], usd: number): ChartMark => ({
  ...{ time, way, usd },
  text: usdText(usd),
});
const shown = (marks: readonly ChartMark[], spacing: number) =>
  markPlaces(marks, CANDLES, spacing).map(({ index, way, text }) => `${index} ${way} ${text}`.trimEnd());

describe('arrows of trades on a chart', () => {
  it('have each their amount where there is room for it', () => {
    const far = [trade(5, 'up', 999), trade(245, 'up', 66)];
    expect(shown(far, 10)).to.deep.equal(['0 up $999', '4 up $66']);
    expect(shown([trade(-1, 'up', 999)], 10), 'before the first candle').to.deep.equal([]);
  });

  it('write the sum once where the amounts would touch, beyond the outermost arrow', () => {
    const bought = [trade(65, 'up', 999), trade(125, 'up', 66), trade(185, 'up', 1_000)];
    expect(shown(bought, 8)).to.deep.equal(['1 up', '2 up Σ $2,065', '3 up']);
    expect(shown(bought, 50), 'zoomed in').to.deep.equal(['1 up $999', '2 up $66', '3 up $1,000']);
    const sold = bought.map((one) => ({ ...one, way: 'down' as const }));
    expect(shown(sold, 8)).to.deep.equal(['1 down', '2 down Σ $2,065', '3 down']);
  });

  it('have no amount that the edge would cut: another arrow of theirs has it, or none', () => {
    const bought = [trade(65, 'up', 999), trade(125, 'up', 66), trade(185, 'up', 1_000)];
    const places = (fits: (index: number, text: string) => boolean, spacing = 8) =>
      markPlaces(bought, CANDLES, spacing, fits).map(({ index, text }) => `${index} ${text}`.trimEnd());
    expect(places((index, text) => index !== 2 || text.length < 5)).to.deep.equal(['1 Σ $2,065', '2', '3']);
    expect(places(() => false)).to.deep.equal(['1', '2', '3']);
    expect(places((index) => index > 1, 50)).to.deep.equal(['1', '2 $66', '3 $1,000']);
  });

  it('are one for the trades of a candle; what was bought and sold stands apart', () => {
    const slices = [trade(61, 'up', 40), trade(80, 'up', 40), trade(99, 'down', 10), trade(119, 'up', 40)];
    expect(shown(slices, 8)).to.deep.equal(['1 up $120', '1 down $10']);
  });
});
