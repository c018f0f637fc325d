/** Closing and adjusting an open position. Both are executions on its basket, one at a time. */
import { placedBy } from '../../domain/authority.ts';
import { CLOSE_SLIPPAGE } from '../../domain/close-slippage.ts';
import type { ClosingFailurePolicy } from '../../domain/closing-failure.ts';
import { ceilTo, type Decimal, dec, floorTo, sum, text } from '../../domain/decimal.ts';
import type { Instrument, Position, PositionLeg, Principal, TradeLeg } from '../../domain/model.ts';
import { otherSide } from '../../domain/position.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, invalid, marketsUnknown, noop, notFound } from '../core/errors.ts';
import type { Answered } from '../core/idempotency.ts';
import { acceptExecution, type OrderCommand } from '../execution/accept.ts';
import { held } from '../execution/bracket-checks.ts';
import { checkClient } from '../execution/open-basket.ts';
import type { AcceptDeps, Intention } from '../execution/start-execution.ts';

export interface ClosePosition {
  readonly positionId: string;
  /** Share of the position, (0–1]; 1 closes all of it. */
  readonly fraction: string;
  /** null: the default slippage of closing orders. */
  readonly slippage: string | null;
  /** Default RETRY. */
  readonly onLegFailure?: ClosingFailurePolicy;
  readonly clientId: string | null;
}

export type AdjustPosition = {
  readonly positionId: string;
  readonly intent: 'INCREASE' | 'REDUCE';
  readonly slippage: string | null;
  readonly onLegFailure: Intention['onLegFailure'];
  readonly clientId: string | null;
} & (
  | { readonly by: 'usd'; readonly usd: string }
  | { readonly by: 'fraction'; readonly fraction: string }
  /** Absolute quantities; legs not named keep their quantity. */
  | {
      readonly by: 'targets';
      readonly targets: readonly { readonly symbol: string; readonly quantity: string }[];
    }
);

export async function closePosition(
  deps: AcceptDeps,
  principal: Principal,
  command: OrderCommand,
  close: ClosePosition,
): Promise<Result<Answered, EngineError>> {
  const found = await askedPosition(deps, principal, command, close);
  if (!found.ok) return found;
  return acceptExecution(deps, placedBy(principal), command, found.value.basketKey, () => {
    return closeIntention(deps, deps.state.positions.get(close.positionId), close);
  });
}

/** Trade that closes a share of a position's current quantities. NOOP_ERROR if the position is closed. */
export function closeIntention(
  deps: Pick<EngineDeps, 'market'>,
  position: Position | undefined,
  close: Omit<ClosePosition, 'positionId'>,
): Result<Intention & { readonly position: Position }, EngineError> {
  if (position === undefined) return noop('The position is already closed');
  if (deps.market.instruments(position.connector).length === 0) return marketsUnknown();
  // A whole close takes held quantities without rounding to a step, so legs of delisted instruments are closed
  // too.
  const legs = held(position).map((leg) =>
    reduceLeg(leg, close.fraction === '1' ? dec(leg.quantity) : shareOf(deps, position, leg, close.fraction)),
  );
  return ok({
    legs,
    slippage: close.slippage ?? CLOSE_SLIPPAGE,
    intent: close.fraction === '1' ? 'CLOSE' : 'REDUCE',
    position,
    // A close must end flat: by default the unfilled rest is retried within the slippage limit.
    onLegFailure: close.onLegFailure ?? 'RETRY',
    clientId: close.clientId,
  });
}

export async function adjustPosition(
  deps: AcceptDeps,
  principal: Principal,
  command: OrderCommand,
  adjust: AdjustPosition,
): Promise<Result<Answered, EngineError>> {
  const found = await askedPosition(deps, principal, command, adjust);
  if (!found.ok) return found;
  return acceptExecution(deps, placedBy(principal), command, found.value.basketKey, () =>
    adjustIntention(deps, deps.state.positions.get(adjust.positionId), adjust),
  );
}

/** Trade that adjusts a position's current quantities. NOOP_ERROR if there is nothing to trade. */
export function adjustIntention(
  deps: Pick<EngineDeps, 'market'>,
  position: Position | undefined,
  adjust: AdjustPosition,
): Result<Intention & { readonly position: Position }, EngineError> {
  if (position === undefined) return noop('The position is already closed');
  if (deps.market.instruments(position.connector).length === 0) return marketsUnknown();
  const legs = adjustLegs(deps, position, adjust);
  if (!legs.ok) return legs;
  if (legs.value.length === 0) return noop('The position already is as asked');
  return ok({
    legs: legs.value,
    slippage: adjust.slippage ?? CLOSE_SLIPPAGE,
    intent: adjust.intent === 'INCREASE' ? 'ADJUST' : 'REDUCE',
    position,
    onLegFailure: adjust.onLegFailure,
    clientId: adjust.clientId,
    targets: adjust.by === 'targets' ? namedQuantities(adjust.targets) : null,
  });
}

function adjustLegs(
  deps: Pick<EngineDeps, 'market'>,
  position: Position,
  adjust: AdjustPosition,
): Result<readonly TradeLeg[], EngineError> {
  switch (adjust.by) {
    case 'targets':
      return targetLegs(deps, position, adjust.intent, adjust.targets);
    case 'fraction':
      return ok(
        held(position).map((leg) => {
          const quantity = shareOf(deps, position, leg, adjust.fraction);
          return adjust.intent === 'INCREASE' ? addLeg(leg, quantity) : reduceLeg(leg, quantity);
        }),
      );
    case 'usd':
      return adjust.intent === 'INCREASE'
        ? ok(addUsd(position, adjust.usd))
        : reduceUsd(deps, position, adjust.usd);
  }
}

