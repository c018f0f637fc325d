/** Whatever is armed, moved, disarmed and ticked in whatever order: the index fires what the scan fires, in its order. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import type { Direction, Measure, PriceSource } from '../../../gateway/domain/measure.ts';
import type {
  ArmedTrigger,
  Feed,
  FeedValue,
} from '../../../gateway/engine/resting/trigger-index/armed-trigger.ts';
import { TriggerIndex } from '../../../gateway/engine/resting/trigger-index/trigger-index.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';
import { TriggerScan } from '../../support/trigger-scan.ts';

type Step =
  | { readonly do: 'arm'; readonly trigger: Omit<ArmedTrigger, 'id'> }
  /** `which` picks one of the triggers ever armed, so some are gone already. */
  | { readonly do: 'disarm' | 'read'; readonly which: number }
  | { readonly do: 'replace'; readonly which: number; readonly level: string }
  | { readonly do: 'tick'; readonly feed: Feed; readonly value: string }
  | { readonly do: 'together'; readonly values: readonly FeedValue[] }
  | { readonly do: 'silence' | 'revive'; readonly feed: Feed };

const symbol = fc.constantFrom('AAA', 'BBB', 'CCC', 'DDD');
const symbols = (minLength: number, maxLength: number) => fc.uniqueArray(symbol, { minLength, maxLength });
const source = fc.constantFrom<PriceSource>('MARK', 'MARK', 'LAST', 'INDEX');
const connector = fc.constantFrom('one', 'one', 'one', 'two');
const direction = fc.constantFrom<Direction>('MORE_THAN', 'LESS_THAN');

