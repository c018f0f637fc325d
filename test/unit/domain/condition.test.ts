import { expect } from 'chai';
import fc from 'fast-check';
import { conditionMeasure, weightedLegs } from '../../../gateway/domain/condition.ts';
import type { Condition } from '../../../gateway/domain/condition-table.ts';
import { dec, text, textRounded } from '../../../gateway/domain/decimal.ts';
import { BTC_DOMINANCE, predictionFeed } from '../../../gateway/domain/feed.ts';
import {
  isBeyond,
  isPast,
  type MarketFacts,
  mayBeBeyond,
  measureValue,
  type PriceSource,
} from '../../../gateway/domain/measure.ts';
import { weightedRatio } from '../../../gateway/domain/ratio.ts';
import { forAll } from '../../support/property-runs.ts';
import { unwrap } from '../../support/unwrap.ts';

const PAIR = weightedLegs(
  [
    { symbol: 'BTC-PERP', side: 'BUY' },
    { symbol: 'ETH-PERP', side: 'SELL' },
  ],
  ['0.5', '0.5'],
);

function facts(
  prices: Readonly<Record<string, string>>,
  feeds: { readonly dominance?: string; readonly probability?: string } = {},
): MarketFacts {
  return {
    price: (symbol) => prices[symbol],
    figure: (name) => {
      if (name === BTC_DOMINANCE) return feeds.dominance;
      return name === predictionFeed('poll', 'cup') ? feeds.probability : undefined;
    },
  };
}

function holds(condition: Condition, now: MarketFacts, source: PriceSource = 'MARK'): boolean | null {
  return isBeyond(
    unwrap(conditionMeasure(condition, PAIR, source)),
    condition.direction,
    condition.value,
    now,
  );
}

const price = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 8 }))
  .map(([digits, places]) => text(dec(String(digits)).div(dec(10).pow(places))));
const nudge = '0.000000000000000001';

