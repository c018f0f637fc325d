/**
 * Differences between a venue's position and the gateway's records, per account and instrument. A difference is
 * believed only if it stays the same for a while, with the history read and no order in flight.
 *
 * A venue that reports less than the records may be wrong for a while: real venues return empty lists for minutes.
 * Believed too early, a basket would be booked as closed outside and lose its stop-loss. So such an answer needs
 * further evidence (`position-evidence.ts`), or has to stay the same for minutes.
 */
import type { Decimal } from '../../domain/decimal.ts';
import { text } from '../../domain/decimal.ts';

const STANDS_FOR_MS = 15_000;
const UNPROVEN_STANDS_FOR_MS = 5 * 60_000;
/** Answers required without evidence. One in `COUNTED_EVERY_MS` counts: two alone say little of the time between. */
const UNPROVEN_ANSWERS = 5;
const COUNTED_EVERY_MS = 30_000;

interface Read {
  readonly gap: string;
  readonly since: number;
  readonly answers: number;
  readonly countedAt: number;
}

export class Gaps {
  readonly #read = new Map<string, Map<string, Read>>();

  /**
   * @param gap signed base units; zero forgets the earlier gap
   * @param uptime ms on the monotonic clock, because the wall clock can be set while a gap lasts
   */
  note(tradeAccountId: string, symbol: string, gap: Decimal, uptime: number): void {
    const ofAccount = this.#read.get(tradeAccountId) ?? new Map<string, Read>();
    this.#read.set(tradeAccountId, ofAccount);
    const value = text(gap);
    const before = ofAccount.get(symbol);
    if (value === '0') ofAccount.delete(symbol);
    else if (before?.gap !== value)
      ofAccount.set(symbol, { gap: value, since: uptime, answers: 1, countedAt: uptime });
    else if (uptime - before.countedAt >= COUNTED_EVERY_MS)
      ofAccount.set(symbol, { ...before, answers: before.answers + 1, countedAt: uptime });
  }

  /** Forgets the account's gaps in instruments other than `differing`. To be called after the whole answer was read. */
  noteAll(tradeAccountId: string, differing: ReadonlySet<string>): void {
    const ofAccount = this.#read.get(tradeAccountId);
    for (const symbol of ofAccount?.keys() ?? []) if (!differing.has(symbol)) ofAccount?.delete(symbol);
  }

  /**
   * True: the same gap was read at least twice over 15 s with further evidence, or in at least 5 answers over 5
   * minutes.
   */
  isSettled(
    tradeAccountId: string,
    symbol: string,
    gap: Decimal,
    { uptime, isProven }: { readonly uptime: number; readonly isProven: boolean },
  ): boolean {
    const read = this.#read.get(tradeAccountId)?.get(symbol);
    if (read === undefined || read.gap !== text(gap)) return false;
    const standsFor = uptime - read.since;
    return isProven
      ? standsFor >= STANDS_FOR_MS
      : standsFor >= UNPROVEN_STANDS_FOR_MS && read.answers >= UNPROVEN_ANSWERS;
  }
}
