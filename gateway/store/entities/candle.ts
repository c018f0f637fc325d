import type { CandleRow } from '../../domain/candle.ts';
import { integer, json, key, type TableEntity, text } from '../rows/table-entity.ts';

/**
 * One row holds the bars of all instruments: a minute is one row to write however many instruments there are. A read takes
 * one instrument's bar out of each row.
 */
export const candleEntity: TableEntity<CandleRow> = {
  name: 'candle',
  tableName: 'candles',
  columns: {
    connector: key(text('connector')),
    interval: key(text('interval')),
    start: key(integer('start')),
    bars: json('bars'),
  },
};