/** Spreads USD over the legs by target weight. Quantities follow from the mark price when the order is prepared. */
function addUsd(position: Position, usd: string): readonly TradeLeg[] {
  return position.legs
    .filter((leg) => leg.targetWeight !== '0')
    .map((leg) => ({
      symbol: leg.symbol,
      side: leg.side,
      mode: 'USD',
      amount: dec(usd).mul(leg.targetWeight).toDecimalPlaces(18, 1).toFixed(),
    }));
}

function reduceUsd(
  deps: Pick<EngineDeps, 'market'>,
  position: Position,
  usd: string,
): Result<readonly TradeLeg[], EngineError> {
  const legs = held(position).map((leg) => {
    const mark = deps.market.quote(position.connector, leg.symbol)?.mark;
    return { leg, mark: mark === undefined ? dec(leg.entryPrice) : dec(mark) };
  });
  const gross = sum(legs.map(({ leg, mark }) => mark.mul(leg.quantity)));
  if (gross.lt(usd)) {
    return invalid('usd', `The position is worth ${gross.toFixed(2)} USD; close it to take everything out`);
  }
  const share = dec(usd).div(gross);
  return ok(legs.map(({ leg }) => reduceLeg(leg, shareOf(deps, position, leg, share))));
}

function targetLegs(
  deps: Pick<EngineDeps, 'market'>,
  position: Position,
  intent: AdjustPosition['intent'],
  targets: readonly { readonly symbol: string; readonly quantity: string }[],
): Result<readonly TradeLeg[], EngineError> {
  const legs: TradeLeg[] = [];
  for (const [index, target] of targets.entries()) {
    const leg = position.legs.find((candidate) => candidate.symbol === target.symbol);
    if (leg === undefined) return invalid(`targets.${index}.symbol`, 'Not a leg of this position');
    const step = dec(instrumentOf(deps, position, leg).stepSize);
    const change = dec(target.quantity).minus(leg.quantity);
    if (change.isZero()) continue;
    if (intent === 'INCREASE' ? change.isNegative() : change.isPositive()) {
      const direction = intent === 'INCREASE' ? 'at least' : 'at most';
      return invalid(`targets.${index}.quantity`, `${intent} needs ${direction} the present ${leg.quantity}`);
    }
    // Rounded down, so that the change is never larger than requested.
    const quantity = floorTo(change.abs(), step);
    if (quantity.isZero()) {
      const nearest = ceilTo(change.abs(), step).toFixed();
      return invalid(`targets.${index}.quantity`, `The change is below one quantity step of ${nearest}`);
    }
    legs.push(intent === 'INCREASE' ? addLeg(leg, quantity) : reduceLeg(leg, quantity));
  }
  return ok(legs);
}

function namedQuantities(targets: readonly { readonly symbol: string; readonly quantity: string }[]) {
  return new Map(targets.map(({ symbol, quantity }) => [symbol, quantity]));
}

/** Like `openPositionOf`, but first checks the integration named by `clientId`. */
export async function askedPosition(
  deps: Pick<EngineDeps, 'state' | 'store' | 'isActiveClient'>,
  principal: Principal,
  command: Pick<OrderCommand, 'account' | 'idempotency'>,
  asked: { readonly positionId: string; readonly clientId: string | null },
): Promise<Result<Position, EngineError>> {
  const client = checkClient(deps, principal, asked.clientId);
  return client.ok ? openPositionOf(deps, command, asked.positionId) : client;
}

/**
 * An open position of the account. A closed one is returned too if the request has an idempotency key: it may be a
 * repeat.
 */
export async function openPositionOf(
  deps: Pick<EngineDeps, 'state' | 'store'>,
  command: Pick<OrderCommand, 'account' | 'idempotency'>,
  positionId: string,
): Promise<Result<Position, EngineError>> {
  const live = deps.state.positions.get(positionId);
  if (live !== undefined && live.tradeAccountId === command.account.id) return ok(live);
  const stored = await deps.store.position(command.account.id, positionId);
  if (stored === null) return notFound('Position');
  // A repeat of the request that closed the position must get its first answer, not "already closed".
  return command.idempotency === null ? fail(noop('The position is already closed').error) : ok(stored);
}

/** A share of the leg in base units, rounded down to the quantity step. */
function shareOf(
  deps: Pick<EngineDeps, 'market'>,
  position: Position,
  leg: PositionLeg,
  share: string | Decimal,
) {
  return floorTo(dec(leg.quantity).mul(share), dec(instrumentOf(deps, position, leg).stepSize));
}

function instrumentOf(deps: Pick<EngineDeps, 'market'>, position: Position, leg: PositionLeg): Instrument {
  const instrument = deps.market.instrument(position.connector, leg.symbol);
  if (instrument === undefined) throw new Error(`${leg.symbol} vanished from ${position.connector}`);
  return instrument;
}

function addLeg(leg: PositionLeg, quantity: Decimal): TradeLeg {
  return { symbol: leg.symbol, side: leg.side, mode: 'BASE', amount: text(quantity) };
}

function reduceLeg(leg: PositionLeg, quantity: Decimal): TradeLeg {
  return { symbol: leg.symbol, side: otherSide(leg.side), mode: 'BASE', amount: text(quantity) };
}
