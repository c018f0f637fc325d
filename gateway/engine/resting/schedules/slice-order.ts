/** Facts for the decision about a slice, and the slice's execution. */
import { isMinimumWaived, type MinimumWaiver } from '../../../domain/closing-terms.ts';
import { dec, ZERO } from '../../../domain/decimal.ts';
import type { Position } from '../../../domain/model.ts';
import { weightsOf } from '../../../domain/position.ts';
import type { Schedule, SliceLeg } from '../../../domain/schedule.ts';
import { minimumAmount } from '../../../domain/slicing.ts';
import type { Intention } from '../../execution/start-execution.ts';
import type { MarketData } from '../../ports/market.ts';
import type { SliceFacts } from './next-slice.ts';

/** @param position the basket's open position, or the one about to open; null: the basket has none */
export function sliceFacts(
  market: Pick<MarketData, 'quote' | 'instrument' | 'isStale'>,
  schedule: Pick<Schedule, 'connector' | 'positionId' | 'slippage' | 'reduceOnly'>,
  position: Position | null,
  waiver: MinimumWaiver,
): SliceFacts {
  const { connector, positionId, slippage, reduceOnly } = schedule;
  const legs = position?.id === positionId ? position?.legs : undefined;
  const lastMark = (symbol: string) => {
    const mark = market.quote(connector, symbol)?.mark;
    return mark === undefined || dec(mark).lte(ZERO) ? undefined : mark;
  };
  return {
    mark: (symbol) => (market.isStale(connector, symbol) ? undefined : lastMark(symbol)),
    lastMark,
    stepSize: (symbol) => market.instrument(connector, symbol)?.stepSize,
    smallest({ symbol, side, unit }) {
      const instrument = market.instrument(connector, symbol);
      const mark = lastMark(symbol);
      if (instrument === undefined || mark === undefined) return ZERO;
      const isWaived = isMinimumWaived(waiver, { reduceOnly, closesAll: false });
      return minimumAmount({ unit, side, isWaived }, instrument, mark, slippage);
    },
    held: (symbol) => legs?.find((leg) => leg.symbol === symbol)?.quantity ?? null,
  };
}

/** Proportions of the legs in the whole schedule, by instrument. */
export function sharesOf(ledger: Schedule['ledger']): ReadonlyMap<string, string> {
  const weights = weightsOf(ledger.map(({ total, usdPerUnit }) => dec(total).mul(usdPerUnit)));
  return new Map(ledger.map(({ symbol }, index) => [symbol, weights[index] ?? '0']));
}

/** Brackets come with each slice that opens a position, until one has filled: then the position has them. */
export function sliceIntention(
  schedule: Schedule,
  legs: readonly SliceLeg[],
  position: Position | null,
): Intention {
  const { takeProfit, stopLoss } = schedule;
  const isFirst = schedule.ledger.every(({ quantity }) => quantity === '0');
  const hasSetup = (isFirst || position === null) && (takeProfit !== null || stopLoss !== null);
  const reduces = schedule.kind === 'CLOSE';
  return {
    legs: legs.map(({ symbol, side, quantity }) => ({ symbol, side, mode: 'BASE', amount: quantity })),
    slippage: schedule.slippage,
    intent: reduces ? closingIntent(legs, position) : position === null ? 'OPEN' : 'ADJUST',
    position,
    onLegFailure: schedule.onLegFailure,
    clientId: schedule.clientId,
    origin: 'SCHEDULE',
    setup: hasSetup ? { takeProfit, stopLoss, autoRebalance: null } : null,
  };
}

function closingIntent(legs: readonly SliceLeg[], position: Position | null): Intention['intent'] {
  const takesAll = position?.legs.every((held) => {
    const part = legs.find(({ symbol }) => symbol === held.symbol);
    return dec(held.quantity).eq(part?.quantity ?? 0);
  });
  return takesAll === true ? 'CLOSE' : 'REDUCE';
}
