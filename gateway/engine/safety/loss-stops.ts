/**
 * Suspends holders of mandates that have reached their loss stop, checked with the marks at most once a second. If the
 * mandate says so, their shares are closed, with retries (`close-retries.ts`), until nothing is left or the user
 * resumes the holder. It stores nothing itself: suspensions, reasons and holdings are on disk already. The user is
 * notified once why a position could not be closed.
 */

import { CLOSE_SLIPPAGE } from '../../domain/close-slippage.ts';
import { type Decimal, text } from '../../domain/decimal.ts';
import type { Execution, Position, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { stopNotification } from '../../domain/notification.ts';
import { otherSide } from '../../domain/position.ts';
import { ok, type Result } from '../../domain/result.ts';
import { type EngineError, noop } from '../core/errors.ts';
import type { FollowUp } from '../core/follow-ups.ts';
import { shutFor } from '../core/may-open.ts';
import { LOSS_STOPPED } from '../core/warden.ts';
import { type AcceptDeps, type Intention, startExecution } from '../execution/start-execution.ts';
import { noticeOf } from '../notices/notify.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
import type { Unsubscribe } from '../ports/system.ts';
import { type Circumstances, CloseRetries } from './close-retries.ts';

const LOOK_EVERY_MS = 1_000;

export class LossStops {
  readonly #deps: AcceptDeps;
  readonly #retries = new CloseRetries();
  /** Positions whose close is running, by execution. */
  readonly #closing = new Map<string, string>();
  /** Positions that could not be closed and of which the user was notified. */
  readonly #told = new Set<string>();
  #stopTicks: Unsubscribe = () => {};
  #cancelLook: Unsubscribe | null = null;
  #isStopping = false;

  constructor(deps: AcceptDeps) {
    this.#deps = deps;
    deps.followUps.onExecutionEnded((ended) => this.#ended(ended));
  }

  /** Starts the checks, also for holders suspended before a restart. To be called after `Engine.start`. */
  start(): void {
    this.#stopTicks = this.#deps.market.onTick(() => this.#soon());
    this.#soon();
  }

  stop(): void {
    this.#isStopping = true;
    this.#stopTicks();
    this.#cancelLook?.();
  }

  #soon(): void {
    if (this.#cancelLook !== null || this.#isStopping) return;
    const stoppable = this.#deps.warden.bound().some(({ mandate }) => mandate.lossStop !== null);
    if (!stoppable) return;
    this.#cancelLook = this.#deps.clock.after(LOOK_EVERY_MS, () => {
      this.#cancelLook = null;
      const due = new Set(this.#deps.warden.bound().flatMap((bound) => this.#look(bound)));
      this.#retries.keep(due);
      for (const id of this.#told) if (!due.has(id)) this.#told.delete(id);
    });
  }

  /** @returns the positions to close */
  #look(bound: BoundMandate): readonly string[] {
    const { warden } = this.#deps;
    const { lossStop } = bound.mandate;
    if (lossStop === null) return [];
    const keys = warden.keysOf(bound);
    const held = warden.holdings.held(keys);
    if (held.length === 0) return [];
    if (bound.suspended === null && warden.hasLost(bound)) warden.stopLoss(bound);
    const now = warden.of({ authorityKind: bound.holder.kind, authorityId: bound.holder.id });
    const isStopped = now?.suspended?.reason.startsWith(LOSS_STOPPED) === true;
    if (!isStopped || lossStop.then !== 'SUSPEND_AND_CLOSE') return [];
    const ids = [...new Set(held.map(({ positionId }) => positionId))];
    for (const id of ids) this.#close(bound, keys, id);
    return ids;
  }

  #close(bound: BoundMandate, keys: readonly string[], positionId: string): void {
    const { state, logger, accountOf } = this.#deps;
    const position = state.positions.get(positionId);
    const account = position === undefined ? undefined : accountOf(position.tradeAccountId);
    if (position === undefined || account === undefined) return;
    const now = this.#circumstances(position, account);
    if ([...this.#closing.values()].includes(positionId) || !this.#retries.isDue(positionId, now)) return;
    this.#retries.tried(positionId, now);
    const { kind: authorityKind, id: authorityId } = bound.holder;
    startExecution(this.#deps, {
      account,
      basketKey: position.basketKey,
      placed: { authorityKind, authorityId },
      whenBusy: 'refuse',
      decide: () => this.#closingOf(keys, positionId),
      commitWith: ({ id }) => {
        this.#closing.set(id, positionId);
        return {};
      },
    })
      .then((started) => {
        if (started.ok) return;
        for (const [id, of] of this.#closing) if (of === positionId) this.#closing.delete(id);
        if (started.error.code === 'RESOURCE_BUSY') this.#retries.notTried(positionId);
        logger.warn({ positionId, reason: started.error.message }, 'A loss stop could not close yet');
      })
      .catch((error: unknown) => logger.error({ err: error, positionId }, 'A loss stop could not close'))
      // Without ticks no further check would follow.
      .finally(() => this.#soon());
  }

  #circumstances({ connector, legs }: Position, account: TradeAccount): Circumstances {
    const { clock, market } = this.#deps;
    const marks = legs.flatMap(({ symbol }): (readonly [string, string])[] => {
      const mark = market.isStale(connector, symbol) ? undefined : market.quote(connector, symbol)?.mark;
      return mark === undefined ? [] : [[symbol, mark]];
    });
    const shut = shutFor(this.#deps, account);
    const takesOrders = shut === null || shut.reason === 'CLOSE_ONLY';
    return { uptime: clock.uptime(), marks: new Map(marks), takesOrders };
  }

  /** Notifies the user once why the position is not closed; the notification commits with the end of the close. */
  #ended(ended: Execution): FollowUp | null {
    const positionId = this.#closing.get(ended.id);
    if (positionId === undefined) return null;
    this.#closing.delete(ended.id);
    const position = this.#deps.state.positions.get(positionId);
    if (ended.status === 'COMPLETED' || position === undefined || this.#told.has(positionId)) return null;
    const reason = `A loss stop could not close its share: ${ended.error ?? 'nothing filled'}. It tries again.`;
    const about = { legs: position.legs, positionId, executionId: ended.id };
    return {
      unit: noticeOf(this.#deps, position, about, (subject) =>
        stopNotification('STOP_LOSS_FAILED', subject, reason),
      ),
      committed: () => this.#told.add(positionId),
    };
  }

  /** Close of the holder's share of the position, without the shares of others. */
  #closingOf(keys: readonly string[], positionId: string): Result<Intention, EngineError> {
    const { state, warden } = this.#deps;
    const position = state.positions.get(positionId);
    if (position === undefined) return noop('The position is already closed');
    const shares = position.legs.map((leg) => warden.holdings.shareOf(keys, positionId, leg.symbol));
    const legs = position.legs.flatMap((leg, index) => closingLeg(leg, shares[index]));
    if (legs.length === 0) return noop('Nothing of the position is its own');
    const isWhole = position.legs.every((leg, index) => shares[index]?.gte(leg.quantity) === true);
    return ok({
      legs,
      slippage: CLOSE_SLIPPAGE,
      intent: isWhole ? 'CLOSE' : 'REDUCE',
      position,
      onLegFailure: 'RETRY',
      clientId: null,
    });
  }
}

function closingLeg(
  { symbol, side, quantity }: Position['legs'][number],
  share: Decimal | undefined,
): readonly TradeLeg[] {
  if (share === undefined || share.isZero() || quantity === '0') return [];
  return [{ symbol, side: otherSide(side), mode: 'BASE', amount: text(share) }];
}
