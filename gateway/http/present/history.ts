import type { z } from 'zod';
import type { closedTrade } from '../../contract/history.ts';
import type { ClosedTrade } from '../../domain/closed-trade.ts';
import { iso } from './time.ts';

export function presentClosedTrade(
  trade: ClosedTrade,
  tickerOf: (symbol: string) => string,
): z.input<typeof closedTrade> {
  const { position } = trade;
  return {
    id: position.id,
    connector: position.connector,
    tradeAccountId: position.tradeAccountId,
    basketKey: position.basketKey,
    origin: position.origin,
    legs: trade.legs.map((leg) => ({
      symbol: leg.symbol,
      ticker: tickerOf(leg.symbol),
      side: leg.side,
      quantity: leg.quantity,
      entryPrice: leg.entryPrice,
      exitPrice: leg.exitPrice,
      realizedPnl: leg.realizedPnl,
      fees: leg.fees,
      funding: leg.funding,
    })),
    realizedPnl: trade.realizedPnl,
    fees: trade.fees,
    funding: trade.funding,
    netPnl: trade.netPnl,
    returnPct: trade.returnPct,
    openedAt: iso(position.createdAt),
    closedAt: iso(trade.closedAt),
    durationSeconds: Math.round((trade.closedAt - position.createdAt) / 1_000),
    ...(trade.steps === null
      ? {}
      : {
          steps: trade.steps.map(({ kind, executionId, at, legs }) => ({
            kind,
            executionId,
            at: iso(at),
            legs: [...legs],
          })),
        }),
  };
}
