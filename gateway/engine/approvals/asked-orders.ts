/**
 * Approvals in memory, by request: pending ones, and those of the last day. A repeated request finds its approval here
 * before anything is judged.
 */
import { type Approval, isOver } from '../../domain/approval.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import { holderKey } from '../core/mandate-usage.ts';

/** As long as an `Idempotency-Key` is kept, ms. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

const NONE: readonly never[] = [];

interface Request {
  readonly holder: MandateHolder;
  readonly route: string;
  readonly idempotencyKey: string | null;
  readonly contentHash: string;
}

export class AskedOrders {
  readonly #byId = new Map<string, Approval>();
  /** Request → id of its latest approval. */
  readonly #byRequest = new Map<string, string>();
  /** Holder → ids of its pending approvals, oldest first. */
  readonly #waiting = new Map<string, Set<string>>();
  /** Holder and route → ids of approvals without a key, which only their content distinguishes. */
  readonly #unkeyed = new Map<string, Set<string>>();

  /** Loads approvals, oldest first, so that a request finds its latest one. */
  load(approvals: readonly Approval[]): void {
    for (const approval of approvals) this.put(approval);
  }

  get(id: string): Approval | undefined {
    return this.#byId.get(id);
  }

  /** Adds or replaces an approval: a new one, or one whose step is on disk. */
  put(approval: Approval): void {
    const { id, holder, request } = approval;
    this.#byId.set(id, approval);
    this.#byRequest.set(keyOf({ holder, ...request }), id);
    if (approval.status === 'PENDING') add(this.#waiting, holderKey(holder), id);
    else remove(this.#waiting, holderKey(holder), id);
    if (request.idempotencyKey === null) add(this.#unkeyed, routeKey(holder, request.route), id);
  }

  /** Removes an approval that could not be written. */
  drop({ id, holder, request }: Approval): void {
    this.#byId.delete(id);
    const key = keyOf({ holder, ...request });
    if (this.#byRequest.get(key) === id) this.#byRequest.delete(key);
    remove(this.#waiting, holderKey(holder), id);
    remove(this.#unkeyed, routeKey(holder, request.route), id);
  }

  /**
   * False: no approval has such a request, whatever its content. Called before `of`, because hashing the content takes
   * longer than judging the request.
   */
  canKnow({ holder, route, idempotencyKey }: Omit<Request, 'contentHash'>): boolean {
    if (this.#byId.size === 0) return false;
    return idempotencyKey === null
      ? this.#unkeyed.has(routeKey(holder, route))
      : this.#byRequest.has(byIdempotencyKey(holder, route, idempotencyKey));
  }

  of(request: Request): Approval | undefined {
    return this.#byId.get(this.#byRequest.get(keyOf(request)) ?? '');
  }

  /** Pending approvals: oldest first of one holder, or those of all holders. */
  waiting(holder?: MandateHolder): readonly Approval[] {
    if (this.#waiting.size === 0) return NONE;
    const ids =
      holder === undefined
        ? [...this.#waiting.values()].flatMap((some) => [...some])
        : [...(this.#waiting.get(holderKey(holder)) ?? NONE)];
    return ids.map((id) => this.#byId.get(id)).filter((approval) => approval !== undefined);
  }

  /** Forgets approvals that no request can repeat any more. */
  forget(now: number): void {
    for (const approval of this.#byId.values()) {
      const isRemembered = now - approval.createdAt < REMEMBERED_MS || !isOver(approval, now);
      if (approval.status !== 'PENDING' && !isRemembered) this.drop(approval);
    }
  }
}

/** Key of a request: its `Idempotency-Key`, or without one the hash of its content. */
function keyOf({ holder, route, idempotencyKey, contentHash }: Request): string {
  return idempotencyKey === null
    ? `${holderKey(holder)} content ${contentHash}`
    : byIdempotencyKey(holder, route, idempotencyKey);
}

function byIdempotencyKey(holder: MandateHolder, route: string, idempotencyKey: string): string {
  return `${holderKey(holder)} key ${route} ${idempotencyKey}`;
}

function routeKey(holder: MandateHolder, route: string): string {
  return `${holderKey(holder)} ${route}`;
}

function add(sets: Map<string, Set<string>>, key: string, id: string): void {
  const ids = sets.get(key);
  if (ids === undefined) sets.set(key, new Set([id]));
  else ids.add(id);
}

function remove(sets: Map<string, Set<string>>, key: string, id: string): void {
  const ids = sets.get(key);
  if (ids?.delete(id) === true && ids.size === 0) sets.delete(key);
}
