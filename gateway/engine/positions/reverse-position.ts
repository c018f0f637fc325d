/**
 * Reverses a position: an execution closes it and, once that is COMPLETED, a child execution opens the opposite basket
 * in the same quantities. The child is committed in the unit in which the close ends, so no crash can come between the
 * two.
 *
 * Brackets that move over are stored with the closing execution, pass to the child in that unit, and are armed in the
 * unit of the child's first fills. So the opposite position is never without its protection.
 */
import { type Placed, placedBy } from '../../domain/authority.ts';
import type { BracketLeg } from '../../domain/bracket.ts';
import {
  carriedOver,
  type MetricTurned,
  noFurther,
  type ReversalBrackets,
  setupOfReversal,
} from '../../domain/bracket-fate.ts';
import type { BracketRecord } from '../../domain/bracket-rounds.ts';
import { Decimal, type DecimalString, dec, floorTo, rounded, sum, text } from '../../domain/decimal.ts';
import type {
  Execution,
  LegFailurePolicy,
  Order,
  Position,
  Principal,
  TradeLeg,
} from '../../domain/model.ts';
import { reversalNotification } from '../../domain/notification.ts';
import { pausedBy } from '../../domain/pause.ts';
import { otherSide } from '../../domain/position.ts';
import { ok, type Result } from '../../domain/result.ts';
import { withoutFullStop } from '../../domain/sentence.ts';
import { firingLevel } from '../../domain/trailing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type Checked, type EngineError, invalid } from '../core/errors.ts';
import type { OnExecutionEnded } from '../core/follow-ups.ts';
import type { Answered } from '../core/idempotency.ts';
import { marketFacts } from '../core/market-facts.ts';
import { mayOpen } from '../core/may-open.ts';
import { givesWayTo } from '../core/users-brackets.ts';
import { changedBy, endsUsersPauses } from '../core/users-pause.ts';
import { acceptExecution, type OrderCommand } from '../execution/accept.ts';
import { basketKeyOf } from '../execution/basket-key.ts';
import { held, seenMetric } from '../execution/bracket-checks.ts';
import { childExecution } from '../execution/new-execution.ts';
import { type AcceptDeps, storedSetup } from '../execution/start-execution.ts';
import { isUnwinding, isUnwound } from '../execution/unwind.ts';
import { noticeOf } from '../notices/notify.ts';
import { askedPosition, closeIntention } from './change-position.ts';

export interface ReversePosition {
  readonly positionId: string;
  readonly slippage: DecimalString | null;
  /** Policy of the opening execution when a leg fails. */
  readonly onLegFailure: LegFailurePolicy;
  /** Treatment of the position's take-profit and stop-loss, see `bracket-fate.ts`. */
  readonly brackets: 'CARRY' | 'DROP';
  readonly clientId: string | null;
}

export async function reversePosition(
  deps: AcceptDeps,
  principal: Principal,
  command: OrderCommand,
  asked: ReversePosition,
): Promise<Result<Answered, EngineError>> {
  const found = await askedPosition(deps, principal, command, asked);
  if (!found.ok) return found;
  return acceptExecution(deps, placedBy(principal), command, found.value.basketKey, () => {
    const { slippage, clientId, onLegFailure } = asked;
    const position = deps.state.positions.get(asked.positionId);
    const whole = isWhole(position);
    if (!whole.ok) return whole;
    const close = closeIntention(deps, position, { fraction: '1', slippage, clientId });
    if (!close.ok) return close;
    const allowed = mayOpen(deps, command.account, placedBy(principal));
    if (!allowed.ok) return allowed;
    const capped = deps.limits.mayAsk(command.account, close.value.legs, null, false);
    if (!capped.ok) return capped;
    const brackets = bracketsOfReversal(deps, close.value.position, asked.brackets, placedBy(principal));
    const free = dropsUsersPause(deps, principal, brackets);
    if (!free.ok) return free;
    const setup = setupOfReversal(brackets);
    // Stored with the orders, because they also bind the opposite basket.
    const worstPrices = command.asked?.approved?.worstPrices ?? null;
    return ok({ ...close.value, intent: 'REVERSE', onLegFailure, setup, brackets, worstPrices });
  });
}

/** VALIDATION_ERROR if a leg of the basket is not held: its opposite would be opened without it. */
export function isWhole(position: Position | undefined): Checked {
  const missing = position?.legs.find(({ quantity }) => quantity === '0');
  if (missing === undefined) return ok(null);
  return invalid(
    'positionId',
    `${missing.symbol} is not held, so the other legs would be turned over without it. Add to it, or close the position`,
  );
}

