/**
 * Approval queue: orders that wait for a person. The user decides; time, the holder's withdrawal, or the end of its
 * grant or key ends them. Memory follows the disk, except that a request counts from the moment it is made.
 *
 * The steps of one approval run one after the other. The store (migration 19) makes sure that it ends once: the result
 * of an approved order is committed in the unit that makes the approval APPROVED, or not at all.
 */
import {
  type Approval,
  type ApprovalEvent,
  approvalAfter,
  isOver,
  MAX_WAITING_APPROVALS,
} from '../../domain/approval.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import { type EngineError, notFound, type Refusable, storeFailed } from '../core/errors.ts';
import type {
  ApprovalDesk,
  ApprovalRequest,
  AskedRequest,
  DeskAnswer,
  WaitingApproval,
} from '../ports/approval-desk.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { answerOf, endedAnswer, FULL, OTHER_REQUEST, UNWRITTEN, waitsAnswer } from './answers.ts';
import { type Actor, asked, BY_ITSELF, expired, stepped } from './approval-rows.ts';
import { AskedOrders, REMEMBERED_MS } from './asked-orders.ts';
import { type ApprovalDeps, newApproval, recordOf } from './new-approval.ts';

/** Wait before a step that could not be written is tried again, ms. */
const AGAIN_MS = 5_000;
/** Longest wait of one timer, ms: a changed wall clock is noticed within it. */
const LONGEST_WAIT_MS = 60_000;

const DISCONNECTED = 'The agent that asked for it was disconnected, or its key has ended';
const TAKEN_BACK = 'Whoever asked for it has taken it back';
const SUSPENDED = 'Whoever asked for it was suspended';
const NO_ACCOUNT = 'Its trade account was removed';
const NOT_ARMED = 'Its trade account is not armed for it any more';

export class Approvals implements ApprovalDesk {
  readonly deps: ApprovalDeps;
  readonly #orders = new AskedOrders();
  readonly #queue = new KeyedQueue();
  /** Approval id → stops its timer. */
  readonly #timers = new Map<string, Unsubscribe>();
  #isStopped = false;
  /** Called once a request for approval is on disk. */
  onAsked: (approvalId: string) => void = () => {};

  constructor(deps: ApprovalDeps) {
    this.deps = deps;
  }

