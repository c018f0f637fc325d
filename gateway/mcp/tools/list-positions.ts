/** Positions with their legs and protection. */
import { z } from 'zod';
import { dec, sum, text } from '../../domain/decimal.ts';
import { SIDES } from '../../domain/enumerations.ts';
import { accountNamed } from '../accounts.ts';
import { type Answer, Refused } from '../ask.ts';
import { accountInput, accountOut, nullableText } from '../fields.ts';
import type { OwnPart } from '../parts.ts';
import { protectionLine, protectionOut, protectionRows } from '../protection.ts';
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
  owner: z
    .enum(['YOU', 'PARTLY_YOU', 'OTHERS'])
    .nullable()
    .describe('Whose it is; null: your orders are not kept apart from those of the user, or it is closed'),
  gross_usd: z.string(),
  net_usd: z.string(),
  unrealized_pnl_usd: z.string(),
  realized_pnl_usd: z.string().describe('Of price only, before fees and funding'),
  fees_paid_usd: z.string(),
  funding_paid_usd: z.string().describe('Below 0: received'),
  net_pnl_usd: z.string().describe('What it has earned: unrealised and realised, after fees and funding'),
  legs: z.array(
    z.object({
      instrument: z.string(),
      side: z.enum(SIDES).describe('BUY: long'),
      quantity_base: z.string(),
      yours_base: nullableText.describe('What of it is yours; null: as for owner'),
      entry_usd: nullableText.describe('null: nothing of it is held'),
      mark_usd: nullableText,
      unrealized_pnl_usd: z.string(),
      leverage: z.int(),
      liquidation_usd: nullableText,
    }),
  ),
  take_profit: protection.nullable(),
  stop_loss: protection.nullable(),
  protection: protectionOut,
  opened_at: z.string(),
});

type Position = Answer<'GET /positions'>['positions'][number];

/** The most that one page has. */
const MOST_READ = 2_000;
const MOST = 50;

export const listPositions = tool({
  name: 'list_positions',
  title: 'Positions',
  description:
    'Positions of an account: legs with quantity, entry and mark price, result, the take-profit and stop-loss that watch them, and what of it is yours. At most 50, newest first.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z
    .object({
      account: accountInput,
      status: z.enum(['OPEN', 'CLOSED']).default('OPEN').describe('"OPEN" or "CLOSED"'),
      mine_only: z.boolean().default(false).describe('true: only open ones of which a part is yours'),
    })
    .strict(),
  output: z.object({
    account: accountOut,
    positions: z.array(positionOut),
    more: z.boolean().describe('true: there are older ones'),
  }),
  async run({ ask, ownParts, principal }, { account: id, status, mine_only: mineOnly }) {
    if (mineOnly && status === 'CLOSED') throw closedIsNobodys();
    const account = await accountNamed(ask, id);
    const own = ownParts(principal);
    const { positions: read, nextCursor } = await ask('GET /positions', {
      account: account.id,
      query: { status, limit: String(mineOnly ? MOST_READ : MOST) },
    });
    const all = read.map((position) => positionRow(position, own));
    const mine = mineOnly ? all.filter(({ owner }) => owner === 'YOU' || owner === 'PARTLY_YOU') : all;
    const positions = mine.slice(0, MOST);
    const whose = mineOnly ? ' of which a part is yours' : '';
    const lines = [
      `${positions.length} ${status} position(s)${whose} on account ${account.id}, ${account.venue}: ${account.money}.`,
      ...positions.map(positionLine),
    ];
    const more = nextCursor !== undefined || mine.length > positions.length;
    return { data: { account, positions, more }, text: lines.join('\n') };
  },
});

function closedIsNobodys(): Refused {
  return new Refused({
    ok: false,
    status: 400,
    code: 'VALIDATION_ERROR',
    message: 'Nobody owns what is closed',
    details: [{ path: 'mine_only', message: 'Only of open positions: leave status out', code: 'custom' }],
  });
}

