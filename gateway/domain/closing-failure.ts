import type { LegFailurePolicy } from './model.ts';

/** Policies for a failed leg of closes and rebalances. They have no UNWIND, because it would open again. */
export type ClosingFailurePolicy = Exclude<LegFailurePolicy, 'UNWIND'>;