/** Few and close together, some differing only beyond what a float holds: equality and doubt are what is looked for. */
const price = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 95, max: 105 }).map((cents) => `${cents / 100}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('1', '1.000000000000000001', '0.999999999999999999', '1.0000000005'),
  },
  { weight: 1, arbitrary: fc.constantFrom('0.000001', '117620.5', '99999999999999999999.5', '4', '2') },
);
const level = fc.oneof(
  { weight: 4, arbitrary: price },
  { weight: 1, arbitrary: fc.constantFrom('0', '0.5', '-0.02', '0.02', '-3', '104.5', '1.00000000001') },
);
const weights = fc.constantFrom(
  ['1'],
  ['0.5', '-0.5'],
  ['0.333333333333333333', '0.333333333333333333', '-0.333333333333333334'],
  ['0.7', '-0.3'],
  ['1', '-1'],
  ['-1'],
  ['0.4', '0.1', '-0.25', '-0.25'],
);
const quantities = fc.constantFrom(
  ['0.01'],
  ['1'],
  ['1', '-1'],
  ['-2.5'],
  ['12345678901234567890.123456789012345678', '-1'],
  ['1', '-0.333333333333333333', '2'],
  ['100', '-50', '-25', '-25'],
);

const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.record({
    kind: fc.constant('power' as const),
    source,
    terms: fc.tuple(symbols(1, 1)).map(([names]) => names.map((name) => ({ symbol: name, exponent: '1' }))),
  }),
  fc.tuple(source, weights).chain(([from, exponents]) =>
    symbols(exponents.length, exponents.length).map((names) => ({
      kind: 'power' as const,
      source: from,
      terms: names.map((name, index) => ({ symbol: name, exponent: exponents[index] ?? '1' })),
    })),
  ),
  fc
    .tuple(source, quantities, fc.constantFrom('0', '-1', '1.25'), fc.constantFrom('1', '3'))
    .chain(([from, amounts, constant, divisor]) =>
      symbols(amounts.length, amounts.length).map((names) => ({
        kind: 'linear' as const,
        source: from,
        terms: names.map((name, index) => ({ symbol: name, quantity: amounts[index] ?? '1' })),
        constant,
        divisor,
      })),
    ),
  fc.record({ kind: fc.constant('figure' as const), name: fc.constantFrom('dominance', 'yes', 'no') }),
);

const feed: fc.Arbitrary<Feed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('price' as const), connector, symbol, source }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('figure' as const),
      connector,
      name: fc.constantFrom('dominance', 'yes', 'no'),
    }),
  },
);

const which = fc.nat(40);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('arm' as const),
      trigger: fc.record({ connector, measure, direction, level, inclusive: fc.boolean() }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tick' as const), feed, value: price }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      values: fc.array(fc.record({ feed, value: price }), { maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), which, level }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('disarm' as const, 'read' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('silence' as const, 'revive' as const), feed }) },
);

type Armory = Pick<
  TriggerIndex,
  'arm' | 'disarm' | 'replace' | 'reading' | 'onValues' | 'silence' | 'revive' | 'size'
>;

function ticked(armory: Armory, feed: Feed, value: string): unknown {
  return armory instanceof TriggerIndex && feed.kind === 'price'
    ? armory.onTick(feed.connector, feed.symbol, feed.source, value)
    : armory.onValues([{ feed, value }]);
}

function taken(armory: Armory, move: Step, nextId: number): unknown {
  const idOf = (nth: number): string => `trigger ${nth}`;
  switch (move.do) {
    case 'arm':
      return armory.arm({ id: idOf(nextId), ...move.trigger });
    case 'disarm':
      return armory.disarm(idOf(move.which));
    case 'read':
      return armory.reading(idOf(move.which));
    case 'replace':
      return armory.replace(idOf(move.which), move.level);
    case 'tick':
      return ticked(armory, move.feed, move.value);
    case 'together':
      return armory.onValues(move.values);
    case 'silence':
      return armory.silence(move.feed);
    case 'revive':
      return armory.revive(move.feed);
  }
}

/** Answers of index and scan, step by step. Space for `room` triggers is reserved before step `roomAt`, unnoticed. */
function told(
  steps: readonly Step[],
  { room, roomAt }: { readonly room: number; readonly roomAt: number },
): { readonly index: unknown[]; readonly scan: unknown[] } {
  const [index, scan] = [new TriggerIndex(), new TriggerScan()];
  const answers: { index: unknown[]; scan: unknown[] } = { index: [], scan: [] };
  let nextId = 0;
  for (const [at, move] of steps.entries()) {
    if (at === roomAt) index.reserve(room);
    answers.index.push([taken(index, move, nextId), index.size]);
    answers.scan.push([taken(scan, move, nextId), scan.size]);
    if (move.do === 'arm') nextId += 1;
  }
  return answers;
}

/** Terms have no order, decimals have many texts. */
function inAnyOrder(form: ArmedTrigger | null): unknown {
  if (form === null) return null;
  const { measure } = form;
  const level = text(dec(form.level));
  if (measure.kind === 'figure') return { ...form, level };
  const terms = measure.terms
    .map((term) => ({
      symbol: term.symbol,
      factor: text(dec('exponent' in term ? term.exponent : term.quantity)),
    }))
    .sort((a, b) => a.symbol.localeCompare(b.symbol));
  return { ...form, level, measure: { ...measure, terms } };
}

describe('trigger index', () => {
  it('does what a scan over all armed triggers does, in the same order', () =>
    forAll(
      [
        fc.array(step, { maxLength: 120, size: 'max' }),
        fc.record({ room: fc.nat(300), roomAt: fc.nat(120) }),
      ],
      propertyRuns(300),
      (steps, reserved) => {
        const { index, scan } = told(steps, reserved);
        expect(index).to.deep.equal(scan);
      },
    )).timeout(600_000);

  it('tells as what a trigger is armed, before and as it fires', () => {
    const prices = fc.array(fc.record({ feed, value: price }), { minLength: 30, maxLength: 60 });
    let fired = 0;
    forAll([connector, measure, direction, level, fc.boolean(), prices], (on, of, way, at, also, values) => {
      const armed: ArmedTrigger = {
        ...{ id: 'a', connector: on, measure: of, direction: way, level: at, inclusive: also },
      };
      const index = new TriggerIndex();
      expect(index.form('a')).to.equal(null);
      index.arm(armed);
      const form = index.form('a');
      expect(inAnyOrder(form)).to.deep.equal(inAnyOrder(armed));
      const [firing] = index.onValues(values, (id) => id === 'a');
      if (firing === undefined) return;
      fired += 1;
      expect(firing.form).to.deep.equal(form);
      // Armed as it was, the same values fire it again.
      index.arm({ ...armed, ...firing.form });
      expect(index.onValues(values)).to.deep.equal([{ id: 'a', value: firing.value }]);
    });
    expect(fired).to.be.greaterThan(0);
  });

  const onPrice = (level: string): ArmedTrigger => ({
    id: 'a',
    connector: 'one',
    measure: { kind: 'power', source: 'MARK', terms: [{ symbol: 'AAA', exponent: '1' }] },
    direction: 'MORE_THAN',
    level,
  });

  it('fires once, with the value of the tick, strictly beyond the level', () => {
    const index = new TriggerIndex();
    index.arm(onPrice('100'));
    expect(index.onTick('one', 'AAA', 'MARK', '100')).to.deep.equal([]);
    expect(index.reading('a')).to.deep.equal({ value: '100', holds: false });
    expect(index.onTick('one', 'AAA', 'LAST', '101')).to.deep.equal([]);
    expect(index.onTick('one', 'AAA', 'MARK', '100.000000000000000001')).to.deep.equal([
      { id: 'a', value: '100.000000000000000001' },
    ]);
    expect(index.onTick('one', 'AAA', 'MARK', '102')).to.deep.equal([]);
    expect(index.size).to.equal(0);
  });

  it('refuses an id that is armed and a measure that reads nothing', () => {
    const index = new TriggerIndex();
    index.arm(onPrice('100'));
    expect(() => index.arm(onPrice('200'))).to.throw(RangeError);
    const nothing: Measure = { kind: 'power', source: 'MARK', terms: [] };
    expect(() => index.arm({ ...onPrice('200'), id: 'b', measure: nothing })).to.throw(RangeError);
    expect(index.size).to.equal(1);
  });

  it('gives equal baskets one measure, however their legs are listed, and takes it back with the last trigger', () => {
    const terms = [
      { symbol: 'AAA', exponent: '0.5' },
      { symbol: 'BBB', exponent: '-0.5' },
    ];
    const index = new TriggerIndex();
    index.arm({ ...onPrice('2'), id: 'a', measure: { kind: 'power', source: 'MARK', terms } });
    index.arm({
      ...onPrice('3'),
      id: 'b',
      measure: { kind: 'power', source: 'MARK', terms: terms.toReversed() },
    });
    index.arm({ ...onPrice('2'), id: 'c', measure: { kind: 'power', source: 'LAST', terms } });
    expect(index.measureCount).to.equal(2);
    for (const id of ['a', 'b', 'c']) expect(index.disarm(id)).to.equal(true);
    expect(index.disarm('c')).to.equal(false);
    expect(index.measureCount).to.equal(0);
  });
});
