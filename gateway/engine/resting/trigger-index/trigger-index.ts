/**
 * The armed triggers, indexed so that a tick checks only the triggers that it could fire (README.md has the formulas).
 *
 * A trigger is checked on every tick of a feed that its measure reads, from the first tick after it was armed or moved.
 * It fires when all numbers are known and the measure is beyond the level, and is then no longer armed. Triggers fired
 * by one tick come in the order of arming. A scan over all armed triggers would fire the same ones in the same order.
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
/** Legs per basket that `reserve` assumes. */
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
  /** Gauge of each feed that triggers watch directly (kind FEED). */
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
   * Reserves memory for that many triggers, before a start arms them: arrays that grow step by step leave their old
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

  /** Arms a trigger. Throws a RangeError if the id is armed already, or the measure has no terms. */
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

  /** Disarms a trigger. False: no such trigger. */
  disarm(id: string): boolean {
    const row = this.#thresholds.row(id);
    if (row === 0) return false;
    this.#remove(row);
    return true;
  }

  /** Changes an armed trigger's level; it keeps its place in the order. False: there is no such trigger. */
  replace(id: string, level: DecimalString): boolean {
    const row = this.#thresholds.row(id);
    if (row === 0) return false;
    const gauge = this.#thresholds.gauge(row);
    const side = this.#thresholds.side(row);
    const nearest = this.#thresholds.nearest(gauge, side);
    this.#thresholds.move(row, level);
    // Bands for a nearer level are narrow enough for a farther one, so only a nearer level needs new bands.
    if (this.#gauges.kind(gauge) !== FEED && this.#thresholds.nearest(gauge, side) < nearest) {
      this.#bands.renew(gauge);
    }
    return true;
  }

  /** The trigger as it is armed; null: it is not armed. */
  form(id: string): ArmedTrigger | null {
    const row = this.#thresholds.row(id);
    return row === 0 ? null : this.#formOf(row);
  }

  /**
   * Current value of the trigger's measure; null: the trigger is not armed, a number is unknown, or a feed is silent.
   */
  reading(id: string): MeasureReading | null {
    const row = this.#thresholds.row(id);
    if (row === 0) return null;
    const exact = this.#measures.read(this.#thresholds.gauge(row));
    return exact === null ? null : { value: exact.value, holds: this.#holds(row, exact) };
  }

  /** Processes an instrument's price, which is > 0. Returns the fired triggers in the order of arming. */
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
   * Processes values from the same time. All are stored before anything is decided, so that a basket never mixes one
   * leg's new price with another's old price. Returns the fired triggers in the order of arming. `formWanted` selects
   * those returned with their form.
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
   * Marks the feed as stale: until `revive` its values are only stored, and no trigger that reads it fires. Returns the
   * armed triggers that this stops, in the order of arming, except those already stopped by another silent feed.
   */
  silence(feed: Feed): readonly string[] {
    const number = this.#feeds.number(feed);
    if (this.#feeds.isSilent(number)) return [];
    const gauges = this.#readers(number).filter((gauge) => !this.#isStopped(gauge));
    this.#feeds.setSilent(number, true);
    this.#renewAll(gauges);
    return this.#idsOf(gauges);
  }

  /** Marks the feed as back. Returns the armed triggers that no silent feed stops any more, in the order of arming. */
  revive(feed: Feed): readonly string[] {
    const number = this.#feeds.number(feed);
    if (!this.#feeds.isSilent(number)) return [];
    this.#feeds.setSilent(number, false);
    const gauges = this.#readers(number);
    this.#renewAll(gauges);
    return this.#idsOf(gauges.filter((gauge) => !this.#isStopped(gauge)));
  }

  /** The feed's own gauge if one of its levels is or may be crossed, else 0. */
  #ownHit(feed: number, near: number): number {
    const own = this.#feedGauges[feed] ?? 0;
    const isHit =
      own !== 0 &&
      (this.#thresholds.nearest(own, UP) <= near || this.#thresholds.nearest(own, DOWN) <= -near);
    return isHit ? own : 0;
  }

  /**
   * Decides which triggers fire, among gauges of single feeds and baskets that may have crossed a level, and disarms
   * them.
   */
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

  /** Renews the bands that the price left. Returns the gauges that may have crossed a level, possibly twice. */
  #renewLeft(feed: number, near: number): readonly number[] {
    const left: number[] = [];
    this.#bands.leave(feed, near, left);
    return left.filter((gauge) => this.#bands.renew(gauge));
  }

  /**
   * Appends the rows of a gauge's triggers that fire. Levels above `ceiling` or below `floor` are certainly not
   * crossed; the others are decided with exact decimals.
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
