/** Levels of brackets while the size of their position changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type BracketLeg, bracketMeasure, gainDirection } from '../../../gateway/domain/bracket.ts';
import { resized } from '../../../gateway/domain/bracket-size.ts';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import { isBeyond, type MarketFacts, measureValue } from '../../../gateway/domain/measure.ts';
import { armBracket, firingLevel, followPeak, levelsOf } from '../../../gateway/domain/trailing.ts';
import type { ArmedBracket, BracketKind } from '../../../gateway/domain/trigger.ts';
import { forAll } from '../../support/property-runs.ts';

const TYPES = ['POSITION_VALUE', 'DOLLAR', 'PERCENTAGE'] as const;
const KINDS = ['TAKE_PROFIT', 'STOP_LOSS'] as const;
type Type = (typeof TYPES)[number];

const market = (prices: Readonly<Record<string, number>>): MarketFacts => ({
  price: (symbol) => (prices[symbol] === undefined ? undefined : String(prices[symbol])),
  figure: () => undefined,
});
const leg = (symbol: string, side: 'BUY' | 'SELL', quantity: number, entry: number): BracketLeg => ({
  symbol,
  side,
  quantity: String(quantity),
  entryNotional: text(dec(quantity).mul(entry)),
});
/** The leg after `times` of its quantity were added at `price`, or closed where it is negative. */
const changed = (one: BracketLeg, times: number, price: number): BracketLeg => {
  const quantity = dec(one.quantity).mul(1 + times);
  const entry =
    times < 0
      ? dec(one.entryNotional).mul(1 + times)
      : dec(one.entryNotional).plus(dec(one.quantity).mul(times).mul(price));
  return { ...one, quantity: text(quantity), entryNotional: text(entry) };
};
const readValue = (type: Type, legs: readonly BracketLeg[], facts: MarketFacts): string => {
  const measure = bracketMeasure(type, legs);
  return (measure.ok && measureValue(measure.value, facts)) || '0';
};
const fires = (kind: BracketKind, armed: ArmedBracket, legs: readonly BracketLeg[], facts: MarketFacts) => {
  const measure = bracketMeasure(armed.bracket.type, legs);
  const level = firingLevel(kind, armed);
  return measure.ok && level !== null && isBeyond(measure.value, armed.direction, level, facts) === true;
};
/** Price of the one long leg at which a stop-loss fires. */
const firingPrice = (one: ArmedBracket, [held]: readonly BracketLeg[]) => {
  const [quantity, entry] = [Number(held?.quantity), Number(held?.entryNotional)];
  const level = Number(firingLevel('STOP_LOSS', one));
  const pnl = { PERCENTAGE: (level * entry) / 100, POSITION_VALUE: level - entry }[
    one.bracket.type as string
  ];
  return ((pnl ?? level) + entry) / quantity;
};
const armed = (kind: BracketKind, type: Type, value: string, legs: readonly BracketLeg[], delta?: string) =>
  armBracket(
    kind,
    { type, value, trailing: delta === undefined ? null : { delta, activation: null } },
    gainDirection(type, legs),
    delta === undefined ? null : readValue(type, legs, market({ A: 100, B: 100 })),
  );

