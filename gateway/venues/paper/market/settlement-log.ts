/** Settled funding rates, kept until the caller that advanced the market has had the chance to read them. */
import type { DecimalString } from '../../../domain/decimal.ts';

export interface SettledBoundary {
  readonly at: number;
  /** Rates and marks per instrument, in listing order. */
  readonly rates: readonly DecimalString[];
  readonly marks: readonly DecimalString[];
}

export interface Settlement {
  readonly id: string;
  readonly rate: DecimalString;
  readonly markPrice: DecimalString;
  readonly at: number;
}

/** Number of funding boundaries that are kept across advances and in a snapshot. */
const KEPT = 3;

export class SettlementLog {
  private boundaries: SettledBoundary[] = [];

  add(boundary: SettledBoundary): void {
    this.boundaries.push(boundary);
  }

  /**
   * Called before each advance of the market: all boundaries that one advance crosses, however many, stay readable
   * until the next advance.
   */
  trim(): void {
    if (this.boundaries.length > KEPT) this.boundaries = this.boundaries.slice(-KEPT);
  }

  between(after: number, upTo: number, ids: readonly string[]): readonly Settlement[] {
    const settled: Settlement[] = [];
    for (const { at, rates, marks } of this.boundaries) {
      if (at <= after || at > upTo) continue;
      for (const [i, id] of ids.entries()) {
        settled.push({ id, rate: rates[i] ?? '0', markPrice: marks[i] ?? '0', at });
      }
    }
    return settled;
  }

  state(): readonly SettledBoundary[] {
    return this.boundaries.slice(-KEPT);
  }

  restore(state: readonly SettledBoundary[]): void {
    this.boundaries = [...state];
  }
}
