/** Kind of order of an execution, as mandates name it. */
import type { MandateKind } from '../../domain/mandate.ts';
import type { Execution, ExecutionOrigin } from '../../domain/model.ts';

const KINDS = {
  API: 'now',
  TRIGGER: 'when',
  LADDER: 'ladder',
  SCHEDULE: 'over_time',
  REBALANCE: 'rebalance',
  BRACKET: 'protect',
} as const;

export function kindOf({
  intent,
  origin = 'API',
}: Pick<Execution, 'intent'> & { readonly origin?: ExecutionOrigin }): MandateKind {
  return intent === 'REVERSE' ? 'reverse' : KINDS[origin];
}
