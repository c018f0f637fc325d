/**
 * Reference for the trigger index, written so that it can be seen to be right: every tick walks over all armed triggers
 * in the order of arming, and asks the domain, in decimals, about each one that reads the feed.
 */
import { isBeyond, type MarketFacts, type Measure, measureValue } from '../../gateway/domain/measure.ts';
import type {
  ArmedTrigger,
  Feed,
  FeedValue,
  Firing,
  MeasureReading,
} from '../../gateway/engine/resting/trigger-index/armed-trigger.ts';

export class TriggerScan {
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
