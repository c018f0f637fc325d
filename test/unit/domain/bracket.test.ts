import { expect } from 'chai';
import fc from 'fast-check';
import {
  askedLevel,
  type BracketLeg,
  bracketMeasure,
  fireDirection,
  firstToFire,
  gainDirection,
  isAlreadyCrossed,
} from '../../../gateway/domain/bracket.ts';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import { isBeyond, isPast, type MarketFacts, measureValue } from '../../../gateway/domain/measure.ts';
import { basketPrice } from '../../../gateway/domain/ratio.ts';
import type { BracketMetric } from '../../../gateway/domain/trigger.ts';
import { forAll } from '../../support/property-runs.ts';
import { unwrap } from '../../support/unwrap.ts';
import { bracketTrigger } from './resting-records.ts';

const METRICS: readonly BracketMetric[] = [
  'PERCENTAGE',
  'DOLLAR',
  'POSITION_VALUE',
  'PRICE',
  'PRICE_RATIO',
  'WEIGHTED_RATIO',
];

function leg(symbol: string, side: 'BUY' | 'SELL', quantity: string, entry: string): BracketLeg {
  return { symbol, side, quantity, entryNotional: text(dec(quantity).mul(entry)) };
}

const LONG = [leg('BTC', 'BUY', '2', '100')];
const SHORT = [leg('BTC', 'SELL', '2', '100')];
const PAIR = [leg('BTC', 'BUY', '2', '100'), leg('ETH', 'SELL', '20', '10')];

function facts(prices: Readonly<Record<string, string>>): MarketFacts {
  return {
    price: (symbol, source) => (source === 'MARK' ? prices[symbol] : undefined),
    figure: () => undefined,
  };
}

function value(
  metric: BracketMetric,
  legs: readonly BracketLeg[],
  prices: Readonly<Record<string, string>>,
): string | null {
  return measureValue(unwrap(bracketMeasure(metric, legs)), facts(prices));
}

