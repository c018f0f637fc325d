import type { LegFailurePolicy } from './model.ts';

/** What happens when a leg fails, of orders that have nothing to close again: closes and rebalances. */
export type ClosingFailurePolicy = Exclude<LegFailurePolicy, 'UNWIND'>;
