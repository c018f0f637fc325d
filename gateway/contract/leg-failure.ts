/** Policies for a failed leg. */
import { z } from 'zod';
import { LEG_FAILURE_POLICIES } from '../domain/enumerations.ts';
import { DOCS } from './common.ts';

export const legFailurePolicy = z.enum(LEG_FAILURE_POLICIES).register(DOCS, {
  description:
    'What happens when a leg fails after orders reached the venue. KEEP: what filled stays. UNWIND: what filled is closed, reduce-only. RETRY: what found no more liquidity is priced again inside the slippage bound, up to 3 times, then KEEP; an order that the venue refused is not sent again. With UNWIND the execution is FAILED before what filled is closed: an execution of its own does that, with this one as its `parentId`, committed with the failure.',
});

/** Of an order that trades while nobody watches; what is left out is filled in by `unattendedPolicy`. */
export const unattendedLegFailure = legFailurePolicy.optional().register(DOCS, {
  description:
    'Default RETRY with two legs or more, KEEP with one. With UNWIND it has ended once what filled is closed again.',
});

export function unattendedPolicy(body: {
  readonly onLegFailure?: z.output<typeof legFailurePolicy> | undefined;
  readonly legs: readonly unknown[];
}): z.output<typeof legFailurePolicy> {
  return body.onLegFailure ?? (body.legs.length > 1 ? 'RETRY' : 'KEEP');
}

const withoutUnwind = (why: string) =>
  z.enum(['KEEP', 'RETRY'], {
    error: ({ input }) => (input === 'UNWIND' ? `${why}: choose KEEP or RETRY` : undefined),
  });

export const closingLegFailure = withoutUnwind('What a close has filled is not opened again').register(DOCS, {
  id: 'ClosingLegFailurePolicy',
  description:
    'RETRY: what found no more liquidity is priced again inside the slippage bound. KEEP: it is not; what is left stays open, or is left to the next slice. There is no UNWIND: what a close has filled is not opened again.',
});

/** Refuses UNWIND of an order that may only reduce. */
export function checkReducingFailure(
  isReducing: boolean,
  body: { readonly onLegFailure: z.output<typeof legFailurePolicy> },
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  if (!isReducing || body.onLegFailure !== 'UNWIND') return;
  const message = 'What only reduces is not opened again: choose KEEP or RETRY';
  context.addIssue({ code: 'custom', path: ['onLegFailure'], message });
}

export const rebalanceLegFailure = withoutUnwind('A rebalance buys and sells within its position').register(
  DOCS,
  {
    id: 'RebalanceLegFailurePolicy',
    description:
      'RETRY: what found no more liquidity is priced again inside the slippage bound. KEEP: it is not. There is no UNWIND: a rebalance buys and sells within its position.',
  },
);
