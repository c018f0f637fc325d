import type { TrailingPeak } from '../../engine/ports/unit-of-work.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

/** A row of its own, three columns and no index, because it is rewritten as the peak moves. */
export const trailingPeakEntity: TableEntity<TrailingPeak> = {
  name: 'trailing_peak',
  tableName: 'trailing_peaks',
  columns: {
    triggerId: key(text('trigger_id')),
    peak: text('peak'),
    seenAt: integer('seen_at'),
  },
};
