/** SQL statements of `history-reads.ts`. Each reads a range of a key. */
import { DAY_MS } from '../../domain/history-range.ts';
import { CARRIED_OVER } from '../../domain/portfolio.ts';
import { positionEntity, unassignedLotEntity } from '../positions.ts';
import { selectList } from '../rows/row-codec.ts';
import { columnsOf, type TableEntity } from '../rows/table-entity.ts';
import { carried } from './amount-limbs.ts';
import { SIGN_OF_NET } from './closed-trades.ts';
import { equitySampleEntity } from './equity-samples.ts';

const total = (column: string): string => `sum(${column})`;
const amounts = (names: readonly string[]): string => names.map((name) => carried(name, total)).join(', ');

const MOVED = amounts(['volume', 'realized', 'fees', 'funding']);
const OUTCOMES = `sum(closed) AS closed, sum(wins) AS wins, sum(losses) AS losses, ${amounts(['won', 'lost'])}`;
const netOf = (column: string): string =>
  ['realized', '- fees', '+ funding'].map((part) => column.replace('net', part)).join(' ');
/** Net of each row, not summed in SQL: a day has one row per source, and summing nine columns would cost more. */
const NET = carried('net', (column) => `(${netOf(column)})`);

/** Parameters: ?1 account, ?2 kind, ?3 source or null; ?4 and ?5 bound `start`. */
const OF_TOTALS = `FROM portfolio_totals
  WHERE trade_account_id = ?1 AND kind = ?2 AND start >= ?4 AND start < ?5 AND (?3 IS NULL OR source = ?3)`;

/**
 * All rows as one JSON text, in the order of `by`: rows made by the driver take about 2 µs a row and 0.3 µs a value on
 * the event loop, which for a year of days is most of the cost of the read.
 */
function asJson(sql: string, columns: readonly string[], by: string): string {
  const object = `json_object(${columns.map((column) => `'${column}', ${column}`).join(', ')})`;
  return `SELECT json_group_array(${object} ORDER BY ${by}) AS rows FROM (${sql})`;
}

/** A row as the JSON of its record. */
function asRecord<Record>(entity: TableEntity<Record>): string {
  const fields = columnsOf(entity).map(({ property, column: { name, type } }) =>
    type === 'simple-json' ? `'${property}', json(${name})` : `'${property}', ${name}`,
  );
  return `json_object(${fields.join(', ')})`;
}

const limbs = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`${name}_whole`, `${name}_nano`, `${name}_atto`]);
const MOVED_COLUMNS = ['fills', ...limbs(['volume', 'realized', 'fees', 'funding'])];
const OUTCOME_COLUMNS = ['closed', 'wins', 'losses', ...limbs(['won', 'lost'])];

export const FIRST_HOUR = `SELECT start FROM portfolio_totals WHERE trade_account_id = ?1 AND kind = 'hour' ORDER BY start LIMIT 1`;
export const LAST_HOUR = `SELECT start FROM portfolio_totals WHERE trade_account_id = ? AND kind = 'hour' ORDER BY start DESC LIMIT 1`;
export const PERIODS = asJson(
  `SELECT start, sum(fills) AS fills, ${MOVED}, ${OUTCOMES} ${OF_TOTALS} GROUP BY start`,
  ['start', ...MOVED_COLUMNS, ...OUTCOME_COLUMNS],
  'start',
);
/** Parameters: ?1 account, ?2 source or null. */
const DAILY_NET = asJson(
  `SELECT start, ${NET} FROM portfolio_totals
    WHERE trade_account_id = ?1 AND kind = 'day' AND (?2 IS NULL OR source = ?2)`,
  ['start', ...limbs(['net'])],
  'start',
);
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

/** Basket sums of a range, computed from the trades closed in it: the stored basket totals cover all time. */
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

/** Start of the UTC day of ?6. A division would be one of floats: the driver binds whole numbers of this size as such. */
const DAY_OF_SINCE = `(?6 - ?6 % ${DAY_MS})`;
/**
 * Realised PnL − fees + funding of the whole account in the ended hours before ?6: of whole days, and of the hours of the
 * last one. The hours of a year alone would take longer than all the rest of what is read with it.
 */
const BEFORE = `SELECT json_object(${['whole', 'nano', 'atto'].map((limb) => `'net_${limb}', net_${limb}`).join(', ')})
  FROM (SELECT ${carried('net', (column) => `coalesce(sum(${netOf(column)}), 0)`)} FROM (
    SELECT * FROM portfolio_totals WHERE trade_account_id = ?1 AND kind = 'day' AND start < ${DAY_OF_SINCE}
    UNION ALL
    SELECT * FROM portfolio_totals
      WHERE trade_account_id = ?1 AND kind = 'hour' AND start >= ${DAY_OF_SINCE} AND start < ?6))`;

