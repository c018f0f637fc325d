/** `--on-leg-failure` of the commands that order. */
import type { Request } from '../client/route-types.ts';
import { oneOf } from './basket-flags.ts';
import type { CommandContext } from './command.ts';
import type { FlagSpec } from './parse-flags.ts';

type Policy = NonNullable<Request<'POST /trade/open'>['body']['onLegFailure']>;
type ClosingPolicy = Exclude<Policy, 'UNWIND'>;

const CLOSING_POLICIES = { keep: 'KEEP', retry: 'RETRY' } as const;
const POLICIES = { keep: 'KEEP', unwind: 'UNWIND', retry: 'RETRY' } as const;

const flag = (values: readonly string[], usual: string): FlagSpec => ({
  name: '--on-leg-failure',
  kind: 'text',
  fields: ['onLegFailure'],
  value: '<policy>',
  help: `${values.slice(0, -1).join(', ')} or ${values.at(-1)} (${usual})`,
  values,
});

/** @param usual the default, in words */
export const legFailureFlag = (usual: string): FlagSpec => flag(Object.keys(POLICIES), usual);
export const CLOSING_FAILURE_FLAG: FlagSpec = flag(Object.keys(CLOSING_POLICIES), 'retry');

/** Nothing where the flag is left out: the gateway's default counts. */
export function legFailureOf({ flags }: CommandContext): { readonly onLegFailure?: Policy } {
  const policy = flags.texts.get('--on-leg-failure');
  return policy === undefined ? {} : { onLegFailure: oneOf(policy, POLICIES, '--on-leg-failure') };
}

export function closingFailureOf({ flags }: CommandContext): { readonly onLegFailure?: ClosingPolicy } {
  const policy = flags.texts.get('--on-leg-failure');
  return policy === undefined ? {} : { onLegFailure: oneOf(policy, CLOSING_POLICIES, '--on-leg-failure') };
}
