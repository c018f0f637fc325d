import type { Clock, Unsubscribe } from '../../../../gateway/engine/ports/system.ts';

/** Calls `run` each `ms`, first after `ms`, until the returned function is called. */
export function every(clock: Clock, ms: number, run: () => void): Unsubscribe {
  const next = () => {
    run();
    cancel = clock.after(ms, next);
  };
  let cancel = clock.after(ms, next);
  return () => cancel();
}
