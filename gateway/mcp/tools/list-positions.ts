/** Positions with their legs and what protects them. */
import { z } from 'zod';
import { accountNamed } from '../accounts.ts';
import type { Answer } from '../ask.ts';
import { accountInput, accountOut, nullableText } from '../fields.ts';
import { tool } from '../tool.ts';

const protection = z.object({
  trigger_id: z.string(),
  metric: z.string(),
  value: z.string(),
  trailing: z.boolean(),
  status: z.string(),
});

const positionOut = z.object({
  id: z.string(),
  status: z.enum(['OPEN', 'CLOSED']),
  gross_usd: z.string(),
  net_usd: z.string(),
  unrealized_pnl_usd: z.string(),
  realized_pnl_usd: z.string(),
  legs: z.array(
    z.object({
      instrument: z.string(),
      side: z.enum(['BUY', 'SELL']).describe('BUY: long'),
      quantity_base: z.string(),
      entry_usd: z.string(),
      mark_usd: nullableText,
      unrealized_pnl_usd: z.string(),
      leverage: z.int(),
      liquidation_usd: nullableText,
    }),
  ),
  take_profit: protection.nullable(),
  stop_loss: protection.nullable(),
  opened_at: z.string(),
});

type Position = Answer<'GET /positions'>['positions'][number];

export const listPositions = tool({
  name: 'list_positions',
  title: 'Positions',
  description:
    'Positions of an account: legs with quantity, entry and mark price, result, and the take-profit and stop-loss that watch them. At most 50, newest first.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z
    .object({
      account: accountInput,
      status: z.enum(['OPEN', 'CLOSED']).default('OPEN').describe('"OPEN" or "CLOSED"'),
    })
    .strict(),
  output: z.object({
    account: accountOut,
    positions: z.array(positionOut),
    more: z.boolean().describe('true: there are older ones'),
  }),
  async run({ ask }, { account: id, status }) {
    const account = await accountNamed(ask, id);
    const { positions: rows, nextCursor } = await ask('GET /positions', {
      account: account.id,
      query: { status, limit: '50' },
    });
    const positions = rows.map(positionRow);
    const lines = [
      `${positions.length} ${status} position(s) on account ${account.id}, ${account.venue}: ${account.money}.`,
      ...positions.map(positionLine),
    ];
    return { data: { account, positions, more: nextCursor !== undefined }, text: lines.join('\n') };
  },
});

export function positionRow(position: Position): z.input<typeof positionOut> {
  return {
    id: position.id,
    status: position.status,
    gross_usd: position.grossNotional,
    net_usd: position.netNotional,
    unrealized_pnl_usd: position.unrealizedPnl,
    realized_pnl_usd: position.realizedPnl,
    legs: position.legs.map((leg) => ({
      instrument: leg.symbol,
      side: leg.side,
      quantity_base: leg.quantity,
      entry_usd: leg.entryPrice,
      mark_usd: leg.markPrice,
      unrealized_pnl_usd: leg.unrealizedPnl,
      leverage: leg.leverage,
      liquidation_usd: leg.liquidationPrice,
    })),
    take_profit: protectionOf(position.takeProfit),
    stop_loss: protectionOf(position.stopLoss),
    opened_at: position.createdAt,
  };
}

function protectionOf(bracket: Position['takeProfit']) {
  if (bracket === null) return null;
  const { triggerId, type, value, trailing, status } = bracket;
  return { trigger_id: triggerId, metric: type, value, trailing: trailing !== null, status };
}

function positionLine({
  id,
  gross_usd,
  unrealized_pnl_usd,
  legs,
  take_profit,
  stop_loss,
}: z.input<typeof positionOut>): string {
  const held = legs.map(
    (leg) =>
      `${leg.side === 'BUY' ? 'long' : 'short'} ${leg.quantity_base} ${leg.instrument} from ${leg.entry_usd}`,
  );
  const guards = [
    take_profit === null ? 'no take-profit' : `take-profit ${take_profit.metric} ${take_profit.value}`,
    stop_loss === null ? 'NO STOP-LOSS' : `stop-loss ${stop_loss.metric} ${stop_loss.value}`,
  ];
  return `- ${id}: ${held.join(', ')}; gross ${gross_usd} USD, unrealised ${unrealized_pnl_usd} USD; ${guards.join(', ')}`;
}
