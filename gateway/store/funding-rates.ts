/** Recorded funding rates: a row an hour for all instruments of a connector, of which SQLite cuts out one, as of candles. */
import type { FundingRow, SettledRate } from '../domain/funding-history.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { integer, json, key, table, text } from './rows/table-entity.ts';

export const fundingRateEntity = table<FundingRow>('funding_rates', {
  connector: key(text('connector')),
  hour: key(integer('hour')),
  rates: json('rates'),
});

/** Length of the text cut out for a rate, which has a decimal of at most 41 characters and a number of hours. */
const CUT = 160;
const RANGE = `
  SELECT hour, substr(rates, place, ${CUT}) AS rate FROM (
    SELECT hour, rates, instr(rates, ?1) AS place FROM funding_rates
    WHERE connector = ?2 AND hour >= ?3 AND hour <= ?4) WHERE place > 0 ORDER BY hour`;

/** The statement, exported for a test of its query plan. */
export const FUNDING_RATE_STATEMENTS = [RANGE];

export function fundingRateReads({ all }: Reads) {
  return {
    async fundingPoints(connector, symbol, from, to) {
      // Quotes, colon and bracket: the name of one instrument may be the end of another's.
      const name = `${JSON.stringify(symbol)}:[`;
      return (await all(RANGE, [name, connector, from, to])).map((row) => {
        const rest = String(row['rate']).slice(name.length - 1);
        const rate: SettledRate = JSON.parse(rest.slice(0, rest.indexOf(']') + 1));
        return { hour: Number(row['hour']), rate };
      });
    },
  } satisfies Partial<Store>;
}
