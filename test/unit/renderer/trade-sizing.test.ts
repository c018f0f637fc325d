/** Sizes by margin and by risk, and levels that are dragged: what a person reads beside them is what is sent. */
import Big from 'big.js';
import { expect } from 'chai';
import { marksOf } from '../../../renderer/features/ratio-chart/fill-marks.ts';
import { bracketGain, bracketLevel, bracketValueAt } from '../../../renderer/features/ratio-chart/levels.ts';
import { shareOf, sizeByRisk } from '../../../renderer/screens/trade/sizing.ts';

const LEGS = [
  { id: 'BTC-PERP', side: 'BUY', weight: 500_000 },
  { id: 'ETH-PERP', side: 'SELL', weight: 500_000 },
] as const;
const FACTS = { subject: { metric: 'PRICE_RATIO' }, legs: LEGS, entry: 25, gross: 10_000 } as const;

describe('sizes and levels of the ticket', () => {
  it('takes a share of what the margin allows in whole dollars, never more than it', () => {
    const largest = new Big('123456.78');
    expect(shareOf(largest, 100)).to.equal('123456');
    expect(shareOf(largest, 25)).to.equal('30864');
    expect(shareOf(new Big('80.559'), 100)).to.equal('80.55');
  });

  it('sizes by the distance of the stop and the fees of both ways', () => {
    expect(sizeByRisk('200', -0.02, null)).to.equal('10000');
    const plan = { totalFee: '5', grossNotional: '10000' } as never;
    // 2 % at the stop, twice 0.05 % of fees.
    expect(sizeByRisk('210', -0.02, plan)).to.equal('10000');
    for (const risk of ['', '0', 'much']) expect(sizeByRisk(risk, -0.02, null), risk).to.equal(null);
    expect(sizeByRisk('200', null, null)).to.equal(null);
    expect(sizeByRisk('200', 0.01, null), 'a stop above the entry').to.equal(null);
  });

  it('says for a level of the chart the value that a bracket there would have, and back', () => {
    for (const [side, type, level] of [
      ['stop-loss', 'PERCENTAGE', 24.5],
      ['stop-loss', 'DOLLAR', 24],
      ['take-profit', 'PERCENTAGE', 26],
      ['take-profit', 'POSITION_VALUE', 26],
      ['take-profit', 'PRICE_RATIO', 26],
    ] as const) {
      const value = bracketValueAt(side, type, level, FACTS);
      if (value === null) throw new Error(`${side} ${type} has no value`);
      const back = bracketLevel(side, { type, value }, FACTS);
      expect(Number(back?.value), `${side} ${type} ${value}`).to.be.closeTo(level, 0.002);
    }
  });

  it('sets no stop where the basket gains, and nothing on a subject that the measure does not watch', () => {
    expect(bracketValueAt('stop-loss', 'PERCENTAGE', 26, FACTS)).to.equal(null);
    expect(bracketValueAt('take-profit', 'DOLLAR', 24, FACTS)).to.equal(null);
    expect(bracketValueAt('take-profit', 'WEIGHTED_RATIO', 26, FACTS)).to.equal(null);
    expect(bracketValueAt('take-profit', 'PRICE_RATIO', -1, FACTS)).to.equal(null);
  });

  it('reads the gain at a ratio as half of its move', () => {
    const share = bracketGain('stop-loss', { type: 'PRICE_RATIO', value: '24' }, FACTS);
    expect(share).to.be.closeTo(Math.log(24 / 25) / 2, 1e-12);
  });

  it('makes one arrow of the legs of an execution: up where the basket was bought', () => {
    const fill = (executionId: string, symbol: string, side: 'BUY' | 'SELL', at: string) => ({
      ...{ id: `${executionId} ${symbol}`, executionId, symbol, side, notional: '500' },
      timestamp: `2026-01-01T00:00:0${at}.000Z`,
    });
    const marks = marksOf(
      [
        fill('close', 'BTC-PERP', 'SELL', '9'),
        fill('close', 'ETH-PERP', 'BUY', '9'),
        fill('open', 'BTC-PERP', 'BUY', '1'),
        fill('open', 'ETH-PERP', 'SELL', '1'),
      ],
      [
        { symbol: 'BTC-PERP', side: 'BUY' },
        { symbol: 'ETH-PERP', side: 'SELL' },
      ],
    );
    expect(marks.map(({ way, text }) => `${way} ${text}`)).to.deep.equal(['up $1,000', 'down $1,000']);
  });
});
