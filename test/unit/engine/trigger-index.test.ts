/** Whatever is armed, moved, disarmed and ticked in whatever order: the index fires what the scan fires, in its order. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import {
  type Direction,
  isBeyond,
  type MarketFacts,
  type Measure,
  measureValue,
  type PriceSource,
} from '../../../gateway/domain/measure.ts';
import type {
  ArmedTrigger,
  Feed,
  FeedValue,
  Firing,
  MeasureReading,
} from '../../../gateway/engine/resting/trigger-index/armed-trigger.ts';
import { TriggerIndex } from '../../../gateway/engine/resting/trigger-index/trigger-index.ts';
import { forAll, propertyRuns, weightedRecord } from '../../support/property-runs.ts';

/**
 * Reference for the trigger index, written so that it can be seen to be right: every tick walks over all armed triggers
 * in the order of arming, and asks the domain, in decimals, about each one that reads the feed.
 */
class TriggerScan {
  /** A Map keeps the order of its first insertions; setting a key again leaves it where it was. */
  readonly #armed = new Map<string, ArmedTrigger>();
  readonly #values = new Map<string, string>();
  readonly #silent = new Set<string>();

  get size(): number {
    return this.#armed.size;
  }

  arm(trigger: ArmedTrigger): void {
    this.#armed.set(trigger.id, trigger);
  }

  disarm(id: string): boolean {
    return this.#armed.delete(id);
  }

  replace(id: string, level: string): boolean {
    const trigger = this.#armed.get(id);
    if (trigger !== undefined) this.#armed.set(id, { ...trigger, level });
    return trigger !== undefined;
  }

  reading(id: string): MeasureReading | null {
    const trigger = this.#armed.get(id);
    if (trigger === undefined) return null;
    const facts = this.#facts(trigger.connector);
    const value = measureValue(trigger.measure, facts);
    return value === null ? null : { value, holds: holds(trigger, facts) };
  }

  onValues(values: readonly FeedValue[]): readonly Firing[] {
    for (const { feed, value } of values) this.#values.set(nameOf(feed), value);
    const told = values.map(({ feed }) => nameOf(feed)).filter((name) => !this.#silent.has(name));
    const firings: Firing[] = [];
    for (const trigger of this.#armed.values()) {
      const facts = this.#facts(trigger.connector);
      if (!told.some((name) => this.#reads(trigger, name)) || !holds(trigger, facts)) continue;
      firings.push({ id: trigger.id, value: measureValue(trigger.measure, facts) ?? '' });
    }
    for (const { id } of firings) this.#armed.delete(id);
    return firings;
  }

  silence(feed: Feed): readonly string[] {
    const name = nameOf(feed);
    if (this.#silent.has(name)) return [];
    const stopped = this.#reading(name).filter((trigger) => !this.#isStopped(trigger));
    this.#silent.add(name);
    return stopped.map(({ id }) => id);
  }

  revive(feed: Feed): readonly string[] {
    const name = nameOf(feed);
    if (!this.#silent.delete(name)) return [];
    return this.#reading(name)
      .filter((trigger) => !this.#isStopped(trigger))
      .map(({ id }) => id);
  }

  #reading(name: string): readonly ArmedTrigger[] {
    return [...this.#armed.values()].filter((trigger) => this.#reads(trigger, name));
  }

  #reads({ connector, measure }: ArmedTrigger, name: string): boolean {
    return feedsOf(connector, measure).some((feed) => nameOf(feed) === name);
  }

  #isStopped({ connector, measure }: ArmedTrigger): boolean {
    return feedsOf(connector, measure).some((feed) => this.#silent.has(nameOf(feed)));
  }

  #facts(connector: string): MarketFacts {
    const latest = (feed: Feed): string | undefined => {
      const name = nameOf(feed);
      return this.#silent.has(name) ? undefined : this.#values.get(name);
    };
    return {
      price: (symbol, source) => latest({ kind: 'price', connector, symbol, source }),
      figure: (name) => latest({ kind: 'figure', connector, name }),
    };
  }
}

function holds({ measure, direction, level, inclusive }: ArmedTrigger, facts: MarketFacts): boolean {
  return inclusive === true
    ? isBeyond(measure, direction === 'MORE_THAN' ? 'LESS_THAN' : 'MORE_THAN', level, facts) === false
    : isBeyond(measure, direction, level, facts) === true;
}

function feedsOf(connector: string, measure: Measure): readonly Feed[] {
  switch (measure.kind) {
    case 'power':
    case 'linear':
      return measure.terms.map(({ symbol }) => ({
        kind: 'price',
        connector,
        symbol,
        source: measure.source,
      }));
    case 'figure':
      return [{ ...measure, connector }];
  }
}

function nameOf(feed: Feed): string {
  const of = feed.kind === 'price' ? [feed.symbol, feed.source] : [feed.name];
  return JSON.stringify([feed.kind, feed.connector, ...of]);
}

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
  weightedRecord(6, { kind: fc.constant('price' as const), connector, symbol, source }),
  weightedRecord(2, {
    kind: fc.constant('figure' as const),
    connector,
    name: fc.constantFrom('dominance', 'yes', 'no'),
  }),
);

const which = fc.nat(40);
const step: fc.Arbitrary<Step> = fc.oneof(
  weightedRecord(5, {
    do: fc.constant('arm' as const),
    trigger: fc.record({ connector, measure, direction, level, inclusive: fc.boolean() }),
  }),
  weightedRecord(8, { do: fc.constant('tick' as const), feed, value: price }),
  weightedRecord(3, {
    do: fc.constant('together' as const),
    values: fc.array(fc.record({ feed, value: price }), { maxLength: 5 }),
  }),
  weightedRecord(2, { do: fc.constant('replace' as const), which, level }),
  weightedRecord(1, { do: fc.constantFrom('disarm' as const, 'read' as const), which }),
  weightedRecord(1, { do: fc.constantFrom('silence' as const, 'revive' as const), feed }),
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
