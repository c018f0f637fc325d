/**
 * Thins equity samples: all are kept for two days, then those of each hour that a drawdown needs, and after 92 days those
 * of each day. Works through each account's samples once, in batches; a cursor says how far.
 */
import { needlessSamples } from '../../domain/equity-thinning.ts';
import { DAY_MS, HOUR_MS } from '../../domain/history-range.ts';
import type { EquitySample } from '../../domain/portfolio.ts';
import type { HistoryReads } from '../portfolio/history-reads.ts';
import type { Writer } from './writer.ts';

const STEPS = [
  { period: HOUR_MS, olderThan: 2 * DAY_MS, cursor: 'equity-hours' },
  { period: DAY_MS, olderThan: 92 * DAY_MS, cursor: 'equity-days' },
] as const;

/** Samples that are read at once: a day of minutes, and those after trades. */
const BATCH_ROWS = 2_000;
/** Maximum rows that one statement deletes: about a millisecond of the writer's time. */
const CHUNK_ROWS = 500;
const DELETE = `DELETE FROM equity_samples WHERE trade_account_id = ?1 AND at IN (SELECT value FROM json_each(?2))`;

export interface ThinDeps {
  readonly writer: Writer;
  readonly history: Pick<HistoryReads, 'samples' | 'sampledAccounts'>;
  readonly cursor: (tradeAccountId: string, kind: string) => Promise<string | null>;
}

export async function thinEquity(deps: ThinDeps, now: number): Promise<void> {
  for (const tradeAccountId of await deps.history.sampledAccounts()) {
    for (const step of STEPS) await thinAccount(deps, tradeAccountId, step, now);
  }
}

async function thinAccount(
  { writer, history, cursor }: ThinDeps,
  tradeAccountId: string,
  { period, olderThan, cursor: kind }: (typeof STEPS)[number],
  now: number,
): Promise<void> {
  const to = Math.floor((now - olderThan) / period) * period;
  const known = Number((await cursor(tradeAccountId, kind)) ?? Number.MIN_SAFE_INTEGER);
  for (let from = known; from < to; ) {
    const samples = await history.samples(tradeAccountId, { from, to }, BATCH_ROWS);
    const periods = inPeriods(samples, period);
    // The last period of a full batch may have more samples.
    const whole = samples.length < BATCH_ROWS ? periods : periods.slice(0, Math.max(1, periods.length - 1));
    const done = samples.length < BATCH_ROWS ? to : (whole.at(-1)?.at(-1)?.at ?? to) + 1;
    const needless = whole.flatMap(needlessSamples).map(({ at }) => at);
    for (let first = 0; first < needless.length; first += CHUNK_ROWS) {
      const chunk = JSON.stringify(needless.slice(first, first + CHUNK_ROWS));
      // After a failed write the next prune tries again from the cursor.
      if (!(await writer.exclusive(DELETE, [tradeAccountId, chunk])).ok) return;
    }
    const moved = await writer.commit({ cursors: [{ tradeAccountId, kind, value: done.toString() }] });
    if (!moved.ok) return;
    from = done;
  }
}

function inPeriods(samples: readonly EquitySample[], period: number): readonly (readonly EquitySample[])[] {
  const byPeriod = new Map<number, EquitySample[]>();
  for (const sample of samples) {
    const number = Math.floor(sample.at / period);
    const group = byPeriod.get(number);
    if (group === undefined) byPeriod.set(number, [sample]);
    else group.push(sample);
  }
  return [...byPeriod.values()];
}