const MOVED_BY_SOURCE = asJson(
  `SELECT subject, source, ${amounts(['realized', 'fees', 'funding'])}
    FROM portfolio_totals WHERE trade_account_id = ?1 AND kind = 'asset' GROUP BY subject, source`,
  ['subject', 'source', ...limbs(['realized', 'fees', 'funding'])],
  'subject, source',
);
const CLOSED_NET = asJson(
  `SELECT subject, ${amounts(['won', 'lost'])}
    FROM portfolio_totals WHERE trade_account_id = ?1 AND kind = 'basket' GROUP BY subject`,
  ['subject', ...limbs(['won', 'lost'])],
  'subject',
);
const OPEN_POSITIONS = `SELECT json_group_array(${asRecord(positionEntity)} ORDER BY created_at DESC, id DESC)
  FROM positions WHERE trade_account_id = ?1 AND status = 'OPEN'`;
const UNASSIGNED = `SELECT json_group_array(${asRecord(unassignedLotEntity)} ORDER BY symbol, timestamp, id)
  FROM unassigned_lots INDEXED BY unassigned_lots_of_account WHERE trade_account_id = ?1 AND quantity <> '0' AND source <> 'ADJUSTMENT'`;

/** All sums of an account in one statement, so that no commit comes between its parts. */
export const RECORDS = `SELECT (${PERIODS}) AS periods, (${MOVED_BY_SOURCE}) AS moved, (${CLOSED_NET}) AS closed,
  (${OPEN_POSITIONS}) AS positions, (${UNASSIGNED}) AS unassigned, (${BEFORE}) AS before,
  (SELECT value FROM cursors WHERE trade_account_id = ?1 AND kind = '${CARRIED_OVER}') AS carried_over`;

const SAMPLE = selectList(equitySampleEntity);
const SAMPLE_RECORD = asRecord(equitySampleEntity);
/** Each step of the recursion finds the last sample of the day before: as many steps as there are days. */
const DAILY_SAMPLES = `WITH RECURSIVE closes (at) AS (
    SELECT max(at) FROM equity_samples WHERE trade_account_id = ?1
    UNION ALL
    SELECT (SELECT max(s.at) FROM equity_samples s
      WHERE s.trade_account_id = ?1 AND s.at < closes.at / ${DAY_MS} * ${DAY_MS})
    FROM closes WHERE closes.at IS NOT NULL)
  SELECT json_group_array(${SAMPLE_RECORD} ORDER BY at) FROM equity_samples
  WHERE trade_account_id = ?1 AND at IN (SELECT at FROM closes WHERE at IS NOT NULL)`;
const FLOW_SAMPLES = `SELECT json_group_array(${SAMPLE_RECORD} ORDER BY at) FROM equity_samples INDEXED BY equity_flows
  WHERE trade_account_id = ?1 AND flow <> '0'`;
export const SAMPLES = `SELECT ${SAMPLE} FROM equity_samples
  WHERE trade_account_id = ?1 AND at >= ?2 AND at < ?3 ORDER BY at LIMIT ?4`;
/**
 * Each sample as a list of its values, because there may be ten thousand: names and rows would multiply the cost.
 * Parameters: ?3 and ?4 bound `at`; where they are null, there is none.
 */
const PATH = `SELECT json_group_array(json_array(at, deposits, flow, gateway_pnl, external_pnl) ORDER BY at)
  FROM equity_samples WHERE trade_account_id = ?1 AND at >= ?3 AND at < ?4`;
/** In one statement, so that no commit comes between its parts: a deposit in one of them alone would be a gain. */
export const CURVE = `SELECT (${FIRST_HOUR}) AS first_hour,
  (SELECT ${SAMPLE_RECORD} FROM equity_samples WHERE trade_account_id = ?1 ORDER BY at LIMIT 1) AS first,
  (${DAILY_SAMPLES}) AS closes, (${FLOW_SAMPLES}) AS flows, (${PATH}) AS path, (${DAILY_NET}) AS nets`;
/** Each step of the recursion finds the next account: as many steps as there are accounts. */
export const SAMPLED_ACCOUNTS = `WITH RECURSIVE accounts (id) AS (
    SELECT min(trade_account_id) FROM equity_samples
    UNION ALL
    SELECT (SELECT min(s.trade_account_id) FROM equity_samples s WHERE s.trade_account_id > accounts.id)
    FROM accounts WHERE accounts.id IS NOT NULL)
  SELECT id FROM accounts WHERE id IS NOT NULL`;
export const LAST_SAMPLE = `SELECT ${SAMPLE} FROM equity_samples
  WHERE trade_account_id = ?1 AND at < ?2 ORDER BY at DESC LIMIT 1`;

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
// The unary plus keeps SQLite from using the account's index, as in `fills.ts`.
export const FILLS_OF_POSITION = asJson(
  `SELECT id, ${TRADE_FILL.join(', ')} FROM fills WHERE position_id = ? AND +trade_account_id = ?`,
  TRADE_FILL,
  'timestamp, id',
);
