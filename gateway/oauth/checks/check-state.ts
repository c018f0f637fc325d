import { badParameter, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

/** Limit of `state`, which is kept until the user has decided. */
const MAX_CHARS = 4_096;

export function checkState({ parameters }: { readonly parameters: Parameters }): OAuthFailure | null {
  return parameters.get('state').length > MAX_CHARS ? badParameter('state') : null;
}
