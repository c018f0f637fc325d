/**
 * Price bands within which no trigger can fire. Each feed has two heaps: the lowest upper end and the highest lower end
 * are on top, so a tick compares its price with the tightest band of each side. Lower ends are stored negated. While
 * the price of a leg stays inside its bands, no level of its gauge (the value that triggers compare with) can be
 * crossed.
 *
 * Every leg of a gauge that is not a FEED has at least one node in a heap of its feed, at +Infinity if the leg cannot
 * cross a level, so the heaps also show which gauges read a feed. A node at −Infinity is crossed by any tick.
 */
import { int, longerInts, roomier } from './columns.ts';
import type { FeedTable } from './feed-table.ts';
import type { GaugeTable } from './gauge-table.ts';
import { PairingHeaps } from './pairing-heaps.ts';
import type { Reach } from './reach.ts';
import { DOWN, type HeapSide, type Thresholds, UP } from './thresholds.ts';

const ANY_TICK = Number.NEGATIVE_INFINITY;
const NEVER = Number.POSITIVE_INFINITY;
/** Distance in a direction without any level: no band is needed. */
const ABSENT = Number.NaN;

export class Bands {
  readonly #feeds: FeedTable;
  readonly #gauges: GaugeTable;
  readonly #thresholds: Thresholds;
  readonly #reach: Reach;
  readonly #heaps = new PairingHeaps();
  /** Root of each heap, by feed × 2 + side. */
  #roots = new Int32Array(0);

  constructor(feeds: FeedTable, gauges: GaugeTable, thresholds: Thresholds, reach: Reach) {
    this.#feeds = feeds;
    this.#gauges = gauges;
    this.#thresholds = thresholds;
    this.#reach = reach;
  }

  /** Reserves memory for this many legs. */
  reserve(legs: number): void {
    this.#heaps.reserve(legs * 2 + 1);
  }

  /** True: the price is outside a band of this feed, or a gauge must be checked at every tick. */
  areLeft(feed: number, price: number): boolean {
    return this.#nearest(feed, UP) <= price || this.#nearest(feed, DOWN) <= -price;
  }

  /** Removes the nodes whose band the price has left and appends their gauges, possibly twice. */
  leave(feed: number, price: number, into: number[]): void {
    this.#leaveSide(feed, UP, price, into);
    this.#leaveSide(feed, DOWN, -price, into);
  }

  /** Appends the gauges that have bands on this feed, possibly twice. */
  readers(feed: number, into: number[]): void {
    const first = into.length;
    this.#heaps.collect(this.#root(feed, UP), NEVER, into);
    this.#heaps.collect(this.#root(feed, DOWN), NEVER, into);
    for (let at = first; at < into.length; at += 1) into[at] = this.#gauges.gaugeOf((into[at] ?? 0) >> 1);
  }

  /**
   * Sets the bands of a POWER or LINEAR gauge from its prices and nearest levels. True: a level is or may be crossed
   * already, so any tick leaves the bands.
   */
  renew(gauge: number): boolean {
    const gauges = this.#gauges;
    const first = gauges.firstLeg(gauge);
    const end = gauges.endLeg(gauge);
    this.#makeRoom();
    for (let leg = first; leg < end; leg += 1) {
      if (!this.#feeds.isUsable(gauges.feed(leg))) {
        this.#await(first, end, leg);
        return false;
      }
    }
    const reach = this.#reach;
    reach.read(gauge);
    const above = this.#thresholds.nearest(gauge, UP);
    const below = this.#thresholds.nearest(gauge, DOWN);
    const up = above === NEVER ? ABSENT : allowed(reach.upTo(above));
    const down = below === NEVER ? ABSENT : allowed(reach.downTo(-below));
    // The gauge rises with a rising long leg and with a falling short one.
    const longTop = reach.rise(up);
    const longBottom = reach.fall(down);
    const shortTop = reach.rise(down);
    const shortBottom = reach.fall(up);
    for (let leg = first; leg < end; leg += 1) {
      const price = this.#feeds.near(gauges.feed(leg));
      const isLong = gauges.factor(leg) >= 0;
      this.#put(leg, UP, price * (isLong ? longTop : shortTop));
      this.#put(leg, DOWN, -price * (isLong ? longBottom : shortBottom));
    }
    return up === ANY_TICK || down === ANY_TICK;
  }

  /** Takes the gauge's nodes out of all heaps. */
  remove(gauge: number): void {
    const end = this.#gauges.endLeg(gauge);
    for (let leg = this.#gauges.firstLeg(gauge); leg < end; leg += 1) {
      this.#take(leg, UP);
      this.#take(leg, DOWN);
    }
  }

  /** Waits for the price of leg `missing`, without which the gauge has no value. Only that leg's next tick matters. */
  #await(first: number, end: number, missing: number): void {
    for (let leg = first; leg < end; leg += 1) {
      this.#take(leg, DOWN);
      this.#put(leg, UP, leg === missing ? ANY_TICK : NEVER);
    }
  }

  /** Moves a leg's node in the heap of one side to `key`; NaN removes it. */
  #put(leg: number, side: HeapSide, key: number): void {
    if (Number.isNaN(key)) {
      this.#take(leg, side);
      return;
    }
    const node = leg * 2 + side;
    const heap = this.#gauges.feed(leg) * 2 + side;
    let root = int(this.#roots, heap);
    if (this.#heaps.has(node)) {
      if (this.#heaps.key(node) === key) return;
      root = this.#heaps.remove(root, node);
    }
    this.#roots[heap] = this.#heaps.insert(root, node, key);
  }

  #take(leg: number, side: HeapSide): void {
    const node = leg * 2 + side;
    if (!this.#heaps.has(node)) return;
    const heap = this.#gauges.feed(leg) * 2 + side;
    this.#roots[heap] = this.#heaps.remove(int(this.#roots, heap), node);
  }

  #leaveSide(feed: number, side: HeapSide, limit: number, into: number[]): void {
    let root = this.#root(feed, side);
    while (root !== 0 && this.#heaps.key(root) <= limit) {
      into.push(this.#gauges.gaugeOf(root >> 1));
      root = this.#heaps.remove(root, root);
      this.#roots[feed * 2 + side] = root;
    }
  }

  #nearest(feed: number, side: HeapSide): number {
    return this.#heaps.least(this.#root(feed, side));
  }

  #root(feed: number, side: HeapSide): number {
    return this.#roots[feed * 2 + side] ?? 0;
  }

  #makeRoom(): void {
    this.#heaps.reserve(this.#gauges.lastLeg * 2 + 1);
    const heaps = this.#feeds.count * 2 + 1;
    if (heaps >= this.#roots.length)
      this.#roots = longerInts(this.#roots, roomier(heaps, this.#roots.length));
  }
}

/** Distance as a band. A distance not > 0 means that the level is or may be crossed. */
function allowed(reach: number): number {
  return reach > 0 ? reach : ANY_TICK;
}
