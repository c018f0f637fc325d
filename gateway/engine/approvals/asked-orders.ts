/**
 * Approvals in memory: those that wait, and those of the last day, by the request that they are about. A request that is
 * repeated finds its approval here before anything is judged.
 */
import { type Approval, isOver } from '../../domain/approval.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import { holderKey } from '../core/mandate-usage.ts';

/** As long as an `Idempotency-Key` is kept. */
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
  /** Holder → ids of those of its approvals that wait, oldest first. */
  readonly #waiting = new Map<string, Set<string>>();
  /** Holder and route → ids of approvals that only what they ask for tells apart. */
  readonly #unkeyed = new Map<string, Set<string>>();

  /** Oldest first, so that the latest approval of a request is the one that is found. */
  load(approvals: readonly Approval[]): void {
    for (const approval of approvals) this.put(approval);
  }

  get(id: string): Approval | undefined {
    return this.#byId.get(id);
  }

  /** Adds or replaces an approval: one that is about to wait, or one whose step is on disk. */
  put(approval: Approval): void {
    const { id, holder, request } = approval;
    this.#byId.set(id, approval);
    this.#byRequest.set(keyOf({ holder, ...request }), id);
    if (approval.status === 'PENDING') add(this.#waiting, holderKey(holder), id);
    else remove(this.#waiting, holderKey(holder), id);
    if (request.idempotencyKey === null) add(this.#unkeyed, routeKey(holder, request.route), id);
  }

  /** Takes back an approval that could not be written. */
  drop({ id, holder, request }: Approval): void {
    this.#byId.delete(id);
    const key = keyOf({ holder, ...request });
    if (this.#byRequest.get(key) === id) this.#byRequest.delete(key);
    remove(this.#waiting, holderKey(holder), id);
    remove(this.#unkeyed, routeKey(holder, request.route), id);
  }

  /**
   * False: no approval is about such a request, whatever it asks for. Asked before `of`, because the hash of what a request
   * asks for takes longer than judging it.
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

  /** Those that wait: oldest first of one holder, or everybody's. */
  waiting(holder?: MandateHolder): readonly Approval[] {
    if (this.#waiting.size === 0) return NONE;
    const ids =
      holder === undefined
        ? [...this.#waiting.values()].flatMap((some) => [...some])
        : [...(this.#waiting.get(holderKey(holder)) ?? NONE)];
    return ids.map((id) => this.#byId.get(id)).filter((approval) => approval !== undefined);
  }

  /** Forgets what no request can be a repetition of any more. */
  forget(now: number): void {
    for (const approval of this.#byId.values()) {
      const isRemembered = now - approval.createdAt < REMEMBERED_MS || !isOver(approval, now);
      if (approval.status !== 'PENDING' && !isRemembered) this.drop(approval);
    }
  }
}

/** With an `Idempotency-Key` requests are the same by the key, without one by what they ask for. */
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
