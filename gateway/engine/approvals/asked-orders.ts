/**
 * Approvals in memory: those that wait, and those of the last day, by the request that they are about. A request that is
 * repeated finds its approval here before anything is judged.
 */
import { type Approval, isOver } from '../../domain/approval.ts';
import type { MandateHolder } from '../../domain/mandate.ts';

/** As long as an `Idempotency-Key` is kept. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

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

  /** Oldest first, so that the latest approval of a request is the one that is found. */
  load(approvals: readonly Approval[]): void {
    for (const approval of approvals) this.put(approval);
  }

  get(id: string): Approval | undefined {
    return this.#byId.get(id);
  }

  /** Adds or replaces an approval: one that is about to wait, or one whose step is on disk. */
  put(approval: Approval): void {
    this.#byId.set(approval.id, approval);
    this.#byRequest.set(keyOf({ holder: approval.holder, ...approval.request }), approval.id);
  }

  /** Takes back an approval that could not be written. */
  drop({ id, holder, request }: Approval): void {
    this.#byId.delete(id);
    const key = keyOf({ holder, ...request });
    if (this.#byRequest.get(key) === id) this.#byRequest.delete(key);
  }

  of(request: Request): Approval | undefined {
    return this.#byId.get(this.#byRequest.get(keyOf(request)) ?? '');
  }

  /** Those that wait, oldest first; of one holder, or of everybody. */
  waiting(holder?: MandateHolder): readonly Approval[] {
    return [...this.#byId.values()].filter(
      (approval) =>
        approval.status === 'PENDING' &&
        (holder === undefined || (approval.holder.kind === holder.kind && approval.holder.id === holder.id)),
    );
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
function keyOf({ holder: { kind, id }, route, idempotencyKey, contentHash }: Request): string {
  return idempotencyKey === null
    ? `${kind} ${id} content ${contentHash}`
    : `${kind} ${id} key ${route} ${idempotencyKey}`;
}
