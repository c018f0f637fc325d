/** What travels between the benchmark and the process that measures the trigger index. */

export interface TriggerTask {
  readonly rounds: number;
  /** Numbers of armed triggers whose cost per tick is compared with each other. */
  readonly sizes: readonly number[];
  /** Number of armed triggers at which the index is compared with a scan. */
  readonly scanned: number;
}

/** Lists over `sizes`, inner lists over the rounds; µs are CPU time per tick. */
export interface TriggerFigures {
  readonly growth: readonly (readonly number[])[];
  readonly loadMs: readonly number[];
  readonly bytes: readonly number[];
  readonly scanUs: readonly number[];
  readonly indexUs: readonly number[];
  readonly scannedLoadMs: number;
  readonly scannedBytes: number;
  readonly scannedMeasures: number;
  readonly scannedArmed: number;
}

export type TriggerAnswer =
  | { readonly ok: true; readonly figures: TriggerFigures }
  | { readonly ok: false; readonly message: string };
