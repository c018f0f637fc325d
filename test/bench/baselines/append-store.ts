/**
 * The gateway's store with its acknowledging commit replaced by the least that is durable: records appended to a file,
 * one write and one fdatasync for all that wait (group commit). Nothing can be read back from it.
 */
import { open } from 'node:fs/promises';
import type { Execution } from '../../../gateway/domain/model.ts';
import { ok } from '../../../gateway/domain/result.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';

export async function withAppendLog(store: Store, file: string): Promise<Store> {
  const log = await open(file, 'a', 0o600);
  let waiting: {
    readonly line: string;
    readonly written: () => void;
    readonly failed: (e: unknown) => void;
  }[] = [];
  let running: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await log.write(batch.map(({ line }) => line).join(''));
        await log.datasync();
        for (const { written } of batch) written();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    running = null;
  }

  function append(executions: readonly Execution[]): Promise<void> {
    return new Promise((written, failed) => {
      waiting.push({ line: `${JSON.stringify(executions)}\n`, written, failed });
      running ??= drain();
    });
  }

  return {
    ...store,
    async commit(unit) {
      const { newExecutions, ...rest } = unit;
      if (newExecutions === undefined || newExecutions.length === 0) return store.commit(rest);
      await append(newExecutions);
      return ok([]);
    },
    async close() {
      await running;
      await log.close();
      await store.close();
    },
  };
}
