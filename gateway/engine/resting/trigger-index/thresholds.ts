/**
 * The armed triggers and, per gauge, two heaps of them: the lowest MORE_THAN level and the highest LESS_THAN level are
 * on top. LESS_THAN levels are stored negated, so both are min-heaps and work alike: a level may be crossed if its key
 * is at most the value (side UP) or the negated value (side DOWN).
 */
import type { Decimal, DecimalString } from '../../../domain/decimal.ts';
import type { Direction } from '../../../domain/measure.ts';
import type { ArmedTrigger } from './armed-trigger.ts';
import { int, longerInts, longerReals, real, roomier } from './columns.ts';
import { PackedDecimals } from './packed-decimals.ts';
import { PairingHeaps } from './pairing-heaps.ts';

export const UP = 0;
export const DOWN = 1;
export type HeapSide = typeof UP | typeof DOWN;

type Terms = Pick<ArmedTrigger, 'direction' | 'level' | 'inclusive'>;

export function sideOf(direction: Direction): HeapSide {
  return direction === 'MORE_THAN' ? UP : DOWN;
}

export class Thresholds {
  readonly #rowOf = new Map<string, number>();
  readonly #ids: string[] = [''];
  /** Target of each row's trigger: gauge × 4 + side × 2, + 1 if inclusive; for a freed row, the next freed row. */
  #targets = new Int32Array(0);
  /** Sequence number of each row, in the order of arming. */
  #sequences = new Float64Array(0);
  #lastSequence = 0;
  readonly #levels = new PackedDecimals();
  readonly #heaps = new PairingHeaps();
  /** Root of each heap, by gauge × 2 + side. */
  #roots = new Int32Array(0);
  #lastRow = 0;
  #freeRow = 0;

  get size(): number {
    return this.#rowOf.size;
  }

  /** Row of a trigger; 0: no such trigger. */
  row(id: string): number {
    return this.#rowOf.get(id) ?? 0;
  }

  /** Reserves memory for this many triggers and gauges. */
  reserve(count: number): void {
    if (count >= this.#targets.length) this.#makeRoom(count);
    const heaps = (count + 1) * 2;
    if (heaps > this.#roots.length) this.#roots = longerInts(this.#roots, heaps);
  }

  add(id: string, gauge: number, { direction, level, inclusive }: Terms): void {
    const row = this.#newRow();
    this.#lastSequence += 1;
    this.#rowOf.set(id, row);
    this.#ids[row] = id;
    this.#targets[row] = gauge * 4 + sideOf(direction) * 2 + (inclusive === true ? 1 : 0);
    this.#sequences[row] = this.#lastSequence;
    this.#levels.set(row, level);
    this.#insert(row, level);
  }

  remove(row: number): void {
    this.#take(row);
    this.#levels.clear(row);
    this.#rowOf.delete(this.id(row));
    this.#ids[row] = '';
    this.#targets[row] = this.#freeRow;
    this.#freeRow = row;
  }

  /** Changes a trigger's level. It keeps its place in the order of arming. */
  move(row: number, level: DecimalString): void {
    this.#take(row);
    this.#levels.set(row, level);
    this.#insert(row, level);
  }

  id(row: number): string {
    return this.#ids[row] ?? '';
  }

  gauge(row: number): number {
    return int(this.#targets, row) >> 2;
  }

  side(row: number): HeapSide {
    return ((int(this.#targets, row) >> 1) & 1) as HeapSide;
  }

  direction(row: number): Direction {
    return this.side(row) === UP ? 'MORE_THAN' : 'LESS_THAN';
  }

  /** True: reaching the level exactly counts as crossing it. */
  isInclusive(row: number): boolean {
    return (int(this.#targets, row) & 1) === 1;
  }

  level(row: number): Decimal {
    return this.#levels.get(row);
  }

  /** Key of the level nearest to being crossed; +Infinity if the side is empty. */
  nearest(gauge: number, side: HeapSide): number {
    return this.#heaps.least(this.#root(gauge, side));
  }

  isEmpty(gauge: number): boolean {
    return this.#root(gauge, UP) === 0 && this.#root(gauge, DOWN) === 0;
  }

  /** Appends the rows of one side whose key is at most `limit`. */
  collect(gauge: number, side: HeapSide, limit: number, into: number[]): void {
    this.#heaps.collect(this.#root(gauge, side), limit, into);
  }

  /** Rows in the order of their arming. */
  inOrder(rows: number[]): number[] {
    return rows.length < 2 ? rows : rows.sort((a, b) => real(this.#sequences, a) - real(this.#sequences, b));
  }

  #root(gauge: number, side: HeapSide): number {
    return this.#roots[gauge * 2 + side] ?? 0;
  }

  /** Keys are rounded to the nearest float, which keeps the order: a farther level never gets the nearer key. */
  #insert(row: number, level: DecimalString): void {
    const heap = int(this.#targets, row) >> 1;
    if (heap >= this.#roots.length) this.#roots = longerInts(this.#roots, roomier(heap, this.#roots.length));
    const near = Number(level);
    const key = this.side(row) === UP ? near : -near;
    this.#roots[heap] = this.#heaps.insert(int(this.#roots, heap), row, key);
  }

  #take(row: number): void {
    const heap = int(this.#targets, row) >> 1;
    this.#roots[heap] = this.#heaps.remove(int(this.#roots, heap), row);
  }

  #newRow(): number {
    const freed = this.#freeRow;
    if (freed !== 0) {
      this.#freeRow = int(this.#targets, freed);
      return freed;
    }
    this.#lastRow += 1;
    if (this.#lastRow >= this.#targets.length) this.#makeRoom(this.#lastRow);
    return this.#lastRow;
  }

  #makeRoom(last: number): void {
    const room = roomier(last, this.#targets.length);
    this.#targets = longerInts(this.#targets, room);
    this.#sequences = longerReals(this.#sequences, room);
    this.#levels.reserve(last);
    this.#heaps.reserve(last);
  }
}
