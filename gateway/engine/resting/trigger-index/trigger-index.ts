/**
 * The armed triggers, indexed so that a tick looks only at the triggers that it could fire (README.md has the
 * formulas).
 *
 * A trigger is looked at on every tick of a feed that its measure reads, from the first tick after it was armed or
 * moved; it fires when all numbers are known and the measure is beyond the level, and is then no longer armed. The
 * triggers that one tick fires come in the order of arming. A scan over all armed triggers would fire the same ones in
 * the same order.
 *
 * The index knows nothing of time, storage or states: the watcher arms a trigger that becomes ACTIVE and disarms a
 * trigger that leaves that state.
 */
import { type DecimalString, text } from '../../../domain/decimal.ts';
import { opposite, type PriceSource } from '../../../domain/measure.ts';
import type { ArmedTrigger, Feed, FeedValue, Firing, MeasureReading } from './armed-trigger.ts';
import { Bands } from './bands.ts';
import { FeedTable } from './feed-table.ts';
import { FEED, GaugeTable } from './gauge-table.ts';
import { type ExactReading, MeasureGauges } from './measure-gauges.ts';
import { Reach } from './reach.ts';
import { DOWN, sideOf, Thresholds, UP } from './thresholds.ts';

const NOTHING_FIRED: readonly Firing[] = Object.freeze([]);
/** Legs per basket for which `reserve` makes room. */
const USUAL_LEGS = 4;
const NO_GAUGES: readonly number[] = Object.freeze([]);
const OF_NONE = (): boolean => false;

export class TriggerIndex {
  readonly #feeds = new FeedTable();
  readonly #gauges = new GaugeTable();
  readonly #thresholds = new Thresholds();
  readonly #measures = new MeasureGauges(this.#feeds, this.#gauges);
  readonly #reach = new Reach(this.#feeds, this.#gauges);
  readonly #bands = new Bands(this.#feeds, this.#gauges, this.#thresholds, this.#reach);
  /** Gauges of kind FEED, by feed. */
  readonly #feedGauges: number[] = [];

  /** Armed triggers. */
  get size(): number {
    return this.#thresholds.size;
  }

  /** Distinct measures of the armed triggers. */
  get measureCount(): number {
    return this.#gauges.count;
  }

  /**
   * Makes room for that many triggers, before a start arms them: columns that grow step by step leave their shorter
   * copies behind, which costs a gateway with 100,000 triggers 20 MB. Unused room is address space, not memory.
   */
  reserve(triggers: number): void {
    const legs = triggers * USUAL_LEGS;
    this.#thresholds.reserve(triggers);
    this.#gauges.reserve(triggers, legs);
    this.#bands.reserve(legs);
  }

  has(id: string): boolean {
    return this.#thresholds.row(id) !== 0;
  }

  /** Throws a RangeError when the id is armed already, or the measure has no terms. */
  arm(trigger: ArmedTrigger): void {
    const { id, connector, measure, direction } = trigger;
    if (this.has(id)) throw new RangeError(`trigger ${id} is armed already`);
    const gauge = this.#measures.gaugeOf(connector, measure);
    const side = sideOf(direction);
    const nearest = this.#thresholds.nearest(gauge, side);
    this.#thresholds.add(id, gauge, trigger);
    if (this.#gauges.kind(gauge) === FEED) {
      this.#feedGauges[this.#gauges.feed(this.#gauges.firstLeg(gauge))] = gauge;
    } else if (this.#thresholds.nearest(gauge, side) < nearest) {
      this.#bands.renew(gauge);
    }
  }

  /** False when there is no such trigger. */
  disarm(id: string): boolean {
    const row = this.#thresholds.row(id);
    if (row === 0) return false;
    this.#remove(row);
    return true;
  }

  /** Another level for an armed trigger, which keeps its place in the order. False when there is no such trigger. */
  replace(id: string, level: DecimalString): boolean {
    const row = this.#thresholds.row(id);
    if (row === 0) return false;
    const gauge = this.#thresholds.gauge(row);
    const side = this.#thresholds.side(row);
    const nearest = this.#thresholds.nearest(gauge, side);
    this.#thresholds.move(row, level);
    // Bands made for a nearer level are narrow enough for a farther one, so only a nearer level needs new ones.
    if (this.#gauges.kind(gauge) !== FEED && this.#thresholds.nearest(gauge, side) < nearest) {
      this.#bands.renew(gauge);
    }
    return true;
  }

