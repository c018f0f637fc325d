import type { OAuthClient } from '../../domain/oauth.ts';
import { badParameter, INVALID_CLIENT, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

/** Passes when the request names a registered client. */
export function checkClient(facts: {
  readonly parameters: Parameters;
  readonly client: OAuthClient | null;
}): OAuthFailure | null {
  if (facts.parameters.get('client_id') === '') return badParameter('client_id');
  return facts.client === null ? INVALID_CLIENT : null;
}