  /** Reads pending approvals and ends those that expired while the gateway was off. Call before answering requests. */
  async load(): Promise<void> {
    const { store, clock } = this.deps;
    this.#orders.load(await store.approvalsSince(clock.now() - REMEMBERED_MS));
    await Promise.all(this.#orders.waiting().map(({ id }) => this.#look(id)));
  }

  /** Checks all pending approvals after the machine woke from sleep. */
  woke(): void {
    for (const { id } of this.#orders.waiting()) void this.#look(id);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  known(holder: MandateHolder, account: TradeAccount, request: AskedRequest): DeskAnswer | null {
    const { route, idempotency } = request;
    if (!this.#orders.canKnow({ holder, route, idempotencyKey: idempotency?.key ?? null })) return null;
    const recorded = recordOf(account, request);
    const approval = this.#orders.of({ holder, ...recorded });
    if (approval === undefined) return null;
    return approval.request.contentHash === recorded.contentHash
      ? answerOf(approval, this.deps.clock.now())
      : OTHER_REQUEST;
  }

  async ask(request: ApprovalRequest): Promise<DeskAnswer> {
    const now = this.deps.clock.now();
    this.#orders.forget(now);
    if (this.#orders.waiting(request.holder).length >= MAX_WAITING_APPROVALS) return FULL;
    const approval = newApproval(this.deps, request, now);
    this.#orders.put(approval);
    const committed = await this.deps.store.commit(asked(this.deps, approval, this.#asker(approval)));
    if (!committed.ok) {
      this.#orders.drop(approval);
      return UNWRITTEN;
    }
    this.#wait(approval);
    this.onAsked(approval.id);
    return waitsAnswer(approval);
  }

  waiting(holder: MandateHolder): readonly WaitingApproval[] {
    return this.#orders.waiting(holder);
  }

  /** Number of orders that wait for the user's approval. */
  waitingOf(userId: string): number {
    return this.#orders.waiting().filter((approval) => approval.userId === userId).length;
  }

  /** Denies the order, by the user. */
  deny(userId: string, id: string, sessionId: string, actor: Actor): Refusable<Approval> {
    return this.inTurn(userId, id, (approval) => {
      const denied = this.after(approval, 'deny', { decidedBy: sessionId });
      return this.keep(denied, stepped(this.deps, denied, 'approval.denied', actor));
    });
  }

  /** Withdraws the holder's own order. Another holder's order is RESOURCE_NOT_FOUND. */
  withdraw(holder: MandateHolder, userId: string, id: string): Refusable<Approval> {
    return this.inTurn(userId, id, async (approval) => {
      if (!isOf(approval, holder)) return notFound('Approval');
      const withdrawn = this.after(approval, 'withdraw', { withdrawnBecause: TAKEN_BACK });
      const unit = stepped(this.deps, withdrawn, 'approval.withdrawn', this.#asker(approval));
      return this.keep(withdrawn, unit);
    });
  }

  /** Withdraws the pending orders of a holder whose grant or key has ended, or that was suspended. */
  async holderStopped(holder: MandateHolder): Promise<void> {
    await Promise.all(this.#orders.waiting(holder).map(({ id }) => this.#look(id)));
  }

  /** Withdraws pending orders that can no longer be placed, after the account was removed or its arming changed. */
  async accountChanged(tradeAccountId: string): Promise<void> {
    const there = this.#orders.waiting().filter((approval) => approval.tradeAccountId === tradeAccountId);
    await Promise.all(there.map(({ id }) => this.#look(id)));
  }

  /**
   * Runs a step of a pending approval in its turn. Errors: RESOURCE_NOT_FOUND; NOOP_ERROR once the approval has ended,
   * also if this is found only now; those of `step`.
   */
  inTurn<T>(userId: string, id: string, step: (approval: Approval) => Refusable<T>): Refusable<T> {
    return this.#queue.run(id, async () => {
      const approval = this.#orders.get(id) ?? (await this.deps.store.approval(id));
      if (approval === null || approval.userId !== userId) return notFound('Approval');
      const current = await this.#upToDate(approval);
      return current.status === 'PENDING' ? step(current) : endedAnswer(current);
    });
  }

  /** Approval after a step that its state table allows. */
  after(approval: Approval, event: ApprovalEvent, changes: Partial<Approval>): Approval {
    const now = this.deps.clock.now();
    const decidedAt = event === 'replan' ? null : now;
    const next = approvalAfter(approval, event, { ...changes, decidedAt, updatedAt: now });
    if (next === null) throw new Error(`no ${event} of an approval that is ${approval.status}`);
    return next;
  }

  /** Commits a step. To be called in the approval's turn. */
  async keep(next: Approval, unit: UnitOfWork): Promise<Result<Approval, EngineError>> {
    const committed = await this.deps.store.commit(unit);
    if (!committed.ok) return storeFailed(committed.error);
    this.taken(next);
    return ok(next);
  }

  /** Updates memory after a step is on disk. */
  taken(next: Approval): void {
    this.#orders.put(next);
    if (next.status !== 'PENDING') this.#stopTimer(next.id);
  }

  /** Ends an approval that is no longer pending, because it expired or because something that it needs is gone. */
  async #upToDate(approval: Approval): Promise<Approval> {
    if (approval.status !== 'PENDING') return approval;
    const ended = this.#endedByNow(approval);
    if (ended === null) return approval;
    const unit =
      ended.status === 'EXPIRED'
        ? expired(this.deps, ended)
        : stepped(this.deps, ended, 'approval.withdrawn', BY_ITSELF);
    const kept = await this.keep(ended, unit);
    // An end that could not be written counts all the same: a full disk accepts no order either.
    if (!kept.ok) this.#timer(approval.id, AGAIN_MS);
    return ended;
  }

  /** Approval with its end; null: it stays pending. */
  #endedByNow(approval: Approval): Approval | null {
    if (isOver(approval, this.deps.clock.now())) return this.after(approval, 'expire', {});
    const withdrawnBecause = this.#lost(approval);
    return withdrawnBecause === null ? null : this.after(approval, 'withdraw', { withdrawnBecause });
  }

  /** Reason in words why the approval can no longer be placed; null: none. */
  #lost({ holder, tradeAccountId }: Approval): string | null {
    const { accountOf, holderOf, isArmed, book } = this.deps;
    const placed = { authorityKind: holder.kind, authorityId: holder.id };
    if (holderOf(holder)?.isAlive !== true) return DISCONNECTED;
    if ((book.of(placed)?.suspended ?? null) !== null) return SUSPENDED;
    const account = accountOf(tradeAccountId);
    if (account === undefined) return NO_ACCOUNT;
    return isArmed(account, placed) ? null : NOT_ARMED;
  }

  async #look(id: string): Promise<void> {
    await this.#queue.run(id, async () => {
      const approval = this.#orders.get(id);
      if (approval === undefined) return;
      const current = await this.#upToDate(approval);
      if (current.status === 'PENDING') this.#wait(current);
    });
  }

  #wait({ id, expiresAt }: Approval): void {
    this.#timer(id, Math.min(Math.max(expiresAt - this.deps.clock.now(), 0), LONGEST_WAIT_MS));
  }

  #timer(id: string, delayMs: number): void {
    this.#stopTimer(id);
    if (this.#isStopped) return;
    const cancel = this.deps.clock.after(delayMs, () => {
      this.#look(id).catch((error: unknown) => {
        this.deps.logger.error({ err: error, approvalId: id }, 'An approval could not be looked at');
      });
    });
    this.#timers.set(id, cancel);
  }

  #stopTimer(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }

  #asker({ holder }: Approval): Actor {
    return { method: holder.kind, client: this.deps.holderOf(holder)?.client ?? holder.id, ip: null };
  }
}

function isOf({ holder }: Approval, { kind, id }: MandateHolder): boolean {
  return holder.kind === kind && holder.id === id;
}
