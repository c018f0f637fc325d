/**
 * Closed trades, and the SQL that keeps the totals in step with them. A closed trade can change later (a funding payment that
 * the venue reports after the close), so the amounts of its old row are taken out before the new row is added.
 */
import { dec, text as decimalText, sum } from '../../domain/decimal.ts';
import { DAY_MS, HOUR_MS } from '../../domain/history-range.ts';
import type { Position } from '../../domain/model.ts';
import { sourceOfPosition } from '../../domain/portfolio.ts';
import { columnsOf, fixed, integer, key, keyColumnsOf, table, text } from '../rows/table-entity.ts';
import { type Part, replace } from '../writer/parts.ts';
import { limbsOf } from './amount-limbs.ts';
import { portfolioTotalEntity } from './totals.ts';

/** Result of a closed position, in the order of closing: a row of the list, and the amounts added to the totals. */
export interface ClosedTradeRow {
  readonly tradeAccountId: string;
  readonly closedAt: number;
  readonly positionId: string;
  readonly basketKey: string;
  readonly source: string;
  readonly openedAt: number;
  readonly netWhole: number;
  readonly netNano: number;
  readonly netAtto: number;
}

export const closedTradeEntity = table<ClosedTradeRow>('closed_trades', {
  tradeAccountId: key(text('trade_account_id')),
  closedAt: key(integer('closed_at')),
  positionId: key(text('position_id')),
  basketKey: fixed(text('basket_key')),
  source: text('source'),
  openedAt: fixed(integer('opened_at')),
  netWhole: integer('net_whole'),
  netNano: integer('net_nano'),
  netAtto: integer('net_atto'),
});

/** Closed trades of the closed positions among `positions`. */
export function closedTrades(positions: readonly Position[] | undefined): readonly ClosedTradeRow[] {
  return (positions ?? []).flatMap((position) => {
    if (position.closedAt === null) return [];
    const net = sum(
      position.legs.map((leg) => dec(leg.realizedPnl).minus(leg.feesPaid).minus(leg.fundingPaid)),
    );
    const { whole, nano, atto } = limbsOf(decimalText(net));
    return {
      tradeAccountId: position.tradeAccountId,
      closedAt: position.closedAt,
      positionId: position.id,
      basketKey: position.basketKey,
      source: sourceOfPosition(position),
      openedAt: position.createdAt,
      netWhole: whole,
      netNano: nano,
      netAtto: atto,
    };
  });
}

/** Sign of a closed trade's result: its limbs have one sign, so the first that is not 0 tells it. */
export const SIGN_OF_NET = 'sign(coalesce(nullif(net_whole, 0), nullif(net_nano, 0), net_atto))';

/** SQL value of each measure that a closed trade adds to; all other measures get 0. */
const MEASURES: Readonly<Record<string, string>> = {
  closed: '1',
  wins: `${SIGN_OF_NET} = 1`,
  losses: `${SIGN_OF_NET} = -1`,
  ...Object.fromEntries(
    ['whole', 'nano', 'atto'].flatMap((limb) => [
      [`won_${limb}`, `iif(${SIGN_OF_NET} = 1, net_${limb}, 0)`],
      [`lost_${limb}`, `iif(${SIGN_OF_NET} = -1, -net_${limb}, 0)`],
    ]),
  ),
  hold_ms: 'closed_at - opened_at',
};

const KEYS: Readonly<Record<string, string>> = {
  trade_account_id: 'trade_account_id',
  kind: 'kind',
  start: `CASE kind WHEN 'hour' THEN closed_at / ${HOUR_MS} * ${HOUR_MS} WHEN 'day' THEN closed_at / ${DAY_MS} * ${DAY_MS} ELSE 0 END`,
  source: 'source',
  subject: "iif(kind = 'basket', basket_key, '')",
};

const TOTAL_COLUMNS = columnsOf(portfolioTotalEntity).map(({ column }) => column);

/** Adds (`+`) or takes out (`-`) the rows of `closed_trades` for which `where` holds. */
function addClosedTrades(sign: '+' | '-', where: string): string {
  const values = TOTAL_COLUMNS.map(({ name, primary }) =>
    primary ? (KEYS[name] ?? name) : `${sign}(${MEASURES[name] ?? '0'})`,
  );
  const added = TOTAL_COLUMNS.flatMap(({ name, primary }) =>
    primary || MEASURES[name] === undefined ? [] : [`${name} = ${name} + excluded.${name}`],
  );
  return `INSERT INTO portfolio_totals (${TOTAL_COLUMNS.map(({ name }) => name).join(', ')})
    SELECT ${values.join(', ')}
    FROM closed_trades, (SELECT 'hour' AS kind UNION ALL SELECT 'day' UNION ALL SELECT 'basket')
    WHERE ${where}
    ON CONFLICT (${keyColumnsOf(portfolioTotalEntity).join(', ')}) DO UPDATE SET ${added.join(', ')}`;
}

const CLOSED = replace(closedTradeEntity);
/** Place of the position's id in an encoded row. */
const POSITION_ID_AT = columnsOf(closedTradeEntity).findIndex(({ property }) => property === 'positionId');

/** Subtracts the old rows from the totals, replaces the rows, and adds the new rows to the totals. */
export const replaceClosedTrades: Part<ClosedTradeRow> = {
  ...CLOSED,
  apply(column) {
    const these = `position_id IN (SELECT value ->> ${POSITION_ID_AT} FROM jsonb_each(NEW.${column}))`;
    return [addClosedTrades('-', these), CLOSED.apply(column), addClosedTrades('+', these)].join(';\n    ');
  },
};