/** @param own parts that the caller owns; null: none are kept for it */
export function positionRow(position: Position, own: readonly OwnPart[] | null): z.input<typeof positionOut> {
  const parts = position.status === 'OPEN' ? own : null;
  const legs = position.legs.map((leg) => ({
    instrument: leg.symbol,
    side: leg.side,
    quantity_base: leg.quantity,
    yours_base: parts === null ? null : yoursOf(parts, position.id, leg.symbol),
    entry_usd: leg.quantity === '0' ? null : leg.entryPrice,
    mark_usd: leg.markPrice,
    unrealized_pnl_usd: leg.unrealizedPnl,
    leverage: leg.leverage,
    liquidation_usd: leg.liquidationPrice,
  }));
  return {
    id: position.id,
    status: position.status,
    owner: ownerOf(legs),
    gross_usd: position.grossNotional,
    net_usd: position.netNotional,
    unrealized_pnl_usd: position.unrealizedPnl,
    realized_pnl_usd: position.realizedPnl,
    fees_paid_usd: position.feesPaid,
    funding_paid_usd: position.fundingPaid,
    net_pnl_usd: position.netPnl,
    legs,
    take_profit: protectionOf(position.takeProfit),
    stop_loss: protectionOf(position.stopLoss),
    protection: protectionRows(position.protection),
    opened_at: position.createdAt,
  };
}

/** A grant includes the remaining parts of its predecessors of the same name: several rows may be its own. */
function yoursOf(own: readonly OwnPart[], positionId: string, symbol: string): string {
  const rows = own.filter((row) => row.positionId === positionId && row.symbol === symbol);
  return text(sum(rows.map(({ quantity }) => dec(quantity))));
}

function ownerOf(
  legs: readonly { readonly quantity_base: string; readonly yours_base: string | null }[],
): z.input<typeof positionOut>['owner'] {
  const held = legs.filter(({ quantity_base: quantity }) => !dec(quantity).isZero());
  const shares = held.flatMap(({ yours_base: yours, quantity_base: quantity }) =>
    yours === null ? [] : [{ yours: dec(yours), quantity }],
  );
  if (held.length === 0 || shares.length < held.length) return null;
  if (shares.every(({ yours }) => yours.isZero())) return 'OTHERS';
  return shares.every(({ yours, quantity }) => yours.gte(quantity)) ? 'YOU' : 'PARTLY_YOU';
}

function protectionOf(bracket: Position['takeProfit']) {
  if (bracket === null) return null;
  const { triggerId, type, value, trailing, status } = bracket;
  return { trigger_id: triggerId, metric: type, value, trailing: trailing !== null, status };
}

function positionLine({
  id,
  gross_usd,
  net_pnl_usd,
  status,
  legs,
  take_profit,
  stop_loss,
  protection,
  owner,
}: z.input<typeof positionOut>): string {
  const net = `net ${net_pnl_usd} USD after fees and funding`;
  if (status === 'CLOSED') {
    const sides = legs.map((leg) => `${leg.side === 'BUY' ? 'long' : 'short'} ${leg.instrument}`);
    return `- ${id}: ${sides.join(', ')}; closed, ${net}`;
  }
  const held = legs.map(
    (leg) =>
      `${leg.side === 'BUY' ? 'long' : 'short'} ${leg.quantity_base} ${leg.instrument}${leg.entry_usd === null ? '' : ` from ${leg.entry_usd}`}`,
  );
  const guards = [
    ...(take_profit === null ? ['no take-profit'] : []),
    ...(stop_loss === null ? ['NO STOP-LOSS'] : []),
    ...protection.map(protectionLine),
  ];
  return `- ${id}: ${held.join(', ')}; gross ${gross_usd} USD, ${net}; ${guards.join(', ')}${owner === null ? '' : `; ${OWNED[owner]}`}`;
}

const OWNED = { YOU: 'yours', PARTLY_YOU: 'a part is yours', OTHERS: 'not yours' } as const;
