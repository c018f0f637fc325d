/**
 * Gaps between a venue's position and its explanation, per account and instrument, as they were read: only a gap that
 * stands still for a while, with the history read and no order on its way, is taken for the truth.
 */
import type { Decimal } from '../../domain/decimal.ts';
import { text } from '../../domain/decimal.ts';

const STANDS_FOR_MS = 15_000;

export class Gaps {
  readonly #read = new Map<string, { readonly gap: string; readonly since: number }>();

  /**
   * @param gap signed base units; zero forgets the gap read before
   * @param uptime of the clock, ms: the time that a gap stands must not depend on a wall clock that may be set
   */
  note(tradeAccountId: string, symbol: string, gap: Decimal, uptime: number): void {
    const key = `${tradeAccountId} ${symbol}`;
    const value = text(gap);
    if (value === '0') this.#read.delete(key);
    else if (this.#read.get(key)?.gap !== value) this.#read.set(key, { gap: value, since: uptime });
  }

  /** True: the same gap was read at least twice, over 15 s. */
  isSettled(tradeAccountId: string, symbol: string, gap: Decimal, uptime: number): boolean {
    const read = this.#read.get(`${tradeAccountId} ${symbol}`);
    return read !== undefined && read.gap === text(gap) && uptime - read.since >= STANDS_FOR_MS;
  }
}
