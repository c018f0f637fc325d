/** What is known of a trigger that waits, beside its row. */
import type { DecimalString } from '../../../domain/decimal.ts';

/** What a watcher has in memory beyond the trigger's row. */
export interface Observation {
  readonly value: DecimalString | null;
  readonly at: number | null;
  /** Of a trailing bracket; null before it began and without trailing. */
  readonly peak: DecimalString | null;
}
