/**
 * Commits units as fast as it can, 32 at a time, and prints the execution id of each one that was acknowledged.
 * Started by test/recovery/store-crash.test.ts, which kills it. Argument: the data file.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../../gateway/store/open-store.ts';
import { systemClock } from '../../../gateway/system/clock.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import { event, execution, fill, position, silentLogger } from '../../support/store-records.ts';

const COMMITTERS = 32;

const ids = createIds(systemClock);
const store = await openStore({ file: process.argv[2] ?? '', clock: systemClock, logger: silentLogger });

async function commitForEver(): Promise<never> {
  for (;;) {
    const id = ids.next();
    const positionId = ids.next();
    const result = await store.commit({
      newExecutions: [execution({ id, positionId }, 4)],
      fills: [fill({ id: ids.next(), executionId: id, tradeId: id })],
      positions: [position({ id: positionId })],
      idempotency: [
        {
          userId: 'user',
          route: 'r',
          key: id,
          requestHash: 'h',
          status: 202,
          answer: '{}',
          createdAt: systemClock.now(),
        },
      ],
      cursors: [{ tradeAccountId: 'account', kind: 'history', value: id }],
      events: [event({ entityId: id }), event({ entityId: id })],
    });
    if (!result.ok) throw new Error(result.error.message);
    // Synchronous: what was acknowledged is in the pipe before anything else happens.
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: COMMITTERS }, commitForEver));
