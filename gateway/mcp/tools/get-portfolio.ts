/** Equity and positions of an account. */
import { z } from 'zod';
import { type Decimal, dec, sum, text } from '../../domain/decimal.ts';
import { accountNamed } from '../accounts.ts';
import type { Answer } from '../ask.ts';
import { accountInput, accountOut, nullableText } from '../fields.ts';
import type { OwnPart } from '../parts.ts';
import { tool } from '../tool.ts';

const DAYS: Readonly<Record<'24h' | '7d' | '30d' | 'all', number | null>> = {
  '24h': 1,
  '7d': 7,
  '30d': 30,
  all: null,
};
const DAY_MS = 86_400_000;

const ownOut = z.object({
  open_positions: z.int(),
  gross_usd: nullableText.describe('At the marks of now; null: one of them is not known'),
  net_usd: nullableText,
  unrealized_pnl_usd: nullableText,
});

export const getPortfolio = tool({
  name: 'get_portfolio',
  title: 'Portfolio',
  description:
    'What the whole account is worth and holds, and what of it is yours: equity, margin in use, gross and net exposure, and the result over a range. Amounts are USD.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z
    .object({
      account: accountInput,
      range: z.enum(['24h', '7d', '30d', 'all']).default('all').describe('Of the result, for example "7d"'),
    })
    .strict(),
  output: z.object({
    account: accountOut,
    range: z.string(),
    equity_usd: nullableText.describe('null: the venue does not answer'),
    balance_usd: nullableText,
    margin_used_usd: z.string(),
    gross_usd: z.string().describe('Sum of all legs, long and short'),
    net_usd: z.string().describe('Long less short'),
    open_positions: z.int(),
    unrealized_pnl_usd: z.string(),
    realized_pnl_usd: z.string(),
    fees_usd: z.string(),
    funding_usd: z.string().describe('Positive: received'),
    hit_rate: nullableText,
    yours: ownOut
      .nullable()
      .describe(
        'What of the open positions is yours; null: your orders are not kept apart from those of the user',
      ),
  }),
  async run({ ask, clock, ownParts, principal }, { account: id, range }) {
    const account = await accountNamed(ask, id);
    const days = DAYS[range];
    const startDate = days === null ? undefined : new Date(clock.now() - days * DAY_MS).toISOString();
    const [portfolio, open] = await Promise.all([
      ask('GET /portfolio', { account: account.id, query: { startDate } }),
      ask('GET /positions', { account: account.id, query: { status: 'OPEN', limit: '2000' } }),
    ]);
    const { positions } = open;
    const data = {
      account,
      range,
      equity_usd: portfolio.equity,
      balance_usd: portfolio.balance,
      margin_used_usd: total(positions, 'marginUsed'),
      gross_usd: total(positions, 'grossNotional'),
      net_usd: total(positions, 'netNotional'),
      open_positions: positions.length,
      unrealized_pnl_usd: portfolio.unrealizedPnl,
      realized_pnl_usd: portfolio.realizedPnl,
      fees_usd: portfolio.fees,
      funding_usd: portfolio.funding,
      hit_rate: portfolio.hitRate,
      yours: ownPart(positions, ownParts(principal), account.id),
    };
    const lines = [
      `Account ${account.id} on ${account.venue}: ${account.money}. Equity ${data.equity_usd ?? 'not known'} USD.`,
      `${data.open_positions} open position(s), gross ${data.gross_usd} USD, net ${data.net_usd} USD, margin in use ${data.margin_used_usd} USD, unrealised ${data.unrealized_pnl_usd} USD.`,
      `Range ${range}: realised ${data.realized_pnl_usd} USD, fees ${data.fees_usd} USD, funding ${data.funding_usd} USD.`,
      ...(data.yours === null
        ? []
        : [
            `Of it yours: ${data.yours.open_positions} position(s), gross ${data.yours.gross_usd ?? 'not known'} USD, unrealised ${data.yours.unrealized_pnl_usd ?? 'not known'} USD.`,
          ]),
    ];
    return { data, text: lines.join('\n') };
  },
});

/** The caller's part of the open positions, valued at their marks. */
function ownPart(
  positions: Positions,
  own: readonly OwnPart[] | null,
  accountId: string,
): z.input<typeof ownOut> | null {
  if (own === null) return null;
  const rows = own.filter(({ tradeAccountId }) => tradeAccountId === accountId);
  const valued = rows.map((row) => {
    const position = positions.find(({ id }) => id === row.positionId);
    const mark = position?.legs.find(({ symbol }) => symbol === row.symbol)?.markPrice ?? null;
    if (mark === null) return null;
    const worth = dec(row.quantity).mul(mark);
    const isLong = row.side === 'BUY';
    return {
      worth,
      signed: isLong ? worth : worth.neg(),
      result: isLong ? worth.minus(row.cost) : dec(row.cost).minus(worth),
    };
  });
  const known = valued.flatMap((one) => (one === null ? [] : [one]));
  const added = (of: (one: (typeof known)[number]) => Decimal) =>
    known.length < rows.length ? null : text(sum(known.map(of)));
  return {
    open_positions: new Set(rows.map(({ positionId }) => positionId)).size,
    gross_usd: added(({ worth }) => worth),
    net_usd: added(({ signed }) => signed),
    unrealized_pnl_usd: added(({ result }) => result),
  };
}

type Positions = Answer<'GET /positions'>['positions'];

function total(positions: Positions, field: 'marginUsed' | 'grossNotional' | 'netNotional'): string {
  return text(sum(positions.map((position) => dec(position[field]))));
}
