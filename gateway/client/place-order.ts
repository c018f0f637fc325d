/**
 * A timeout is not a failure. An order is sent under an `Idempotency-Key`; when no answer comes, the gateway is asked what
 * it acknowledged under that key before the order is sent again under the same one. So the order is placed once, whatever
 * is lost on the way.
 */
import type { KeyedRoute } from '../contract/trading.ts';
import { GatewayUnreachable, isUnsure, OutcomeUnknown, ResourceBusy, ResourceNotFound } from './errors.ts';
import type { Absence } from './presence.ts';
import type { Execution } from './route-types.ts';
import type { Send, TransportRequest } from './transport.ts';
import { Patience, wait } from './wait.ts';

export interface PlaceSettings {
  /**
   * Default: a random key. Give a key of your own, stored before the call, to go on after a crash of your program.
   */
  readonly idempotencyKey?: string;
  /** For how long to go on without an answer. Default 60 s. */
  readonly giveUpAfterMs?: number;
}

const GIVE_UP_AFTER_MS = 60_000;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Routes whose executions can be read by key; for other routes, sending the same request again gets the first answer.
 */
const READABLE = new Set<string>([
  'POST /trade/open',
  'POST /positions/{id}/close',
  'POST /positions/{id}/adjust',
  'POST /positions/{id}/reverse',
  'POST /positions/{id}/rebalance',
] satisfies readonly KeyedRoute[]);

/**
 * @returns the body of the 202 answer; if that answer was lost, `execution` and `intent` as they are now
 * @throws Refusal if the gateway refuses; OutcomeUnknown at the deadline; GatewayUnreachable when nobody answers for too
 *   long and nothing was sent
 */
export async function placeOrder(
  send: Send,
  route: string,
  request: TransportRequest & PlaceSettings,
  absence: Absence,
): Promise<unknown> {
  const { giveUpAfterMs = GIVE_UP_AFTER_MS, ...parts } = request;
  const idempotencyKey = parts.idempotencyKey ?? randomKey();
  const deadline = AbortSignal.timeout(giveUpAfterMs);
  const patience = new Patience(LONGEST_PAUSE_MS);
  /** Failure of the last attempt. */
  let unsure: unknown = null;
  /** True: an attempt may have reached the gateway. */
  let maybeSent = false;
  for (;;) {
    let gone: GatewayUnreachable | null = null;
    try {
      const known =
        maybeSent && READABLE.has(route) ? await readByKey(send, route, parts, idempotencyKey) : null;
      return known ?? (await send(route, { ...parts, idempotencyKey }));
    } catch (error) {
      // After a lost answer, ResourceBusy may be caused by this client's own first request, which the gateway is
      // still processing.
      if (!isUnsure(error) && !(maybeSent && error instanceof ResourceBusy)) throw error;
      unsure = error;
      if (error instanceof GatewayUnreachable) {
        gone = absence.missed(error);
      } else {
        absence.answered();
        maybeSent = true;
      }
    }
    if (gone !== null && !maybeSent) throw gone;
    // Until the deadline nobody took the request.
    if (deadline.aborted && !maybeSent) throw unsure;
    if (gone !== null || deadline.aborted) throw new OutcomeUnknown(idempotencyKey, gone ?? unsure);
    await patience.wait(parts.signal);
  }
}

/** null: the gateway has acknowledged no order under the key so far. */
async function readByKey(
  send: Send,
  route: string,
  { tradeAccountId, timeoutMs, signal }: TransportRequest,
  key: string,
): Promise<{ readonly execution: Execution; readonly intent: Execution['intent'] } | null> {
  const request = { query: { key, route }, tradeAccountId, timeoutMs, signal };
  const answer = await acknowledged(() => send('GET /executions/by-key', request));
  if (answer === null) return null;
  const { execution } = answer as { readonly execution: Execution };
  return { execution, intent: execution.intent };
}

/**
 * For callers that never send an order again: looks for an order whose answer was lost until the gateway knows it.
 * @param ask `GET /executions/by-key` with the order's key and route
 * @param goOn called after each attempt that found nothing; `hasNoRecord`: the gateway has said so, else the outcome
 * is unknown
 * @returns null when `goOn` returns false
 * @throws Refusal other than that there is no record
 */
export async function findPlaced<Found>(
  ask: () => Promise<Found>,
  goOn: (hasNoRecord: boolean) => boolean,
  everyMs: number,
): Promise<Found | null> {
  for (;;) {
    let hasNoRecord = true;
    try {
      const found = await acknowledged(ask);
      if (found !== null) return found;
    } catch (error) {
      if (!isUnsure(error)) throw error;
      hasNoRecord = false;
    }
    if (!goOn(hasNoRecord)) return null;
    await wait(everyMs);
  }
}

async function acknowledged<Found>(ask: () => Promise<Found>): Promise<Found | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ResourceNotFound) return null;
    throw error;
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that a browser does not trust. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
