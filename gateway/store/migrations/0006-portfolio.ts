/**
 * Sums of an account's history (`portfolio_totals`) and its closed trades, filled from the stored fills, funding
 * payments and closed positions. USD amounts are three whole numbers each, as in `amount-limbs.ts`.
 */
import type { SchemaMigration } from './schema-migration.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const LIMBS = ['whole', 'nano', 'atto'] as const;

/** The limbs of a decimal text; digits beyond the eighteenth decimal are cut off. */
function limbs(decimal: string): readonly string[] {
  const sign = `iif(${decimal} LIKE '-%', -1, 1)`;
  const fraction = `(iif(instr(${decimal}, '.') = 0, '', substr(${decimal}, instr(${decimal}, '.') + 1)) || '000000000000000000')`;
  return [
    `CAST(${decimal} AS INTEGER)`,
    `${sign} * CAST(substr(${fraction}, 1, 9) AS INTEGER)`,
    `${sign} * CAST(substr(${fraction}, 10, 9) AS INTEGER)`,
  ];
}

/** `sum(...)` of each limb of a decimal text, as the columns `<name>_whole`, `<name>_nano` and `<name>_atto`. */
function summed(name: string, decimal: string): string {
  return limbs(decimal)
    .map((limb, index) => `sum(${limb}) AS ${name}_${LIMBS[index]}`)
    .join(', ');
}

const columns = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => LIMBS.map((limb) => `${name}_${limb}`));

const MOVED = ['volume', 'realized', 'fees', 'funding'];
const ALL = ['fills', ...columns(MOVED), 'closed', 'wins', 'losses', ...columns(['won', 'lost']), 'hold_ms'];

/** SQL that adds up the hourly sums of instruments into a coarser total. */
function moved(kind: string, start: string, subject: string): string {
  return `INSERT INTO portfolio_totals (trade_account_id, kind, start, source, subject, ${ALL.join(', ')})
    SELECT trade_account_id, '${kind}', ${start}, source, ${subject}, sum(fills),
      ${columns(MOVED)
        .map((column) => `sum(${column})`)
        .join(', ')}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    FROM portfolio_history GROUP BY 1, 3, 4, 5`;
}

const SIGN = 'sign(coalesce(nullif(net_whole, 0), nullif(net_nano, 0), net_atto))';

function closed(kind: string, start: string, subject: string): string {
  const won = LIMBS.map((limb) => `sum(iif(${SIGN} = 1, net_${limb}, 0))`);
  const lost = LIMBS.map((limb) => `sum(iif(${SIGN} = -1, -net_${limb}, 0))`);
  const measures = ['closed', 'wins', 'losses', ...columns(['won', 'lost']), 'hold_ms'];
  return `INSERT INTO portfolio_totals (trade_account_id, kind, start, source, subject, ${ALL.join(', ')})
    SELECT trade_account_id, '${kind}', ${start}, source, ${subject}, 0, ${columns(MOVED)
      .map(() => '0')
      .join(', ')},
      count(*), sum(${SIGN} = 1), sum(${SIGN} = -1), ${[...won, ...lost].join(', ')}, sum(closed_at - opened_at)
    FROM closed_trades WHERE true GROUP BY 1, 3, 4, 5
    ON CONFLICT (trade_account_id, kind, start, source, subject) DO UPDATE SET
      ${measures.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

const SOURCE_OF_POSITION = `iif(origin = 'EXTERNAL', 'external', 'gateway')`;
const legSum = (index: number): string =>
  `(SELECT ${['realizedPnl', 'feesPaid', 'fundingPaid']
    .map((field, at) => `${at === 0 ? '' : '- '}sum(${limbs(`(value ->> '${field}')`)[index]})`)
    .join(' ')} FROM json_each(legs))`;

export const portfolioSchema: SchemaMigration = {
  version: 6,
  name: 'Portfolio1795219200006',
  statements: [
    `CREATE TABLE portfolio_totals (
      trade_account_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      start INTEGER NOT NULL,
      source TEXT NOT NULL,
      subject TEXT NOT NULL,
      ${ALL.map((column) => `${column} INTEGER NOT NULL`).join(',\n      ')},
      PRIMARY KEY (trade_account_id, kind, start, source, subject)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE closed_trades (
      trade_account_id TEXT NOT NULL,
      closed_at INTEGER NOT NULL,
      position_id TEXT NOT NULL UNIQUE,
      basket_key TEXT NOT NULL,
      source TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      net_whole INTEGER NOT NULL,
      net_nano INTEGER NOT NULL,
      net_atto INTEGER NOT NULL,
      PRIMARY KEY (trade_account_id, closed_at, position_id)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TEMP TABLE portfolio_history AS
      SELECT trade_account_id, timestamp / ${HOUR_MS} * ${HOUR_MS} AS hour, symbol,
        iif(execution_id IS NOT NULL OR (is_liquidation = 1 AND position_id IS NOT NULL), 'gateway', 'external') AS source,
        count(*) AS fills, ${summed('volume', 'notional')}, ${summed('realized', 'realized_pnl')},
        ${summed('fees', 'fee')}, ${summed('funding', "'0'")}
      FROM fills GROUP BY 1, 2, 3, 4`,
    `INSERT INTO portfolio_history
      SELECT p.trade_account_id, timestamp / ${HOUR_MS} * ${HOUR_MS} AS hour, symbol,
        coalesce((SELECT ${SOURCE_OF_POSITION} FROM positions WHERE id = p.position_id), 'gateway') AS source,
        0, ${summed('volume', "'0'")}, ${summed('realized', "'0'")}, ${summed('fees', "'0'")},
        ${summed('funding', 'amount')}
      FROM funding_payments p GROUP BY 1, 2, 3, 4`,
    moved('hour', 'hour', `''`),
    moved('day', `hour / ${DAY_MS} * ${DAY_MS}`, `''`),
    moved('asset_day', `hour / ${DAY_MS} * ${DAY_MS}`, 'symbol'),
    moved('asset', '0', 'symbol'),
    'DROP TABLE portfolio_history',

    // The limbs of a sum over legs may differ in sign; after the carry, the first non-zero limb has the sum's sign.
    `INSERT INTO closed_trades
      SELECT trade_account_id, closed_at, id, basket_key, ${SOURCE_OF_POSITION}, created_at,
        whole + (nano + atto / 1000000000) / 1000000000, (nano + atto / 1000000000) % 1000000000, atto % 1000000000
      FROM (SELECT *, ${LIMBS.map((limb, index) => `${legSum(index)} AS ${limb}`).join(', ')} FROM positions)
      WHERE closed_at IS NOT NULL`,
    closed('hour', `closed_at / ${HOUR_MS} * ${HOUR_MS}`, `''`),
    closed('day', `closed_at / ${DAY_MS} * ${DAY_MS}`, `''`),
    closed('basket', '0', 'basket_key'),
  ],
};
