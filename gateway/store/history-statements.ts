/** The questions that `history-reads.ts` asks. Each is a range of a key. */
import { carried } from './amount-limbs.ts';
import { SIGN_OF_NET } from './closed-trade-totals.ts';

const total = (column: string): string => `sum(${column})`;
const amounts = (names: readonly string[]): string => names.map((name) => carried(name, total)).join(', ');

const MOVED = amounts(['volume', 'realized', 'fees', 'funding']);
const OUTCOMES = `sum(closed) AS closed, sum(wins) AS wins, sum(losses) AS losses, ${amounts(['won', 'lost'])}`;
/** Not added up in SQL: a day has one row of each source, and a sum of nine columns costs more than the rows do. */
const NET = carried('net', (column) => {
  const limb = column.replace('net_', '');
  return `(realized_${limb} - fees_${limb} + funding_${limb})`;
});

/** ?1 account, ?2 kind, ?3 source or null; ?4 and ?5 bound `start`. */
const OF_TOTALS = `FROM portfolio_totals
  WHERE trade_account_id = ?1 AND kind = ?2 AND start >= ?4 AND start < ?5 AND (?3 IS NULL OR source = ?3)`;

/**
 * All rows as one JSON text, in the order of `by`: the driver takes about 2 µs a row and 0.3 µs a value to make rows of
 * its own, on the event loop, which for a year of days is most of what the question costs.
 */
function asJson(sql: string, columns: readonly string[], by: string): string {
  const object = `json_object(${columns.map((column) => `'${column}', ${column}`).join(', ')})`;
  return `SELECT json_group_array(${object} ORDER BY ${by}) AS rows FROM (${sql})`;
}

const limbs = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`${name}_whole`, `${name}_nano`, `${name}_atto`]);
const MOVED_COLUMNS = ['fills', ...limbs(['volume', 'realized', 'fees', 'funding'])];
const OUTCOME_COLUMNS = ['closed', 'wins', 'losses', ...limbs(['won', 'lost'])];

export const FIRST_HOUR = `SELECT start FROM portfolio_totals WHERE trade_account_id = ? AND kind = 'hour' ORDER BY start LIMIT 1`;
export const LAST_HOUR = `SELECT start FROM portfolio_totals WHERE trade_account_id = ? AND kind = 'hour' ORDER BY start DESC LIMIT 1`;
export const PERIODS = asJson(
  `SELECT start, sum(fills) AS fills, ${MOVED}, ${OUTCOMES} ${OF_TOTALS} GROUP BY start`,
  ['start', ...MOVED_COLUMNS, ...OUTCOME_COLUMNS],
  'start',
);
export const DAILY_NET = asJson(`SELECT start, ${NET} ${OF_TOTALS}`, ['start', ...limbs(['net'])], 'start');
export const ASSETS = asJson(
  `SELECT subject, sum(fills) AS fills, ${MOVED} ${OF_TOTALS} GROUP BY subject`,
  ['subject', ...MOVED_COLUMNS],
  'subject',
);
const BASKET_COLUMNS = ['subject', ...OUTCOME_COLUMNS, 'hold_ms'];
export const BASKETS = asJson(
  `SELECT subject, ${OUTCOMES}, sum(hold_ms) AS hold_ms ${OF_TOTALS} GROUP BY subject`,
  BASKET_COLUMNS,
  'subject',
);

/** The basket sums are for ever; of a range they are made from the trades closed in it. */
export const BASKETS_OF_RANGE = asJson(
  `SELECT basket_key AS subject, count(*) AS closed, sum(${SIGN_OF_NET} = 1) AS wins,
    sum(${SIGN_OF_NET} = -1) AS losses, ${carried('won', (column) => `sum(iif(${SIGN_OF_NET} = 1, ${column.replace('won', 'net')}, 0))`)},
    ${carried('lost', (column) => `sum(iif(${SIGN_OF_NET} = -1, -${column.replace('lost', 'net')}, 0))`)},
    sum(closed_at - opened_at) AS hold_ms
  FROM closed_trades
  WHERE trade_account_id = ?1 AND closed_at >= ?3 AND closed_at < ?4 AND (?2 IS NULL OR source = ?2)
  GROUP BY basket_key`,
  BASKET_COLUMNS,
  'subject',
);

export const CLOSED_TRADES = `SELECT position_id, closed_at FROM closed_trades
  WHERE trade_account_id = ?1 AND closed_at >= ?2 AND (closed_at, position_id) < (?3, ?4)
  ORDER BY closed_at DESC, position_id DESC LIMIT ?5`;

const TRADE_FILL = [
  'execution_id',
  'symbol',
  'side',
  'price',
  'quantity',
  'notional',
  'fee',
  'realized_pnl',
  'is_liquidation',
  'is_provisional',
  'timestamp',
];
// The unary plus keeps the account's own index out of it, as in `fill-pages.ts`.
export const FILLS_OF_POSITION = asJson(
  `SELECT id, ${TRADE_FILL.join(', ')} FROM fills WHERE position_id = ? AND +trade_account_id = ?`,
  TRADE_FILL,
  'timestamp, id',
);