describe('a bracket in USD or percent, when the size of its position changes', () => {
  const prices = fc.record({ A: fc.integer({ min: 60, max: 140 }), B: fc.integer({ min: 60, max: 140 }) });
  /** Shares that are closed or added, of each leg for itself. */
  const steps = fc.array(fc.tuple(...[0, 1].map(() => fc.constantFrom(-0.9, -0.5, -0.1, 0, 0.1, 1, 3))), {
    minLength: 1,
    maxLength: 6,
  });

  for (const type of TYPES)
    for (const kind of KINDS)
      it(`${type} ${kind}: never fires while prices stand still`, () =>
        forAll(
          [prices, steps, fc.integer({ min: 1, max: 40 }), fc.boolean(), fc.boolean()],
          (at, all, far, trails, staysNear) => {
            let legs = [leg('A', 'BUY', 10, 100), leg('B', 'SELL', 10, 100)];
            const facts = market(at);
            const now = Number(readValue(type, legs, facts));
            const level = kind === 'STOP_LOSS' ? now - far : now + far;
            const asked = type === 'POSITION_VALUE' ? level : kind === 'STOP_LOSS' ? -level : level;
            fc.pre(asked > 0);
            let one = armed(kind, type, String(asked), legs, trails ? String(far) : undefined);
            // At the very level the eighteenth digit decides.
            fc.pre(!fires(kind, one, legs, facts) && Math.abs(Number(firingLevel(kind, one)) - now) > 1e-9);
            for (const [a = 0, b = 0] of all) {
              const after = legs.map((held, index) =>
                changed(held, index === 0 ? a : b, index === 0 ? at.A : at.B),
              );
              one = resized(kind, one, { before: legs, after }, facts, staysNear);
              legs = after;
              expect(fires(kind, one, legs, facts), JSON.stringify({ one, legs })).to.equal(false);
            }
          },
        ));

  for (const kind of KINDS)
    it(`WEIGHTED_RATIO ${kind}: stays as far from the ratio while prices stand still`, () =>
      forAll([prices, steps, fc.integer({ min: 1, max: 40 }), fc.boolean()], (at, all, far, trails) => {
        let legs = [leg('A', 'BUY', 10, 100), leg('B', 'SELL', 30, 100)];
        const facts = market(at);
        // In plain numbers: prices to the power of their shares of the entry.
        const ratio = () => {
          const entries = legs.map(({ entryNotional }) => Number(entryNotional));
          const share = (entries[0] ?? 0) / ((entries[0] ?? 0) + (entries[1] ?? 0));
          return at.A ** share / at.B ** (1 - share);
        };
        const [now, percent] = [ratio(), far / 100];
        const level = now * (kind === 'STOP_LOSS' ? 1 - percent : 1 + percent);
        const trailing = trails
          ? { delta: (now * percent).toFixed(18), activation: (now * 2).toFixed(18) }
          : null;
        const bracket = { type: 'WEIGHTED_RATIO', value: level.toFixed(18), trailing } as const;
        let one = armBracket(kind, bracket, 'MORE_THAN', null);
        for (const [a = 0, b = 0] of all) {
          const after = legs.map((held, index) =>
            changed(held, index === 0 ? a : b, index === 0 ? at.A : at.B),
          );
          one = resized(kind, one, { before: legs, after }, facts);
          legs = after;
        }
        const { level: moved, delta, activation } = levelsOf(kind, one);
        expect(Number(moved) / ratio()).to.be.closeTo(level / now, 1e-6);
        if (trails) expect(Number(delta) / ratio()).to.be.closeTo(percent, 1e-6);
        if (trails) expect(Number(activation) / ratio()).to.be.closeTo(2, 1e-6);
      }));

  /** Changes by guests of one long leg: price, and the share of what is held that is added or taken out. */
  const guests = fc.array(
    fc.tuple(fc.integer({ min: 92, max: 130 }), fc.constantFrom(-0.9, -0.5, 0.1, 1, 3)),
    {
      minLength: 1,
      maxLength: 6,
    },
  );

  for (const type of TYPES)
    it(`${type} STOP_LOSS, whatever guests trade: is met no further away than without them`, () =>
      forAll([guests], (all) => {
        let legs = [leg('A', 'BUY', 10, 100)];
        const asked = { PERCENTAGE: '10', DOLLAR: '100', POSITION_VALUE: '900' }[type];
        let one = armed('STOP_LOSS', type, asked, legs);
        for (const [price, times] of all) {
          if (price < firingPrice(one, legs)) return;
          const after = legs.map((held) => changed(held, times, price));
          one = resized('STOP_LOSS', one, { before: legs, after }, market({ A: price }), true);
          legs = after;
          // Each stop on the part that the user opened at 100 is met at 90.
          expect(firingPrice(one, legs)).to.be.at.least(90 - 1e-6);
        }
      }));

  for (const type of TYPES)
    it(`${type} STOP_LOSS that trails, whatever guests trade: is met no further away than before, or before what they take out`, () =>
      forAll([guests], (all) => {
        let legs = [leg('A', 'BUY', 10, 100)];
        const asked = { PERCENTAGE: '90', DOLLAR: '900', POSITION_VALUE: '100' }[type];
        const delta = { PERCENTAGE: '6', DOLLAR: '60', POSITION_VALUE: '60' }[type];
        let one = armed('STOP_LOSS', type, asked, legs, delta);
        /** Units that are added and not taken out again. */
        let units = 0;
        for (const [price, times] of all) {
          const facts = market({ A: price });
          // A position that it has closed does not change any more.
          if (price < firingPrice(one, legs)) return;
          one = followPeak('STOP_LOSS', one, readValue(type, legs, facts));
          const after = legs.map((held) => changed(held, times, price));
          const next = resized('STOP_LOSS', one, { before: legs, after }, facts, true);
          const [held = 0, is = 0] = [legs, after].map(([only]) => Number(only?.quantity));
          const back = type === 'DOLLAR' ? Math.min(units, Math.max(0, held - is)) : 0;
          units += Math.max(0, is - held) - back;
          const far = ((price - firingPrice(one, legs)) * held) / (held - back);
          expect(firingPrice(next, after)).to.be.at.least(price - far - 1e-6);
          [one, legs] = [next, after];
        }
      }));

  it('DOLLAR: what is added and taken out again in turns brings the market no nearer to a stop-loss', () => {
    const users = [leg('A', 'BUY', 10, 100)];
    const both = users.map((held) => changed(held, 0.34, 100));
    const facts = market({ A: 100 });
    let one = armed('STOP_LOSS', 'DOLLAR', '100', users);
    for (let round = 0; round < 8; round += 1) {
      one = resized('STOP_LOSS', one, { before: users, after: both }, facts, true);
      one = resized('STOP_LOSS', one, { before: both, after: users }, facts, true);
    }
    expect(firingLevel('STOP_LOSS', one)).to.equal('-100');
    // A cut beyond the added part is a reduction, which takes the market no further away.
    const half = users.map((held) => changed(held, -0.5, 100));
    one = resized('STOP_LOSS', one, { before: users, after: half }, facts, true);
    expect(firingLevel('STOP_LOSS', one)).to.equal('-50');
  });

  it('DOLLAR: a reduction by its user comes out of the part of the user', () => {
    const users = [leg('A', 'BUY', 10, 100)];
    const [both, half] = [0.5, -0.5].map((times) => users.map((held) => changed(held, times, 100)));
    const facts = market({ A: 100 });
    let one = armed('STOP_LOSS', 'DOLLAR', '100', users);
    one = resized('STOP_LOSS', one, { before: users, after: both ?? [] }, facts, true);
    one = resized('STOP_LOSS', one, { before: both ?? [], after: users }, facts);
    // The guest takes out what it has: the user's own 5 units lose the 100 USD at 80.
    one = resized('STOP_LOSS', one, { before: users, after: half ?? [] }, facts, true);
    expect(firingLevel('STOP_LOSS', one)).to.equal('-100');
  });

  it('WEIGHTED_RATIO: what the weights of a guest hid of a loss counts once it has left', () => {
    const users = [leg('A', 'BUY', 10, 100), leg('B', 'SELL', 10, 100)];
    const both = [leg('A', 'BUY', 10, 100), leg('B', 'SELL', 100, 100)];
    const ratioOf = (at: Readonly<Record<string, number>>) => Math.sqrt((at['A'] ?? 0) / (at['B'] ?? 1));
    const bracket = { type: 'WEIGHTED_RATIO', value: '0.88', trailing: null } as const;
    let one = armBracket('STOP_LOSS', bracket, 'MORE_THAN', null);
    one = resized('STOP_LOSS', one, { before: users, after: both }, market({ A: 100, B: 100 }), true);
    const later = { A: 85, B: 100 };
    one = resized('STOP_LOSS', one, { before: both, after: users }, market(later), true);
    const left = Number(firingLevel('STOP_LOSS', one)) / ratioOf(later);
    expect(left).to.be.closeTo(0.88 / ratioOf(later), 1e-9);
  });

  for (const type of ['DOLLAR', 'PERCENTAGE'] as const)
    it(`${type}: what a guest has gained leaves the stop-loss no further away`, () => {
      const users = [leg('A', 'BUY', 10, 100)];
      const both = users.map((held) => changed(held, 5, 100));
      let one = armed('STOP_LOSS', type, type === 'DOLLAR' ? '100' : '10', users);
      one = resized('STOP_LOSS', one, { before: users, after: both }, market({ A: 100 }), true);
      const out = both.map((held) => changed(held, -5 / 6, 120));
      one = resized('STOP_LOSS', one, { before: both, after: out }, market({ A: 120 }), true);
      expect(firingPrice(one, out)).to.be.closeTo(90, 1e-6);
    });

  const single = [leg('A', 'BUY', 10, 100)];
  const levelAfter = (kind: BracketKind, type: Type, value: string, times: number, price = 100) => {
    const next = single.map((held) => changed(held, times, price));
    const facts = market({ A: price });
    return firingLevel(
      kind,
      resized(kind, armed(kind, type, value, single), { before: single, after: next }, facts),
    );
  };

  it('a value keeps its share of the value in a part-close, and its share of the entry in an addition', () => {
    expect(levelAfter('STOP_LOSS', 'POSITION_VALUE', '900', -0.5)).to.equal('450');
    expect(levelAfter('STOP_LOSS', 'POSITION_VALUE', '800', 1, 90)).to.equal('1520');
    expect(levelAfter('TAKE_PROFIT', 'POSITION_VALUE', '1200', 1, 110)).to.equal('2520');
    // A stop above the entry: what is added would begin beyond it.
    expect(levelAfter('STOP_LOSS', 'POSITION_VALUE', '1100', 1, 110)).to.equal('2200');
  });

  it('dollars stay those of the whole trade, and percents those of the entry', () => {
    expect(levelAfter('STOP_LOSS', 'DOLLAR', '100', -0.5, 95)).to.equal('-75');
    expect(levelAfter('STOP_LOSS', 'DOLLAR', '100', 1, 95)).to.equal('-100');
    expect(levelAfter('STOP_LOSS', 'PERCENTAGE', '10', -0.5, 95)).to.equal('-10');
    expect(levelAfter('TAKE_PROFIT', 'PERCENTAGE', '10', 1, 95)).to.equal('10');
  });

  it('without a price a value moves with the entry, and the others stay', () => {
    const half = single.map((held) => changed(held, -0.5, 100));
    const of = (type: Type) =>
      firingLevel(
        'STOP_LOSS',
        resized(
          'STOP_LOSS',
          armed('STOP_LOSS', type, '90', single),
          { before: single, after: half },
          market({}),
        ),
      );
    expect(of('POSITION_VALUE')).to.equal('45');
    expect(of('DOLLAR')).to.equal('-90');
  });
});
