/**
 * Gauges: the distinct values with which triggers compare their levels. Triggers on the same measure of the same
 * connector share one gauge, and so one set of bands. A gauge is a kind and a block of legs; equal ones are found by a
 * hash of both.
 */
import { type Decimal, type DecimalString, dec } from '../../../domain/decimal.ts';
import { int, longerInts, roomier } from './columns.ts';
import { nearOf, PackedDecimals } from './packed-decimals.ts';

/** FEED: the value of its only leg. POWER: Π price^factor. LINEAR: (Σ factor × price + constant) ÷ divisor. */
export const FEED = 0;
export const POWER = 1;
export const LINEAR = 2;
export type GaugeKind = typeof FEED | typeof POWER | typeof LINEAR;

export interface GaugeLeg {
  readonly feed: number;
  /** Signed: the exponent of a POWER gauge, the quantity of a LINEAR one. */
  readonly factor: DecimalString;
}

/** Constant and divisor of a LINEAR gauge. */
export interface Scale {
  readonly constant: DecimalString;
  /** Always > 0. */
  readonly divisor: DecimalString;
}

export class GaugeTable {
  #kinds = new Int32Array(0);
  #firstLegs = new Int32Array(0);
  #legCounts = new Int32Array(0);
  /** Next gauge with the same hash; for a freed row, the next freed row. */
  #nexts = new Int32Array(0);
  readonly #scales = new Map<number, Scale>();
  #lastGauge = 0;
  #freeGauge = 0;
  #count = 0;

  #feeds = new Int32Array(0);
  /** Gauge of a leg; for the first leg of a freed block, the next freed block of that size. */
  #owners = new Int32Array(0);
  readonly #factors = new PackedDecimals();
  #lastLeg = 0;
  readonly #freeBlocks: number[] = [];

  #buckets = new Int32Array(64);