describe('conditions', () => {
  it('compare the price of a leg, and of any other instrument', () => {
    for (const type of ['PRICE', 'CROSS_ASSET_PRICE'] as const) {
      const above: Condition = { type, direction: 'MORE_THAN', value: '100', symbol: 'BTC-PERP' };
      const below: Condition = { ...above, direction: 'LESS_THAN' };
      expect(holds(above, facts({ 'BTC-PERP': '100.1' }))).to.equal(true);
      expect(holds(below, facts({ 'BTC-PERP': '100.1' }))).to.equal(false);
      expect(holds(above, facts({ 'BTC-PERP': '100' })), 'equal is not more').to.equal(false);
      expect(holds(below, facts({ 'BTC-PERP': '100' })), 'equal is not less').to.equal(false);
      expect(holds(above, facts({})), 'no price').to.equal(null);
    }
    const cross: Condition = {
      type: 'CROSS_ASSET_PRICE',
      direction: 'MORE_THAN',
      value: '1',
      symbol: 'SOL-PERP',
    };
    expect(holds(cross, facts({ 'SOL-PERP': '2' }))).to.equal(true);
  });

  it('refuse a PRICE of what is not a leg, and a PRICE_RATIO of what is not a pair', () => {
    const stranger = conditionMeasure(
      { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'SOL-PERP' },
      PAIR,
      'MARK',
    );
    expect(stranger).to.deep.equal({
      ok: false,
      error: { kind: 'symbol_not_a_leg', symbol: 'SOL-PERP' },
    });
    const ratio: Condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1' };
    for (const legs of [PAIR.slice(0, 1), PAIR.slice(1), [...PAIR, ...PAIR.slice(0, 1)]]) {
      expect(conditionMeasure(ratio, legs, 'MARK')).to.deep.equal({
        ok: false,
        error: { kind: 'needs_one_long_one_short' },
      });
    }
  });

  it('look at the price source that was asked for', () => {
    const sources: PriceSource[] = ['MARK', 'LAST', 'INDEX'];
    for (const source of sources) {
      const now: MarketFacts = {
        ...facts({}),
        price: (_, asked) => (asked === source ? '10' : '1'),
      };
      const condition: Condition = {
        type: 'PRICE',
        direction: 'MORE_THAN',
        value: '5',
        symbol: 'BTC-PERP',
      };
      expect(holds(condition, now, source)).to.equal(true);
    }
  });

  it('compare dominance and probability in percent, and wait while they are not known', () => {
    const dominance: Condition = { type: 'BTC_DOM', direction: 'MORE_THAN', value: '55' };
    expect(holds(dominance, facts({}, { dominance: '55.01' }))).to.equal(true);
    expect(holds(dominance, facts({}, { dominance: '55' }))).to.equal(false);
    expect(holds(dominance, facts({}))).to.equal(null);
    const outcome: Condition = {
      type: 'PREDICTION_MARKET_OUTCOME',
      direction: 'LESS_THAN',
      value: '30',
      source: 'poll',
      marketKey: 'cup',
    };
    expect(holds(outcome, facts({}, { probability: '29.9' }))).to.equal(true);
    expect(holds(outcome, facts({}, { probability: '30' }))).to.equal(false);
    expect(holds({ ...outcome, marketKey: 'other' }, facts({}, { probability: '1' }))).to.equal(null);
  });

  it('take a price of 0 for no price', () => {
    const ratio: Condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1' };
    expect(holds(ratio, facts({ 'BTC-PERP': '5', 'ETH-PERP': '0' }))).to.equal(null);
  });

  it('decide a price ratio to the last digit', () =>
    forAll([price, price], (short, ratio) => {
      // long = short × ratio exactly, so the ratio is exactly the level, and the least digit tips it.
      const long = dec(short).mul(ratio);
      const at = (value: string) => facts({ 'BTC-PERP': value, 'ETH-PERP': short });
      const above: Condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: ratio };
      const below: Condition = { ...above, direction: 'LESS_THAN' };
      expect(holds(above, at(text(long)))).to.equal(false);
      expect(holds(below, at(text(long)))).to.equal(false);
      expect(holds(above, at(text(long.plus(nudge))))).to.equal(true);
      expect(holds(below, at(text(long.minus(nudge))))).to.equal(true);
    }));

  it("have the basket's weightRatio as it is shown", () =>
    forAll(
      [
        fc.array(
          fc.record({
            price,
            side: fc.constantFrom('BUY' as const, 'SELL' as const),
            units: fc.integer({ min: 1, max: 100 }),
          }),
          { minLength: 1, maxLength: 6 },
        ),
      ],
      (asked) => {
        // Units of a power of two as the total, so that the weights are finite decimals and sum to exactly 1.
        const spent = asked.reduce((total, { units }) => total + units, 0);
        const all = [...asked, { price: '7.5', side: 'BUY' as const, units: 1_024 - spent }];
        const legs = all.map((leg, index) => ({
          symbol: `S${index}`,
          side: leg.side,
          weight: text(dec(leg.units).div(1_024)),
        }));
        const measure = conditionMeasure(
          { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '1' },
          legs,
          'MARK',
        );
        const now = facts(Object.fromEntries(all.map((leg, index) => [`S${index}`, leg.price])));
        const shown = weightedRatio(
          all.map((leg) => ({ side: leg.side, price: leg.price, notional: String(leg.units) })),
        );
        expect(measure.ok && measureValue(measure.value, now)).to.equal(shown);
      },
    ));

  it('do not count legs of weight 0', () => {
    const legs = weightedLegs(
      [
        { symbol: 'BTC-PERP', side: 'BUY' },
        { symbol: 'ETH-PERP', side: 'SELL' },
      ],
      ['1'],
    );
    const measure = conditionMeasure(
      { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '1' },
      legs,
      'MARK',
    );
    expect(measure.ok && measureValue(measure.value, facts({ 'BTC-PERP': '42.5' }))).to.equal('42.5');
  });

  it('agree with what they show: a value apart from the level is beyond it or not, both ways', () =>
    forAll(
      [price, price, fc.constantFrom('MORE_THAN' as const, 'LESS_THAN' as const)],
      (value, level, direction) => {
        const measure = conditionMeasure(
          { type: 'PRICE', direction, value: level, symbol: 'BTC-PERP' },
          PAIR,
          'MARK',
        );
        if (!measure.ok) throw new Error('refused');
        const now = facts({ 'BTC-PERP': value });
        expect(measureValue(measure.value, now)).to.equal(value);
        expect(isBeyond(measure.value, direction, level, now)).to.equal(isPast(value, direction, level));
      },
    ));

  it('are never passed over by floats: what may not be beyond its level is not', () => {
    const direction = fc.constantFrom('MORE_THAN' as const, 'LESS_THAN' as const);
    const legs = fc.array(
      fc.record({
        price,
        side: fc.constantFrom('BUY' as const, 'SELL' as const),
        units: fc.integer({ min: 1, max: 1_000 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    // Levels at the value, a hair beside it, and anywhere.
    const level = fc.oneof(
      price,
      fc.integer({ min: -12, max: 12 }).map((share) => ({ share })),
    );
    let spared = 0;
    forAll([legs, direction, level], (asked, way, at) => {
      const gross = asked.reduce((total, { units }) => total + units, 0);
      const measure = conditionMeasure(
        { type: 'WEIGHTED_RATIO', direction: way, value: '1' },
        asked.map(({ side, units }, index) => ({
          symbol: `S${index}`,
          side,
          weight: textRounded(dec(units).div(gross), 18),
        })),
        'MARK',
      );
      if (!measure.ok) throw new Error('refused');
      const now = facts(Object.fromEntries(asked.map((leg, index) => [`S${index}`, leg.price])));
      const value = dec(measureValue(measure.value, now) ?? '0');
      const tested = typeof at === 'string' ? at : text(value.plus(value.mul(at.share).div('10000000000')));
      if (mayBeBeyond(measure.value, way, tested, now)) return;
      spared += 1;
      expect(isBeyond(measure.value, way, tested, now)).to.equal(false);
    });
    expect(spared).to.be.greaterThan(0);
    const measure = conditionMeasure(
      { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '1' },
      PAIR,
      'MARK',
    );
    const isMet = (now: MarketFacts) => measure.ok && mayBeBeyond(measure.value, 'MORE_THAN', '1', now);
    expect(isMet(facts({ 'BTC-PERP': '4' })), 'a price is not known').to.equal(false);
    expect(isMet(facts({ 'BTC-PERP': '4', 'ETH-PERP': '0' })), 'decimals decide').to.equal(true);
    expect(isMet(facts({ 'BTC-PERP': '4', 'ETH-PERP': '4' })), 'decimals decide').to.equal(true);
  });
});
