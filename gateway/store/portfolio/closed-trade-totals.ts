/**
 * SQL that keeps the totals in step with the closed trades. A closed trade can change later (a funding payment that the
 * venue reports after the close), so what its old row had added is taken out before the new row is added.
 */
import { DAY_MS, HOUR_MS } from '../../domain/history-range.ts';
import { type ClosedTradeRow, closedTradeEntity } from '../entities/closed-trade.ts';
import { portfolioTotalEntity } from '../entities/portfolio-total.ts';
import { columnsOf, keyColumnsOf } from '../rows/table-entity.ts';

/** Sign of a closed trade's result: its limbs have one sign, so the first that is not 0 tells it. */
export const SIGN_OF_NET = 'sign(coalesce(nullif(net_whole, 0), nullif(net_nano, 0), net_atto))';

/** Value of each measure that a closed trade adds to; the others are 0. */
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
export function addClosedTrades(sign: '+' | '-', where: string): string {
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

/** Place of the position's id in an encoded row. */
export const POSITION_ID_AT = columnsOf<ClosedTradeRow>(closedTradeEntity).findIndex(
  ({ property }) => property === 'positionId',
);
