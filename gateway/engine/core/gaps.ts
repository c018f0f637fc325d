/**
 * Differences between a venue's position and what the gateway's records explain, per account and instrument. A
 * difference is believed only if it stays the same for a while, with the history read and no order in flight.
 */
import type { Decimal } from '../../domain/decimal.ts';
import { text } from '../../domain/decimal.ts';

const STANDS_FOR_MS = 15_000;

export class Gaps {
  readonly #read = new Map<string, { readonly gap: string; readonly since: number }>();

  /**
   * @param gap signed base units; zero forgets the gap read before
   * @param uptime ms on the monotonic clock: how long a gap lasts must not depend on the wall clock, which can be set
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