/** @param placed authority; for an agent, user pauses stay, and a stop-loss may have to stay near the market */
export function bracketsOfReversal(
  deps: Pick<EngineDeps, 'state' | 'market' | 'basketKey' | 'warden'>,
  position: Position,
  asked: 'CARRY' | 'DROP',
  placed: Placed,
): ReversalBrackets {
  const staysNear = deps.warden.shares.keepsStopNear(placed, position);
  const isAgents = deps.warden.isAgent(placed);
  const givesWay = givesWayTo(deps, placed);
  const reversed = reversedLegs(deps, position);
  const opposite = oppositePosition(deps, position);
  const theirs = opposite === undefined ? [] : deps.state.positions.bracketsOf(opposite.id);
  const facts = marketFacts(deps.market, position.connector);
  const fates = deps.state.positions.bracketsOf(position.id).map((from) => {
    const { bracketType: kind, armed } = from;
    const before = seenMetric(position, armed.bracket, facts);
    const after = seenMetric({ legs: reversed }, armed.bracket, facts);
    const turned = {
      before: before?.value ?? null,
      after: after?.value ?? null,
      gain: after?.gain ?? 'MORE_THAN',
    };
    const carried = carriedOver(kind, armed.bracket, turned);
    const reach = staysNear && kind === 'STOP_LOSS' ? reachOf(position, reversed, from, turned) : null;
    const near = carried === null || reach === null ? carried : noFurther(carried, reach);
    const staysPaused = isAgents && pausedBy(from) === 'USER';
    const marks = isAgents
      ? { owner: changedBy(deps, from, placed), ...(staysPaused ? { pausedByUser: true as const } : {}) }
      : {};
    const to = near === null ? null : { ...near, ...marks };
    if (asked === 'DROP') return { from, to: null, reason: 'ASKED', reserve: null } as const;
    // `reserve` is used if the opposite basket has a bracket of this kind now, but that bracket has ended by the time
    // of the opening.
    const isTaken = theirs.some(
      (one) => one.bracketType === kind && !(givesWay(one) && one.status !== 'TRIGGERED'),
    );
    if (isTaken) return { from, to: null, reason: 'OPPOSITE_POSITION_HAS_ONE', reserve: to } as const;
    return { from, to, reason: 'ABSOLUTE_LEVEL', reserve: null } as const;
  });
  return {
    kind: 'reversal',
    carried: fates.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }])),
    dropped: fates.flatMap(({ from, to, reason, reserve }) =>
      to === null ? [{ from, reason, reserve }] : [],
    ),
  };
}

/** RESOURCE_BUSY (`details.reason` PAUSED_BY_USER) if an agent would drop brackets that the user paused. */
export function dropsUsersPause(
  deps: Pick<EngineDeps, 'warden'>,
  principal: Principal,
  { dropped }: ReversalBrackets,
): Checked {
  const asked = dropped.filter(({ reason }) => reason === 'ASKED');
  return endsUsersPauses(
    deps,
    principal,
    asked.map(({ from }) => from),
  );
}

/** Distance of a stop-loss from the current value, in the metric of the opposite position; null: unknown. */
function reachOf(
  position: Position,
  reversed: readonly BracketLeg[],
  { bracketType, armed }: BracketRecord,
  { before, after }: MetricTurned,
): Decimal | null {
  const level = firingLevel(bracketType, armed);
  if (level === null || before === null) return null;
  const reach = dec(before).minus(level).abs();
  const { type } = armed.bracket;
  if (type === 'DOLLAR') return reach;
  const entryOf = (legs: readonly BracketLeg[]) => sum(legs.map(({ entryNotional }) => dec(entryNotional)));
  if (type === 'PERCENTAGE') return reach.mul(entryOf(held(position))).div(entryOf(reversed));
  return after === null || dec(before).isZero() ? null : reach.mul(after).div(before);
}

/** Open position to which a reversal adds; undefined: it opens one. */
export function oppositePosition(
  { state, basketKey }: Pick<EngineDeps, 'state' | 'basketKey'>,
  position: Position,
): Position | undefined {
  const legs = held(position).map(({ symbol, side }) => ({ symbol, side: otherSide(side) }));
  return state.positions.ofBasket(position.tradeAccountId, basketKeyOf({ basketKey }, legs));
}

/** Opposite legs as if opened at current mark prices. */
function reversedLegs(deps: Pick<EngineDeps, 'market'>, position: Position): readonly BracketLeg[] {
  return held(position).map(({ symbol, side, quantity, entryPrice }) => {
    const mark = deps.market.quote(position.connector, symbol)?.mark ?? entryPrice;
    return { symbol, side: otherSide(side), quantity, entryNotional: text(dec(mark).mul(quantity)) };
  });
}

