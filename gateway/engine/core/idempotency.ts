/**
 * `Idempotency-Key` of the order-placing routes. The key's record is committed in the same unit as the effect that it
 * protects, so the key holds across a crash: either both are on disk or neither.
 */

import type { TradeAccount } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';
import type { Store } from '../ports/store.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import { busy, type EngineError, invalid } from './errors.ts';

/** Makes an object under an idempotency key. `answer` is the first answer's JSON text, committed for replays. */
export interface MakeCommand<Made> {
  readonly account: TradeAccount;
  readonly idempotency: IdempotentRequest | null;
  readonly answer: (made: Made) => string;
  /** Worst prices that were agreed to, by instrument. Default none. */
  readonly worstPrices?: ReadonlyMap<string, string> | null;
  /** The request itself, where its caller is bound by a mandate. */
  readonly asked?: AskedRequest | null;
}

/** Status of a key that is claimed before an act that must not be done twice; its answer is yet to come. */
export const CLAIMED = 0;
/** `createdAt` of a claim that is given up: far in the past, so the claim counts as expired and the key is free. */
export const RELEASED_AT = 0;

export interface IdempotentRequest {
  readonly userId: string;
  /** `METHOD path-pattern`. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 hex over everything that distinguishes the request. */
  readonly requestHash: string;
}

export interface Answered {
  readonly status: number;
  /** Body of the answer, JSON text. */
  readonly json: string;
  readonly replayed: boolean;
}

export class Idempotency {
  /** Record of each key that a request is working on, as stored before that request. */
  readonly #inHand = new Map<string, Promise<IdempotencyRecord | null>>();
  readonly #store: Pick<Store, 'idempotency'>;

  constructor(store: Pick<Store, 'idempotency'>) {
    this.#store = store;
  }

  /**
   * Runs `first` once per key; `first` commits its effect together with the record that it gets from `record`. A
   * request whose key has an answer gets that answer; while `first` still runs, it is refused as in progress.
   */
  async run(
    request: IdempotentRequest | null,
    first: (
      record: (status: number, json: string, now: number) => readonly IdempotencyRecord[],
    ) => Promise<Result<Answered, EngineError>>,
  ): Promise<Result<Answered, EngineError>> {
    if (request === null) return first(() => []);
    const flight = `${request.userId} ${request.route} ${request.key}`;
    const inHand = this.#inHand.get(flight);
    if (inHand !== undefined) {
      const stored = await inHand;
      return stored === null
        ? busy('A request with this Idempotency-Key is still running')
        : replay(stored, request);
    }
    const looked = this.#store.idempotency(request.userId, request.route, request.key);
    this.#inHand.set(flight, looked);
    try {
      const stored = await looked;
      if (stored !== null) return replay(stored, request);
      return await first((status, json, now) => [{ ...request, status, answer: json, createdAt: now }]);
    } finally {
      this.#inHand.delete(flight);
    }
  }
}

function replay(stored: IdempotencyRecord, request: IdempotentRequest): Result<Answered, EngineError> {
  if (stored.requestHash !== request.requestHash) {
    const changed = invalid('idempotency-key', 'This key was used with a different request');
    return fail(changed.error);
  }
  if (stored.status === CLAIMED) {
    return busy('The outcome of the first request with this Idempotency-Key is not known', {
      reason: 'OUTCOME_UNKNOWN',
    });
  }
  return ok({ status: stored.status, json: stored.answer, replayed: true });
}
