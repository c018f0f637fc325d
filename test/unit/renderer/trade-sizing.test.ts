/** Sizes by margin and by risk, and levels that are dragged: what a person reads beside them is what is sent. */
import Big from 'big.js';
import { expect } from 'chai';
import type { Basket } from '../../../renderer/features/basket/basket.ts';
import { marksOf } from '../../../renderer/features/ratio-chart/fill-marks.ts';
import { bracketGain, bracketLevel, bracketValueAt } from '../../../renderer/features/ratio-chart/levels.ts';
import type { Plan } from '../../../renderer/screens/trade/chart-lines.ts';
import { depthUse, mostUsed } from '../../../renderer/screens/trade/depth-use.ts';
import { partOf, shareOf, sizeByRisk, withLegUsd } from '../../../renderer/screens/trade/sizing.ts';
import { NEW_TICKET } from '../../../renderer/screens/trade/ticket.ts';
import { ticketWaits, worstEntry } from '../../../renderer/screens/trade/worst-entry.ts';

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

  it('gives a leg its dollars: the others keep theirs, weights and total follow', () => {
    const basket: Basket = {
      isWeighted: true,
      legs: [
        { id: 'BTC-PERP', side: 'BUY', weight: 500_000 },
        { id: 'SOL-PERP', side: 'BUY', weight: 200_000 },
        { id: 'ETH-PERP', side: 'SELL', weight: 300_000 },
      ],
    };
    const typed = withLegUsd(basket, '1000', 'BTC-PERP', '1234.56');
    expect(typed?.totalUsd).to.equal('1734.56');
    const dollars = typed?.basket.legs.map(({ weight }) => Number(partOf(typed.totalUsd, weight)));
    for (const [index, asked] of [1234.56, 200, 300].entries())
      expect(dollars?.[index]).to.be.closeTo(asked, 1734.56 / 2_000_000 + 0.005);
    expect(typed?.basket.legs.reduce((sum, { weight }) => sum + weight, 0)).to.equal(1_000_000);
    // Weights that do not add up yet are those of the dollars that they stand for.
    const partly = { ...basket, legs: basket.legs.slice(0, 2) };
    expect(withLegUsd(partly, '1000', 'SOL-PERP', '500')?.totalUsd).to.equal('1000');
    expect(withLegUsd(basket, null, 'SOL-PERP', '100')).to.deep.equal({ basket, totalUsd: '500' });
    for (const usd of ['', '0', '-5', '1e3', 'much', '1,000'])
      expect(withLegUsd(basket, '1000', 'BTC-PERP', usd), usd).to.equal(null);
    expect(withLegUsd(basket, '1000', 'DOGE-PERP', '5')).to.equal(null);
  });

  it('says at what ratio a basket is entered at worst, by the marks or by the level that it waits for', () => {
    const leg = (symbol: string, price: number, limitPrice: number) => ({
      symbol,
      price: String(price),
      limitPrice: String(limitPrice),
    });
    const plan = { legs: [leg('BTC-PERP', 100, 101), leg('ETH-PERP', 4, 3.96)] } as unknown as Plan;
    const pair: Basket = { isWeighted: true, legs: LEGS };
    const factor = 1.01 / 0.99;
    for (const [kind, at] of [
      ['MARKET', 'NOW'],
      ['TWAP', 'SLICE'],
    ] as const) {
      const entry = worstEntry(pair, plan, kind, null);
      expect(entry?.value, kind).to.be.closeTo(25 * factor, 1e-9);
      expect(entry?.at, kind).to.equal(at);
    }
    // Its limit is a price ratio of like sides; of unlike ones a weighted ratio, which says nothing of the price ratio.
    const sliced = (basket: Basket, limitRatio: string) => {
      const ticket = { ...NEW_TICKET, kind: 'TWAP', slicing: { ...NEW_TICKET.slicing, limitRatio } } as const;
      return worstEntry(basket, plan, 'TWAP', ticketWaits(ticket, basket));
    };
    for (const typed of ['23.04', '26']) {
      const entry = sliced(pair, typed);
      expect(entry?.value, typed).to.be.closeTo(Number(typed) * factor, 1e-9);
      expect(entry?.at, typed).to.equal('LIMIT');
    }
    const unlike: Basket = {
      isWeighted: true,
      legs: LEGS.map((one, index) => ({ ...one, weight: index === 0 ? 700_000 : 300_000 })),
    };
    for (const entry of [sliced(unlike, '4.8'), sliced(pair, ''), sliced(pair, 'low')]) {
      expect(entry?.value).to.be.closeTo(25 * factor, 1e-9);
      expect(entry?.at).to.equal('SLICE');
    }
    expect(worstEntry(pair, null, 'MARKET', null)).to.equal(null);
    const trigger = (value: string, more: object = {}) => {
      const watch = { ...NEW_TICKET.watch, value, ...more };
      return worstEntry(pair, plan, 'TRIGGER', ticketWaits({ ...NEW_TICKET, kind: 'TRIGGER', watch }, pair));
    };
    expect(trigger('20')?.value).to.be.closeTo(20 * factor, 1e-9);
    expect(trigger('20')?.at).to.equal('LEVEL');
    // Met already it enters where the ratio is now, above its level.
    expect(trigger('20', { direction: 'MORE_THAN', allowImmediate: true })?.value).to.be.closeTo(
      25 * factor,
      1e-9,
    );
    for (const more of [{ type: 'PRICE' }, { transform: 'Z_SCORE' }])
      expect(trigger('2', more)?.at, JSON.stringify(more)).to.equal('IF_NOW');
    const ladder = { ...NEW_TICKET.ladder, start: '24', end: '20' };
    const rungs = worstEntry(
      pair,
      plan,
      'LADDER',
      ticketWaits({ ...NEW_TICKET, kind: 'LADDER', ladder }, pair),
    );
    expect(rungs?.value).to.be.closeTo(24 * factor, 1e-9);
    expect(rungs?.at).to.equal('RUNG');
    // A single short is worse the lower it sells.
    const short: Basket = { isWeighted: true, legs: [{ id: 'ETH-PERP', side: 'SELL', weight: 1_000_000 }] };
    expect(worstEntry(short, plan, 'MARKET', null)?.value).to.be.closeTo(3.96, 1e-9);
    // 1 ÷ price may be at most 0.2: the price at least 5.
    expect(sliced(short, '0.2')?.value).to.be.closeTo(5 * 0.99, 1e-9);
  });

  it('says how much of the depth within the max slippage is taken, most by which leg', () => {
    const leg = (ticker: string, quantity: string, more: object = {}) => ({
      ticker,
      quantity,
      expected: { averagePrice: '100', depth: '10000', fillable: '50', isPartial: false, ...more },
    });
    const [btc, eth] = [leg('BTC', '2'), leg('ETH', '3', { isPartial: true })];
    expect(depthUse(btc)).to.deep.equal({ share: '0.02', isAtMost: false });
    expect(mostUsed([btc, eth])).to.deep.equal({ ticker: 'ETH', use: { share: '0.03', isAtMost: true } });
    // A book that does not hold the leg is said to be too thin, and what is not known says nothing.
    for (const none of [
      leg('SOL', '51'),
      leg('SOL', '1', { averagePrice: null }),
      { ...btc, expected: null },
    ])
      expect(depthUse(none)).to.equal(null);
    expect(mostUsed([{ ...btc, expected: null }])).to.equal(null);
    // The leg that decides is never hidden behind one that is harmless.
    const over = { ticker: 'SOL', use: null };
    for (const thin of [
      leg('SOL', '51'),
      leg('SOL', '1', { averagePrice: null, fillable: '0', depth: '0' }),
    ]) {
      expect(mostUsed([btc, thin])).to.deep.equal(over);
      expect(mostUsed([{ ...btc, expected: null }, thin])).to.deep.equal(over);
    }
    for (const unknown of [{ ...eth, expected: null }, leg('SOL', '51', { isPartial: true })])
      expect(mostUsed([btc, unknown])).to.equal(null);
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