  /** The trigger as it is armed; null: the trigger is not armed. */
  form(id: string): ArmedTrigger | null {
    const row = this.#thresholds.row(id);
    return row === 0 ? null : this.#formOf(row);
  }

  /** Value of the trigger's measure; null: not armed, a number is not known, or its feed is silent. */
  reading(id: string): MeasureReading | null {
    const row = this.#thresholds.row(id);
    if (row === 0) return null;
    const exact = this.#measures.read(this.#thresholds.gauge(row));
    return exact === null ? null : { value: exact.value, holds: this.#holds(row, exact) };
  }

  /** Takes in an instrument's price, > 0. Returns the triggers that it fired, in the order of arming. */
  onTick(connector: string, symbol: string, source: PriceSource, price: DecimalString): readonly Firing[] {
    const feed = this.#feeds.price(connector, symbol, source);
    const near = this.#feeds.set(feed, price);
    if (this.#feeds.isSilent(feed)) return NOTHING_FIRED;
    const own = this.#ownHit(feed, near);
    const doubtful = this.#bands.areLeft(feed, near) ? this.#renewLeft(feed, near) : NO_GAUGES;
    if (own === 0 && doubtful.length === 0) return NOTHING_FIRED;
    return this.#fire(own === 0 ? NO_GAUGES : [own], doubtful, OF_NONE);
  }

  /**
   * Values that belong to one moment: all are taken in before anything is decided, so that a basket is never computed
   * from the new price of one leg and the old one of another. Returns the triggers that the values fired, in the order
   * of arming, with their form where `formWanted` asks for it.
   */
  onValues(values: readonly FeedValue[], formWanted: (id: string) => boolean = OF_NONE): readonly Firing[] {
    const numbers = values.map(({ feed, value }) => {
      const number = this.#feeds.number(feed);
      this.#feeds.set(number, value);
      return number;
    });
    const hit: number[] = [];
    const doubtful: number[] = [];
    for (const number of numbers) {
      if (this.#feeds.isSilent(number)) continue;
      const near = this.#feeds.near(number);
      const own = this.#ownHit(number, near);
      if (own !== 0) hit.push(own);
      if (this.#bands.areLeft(number, near)) doubtful.push(...this.#renewLeft(number, near));
    }
    return hit.length === 0 && doubtful.length === 0 ? NOTHING_FIRED : this.#fire(hit, doubtful, formWanted);
  }

  /**
   * The feed is stale: until `revive` its values are only noted, and nothing that reads it fires. Answers the armed
   * triggers that another silent feed had not stopped before, in the order of arming.
   */
  silence(feed: Feed): readonly string[] {
    const number = this.#feeds.number(feed);
    if (this.#feeds.isSilent(number)) return [];
    const gauges = this.#readers(number).filter((gauge) => !this.#isStopped(gauge));
    this.#feeds.setSilent(number, true);
    this.#renewAll(gauges);
    return this.#idsOf(gauges);
  }

  /** Marks the feed as back. Answers its armed triggers that no other silent feed stops, in the order of arming. */
  revive(feed: Feed): readonly string[] {
    const number = this.#feeds.number(feed);
    if (!this.#feeds.isSilent(number)) return [];
    this.#feeds.setSilent(number, false);
    const gauges = this.#readers(number);
    this.#renewAll(gauges);
    return this.#idsOf(gauges.filter((gauge) => !this.#isStopped(gauge)));
  }

  /** The feed's own gauge where one of its levels is, or may be, crossed; else 0. */
  #ownHit(feed: number, near: number): number {
    const own = this.#feedGauges[feed] ?? 0;
    const isHit =
      own !== 0 &&
      (this.#thresholds.nearest(own, UP) <= near || this.#thresholds.nearest(own, DOWN) <= -near);
    return isHit ? own : 0;
  }

  /** Decides about hit gauges of single feeds and about baskets in doubt; disarms the triggers that fire. */
  #fire(
    hit: readonly number[],
    doubtful: readonly number[],
    formWanted: (id: string) => boolean,
  ): readonly Firing[] {
    const decided = new Map<number, ExactReading | null>();
    const fired: number[] = [];
    for (const own of hit) {
      if (decided.has(own)) continue;
      const near = this.#feeds.near(this.#gauges.feed(this.#gauges.firstLeg(own)));
      this.#decide(own, near, near, decided, fired);
    }
    for (const gauge of doubtful) {
      if (decided.has(gauge)) continue;
      this.#reach.read(gauge);
      this.#decide(gauge, this.#reach.ceiling(), this.#reach.floor(), decided, fired);
    }
    if (fired.length === 0) return NOTHING_FIRED;

    const firings = this.#thresholds.inOrder(fired).map((row): Firing => {
      const id = this.#thresholds.id(row);
      const value = decided.get(this.#thresholds.gauge(row))?.value ?? '';
      return formWanted(id) ? { id, value, form: this.#formOf(row) } : { id, value };
    });
    for (const row of fired) this.#remove(row);
    this.#renewAll(doubtful.filter((gauge) => !this.#thresholds.isEmpty(gauge)));
    return firings;
  }

  /** Renews the bands that the price left. Returns the gauges in doubt, some of them twice. */
  #renewLeft(feed: number, near: number): readonly number[] {
    const left: number[] = [];
    this.#bands.leave(feed, near, left);
    return left.filter((gauge) => this.#bands.renew(gauge));
  }

  /**
   * Appends the rows of a gauge's triggers that fire. Levels above `ceiling` and below `floor` are certainly not
   * crossed; the other levels are decided in decimals.
   */
  #decide(
    gauge: number,
    ceiling: number,
    floor: number,
    decided: Map<number, ExactReading | null>,
    fired: number[],
  ): void {
    const candidates: number[] = [];
    this.#thresholds.collect(gauge, UP, ceiling, candidates);
    this.#thresholds.collect(gauge, DOWN, -floor, candidates);
    const exact = candidates.length === 0 ? null : this.#measures.read(gauge);
    decided.set(gauge, exact);
    if (exact === null) return;
    for (const row of candidates) if (this.#holds(row, exact)) fired.push(row);
  }

  #formOf(row: number): ArmedTrigger {
    const thresholds = this.#thresholds;
    return {
      id: thresholds.id(row),
      ...this.#measures.named(thresholds.gauge(row)),
      direction: thresholds.direction(row),
      level: text(thresholds.level(row)),
      inclusive: thresholds.isInclusive(row),
    };
  }

  #holds(row: number, exact: ExactReading): boolean {
    const direction = this.#thresholds.direction(row);
    const level = text(this.#thresholds.level(row));
    return this.#thresholds.isInclusive(row)
      ? !exact.isBeyond(opposite(direction), level)
      : exact.isBeyond(direction, level);
  }

  #remove(row: number): void {
    const gauge = this.#thresholds.gauge(row);
    this.#thresholds.remove(row);
    if (!this.#thresholds.isEmpty(gauge)) return;
    if (this.#gauges.kind(gauge) === FEED) {
      this.#feedGauges[this.#gauges.feed(this.#gauges.firstLeg(gauge))] = 0;
    } else {
      this.#bands.remove(gauge);
    }
    this.#gauges.free(gauge);
  }

  /** Gauges that read the feed, each once. */
  #readers(feed: number): readonly number[] {
    const readers: number[] = [];
    this.#bands.readers(feed, readers);
    const own = this.#feedGauges[feed] ?? 0;
    if (own !== 0) readers.push(own);
    return [...new Set(readers)];
  }

  #isStopped(gauge: number): boolean {
    for (let leg = this.#gauges.firstLeg(gauge); leg < this.#gauges.endLeg(gauge); leg += 1) {
      if (this.#feeds.isSilent(this.#gauges.feed(leg))) return true;
    }
    return false;
  }

  #renewAll(gauges: readonly number[]): void {
    for (const gauge of gauges) if (this.#gauges.kind(gauge) !== FEED) this.#bands.renew(gauge);
  }

  #idsOf(gauges: readonly number[]): readonly string[] {
    const rows: number[] = [];
    for (const gauge of gauges) {
      this.#thresholds.collect(gauge, UP, Number.POSITIVE_INFINITY, rows);
      this.#thresholds.collect(gauge, DOWN, Number.POSITIVE_INFINITY, rows);
    }
    return this.#thresholds.inOrder(rows).map((row) => this.#thresholds.id(row));
  }
}
