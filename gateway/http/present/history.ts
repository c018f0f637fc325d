import type { z } from 'zod';
import { closedTrade, closedTradeLeg, closedTradeStep } from '../../contract/history.ts';
import type { ClosedTrade } from '../../domain/closed-trade.ts';
import { iso } from './time.ts';
import { wireForm } from './wire-form.ts';

export function presentClosedTrade(
  trade: ClosedTrade,
  tickerOf: (symbol: string) => string,
): z.input<typeof closedTrade> {
  const { position } = trade;
  return wireForm(
    closedTrade,
    { ...position, ...trade },
    {
      legs: trade.legs.map((leg) => wireForm(closedTradeLeg, leg, { ticker: tickerOf(leg.symbol) })),
      openedAt: iso(position.createdAt),
      durationSeconds: Math.round((trade.closedAt - position.createdAt) / 1_000),
      steps: trade.steps?.map((step) => wireForm(closedTradeStep, step, {})),
    },
  );
}