describe('brackets', () => {
  it('measure a long', () => {
    const up = { BTC: '110' };
    expect(value('PERCENTAGE', LONG, up)).to.equal('10');
    expect(value('DOLLAR', LONG, up)).to.equal('20');
    expect(value('POSITION_VALUE', LONG, up)).to.equal('220');
    expect(value('PRICE', LONG, up)).to.equal('110');
    expect(value('WEIGHTED_RATIO', LONG, up)).to.equal('110');
  });

  it('measure a short: its price falls when it gains, everything else rises', () => {
    const down = { BTC: '90' };
    expect(value('PERCENTAGE', SHORT, down)).to.equal('10');
    expect(value('DOLLAR', SHORT, down)).to.equal('20');
    expect(value('POSITION_VALUE', SHORT, down)).to.equal('220');
    expect(value('PRICE', SHORT, down)).to.equal('90');
    expect(dec(value('WEIGHTED_RATIO', SHORT, down) ?? 0).gt('0.01')).to.equal(true);
    expect(gainDirection('PRICE', SHORT)).to.equal('LESS_THAN');
    for (const metric of METRICS.filter((one) => one !== 'PRICE')) {
      expect(gainDirection(metric, SHORT), metric).to.equal('MORE_THAN');
    }
  });

  it('measure a mixed basket', () => {
    const now = { BTC: '110', ETH: '11' };
    expect(value('DOLLAR', PAIR, now), 'the legs cancel out').to.equal('0');
    expect(value('PERCENTAGE', PAIR, { BTC: '110', ETH: '10' })).to.equal('5');
    expect(value('POSITION_VALUE', PAIR, { BTC: '110', ETH: '10' })).to.equal('420');
    expect(value('PRICE', PAIR, now)).to.equal('10');
    expect(value('PRICE_RATIO', PAIR, now)).to.equal('10');
    expect(value('WEIGHTED_RATIO', PAIR, { BTC: '121', ETH: '16' })).to.equal('2.75');
    for (const metric of METRICS) expect(gainDirection(metric, PAIR), metric).to.equal('MORE_THAN');
  });

  it('count only what is open, and refuse what cannot be measured', () => {
    const closed = leg('ETH', 'SELL', '0', '10');
    expect(value('DOLLAR', [...LONG, closed], { BTC: '101' })).to.equal('2');
    expect(bracketMeasure('DOLLAR', [closed])).to.deep.equal({
      ok: false,
      error: { kind: 'position_flat' },
    });
    expect(bracketMeasure('PRICE_RATIO', [...LONG, closed])).to.deep.equal({
      ok: false,
      error: { kind: 'needs_one_long_one_short' },
    });
    expect(value('DOLLAR', PAIR, { BTC: '101' }), 'a leg without a price').to.equal(null);
  });

  it('show the price of a basket as the position does', () => {
    const basket = [...PAIR, leg('SOL', 'BUY', '4', '25')];
    const prices = { BTC: '120', ETH: '9', SOL: '31' };
    const shown = basketPrice(
      basket.map(({ symbol, side, entryNotional }) => ({
        side,
        price: prices[symbol as keyof typeof prices],
        notional: entryNotional,
      })),
    );
    expect(value('PRICE', basket, prices)).to.equal(shown);
  });

  it('fire on the gaining side for take-profit and on the losing side for stop-loss', () => {
    expect(fireDirection('TAKE_PROFIT', 'MORE_THAN')).to.equal('MORE_THAN');
    expect(fireDirection('STOP_LOSS', 'MORE_THAN')).to.equal('LESS_THAN');
    expect(fireDirection('TAKE_PROFIT', 'LESS_THAN')).to.equal('LESS_THAN');
    expect(fireDirection('STOP_LOSS', 'LESS_THAN')).to.equal('MORE_THAN');
  });

  it('take the value of a PnL stop-loss for the size of the loss', () => {
    for (const type of ['PERCENTAGE', 'DOLLAR'] as const) {
      expect(askedLevel('STOP_LOSS', { type, value: '5' })).to.equal('-5');
      expect(askedLevel('TAKE_PROFIT', { type, value: '5' })).to.equal('5');
    }
    for (const type of ['POSITION_VALUE', 'PRICE', 'PRICE_RATIO', 'WEIGHTED_RATIO'] as const) {
      expect(askedLevel('STOP_LOSS', { type, value: '5' })).to.equal('5');
    }
  });

  it('are refused where the level is crossed already', () => {
    const crossed = (kind: 'TAKE_PROFIT' | 'STOP_LOSS', level: string, now: string, short = false) =>
      isAlreadyCrossed(
        kind,
        { type: 'PRICE', value: level },
        gainDirection('PRICE', short ? SHORT : LONG),
        now,
      );
    expect(crossed('TAKE_PROFIT', '99', '100')).to.equal(true);
    expect(crossed('TAKE_PROFIT', '101', '100')).to.equal(false);
    expect(crossed('STOP_LOSS', '101', '100')).to.equal(true);
    expect(crossed('STOP_LOSS', '99', '100')).to.equal(false);
    expect(crossed('TAKE_PROFIT', '101', '100', true)).to.equal(true);
    expect(crossed('STOP_LOSS', '99', '100', true)).to.equal(true);
    expect(crossed('STOP_LOSS', '100', '100'), 'strictly').to.equal(false);
    const percent = { type: 'PERCENTAGE', value: '5' } as const;
    expect(isAlreadyCrossed('STOP_LOSS', percent, 'MORE_THAN', '-5.1')).to.equal(true);
    expect(isAlreadyCrossed('STOP_LOSS', percent, 'MORE_THAN', '-4.9')).to.equal(false);
    expect(isAlreadyCrossed('TAKE_PROFIT', percent, 'MORE_THAN', '0')).to.equal(false);
  });

  const amount = fc
    .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 5 }))
    .map(([digits, places]) => text(dec(digits).div(10 ** places)));
  const basket = fc.array(
    fc.record({
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      quantity: amount,
      entry: amount,
      mark: amount,
    }),
    { minLength: 1, maxLength: 5 },
  );

  it('agree among themselves: DOLLAR, PERCENTAGE and POSITION_VALUE are one PnL', () =>
    forAll([basket], (asked) => {
      const legs = asked.map((one, index) => leg(`S${index}`, one.side, one.quantity, one.entry));
      const now = facts(Object.fromEntries(asked.map((one, index) => [`S${index}`, one.mark])));
      const cost = sum(legs.map((one) => dec(one.entryNotional)));
      const pnl = sum(
        asked.map((one) => {
          const gain = dec(one.mark).minus(one.entry).mul(one.quantity);
          return one.side === 'BUY' ? gain : gain.neg();
        }),
      );
      const read = (metric: BracketMetric) => {
        return unwrap(bracketMeasure(metric, legs));
      };
      expect(measureValue(read('DOLLAR'), now)).to.equal(text(pnl));
      expect(measureValue(read('POSITION_VALUE'), now)).to.equal(text(cost.plus(pnl)));
      // Exactly at the level nothing holds, and a hair beside it one of the two does.
      const percent = read('PERCENTAGE');
      const level = pnl.mul(100).div(cost);
      const hair = dec('1e-30');
      expect(isBeyond(percent, 'MORE_THAN', text(level.minus(hair)), now)).to.equal(true);
      expect(isBeyond(percent, 'LESS_THAN', text(level.minus(hair)), now)).to.equal(false);
      expect(isBeyond(percent, 'LESS_THAN', text(level.plus(hair)), now)).to.equal(true);
    }));

  it('move to the gaining side when a single leg moves for the holder', () =>
    forAll([basket, fc.nat(), fc.constantFrom(...METRICS)], (asked, pick, metric) => {
      const legs = asked.map((one, index) => leg(`S${index}`, one.side, one.quantity, one.entry));
      const measure = bracketMeasure(metric, legs);
      fc.pre(measure.ok);
      if (!measure.ok) return;
      const at = (factor: number) =>
        measureValue(
          measure.value,
          facts(
            Object.fromEntries(
              asked.map((one, index) => {
                const favours = one.side === 'BUY' ? factor : 1 / factor;
                const moved = index === pick % asked.length ? dec(one.mark).mul(favours) : one.mark;
                return [`S${index}`, text(dec(moved))];
              }),
            ),
          ),
        ) ?? '0';
      // Twelve figures are shown of weighted ratios: a leg of next to no weight may not show.
      const gain = gainDirection(metric, legs);
      expect(isPast(at(1), gain, at(4)), `${at(1)} against ${at(4)}`).to.equal(false);
    }));
});

describe('brackets due at once', () => {
  const takeProfit = bracketTrigger({ id: 'a' });
  const stopLoss = bracketTrigger({ id: 'b', bracketType: 'STOP_LOSS' });

  it('lets the stop-loss go first on one tick, then the older', () => {
    expect(firstToFire([takeProfit, stopLoss])?.id).to.equal('b');
    expect(
      firstToFire([
        { ...takeProfit, createdAt: 2 },
        { ...takeProfit, id: 'z', createdAt: 1 },
      ])?.id,
    ).to.equal('z');
    expect(firstToFire([{ ...takeProfit, id: 'y' }, takeProfit])?.id).to.equal('a');
    expect(firstToFire([])).to.equal(undefined);
  });
});