/** Opens the opposite basket, unless the close did not complete. To be registered with `FollowUps`. */
export function openOpposite(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'basketKey' | 'state' | 'warden' | 'market'>,
): OnExecutionEnded {
  return (ended) => {
    if (ended.intent !== 'REVERSE' || ended.status !== 'COMPLETED') return null;
    if (turnedOver(deps, ended).length === 0) return null;
    const { reservations } = deps.warden;
    const child = oppositeOf(deps, ended, reservations.handedOn(ended));
    const setup = deps.state.setups.get(ended.id);
    const shown = reservations.shownPrices(ended.id);
    return {
      unit: setup === undefined ? {} : { positionSetups: [storedSetup(setup, child)] },
      children: [child],
      committed: () => {
        reservations.tookOver(child, shown);
        if (setup !== undefined) deps.state.setups.set(child.id, setup);
      },
    };
  };
}

/**
 * Follow-up that notifies the trader of a reversal that has ended with less than the whole opposite position. To be
 * registered with `FollowUps`.
 */
export function tellReversal(deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>): OnExecutionEnded {
  return (ended, position) => {
    const reason = endOfReversal(deps, ended);
    if (reason === null) return null;
    const about = { legs: ended.orders, positionId: position?.id ?? null, executionId: ended.id };
    return { unit: noticeOf(deps, ended, about, (subject) => reversalNotification(subject, reason)) };
  };
}

/** null: no reversal, or it goes on, or all of the opposite position is open. */
function endOfReversal(deps: Pick<EngineDeps, 'market'>, ended: Execution): string | null {
  const isDone = ended.status === 'COMPLETED';
  const why = ended.error ?? ended.status.toLowerCase();
  if (ended.intent === 'REVERSE') {
    if (!isDone) return `The opposite position is not opened, because this one could not be closed: ${why}`;
    const outside = ended.orders.filter((order) => ownShare(order).lt(1)).map(({ symbol }) => symbol);
    if (outside.length === 0) return null;
    const closed = `${outside.join(', ')} had been closed outside Tandem`;
    return turnedOver(deps, ended).length === 0
      ? `${closed}: no opposite position is opened`
      : `${closed} in part: the opposite position is opened in that proportion`;
  }
  if (isDone || ended.parentId === null || isUnwinding(ended)) return null;
  if (ended.orders.every(({ filledQuantity }) => filledQuantity === '0')) {
    return `The position is closed, and the opposite one could not be opened: ${why}`;
  }
  const partly = 'The position is closed, and only a part of the opposite one could be opened';
  if (!isUnwound(ended)) return `${partly}: ${why}`;
  return `${partly}: ${withoutFullStop(why)}. What was filled of it is being closed again`;
}

/** Share of its leg that a closing order has closed itself, 0 to 1. The rest was traded outside Tandem. */
function ownShare({ filledQuantity, amount }: Order): Decimal {
  return dec(filledQuantity).isZero() ? dec(1) : Decimal.min(dec(amount).div(filledQuantity), 1);
}

/**
 * Legs of the opposite position: each leg's closed quantity, less what was traded outside Tandem. All legs follow the one
 * of which most was traded outside, so that no leg is opened without the others; empty: nothing is opened.
 */
function turnedOver(
  { market }: Pick<EngineDeps, 'market'>,
  { connector, orders }: Execution,
): readonly TradeLeg[] {
  const share = Decimal.min(1, ...orders.map(ownShare));
  return orders.flatMap(({ symbol, side, filledQuantity }): readonly TradeLeg[] => {
    const step = market.instrument(connector, symbol)?.stepSize;
    const quantity = rounded(dec(filledQuantity).mul(share), 18);
    const amount = share.eq(1) || step === undefined ? quantity : floorTo(quantity, dec(step));
    // The closing order of a leg has the same side as the opening order of its opposite.
    return amount.isZero() ? [] : [{ symbol, side, mode: 'BASE', amount: text(amount) }];
  });
}

function oppositeOf(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'basketKey' | 'market'>,
  closed: Execution,
  reserved: Execution['reserved'],
): Execution {
  const legs = turnedOver(deps, closed);
  const { onLegFailure, slippage } = closed;
  const basketKey = basketKeyOf(deps, legs);
  return childExecution(deps, closed, {
    basketKey,
    reserved,
    intent: 'OPEN',
    positionId: null,
    onLegFailure,
    slippage,
    legs,
    worstPrices: new Map(
      closed.orders.flatMap(({ symbol, worstPrice }) => (worstPrice === null ? [] : [[symbol, worstPrice]])),
    ),
  });
}
