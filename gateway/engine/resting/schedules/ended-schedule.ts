/** Finds the ended schedule of a slice's execution, because a late fill still belongs to its ledger. */
import type { Execution } from '../../../domain/model.ts';
import type { Schedule } from '../../../domain/schedule.ts';
import type { PageRequest } from '../../ports/pages.ts';
import type { Store } from '../../ports/store.ts';

/** Duration of the longest schedule, with an hour for pauses, ms. */
const LONGEST_MS = 25 * 60 * 60 * 1_000;
const PAGE = 200;

export async function endedWithSlice(
  store: Pick<Store, 'schedule' | 'schedules'>,
  { id, tradeAccountId, basketKey, createdAt }: Execution,
): Promise<Schedule | undefined> {
  for (let after: PageRequest['after'] = null; ; ) {
    const page = await store.schedules({ tradeAccountId }, { limit: PAGE, after });
    for (const row of page.rows) {
      if (row.createdAt < createdAt - LONGEST_MS) return undefined;
      if (row.basketKey !== basketKey || row.createdAt > createdAt) continue;
      const schedule = await store.schedule(tradeAccountId, row.id);
      if (schedule?.slices.some(({ executionId }) => executionId === id) === true) return schedule;
    }
    if (page.next === null) return undefined;
    after = page.next;
  }
}
