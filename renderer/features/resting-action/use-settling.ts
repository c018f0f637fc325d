/** Changes of waiting orders as a hook: which are on their way, which settle, and what is said at their end. */
import { useCallback } from 'react';
import { create } from 'zustand';
import type { ReadRoute } from '../../api/queries.ts';
import { say, sayError } from '../../components/toast.tsx';
import { readAnew } from '../read-anew/read-anew.ts';
import { settle } from './settle.ts';

export type Progress = 'sending' | 'settling';

export interface SettlingAction {
  /** What it is done to: its id, or a name of the whole. */
  readonly key: string;
  readonly change: () => Promise<unknown>;
  /** `Trigger cancelled` */
  readonly done: string;
  /** `The trigger was not cancelled` */
  readonly notDone: string;
}

/** For cells of tables, which are drawn anew only for what they look at themselves. */
const useProgressOfAll = create<ReadonlyMap<string, Progress>>(() => new Map());

/** null: nothing is on its way. */
export function useProgress(key: string): Progress | null {
  return useProgressOfAll((all) => all.get(key) ?? null);
}

function note(key: string, step: Progress | null): void {
  const after = new Map(useProgressOfAll.getState());
  if (step === null) after.delete(key);
  else after.set(key, step);
  useProgressOfAll.setState(after, true);
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs one change and says how it ended; resolves with false when it was refused.
 * @param changes reads that are old afterwards, besides what events say; keep its identity
 */
export function useSettling(changes: readonly ReadRoute[]): (action: SettlingAction) => Promise<boolean> {
  return useCallback(
    async ({ key, change, done, notDone }) => {
      note(key, 'sending');
      try {
        const outcome = await settle(change, wait, () => note(key, 'settling'));
        if (outcome.kind === 'done') say(done, { kind: 'success' });
        else say('Nothing to do', { detail: outcome.message });
        return true;
      } catch (error) {
        sayError(notDone, error);
        return false;
      } finally {
        await readAnew(...changes);
        note(key, null);
      }
    },
    [changes],
  );
}
