/**
 * Stops holders of mandates that have lost what they may lose: with the marks, at most once a second, and where the mandate
 * says so their shares are closed, again and again until nothing is left of them or their user has resumed them. Nothing is
 * kept for it: who is suspended, by what and what it holds is on disk already.
 */
import { type Decimal, text } from '../../domain/decimal.ts';
import type { Position, TradeLeg } from '../../domain/model.ts';
import { otherSide } from '../../domain/position.ts';
import { ok, type Result } from '../../domain/result.ts';
import { CLOSE_SLIPPAGE } from '../../domain/sizing.ts';
import { type EngineError, noop } from '../core/errors.ts';
import { LOSS_STOPPED } from '../core/warden.ts';
import { type AcceptDeps, type Intention, startExecution } from '../execution/start-execution.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
import type { Unsubscribe } from '../ports/system.ts';

const LOOK_EVERY_MS = 1_000;
/** Pause between two closes of one position: the first may have found no liquidity. */
const AGAIN_MS = 5_000;

export class LossStops {
  readonly #deps: AcceptDeps;
  /** Position → uptime from which on it may be closed again. */
  readonly #closed = new Map<string, number>();
  #stopTicks: Unsubscribe = () => {};
  #cancelLook: Unsubscribe | null = null;
  #isStopping = false;

  constructor(deps: AcceptDeps) {
    this.#deps = deps;
  }

  /** To be called after `Engine.start`: whoever was stopped before a restart is closed now. */
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
      for (const bound of this.#deps.warden.bound()) this.#look(bound);
    });
  }

  #look(bound: BoundMandate): void {
    const { warden } = this.#deps;
    const { lossStop } = bound.mandate;
    if (lossStop === null) return;
    const keys = warden.keysOf(bound);
    const held = warden.holdings.held(keys);
    if (held.length === 0) return;
    if (bound.suspended === null && warden.hasLost(bound)) warden.stopLoss(bound);
    const now = warden.of({ authorityKind: bound.holder.kind, authorityId: bound.holder.id });
    const isStopped = now?.suspended?.reason.startsWith(LOSS_STOPPED) === true;
    if (!isStopped || lossStop.then !== 'SUSPEND_AND_CLOSE') return;
    for (const id of new Set(held.map(({ positionId }) => positionId))) this.#close(bound, keys, id);
  }

  #close(bound: BoundMandate, keys: readonly string[], positionId: string): void {
    const { state, clock, logger, accountOf } = this.#deps;
    const position = state.positions.get(positionId);
    const account = position === undefined ? undefined : accountOf(position.tradeAccountId);
    if (position === undefined || account === undefined) return;
    if ((this.#closed.get(positionId) ?? 0) > clock.uptime()) return;
    this.#closed.set(positionId, clock.uptime() + AGAIN_MS);
    const { kind: authorityKind, id: authorityId } = bound.holder;
    startExecution(this.#deps, {
      account,
      basketKey: position.basketKey,
      placed: { authorityKind, authorityId },
      whenBusy: 'refuse',
      decide: () => this.#closing(keys, positionId),
      commitWith: () => ({}),
    })
      .then((started) => {
        if (started.ok) return;
        logger.warn({ positionId, reason: started.error.message }, 'A loss stop could not close yet');
      })
      .catch((error: unknown) => logger.error({ err: error, positionId }, 'A loss stop could not close'))
      // Without ticks nobody would look again.
      .finally(() => this.#soon());
  }

  /** The holder's share of the position, and nothing of anybody else's. */
  #closing(keys: readonly string[], positionId: string): Result<Intention, EngineError> {
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
