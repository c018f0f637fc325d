/**
 * Rounds of a fired bracket, see `domain/bracket-rounds.ts`. Between two rounds the bracket is TRIGGERED with the time
 * of the next round on disk, so that a restart continues it. A round's execution and the changes of both brackets are
 * one unit, and so are the round's end and its consequences.
 *
 * At every commit, an open position that had a stop-loss has a stop-loss that is ACTIVE, TRIGGERED, or PAUSED while a
 * round of the take-profit is executing.
 */
import { inherited } from '../../../domain/authority.ts';
import {
  type BracketRecord,
  giveWay,
  goOn,
  noteMet,
  roundSlippage,
  roundsOf,
  roundWaitMs,
  tryAgain,
  waitsForRound,
  watchesWhilePaused,
} from '../../../domain/bracket-rounds.ts';
import { dec } from '../../../domain/decimal.ts';
import { filledLegs, hasFilled, sumOfFilled } from '../../../domain/filled.ts';
import type { Execution, Position, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import {
  cancelTrigger,
  completeTrigger,
  fireTrigger,
  pauseTrigger,
  resumeTrigger,
  type Trigger,
} from '../../../domain/trigger.ts';
import type { EngineError } from '../../core/errors.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import { type AcceptDeps, type Intention, startExecution } from '../../execution/start-execution.ts';
import type { Unsubscribe } from '../../ports/system.ts';
import { closeIntention } from '../../positions/change-position.ts';
import type { TriggerParts } from './trigger-parts.ts';

export const POSITION_CLOSED = 'The position was closed';
const TRY_AGAIN_MS = 1_000;

type RoundParts = Pick<TriggerParts, 'live' | 'changes' | 'table'>;

export class BracketRounds {
  readonly #deps: AcceptDeps;
  readonly #parts: RoundParts;
  readonly #planned = new Map<string, Unsubscribe>();
  #isStopping = false;

  constructor(deps: AcceptDeps, parts: RoundParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /**
   * At start: plans the next round of each bracket that is between two rounds, and resumes each bracket that was
   * paused while the position's other bracket executed a round.
   */
  start(): void {
    for (const [id, { record }] of this.#parts.live.all()) {
      if (record === null || record.bracketType === null) continue;
      if (waitsForRound(record)) this.#plan(record);
      if (record.pauseReason === 'OTHER_BRACKET') void this.#resumeAlone(id);
    }
  }

  stop(): void {
    this.#isStopping = true;
    for (const cancel of this.#planned.values()) cancel();
    this.#planned.clear();
  }

  /** Trade of the bracket's next round. NOOP_ERROR if the position is closed. */
  intention(bracket: BracketRecord): Result<Intention, EngineError> {
    const { bracketType, armed, positionId, clientId } = bracket;
    const closing = closeIntention(this.#deps, this.#deps.state.positions.get(positionId ?? ''), {
      fraction: '1',
      slippage: roundSlippage(bracketType, armed.bracket, roundsOf(bracket)),
      clientId,
    });
    const isStopLoss = bracketType === 'STOP_LOSS';
    return closing.ok ? ok({ ...closing.value, origin: 'BRACKET', isStopLoss }) : closing;
  }

  /**
   * True: the other bracket of the position has priority, because its round is executing or because it is a TRIGGERED
   * stop-loss. The caller holds the locks of both.
   */
  mustWait(bracket: BracketRecord): boolean {
    const { live } = this.#parts;
    if (bracket.positionId !== null && live.closingNow(bracket.positionId) !== undefined) return true;
    return live
      .othersOf(bracket)
      .some((other) => other.bracketType === 'STOP_LOSS' && other.status === 'TRIGGERED');
  }

  /**
   * Pauses a bracket that was met at `value` until the other bracket's round has ended. Then a stop-loss fires; a
   * take-profit is checked again. False: the store refused the change.
   */
  async hold(bracket: BracketRecord, value: string): Promise<boolean> {
    const now = this.#deps.clock.now();
    const paused = bracket.status === 'ACTIVE' ? pauseTrigger(bracket, 'OTHER_BRACKET', now) : ok(bracket);
    if (!paused.ok) return true;
    const held = { ...bracket, ...paused.value } as BracketRecord;
    const after = watchesWhilePaused(held) ? noteMet(held, value, now) : held;
    return (await this.#parts.table.commit([bracket], [this.#parts.changes.changed(after)])).ok;
  }

  /** Follow-up of a bracket's first round. The caller holds the locks of the position's brackets. */
  fired(bracket: BracketRecord, execution: Execution, value: string): FollowUp {
    const now = this.#deps.clock.now();
    return this.#begins(bracket, fireTrigger(bracket, { value, executionId: execution.id }, now), now);
  }

  /** Follow-up of a round's end. @param position the basket's open position; null: the basket has none */
  ended(before: BracketRecord, ended: Execution, position: Position | null): FollowUp | null {
    const now = this.#deps.clock.now();
    const ofRound = filledLegs(ended.orders);
    const bracket = { ...before, filled: sumOfFilled([before.filled, ofRound]) };
    if (position === null || position.id !== bracket.positionId) {
      const over =
        hasFilled(ofRound) || ended.status === 'COMPLETED'
          ? completeTrigger(bracket, bracket.positionId, now)
          : cancelTrigger(bracket, POSITION_CLOSED, now);
      return over.ok ? this.#parts.changes.changed(over.value) : null;
    }
    const next = goOn(bracket, reasonOf(bracket, ended, position), now);
    if (!next.ok) return null;
    const went = this.#parts.changes.wentOn(next.value);
    const planned = { unit: {}, committed: () => this.#plan(next.value) };
    return together([went, planned, ...this.#resumedOthers(bracket)]);
  }

  /** Resumes the position's other brackets. One whose lock is taken is resumed right after the commit. */
  #resumedOthers(bracket: BracketRecord): readonly FollowUp[] {
    const { live, changes } = this.#parts;
    const paused = live.othersOf(bracket).filter(({ pauseReason }) => pauseReason === 'OTHER_BRACKET');
    return paused.flatMap((other) => {
      const unlock = live.tryLock(other.id);
      if (unlock === null) return [{ unit: {}, committed: () => void this.#resumeAlone(other.id) }];
      const resumed = resumeTrigger(other, this.#deps.clock.now());
      if (!resumed.ok) {
        unlock();
        return [];
      }
      const change = changes.changed(resumed.value, 'now');
      const committed = () => {
        change.committed?.();
        unlock();
      };
      return [{ ...change, committed }];
    });
  }

  async #resumeAlone(id: string): Promise<void> {
    const { live, changes, table } = this.#parts;
    while (!this.#isStopping) {
      const unlock = await live.lock(id);
      try {
        const record = live.get(id)?.record ?? null;
        if (record === null || record.pauseReason !== 'OTHER_BRACKET') return;
        // The other bracket's round is still executing; its end resumes this bracket.
        if (live.closingNow(record.positionId ?? '') !== undefined) return;
        const resumed = resumeTrigger(record, this.#deps.clock.now());
        if (!resumed.ok) return;
        if ((await table.commit([record], [changes.changed(resumed.value, 'now')])).ok) return;
      } finally {
        unlock();
      }
      await this.#deps.clock.sleep(TRY_AGAIN_MS);
    }
  }

  #plan(bracket: BracketRecord, waitMs = this.#untilNext(bracket)): void {
    if (this.#isStopping) return;
    this.#planned.get(bracket.id)?.();
    const run = () => {
      this.#planned.delete(bracket.id);
      void this.#nextRound(bracket.id).catch((error: unknown) => {
        if (this.#isStopping) return;
        this.#deps.logger.error({ err: error, triggerId: bracket.id }, 'a round of a bracket did not begin');
        this.#plan(bracket, roundWaitMs(roundsOf(bracket)));
      });
    };
    this.#planned.set(bracket.id, this.#deps.clock.after(waitMs, run));
  }

  /** Wait until the bracket's next round, ms. If the clock was set back, the round is not delayed. */
  #untilNext(bracket: BracketRecord): number {
    const due = (bracket.armed.work?.nextRoundAt ?? 0) - this.#deps.clock.now();
    return Math.max(0, Math.min(due, roundWaitMs(roundsOf(bracket))));
  }

  async #nextRound(id: string): Promise<void> {
    const { live, table } = this.#parts;
    const unlock = await live.lockGroup(id);
    try {
      const bracket = live.get(id)?.record ?? null;
      // The bracket was removed, or the other bracket took priority.
      if (this.#isStopping || bracket === null || bracket.bracketType === null || !waitsForRound(bracket))
        return;
      const account = this.#deps.accountOf(bracket.tradeAccountId);
      const refused = account === undefined ? null : await this.#start(bracket, account);
      if (refused === 'started') return;
      const over = refused === null ? 'The trade account was removed' : POSITION_CLOSED;
      if ((refused === null || refused.code === 'NOOP_ERROR') && (await table.cancel(bracket, over))) return;
      const { code, message } = refused ?? {};
      this.#deps.logger.warn({ triggerId: id, code, message }, 'a round of a bracket waits');
      this.#plan(bracket, roundWaitMs(roundsOf(bracket)));
    } finally {
      unlock();
    }
  }

  async #start(bracket: BracketRecord, account: TradeAccount): Promise<'started' | EngineError> {
    let followUp: FollowUp | null = null;
    const started = await startExecution(this.#deps, {
      account,
      basketKey: bracket.basketKey,
      placed: inherited(bracket),
      whenBusy: 'wait',
      decide: () => this.intention(bracket),
      commitWith: (execution) => {
        const now = this.#deps.clock.now();
        followUp = this.#begins(bracket, tryAgain(bracket, execution.id, now), now);
        return followUp.unit;
      },
      committed: () => followUp?.committed?.(),
    });
    return started.ok ? 'started' : started.error;
  }

  /** Starts a round of `bracket`: the position's other brackets are paused. */
  #begins(bracket: BracketRecord, next: Result<Trigger, { readonly from: string }>, now: number): FollowUp {
    const { live, changes } = this.#parts;
    if (!next.ok) throw new Error(`bracket ${bracket.id} cannot begin a round: ${next.error.from}`);
    const others = live.othersOf(bracket).flatMap((other) => {
      const moved = waitsForRound(other)
        ? giveWay(other, now)
        : other.status === 'ACTIVE'
          ? pauseTrigger(other, 'OTHER_BRACKET', now)
          : null;
      return moved?.ok === true ? [changes.changed(moved.value)] : [];
    });
    return together([changes.changed(next.value), ...others]);
  }
}

/** Error text: the reason for the round's end and the quantity still open. */
function reasonOf(bracket: BracketRecord, ended: Execution, position: Position): string {
  const rounds = roundsOf(bracket) + 1;
  const open = position.legs
    .filter(({ quantity }) => !dec(quantity).isZero())
    .map(({ quantity, symbol, side }) => `${quantity} ${symbol} ${side === 'BUY' ? 'long' : 'short'}`);
  const why = ended.error ?? 'The position is not closed yet.';
  const wait = roundWaitMs(rounds) / 1_000;
  return `Round ${rounds}: ${why} Still open: ${open.join(', ')}. It goes on in ${wait} s.`;
}
