/** Records of new triggers, in state ACTIVE. */
import type { Placed } from '../../../domain/authority.ts';
import { type BracketRecord, bracketSlippage } from '../../../domain/bracket-rounds.ts';
import { CLOSE_SLIPPAGE } from '../../../domain/close-slippage.ts';
import type { Condition } from '../../../domain/condition-table.ts';
import { dec, text } from '../../../domain/decimal.ts';
import type { PriceSource } from '../../../domain/measure.ts';
import type { Position, TradeAccount, TradeLeg } from '../../../domain/model.ts';
import { weightsOf } from '../../../domain/position.ts';
import { openLedger } from '../../../domain/slicing.ts';
import type { Bracket, BracketKind, MissedTriggerPolicy, Trigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { armedFor } from '../../execution/armed-bracket.ts';
import { held } from '../../execution/bracket-checks.ts';
import type { ClosePosition } from '../../positions/change-position.ts';
import type { AlertBounds } from './alert-bounds.ts';

/** Terms for watching a condition. */
export interface Watch {
  readonly condition: Condition;
  readonly priceSource: PriceSource;
  /** Expiry, epoch ms, refused unless later than now; null: the trigger never expires. */
  readonly expiresAt: number | null;
  /** False: a condition that holds already is refused on path `condition.value`. */
  readonly allowImmediate: boolean;
  readonly onMissed: MissedTriggerPolicy;
}

/** The contract has checked that PRICE names a leg, PRICE_RATIO has a pair, and weights sum to 1. */
export type OpenTrigger = Watch &
  Pick<Trigger, 'legs' | 'totalUsd' | 'slippage' | 'onLegFailure' | 'takeProfit' | 'stopLoss' | 'clientId'>;

/** `legs` is the basket that the condition measures, in WEIGHT or, for legs alike, in USD. */
export interface OpenAlert extends Watch, Pick<Trigger, 'legs' | 'totalUsd'> {
  readonly bounds: AlertBounds;
}

type Deps = Pick<EngineDeps, 'ids' | 'clock' | 'market'>;

/**
 * Fields of every new trigger. Spread last: properties after a spread are added one by one, which costs 20 µs a record.
 */
function fresh(
  deps: Pick<Deps, 'ids' | 'clock'>,
  of: Pick<Position | TradeAccount, 'userId' | 'connector'>,
  placed: Placed,
) {
  const now = deps.clock.now();
  return {
    id: deps.ids.next(),
    userId: of.userId,
    connector: of.connector,
    ladderId: null,
    rungIndex: null,
    status: 'ACTIVE',
    pauseReason: null,
    lastValue: null,
    lastCheckedAt: null,
    triggeredAt: null,
    executionId: null,
    filled: [],
    error: null,
    authorityKind: placed.authorityKind,
    authorityId: placed.authorityId,
    createdAt: now,
    updatedAt: now,
  } as const;
}

/** Each leg's share of gross notional at current mark prices. */
export function openingWeights(
  legs: readonly TradeLeg[],
  totalUsd: string | null,
  markOf: (symbol: string) => string,
): readonly string[] {
  return weightsOf(
    openLedger(legs, totalUsd, markOf).map(({ total, usdPerUnit }) => dec(total).mul(usdPerUnit)),
  );
}

export function newOpening(
  deps: Deps,
  account: TradeAccount,
  asked: OpenTrigger,
  made: { readonly basketKey: string; readonly weights: readonly string[]; readonly placed: Placed },
): Trigger {
  return {
    tradeAccountId: account.id,
    basketKey: made.basketKey,
    kind: 'OPEN',
    positionId: null,
    legs: asked.legs,
    weights: made.weights,
    totalUsd: asked.totalUsd,
    fraction: null,
    priceSource: asked.priceSource,
    slippage: asked.slippage,
    onLegFailure: asked.onLegFailure,
    takeProfit: asked.takeProfit,
    stopLoss: asked.stopLoss,
    onMissed: asked.onMissed,
    clientId: asked.clientId,
    expiresAt: asked.expiresAt,
    condition: asked.condition,
    bracketType: null,
    armed: null,
    ...fresh(deps, account, made.placed),
  };
}

export function newAlert(
  deps: Pick<Deps, 'ids' | 'clock'>,
  account: TradeAccount,
  asked: OpenAlert,
  made: { readonly basketKey: string; readonly weights: readonly string[]; readonly placed: Placed },
): Trigger {
  return {
    tradeAccountId: account.id,
    basketKey: made.basketKey,
    kind: 'ALERT',
    positionId: null,
    legs: asked.legs,
    weights: made.weights,
    totalUsd: asked.totalUsd,
    fraction: null,
    priceSource: asked.priceSource,
    slippage: '0',
    onLegFailure: 'KEEP',
    takeProfit: null,
    stopLoss: null,
    onMissed: asked.onMissed,
    clientId: null,
    expiresAt: asked.expiresAt,
    condition: asked.condition,
    bracketType: null,
    armed: null,
    ...fresh(deps, account, made.placed),
  };
}

/** Uses the position's entry weights, so that the trigger's ratio is the position's displayed ratio. */
export function newClosing(
  deps: Deps,
  position: Position,
  asked: ClosePosition & Watch,
  placed: Placed,
): Trigger {
  return {
    fraction: asked.fraction,
    priceSource: asked.priceSource,
    slippage: asked.slippage ?? CLOSE_SLIPPAGE,
    onLegFailure: asked.onLegFailure ?? 'RETRY',
    onMissed: asked.onMissed,
    clientId: asked.clientId,
    expiresAt: asked.expiresAt,
    condition: asked.condition,
    bracketType: null,
    armed: null,
    ...fresh(deps, position, placed),
    ...ofPosition(position, weightsOf(held(position).map((leg) => dec(leg.entryNotional)))),
  };
}

/**
 * null: the metric does not fit the legs, or no leg is open.
 * @param legs legs that the bracket covers: the open ones, or all of a basket being opened
 */
export function newBracket(
  deps: Deps,
  position: Position,
  kind: BracketKind,
  bracket: Bracket,
  placed: Placed,
  isBrought = false,
): BracketRecord | null {
  const legs = isBrought ? position.legs : held(position);
  const armed = armedFor(deps, position, kind, bracket, isBrought);
  if (armed === null) return null;
  return {
    fraction: '1',
    priceSource: 'MARK',
    slippage: bracketSlippage(kind, bracket),
    onLegFailure: 'RETRY',
    onMissed: 'FIRE',
    clientId: null,
    expiresAt: null,
    condition: null,
    bracketType: kind,
    armed,
    ...fresh(deps, position, placed),
    ...ofPosition(position, weightsOf(legs.map((leg) => dec(leg.entryNotional))), legs),
  };
}

function ofPosition(position: Position, weights: readonly string[], legs = held(position)) {
  return {
    tradeAccountId: position.tradeAccountId,
    basketKey: position.basketKey,
    kind: 'CLOSE',
    positionId: position.id,
    legs: legs.map(({ symbol, side, quantity }): TradeLeg => {
      return { symbol, side, mode: 'BASE', amount: text(dec(quantity)) };
    }),
    weights,
    totalUsd: null,
    takeProfit: null,
    stopLoss: null,
  } as const;
}