  /** Reserves memory for this many gauges and legs. */
  reserve(gauges: number, legs: number): void {
    if (gauges >= this.#kinds.length) this.#makeRoom(gauges);
    if (legs >= this.#feeds.length) this.#makeLegRoom(legs);
    if (gauges > this.#buckets.length) this.#rehash(2 ** Math.ceil(Math.log2(gauges)));
  }

  /** Finds the gauge with these legs, or makes it. `scale` is given if and only if `kind` is LINEAR. */
  intern(kind: GaugeKind, legs: readonly GaugeLeg[], scale: Scale | null): number {
    const hash = hashOf(kind, legs, scale);
    const first = int(this.#buckets, hash & (this.#buckets.length - 1));
    for (let gauge = first; gauge !== 0; gauge = int(this.#nexts, gauge)) {
      if (this.#isSame(gauge, kind, legs, scale)) return gauge;
    }
    return this.#add(kind, legs, scale, hash);
  }

  /** Frees the gauge's row and legs. Nothing may refer to the gauge any more. */
  free(gauge: number): void {
    this.#unchain(gauge);
    const first = this.firstLeg(gauge);
    const count = int(this.#legCounts, gauge);
    for (let leg = first; leg < first + count; leg += 1) this.#factors.clear(leg);
    this.#owners[first] = this.#freeBlocks[count] ?? 0;
    this.#freeBlocks[count] = first;
    this.#scales.delete(gauge);
    this.#nexts[gauge] = this.#freeGauge;
    this.#freeGauge = gauge;
    this.#count -= 1;
  }

  /** Gauges in use. */
  get count(): number {
    return this.#count;
  }

  /** Highest gauge number in use so far; `lastLeg`: highest leg number. */
  get lastGauge(): number {
    return this.#lastGauge;
  }

  get lastLeg(): number {
    return this.#lastLeg;
  }

  kind(gauge: number): GaugeKind {
    return int(this.#kinds, gauge) as GaugeKind;
  }

  /** Legs of a gauge are `firstLeg` to `endLeg` − 1. */
  firstLeg(gauge: number): number {
    return int(this.#firstLegs, gauge);
  }

  endLeg(gauge: number): number {
    return int(this.#firstLegs, gauge) + int(this.#legCounts, gauge);
  }

  scale(gauge: number): Scale {
    const scale = this.#scales.get(gauge);
    if (scale === undefined) throw new RangeError(`gauge ${gauge} has no scale`);
    return scale;
  }

  gaugeOf(leg: number): number {
    return int(this.#owners, leg);
  }

  feed(leg: number): number {
    return int(this.#feeds, leg);
  }

  factor(leg: number): number {
    return this.#factors.near(leg);
  }

  exactFactor(leg: number): Decimal {
    return this.#factors.get(leg);
  }

  #isSame(gauge: number, kind: GaugeKind, legs: readonly GaugeLeg[], scale: Scale | null): boolean {
    if (this.kind(gauge) !== kind || int(this.#legCounts, gauge) !== legs.length) return false;
    let leg = this.firstLeg(gauge);
    for (const { feed, factor } of legs) {
      if (this.feed(leg) !== feed || !this.#factors.equals(leg, factor)) return false;
      leg += 1;
    }
    if (scale === null) return true;
    const own = this.scale(gauge);
    return dec(own.constant).eq(scale.constant) && dec(own.divisor).eq(scale.divisor);
  }

  #add(kind: GaugeKind, legs: readonly GaugeLeg[], scale: Scale | null, hash: number): number {
    this.#count += 1;
    if (this.#count > this.#buckets.length) this.#rehash(this.#buckets.length * 2);
    const gauge = this.#newRow();
    const first = this.#newBlock(legs.length);
    this.#kinds[gauge] = kind;
    this.#firstLegs[gauge] = first;
    this.#legCounts[gauge] = legs.length;
    let leg = first;
    for (const { feed, factor } of legs) {
      this.#feeds[leg] = feed;
      this.#owners[leg] = gauge;
      this.#factors.set(leg, factor);
      leg += 1;
    }
    if (scale !== null) this.#scales.set(gauge, scale);
    this.#chain(gauge, hash);
    return gauge;
  }

  #newRow(): number {
    const freed = this.#freeGauge;
    if (freed !== 0) {
      this.#freeGauge = int(this.#nexts, freed);
      return freed;
    }
    this.#lastGauge += 1;
    if (this.#lastGauge >= this.#kinds.length) this.#makeRoom(this.#lastGauge);
    return this.#lastGauge;
  }

  #makeRoom(last: number): void {
    const room = roomier(last, this.#kinds.length);
    this.#kinds = longerInts(this.#kinds, room);
    this.#firstLegs = longerInts(this.#firstLegs, room);
    this.#legCounts = longerInts(this.#legCounts, room);
    this.#nexts = longerInts(this.#nexts, room);
  }

  #newBlock(legs: number): number {
    const freed = this.#freeBlocks[legs] ?? 0;
    if (freed !== 0) {
      this.#freeBlocks[legs] = int(this.#owners, freed);
      return freed;
    }
    const first = this.#lastLeg + 1;
    this.#lastLeg += legs;
    if (this.#lastLeg >= this.#feeds.length) this.#makeLegRoom(this.#lastLeg);
    return first;
  }

  #makeLegRoom(last: number): void {
    const room = roomier(last, this.#feeds.length);
    this.#feeds = longerInts(this.#feeds, room);
    this.#owners = longerInts(this.#owners, room);
    this.#factors.reserve(last);
  }

  #rehash(buckets: number): void {
    const gauges: number[] = [];
    for (const first of this.#buckets) {
      for (let gauge = first; gauge !== 0; gauge = int(this.#nexts, gauge)) gauges.push(gauge);
    }
    this.#buckets = new Int32Array(buckets);
    for (const gauge of gauges) this.#chain(gauge, this.#hashOf(gauge));
  }

  #chain(gauge: number, hash: number): void {
    const bucket = hash & (this.#buckets.length - 1);
    this.#nexts[gauge] = int(this.#buckets, bucket);
    this.#buckets[bucket] = gauge;
  }

  #unchain(gauge: number): void {
    const bucket = this.#hashOf(gauge) & (this.#buckets.length - 1);
    let at = int(this.#buckets, bucket);
    if (at === gauge) {
      this.#buckets[bucket] = int(this.#nexts, gauge);
      return;
    }
    while (int(this.#nexts, at) !== gauge) at = int(this.#nexts, at);
    this.#nexts[at] = int(this.#nexts, gauge);
  }

  #hashOf(gauge: number): number {
    let hash = startOf(this.kind(gauge), this.#scales.get(gauge) ?? null);
    for (let leg = this.firstLeg(gauge); leg < this.endLeg(gauge); leg += 1) {
      hash = mixed(hash, this.feed(leg), this.factor(leg));
    }
    return hash;
  }
}

const bits = new ArrayBuffer(8);
const asReal = new Float64Array(bits);
const asInts = new Int32Array(bits);

function hashOf(kind: GaugeKind, legs: readonly GaugeLeg[], scale: Scale | null): number {
  let hash = startOf(kind, scale);
  for (const { feed, factor } of legs) hash = mixed(hash, feed, nearOf(factor));
  return hash;
}

function startOf(kind: GaugeKind, scale: Scale | null): number {
  return scale === null ? kind : mixed(kind, 0, Number(scale.constant));
}

function mixed(hash: number, feed: number, factor: number): number {
  asReal[0] = factor;
  return stirred(stirred(stirred(hash, feed), int(asInts, 0)), int(asInts, 1));
}

/** Mixes a word into a hash: multiply and shift, as MurmurHash3 does. */
function stirred(hash: number, word: number): number {
  let mix = Math.imul(hash ^ word, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
