/**
 * Watches the disk of the data folder: warns while little is free, and keeps closing possible when it is full. Nothing
 * leaves unrecorded: a close, a panic or a pause that the full disk refuses is recorded in the space of the reserve,
 * and only then sent. Openings wait until the reserve is set aside again.
 */
import { fail } from '../domain/result.ts';
import { reducesPosition } from '../engine/execution/basket-job.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger, Unsubscribe } from '../engine/ports/system.ts';
import type { UnitOfWork } from '../engine/ports/unit-of-work.ts';
import { createDiskReserve, freeBytes } from '../system/disk-reserve.ts';

const LOOK_EVERY_MS = 60_000;
/** Once the start is over: filling the reserve is the largest write of an idle gateway. */
const FIRST_FILL_MS = 5_000;
const MIB = 1024 * 1024;
const LOW_BELOW = 1024 * MIB;
/** Free space above which the shortage counts as over, so that the warning is not repeated at every few bytes. */
const ENOUGH_ABOVE = 1280 * MIB;

export type DiskNews = (reason: string) => void;

export interface DiskWatch {
  /** The store, whose commits may use the reserve. */
  guard(store: Store): Store;
  /** The trouble of the disk, for `/ready`; null: none. Looks for its end first. */
  problem(): Promise<{ readonly isFull: boolean; readonly detail: string } | null>;
  onNews(listener: DiskNews): Unsubscribe;
  start(): Unsubscribe;
}

/** @param free bytes that may still be written; replaced by tests */
export function createDiskWatch(deps: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly free?: () => Promise<number>;
}): DiskWatch {
  const { dataDir, clock, logger, free = () => freeBytes(dataDir) } = deps;
  const reserve = createDiskReserve(dataDir, free);
  const listeners = new Set<DiskNews>();
  let refusedSince: number | null = null;
  let refused = 0;
  let usedReserve = false;
  let lowBytes: number | null = null;

  function tell(reason: string): void {
    logger.warn({}, reason);
    for (const listener of listeners) listener(reason);
  }

  function noteRefusal(): void {
    refusedSince ??= clock.now();
    refused += 1;
  }

  function noteEnd(): void {
    if (refusedSince === null || reserve.isOut) return;
    const from = new Date(refusedSince).toISOString();
    const closing = usedReserve ? ' Closing went on, in the space that was set aside for it.' : '';
    const to = new Date(clock.now()).toISOString();
    const count = refused === 1 ? 'once' : `${refused} times`;
    refusedSince = null;
    refused = 0;
    usedReserve = false;
    tell(`The disk of the data folder took no writes from ${from} to ${to}, and refused ${count}.${closing}`);
  }

  async function refill(): Promise<boolean> {
    if (!(await reserve.fill())) return false;
    noteEnd();
    return true;
  }

  async function look(): Promise<void> {
    const bytes = await free().catch(() => null);
    if (bytes === null) return;
    if (bytes > ENOUGH_ABOVE) lowBytes = null;
    else if (bytes < LOW_BELOW) {
      const isNew = lowBytes === null;
      lowBytes = bytes;
      if (isNew) tell(lowText(bytes));
    }
  }

  return {
    guard: (store) => ({
      ...store,
      async commit(unit) {
        if (reserve.isOut && !mayUseReserve(unit) && !(await refill())) {
          noteRefusal();
          return fail({ kind: 'unavailable', message: 'the disk is full; what is left is for closing' });
        }
        const first = await store.commit(unit);
        if (first.ok) noteEnd();
        if (first.ok || !isDiskRefusal(first.error)) return first;
        noteRefusal();
        if (!closesOrPauses(unit) || !(await reserve.release())) return first;
        usedReserve = true;
        logger.warn({}, 'The disk is full: closing goes on in the space that was set aside');
        return store.commit(unit);
      },
    }),
    async problem() {
      if (reserve.isOut && !(await refill()))
        return { isFull: true, detail: `the disk of ${dataDir} is full: only closing orders are taken` };
      return lowBytes === null ? null : { isFull: false, detail: lowText(lowBytes) };
    },
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      void look();
      let cancel = clock.after(FIRST_FILL_MS, () => {
        void refill();
        next();
      });
      const next = () => {
        cancel = clock.after(LOOK_EVERY_MS, () => {
          void look();
          void refill();
          next();
        });
      };
      return () => cancel();
    },
  };
}

function lowText(bytes: number): string {
  return `${Math.floor(bytes / MIB)} MiB are free on the disk of the data folder: free some space before it is full`;
}

/** A refusal of the disk, not of a store that is closed or overloaded. */
function isDiskRefusal({ kind, message }: { readonly kind: string; readonly message: string }): boolean {
  return kind === 'unavailable' && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(message);
}

/** True: closes, in any of their steps, or the pause of a user. */
function closesOrPauses(unit: UnitOfWork): boolean {
  const executions = [...(unit.newExecutions ?? []), ...(unit.executions ?? [])];
  if (executions.length > 0) return executions.every(reducesPosition);
  return unit.settings?.some(({ key }) => key.startsWith('safety:')) === true;
}

/** True: everything but openings, and records that do not depend on trades. */
function mayUseReserve(unit: UnitOfWork): boolean {
  const opens = unit.newExecutions?.some((execution) => !reducesPosition(execution)) === true;
  const waits = [unit.newSchedules, unit.ladders].some((rows) => (rows?.length ?? 0) > 0);
  const { candles, fundingRates, equitySamples, ...rest } = unit;
  return !opens && !waits && Object.keys(rest).length > 0;
}
