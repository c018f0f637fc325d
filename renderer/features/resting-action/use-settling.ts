/** Changes of resting orders as a hook: progress of each change, and the message at its end. */
import { useCallback } from 'react';
import { create } from 'zustand';
import type { ReadRoute } from '../../api/queries.ts';
import { readAnew } from '../../api/queries.ts';
import { useMaybeAccount } from '../../api/session.ts';
import { say, sayError } from '../../components/toast.tsx';
import { settle } from './settle.ts';

export type Progress = 'sending' | 'settling';

export interface SettlingAction {
  /** Id of the changed order, or a name for a change of all. */
  readonly key: string;
  readonly change: () => Promise<unknown>;
  /** Message of a success: `Trigger cancelled` */
  readonly done: string;
  /** Message of a failure: `The trigger was not cancelled` */
  readonly notDone: string;
}

/** Shared store for table cells, which re-render only for their own subscriptions. */
const useProgressOfAll = create<ReadonlyMap<string, Progress>>(() => new Map());

/** null: no change with this key is under way. */
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
 * Runs one change and shows its outcome in a toast; resolves with false when the change was refused.
 * @param changes reads that are stale afterwards, besides those that events name; must keep its identity
 */
export function useSettling(changes: readonly ReadRoute[]): (action: SettlingAction) => Promise<boolean> {
  // The account at the time of the change, even if another one is shown when it ends.
  const account = useMaybeAccount() ?? undefined;
  return useCallback(
    async ({ key, change, done, notDone }) => {
      note(key, 'sending');
      try {
        const outcome = await settle(change, wait, () => note(key, 'settling'));
        if (outcome.kind === 'done') say(done, { kind: 'success', account });
        else say('Nothing to do', { detail: outcome.message, account });
        return true;
      } catch (error) {
        sayError(notDone, error, account);
        return false;
      } finally {
        await readAnew(...changes);
        note(key, null);
      }
    },
    [changes, account],
  );
}
