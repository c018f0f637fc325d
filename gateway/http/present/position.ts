import type { z } from 'zod';
import type { position, positionLite } from '../../contract/positions.ts';
import { dec, textRounded } from '../../domain/decimal.ts';
import type { MarketFacts } from '../../domain/measure.ts';
import type { Instrument, MarginMode, Position, PositionLeg } from '../../domain/model.ts';
import { type PositionValue, valuePosition } from '../../domain/position-value.ts';
import { type Protection, protectionOf } from '../../domain/protection.ts';
import type { RebalanceService } from '../../engine/resting/rebalances/rebalance-service.ts';
import type { BracketService } from '../../engine/resting/triggers/bracket-service.ts';
import { presentAutoRebalance } from './auto-rebalance.ts';
import { presentPositionBracket } from './bracket.ts';
import { iso, isoOrNull } from './time.ts';

const MARGIN_PLACES = 12;

/** Prices and settings that a presenter looks up. */
export interface PositionContext {
  instrument(connector: string, symbol: string): Instrument | undefined;
  mark(connector: string, symbol: string): string | undefined;
  leverage(
    tradeAccountId: string,
    connector: string,
    symbol: string,
  ): { readonly leverage: number; readonly marginMode: MarginMode };
  readonly brackets: BracketService['of'];
  readonly autoRebalance: RebalanceService['of'];
}

/** An account's net position in one instrument, as the venue has it. */
export interface HeldAtVenue {
  /** Leverage by which the venue margins it, independent of the setting here. */
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly liquidationPrice: string | null;
  /** Isolated margin in USD, profit and loss included; null: cross margin. */
  readonly isolatedMargin: string | null;
  /** Base units held by all baskets, both sides added; a basket's share of them is its share of margin. */
  readonly inBaskets: string;
}

/** @param held the venue's net positions by symbol; empty: the venue did not answer */
export function presentPosition(
  value: Position,
  context: PositionContext,
  held: ReadonlyMap<string, HeldAtVenue>,
): z.input<typeof position> {
  const worth = valuePosition(value, (leg) => {
    const own = leg.quantity === '0' ? undefined : held.get(leg.symbol);
    const setting = own ?? context.leverage(value.tradeAccountId, value.connector, leg.symbol);
    return {
      instrument: context.instrument(value.connector, leg.symbol),
      mark: context.mark(value.connector, leg.symbol),
      leverage: setting.leverage,
      marginMode: setting.marginMode,
      liquidationPrice: own?.liquidationPrice ?? null,
      isolatedMargin: marginOf(leg, own),
    };
  });
  const { takeProfit, stopLoss } = context.brackets(value.id);
  const rebalance = context.autoRebalance(value.id);
  return {
    id: value.id,
    connector: value.connector,
    tradeAccountId: value.tradeAccountId,
    basketKey: value.basketKey,
    status: value.status,
    origin: value.origin,
    entryRatio: value.entryRatio,
    markRatio: worth.markRatio,
    entryPrice: worth.entryPrice,
    markPrice: worth.markPrice,
    grossNotional: worth.grossNotional,
    netNotional: worth.netNotional,
    marginUsed: worth.marginUsed,
    unrealizedPnl: worth.unrealizedPnl,
    unrealizedPnlPct: worth.unrealizedPnlPct,
    realizedPnl: worth.realizedPnl,
    feesPaid: worth.feesPaid,
    fundingPaid: worth.fundingPaid,
    netPnl: worth.netPnl,
    takeProfit: presentPositionBracket(takeProfit),
    stopLoss: presentPositionBracket(stopLoss),
    protection: [...presentProtection(value, [takeProfit, stopLoss], context)],
    autoRebalance: rebalance === undefined ? null : presentAutoRebalance(rebalance),
    legs: presentLegs(worth),
    createdAt: iso(value.createdAt),
    updatedAt: iso(value.updatedAt),
    closedAt: isoOrNull(value.closedAt),
  };
}

function presentProtection(
  { connector, legs, status }: Position,
  brackets: readonly ReturnType<BracketService['of']>['takeProfit'][],
  context: PositionContext,
): readonly Protection[] {
  if (status !== 'OPEN') return [];
  const facts: MarketFacts = {
    price: (symbol) => context.mark(connector, symbol),
    figure: () => undefined,
  };
  return brackets.flatMap((one) =>
    one === null ? [] : [protectionOf(one.bracketType, one.armed, legs, facts)],
  );
}

function marginOf(leg: PositionLeg, held: HeldAtVenue | undefined): string | null {
  const margin = held?.isolatedMargin ?? null;
  // `inBaskets` is 0 if the position was closed while the venue was being asked.
  if (held === undefined || margin === null || held.inBaskets === '0') return null;
  const share = dec(leg.quantity).div(held.inBaskets);
  return textRounded(dec(margin).mul(share), MARGIN_PLACES);
}

function presentLegs(worth: PositionValue): z.input<typeof position>['legs'] {
  return worth.legs.map((valued) => ({
    symbol: valued.leg.symbol,
    ticker: valued.instrument?.symbol ?? valued.leg.symbol,
    side: valued.leg.side,
    quantity: valued.leg.quantity,
    entryPrice: valued.leg.entryPrice,
    markPrice: valued.mark ?? null,
    notional: valued.notional,
    leverage: valued.leverage,
    marginMode: valued.marginMode,
    marginUsed: valued.marginUsed,
    targetWeight: valued.leg.targetWeight,
    currentWeight: valued.currentWeight,
    unrealizedPnl: valued.unrealizedPnl,
    realizedPnl: valued.leg.realizedPnl,
    feesPaid: valued.leg.feesPaid,
    fundingPaid: valued.leg.fundingPaid,
    liquidationPrice: valued.liquidationPrice,
  }));
}

export function presentPositionLite(value: Position): z.input<typeof positionLite> {
  return {
    id: value.id,
    connector: value.connector,
    basketKey: value.basketKey,
    legs: value.legs.map(({ symbol, side, quantity }) => ({ symbol, side, quantity })),
  };
}
