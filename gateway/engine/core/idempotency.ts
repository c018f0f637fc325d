/**
 * `Idempotency-Key` of the order-placing routes. The key's record is committed in the same unit as the effect that it
 * protects, so the key holds across a crash: either both are on disk or neither.
 */

import type { MandateHolder } from '../../domain/mandate.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { ShownHeld } from '../../domain/shown-held.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';
import type { Store } from '../ports/store.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import { busy, type EngineError, invalid } from './errors.ts';

/** Makes an object under an idempotency key. `answer` is the first answer's JSON text, committed for replays. */
export interface MakeCommand<Made> {
  readonly account: TradeAccount;
  readonly idempotency: IdempotentRequest | null;
  readonly answer: (made: Made) => string;
  /** Worst prices that the caller agreed to, by instrument. Default none. */
  readonly worstPrices?: ReadonlyMap<string, string> | null;
  /** Quantities of a position that its preview showed. Default: the request was not previewed. */
  readonly shown?: ShownHeld | null;
  /** The request itself, if a mandate binds its caller. */
  readonly asked?: AskedRequest | null;
}

/** Owner of a key: the same text from another owner is another key. */
export interface KeyOwner {
  readonly userId: string;
  /** API key or grant that sent it. Left out: the user, whose sessions share their keys. */
  readonly holder?: MandateHolder | undefined;
}

export function keyOwner(principal: Principal): KeyOwner {
  const { userId } = principal;
  if (principal.kind === 'session') return { userId };
  const id = principal.kind === 'api_key' ? principal.keyId : principal.grantId;
  return { userId, holder: { kind: principal.kind, id } };
}

/** Stored answer of a key; null: none, or older than a day. */
export async function keptAnswer(
  store: Pick<Store, 'idempotency'>,
  { userId, holder }: KeyOwner,
  route: string,
  key: string,
): Promise<IdempotencyRecord | null> {
  const own = await store.idempotency(userId, route, keyText({ holder, key }));
  // Earlier versions stored a key as it was sent, shared by all of its user's holders.
  return own ?? store.idempotency(userId, route, key);
}

/** Stored text of a key. No key that is sent contains a tab. */
function keyText({ holder, key }: Pick<IdempotentRequest, 'holder' | 'key'>): string {
  return `${holder === undefined ? 'user' : `${holder.kind} ${holder.id}`}\t${key}`;
}

/** Status of a key that is claimed before an irreversible act and has no answer yet. */
export const CLAIMED = 0;
/** `createdAt` of a claim that is given up: far in the past, so the claim counts as expired and the key is free. */
export const RELEASED_AT = 0;

export interface IdempotentRequest extends KeyOwner {
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
    const { userId, route, requestHash } = request;
    const key = keyText(request);
    const flight = `${userId} ${route} ${key}`;
    const inHand = this.#inHand.get(flight);
    if (inHand !== undefined) {
      const stored = await inHand;
      return stored === null
        ? busy('A request with this Idempotency-Key is still running')
        : replay(stored, request);
    }
    const looked = keptAnswer(this.#store, request, route, request.key);
    this.#inHand.set(flight, looked);
    try {
      const stored = await looked;
      if (stored !== null) return replay(stored, request);
      return await first((status, json, now) => [
        { userId, route, key, requestHash, status, answer: json, createdAt: now },
      ]);
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
