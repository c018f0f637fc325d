/**
 * A change of a resource that may be busy: cancel, pause, resume. An order that is firing or being executed cannot be
 * changed for a moment (409 `RESOURCE_BUSY`), so the change is retried until the resource has settled. These requests
 * are safe to repeat: none of them places an order.
 */
import { NothingToDo, ResourceBusy } from '../../../gateway/client/client.ts';

export type Settled<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  /** The resource was in the wanted state already: information, not a failure. */
  | { readonly kind: 'nothing'; readonly message: string };

export interface SettleTimes {
  /** The first pause; each further pause is half as long again. */
  readonly firstPauseMs: number;
  readonly giveUpAfterMs: number;
}

export const SETTLE_TIMES: SettleTimes = { firstPauseMs: 300, giveUpAfterMs: 20_000 };
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 2_000;

/**
 * While new orders are paused, the gateway also answers "busy" to changes that would open a position, and waiting
 * does not help.
 */
function settlesByItself(error: unknown): error is ResourceBusy {
  if (!(error instanceof ResourceBusy)) return false;
  const { details } = error;
  return !(
    typeof details === 'object' &&
    details !== null &&
    'reason' in details &&
    details.reason === 'PAUSED'
  );
}

/**
 * @param onSettling called once, when the first answer was "busy"
 * @throws any other error of the gateway, and its "busy" when that has lasted too long
 */
export async function settle<Answer>(
  change: () => Promise<Answer>,
  wait: (ms: number) => Promise<void>,
  onSettling: () => void = () => undefined,
  times: SettleTimes = SETTLE_TIMES,
): Promise<Settled<Answer>> {
  let waited = 0;
  let pause = times.firstPauseMs;
  for (;;) {
    try {
      return { kind: 'done', answer: await change() };
    } catch (error) {
      if (error instanceof NothingToDo) return { kind: 'nothing', message: error.message };
      if (!settlesByItself(error) || waited >= times.giveUpAfterMs) throw error;
    }
    if (waited === 0) onSettling();
    await wait(pause);
    waited += pause;
    pause = Math.min(LONGEST_PAUSE_MS, pause * GROWTH);
  }
}
