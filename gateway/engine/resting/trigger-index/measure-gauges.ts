/**
 * Converts a measure of the domain into its gauge, and a gauge back into the measure where exact decimals are needed.
 */
import { type DecimalString, text } from '../../../domain/decimal.ts';
import {
  type Direction,
  isBeyond,
  isPast,
  type LinearTerm,
  type MarketFacts,
  type Measure,
  measureValue,
  type PowerTerm,
} from '../../../domain/measure.ts';
import type { Feed } from './armed-trigger.ts';
import type { FeedTable } from './feed-table.ts';
import { FEED, type GaugeLeg, type GaugeTable, LINEAR, POWER } from './gauge-table.ts';

/** Exact current value of a gauge. */
export interface ExactReading {
  readonly value: DecimalString;
  isBeyond(direction: Direction, level: DecimalString): boolean;
}

export class MeasureGauges {
  readonly #feeds: FeedTable;
  readonly #gauges: GaugeTable;

  constructor(feeds: FeedTable, gauges: GaugeTable) {
    this.#feeds = feeds;
    this.#gauges = gauges;
  }

  /** Finds or makes the gauge of a measure on a connector. Throws a RangeError if the measure has no terms. */
  gaugeOf(connector: string, measure: Measure): number {
    switch (measure.kind) {
      case 'power': {
        const legs = measure.terms.map(({ symbol, exponent }) => ({
          feed: this.#feeds.price(connector, symbol, measure.source),
          factor: exponent,
        }));
        const isPrice = legs.length === 1 && legs[0]?.factor === '1';
        return this.#gauges.intern(isPrice ? FEED : POWER, byFeed(legs), null);
      }
      case 'linear': {
        const legs = measure.terms.map(({ symbol, quantity }) => ({
          feed: this.#feeds.price(connector, symbol, measure.source),
          factor: quantity,
        }));
        return this.#gauges.intern(LINEAR, byFeed(legs), {
          constant: measure.constant,
          divisor: measure.divisor,
        });
      }
      case 'figure': {
        const feed = this.#feeds.number({ kind: 'figure', connector, name: measure.name });
        return this.#gauges.intern(FEED, [{ feed, factor: '1' }], null);
      }
    }
  }

  /** The gauge's measure, with its terms in the order of their feeds. */
  named(gauge: number): { readonly connector: string; readonly measure: Measure } {
    const first = this.#feeds.named(this.#gauges.feed(this.#gauges.firstLeg(gauge)));
    return { connector: first.connector, measure: this.#measureOf(gauge, first) };
  }

  /** null: a number that the gauge needs is unknown, or its feed is silent. */
  read(gauge: number): ExactReading | null {
    const { connector, measure } = this.named(gauge);
    const facts = this.#factsOf(connector);
    const value = measureValue(measure, facts);
    if (value === null) return null;
    // Fractional powers are compared by their rounded, shown value. A second computation would double the cost.
    const isShown = measure.kind === 'power' && measure.terms.some(({ exponent }) => !/^-?1$/.test(exponent));
    return {
      value,
      isBeyond: (direction, level) =>
        isShown ? isPast(value, direction, level) : isBeyond(measure, direction, level, facts) === true,
    };
  }

  #measureOf(gauge: number, first: Feed): Measure {
    if (first.kind === 'figure') return { kind: 'figure', name: first.name };
    const legs = this.#legs(gauge);
    const { source } = first;
    if (this.#gauges.kind(gauge) === LINEAR) {
      const terms: LinearTerm[] = legs.map(({ symbol, factor }) => ({ symbol, quantity: factor }));
      return { kind: 'linear', source, terms, ...this.#gauges.scale(gauge) };
    }
    const terms: PowerTerm[] = legs.map(({ symbol, factor }) => ({ symbol, exponent: factor }));
    return { kind: 'power', source, terms };
  }

  #legs(gauge: number): readonly { readonly symbol: string; readonly factor: DecimalString }[] {
    const legs: { symbol: string; factor: DecimalString }[] = [];
    for (let leg = this.#gauges.firstLeg(gauge); leg < this.#gauges.endLeg(gauge); leg += 1) {
      const feed = this.#feeds.named(this.#gauges.feed(leg));
      // Only price feeds have a symbol.
      if (feed.kind === 'price')
        legs.push({ symbol: feed.symbol, factor: text(this.#gauges.exactFactor(leg)) });
    }
    return legs;
  }

  #factsOf(connector: string): MarketFacts {
    const feeds = this.#feeds;
    return {
      price: (symbol, source) => feeds.text(feeds.price(connector, symbol, source)),
      figure: (name) => feeds.text(feeds.number({ kind: 'figure', connector, name })),
    };
  }
}

/** Sorts legs by feed, so that equal baskets get the same order however their legs were listed. */
function byFeed(legs: GaugeLeg[]): readonly GaugeLeg[] {
  if (legs.length === 0) throw new RangeError('a measure has at least one term');
  return legs.length < 2 ? legs : legs.sort((a, b) => a.feed - b.feed);
}
